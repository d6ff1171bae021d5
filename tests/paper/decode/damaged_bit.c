/* SPDX-License-Identifier: Apache-2.0 */
/* damaged_bit.c - does the decoder's error name the bit at which a damaged stream goes wrong? */
#include "oct_worked.h"

/* Task packets in front of the damage: none, some, and more than are parsed in one go. */
static const unsigned n_before[] = {0, 1, 3000};
static const size_t steps[] = {1, 3, 1000000};

typedef struct damage {
  const char *text;                    /* what the error says */
  void (*write)(oct_bw *w);            /* the bad packet */
  unsigned ntuple_n, rep_pattern_bits; /* of the machine */
} damage;

static void write_reserved(oct_bw *w) {
  bw_prefix(w, "1111101");
}
static void write_no_pattern(oct_bw *w) {
  bw_prefix(w, "111101");
  bw_field(w, 0, 5);
}
static void write_whole_pattern(oct_bw *w) {
  bw_prefix(w, "111101");
  bw_field(w, 8, 5);
}
static void write_no_tuple(oct_bw *w) {
  bw_part_tuple(w, (uint32_t[]){0}, 0);
}
static void write_long_tuple(oct_bw *w) {
  bw_part_tuple(w, (uint32_t[]){0, 0, 0}, 3);
}
static void write_short_mark(oct_bw *w) {
  for (unsigned i = 0; i + 1 < w->sync_ones; i++) bw_field(w, 1, 1);
}
static void write_long_mark(oct_bw *w) {
  bw_field(w, 1, 1);
  bw_sync(w, 0, 0);
}
static void write_flush_of_ones(oct_bw *w) {
  unsigned n = (unsigned)(8 - (w->n_bits + 11) % 8) % 8;
  bw_prefix(w, "11111001");
  bw_field(w, n ? n : 8 - 1, 3);
  bw_field(w, 0xff, n ? n : 8 - 1);
}
static void write_flush_off_bytes(oct_bw *w) {
  unsigned n = (unsigned)(8 - (w->n_bits + 11) % 8) % 8;
  bw_prefix(w, "11111001");
  bw_field(w, n ^ 1, 3);
  bw_field(w, 0, n ^ 1);
}

static const damage damages[] = {
    {"reserved packet prefix", write_reserved, 0, 8},
    {"a part of no bit, or of as many as a pattern has", write_no_pattern, 0, 8},
    {"a part of no bit, or of as many as a pattern has", write_whole_pattern, 0, 8},
    {"a part of no index, or of as many as a tuple has", write_no_tuple, 3, 8},
    {"a part of no index, or of as many as a tuple has", write_long_tuple, 3, 8},
    {"a sync mark of too few ones", write_short_mark, 0, 8},
    {"a sync mark of too many ones", write_long_mark, 0, 8},
    {"a flush that does not fill up a byte with zeros", write_flush_of_ones, 0, 8},
    {"a flush that does not fill up a byte with zeros", write_flush_off_bytes, 0, 8},
};

static oct_bw begin(const damage *d, unsigned before) {
  oct_config c = plain();
  oct_bw w;
  c.ntuple_n = d->ntuple_n;
  c.rep_pattern_bits = d->rep_pattern_bits;
  bw_init(&w, &c);
  bw_sync(&w, 0, 0);
  for (unsigned i = 0; i < before; i++) bw_task(&w, i);
  return w;
}

/* A packet that cannot be is named with the bit that it begins at. */
static void bad_packets_are_named(void **state) {
  (void)state;
  for (unsigned k = 0; k < COUNT(damages); k++) {
    const damage *d = &damages[k];
    for (unsigned i = 0; i < COUNT(n_before); i++) {
      char text[120];
      oct_bw w = begin(d, n_before[i]);
      snprintf(text, sizeof text, "bit %zu: %s", w.n_bits, d->text);
      d->write(&w);
      for (unsigned k = 0; k < 4; k++) bw_field(&w, 0, 50);
      for (unsigned s = 0; s < COUNT(steps); s++) {
        oct_run r;
        run_decoder(&r, &w.cfg, OCT_START_IN_STEP, bare, BARE_COUNT, w.bytes, bw_bytes(&w),
                    steps[s]);
        assert_string_equal(oct_diag_line(&r.diag).text, text);
        assert_int_equal(r.result, OCT_ERR_PACKET);
        free(r.text);
      }
      bw_free(&w);
    }
  }
}

static void a_missing_sync_is_named(void **state) {
  (void)state;
  oct_config c = plain();
  oct_bw w;
  bw_init(&w, &c);
  bw_scmt(&w, 0x1000, 1);
  bw_flush(&w);
  oct_run r;
  run_decoder(&r, &c, OCT_START_IN_STEP, bare, BARE_COUNT, w.bytes, bw_bytes(&w), 1);
  assert_string_equal(oct_diag_line(&r.diag).text, "bit 0: no sync packet where one must be");
  free(r.text);
  bw_free(&w);
}

/* Bits are counted from the beginning of the capture also when what stands there was passed over.
 */
static void bits_count_from_the_capture(void **state) {
  (void)state;
  for (unsigned skipped = 0; skipped < 40; skipped++) {
    oct_config c = plain();
    char text[80];
    oct_run r;
    oct_bw w;
    bw_init(&w, &c);
    bw_field(&w, 0, skipped);
    bw_sync(&w, 0, 0);
    bw_task(&w, 5);
    snprintf(text, sizeof text, "bit %zu: reserved packet prefix", w.n_bits);
    write_reserved(&w);
    bw_field(&w, 0, 64);
    run_decoder(&r, &c, OCT_START_SEARCH, bare, BARE_COUNT, w.bytes, bw_bytes(&w), 2);
    assert_string_equal(oct_diag_line(&r.diag).text, text);
    free(r.text);
    bw_free(&w);
  }
}

/* A cut stream is named with the bit that its last packet, which is not whole, begins at. */
static void cuts_are_named(void **state) {
  oct_bw w = worked();
  /* Where the packets of the worked example begin. */
  (void)state;
  for (size_t n = 1; n < bw_bytes(&w); n++) {
    static const size_t begins[] = {0, 121, 163, 173, 207, 217, 251, 264};
    char text[80];
    size_t at = 0;
    oct_run r;
    for (unsigned i = 0; i < COUNT(begins); i++)
      if (begins[i] <= 8 * n) at = begins[i];
    snprintf(text, sizeof text, "bit %zu: ", at);
    run_decoder(&r, &w.cfg, OCT_START_IN_STEP, loop_map, 3, w.bytes, n, 5);
    if (strncmp(oct_diag_line(&r.diag).text, text, strlen(text)))
      fail_msg("%zu bytes: '%s', not '%s'", n, oct_diag_line(&r.diag).text, text);
    free(r.text);
  }
  bw_free(&w);
}

/* Packets that are whole, but contradict each other, are noticed when more has been read: the error
 * names the end of that, which is behind the packet at fault. */
static void contradictions_are_bounded(void **state) {
  (void)state;
  for (unsigned i = 0; i < COUNT(n_before); i++) {
    static const damage none = {.rep_pattern_bits = 8};
    oct_bw w = begin(&none, n_before[i]);
    bw_index(&w, 77); /* nothing is in that place of the stream cache */
    size_t behind = w.n_bits;
    bw_flush(&w);
    for (unsigned s = 0; s < COUNT(steps); s++) {
      unsigned long long at = 0;
      oct_run r;
      run_decoder(&r, &w.cfg, OCT_START_IN_STEP, bare, BARE_COUNT, w.bytes, bw_bytes(&w), steps[s]);
      assert_int_equal(r.result, OCT_ERR_PACKET);
      assert_int_equal(sscanf(oct_diag_line(&r.diag).text, "before bit %llu: ", &at), 1);
      assert_in_range(at, behind, w.n_bits);
      assert_non_null(strstr(oct_diag_line(&r.diag).text, ": stream cache index 77 is empty"));
      free(r.text);
    }
    bw_free(&w);
  }
}

/* A mark whose packet is bad is not found for ever. */
static void bad_syncs_are_passed_over(void **state) {
  (void)state;
  oct_config c = plain();
  oct_decoder *d;
  oct_decoded run;
  oct_diag diag;
  oct_bw w;
  c.check_bits = 16;
  bw_init(&w, &c);
  for (unsigned i = 0; i < 3; i++) bw_sync(&w, 0, 0);
  bw_flush(&w);
  size_t zero = w.sync_ones + 1 + c.addr_bits + c.task_bits; /* in front of the check */
  w.bytes[zero / 8] ^= (uint8_t)(1 << zero % 8);
  assert_int_equal(oct_decoder_new(&c, OCT_START_SEARCH, &d, &diag), 0);
  assert_int_equal(oct_decoder_push(d, w.bytes, bw_bytes(&w), &diag), 0);
  oct_decoder_finish(d);
  assert_int_equal(oct_decoder_next(d, &run, &diag), OCT_ERR_PACKET);
  assert_int_equal(oct_decoder_resync(d, &diag), 1);
  assert_int_equal(oct_decoder_next(d, &run, &diag), 0);
  oct_decoder_free(d);
  bw_free(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bad_packets_are_named),   cmocka_unit_test(bad_syncs_are_passed_over),
      cmocka_unit_test(a_missing_sync_is_named), cmocka_unit_test(bits_count_from_the_capture),
      cmocka_unit_test(cuts_are_named),          cmocka_unit_test(contradictions_are_bounded)};
  return cmocka_run_group_tests(tests, setup, NULL);
}
