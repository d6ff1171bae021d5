/* SPDX-License-Identifier: Apache-2.0 */
/* oct_cache_bench.c - speeds of the cache filter, of stack distances and of the address predictor,
 * in processor time of one core. Usage: oct_cache_bench */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "octrace/cache.h"

#include "../test_random.h"

enum { INSNS = 65536, ROUNDS = 200, ADDRS = 2000000, CHUNK = 8192 };

static void tell(const char *what, clock_t start, double n) {
  double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
  printf("%-44s %8.1f M/s\n", what, n * 1e-6 / seconds);
}

static void *must(void *p) {
  if (!p) exit(1);
  return p;
}

/* Instructions in runs of 8, and an access for each, within so many bytes. */
static void bench_filter(const char *what, uint64_t data_bytes) {
  oct_insn *insns = must(calloc(INSNS, sizeof *insns));
  oct_access *accesses = must(calloc(INSNS, sizeof *accesses));
  oct_batch batch = {insns, INSNS, accesses, INSNS, NULL, 0, NULL, 0, NULL, 0, NULL, 0};
  oct_cache_filter_config config;
  oct_cache_filter *filter;
  oct_filtered missed;
  for (size_t i = 0; i < INSNS; i++) {
    uint64_t pc = i % 8 ? insns[i - 1].addr + 4 : below(16384) & ~UINT64_C(3);
    insns[i] = (oct_insn){.addr = pc, .size_bytes = 4, .n_access = 1};
    accesses[i] = (oct_access){.addr = below(data_bytes) & ~UINT64_C(7), .size_bytes = 8};
    accesses[i].is_store = below(2);
  }
  if (oct_cache_filter_preset("atc", &config, NULL) || oct_cache_filter_new(&config, &filter, NULL))
    exit(1);
  clock_t start = clock();
  for (int i = 0; i < ROUNDS; i++)
    if (oct_cache_filter_put(filter, &batch, &missed)) exit(1);
  tell(what, start, 2.0 * INSNS * ROUNDS);
  oct_cache_filter_free(filter);
  free(insns);
  free(accesses);
}

static void bench_fidelity(const char *what, uint64_t n_blocks, uint32_t last_sets) {
  oct_fidelity_config config = oct_fidelity_defaults;
  uint64_t *addrs = must(malloc(ADDRS * sizeof *addrs)), at = 0;
  oct_fidelity *f;
  config.last_sets = last_sets;
  for (size_t i = 0; i < ADDRS; i++) {
    at = below(4) ? at + 1 : below(n_blocks);
    addrs[i] = at % n_blocks * 64;
  }
  if (oct_fidelity_new(&config, &f, NULL)) exit(1);
  clock_t start = clock();
  for (size_t i = 0; i < ADDRS; i += CHUNK)
    if (oct_fidelity_put(f, addrs + i, ADDRS - i < CHUNK ? ADDRS - i : CHUNK)) exit(1);
  tell(what, start, ADDRS);
  oct_fidelity_free(f);
  free(addrs);
}

int main(void) {
  bench_filter("filter, references, all hit", 16384);
  bench_filter("filter, references, 1/3 of the data misses", 49152);
  bench_filter("filter, references, all data misses", 1u << 28);
  bench_fidelity("fidelity, addresses in 1 MB, 2..512 K sets", 1 << 14, 524288);
  bench_fidelity("fidelity, addresses in 256 MB, 2..512 K sets", 1 << 22, 524288);
  return 0;
}
