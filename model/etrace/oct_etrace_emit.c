/* SPDX-License-Identifier: Apache-2.0 */
/* oct_etrace_emit.c - packets out: sign-based compression, the encapsulation, and what is counted
 * of them; data packets.
 *
 * The bits of a packet are put together from its fields; then trailing bytes that only continue the
 * last bit are left out, since a decoder extends the sign. The encapsulation puts a header with
 * length and type in front (E-Trace). A data packet has the address in full, or its difference from
 * the last access of the same size. */
#include "oct_etrace_emit.h"
#include "oct_mask.h"
#include "oct_plural.h"

#include <endian.h>
#include <string.h>

/* Types of packets in the encapsulation. */
enum { TYPE_INSN = 2, TYPE_DATA = 3 };

/* Bits that are left when those that equal the one before them are left out at the end. */
static uint32_t compressed_bits(const oct_et_bits *b) {
  uint32_t last = b->n_bits - 1;
  uint64_t sign = (b->word[last / 64] >> last % 64 & 1) ? UINT64_MAX : 0;
  for (uint32_t word = last / 64 + 1; word-- > 0;) {
    uint64_t differ = b->word[word] ^ sign;
    if (word == last / 64 && last % 64 != 63) differ &= (UINT64_C(2) << last % 64) - 1;
    /* The bit after the last that differs has the sign. */
    if (differ) return word * 64 + oct_bit_width(differ) + 1;
  }
  return 1;
}

static uint32_t bytes_of(uint32_t n_bits) {
  return (n_bits + 7) / 8;
}

/* Continue the last bit to the end of its word. */
static void extend(oct_et_bits *b) {
  uint32_t last = b->n_bits - 1;
  if (last % 64 != 63 && (b->word[last / 64] >> last % 64 & 1))
    b->word[last / 64] |= UINT64_MAX << (last % 64 + 1);
}

/* What stands before the payload: the source, and the type. */
static void begin(const oct_et_config *c, uint32_t type, oct_et_bits *b) {
  memset(b, 0, sizeof *b);
  if (!c->p.encapsulation) return;
  b->word[0] = c->p.src_id & oct_mask(c->p.src_bits);
  b->n_bits = c->p.src_bits;
  if (c->type_bits) b->word[0] |= (uint64_t)type << b->n_bits;
  b->n_bits += c->type_bits;
}

/* Bytes without the header. The payload alone would take *payload_bytes. */
static uint32_t packet_bytes(const oct_et_config *c, const oct_et_bits *b,
                             uint32_t *payload_bytes) {
  uint32_t before = c->p.src_bits + c->type_bits, least = c->p.src_bits / 8 + 1;
  if (!c->p.encapsulation) {
    *payload_bytes = bytes_of(b->n_bits);
    return *payload_bytes;
  }
  uint32_t n_bits = compressed_bits(b);
  *payload_bytes = n_bits > before + 1 ? bytes_of(n_bits - before) : 1;
  return bytes_of(n_bits) > least ? bytes_of(n_bits) : least;
}

static int put_bits(oct_et_emit *e, oct_et_bits *b, uint64_t *payload_bits, uint64_t *header_bits) {
  const oct_et_config *c = e->cfg;
  uint32_t payload_bytes, n = packet_bytes(c, b, &payload_bytes), head = c->p.encapsulation;
  uint8_t *out = oct_buffer_room(e->out, 1 + 8 * OCT_ET_WORDS);
  if (!out) return OCT_ERR_NOMEM;
  if (head) *out++ = (uint8_t)(n - c->p.src_bits / 8);
  extend(b);
  for (uint32_t i = 0; 8 * i < n; i++) {
    uint64_t word = htole64(b->word[i]);
    memcpy(out + 8 * i, &word, sizeof word);
  }
  e->out->n_bytes += n + head;
  *payload_bits += 8 * payload_bytes;
  *header_bits += 8 * (n + head - payload_bytes);
  e->counters.packets++;
  return 0;
}

int oct_et_emit_packet(oct_et_emit *e, const oct_et_packet *p) {
  oct_et_counters *n = &e->counters;
  uint64_t *const packets[] = {&n->format0_packets, &n->format1_packets, &n->format2_packets,
                               &n->format3_packets};
  oct_et_bits b;
  begin(e->cfg, TYPE_INSN, &b);
  oct_et_write(e->cfg, p, &b);
  ++*packets[p->format];
  return put_bits(e, &b, p->format == OCT_ET_FORMAT_SYNC ? &n->sync_bits : &n->insn_bits,
                  &n->insn_header_bits);
}

uint32_t oct_et_packet_bytes(const oct_et_config *c, const oct_et_packet *p) {
  uint32_t payload_bytes;
  oct_et_bits b;
  begin(c, TYPE_INSN, &b);
  oct_et_write(c, p, &b);
  return packet_bytes(c, &b, &payload_bytes);
}

int oct_et_emit_align(oct_et_emit *e) {
  enum { NULL_ALIGNMENT = 0x80 };
  if (!e->cfg->p.encapsulation) return 0;
  uint32_t n = oct_et_null_bytes(e->cfg);
  uint8_t *out = oct_buffer_room(e->out, n);
  if (!out) return OCT_ERR_NOMEM;
  memset(out, 0, n);
  out[n - 1] = NULL_ALIGNMENT;
  e->out->n_bytes += n;
  e->counters.align_bits += 8 * n;
  return 0;
}

static int put_data(oct_et_emit *e, const oct_et_data *p, oct_diag *diag) {
  oct_et_bits b;
  begin(e->cfg, TYPE_DATA, &b);
  oct_et_write_data(e->cfg, p, &b);
  e->counters.data_packets++;
  int rc = put_bits(e, &b, &e->counters.data_bits, &e->counters.data_header_bits);
  return rc ? oct_fail(diag, rc, "out of memory") : 0;
}

static int64_t sign_extend(const oct_et_config *c, uint64_t addr) {
  return (int64_t)oct_sign_extend(addr, c->p.addr_bits);
}

/* An access, or both of an atomic one. A difference counts in units of the size, so both addresses
 * must be multiples of it; else the address is in bytes. */
static int put_access(oct_et_emit *e, uint8_t kind, const oct_access *a, oct_diag *diag) {
  const oct_et_config *c = e->cfg;
  uint32_t size = a->size_bytes ? (uint32_t)__builtin_ctz(a->size_bytes) : 7;
  if (size >> c->p.data_size_bits)
    return oct_fail(diag, OCT_ERR_LIMIT,
                    "an access of %u byte%s (0 = unknown): data_size_bits=%u holds up to %u; "
                    "set data_size_bits=3",
                    a->size_bytes, OCT_S(a->size_bytes), c->p.data_size_bits,
                    1u << ((1u << c->p.data_size_bits) - 1));
  if (a->addr & ~c->addr_mask)
    return oct_fail(diag, OCT_ERR_LIMIT, "data address 0x%llx: wider than addr_bits=%u",
                    (unsigned long long)a->addr, c->p.addr_bits);
  uint64_t below = size < 7 ? oct_mask(size) : 0, last = e->last_data[size];
  oct_et_data p = {.kind = kind, .size_log2 = (uint8_t)size};
  p.is_diff = e->has_last_data >> size & 1;
  if (kind == OCT_ET_ATOMIC && (last & below)) p.is_diff = false; /* it has no code for unaligned */
  p.is_unaligned = size == 7 || (a->addr & below) || (p.is_diff && (last & below));
  p.address = p.is_diff ? a->addr - last : a->addr;
  if (!p.is_unaligned) p.address = (uint64_t)(sign_extend(c, p.address) >> size);
  e->last_data[size] = a->addr;
  e->has_last_data |= (uint8_t)(1u << size);
  return put_data(e, &p, diag);
}

int oct_et_emit_data(oct_et_emit *e, const oct_insn *insn, const oct_access *a, oct_diag *diag) {
  uint32_t n = insn->n_access;
  int rc;
  if (n == 2 && !a[0].is_store && a[1].is_store && a[0].addr == a[1].addr &&
      a[0].size_bytes == a[1].size_bytes && a[0].size_bytes &&
      !(a[0].addr & (a[0].size_bytes - 1u)) && !(insn->flags & OCT_INSN_END)) {
    if ((rc = put_access(e, OCT_ET_ATOMIC, a, diag))) return rc;
  } else {
    for (uint32_t i = 0; i < n; i++)
      if ((rc = put_access(e, a[i].is_store ? OCT_ET_STORE : OCT_ET_LOAD, &a[i], diag))) return rc;
  }
  e->counters.accesses += n;
  if (!(insn->flags & OCT_INSN_END)) return 0;
  return put_data(e, &(oct_et_data){.kind = OCT_ET_FAILED}, diag);
}
