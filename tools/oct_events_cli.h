/* SPDX-License-Identifier: Apache-2.0 */
/* oct_events_cli.h - what the octrace events commands share. */
#ifndef OCT_EVENTS_CLI_H
#define OCT_EVENTS_CLI_H

#include "oct_cli.h"
#include "oct_ev_sink.h"
#include "oct_ev_source.h"

/* Options of all commands; which of them a command takes is its own matter. */
typedef struct oct_events_args {
  const char *cmd; /* as in "events compress" */
  int argc;        /* the command line, from "events" on */
  char **argv;
  const char *output, *html;
  oct_ev_format from_format, to_format;
  const char *from, *to; /* times as given, or NULL */
  const char **threads;  /* as given; as many as there were arguments fit */
  size_t n_threads;
  const char *t_abs, *drift; /* as given, or NULL */
  oct_ev_params params;      /* those given; times are set when the clock is known */
  bool json, salvage;
  uint64_t limit, max_memory_bytes; /* 0 = the usual */
} oct_events_args;

/* Ticks of text: a number, or with s, ms, us or ns behind it a time of so many, with a clock of
 * ticks_per_second (0: nanoseconds). *has_unit tells which. False when it is neither. */
bool oct_events_ticks(const char *text, uint64_t ticks_per_second, uint64_t *ticks, bool *has_unit);

typedef struct oct_events_time {
  char text[32];
} oct_events_time;
/* A time in the unit that fits its size; in ticks where ticks_per_second is 0. */
oct_events_time oct_events_show_time(double ticks, uint64_t ticks_per_second);

typedef int oct_events_fn(oct_events_args *a, int argc, char **argv);
oct_events_fn oct_events_compress, oct_events_decompress, oct_events_convert, oct_events_extract,
    oct_events_verify, oct_events_info, oct_events_patterns;

#endif
