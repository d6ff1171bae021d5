/* SPDX-License-Identifier: Apache-2.0 */
/* oct_recording.c - a part of a trace kept in memory: copies of the inputs of a tracer. */
#include "oct_recording.h"

#include <stdlib.h>
#include <string.h>

#include "oct_grow.h"

/* A copy of n elements, which r counts. */
static const void *copy(oct_recording *r, const void *elements, size_t n, size_t element_bytes,
                        bool *is_full) {
  const size_t n_bytes = n * element_bytes;
  void *p = malloc(n_bytes + 1);
  *is_full |= !p;
  if (p && n_bytes) memcpy(p, elements, n_bytes);
  r->n_bytes += n_bytes;
  return p;
}

static void let_go(const oct_tracer_input *in) {
  free((void *)in->insns);
  free((void *)in->accesses);
  free((void *)in->updates);
  free((void *)in->traps);
}

int oct_recording_put(oct_recording *r, const oct_tracer_input *in, oct_diag *diag) {
  oct_tracer_input *inputs = oct_grown(r->inputs, &r->room, r->n + 1, sizeof *inputs);
  if (!inputs) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  r->inputs = inputs;
  oct_tracer_input kept = *in;
  bool is_full = false;
  kept.insns = copy(r, in->insns, in->n_insns, sizeof *in->insns, &is_full);
  kept.accesses = copy(r, in->accesses, in->n_accesses, sizeof *in->accesses, &is_full);
  kept.updates = copy(r, in->updates, in->n_updates, sizeof *in->updates, &is_full);
  kept.traps = copy(r, in->traps, in->n_traps, sizeof *in->traps, &is_full);
  if (is_full) {
    let_go(&kept);
    return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  }
  inputs[r->n++] = kept;
  r->n_insns += in->n_insns;
  return 0;
}

void oct_recording_free(oct_recording *r) {
  for (size_t i = 0; i < r->n; i++) let_go(&r->inputs[i]);
  free(r->inputs);
  *r = (oct_recording){0};
}
