/* SPDX-License-Identifier: Apache-2.0 */
/* oct_isa_vectors.h - the registers of floating point and vectors that an instruction reads and
 * writes, which effects do not have.
 *
 * Where vectors and floating point share their registers (AArch64, Arm's d0 to d31), these count as
 * vectors. f: the registers of RISC-V and MIPS, and those of x87 and MMX. v: also xmm, ymm, zmm.
 *
 * Threads: an oct_isa_text is for one thread at a time. */
#ifndef OCT_ISA_VECTORS_H
#define OCT_ISA_VECTORS_H

#include "oct_isa_text.h"

/* Bit r: register r. x_writes: the integer register that an instruction of RISC-V's vector
 * extension writes, of which the effect says only that any may change. */
typedef struct oct_isa_vectors {
  uint32_t f_reads, f_writes, v_reads, v_writes, x_writes;
} oct_isa_vectors;

/* Those of the instruction e, none where its bytes are not known. 0 or OCT_ERR_NOMEM. */
int oct_isa_vectors_of(oct_isa_text *t, const oct_map_head *e, oct_isa_vectors *regs);

#endif
