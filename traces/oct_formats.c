/* SPDX-License-Identifier: Apache-2.0 */
/* oct_formats.c - the one table of trace formats, and which of them a file is in.
 *
 * Each format has a probe that looks at the first bytes. Formats with a mark of their own are asked
 * first, then those of text from the most to the least particular, at last bare pairs of numbers,
 * which only statistics tell. */
#include "oct_formats.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static const oct_format_desc no_format = {.name = "auto", .addr_bits = 32};

static const oct_format_desc *const formats[OCT_FORMAT_COUNT] = {
    [OCT_FORMAT_AUTO] = &no_format,
    [OCT_FORMAT_NATIVE] = &oct_native_format,
    [OCT_FORMAT_TEXT] = &oct_text_format,
    [OCT_FORMAT_BIN32] = &oct_bin32_format,
    [OCT_FORMAT_BIN64] = &oct_bin64_format,
    [OCT_FORMAT_SIMPLESCALAR] = &oct_simplescalar_format,
    [OCT_FORMAT_LACKEY] = &oct_lackey_format,
    [OCT_FORMAT_DIN] = &oct_din_format,
    [OCT_FORMAT_XDIN] = &oct_xdin_format,
    [OCT_FORMAT_DINBIN] = &oct_dinbin_format,
    [OCT_FORMAT_CHAMPSIM] = &oct_champsim_format,
    [OCT_FORMAT_CLOUDSUITE] = &oct_cloudsuite_format,
    [OCT_FORMAT_SPIKE] = &oct_spike_format,
    [OCT_FORMAT_EXECLOG] = &oct_execlog_format,
    [OCT_FORMAT_GEM5] = &oct_gem5_format,
    [OCT_FORMAT_DRMEMTRACE] = &oct_drmemtrace_format,
    [OCT_FORMAT_CVP] = &oct_cvp_format,
    [OCT_FORMAT_PINATRACE] = &oct_pinatrace_format,
    [OCT_FORMAT_VPC3] = &oct_vpc3_format,
    [OCT_FORMAT_PC] = &oct_pc_format,
    [OCT_FORMAT_PC32] = &oct_pc32_format,
    [OCT_FORMAT_PC64] = &oct_pc64_format,
    [OCT_FORMAT_DA] = &oct_da_format,
    [OCT_FORMAT_DA32] = &oct_da32_format,
    [OCT_FORMAT_DA64] = &oct_da64_format,
};

/* Those with a mark of their own first, then by how much their records give away. */
static const uint8_t order[] = {OCT_FORMAT_NATIVE,       OCT_FORMAT_DRMEMTRACE, OCT_FORMAT_VPC3,
                                OCT_FORMAT_SIMPLESCALAR, OCT_FORMAT_LACKEY,     OCT_FORMAT_SPIKE,
                                OCT_FORMAT_EXECLOG,      OCT_FORMAT_GEM5,       OCT_FORMAT_XDIN,
                                OCT_FORMAT_PINATRACE,    OCT_FORMAT_DIN,        OCT_FORMAT_TEXT,
                                OCT_FORMAT_CVP,          OCT_FORMAT_CHAMPSIM,   OCT_FORMAT_DINBIN,
                                OCT_FORMAT_BIN64,        OCT_FORMAT_BIN32};

const oct_format_desc *oct_format_desc_of(oct_format format) {
  return (unsigned)format < OCT_FORMAT_COUNT ? formats[format] : &no_format;
}

const char *oct_format_name(oct_format format) {
  return (unsigned)format < OCT_FORMAT_COUNT ? formats[format]->name : "unknown";
}

int oct_format_can_write(oct_format format) {
  return oct_format_desc_of(format)->writer != NULL;
}

int oct_format_by_name(const char *name) {
  for (int f = 0; f < OCT_FORMAT_COUNT; f++)
    if (!strcmp(name, formats[f]->name)) return f;
  return OCT_ERR_ARG;
}

/* Files of octrace that are no trace of instructions, by their marks, and what reads them. */
static const struct {
  const char *mark, *text;
} others[] = {
    {"OCTCODC", "a compressed trace, which octrace decompress brings back"},
    {"OCTPORT", "a compressed trace, which octrace decompress brings back"},
    {"OCTEVNT", "a trace of function calls, which octrace events reads"},
};

int oct_format_recognise(oct_reader *r, oct_diag *diag) {
  const uint8_t *p;
  int64_t got = oct_input_peek(r->in, 4096, &p, diag);
  size_t n = (size_t)got, printable = 0, zeros = 0;
  if (got < 0) {
    /* Damage within the first bytes: go by those before it, which are to be delivered. */
    int rc = (int)got;
    oct_diag ignored;
    if ((got = oct_input_peek(r->in, 1, &p, &ignored)) <= 0) return rc;
    n = (size_t)got;
  }
  if (!n) return oct_input_fail(r->in, 0, diag, OCT_ERR_FORMAT, "empty, expected a trace");
  if (n > 4096) n = 4096;
  for (size_t i = 0; i < n; i++) printable += isprint(p[i]) || isspace(p[i]);
  while (zeros < n && !p[zeros]) zeros++;
  /* First of all: their headers quote the origins of traces, which listings are known by. */
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (n >= 8 && !memcmp(p, others[i].mark, 7))
      return oct_input_fail(r->in, 0, diag, OCT_ERR_FORMAT, "%s; expected a trace itself",
                            others[i].text);
  /* Zeros alone would be records of many formats, and are what a hole in a file reads as. */
  for (size_t i = 0; i < sizeof order && zeros < n; i++)
    if (formats[order[i]]->probe(p, n, printable == n)) return order[i];
  char found[3 * 8 + 1];
  for (size_t i = 0; i < 8 && i < n; i++) snprintf(found + 3 * i, 4, " %02x", p[i]);
  return oct_input_fail(r->in, 0, diag, OCT_ERR_FORMAT,
                        "expected a trace of a format that tells itself apart, or the name of one "
                        "that does not (raw addresses), found bytes%s",
                        found);
}
