/* SPDX-License-Identifier: Apache-2.0 */
/* test_vpc.c - is VPC3 what was published, and is the configurable VPC the same machine? */
#include "codec_util.h"
#include "oct_vpc.h"
#include "oct_vpc3.h"
#include "oct_vpc_kernel.h"

typedef struct record {
  uint32_t pc;
  uint64_t ed;
} record;

static void put(uint8_t *p, record r) {
  memcpy(p, &r.pc, 4);
  memcpy(p + 4, &r.ed, 8);
}

/* Encode records with a codec of four streams. */
static void encode(const char *codec, const record *records, size_t n, oct_buffer *streams) {
  oct_codec_settings s = settings_of(codec);
  oct_layout layout = layout_of(&s);
  void *encoder;
  uint8_t *bytes = malloc(12 * n);
  assert_int_equal(s.codec->encoder_new(&s, &layout, &encoder, NULL), 0);
  for (size_t i = 0; i < n; i++) put(bytes + 12 * i, records[i]);
  memset(streams, 0, 4 * sizeof *streams);
  assert_int_equal(s.codec->encode(encoder, bytes, n, streams, NULL), 0);
  s.codec->encoder_free(encoder);
  free(bytes);
}

static void release(oct_buffer *streams) {
  for (unsigned i = 0; i < 4; i++) oct_buffer_free(&streams[i]);
}

/* VPC3 page: PC 1024 and ED 16 are predicted, and a code each is all that is written; PC 8200 and
 * ED 385 are not, so that streams 1 and 3 get the special code and streams 2 and 4 the values. The
 * codes are those of Burtscher 2004, which says 4 and 10 where the page says 0. */
static void test_worked_example(void **state) {
  (void)state;
  oct_buffer s[4];
  /* A loop of one instruction with one address, learnt, then the pair that was never seen. */
  record records[8];
  for (unsigned i = 0; i < 7; i++) records[i] = (record){1024, 16};
  records[7] = (record){8200, 385};
  encode("vpc3", records, 8, s);
  assert_int_equal(s[0].n_bytes, 8);
  assert_int_equal(s[2].n_bytes, 8);
  assert_true(s[0].bytes[6] < 4);
  assert_true(s[2].bytes[6] < 10);
  assert_int_equal(s[0].bytes[7], 4);
  assert_int_equal(s[2].bytes[7], 10);
  assert_int_equal(s[0].bytes[0], 4);
  assert_int_equal(s[2].bytes[0], 10);
  const uint32_t pc = 8200;
  const uint64_t ed = 385;
  assert_memory_equal(s[1].bytes + s[1].n_bytes - 4, &pc, 4);
  assert_memory_equal(s[3].bytes + s[3].n_bytes - 8, &ed, 8);
  release(s);
}

/* By hand: one instruction whose address goes up by 8. The tables are empty at first, and hashes
 * of nothing are 0, as are all predictions.
 *
 * Record 0, PC 7, ED 100: nothing is right. The first PC is put in line 0 of both FCMs, and ED into
 * L4Va; stride 100 into line 0 of both DFCMs.
 * Record 1, PC 7: the line of (7) is empty, that of order 3 too: not predicted. ED 108: stride 8.
 * Record 2: order 1 has seen 7 after 7: code 0. ED 116: after stride 8 nothing was seen: not
 * predicted. Record 3: code 0; ED 124: after stride 8 came 8: DFCM1a, code 0. */
static void test_by_hand(void **state) {
  (void)state;
  oct_buffer s[4];
  const record records[] = {{7, 100}, {7, 108}, {7, 116}, {7, 124}, {7, 100}, {7, 124}};
  static const uint8_t pc_codes[] = {4, 4, 0, 0, 0, 0};
  /* 100 again: of the last four values 124, 116, 108, 100 it is the oldest: L4Vd, code 7. Then 124
   * is the second: L4Vb, code 5. */
  static const uint8_t ed_codes[] = {10, 10, 10, 0, 7, 5};
  static const uint64_t missed[] = {100, 108, 116};
  encode("vpc3", records, 6, s);
  assert_memory_equal(s[0].bytes, pc_codes, sizeof pc_codes);
  assert_memory_equal(s[2].bytes, ed_codes, sizeof ed_codes);
  assert_int_equal(s[1].n_bytes, 8);
  assert_int_equal(s[3].n_bytes, sizeof missed);
  assert_memory_equal(s[3].bytes, missed, sizeof missed);
  release(s);
}

/* The hash of docs/codec-file.md, section 5: files depend on it. */
static void test_hash(void **state) {
  (void)state;
  static const uint64_t values[] = {3, UINT64_C(0x123456789ABCDEF0), 1024, 0, ~UINT64_C(0), 77};
  uint32_t m[6], hashes[5] = {0};
  for (unsigned i = 0; i < 6; i++) {
    m[i] = (uint32_t)(values[i] * UINT64_C(0x9E3779B97F4A7C15) >> 32);
    oct_vpc_hash(hashes, 5, values[i]);
  }
  uint32_t want = m[5];
  for (unsigned order = 1; order <= 5; order++) {
    assert_int_equal(hashes[order - 1], want);
    unsigned turn = 11 * order % 32;
    want ^= m[5 - order] << turn | m[5 - order] >> (32 - turn);
  }
}

/* The predictor used most is taken when several are right; the lower code among equals. */
static void test_selection(void **state) {
  (void)state;
  oct_vpc_selector s;
  oct_vpc_selector_init(&s, 10);
  assert_int_equal(oct_vpc_select(&s, 1u << 3 | 1u << 7, 10), 3);
  assert_int_equal(oct_vpc_select(&s, 1u << 7, 10), 7); /* 3 and 7 once each */
  assert_int_equal(oct_vpc_select(&s, 1u << 3 | 1u << 7, 10), 3);
  assert_int_equal(oct_vpc_select(&s, 1u << 7, 10), 7);
  assert_int_equal(oct_vpc_select(&s, 1u << 7, 10), 7); /* 7 is ahead now */
  assert_int_equal(oct_vpc_select(&s, 1u << 3 | 1u << 7, 10), 7);
  assert_int_equal(oct_vpc_select(&s, 1u << 0 | 1u << 3, 10), 3);
  assert_int_equal(oct_vpc_select(&s, 0, 10), 10);
  assert_int_equal(s.used[10], 1);
}

/* Against a plain search for the highest count, at random. */
static void test_selection_random(void **state) {
  (void)state;
  seed_random("selection");
  for (unsigned n = 1; n <= OCT_VPC_CODES_MAX; n += 3) {
    if (is_left_out()) continue;
    oct_vpc_selector s;
    uint64_t used[OCT_VPC_CODES_MAX] = {0};
    oct_vpc_selector_init(&s, n);
    for (int i = 0; i < 3000; i++) {
      uint32_t mask = (uint32_t)random_u64();
      mask &= (uint32_t)random_u64();
      if (n < 32) mask &= (1u << n) - 1;
      unsigned best = n;
      for (unsigned c = 0; c < n; c++)
        if (mask >> c & 1 && (best == n || used[c] > used[best])) best = c;
      if (best < n) used[best]++;
      assert_int_equal(oct_vpc_select(&s, mask, n), best);
    }
  }
}

/* Section 4.4: 5 MB for PCs, 21 MB for extended data. */
static void test_table_sizes(void **state) {
  (void)state;
  oct_vpc_config c;
  oct_diag diag;
  static const char spec[] =
      "32: L1=1, L2=131072: FCM1[2], FCM3[2]; "
      "64: L1=65536, L2=131072: DFCM1[2], DFCM3[2], LV[4], FCM1[2]@524288";
  if (oct_vpc_parse(spec, &c, &diag)) fail_msg("%s", oct_diag_line(&diag).text);
  assert_int_equal(oct_vpc_bytes(&c.fields[0]) >> 20, 5);
  assert_int_equal(oct_vpc_bytes(&c.fields[1]) >> 20, 21);
  /* What Michaud 2009 says of its specification. */
  assert_int_equal(
      oct_vpc_parse("64: L1=1, L2=1048576: DFCM3[2], FCM3[3], FCM2[3], FCM1[3]", &c, &diag), 0);
  assert_int_equal(oct_vpc_bytes(&c.fields[0]) >> 20, 232);
}

/* The same predictors by specification make the same streams, with both update rules. */
static void test_configured_as_vpc3(void **state) {
  (void)state;
  seed_random("configured as vpc3");
  enum { N = 30000 };
  record *records = malloc(N * sizeof *records);
  for (unsigned i = 0; i < N; i++) {
    records[i].pc = (uint32_t)(below(50) ? i % 97 : random_u64());
    records[i].ed = below(9) ? 4096 + records[i].pc * i % 5 * 8 + i : random_u64();
  }
  for (int changed = 0; changed < 2; changed++) {
    oct_buffer a[4], b[4];
    encode(changed ? "vpc3:update=changed" : "vpc3", records, N, a);
    encode(changed ? "vpc:update=changed,spec=32: L1=1, L2=131072: FCM1[2], FCM3[2]; 64: L1=65536, "
                     "L2=131072: DFCM1[2], DFCM3[2], LV[4], FCM1[2]@524288"
                   : "vpc:spec=32: L1=1, L2=131072: FCM1[2], FCM3[2]; 64: L1=65536, L2=131072: "
                     "DFCM1[2], DFCM3[2], LV[4], FCM1[2]@524288",
           records, N, b);
    for (unsigned i = 0; i < 4; i++) {
      assert_int_equal(a[i].n_bytes, b[i].n_bytes);
      assert_memory_equal(a[i].bytes, b[i].bytes, a[i].n_bytes);
    }
    release(a);
    release(b);
  }
  free(records);
}

/* A repeated value does not push the older one out of its line, with the extension. */
static void test_changed_only(void **state) {
  (void)state;
  oct_buffer always[4], changed[4];
  record records[24];
  for (unsigned i = 0; i < 24; i++) records[i] = (record){7, i % 6 ? 1000 : 2000 + i / 12};
  encode("vpc3", records, 24, always);
  encode("vpc3:update=changed", records, 24, changed);
  assert_int_equal(always[0].n_bytes, changed[0].n_bytes);
  assert_true(memcmp(always[2].bytes, changed[2].bytes, 24) != 0);
  /* Number 18 is 2001, seen six records before behind five equal ones: L4V still has it. */
  assert_true(changed[2].bytes[18] < 10);
  release(always);
  release(changed);
}

static void test_specifications(void **state) {
  (void)state;
  static const char *const good[] = {
      "8: L1=1, L2=2: LV[1]", "64: L1=1, L2=1048576: DFCM3[2], FCM3[3], FCM2[3], FCM1[3]",
      "16: L1=1, L2=64: FCM8[8]; 8: L1=16777216, L2=2: LV[8]",
      "64:L1=256,L2=64:LV[2];32:L1=1,L2=64:FCM1[1];PC=2",
      "32: L1=1, L2=4: FCM1[2]@8, DFCM2[1]@4;8:L1=1,L2=4:LV[1];16:L1=2,L2=4:DFCM1[1]"};
  static const char *const bad[] = {"",
                                    "12: L1=1, L2=2: LV[1]",
                                    "8: L1=3, L2=2: LV[1]",
                                    "8: L1=2, L2=2: LV[1]",
                                    "8: L1=1, L2=2:",
                                    "8: L1=1, L2=2: LV[9]",
                                    "8: L1=1, L2=2: LV[1], LV[1]",
                                    "8: L1=1, L2=2: XV[1]",
                                    "8: L1=1, L2=2: FCM0[1]",
                                    "8: L1=1, L2=2: FCM1[1];",
                                    "8: L1=1, L2=2: FCM1[1]; PC=2",
                                    "8: L1=1, L2=2: FCM1[1] x",
                                    "8: L1=1, L2=268435456: FCM2[1]",
                                    "8: L1=1, L2=2: FCM1[8], FCM2[8], FCM3[8], FCM4[8], FCM5[1]",
                                    "8: L1=1, L2=2: FCM1[1]@3"};
  oct_vpc_config c;
  oct_diag diag;
  for (unsigned i = 0; i < sizeof good / sizeof *good; i++)
    if (oct_vpc_parse(good[i], &c, &diag)) fail_msg("'%s': %s", good[i], oct_diag_line(&diag).text);
  for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
    diag.text[0] = '\0';
    assert_int_equal(oct_vpc_parse(bad[i], &c, &diag), OCT_ERR_CONFIG);
    assert_true(diag.text[0]);
  }
}

/* Fields of every width, keys from another field, there and back. */
static void test_field_widths(void **state) {
  (void)state;
  seed_random("field widths");
  static const char *const specs[] = {
      "vpc:spec=8: L1=1, L2=64: DFCM2[3], LV[2]",
      "vpc:spec=16: L1=1, L2=64: DFCM1[1], FCM3[2]; 8: L1=16, L2=32: DFCM2[2]",
      "vpc:spec=64: L1=256, L2=64: LV[2], DFCM1[2]; 32: L1=1, L2=64: FCM1[1]; 16: L1=64, L2=8: "
      "DFCM3[8]; 8: L1=2, L2=8: FCM2[4]; PC=2",
      "vpc:spec=64: L1=1, L2=1024: DFCM3[2], FCM3[3], FCM2[3], FCM1[3]"};
  for (unsigned i = 0; i < 4; i++)
    for (int kind = 0; kind < RECORDS_KINDS; kind++) {
      if (is_left_out()) continue;
      oct_codec_settings s = settings_of(specs[i]);
      oct_layout layout = layout_of(&s);
      size_t n = 9000, n_bytes = n * oct_layout_bytes(&layout);
      uint8_t *records = make_records(kind, n, oct_layout_bytes(&layout));
      memory_file file = {{0}, 0};
      oct_buffer back = {0};
      oct_diag diag = {0};
      pack_records(&s, records, n, 1, &file);
      if (unpack_records(&file, 1, &back, &diag))
        fail_msg("%s: %s", specs[i], oct_diag_line(&diag).text);
      assert_int_equal(back.n_bytes, n_bytes);
      assert_memory_equal(back.bytes, records, n_bytes);
      oct_buffer_free(&back);
      oct_buffer_free(&file.bytes);
      free(records);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_worked_example),
      cmocka_unit_test(test_by_hand),
      cmocka_unit_test(test_hash),
      cmocka_unit_test(test_selection),
      cmocka_unit_test(test_selection_random),
      cmocka_unit_test(test_table_sizes),
      cmocka_unit_test(test_configured_as_vpc3),
      cmocka_unit_test(test_changed_only),
      cmocka_unit_test(test_specifications),
      cmocka_unit_test(test_field_widths),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
