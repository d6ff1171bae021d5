// SPDX-License-Identifier: Apache-2.0
// oct_effect_alu - twin test: the operations of random instructions (A32 with 32 bits, else RV64),
// with operands near 0, near both ends and at random, known and unknown.
#include "oct_shadow_twin.h"

extern "C" {
#include "octrace/trace.h"
#include "oct_shadow_execute.h"
}

class Stage {
 public:
  explicit Stage(const oct_shadow_config &cfg)
      : disasm_(oct_disasm_new(cfg.addr_bits > 32 ? OCT_ISA_RISCV64 : OCT_ISA_ARM),
                oct_disasm_free) {
    model_.cfg = cfg;
    model_.mask = oct_mask(cfg.addr_bits);
  }

  void cycle(Dut &dut, Stimulus &r) {
    oct_map_entry e = entry(r);
    const oct_effect &op = e.op;
    oct_shadow_value a = {value(r), r.percent(90)}, b = {value(r), r.percent(90)};
    if (r.percent(30)) b.v = a.v + r.below(3) - 1;
    if (r.percent(20)) b.v = r.below(70);
    a.v &= model_.mask;
    b.v &= model_.mask;
    if (op.a == OCT_REG_NONE) a.known = false;
    if (op.b == OCT_REG_NONE) b.known = false;
    // As oct_shadow_regs has it.
    if (op.a == OCT_REG_ZERO) a = {0, true};
    if (op.b == OCT_REG_ZERO) b = {0, true};
    oct_shadow_set_nzcv(&model_, r.below(16), r.below(16));
    for (unsigned i = 0; i < 16; i++)
      set_port_bits(dut.top->op_i, 32 * i, 32, reinterpret_cast<const uint32_t *>(&op)[i]);
    // What is shifted comes second.
    const bool shifts = op.result >= OCT_RESULT_SHL && op.result <= OCT_RESULT_SAR;
    const oct_shadow_value &first = shifts ? b : a, &second = shifts ? a : b;
    set_port_bits(dut.top->a_i, 0, model_.cfg.addr_bits, first.v);
    set_port_bits(dut.top->b_i, 0, model_.cfg.addr_bits, second.v);
    dut.top->a_known_i = first.known;
    dut.top->b_known_i = second.known;
    dut.top->cond_known_i = model_.regs.cond_known;
    dut.top->cond_value_i = model_.regs.cond_val;
    shift(dut, op.b_form);
    unsigned bits = 8u << (op.width & OCT_EFFECT_WIDTH_LOG2);
    uint64_t index = oct_shadow_extended(b.v, op.b_extend);
    b.v = oct_shadow_shifted(index, op.result == OCT_RESULT_INSERT ? 0 : op.b_form, bits) + op.imm;
    oct_shadow_value result = oct_shadow_compute(&op, a, b, bits, false, false);
    if ((op.set_flags & 15) != OCT_FLAGS_KEEP)
      oct_shadow_put_flags(&model_, &op, op.set_flags & 15, a, b, result, bits);
    dut.compare("known_o", result.known, dut.top->known_o);
    if (result.known)
      dut.compare("result_o", result.v & model_.mask,
                  port_bits(dut.top->result_o, 0, model_.cfg.addr_bits));
    dut.compare("cond_known_o", model_.regs.cond_known, dut.top->cond_known_o);
    dut.compare("cond_value_o", model_.regs.cond_val, dut.top->cond_value_o);
    // The shifter alone, for an index; addresses of 64 bits have none, and none is cut.
    if (bits == 32 && model_.cfg.addr_bits == 32 && !op.b_extend && !shifts) {
      auto form = static_cast<uint8_t>(r.bits() & 0xdf);
      shift(dut, form);
      dut.compare("scaled_o", oct_shadow_shifted(index, form, bits) & model_.mask,
                  dut.top->scaled_o);
    }
    if (!dut.failed) return;
    char text[40];
    snprintf(text, sizeof text, ", result %u of 0x%08x", op.result,
             e.code[0] | e.code[1] << 8 | e.code[2] << 16 | static_cast<unsigned>(e.code[3]) << 24);
    dut.difference += text;
  }

 private:
  // As oct_shadow_front has it.
  static void shift(Dut &dut, unsigned form) {
    dut.top->kind_i = form >> 6;
    dut.top->by_i = form & 63;
    dut.top->right_i = ((form & OCT_SHIFT_ROTATE) == OCT_SHIFT_LEFT ? 0 - form : form) & 63;
    dut.settle();
  }

  // Of an instruction that computes something, mostly.
  oct_map_entry entry(Stimulus &r) {
    static constexpr uint8_t opcodes[] = {0x13, 0x1b, 0x33, 0x3b, 0x17, 0x37, 0x67};
    static constexpr uint8_t tops[] = {0, 0x20, 0x30, 0x10, 4};
    oct_map_entry e;
    uint32_t w = static_cast<uint32_t>(r.bits());
    if (model_.cfg.addr_bits > 32) {
      w = (w & ~0x7fu) | opcodes[r.below(sizeof opcodes)];
      if (r.percent(70)) w = (w & 0x01ffffff) | uint32_t{tops[r.below(sizeof tops)]} << 25;
      if (r.percent(20)) w &= 0xfff07fff;
    } else {
      w = (w & 0x03ffffff) | 0xe0000000 | (r.below(2) ? 1u << 25 : 0);
      if (r.percent(20)) w |= 15u << 16;
      if (r.percent(20)) w &= ~0xf80u;
      if (r.percent(5)) w = (w & 0xf0f) | 0xe6af0070;
    }
    uint8_t code[4];
    for (unsigned i = 0; i < 4; i++) code[i] = static_cast<uint8_t>(w >> 8 * i);
    oct_disasm_insn(disasm_.get(), r.bits() & model_.mask & ~uint64_t{3}, code, 4, &e);
    return e;
  }

  static uint64_t value(Stimulus &r) {
    uint64_t v = r.percent(50) ? r.bits() : uint64_t{r.below(4)} - 2;
    if (r.percent(20)) v = (uint64_t{1} << r.below(64)) - r.below(2);
    return v;
  }

  oct_shadow_model model_ = {};
  std::unique_ptr<oct_disasm, void (*)(oct_disasm *)> disasm_;
};

OCT_SHADOW_TWIN_MAIN(Stage)
