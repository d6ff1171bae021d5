/* SPDX-License-Identifier: Apache-2.0 */
/* oct_isa_text.h - inside of the library: instructions as assembly, for people to read. */
#ifndef OCT_ISA_TEXT_H
#define OCT_ISA_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "octrace/trace.h"

/* Writes instructions of all sets as text; for one thread at a time. */
typedef struct oct_isa_text oct_isa_text;
/* The caller frees it; NULL when out of memory. */
oct_isa_text *oct_isa_text_new(void);
void oct_isa_text_free(oct_isa_text *t);
/* The instruction of e as one line ("addi a0, a0, 1"), cut to size; empty where its bytes are not
 * known (code_isa is 0) or are no instruction for us. The IT block around a Thumb instruction does
 * not show. 0, or OCT_ERR_NOMEM with an empty text. */
int oct_isa_text_of(oct_isa_text *t, const oct_map_head *e, char *text, size_t size);

/* The same of a RISC-V instruction word at addr; false when there is no name for it. */
bool oct_riscv_text(bool is_64, uint32_t word, uint64_t addr, char *text, size_t size);

#endif
