/* SPDX-License-Identifier: Apache-2.0 */
/* oct_fidelity_report.h - two address traces side by side, as JSON, text and CSV. */
#ifndef OCT_FIDELITY_REPORT_H
#define OCT_FIDELITY_REPORT_H

#include <jansson.h>

#include "octrace/cache.h"

typedef struct oct_fidelity_side {
  const char *name;
  const oct_fidelity *f;
} oct_fidelity_side;

/* Everything that is told; the caller frees it. ways: those of the configuration. */
json_t *oct_fidelity_json(const oct_fidelity_side *exact, const oct_fidelity_side *lossy,
                          const oct_fidelity_config *config);
/* On standard output, from oct_fidelity_json. */
void oct_fidelity_print_text(const json_t *report);
void oct_fidelity_print_csv(FILE *f, const json_t *report);

#endif
