/* SPDX-License-Identifier: Apache-2.0 */
/* oct_riscv_ingress.c - RISC-V's trace ingress port, unrolled (oct_riscv_ingress.h).
 *
 * The head of the queue is walked: an error of what was lost before it, a trap or a change of
 * privilege that its first instruction tells, then block by block each instruction with its
 * accesses. */
#include "oct_riscv_ingress.h"

#include <string.h>

#include "octrace/trace.h"
#include "oct_mask.h"
#include "oct_rv_access.h"
#include "oct_rv_jump.h"

enum { ITYPE_NONE, ITYPE_EXCEPTION, ITYPE_INTERRUPT, ITYPE_NONTAKEN = 4, ITYPE_RESERVED = 7 };
enum { DTYPE_LOAD, DTYPE_STORE, DTYPE_CSR = 4, DTYPE_AMO = 8, DTYPE_STORE_FAILED = 15 };

void oct_riscv_ingress_init(oct_riscv_ingress *s, uint32_t n_blocks, uint32_t n_halfwords,
                            uint32_t n_accesses, uint32_t depth, uint32_t xlen) {
  memset(s, 0, sizeof *s);
  s->n_blocks = n_blocks;
  s->n_halfwords = n_halfwords;
  s->n_accesses = n_accesses;
  s->depth = depth;
  s->addr_mask = oct_mask(xlen);
  s->is_64 = xlen == 64;
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

static bool is_csr(uint8_t dtype) {
  return dtype >= DTYPE_CSR && dtype < DTYPE_CSR + 3;
}

static bool is_memory(uint8_t dtype) {
  return dtype <= DTYPE_STORE || (dtype >= DTYPE_AMO && dtype != DTYPE_STORE_FAILED);
}

static bool access_breaks_rule(const oct_riscv_ingress *s, const oct_riscv_in *in,
                               const oct_riscv_access *access) {
  if (!access->dretire) return false;
  bool is_known =
      is_csr(access->dtype) || is_memory(access->dtype) || access->dtype == DTYPE_STORE_FAILED;
  return !is_known || access->dblock >= s->n_blocks || !in->blocks[access->dblock].iretire;
}

static bool breaks_rule(const oct_riscv_ingress *s, const oct_riscv_in *in) {
  bool used_above = false;
  for (uint32_t i = s->n_blocks; i-- > 0;) {
    const oct_riscv_block *b = &in->blocks[i];
    if ((!is_used(b) || is_trap(b->itype)) && used_above) return true;
    if (is_used(b) && has_address(b) && (b->iaddr & 1)) return true;
    if (b->iretire > s->n_halfwords || (b->iretire && 1u + b->ilastsize > b->iretire)) return true;
    if (b->iretire && b->itype == ITYPE_RESERVED) return true;
    used_above = used_above || is_used(b);
  }
  for (uint32_t i = 0; i < s->n_accesses; i++)
    if (access_breaks_rule(s, in, &in->accesses[i])) return true;
  return false;
}

/* Which of the cycle's accesses, a bit each, are of the block under way; and of them, of the
 * instruction at addr. */
static uint8_t accesses_of_block(const oct_riscv_ingress *s, const oct_riscv_in *in) {
  uint8_t own = 0;
  for (uint32_t i = 0; i < s->n_accesses; i++) {
    const oct_riscv_access *access = &in->accesses[i];
    bool is_own = access->dretire && !is_csr(access->dtype) && access->dblock == s->block;
    own |= (uint8_t)(is_own << i);
  }
  return own;
}

static uint8_t accesses_of(const oct_riscv_ingress *s, const oct_riscv_in *in, uint64_t addr) {
  uint8_t own = accesses_of_block(s, in);
  for (uint32_t i = 0; i < s->n_accesses; i++)
    if (in->accesses[i].iaddr_lsbs != (unsigned)(addr >> 1 & 15)) own &= (uint8_t) ~(1u << i);
  return own;
}

/* Whether an instruction with the opcode's accesses can make this one. An AMO may be told as a load
 * or a store by a core that has no types for it. */
static bool can_make(oct_rv_access opcode, const oct_riscv_access *access) {
  bool is_amo = opcode.loads && opcode.stores;
  if (access->dsize != opcode.size_log2) return false;
  if (access->dtype == DTYPE_LOAD) return opcode.loads;
  if (access->dtype == DTYPE_STORE) return opcode.stores;
  return access->dtype == DTYPE_STORE_FAILED ? opcode.stores && !is_amo : is_amo;
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
  s->lost_told = s->unmet = false;
  s->block = s->at = s->met = 0;
}

/* Whether an access must be of an instruction, and none has made it. */
static bool is_owed(const oct_riscv_ingress *s, const oct_riscv_in *in) {
  for (uint32_t i = 0; i < s->n_accesses; i++) {
    const oct_riscv_access *access = &in->accesses[i];
    if (access->dretire && !is_csr(access->dtype) && !(s->met >> i & 1)) return true;
  }
  return false;
}

/* ecall, ebreak, c.ebreak: their exception is at themselves, though they count as retired. */
static bool calls_environment(uint32_t word) {
  return (word & ~(UINT32_C(1) << 20)) == 0x73 || word == 0x9002;
}

/* The trap that waits is told, with the privilege that is known. */
static void give_trap(oct_riscv_ingress *s, oct_retire *out) {
  out->trap_valid = true;
  out->trap_kind = s->trap_kind;
  out->trap_privilege = s->priv;
  out->trap_cause = s->trap_cause;
  out->trap_addr = s->trap_addr;
  out->trap_tval = s->trap_tval;
  s->has_trap = false;
  s->has_priv = true;
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
    if (!s->has_priv) s->priv = in->priv;
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
  bool is_long = (b->words[s->at] & 3) == 3, is_longer = (b->words[s->at] & 0x1f) == 0x1f;
  uint32_t high = s->at + 1 < s->n_halfwords ? b->words[s->at + 1] : 0;
  uint32_t word = b->words[s->at] | (is_long ? high << 16 : 0);
  uint64_t addr = (b->iaddr + 2u * s->at) & s->addr_mask;
  uint32_t behind = s->at + 1u + is_long;
  uint8_t own = accesses_of(s, in, addr);
  const oct_riscv_access *access = &in->accesses[own ? __builtin_ctz(own) : 0];
  oct_rv_access opcode = oct_rv_access_of(word, s->is_64);
  bool is_last = behind == b->iretire;
  s->met |= own;
  if (is_longer || behind > b->iretire || (is_last && b->ilastsize != is_long) ||
      (own & (own - 1)) || (own && !can_make(opcode, access))) {
    out->core_error = true;
    s->met |= accesses_of_block(s, in);
    s->next_addr = 0;
    end_block(s, in, 0);
    return;
  }
  unsigned slots = (unsigned)opcode.loads + opcode.stores;
  unsigned made = !own || !is_memory(access->dtype) ? 0 : access->dtype >= DTYPE_AMO ? 2 : 1;
  if (s->second) {
    out->da_valid = true;
    out->da_end = made != 2;
  } else {
    out->insn_valid = out->insn_word_valid = true;
    out->insn_size_bytes = is_long ? 4 : 2;
    out->insn_class = is_last ? class_of(b->itype) : (uint8_t)OCT_CLASS_OTHER;
    out->insn_word = word;
    out->insn_addr = addr;
    out->da_valid = slots != 0;
    out->da_end = !made;
  }
  out->da_addr = access->daddr & s->addr_mask;
  if (made && slots == 2 && !s->second) {
    s->second = true;
    return;
  }
  s->second = false;
  s->at = behind;
  /* An itype of 3 bits has no code for direct jumps, and a trap's says nothing of its block. */
  bool is_told = b->itype > ITYPE_INTERRUPT;
  bool falls =
      is_told ? b->itype == ITYPE_NONTAKEN : oct_rv_class(word, s->is_64) == OCT_CLASS_OTHER;
  s->next_addr = is_last && !falls ? 0 : (addr + 2u + 2u * is_long) & s->addr_mask;
  bool is_own = b->itype == ITYPE_EXCEPTION && calls_environment(word);
  if (is_last) end_block(s, in, is_own ? addr : falls ? b->iaddr + 2u * b->iretire : 0);
}

/* What stands before the head's first instruction; false when there is nothing. */
static bool tell_trap(oct_riscv_ingress *s, const oct_riscv_in *in, oct_retire *out) {
  const oct_riscv_block *first = &in->blocks[0];
  /* Of a cycle with nothing in it, and of one without instructions, the privilege is no change. */
  if (!is_used(first) || (!s->has_trap && !first->iretire)) return false;
  bool is_change = s->has_priv && in->priv != s->priv;
  s->has_priv = true;
  s->priv = in->priv;
  if (!s->has_trap && !is_change) return false;
  if (s->has_trap) {
    give_trap(s, out);
    return true;
  }
  out->trap_valid = true;
  out->trap_kind = OCT_TRAP_PRIVILEGE;
  out->trap_privilege = in->priv;
  return true;
}

static void walk(oct_riscv_ingress *s, oct_retire *out) {
  const oct_riscv_entry *head = &s->queue[s->read];
  const oct_riscv_in *in = &head->in;
  bool is_lost = head->lost && !s->lost_told, at_begin = !s->block && !s->at && !s->second;
  if (head->halted && !is_lost && at_begin && !s->unmet) {
    s->next_addr = 0;
    if (s->has_trap) {
      give_trap(s, out);
      out->task = head->task;
      return;
    }
  }
  if (is_lost || head->breaks) {
    out->core_error = true;
    s->has_trap = false; /* it would stand behind the gap */
    s->next_addr = 0;
    if (is_lost) {
      s->lost_told = true;
    } else {
      pop(s);
    }
    return;
  }
  if (s->unmet) {
    out->core_error = true;
    s->next_addr = 0;
    pop(s);
    return;
  }
  out->task = head->task;
  out->priv = in->priv;
  out->time = in->time;
  if (at_begin && tell_trap(s, in, out)) return;
  unroll(s, in, out);
}

/* A trigger that starts is told with the first that leaves of its cycle but a trap, one that stops
 * with the last. */
static uint8_t tell_triggers(oct_riscv_ingress *s, const oct_riscv_entry *head, bool is_trap,
                             bool is_last) {
  uint8_t trigger = 0;
  if (!s->started && !is_trap) trigger = head->trigger & OCT_RISCV_TRIGGER_START;
  s->started = !is_last && (s->started || !is_trap);
  if (is_last) trigger |= head->trigger & OCT_RISCV_TRIGGER_STOP;
  return trigger;
}

void oct_riscv_ingress_cycle(oct_riscv_ingress *s, bool is_open, const oct_riscv_in *in,
                             oct_retire *out) {
  bool is_full = s->count == s->depth, has_block = false, brings = in->trigger != 0;
  oct_riscv_entry *entry = &s->queue[(s->read + s->count) % s->depth];
  *out = (oct_retire){.insn_valid = false};
  for (uint32_t i = 0; i < s->n_blocks; i++) has_block = has_block || is_used(&in->blocks[i]);
  for (uint32_t i = 0; i < s->n_accesses; i++) brings = brings || in->accesses[i].dretire;
  if (s->count) {
    const oct_riscv_entry *head = &s->queue[s->read];
    uint32_t count = s->count;
    walk(s, out);
    out->trigger = tell_triggers(s, head, out->trap_valid, s->count != count);
  } else if (s->halted && s->has_trap) {
    give_trap(s, out);
    out->task = s->queue[(s->read + s->depth - 1) % s->depth].task;
  }
  if (has_block && in->ctype) s->task = in->context;
  bool halts = in->halted || in->reset, was_halted = s->halted;
  s->halted = s->halted || halts;
  if (!has_block && !brings) return;
  if (is_full || !is_open) {
    s->lost = true;
    if (in->trigger) s->lost_trigger = in->trigger;
    return;
  }
  *entry = (oct_riscv_entry){.in = *in,
                             .task = s->task,
                             .trigger = in->trigger ? in->trigger : s->lost_trigger,
                             .breaks = breaks_rule(s, in),
                             .lost = s->lost,
                             .halted = was_halted};
  s->lost = false;
  s->halted = halts;
  s->lost_trigger = 0;
  s->count++;
}
