/* SPDX-License-Identifier: Apache-2.0 */
/* oct_segment_put.c - segments of a trace to port streams of the tracer `shadow`.
 *
 * Without threads instructions go through the tracer as they come. With threads they wait in
 * chunks, and a thread takes those of a segment while it gathers more. One thread alone holds up
 * who gathers when a few chunks wait, so that memory does not depend on the trace; with more
 * threads whole segments may wait, of packed instructions. Segments leave in order. */
#include "oct_jobs.h"
#include "oct_packed_insns.h"
#include "oct_shadow_segments.h"
#include "oct_trace_channels.h"
#include "oct_grow.h"
#include "octrace/tracer.h"

#include <pthread.h>

enum {
  BATCH_INSNS = 4096,
  BATCH_ACCESSES = 16384,
  CHUNK_BYTES = 1 << 16,
  CHUNK_INSNS = 2048,
  CHUNK_UPDATES = 512,
  WAITING_MAX = 16
};

/* Instructions on their way to a thread, and changes of the map that come before or between them.
 */
typedef struct chunk {
  struct chunk *next;
  oct_buffer packed; /* either this, or */
  oct_insn *insns;   /* these as they came */
  oct_access *accesses;
  size_t n_insns, n_accesses, room_insns, room_accesses;
  oct_map_update *updates;
  size_t n_updates, room_updates;
} chunk;

/* A segment on its way. */
typedef struct put_segment {
  oct_segment_put *owner;
  chunk *filling;   /* of the gathering side, or NULL */
  oct_packed_at at; /* likewise */
  oct_buffer channels[OCT_TRACE_CHANNELS];
  uint64_t n_insns, n_items;
  bool is_begun; /* has chunks with a thread */
  bool busy;     /* all is with a thread, or waiting for its turn */
  /* Chunks that wait, under the owner's lock: */
  chunk *first, *last;
  unsigned n_waiting;
  bool is_whole; /* no more come */
  /* The encoding side: */
  void *encoder;
  oct_packed_at encoded_at;
  oct_insn *insns; /* of a batch that was packed */
  oct_access *accesses;
  int error;
  oct_diag diag;
} put_segment;

struct oct_segment_put {
  const oct_tracer *tracer;
  uint32_t values[OCT_TRACER_PARAMS_MAX];
  uint64_t items, bytes; /* most of a segment */
  oct_jobs *jobs;
  oct_segment_done_fn *done;
  void *context;
  unsigned n_threads, n_segments, current, oldest;
  bool waits;            /* instructions wait, without time stamps: */
  bool packs;            /* in packed form */
  put_segment *segments; /* a ring */
  pthread_mutex_t lock;  /* of chunks that wait, and of the free ones */
  pthread_cond_t moved;
  chunk *free_chunks;
};

static int no_memory(oct_diag *diag) {
  return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
}

/* ---- Encoding: one segment, on any thread ---- */

/* As many instructions as fit a batch. */
static void unpack_batch(put_segment *s, const uint8_t **p, const uint8_t *end,
                         oct_tracer_input *in) {
  *in = (oct_tracer_input){.insns = s->insns, .accesses = s->accesses};
  while (*p < end && in->n_insns < BATCH_INSNS && in->n_accesses < BATCH_ACCESSES) {
    oct_insn *insn = &s->insns[in->n_insns++];
    oct_packed_get(p, &s->encoded_at, insn);
    for (unsigned k = 0; k < insn->n_access; k++, *p += 8)
      memcpy(&s->accesses[in->n_accesses++].addr, *p, 8);
  }
}

/* Take the bytes that left the tracer. */
static int take_stream(put_segment *s) {
  const uint8_t *bytes;
  size_t n = s->owner->tracer->encoder.take(s->encoder, &bytes);
  if (oct_buffer_put(&s->channels[OCT_CHANNEL_FLOW], bytes, n)) return no_memory(&s->diag);
  return 0;
}

static void open_encoder(put_segment *s) {
  const oct_run_options run = {.engine = OCT_ENGINE_UNTIMED};
  s->error = s->owner->tracer->encoder.create(s->owner->values, &run, &s->encoder, &s->diag);
}

static void encode_batch(put_segment *s, const oct_tracer_input *in) {
  if (!s->encoder) open_encoder(s);
  if (!s->error) s->error = s->owner->tracer->encoder.put(s->encoder, in, &s->diag);
  if (!s->error) s->error = take_stream(s);
}

/* A chunk through the tracer, which keeps changes of the map until their instructions come. */
static void encode_chunk(put_segment *s, const chunk *c) {
  if (!s->owner->packs) {
    const oct_tracer_input in = {.insns = c->insns,
                                 .n_insns = c->n_insns,
                                 .accesses = c->accesses,
                                 .n_accesses = c->n_accesses,
                                 .updates = c->updates,
                                 .n_updates = c->n_updates};
    if (!s->error) encode_batch(s, &in);
    return;
  }
  const uint8_t *p = c->packed.bytes, *end = p + c->packed.n_bytes;
  bool is_first = true;
  while (!s->error && (p < end || is_first)) {
    oct_tracer_input in;
    unpack_batch(s, &p, end, &in);
    if (is_first) {
      in.updates = c->updates;
      in.n_updates = c->n_updates;
    }
    is_first = false;
    encode_batch(s, &in);
  }
}

/* The segment's stream is whole. Its tables are large: they do not wait until it leaves. */
static void end_encoding(put_segment *s) {
  if (!s->encoder && !s->error) open_encoder(s);
  if (!s->error) s->error = s->owner->tracer->encoder.flush(s->encoder, &s->diag);
  if (!s->error) s->error = take_stream(s);
  if (s->encoder) s->owner->tracer->encoder.destroy(s->encoder);
  s->encoder = NULL;
}

/* ---- Chunks ---- */

static void free_chunks(chunk *c) {
  for (chunk *next; c; c = next) {
    next = c->next;
    oct_buffer_free(&c->packed);
    free(c->insns);
    free(c->accesses);
    free(c->updates);
    free(c);
  }
}

/* An empty one, or NULL when out of memory. */
static chunk *get_chunk(oct_segment_put *p) {
  pthread_mutex_lock(&p->lock);
  chunk *c = p->free_chunks;
  if (c) p->free_chunks = c->next;
  pthread_mutex_unlock(&p->lock);
  if (!c) return calloc(1, sizeof *c);
  c->next = NULL;
  c->packed.n_bytes = c->n_updates = c->n_insns = c->n_accesses = 0;
  return c;
}

static void give_back(oct_segment_put *p, chunk *c) {
  pthread_mutex_lock(&p->lock);
  c->next = p->free_chunks;
  p->free_chunks = c;
  pthread_mutex_unlock(&p->lock);
}

/* The next chunk of the segment once it is there; NULL when there are no more. */
static chunk *take_chunk(put_segment *s) {
  oct_segment_put *p = s->owner;
  pthread_mutex_lock(&p->lock);
  while (!s->first && !s->is_whole) pthread_cond_wait(&p->moved, &p->lock);
  chunk *c = s->first;
  if (c) {
    s->first = c->next;
    s->n_waiting--;
    pthread_cond_broadcast(&p->moved);
  }
  pthread_mutex_unlock(&p->lock);
  return c;
}

/* A segment on a thread, from its first chunk to its last. */
static void encode_segment(void *arg) {
  put_segment *s = arg;
  for (chunk *c; (c = take_chunk(s)) != NULL; give_back(s->owner, c)) encode_chunk(s, c);
  end_encoding(s);
}

/* The chunk that was filled goes on. 0 or OCT_ERR_NOMEM. */
static int pass_on(put_segment *s) {
  oct_segment_put *p = s->owner;
  chunk *c = s->filling;
  s->filling = NULL;
  if (!p->n_threads) {
    encode_chunk(s, c);
    give_back(p, c);
    return 0;
  }
  pthread_mutex_lock(&p->lock);
  while (p->n_threads == 1 && s->n_waiting >= WAITING_MAX) pthread_cond_wait(&p->moved, &p->lock);
  if (s->first)
    s->last->next = c;
  else
    s->first = c;
  s->last = c;
  s->n_waiting++;
  pthread_cond_broadcast(&p->moved);
  pthread_mutex_unlock(&p->lock);
  if (s->is_begun) return 0;
  s->is_begun = true;
  return oct_jobs_add(p->jobs, encode_segment, s);
}

/* The chunk to add to, or NULL when out of memory. */
static chunk *filling_of(put_segment *s) {
  if (!s->filling) s->filling = get_chunk(s->owner);
  return s->filling;
}

/* ---- The ring of segments ---- */

static put_segment *current_of(const oct_segment_put *p) {
  return &p->segments[p->current];
}

static int fail_as(const put_segment *s, oct_diag *diag) {
  if (diag) *diag = s->diag;
  return s->error;
}

static void empty(put_segment *s) {
  if (s->encoder) s->owner->tracer->encoder.destroy(s->encoder);
  s->encoder = NULL;
  s->at = s->encoded_at = (oct_packed_at){0};
  s->n_insns = s->n_items = 0;
  s->is_begun = s->is_whole = false;
  for (unsigned c = 0; c < OCT_TRACE_CHANNELS; c++) s->channels[c].n_bytes = 0;
  s->busy = false;
}

/* The oldest segment is done, and leaves. */
static int leave(oct_segment_put *p, oct_diag *diag) {
  put_segment *s = &p->segments[p->oldest];
  oct_jobs_wait_for(p->jobs, s);
  if (s->error) return fail_as(s, diag);
  int error = p->done(p->context, s->channels, diag);
  if (error) return error;
  empty(s);
  p->oldest = (p->oldest + 1) % p->n_segments;
  return 0;
}

/* All segments that are busy. */
static int drain(oct_segment_put *p, oct_diag *diag) {
  int error = 0;
  while (!error && p->segments[p->oldest].busy) error = leave(p, diag);
  return error;
}

int oct_shadow_put_cut(oct_segment_put *p, oct_diag *diag) {
  put_segment *s = current_of(p);
  unsigned next = (p->current + 1) % p->n_segments;
  int error = p->segments[next].busy ? leave(p, diag) : 0; /* it is the oldest */
  if (error) return error;
  if (filling_of(s) == NULL || pass_on(s)) return no_memory(diag);
  s->busy = true;
  p->current = next;
  if (!p->n_threads) {
    end_encoding(s);
    return drain(p, diag);
  }
  pthread_mutex_lock(&p->lock);
  s->is_whole = true;
  pthread_cond_broadcast(&p->moved);
  pthread_mutex_unlock(&p->lock);
  return 0;
}

int oct_shadow_put_finish(oct_segment_put *p, oct_diag *diag) {
  return drain(p, diag);
}

int oct_shadow_put_map(oct_segment_put *p, const oct_map_entry *entry) {
  put_segment *s = current_of(p);
  chunk *c = filling_of(s);
  oct_map_update *updates =
      c ? oct_grown(c->updates, &c->room_updates, c->n_updates + 1, sizeof *updates) : NULL;
  if (!updates) return OCT_ERR_NOMEM;
  c->updates = updates;
  updates[c->n_updates++] = (oct_map_update){s->n_insns, *entry};
  return c->n_updates < CHUNK_UPDATES || !p->waits ? 0 : pass_on(s);
}

int oct_shadow_put_bytes(oct_segment_put *p, unsigned channel, const void *bytes, size_t n) {
  return oct_buffer_put(&current_of(p)->channels[channel], bytes, n);
}

/* Add the first of n instructions to the chunk, as many as fit, with their accesses: how many there
 * were. 0 when out of memory. */
static size_t copy_insns(chunk *c, const oct_insn *insns, size_t n, const oct_access *accesses,
                         size_t *n_accesses) {
  size_t n_taken = n < CHUNK_INSNS - c->n_insns ? n : CHUNK_INSNS - c->n_insns, k = 0;
  for (size_t i = 0; i < n_taken; i++) k += insns[i].n_access;
  oct_insn *to = oct_grown(c->insns, &c->room_insns, c->n_insns + n_taken, sizeof *to);
  if (!to) return 0;
  c->insns = to;
  memcpy(to + c->n_insns, insns, n_taken * sizeof *to);
  if (k) {
    oct_access *at = oct_grown(c->accesses, &c->room_accesses, c->n_accesses + k, sizeof *at);
    if (!at) return 0;
    c->accesses = at;
    memcpy(at + c->n_accesses, accesses, k * sizeof *at);
  }
  c->n_insns += n_taken;
  c->n_accesses += k;
  *n_accesses = k;
  return n_taken;
}

int oct_shadow_put_insns(oct_segment_put *p, const oct_insn *insns, size_t n,
                         const oct_access *accesses, size_t n_accesses, oct_diag *diag) {
  put_segment *s = current_of(p);
  chunk *c = filling_of(s);
  if (!c) return no_memory(diag);
  s->n_insns += n;
  s->n_items += n + n_accesses;
  if (!p->waits) {
    const oct_tracer_input in = {.insns = insns,
                                 .n_insns = n,
                                 .accesses = accesses,
                                 .n_accesses = n_accesses,
                                 .updates = c->updates,
                                 .n_updates = c->n_updates};
    encode_batch(s, &in);
    c->n_updates = 0;
    return s->error ? fail_as(s, diag) : 0;
  }
  for (size_t i = 0, taken, k; !p->packs && i < n; i += taken, accesses += k) {
    if (!(c = filling_of(s)) || !(taken = copy_insns(c, insns + i, n - i, accesses, &k)))
      return no_memory(diag);
    if (c->n_insns == CHUNK_INSNS && pass_on(s)) return no_memory(diag);
  }
  for (size_t i = 0; p->packs && i < n; i++) {
    if (!(c = filling_of(s)) || oct_packed_put(&c->packed, &s->at, &insns[i], accesses))
      return no_memory(diag);
    accesses += insns[i].n_access;
    if (c->packed.n_bytes >= CHUNK_BYTES && pass_on(s)) return no_memory(diag);
  }
  return 0;
}

uint64_t oct_shadow_put_room(const oct_segment_put *p) {
  const put_segment *s = current_of(p);
  return s->n_items < p->items ? p->items - s->n_items : 0;
}

bool oct_shadow_put_is_full(const oct_segment_put *p) {
  const put_segment *s = current_of(p);
  return s->n_items >= p->items || s->channels[OCT_CHANNEL_EVENT].n_bytes >= p->bytes ||
         s->channels[OCT_CHANNEL_CYCLE].n_bytes >= p->bytes;
}

int oct_shadow_put_new(const oct_codec_settings *settings, unsigned n_threads,
                       oct_segment_done_fn *done, void *context, oct_segment_put **put,
                       oct_diag *diag) {
  oct_segment_put *p = calloc(1, sizeof *p);
  *put = NULL;
  if (!p) return no_memory(diag);
  p->tracer = oct_tracer_find("shadow");
  p->items = oct_shadow_segment_items(settings);
  p->bytes = settings->segment_bytes;
  p->done = done;
  p->context = context;
  p->n_threads = n_threads;
  p->n_segments = n_threads + 2;
  p->segments = calloc(p->n_segments, sizeof *p->segments);
  p->jobs = oct_jobs_new(n_threads);
  int error = p->segments && p->jobs ? 0 : no_memory(diag);
  oct_tracer_defaults(p->tracer, p->values);
  if (!error) error = oct_tracer_parse(p->tracer, settings->option_text, p->values, NULL, diag);
  pthread_mutex_init(&p->lock, NULL);
  pthread_cond_init(&p->moved, NULL);
  const bool has_stamps = oct_tracer_value(p->tracer, p->values, OCT_ROLE_TIMESTAMP) != 0;
  p->waits = n_threads || has_stamps;
  p->packs = n_threads > 1 || has_stamps;
  for (unsigned i = 0; !error && i < p->n_segments; i++) {
    put_segment *s = &p->segments[i];
    s->owner = p;
    if (!p->packs) continue;
    s->insns = malloc(BATCH_INSNS * sizeof *s->insns);
    s->accesses = malloc((BATCH_ACCESSES + UINT16_MAX) * sizeof *s->accesses);
    if (!s->insns || !s->accesses) error = no_memory(diag);
  }
  if (error) {
    oct_shadow_put_free(p);
    return error;
  }
  *put = p;
  return 0;
}

void oct_shadow_put_free(oct_segment_put *p) {
  if (!p) return;
  /* No thread waits for more. */
  pthread_mutex_lock(&p->lock);
  for (unsigned i = 0; p->segments && i < p->n_segments; i++) p->segments[i].is_whole = true;
  pthread_cond_broadcast(&p->moved);
  pthread_mutex_unlock(&p->lock);
  oct_jobs_free(p->jobs);
  for (unsigned i = 0; p->segments && i < p->n_segments; i++) {
    put_segment *s = &p->segments[i];
    if (s->encoder) p->tracer->encoder.destroy(s->encoder);
    free_chunks(s->filling);
    free_chunks(s->first);
    for (unsigned c = 0; c < OCT_TRACE_CHANNELS; c++) oct_buffer_free(&s->channels[c]);
    free(s->insns);
    free(s->accesses);
  }
  free_chunks(p->free_chunks);
  pthread_mutex_destroy(&p->lock);
  pthread_cond_destroy(&p->moved);
  free(p->segments);
  free(p);
}
