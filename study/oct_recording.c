/* SPDX-License-Identifier: Apache-2.0 */
/* oct_recording.c - a part of a trace kept in memory: copies of the inputs of a tracer. */
#include "oct_recording.h"

#include <stdlib.h>
#include <string.h>

#include "oct_grow.h"

/* A copy of n elements, which r counts. */
static void *copy(oct_recording *r, const void *elements, size_t n, size_t element_bytes,
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
  free((void *)in->facts);
  free((void *)in->values);
}

/* Of the values only those that are named: a part of a batch may have those of all of it. */
static void copy_values(oct_recording *r, const oct_tracer_input *in, oct_access *accesses,
                        oct_fact *facts, oct_tracer_input *kept, bool *is_full) {
  size_t from = in->n_values, to = 0;
  for (size_t i = 0; i < in->n_accesses; i++) {
    const size_t at = accesses[i].value, n = accesses[i].size_bytes;
    if (at && at - 1 < from) from = at - 1;
    if (at && at - 1 + n > to) to = at - 1 + n;
  }
  for (size_t i = 0; i < in->n_facts; i++) {
    const size_t at = facts[i].value, n = facts[i].n_bytes;
    if (at && at - 1 < from) from = at - 1;
    if (at && at - 1 + n > to) to = at - 1 + n;
  }
  kept->n_values = from < to ? to - from : 0;
  kept->values = copy(r, in->values + (from < to ? from : 0), kept->n_values, 1, is_full);
  for (size_t i = 0; i < in->n_accesses; i++)
    if (accesses[i].value) accesses[i].value -= (uint32_t)from;
  for (size_t i = 0; i < in->n_facts; i++)
    if (facts[i].value) facts[i].value -= (uint32_t)from;
}

int oct_recording_put(oct_recording *r, const oct_tracer_input *in, oct_diag *diag) {
  oct_tracer_input *inputs = oct_grown(r->inputs, &r->room, r->n + 1, sizeof *inputs);
  if (!inputs) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  r->inputs = inputs;
  oct_tracer_input kept = *in;
  bool is_full = false;
  kept.insns = copy(r, in->insns, in->n_insns, sizeof *in->insns, &is_full);
  oct_access *accesses = copy(r, in->accesses, in->n_accesses, sizeof *accesses, &is_full);
  oct_fact *facts = copy(r, in->facts, in->n_facts, sizeof *facts, &is_full);
  kept.accesses = accesses;
  kept.facts = facts;
  kept.values = NULL;
  kept.updates = copy(r, in->updates, in->n_updates, sizeof *in->updates, &is_full);
  kept.traps = copy(r, in->traps, in->n_traps, sizeof *in->traps, &is_full);
  if (in->values && !is_full) copy_values(r, in, accesses, facts, &kept, &is_full);
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
