/* SPDX-License-Identifier: Apache-2.0 */
/* oct_isa_vectors.c - the registers of floating point and vectors of an instruction: of x86, ARM
 * and AArch64 as Capstone has them, of RISC-V and MIPS from their encodings.
 *
 * Of loads and stores of several registers Capstone 4 says that all are read, or some written:
 * there the name of the instruction decides. Of RISC-V's vectors the first register of a group
 * stands for the group. Sources: the RISC-V unprivileged manual and its vector extension 1.0,
 * MIPS32 volume II. */
#include "oct_isa_vectors.h"

#include <string.h>

#include "oct_isa_decode.h"

static uint32_t bit(unsigned reg) {
  return UINT32_C(1) << (reg & 31);
}

/* ---- RISC-V ---- */

static void riscv_compressed(uint32_t word, bool is_64, oct_isa_vectors *regs) {
  const unsigned of_three = 8 + (word >> 2 & 7);
  switch ((word & 3) << 3 | (word >> 13 & 7)) {
    case 001: /* c.fld, c.flw */
    case 003:
      if (is_64 && word >> 13 == 3) return;
      regs->f_writes = bit(of_three);
      return;
    case 005: /* c.fsd, c.fsw */
    case 007:
      if (is_64 && word >> 13 == 7) return;
      regs->f_reads = bit(of_three);
      return;
    case 021: /* c.fldsp, c.flwsp */
    case 023:
      if (is_64 && word >> 13 == 3) return;
      regs->f_writes = bit(word >> 7);
      return;
    case 025: /* c.fsdsp, c.fswsp */
    case 027:
      if (is_64 && word >> 13 == 7) return;
      regs->f_reads = bit(word >> 2);
      return;
    default:
      return;
  }
}

/* Loads and stores: widths 1 to 4 are of floating point, the others of vectors. */
static void riscv_memory(uint32_t word, bool is_store, oct_isa_vectors *regs) {
  const unsigned width = word >> 12 & 7, rd = word >> 7, rs2 = word >> 20;
  if (width >= 1 && width <= 4) {
    *(is_store ? &regs->f_reads : &regs->f_writes) = bit(is_store ? rs2 : rd);
    return;
  }
  *(is_store ? &regs->v_reads : &regs->v_writes) = bit(rd);
  if (word >> 26 & 1) regs->v_reads |= bit(rs2); /* indexed */
  if (!(word >> 25 & 1)) regs->v_reads |= bit(0);
}

static void riscv_float(uint32_t word, oct_isa_vectors *regs) {
  const unsigned op = word >> 27, rd = word >> 7, rs1 = word >> 15, rs2 = word >> 20;
  const bool from_integer = op == 0x1a || op == 0x1e; /* fcvt.s.w, fmv.w.x */
  const bool to_integer = op == 0x14 || op == 0x18 || op == 0x1c;
  const bool has_two = op < 6 || op == 0x14; /* fadd .. fminmax, feq */
  if (!from_integer) regs->f_reads = bit(rs1);
  if (has_two) regs->f_reads |= bit(rs2);
  if (!to_integer) regs->f_writes = bit(rd);
}

static void riscv_vector(uint32_t word, oct_isa_vectors *regs) {
  enum { IVV, FVV, MVV, IVI, IVX, FVF, MVX, CONFIGURE };
  const unsigned kind = word >> 12 & 7, op = word >> 26;
  const unsigned vd = word >> 7, vs1 = word >> 15, vs2 = word >> 20;
  if (kind == CONFIGURE) regs->x_writes = bit(vd) & ~UINT32_C(1);
  if (kind == CONFIGURE) return;
  const bool is_move = op == 0x10 && (kind == FVV || kind == MVV || kind == FVF || kind == MVX);
  const bool is_unary =
      ((kind == FVV || kind == MVV) && (op == 0x12 || op == 0x13)) || (kind == MVV && op == 0x14);
  const bool accumulates =
      ((kind == FVV || kind == FVF) && (op >> 3 == 5 || op >> 2 == 15)) ||
      ((kind == MVV || kind == MVX) && (((op >> 3 == 5) && op & 1) || op >> 2 == 15));
  const bool to_scalar = is_move && (kind == FVV || kind == MVV);
  const bool from_scalar = is_move && (kind == FVF || kind == MVX);
  const bool is_splat = op == 0x17 && word >> 25 & 1 &&
                        (kind == IVV || kind == IVX || kind == IVI || kind == FVF); /* vmv.v */
  if (!from_scalar && !is_splat) regs->v_reads |= bit(vs2);
  if ((kind == IVV || kind == FVV || kind == MVV) && !is_unary && !to_scalar)
    regs->v_reads |= bit(vs1);
  if (kind == FVF) regs->f_reads |= bit(vs1);
  if (accumulates) regs->v_reads |= bit(vd);
  if (!(word >> 25 & 1)) regs->v_reads |= bit(0);
  if (!to_scalar)
    regs->v_writes = bit(vd);
  else if (kind == FVV)
    regs->f_writes = bit(vd); /* vfmv.f.s */
  else
    regs->x_writes = bit(vd) & ~UINT32_C(1);
}

static void riscv(uint32_t word, bool is_64, oct_isa_vectors *regs) {
  if ((word & 3) != 3) {
    riscv_compressed(word, is_64, regs);
    return;
  }
  switch (word & 0x7f) {
    case 0x07:
    case 0x27:
      riscv_memory(word, word & 0x20, regs);
      return;
    case 0x43: /* fmadd and its kin */
    case 0x47:
    case 0x4b:
    case 0x4f:
      regs->f_reads = bit(word >> 15) | bit(word >> 20) | bit(word >> 27);
      regs->f_writes = bit(word >> 7);
      return;
    case 0x53:
      riscv_float(word, regs);
      return;
    case 0x57:
      riscv_vector(word, regs);
      return;
    default:
      return;
  }
}

/* ---- MIPS ---- */

static void mips(uint32_t word, oct_isa_vectors *regs) {
  const unsigned format = word >> 21 & 31, function = word & 63;
  const uint32_t ft = bit(word >> 16), fs = bit(word >> 11), fd = bit(word >> 6);
  switch (word >> 26) {
    case 0x11:
      if (format < 4) { /* mfc1 */
        regs->f_reads = format == 2 ? 0 : fs;
      } else if (format < 8) { /* mtc1 */
        regs->f_writes = format == 6 ? 0 : fs;
      } else if (format >= 16) {
        const bool compares = function >= 0x30;
        regs->f_reads = fs | (function < 4 || compares ? ft : 0);
        regs->f_writes = compares ? 0 : fd;
      }
      return;
    case 0x13:
      if (function < 2) /* lwxc1, ldxc1 */
        regs->f_writes = fd;
      else if (function >= 8 && function < 10) /* swxc1, sdxc1 */
        regs->f_reads = fs;
      else if (function >= 32) { /* madd and its kin */
        regs->f_reads = bit(word >> 21) | fs | ft;
        regs->f_writes = fd;
      }
      return;
    case 0x31: /* lwc1, ldc1 */
    case 0x35:
      regs->f_writes = ft;
      return;
    case 0x39: /* swc1, sdc1 */
    case 0x3d:
      regs->f_reads = ft;
      return;
    default:
      return;
  }
}

/* ---- by Capstone ---- */

typedef struct bank {
  unsigned first, last; /* as Capstone numbers them */
  bool is_f;
  uint8_t each; /* registers of ours for one of these; 0: two of these are one */
} bank;

static const bank banks_x86[] = {
    {X86_REG_XMM0, X86_REG_XMM31, false, 1}, {X86_REG_YMM0, X86_REG_YMM31, false, 1},
    {X86_REG_ZMM0, X86_REG_ZMM31, false, 1}, {X86_REG_MM0, X86_REG_MM7, true, 1},
    {X86_REG_ST0, X86_REG_ST7, true, 1},     {X86_REG_FP0, X86_REG_FP7, true, 1}};
static const bank banks_arm[] = {{ARM_REG_D0, ARM_REG_D31, false, 1},
                                 {ARM_REG_Q0, ARM_REG_Q15, false, 2},
                                 {ARM_REG_S0, ARM_REG_S31, false, 0}};
static const bank banks_aarch64[] = {
    {ARM64_REG_B0, ARM64_REG_B31, false, 1}, {ARM64_REG_H0, ARM64_REG_H31, false, 1},
    {ARM64_REG_S0, ARM64_REG_S31, false, 1}, {ARM64_REG_D0, ARM64_REG_D31, false, 1},
    {ARM64_REG_Q0, ARM64_REG_Q31, false, 1}, {ARM64_REG_V0, ARM64_REG_V31, false, 1}};

static void put(const bank *banks, size_t n_banks, unsigned reg, uint32_t *f, uint32_t *v) {
  for (size_t i = 0; i < n_banks; i++) {
    const bank *b = &banks[i];
    if (reg < b->first || reg > b->last) continue;
    const unsigned n = reg - b->first;
    uint32_t *mask = b->is_f ? f : v;
    *mask |= b->each == 2 ? bit(2 * n) | bit(2 * n + 1) : bit(b->each ? n : n / 2);
  }
}

static void put_accessed(csh capstone, const cs_insn *insn, const bank *banks, size_t n_banks,
                         oct_isa_vectors *regs) {
  cs_regs read, written;
  uint8_t n_read = 0, n_written = 0;
  if (cs_regs_access(capstone, insn, read, &n_read, written, &n_written)) return;
  for (unsigned i = 0; i < n_read; i++)
    put(banks, n_banks, read[i], &regs->f_reads, &regs->v_reads);
  for (unsigned i = 0; i < n_written; i++)
    put(banks, n_banks, written[i], &regs->f_writes, &regs->v_writes);
}

/* A load or store of whole registers, however many: 1 loads, 2 stores; 0: anything else. */
static int is_whole(const cs_insn *insn, bool is_aarch64) {
  const char *name = insn->mnemonic;
  if (is_aarch64) {
    for (unsigned i = 0; i < insn->detail->arm64.op_count; i++)
      if (insn->detail->arm64.operands[i].vector_index >= 0) return 0; /* one lane */
    return !strncmp(name, "ld", 2) ? 1 : !strncmp(name, "st", 2) ? 2 : 0;
  }
  if (!strncmp(name, "vpop", 4) || !strncmp(name, "vldm", 4)) return 1;
  return !strncmp(name, "vpush", 5) || !strncmp(name, "vstm", 4) ? 2 : 0;
}

/* Put all registers that are operands. */
static void put_operands(const cs_insn *insn, bool is_aarch64, const bank *banks, size_t n_banks,
                         uint32_t *v) {
  uint32_t none = 0;
  const cs_arm64 *a = &insn->detail->arm64;
  const cs_arm *b = &insn->detail->arm;
  for (unsigned i = 0; is_aarch64 && i < a->op_count; i++)
    if (a->operands[i].type == ARM64_OP_REG) put(banks, n_banks, a->operands[i].reg, &none, v);
  for (unsigned i = 0; !is_aarch64 && i < b->op_count; i++)
    if (b->operands[i].type == ARM_OP_REG)
      put(banks, n_banks, (unsigned)b->operands[i].reg, &none, v);
}

int oct_isa_vectors_of(oct_isa_text *t, const oct_map_head *e, oct_isa_vectors *regs) {
  csh capstone;
  const cs_insn *insn;
  *regs = (oct_isa_vectors){0};
  if (e->code_isa < 1 || e->code_isa > OCT_ISA_COUNT) return 0;
  const oct_isa isa = (oct_isa)(e->code_isa - 1);
  uint32_t word = 0, reversed = 0;
  for (unsigned i = 0; i < e->size_bytes && i < 4; i++) {
    word |= (uint32_t)e->code[i] << (8 * i);
    reversed = reversed << 8 | e->code[i];
  }
  if (isa == OCT_ISA_RISCV32 || isa == OCT_ISA_RISCV64)
    riscv(word, isa == OCT_ISA_RISCV64, regs);
  else if (isa == OCT_ISA_MIPS || isa == OCT_ISA_MIPSEL)
    mips(isa == OCT_ISA_MIPS ? reversed : word, regs);
  if (isa != OCT_ISA_X86 && isa != OCT_ISA_X86_64 && isa != OCT_ISA_AARCH64 && isa != OCT_ISA_ARM &&
      isa != OCT_ISA_THUMB)
    return 0;
  int error = oct_isa_text_decode(t, e, &capstone, &insn);
  if (error || !insn) return error;
  const bool is_x86 = isa == OCT_ISA_X86 || isa == OCT_ISA_X86_64;
  const bank *banks = is_x86 ? banks_x86 : isa == OCT_ISA_AARCH64 ? banks_aarch64 : banks_arm;
  const size_t n = is_x86                   ? sizeof banks_x86 / sizeof *banks
                   : isa == OCT_ISA_AARCH64 ? sizeof banks_aarch64 / sizeof *banks
                                            : sizeof banks_arm / sizeof *banks;
  put_accessed(capstone, insn, banks, n, regs);
  const int whole = is_x86 ? 0 : is_whole(insn, isa == OCT_ISA_AARCH64);
  if (whole) *regs = (oct_isa_vectors){0};
  if (whole)
    put_operands(insn, isa == OCT_ISA_AARCH64, banks, n,
                 whole == 1 ? &regs->v_writes : &regs->v_reads);
  return 0;
}
