/* SPDX-License-Identifier: Apache-2.0 */
/* oct_ev_source.h - event traces of any format, as records.
 *
 * Threads: A source is for one thread at a time, different ones may be used by different threads,
 * but of OTF2 archives one at a time in the program: so does the OTF2 library want it. */
#ifndef OCT_EV_SOURCE_H
#define OCT_EV_SOURCE_H

#include "oct_ev_types.h"

#ifdef __cplusplus
extern "C" {
#endif

#define OCT_EV_FORMATS(X)                                       \
  X(COMPRESSED, "octev", "compressed by octrace events")        \
  X(TEXT, "text", "lines: time thread enter|leave function")    \
  X(UFTRACE, "uftrace", "data directory of uftrace record")     \
  X(UFTRACE_DUMP, "uftrace-dump", "output of uftrace dump")     \
  X(OTF2, "otf2", "OTF2 archive: its anchor file or directory") \
  X(RECORDS, "records", "18 bytes per event: time, location, function, kind")

typedef enum oct_ev_format {
  OCT_EV_FORMAT_AUTO,
#define OCT_X(name, word, text) OCT_EV_FORMAT_##name,
  OCT_EV_FORMATS(OCT_X)
#undef OCT_X
} oct_ev_format;

/* The format called word, or -1. */
int oct_ev_format_by_name(const char *word);
const char *oct_ev_format_name(oct_ev_format format);
/* Whether this build reads and writes OTF2. */
int oct_ev_have_otf2(void);

typedef struct oct_ev_source oct_ev_source;

/* Open path in a format (auto: by what it is; records cannot be read). OCT_ERR_IO, OCT_ERR_FORMAT,
 * OCT_ERR_UNSUPPORTED, OCT_ERR_NOMEM, and those of oct_ev_reader_open. */
int oct_ev_source_open(const char *path, oct_ev_format format, oct_ev_source **s, oct_diag *diag);
/* 1 and n >= 1 records in the order of time within each location, valid until the next call; 0 at
 * the end; or OCT_ERR_* with a *diag that says where. */
int oct_ev_source_next(oct_ev_source *s, const oct_ev_record **records, size_t *n, oct_diag *diag);
oct_ev_format oct_ev_source_format(const oct_ev_source *s);
/* What the records refer to; complete at the end. ticks_per_second is known from the start. */
const oct_ev_defs *oct_ev_source_defs(const oct_ev_source *s);
/* What of the trace is not among the records, in words, or NULL. Complete at the end. */
const char *oct_ev_source_note(const oct_ev_source *s);
void oct_ev_source_close(oct_ev_source *s);

#ifdef __cplusplus
}
#endif
#endif
