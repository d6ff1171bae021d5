/* SPDX-License-Identifier: Apache-2.0 */
/* oct_segment_get.c - port streams of the tracer `shadow` back to the segments of a trace.
 *
 * Without threads a segment is decoded as its instructions are asked for. With threads the whole of
 * it is decoded into packed form, while the one before is read. */
#include "oct_jobs.h"
#include "oct_packed_insns.h"
#include "oct_shadow_segments.h"
#include "octrace/tracer.h"

/* So far before its instruction the decoder is given a change of the map, so that it does not keep
 * all of them, too: more than a batch of it. */
enum { UPDATES_AHEAD_INSNS = 16384 };

typedef struct get_segment {
  oct_segment_get *owner;
  oct_trace_segment in;
  void *decoder;
  oct_packed_at decoded_at;
  oct_batch batch; /* decoded last */
  uint64_t n_decoded;
  size_t at_update; /* to be given next */
  bool is_decoded;  /* to its end, or to an error */
  int error;
  oct_diag diag;
  oct_buffer packed; /* with threads */
  /* The reading side: */
  size_t at_byte; /* of what is packed, */
  oct_packed_at at;
  oct_insn insn;
  size_t at_insn, at_access; /* or of the batch */
} get_segment;

struct oct_segment_get {
  const oct_tracer *tracer;
  uint32_t values[OCT_TRACER_PARAMS_MAX];
  oct_jobs *jobs;
  unsigned n_threads, n_segments, oldest, n_there;
  get_segment *segments; /* a ring */
};

static int no_memory(oct_diag *diag) {
  return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
}

/* ---- Decoding: one segment, on any thread ---- */

static int open_decoder(get_segment *s) {
  const oct_tracer_decoder *t = &s->owner->tracer->decoder;
  int error = t->create(s->owner->values, OCT_START_IN_STEP, &s->decoder, &s->diag);
  if (!error) error = t->push(s->decoder, s->in.stream.bytes, s->in.stream.n_bytes, &s->diag);
  if (!error) t->finish(s->decoder);
  return error;
}

static int give_updates(get_segment *s) {
  const size_t first = s->at_update;
  while (s->at_update < s->in.n_updates &&
         s->in.updates[s->at_update].from_insn <= s->n_decoded + UPDATES_AHEAD_INSNS)
    s->at_update++;
  return s->at_update == first ? 0
                               : s->owner->tracer->decoder.map(s->decoder, s->in.updates + first,
                                                               s->at_update - first, &s->diag);
}

/* The next batch that has instructions, if there is one. */
static void decode_batch(get_segment *s) {
  s->batch.n_insns = s->at_insn = s->at_access = 0;
  if (!s->decoder) s->error = open_decoder(s);
  while (!s->error && !s->is_decoded && !s->batch.n_insns) {
    oct_decoded out;
    if ((s->error = give_updates(s))) break;
    int r = s->owner->tracer->decoder.next(s->decoder, &out, &s->diag);
    if (r <= 0) {
      s->error = r;
      s->is_decoded = true;
      break;
    }
    s->batch = out.batch;
    s->n_decoded += out.batch.n_insns;
    if (s->n_decoded > s->in.n_insns)
      s->error = oct_fail(&s->diag, OCT_ERR_FORMAT, "the stream goes on after its segment");
    else if (out.is_gap)
      s->error = oct_fail(&s->diag, OCT_ERR_FORMAT, "the stream of a segment reports a loss");
  }
  if (!s->error) return;
  s->is_decoded = true;
  s->batch.n_insns = 0;
}

static void pack_batch(get_segment *s) {
  const oct_access *accesses = s->batch.accesses;
  for (size_t i = 0; !s->error && i < s->batch.n_insns; i++) {
    const oct_insn *insn = &s->batch.insns[i];
    if (oct_packed_put(&s->packed, &s->decoded_at, insn, accesses)) s->error = no_memory(&s->diag);
    accesses += insn->n_access;
  }
  s->batch.n_insns = 0;
}

static void close_decoder(get_segment *s) {
  if (s->decoder) s->owner->tracer->decoder.destroy(s->decoder);
  s->decoder = NULL;
}

/* A decoder's map is large: it does not wait until the segment was read. */
static void decode_all(void *arg) {
  get_segment *s = arg;
  while (!s->error && !s->is_decoded) {
    decode_batch(s);
    pack_batch(s);
  }
  s->is_decoded = true;
  close_decoder(s);
}

/* ---- The ring of segments ---- */

unsigned oct_shadow_get_ahead(const oct_segment_get *g) {
  return g->n_segments - g->n_there;
}

int oct_shadow_get_add(oct_segment_get *g, oct_trace_segment *segment, oct_diag *diag) {
  get_segment *s = &g->segments[(g->oldest + g->n_there) % g->n_segments];
  oct_buffer packed = s->packed;
  packed.n_bytes = 0;
  *s = (get_segment){.owner = g, .in = *segment, .packed = packed};
  *segment = (oct_trace_segment){0};
  g->n_there++;
  if (g->n_threads && oct_jobs_add(g->jobs, decode_all, s)) return no_memory(diag);
  return 0;
}

/* Nothing more comes from the segment that is being read. */
static int fail_early(get_segment *s, oct_diag *diag) {
  if (!s->error)
    s->error = oct_fail(&s->diag, OCT_ERR_FORMAT, "the stream ends before its segment");
  if (diag) *diag = s->diag;
  return s->error;
}

static int get_packed(get_segment *s, const oct_insn **insn, const uint8_t **addrs,
                      oct_diag *diag) {
  if (!s->at_byte) oct_jobs_wait_for(s->owner->jobs, s);
  if (s->at_byte == s->packed.n_bytes) return fail_early(s, diag);
  const uint8_t *p = s->packed.bytes + s->at_byte;
  oct_packed_get(&p, &s->at, &s->insn);
  *insn = &s->insn;
  *addrs = p;
  s->at_byte = (size_t)(p - s->packed.bytes) + 8 * (size_t)s->insn.n_access;
  return 0;
}

int oct_shadow_get_insn(oct_segment_get *g, const oct_insn **insn, const uint8_t **addrs,
                        oct_diag *diag) {
  get_segment *s = &g->segments[g->oldest];
  if (g->n_threads) return get_packed(s, insn, addrs, diag);
  if (s->at_insn == s->batch.n_insns) {
    decode_batch(s);
    if (!s->batch.n_insns) return fail_early(s, diag);
  }
  *insn = &s->batch.insns[s->at_insn++];
  *addrs = (const uint8_t *)(s->batch.accesses + s->at_access);
  s->at_access += (*insn)->n_access;
  return 0;
}

size_t oct_shadow_get_stride(const oct_segment_get *g) {
  return g->n_threads ? 8 : sizeof(oct_access);
}

static void let_go(get_segment *s) {
  close_decoder(s);
  oct_buffer_free(&s->in.stream);
  free(s->in.updates);
  s->in.updates = NULL;
}

void oct_shadow_get_drop(oct_segment_get *g) {
  oct_jobs_wait_for(g->jobs, &g->segments[g->oldest]);
  let_go(&g->segments[g->oldest]);
  g->oldest = (g->oldest + 1) % g->n_segments;
  g->n_there--;
}

int oct_shadow_get_end(oct_segment_get *g, oct_diag *diag) {
  get_segment *s = &g->segments[g->oldest];
  oct_jobs_wait_for(g->jobs, s);
  while (!s->is_decoded) decode_batch(s);
  if (s->error) {
    if (diag) *diag = s->diag;
    return s->error;
  }
  oct_shadow_get_drop(g);
  return 0;
}

int oct_shadow_get_new(const oct_codec_settings *settings, unsigned n_threads,
                       oct_segment_get **get, oct_diag *diag) {
  oct_segment_get *g = calloc(1, sizeof *g);
  *get = NULL;
  if (!g) return no_memory(diag);
  g->tracer = oct_tracer_find("shadow");
  g->n_threads = n_threads;
  g->n_segments = n_threads + 1;
  g->segments = calloc(g->n_segments, sizeof *g->segments);
  g->jobs = oct_jobs_new(n_threads);
  int error = g->segments && g->jobs ? 0 : no_memory(diag);
  oct_tracer_defaults(g->tracer, g->values);
  if (!error && oct_tracer_parse(g->tracer, settings->option_text, g->values, NULL, diag))
    error = OCT_ERR_FORMAT;
  if (error) {
    oct_shadow_get_free(g);
    return error;
  }
  *get = g;
  return 0;
}

void oct_shadow_get_free(oct_segment_get *g) {
  if (!g) return;
  oct_jobs_free(g->jobs);
  for (unsigned i = 0; g->segments && i < g->n_segments; i++) {
    let_go(&g->segments[i]);
    oct_buffer_free(&g->segments[i].packed);
  }
  free(g->segments);
  free(g);
}
