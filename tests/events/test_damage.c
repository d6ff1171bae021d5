/* SPDX-License-Identifier: Apache-2.0 */
/* test_damage.c - is damage of a file found, and does nothing that a file says do harm? */
#include "events_util.h"

#include <time.h>

static file_bytes small_file(oct_ev_params *p) {
  events t = {0};
  name_all(&t, 3, 2);
  for (uint64_t i = 0; i < 400; i++) {
    uint32_t l = (uint32_t)(i % 2);
    add_event(&t, 100 * i, l, 0, OCT_EV_ENTER, NULL);
    add_event(&t, 100 * i + 10 + (i == 200 ? 50 : i % 3), l, 1, OCT_EV_ENTER, NULL);
    if (i % 10 == 0) add_event(&t, 100 * i + 70, l, 0, OCT_EV_OTHER, "note");
    add_event(&t, 100 * i + 80, l, 1, OCT_EV_LEAVE, NULL);
    add_event(&t, 100 * i + 90, l, 0, OCT_EV_LEAVE, NULL);
    if (i % 100 == 50) add_event(&t, 100 * i + 95, l, 2, OCT_EV_LEAVE, NULL); /* stray */
    if (i == 390) add_event(&t, 100 * i + 95, l, 2, OCT_EV_ENTER, NULL);      /* stays open */
  }
  file_bytes f = compress_events(&t, p, NULL);
  free_events(&t);
  return f;
}

/* Read all that there is: 0 or the error. */
static int read_all(const uint8_t *p, size_t n, int trust) {
  oct_ev_reader *r;
  oct_ev_record record;
  oct_diag diag = {0};
  int got = oct_ev_reader_open_memory(p, n, trust, &r, &diag);
  if (got) {
    assert_true(diag.text[0] != 0);
    return got;
  }
  while ((got = oct_ev_reader_next(r, &record, &diag)) > 0) continue;
  oct_ev_reader_close(r);
  return got;
}

static void test_any_byte(void **state) {
  (void)state;
  oct_ev_params p;
  oct_ev_params_init(&p, 0);
  file_bytes f = small_file(&p);
  assert_int_equal(read_all(f.p, f.n, 0), 0);
  for (size_t i = 0; i < f.n; i++) {
    f.p[i] ^= 0x10;
    assert_true(read_all(f.p, f.n, 0) < 0);
    read_all(f.p, f.n, 1); /* checksums aside: no harm */
    f.p[i] ^= 0x10;
  }
  for (size_t n = 0; n < f.n; n++) {
    uint8_t *cut = malloc(n + 1);
    memcpy(cut, f.p, n);
    assert_true(read_all(cut, n, 0) < 0);
    free(cut);
  }
  free(f.p);
}

/* Heads of blocks, each as large as the rest of them, of which none is whole; then a whole file's
 * blocks. Making the index again takes no longer than a few times what reading does. Where the
 * sizes of columns do not fit, what is whole is found. */
static void heads_alone(bool sizes_fit) {
  enum { STEP = 32, HEADS = 1 << 17, TOTAL = HEADS * STEP };
  oct_ev_params p;
  oct_ev_reader *r;
  oct_diag diag = {0};
  oct_ev_params_init(&p, 0);
  file_bytes f = small_file(&p);
  uint8_t *bytes = calloc(f.n + TOTAL, 1);
  size_t head_bytes = 0; /* of the file: up to its first block */
  while (memcmp(f.p + head_bytes, "\1\3\0\0", 4) != 0) head_bytes++;
  memcpy(bytes, f.p, head_bytes);
  for (size_t at = head_bytes; at < head_bytes + TOTAL; at += STEP) {
    uint32_t rest = (uint32_t)(head_bytes + TOTAL - at - OCT_EV_BLOCK_HEAD_BYTES);
    uint32_t column = rest - 12; /* the sizes of the first column have 4 bytes each, the others 1 */
    memcpy(bytes + at, "\1\3\0\0", 4);
    for (unsigned i = 0; i < 4; i++) bytes[at + 4 + i] = (uint8_t)(rest >> 8 * i);
    for (unsigned i = 0; i < 8 && sizes_fit; i++)
      bytes[at + OCT_EV_BLOCK_HEAD_BYTES + i] =
          (uint8_t)((column >> 7 * (i % 4) & 127) | (i % 4 < 3 ? 128 : 0));
  }
  memcpy(bytes + head_bytes + TOTAL, f.p + head_bytes, f.n - head_bytes);
  clock_t start = clock();
  int got = oct_ev_reader_open_memory_salvage(bytes, f.n + TOTAL, 0, &r, &diag);
  double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
  if (!got) oct_ev_reader_close(r);
  if (!sizes_fit) assert_int_equal(got, 0); /* a chunk is there */
  if (seconds > 5) fail_msg("%.1f s for %d bytes", seconds, TOTAL);
  free(bytes);
  free(f.p);
}

static void test_heads_alone(void **state) {
  (void)state;
  heads_alone(false);
  heads_alone(true);
}

/* Read on; whether what comes is part of the whole, in its order. How many, and how it ended. */
static size_t read_part(oct_ev_reader *r, const events *whole, int *end, oct_diag *diag) {
  oct_ev_record got;
  size_t at = 0, n_got = 0;
  while ((*end = oct_ev_reader_next(r, &got, diag)) > 0) {
    for (;; at++) {
      assert_true(at < whole->n); /* else it is none of the whole */
      const oct_ev_record *w = &whole->r[at];
      if (w->time_ticks == got.time_ticks && w->location == got.location && w->kind == got.kind &&
          (w->kind == OCT_EV_OTHER || w->function == got.function))
        break;
    }
    at++;
    n_got++;
  }
  return n_got;
}

/* What a damaged file gives with salvage. */
static size_t salvaged(const uint8_t *p, size_t n, const events *whole, int *names_are_kept) {
  oct_ev_reader *r;
  oct_diag diag = {0};
  int end;
  *names_are_kept = 0;
  if (oct_ev_reader_open_memory_salvage(p, n, 0, &r, &diag)) {
    assert_true(diag.text[0] != 0);
    return 0;
  }
  const oct_ev_defs *defs = oct_ev_reader_defs(r);
  *names_are_kept = defs->functions.n && !strcmp(oct_ev_names_text(&defs->functions, 0), "f0");
  size_t n_got = read_part(r, whole, &end, &diag);
  assert_int_equal(end, 0);
  assert_true(oct_ev_reader_damage(r)->n_places > 0 || n_got == whole->n);
  oct_ev_reader_close(r);
  return n_got;
}

enum { SEGMENT_EVENTS = 1024, CHUNK_EVENTS = SEGMENT_EVENTS / 2, SEGMENT_BLOCKS = 4 };

/* Several segments with patterns of their own, each of two chunks. */
static file_bytes segments_file(events *t, uint32_t max_order) {
  oct_ev_params p;
  oct_ev_params_init(&p, 0);
  p.max_order = max_order;
  p.buffer_events = SEGMENT_EVENTS;
  name_all(t, 9, 2);
  for (uint64_t i = 0; i < 1600; i++) {
    uint32_t f = (uint32_t)(i / 400 * 2);
    add_event(t, 100 * i, i % 2, f, OCT_EV_ENTER, NULL);
    add_event(t, 100 * i + 10 + below32(20), i % 2, f + 1, OCT_EV_ENTER, NULL);
    add_event(t, 100 * i + 60 + below32(20), i % 2, f + 1, OCT_EV_LEAVE, NULL);
    add_event(t, 100 * i + 90, i % 2, f, OCT_EV_LEAVE, NULL);
  }
  return compress_events(t, &p, NULL);
}

/* Where the index begins, and by it the names: what stands behind costs no event. */
static void test_salvage(void **state) {
  (void)state;
  events t = {0};
  int has_names;
  seed_random("salvage");
  file_bytes f = segments_file(&t, OCT_EV_ORDER_MAX);
  uint64_t index = oct_ev_load(f.p + f.n - OCT_EV_TAIL_BYTES, 8);
  size_t n_least = t.n, n_named = 0;
  for (size_t i = 0; i < f.n; i++) {
    if (is_left_out()) continue;
    uint8_t before = f.p[i];
    f.p[i] ^= (uint8_t)(1 + below32(255));
    size_t n = salvaged(f.p, f.n, &t, &has_names);
    if (i >= index) assert_true(n == t.n && has_names);
    if (i >= 300 && n < n_least) n_least = n; /* behind the head */
    n_named += has_names;
    f.p[i] = before;
  }
  assert_true(n_least >= t.n / 2); /* a block costs its segment at most */
  assert_true(runs_share() || n_named > f.n / 2);
  size_t last = 0;
  for (size_t n = 0; n < f.n; n++) {
    if (is_left_out()) continue;
    uint8_t *cut = malloc(n + 1);
    memcpy(cut, f.p, n);
    size_t got = salvaged(cut, n, &t, &has_names);
    assert_true(got >= last);
    last = got;
    free(cut);
  }
  assert_true(runs_share() || last == t.n);
  /* A block left out, or two changed for each other, and two places of damage. */
  uint8_t *copy = malloc(2 * f.n);
  for (int i = 0; i < 2000; i++) {
    if (is_left_out()) continue;
    memcpy(copy, f.p, f.n);
    size_t a = below32((uint32_t)f.n), b = below32((uint32_t)f.n), n = f.n;
    size_t from = a < b ? a : b, to = a < b ? b : a;
    if (i % 3 == 0)
      copy[a] ^= 0x40, copy[b] ^= 2;
    else if (i % 3 == 1)
      memmove(copy + from, copy + to, f.n - to), n -= to - from;
    else
      memcpy(copy + to, f.p + from, f.n - from), n = to + f.n - from;
    salvaged(copy, n, &t, &has_names);
  }
  free(copy);
  free_events(&t);
  free(f.p);
}

/* What a damaged file gives that is read up to the damage. It never ends as if it were whole. */
static size_t read_to_damage(const uint8_t *p, size_t n, const events *whole) {
  oct_ev_reader *r;
  oct_diag diag = {0};
  int end;
  if (oct_ev_reader_open_memory_part(p, n, 0, &r, &diag)) {
    assert_true(diag.text[0] != 0);
    return 0;
  }
  size_t n_got = read_part(r, whole, &end, &diag);
  assert_true(end < 0 && diag.text[0]);
  oct_ev_reader_close(r);
  return n_got;
}

/* A file without the bytes from cut[0] to cut[1], or with copy_bytes behind cut[0] twice: what is
 * given is right, and what is not is counted where the index is there. Returns how many events. */
static size_t edited(const file_bytes *f, const events *t, const size_t cut[2], size_t copy_bytes,
                     bool has_index) {
  uint8_t *bytes = malloc(2 * f->n);
  oct_ev_reader *r;
  oct_ev_record record;
  oct_diag diag = {0};
  int has_names;
  size_t n = cut[0], left = f->n - cut[1];
  memcpy(bytes, f->p, n);
  memcpy(bytes + n, f->p + cut[0], copy_bytes);
  n += copy_bytes;
  memcpy(bytes + n, f->p + cut[1], left);
  n += left;
  if (!has_index) n -= f->n - (size_t)oct_ev_load(f->p + f->n - OCT_EV_TAIL_BYTES, 8);
  size_t got = salvaged(bytes, n, t, &has_names);
  if (has_index && !oct_ev_reader_open_memory_salvage(bytes, n, 0, &r, &diag)) {
    while (oct_ev_reader_next(r, &record, &diag) > 0) continue;
    const oct_ev_damage *d = oct_ev_reader_damage(r);
    assert_false(d->is_unknown);
    assert_int_equal(got + d->lost_events, t->n);
    oct_ev_reader_close(r);
  }
  free(bytes);
  return got;
}

/* Whole blocks lost or doubled: no event gets the names of another segment, a chunk costs itself,
 * definitions cost their segment, and the number lost is right. */
static void test_whole_blocks(void **state) {
  (void)state;
  events t = {0};
  size_t start[BLOCKS_MAX + 1];
  seed_random("whole blocks");
  file_bytes f = segments_file(&t, OCT_EV_ORDER_MAX);
  size_t n = find_blocks(&f, start) - 1; /* but the index */
  for (size_t i = 0; i < n; i++) {
    if (is_left_out()) continue;
    unsigned kind = f.p[start[i]];
    size_t size = start[i + 1] - start[i];
    size_t twice = edited(&f, &t, (size_t[2]){start[i], start[i]}, size, true);
    assert_true(twice >= t.n - (kind < OCT_EV_BLOCK_CHUNK ? SEGMENT_EVENTS : 0));
    size_t one = edited(&f, &t, (size_t[2]){start[i], start[i + 1]}, 0, true);
    if (kind == OCT_EV_BLOCK_CHUNK) assert_true(one >= t.n - CHUNK_EVENTS);
    assert_true(one >= t.n - SEGMENT_EVENTS);
    for (size_t k = i + 1; k <= n; k++) edited(&f, &t, (size_t[2]){start[i], start[k]}, 0, true);
    /* Without the index. What looks whole then: where a piece as long as whole segments is missing,
     * or one that ends in the last segment, which need not be full. */
    for (size_t k = i + 1; k <= n; k++)
      if (!(i % SEGMENT_BLOCKS) || ((k - i) % SEGMENT_BLOCKS && k < n - SEGMENT_BLOCKS))
        edited(&f, &t, (size_t[2]){start[i], start[k]}, 0, false);
  }
  free_events(&t);
  free(f.p);
}

/* Without salvage: what stands before the damage, also where the index, the names or the end are
 * damaged. With the index, it is the begin of the whole; without, the chunks before the damage. */
static void stop_at_damage(uint32_t max_order) {
  events t = {0};
  size_t start[BLOCKS_MAX + 1], n_least = 0;
  file_bytes f = segments_file(&t, max_order);
  size_t n_blocks = find_blocks(&f, start), block = 0;
  uint8_t *copy = malloc(2 * f.n);
  for (size_t i = 0; i < f.n; i += 1 + below32(3)) {
    if (is_left_out()) continue;
    uint8_t before = f.p[i];
    f.p[i] ^= (uint8_t)(1 + below32(255));
    size_t n = read_to_damage(f.p, f.n, &t);
    f.p[i] = before;
    while (block < n_blocks && i >= start[block + 1]) {
      size_t left = t.n - n_least / SEGMENT_EVENTS * SEGMENT_EVENTS; /* from its segment on */
      if (f.p[start[block]] == OCT_EV_BLOCK_CHUNK)
        n_least += left < SEGMENT_EVENTS ? left / 2 : CHUNK_EVENTS;
      block++;
    }
    assert_true(i < start[n_blocks - 2] ? n + CHUNK_EVENTS >= n_least : n == t.n);
    if (i < start[0] || i >= start[n_blocks - 1]) continue;
    memcpy(copy, f.p, start[n_blocks - 1]); /* no index */
    copy[i] ^= 1;
    assert_int_equal(read_to_damage(copy, start[n_blocks - 1], &t), n_least);
    assert_true(read_to_damage(copy, i, &t) >= n_least);
  }
  for (size_t i = 0; i < 2000; i++) { /* two places, a piece lost or twice */
    if (is_left_out()) continue;
    size_t a = below32((uint32_t)f.n), b = below32((uint32_t)f.n), n = f.n;
    size_t from = a < b ? a : b, to = a < b ? b : a;
    if (from == to) continue;
    memcpy(copy, f.p, f.n);
    if (i % 3 == 0)
      copy[from] ^= 0x40, copy[to] ^= 2;
    else if (i % 3 == 1)
      memmove(copy + from, copy + to, f.n - to), n -= to - from;
    else
      memcpy(copy + to, f.p + from, f.n - from), n = to + f.n - from;
    read_to_damage(copy, n, &t);
  }
  free(copy);
  free_events(&t);
  free(f.p);
}

static void test_stop(void **state) {
  (void)state;
  seed_random("stop");
  stop_at_damage(0); /* no patterns */
  stop_at_damage(OCT_EV_ORDER_MAX);
}

/* A damaged chunk ends what is given only at its time: those of other locations come up to it. */
static void test_stop_at_time(void **state) {
  (void)state;
  events t = {0};
  oct_ev_params p;
  size_t start[BLOCKS_MAX + 1];
  oct_ev_params_init(&p, 0);
  p.max_order = 0;
  name_all(&t, 1, 2);
  for (uint64_t i = 0; i < 200; i++)
    add_event(&t, 10 * i, i >= 100, 0, i % 2 ? OCT_EV_LEAVE : OCT_EV_ENTER, NULL);
  file_bytes f = compress_events(&t, &p, NULL);
  find_blocks(&f, start);
  assert_int_equal(f.p[start[1]], OCT_EV_BLOCK_CHUNK);
  f.p[start[2] - 1] ^= 1;
  assert_int_equal(read_to_damage(f.p, f.n, &t), 100);
  free_events(&t);
  free(f.p);
}

static void test_random_bytes(void **state) {
  (void)state;
  seed_random("random bytes");
  for (int lossy = 0; lossy < 2; lossy++) {
    oct_ev_params p;
    oct_ev_params_init(&p, 0);
    p.lossy = (uint32_t)lossy;
    p.t_abs_ticks = 20;
    file_bytes f = small_file(&p);
    uint8_t *copy = malloc(f.n);
    for (int i = 0; i < 4000; i++) {
      if (is_left_out()) continue;
      memcpy(copy, f.p, f.n);
      for (uint32_t k = 1 + below32(3); k; k--) {
        uint32_t at = below32((uint32_t)f.n);
        copy[at] = (uint8_t)below32(256);
      }
      read_all(copy, f.n, 1);
    }
    free(copy);
    free(f.p);
  }
}

/* A name that holds the end of a C string would be another one wherever it is handed on: neither a
 * source nor a file may have it. The file here is of one process, whose name is spoilt. */
static void test_name_with_end(void **state) {
  (void)state;
  events t = {0};
  oct_ev_params p;
  oct_ev_params_init(&p, 0);
  assert_int_equal(oct_ev_defs_function(&t.defs, "f\0x", 3, 0), OCT_ERR_FORMAT);
  assert_int_equal(oct_ev_defs_function(&t.defs, "f", 1, 0), 0);
  assert_int_equal(oct_ev_defs_location(&t.defs, "t", 1, "name", 0), 0);
  add_event(&t, 1, 0, 0, OCT_EV_ENTER, NULL);
  add_event(&t, 2, 0, 0, OCT_EV_LEAVE, NULL);
  file_bytes f = compress_events(&t, &p, NULL);
  uint8_t *name = memmem(f.p, f.n, "name", 4);
  assert_non_null(name);
  assert_int_equal(read_all(f.p, f.n, 1), 0);
  name[1] = 0;
  assert_int_equal(read_all(f.p, f.n, 1), OCT_ERR_FORMAT);
  free_events(&t);
  free(f.p);
}

/* Each total of the index is held against the file: those that the index itself tells when it is
 * opened, the others when all was given. */
static void test_totals(void **state) {
  (void)state;
  oct_ev_params p;
  oct_ev_params_init(&p, 0);
  file_bytes f = small_file(&p);
  uint8_t *block = f.p + oct_ev_load(f.p + f.n - OCT_EV_TAIL_BYTES, 8);
  oct_cursor in = {.bytes = block + OCT_EV_BLOCK_HEAD_BYTES, .n_bytes = 1000};
  uint64_t raw[OCT_EV_INDEX_COLUMNS], stored[OCT_EV_INDEX_COLUMNS];
  for (unsigned i = 0; i < OCT_EV_INDEX_COLUMNS; i++) {
    raw[i] = oct_cursor_take_leb128(&in);
    stored[i] = oct_cursor_take_leb128(&in);
  }
  assert_int_equal(raw[OCT_EV_INDEX_TOTALS], stored[OCT_EV_INDEX_TOTALS]);
  assert_int_equal(OCT_EV_INDEX_TOTALS, 0);
  assert_int_equal(read_all(f.p, f.n, 1), 0);
  uint8_t *at = f.p + (in.bytes - f.p);
#define OCT_X(name, text)                                                         \
  *at ^= 1;                                                                       \
  if (read_all(f.p, f.n, 1) != OCT_ERR_FORMAT) fail_msg("%s is not held", #name); \
  *at ^= 1;                                                                       \
  while (*at++ & 0x80) continue;
  OCT_EV_COUNTS(OCT_X)
#undef OCT_X
  assert_int_equal(read_all(f.p, f.n, 1), 0);
  free(f.p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_totals),       cmocka_unit_test(test_any_byte),
      cmocka_unit_test(test_heads_alone),  cmocka_unit_test(test_salvage),
      cmocka_unit_test(test_random_bytes), cmocka_unit_test(test_name_with_end),
      cmocka_unit_test(test_whole_blocks), cmocka_unit_test(test_stop),
      cmocka_unit_test(test_stop_at_time),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
