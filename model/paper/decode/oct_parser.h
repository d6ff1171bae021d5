/* SPDX-License-Identifier: Apache-2.0 */
/* oct_parser.h - port bits to queues of what packets say, up to a barrier (oct_packet_queues.h).
 * It knows the order in which packets may stand, and nothing of streams and accesses. */
#ifndef OCT_PARSER_H
#define OCT_PARSER_H

#include "octrace/error.h"
#include "oct_packet_queues.h"

typedef struct oct_parser {
  oct_cutter cutter;
  uint32_t pattern_bits, align_bits;
  bool has_traps;
  size_t records_max;  /* bound of the queues of the data side */
  bool is_searching;   /* no sync was read since the start of a search, */
  bool is_mark_found;  /* but its mark is at the position */
  bool is_sync_due;    /* only a sync may come, or a flush */
  bool is_flush_last;  /* the last packet was a flush */
  bool has_resynced;   /* a search began behind damage */
  uint64_t found_bits; /* where the first search, if there was one, found a mark */
} oct_parser;

/* cfg was checked. is_in_step: the stream begins with the first bit pushed; else the parser
 * searches for a sync. OCT_ERR_NOMEM; oct_parser_free is to be called all the same. */
int oct_parser_init(oct_parser *p, const oct_config *cfg, bool is_in_step);
void oct_parser_free(oct_parser *p);

/* Append bytes. OCT_ERR_NOMEM. */
int oct_parser_push(oct_parser *p, const uint8_t *bytes, size_t n);

/* Read packets that are wholly there into the queues, some hundreds at most, and no further than a
 * barrier, which goes to *barrier. 1 when some were read, 0 when more bytes are needed; or the
 * packet at the position is bad: OCT_ERR_PACKET, OCT_ERR_LIMIT (a queue is full although the other
 * side waits for packets), OCT_ERR_NOMEM, with the reason in *why. */
int oct_parser_run(oct_parser *p, oct_packet_queues *q, oct_port_barrier *barrier, oct_diag *why);

/* No more bytes come, and none is needed: 0, or OCT_ERR_TRUNCATED and *why. */
int oct_parser_check_end(const oct_parser *p, oct_diag *why);

/* Behind damage: drop what is known and search for a sync from that bit of the stream on. */
void oct_parser_start_search(oct_parser *p, uint64_t from_bit);
/* Go on with a search: true when a mark is found or none is searched for. */
bool oct_parser_search(oct_parser *p);

/* Bit of the stream at which the next packet begins. */
static inline uint64_t oct_parser_offset(const oct_parser *p) {
  return oct_cutter_offset(&p->cutter);
}

#endif
