/* SPDX-License-Identifier: Apache-2.0 */
/* oct_vpc_engine.h - the engine of VPC3 and of the configurable VPC: value predictors for one field
 * of a record.
 *
 * A field has any mix of (Burtscher 2004, section 2.2): a last-n-value predictor; finite-context
 * predictors (FCM) of order k, which look up what followed when the last k values had this hash;
 * and their differential kin (DFCM), which do the same with strides. Each keeps the `depth` newest
 * values of a line, which give as many predictions. A first-level table, indexed by a key (the PC
 * of the record), holds the last values and the hashes; a field without a key has one line.
 *
 * The hash is not published: order 1 is the upper half of a product with 2^64 / phi, and an order
 * more rotates and exclusive-ors, so that all orders cost one multiplication. */
#ifndef OCT_VPC_ENGINE_H
#define OCT_VPC_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "octrace/codec.h"

enum {
  OCT_VPC_TABLES_MAX = 8, /* second-level tables of a field */
  OCT_VPC_ORDER_MAX = 8,
  OCT_VPC_DEPTH_MAX = 8,
  OCT_VPC_CODES_MAX = 32,  /* predictions of a field */
  OCT_VPC_LINE_WORDS = 16, /* of 8 bytes: the longest first-level line */
  OCT_VPC_BLOCK = 4096     /* values that a kernel takes at once */
};

/* One second-level table. */
typedef struct oct_vpc_table {
  uint8_t differential; /* 0 FCM, 1 DFCM */
  uint8_t order;        /* 1 .. OCT_VPC_ORDER_MAX */
  uint8_t depth;        /* 1 .. OCT_VPC_DEPTH_MAX */
  uint8_t first_code;   /* of its newest value; the older follow */
  uint8_t lines_log2;   /* 1 .. 28 */
} oct_vpc_table;

/* The predictors of a field. The code of "not predicted" is n_codes. */
typedef struct oct_vpc_spec {
  uint8_t value_bytes; /* of the field: 1, 2, 4 or 8 */
  uint8_t n_tables;
  uint8_t n_last;       /* last values predicted from, 0 = none */
  uint8_t last_code;    /* code of the newest of them */
  uint8_t n_kept;       /* last values kept: n_last, but 1 when there is any DFCM */
  uint8_t n_hashes;     /* highest order of an FCM */
  uint8_t n_strides;    /* highest order of a DFCM */
  uint8_t n_codes;      /* 1 .. OCT_VPC_CODES_MAX */
  uint8_t changed_only; /* extension: a line that already has the value in front stays as it is */
  uint8_t l1_log2;      /* lines of the first level, 0 .. 24 */
  oct_vpc_table tables[OCT_VPC_TABLES_MAX];
} oct_vpc_spec;

/* Which prediction to take when several are right: the one used most so far, and among equals the
 * one with the lower code. `rank` lists codes from best to worst; `permuted` turns a mask of right
 * codes, a byte at a time, to one of ranks. */
typedef struct oct_vpc_selector {
  uint64_t used[OCT_VPC_CODES_MAX + 1]; /* the last one counts what was not predicted */
  uint8_t rank[OCT_VPC_CODES_MAX], position[OCT_VPC_CODES_MAX];
  uint32_t permuted[4][256];
  unsigned n_codes;
} oct_vpc_selector;

void oct_vpc_selector_init(oct_vpc_selector *s, unsigned n_codes);
/* Code `code` was used more often than the one ranked before it: put it right. */
void oct_vpc_selector_rise(oct_vpc_selector *s, unsigned code);

/* The predictors of a field at work. */
typedef struct oct_vpc_field {
  uint8_t *lines;                   /* first level, line_bytes each */
  void *tables[OCT_VPC_TABLES_MAX]; /* elements of uint32_t, or uint64_t for 8-byte fields */
  uint32_t line_bytes;
  oct_vpc_selector selector; /* used when encoding */
} oct_vpc_field;

/* Bytes of memory of all tables of the field; lays nothing out. */
size_t oct_vpc_bytes(const oct_vpc_spec *spec);
/* Lay out the field in zeroed memory of oct_vpc_bytes() at p, aligned to 64 bytes. */
void oct_vpc_field_init(oct_vpc_field *field, const oct_vpc_spec *spec, uint8_t *p);

/* Zeroed memory for predictor tables, in large pages where there are any, that is not touched
 * before it is used. NULL when out of memory. */
void *oct_vpc_alloc(size_t n_bytes);
void oct_vpc_release(void *p, size_t n_bytes); /* NULL is allowed */

/* Encode n <= OCT_VPC_BLOCK values with their keys (NULL when l1_log2 is 0): a code each, and the
 * values that were not predicted. Returns how many of those there are. */
typedef size_t oct_vpc_encode32(const oct_vpc_spec *spec, oct_vpc_field *field,
                                const uint32_t *values, const uint64_t *keys, size_t n,
                                uint8_t *codes, uint32_t *misses);
typedef size_t oct_vpc_encode64(const oct_vpc_spec *spec, oct_vpc_field *field,
                                const uint64_t *values, const uint64_t *keys, size_t n,
                                uint8_t *codes, uint64_t *misses);

/* The way back: n values from n codes. *misses holds n_misses values of value_bytes each, packed.
 * Returns how many of them were taken, or OCT_ERR_FORMAT for a code that is none, or when the
 * misses do not last. */
typedef int64_t oct_vpc_decode32(const oct_vpc_spec *spec, oct_vpc_field *field,
                                 const uint8_t *codes, const uint64_t *keys, size_t n,
                                 const uint8_t *misses, size_t n_misses, uint32_t *values);
typedef int64_t oct_vpc_decode64(const oct_vpc_spec *spec, oct_vpc_field *field,
                                 const uint8_t *codes, const uint64_t *keys, size_t n,
                                 const uint8_t *misses, size_t n_misses, uint64_t *values);

/* The kernels of a field. */
typedef struct oct_vpc_kernels {
  oct_vpc_encode32 *encode32;
  oct_vpc_encode64 *encode64;
  oct_vpc_decode32 *decode32;
  oct_vpc_decode64 *decode64;
} oct_vpc_kernels;

/* Those that suit a specification best. */
oct_vpc_kernels oct_vpc_kernels_for(const oct_vpc_spec *spec);

/* Inside of the library: select a code from a mask of right ones, which may be empty, and count it.
 */
static inline unsigned oct_vpc_select(oct_vpc_selector *s, uint32_t mask, unsigned n_codes) {
  if (!mask) {
    s->used[n_codes]++;
    return n_codes;
  }
  uint32_t ranks = s->permuted[0][mask & 255];
  if (n_codes > 8) ranks |= s->permuted[1][mask >> 8 & 255];
  if (n_codes > 16) ranks |= s->permuted[2][mask >> 16 & 255] | s->permuted[3][mask >> 24];
  unsigned place = (unsigned)__builtin_ctz(ranks), code = s->rank[place];
  uint64_t used = ++s->used[code];
  if (place && used >= s->used[s->rank[place - 1]]) oct_vpc_selector_rise(s, code);
  return code;
}

#endif
