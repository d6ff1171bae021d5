/* SPDX-License-Identifier: Apache-2.0 */
/* oct_stats.h - what a run of the compressor counted. All sizes in bits unless named otherwise.
 *
 * Threads: Values alone, which any threads may read at the same time. */
#ifndef OCT_STATS_H
#define OCT_STATS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Logical streams that port bits are accounted to: X(name, group (oct_tracer.h), label, meaning).
 */
// clang-format off
#define OCT_LOGICAL(X)                                                             \
  X(SCIT, OCT_GROUP_PORT_INSN, "SCIT/Tuple",                                       \
    "indices in the stream cache, and in the tuple history buffer (THB)")          \
  X(SCMT, OCT_GROUP_PORT_INSN, "SCMT", "stream cache misses: start and length")    \
  X(DT, OCT_GROUP_PORT_DATA, "DT",                                                 \
    "hit bits of the data address stride cache (DASC), and their repetitions")     \
  X(DMT, OCT_GROUP_PORT_DATA, "DMT", "data addresses that the DASC missed")        \
  X(TASK, OCT_GROUP_PORT_SYNC, "task", "task switches")                            \
  X(TRAP, OCT_GROUP_PORT_SYNC, "trap", "traps and changes of privilege")           \
  X(TIME, OCT_GROUP_PORT_SYNC, "time", "time stamps in cycles")                    \
  X(SYNC, OCT_GROUP_PORT_SYNC, "sync", "sync, overflow and flush packets")         \
  X(HEADER, OCT_GROUP_PORT_OVERHEAD, "header", "packet prefixes")                  \
  X(PAD, OCT_GROUP_PORT_OVERHEAD, "pad", "padding")
// clang-format on

typedef enum oct_logical {
#define OCT_X(name, group, label, text) OCT_LOGICAL_##name,
  OCT_LOGICAL(OCT_X)
#undef OCT_X
      OCT_LOGICAL_COUNT
} oct_logical;

/* Buffers whose occupancy the cycle model measures. */
enum { OCT_BUFFER_STREAM, OCT_BUFFER_DATA, OCT_BUFFER_OUT, OCT_BUFFER_COUNT };
#define OCT_OCCUPANCY_MAX 64

/* All but the occupancy are counters of the tracer (oct_paper.c). */
typedef struct oct_stats {
  uint64_t insns;    /* accepted by the compressor */
  uint64_t accesses; /* likewise */
  uint64_t terminators;
  uint64_t streams;
  uint64_t sc_hits;
  uint64_t tuples;
  uint64_t tuple_hits;
  uint64_t dasc_hits;
  uint64_t task_switches;
  uint64_t traps; /* taken, changes of privilege included */
  uint64_t syncs;
  /* paper accounting, bits: Eq. 1 and 3 of Milenković 2007 */
  uint64_t paper_scit, paper_scmt, paper_tuple_hit, paper_tuple_miss, paper_dt, paper_dmt;
  /* port accounting, bits by logical stream */
  uint64_t port[OCT_LOGICAL_COUNT];
  /* cycle model only */
  uint64_t cycles;
  uint64_t port_busy_cycles;
  uint64_t overflows;
  uint64_t lost_insns, lost_accesses, lost_traps; /* in gaps: by overflows, and of these */
  uint64_t filtered_insns, filtered_accesses, filtered_traps; /* by the filter */
  uint64_t high_water[OCT_BUFFER_COUNT];                      /* entries; output in bytes */
  /* with find_depths: the least depths (output: legal bytes) with which the stages wait no more
   * than with the largest buffers, 0 when unknown; nothing is lost with them unless
   * sufficient_overflows counts losses even there */
  uint64_t sufficient[OCT_BUFFER_COUNT];
  uint64_t sufficient_overflows;
  /* cycles spent at each occupancy: streams and data entries; output in 64ths of its size */
  uint64_t occupancy[OCT_BUFFER_COUNT][OCT_OCCUPANCY_MAX + 1];
} oct_stats;

/* All bits that left the port. */
uint64_t oct_stats_port_bits(const oct_stats *s);
/* Eq. 1: CR(SC.I); with tuples: |SCIT| replaced by |Tuple.Hit| + |Tuple.Miss|. addr_bits as
 * configured. */
double oct_stats_cr_sc(const oct_stats *s, unsigned addr_bits);
double oct_stats_cr_ntuple(const oct_stats *s, unsigned addr_bits);
/* Eq. 3: CR(DASC.D). */
double oct_stats_cr_dasc(const oct_stats *s, unsigned addr_bits);

#ifdef __cplusplus
}
#endif
#endif
