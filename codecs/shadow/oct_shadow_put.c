/* SPDX-License-Identifier: Apache-2.0 */
/* oct_segment_put.c - segments of a trace to port streams of the tracer `shadow`.
 *
 * Without threads instructions go through the tracer as they come. With threads a segment gathers
 * them in packed form until its end; then a thread sends it through the tracer while the next one
 * gathers. Segments leave in order. */
#include "oct_jobs.h"
#include "oct_packed_insns.h"
#include "oct_shadow_segments.h"
#include "oct_trace_channels.h"
#include "octrace/tracer.h"

enum { BATCH_INSNS = 4096, BATCH_ACCESSES = 16384 };

/* A segment on its way. */
typedef struct put_segment {
  oct_segment_put *owner;
  oct_buffer packed; /* instructions that wait for a thread */
  oct_packed_at at;  /* of the gathering side */
  oct_map_update *updates;
  size_t n_updates, room_updates;
  oct_buffer channels[OCT_TRACE_CHANNELS];
  uint64_t n_insns, n_items;
  bool busy; /* with a thread, or waiting for its turn */
  /* The encoding side: */
  void *encoder;
  oct_packed_at encoded_at;
  uint64_t n_encoded;
  size_t at_update;
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
  bool packs;            /* instructions wait in packed form, which has no time stamps */
  put_segment *segments; /* a ring */
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

/* The batch through the tracer, with the changes of the map that come before its instructions. */
static void encode_batch(put_segment *s, oct_tracer_input *in) {
  if (!s->encoder) open_encoder(s);
  in->updates = s->updates + s->at_update;
  s->n_encoded += in->n_insns;
  while (s->at_update < s->n_updates && s->updates[s->at_update].from_insn < s->n_encoded)
    s->at_update++;
  in->n_updates = (size_t)(s->updates + s->at_update - in->updates);
  if (!s->error) s->error = s->owner->tracer->encoder.put(s->encoder, in, &s->diag);
  if (!s->error) s->error = take_stream(s);
}

static void encode_to_end(void *arg) {
  put_segment *s = arg;
  const uint8_t *p = s->packed.bytes, *end = p + s->packed.n_bytes;
  if (!s->encoder) open_encoder(s);
  while (!s->error && p < end) {
    oct_tracer_input in;
    unpack_batch(s, &p, end, &in);
    encode_batch(s, &in);
  }
  s->packed.n_bytes = 0;
  if (s->error) return;
  s->error = s->owner->tracer->encoder.flush(s->encoder, &s->diag);
  if (!s->error) s->error = take_stream(s);
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
  s->packed.n_bytes = s->n_updates = s->at_update = 0;
  s->n_insns = s->n_items = s->n_encoded = 0;
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
  s->busy = true;
  p->current = next;
  if (oct_jobs_add(p->jobs, encode_to_end, s)) return no_memory(diag);
  return p->n_threads ? 0 : drain(p, diag);
}

int oct_shadow_put_finish(oct_segment_put *p, oct_diag *diag) {
  return drain(p, diag);
}

int oct_shadow_put_map(oct_segment_put *p, const oct_map_entry *entry) {
  put_segment *s = current_of(p);
  if (s->n_updates == s->room_updates) {
    size_t room = 2 * s->room_updates + 256;
    oct_map_update *updates = realloc(s->updates, room * sizeof *updates);
    if (!updates) return OCT_ERR_NOMEM;
    s->updates = updates;
    s->room_updates = room;
  }
  s->updates[s->n_updates++] = (oct_map_update){s->n_insns, *entry};
  return 0;
}

int oct_shadow_put_bytes(oct_segment_put *p, unsigned channel, const void *bytes, size_t n) {
  return oct_buffer_put(&current_of(p)->channels[channel], bytes, n);
}

int oct_shadow_put_insns(oct_segment_put *p, const oct_insn *insns, size_t n,
                         const oct_access *accesses, size_t n_accesses, oct_diag *diag) {
  put_segment *s = current_of(p);
  s->n_insns += n;
  s->n_items += n + n_accesses;
  if (!p->packs) {
    oct_tracer_input in = {
        .insns = insns, .n_insns = n, .accesses = accesses, .n_accesses = n_accesses};
    encode_batch(s, &in);
    return s->error ? fail_as(s, diag) : 0;
  }
  for (size_t i = 0; i < n; i++) {
    if (oct_packed_put(&s->packed, &s->at, &insns[i], accesses)) return no_memory(diag);
    accesses += insns[i].n_access;
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
  p->packs = n_threads || oct_tracer_value(p->tracer, p->values, OCT_ROLE_TIMESTAMP);
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
  oct_jobs_free(p->jobs);
  for (unsigned i = 0; p->segments && i < p->n_segments; i++) {
    put_segment *s = &p->segments[i];
    if (s->encoder) p->tracer->encoder.destroy(s->encoder);
    oct_buffer_free(&s->packed);
    for (unsigned c = 0; c < OCT_TRACE_CHANNELS; c++) oct_buffer_free(&s->channels[c]);
    free(s->updates);
    free(s->insns);
    free(s->accesses);
  }
  free(p->segments);
  free(p);
}
