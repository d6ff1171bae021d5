/* SPDX-License-Identifier: Apache-2.0 */
/* oct_isa_outside.c - instructions whose result does not follow from registers and memory.
 *
 * Those that enter or leave the kernel have a mark in their effect. The others are told by their
 * bytes: reads of control registers, but for those of the program's own state (floating point,
 * thread pointer), which an emulator keeps. */
#include "oct_isa_outside.h"

/* Bytes behind a shorter instruction are 0. */
static uint32_t word_of(const oct_map_entry *e) {
  return e->code[0] | e->code[1] << 8 | e->code[2] << 16 | (uint32_t)e->code[3] << 24;
}

static bool riscv(const oct_map_entry *e) {
  enum { OP_SYSTEM = 0x73, OP_FENCE = 0x0f, FCSR = 3 };
  const uint32_t w = word_of(e), csr = w >> 20, width = w >> 12 & 7;
  if (e->size_bytes == 2) return w == 0x9002; /* c.ebreak */
  if ((w & 0x7f) == OP_FENCE) return width > 1;
  return (w & 0x7f) == OP_SYSTEM && (!width || !csr || csr > FCSR);
}

/* Moves from and to coprocessors but the thread pointer's read (p15, 0, c13, c0, 3) and those of
 * floating point. */
static bool coprocessor(uint32_t w) {
  const bool is_move = (w & 0x0f000010) == 0x0e000010, is_two = (w & 0x0fe00000) == 0x0c400000;
  if ((w >> 9 & 7) == 5) return false; /* cp10, cp11 */
  return (is_move && (w & 0x00ff0fff) != 0x001d0f70) || is_two;
}

static bool aarch64(uint32_t w) {
  enum { NZCV = 0x5a10, FPCR = 0x5a20, FPSR = 0x5a21, TPIDR = 0x5e82 };
  if ((w & 0xffd00000) != 0xd5100000) return false; /* mrs, msr */
  const uint32_t reg = w >> 5 & 0x7fff;
  return reg != NZCV && reg != FPCR && reg != FPSR && reg != TPIDR;
}

static bool x86(const oct_map_entry *e) {
  unsigned i = 0, n = e->size_bytes;
  const uint8_t *c = e->code;
  while (i < n && (c[i] == 0x66 || c[i] == 0xf2 || c[i] == 0xf3 || c[i] == 0x2e || c[i] == 0x3e ||
                   c[i] == 0x64 || c[i] == 0x65 || c[i] == 0x67 || c[i] == 0xf0))
    i++;
  if (e->code_isa == OCT_ISA_X86_64 + 1 && i < n && (c[i] & 0xf0) == 0x40) i++;
  if (i + 1 >= n) return i < n && (c[i] == 0xcc || c[i] == 0xf4 || (c[i] & 0xfc) == 0xec);
  if (c[i] == 0xcd || (c[i] & 0xfc) == 0xe4) return true; /* int, in, out */
  if (c[i] != 0x0f) return false;
  switch (c[i + 1]) {
    case 0x05: /* syscall */
    case 0x07:
    case 0x0b: /* ud2 */
    case 0x31: /* rdtsc */
    case 0x33: /* rdpmc */
    case 0x34: /* sysenter */
    case 0xa2: /* cpuid */
      return true;
    case 0x01: /* xgetbv, rdtscp and other forms without memory */
      return i + 2 < n && c[i + 2] >= 0xc0;
    case 0xae: /* stmxcsr: emulators do not keep the exceptions in it */
      return i + 2 < n && c[i + 2] < 0xc0 && (c[i + 2] >> 3 & 7) == 3;
    case 0xc7: /* rdrand, rdseed, rdpid */
      return i + 2 < n && c[i + 2] >= 0xf0;
    default:
      return false;
  }
}

bool oct_isa_is_store_conditional(oct_isa isa, uint32_t w) {
  switch (isa) {
    case OCT_ISA_RISCV32:
    case OCT_ISA_RISCV64:
      return (w & 0xf800007f) == 0x1800002f;
    case OCT_ISA_AARCH64: /* a pair of bytes or halfwords is none: casp */
      return (w & 0x3fc00000) == 0x08000000 && (w >> 31 || !(w >> 21 & 1));
    case OCT_ISA_ARM:
      return (w & 0x0f900ef0) == 0x01800e90;
    case OCT_ISA_THUMB: /* its first halfword is the lower one */
      return (w & 0xfff0) == 0xe840 || ((w & 0xfff0) == 0xe8c0 && w >> 22 & 1);
    default:
      return false;
  }
}

bool oct_isa_is_outside(const oct_map_entry *e) {
  if (!e->code_isa || (e->op.flags & OCT_EFFECT_SYSTEM)) return true;
  switch (e->code_isa - 1) {
    case OCT_ISA_RISCV32:
    case OCT_ISA_RISCV64:
      return riscv(e);
    case OCT_ISA_ARM:
      return coprocessor(word_of(e));
    case OCT_ISA_THUMB: {
      const uint32_t w = word_of(e);
      return e->size_bytes == 4 && (w & 0xec00) == 0xec00 && coprocessor(w << 16 | w >> 16);
    }
    case OCT_ISA_AARCH64:
      return aarch64(word_of(e));
    case OCT_ISA_X86:
    case OCT_ISA_X86_64:
      return x86(e);
    default:
      return false;
  }
}

oct_isa_state oct_isa_moves_state(const oct_map_entry *e) {
  enum { LONGER = 0x48 }; /* a prefix */
  const uint8_t *c = e->code + (e->code[0] == LONGER);
  const bool is_x86 = e->code_isa == OCT_ISA_X86 + 1 || e->code_isa == OCT_ISA_X86_64 + 1;
  const unsigned form = c[2] >> 3 & 7;
  if (!is_x86 || c[0] != 0x0f || c[2] >= 0xc0) return OCT_STATE_NONE;
  if (c[1] == 0xae && form == 5) return OCT_STATE_RESTORED; /* xrstor */
  if (c[1] == 0xae) return form == 4 || form == 6 ? OCT_STATE_SAVED : OCT_STATE_NONE;
  return c[1] == 0xc7 && form == 4 ? OCT_STATE_SAVED : OCT_STATE_NONE; /* xsavec */
}
