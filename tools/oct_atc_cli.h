/* SPDX-License-Identifier: Apache-2.0 */
/* oct_atc_cli.h - what bin2atc and atc2bin share beside oct_cli.h: options, numbers. */
#ifndef OCT_ATC_CLI_H
#define OCT_ATC_CLI_H

#include "octrace/codec.h"
#include "oct_cli.h"

enum { ATC_OPT_HELP = 256, ATC_OPT_VERSION, ATC_OPT_OWN };

#define ATC_OPTIONS                                                                               \
  {"suffix", required_argument, NULL, 's'}, {"jobs", required_argument, NULL, 'j'},               \
      {"help", no_argument, NULL, ATC_OPT_HELP}, {"version", no_argument, NULL, ATC_OPT_VERSION}, \
  {                                                                                               \
    NULL, 0, NULL, 0                                                                              \
  }

#define ATC_EXIT_HELP \
  "\nExit status: 0 fine, 2 wrong command line, 4 bad input or input/output failed.\n"

/* Take an option of ATC_OPTIONS: 0, or where the program ends with it, its exit code + 1. */
int atc_option(oct_atc_options *o, int code, const char *value, const char *help);
/* A number from min to max, with an ending k, M or G for thousands, millions, milliards. */
bool atc_number(const char *text, uint64_t min, uint64_t max, uint64_t *value);
/* Refuse to read a file and to change it: 0, or an exit code when that which a descriptor has open
 * stands in the directory. what is changed, for the message. */
int atc_check_apart(int fd, const char *dirname, const char *what);

#endif
