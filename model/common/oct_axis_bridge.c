/* SPDX-License-Identifier: Apache-2.0 */
/* oct_axis_bridge.c - the trace bus as an AXI4-Stream (oct_axis_bridge.h). */
#include "oct_axis_bridge.h"

void oct_axis_bridge_init(oct_axis_bridge *s, uint32_t packet_beats) {
  *s = (oct_axis_bridge){.packet_beats = packet_beats};
}

void oct_axis_bridge_cycle(oct_axis_bridge *s, const oct_atb_source *source, bool flush, bool ready,
                           oct_axis_bridge_out *out) {
  *out = (oct_axis_bridge_out){.atready = ready && !s->end,
                               .tvalid = s->end || source->atvalid,
                               .tlast = s->end || s->beats == s->packet_beats - 1};
  out->tid = s->id;
  if (!s->end) {
    out->tkeep = (uint8_t)(0xf >> (3 - source->atbytes));
    out->tid = source->atid;
    out->tdata = source->atdata;
  }
  bool moves = out->tvalid && ready, ends = moves && out->tlast;
  if (flush && source->afready)
    s->end = s->beats && !ends;
  else if (moves)
    s->end = false;
  if (moves) s->beats = ends ? 0 : s->beats + 1;
  if (source->atvalid && out->atready) s->id = source->atid;
}
