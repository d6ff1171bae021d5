/* SPDX-License-Identifier: Apache-2.0 */
/* oct_cache_filter.c - what of a trace misses in first-level caches (oct_cache_filter.h).
 *
 * Every line that an instruction or access touches is looked up. Blocks that missed are noted in
 * the order of the look-ups, with the blocks that were written back; instructions and accesses that
 * missed make the batch that comes out. Room is made for the worst case of a batch before it
 * begins. */
#include "octrace/cache.h"

#include "oct_cache.h"
#include "oct_grow.h"

#include <stdlib.h>
#include <string.h>

#define NO_BLOCK UINT64_MAX

struct oct_cache_filter {
  oct_cache_filter_config config;
  oct_cache insn_cache, data_cache;
  oct_cache_counts insn_counts, data_counts;
  uint64_t last_fetched; /* block: it is in the cache and last used there */
  oct_insn *insns;
  oct_access *accesses;
  uint64_t *blocks;
  oct_trap *traps;
  size_t n_insns, n_accesses, n_blocks, room_insns, room_accesses, room_blocks, room_traps;
};

int oct_cache_filter_preset(const char *name, oct_cache_filter_config *config, oct_diag *diag) {
  static const oct_cache_config atc = {.size_bytes = 32768,
                                       .ways = 4,
                                       .line_bytes = 64,
                                       .repl = OCT_CACHE_LRU,
                                       .write_allocate = true};
  static const oct_cache_config vpc3 = {.size_bytes = 16384,
                                        .ways = 1,
                                        .line_bytes = 64,
                                        .repl = OCT_CACHE_LRU,
                                        .write_allocate = true};
  bool is_atc = !strcmp(name, "atc");
  if (!is_atc && strcmp(name, "vpc3"))
    return oct_fail(diag, OCT_ERR_ARG, "preset '%.60s': expected atc or vpc3", name);
  *config = (oct_cache_filter_config){.has_insn_cache = is_atc,
                                      .has_data_cache = true,
                                      .insn_cache = atc,
                                      .data_cache = is_atc ? atc : vpc3};
  return 0;
}

int oct_cache_filter_new(const oct_cache_filter_config *config, oct_cache_filter **filter,
                         oct_diag *diag) {
  *filter = NULL;
  if (!config->has_insn_cache && !config->has_data_cache)
    return oct_fail(diag, OCT_ERR_CONFIG, "cache: both are off: nothing would be left");
  oct_cache_filter *f = calloc(1, sizeof *f);
  if (!f) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  f->config = *config;
  f->last_fetched = NO_BLOCK;
  int error = 0;
  if (config->has_insn_cache) error = oct_cache_init(&f->insn_cache, &config->insn_cache, diag);
  if (!error && config->has_data_cache)
    error = oct_cache_init(&f->data_cache, &config->data_cache, diag);
  if (error) {
    oct_cache_filter_free(f);
    return error;
  }
  *filter = f;
  return 0;
}

void oct_cache_filter_free(oct_cache_filter *f) {
  if (!f) return;
  oct_cache_free(&f->insn_cache);
  oct_cache_free(&f->data_cache);
  free(f->insns);
  free(f->accesses);
  free(f->traps);
  free(f->blocks);
  free(f);
}

const oct_cache_counts *oct_cache_filter_insn_counts(const oct_cache_filter *f) {
  return &f->insn_counts;
}

const oct_cache_counts *oct_cache_filter_data_counts(const oct_cache_filter *f) {
  return &f->data_counts;
}

/* Room for n in an array of *room; what it held may be lost. */
static bool make_room(void **array, size_t *room, size_t n, size_t size) {
  if (n <= *room) return true;
  free(*array);
  *array = malloc(n * size);
  *room = *array ? n : 0;
  return *array != NULL;
}

/* Room for all that misses of n more lines, with their write-backs. */
static bool room_for_blocks(oct_cache_filter *f, size_t n) {
  uint64_t *grown = oct_grown(f->blocks, &f->room_blocks, f->n_blocks + 2 * n, sizeof *grown);
  if (!grown) return false;
  f->blocks = grown;
  return true;
}

/* Look up one line; there is room for its blocks. */
static inline bool look_up(oct_cache_filter *f, oct_cache *cache, oct_cache_counts *counts,
                           uint64_t block, bool is_store) {
  oct_cache_result r = oct_cache_access(cache, block, is_store);
  if (!r.miss) return false;
  counts->line_misses++;
  f->blocks[f->n_blocks++] = block << cache->line_log2;
  if (r.write_back) {
    counts->write_backs++;
    if (f->config.write_backs) f->blocks[f->n_blocks++] = r.evicted << cache->line_log2 | 1;
  }
  return true;
}

/* Look up the lines of [addr, addr + size_bytes), which may run over the end of the address space.
 * Whether one of them missed. */
static inline bool touch(oct_cache_filter *f, oct_cache *cache, oct_cache_counts *counts,
                         uint64_t addr, unsigned size_bytes, bool is_store) {
  uint64_t offset = addr & (cache->config.line_bytes - 1);
  uint64_t n_lines = ((offset + (size_bytes ? size_bytes : 1) - 1) >> cache->line_log2) + 1;
  bool missed = look_up(f, cache, counts, addr >> cache->line_log2, is_store);
  for (uint64_t k = 1; k < n_lines; k++)
    missed |=
        look_up(f, cache, counts, (addr + (k << cache->line_log2)) >> cache->line_log2, is_store);
  return missed;
}

static inline bool fetch(oct_cache_filter *f, const oct_insn *insn) {
  uint64_t block = insn->addr >> f->insn_cache.line_log2;
  uint64_t last = (insn->addr + insn->size_bytes - 1) >> f->insn_cache.line_log2;
  bool missed = false;
  if (block != f->last_fetched || last != block)
    missed = touch(f, &f->insn_cache, &f->insn_counts, insn->addr, insn->size_bytes, false);
  f->last_fetched = last;
  f->insn_counts.misses += missed;
  return missed;
}

static inline bool access_data(oct_cache_filter *f, const oct_access *a) {
  bool missed = touch(f, &f->data_cache, &f->data_counts, a->addr, a->size_bytes, a->is_store);
  f->data_counts.stores += a->is_store;
  f->data_counts.misses += missed;
  f->data_counts.store_misses += missed & a->is_store;
  return missed;
}

/* Keep an instruction, and its missed accesses from number `first` on. */
static void keep(oct_cache_filter *f, const oct_insn *insn, size_t first) {
  oct_insn *kept = &f->insns[f->n_insns++];
  *kept = *insn;
  kept->flags &= OCT_INSN_HAS_CYCLE;
  kept->n_access = (uint16_t)(f->n_accesses - first);
}

/* All traps stay, in place among what is kept: those before instruction number end. */
static void keep_traps(oct_cache_filter *f, const oct_batch *batch, size_t *trap, size_t end) {
  for (; *trap < batch->n_traps && batch->traps[*trap].insn < end; ++*trap) {
    f->traps[*trap] = batch->traps[*trap];
    f->traps[*trap].insn = (uint32_t)f->n_insns;
  }
}

/* Most lines that one instruction, and one access of up to 255 bytes, touches. */
static size_t lines_of(const oct_cache *cache, unsigned size_bytes) {
  return cache->config.line_bytes ? size_bytes / cache->config.line_bytes + 2 : 0;
}

int oct_cache_filter_put(oct_cache_filter *f, const oct_batch *batch, oct_filtered *missed) {
  const oct_access *a = batch->accesses;
  size_t fetch_lines = lines_of(&f->insn_cache, 15), access_lines = lines_of(&f->data_cache, 255);
  f->n_insns = f->n_accesses = f->n_blocks = 0;
  if (!make_room((void **)&f->insns, &f->room_insns, batch->n_insns + 1, sizeof *f->insns) ||
      !make_room((void **)&f->accesses, &f->room_accesses, batch->n_accesses + 1,
                 sizeof *f->accesses))
    return OCT_ERR_NOMEM;
  if (!make_room((void **)&f->traps, &f->room_traps, batch->n_traps + 1, sizeof *f->traps))
    return OCT_ERR_NOMEM;
  size_t trap = 0;
  for (size_t i = 0; i < batch->n_insns; i++) {
    const oct_insn *insn = &batch->insns[i];
    size_t first = f->n_accesses;
    keep_traps(f, batch, &trap, i + 1);
    if (!room_for_blocks(f, fetch_lines + access_lines * insn->n_access)) return OCT_ERR_NOMEM;
    bool fetch_missed = f->config.has_insn_cache && fetch(f, insn);
    if (f->config.has_data_cache)
      for (unsigned k = 0; k < insn->n_access; k++)
        if (access_data(f, &a[k])) f->accesses[f->n_accesses++] = a[k];
    a += insn->n_access;
    if (fetch_missed || f->n_accesses > first) keep(f, insn, first);
  }
  keep_traps(f, batch, &trap, batch->n_insns + 1);
  if (f->config.has_insn_cache) f->insn_counts.accesses += batch->n_insns;
  if (f->config.has_data_cache) f->data_counts.accesses += batch->n_accesses;
  *missed = (oct_filtered){.events = {.insns = f->insns,
                                      .n_insns = f->n_insns,
                                      .accesses = f->accesses,
                                      .n_accesses = f->n_accesses,
                                      .map = batch->map,
                                      .n_map = batch->n_map,
                                      .traps = f->traps,
                                      .n_traps = batch->n_traps},
                           .blocks = f->blocks,
                           .n_blocks = f->n_blocks};
  return 0;
}
