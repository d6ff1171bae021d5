/* SPDX-License-Identifier: Apache-2.0 */
/* octrace.c - the command line: finds the subcommand and runs it. */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "oct_cli.h"
#include "oct_outfile.h"
#include "oct_report.h"

static const struct {
  const char *name, *text, *help;
  oct_cmd_fn *run;
} commands[] = {
    {"compress", "compress a trace to port bits", oct_help_compress, oct_cmd_compress},
    {"decompress", "bring a trace back from port bits", oct_help_decompress, oct_cmd_decompress},
    {"verify", "prove that nothing of a trace is lost", oct_help_verify, oct_cmd_verify},
    {"info", "say what a trace or compressed file holds", oct_help_info, oct_cmd_info},
    {"packets", "list a port stream packet by packet", oct_help_packets, oct_cmd_packets},
    {"bench", "measure codecs: ratio, speed, memory", oct_help_bench, oct_cmd_bench},
    {"convert", "cut traces and change their format", oct_help_convert, oct_cmd_convert},
    {"filter", "let through what of a trace misses in caches", oct_help_filter, oct_cmd_filter},
    {"fidelity", "hold a lossy address trace against the exact one", oct_help_fidelity,
     oct_cmd_fidelity},
    {"sweep", "tell what every geometry makes of traces", oct_help_sweep, oct_cmd_sweep},
    {"report", "tell what bandwidth, pins and buffers traces need", oct_help_report,
     oct_cmd_report},
    {"events", "compress traces of function calls, and see their patterns", oct_help_events,
     oct_cmd_events},
};
enum { N_COMMANDS = sizeof commands / sizeof commands[0] };

static void print_help(void) {
  puts(
      "Usage: octrace COMMAND [OPTION...] [FILE...]\n"
      "Compress program traces as an on-chip trace compressor does, and bring them back.\n");
  for (int i = 0; i < N_COMMANDS; i++) printf("  %-11s %s\n", commands[i].name, commands[i].text);
  fputs(
      "\noctrace help COMMAND or octrace COMMAND --help tells more; octrace --version its age.\n"
      "The file name - is standard input or output.\n" OCT_EXIT_HELP,
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

int main(int argc, char **argv) {
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
  for (int i = 0; i < N_COMMANDS; i++) {
    if (strcmp(name, commands[i].name)) continue;
    for (int k = 2; k < argc && !help && strcmp(argv[k], "--"); k++)
      help = !strcmp(argv[k], "--help");
    if (!help) return finish(commands[i].run(argc - 1, argv + 1));
    fputs(commands[i].help, stdout);
    return finish(OCT_EXIT_OK);
  }
  return oct_cli_error(OCT_EXIT_USAGE, "unknown command '%s' (see octrace --help)", name);
}
