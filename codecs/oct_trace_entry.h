/* SPDX-License-Identifier: Apache-2.0 */
/* oct_trace_entry.h - inside of the library: entries of the program map in files of a codec
 * that takes whole traces. */
#ifndef OCT_TRACE_ENTRY_H
#define OCT_TRACE_ENTRY_H

#include "octrace/trace.h"

/* Whether all of e follows from its bytes: 1, 0, or OCT_ERR_NOMEM. */
int oct_trace_entry_follows(oct_disasm_set *set, const oct_map_entry *e);

/* A checksum of entries, of those so far (hash, 0 at first) and e. It is the same on both sides if
 * both understand the instructions alike. */
uint64_t oct_trace_entry_hash(uint64_t hash, const oct_map_entry *e);

#endif
