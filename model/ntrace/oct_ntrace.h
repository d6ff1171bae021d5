/* SPDX-License-Identifier: Apache-2.0 */
/* oct_ntrace.h - RISC-V N-Trace: parameters, messages and the return stack.
 *
 * Source: "RISC-V N-Trace (Nexus-based Trace) Specification" 1.0 (RISC-V International);
 * docs/ntrace-format.md says what of it is here. */
#ifndef OCT_NTRACE_H
#define OCT_NTRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "oct_fields.h"

/* X(name, default, min, max, unit, meaning): the parameters, in the order of the tracer's table. */
// clang-format off
#define OCT_NT_PARAMS(X)                                                                           \
  X(history, 1, 0, 1, "", NONE, "1: history of branches (HTM); 0: a message for each taken one (BTM)")\
  X(hist_bits, 31, 1, 31, "bits", NONE, "branches in a HIST field")                                \
  X(icnt_bits, 16, 4, 30, "bits", NONE, "I-CNT counter")                                           \
  X(repeat, 0, 0, 1, "", NONE, "repeated history (HTM) and repeated branches (BTM) are counted")   \
  X(return_stack, 0, 0, 32, "entries", NONE, "return addresses that are not sent, 0 = all are")    \
  X(sync_period_insns, 262144, 0, 0xffffffff, "insns", SYNC_INSNS, "instructions between syncs, 0 = only the first")\
  X(src_bits, 0, 0, 12, "bits", NONE, "source field of messages (SRC)")                            \
  X(src_id, 0, 0, 4095, "", NONE, "and its value")                                              \
  X(count, 1, 0, 1, "", NONE, "a message of the vendor's after each sync has the number of retired instructions")\
  X(timestamp, 0, 0, 1, "", TIMESTAMP, "TSTAMP fields: the trace's cycles, or retired instructions if it has none") \
  X(extend_addr, 0, 0, 64, "bits", NONE, "32 or 64: equal bits at the top of addresses of this width are left out (trTeInstExtendAddrMSB)")
// clang-format on

OCT_PARAM_FIELDS(oct_nt_params, OCT_NT_PARAMS)

/* TCODE. */
enum {
  OCT_NT_OWNERSHIP = 2,
  OCT_NT_DIRECT = 3,
  OCT_NT_INDIRECT = 4,
  OCT_NT_ERROR = 8,
  OCT_NT_SYNC = 9,
  OCT_NT_DIRECT_SYNC = 11,
  OCT_NT_INDIRECT_SYNC = 12,
  OCT_NT_FULL = 27,
  OCT_NT_HIST = 28,
  OCT_NT_HIST_SYNC = 29,
  OCT_NT_REPEAT = 30,
  OCT_NT_END = 33,
  OCT_NT_COUNT = 56 /* free for vendors */
};
/* SYNC, B-TYPE, RCODE, EVCODE. */
enum {
  OCT_NT_SYNC_PERIODIC = 2,
  OCT_NT_SYNC_COUNTED = 4, /* I-CNT is full */
  OCT_NT_SYNC_ENABLED = 5,
  OCT_NT_SYNC_OVERRUN = 7
};
enum { OCT_NT_BRANCH = 0, OCT_NT_TRAP = 1 };
enum { OCT_NT_FULL_ICNT = 0, OCT_NT_FULL_HIST = 1, OCT_NT_FULL_REPEAT = 2 };
enum { OCT_NT_DISABLED = 4 };
/* CDF: what follows I-CNT. */
enum { OCT_NT_CDF_NONE = 0, OCT_NT_CDF_HIST = 1 };
enum { OCT_NT_REPEAT_MOST = 65535, OCT_NT_ICNT_BITS_MOST = 30, OCT_NT_MESSAGE_BYTES_MAX = 64 };

/* A message. Fields that its TCODE does not have are 0. */
typedef struct oct_nt_message {
  uint8_t tcode, sync, btype, rcode, code; /* code: EVCODE, ETYPE */
  uint64_t icnt, addr;                     /* addr: F-ADDR or U-ADDR, without bit 0, */
  uint8_t addr_bits;                       /* as read: so wide, if its highest bit is set, else 0 */
  uint64_t hist;                           /* with its stop bit; 0 = none */
  uint64_t value;                          /* PROCESS, B-CNT, HREPEAT, ECODE or a count */
  uint64_t time;                           /* TSTAMP: absolute in syncs, else since the last */
} oct_nt_message;

/* Who is told of each field as a message is read; NULL for nobody. */
typedef struct oct_nt_listen {
  void (*field)(void *to, const char *name, uint64_t value, uint32_t width_bits);
  void *to;
} oct_nt_listen;

/* Write a message to out; its length in bytes. */
unsigned oct_nt_write(const oct_nt_params *p, const oct_nt_message *m,
                      uint8_t out[OCT_NT_MESSAGE_BYTES_MAX]);
/* Read the message at bytes, which begins there: its length, 0 when more are needed, -1 for none.
 * *is_ours: of our source. */
int oct_nt_read(const oct_nt_params *p, const uint8_t *bytes, size_t n, oct_nt_message *m,
                bool *is_ours, const oct_nt_listen *listen);

/* An address as read, without bit 0, of which the highest sent_bits (0: the field ends with a 0)
 * were sent, with the bits above up to those of an address of addr_bits. */
uint64_t oct_nt_extended(uint64_t addr, unsigned sent_bits, unsigned addr_bits);

typedef struct oct_nt_stack {
  uint64_t link[32];
  uint32_t top, n, depth;
} oct_nt_stack;

static inline void oct_nt_push(oct_nt_stack *s, uint64_t link) {
  if (!s->depth) return;
  s->top = (s->top + 1) % 32;
  s->link[s->top] = link;
  if (s->n < s->depth) s->n++;
}
static inline uint64_t oct_nt_pop(oct_nt_stack *s) {
  uint64_t link = s->link[s->top];
  s->top = (s->top + 31) % 32;
  s->n--;
  return link;
}

#endif
