/* SPDX-License-Identifier: Apache-2.0 */
/* oct_axis_bridge.h - the trace bus as an AXI4-Stream, cycle by cycle: the twin of
 * rtl/common/oct_axis_bridge.v, which has the rules.
 *
 * A beat becomes a transfer in the same cycle. A packet ends after packet_beats transfers, and
 * after a flush, by a transfer without bytes; the source waits for that one. */
#ifndef OCT_AXIS_BRIDGE_H
#define OCT_AXIS_BRIDGE_H

#include "oct_funnel.h"

typedef struct oct_axis_bridge {
  uint32_t packet_beats;
  uint32_t beats; /* transfers of this packet */
  bool end;       /* the transfer without bytes is offered */
  uint8_t id;     /* of the last beat */
} oct_axis_bridge;

typedef struct oct_axis_bridge_out {
  bool atready;
  bool tvalid, tlast;
  uint8_t tkeep, tid;
  uint32_t tdata;
} oct_axis_bridge_out;

/* packet_beats: 1 to 65536. */
void oct_axis_bridge_init(oct_axis_bridge *s, uint32_t packet_beats);
/* One cycle. flush: the receiver asks the source for one; ready: it takes a transfer. */
void oct_axis_bridge_cycle(oct_axis_bridge *s, const oct_atb_source *source, bool flush, bool ready,
                           oct_axis_bridge_out *out);

#endif
