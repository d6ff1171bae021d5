/* SPDX-License-Identifier: Apache-2.0 */
/* oct_formats.c - looking up trace formats, and which of them a file is in.
 *
 * Each format has a probe that looks at the first bytes. Formats with a mark of their own are asked
 * first, then those of text from the most to the least particular, at last bare pairs of numbers,
 * which only statistics tell. */
#include "oct_formats.h"

#include "oct_known_logs.h"
#include "oct_lines.h"
#include "oct_listings.h"
#include "oct_registry.h"
#include "oct_text_begin.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const oct_format_desc no_format = {.name = "auto", .text = "", .addr_bits = 32};

int oct_format_count(void) {
  int n = 0;
  while (oct_the_registry.formats[n]) n++;
  return n;
}

const oct_format_desc *oct_format_desc_of(oct_format format) {
  return format > OCT_FORMAT_AUTO && format <= oct_format_count()
             ? oct_the_registry.formats[format - 1]
             : &no_format;
}

static oct_format number_of(const oct_format_desc *desc) {
  oct_format f = 1;
  while (oct_the_registry.formats[f - 1] != desc) f++;
  return f;
}

const char *oct_format_name(oct_format format) {
  return format >= OCT_FORMAT_AUTO && format <= oct_format_count()
             ? oct_format_desc_of(format)->name
             : "unknown";
}

const char *oct_format_text(oct_format format) {
  return oct_format_desc_of(format)->text;
}

int oct_format_is_text(oct_format format) {
  return format != OCT_FORMAT_AUTO && oct_format_desc_of(format)->writes_text;
}

int oct_format_can_write(oct_format format) {
  return oct_format_desc_of(format)->writer != NULL;
}

int oct_format_keeps_values(oct_format format) {
  return oct_format_desc_of(format)->keeps_values;
}

int oct_format_keeps_gaps(oct_format format) {
  return oct_format_desc_of(format)->keeps_gaps;
}

int oct_format_keeps_traps(oct_format format) {
  return oct_format_desc_of(format)->keeps_traps;
}

unsigned oct_format_kinds(oct_format format) {
  const oct_format_desc *desc = oct_format_desc_of(format);
  return (desc->is_data_only ? 0 : OCT_KINDS_INSNS) |
         (desc->is_insns_only ? 0 : OCT_KINDS_ACCESSES);
}

const char *oct_format_lacks(oct_format format) {
  const char *lacks = oct_format_desc_of(format)->lacks;
  return lacks ? lacks : "";
}

int oct_format_by_name(const char *name) {
  if (!strcmp(name, no_format.name)) return OCT_FORMAT_AUTO;
  for (int f = 1; f <= oct_format_count(); f++)
    if (!strcmp(name, oct_the_registry.formats[f - 1]->name)) return f;
  return OCT_ERR_ARG;
}

oct_format oct_format_default(void) {
  for (int f = 1; f <= oct_format_count(); f++)
    if (oct_the_registry.formats[f - 1]->is_default) return f;
  return OCT_FORMAT_AUTO;
}

/* Files that are no trace of instructions, by their marks, and what takes them. */
static const struct {
  const char *mark, *text;
} others[] = {
    {"OCTEVNT", "a trace of function calls, which octrace events reads"},
    {"\177ELF", "a program (ELF), which octrace capture runs and records"},
    {"!<arch>\n", "an ar archive: ar p ARCHIVE FILE gives one of its files"},
    {"7z\274\257\047\034", "an archive of 7-Zip, which 7z x unpacks"},
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

/* Behind what stands in front of a line, or NULL. */
typedef const uint8_t *(*step)(const uint8_t *p, const uint8_t *end, unsigned n_words);

static bool is_blank(uint8_t c) {
  return c == ' ' || c == '\t';
}

static const uint8_t *behind_words(const uint8_t *p, const uint8_t *end, unsigned n_words) {
  for (unsigned k = 0; k < n_words; k++) {
    while (p < end && is_blank(*p)) p++;
    while (p < end && !is_blank(*p)) p++;
  }
  return p + (p < end);
}

/* A number as of cat -n, nl and grep -n. */
static const uint8_t *behind_number(const uint8_t *p, const uint8_t *end, unsigned n_words) {
  (void)n_words;
  while (p < end && is_blank(*p)) p++;
  const uint8_t *digits = p;
  while (p < end && isdigit(*p)) p++;
  return p > digits && p < end && (*p == ':' || *p == '\t' || *p == ' ') ? p + 1 : NULL;
}

/* The same behind the name of a file, as of grep -Hn. */
static const uint8_t *behind_name(const uint8_t *p, const uint8_t *end, unsigned n_words) {
  const uint8_t *colon = memchr(p, ':', (size_t)(end - p));
  if (!colon || colon == p || colon + 1 == end || !isdigit(colon[1])) return NULL;
  p = behind_number(colon + 1, end, n_words);
  return p && p[-1] == ':' ? p : NULL;
}

/* The format of a text behind what each line has in front, as loggers and simulators put it there,
 * or NULL. p has n <= RECOGNISE_BYTES bytes. */
enum { RECOGNISE_BYTES = 4096, PREFIX_WORDS = 8 };
static const oct_format_desc *format_behind(const uint8_t *p, size_t n, step prefix,
                                            unsigned n_words) {
  uint8_t lines[RECOGNISE_BYTES];
  size_t n_lines_bytes = 0;
  for (const uint8_t *end = p + n, *next; p < end; p = next) {
    const uint8_t *stop = memchr(p, '\n', (size_t)(end - p));
    next = stop ? stop + 1 : end;
    if (!stop && n_lines_bytes) break; /* it may be cut */
    const uint8_t *text = p;
    while (text < next && isspace(*text)) text++;
    if (text < next && !(p = prefix(p, stop ? stop : end, n_words))) return NULL;
    memcpy(lines + n_lines_bytes, p, (size_t)(next - p));
    n_lines_bytes += (size_t)(next - p);
  }
  for (const oct_format_desc *const *d = oct_the_registry.by_content; *d; d++)
    if (!(*d)->takes_numbers && !(*d)->writer && (*d)->probe(lines, n_lines_bytes, 1)) return *d;
  return NULL;
}

/* Fail if each line of a text has a number in front of what is a log. */
static int refuse_numbers(const oct_input *in, const uint8_t *p, size_t n, oct_diag *diag) {
  static const struct {
    step prefix;
    const char *text;
  } numbers[] = {{behind_number, "s/^[[:blank:]]*[0-9]+[:[:blank:]]//"},
                 {behind_name, "s/^[^:]*:[0-9]+://"}};
  const oct_format_desc *format;
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    if ((format = format_behind(p, n, numbers[i].prefix, 0)))
      return oct_input_fail(in, 0, diag, OCT_ERR_FORMAT,
                            "a log of the format %s with a number in front of each line: cut it "
                            "off with sed -E '%s' LOG | octrace ... -",
                            format->name, numbers[i].text);
  return 0;
}

/* Fail if a log begins behind more of another text than is looked at to recognise a trace. */
static int refuse_later(oct_input *in, oct_diag *diag) {
  const uint8_t *p;
  oct_diag ignored;
  const int64_t n = oct_input_peek(in, OCT_INPUT_PEEK_BYTES, &p, &ignored);
  for (const oct_format_desc *const *d = oct_the_registry.by_content; *d && n > 0; d++)
    if (!(*d)->takes_numbers && !(*d)->writer && (*d)->probe(p, (size_t)n, 1))
      return oct_input_fail(in, 0, diag, OCT_ERR_FORMAT,
                            "a log of the format %s after other text: --from %s reads it",
                            (*d)->name, (*d)->name);
  return 0;
}

/* Fail if a text is a log that is known but not read, or each line has the same number of words in
 * front of what is a log, or a log begins later. */
static int refuse_others(oct_input *in, const uint8_t *p, size_t n, oct_diag *diag) {
  const char *known = oct_known_log_of(p, n);
  if (known) {
    int rc = refuse_later(in, diag);
    return rc ? rc : oct_input_fail(in, 0, diag, OCT_ERR_FORMAT, "%s", known);
  }
  const oct_format_desc *format;
  const uint8_t *word = p, *stop = p + n;
  uint64_t value;
  while (word < stop && isspace(*word)) word++;
  const uint8_t *end = word;
  while (end < stop && !isspace(*end)) end++;
  if (oct_number((const char *)word, (const char *)end, 16, &value)) return 0;
  for (unsigned k = 1; k <= PREFIX_WORDS; k++)
    if ((format = format_behind(p, n, behind_words, k)))
      return oct_input_fail(
          in, 0, diag, OCT_ERR_FORMAT,
          "a log of the format %s with a prefix in front of each line: cut it "
          "off with sed -E 's/^([[:blank:]]*[^[:blank:]]+){%u}[[:blank:]]//' LOG | octrace ... -",
          format->name, k);
  /* A comment or directive of the format text may wait for more of a pipe. */
  return *p == '#' || *p == '!' ? 0 : refuse_later(in, diag);
}

/* A tar's header has the sum of its bytes, in octal, with blanks in place of that. Not all kinds of
 * tar have a mark, too. */
static bool is_tar(const uint8_t *p, size_t n) {
  enum { HEADER_BYTES = 512, SUM_AT = 148, SUM_BYTES = 8 };
  unsigned sum = 0, said = 0;
  if (n < HEADER_BYTES) return false;
  for (size_t i = 0; i < HEADER_BYTES; i++) sum += i - SUM_AT < SUM_BYTES ? ' ' : p[i];
  for (size_t i = SUM_AT; i < SUM_AT + SUM_BYTES; i++)
    if (p[i] >= '0' && p[i] <= '7') said = 8 * said + p[i] - '0';
  return said == sum;
}

/* The digits of a cpio's header fill it, which no list of addresses does. */
static bool is_cpio(const uint8_t *p, size_t n) {
  enum { NEW_BYTES = 110, OLD_BYTES = 76 };
  const bool is_new = n >= NEW_BYTES && (!memcmp(p, "070701", 6) || !memcmp(p, "070702", 6));
  const size_t n_digits = is_new ? NEW_BYTES : OLD_BYTES;
  if (!is_new && (n < OLD_BYTES || memcmp(p, "070707", 6))) return false;
  size_t i = 0;
  while (i < n_digits && isxdigit(p[i])) i++;
  return i == n_digits;
}

int oct_format_recognise(oct_input *in, bool *has_mark, bool *is_bare, oct_diag *diag) {
  const uint8_t *p;
  int64_t got = oct_input_peek(in, RECOGNISE_BYTES, &p, diag);
  size_t n = (size_t)got, zeros = 0;
  *has_mark = false;
  if (got < 0) {
    /* Damage within the first bytes: go by those before it, which are to be delivered. */
    int rc = (int)got;
    oct_diag ignored;
    if ((got = oct_input_peek(in, 1, &p, &ignored)) <= 0) return rc;
    n = (size_t)got;
  }
  if (n > RECOGNISE_BYTES) n = RECOGNISE_BYTES;
  if (oct_text_is_utf16(p, n)) return oct_text_begin(in, diag);
  int is_text = oct_text_is_utf8(p, n);
  if (is_text && memmem(p, n, "\033[", 2)) {
    oct_diag ignored;
    oct_input_take_as_text(in);
    if ((got = oct_input_peek(in, RECOGNISE_BYTES, &p, &ignored)) < 0)
      got = oct_input_peek(in, 0, &p, &ignored);
    n = got < 0 ? 0 : (size_t)got;
    if (n > RECOGNISE_BYTES) n = RECOGNISE_BYTES;
  }
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
    if (n >= strlen(others[i].mark) && !memcmp(p, others[i].mark, strlen(others[i].mark)))
      return oct_input_fail(in, 0, diag, OCT_ERR_FORMAT, "%s; expected a trace itself",
                            others[i].text);
  const char *mark = damaged_mark(p, n);
  if (mark)
    return oct_input_fail(in, 0, diag, OCT_ERR_FORMAT, "the mark %s at its start is damaged", mark);
  if (is_tar(p, n))
    return oct_input_fail(in, 0, diag, OCT_ERR_FORMAT,
                          "a tar archive; expected a trace itself: tar -xOf ARCHIVE FILE | octrace "
                          "... - reads one of it");
  if (is_cpio(p, n))
    return oct_input_fail(in, 0, diag, OCT_ERR_FORMAT,
                          "a cpio archive, which cpio -i unpacks; expected a trace itself");
  *has_mark = false;
  /* Zeros alone would be records of many formats, and are what a hole in a file reads as. */
  for (const oct_format_desc *const *d = oct_the_registry.by_content; *d && zeros < n; d++) {
    if (!(*d)->probe(p, n, is_text)) continue;
    const bool is_numbers = is_text && (*d)->takes_numbers;
    int rc = is_numbers ? refuse_numbers(in, p, n, diag) : 0;
    const char *listing = is_numbers ? oct_listing_of(p, n) : NULL;
    if (!rc && is_numbers && !listing) rc = refuse_others(in, p, n, diag);
    if (rc) return rc;
    *is_bare = (*d)->takes_numbers && (!is_text || oct_listing_is_bare(p, n));
    return listing ? oct_input_fail(in, 0, diag, OCT_ERR_FORMAT, "%s", listing) : number_of(*d);
  }
  int rc = is_text ? refuse_numbers(in, p, n, diag) : 0;
  if (!rc && is_text) rc = refuse_others(in, p, n, diag);
  if (rc) return rc;
  char found[3 * 8 + 1];
  for (size_t i = 0; i < 8 && i < n; i++) snprintf(found + 3 * i, 4, " %02x", p[i]);
  return oct_input_fail(in, 0, diag, OCT_ERR_FORMAT,
                        "expected a trace in a format that octrace can recognise, or --from for "
                        "one that it cannot (raw addresses: bin64, bin32), found bytes%s",
                        found);
}

bool oct_format_is_guess(int format) {
  return oct_format_desc_of(format)->is_guess;
}

int oct_format_list(const char *folder, char ***paths, size_t *n_paths, oct_diag *diag) {
  int rc = OCT_ERR_FORMAT;
  for (int f = 1; f <= oct_format_count(); f++) {
    const oct_format_desc *desc = oct_format_desc_of(f);
    if (!desc->list) continue;
    if (!(rc = desc->list(folder, paths, n_paths, diag))) return f;
    if (rc != OCT_ERR_FORMAT) return rc;
    free(*paths); /* of no files */
    *paths = NULL;
  }
  return rc;
}
