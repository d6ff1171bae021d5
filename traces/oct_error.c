/* SPDX-License-Identifier: Apache-2.0 */
/* oct_error.c - names and words of the errors. */
#include "oct_error.h"

#include <stdarg.h>
#include <stdio.h>

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

int oct_fail(oct_diag *diag, int error, const char *format, ...) {
  if (diag) {
    va_list args;
    diag->error = error;
    va_start(args, format);
    vsnprintf(diag->text, sizeof diag->text, format, args);
    va_end(args);
  }
  return error;
}

int oct_check_reserved(const uint64_t reserved[4], const char *name, oct_diag *diag) {
  for (unsigned i = 0; i < 4; i++)
    if (reserved[i])
      return oct_fail(diag, OCT_ERR_ARG,
                      "%s: expected reserved fields of 0: the program is for a later library",
                      name);
  return 0;
}
