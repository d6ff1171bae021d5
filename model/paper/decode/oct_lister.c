/* SPDX-License-Identifier: Apache-2.0 */
/* oct_lister.c - port bits as a list of packets (docs/port-format.md, sections 3, 4 and 9).
 *
 * The cutter gives a packet, the table of packets its name, the names of its fields and what it
 * means. Checks are checked on the way. Only a sync tells the number of an instruction; how many an
 * index stands for would need the caches. The zeros behind the last flush are listed like a packet,
 * so that every bit of a stream belongs to one line. */
#include "oct_lister.h"

#include "oct_cutter.h"
#include "oct_listing.h"

typedef struct oct_lister {
  oct_cutter cutter;
  bool is_searching, is_finished;
  bool is_begun;      /* a packet was listed */
  bool is_flush_last; /* and the last was a flush */
} oct_lister;

int oct_lister_create(const uint32_t *params, oct_decoder_start start, void **out, oct_diag *diag) {
  const oct_config cfg = oct_config_of(params);
  *out = NULL;
  int r = oct_config_check(&cfg, diag);
  if (r) return r;
  oct_lister *l = calloc(1, sizeof *l);
  if (!l || oct_cutter_init(&l->cutter, &cfg, start == OCT_START_IN_STEP)) {
    free(l);
    return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  }
  l->is_searching = start == OCT_START_SEARCH;
  *out = l;
  return 0;
}

void oct_lister_destroy(void *lister) {
  oct_lister *l = lister;
  if (!l) return;
  oct_cutter_free(&l->cutter);
  free(l);
}

int oct_lister_push(void *lister, const uint8_t *bytes, size_t n, oct_diag *diag) {
  return oct_cutter_push(&((oct_lister *)lister)->cutter, bytes, n)
             ? oct_fail(diag, OCT_ERR_NOMEM, "out of memory")
             : 0;
}

void oct_lister_finish(void *lister) {
  ((oct_lister *)lister)->is_finished = true;
}

static int fail(const oct_lister *l, int error, const char *what, oct_diag *diag) {
  return oct_fail_at(diag, error, OCT_AT_BIT, oct_cutter_offset(&l->cutter), "%s", what);
}

/* The packet at the position. Single bits that stand more than once are one field. */
static void describe(const oct_lister *l, const oct_cut *cut, oct_packet *out) {
  const oct_packet_form *form = &l->cutter.forms[cut->kind];
  out->bit = oct_cutter_offset(&l->cutter);
  out->n_bits = cut->n_bits;
  out->insn = cut->kind == OCT_PACKET_SYNC ? cut->values[0] : UINT64_MAX;
  out->is_sync = cut->kind == OCT_PACKET_SYNC;
  for (uint32_t i = 0; i < form->n_fields; i++) {
    const oct_packet_form_field *f = &form->fields[i];
    const char *name = oct_packet_field_name(cut->kind, f->name);
    bool is_repeated = cut->n_repeats && i + 1 == form->n_fields;
    if (f->value == OCT_ZERO || (f->times == OCT_N_TIMES && !cut->n_repeats)) continue;
    if (!is_repeated) {
      oct_packet_add(out, name, cut->values[i], f->bits, f->value != OCT_NUMBER);
    } else if (f->bits == 1) {
      oct_packet_add(out, name, oct_bits_at(&l->cutter.bits, cut->repeats_at, cut->n_repeats),
                     cut->n_repeats, true);
    } else {
      for (uint32_t k = 0; k < cut->n_repeats; k++)
        oct_packet_add(out, name,
                       oct_bits_at(&l->cutter.bits, cut->repeats_at + k * f->bits, f->bits),
                       f->bits, f->value != OCT_NUMBER);
    }
  }
  oct_packet_describe(out, oct_packet_name(cut->kind), oct_packet_text(cut->kind));
}

/* No whole packet is left: the zeros that may end a stream, or an error. */
static int list_end(oct_lister *l, oct_packet *out, oct_diag *diag) {
  oct_bits *b = &l->cutter.bits;
  size_t left = oct_bits_left(b);
  if (l->is_searching) return fail(l, OCT_ERR_TRUNCATED, "no whole sync packet found", diag);
  if (left > OCT_END_ZEROS_MAX || oct_bits_at(b, 0, (unsigned)left))
    return fail(l, OCT_ERR_TRUNCATED, "the stream ends in the middle of a packet", diag);
  if (!l->is_flush_last)
    return fail(l, OCT_ERR_TRUNCATED, "the stream does not end in a flush", diag);
  if (!left) return 0;
  out->bit = oct_bits_offset(b);
  out->n_bits = left;
  out->insn = UINT64_MAX;
  oct_packet_describe(out, "end", "zeros that fill up the pins and the last byte");
  b->pos_bits += left;
  return 1;
}

int oct_lister_next(void *lister, oct_packet *out, oct_diag *diag) {
  oct_lister *l = lister;
  oct_cutter *c = &l->cutter;
  oct_cut cut = {.n_bits = 0};
  const char *why = NULL;
  memset(out, 0, sizeof *out);
  if (l->is_searching) {
    if (!oct_cutter_search(c)) return l->is_finished ? list_end(l, out, diag) : 0;
    l->is_searching = false;
  }
  int r = oct_cutter_peek(c, &cut, &why);
  if (!l->is_begun && !oct_cutter_may_begin(c, OCT_PACKET_SYNC) &&
      !oct_cutter_may_begin(c, OCT_PACKET_FLUSH))
    return fail(l, OCT_ERR_PACKET, "no sync packet where one must be", diag);
  if (r < 0) return fail(l, r, why, diag);
  if (!r) return l->is_finished ? list_end(l, out, diag) : 0;
  describe(l, &cut, out);
  oct_cutter_take(c, &cut);
  if (cut.check == OCT_CHECK_BAD) {
    c->bits.pos_bits -= cut.n_bits;
    return fail(l, OCT_ERR_CHECKSUM, OCT_CHECK_BAD_TEXT, diag);
  }
  l->is_begun = true;
  l->is_flush_last = cut.kind == OCT_PACKET_FLUSH;
  return 1;
}
