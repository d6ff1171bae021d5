/* SPDX-License-Identifier: Apache-2.0 */
/* oct_pt_encode.h - the Intel PT encoder. */
#ifndef OCT_PT_ENCODE_H
#define OCT_PT_ENCODE_H

#include "oct_fields.h"
#include "oct_encoder_base.h"
#include "oct_path_tail.h"
#include "oct_pt.h"

/* X(name, unit, group, label, meaning): the counters, in the order of the tracer's table. */
// clang-format off
#define OCT_PT_COUNTERS(X)                                                                            \
  X(insns, "insns", TRACE, "Instructions", "instructions traced")                                     \
  X(accesses, "accesses", TRACE, "Accesses left out", "data accesses, which the format does not carry") \
  X(branches, "branches", TRACE, "Conditional branches", "")                                          \
  X(jumps, "jumps", TRACE, "Reported jumps", "indirect jumps and returns that sent their target")     \
  X(syncs, "packets", STAGE, "Syncs", "PSB packets")                                                  \
  X(packets, "packets", STAGE, "Packets", "")                                                         \
  X(tnt_packets, "packets", STAGE, "TNT packets", "")                                                 \
  X(compressed_returns, "returns", STAGE, "Compressed returns", "that were a TNT bit")                \
  X(traps, "traps", STAGE, "Traps", "places where no instruction explains the next address")          \
  X(far, "insns", STAGE, "System calls", "and other ways into the kernel")                            \
  X(repeated, "packets", STAGE, "Repeated instructions", "MNT packets, for rep movs and its like")      \
  X(waypoints, "packets", STAGE, "Waypoints", "events sent because a path passes one place twice")    \
  X(overflows, "packets", STAGE, "Overflows", "OVF packets")                                          \
  X(lost_insns, "insns", STAGE, "Instructions lost", "because the buffer was full")                   \
  X(tnt_bits, "bits", PORT_INSN, "Branches", "TNT packets")                                           \
  X(mnt_bits, "bits", PORT_INSN, "Repetitions", "MNT packets")                                        \
  X(ip_bits, "bits", PORT_INSN, "Addresses", "TIP and FUP packets")                                   \
  X(cyc_bits, "bits", PORT_SYNC, "Time", "CYC, MTC, TMA packets")                                               \
  X(sync_bits, "bits", PORT_SYNC, "Syncs", "PSB to PSBEND, PIP")
// clang-format on

OCT_COUNTER_FIELDS(oct_pt_counters, OCT_PT_COUNTERS)

enum { OCT_PT_FAR_BITS = 1 << 16 };

typedef struct oct_pt_encoder {
  oct_encoder_base base;
  oct_pt_params p;
  uint64_t addr_mask;
  oct_pt_counters counters;
  uint64_t tnt;                    /* outcomes not yet sent, */
  uint32_t n_tnt;                  /* as many */
  uint64_t last_ip;                /* what addresses are compressed against */
  uint64_t waypoint;               /* where the decoder stands since the last event, */
  bool has_waypoint;               /* if nothing came since */
  uint64_t cycle, sent_cycle, mtc; /* mtc: cycles up to the last MTC, in units of its period */
  uint64_t level_bits, level_time; /* of the buffer, and when it was so */
  uint64_t told_insns;             /* instructions that the packets so far lead over */
  uint64_t begun_bytes; /* of base.out, behind what begins tracing in the step under way */
  uint32_t lost_task;   /* of the instruction at which the buffer overflowed */
  bool is_task_lost;    /* tracing began there, so that no packet told it */
  bool is_overflow;     /* what comes is lost */
  uint32_t n_rep;       /* times that the repeated instruction in hand came before */
  oct_pt_stack stack;
  oct_tail tail;
  uint8_t far[OCT_PT_FAR_BITS / 8]; /* bit: an address with these low bits may be a system call */
} oct_pt_encoder;

/* As the functions of oct_tracer_encoder. put: OCT_ERR_LIMIT is an address wider than the mode. */
int oct_pt_encoder_init(void *e, const uint32_t *params, oct_diag *diag);
int oct_pt_encoder_put(void *e, const oct_tracer_input *in, oct_diag *diag);
int oct_pt_encoder_flush(void *e, oct_diag *diag);

#endif
