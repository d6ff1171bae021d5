// SPDX-License-Identifier: Apache-2.0
// oct_riscv_ingress - twin test: blocks of random instructions, accesses of each type, traps,
// privilege and context, faster than the queue at times; and each rule of the port broken now and
// then.

// verilate: XLEN=ADDR_BITS BLOCKS=2 BLOCK_HALFWORDS=4 DEPTH=4 CAUSE_BITS=6 CONTEXT_BITS=16
#include "oct_twin.h"

extern "C" {
#include "oct_riscv_ingress.h"
}

class Stage {
 public:
  explicit Stage(const oct_config &cfg) : cfg_(cfg) {
    oct_riscv_ingress_init(&ingress_, N_BLOCKS, N_HALFWORDS, 4, cfg.addr_bits);
  }

  void cycle(Dut &dut, Stimulus &r) {
    oct_riscv_in in = {};
    oct_retire out;
    if (r.below(2000) == 0) rate_ = 5 + r.below(90);
    if (r.percent(rate_)) make(r, &in);
    if (r.percent(2)) break_rule(r, &in);
    drive(dut, in);
    dut.settle();
    oct_riscv_ingress_cycle(&ingress_, &in, &out);
    dut.compare("core_error_o", out.core_error, dut.top->core_error_o);
    dut.compare("insn_valid_o", out.insn_valid, dut.top->insn_valid_o);
    dut.compare("da_valid_o", out.da_valid, dut.top->da_valid_o);
    dut.compare("trap_valid_o", out.trap_valid, dut.top->trap_valid_o);
    if (out.insn_valid) {
      dut.compare("insn_addr_o", out.insn_addr, dut.top->insn_addr_o);
      dut.compare("insn_size_bytes_o", out.insn_size_bytes, dut.top->insn_size_bytes_o);
      dut.compare("insn_class_o", out.insn_class, dut.top->insn_class_o);
      dut.compare("insn_word_o", out.insn_word, dut.top->insn_word_o);
      dut.compare("task_o", out.task, dut.top->task_o);
      dut.compare("priv_o", out.priv, dut.top->priv_o);
    }
    if (out.da_valid) {
      dut.compare("da_end_o", out.da_end, dut.top->da_end_o);
      if (!out.da_end) dut.compare("da_addr_o", out.da_addr, dut.top->da_addr_o);
    }
    if (out.trap_valid) {
      dut.compare("trap_kind_o", out.trap_kind, dut.top->trap_kind_o);
      dut.compare("trap_privilege_o", out.trap_privilege, dut.top->trap_privilege_o);
      dut.compare("trap_cause_o", out.trap_cause, dut.top->trap_cause_o);
      dut.compare("trap_addr_o", out.trap_addr, dut.top->trap_addr_o);
      dut.compare("trap_tval_o", out.trap_tval, dut.top->trap_tval_o);
    }
  }

 private:
  enum { N_BLOCKS = 2, N_HALFWORDS = 4 };

  // A halfword pair of a random instruction, loads, stores and AMOs often; how many it has.
  unsigned make_word(Stimulus &r, uint32_t *word) {
    static const uint8_t opcodes[] = {0x03, 0x23, 0x07, 0x27, 0x2f, 0x2f, 0x63, 0x13};
    *word = static_cast<uint32_t>(r.bits());
    if (r.percent(30)) {
      *word = (*word & 0xfffc) | r.below(3);
      return 1;
    }
    *word = (*word & ~0x7fu) | opcodes[r.below(8)];
    if (r.percent(30)) *word = (*word & 0x07ffffff) | (2 + r.below(2)) << 27;  // LR, SC
    return 2;
  }

  void make(Stimulus &r, oct_riscv_in *in) {
    const unsigned n = 1 + r.below(N_BLOCKS);
    if (r.percent(5)) priv_ = static_cast<uint8_t>(r.below(4));
    in->priv = priv_;
    in->ctype = static_cast<uint8_t>(r.percent(10) ? 1 + r.below(3) : 0);
    in->context = static_cast<uint32_t>(r.address(16));
    in->cause = r.below(64);
    in->tval = r.address(cfg_.addr_bits);
    in->daddr = r.address(cfg_.addr_bits);
    in->dtype = static_cast<uint8_t>(r.percent(60) ? r.below(2) : r.below(16));
    in->dblock = static_cast<uint8_t>(r.below(n));
    in->iaddr_lsbs = static_cast<uint8_t>(r.below(16));
    in->dretire = r.percent(40);
    for (unsigned i = 0; i < n; i++) {
      oct_riscv_block *b = &in->blocks[i];
      unsigned at = 0;
      b->iaddr = (r.percent(80) ? pc_ : r.bits()) & oct_mask(cfg_.addr_bits) & ~uint64_t{1};
      for (bool more = true; more;) {
        uint32_t word;
        unsigned size = make_word(r, &word);
        if (at + size > N_HALFWORDS) break;
        if (i == in->dblock && r.percent(60)) in->iaddr_lsbs = (b->iaddr + 2 * at) >> 1 & 15;
        b->words[at] = static_cast<uint16_t>(word);
        if (size == 2) b->words[at + 1] = static_cast<uint16_t>(word >> 16);
        at += size;
        b->ilastsize = size == 2;
        more = r.percent(60);
      }
      b->iretire = static_cast<uint8_t>(at);
      b->itype = static_cast<uint8_t>(r.percent(50) ? 0 : 3 + r.below(13));
      if (i + 1 == n && r.percent(10)) b->itype = static_cast<uint8_t>(1 + r.below(2));
      pc_ = b->iaddr + 2 * at;
    }
    oct_riscv_block *last = &in->blocks[n - 1];
    if (last->itype != 1 && last->itype != 2) return;
    if (r.percent(30) && !in->dretire) {
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

  void break_rule(Stimulus &r, oct_riscv_in *in) {
    oct_riscv_block *b = &in->blocks[r.below(N_BLOCKS)];
    switch (r.below(6)) {
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
        in->dretire = true;
        in->dblock = static_cast<uint8_t>(r.below(4));
        break;
      default:
        b->words[r.below(N_HALFWORDS)] ^= 3;
    }
  }

  void drive(Dut &dut, const oct_riscv_in &in) {
    const unsigned xlen = cfg_.addr_bits;
    for (unsigned i = 0; i < N_BLOCKS; i++) {
      const oct_riscv_block &b = in.blocks[i];
      set_port_bits(dut.top->itype_i, 4 * i, 4, b.itype);
      set_port_bits(dut.top->iretire_i, 4 * i, 4, b.iretire);
      set_port_bits(dut.top->ilastsize_i, i, 1, b.ilastsize);
      set_port_bits(dut.top->iaddr_i, xlen * i, xlen, b.iaddr);
      for (unsigned k = 0; k < N_HALFWORDS; k++)
        set_port_bits(dut.top->words_i, 16 * (N_HALFWORDS * i + k), 16, b.words[k]);
    }
    dut.top->cause_i = in.cause;
    dut.top->tval_i = in.tval;
    dut.top->priv_i = in.priv;
    dut.top->context_i = in.context;
    dut.top->ctype_i = in.ctype;
    dut.top->dretire_i = in.dretire;
    dut.top->dtype_i = in.dtype;
    dut.top->daddr_i = in.daddr;
    dut.top->dblock_i = in.dblock;
    dut.top->iaddr_lsbs_i = in.iaddr_lsbs;
  }

  oct_config cfg_;
  oct_riscv_ingress ingress_;
  uint64_t pc_ = 0x1000;
  uint32_t rate_ = 50;
  uint8_t priv_ = 3;
};

OCT_TWIN_MAIN(Stage)
