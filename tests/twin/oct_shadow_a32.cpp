// SPDX-License-Identifier: Apache-2.0
// oct_shadow_a32 - twin test: words at random, their fields from few values, so that each form is
// met: registers 13 to 15, shifts by 0, lists of few registers, values of 0.
#include "oct_shadow_decoder_twin.h"

class Words {
 public:
  explicit Words(const oct_shadow_config &) {}

  uint32_t next(Random &r) {
    uint32_t w = static_cast<uint32_t>(r.bits());
    if (r.percent(60)) w = (w & 0x0fffffff) | 0xe0000000;
    for (unsigned at : {0u, 12u, 16u})  // registers
      if (r.percent(25)) put(&w, at, 4, 11 + r.below(5));
    if (r.percent(20)) put(&w, 7, 5, r.below(2));    // the amount of a shift, or rotation
    if (r.percent(10)) put(&w, 0, 8, 0);             // an immediate
    if (r.percent(10)) put(&w, 0, 12, r.below(64));  // an offset
    if (r.percent(10)) put(&w, 4, 8, r.below(16));   // the miscellaneous space
    if (r.percent(10)) put(&w, 23, 2, 2);
    if (r.percent(5)) put(&w, 8, 4, 10 + r.below(2));
    if (r.percent(5)) put(&w, 16, 12, 0x6af | r.below(8) << 4);
    if (r.percent(3)) put(&w, 4, 8, 7);
    if (r.percent(2))
      w = whole[r.below(sizeof whole / sizeof *whole)] ^ (r.below(3) ? 0 : 1u << r.below(32));
    return w;
  }

  static constexpr oct_isa isa = OCT_ISA_ARM;
  static constexpr unsigned align_bytes = 4;

 private:
  static void put(uint32_t *w, unsigned at, unsigned n, uint32_t value) {
    *w = (*w & ~(((1u << n) - 1) << at)) | value << at;
  }
  // ldr pc, [sp], #4; mov pc, lr; bx lr; sxtb, uxth; swp; movt; blx; strex, strexd, stl
  static constexpr uint32_t whole[] = {0xe49df004, 0xe1a0f00e, 0xe12fff1e, 0xe6af0071,
                                       0xe6ff0071, 0xe1020091, 0xe3400001, 0xfb000001,
                                       0xe1820f91, 0xe1a40f92, 0xe182fc91};
};

OCT_SHADOW_TWIN_MAIN(DecoderStage<Words>)
