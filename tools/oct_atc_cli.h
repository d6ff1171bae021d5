/* SPDX-License-Identifier: Apache-2.0 */
/* oct_atc_cli.h - what bin2atc and atc2bin share: messages, numbers, exit codes. */
#ifndef OCT_ATC_CLI_H
#define OCT_ATC_CLI_H

#include <stdbool.h>
#include <stdint.h>

#include "oct_atc.h"

enum { ATC_EXIT_OK = 0, ATC_EXIT_USAGE = 2, ATC_EXIT_INPUT = 4 };
enum { ATC_OPT_HELP = 256, ATC_OPT_VERSION, ATC_OPT_OWN };

#define ATC_EXIT_HELP \
  "\nExit status: 0 fine, 2 wrong command line, 4 bad input or input/output failed.\n"

/* Print `PROGRAM: <one line>` and return code. */
int atc_error(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same for a wrong command line, pointing to the help. */
int atc_usage(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Print what getopt found wrong with its option. */
int atc_bad_option(int code, char **argv);
/* A number from min to max, with an ending k, M or G for thousands, millions, milliards. */
bool atc_number(const char *text, uint64_t min, uint64_t max, uint64_t *value);

#endif
