/* SPDX-License-Identifier: Apache-2.0 */
/* oct_addresses.h - a sequence of byte addresses from wherever they come.
 *
 * Threads: A source is for one thread at a time, different ones may be used by different threads.
 */
#ifndef OCT_ADDRESSES_H
#define OCT_ADDRESSES_H

#include <stddef.h>
#include <stdint.h>

#include "oct_error.h"
#include "oct_reader.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A source of addresses. Whoever opens one fills it in; oct_addresses_close frees it. */
typedef struct oct_addresses {
  /* The next addresses, at most n (> 0): how many, 0 at the end, or an error with *diag filled. */
  int64_t (*read)(void *state, uint64_t *addrs, size_t n, oct_diag *diag);
  void (*close)(void *state);
  void *state;
} oct_addresses;

static inline int64_t oct_addresses_read(oct_addresses *a, uint64_t *addrs, size_t n,
                                         oct_diag *diag) {
  return a->read(a->state, addrs, n, diag);
}

static inline void oct_addresses_close(oct_addresses *a) {
  if (a->close) a->close(a->state);
  a->read = NULL;
  a->close = NULL;
  a->state = NULL;
}

/* Which addresses of a trace. */
enum { OCT_ADDRESSES_INSN = 1, OCT_ADDRESSES_DATA = 2 };

/* The addresses of the trace at path: of each instruction, then of its accesses, as `kinds` says;
 * of formats that have one of both only (lists of addresses, vpc3 records without instruction
 * fetches), those. Errors as oct_reader_open. */
int oct_addresses_of_trace(const char *path, const oct_read_options *options, unsigned kinds,
                           oct_addresses *a, oct_diag *diag);

/* The batches of a trace from elsewhere. */
typedef struct oct_batches {
  /* The next batch, valid until the next call: 1, 0 at the end, or an error with *diag filled. */
  int (*next)(void *state, oct_batch *batch, oct_diag *diag);
  void (*close)(void *state);
  void *state;
} oct_batches;

/* Their addresses, likewise. Closing them closes the batches; after OCT_ERR_NOMEM these are still
 * the caller's. */
int oct_addresses_of_batches(const oct_batches *batches, unsigned kinds, oct_addresses *a,
                             oct_diag *diag);

#ifdef __cplusplus
}
#endif
#endif
