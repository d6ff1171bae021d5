/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_gdb.c - octrace gdb: a server of gdb's remote protocol on standard input and output, for a
 * recorded program. */
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "oct_cli.h"
#include "oct_gdb.h"
#include "oct_session.h"

const char oct_help_gdb[] =
    "Usage: gdb-multiarch PROGRAM -ex 'target remote | octrace gdb [OPTION...] FILE'\n"
    "Let gdb run a recorded program, forward and back: a trace with values (octrace capture\n"
    "--values), or one that the tracer replay has compressed. Memory is known from where the\n"
    "program first touched it; the sound parts of a damaged file are used. In gdb,\n"
    "`monitor where` shows the position, `monitor goto N` goes to instruction N, `monitor end`\n"
    "to the end. `monitor gaps` shows where instructions are missing, as does a run that passes\n"
    "such a place; `monitor modules` commands that load the symbols of libraries.\n"
    "\nTrace input (octrace help input explains these):\n"
    "      --from F, --isa I, --insn-bytes N, --max-map N, --elf FILE[@BIAS],\n"
    "      --from-sync N\n" OCT_READ_EXIT_HELP;

static int take(void *context) {
  unsigned char byte;
  (void)context;
  return read(STDIN_FILENO, &byte, 1) == 1 ? byte : -1;
}

static bool has_byte(void *context) {
  struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
  (void)context;
  return poll(&input, 1, 0) == 1;
}

static int give(void *context, const char *bytes, size_t n) {
  (void)context;
  while (n) {
    ssize_t done = write(STDOUT_FILENO, bytes, n);
    if (done <= 0) return -1;
    bytes += done;
    n -= (size_t)done;
  }
  return 0;
}

int oct_cmd_gdb(int argc, char **argv) {
  static const struct option options[] = {
      {"from", required_argument, NULL, OCT_OPT_FORMAT}, OCT_READ_OPTIONS, {NULL, 0, NULL, 0}};
  oct_read_options read = {.goes_on = 1};
  oct_session *session;
  oct_diag diag = {0};
  int c, code = 0;
  while (!code && (c = oct_cli_getopt("gdb", argc, argv, "", options)) != -1)
    code = c == OCT_OPT_FORMAT ? oct_cli_read_format(&read, "gdb", optarg)
                               : oct_cli_read_arg(&read, "gdb", c, optarg);
  if (code) return code;
  if (optind + 1 != argc) return oct_cli_usage("gdb", "one trace is needed");
  if (!strcmp(argv[optind], "-"))
    return oct_cli_usage("gdb", "a file is needed: standard input is gdb's");
  if (oct_session_start(argv[optind], &read, &session, &diag))
    return oct_cli_diag(argv[optind], &diag);
  const oct_gdb_line line = {.take = take, .has_byte = has_byte, .give = give};
  int error = oct_gdb_serve(session, &line, &diag);
  oct_session_close(session);
  return error ? oct_cli_diag(argv[optind], &diag) : OCT_EXIT_OK;
}
