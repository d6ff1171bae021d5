/* SPDX-License-Identifier: Apache-2.0 */
/* oct_etrace_decode.c - the E-Trace decoder: packets and the program map to instructions.
 *
 * Source: "Efficient Trace for RISC-V" 2.0, chapters 7 and 12. The decoder stands on the last
 * instruction that it knows. A packet tells the outcomes of branches and an address; the decoder
 * goes on along the program, infers what it can, and stops where the packet says.
 *
 * What an address means is known when the next packet is: followed by one of format 3, and unless
 * updiscon is set, it is the first instruction of that address behind the branches; otherwise it is
 * the target of the next jump that cannot be inferred. With notify it is the first in any case.
 *
 * Streams of other encoders may begin in the middle, and lead where no code is known. Then the next
 * packet goes on whose address has code: a sync, or, where encoder and decoder keep nothing else,
 * any. */
#include "oct_etrace_decode.h"

#include "oct_decoder_base.h"
#include "oct_etrace_sijump.h"

#include <string.h>

enum {
  CHUNK_INSNS = 8192,       /* handed out at a time */
  TAIL_JUMPS_MAX = 1 << 16, /* jumps without a branch, before a stream is held to be damaged */
  PROBE_PACKET_INSNS = 1 << 22,
  PROBE_PACKETS = 8,      /* followed before damage or a gap: the stream begins with a packet */
  COUNTED_TIME_BITS = 40, /* times of fewer may come round in a gap */
  COUNTED_INSNS = 64      /* over so many times of others have to agree with what was decoded */
};

int oct_et_decoder_init(oct_et_decoder *d, const uint32_t *params, oct_decoder_start start,
                        oct_diag *diag) {
  memset(d, 0, sizeof *d);
  int rc = oct_et_configure(&d->cfg, params, diag);
  if (rc) return rc;
  d->parser.cfg = d->join.cfg = &d->cfg;
  d->parser.is_searching = start == OCT_START_SEARCH;
  d->is_lost = start == OCT_START_SEARCH;
  d->id = OCT_WALK_NONE;
  if (d->is_lost && (rc = oct_et_check_search(&d->cfg, diag))) return rc;
  if (oct_et_memory_init(&d->memory, &d->cfg) || oct_map_walk_init(&d->walk))
    return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  d->walk.minds_slots = d->cfg.p.data;
  return 0;
}

void oct_et_decoder_free(oct_et_decoder *d) {
  oct_buffer_free(&d->parser.in);
  oct_et_join_free(&d->join);
  oct_et_memory_free(&d->memory);
  oct_map_walk_free(&d->walk);
  oct_buffer_free(&d->traps);
  oct_buffer_free(&d->out_traps);
}

static int fail(oct_et_decoder *d, int error, const char *what) {
  return oct_fail_at(&d->diag, error, OCT_AT_BIT, d->held.bit, "%s", what);
}

/* ---- Steps ---- */

/* Step onto the instruction at addr. outcome: of a branch, where the caller knows it; -1: the
 * packet under way says it. */
static int arrive(oct_et_decoder *d, uint64_t addr, int outcome) {
  if (d->insn == d->limit)
    return fail(d, OCT_ERR_PACKET, "a packet counts more instructions than there are to a sync");
  uint32_t id = OCT_WALK_NONE;
  int rc = oct_map_walk_find(&d->walk, d->insn, d->id, addr, &id);
  d->sought = addr;
  if (rc) return oct_map_walk_explain(&d->walk, rc, addr, d->held.bit, &d->diag);
  const oct_map_entry *e = oct_map_entry_at(d->walk.map, id);
  oct_insn insn = {.addr = addr, .task = d->task, .size_bytes = e->size_bytes};
  insn.flags = (uint8_t)(e->cls << OCT_INSN_CLASS_SHIFT);
  if (e->cls == OCT_CLASS_COND_BRANCH) {
    uint8_t *entry = d->cfg.p.predictor_bits ? oct_et_predictor(&d->memory, &d->cfg, addr) : NULL;
    if (outcome < 0) {
      if (!d->left) return fail(d, OCT_ERR_PACKET, "a branch without an outcome");
      if (d->is_counted) {
        outcome = *entry >> 1;
        if (d->left == 1 && d->last_fails) outcome = !outcome;
      } else {
        outcome = !(d->map & 1);
        d->map >>= 1;
      }
      d->left--;
      d->tail_jumps = 0;
    }
    if (entry) oct_et_predictor_update(entry, outcome);
    d->is_taken = outcome;
  }
  d->id = id;
  d->insn++;
  if (oct_et_join_insn(&d->join, &insn, e)) return fail(d, OCT_ERR_NOMEM, "out of memory");
  return 0;
}

/* 1, 0, or an error. */
static int is_branch_at(oct_et_decoder *d, uint64_t addr) {
  uint32_t id = OCT_WALK_NONE;
  int rc = oct_map_walk_find(&d->walk, d->insn, OCT_WALK_NONE, addr, &id);
  if (!rc) return oct_map_at(d->walk.map, id)->cls == OCT_CLASS_COND_BRANCH;
  bool is_unknown = rc == OCT_ERR_MAP && oct_map_find(d->walk.map, addr) == OCT_WALK_NONE;
  return is_unknown ? 0 : oct_map_walk_explain(&d->walk, rc, addr, d->held.bit, &d->diag);
}

/* Where the instruction that the decoder stands on leads: 1 and *next where that can be inferred, 0
 * where the packet's address is needed. */
static int infer(oct_et_decoder *d, const oct_map_entry *e, uint64_t *next) {
  uint64_t behind = (e->addr + e->size_bytes) & d->cfg.addr_mask;
  switch (e->cls) {
    case OCT_CLASS_COND_BRANCH:
      *next = d->is_taken ? e->target : behind;
      return 1;
    case OCT_CLASS_DIRECT_CALL:
    case OCT_CLASS_DIRECT_JUMP:
      if (e->cls == OCT_CLASS_DIRECT_CALL) oct_et_push(&d->memory, &d->cfg, behind);
      *next = e->target;
      return 1;
    case OCT_CLASS_INDIRECT_CALL:
    case OCT_CLASS_INDIRECT_JUMP:
      if (e->cls == OCT_CLASS_INDIRECT_CALL) oct_et_push(&d->memory, &d->cfg, behind);
      return d->cfg.p.sijump && d->has_last &&
             oct_et_sijump(oct_map_entry_at(d->walk.map, d->last), e, d->cfg.addr_mask, next);
    case OCT_CLASS_RETURN: {
      if (!d->memory.n) return 0;
      const oct_et_packet *p = &d->held.packet;
      bool is_reported = false;
      if (d->goal == OCT_ET_GO_JUMP && p->irreport && p->irdepth == d->memory.depth) {
        /* The branch at the target, if it is one, is still to come. */
        int is_branch = is_branch_at(d, d->address);
        if (is_branch < 0) return is_branch;
        is_reported = d->left == (uint64_t)is_branch;
      }
      *next = oct_et_pop(&d->memory);
      return !is_reported;
    }
    default:
      *next = behind;
      return 1;
  }
}

/* Whether the time of a sync agrees with what was decoded. Those of others count instructions once
 * most agree with the ones before them; one that was wrong before is told then. */
static bool is_time_right(oct_et_decoder *d) {
  const uint32_t time_bits = d->cfg.p.time_bits;
  const uint64_t time = d->held.packet.time, step = d->insn - d->told_insn;
  if (!time_bits || d->is_probe) return true;
  const bool is_right =
      !((time - (d->is_foreign ? d->told_time + step : d->insn)) << (64 - time_bits));
  if (!d->is_foreign) return is_right;
  if (d->knows_time && is_right) {
    d->n_right += step != 0;
    d->right_insns += step;
  } else if (d->knows_time) {
    d->n_wrong++;
    d->was_wrong = true;
  }
  d->does_count |= d->n_right > d->n_wrong && d->right_insns >= COUNTED_INSNS;
  d->knows_time = true;
  d->told_time = time;
  d->told_insn = d->insn;
  const bool is_told = d->does_count && d->was_wrong;
  d->was_wrong &= !is_told;
  return !is_told;
}

/* Whether the times say that instructions retired where tracing was off. */
static bool has_leapt(const oct_et_decoder *d) {
  const uint64_t step = d->insn - d->told_insn;
  return d->is_foreign && !d->is_on && d->knows_time && d->does_count &&
         (int64_t)((d->held.packet.time - d->told_time - step) << (64 - d->cfg.p.time_bits)) > 0;
}

/* Step onto the instruction of a sync: all that both sides keep goes back to its start. 1 or an
 * error. */
static int arrive_at_sync(oct_et_decoder *d) {
  const oct_et_packet *p = &d->held.packet;
  if (!is_time_right(d))
    return fail(d, OCT_ERR_PACKET, "a sync counts other instructions than were decoded");
  oct_et_memory_reset(&d->memory, &d->cfg);
  d->reported = d->address;
  d->knows_addr = true;
  d->task = p->context;
  d->is_jump = d->has_last = d->has_next_trap = false;
  d->is_on = true;
  d->counts.syncs++;
  int rc = arrive(d, d->address, !p->branch);
  return rc ? rc : 1;
}

/* One step of the packet under way: 1 when it has been followed to its end, else 0. */
static int walk_step(oct_et_decoder *d) {
  const oct_map_entry *e = oct_map_entry_at(d->walk.map, d->id);
  uint64_t next = 0, behind = e->addr + e->size_bytes;
  int rc, is_inferred = infer(d, e, &next);
  if (is_inferred < 0) return is_inferred;
  if (is_inferred && next != behind && ++d->tail_jumps > TAIL_JUMPS_MAX)
    return fail(d, OCT_ERR_PACKET, "jumps without end lead nowhere");
  if (!is_inferred) {
    if (d->goal != OCT_ET_GO_JUMP && d->goal != OCT_ET_GO_SYNC && d->goal != OCT_ET_GO_FIRST)
      return fail(d, OCT_ERR_PACKET, "an indirect jump without an address");
    next = d->address;
  }
  next &= d->cfg.addr_mask;
  if (d->goal == OCT_ET_GO_SYNC && next == d->address) return arrive_at_sync(d);
  d->last = d->id;
  if ((rc = arrive(d, next, -1))) return rc;
  d->has_last = true;
  switch (d->goal) {
    case OCT_ET_GO_BRANCHES:
      return d->left == 0;
    case OCT_ET_GO_FIRST:
      if (!is_inferred && d->left) return fail(d, OCT_ERR_PACKET, "a jump before the last branch");
      return d->left == 0 && next == d->address;
    case OCT_ET_GO_SYNC:
      return 0;
    default:
      if (is_inferred) return 0;
      return d->left ? fail(d, OCT_ERR_PACKET, "a jump before the last branch") : 1;
  }
}

/* ---- Packets ---- */

static void set_limit(oct_et_decoder *d) {
  d->limit = oct_packet_limit(d->insn, d->cfg.p.sync_period_insns, d->is_foreign);
  if (d->is_probe) d->limit = d->insn + PROBE_PACKET_INSNS;
}

/* Begin to follow a packet of format 0, 1 or 2. before_sync: the next one is of format 3. */
static int begin_walk(oct_et_decoder *d, bool before_sync) {
  const oct_et_packet *p = &d->held.packet;
  d->is_counted = p->format == OCT_ET_FORMAT_OPTIONS && p->subformat == OCT_ET_SUB_COUNT;
  d->last_fails = false;
  d->map = p->map;
  d->left = p->branches;
  if (p->format == OCT_ET_FORMAT_BRANCH && !p->branches) d->left = OCT_ET_MAP_BRANCHES;
  if (d->is_counted) {
    d->last_fails =
        p->branch_fmt == OCT_ET_COUNT_NO_ADDR || p->branch_fmt == OCT_ET_COUNT_ADDR_FAIL;
    d->left = (uint64_t)p->count + OCT_ET_MAP_BRANCHES + d->last_fails;
  }
  d->tail_jumps = 0;
  d->is_walking = true;
  if (!oct_et_has_address(p)) {
    d->goal = OCT_ET_GO_BRANCHES;
    return 0;
  }
  if (p->format == OCT_ET_FORMAT_OPTIONS && p->subformat == OCT_ET_SUB_CACHE) {
    if (!d->memory.cached[p->index])
      return fail(d, OCT_ERR_PACKET, "an index of the jump target cache that holds nothing");
    d->reported = d->memory.cache[p->index];
    before_sync = false;
  } else {
    uint64_t addr = p->address << d->cfg.p.addr_lsb_bits;
    d->reported = (d->cfg.p.full_address ? addr : d->reported + addr) & d->cfg.addr_mask;
  }
  d->address = d->reported;
  d->goal = p->notify || (before_sync && !p->updiscon) ? OCT_ET_GO_FIRST : OCT_ET_GO_JUMP;
  return 0;
}

static void end_walk(oct_et_decoder *d) {
  if (d->goal == OCT_ET_GO_JUMP && d->cfg.p.jump_cache_bits)
    oct_et_cache_put(&d->memory, &d->cfg, d->address);
  d->is_walking = d->has_held = false;
}

/* The sync behind a gap, or the first: its time says which instruction it is. */
static int join_at(oct_et_decoder *d) {
  uint32_t time_bits = d->is_foreign ? 0 : d->cfg.p.time_bits;
  uint64_t lost = oct_number_step(d->out_insn, d->held.packet.time, time_bits, COUNTED_TIME_BITS);
  if (d->out_insn + lost > OCT_INSN_NUMBER_MAX) return fail(d, OCT_ERR_PACKET, OCT_BAD_NUMBER_TEXT);
  if (!d->is_synced) {
    d->counts.first_sync_bits = d->is_foreign && !d->is_late ? 0 : d->held.bit;
  } else {
    d->has_gap = !d->is_resumed;
    d->gap_insns = lost;
    d->counts.gaps++;
    d->counts.lost_insns += lost;
  }
  d->out_insn += lost;
  d->insn = d->out_insn;
  set_limit(d);
  d->is_lost = d->is_resumed = d->knows_time = false;
  if (!d->is_foreign && time_bits < COUNTED_TIME_BITS) {
    int error = oct_map_walk_lose(&d->walk, d->insn);
    return error ? fail(d, error, oct_error_text(error)) : 0;
  }
  oct_map_walk_place(&d->walk);
  return 0;
}

static uint64_t address_of_sync(const oct_et_decoder *d, const oct_et_packet *p) {
  uint64_t addr = p->address << d->cfg.p.addr_lsb_bits;
  if (p->subformat == OCT_ET_SUB_TRAP && d->cfg.p.implicit_exception)
    addr = d->cfg.trap_base + (p->interrupt ? 4 * (uint64_t)p->ecause : 0);
  return addr & d->cfg.addr_mask;
}

/* A packet of format 3. 1 when that was all, 0 when there is a way to go to its address. */
static int begin_sync(oct_et_decoder *d) {
  const oct_et_packet *p = &d->held.packet;
  bool is_trap = p->subformat == OCT_ET_SUB_TRAP;
  if (p->subformat == OCT_ET_SUB_CONTEXT) {
    if (d->is_foreign) d->task = p->context; /* ours sends a sync */
    return oct_et_tell_trap(d) ? fail(d, OCT_ERR_NOMEM, "out of memory") : 1;
  }
  if (p->subformat == OCT_ET_SUB_SUPPORT) {
    d->is_jump = d->is_jump || p->qual_status != OCT_ET_NO_CHANGE;
    d->has_next_trap = false;
    if (p->qual_status == OCT_ET_ENDED_REP || p->qual_status == OCT_ET_ENDED_NTR) d->is_on = false;
    if (p->qual_status == OCT_ET_TRACE_LOST) d->is_lost = true;
    if (p->qual_status != OCT_ET_NO_CHANGE) d->knows_addr = false;
    return 1;
  }
  if (is_trap && oct_et_tell_trap(d)) return fail(d, OCT_ERR_NOMEM, "out of memory");
  if (is_trap && !p->thaddr) {
    d->is_jump = true;
    return 1;
  }
  d->address = address_of_sync(d, p);
  d->is_lost |= has_leapt(d);
  bool is_elsewhere = is_trap || !d->is_synced || d->is_lost || d->is_jump || p->context != d->task;
  int rc = d->is_lost ? join_at(d) : 0;
  if (rc) return rc;
  d->is_synced = true;
  if (is_elsewhere) return arrive_at_sync(d);
  d->goal = OCT_ET_GO_SYNC;
  d->left = 0;
  d->tail_jumps = 0;
  d->is_walking = true;
  return 0;
}

/* ---- The stream ---- */

static bool is_sync(const oct_et_packet *p) {
  return p->format == OCT_ET_FORMAT_SYNC && p->subformat <= OCT_ET_SUB_TRAP;
}

/* Whether code is known at d->address, or memory ran out, which the walk from there tells. */
static bool has_code(oct_et_decoder *d) {
  uint32_t id;
  return oct_map_walk_find(&d->walk, d->insn, OCT_WALK_NONE, d->address, &id) != OCT_ERR_MAP;
}

/* Whether an address alone leads back: there is nothing else that the encoder remembers. */
static bool needs_no_sync(const oct_et_decoder *d) {
  const oct_et_params *c = &d->cfg.p;
  return d->is_foreign && d->knows_addr && !c->implicit_return && !c->predictor_bits &&
         !c->jump_cache_bits && !c->data;
}

/* Whether a decoder that is lost may go on with the packet in held. */
static bool leads_back(oct_et_decoder *d) {
  const oct_et_packet *p = &d->held.packet;
  if (!d->is_foreign) return oct_et_is_place(p);
  if (p->format == OCT_ET_FORMAT_SYNC) {
    if (p->subformat == OCT_ET_SUB_SUPPORT) {
      const bool is_end = p->qual_status != OCT_ET_NO_CHANGE;
      if (is_end) d->is_on = d->knows_addr = false;
      d->has_support |= !is_end;
      d->is_late |= is_end && !d->is_synced;
    }
    if (!oct_et_is_place(p)) return false;
    d->address = d->reported = address_of_sync(d, p);
    d->knows_addr = true;
    bool is_there = has_code(d);
    if (!d->is_synced) {
      d->is_late |= !d->has_support;
      if (!is_there || d->is_late) d->counts.gaps = 1;
    }
    return is_there;
  }
  d->is_late |= !d->is_synced;
  if (!oct_et_has_address(p) || !needs_no_sync(d)) return false;
  uint64_t addr = p->address << d->cfg.p.addr_lsb_bits;
  d->address = d->reported = (d->cfg.p.full_address ? addr : d->reported + addr) & d->cfg.addr_mask;
  return has_code(d);
}

/* Go on behind a gap at the address in held, which is no sync. 0 or an error. */
static int resume(oct_et_decoder *d) {
  const oct_et_packet *p = &d->held.packet;
  bool is_taken = p->branches && !(p->map >> (p->branches - 1) & 1);
  int rc = join_at(d);
  d->has_held = d->is_jump = d->has_last = false;
  d->is_on = true;
  return rc ? rc : arrive(d, d->address, is_taken);
}

/* The packet under way leads where no code is known: in a stream of others that is a gap, at whose
 * end the same packet may be. 0, or the error. */
static int give_up(oct_et_decoder *d, int error) {
  if (!d->is_foreign || d->is_probe || error != OCT_ERR_MAP ||
      oct_map_find(d->walk.map, d->sought) != OCT_WALK_NONE)
    return error;
  bool has_address = d->held.packet.format == OCT_ET_FORMAT_SYNC ||
                     (oct_et_has_address(&d->held.packet) && needs_no_sync(d));
  d->is_walking = d->has_last = d->has_next_trap = false;
  d->is_lost = true;
  d->id = OCT_WALK_NONE;
  d->has_held = has_address && has_code(d);
  return 0;
}

/* The next packet of instructions; accesses are put aside on the way. 1, 0 or an error. */
static int next_packet(oct_et_decoder *d, oct_et_item *item) {
  for (;;) {
    int rc = oct_et_parser_next(&d->parser, item, NULL, &d->diag);
    if (!rc) return 0;
    if (rc == OCT_ERR_PACKET && d->is_foreign && !d->is_synced) {
      oct_et_parser_settle(&d->parser, d->parser.at + 1);
      d->is_late = true;
      continue;
    }
    if (rc < 0) return rc;
    d->n_probed += d->is_probe && !d->is_lost;
    if (!item->is_data) {
      if (is_sync(&item->packet)) d->join.has_last_data = 0;
      return 1;
    }
    d->is_late |= !d->is_synced;
    if (d->is_lost || !d->is_synced) continue; /* of instructions before the sync */
    if ((rc = oct_et_join_data(&d->join, &item->data)))
      return oct_fail_at(
          &d->diag, rc, OCT_AT_BIT, item->bit, "%s",
          rc == OCT_ERR_NOMEM ? "out of memory" : "a data address as a difference from nothing");
  }
}

/* Have a packet in held, and behind it, where its meaning depends on that, another in ahead. */
static int fetch(oct_et_decoder *d) {
  int rc;
  while (!d->has_held) {
    if (d->has_ahead) {
      d->held = d->ahead;
      d->has_ahead = false;
    } else if ((rc = next_packet(d, &d->held)) != 1) {
      return rc;
    }
    /* Before the first sync of ours: what led to it. */
    d->has_held = d->is_synced || is_sync(&d->held.packet) ||
                  (!d->is_foreign && d->held.packet.format == OCT_ET_FORMAT_SYNC);
    if (d->is_lost) d->has_held = leads_back(d);
  }
  const oct_et_packet *p = &d->held.packet;
  if (d->is_lost || p->format == OCT_ET_FORMAT_SYNC || p->notify || p->updiscon ||
      !oct_et_has_address(p))
    return 1;
  while (!d->has_ahead) {
    if ((rc = next_packet(d, &d->ahead)) != 1) {
      if (rc || !d->parser.is_finished) return rc;
      return fail(d, OCT_ERR_TRUNCATED,
                  "the stream ends after an address: expected the next packet");
    }
    const oct_et_packet *a = &d->ahead.packet;
    d->has_ahead = a->format != OCT_ET_FORMAT_SYNC || is_sync(a) ||
                   (a->subformat == OCT_ET_SUB_CONTEXT && !d->is_foreign) ||
                   (a->subformat == OCT_ET_SUB_SUPPORT && a->qual_status != OCT_ET_NO_CHANGE);
  }
  return 1;
}

static int check_beginning(oct_et_decoder *d);

/* Follow packets until there is something to hand out: 1, 0 or an error. */
static int run(oct_et_decoder *d) {
  int rc = check_beginning(d);
  if (rc != 1) return rc;
  while (!d->is_walking || oct_et_join_waiting(&d->join) < CHUNK_INSNS) {
    if (d->is_walking) {
      if ((rc = walk_step(d)) < 0 && (rc = give_up(d, rc))) return rc;
      if (rc) end_walk(d);
      continue;
    }
    if (oct_et_join_waiting(&d->join) >= CHUNK_INSNS) return 1;
    if ((rc = fetch(d)) != 1) return rc;
    set_limit(d);
    bool is_back = d->is_lost && d->is_foreign;
    if ((is_sync(&d->held.packet) || is_back) &&
        (oct_et_join_is_open(&d->join) || d->traps.n_bytes))
      return 1;
    if (d->held.packet.format == OCT_ET_FORMAT_SYNC) {
      if ((rc = begin_sync(d)) < 0 && (rc = give_up(d, rc))) return rc;
      if (rc) d->has_held = false;
      if (d->has_gap) return 1;
    } else if (is_back) {
      if ((rc = resume(d))) return rc;
      if (d->has_gap) return 1;
    } else {
      const oct_et_packet *a = &d->ahead.packet;
      if ((rc = begin_walk(d, d->has_ahead && a->format == OCT_ET_FORMAT_SYNC &&
                                  (is_sync(a) || a->qual_status != OCT_ET_ENDED_NTR))))
        return rc;
    }
  }
  return 1;
}

/* Hand out what is complete: 1, or 0 if nothing is. */
static int hand_out(oct_et_decoder *d, oct_decoded *out) {
  *out = (oct_decoded){.confirmed_insns = UINT64_MAX, .is_uncounted = d->walk.is_unplaced};
  if (oct_et_join_take(&d->join, &out->batch)) return fail(d, OCT_ERR_NOMEM, "out of memory");
  if (oct_et_hand_out_traps(d, &out->batch)) return fail(d, OCT_ERR_NOMEM, "out of memory");
  out->first_insn = d->out_insn;
  d->out_insn += out->batch.n_insns;
  d->counts.insns += out->batch.n_insns;
  d->counts.accesses += out->batch.n_accesses;
  return out->batch.n_insns || out->batch.n_traps;
}

/* What the first packets of a stream of others, behind null bytes, look like. */
typedef enum first_packets {
  FIRST_IS_OTHER,   /* the rest of anything */
  FIRST_IS_SYNC,    /* they lead to a place to begin at */
  FIRST_IS_SUPPORT, /* and first say how tracing is set, otherwise than we were told, */
  FIRST_IS_START,   /* or so, as at the start of a trace */
} first_packets;

/* *place: the bit where the place to begin at stands. */
static first_packets look_at_first(oct_et_parser *p, bool *is_padded, uint64_t *place) {
  oct_et_item item;
  oct_diag why;
  first_packets found = FIRST_IS_OTHER;
  *is_padded = false;
  for (;;) {
    const oct_et_packet *m = &item.packet;
    if (oct_et_parser_next(p, &item, NULL, &why) != 1 || item.is_data ||
        m->format != OCT_ET_FORMAT_SYNC)
      return FIRST_IS_OTHER;
    *is_padded |= item.is_padded;
    const bool is_support = m->subformat == OCT_ET_SUB_SUPPORT;
    if (is_support && (found || !m->ienable || m->qual_status != OCT_ET_NO_CHANGE))
      return FIRST_IS_OTHER;
    const bool is_ours = !m->mode && m->options == oct_et_options(&p->cfg->p);
    if (!found) found = !is_support ? FIRST_IS_SYNC : is_ours ? FIRST_IS_START : FIRST_IS_SUPPORT;
    *place = item.bit;
    if (oct_et_is_place(m)) return found;
  }
}

/* Whether more null bytes stand before the first packet than a packet may have in a row. */
static bool is_behind_nulls(const oct_et_decoder *d) {
  return oct_et_parser_nulls(&d->parser) > oct_et_zero_bytes(&d->cfg);
}

/* Whether a header confirms the place, which has code. At random cuts of random programs, one in
 * 102,180 that was no place had that, and could not be followed over a packet. */
static bool is_confirmed(const oct_et_decoder *probe, uint64_t place) {
  return probe->cfg.p.encapsulation && probe->counts.insns &&
         probe->counts.first_sync_bits == place;
}

/* What decoding may do with the first bytes of a stream of others. */
typedef enum beginning {
  BEGINS_ELSEWHERE, /* where all ways meet */
  BEGINS_HERE,      /* and the trace may have begun before */
  BEGINS_THE_TRACE
} beginning;

/* Whether decoding may begin with these first bytes of a stream of others. Of one that is cut off
 * within a packet the rest may look like a sync: then the program cannot be followed from there.
 * What says how tracing is set is believed where a header confirms its length, or where the code
 * ends that is known; as the start of the trace, where it says the options that we were told. A
 * beginning or an error. */
static int find_beginning(const oct_et_decoder *d, size_t n, oct_diag *diag) {
  oct_et_decoder probe;
  oct_decoded out;
  oct_diag why;
  bool is_padded = false;
  uint64_t place = 0;
  uint32_t params[OCT_ET_N_PARAMS];
  oct_et_params_put(&d->cfg.p, params);
  int rc = oct_et_decoder_init(&probe, params, OCT_START_IN_STEP, diag);
  probe.is_foreign = probe.is_lost = probe.is_probe = probe.is_checked = true;
  probe.walk.code = d->walk.code;
  probe.walk.code.insn = probe.walk.code.guess;
  probe.parser.is_finished = d->parser.is_finished && n == d->parser.in.n_bytes;
  if (!rc && oct_et_parser_push(&probe.parser, d->parser.in.bytes, n))
    rc = oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  const first_packets first =
      rc ? FIRST_IS_OTHER : look_at_first(&probe.parser, &is_padded, &place);
  probe.parser.at = probe.parser.nulls = 0;
  if (first) {
    while ((rc = oct_et_decoder_next(&probe, &out, &why)) == 1) continue;
    if (rc == OCT_ERR_NOMEM) {
      oct_et_decoder_free(&probe);
      *diag = why;
      return rc;
    }
    const bool is_followed =
        probe.n_probed > PROBE_PACKETS || (probe.counts.insns && (!rc || rc == OCT_ERR_TRUNCATED));
    const bool is_support = first != FIRST_IS_SYNC;
    const bool is_believed =
        is_support && !is_padded && (d->cfg.p.encapsulation || !probe.counts.insns);
    const bool is_sure = !is_padded && (is_behind_nulls(d) || is_confirmed(&probe, place));
    const bool is_here = is_believed || (is_followed && (is_support || is_sure));
    rc = !is_here                                ? BEGINS_ELSEWHERE
         : first == FIRST_IS_START && !is_padded ? BEGINS_THE_TRACE
                                                 : BEGINS_HERE;
  }
  oct_et_decoder_free(&probe);
  return rc;
}

/* Before the first packet of a stream of others: 1, 0 when more bytes are needed, or an error. */
static int check_beginning(oct_et_decoder *d) {
  enum { PROBE_BYTES = 2048 };
  const size_t there = d->parser.in.n_bytes;
  if (!d->is_foreign || d->is_checked) return 1;
  if (there < PROBE_BYTES && !d->parser.is_finished) return 0;
  const int rc = find_beginning(d, there < PROBE_BYTES ? there : PROBE_BYTES, &d->diag);
  if (rc < 0) return rc;
  d->is_checked = true;
  d->is_late = rc != BEGINS_THE_TRACE;
  if (rc == BEGINS_ELSEWHERE) oct_et_parser_settle(&d->parser, 0);
  return 1;
}

int oct_et_decoder_next(oct_et_decoder *d, oct_decoded *out, oct_diag *diag) {
  for (;;) {
    if (d->has_gap) {
      *out = (oct_decoded){.confirmed_insns = UINT64_MAX, .is_uncounted = d->walk.is_unplaced};
      out->first_insn = d->out_insn - d->gap_insns;
      out->is_gap = 1;
      out->lost_insns = d->gap_insns;
      d->has_gap = false;
      return 1;
    }
    int rc = d->error ? d->error : run(d), given = 0;
    if (!d->has_gap && (given = hand_out(d, out)) < 0) rc = given;
    if (rc < 0) d->error = rc;
    if (given > 0) return 1;
    if (rc < 0) break;
    if (d->has_gap) continue;
    if (rc == 0 && d->parser.is_finished && d->is_foreign && d->is_lost && d->is_synced &&
        !d->is_resumed) {
      d->has_gap = d->is_resumed = true; /* the stream ends in it */
      d->gap_insns = 0;
      continue;
    }
    bool is_open = oct_et_join_is_open(&d->join);
    bool is_cut = d->parser.is_finished && d->is_on && !d->is_lost;
    if (rc == 0 && !(d->parser.is_finished && is_open) && !is_cut) return 0;
    if (is_open && d->is_lost) {
      oct_et_join_clear(&d->join); /* parts of what was lost */
      d->traps.n_bytes = 0;
    } else if (is_open) {
      d->error = fail(d, rc ? OCT_ERR_PACKET : OCT_ERR_TRUNCATED,
                      "instructions and data accesses do not match");
      break;
    } else if (rc == 0) {
      d->error = fail(d, OCT_ERR_TRUNCATED, "the stream ends where tracing goes on");
      break;
    }
  }
  if (diag) *diag = d->diag;
  return d->error;
}

/* Search for the beginning of a packet from byte `at` of those that wait on. */
static void search(oct_et_decoder *d, size_t at) {
  if (d->is_foreign) {
    oct_et_parser_settle(&d->parser, at);
    return;
  }
  d->parser.at = at;
  d->parser.is_searching = true;
}

int oct_et_decoder_resync(oct_et_decoder *d, oct_diag *diag) {
  (void)diag;
  if (!d->is_seeking) {
    /* The sync that exposed the damage is as good as any, once; it may have been read ahead. */
    if (d->has_ahead && !(d->has_held && oct_et_is_place(&d->held.packet))) {
      d->held = d->ahead;
      d->has_held = true;
    }
    d->has_held &= oct_et_is_place(&d->held.packet) && d->resync_bit != d->held.bit + 1;
    if (d->has_held) d->resync_bit = d->held.bit + 1;
    oct_et_join_clear(&d->join);
    d->traps.n_bytes = 0;
    d->is_lost = d->is_resumed = true;
    d->is_walking = d->has_ahead = d->has_gap = d->knows_addr = false;
    d->insn = d->out_insn;
    /* Without an error the caller found damage itself, and a packet begins here. */
    d->is_seeking = !d->has_held;
    if (d->is_seeking && d->error) search(d, d->parser.at);
    d->error = 0;
    if (d->has_held) return 1;
  }
  if (!d->cfg.p.encapsulation && !d->is_foreign) return 0;
  for (;;) {
    int rc = next_packet(d, &d->held);
    if (rc == 0) return 0;
    if (rc < 0) {
      /* No packet after all: go on searching behind its first byte. */
      search(d, d->parser.at + (d->parser.at < d->parser.in.n_bytes));
      if (rc == OCT_ERR_TRUNCATED) return 0;
    } else if (oct_et_is_place(&d->held.packet)) {
      d->has_held = true;
      d->is_seeking = false;
      return 1;
    }
  }
}
