/* SPDX-License-Identifier: Apache-2.0 */
/* oct_isa_outside.h - instructions whose result does not follow from registers and memory. */
#ifndef OCT_ISA_OUTSIDE_H
#define OCT_ISA_OUTSIDE_H

#include "octrace/trace.h"

/* Whether what the instruction does comes from outside of the program: a system call, a counter,
 * an identification, a random number, or an instruction of which the bytes are not known. It is not
 * executed in a replay: the trace tells what it did. */
bool oct_isa_is_outside(const oct_map_entry *e);

/* Whether a word of code, its first byte the lowest, is an instruction of 4 bytes that stores only
 * if nobody has written since a load (sc, stxr, strex and their like). Whether it did is known to
 * the trace alone. */
bool oct_isa_is_store_conditional(oct_isa isa, uint32_t word);

/* x86 instructions of the processor's extended state, which an emulator may lack: those that save
 * it change no register; one that restores it loads the vector registers. */
typedef enum oct_isa_state { OCT_STATE_NONE, OCT_STATE_SAVED, OCT_STATE_RESTORED } oct_isa_state;
oct_isa_state oct_isa_moves_state(const oct_map_entry *e);

#endif
