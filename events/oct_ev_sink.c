/* SPDX-License-Identifier: Apache-2.0 */
/* oct_ev_sink.c - writes event traces as text, as bare records, and compressed.
 *
 * A table of operations for each format stands behind one interface. Text escapes what would end a
 * word or a line; function names that would not read back are refused before anything of them is
 * written. */
#include <stdio.h>

#include "oct_ev_otf2.h"
#include "oct_ev_sink_format.h"

enum { FLUSH_BYTES = 1 << 16 };

static int flush(oct_ev_sink *s, size_t at_least, oct_diag *diag) {
  if (s->out.has_failed) return oct_fail_in(diag, OCT_ERR_NOMEM, s->path, "out of memory");
  if (s->out.n_bytes < at_least || !s->out.n_bytes) return 0;
  int error = oct_outfile_write(s->file, s->out.bytes, s->out.n_bytes, diag);
  s->out.n_bytes = 0;
  return error;
}

static void put_number(oct_buffer *b, uint64_t v) {
  char digits[20];
  size_t n = sizeof digits;
  do {
    digits[--n] = (char)('0' + v % 10);
    v /= 10;
  } while (v);
  oct_buffer_put(b, digits + n, sizeof digits - n);
}

static void put_text(oct_buffer *b, const char *text) {
  oct_buffer_put(b, text, strlen(text));
}

/* A name as one word: blanks and line ends are escaped, and no name is \e. */
static void put_word(oct_buffer *b, const char *name) {
  static const char special[] = " \t\n\r\\", letters[] = "stnr\\";
  if (!*name) put_text(b, "\\e");
  for (; *name; name++) {
    const char *at = strchr(special, *name);
    char escaped[2] = {'\\', at ? letters[at - special] : 0};
    oct_buffer_put(b, at ? escaped : name, at ? 2 : 1);
  }
}

/* A function is the rest of a line as it is; look at those that are new. 0, or OCT_ERR_UNSUPPORTED
 * for one that a reader of lines would take for another or for none. */
static int check_functions(oct_ev_sink *s, oct_diag *diag) {
  for (; s->n_checked < s->defs->functions.n; s->n_checked++) {
    const char *name = oct_ev_names_text(&s->defs->functions, s->n_checked);
    size_t n = strlen(name);
    if (n && *name != ' ' && *name != '\t' && name[n - 1] != '\r' && !strchr(name, '\n')) continue;
    return oct_fail_in(diag, OCT_ERR_UNSUPPORTED, s->path,
                       "function %u is empty, begins with a blank or holds a line end: expected a "
                       "name that text can hold",
                       s->n_checked);
  }
  return 0;
}

static void put_head(oct_ev_sink *s) {
  put_text(&s->out, "# octrace events: time thread enter|leave function\n");
  if (s->defs->ticks_per_second) {
    put_text(&s->out, "# ticks_per_second ");
    put_number(&s->out, s->defs->ticks_per_second);
    put_text(&s->out, "\n");
  }
  for (uint32_t i = 0; i < s->defs->locations.n; i++) {
    put_text(&s->out, "# process ");
    put_word(&s->out, oct_ev_names_text(&s->defs->locations, i));
    put_text(&s->out, " ");
    put_word(&s->out, oct_ev_names_text(&s->defs->processes, s->defs->location[i].process));
    put_text(&s->out, "\n");
  }
  s->started = 1;
}

static int text_put(oct_ev_sink *s, const oct_ev_record *records, size_t n, oct_diag *diag) {
  oct_buffer *b = &s->out;
  int error = check_functions(s, diag);
  if (error) return error;
  if (!s->started) put_head(s);
  for (const oct_ev_record *r = records; r < records + n; r++) {
    put_number(b, r->time_ticks);
    put_text(b, " ");
    put_word(b, oct_ev_names_text(&s->defs->locations, r->location));
    if (r->kind == OCT_EV_OTHER) {
      put_text(b, " ");
      if (r->other_bytes && r->other[0] == OCT_EV_OTHER_TEXT)
        oct_buffer_put(b, r->other + 1, r->other_bytes - 1);
      else
        oct_ev_otf2_print(b, r->other, r->other_bytes);
    } else {
      put_text(b, r->kind == OCT_EV_ENTER ? " enter " : " leave ");
      put_text(b, oct_ev_names_text(&s->defs->functions, r->function));
    }
    put_text(b, "\n");
    if ((error = flush(s, FLUSH_BYTES, diag))) return error;
  }
  return 0;
}

static int text_finish(oct_ev_sink *s, oct_diag *diag) {
  if (!s->started) put_head(s);
  return flush(s, 0, diag);
}

/* 18 bytes an event, as the paper's records have: u64 time, u32 location, u32 function, u16 kind.
 */
static int records_put(oct_ev_sink *s, const oct_ev_record *records, size_t n, oct_diag *diag) {
  for (const oct_ev_record *r = records; r < records + n; r++) {
    if (r->kind == OCT_EV_OTHER) continue;
    oct_buffer_put_le(&s->out, r->time_ticks, 8);
    oct_buffer_put_le(&s->out, r->location, 4);
    oct_buffer_put_le(&s->out, r->function, 4);
    oct_buffer_put_le(&s->out, r->kind, 2);
  }
  return flush(s, FLUSH_BYTES, diag);
}

static int records_finish(oct_ev_sink *s, oct_diag *diag) {
  return flush(s, 0, diag);
}

static int compressed_open(oct_ev_sink *s, oct_diag *diag) {
  return oct_ev_compressor_new(s->params, s->file, &s->compressor, diag);
}
static int compressed_put(oct_ev_sink *s, const oct_ev_record *records, size_t n, oct_diag *diag) {
  return oct_ev_compressor_put(s->compressor, records, n, diag);
}
static int compressed_finish(oct_ev_sink *s, oct_diag *diag) {
  return oct_ev_compressor_finish(s->compressor, s->defs, diag);
}

static const oct_ev_sink_ops text_sink = {NULL, text_put, text_finish, NULL};
static const oct_ev_sink_ops records_sink = {NULL, records_put, records_finish, NULL};
static const oct_ev_sink_ops compressed_sink = {compressed_open, compressed_put, compressed_finish,
                                                NULL};

static void free_sink(oct_ev_sink *s) {
  if (s->ops && s->ops->close) s->ops->close(s);
  oct_ev_compressor_free(s->compressor);
  oct_outfile_abort(s->file);
  free(s->out.bytes);
  free(s->path);
  free(s);
}

int oct_ev_sink_open(const char *path, oct_ev_format format, const oct_ev_defs *defs,
                     const oct_ev_params *params, oct_ev_sink **out, oct_diag *diag) {
  *out = NULL;
  oct_ev_sink *s = calloc(1, sizeof *s);
  if (!s || !(s->path = strdup(path))) {
    free(s);
    return oct_fail_in(diag, OCT_ERR_NOMEM, path, "out of memory");
  }
  s->defs = defs;
  s->params = params;
  s->ops = format == OCT_EV_FORMAT_TEXT         ? &text_sink
           : format == OCT_EV_FORMAT_RECORDS    ? &records_sink
           : format == OCT_EV_FORMAT_COMPRESSED ? &compressed_sink
           : format == OCT_EV_FORMAT_OTF2       ? &oct_ev_otf2_sink
                                                : NULL;
  int error = 0;
  if (!s->ops)
    error = oct_fail_in(diag, OCT_ERR_UNSUPPORTED, path, "format %s cannot be written",
                        oct_ev_format_name(format));
  if (!error && s->ops != &oct_ev_otf2_sink) error = oct_outfile_open(path, &s->file, diag);
  if (!error && s->ops->open) error = s->ops->open(s, diag);
  if (error) {
    free_sink(s);
    return error;
  }
  *out = s;
  return 0;
}

int oct_ev_sink_put(oct_ev_sink *s, const oct_ev_record *records, size_t n, oct_diag *diag) {
  return s->ops->put(s, records, n, diag);
}

int oct_ev_sink_commit(oct_ev_sink *s, oct_ev_counts *counts, char note[200], oct_diag *diag) {
  int error = s->ops->finish(s, diag);
  if (!error && s->file) {
    error = oct_outfile_commit(s->file, diag);
    s->file = NULL;
  }
  if (counts && s->compressor) *counts = *oct_ev_compressor_counts(s->compressor);
  if (note) memcpy(note, s->note, sizeof s->note);
  free_sink(s);
  return error;
}

void oct_ev_sink_abort(oct_ev_sink *s) {
  if (s) free_sink(s);
}
