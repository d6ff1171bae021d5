// SPDX-License-Identifier: Apache-2.0
// oct_shadow_rv - twin test: every instruction of two bytes, then words of four at random, most of
// them of one opcode, its fields from few values, so that each form is met.
#include "oct_shadow_decoder_twin.h"

class Words {
 public:
  explicit Words(const oct_shadow_config &cfg)
      : isa(cfg.addr_bits > 32 ? OCT_ISA_RISCV64 : OCT_ISA_RISCV32) {}

  uint32_t next(Random &r) {
    while (n_short_ < 65536) {
      uint32_t low = n_short_++;
      if ((low & 3) != 3) return low | static_cast<uint32_t>(r.bits()) << 16;
    }
    uint32_t w = static_cast<uint32_t>(r.bits());
    if (r.percent(90)) w |= 3;
    if (r.percent(5)) return w;
    if (r.percent(60)) w = (w & ~0x7fu) | opcodes[r.below(sizeof opcodes)];
    if (r.percent(50)) w = (w & 0x01ffffff) | tops[r.below(sizeof tops / sizeof *tops)] << 25;
    if (r.percent(30)) w &= ~(31u << (r.below(2) ? 15 : 20));
    if (r.percent(20)) w = (w & ~(31u << 7)) | links[r.below(sizeof links)] << 7;
    if (r.percent(20)) w = (w & ~(31u << 15)) | links[r.below(sizeof links)] << 15;
    if (r.percent(20)) w = (w & ~(31u << 20)) | r.below(8) << 20;
    if (r.percent(3))
      w = whole[r.below(sizeof whole / sizeof *whole)] ^ (r.below(4) ? 0 : 1u << r.below(32));
    return w;
  }

  const oct_isa isa;
  static constexpr unsigned align_bytes = 2;

 private:
  static constexpr uint8_t opcodes[] = {0x03, 0x07, 0x0f, 0x13, 0x17, 0x1b, 0x23, 0x27, 0x2f,
                                        0x33, 0x37, 0x3b, 0x43, 0x53, 0x63, 0x67, 0x6f, 0x73};
  static constexpr uint32_t tops[] = {0,    0x20, 0x30, 0x10, 0x04, 0x01,
                                      0x50, 0x60, 0x70, 0x08, 0x0c};
  static constexpr uint8_t links[] = {0, 1, 2, 5};
  static constexpr uint32_t whole[] = {0x00000073, 0x00100073, 0x30200073, 0x10200073,
                                       0x00200073, 0x70200073, 0x7b200073, 0x00000000,
                                       0x40000033, 0x40007033, 0x40006033};
  uint32_t n_short_ = 0;
};

OCT_SHADOW_TWIN_MAIN(DecoderStage<Words>)
