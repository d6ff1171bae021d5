/* SPDX-License-Identifier: Apache-2.0 */
/* oct_cutter.h - cuts port bits into packets by the one table of them (oct_packets.h), checks their
 * checks, and finds sync marks. It knows packets one by one and nothing of what they mean: the
 * decoder feeds on it, and the listing shows what it gives. */
#ifndef OCT_CUTTER_H
#define OCT_CUTTER_H

#include "oct_bits.h"
#include "oct_crc.h"
#include "oct_packets.h"

/* What is known of the check that a packet carries. */
typedef enum oct_check {
  OCT_CHECK_NONE,    /* it carries none */
  OCT_CHECK_UNKNOWN, /* where it began is not known: the first sync after a search */
  OCT_CHECK_GOOD,
  OCT_CHECK_BAD
} oct_check;

/* One packet. */
typedef struct oct_cut {
  oct_packet_kind kind;
  oct_check check;
  uint32_t n_bits;                             /* prefix included */
  uint64_t values[OCT_PACKET_FORM_FIELDS];     /* of the fields that stand once, in their order */
  uint32_t n_repeats, repeats_at, repeat_bits; /* the field that stands more than once, from the
                                                  packet's first bit */
} oct_cut;

typedef struct oct_cutter {
  oct_bits bits;
  oct_packet_form forms[OCT_PACKET_KINDS];
  uint8_t kind_of[1 << OCT_PREFIX_MAX_BITS]; /* by the next bits; OCT_PACKET_KINDS = none */
  uint32_t sync_ones, check_bits;
  uint32_t part_max[2]; /* most indices and bits of a part */
  bool is_any_phase;    /* a flush need not end at a byte of what was pushed */
  bool is_check_known;  /* crc began where a check's run begins */
  uint32_t crc;         /* of the run so far, */
  uint64_t crc_end;     /* up to this bit */
  uint64_t search_ones; /* ones right before the position of a search */
} oct_cutter;

/* OCT_ERR_NOMEM. is_in_step: the stream begins with the first bit pushed. */
int oct_cutter_init(oct_cutter *c, const oct_config *cfg, bool is_in_step);
void oct_cutter_free(oct_cutter *c);

/* Append bytes. OCT_ERR_NOMEM. */
int oct_cutter_push(oct_cutter *c, const uint8_t *bytes, size_t n);

/* The packet at the position: 1 and *cut; 0 when it is not wholly there; OCT_ERR_PACKET and *why, a
 * constant text. The position stays. */
int oct_cutter_peek(const oct_cutter *c, oct_cut *cut, const char **why);

/* Whether the bits that are there may be the beginning of such a packet. */
bool oct_cutter_may_begin(const oct_cutter *c, oct_packet_kind kind);

/* Go behind that packet. Sets cut->check. */
void oct_cutter_take(oct_cutter *c, oct_cut *cut);

/* Go to the next sync mark that does not end before the position: 1 and the position is where its
 * packet begins; 0 when there is none yet. The check that it carries is unknown. To be started by
 * oct_cutter_start_search. */
int oct_cutter_search(oct_cutter *c);

/* Begin a search at bit `from` of the stream, which is at most the position; ones before it count,
 * as long as the window holds them (OCT_CUTTER_HISTORY_BYTES). */
void oct_cutter_start_search(oct_cutter *c, uint64_t from);

/* What a check that is OCT_CHECK_BAD means, for messages. */
#define OCT_CHECK_BAD_TEXT "the check does not agree with the bits since the last one"

/* Zero bits that may follow the last flush: up to 30 of 31 pins, then up to the end of a byte. */
enum { OCT_END_ZEROS_MAX = 32 };

/* Bytes behind the position that the window keeps: more than a mark and a whole sync packet. */
enum { OCT_CUTTER_HISTORY_BYTES = 96 };

static inline uint64_t oct_cutter_offset(const oct_cutter *c) {
  return oct_bits_offset(&c->bits);
}

#endif
