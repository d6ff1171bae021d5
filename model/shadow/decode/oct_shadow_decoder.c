/* SPDX-License-Identifier: Apache-2.0 */
/* oct_shadow_decoder.c - the decoder of `shadow` (docs/shadow-format.md), and a listing of marks
 * and periods.
 *
 * A period is what the arithmetic coder made between two marks. The decoder looks for the mark that
 * closes the next period, and holds the bytes between against the check that it carries. Only then
 * it decodes them: from a mark on, the model runs as the compressor's did (oct_shadow_step.h), with
 * the decoder's half of the coder. After damage the decoder looks for a sync mark at any bit.
 *
 * Inside a period nothing has a place of its own: one bit of the arithmetic coder can carry many
 * decisions. So the listing has two packets for each period, its mark and what the coder made of
 * its instructions. It needs no program, and decodes nothing. */
#include "oct_shadow_decoder.h"

#include "oct_bits.h"
#include "oct_crc.h"
#include "oct_listing.h"
#include "oct_shadow_frame.h"
#include "oct_shadow_uncode.h"

#define OCT_SHADOW_CODER oct_uncode
#define OCT_SHADOW_DECODES 1
#include "oct_shadow_step.h"
#undef OCT_SHADOW_CODER
#undef OCT_SHADOW_DECODES

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NONE OCT_ENTRY_NONE
enum { BATCH_INSNS = 8192, BATCH_ACCESSES = 16384 };

typedef struct oct_mark_fields {
  unsigned kind, privilege;
  uint32_t check, task;
  uint64_t number;
  uint64_t lost_insns, lost_accesses; /* of an overflow */
  size_t n_bits;
} oct_mark_fields;

struct oct_shadow_decoder {
  oct_shadow_model model;
  oct_uncode coder;
  oct_plans plans;
  oct_map_update *updates;
  size_t n_updates, at_update, room_updates;
  uint64_t last_update_insn;

  oct_bits bits;
  size_t scanned; /* bits behind the position in which no mark begins */
  bool is_searching, is_finished, is_in_period, is_flushed;
  uint8_t *period; /* its bytes, the mark's included */
  size_t room_period;

  bool is_begun;                      /* the first instruction of the period was read */
  bool has_gap;                       /* the period begins after a loss that was not told yet: */
  uint64_t lost_insns, lost_accesses; /* so much of it */
  uint64_t n_insns, confirmed;
  uint64_t first_insn; /* of the batch */
  bool is_cut;         /* the last instruction of the period lacks accesses */
  uint64_t limit;      /* instructions before the mark that closes the period */
  uint64_t due_insn;   /* before it no change of the map is due, and no end of the period */
  uint32_t task, at;   /* entry of the instruction decoded last in this period */
  uint64_t pc;

  int error;
  oct_diag diag;
  oct_decoder_counts counts;
  oct_insn insns[BATCH_INSNS];
  oct_access accesses[BATCH_ACCESSES + UINT16_MAX];
  size_t n_batch, n_accesses;
  oct_trap *traps; /* of the batch */
  size_t n_traps, room_traps;
  uint8_t privilege, told_privilege; /* as traps gave it last, and as a mark has it */
  bool has_had_traps;                /* one came since the beginning */
  oct_step_addrs addrs;              /* of the instruction at hand */
  oct_map_entry exceeding;           /* of an instruction with more accesses than its entry */
};

static void skip(oct_shadow_decoder *d, size_t n_bits) {
  d->bits.pos_bits += n_bits;
  d->scanned = 0;
}

/* ---- Marks and periods ---- */

enum { END_ZERO_BYTES = 4 }; /* that may follow the last flush */

/* Remember an error; returns it. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
static int
fail(oct_shadow_decoder *d, int error, const char *format, ...) {
  char text[160];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  d->error = error;
  return oct_fail_at(&d->diag, error, OCT_AT_BIT, oct_bits_offset(&d->bits), "%s", text);
}

static uint64_t get_sevens(const oct_shadow_decoder *d, size_t *ahead, unsigned n_bytes,
                           bool *is_bad) {
  uint64_t v = 0;
  for (unsigned i = 0; i < n_bytes; i++, *ahead += 8) {
    uint64_t byte = oct_bits_at(&d->bits, *ahead, 8);
    if (byte > 127) *is_bad = true;
    v |= (byte & 127) << (7 * i);
  }
  return v;
}

/* The mark `ahead` bits after the position. 1, 0 when it is not wholly there, or OCT_ERR_PACKET. */
static int read_mark(oct_shadow_decoder *d, size_t ahead, oct_mark_fields *m) {
  const oct_shadow_config *cfg = &d->model.cfg;
  bool is_bad = false;
  size_t from = ahead;
  if (oct_bits_left(&d->bits) < ahead + 8 * oct_mark_bytes(cfg, OCT_FRAME_SYNC)) return 0;
  is_bad = oct_bits_at(&d->bits, ahead, 24) != 0xffffff;
  ahead += 24;
  m->kind = (unsigned)get_sevens(d, &ahead, 1, &is_bad);
  m->check = cfg->check ? (uint32_t)get_sevens(d, &ahead, OCT_MARK_CHECK_BYTES, &is_bad) : 0;
  m->number = get_sevens(d, &ahead, OCT_MARK_NUMBER_BYTES, &is_bad);
  uint64_t task = get_sevens(d, &ahead, oct_mark_task_bytes(cfg), &is_bad);
  m->privilege = task >> cfg->task_bits & oct_mask(OCT_MARK_PRIVILEGE_BITS);
  m->task = (uint32_t)(cfg->traps ? task & oct_mask(cfg->task_bits) : task);
  if (is_bad || m->kind & 1 || m->kind >> 1 >= OCT_FRAME_KINDS) return OCT_ERR_PACKET;
  m->kind >>= 1;
  m->lost_insns = m->lost_accesses = 0;
  m->n_bits = 8 * oct_mark_bytes(cfg, (oct_frame_kind)m->kind);
  if (oct_frame_is_overflow((oct_frame_kind)m->kind)) {
    if (oct_bits_left(&d->bits) < from + m->n_bits) return 0;
    m->lost_insns = get_sevens(d, &ahead, OCT_MARK_NUMBER_BYTES, &is_bad);
    m->lost_accesses = get_sevens(d, &ahead, OCT_MARK_NUMBER_BYTES, &is_bad);
    if (is_bad) return OCT_ERR_PACKET;
  }
  return 1;
}

/* Bits from the position to the next mark, or -1: none is there yet. Marks stand at whole bytes
 * from the position on. */
static int64_t find_mark(oct_shadow_decoder *d, size_t from) {
  size_t left = oct_bits_left(&d->bits), at = d->scanned > from ? d->scanned : from;
  for (; at + 24 <= left; at += 8)
    if (oct_bits_at(&d->bits, at, 24) == 0xffffff) return (int64_t)at;
  d->scanned = at;
  return -1;
}

/* Whether decoding can begin at this sync. One that keeps the tables needs all before it; only that
 * at the beginning has nothing before it. */
static bool is_entry(const oct_shadow_decoder *d, const oct_mark_fields *m) {
  return m->kind == OCT_FRAME_SYNC &&
         (!d->model.cfg.sync_keeps || (!m->number && !d->counts.syncs));
}

/* Look for a sync mark at any bit: a run of 24 ones or more ends with the first bit of the byte
 * behind them. 1: found, the position is at it; 0: more bytes are needed. */
static int search(oct_shadow_decoder *d) {
  size_t left = oct_bits_left(&d->bits), ones = 0;
  unsigned need = 8 * oct_mark_bytes(&d->model.cfg, OCT_FRAME_SYNC);
  for (size_t i = 0; i < left; i++) {
    if (oct_bits_at(&d->bits, i, 1)) {
      ones++;
      continue;
    }
    if (ones >= 24) {
      oct_mark_fields m;
      size_t at = i - 24;
      if (left - at < need) {
        skip(d, at);
        return 0;
      }
      if (read_mark(d, at, &m) == 1 && is_entry(d, &m)) {
        skip(d, at);
        return 1;
      }
    }
    ones = 0;
  }
  skip(d, left - (ones < 24 ? ones : 24));
  return 0;
}

/* Nothing but what may follow the last flush is there from this bit on, so far. */
static bool is_end(const oct_shadow_decoder *d, size_t ahead) {
  size_t left = oct_bits_left(&d->bits) - ahead;
  return left <= 8 * END_ZERO_BYTES && (!left || !oct_bits_at(&d->bits, ahead, (unsigned)left));
}

/* Begin the period that the mark at the position opens, if all of it is there, up to and with the
 * mark that closes it. 1, 0, or an error. */
static int begin_period(oct_shadow_decoder *d) {
  const oct_shadow_config *cfg = &d->model.cfg;
  oct_mark_fields m, closing;
  int r = read_mark(d, 0, &m);
  if (r < 0 || (r && !d->counts.syncs && m.kind != OCT_FRAME_SYNC))
    return fail(d, OCT_ERR_PACKET, "expected a mark");
  if (r && !d->counts.syncs && !is_entry(d, &m))
    return fail(d, OCT_ERR_PACKET,
                "the first sync is of instruction %llu and keeps its tables: expected "
                "the stream from its beginning",
                (unsigned long long)m.number);
  if (!r) {
    if (d->is_finished && !d->is_flushed)
      return fail(d, OCT_ERR_TRUNCATED, "the stream ends in a mark");
    return 0;
  }
  size_t length = m.n_bits;
  int64_t end = find_mark(d, length);
  if (end < 0) {
    if (!d->is_finished) return 0;
    if (m.kind == OCT_FRAME_FLUSH && is_end(d, length)) return 0;
    return fail(d, OCT_ERR_TRUNCATED, "the stream does not end in a flush");
  }
  r = read_mark(d, (size_t)end, &closing);
  if (!r && !d->is_finished) return 0;
  if (!r) return fail(d, OCT_ERR_TRUNCATED, "the stream ends in a mark");
  if (r < 0) return fail(d, OCT_ERR_PACKET, "a bad mark %lld bits on", (long long)end);
  size_t n = (size_t)end / 8;
  if (n > d->room_period) {
    uint8_t *p = realloc(d->period, 2 * n);
    if (!p) return fail(d, OCT_ERR_NOMEM, "no memory for a period of %zu bytes", n);
    d->period = p;
    d->room_period = 2 * n;
  }
  for (size_t i = 0; i < n; i++) d->period[i] = (uint8_t)oct_bits_at(&d->bits, 8 * i, 8);
  uint32_t check = oct_mark_check(oct_crc_bytes(16, 0, d->period, n), (oct_frame_kind)closing.kind);
  if (cfg->check && check != closing.check)
    return fail(d, OCT_ERR_CHECKSUM, "the check of the %zu bytes from here on is wrong", n);
  /* Of the checks of a part of the stream that comes twice, one in 65,536 agrees by chance. */
  const uint64_t mask = oct_mask(7 * OCT_MARK_NUMBER_BYTES);
  if (cfg->check && ((closing.number - m.number) & mask) > mask / 2)
    return fail(d, OCT_ERR_PACKET, "a mark before instruction %llu, after %llu",
                (unsigned long long)closing.number, (unsigned long long)m.number);
  if (m.kind == OCT_FRAME_SYNC) {
    if (d->counts.syncs && !d->is_searching && ((d->n_insns ^ m.number) & mask))
      return fail(d, OCT_ERR_PACKET, "a sync before instruction %llu, expected %llu",
                  (unsigned long long)m.number, (unsigned long long)(d->n_insns & mask));
    /* One of the upper half is behind what was given out: the stream has come to what it had
     * before. */
    uint64_t distance = (m.number - d->n_insns) & mask;
    if (d->counts.syncs && cfg->check && distance > mask / 2)
      return fail(d, OCT_ERR_PACKET, "a sync before instruction %llu, after %llu",
                  (unsigned long long)m.number, (unsigned long long)(d->n_insns & mask));
    d->n_insns += distance;
    d->is_searching = false;
    d->task = m.task;
    d->counts.syncs++;
    if (!cfg->sync_keeps) oct_shadow_model_reset(&d->model);
  }
  if (oct_frame_is_overflow((oct_frame_kind)m.kind)) {
    d->has_gap = true;
    d->lost_insns = m.lost_insns;
    d->lost_accesses = m.lost_accesses;
    d->n_insns += m.lost_insns;
    oct_shadow_forget_all(&d->model);
  }
  if (cfg->traps && m.kind != OCT_FRAME_FLUSH) d->told_privilege = (uint8_t)m.privilege;
  d->limit = d->n_insns +
             ((closing.number - m.number - m.lost_insns) & oct_mask(7 * OCT_MARK_NUMBER_BYTES));
  if (d->limit > OCT_INSN_NUMBER_MAX)
    return fail(d, OCT_ERR_PACKET, "instruction %llu: more than a trace can have",
                (unsigned long long)d->limit);
  d->is_cut = closing.kind == OCT_FRAME_OVERFLOW_CUT;
  if (cfg->check) d->confirmed = d->limit;
  d->is_flushed = closing.kind == OCT_FRAME_FLUSH;
  size_t head = m.n_bits / 8;
  d->coder.escape_bits = OCT_ESCAPE_BITS + cfg->traps;
  oct_uncode_begin(&d->coder, d->period + head, n - head);
  skip(d, (size_t)end);
  d->is_in_period = true;
  d->is_begun = false;
  d->at = NONE;
  d->due_insn = 0;
  return 1;
}

/* ---- Events ---- */

int oct_shadow_decoder_new(const oct_shadow_config *cfg, oct_decoder_start start,
                           oct_shadow_decoder **out, oct_diag *diag) {
  oct_shadow_decoder *d = calloc(1, sizeof *d);
  *out = NULL;
  if (!d) return oct_fail(diag, OCT_ERR_NOMEM, "no memory for a decoder");
  d->at = NONE;
  d->privilege = d->told_privilege = OCT_PRIVILEGE_UNKNOWN;
  d->is_searching = start == OCT_START_SEARCH;
  if (oct_shadow_model_init(&d->model, cfg) ||
      oct_plans_init(&d->plans, d->model.mask, cfg->delay_slots) ||
      oct_bits_push(&d->bits, NULL, 0)) {
    oct_shadow_decoder_free(d);
    return oct_fail(diag, OCT_ERR_NOMEM, "no memory for a decoder");
  }
  *out = d;
  return 0;
}

void oct_shadow_decoder_free(oct_shadow_decoder *d) {
  if (!d) return;
  oct_shadow_model_free(&d->model);
  oct_plans_free(&d->plans);
  free(d->updates);
  free(d->bits.bytes);
  free(d->period);
  free(d->traps);
  free(d->addrs.of);
  free(d);
}

int oct_shadow_decoder_map(oct_shadow_decoder *d, const oct_map_update *updates, size_t n,
                           oct_diag *diag) {
  for (size_t i = 0; i < n; i++) {
    if (updates[i].from_insn < d->last_update_insn)
      return oct_fail(diag, OCT_ERR_ARG, "map update from instruction %llu after one from %llu",
                      (unsigned long long)updates[i].from_insn,
                      (unsigned long long)d->last_update_insn);
    if (d->n_updates == d->room_updates) {
      /* Those that hold already are dropped. */
      if (d->at_update)
        memmove(d->updates, d->updates + d->at_update,
                (d->n_updates - d->at_update) * sizeof *d->updates);
      d->n_updates -= d->at_update;
      d->at_update = 0;
      if (2 * d->n_updates >= d->room_updates) {
        size_t room = d->room_updates ? 2 * d->room_updates : 1024;
        oct_map_update *p = realloc(d->updates, room * sizeof *p);
        if (!p) return oct_fail(diag, OCT_ERR_NOMEM, "no memory for map updates");
        d->updates = p;
        d->room_updates = room;
      }
    }
    d->due_insn = 0;
    d->updates[d->n_updates++] = updates[i];
    d->last_update_insn = updates[i].from_insn;
  }
  return 0;
}

int oct_shadow_decoder_push(oct_shadow_decoder *d, const uint8_t *bytes, size_t n, oct_diag *diag) {
  if (d->is_finished) return oct_fail(diag, OCT_ERR_ARG, "port bytes after the end");
  if (oct_bits_push(&d->bits, bytes, n))
    return oct_fail(diag, OCT_ERR_NOMEM, "no memory for %zu port bytes", n);
  return 0;
}

void oct_shadow_decoder_finish(oct_shadow_decoder *d) {
  d->is_finished = true;
}

static int take_updates(oct_shadow_decoder *d) {
  while (d->at_update < d->n_updates && d->updates[d->at_update].from_insn <= d->n_insns) {
    int64_t id = oct_plans_put(&d->plans, &d->updates[d->at_update++].entry);
    if (id < 0)
      return fail(d, (int)id, "%s",
                  id == OCT_ERR_NOMEM ? "no memory for the program map"
                                      : "an update of the program map that continues no entry");
  }
  return 0;
}

/* Without the instruction that came last, and the traps behind it: where the mark is none, nobody
 * knows whether that one lacks accesses. */
static void take_back(oct_shadow_decoder *d) {
  d->n_insns--;
  d->n_accesses -= d->insns[--d->n_batch].n_access;
  while (d->n_traps && d->traps[d->n_traps - 1].insn > d->n_batch) d->n_traps--;
}

/* The period ends, after entry e (NULL at its start). */
static int pass_end(oct_shadow_decoder *d, const oct_map_entry *e) {
  const oct_uncode *c = &d->coder;
  if (e) {
    oct_step_leave(&d->model, e);
    d->model.base = e->addr;
    if (d->is_cut) d->insns[d->n_batch - 1].flags |= OCT_INSN_PARTIAL;
  }
  d->is_in_period = false;
  if (c->at == c->end && d->n_insns == d->limit) return 0;
  fail(d, OCT_ERR_PACKET, "a period ends after instruction %llu, by its mark after %llu",
       (unsigned long long)d->n_insns, (unsigned long long)d->limit);
  if (e) take_back(d);
  return d->error;
}

static void pass_task(oct_shadow_decoder *d) {
  uint32_t task = (uint32_t)oct_uncode_raw(&d->coder, 0, d->model.cfg.task_bits);
  oct_shadow_switch(&d->model, d->task, task);
  d->task = task;
}

/* A value of a trap: how many bytes it has, then these. */
static uint64_t trap_value(oct_shadow_decoder *d) {
  unsigned n = (unsigned)oct_uncode_raw(&d->coder, 0, OCT_TRAP_BYTES_BITS);
  if (n > 8) d->coder.is_bad = true;
  return oct_uncode_raw(&d->coder, 0, 8 * (n > 8 ? 8 : n)) & d->model.mask;
}

/* A place for one more; NULL: no memory. */
static oct_trap *put_trap(oct_shadow_decoder *d) {
  d->has_had_traps = true;
  if (!d->n_batch && !d->n_traps) d->first_insn = d->n_insns;
  if (d->n_traps == d->room_traps) {
    size_t room = d->room_traps ? 2 * d->room_traps : 16;
    oct_trap *p = realloc(d->traps, room * sizeof *p);
    if (!p) return NULL;
    d->traps = p;
    d->room_traps = room;
  }
  d->traps[d->n_traps] = (oct_trap){.insn = (uint32_t)d->n_batch};
  return &d->traps[d->n_traps++];
}

/* A mark tells another privilege than the traps before it, which were lost or are not in this part
 * of the stream. */
static int change_privilege(oct_shadow_decoder *d) {
  oct_trap *t = put_trap(d);
  if (!t) return fail(d, OCT_ERR_NOMEM, "no memory for traps");
  t->kind = OCT_TRAP_PRIVILEGE;
  t->privilege = d->privilege = d->told_privilege;
  return 0;
}

/* Traps after an instruction; next is the address behind it. Returns what comes behind them, or an
 * error. */
static int pass_traps(oct_shadow_decoder *d, uint64_t next) {
  oct_uncode *c = &d->coder;
  oct_behind_trap behind;
  do {
    oct_trap *t = put_trap(d);
    if (!t) return fail(d, OCT_ERR_NOMEM, "no memory for traps");
    t->kind = (uint8_t)oct_uncode_raw(c, 0, OCT_TRAP_KIND_BITS);
    t->privilege = (uint8_t)oct_uncode_raw(c, 0, OCT_TRAP_PRIVILEGE_BITS);
    d->privilege = d->told_privilege = t->privilege;
    if (t->kind != OCT_TRAP_PRIVILEGE) {
      t->cause = (uint32_t)oct_uncode_raw(c, 0, d->model.cfg.cause_bits);
      t->addr = oct_uncode_raw(c, 0, 1) ? next : trap_value(d);
    }
    if (t->kind == OCT_TRAP_EXCEPTION) t->tval = trap_value(d);
    if (t->kind >= OCT_TRAP_KINDS || oct_uncode_is_past(c)) c->is_bad = true;
    behind = (oct_behind_trap)oct_uncode_raw(c, 0, OCT_BEHIND_BITS);
    if (c->is_bad) {
      d->n_traps--;
      return fail(d, OCT_ERR_PACKET, "a code that no compressor sends");
    }
  } while (behind == OCT_BEHIND_TRAP);
  return behind;
}

/* The escape takes effect, after entry e (NULL at the start of a period). */
static int pass_escape(oct_shadow_decoder *d, const oct_map_entry *e) {
  oct_shadow_model *m = &d->model;
  oct_uncode *c = &d->coder;
  bool is_trap = c->escape == OCT_ESCAPE_TRAP, has_task = c->escape == OCT_ESCAPE_TASK;
  oct_uncode_pass_escape(c);
  if (c->escape == OCT_ESCAPE_END) return pass_end(d, e);
  if (!e && !has_task && !is_trap)
    return fail(d, OCT_ERR_PACKET, "an escape before an instruction");
  if (is_trap) {
    int behind = pass_traps(d, e ? oct_fall(m, e) : m->base);
    if (behind < 0) return behind;
    if (behind == OCT_BEHIND_END) return pass_end(d, e);
    has_task = behind == OCT_BEHIND_TASK;
  }
  if (has_task) pass_task(d);
  if (e && is_trap) {
    oct_step_leave(m, e);
    d->pc = oct_code_target(m, c, OCT_SC_PERIOD, oct_fall(m, e), 0);
    return 0;
  }
  d->pc = e ? oct_step_jump(m, c, e, 0) : oct_code_target(m, c, OCT_SC_PERIOD, m->base, 0);
  return 0;
}

/* Access s of entry e, at addr, into the batch. map: that of e, or NULL if no entries continue it.
 */
OCT_INLINE void put_access(oct_shadow_decoder *d, const oct_map *map, const oct_map_entry *e,
                           unsigned s, uint64_t addr) {
  uint8_t slot = map ? oct_map_slot(map, &e->head, s) : e->slots[oct_access_slot(s)];
  unsigned log2_size = slot & OCT_SLOT_SIZE_MASK;
  uint8_t size_bytes = log2_size == OCT_SLOT_SIZE_UNKNOWN ? 0 : (uint8_t)(1u << log2_size);
  d->accesses[d->n_accesses++] = (oct_access){addr, size_bytes, (slot & OCT_SLOT_STORE) != 0, 0};
}

/* Accesses of entry *e, which may leave some out or make others. Where the instruction exceeds it,
 * *e becomes d->exceeding. */
static int decode_any_accesses(oct_shadow_decoder *d, const oct_map_entry **e, unsigned *n,
                               bool is_partial, oct_shadow_done *done) {
  oct_uncode *c = &d->coder;
  const oct_map *map = d->plans.map;
  if (is_partial) {
    *n = (unsigned)oct_uncode_raw(c, 0, OCT_COUNT_BITS);
    oct_uncode_pass_escape(c);
    if (!*n && !oct_has_data(*e))
      return fail(d, OCT_ERR_PACKET,
                  "an escape for no access of an instruction "
                  "without data");
    if (oct_exceeds(*e, *n)) {
      oct_exceed(&d->exceeding, *e);
      *e = &d->exceeding;
      map = NULL;
    }
  }
  *done = oct_step_data(&d->model, c, map, *e, &d->addrs, n, is_partial);
  if (d->addrs.is_full) return fail(d, OCT_ERR_NOMEM, "no memory for accesses");
  for (unsigned s = 0; s < *n; s++) put_access(d, map, *e, s, d->addrs.of[s]);
  return 0;
}

OCT_INLINE int decode_accesses(oct_shadow_decoder *d, const oct_entry_plan *plan,
                               const oct_map_entry **e, unsigned *n, bool is_partial,
                               oct_shadow_done *done) {
  int r = 0;
  if (plan->kind != OCT_PLAN_ANY && !is_partial) {
    uint64_t addr = 0;
    oct_step_one(&d->model, &d->coder, plan, *e, &addr);
    put_access(d, NULL, *e, 0, addr);
    *n = 1;
  } else {
    r = decode_any_accesses(d, e, n, is_partial, done);
  }
  oct_uncode_look(&d->coder);
  return r;
}

OCT_INLINE oct_insn *put_insn(oct_shadow_decoder *d, const oct_entry_plan *plan,
                              const oct_map_entry *e, unsigned n) {
  if (!d->n_batch) d->first_insn = d->n_insns;
  oct_insn *insn = &d->insns[d->n_batch++];
  *insn = (oct_insn){.addr = plan->addr,
                     .task = d->task,
                     .n_access = (uint16_t)n,
                     .size_bytes = plan->size_bytes,
                     .flags = plan->insn_flags};
  if (plan->has_data && n < e->n_slots) insn->flags |= OCT_INSN_END;
  d->n_insns++;
  return insn;
}

/* Changes of the map that hold from the next instruction on, or the end of the period. */
static int take_dues(oct_shadow_decoder *d) {
  int r = take_updates(d);
  if (r) return r;
  if (d->n_insns == d->limit)
    return fail(d, OCT_ERR_PACKET,
                "a period goes on after instruction %llu, where by its mark "
                "it ends",
                (unsigned long long)d->limit);
  d->due_insn = d->limit;
  if (d->at_update < d->n_updates && d->updates[d->at_update].from_insn < d->limit)
    d->due_insn = d->updates[d->at_update].from_insn;
  return 0;
}

/* One instruction, and where it goes. 0 or an error. */
OCT_INLINE int decode_insn(oct_shadow_decoder *d) {
  oct_shadow_model *m = &d->model;
  oct_uncode *c = &d->coder;
  int r = d->n_insns >= d->due_insn ? take_dues(d) : 0;
  if (r) return r;
  uint32_t next = d->at == NONE ? NONE : oct_plans_expect(&d->plans, &d->plans.of[d->at], d->pc);
  d->at = next == NONE ? oct_plans_find(&d->plans, d->at, d->pc) : next;
  if (d->at == NONE)
    return fail(d, OCT_ERR_MAP, "no map entry for the instruction at %#llx",
                (unsigned long long)d->pc);
  const oct_entry_plan *plan = &d->plans.of[d->at];
  const oct_map_entry *mapped = oct_map_entry_at(d->plans.map, d->at), *e = mapped;
  unsigned n = 0;
  oct_shadow_done done = OCT_DONE_YES;
  oct_uncode_look(c);
  bool is_partial = c->has_escape && c->escape == OCT_ESCAPE_PARTIAL && c->escape_after == 1;
  if (plan->has_data || is_partial) {
    r = decode_accesses(d, plan, &e, &n, is_partial, &done);
    if (r) return r;
  } else {
    oct_step_planned(m, plan, e);
  }
  oct_insn *insn = put_insn(d, plan, mapped, n);
  if (m->cfg.timestamp) {
    if (oct_step_time(m, c, e->addr, n, false, &insn->cycle)) insn->flags |= OCT_INSN_HAS_CYCLE;
    oct_uncode_look(c);
  }
  if (c->is_bad) return fail(d, OCT_ERR_PACKET, "a code that no compressor sends");
  if (c->has_escape && c->escape != OCT_ESCAPE_WRONG) {
    if (!c->escape_after) return fail(d, OCT_ERR_PACKET, "an escape after no instruction");
    if (--c->escape_after == 0) return pass_escape(d, e);
  }
  if (plan->is_straight && e == mapped && !m->delayed.stage) {
    d->pc = plan->fall;
  } else if (oct_has_control(m, e)) {
    d->pc = oct_step_control(m, c, e, done, 0);
  } else {
    d->pc = oct_linear_next(m, e);
    oct_step_linear(m, e);
  }
  return 0;
}

/* The first instruction of a period, or its end. */
static int decode_first(oct_shadow_decoder *d) {
  oct_uncode *c = &d->coder;
  oct_uncode_look(c);
  if (c->has_escape) {
    if (c->escape == OCT_ESCAPE_PARTIAL || c->escape == OCT_ESCAPE_WRONG || c->escape_after)
      return fail(d, OCT_ERR_PACKET, "an escape before an instruction");
    return pass_escape(d, NULL);
  }
  d->pc = oct_code_target(&d->model, c, OCT_SC_PERIOD, d->model.base, 0);
  return 0;
}

static int fill(oct_shadow_decoder *d) {
  for (;;) {
    int r;
    if (!d->is_in_period) {
      oct_mark_fields m;
      /* Without checks a run ends at a sync: who finds it wrong loses no more than up to there. */
      if (!d->model.cfg.check && (d->n_batch || d->n_traps) && read_mark(d, 0, &m) == 1 &&
          m.kind == OCT_FRAME_SYNC)
        return 1;
      if (d->is_searching) {
        r = search(d);
        if (!r && d->is_finished) return fail(d, OCT_ERR_TRUNCATED, "no whole sync mark found");
        if (!r) return 0;
        if (!d->counts.syncs) d->counts.first_sync_bits = oct_bits_offset(&d->bits);
      }
      r = begin_period(d);
      if (r <= 0) return r;
      if (d->has_gap) return 1;
    }
    if (!d->is_begun) {
      d->is_begun = true;
      r = d->privilege == d->told_privilege ? 0 : change_privilege(d);
      if (!r) r = decode_first(d);
      if (r) return r;
    }
    while (d->is_in_period) {
      if (d->n_batch == BATCH_INSNS || d->n_accesses >= BATCH_ACCESSES) return 1;
      r = decode_insn(d);
      if (r) return r;
    }
  }
}

int oct_shadow_decoder_next(oct_shadow_decoder *d, oct_decoded *out, oct_diag *diag) {
  memset(out, 0, sizeof *out);
  d->n_batch = d->n_accesses = d->n_traps = 0;
  if (!d->error) {
    int r = fill(d);
    if (d->n_batch || d->n_traps || d->has_gap) {
      out->batch.insns = d->insns;
      out->batch.n_insns = d->n_batch;
      out->batch.accesses = d->accesses;
      out->batch.n_accesses = d->n_accesses;
      out->batch.traps = d->traps;
      out->batch.n_traps = d->n_traps;
      out->first_insn = d->n_batch || d->n_traps ? d->first_insn : d->n_insns - d->lost_insns;
      out->confirmed_insns = d->model.cfg.check ? d->confirmed : UINT64_MAX;
      d->counts.insns += d->n_batch;
      d->counts.accesses += d->n_accesses;
      if (d->has_gap) {
        out->is_gap = 1;
        out->lost_insns = d->lost_insns;
        out->lost_accesses = d->lost_accesses;
        d->counts.gaps++;
        d->counts.lost_insns += d->lost_insns;
        d->counts.lost_accesses += d->lost_accesses;
        d->has_gap = false;
      }
      return 1;
    }
    if (!r) return 0;
  }
  if (diag) *diag = d->diag;
  return d->error;
}

int oct_shadow_decoder_resync(oct_shadow_decoder *d, oct_diag *diag) {
  (void)diag;
  /* Without an error the caller found damage itself, in what was handed out. */
  if (d->error || !d->is_searching) {
    /* The mark at the position opened the bad period, if none is under way; else its period was bad
     * and the mark at the position, which closes it, will do. */
    if (d->error && !d->is_in_period && oct_bits_left(&d->bits) >= 24) skip(d, 8);
    d->error = 0;
    d->is_in_period = d->has_gap = false;
    d->is_searching = true;
    /* What was decoded last may not have been given out: the next sync tells its privilege anew. If
     * no trap ever came, a privilege that is not known is nothing new. */
    d->privilege = d->told_privilege = OCT_PRIVILEGE_UNKNOWN + d->has_had_traps;
    d->counts.gaps++;
  }
  int r = search(d);
  return r;
}

void oct_shadow_decoder_had_privilege(oct_shadow_decoder *d, unsigned privilege) {
  d->privilege = d->told_privilege = (uint8_t)privilege;
}

void oct_shadow_decoder_counts(const oct_shadow_decoder *d, oct_decoder_counts *counts) {
  *counts = d->counts;
  counts->bit_offset = oct_bits_offset(&d->bits);
}

/* ---- Listing ---- */

typedef struct listing {
  oct_shadow_decoder *decoder;
  oct_packet period; /* to be listed next, if it has bits */
  bool is_ended;
} listing;

int oct_shadow_packets_new(const uint32_t *values, oct_decoder_start start, void **p,
                           oct_diag *diag) {
  const oct_shadow_config cfg = oct_shadow_config_of(values);
  listing *l = calloc(1, sizeof *l);
  if (!l) return oct_fail(diag, OCT_ERR_NOMEM, "no memory for a listing");
  int error = oct_shadow_decoder_new(&cfg, start, &l->decoder, diag);
  if (error) {
    free(l);
    return error;
  }
  *p = l;
  return 0;
}

void oct_shadow_packets_free(void *p) {
  listing *l = p;
  if (!l) return;
  oct_shadow_decoder_free(l->decoder);
  free(l);
}

int oct_shadow_packets_push(void *p, const uint8_t *bytes, size_t n, oct_diag *diag) {
  return oct_shadow_decoder_push(((listing *)p)->decoder, bytes, n, diag);
}

void oct_shadow_packets_finish(void *p) {
  oct_shadow_decoder_finish(((listing *)p)->decoder);
}

static void describe_mark(const oct_shadow_config *cfg, const oct_mark_fields *m, oct_packet *p) {
  static const char *const names[OCT_FRAME_KINDS][2] = {
      [OCT_FRAME_SYNC] = {"sync", "a decoder can begin here"},
      [OCT_FRAME_FLUSH] = {"flush", "all instructions so far are decodable"},
      [OCT_FRAME_OVERFLOW] = {"overflow", "events were lost"},
      [OCT_FRAME_OVERFLOW_CUT] = {"overflow-cut",
                                  "events were lost, among them accesses of the last instruction"}};
  const unsigned number_bits = 7 * OCT_MARK_NUMBER_BYTES;
  oct_packet_describe(p, names[m->kind][0], names[m->kind][1]);
  p->n_bits = m->n_bits;
  p->is_sync = m->kind == OCT_FRAME_SYNC;
  if (cfg->check) oct_packet_add(p, "check", m->check, 16, true);
  oct_packet_add(p, "number", m->number, number_bits, false);
  oct_packet_add(p, "task", m->task, cfg->task_bits, false);
  if (cfg->traps) oct_packet_add(p, "privilege", m->privilege, OCT_MARK_PRIVILEGE_BITS, false);
  if (oct_frame_is_overflow((oct_frame_kind)m->kind)) {
    oct_packet_add(p, "lost_insns", m->lost_insns, number_bits, false);
    oct_packet_add(p, "lost_accesses", m->lost_accesses, number_bits, false);
  }
}

/* The mark at the position, and the period that it opens. 1, 0 or an error. */
static int list_mark(listing *l, oct_packet *out) {
  oct_shadow_decoder *d = l->decoder;
  oct_mark_fields mark;
  uint64_t bit = oct_bits_offset(&d->bits);
  if (read_mark(d, 0, &mark) != 1) memset(&mark, 0, sizeof mark);
  int r = begin_period(d);
  bool is_last = !r && d->is_finished && d->is_flushed && !l->is_ended;
  if (r < 0 || (!r && !is_last)) return r;
  *out = (oct_packet){.bit = bit, .insn = d->n_insns};
  describe_mark(&d->model.cfg, &mark, out);
  l->is_ended = is_last;
  if (is_last) return 1;
  uint64_t n_insns = d->limit - d->n_insns;
  l->period = (oct_packet){.bit = bit + mark.n_bits,
                           .n_bits = oct_bits_offset(&d->bits) - bit - mark.n_bits,
                           .insn = d->n_insns,
                           .name = "period"};
  oct_packet_add(&l->period, "insns", n_insns, 7 * OCT_MARK_NUMBER_BYTES, false);
  snprintf(l->period.text, sizeof l->period.text, "%.4f bits per instruction",
           n_insns ? (double)l->period.n_bits / (double)n_insns : 0.0);
  d->n_insns = d->limit;
  d->is_in_period = false;
  return 1;
}

int oct_shadow_packets_next(void *p, oct_packet *out, oct_diag *diag) {
  listing *l = p;
  oct_shadow_decoder *d = l->decoder;
  if (l->period.n_bits) {
    *out = l->period;
    l->period.n_bits = 0;
    return 1;
  }
  int r = d->error;
  if (!r && d->is_searching) {
    r = search(d);
    if (!r && d->is_finished) r = fail(d, OCT_ERR_TRUNCATED, "no whole sync mark found");
    if (!r) return 0;
  }
  if (r >= 0 && !d->error) r = list_mark(l, out);
  if (r < 0 && diag) *diag = d->diag;
  return r;
}
