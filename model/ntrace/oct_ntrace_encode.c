/* SPDX-License-Identifier: Apache-2.0 */
/* oct_ntrace_encode.c - the N-Trace encoder: retired instructions to messages.
 *
 * I-CNT counts halfwords of retired instructions, so that every message says exactly how far the
 * decoder has to go. With history (HTM) conditional branches are bits of HIST, which goes with the
 * next message or, when it is full, in a ResourceFull; without (BTM) each taken one is a message.
 * Indirect jumps send their target, but returns that the stack predicted. What no instruction
 * explains is an indirect branch of type trap. A sync is an indirect (or direct) branch with the
 * address in full, wherever it is due. */
#include "oct_mask.h"
#include "oct_ntrace_encode.h"

#include "oct_plural.h"

int oct_nt_encoder_init(void *encoder, const uint32_t *params, oct_diag *diag) {
  oct_nt_encoder *e = encoder;
  (void)diag;
  e->p = oct_nt_params_of(params);
  e->hist = 1;
  e->stack.depth = e->p.return_stack;
  return 0;
}

/* ---- Messages ---- */

static int put(oct_nt_encoder *e, const oct_nt_message *m, uint64_t *bits) {
  uint8_t *out = oct_buffer_room(&e->base.out, OCT_NT_MESSAGE_BYTES_MAX);
  if (!out) return OCT_ERR_NOMEM;
  oct_nt_message timed = *m;
  timed.time = m->sync ? e->time : e->time - e->sent_time;
  if (m->tcode != OCT_NT_COUNT) e->sent_time = e->time;
  unsigned n = oct_nt_write(&e->p, &timed, out);
  e->base.out.n_bytes += n;
  *bits += 8 * n;
  e->counters.packets++;
  return 0;
}

/* Send what was held back to be repeated. */
static int put_repeated(oct_nt_encoder *e) {
  oct_nt_message m = {.tcode = OCT_NT_FULL, .hist = e->full_hist, .value = e->n_full};
  int rc = 0;
  m.rcode = e->n_full > 1 ? OCT_NT_FULL_REPEAT : OCT_NT_FULL_HIST;
  if (e->n_full) rc = put(e, &m, &e->counters.branch_bits);
  e->n_full = 0;
  m = (oct_nt_message){.tcode = OCT_NT_REPEAT, .value = e->n_repeat};
  if (!rc && e->n_repeat) rc = put(e, &m, &e->counters.branch_bits);
  e->n_repeat = e->last_icnt = 0;
  return rc;
}

static int add_hist(oct_nt_encoder *e, bool is_taken) {
  e->hist = e->hist << 1 | is_taken;
  if (!(e->hist >> e->p.hist_bits)) return 0;
  uint64_t full = e->hist;
  int rc = 0;
  e->hist = 1;
  if (e->n_full && (e->full_hist != full || e->n_full == OCT_NT_REPEAT_MOST)) rc = put_repeated(e);
  e->full_hist = full;
  e->n_full++;
  return rc || e->p.repeat ? rc : put_repeated(e);
}

/* A taken direct branch, without history. */
static int put_direct(oct_nt_encoder *e) {
  oct_nt_message m = {.tcode = OCT_NT_DIRECT, .icnt = e->icnt};
  e->icnt = 0;
  if (e->p.repeat && e->last_icnt == m.icnt && e->n_repeat < OCT_NT_REPEAT_MOST) {
    e->n_repeat++;
    return 0;
  }
  int rc = put_repeated(e);
  e->last_icnt = m.icnt;
  return rc ? rc : put(e, &m, &e->counters.branch_bits);
}

static int count_insn(oct_nt_encoder *e, uint64_t halfwords) {
  int rc = 0;
  if (e->icnt && (e->icnt + halfwords) >> e->p.icnt_bits) {
    oct_nt_message m = {.tcode = OCT_NT_FULL, .rcode = OCT_NT_FULL_ICNT, .icnt = e->icnt};
    rc = put_repeated(e);
    if (!rc) rc = put(e, &m, &e->counters.branch_bits);
    e->icnt = 0;
  }
  e->icnt += halfwords;
  return rc;
}

/* A message with the address of the next instruction. sync: a reason, or 0. */
static int put_address(oct_nt_encoder *e, uint8_t tcode, uint8_t btype, uint8_t sync,
                       uint64_t addr) {
  oct_nt_message m = {.tcode = tcode, .sync = sync, .btype = btype, .icnt = e->icnt};
  int rc = put_repeated(e);
  if (e->p.history && tcode != OCT_NT_SYNC) {
    m.hist = e->hist;
    if (e->hist > 1 || sync) m.tcode = sync ? OCT_NT_HIST_SYNC : OCT_NT_HIST;
  }
  m.addr = (sync ? addr : addr ^ e->last_addr) >> 1;
  e->last_addr = addr;
  e->icnt = 0;
  e->hist = 1;
  return rc ? rc : put(e, &m, sync ? &e->counters.sync_bits : &e->counters.address_bits);
}

static int put_task(oct_nt_encoder *e, uint32_t task) {
  enum { FORMAT_SCONTEXT = 2, CONTEXT_SHIFT = 5 };
  oct_nt_message m = {.tcode = OCT_NT_OWNERSHIP,
                      .value = (uint64_t)task << CONTEXT_SHIFT | FORMAT_SCONTEXT};
  e->task = task;
  return put(e, &m, &e->counters.sync_bits);
}

/* What stands behind each sync: the task, if it is not 0 as long as nothing is said, and the count.
 */
static int end_sync(oct_nt_encoder *e, uint64_t number, const oct_insn *insn) {
  oct_nt_message m = {.tcode = OCT_NT_COUNT, .value = number};
  int rc = insn->task || e->task ? put_task(e, insn->task) : 0;
  if (!rc && e->p.count) rc = put(e, &m, &e->counters.sync_bits);
  e->stack.n = 0;
  e->counters.syncs++;
  e->base.sync_at = e->p.sync_period_insns ? number + e->p.sync_period_insns : UINT64_MAX;
  return rc;
}

/* ---- One instruction ---- */

/* What an instruction is followed by. */
typedef enum flow { FLOW_INFERRED, FLOW_TAKEN, FLOW_JUMP, FLOW_TRAP } flow;

static flow flow_of(oct_nt_encoder *e, const oct_insn *insn, uint64_t next) {
  uint64_t behind = insn->addr + insn->size_bytes;
  oct_class cls = oct_insn_class(insn);
  switch (cls) {
    case OCT_CLASS_COND_BRANCH:
      if (next == behind) return FLOW_INFERRED;
      return oct_encoder_base_target(&e->base, insn->addr, ~next) == next ? FLOW_TAKEN : FLOW_TRAP;
    case OCT_CLASS_DIRECT_CALL:
    case OCT_CLASS_DIRECT_JUMP:
      if (cls == OCT_CLASS_DIRECT_CALL) oct_nt_push(&e->stack, behind);
      return oct_encoder_base_target(&e->base, insn->addr, ~next) == next ? FLOW_INFERRED
                                                                          : FLOW_TRAP;
    case OCT_CLASS_RETURN:
      if (!e->stack.n || oct_nt_pop(&e->stack) != next) return FLOW_JUMP;
      e->counters.implicit_returns++;
      return FLOW_INFERRED;
    case OCT_CLASS_INDIRECT_CALL:
      oct_nt_push(&e->stack, behind);
      return FLOW_JUMP;
    case OCT_CLASS_INDIRECT_JUMP:
      return FLOW_JUMP;
    default:
      return next == behind ? FLOW_INFERRED : FLOW_TRAP;
  }
}

/* Time goes on: cycles once an instruction had them, else instructions. It never goes back. */
static void take_time(oct_nt_encoder *e, const oct_insn *insn) {
  if (insn->flags & OCT_INSN_HAS_CYCLE) e->has_cycles = true;
  uint64_t time = insn->flags & OCT_INSN_HAS_CYCLE ? insn->cycle : e->base.insn;
  if (e->has_cycles && !(insn->flags & OCT_INSN_HAS_CYCLE)) return;
  if (time > e->time) e->time = time;
}

static int put_end(oct_nt_encoder *e) {
  oct_nt_message m = {
      .tcode = OCT_NT_END, .code = OCT_NT_DISABLED, .icnt = e->icnt, .hist = e->hist};
  int rc = put_repeated(e);
  e->icnt = 0;
  e->hist = 1;
  e->base.is_enabled = false;
  return rc ? rc : put(e, &m, &e->counters.sync_bits);
}

static int begin(oct_nt_encoder *e, const oct_insn *insn) {
  int rc = put_address(e, OCT_NT_SYNC, 0, OCT_NT_SYNC_ENABLED, insn->addr);
  e->base.is_enabled = true;
  return rc ? rc : end_sync(e, e->base.insn, insn);
}

/* An instruction and the one after it, NULL at the end. */
static int step(oct_nt_encoder *e, const oct_insn *insn, const oct_insn *next, oct_diag *diag) {
  bool goes_on = next && next->task == insn->task;
  bool is_branch = oct_insn_class(insn) == OCT_CLASS_COND_BRANCH;
  int rc = oct_map_walk_to(&e->base.walk, e->base.insn);
  if ((insn->addr | insn->size_bytes) & 1)
    return oct_fail(diag, OCT_ERR_LIMIT,
                    "instruction %llu, 0x%llx of %u byte%s: N-Trace counts halfwords",
                    (unsigned long long)e->base.insn, (unsigned long long)insn->addr,
                    insn->size_bytes, OCT_S(insn->size_bytes));
  if (e->p.extend_addr && insn->addr & ~oct_mask(e->p.extend_addr))
    return oct_fail_insn(diag, OCT_ERR_LIMIT, e->base.insn, insn->addr, "wider than extend_addr=%u",
                         e->p.extend_addr);
  take_time(e, insn);
  if (!rc && !e->base.is_enabled) rc = begin(e, insn);
  if (!rc) rc = count_insn(e, insn->size_bytes / 2);
  if (oct_insn_class(insn) > OCT_CLASS_OTHER) e->base.seen_class = true;
  /* At a change of task calls and returns count too, wherever they led. */
  flow to = next ? flow_of(e, insn, next->addr) : FLOW_INFERRED;
  if (!goes_on) to = FLOW_INFERRED;
  if (to == FLOW_TRAP && oct_encoder_base_check_class(&e->base, insn, diag))
    return OCT_ERR_UNSUPPORTED;
  e->counters.branches += is_branch;
  if (!rc && is_branch && e->p.history) rc = add_hist(e, to == FLOW_TAKEN);
  if (rc) return oct_fail(diag, rc, "out of memory");
  if (!next) {
    rc = put_end(e);
  } else if (!goes_on) {
    rc = put_address(e, OCT_NT_INDIRECT, OCT_NT_TRAP, 0, next->addr);
    if (!rc) rc = put_task(e, next->task);
  } else if (to == FLOW_TRAP) {
    e->counters.traps++;
    rc = put_address(e, OCT_NT_INDIRECT, OCT_NT_TRAP, 0, next->addr);
  } else if (e->base.insn + 1 >= e->base.sync_at) {
    bool is_direct = to == FLOW_TAKEN && !e->p.history;
    rc = put_address(e, is_direct ? OCT_NT_DIRECT_SYNC : OCT_NT_INDIRECT_SYNC, OCT_NT_BRANCH,
                     OCT_NT_SYNC_PERIODIC, next->addr);
    if (!rc) rc = end_sync(e, e->base.insn + 1, next);
  } else if (to == FLOW_JUMP) {
    e->counters.jumps++;
    rc = put_address(e, OCT_NT_INDIRECT, OCT_NT_BRANCH, 0, next->addr);
  } else if (to == FLOW_TAKEN && !e->p.history) {
    rc = put_direct(e);
  }
  return rc ? oct_fail(diag, rc, "out of memory") : 0;
}

/* Take the instructions up to the last, which each of them is followed by. */
static int put_followed(void *encoder, const oct_insn *insns, size_t n, oct_diag *diag) {
  oct_nt_encoder *e = encoder;
  const uint64_t most = UINT64_C(1) << e->p.icnt_bits;
  for (size_t i = 0; i + 1 < n; i++, e->base.insn++) {
    const oct_insn *insn = &insns[i], *next = insn + 1;
    if (oct_insn_class(insn) > OCT_CLASS_OTHER || !e->base.is_enabled ||
        e->base.insn + 1 >= e->base.sync_at || e->icnt + 8 >= most || insn->size_bytes & 1 ||
        next->addr != insn->addr + insn->size_bytes || next->task != insn->task) {
      int rc = step(e, insn, next, diag);
      if (rc) return rc;
    } else {
      e->icnt += insn->size_bytes / 2;
    }
  }
  return 0;
}

int oct_nt_encoder_put(void *encoder, const oct_tracer_input *in, oct_diag *diag) {
  oct_nt_encoder *e = encoder;
  int rc = oct_tracer_check_traps(in, diag);
  if (rc) return rc;
  e->counters.insns += in->n_insns;
  e->counters.accesses += in->n_accesses;
  return oct_encoder_base_put(e, in, put_followed, diag);
}

static int put_last(void *e, const oct_insn *insn, oct_diag *diag) {
  return step(e, insn, NULL, diag);
}

int oct_nt_encoder_flush(void *e, oct_diag *diag) {
  return oct_encoder_base_flush(e, put_last, diag);
}
