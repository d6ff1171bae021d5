/* SPDX-License-Identifier: Apache-2.0 */
/* atc2bin.c - an ATC directory to 64-bit values on standard output (seed 004, section 6). */
#include <getopt.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "oct_atc_cli.h"

enum { CHUNK_VALUES = 1 << 17 };

static const char help[] =
    "Usage: atc2bin [OPTION...] DIRECTORY >VALUES\n"
    "Write the 64-bit values that an ATC directory stands for.\n"
    "\n"
    "  -i, --info           say what the directory holds instead\n"
    "  -T, --test           read and check all of it, write nothing\n"
    "  -s, --suffix S       of the files, when there are several INFO.*\n"
    "  -t, --threads N      workers that decompress, 0..64 (default 1)\n"
    "      --help, --version\n" ATC_EXIT_HELP;

/* All values to standard output, or with `test` to nowhere. */
static int copy(oct_atc *atc, bool test) {
  uint64_t *values = malloc(CHUNK_VALUES * sizeof *values);
  int64_t got = 0;
  int code = ATC_EXIT_OK;
  if (!values) return atc_error(ATC_EXIT_INPUT, "out of memory");
  while (!code && (got = oct_atc_get(atc, values, CHUNK_VALUES)) > 0)
    if (!test && fwrite(values, sizeof *values, (size_t)got, stdout) != (size_t)got)
      code = atc_error(ATC_EXIT_INPUT, "standard output: cannot write");
  if (got < 0) code = atc_error(ATC_EXIT_INPUT, "%s", atc->diag.text);
  free(values);
  if (!code && fflush(stdout)) code = atc_error(ATC_EXIT_INPUT, "standard output: cannot write");
  return code;
}

static int print_info(const oct_atc *atc) {
  oct_atc_counts c;
  oct_atc_count(atc, &c);
  printf("%-12s %" PRIu64 "\n%-12s %" PRIu64 "\n%-12s %" PRIu64 "\n%-12s %" PRIu64
         "\n%-12s %" PRIu64 "\n%-12s %" PRIu64 "\n",
         "values", c.addresses, "intervals", c.intervals, "chunks", c.chunks, "imitated",
         c.intervals - c.chunks, "translated", c.translated, "bytes", c.file_bytes);
  return fflush(stdout) ? atc_error(ATC_EXIT_INPUT, "standard output: cannot write") : ATC_EXIT_OK;
}

int main(int argc, char **argv) {
  static const struct option longs[] = {{"info", no_argument, NULL, 'i'},
                                        {"test", no_argument, NULL, 'T'},
                                        {"suffix", required_argument, NULL, 's'},
                                        {"threads", required_argument, NULL, 't'},
                                        {"help", no_argument, NULL, ATC_OPT_HELP},
                                        {"version", no_argument, NULL, ATC_OPT_VERSION},
                                        {NULL, 0, NULL, 0}};
  oct_atc atc;
  oct_atc_options o;
  bool info = false, test = false;
  uint64_t number;
  int code;
  oct_atc_options_init(&o);
  opterr = 0;
  while ((code = getopt_long(argc, argv, ":iTs:t:", longs, NULL)) != -1) {
    switch (code) {
      case 'i':
        info = true;
        break;
      case 'T':
        test = true;
        break;
      case 's':
        o.suffix = optarg;
        break;
      case 't':
        if (!atc_number(optarg, 0, 64, &number))
          return atc_usage("threads '%s' is not a number from 0 to 64", optarg);
        o.n_threads = (unsigned)number;
        break;
      case ATC_OPT_HELP:
        fputs(help, stdout);
        return fflush(stdout) ? ATC_EXIT_INPUT : ATC_EXIT_OK;
      case ATC_OPT_VERSION:
        puts("atc2bin (octrace) " OCT_VERSION);
        return fflush(stdout) ? ATC_EXIT_INPUT : ATC_EXIT_OK;
      default:
        return atc_bad_option(code, argv);
    }
  }
  if (argc - optind != 1) return atc_usage("one directory is expected");
  signal(SIGPIPE, SIG_IGN);
  if (oct_atc_open_options(&atc, 'd', argv[optind], &o))
    code = atc_error(ATC_EXIT_INPUT, "%s", atc.diag.text);
  else
    code = info ? print_info(&atc) : copy(&atc, test);
  oct_atc_close(&atc);
  return code;
}
