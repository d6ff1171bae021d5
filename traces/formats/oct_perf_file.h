/* SPDX-License-Identifier: Apache-2.0 */
/* oct_perf_file.h - inside of the library: what a perf.data file says of a recording with Intel PT:
 * the bytes of each trace buffer, which files were mapped where, which thread ran when. */
#ifndef OCT_PERF_FILE_H
#define OCT_PERF_FILE_H

#include <stdbool.h>

#include "octrace/error.h"

#define OCT_PERF_NO_CPU UINT32_MAX

/* The trace buffer of one thread (cpu is OCT_PERF_NO_CPU) or of one processor. */
typedef struct oct_perf_queue {
  uint32_t idx, tid, cpu;
  uint32_t n_parts;
  bool is_late;     /* something was read of the buffer before the first part */
  uint64_t end;     /* of the last part, counted from the start of the recording */
  oct_buffer bytes; /* all its parts, one after the other, */
  oct_buffer holes; /* uint64_t: in front of these bytes some are missing */
  size_t n_passed;  /* switches before the time asked for last, */
  uint64_t asked;   /* which is this: */
  uint32_t running; /* the thread that ran then */
} oct_perf_queue;

/* A file, or a part of it, as it stands in the memory of a process from `time` on. */
typedef struct oct_perf_mapping {
  uint32_t pid;
  uint64_t time, addr, length, offset; /* offset: in the file */
  const char *name;                    /* within the bytes of the file */
} oct_perf_mapping;

/* From `time` on processor cpu runs thread tid. */
typedef struct oct_perf_switch {
  uint64_t time;
  uint32_t cpu, tid;
} oct_perf_switch;

/* A thread of a process, which another process made. */
typedef struct oct_perf_thread {
  uint32_t tid, pid, parent;
} oct_perf_thread;

typedef struct oct_perf_file {
  uint8_t *bytes; /* owned */
  size_t n_bytes;
  oct_buffer queues, mappings, switches, threads; /* arrays of the above */
  const char *command;                            /* name of the first program, or NULL */
  uint16_t family;                                /* of the processor, 0 when not told */
  uint8_t model, stepping;
  uint64_t n_lost; /* places where the kernel says that trace was lost */
  bool is_snapshot;
  bool has_clock; /* a time stamp counter is, in the file's time, as these say: */
  uint64_t shift, mult, zero;
  oct_diag cut; /* what is wrong behind all that was read, if its error is not 0 */
} oct_perf_file;

/* Read the bytes, whose owner p becomes in every case. name is for messages. With goes_on, what
 * stands before damage is kept, if there are trace bytes. OCT_ERR_FORMAT, OCT_ERR_TRUNCATED,
 * OCT_ERR_UNSUPPORTED (other trace units, compressed records), OCT_ERR_NOMEM. */
int oct_perf_read(oct_perf_file *p, const char *name, uint8_t *bytes, size_t n_bytes, bool goes_on,
                  oct_diag *diag);
void oct_perf_free(oct_perf_file *p);

static inline size_t oct_perf_n_queues(const oct_perf_file *p) {
  return p->queues.n_bytes / sizeof(oct_perf_queue);
}
static inline oct_perf_queue *oct_perf_queue_at(const oct_perf_file *p, size_t i) {
  return (oct_perf_queue *)(void *)p->queues.bytes + i;
}

/* A time stamp counter in the time of the file's records. */
uint64_t oct_perf_time(const oct_perf_file *p, uint64_t tsc);
/* The thread that queue q belongs to at that time, 0 if unknown. Best asked in order of time. */
uint32_t oct_perf_thread_at(const oct_perf_file *p, oct_perf_queue *q, uint64_t time);
/* What process pid, or the one that made it, has at addr: the mapping made last before time, or
 * NULL.
 */
const oct_perf_mapping *oct_perf_mapping_at(const oct_perf_file *p, uint32_t pid, uint64_t time,
                                            uint64_t addr);
/* When, behind that time, the next mapping is made; UINT64_MAX: no more. */
uint64_t oct_perf_next_mapping(const oct_perf_file *p, uint64_t time);
/* The thread of that number, or NULL. */
const oct_perf_thread *oct_perf_thread_of(const oct_perf_file *p, uint32_t tid);

#endif
