/* SPDX-License-Identifier: Apache-2.0 */
/* oct_map_fault.h - inside of the library: is an entry of a program map what the native format can
 * hold? Its reader and the writers ask the same. */
#ifndef OCT_MAP_FAULT_H
#define OCT_MAP_FAULT_H

#include "octrace/trace.h"

/* A field, its value, and what it should have been. */
typedef struct oct_map_fault {
  const char *field, *expected;
  uint64_t found;
} oct_map_fault;

/* Whether something is wrong with e, and what. before: the entry ahead of it, or NULL. */
bool oct_map_find_fault(const oct_map_entry *e, const oct_map_entry *before, oct_map_fault *fault);

/* Whether an entry's operation has to be told: it does not follow from bytes. */
bool oct_map_has_operation(const oct_map_entry *e);

#endif
