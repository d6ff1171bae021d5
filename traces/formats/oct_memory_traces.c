/* SPDX-License-Identifier: Apache-2.0 */
/* oct_memory_traces.c - traces of memory simulators, to read and to write
 * (docs/formats/memory.md):
 *
 * - dramsim: `0xADDR READ|WRITE CYCLE`, of DRAMSim2 and DRAMsim3; also P_MEM_RD, P_FETCH, P_MEM_WR;
 * - ramulator: `0xADDR R|W`; ramulator2: `LD|ST ADDR`;
 * - ramulator-cpu: `COUNT ADDR [ADDR]`: COUNT instructions without an access, one that reads, and
 *   the address that is written back.
 *
 * As in these simulators, addresses without 0x are hexadecimal in the first two, else decimal.
 *
 * Accesses have no instructions: each gets one at address 0, as do the counted ones. */
#include "oct_lines.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DRAMSIM, RAMULATOR, RAMULATOR2, CPU };
enum { COUNT_MAX = 1 << 24 };

static const char *const expected[] = {[DRAMSIM] = "'0xADDR READ|WRITE CYCLE' of DRAMSim",
                                       [RAMULATOR] = "'0xADDR R|W' of Ramulator",
                                       [RAMULATOR2] = "'LD|ST ADDR' of Ramulator 2",
                                       [CPU] = "'COUNT ADDR [ADDR]' of Ramulator"};

typedef struct memory {
  oct_lines lines;
  oct_stamps stamps;
  uint64_t n_done; /* of the counted instructions of the line */
} memory;

/* A request as a line has it. */
typedef struct request {
  uint64_t addr, count, cycle, back; /* of CPU: the address that is written back */
  int is_store, has_back;
} request;

/* Words of a direction: 0 a read, 1 a write, -1 neither. */
static int direction(const char *p, const char *end, int variant) {
  static const struct {
    const char *word;
    uint8_t variant, is_store;
  } words[] = {{"READ", DRAMSIM, 0},     {"WRITE", DRAMSIM, 1},   {"P_MEM_RD", DRAMSIM, 0},
               {"read", DRAMSIM, 0},     {"write", DRAMSIM, 1},   {"BOFF", DRAMSIM, 1},
               {"P_MEM_WR", DRAMSIM, 1}, {"P_FETCH", DRAMSIM, 0}, {"IFETCH", DRAMSIM, 0},
               {"R", RAMULATOR, 0},      {"W", RAMULATOR, 1},     {"LD", RAMULATOR2, 0},
               {"ST", RAMULATOR2, 1}};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (words[i].variant == variant && oct_is_word(p, end, words[i].word)) return words[i].is_store;
  return -1;
}

/* A number behind 0x, or of this base without that. */
static bool take_address(oct_lines *l, int base, uint64_t *value) {
  const char *p, *end;
  if (!oct_lines_field(l, NULL, &p, &end)) return false;
  bool is_hex = end - p > 2 && p[0] == '0' && (p[1] | 32) == 'x';
  return oct_number(p, end, is_hex ? 16 : base, value) != 0;
}

/* 1, 0 for an empty line or a comment, -1 for another one. */
static int split(oct_lines *l, int variant, request *q) {
  const char *p, *end;
  oct_lines ahead = *l;
  *q = (request){0};
  if (!oct_lines_field(&ahead, NULL, &p, &end) || *p == '#' || *p == ';') return 0;
  if (variant == CPU) {
    if (!oct_number(p, end, 10, &q->count) || q->count > COUNT_MAX) return -1;
    l->p = ahead.p;
    if (!take_address(l, 10, &q->addr)) return -1;
    ahead = *l;
    q->has_back = oct_lines_field(&ahead, NULL, &p, &end);
    if (q->has_back && !take_address(l, 10, &q->back)) return -1;
  } else {
    if (variant != RAMULATOR2 && !take_address(l, 16, &q->addr)) return -1;
    if (!oct_lines_field(l, NULL, &p, &end) || (q->is_store = direction(p, end, variant)) < 0)
      return -1;
    if (variant == RAMULATOR2 && !take_address(l, 10, &q->addr)) return -1;
    if (variant == DRAMSIM &&
        (!oct_lines_field(l, NULL, &p, &end) || !oct_number(p, end, 10, &q->cycle)))
      return -1;
  }
  return oct_lines_field(l, NULL, &p, &end) ? -1 : 1;
}

static int parse(oct_reader *r, oct_lines *l, oct_diag *diag) {
  memory *s = r->state;
  const int variant = r->format->variant;
  request q;
  int rc = split(l, variant, &q);
  if (rc < 0) return oct_lines_wrong(r, l, expected[variant], l->begin, l->end, diag);
  if (!rc) return 0;
  for (; s->n_done < q.count; s->n_done++) {
    if (oct_reader_is_full(r, 1)) return 1;
    oct_reader_add_insn(r, 0, OCT_SIZE_DEFAULT);
  }
  if (oct_reader_is_full(r, 1)) return 1;
  s->n_done = 0;
  oct_insn *insn = oct_reader_add_insn(r, 0, OCT_SIZE_DEFAULT);
  if (variant == DRAMSIM) {
    insn->cycle = q.cycle;
    insn->flags |= OCT_INSN_HAS_CYCLE;
    oct_stamps_insn(&s->stamps, 0);
    if (oct_stamps_cycle(&s->stamps, q.cycle))
      return oct_lines_wrong(r, l, "a cycle that is not below the one before", l->begin, l->end,
                             diag);
  }
  rc = oct_reader_add_access(r, q.addr, 0, q.is_store, diag);
  return rc || !q.has_back ? rc : oct_reader_add_access(r, q.back, 0, 1, diag);
}

static int memory_open(oct_reader *r, oct_diag *diag) {
  int rc = oct_lines_open(r, sizeof(memory), diag);
  r->info.addr_bits = 64;
  return rc;
}

static int memory_fill(oct_reader *r, oct_diag *diag) {
  memory *s = r->state;
  return oct_lines_fill_some(r, &s->lines, parse, expected[r->format->variant], diag);
}

/* ---- Writing ---- */

typedef struct memory_out {
  uint64_t n_insns, count, cycle; /* written; without an access since the last one; the last */
} memory_out;

static int memory_open_write(oct_writer *w, oct_diag *diag) {
  w->state = calloc(1, sizeof(memory_out));
  return w->state ? 0 : oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
}

/* A line of an access, of CPU with the next one if that is a store of the same instruction: how
 * many are taken. */
static unsigned put_access(oct_writer *w, const oct_insn *insn, const oct_access *a, unsigned n,
                           char *line, size_t room) {
  memory_out *s = w->state;
  unsigned taken = 1;
  switch (w->format->variant) {
    case DRAMSIM:
      if (insn->flags & OCT_INSN_HAS_CYCLE && insn->cycle > s->cycle) s->cycle = insn->cycle;
      if (!(insn->flags & OCT_INSN_HAS_CYCLE) && s->n_insns > s->cycle) s->cycle = s->n_insns;
      snprintf(line, room, "0x%" PRIx64 " %s %" PRIu64 "\n", a->addr,
               a->is_store ? "WRITE" : "READ", s->cycle);
      break;
    case RAMULATOR:
      snprintf(line, room, "0x%" PRIx64 " %c\n", a->addr, a->is_store ? 'W' : 'R');
      break;
    case RAMULATOR2:
      snprintf(line, room, "%s 0x%" PRIx64 "\n", a->is_store ? "ST" : "LD", a->addr);
      break;
    default:
      taken += !a->is_store && n > 1 && a[1].is_store;
      if (a->is_store || taken > 1) /* a store reads its line first */
        snprintf(line, room, "%" PRIu64 " %" PRIu64 " %" PRIu64 "\n", s->count, a->addr,
                 a[taken - 1].addr);
      else
        snprintf(line, room, "%" PRIu64 " %" PRIu64 "\n", s->count, a->addr);
      s->count = 0;
  }
  return taken;
}

static int memory_put(oct_writer *w, const oct_batch *batch, oct_diag *diag) {
  memory_out *s = w->state;
  const oct_access *a = batch->accesses;
  char line[96];
  int rc = 0;
  for (size_t i = 0; !rc && i < batch->n_insns; i++) {
    const oct_insn *insn = &batch->insns[i];
    for (unsigned k = 0, n; !rc && k < insn->n_access; k += n, a += n) {
      n = put_access(w, insn, a, insn->n_access - k, line, sizeof line);
      rc = oct_outfile_write(w->file, line, strlen(line), diag);
    }
    s->count += !insn->n_access;
    if (s->count == COUNT_MAX) s->count--; /* more than a line can say */
    s->n_insns++;
  }
  return rc;
}

static void memory_close_write(oct_writer *w) {
  free(w->state);
}

/* ---- The formats ---- */

static const oct_reader_ops memory_reader = {
    .open = memory_open, .fill = memory_fill, .close = oct_lines_close};
static const oct_writer_ops memory_writer = {
    .open = memory_open_write, .put = memory_put, .close = memory_close_write};

static int kind_of(const char *p, const char *end, int variant) {
  oct_lines l = {.p = p, .begin = p, .end = end};
  request q;
  int is = split(&l, variant, &q);
  return is > 0 ? 1 : is < 0 ? 0 : -1;
}

#define MEMORY(id, number, title, what)                                \
  static int id##_kind(const char *p, const char *end) {               \
    return kind_of(p, end, number);                                    \
  }                                                                    \
  static int id##_probe(const uint8_t *p, size_t n, int is_text) {     \
    return is_text && oct_probe_lines(p, n, id##_kind);                \
  }                                                                    \
  const oct_format_desc oct_##id##_format = {.name = title,            \
                                             .text = what,             \
                                             .variant = number,        \
                                             .probe = id##_probe,      \
                                             .is_data_only = 1,        \
                                             .reader = &memory_reader, \
                                             .writer = &memory_writer, \
                                             .writes_text = 1,         \
                                             .addr_bits = 64,          \
                                             .insn_bytes = 4};
MEMORY(dramsim, DRAMSIM, "dramsim", "commands of DRAMSim")
MEMORY(ramulator, RAMULATOR, "ramulator", "memory traces of Ramulator")
MEMORY(ramulator2, RAMULATOR2, "ramulator2", "memory traces of Ramulator 2")
/* Bare decimal numbers are no mark. */
const oct_format_desc oct_ramulator_cpu_format = {.name = "ramulator-cpu",
                                                  .text = "CPU traces of Ramulator",
                                                  .variant = CPU,
                                                  .is_data_only = 1,
                                                  .reader = &memory_reader,
                                                  .writer = &memory_writer,
                                                  .writes_text = 1,
                                                  .addr_bits = 64,
                                                  .insn_bytes = 4};
