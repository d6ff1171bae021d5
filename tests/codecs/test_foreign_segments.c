/* SPDX-License-Identifier: Apache-2.0 */
/* test_foreign_segments.c - segments of another codec file, whole and at their own numbers, are
 * refused; where the two files are the same up to there, the segment behind them tells. */
#include "codec_util.h"
#include "oct_codec_format.h"

enum { SEGMENTS = 8, SEGMENT_BYTES = 1 << 20, RECORD_BYTES = 12 };

/* A file of segments of which number i has records of bytes values[i]. */
static memory_file write_segments(const char *values) {
  const oct_codec_settings s = settings_of("plain:stage=none,segment=1");
  const size_t n = (SEGMENT_BYTES + RECORD_BYTES - 1) / RECORD_BYTES;
  uint8_t *records = malloc(SEGMENTS * n * RECORD_BYTES);
  memory_file file = {{0}, 0};
  assert_non_null(records);
  for (unsigned i = 0; i < SEGMENTS; i++)
    memset(records + i * n * RECORD_BYTES, values[i], n * RECORD_BYTES);
  pack_records(&s, records, SEGMENTS * n, 0, &file);
  free(records);
  return file;
}

/* Where segment number i begins; that behind the last is the end. */
static size_t find_segment(const memory_file *file, unsigned i) {
  uint8_t mark[8];
  oct_put_u64(mark, OCT_CODEC_MARK);
  const uint8_t *at = file->bytes.bytes, *end = at + file->bytes.n_bytes;
  for (unsigned k = 0; k <= i; k++) {
    at = memmem(at + (k > 0), (size_t)(end - at) - (k > 0), mark, sizeof mark);
    assert_non_null(at);
  }
  return (size_t)(at - file->bytes.bytes);
}

/* What a reader that goes on behind damage gives: the values of its segments as text, '!' for each
 * damage, and '.' for the end. */
static void read_segments(memory_file *file, char *said) {
  const oct_source_bytes source = {memory_read, file};
  oct_codec_reader *r;
  oct_diag diag = {0};
  uint8_t last = 0, records[512 * RECORD_BYTES];
  int64_t got = oct_codec_reader_new(&source, 0, &r, &diag);
  if (got) fail_msg("%s", oct_diag_line(&diag).text);
  while ((got = oct_codec_reader_get(r, 0, records, 512, &diag)) != 0) {
    if (got > 0 && last != records[0]) *said++ = (char)(last = records[0]);
    if (got > 0) continue;
    *said++ = '!';
    last = 0;
    got = oct_codec_reader_resync(r, &diag);
    if (got <= 0) break;
  }
  if (!got) *said++ = '.';
  *said = 0;
  oct_codec_reader_free(r);
}

typedef struct mixture {
  const char *says, *other;
  unsigned from, to; /* these segments are the other file's */
  int flipped;       /* a bit of this one's records is, too; -1: of none */
  const char *expected;
} mixture;

static const mixture mixtures[] = {
    {"nothing", "ABCDEFGH", 3, 3, -1, "abcdefgh."},
    {"one of another file", "ABCDEFGH", 3, 4, -1, "abc!efgh."},
    {"many", "ABCDEFGH", 3, 6, -1, "abc!gh."},
    {"the first", "ABCDEFGH", 0, 1, -1, "!bcdefgh."},
    {"the same head", "aBCDEFGH", 3, 4, -1, "abc!efgh."},
    {"many, the same head", "aBCDEFGH", 2, 5, -1, "ab!fgh."},
    {"the last, the same head", "aBCDEFGH", 7, 8, -1, "abcdefg!."},
    {"the same beginning", "abcdEFGH", 3, 4, -1, "abcdefgh."},
    {"the last of the same beginning", "abcdEFGH", 4, 5, -1, "abcdE!."},
    {"damage before it", "aBCDEFGH", 4, 5, 3, "abc!fgh."},
    {"damage behind it", "aBCDEFGH", 3, 4, 4, "abc!fgh."},
};

static void each_mixture(void **state) {
  (void)state;
  for (unsigned i = 0; i < sizeof mixtures / sizeof *mixtures; i++) {
    const mixture *m = &mixtures[i];
    memory_file own = write_segments("abcdefgh"), other = write_segments(m->other);
    char said[8 * SEGMENTS];
    size_t from = find_segment(&own, m->from), to = find_segment(&own, m->to);
    assert_int_equal(other.bytes.n_bytes, own.bytes.n_bytes);
    memcpy(own.bytes.bytes + from, other.bytes.bytes + from, to - from);
    if (m->flipped >= 0)
      own.bytes.bytes[find_segment(&own, (unsigned)m->flipped) + SEGMENT_BYTES / 2] ^= 4;
    read_segments(&own, said);
    if (strcmp(said, m->expected) != 0) fail_msg("%s: %s, expected %s", m->says, said, m->expected);
    oct_buffer_free(&own.bytes);
    oct_buffer_free(&other.bytes);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(each_mixture)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
