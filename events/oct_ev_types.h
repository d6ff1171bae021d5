/* SPDX-License-Identifier: Apache-2.0 */
/* oct_ev_types.h - records of an event trace, what they refer to, and how they are compressed.
 *
 * Threads: Objects are for one thread at a time, different ones may be used by different threads.
 */
#ifndef OCT_EV_TYPES_H
#define OCT_EV_TYPES_H

#include <stddef.h>
#include <stdint.h>

#include "octrace/error.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum oct_ev_kind { OCT_EV_ENTER = 0, OCT_EV_LEAVE = 1, OCT_EV_OTHER = 2 } oct_ev_kind;

/* The first byte of an other record's bytes says what follows. */
typedef enum oct_ev_other_form {
  OCT_EV_OTHER_TEXT = 0, /* UTF-8 text of one line */
  OCT_EV_OTHER_OTF2 = 1  /* an OTF2 event (oct_ev_otf2.h) */
} oct_ev_other_form;

/* Limits of the format. */
#define OCT_EV_ORDER_MAX 65536
#define OCT_EV_OTHER_BYTES_MAX (1u << 20)
#define OCT_EV_NAMES_MAX (1u << 28)
/* Limits of memory, unless more is allowed: threads of a trace that is compressed, up to 14 KB
 * each; and bytes of the chunks that a reader has open at once, one of each thread. */
#define OCT_EV_THREADS_MAX 65536
#define OCT_EV_OPEN_BYTES_MAX ((uint64_t)1 << 30)

typedef struct oct_ev_record {
  uint64_t time_ticks;
  uint32_t location;    /* index of oct_ev_defs.locations */
  uint32_t function;    /* index of oct_ev_defs.functions; 0 for other records */
  const uint8_t *other; /* bytes of an other record, valid until the next call of who gave it */
  uint32_t other_bytes;
  uint32_t kind; /* oct_ev_kind */
} oct_ev_record;

/* A table of names, each once, numbered as they came. */
typedef struct oct_ev_names {
  char *text;
  size_t text_bytes, text_cap;
  size_t *start; /* n + 1 offsets into text; names are NUL-terminated */
  uint32_t n;
  size_t start_cap;
  uint32_t *slots; /* hash table of number + 1; 0 = free */
  size_t n_slots;
} oct_ev_names;

typedef struct oct_ev_location_def {
  uint32_t process; /* index of oct_ev_defs.processes */
  uint64_t id;      /* the location's number in its source, as OTF2's location reference */
} oct_ev_location_def;

/* What records refer to. It grows while a source is read and is complete at its end. */
typedef struct oct_ev_defs {
  uint64_t ticks_per_second; /* 0 = unknown */
  oct_ev_names functions, locations, processes;
  oct_ev_location_def *location; /* locations.n of them */
  size_t location_cap;
  uint64_t *function_id; /* functions.n of them: the region's number in an OTF2 source */
  size_t function_id_cap;
  uint8_t *blob; /* the definitions of an OTF2 source as they came (oct_ev_otf2.h), or NULL */
  size_t blob_bytes, blob_cap;
} oct_ev_defs;

void oct_ev_defs_free(oct_ev_defs *defs);
/* The number of name, added if new. OCT_ERR_NOMEM, OCT_ERR_LIMIT; OCT_ERR_FORMAT when it has a byte
 * of 0. */
int64_t oct_ev_names_add(oct_ev_names *names, const char *name, size_t length);
/* The number of name, or -1. */
int64_t oct_ev_names_find(const oct_ev_names *names, const char *name, size_t length);
const char *oct_ev_names_text(const oct_ev_names *names, uint32_t i);
/* The same for functions and locations, with their numbers in the source. */
int64_t oct_ev_defs_function(oct_ev_defs *defs, const char *name, size_t length, uint64_t id);
int64_t oct_ev_defs_location(oct_ev_defs *defs, const char *name, size_t length,
                             const char *process, uint64_t id);
/* Copy all definitions. OCT_ERR_NOMEM. */
int oct_ev_defs_copy(oct_ev_defs *to, const oct_ev_defs *from);

/* How to compress. All times in ticks of the trace. */
typedef struct oct_ev_params {
  uint32_t max_order;       /* N: 0 = no meta-events, else 2..OCT_EV_ORDER_MAX */
  uint32_t lossy;           /* 1: time differences within the thresholds; 0: exact */
  uint64_t t_abs_ticks;     /* Tabs */
  uint32_t t_rel_ppm;       /* Trel in millionths, 0..1000000 */
  uint64_t drift_ticks;     /* lossy: how far a time stamp may be off */
  uint32_t max_corrections; /* correction pairs of an occurrence, 0..255 */
  uint32_t keep_all;        /* 1: keep meta-events that do not pay, as the paper does */
  uint32_t buffer_events;   /* events compressed together: 1024..2^28 */
  int32_t level;            /* zstd level 1..19 */
  uint32_t max_threads;     /* most threads, 0 = OCT_EV_THREADS_MAX */
} oct_ev_params;

/* Defaults; times are set from ticks_per_second (0: a tick is taken for a nanosecond). */
void oct_ev_params_init(oct_ev_params *p, uint64_t ticks_per_second);
/* OCT_ERR_CONFIG with *diag. */
int oct_ev_params_check(const oct_ev_params *p, oct_diag *diag);

/* Sizes of the paper's records in bytes (VTF3, Eq. 5-7); a correction pair is an index of 4 and a
 * value of 8, for which the paper gives no size. */
enum {
  OCT_EV_EVENT_BYTES = 18,
  OCT_EV_OCCURRENCE_BYTES = 30,
  OCT_EV_PATTERN_BYTES = 26,
  OCT_EV_PATTERN_ORDER_BYTES = 8,
  OCT_EV_META_BYTES = 23,
  OCT_EV_CORRECTION_BYTES = 12
};

/* What was counted while compressing; stored in the file. */
#define OCT_EV_COUNTS(X)                                                         \
  X(events, "enter and leave events")                                            \
  X(others, "other records")                                                     \
  X(plain_events, "events kept outside of patterns")                             \
  X(occurrences, "occurrences of patterns")                                      \
  X(disturbed, "occurrences with correction pairs")                              \
  X(corrections, "correction pairs")                                             \
  X(patterns, "patterns")                                                        \
  X(pattern_order_sum, "sum of the patterns' orders")                            \
  X(metas, "meta-events")                                                        \
  X(stray_leaves, "leaves without an enter")                                     \
  X(lost_leaves, "enters whose leave is missing, as an outer function was left") \
  X(open_enters, "enters still open at the end")                                 \
  X(max_drift_ticks, "most that a time stamp is off")                            \
  X(segments, "segments")
typedef struct oct_ev_counts {
#define OCT_X(name, text) uint64_t name;
  OCT_EV_COUNTS(OCT_X)
#undef OCT_X
} oct_ev_counts;

/* L0 and L1 of Eq. 5 and 7 for these counts: with plain events (18 bytes each) and correction pairs
 * added. */
uint64_t oct_ev_size_before(const oct_ev_counts *c);
uint64_t oct_ev_size_after(const oct_ev_counts *c);
/* K of Eq. 8 for one repeated pattern: e events, order n, k meta-events. */
double oct_ev_theory(double e, double n, double k);

#ifdef __cplusplus
}
#endif
#endif
