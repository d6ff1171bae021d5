/* SPDX-License-Identifier: Apache-2.0 */
/* oct_etrace_parse.h - bytes of an E-Trace stream to packets: the encapsulation undone. */
#ifndef OCT_ETRACE_PARSE_H
#define OCT_ETRACE_PARSE_H

#include "octrace/error.h"
#include "oct_etrace.h"

typedef struct oct_et_parser {
  const oct_et_config *cfg;
  oct_buffer in;
  size_t at;           /* next byte of in */
  uint64_t base_bytes; /* bytes that went before in.bytes[0] */
  bool is_finished;
  bool is_searching; /* for null bytes, behind which a packet begins */
  uint32_t nulls;    /* seen in a row, */
  bool is_marked;    /* and enough of them before the next packet */
  /* Which byte begins a packet is not known, and there need be no null bytes: */
  bool is_settling;
  uint64_t heads;    /* bit i: one may begin at in.bytes[look + i] */
  size_t look;       /* bit 0 is always set */
  bool is_alone;     /* one head is left since in.bytes[at], */
  uint32_t n_behind; /* and so many packets followed */
} oct_et_parser;

/* One packet, of instructions or data. */
typedef struct oct_et_item {
  uint64_t bit, n_bits; /* where it begins, its header included, and how long it is */
  bool is_data;
  bool is_marked; /* null bytes stand before it, by which it is found */
  bool is_padded; /* it has bytes that none of its fields needs */
  oct_et_packet packet;
  oct_et_data data;
} oct_et_item;

/* 0 or OCT_ERR_NOMEM. */
int oct_et_parser_push(oct_et_parser *p, const uint8_t *bytes, size_t n);

/* 1 and the next packet, 0 when more bytes are needed, OCT_ERR_PACKET, OCT_ERR_TRUNCATED. Packets
 * of other sources are passed over. */
int oct_et_parser_next(oct_et_parser *p, oct_et_item *item, const oct_et_listen *listen,
                       oct_diag *diag);

/* Find out where a packet begins, from byte `at` of p->in on: each place that one may begin at is
 * followed, until all that are left meet. In bytes without damage one of them is right. */
void oct_et_parser_settle(oct_et_parser *p, size_t at);

/* Null packets in a row that wait first. */
size_t oct_et_parser_nulls(const oct_et_parser *p);

static inline uint64_t oct_et_parser_bit(const oct_et_parser *p) {
  return (p->base_bytes + p->at) * 8;
}

#endif
