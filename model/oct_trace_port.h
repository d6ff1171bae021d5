/* SPDX-License-Identifier: Apache-2.0 */
/* oct_trace_port.h - serialises trace bus beats onto port_pins data pins.
 *
 * Takes a beat when at most 32 bits are held; a beat arrives one cycle before its first bits leave.
 * Bits that do not fill all pins wait, but at the end of tracing they leave padded with zeros. */
#ifndef OCT_TRACE_PORT_H
#define OCT_TRACE_PORT_H

#include "oct_types.h"

typedef struct oct_trace_port {
  uint32_t pins;
  uint64_t held;
  uint32_t held_bits;
} oct_trace_port;

typedef struct oct_trace_port_out {
  bool valid;
  uint32_t data; /* the pins */
} oct_trace_port_out;

static inline void oct_trace_port_init(oct_trace_port *s, const oct_config *cfg) {
  memset(s, 0, sizeof *s);
  s->pins = cfg->port_pins;
}

static inline bool oct_trace_port_ready(const oct_trace_port *s) {
  return s->held_bits <= 32;
}

/* A beat of atbytes bytes (0 = none), to be given only when ready. end: pad what does not fill the
 * pins. */
static inline oct_trace_port_out oct_trace_port_eval(oct_trace_port *s, uint32_t atdata,
                                                     uint32_t atbytes, bool end) {
  oct_trace_port_out out = {false, 0};
  if (s->held_bits >= s->pins || (end && s->held_bits)) {
    uint32_t n = s->held_bits < s->pins ? s->held_bits : s->pins;
    out.valid = true;
    out.data = (uint32_t)(s->held & oct_mask(s->pins));
    s->held >>= n;
    s->held_bits -= n;
  }
  if (atbytes) {
    s->held |= (uint64_t)atdata << s->held_bits;
    s->held_bits += 8 * atbytes;
  }
  return out;
}

#endif
