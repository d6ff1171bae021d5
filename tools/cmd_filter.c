/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_filter.c - octrace filter: what of a trace misses in first-level caches. */
#include <endian.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "octrace/cache.h"
#include "oct_cli.h"
#include "octrace/error.h"
#include "oct_report.h"

const char oct_help_filter[] =
    "Usage: octrace filter [OPTION...] IN [OUT]\n"
    "Keep the accesses of a trace that miss in first-level caches, and print the hit rates.\n"
    "Without OUT, only print them.\n\n"
    "  -o, --output OUT    instead of the second name\n"
    "      --preset P      caches: atc (default: instructions and data, each size=32K,ways=4,\n"
    "                      line=64,repl=lru,allocate=yes) or vpc3 (data only, size=16K,ways=1)\n"
    "      --icache C      the instruction cache: off, on, or NAME=VALUE,... of size, ways, line,\n"
    "                      repl (lru, fifo, plru, random)\n"
    "      --dcache C      the data cache, in the same way; also allocate (yes, no): whether a\n"
    "                      store that misses loads its block\n"
    "      --to F          format of OUT: native (default) or another one of octrace convert, "
    "with\n"
    "                      the instructions and accesses that missed; or blocks: the addresses of\n"
    "                      missed lines, raw, of 64 bits, instructions and data in trace order\n"
    "      --write-backs   with --to blocks: also evicted lines that were stored to, bit 0 set\n"
    "      --json          print the report as JSON to standard output\n" OCT_INPUT_HELP
        OCT_READ_EXIT_HELP;

enum { OPT_PRESET = OCT_OPT_OWN, OPT_ICACHE, OPT_DCACHE, OPT_FROM, OPT_TO, OPT_WRITE_BACKS };
enum { CHUNK = 4096 };

typedef struct filter_args {
  oct_cache_filter_config caches;
  const char *preset, *icache, *dcache;
  oct_read_options read;
  oct_write_options write;
  uint64_t skip, limit;
  bool to_blocks, json;
  const char *in, *out;
} filter_args;

/* What is under way: one of writer and blocks is there when there is an output. */
typedef struct filter_run {
  oct_reader *reader;
  oct_cache_filter *filter;
  oct_writer *writer;
  oct_outfile *blocks;
  uint64_t insns, accesses, n_traps, kept_insns, kept_accesses, n_blocks;
  bool cut; /* by damage of the trace, behind some of it */
} filter_run;

static int write_blocks(oct_outfile *f, const uint64_t *blocks, size_t n, oct_diag *diag) {
  uint64_t chunk[CHUNK];
  int error = 0;
  for (size_t i = 0; i < n && !error;) {
    size_t k = 0;
    while (k < CHUNK && i < n) chunk[k++] = htole64(blocks[i++]);
    error = oct_outfile_write(f, chunk, k * sizeof *chunk, diag);
  }
  return error;
}

static int filter_batch(filter_run *r, const oct_batch *b, oct_diag *diag) {
  oct_filtered missed;
  int error = oct_cache_filter_put(r->filter, b, &missed);
  if (error) return oct_fail(diag, error, "%s", oct_error_text(error));
  r->insns += b->n_insns;
  r->accesses += b->n_accesses;
  r->n_traps += b->n_traps;
  r->kept_insns += missed.events.n_insns;
  r->kept_accesses += missed.events.n_accesses;
  r->n_blocks += missed.n_blocks;
  if (r->writer) error = oct_writer_put(r->writer, &missed.events, diag);
  if (r->blocks) error = write_blocks(r->blocks, missed.blocks, missed.n_blocks, diag);
  return error;
}

static int filter_all(filter_run *r, const filter_args *a, oct_diag *diag) {
  oct_progress progress;
  oct_batch b;
  int got = 0, error = a->skip ? oct_reader_skip(r->reader, a->skip, diag) : 0;
  oct_progress_start(&progress, "filter");
  if (a->limit < UINT64_MAX) progress.limit = a->limit;
  if (a->skip) progress.begin = oct_reader_bytes_done(r->reader);
  while (error >= 0 && r->insns < a->limit && (got = oct_reader_next(r->reader, &b, diag)) > 0) {
    oct_batch_cut(&b, a->limit - r->insns);
    error = filter_batch(r, &b, diag);
    oct_progress_update(&progress, r->insns, oct_reader_bytes_done(r->reader),
                        oct_reader_bytes_total(r->reader));
  }
  oct_progress_end(&progress);
  r->cut = error >= 0 && got < 0 && oct_error_is_damage(got) && r->insns;
  if (error >= 0 && !got && a->skip && a->limit && !r->insns)
    error = oct_source_skipped_all(a->in, a->skip, diag);
  return error < 0 ? error : got;
}

static int open_output(filter_run *r, filter_args *a, oct_diag *diag) {
  oct_trace_info info = *oct_reader_info(r->reader);
  if (!a->out) return 0;
  if (a->to_blocks) return oct_outfile_open(a->out, &r->blocks, diag);
  info.n_insns = info.n_accesses = 0; /* those of the whole trace */
  a->write.info = &info;
  return oct_writer_open(a->out, &a->write, &r->writer, diag);
}

/* Finish the output, or throw it away after an error. */
static int close_output(filter_run *r, const char *out, int error, oct_diag *diag) {
  if (error < 0) {
    if (r->writer) oct_writer_abort(r->writer);
    oct_outfile_abort(r->blocks);
    return error;
  }
  if (r->writer) return oct_cli_commit(r->writer, out, diag);
  return r->blocks ? oct_outfile_commit(r->blocks, diag) : 0;
}

static double hit_rate(const oct_cache_counts *c) {
  return c->accesses ? 1 - (double)c->misses / (double)c->accesses : 0;
}

static json_t *cache_json(bool is_on, const oct_cache_config *config, const oct_cache_counts *c) {
  char text[128];
  if (!is_on) return json_null();
  oct_cache_config_print(config, text, sizeof text);
  json_t *o = json_object();
  json_object_set_new(o, "cache", json_string(text));
  json_object_set_new(o, "accesses", json_integer((json_int_t)c->accesses));
  json_object_set_new(o, "misses", json_integer((json_int_t)c->misses));
  json_object_set_new(o, "hit_rate", c->accesses ? json_real(hit_rate(c)) : json_null());
  json_object_set_new(o, "stores", json_integer((json_int_t)c->stores));
  json_object_set_new(o, "store_misses", json_integer((json_int_t)c->store_misses));
  json_object_set_new(o, "line_misses", json_integer((json_int_t)c->line_misses));
  json_object_set_new(o, "write_backs", json_integer((json_int_t)c->write_backs));
  return o;
}

static int print_json(const filter_run *r, const filter_args *a) {
  json_t *o = json_object();
  json_object_set_new(o, "trace", oct_report_string(oct_cli_input_name(a->in)));
  json_object_set_new(o, "instructions", json_integer((json_int_t)r->insns));
  json_object_set_new(o, "accesses", json_integer((json_int_t)r->accesses));
  json_object_set_new(o, "kept_instructions", json_integer((json_int_t)r->kept_insns));
  json_object_set_new(o, "kept_accesses", json_integer((json_int_t)r->kept_accesses));
  json_object_set_new(o, "blocks", json_integer((json_int_t)r->n_blocks));
  json_object_set_new(o, "instruction_cache",
                      cache_json(a->caches.has_insn_cache, &a->caches.insn_cache,
                                 oct_cache_filter_insn_counts(r->filter)));
  json_object_set_new(o, "data_cache",
                      cache_json(a->caches.has_data_cache, &a->caches.data_cache,
                                 oct_cache_filter_data_counts(r->filter)));
  return oct_report_print(o);
}

static void print_cache(const char *what, bool is_on, const oct_cache_config *config,
                        const oct_cache_counts *c) {
  char text[128];
  if (!is_on) return;
  oct_cache_config_print(config, text, sizeof text);
  fprintf(stderr, "%s (%s): hit rate %.4f %%\n", what, text, 100 * hit_rate(c));
  fprintf(stderr, "  %" PRIu64 " looked up, %" PRIu64 " missed, in %" PRIu64 " line%s", c->accesses,
          c->misses, c->line_misses, OCT_S(c->line_misses));
  if (c->stores)
    fprintf(stderr, "; %" PRIu64 " store%s, %" PRIu64 " missed; %" PRIu64 " write-back%s",
            c->stores, OCT_S(c->stores), c->store_misses, c->write_backs, OCT_S(c->write_backs));
  fputc('\n', stderr);
}

static void print_text(const filter_run *r, const filter_args *a) {
  fprintf(stderr, "of %s: ", oct_cli_counts(r->insns, r->accesses).text);
  fprintf(stderr, "%s, %" PRIu64 " block%s\n", oct_cli_counts(r->kept_insns, r->kept_accesses).text,
          r->n_blocks, OCT_S(r->n_blocks));
  print_cache("instruction cache", a->caches.has_insn_cache, &a->caches.insn_cache,
              oct_cache_filter_insn_counts(r->filter));
  print_cache("data cache", a->caches.has_data_cache, &a->caches.data_cache,
              oct_cache_filter_data_counts(r->filter));
}

static int filter(filter_args *a) {
  filter_run r = {0};
  oct_diag diag = {0};
  if (oct_cache_filter_new(&a->caches, &r.filter, &diag)) return oct_cli_diag(NULL, &diag);
  int error = oct_reader_open(a->in, &a->read, &r.reader, &diag);
  if (error >= 0) {
    error = open_output(&r, a, &diag);
    if (error >= 0) error = filter_all(&r, a, &diag);
    error = close_output(&r, a->out, error, &diag);
  }
  if (r.reader) oct_cli_tell_gaps(a->in, r.reader);
  if (error >= 0) oct_cli_tell_input(a->in, r.reader);
  if (error >= 0) oct_cli_tell_program(r.reader, r.insns);
  if (error >= 0 && a->out && !a->to_blocks) oct_cli_tell_written(a->out, &a->write, r.n_traps);
  const bool is_doubtful = r.reader && oct_reader_is_doubtful(r.reader);
  oct_reader_close(r.reader);
  int code = OCT_EXIT_OK;
  if (error < 0 && r.cut && a->out)
    code = oct_cli_tell_cut(a->out, "the misses of ", "", "octrace convert --salvage", &diag,
                            oct_cli_before(r.insns, r.accesses, is_doubtful));
  else if (error < 0)
    code = oct_cli_diag(NULL, &diag);
  if (!code && a->json) code = print_json(&r, a);
  if (!code && !a->json) print_text(&r, a);
  oct_cache_filter_free(r.filter);
  return code;
}

/* One side of the preset, changed by the option: "off", "on" or settings. */
static int change_cache(const char *option, const char *text, bool *is_on,
                        oct_cache_config *config) {
  oct_diag diag;
  if (!text) return 0;
  *is_on = strcmp(text, "off") != 0;
  if (!*is_on || !strcmp(text, "on")) return 0;
  return oct_cache_config_parse(text, config, &diag)
             ? oct_cli_usage("filter", "%s: %s", option, oct_diag_reason(&diag).text)
             : 0;
}

/* After the last option: the caches in all. */
static int choose_caches(filter_args *a) {
  bool write_backs = a->caches.write_backs;
  oct_cache_filter *tried;
  oct_diag diag;
  if (oct_cache_filter_preset(a->preset, &a->caches, &diag)) return oct_cli_refuse("filter", &diag);
  a->caches.write_backs = write_backs;
  int code = change_cache("--icache", a->icache, &a->caches.has_insn_cache, &a->caches.insn_cache);
  if (!code)
    code = change_cache("--dcache", a->dcache, &a->caches.has_data_cache, &a->caches.data_cache);
  if (code) return code;
  if (write_backs && !a->to_blocks)
    return oct_cli_usage("filter", "option --write-backs is for --to blocks");
  if (oct_cache_filter_new(&a->caches, &tried, &diag)) return oct_cli_refuse("filter", &diag);
  oct_cache_filter_free(tried);
  return 0;
}

static int take_option(filter_args *a, int c, char *value) {
  switch (c) {
    case 'o':
      a->out = value;
      return 0;
    case OPT_PRESET:
      a->preset = value;
      return 0;
    case OPT_ICACHE:
      a->icache = value;
      return 0;
    case OPT_DCACHE:
      a->dcache = value;
      return 0;
    case OPT_FROM:
      return oct_cli_read_format(&a->read, "filter", value);
    case OPT_TO:
      a->to_blocks = !strcmp(value, "blocks");
      return a->to_blocks ? 0 : oct_cli_write_format(&a->write, "filter", value);
    case OPT_WRITE_BACKS:
      a->caches.write_backs = true;
      return 0;
    case OCT_OPT_JSON:
      a->json = true;
      return 0;
    case OCT_OPT_SKIP:
      return oct_cli_skip("filter", value, &a->skip);
    case OCT_OPT_LIMIT:
      return oct_cli_limit("filter", value, &a->limit);
    default:
      return oct_cli_read_arg(&a->read, "filter", c, value);
  }
}

int oct_cmd_filter(int argc, char **argv) {
  static const struct option options[] = {OCT_READ_OPTIONS,
                                          {"output", required_argument, NULL, 'o'},
                                          {"preset", required_argument, NULL, OPT_PRESET},
                                          {"icache", required_argument, NULL, OPT_ICACHE},
                                          {"dcache", required_argument, NULL, OPT_DCACHE},
                                          {"from", required_argument, NULL, OPT_FROM},
                                          {"to", required_argument, NULL, OPT_TO},
                                          {"write-backs", no_argument, NULL, OPT_WRITE_BACKS},
                                          {"skip", required_argument, NULL, OCT_OPT_SKIP},
                                          {"limit", required_argument, NULL, OCT_OPT_LIMIT},
                                          {"json", no_argument, NULL, OCT_OPT_JSON},
                                          {NULL, 0, NULL, 0}};
  filter_args a = {.preset = "atc", .limit = UINT64_MAX};
  int c, code = 0;
  while (!code && (c = oct_cli_getopt("filter", argc, argv, "o:", options)) != -1)
    code = take_option(&a, c, optarg);
  if (code) return code;
  if (optind == argc || optind + 2 - (a.out != NULL) < argc)
    return oct_cli_usage("filter", "an input, and at most one output, is needed");
  a.in = argv[optind];
  if (!a.out) a.out = argv[optind + 1]; /* NULL behind the last */
  code = choose_caches(&a);
  if (!code && a.json && a.out && !strcmp(a.out, "-"))
    code = oct_cli_usage("filter", "--json and OUT cannot both go to standard output");
  if (!code) code = oct_cli_inputs(argv + optind, 1);
  if (!code) code = oct_cli_output("filter", a.out);
  if (!code && a.out && (a.to_blocks || !oct_format_is_text(a.write.format)))
    code = oct_cli_binary("filter", a.out);
  return code ? code : filter(&a);
}
