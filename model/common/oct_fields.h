/* SPDX-License-Identifier: Apache-2.0 */
/* oct_fields.h - parameters and counters of a tracer as a struct, made from its list X(name, ...).
 *
 * Code that knows no tracer has them as an array in the order of the list; these functions go from
 * one to the other, field by field. */
#ifndef OCT_FIELDS_H
#define OCT_FIELDS_H

#include <stdbool.h>
#include <stdint.h>

#define OCT_FIELD_BOOL(name, ...) bool name;
#define OCT_FIELD_32(name, ...) uint32_t name;
#define OCT_FIELD_64(name, ...) uint64_t name;
#define OCT_FIELD_TAKE(name, ...) oct_fields.name = *oct_values++;
#define OCT_FIELD_PUT(name, ...) *oct_values++ = oct_fields->name;

/* The struct NAME, NAME_of(values) that makes one, and NAME_put(struct, values). */
#define OCT_FIELDS(name, type, MEMBER, LIST)                                \
  typedef struct name {                                                     \
    LIST(MEMBER)                                                            \
  } name;                                                                   \
  static inline name name##_of(const type *oct_values) {                    \
    name oct_fields;                                                        \
    LIST(OCT_FIELD_TAKE)                                                    \
    return oct_fields;                                                      \
  }                                                                         \
  static inline void name##_put(const name *oct_fields, type *oct_values) { \
    LIST(OCT_FIELD_PUT)                                                     \
  }

/* Parameters, and NAME_given: which the user gave; counters. */
#define OCT_PARAM_FIELDS(name, LIST)             \
  OCT_FIELDS(name, uint32_t, OCT_FIELD_32, LIST) \
  OCT_FIELDS(name##_given, bool, OCT_FIELD_BOOL, LIST)
#define OCT_COUNTER_FIELDS(name, LIST) OCT_FIELDS(name, uint64_t, OCT_FIELD_64, LIST)

#endif
