/* SPDX-License-Identifier: Apache-2.0 */
/* oct_waiting.c - traps that wait for an instruction of their processor (oct_waiting.h). */
#include "oct_waiting.h"

#include "oct_grow.h"

#include <stdlib.h>
#include <string.h>

static bool is_of(const oct_waiting_trap *t, uint64_t hart) {
  return t->hart == hart || t->hart == OCT_WAITING_ANY || hart == OCT_WAITING_ANY;
}

static int tell(oct_waiting *w, oct_reader *r, size_t i, oct_diag *diag) {
  int rc = oct_reader_add_trap(r, &w->traps[i].trap, diag);
  w->n--;
  memmove(w->traps + i, w->traps + i + 1, (w->n - i) * sizeof *w->traps);
  return rc;
}

int oct_waiting_add(oct_waiting *w, oct_reader *r, uint64_t hart, const oct_trap *trap,
                    oct_diag *diag) {
  int rc = w->n == OCT_WAITING_MAX ? tell(w, r, 0, diag) : 0;
  oct_waiting_trap *grown = oct_grown(w->traps, &w->room, w->n + 1, sizeof *grown);
  if (!grown) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  w->traps = grown;
  w->traps[w->n++] = (oct_waiting_trap){.trap = *trap, .hart = hart};
  return rc;
}

oct_trap *oct_waiting_first(const oct_waiting *w, uint64_t hart) {
  for (size_t i = 0; i < w->n; i++)
    if (is_of(&w->traps[i], hart)) return &w->traps[i].trap;
  return NULL;
}

oct_trap *oct_waiting_last(const oct_waiting *w, uint64_t hart) {
  for (size_t i = w->n; i > 0; i--)
    if (is_of(&w->traps[i - 1], hart)) return &w->traps[i - 1].trap;
  return NULL;
}

int oct_waiting_tell(oct_waiting *w, oct_reader *r, uint64_t hart, oct_diag *diag) {
  int rc = 0;
  for (size_t i = 0; !rc && i < w->n;) {
    if (is_of(&w->traps[i], hart))
      rc = tell(w, r, i, diag);
    else
      i++;
  }
  return rc;
}

int oct_waiting_next(oct_waiting *w, oct_reader *r, uint64_t hart, uint8_t privilege,
                     oct_diag *diag) {
  const oct_trap change = {.kind = OCT_TRAP_PRIVILEGE, .privilege = privilege};
  bool is_known = privilege != OCT_PRIVILEGE_UNKNOWN;
  bool is_told = !is_known || (w->has_privilege && privilege == w->privilege);
  oct_trap *last = oct_waiting_last(w, hart);
  if (is_known) w->privilege = privilege;
  w->has_privilege |= is_known;
  if (last) last->privilege = privilege;
  if (last) return oct_waiting_tell(w, r, hart, diag);
  return is_told ? 0 : oct_reader_add_trap(r, &change, diag);
}

void oct_waiting_free(oct_waiting *w) {
  free(w->traps);
}
