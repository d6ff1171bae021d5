/* SPDX-License-Identifier: Apache-2.0 */
/* oct_etrace_traps.c - traps out of E-Trace packets.
 *
 * A packet of format 3.1 tells cause, trap value and privilege. Where the program was to go on
 * follows from the last instruction, unless the packet has that address instead of the handler's.
 * A trap waits until the instruction before it is handed out. Our own encoder marks what no
 * instruction explains with a cause of its own, which is no trap, and tells changes of privilege
 * by packets of format 3.2. */
#include "oct_etrace_decode.h"
#include "oct_etrace_sijump.h"

#include <string.h>

/* Where the last instruction led, as far as it says so itself. */
static uint64_t trapped_at(const oct_et_decoder *d, bool is_interrupt) {
  const oct_map_entry *e = d->id == OCT_WALK_NONE ? NULL : oct_map_entry_at(d->walk.map, d->id);
  uint64_t target;
  if (!e) return 0;
  if (!is_interrupt && oct_et_calls_environment(e)) return e->addr;
  if (e->cls == OCT_CLASS_RETURN && d->memory.n) return d->memory.link[d->memory.top];
  if (e->cls > OCT_CLASS_DIRECT_CALL) {
    bool is_constant =
        d->cfg.p.sijump && d->has_last && e->cls != OCT_CLASS_RETURN &&
        oct_et_sijump(oct_map_entry_at(d->walk.map, d->last), e, d->cfg.addr_mask, &target);
    return is_constant ? target : 0;
  }
  bool is_jump = (e->cls == OCT_CLASS_COND_BRANCH && d->is_taken) ||
                 e->cls == OCT_CLASS_DIRECT_JUMP || e->cls == OCT_CLASS_DIRECT_CALL;
  return (is_jump ? e->target : e->addr + e->size_bytes) & d->cfg.addr_mask;
}

/* Whether a packet without the handler's address has that of the trap in a stream of others: there
 * is no instruction before it from which that follows. Else, of several traps in a row, each packet
 * has the address of the next. */
static bool has_own_address(const oct_et_decoder *d) {
  if (!d->is_foreign || !d->is_on || d->id == OCT_WALK_NONE) return true;
  const oct_map_entry *e = oct_map_entry_at(d->walk.map, d->id);
  return e->cls > OCT_CLASS_DIRECT_CALL || oct_et_calls_environment(e);
}

static uint64_t address_of(oct_et_decoder *d) {
  const oct_et_packet *p = &d->held.packet;
  const uint64_t told = p->address << d->cfg.p.addr_lsb_bits & d->cfg.addr_mask;
  if (!p->thaddr && has_own_address(d)) return told;
  const uint64_t addr = d->has_next_trap ? d->next_trap : trapped_at(d, p->interrupt);
  d->has_next_trap = !p->thaddr;
  d->next_trap = told;
  return addr;
}

static uint8_t privilege_of(const oct_et_decoder *d, uint32_t code) {
  bool is_none = !d->is_foreign && d->cfg.p.privilege_bits == 2 && code == OCT_ET_PRIVILEGE_NONE;
  return (uint8_t)(is_none || code > OCT_PRIVILEGE_MAX ? OCT_PRIVILEGE_UNKNOWN : code);
}

int oct_et_tell_trap(oct_et_decoder *d) {
  const oct_et_packet *p = &d->held.packet;
  bool is_change = p->subformat == OCT_ET_SUB_CONTEXT;
  bool is_jump = p->interrupt && p->ecause == oct_et_jump_cause(&d->cfg);
  if (d->is_lost || (d->is_foreign ? !d->is_synced || is_change : is_jump)) return 0;
  oct_trap t = {.insn = (uint32_t)d->insn, .privilege = privilege_of(d, p->privilege)};
  if (is_change) {
    t.kind = OCT_TRAP_PRIVILEGE;
  } else {
    t.kind = p->interrupt ? OCT_TRAP_INTERRUPT : OCT_TRAP_EXCEPTION;
    t.cause = p->ecause;
    t.tval = p->interrupt ? 0 : p->tval;
    t.addr = address_of(d);
  }
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
    if (at > batch->n_insns) break;
    one.insn = at;
    if (oct_buffer_put(&d->out_traps, &one, sizeof one)) return OCT_ERR_NOMEM;
  }
  d->traps.n_bytes -= taken * sizeof *t;
  if (taken && d->traps.n_bytes) memmove(d->traps.bytes, t + taken, d->traps.n_bytes);
  batch->traps = (const oct_trap *)(const void *)d->out_traps.bytes;
  batch->n_traps = d->out_traps.n_bytes / sizeof *t;
  return 0;
}
