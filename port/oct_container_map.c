/* SPDX-License-Identifier: Apache-2.0 */
/* oct_container_map.c - reads the map chunks of containers (docs/container-format.md, section 3).
 *
 * What the program's own file says of an instruction is taken from there; the checksum of the chunk
 * in full then shows whether that is what the writer saw. */
#include "oct_container_format.h"
#include "oct_container_reader.h"
#include "oct_container_update.h"
#include "octrace/trace.h"
#include "octrace/error.h"

#include <stdlib.h>

/* A vlq in front of end; *p moves behind it, or becomes NULL when there is none. */
static uint64_t get_vlq(const uint8_t **p, const uint8_t *end) {
  uint64_t v = 0;
  if (*p) *p = oct_leb128_get(*p, end, &v);
  return *p ? v : 0;
}

static uint64_t get_svlq(const uint8_t **p, const uint8_t *end) {
  return oct_unfold_sign(get_vlq(p, end));
}

/* The instruction set and the bytes of an instruction; NULL when they are damaged. */
static const uint8_t *parse_code(const uint8_t *p, const uint8_t *end, oct_map_entry *e) {
  if (p == end || *p > (unsigned)OCT_ISA_COUNT) return NULL;
  if (!(e->code_isa = *p++)) return p;
  if ((size_t)(end - p) < e->size_bytes) return NULL;
  memcpy(e->code, p, e->size_bytes);
  return p + e->size_bytes;
}

static int too_many_updates(oct_container_reader *r) {
  char what[120];
  snprintf(what, sizeof what,
           "more than %llu updates of the program map: the file may be damaged; --max-map N takes "
           "more",
           (unsigned long long)r->max_updates);
  return oct_container_fail(r, OCT_ERR_LIMIT, what);
}

static int damaged_map(oct_container_reader *r) {
  return oct_container_fail(r, OCT_ERR_FORMAT, "damaged map chunk");
}

static int not_the_program(oct_container_reader *r) {
  return oct_container_fail(r, OCT_ERR_ARG,
                            "the program's file has other instructions than the trace: "
                            "another version of octrace may have made this container");
}

/* An instruction that the program's own file says. */
static int ask_program(oct_container_reader *r, unsigned form, oct_map_entry *e) {
  const uint64_t addr = e->addr;
  if (!r->n_images || (form & ~(unsigned)OCT_CONTAINER_FROM_THUMB)) return damaged_map(r);
  return oct_program_insn_as(r->program, addr, form == OCT_CONTAINER_FROM_THUMB, e)
             ? 0
             : not_the_program(r);
}

/* The rest of an update from *p on: all but its place and its form. */
static int parse_entry(oct_container_reader *r, unsigned kind, unsigned form, const uint8_t **at,
                       const uint8_t *end, oct_map_entry *e) {
  const uint8_t *p = *at;
  if (end - p < 2) return damaged_map(r);
  unsigned cls = *p++, n_slot_bytes = cls >> 3;
  e->size_bytes = form & 15;
  e->flags = form >> 4 & 7;
  e->cls = cls & 7;
  e->n_slots = *p++;
  if (form & 128) e->target = e->addr + get_svlq(&p, end);
  if (!p || n_slot_bytes > OCT_SLOTS_MAX || (size_t)(end - p) < n_slot_bytes) return damaged_map(r);
  memcpy(e->slots, p, n_slot_bytes);
  p += n_slot_bytes;
  if (kind != OCT_CONTAINER_MAP && oct_effect_unpack(&p, end, &e->op)) return damaged_map(r);
  if (kind == OCT_CONTAINER_CODE && !(p = parse_code(p, end, e))) return damaged_map(r);
  *at = p;
  return 0;
}

int oct_container_parse_map(oct_container_reader *r, unsigned kind, const uint8_t *p, size_t n,
                            oct_chunk *chunk) {
  const uint8_t *end = p + n;
  const size_t least =
      r->n_images ? OCT_CONTAINER_ADDRESS_MIN_BYTES : OCT_CONTAINER_UPDATE_MIN_BYTES;
  size_t cap = n / least + 1, count = 0;
  uint64_t hash = 0;
  chunk->kind = OCT_CHUNK_MAP;
  if (r->n_images && !r->program) return 1;
  if (cap > r->updates_cap) {
    free(r->updates);
    r->updates_cap = 0;
    r->updates = malloc(cap * sizeof *r->updates);
    if (!r->updates) return oct_container_fail(r, OCT_ERR_NOMEM, "out of memory");
    r->updates_cap = cap;
  }
  if (r->n_images && n < OCT_CONTAINER_MAP_HASH_BYTES) return damaged_map(r);
  if (r->n_images) hash = oct_get_u64(p), p += OCT_CONTAINER_MAP_HASH_BYTES;
  uint64_t from = 0, addr = 0;
  while (p < end) {
    if (r->n_updates++ == r->max_updates) return too_many_updates(r);
    oct_map_update *u = &r->updates[count++];
    memset(u, 0, sizeof *u);
    uint64_t step = get_vlq(&p, end);
    uint64_t difference = get_svlq(&p, end);
    if (!p || p == end || from + step < from) return damaged_map(r);
    unsigned form = *p++;
    from += step;
    addr += difference;
    u->from_insn = from;
    u->entry.addr = addr;
    int error = form & 15 ? parse_entry(r, kind, form, &p, end, &u->entry)
                          : ask_program(r, form, &u->entry);
    if (error) return error;
    addr += u->entry.size_bytes;
  }
  if (r->n_images && oct_container_hash_updates(r->updates, count, kind) != hash)
    return not_the_program(r);
  for (size_t i = 0; i < count; i++) {
    int is_new = oct_addr_set_put(&r->addrs, r->updates[i].entry.addr);
    if (is_new < 0) return oct_container_fail(r, OCT_ERR_NOMEM, "out of memory");
    r->n_changes += !is_new;
  }
  chunk->updates = r->updates;
  chunk->n_updates = count;
  return 1;
}
