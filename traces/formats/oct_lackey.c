/* SPDX-License-Identifier: Apache-2.0 */
/* oct_lackey.c - reader of what Valgrind's `--tool=lackey --trace-mem=yes` prints
 * (docs/formats/lackey.md).
 *
 * `I  addr,size` fetches an instruction; ` L addr,size`, ` S addr,size` and ` M addr,size` are its
 * loads, stores and modifies. Lines in between are Valgrind's own or output of the program. */
#include "oct_lines.h"

#include <stdbool.h>
#include <string.h>

/* Valgrind's own marked instructions are longer than any real one; they are told in pieces. */
enum { INSN_MAX_BYTES = 15, CLIENT_MAX_BYTES = 32 };

typedef struct lackey {
  oct_lines lines; /* first */
  bool has_fetch;
} lackey;

/* Lackey's lines alone have their letter in the first two columns and two blanks or one behind. */
static int is_record(const char *p, const char *end) {
  if (end - p < 6 || !memchr(p, ',', (size_t)(end - p))) return 0;
  if (p[0] == 'I') return p[1] == ' ' && p[2] == ' ';
  return p[0] == ' ' && strchr("LSM", p[1]) && p[2] == ' ';
}

/* Whether this is the begin of a record and nothing else. */
static bool is_cut(const char *p, const char *end) {
  static const char *const begins[] = {"I  ", " L ", " S ", " M "};
  const size_t n = (size_t)(end - p), begin = n < 3 ? n : 3;
  uint64_t value;
  for (size_t i = 0; n >= 2 && i < sizeof begins / sizeof *begins; i++)
    if (!memcmp(p, begins[i], begin)) return n <= 3 || oct_number(p + 3, end, 16, &value);
  return false;
}

static int line_kind(const char *p, const char *end) {
  return is_record(p, end) ? 1 : -1;
}

/* The same behind text of the program: with an address of 8 digits or more and a size, up to the
 * line's end. */
static int record_behind(const char *p, const char *end) {
  uint64_t value;
  const char *comma = is_record(p, end) ? memchr(p, ',', (size_t)(end - p)) : NULL;
  return comma && comma - p >= 3 + 8 && oct_number(p + 3, comma, 16, &value) &&
                 oct_number(comma + 1, end, 10, &value)
             ? 1
             : -1;
}

static int add_fetch(oct_reader *r, uint64_t addr, uint64_t size) {
  if (oct_reader_is_full(r, CLIENT_MAX_BYTES / INSN_MAX_BYTES + 1)) return 1;
  while (size) {
    unsigned piece = size > INSN_MAX_BYTES ? INSN_MAX_BYTES : (unsigned)size;
    oct_reader_add_insn(r, addr, piece);
    addr += piece;
    size -= piece;
  }
  return 0;
}

static int parse(oct_reader *r, oct_lines *l, oct_diag *diag) {
  const char *kind, *p, *end, *behind;
  uint64_t addr, size;
  int rc;
  if (!is_record(l->begin, l->end)) {
    l->p = oct_lines_behind(l->begin, l->end, record_behind);
    if (!l->p)
      return is_cut(l->begin, l->end)
                 ? oct_lines_wrong(r, l, "'ADDRESS,SIZE'", l->begin, l->end, diag)
                 : 0;
  }
  oct_lines_field(l, NULL, &kind, &end);
  if (!oct_lines_field(l, ",", &p, &end))
    return oct_lines_wrong(r, l, "an address", l->p, l->end, diag);
  if ((rc = oct_lines_address(r, l, p, end, &addr, diag))) return rc;
  if (!oct_lines_field(l, NULL, &p, &behind) || !oct_number(p, behind, 10, &size) || !size ||
      (*kind == 'I' && size > CLIENT_MAX_BYTES))
    return oct_lines_wrong(r, l, "a size in bytes", end, l->end, diag);
  if (*kind == 'I') {
    ((lackey *)r->state)->has_fetch = true;
    return add_fetch(r, addr, size);
  }
  /* With data only, and ahead of the first fetch, an access has an instruction at address 0. */
  if (!((const lackey *)r->state)->has_fetch) {
    if (oct_reader_is_full(r, 1)) return 1;
    oct_reader_add_insn(r, 0, 1);
  }
  rc = *kind == 'S' ? 0 : oct_reader_add_access(r, addr, oct_access_size(size), 0, diag);
  if (!rc && *kind != 'L') rc = oct_reader_add_access(r, addr, oct_access_size(size), 1, diag);
  return rc;
}

static int lackey_open(oct_reader *r, oct_diag *diag) {
  r->info.origin = "valgrind lackey";
  r->is_open = 1;
  return oct_lines_open(r, sizeof(lackey), diag);
}

static int lackey_fill(oct_reader *r, oct_diag *diag) {
  return oct_lines_fill_some(r, r->state, parse,
                             "'I  ADDRESS,SIZE' (valgrind --tool=lackey --trace-mem=yes)", diag);
}

static int lackey_probe(const uint8_t *p, size_t n, int is_text) {
  if (memmem(p, n, "== Lackey, an example Valgrind tool", 35)) return 1;
  return is_text && oct_probe_lines(p, n, line_kind);
}

static const oct_reader_ops lackey_reader = {
    .open = lackey_open, .fill = lackey_fill, .close = oct_lines_close};
const oct_format_desc oct_lackey_format = {.name = "lackey",
                                           .text = "log of Valgrind's Lackey",
                                           .is_log = 1,
                                           .probe = lackey_probe,
                                           .reader = &lackey_reader,
                                           .addr_bits = 32};
