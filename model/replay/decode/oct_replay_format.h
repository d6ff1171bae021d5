/* SPDX-License-Identifier: Apache-2.0 */
/* oct_replay_format.h - marks of the port of the tracer `replay` (docs/replay-format.md, section
 * 2), and the decoder behind it. */
#ifndef OCT_REPLAY_FORMAT_H
#define OCT_REPLAY_FORMAT_H

#include "octrace/tracer.h"

/* A mark is two bytes of ones and its kind. Elsewhere a zero follows two bytes of ones. */
enum {
  OCT_RP_ONES = 2,
  OCT_RP_SYNC = 1,
  OCT_RP_FLUSH = 2,
  OCT_RP_RESUME = 3, /* a sync behind a loss */
  OCT_RP_KIND_LAST = 3
};
enum { OCT_RP_CHECK_BYTES = 2 };
/* Most instructions that a sync comes after it is due: while the mark before it leaves. */
enum { OCT_RP_LATE_INSNS = 65536 };
/* How many tasks a stream may have. */
enum { OCT_RP_TASKS_MAX = 65536 };

/* As in oct_tracer_decoder, with the tracer itself; all else of it is the base's. */
int oct_rp_decoder_create(const oct_tracer *tracer, const uint32_t *params, oct_decoder_start start,
                          void **d, oct_diag *diag);
void oct_rp_decoder_destroy(void *d);
int oct_rp_decoder_next(void *d, oct_decoded *out, oct_diag *diag);
int oct_rp_decoder_resync(void *d, oct_diag *diag);
void oct_rp_decoder_had_privilege(void *d, unsigned privilege);
void oct_rp_decoder_tell_results(void *d);
int oct_rp_decoder_map(void *d, const oct_map_update *updates, size_t n, oct_diag *diag);
/* As in oct_tracer_packets, likewise: marks and periods. */
int oct_rp_packets_create(const oct_tracer *tracer, const uint32_t *params, oct_decoder_start start,
                          void **p, oct_diag *diag);
int oct_rp_packets_next(void *p, oct_packet *out, oct_diag *diag);

#endif
