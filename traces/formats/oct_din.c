/* SPDX-License-Identifier: Apache-2.0 */
/* oct_din.c - DineroIV traces: `label addr`, the extended `r|w|i addr size` and 8-byte records
 * (docs/formats/din.md).
 *
 * A fetch begins an instruction, reads and writes behind it are its accesses. Accesses in front of
 * the first fetch, as in traces of data alone, get an instruction at address 0 each. */
#include "oct_lines.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { READ = 0, WRITE = 1, FETCH = 2, MISC = 3, COPYBACK = 4, INVALIDATE = 5 };
static const char letters[] = "rwimcv";
enum { BIN_BYTES = 8 };

typedef struct din {
  oct_lines lines;
  int fetched; /* a fetch has been seen */
} din;

/* What a label means, or -1. The classic labels 3 and 4 are no accesses. */
static int label_of(const char *p, const char *end) {
  const char *letter;
  if (end - p != 1) return -1;
  if (*p >= '0' && *p <= '4') return *p <= '2' ? *p - '0' : INVALIDATE;
  letter = strchr(letters, *p | 32);
  return letter && *letter ? (int)(letter - letters) : -1;
}

/* Take a record. size 0: not known. 1 when the batch has no room. */
static int take(oct_reader *r, int label, uint64_t addr, uint64_t size, oct_diag *diag) {
  din *d = r->state;
  if (label == COPYBACK || label == INVALIDATE) return 0;
  if ((label == FETCH || !d->fetched) && oct_reader_is_full(r, 1)) return 1;
  if (label == FETCH) {
    d->fetched = r->is_open = 1;
    oct_reader_add_insn(r, addr, size ? (unsigned)size : OCT_SIZE_DEFAULT);
    return 0;
  }
  if (!d->fetched) oct_reader_add_insn(r, 0, OCT_SIZE_DEFAULT);
  return oct_reader_add_access(r, addr, oct_access_size(size), label == WRITE, diag);
}

static int parse(oct_reader *r, oct_lines *l, oct_diag *diag) {
  const char *p, *end;
  uint64_t addr, size = 0;
  int rc, label;
  if (!oct_lines_field(l, NULL, &p, &end)) return 0;
  if ((label = label_of(p, end)) < 0)
    return oct_lines_wrong(r, l, "a label 0 to 4, r, w, i, m, c or v", p, end, diag);
  int extended = (unsigned char)*p >= 'A';
  if (!oct_lines_field(l, NULL, &p, &end))
    return oct_lines_wrong(r, l, "an address after the label", l->begin, l->end, diag);
  if ((rc = oct_lines_address(r, l, p, end, &addr, diag))) return rc;
  if (extended && (!oct_lines_field(l, NULL, &p, &end) || !oct_number(p, end, 16, &size) ||
                   (label == FETCH && (size < 1 || size > 15))))
    return oct_lines_wrong(r, l, "a hexadecimal size in bytes (1 to f of a fetch)", p, l->end,
                           diag);
  return take(r, label, addr, size, diag);
}

static int din_open(oct_reader *r, oct_diag *diag) {
  return oct_lines_open(r, sizeof(din), diag);
}

static int din_fill(oct_reader *r, oct_diag *diag) {
  return oct_lines_fill(r, r->state, parse, diag);
}

static int parse_record(oct_reader *r, const uint8_t *p, oct_diag *diag) {
  uint64_t size = oct_get_le(p + 4, 2);
  int label = p[6];
  if (label > INVALIDATE) return oct_record_wrong(r, "an access type 0 to 5", p[6], diag);
  if (label == FETCH && (size < 1 || size > 15))
    return oct_record_wrong(r, "a fetch of 1 to 15 bytes", size, diag);
  return take(r, label, oct_get_le(p, 4), size, diag);
}

static int dinbin_fill(oct_reader *r, oct_diag *diag) {
  return oct_records_fill(r, BIN_BYTES, parse_record, diag);
}

/* ---- Writing ---- */

/* Variants of the format. */
enum { DIN, XDIN, DIN_BINARY };

static int put_record(oct_writer *w, int label, uint64_t addr, unsigned size, oct_diag *diag) {
  char line[64];
  uint8_t record[BIN_BYTES] = {0};
  int n;
  switch (w->format->variant) {
    case DIN:
      n = snprintf(line, sizeof line, "%d %0*" PRIx64 "\n", label, oct_writer_digits(w), addr);
      break;
    case XDIN:
      n = snprintf(line, sizeof line, "%c %0*" PRIx64 " %x\n", letters[label], oct_writer_digits(w),
                   addr, size);
      break;
    default:
      if (addr > UINT32_MAX)
        return oct_fail(diag, OCT_ERR_LIMIT, "address 0x%" PRIx64 " does not fit into %s", addr,
                        oct_format_name(w->options.format));
      for (int i = 0; i < 4; i++) record[i] = (uint8_t)(addr >> (8 * i));
      record[4] = (uint8_t)size;
      record[6] = (uint8_t)label;
      return oct_outfile_write(w->file, record, sizeof record, diag);
  }
  return oct_outfile_write(w->file, line, (size_t)n, diag);
}

static int din_put(oct_writer *w, const oct_batch *batch, oct_diag *diag) {
  const oct_access *a = batch->accesses;
  int rc = 0;
  for (size_t i = 0; !rc && i < batch->n_insns; i++) {
    const oct_insn *insn = &batch->insns[i];
    rc = put_record(w, FETCH, insn->addr, insn->size_bytes, diag);
    for (unsigned k = 0; !rc && k < insn->n_access; k++, a++)
      rc = put_record(w, a->is_store ? WRITE : READ, a->addr, a->size_bytes, diag);
  }
  return rc;
}

/* ---- Recognition ---- */

static int line_label(const char *p, const char *end, int extended) {
  oct_lines l = {.p = p, .end = end, .begin = p};
  const char *field, *stop;
  uint64_t value;
  if (!oct_lines_field(&l, NULL, &field, &stop)) return -1;
  int label = label_of(field, stop);
  if (label < 0 || ((unsigned char)*field >= 'A') != extended) return 0;
  if (!oct_lines_field(&l, NULL, &field, &stop) || !oct_number(field, stop, 16, &value)) return 0;
  if (extended &&
      (!oct_lines_field(&l, NULL, &field, &stop) || !oct_number(field, stop, 16, &value)))
    return 0;
  /* `HART PRIVILEGE 0xPC (INSTRUCTION)` of a core begins as a label and an address do. */
  if (!extended && oct_lines_field(&l, NULL, &field, &stop) && stop - field > 2 && field[1] == 'x')
    return 0;
  return label == INVALIDATE || label == COPYBACK ? -1 : 1; /* -1: alone they are no trace */
}

static int is_classic(const char *p, const char *end) {
  return line_label(p, end, 0);
}

static int is_extended(const char *p, const char *end) {
  return line_label(p, end, 1);
}

static int din_probe(const uint8_t *p, size_t n, int is_text) {
  return is_text && oct_probe_lines(p, n, is_classic);
}

static int xdin_probe(const uint8_t *p, size_t n, int is_text) {
  return is_text && oct_probe_lines(p, n, is_extended);
}

static int dinbin_probe(const uint8_t *p, size_t n, int is_text) {
  for (size_t i = 0; i + BIN_BYTES <= n; i += BIN_BYTES)
    if (p[i + 4] > 64 || p[i + 5] || p[i + 6] > INVALIDATE || p[i + 7]) return 0;
  /* Pairs of small numbers would pass too: a fetch is asked for, of the size of an instruction. */
  for (size_t i = 0; !is_text && i + BIN_BYTES <= n; i += BIN_BYTES)
    if (p[i + 6] == FETCH && p[i + 4] && p[i + 4] <= 15) return 1;
  return 0;
}

static const oct_reader_ops din_reader = {
    .open = din_open, .fill = din_fill, .close = oct_lines_close};
static const oct_reader_ops dinbin_reader = {
    .open = din_open, .fill = dinbin_fill, .close = oct_lines_close};
static const oct_writer_ops din_writer = {.put = din_put};
const oct_format_desc oct_din_format = {.name = "din",
                                        .text = "DineroIV, text",
                                        .takes_numbers = 1,
                                        .variant = DIN,
                                        .probe = din_probe,
                                        .reader = &din_reader,
                                        .writer = &din_writer,
                                        .writes_text = 1,
                                        .addr_bits = 32,
                                        .insn_bytes = 4};
const oct_format_desc oct_xdin_format = {.name = "xdin",
                                         .text = "DineroIV with sizes, text",
                                         .variant = XDIN,
                                         .probe = xdin_probe,
                                         .reader = &din_reader,
                                         .writer = &din_writer,
                                         .writes_text = 1,
                                         .addr_bits = 32,
                                         .insn_bytes = 4};
const oct_format_desc oct_dinbin_format = {.name = "din-binary",
                                           .text = "DineroIV, binary",
                                           .variant = DIN_BINARY,
                                           .takes_numbers = 1,
                                           .is_guess = 1,
                                           .probe = dinbin_probe,
                                           .reader = &dinbin_reader,
                                           .writer = &din_writer,
                                           .addr_bits = 32,
                                           .insn_bytes = 4};
