// SPDX-License-Identifier: Apache-2.0
// oct_options.h - long options of the programs here, and how they begin and end; what is wrong is
// told in one line.
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

#include "oct_hold_streams.h"
#include "oct_radix.h"

// Exit codes as octrace has them.
enum { EXIT_EQUAL = 0, EXIT_DIFFER = 1, EXIT_USAGE = 2, EXIT_INPUT = 4 };

// Print `PROGRAM: TEXT`, in one line whatever a file name holds; code.
__attribute__((format(printf, 3, 4))) inline int oct_tell(const char *program, int code,
                                                          const char *format, ...) {
  char line[1024];
  va_list args;
  va_start(args, format);
  vsnprintf(line, sizeof line, format, args);
  va_end(args);
  for (char *p = line; *p; p++)
    if (*p == '\n' || *p == '\r') *p = ' ';
  fprintf(stderr, "%s: %s%s\n", program, *line == ':' ? "''" : "", line);
  return code;
}

// What messages call a trace.
inline const char *oct_shown(const char *path) {
  return strcmp(path, "-") ? path : "standard input";
}

// Before anything is opened: 0, or the exit code where a standard stream is closed and cannot be
// held.
inline int oct_begin(const char *program) {
  return oct_hold_streams() ? oct_tell(program, EXIT_INPUT, "standard streams are closed") : 0;
}

// At the end: code, or that of output which cannot be written, unless one line was told already.
inline int oct_finish(const char *program, int code) {
  if ((!fflush(stdout) && !ferror(stdout)) || code == EXIT_INPUT) return code;
  return oct_tell(program, EXIT_INPUT, "standard output: cannot write: %s",
                  strerror(errno ? errno : EIO));
}

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
    *value = strtoull(optarg, &end, oct_radix(optarg));
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
    char text[800];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return oct_tell(program_, EXIT_USAGE, "%s (see %s --help)", text, program_);
  }

 private:
  const char *program_;
  int argc_;
  char **argv_;
  const option *longs_;
};

#endif
