/* SPDX-License-Identifier: Apache-2.0 */
/* oct_report.h - what a run of the compressor counted, as text and as JSON. */
#ifndef OCT_REPORT_H
#define OCT_REPORT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "oct_config.h"
#include "oct_stats.h"

/* Watch the allocations of JSON values, which vanish without a word when memory runs out. To be
 * called once, before the first value is made. */
void oct_report_watch_memory(void);
/* Whether a JSON value of this program, in any thread, is missing for lack of memory. */
bool oct_report_lacks_memory(void);
/* The same as an exit code, after saying so; else 0. */
int oct_report_memory(void);

/* Text from outside, such as the name of a file. JSON is UTF-8: of what is not, each byte of 128
 * and more is \xHH. */
json_t *oct_report_string(const char *text);
/* All parameters, name to value. */
json_t *oct_report_config(const oct_config *cfg);
/* Both accountings, hit rates, losses, and for the cycle engine its buffers. */
json_t *oct_report_json(const oct_stats *s, const oct_config *cfg);
/* What a sweep tells of a geometry, without levels: ratios, bits, hit rates, state, losses. */
json_t *oct_report_flat(const oct_stats *s, const oct_config *cfg);
/* State of each structure in bytes, as Table 5 of Milenković 2007 counts it. */
json_t *oct_report_state(const oct_config *cfg);
/* The same on one screen. */
void oct_report_text(FILE *f, const oct_stats *s, const oct_config *cfg);
/* Print and free a JSON value. 0, or an exit code after saying why. */
int oct_report_print(json_t *value);

#endif
