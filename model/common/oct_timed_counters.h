/* SPDX-License-Identifier: Apache-2.0 */
/* oct_timed_counters.h - counters that every tracer with a cycle engine has, for its list:
 * X(field, name, unit, group, label, meaning), field of its struct of counts. */
#ifndef OCT_TIMED_COUNTERS_H
#define OCT_TIMED_COUNTERS_H

// clang-format off
#define OCT_TIMED_COUNTERS(X)                                                                      \
  X(cycles, "cycles", "cycles", OCT_GROUP_TIME, "cycles", "of the core's clock")                   \
  X(port_busy_cycles, "port_busy_cycles", "cycles", OCT_GROUP_TIME, "port busy",                   \
    "cycles in which the pins carried bits")                                                       \
  X(overflows, "overflows", "", OCT_GROUP_LOSS, "overflows", "times that events were lost")        \
  X(lost_insns, "lost_insns", "insns", OCT_GROUP_LOSS, "lost instructions", "")                    \
  X(lost_accesses, "lost_accesses", "accesses", OCT_GROUP_LOSS, "lost accesses", "")
#define OCT_LEFT_OUT_COUNTERS(X)                                                                   \
  X(lost_traps, "lost_traps", "", OCT_GROUP_LOSS, "lost traps", "and changes of privilege")        \
  X(filtered_insns, "filtered_insns", "insns", OCT_GROUP_LOSS, "filtered instructions",            \
    "of the lost ones, those that a filter left out")                                              \
  X(filtered_accesses, "filtered_accesses", "accesses", OCT_GROUP_LOSS, "filtered accesses",       \
    "likewise, of those instructions")                                                             \
  X(filtered_traps, "filtered_traps", "", OCT_GROUP_LOSS, "filtered traps", "likewise")
/* Of buffer number n. */
#define OCT_HIGH_WATER_COUNTER(X, n, name, unit)                                                   \
  X(high_water[n], "high_water_" name, unit, OCT_GROUP_BUFFER, name " buffer, high water",         \
    "the most it held")
#define OCT_SUFFICIENT_COUNTER(X, n, name, unit)                                                   \
  X(sufficient[n], "sufficient_" name, unit, OCT_GROUP_BUFFER, name " buffer, sufficient",         \
    "the least size that waits no more than the largest")
#define OCT_SUFFICIENT_OVERFLOWS(X)                                                                \
  X(sufficient_overflows, "sufficient_overflows", "", OCT_GROUP_BUFFER,                            \
    "overflows with the largest buffers", "")
// clang-format on

#endif
