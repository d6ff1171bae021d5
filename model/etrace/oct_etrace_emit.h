/* SPDX-License-Identifier: Apache-2.0 */
/* oct_etrace_emit.h - packets out: sign-based compression, the encapsulation, and what is counted
 * of them; data packets, whose addresses are differences from the last of the same size. */
#ifndef OCT_ETRACE_EMIT_H
#define OCT_ETRACE_EMIT_H

#include "oct_fields.h"
#include "octrace/error.h"
#include "oct_etrace.h"
#include "octrace/trace.h"

/* X(name, unit, group, label, meaning): the counters, in the order of the tracer's table. */
// clang-format off
#define OCT_ET_COUNTERS(X)                                                                            \
  X(insns, "insns", TRACE, "Instructions", "instructions traced")                                     \
  X(accesses, "accesses", TRACE, "Accesses", "data accesses traced")                                  \
  X(branches, "branches", TRACE, "Conditional branches", "")                                          \
  X(jumps, "jumps", TRACE, "Reported jumps", "indirect jumps whose target was reported")              \
  X(syncs, "packets", STAGE, "Syncs", "packets of format 3, subformats 0 and 1")                      \
  X(packets, "packets", STAGE, "Packets", "of instructions and data")                                 \
  X(format0_packets, "packets", STAGE, "Format 0", "counts of predicted branches, cache indices")     \
  X(format1_packets, "packets", STAGE, "Format 1", "branch maps")                                     \
  X(format2_packets, "packets", STAGE, "Format 2", "addresses alone")                                 \
  X(format3_packets, "packets", STAGE, "Format 3", "syncs, traps, support")                           \
  X(data_packets, "packets", STAGE, "Data packets", "")                                               \
  X(traps, "traps", STAGE, "Traps", "places where no instruction explains the next address")          \
  X(predicted, "branches", STAGE, "Branches predicted", "by the branch predictor")                    \
  X(implicit_returns, "returns", STAGE, "Implicit returns", "returns that were not reported")         \
  X(return_misses, "returns", STAGE, "Returns mispredicted", "the return stack had another address") \
  X(cache_hits, "jumps", STAGE, "Jump cache hits", "targets that went as an index")                   \
  X(waypoints, "packets", STAGE, "Waypoints", "addresses sent because a path passes one place twice") \
  X(insn_bits, "bits", PORT_INSN, "Instructions", "payload of formats 0, 1 and 2, in whole bytes")    \
  X(data_bits, "bits", PORT_DATA, "Data addresses", "payload of data packets, in whole bytes")        \
  X(sync_bits, "bits", PORT_SYNC, "Syncs", "payload of format 3, in whole bytes")                     \
  X(insn_header_bits, "bits", PORT_OVERHEAD, "Headers of instructions", "encapsulation of formats 0 to 3") \
  X(data_header_bits, "bits", PORT_OVERHEAD, "Headers of data", "encapsulation of data packets") \
  X(align_bits, "bits", PORT_OVERHEAD, "Alignment", "null bytes before syncs")
// clang-format on

OCT_COUNTER_FIELDS(oct_et_counters, OCT_ET_COUNTERS)

enum { OCT_ET_DATA_SIZES = 8 };

typedef struct oct_et_emit {
  const oct_et_config *cfg;
  oct_buffer *out; /* where they go */
  oct_et_counters counters;
  uint64_t last_data[OCT_ET_DATA_SIZES]; /* address of the last access of 2^i bytes */
  uint8_t has_last_data;                 /* bit i: there is one since the sync */
} oct_et_emit;

/* All return 0 or an error: OCT_ERR_NOMEM. */
int oct_et_emit_packet(oct_et_emit *e, const oct_et_packet *p);
/* Length of the packet on the port, in bytes. */
uint32_t oct_et_packet_bytes(const oct_et_config *c, const oct_et_packet *p);
/* Null bytes, after which a reader finds the next packet. */
int oct_et_emit_align(oct_et_emit *e);
/* The accesses of an instruction, and that they are fewer than its map entry has slots.
 * OCT_ERR_LIMIT for a size beyond the size field. */
int oct_et_emit_data(oct_et_emit *e, const oct_insn *insn, const oct_access *accesses,
                     oct_diag *diag);

#endif
