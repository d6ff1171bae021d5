/* SPDX-License-Identifier: Apache-2.0 */
/* oct_addresses.c - the addresses of a trace of any format.
 *
 * A batch of instructions is flattened to the addresses asked for, instruction fetches and data
 * accesses in their order; a batch that does not fit is continued with the next call. */
#include "octrace/cache.h"

#include <stdlib.h>
#include <string.h>

typedef struct trace_addresses {
  oct_batches batches;
  unsigned kinds;
  oct_batch batch;
  size_t insn, access;    /* the next of the batch */
  unsigned accesses_left; /* of the instruction before `insn` */
} trace_addresses;

/* What of the batch fits into n addresses. */
static size_t take(trace_addresses *t, uint64_t *addrs, size_t n) {
  size_t taken = 0;
  while (taken < n) {
    if (t->accesses_left) {
      t->accesses_left--;
      uint64_t addr = t->batch.accesses[t->access++].addr;
      if (t->kinds & OCT_ADDRESSES_DATA) addrs[taken++] = addr;
    } else if (t->insn < t->batch.n_insns) {
      const oct_insn *insn = &t->batch.insns[t->insn++];
      t->accesses_left = insn->n_access;
      if (t->kinds & OCT_ADDRESSES_INSN) addrs[taken++] = insn->addr;
    } else {
      break;
    }
  }
  return taken;
}

static int64_t trace_read(void *state, uint64_t *addrs, size_t n, oct_diag *diag) {
  trace_addresses *t = state;
  for (;;) {
    size_t taken = take(t, addrs, n);
    if (taken) return (int64_t)taken;
    int got = t->batches.next(t->batches.state, &t->batch, diag);
    if (got <= 0) return got;
    t->insn = t->access = 0;
  }
}

static void trace_close(void *state) {
  trace_addresses *t = state;
  t->batches.close(t->batches.state);
  free(t);
}

static int reader_next(void *reader, oct_batch *batch, oct_diag *diag) {
  return oct_reader_next(reader, batch, diag);
}

static void reader_close(void *reader) {
  oct_reader_close(reader);
}

int oct_addresses_of_batches(const oct_batches *batches, unsigned kinds, oct_addresses *a,
                             oct_diag *diag) {
  trace_addresses *t = calloc(1, sizeof *t);
  if (!t) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  t->batches = *batches;
  t->kinds = kinds;
  a->read = trace_read;
  a->close = trace_close;
  a->state = t;
  return 0;
}

int oct_addresses_of_trace(const char *path, const oct_read_options *options, unsigned kinds,
                           oct_addresses *a, oct_diag *diag) {
  oct_reader *reader;
  int error = oct_reader_open(path, options, &reader, diag);
  if (error < 0) return error;
  const oct_batches batches = {reader_next, reader_close, reader};
  unsigned has = oct_format_kinds(oct_reader_info(reader)->format);
  error = oct_addresses_of_batches(&batches, has & kinds ? has & kinds : has, a, diag);
  if (error) oct_reader_close(reader);
  return error;
}
