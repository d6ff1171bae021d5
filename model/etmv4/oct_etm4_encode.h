/* SPDX-License-Identifier: Apache-2.0 */
/* oct_etm4_encode.h - the ETMv4 encoder. */
#ifndef OCT_ETM4_ENCODE_H
#define OCT_ETM4_ENCODE_H

#include "oct_etm4.h"
#include "oct_map_walk.h"

/* X(name, unit, group, label, meaning): the counters, in the order of the tracer's table. */
// clang-format off
#define OCT_ETM4_COUNTERS(X)                                                                          \
  X(insns, "insns", TRACE, "Instructions", "instructions traced")                                     \
  X(accesses, "accesses", TRACE, "Accesses left out", "data accesses, which are not carried")         \
  X(atoms, "atoms", TRACE, "Atoms", "branches, direct ones and those not taken too")                  \
  X(jumps, "jumps", TRACE, "Reported jumps", "indirect jumps and returns that sent their target")     \
  X(syncs, "packets", STAGE, "Syncs", "A-Sync packets")                                               \
  X(packets, "packets", STAGE, "Packets", "")                                                         \
  X(atom_packets, "packets", STAGE, "Atom packets", "")                                               \
  X(exact_addresses, "packets", STAGE, "Exact matches", "addresses sent as one of the last three")    \
  X(popped_returns, "returns", STAGE, "Returns from the stack", "targets not sent")                   \
  X(traps, "traps", STAGE, "Traps", "places where no instruction explains the next address")          \
  X(atom_bits, "bits", PORT_INSN, "Atoms", "")                                                        \
  X(address_bits, "bits", PORT_INSN, "Addresses", "address packets and exceptions")                   \
  X(sync_bits, "bits", PORT_SYNC, "Syncs", "A-Sync, Trace Info, Trace On, context, timestamps")       \
  X(frame_bits, "bits", PORT_OVERHEAD, "Frames", "of the CoreSight formatter")
// clang-format on

typedef struct oct_etm4_counters {
#define OCT_X(name, unit, group, label, text) uint64_t name;
  OCT_ETM4_COUNTERS(OCT_X)
#undef OCT_X
} oct_etm4_counters;

enum { OCT_ETM4_BARRIER_BITS = 1 << 16 };

typedef struct oct_etm4_encoder {
  oct_etm4_params p;
  oct_etm4_counters counters;
  oct_etm4_framer framer;
  oct_buffer out;
  oct_map_walk walk;
  /* The instruction that came last waits for the next one, which says where it went. */
  oct_insn held;
  bool has_held, is_enabled, seen_class;
  uint64_t insn;    /* number of the instruction in hand */
  uint64_t sync_at; /* and of that behind which, after a branch, a sync is due */
  oct_etm4_atoms atoms;
  oct_etm4_history history;
  oct_etm4_stack stack;
  uint8_t
      barriers[OCT_ETM4_BARRIER_BITS / 8]; /* bit: one may stand at an address with these bits */
} oct_etm4_encoder;

/* 0 or OCT_ERR_NOMEM; to be freed in any case. */
int oct_etm4_encoder_init(oct_etm4_encoder *e, const uint32_t *params);
void oct_etm4_encoder_free(oct_etm4_encoder *e);
/* Changes of the map, before the instructions from which they hold. */
int oct_etm4_encoder_map(oct_etm4_encoder *e, const oct_map_update *updates, size_t n);
/* OCT_ERR_NOMEM, OCT_ERR_LIMIT (an address wider than the state has), OCT_ERR_UNSUPPORTED. */
int oct_etm4_encoder_put(oct_etm4_encoder *e, const oct_insn *insns, size_t n, oct_diag *diag);
int oct_etm4_encoder_flush(oct_etm4_encoder *e, oct_diag *diag);
/* Put what is complete into frames; with is_end all. */
int oct_etm4_encoder_frame(oct_etm4_encoder *e, bool is_end);

#endif
