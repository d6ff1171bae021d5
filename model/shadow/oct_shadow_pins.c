/* SPDX-License-Identifier: Apache-2.0 */
/* oct_shadow_pins.c - the machine of `shadow` as a circuit, with the pins that every tracer has. */
#include "oct_shadow_pins.h"

#include "oct_shadow_cycle.h"
#include "oct_shadow_timed.h"

#include <stdlib.h>
#include <string.h>

static void twin_destroy(void *t) {
  if (t) oct_shadow_timed_free(t);
  free(t);
}

static int twin_create(const uint32_t *params, void **t, oct_diag *diag) {
  const oct_shadow_config cfg = oct_shadow_config_of(params);
  *t = NULL;
  int error = oct_shadow_config_check_circuit(&cfg, diag);
  if (error) return error;
  oct_shadow_timed *s = calloc(1, sizeof *s);
  if (!s) return oct_fail(diag, OCT_ERR_NOMEM, "no memory for a compressor");
  error = oct_shadow_timed_init(s, &cfg, diag);
  if (error)
    twin_destroy(s);
  else
    *t = s;
  return error;
}

static int twin_map(void *t, const oct_map_update *updates, size_t n, oct_diag *diag) {
  return oct_shadow_encoder_updates(((oct_shadow_timed *)t)->encoder, updates, n, diag);
}

/* Bytes that crossed are not asked for: they make room. */
static int finish_cycle(oct_shadow_timed *s, oct_diag *diag) {
  const uint8_t *bytes;
  if (s->crossed >= OCT_TWIN_BYTES) oct_shadow_timed_take(s, &bytes);
  if (s->error && diag) *diag = s->diag;
  return s->error;
}

static int twin_cycle(void *t, const oct_pins_in *in, oct_pins_out *out, oct_diag *diag) {
  oct_shadow_timed_cycle(t, in, out);
  return finish_cycle(t, diag);
}

static int twin_cycle_bus(void *t, const oct_pins_in *in, const oct_pins_bus *bus,
                          oct_pins_out *out, oct_diag *diag) {
  oct_shadow_timed_cycle_bus(t, in, bus, out);
  return finish_cycle(t, diag);
}

static void twin_counters(const void *t, uint64_t *values) {
  oct_shadow_counts counts;
  oct_shadow_timed_counts(t, &counts);
  oct_shadow_counts_put(&counts, values);
}

const oct_tracer_twin oct_shadow_pins = {.module = "oct_shadow_top",
                                         .create = twin_create,
                                         .destroy = twin_destroy,
                                         .map = twin_map,
                                         .cycle = twin_cycle,
                                         .cycle_bus = twin_cycle_bus,
                                         .counters = twin_counters,
                                         .time_bits = 64};
