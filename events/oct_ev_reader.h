/* SPDX-License-Identifier: Apache-2.0 */
/* oct_ev_reader.h - reads compressed event files, whole or in parts.
 *
 * Threads: A reader is for one thread at a time, different ones may be used by different threads.
 */
#ifndef OCT_EV_READER_H
#define OCT_EV_READER_H

#include <stdbool.h>

#include "oct_ev_types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct oct_ev_reader oct_ev_reader;

/* Open a file ("-": standard input; also packed by gzip, bzip2, xz or zstd). Index and names are
 * read. OCT_ERR_IO, OCT_ERR_FORMAT, OCT_ERR_TRUNCATED, OCT_ERR_CHECKSUM, OCT_ERR_NOMEM. */
int oct_ev_reader_open(const char *path, oct_ev_reader **r, oct_diag *diag);
/* The same for n bytes in memory, which stay the caller's; trust: do not look at checksums. */
int oct_ev_reader_open_memory(const void *bytes, size_t n, int trust, oct_ev_reader **r,
                              oct_diag *diag);
/* The same, but an index, a tail or names that are damaged do not refuse the file: what stands
 * before the first damage is given, and in place of the end the error that tells it. */
int oct_ev_reader_open_part(const char *path, oct_ev_reader **r, oct_diag *diag);
int oct_ev_reader_open_memory_part(const void *bytes, size_t n, int trust, oct_ev_reader **r,
                                   oct_diag *diag);
/* The same for a damaged file: a damaged block costs its events alone, and is no error; an index,
 * a tail or names that are damaged are made again from the blocks. Names that are gone are
 * "function 0", "location 0" and so on. */
int oct_ev_reader_open_salvage(const char *path, oct_ev_reader **r, oct_diag *diag);
int oct_ev_reader_open_memory_salvage(const void *bytes, size_t n, int trust, oct_ev_reader **r,
                                      oct_diag *diag);
/* Before the first record: how many bytes of chunks may be open at once, of each thread one;
 * more is OCT_ERR_LIMIT. 0 = OCT_EV_OPEN_BYTES_MAX. */
void oct_ev_reader_max_memory(oct_ev_reader *r, uint64_t bytes);
void oct_ev_reader_close(oct_ev_reader *r);

const oct_ev_params *oct_ev_reader_params(const oct_ev_reader *r);
const oct_ev_counts *oct_ev_reader_counts(const oct_ev_reader *r);
const oct_ev_defs *oct_ev_reader_defs(const oct_ev_reader *r);
/* First and last time of the file; both 0 when it holds nothing. */
void oct_ev_reader_span(const oct_ev_reader *r, uint64_t *from, uint64_t *to);
/* Bytes read so far, and of the file. */
uint64_t oct_ev_reader_bytes_read(const oct_ev_reader *r);
uint64_t oct_ev_reader_bytes_total(const oct_ev_reader *r);

/* Begin (again) with the records from <= time <= to of the locations chosen: chosen[i] != 0 for
 * location i, or NULL for all. Without it all are read. OCT_ERR_NOMEM. */
int oct_ev_reader_select(oct_ev_reader *r, uint64_t from, uint64_t to, const uint8_t *chosen,
                         oct_diag *diag);
/* 1 and the next record, in the order of time and, where equal, of locations; 0 at the end; or
 * OCT_ERR_*. */
int oct_ev_reader_next(oct_ev_reader *r, oct_ev_record *record, oct_diag *diag);

/* Whether the names of functions and threads are gone, and those of the definitions are numbers. */
bool oct_ev_reader_lacks_names(const oct_ev_reader *r);

/* Whether all records were given: an error that came then is of totals which tell of others. */
bool oct_ev_reader_gave_all(const oct_ev_reader *r);

/* What damage took of the records asked for, of a reader opened with salvage. */
typedef struct oct_ev_damage {
  uint64_t n_places, lost_events;
  int is_unknown; /* more were lost, in blocks that nothing tells the events of */
  oct_diag first; /* where the first was */
} oct_ev_damage;

const oct_ev_damage *oct_ev_reader_damage(const oct_ev_reader *r);

/* The store below, for those that look at patterns. */
struct oct_ev_store;
struct oct_ev_store *oct_ev_reader_store(oct_ev_reader *r);

#ifdef __cplusplus
}
#endif
#endif
