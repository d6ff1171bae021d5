/* SPDX-License-Identifier: Apache-2.0 */
/* oct_trace_notes.c - what is said of a trace that was read and written: what the recording lost,
 * what its new format cannot carry, and what is left of it where damage ended the reading.
 */
#include "oct_cli.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* What no file of the program has. The number of such gaps. */
static uint64_t tell_lacking(const char *path, const oct_lacking *l) {
  uint64_t n_all = l->n_elsewhere;
  char text[OCT_LACKING_RANGES * (OCT_LACKING_NAME_BYTES + 80) + 1] = "";
  size_t at = 0;
  for (size_t i = 0; i < l->n_ranges; i++) {
    const oct_lacking_range *a = &l->ranges[i];
    n_all += a->n;
    at += (size_t)snprintf(text + at, sizeof text - at, "%s0x%" PRIx64, i ? ", " : "", a->first);
    if (a->last != a->first)
      at += (size_t)snprintf(text + at, sizeof text - at, " to 0x%" PRIx64, a->last);
    if (a->name[0]) at += (size_t)snprintf(text + at, sizeof text - at, " (%s)", a->name);
  }
  if (n_all)
    oct_cli_error(0,
                  "note: %s: no file has the code at %s%s, left out at %" PRIu64
                  " place%s: give the file that was there with --elf FILE[@BIAS]",
                  oct_cli_input_name(path), text, l->n_elsewhere ? " and elsewhere" : "", n_all,
                  OCT_S(n_all));
  return n_all;
}

void oct_cli_tell_gaps(const char *path, const oct_reader *reader) {
  const oct_lacking *l = oct_reader_lacking(reader);
  uint64_t n = oct_reader_gaps(reader);
  if (l->skipped_bytes)
    oct_cli_error(0,
                  "note: %s: left out %" PRIu64
                  " byte%s before the first sync, where decoding begins: the trace lacks its "
                  "beginning",
                  oct_cli_input_name(path), l->skipped_bytes, OCT_S(l->skipped_bytes));
  if (l->n_absent)
    oct_cli_error(0, "note: %s: it names %s%s, which is missing: all that needs it is left out",
                  oct_cli_input_name(path), l->absent, l->n_absent > 1 ? " and others" : "");
  if (l->foreign_bytes)
    oct_cli_error(0,
                  "note: %s: left out %" PRIu64
                  " byte%s of trace units that it does not describe as ETMv4 (other trace IDs)",
                  oct_cli_input_name(path), l->foreign_bytes, OCT_S(l->foreign_bytes));
  n -= tell_lacking(path, l);
  if (n)
    oct_cli_error(0, "note: %s: the recording itself lost instructions at %" PRIu64 " place%s",
                  oct_cli_input_name(path), n, OCT_S(n));
}

void oct_cli_tell_input(const char *path, const oct_reader *reader) {
  if (oct_reader_is_guess(reader))
    oct_cli_error(0, "note: %s: taken for %s, as it has numbers and no mark: --from names a format",
                  oct_cli_input_name(path), oct_format_name(oct_reader_info(reader)->format));
  if (oct_reader_is_line_open(reader))
    oct_cli_error(0, "note: %s: the last line has no line end: the trace may be cut off",
                  oct_cli_input_name(path));
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
  const int error = oct_writer_commit(w, diag);
  if (error >= 0 && n)
    oct_cli_error(0, "note: %s: %" PRIu64 " access%s left out: the format has no room for %s",
                  output_name(out), n, n == 1 ? " is" : "es are", n == 1 ? "it" : "them");
  return error;
}

void oct_cli_tell_written(const char *out, oct_format to, uint64_t n_traps) {
  static const char *const packed[] = {".gz", ".bz2", ".xz", ".zst"};
  bool is_native = to == OCT_FORMAT_AUTO || to == oct_format_default();
  bool keeps = is_native || oct_format_keeps_traps(to);
  const char *dot = strrchr(out, '.');
  if (n_traps && !keeps) oct_cli_tell_left_out(output_name(out), n_traps, "");
  if (is_native && dot && !strcmp(dot, ".txt"))
    oct_cli_error(0, "note: %s: a native trace, in spite of its name: --to text writes text", out);
  for (size_t i = 0; i < sizeof packed / sizeof *packed && dot; i++)
    if (!strcmp(dot, packed[i]))
      oct_cli_error(0, "note: %s: not packed, in spite of its name: write to - and pipe that on",
                    out);
}

void oct_cli_tell_map(const char *out, uint64_t n_entries) {
  if (n_entries > OCT_READ_MAP_MAX)
    oct_cli_error(
        0, "note: %s: %" PRIu64 " entries of the program map: to read it, give --max-map %" PRIu64,
        strcmp(out, "-") ? out : "standard output", n_entries, n_entries);
}

oct_before_text oct_cli_before(uint64_t insns, uint64_t accesses, bool is_doubtful) {
  oct_before_text t;
  snprintf(t.text, sizeof t.text, "the %s before it%s", oct_cli_counts(insns, accesses).text,
           is_doubtful ? ", some may be wrong (no check covers them)" : "");
  return t;
}

int oct_cli_tell_cut(const char *out, const char *what, const char *salvage, const oct_diag *damage,
                     oct_before_text before) {
  return strcmp(out, "-") ? oct_cli_error(OCT_EXIT_INPUT, "%s: nothing is written (%s keeps %s)",
                                          oct_diag_line(damage).text, salvage, before.text)
                          : oct_cli_error(OCT_EXIT_INPUT, "%s: wrote %s%s",
                                          oct_diag_line(damage).text, what, before.text);
}
