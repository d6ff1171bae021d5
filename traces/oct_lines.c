/* SPDX-License-Identifier: Apache-2.0 */
/* oct_lines.c - what readers of text and of fixed-size records share: lines, fields, numbers,
 * positions of errors.
 *
 * A line is handed out where it stands in the window of the input, without a copy. Fields are cut
 * at separators; numbers are parsed with a check of their range. Probes of formats look at the
 * first lines through a match of one line. */
#include "oct_lines.h"

#include "oct_text_begin.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A number of more than 8 hexadecimal digits, unless it is a comment, a time (`@`, or decimal in
 * front of a colon), a task or the bytes of an instruction (a word that begins with I). */
static int is_wide(const uint8_t *p, size_t n) {
  size_t digits = 0;
  int comment = 0, decimal = 0;
  for (size_t i = 0; i < n; i++) {
    comment = p[i] == '#' || (comment && p[i] != '\n');
    bool is_bytes = (p[i] | 32) == 'i' && i && isspace(p[i - 1]);
    if (isspace(p[i]) || p[i] == '@' || (p[i] | 32) == 't' || is_bytes) decimal = !isspace(p[i]);
    digits = !comment && !decimal && isxdigit(p[i]) ? digits + 1 : 0;
    if (digits > 8 && (i + 1 == n || (!isxdigit(p[i + 1]) && p[i + 1] != ':'))) return 1;
  }
  return 0;
}

int oct_lines_open(oct_reader *r, size_t size_bytes, oct_diag *diag) {
  const uint8_t *p;
  oct_diag ignored; /* damage is told when it is reached */
  int rc = oct_text_begin(r->in, diag);
  if (rc) return rc;
  oct_input_take_as_text(r->in);
  int64_t n = oct_input_peek(r->in, OCT_INPUT_PEEK_BYTES, &p, &ignored);
  if (n < 0) n = oct_input_peek(r->in, 0, &p, &ignored);
  if (!(r->state = calloc(1, size_bytes))) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  if (n > 0 && is_wide(p, (size_t)n)) r->info.addr_bits = 64;
  if (r->given_isa >= 0 && oct_isa_get((oct_isa)r->given_isa)->addr_bits == 64)
    r->info.addr_bits = 64;
  return 0;
}

void oct_lines_close(oct_reader *r) {
  oct_lines *l = r->state;
  if (l) oct_buffer_free(&l->whole);
  free(l);
}

/* A line that is put together, as it is longer than the window of the input. */
static int long_line(oct_reader *r, oct_lines *l, size_t *length, oct_diag *diag) {
  const uint8_t *p, *end = NULL;
  uint64_t offset = oct_input_offset(r->in);
  l->whole.n_bytes = 0;
  while (!end) {
    int64_t got = oct_input_peek(r->in, 1, &p, diag);
    if (got < 0) return (int)got;
    if (!got) break;
    end = memchr(p, '\n', (size_t)got);
    size_t n = end ? (size_t)(end - p) : (size_t)got;
    if (l->whole.n_bytes + n > OCT_LINES_LONG_BYTES)
      return oct_input_fail(r->in, offset, diag, OCT_ERR_LIMIT, "a line of more than %u bytes",
                            OCT_LINES_LONG_BYTES);
    if (oct_buffer_put(&l->whole, p, n)) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
    oct_input_take(r->in, n + (end != NULL));
  }
  l->is_open = !end;
  l->begin = (const char *)l->whole.bytes;
  *length = l->whole.n_bytes;
  if (*length && l->begin[*length - 1] == '\r') --*length;
  return 1;
}

int oct_lines_next(oct_reader *r, oct_lines *l, oct_diag *diag) {
  size_t length;
  int rc;
  if (l->again) {
    l->again = 0;
    l->p = l->begin;
    return 1;
  }
  if (l->number) {
    l->before_bytes = (size_t)(l->end - l->begin);
    const size_t n = l->before_bytes < sizeof l->tail ? l->before_bytes : sizeof l->tail;
    memcpy(l->tail, l->end - n, n);
  }
  oct_diag why;
  rc = oct_input_line(r->in, &l->begin, &length, &why);
  if (rc > 0) l->is_open = oct_input_is_line_open(r->in);
  if (rc == OCT_ERR_LIMIT && l->takes_long)
    rc = long_line(r, l, &length, diag);
  else if (rc < 0 && diag)
    *diag = why;
  if (!rc) r->is_line_open = l->is_open;
  if (rc <= 0) return rc;
  l->number++;
  l->p = l->begin;
  l->end = l->begin + length;
  return 1;
}

static bool is_left_out(const oct_reader *r, const oct_lines *l) {
  const size_t length = (size_t)(l->end - l->begin);
  if (!l->is_open || (l->number == 1 && r->format->takes_numbers)) return false;
  if (length != l->before_bytes) return true;
  const size_t n = length < sizeof l->tail ? length : sizeof l->tail;
  for (size_t i = 0; i < n; i++) {
    const unsigned char a = (unsigned char)l->tail[i],
                        b = (unsigned char)l->end[(ptrdiff_t)i - (ptrdiff_t)n];
    if (a != b && !(isxdigit(a) && isxdigit(b))) return true;
  }
  return false;
}

int oct_lines_fill(oct_reader *r, oct_lines *l,
                   int (*parse)(oct_reader *r, oct_lines *l, oct_diag *diag), oct_diag *diag) {
  for (;;) {
    int rc = oct_lines_next(r, l, diag);
    if (rc <= 0) return rc;
    if (is_left_out(r, l)) {
      r->is_line_left_out = true;
      continue;
    }
    size_t before = r->n_insns;
    if ((rc = parse(r, l, diag)) < 0) {
      r->is_open |= r->n_insns > before;
      return rc;
    }
    l->taken |= r->n_insns > 0;
    if (rc) {
      l->again = 1;
      return 1;
    }
  }
}

int oct_lines_none(oct_reader *r, const oct_lines *l, const char *expected, oct_diag *diag) {
  return oct_fail_in(diag, OCT_ERR_FORMAT, oct_input_name(r->in),
                     "none of its lines (%" PRIu64 ") is %s", l->number, expected);
}

int oct_lines_fill_some(oct_reader *r, oct_lines *l,
                        int (*parse)(oct_reader *r, oct_lines *l, oct_diag *diag),
                        const char *expected, oct_diag *diag) {
  int rc = oct_lines_fill(r, l, parse, diag);
  return rc || l->taken ? rc : oct_lines_none(r, l, expected, diag);
}

const char *oct_lines_behind(const char *p, const char *end,
                             int (*match)(const char *p, const char *end)) {
  for (const char *q = p + 1; q < end; q++) {
    const unsigned char c = (unsigned char)*q, before = (unsigned char)q[-1];
    bool is_begin = isdigit(c)   ? !isdigit(before)
                    : isspace(c) ? q + 1 < end && !isspace((unsigned char)q[1])
                                 : true;
    if (is_begin && match(q, end) > 0) return q;
  }
  return NULL;
}

static void skip_blanks(oct_lines *l) {
  while (l->p < l->end && isspace((unsigned char)*l->p)) l->p++;
}

int oct_lines_field(oct_lines *l, const char *separators, const char **field, const char **end) {
  skip_blanks(l);
  if (l->p == l->end) return 0;
  *field = l->p;
  while (l->p < l->end && !isspace((unsigned char)*l->p) &&
         !(separators && strchr(separators, *l->p)))
    l->p++;
  *end = l->p;
  if (l->p < l->end) l->p++;
  return 1;
}

int oct_lines_skip(oct_lines *l, const char *word) {
  size_t n = strlen(word);
  skip_blanks(l);
  if ((size_t)(l->end - l->p) < n || memcmp(l->p, word, n)) return 0;
  l->p += n;
  return 1;
}

size_t oct_number(const char *p, const char *end, unsigned base, uint64_t *value) {
  uint64_t v = 0;
  if (base == 16 && end - p > 2 && p[0] == '0' && (p[1] | 32) == 'x') p += 2;
  for (const char *q = p; q < end; q++) {
    unsigned c = (unsigned char)*q, digit;
    if (c >= '0' && c <= '9')
      digit = c - '0';
    else if ((c | 32) >= 'a' && (c | 32) <= 'f')
      digit = (c | 32) - 'a' + 10;
    else
      return 0;
    if (digit >= base || v > (UINT64_MAX - digit) / base) return 0;
    v = v * base + digit;
  }
  *value = v;
  return (size_t)(end - p);
}

int oct_is_word(const char *p, const char *end, const char *word) {
  size_t n = strlen(word);
  return (size_t)(end - p) == n && !memcmp(p, word, n);
}

int oct_lines_wrong(oct_reader *r, const oct_lines *l, const char *expected, const char *p,
                    const char *end, oct_diag *diag) {
  char found[40];
  size_t n = 0;
  for (; p < end && n < sizeof found - 1; p++) found[n++] = isprint((unsigned char)*p) ? *p : '?';
  found[n] = 0;
  return oct_diag_in(diag, oct_input_name(r->in),
                     oct_fail_at(diag, OCT_ERR_FORMAT, OCT_AT_LINE, l->number,
                                 "expected %s, found '%s'", expected, found));
}

int oct_lines_address(oct_reader *r, const oct_lines *l, const char *p, const char *end,
                      uint64_t *value, oct_diag *diag) {
  if (!oct_number(p, end, 16, value))
    return oct_lines_wrong(r, l, "a hexadecimal address", p, end, diag);
  if (*value > UINT32_MAX && r->info.addr_bits == 32)
    return oct_fail_at(diag, OCT_ERR_LIMIT, OCT_AT_LINE, l->number,
                       "an address over 32 bits in a trace that began with short ones: write the "
                       "first with 16 digits, or give --isa");
  return 0;
}

int oct_record_peek(oct_reader *r, size_t n_bytes, const uint8_t **p, oct_diag *diag) {
  int64_t n = oct_input_peek(r->in, n_bytes, p, diag);
  if (n <= 0) return (int)n;
  if ((size_t)n < n_bytes)
    return oct_input_fail(r->in, oct_input_offset(r->in), diag, OCT_ERR_TRUNCATED,
                          "the trace ends within a record of %zu bytes", n_bytes);
  return 1;
}

int oct_records_fill(oct_reader *r, size_t n_bytes,
                     int (*parse)(oct_reader *r, const uint8_t *p, oct_diag *diag),
                     oct_diag *diag) {
  for (;;) {
    const uint8_t *p;
    int rc = oct_record_peek(r, n_bytes, &p, diag);
    if (rc <= 0) return rc;
    if ((rc = parse(r, p, diag))) return rc;
    oct_input_take(r->in, n_bytes);
  }
}

int oct_record_wrong(oct_reader *r, const char *what, uint64_t value, oct_diag *diag) {
  return oct_input_fail(r->in, oct_input_offset(r->in), diag, OCT_ERR_FORMAT,
                        "expected %s, found 0x%" PRIx64, what, value);
}

unsigned oct_access_size(uint64_t size_bytes) {
  return size_bytes <= 64 && (size_bytes & (size_bytes - 1)) == 0 ? (unsigned)size_bytes : 0;
}

int oct_probe_lines(const uint8_t *p, size_t size, int (*match)(const char *p, const char *end)) {
  const char *line = (const char *)p, *stop = line + size;
  int found = 0;
  while (line < stop) {
    const char *next = memchr(line, '\n', (size_t)(stop - line));
    const char *end = next ? next : stop;
    if (!next && found) break; /* a last line that may be cut */
    if (end > line && end[-1] == '\r') end--;
    int is = match(line, end);
    if (!is) return 0;
    found |= is > 0;
    if (!next) break;
    line = next + 1;
  }
  return found;
}
