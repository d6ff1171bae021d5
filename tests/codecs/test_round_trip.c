/* SPDX-License-Identifier: Apache-2.0 */
/* test_round_trip.c - does every codec give back what it was given, through every second stage, and
 * does a damaged file end in an error that says where? */
#include <inttypes.h>
#include <xxhash.h>

#include "codec_util.h"
#include "oct_endian.h"
#include "octrace/codec.h"

static void check(const oct_codec_settings *s, int kind, size_t n, unsigned n_threads) {
  oct_layout layout = layout_of(s);
  size_t record_bytes = oct_layout_bytes(&layout);
  uint8_t *records = make_records(kind, n, record_bytes);
  memory_file file = {{0}, 0};
  oct_buffer back = {0};
  oct_diag diag = {0};
  pack_records(s, records, n, n_threads, &file);
  if (unpack_records(&file, n_threads, &back, &diag))
    fail_msg("%s, records %d, %zu: %s", s->codec->name, kind, n, oct_diag_line(&diag).text);
  assert_int_equal(back.n_bytes, n * record_bytes);
  if (s->codec->lossless && n && memcmp(back.bytes, records, back.n_bytes))
    fail_msg("%s, records %d, %zu: differ", s->codec->name, kind, n);
  oct_buffer_free(&back);
  oct_buffer_free(&file.bytes);
  free(records);
}

/* Whether there is a codec of that number which takes records; those that do not stand last. */
static bool takes_records(unsigned i) {
  return oct_codec_at(i) && oct_codec_at(i)->takes != OCT_TAKES_TRACE;
}

/* Empty, one record, around the block of the predictors, several segments. */
static void test_every_codec(void **state) {
  (void)state;
  seed_random("every codec");
  static const size_t sizes[] = {0, 1, 2, 4095, 4096, 4097, 20000};
  for (unsigned i = 0; takes_records(i); i++)
    for (int kind = 0; kind < RECORDS_KINDS; kind++)
      for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        if (is_left_out()) continue;
        oct_codec_settings s;
        oct_codec_defaults(oct_codec_at(i), &s);
        s.stage = OCT_GENERAL_ZSTD;
        s.level = 1;
        check(&s, kind, sizes[k], k & 1);
        s.segment_bytes = 50000;
        if (k >= 5) check(&s, kind, sizes[k], k & 1);
      }
}

/* Fields apart: as many streams, and the same records. */
static void test_split_fields(void **state) {
  (void)state;
  seed_random("split fields");
  static const oct_layout layouts[] = {{1, {8}}, {2, {4, 8}}, {5, {1, 2, 8, 4, 1}}};
  const oct_codec_settings s = settings_of("plain:split=fields");
  for (unsigned i = 0; i < sizeof layouts / sizeof *layouts; i++) {
    const size_t record_bytes = oct_layout_bytes(&layouts[i]), n = 1 + below(3000),
                 n_first = below(n);
    uint8_t *records = make_records(RECORDS_RANDOM, n, record_bytes),
            *back = malloc(n * record_bytes);
    oct_buffer streams[OCT_LAYOUT_FIELDS_MAX] = {{0}};
    oct_cursor cursors[OCT_LAYOUT_FIELDS_MAX];
    void *codec;
    assert_int_equal(s.codec->n_streams(&s, &layouts[i]), layouts[i].n_fields);
    assert_int_equal(s.codec->encoder_new(&s, &layouts[i], &codec, NULL), 0);
    assert_int_equal(s.codec->encode(codec, records, n_first, streams, NULL), 0);
    assert_int_equal(
        s.codec->encode(codec, records + n_first * record_bytes, n - n_first, streams, NULL), 0);
    for (unsigned k = 0; k < layouts[i].n_fields; k++) {
      assert_int_equal(streams[k].n_bytes, n * layouts[i].field_bytes[k]);
      cursors[k] = (oct_cursor){streams[k].bytes, streams[k].n_bytes, false};
    }
    assert_memory_equal(streams[0].bytes + layouts[i].field_bytes[0], records + record_bytes,
                        n > 1 ? layouts[i].field_bytes[0] : 0);
    assert_int_equal(s.codec->decode(codec, cursors, back, n, NULL), 0);
    assert_memory_equal(back, records, n * record_bytes);
    assert_int_equal(s.codec->decode(codec, cursors, back, 1, NULL), OCT_ERR_FORMAT);
    for (unsigned k = 0; k < layouts[i].n_fields; k++) oct_buffer_free(&streams[k]);
    s.codec->encoder_free(codec);
    free(records);
    free(back);
  }
}

static void test_every_stage(void **state) {
  (void)state;
  seed_random("every stage");
  for (int stage = 0; stage < OCT_GENERAL_COUNT; stage++)
    for (int level = 0; level <= OCT_GENERAL_LEVEL_MAX; level++) {
      if (is_left_out()) continue;
      if (oct_general_check((oct_general_kind)stage, level, NULL)) continue;
      oct_codec_settings s =
          settings_of("vpc:spec=32: L1=1, L2=64: FCM1[1]; 64: L1=4, L2=64: LV[2]");
      s.stage = (oct_general_kind)stage;
      s.level = level;
      s.segment_bytes = 20000;
      check(&s, RECORDS_RANDOM, 3000, 2);
    }
}

/* What a stage makes is what the tool of that name takes. */
static void test_stage_formats(void **state) {
  (void)state;
  static const char *const magic[OCT_GENERAL_COUNT] = {[OCT_GENERAL_GZIP] = "\x1f\x8b",
                                                       [OCT_GENERAL_BZIP2] = "BZh9",
                                                       [OCT_GENERAL_XZ] =
                                                           "\xfd"
                                                           "7zXZ",
                                                       [OCT_GENERAL_ZSTD] = "\x28\xb5\x2f\xfd"};
  for (int stage = 1; stage < OCT_GENERAL_COUNT; stage++) {
    oct_buffer out = {0};
    assert_int_equal(oct_general_compress((oct_general_kind)stage,
                                          oct_general_default_level((oct_general_kind)stage),
                                          (const uint8_t *)"abc", 3, &out, NULL),
                     0);
    if (magic[stage]) assert_memory_equal(out.bytes, magic[stage], strlen(magic[stage]));
    /* In the head of its block, LZMA2 has one byte, which is 0 for a dictionary of 4 KiB. */
    if (stage == OCT_GENERAL_XZ) assert_non_null(memmem(out.bytes, 24, "\x21\x01\x00", 3));
    oct_buffer_free(&out);
  }
}

/* Every truncation and every flipped bit of a small file is found, and its offset said. */
static void test_damage(void **state) {
  (void)state;
  seed_random("damage");
  for (unsigned i = 0; takes_records(i); i++) {
    oct_codec_settings s;
    oct_codec_defaults(oct_codec_at(i), &s);
    if (!strcmp(s.codec->name, "vpc"))
      s = settings_of("vpc:spec=32: L1=1, L2=64: FCM1[1]; 64: L1=4, L2=64: LV[2]");
    s.stage = OCT_GENERAL_ZSTD;
    s.level = 1;
    s.segment_bytes = 600;
    oct_layout layout = layout_of(&s);
    uint8_t *records = make_records(RECORDS_RANDOM, 100, oct_layout_bytes(&layout));
    memory_file file = {{0}, 0};
    pack_records(&s, records, 100, 0, &file);
    /* Codecs with large tables are tried at some places only. */
    size_t n = file.bytes.n_bytes, step = strcmp(s.codec->name, "plain") ? n / 20 : 1;
    for (size_t at = 0; at < n; at += 1 + below(2 * step)) {
      if (is_left_out()) continue;
      oct_buffer back = {0};
      oct_diag diag = {0};
      uint8_t bit = (uint8_t)(1u << below(8));
      file.bytes.bytes[at] ^= bit;
      if (unpack_records(&file, at & 1, &back, &diag) >= 0)
        fail_msg("%s: bit flipped at %zu of %zu was not found", s.codec->name, at, n);
      if (!strstr(oct_diag_line(&diag).text, "offset "))
        fail_msg("no offset: %s", oct_diag_line(&diag).text);
      file.bytes.bytes[at] ^= bit;
      back.n_bytes = 0;
      file.bytes.n_bytes = at;
      if (unpack_records(&file, at & 1, &back, &diag) >= 0)
        fail_msg("%s: end at %zu of %zu was not found", s.codec->name, at, n);
      if (!strstr(oct_diag_line(&diag).text, "offset "))
        fail_msg("no offset: %s", oct_diag_line(&diag).text);
      file.bytes.n_bytes = n;
      oct_buffer_free(&back);
    }
    oct_buffer_put(&file.bytes, "x", 1);
    oct_buffer back = {0};
    oct_diag diag = {0};
    assert_int_equal(unpack_records(&file, 1, &back, &diag), OCT_ERR_FORMAT);
    assert_non_null(strstr(oct_diag_line(&diag).text, "follow"));
    oct_buffer_free(&back);
    oct_buffer_free(&file.bytes);
    free(records);
  }
}

/* Each of the three checks finds what the others would let pass: the checksum of a stream, which
 * names it; and the end's, of all records. */
static void test_checksums(void **state) {
  (void)state;
  oct_codec_settings s = settings_of("plain:stage=none");
  uint8_t *records = make_records(RECORDS_LOOP, 100, 12);
  memory_file file = {{0}, 0};
  oct_buffer back = {0};
  oct_diag diag = {0};
  pack_records(&s, records, 100, 0, &file);
  /* The end: mark, kind, number, block before, records, hash, checksum. */
  uint8_t *end = file.bytes.bytes + file.bytes.n_bytes - 56;
  size_t n_text = oct_get_u32(file.bytes.bytes + OCT_CODEC_MAGIC_BYTES);
  uint64_t head_sum = oct_get_u64(file.bytes.bytes + OCT_CODEC_MAGIC_BYTES + 4 + n_text);
  end[-1] ^= 1;
  assert_int_equal(unpack_records(&file, 0, &back, &diag), OCT_ERR_CHECKSUM);
  assert_non_null(strstr(oct_diag_line(&diag).text, "channel records, stream 0: the checksum"));
  end[-1] ^= 1;
  end[40] ^= 1;
  oct_put_u64(end + 48, XXH64(end, 48, head_sum + 1));
  assert_int_equal(unpack_records(&file, 0, &back, &diag), OCT_ERR_CHECKSUM);
  assert_non_null(
      strstr(oct_diag_line(&diag).text, "channel records: 100 records with another checksum"));
  oct_buffer_free(&back);
  oct_buffer_free(&file.bytes);
  free(records);
}

/* A head that is whole but cannot be used ends in an error that says where, too. */
static void test_heads_that_lie(void **state) {
  (void)state;
  static const char rest[] = "content: records\nchannel: records main 8\n";
  static const struct {
    const char *text, *said;
    int error;
  } heads[] = {
      {"codec: plain:stage=none,level=0,segment=1,split=no\n", "version", OCT_ERR_FORMAT},
      {"version: 1\n", "version", OCT_ERR_UNSUPPORTED},
      {"codec: none\nversion: 1\n", "none", OCT_ERR_UNSUPPORTED},
      {"codec: plain:stage=none,level=0,segment=1,split=no\nversion: 99\n", "version 99",
       OCT_ERR_UNSUPPORTED},
      {"codec: vpc:stage=none,level=0,segment=1,update=always,spec=64: L1=1, L2=268435456: "
       "FCM1[2]\n"
       "version: 1\n",
       "tables of 4097 MiB", OCT_ERR_LIMIT},
  };
  for (unsigned i = 0; i < sizeof heads / sizeof *heads; i++) {
    memory_file file = {{0}, 0};
    oct_buffer back = {0};
    oct_diag diag = {0};
    size_t n = strlen(heads[i].text), n_rest = sizeof rest - 1;
    const uint8_t size[4] = {(uint8_t)(n + n_rest), (uint8_t)((n + n_rest) >> 8)};
    assert_int_equal(oct_buffer_put(&file.bytes, "OCTCODC1", 8), 0);
    assert_int_equal(oct_buffer_put(&file.bytes, size, 4), 0);
    assert_int_equal(oct_buffer_put(&file.bytes, heads[i].text, n), 0);
    assert_int_equal(oct_buffer_put(&file.bytes, rest, n_rest), 0);
    uint8_t sum[8];
    oct_put_u64(sum, XXH64(file.bytes.bytes, file.bytes.n_bytes, 0));
    assert_int_equal(oct_buffer_put(&file.bytes, sum, sizeof sum), 0);
    assert_int_equal(unpack_records(&file, 0, &back, &diag), heads[i].error);
    if (strncmp(oct_diag_line(&diag).text, "offset 12: ", 11) ||
        !strstr(oct_diag_line(&diag).text, heads[i].said))
      fail_msg("%s: %s", heads[i].text, oct_diag_line(&diag).text);
    oct_buffer_free(&back);
    oct_buffer_free(&file.bytes);
  }
}

/* A checksum made right does not help a stream that its decoder cannot use. */
static void test_streams_that_lie(void **state) {
  (void)state;
  seed_random("streams that lie");
  for (unsigned i = 0; takes_records(i); i++) {
    oct_codec_settings s;
    oct_codec_defaults(oct_codec_at(i), &s);
    oct_layout layout = layout_of(&s);
    unsigned n_streams = s.codec->n_streams(&s, &layout);
    void *decoder = NULL;
    for (int turn = 0; turn < 20; turn++) {
      if (is_left_out()) continue;
      oct_cursor streams[OCT_CODEC_STREAMS_MAX];
      uint8_t *bytes[OCT_CODEC_STREAMS_MAX], records[24 * 64];
      oct_diag diag = {0};
      assert_int_equal(s.codec->decoder_new(&s, &layout, &decoder, &diag), 0);
      for (unsigned k = 0; k < n_streams; k++) {
        size_t n = below(200);
        bytes[k] = malloc(n + 1);
        for (size_t b = 0; b < n; b++) bytes[k][b] = (uint8_t)(below(2) ? below(12) : random_u64());
        streams[k] = (oct_cursor){bytes[k], n, false};
      }
      int error = s.codec->decode_begin ? s.codec->decode_begin(decoder, streams, 64, &diag) : 0;
      if (!error) error = s.codec->decode(decoder, streams, records, 64, &diag);
      if (error && error != OCT_ERR_FORMAT && error != OCT_ERR_LIMIT)
        fail_msg("%s: %s", s.codec->name, oct_error_name(error));
      if (error) assert_true(diag.text[0]);
      for (unsigned k = 0; k < n_streams; k++) free(bytes[k]);
      s.codec->decoder_free(decoder);
    }
  }
}

static void test_settings(void **state) {
  (void)state;
  char text[OCT_CODEC_TEXT_MAX + 256];
  static const char *const bad[] = {
      "none",          "vpc3:",           "vpc3:x=1",         "vpc3:stage=zip",
      "vpc3:level=10", "vpc3:level",      "vpc3:segment=0",   "vpc3:stage=zstd,level=23",
      "vpc3:update=",  "vpc3:update=new", "vpc:spec=",        "plain:stage=none,level=1",
      "vpc3:level=-1", "vpc3:level=1x",   "vpc3:segment=5000"};
  for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
    oct_codec_settings s;
    oct_diag diag = {0};
    if (!oct_codec_parse(bad[i], &s, &diag)) fail_msg("'%s' was taken", bad[i]);
    assert_true(diag.text[0]);
  }
  for (unsigned i = 0; oct_codec_at(i); i++) {
    oct_codec_settings s, again;
    memset(&again, 0, sizeof again);
    oct_codec_defaults(oct_codec_at(i), &s);
    s.segment_bytes = (s.segment_bytes + 0xfffff) >> 20 << 20;
    assert_true(oct_codec_print(&s, text, sizeof text) < sizeof text);
    again = settings_of(text);
    assert_ptr_equal(again.codec, s.codec);
    assert_memory_equal(again.value, s.value, sizeof s.value);
    assert_string_equal(again.option_text, s.option_text);
    assert_int_equal(again.stage, s.stage);
    assert_int_equal(again.level, s.level);
    assert_int_equal(again.segment_bytes, s.segment_bytes);
    assert_ptr_equal(oct_codec_find(s.codec->name), s.codec);
  }
}

/* What may be written may be read: also each option at its ends. */
static void test_settings_at_their_ends(void **state) {
  (void)state;
  for (unsigned i = 0; oct_codec_at(i); i++)
    for (unsigned o = 0; o < oct_codec_at(i)->n_options; o++)
      for (unsigned is_most = 0; is_most < 2; is_most++) {
        const oct_codec *codec = oct_codec_at(i);
        const oct_codec_option *option = &codec->options[o];
        char text[128], printed[OCT_CODEC_TEXT_MAX + 256];
        oct_codec_settings s = {0}, again;
        oct_layout layout;
        oct_diag diag = {0};
        if (option->kind != OCT_OPTION_NUMBER) continue;
        snprintf(text, sizeof text, "%s:%s=%" PRIu64, codec->name, option->name,
                 is_most ? option->max : option->min);
        if (oct_codec_parse(text, &s, &diag)) fail_msg("%s: %s", text, oct_diag_line(&diag).text);
        if (codec->layout && codec->layout(&s, &layout, &diag)) continue;
        assert_true(oct_codec_print(&s, printed, sizeof printed) < sizeof printed);
        if (oct_codec_parse(printed, &again, &diag))
          fail_msg("%s: %s", text, oct_diag_line(&diag).text);
        assert_memory_equal(again.value, s.value, sizeof s.value);
      }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_codec),      cmocka_unit_test(test_every_stage),
      cmocka_unit_test(test_split_fields),     cmocka_unit_test(test_stage_formats),
      cmocka_unit_test(test_damage),           cmocka_unit_test(test_checksums),
      cmocka_unit_test(test_streams_that_lie), cmocka_unit_test(test_settings),
      cmocka_unit_test(test_heads_that_lie),   cmocka_unit_test(test_settings_at_their_ends),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
