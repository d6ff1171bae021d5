/* SPDX-License-Identifier: Apache-2.0 */
/* oct_report.h - what a run of the compressor counted, as text and as JSON. */
#ifndef OCT_REPORT_H
#define OCT_REPORT_H

#include <jansson.h>
#include <stdio.h>

#include "oct_config.h"
#include "oct_stats.h"

/* All parameters, name to value. */
json_t *oct_report_config(const oct_config *cfg);
/* Both accountings, hit rates, losses, and for the cycle engine its buffers. */
json_t *oct_report_json(const oct_stats *s, const oct_config *cfg);
/* The same on one screen. */
void oct_report_text(FILE *f, const oct_stats *s, const oct_config *cfg);
/* Print and free a JSON value. 0 or an exit code. */
int oct_report_print(json_t *value);

#endif
