/* SPDX-License-Identifier: Apache-2.0 */
/* oct_timed_counters.h - entries of a table of counters that every tracer with a cycle engine has.
 *
 * SLOT is the tracer's own macro: the designator of a counter, [number], from the name of its field
 * in the struct of counts. */
#ifndef OCT_TIMED_COUNTERS_H
#define OCT_TIMED_COUNTERS_H

#define OCT_TIMED_COUNTERS(SLOT)                                                                   \
  SLOT(cycles) = {"cycles", "cycles", OCT_GROUP_TIME, "cycles", "of the core's clock"},            \
  SLOT(port_busy_cycles) = {"port_busy_cycles", "cycles", OCT_GROUP_TIME, "port busy",             \
                            "cycles in which the pins carried bits"},                              \
  SLOT(overflows) = {"overflows", "", OCT_GROUP_LOSS, "overflows", "times that events were lost"}, \
  SLOT(lost_insns) = {"lost_insns", "insns", OCT_GROUP_LOSS, "lost instructions", ""},             \
  SLOT(lost_accesses) = {"lost_accesses", "accesses", OCT_GROUP_LOSS, "lost accesses", ""},        \
  SLOT(lost_traps) = {"lost_traps", "", OCT_GROUP_LOSS, "lost traps", "and changes of privilege"}, \
  SLOT(filtered_insns) = {"filtered_insns", "insns", OCT_GROUP_LOSS, "filtered instructions",      \
                          "of the lost ones, those that a filter left out"},                       \
  SLOT(filtered_accesses) = {"filtered_accesses", "accesses", OCT_GROUP_LOSS, "filtered accesses", \
                             "likewise, of those instructions"},                                   \
  SLOT(filtered_traps) = {"filtered_traps", "", OCT_GROUP_LOSS, "filtered traps", "likewise"},     \
  SLOT(sufficient_overflows) = {"sufficient_overflows", "", OCT_GROUP_BUFFER,                      \
                                "overflows with the largest buffers", ""}

/* Of buffer number n. */
#define OCT_BUFFER_COUNTERS(SLOT, n, name, unit)                                                 \
  SLOT(high_water[n]) = {"high_water_" name, unit, OCT_GROUP_BUFFER, name " buffer, high water", \
                         "the most it held"},                                                    \
  SLOT(sufficient[n]) = {"sufficient_" name, unit, OCT_GROUP_BUFFER, name " buffer, sufficient", \
                         "the least size that waits no more than the largest"}

#endif
