/* SPDX-License-Identifier: Apache-2.0 */
/* oct_error.c - names and words of the errors. */
#include "octrace/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *oct_error_name(int error) {
  switch (error) {
#define OCT_X(name, value, text) \
  case name:                     \
    return #name;
    OCT_ERRORS(OCT_X)
#undef OCT_X
    case OCT_OK:
      return "OCT_OK";
    default:
      return "OCT_ERR_?";
  }
}

const char *oct_error_text(int error) {
  switch (error) {
#define OCT_X(name, value, text) \
  case name:                     \
    return text;
    OCT_ERRORS(OCT_X)
#undef OCT_X
    case OCT_OK:
      return "no error";
    default:
      return "unknown error";
  }
}

/* Put a line into the text. Of one that is too long, as with a long file name, both ends are kept:
 * the reason stands behind the name. */
static void put_line(oct_diag *diag, const char *line, size_t n) {
  enum { ROOM = sizeof diag->text - 1, BEGIN = ROOM / 3, END = ROOM - BEGIN - 3 };
  if (n <= ROOM)
    memcpy(diag->text, line, n + 1);
  else
    snprintf(diag->text, sizeof diag->text, "%.*s...%s", BEGIN, line, line + n - END);
}

int oct_fail(oct_diag *diag, int error, const char *format, ...) {
  if (diag) {
    char line[8192];
    va_list args;
    diag->error = error;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    put_line(diag, line, strlen(line));
  }
  return error;
}
