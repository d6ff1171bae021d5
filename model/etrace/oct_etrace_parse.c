/* SPDX-License-Identifier: Apache-2.0 */
/* oct_etrace_parse.c - bytes of an E-Trace stream to packets.
 *
 * An encapsulated packet is a header byte (length in bits 0 to 4, flow, extend), the source, the
 * type, and the payload, whose missing bits are copies of its last. A byte whose length is 0 is a
 * null packet; more of them in a row than a packet can hold mark the beginning of the next packet.
 * Without encapsulation each payload has its full length, rounded up to bytes. */
#include "oct_etrace_parse.h"

#include <string.h>

enum { HEADER_LENGTH = 0x1f, HEADER_EXTEND = 0x80 };
enum { TYPE_INSN = 2, TYPE_DATA = 3 };

int oct_et_parser_push(oct_et_parser *p, const uint8_t *bytes, size_t n) {
  if (p->at) {
    memmove(p->in.bytes, p->in.bytes + p->at, p->in.n_bytes - p->at);
    p->in.n_bytes -= p->at;
    p->base_bytes += p->at;
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

/* Pass over null bytes. True when a packet begins at p->at. */
static bool find_packet(oct_et_parser *p) {
  for (; p->at < p->in.n_bytes; p->at++) {
    bool is_null = !(p->in.bytes[p->at] & HEADER_LENGTH);
    if (!is_null && (!p->is_searching || p->nulls >= oct_et_null_bytes(p->cfg))) {
      p->is_searching = false;
      p->nulls = 0;
      return true;
    }
    p->nulls = is_null ? p->nulls + 1 : 0;
  }
  return false;
}

static int next_encapsulated(oct_et_parser *p, oct_et_item *item, const oct_et_listen *listen,
                             oct_diag *diag) {
  const oct_et_config *c = p->cfg;
  for (;;) {
    if (!find_packet(p)) return 0;
    uint8_t header = p->in.bytes[p->at];
    if (header & HEADER_EXTEND)
      return bad(p, OCT_ERR_PACKET, diag, "a header with a time stamp: expected none");
    size_t n = (header & HEADER_LENGTH) + c->p.src_bits / 8;
    if (p->in.n_bytes - p->at < n + 1)
      return p->is_finished ? bad(p, OCT_ERR_TRUNCATED, diag, "the stream ends within a packet")
                            : 0;
    oct_et_bits b;
    load(&b, p->in.bytes + p->at + 1, n);
    uint32_t at = c->p.src_bits;
    bool is_ours = (b.word[0] & ((UINT64_C(1) << at) - 1)) == (c->p.src_id & ((1u << at) - 1));
    uint32_t type = c->type_bits ? b.word[0] >> at & 3 : TYPE_INSN;
    at += c->type_bits;
    int rc = 0;
    if (is_ours) {
      if (type != TYPE_INSN && type != TYPE_DATA)
        return bad(p, OCT_ERR_PACKET, diag, "a packet of reserved type");
      item->is_data = type == TYPE_DATA;
      item->bit = oct_et_parser_bit(p);
      item->n_bits = 8 * (n + 1);
      rc = read_item(p, &b, &at, item, listen, diag);
      if (rc < 0) return rc;
    }
    p->at += n + 1;
    if (rc) return rc;
  }
}

/* Without encapsulation data packets cannot be told from the others: there are none. */
static int next_bare(oct_et_parser *p, oct_et_item *item, const oct_et_listen *listen,
                     oct_diag *diag) {
  size_t n = p->in.n_bytes - p->at;
  if (n > 8 * OCT_ET_WORDS) n = 8 * OCT_ET_WORDS;
  if (!n || (n < 8 * OCT_ET_WORDS && !p->is_finished)) return 0;
  oct_et_bits b;
  uint32_t at = 0;
  load(&b, p->in.bytes + p->at, n);
  item->is_data = false;
  item->bit = oct_et_parser_bit(p);
  int rc = read_item(p, &b, &at, item, listen, diag);
  if (rc < 0) return rc;
  if ((at + 7) / 8 > n) return bad(p, OCT_ERR_TRUNCATED, diag, "the stream ends within a packet");
  item->n_bits = (at + 7) / 8 * 8;
  p->at += (at + 7) / 8;
  return 1;
}

int oct_et_parser_next(oct_et_parser *p, oct_et_item *item, const oct_et_listen *listen,
                       oct_diag *diag) {
  return p->cfg->p.encapsulation ? next_encapsulated(p, item, listen, diag)
                                 : next_bare(p, item, listen, diag);
}
