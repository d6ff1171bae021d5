/* SPDX-License-Identifier: Apache-2.0 */
/* oct_top.h - the cycle-level compressor: wires the stages, one call a clock cycle. */
#ifndef OCT_TOP_H
#define OCT_TOP_H

#include "oct_core_rules.h"
#include "oct_dasc.h"
#include "oct_delays.h"
#include "oct_fifo.h"
#include "oct_filter.h"
#include "oct_ingress.h"
#include "oct_ntuple.h"
#include "oct_output.h"
#include "oct_regs.h"
#include "oct_repetition.h"
#include "oct_stream_cache.h"
#include "oct_stream_detector.h"
#include "oct_trace_port.h"

/* All that a cycle changes, but for what it counts: X(type, name). */
#define OCT_TOP_STAGES(X)                                                  \
  X(oct_core_rules, core_rules)                                            \
  X(oct_filter, filter)                                                    \
  X(oct_ingress, ingress)                                                  \
  X(oct_stream_detector, detector)                                         \
  X(oct_fifo, stream_buffer)                                               \
  X(oct_fifo, data_buffer)                                                 \
  X(oct_delays, delays)                                                    \
  X(oct_stream_cache, stream_cache)                                        \
  X(oct_ntuple, ntuple)                                                    \
  X(oct_dasc, dasc)                                                        \
  X(oct_repetition, repetition)                                            \
  X(oct_output, output)                                                    \
  X(oct_trace_port, port)                                                  \
  X(oct_regs, regs)                                                        \
  X(bool, overflow_done) /* registered answers of the output controller */ \
  X(bool, sync_done)                                                       \
  X(uint8_t, atid_q) /* of the bus: a new one waits for a stalled beat */

typedef struct oct_top {
  oct_config cfg;
  uint32_t out_fifo_log2;
  oct_stats stats;
#define OCT_X(type, name) type name;
  OCT_TOP_STAGES(OCT_X)
#undef OCT_X
} oct_top;

/* Of the core interface no stage looks at class and word of an instruction. */
typedef oct_pins_in oct_top_in;
typedef oct_pins_out oct_top_out;
typedef oct_pins_bus oct_top_bus;

/* Allocates; OCT_ERR_NOMEM. */
int oct_top_init(oct_top *s, const oct_config *cfg);
void oct_top_free(oct_top *s);
/* One clock cycle. */
void oct_top_cycle(oct_top *s, const oct_top_in *in, oct_top_out *out);

/* One clock cycle of the compressor without the trace port; the port's inputs and outputs mean
 * nothing, all else is as oct_top_cycle() has it. */
void oct_top_cycle_bus(oct_top *s, const oct_top_in *in, const oct_top_bus *bus, oct_top_out *out);
/* Whether a cycle without input that led from *before to *s changed nothing but the counts of
 * cycles, and the port has nothing to send: then no further ones will, stalled or not. */
bool oct_top_rests(const oct_top *s, const oct_top *before);
/* n_cycles more of these, counted. */
void oct_top_rest(oct_top *s, uint64_t n_cycles);

#endif
