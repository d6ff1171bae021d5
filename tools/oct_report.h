/* SPDX-License-Identifier: Apache-2.0 */
/* oct_report.h - what a tracer counted, as text and as JSON. */
#ifndef OCT_REPORT_H
#define OCT_REPORT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "octrace/tracer.h"

/* Watch the allocations of JSON values, which vanish without a word when memory runs out. To be
 * called once, before the first value is made. */
void oct_report_watch_memory(void);
/* Whether a JSON value of this program, in any thread, is missing for lack of memory. */
bool oct_report_lacks_memory(void);
/* The same as an exit code, after saying so, unless it was said already; else 0. */
int oct_report_memory(void);

/* Text from outside, such as the name of a file. JSON is UTF-8: of what is not, each byte of 128
 * and more is \xHH. */
json_t *oct_report_string(const char *text);
/* What a tracer counted. */
typedef struct oct_reported {
  const oct_tracer *tracer;
  const uint32_t *params;
  const uint64_t *counters;
  const void *encoder; /* of which occupancy of buffers and corrections are told, or NULL */
} oct_reported;

/* All parameters, name to value. */
json_t *oct_report_params(const oct_tracer *t, const uint32_t *params);
/* Counters, port bits by stream, figures, and for the cycle engine its buffers. In names,
 * "instructions" stands for "insns". */
json_t *oct_report_json(const oct_reported *c);
/* What a sweep tells of a geometry, without levels: figures, state, port bits, counters. */
json_t *oct_report_flat(const oct_reported *c);
/* State in all and of each part, in bytes. */
json_t *oct_report_state(const oct_tracer *t, const uint32_t *params);
/* What the names mean that a report has for the streams of its port and for its structures. */
json_t *oct_report_words(const oct_tracer *t);
/* The line that says which depths of buffers would suffice, where they were looked for. */
void oct_report_depths(FILE *f, const oct_reported *c);
/* The same on one screen. */
void oct_report_text(FILE *f, const oct_reported *c);
/* Print and free a JSON value. 0, or an exit code after saying why. */
int oct_report_print(json_t *value);
/* Likewise an object of plain values, or without json a line each; put_array prints a value that is
 * an array, NULL: there is none. */
int oct_report_object(json_t *o, bool json, void (*put_array)(const json_t *array));

#endif
