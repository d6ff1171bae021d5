/* SPDX-License-Identifier: Apache-2.0 */
/* oct_pt_emit.h - inside of the encoder: Intel PT packets as bytes. */
#ifndef OCT_PT_EMIT_H
#define OCT_PT_EMIT_H

#include "oct_pt_encode.h"

enum {
  OCT_PT_CODE_TIP = 0x0d,
  OCT_PT_CODE_PGE = 0x11,
  OCT_PT_CODE_PGD = 0x01,
  OCT_PT_CODE_FUP = 0x1d
};

/* All return 0 or OCT_ERR_NOMEM; bits is the counter that pays. */

/* A packet of a code and a payload. */
int oct_pt_put(oct_pt_encoder *e, uint32_t code, unsigned code_bytes, uint64_t payload,
               unsigned n_bytes, uint64_t *bits);
/* TSC, which counts retired instructions; and TMA with MTC. */
int oct_pt_put_tsc(oct_pt_encoder *e, uint64_t number, uint64_t *bits);
/* The outcome of a branch. */
int oct_pt_put_bit(oct_pt_encoder *e, bool bit);
/* A packet with an address, as few bytes of it as differ from the last. */
int oct_pt_put_ip(oct_pt_encoder *e, uint8_t code, uint64_t ip);
/* The end of tracing at an instruction that says so itself. */
int oct_pt_put_pgd(oct_pt_encoder *e);
int oct_pt_put_pip(oct_pt_encoder *e, uint32_t task);
/* PSB and what follows it up to PSBEND. The next instruction is insn. */
int oct_pt_put_psb(oct_pt_encoder *e, uint64_t number, const oct_insn *insn);

#endif
