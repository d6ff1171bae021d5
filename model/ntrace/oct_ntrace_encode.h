/* SPDX-License-Identifier: Apache-2.0 */
/* oct_ntrace_encode.h - the N-Trace encoder. */
#ifndef OCT_NTRACE_ENCODE_H
#define OCT_NTRACE_ENCODE_H

#include "oct_buffer.h"
#include "oct_map_walk.h"
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

typedef struct oct_nt_counters {
#define OCT_X(name, unit, group, label, text) uint64_t name;
  OCT_NT_COUNTERS(OCT_X)
#undef OCT_X
} oct_nt_counters;

typedef struct oct_nt_encoder {
  oct_nt_params p;
  oct_nt_counters counters;
  oct_buffer out;
  oct_map_walk walk;
  /* The instruction that came last waits for the next one, which says where it went. */
  oct_insn held;
  bool has_held, is_enabled, seen_class;
  uint64_t insn, sync_at;
  uint64_t icnt;      /* halfwords since the last message that counted them */
  uint64_t hist;      /* outcomes behind a stop bit */
  uint64_t last_addr; /* sent last */
  uint64_t full_hist; /* a full history that waits, as many times as */
  uint64_t n_full;
  uint64_t last_icnt; /* of a direct branch that may be repeated, 0 = none, */
  uint64_t n_repeat;  /* as many times so far */
  oct_nt_stack stack;
} oct_nt_encoder;

/* 0 or OCT_ERR_NOMEM; to be freed in any case. */
int oct_nt_encoder_init(oct_nt_encoder *e, const uint32_t *params);
void oct_nt_encoder_free(oct_nt_encoder *e);
/* OCT_ERR_NOMEM, OCT_ERR_LIMIT (an instruction of an odd size or address), OCT_ERR_UNSUPPORTED. */
int oct_nt_encoder_put(oct_nt_encoder *e, const oct_insn *insns, size_t n, oct_diag *diag);
int oct_nt_encoder_flush(oct_nt_encoder *e, oct_diag *diag);

#endif
