// SPDX-License-Identifier: Apache-2.0
// oct_riscv_random.h - what a core tells through RISC-V's trace ingress port, at random: blocks of
// instructions, accesses of each type, traps, privilege, context, triggers, and each rule of the
// port broken now and then. For some time each it has an itype of 4 bits and one of 3. For modules
// with the inputs of rtl/common/oct_riscv_ingress.v.
#ifndef OCT_RISCV_RANDOM_H
#define OCT_RISCV_RANDOM_H

#include "oct_ignored_random.h"
#include "oct_time_random.h"

extern "C" {
#include "oct_riscv_ingress.h"
#include "oct_rv_access.h"
}

// HALFWORDS_ of a block, DEPTH_ of the queue.
template <unsigned BLOCKS_ = 2, unsigned HALFWORDS_ = 4, unsigned ACCESSES_ = 2,
          unsigned DEPTH_ = 4>
class RandomIngress {
 public:
  enum { BLOCKS = BLOCKS_, HALFWORDS = HALFWORDS_, ACCESSES = ACCESSES_, DEPTH = DEPTH_ };

  explicit RandomIngress(const oct_config &cfg)
      : xlen_(cfg.addr_bits), cause_bits_(cfg.cause_bits), task_bits_(cfg.task_bits) {}

  bool is_open() const { return is_open_; }
  template <class Top>
  void next(Stimulus &r, Top *top, oct_riscv_in *in) {
    if (r.below(is_open_ ? 300 : 20) == 0) is_open_ = !is_open_;
    top->gate_i = is_open_;
    if (r.below(2000) == 0) is_itype_short_ = !is_itype_short_;
    if (r.below(2000) == 0) rate_ = 5 + r.below(90);
    if (silent_cycles_) silent_cycles_--;
    if (r.below(200) == 0) silent_cycles_ = r.below(8 * HALFWORDS);
    if (!silent_cycles_ && r.percent(rate_)) make(r, in);
    for (const oct_riscv_block &b : in->blocks)  // behind a trap it may be silent, and be halted
      if ((b.itype == 1 || b.itype == 2) && r.percent(10)) silent_cycles_ = r.below(8 * HALFWORDS);
    in->halted = r.below(silent_cycles_ ? 10 : 100) == 0;
    in->reset = r.below(silent_cycles_ ? 20 : 200) == 0;
    in->time = time_.next(r);
    if (r.below(silent_cycles_ ? 3 : 100) == 0)
      in->trigger = static_cast<uint8_t>(1 + r.below(3));  // with nothing beside it
    if (r.percent(breaks_percent_)) break_rule(r, in);
    if (r.below(1000) == 0) breaks_percent_ = r.below(4);
    fill(ignored_.of(r), in);
    drive(top, *in);
  }

 private:
  // What means nothing in this cycle: of blocks and accesses that are none, and of a cycle without
  // instruction and trap, or without trap.
  void fill(Random &r, oct_riscv_in *in) const {
    bool retires = false, traps = false;
    for (unsigned i = 0; i < BLOCKS; i++) {
      oct_riscv_block *b = &in->blocks[i];
      traps |= b->itype == 1 || b->itype == 2;
      retires |= b->itype || b->iretire;
      if (b->itype || b->iretire) continue;
      b->ilastsize = r.below(2);
      b->iaddr = r.bits() & oct_mask(xlen_);
      for (unsigned k = 0; k < HALFWORDS; k++) b->words[k] = static_cast<uint16_t>(r.bits());
    }
    for (unsigned i = 0; i < ACCESSES; i++) {
      oct_riscv_access *a = &in->accesses[i];
      if (a->dretire) continue;
      a->dtype = static_cast<uint8_t>(r.below(16));
      a->dblock = static_cast<uint8_t>(r.below(4));
      a->dsize = static_cast<uint8_t>(r.below(8));
      a->iaddr_lsbs = static_cast<uint8_t>(r.below(16));
      a->daddr = r.bits() & oct_mask(xlen_);
    }
    if (!traps) in->cause = static_cast<uint32_t>(r.bits() & oct_mask(cause_bits_));
    if (!traps) in->tval = r.bits() & oct_mask(xlen_);
    if (retires) return;
    in->priv = static_cast<uint8_t>(r.below(8));
    in->ctype = static_cast<uint8_t>(r.below(4));
    in->context = static_cast<uint32_t>(r.bits() & oct_mask(task_bits_));
  }

  // A halfword pair of a random instruction, loads, stores and AMOs often; how many it has.
  unsigned make_word(Stimulus &r, uint32_t *word) {
    static const uint8_t opcodes[] = {0x03, 0x23, 0x07, 0x27, 0x2f, 0x2f, 0x63, 0x13, 0x67, 0x6f};
    *word = static_cast<uint32_t>(r.bits());
    if (r.below(400) == 0) {  // an instruction of more than 32 bits
      *word |= 0x1f;
      return 2;
    }
    if (r.percent(30)) {
      *word = (*word & 0xfffc) | r.below(3);
      return 1;
    }
    *word = (*word & ~0x7fu) | opcodes[r.below(10)];
    if (r.percent(30)) *word = (*word & 0x07ffffff) | (2 + r.below(2)) << 27;  // LR, SC
    return 2;
  }

  void make(Stimulus &r, oct_riscv_in *in) {
    const unsigned n = 1 + r.below(BLOCKS);
    if (r.percent(5)) priv_ = static_cast<uint8_t>(r.below(4));
    in->priv = priv_;
    in->ctype = static_cast<uint8_t>(r.percent(10) ? 1 + r.below(3) : 0);
    in->context = static_cast<uint32_t>(r.address(task_bits_));
    in->cause = static_cast<uint32_t>(r.address(cause_bits_));
    in->tval = r.address(xlen_);
    in->trigger = static_cast<uint8_t>(r.percent(5) ? r.below(4) : 0);
    for (unsigned i = 0; i < n; i++) {
      oct_riscv_block *b = &in->blocks[i];
      unsigned at = 0;
      b->iaddr = (r.percent(80) ? pc_ : r.bits()) & oct_mask(xlen_) & ~uint64_t{1};
      for (bool more = true; more;) {
        uint32_t word;
        unsigned size = make_word(r, &word);
        if (at + size > HALFWORDS) break;
        b->words[at] = static_cast<uint16_t>(word);
        if (size == 2) b->words[at + 1] = static_cast<uint16_t>(word >> 16);
        at += size;
        b->ilastsize = size == 2;
        more = r.percent(HALFWORDS > 4 ? 85 : 60);
      }
      b->iretire = static_cast<uint8_t>(at);
      b->itype = static_cast<uint8_t>(r.percent(50) ? 0 : 3 + r.below(is_itype_short_ ? 4 : 13));
      if (b->itype == 7) b->itype = 6;
      if (i + 1 == n && r.percent(10)) b->itype = static_cast<uint8_t>(1 + r.below(2));
      pc_ = b->iaddr + 2 * at;
    }
    const bool has_access = make_accesses(r, in, n);
    oct_riscv_block *last = &in->blocks[n - 1];
    if (last->itype != 1 && last->itype != 2) return;
    if (r.percent(30) && !has_access) {
      last->iretire = 0;
      if (r.percent(50)) last->iaddr ^= 1;  // of an interrupt it means nothing
    } else if (r.percent(30)) {             // ecall, ebreak, c.ebreak
      const bool is_short = r.percent(30);
      last->words[0] = is_short ? 0x9002 : 0x73;
      last->words[1] = r.below(2) << 4;
      last->iretire = 1 + !is_short;
      last->ilastsize = !is_short;
    }
  }

  // Accesses of instructions of the n blocks, each in its own turn, mostly as their opcodes have
  // them; true if there are any.
  bool make_accesses(Stimulus &r, oct_riscv_in *in, unsigned n) {
    unsigned made = 0;
    for (unsigned i = 0; i < n; i++) {
      const oct_riscv_block &b = in->blocks[i];
      for (unsigned at = 0; at < b.iretire && made < ACCESSES;
           at += (b.words[at] & 3) == 3 ? 2 : 1) {
        const uint32_t word = b.words[at] | (at + 1u < HALFWORDS ? b.words[at + 1] << 16 : 0);
        const oct_rv_access opcode = oct_rv_access_of(word, xlen_ == 64);
        if (!(opcode.loads || opcode.stores ? r.percent(80) : r.percent(2))) continue;
        oct_riscv_access *access = &in->accesses[made++];
        access->dretire = true;
        access->dblock = static_cast<uint8_t>(i);
        access->iaddr_lsbs = static_cast<uint8_t>((b.iaddr + 2 * at) >> 1 & 15);
        access->daddr = r.address(xlen_);
        access->dsize = static_cast<uint8_t>(opcode.size_log2);
        access->dtype = dtype_of(r, opcode);
        if (r.below(300) == 0) access->dtype = static_cast<uint8_t>(r.below(16));
        if (r.below(300) == 0) access->dsize = static_cast<uint8_t>(r.below(8));
        if (r.below(300) == 0) access->iaddr_lsbs = static_cast<uint8_t>(r.below(16));
      }
    }
    return made != 0;
  }

  static uint8_t dtype_of(Stimulus &r, const oct_rv_access &opcode) {
    if (opcode.loads && opcode.stores)
      return static_cast<uint8_t>(r.percent(80) ? 8 + r.below(7) : r.below(2));
    if (opcode.loads) return 0;
    if (!opcode.stores) return static_cast<uint8_t>(4 + r.below(3));  // CSRs
    return r.percent(90) ? 1 : 15;
  }

  void break_rule(Stimulus &r, oct_riscv_in *in) {
    oct_riscv_block *b = &in->blocks[r.below(BLOCKS)];
    switch (r.below(7)) {
      case 0:
        b->iaddr |= 1;
        break;
      case 1:
        b->iretire = static_cast<uint8_t>(r.below(16));
        break;
      case 2:
        b->ilastsize = !b->ilastsize;
        break;
      case 3:
        b->itype = static_cast<uint8_t>(r.below(3));
        break;
      case 4:
        in->accesses[r.below(ACCESSES)] = {true,
                                           static_cast<uint8_t>(r.below(16)),
                                           static_cast<uint8_t>(r.below(4)),
                                           static_cast<uint8_t>(r.below(8)),
                                           static_cast<uint8_t>(r.below(16)),
                                           r.bits()};
        break;
      case 5:
        b->itype = 7;
        break;
      default:
        b->words[r.below(HALFWORDS)] ^= 3;
    }
  }

  template <class Top>
  void drive(Top *top, const oct_riscv_in &in) const {
    for (unsigned i = 0; i < BLOCKS; i++) {
      const oct_riscv_block &b = in.blocks[i];
      set_port_bits(top->itype_i, 4 * i, 4, b.itype);
      set_port_bits(top->iretire_i, 4 * i, 4, b.iretire);
      set_port_bits(top->ilastsize_i, i, 1, b.ilastsize);
      set_port_bits(top->iaddr_i, xlen_ * i, xlen_, b.iaddr);
      for (unsigned k = 0; k < HALFWORDS; k++)
        set_port_bits(top->words_i, 16 * (HALFWORDS * i + k), 16, b.words[k]);
    }
    top->cause_i = in.cause;
    top->tval_i = in.tval;
    top->time_i = in.time;
    top->priv_i = in.priv;
    top->context_i = in.context;
    top->ctype_i = in.ctype;
    top->trigger_i = in.trigger;
    top->halted_i = in.halted;
    top->reset_i = in.reset;
    for (unsigned i = 0; i < ACCESSES; i++) {
      const oct_riscv_access &access = in.accesses[i];
      set_port_bits(top->dretire_i, i, 1, access.dretire);
      set_port_bits(top->dtype_i, 4 * i, 4, access.dtype);
      set_port_bits(top->daddr_i, xlen_ * i, xlen_, access.daddr);
      set_port_bits(top->dsize_i, 3 * i, 3, access.dsize);
      set_port_bits(top->dblock_i, 2 * i, 2, access.dblock);
      set_port_bits(top->iaddr_lsbs_i, 4 * i, 4, access.iaddr_lsbs);
    }
  }

  unsigned xlen_, cause_bits_, task_bits_;
  uint64_t pc_ = 0x1000;
  uint32_t rate_ = 50, breaks_percent_ = 2, silent_cycles_ = 0;
  uint8_t priv_ = 3;
  bool is_open_ = true, is_itype_short_ = false;
  RandomTime time_;
  OwnRandom ignored_;
};

#endif
