/* SPDX-License-Identifier: Apache-2.0 */
/* oct_atc_cli.c - what bin2atc and atc2bin share: messages, numbers. */
#include "oct_atc_cli.h"

#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int atc_error(int code, const char *format, ...) {
  char line[1024];
  va_list args;
  va_start(args, format);
  vsnprintf(line, sizeof line, format, args);
  va_end(args);
  /* One line whatever a file name holds. */
  for (char *p = line; *p; p++)
    if (*p == '\n' || *p == '\r') *p = ' ';
  fprintf(stderr, "%s: %s\n", program_invocation_short_name, line);
  return code;
}

int atc_usage(const char *format, ...) {
  char line[800];
  va_list args;
  va_start(args, format);
  vsnprintf(line, sizeof line, format, args);
  va_end(args);
  return atc_error(ATC_EXIT_USAGE, "%s (see %s --help)", line, program_invocation_short_name);
}

int atc_bad_option(int code, char **argv) {
  if (code == ':') return atc_usage("option '%s' needs a value", argv[optind - 1]);
  if (optopt > 0 && optopt < 256) return atc_usage("unknown option '-%c'", optopt);
  return atc_usage(optopt ? "option '%s' takes no value" : "unknown option '%s'", argv[optind - 1]);
}

bool atc_number(const char *text, uint64_t min, uint64_t max, uint64_t *value) {
  char *end;
  if (*text < '0' || *text > '9') return false;
  errno = 0;
  uint64_t v = strtoull(text, &end, 10);
  uint64_t unit = *end == 'k' ? 1000 : *end == 'M' ? 1000000 : *end == 'G' ? 1000000000 : 1;
  if (unit > 1) end++;
  if (errno || *end || v > max / unit || v * unit < min) return false;
  *value = v * unit;
  return true;
}
