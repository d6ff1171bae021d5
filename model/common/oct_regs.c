/* SPDX-License-Identifier: Apache-2.0 */
/* oct_regs.c - debugger's registers (oct_regs.h).
 *
 * An APB access is answered in its second cycle. Counters add one for each event and stop at all
 * ones; marks of the most that a buffer held only rise. Both are taken from the cycle before the
 * access. */
#include "oct_regs.h"

#include "oct_unframe.h"

#include <string.h>

/* As trTsControl of RISC-V's trace control interface: trTsActive, trTsMode, trTsEnable, trTsWidth.
 */
static uint32_t time_of(unsigned stamp_bits, bool is_core_time) {
  enum { ACTIVE = 1, EXTERNAL = 1 << 4, INTERNAL_CORE = 3 << 4, ENABLE = 1 << 15, WIDTH_MAX = 63 };
  const unsigned width = stamp_bits < WIDTH_MAX ? stamp_bits : WIDTH_MAX;
  if (!stamp_bits) return 0;
  return ACTIVE | (is_core_time ? EXTERNAL : INTERNAL_CORE) | ENABLE | width << 24;
}

void oct_regs_init(oct_regs *s, uint32_t sync_period_insns, unsigned stamp_bits,
                   bool is_core_time) {
  memset(s, 0, sizeof *s);
  s->time = time_of(stamp_bits, is_core_time);
  s->enable_q = true;
  s->sync_period_insns_q = sync_period_insns;
  s->atid_q = 1;
}

static bool is_count(uint32_t paddr) {
  return paddr >= OCT_REG_OVERFLOWS && paddr <= OCT_REG_HIGH_OUT && paddr % 4 == 0;
}

/* The sum, up to all ones. */
static uint32_t add(uint32_t n, uint32_t more) {
  const uint32_t room = OCT_REGS_COUNT_MAX - n;
  return n + (more < room ? more : room);
}

static void count(oct_regs *s, const oct_regs_in *in) {
  const uint32_t event[3] = {in->overflow, in->lost_insns, in->lost_access};
  const uint32_t level[3] = {in->stream_count, in->data_count, in->out_count_bytes};
  for (unsigned i = 0; i < 3; i++) {
    s->count_d[i] = add(s->count_q[i], event[i]);
    const uint32_t now = add(0, level[i]);
    s->count_d[i + 3] = now > s->count_q[i + 3] ? now : s->count_q[i + 3];
  }
  s->lost_traps_d = add(s->lost_traps_q, in->lost_traps);
}

static void write_reg(oct_regs *s, const oct_apb_in *apb, oct_apb_out *out) {
  switch (apb->paddr) {
    case OCT_REG_CTRL:
      s->enable_d = apb->pwdata & 1;
      break;
    case OCT_REG_SYNC_PERIOD:
      s->sync_period_insns_d = apb->pwdata;
      break;
    case OCT_REG_ATID:
      if ((apb->pwdata & 0x7f) && (apb->pwdata & 0x7f) <= OCT_FRAME_ID_MAX)
        s->atid_d = apb->pwdata & 0x7f;
      break;
    case OCT_REG_ERRORS:
      s->errors_d &= ~apb->pwdata;
      break;
    case OCT_REG_CLEAR:
      memset(s->count_d, 0, sizeof s->count_d);
      s->lost_traps_d = 0;
      break;
    default:
      out->pslverr = true;
  }
}

static void read_reg(const oct_regs *s, const oct_apb_in *apb, oct_apb_out *out) {
  if (is_count(apb->paddr)) {
    out->prdata = s->count_q[(apb->paddr - OCT_REG_OVERFLOWS) / 4];
    return;
  }
  switch (apb->paddr) {
    case OCT_REG_ID:
      out->prdata = OCT_REGS_ID;
      break;
    case OCT_REG_CTRL:
      out->prdata = s->enable_q;
      break;
    case OCT_REG_SYNC_PERIOD:
      out->prdata = s->sync_period_insns_q;
      break;
    case OCT_REG_ATID:
      out->prdata = s->atid_q;
      break;
    case OCT_REG_ERRORS:
      out->prdata = s->errors_q;
      break;
    case OCT_REG_TIME:
      out->prdata = s->time;
      break;
    case OCT_REG_LOST_TRAPS:
      out->prdata = s->lost_traps_q;
      break;
    default:
      out->pslverr = true;
  }
}

void oct_regs_eval(oct_regs *s, const oct_regs_in *in, oct_apb_out *out) {
  *out = (oct_apb_out){.pready = true};
  s->enable_d = s->enable_q;
  s->sync_period_insns_d = s->sync_period_insns_q;
  s->atid_d = s->atid_q;
  s->errors_d = s->errors_q;
  count(s, in);
  if (in->apb.psel && in->apb.penable) {
    if (in->apb.pwrite)
      write_reg(s, &in->apb, out);
    else
      read_reg(s, &in->apb, out);
  }
  s->errors_d |= in->errors; /* what is broken while its bit is cleared stays */
}

void oct_regs_clock(oct_regs *s) {
  s->enable_q = s->enable_d;
  s->sync_period_insns_q = s->sync_period_insns_d;
  s->atid_q = s->atid_d;
  s->errors_q = s->errors_d;
  memcpy(s->count_q, s->count_d, sizeof s->count_q);
  s->lost_traps_q = s->lost_traps_d;
}
