/* SPDX-License-Identifier: Apache-2.0 */
/* oct_ntrace_encode.h - the N-Trace encoder. */
#ifndef OCT_NTRACE_ENCODE_H
#define OCT_NTRACE_ENCODE_H

#include "oct_fields.h"
#include "oct_encoder_base.h"
#include "oct_ntrace.h"

/* X(name, unit, group, label, meaning): the counters, in the order of the tracer's table. */
// clang-format off
#define OCT_NT_COUNTERS(X)                                                                            \
  X(insns, "insns", TRACE, "Instructions", "instructions traced")                                     \
  X(accesses, "accesses", TRACE, "Accesses left out", "data accesses, which are not carried")         \
  X(branches, "branches", TRACE, "Conditional branches", "")                                          \
  X(jumps, "jumps", TRACE, "Reported jumps", "indirect jumps and returns that sent their target")     \
  X(syncs, "packets", STAGE, "Syncs", "synchronizing messages")                                       \
  X(packets, "packets", STAGE, "Messages", "")                                                        \
  X(implicit_returns, "returns", STAGE, "Implicit returns", "targets not sent")                       \
  X(traps, "traps", STAGE, "Traps", "places where no instruction explains the next address")          \
  X(branch_bits, "bits", PORT_INSN, "Branches", "of direct branches, repetitions, full resources")    \
  X(address_bits, "bits", PORT_INSN, "Addresses", "of indirect branches, with their history")         \
  X(sync_bits, "bits", PORT_SYNC, "Syncs", "synchronizing messages, tasks, counts, the end")
// clang-format on

OCT_COUNTER_FIELDS(oct_nt_counters, OCT_NT_COUNTERS)

typedef struct oct_nt_encoder {
  oct_encoder_base base;
  oct_nt_params p;
  oct_nt_counters counters;
  uint64_t time;      /* of the instruction in hand, */
  uint64_t sent_time; /* and of the last message */
  bool has_cycles;    /* time is in cycles */
  uint64_t icnt;      /* halfwords since the last message that counted them */
  uint64_t hist;      /* outcomes behind a stop bit */
  uint64_t last_addr; /* sent last */
  uint32_t task;      /* likewise */
  uint64_t full_hist; /* a full history that waits, as many times as */
  uint64_t n_full;
  uint64_t last_icnt; /* of a direct branch that may be repeated, 0 = none, */
  uint64_t n_repeat;  /* as many times so far */
  oct_nt_stack stack;
} oct_nt_encoder;

/* As the functions of oct_tracer_encoder. put: OCT_ERR_LIMIT is an instruction of an odd size or
 * address. */
int oct_nt_encoder_init(void *e, const uint32_t *params, oct_diag *diag);
int oct_nt_encoder_put(void *e, const oct_tracer_input *in, oct_diag *diag);
int oct_nt_encoder_flush(void *e, oct_diag *diag);

#endif
