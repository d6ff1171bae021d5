/* SPDX-License-Identifier: Apache-2.0 */
/* oct_pause.c - long pauses of the core.
 *
 * A machine without input that has come through a cycle unchanged will come through all further
 * ones so. Whether it has is seen after 256 cycles of a pause, and whenever the pause has become
 * twice as long: the copies that this takes cost little beside the cycles run. */
#include "oct_pause.h"

#include <stdlib.h>

#define FIRST_LOOK_CYCLES 256

int oct_pause_init(oct_pause *s, size_t room) {
  memset(s, 0, sizeof *s);
  s->room = room;
  s->tops = malloc((room + 1) * sizeof *s->tops);
  s->before = malloc((room + 1) * sizeof *s->before);
  return s->tops && s->before ? 0 : OCT_ERR_NOMEM;
}

void oct_pause_free(oct_pause *s) {
  free(s->tops);
  free(s->before);
  memset(s, 0, sizeof *s);
}

static bool all_rest(const oct_pause *s) {
  for (size_t i = 0; i < s->n; i++)
    if (!oct_top_rests(s->tops[i], &s->before[i])) return false;
  return true;
}

int oct_pause_run(oct_pause *s, oct_core *core, int (*run_cycle)(void *context, const oct_top_in *),
                  void *context) {
  uint64_t done = 0, look = FIRST_LOOK_CYCLES, left;
  while ((left = oct_core_pause_cycles(core)) > 0) {
    oct_top_in in;
    bool looks = ++done == look && left > 1;
    oct_core_next(core, &in);
    for (size_t i = 0; i < s->n && looks; i++) s->before[i] = *s->tops[i];
    int error = run_cycle(context, &in);
    if (error) return error;
    if (!looks) continue;
    look *= 2;
    if (!all_rest(s)) continue;
    oct_core_skip(core, left - 1);
    for (size_t i = 0; i < s->n; i++) oct_top_rest(s->tops[i], left - 1);
  }
  return 0;
}
