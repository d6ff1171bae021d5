/* SPDX-License-Identifier: Apache-2.0 */
/* oct_vpc_engine.c - the tables of a field, the selection of predictors, and the kernels for any
 * specification (oct_vpc_engine.h).
 *
 * Where several predictors are right, the code is that of the one that was right most often so far;
 * the order is kept by letting a predictor rise past its neighbour when its count is higher. Tables
 * are one block of memory a field, each table aligned to the lines of the host. */
#include "oct_vpc_engine.h"

#include <sys/mman.h>

#define LARGE_PAGE_BYTES ((size_t)2 << 20)

void *oct_vpc_alloc(size_t n_bytes) {
  void *p = mmap(NULL, n_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED) return NULL;
  /* Random accesses to 26 MB of small pages would miss the TLB most of the time. */
  if (n_bytes >= LARGE_PAGE_BYTES) madvise(p, n_bytes, MADV_HUGEPAGE);
  return p;
}

void oct_vpc_release(void *p, size_t n_bytes) {
  if (p) munmap(p, n_bytes);
}

static size_t element_bytes(const oct_vpc_spec *spec) {
  return spec->value_bytes == 8 ? 8 : 4;
}

static size_t round64(size_t n) {
  return (n + 63) & ~(size_t)63;
}

/* A line: kept values, hashes, hashes of strides; a multiple of 8 bytes. */
static size_t line_bytes(const oct_vpc_spec *spec) {
  size_t n = spec->n_kept * element_bytes(spec) + 4 * ((size_t)spec->n_hashes + spec->n_strides);
  return (n + 7) & ~(size_t)7;
}

/* A field of one line has room for the longest, so that kernels copy it as a whole. */
static size_t first_level_bytes(const oct_vpc_spec *spec) {
  return spec->l1_log2 ? line_bytes(spec) << spec->l1_log2 : 8 * (size_t)OCT_VPC_LINE_WORDS;
}

static size_t table_bytes(const oct_vpc_spec *spec, unsigned t) {
  return ((size_t)spec->tables[t].depth * element_bytes(spec)) << spec->tables[t].lines_log2;
}

size_t oct_vpc_bytes(const oct_vpc_spec *spec) {
  size_t n = round64(first_level_bytes(spec));
  for (unsigned t = 0; t < spec->n_tables; t++) n += round64(table_bytes(spec, t));
  return n;
}

void oct_vpc_field_init(oct_vpc_field *field, const oct_vpc_spec *spec, uint8_t *p) {
  field->line_bytes = (uint32_t)line_bytes(spec);
  field->lines = p;
  p += round64(first_level_bytes(spec));
  for (unsigned t = 0; t < spec->n_tables; t++) {
    field->tables[t] = p;
    p += round64(table_bytes(spec, t));
  }
  oct_vpc_selector_init(&field->selector, spec->n_codes);
}

static void permute(oct_vpc_selector *s) {
  for (unsigned byte = 0; byte < 4; byte++)
    for (unsigned bit = 0; bit < 8; bit++) {
      unsigned code = 8 * byte + bit;
      uint32_t rank = code < s->n_codes ? (uint32_t)1 << s->position[code] : 0;
      /* Masks whose highest bit is this one are those below it, and the bit. */
      for (unsigned low = 0; low < 1u << bit; low++)
        s->permuted[byte][low | 1u << bit] = s->permuted[byte][low] | rank;
    }
}

void oct_vpc_selector_init(oct_vpc_selector *s, unsigned n_codes) {
  memset(s, 0, sizeof *s);
  s->n_codes = n_codes;
  for (unsigned i = 0; i < n_codes; i++) s->rank[i] = s->position[i] = (uint8_t)i;
  permute(s);
}

void oct_vpc_selector_rise(oct_vpc_selector *s, unsigned code) {
  unsigned place = s->position[code], from = place;
  for (; place; place--) {
    unsigned other = s->rank[place - 1];
    if (s->used[other] > s->used[code]) break;
    if (other < code && s->used[other] == s->used[code]) break;
    s->rank[place] = (uint8_t)other;
    s->position[other] = (uint8_t)place;
  }
  if (place == from) return;
  s->rank[place] = (uint8_t)code;
  s->position[code] = (uint8_t)place;
  permute(s);
}
