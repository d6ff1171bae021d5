// SPDX-License-Identifier: Apache-2.0
// oct_shadow_words.h - random words of instructions that meet each operation of `shadow`, with few
// registers, so that values are known.
#ifndef OCT_SHADOW_WORDS_H
#define OCT_SHADOW_WORDS_H

#include "oct_twin.h"

// Few registers of a list or nearly all, with the program counter in half of them.
inline uint32_t oct_arm_list(Stimulus &r) {
  uint32_t list = 0;
  for (uint32_t n = r.below(12); n; n--) list |= 1u << r.below(15);
  if (r.below(2)) list ^= 0x7fff;
  return list | (r.below(2) ? 0x8000 : 0);
}

inline uint32_t oct_arm_word(Stimulus &r) {
  uint32_t w = static_cast<uint32_t>(r.bits());
  // Few registers, mostly without a condition, so that values are known.
  if (r.percent(85)) w = (w & 0x0fffffff) | 0xe0000000;
  if (r.percent(70)) w &= ~0x000cc000u & ~0x8u;
  switch (r.below(13)) {
    case 11:  // lists for floating point, up to 32 words
      w = (w & 0xf03ff000) | 0x0c800a00 | r.below(2) << 8 | r.below(36);
      break;
    case 0:  // loads and stores of words, with and without write-back
      w = (w & 0xf3ffffff) | 0x04000000;
      if (r.percent(70)) w &= ~0xff0u;
      break;
    case 1:
      w = (w & 0xf1ffffff) | 0x08000000;
      if (r.below(2)) w &= ~0xbfd0u;
      if (r.below(5) == 0) w |= (r.below(2) ? 0xffffu : 0x7fffu) & ~(1u << r.below(16));
      if (r.below(4) == 0) w = (w & 0xffff0000) | oct_arm_list(r);
      break;
    case 2:
      w = (w & 0xf1ffffff) | 0x0a000000;
      w = (w & 0xff000000) | (r.below(64) - 32u & 0xffffff);
      break;
    case 3:
      w = (w & 0xf0000000) | (r.below(2) ? 0x012fff10u : 0x012fff30u) | r.below(16);
      break;
    case 4:
      w = (w & 0xf3ffffff) | 0x02000000;
      break;
    case 5:
      w = (w & 0xf1ffff6f) | 0x00000000;
      break;
    case 6:  // swaps
      if (r.below(2)) w = (w & 0xf04ff00f) | 0x01000090;
      break;
    case 7:  // halfwords, signed bytes, pairs
      w = (w & 0xf1ffff0f) | 0x90 | (1 + r.below(3)) << 5;
      if (r.below(4) == 0) w |= 0xf0000;  // relative to the pc
      break;
    case 8: {  // extensions
      static constexpr uint32_t extends[] = {0x06af0070, 0x06bf0070, 0x06ef0070, 0x06ff0070};
      w = (w & 0xf000fc0f) | extends[r.below(4)];
      if (r.below(2)) w &= ~0xc00u;
      break;
    }
    case 9:  // loads and stores that exclude others
      w = (w & 0xf00ff0ff) | 0x01800f90 | r.below(8) << 20;
      break;
    case 10:  // shifts by a register
      w = (w & 0xf010ff6f) | 0x01a00010;
      break;
    default:
      break;
  }
  return w;
}

inline uint32_t oct_riscv_word(Stimulus &r) {
  static constexpr uint8_t opcodes[] = {0x03, 0x03, 0x23, 0x23, 0x13, 0x33, 0x17, 0x37,
                                        0x63, 0x63, 0x67, 0x6f, 0x2f, 0x73, 0x1b, 0x3b};
  static constexpr uint32_t extends[] = {0x60401013, 0x60501013, 0x08004033, 0x0800403b};
  // With a second register: sh1add.uw to sh3add.uw, add.uw, andn, orn, sra, sraw.
  static constexpr uint32_t pairs[] = {0x2000203b, 0x2000403b, 0x2000603b, 0x0800003b,
                                       0x40007033, 0x40006033, 0x40005033, 0x4000503b};
  uint32_t w = static_cast<uint32_t>(r.bits());
  if (r.percent(2)) return (w & 0x000c8f80) | extends[r.below(4)];
  if (r.percent(3)) return (w & 0x001b8f80) | pairs[r.below(8)];
  if (r.percent(30)) return w & ~(r.below(2) ? 2u : 0);
  w = (w & ~0x7fu) | opcodes[r.below(sizeof opcodes)];
  if (r.percent(70)) w &= ~0x00cc0600u;
  if ((w & 0x7f) == 0x63) w &= 0x03fffc7f;
  if ((w & 0x7f) == 0x6f) w &= 0x07ffffff & ~0x00100000u;
  if ((w & 0x7f) == 0x2f) w &= ~0x60000000u;
  if (r.percent(40)) w &= 0x03ffffff;
  if ((w & 0x77) == 0x33 && r.percent(50)) w = (w & 0x01ffffff) | r.below(2) << 30;
  if ((w & 0x7f) == 0x73 && r.percent(90)) w ^= 0x60;
  return w;
}

#endif
