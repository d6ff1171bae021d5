/* SPDX-License-Identifier: Apache-2.0 */
/* oct_cache.c - one set-associative cache: look-up, replacement, and its configuration in words.
 *
 * A line is one word: block number and dirty bit, or a number that no block has. With LRU and FIFO
 * the ways of a set stand in the order of their age, so that a victim is the last; PLRU keeps a
 * tree of bits a set (oct_plru.h), random a xorshift generator. */
#include "oct_cache.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oct_plru.h"

#define EMPTY UINT64_MAX

/* Any number but 0, at which a xorshift generator stays. */
#define RANDOM_START UINT64_C(0x9E3779B97F4A7C15)

static const char *const repl_names[] = {"lru", "fifo", "plru", "random"};
enum { N_REPL = sizeof repl_names / sizeof *repl_names };

static bool is_power(uint64_t v) {
  return v && !(v & (v - 1));
}

static int check(const oct_cache_config *c, oct_diag *diag) {
  if (!is_power(c->line_bytes) || c->line_bytes < OCT_CACHE_LINE_BYTES_MIN ||
      c->line_bytes > OCT_CACHE_LINE_BYTES_MAX)
    return oct_fail(diag, OCT_ERR_CONFIG,
                    "cache: line=%" PRIu32 ": expected a power of two from %d to %d", c->line_bytes,
                    OCT_CACHE_LINE_BYTES_MIN, OCT_CACHE_LINE_BYTES_MAX);
  if (!c->ways || c->ways > OCT_CACHE_WAYS_MAX)
    return oct_fail(diag, OCT_ERR_CONFIG, "cache: ways=%" PRIu32 ": expected 1 to %d", c->ways,
                    OCT_CACHE_WAYS_MAX);
  if (c->repl == OCT_CACHE_PLRU && !is_power(c->ways))
    return oct_fail(diag, OCT_ERR_CONFIG,
                    "cache: ways=%" PRIu32 ": expected a power of two for repl=plru", c->ways);
  uint64_t way_bytes = (uint64_t)c->ways * c->line_bytes;
  if (c->size_bytes % way_bytes || !is_power(c->size_bytes / way_bytes) ||
      c->size_bytes > OCT_CACHE_SIZE_BYTES_MAX)
    return oct_fail(diag, OCT_ERR_CONFIG,
                    "cache: size=%" PRIu64 ": expected ways * line (%" PRIu64
                    ") times a power of two, at most 1024M",
                    c->size_bytes, way_bytes);
  return 0;
}

int oct_cache_init(oct_cache *c, const oct_cache_config *config, oct_diag *diag) {
  memset(c, 0, sizeof *c);
  int error = check(config, diag);
  if (error) return error;
  size_t n_lines = (size_t)(config->size_bytes / config->line_bytes);
  c->config = *config;
  c->set_mask = n_lines / config->ways - 1;
  while (1u << c->line_log2 < config->line_bytes) c->line_log2++;
  c->random = RANDOM_START;
  c->lines = malloc(n_lines * sizeof *c->lines);
  if (config->repl == OCT_CACHE_PLRU) c->plru = calloc(n_lines / config->ways, sizeof *c->plru);
  if (!c->lines || (config->repl == OCT_CACHE_PLRU && !c->plru)) {
    oct_cache_free(c);
    return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  }
  memset(c->lines, 0xff, n_lines * sizeof *c->lines);
  return 0;
}

void oct_cache_free(oct_cache *c) {
  free(c->lines);
  free(c->plru);
  c->lines = c->plru = NULL;
}

/* xorshift64, shifts 13, 7, 17 (Marsaglia 2003). */
static uint32_t random_way(oct_cache *c) {
  c->random ^= c->random << 13;
  c->random ^= c->random >> 7;
  c->random ^= c->random << 17;
  return (uint32_t)((c->random >> 32) % c->config.ways);
}

/* The way that a new block goes to, after what must move for it: an empty one if there is one. */
static uint32_t make_room(oct_cache *c, uint64_t *set, const uint64_t *plru) {
  uint32_t ways = c->config.ways;
  if (c->config.repl == OCT_CACHE_LRU || c->config.repl == OCT_CACHE_FIFO) {
    uint64_t last = set[ways - 1];
    memmove(set + 1, set, (ways - 1) * sizeof *set);
    set[0] = last;
    return 0;
  }
  for (uint32_t way = 0; way < ways; way++)
    if (set[way] == EMPTY) return way;
  return plru ? oct_plru_victim(*plru, ways) : random_way(c);
}

oct_cache_result oct_cache_search(oct_cache *c, uint64_t block, bool is_store) {
  oct_cache_result result = {true, false, 0};
  size_t number = (size_t)(block & c->set_mask);
  uint32_t ways = c->config.ways, way = 0;
  uint64_t *set = c->lines + number * ways, *plru = c->plru ? c->plru + number : NULL;
  while (way < ways && set[way] >> 1 != block) way++;
  result.miss = way == ways;
  if (result.miss) {
    if (is_store && !c->config.write_allocate) return result;
    way = make_room(c, set, plru);
    result.write_back = set[way] != EMPTY && (set[way] & 1);
    result.evicted = set[way] >> 1;
    set[way] = block << 1;
  } else if (c->config.repl == OCT_CACHE_LRU) {
    uint64_t found = set[way];
    for (; way; way--) set[way] = set[way - 1];
    set[0] = found;
  }
  set[way] |= is_store;
  if (plru) *plru = oct_plru_use(*plru, ways, way);
  return result;
}

/* A decimal number with K or M behind it, up to 2^40; false for anything else. */
static bool parse_number(const char *text, size_t n, uint64_t *value) {
  size_t i = 0;
  *value = 0;
  for (; i < n && text[i] >= '0' && text[i] <= '9' && *value < UINT64_C(1) << 36; i++)
    *value = 10 * *value + (uint64_t)(text[i] - '0');
  if (!i) return false;
  unsigned shift = i == n ? 0 : text[i] == 'K' ? 10 : text[i] == 'M' ? 20 : 64;
  if (shift) i++;
  if (i != n || shift == 64 || *value > UINT64_C(1) << (40 - shift)) return false;
  *value <<= shift;
  return true;
}

static bool is(const char *word, const char *text, size_t n) {
  return strlen(word) == n && !memcmp(word, text, n);
}

/* One `name=value`, of n bytes, whose value begins at [value]. */
static bool parse_setting(const char *text, size_t value, size_t n, oct_cache_config *c) {
  const char *v = text + value;
  size_t name_bytes = value - 1;
  uint64_t number;
  n -= value;
  if (is("repl", text, name_bytes)) {
    for (unsigned i = 0; i < N_REPL; i++)
      if (is(repl_names[i], v, n)) return c->repl = (oct_cache_repl)i, true;
    return false;
  }
  if (is("allocate", text, name_bytes)) {
    c->write_allocate = is("yes", v, n);
    return c->write_allocate || is("no", v, n);
  }
  if (!parse_number(v, n, &number)) return false;
  if (is("size", text, name_bytes)) return c->size_bytes = number, true;
  if (number > UINT32_MAX) return false;
  if (is("ways", text, name_bytes)) return c->ways = (uint32_t)number, true;
  if (is("line", text, name_bytes)) return c->line_bytes = (uint32_t)number, true;
  return false;
}

int oct_cache_config_parse(const char *text, oct_cache_config *config, oct_diag *diag) {
  for (;;) {
    size_t n = strcspn(text, ","), equals = strcspn(text, "=,");
    if (text[equals] != '=' || !parse_setting(text, equals + 1, n, config))
      return oct_fail(diag, OCT_ERR_ARG,
                      "cache: '%.*s': expected size=BYTES, ways=N, line=BYTES, "
                      "repl=lru|fifo|plru|random or allocate=yes|no",
                      n > 60 ? 60 : (int)n, text);
    if (!text[n]) return 0;
    text += n + 1;
  }
}

void oct_cache_config_print(const oct_cache_config *c, char *text, size_t n) {
  const char *unit = c->size_bytes % 1024 ? "" : "K";
  snprintf(text, n, "size=%" PRIu64 "%s,ways=%" PRIu32 ",line=%" PRIu32 ",repl=%s,allocate=%s",
           *unit ? c->size_bytes / 1024 : c->size_bytes, unit, c->ways, c->line_bytes,
           repl_names[c->repl], c->write_allocate ? "yes" : "no");
}
