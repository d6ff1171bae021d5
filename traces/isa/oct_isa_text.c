/* SPDX-License-Identifier: Apache-2.0 */
/* oct_isa_text.c - instructions as assembly: by Capstone, but RISC-V, which Capstone 4 does not
 * know, by a table of our own. */
#include "oct_isa_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oct_isa_decode.h"

struct oct_isa_text {
  csh capstone[OCT_ISA_COUNT]; /* 0: not opened */
  cs_insn *insn[OCT_ISA_COUNT];
};

static const struct {
  cs_arch arch;
  cs_mode mode;
} sets[OCT_ISA_COUNT] = {
    [OCT_ISA_ARM] = {CS_ARCH_ARM, CS_MODE_ARM},
    [OCT_ISA_THUMB] = {CS_ARCH_ARM, CS_MODE_THUMB},
    [OCT_ISA_AARCH64] = {CS_ARCH_ARM64, CS_MODE_ARM},
    [OCT_ISA_X86] = {CS_ARCH_X86, CS_MODE_32},
    [OCT_ISA_X86_64] = {CS_ARCH_X86, CS_MODE_64},
    [OCT_ISA_MIPS] = {CS_ARCH_MIPS, (cs_mode)(CS_MODE_MIPS32 | CS_MODE_BIG_ENDIAN)},
    [OCT_ISA_MIPSEL] = {CS_ARCH_MIPS, CS_MODE_MIPS32},
};

oct_isa_text *oct_isa_text_new(void) {
  return calloc(1, sizeof(oct_isa_text));
}

static void close_set(oct_isa_text *t, unsigned isa) {
  if (t->insn[isa]) cs_free(t->insn[isa], 1);
  if (t->capstone[isa]) cs_close(&t->capstone[isa]);
  t->insn[isa] = NULL;
  t->capstone[isa] = 0;
}

void oct_isa_text_free(oct_isa_text *t) {
  for (unsigned isa = 0; t && isa < OCT_ISA_COUNT; isa++) close_set(t, isa);
  free(t);
}

/* Have a decoder of that set. */
static int open_set(oct_isa_text *t, unsigned isa) {
  if (t->capstone[isa]) return 0;
  int error = oct_capstone_open(sets[isa].arch, sets[isa].mode, &t->capstone[isa], &t->insn[isa]);
  if (error) close_set(t, isa);
  return error;
}

int oct_isa_text_decode(oct_isa_text *t, const oct_map_head *e, csh *capstone,
                        const cs_insn **insn) {
  const unsigned isa = e->code_isa - 1u;
  int error = open_set(t, isa);
  if (error) return error;
  const bool is_one =
      oct_capstone_decode(t->capstone[isa], e->code, e->size_bytes, e->addr, t->insn[isa]) &&
      t->insn[isa]->size == e->size_bytes;
  *capstone = t->capstone[isa];
  *insn = is_one ? t->insn[isa] : NULL;
  return 0;
}

int oct_isa_text_of(oct_isa_text *t, const oct_map_head *e, char *text, size_t size) {
  text[0] = '\0';
  if (e->code_isa < 1 || e->code_isa > OCT_ISA_COUNT) return 0;
  const unsigned isa = e->code_isa - 1u;
  if (isa == OCT_ISA_RISCV32 || isa == OCT_ISA_RISCV64) {
    uint32_t word = 0;
    for (unsigned i = 0; i < e->size_bytes && i < 4; i++) word |= (uint32_t)e->code[i] << (8 * i);
    if (!oct_riscv_text(isa == OCT_ISA_RISCV64, word, e->addr, text, size)) text[0] = '\0';
    return 0;
  }
  csh capstone;
  const cs_insn *insn;
  int error = oct_isa_text_decode(t, e, &capstone, &insn);
  if (error) return error;
  if (insn)
    snprintf(text, size, "%s%s%s", insn->mnemonic, insn->op_str[0] ? " " : "", insn->op_str);
  return 0;
}
