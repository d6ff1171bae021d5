/* SPDX-License-Identifier: Apache-2.0 */
/* oct_decoded.h - what every decoder gives: runs of decoded trace, and counts.
 *
 * Threads: Values alone; the batch is the decoder's and is for the thread that uses the decoder. */
#ifndef OCT_DECODED_H
#define OCT_DECODED_H

#include <stdint.h>

#include "oct_event.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The highest number of an instruction. A stream that counts further is damaged. */
#define OCT_INSN_NUMBER_MAX INT64_MAX

/* Most instructions of a run; the accesses from which on no other instruction joins it, so that it
 * has at most this many and those of one instruction; and most traps. */
enum { OCT_DECODED_INSNS = 8192, OCT_DECODED_ACCESSES = 16384, OCT_DECODED_TRAPS = 256 };

/* A run of decoded trace, which ends where a check confirms it. It may have no instructions when it
 * only tells of a gap or of a check. batch belongs to the decoder until its next call. */
typedef struct oct_decoded {
  oct_batch batch;
  uint64_t first_insn; /* number of batch.insns[0] in the trace */
  int is_gap;          /* after this batch events are missing: */
  uint64_t lost_insns, lost_accesses;
  uint64_t confirmed_insns; /* of the instructions since the start or the last resync, those
                               numbered below this are under a check that agreed; UINT64_MAX for a
                               port without checks */
  uint64_t has_late_traps;  /* 1: that check came before this run, so that it does not hold for
                               traps of the place confirmed_insns; 0: it does */
  uint64_t is_uncounted;    /* 1: behind a gap of unknown length, so that first_insn is the least
                               that it may be; with is_gap, lost_insns is */
  uint64_t reserved[2];     /* 0 */
} oct_decoded;

typedef struct oct_decoder_counts {
  uint64_t insns, accesses, syncs, gaps, lost_insns, lost_accesses;
  uint64_t bit_offset;      /* bits consumed */
  uint64_t first_sync_bits; /* bits skipped before the first sync (OCT_START_SEARCH) */
  uint64_t reserved[4];     /* 0 */
} oct_decoder_counts;

typedef enum oct_decoder_start {
  OCT_START_IN_STEP, /* the capture begins with a sync packet, as every stream does */
  OCT_START_SEARCH   /* begin at the first sync found */
} oct_decoder_start;

#ifdef __cplusplus
}
#endif
#endif
