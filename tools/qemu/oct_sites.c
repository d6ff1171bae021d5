/* SPDX-License-Identifier: Apache-2.0 */
/* oct_sites.c - the instructions that the capture plugin has seen, by their addresses.
 *
 * A hash table of places, which doubles when it is full. Each place has a list of the words that
 * stood there, for programs that change their code. */
#include "oct_sites.h"

#include <stdlib.h>
#include <string.h>

#include "oct_isa_outside.h"
#include "oct_messages.h"
#include "octrace/feed.h"

enum { SITES_START = 1 << 14 };
/* Instructions of SVE that access memory. */
#define SVE_MEMORY_MASK UINT32_C(0x9e000000)
#define SVE_MEMORY UINT32_C(0x84000000)

static struct {
  oct_site **buckets;
  size_t n_buckets;
  size_t n_sites;
} table;

static size_t bucket_of(uint64_t addr, size_t n_buckets) {
  return (size_t)((addr * 0x9e3779b97f4a7c15u) >> 32) & (n_buckets - 1);
}

static void grow(void) {
  size_t n = table.n_buckets ? 2 * table.n_buckets : SITES_START;
  oct_site **buckets = oct_zalloc(n, sizeof *buckets);
  for (size_t i = 0; i < table.n_buckets; i++)
    for (oct_site *s = table.buckets[i], *next; s; s = next) {
      size_t b = bucket_of(s->addr, n);
      next = s->next;
      s->next = buckets[b];
      buckets[b] = s;
    }
  free(table.buckets);
  table.buckets = buckets;
  table.n_buckets = n;
}

static oct_site *find(uint64_t addr) {
  oct_site *s = table.n_buckets ? table.buckets[bucket_of(addr, table.n_buckets)] : NULL;
  while (s && s->addr != addr) s = s->next;
  return s;
}

const oct_site *oct_sites_find(uint64_t addr) {
  return find(addr);
}

static oct_site *site_at(uint64_t addr) {
  oct_site *s = find(addr);
  if (s) return s;
  if (table.n_sites >= table.n_buckets) grow();
  size_t b = bucket_of(addr, table.n_buckets);
  s = oct_zalloc(1, sizeof *s);
  s->addr = addr;
  s->next = table.buckets[b];
  table.buckets[b] = s;
  table.n_sites++;
  return s;
}

oct_version *oct_sites_version(oct_disasm *disasm, oct_isa isa, uint64_t addr, const uint8_t *code,
                               size_t code_bytes) {
  oct_site *s = site_at(addr);
  oct_version *v = s->versions;
  while (v && (v->code_bytes != code_bytes || memcmp(v->code, code, code_bytes) != 0)) v = v->older;
  if (v) return v;
  v = oct_zalloc(1, sizeof *v);
  v->site = s;
  v->older = s->versions;
  s->versions = v;
  v->code_bytes = (uint8_t)code_bytes;
  if (code_bytes) memcpy(v->code, code, code_bytes);
  if (!code_bytes || oct_disasm_insn(disasm, addr, v->code, code_bytes, &v->entry) != code_bytes) {
    /* Not known to the decoder, or without bytes, as the kernel's helpers are. */
    v->entry = (oct_map_entry){.addr = addr, .size_bytes = (uint8_t)(code_bytes ? code_bytes : 4)};
    if (code_bytes && code_bytes <= OCT_CODE_MAX) { /* a later decoder may know it */
      v->entry.code_isa = (uint8_t)(isa + 1);
      memcpy(v->entry.code, code, code_bytes);
    }
  }
  v->is_outside = oct_isa_is_outside(&v->entry);
  v->is_untold = isa == OCT_ISA_AARCH64 && code_bytes == 4 &&
                 (oct_get_le(v->code, 4) & SVE_MEMORY_MASK) == SVE_MEMORY;
  v->is_store_conditional =
      code_bytes >= 4 && oct_isa_is_store_conditional(isa, (uint32_t)oct_get_le(v->code, 4));
  v->is_swap = v->entry.n_slots == 2 && !(v->entry.slots[0] & OCT_SLOT_STORE) &&
               (v->entry.slots[1] & OCT_SLOT_STORE);
  return v;
}
