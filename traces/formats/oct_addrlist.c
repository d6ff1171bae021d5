/* SPDX-License-Identifier: Apache-2.0 */
/* oct_addrlist.c - bare instruction or data addresses: text, raw 32 and raw 64 bits; and VPC3's
 * pairs of an instruction address and extended data (docs/formats/addrlist.md, vpc3.md).
 *
 * A data address without an instruction gets one at address 0. */
#include "oct_lines.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { VPC3_HEAD_BYTES = 4, VPC3_BYTES = 12, OUT_BYTES = 32 };
static const char vpc3_head[] = "vpc3";

/* The variant of a format is the bytes of a raw address, 0 in text. */

static int take(oct_reader *r, uint64_t addr, oct_diag *diag) {
  int data = r->format->is_data_only;
  if (oct_reader_is_full(r, 1)) return 1;
  oct_reader_add_insn(r, data ? 0 : addr, OCT_SIZE_DEFAULT);
  return data ? oct_reader_add_access(r, addr, 0, 0, diag) : 0;
}

static int parse_line(oct_reader *r, oct_lines *l, oct_diag *diag) {
  const char *p, *end;
  uint64_t addr;
  int rc;
  if (!oct_lines_field(l, NULL, &p, &end) || *p == '#') return 0;
  if ((rc = oct_lines_address(r, l, p, end, &addr, diag))) return rc;
  if (oct_lines_field(l, NULL, &p, &end) && *p != '#')
    return oct_lines_wrong(r, l, "one address a line", p, end, diag);
  return take(r, addr, diag);
}

static int parse_raw(oct_reader *r, const uint8_t *p, oct_diag *diag) {
  return take(r, oct_get_le(p, r->format->variant), diag);
}

static int parse_vpc3(oct_reader *r, const uint8_t *p, oct_diag *diag) {
  if (oct_reader_is_full(r, 1)) return 1;
  oct_reader_add_insn(r, oct_get_le(p, 4), OCT_SIZE_DEFAULT);
  return oct_reader_add_access(r, oct_get_le(p + 4, 8), 0, 0, diag);
}

static int text_open(oct_reader *r, oct_diag *diag) {
  return oct_lines_open(r, sizeof(oct_lines), diag);
}

static int vpc3_open(oct_reader *r, oct_diag *diag) {
  const uint8_t *p;
  int rc = oct_record_peek(r, VPC3_HEAD_BYTES, &p, diag);
  if (rc < 0) return rc;
  if (!rc || memcmp(p, vpc3_head, VPC3_HEAD_BYTES))
    return oct_record_wrong(r, "the header vpc3", rc ? oct_get_le(p, 4) : 0, diag);
  oct_input_take(r->in, VPC3_HEAD_BYTES);
  return 0;
}

static int text_fill(oct_reader *r, oct_diag *diag) {
  return oct_lines_fill(r, r->state, parse_line, diag);
}

static int raw_fill(oct_reader *r, oct_diag *diag) {
  return oct_records_fill(r, r->format->variant, parse_raw, diag);
}

static int vpc3_fill(oct_reader *r, oct_diag *diag) {
  return oct_records_fill(r, VPC3_BYTES, parse_vpc3, diag);
}

/* ---- Writing ---- */

static int does_not_fit(oct_writer *w, uint64_t addr, oct_diag *diag) {
  return oct_fail(diag, OCT_ERR_LIMIT, "address 0x%" PRIx64 " does not fit into %s", addr,
                  oct_format_name(w->options.format));
}

static int put_addr(oct_writer *w, uint64_t addr, oct_diag *diag) {
  size_t width = w->format->variant;
  char out[OUT_BYTES];
  if (!width) {
    int n = snprintf(out, sizeof out, "%0*" PRIx64 "\n", oct_writer_digits(w), addr);
    return oct_outfile_write(w->file, out, (size_t)n, diag);
  }
  if (width == 4 && addr > UINT32_MAX) return does_not_fit(w, addr, diag);
  oct_put_le((uint8_t *)out, addr, (int)width);
  return oct_outfile_write(w->file, out, width, diag);
}

static int list_put(oct_writer *w, const oct_batch *batch, oct_diag *diag) {
  int data = w->format->is_data_only, rc = 0;
  size_t n = data ? batch->n_accesses : batch->n_insns;
  for (size_t i = 0; !rc && i < n; i++)
    rc = put_addr(w, data ? batch->accesses[i].addr : batch->insns[i].addr, diag);
  return rc;
}

static int vpc3_open_write(oct_writer *w, oct_diag *diag) {
  return oct_outfile_write(w->file, vpc3_head, VPC3_HEAD_BYTES, diag);
}

static int vpc3_put(oct_writer *w, const oct_batch *batch, oct_diag *diag) {
  const oct_access *a = batch->accesses;
  int rc = 0;
  for (size_t i = 0; !rc && i < batch->n_insns; i++)
    for (unsigned k = 0; !rc && k < batch->insns[i].n_access; k++, a++) {
      uint8_t out[VPC3_BYTES];
      if (batch->insns[i].addr > UINT32_MAX) return does_not_fit(w, batch->insns[i].addr, diag);
      oct_put_le(out, batch->insns[i].addr, 4);
      oct_put_le(out + 4, a->addr, 8);
      rc = oct_outfile_write(w->file, out, sizeof out, diag);
    }
  return rc;
}

static int vpc3_probe(const uint8_t *p, size_t n, int is_text) {
  (void)is_text;
  return n >= VPC3_HEAD_BYTES + VPC3_BYTES && !memcmp(p, vpc3_head, VPC3_HEAD_BYTES);
}

static const oct_reader_ops text_reader = {
    .open = text_open, .fill = text_fill, .close = oct_lines_close};
static const oct_reader_ops raw_reader = {.fill = raw_fill};
static const oct_reader_ops vpc3_reader = {.open = vpc3_open, .fill = vpc3_fill};
static const oct_writer_ops list_writer = {.put = list_put};
static const oct_writer_ops vpc3_writer = {.open = vpc3_open_write, .put = vpc3_put};
const oct_format_desc oct_pc_format = {.name = "pc",
                                       .text = "instruction addresses, text",
                                       .is_insns_only = 1,
                                       .reader = &text_reader,
                                       .writer = &list_writer,
                                       .writes_text = 1,
                                       .addr_bits = 32,
                                       .insn_bytes = 4};
const oct_format_desc oct_pc32_format = {.name = "pc32",
                                         .text = "instruction addresses, 32 bits each",
                                         .is_insns_only = 1,
                                         .variant = 4,
                                         .reader = &raw_reader,
                                         .writer = &list_writer,
                                         .addr_bits = 32,
                                         .insn_bytes = 4};
const oct_format_desc oct_pc64_format = {.name = "pc64",
                                         .text = "instruction addresses, 64 bits each",
                                         .is_insns_only = 1,
                                         .variant = 8,
                                         .reader = &raw_reader,
                                         .writer = &list_writer,
                                         .addr_bits = 64,
                                         .insn_bytes = 4};
const oct_format_desc oct_da_format = {.name = "da",
                                       .text = "data addresses, text",
                                       .lacks_kinds = 1,
                                       .is_data_only = 1,
                                       .reader = &text_reader,
                                       .writer = &list_writer,
                                       .writes_text = 1,
                                       .addr_bits = 32,
                                       .insn_bytes = 4};
const oct_format_desc oct_da32_format = {.name = "da32",
                                         .text = "data addresses, 32 bits each",
                                         .lacks_kinds = 1,
                                         .is_data_only = 1,
                                         .variant = 4,
                                         .reader = &raw_reader,
                                         .writer = &list_writer,
                                         .addr_bits = 32,
                                         .insn_bytes = 4};
const oct_format_desc oct_da64_format = {.name = "da64",
                                         .text = "data addresses, 64 bits each",
                                         .lacks_kinds = 1,
                                         .is_data_only = 1,
                                         .variant = 8,
                                         .reader = &raw_reader,
                                         .writer = &list_writer,
                                         .addr_bits = 64,
                                         .insn_bytes = 4};
const oct_format_desc oct_vpc3_format = {
    .name = "vpc3",
    .text = "VPC3's records of an instruction and a data address",
    .lacks_kinds = 1,
    .is_data_only = 1,
    .probe = vpc3_probe,
    .reader = &vpc3_reader,
    .writer = &vpc3_writer,
    .addr_bits = 64,
    .insn_bytes = 4};
