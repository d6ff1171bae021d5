/* SPDX-License-Identifier: Apache-2.0 */
/* oct_map_fault.c - is an entry of a program map what the native format can hold? */
#include "oct_map_fault.h"

#include <string.h>

#include "octrace/trace.h"
#include "oct_effect_file.h"

/* Whether e goes on where the entry before it ended. */
static bool continues(const oct_map_entry *e, const oct_map_entry *before) {
  if (!before || before->addr != e->addr) return false;
  return e->target == (before->flags & OCT_MAP_CONTINUES ? before->target + before->n_slots
                                                         : (uint64_t)OCT_SLOTS_MAX);
}

/* Index of the first byte of code that should be 0 and is not, or OCT_CODE_MAX. */
static unsigned stray_code(const oct_map_entry *e) {
  unsigned n = e->code_isa ? e->size_bytes : 0;
  while (n < OCT_CODE_MAX && !e->code[n]) n++;
  return n;
}

bool oct_map_has_operation(const oct_map_entry *e) {
  return !e->code_isa && (e->op.flags & OCT_EFFECT_KNOWN);
}

static bool is_operation(const oct_effect *op) {
  uint8_t bytes[OCT_EFFECT_BYTES];
  oct_effect again;
  oct_effect_put(bytes, op);
  return !oct_effect_get(bytes, &again);
}

bool oct_map_find_fault(const oct_map_entry *e, const oct_map_entry *before, oct_map_fault *fault) {
  const bool is_more = e->flags & OCT_MAP_CONTINUES;
  if (e->size_bytes < 1 || e->size_bytes > OCT_CODE_MAX)
    *fault = (oct_map_fault){"size_bytes", "1 to 15", e->size_bytes};
  else if (e->cls >= OCT_CLASS_COUNT)
    *fault = (oct_map_fault){"cls", "a class, 0 to 7", e->cls};
  else if (e->flags > 7)
    *fault = (oct_map_fault){"flags", "0 to 7", e->flags};
  else if (is_more && (!e->n_slots || e->n_slots > OCT_SLOTS_MAX))
    *fault = (oct_map_fault){"n_slots", "1 to 16 where it continues an entry", e->n_slots};
  else if (is_more && !continues(e, before))
    *fault =
        (oct_map_fault){"target", "the access after those of the entry it continues", e->target};
  else if (e->code_isa > OCT_ISA_COUNT || (e->code_isa && is_more))
    *fault = (oct_map_fault){"code_isa", is_more ? "0 where it continues an entry" : "0 to 9",
                             e->code_isa};
  else if (stray_code(e) < OCT_CODE_MAX)
    *fault = (oct_map_fault){"code", "0 behind the instruction", e->code[stray_code(e)]};
  else if (oct_map_has_operation(e) && !is_operation(&e->op))
    *fault = (oct_map_fault){"op", "an operation", e->op.flags};
  else
    return false;
  return true;
}
