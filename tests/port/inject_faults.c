/* SPDX-License-Identifier: Apache-2.0 */
/* inject_faults.c - what a tracer's decoder makes of a damaged port stream: single bits flipped,
 * bursts, bytes lost and bytes doubled, each alone, at random places. For each event the stream is
 * decoded from its beginning as octrace decompress does it (oct_replay.h), and every instruction
 * that is handed out is compared with the one that was traced. With traps=1, traps are put between
 * the instructions, with timestamp=1 each instruction gets a cycle. Between two instructions that
 * no gap parts there must be their traps, each once and in order; each instruction must have the
 * stamp that it has in the undamaged stream, or none where it has none there.
 *
 * Usage: inject-faults [--flips N] [--bursts N] [--lost N] [--doubled N] [--seed S] [--limit INSNS]
 *                      [--unconfirmed] [--container] TRACER GEOMETRY TRACE...
 *
 * With --container the stream stands in an .octp file and everything behind the file's header is
 * damaged, program map and end included; it is read as octrace decompress --salvage does it.
 *
 * Prints a line of CSV for each trace and kind of damage: how many events, how many of them
 * delivered a wrong instruction, how many of these without telling of any damage, how many such
 * instructions, instructions lost (median, most), the most that the period of the damage and its
 * neighbour have, how many events lost more than that, and how many traps and stamps were wrong or
 * missing; an event with one of them is a wrong one too. An event that changes nothing (a doubled
 * byte within equal ones at the end) counts like any other. Exit status 1 when a tracer that has
 * checks, or a container, lets anything wrong out or loses more than the bound, and when any
 * tracer delivers an instruction that the program does not have. */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fault_traps.h"
#include "tracer_util.h"

#include "oct_container.h"
#include "oct_player.h"

enum { PERIODS_MAX = 1 << 16 };
typedef enum kind { FLIP, BURST, LOST, DOUBLED, KINDS } kind;
static const char *const kind_names[KINDS] = {"flip", "burst", "lost byte", "doubled byte"};

typedef struct experiment {
  const oct_tracer *tracer;
  uint32_t params[OCT_TRACER_PARAMS_MAX];
  oct_replay_options options;
  test_trace trace;
  test_stream stream;
  uint64_t *first_access; /* of each instruction */
  /* Where the syncs end: bits, and instructions before them. */
  uint64_t sync_bits[PERIODS_MAX], sync_insns[PERIODS_MAX];
  size_t n_syncs;
  oct_map *map;    /* the program, as it stands at the end */
  oct_trap *traps; /* that went in, with their places in the whole trace */
  size_t n_traps;
  oct_insn *decoded; /* of the undamaged stream: their stamps */
  bool has_checks, in_container;
  size_t header_bytes; /* of the container */
  int fd;
  char path[32];
} experiment;

typedef struct outcome {
  uint64_t delivered, wrong;
  uint64_t foreign; /* of those wrong, not of the program */
  uint64_t wrong_stamps;
  fault_marks traps;
  bool is_told;                  /* damage was found */
  uint64_t first_lost, end_lost; /* all that was lost lies between */
} outcome;

static bool is_set(const experiment *x, const char *name) {
  int i = oct_tracer_param(x->tracer, name);
  return i >= 0 && x->params[i];
}

static bool is_same(const experiment *x, uint64_t number, const oct_insn *d, const oct_access *a) {
  if (number >= x->trace.n_insns) return false;
  const oct_insn *e = &x->trace.insns[number];
  const oct_access *b = x->trace.accesses + x->first_access[number];
  if (d->addr != e->addr || d->size_bytes != e->size_bytes || d->task != e->task) return false;
  if (!oct_tracer_carries_data(x->tracer, x->params)) return true;
  if (d->n_access != e->n_access) return false;
  for (unsigned k = 0; k < d->n_access; k++)
    if (a[k].addr != b[k].addr || a[k].is_store != b[k].is_store) return false;
  return true;
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

static void take_run(const experiment *x, const oct_decoded *run, const oct_gap *gap, outcome *o,
                     uint64_t *next) {
  const oct_access *a = run->batch.accesses;
  take_fault_traps(&o->traps, x->traps, x->n_traps, run, run->first_insn != *next);
  o->traps.is_behind_gap |= run->is_gap || gap->error;
  o->wrong_stamps += wrong_stamps(x, run);
  if (!run->batch.n_insns) return;
  if (run->first_insn != *next) {
    if (o->first_lost == UINT64_MAX) o->first_lost = *next;
    o->end_lost = run->first_insn;
  }
  for (size_t i = 0; i < run->batch.n_insns; a += run->batch.insns[i++].n_access)
    o->wrong += !is_same(x, run->first_insn + i, &run->batch.insns[i], a);
  for (size_t i = 0; i < run->batch.n_insns; i++) {
    uint32_t id = oct_map_find(x->map, run->batch.insns[i].addr);
    o->foreign +=
        id == UINT32_MAX || oct_map_at(x->map, id)->size_bytes != run->batch.insns[i].size_bytes;
  }
  o->delivered += run->batch.n_insns;
  *next = run->first_insn + run->batch.n_insns;
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
  assert_int_equal(oct_player_open(&p, x->path, 0, 0, &x->options, &diag), 0);
  p.salvage = true;
  while ((got = oct_player_next(&p, &run, &gap, &diag)) > 0) take_run(x, &run, &gap, &o, &next);
  o.is_told = got < 0 || p.n_damaged;
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
  size_t step = 16; /* few bytes at a time, to see where each sync ends */
  for (size_t at = 0; at < x->stream.n_bytes; at += step) {
    size_t left = x->stream.n_bytes - at;
    t->decoder.push(d, x->stream.bytes + at, left < step ? left : step, &diag);
    while ((got = t->decoder.next(d, &run, &diag)) > 0) {
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

/* Damage a copy of the stream; its length. *from and *to are the bits that it touches. */
static size_t damage(const experiment *x, kind k, uint8_t *bytes, uint64_t *from, uint64_t *to) {
  const test_stream *s = &x->stream;
  uint64_t n_bits = s->n_bytes * 8, at = below(n_bits);
  size_t byte = (size_t)(at / 8);
  memcpy(bytes, s->bytes, s->n_bytes);
  *from = *to = at;
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
  uint8_t *bytes = malloc(x->stream.n_bytes + 2);
  uint64_t *lost = calloc(n_events + 1, sizeof *lost);
  uint64_t wrong_events = 0, wrong = 0, over = 0, bound_most = 0, silent = 0, foreign = 0;
  uint64_t traps = 0, stamps = 0;
  for (size_t i = 0; i < n_events; i++) {
    uint64_t from_bit, to_bit, from, to;
    size_t n = damage(x, k, bytes, &from_bit, &to_bit);
    outcome o = x->in_container ? play_all(x, bytes, n) : decode_all(x, bytes, n);
    uint64_t good = o.delivered - o.wrong - o.traps.wrong - o.wrong_stamps;
    lost[i] = good < x->trace.n_insns ? x->trace.n_insns - good : 0;
    bool is_wrong = o.wrong || o.traps.wrong || o.wrong_stamps;
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
  bool is_checked = x->in_container || (x->has_checks && !x->options.is_unconfirmed);
  return foreign || (is_checked && (wrong_events || over));
}

/* The stream, of the instructions, and of traps and stamps where they are sent. */
static int encode_experiment(experiment *x, oct_diag *diag) {
  const oct_run_options run = {.cpi_milli = 1000};
  void *e;
  if (is_set(x, "traps")) x->traps = make_fault_traps(x->tracer, x->params, &x->trace, &x->n_traps);
  if (is_set(x, "timestamp")) make_stamps(x);
  const oct_tracer_input in = {.insns = x->trace.insns,
                               .n_insns = x->trace.n_insns,
                               .accesses = x->trace.accesses,
                               .n_accesses = x->trace.n_accesses,
                               .updates = x->trace.updates,
                               .n_updates = x->trace.n_updates,
                               .traps = x->traps,
                               .n_traps = x->n_traps};
  int error = x->tracer->encoder.create(x->params, &run, &e, diag);
  if (error) return error;
  error = x->tracer->encoder.put(e, &in, diag);
  if (!error) error = x->tracer->encoder.flush(e, diag);
  if (!error) take_bytes(x->tracer, e, &x->stream);
  x->tracer->encoder.destroy(e);
  return error;
}

/* Put the stream into a container in memory; what stands behind the header takes its place. */
static void make_container(experiment *x) {
  const oct_container_info info = {.isa = x->trace.isa,
                                   .origin = "",
                                   .command = "",
                                   .insn_align_bytes = x->trace.align_bytes,
                                   .addr_bits = x->trace.addr_bits};
  const oct_container_totals totals = {.insns = x->trace.n_insns, .accesses = x->trace.n_accesses};
  char path[] = "inject-faults-XXXXXX";
  oct_container_writer *w;
  oct_container_reader *r;
  oct_diag diag = {0};
  struct stat st;
  x->fd = mkstemp(path);
  assert_true(x->fd >= 0);
  if (oct_container_create(path, x->tracer, x->params, &info, &w, &diag)) fail_msg("%s", diag.text);
  if (oct_container_put_map(w, x->trace.updates, x->trace.n_updates, &diag) ||
      oct_container_put_bits(w, x->stream.bytes, x->stream.n_bytes, &diag) ||
      oct_container_commit(w, &totals, &diag) || oct_container_open(path, &r, &diag))
    fail_msg("%s", diag.text);
  x->header_bytes = (size_t)oct_container_bytes_read(r);
  oct_container_close(r);
  close(x->fd);
  x->fd = open(path, O_RDWR);
  unlink(path);
  assert_true(x->fd >= 0 && !fstat(x->fd, &st));
  x->stream.n_bytes = (size_t)st.st_size - x->header_bytes;
  x->stream.bytes = realloc(x->stream.bytes, x->stream.n_bytes);
  assert_int_equal(pread(x->fd, x->stream.bytes, x->stream.n_bytes, (off_t)x->header_bytes),
                   x->stream.n_bytes);
  snprintf(x->path, sizeof x->path, "/proc/self/fd/%d", x->fd);
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
  if (oct_tracer_parse(x->tracer, geometry, x->params, given, &diag) ||
      (x->tracer->fit && x->tracer->fit(x->params, given, x->trace.isa, x->trace.addr_bits,
                                        x->trace.align_bytes, &diag)) ||
      encode_experiment(x, &diag)) {
    fprintf(stderr, "inject-faults: %s: %s\n", path, diag.text);
    free(x->traps);
    free_test_trace(&x->trace);
    return 2;
  }
  x->first_access = calloc(x->trace.n_insns + 1, sizeof *x->first_access);
  for (size_t i = 0; i < x->trace.n_insns; i++)
    x->first_access[i + 1] = x->first_access[i] + x->trace.insns[i].n_access;
  x->map = oct_map_new();
  for (size_t i = 0; i < x->trace.n_updates; i++)
    assert_true(oct_map_put(x->map, &x->trace.updates[i].entry) >= 0);
  x->decoded = calloc(x->trace.n_insns + 1, sizeof *x->decoded);
  find_periods(x);
  if (x->in_container) make_container(x);
  for (int k = 0; k < KINDS; k++) bad |= run_kind(x, (kind)k, n_events[k]);
  if (x->in_container) close(x->fd);
  oct_map_free(x->map);
  free(x->first_access);
  free(x->decoded);
  free(x->traps);
  free(x->stream.bytes);
  free_test_trace(&x->trace);
  return bad;
}

int main(int argc, char **argv) {
  static const char *const options[] = {"--flips",   "--bursts", "--lost",
                                        "--doubled", "--seed",   "--limit"};
  uint64_t values[] = {1000, 300, 300, 300, 1, 0};
  static experiment x;
  int i = 1, bad = 0;
  for (; i < argc && !strncmp(argv[i], "--", 2); i++) {
    unsigned o = 0;
    if (!strcmp(argv[i], "--unconfirmed") || !strcmp(argv[i], "--container")) {
      *(argv[i][2] == 'u' ? &x.options.is_unconfirmed : &x.in_container) = true;
      continue;
    }
    while (o < 6 && strcmp(argv[i], options[o]) != 0) o++;
    if (o == 6 || i + 1 >= argc) {
      fprintf(stderr, "inject-faults: '%s': unknown option, or no number\n", argv[i]);
      return 2;
    }
    values[o] = strtoull(argv[++i], NULL, 0);
  }
  if (argc - i < 3 || !(x.tracer = oct_tracer_find(argv[i]))) {
    fprintf(stderr, "inject-faults: expected TRACER GEOMETRY TRACE...\n");
    return 2;
  }
  random_state = values[4] * 2 + 1;
  const size_t n_events[KINDS] = {(size_t)values[0], (size_t)values[1], (size_t)values[2],
                                  (size_t)values[3]};
  const char *geometry = argv[i + 1];
  printf(
      "tracer,trace,damage,events,wrong events,silent events,wrong insns,lost median,lost "
      "most,bound most,over bound,wrong traps,wrong stamps\n");
  for (i += 2; i < argc; i++) bad |= run_trace(&x, geometry, argv[i], values[5], n_events);
  return bad;
}
