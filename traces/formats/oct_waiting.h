/* SPDX-License-Identifier: Apache-2.0 */
/* oct_waiting.h - inside of the library: traps of simulators' logs that wait for the next
 * instruction of their processor. */
#ifndef OCT_WAITING_H
#define OCT_WAITING_H

#include "oct_reader_format.h"

#include <stdbool.h>

/* A processor that the log does not name: that of a trap goes with any, an instruction of it takes
 * the traps of all. */
#define OCT_WAITING_ANY UINT64_MAX
/* So many wait; of more the oldest is told at once. */
#define OCT_WAITING_MAX 256

typedef struct oct_waiting_trap {
  oct_trap trap;
  uint64_t hart;
} oct_waiting_trap;

/* Zeroed at first. */
typedef struct oct_waiting {
  oct_waiting_trap *traps; /* in the order of their lines */
  size_t n, room;
  uint8_t privilege; /* of the last instruction, whichever processor's */
  bool has_privilege;
} oct_waiting;

/* Take a trap. OCT_ERR_NOMEM, or as oct_reader_add_trap. */
int oct_waiting_add(oct_waiting *w, oct_reader *r, uint64_t hart, const oct_trap *trap,
                    oct_diag *diag);
/* The first and the last that waits for this processor, or NULL. Valid until the next call. */
oct_trap *oct_waiting_first(const oct_waiting *w, uint64_t hart);
oct_trap *oct_waiting_last(const oct_waiting *w, uint64_t hart);
/* Add those of this processor to the batch, in their order. As oct_reader_add_trap. */
int oct_waiting_tell(oct_waiting *w, oct_reader *r, uint64_t hart, oct_diag *diag);
/* What stands before the next instruction of this processor, which has this privilege: its traps,
 * of which the last one tells the privilege, or a change of that alone. As oct_reader_add_trap. */
int oct_waiting_next(oct_waiting *w, oct_reader *r, uint64_t hart, uint8_t privilege,
                     oct_diag *diag);
void oct_waiting_free(oct_waiting *w);

#endif
