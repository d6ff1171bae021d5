/* SPDX-License-Identifier: Apache-2.0 */
/* tracer_run.h - a run through a tracer's encoder and decoder, in pieces of random size, held
 * against itself. */
#ifndef TRACER_RUN_H
#define TRACER_RUN_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "octrace/tracer.h"
#include "random_run.h"

typedef struct port_bytes {
  uint8_t *bytes;
  size_t n;
  uint64_t lost_insns; /* as the encoder counts */
} port_bytes;

static inline void take_bytes(const oct_tracer *t, void *e, port_bytes *out) {
  const uint8_t *p;
  size_t n = t->encoder.take(e, &p);
  if (!n) return;
  out->bytes = realloc(out->bytes, out->n + n);
  memcpy(out->bytes + out->n, p, n);
  out->n += n;
}

/* The bits that left the port equal the sum of their counters. Returns the instructions lost. */
static inline uint64_t check_counters(const oct_tracer *t, void *e, size_t n_bytes,
                                      size_t n_insns) {
  uint64_t values[OCT_TRACER_COUNTERS_MAX], bits = 0;
  t->encoder.counters(e, values);
  for (unsigned i = 0; i < t->n_counters; i++) {
    oct_counter_group g = t->counters[i].group;
    if (g >= OCT_GROUP_PORT_INSN && g <= OCT_GROUP_PORT_OVERHEAD) bits += values[i];
    if (!strcmp(t->counters[i].name, "insns")) assert_int_equal(values[i], n_insns);
  }
  assert_int_equal(bits, 8 * n_bytes);
  return oct_tracer_count(t, values, "lost_insns");
}

/* Cycle stamps for most instructions: a few cycles apart, now and then many. */
static inline void stamp_run(random_run *r) {
  uint64_t cycle = below(1000);
  for (size_t i = 0; i < r->n_insns; i++) {
    cycle += random_pm(5) ? below(1u << 23) : below(random_pm(100) ? 500 : 4);
    if (random_pm(50)) continue;
    r->insns[i].cycle = cycle;
    r->insns[i].flags |= OCT_INSN_HAS_CYCLE;
  }
}

static inline port_bytes encode_run(const oct_tracer *t, const uint32_t *params,
                                    const random_run *r) {
  static const oct_run_options untimed;
  port_bytes out = {0};
  oct_diag diag = {0};
  void *e;
  size_t access = 0, update = 0, trap = 0;
  assert_int_equal(t->encoder.create(params, &untimed, &e, &diag), 0);
  for (size_t at = 0; at < r->n_insns;) {
    size_t n = below(random_pm(500) ? 5 : 3000) + 1, n_access = 0, n_updates = 0;
    if (n > r->n_insns - at) n = r->n_insns - at;
    for (size_t i = 0; i < n; i++) n_access += r->insns[at + i].n_access;
    while (update + n_updates < r->n_updates && r->updates[update + n_updates].from_insn < at + n)
      n_updates++;
    oct_tracer_input in = {.insns = r->insns + at,
                           .n_insns = n,
                           .accesses = r->accesses + access,
                           .n_accesses = n_access,
                           .updates = r->updates + update,
                           .n_updates = n_updates};
    /* A trap between two batches may come with either, one behind the last with the last. */
    bool is_last = at + n == r->n_insns || random_pm(500);
    size_t n_traps = 0;
    while (trap + n_traps < r->n_traps && r->traps[trap + n_traps].insn < at + n + is_last)
      n_traps++;
    oct_trap *own = malloc((n_traps + 1) * sizeof *own);
    if (n_traps) memcpy(own, r->traps + trap, n_traps * sizeof *own);
    for (size_t i = 0; i < n_traps; i++) own[i].insn -= (uint32_t)at;
    in.traps = own;
    in.n_traps = n_traps;
    if (t->encoder.put(e, &in, &diag)) fail_msg("put: %s", oct_diag_line(&diag).text);
    free(own);
    trap += n_traps;
    at += n;
    access += n_access;
    update += n_updates;
    if (random_pm(300)) take_bytes(t, e, &out);
    if (random_pm(50) && t->encoder.flush(e, &diag))
      fail_msg("flush: %s", oct_diag_line(&diag).text);
  }
  if (t->encoder.flush(e, &diag)) fail_msg("flush: %s", oct_diag_line(&diag).text);
  take_bytes(t, e, &out);
  out.lost_insns = check_counters(t, e, out.n, r->n_insns);
  t->encoder.destroy(e);
  return out;
}

/* Where a decoded run stands in the run that was encoded. */
typedef struct decoded_at {
  size_t insn, access, trap;
  size_t edge; /* the instruction behind the last gap, at first none */
  uint64_t lost;
} decoded_at;

static inline bool is_sent(uint32_t parts, const oct_trap *e) {
  return e->kind == OCT_TRAP_PRIVILEGE ? parts & OCT_TRAPS_CHANGES : parts & OCT_TRAPS_PLACE;
}

/* No trap that is sent is left before the next instruction; at the edge of a gap it may be lost. */
static inline void check_no_trap(const random_run *r, uint32_t parts, decoded_at *at) {
  for (; at->trap < r->n_traps && r->traps[at->trap].insn <= at->insn; at->trap++)
    if (is_sent(parts, &r->traps[at->trap]) && r->traps[at->trap].insn == at->insn &&
        at->insn != at->edge)
      fail_msg("a trap before instruction %zu is missing", at->insn);
}

static inline void check_trap(const random_run *r, uint32_t parts, const oct_trap *d,
                              decoded_at *at) {
  const oct_trap *e = r->traps + at->trap;
  for (; at->trap < r->n_traps && (e->insn < at->insn || !is_sent(parts, e)); e++) at->trap++;
  if (at->trap == r->n_traps || e->insn != at->insn)
    fail_msg("before instruction %zu: a trap that was not sent", at->insn);
  if (parts & OCT_TRAPS_CAUSE && (d->kind != e->kind || d->cause != e->cause))
    fail_msg("before instruction %zu: kind %u, cause %u, decoded %u, %u", at->insn, e->kind,
             e->cause, d->kind, d->cause);
  if (parts & OCT_TRAPS_PRIVILEGE && d->privilege != e->privilege)
    fail_msg("before instruction %zu: privilege %u, decoded %u", at->insn, e->privilege,
             d->privilege);
  bool is_found = !e->addr && parts != OCT_TRAPS_ALL; /* not told, but it follows from the path */
  if ((d->addr != e->addr && !is_found) || (parts & OCT_TRAPS_TVAL && d->tval != e->tval))
    fail_msg("before instruction %zu: trap at 0x%llx (0x%llx), decoded 0x%llx (0x%llx)", at->insn,
             (unsigned long long)e->addr, (unsigned long long)e->tval, (unsigned long long)d->addr,
             (unsigned long long)d->tval);
  at->trap++;
}

static inline void check_decoded(const random_run *r, uint32_t parts, const oct_decoded *out,
                                 bool has_data, decoded_at *at) {
  const oct_access *a = out->batch.accesses;
  const oct_trap *t = out->batch.traps, *t_end = out->batch.n_traps ? t + out->batch.n_traps : t;
  if (out->batch.n_insns) assert_int_equal(out->first_insn, at->insn);
  for (size_t i = 0; i < out->batch.n_insns; i++) {
    const oct_insn *d = &out->batch.insns[i], *e = &r->insns[at->insn];
    if (at->insn >= r->n_insns) fail_msg("decoded too much");
    for (; t < t_end && t->insn <= i; t++) check_trap(r, parts, t, at);
    check_no_trap(r, parts, at);
    if (d->addr != e->addr || d->size_bytes != e->size_bytes || d->task != e->task)
      fail_msg("instruction %zu: expected 0x%llx, decoded 0x%llx", at->insn,
               (unsigned long long)e->addr, (unsigned long long)d->addr);
    if (has_data) {
      if (d->n_access != e->n_access || d->flags != e->flags)
        fail_msg("instruction %zu: accesses or flags differ", at->insn);
      for (unsigned k = 0; k < e->n_access; k++, a++) {
        const oct_access *ea = &r->accesses[at->access + k];
        if (a->addr != ea->addr || a->size_bytes != ea->size_bytes || a->is_store != ea->is_store)
          fail_msg("instruction %zu: access %u differs", at->insn, k);
      }
    }
    at->access += e->n_access;
    at->insn++;
  }
  for (; t < t_end; t++) check_trap(r, parts, t, at);
  if (!out->is_gap) return;
  at->lost += out->lost_insns;
  for (uint64_t i = 0; i < out->lost_insns && at->insn < r->n_insns; i++)
    at->access += r->insns[at->insn++].n_access;
  at->edge = at->insn;
}

/* How a stream is decoded, and held against the run. */
typedef struct decode_how {
  bool has_data;
  bool is_damaged; /* nothing is compared, and decoding goes on at later syncs */
  bool is_cut;     /* the stream begins somewhere: search a sync, and compare from there on */
} decode_how;

/* Decode and compare. Returns the instructions decoded. */
static inline size_t decode_run(const oct_tracer *t, const uint32_t *params, const random_run *r,
                                const port_bytes *bytes, decode_how how) {
  oct_diag diag = {0};
  oct_decoded out;
  decoded_at at = {.edge = SIZE_MAX};
  const uint32_t parts = oct_tracer_trap_parts(t, params);
  size_t decoded = 0;
  unsigned n_errors = 0;
  void *d;
  int rc;
  assert_int_equal(
      t->decoder.create(params, how.is_cut ? OCT_START_SEARCH : OCT_START_IN_STEP, &d, &diag), 0);
  assert_int_equal(t->decoder.map(d, r->updates, r->n_updates, &diag), 0);
  for (size_t pos = 0; pos <= bytes->n;) {
    size_t n = below(random_pm(500) ? 7 : 4000) + 1;
    if (n > bytes->n - pos) n = bytes->n - pos;
    if (n)
      assert_int_equal(t->decoder.push(d, bytes->bytes + pos, n, &diag), 0);
    else
      t->decoder.finish(d);
    for (;;) {
      rc = t->decoder.next(d, &out, &diag);
      if (rc == 1) {
        if (how.is_cut && !decoded)
          while (at.insn < out.first_insn && at.insn < r->n_insns)
            at.access += r->insns[at.insn++].n_access;
        if (how.is_cut && !decoded) at.edge = at.insn;
        if (!how.is_damaged) check_decoded(r, parts, &out, how.has_data, &at);
        decoded += out.batch.n_insns;
        /* A damaged count may ask for billions of instructions. */
        if (how.is_damaged && decoded > 1000000) break;
        continue;
      }
      if (rc == 0) break;
      if (!how.is_damaged) fail_msg("next: %s", oct_diag_line(&diag).text);
      assert_true(diag.text[0]);
      if (++n_errors > 100 || !t->decoder.resync || t->decoder.resync(d, &diag) != 1) break;
    }
    if (!n || n_errors > 100 || (how.is_damaged && decoded > 1000000)) break;
    pos += n;
  }
  if (!how.is_damaged && (decoded || !how.is_cut)) assert_int_equal(at.insn, r->n_insns);
  if (!how.is_damaged && !how.is_cut) assert_int_equal(at.lost, bytes->lost_insns);
  if (!how.is_damaged && (decoded || !how.is_cut)) check_no_trap(r, parts, &at);
  t->decoder.destroy(d);
  return decoded;
}

/* A byte changed here and there: no crash, no endless loop, every error told. */
static inline void damage_run(const oct_tracer *t, const uint32_t *params, const random_run *r,
                              port_bytes *bytes) {
  for (int round = 0; round < 8 && bytes->n; round++) {
    size_t at = below(bytes->n);
    uint8_t flipped = (uint8_t)(1u << below(8));
    bytes->bytes[at] ^= flipped;
    decode_run(t, params, r, bytes, (decode_how){.is_damaged = true});
    bytes->bytes[at] ^= flipped;
  }
}

static inline unsigned code_of_none(void *context, uint64_t addr, oct_map_entry *e) {
  (void)context, (void)addr, (void)e;
  return 0;
}

/* A stream whose counts are beyond all bounds, of a loop of two instructions of 4 bytes at base, of
 * which the second is a branch back: refused, and with few instructions at most. */
static inline void refuse_counts(const oct_tracer *t, const uint32_t *params, uint64_t base,
                                 const port_bytes *bytes, size_t most, bool is_foreign) {
  oct_map_update loop[2] = {
      {0, {.addr = base, .size_bytes = 4, .cls = OCT_CLASS_OTHER}},
      {0, {.addr = base + 4, .target = base, .size_bytes = 4, .cls = OCT_CLASS_COND_BRANCH}}};
  const bool given[OCT_TRACER_PARAMS_MAX] = {false};
  oct_diag diag = {0};
  oct_decoded out;
  size_t decoded = 0;
  void *d;
  int rc;
  assert_int_equal(t->decoder.create(params, OCT_START_IN_STEP, &d, &diag), 0);
  if (is_foreign) t->decoder.foreign(d, &(oct_map_code){code_of_none, code_of_none, NULL}, given);
  assert_int_equal(t->decoder.map(d, loop, 2, &diag), 0);
  assert_int_equal(t->decoder.push(d, bytes->bytes, bytes->n, &diag), 0);
  t->decoder.finish(d);
  while ((rc = t->decoder.next(d, &out, &diag)) == 1 && decoded <= most)
    decoded += out.batch.n_insns;
  assert_int_equal(rc, OCT_ERR_PACKET);
  if (!strstr(oct_diag_line(&diag).text, "count"))
    fail_msg("refused otherwise: %s", oct_diag_line(&diag).text);
  assert_true(decoded <= most);
  t->decoder.destroy(d);
}

/* The stream without its beginning: what follows the first sync found is right. */
static inline size_t cut_run(const oct_tracer *t, const uint32_t *params, const random_run *r,
                             const port_bytes *bytes, bool has_data) {
  size_t from = below(bytes->n);
  port_bytes rest = {bytes->bytes + from, bytes->n - from, 0};
  return decode_run(t, params, r, &rest, (decode_how){.has_data = has_data, .is_cut = true});
}

/* ---- Streams of others ---- */

/* What a stream of others was decoded to. */
typedef struct foreign_run {
  oct_insn *insns;
  oct_access *accesses;
  oct_trap *traps; /* insn counts from the first of all */
  size_t n_insns, n_accesses, n_traps, n_gaps;
  oct_decoder_counts counts;
  int error;
  oct_diag why;
} foreign_run;

static inline void *grow_run(void *all, size_t *n, const void *more, size_t n_more, size_t size) {
  if (!n_more) return all;
  all = realloc(all, (*n + n_more) * size);
  memcpy((char *)all + *n * size, more, n_more * size);
  *n += n_more;
  return all;
}

static inline void foreign_free(foreign_run *f) {
  free(f->insns);
  free(f->accesses);
  free(f->traps);
}

static inline unsigned code_of_run(void *context, uint64_t addr, oct_map_entry *e) {
  const random_run *r = context;
  size_t low = 0, high = r->n_code;
  while (low < high) {
    size_t mid = (low + high) / 2;
    if (r->code[mid].addr == addr) {
      *e = r->code[mid];
      return e->size_bytes;
    }
    if (r->code[mid].addr < addr)
      low = mid + 1;
    else
      high = mid;
  }
  return 0;
}

/* Decode a stream as another's, of whose program all code is known. */
static inline foreign_run foreign_decode(const oct_tracer *t, const uint32_t *params, random_run *r,
                                         const uint8_t *bytes, size_t n_bytes) {
  foreign_run f = {0};
  const oct_map_code code = {code_of_run, code_of_run, r};
  const bool given[OCT_TRACER_PARAMS_MAX] = {false};
  oct_diag diag = {0};
  oct_decoded out;
  void *d;
  assert_int_equal(t->decoder.create(params, OCT_START_IN_STEP, &d, &diag), 0);
  t->decoder.foreign(d, &code, given);
  for (size_t pos = 0; pos <= n_bytes && !f.error;) {
    size_t n = below(random_pm(500) ? 7 : 4000) + 1;
    if (n > n_bytes - pos) n = n_bytes - pos;
    if (n)
      assert_int_equal(t->decoder.push(d, bytes + pos, n, &diag), 0);
    else
      t->decoder.finish(d);
    int rc;
    while ((rc = t->decoder.next(d, &out, &diag)) == 1) {
      const oct_batch *b = &out.batch;
      const size_t first = f.n_insns, first_trap = f.n_traps;
      f.n_gaps += out.is_gap && !b->n_insns;
      f.insns = grow_run(f.insns, &f.n_insns, b->insns, b->n_insns, sizeof *b->insns);
      f.accesses =
          grow_run(f.accesses, &f.n_accesses, b->accesses, b->n_accesses, sizeof *b->accesses);
      f.traps = grow_run(f.traps, &f.n_traps, b->traps, b->n_traps, sizeof *b->traps);
      for (size_t i = first_trap; i < f.n_traps; i++) f.traps[i].insn += (uint32_t)first;
    }
    if (rc < 0) {
      f.error = rc;
      f.why = diag;
    }
    if (!n) break;
    pos += n;
  }
  t->decoder.counts(d, &f.counts);
  t->decoder.destroy(d);
  return f;
}

/* A cut stream was decoded to an end of what the whole one was. Traps before the first instruction
 * went with the beginning. */
static inline void check_end_of_run(const foreign_run *whole, const foreign_run *f, size_t cut) {
  if (f->error) fail_msg("cut at %zu: %s", cut, oct_diag_line(&f->why).text);
  if (whole->n_gaps || f->n_gaps) fail_msg("cut at %zu: a gap in a stream without one", cut);
  if (f->n_insns > whole->n_insns || f->n_accesses > whole->n_accesses)
    fail_msg("cut at %zu: more than the whole", cut);
  const size_t insn = whole->n_insns - f->n_insns, access = whole->n_accesses - f->n_accesses;
  size_t n = 0;
  for (size_t i = 0; i < f->n_insns; i++) {
    const oct_insn *a = &whole->insns[insn + i], *b = &f->insns[i];
    n += b->n_access;
    if (a->addr != b->addr || a->size_bytes != b->size_bytes || a->task != b->task ||
        a->n_access != b->n_access)
      fail_msg("cut at %zu: other instruction %zu from the end", cut, f->n_insns - i);
  }
  assert_int_equal(n, f->n_accesses);
  for (size_t i = 0; i < f->n_accesses; i++)
    if (whole->accesses[access + i].addr != f->accesses[i].addr ||
        whole->accesses[access + i].is_store != f->accesses[i].is_store)
      fail_msg("cut at %zu: other access %zu from the end", cut, f->n_accesses - i);
  if (f->n_traps > whole->n_traps) fail_msg("cut at %zu: more traps than in the whole", cut);
  for (size_t i = 1; i <= f->n_traps; i++) {
    const oct_trap *a = &whole->traps[whole->n_traps - i], *b = &f->traps[f->n_traps - i];
    if (a->insn != insn + b->insn || a->kind != b->kind || a->cause != b->cause ||
        a->addr != b->addr)
      fail_msg("cut at %zu: other trap %zu from the end", cut, i);
  }
  size_t left = whole->n_traps - f->n_traps;
  if (f->n_insns && left && whole->traps[left - 1].insn > insn)
    fail_msg("cut at %zu: a trap is missing", cut);
}

#endif
