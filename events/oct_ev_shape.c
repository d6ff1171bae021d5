/* SPDX-License-Identifier: Apache-2.0 */
/* oct_ev_shape.c - meta-events and patterns of a file, read when they are first needed.
 *
 * A meta-event is unfolded to its sequence of enters and leaves with a stack in place of recursion:
 * input decides how deep it goes. Each step on the stack stands for one event at least, so the
 * order that the file tells bounds it. */
#include "oct_ev_store.h"

static int bad(const oct_ev_store *s, const oct_ev_place *at, const char *what, oct_diag *diag) {
  return oct_fail_in(diag, OCT_ERR_FORMAT, s->name, "block at offset %llu: %s",
                     (unsigned long long)at->offset, what);
}

static int read_metas(oct_ev_store *s, oct_ev_part *part, size_t block, oct_diag *diag) {
  oct_ev_meta_block *b = &part->metas[block];
  uint64_t first = (uint64_t)block * OCT_EV_META_BLOCK, n = part->n_metas - first;
  oct_ev_columns in;
  int error = oct_ev_store_block(s, &b->place, OCT_EV_BLOCK_METAS, &in, diag);
  if (error) return error;
  if (n > OCT_EV_META_BLOCK) n = OCT_EV_META_BLOCK;
  oct_ev_meta *v = calloc(n, sizeof *v);
  oct_cursor *rule = &in.column[OCT_EV_META_RULE], *a = &in.column[OCT_EV_META_A],
             *part_b = &in.column[OCT_EV_META_B];
  if (!v) error = oct_fail_in(diag, OCT_ERR_NOMEM, s->name, "out of memory");
  for (uint64_t i = 0; i < n && !error; i++) {
    const uint8_t *r = oct_cursor_take(rule, 1);
    uint64_t x = oct_cursor_take_leb128(a), y = 0, self = first + i;
    if (!r || *r < OCT_EV_RULE_PAIR || *r > OCT_EV_RULE_JOIN) {
      error = bad(s, &b->place, "unknown rule", diag);
      break;
    }
    if (*r != OCT_EV_RULE_PAIR) {
      y = oct_cursor_take_leb128(part_b);
      if (!y || y > self) error = bad(s, &b->place, "part that is not there", diag);
      y = self - y;
    }
    if (*r == OCT_EV_RULE_JOIN) {
      if (!x || x > self) error = bad(s, &b->place, "part that is not there", diag);
      x = self - x;
    } else if (x >= s->defs.functions.n) {
      error = bad(s, &b->place, "function that is not there", diag);
    }
    v[i] = (oct_ev_meta){.rule = *r, .a = (uint32_t)x, .b = (uint32_t)y};
  }
  if (!error &&
      (a->has_failed || part_b->has_failed || a->n_bytes || part_b->n_bytes || rule->n_bytes))
    error = bad(s, &b->place, "meta-events do not fit", diag);
  free(in.memory);
  if (error)
    free(v);
  else
    b->v = v;
  return error;
}

int oct_ev_store_meta(oct_ev_store *s, uint32_t segment, uint64_t i, const oct_ev_meta **meta,
                      oct_diag *diag) {
  oct_ev_part *part = &s->parts[segment];
  if (i >= part->n_metas)
    return oct_fail_in(diag, OCT_ERR_FORMAT, s->name, "meta-event %llu is not there",
                       (unsigned long long)i);
  size_t block = (size_t)(i / OCT_EV_META_BLOCK);
  int error = part->metas[block].v ? 0 : read_metas(s, part, block, diag);
  if (!error) *meta = &part->metas[block].v[i % OCT_EV_META_BLOCK];
  return error;
}

static int parse_shapes(oct_ev_store *s, const oct_ev_part *part, oct_ev_shape_block *b,
                        oct_ev_columns *in, oct_diag *diag) {
  oct_cursor *head = &in->column[OCT_EV_PATTERN_HEAD];
  oct_cursor *vector = &in->column[OCT_EV_PATTERN_VECTOR];
  uint64_t left = vector->n_bytes, at = 0;
  b->v = calloc(b->n, sizeof *b->v);
  b->vectors = malloc((left + 1) * sizeof *b->vectors);
  if (!b->v || !b->vectors) return oct_fail_in(diag, OCT_ERR_NOMEM, s->name, "out of memory");
  for (uint32_t i = 0; i < b->n; i++) {
    oct_ev_shape *p = &b->v[i];
    uint64_t meta = oct_cursor_take_leb128(head), order = oct_cursor_take_leb128(head);
    p->t_abs_ticks = oct_cursor_take_leb128(head);
    uint64_t t_rel = oct_cursor_take_leb128(head);
    if (head->has_failed || meta >= part->n_metas || order < 2 || order > OCT_EV_ORDER_MAX ||
        order - 1 > left - at)
      return bad(s, &b->place, "patterns do not fit", diag);
    if (p->t_abs_ticks > s->params.t_abs_ticks || t_rel > s->params.t_rel_ppm)
      return bad(s, &b->place, "a pattern is past the thresholds that the file states", diag);
    p->meta = (uint32_t)meta;
    p->order = (uint32_t)order;
    p->t_rel_ppm = (uint32_t)t_rel;
    p->vector = b->vectors + at;
    for (uint64_t k = 0; k + 1 < order; k++) b->vectors[at++] = oct_cursor_take_leb128(vector);
  }
  if (vector->has_failed || vector->n_bytes || head->n_bytes)
    return bad(s, &b->place, "patterns do not fit", diag);
  return 0;
}

static int read_shapes(oct_ev_store *s, const oct_ev_part *part, oct_ev_shape_block *b,
                       oct_diag *diag) {
  oct_ev_columns in;
  int error = oct_ev_store_block(s, &b->place, OCT_EV_BLOCK_PATTERNS, &in, diag);
  if (error) return error;
  error = parse_shapes(s, part, b, &in, diag);
  free(in.memory);
  if (!error && !b->is_counted) {
    for (uint32_t i = 0; i < b->n; i++) s->seen_order_sum += b->v[i].order;
    s->n_counted++;
    b->is_counted = true;
  }
  if (error) {
    free(b->v);
    free(b->vectors);
    b->v = NULL;
    b->vectors = NULL;
  }
  return error;
}

/* What is still to be done while a meta-event is unfolded: a meta-event, or a leave of a function.
 */
typedef struct step {
  uint32_t what;
  uint32_t is_leave;
} step;

/* Write the events of a meta-event to ops, which has room for order. Each step waiting stands for
 * at least one event, so no more than order may wait. */
static int unfold(oct_ev_store *s, uint32_t segment, const oct_ev_shape *p, uint32_t *ops,
                  step *steps, oct_diag *diag) {
  uint32_t n = 0, depth = 0;
  steps[depth++] = (step){.what = p->meta};
  while (depth) {
    step now = steps[--depth];
    const oct_ev_meta *m;
    if (now.is_leave) {
      ops[n++] = 2 * now.what + 1;
      continue;
    }
    int error = oct_ev_store_meta(s, segment, now.what, &m, diag);
    if (error) return error;
    uint32_t more = m->rule == OCT_EV_RULE_JOIN ? 2 : m->rule == OCT_EV_RULE_AROUND ? 3 : 2;
    if (n + depth + more > p->order)
      return oct_fail_in(diag, OCT_ERR_FORMAT, s->name,
                         "a pattern's meta-event has more events than it");
    if (m->rule == OCT_EV_RULE_JOIN) {
      steps[depth++] = (step){.what = m->b};
      steps[depth++] = (step){.what = m->a};
    } else {
      ops[n++] = 2 * m->a;
      steps[depth++] = (step){.what = m->a, .is_leave = 1};
      if (m->rule == OCT_EV_RULE_AROUND) steps[depth++] = (step){.what = m->b};
    }
  }
  if (n != p->order)
    return oct_fail_in(diag, OCT_ERR_FORMAT, s->name,
                       "a pattern's meta-event has fewer events than it");
  return 0;
}

static int fill_ops(oct_ev_store *s, uint32_t segment, oct_ev_shape *p, oct_diag *diag) {
  uint32_t *ops = malloc(p->order * sizeof *ops);
  step *steps = malloc(((size_t)p->order + 1) * sizeof *steps);
  int error = ops && steps ? unfold(s, segment, p, ops, steps, diag)
                           : oct_fail_in(diag, OCT_ERR_NOMEM, s->name, "out of memory");
  free(steps);
  if (error)
    free(ops);
  else
    p->ops = ops;
  return error;
}

int oct_ev_store_shape(oct_ev_store *s, uint32_t segment, uint64_t i, int ops_too,
                       const oct_ev_shape **shape, oct_diag *diag) {
  oct_ev_part *part = &s->parts[segment];
  if (i >= part->n_patterns)
    return oct_fail_in(diag, OCT_ERR_FORMAT, s->name, "pattern %llu is not there",
                       (unsigned long long)i);
  size_t low = 0, high = part->n_shape_blocks;
  while (high - low > 1) {
    size_t middle = low + (high - low) / 2;
    if (part->shapes[middle].first <= i)
      low = middle;
    else
      high = middle;
  }
  oct_ev_shape_block *b = &part->shapes[low];
  int error = b->v ? 0 : read_shapes(s, part, b, diag);
  if (error) return error;
  oct_ev_shape *p = &b->v[i - b->first];
  if (ops_too && !p->ops) error = fill_ops(s, segment, p, diag);
  *shape = p;
  return error;
}
