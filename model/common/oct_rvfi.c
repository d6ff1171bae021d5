/* SPDX-License-Identifier: Apache-2.0 */
/* oct_rvfi.c - RVFI as a core interface (oct_rvfi.h). */
#include "oct_rvfi.h"

#include <string.h>

#include "octrace/trace.h"
#include "oct_mask.h"
#include "oct_rv_access.h"
#include "oct_rv_jump.h"

void oct_rvfi_init(oct_rvfi *s, uint32_t xlen, uint32_t n_channels, uint32_t depth,
                   bool with_traps) {
  memset(s, 0, sizeof *s);
  s->n_channels = n_channels;
  s->depth = depth;
  s->addr_mask = oct_mask(xlen);
  s->is_64 = xlen == 64;
  s->with_traps = with_traps;
}

static uint64_t first_byte(const oct_rvfi *s, const oct_rvfi_in *in, uint8_t mask) {
  return (in->mem_addr + (mask ? (unsigned)__builtin_ctz(mask) : 0)) & s->addr_mask;
}

/* Has the mask, if there is one, the bytes of the opcode, without a gap? One that is wider than the
 * core has all that there are. */
static bool is_whole(const oct_rvfi *s, uint8_t mask, unsigned size_log2) {
  unsigned most = s->is_64 ? 3 : 2;
  unsigned bytes = 1u << (size_log2 < most ? size_log2 : most);
  return !mask || mask >> __builtin_ctz(mask) == (1 << bytes) - 1;
}

static oct_rvfi_entry entry_of(const oct_rvfi *s, const oct_rvfi_in *in, bool *breaks) {
  oct_rv_access access = oct_rv_access_of(in->insn, s->is_64);
  unsigned made = (in->rmask != 0) + (in->wmask != 0);
  unsigned slots = (unsigned)access.loads + access.stores;
  bool makes_other = (in->rmask && !access.loads) || (in->wmask && !access.stores) ||
                     !is_whole(s, in->rmask, access.size_log2) ||
                     !is_whole(s, in->wmask, access.size_log2);
  *breaks = (in->pc & 1) || (makes_other && !in->trap); /* what trapped made none */
  return (oct_rvfi_entry){
      .pc = in->pc,
      .insn = in->insn,
      .events = {{made > 0, !made && slots, first_byte(s, in, in->rmask ? in->rmask : in->wmask)},
                 {made == 2, made == 1 && slots == 2, first_byte(s, in, in->wmask)}},
      .intr = in->intr,
      .trap = in->trap,
      .halt = in->trap && in->halt,
      .is_cut = false,
      .is_other = false,
      .mode = in->mode,
      .epc = in->epc,
      .tval = in->tval,
      .cause = in->cause,
      .time = in->time};
}

static void pop(oct_rvfi *s) {
  s->second = s->said = s->cut_told = s->gave_up = false;
  s->read = (s->read + 1) % s->depth;
  s->count--;
}

/* Of something that was left out RVFI tells no kind, and where a gap has been told in place of a
 * handler's trap nothing more. */
static bool begins_handler_of(const oct_rvfi *s, const oct_rvfi_entry *head) {
  return head->intr && !head->is_cut && !s->gave_up && !(head->is_other && s->cut_told);
}

/* The head trapped, and the core halts: no handler will tell of it. */
static void give_halt(oct_rvfi *s, oct_retire *out) {
  const oct_rvfi_entry *head = &s->queue[s->read];
  out->trap_valid = true;
  out->trap_kind = OCT_TRAP_EXCEPTION;
  out->trap_privilege = s->mode = head->mode;
  out->trap_cause = head->cause;
  out->trap_addr = head->pc;
  out->trap_tval = head->tval;
  s->has_mode = true;
  pop(s);
}

/* What stands before the head, or in its place, where it trapped itself; false when that is
 * nothing. */
static bool give_trap(oct_rvfi *s, oct_retire *out) {
  const oct_rvfi_entry *head = &s->queue[s->read];
  bool begins_handler = begins_handler_of(s, head);
  bool is_trap = s->has_exception || begins_handler;
  bool changes_mode = s->has_mode && head->mode != s->mode && !head->trap;
  if (head->halt) {
    give_halt(s, out);
    return true;
  }
  if (s->second || s->said || !(is_trap || changes_mode)) {
    if (head->trap) {
      s->has_exception = true;
      s->exception_pc = head->pc;
      pop(s);
      return true;
    }
    s->mode = head->mode;
    s->has_mode = true;
    return false;
  }
  out->trap_valid = true;
  out->trap_kind = (uint8_t)(s->has_exception ? OCT_TRAP_EXCEPTION
                             : begins_handler ? OCT_TRAP_INTERRUPT
                                              : OCT_TRAP_PRIVILEGE);
  out->trap_privilege = head->mode;
  if (is_trap) {
    out->trap_cause = head->cause;
    out->trap_addr = head->epc & s->addr_mask;
  }
  if (s->has_exception) out->trap_tval = head->tval;
  s->mode = head->mode;
  s->has_mode = true;
  s->said = true;
  s->has_exception = false;
  return true;
}

/* A gap before the head: something was left out, or an interrupt came before the handler of an
 * exception, of which RVFI tells no cause then, or the cause is that of an exception that halts. */
static bool give_gap(oct_rvfi *s, oct_retire *out) {
  const oct_rvfi_entry *head = &s->queue[s->read];
  bool is_late = s->has_exception && ((head->epc ^ s->exception_pc) & s->addr_mask);
  bool is_trap = s->has_exception || begins_handler_of(s, head);
  bool loses_trap = head->is_other ? is_trap : is_late;
  if (!loses_trap && (!head->is_cut || s->cut_told)) return false;
  out->core_error = true;
  s->cut_told = true;
  s->has_exception = false;
  return true;
}

static void give(oct_rvfi *s, oct_retire *out) {
  const oct_rvfi_entry *head = &s->queue[s->read];
  if (give_gap(s, out)) return;
  if (s->with_traps && give_trap(s, out)) return;
  out->priv = head->mode;
  const oct_rvfi_event *event = &head->events[s->second];
  bool has_second = head->events[1].is_access || head->events[1].is_end;
  out->insn_valid = !s->second;
  out->time = head->time;
  out->insn_addr = head->pc;
  out->insn_size_bytes = (head->insn & 3) == 3 ? 4 : 2;
  out->insn_class = (uint8_t)oct_rv_class(head->insn, s->is_64);
  out->insn_word = head->insn;
  out->insn_word_valid = true;
  out->da_valid = event->is_access || event->is_end;
  out->da_end = event->is_end;
  out->da_addr = event->addr;
  if (has_second && !s->second) {
    s->second = true;
    return;
  }
  pop(s);
}

void oct_rvfi_cycle(oct_rvfi *s, bool is_open, bool is_halted, const oct_rvfi_in *in,
                    oct_retire *out) {
  oct_rvfi_entry entries[OCT_RVFI_CHANNELS_MAX] = {{.pc = 0}};
  uint32_t n = 0;
  bool fails = false, halts = false, drains = s->lost && s->count;
  *out = (oct_retire){.core_error = s->error && !s->count && !s->told};
  s->told = s->told || out->core_error;
  if (s->count) {
    give(s, out);
  } else if ((s->lost || (s->halted && s->has_exception)) && !s->error) {
    out->core_error = s->gave_up = true;
    s->has_exception = s->lost = false;
  }
  for (uint32_t c = 0; c < s->n_channels; c++) {
    bool breaks;
    if (!in[c].valid || (in[c].trap && !s->with_traps)) continue;
    s->cut = s->cut || !is_open;
    if (!is_open) continue;
    entries[n] = entry_of(s, &in[c], &breaks);
    entries[n++].is_cut = s->cut;
    s->cut = false;
    fails = fails || breaks;
  }
  s->loses = n && (drains || s->count + n > s->depth);
  for (uint32_t i = 0; i < n; i++) halts = halts || entries[i].halt;
  for (uint32_t i = 0; i < n && !fails && !s->error && !s->loses; i++) {
    entries[i].is_other = halts;
    s->queue[(s->read + s->count++) % s->depth] = entries[i];
  }
  s->error = s->error || fails;
  s->lost = s->lost || s->loses;
  s->halted = is_halted || (s->halted && !n);
}
