/* SPDX-License-Identifier: Apache-2.0 */
/* oct_trace_entry.c - entries of the program map in files of a codec that takes whole traces.
 *
 * Most of them follow from the bytes of their instruction, so that the bytes are all that the file
 * keeps. Its stream means something only together with the operations that the bytes had for
 * the writer; a checksum tells a reader that understands them otherwise. */
#include "oct_trace_entry.h"

#include <string.h>
#include <xxhash.h>

#include "oct_codec_format.h"
#include "oct_effect_file.h"

enum { FIELDS_BYTES = 8 + 8 + 4 + OCT_SLOTS_MAX };

/* All of an entry that the codec minds. Returns how many bytes. */
static size_t flatten(const oct_map_entry *e, uint8_t *p) {
  oct_put_u64(p, e->addr);
  oct_put_u64(p + 8, e->target);
  p[16] = e->size_bytes;
  p[17] = e->cls;
  p[18] = e->n_slots;
  p[19] = e->flags;
  memcpy(p + 20, e->slots, OCT_SLOTS_MAX);
  return FIELDS_BYTES + oct_effect_pack(p + FIELDS_BYTES, &e->op);
}

int oct_trace_entry_follows(oct_disasm_set *set, const oct_map_entry *e) {
  uint8_t own[FIELDS_BYTES + OCT_EFFECT_PACKED_MAX_BYTES], decoded[sizeof own];
  oct_map_entry d;
  if (!e->code_isa) return 0;
  int r = oct_disasm_set_insn(set, e, &d);
  if (r != 1) return r == OCT_ERR_NOMEM ? r : 0;
  size_t n = flatten(e, own);
  return n == flatten(&d, decoded) && !memcmp(own, decoded, n);
}

uint64_t oct_trace_entry_hash(uint64_t hash, const oct_map_entry *e) {
  uint8_t bytes[FIELDS_BYTES + OCT_EFFECT_PACKED_MAX_BYTES];
  size_t n = flatten(e, bytes);
  return XXH64(bytes, n, hash);
}
