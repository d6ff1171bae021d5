/* SPDX-License-Identifier: Apache-2.0 */
/* oct_ev_index.c - parses head, index and names of an event file (docs/events.md).
 *
 * The tail at the end of the file says where the index stands; the index lists segments, their
 * definitions and chunks. Offsets are distances from the end of the block before, so blocks cannot
 * overlap; each block is held against the size of the file before it is read. */
#include <inttypes.h>
#include <stdio.h>
#include <xxhash.h>

#include "oct_ev_store.h"
#include "oct_plural.h"

static int bad(const oct_ev_store *s, const char *what, oct_diag *diag) {
  return oct_fail_in(diag, OCT_ERR_FORMAT, s->name, "%s", what);
}

/* The value of a key of the head, at most max. */
static int head_number(const char *text, const char *key, uint64_t max, uint64_t *value) {
  const char *at = strstr(text, key);
  size_t n = strlen(key);
  if (!at || (at != text && at[-1] != '\n') || at[n] != ':' || at[n + 1] != ' ') return 0;
  char *end;
  *value = strtoull(at + n + 2, &end, 10);
  return *end == '\n' && end != at + n + 2 && *value <= max;
}

static int parse_head(oct_ev_store *s, const char *text, oct_diag *diag) {
  oct_ev_params *p = &s->params;
  uint64_t order, rel, corrections, keep, buffer;
  int lossy = strstr(text, "mode: lossy\n") == text;
  if (!lossy && strstr(text, "mode: lossless\n") != text)
    return bad(s, "head: expected mode: lossless or lossy", diag);
  oct_ev_params_init(p, 0);
  if (!head_number(text, "max_order", OCT_EV_ORDER_MAX, &order) ||
      !head_number(text, "t_abs_ticks", UINT64_MAX, &p->t_abs_ticks) ||
      !head_number(text, "t_rel_ppm", 1000000, &rel) ||
      !head_number(text, "drift_ticks", UINT64_MAX, &p->drift_ticks) ||
      !head_number(text, "max_corrections", 255, &corrections) ||
      !head_number(text, "keep_all", 1, &keep) ||
      !head_number(text, "buffer_events", UINT32_MAX, &buffer))
    return bad(s, "head: a parameter is missing or out of range", diag);
  p->lossy = (uint32_t)lossy;
  p->max_order = (uint32_t)order;
  p->t_rel_ppm = (uint32_t)rel;
  p->max_corrections = (uint32_t)corrections;
  p->keep_all = (uint32_t)keep;
  p->buffer_events = (uint32_t)buffer;
  return oct_ev_params_check(p, diag);
}

int oct_ev_store_read_head(oct_ev_store *s, oct_diag *diag) {
  uint8_t start[OCT_EV_MAGIC_BYTES + 4];
  if (s->bytes_total < sizeof start) return bad(s, "not an event file: too short", diag);
  int error = oct_ev_store_read(s, 0, start, sizeof start, diag);
  if (error) return error;
  if (!oct_ev_is_magic(start))
    return bad(s, "not an event file: expected " OCT_EV_MAGIC " and a version at its start", diag);
  s->version = start[OCT_EV_MAGIC_BYTES - 1] - '0';
  if (s->version > OCT_EV_VERSION)
    return oct_fail_in(diag, OCT_ERR_UNSUPPORTED, s->name,
                       "an event file of a newer version than this program knows");
  size_t n = (size_t)oct_ev_load(start + OCT_EV_MAGIC_BYTES, 4);
  if (n > OCT_EV_TEXT_BYTES_MAX) return bad(s, "head: text is too long", diag);
  uint8_t *head = malloc(sizeof start + n + 9);
  if (!head) return oct_fail_in(diag, OCT_ERR_NOMEM, s->name, "out of memory");
  memcpy(head, start, sizeof start);
  error = oct_ev_store_read(s, sizeof start, head + sizeof start, n + 8, diag);
  size_t all = sizeof start + n;
  s->head_bytes = all + 8;
  if (!error && !s->trust && oct_ev_load(head + all, 8) != XXH64(head, all, 0))
    error = oct_fail_in(diag, OCT_ERR_CHECKSUM, s->name, "head: checksum does not match");
  if (!error) {
    head[all] = 0;
    error = parse_head(s, (const char *)head + sizeof start, diag);
  }
  free(head);
  return error;
}

static const char *get_name(oct_cursor *c, size_t *n) {
  *n = (size_t)oct_cursor_take_leb128(c);
  return (const char *)oct_cursor_take(c, *n);
}

/* The names: each must be new. 0, OCT_ERR_FORMAT or OCT_ERR_NOMEM. */
static int parse_names(oct_ev_defs *d, oct_cursor *c) {
  size_t length;
  d->ticks_per_second = oct_cursor_take_leb128(c);
  uint64_t n = oct_cursor_take_leb128(c);
  for (uint64_t i = 0; i < n && !c->has_failed; i++) {
    uint64_t id = oct_cursor_take_leb128(c);
    const char *name = get_name(c, &length);
    if (c->has_failed) break;
    int64_t got = oct_ev_defs_function(d, name, length, id);
    if (got != (int64_t)i) return got < 0 ? (int)got : OCT_ERR_FORMAT;
  }
  n = oct_cursor_take_leb128(c);
  for (uint64_t i = 0; i < n && !c->has_failed; i++) {
    const char *name = get_name(c, &length);
    if (c->has_failed) break;
    int64_t got = oct_ev_names_add(&d->processes, name, length);
    if (got != (int64_t)i) return got < 0 ? (int)got : OCT_ERR_FORMAT;
  }
  n = oct_cursor_take_leb128(c);
  for (uint64_t i = 0; i < n && !c->has_failed; i++) {
    uint64_t id = oct_cursor_take_leb128(c), process = oct_cursor_take_leb128(c);
    const char *name = get_name(c, &length);
    if (c->has_failed || process >= d->processes.n) return OCT_ERR_FORMAT;
    int64_t got = oct_ev_defs_location(d, name, length,
                                       oct_ev_names_text(&d->processes, (uint32_t)process), id);
    if (got != (int64_t)i) return got < 0 ? (int)got : OCT_ERR_FORMAT;
    d->location[i].process = (uint32_t)process;
  }
  return c->has_failed || c->n_bytes ? OCT_ERR_FORMAT : 0;
}

int oct_ev_store_read_names(oct_ev_store *s, const oct_ev_place *place, oct_diag *diag) {
  oct_ev_columns in;
  int error = oct_ev_store_block(s, place, OCT_EV_BLOCK_DEFS, &in, diag);
  if (error) return error;
  const oct_cursor *blob = &in.column[OCT_EV_DEFS_BLOB];
  size_t n = blob->n_bytes;
  error = parse_names(&s->defs, &in.column[OCT_EV_DEFS_NAMES]);
  if (!error && n) {
    error = oct_ev_grow((void **)&s->defs.blob, &s->defs.blob_cap, n, 1);
    if (!error) memcpy(s->defs.blob, blob->bytes, n);
    if (!error) s->defs.blob_bytes = n;
  }
  free(in.memory);
  return error ? oct_fail_in(diag, error, s->name, "names: %s", oct_error_text(error)) : 0;
}

/* One segment of the index: its definitions' places. */
static int parse_part(oct_ev_part *p, oct_cursor *c, uint64_t *end) {
  p->n_metas = oct_cursor_take_leb128(c);
  p->n_patterns = oct_cursor_take_leb128(c);
  if (p->n_metas > OCT_EV_NAMES_MAX || p->n_patterns > OCT_EV_NAMES_MAX) return OCT_ERR_FORMAT;
  size_t n = (size_t)(p->n_metas + OCT_EV_META_BLOCK - 1) / OCT_EV_META_BLOCK, cap = 0;
  for (; p->n_meta_blocks < n && !c->has_failed; p->n_meta_blocks++) {
    if (oct_ev_grow((void **)&p->metas, &cap, p->n_meta_blocks + 1, sizeof *p->metas))
      return OCT_ERR_NOMEM;
    oct_ev_meta_block *b = &p->metas[p->n_meta_blocks];
    memset(b, 0, sizeof *b);
    b->place.offset = *end + oct_cursor_take_leb128(c);
    b->place.bytes = oct_cursor_take_leb128(c);
    *end = b->place.offset + b->place.bytes;
  }
  cap = 0;
  for (uint64_t i = 0; i < p->n_patterns && !c->has_failed; p->n_shape_blocks++) {
    if (oct_ev_grow((void **)&p->shapes, &cap, p->n_shape_blocks + 1, sizeof *p->shapes))
      return OCT_ERR_NOMEM;
    oct_ev_shape_block *b = &p->shapes[p->n_shape_blocks];
    memset(b, 0, sizeof *b);
    uint64_t count = oct_cursor_take_leb128(c);
    if (!count || count > OCT_EV_PATTERN_BLOCK || count > p->n_patterns - i) c->has_failed = 1;
    b->first = (uint32_t)i;
    b->n = (uint32_t)count;
    b->place.offset = *end + oct_cursor_take_leb128(c);
    b->place.bytes = oct_cursor_take_leb128(c);
    *end = b->place.offset + b->place.bytes;
    i += count;
  }
  return c->has_failed ? OCT_ERR_FORMAT : 0;
}

/* The chunks of one segment. */
static int parse_chunks(oct_ev_store *s, oct_cursor *c, uint64_t n, uint64_t *last, uint64_t *end) {
  for (uint64_t i = 0; i < n && !c->has_failed; i++) {
    if (oct_ev_grow((void **)&s->chunks, &s->chunks_cap, s->n_chunks + 1, sizeof *s->chunks))
      return OCT_ERR_NOMEM;
    oct_ev_chunk *k = &s->chunks[s->n_chunks++];
    memset(k, 0, sizeof *k);
    uint64_t location = oct_cursor_take_leb128(c);
    k->from = *last + oct_unfold_sign(oct_cursor_take_leb128(c));
    k->to = k->from + oct_cursor_take_leb128(c);
    k->n_events = oct_cursor_take_leb128(c);
    k->n_others = oct_cursor_take_leb128(c);
    k->place.offset = *end + oct_cursor_take_leb128(c);
    k->place.bytes = oct_cursor_take_leb128(c);
    k->location = (uint32_t)location;
    k->segment = (uint32_t)s->n_parts - 1;
    if (location >= OCT_EV_NAMES_MAX) return OCT_ERR_FORMAT;
    *last = k->from;
    *end = k->place.offset + k->place.bytes;
  }
  return c->has_failed ? OCT_ERR_FORMAT : 0;
}

static int parse_index(oct_ev_store *s, oct_ev_columns *in, uint64_t end) {
  oct_cursor *parts = &in->column[OCT_EV_INDEX_SEGMENTS];
  oct_cursor *chunks = &in->column[OCT_EV_INDEX_CHUNKS];
  uint64_t last = 0;
  int error = 0;
  while (parts->n_bytes && !error) {
    if (oct_ev_grow((void **)&s->parts, &s->parts_cap, s->n_parts + 1, sizeof *s->parts))
      return OCT_ERR_NOMEM;
    memset(&s->parts[s->n_parts], 0, sizeof *s->parts);
    error = parse_part(&s->parts[s->n_parts++], parts, &end);
    uint64_t n = oct_cursor_take_leb128(parts);
    if (!error)
      error = parts->has_failed ? OCT_ERR_FORMAT : parse_chunks(s, chunks, n, &last, &end);
  }
  if (!error && chunks->n_bytes) error = OCT_ERR_FORMAT;
  return error;
}

static uint64_t take_sum(oct_cursor *c) {
  const uint8_t *p = oct_cursor_take(c, 8);
  return p ? oct_ev_load(p, 8) : 0;
}

/* The checksums of the blocks, in the order of the file, those of the names last. */
static int parse_sums(oct_ev_store *s, oct_cursor *c, oct_ev_place *defs) {
  size_t chunk = 0;
  if (s->version < 2) return 0;
  for (uint32_t i = 0; i < s->n_parts; i++) {
    oct_ev_part *p = &s->parts[i];
    for (size_t k = 0; k < p->n_meta_blocks; k++) p->metas[k].place.sum = take_sum(c);
    for (size_t k = 0; k < p->n_shape_blocks; k++) p->shapes[k].place.sum = take_sum(c);
    for (; chunk < s->n_chunks && s->chunks[chunk].segment == i; chunk++)
      s->chunks[chunk].place.sum = take_sum(c);
  }
  defs->sum = take_sum(c);
  return c->has_failed || c->n_bytes ? OCT_ERR_FORMAT : 0;
}

static int wrong_total(const oct_ev_store *s, const char *what, uint64_t told, uint64_t found,
                       oct_diag *diag) {
  return oct_fail_in(diag, OCT_ERR_FORMAT, s->name,
                     "index: %" PRIu64 " %s in its totals, %" PRIu64 " in the file", told, what,
                     found);
}

/* Hold those totals that the index itself tells against it, and the others against what can be. */
static int check_listing(const oct_ev_store *s, oct_diag *diag) {
  const oct_ev_counts *c = &s->counts;
  uint64_t events = 0, others = 0, metas = 0, patterns = 0;
  for (size_t i = 0; i < s->n_chunks; i++) {
    events += s->chunks[i].n_events;
    others += s->chunks[i].n_others;
  }
  for (size_t i = 0; i < s->n_parts; i++) {
    metas += s->parts[i].n_metas;
    patterns += s->parts[i].n_patterns;
  }
  if (c->events != events) return wrong_total(s, "events", c->events, events, diag);
  if (c->others != others) return wrong_total(s, "other records", c->others, others, diag);
  if (c->metas != metas) return wrong_total(s, "meta-events", c->metas, metas, diag);
  if (c->patterns != patterns) return wrong_total(s, "patterns", c->patterns, patterns, diag);
  if (c->segments != s->n_parts) return wrong_total(s, "segments", c->segments, s->n_parts, diag);
  if (!s->params.lossy && c->max_drift_ticks)
    return wrong_total(s, "ticks of drift", c->max_drift_ticks, 0, diag);
  return 0;
}

void oct_ev_store_forget_seen(oct_ev_store *s) {
  memset(&s->seen, 0, sizeof s->seen);
  s->seen_enters = 0;
}

int oct_ev_store_check_totals(const oct_ev_store *s, oct_diag *diag) {
  const oct_ev_counts *c = &s->counts, *seen = &s->seen;
  size_t n_blocks = 0;
  for (size_t i = 0; i < s->n_parts; i++) n_blocks += s->parts[i].n_shape_blocks;
#define OCT_HOLD(name, what) \
  if (c->name != seen->name) return wrong_total(s, what, c->name, seen->name, diag)
  OCT_HOLD(plain_events, "events outside of patterns");
  OCT_HOLD(occurrences, "occurrences");
  OCT_HOLD(disturbed, "occurrences with corrections");
  OCT_HOLD(corrections, "corrections");
#undef OCT_HOLD
  if (s->n_counted == n_blocks && c->pattern_order_sum != s->seen_order_sum)
    return wrong_total(s, "events in its patterns", c->pattern_order_sum, s->seen_order_sum, diag);
  /* An enter has its leave, or lost it, or is still open; a leave has its enter, or is stray. */
  uint64_t leaves = c->events - s->seen_enters;
  uint64_t single = c->lost_leaves + c->open_enters;
  if (c->stray_leaves > leaves || single < c->lost_leaves || single > s->seen_enters ||
      leaves - c->stray_leaves != s->seen_enters - single)
    return oct_fail_in(
        diag, OCT_ERR_FORMAT, s->name,
        "index: stray leaves, lost leaves and open enters of its totals do not fit %" PRIu64
        " enter%s and %" PRIu64 " leave%s",
        s->seen_enters, OCT_S(s->seen_enters), leaves, OCT_S(leaves));
  return 0;
}

int oct_ev_store_read_listing(oct_ev_store *s, const oct_ev_place *place, oct_ev_place *defs,
                              oct_diag *diag) {
  oct_ev_columns in;
  int error = oct_ev_store_block(s, place, OCT_EV_BLOCK_INDEX, &in, diag);
  if (error) return error;
  oct_cursor *totals = &in.column[OCT_EV_INDEX_TOTALS];
#define OCT_X(name, text) s->counts.name = oct_cursor_take_leb128(totals);
  OCT_EV_COUNTS(OCT_X)
#undef OCT_X
  defs->offset = oct_cursor_take_leb128(totals);
  defs->bytes = oct_cursor_take_leb128(totals);
  defs->sum = 0;
  if (totals->has_failed || totals->n_bytes)
    error = bad(s, "index: totals do not fit", diag);
  else if ((error = parse_index(s, &in, s->head_bytes)) ||
           (error = parse_sums(s, &in.column[OCT_EV_INDEX_SUMS], defs)))
    oct_fail_in(diag, error, s->name, "index: %s", oct_error_text(error));
  free(in.memory);
  return error ? error : check_listing(s, diag);
}

int oct_ev_store_read_index(oct_ev_store *s, oct_diag *diag) {
  uint8_t tail[OCT_EV_TAIL_BYTES];
  if (s->bytes_total < sizeof tail ||
      oct_ev_store_read(s, s->bytes_total - sizeof tail, tail, sizeof tail, diag) ||
      memcmp(tail + 8, OCT_EV_END_MAGIC, 8))
    return oct_fail_in(diag, OCT_ERR_TRUNCATED, s->name,
                       "expected " OCT_EV_END_MAGIC " at its end");
  oct_ev_place place = {.offset = oct_ev_load(tail, 8)}, defs;
  if (place.offset > s->bytes_total - sizeof tail) return bad(s, "place of the index", diag);
  place.bytes = s->bytes_total - sizeof tail - place.offset;
  int error = oct_ev_store_read_listing(s, &place, &defs, diag);
  if (!error) error = oct_ev_store_read_names(s, &defs, diag);
  for (size_t i = 0; i < s->n_chunks && !error; i++)
    if (s->chunks[i].location >= s->defs.locations.n)
      error = bad(s, "index: a location has no name", diag);
  return error;
}
