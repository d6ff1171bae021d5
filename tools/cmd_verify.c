/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_verify.c - octrace verify: trace to port bits and back, compared event by event. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "oct_batch_rules.h"
#include "oct_codec_cli.h"
#include "octrace/container.h"
#include "oct_advice.h"
#include "oct_report.h"

const char oct_help_verify[] =
    "Usage: octrace verify [OPTION...] TRACE...\n"
    "       octrace verify --container FILE.octp [OPTION...] TRACE\n"
    "Compress each trace, decode the port bits, and compare the result with the trace, event by\n"
    "event: address, size, task, and each access's address, size and kind. Events that an "
    "overflow\n"
    "packet reports as missing are skipped. The first difference is printed.\n\n"
    "      --against C[:OPTION=VALUE,...]  compare the trace decoded from the port with the\n"
    "                    trace decoded from software codec C (octrace list codecs)\n"
    "      --container FILE  compare with an existing compressed file; --skip and --limit are of "
    "both\n"
    "      --engine both|untimed|cycle   default both\n" OCT_RUN_HELP OCT_EXIT_HELP;

enum { OPT_CONTAINER = OCT_OPT_OWN };

typedef struct verify_result {
  uint64_t insns, equal, lost_traps;
  oct_decoder_counts counts;
  json_t *report;         /* of the compressor, NULL for a container */
  const char *unreadable; /* the file that an error is about */
} verify_result;

/* One engine and what decodes and compares its bits. An engine that differs is left alone. */
typedef struct verifier {
  const char *name;
  const oct_tracer *tracer;
  void *encoder, *decoder;
  oct_compare *compare;
  bool carries_traps;
  verify_result result;
  oct_diag diag;
} verifier;

/* Give the decoder what the encoder made, and compare what it makes of it. */
static int pump(verifier *v) {
  const oct_tracer_decoder *d = &v->tracer->decoder;
  const uint8_t *bytes;
  oct_decoded run;
  size_t n = v->tracer->encoder.take(v->encoder, &bytes);
  int got, error = n ? d->push(v->decoder, bytes, n, &v->diag) : 0;
  while (!error && (got = d->next(v->decoder, &run, &v->diag)) != 0)
    error = got < 0 ? got : oct_compare_run(v->compare, &run, &v->diag);
  return error;
}

static int verifier_open(verifier *v, const oct_run_args *a, oct_engine engine) {
  oct_run_options run = a->run;
  run.engine = engine;
  v->name = engine == OCT_ENGINE_CYCLE ? "cycle" : "untimed";
  v->tracer = a->tracer;
  v->compare = oct_compare_new(0);
  uint32_t traps = oct_tracer_trap_parts(a->tracer, a->params);
  v->carries_traps = traps;
  if (v->compare) oct_compare_trap_parts(v->compare, traps);
  const int isa = oct_tracer_register_isa(a->tracer, a->params);
  if (v->compare && isa >= 0) oct_compare_registers(v->compare, (oct_isa)isa);
  if (v->compare && !oct_tracer_carries_data(v->tracer, a->params))
    oct_compare_without_accesses(v->compare);
  int error = v->compare ? v->tracer->encoder.create(a->params, &run, &v->encoder, &v->diag)
                         : oct_fail(&v->diag, OCT_ERR_NOMEM, "out of memory");
  if (error) return error;
  error = v->tracer->decoder.create(a->params, OCT_START_IN_STEP, &v->decoder, &v->diag);
  if (!error && v->tracer->decoder.tell_results) v->tracer->decoder.tell_results(v->decoder);
  return error;
}

static int verifier_put(verifier *v, const oct_source *s) {
  const oct_tracer_input in = oct_tracer_input_of(&s->batch, s->updates, s->n_updates);
  if ((v->carries_traps && oct_compare_expect_traps(v->compare, in.traps, in.n_traps)) ||
      (v->tracer->carries_values &&
       (oct_compare_expect_facts(v->compare, in.facts, in.n_facts, in.values) ||
        oct_compare_expect_values(v->compare, in.values, in.n_values))) ||
      oct_compare_expect(v->compare, in.insns, in.n_insns, in.accesses))
    return oct_fail(&v->diag, OCT_ERR_NOMEM, "out of memory");
  int error =
      in.n_updates ? v->tracer->decoder.map(v->decoder, in.updates, in.n_updates, &v->diag) : 0;
  if (!error) error = v->tracer->encoder.put(v->encoder, &in, &v->diag);
  return error ? error : pump(v);
}

static int verifier_end(verifier *v) {
  int error = v->tracer->encoder.flush(v->encoder, &v->diag);
  if (!error) error = pump(v);
  v->tracer->decoder.finish(v->decoder);
  if (!error) error = pump(v);
  return error ? error : oct_compare_end(v->compare, &v->diag);
}

static void verifier_close(verifier *v) {
  if (v->tracer) v->tracer->encoder.destroy(v->encoder);
  if (v->tracer) v->tracer->decoder.destroy(v->decoder);
  oct_compare_free(v->compare);
  json_decref(v->result.report);
}

/* All engines take each batch in turn, so that a pipe does, too. An error of the trace. */
static int verify_stream(oct_source *s, verifier *v, unsigned n, uint64_t *n_traps,
                         oct_diag *diag) {
  const oct_trace_info *t = oct_reader_info(s->reader);
  oct_batch_rules rules = {.addr_bits = t->addr_bits, .insn_align_bytes = t->insn_align_bytes};
  size_t n_good;
  int got, error;
  for (; (got = oct_source_next(s, diag)) > 0; *n_traps += s->batch.n_traps) {
    error = oct_batch_check(&rules, &s->batch, s->n_insns - s->batch.n_insns, &n_good, diag);
    if (error) return oct_diag_in(diag, s->name, error);
    for (unsigned i = 0; i < n; i++)
      if (!v[i].diag.error) verifier_put(&v[i], s);
  }
  if (got < 0) return got;
  for (unsigned i = 0; i < n; i++)
    if (!v[i].diag.error) verifier_end(&v[i]);
  return 0;
}

/* Which depths of buffers would suffice, where --depths asks for them. */
static void tell_depths(const verifier *v, const char *path, const oct_run_args *a) {
  uint64_t counters[OCT_TRACER_COUNTERS_MAX];
  const oct_reported counted = {v->tracer, a->params, counters, v->encoder};
  if (!a->run.find_depths || a->json || strcmp(v->name, "cycle") != 0) return;
  v->tracer->encoder.counters(v->encoder, counters);
  printf("%s: %s: ", oct_cli_shown(path).text, v->name);
  oct_report_depths(stdout, &counted);
}

static void verifier_sum_up(verifier *v, const oct_source *s, const uint32_t *params) {
  uint64_t counters[OCT_TRACER_COUNTERS_MAX];
  const oct_reported counted = {v->tracer, params, counters, v->encoder};
  v->tracer->encoder.counters(v->encoder, counters);
  v->result.report = oct_report_json(&counted);
  v->tracer->decoder.counts(v->decoder, &v->result.counts);
  v->result.equal = oct_compare_equal(v->compare);
  v->result.lost_traps = oct_compare_lost_traps(v->compare);
  v->result.insns = s->n_insns;
}

/* Have n_insns of the trace waiting in compare, fewer only at its end (then *over). */
static int expect_more(oct_source *s, const oct_player *p, oct_compare *compare, size_t n_insns,
                       bool *over, oct_diag *diag) {
  uint32_t traps = oct_tracer_trap_parts(p->tracer, oct_container_params(p->reader));
  oct_compare_trap_parts(compare, traps);
  while (!*over && oct_compare_pending(compare) < n_insns) {
    int got = oct_source_next(s, diag);
    if (got < 0) return got;
    *over = got == 0;
    if (got &&
        ((traps && oct_compare_expect_traps(compare, s->batch.traps, s->batch.n_traps)) ||
         (p->tracer->carries_values &&
          (oct_compare_expect_facts(compare, s->batch.facts, s->batch.n_facts, s->batch.values) ||
           oct_compare_expect_values(compare, s->batch.values, s->batch.n_values))) ||
         oct_compare_expect(compare, s->batch.insns, s->batch.n_insns, s->batch.accesses)))
      return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  }
  return 0;
}

/* Up to the instruction of number end, or to the end of both. */
static int verify_player(oct_source *s, oct_player *p, oct_compare *compare, uint64_t end,
                         bool *in_container, oct_diag *diag) {
  oct_decoded run;
  oct_gap gap;
  bool over = false;
  int got, error = 0;
  uint64_t at = 0; /* instructions so far, lost ones too */
  while (!error && (got = oct_player_next(p, &run, &gap, diag)) != 0) {
    *in_container = got < 0;
    if (got < 0) return got;
    if (run.batch.n_insns) at = run.first_insn;
    if (end - at <= run.batch.n_insns) run.is_gap = 0, run.lost_insns = 0;
    oct_batch_cut(&run.batch, end - at);
    at += run.batch.n_insns;
    if (run.lost_insns > end - at) run.lost_insns = end - at;
    at += run.lost_insns;
    /* A trap behind the last of them may come with the batch that follows. */
    error = expect_more(s, p, compare, run.batch.n_insns + (run.batch.n_traps > 0), &over, diag);
    if (!error) error = oct_compare_run(compare, &run, diag);
    if (at == end) break;
  }
  /* What a last gap left out is dropped as it comes; one instruction more is one too many. */
  if (!error) error = expect_more(s, p, compare, 1, &over, diag);
  return error || at == end ? error : oct_compare_end(compare, diag);
}

static int verify_container(const char *path, const char *container, const oct_run_args *args,
                            verify_result *r, oct_diag *diag) {
  const bool is_part = args->skip || args->limit;
  const uint64_t end =
      args->limit && args->limit < UINT64_MAX - args->skip ? args->skip + args->limit : UINT64_MAX;
  oct_run_args a = *args;
  a.limit = 0; /* the comparison ends there */
  oct_source s;
  oct_player p;
  bool in_container = false;
  int error = oct_cli_open(&s, path, &a, "verify", diag);
  if (error < 0) return error;
  static const oct_replay_options strict = {.ends_at_damage = true};
  oct_program *program = NULL;
  error = oct_cli_program(&a.read, &program, diag);
  if (!error) error = oct_player_open(&p, container, 0, 0, program, &strict, diag);
  if (error < 0) {
    r->unreadable = container;
    oct_program_close(program);
    oct_cli_close(&s, &a, error);
    return error;
  }
  oct_compare *compare = oct_compare_new(a.skip);
  const int isa = oct_tracer_register_isa(p.tracer, oct_container_params(p.reader));
  if (compare && isa >= 0) oct_compare_registers(compare, (oct_isa)isa);
  if (compare && !oct_tracer_carries_data(p.tracer, oct_container_params(p.reader)))
    oct_compare_without_accesses(compare);
  error = compare ? verify_player(&s, &p, compare, end, &in_container, diag)
                  : oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  if (in_container) r->unreadable = container;
  oct_player_counts(&p, &r->counts);
  if (compare && is_part) oct_compare_counts(compare, &r->counts);
  if (compare) r->equal = oct_compare_equal(compare);
  if (compare) r->lost_traps = oct_compare_lost_traps(compare);
  r->insns = args->limit && args->limit < s.n_insns ? args->limit : s.n_insns;
  oct_compare_free(compare);
  oct_player_close(&p);
  oct_program_close(program);
  oct_cli_close(&s, &a, error);
  return error;
}

static json_t *result_json(const char *path, const char *engine, const verify_result *r, int error,
                           const oct_diag *diag) {
  json_t *o = json_object();
  json_object_set_new(o, "trace", oct_report_string(path));
  json_object_set_new(o, "engine", json_string(engine));
  json_object_set_new(o, "equal", json_boolean(error == 0));
  if (error) json_object_set_new(o, "difference", oct_report_string(oct_diag_reason(diag).text));
  json_object_set_new(o, "instructions", json_integer((json_int_t)r->insns));
  json_object_set_new(o, "instructions_equal", json_integer((json_int_t)r->equal));
  json_object_set_new(o, "gaps", json_integer((json_int_t)r->counts.gaps));
  json_object_set_new(o, "lost_instructions", json_integer((json_int_t)r->counts.lost_insns));
  json_object_set_new(o, "lost_accesses", json_integer((json_int_t)r->counts.lost_accesses));
  json_object_set_new(o, "lost_traps", json_integer((json_int_t)r->lost_traps));
  if (r->report) json_object_set(o, "report", r->report);
  return o;
}

/* Tell what came of one engine, or of a container. */
static int tell(const char *path, const char *engine, const verify_result *r, int error,
                const oct_diag *diag, const oct_run_args *a, json_t *results) {
  int code = OCT_EXIT_OK;
  if (error == OCT_ERR_MISMATCH) {
    code = OCT_EXIT_DIFFER;
    oct_cli_error(code, "%s: %s: %s", path, engine, oct_diag_reason(diag).text);
  } else if (error < 0) {
    return oct_cli_diag(r->unreadable, diag);
  } else if (r->counts.gaps || r->counts.lost_insns || r->counts.lost_accesses) {
    code = OCT_EXIT_LOSS;
    oct_cli_error(code, "%s: %s: %" PRIu64 " instruction%s equal, %s lost in %" PRIu64 " gap%s",
                  path, engine, r->equal, OCT_S(r->equal),
                  oct_cli_lost(r->counts.lost_insns, r->counts.lost_accesses, r->lost_traps).text,
                  r->counts.gaps, OCT_S(r->counts.gaps));
  } else if (!a->json) {
    printf("%s: %s: %s equal\n", oct_cli_shown(path).text, engine,
           oct_cli_counts(r->equal, r->counts.accesses).text);
  }
  if (a->json) json_array_append_new(results, result_json(path, engine, r, error, diag));
  return code;
}

/* The worse of two exit codes: bad input, then a difference, then loss. */
static int worse(int a, int b) {
  static const int rank[] = {
      [OCT_EXIT_OK] = 0, [OCT_EXIT_LOSS] = 1, [OCT_EXIT_DIFFER] = 2, [OCT_EXIT_INPUT] = 3};
  return rank[a] >= rank[b] ? a : b;
}

/* Verify one trace with the engines asked for, in one pass over it. */
static int verify_trace(const char *path, const oct_run_args *args, json_t *results) {
  oct_run_args a = *args;
  oct_source s;
  verifier v[2] = {{.name = NULL}};
  unsigned n = 0;
  uint64_t n_traps = 0;
  oct_diag diag = {0};
  int code = OCT_EXIT_OK;
  if (oct_cli_open(&s, path, &a, "verify", &diag) < 0) return oct_cli_diag(path, &diag);
  int error = 0;
  if (a.both_engines || a.run.engine == OCT_ENGINE_UNTIMED)
    error = verifier_open(&v[n++], &a, OCT_ENGINE_UNTIMED);
  if (!error && (a.both_engines || a.run.engine == OCT_ENGINE_CYCLE))
    error = verifier_open(&v[n++], &a, OCT_ENGINE_CYCLE);
  if (error)
    diag = v[n - 1].diag;
  else
    error = verify_stream(&s, v, n, &n_traps, &diag);
  oct_progress_end(&a.progress);
  for (unsigned i = 0; i < n && !error; i++) {
    verifier_sum_up(&v[i], &s, a.params);
    v[i].result.unreadable = path;
    int one = tell(s.name, v[i].name, &v[i].result, v[i].diag.error, &v[i].diag, &a, results);
    if (one == OCT_EXIT_OK || one == OCT_EXIT_LOSS) tell_depths(&v[i], s.name, &a);
    bool is_input = one == OCT_EXIT_INPUT; /* the trace's, and so of both */
    code = worse(code, one);
    if (is_input) break;
  }
  if (code == OCT_EXIT_OK && !error) {
    oct_cli_tell_alignment(path, s.found_align_bytes, &a);
    oct_cli_tell_traps(path, n_traps, &a);
  }
  if (code == OCT_EXIT_LOSS && s.found_align_bytes && !a.json) /* with the advice */
    printf("%s: %s\n", oct_cli_shown(s.name).text, oct_cli_alignment(s.found_align_bytes).text);
  if (error) code = oct_cli_diag(path, &diag);
  for (unsigned i = 0; i < n; i++) verifier_close(&v[i]);
  oct_cli_close(&s, &a, error);
  return code;
}

static int verify_one_container(const char *path, const char *container, const oct_run_args *a,
                                json_t *results) {
  verify_result r = {.unreadable = path};
  oct_diag diag = {0};
  int error = verify_container(path, container, a, &r, &diag);
  return tell(oct_cli_input_name(path), "container", &r, error, &diag, a, results);
}

/* Say what would let a trace through that lost events, if it can be read again. OCT_EXIT_LOSS, or
 * the exit code of what went wrong. */
static int advise(const char *path, const oct_run_args *a, char **argv) {
  struct stat file;
  oct_diag diag = {0};
  if (!a->tracer->has_cycle_engine) return OCT_EXIT_LOSS;
  if (a->json) return OCT_EXIT_LOSS;
  if (!strcmp(path, "-") || stat(path, &file) || !S_ISREG(file.st_mode)) {
    printf(
        "%s: for advice how to lose nothing, keep the trace (octrace convert - FILE.oct), and "
        "verify that file\n",
        oct_cli_shown(oct_cli_input_name(path)).text);
    return OCT_EXIT_LOSS;
  }
  int error = oct_advise(path, a, argv, &diag);
  return error ? oct_cli_diag(path, &diag) : OCT_EXIT_LOSS;
}

int oct_cmd_verify(int argc, char **argv) {
  static const struct option options[] = {OCT_ENGINE_OPTION,
                                          OCT_RUN_OPTIONS,
                                          {"against", required_argument, NULL, OCT_OPT_AGAINST},
                                          {"container", required_argument, NULL, OPT_CONTAINER},
                                          {NULL, 0, NULL, 0}};
  const char *container = NULL, *against = NULL;
  oct_run_args a;
  bool has_machine = false;
  int c;
  oct_run_args_init(&a);
  a.both_engines = true;
  while ((c = oct_cli_getopt("verify", argc, argv, "g:", options)) != -1) {
    int code = 0;
    if (c == 'g' || c == OCT_OPT_TRACER) has_machine = true;
    if (c == OPT_CONTAINER)
      container = optarg;
    else if (c == OCT_OPT_AGAINST)
      against = optarg;
    else
      code = oct_run_arg(&a, "verify", c, optarg);
    if (code) return code;
  }
  if (optind == argc) return oct_cli_usage("verify", "a trace is needed");
  if ((c = oct_run_args_check(&a, "verify")) != 0) return c;
  if (!a.tracer->has_cycle_engine) a.both_engines = false;
  if (container && optind + 1 != argc)
    return oct_cli_usage("verify", "--container takes exactly one trace");
  if (container && has_machine)
    return oct_cli_usage("verify", "--container has its own tracer and parameters");
  if (against && (container || a.json))
    return oct_cli_usage("verify", "--against cannot be combined with --container or --json");
  int code = oct_cli_inputs(argv + optind, (size_t)(argc - optind));
  if (code) return code;
  for (int i = optind; against && i < argc; i++) {
    int one = oct_codec_verify(argv[i], against, 1, &a);
    if (one == OCT_EXIT_USAGE) return one;
    code = worse(code, one);
  }
  if (against) return code;
  json_t *results = json_array();
  for (int i = optind; i < argc; i++) {
    int one = container ? verify_one_container(argv[i], container, &a, results)
                        : verify_trace(argv[i], &a, results);
    if (one == OCT_EXIT_LOSS && !container) one = advise(argv[i], &a, argv);
    code = worse(code, one);
  }
  if (!a.json)
    json_decref(results);
  else if (oct_report_print(results))
    code = OCT_EXIT_INPUT;
  return code;
}
