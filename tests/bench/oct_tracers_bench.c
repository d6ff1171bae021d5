/* SPDX-License-Identifier: Apache-2.0 */
/* oct_tracers_bench.c - speeds of encoding and decoding a trace in memory, of every tracer that
 * takes it at each of its named geometries, and of the cycle engine at the first of them. Usage:
 * oct_tracers_bench TRACE [TRACER]. Each is the best of several runs, in processor time of one
 * core; every stream is decoded to the end. */
#include <inttypes.h>

#include "memory_trace.h"
#include "octrace/tracer.h"

static int fails(const char *what, const oct_tracer *t, const oct_diag *diag) {
  fprintf(stderr, "oct_tracers_bench: %s: %s: %s\n", t->name, what, oct_diag_line(diag).text);
  exit(1);
}

static const oct_run_options untimed = {.engine = OCT_ENGINE_UNTIMED};
static const oct_run_options cycle = {
    .engine = OCT_ENGINE_CYCLE, .arrival = OCT_ARRIVAL_FULL, .cpi_milli = 1000, .seed = 1};

/* The counter `cycles` of an encoder, which has a cycle engine. */
static uint64_t cycles_of(const oct_tracer *t, const void *encoder) {
  uint64_t values[OCT_TRACER_COUNTERS_MAX];
  unsigned i = 0;
  t->encoder.counters(encoder, values);
  while (i < t->n_counters && strcmp(t->counters[i].name, "cycles")) i++;
  return i < t->n_counters ? values[i] : 0;
}

/* One run of an encoder. Keeps the bytes when keep is set. Returns the seconds it took. */
static double encode(memory_trace *m, const oct_tracer *t, const uint32_t *params,
                     const oct_run_options *run, int keep, uint64_t *cycles) {
  const uint8_t *bytes;
  oct_diag diag = {0};
  void *e;
  oct_tracer_input in = {.insns = m->insns,
                         .accesses = m->accesses,
                         .updates = m->updates,
                         .facts = m->facts,
                         .values = m->n_values ? m->values : NULL};
  double start = now();
  if (t->encoder.create(params, run, &e, &diag)) fails("create", t, &diag);
  for (size_t i = 0; i < m->n_chunks; i++) {
    const memory_chunk *c = &m->chunks[i];
    in.n_insns = c->n_insns;
    in.n_accesses = c->n_accesses;
    in.n_updates = c->n_updates;
    in.n_facts = c->n_facts;
    in.n_values = c->n_values;
    if (t->encoder.put(e, &in, &diag)) fails("put", t, &diag);
    if (i + 1 == m->n_chunks && t->encoder.flush(e, &diag)) fails("flush", t, &diag);
    size_t n_bytes = t->encoder.take(e, &bytes);
    if (keep) append(&m->bits, &m->n_bits, bytes, n_bytes, 1);
    in.insns += c->n_insns;
    in.accesses += c->n_accesses;
    in.updates += c->n_updates;
    in.facts += c->n_facts;
    if (in.values) in.values += c->n_values;
  }
  double seconds = now() - start;
  if (cycles) *cycles = cycles_of(t, e);
  t->encoder.destroy(e);
  return seconds;
}

static double decode(const memory_trace *m, const oct_tracer *t, const uint32_t *params) {
  oct_decoded out;
  oct_decoder_counts counts;
  oct_diag diag = {0};
  void *d;
  int rc;
  double start = now();
  if (t->decoder.create(params, OCT_START_IN_STEP, &d, &diag)) fails("create", t, &diag);
  if (t->decoder.map(d, m->updates, m->n_updates, &diag)) fails("map", t, &diag);
  for (size_t i = 0; i <= m->n_bits; i += CHUNK_INSNS) {
    size_t n = m->n_bits - i < CHUNK_INSNS ? m->n_bits - i : CHUNK_INSNS;
    if (t->decoder.push(d, m->bits + i, n, &diag)) fails("push", t, &diag);
    if (i + n == m->n_bits) t->decoder.finish(d);
    while ((rc = t->decoder.next(d, &out, &diag)) > 0) continue;
    if (rc < 0) fails("next", t, &diag);
  }
  double seconds = now() - start;
  t->decoder.counts(d, &counts);
  if (counts.insns != m->n_insns) fails("decoded less", t, &diag);
  t->decoder.destroy(d);
  return seconds;
}

static void measure(memory_trace *m, const oct_tracer *t, unsigned g) {
  const char *geometry = t->geometries[g].name;
  const bool has_cycles = t->has_cycle_engine && g == 0;
  uint32_t params[OCT_TRACER_PARAMS_MAX];
  bool given[OCT_TRACER_PARAMS_MAX] = {false};
  double best[3] = {1e9, 1e9, 1e9}, n = (double)m->n_insns * 1e-6;
  oct_diag diag = {0};
  char name[64];
  uint64_t cycles = 0;
  oct_tracer_defaults(t, params);
  if (oct_tracer_parse(t, geometry, params, given, &diag)) fails("parameters", t, &diag);
  if (oct_tracer_fit(t, params, given, m->isa[0] ? m->isa : NULL, m->addr_bits, m->insn_align_bytes,
                     &diag))
    return; /* not of this instruction set */
  m->n_bits = 0;
  for (int i = 0; i < RUNS; i++) {
    double s = encode(m, t, params, &untimed, i == 0, NULL);
    if (s < best[0]) best[0] = s;
    s = decode(m, t, params);
    if (s < best[1]) best[1] = s;
    if (!has_cycles) continue;
    s = encode(m, t, params, &cycle, 0, &cycles);
    if (s < best[2]) best[2] = s;
  }
  snprintf(name, sizeof name, "%s %s", t->name, geometry);
  printf("  %-22s encode %8.1f M instructions/s\n", name, n / best[0]);
  printf("  %-22s decode %8.1f M instructions/s\n", name, n / best[1]);
  if (has_cycles)
    printf("  %-22s model  %8.1f M cycles/s\n", name, (double)cycles * 1e-6 / best[2]);
}

int main(int argc, char **argv) {
  memory_trace m;
  oct_diag diag = {0};
  if (argc < 2 || argc > 3) {
    fputs("Usage: oct_tracers_bench TRACE [TRACER]\n", stderr);
    return 2;
  }
  if (load(&m, argv[1], &diag) < 0) {
    fprintf(stderr, "oct_tracers_bench: %s\n", oct_diag_line(&diag).text);
    return 4;
  }
  printf("%s: %.2f M instructions, %.2f M accesses\n", argv[1], (double)m.n_insns * 1e-6,
         (double)m.n_accesses * 1e-6);
  for (unsigned i = 0; oct_tracer_at(i); i++)
    for (unsigned g = 0; g < oct_tracer_at(i)->n_geometries; g++)
      if (argc < 3 || !strcmp(argv[2], oct_tracer_at(i)->name)) measure(&m, oct_tracer_at(i), g);
  free_trace(&m);
  return 0;
}
