/* SPDX-License-Identifier: Apache-2.0 */
/* test_drmemtrace.c - are records of DynamoRIO read as they are meant, of 32 and 64 bits, from a
 * file and from a folder with one for each thread? What cannot be read is refused. */
#include "test_util.h"

#include "oct_endian.h"

#include <sys/stat.h>

static size_t put_record(uint8_t *p, unsigned type, unsigned size, uint64_t value, size_t width) {
  oct_put_bytes(p, type, 2);
  oct_put_bytes(p + 2, size, 2);
  oct_put_bytes(p + 4, value, width);
  return 4 + width;
}

static void test_drmemtrace(void **state) {
  uint8_t p[512];
  (void)state;
  for (size_t width = 4; width <= 8; width += 4) {
    trace got;
    oct_diag diag;
    size_t n = 0;
    n += put_record(p + n, 25, 0, 4, width);
    n += put_record(p + n, 28, 12, 4, width);
    n += put_record(p + n, 22, 4, 77, width);
    n += put_record(p + n, 10, 5, 0x1000, width);
    n += put_record(p + n, 1, 8, 0x2000, width);
    n += put_record(p + n, 17, 2, 0x0302, width); /* a bundle: two more, of 2 and 3 bytes */
    n += put_record(p + n, 0, 12, 0x3000, width); /* no power of two */
    n += put_record(p + n, 3, 64, 0x4000, width); /* a prefetch */
    size_t good = n;
    n += put_record(p + n, 16, 1, 0x1020, width);
    n += put_record(p + n, 26, 0, 0, width);
    assert_int_equal(read_bytes(p, n, OCT_FORMAT_AUTO, &got, &diag), 0);
    assert_int_equal(got.n_insns, 4);
    assert_int_equal(got.insns[1].addr, 0x1005);
    assert_int_equal(got.insns[2].addr, 0x1007);
    assert_int_equal(got.insns[2].size_bytes, 3);
    assert_int_equal(got.insns[2].n_access, 1);
    assert_int_equal(got.insns[0].task, 77);
    assert_int_equal(got.n_accesses, 2);
    assert_int_equal(got.accesses[0].is_store, 1);
    assert_int_equal(got.accesses[1].size_bytes, 0);
    assert_int_equal(got.n_map, 1);
    assert_int_equal(got.map[0].cls, OCT_CLASS_RETURN);
    trace_free(&got);
    put_record(p + good, 60, 0, 0, width); /* a type of a later version */
    assert_int_equal(read_bytes(p, n, OCT_FORMAT_AUTO, &got, &diag), OCT_ERR_FORMAT);
    assert_non_null(
        strstr(oct_diag_line(&diag).text, "expected a record type below 50, found 0x3c"));
    assert_int_equal(got.n_insns, 2); /* the third may have lacked accesses */
    trace_free(&got);
    put_record(p + good, 10, 16, 0, width);
    assert_int_equal(read_bytes(p, n, OCT_FORMAT_AUTO, &got, &diag), OCT_ERR_FORMAT);
    trace_free(&got);
  }
}

/* Records of 64 bits whose file type says x86, which has 32. */
static void test_drmemtrace_addr_bits(void **state) {
  (void)state;
  for (unsigned type = 0; type <= 10; type += 10) { /* a load, an instruction */
    uint8_t p[64];
    trace got;
    oct_diag diag;
    size_t n = put_record(p, 25, 0, 4, 8);
    n += put_record(p + n, 28, 9, 0x20, 8);
    n += put_record(p + n, 10, 4, 0x1000, 8);
    n += put_record(p + n, type, 4, UINT64_C(0x100000000), 8);
    assert_int_equal(read_bytes(p, n, OCT_FORMAT_AUTO, &got, &diag), OCT_ERR_FORMAT);
    assert_non_null(
        strstr(oct_diag_line(&diag).text, "offset 36: expected an address of at most 32 bits"));
    assert_int_equal(got.n_insns, 0); /* the only one may have lacked this access */
    trace_free(&got);
  }
}

/* A folder with a file for each thread: they take turns by their time stamps. */
static void test_folder(void **state) {
  static const uint64_t pcs[2][2] = {{0x1000, 0x1002}, {0x2000, 0x2002}};
  char folder[300], file[2][340];
  trace got;
  oct_diag diag = {0};
  (void)state;
  snprintf(folder, sizeof folder, "%s", scratch("threads"));
  mkdir(folder, 0700);
  for (unsigned i = 0; i < 2; i++) {
    uint8_t p[200];
    size_t n = put_record(p, 25, 0, 4, 8);
    n += put_record(p + n, 22, 4, 50 + i, 8);
    for (unsigned k = 0; k < 2; k++) {
      n += put_record(p + n, 28, 2, 100 + 20 * k + 10 * (1 - i), 8); /* the second file is first */
      n += put_record(p + n, 10, 2, pcs[i][k], 8);
      n += put_record(p + n, 0, 4, pcs[i][k] + 0x10000, 8);
    }
    snprintf(file[i], sizeof file[i], "%s/app.%u.trace", folder, i);
    save(file[i], p, n);
  }
  assert_int_equal(read_trace(folder, NULL, &got, &diag), 0);
  assert_int_equal(got.n_insns, 4);
  for (unsigned i = 0; i < 4; i++) {
    assert_int_equal(got.insns[i].addr, pcs[1 - i % 2][i / 2]);
    assert_int_equal(got.insns[i].task, 51 - i % 2);
    assert_int_equal(got.insns[i].n_access, 1);
  }
  trace_free(&got);
  /* A file of something else among them. */
  save(file[1], "8000\n", 5);
  assert_int_equal(read_trace(folder, NULL, &got, &diag), OCT_ERR_FORMAT);
  assert_non_null(
      strstr(oct_diag_line(&diag).text, "app.1.trace: offset 0: expected the header record"));
  save(file[0], "8000\n", 5);
  assert_int_equal(read_trace(folder, NULL, &got, &diag), OCT_ERR_FORMAT);
  unlink(file[0]);
  unlink(file[1]);
  assert_int_equal(read_trace(folder, NULL, &got, &diag), OCT_ERR_FORMAT);
  assert_non_null(strstr(oct_diag_line(&diag).text, "a folder: expected a file"));
  rmdir(folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_drmemtrace),
      cmocka_unit_test(test_drmemtrace_addr_bits),
      cmocka_unit_test(test_folder),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
