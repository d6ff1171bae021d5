/* SPDX-License-Identifier: Apache-2.0 */
/* oct_listings.c - texts that only look like a trace.
 *
 * Columns of bare numbers are judged together: an opcode beside its address, a running number
 * before it, and decimal numbers would all pass for addresses. Text that is none of these is left
 * to the readers. */
#include "oct_listings.h"

#include "oct_lines.h"

#include <string.h>

/* ---- Columns of bare numbers ---- */

typedef struct column {
  unsigned n_hex;     /* numbers with a letter or 0x, */
  unsigned n_steps;   /* that are 2 or 4 above the one before, */
  unsigned n_ones;    /* 1 above it, */
  unsigned n_tens;    /* 10 above it, as decimal addresses read as hexadecimal are, */
  unsigned n_rises;   /* above it at all, */
  unsigned n_words;   /* that end as an instruction of RISC-V, */
  unsigned n_long;    /* of 8 digits, as other instructions have, */
  unsigned n_halves;  /* with an upper half that is not that of the one before, */
  unsigned n_small;   /* below 4096 */
  unsigned n_lengths; /* bytes of an odd count, which the first column goes on by */
  unsigned n_digits;  /* that are not 0, of numbers that are not the one before */
  uint64_t last;
  size_t last_bytes;
} column;

enum { COLUMNS = 3, LEAST = 2, DIGITS_LEAST = 20, DIGITS_SURE = 100 };

static bool take_number(column *c, const char *p, const char *end, bool is_first) {
  uint64_t value;
  if (!oct_number(p, end, 16, &value)) return false;
  bool has_prefix = end - p > 2 && (p[1] | 32) == 'x', has_letter = has_prefix;
  const char *digits = p + (has_prefix ? 2 : 0);
  unsigned n_digits = 0;
  for (const char *q = digits; q < end; q++) {
    has_letter |= *q > '9';
    n_digits += *q != '0';
  }
  c->n_hex += has_letter;
  if (is_first || value != c->last) c->n_digits += n_digits;
  if (!is_first) {
    c->n_steps += value - c->last == 4 || value - c->last == 2;
    c->n_ones += value - c->last == 1;
    c->n_tens += value - c->last == 10;
    c->n_rises += value > c->last;
  }
  c->n_halves += is_first || value >> 16 != c->last >> 16;
  c->n_words +=
      end - digits == 8 ? (value & 3) == 3 : end - digits == 4 && (value & 3) != 3 && value;
  c->n_long += end - digits == 8;
  c->n_small += value < 4096;
  c->last = value;
  c->last_bytes = (end - digits) % 2 ? 0 : (size_t)(end - digits) / 2;
  return true;
}

/* Whether a column of n_lines numbers is decimal: no letter in many digits, and as addresses they
 * do not go on as instructions do, or they do so in steps of decimal numbers. */
static bool is_decimal(const column *c, unsigned n_lines) {
  if (c->n_hex) return false;
  if (c->n_tens && c->n_tens + c->n_steps + 1 == n_lines) return true; /* ...8 and ...12 */
  return c->n_digits >= DIGITS_LEAST && (c->n_steps * 2 < n_lines || c->n_tens > 1);
}

/* The columns at p, none of the last line if that is cut. How many all lines have; 0 where one has
 * what is no number, as the mark of an access. */
static unsigned take_columns(column *c, const char *p, const char *stop, unsigned *n_lines) {
  unsigned n_least = COLUMNS;
  uint64_t last = 0; /* of the first column, a line before */
  while (p < stop) {
    const char *end = memchr(p, '\n', (size_t)(stop - p)), *field, *behind;
    if (!end && *n_lines) break;
    oct_lines l = {.p = p, .begin = p, .end = end ? end : stop};
    unsigned n = 0;
    while (n < COLUMNS && oct_lines_field(&l, NULL, &field, &behind)) {
      if (*field == '#') break;
      if (n == 1 && *n_lines && c[0].last - last == c[1].last_bytes && c[1].last_bytes % 4)
        c[1].n_lengths++;
      if (!n) last = c[0].last;
      if (!take_number(&c[n], field, behind, !*n_lines)) {
        if (n < 2) return 0;
        break;
      }
      n++;
    }
    if (n && n < n_least) n_least = n;
    *n_lines += n > 0;
    p = end ? end + 1 : stop;
  }
  return *n_lines ? n_least : 0;
}

static const char *columns_of(const char *p, const char *stop) {
  column c[COLUMNS] = {{0}};
  unsigned n_lines = 0, n_columns = take_columns(c, p, stop, &n_lines);
  if (n_lines < LEAST || !n_columns) return NULL;
  if (n_columns == 1)
    return is_decimal(&c[0], n_lines)
               ? "decimal numbers: if they are hexadecimal addresses, use --from text"
               : NULL;
  const unsigned n_steps = n_lines - 1;
  enum { LABELS = 2 }; /* up to here, of Dinero */
  const bool is_counted =
      c[0].n_ones * 2 >= n_steps && c[0].n_small == n_lines && c[0].last > LABELS;
  if (!c[0].n_hex && c[0].n_rises == n_steps && !c[1].n_small &&
      (is_counted ||
       ((c[0].n_small == n_lines || c[0].n_steps * 2 < n_lines) && c[1].n_steps * 2 >= n_steps)))
    return "its lines begin with a running number or cycle, and addresses follow: awk '{print $2}' "
           "LOG | octrace convert --from pc - OUT";
  if (!c[0].n_small && c[1].n_lengths * 3 >= n_steps)
    return "an address and its opcode a line: awk '{print $1}' LOG | octrace convert --from pc "
           "--isa x86-64 - OUT (or another set; with data addresses: --from text)";
  if (c[0].n_steps * 2 >= n_steps && !c[0].n_small &&
      (c[1].n_words == n_lines || (c[1].n_long == n_lines && c[1].n_halves * 3 >= n_lines)))
    return "an address and its opcode a line: awk '{print $1}' LOG | octrace convert --from pc "
           "--isa riscv64 - OUT (or another set; with data addresses: --from text)";
  if (is_decimal(&c[1], n_lines) && c[0].n_small == n_lines && !c[0].n_hex && !c[1].n_small &&
      c[0].n_steps * 2 <= n_steps && c[0].n_rises < n_steps)
    return "decimal numbers, as of Ramulator's (bubbles, address): use --from ramulator-cpu, or, "
           "if "
           "they are hexadecimal addresses, --from text";
  unsigned n_digits = 0, n_hex = 0;
  for (unsigned k = 0; k < n_columns; k++) {
    n_digits += c[k].n_digits;
    n_hex += c[k].n_hex;
  }
  if (!n_hex && !c[0].n_small && n_digits >= DIGITS_SURE)
    return "decimal numbers: if they are hexadecimal addresses, use --from text";
  return NULL;
}

/* A line of perf script: `COMM TID [CPU] SECONDS.FRACTION: COUNT EVENT:`, of another event than
 * instructions. */
static int perf_kind(const char *p, const char *end) {
  oct_lines l = {.p = p, .begin = p, .end = end};
  const char *field, *behind, *dot = NULL;
  uint64_t value;
  while (oct_lines_field(&l, NULL, &field, &behind)) {
    if (dot && (dot = NULL, oct_number(field, behind, 10, &value))) {
      if (!oct_lines_field(&l, NULL, &field, &behind)) return -1;
      bool is_insns = behind - field > 12 && !memcmp(field, "instructions", 12);
      return behind[-1] == ':' && !is_insns ? 1 : -1;
    }
    dot = behind[-1] == ':' ? memchr(field, '.', (size_t)(behind - field)) : NULL;
    if (dot && !oct_number(dot + 1, behind - 1, 10, &value)) dot = NULL;
  }
  return -1;
}

bool oct_listing_is_bare(const uint8_t *p, size_t n) {
  column c[COLUMNS] = {{0}};
  unsigned n_lines = 0;
  return take_columns(c, (const char *)p, (const char *)p + n, &n_lines) > 0;
}

const char *oct_listing_of(const uint8_t *p, size_t n) {
  if (oct_probe_lines(p, n, perf_kind))
    return "samples or branches of perf script, not every instruction: perf script --insn-trace, "
           "of a recording with -e intel_pt// or cs_etm//, prints those";
  return columns_of((const char *)p, (const char *)p + n);
}
