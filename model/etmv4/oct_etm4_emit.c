/* SPDX-License-Identifier: Apache-2.0 */
/* oct_etm4_emit.c - ETMv4 packets as bytes, and the frames that they leave in.
 *
 * Atoms are gathered, and sent before any other packet. Addresses are told against the last three.
 * A sync begins a frame of its own. */
#include "oct_etm4_emit.h"

int oct_etm4_put(oct_etm4_encoder *e, const uint8_t *bytes, size_t n, uint64_t *bits) {
  *bits += 8 * n;
  e->counters.packets++;
  return oct_buffer_put(e->p.frames ? &e->framer.pending : &e->base.out, bytes, n);
}

int oct_etm4_put_atom_packet(oct_etm4_encoder *e) {
  uint8_t header = oct_etm4_pack_atoms(&e->atoms);
  e->counters.atom_packets++;
  return oct_etm4_put(e, &header, 1, &e->counters.atom_bits);
}

int oct_etm4_put_atoms(oct_etm4_encoder *e) {
  int rc = 0;
  while (e->atoms.n && !rc) rc = oct_etm4_put_atom_packet(e);
  return rc;
}

bool oct_etm4_is_thumb_like(const oct_etm4_encoder *e, uint64_t addr, bool like_this) {
  uint32_t id = oct_map_find(e->base.walk.map, addr);
  uint8_t isa = id == OCT_WALK_NONE ? 0 : oct_map_at(e->base.walk.map, id)->code_isa;
  if (isa) return isa == OCT_ISA_THUMB + 1;
  return like_this && !oct_etm4_is_lent(addr);
}

bool oct_etm4_is_thumb(const oct_etm4_encoder *e, uint64_t addr) {
  return oct_etm4_is_thumb_like(e, addr, e->p.isa == OCT_ETM4_T32);
}

/* The bits of an address from the lowest that counts on, as long packets have them. */
static unsigned long_address(uint8_t *out, uint64_t addr, bool thumb, unsigned n) {
  out[0] = thumb ? (uint8_t)(addr >> 1 & 0x7f) : (uint8_t)(addr >> 2 & 0x7f);
  out[1] = thumb ? (uint8_t)(addr >> 8) : (uint8_t)(addr >> 9 & 0x7f);
  for (unsigned i = 2; i < n; i++) out[i] = (uint8_t)(addr >> 8 * i);
  return n;
}

int oct_etm4_put_address(oct_etm4_encoder *e, uint64_t addr, bool thumb) {
  oct_etm4_history *h = &e->history;
  uint8_t out[16];
  unsigned n = 1, shift = thumb ? 1 : 2;
  for (unsigned i = 0; i < h->n; i++) {
    if (h->addr[i] != addr || h->is_thumb[i] != thumb) continue;
    out[0] = (uint8_t)(OCT_ETM4_EXACT + i);
    e->counters.exact_addresses++;
    oct_etm4_remember(h, addr, thumb);
    return oct_etm4_put(e, out, 1, &e->counters.address_bits);
  }
  uint64_t differ = h->n ? addr ^ h->addr[0] : UINT64_MAX;
  if (!(differ >> (15 + shift))) {
    bool is_two = differ >> (7 + shift);
    out[0] = (uint8_t)(OCT_ETM4_SHORT + thumb);
    out[n++] = (uint8_t)((addr >> shift & 0x7f) | (is_two ? 0x80 : 0));
    if (is_two) out[n++] = (uint8_t)(addr >> (7 + shift));
  } else if (e->p.isa == OCT_ETM4_A64 && differ >> 32) {
    out[0] = OCT_ETM4_LONG_64;
    n += long_address(out + 1, addr, thumb, 8);
  } else {
    out[0] = (uint8_t)(OCT_ETM4_LONG_32 + thumb);
    n += long_address(out + 1, addr, thumb, 4);
  }
  oct_etm4_remember(h, addr, thumb);
  return oct_etm4_put(e, out, n, &e->counters.address_bits);
}

int oct_etm4_put_context(oct_etm4_encoder *e, uint64_t addr, bool thumb, uint32_t task) {
  enum { INFO_NS = 0x20, INFO_SF = 0x10, INFO_CID = 0x80, MONITOR = 3 };
  bool is_64 = e->p.isa == OCT_ETM4_A64;
  uint8_t out[16];
  unsigned n = 1;
  out[0] = is_64 ? OCT_ETM4_CONTEXT_64_A64 : (uint8_t)(OCT_ETM4_CONTEXT_32_A32 + thumb);
  n += long_address(out + 1, addr, thumb, is_64 ? 8 : 4);
  out[n++] = (uint8_t)(e->privilege | INFO_CID | (is_64 ? INFO_SF : 0) |
                       (e->privilege == MONITOR ? 0 : INFO_NS));
  for (unsigned i = 0; i < 4; i++) out[n++] = (uint8_t)(task >> 8 * i);
  oct_etm4_remember(&e->history, addr, thumb);
  return oct_etm4_put(e, out, n, &e->counters.sync_bits);
}

static int put_timestamp(oct_etm4_encoder *e, uint64_t value) {
  uint8_t out[16] = {OCT_ETM4_TIMESTAMP};
  unsigned n = 1;
  if (!e->p.timestamp) return 0;
  for (; value > 0x7f; value >>= 7) out[n++] = (uint8_t)(value | 0x80);
  out[n++] = (uint8_t)value;
  return oct_etm4_put(e, out, n, &e->counters.sync_bits);
}

int oct_etm4_put_cycles(oct_etm4_encoder *e) {
  uint64_t *bits = &e->counters.cycle_bits, count = e->cycle - e->sent_cycle;
  uint8_t out[4] = {OCT_ETM4_CYCLES};
  unsigned n = 1;
  if (!e->p.cycles || e->cycle < e->sent_cycle || count < e->p.cycle_threshold) return 0;
  e->sent_cycle = e->cycle;
  count -= e->p.cycle_threshold;
  int rc = oct_etm4_put_atoms(e);
  if (rc) return rc;
  if (count <= OCT_ETM4_CYCLES_SHORT_MOST) {
    out[0] = (uint8_t)(OCT_ETM4_CYCLES_SHORT | count);
  } else if (count >> OCT_ETM4_CYCLES_BITS) {
    out[0] = OCT_ETM4_CYCLES_MANY;
  } else {
    for (; count > 0x7f; count >>= 7) out[n++] = (uint8_t)(count | 0x80);
    out[n++] = (uint8_t)count;
  }
  return oct_etm4_put(e, out, n, bits);
}

int oct_etm4_put_frames(oct_etm4_encoder *e, bool is_end) {
  size_t before = e->framer.pending.n_bytes, out = e->base.out.n_bytes;
  if (!e->p.frames) return 0;
  if (oct_etm4_frame(&e->framer, &e->base.out, is_end)) return OCT_ERR_NOMEM;
  e->counters.frame_bits +=
      8 * (e->base.out.n_bytes - out) - 8 * (before - e->framer.pending.n_bytes);
  return 0;
}

int oct_etm4_put_sync(oct_etm4_encoder *e, uint64_t number, uint64_t addr, uint32_t task,
                      bool is_on) {
  enum { ASYNC_BYTES = OCT_ETM4_ASYNC_ZEROS + 1 };
  uint8_t start[ASYNC_BYTES + 5] = {
      [OCT_ETM4_ASYNC_ZEROS] = 0x80, OCT_ETM4_TRACE_INFO, OCT_ETM4_PLCTL_INFO};
  size_t n = ASYNC_BYTES + 3;
  static const uint8_t on = OCT_ETM4_TRACE_ON;
  int rc = oct_etm4_put_atoms(e);
  if (!rc) rc = oct_etm4_put_frames(e, true);
  if (e->p.cycles) {
    start[ASYNC_BYTES + 1] |= OCT_ETM4_PLCTL_CYCLES;
    start[ASYNC_BYTES + 2] = OCT_ETM4_INFO_CYCLES;
    bool is_long = e->p.cycle_threshold >> 7;
    start[n++] = (uint8_t)(e->p.cycle_threshold | (is_long ? 0x80 : 0));
    if (is_long) start[n++] = (uint8_t)(e->p.cycle_threshold >> 7);
  }
  if (!rc) rc = oct_etm4_put(e, start, n, &e->counters.sync_bits);
  if (!rc && is_on) rc = oct_etm4_put(e, &on, 1, &e->counters.sync_bits);
  e->history.n = 0;
  e->stack.n = 0;
  e->counters.syncs++;
  e->base.sync_at = e->p.sync_period_insns ? number + e->p.sync_period_insns : UINT64_MAX;
  if (!rc) rc = put_timestamp(e, number);
  return rc ? rc : oct_etm4_put_context(e, addr, oct_etm4_is_thumb(e, addr), task);
}
