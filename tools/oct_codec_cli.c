/* SPDX-License-Identifier: Apache-2.0 */
/* oct_codec_cli.c - options, files and lists of the software codecs. */
#include "oct_codec_cli.h"

#include "oct_endian.h"
#include "oct_infile.h"
#include "oct_near.h"
#include "oct_peek.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

#include "oct_input.h"
#include "octrace/codec.h"

static const char *const input_names[] = {"auto",   "trace", "mem",     "loads",
                                          "stores", "vpc3",  "records", "addresses"};

int oct_codec_memory_arg(const char *cmd, const char *value, oct_codec_limits *limits) {
  uint64_t mib = 0;
  int code = oct_cli_range(cmd, "--max-memory", value, 1, UINT64_MAX >> 20, &mib);
  limits->memory_max_bytes = mib << 20;
  return code;
}

void oct_codec_limit(oct_codec_reader *r, const oct_codec_limits *limits) {
  if (limits->memory_max_bytes) oct_codec_reader_max_memory(r, limits->memory_max_bytes);
}

int oct_codec_threads_arg(const char *cmd, const char *value, unsigned *n_threads) {
  uint64_t number = 0;
  int code = oct_cli_range(cmd, "--jobs", value, 0, 64, &number);
  *n_threads = (unsigned)number;
  return code;
}

static const char *near_codecs(const void *context, unsigned i) {
  (void)context;
  return oct_codec_at(i) ? oct_codec_at(i)->name : NULL;
}

int oct_codec_refuse(const char *cmd, const char *text, const oct_diag *diag) {
  char name[40];
  snprintf(name, sizeof name, "%.*s", (int)strcspn(text, ":"), text);
  const char *near = oct_codec_find(name) ? "" : oct_near(name, "", near_codecs, NULL).text;
  if (!*near) return oct_cli_refuse(cmd, diag);
  return oct_cli_usage(cmd, "unknown codec '%s'%s", name, near);
}

void oct_codec_args_init(oct_codec_args *c) {
  *c = (oct_codec_args){.n_threads = 1};
}

int oct_codec_arg(oct_codec_args *c, const char *cmd, int code, const char *value) {
  switch (code) {
    case OCT_OPT_CODEC:
      c->codec = value;
      return 0;
    case OCT_OPT_APART:
      c->apart = true;
      return 0;
    case OCT_OPT_STATS:
      c->stats = true;
      return 0;
    case 'j':
      return oct_codec_threads_arg(cmd, value, &c->n_threads);
    case OCT_OPT_INPUT:
      for (unsigned i = 0; i < sizeof input_names / sizeof *input_names; i++)
        if (!strcmp(value, input_names[i])) {
          c->input = (oct_input_form)i;
          return 0;
        }
      return oct_cli_usage(cmd, "unknown input '%s': expected one that octrace help %s lists",
                           value, cmd);
    default:
      return -1;
  }
}

bool oct_codec_is_vpc3(const char **path) {
  const size_t n = sizeof OCT_VPC3_MAGIC - 1;
  struct stat st;
  oct_diag diag;
  oct_input *in;
  const uint8_t *p;
  uint8_t bytes[sizeof OCT_VPC3_MAGIC];
  if (!strcmp(*path, "-") || stat(*path, &st) || !S_ISREG(st.st_mode))
    return oct_peek(path, bytes, n) == n && !memcmp(bytes, OCT_VPC3_MAGIC, n);
  if (oct_input_open(*path, &in, &diag) < 0) return false;
  bool is = oct_input_peek(in, n, &p, &diag) >= (int64_t)n && !memcmp(p, OCT_VPC3_MAGIC, n);
  oct_input_close(in);
  return is;
}

void oct_codec_list(void) {
  static const char *const takes[] = {"any records", "(PC, ED) records", "64-bit addresses",
                                      "records by spec", "whole traces"};
  for (unsigned i = 0; oct_codec_at(i); i++) {
    const oct_codec *c = oct_codec_at(i);
    printf("%-12s version %" PRIu32 ", %s, %s: %s\n", c->name, c->version, takes[c->takes],
           c->lossless ? "lossless" : "lossy", c->text);
    for (unsigned k = 0; k < c->n_options; k++) {
      const oct_codec_option *o = &c->options[k];
      if (o->kind == OCT_OPTION_NUMBER)
        printf("    %s=%" PRIu64 "..%" PRIu64 " (%" PRIu64 ")  %s\n", o->name, o->min, o->max,
               o->def, o->text);
      else
        printf("    %s=%s  %s\n", o->name, o->choices, o->text);
    }
  }
  printf("\nEvery codec has stage=%s, level=N, segment=MIB, group=SEGMENTS.\n", oct_general_names);
}

static int sink_write(void *context, const void *bytes, size_t n, oct_diag *diag) {
  return oct_outfile_write(context, bytes, n, diag);
}

oct_sink oct_codec_file_sink(oct_outfile *f) {
  return (oct_sink){sink_write, f};
}

static int64_t source_read(void *context, void *bytes, size_t n, oct_diag *diag) {
  FILE *f = context;
  size_t got = fread(bytes, 1, n, f);
  if (got < n && ferror(f)) return oct_fail(diag, OCT_ERR_IO, "cannot read: %s", strerror(errno));
  return (int64_t)got;
}

oct_source_bytes oct_codec_file_source(FILE *f) {
  return (oct_source_bytes){source_read, f};
}

int oct_codec_open(const char **path, FILE **f, oct_diag *diag) {
  uint8_t bytes[OCT_CODEC_MAGIC_BYTES];
  size_t n = oct_peek(path, bytes, sizeof bytes);
  if (!oct_codec_is_file(bytes, n)) return 0;
  *f = strcmp(*path, "-") ? oct_infile_fopen(*path) : stdin;
  if (*f == stdin && oct_infile_note(fileno(stdin)))
    return oct_fail_in(diag, OCT_ERR_NOMEM, *path, "out of memory");
  return *f ? 1 : oct_fail_in(diag, OCT_ERR_IO, *path, "cannot open: %s", strerror(errno));
}

/* Bytes in memory as a source. */
typedef struct seen {
  const uint8_t *bytes;
  size_t n, at;
} seen;

static int64_t seen_read(void *context, void *bytes, size_t n, oct_diag *diag) {
  seen *s = context;
  (void)diag;
  if (n > s->n - s->at) n = s->n - s->at;
  memcpy(bytes, s->bytes + s->at, n);
  s->at += n;
  return (int64_t)n;
}

int oct_codec_open_records(const char **path, FILE **f, oct_diag *diag) {
  enum { SIZED = OCT_CODEC_MAGIC_BYTES + 4, HEAD_MAX = 1 << 15 };
  uint8_t bytes[HEAD_MAX];
  seen s = {.bytes = bytes, .n = oct_peek(path, bytes, SIZED)};
  oct_codec_reader *r = NULL;
  oct_diag ignored;
  if (s.n < SIZED || !oct_codec_is_file(bytes, s.n)) return 0;
  const size_t size = SIZED + (size_t)oct_get_u32(bytes + OCT_CODEC_MAGIC_BYTES) + 8;
  if (size > sizeof bytes) return 0;
  s.n = oct_peek(path, bytes, size);
  const oct_source_bytes source = {.read = seen_read, .context = &s};
  const bool has_records = !oct_codec_reader_new(&source, 0, &r, &ignored) &&
                           oct_codec_reader_head(r)->content != OCT_CONTENT_TRACE;
  oct_codec_reader_free(r);
  return has_records ? oct_codec_open(path, f, diag) : 0;
}
