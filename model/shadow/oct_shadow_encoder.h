/* SPDX-License-Identifier: Apache-2.0 */
/* oct_shadow_encoder.h - the compressor of `shadow`, untimed. */
#ifndef OCT_SHADOW_ENCODER_H
#define OCT_SHADOW_ENCODER_H

#include "oct_map.h"
#include "oct_shadow_config.h"
#include "oct_shadow_model.h"
#include "oct_tracer.h"

typedef struct oct_shadow_encoder oct_shadow_encoder;

/* OCT_ERR_NOMEM. */
int oct_shadow_encoder_new(const oct_shadow_config *cfg, oct_shadow_encoder **e, oct_diag *diag);
void oct_shadow_encoder_free(oct_shadow_encoder *e);
/* As oct_tracer_encoder.put. */
int oct_shadow_encoder_put(oct_shadow_encoder *e, const oct_tracer_input *in, oct_diag *diag);
int oct_shadow_encoder_flush(oct_shadow_encoder *e, oct_diag *diag);
size_t oct_shadow_encoder_take(oct_shadow_encoder *e, const uint8_t **bytes);

/* All of 64 bits, so that they are an array too. */
typedef struct oct_shadow_counts {
  uint64_t insns, accesses, syncs, packets, mark_bits, overhead_bits, category_bits[OCT_SC_COUNT];
  oct_shadow_stats stats;
} oct_shadow_counts;
void oct_shadow_encoder_counts(const oct_shadow_encoder *e, oct_shadow_counts *counts);

#endif
