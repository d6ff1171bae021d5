/* SPDX-License-Identifier: Apache-2.0 */
/* oct_bench.c - speeds of compressing, modelling cycle by cycle, and decoding a trace in memory.
 * Usage: oct_bench TRACE. Each is the best of several runs, in processor time of one core. */
#include <inttypes.h>

#include "memory_trace.h"
#include "oct_compressor.h"
#include "oct_decoder.h"
#include "oct_sweep.h"

/* One run of the compressor. Keeps the bits when keep is set. Returns the seconds it took. */
static double compress(memory_trace *t, const oct_config *cfg, const oct_run_options *options,
                       int keep, oct_stats *stats) {
  oct_compressor *c;
  const uint8_t *bytes;
  const oct_access *access = t->accesses;
  oct_diag diag = {0};
  int error = oct_compressor_new(cfg, options, &c, &diag);
  double start = now();
  for (size_t i = 0; !error && i < t->n_insns; i += CHUNK_INSNS) {
    size_t n = t->n_insns - i < CHUNK_INSNS ? t->n_insns - i : CHUNK_INSNS;
    error = oct_compressor_put(c, t->insns + i, n, access, &diag);
    for (size_t k = i; k < i + n; k++) access += t->insns[k].n_access;
    size_t n_bytes = oct_compressor_take(c, &bytes);
    if (keep) append(&t->bits, &t->n_bits, bytes, n_bytes, 1);
  }
  if (!error) error = oct_compressor_flush(c, &diag);
  if (error) {
    fprintf(stderr, "oct_bench: %s\n", oct_diag_line(&diag).text);
    exit(1);
  }
  size_t n_bytes = oct_compressor_take(c, &bytes);
  double seconds = now() - start;
  if (keep) append(&t->bits, &t->n_bits, bytes, n_bytes, 1);
  *stats = *oct_compressor_stats(c);
  oct_compressor_free(c);
  return seconds;
}

static double decode(const memory_trace *t, const oct_config *cfg) {
  oct_decoder *d;
  oct_decoded run;
  oct_decoder_counts counts;
  oct_diag diag = {0};
  int got = 0, error = oct_decoder_new(cfg, OCT_START_IN_STEP, &d, &diag);
  double start = now();
  if (!error) error = oct_decoder_map(d, t->updates, t->n_updates, &diag);
  for (size_t i = 0; !error && i <= t->n_bits; i += CHUNK_INSNS) {
    size_t n = t->n_bits - i < CHUNK_INSNS ? t->n_bits - i : CHUNK_INSNS;
    error = oct_decoder_push(d, t->bits + i, n, &diag);
    if (t->n_bits - i <= CHUNK_INSNS) oct_decoder_finish(d);
    while (!error && (got = oct_decoder_next(d, &run, &diag)) > 0) continue;
    if (got < 0) error = got;
  }
  double seconds = now() - start;
  oct_decoder_get_counts(d, &counts);
  if (error || counts.insns != t->n_insns) {
    fprintf(stderr, "oct_bench: decoded %" PRIu64 " of %zu: %s\n", counts.insns, t->n_insns,
            oct_diag_line(&diag).text);
    exit(1);
  }
  oct_decoder_free(d);
  return seconds;
}

/* The 24 stream caches of Table 2, the 6 DASCs of Table 4, the N-tuples of Table 3 (Milenković
 * 2007). */
static size_t table_geometries(const oct_config *base, oct_config *cfgs) {
  size_t n = 0;
  for (uint32_t entries = 8; entries <= 256; entries *= 2) {
    for (uint32_t ways = 1; ways <= 8; ways *= 2) {
      cfgs[n] = *base;
      cfgs[n].ntuple_n = 0;
      cfgs[n].sc_sets = entries / ways;
      cfgs[n++].sc_ways = ways;
    }
  }
  for (uint32_t entries = 32; entries <= 1024; entries *= 2) {
    cfgs[n] = *base;
    cfgs[n++].dasc_entries = entries;
  }
  return n;
}

/* One sweep of n geometries. Returns the seconds it took. */
static double sweep(const memory_trace *t, const oct_config *cfgs, size_t n_cfgs) {
  oct_sweep *s;
  oct_diag diag = {0};
  double start = now();
  int error = oct_sweep_new(cfgs, n_cfgs, &s, &diag);
  if (!error) error = oct_sweep_put(s, t->insns, t->n_insns, t->accesses, &diag);
  if (!error) error = oct_sweep_flush(s, &diag);
  if (error) {
    fprintf(stderr, "oct_bench: %s\n", oct_diag_line(&diag).text);
    exit(1);
  }
  double seconds = now() - start;
  oct_sweep_free(s);
  return seconds;
}

int main(int argc, char **argv) {
  memory_trace t;
  oct_diag diag = {0};
  const oct_run_options cycle = {
      .engine = OCT_ENGINE_CYCLE, .arrival = OCT_ARRIVAL_FULL, .cpi_milli = 1000, .seed = 1};
  oct_stats stats = {0}, untimed = {0};
  double best[4] = {1e9, 1e9, 1e9, 1e9};
  oct_config cfg, cfgs[30];
  if (argc != 2) {
    fputs("Usage: oct_bench TRACE\n", stderr);
    return 2;
  }
  if (load(&t, argv[1], &diag) < 0) {
    fprintf(stderr, "oct_bench: %s\n", oct_diag_line(&diag).text);
    return 4;
  }
  oct_config_init(&cfg);
  cfg.addr_bits = t.addr_bits;
  cfg.pc_align_bits = t.insn_align_bytes >= 4 ? 2 : 0;
  size_t n_cfgs = table_geometries(&cfg, cfgs);
  for (int i = 0; i < RUNS; i++) {
    double s = compress(&t, &cfg, NULL, i == 0, &untimed);
    if (s < best[0]) best[0] = s;
    s = compress(&t, &cfg, &cycle, 0, &stats);
    if (s < best[1]) best[1] = s;
    s = decode(&t, &cfg);
    if (s < best[2]) best[2] = s;
    s = sweep(&t, cfgs, n_cfgs);
    if (s < best[3]) best[3] = s;
  }
  double n = (double)t.n_insns * 1e-6;
  printf("%s: %.2f M instructions, %.2f M accesses\n", argv[1], n, (double)t.n_accesses * 1e-6);
  printf("  untimed compression %8.1f M instructions/s\n", n / best[0]);
  printf("  cycle model         %8.1f M cycles/s\n", (double)stats.cycles * 1e-6 / best[1]);
  printf("  decoding            %8.1f M instructions/s\n", n / best[2]);
  printf("  sweep of %zu         %8.1f M instructions/s, %.2f times one compression\n", n_cfgs,
         n / best[3], best[3] / best[0]);
  printf("  octrace    ratio %8.2f (port bits, instructions and data)\n",
         32 * (double)(t.n_insns + t.n_accesses) / (double)oct_stats_port_bits(&untimed));
  free_trace(&t);
  return 0;
}
