/* SPDX-License-Identifier: Apache-2.0 */
/* oct_etm4_encode.h - the ETMv4 encoder. */
#ifndef OCT_ETM4_ENCODE_H
#define OCT_ETM4_ENCODE_H

#include "oct_fields.h"
#include "oct_encoder_base.h"
#include "oct_etm4.h"

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
  X(cycle_bits, "bits", PORT_SYNC, "Time", "cycle counts")                                            \
  X(frame_bits, "bits", PORT_OVERHEAD, "Frames", "of the CoreSight formatter")
// clang-format on

OCT_COUNTER_FIELDS(oct_etm4_counters, OCT_ETM4_COUNTERS)

enum { OCT_ETM4_BARRIER_BITS = 1 << 16 };

typedef struct oct_etm4_encoder {
  oct_encoder_base base; /* a sync comes behind the first branch after sync_at */
  oct_etm4_framer framer;
  oct_etm4_params p;
  oct_etm4_counters counters;
  uint64_t cycle, sent_cycle; /* when the last branch retired, and of the last count */
  oct_etm4_atoms atoms;
  oct_etm4_history history;
  oct_etm4_stack stack;
  uint8_t privilege; /* exception level, as traps told last; 0 at first */
  uint8_t
      barriers[OCT_ETM4_BARRIER_BITS / 8]; /* bit: one may stand at an address with these bits */
} oct_etm4_encoder;

/* As the functions of oct_tracer_encoder. put: OCT_ERR_LIMIT is an address wider than the state
 * has.
 */
int oct_etm4_encoder_init(void *e, const uint32_t *params, oct_diag *diag);
void oct_etm4_encoder_destroy(void *e);
int oct_etm4_encoder_put(void *e, const oct_tracer_input *in, oct_diag *diag);
int oct_etm4_encoder_flush(void *e, oct_diag *diag);

#endif
