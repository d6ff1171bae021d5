/* SPDX-License-Identifier: Apache-2.0 */
/* oct_qemu_traps.h - inside of the library: traps in logs of QEMU -d int. */
#ifndef OCT_QEMU_TRAPS_H
#define OCT_QEMU_TRAPS_H

#include "oct_lines.h"
#include "oct_waiting.h"

/* Zeroed at first. */
typedef struct oct_qemu_traps {
  oct_waiting waiting;
  bool has_more;    /* lines with more of the last of them may follow */
  bool is_hardware; /* the next trap of x86 is an interrupt */
} oct_qemu_traps;

/* Take a line: 1, 0 when it is of no trap, or an error as of oct_waiting_add. */
int oct_qemu_traps_take(oct_qemu_traps *s, oct_reader *r, const oct_lines *l, oct_diag *diag);

#endif
