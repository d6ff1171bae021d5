/* SPDX-License-Identifier: Apache-2.0 */
/* inject_faults.c - what a tracer's decoder makes of a damaged port stream: single bits flipped,
 * bursts, bytes lost and bytes doubled, blocks of 16 to 4096 bytes doubled, each alone, at random
 * places. For each event the stream is
 * decoded from its beginning as octrace decompress does it (oct_replay.h), and every instruction
 * that is handed out is compared with the one that was traced. With traps=1, traps are put between
 * the instructions, with timestamp=1 each instruction gets a cycle. Between two instructions that
 * no gap parts there must be their traps, each once and in order; each instruction must have the
 * stamp that it has in the undamaged stream, or none where it has none there. Behind a gap of
 * unknown length, what comes up to the next gap is compared with the place in the trace that it
 * agrees with longest.
 *
 * Usage: inject-faults [--flips N] [--bursts N] [--lost N] [--doubled N] [--repeated N] [--seed S]
 *                      [--limit INSNS] [--unconfirmed] [--container] [--each] [--full-rate] TRACER
 * GEOMETRY TRACE...
 *
 * With --container the stream stands in an .octp file and everything behind the file's header is
 * damaged, program map and end included; it is read as octrace decompress --salvage does it. With
 * --each, the damage is a bit flipped in each byte, and an end at each byte. With --full-rate the
 * cycle engine makes the stream, and as many instructions retire in a cycle as the tracer takes.
 *
 * Prints a line of CSV for each trace and kind of damage: how many events, how many of them
 * delivered a wrong instruction, how many of these without telling of any damage, how many such
 * instructions, instructions lost (median, most), the most that the period of the damage and its
 * neighbour have, how many events lost more than that, and how many traps and stamps were wrong or
 * missing; an event with one of them is a wrong one too, and so is one that leaves instructions out
 * and tells of no gap there. An event that changes nothing (a doubled
 * byte within equal ones at the end) counts like any other. Exit status 1 when a tracer that has
 * checks, or a container, lets anything wrong out or loses more than the bound, and when any
 * tracer delivers an instruction that the program does not have. */
#include <unistd.h>

#include "fault_container.h"

#include "octrace/container.h"

typedef enum kind { FLIP, BURST, LOST, DOUBLED, REPEATED, KINDS, CUT = KINDS } kind;
static const char *const kind_names[] = {"flip",         "burst",         "lost byte",
                                         "doubled byte", "doubled block", "cut"};

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

static void take_run(const experiment *x, const oct_decoded *run, const oct_gap *gap, outcome *o,
                     uint64_t *next) {
  const oct_batch *b = &run->batch;
  if (!run->is_uncounted) {
    o->untold += b->n_insns && run->first_insn != *next && !o->traps.is_behind_gap;
    place(x, o, next);
    take_fault_traps(&o->traps, x->traps, x->n_traps, run, run->first_insn != *next);
    o->wrong_stamps += wrong_stamps(x, run);
    if (b->n_insns) take_insns(x, b->insns, b->n_insns, b->accesses, run->first_insn, o, next);
  } else {
    unplaced.insns =
        append(unplaced.insns, &unplaced.n_insns, b->insns, b->n_insns, sizeof *b->insns);
    unplaced.accesses = append(unplaced.accesses, &unplaced.n_accesses, b->accesses, b->n_accesses,
                               sizeof *b->accesses);
    if (run->is_gap) place(x, o, next);
  }
  o->traps.is_behind_gap |= run->is_gap || gap->error;
}

/* What oct_player.h makes of a container with these bytes behind its header, as octrace decompress
 * --salvage does it. */
static outcome play_all(const experiment *x, const uint8_t *bytes, size_t n_bytes) {
  outcome o = {.first_lost = UINT64_MAX};
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
  while ((got = oct_player_next(&p, &run, &gap, &diag)) > 0) take_run(x, &run, &gap, &o, &next);
  o.is_told = got < 0 || p.n_damaged;
  place(x, &o, &next);
  if (next < x->trace.n_insns) {
    if (o.first_lost == UINT64_MAX) o.first_lost = next;
    o.end_lost = x->trace.n_insns;
  }
  oct_player_close(&p);
  return o;
}

static outcome decode_all(const experiment *x, const uint8_t *bytes, size_t n_bytes) {
  outcome o = {.first_lost = UINT64_MAX};
  oct_replay *r;
  oct_diag diag = {0};
  oct_decoded run;
  oct_gap gap;
  uint64_t next = 0;
  int got;
  if (oct_replay_new(x->tracer, x->params, OCT_START_IN_STEP, &x->options, &r, &diag) ||
      oct_replay_map(r, x->trace.updates, x->trace.n_updates, &diag))
    fail_msg("%s", diag.text);
  /* In pieces, as from a cable: a run may end at any byte. */
  for (size_t at = 0, n; at <= n_bytes; at += n) {
    n = 1 + below(below(4) ? 40 : 4000);
    if (n > n_bytes - at) n = n_bytes - at;
    if (n && oct_replay_push(r, bytes + at, n, &diag)) fail_msg("%s", diag.text);
    if (!n) oct_replay_finish(r);
    while ((got = oct_replay_next(r, &run, &gap, &diag)) > 0) {
      take_run(x, &run, &gap, &o, &next);
      o.is_told |= gap.error < 0;
      if (o.delivered > 2 * x->trace.n_insns + 1000000) break; /* damage can mean billions */
    }
    if (got || !n) break;
  }
  o.is_told |= got < 0;
  place(x, &o, &next);
  if (next < x->trace.n_insns) {
    if (o.first_lost == UINT64_MAX) o.first_lost = next;
    o.end_lost = x->trace.n_insns;
  }
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
  size_t step = 16; /* few bytes at a time, to see where each sync ends */
  for (size_t at = 0; at < x->stream.n_bytes; at += step) {
    size_t left = x->stream.n_bytes - at;
    t->decoder.push(d, x->stream.bytes + at, left < step ? left : step, &diag);
    while ((got = t->decoder.next(d, &run, &diag)) > 0) {
      x->own_losses -= run.batch.n_insns;
      insns = run.first_insn + run.batch.n_insns;
      if (run.confirmed_insns != UINT64_MAX) insns = run.confirmed_insns; /* of the sync alone */
      for (size_t i = 0; i < run.batch.n_insns; i++)
        if (run.first_insn + i < x->trace.n_insns)
          x->decoded[run.first_insn + i] = run.batch.insns[i];
      if (run.confirmed_insns != UINT64_MAX) x->has_checks = true;
    }
    if (got < 0) fail_msg("%s: %s", x->trace.name, diag.text);
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

/* Damage a copy of the stream, as event number i; its length. *from and *to are the bits that it
 * touches. */
static size_t damage(const experiment *x, kind k, size_t i, uint8_t *bytes, uint64_t *from,
                     uint64_t *to) {
  const test_stream *s = &x->stream;
  uint64_t n_bits = s->n_bytes * 8, at = x->is_each ? 8 * i + below(8) : below(n_bits);
  size_t byte = (size_t)(at / 8);
  memcpy(bytes, s->bytes, s->n_bytes);
  *from = *to = at;
  if (k == CUT) {
    *to = n_bits;
    return byte;
  }
  if (k == FLIP) {
    bytes[byte] ^= (uint8_t)(1 << at % 8);
  } else if (k == BURST) { /* its first and last bits flip, those between at random */
    uint64_t n = 2 + below(63), bits = random_u64() | 1 | UINT64_C(1) << (n - 1);
    *to = at + n;
    for (uint64_t i = 0; i < n && at + i < n_bits; i++)
      bytes[(at + i) / 8] ^= (uint8_t)((bits >> i & 1) << (at + i) % 8);
  } else if (k == LOST) {
    memmove(bytes + byte, bytes + byte + 1, s->n_bytes - byte - 1);
    *from = 8 * byte;
    *to = at + 8;
    return s->n_bytes - 1;
  } else if (k == REPEATED) { /* what is wrong begins behind the first of the two */
    size_t n = (size_t)16 << below(9);
    while (n > s->n_bytes / 4) n /= 2;
    if (byte + n > s->n_bytes) byte = s->n_bytes - n;
    memmove(bytes + byte + n, s->bytes + byte, s->n_bytes - byte);
    *from = *to = 8 * (byte + n);
    return s->n_bytes + n;
  } else {
    memmove(bytes + byte + 1, bytes + byte, s->n_bytes - byte);
    *from = 8 * byte;
    *to = at + 8;
    return s->n_bytes + 1;
  }
  return s->n_bytes;
}

static int by_value(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

static int run_kind(const experiment *x, kind k, size_t n_events) {
  uint8_t *bytes = malloc(2 * x->stream.n_bytes + 2);
  uint64_t *lost = calloc(n_events + 1, sizeof *lost);
  uint64_t wrong_events = 0, wrong = 0, over = 0, bound_most = 0, silent = 0, foreign = 0;
  uint64_t traps = 0, stamps = 0;
  bool is_checked = x->in_container || (x->has_checks && !x->options.is_unconfirmed);
  for (size_t i = 0; i < n_events; i++) {
    uint64_t from_bit, to_bit, from, to;
    size_t n = damage(x, k, i, bytes, &from_bit, &to_bit);
    outcome o = x->in_container ? play_all(x, bytes, n) : decode_all(x, bytes, n);
    uint64_t good = o.delivered - o.wrong - o.traps.wrong - o.wrong_stamps;
    lost[i] = good < x->trace.n_insns ? x->trace.n_insns - good : 0;
    bool is_wrong = o.wrong || o.traps.wrong || o.wrong_stamps;
    if (is_checked) is_wrong |= o.untold != 0;
    /* A bare stream may end anywhere. */
    if (is_checked && (k != CUT || x->in_container))
      is_wrong |= lost[i] > x->own_losses && !o.is_told;
    wrong_events += is_wrong;
    wrong += o.wrong;
    traps += o.traps.wrong;
    stamps += o.wrong_stamps;
    silent += is_wrong && !o.is_told;
    foreign += o.foreign;
    if (x->in_container) continue; /* a chunk has no bound in port bits */
    bound(x, from_bit, to_bit, &from, &to);
    if (to - from > bound_most) bound_most = to - from;
    over += o.first_lost != UINT64_MAX && (o.first_lost < from || o.end_lost > to);
  }
  qsort(lost, n_events, sizeof *lost, by_value);
  const char *slash = strrchr(x->trace.name, '/');
  printf("%s,%s,%s,%zu,%llu,%llu,%llu,%llu,%llu,%llu,%llu,%llu,%llu\n", x->tracer->name,
         slash ? slash + 1 : x->trace.name, kind_names[k], n_events,
         (unsigned long long)wrong_events, (unsigned long long)silent, (unsigned long long)wrong,
         (unsigned long long)(n_events ? lost[n_events / 2] : 0),
         (unsigned long long)(n_events ? lost[n_events - 1] : 0), (unsigned long long)bound_most,
         (unsigned long long)over, (unsigned long long)traps, (unsigned long long)stamps);
  fflush(stdout);
  free(bytes);
  free(lost);
  return foreign || (is_checked && (wrong_events || over));
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
                               .cpi_milli = 1000};
  void *e;
  if (is_set(x, "traps")) x->traps = make_fault_traps(x->tracer, x->params, &x->trace, &x->n_traps);
  if (is_set(x, "timestamp")) make_stamps(x);
  int error = x->tracer->encoder.create(x->params, &run, &e, diag);
  if (error) return error;
  for (size_t part = 0; !error && part < x->n_parts; part++)
    error = encode_fault_part(x, e, part, diag);
  x->tracer->encoder.destroy(e);
  return error;
}

static int run_trace(experiment *x, const char *geometry, const char *path, uint64_t limit,
                     const size_t *n_events) {
  oct_diag diag = {0};
  bool given[OCT_TRACER_PARAMS_MAX] = {false};
  int bad = 0;
  x->trace = load_test_trace(path, limit);
  x->stream = (test_stream){NULL, 0, {0}};
  x->n_syncs = 0;
  x->has_checks = false;
  oct_tracer_defaults(x->tracer, x->params);
  x->traps = NULL;
  x->n_traps = 0;
  x->n_parts = x->is_each && x->in_container ? PARTS : 1;
  x->first_access = calloc(x->trace.n_insns + 1, sizeof *x->first_access);
  for (size_t i = 0; i < x->trace.n_insns; i++)
    x->first_access[i + 1] = x->first_access[i] + x->trace.insns[i].n_access;
  if (oct_tracer_parse(x->tracer, geometry, x->params, given, &diag) ||
      oct_tracer_fit(x->tracer, x->params, given, x->trace.isa, x->trace.addr_bits,
                     x->trace.align_bytes, &diag) ||
      encode_experiment(x, &diag)) {
    fprintf(stderr, "inject-faults: %s: %s\n", path, diag.text);
    free(x->traps);
    free(x->first_access);
    free_test_trace(&x->trace);
    return 2;
  }
  x->map = oct_map_new();
  for (size_t i = 0; i < x->trace.n_updates; i++)
    assert_true(oct_map_put(x->map, &x->trace.updates[i].entry) >= 0);
  x->decoded = calloc(x->trace.n_insns + 1, sizeof *x->decoded);
  find_periods(x);
  if (x->in_container) make_container(x);
  for (int k = 0; k < REPEATED && !x->is_each; k++) bad |= run_kind(x, (kind)k, n_events[k]);
  if (!x->is_each) { /* the other kinds have the same events with these as without */
    const uint64_t before = random_state;
    bad |= run_kind(x, REPEATED, n_events[REPEATED]);
    random_state = before;
  }
  if (x->is_each) bad |= run_kind(x, FLIP, x->stream.n_bytes) | run_kind(x, CUT, x->stream.n_bytes);
  if (x->in_container) close(x->fd);
  oct_map_free(x->map);
  free(x->first_access);
  free(x->decoded);
  free(x->traps);
  free(x->stream.bytes);
  free_test_trace(&x->trace);
  return bad;
}

/* What an option without a number sets; NULL where it is none. */
static bool *flag_of(experiment *x, const char *option) {
  if (!strcmp(option, "--unconfirmed")) return &x->options.is_unconfirmed;
  if (!strcmp(option, "--container")) return &x->in_container;
  if (!strcmp(option, "--each")) return &x->is_each;
  return strcmp(option, "--full-rate") ? NULL : &x->is_full_rate;
}

int main(int argc, char **argv) {
  static const char *const options[] = {"--flips",    "--bursts", "--lost", "--doubled",
                                        "--repeated", "--seed",   "--limit"};
  enum { OPTIONS = sizeof options / sizeof *options };
  uint64_t values[OPTIONS] = {1000, 300, 300, 300, 300, 1, 0};
  static experiment x;
  int i = 1, bad = 0;
  for (; i < argc && !strncmp(argv[i], "--", 2); i++) {
    unsigned o = 0;
    bool *flag = flag_of(&x, argv[i]);
    if (flag) {
      *flag = true;
      continue;
    }
    while (o < OPTIONS && strcmp(argv[i], options[o]) != 0) o++;
    if (o == OPTIONS || i + 1 >= argc) {
      fprintf(stderr, "inject-faults: '%s': unknown option, or no number\n", argv[i]);
      return 2;
    }
    values[o] = strtoull(argv[++i], NULL, 0);
  }
  if (argc - i < 3 || !(x.tracer = oct_tracer_find(argv[i]))) {
    fprintf(stderr, "inject-faults: expected TRACER GEOMETRY TRACE...\n");
    return 2;
  }
  random_state = values[KINDS] * 2 + 1;
  size_t n_events[KINDS];
  for (unsigned k = 0; k < KINDS; k++) n_events[k] = (size_t)values[k];
  const char *geometry = argv[i + 1];
  printf(
      "tracer,trace,damage,events,wrong events,silent events,wrong insns,lost median,lost "
      "most,bound most,over bound,wrong traps,wrong stamps\n");
  for (i += 2; i < argc; i++) bad |= run_trace(&x, geometry, argv[i], values[KINDS + 1], n_events);
  return bad;
}
