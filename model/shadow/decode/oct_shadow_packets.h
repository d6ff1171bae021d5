/* SPDX-License-Identifier: Apache-2.0 */
/* oct_shadow_packets.h - a listing of the marks and periods of a stream of `shadow`. Functions are
 * as those of oct_tracer_packets, include/octrace/tracer.h. */
#ifndef OCT_SHADOW_PACKETS_H
#define OCT_SHADOW_PACKETS_H

#include "octrace/tracer.h"

int oct_shadow_packets_new(const uint32_t *values, oct_decoder_start start, void **p,
                           oct_diag *diag);
void oct_shadow_packets_free(void *p);
int oct_shadow_packets_push(void *p, const uint8_t *bytes, size_t n, oct_diag *diag);
void oct_shadow_packets_finish(void *p);
int oct_shadow_packets_next(void *p, oct_packet *out, oct_diag *diag);

#endif
