/* SPDX-License-Identifier: Apache-2.0 */
/* oct_sites.h - the instructions that the capture plugin has seen, by their addresses. */
#ifndef OCT_SITES_H
#define OCT_SITES_H

#include "octrace/trace.h"

enum { OCT_VERSION_CODE_MAX = 16 };

/* One instruction word seen at an address; site is the place, shared by all that stood there. */
typedef struct oct_version {
  struct oct_version *older;
  struct oct_site *site;
  oct_map_entry entry;
  uint8_t code[OCT_VERSION_CODE_MAX];
  uint8_t code_bytes;
  uint8_t is_swap; /* one access reported stands for a load and a store */
  uint8_t is_store_conditional;
  uint8_t is_outside; /* its result comes from outside (oct_isa_is_outside) */
  uint8_t is_untold;  /* the emulator does not report its accesses: those of SVE */
} oct_version;

typedef struct oct_site {
  struct oct_site *next; /* in its hash bucket */
  uint64_t addr;
  oct_version *versions;
  const oct_version *written; /* the one that the file's map holds */
} oct_site;

/* What is at addr, or NULL. */
const oct_site *oct_sites_find(uint64_t addr);
/* The version of the instruction at addr that has these bytes, at most OCT_VERSION_CODE_MAX and 0
 * of what has none; made on first sight by disasm, which decodes set isa. It stays where it is
 * until the process ends. */
oct_version *oct_sites_version(oct_disasm *disasm, oct_isa isa, uint64_t addr, const uint8_t *code,
                               size_t code_bytes);

#endif
