/* SPDX-License-Identifier: Apache-2.0 */
/* oct_shadow_decoder.h - the decoder of `shadow` (docs/shadow-format.md). Functions are as those of
 * oct_tracer_decoder, include/octrace/tracer.h. */
#ifndef OCT_SHADOW_DECODER_H
#define OCT_SHADOW_DECODER_H

#include "octrace/tracer.h"
#include "octrace/map.h"
#include "oct_shadow_config.h"

typedef struct oct_shadow_decoder oct_shadow_decoder;

/* OCT_ERR_NOMEM. */
int oct_shadow_decoder_new(const oct_shadow_config *cfg, oct_decoder_start start,
                           oct_shadow_decoder **d, oct_diag *diag);
void oct_shadow_decoder_free(oct_shadow_decoder *d);
int oct_shadow_decoder_map(oct_shadow_decoder *d, const oct_map_update *updates, size_t n,
                           oct_diag *diag);
int oct_shadow_decoder_push(oct_shadow_decoder *d, const uint8_t *bytes, size_t n, oct_diag *diag);
void oct_shadow_decoder_finish(oct_shadow_decoder *d);
int oct_shadow_decoder_next(oct_shadow_decoder *d, oct_decoded *out, oct_diag *diag);
int oct_shadow_decoder_resync(oct_shadow_decoder *d, oct_diag *diag);
void oct_shadow_decoder_had_privilege(oct_shadow_decoder *d, unsigned privilege);
void oct_shadow_decoder_counts(const oct_shadow_decoder *d, oct_decoder_counts *counts);

/* The listing: as those of oct_tracer_packets. */
int oct_shadow_packets_new(const uint32_t *values, oct_decoder_start start, void **p,
                           oct_diag *diag);
void oct_shadow_packets_free(void *p);
int oct_shadow_packets_push(void *p, const uint8_t *bytes, size_t n, oct_diag *diag);
void oct_shadow_packets_finish(void *p);
int oct_shadow_packets_next(void *p, oct_packet *out, oct_diag *diag);

#endif
