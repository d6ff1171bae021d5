// SPDX-License-Identifier: Apache-2.0
// oct_shadow_chains.h - short runs of instructions in which one uses what the one before it left,
// as those of programs do: so a wrong result, flag or loaded word is soon an address or a
// direction.
#ifndef OCT_SHADOW_CHAINS_H
#define OCT_SHADOW_CHAINS_H

#include <cstring>
#include <deque>

#include "oct_shadow_words.h"

extern "C" {
#include "octrace/trace.h"
#include "octrace/map.h"
}

// Words that put a number below 2^8 into a register; and any number, as far as a constant can.
inline uint32_t oct_arm_constant(unsigned reg, uint32_t value) {
  return 0xe3a00000 | reg << 12 | value;
}
inline uint32_t oct_riscv_constant(unsigned reg, uint32_t value) {
  return 0x13 | reg << 7 | value << 20;
}
inline uint32_t oct_arm_value(Stimulus &r, unsigned reg) {
  const uint32_t value = r.below(3) ? r.below(1 << 12) : 0x102;  // 0x80000000
  return oct_arm_constant(reg, value) | r.below(2) << 22;        // or its complement
}
inline uint32_t oct_riscv_value(Stimulus &r, unsigned reg) {
  return r.percent(70) ? oct_riscv_constant(reg, r.below(1 << 12))
                       : 0x37 | reg << 7 | (static_cast<uint32_t>(r.bits()) & ~0xfffu);
}

// Words that load what stands at a register and an offset: of any width, with or without its sign.
inline uint32_t oct_arm_load(Stimulus &r, unsigned reg, int32_t offset) {
  const uint32_t up = offset < 0 ? 0 : 1u << 23;
  const uint32_t by = static_cast<uint32_t>(offset < 0 ? -offset : offset);
  const uint32_t to = reg << 16 | r.below(4) << 12;
  if (by < 256 && r.below(2))
    return 0xe1500090 | (1 + r.below(3)) << 5 | up | to | (by & 0xf0) << 4 | (by & 0xf);
  return 0xe5100000 | r.below(2) << 22 | up | to | (by & 0xfff);
}
inline uint32_t oct_riscv_load(Stimulus &r, unsigned reg, int32_t offset) {
  return 3 | (1 + r.below(3)) << 7 | r.below(7) << 12 | reg << 15 |
         static_cast<uint32_t>(offset) << 20;
}

// Words that use a register: as a base, in a comparison, seldom as a target.
inline uint32_t oct_arm_user(Stimulus &r, unsigned reg) {
  if (r.percent(3)) return 0xe12fff10 | reg;
  if (r.percent(20))  // a comparison, half of them with itself
    return r.below(2) ? 0xe3500000 | reg << 16 | r.below(256) : 0xe1500000 | reg << 16 | reg;
  return oct_arm_load(r, reg, static_cast<int32_t>(r.below(16)) * 4) ^
         (r.percent(30) ? 1u << 20 : 0);
}
inline uint32_t oct_riscv_user(Stimulus &r, unsigned reg) {
  static constexpr uint8_t compares[] = {0, 1, 4, 5, 6, 7};
  if (r.percent(6)) return 0x67 | reg << 15 | r.below(2) << 20;
  if (r.percent(40)) {
    const uint32_t other = r.below(8);
    const bool is_first = r.below(2);
    return 0x63 | (1 + r.below(7)) << 9 | compares[r.below(6)] << 12 |
           (is_first ? reg : other) << 15 | (is_first ? other : reg) << 20;
  }
  if (r.percent(30)) return 0x23 | r.below(4) << 12 | reg << 15 | r.below(8) << 20;
  return oct_riscv_load(r, reg, static_cast<int32_t>(r.below(16)) * 4);
}
// One that does something, or goes somewhere, by the flags.
inline uint32_t oct_arm_flags_user(Stimulus &r) {
  const uint32_t cond = r.below(14) << 28;
  return r.below(2) ? cond | 0x0a000000 | r.below(8)
                    : cond | 0x05900000 | r.below(4) << 16 | r.below(4) << 12;
}

// A load over its own index, which its address shows, of a word that is known, and what uses that
// at once. The index is a copy, so that the word can be stored before.
inline std::deque<uint32_t> oct_arm_over_index(Stimulus &r) {
  const unsigned base = r.below(4), from = 4 + r.below(4), index = 8 + r.below(4);
  return {oct_arm_constant(base, r.below(256)),
          0xe10f0000 | from << 12,          // mrs: unknown
          0xe1a00000 | index << 12 | from,  // mov
          oct_arm_constant(12, r.below(256)),
          0xe780c000 | base << 16 | from,                 // str
          0xe7900000 | base << 16 | index << 12 | index,  // ldr
          oct_arm_user(r, index)};
}

class Chain {
 public:
  Chain(oct_isa isa, oct_disasm *disasm) : is_arm_(isa == OCT_ISA_ARM), disasm_(disasm) {}

  // What comes around a word: its operands, itself, what uses what it leaves, and so on.
  std::deque<uint32_t> of(Stimulus &r, uint32_t word) const {
    if (!is_arm_ && (word & 0x7f) == 0x23 && r.percent(20)) word &= ~(0x1fu << 20);  // stores 0
    oct_map_entry e = decode(word);
    std::deque<uint32_t> words;
    operands(r, e, &words);
    words.push_back(word);
    if (has_word(e) && (e.slots[0] & OCT_SLOT_STORE)) {
      const int32_t offset = static_cast<int32_t>(e.op.mem[0].offset);
      words.push_back(is_arm_ ? oct_arm_load(r, e.op.mem[0].base, offset)
                              : oct_riscv_load(r, e.op.mem[0].base, offset));
      e = decode(words.back());
    }
    const unsigned left = register_of(e);
    if (!(sets_flags(e) && r.below(2)) && left < OCT_REG_COUNT) {
      words.push_back(is_arm_ ? oct_arm_user(r, left) : oct_riscv_user(r, left));
      e = decode(words.back());
    }
    if (is_arm_ && sets_flags(e)) words.push_back(oct_arm_flags_user(r));
    return words;
  }

 private:
  // Words that make known what a word works with.
  void operands(Stimulus &r, const oct_map_entry &e, std::deque<uint32_t> *words) const {
    const oct_effect &op = e.op;
    const bool is_shift = op.result >= OCT_RESULT_SHL && op.result <= OCT_RESULT_SAR;
    const unsigned data = e.n_slots && (e.slots[0] & OCT_SLOT_STORE) ? op.data[0] : OCT_REG_NONE;
    for (unsigned reg : {unsigned{op.a}, unsigned{op.b}, data})
      if (op.flags && reg < OCT_REG_COUNT && (is_shift || r.below(2)))
        words->push_back(is_arm_ ? oct_arm_value(r, reg) : oct_riscv_value(r, reg));
    if (is_shift && op.b < OCT_REG_COUNT)
      words->push_back(is_arm_ ? oct_arm_constant(op.b, r.below(34))
                               : oct_riscv_constant(op.b, r.below(66)));
    // Flags that it keeps.
    if (is_arm_ && sets_flags(e) && (op.set_flags & 15) != OCT_FLAGS_ALU)
      words->push_back(0xe3500000 | r.below(4) << 16 | r.below(256));
    // What a swap loads was stored there.
    const oct_effect_mem &mem = op.mem[0];
    if (e.n_slots == 2 && (mem.form & OCT_MEM_SAME) && mem.base < OCT_REG_COUNT)
      words->push_back(is_arm_ ? 0xe5800000 | unsigned{mem.base} << 16 | r.below(4) << 12
                               : 0x3023 | unsigned{mem.base} << 15 | r.below(4) << 20);
  }
  static bool sets_flags(const oct_map_entry &e) { return (e.op.set_flags & 15) != OCT_FLAGS_KEEP; }
  oct_map_entry decode(uint32_t word) const {
    oct_map_entry e = {};
    uint8_t code[4];
    memcpy(code, &word, sizeof code);
    oct_disasm_insn(disasm_, 0x8000, code, 4, &e);
    return e;
  }
  // Whether it has an access at a register that stays, and an offset of 12 bits.
  static bool has_word(const oct_map_entry &e) {
    const oct_effect_mem &mem = e.op.mem[0];
    const int64_t offset = static_cast<int64_t>(mem.offset << 52) >> 52;
    return e.n_slots == 1 && mem.base < OCT_REG_COUNT && mem.index == OCT_REG_ZERO &&
           !(mem.form & OCT_MEM_BACK) && static_cast<int32_t>(mem.offset) == offset;
  }
  // The register that it leaves something in.
  static unsigned register_of(const oct_map_entry &e) {
    if (e.op.result != OCT_RESULT_NONE && e.op.dest < OCT_REG_COUNT) return e.op.dest;
    const bool loads = e.n_slots && !(e.slots[0] & OCT_SLOT_STORE) && !e.op.list;
    return loads ? e.op.data[0] : OCT_REG_NONE;
  }

  bool is_arm_;
  oct_disasm *disasm_;
};

#endif
