/* SPDX-License-Identifier: Apache-2.0 */
/* test_damage.c - is damage of a file found, and does nothing that a file says do harm? */
#include "events_util.h"

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
      memcpy(copy, f.p, f.n);
      for (uint32_t k = 1 + random_below(3); k; k--)
        copy[random_below((uint32_t)f.n)] = (uint8_t)random_below(256);
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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_any_byte),
      cmocka_unit_test(test_random_bytes),
      cmocka_unit_test(test_name_with_end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
