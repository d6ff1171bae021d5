/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_codec.c - octrace compress --codec: a trace or records to a codec file. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "oct_codec_cli.h"
#include "oct_input.h"
#include "octrace/codec.h"
#include "oct_report.h"

enum { STATS_MAX = 512, CHUNK_BYTES = 1 << 18 };

typedef struct codec_run {
  oct_codec_settings settings;
  const oct_codec_args *args;
  const char *in;
  oct_outfile *file;
  oct_sink sink;
  const char *out;
  oct_codec_parts parts;
  uint64_t n_insns, n_updates, n_records, raw_bytes, file_bytes;
  oct_codec_stat stats[STATS_MAX];
  char names[STATS_MAX][40];
  unsigned n_stats;
  size_t n_late_modules; /* that the trace names behind its beginning */
  bool at_output;        /* what failed is the output */
} codec_run;

static int run_write(void *context, const void *bytes, size_t n, oct_diag *diag) {
  codec_run *r = context;
  int error = oct_outfile_write(r->file, bytes, n, diag);
  r->at_output = error < 0;
  return error;
}

/* The files of streams that stand apart. */
static int create_parts(codec_run *r, oct_codec_writer *w, oct_diag *diag) {
  if (!r->args->apart) return 0;
  int error = oct_codec_parts_create(&r->parts, r->out, w, diag);
  r->at_output = error < 0;
  return error;
}

/* Keep what the file's encoder counted, which goes with it. */
static void keep(codec_run *r, const oct_codec_writer *w, unsigned channel) {
  const oct_codec_totals *t = oct_codec_writer_totals(w);
  r->n_records = t->records[channel];
  for (unsigned c = 0; c < OCT_CHANNELS_MAX; c++) r->raw_bytes += t->raw_bytes[c];
  r->file_bytes = t->file_bytes;
  r->n_stats = oct_codec_writer_stats(w, channel, r->stats, STATS_MAX);
  if (r->n_stats > STATS_MAX) r->n_stats = STATS_MAX;
  for (unsigned i = 0; i < r->n_stats; i++) {
    snprintf(r->names[i], sizeof r->names[i], "%s", r->stats[i].name);
    r->stats[i].name = r->names[i];
  }
}

/* All events of a trace. */
static int put_trace(codec_run *r, oct_source *s, oct_diag *diag) {
  oct_trace_split *split;
  const size_t n_modules = oct_reader_info(s->reader)->n_modules;
  int got = 0;
  int error = oct_trace_split_new(&r->settings, oct_reader_info(s->reader), &r->sink,
                                  r->args->n_threads, r->args->apart, &split, diag);
  if (!error) error = create_parts(r, oct_trace_split_writer(split), diag);
  while (!error && (got = oct_source_next(s, diag)) > 0) {
    error = oct_trace_split_put(split, &s->batch, s->updates, s->n_updates, diag);
    r->n_updates += s->n_updates;
  }
  if (!error && got < 0) error = got;
  if (!error) error = oct_trace_split_finish(split, diag);
  if (!error) keep(r, oct_trace_split_writer(split), 1);
  oct_trace_split_free(split);
  r->n_insns = s->n_insns;
  r->n_late_modules = oct_reader_info(s->reader)->n_modules - n_modules;
  return error;
}

static int open_records(codec_run *r, const uint8_t *prefix, size_t n_prefix,
                        const oct_layout *layout, oct_codec_writer **w, oct_diag *diag) {
  oct_codec_head *head = calloc(1, sizeof *head);
  if (!head) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  head->settings = r->settings;
  head->content = OCT_CONTENT_RECORDS;
  if (n_prefix) memcpy(head->prefix, prefix, n_prefix);
  head->n_prefix = (uint32_t)n_prefix;
  head->apart = r->args->apart;
  head->n_channels = 1;
  snprintf(head->channels[0].name, sizeof head->channels[0].name, "records");
  head->channels[0].layout = *layout;
  int error = oct_codec_writer_new(head, &r->sink, r->args->n_threads, w, diag);
  if (!error) error = create_parts(r, *w, diag);
  free(head);
  return error;
}

/* One kind of a trace's accesses, as a file of VPC3 records. */
static int put_accesses(codec_run *r, oct_source *s, oct_diag *diag) {
  oct_codec_writer *w = NULL;
  oct_buffer records = {0};
  unsigned shift = oct_records_pc_shift(oct_reader_info(s->reader)->insn_align_bytes);
  unsigned kinds = r->args->input == OCT_INPUT_LOADS    ? OCT_RECORDS_LOADS
                   : r->args->input == OCT_INPUT_STORES ? OCT_RECORDS_STORES
                                                        : OCT_RECORDS_LOADS | OCT_RECORDS_STORES;
  int got = 0;
  int error = open_records(r, (const uint8_t *)OCT_VPC3_MAGIC, 4, &oct_layout_pc_ed, &w, diag);
  while (!error && (got = oct_source_next(s, diag)) > 0) {
    records.n_bytes = 0;
    error = oct_records_append(&s->batch, kinds, shift, &records, diag);
    if (!error) error = oct_codec_writer_put(w, 0, records.bytes, records.n_bytes / 12, diag);
  }
  if (!error && got < 0) error = got;
  if (!error) error = oct_codec_writer_finish(w, diag);
  if (!error) keep(r, w, 0);
  oct_codec_writer_free(w);
  oct_buffer_free(&records);
  r->n_insns = s->n_insns;
  return error;
}

/* The layout of a file of records: what the codec takes. */
static int file_layout(codec_run *r, oct_layout *layout, oct_diag *diag) {
  if (r->args->input == OCT_INPUT_ADDRESSES) {
    *layout = oct_layout_addr64;
    return 0;
  }
  switch (r->args->input == OCT_INPUT_RECORDS ? r->settings.codec->takes : OCT_TAKES_PC_ED) {
    case OCT_TAKES_PC_ED:
      *layout = oct_layout_pc_ed;
      return 0;
    case OCT_TAKES_ADDR64:
      *layout = oct_layout_addr64;
      return 0;
    case OCT_TAKES_SPEC:
      return r->settings.codec->layout(&r->settings, layout, diag);
    default:
      *layout = oct_layout_byte;
      return 0;
  }
}

static int put_file(codec_run *r, oct_input *in, const oct_run_args *a, oct_diag *diag) {
  oct_codec_writer *w = NULL;
  const uint8_t *p;
  oct_layout layout = {0};
  size_t n_prefix = r->args->input == OCT_INPUT_VPC3 ? 4 : 0;
  uint64_t skip = a->skip, left = a->limit ? a->limit : UINT64_MAX;
  int error = file_layout(r, &layout, diag);
  if (error) return error;
  const size_t record_bytes = oct_layout_bytes(&layout), room = CHUNK_BYTES / record_bytes;
  uint8_t *buffer = malloc(room * record_bytes);
  if (!buffer) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  int64_t got = oct_input_peek(in, n_prefix ? n_prefix : 1, &p, diag);
  if (got < 0) {
    error = (int)got;
  } else if (n_prefix && (got < 4 || memcmp(p, OCT_VPC3_MAGIC, 4))) {
    error = oct_fail_at(diag, OCT_ERR_FORMAT, OCT_AT_BYTE, 0, "expected the text 'vpc3'");
  } else {
    error = open_records(r, p, n_prefix, &layout, &w, diag);
    oct_input_take(in, n_prefix);
  }
  while (!error && left) {
    uint64_t most = skip ? skip : left;
    got = oct_input_read(in, buffer, record_bytes * (size_t)(most < room ? most : room), diag);
    if (got <= 0) {
      error = (int)got;
      break;
    }
    size_t n = (size_t)got / record_bytes;
    if ((size_t)got % record_bytes)
      error = oct_fail_at(diag, OCT_ERR_TRUNCATED, OCT_AT_BYTE, oct_input_offset(in),
                          "the file ends within a record of %zu bytes", record_bytes);
    else if (!skip)
      error = oct_codec_writer_put(w, 0, buffer, n, diag);
    *(skip ? &skip : &left) -= n;
  }
  if (!error) error = oct_codec_writer_finish(w, diag);
  if (!error) keep(r, w, 0);
  oct_codec_writer_free(w);
  free(buffer);
  return error;
}

static int run_input(codec_run *r, oct_run_args *a, oct_diag *diag) {
  int error;
  if (r->args->input >= OCT_INPUT_VPC3) {
    oct_input *in;
    if ((error = oct_input_open(r->in, &in, diag)) < 0) return error;
    error = put_file(r, in, a, diag);
    oct_input_close(in);
    return error;
  }
  oct_source s;
  if ((error = oct_cli_open(&s, r->in, a, "compress", diag)) < 0) return error;
  error = r->args->input == OCT_INPUT_TRACE ? put_trace(r, &s, diag) : put_accesses(r, &s, diag);
  oct_cli_close(&s, a, error);
  return error;
}

static int report(const codec_run *r, bool json, double seconds) {
  char codec[OCT_CODEC_TEXT_MAX + 256];
  double raw = (double)r->raw_bytes, file = (double)r->file_bytes;
  oct_codec_print(&r->settings, codec, sizeof codec);
  if (json) {
    json_t *o = json_object(), *stats = json_object();
    json_object_set_new(o, "input", oct_report_string(r->in));
    json_object_set_new(o, "codec", json_string(codec));
    json_object_set_new(o, "instructions", json_integer((json_int_t)r->n_insns));
    json_object_set_new(o, "records", json_integer((json_int_t)r->n_records));
    json_object_set_new(o, "raw_bytes", json_integer((json_int_t)r->raw_bytes));
    json_object_set_new(o, "file_bytes", json_integer((json_int_t)r->file_bytes));
    for (unsigned i = 0; i < r->n_stats; i++)
      json_object_set_new(stats, r->stats[i].name, json_integer((json_int_t)r->stats[i].value));
    json_object_set_new(o, "counts", stats);
    return oct_report_print(o);
  }
  fprintf(stderr, "%s\n%" PRIu64 " record%s", codec, r->n_records, OCT_S(r->n_records));
  if (r->n_insns) fprintf(stderr, " of %" PRIu64 " instruction%s", r->n_insns, OCT_S(r->n_insns));
  fprintf(stderr, ", %" PRIu64 " byte%s in %" PRIu64 ", ratio %.2f, %.0f MB/s\n", r->raw_bytes,
          OCT_S(r->raw_bytes), r->file_bytes, raw / file, raw * 1e-6 / seconds);
  for (unsigned i = 0; r->args->stats && i < r->n_stats; i++) {
    const oct_codec_stat *s = &r->stats[i];
    if (s->of)
      fprintf(stderr, "  %-20s %6.2f %%\n", s->name, 100.0 * (double)s->value / (double)s->of);
    else
      fprintf(stderr, "  %-20s %" PRIu64 "\n", s->name, s->value);
  }
  return OCT_EXIT_OK;
}

int oct_codec_compress(const char *in, const char *out, const oct_codec_args *c, oct_run_args *a) {
  oct_codec_args args = *c;
  oct_diag diag = {0};
  char *name = NULL;
  codec_run *r = calloc(1, sizeof *r);
  struct timespec from, to;
  struct stat st;
  if (!r) return oct_cli_error(OCT_EXIT_INPUT, "out of memory");
  if (oct_codec_parse(c->codec, &r->settings, &diag)) {
    free(r);
    return oct_codec_refuse("compress", c->codec, &diag);
  }
  if (!out && strcmp(in, "-")) {
    if (asprintf(&name, "%s.octc", in) < 0) return oct_cli_error(OCT_EXIT_INPUT, "out of memory");
    out = name;
  }
  out = out ? out : "-";
  int code = oct_cli_inputs((char *const *)&in, 1);
  if (!code) code = oct_cli_output("compress", out);
  const char *path = in;
  if (args.input == OCT_INPUT_AUTO && !code)
    args.input = oct_codec_is_vpc3(&path) ? OCT_INPUT_VPC3 : OCT_INPUT_TRACE;
  r->args = &args;
  r->in = path;
  r->out = out;
  if (!code && args.apart && !strcmp(out, "-"))
    code = oct_cli_usage("compress", "--apart needs a file name");
  if (!code && args.apart && !stat(out, &st) && !S_ISREG(st.st_mode))
    code = oct_cli_usage("compress", "--apart needs a regular file, and %s is none", out);
  if (!code) code = oct_cli_binary("compress", out);
  if (!code && a->json && !strcmp(out, "-"))
    code = oct_cli_usage("compress", "--json and the file cannot both go to standard output");
  clock_gettime(CLOCK_MONOTONIC, &from);
  if (!code && oct_outfile_open(out, &r->file, &diag) < 0) code = oct_cli_diag(NULL, &diag);
  if (!code) {
    r->sink = (oct_sink){run_write, r};
    int error = run_input(r, a, &diag);
    if (error < 0) {
      oct_outfile_abort(r->file);
      code = oct_cli_diag(r->at_output ? NULL : in, &diag);
    } else if (oct_codec_parts_commit(&r->parts, out, r->file, &diag) < 0) {
      code = oct_cli_diag(NULL, &diag);
    }
    oct_codec_parts_close(&r->parts);
  }
  clock_gettime(CLOCK_MONOTONIC, &to);
  if (!code) oct_cli_tell_map(out, r->n_updates);
  if (!code) oct_cli_tell_modules(out, r->n_late_modules);
  if (!code)
    code = report(r, a->json,
                  (double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec));
  free(r);
  free(name);
  return code;
}
