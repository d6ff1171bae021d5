/* SPDX-License-Identifier: Apache-2.0 */
/* test_formats.c - are the plain formats and SimpleScalar's listing read right, under every
 * compression, and are their errors told with file and line? */
#include "test_util.h"

#include <bzlib.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#ifndef TEST_DATA
#define TEST_DATA "tests/traces/data"
#endif

static void read_string(const char *content, trace *t, oct_diag *diag, int expected) {
  const char *path = scratch("trace.txt");
  oct_read_options options = {.format = oct_format_by_name("text")};
  save(path, content, strlen(content));
  memset(diag, 0, sizeof *diag);
  int rc = read_trace(path, &options, t, diag);
  if (rc != expected) fail_msg("%d %s", rc, oct_diag_line(diag).text);
  unlink(path);
}

static void test_text(void **state) {
  static const oct_insn insns[] = {
      {.addr = 0x8000, .size_bytes = 4},
      {.addr = 0x8004, .size_bytes = 4, .n_access = 2, .cycle = 12, .flags = OCT_INSN_HAS_CYCLE},
      {.addr = 0x8008, .size_bytes = 2, .n_access = 1, .task = 1},
      {.addr = 0xabc, .size_bytes = 4, .n_access = 1}};
  static const oct_access accesses[] = {
      {0x10000, 4, 0, 0}, {0x10004, 8, 1, 0}, {0x20000, 0, 1, 0}, {0x30, 0, 0, 0}};
  const trace want = {.insns = (oct_insn *)insns,
                      .accesses = (oct_access *)accesses,
                      .n_insns = 4,
                      .n_accesses = 4};
  trace got;
  oct_diag diag;
  (void)state;
  read_string(
      "# a loop\n\n8000\n8004 L4:10000 S8:10004 @12\r\n0x8008/2 S:0x20000 T:1 # end\n"
      "  ABC\t30\n",
      &got, &diag, 0);
  assert_part(&want, 0, 4, &got);
  trace_free(&got);
}

static void test_text_traps(void **state) {
  static const oct_insn insns[] = {{.addr = 0x8000, .size_bytes = 4},
                                   {.addr = 0x100, .size_bytes = 4}};
  static const oct_trap traps[] = {
      {.kind = OCT_TRAP_PRIVILEGE, .privilege = 0},
      {.insn = 1, .cause = 13, .addr = 0x8004, .tval = 0xdead, .privilege = 3},
      {.insn = 2, .kind = OCT_TRAP_INTERRUPT, .cause = 7, .privilege = OCT_PRIVILEGE_UNKNOWN}};
  const trace want = {
      .insns = (oct_insn *)insns, .traps = (oct_trap *)traps, .n_insns = 2, .n_traps = 3};
  trace got;
  oct_diag diag;
  (void)state;
  read_string(
      "!privilege P:0\n8000\n!exception 13 A:8004 V:0xdead P:3 # a load\n100\n"
      "  !interrupt 7\n",
      &got, &diag, 0);
  assert_part(&want, 0, 2, &got);
  assert_traps(&want, 0, 2, 1, &got);
  trace_free(&got);
}

static void test_text_errors(void **state) {
  static const struct {
    const char *content, *message;
    size_t n_before;
    int error;
  } cases[] = {
      {"8000\n8004 xyz\n", ":2: expected a hexadecimal address, found 'xyz'", 1, OCT_ERR_FORMAT},
      {"/* x\n", ":1: expected a hexadecimal address, found '/*'", 0, OCT_ERR_FORMAT},
      {"#\nq\n", ":2: expected a hexadecimal address, found 'q'", 0, OCT_ERR_FORMAT},
      {"80/16\n", ":1: expected an instruction size of 1 to 15 bytes, found '16'", 0,
       OCT_ERR_FORMAT},
      {"80 L3:5\n", "expected L:, S: or L, S with a size", 0, OCT_ERR_FORMAT},
      {"80 @x\n", ":1: expected a decimal cycle, found 'x'", 0, OCT_ERR_FORMAT},
      {"80 T:-1\n", ":1: expected a decimal task number, found '-1'", 0, OCT_ERR_FORMAT},
      {"80\n!trap 1\n", ":2: expected !exception, !interrupt or !privilege, found '!trap'", 1,
       OCT_ERR_FORMAT},
      {"!exception x\n", ":1: expected the decimal cause of a trap, found 'x'", 0, OCT_ERR_FORMAT},
      {"!interrupt\n", ":1: expected the decimal cause of a trap", 0, OCT_ERR_FORMAT},
      {"!interrupt 1 V:2\n", ":1: expected A:address, V:value or P:privilege of a trap", 0,
       OCT_ERR_FORMAT},
      {"!privilege P:7\n", ":1: expected a privilege of 0 to 6, found '7'", 0, OCT_ERR_FORMAT},
      {"80 11112222333344445\n", ":1: expected a hexadecimal address", 0, OCT_ERR_FORMAT},
  };
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    trace got;
    oct_diag diag;
    read_string(cases[i].content, &got, &diag, cases[i].error);
    if (!strstr(oct_diag_line(&diag).text, cases[i].message))
      fail_msg("%s", oct_diag_line(&diag).text);
    assert_non_null(strstr(oct_diag_line(&diag).text, "trace.txt:"));
    assert_int_equal(got.n_insns, cases[i].n_before);
    trace_free(&got);
  }
}

static void round_trip(oct_format format, int addr_bits, const trace *t) {
  const char *path = scratch("plain");
  oct_trace_info info = {.isa = "x", .addr_bits = (uint32_t)addr_bits};
  oct_write_options options = {.format = format, .info = &info};
  oct_diag diag = {0};
  oct_reader *r;
  trace got = {0};
  write_trace(path, t, &options);
  if (oct_reader_open(path, NULL, &r, &diag)) fail_msg("%s", oct_diag_line(&diag).text);
  assert_int_equal(oct_reader_info(r)->format, format);
  assert_int_equal(oct_reader_info(r)->addr_bits, addr_bits);
  if (drain(r, &got, &diag)) fail_msg("%s", oct_diag_line(&diag).text);
  oct_reader_close(r);
  assert_part(t, 0, t->n_insns, &got);
  if (format == oct_format_by_name("text")) assert_traps(t, 0, t->n_insns, 1, &got);
  trace_free(&got);
  unlink(path);
}

static void test_plain_round_trips(void **state) {
  trace t = random_trace(70000, 4);
  (void)state;
  seed_random("plain");
  add_random_traps(&t);
  round_trip(oct_format_by_name("text"), 64, &t);
  t.n_traps = 0;
  for (size_t i = 0; i < t.n_insns; i++)
    t.insns[i] =
        (oct_insn){.addr = i && below(4) ? t.insns[i - 1].addr + 4 : 0x400000 + 4 * below(1000),
                   .size_bytes = 4,
                   .n_access = t.insns[i].n_access};
  for (size_t i = 0; i < t.n_accesses; i++)
    t.accesses[i] = (oct_access){.addr = 0x7fff0000 + below(65536)};
  round_trip(oct_format_by_name("bin32"), 32, &t);
  round_trip(oct_format_by_name("bin64"), 64, &t);
  trace_free(&t);
}

/* An excerpt of a real run: 2008 instructions, 568 of them with an access. */
static void test_simplescalar(void **state) {
  trace got;
  oct_diag diag = {0};
  (void)state;
  if (read_trace(TEST_DATA "/simplescalar.txt.xz", NULL, &got, &diag))
    fail_msg("%s", oct_diag_line(&diag).text);
  assert_int_equal(got.n_insns, 2008);
  assert_int_equal(got.n_accesses, 568);
  assert_int_equal(got.insns[0].addr, 0x400140);
  assert_int_equal(got.insns[0].size_bytes, 8);
  assert_int_equal(got.accesses[0].addr, 0x7fff8000);
  assert_int_equal(got.accesses[0].size_bytes, 4);
  assert_int_equal(got.accesses[1].is_store, 1);
  assert_int_equal(got.map[13].addr, 0x4001a8);
  assert_int_equal(got.map[13].cls, OCT_CLASS_DIRECT_CALL);
  assert_int_equal(got.map[13].target, 0x400ab0);
  assert_int_equal(got.insns[2007].addr, 0x4130d0);
  trace_free(&got);
}

static int read_listing(const char *content, trace *got, oct_diag *diag) {
  const char *path = scratch("listing");
  int rc;
  save(path, content, strlen(content));
  memset(diag, 0, sizeof *diag);
  rc = read_trace(path, NULL, got, diag);
  unlink(path);
  return rc;
}

static void test_simplescalar_lines(void **state) {
  trace got;
  oct_diag diag;
  (void)state;
  assert_int_equal(
      read_listing("sim-safe: SimpleScalar/PISA\noutput        1 [xor: 0x7fff8009] @ 0x00400140: "
                   "dlw       r16,0(r29)  mem: 0x7fff8000\nhello\n"
                   "         2 [xor: 0x7fff8009] @ 0x00400148: jr        r31\n"
                   "         3 [xor: 0x7fff8009] @ 0x00400150: syscall   \n"
                   "         4 [xor: 0x7fff8009] @ 0x00400140: beq       r2,r0,0x400158\n",
                   &got, &diag),
      0);
  assert_int_equal(got.n_insns, 4);
  assert_int_equal(got.accesses[0].size_bytes, 8);
  assert_int_equal(got.map[1].cls, OCT_CLASS_RETURN);
  assert_int_equal(got.map[3].cls, OCT_CLASS_COND_BRANCH);
  assert_int_equal(got.map[3].target, 0x400158);
  trace_free(&got);
  assert_int_equal(
      read_listing("         1 [xor: 0x7fff8009] @ 0x00400140: addu      r1,r2,r3\n"
                   "         2 [xor: 0x7fff8009] @ 0x00400148: lw        r16,0(r29)  mem: 0x7ff\n",
                   &got, &diag),
      OCT_ERR_FORMAT);
  assert_int_equal(got.n_insns, 1);
  assert_non_null(
      strstr(oct_diag_line(&diag).text, "listing:2: expected a trace line of sim-safe -v"));
  trace_free(&got);
}

static size_t gzip(const uint8_t *p, size_t n, uint8_t *out, size_t room) {
  z_stream z = {0};
  deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  z.next_in = (uint8_t *)p, z.avail_in = (unsigned)n;
  z.next_out = out, z.avail_out = (unsigned)room;
  assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
  deflateEnd(&z);
  return z.total_out;
}

static size_t bzip2(const uint8_t *p, size_t n, uint8_t *out, size_t room) {
  unsigned size = (unsigned)room;
  assert_int_equal(BZ2_bzBuffToBuffCompress((char *)out, &size, (char *)p, (unsigned)n, 9, 0, 0),
                   BZ_OK);
  return size;
}

static size_t xz(const uint8_t *p, size_t n, uint8_t *out, size_t room) {
  size_t size = 0;
  assert_int_equal(lzma_easy_buffer_encode(1, LZMA_CHECK_CRC32, NULL, p, n, out, &size, room),
                   LZMA_OK);
  return size;
}

static size_t zstd(const uint8_t *p, size_t n, uint8_t *out, size_t room) {
  return ZSTD_compress(out, room, p, n, 3);
}

static void test_compressed(void **state) {
  static size_t (*const compress[])(const uint8_t *, size_t, uint8_t *, size_t) = {gzip, bzip2, xz,
                                                                                   zstd};
  const char *path = scratch("compressed");
  trace t = random_trace(3000, 2), got;
  oct_trace_info info = {.isa = "x", .addr_bits = 64};
  oct_write_options options = {.format = oct_format_by_name("text"), .info = &info};
  oct_diag diag = {0};
  size_t n;
  (void)state;
  write_trace(path, &t, &options);
  uint8_t *plain = load(path, &n), *out = malloc(2 * n + 10000);
  for (size_t c = 0; c < 4; c++) {
    /* Two members in a row, cut in the middle of a line. */
    size_t half = n / 2, size = compress[c](plain, half, out, n + 5000);
    size += compress[c](plain + half, n - half, out + size, n + 5000);
    save(path, out, size);
    if (read_trace(path, NULL, &got, &diag)) fail_msg("%s", oct_diag_line(&diag).text);
    assert_part(&t, 0, t.n_insns, &got);
    trace_free(&got);
    for (size_t cut = 1; cut < 20; cut++) {
      save(path, out, size - cut);
      assert_int_equal(read_trace(path, NULL, &got, &diag), OCT_ERR_TRUNCATED);
      trace_free(&got);
    }
    memcpy(out + size, "this is garbage.", 16);
    save(path, out, size + 16);
    assert_int_equal(read_trace(path, NULL, &got, &diag), OCT_ERR_FORMAT);
    trace_free(&got);
  }
  free(plain);
  free(out);
  trace_free(&t);
  unlink(path);
}

/* Any bytes under any format: an error or an end, never a crash. */
static void test_mutations(void **state) {
  const char *path = scratch("mutated");
  size_t n;
  uint8_t *p = load(TEST_DATA "/simplescalar.txt.xz", &n), *q = malloc(n);
  (void)state;
  seed_random("mutations");
  for (int i = 0; i < 600; i++) {
    if (is_left_out()) continue;
    oct_read_options options = {.format = (oct_format)below((uint64_t)oct_format_count() + 1)};
    size_t size = below(3) ? below(400) : n;
    trace got;
    oct_diag diag = {0};
    memcpy(q, p, n);
    for (uint64_t k = below(10); k > 0; k--) spoil_byte(q, n, NULL);
    if (size < n && below(2))
      for (size_t k = 0; k < size; k++) q[k] = (uint8_t) "0123 af\n@:LST/#x"[below(16)];
    save(path, q, size);
    int rc = read_trace(path, &options, &got, &diag);
    assert_true(rc == 0 || (rc == diag.error && diag.text[0]));
    trace_free(&got);
  }
  free(p);
  free(q);
  unlink(path);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_text),         cmocka_unit_test(test_text_traps),
      cmocka_unit_test(test_text_errors),  cmocka_unit_test(test_plain_round_trips),
      cmocka_unit_test(test_simplescalar), cmocka_unit_test(test_simplescalar_lines),
      cmocka_unit_test(test_compressed),   cmocka_unit_test(test_mutations),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
