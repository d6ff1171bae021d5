/* SPDX-License-Identifier: Apache-2.0 */
/* oct_cutter.c - cuts port bits into packets (docs/port-format.md, sections 3 and 4).
 *
 * The kind of a packet follows from the next nine bits; its fields from the form that the table
 * gives it. A packet that is not wholly there changes nothing: it is tried again later. The CRC is
 * folded in runs, when a packet with a check comes and before bits leave the window. */
#include "oct_cutter.h"

#include "octrace/error.h"

static void init_kinds(oct_cutter *c) {
  for (unsigned bits = 0; bits < sizeof c->kind_of; bits++) {
    c->kind_of[bits] = OCT_PACKET_KINDS;
    for (unsigned k = 0; k < OCT_PACKET_KINDS; k++) {
      const oct_packet_form *f = &c->forms[k];
      if (f->is_legal && (bits & oct_mask(f->prefix_bits)) == f->prefix)
        c->kind_of[bits] = (uint8_t)k;
    }
  }
}

int oct_cutter_init(oct_cutter *c, const oct_config *cfg, bool is_in_step) {
  oct_widths w;
  memset(c, 0, sizeof *c);
  oct_config_widths(cfg, &w);
  oct_packet_forms(cfg, c->forms);
  init_kinds(c);
  c->sync_ones = w.sync_ones;
  c->check_bits = cfg->check_bits;
  c->part_max[0] = w.tuple_n - 1;
  c->part_max[1] = cfg->rep_pattern_bits - 1;
  c->is_any_phase = !is_in_step;
  c->is_check_known = is_in_step;
  return oct_bits_push(&c->bits, NULL, 0) ? OCT_ERR_NOMEM : 0;
}

void oct_cutter_free(oct_cutter *c) {
  free(c->bits.bytes);
  c->bits.bytes = NULL;
}

/* Take the bits up to bit `to` of the stream, which are in the window, into the CRC. */
static void fold(oct_cutter *c, uint64_t to) {
  oct_bits b = c->bits;
  b.pos_bits = (size_t)(c->crc_end - b.base_bits);
  if (c->is_check_known && c->check_bits) {
    while (c->crc_end < to) {
      unsigned n = to - c->crc_end < 64 ? (unsigned)(to - c->crc_end) : 64;
      c->crc = oct_crc_bits(c->check_bits, c->crc, oct_bits_at(&b, 0, n), n);
      b.pos_bits += n;
      c->crc_end += n;
    }
  }
  c->crc_end = to;
}

int oct_cutter_push(oct_cutter *c, const uint8_t *bytes, size_t n) {
  fold(c, oct_cutter_offset(c));
  return oct_bits_push_keeping(&c->bits, bytes, n, OCT_CUTTER_HISTORY_BYTES) ? OCT_ERR_NOMEM : 0;
}

bool oct_cutter_may_begin(const oct_cutter *c, oct_packet_kind kind) {
  size_t left = oct_bits_left(&c->bits);
  uint32_t n = c->forms[kind].prefix_bits;
  if (n > left) n = (uint32_t)left;
  return oct_bits_at(&c->bits, 0, n) == (c->forms[kind].prefix & oct_mask(n));
}

/* Exactly sync_ones ones and a zero: 1, 0 when cut short, or an error. */
static int check_mark(const oct_cutter *c, const char **why) {
  size_t left = oct_bits_left(&c->bits);
  for (unsigned i = 0; i < c->sync_ones; i += 8) {
    if (i + 8 <= left && oct_bits_at(&c->bits, i, 8) != 0xFF) {
      *why = "a sync mark of too few ones";
      return OCT_ERR_PACKET;
    }
  }
  if (left <= c->sync_ones) return 0;
  if (!oct_bits_at(&c->bits, c->sync_ones, 1)) return 1;
  *why = "a sync mark of too many ones";
  return OCT_ERR_PACKET;
}

/* What no field's width says. */
static const char *check_values(const oct_cutter *c, const oct_cut *cut) {
  const oct_bits *b = &c->bits;
  switch (cut->kind) {
    case OCT_PACKET_TUPLE_PART:
      if (cut->n_repeats && cut->n_repeats <= c->part_max[0]) return NULL;
      return "a part of no index, or of as many as a tuple has";
    case OCT_PACKET_PATTERN_PART:
      if (cut->n_repeats && cut->n_repeats <= c->part_max[1]) return NULL;
      return "a part of no bit, or of as many as a pattern has";
    case OCT_PACKET_FLUSH:
      if (oct_bits_at(b, cut->repeats_at, cut->n_repeats) ||
          (!c->is_any_phase && (oct_bits_offset(b) + cut->n_bits) % 8))
        return "a flush that does not fill up a byte with zeros";
      return NULL;
    case OCT_PACKET_TRAP:
      if (cut->n_repeats > 2) return "a trap of more than two words";
      return cut->n_repeats || !cut->values[1] ? NULL : "a change of privilege with a cause";
    case OCT_PACKET_SYNC:
    case OCT_PACKET_OVERFLOW:
      if (c->forms[cut->kind].n_fields > 2 && cut->values[2])
        return "a one where a zero follows the numbers of a sync or an overflow";
      return NULL;
    default:
      return NULL;
  }
}

int oct_cutter_peek(const oct_cutter *c, oct_cut *cut, const char **why) {
  const oct_bits *b = &c->bits;
  size_t left = oct_bits_left(b);
  unsigned kind = c->kind_of[oct_bits_at(b, 0, OCT_PREFIX_MAX_BITS)];
  if (!left) return 0;
  if (kind == OCT_PACKET_KINDS) {
    *why = "reserved packet prefix";
    return left < OCT_PREFIX_MAX_BITS ? 0 : OCT_ERR_PACKET; /* the prefix may be cut short */
  }
  const oct_packet_form *form = &c->forms[kind];
  cut->kind = (oct_packet_kind)kind;
  cut->n_repeats = cut->repeats_at = 0;
  if (kind == OCT_PACKET_SYNC) {
    int r = check_mark(c, why);
    if (r <= 0) return r;
  }
  if (left < form->fixed_bits) return 0;
  uint32_t at = form->head_bits;
  for (uint32_t i = 0; i < form->n_fields; i++) {
    const oct_packet_form_field *f = &form->fields[i];
    if (f->times == 1 && kind != OCT_PACKET_TUPLE_MISS) { /* whose index may be one alone */
      cut->values[i] = oct_bits_at(b, at, f->bits);
      at += f->bits;
      continue;
    }
    cut->n_repeats = f->times == OCT_N_TIMES ? (uint32_t)cut->values[i - 1] : f->times;
    cut->repeats_at = at;
    cut->repeat_bits = f->bits;
    at += f->bits * cut->n_repeats;
  }
  cut->n_bits = at;
  if (kind == OCT_PACKET_FLUSH || kind == OCT_PACKET_SYNC || kind == OCT_PACKET_OVERFLOW ||
      cut->repeats_at) {
    const char *bad = at <= left || kind != OCT_PACKET_FLUSH ? check_values(c, cut) : NULL;
    if (bad) {
      *why = bad;
      return OCT_ERR_PACKET;
    }
  }
  return at <= left;
}

void oct_cutter_take(oct_cutter *c, oct_cut *cut) {
  const oct_packet_form *form = &c->forms[cut->kind];
  cut->check = OCT_CHECK_NONE;
  if (c->check_bits && (cut->kind == OCT_PACKET_FLUSH || cut->kind == OCT_PACKET_SYNC ||
                        cut->kind == OCT_PACKET_CHECK)) {
    uint64_t start = oct_cutter_offset(c);
    uint64_t check = oct_bits_at(&c->bits, oct_packet_check_at(form), c->check_bits);
    fold(c, start);
    cut->check = !c->is_check_known ? OCT_CHECK_UNKNOWN
                 : c->crc == check  ? OCT_CHECK_GOOD
                                    : OCT_CHECK_BAD;
    if (cut->kind == OCT_PACKET_SYNC || c->is_check_known) {
      c->crc = 0;
      c->is_check_known = true;
    }
  }
  c->bits.pos_bits += cut->n_bits;
}

void oct_cutter_start_search(oct_cutter *c, uint64_t from) {
  oct_bits *b = &c->bits;
  if (from < b->base_bits) from = b->base_bits;
  fold(c, oct_cutter_offset(c));
  b->pos_bits = (size_t)(from - b->base_bits);
  c->is_check_known = false;
  c->is_any_phase = true;
  c->search_ones = 0;
  while (b->pos_bits > c->search_ones && (b->bytes[(b->pos_bits - c->search_ones - 1) / 8] >>
                                              (b->pos_bits - c->search_ones - 1) % 8 &
                                          1))
    c->search_ones++;
}

/* One bit of the search: 1 when it ends a mark. */
static int search_bit(oct_cutter *c, unsigned bit) {
  if (bit) {
    c->search_ones++;
    return 0;
  }
  if (c->search_ones >= c->sync_ones) return 1;
  c->search_ones = 0;
  return 0;
}

/* The zero at the position ends a mark: its packet begins sync_ones before. */
static int found_mark(oct_cutter *c) {
  c->bits.pos_bits -= c->sync_ones;
  c->crc_end = oct_cutter_offset(c);
  c->search_ones = 0;
  return 1;
}

int oct_cutter_search(oct_cutter *c) {
  oct_bits *b = &c->bits;
  size_t end = b->n_bytes * 8;
  while (b->pos_bits < end) {
    unsigned byte = b->bytes[b->pos_bits / 8];
    if (b->pos_bits % 8 == 0 && byte == 0xFF) {
      c->search_ones += 8;
      b->pos_bits += 8;
    } else if (b->pos_bits % 8 == 0 &&
               c->search_ones + (unsigned)__builtin_ctz(~byte) < c->sync_ones) {
      c->search_ones = (unsigned)__builtin_clz(~(byte << 24));
      b->pos_bits += 8;
    } else if (search_bit(c, byte >> b->pos_bits % 8 & 1)) {
      return found_mark(c);
    } else {
      b->pos_bits++;
    }
  }
  return 0;
}
