/* SPDX-License-Identifier: Apache-2.0 */
/* atc2bin.c - an ATC directory to 64-bit values on standard output (Michaud 2009, section 6). */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "oct_atc_cli.h"

enum { CHUNK_VALUES = 1 << 17 };

static const char help[] =
    "Usage: atc2bin [OPTION...] DIRECTORY >VALUES\n"
    "Write the 64-bit values of an ATC directory.\n"
    "\n"
    "  -i, --info           print the contents of the directory instead\n"
    "  -T, --test           read and check all of it, write nothing\n"
    "  -s, --suffix S       of the files, when there are several INFO.*\n"
    "  -j, --jobs N         workers that decompress, 0..64 (default 1)\n"
    "      --help, --version\n" ATC_EXIT_HELP;

/* All values to standard output, or with `test` to nowhere. */
static int copy(oct_atc *atc, bool test) {
  uint64_t *values = malloc(CHUNK_VALUES * sizeof *values);
  int64_t got = 0;
  int code = OCT_EXIT_OK;
  if (!values) return oct_cli_error(OCT_EXIT_INPUT, "out of memory");
  while (!code && (got = oct_atc_get(atc, values, CHUNK_VALUES)) > 0)
    if (!test && fwrite(values, sizeof *values, (size_t)got, stdout) != (size_t)got)
      code = oct_cli_stdout_error();
  if (got < 0) code = oct_cli_error(OCT_EXIT_INPUT, "%s", oct_diag_line(&atc->diag).text);
  free(values);
  if (!code && fflush(stdout)) code = oct_cli_stdout_error();
  return code;
}

static int print_info(const oct_atc *atc) {
  oct_atc_counts c;
  oct_atc_count(atc, &c);
  printf("%-12s %" PRIu64 "\n%-12s %" PRIu64 "\n%-12s %" PRIu64 "\n%-12s %" PRIu64
         "\n%-12s %" PRIu64 "\n%-12s %" PRIu64 "\n",
         "values", c.addresses, "intervals", c.intervals, "chunks", c.chunks, "imitated",
         c.intervals - c.chunks, "translated", c.translated, "bytes", c.file_bytes);
  return fflush(stdout) ? oct_cli_stdout_error() : OCT_EXIT_OK;
}

int main(int argc, char **argv) {
  static const struct option longs[] = {
      {"info", no_argument, NULL, 'i'}, {"test", no_argument, NULL, 'T'}, ATC_OPTIONS};
  oct_atc atc;
  oct_atc_options o;
  bool info = false, test = false;
  int code;
  if (oct_cli_begin()) return OCT_EXIT_INPUT;
  oct_atc_options_init(&o);
  while ((code = oct_cli_getopt(NULL, argc, argv, "iTs:j:", longs)) != -1) {
    switch (code) {
      case 'i':
        info = true;
        break;
      case 'T':
        test = true;
        break;
      default:
        if ((code = atc_option(&o, code, optarg, help))) return code - 1;
    }
  }
  if (argc - optind != 1) return oct_cli_usage(NULL, "expected one directory");
  if (!info && !test && (code = oct_cli_binary(NULL, "-"))) return code;
  if (!test && (code = atc_check_apart(STDOUT_FILENO, argv[optind], "standard output")))
    return code;
  signal(SIGXFSZ, SIG_IGN);
  if (oct_atc_open_options(&atc, 'd', argv[optind], &o))
    code = oct_cli_error(OCT_EXIT_INPUT, "%s", oct_diag_line(&atc.diag).text);
  else
    code = info ? print_info(&atc) : copy(&atc, test);
  oct_atc_close(&atc);
  return code;
}
