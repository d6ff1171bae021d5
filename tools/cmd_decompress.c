/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_decompress.c - octrace decompress: container to trace. */
#include <inttypes.h>
#include <string.h>

#include "oct_codec_cli.h"
#include "oct_outfile.h"
#include "oct_player.h"

const char oct_help_decompress[] =
    "Usage: octrace decompress [OPTION...] FILE.octp|FILE.octc\n"
    "Decode the port bits, or the streams of a codec, of a compressed file and write the trace "
    "(or\n"
    "the records) to standard output.\n\n"
    "  -o, --output OUT    write OUT instead\n"
    "      --to FORMAT     native (default) or another that can be written\n"
    "                      (see octrace info --formats)\n"
    "      --lossy         take what a lossy codec gives back\n"
    "      --gaps FILE     write to FILE, as CSV, at which instruction how much is missing\n"
    "      --salvage       leave out what is damaged, say what is lost, exit status 3\n"
    "      --from-sync N   begin at sync number N, counted from 0, without what stands before "
    "it\n" OCT_EXIT_HELP;

enum { OPT_TO = OCT_OPT_OWN, OPT_FROM_SYNC, OPT_LOSSY, OPT_GAPS, OPT_SALVAGE };

/* A line for what damage took before the next run; of accesses it is not known. */
static int put_damage(oct_outfile *gaps, uint64_t insn, uint64_t lost_insns, oct_diag *diag) {
  char line[80];
  if (!gaps || !lost_insns) return 0;
  int n = snprintf(line, sizeof line, "%" PRIu64 ",%" PRIu64 ",\n", insn, lost_insns);
  return oct_outfile_write(gaps, line, (size_t)n, diag);
}

/* A line for what is missing behind run; gaps may be NULL. */
static int put_gap(oct_outfile *gaps, const oct_decoded *run, oct_diag *diag) {
  char line[80];
  if (!gaps || !run->is_gap) return 0;
  int n = snprintf(line, sizeof line, "%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n",
                   run->first_insn + run->batch.n_insns, run->lost_insns, run->lost_accesses);
  return oct_outfile_write(gaps, line, (size_t)n, diag);
}

static int open_gaps(const char *path, oct_outfile **gaps, oct_diag *diag) {
  static const char head[] = "instruction,lost_instructions,lost_accesses\n";
  int error = path ? oct_outfile_open(path, gaps, diag) : 0;
  return error || !path ? error : oct_outfile_write(*gaps, head, sizeof head - 1, diag);
}

/* Decode everything into w and gaps. 0 or an error; *reading says whether it is one of the input.
 */
static int decode_all(oct_player *p, oct_progress *progress, oct_writer *w, oct_outfile *gaps,
                      uint64_t *accesses, bool *reading, oct_diag *diag) {
  oct_decoded run;
  int got;
  *reading = true;
  while ((got = oct_player_next(p, &run, diag)) > 0) {
    oct_progress_update(progress, p->n_insns, oct_container_bytes_read(p->reader),
                        oct_container_bytes_total(p->reader));
    int error = put_damage(gaps, run.first_insn - p->gap_insns, p->gap_insns, diag);
    if (!error) error = oct_writer_put(w, &run.batch, diag);
    if (!error) error = put_gap(gaps, &run, diag);
    *reading = error == 0;
    if (error < 0) return error;
    *accesses += run.batch.n_accesses;
  }
  /* Of a file of which nothing is left nothing is made. */
  if (!got && p->n_damaged && !p->n_insns) {
    *diag = p->first_damage;
    got = diag->error;
  }
  *reading = got < 0;
  return got;
}

/* Of a file that does not say it: what the tracer's addresses have. */
static uint32_t address_bits(const oct_player *p) {
  int i = oct_tracer_param(p->tracer, "addr_bits");
  return i < 0 || oct_container_params(p->reader)[i] > 32 ? 64 : 32;
}

/* Say what was kept of a damaged container. */
static int report_salvage(const char *in, const oct_player *p, uint64_t accesses) {
  char lost[80] = "how many are lost is unknown";
  const char *first = p->first_damage.text;
  size_t n = strlen(in);
  if (!strncmp(first, in, n) && !strncmp(first + n, ": ", 2)) first += n + 2;
  if (p->has_totals && p->totals.insns >= p->n_insns)
    snprintf(lost, sizeof lost, "lost %" PRIu64 " instruction%s", p->totals.insns - p->n_insns,
             OCT_S(p->totals.insns - p->n_insns));
  return oct_cli_error(OCT_EXIT_LOSS, "%s: damaged in %u place%s, first: %s: kept %s, %s", in,
                       p->n_damaged, OCT_S(p->n_damaged), first,
                       oct_cli_counts(p->n_insns, accesses).text, lost);
}

static int decompress(const char *in, const char *out, const char *gaps_out, oct_format format,
                      uint64_t from_sync, bool salvage) {
  oct_player p;
  oct_progress progress;
  oct_writer *w = NULL;
  oct_outfile *gaps = NULL;
  oct_diag diag = {0};
  if (oct_player_open(&p, in, from_sync, &diag) < 0) return oct_cli_diag(in, &diag);
  p.salvage = salvage;
  oct_progress_start(&progress, "decompress");
  const oct_container_info *c = oct_container_get_info(p.reader);
  const oct_trace_info info = {.isa = c->isa,
                               .origin = c->origin,
                               .command = c->command,
                               .addr_bits = c->addr_bits ? c->addr_bits : address_bits(&p),
                               .insn_align_bytes = c->insn_align_bytes ? c->insn_align_bytes : 1};
  const oct_write_options options = {.format = format, .info = &info};
  bool reading = false;
  uint64_t accesses = 0;
  int error = oct_writer_open(out, &options, &w, &diag);
  if (error >= 0) {
    error = open_gaps(gaps_out, &gaps, &diag);
    if (!error) error = decode_all(&p, &progress, w, gaps, &accesses, &reading, &diag);
    if (error < 0)
      oct_writer_abort(w);
    else
      error = oct_writer_commit(w, &diag);
  }
  if (error < 0)
    oct_outfile_abort(gaps);
  else if (gaps)
    error = oct_outfile_commit(gaps, &diag);
  oct_decoder_counts counts;
  oct_player_counts(&p, &counts);
  oct_progress_end(&progress);
  int code = error >= 0 && p.n_damaged ? report_salvage(in, &p, accesses) : OCT_EXIT_OK;
  oct_player_close(&p);
  if (error < 0) return oct_cli_diag(reading ? in : NULL, &diag);
  if (code) return code;
  if (counts.lost_insns || counts.lost_accesses || counts.gaps)
    return oct_cli_error(OCT_EXIT_LOSS, "%s: %s lost in %" PRIu64 " gap%s", in,
                         oct_cli_counts(counts.lost_insns, counts.lost_accesses).text, counts.gaps,
                         OCT_S(counts.gaps));
  return OCT_EXIT_OK;
}

int oct_cmd_decompress(int argc, char **argv) {
  static const struct option options[] = {{"output", required_argument, NULL, 'o'},
                                          {"to", required_argument, NULL, OPT_TO},
                                          {"from-sync", required_argument, NULL, OPT_FROM_SYNC},
                                          {"lossy", no_argument, NULL, OPT_LOSSY},
                                          {"gaps", required_argument, NULL, OPT_GAPS},
                                          {"salvage", no_argument, NULL, OPT_SALVAGE},
                                          {NULL, 0, NULL, 0}};
  const char *out = "-", *gaps = NULL;
  oct_format format = OCT_FORMAT_NATIVE;
  uint64_t from_sync = 0;
  bool lossy = false, synced = false, salvage = false;
  FILE *file;
  oct_diag diag = {0};
  int c, code = 0;
  while (!code && (c = oct_cli_getopt("decompress", argc, argv, "o:", options)) != -1) {
    if (c == 'o')
      out = optarg;
    else if (c == OPT_TO)
      code = oct_cli_write_format("decompress", optarg, &format);
    else if (c == OPT_LOSSY)
      lossy = true;
    else if (c == OPT_GAPS)
      gaps = optarg;
    else if (c == OPT_SALVAGE)
      salvage = true;
    else if (c != OPT_FROM_SYNC)
      code = OCT_EXIT_USAGE;
    else if (!(synced = oct_cli_number(optarg, UINT64_MAX, &from_sync)))
      code = oct_cli_usage("decompress", "sync number '%s' is not a number", optarg);
  }
  if (code) return code;
  if (optind + 1 != argc) return oct_cli_usage("decompress", "one compressed file is needed");
  code = oct_cli_distinct("decompress", argv[optind], out);
  if (!code && gaps) code = oct_cli_distinct("decompress", argv[optind], gaps);
  if (!code && gaps && !strcmp(gaps, out))
    code = oct_cli_usage("decompress", "--gaps and the trace cannot both go to %s",
                         strcmp(out, "-") ? out : "standard output");
  if (code) return code;
  const char *path = argv[optind];
  int is_codec = oct_codec_open(&path, &file, &diag);
  if (is_codec < 0) return oct_cli_diag(NULL, &diag);
  if (!is_codec) return decompress(path, out, gaps, format, from_sync, salvage);
  if (gaps || synced) {
    if (file != stdin) fclose(file);
    return oct_cli_usage("decompress", "%s is of a software codec, which has no --%s", argv[optind],
                         gaps ? "gaps" : "from-sync");
  }
  code = oct_codec_decompress(file, argv[optind], out, format, lossy, salvage);
  if (file != stdin) fclose(file);
  return code;
}
