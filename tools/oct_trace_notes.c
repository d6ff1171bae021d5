/* SPDX-License-Identifier: Apache-2.0 */
/* oct_trace_notes.c - what is said of a trace that was read and written: what the recording lost,
 * what its new format cannot carry, and what is left of it where damage ended the reading.
 */
#include "oct_cli.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* What no file of the program has, at n places. */
static void tell_lacking(const char *path, const oct_lacking *l, uint64_t n) {
  char text[OCT_LACKING_RANGES * (OCT_LACKING_NAME_BYTES + 80) + 1] = "";
  size_t at = 0;
  for (size_t i = 0; i < l->n_ranges; i++) {
    const oct_lacking_range *a = &l->ranges[i];
    at += (size_t)snprintf(text + at, sizeof text - at, "%s0x%" PRIx64, i ? ", " : "", a->first);
    if (a->last != a->first)
      at += (size_t)snprintf(text + at, sizeof text - at, " to 0x%" PRIx64, a->last);
    if (a->name[0]) at += (size_t)snprintf(text + at, sizeof text - at, " (%s)", a->name);
  }
  if (n)
    oct_cli_error(0,
                  "note: %s: no file has the code at %s%s, left out at %" PRIu64
                  " place%s: give the file that was there with --elf FILE[@BIAS]",
                  oct_cli_input_name(path), text, l->n_elsewhere ? " and elsewhere" : "", n,
                  OCT_S(n));
}

void oct_cli_tell_told_gaps(const char *path, const oct_reader *reader) {
  const uint64_t *told = oct_reader_gap_counts(reader)->told;
  char text[OCT_GAP_CAUSES * 48] = "";
  size_t at = 0;
  uint64_t n = 0;
  for (unsigned i = 0; i < OCT_GAP_CAUSES; i++) {
    if (told[i])
      at += (size_t)snprintf(text + at, sizeof text - at, "%s%" PRIu64 " %s", n ? ", " : "",
                             told[i], oct_gap_cause_name(i));
    n += told[i];
  }
  if (n)
    oct_cli_error(0, "note: %s: instructions are missing in %" PRIu64 " gap%s of the trace (%s)",
                  oct_cli_input_name(path), n, OCT_S(n), text);
}

void oct_cli_tell_gaps(const char *path, const oct_reader *reader) {
  const oct_lacking *l = oct_reader_lacking(reader);
  const oct_gap_counts *c = oct_reader_gap_counts(reader);
  const bool is_late = c->found[OCT_GAP_BEGINNING] > l->n_unsynced;
  if (l->skipped_bytes && is_late)
    oct_cli_error(0,
                  "note: %s: left out %" PRIu64
                  " byte%s before the first sync, where decoding begins: the trace lacks its "
                  "beginning",
                  oct_cli_input_name(path), l->skipped_bytes, OCT_S(l->skipped_bytes));
  else if (is_late)
    oct_cli_error(0, "note: %s: the trace lacks its beginning", oct_cli_input_name(path));
  if (l->n_unsynced)
    oct_cli_error(0,
                  "note: %s: left out %" PRIu64
                  " bytes of %s%s, in which there is no sync, where decoding begins",
                  oct_cli_input_name(path), l->unsynced_bytes, l->unsynced,
                  l->n_unsynced > 1 ? " and others" : "");
  if (l->n_absent)
    oct_cli_error(0, "note: %s: it names %s%s, which is missing: all that needs it is left out",
                  oct_cli_input_name(path), l->absent, l->n_absent > 1 ? " and others" : "");
  if (l->foreign_bytes)
    oct_cli_error(0,
                  "note: %s: left out %" PRIu64
                  " byte%s of trace units that it does not describe as ETMv4 (other trace IDs)",
                  oct_cli_input_name(path), l->foreign_bytes, OCT_S(l->foreign_bytes));
  if (l->n_open)
    oct_cli_error(0,
                  "note: %s: %" PRIu64 " stream%s of it end%s where tracing goes on, after %" PRIu64
                  " instruction%s: the rest is not known",
                  oct_cli_input_name(path), l->n_open, OCT_S(l->n_open), l->n_open == 1 ? "s" : "",
                  l->open_insns, OCT_S(l->open_insns));
  tell_lacking(path, l, c->found[OCT_GAP_NO_IMAGE]);
  const uint64_t n_lost = c->found[OCT_GAP_OVERFLOW] + c->found[OCT_GAP_LOST];
  if (n_lost)
    oct_cli_error(0, "note: %s: the recording itself lost instructions at %" PRIu64 " place%s",
                  oct_cli_input_name(path), n_lost, OCT_S(n_lost));
  oct_cli_tell_told_gaps(path, reader);
}

void oct_cli_tell_input(const char *path, const oct_reader *reader) {
  if (oct_reader_is_guess(reader))
    oct_cli_error(0, "note: %s: taken for %s, as it has numbers and no mark: --from names a format",
                  oct_cli_input_name(path), oct_format_name(oct_reader_info(reader)->format));
  const uint64_t n_odd = oct_reader_odd_accesses(reader);
  if (n_odd)
    oct_cli_error(0,
                  "note: %s: %" PRIu64
                  " access%s not of the kind that %s instruction makes: kept, "
                  "as the log has %s",
                  oct_cli_input_name(path), n_odd, n_odd == 1 ? " is" : "es are",
                  n_odd == 1 ? "its" : "their", n_odd == 1 ? "it" : "them");
  uint64_t first;
  const uint64_t n_breaks = oct_reader_breaks(reader, &first);
  if (n_breaks)
    oct_cli_error(0,
                  "note: %s: %" PRIu64
                  " instruction%s cannot follow the one before, first number %" PRIu64
                  ": lines are missing or damaged, or traps are not in the log",
                  oct_cli_input_name(path), n_breaks, OCT_S(n_breaks), first);
  const uint64_t n_bare = oct_reader_bare_accesses(reader);
  if (n_bare)
    oct_cli_error(0,
                  "note: %s: %" PRIu64
                  " load%s or store%s without address: lines are damaged, or "
                  "caused exceptions that are not in the log",
                  oct_cli_input_name(path), n_bare, OCT_S(n_bare), OCT_S(n_bare));
  const char *why;
  const uint64_t n_lost = oct_reader_lost_values(reader, &why);
  if (n_lost)
    oct_cli_error(0, "note: %s: the value%s of %" PRIu64 " access%s left out: %s",
                  oct_cli_input_name(path), OCT_S(n_lost), n_lost, n_lost == 1 ? " is" : "es are",
                  why);
  const int open = oct_reader_is_line_open(reader);
  if (open)
    oct_cli_error(0, "note: %s: the last line has no line end%s: the trace may be cut off",
                  oct_cli_input_name(path), open > 1 ? " and is left out" : "");
}

void oct_cli_tell_left_out(const char *name, uint64_t n, const char *more) {
  oct_cli_error(0, "note: %s: %" PRIu64 " %s left out%s", name, n,
                n == 1 ? "trap or change of privilege is" : "traps and changes of privilege are",
                more);
}

static const char *output_name(const char *out) {
  return strcmp(out, "-") ? out : "standard output";
}

int oct_cli_commit(oct_writer *w, const char *out, oct_diag *diag) {
  const uint64_t n = oct_writer_left_out(w);
  const uint64_t n_gaps = oct_writer_gaps_left_out(w);
  const int error = oct_writer_commit(w, diag);
  if (error >= 0 && n_gaps)
    oct_cli_error(0,
                  "note: %s: %" PRIu64
                  " gap%s of the trace %s not marked: the format has no place "
                  "for %s",
                  output_name(out), n_gaps, OCT_S(n_gaps), n_gaps == 1 ? "is" : "are",
                  n_gaps == 1 ? "it" : "them");
  if (error >= 0 && n)
    oct_cli_error(0, "note: %s: %" PRIu64 " access%s left out: the format has no room for %s",
                  output_name(out), n, n == 1 ? " is" : "es are", n == 1 ? "it" : "them");
  return error;
}

/* The tracer whose stream is written, and its parameters; else, or if they are wrong, NULL. */
static const oct_tracer *written_tracer(const oct_write_options *to, uint32_t *params) {
  bool given[OCT_TRACER_PARAMS_MAX] = {false};
  oct_diag diag = {0};
  const char *name = to->format == OCT_FORMAT_AUTO ? NULL : oct_format_name(to->format);
  const oct_tracer *t = name ? oct_tracer_find(name) : NULL;
  if (!t) return NULL;
  oct_tracer_defaults(t, params);
  return to->params && oct_tracer_parse(t, to->params, params, given, &diag) ? NULL : t;
}

void oct_cli_tell_written(const char *out, const oct_write_options *to, uint64_t n_traps) {
  static const char *const packed[] = {".gz", ".bz2", ".xz", ".zst"};
  uint32_t params[OCT_TRACER_PARAMS_MAX];
  const bool is_native = to->format == OCT_FORMAT_AUTO || to->format == oct_format_default();
  const oct_tracer *t = written_tracer(to, params);
  const bool keeps =
      is_native || oct_format_keeps_traps(to->format) || (t && oct_tracer_trap_parts(t, params));
  const char *dot = strrchr(out, '.');
  if (n_traps && !keeps) oct_cli_tell_left_out(output_name(out), n_traps, "");
  if (is_native && dot && !strcmp(dot, ".txt"))
    oct_cli_error(0, "note: %s: a native trace, in spite of its name: --to text writes text", out);
  for (size_t i = 0; i < sizeof packed / sizeof *packed && dot; i++)
    if (!strcmp(dot, packed[i]))
      oct_cli_error(0, "note: %s: not packed, in spite of its name: write to - and pipe that on",
                    out);
}

void oct_cli_tell_no_accesses(const char *out, const oct_write_options *to, uint64_t n_insns,
                              uint64_t n_accesses) {
  uint32_t params[OCT_TRACER_PARAMS_MAX];
  const oct_tracer *t = written_tracer(to, params);
  if (!t || !n_insns || n_accesses || !oct_tracer_carries_data(t, params)) return;
  const char *lacks = "the trace has no accesses, which a reader with the program's file expects";
  const int data = oct_tracer_role(t, OCT_ROLE_DATA);
  if (data < 0)
    oct_cli_error(0, "note: %s: %s", output_name(out), lacks);
  else
    oct_cli_error(0, "note: %s: %s: --to %s:%s=0", output_name(out), lacks, t->name,
                  oct_tracer_table(t).params[data].name);
}

void oct_cli_tell_map(const char *out, uint64_t n_entries) {
  if (n_entries > OCT_READ_MAP_MAX)
    oct_cli_error(
        0, "note: %s: %" PRIu64 " entries of the program map: to read it, give --max-map %" PRIu64,
        strcmp(out, "-") ? out : "standard output", n_entries, n_entries);
}

void oct_cli_tell_modules(const char *out, size_t n_late) {
  if (n_late)
    oct_cli_error(
        0, "note: %s: %zu file%s of code %s left out: the trace names %s after its beginning",
        output_name(out), n_late, OCT_S(n_late), n_late == 1 ? "is" : "are",
        n_late == 1 ? "it" : "them");
}

oct_before_text oct_cli_before(uint64_t insns, uint64_t accesses, bool is_doubtful) {
  oct_before_text t;
  snprintf(t.text, sizeof t.text, "the %s before it%s", oct_cli_counts(insns, accesses).text,
           is_doubtful ? ", some may be wrong (no check covers them)" : "");
  return t;
}

int oct_cli_tell_cut(const char *out, const char *what, const char *but, const char *salvage,
                     const oct_diag *damage, oct_before_text before) {
  return strcmp(out, "-") ? oct_cli_error(OCT_EXIT_INPUT, "%s: nothing%s is written (%s keeps %s)",
                                          oct_diag_line(damage).text, but, salvage, before.text)
                          : oct_cli_error(OCT_EXIT_INPUT, "%s: wrote %s%s",
                                          oct_diag_line(damage).text, what, before.text);
}
