/* SPDX-License-Identifier: Apache-2.0 */
/* oct_batch_rules.c - what holds of every trace: addresses are as wide and as aligned as it says,
 * traps make sense, and cycle stamps do not go back. */
#include "oct_batch_rules.h"

#include <inttypes.h>

static int check_trap(const oct_batch_rules *r, const oct_trap *t, uint64_t insn, oct_diag *diag) {
  const uint64_t widest = r->addr_bits == 32 ? UINT32_MAX : UINT64_MAX;
  if (t->addr > widest || t->tval > widest)
    return oct_fail(diag, OCT_ERR_ARG,
                    "the trap before instruction %" PRIu64 ", at 0x%" PRIx64
                    " with value 0x%" PRIx64 ": expected 32 bits, as the trace has",
                    insn, t->addr, t->tval);
  if (oct_trap_is_valid(t)) return 0;
  return oct_fail(diag, OCT_ERR_ARG,
                  "the trap before instruction %" PRIu64
                  ": expected a kind, privilege up to 7, and 0 in fields that the kind lacks",
                  insn);
}

static int check_insn(oct_batch_rules *r, const oct_insn *insn, uint64_t number, oct_diag *diag) {
  if (r->addr_bits == 32 && insn->addr > UINT32_MAX)
    return oct_fail_insn(diag, OCT_ERR_ARG, number, insn->addr,
                         "expected 32 bits, as the trace has");
  if (r->insn_align_bytes && insn->addr & (r->insn_align_bytes - 1))
    return oct_fail_insn(diag, OCT_ERR_ARG, number, insn->addr,
                         "expected a multiple of %u bytes, as of the trace or --isa",
                         r->insn_align_bytes);
  oct_stamps_insn(&r->stamps, insn->task);
  if ((insn->flags & OCT_INSN_HAS_CYCLE) && oct_stamps_cycle(&r->stamps, insn->cycle))
    return oct_fail_at(diag, OCT_ERR_ARG, OCT_AT_INSN, number,
                       "a cycle stamp of %" PRIu64 ": expected %" PRIu64
                       " or later, as the one before it has the same task",
                       insn->cycle, r->stamps.cycle);
  return 0;
}

static int check_accesses(const oct_batch_rules *r, const oct_access *accesses, size_t n,
                          uint64_t insn, oct_diag *diag) {
  for (size_t i = 0; i < n && r->addr_bits == 32; i++)
    if (accesses[i].addr > UINT32_MAX)
      return oct_fail_at(diag, OCT_ERR_ARG, OCT_AT_INSN, insn,
                         "an access at 0x%" PRIx64 ": expected 32 bits, as the trace has",
                         accesses[i].addr);
  return 0;
}

static int check_facts(const oct_batch *b, uint64_t first_insn, oct_diag *diag) {
  for (size_t i = 0; i < b->n_facts; i++) {
    const oct_fact *f = &b->facts[i];
    const bool has_value = oct_value_of(b, f->value) != NULL;
    if (!oct_fact_is_valid(f, has_value) || f->insn > b->n_insns ||
        (i && f->insn < b->facts[i - 1].insn) ||
        (has_value && (f->value > b->n_values || f->n_bytes > b->n_values - (f->value - 1))))
      return oct_fail_at(diag, OCT_ERR_ARG, OCT_AT_BEFORE_INSN, first_insn + f->insn,
                         "a fact: expected those in order, of a register with its bytes, or of "
                         "memory");
  }
  return 0;
}

static int check_values(const oct_batch *b, uint64_t first_insn, oct_diag *diag) {
  for (size_t i = 0; b->values && i < b->n_accesses; i++) {
    const oct_access *a = &b->accesses[i];
    if (a->value &&
        (!a->size_bytes || a->value > b->n_values || a->size_bytes > b->n_values - (a->value - 1)))
      return oct_fail_at(diag, OCT_ERR_ARG, OCT_AT_INSN, first_insn,
                         "or a later one: expected the value of an access within those of the "
                         "batch");
  }
  return 0;
}

bool oct_batch_is_plain(oct_batch_rules *r, const oct_batch *b) {
  uint64_t addrs = 0, accessed = 0;
  size_t n_accesses = 0;
  uint32_t other_tasks = 0;
  unsigned flags = 0;
  for (size_t i = 0; i < b->n_insns; i++) {
    const oct_insn *insn = &b->insns[i];
    addrs |= insn->addr;
    flags |= insn->flags;
    other_tasks |= insn->task ^ r->stamps.task;
    n_accesses += insn->n_access;
  }
  if (r->addr_bits == 32)
    for (size_t i = 0; i < n_accesses; i++) accessed |= b->accesses[i].addr;
  if (b->n_traps || b->n_facts || b->values || flags & OCT_INSN_HAS_CYCLE ||
      (r->addr_bits == 32 && (addrs | accessed) > UINT32_MAX) ||
      (r->insn_align_bytes && addrs & (r->insn_align_bytes - 1)))
    return false;
  if (other_tasks) {
    r->stamps.has_cycle = 0;
    r->stamps.task = b->insns[b->n_insns - 1].task;
  }
  return true;
}

int oct_batch_check(oct_batch_rules *r, const oct_batch *batch, uint64_t first_insn, size_t *n_good,
                    oct_diag *diag) {
  const oct_access *access = batch->accesses;
  const oct_trap *trap = batch->traps, *end = trap + batch->n_traps;
  int wrong = check_facts(batch, first_insn, diag);
  if (!wrong) wrong = check_values(batch, first_insn, diag);
  *n_good = 0;
  if (wrong) return wrong;
  for (size_t i = 0;; i++) {
    int error = 0;
    *n_good = i;
    for (; trap < end && (trap->insn <= i || i == batch->n_insns); trap++)
      if ((error = check_trap(r, trap, first_insn + trap->insn, diag))) return error;
    if (i == batch->n_insns) return 0;
    const oct_insn *insn = &batch->insns[i];
    error = check_insn(r, insn, first_insn + i, diag);
    if (!error) error = check_accesses(r, access, insn->n_access, first_insn + i, diag);
    if (error) return error;
    access += insn->n_access;
  }
}
