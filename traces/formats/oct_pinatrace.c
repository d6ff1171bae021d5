/* SPDX-License-Identifier: Apache-2.0 */
/* oct_pinatrace.c - reader of pinatrace.out, the data accesses that Pin's example tool pinatrace
 * records (docs/formats/pinatrace.md).
 *
 * A line is `ip: R addr` or `ip: W addr`, the last one `#eof`. Instructions without accesses are
 * missing. With `-values` size and value follow, read with the parameter `values=1`. So two lines
 * of one ip are two instructions, unless a write follows a read. */
#include "oct_lines.h"
#include "oct_log_values.h"

#include <string.h>

/* Split a line: 1, 0 when it is none of a trace, -1 when it is empty or a comment. */
static int split(const char *begin, const char *stop, const char *field[3], const char *end[3]) {
  oct_lines l = {.p = begin, .end = stop, .begin = begin};
  uint64_t value;
  if (!oct_lines_field(&l, ":", &field[0], &end[0]) || *field[0] == '#') return -1;
  if (!oct_number(field[0], end[0], 16, &value) || end[0] == stop || *end[0] != ':') return 0;
  if (!oct_lines_field(&l, NULL, &field[1], &end[1]) || end[1] - field[1] != 1) return 0;
  return (*field[1] == 'R' || *field[1] == 'W') && oct_lines_field(&l, NULL, &field[2], &end[2]);
}

typedef struct pinatrace {
  oct_lines lines;
  oct_log_values values;
} pinatrace;

/* The bytes of a value of more than 8, the lowest first, are hexadecimal numbers side by side: what
 * they are is only known where each has two digits. */
static bool bytes_of(const char *p, const char *end, unsigned size, uint8_t *bytes) {
  if (end - p != 2 + 2 * (ptrdiff_t)size) return false;
  for (unsigned i = 0; i < size; i++) {
    uint64_t byte;
    if (!oct_number(p + 2 + 2 * i, p + 4 + 2 * i, 16, &byte)) return false;
    bytes[i] = (uint8_t)byte;
  }
  return true;
}

/* The size and the value behind the last access of a line. A prefetch has no value. */
static int take_value(oct_reader *r, const oct_lines *line, const char *at, oct_diag *diag) {
  enum { VALUE_MAX = 8, BYTES_MAX = 64 };
  oct_lines l = {.p = at, .end = line->end, .begin = line->begin};
  const char *p, *end;
  uint64_t size, value;
  if (!oct_lines_field(&l, NULL, &p, &end)) return 0;
  if (!oct_number(p, end, 10, &size)) return oct_lines_wrong(r, line, "a size", p, end, diag);
  oct_access *a = &r->accesses[r->n_accesses - 1];
  a->size_bytes = (uint8_t)oct_access_size(size);
  if (!oct_lines_field(&l, NULL, &p, &end)) return 0;
  if (size <= VALUE_MAX) {
    if (!oct_number(p, end, 16, &value) || (size < VALUE_MAX && value >> 8 * size))
      return oct_lines_wrong(r, line, "a hexadecimal value of that size", p, end, diag);
    if (a->size_bytes) return oct_log_values_tell(r, value, 0, diag);
    if (size) oct_log_values_lose(r, "the access is of no known size");
    return 0;
  }
  uint8_t bytes[BYTES_MAX];
  if (a->size_bytes && bytes_of(p, end, a->size_bytes, bytes))
    return oct_reader_add_value(r, bytes, a->size_bytes, &a->value, diag);
  oct_log_values_lose(r, a->size_bytes ? "of more than 8 bytes those below 0x10 have one digit"
                                       : "the access is of no known size");
  return 0;
}

static int parse(oct_reader *r, oct_lines *l, oct_diag *diag) {
  const pinatrace *s = r->state;
  const char *field[3], *end[3];
  uint64_t ip, addr;
  int rc, is = split(l->p, l->end, field, end);
  if (is < 0) return 0;
  if (!is) return oct_lines_wrong(r, l, "'ip: R|W addr'", l->p, l->end, diag);
  if ((rc = oct_lines_address(r, l, field[0], end[0], &ip, diag)) ||
      (rc = oct_lines_address(r, l, field[2], end[2], &addr, diag)))
    return rc;
  int is_store = *field[1] == 'W';
  oct_insn *last = r->n_insns ? &r->insns[r->n_insns - 1] : NULL;
  int joins = is_store && last && last->addr == ip && last->n_access == 1 &&
              !r->accesses[r->n_accesses - 1].is_store;
  if (!joins) {
    /* One place stays free, so that a write is never parted from its read. */
    if (oct_reader_is_full(r, is_store ? 1 : 2)) return 1;
    oct_reader_add_insn(r, ip, OCT_SIZE_DEFAULT);
  }
  rc = oct_reader_add_access(r, addr, 0, is_store, diag);
  return !rc && s->values.is_wanted ? take_value(r, l, end[2], diag) : rc;
}

static int pinatrace_open(oct_reader *r, oct_diag *diag) {
  r->info.origin = "pin pinatrace";
  r->is_open = 1;
  int rc = oct_lines_open(r, sizeof(pinatrace), diag);
  return rc ? rc : oct_log_values_open(&((pinatrace *)r->state)->values, r, -1, diag);
}

static int pinatrace_fill(oct_reader *r, oct_diag *diag) {
  return oct_lines_fill(r, r->state, parse, diag);
}

static int line_kind(const char *p, const char *end) {
  const char *field[3], *stop[3];
  return split(p, end, field, stop);
}

static int pinatrace_probe(const uint8_t *p, size_t n, int is_text) {
  return is_text && oct_probe_lines(p, n, line_kind);
}

static const oct_reader_ops pinatrace_reader = {
    .open = pinatrace_open, .fill = pinatrace_fill, .close = oct_lines_close};
const oct_format_desc oct_pinatrace_format = {.name = "pinatrace",
                                              .text = "memory accesses of Pin's pinatrace",
                                              .probe = pinatrace_probe,
                                              .reader = &pinatrace_reader,
                                              .addr_bits = 32,
                                              .insn_bytes = 4,
                                              .takes_params = 1};
