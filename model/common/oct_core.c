/* SPDX-License-Identifier: Apache-2.0 */
/* oct_core.c - arrival of instructions, stalls of the port.
 *
 * An instruction retires when oct_arrival.h says so; its accesses follow in consecutive cycles. */
#include "oct_core.h"

#include "oct_inline.h"
#include "oct_mask.h"

#include <string.h>

void oct_core_init(oct_core *s, const oct_run_options *options) {
  memset(s, 0, sizeof *s);
  s->options = *options;
}

int oct_core_put(oct_core *s, const oct_insn *insn, const oct_access *accesses, uint64_t number,
                 oct_diag *diag) {
  int error = oct_arrival_check(&s->arrivals, &s->options, insn, number, diag);
  if (error) return error;
  uint32_t records = insn->n_access + (insn->flags & OCT_INSN_END ? 1u : 0u);
  s->insn = insn;
  s->accesses = accesses;
  s->record = 0;
  s->records = records ? records : 1;
  s->until_cycle = oct_arrival_cycle(&s->arrivals, &s->options, insn);
  return 0;
}

uint64_t oct_core_pause_cycles(const oct_core *s) {
  return s->until_cycle > s->arrivals.cycle ? s->until_cycle - s->arrivals.cycle : 0;
}

void oct_core_skip(oct_core *s, uint64_t n_cycles) {
  s->arrivals.cycle += n_cycles;
}

void oct_core_idle(oct_core *s, oct_pins_in *in) {
  memset(in, 0, sizeof *in);
  in->port_stall = oct_arrival_stalls(&s->arrivals, &s->options);
  s->arrivals.cycle++;
}

void oct_core_trap(oct_core *s, const oct_trap *trap, uint32_t task, oct_pins_in *in) {
  oct_core_idle(s, in);
  in->retire.task = task;
  in->retire.trap_valid = true;
  in->retire.trap_kind = trap->kind;
  in->retire.trap_privilege = trap->privilege;
  s->priv = trap->privilege;
  in->retire.trap_cause = trap->cause;
  in->retire.trap_addr = trap->addr;
  in->retire.trap_tval = trap->tval;
}

int oct_core_check_trap(uint32_t addr_bits, uint32_t cause_bits, const oct_trap *trap,
                        uint64_t number, oct_diag *diag) {
  if ((trap->addr | trap->tval) & ~oct_mask(addr_bits))
    return oct_fail(diag, OCT_ERR_LIMIT,
                    "trap before instruction %llu, at 0x%llx with value 0x%llx: expected %u bits",
                    (unsigned long long)number, (unsigned long long)trap->addr,
                    (unsigned long long)trap->tval, addr_bits);
  if (trap->cause & ~oct_mask(cause_bits))
    return oct_fail(diag, OCT_ERR_LIMIT,
                    "trap before instruction %llu of cause %u: expected %u bits (cause_bits)",
                    (unsigned long long)number, trap->cause, cause_bits);
  return 0;
}

bool oct_core_next(oct_core *s, oct_pins_in *in) {
  const oct_insn *insn = s->insn;
  bool idle = s->arrivals.cycle < s->until_cycle;
  if (!idle && s->record == s->records) return false;
  oct_core_idle(s, in);
  if (idle) return true;
  in->retire.insn_valid = s->record == 0;
  in->retire.insn_addr = insn->addr;
  in->retire.insn_size_bytes = insn->size_bytes;
  in->retire.insn_class = (uint8_t)oct_insn_class(insn);
  in->retire.insn_word = s->insn_word;
  in->retire.insn_word_valid = s->insn_word_valid;
  in->retire.priv = s->priv;
  in->retire.task = insn->task;
  in->retire.time = insn->flags & OCT_INSN_HAS_CYCLE ? insn->cycle : 0;
  in->retire.da_valid = s->record < insn->n_access || (insn->flags & OCT_INSN_END);
  in->retire.da_end = s->record >= insn->n_access;
  if (s->record < insn->n_access) in->retire.da_addr = s->accesses[s->record].addr;
  s->record++;
  return true;
}

int oct_core_check_time(const oct_insn *insn, unsigned stamp_bits, uint64_t number,
                        oct_diag *diag) {
  const unsigned long long n = number, time = insn->cycle;
  if (!(insn->flags & OCT_INSN_HAS_CYCLE))
    return oct_fail(diag, OCT_ERR_CONFIG,
                    "instruction %llu has no time stamp: expected one of each instruction, as "
                    "time_source=1 takes its time from the trace",
                    n);
  if (time & ~oct_mask(stamp_bits))
    return oct_fail(diag, OCT_ERR_CONFIG,
                    "instruction %llu has the time stamp %llu: expected one of at most %u bits, as "
                    "time_source=1 keeps no more: subtract a start from all",
                    n, time, stamp_bits);
  return 0;
}

/* The bits that a value needs. */
static unsigned bits_of(uint32_t value) {
  unsigned n = 0;
  while (n < 32 && value >> n) n++;
  return n;
}

static int check_insn(const oct_core_widths *widths, const oct_insn *insn,
                      const oct_access *accesses, uint64_t number, oct_diag *diag) {
  const uint64_t beyond = ~oct_mask(widths->addr_bits);
  if (insn->addr & beyond)
    return oct_fail_insn(diag, OCT_ERR_LIMIT, number, insn->addr,
                         "wider than addr_bits=%u: give -g addr_bits=64", widths->addr_bits);
  if (insn->addr & oct_mask(widths->pc_align_bits))
    return oct_fail_insn(diag, OCT_ERR_LIMIT, number, insn->addr,
                         "expected a multiple of %u bytes, as pc_align_bits=%u asks for: give -g "
                         "pc_align_bits=0, or another --isa if you gave one",
                         1u << widths->pc_align_bits, widths->pc_align_bits);
  if (insn->task & ~oct_mask(widths->task_bits))
    return oct_fail_at(diag, OCT_ERR_LIMIT, OCT_AT_INSN, number,
                       "task %u: wider than task_bits=%u: give -g task_bits=%u", insn->task,
                       widths->task_bits, bits_of(insn->task));
  for (uint32_t k = 0; k < insn->n_access; k++)
    if (accesses[k].addr & beyond)
      return oct_fail_at(diag, OCT_ERR_LIMIT, OCT_AT_INSN, number,
                         "data address 0x%llx: wider than addr_bits=%u: give -g addr_bits=64",
                         (unsigned long long)accesses[k].addr, widths->addr_bits);
  return 0;
}

int oct_core_check_insn(const oct_core_widths *widths, const oct_insn *insn,
                        const oct_access *accesses, uint64_t number, oct_diag *diag) {
  return oct_diag_from(diag, OCT_ORIGIN_WIDTHS, check_insn(widths, insn, accesses, number, diag));
}

/* The first instruction that does not fit the widths is told; all at once they are found by one or.
 */
OCT_NO_INLINE int64_t oct_core_check(oct_core_widths widths, const oct_insn *insns, size_t n_insns,
                                     const oct_access *accesses, uint64_t first_insn,
                                     oct_diag *diag) {
  const uint64_t beyond = ~oct_mask(widths.addr_bits);
  uint64_t pcs = 0, das = 0;
  uint32_t tasks = 0;
  size_t n_accesses = 0;
  int error = 0;
  for (size_t i = 0; i < n_insns; i++) {
    pcs |= insns[i].addr;
    tasks |= insns[i].task;
    n_accesses += insns[i].n_access;
  }
  for (size_t k = 0; k < n_accesses; k++) das |= accesses[k].addr;
  if (!((pcs | das) & beyond) && !(pcs & oct_mask(widths.pc_align_bits)) &&
      !(tasks & ~oct_mask(widths.task_bits)))
    return (int64_t)n_accesses;
  for (size_t i = 0; i < n_insns && !error; accesses += insns[i++].n_access)
    error = oct_core_check_insn(&widths, &insns[i], accesses, first_insn + i, diag);
  return error;
}
