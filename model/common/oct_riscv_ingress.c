/* SPDX-License-Identifier: Apache-2.0 */
/* oct_riscv_ingress.c - RISC-V's trace ingress port, unrolled (oct_riscv_ingress.h).
 *
 * The head of the queue is walked: an error of what was lost before it, a trap or a change of
 * privilege that its first instruction tells, then block by block each instruction with its
 * accesses. */
#include "oct_riscv_ingress.h"

#include <string.h>

#include "oct_event.h"
#include "oct_mask.h"
#include "oct_rv_slots.h"

enum { ITYPE_NONE, ITYPE_EXCEPTION, ITYPE_INTERRUPT, ITYPE_NONTAKEN = 4 };
enum { DTYPE_LOAD, DTYPE_STORE, DTYPE_AMO = 8, DTYPE_STORE_FAILED = 15 };

void oct_riscv_ingress_init(oct_riscv_ingress *s, uint32_t n_blocks, uint32_t n_halfwords,
                            uint32_t depth, uint32_t addr_bits) {
  memset(s, 0, sizeof *s);
  s->n_blocks = n_blocks;
  s->n_halfwords = n_halfwords;
  s->depth = depth;
  s->addr_mask = oct_mask(addr_bits);
}

static bool is_trap(uint8_t itype) {
  return itype == ITYPE_EXCEPTION || itype == ITYPE_INTERRUPT;
}

static bool is_used(const oct_riscv_block *b) {
  return b->iretire || is_trap(b->itype);
}

/* An interrupt without instructions has none. */
static bool has_address(const oct_riscv_block *b) {
  return b->iretire || b->itype == ITYPE_EXCEPTION;
}

static bool breaks_rule(const oct_riscv_ingress *s, const oct_riscv_in *in) {
  bool used_above = false;
  for (uint32_t i = s->n_blocks; i-- > 0;) {
    const oct_riscv_block *b = &in->blocks[i];
    if ((!is_used(b) || is_trap(b->itype)) && used_above) return true;
    if (is_used(b) && has_address(b) && (b->iaddr & 1)) return true;
    if (b->iretire > s->n_halfwords || (b->iretire && 1u + b->ilastsize > b->iretire)) return true;
    if (!b->iretire && in->dretire && in->dblock == i) return true;
    used_above = used_above || is_used(b);
  }
  return in->dretire && in->dblock >= s->n_blocks;
}

static unsigned made_by(const oct_riscv_ingress *s, const oct_riscv_in *in, uint64_t addr) {
  bool is_mine =
      in->dretire && in->dblock == s->block && in->iaddr_lsbs == (unsigned)(addr >> 1 & 15);
  if (!is_mine || in->dtype == DTYPE_STORE_FAILED) return 0;
  return in->dtype >= DTYPE_AMO ? 2 : in->dtype <= DTYPE_STORE;
}

static uint8_t class_of(uint8_t itype) {
  static const uint8_t classes[16] = {
      OCT_CLASS_OTHER,         OCT_CLASS_OTHER,         OCT_CLASS_OTHER,
      OCT_CLASS_INDIRECT_JUMP, OCT_CLASS_COND_BRANCH,   OCT_CLASS_COND_BRANCH,
      OCT_CLASS_INDIRECT_JUMP, OCT_CLASS_OTHER,         OCT_CLASS_INDIRECT_CALL,
      OCT_CLASS_DIRECT_CALL,   OCT_CLASS_INDIRECT_JUMP, OCT_CLASS_DIRECT_JUMP,
      OCT_CLASS_INDIRECT_JUMP, OCT_CLASS_RETURN,        OCT_CLASS_INDIRECT_JUMP,
      OCT_CLASS_DIRECT_JUMP};
  return classes[itype & 15];
}

static void pop(oct_riscv_ingress *s) {
  s->read = (s->read + 1) % s->depth;
  s->count--;
  s->lost_told = s->met = s->unmet = false;
  s->block = s->at = 0;
}

/* Whether the access must be of an instruction, and none has made it. */
static bool is_owed(const oct_riscv_ingress *s, const oct_riscv_in *in) {
  bool is_memory =
      in->dtype <= DTYPE_STORE || (in->dtype >= DTYPE_AMO && in->dtype != DTYPE_STORE_FAILED);
  return in->dretire && is_memory && !s->met;
}

/* ecall, ebreak, c.ebreak: their exception is at themselves, though they count as retired. */
static bool calls_environment(uint32_t word) {
  return (word & ~(UINT32_C(1) << 20)) == 0x73 || word == 0x9002;
}

/* The block under way is done: the next, or the next cycle. trap_addr: of a trap that ends it. */
static void end_block(oct_riscv_ingress *s, const oct_riscv_in *in, uint64_t trap_addr) {
  const oct_riscv_block *b = &in->blocks[s->block];
  if (is_trap(b->itype)) {
    bool is_exception = b->itype == ITYPE_EXCEPTION;
    s->has_trap = true;
    s->trap_kind = is_exception ? OCT_TRAP_EXCEPTION : OCT_TRAP_INTERRUPT;
    s->trap_cause = in->cause;
    s->trap_addr = trap_addr & s->addr_mask;
    s->next_addr = 0;
    s->trap_tval = is_exception ? in->tval : 0;
  }
  s->at = 0;
  if (s->block + 1 < s->n_blocks && is_used(&in->blocks[s->block + 1])) {
    s->block++;
  } else if (is_owed(s, in)) {
    s->block = 0;
    s->unmet = true;
  } else {
    pop(s);
  }
}

/* The instruction at the head's place, or its second event. */
static void unroll(oct_riscv_ingress *s, const oct_riscv_in *in, oct_retire *out) {
  const oct_riscv_block *b = &in->blocks[s->block];
  if (s->at >= b->iretire) {
    end_block(s, in, has_address(b) ? b->iaddr : s->next_addr);
    return;
  }
  bool is_long = (b->words[s->at] & 3) == 3;
  uint32_t high = s->at + 1 < s->n_halfwords ? b->words[s->at + 1] : 0;
  uint32_t word = b->words[s->at] | (is_long ? high << 16 : 0);
  uint64_t addr = (b->iaddr + 2u * s->at) & s->addr_mask;
  uint32_t behind = s->at + 1u + is_long;
  unsigned made = made_by(s, in, addr), slots = oct_rv_slots(word);
  bool is_last = behind == b->iretire, has_second = made == 2 || (made == 1 && slots == 2);
  if (behind > b->iretire || (is_last && b->ilastsize != is_long) || made > slots) {
    out->core_error = s->met = true;
    s->next_addr = 0;
    end_block(s, in, b->iaddr + 2u * b->iretire);
    return;
  }
  s->met |= made != 0;
  if (s->second) {
    out->da_valid = true;
    out->da_end = made != 2;
  } else {
    out->insn_valid = true;
    out->insn_size_bytes = is_long ? 4 : 2;
    out->insn_class = is_last ? class_of(b->itype) : (uint8_t)OCT_CLASS_OTHER;
    out->insn_word = word;
    out->insn_addr = addr;
    out->da_valid = slots != 0;
    out->da_end = !made;
  }
  out->da_addr = in->daddr;
  if (has_second && !s->second) {
    s->second = true;
    return;
  }
  s->second = false;
  s->at = behind;
  bool falls = b->itype == ITYPE_NONE || b->itype == ITYPE_NONTAKEN;
  s->next_addr = is_last && !falls ? 0 : (addr + 2u + 2u * is_long) & s->addr_mask;
  bool is_own = b->itype == ITYPE_EXCEPTION && calls_environment(word);
  if (is_last) end_block(s, in, is_own ? addr : b->iaddr + 2u * b->iretire);
}

/* What stands before the head's first instruction; false when there is nothing. */
static bool tell_trap(oct_riscv_ingress *s, const oct_riscv_in *in, oct_retire *out) {
  if (!s->has_trap && !in->blocks[0].iretire) return false; /* no instruction has this privilege */
  bool is_change = s->has_priv && in->priv != s->priv;
  s->has_priv = true;
  s->priv = in->priv;
  if (!s->has_trap && !is_change) return false;
  out->trap_valid = true;
  out->trap_kind = s->has_trap ? s->trap_kind : (uint8_t)OCT_TRAP_PRIVILEGE;
  out->trap_privilege = in->priv;
  if (s->has_trap) {
    out->trap_cause = s->trap_cause;
    out->trap_addr = s->trap_addr;
    out->trap_tval = s->trap_tval;
  }
  s->has_trap = false;
  return true;
}

static void walk(oct_riscv_ingress *s, oct_retire *out) {
  const oct_riscv_entry *head = &s->queue[s->read];
  const oct_riscv_in *in = &head->in;
  if (head->lost && !s->lost_told) {
    out->core_error = s->lost_told = true;
    s->next_addr = 0;
    return;
  }
  if (head->breaks || s->unmet) {
    out->core_error = true;
    s->next_addr = 0;
    pop(s);
    return;
  }
  bool begins = !s->block && !s->at && !s->second;
  if (begins && in->ctype) s->task = in->context;
  out->task = s->task;
  out->priv = in->priv;
  if (begins && tell_trap(s, in, out)) return;
  unroll(s, in, out);
}

void oct_riscv_ingress_cycle(oct_riscv_ingress *s, const oct_riscv_in *in, oct_retire *out) {
  bool brings = in->dretire, is_full = s->count == s->depth;
  oct_riscv_entry *entry = &s->queue[(s->read + s->count) % s->depth];
  *out = (oct_retire){.insn_valid = false};
  for (uint32_t i = 0; i < s->n_blocks; i++) brings = brings || is_used(&in->blocks[i]);
  if (s->count) walk(s, out);
  if (!brings) return;
  if (is_full) {
    s->lost = true;
    return;
  }
  *entry = (oct_riscv_entry){*in, breaks_rule(s, in), s->lost};
  s->lost = false;
  s->count++;
}
