/* SPDX-License-Identifier: Apache-2.0 */
/* oct_etrace_parse.c - bytes of an E-Trace stream to packets.
 *
 * An encapsulated packet is a header byte (length in bits 0 to 4, flow, extend), the source, the
 * type, and the payload, whose missing bits are copies of its last. A byte whose length is 0 is a
 * null packet; more of them in a row than a packet can hold mark the beginning of the next packet.
 * Without encapsulation each payload has its full length, rounded up to bytes.
 *
 * Streams of others need not have null bytes. Where one is cut off anywhere, a packet begins at one
 * of the next few bytes. Packets are followed from each; what is no packet ends a way, and ways
 * that meet are one. The last way left is right. */
#include "oct_etrace_parse.h"

#include "oct_mask.h"

#include <string.h>

enum { HEADER_LENGTH = 0x1f, HEADER_EXTEND = 0x80 };
enum { TYPE_INSN = 2, TYPE_DATA = 3 };

int oct_et_parser_push(oct_et_parser *p, const uint8_t *bytes, size_t n) {
  if (p->at) {
    memmove(p->in.bytes, p->in.bytes + p->at, p->in.n_bytes - p->at);
    p->in.n_bytes -= p->at;
    p->base_bytes += p->at;
    p->look -= p->is_settling ? p->at : 0;
    p->at = 0;
  }
  return oct_buffer_put(&p->in, bytes, n);
}

static void load(oct_et_bits *b, const uint8_t *bytes, size_t n) {
  memset(b, 0, sizeof *b);
  for (size_t i = 0; i < n; i++) b->word[i / 8] |= (uint64_t)bytes[i] << i % 8 * 8;
  b->n_bits = (uint32_t)(8 * n);
}

static int bad(const oct_et_parser *p, int error, oct_diag *diag, const char *what) {
  return oct_fail_at(diag, error, OCT_AT_BIT, oct_et_parser_bit(p), "%s", what);
}

static int read_item(const oct_et_parser *p, const oct_et_bits *b, uint32_t *at, oct_et_item *item,
                     const oct_et_listen *listen, oct_diag *diag) {
  const oct_et_config *c = p->cfg;
  int rc = item->is_data ? oct_et_read_data(c, b, at, &item->data, listen)
                         : oct_et_read(c, b, at, &item->packet, listen);
  return rc ? bad(p, rc, diag, "a reserved code in an E-Trace packet") : 1;
}

size_t oct_et_parser_nulls(const oct_et_parser *p) {
  size_t at = p->at;
  while (at < p->in.n_bytes && !(p->in.bytes[at] & HEADER_LENGTH)) at++;
  return at - p->at;
}

/* Pass over null bytes. True when a packet begins at p->at. */
static bool find_packet(oct_et_parser *p) {
  for (; p->at < p->in.n_bytes; p->at++) {
    bool is_null = !(p->in.bytes[p->at] & HEADER_LENGTH);
    if (!is_null && (!p->is_searching || p->nulls >= oct_et_null_bytes(p->cfg))) {
      p->is_marked |= p->nulls >= oct_et_null_bytes(p->cfg);
      p->is_searching = false;
      p->nulls = 0;
      return true;
    }
    p->nulls = is_null ? p->nulls + 1 : 0;
  }
  return false;
}

/* What a look at one place gives besides errors. */
enum { NEEDS_MORE = 0, IS_ITEM = 1, IS_OTHER = 2 };

/* The encapsulated packet at in.bytes[at], *n bytes with its header. */
static int read_encapsulated(const oct_et_parser *p, size_t at_byte, oct_et_item *item, size_t *n,
                             const oct_et_listen *listen, oct_diag *diag) {
  const oct_et_config *c = p->cfg;
  const uint8_t header = p->in.bytes[at_byte];
  if (header & HEADER_EXTEND)
    return bad(p, OCT_ERR_PACKET, diag, "a header with a time stamp: expected none");
  *n = 1 + (header & HEADER_LENGTH) + c->p.src_bits / 8;
  if (p->in.n_bytes - at_byte < *n)
    return p->is_finished ? bad(p, OCT_ERR_TRUNCATED, diag, "the stream ends within a packet")
                          : NEEDS_MORE;
  oct_et_bits b;
  load(&b, p->in.bytes + at_byte + 1, *n - 1);
  uint32_t at = c->p.src_bits;
  bool is_ours = (b.word[0] & oct_mask(at)) == (c->p.src_id & oct_mask(at));
  uint32_t type = c->type_bits ? b.word[0] >> at & 3 : TYPE_INSN;
  at += c->type_bits;
  if (!is_ours) return IS_OTHER;
  if (type != TYPE_INSN && type != TYPE_DATA)
    return bad(p, OCT_ERR_PACKET, diag, "a packet of reserved type");
  item->is_data = type == TYPE_DATA;
  item->n_bits = 8 * *n;
  int rc = read_item(p, &b, &at, item, listen, diag);
  item->is_padded = at + 7 < b.n_bits;
  return rc;
}

/* Without encapsulation data packets cannot be told from the others: there are none. */
static int read_bare(const oct_et_parser *p, size_t at_byte, oct_et_item *item, size_t *n,
                     const oct_et_listen *listen, oct_diag *diag) {
  size_t there = p->in.n_bytes - at_byte;
  if (there > 8 * OCT_ET_WORDS) there = 8 * OCT_ET_WORDS;
  if (!there || (there < 8 * OCT_ET_WORDS && !p->is_finished)) return NEEDS_MORE;
  oct_et_bits b;
  uint32_t at = 0;
  load(&b, p->in.bytes + at_byte, there);
  item->is_data = item->is_padded = false;
  int rc = read_item(p, &b, &at, item, listen, diag);
  if (rc < 0) return rc;
  *n = (at + 7) / 8;
  if (*n > there) return bad(p, OCT_ERR_TRUNCATED, diag, "the stream ends within a packet");
  item->n_bits = *n * 8;
  return rc;
}

static int read_at(const oct_et_parser *p, size_t at, oct_et_item *item, size_t *n,
                   const oct_et_listen *listen, oct_diag *diag) {
  return p->cfg->p.encapsulation ? read_encapsulated(p, at, item, n, listen, diag)
                                 : read_bare(p, at, item, n, listen, diag);
}

/* ---- Where packets begin, without a mark ---- */

enum { PACKETS_BEHIND = 16 }; /* that show a place to be one */

/* Bytes of the longest packet: one begins at one of so many in a row. */
static unsigned longest(const oct_et_parser *p) {
  return p->cfg->p.encapsulation ? oct_et_null_bytes(p->cfg) : 8 * OCT_ET_WORDS;
}

void oct_et_parser_settle(oct_et_parser *p, size_t at) {
  p->is_searching = p->is_alone = false;
  p->is_settling = true;
  p->at = p->look = at;
  p->heads = oct_mask(longest(p));
}

/* Go on from the first head: 1, or 0 where the bytes end. */
static int follow_head(oct_et_parser *p) {
  oct_et_item item;
  oct_diag ignored;
  size_t n = 1;
  if (p->look >= p->in.n_bytes) return 0;
  bool is_null = p->cfg->p.encapsulation && !(p->in.bytes[p->look] & HEADER_LENGTH);
  int rc = is_null ? IS_OTHER : read_at(p, p->look, &item, &n, NULL, &ignored);
  if (rc == NEEDS_MORE) return 0;
  if (rc == OCT_ERR_TRUNCATED && p->is_alone) return 0; /* its end is cut off, too */
  p->heads &= ~UINT64_C(1);
  if (rc > 0) p->heads |= UINT64_C(1) << n;
  if (!p->heads) { /* damage */
    oct_et_parser_settle(p, p->look + 1);
    return 1;
  }
  const unsigned skip = (unsigned)__builtin_ctzll(p->heads);
  p->heads >>= skip;
  p->look += skip;
  if (p->is_alone) {
    p->n_behind += !is_null;
    return 1;
  }
  p->at = p->look;
  p->is_alone = p->heads == 1;
  p->n_behind = 0;
  return 1;
}

/* True once a packet is known to begin at p->at. */
static bool is_settled(oct_et_parser *p) {
  while (!p->is_alone || p->n_behind < PACKETS_BEHIND) {
    if (follow_head(p)) continue;
    if (!p->is_finished || !p->is_alone) return false;
    break;
  }
  p->is_settling = false;
  return true;
}

int oct_et_parser_next(oct_et_parser *p, oct_et_item *item, const oct_et_listen *listen,
                       oct_diag *diag) {
  if (p->is_settling && !is_settled(p)) return 0;
  for (;;) {
    if (p->cfg->p.encapsulation && !find_packet(p)) return 0;
    size_t n = 0;
    item->bit = oct_et_parser_bit(p);
    item->is_marked = p->is_marked;
    int rc = read_at(p, p->at, item, &n, listen, diag);
    if (rc == NEEDS_MORE || rc < 0) return rc;
    p->at += n;
    p->is_marked = false;
    if (rc == IS_ITEM) return rc;
  }
}
