/* SPDX-License-Identifier: Apache-2.0 */
/* octrace.c - the command line: finds the subcommand and runs it. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oct_cli.h"
#include "oct_infile.h"
#include "oct_near.h"
#include "octrace/error.h"
#include "oct_report.h"

static const struct {
  const char *name, *text, *help;
  oct_cmd_fn *run;
} commands[] = {
    {"compress", "compress a trace to port bits", oct_help_compress, oct_cmd_compress},
    {"decompress", "decode port bits to a trace", oct_help_decompress, oct_cmd_decompress},
    {"verify", "check that a trace comes back unchanged", oct_help_verify, oct_cmd_verify},
    {"compare", "list the differences of two traces", oct_help_compare, oct_cmd_compare},
    {"view", "print a trace, a line for each instruction", oct_help_view, oct_cmd_view},
    {"info", "describe a trace or a compressed file", oct_help_info, oct_cmd_info},
    {"list", "list formats, tracers, codecs, geometries, params", oct_help_list, oct_cmd_list},
    {"packets", "list a port stream packet by packet", oct_help_packets, oct_cmd_packets},
    {"bench", "measure codecs and tracers: ratio, speed, memory", oct_help_bench, oct_cmd_bench},
    {"capture", "record a program under QEMU", oct_help_capture, oct_cmd_capture},
    {"convert", "change a trace's format, or cut out a part", oct_help_convert, oct_cmd_convert},
    {"calls", "find the function calls in a trace: flame graphs, time lines", oct_help_calls,
     oct_cmd_calls},
    {"stats", "report a program's mix, branches, memory and functions", oct_help_stats,
     oct_cmd_stats},
    {"filter", "keep the accesses of a trace that miss in caches", oct_help_filter, oct_cmd_filter},
    {"fidelity", "compare a lossy address trace with the exact one", oct_help_fidelity,
     oct_cmd_fidelity},
    {"gdb", "let gdb run a recorded program, forward and back", oct_help_gdb, oct_cmd_gdb},
    {"sweep", "measure many geometries in one pass over each trace", oct_help_sweep, oct_cmd_sweep},
    {"report", "report the bandwidth, pins and buffers that traces need", oct_help_report,
     oct_cmd_report},
    {"events", "compress function call traces and show their patterns", oct_help_events,
     oct_cmd_events},
};
enum { N_COMMANDS = sizeof commands / sizeof commands[0] };

static const char *command_at(const void *context, unsigned i) {
  (void)context;
  return i < N_COMMANDS ? commands[i].name : NULL;
}

/* What `octrace help` explains. */
static const char *topic_at(const void *context, unsigned i) {
  return i == N_COMMANDS ? "input" : command_at(context, i);
}

static void print_help(void) {
  puts(
      "Usage: octrace COMMAND [OPTION...] [FILE...]\n"
      "Compress program traces as an on-chip trace compressor does, and decode them again.\n");
  for (int i = 0; i < N_COMMANDS; i++) printf("  %-11s %s\n", commands[i].name, commands[i].text);
  fputs(
      "\nDetails: octrace help COMMAND, or octrace COMMAND --help; octrace help input: the options "
      "of\n"
      "all commands that read a trace. Version: octrace --version.\n"
      "The file name - means standard input or output.\n" OCT_EXIT_HELP,
      stdout);
}

/* Standard output may be a full disk: only flushing it tells, unless it was told already. */
static int finish(int code) {
  if (code != OCT_EXIT_INPUT && oct_report_memory()) code = OCT_EXIT_INPUT;
  if ((fflush(stdout) || ferror(stdout)) && code != OCT_EXIT_INPUT) return oct_cli_stdout_error();
  return code;
}

/* Leave nothing half-written, then end as the signal ends a program that does not catch it. */
static void end_by_signal(int number) {
  oct_outfile_unlink_all();
  raise(number);
}

/* Signals that were ignored when octrace was started, as by nohup, stay ignored. */
static void catch_signals(void) {
  static const int numbers[] = {SIGINT,  SIGTERM, SIGHUP,    SIGQUIT, SIGXCPU, SIGPIPE,
                                SIGALRM, SIGPROF, SIGVTALRM, SIGUSR1, SIGUSR2};
  for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    struct sigaction action;
    if (sigaction(numbers[i], NULL, &action) || action.sa_handler == SIG_IGN) continue;
    memset(&action, 0, sizeof action);
    action.sa_handler = end_by_signal;
    action.sa_flags = SA_RESETHAND | SA_NODEFER;
    sigaction(numbers[i], &action, NULL);
  }
  /* Writing then fails, and says so. */
  signal(SIGXFSZ, SIG_IGN);
}

static const char *command;

/* What is printed would go into an input: nothing is. */
static void refuse_stdout(void) {
  oct_outfile_unlink_all();
  _Exit(oct_cli_error(OCT_EXIT_USAGE, "%s: standard output: input and output are the same file",
                      command));
}

int main(int argc, char **argv) {
  if (oct_cli_begin()) return OCT_EXIT_INPUT;
  catch_signals();
  oct_report_watch_memory();
  if (argc < 2) return oct_cli_error(OCT_EXIT_USAGE, "no command given (see octrace --help)");
  const char *name = argv[1];
  if (!strcmp(name, "--version") || !strcmp(name, "-V")) {
    puts("octrace " OCT_VERSION);
    return finish(OCT_EXIT_OK);
  }
  bool help = !strcmp(name, "help") || !strcmp(name, "--help") || !strcmp(name, "-h");
  if (help && argc < 3) {
    print_help();
    return finish(OCT_EXIT_OK);
  }
  if (help) name = argv[2];
  if (help && !strcmp(name, "input")) {
    fputs(OCT_INPUT_TOPIC, stdout);
    return finish(OCT_EXIT_OK);
  }
  for (int i = 0; i < N_COMMANDS; i++) {
    if (strcmp(name, commands[i].name)) continue;
    for (int k = 2; k < argc && !help && strcmp(argv[k], "--"); k++)
      help = !strcmp(argv[k], "--help");
    if (!help) {
      command = name;
      oct_infile_guard(refuse_stdout);
      return finish(commands[i].run(argc - 1, argv + 1));
    }
    fputs(commands[i].help, stdout);
    return finish(OCT_EXIT_OK);
  }
  return oct_cli_error(OCT_EXIT_USAGE, "unknown command '%s'%s (see octrace --help)", name,
                       oct_near(name, "", help ? topic_at : command_at, NULL).text);
}
