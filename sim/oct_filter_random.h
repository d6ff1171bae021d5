// SPDX-License-Identifier: Apache-2.0
// oct_filter_random.h - random settings of the filter's registers (model/common/oct_filter.h), such
// that what it lets through changes often.
#ifndef OCT_FILTER_RANDOM_H
#define OCT_FILTER_RANDOM_H

#include "oct_twin.h"

extern "C" {
#include "oct_filter.h"
}

// A write, or a read, of any of the registers; addr: what addresses are compared with, near those
// that occur.
inline oct_apb_in oct_filter_access(Stimulus &r, uint64_t addr, uint32_t task) {
  static const uint16_t offsets[] = {
#define OCT_X(name, offset) offset,
      OCT_FILTER_REGS(OCT_X)
#undef OCT_X
  };
  constexpr uint32_t N = sizeof offsets / sizeof *offsets;
  oct_apb_in apb = {};
  apb.psel = true;
  apb.pwrite = r.percent(80);
  apb.paddr = offsets[r.below(N)];
  if (apb.paddr >= OCT_REG_TR_TE_FILTER_CONTROL)
    apb.paddr = static_cast<uint16_t>(apb.paddr + 0x20 * r.below(r.percent(90) ? 4 : 16));
  if (r.percent(5)) apb.paddr = static_cast<uint16_t>(0x100 + r.below(0xf00));
  switch (apb.paddr & ~0x1e0) {
    case OCT_REG_TR_TE_FILTER_CONTROL:
      apb.pwdata = r.below(4);                                        // enable, privilege
      if (r.percent(70)) apb.pwdata |= 0x1 | 0x10 | r.below(4) << 5;  // a comparator
      if (r.percent(20)) apb.pwdata |= r.below(0x100) << 8;           // two more
      break;
    case OCT_REG_TR_TE_FILTER_INST:
      apb.pwdata = static_cast<uint32_t>(r.bits());
      break;
    case OCT_REG_TR_TE_COMP_P_MATCH_LOW:
    case OCT_REG_TR_TE_COMP_S_MATCH_LOW:
      apb.pwdata = static_cast<uint32_t>(r.percent(20) ? task | (r.percent(30) ? r.bits() << 16 : 0)
                                         : r.percent(5) ? r.bits()
                                                        : addr);
      break;
    case OCT_REG_TR_TE_COMP_P_MATCH_HIGH:
    case OCT_REG_TR_TE_COMP_S_MATCH_HIGH:
      apb.pwdata = static_cast<uint32_t>(r.percent(10) ? r.bits() : addr >> 32);
      break;
    default:
      apb.pwdata = static_cast<uint32_t>(r.bits());
      if (apb.paddr == OCT_REG_TR_TE_CONTROL && r.percent(70)) apb.pwdata |= 1 << 2;
      if (apb.paddr == OCT_REG_TR_TE_DATA_CONTROL && r.percent(70)) apb.pwdata |= 1 << 1;
      if (apb.paddr == OCT_REG_TR_TE_TRIG_EXT_IN && r.percent(80))
        apb.pwdata = r.below(5) | r.below(5) << 4;
  }
  return apb;
}

#endif
