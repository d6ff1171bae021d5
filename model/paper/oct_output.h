/* SPDX-License-Identifier: Apache-2.0 */
/* oct_output.h - trace output controller: arbitrates both sides, adds headers, packs, and hands
 * bytes to the trace bus (Milenković 2007, Figure 1; packets: docs/port-format.md).
 *
 * Inputs: an item of the instruction side, one of the data side (valid/ready); the instruction side
 * goes first. Barriers (SYNC, OVERFLOW, FLUSH) wait for both. Output: AMBA ATB beats of 1 to 4
 * bytes, of 4 but for the last of a flush; they change only with a cycle of ATCLKEN. Latency: 1
 * cycle from item to packet register, then 64 bits a cycle into the output FIFO, whence 32 bits a
 * cycle. After a flush packet nothing is taken until all has left and flush_out has told so.
 *
 * Checks: the register of the CRC follows the bits as they move behind the carry, so the check of a
 * packet is there one cycle after its predecessor's last bits moved, when its own first bits move.
 * Between two packets a check packet is sent when check_period_bits have been sent without one, and
 * sync_due asks the ingress for a sync when sync_period_bits have. */
#ifndef OCT_OUTPUT_H
#define OCT_OUTPUT_H

#include "oct_crc.h"
#include "oct_packets.h"
#include "oct_types.h"

#define OCT_PACKET_WORDS 6 /* a sync of the widest parameters, the longest packet, fits */
#define OCT_OUT_FIFO_MAX 4096

/* Bits of one packet, first in bit 0 of word 0. */
typedef struct oct_output_packet {
  uint64_t word[OCT_PACKET_WORDS];
  uint32_t bits;
  uint8_t mark; /* oct_mark */
} oct_output_packet;

typedef enum oct_flush_state {
  OCT_FLUSH_NONE,
  OCT_FLUSH_PACK, /* its packet is in the packet register, or what is left of it in carry */
  OCT_FLUSH_DRAIN /* all is in the FIFO */
} oct_flush_state;

typedef struct oct_output {
  oct_config cfg;
  oct_widths widths;
  oct_packet_form forms[OCT_PACKET_KINDS];
  uint64_t addr_mask;
  oct_stats *stats;
  uint64_t bit_count;                         /* bits packed since the start */
  uint32_t crc;                               /* of the packets from the last check's on */
  uint32_t since_sync_bits, since_check_bits; /* from that packet's start on; stop when due */
  /* timed shell */
  oct_output_packet packet_q, packet_d;
  bool load_d;
  uint32_t left_bits_q, left_bits_d;   /* of the packet register, its last bits */
  uint64_t carry_q, carry_d;           /* bits that do not fill a word yet */
  uint32_t carry_bits_q, carry_bits_d; /* 0..63 */
  uint64_t fifo[OCT_OUT_FIFO_MAX / 8];
  uint32_t head_q, count_words_q;
  bool half_q, half_d; /* the lower half of the word at head has left */
  uint64_t push_word_d;
  bool push_d, pop_d;
  uint8_t last_bytes_q, last_bytes_d; /* of the last word while draining, less one */
  oct_flush_state flush_q, flush_d;
  bool atclken;                /* of this cycle */
  bool atvalid_q, flush_out_q; /* what the bus sees of the FIFO and of a flush's end */
} oct_output;

void oct_output_init(oct_output *s, const oct_config *cfg, oct_stats *stats);

/* Begin a packet with its prefix. */
static inline void oct_output_begin(oct_output *s, oct_output_packet *p, uint32_t prefix,
                                    uint32_t bits) {
  p->word[0] = prefix;
  p->bits = bits;
  p->mark = OCT_MARK_NONE;
  s->stats->port[OCT_LOGICAL_HEADER] += bits;
}

/* The packet of an item that is no OCT_ITEM_DMT. */
void oct_output_step_other(oct_output *s, const oct_item *item, const oct_barrier *barrier,
                           oct_output_packet *p);

/* Make the packet of an item and account for its bits. barrier is read for OCT_ITEM_MARK only. */
static inline void oct_output_step(oct_output *s, const oct_item *item, const oct_barrier *barrier,
                                   oct_output_packet *p) {
  if (item->kind == OCT_ITEM_DMT) {
    uint32_t addr_bits = s->cfg.addr_bits;
    oct_output_begin(s, p, OCT_PREFIX_DMT, OCT_PREFIX_BITS_DMT);
    p->word[0] |= (item->addr & s->addr_mask) << OCT_PREFIX_BITS_DMT;
    p->word[1] = (item->addr & s->addr_mask) >> (64 - OCT_PREFIX_BITS_DMT);
    p->bits += addr_bits;
    s->stats->port[OCT_LOGICAL_DMT] += addr_bits;
  } else {
    oct_output_step_other(s, item, barrier, p);
  }
  s->bit_count += p->bits;
}

static inline bool oct_output_sync_due(const oct_output *s) {
  return s->cfg.sync_period_bits && s->since_sync_bits >= s->cfg.sync_period_bits;
}
static inline bool oct_output_check_due(const oct_output *s) {
  return s->cfg.check_period_bits && s->since_check_bits >= s->cfg.check_period_bits;
}
static inline bool oct_packet_has_check(const oct_output_packet *p) {
  return p->mark == OCT_MARK_SYNC || p->mark == OCT_MARK_FLUSH || p->mark == OCT_MARK_CHECK;
}

/* A packet that is really sent, after its step and in the order of sending: its check is filled in,
 * and its bits count towards the next check and sync. (A sweep that only counts leaves this out.)
 */
void oct_output_seal(oct_output *s, oct_output_packet *p);

typedef struct oct_output_in {
  const oct_item *insn_item, *data_item; /* NULL = not valid */
  const oct_item *cycles_item;           /* likewise, of a third side with timestamp = 2 */
  bool resume;                           /* the ingress has frozen its counts in *barrier */
  const oct_barrier *barrier;
  bool atready, atclken; /* the bus runs in this cycle */
} oct_output_in;

typedef struct oct_output_out {
  bool insn_ready, data_ready, cycles_ready;
  bool overflow_at_head, overflow_done, sync_done;
  bool trap_done; /* the first trap that waits has its packet, */
  bool time_done; /* the stamp that waits has */
  bool sync_due;  /* the ingress is to place a sync */
  bool atvalid;
  uint8_t atbytes; /* bytes less one, as ATB counts them: 0..3 */
  uint32_t atdata;
  bool flush_out;  /* a flush has left, */
  bool flush_done; /* and the bus has seen it */
} oct_output_out;

/* The outputs are those of this cycle. */
void oct_output_eval(oct_output *s, const oct_output_in *in, oct_output_out *out);
void oct_output_clock(oct_output *s);

/* Has the output FIFO no room for a word of 8 bytes? */
static inline bool oct_output_is_full(const oct_output *s) {
  return s->count_words_q == s->cfg.out_fifo_bytes / 8;
}

/* Bytes held in the output FIFO, in whole beats. */
static inline uint32_t oct_output_count_bytes(const oct_output *s) {
  return 8 * s->count_words_q - 4 * s->half_q;
}

#endif
