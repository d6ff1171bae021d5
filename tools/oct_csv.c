/* SPDX-License-Identifier: Apache-2.0 */
#include "oct_csv.h"

#include <string.h>

/* Bytes of text up to and with its next quote, of which another one has to follow; or all. */
static size_t piece(const char *text) {
  const size_t n = strcspn(text, "\"");
  return n + (text[n] == '"');
}

bool oct_csv_needs_quotes(const char *text) {
  return text[strcspn(text, ",\"\r\n")];
}

void oct_csv_print_quoted(FILE *f, const char *text) {
  fputc('"', f);
  for (size_t n; (n = piece(text)) != 0; text += n)
    fprintf(f, "%.*s%s", (int)n, text, text[n - 1] == '"' ? "\"" : "");
  fputc('"', f);
}

int oct_csv_write_quoted(oct_outfile *f, const char *text, oct_diag *diag) {
  int error = oct_outfile_write(f, "\"", 1, diag);
  for (size_t n; !error && (n = piece(text)) != 0; text += n) {
    error = oct_outfile_write(f, text, n, diag);
    if (!error && text[n - 1] == '"') error = oct_outfile_write(f, "\"", 1, diag);
  }
  return error ? error : oct_outfile_write(f, "\"", 1, diag);
}
