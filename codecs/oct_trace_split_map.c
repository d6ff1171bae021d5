/* SPDX-License-Identifier: Apache-2.0 */
/* oct_trace_split_map.c - entries of the program map on their way to the channel of events. A group
 * of segments says each entry that it uses, so that it can be read alone. */
#include <inttypes.h>

#include "oct_trace_entry.h"
#include "oct_trace_split_state.h"

static int no_memory(oct_diag *diag) {
  return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
}

/* An entry that follows from its bytes: those go to the data channel. */
static int put_following(oct_trace_split *s, const oct_map_entry *e, enum oct_trace_event kind,
                         oct_diag *diag) {
  uint8_t bytes[1 + OCT_LEB128_MAX];
  bytes[0] = (uint8_t)(e->code_isa << 4 | e->size_bytes);
  size_t n = 1 + oct_split_varint(bytes + 1, oct_fold_sign(e->addr - s->entry_end));
  s->entry_end = e->addr + e->size_bytes;
  int error = oct_split_event(s, kind, bytes, n, diag);
  return error ? error : oct_split_put(s, OCT_CHANNEL_DATA, e->code, e->size_bytes, diag);
}

/* Give the codec an entry. 1: it follows from its bytes; 0: it does not; or an error. */
static int put_segment_entry(oct_trace_split *s, const oct_map_entry *e, unsigned flags,
                             oct_diag *diag) {
  oct_map_entry entry = *e;
  entry.flags = (uint8_t)(flags & ~(unsigned)OCT_EVENT_MAP_AGAIN);
  s->entry_hash = oct_trace_entry_hash(s->entry_hash, &entry);
  int r = s->segments->put_map(s->put, &entry);
  if (!r) r = oct_trace_entry_follows(s->disasm, &entry);
  return r < 0 ? oct_fail(diag, r, "out of memory") : r;
}

/* Say an entry, with these flags. */
static int say_entry(oct_trace_split *s, const oct_map_entry *e, unsigned flags, oct_diag *diag) {
  uint8_t bytes[OCT_EVENT_MAP_BYTES + OCT_EFFECT_BYTES];
  size_t n = OCT_EVENT_MAP_BYTES;
  enum oct_trace_event kind = OCT_EVENT_MAP;
  int follows = s->put ? put_segment_entry(s, e, flags, diag) : 0;
  if (follows < 0) return follows;
  kind = flags & OCT_EVENT_MAP_AGAIN ? OCT_EVENT_FOLLOWS_AGAIN : OCT_EVENT_FOLLOWS;
  if (follows) return put_following(s, e, kind, diag);
  kind = OCT_EVENT_MAP;
  oct_put_u64(bytes, e->addr);
  oct_put_u64(bytes + 8, e->target);
  bytes[16] = e->size_bytes;
  bytes[17] = e->cls;
  bytes[18] = e->n_slots;
  bytes[19] = (uint8_t)flags;
  memcpy(bytes + 20, e->slots, OCT_SLOTS_MAX);
  if (e->code_isa) {
    kind = OCT_EVENT_CODE;
    bytes[n++] = e->code_isa;
    memcpy(bytes + n, e->code, e->size_bytes);
    n += e->size_bytes;
  } else if (e->op.flags & OCT_EFFECT_KNOWN) {
    kind = OCT_EVENT_OPERATION;
    oct_effect_put(bytes + n, &e->op);
    n += OCT_EFFECT_BYTES;
  }
  return oct_split_event(s, kind, bytes, n, diag);
}

/* Say an entry of a group before, once in this one, with what continues it. */
int oct_split_map_again(oct_trace_split *s, uint32_t id, oct_diag *diag) {
  const oct_map_entry *e = oct_map_at(s->map, id);
  unsigned n_beyond = oct_map_slots_beyond(s->map, id);
  if (oct_counted_add(&s->said, id)) return no_memory(diag);
  int error = say_entry(s, e, e->flags | OCT_EVENT_MAP_AGAIN, diag);
  for (unsigned done = 0; !error && done < n_beyond; done += OCT_SLOTS_MAX) {
    unsigned n = n_beyond - done < OCT_SLOTS_MAX ? n_beyond - done : OCT_SLOTS_MAX;
    oct_map_entry more = {.addr = e->addr,
                          .target = OCT_SLOTS_MAX + done,
                          .size_bytes = e->size_bytes,
                          .cls = e->cls,
                          .n_slots = (uint8_t)n};
    for (unsigned k = 0; k < n; k++)
      more.slots[k] = oct_map_slot_beyond(s->map, e, OCT_SLOTS_MAX + done + k);
    error = say_entry(s, &more, OCT_MAP_CONTINUES | OCT_EVENT_MAP_AGAIN, diag);
  }
  return error;
}

int oct_split_map(oct_trace_split *s, const oct_map_entry *e, oct_diag *diag) {
  uint32_t known = oct_map_find(s->map, e->addr);
  bool is_more = e->flags & OCT_MAP_CONTINUES && known != UINT32_MAX;
  int error =
      is_more && !oct_counted_has(&s->said, known) ? oct_split_map_again(s, known, diag) : 0;
  int64_t id = error ? error : oct_map_put(s->map, e);
  if (error) return error;
  if (id == OCT_ERR_NOMEM) return no_memory(diag);
  if (id < 0)
    return oct_fail(diag, (int)id, "a map entry of 0x%" PRIx64 " that continues none", e->addr);
  if (oct_counted_add(&s->said, (uint32_t)id)) return no_memory(diag);
  return say_entry(s, e, e->flags, diag);
}
