/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_decompress.c - octrace decompress: container to trace. */
#include <inttypes.h>
#include <string.h>

#include "oct_codec_cli.h"
#include "oct_gap_list.h"
#include "octrace/error.h"
#include "octrace/container.h"

const char oct_help_decompress[] =
    "Usage: octrace decompress [OPTION...] FILE.octp|FILE.octc\n"
    "Decode the port bits, or the streams of a codec, of a compressed file and write the trace "
    "(or\n"
    "the records) to standard output. A damaged file ends the output there, exit status 4.\n\n"
    "  -o, --output OUT    write to OUT instead\n"
    "      --to FORMAT     native (default) or another that can be written\n"
    "                      (see octrace list formats)\n"
    "      --lossy         accept the result of a lossy codec\n"
    "      --gaps FILE     write the gaps to FILE, as CSV: place, size, cause\n"
    "      --elf FILE[@BIAS]  the program of a file that was made with --program-apart; once more\n"
    "                      for each library\n"
    "      --max-map N     accept a program map of up to N updates (default "
    "4194304)\n" OCT_CODEC_BACK_THREADS_HELP OCT_CODEC_MEMORY_HELP
    "      --salvage       skip damaged parts, report the loss, exit status 3\n"
    "      --unconfirmed   also write instructions that no check of the port has confirmed:\n"
    "                      with damage some of them are wrong\n"
    "      --from-sync N   begin at sync number N, counted from 0; skip everything before "
    "it\n" OCT_WRITE_EXIT_HELP;

enum { OPT_TO = OCT_OPT_OWN, OPT_FROM_SYNC, OPT_LOSSY, OPT_GAPS, OPT_SALVAGE, OPT_UNCONFIRMED };

/* Decode everything into w and gaps; *damage is the first gap of damage, traps are counted. 0 or an
 * error; *reading says whether it is one of the input. */
static int decode_all(oct_player *p, oct_progress *progress, oct_writer *w, oct_outfile *gaps,
                      oct_gap *damage, uint64_t *n_traps, bool *reading, oct_diag *diag) {
  oct_decoded run;
  oct_gap gap;
  int got;
  *reading = true;
  while ((got = oct_player_next(p, &run, &gap, diag)) > 0) {
    oct_progress_update(progress, p->n_insns, oct_player_bytes_done(p),
                        oct_container_bytes_total(p->reader));
    int error = run.batch.n_insns || run.batch.n_traps ? oct_writer_put(w, &run.batch, diag) : 0;
    if (!error && run.is_gap) error = oct_gaps_put(gaps, &gap, diag);
    *n_traps += run.batch.n_traps;
    if (gap.error && !damage->error) *damage = gap;
    *reading = error == 0;
    if (error < 0) return error;
  }
  /* Of a file of which nothing is left nothing is made. */
  if (!got && damage->error && !p->n_insns) {
    *diag = damage->diag;
    got = diag->error;
  }
  *reading = got < 0;
  return got;
}

/* Whether damage ended the input: what came before it is kept, and the list tells of it. */
static bool is_damage(int error, bool reading) {
  return error < 0 && reading && error != OCT_ERR_NOMEM && error != OCT_ERR_LIMIT &&
         error != OCT_ERR_UNSUPPORTED;
}

/* What is missing behind damage that ended the input. */
static int put_end_gap(oct_outfile *gaps, const oct_player *p, const oct_diag *why,
                       oct_diag *diag) {
  oct_replay_counts counts;
  oct_replay_get_counts(p->replay, &counts);
  const uint64_t n =
      counts.insns + counts.gaps.lost_insns + counts.gaps.damaged_insns + p->tail_insns;
  bool is_known = oct_player_gave_all(p) && !counts.gaps.n_uncounted && p->totals.insns > n;
  const oct_gap gap = {.insn = n,
                       .lost_insns = is_known ? p->totals.insns - n : UINT64_MAX,
                       .lost_accesses = UINT64_MAX,
                       .error = why->error,
                       .is_end = 1,
                       .diag = *why};
  return oct_gaps_put(gaps, &gap, diag);
}

/* What is missing, told; the exit code. */
static int say_missing(const char *in, const oct_replay_counts *counts, bool has_traps,
                       const oct_gap *damage) {
  const char *least = counts->gaps.n_uncounted ? "at least " : "";
  char traps[64] = "";
  int code = OCT_EXIT_OK;
  if (has_traps && counts->gaps.n_trap_losses)
    snprintf(traps, sizeof traps, "; only traps can be missing in %" PRIu64 " of them",
             counts->gaps.n_trap_losses);
  if (counts->gaps.n_losses)
    code = oct_cli_error(OCT_EXIT_LOSS, "%s: %s%s lost in %" PRIu64 " gap%s%s", in, least,
                         oct_cli_counts(counts->gaps.lost_insns, counts->gaps.lost_accesses).text,
                         counts->gaps.n_losses, OCT_S(counts->gaps.n_losses), traps);
  if (counts->gaps.n_damages)
    code = oct_cli_error(OCT_EXIT_LOSS,
                         "%s: %s; damage in %" PRIu64 " place%s costs %s%" PRIu64
                         " instructions (--gaps lists all)",
                         in, oct_diag_reason(&damage->diag).text, counts->gaps.n_damages,
                         OCT_S(counts->gaps.n_damages), least, counts->gaps.damaged_insns);
  return code;
}

/* Of a file that does not say it: what the tracer's addresses have. */
static uint32_t address_bits(const oct_player *p) {
  int i = oct_tracer_role(p->tracer, OCT_ROLE_ADDR_BITS);
  return i < 0 || oct_container_params(p->reader)[i] > 32 ? 64 : 32;
}

/* Say what was kept of a damaged container. */
static int report_salvage(const char *in, const oct_player *p, uint64_t accesses) {
  char lost[80] = "how many are lost is unknown";
  if (p->has_totals && p->totals.insns >= p->n_insns)
    snprintf(lost, sizeof lost, "lost %" PRIu64 " instruction%s", p->totals.insns - p->n_insns,
             OCT_S(p->totals.insns - p->n_insns));
  return oct_cli_error(OCT_EXIT_LOSS, "%s: damaged in %u place%s, first: %s: kept %s, %s", in,
                       p->n_damaged, OCT_S(p->n_damaged), oct_diag_reason(&p->first_damage).text,
                       oct_cli_counts(p->n_insns, accesses).text, lost);
}

static int decompress(const char *in, const char *out, const char *gaps_out, oct_format format,
                      uint64_t from_sync, const oct_read_options *read, bool salvage,
                      bool is_unconfirmed) {
  const oct_replay_options how = {.is_unconfirmed = is_unconfirmed};
  oct_gap damage = {0};
  oct_player p;
  oct_progress progress;
  oct_writer *w = NULL;
  oct_outfile *gaps = NULL;
  oct_diag diag = {0};
  oct_program *program = NULL;
  if (oct_cli_program(read, &program, &diag) < 0) return oct_cli_diag(NULL, &diag);
  if (oct_player_open(&p, in, from_sync, read->map_max, program, &how, &diag) < 0) {
    oct_program_close(program);
    oct_gaps_put_all(gaps_out, &diag);
    return oct_cli_diag(in, &diag);
  }
  p.salvage = salvage;
  oct_progress_start(&progress, "decompress");
  const oct_container_info *c = oct_container_get_info(p.reader);
  const oct_trace_info info = {.isa = c->isa,
                               .origin = c->origin,
                               .command = c->command,
                               .addr_bits = c->addr_bits ? c->addr_bits : address_bits(&p),
                               .insn_align_bytes = c->insn_align_bytes ? c->insn_align_bytes : 1};
  const oct_write_options options = {.format = format, .info = &info};
  bool reading = false, cut = false, lost = false;
  uint64_t n_traps = 0;
  oct_diag why = {0};
  int error = oct_writer_open(out, &options, &w, &diag);
  if (error >= 0) {
    error = oct_gaps_open(gaps_out, &gaps, &diag);
    if (!error) error = decode_all(&p, &progress, w, gaps, &damage, &n_traps, &reading, &diag);
    if (is_damage(error, reading)) {
      cut = p.n_insns != 0;
      lost = !cut;
      why = diag;
      reading = false;
      error = cut || !damage.error ? put_end_gap(gaps, &p, &why, &diag) : 0;
    }
    /* The list first: where it cannot be written, what was there stays. */
    if (error < 0)
      oct_outfile_abort(gaps);
    else if (gaps)
      error = oct_outfile_commit(gaps, &diag);
    if (!error && lost) { /* nothing is left but the list */
      diag = why;
      error = why.error;
      reading = true;
    }
    if (error < 0)
      oct_writer_abort(w);
    else
      error = oct_cli_commit(w, out, &diag);
  }
  oct_replay_counts counts;
  oct_replay_get_counts(p.replay, &counts);
  counts.gaps.damaged_insns += p.tail_insns;
  oct_progress_end(&progress);
  if (error >= 0) oct_cli_tell_written(out, format, n_traps);
  int code = OCT_EXIT_OK;
  if (error >= 0 && cut)
    code = oct_cli_error(
        OCT_EXIT_INPUT,
        oct_player_gave_all(&p)
            ? "%s: %s: wrote all %s of the file; some may be wrong, missing or twice"
            : "%s: %s: wrote the %s before it; the rest is missing (--salvage "
              "goes on after it)",
        in, oct_diag_reason(&why).text, oct_cli_counts(counts.insns, counts.accesses).text);
  else if (error >= 0 && p.n_damaged)
    code = report_salvage(in, &p, counts.accesses);
  /* Then damage stands before it, and is to be told as well. */
  const bool is_end_wrong = cut && oct_player_gave_all(&p) && counts.gaps.n_damages;
  /* Only a machine with cycles loses traps. */
  const bool has_traps =
      p.tracer->has_cycle_engine && oct_tracer_trap_parts(p.tracer, oct_container_params(p.reader));
  oct_player_close(&p);
  oct_program_close(program);
  if (error < 0) return oct_cli_diag(reading ? in : NULL, &diag);
  if (code && !is_end_wrong) return code;
  int missing = say_missing(in, &counts, has_traps, &damage);
  return code ? code : missing;
}

int oct_cmd_decompress(int argc, char **argv) {
  static const struct option options[] = {
      {"output", required_argument, NULL, 'o'},
      {"to", required_argument, NULL, OPT_TO},
      {"from-sync", required_argument, NULL, OPT_FROM_SYNC},
      {"lossy", no_argument, NULL, OPT_LOSSY},
      {"gaps", required_argument, NULL, OPT_GAPS},
      {"max-map", required_argument, NULL, OCT_OPT_MAX_MAP},
      {"max-memory", required_argument, NULL, OCT_OPT_MAX_MEMORY},
      {"jobs", required_argument, NULL, 'j'},
      {"elf", required_argument, NULL, OCT_OPT_ELF},
      {"salvage", no_argument, NULL, OPT_SALVAGE},
      {"unconfirmed", no_argument, NULL, OPT_UNCONFIRMED},
      {NULL, 0, NULL, 0}};
  const char *out = "-", *gaps = NULL;
  oct_write_options write = {.format = OCT_FORMAT_AUTO};
  oct_read_options read = {0};
  oct_codec_limits limits = {0};
  uint64_t from_sync = 0;
  unsigned n_threads = 1;
  bool lossy = false, synced = false, unconfirmed = false, salvage = false;
  FILE *file;
  oct_diag diag = {0};
  int c, code = 0;
  while (!code && (c = oct_cli_getopt("decompress", argc, argv, "o:j:", options)) != -1) {
    if (c == 'o')
      out = optarg;
    else if (c == OPT_TO)
      code = oct_cli_write_format(&write, "decompress", optarg);
    else if (c == OPT_LOSSY)
      lossy = true;
    else if (c == OPT_GAPS)
      gaps = optarg;
    else if (c == OPT_SALVAGE)
      salvage = true;
    else if (c == OPT_UNCONFIRMED)
      unconfirmed = true;
    else if (c == OCT_OPT_MAX_MEMORY)
      code = oct_codec_memory_arg("decompress", optarg, &limits);
    else if (c == 'j')
      code = oct_codec_threads_arg("decompress", optarg, &n_threads);
    else if (c != OPT_FROM_SYNC)
      code = oct_cli_read_arg(&read, "decompress", c, optarg);
    else if (!(synced = oct_cli_number(optarg, UINT64_MAX, &from_sync)))
      code = oct_cli_usage("decompress", "sync number '%s' is not a number", optarg);
  }
  if (code) return code;
  if (write.params)
    return oct_cli_usage("decompress", "--to: parameters, '%s', are for octrace convert",
                         write.params);
  if (optind + 1 != argc) return oct_cli_usage("decompress", "one compressed file is needed");
  code = oct_cli_inputs(argv + optind, 1);
  if (!code) code = oct_cli_output("decompress", out);
  if (!code && !oct_format_is_text(write.format)) code = oct_cli_binary("decompress", out);
  if (!code) code = oct_cli_output("decompress", gaps);
  if (!code) code = oct_cli_distinct_outputs("decompress", "the trace and --gaps", out, gaps);
  if (code) return code;
  const char *path = argv[optind];
  int is_codec = oct_codec_open(&path, &file, &diag);
  if (is_codec < 0) return oct_cli_diag(NULL, &diag);
  if (!is_codec)
    return decompress(path, out, gaps, write.format, from_sync, &read, salvage, unconfirmed);
  if (synced) {
    if (file != stdin) fclose(file);
    return oct_cli_usage("decompress", "%s is of a software codec, which has no --from-sync",
                         argv[optind]);
  }
  limits.map_max = read.map_max;
  code = oct_codec_decompress(file, argv[optind], out, gaps, write.format, &limits, n_threads,
                              lossy, salvage);
  if (file != stdin) fclose(file);
  return code;
}
