// SPDX-License-Identifier: Apache-2.0
// oct_options.h - long options of the programs here; what is wrong with one is told in one line.
#ifndef OCT_OPTIONS_H
#define OCT_OPTIONS_H

#include <getopt.h>

#include <cerrno>
#include <cinttypes>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

// Exit codes as octrace has them.
enum { EXIT_EQUAL = 0, EXIT_DIFFER = 1, EXIT_USAGE = 2, EXIT_INPUT = 4 };

class OptionReader {
 public:
  // The values of longs are letters, not '?'. program begins each line printed.
  OptionReader(const char *program, int argc, char **argv, const option *longs)
      : program_(program), argc_(argc), argv_(argv), longs_(longs) {
    opterr = 0;
  }
  // The letter of the next option, its value in optarg; -1 after the last; '?' when there is no
  // such option or its value is missing, which has been told.
  int next() {
    int at = optind, c = getopt_long(argc_, argv_, ":", longs_, nullptr);
    if (c != ':' && c != '?') return c;
    // A cluster of letters is left in place until its last one.
    const char *arg = argv_[optind > at ? optind - 1 : at];
    if (c == ':')
      refuse("option '%s' needs a value", arg);
    else if (strncmp(arg, "--", 2) != 0)
      refuse("unknown option '-%c'", optopt);
    else
      refuse("unknown option '%s'", arg);
    return '?';
  }
  // optarg as a number in this range; false when it is none, which has been told. what: its name.
  bool number(const char *what, uint64_t min, uint64_t max, uint64_t *value) const {
    char *end;
    errno = 0;
    *value = strtoull(optarg, &end, 0);
    if (*optarg >= '0' && *optarg <= '9' && !*end && !errno && *value >= min && *value <= max)
      return true;
    if (max == UINT64_MAX)
      refuse("%s '%s' is not a number from %" PRIu64, what, optarg, min);
    else
      refuse("%s '%s' is not a number from %" PRIu64 " to %" PRIu64, what, optarg, min, max);
    return false;
  }
  // Print `PROGRAM: <one line>`; the exit code of a wrong command line.
  int refuse(const char *format, ...) const __attribute__((format(printf, 2, 3))) {
    va_list args;
    va_start(args, format);
    fprintf(stderr, "%s: ", program_);
    vfprintf(stderr, format, args);
    fprintf(stderr, " (see %s --help)\n", program_);
    va_end(args);
    return EXIT_USAGE;
  }

 private:
  const char *program_;
  int argc_;
  char **argv_;
  const option *longs_;
};

#endif
