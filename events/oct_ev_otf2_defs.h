/* SPDX-License-Identifier: Apache-2.0 */
/* oct_ev_otf2_defs.h - OTF2's global definitions: kept as bytes, given names, and written again. */
#ifndef OCT_EV_OTF2_DEFS_H
#define OCT_EV_OTF2_DEFS_H

#include <otf2/otf2.h>

#include "oct_ev_otf2.h"
#include "oct_ev_types.h"

/* Read all global definitions of reader into defs: its blob, functions and locations. Functions and
 * locations of one name are told apart by their numbers. OCT_ERR_FORMAT, OCT_ERR_NOMEM,
 * OCT_ERR_LIMIT. */
int oct_ev_otf2_read_defs(OTF2_Reader *reader, oct_ev_defs *defs, oct_diag *diag);

/* Write the global definitions: defs' blob as it came, but with n_events[i] for location i; without
 * a blob, what stands for functions, processes and locations. from and to: first and last time.
 * OCT_ERR_FORMAT for a damaged blob, OCT_ERR_IO. */
int oct_ev_otf2_write_defs(OTF2_GlobalDefWriter *writer, const oct_ev_defs *defs,
                           const uint64_t *n_events, uint64_t from, uint64_t to, oct_diag *diag);

/* The 8 bytes of a value of any type as a number, and back. */
static inline uint64_t oct_ev_otf2_from_value(OTF2_AttributeValue value) {
  return value.uint64;
}
static inline OTF2_AttributeValue oct_ev_otf2_to_value(uint64_t number) {
  OTF2_AttributeValue value = {.uint64 = number};
  return value;
}

#endif
