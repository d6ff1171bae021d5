/* SPDX-License-Identifier: Apache-2.0 */
/* oct_trace_port.h - serialises trace bus beats onto port_pins data pins.
 *
 * Takes a beat when at most 32 bits are held, or, with more than 16 pins, will be behind this
 * cycle: else bits short of all pins would stay now and then, and the pins idle. A beat arrives one
 * cycle before its first bits leave. Bits that do not fill all pins wait, but at the end of tracing
 * they leave padded with zeros. A stall of the receiver keeps bits from leaving, not beats from
 * arriving, as long as there is room. */
#ifndef OCT_TRACE_PORT_H
#define OCT_TRACE_PORT_H

#include <stdbool.h>
#include <string.h>

#include "oct_mask.h"
#include "octrace/tracer.h"

typedef struct oct_trace_port {
  uint32_t pins;
  uint64_t held_q, held_d;
  uint32_t held_bits_q, held_bits_d;
} oct_trace_port;

typedef struct oct_trace_port_in {
  bool atvalid;
  uint8_t atbytes; /* bytes less one */
  uint32_t atdata;
  bool end;   /* pad what does not fill the pins */
  bool stall; /* nothing leaves in this cycle */
} oct_trace_port_in;

typedef oct_pins_port oct_trace_port_out;

static inline void oct_trace_port_init(oct_trace_port *s, uint32_t pins) {
  memset(s, 0, sizeof *s);
  s->pins = pins;
}

/* stall: the receiver's, of this cycle. */
static inline bool oct_trace_port_ready(const oct_trace_port *s, bool stall) {
  return s->held_bits_q <= 32 || (s->pins > 16 && !stall && s->held_bits_q - s->pins <= 32);
}

/* atvalid only when ready. Outputs of this cycle. */
static inline oct_trace_port_out oct_trace_port_eval(oct_trace_port *s,
                                                     const oct_trace_port_in *in) {
  oct_trace_port_out out = {false, 0};
  s->held_d = s->held_q;
  s->held_bits_d = s->held_bits_q;
  if (!in->stall && (s->held_bits_q >= s->pins || (in->end && s->held_bits_q))) {
    uint32_t n = s->held_bits_q < s->pins ? s->held_bits_q : s->pins;
    out.valid = true;
    out.data = (uint32_t)(s->held_q & oct_mask(s->pins));
    s->held_d >>= n;
    s->held_bits_d -= n;
  }
  if (in->atvalid) {
    s->held_d |= (uint64_t)in->atdata << s->held_bits_d;
    s->held_bits_d += 8 * (in->atbytes + 1u);
  }
  return out;
}

static inline void oct_trace_port_clock(oct_trace_port *s) {
  s->held_q = s->held_d;
  s->held_bits_q = s->held_bits_d;
}

#endif
