/* SPDX-License-Identifier: Apache-2.0 */
/* oct_shadow_cycle.h - the engine with time of `shadow`: a core that retires, the machine, and if
 * wanted another one with the largest buffers beside it. Functions are as those of
 * oct_tracer_encoder, include/octrace/tracer.h. */
#ifndef OCT_SHADOW_CYCLE_H
#define OCT_SHADOW_CYCLE_H

#include "octrace/tracer.h"
#include "oct_shadow_encoder.h"

typedef struct oct_shadow_cycle oct_shadow_cycle;

/* OCT_ERR_ARG, OCT_ERR_NOMEM. */
int oct_shadow_cycle_new(const oct_shadow_config *cfg, const oct_run_options *run,
                         oct_shadow_cycle **out, oct_diag *diag);
void oct_shadow_cycle_free(oct_shadow_cycle *s);
int oct_shadow_cycle_put(oct_shadow_cycle *s, const oct_tracer_input *in, oct_diag *diag);
int oct_shadow_cycle_flush(oct_shadow_cycle *s, oct_diag *diag);
size_t oct_shadow_cycle_take(oct_shadow_cycle *s, const uint8_t **bytes);
void oct_shadow_cycle_counts(const oct_shadow_cycle *s, oct_shadow_counts *counts);
unsigned oct_shadow_cycle_occupancy(const oct_shadow_cycle *s, unsigned b, uint64_t *cycles);

#endif
