/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_convert.c - octrace convert: cut a trace and change its format. octrace decompress is the
 * same command with another default output, for a compressed file: what it writes is known to be
 * the rest of a trace, so that it keeps what stands before damage, and each loss is its exit
 * status. Records of a codec's file, which are no trace, are brought back by cmd_codec_back.c. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "oct_codec_cli.h"
#include "oct_gap_list.h"
#include "oct_infile.h"
#include "oct_peek.h"
#include "oct_registry.h"
#include "oct_select_cli.h"
#include "oct_start.h"

/* Of both commands. */
#define OPTIONS_HELP                                                                           \
  "      --to F          format of OUT: native (default), or another for which octrace list\n" \
  "                      formats has write. Some have parameters, NAME:PARAMETER=VALUE,...:\n" \
  "                      text:bytes=1 has the bytes of instructions, and streams of trace\n"   \
  "                      units have those of their tracer. etmv4 is a snapshot folder\n"       \
  "      --salvage       keep the part of IN before damage, of a compressed file or a trace\n" \
  "                      port also the part after it, report the loss, exit status 3\n"        \
  "      --gaps FILE     write the gaps of IN to FILE, as CSV: place, size, cause;\n"          \
  "                      damage that leaves nothing else to write is one, too\n"               \
  "      --unconfirmed   of an .octp, also copy instructions that no check of the port has\n"  \
  "                      confirmed: with damage some of them are wrong\n"                      \
  "      --lossy         accept the result of a lossy codec\n" OCT_CODEC_BACK_THREADS_HELP     \
      OCT_CODEC_MEMORY_HELP                                                                    \
  "      --level L       zstd level of a native OUT, 1..22 (default 3)\n"                      \
  "      --block-insns N instructions per block of a native OUT, 1..65536 (default "           \
  "65536)\n" OCT_SELECT_HELP OCT_INPUT_HELP OCT_WRITE_EXIT_HELP

const char oct_help_convert[] =
    "Usage: octrace convert [OPTION...] IN OUT\n"
    "Change the format of a trace, or cut out a part of it. Records of a codec's file\n"
    "come back as they were.\n\n"
    "  -o, --output OUT    instead of the second name\n" OPTIONS_HELP;

const char oct_help_decompress[] =
    "Usage: octrace decompress [OPTION...] FILE.octp|FILE.octc\n"
    "Convert a compressed file to a trace (or to its records) on standard output. The part\n"
    "before damage is written also without --salvage, with exit status 4.\n\n"
    "  -o, --output OUT    write to OUT instead\n" OPTIONS_HELP;

enum {
  OPT_FROM = OCT_OPT_OWN,
  OPT_TO,
  OPT_LEVEL,
  OPT_BLOCK,
  OPT_SALVAGE,
  OPT_GAPS,
  OPT_UNCONFIRMED,
  OPT_LOSSY
};

typedef struct convert_args {
  const char *cmd;
  bool keeps; /* decompress: what stands before damage */
  oct_read_options read;
  oct_write_options write;
  oct_select_args select;
  uint64_t skip, count;
  const char *out, *gaps; /* or NULL */
  bool salvage;
  unsigned n_threads; /* of a codec's file, */
  oct_codec_limits limits;
  const char *trace_option; /* the last that records cannot have, or NULL */
} convert_args;

/* What was copied. */
typedef struct copied {
  uint64_t read_insns; /* the others are of the selected part */
  uint64_t insns, accesses, traps, map_entries;
  bool odd;               /* a batch holds what no trace may hold */
  bool cut;               /* by damage of the input, which */
  bool unread;            /* the input could not be read to its end */
  bool gone;              /* without --salvage ends a pipe, costs a file */
  bool is_without_start;  /* values, in front of which no registers are told */
  oct_gaps skipped, gaps; /* among what --skip leaves out, and what is copied */
} copied;

/* What is written does. */
static bool keeps_values(const convert_args *a) {
  return oct_format_keeps_values(a->write.format ? a->write.format : oct_format_default());
}

/* What registers hold behind those of --skip, where execution tells it: a file can be read twice. A
 * selection tells itself. NULL: it is not known. */
static oct_start *find_start(const char *in, const convert_args *a) {
  struct stat st;
  oct_diag ignored;
  oct_start *start;
  oct_read_options options = a->read;
  options.tell_gap = NULL;
  if (!a->skip || !keeps_values(a) || a->select.select || stat(in, &st) || !S_ISREG(st.st_mode))
    return NULL;
  return oct_start_find(in, &options, a->skip, &start, &ignored) ? NULL : start;
}

/* Values of accesses, registers or memory, not of gaps. */
static bool has_values(const oct_batch *b) {
  for (size_t i = 0; i < b->n_accesses; i++)
    if (b->accesses[i].value) return true;
  for (size_t i = 0; i < b->n_facts; i++)
    if (b->facts[i].kind != OCT_FACT_GAP) return true;
  return false;
}

/* Tell them in front of the first instructions; whether nobody does. */
static int put_start(oct_start *start, const oct_reader *r, bool is_first, oct_batch *b,
                     bool *is_without, oct_diag *diag) {
  if (start && oct_start_put(start, b)) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  if (is_first)
    *is_without =
        (has_values(b) || oct_reader_has_skipped_facts(r)) && !(b->n_facts && !b->facts[0].insn);
  return 0;
}

/* Mark where damage ends what is written, if the format can: the damage is told in any case. */
static int put_end_gap(oct_writer *w, oct_diag *diag) {
  const oct_fact gap = {
      .kind = OCT_FACT_GAP, .number = OCT_GAP_DAMAGE, .n_bytes = OCT_FACT_GAP_BYTES};
  const oct_batch end = {.facts = &gap, .n_facts = 1};
  return oct_writer_put(w, &end, diag);
}

/* Everything of r into w. To salvage, what the input's damage cuts off ends it; *diag says so. */
static int copy(oct_reader *r, convert_args *a, oct_start *start, oct_writer *w, copied *done,
                oct_diag *diag) {
  oct_progress progress;
  oct_batch b;
  size_t n_modules = 0;
  int got = 1, error = a->skip ? oct_reader_skip(r, a->skip, diag) : 0;
  oct_reader_limit(r, a->count);
  oct_progress_start(&progress, a->cmd);
  if (a->count < UINT64_MAX) progress.limit = a->count;
  if (a->skip) progress.begin = oct_reader_bytes_done(r);
  while (error >= 0 && (got = oct_reader_next(r, &b, diag)) > 0) {
    if (a->skip && !done->read_insns) oct_reader_take_gaps(r, &done->skipped);
    if (a->skip && !a->select.select)
      error = put_start(start, r, !done->read_insns, &b, &done->is_without_start, diag);
    done->read_insns += b.n_insns;
    const oct_trace_info *info = oct_reader_info(r);
    if (!error) error = oct_select_batch(&a->select, r, &a->read, &b, diag);
    if (!error && info->n_modules > n_modules)
      error =
          oct_writer_put_modules(w, info->modules + n_modules, info->n_modules - n_modules, diag);
    n_modules = info->n_modules;
    if (!error) error = oct_writer_put(w, &b, diag);
    done->odd = error == OCT_ERR_ARG;
    done->insns += b.n_insns;
    done->accesses += b.n_accesses;
    done->traps += b.n_traps;
    done->map_entries += b.n_map;
    oct_progress_update(&progress, done->read_insns, oct_reader_bytes_done(r),
                        oct_reader_bytes_total(r));
  }
  oct_progress_end(&progress);
  oct_reader_take_gaps(r, &done->gaps);
  if (error < 0) return error;
  /* Of a file of which nothing is left nothing is made. */
  if (!got && !a->skip && !done->read_insns && done->gaps.n_damages) {
    *diag = done->gaps.first;
    got = diag->error;
  }
  done->unread = got < 0;
  const bool is_damaged = got < 0 && oct_error_is_damage(got) && done->insns;
  done->cut = is_damaged && (a->salvage || a->keeps);
  done->gone = is_damaged && !done->cut;
  if (!done->cut) return got;
  oct_diag why;
  const oct_format to = a->write.format ? a->write.format : oct_format_default();
  const bool is_marked = !oct_reader_gave_all(r) && oct_format_keeps_gaps(to);
  error = is_marked ? put_end_gap(w, &why) : 0;
  return error ? oct_diag_pass(diag, &why, error) : 0;
}

/* Say what was salvaged of a trace of n_insns, 0 if that is not known. */
static int report_cut(const convert_args *a, const copied *done, uint64_t n_insns, bool is_doubtful,
                      const oct_diag *damage) {
  uint64_t wanted = n_insns > a->skip ? n_insns - a->skip : 0;
  char lost[64] = "how many are lost is unknown";
  if (wanted > a->count) wanted = a->count;
  if (wanted > done->read_insns)
    snprintf(lost, sizeof lost, "lost %" PRIu64 " instruction%s", wanted - done->read_insns,
             OCT_S(wanted - done->read_insns));
  return oct_cli_error(OCT_EXIT_LOSS, "%s: kept %s, %s", oct_diag_line(damage).text,
                       oct_cli_before(done->insns, done->accesses, is_doubtful).text, lost);
}

/* Say what is missing at damage behind which reading went on, and what is kept, "" or "kept X, ".
 * The exit status. */
static int report_damages(const oct_gaps *d, const char *where, bool is_doubtful) {
  char others[64] = "", lost[80] = "left out instructions, how many is unknown";
  if (!d->n_damages) return OCT_EXIT_OK;
  if (d->n_damages > 1)
    snprintf(others, sizeof others, " here and at %" PRIu64 " other place%s", d->n_damages - 1,
             OCT_S(d->n_damages - 1));
  if (d->damaged_insns)
    snprintf(lost, sizeof lost, "left out %s%" PRIu64 " instruction%s",
             d->n_uncounted_damages ? "at least " : "", d->damaged_insns, OCT_S(d->damaged_insns));
  else if (!d->n_uncounted_damages) /* no checks, or a part that came twice */
    snprintf(lost, sizeof lost, "no instruction is missing");
  return oct_cli_error(OCT_EXIT_LOSS, "%s: %s%s%s%s", oct_diag_line(&d->first).text,
                       d->damaged_insns || d->n_uncounted_damages ? where : "", lost, others,
                       is_doubtful ? "; some that came may be wrong (no check covers them)" : "");
}

/* Say what the recorder lost. The exit status. */
static int report_losses(const char *in, const oct_gaps *g) {
  char traps[80] = "";
  if (!g->n_losses) return OCT_EXIT_OK;
  if (g->n_trap_losses)
    snprintf(traps, sizeof traps, "; only traps can be missing in %" PRIu64 " of them",
             g->n_trap_losses);
  return oct_cli_error(OCT_EXIT_LOSS, "%s: %s%s lost in %" PRIu64 " gap%s%s",
                       oct_cli_input_name(in), g->n_uncounted ? "at least " : "",
                       oct_cli_counts(g->lost_insns, g->lost_accesses).text, g->n_losses,
                       OCT_S(g->n_losses), traps);
}

/* Of decompress: what is kept where damage ended the file, and what is missing. The exit status. */
static int report_kept(const char *in, const convert_args *a, const copied *done, bool has_all,
                       const oct_diag *damage) {
  const oct_counts_text counts = oct_cli_counts(done->insns, done->accesses);
  const oct_gaps *g = &done->gaps;
  char lost[80] = "how many are lost is unknown";
  int code = OCT_EXIT_OK;
  if (done->cut && has_all)
    code = oct_cli_error(OCT_EXIT_INPUT,
                         "%s: wrote all %s of the file; some may be wrong, missing or twice",
                         oct_diag_line(damage).text, counts.text);
  else if (done->cut)
    code = oct_cli_error(a->salvage ? OCT_EXIT_LOSS : OCT_EXIT_INPUT,
                         "%s: wrote the %s before it; the rest is missing%s",
                         oct_diag_line(damage).text, counts.text,
                         a->salvage ? "" : " (--salvage goes on after it)");
  /* Where the end is wrong, damage stands before it and is to be told as well. */
  if (code && !(has_all && g->n_damages)) return code;
  if (g->damaged_insns || !g->n_uncounted_damages)
    snprintf(lost, sizeof lost, "lost %s%" PRIu64 " instruction%s",
             g->n_uncounted_damages ? "at least " : "", g->damaged_insns, OCT_S(g->damaged_insns));
  if (g->n_damages) {
    int damages = oct_cli_error(
        OCT_EXIT_LOSS, "%s: damaged in %" PRIu64 " place%s, first: %s: kept %s, %s%s",
        oct_cli_input_name(in), g->n_damages, OCT_S(g->n_damages), oct_diag_reason(&g->first).text,
        counts.text, lost, a->gaps ? "" : " (--gaps lists all)");
    if (!code) code = damages;
  }
  const int losses = report_losses(in, g);
  return code ? code : losses;
}

/* A folder is for its writer to judge. */
static int check_output(const char *cmd, const char *out) {
  struct stat st;
  bool is_folder = !stat(out, &st) && S_ISDIR(st.st_mode);
  return is_folder && !oct_infile_is(&st) ? 0 : oct_cli_output(cmd, out);
}

static int convert(const char *in, const char *out, convert_args *a) {
  oct_reader *r;
  oct_writer *w;
  copied done = {0};
  oct_diag diag = {0};
  oct_gap_list gaps = {0};
  if (oct_gaps_open(a->gaps, &gaps.file, &diag)) return oct_cli_diag(a->gaps, &diag);
  if (a->gaps) {
    a->read.tell_gap = oct_gap_list_tell;
    a->read.gap_context = &gaps;
  }
  if (oct_reader_open(in, &a->read, &r, &diag) < 0) {
    oct_outfile_abort(gaps.file);
    oct_gaps_put_all(a->gaps, &diag);
    return oct_cli_diag(in, &diag);
  }
  int code = check_output(a->cmd, out); /* now that all files of the input are known */
  if (!code) code = oct_cli_output(a->cmd, a->gaps);
  if (code) {
    oct_outfile_abort(gaps.file);
    oct_reader_close(r);
    return code;
  }
  oct_trace_info info = *oct_reader_info(r);
  uint64_t n_insns = info.n_insns;
  info.n_insns = info.n_accesses = 0; /* those of the whole trace */
  a->write.info = &info;
  oct_start *start = find_start(in, a);
  if (keeps_values(a)) oct_select_follow(&a->select, in, &a->read, a->skip);
  int error = oct_writer_open(out, &a->write, &w, &diag);
  if (error >= 0) {
    error = copy(r, a, start, w, &done, &diag);
    if (!error && a->skip && !done.read_insns) error = oct_source_skipped_all(in, a->skip, &diag);
    if (!error) error = oct_select_end(&a->select, in, &diag);
    if (!error && gaps.error) error = oct_diag_pass(&diag, &gaps.diag, gaps.error);
    /* The list first: where it cannot be written, what was there stays. */
    if (!error && gaps.file) {
      error = oct_outfile_commit(gaps.file, &diag);
      gaps.file = NULL;
    }
    if (error < 0) {
      oct_writer_abort(w);
    } else {
      oct_diag commit_diag = {0};
      error = oct_cli_commit(w, out, &commit_diag);
      if (error < 0) diag = commit_diag;
    }
  }
  oct_start_free(start);
  oct_outfile_abort(gaps.file);
  const bool is_listed = error < 0 && done.unread && oct_gaps_put_all(a->gaps, &diag);
  if (a->keeps)
    oct_cli_tell_told_gaps(in, r);
  else
    oct_cli_tell_gaps(in, r);
  if (error >= 0) oct_cli_tell_input(in, r);
  if (error >= 0) oct_cli_tell_program(r, done.read_insns);
  if (error >= 0) oct_select_tell(&a->select, in);
  if (error >= 0) oct_cli_tell_written(out, &a->write, done.traps);
  if (error >= 0 && done.is_without_start && keeps_values(a))
    oct_cli_error(
        0,
        "note: %s: no registers are known after those of --skip: replay reports instructions "
        "until the trace has all",
        oct_cli_input_name(in));
  if (error >= 0) oct_cli_tell_no_accesses(out, &a->write, done.insns, done.accesses);
  if (error >= 0 && (a->write.format == OCT_FORMAT_AUTO || a->write.format == oct_format_default()))
    oct_cli_tell_map(out, done.map_entries);
  const bool is_doubtful = oct_reader_is_doubtful(r), has_all = oct_reader_gave_all(r);
  int status = OCT_EXIT_OK;
  if (error >= 0) {
    const int before =
        report_damages(&done.skipped, "among those of --skip, which are now others: ", is_doubtful);
    status = a->keeps ? report_kept(in, a, &done, has_all, &diag)
                      : report_damages(&done.gaps, "", is_doubtful);
    if (before) status = before;
  }
  oct_reader_close(r);
  if (error >= 0 && a->keeps) return status;
  if (error < 0 && done.gone)
    return oct_cli_tell_cut(out, "", is_listed ? " but --gaps" : "", "--salvage", &diag,
                            oct_cli_before(done.insns, done.accesses, is_doubtful));
  if (error < 0 && done.odd) /* it is no fault of the file that is written */
    return oct_cli_error(OCT_EXIT_INPUT, "%s: %s%s", oct_cli_input_name(in),
                         a->skip ? "after those of --skip: " : "", oct_diag_reason(&diag).text);
  if (error < 0) return oct_cli_diag(NULL, &diag);
  return done.cut ? report_cut(a, &done, n_insns, is_doubtful, &diag) : status;
}

static int convert_arg(convert_args *a, int c, char *value) {
  const char *cmd = a->cmd;
  uint64_t number = 0;
  int code;
  switch (c) {
    case 'o':
      a->out = value;
      return 0;
    case 'j':
      return oct_codec_threads_arg(cmd, value, &a->n_threads);
    case OPT_LOSSY:
      a->read.takes_lossy = 1;
      return 0;
    case OCT_OPT_MAX_MEMORY:
      return oct_codec_memory_arg(cmd, value, &a->limits);
    case OCT_OPT_SKIP:
      return oct_cli_skip(cmd, value, &a->skip);
    case OCT_OPT_LIMIT:
      return oct_cli_limit(cmd, value, &a->count);
    case OPT_FROM:
      return oct_cli_read_format(&a->read, cmd, value);
    case OPT_TO:
      return oct_cli_write_format(&a->write, cmd, value);
    case OPT_GAPS:
      a->gaps = value;
      return 0;
    case OPT_UNCONFIRMED:
      a->read.is_unconfirmed = 1;
      return 0;
    case OPT_SALVAGE:
      a->salvage = true;
      a->read.goes_on = 1;
      return 0;
    case OCT_OPT_FUNCTION:
    case OCT_OPT_RANGE:
    case OCT_OPT_PRIVILEGE:
    case OCT_OPT_TASK:
    case OCT_OPT_TIME:
      return oct_select_arg(&a->select, cmd, c, value);
    case OPT_LEVEL:
      code = oct_cli_range(cmd, "--level", value, 1, 22, &number);
      a->write.level = (int)number;
      return code;
    case OPT_BLOCK:
      code = oct_cli_range(cmd, "--block-insns", value, 1, 65536, &number);
      a->write.block_insns = (uint32_t)number;
      return code;
    default:
      return oct_cli_read_arg(&a->read, cmd, c, value);
  }
}

/* What is written, and where: 0, or an exit code after printing why. */
static int check_outputs(const convert_args *a) {
  int code = check_output(a->cmd, a->out);
  if (!code) code = oct_cli_output(a->cmd, a->gaps);
  if (!code) code = oct_cli_distinct_outputs(a->cmd, "the trace and --gaps", a->out, a->gaps);
  if (!code && !oct_format_is_text(a->write.format)) code = oct_cli_binary(a->cmd, a->out);
  return code;
}

/* What records of a codec's file have no use for. */
static bool is_of_trace(int c) {
  switch (c) {
    case 'o':
    case 'j':
    case OPT_TO:
    case OPT_LOSSY:
    case OPT_GAPS:
    case OPT_SALVAGE:
    case OCT_OPT_MAX_MAP:
    case OCT_OPT_MAX_MEMORY:
      return false;
    default:
      return true;
  }
}

/* By content, for decompress, to which what is no codec's file is a container. */
static int choose_compressed(convert_args *a, const char **path) {
  uint8_t bytes[OCT_CODEC_MAGIC_BYTES];
  struct stat st;
  if (!stat(*path, &st) && S_ISDIR(st.st_mode))
    return oct_cli_error(OCT_EXIT_INPUT, "%s: a folder: expected a compressed file", *path);
  const bool is_codec = oct_codec_is_file(bytes, oct_peek(path, bytes, sizeof bytes));
  const oct_format_desc *f =
      is_codec ? oct_the_format_roles.codec_file : oct_the_format_roles.container;
  a->read.format = (oct_format)oct_format_by_name(f->name);
  return 0;
}

/* The input that is open as file has records, else it is a trace. */
static int convert_file(const char *in, convert_args *a) {
  const char *path = in;
  FILE *file = NULL;
  oct_diag diag = {0};
  int code = 0;
  const int has_records =
      a->read.format == OCT_FORMAT_AUTO ? oct_codec_open_records(&path, &file, &diag) : 0;
  if (has_records < 0) return oct_cli_diag(NULL, &diag);
  if (!has_records && a->keeps && a->read.format == OCT_FORMAT_AUTO)
    code = choose_compressed(a, &path);
  a->read.n_jobs = a->n_threads;
  a->read.memory_max_bytes = a->limits.memory_max_bytes;
  if (!has_records) return code ? code : convert(path, a->out, a);
  a->limits.map_max = a->read.map_max;
  code = a->trace_option
             ? oct_cli_usage(a->cmd, "%s has records, which have no --%s", in, a->trace_option)
             : oct_codec_records(file, a->cmd, in, a->out, a->gaps, &a->limits, a->n_threads,
                                 a->read.takes_lossy, a->salvage);
  if (file != stdin) fclose(file);
  return code;
}

static int run(convert_args *a, int argc, char **argv) {
  static const struct option options[] = {
      OCT_READ_OPTIONS,
      {"output", required_argument, NULL, 'o'},
      {"skip", required_argument, NULL, OCT_OPT_SKIP},
      {"limit", required_argument, NULL, OCT_OPT_LIMIT},
      {"from", required_argument, NULL, OPT_FROM},
      {"to", required_argument, NULL, OPT_TO},
      {"salvage", no_argument, NULL, OPT_SALVAGE},
      {"gaps", required_argument, NULL, OPT_GAPS},
      {"unconfirmed", no_argument, NULL, OPT_UNCONFIRMED},
      {"lossy", no_argument, NULL, OPT_LOSSY},
      {"jobs", required_argument, NULL, 'j'},
      {"max-memory", required_argument, NULL, OCT_OPT_MAX_MEMORY},
      {"level", required_argument, NULL, OPT_LEVEL},
      {"block-insns", required_argument, NULL, OPT_BLOCK},
      OCT_SELECT_OPTIONS,
      {NULL, 0, NULL, 0}};
  int c, code = 0;
  while (!code && (c = oct_cli_getopt(a->cmd, argc, argv, "o:j:", options)) != -1) {
    code = convert_arg(a, c, optarg);
    for (const struct option *o = options; !code && is_of_trace(c) && o->name; o++)
      if (o->val == c) a->trace_option = o->name;
  }
  if (!code && a->keeps && optind + 1 != argc)
    code = oct_cli_usage(a->cmd, "one compressed file is needed");
  if (!code && !a->keeps && optind + (a->out ? 1 : 2) != argc)
    code = oct_cli_usage(a->cmd, "an input and an output are needed");
  if (!code && !a->out) a->out = a->keeps ? "-" : argv[optind + 1];
  if (!code) code = oct_cli_inputs(argv + optind, 1);
  if (!code) code = check_outputs(a);
  if (!code) code = oct_select_look_up(&a->select, &a->read);
  if (!code) code = convert_file(argv[optind], a);
  oct_select_args_free(&a->select);
  return code;
}

int oct_cmd_convert(int argc, char **argv) {
  convert_args a = {.cmd = "convert", .count = UINT64_MAX, .n_threads = 1};
  return run(&a, argc, argv);
}

int oct_cmd_decompress(int argc, char **argv) {
  /* In the port bits of a container decoding goes on at the next sync. */
  convert_args a = {
      .cmd = "decompress", .keeps = true, .read.goes_on = 2, .count = UINT64_MAX, .n_threads = 1};
  return run(&a, argc, argv);
}
