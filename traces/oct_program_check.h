/* SPDX-License-Identifier: Apache-2.0 */
/* oct_program_check.h - inside of the library: is the program the one that was
 * traced? */
#ifndef OCT_PROGRAM_CHECK_H
#define OCT_PROGRAM_CHECK_H

#include "oct_reader_format.h"

#include <stdbool.h>

typedef struct oct_program_check oct_program_check;

/* An instruction that the trace tells, in code of r's program, and whether it differs from that.
 * Errors: OCT_ERR_NOMEM. */
int oct_program_check_told(oct_reader *r, const oct_map_entry *insn, bool is_other, oct_diag *diag);
/* What r's program has at an address of which the trace does not tell the instruction. Errors:
 * OCT_ERR_NOMEM. */
int oct_program_check_take(oct_reader *r, const oct_map_entry *insn, oct_diag *diag);
/* Look at the batch. Errors: OCT_ERR_ARG, it is another program. */
int oct_program_check_batch(oct_reader *r, oct_diag *diag);
void oct_program_check_free(oct_program_check *check);

#endif
