/* SPDX-License-Identifier: Apache-2.0 */
/* test_damage.c - a stream of a tracer, damaged in one way at a time, and what its decoder makes of
 * it. Each stream is decoded from its beginning as octrace decompress does it (oct_replay.h), or
 * as --salvage does it where the stream is in a container (oct_player.h), and all that is handed
 * out is held against the trace by the same rules:
 *
 *   - each instruction comes at most once, in order, at its place, with its accesses, its stamp and
 *     the privilege that it had; it lacks accesses only where it does in the undamaged stream;
 *   - between two instructions that no gap parts there are their traps, each once and in order, and
 *     no change of privilege comes twice;
 *   - a gap is where instructions are missing, is no longer than the bytes can make it, and has a
 *     length if and only if that is known; runs and gaps add up to the counts;
 *   - what is lost is of the damaged period, and of the next where the damage reaches its sync.
 *
 * After a gap of unknown length, what comes up to the next gap is compared with the place in the
 * trace that it agrees with longest. A tracer without checks may hand out wrong instructions of its
 * program, but not where it knows of the damage (--breaks, --heads, --lacks); a container may not.
 *
 * Usage: inject-faults [OPTION...] TRACER GEOMETRY TRACE... [-- [OPTION...] TRACER ...]
 * TRACE is a file, random, self-writing:N (a program that changes once in N instructions; 0: never)
 * or leaving:ISA (a loop that leaves 32 bits once). Options hold for their group. With a number,
 * --seed (or 'random': of the environment), --limit INSNS, --cpi (of the cycle engine, in
 * thousandths) and the kinds of damage (the table `kinds`): how many events, or how many for each
 * place; without any of these, the numbers of scripts/study inject-faults. Without:
 *
 *   --each         a bit flipped in each byte, and an end at each byte
 *   --container    damage an .octp file after its header, program map and end included
 *   --full-rate    the cycle engine; as many instructions retire in a cycle as the tracer takes
 *   --unconfirmed  hand out instructions before their check
 *   --privileges   traps are changes of privilege
 *   --uncounted    syncs of this tracer do not count
 *
 * Prints a line of CSV for each trace and kind of damage: how many events, how many of them
 * delivered a wrong instruction, how many of these in silence, how many such instructions,
 * instructions lost (median, most), the most that the period of the damage and its neighbour have,
 * how many events lost more than that, and how many traps and stamps were wrong or missing; an
 * event with one of them is a wrong one too, and so is one that leaves instructions out without a
 * gap. An event that changes nothing counts like any other. Exit status 1 when a rule is broken. */
#include <errno.h>
#include <unistd.h>

#include "damage.h"

typedef enum kind {
  FLIP,
  BURST,
  LOST,
  DOUBLED,
  REPEATED,
  SWAPPED,
  MIXED,
  HALVES,
  FRAMES,
  EACH_BYTE,
  CUT,
  EACH_BURST,
  BREAK,
  LACK,
  HEAD,
  CHUNK,
  NONE,
  KINDS
} kind;

/* The usual numbers are those of scripts/study inject-faults. */
static const struct {
  const char *option, *name;
  uint64_t usual;
} kinds[KINDS] = {
    [FLIP] = {"--flips", "flip", 1000},
    [BURST] = {"--bursts", "burst", 300}, /* of 2 to 64 bits */
    [LOST] = {"--lost", "lost byte", 300},
    [DOUBLED] = {"--doubled", "doubled byte", 300},
    [REPEATED] = {"--repeated", "doubled block", 300},
    [SWAPPED] = {"--swapped", "swapped blocks", 0},
    [MIXED] = {"--mixed", "flips and a lost byte", 0},
    [HALVES] = {"--halves", "doubled half", 0}, /* a quarter to half of the stream */
    [FRAMES] = {"--frames", "lost bytes", 0},   /* 1, 2, 3 ..., every other time the first */
    [EACH_BYTE] = {"--each-byte", "flip", 0},
    [CUT] = {"--cut", "cut", 0},
    [EACH_BURST] = {"--each-burst", "each burst", 0}, /* of up to so many bits, at each bit */
    [BREAK] = {"--breaks", "parts left out", 0}, /* a twentieth of the bytes, known to be missing */
    [LACK] = {"--lacks", "lacking map", 0},      /* an instruction is not known */
    [HEAD] = {"--heads", "late beginning", 0},   /* at each sync that begins with a byte */
    [CHUNK] = {"--chunks", "chunk", 0},          /* each damaged, and left out */
    [NONE] = {"--none", "none", 0},
};

enum { PART_INSNS = 100, CHUNK_PARTS = 8, SITES = 200, BASE = 0x8000, PARTIAL_MIN = 4 };

static oct_map_entry random_site(unsigned i) {
  static const uint8_t classes[] = {
      OCT_CLASS_OTHER,       OCT_CLASS_OTHER,         OCT_CLASS_OTHER,
      OCT_CLASS_COND_BRANCH, OCT_CLASS_COND_BRANCH,   OCT_CLASS_DIRECT_JUMP,
      OCT_CLASS_DIRECT_CALL, OCT_CLASS_INDIRECT_JUMP, OCT_CLASS_RETURN};
  oct_map_entry e = {.addr = BASE + 4 * i, .size_bytes = 4};
  e.cls = i + 1 == SITES ? OCT_CLASS_DIRECT_JUMP : classes[below(sizeof classes)];
  bool is_direct = e.cls == OCT_CLASS_COND_BRANCH || e.cls == OCT_CLASS_DIRECT_JUMP ||
                   e.cls == OCT_CLASS_DIRECT_CALL;
  /* Intel PT has no count of it a jump to itself was made. */
  if (is_direct) e.target = BASE + 4 * ((i + 1 + below(SITES - 1)) % SITES);
  if (e.cls == OCT_CLASS_OTHER && below(3) == 0) {
    e.n_slots = 1;
    e.slots[0] = (uint8_t)(2 | (below(2) ? OCT_SLOT_STORE : 0));
  }
  return e;
}

/* A program that changes once in changes_every instructions; 0: never. Its entries come when they
 * are first executed, as from a tracker of the map. */
static test_trace self_writing(size_t n_insns, uint64_t changes_every) {
  test_trace x = {"self-writing", "unknown", 32, 4, NULL, NULL, NULL, n_insns, 0, 0};
  oct_map_entry sites[SITES];
  bool is_there[SITES] = {false};
  unsigned at = 0;
  x.insns = calloc(n_insns, sizeof *x.insns);
  x.accesses = calloc(n_insns, sizeof *x.accesses);
  for (unsigned i = 0; i < SITES; i++) sites[i] = random_site(i);
  for (size_t i = 0; i < n_insns; i++) {
    if (changes_every && below(changes_every) == 0) {
      unsigned changed = (unsigned)below(SITES);
      sites[changed] = random_site(changed);
      is_there[changed] = false;
    }
    const oct_map_entry *e = &sites[at];
    if (!is_there[at]) {
      const oct_map_update update = {i, *e};
      x.updates = append(x.updates, &x.n_updates, &update, 1, sizeof update);
    }
    is_there[at] = true;
    x.insns[i] = (oct_insn){.addr = e->addr, .size_bytes = 4, .n_access = e->n_slots};
    x.insns[i].flags = (uint8_t)(e->cls << OCT_INSN_CLASS_SHIFT);
    if (e->n_slots)
      x.accesses[x.n_accesses++] =
          (oct_access){0x10000 + 4 * below(1000), 4, (e->slots[0] & OCT_SLOT_STORE) != 0, 0};
    bool jumps = e->cls != OCT_CLASS_OTHER && (e->cls != OCT_CLASS_COND_BRANCH || below(2));
    at = !jumps ? at + 1 : e->target ? (unsigned)(e->target - BASE) / 4 : (unsigned)below(SITES);
  }
  return x;
}

/* A loop of four instructions, which leaves 32 bits once. */
static test_trace leaving_trace(const char *isa, size_t n_insns) {
  const size_t far_at = n_insns / 3;
  test_trace x = {.name = "leaving", .addr_bits = 64, .align_bytes = 4, .n_updates = 5};
  x.n_insns = n_insns;
  snprintf(x.isa, sizeof x.isa, "%s", isa);
  x.insns = calloc(x.n_insns, sizeof *x.insns);
  x.updates = calloc(x.n_updates, sizeof *x.updates);
  for (size_t i = 0; i < x.n_updates; i++)
    x.updates[i].entry = (oct_map_entry){.addr = i < 4 ? BASE + 4 * i : UINT64_C(1) << 32,
                                         .size_bytes = 4,
                                         .cls = i < 3 ? OCT_CLASS_OTHER : OCT_CLASS_INDIRECT_JUMP};
  for (size_t i = 0; i < x.n_insns; i++) {
    const oct_map_entry *e = &x.updates[i == far_at ? 4 : (i - (i > far_at)) % 4].entry;
    x.insns[i] = (oct_insn){
        .addr = e->addr, .size_bytes = 4, .flags = (uint8_t)(e->cls << OCT_INSN_CLASS_SHIFT)};
  }
  return x;
}

static test_trace make_trace(experiment *x, const char *name, uint64_t limit) {
  const char *colon = strchr(name, ':');
  x->is_changing = x->is_leaving = false;
  if (!strcmp(name, "random")) return random_test_trace(32, 4, limit);
  if (!strncmp(name, "self-writing:", 13)) {
    uint64_t every = strtoull(colon + 1, NULL, 10);
    x->is_changing = every != 0;
    return self_writing(limit, every);
  }
  x->is_leaving = !strncmp(name, "leaving:", 8);
  return x->is_leaving ? leaving_trace(colon + 1, limit) : load_test_trace(name, limit);
}

static void make_stamps(experiment *x) {
  uint64_t cycle = 1000;
  for (size_t i = 0; i < x->trace.n_insns; i++) {
    x->trace.insns[i].cycle = cycle += below(20) ? 1 + below(3) : below(5000);
    x->trace.insns[i].flags |= OCT_INSN_HAS_CYCLE;
  }
}

/* Stamps of a run that are none of the undamaged stream's, and those missing. */
static uint64_t wrong_stamps(const experiment *x, const oct_decoded *run) {
  uint64_t wrong = 0;
  for (size_t i = 0; i < run->batch.n_insns && run->first_insn + i < x->trace.n_insns; i++) {
    const oct_insn *d = &run->batch.insns[i], *e = &x->decoded[run->first_insn + i];
    bool has = d->flags & OCT_INSN_HAS_CYCLE;
    wrong += has != !!(e->flags & OCT_INSN_HAS_CYCLE) || (has && d->cycle != e->cycle);
  }
  return wrong;
}

/* The most instructions between two syncs, by the geometry. */
static uint64_t period(const experiment *x) {
  static const char *const names[] = {"sync_period_insns", "sync_insns"};
  for (unsigned i = 0; i < 2; i++) {
    int p = oct_tracer_param(x->tracer, names[i]);
    if (p >= 0 && x->params[p]) return x->params[p];
  }
  return x->trace.n_insns;
}

/* The privilege of each instruction, and no change that is none. */
static void take_privileges(const experiment *x, const oct_decoded *run, outcome *o) {
  const oct_trap *p = run->batch.traps, *end = p + run->batch.n_traps;
  for (size_t i = 0; i <= run->batch.n_insns; i++) {
    for (; p < end && p->insn <= i; o->privilege = p++->privilege)
      if (p->kind == OCT_TRAP_PRIVILEGE && p->privilege == o->privilege)
        o->broken = "a change of privilege comes twice";
    uint64_t number = run->first_insn + i;
    if (i < run->batch.n_insns && number < x->trace.n_insns &&
        o->privilege != x->privileges[number])
      o->broken = "an instruction has another privilege";
  }
}

/* How runs and gaps go together. Of a stream that came one and a half times, numbers go on. */
static void take_numbers(const experiment *x, const oct_decoded *run, const oct_gap *gap,
                         size_t n_bytes, outcome *o) {
  uint64_t end = run->first_insn + run->batch.n_insns;
  if (run->first_insn != o->claimed) o->broken = "a run does not begin where the gap ends";
  o->claimed = end + run->lost_insns;
  if (x->is_strict && !run->is_uncounted && o->claimed > x->trace.n_insns)
    o->broken = "a gap is longer than the trace";
  if (n_bytes > x->stream.n_bytes / 4 * 5 + 4 && !run->is_uncounted &&
      end > x->trace.n_insns + 2 * period(x))
    o->broken = "instructions count twice";
  if (!run->is_gap) return;
  if (gap->insn != end) o->broken = "a gap is not where the run ends";
  o->uncounted += gap->lost_insns == UINT64_MAX && !gap->is_end;
  if (!gap->error) return;
  if (!gap->is_end && (gap->lost_insns == UINT64_MAX) != (run->is_uncounted != 0))
    o->broken = "a gap has a length that is not known, or none";
  if (gap->lost_insns == UINT64_MAX) return;
  o->n_known++;
  if (n_bytes < x->stream.n_bytes) n_bytes = x->stream.n_bytes;
  if (!x->in_container && gap->lost_insns > 2 * period(x) * (n_bytes / 4 + 2))
    o->broken = "a gap is longer than it can be";
}

static void take_run(const experiment *x, const oct_decoded *run, const oct_gap *gap, outcome *o,
                     uint64_t *next) {
  const oct_batch *b = &run->batch;
  if (!run->is_uncounted) {
    o->untold += b->n_insns && run->first_insn != *next && !o->traps.is_behind_gap;
    place(x, o, next);
    take_fault_traps(&o->traps, x->traps, x->n_traps, run, run->first_insn != *next);
    if (x->privileges) take_privileges(x, run, o);
    o->wrong_stamps += wrong_stamps(x, run);
    if (b->n_insns) take_insns(x, b->insns, b->n_insns, b->accesses, run->first_insn, o, next);
  } else {
    if (!unplaced.n_insns) unplaced.first = run->first_insn;
    unplaced.insns =
        append(unplaced.insns, &unplaced.n_insns, b->insns, b->n_insns, sizeof *b->insns);
    unplaced.accesses = append(unplaced.accesses, &unplaced.n_accesses, b->accesses, b->n_accesses,
                               sizeof *b->accesses);
    if (run->is_gap) place(x, o, next);
  }
  o->traps.is_behind_gap |= run->is_gap || gap->error;
  for (size_t i = 0; i < b->n_insns && x->is_leaving; i++)
    if (b->insns[i].addr >> 32) o->broken = "an instruction breaks the rule";
}

/* The end: what did not come is lost. */
static void take_end(const experiment *x, outcome *o, uint64_t *next) {
  place(x, o, next);
  if (*next >= x->trace.n_insns) return;
  if (o->first_lost == UINT64_MAX) o->first_lost = *next;
  o->end_lost = x->trace.n_insns;
}

static outcome play_all(const experiment *x, const uint8_t *bytes, size_t n_bytes) {
  outcome o = {.first_lost = UINT64_MAX, .privilege = OCT_PRIVILEGE_UNKNOWN};
  oct_player p;
  oct_diag diag = {0};
  oct_decoded run;
  oct_gap gap;
  uint64_t next = 0;
  int got;
  assert_int_equal(pwrite(x->fd, bytes, n_bytes, (off_t)x->header_bytes), n_bytes);
  assert_int_equal(ftruncate(x->fd, (off_t)(x->header_bytes + n_bytes)), 0);
  assert_int_equal(oct_player_open(&p, x->path, 0, 0, NULL, &x->options, &diag), 0);
  p.salvage = true;
  while ((got = oct_player_next(&p, &run, &gap, &diag)) > 0) {
    take_numbers(x, &run, &gap, n_bytes, &o);
    take_run(x, &run, &gap, &o, &next);
  }
  o.is_told = got < 0 || p.n_damaged;
  take_end(x, &o, &next);
  oct_player_close(&p);
  return o;
}

/* Push the bytes of a stream, in pieces as from a cable: a run may end at any byte. With BREAK by
 * the parts that it was encoded in, some of them left out; their number is what is returned. */
static unsigned feed(const experiment *x, kind k, oct_replay *r, const uint8_t *bytes, size_t *at,
                     size_t n_bytes, size_t *part) {
  static const oct_diag why = {.error = OCT_ERR_CHECKSUM, .text = "bytes are missing"};
  oct_diag diag = {0};
  size_t n = x->piece_bytes ? x->piece_bytes : 1 + below(below(4) ? 40 : 4000);
  unsigned n_breaks = 0;
  if (k == BREAK && *part < x->n_parts) {
    const size_t from = *part ? x->part_updates[*part - 1] : 0, to = x->part_updates[*part];
    assert_int_equal(oct_replay_map(r, x->trace.updates + from, to - from, &diag), 0);
    n = x->part_bytes[(*part)++] - *at;
    if (*part > 6 && *part < x->n_parts && below(20) == 0) {
      assert_int_equal(oct_replay_break(r, &why, x->trace.updates, to, &diag), 0);
      n_breaks++;
      *at += n;
      n = 0;
    }
  }
  if (n > n_bytes - *at) n = n_bytes - *at;
  if (n && oct_replay_push(r, bytes + *at, n, &diag)) fail_msg("%s", oct_diag_line(&diag).text);
  *at += n;
  if (!n && *at == n_bytes) oct_replay_finish(r);
  return n_breaks;
}

static outcome decode_all(const experiment *x, kind k, const uint8_t *bytes, size_t n_bytes) {
  outcome o = {.first_lost = UINT64_MAX, .privilege = OCT_PRIVILEGE_UNKNOWN};
  const test_trace *t = &x->trace;
  oct_replay *r;
  oct_replay_counts counts;
  oct_diag diag = {0};
  oct_decoded run;
  oct_gap gap;
  uint64_t next = 0;
  size_t at = 0, part = 0, lacks = k == LACK ? x->lacks : t->n_updates;
  unsigned n_breaks = 0;
  int got = 0;
  if (oct_replay_new(x->tracer, x->params, OCT_START_IN_STEP, &x->options, &r, &diag))
    fail_msg("%s", oct_diag_line(&diag).text);
  if (x->is_leaving) oct_replay_expect(r, 32, 4);
  if (k != BREAK &&
      (oct_replay_map(r, t->updates, lacks, &diag) ||
       (k == LACK && oct_replay_map(r, t->updates + lacks + 1, t->n_updates - lacks - 1, &diag))))
    fail_msg("%s", oct_diag_line(&diag).text);
  for (bool is_end = false; !is_end && !got;) {
    is_end = at == n_bytes;
    n_breaks += feed(x, k, r, bytes, &at, n_bytes, &part);
    while ((got = oct_replay_next(r, &run, &gap, &diag)) > 0) {
      take_numbers(x, &run, &gap, n_bytes, &o);
      take_run(x, &run, &gap, &o, &next);
      o.is_told |= gap.error < 0;
      if (o.delivered > 2 * t->n_insns + 1000000) break; /* damage can mean billions */
    }
  }
  o.is_told |= got < 0;
  take_end(x, &o, &next);
  oct_replay_get_counts(r, &counts);
  if (!got && counts.insns + counts.gaps.damaged_insns + counts.gaps.lost_insns != o.claimed)
    o.broken = "runs and gaps do not add up to the counts";
  if (k == BREAK && !x->is_changing &&
      o.delivered + n_breaks * (PART_INSNS + 3 * period(x)) < t->n_insns)
    o.broken = "breaks cost more than up to the next sync";
  if (k == HEAD && (!o.is_told || (o.claimed != t->n_insns && o.delivered)))
    o.broken = "a late beginning does not give the gap before it";
  if (x->is_leaving && (counts.gaps.n_damages != 1 || o.claimed != t->n_insns ||
                        o.delivered >= t->n_insns || o.delivered + period(x) + 64 < t->n_insns))
    o.broken = "what breaks the rule costs more than up to the next sync, or nothing";
  oct_replay_free(r);
  return o;
}

/* Decode the whole stream and note its syncs. */
static void find_periods(experiment *x) {
  void *d;
  oct_diag diag = {0};
  oct_decoded run;
  oct_decoder_counts counts = {0};
  const oct_tracer *t = x->tracer;
  uint64_t syncs = 0, insns = 0;
  int got;
  assert_int_equal(t->decoder.create(x->params, OCT_START_IN_STEP, &d, &diag), 0);
  assert_int_equal(t->decoder.map(d, x->trace.updates, x->trace.n_updates, &diag), 0);
  x->own_losses = x->trace.n_insns;
  x->n_partial = 0;
  size_t step = 16; /* few bytes at a time, to see where each sync ends */
  for (size_t at = 0; at < x->stream.n_bytes; at += step) {
    size_t left = x->stream.n_bytes - at;
    t->decoder.push(d, x->stream.bytes + at, left < step ? left : step, &diag);
    if (left <= step) t->decoder.finish(d);
    while ((got = t->decoder.next(d, &run, &diag)) > 0) {
      x->own_losses -= run.batch.n_insns;
      insns = run.first_insn + run.batch.n_insns;
      if (run.confirmed_insns != UINT64_MAX) insns = run.confirmed_insns; /* of the sync alone */
      for (size_t i = 0; i < run.batch.n_insns; i++) {
        x->n_partial += (run.batch.insns[i].flags & OCT_INSN_PARTIAL) != 0;
        if (run.first_insn + i < x->trace.n_insns)
          x->decoded[run.first_insn + i] = run.batch.insns[i];
      }
      if (run.confirmed_insns != UINT64_MAX) x->has_checks = true;
    }
    if (got < 0) fail_msg("%s: %s", x->trace.name, oct_diag_line(&diag).text);
    /* All that the bytes so far stand for has come. */
    t->decoder.counts(d, &counts);
    if (counts.syncs != syncs && x->n_syncs < PERIODS_MAX) {
      x->sync_bits[x->n_syncs] = x->n_syncs ? counts.bit_offset : 1;
      x->sync_insns[x->n_syncs] = x->n_syncs ? insns : 0;
      x->n_syncs++;
    }
    syncs = counts.syncs;
  }
  t->decoder.destroy(d);
}

/* The instructions that damage of these bits may cost: those of its period and, where it reaches
 * the sync at its end, of the next; all from there on where syncs keep the tables. A sync is taken
 * to reach from 1,024 bits before the place where the decoder counted it, as that is told a few
 * bytes late, to 144 behind it (the longest mark of `shadow`), as some count it at its first bit.
 */
static void bound(const experiment *x, uint64_t from_bit, uint64_t to_bit, uint64_t *from,
                  uint64_t *to) {
  size_t first = 0, last = 0;
  while (first < x->n_syncs && x->sync_bits[first] + (first ? 144 : 0) <= from_bit) first++;
  while (last < x->n_syncs && x->sync_bits[last] <= to_bit + 1024) last++;
  *from = first ? x->sync_insns[first - 1] : 0;
  *to = last < x->n_syncs && !is_set(x, "sync_keeps") ? x->sync_insns[last] : x->trace.n_insns;
}

/* The n-th chunk of a container's: where it begins, and its bytes. */
static size_t find_chunk(const test_stream *s, size_t n, size_t *n_bytes) {
  size_t at = 0;
  for (;; at += *n_bytes) {
    *n_bytes = OCT_CONTAINER_CHUNK_HEADER_BYTES + oct_get_u32(s->bytes + at + 4);
    if (!n-- || s->bytes[at] == OCT_CONTAINER_END) return at;
  }
}

/* Where the n-th sync after the first begins that begins with a byte; 0: nowhere. */
static size_t find_head(const experiment *x, size_t n) {
  const oct_tracer *t = x->tracer;
  oct_packet p;
  oct_diag diag = {0};
  size_t at = 0;
  void *packets;
  assert_int_equal(t->packets.create(x->params, OCT_START_IN_STEP, &packets, &diag), 0);
  if (t->packets.map)
    assert_int_equal(t->packets.map(packets, x->trace.updates, x->trace.n_updates, &diag), 0);
  assert_int_equal(t->packets.push(packets, x->stream.bytes, x->stream.n_bytes, &diag), 0);
  t->packets.finish(packets);
  while (!at && t->packets.next(packets, &p, &diag) > 0)
    if (p.is_sync && p.bit && p.bit % 8 == 0 && !n--) at = (size_t)(p.bit / 8);
  t->packets.destroy(packets);
  return at;
}

/* An update whose address has no other: without it the instruction is not known. */
static size_t only_update(const test_trace *x) {
  for (;;) {
    size_t lacks = below(x->n_updates), n = 0;
    for (size_t i = 0; i < x->n_updates; i++)
      n += x->updates[i].entry.addr == x->updates[lacks].entry.addr;
    if (n == 1) return lacks;
  }
}

static void flip(uint8_t *bytes, uint64_t n_bits, uint64_t at, uint64_t burst) {
  for (; burst && at < n_bits; burst >>= 1, at++) bytes[at / 8] ^= (uint8_t)((burst & 1) << at % 8);
}

/* Damage a copy of the stream, as event number i; its length. *from and *to are the bits that it
 * touches. */
static size_t damage(const experiment *x, kind k, size_t i, uint64_t amount, uint8_t *bytes,
                     uint64_t *from, uint64_t *to) {
  const test_stream *s = &x->stream;
  const uint64_t n_bits = s->n_bytes * 8;
  uint64_t at = k >= EACH_BYTE ? 8 * i : below(n_bits);
  if (k == EACH_BYTE || k == CUT) at += below(8);
  size_t byte = (size_t)(at / 8), n;
  memcpy(bytes, s->bytes, s->n_bytes);
  *from = *to = at;
  switch (k) {
    case CUT:
      *to = n_bits;
      return byte;
    case FLIP:
    case EACH_BYTE:
      flip(bytes, n_bits, at, 1);
      break;
    case BURST: { /* its first and last bits flip, those between at random */
      n = 2 + below(63);
      const uint64_t ends = 1 | UINT64_C(1) << (n - 1);
      flip(bytes, n_bits, at, (random_u64() & UINT64_MAX >> (64 - n)) | ends);
      *to = at + n;
      break;
    }
    case EACH_BURST: { /* those that begin with a one */
      const uint64_t each = UINT64_C(1) << (amount - 1);
      *from = i / each;
      *to = *from + amount;
      flip(bytes, n_bits, *from, 1 | (i % each) << 1);
      break;
    }
    case LOST:
      memmove(bytes + byte, bytes + byte + 1, s->n_bytes - byte - 1);
      *from = 8 * byte;
      *to = at + 8;
      return s->n_bytes - 1;
    case FRAMES:
      n = i + 1;
      byte = i % 2 ? below(s->n_bytes - n) : 0;
      memmove(bytes + byte, bytes + byte + n, s->n_bytes - byte - n);
      return s->n_bytes - n;
    case DOUBLED:
      memmove(bytes + byte + 1, bytes + byte, s->n_bytes - byte);
      *from = 8 * byte;
      *to = at + 8;
      return s->n_bytes + 1;
    case REPEATED: /* what is wrong begins after the first of the two */
    case HALVES:
      n = k == HALVES ? s->n_bytes / 4 + below(s->n_bytes / 4) : (size_t)16 << below(9);
      while (k == REPEATED && n > s->n_bytes / 4) n /= 2;
      if (k == HALVES) byte = below(s->n_bytes - n); /* after the last sync nothing corrects it */
      if (byte + n > s->n_bytes) byte = s->n_bytes - n;
      memmove(bytes + byte + n, s->bytes + byte, s->n_bytes - byte);
      *from = *to = 8 * (byte + n);
      return s->n_bytes + n;
    case SWAPPED:
      n = 300 + below(1500);
      while (2 * n > s->n_bytes) n /= 2;
      if (byte + 2 * n > s->n_bytes) byte = s->n_bytes - 2 * n;
      memcpy(bytes + byte, s->bytes + byte + n, n);
      memcpy(bytes + byte + n, s->bytes + byte, n);
      break;
    case MIXED:
      for (unsigned j = 0; j < 1 + i % 4; j++) flip(bytes, n_bits, below(n_bits), 1);
      if (i % 2) break;
      memmove(bytes + byte, bytes + byte + 1, s->n_bytes - byte - 1);
      return s->n_bytes - 1;
    case HEAD:
      byte = find_head(x, i);
      memmove(bytes, bytes + byte, s->n_bytes - byte);
      return s->n_bytes - byte;
    case CHUNK:
      byte = find_chunk(s, i / 2, &n);
      if (i % 2) {
        memmove(bytes + byte, bytes + byte + n, s->n_bytes - byte - n);
        return s->n_bytes - n;
      }
      bytes[byte + below(n)] ^= 1;
      break;
    default:
      break;
  }
  return s->n_bytes;
}

static size_t count_events(const experiment *x, kind k, uint64_t amount) {
  size_t n = 0, n_bytes;
  switch (amount ? k : KINDS) {
    case KINDS:
      return 0;
    case EACH_BYTE:
    case CUT:
      return x->stream.n_bytes;
    case EACH_BURST:
      return 8 * x->stream.n_bytes << (amount - 1);
    case HEAD:
      while (find_head(x, n)) n++;
      return n;
    case CHUNK:
      while (x->stream.bytes[find_chunk(&x->stream, n, &n_bytes)] != OCT_CONTAINER_END) n++;
      return 2 * n;
    default:
      return (size_t)amount;
  }
}

static int by_value(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

static int run_kind(experiment *x, kind k, uint64_t amount) {
  const size_t n_places = count_events(x, k, amount);
  const bool was_unconfirmed = x->options.is_unconfirmed;
  /* Is nothing wrong to come? A stream has checks, or its damage is known. */
  const bool is_checked =
      x->in_container || (x->has_checks && !x->options.is_unconfirmed) || k >= BREAK;
  const bool has_bound =
      !x->in_container && !x->cpi_milli && (k <= REPEATED || (k >= EACH_BYTE && k <= EACH_BURST));
  const char *slash = strrchr(x->trace.name, '/');
  uint8_t *bytes = malloc(2 * x->stream.n_bytes + 2);
  uint64_t *lost = calloc(n_places + 1, sizeof *lost);
  size_t n_events = 0;
  uint64_t wrong_events = 0, wrong = 0, over = 0, bound_most = 0, silent = 0, foreign = 0;
  uint64_t traps = 0, stamps = 0, broken = 0, delivered = 0, n_known = 0, uncounted = 0;
  x->is_strict = is_checked;
  x->piece_bytes = k == HALVES ? SIZE_MAX : k != EACH_BURST ? 0 : amount == 1 ? 1 : SIZE_MAX;
  is_seed_new = true; /* of a share, the first event of each kind */
  for (size_t i = 0; i < n_places; i++) {
    if (is_left_out()) continue;
    uint64_t from_bit, to_bit, from, to;
    size_t n = damage(x, k, i, amount, bytes, &from_bit, &to_bit);
    if (k == LACK) {
      x->lacks = only_update(&x->trace);
      x->options.is_unconfirmed = i % 2;
    }
    outcome o = x->in_container ? play_all(x, bytes, n) : decode_all(x, k, bytes, n);
    uint64_t good = o.delivered - o.wrong - o.traps.wrong - o.wrong_stamps;
    const uint64_t lacking = good < x->trace.n_insns ? x->trace.n_insns - good : 0;
    lost[n_events++] = lacking;
    bool is_wrong = o.wrong || o.traps.wrong || o.wrong_stamps;
    if (is_checked) is_wrong |= o.untold != 0;
    /* A bare stream may end anywhere. */
    if (is_checked && (k != CUT || x->in_container))
      is_wrong |= lacking > x->own_losses && !o.is_told;
    if (k == FRAMES && (!o.is_told || lacking > 3 * period(x)))
      o.broken = "lost bytes cost more than others, or are not noticed";
    if (k == HEAD) { /* where a replay is to end at damage, nothing comes */
      x->options.ends_at_damage = true;
      outcome end = decode_all(x, NONE, bytes, n);
      x->options.ends_at_damage = false;
      if (end.delivered || !end.is_told) o.broken = "a replay does not end at a late beginning";
    }
    if (o.broken && !broken++)
      fprintf(stderr, "inject-faults: %s: %s: %s %zu: %s\n", x->tracer->name, x->trace.name,
              kinds[k].name, i, o.broken);
    wrong_events += is_wrong;
    wrong += o.wrong;
    traps += o.traps.wrong;
    stamps += o.wrong_stamps;
    silent += is_wrong && !o.is_told;
    foreign += o.foreign;
    delivered += o.delivered;
    n_known += o.n_known;
    uncounted += o.uncounted;
    if (!has_bound) continue; /* a chunk has no bound in port bits */
    bound(x, from_bit, to_bit, &from, &to);
    if (to - from > bound_most) bound_most = to - from;
    over += o.first_lost != UINT64_MAX && (o.first_lost < from || o.end_lost > to);
  }
  x->options.is_unconfirmed = was_unconfirmed;
  qsort(lost, n_events, sizeof *lost, by_value);
  printf("%s,%s,%s,%zu,%llu,%llu,%llu,%llu,%llu,%llu,%llu,%llu,%llu\n", x->tracer->name,
         slash ? slash + 1 : x->trace.name, kinds[k].name, n_events,
         (unsigned long long)wrong_events, (unsigned long long)silent, (unsigned long long)wrong,
         (unsigned long long)(n_events ? lost[n_events / 2] : 0),
         (unsigned long long)(n_events ? lost[n_events - 1] : 0), (unsigned long long)bound_most,
         (unsigned long long)over, (unsigned long long)traps, (unsigned long long)stamps);
  fflush(stdout);
  /* The damage was there, and it did not cost all. */
  const bool keeps = is_set(x, "sync_keeps");
  const char *idle = NULL;
  if (!n_events || (k > REPEATED && !delivered && !keeps)) idle = "nothing came";
  if (k == MIXED && !n_known) idle = "no gap of known length";
  if (k == BREAK && (uncounted != 0) != x->is_uncounted) idle = "gaps of known length, or unknown";
  if (k == LACK && n_events && !lost[n_events - 1]) idle = "nothing was lost";
  if ((k == SWAPPED || k == EACH_BURST) && !keeps &&
      delivered < n_events * (x->trace.n_insns - x->own_losses) / 4)
    idle = "less than a quarter came";
  if (runs_share()) idle = NULL;
  if (idle)
    fprintf(stderr, "inject-faults: %s: %s: %s: %s\n", x->tracer->name, x->trace.name,
            kinds[k].name, idle);
  free(bytes);
  free(lost);
  /* A check of 16 bits misses one in 2^16, of those bursts that are longer, or make a mark none. */
  uint64_t allowed = k == BURST ? n_events / 1250 : 0;
  if (k == EACH_BURST && amount > 1) allowed = 4 + 2 * (n_events >> 16);
  return foreign || broken || idle || (is_checked && (wrong_events > allowed || over));
}

/* A part of the instructions, with the traps and map updates that belong to it; the last is
 * flushed.
 */
static int encode_fault_part(experiment *x, void *e, size_t part, oct_diag *diag) {
  const test_trace *t = &x->trace;
  bool is_last = part + 1 == x->n_parts;
  size_t from = t->n_insns * part / x->n_parts, to = t->n_insns * (part + 1) / x->n_parts;
  size_t u = part ? x->part_updates[part - 1] : 0, v = u;
  size_t trap = oct_traps_before(x->traps, x->n_traps, from);
  size_t n_traps = oct_traps_before(x->traps, x->n_traps, to + (is_last ? 1 : 0)) - trap;
  oct_trap *traps = malloc((n_traps + 1) * sizeof *traps);
  assert_non_null(traps);
  for (size_t i = 0; i < n_traps; i++) {
    traps[i] = x->traps[trap + i];
    traps[i].insn -= (uint32_t)from;
  }
  while (v < t->n_updates && (is_last || t->updates[v].from_insn < to)) v++;
  const oct_tracer_input in = {.insns = t->insns + from,
                               .n_insns = to - from,
                               .accesses = t->accesses + x->first_access[from],
                               .n_accesses = x->first_access[to] - x->first_access[from],
                               .updates = t->updates + u,
                               .n_updates = v - u,
                               .traps = traps,
                               .n_traps = n_traps};
  int error = x->tracer->encoder.put(e, &in, diag);
  if (!error && is_last) error = x->tracer->encoder.flush(e, diag);
  if (!error) take_bytes(x->tracer, e, &x->stream);
  x->part_updates[part] = v;
  x->part_bytes[part] = x->stream.n_bytes;
  free(traps);
  return error;
}

/* The stream, of the instructions, and of traps and stamps where they are sent. */
static int encode_experiment(experiment *x, oct_diag *diag) {
  const oct_run_options run = {.engine = x->is_full_rate ? OCT_ENGINE_CYCLE : OCT_ENGINE_UNTIMED,
                               .arrival = x->cpi_milli ? OCT_ARRIVAL_CPI : (oct_arrival)0,
                               .cpi_milli = x->cpi_milli ? x->cpi_milli : 1000};
  void *e;
  if (x->privileges)
    x->traps = make_changes(&x->trace, &x->n_traps, x->privileges);
  else if (is_set(x, "traps"))
    x->traps = make_fault_traps(x->tracer, x->params, &x->trace, &x->n_traps);
  if (is_set(x, "timestamp")) make_stamps(x);
  int error = x->tracer->encoder.create(x->params, &run, &e, diag);
  if (error) return error;
  for (size_t part = 0; !error && part < x->n_parts; part++)
    error = encode_fault_part(x, e, part, diag);
  x->tracer->encoder.destroy(e);
  return error;
}

static void free_experiment(experiment *x) {
  if (x->in_container && x->fd) close(x->fd);
  oct_map_free(x->map);
  free(x->first_access);
  free(x->decoded);
  free(x->traps);
  free(x->privileges);
  free(x->stream.bytes);
  free_test_trace(&x->trace);
}

/* What a row of the table asks for. */
typedef struct row {
  const char *geometry;
  uint64_t amounts[KINDS], limit;
  bool has_privileges;
  experiment x; /* what options set */
} row;

/* Trace, stream and its periods: 0, or 2 and why on standard error. */
static int make_experiment(const row *w, const char *path, experiment *x) {
  oct_diag diag = {0};
  bool given[OCT_TRACER_PARAMS_MAX] = {false};
  *x = w->x;
  x->trace = make_trace(x, path, w->limit);
  oct_tracer_defaults(x->tracer, x->params);
  if (w->amounts[BREAK]) x->n_parts = x->trace.n_insns / PART_INSNS;
  if (x->in_container && (w->amounts[CHUNK] || w->amounts[CUT])) x->n_parts = CHUNK_PARTS;
  if (!x->n_parts) x->n_parts = 1;
  if (x->n_parts > PARTS_MAX) x->n_parts = PARTS_MAX;
  x->privileges = w->has_privileges ? calloc(x->trace.n_insns + 1, 1) : NULL;
  x->first_access = calloc(x->trace.n_insns + 1, sizeof *x->first_access);
  for (size_t i = 0; i < x->trace.n_insns; i++)
    x->first_access[i + 1] = x->first_access[i] + x->trace.insns[i].n_access;
  x->map = oct_map_new();
  for (size_t i = 0; i < x->trace.n_updates; i++)
    assert_true(oct_map_put(x->map, &x->trace.updates[i].entry) >= 0);
  x->decoded = calloc(x->trace.n_insns + 1, sizeof *x->decoded);
  if (oct_tracer_parse(x->tracer, w->geometry, x->params, given, &diag) ||
      (strcmp(x->trace.name, "self-writing") != 0 && /* it is of any tracer's instruction set */
       oct_tracer_fit(x->tracer, x->params, given, x->trace.isa, x->trace.addr_bits,
                      x->trace.align_bytes, &diag)) ||
      encode_experiment(x, &diag)) {
    fprintf(stderr, "inject-faults: %s: %s\n", path, oct_diag_line(&diag).text);
    free_experiment(x);
    return 2;
  }
  find_periods(x);
  return 0;
}

static int run_trace(const row *w, const char *path) {
  static experiment x;
  int bad = make_experiment(w, path, &x);
  /* A machine that is to lose some of all does so. */
  while (!bad && w->x.cpi_milli &&
         (x.n_partial < PARTIAL_MIN || x.own_losses > x.trace.n_insns / 2)) {
    free_experiment(&x);
    bad = make_experiment(w, path, &x);
  }
  if (bad) return bad;
  if (x.in_container) make_container(&x);
  for (int k = 0; k < KINDS; k++) {
    if (!w->amounts[k]) continue;
    const uint64_t before = random_state;
    bad |= run_kind(&x, (kind)k, w->amounts[k]);
    if (k == REPEATED) random_state = before; /* other kinds have the same events without it */
  }
  free_experiment(&x);
  return bad;
}

/* What an option without a number sets; NULL where it is none. */
static bool *flag_of(row *w, const char *option) {
  if (!strcmp(option, "--unconfirmed")) return &w->x.options.is_unconfirmed;
  if (!strcmp(option, "--container")) return &w->x.in_container;
  if (!strcmp(option, "--privileges")) return &w->has_privileges;
  if (!strcmp(option, "--uncounted")) return &w->x.is_uncounted;
  return strcmp(option, "--full-rate") ? NULL : &w->x.is_full_rate;
}

/* False where the text is not a number, whole. */
static bool read_number(const char *text, uint64_t *number) {
  char *end;
  errno = 0;
  *number = strtoull(text, &end, 0);
  return *text >= '0' && *text <= '9' && !*end && !errno;
}

/* Take an option with its number; how many arguments it has, 0 where it is none. */
static int take_option(row *w, const char *option, const char *value) {
  enum { AMOUNT_MAX = 1000000 };
  if (!strcmp(option, "--each")) {
    w->amounts[EACH_BYTE] = w->amounts[CUT] = 1;
    return 1;
  }
  bool *flag = flag_of(w, option);
  if (flag) {
    *flag = true;
    return 1;
  }
  uint64_t number;
  if (!value) return 0;
  if (!strcmp(option, "--seed") && !strcmp(value, "random")) {
    seed_random("damage");
    return 2;
  }
  if (!read_number(value, &number)) return 0;
  if (!strcmp(option, "--seed")) {
    random_state = number * 2 + 1;
  } else if (!strcmp(option, "--limit")) {
    w->limit = number;
  } else if (!strcmp(option, "--cpi") && number <= UINT32_MAX) {
    w->x.cpi_milli = (uint32_t)number;
    w->x.is_full_rate = true;
  } else {
    int k = 0;
    while (k < KINDS && strcmp(option, kinds[k].option) != 0) k++;
    if (k == KINDS || number > AMOUNT_MAX) return 0;
    w->amounts[k] = number;
  }
  return 2;
}

int main(int argc, char **argv) {
  int bad = 0;
  uint64_t n_groups = 1, picked = 0; /* of a share, one trace of one group */
  for (int i = 1; i < argc; i++) n_groups += !strcmp(argv[i], "--");
  random_state = 3;
  uint64_t group = 0;
  int i = 1;
  do {
    static row w;
    bool has_kind = false;
    memset(&w, 0, sizeof w);
    for (int n; i < argc && !strncmp(argv[i], "--", 2); i += n) {
      n = take_option(&w, argv[i], i + 1 < argc ? argv[i + 1] : NULL);
      if (n) continue;
      fprintf(stderr, "inject-faults: '%s': unknown option, or no number that can be\n", argv[i]);
      return 2;
    }
    if (argc - i < 3 || !(w.x.tracer = oct_tracer_find(argv[i]))) {
      fprintf(stderr, "inject-faults: expected TRACER GEOMETRY TRACE...\n");
      return 2;
    }
    if (!group)
      printf(
          "tracer,trace,damage,events,wrong events,silent events,wrong insns,lost median,lost "
          "most,bound most,over bound,wrong traps,wrong stamps\n");
    w.geometry = argv[i + 1];
    for (int k = 0; k < KINDS; k++) has_kind |= w.amounts[k] != 0;
    for (int k = 0; k < KINDS && !has_kind; k++) w.amounts[k] = kinds[k].usual;
    int first = i + 2, end = first;
    while (end < argc && strcmp(argv[end], "--") != 0) end++;
    if (runs_share() && !group) picked = below(n_groups);
    const int only = runs_share() ? first + (int)below((uint64_t)(end - first)) : 0;
    for (i = first; i < end; i++)
      if (!runs_share() || (group == picked && i == only)) bad |= run_trace(&w, argv[i]);
    group++;
  } while (++i < argc);
  return bad;
}
