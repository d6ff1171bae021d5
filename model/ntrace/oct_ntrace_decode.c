/* SPDX-License-Identifier: Apache-2.0 */
/* oct_ntrace_decode.c - the N-Trace decoder: messages and the program map to instructions.
 *
 * Each message with an I-CNT says how many halfwords to go; outcomes of branches on the way come
 * from HIST fields, which may stand in messages before or behind. Behind the last instruction the
 * address of the message holds, if it has one.
 *
 * Streams of other encoders may begin in the middle, and lead where no code is known. Then the next
 * message goes on whose address has code: a sync, or, if no return stack has to be known, any. */
#include "oct_mask.h"
#include "oct_ntrace_decode.h"

enum {
  PROBE_MESSAGES = 32,        /* followed before damage, */
  PROBE_MESSAGES_TO_HOLE = 8, /* or a gap: a beginning is right */
  MOST_HALFWORDS = 4 * OCT_FOREIGN_PACKET_INSNS
};

int oct_nt_decoder_init(void *decoder, const uint32_t *params, oct_diag *diag) {
  oct_nt_decoder *d = decoder;
  (void)diag;
  d->p = oct_nt_params_of(params);
  d->stack.depth = d->p.return_stack;
  return 0;
}

void oct_nt_decoder_destroy(void *d) {
  if (d) oct_buffer_free(&((oct_nt_decoder *)d)->outcomes);
  oct_decoder_base_destroy(d);
}

static int fail(oct_nt_decoder *d, int error, const char *what) {
  return oct_decoder_base_fail(d, error, what);
}

/* ---- Outcomes ---- */

static int add_outcomes(oct_nt_decoder *d, uint64_t hist, uint64_t times) {
  if (hist <= 1 || !times) return 0;
  if (d->first_outcome * sizeof(oct_nt_outcomes) == d->outcomes.n_bytes)
    d->first_outcome = d->outcomes.n_bytes = 0;
  const oct_nt_outcomes o = {hist, oct_bit_width(hist) - 1, times};
  return oct_buffer_put(&d->outcomes, &o, sizeof o);
}

static bool has_outcomes(const oct_nt_decoder *d) {
  return d->first_outcome * sizeof(oct_nt_outcomes) < d->outcomes.n_bytes;
}

/* The next outcome, -1 when there is none yet. */
static int take_outcome(oct_nt_decoder *d) {
  if (!has_outcomes(d)) return -1;
  oct_nt_outcomes *o = (oct_nt_outcomes *)(void *)d->outcomes.bytes + d->first_outcome;
  int outcome = o->hist >> --o->left & 1;
  if (!o->left) {
    o->left = oct_bit_width(o->hist) - 1;
    if (!--o->times) d->first_outcome++;
  }
  return outcome;
}

/* ---- Instructions ---- */

/* Leave the last instruction for the one that follows it: 1, 0 when its outcome is not there yet,
 * or an error. */
static int leave(oct_nt_decoder *d) {
  const oct_map_entry *e = oct_map_entry_at(d->base.walk.map, d->base.id);
  uint64_t behind = e->addr + e->size_bytes;
  int outcome = 0;
  d->base.ip = behind;
  switch (e->cls) {
    case OCT_CLASS_COND_BRANCH:
      if (d->p.history && (outcome = take_outcome(d)) < 0) return 0;
      if (outcome) d->base.ip = e->target;
      break;
    case OCT_CLASS_DIRECT_CALL:
    case OCT_CLASS_DIRECT_JUMP:
      if (e->cls == OCT_CLASS_DIRECT_CALL) oct_nt_push(&d->stack, behind);
      d->base.ip = e->target;
      break;
    case OCT_CLASS_RETURN:
      if (!d->stack.n) return fail(d, OCT_ERR_PACKET, "a return without an address");
      d->base.ip = oct_nt_pop(&d->stack);
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
static int leave_for(oct_nt_decoder *d, uint64_t addr) {
  d->base.ip = addr;
  if (!d->is_behind) return 1;
  const oct_map_entry *e = oct_map_entry_at(d->base.walk.map, d->base.id);
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
  if (d->base.insn == d->limit)
    return fail(d, OCT_ERR_PACKET, "a message counts more instructions than there are to a sync");
  const oct_map_entry *e = NULL;
  if ((rc = oct_decoder_base_retire(d, &e))) return rc;
  if (e->size_bytes / 2u > d->icnt || e->size_bytes & 1) {
    d->base.out.n_bytes -= sizeof(oct_insn);
    return fail(d, OCT_ERR_PACKET, "I-CNT ends within an instruction");
  }
  d->icnt -= e->size_bytes / 2u;
  d->is_behind = true;
  return 1;
}

/* ---- Messages ---- */

int oct_nt_decoder_message(oct_nt_decoder *d, oct_nt_message *m, const oct_nt_listen *listen) {
  for (;;) {
    bool is_ours;
    d->base.bit = 8 * (d->base.base_bytes + d->base.at);
    if (d->base.in.n_bytes == d->base.at) return 0;
    int length = oct_nt_read(&d->p, d->base.in.bytes + d->base.at, d->base.in.n_bytes - d->base.at,
                             m, &is_ours, listen);
    if (length < 0) return fail(d, OCT_ERR_PACKET, "not an N-Trace message");
    if (!length)
      return d->base.is_finished ? fail(d, OCT_ERR_TRUNCATED, "the stream ends within a message")
                                 : 0;
    d->base.at += (size_t)length;
    if (is_ours) return 1;
  }
}

static bool is_sync(const oct_nt_message *m) {
  return m->tcode == OCT_NT_SYNC || m->tcode == OCT_NT_DIRECT_SYNC ||
         m->tcode == OCT_NT_INDIRECT_SYNC || m->tcode == OCT_NT_HIST_SYNC;
}

static bool is_indirect(const oct_nt_message *m) {
  return m->tcode == OCT_NT_INDIRECT || m->tcode == OCT_NT_HIST;
}

/* Whether the message says something of the path. */
static bool is_of_path(const oct_nt_message *m) {
  return is_sync(m) || is_indirect(m) || m->tcode == OCT_NT_DIRECT || m->tcode == OCT_NT_FULL ||
         m->tcode == OCT_NT_REPEAT || m->tcode == OCT_NT_END;
}

/* Whether code is known at addr, or memory ran out, which the walk from there tells. */
static bool has_code(oct_nt_decoder *d, uint64_t addr) {
  uint32_t id;
  return oct_map_walk_find(&d->base.walk, d->base.insn, OCT_WALK_NONE, addr, &id) != OCT_ERR_MAP;
}

/* The same of an address to which the program need not have come. */
static bool may_have_code(const oct_nt_decoder *d, uint64_t addr) {
  const oct_map_code *code = &d->base.walk.code;
  oct_map_entry e;
  return oct_map_find(d->base.walk.map, addr) != OCT_WALK_NONE ||
         code->guess(code->context, addr, &e);
}

/* The address that a message gives. In a stream of others extend_addr need not be told: an address
 * without code, which has some when its highest bit is extended, shows it. */
static uint64_t address_of(oct_nt_decoder *d, const oct_nt_message *m) {
  static const uint8_t widths[] = {64, 32};
  const uint64_t from = is_sync(m) ? 0 : d->last_addr, plain = from ^ m->addr << 1;
  if (!d->is_foreign || d->p.extend_addr || !m->addr_bits || may_have_code(d, plain)) return plain;
  for (unsigned i = 0; i < sizeof widths; i++) {
    uint64_t addr = from ^ oct_nt_extended(m->addr, m->addr_bits, widths[i]) << 1;
    if (!may_have_code(d, addr)) continue;
    d->p.extend_addr = widths[i];
    return addr;
  }
  return plain;
}

/* A sync, behind all that it counts. */
static void take_sync(oct_nt_decoder *d, uint64_t addr) {
  d->base.counts.syncs++;
  d->last_addr = d->base.ip = addr;
  d->stack.n = 0;
  d->is_on = true;
  d->needs_number = d->p.count || d->may_count;
}

/* A message that is over may come again, to the same address: 0 or an error. */
static int repeat(oct_nt_decoder *d) {
  if (!d->n_repeat) return 0;
  d->n_repeat--;
  d->held = d->last;
  d->held.addr = d->held.addr_bits = 0;
  d->has_held = true;
  d->icnt = d->last.icnt;
  return add_outcomes(d, d->last.hist, 1) ? fail(d, OCT_ERR_NOMEM, "out of memory") : 0;
}

/* What the message under way says, once its instructions are done. */
static int end_message(oct_nt_decoder *d) {
  const oct_nt_message *m = &d->held;
  int rc = 1;
  d->has_held = false;
  switch (m->tcode) {
    case OCT_NT_DIRECT: {
      const oct_map_entry *e = d->is_behind ? oct_map_entry_at(d->base.walk.map, d->base.id) : NULL;
      if (!e || e->cls != OCT_CLASS_COND_BRANCH)
        return fail(d, OCT_ERR_PACKET, "a direct branch where the program has none");
      d->base.ip = e->target;
      d->is_behind = false;
      return repeat(d);
    }
    case OCT_NT_INDIRECT:
    case OCT_NT_HIST:
      d->last_addr = address_of(d, m);
      rc = leave_for(d, d->last_addr);
      break;
    case OCT_NT_SYNC:
    case OCT_NT_DIRECT_SYNC:
    case OCT_NT_INDIRECT_SYNC:
    case OCT_NT_HIST_SYNC:
      rc = leave_for(d, address_of(d, m));
      if (rc == 1) take_sync(d, d->base.ip);
      break;
    case OCT_NT_END:
      /* Where a branch led in which the trace ends, no history need say. */
      if (!d->is_foreign || has_outcomes(d)) rc = leave_for(d, 0);
      d->is_behind = d->is_on = false;
      break;
    default:
      return 0; /* ResourceFull: the path goes on */
  }
  if (rc == 1 && has_outcomes(d)) return fail(d, OCT_ERR_PACKET, "outcomes without branches");
  return rc < 0 ? rc : repeat(d);
}

/* What is missing since the last count, where there was damage, by this one. */
static uint64_t missing_by(const oct_nt_decoder *d, uint64_t number) {
  const uint64_t passed = number - d->told_number, decoded = d->base.insn - d->told_insn;
  return d->is_damaged && number > d->told_number && passed > decoded ? passed - decoded : 0;
}

/* The count behind a sync of a stream of others, held against the one before it. One that was wrong
 * before two agreed is told when they do. */
static bool is_number_right(oct_nt_decoder *d, uint64_t number) {
  const bool is_first = !d->knows_number;
  const bool is_right = number - d->told_number == d->base.insn - d->told_insn;
  if (!is_first && !is_right) d->was_wrong = true;
  if (!is_first && is_right && number != d->told_number) {
    d->is_counted = true;
    d->base.counts.lost_insns += d->missing; /* as two counts say */
  }
  d->missing = is_first ? missing_by(d, number) : 0;
  d->is_damaged = false;
  d->knows_number = true;
  d->told_number = number;
  d->told_insn = d->base.insn;
  if (!d->is_counted || !d->was_wrong) return true;
  d->was_wrong = false;
  return false;
}

/* The count behind a sync. */
static int take_number(oct_nt_decoder *d, uint64_t number) {
  if (!d->needs_number) return 0;
  d->needs_number = false;
  if (d->may_count || !d->base.is_lost) {
    d->base.is_synced |= !d->may_count;
    if (d->may_count ? !is_number_right(d, number) : number != d->base.insn)
      return fail(d, OCT_ERR_PACKET, "a sync counts other instructions than were decoded");
    return 0;
  }
  return oct_decoder_base_join(d, true, number, d->base.bit);
}

static void drop_message(oct_nt_decoder *d) {
  d->icnt = d->n_repeat = 0;
  d->first_outcome = d->outcomes.n_bytes = 0;
  d->has_held = d->is_behind = d->knows_number = d->needs_number = false;
  d->last.tcode = 0;
}

/* Nothing is known up to the next message that may go on. */
static void lose(oct_nt_decoder *d) {
  drop_message(d);
  d->is_damaged = false;
  d->missing = 0;
  d->base.is_lost = true;
  d->base.id = OCT_WALK_NONE;
}

/* Tracing ends in a gap. */
static void tell_end(oct_nt_decoder *d) {
  if (!d->is_foreign || !d->base.is_synced || d->base.is_resumed) return;
  d->base.has_gap = d->base.is_resumed = true;
  d->base.gap_insns = 0;
}

/* Whether a sync is one of a trace that began before it. */
static bool goes_on(const oct_nt_message *m) {
  return m->tcode != OCT_NT_SYNC || m->icnt || m->hist > 1 || m->sync == OCT_NT_SYNC_PERIODIC ||
         m->sync == OCT_NT_SYNC_COUNTED || m->sync == OCT_NT_SYNC_OVERRUN;
}

/* A message of the path that comes while the decoder is lost. One with an address may go on, of
 * streams of our own a sync alone. 0 or an error. */
static int find_way(oct_nt_decoder *d, const oct_nt_message *m) {
  if (m->tcode == OCT_NT_END) {
    d->is_on = false;
    tell_end(d);
  }
  if (!is_sync(m)) d->is_late |= !d->base.is_synced;
  if (!is_sync(m) && !(d->is_foreign && is_indirect(m) && d->knows_addr)) return 0;
  uint64_t addr = address_of(d, m);
  if (d->is_foreign) {
    d->last_addr = addr;
    d->knows_addr = true;
    bool is_there = has_code(d, addr);
    if (!d->base.is_synced) {
      d->is_late |= goes_on(m);
      if (!is_there || d->is_late) d->base.counts.gaps = 1;
    }
    if (!is_there || (d->p.return_stack && !is_sync(m))) return 0;
  }
  d->base.ip = addr;
  d->is_behind = false;
  if (is_sync(m)) {
    d->base.task = 0;
    take_sync(d, addr);
    if (d->p.count) return 0; /* the number comes behind it */
  } else {
    d->last = *m;
    d->is_on = true;
  }
  /* Without a number nobody knows how many instructions a gap is long. */
  bool is_first = !d->base.is_synced;
  int rc = oct_decoder_base_join(d, false, d->base.out_insn, d->base.bit);
  if (d->is_foreign && is_first && !d->is_late) d->base.counts.first_sync_bits = 0;
  return rc;
}

/* Whether a message of a branch may come where the decoder stands, if nothing is a trap that it
 * does not say. */
static bool fits(const oct_nt_decoder *d) {
  const oct_nt_message *m = &d->held;
  if (!is_indirect(m) || m->btype != OCT_NT_BRANCH || !d->is_behind) return true;
  const unsigned cls = oct_map_at(d->base.walk.map, d->base.id)->cls;
  return cls == OCT_CLASS_RETURN || cls == OCT_CLASS_INDIRECT_JUMP ||
         cls == OCT_CLASS_INDIRECT_CALL;
}

/* Whether a count of the message is larger than any counter of ours, or, in a stream of others,
 * leads over more instructions than a packet may, of 8 bytes at most. */
static bool is_beyond(const oct_nt_decoder *d, const oct_nt_message *m) {
  const bool is_repeat = m->tcode == OCT_NT_REPEAT && d->last.icnt;
  if (m->icnt >> OCT_NT_ICNT_BITS_MOST) return true;
  if (!d->is_foreign) return m->value > OCT_NT_REPEAT_MOST;
  return m->value > MOST_HALFWORDS / (is_repeat ? d->last.icnt : 1);
}

static int take_message(oct_nt_decoder *d, const oct_nt_message *m) {
  if (m->tcode == OCT_NT_OWNERSHIP && (!d->is_foreign || d->base.is_synced))
    d->base.task = (uint32_t)(m->value >> 5);
  if (m->tcode == OCT_NT_COUNT) return take_number(d, m->value);
  if (m->tcode == OCT_NT_ERROR) {
    lose(d);
    d->knows_addr = false;
  }
  if (!is_of_path(m)) return 0;
  if (d->base.is_lost) return find_way(d, m);
  if (!d->is_on && is_sync(m)) {
    d->is_behind = false;
    take_sync(d, address_of(d, m));
    d->base.is_synced |= !d->p.count;
    return 0;
  }
  if (!d->is_on) return fail(d, OCT_ERR_PACKET, "a message outside of a trace");
  if (is_beyond(d, m)) return fail(d, OCT_ERR_PACKET, "a count beyond its counter's limit");
  d->limit = oct_packet_limit(d->base.insn, d->p.sync_period_insns, d->is_foreign);
  if (m->tcode == OCT_NT_FULL && m->rcode > OCT_NT_FULL_REPEAT)
    return d->is_foreign ? 0 : fail(d, OCT_ERR_PACKET, "a resource that is not known");
  if (m->tcode == OCT_NT_REPEAT) {
    /* None, or traps before any instruction, over and over. */
    if (d->is_foreign && (!m->value || (d->last.tcode && !d->last.icnt))) return 0;
    if (!m->value || !d->last.tcode || !d->last.icnt)
      return fail(d, OCT_ERR_PACKET, "a repetition of nothing");
    d->n_repeat = m->value;
    return repeat(d);
  }
  d->held = *m;
  d->has_held = true;
  d->icnt += m->icnt;
  d->last = *m;
  if (m->tcode != OCT_NT_DIRECT && !is_indirect(m)) d->last.tcode = 0;
  uint64_t times = m->tcode == OCT_NT_FULL && m->rcode == OCT_NT_FULL_REPEAT ? m->value : 1;
  return add_outcomes(d, m->hist, times) ? fail(d, OCT_ERR_NOMEM, "out of memory") : 0;
}

/* The message under way cannot be followed any further. In a stream of others code may be missing,
 * and the last message may lack its history: both are gaps. 0 or the error. */
static int give_up(oct_nt_decoder *d, int error) {
  if (!d->is_foreign || d->is_probe) return error;
  if (error == OCT_ERR_MAP && oct_map_find(d->base.walk.map, d->base.ip) == OCT_WALK_NONE) {
    lose(d);
    d->is_in_hole = true;
    return 0;
  }
  bool lacks_history = d->held.tcode == OCT_NT_END && !d->held.hist && d->is_behind &&
                       !has_outcomes(d) &&
                       oct_map_at(d->base.walk.map, d->base.id)->cls == OCT_CLASS_COND_BRANCH;
  if (error != OCT_ERR_PACKET || !lacks_history) return error;
  lose(d);
  d->is_on = false;
  tell_end(d);
  return 0;
}

/* Find the end of a message. */
bool oct_nt_decoder_search(void *decoder) {
  oct_nt_decoder *d = decoder;
  while (d->base.at < d->base.in.n_bytes)
    if ((d->base.in.bytes[d->base.at++] & 3) == 3) return true;
  return false;
}

/* Follow the message under way a step: 0 or an error. */
static int follow(oct_nt_decoder *d) {
  bool is_part = d->held.tcode == OCT_NT_FULL;
  int rc = d->icnt ? step(d) : 0;
  if (rc == 1) return 0;
  if (!rc && d->icnt && !is_part) rc = fail(d, OCT_ERR_PACKET, "a branch without an outcome");
  if (!rc && d->is_probe && !fits(d))
    rc = fail(d, OCT_ERR_PACKET, "a jump where the program has none");
  if (!rc) rc = end_message(d);
  return rc < 0 ? give_up(d, rc) : 0;
}

/* The first bytes of a stream of others look like a sync, and may be the rest of another message: 1
 * when the program can be followed from there, IS_REST, 0 when more bytes are needed, or an error.
 */
enum { IS_REST = 2 };
static int is_whole(oct_nt_decoder *d) {
  enum { PROBE_BYTES = 2048 };
  const size_t n = d->base.in.n_bytes < PROBE_BYTES ? d->base.in.n_bytes : PROBE_BYTES;
  oct_decoded out;
  oct_diag why;
  if (d->is_probe) return 1;
  if (n < PROBE_BYTES && !d->base.is_finished) return 0;
  oct_nt_decoder *probe = calloc(1, sizeof *probe);
  if (!probe) return fail(d, OCT_ERR_NOMEM, "out of memory");
  probe->p = d->p;
  probe->stack.depth = d->p.return_stack;
  probe->base.id = OCT_WALK_NONE;
  probe->is_probe = probe->is_foreign = probe->base.is_lost = true;
  probe->base.is_finished = d->base.is_finished && n == d->base.in.n_bytes;
  int rc = oct_map_walk_init(&probe->base.walk);
  probe->base.walk.code = d->base.walk.code;
  probe->base.walk.code.insn = probe->base.walk.code.guess;
  if (!rc) rc = oct_buffer_put(&probe->base.in, d->base.in.bytes, n);
  if (rc) {
    rc = fail(d, OCT_ERR_NOMEM, "out of memory");
  } else {
    while ((rc = oct_nt_decoder_next(probe, &out, &why)) == 1 && !out.is_gap) continue;
    const bool is_at_hole =
        rc == OCT_ERR_MAP && oct_map_find(probe->base.walk.map, probe->base.ip) == OCT_WALK_NONE;
    const bool is_right = !rc || rc == OCT_ERR_TRUNCATED || probe->n_probed > PROBE_MESSAGES ||
                          (is_at_hole && probe->n_probed > PROBE_MESSAGES_TO_HOLE);
    rc = rc == OCT_ERR_NOMEM ? fail(d, rc, "out of memory") : is_right ? 1 : IS_REST;
  }
  if (rc == IS_REST) d->is_late = true;
  oct_nt_decoder_destroy(probe);
  return rc;
}

/* Take the next message: 1, 0 when more bytes are needed, or an error. */
static int next_message(oct_nt_decoder *d) {
  oct_nt_message m;
  if (!oct_decoder_base_is_found(d, oct_nt_decoder_search)) return 0;
  size_t at = d->base.at;
  int rc = oct_nt_decoder_message(d, &m, NULL);
  const bool is_first = rc == 1 && d->is_foreign && !d->base.bit && is_sync(&m);
  if (is_first && goes_on(&m) && (rc = is_whole(d)) != 1) {
    if (!rc) d->base.at = at;
    return rc == IS_REST ? 1 : rc;
  }
  if (rc == OCT_ERR_PACKET && d->is_foreign && !d->base.is_synced) {
    /* It began within a message. */
    d->is_late = d->base.is_searching = true;
    return 1;
  }
  if (rc != 1) return rc;
  if (is_sync(&m) && oct_decoder_base_waits(&d->base)) {
    d->base.at = at;
    return 1;
  }
  d->n_probed += d->is_probe;
  rc = take_message(d, &m);
  return rc ? rc : 1;
}

/* Go on until there is something to hand out: 1, 0 or an error. */
static int run(void *decoder) {
  oct_nt_decoder *d = decoder;
  int rc;
  while (!oct_decoder_base_is_full(&d->base) && !d->base.has_gap) {
    if (d->base.is_lost && d->base.out.n_bytes) return 1; /* what came before the gap */
    if (d->is_in_hole) {
      d->is_in_hole = false;
      if (is_of_path(&d->held) && (rc = find_way(d, &d->held))) return rc;
    } else if (d->has_held) {
      if ((rc = follow(d))) return rc;
    } else {
      size_t waiting = d->base.out.n_bytes;
      if ((rc = next_message(d)) != 1) return rc;
      if (waiting && !d->has_held) return 1; /* a sync behind it */
    }
  }
  return 1;
}

static bool is_open(const void *d) {
  return ((const oct_nt_decoder *)d)->is_on;
}

int oct_nt_decoder_next(void *d, oct_decoded *out, oct_diag *diag) {
  return oct_decoder_base_next(d, run, is_open, out, diag);
}

int oct_nt_decoder_resync(void *decoder, oct_diag *diag) {
  oct_nt_decoder *d = decoder;
  (void)diag;
  /* Without an error the caller found damage itself, and the next message may be the sync: the
   * search is for the end of the one before it. */
  bool is_between = !d->base.error && !d->base.is_searching && d->base.at;
  if (is_between && (d->base.in.bytes[d->base.at - 1] & 3) == 3) d->base.at--;
  d->is_damaged |= d->knows_number;
  drop_message(d);
  d->is_on = d->is_in_hole = d->knows_addr = false;
  return oct_decoder_base_resync(d, oct_nt_decoder_search);
}
