/* SPDX-License-Identifier: Apache-2.0 */
/* bin2atc.c - 64-bit values on standard input to an ATC directory (Michaud 2009, section 6). */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "oct_atc_cli.h"
#include "oct_plural.h"

enum { CHUNK_BYTES = 1 << 20 };
enum { OPT_HISTOGRAMS = ATC_OPT_OWN, OPT_STATS };

static const char help[] =
    "Usage: bin2atc [OPTION...] DIRECTORY <VALUES\n"
    "Compress 64-bit values, such as the block addresses of a cache-filtered trace, into a new\n"
    "DIRECTORY. Without --lossless the result is approximate, and the loss is printed.\n"
    "\n"
    "  -k, --lossy          keep one of the intervals that look alike (default)\n"
    "  -c, --lossless       keep all values as they are\n"
    "  -B, --buffer N       values that are sorted together (default 1M)\n"
    "  -L, --interval N     lossy: values of an interval (default 10M)\n"
    "  -e, --threshold X    lossy: intervals look alike below this distance, 0..2 (default 0.1)\n"
    "      --histograms N   lossy: how many kept intervals are compared with (default 1024)\n"
    "  -z, --stage COMMAND  compress as bzip2, gzip, xz, zstd or cat does, for instance 'xz -9';\n"
    "                       done by library (default 'bzip2 -9')\n"
    "  -s, --suffix S       of the files (default bz2, gz, xz, zst or raw)\n"
    "  -j, --jobs N         workers that compress, 0..64 (default 1)\n"
    "  -f, --force          replace an ATC directory of that name\n"
    "      --stats          print the number and size of the values\n"
    "      --help, --version\n" ATC_EXIT_HELP;

/* Standard input to atc: 0, or an exit code after printing why. */
static int copy(oct_atc *atc) {
  oct_progress progress;
  struct stat in;
  uint64_t *values = malloc(CHUNK_BYTES);
  size_t n = 0; /* bytes there */
  uint64_t offset = 0;
  int code = 0;
  if (!values) return oct_cli_error(OCT_EXIT_INPUT, "out of memory");
  uint64_t total = !fstat(STDIN_FILENO, &in) && S_ISREG(in.st_mode) ? (uint64_t)in.st_size : 0;
  oct_progress_start(&progress, "bin2atc");
  progress.unit = "values";
  for (;;) {
    ssize_t got = read(STDIN_FILENO, (char *)values + n, CHUNK_BYTES - n);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      code = oct_cli_error(OCT_EXIT_INPUT, "standard input: cannot read: %s", strerror(errno));
    } else if (!got && n) {
      code = oct_cli_error(OCT_EXIT_INPUT,
                           "standard input: offset %" PRIu64 ": ends within a value of 8 bytes",
                           offset + n);
    }
    if (got <= 0) break;
    n += (size_t)got;
    if (oct_atc_put(atc, values, n / 8)) {
      code = oct_cli_error(OCT_EXIT_INPUT, "%s", oct_diag_line(&atc->diag).text);
      break;
    }
    memmove(values, values + n / 8, n % 8);
    offset += n / 8 * 8;
    n %= 8;
    oct_progress_update(&progress, offset / 8, offset, total);
  }
  oct_progress_end(&progress);
  free(values);
  return code;
}

static void print_stats(const oct_atc_counts *c) {
  fprintf(stderr,
          "%" PRIu64 " value%s, %" PRIu64 " interval%s, %" PRIu64 " chunk%s of %" PRIu64
          " byte%s, %" PRIu64 " interval%s imitated, %" PRIu64
          " of them translated, %.3f bits a value\n",
          c->addresses, OCT_S(c->addresses), c->intervals, OCT_S(c->intervals), c->chunks,
          OCT_S(c->chunks), c->file_bytes, OCT_S(c->file_bytes), c->intervals - c->chunks,
          OCT_S(c->intervals - c->chunks), c->translated,
          c->addresses ? 8.0 * (double)c->file_bytes / (double)c->addresses : 0.0);
}

/* A result that is not what came in is said to be so, and by how much. An interval that is imitated
 * has all its values; the last one may be shorter, and is then kept. */
static void tell_loss(const oct_atc_counts *c, uint32_t interval, const char *dirname) {
  uint64_t imitated = c->intervals - c->chunks, values = imitated * interval;
  if (!c->intervals || !imitated)
    oct_cli_error(0, "%s: lossy, but nothing was lost: no interval was imitated", dirname);
  else
    oct_cli_error(0,
                  "%s: lossy: %" PRIu64 " of %" PRIu64 " intervals, %" PRIu64 " of %" PRIu64
                  " values, imitate another one; --lossless keeps all values as they are",
                  dirname, imitated, c->intervals, values, c->addresses);
}

/* Leave nothing half-written, then end as the signal ends a program that does not catch it. */
static void end_by_signal(int number) {
  oct_atc_unlink_all();
  raise(number);
}

/* Signals that were ignored when bin2atc was started, as by nohup, stay ignored. */
static void catch_signals(const int *numbers, size_t n) {
  for (size_t i = 0; i < n; i++) {
    struct sigaction action;
    if (sigaction(numbers[i], NULL, &action) || action.sa_handler == SIG_IGN) continue;
    memset(&action, 0, sizeof action);
    action.sa_handler = end_by_signal;
    action.sa_flags = (int)SA_RESETHAND | SA_NODEFER;
    sigaction(numbers[i], &action, NULL);
  }
  signal(SIGXFSZ, SIG_IGN); /* writing then fails, and says so */
}

/* Open with signals held back, which the workers inherit: it is this thread that files are made by,
 * so while it handles a signal none are. */
static int open_quietly(oct_atc *atc, char mode, const char *dirname, const oct_atc_options *o) {
  static const int numbers[] = {SIGINT,  SIGTERM, SIGHUP,    SIGQUIT, SIGXCPU,
                                SIGALRM, SIGPROF, SIGVTALRM, SIGUSR1, SIGUSR2};
  const size_t n = sizeof numbers / sizeof *numbers;
  sigset_t ending, before;
  sigemptyset(&ending);
  for (size_t i = 0; i < n; i++) sigaddset(&ending, numbers[i]);
  catch_signals(numbers, n);
  pthread_sigmask(SIG_BLOCK, &ending, &before);
  int error = oct_atc_open_options(atc, mode, dirname, o);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return error;
}

static int run(char mode, const char *dirname, const oct_atc_options *options, bool stats) {
  oct_atc atc;
  oct_atc_counts counts;
  if (open_quietly(&atc, mode, dirname, options)) {
    int code = oct_cli_error(OCT_EXIT_INPUT, "%s", oct_diag_line(&atc.diag).text);
    oct_atc_close(&atc);
    return code;
  }
  int code = copy(&atc);
  if (code) {
    oct_atc_abort(&atc);
    return code;
  }
  if (oct_atc_close(&atc))
    return oct_cli_error(OCT_EXIT_INPUT, "%s", oct_diag_line(&atc.diag).text);
  oct_atc_count(&atc, &counts);
  if (stats) print_stats(&counts);
  if (mode == 'k') tell_loss(&counts, options->interval, dirname);
  return OCT_EXIT_OK;
}

int main(int argc, char **argv) {
  static const struct option longs[] = {{"lossy", no_argument, NULL, 'k'},
                                        {"lossless", no_argument, NULL, 'c'},
                                        {"buffer", required_argument, NULL, 'B'},
                                        {"interval", required_argument, NULL, 'L'},
                                        {"threshold", required_argument, NULL, 'e'},
                                        {"histograms", required_argument, NULL, OPT_HISTOGRAMS},
                                        {"stage", required_argument, NULL, 'z'},
                                        {"force", no_argument, NULL, 'f'},
                                        {"stats", no_argument, NULL, OPT_STATS},
                                        ATC_OPTIONS};
  oct_atc_options o;
  oct_diag diag = {0};
  char mode = 'k', *end;
  bool stats = false;
  uint64_t number;
  int code;
  if (oct_cli_begin()) return OCT_EXIT_INPUT;
  oct_atc_options_init(&o);
  while ((code = oct_cli_getopt(NULL, argc, argv, "kcB:L:e:z:s:j:f", longs)) != -1) {
    switch (code) {
      case 'k':
      case 'c':
        mode = (char)code;
        break;
      case 'B':
        if (!atc_number(optarg, 1, OCT_ATC_BUFFER_MAX, &number))
          return oct_cli_usage(NULL, "--buffer '%s': expected a number from 1 to 100M", optarg);
        o.buffer = (uint32_t)number;
        break;
      case 'L':
        if (!atc_number(optarg, 1, OCT_ATC_INTERVAL_MAX, &number))
          return oct_cli_usage(NULL, "--interval '%s': expected a number from 1 to 1G", optarg);
        o.interval = (uint32_t)number;
        break;
      case 'e':
        o.threshold = strtod(optarg, &end);
        if (end == optarg || *end || !(o.threshold >= 0 && o.threshold <= 2))
          return oct_cli_usage(NULL, "--threshold '%s': expected a number from 0 to 2", optarg);
        break;
      case OPT_HISTOGRAMS:
        if (!atc_number(optarg, 1, OCT_ATC_HISTOGRAMS_MAX, &number))
          return oct_cli_usage(NULL, "--histograms '%s': expected a number from 1 to 65536",
                               optarg);
        o.histograms = (uint32_t)number;
        break;
      case 'z':
        if (oct_atc_options_command(&o, optarg, &diag))
          return oct_cli_usage(NULL, "stage: %s", oct_diag_reason(&diag).text);
        break;
      case 'f':
        o.replace = true;
        break;
      case OPT_STATS:
        stats = true;
        break;
      default:
        if ((code = atc_option(&o, code, optarg, help))) return code - 1;
    }
  }
  if (argc - optind != 1) return oct_cli_usage(NULL, "expected one directory");
  if ((code = atc_check_apart(STDIN_FILENO, argv[optind], argv[optind]))) return code;
  return run(mode, argv[optind], &o, stats);
}
