/* SPDX-License-Identifier: Apache-2.0 */
/* oct_run_options.c - how users write when instructions retire. */
#include "octrace/tracer.h"

#include <stdlib.h>
#include <string.h>

int oct_arrival_parse(const char *text, oct_run_options *options, oct_diag *diag) {
  if (!strcmp(text, "full")) {
    options->arrival = OCT_ARRIVAL_FULL;
  } else if (!strcmp(text, "stamps")) {
    options->arrival = OCT_ARRIVAL_STAMPS;
  } else if (!strncmp(text, "cpi=", 4)) {
    char *end;
    double cpi = strtod(text + 4, &end);
    if (end == text + 4 || *end || !(cpi >= 1 && cpi <= 1000))
      return oct_fail(diag, OCT_ERR_ARG,
                      "cycles per instruction '%s': expected a number from 1 to 1000", text + 4);
    options->arrival = OCT_ARRIVAL_CPI;
    options->cpi_milli = (uint32_t)(cpi * 1000 + 0.5);
  } else {
    return oct_fail(diag, OCT_ERR_ARG, "unknown arrival '%s': expected full, cpi=X or stamps",
                    text);
  }
  return 0;
}
