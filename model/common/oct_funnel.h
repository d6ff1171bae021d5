/* SPDX-License-Identifier: Apache-2.0 */
/* oct_funnel.h - several trace sources onto one trace bus (AMBA ATB), cycle by cycle: the twin of
 * rtl/common/oct_funnel.v, which has the rules.
 *
 * The source that has the bus keeps it for `hold` beats while it has some and others wait; then the
 * next one in turn takes it. A flush asks every source; one that has answered waits for the
 * others. */
#ifndef OCT_FUNNEL_H
#define OCT_FUNNEL_H

#include <stdbool.h>
#include <stdint.h>

enum { OCT_ATB_SOURCES_MAX = 8 };

typedef struct oct_funnel {
  uint32_t n, hold;
  uint32_t owner, held;
  uint32_t flushed; /* bits: sources that have answered this flush */
  bool stalled;     /* the owner's beat is offered */
} oct_funnel;

/* What a source, or the funnel itself, has on its bus in a cycle. */
typedef struct oct_atb_source {
  bool atvalid, afready;
  uint8_t atbytes, atid; /* bytes less one */
  uint32_t atdata;
} oct_atb_source;

typedef struct oct_funnel_out {
  uint32_t atready, afvalid; /* a bit for each source */
  oct_atb_source bus;
} oct_funnel_out;

/* n_sources: 1 to OCT_ATB_SOURCES_MAX; hold: 1 to 255. */
void oct_funnel_init(oct_funnel *s, uint32_t n_sources, uint32_t hold);
/* One cycle of the bus. ready: the receiver takes a beat; flush: it asks for one, and holds that
 * until out->bus.afready. */
void oct_funnel_cycle(oct_funnel *s, const oct_atb_source *sources, bool ready, bool flush,
                      oct_funnel_out *out);

#endif
