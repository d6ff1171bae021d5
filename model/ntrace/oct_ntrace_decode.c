/* SPDX-License-Identifier: Apache-2.0 */
/* oct_ntrace_decode.c - the N-Trace decoder: messages and the program map to instructions.
 *
 * Each message with an I-CNT says how many halfwords to go; outcomes of branches on the way come
 * from HIST fields, which may stand in messages before or behind. Behind the last instruction the
 * address of the message holds, if it has one. */
#include "oct_ntrace_decode.h"

enum { CHUNK_INSNS = 8192 /* handed out at a time */ };

int oct_nt_decoder_init(oct_nt_decoder *d, const uint32_t *params, oct_decoder_start start) {
  memset(d, 0, sizeof *d);
  memcpy(&d->p, params, sizeof d->p);
  d->is_searching = d->is_lost = start == OCT_START_SEARCH;
  d->id = OCT_WALK_NONE;
  d->stack.depth = d->p.return_stack;
  return oct_map_walk_init(&d->walk);
}

void oct_nt_decoder_free(oct_nt_decoder *d) {
  oct_map_walk_free(&d->walk);
  oct_buffer_free(&d->in);
  oct_buffer_free(&d->outcomes);
  oct_buffer_free(&d->out);
}

int oct_nt_decoder_push(oct_nt_decoder *d, const uint8_t *bytes, size_t n) {
  if (d->at) {
    d->in.n_bytes -= d->at;
    if (d->in.n_bytes) memmove(d->in.bytes, d->in.bytes + d->at, d->in.n_bytes);
    d->base_bytes += d->at;
    d->at = 0;
  }
  return oct_buffer_put(&d->in, bytes, n);
}

static int fail(oct_nt_decoder *d, int error, const char *what) {
  return oct_fail(&d->diag, error, "bit %llu: %s", (unsigned long long)d->bit, what);
}

/* ---- Outcomes ---- */

static int add_outcomes(oct_nt_decoder *d, uint64_t hist, uint64_t times) {
  if (hist <= 1 || !times) return 0;
  if (d->first_outcome * sizeof(oct_nt_outcomes) == d->outcomes.n_bytes)
    d->first_outcome = d->outcomes.n_bytes = 0;
  const oct_nt_outcomes o = {hist, 63 - (uint32_t)__builtin_clzll(hist), times};
  return oct_buffer_put(&d->outcomes, &o, sizeof o);
}

/* The next outcome, -1 when there is none yet. */
static int take_outcome(oct_nt_decoder *d) {
  oct_nt_outcomes *o = (oct_nt_outcomes *)(void *)d->outcomes.bytes + d->first_outcome;
  if (d->first_outcome * sizeof *o == d->outcomes.n_bytes) return -1;
  int outcome = o->hist >> --o->left & 1;
  if (!o->left) {
    o->left = 63 - (uint32_t)__builtin_clzll(o->hist);
    if (!--o->times) d->first_outcome++;
  }
  return outcome;
}

static bool has_outcomes(const oct_nt_decoder *d) {
  return d->first_outcome * sizeof(oct_nt_outcomes) < d->outcomes.n_bytes;
}

/* ---- Instructions ---- */

/* Leave the last instruction for the one that follows it: 1, 0 when its outcome is not there yet,
 * or an error. */
static int leave(oct_nt_decoder *d) {
  const oct_map_entry *e = oct_map_at(d->walk.map, d->id);
  uint64_t behind = e->addr + e->size_bytes;
  int outcome = 0;
  d->ip = behind;
  switch (e->cls) {
    case OCT_CLASS_COND_BRANCH:
      if (d->p.history && (outcome = take_outcome(d)) < 0) return 0;
      if (outcome) d->ip = e->target;
      break;
    case OCT_CLASS_DIRECT_CALL:
    case OCT_CLASS_DIRECT_JUMP:
      if (e->cls == OCT_CLASS_DIRECT_CALL) oct_nt_push(&d->stack, behind);
      d->ip = e->target;
      break;
    case OCT_CLASS_RETURN:
      if (!d->stack.n) return fail(d, OCT_ERR_PACKET, "a return without an address");
      d->ip = oct_nt_pop(&d->stack);
      break;
    case OCT_CLASS_INDIRECT_CALL:
    case OCT_CLASS_INDIRECT_JUMP:
      return fail(d, OCT_ERR_PACKET, "an indirect jump without an address");
    default:
      break;
  }
  d->is_behind = false;
  return 1;
}

/* Leave the last instruction for an address that a message gave, or for nowhere. */
static int leave_for(oct_nt_decoder *d, uint64_t addr, bool *is_taken) {
  d->ip = addr;
  if (!d->is_behind) return 1;
  const oct_map_entry *e = oct_map_at(d->walk.map, d->id);
  *is_taken = false;
  if (e->cls == OCT_CLASS_COND_BRANCH && d->p.history && take_outcome(d) < 0)
    return fail(d, OCT_ERR_PACKET, "a branch without an outcome");
  if (e->cls == OCT_CLASS_DIRECT_CALL || e->cls == OCT_CLASS_INDIRECT_CALL)
    oct_nt_push(&d->stack, e->addr + e->size_bytes);
  if (e->cls == OCT_CLASS_RETURN && d->stack.n) (void)oct_nt_pop(&d->stack);
  d->is_behind = false;
  return 1;
}

/* The next instruction: 1, 0 when an outcome is missing, or an error. */
static int step(oct_nt_decoder *d) {
  int rc = d->is_behind ? leave(d) : 1;
  if (rc != 1) return rc;
  if (oct_map_walk_to(&d->walk, d->insn)) return fail(d, OCT_ERR_NOMEM, "out of memory");
  uint32_t id = d->id == OCT_WALK_NONE ? oct_map_find(d->walk.map, d->ip)
                                       : oct_map_follow(d->walk.map, d->id, d->ip);
  if (id == OCT_WALK_NONE)
    return oct_fail(&d->diag, OCT_ERR_MAP, "bit %llu: no instruction is known at 0x%llx",
                    (unsigned long long)d->bit, (unsigned long long)d->ip);
  const oct_map_entry *e = oct_map_at(d->walk.map, id);
  if (e->size_bytes / 2u > d->icnt || e->size_bytes & 1)
    return fail(d, OCT_ERR_PACKET, "I-CNT ends within an instruction");
  oct_insn *insn = (oct_insn *)(void *)oct_buffer_room(&d->out, sizeof *insn);
  if (!insn) return fail(d, OCT_ERR_NOMEM, "out of memory");
  *insn = (oct_insn){.addr = d->ip, .task = d->task, .size_bytes = e->size_bytes};
  insn->flags = (uint8_t)(e->cls << OCT_INSN_CLASS_SHIFT);
  d->out.n_bytes += sizeof *insn;
  d->icnt -= e->size_bytes / 2u;
  d->id = id;
  d->is_behind = true;
  d->insn++;
  return 1;
}

/* ---- Messages ---- */

int oct_nt_decoder_message(oct_nt_decoder *d, oct_nt_message *m, const oct_nt_listen *listen) {
  for (;;) {
    bool is_ours;
    d->bit = 8 * (d->base_bytes + d->at);
    if (d->in.n_bytes == d->at) return 0;
    int length =
        oct_nt_read(&d->p, d->in.bytes + d->at, d->in.n_bytes - d->at, m, &is_ours, listen);
    if (length < 0) return fail(d, OCT_ERR_PACKET, "not an N-Trace message");
    if (!length)
      return d->is_finished ? fail(d, OCT_ERR_TRUNCATED, "the stream ends within a message") : 0;
    d->at += (size_t)length;
    if (is_ours) return 1;
  }
}

/* A sync, behind all that it counts. */
static void take_sync(oct_nt_decoder *d, uint64_t addr) {
  d->counts.syncs++;
  d->last_addr = d->ip = addr;
  d->stack.n = 0;
  d->is_on = true;
  d->needs_number = d->p.count;
}

/* What the message under way says, once its instructions are done. */
static int end_message(oct_nt_decoder *d) {
  const oct_nt_message *m = &d->held;
  bool is_taken = false;
  uint64_t addr = m->addr << 1;
  int rc = 1;
  d->has_held = false;
  switch (m->tcode) {
    case OCT_NT_DIRECT:
    case OCT_NT_REPEAT: {
      const oct_map_entry *e = d->is_behind ? oct_map_at(d->walk.map, d->id) : NULL;
      if (!e || e->cls != OCT_CLASS_COND_BRANCH)
        return fail(d, OCT_ERR_PACKET, "a direct branch that is none");
      d->ip = e->target;
      d->is_behind = false;
      if (m->tcode == OCT_NT_REPEAT && --d->n_repeat) {
        d->has_held = true;
        d->icnt = d->repeat_icnt;
      }
      return 0;
    }
    case OCT_NT_INDIRECT:
    case OCT_NT_HIST:
      d->last_addr ^= addr;
      rc = leave_for(d, d->last_addr, &is_taken);
      break;
    case OCT_NT_SYNC:
    case OCT_NT_DIRECT_SYNC:
    case OCT_NT_INDIRECT_SYNC:
    case OCT_NT_HIST_SYNC:
      rc = leave_for(d, addr, &is_taken);
      if (rc == 1) take_sync(d, addr);
      break;
    case OCT_NT_END:
      rc = leave_for(d, 0, &is_taken);
      d->is_on = false;
      break;
    default:
      return 0; /* ResourceFull: the path goes on */
  }
  if (rc == 1 && has_outcomes(d)) return fail(d, OCT_ERR_PACKET, "outcomes without branches");
  return rc < 0 ? rc : 0;
}

/* The count behind a sync. */
static int take_number(oct_nt_decoder *d, uint64_t number) {
  if (!d->needs_number) return 0;
  d->needs_number = false;
  if (!d->is_lost) {
    d->is_synced = true;
    if (number != d->insn)
      return fail(d, OCT_ERR_PACKET, "a sync counts other instructions than were decoded");
    return 0;
  }
  uint64_t lost = number - d->out_insn;
  if (d->is_synced) {
    d->has_gap = true;
    d->gap_insns = lost;
    d->counts.gaps++;
    d->counts.lost_insns += lost;
  } else {
    d->counts.first_sync_bits = d->bit;
  }
  d->insn = d->out_insn = number;
  d->is_synced = true;
  d->is_lost = false;
  return 0;
}

static int take_message(oct_nt_decoder *d, const oct_nt_message *m) {
  bool is_sync = m->tcode == OCT_NT_SYNC || m->tcode == OCT_NT_DIRECT_SYNC ||
                 m->tcode == OCT_NT_INDIRECT_SYNC || m->tcode == OCT_NT_HIST_SYNC;
  if (is_sync && (d->is_lost || !d->is_on)) {
    d->is_behind = false;
    take_sync(d, m->addr << 1);
    if (!d->p.count) d->is_lost = !(d->is_synced = true);
    return 0;
  }
  if (m->tcode == OCT_NT_OWNERSHIP) {
    d->task = (uint32_t)(m->value >> 5);
    return 0;
  }
  if (m->tcode == OCT_NT_COUNT) return take_number(d, m->value);
  if (m->tcode == OCT_NT_ERROR) {
    d->is_lost = true;
    return 0;
  }
  if (d->is_lost) return 0; /* before the sync that it goes on with */
  if (!is_sync && m->tcode != OCT_NT_DIRECT && m->tcode != OCT_NT_INDIRECT &&
      m->tcode != OCT_NT_FULL && m->tcode != OCT_NT_HIST && m->tcode != OCT_NT_REPEAT &&
      m->tcode != OCT_NT_END)
    return 0;
  if (!d->is_on) return fail(d, OCT_ERR_PACKET, "a message outside of a trace");
  d->held = *m;
  d->has_held = true;
  d->icnt += m->icnt;
  if (m->tcode == OCT_NT_DIRECT) d->repeat_icnt = m->icnt;
  if (m->tcode == OCT_NT_REPEAT) {
    if (!m->value || !d->repeat_icnt) return fail(d, OCT_ERR_PACKET, "a repetition of nothing");
    d->n_repeat = m->value;
    d->icnt = d->repeat_icnt;
  }
  uint64_t times = m->tcode == OCT_NT_FULL && m->rcode == OCT_NT_FULL_REPEAT ? m->value : 1;
  return add_outcomes(d, m->hist, times) ? fail(d, OCT_ERR_NOMEM, "out of memory") : 0;
}

/* Find the end of a message. */
static bool search(oct_nt_decoder *d) {
  while (d->at < d->in.n_bytes)
    if ((d->in.bytes[d->at++] & 3) == 3) return true;
  return false;
}

/* Go on until there is something to hand out: 1, 0 or an error. */
static int run(oct_nt_decoder *d) {
  oct_nt_message m;
  int rc;
  while (d->out.n_bytes < CHUNK_INSNS * sizeof(oct_insn)) {
    if (d->has_held) {
      bool is_part = d->held.tcode == OCT_NT_FULL;
      rc = d->icnt ? step(d) : 0;
      if (rc < 0) return rc;
      if (rc == 1) continue;
      if (d->icnt && !is_part) return fail(d, OCT_ERR_PACKET, "a branch without an outcome");
      if ((rc = end_message(d))) return rc;
      continue;
    }
    if (d->is_searching) {
      if (!search(d)) return 0;
      d->is_searching = false;
    }
    if ((rc = oct_nt_decoder_message(d, &m, NULL)) != 1) return rc;
    if ((rc = take_message(d, &m))) return rc;
    if (d->has_gap) return 1;
  }
  return 1;
}

int oct_nt_decoder_next(oct_nt_decoder *d, oct_decoded *out, oct_diag *diag) {
  memset(out, 0, sizeof *out);
  out->confirmed_insns = UINT64_MAX;
  d->out.n_bytes = 0;
  if (d->error) {
    if (diag) *diag = d->diag;
    return d->error;
  }
  int rc = d->has_gap ? 0 : run(d);
  if (rc < 0) d->error = rc;
  size_t n = d->out.n_bytes / sizeof(oct_insn);
  if (n) {
    out->batch.insns = (const oct_insn *)(const void *)d->out.bytes;
    out->batch.n_insns = n;
    out->first_insn = d->out_insn;
    d->out_insn += n;
    d->counts.insns += n;
    return 1;
  }
  if (d->has_gap) {
    out->first_insn = d->out_insn - d->gap_insns;
    out->is_gap = 1;
    out->lost_insns = d->gap_insns;
    d->has_gap = false;
    return 1;
  }
  if (!d->error && d->is_finished && d->is_on)
    d->error = fail(d, OCT_ERR_TRUNCATED, "the stream ends where tracing goes on");
  if (d->error && diag) *diag = d->diag;
  return d->error;
}

int oct_nt_decoder_resync(oct_nt_decoder *d) {
  d->error = 0;
  d->icnt = 0;
  d->first_outcome = d->outcomes.n_bytes = 0;
  d->has_held = d->is_on = d->is_behind = d->needs_number = false;
  d->is_lost = true;
  d->insn = d->out_insn;
  d->is_searching = !search(d);
  return !d->is_searching;
}
