/* SPDX-License-Identifier: Apache-2.0 */
/* oct_atc_cli.c - what bin2atc and atc2bin share: options, numbers. */
#include "oct_atc_cli.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

int atc_option(oct_atc_options *o, int code, const char *value, const char *help) {
  uint64_t number;
  switch (code) {
    case 's':
      o->suffix = value;
      return 0;
    case 'j':
      if (!atc_number(value, 0, 64, &number))
        return 1 + oct_cli_usage(NULL, "--jobs '%s': expected a number from 0 to 64", value);
      o->n_threads = (unsigned)number;
      return 0;
    case ATC_OPT_HELP:
      fputs(help, stdout);
      break;
    case ATC_OPT_VERSION:
      printf("%s (octrace) " OCT_VERSION "\n", program_invocation_short_name);
      break;
    default: /* oct_cli_getopt has said it */
      return 1 + OCT_EXIT_USAGE;
  }
  return 1 + (fflush(stdout) ? OCT_EXIT_INPUT : OCT_EXIT_OK);
}

bool atc_number(const char *text, uint64_t min, uint64_t max, uint64_t *value) {
  char *end;
  if (*text < '0' || *text > '9') return false;
  errno = 0;
  uint64_t v = strtoull(text, &end, 10);
  uint64_t unit = *end == 'k' || *end == 'K' ? 1000
                  : *end == 'M'              ? 1000000
                  : *end == 'G'              ? 1000000000
                                             : 1;
  if (unit > 1) end++;
  if (errno || *end || v > max / unit || v * unit < min) return false;
  *value = v * unit;
  return true;
}

int atc_check_apart(int fd, const char *dirname, const char *what) {
  struct stat open_file, st;
  const struct dirent *e;
  bool is_inside = false;
  DIR *d = fstat(fd, &open_file) || !S_ISREG(open_file.st_mode) ? NULL : opendir(dirname);
  while (d && !is_inside && (e = readdir(d)))
    is_inside = !fstatat(dirfd(d), e->d_name, &st, 0) && st.st_dev == open_file.st_dev &&
                st.st_ino == open_file.st_ino;
  if (d) closedir(d);
  if (!is_inside) return 0;
  return oct_cli_error(OCT_EXIT_USAGE, "%s: input and output are the same file", what);
}
