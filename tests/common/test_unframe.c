/* SPDX-License-Identifier: Apache-2.0 */
/* test_unframe.c - do the bytes of all sources come back out of frames, are syncs left out, and is
 * what is no frame told by its place? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "oct_formatter.h"

#include "../test_random.h"

enum { SOURCES_MAX = 5, SENT_MAX = 1600, STREAM_MAX = 8 * SENT_MAX, RUNS = 3000 };
enum { FLUSH_EVENT = 0x7b, TRIGGER_EVENT = 0x7d };

typedef struct stream {
  oct_formatter formatter;
  oct_unframed sent[SENT_MAX];
  unsigned n_sent;
  uint8_t bytes[STREAM_MAX];
  size_t n_bytes, frames[STREAM_MAX / OCT_FRAME_BYTES]; /* where each begins */
  unsigned n_frames;
  unsigned half_percent, full_percent, repeat_frames;
} stream;

/* What the test has met; each has to come up. */
static struct {
  unsigned changes_at_even, changes_late, changes_at_the_end, paddings, filled, half_syncs,
      full_syncs, odd_bytes, syncs_in_a_row, all_ones, flush_events, trigger_events, repeated,
      repeated_late;
} met;

static void put_bytes(stream *s, const void *bytes, size_t n) {
  assert_true(s->n_bytes + n <= sizeof s->bytes);
  memcpy(s->bytes + s->n_bytes, bytes, n);
  s->n_bytes += n;
}

/* A frame as it leaves the pins: half syncs within it, full syncs before it. */
static void put_frame(stream *s, const uint8_t *frame) {
  for (unsigned n = 0; below32(100) < s->full_percent; n++) {
    put_bytes(s, "\xff\xff\xff\x7f", 4);
    met.full_syncs++;
    met.syncs_in_a_row += n > 0;
  }
  s->frames[s->n_frames++] = s->n_bytes;
  for (unsigned i = 0; i < OCT_FRAME_BYTES; i += 2) {
    const unsigned flag = frame[15] >> i / 2 & 1;
    if (frame[i] & 1) {
      met.changes_at_even += !flag;
      met.changes_late += flag;
      met.changes_at_the_end += i == 14;
      met.paddings += frame[i] == 1;
    } else {
      met.odd_bytes += flag;
    }
    for (; below32(100) < s->half_percent; met.half_syncs++) put_bytes(s, "\xff\x7f", 2);
    put_bytes(s, frame + i, 2);
  }
}

static void put(stream *s, uint8_t source, uint8_t byte) {
  uint8_t frame[OCT_FRAME_BYTES];
  s->sent[s->n_sent++] = (oct_unframed){source, byte};
  met.all_ones += byte == 0xff;
  met.flush_events += source == FLUSH_EVENT;
  met.trigger_events += source == TRIGGER_EVENT;
  if (s->formatter.id == source && s->formatter.quiet_frames >= s->repeat_frames) {
    met.repeated++;
    met.repeated_late += s->formatter.at & 1;
    if (oct_formatter_tell(&s->formatter, source, frame)) put_frame(s, frame);
  }
  if (oct_formatter_put(&s->formatter, source, byte, frame)) put_frame(s, frame);
}

static void flush(stream *s) {
  uint8_t frame[OCT_FRAME_BYTES];
  if (!oct_formatter_flush(&s->formatter, frame)) return;
  put_frame(s, frame);
  met.filled++;
}

/* Runs of random sources, flushed now and then, and at the end. */
static void make(stream *s, unsigned half_percent, unsigned full_percent) {
  uint8_t ids[SOURCES_MAX];
  const unsigned n_ids = 1 + below32(SOURCES_MAX), n = 1 + below32(SENT_MAX - 100),
                 run = 1 + below32(20);
  const unsigned flush_percent = below32(2) ? below32(10) : 0, plain_percent = below32(101);
  memset(s, 0, sizeof *s);
  s->half_percent = half_percent;
  s->full_percent = full_percent;
  s->repeat_frames = below32(2) ? 1 + below32(4) : UINT8_MAX + 1;
  for (unsigned i = 0; i < n_ids; i++)
    ids[i] = (uint8_t)(below32(4)   ? 1 + below32(OCT_FRAME_ID_MAX)
                       : below32(2) ? 1
                                    : OCT_FRAME_ID_MAX);
  for (unsigned i = 0, id = 0; i < n; i++) {
    if (!below32(run)) id = below32(n_ids);
    if (!below32(200)) put(s, below32(2) ? FLUSH_EVENT : TRIGGER_EVENT, (uint8_t)below32(256));
    put(s, ids[id], (uint8_t)(below32(100) < plain_percent ? below32(256) : 0xff * below32(2)));
    if (below32(100) < flush_percent) flush(s);
  }
  flush(s);
}

/* What comes out of a stream from `begin` on has to be what was sent last: how many bytes. */
static unsigned take(const stream *s, size_t begin, unsigned run) {
  oct_unframe u;
  oct_unframed out[OCT_UNFRAMED_MAX];
  static oct_unframed all[SENT_MAX];
  unsigned n_all = 0;
  oct_unframe_init(&u);
  for (size_t i = begin; i < s->n_bytes; i++) {
    const int n = oct_unframe_put(&u, s->bytes[i], out);
    if (n < 0 || n_all + (unsigned)n > s->n_sent) fail_msg("run %u: byte %zu: %d", run, i, n);
    for (int k = 0; k < n; k++) all[n_all++] = out[k];
  }
  if (oct_unframe_is_cut(&u) || memcmp(all, s->sent + s->n_sent - n_all, n_all * sizeof *all))
    fail_msg("run %u: other bytes from byte %zu on", run, begin);
  return n_all;
}

static void all_sources_come_back(void **state) {
  static stream s;
  (void)state;
  seed_random("sources");
  for (unsigned i = 0; i < RUNS; i++) {
    if (is_left_out()) continue;
    uint32_t half = below32(2), full = below32(2);
    half *= below32(30);
    full *= below32(60);
    make(&s, half, full);
    const unsigned n = take(&s, 0, i);
    if (n != s.n_sent) fail_msg("run %u: %u bytes of %u came back", i, n, s.n_sent);
    assert_int_equal(oct_unframe_begin(s.bytes, s.n_bytes), 0);
  }
  const unsigned *counts = (const unsigned *)&met;
  for (unsigned i = 0; i < sizeof met / sizeof *counts; i++)
    if (counts[i] < 100 && !runs_share())
      fail_msg("rule %u of struct met came up %u times only", i, counts[i]);
}

/* What is left of a stream from any byte on begins behind its first sync, if that shows that the
 * file begins in the middle of a frame. */
static void the_middle_begins_behind_a_sync(void **state) {
  static stream s;
  unsigned n_found = 0;
  (void)state;
  seed_random("the middle");
  for (unsigned i = 0; i < RUNS; i++) {
    if (is_left_out()) continue;
    make(&s, below32(2) * 5, 20);
    if (s.n_frames < 3) continue;
    const size_t cut = 1 + below32((uint32_t)s.frames[1] + 1);
    const size_t begin = cut + oct_unframe_begin(s.bytes + cut, s.n_bytes - cut);
    if (begin == cut) continue;
    assert_memory_equal(s.bytes + begin - 4, "\xff\xff\xff\x7f", 4);
    n_found += take(&s, begin, i) > 0; /* the source is known from the next change on */
  }
  assert_true(n_found > RUNS / 10 || runs_share());
}

static int put_all(oct_unframe *u, const uint8_t *bytes, size_t n) {
  oct_unframed out[OCT_UNFRAMED_MAX];
  int rc = 0;
  oct_unframe_init(u);
  for (size_t i = 0; i < n && rc >= 0; i++) rc = oct_unframe_put(u, bytes[i], out);
  return rc;
}

/* Each number of a source at each even place: reserved ones are told, the formatter's events not.
 */
static void reserved_sources_are_told(void **state) {
  (void)state;
  for (unsigned at = 0; at < OCT_FRAME_BYTES; at += 2)
    for (unsigned id = 0; id < OCT_FRAME_SOURCES; id++) {
      uint8_t bytes[2 * OCT_FRAME_BYTES] = {0};
      oct_unframe u;
      bytes[OCT_FRAME_BYTES + at] = (uint8_t)(id << 1 | 1);
      const bool is_told = id > OCT_FRAME_ID_MAX && id != 0x7b && id != 0x7d;
      const int rc = put_all(&u, bytes, sizeof bytes);
      assert_int_equal(rc == OCT_UNFRAME_RESERVED, is_told);
      if (!is_told) continue;
      assert_int_equal(u.fault_source, id);
      assert_int_equal(u.fault_offset, OCT_FRAME_BYTES + at);
    }
}

static void syncs_stand_where_they_may(void **state) {
  static const struct {
    const char *bytes;
    size_t n;
    int rc;
    uint64_t offset;
  } cases[] = {
      {"\xff\xff\xff\x7f", 4, 0, 0},
      {"\xff\x7f\xff\xff\xff\x7f\xff\x7f", 8, 0, 0},
      {"\0\0\xff\xff\xff\x7f", 6, OCT_UNFRAME_SYNC, 2},
      {"\0\0\xff\x7f\0\0\xff\xff\xff\x7f", 10, OCT_UNFRAME_SYNC, 6},
      {"\xff\xff\xff\xff", 4, OCT_UNFRAME_RESERVED, 2},
      {"\xff\xff\0", 3, OCT_UNFRAME_RESERVED, 0},
      {"\0\0\xff\xff\3", 5, OCT_UNFRAME_RESERVED, 2},
      {"\0\0\xff\x7e", 4, OCT_UNFRAME_RESERVED, 2},
  };
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    oct_unframe u;
    assert_int_equal(put_all(&u, (const uint8_t *)cases[i].bytes, cases[i].n), cases[i].rc);
    if (cases[i].rc) assert_int_equal(u.fault_offset, cases[i].offset);
  }
}

/* A stream that ends within a frame or a sync is told from a whole one. */
static void cut_frames_are_known(void **state) {
  static stream s;
  (void)state;
  seed_random("cut frames");
  make(&s, 0, 0);
  for (size_t n = 0; n <= s.n_bytes; n++) {
    oct_unframe u;
    assert_true(put_all(&u, s.bytes, n) >= 0);
    assert_int_equal(oct_unframe_is_cut(&u), n % OCT_FRAME_BYTES != 0);
  }
  for (size_t n = 0; n <= 4; n++) {
    oct_unframe u;
    assert_int_equal(put_all(&u, (const uint8_t *)"\xff\xff\xff\x7f", n), 0);
    assert_int_equal(oct_unframe_is_cut(&u), n % 4 != 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_sources_come_back),
      cmocka_unit_test(the_middle_begins_behind_a_sync),
      cmocka_unit_test(reserved_sources_are_told),
      cmocka_unit_test(syncs_stand_where_they_may),
      cmocka_unit_test(cut_frames_are_known),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
