/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_compress.c - octrace compress: trace to container. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "oct_batch_rules.h"
#include "oct_cli.h"
#include "oct_endian.h"
#include "oct_codec_cli.h"
#include "octrace/container.h"
#include "oct_report.h"

const char oct_help_compress[] =
    "Usage: octrace compress [OPTION...] TRACE\n"
    "Run a trace through the compressor and keep the port bits, with the machine's parameters\n"
    "and the program map, in TRACE.octp.\n\n"
    "  -o, --output OUT    write to OUT instead\n"
    "      --engine untimed|cycle        untimed (default): no buffers, nothing is lost;\n"
    "                                    cycle: real buffers, latencies and pins\n"
    "      --filter SETTING,...          trace only a part (--engine cycle, with -g filters=N):\n"
    "                                    insns=LOW-HIGH, span=START-STOP, accesses=LOW-HIGH,\n"
    "                                    task=N, priv=usm, or REGISTER=VALUE\n"
    "      --program-apart  keep of --elf's program only the hash and the addresses: decompress\n"
    "                      needs the same program\n" OCT_RUN_HELP OCT_CODEC_HELP
        OCT_WRITE_EXIT_HELP;

typedef struct compress_run {
  oct_source source;
  oct_container_writer *writer;
  const oct_tracer *tracer;
  oct_program *program; /* that stands apart */
  void *encoder;
  uint64_t counters[OCT_TRACER_COUNTERS_MAX];
  const char *in, *out;
  uint64_t n_traps, n_updates;
  size_t n_modules; /* that the head may name */
} compress_run;

static int put_bits(compress_run *r, oct_diag *diag) {
  const uint8_t *bytes;
  size_t n = r->tracer->encoder.take(r->encoder, &bytes);
  return n ? oct_container_put_bits(r->writer, bytes, n, diag) : 0;
}

/* The gaps of the batch, which begins with instruction number first_insn. */
static int put_gaps(compress_run *r, const oct_batch *b, uint64_t first_insn, oct_diag *diag) {
  int error = 0;
  for (size_t i = 0; !error && i < b->n_facts; i++) {
    const oct_fact *f = &b->facts[i];
    const uint8_t *lost = oct_value_of(b, f->value);
    if (f->kind != OCT_FACT_GAP) continue;
    const oct_told_gap gap = {.insn = first_insn + f->insn,
                              .addr = f->addr,
                              .lost_insns = lost ? oct_get_u64(lost) : UINT64_MAX,
                              .lost_accesses = lost ? oct_get_u64(lost + 8) : UINT64_MAX,
                              .cause = (oct_gap_cause)f->number};
    error = oct_container_put_gap(r->writer, &gap, diag);
  }
  return error;
}

/* What breaks a rule of the trace would be refused when it is decoded. */
static int compress_all(compress_run *r, oct_diag *diag) {
  const oct_trace_info *t = oct_reader_info(r->source.reader);
  oct_batch_rules rules = {.addr_bits = t->addr_bits, .insn_align_bytes = t->insn_align_bytes};
  size_t n_good;
  int got, error = 0;
  while (!error && (got = oct_source_next(&r->source, diag)) != 0) {
    const oct_source *s = &r->source;
    if (got < 0) return got;
    r->n_traps += s->batch.n_traps;
    r->n_updates += s->n_updates;
    const uint64_t first = s->n_insns - s->batch.n_insns;
    error = oct_diag_in(diag, r->in, oct_batch_check(&rules, &s->batch, first, &n_good, diag));
    if (!error) error = put_gaps(r, &s->batch, first, diag);
    if (!error && s->n_updates)
      error = oct_container_put_map(r->writer, s->updates, s->n_updates, diag);
    if (!error) {
      const oct_tracer_input in = oct_tracer_input_of(&s->batch, s->updates, s->n_updates);
      error = oct_diag_in(diag, r->in, r->tracer->encoder.put(r->encoder, &in, diag));
    }
    if (!error) error = put_bits(r, diag);
  }
  if (!error) error = r->tracer->encoder.flush(r->encoder, diag);
  return error ? error : put_bits(r, diag);
}

static uint64_t count(const compress_run *r, const char *name) {
  return oct_tracer_count(r->tracer, r->counters, name);
}

static int compress(compress_run *r, const oct_run_args *a, oct_diag *diag) {
  const oct_trace_info *t = oct_reader_info(r->source.reader);
  const oct_container_info info = {.isa = t->isa,
                                   .origin = t->origin,
                                   .command = t->command,
                                   .insn_align_bytes = t->insn_align_bytes,
                                   .addr_bits = t->addr_bits,
                                   .program = r->program,
                                   .modules = t->modules,
                                   .n_modules = t->n_modules};
  r->n_modules = t->n_modules;
  int error = r->tracer->encoder.create(a->params, &a->run, &r->encoder, diag);
  if (!error) error = oct_container_create(r->out, r->tracer, a->params, &info, &r->writer, diag);
  if (!error) error = compress_all(r, diag);
  if (error) return error;
  r->tracer->encoder.counters(r->encoder, r->counters);
  /* Without the accesses that a filter leaves out of instructions that are traced. */
  const oct_container_totals totals = {
      .insns = r->source.n_insns,
      .accesses =
          a->run.filter ? count(r, "accesses") + count(r, "lost_accesses") : r->source.n_accesses,
      .lost_insns = count(r, "lost_insns"),
      .lost_accesses = count(r, "lost_accesses")};
  error = oct_container_commit(r->writer, &totals, diag);
  r->writer = NULL;
  return error;
}

static int report(const compress_run *r, const oct_run_args *a) {
  const oct_reported counted = {r->tracer, a->params, r->counters, r->encoder};
  uint64_t lost_insns = count(r, "lost_insns") - count(r, "filtered_insns");
  uint64_t lost_accesses = count(r, "lost_accesses") - count(r, "filtered_accesses");
  uint64_t lost_traps = count(r, "lost_traps") - count(r, "filtered_traps");
  if (a->json) {
    json_t *o = json_object();
    json_object_set_new(o, "trace", oct_report_string(oct_cli_input_name(r->in)));
    json_object_set_new(o, "engine",
                        json_string(a->run.engine == OCT_ENGINE_CYCLE ? "cycle" : "untimed"));
    json_object_set_new(o, "parameters", oct_report_params(r->tracer, a->params));
    json_object_update_new(o, oct_report_json(&counted));
    int code = oct_report_print(o);
    if (code) return code;
  } else {
    oct_report_text(stderr, &counted);
  }
  oct_cli_tell_alignment(r->in, r->source.found_align_bytes, a);
  oct_cli_tell_traps(r->in, r->n_traps, a);
  oct_cli_tell_map(r->out, r->n_updates);
  oct_cli_tell_modules(r->out, oct_reader_info(r->source.reader)->n_modules - r->n_modules);
  if (lost_insns || lost_accesses || lost_traps)
    return oct_cli_error(OCT_EXIT_LOSS, "%s: %s lost in %" PRIu64 " overflow%s", r->in,
                         oct_cli_lost(lost_insns, lost_accesses, lost_traps).text,
                         count(r, "overflows"), OCT_S(count(r, "overflows")));
  return OCT_EXIT_OK;
}

enum { OPT_FILTER = OCT_OPT_OWN, OPT_PROGRAM_APART };

int oct_cmd_compress(int argc, char **argv) {
  static const struct option options[] = {OCT_ENGINE_OPTION,
                                          OCT_RUN_OPTIONS,
                                          OCT_CODEC_OPTIONS,
                                          {"output", required_argument, NULL, 'o'},
                                          {"filter", required_argument, NULL, OPT_FILTER},
                                          {"program-apart", no_argument, NULL, OPT_PROGRAM_APART},
                                          {NULL, 0, NULL, 0}};
  compress_run r = {.out = NULL};
  oct_run_args a;
  oct_codec_args codec;
  oct_diag diag = {0};
  char *name = NULL;
  bool is_apart = false;
  int c;
  oct_run_args_init(&a);
  oct_codec_args_init(&codec);
  while ((c = oct_cli_getopt("compress", argc, argv, "g:j:o:", options)) != -1) {
    int code = 0;
    if (c == 'o')
      r.out = optarg;
    else if (c == OPT_PROGRAM_APART)
      is_apart = true;
    else if (c == OPT_FILTER)
      a.run.filter = optarg, a.cycle_option = "--filter";
    else if ((code = oct_codec_arg(&codec, "compress", c, optarg)) < 0)
      code = oct_run_arg(&a, "compress", c, optarg);
    if (code) return code;
  }
  if (optind + 1 != argc) return oct_cli_usage("compress", "one trace is needed");
  if ((c = oct_run_args_check(&a, "compress")) != 0) return c;
  if (is_apart && (codec.codec || !a.read.elf))
    return oct_cli_usage("compress",
                         "--program-apart is for the container of a tracer, with --elf");
  r.in = argv[optind];
  r.tracer = a.tracer;
  if (codec.codec) return oct_codec_compress(r.in, r.out, &codec, &a);
  if (!r.out && strcmp(r.in, "-")) {
    size_t size = strlen(r.in) + sizeof ".octp";
    name = malloc(size);
    if (!name) return oct_cli_error(OCT_EXIT_INPUT, "out of memory");
    snprintf(name, size, "%s.octp", r.in);
    r.out = name;
  } else if (!r.out) {
    r.out = "-";
  }
  int code = 0;
  if (a.json && !strcmp(r.out, "-"))
    code = oct_cli_usage("compress", "--json and the container cannot both go to standard output");
  if (!code) code = oct_cli_inputs(argv + optind, 1);
  if (!code) code = oct_cli_output("compress", r.out);
  if (!code) code = oct_cli_binary("compress", r.out);
  if (!code && oct_cli_open(&r.source, r.in, &a, "compress", &diag) < 0)
    code = oct_cli_diag(r.in, &diag);
  /* Apart from the reader's own, which knows what it was asked before. */
  if (!code && is_apart && oct_cli_program(&a.read, &r.program, &diag) < 0) {
    code = oct_cli_diag(NULL, &diag);
    oct_cli_close(&r.source, &a, diag.error);
  }
  if (!code) {
    int error = compress(&r, &a, &diag);
    oct_progress_end(&a.progress);
    if (error < 0 && diag.origin == OCT_ORIGIN_FILTER)
      code = oct_cli_usage("compress", "--%s", diag.text);
    else
      code = error < 0 ? oct_cli_diag(NULL, &diag) : report(&r, &a);
    if (r.writer) oct_container_abort(r.writer);
    r.tracer->encoder.destroy(r.encoder);
    oct_cli_close(&r.source, &a, error);
  }
  oct_program_close(r.program);
  free(name);
  return code;
}
