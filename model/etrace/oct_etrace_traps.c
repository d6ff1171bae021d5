/* SPDX-License-Identifier: Apache-2.0 */
/* oct_etrace_traps.c - traps out of E-Trace packets.
 *
 * A packet of format 3.1 tells cause, trap value and privilege. Where the program was to go on
 * follows from the last instruction, unless the packet has that address instead of the handler's.
 * A trap waits until the instruction behind it is handed out. Our own encoder sends such a packet
 * for what no instruction explains, too: of its streams traps are not told. */
#include "oct_etrace_decode.h"

#include <string.h>

/* Where the last instruction led, as far as it says so itself. */
static uint64_t trapped_at(const oct_et_decoder *d) {
  const oct_map_entry *e = d->id == OCT_WALK_NONE ? NULL : oct_map_at(d->walk.map, d->id);
  if (!e) return 0;
  bool is_jump = (e->cls == OCT_CLASS_COND_BRANCH && d->is_taken) ||
                 e->cls == OCT_CLASS_DIRECT_JUMP || e->cls == OCT_CLASS_DIRECT_CALL;
  if (e->cls > OCT_CLASS_DIRECT_CALL) return 0;
  return (is_jump ? e->target : e->addr + e->size_bytes) & d->cfg.addr_mask;
}

int oct_et_tell_trap(oct_et_decoder *d) {
  const oct_et_packet *p = &d->held.packet;
  if (!d->is_foreign || d->is_lost || !d->is_synced) return 0;
  oct_trap t = {.cause = p->ecause,
                .tval = p->interrupt ? 0 : p->tval,
                .insn = (uint32_t)d->insn,
                .kind = p->interrupt ? OCT_TRAP_INTERRUPT : OCT_TRAP_EXCEPTION,
                .privilege = (uint8_t)(p->privilege > OCT_PRIVILEGE_MAX ? OCT_PRIVILEGE_UNKNOWN
                                                                        : p->privilege)};
  t.addr = p->thaddr ? trapped_at(d) : p->address << d->cfg.p.addr_lsb_bits & d->cfg.addr_mask;
  return oct_buffer_put(&d->traps, &t, sizeof t) ? OCT_ERR_NOMEM : 0;
}

int oct_et_hand_out_traps(oct_et_decoder *d, oct_batch *batch) {
  const oct_trap *t = (const oct_trap *)(const void *)d->traps.bytes;
  size_t n = d->traps.n_bytes / sizeof *t, taken = 0;
  d->out_traps.n_bytes = 0;
  for (; taken < n; taken++) {
    uint32_t at = t[taken].insn - (uint32_t)d->out_insn;
    oct_trap one = t[taken];
    if (at >> 31) continue; /* of what was lost */
    if (at >= batch->n_insns) break;
    one.insn = at;
    if (oct_buffer_put(&d->out_traps, &one, sizeof one)) return OCT_ERR_NOMEM;
  }
  d->traps.n_bytes -= taken * sizeof *t;
  if (taken && d->traps.n_bytes) memmove(d->traps.bytes, t + taken, d->traps.n_bytes);
  batch->traps = (const oct_trap *)(const void *)d->out_traps.bytes;
  batch->n_traps = d->out_traps.n_bytes / sizeof *t;
  return 0;
}
