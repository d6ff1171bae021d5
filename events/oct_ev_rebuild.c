/* SPDX-License-Identifier: Apache-2.0 */
/* oct_ev_rebuild.c - the index of an event file made again from its blocks (docs/events.md), where
 * the index, the names or the tail is damaged.
 *
 * Blocks stand one behind the other, so each tells where the next one begins; behind a damaged one
 * the next whole block is searched for byte by byte. A segment begins with the first definitions
 * behind a chunk. What looks like a block and is none costs the reading of it; a file made of such
 * could cost the square of its size, so there is a limit for all of them together (WASTE), behind
 * which what is too large for the rest of it counts as damage. Another file that follows this one,
 * by its magic, is left out: its blocks have other names. Behind damage it is not known whether a
 * chunk is of the same segment, whose patterns have other numbers: up to the next segment, patterns
 * count as missing, so that none stands for another.
 *
 * Where blocks are missing and none is damaged, two parts of the file meet so that they look whole.
 * An index that is whole tells which blocks belong together, wherever they stand now
 * (oct_ev_relocate.c). Without one, a segment is held against what the writer does: how many events
 * it holds, and the order of its chunks. One that is not so has its patterns taken away. */
#include <stdbool.h>
#include <stdio.h>

#include "oct_ev_cursor.h"
#include "oct_ev_location.h"
#include "oct_ev_store.h"

enum { WINDOW_BYTES = 1 << 16, NAMES_MAX = 1 << 16, NO_KIND = 0 };
/* Bytes that may be read for blocks that are none: so often the file's, and so many. */
enum { WASTE_FILES = 8, WASTE_BYTES = 1 << 26 };

typedef struct scan {
  oct_ev_store *s;
  bool behind_chunk;         /* or at the begin: definitions here are the first of a segment */
  bool is_lost;              /* definitions of the current segment are missing */
  bool has_names, is_joined; /* another file follows */
  uint64_t names_sum;        /* the checksum of the names' block */
  oct_ev_place index;        /* one that is whole, if it has bytes */
  oct_ev_found *found;
  size_t n_found, found_cap;
  bool is_block_full;               /* its last block of patterns: another one may follow */
  uint64_t part_events, part_bytes; /* of the current segment, as the writer's buffer counts them */
  uint64_t last_location, last_events; /* of its last chunk */
  uint64_t waste_left;
  uint64_t n_functions, n_locations; /* used */
} scan;

/* What the head of a block at p is of; NO_KIND for none. */
static unsigned kind_at(const oct_ev_store *s, const uint8_t *p) {
  unsigned kind = p[0];
  bool is_kind = kind >= OCT_EV_BLOCK_METAS && kind <= OCT_EV_BLOCK_INDEX;
  return is_kind && p[1] == oct_ev_store_columns(s, kind) && !p[2] && !p[3] ? kind : NO_KIND;
}

/* The kind of the block at *place, whose size is found, or NO_KIND. */
static unsigned peek(oct_ev_store *s, oct_ev_place *place) {
  uint8_t head[OCT_EV_BLOCK_HEAD_BYTES];
  oct_diag none;
  if (oct_ev_store_read(s, place->offset, head, sizeof head, &none)) return NO_KIND;
  place->bytes = oct_ev_load(head + 4, 4) + sizeof head;
  place->sum = oct_ev_load(head + 8, 8);
  return place->bytes <= s->bytes_total - place->offset ? kind_at(s, head) : NO_KIND;
}

/* The block of this kind at place: 0, or why it is none. The sizes of its columns are looked at
 * before all of it is. */
static int read_block(scan *x, const oct_ev_place *place, unsigned kind, oct_ev_columns *in) {
  uint8_t bytes[2 * OCT_LEB128_MAX * OCT_EV_COLUMNS_MAX];
  uint64_t raw[OCT_EV_COLUMNS_MAX], stored[OCT_EV_COLUMNS_MAX];
  uint64_t n = place->bytes - OCT_EV_BLOCK_HEAD_BYTES;
  oct_cursor sizes = {.bytes = bytes, .n_bytes = n < sizeof bytes ? (size_t)n : sizeof bytes};
  oct_diag why;
  int got =
      oct_ev_store_read(x->s, place->offset + OCT_EV_BLOCK_HEAD_BYTES, bytes, sizes.n_bytes, &why);
  if (got) return got;
  if (oct_ev_store_sizes(&sizes, n, oct_ev_store_columns(x->s, kind), raw, stored) == UINT64_MAX ||
      place->bytes > x->waste_left)
    return OCT_ERR_FORMAT;
  int error = oct_ev_store_block(x->s, place, kind, in, &why);
  if (error) x->waste_left -= place->bytes;
  return error;
}

static int new_part(scan *x) {
  oct_ev_store *s = x->s;
  if (oct_ev_grow((void **)&s->parts, &s->parts_cap, s->n_parts + 1, sizeof *s->parts))
    return OCT_ERR_NOMEM;
  memset(&s->parts[s->n_parts++], 0, sizeof *s->parts);
  x->part_events = x->part_bytes = 0;
  return 0;
}

/* Whether the current segment has all events at which the writer ends one. */
static bool is_full(const scan *x) {
  return x->part_events == x->s->params.buffer_events ||
         x->part_bytes >= OCT_EV_SEGMENT_OTHER_BYTES;
}

/* Take the patterns of the current segment away: its chunks may be those of others. */
static void mistrust(scan *x) {
  oct_ev_store *s = x->s;
  if (!s->n_parts) return;
  s->parts[s->n_parts - 1].n_metas = s->parts[s->n_parts - 1].n_patterns = 0;
}

/* Another segment begins: the one before it must have been full. */
static void end_part(scan *x) {
  if (x->behind_chunk && !x->is_lost && !is_full(x)) mistrust(x);
}

/* What follows has no definitions, until the next segment begins. */
static int lose_part(scan *x) {
  x->is_lost = true;
  x->behind_chunk = false;
  return new_part(x);
}

/* Functions that meta-events name. */
static void count_functions(scan *x, const oct_ev_columns *in) {
  const oct_cursor *rules = &in->column[OCT_EV_META_RULE];
  oct_cursor a = in->column[OCT_EV_META_A];
  for (const uint8_t *r = rules->bytes; r < rules->bytes + rules->n_bytes; r++) {
    uint64_t function = oct_cursor_take_leb128(&a);
    if (*r != OCT_EV_RULE_JOIN && function >= x->n_functions) x->n_functions = function + 1;
  }
}

/* Patterns of a block: each has four numbers. */
static uint64_t count_patterns(const oct_ev_columns *in) {
  const oct_cursor *heads = &in->column[OCT_EV_PATTERN_HEAD];
  uint64_t n = 0;
  for (const uint8_t *b = heads->bytes; b < heads->bytes + heads->n_bytes; b++) n += *b < 128;
  return n / 4;
}

static int take_metas(scan *x, const oct_ev_place *place, oct_ev_columns *in) {
  end_part(x);
  int error = x->behind_chunk ? new_part(x) : 0;
  if (x->behind_chunk) x->is_lost = false;
  x->behind_chunk = false;
  if (error || x->is_lost) return error;
  oct_ev_part *p = &x->s->parts[x->s->n_parts - 1];
  if (p->n_metas % OCT_EV_META_BLOCK || p->n_patterns) return lose_part(x);
  size_t cap = p->n_meta_blocks;
  if (oct_ev_grow((void **)&p->metas, &cap, p->n_meta_blocks + 1, sizeof *p->metas))
    return OCT_ERR_NOMEM;
  p->metas[p->n_meta_blocks++] = (oct_ev_meta_block){.place = *place};
  p->n_metas += in->column[OCT_EV_META_RULE].n_bytes;
  return 0;
}

static int take_patterns(scan *x, const oct_ev_place *place, oct_ev_columns *in) {
  end_part(x);
  if (x->behind_chunk) return lose_part(x); /* the rules before them are missing */
  if (x->is_lost) return 0;
  oct_ev_part *p = &x->s->parts[x->s->n_parts - 1];
  uint64_t n = count_patterns(in);
  size_t cap = p->n_shape_blocks;
  if (!n || n > OCT_EV_PATTERN_BLOCK || (p->n_patterns && !x->is_block_full)) return lose_part(x);
  x->is_block_full = n == OCT_EV_PATTERN_BLOCK ||
                     in->column[OCT_EV_PATTERN_VECTOR].n_bytes >= OCT_EV_PATTERN_BLOCK_BYTES;
  if (oct_ev_grow((void **)&p->shapes, &cap, p->n_shape_blocks + 1, sizeof *p->shapes))
    return OCT_ERR_NOMEM;
  p->shapes[p->n_shape_blocks++] =
      (oct_ev_shape_block){.place = *place, .first = (uint32_t)p->n_patterns, .n = (uint32_t)n};
  p->n_patterns += n;
  return 0;
}

/* A chunk that cannot be of the current segment, as the writer makes them, is of another one, whose
 * definitions did not come. */
static int check_seam(scan *x, const oct_ev_chunk *k, uint64_t other_bytes) {
  bool is_first = !x->part_events && !x->part_bytes;
  bool is_behind =
      k->location > x->last_location ||
      (k->location == x->last_location && (x->last_events >= OCT_EV_CHUNK_EVENTS || !k->n_events));
  uint64_t n_left = x->s->params.buffer_events - x->part_events;
  int error = 0;
  if (!x->is_lost && ((!is_first && (is_full(x) || !is_behind)) || k->n_events > n_left)) {
    if (is_first || !is_full(x)) mistrust(x);
    error = lose_part(x);
  }
  x->part_events += k->n_events;
  x->part_bytes += other_bytes + k->n_others * sizeof(oct_ev_other_at);
  x->last_location = k->location;
  x->last_events = k->n_events;
  return error;
}

static int take_chunk(scan *x, const oct_ev_place *place, oct_ev_columns *in) {
  oct_ev_store *s = x->s;
  int error = s->n_parts ? 0 : new_part(x);
  oct_cursor *head = &in->column[OCT_EV_CHUNK_HEAD], tokens = in->column[OCT_EV_CHUNK_TOKENS];
  if (!error)
    error = oct_ev_grow((void **)&s->chunks, &s->chunks_cap, s->n_chunks + 1, sizeof *s->chunks);
  if (error) return error;
  oct_ev_chunk k = {.place = *place, .segment = (uint32_t)s->n_parts - 1};
  uint64_t location = oct_cursor_take_leb128(head);
  oct_cursor_take_leb128(head); /* items */
  k.n_events = oct_cursor_take_leb128(head);
  k.n_others = oct_cursor_take_leb128(head);
  k.from = k.to = oct_cursor_take_leb128(head);
  k.location = (uint32_t)location;
  if (head->has_failed || location >= NAMES_MAX) {
    x->behind_chunk = true;
    return 0;
  }
  if ((error = check_seam(x, &k, in->column[OCT_EV_CHUNK_OTHER_TEXT].n_bytes))) return error;
  x->behind_chunk = true;
  k.segment = (uint32_t)s->n_parts - 1;
  while (tokens.n_bytes) {
    uint64_t token = oct_cursor_take_leb128(&tokens);
    if ((token & 3) <= OCT_EV_TOKEN_LEAVE && token >> 2 >= x->n_functions)
      x->n_functions = (token >> 2) + 1;
  }
  if (location >= x->n_locations) x->n_locations = location + 1;
  s->chunks[s->n_chunks++] = k;
  return 0;
}

/* Note what the index, if there is one, will tell of the block. */
static int note_found(scan *x, unsigned kind, const oct_ev_place *place, const oct_ev_columns *in) {
  oct_cursor head = in->column[OCT_EV_CHUNK_HEAD];
  oct_ev_found f = {.place = *place, .kind = kind};
  if (kind > OCT_EV_BLOCK_CHUNK) return 0;
  if (kind == OCT_EV_BLOCK_METAS) {
    f.n = in->column[OCT_EV_META_RULE].n_bytes;
    count_functions(x, in);
  } else if (kind == OCT_EV_BLOCK_PATTERNS) {
    f.n = count_patterns(in);
  } else {
    f.location = (uint32_t)oct_cursor_take_leb128(&head);
    oct_cursor_take_leb128(&head); /* items */
    f.n = oct_cursor_take_leb128(&head);
    f.n_others = oct_cursor_take_leb128(&head);
    f.time = oct_cursor_take_leb128(&head);
  }
  if (oct_ev_grow((void **)&x->found, &x->found_cap, x->n_found + 1, sizeof f))
    return OCT_ERR_NOMEM;
  x->found[x->n_found++] = f;
  return 0;
}

static int take(scan *x, unsigned kind, const oct_ev_place *place, oct_ev_columns *in) {
  oct_diag none;
  int error = note_found(x, kind, place, in);
  if (error) return error;
  switch (kind) {
    case OCT_EV_BLOCK_METAS:
      return take_metas(x, place, in);
    case OCT_EV_BLOCK_PATTERNS:
      return take_patterns(x, place, in);
    case OCT_EV_BLOCK_CHUNK:
      return take_chunk(x, place, in);
    case OCT_EV_BLOCK_DEFS:
      if (x->has_names) return 0;
      error = oct_ev_store_read_names(x->s, place, &none);
      x->has_names = !error;
      x->names_sum = place->sum;
      if (error) oct_ev_defs_free(&x->s->defs);
      return error == OCT_ERR_NOMEM ? error : 0;
    default: /* the index: where blocks stand is found here */
      x->index = *place;
      return 0;
  }
}

static void note_damage(oct_ev_store *s, uint64_t offset, const char *what) {
  if (s->n_damaged++) return;
  s->damaged_at = offset;
  oct_fail_in(&s->damage, OCT_ERR_FORMAT, s->name, "block at offset %llu: %s",
              (unsigned long long)offset, what);
}

/* The next whole block from offset on, or the end of the file. */
static uint64_t search(scan *x, uint64_t offset, uint8_t *window) {
  oct_ev_store *s = x->s;
  oct_diag none;
  oct_ev_columns in;
  while (s->bytes_total - offset >= OCT_EV_BLOCK_HEAD_BYTES) {
    uint64_t left = s->bytes_total - offset;
    size_t n = left < WINDOW_BYTES ? (size_t)left : WINDOW_BYTES;
    if (oct_ev_store_read(s, offset, window, n, &none)) break;
    for (size_t i = 0; i + OCT_EV_MAGIC_BYTES <= n; i++) {
      if (oct_ev_is_magic(window + i)) {
        x->is_joined = true;
        oct_fail_in(&s->damage, OCT_ERR_FORMAT, s->name, "another file begins at offset %llu",
                    (unsigned long long)(offset + i));
        return s->bytes_total;
      }
      oct_ev_place place = {.offset = offset + i};
      unsigned kind = kind_at(s, window + i);
      if (kind == NO_KIND || peek(s, &place) != kind) continue;
      if (read_block(x, &place, kind, &in)) continue;
      free(in.memory);
      return place.offset;
    }
    offset += n - (OCT_EV_MAGIC_BYTES - 1);
  }
  return s->bytes_total;
}

static int scan_blocks(scan *x, uint8_t *window) {
  oct_ev_store *s = x->s;
  uint64_t offset = s->head_bytes, end = s->bytes_total;
  int error = 0;
  while (!error && offset + OCT_EV_BLOCK_HEAD_BYTES <= end) {
    oct_ev_place place = {.offset = offset};
    oct_ev_columns in;
    unsigned kind = peek(s, &place);
    int got = kind == NO_KIND ? OCT_ERR_FORMAT : read_block(x, &place, kind, &in);
    if (!got) {
      error = take(x, kind, &place, &in);
      free(in.memory);
      offset = place.offset + place.bytes;
    } else if (got == OCT_ERR_NOMEM || got == OCT_ERR_IO) {
      error = got;
    } else if (end - offset == OCT_EV_TAIL_BYTES) {
      break;
    } else {
      note_damage(s, offset, "damaged");
      offset = search(x, offset + 1, window);
      error = offset < end ? lose_part(x) : 0;
    }
  }
  return error;
}

/* Take segments and chunks from an index that is whole, with their blocks where these were found:
 * how many chunks were; 0 where there is none that fits, and what was found stays; or an error. */
static int64_t follow_index(scan *x) {
  oct_ev_store *s = x->s, own = *s;
  oct_ev_place defs;
  oct_diag none;
  if (!x->index.bytes) return 0;
  s->parts = NULL;
  s->chunks = NULL;
  s->n_parts = s->parts_cap = s->n_chunks = s->chunks_cap = 0;
  int64_t got = oct_ev_store_read_listing(s, &x->index, &defs, &none);
  bool has_names = x->has_names && (!defs.sum || defs.sum == x->names_sum);
  uint64_t n_locations = 0;
  for (size_t i = 0; i < s->n_chunks; i++)
    if (s->chunks[i].location >= n_locations) n_locations = s->chunks[i].location + UINT64_C(1);
  if (!got && n_locations > (has_names ? s->defs.locations.n : NAMES_MAX)) got = OCT_ERR_FORMAT;
  if (!got) got = oct_ev_store_relocate(s, x->found, x->n_found);
  if (got > 0) {
    if (n_locations > x->n_locations) x->n_locations = n_locations;
    oct_ev_store_forget_parts(&own);
    if (!has_names) oct_ev_defs_free(&s->defs); /* those of another file */
    x->has_names = has_names;
    return got;
  }
  oct_ev_store_forget_parts(s);
  own.bytes_read = s->bytes_read;
  *s = own;
  return got == OCT_ERR_NOMEM || got == OCT_ERR_IO ? got : 0;
}

/* Names for what has none any more. */
static int make_names(const scan *x) {
  oct_ev_defs *d = &x->s->defs;
  char name[40];
  if (x->has_names) return 0;
  x->s->lacks_names = true;
  if (x->n_functions > NAMES_MAX) return OCT_ERR_LIMIT;
  int64_t got = 0;
  for (uint64_t i = 0; i < x->n_functions && got >= 0; i++) {
    int n = snprintf(name, sizeof name, "function %llu", (unsigned long long)i);
    got = oct_ev_defs_function(d, name, (size_t)n, i);
  }
  for (uint64_t i = 0; i < x->n_locations && got >= 0; i++) {
    int n = snprintf(name, sizeof name, "location %llu", (unsigned long long)i);
    got = oct_ev_defs_location(d, name, (size_t)n, "process", i);
  }
  return got < 0 ? (int)got : 0;
}

/* Keep the definitions of a segment from one of its chunks to the next. */
static void stay_in(oct_ev_store *s, int64_t *entered, int64_t segment) {
  if (*entered == segment) return;
  if (segment >= 0) oct_ev_store_enter(s, (uint32_t)segment);
  if (*entered >= 0) oct_ev_store_leave(s, (uint32_t)*entered);
  *entered = segment;
}

/* Keep the chunks of locations that have names. One that begins before the last one of its location
 * ended is there twice, or in another place than it was written to. */
static int check_chunks(oct_ev_store *s, oct_diag *diag) {
  uint64_t *ends = calloc(s->defs.locations.n + 1, sizeof *ends);
  size_t n = 0;
  int64_t entered = -1;
  int error = ends ? 0 : OCT_ERR_NOMEM;
  for (uint32_t i = 0; i < s->n_chunks && !error; i++) {
    oct_ev_chunk *k = &s->chunks[i];
    if (k->location >= s->defs.locations.n) continue;
    if (s->care == OCT_EV_STOP && s->n_damaged && k->place.offset >= s->damaged_at) break;
    stay_in(s, &entered, k->segment);
    if ((error = oct_ev_cursor_find_times(s, i, diag))) break;
    if (k->from < ends[k->location]) {
      note_damage(s, k->place.offset, "events earlier than those of the part before");
      continue;
    }
    ends[k->location] = k->to;
    s->counts.events += k->n_events;
    s->counts.others += k->n_others;
    s->chunks[n++] = *k;
  }
  stay_in(s, &entered, -1);
  s->n_chunks = n;
  free(ends);
  return error;
}

int oct_ev_store_rebuild(oct_ev_store *s, oct_diag *diag) {
  scan x = {.s = s,
            .behind_chunk = true,
            .is_lost = true,
            .waste_left = WASTE_FILES * s->bytes_total + WASTE_BYTES};
  const oct_diag why = *diag;
  uint8_t *window = malloc(WINDOW_BYTES);
  oct_ev_store_forget_index(s);
  int64_t n_listed = 0;
  int error = window ? scan_blocks(&x, window) : OCT_ERR_NOMEM;
  free(window);
  if (!error && (n_listed = follow_index(&x)) < 0) error = (int)n_listed;
  free(x.found);
  s->is_rebuilt = !n_listed || x.is_joined;
  if (n_listed && !x.is_joined) s->n_damaged = 0; /* what is missing is told when it is asked for */
  if (!error) error = make_names(&x);
  if (!error && !n_listed) error = check_chunks(s, diag);
  if (error) return oct_fail_in(diag, error, s->name, "%s", oct_error_text(error));
  if (!s->n_damaged++) s->damage = why;
  s->counts.segments = s->n_parts;
  if (s->n_chunks) return 0;
  *diag = why; /* nothing is left */
  return diag->error;
}
