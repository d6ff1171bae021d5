/* SPDX-License-Identifier: Apache-2.0 */
/* oct_cli.h - what all subcommands share: exit codes, errors, options, progress, trace source. */
#ifndef OCT_CLI_H
#define OCT_CLI_H

#include <getopt.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "oct_plural.h"
#include "octrace/trace.h"
#include "octrace/tracer.h"

enum {
  OCT_EXIT_OK = 0,
  OCT_EXIT_DIFFER = 1, /* verify, compare: the traces differ */
  OCT_EXIT_USAGE = 2,  /* the command line is wrong */
  OCT_EXIT_LOSS = 3,   /* done, but instructions, accesses or traps are missing */
  OCT_EXIT_INPUT = 4   /* bad input, or input or output failed */
};

/* One subcommand: argv[0] is its name. Returns an exit code. */
typedef int oct_cmd_fn(int argc, char **argv);
oct_cmd_fn oct_cmd_compress, oct_cmd_decompress, oct_cmd_verify, oct_cmd_info, oct_cmd_list,
    oct_cmd_capture, oct_cmd_convert, oct_cmd_sweep, oct_cmd_report, oct_cmd_bench, oct_cmd_events,
    oct_cmd_filter, oct_cmd_gdb, oct_cmd_fidelity, oct_cmd_packets, oct_cmd_calls, oct_cmd_stats,
    oct_cmd_compare, oct_cmd_view;
extern const char oct_help_compress[], oct_help_decompress[], oct_help_verify[], oct_help_info[],
    oct_help_list[], oct_help_capture[], oct_help_convert[], oct_help_sweep[], oct_help_report[],
    oct_help_bench[], oct_help_events[], oct_help_filter[], oct_help_gdb[], oct_help_fidelity[],
    oct_help_packets[], oct_help_calls[], oct_help_stats[], oct_help_compare[], oct_help_view[];

/* Print `PROGRAM: <one line>` and return code. */
int oct_cli_error(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Whether an error was told so far: one whose code is not 0. */
bool oct_cli_has_failed(void);
/* The command line again, words that a shell would take apart in quotes. The caller frees it; NULL:
 * out of memory. */
char *oct_cli_command(int argc, char **argv);
/* Likewise with options more, ahead of the operands, of which argv[operands] is the first (what
 * getopt leaves in optind). more is not quoted. */
char *oct_cli_command_with(int argc, char **argv, int operands, const char *more);
/* Say that standard output failed, and why, as errno has it. Returns OCT_EXIT_INPUT. */
int oct_cli_stdout_error(void);
/* The same for a failed library call: its line, and the exit code that suits the error. what is the
 * file that an error is about which names none, or NULL. */
int oct_cli_diag(const char *what, const oct_diag *diag);
/* Whether it has said that memory ran out. */
bool oct_cli_has_told_memory(void);
/* To be called first: keep files from the numbers of standard streams that are closed. 0, or
 * OCT_EXIT_INPUT: they cannot be kept. */
int oct_cli_begin(void);
/* A usage error of a subcommand, or of the program (NULL), pointing to its help. */
int oct_cli_usage(const char *cmd, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* What a library call has against the value of an option: a usage error, but for lack of memory. */
int oct_cli_refuse(const char *cmd, const oct_diag *diag);

/* getopt_long for a subcommand: what is wrong with an option is printed like any other usage error,
 * and '?' returned. shorts has no leading colon. */
int oct_cli_getopt(const char *cmd, int argc, char **argv, const char *shorts,
                   const struct option *longs);
/* Inputs of the command, "-" for standard input, which no output may replace (oct_infile.h); those
 * of --elf are noted as their option is read. 0, or an exit code after printing why. */
int oct_cli_inputs(char *const *paths, size_t n);
/* Whether out, NULL or "-" or the name of a file, can be written and is no input: 0, or an exit
 * code after printing why not. Before long work; what is opened later is looked at when out is
 * written. */
int oct_cli_output(const char *cmd, const char *out);
/* Whether outputs a and b, one of which may be NULL, are two places: 0, or an exit code after
 * printing that `what` are the same file, or that b is inside of the folder a. Links are followed,
 * and a device may be both. */
int oct_cli_distinct_outputs(const char *cmd, const char *what, const char *a, const char *b);
/* Is path the name of a picture: does it end in .svg, .png or .pdf? 0, or a usage error. */
int oct_cli_check_plot(const char *cmd, const char *path);

/* What people call an input: path, or "standard input" for "-". */
const char *oct_cli_input_name(const char *path);

/* A text that a file holds, or the name of one, as lines of output show it: as messages do, and cut
 * where it is longer than any name. */
typedef struct oct_shown_text {
  char text[4096];
} oct_shown_text;
oct_shown_text oct_cli_shown(const char *text);

/* "2 instructions and 1 access". */
typedef struct oct_counts_text {
  char text[112];
} oct_counts_text;
oct_counts_text oct_cli_counts(uint64_t insns, uint64_t accesses);
/* "2 instructions, 1 access and 3 traps"; without traps as above. */
oct_counts_text oct_cli_lost(uint64_t insns, uint64_t accesses, uint64_t traps);

/* "the 2 instructions and 1 access before it", and whether some of them may be wrong. */
typedef struct oct_before_text {
  char text[256];
} oct_before_text;
oct_before_text oct_cli_before(uint64_t insns, uint64_t accesses, bool is_doubtful);
/* Say that damage of the input ended the writing of out: what stands on standard output ("what
 * missed of", or ""), or that a file is not there and which option keeps it. Returns
 * OCT_EXIT_INPUT. */
int oct_cli_tell_cut(const char *out, const char *what, const char *but, const char *salvage,
                     const oct_diag *damage, oct_before_text before);

/* Decimal (or 0x) number up to max. False when text is anything else. */
bool oct_cli_number(const char *text, uint64_t max, uint64_t *value);
/* Likewise, or a number of thousands or millions: 10K, 2M. */
bool oct_cli_count(const char *text, uint64_t *value);
/* Take such a value of an option, from min to max, by whose name it is refused ("--top"): 0, or an
 * exit code after printing why. cmd: as of oct_cli_usage. */
int oct_cli_range(const char *cmd, const char *option, const char *value, uint64_t min,
                  uint64_t max, uint64_t *number);
/* The same for --limit, from 1 on, and --skip. */
int oct_cli_limit(const char *cmd, const char *value, uint64_t *limit);
int oct_cli_skip(const char *cmd, const char *value, uint64_t *skip);
/* Replace the file at path. 0 or an error. */
int oct_cli_write(const char *path, const void *bytes, size_t n, oct_diag *diag);
/* Refuse to write bytes to out where that is standard output and a terminal: 0, or an exit code
 * after printing why. */
int oct_cli_binary(const char *cmd, const char *out);

/* A progress line on a terminal's standard error for work over a second. */
typedef struct oct_progress {
  bool shown, enabled;
  const char *verb, *unit; /* unit: "instructions", unless set otherwise */
  uint64_t limit; /* where the work ends after so many of them; 0: at the end of the input */
  uint64_t begin; /* bytes of the input that were skipped before */
  struct timespec start, last;
} oct_progress;
void oct_progress_start(oct_progress *p, const char *verb);
void oct_progress_update(oct_progress *p, uint64_t insns, uint64_t done, uint64_t total);
/* Of work in steps: before step number of total, what it does. */
void oct_progress_step(oct_progress *p, const char *what, uint64_t number, uint64_t total);
/* Seconds since the start. */
double oct_progress_seconds(const oct_progress *p);
void oct_progress_end(oct_progress *p);

enum { OCT_GEOMETRY_OPTIONS_MAX = 32 };

/* Options that say what to read and how to compress it. */
typedef struct oct_run_args {
  const oct_tracer *tracer;
  uint32_t params[OCT_TRACER_PARAMS_MAX];
  bool given[OCT_TRACER_PARAMS_MAX];                /* not to be taken from the trace */
  const char *geometries[OCT_GEOMETRY_OPTIONS_MAX]; /* as given, until oct_run_args_check */
  size_t n_geometries;
  bool both_engines;
  const char *cycle_option; /* given, and of no use to the untimed engine; or NULL */
  oct_run_options run;
  oct_read_options read;
  uint64_t skip, limit; /* limit 0 = to the end */
  bool json;
  oct_progress progress; /* of the trace that is open */
} oct_run_args;

/* Codes of long options without a letter. Those up to OCT_OPT_JSON are handled by oct_run_arg. */
enum {
  OCT_OPT_ENGINE = 256,
  OCT_OPT_ARRIVAL,
  OCT_OPT_STALL,
  OCT_OPT_SEED,
  OCT_OPT_FORMAT,
  OCT_OPT_ISA,
  OCT_OPT_INSN_BYTES,
  OCT_OPT_MAX_MAP,
  OCT_OPT_ELF,
  OCT_OPT_FROM_SYNC,
  OCT_OPT_LIMIT,
  OCT_OPT_SKIP,
  OCT_OPT_DEPTHS,
  OCT_OPT_TRACER,
  OCT_OPT_JSON,
  OCT_OPT_OWN
};
/* Long options that say how to read a trace, and their help. */
#define OCT_READ_OPTIONS                                           \
  {"isa", required_argument, NULL, OCT_OPT_ISA},                   \
      {"insn-bytes", required_argument, NULL, OCT_OPT_INSN_BYTES}, \
      {"max-map", required_argument, NULL, OCT_OPT_MAX_MAP},       \
      {"from-sync", required_argument, NULL, OCT_OPT_FROM_SYNC}, { \
    "elf", required_argument, NULL, OCT_OPT_ELF                    \
  }
#define OCT_INPUT_HELP                                                         \
  "\nTrace input (octrace help input explains these):\n"                       \
  "      --from F, --isa I, --insn-bytes N, --max-map N, --elf FILE[@BIAS],\n" \
  "      --skip N, --limit N, --from-sync N\n"
/* What octrace help input prints. */
#define OCT_INPUT_TOPIC                                                                          \
  "Options of all commands that read a trace:\n\n"                                               \
  "      --from F        format of the trace (default: by content; see octrace list formats)\n"  \
  "      --isa I         instruction set, if the trace does not name it: arm, thumb, aarch64,\n" \
  "                      riscv32, riscv64, x86, x86-64, mips, mipsel\n"                          \
  "      --insn-bytes N  bytes of an instruction, 1..15, if the format has none\n"               \
  "      --max-map N     take a program map of up to N entries (default 4194304)\n"              \
  "      --elf FILE[@BIAS]  the traced program: sizes, classes, accesses, symbols; once more\n"  \
  "                      for each library that it loads\n"                                       \
  "      --skip N        leave out the first N instructions (1000, 10K, 2M)\n"                   \
  "      --limit N       stop after N instructions\n"                                            \
  "      --from-sync N   of an .octp or .octc, begin at sync number N, counted from 0\n"         \
  "\nA format may have parameters: --from NAME:PARAMETER=VALUE,... The file name - means "       \
  "standard\n"                                                                                   \
  "input. gzip, bzip2, xz and zstd are undone.\n"

/* The long options of oct_run_arg, for a table of struct option; the engine's apart, which commands
 * that run both do not take. */
#define OCT_ENGINE_OPTION \
  { "engine", required_argument, NULL, OCT_OPT_ENGINE }
#define OCT_TRACER_OPTIONS                               \
  {"tracer", required_argument, NULL, OCT_OPT_TRACER}, { \
    "geometry", required_argument, NULL, 'g'             \
  }
#define OCT_RUN_OPTIONS                                                      \
  OCT_TRACER_OPTIONS, {"arrival", required_argument, NULL, OCT_OPT_ARRIVAL}, \
      {"stall", required_argument, NULL, OCT_OPT_STALL},                     \
      {"seed", required_argument, NULL, OCT_OPT_SEED},                       \
      {"depths", no_argument, NULL, OCT_OPT_DEPTHS}, OCT_TRACE_OPTIONS
/* Those that say which trace, and what of it. */
#define OCT_TRACE_OPTIONS                                              \
  {"from", required_argument, NULL, OCT_OPT_FORMAT}, OCT_READ_OPTIONS, \
      {"limit", required_argument, NULL, OCT_OPT_LIMIT},               \
      {"skip", required_argument, NULL, OCT_OPT_SKIP}, {               \
    "json", no_argument, NULL, OCT_OPT_JSON                            \
  }

/* Text of these options for the help of the commands that take them. */
#define OCT_TRACER_HELP                                                          \
  "      --tracer NAME   the tracer (default paper; see octrace list tracers)\n" \
  "  -g, --geometry G[,NAME=VALUE...]  its parameters (see octrace list geometries, params)\n"
#define OCT_RUN_HELP                                                                            \
  OCT_TRACER_HELP                                                                               \
  "      --arrival full|cpi=X|stamps   when instructions retire (cycle engine; default full)\n" \
  "      --stall M       stall the port in M of 1000 cycles, at random (cycle engine)\n"        \
  "      --seed S        seed of those stalls (default 1)\n"                                    \
  "      --depths        find the smallest buffers that lose nothing (cycle engine)\n"          \
  "      --json          print the report as JSON to standard output\n" OCT_INPUT_HELP

/* Of commands that write no stream and compare nothing. */
#define OCT_READ_EXIT_HELP \
  "\nExit status: 0 fine, 2 wrong command line, 4 bad input or input/output failed.\n"
/* Of those that measure machines. */
#define OCT_STUDY_EXIT_HELP                                                        \
  "\nEvents that a machine loses are counted and do not change the exit status.\n" \
  "Exit status: 0 fine, 2 wrong command line, 4 bad input or input/output failed.\n"
/* Of those that write a stream or a trace and compare nothing. */
#define OCT_WRITE_EXIT_HELP                                       \
  "\nExit status: 0 fine, 2 wrong command line, 3 events lost,\n" \
  "4 bad input or input/output failed.\n"
#define OCT_EXIT_HELP                                                              \
  "\nExit status: 0 fine, 1 traces differ, 2 wrong command line, 3 events lost,\n" \
  "4 bad input or input/output failed.\n"

void oct_run_args_init(oct_run_args *a);
/* The program of --elf for a container, whose program may stand apart; NULL without --elf. 0 or an
 * error. */
int oct_cli_program(const oct_read_options *read, oct_program **program, oct_diag *diag);
/* Handle option code of oct_cli_getopt with value optarg of command cmd. 0, or an exit code after
 * printing why. */
int oct_run_arg(oct_run_args *a, const char *cmd, int code, char *value);
/* After the last option: take the geometries given, for the tracer given. 0, or an exit code after
 * printing why: an illegal geometry, an option that needs another engine, an engine that the tracer
 * does not have. */
int oct_run_args_check(oct_run_args *a, const char *cmd);
/* Handle one of OCT_READ_OPTIONS; value must stay where it is. As oct_run_arg. */
int oct_cli_read_arg(oct_read_options *read, const char *cmd, int code, char *value);
/* The format that text says, with its parameters if it has some ("etrace:NAME=VALUE,..."): 0, or an
 * exit code after printing why. text must stay where it is. */
int oct_cli_read_format(oct_read_options *read, const char *cmd, char *text);
/* The format called name: 0, or an exit code after printing why. */
int oct_cli_format(const char *cmd, const char *name, oct_format *format);
/* Say in a line how often the recorder of the trace at path lost instructions, if it did. */
void oct_cli_tell_gaps(const char *path, const oct_reader *reader);
/* Of these, the gaps that the trace has from the one that it was made of. */
void oct_cli_tell_told_gaps(const char *path, const oct_reader *reader);
/* Say that the format of the trace at path was guessed from bare numbers; and that it may be cut
 * off, where it is a text that was read to its end, and whose last line has no line end. */
void oct_cli_tell_input(const char *path, const oct_reader *reader);
/* Say in a line that n traps of what is called name are left out; more ends the line. */
void oct_cli_tell_left_out(const char *name, uint64_t n, const char *more);
/* oct_writer_commit of what is written to out; say in a line how many accesses its format has no
 * room for. */
int oct_cli_commit(oct_writer *w, const char *out, oct_diag *diag);
/* Say in a line that n traps were left out of what was written to out, where its format has no
 * place for them; the streams of trace units tell them in their own way. Say in another that the
 * name of out promises something else: text, or what gzip or its like unpacks. */
void oct_cli_tell_written(const char *out, const oct_write_options *to, uint64_t n_traps);
/* Say in a line that n_insns instructions without any access were written to out in a format of a
 * tracer that sends accesses: a reader knows from the program's file which instructions have some,
 * and waits for them. */
void oct_cli_tell_no_accesses(const char *out, const oct_write_options *to, uint64_t n_insns,
                              uint64_t n_accesses);
/* Say in a line which --max-map reads what was written to out, where its program map has more
 * entries than are read without. */
void oct_cli_tell_map(const char *out, uint64_t n_entries);
/* Say in a line that the trace names n_late files of code which the head of out, a compressed file,
 * was written before. */
void oct_cli_tell_modules(const char *out, size_t n_late);
/* As oct_cli_read_format, of a format that can be written. */
int oct_cli_write_format(oct_write_options *write, const char *cmd, char *text);

/* Value of the parameter of that role, 0 where the tracer has none. */
uint32_t oct_cli_param(const oct_run_args *a, oct_param_role role);
/* How to read and cut a trace, by these options, without progress. */
oct_source_options oct_cli_source_options(const oct_run_args *a);
/* Open the trace at path with these options, and fit a->params to it where they were not given. A
 * progress line that begins with verb is shown until oct_progress_end(&a->progress). 0, or an error
 * with *diag; nothing is left open then. */
int oct_cli_open(oct_source *s, const char *path, oct_run_args *a, const char *verb,
                 oct_diag *diag);
/* What is said of an alignment that was found in a trace. */
oct_shown_text oct_cli_alignment(uint64_t found_align_bytes);
/* Say in a line how many traps of what is called name the tracer leaves out, all or in part, if it
 * does: they are sent only where its parameters ask for them. */
void oct_cli_tell_traps(const char *name, uint64_t n_traps, const oct_run_args *a);
/* Say in a line which alignment of a source was found in the trace at path.
 * Not beside JSON, which has it, nor where found_align_bytes is 0. */
void oct_cli_tell_alignment(const char *path, uint64_t found_align_bytes, const oct_run_args *a);
/* Fit params, of which some are given, to a trace. OCT_ERR_CONFIG, OCT_ERR_UNSUPPORTED. */
int oct_cli_fit(const oct_tracer *t, uint32_t *params, const bool *given,
                const oct_trace_info *info, oct_diag *diag);
/* End the progress line, close the trace. error: 0, or the command is going to tell one, and notes
 * on the program would only stand before it. */
void oct_cli_close(oct_source *s, oct_run_args *a, int error);
/* Say which files of --elf have nothing of the n_insns instructions that were read of a trace, and
 * which differ from it in some, each once. */
void oct_cli_tell_program(const oct_reader *reader, uint64_t n_insns);

#endif
