/* SPDX-License-Identifier: Apache-2.0 */
/* oct_bit_writer.h - writes port packets by hand, from docs/port-format.md; used by the decoder
 * tests only and independent of the compressor. */
#ifndef OCT_BIT_WRITER_H
#define OCT_BIT_WRITER_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oct_config.h"

typedef struct oct_bw {
  oct_config cfg;
  uint8_t *bytes;
  size_t n_bits, cap_bytes;
  unsigned index_bits, thb_bits, sync_ones;
  size_t check_from; /* first bit of the packet with the last check */
} oct_bw;

static inline unsigned bw_ceil_log2(uint64_t n) {
  unsigned bits = 0;
  while ((UINT64_C(1) << bits) < n) bits++;
  return bits;
}

static inline unsigned bw_max(unsigned a, unsigned b) {
  return a > b ? a : b;
}

static inline void bw_init(oct_bw *w, const oct_config *cfg) {
  memset(w, 0, sizeof *w);
  w->cfg = *cfg;
  w->index_bits = bw_max(1, bw_ceil_log2((uint64_t)cfg->sc_sets * cfg->sc_ways));
  w->thb_bits = bw_ceil_log2((uint64_t)cfg->thb_depth + 1);
  unsigned p = bw_max(2 * cfg->addr_bits, cfg->ntuple_n * w->index_bits);
  w->sync_ones = (p + 7 + 7) / 8 * 8;
}

static inline void bw_free(oct_bw *w) {
  free(w->bytes);
}
static inline size_t bw_bytes(const oct_bw *w) {
  return (w->n_bits + 7) / 8;
}

static inline void bw_field(oct_bw *w, uint64_t value, unsigned width) {
  for (unsigned i = 0; i < width; i++) {
    if (w->n_bits / 8 == w->cap_bytes) {
      w->cap_bytes = w->cap_bytes ? 2 * w->cap_bytes : 64;
      w->bytes = realloc(w->bytes, w->cap_bytes);
      if (!w->bytes) abort();
    }
    if (w->n_bits % 8 == 0) w->bytes[w->n_bits / 8] = 0;
    w->bytes[w->n_bits / 8] |= (uint8_t)(((value >> i) & 1) << (w->n_bits % 8));
    w->n_bits++;
  }
}

static inline void bw_prefix(oct_bw *w, const char *prefix) {
  for (; *prefix; prefix++) bw_field(w, *prefix == '1', 1);
}

/* The CRC of the bits up to bit `to`, one at a time, as section 4 says. */
static inline uint32_t bw_crc(const oct_bw *w, size_t to) {
  uint32_t r = 0;
  for (size_t i = w->check_from; i < to; i++) {
    unsigned x = ((w->bytes[i / 8] >> i % 8) ^ r) & 1;
    r = (r >> 1) ^ (!x ? 0 : w->cfg.check_bits == 16 ? 0x8408 : 0x82F63B78);
  }
  return r;
}

/* The check of the packet that began at bit start. */
static inline void bw_check_field(oct_bw *w, size_t start) {
  bw_field(w, bw_crc(w, start), w->cfg.check_bits);
  w->check_from = start;
}

static inline void bw_check(oct_bw *w) {
  size_t start = w->n_bits;
  bw_prefix(w, "11111010");
  bw_check_field(w, start);
}

static inline void bw_sync(oct_bw *w, uint64_t number, uint32_t task) {
  size_t start = w->n_bits;
  for (unsigned i = 0; i < w->sync_ones; i++) bw_field(w, 1, 1);
  bw_field(w, 0, 1);
  bw_field(w, number, w->cfg.addr_bits);
  bw_field(w, task, w->cfg.task_bits);
  if (w->cfg.check_bits) {
    bw_field(w, 0, 1);
    bw_check_field(w, start);
  }
}

static inline void bw_scmt(oct_bw *w, uint64_t sa, uint32_t sl) {
  bw_prefix(w, "1100");
  bw_field(w, sa >> w->cfg.pc_align_bits, w->cfg.addr_bits - w->cfg.pc_align_bits);
  bw_field(w, sl - 1, w->cfg.sl_bits);
}

/* A stream cache index (N = 0) or the number of a tuple. */
static inline void bw_index(oct_bw *w, uint32_t index) {
  bw_prefix(w, "100");
  bw_field(w, index, w->cfg.ntuple_n ? w->thb_bits : w->index_bits);
}

static inline void bw_tuple(oct_bw *w, const uint32_t *indices) {
  bw_prefix(w, "1101");
  for (unsigned i = 0; i < w->cfg.ntuple_n; i++) bw_field(w, indices[i], w->index_bits);
}

static inline void bw_part_tuple(oct_bw *w, const uint32_t *indices, unsigned n) {
  bw_prefix(w, "111100");
  bw_field(w, n, 4);
  for (unsigned i = 0; i < n; i++) bw_field(w, indices[i], w->index_bits);
}

static inline void bw_dmt(oct_bw *w, uint64_t addr) {
  bw_prefix(w, "00");
  bw_field(w, addr, w->cfg.addr_bits);
}

static inline void bw_terminator(oct_bw *w) {
  bw_prefix(w, "11100");
}

static inline void bw_pattern(oct_bw *w, uint32_t pattern) {
  bw_prefix(w, "01");
  bw_field(w, pattern, w->cfg.rep_pattern_bits);
}

static inline void bw_repetition(oct_bw *w, uint32_t pattern, uint32_t count) {
  bw_prefix(w, "101");
  bw_field(w, pattern, w->cfg.rep_pattern_bits);
  bw_field(w, count - 2, w->cfg.rep_count_bits);
}

/* Bits as a text, the first at the left. */
static inline void bw_part_pattern(oct_bw *w, const char *bits) {
  bw_prefix(w, "111101");
  bw_field(w, strlen(bits), 5);
  bw_prefix(w, bits);
}

static inline void bw_task(oct_bw *w, uint32_t task) {
  bw_prefix(w, "11101");
  bw_field(w, task, w->cfg.task_bits);
}

static inline void bw_overflow(oct_bw *w, uint64_t insns, uint64_t accesses) {
  bw_prefix(w, "11111000");
  bw_field(w, insns, w->cfg.addr_bits);
  bw_field(w, accesses, w->cfg.addr_bits);
}

static inline void bw_flush(oct_bw *w) {
  size_t start = w->n_bits;
  bw_prefix(w, "11111001");
  bw_check_field(w, start);
  unsigned n = (unsigned)(8 - (w->n_bits + 3) % 8) % 8;
  bw_field(w, n, 3);
  bw_field(w, 0, n);
}

#endif
