/* SPDX-License-Identifier: Apache-2.0 */
/* damage.h - the experiment with damage (test_damage.c): its traps, where in the trace something
 * belongs that came behind a gap of unknown length, and its stream as a container. */
#ifndef DAMAGE_H
#define DAMAGE_H

#include <fcntl.h>
#include <sys/stat.h>

#include "chunk_sums.h"
#include "octrace/container.h"
#include "tracer_util.h"

/* Of what the parameters can hold, in the order of their places; the caller frees them. */
static inline oct_trap *make_fault_traps(const oct_tracer *t, const uint32_t *params,
                                         const test_trace *x, size_t *n_traps) {
  int cause_bits = oct_tracer_param(t, "cause_bits");
  oct_trap *traps = calloc(2 * x->n_insns + 2, sizeof *traps);
  *n_traps = 0;
  for (size_t i = 0; i < x->n_insns; i++)
    for (uint64_t n = below(3) ? 0 : 1 + below(2); n; n--) {
      oct_trap *p = &traps[(*n_traps)++];
      *p = (oct_trap){.insn = (uint32_t)i, .kind = (uint8_t)below(OCT_TRAP_KINDS)};
      p->privilege = (uint8_t)below(OCT_PRIVILEGE_UNKNOWN + 1);
      if (p->kind == OCT_TRAP_PRIVILEGE) continue;
      p->cause = (uint32_t)below(cause_bits < 0 ? 16 : UINT64_C(1) << params[cause_bits]);
      p->addr = x->insns[below(x->n_insns)].addr;
      if (p->kind == OCT_TRAP_EXCEPTION) p->tval = x->insns[below(x->n_insns)].addr;
    }
  return traps;
}

/* Traps of which each changes the privilege; privileges[i] is then that of instruction i. */
static inline oct_trap *make_changes(const test_trace *x, size_t *n, uint8_t *privileges) {
  oct_trap *traps = calloc(x->n_insns + 1, sizeof *traps);
  uint8_t privilege = OCT_PRIVILEGE_UNKNOWN;
  *n = 0;
  for (size_t i = 0; i < x->n_insns; i++) {
    if (i == 1 || below(300) == 0) {
      bool is_trap = below(2);
      privilege = (uint8_t)((privilege + 1 + below(3)) % 4);
      traps[(*n)++] =
          (oct_trap){.insn = (uint32_t)i,
                     .kind = (uint8_t)(is_trap ? OCT_TRAP_INTERRUPT : OCT_TRAP_PRIVILEGE),
                     .privilege = privilege,
                     .addr = is_trap ? x->insns[i].addr : 0};
    }
    privileges[i] = privilege;
  }
  return traps;
}

/* What became of the traps of a damaged stream so far. */
typedef struct fault_marks {
  size_t next;        /* of all traps, the first that may still come */
  uint64_t wrong;     /* traps that were not there, and those missing without a gap */
  bool is_behind_gap; /* the run before ended in a gap, */
  bool has_told;      /* and behind it the privilege was told */
} fault_marks;

static inline bool is_same_trap(const oct_trap *a, const oct_trap *b) {
  return a->kind == b->kind && a->privilege == b->privilege && a->cause == b->cause &&
         a->addr == b->addr && a->tval == b->tval;
}

/* Is it a change of privilege to what the traps that are missing behind a gap made of it? */
static inline bool tells_privilege(const fault_marks *m, const oct_trap *traps, size_t n_traps,
                                   const oct_trap *t, uint64_t place) {
  uint8_t privilege = m->next ? traps[m->next - 1].privilege : OCT_PRIVILEGE_UNKNOWN;
  size_t k = m->next;
  while (privilege != t->privilege && k < n_traps && traps[k].insn <= place)
    privilege = traps[k++].privilege;
  return t->kind == OCT_TRAP_PRIVILEGE && privilege == t->privilege;
}

/* Hold a run's traps against those of its places. Behind a gap, those up to its first instruction
 * may be missing; those in front of what follows its last may come with the next run. */
static inline void take_fault_traps(fault_marks *m, const oct_trap *traps, size_t n_traps,
                                    const oct_decoded *run, bool is_far) {
  uint64_t end = run->first_insn + run->batch.n_insns;
  bool may_lack = is_far || m->is_behind_gap;
  for (size_t i = 0; i < run->batch.n_traps; i++) {
    const oct_trap *t = &run->batch.traps[i];
    uint64_t place = run->first_insn + t->insn;
    size_t k = m->next;
    uint64_t lacking = 0;
    /* A trap at the same place may look the same: what comes first behind a gap is told. */
    if (may_lack && !m->has_told && place == run->first_insn &&
        tells_privilege(m, traps, n_traps, t, place)) {
      m->has_told = true;
      continue;
    }
    for (; k < n_traps && traps[k].insn <= place; k++) {
      if (traps[k].insn == place && is_same_trap(&traps[k], t)) break;
      lacking += !(may_lack && traps[k].insn <= run->first_insn);
    }
    bool is_there = k < n_traps && traps[k].insn == place;
    m->wrong += is_there ? lacking : 1;
    if (is_there) m->next = k + 1;
  }
  for (; m->next < n_traps && traps[m->next].insn < end; m->next++)
    m->wrong += !(may_lack && traps[m->next].insn <= run->first_insn);
  if (run->batch.n_insns) m->is_behind_gap = false;
  if (run->batch.n_insns || run->is_gap) m->has_told = false;
}

enum { PERIODS_MAX = 1 << 16, PARTS_MAX = 200 };

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
  uint8_t *privileges; /* of each instruction, where traps are changes of it; else NULL */
  oct_insn *decoded;   /* of the undamaged stream; size 0: did not come; NULL: not compared */
  uint64_t own_losses, n_partial; /* instructions lost, and cut, without damage */
  bool has_checks, in_container;
  bool is_full_rate;   /* the stream is the cycle engine's */
  bool is_changing;    /* the program changes under way */
  bool is_leaving;     /* an instruction breaks a rule */
  bool is_uncounted;   /* syncs do not count */
  bool is_strict;      /* nothing wrong is to come of this damage */
  uint32_t cpi_milli;  /* 0: at full rate */
  size_t piece_bytes;  /* pushed at a time; 0: at random */
  size_t lacks;        /* this map update is not there */
  size_t header_bytes; /* of the container */
  /* Parts of the trace that are encoded one after the other: behind each, bytes and map updates. */
  size_t n_parts, part_bytes[PARTS_MAX], part_updates[PARTS_MAX];
  int fd;
  char path[32];
} experiment;

typedef struct outcome {
  uint64_t delivered, wrong;
  uint64_t foreign; /* of those wrong, not of the program */
  uint64_t wrong_stamps;
  uint64_t untold;             /* places where instructions are missing and no gap is told */
  uint64_t claimed;            /* the number that comes next, by runs and gaps so far */
  uint64_t n_known, uncounted; /* gaps of known length, and of unknown */
  const char *broken;          /* the first rule of runs, gaps and counts that does not hold */
  uint8_t privilege;
  fault_marks traps;
  bool is_told;                  /* damage was found */
  uint64_t first_lost, end_lost; /* all that was lost lies between */
} outcome;

static inline bool is_set(const experiment *x, const char *name) {
  int i = oct_tracer_param(x->tracer, name);
  return i >= 0 && x->params[i];
}

/* Of an instruction that lost accesses, the first ones came. */
static inline bool is_same(const experiment *x, uint64_t number, const oct_insn *d,
                           const oct_access *a) {
  if (number >= x->trace.n_insns) return false;
  const oct_insn *e = &x->trace.insns[number];
  const oct_access *b = x->trace.accesses + x->first_access[number];
  if (d->addr != e->addr || d->size_bytes != e->size_bytes || d->task != e->task ||
      oct_insn_class(d) != oct_insn_class(e))
    return false;
  if (x->decoded) { /* the machine's losses are the same, too */
    const oct_insn *r = &x->decoded[number];
    if (!r->size_bytes || r->n_access != d->n_access || (r->flags ^ d->flags) & OCT_INSN_PARTIAL)
      return false;
  }
  if (!oct_tracer_carries_data(x->tracer, x->params)) return true;
  bool is_partial = d->flags & OCT_INSN_PARTIAL;
  if (is_partial ? d->n_access > e->n_access : d->n_access != e->n_access) return false;
  for (unsigned k = 0; k < d->n_access; k++)
    if (a[k].addr != b[k].addr || a[k].is_store != b[k].is_store) return false;
  return true;
}

/* Instructions that came as numbers `first` on; *next is the number that would have followed. */
static inline void take_insns(const experiment *x, const oct_insn *insns, size_t n,
                              const oct_access *a, uint64_t first, outcome *o, uint64_t *next) {
  if (first != *next) {
    if (o->first_lost == UINT64_MAX) o->first_lost = *next;
    o->end_lost = first;
  }
  for (size_t i = 0; i < n; i++) {
    o->wrong += !is_same(x, first + i, &insns[i], a);
    if (insns[i].n_access) a += insns[i].n_access;
    uint32_t id = oct_map_find(x->map, insns[i].addr);
    o->foreign += id == UINT32_MAX || oct_map_at(x->map, id)->size_bytes != insns[i].size_bytes;
  }
  o->delivered += n;
  *next = first + n;
}

/* What came behind a gap of unknown length. */
static struct {
  oct_insn *insns;
  oct_access *accesses;
  size_t n_insns, n_accesses;
  uint64_t first; /* the least number of the first, by the decoder */
} unplaced;

/* How many of these stand in the trace from number `from` on. */
static inline size_t agrees(const experiment *x, uint64_t from) {
  const oct_access *a = unplaced.accesses;
  size_t n = 0;
  for (; n < unplaced.n_insns && is_same(x, from + n, &unplaced.insns[n], a); n++)
    if (unplaced.insns[n].n_access) a += unplaced.insns[n].n_access;
  return n;
}

/* A gap, or the end: find where it stands that came since the gap before. Too many wrong
 * instructions may have come before that gap, so that it stands before *next. */
static inline void place(const experiment *x, outcome *o, uint64_t *next) {
  uint64_t start = x->is_strict && unplaced.first > *next ? unplaced.first : *next, best = start;
  if (!unplaced.n_insns) return;
  size_t most = agrees(x, best);
  for (uint64_t i = 1; i < x->trace.n_insns && most < unplaced.n_insns; i++) {
    uint64_t at = (start + i) % x->trace.n_insns;
    size_t n = agrees(x, at);
    if (n > most) best = at;
    if (n > most) most = n;
  }
  if (x->is_strict && best < start) o->broken = "a number is higher than it can be";
  if (best < *next) *next = best;
  take_insns(x, unplaced.insns, unplaced.n_insns, unplaced.accesses, best, o, next);
  unplaced.n_insns = unplaced.n_accesses = 0;
}

/* Write updates and bytes as a container. What stands behind its header, whose size goes to
 * *header_bytes, is returned as an open file without a name. */
static inline int write_fault_container(const experiment *x, const oct_map_update *updates,
                                        size_t n_updates, const uint8_t *bytes, size_t n_bytes,
                                        size_t *header_bytes) {
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
  int fd = mkstemp(path);
  assert_true(fd >= 0);
  close(fd);
  if (oct_container_create(path, x->tracer, x->params, &info, &w, &diag) ||
      oct_container_put_map(w, updates, n_updates, &diag) ||
      oct_container_put_bits(w, bytes, n_bytes, &diag) || oct_container_commit(w, &totals, &diag) ||
      oct_container_open(path, &r, &diag))
    fail_msg("%s", oct_diag_line(&diag).text);
  *header_bytes = (size_t)oct_container_bytes_read(r);
  oct_container_close(r);
  fd = open(path, O_RDWR);
  assert_true(fd >= 0);
  unlink(path);
  return fd;
}

/* The bytes of a container behind its header. */
static inline uint8_t *chunks_of(int fd, size_t header_bytes, size_t *n) {
  struct stat st;
  assert_true(!fstat(fd, &st));
  *n = (size_t)st.st_size - header_bytes;
  uint8_t *bytes = malloc(*n);
  assert_non_null(bytes);
  assert_int_equal(pread(fd, bytes, *n, (off_t)header_bytes), *n);
  return bytes;
}

/* Append a chunk as the next of its file. Its bytes, with its header. */
static inline size_t append_chunk(test_stream *s, const uint8_t *chunk, chunk_sums *sums) {
  size_t n = OCT_CONTAINER_CHUNK_HEADER_BYTES + oct_get_u32(chunk + 4);
  s->bytes = append(s->bytes, &s->n_bytes, chunk, n, 1);
  return renew_chunk(s->bytes + s->n_bytes - n, sums);
}

/* Put each part of the stream into a container, and the chunks of all behind each other, but for
 * their ends; behind them the end of the container of all, whose head's checksum is given. */
static inline test_stream join_parts(const experiment *x, uint64_t head_sum, const uint8_t *end) {
  test_stream s = {NULL, 0, {0}};
  chunk_sums sums = {.head = head_sum, .last = head_sum};
  uint64_t map_bytes = 0;
  for (size_t part = 0; part < x->n_parts; part++) {
    size_t header, n, u = part ? x->part_updates[part - 1] : 0;
    size_t from = part ? x->part_bytes[part - 1] : 0;
    int fd = write_fault_container(x, x->trace.updates + u, x->part_updates[part] - u,
                                   x->stream.bytes + from, x->part_bytes[part] - from, &header);
    uint8_t *chunks = chunks_of(fd, header, &n);
    for (size_t at = 0; chunks[at] != OCT_CONTAINER_END;) {
      size_t stored = append_chunk(&s, chunks + at, &sums);
      if (chunks[at] != OCT_CONTAINER_BITS) map_bytes += stored;
      at += stored;
    }
    free(chunks);
    close(fd);
  }
  uint8_t last[OCT_CONTAINER_CHUNK_HEADER_BYTES + OCT_CONTAINER_END_BYTES];
  memcpy(last, end, sizeof last);
  oct_put_u64(last + OCT_CONTAINER_CHUNK_HEADER_BYTES + 40, map_bytes);
  append_chunk(&s, last, &sums);
  return s;
}

/* Put the stream into a container; what stands behind the header takes its place. */
static inline void make_container(experiment *x) {
  size_t n;
  x->fd = write_fault_container(x, x->trace.updates, x->trace.n_updates, x->stream.bytes,
                                x->stream.n_bytes, &x->header_bytes);
  uint8_t *chunks = chunks_of(x->fd, x->header_bytes, &n);
  test_stream s = {chunks, n, {0}};
  if (x->n_parts > 1) {
    uint8_t sum[8];
    assert_int_equal(pread(x->fd, sum, sizeof sum, (off_t)(x->header_bytes - sizeof sum)), 8);
    s = join_parts(x, oct_get_u64(sum),
                   chunks + n - OCT_CONTAINER_CHUNK_HEADER_BYTES - OCT_CONTAINER_END_BYTES);
    free(chunks);
  }
  free(x->stream.bytes);
  x->stream = s;
  snprintf(x->path, sizeof x->path, "/proc/self/fd/%d", x->fd);
}

#endif
