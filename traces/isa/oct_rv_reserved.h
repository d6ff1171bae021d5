/* SPDX-License-Identifier: Apache-2.0 */
/* oct_rv_reserved.h - inside of the library: which RISC-V encodings effects do not know,
 * after the unprivileged ISA manual (20191213) and the extensions Zacas, Zcb and Zcmop: those that
 * are reserved, and vectors.
 *
 * Left to the decoder, because they write at most rd: what OP, OP-IMM and their 32-bit kin have
 * besides. The same in Verilog: rtl/shadow/oct_shadow_rv.v and oct_shadow_rvc.v. */
#ifndef OCT_RV_RESERVED_H
#define OCT_RV_RESERVED_H

#include <stdint.h>

/* Of an instruction of two bytes. */
static inline int oct_rv_is_short_reserved(int is_64, uint32_t w) {
  unsigned rd = w >> 7 & 31, is_high = w >> 12 & 1, change = w >> 2 & 7;
  switch ((w & 3) << 3 | (w >> 13 & 7)) {
    case 000: /* c.addi4spn of 0 */
      return !(w & 0x1fe0);
    case 004: /* behind c.sh, and beside it */
      return is_high || (w & 0x0c40) == 0x0c40;
    case 011: /* c.addiw */
      return is_64 && !rd;
    case 013: /* c.addi16sp and c.lui of 0, but for c.mop.n */
      return !is_high && !(w & 0x7c) && (!(rd & 1) || rd > 15);
    case 014:
      if ((w & 0x0c00) < 0x0800) return !is_64 && is_high; /* shifts by 32 or more */
      if ((w & 0x1c00) != 0x1c00) return 0;
      if ((w & 0x0060) == 0x0060) return change > 5 || (change == 4 && !is_64);
      return !is_64 && !(w & 0x0040); /* c.subw c.addw */
    case 020:
      return !is_64 && is_high;
    case 022: /* c.lwsp */
      return !rd;
    case 023: /* c.ldsp */
      return is_64 && !rd;
    case 024: /* c.jr */
      return !rd && !(w & 0x107c);
    default:
      return 0;
  }
}

/* Of one of four bytes. */
static inline int oct_rv_is_long_reserved(int is_64, uint32_t w) {
  /* Bit n: bits 31..27 of a floating-point operation are n. */
  static const uint32_t float_kinds = 0x5550093f;
  static const uint32_t opcodes = 0x1b1f7b7b; /* likewise, of bits 6..2 */
  unsigned width = w >> 12 & 7, kind = w >> 27, rd = w >> 7 & 31;
  switch (w >> 2 & 31) {
    case 0x00:
      return width == 7 || (!is_64 && (width == 3 || width == 6));
    case 0x03: /* fence, fence.i and cbo */
      return width > 2;
    case 0x06:
    case 0x0e:
      return !is_64;
    case 0x08:
      return width > 3 || (!is_64 && width == 3);
    case 0x0b: /* amocas, kind 5, of two registers is not known */
      return width > (is_64 ? 3u : 2u) || ((kind & 3) && kind > 3 && kind != 5);
    case 0x14:
      return !(float_kinds >> kind & 1);
    case 0x18:
      return width == 2 || width == 3;
    case 0x19:
      return width != 0;
    case 0x1c:
      return !width && rd;
    default:
      return !(opcodes >> (w >> 2 & 31) & 1);
  }
}

static inline int oct_rv_is_reserved(int is_64, uint32_t w) {
  return (w & 3) == 3 ? oct_rv_is_long_reserved(is_64, w) : oct_rv_is_short_reserved(is_64, w);
}

#endif
