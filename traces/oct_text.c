/* SPDX-License-Identifier: Apache-2.0 */
/* oct_text.c - plain traces: text lines `pc [da ...]` and binary (pc, da) pairs
 * (docs/trace-format.md). */
#include "oct_reader_format.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Text, reading ---- */

typedef struct text {
  uint64_t line;
} text;

/* A number of one base that fills [p, end) ; 0x may stand before a hexadecimal one. Returns the
 * count of digits, 0 when it is none or does not fit. */
static size_t number(const char *p, const char *end, unsigned base, uint64_t *value) {
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

static int wrong(oct_reader *r, oct_diag *diag, const char *expected, const char *p,
                 const char *end) {
  text *s = r->state;
  char found[40];
  size_t n = 0;
  for (; p < end && n < sizeof found - 1; p++) found[n++] = isprint((unsigned char)*p) ? *p : '?';
  found[n] = 0;
  return oct_fail(diag, OCT_ERR_FORMAT, "%s:%" PRIu64 ": expected %s, found '%s'",
                  oct_input_name(r->in), s->line, expected, found);
}

/* An address; one of more than 8 digits needs a trace of 64 bits. */
static int address(oct_reader *r, const char *p, const char *end, uint64_t *value, oct_diag *diag) {
  text *s = r->state;
  size_t digits = number(p, end, 16, value);
  if (!digits) return wrong(r, diag, "a hexadecimal address", p, end);
  if (*value > UINT32_MAX && r->info.addr_bits == 32)
    return oct_fail(diag, OCT_ERR_LIMIT,
                    "%s:%" PRIu64
                    ": an address over 32 bits in a trace that began with short "
                    "ones: write the first with 16 digits",
                    oct_input_name(r->in), s->line);
  return 0;
}

/* The first field: pc or pc/size. */
static int parse_insn(oct_reader *r, const char *p, const char *end, oct_diag *diag) {
  const char *slash = memchr(p, '/', (size_t)(end - p));
  uint64_t addr = 0, size = r->info.default_insn_bytes;
  int rc = address(r, p, slash ? slash : end, &addr, diag);
  if (rc) return rc;
  if (slash && (!number(slash + 1, end, 10, &size) || size < 1 || size > 15))
    return wrong(r, diag, "an instruction size of 1 to 15 bytes", slash + 1, end);
  oct_reader_add_insn(r, addr, (unsigned)size);
  return 0;
}

/* A field behind it: da, L:da, S:da, L4:da, S4:da, @cycle or T:task. */
static int parse_field(oct_reader *r, const char *p, const char *end, oct_diag *diag) {
  oct_insn *insn = &r->insns[r->n_insns - 1];
  const char *colon = memchr(p, ':', (size_t)(end - p));
  uint64_t value, size = 0;
  int rc, is_store = 0;
  if (*p == '@') {
    if (!number(p + 1, end, 10, &insn->cycle)) return wrong(r, diag, "a decimal cycle", p + 1, end);
    insn->flags |= OCT_INSN_HAS_CYCLE;
    return 0;
  }
  if (colon) {
    char letter = (char)(*p & ~32);
    if (letter == 'T' && colon == p + 1) {
      if (!number(colon + 1, end, 10, &value) || value > UINT32_MAX)
        return wrong(r, diag, "a decimal task number", colon + 1, end);
      insn->task = (uint32_t)value;
      return 0;
    }
    if ((letter != 'L' && letter != 'S') ||
        (colon > p + 1 &&
         (!number(p + 1, colon, 10, &size) || size > 64 || !size || (size & (size - 1)))))
      return wrong(r, diag, "L:, S: or L, S with a size that is a power of two up to 64", p, end);
    is_store = letter == 'S';
    p = colon + 1;
  }
  if ((rc = address(r, p, end, &value, diag))) return rc;
  return oct_reader_add_access(r, value, (unsigned)size, is_store, diag);
}

/* Whether an address among the first lines has more than 8 digits. */
static int is_wide(const uint8_t *p, size_t n) {
  size_t digits = 0;
  int comment = 0, decimal = 0;
  for (size_t i = 0; i < n; i++) {
    comment = p[i] == '#' || (comment && p[i] != '\n');
    if (isspace(p[i]) || p[i] == '@' || p[i] == 'T' || p[i] == 't')
      decimal = p[i] == '@' || (p[i] | 32) == 't';
    digits = !comment && !decimal && isxdigit(p[i]) ? digits + 1 : 0;
    if (digits > 8) return 1;
  }
  return 0;
}

static int text_open(oct_reader *r, oct_diag *diag) {
  const uint8_t *p;
  int64_t n = oct_input_peek(r->in, 4096, &p, diag);
  if (!(r->state = calloc(1, sizeof(text))))
    return oct_fail(diag, OCT_ERR_NOMEM, "%s: out of memory", oct_input_name(r->in));
  if (n > 0 && is_wide(p, (size_t)n)) r->info.addr_bits = 64;
  return 0;
}

/* One line. An instruction that turns out wrong leaves the batch as it was. */
static int parse_line(oct_reader *r, const char *p, size_t length, oct_diag *diag) {
  size_t n_insns = r->n_insns, n_accesses = r->n_accesses;
  const char *end = memchr(p, '#', length);
  int rc = 0;
  if (!end) end = p + length;
  while (!rc) {
    const char *field;
    while (p < end && isspace((unsigned char)*p)) p++;
    if (p == end) return 0;
    field = p;
    while (p < end && !isspace((unsigned char)*p)) p++;
    rc = r->n_insns == n_insns ? parse_insn(r, field, p, diag) : parse_field(r, field, p, diag);
  }
  r->n_insns = n_insns;
  r->n_accesses = n_accesses;
  return rc;
}

static int text_fill(oct_reader *r, oct_diag *diag) {
  text *s = r->state;
  while (r->n_insns < OCT_BATCH_INSNS) {
    const char *line;
    size_t length;
    int rc = oct_input_line(r->in, &line, &length, diag);
    if (rc <= 0) return rc;
    s->line++;
    if ((rc = parse_line(r, line, length, diag))) return rc;
  }
  return 1;
}

static void text_close(oct_reader *r) {
  free(r->state);
}

const oct_reader_ops oct_text_reader = {text_open, text_fill, text_close};

/* ---- Binary pairs, reading ---- */

static uint64_t get(const uint8_t *p, size_t width_bytes) {
  uint64_t v = 0;
  for (size_t i = 0; i < width_bytes; i++) v |= (uint64_t)p[i] << (8 * i);
  return v;
}

static uint64_t none_of(size_t width_bytes) {
  return width_bytes == 4 ? UINT32_MAX : UINT64_MAX;
}

static int bin_fill(oct_reader *r, oct_diag *diag) {
  size_t width = r->info.format == OCT_FORMAT_BIN64 ? 8 : 4;
  uint64_t none = none_of(width);
  for (;;) {
    const uint8_t *p;
    int64_t n = oct_input_peek(r->in, 2 * width, &p, diag);
    uint64_t pc, da;
    int rc;
    if (n <= 0) return (int)n;
    if ((size_t)n < 2 * width)
      return oct_fail(diag, OCT_ERR_TRUNCATED,
                      "%s: offset %" PRIu64 ": the trace ends within a pair", oct_input_name(r->in),
                      oct_input_offset(r->in));
    pc = get(p, width);
    da = get(p + width, width);
    if (pc == none) {
      if (r->n_insns == 0 || da == none)
        return oct_fail(diag, OCT_ERR_FORMAT,
                        "%s: offset %" PRIu64 ": expected an instruction address, found all ones",
                        oct_input_name(r->in), oct_input_offset(r->in));
    } else {
      if (r->n_insns == OCT_BATCH_INSNS) return 1;
      oct_reader_add_insn(r, pc, r->info.default_insn_bytes);
    }
    if (da != none && (rc = oct_reader_add_access(r, da, 0, 0, diag))) return rc;
    oct_input_take(r->in, 2 * width);
  }
}

const oct_reader_ops oct_bin_reader = {NULL, bin_fill, NULL};

/* ---- Writing ---- */

/* info may be gone after open, so the digits of an address are kept in state. */
static int text_open_write(oct_writer *w, oct_diag *diag) {
  static int digits_32 = 8, digits_64 = 16;
  static const char head[] = "# pc[/size_bytes] [L|S[size_bytes]:da ...] [@cycle] [T:task]\n";
  w->state = w->options.info->addr_bits == 64 ? &digits_64 : &digits_32;
  return oct_outfile_write(w->file, head, sizeof head - 1, diag);
}

static int text_put(oct_writer *w, const oct_batch *batch, oct_diag *diag) {
  int digits = *(const int *)w->state, rc = 0;
  const oct_access *a = batch->accesses;
  for (size_t i = 0; !rc && i < batch->n_insns; i++) {
    const oct_insn *insn = &batch->insns[i];
    char field[128];
    int n = snprintf(field, sizeof field, "%0*" PRIx64, digits, insn->addr);
    if (insn->size_bytes != 4)
      n += snprintf(field + n, sizeof field - (size_t)n, "/%u", insn->size_bytes);
    for (unsigned k = 0; !rc && k < insn->n_access; k++, a++) {
      rc = oct_outfile_write(w->file, field, (size_t)n, diag);
      n = snprintf(field, sizeof field, a->is_store ? " S" : " L");
      if (a->size_bytes) n += snprintf(field + n, sizeof field - (size_t)n, "%u", a->size_bytes);
      n += snprintf(field + n, sizeof field - (size_t)n, ":%0*" PRIx64, digits, a->addr);
    }
    if (insn->flags & OCT_INSN_HAS_CYCLE)
      n += snprintf(field + n, sizeof field - (size_t)n, " @%" PRIu64, insn->cycle);
    if (insn->task) n += snprintf(field + n, sizeof field - (size_t)n, " T:%" PRIu32, insn->task);
    field[n++] = '\n';
    if (!rc) rc = oct_outfile_write(w->file, field, (size_t)n, diag);
  }
  return rc;
}

const oct_writer_ops oct_text_writer = {text_open_write, text_put, NULL, NULL};

static int bin_pair(oct_writer *w, uint64_t pc, uint64_t da, oct_diag *diag) {
  uint8_t pair[16];
  size_t width = w->options.format == OCT_FORMAT_BIN64 ? 8 : 4;
  for (size_t i = 0; i < width; i++) {
    pair[i] = (uint8_t)(pc >> (8 * i));
    pair[width + i] = (uint8_t)(da >> (8 * i));
  }
  return oct_outfile_write(w->file, pair, 2 * width, diag);
}

static int bin_put(oct_writer *w, const oct_batch *batch, oct_diag *diag) {
  uint64_t none = none_of(w->options.format == OCT_FORMAT_BIN64 ? 8 : 4);
  const oct_access *a = batch->accesses;
  int rc = 0;
  for (size_t i = 0; !rc && i < batch->n_insns; i++) {
    const oct_insn *insn = &batch->insns[i];
    uint64_t pc = insn->addr;
    unsigned k = 0;
    do {
      uint64_t da = insn->n_access ? a->addr : none;
      /* All ones is the mark for "none". */
      if (insn->addr >= none || (insn->n_access && da >= none))
        return oct_fail(diag, OCT_ERR_LIMIT, "%s: address 0x%" PRIx64 " does not fit into %s",
                        w->path, insn->addr >= none ? insn->addr : da,
                        oct_format_name(w->options.format));
      rc = bin_pair(w, pc, da, diag);
      pc = none;
      a += insn->n_access != 0;
    } while (!rc && ++k < insn->n_access);
  }
  return rc;
}

const oct_writer_ops oct_bin_writer = {NULL, bin_put, NULL, NULL};
