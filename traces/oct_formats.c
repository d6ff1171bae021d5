/* SPDX-License-Identifier: Apache-2.0 */
/* oct_formats.c - the one table of trace formats, and which of them a file is in.
 *
 * Each format has a probe that looks at the first bytes. Formats with a mark of their own are asked
 * first, then those of text from the most to the least particular, at last bare pairs of numbers,
 * which only statistics tell. */
#include "oct_formats.h"

#include "oct_text_begin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* X(number, name): the formats. */
#define OCT_FORMATS(X)                     \
  X(OCT_FORMAT_NATIVE, native)             \
  X(OCT_FORMAT_TEXT, text)                 \
  X(OCT_FORMAT_BIN32, bin32)               \
  X(OCT_FORMAT_BIN64, bin64)               \
  X(OCT_FORMAT_SIMPLESCALAR, simplescalar) \
  X(OCT_FORMAT_LACKEY, lackey)             \
  X(OCT_FORMAT_DIN, din)                   \
  X(OCT_FORMAT_XDIN, xdin)                 \
  X(OCT_FORMAT_DINBIN, dinbin)             \
  X(OCT_FORMAT_CHAMPSIM, champsim)         \
  X(OCT_FORMAT_CLOUDSUITE, cloudsuite)     \
  X(OCT_FORMAT_SPIKE, spike)               \
  X(OCT_FORMAT_EXECLOG, execlog)           \
  X(OCT_FORMAT_GEM5, gem5)                 \
  X(OCT_FORMAT_DRMEMTRACE, drmemtrace)     \
  X(OCT_FORMAT_CVP, cvp)                   \
  X(OCT_FORMAT_PINATRACE, pinatrace)       \
  X(OCT_FORMAT_VPC3, vpc3)                 \
  X(OCT_FORMAT_PC, pc)                     \
  X(OCT_FORMAT_PC32, pc32)                 \
  X(OCT_FORMAT_PC64, pc64)                 \
  X(OCT_FORMAT_DA, da)                     \
  X(OCT_FORMAT_DA32, da32)                 \
  X(OCT_FORMAT_DA64, da64)                 \
  X(OCT_FORMAT_ETRACE, etrace)             \
  X(OCT_FORMAT_NTRACE, ntrace)             \
  X(OCT_FORMAT_INTEL_PT, intel_pt)         \
  X(OCT_FORMAT_PERF, perf)                 \
  X(OCT_FORMAT_ETMV4, etmv4)               \
  X(OCT_FORMAT_PAPER, paper)               \
  X(OCT_FORMAT_SHADOW, shadow)

#define OCT_X(number, name) extern const oct_format_desc oct_##name##_format;
OCT_FORMATS(OCT_X)
#undef OCT_X

static const oct_format_desc no_format = {.name = "auto", .addr_bits = 32};

static const oct_format_desc *const formats[OCT_FORMAT_COUNT] = {[OCT_FORMAT_AUTO] = &no_format,
#define OCT_X(number, name) [number] = &oct_##name##_format,
                                                                 OCT_FORMATS(OCT_X)
#undef OCT_X
};

/* Those with a mark of their own first, then by how much their records give away. */
static const uint8_t order[] = {
    OCT_FORMAT_PERF,       OCT_FORMAT_INTEL_PT, OCT_FORMAT_ETMV4,        OCT_FORMAT_NATIVE,
    OCT_FORMAT_DRMEMTRACE, OCT_FORMAT_VPC3,     OCT_FORMAT_SIMPLESCALAR, OCT_FORMAT_LACKEY,
    OCT_FORMAT_SPIKE,      OCT_FORMAT_EXECLOG,  OCT_FORMAT_GEM5,         OCT_FORMAT_XDIN,
    OCT_FORMAT_PINATRACE,  OCT_FORMAT_DIN,      OCT_FORMAT_TEXT,         OCT_FORMAT_CVP,
    OCT_FORMAT_CHAMPSIM,   OCT_FORMAT_DINBIN,   OCT_FORMAT_BIN64,        OCT_FORMAT_BIN32};

const oct_format_desc *oct_format_desc_of(oct_format format) {
  return (unsigned)format < OCT_FORMAT_COUNT ? formats[format] : &no_format;
}

const char *oct_format_name(oct_format format) {
  return (unsigned)format < OCT_FORMAT_COUNT ? formats[format]->name : "unknown";
}

int oct_format_can_write(oct_format format) {
  return oct_format_desc_of(format)->writer != NULL;
}

const char *oct_format_lacks(oct_format format) {
  const char *lacks = oct_format_desc_of(format)->lacks;
  return lacks ? lacks : "";
}

int oct_format_by_name(const char *name) {
  for (int f = 0; f < OCT_FORMAT_COUNT; f++)
    if (!strcmp(name, formats[f]->name)) return f;
  return OCT_ERR_ARG;
}

/* Files that are no trace of instructions, by their marks, and what takes them. */
static const struct {
  const char *mark, *text;
} others[] = {
    {"OCTCODC", "a compressed trace, which octrace decompress brings back"},
    {"OCTPORT", "a compressed trace, which octrace decompress brings back"},
    {"OCTEVNT", "a trace of function calls, which octrace events reads"},
    {"\177ELF", "a program (ELF), which octrace-capture runs and records"},
};

/* A mark of ours of whose letters one or two are damaged, or NULL: formats without a mark would
 * take such a file for theirs. */
static const char *damaged_mark(const uint8_t *p, size_t n) {
  static const char *const marks[] = {"OCTRACE", "OCTCODC", "OCTPORT", "OCTEVNT"};
  enum { LETTERS = 7, LEAST = 5 };
  for (size_t i = 0; n > LETTERS && i < sizeof marks / sizeof *marks; i++) {
    unsigned n_same = 0;
    for (size_t k = 0; k < LETTERS; k++) n_same += p[k] == (uint8_t)marks[i][k];
    if (n_same >= LEAST && n_same < LETTERS) return marks[i];
  }
  return NULL;
}

int oct_format_recognise(oct_input *in, bool *has_mark, oct_diag *diag) {
  const uint8_t *p;
  int64_t got = oct_input_peek(in, 4096, &p, diag);
  size_t n = (size_t)got, zeros = 0;
  *has_mark = false;
  if (got < 0) {
    /* Damage within the first bytes: go by those before it, which are to be delivered. */
    int rc = (int)got;
    oct_diag ignored;
    if ((got = oct_input_peek(in, 1, &p, &ignored)) <= 0) return rc;
    n = (size_t)got;
  }
  if (n > 4096) n = 4096;
  if (oct_text_is_utf16(p, n)) return oct_text_begin(in, diag);
  int is_text = oct_text_is_utf8(p, n);
  if (is_text) { /* the reader steps over the mark */
    size_t mark = oct_text_mark_bytes(p, n);
    p += mark;
    n -= mark;
  }
  if (!n) return oct_input_fail(in, 0, diag, OCT_ERR_FORMAT, "empty, expected a trace");
  while (zeros < n && !p[zeros]) zeros++;
  /* First of all: their headers quote the origins of traces, which listings are known by. */
  *has_mark = true;
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (n >= 8 && !memcmp(p, others[i].mark, strlen(others[i].mark)))
      return oct_input_fail(in, 0, diag, OCT_ERR_FORMAT, "%s; expected a trace itself",
                            others[i].text);
  const char *mark = damaged_mark(p, n);
  if (mark)
    return oct_input_fail(in, 0, diag, OCT_ERR_FORMAT, "the mark %s at its start is damaged", mark);
  *has_mark = false;
  /* Zeros alone would be records of many formats, and are what a hole in a file reads as. */
  for (size_t i = 0; i < sizeof order && zeros < n; i++)
    if (formats[order[i]]->probe && formats[order[i]]->probe(p, n, is_text)) return order[i];
  char found[3 * 8 + 1];
  for (size_t i = 0; i < 8 && i < n; i++) snprintf(found + 3 * i, 4, " %02x", p[i]);
  return oct_input_fail(in, 0, diag, OCT_ERR_FORMAT,
                        "expected a trace in a format that octrace can recognise, or --format for "
                        "one that it cannot (raw addresses: bin64, bin32), found bytes%s",
                        found);
}

bool oct_format_is_guess(int format) {
  switch (format) {
    case OCT_FORMAT_BIN32:
    case OCT_FORMAT_BIN64:
    case OCT_FORMAT_DINBIN:
    case OCT_FORMAT_CHAMPSIM:
    case OCT_FORMAT_CVP:
      return true;
    default:
      return false;
  }
}

int oct_format_list(const char *folder, char ***paths, size_t *n_paths, oct_diag *diag) {
  int rc = OCT_ERR_FORMAT;
  for (int f = 0; f < OCT_FORMAT_COUNT; f++) {
    if (!formats[f]->list) continue;
    if (!(rc = formats[f]->list(folder, paths, n_paths, diag))) return f;
    if (rc != OCT_ERR_FORMAT) return rc;
    free(*paths); /* of no files */
    *paths = NULL;
  }
  return rc;
}
