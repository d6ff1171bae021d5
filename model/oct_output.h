/* SPDX-License-Identifier: Apache-2.0 */
/* oct_output.h - trace output controller: arbitrates both sides, adds headers, packs, and hands
 * bytes to the trace bus (seed 001, Figure 1; packets: docs/port-format.md).
 *
 * Inputs: an item of the instruction side, one of the data side (valid/ready); the instruction side
 * goes first. Barriers (SYNC, OVERFLOW, FLUSH) wait for both. Output: an AMBA ATB-like beat of 1 to
 * 4 bytes. Latency: 1 cycle from item to packet register, then at most 64 bits a cycle into the
 * output FIFO, whence 32 bits a cycle. After a flush request afready answers when all has left. */
#ifndef OCT_OUTPUT_H
#define OCT_OUTPUT_H

#include "oct_ingress.h"
#include "oct_types.h"

#define OCT_PACKET_WORDS 6
#define OCT_OUT_FIFO_MAX 4096

/* Bits of one packet, first in bit 0 of word 0. */
typedef struct oct_packet {
  uint64_t word[OCT_PACKET_WORDS];
  uint32_t bits;
} oct_packet;

typedef struct oct_output {
  oct_config cfg;
  oct_widths widths;
  uint64_t addr_mask;
  oct_stats *stats;
  uint64_t bit_count; /* bits packed since the start */
  /* timed shell */
  oct_packet packet_q;
  uint32_t packet_at_q; /* bits of it already in the FIFO */
  uint64_t partial;     /* bits that do not fill a byte yet */
  uint32_t partial_bits;
  uint8_t fifo[OCT_OUT_FIFO_MAX];
  uint32_t head_q, count_q; /* bytes */
  bool flush_q;
} oct_output;

void oct_output_init(oct_output *s, const oct_config *cfg, oct_stats *stats);

/* Begin a packet. The first bit of its prefix is the lowest; in comments it is written first, as in
 * docs/port-format.md. */
static inline void oct_output_begin(oct_output *s, oct_packet *p, uint32_t prefix, uint32_t bits) {
  p->word[0] = prefix;
  p->bits = bits;
  s->stats->port[OCT_LOGICAL_HEADER] += bits;
}

/* The packet of an item that is no OCT_ITEM_DMT. */
void oct_output_step_other(oct_output *s, const oct_item *item, const oct_barrier *barrier,
                           oct_packet *p);

/* Make the packet of an item and account for its bits. barrier is read for OCT_ITEM_MARK only. */
static inline void oct_output_step(oct_output *s, const oct_item *item, const oct_barrier *barrier,
                                   oct_packet *p) {
  if (item->kind == OCT_ITEM_DMT) {
    uint32_t addr_bits = s->cfg.addr_bits;
    oct_output_begin(s, p, 0x00, 2); /* 00 */
    p->word[0] = (item->addr & s->addr_mask) << 2;
    p->word[1] = (item->addr & s->addr_mask) >> 62;
    p->bits += addr_bits;
    s->stats->port[OCT_LOGICAL_DMT] += addr_bits;
  } else {
    oct_output_step_other(s, item, barrier, p);
  }
  s->bit_count += p->bits;
}

typedef struct oct_output_in {
  const oct_item *insn_item, *data_item; /* NULL = not valid */
  bool overflow_resume;                  /* the ingress has frozen its counts in *barrier */
  const oct_barrier *barrier;
  bool atready;
} oct_output_in;

typedef struct oct_output_out {
  bool insn_ready, data_ready;
  bool overflow_at_head, overflow_done, sync_done;
  bool atvalid;
  uint8_t atbytes; /* 1..4 */
  uint32_t atdata;
  bool afready; /* pulse: a flush has left */
} oct_output_out;

/* Taken in with this call; the outputs are those of this cycle. */
void oct_output_eval(oct_output *s, const oct_output_in *in, oct_output_out *out);

#endif
