/* SPDX-License-Identifier: Apache-2.0 */
/* oct_ev_source.c - opens event traces of any format, and reads compressed ones.
 *
 * A directory is told by what it holds, a file by its first bytes. What reads each format stands
 * behind a table of operations (oct_ev_source_format.h). */
#include "oct_ev_source.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>

#include "oct_ev_file.h"
#include "oct_ev_reader.h"
#include "oct_ev_source_format.h"
#include "oct_input.h"
#include "oct_text_begin.h"

static const char *const names[] = {"auto",
#define OCT_X(name, word, text) word,
                                    OCT_EV_FORMATS(OCT_X)
#undef OCT_X
};

int oct_ev_format_by_name(const char *word) {
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!strcmp(names[i], word)) return (int)i;
  return -1;
}

const char *oct_ev_format_name(oct_ev_format format) {
  return names[format];
}

const char *oct_ev_parse_number(const char *p, const char *end, uint64_t *value) {
  const char *start = p;
  uint64_t v = 0;
  for (; p < end && *p >= '0' && *p <= '9'; p++) {
    if (v > (UINT64_MAX - 9) / 10) return NULL;
    v = 10 * v + (uint64_t)(*p - '0');
  }
  *value = v;
  return p == start ? NULL : p;
}

const char *oct_ev_parse_seconds(const char *p, const char *end, uint64_t *nanoseconds) {
  uint64_t fraction = 0, scale = 1000000000;
  p = oct_ev_parse_number(p, end, nanoseconds);
  if (!p || p == end || *p != '.' || *nanoseconds > UINT64_MAX / scale - 1) return NULL;
  const char *digits = ++p;
  if (!(p = oct_ev_parse_number(p, end, &fraction)) || p - digits > 9) return NULL;
  *nanoseconds *= scale;
  for (const char *d = digits; d < p; d++) scale /= 10;
  *nanoseconds += fraction * scale;
  return p;
}

int oct_ev_source_add_other(oct_ev_source *s, uint64_t time_ticks, uint32_t location,
                            oct_ev_other_form form, const void *bytes, size_t n_bytes,
                            oct_diag *diag) {
  if (n_bytes >= OCT_EV_OTHER_BYTES_MAX)
    return oct_fail_in(diag, OCT_ERR_LIMIT, s->path, "a record of %zu bytes: expected less than %u",
                       n_bytes, OCT_EV_OTHER_BYTES_MAX);
  oct_buffer_put_le(&s->bytes, form, 1);
  oct_buffer_put(&s->bytes, bytes, n_bytes);
  if (s->bytes.has_failed) return oct_fail_in(diag, OCT_ERR_NOMEM, s->path, "out of memory");
  oct_ev_source_add(s, time_ticks, location, 0, OCT_EV_OTHER)->other_bytes = (uint32_t)n_bytes + 1;
  return 0;
}

static int compressed_open(oct_ev_source *s, oct_diag *diag) {
  oct_ev_reader *r;
  int error = oct_ev_reader_open(s->path, &r, diag);
  s->state = r;
  if (!error) s->defs = oct_ev_reader_defs(r);
  return error;
}

static int compressed_next(oct_ev_source *s, oct_diag *diag) {
  int got = 1;
  while (oct_ev_source_room(s)) {
    oct_ev_record *r = &s->records[s->n];
    if ((got = oct_ev_reader_next(s->state, r, diag)) <= 0) break;
    s->n++;
    if (r->kind == OCT_EV_OTHER) oct_buffer_put(&s->bytes, r->other, r->other_bytes);
    if (s->bytes.has_failed) return oct_fail_in(diag, OCT_ERR_NOMEM, s->path, "out of memory");
  }
  return got < 0 ? got : s->n > 0;
}

static void compressed_close(oct_ev_source *s) {
  oct_ev_reader_close(s->state);
}

static const oct_ev_source_ops compressed_source = {compressed_open, compressed_next,
                                                    compressed_close};

/* Whether path is a directory that holds a file whose name ends so, or OCT_ERR_NOMEM. */
static int holds(const char *path, const char *ending) {
  DIR *dir = opendir(path);
  const struct dirent *e;
  size_t n = strlen(ending);
  int found = dir || errno != ENOMEM ? 0 : OCT_ERR_NOMEM;
  while (dir && !found && (e = readdir(dir)))
    found = strlen(e->d_name) >= n && !strcmp(e->d_name + strlen(e->d_name) - n, ending);
  if (dir) closedir(dir);
  return found;
}

/* The format of path; of standard input, which is read once, *in stays open for the reader. */
static int detect(const char *path, oct_ev_format *format, oct_input **in, oct_diag *diag) {
  struct stat st;
  size_t n = strlen(path);
  if (strcmp(path, "-") && !stat(path, &st) && S_ISDIR(st.st_mode)) {
    int is_uftrace = holds(path, "task.txt"), is_otf2 = is_uftrace ? 0 : holds(path, ".otf2");
    if (is_uftrace < 0 || is_otf2 < 0)
      return oct_fail_in(diag, OCT_ERR_NOMEM, path, "out of memory");
    *format = is_uftrace ? OCT_EV_FORMAT_UFTRACE : OCT_EV_FORMAT_OTF2;
    if (!is_uftrace && !is_otf2)
      return oct_fail_in(diag, OCT_ERR_FORMAT, path,
                         "expected task.txt of uftrace or an OTF2 anchor file in it");
    return 0;
  }
  if (n > 5 && !strcmp(path + n - 5, ".otf2")) {
    *format = OCT_EV_FORMAT_OTF2;
    return 0;
  }
  const uint8_t *p;
  int error = oct_input_open(path, in, diag);
  if (error) return error;
  error = oct_text_begin(*in, diag);
  int64_t got = error ? error : oct_input_peek(*in, 64, &p, diag);
  error = got < 0 ? (int)got : 0;
  *format = OCT_EV_FORMAT_TEXT;
  if (!got)
    error =
        oct_fail_in(diag, OCT_ERR_FORMAT, oct_input_name(*in), "empty, expected an event trace");
  else if (got >= OCT_EV_MAGIC_BYTES && oct_ev_is_magic(p))
    *format = OCT_EV_FORMAT_COMPRESSED;
  else if (got >= 7 && !memcmp(p, "uftrace", 7))
    *format = OCT_EV_FORMAT_UFTRACE_DUMP;
  if (!error && !strcmp(path, "-")) {
    if (*format != OCT_EV_FORMAT_COMPRESSED) return 0;
    error = oct_fail_in(diag, OCT_ERR_UNSUPPORTED, oct_input_name(*in),
                        "a compressed event file; expected --from octev for one in a pipe");
  }
  oct_input_close(*in);
  *in = NULL;
  return error;
}

static const oct_ev_source_ops *ops_of(oct_ev_format format) {
  switch (format) {
    case OCT_EV_FORMAT_COMPRESSED:
      return &compressed_source;
    case OCT_EV_FORMAT_TEXT:
      return &oct_ev_text_source;
    case OCT_EV_FORMAT_UFTRACE:
      return &oct_ev_uftrace_source;
    case OCT_EV_FORMAT_UFTRACE_DUMP:
      return &oct_ev_dump_source;
    case OCT_EV_FORMAT_OTF2:
      return &oct_ev_otf2_source;
    default:
      return NULL;
  }
}

int oct_ev_source_open(const char *path, oct_ev_format format, oct_ev_source **out,
                       oct_diag *diag) {
  oct_input *in = NULL;
  int error;
  *out = NULL;
  if (format == OCT_EV_FORMAT_AUTO && (error = detect(path, &format, &in, diag))) return error;
  const oct_ev_source_ops *ops = ops_of(format);
  if (!ops)
    return oct_fail_in(diag, OCT_ERR_UNSUPPORTED, path, "format %s cannot be read",
                       oct_ev_format_name(format));
  oct_ev_source *s = calloc(1, sizeof *s);
  if (!s) {
    oct_input_close(in);
    return oct_fail_in(diag, OCT_ERR_NOMEM, path, "out of memory");
  }
  s->in = in;
  s->ops = ops;
  s->format = format;
  s->defs = &s->own;
  s->path = strdup(path);
  s->records = malloc(OCT_EV_BATCH * sizeof *s->records);
  error = s->path && s->records ? ops->open(s, diag)
                                : oct_fail_in(diag, OCT_ERR_NOMEM, path, "out of memory");
  if (error) {
    oct_ev_source_close(s);
    return error;
  }
  *out = s;
  return 0;
}

int oct_ev_source_next(oct_ev_source *s, const oct_ev_record **records, size_t *n, oct_diag *diag) {
  s->n = s->bytes.n_bytes = 0;
  int got = s->ops->next(s, diag);
  const uint8_t *bytes = s->bytes.bytes;
  for (size_t i = 0; i < s->n; i++) {
    if (s->records[i].kind != OCT_EV_OTHER) continue;
    s->records[i].other = bytes;
    bytes += s->records[i].other_bytes;
  }
  *records = s->records;
  *n = s->n;
  return got;
}

oct_ev_format oct_ev_source_format(const oct_ev_source *s) {
  return s->format;
}
const oct_ev_defs *oct_ev_source_defs(const oct_ev_source *s) {
  return s->defs;
}
const char *oct_ev_source_note(const oct_ev_source *s) {
  return s->note[0] ? s->note : NULL;
}

void oct_ev_source_close(oct_ev_source *s) {
  if (!s) return;
  s->ops->close(s);
  oct_input_close(s->in);
  oct_ev_defs_free(&s->own);
  free(s->bytes.bytes);
  free(s->records);
  free(s->path);
  free(s);
}
