/* SPDX-License-Identifier: Apache-2.0 */
/* test_foreign.c - what do the readers of foreign formats make of input that is wrong, odd or at
 * the edge of what they take? (Whole samples are compared by tests/tools/foreign.t.) */
#include "test_util.h"

#include "oct_input.h"

#include <zip.h>

static void test_bad_lines(void **state) {
  static const struct {
    const char *format;
    const char *content, *message;
    size_t n_before; /* instructions delivered before the error */
    int error;
  } cases[] = {
      {"lackey", "I  04000000,3\n L zz,4\n", ":2: expected a hexadecimal address, found 'zz'", 0,
       OCT_ERR_FORMAT},
      {"lackey", "I  04000000,0\n", ":1: expected a size in bytes", 0, OCT_ERR_FORMAT},
      {"lackey", "I  04000000,3\nI  1fff000708,8\n", ":2: an address over 32 bits", 1, OCT_OK},
      {"lackey", " L 04000000,x\n", ":1: expected a size in bytes", 0, OCT_ERR_FORMAT},
      {"din", "2 8000\n7 8000\n", ":2: expected a label 0 to 4, r, w, i, m, c or v, found '7'", 0,
       OCT_ERR_FORMAT},
      {"din", "2\n", ":1: expected an address after the label", 0, OCT_ERR_FORMAT},
      {"din", "2 8000\n1 g\n", ":2: expected a hexadecimal address, found 'g'", 0, OCT_ERR_FORMAT},
      {"xdin", "i 8000 4\nr 9000\n", ":2: expected a hexadecimal size in bytes", 0, OCT_ERR_FORMAT},
      {"xdin", "i 8000 10\n", ":1: expected a hexadecimal size in bytes", 0, OCT_ERR_FORMAT},
      {"spike", "core   0: 3 0x80000000 (0x13)\ncore   0: 3 0x80000004 0x13\n",
       ":2: expected '0xPC (0xINSN)' after 'core N: P'", 1, OCT_ERR_FORMAT},
      {"spike", "core   0: 3 0x80000000 (0x00000013) mem\n", ":1: expected an address after mem", 0,
       OCT_ERR_FORMAT},
      {"spike", "core   0: 0x80000000 (0x00000013) nop\ncore   0: 0x80000004 (zz) nop\n",
       ":2: expected '0xPC (0xINSN)' after 'core N: P', or 'core N:' of -l, found '(zz) nop'", 1,
       OCT_ERR_FORMAT},
      {"spike", "core   0: 3 0x80000000 (0x13)\ncore   0: exception trap_odd, epc 0x1\n",
       ":2: expected 'NAME, epc 0xADDR' of a RISC-V trap after 'exception', found 'trap_odd", 1,
       OCT_ERR_FORMAT},
      {"execlog", "0, 0x80, 0x13, \"nop\"\n0, 0x84, zz, \"nop\"\n",
       ":2: expected 'CPU, 0xPC, 0xOPCODE, \"disassembly\"'", 0, OCT_ERR_FORMAT},
      {"execlog", "0, 0x80, 0x13, \"nop\", load\n", ":1: expected an address after load or store",
       0, OCT_ERR_FORMAT},
      {"lackey", "==1== nothing\n", ": none of its lines (1) is 'I  ADDRESS,SIZE'", 0,
       OCT_ERR_FORMAT},
      {"spike", "warning\n>>>> main\n", ": none of its lines (2) is 'core N: P", 0, OCT_ERR_FORMAT},
      {"execlog", "", ": none of its lines (0) is 'CPU, 0xPC", 0, OCT_ERR_FORMAT},
      {"gem5", "500: system.l2: miss\n", ": none of its lines (1) is 'TICK: CPU", 0,
       OCT_ERR_FORMAT},
      {"simplescalar", "sim: ** simulation statistics **\n",
       ": none of its lines (1) is a trace line of sim-safe", 0, OCT_ERR_FORMAT},
      {"gem5", "500: system.cpu: T0 : @_start : nop : IntAlu :\n", "-ExecSymbol", 0,
       OCT_ERR_FORMAT},
      {"gem5", "500: system.cpu: T0 : 0x10000 nop\n", ":1: expected '0xPC ... : disassembly'", 0,
       OCT_ERR_FORMAT},
      {"pinatrace", "0x8000: R 0x9000\n0x8000: X 0x9000\n", ":2: expected 'ip: R|W addr'", 0,
       OCT_ERR_FORMAT},
      {"pc", "8000\n8004 9000\n", ":2: expected one address a line, found '9000'", 1,
       OCT_ERR_FORMAT},
  };
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    trace got;
    oct_diag diag;
    int rc = read_bytes(cases[i].content, strlen(cases[i].content),
                        oct_format_by_name(cases[i].format), &got, &diag);
    if (rc != cases[i].error) fail_msg("case %zu: %d %s", i, rc, oct_diag_line(&diag).text);
    if (rc && !strstr(oct_diag_line(&diag).text, cases[i].message))
      fail_msg("case %zu: %s", i, oct_diag_line(&diag).text);
    if (rc) assert_int_equal(got.n_insns, cases[i].n_before);
    trace_free(&got);
  }
}

static void test_bad_records(void **state) {
  static const uint8_t zeros[200], record[200] = {4};
  uint8_t p[200];
  trace got;
  oct_diag diag;
  (void)state;
  /* Zeros are no instruction of ChampSim. */
  assert_int_equal(read_bytes(zeros, 128, oct_format_by_name("champsim"), &got, &diag),
                   OCT_ERR_FORMAT);
  assert_non_null(strstr(oct_diag_line(&diag).text, "a record of zeros"));
  trace_free(&got);
  /* Cut within a record; what is before it is delivered, if it has a size. */
  static const struct {
    const char *format;
    size_t bytes, n_before;
  } fixed[] = {{"champsim", 64, 0}, {"cloudsuite", 96, 0}, {"pc32", 4, 1},
               {"pc64", 8, 1},      {"da32", 4, 1},        {"da64", 8, 1}};
  for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++) {
    int rc =
        read_bytes(record, fixed[i].bytes + 3, oct_format_by_name(fixed[i].format), &got, &diag);
    if (rc != OCT_ERR_TRUNCATED) fail_msg("%s: %d", fixed[i].format, rc);
    assert_int_equal(got.n_insns, fixed[i].n_before);
    assert_non_null(strstr(oct_diag_line(&diag).text, "ends within a record"));
    trace_free(&got);
  }
  memset(p, 0, sizeof p);
  p[8] = 2; /* neither a branch nor none */
  assert_int_equal(read_bytes(p, 64, oct_format_by_name("champsim"), &got, &diag), OCT_ERR_FORMAT);
  assert_non_null(
      strstr(oct_diag_line(&diag).text, "offset 0: expected branch and taken of 0 or 1"));
  trace_free(&got);
  p[8] = 9; /* no type of CVP-1 */
  assert_int_equal(read_bytes(p, 64, oct_format_by_name("cvp"), &got, &diag), OCT_ERR_FORMAT);
  trace_free(&got);
  p[8] = 1; /* a load, cut */
  assert_int_equal(read_bytes(p, 12, oct_format_by_name("cvp"), &got, &diag), OCT_ERR_TRUNCATED);
  trace_free(&got);
  assert_int_equal(read_bytes("vpc4aaaabbbbbbbb", 16, oct_format_by_name("vpc3"), &got, &diag),
                   OCT_ERR_FORMAT);
  assert_non_null(strstr(oct_diag_line(&diag).text, "the header vpc3"));
  memset(p, 0, sizeof p);
  p[6] = 9; /* an access type of DineroIV */
  assert_int_equal(read_bytes(p, 8, oct_format_by_name("din-binary"), &got, &diag), OCT_ERR_FORMAT);
  trace_free(&got);
}

/* The members of a zip file follow each other; damage in one is told by its name. */
static void test_zip(void **state) {
  const char *path = scratch("members.zip");
  static const char text[2][40] = {"8000\n8004 L4:10", "000\n8008\n"};
  trace got;
  oct_diag diag = {0};
  size_t n;
  (void)state;
  unlink(path);
  zip_t *z = zip_open(path, ZIP_CREATE | ZIP_TRUNCATE, NULL);
  for (int i = 0; i < 2; i++) {
    char name[] = "chunk.0000";
    name[9] = (char)('0' + i);
    zip_file_add(z, name, zip_source_buffer(z, text[i], strlen(text[i]), 0), 0);
    zip_set_file_compression(z, (zip_uint64_t)i, ZIP_CM_STORE, 0);
  }
  assert_int_equal(zip_close(z), 0);
  assert_int_equal(read_trace(path, NULL, &got, &diag), 0);
  assert_int_equal(got.n_insns, 3);
  assert_int_equal(got.accesses[0].addr, 0x10000);
  trace_free(&got);
  uint8_t *p = load(path, &n);
  uint8_t *second = memmem(p, n, "000\n8008", 8);
  assert_non_null(second);
  second[5] = 'f';
  save(path, p, n);
  assert_int_equal(read_trace(path, NULL, &got, &diag), OCT_ERR_FORMAT);
  assert_non_null(strstr(oct_diag_line(&diag).text, "member chunk.0001: damaged zip file"));
  trace_free(&got);
  save(path, p, n / 2);
  assert_int_equal(read_trace(path, NULL, &got, &diag), OCT_ERR_FORMAT);
  trace_free(&got);
  free(p);
  unlink(path);
}

/* Samples with bytes changed, dropped or cut: an error with a position or an end, never a crash. */
static void test_mutated_samples(void **state) {
  static const char *const names[] = {
      "x86-64.lackey.xz",   "mips.din.xz",          "mips.xdin.xz",        "mips.dinbin.xz",
      "x86-64.champsim.xz", "riscv64.spike.xz",     "thumb.execlog.xz",    "x86-64.execlog.xz",
      "aarch64.gem5.xz",    "aarch64.cvp.gz",       "x86-64.pinatrace.xz", "x86-64.vpc3.xz",
      "mips.execlog.xz",    "x86-64.drmemtrace.zip"};
  (void)state;
  seed_random("mutated samples");
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char path[600];
    oct_input *in;
    oct_reader *r;
    oct_diag diag = {0};
    static uint8_t good[60000], bad[sizeof good];
    snprintf(path, sizeof path, "%s/%s", TEST_SAMPLES, names[i]);
    assert_int_equal(oct_reader_open(path, NULL, &r, &diag), 0);
    oct_format format = oct_reader_info(r)->format;
    oct_reader_close(r);
    assert_int_equal(oct_input_open(path, &in, &diag), 0);
    int64_t n = oct_input_read(in, good, sizeof good, &diag);
    assert_true(n > 0);
    oct_input_close(in);
    for (int k = 0; k < 30; k++) {
      if (is_left_out()) continue;
      trace got;
      size_t size = below(4) ? (size_t)n : below((uint64_t)n);
      memcpy(bad, good, (size_t)n);
      for (uint64_t m = 1 + below(6); m > 0; m--) spoil_byte(bad, (uint64_t)n, good);
      int rc = read_bytes(bad, size, format, &got, &diag);
      assert_true(rc == 0 || (rc == diag.error && diag.text[0]));
      for (size_t x = 0; x < got.n_insns; x++)
        assert_true(got.insns[x].size_bytes >= 1 && got.insns[x].size_bytes <= 15);
      trace_free(&got);
    }
  }
}

/* ---- Odd but good ---- */

/* Accesses past the map's slots that take turns on the last two, as those of `rep movs`. */
static void test_turns(void **state) {
  char text[8192], *p = text;
  trace got;
  oct_diag diag;
  (void)state;
  p += sprintf(p, "I  04000000,2\n");
  for (int i = 0; i < 40; i++) p += sprintf(p, " %c %x,8\n", i % 2 ? 'S' : 'L', 0x1000 + 8 * i);
  p += sprintf(p, "I  04000002,3\n");
  assert_int_equal(read_bytes(text, (size_t)(p - text), oct_format_by_name("lackey"), &got, &diag),
                   0);
  assert_int_equal(got.n_insns, 2);
  assert_int_equal(got.insns[0].n_access, 40);
  trace_free(&got);
}

/* Accesses past the map's slots that do not: of one instruction, too. */
static void test_kinds(void **state) {
  char text[8192], *p = text;
  trace got;
  oct_diag diag;
  (void)state;
  p += sprintf(p, "I  04000000,5\n");
  for (int i = 0; i < 33; i++) p += sprintf(p, " S %x,16\n", 0x1000 + 16 * i);
  p += sprintf(p, " M 2000,1\nI  04000005,3\n");
  assert_int_equal(read_bytes(text, (size_t)(p - text), oct_format_by_name("lackey"), &got, &diag),
                   0);
  assert_int_equal(got.n_insns, 2);
  assert_int_equal(got.insns[0].n_access, 35);
  assert_int_equal(got.accesses[32].is_store, 1);
  assert_int_equal(got.accesses[33].is_store, 0);
  trace_free(&got);
}

/* More instructions than a batch holds, the last of a batch with accesses. */
static void test_batches(void **state) {
  enum { N = 150000 };
  char *text = malloc(N * 48), *p = text;
  trace got;
  oct_diag diag;
  (void)state;
  for (unsigned i = 0; i < N; i++)
    p += sprintf(p, "I  %08x,4\n L %08x,4\n", 0x8000 + 4 * (i % 1000), i);
  assert_int_equal(read_bytes(text, (size_t)(p - text), OCT_FORMAT_AUTO, &got, &diag), 0);
  assert_int_equal(got.n_insns, N);
  assert_int_equal(got.n_accesses, N);
  for (unsigned i = 0; i < N; i++) {
    assert_int_equal(got.insns[i].n_access, 1);
    assert_int_equal(got.accesses[i].addr, i);
  }
  trace_free(&got);
  free(text);
}

/* Sizes that a format does not say come from the nearest successor in the batch. */
static void test_sizes(void **state) {
  static const char text[] =
      "100: system.cpu: T0 : 0x1000 : push : IntAlu :\n"
      "200: system.cpu: T0 : 0x1001 : jne : IntAlu :\n"
      "300: system.cpu: T0 : 0x1008 : mov : MemRead : A=0x20000\n"
      "400: system.cpu: T0 : 0x1001 : jne : IntAlu :\n"
      "500: system.cpu: T0 : 0x1003 : ret : IntAlu :\n"
      "600: system.cpu: T0 : 0x9000 : prfm : MemRead : A=0x30000  flags=(IsDataPrefetch)\n";
  static const uint8_t sizes[] = {1, 2, 4, 2, 4, 4};
  trace got;
  oct_diag diag;
  (void)state;
  assert_int_equal(read_bytes(text, sizeof text - 1, OCT_FORMAT_AUTO, &got, &diag), 0);
  assert_int_equal(got.n_insns, 6);
  for (int i = 0; i < 6; i++) assert_int_equal(got.insns[i].size_bytes, sizes[i]);
  assert_int_equal(got.n_accesses, 1); /* a prefetch is none */
  trace_free(&got);
}

/* A branch that was not taken tells its size, a taken one does not. */
static void test_champsim_branches(void **state) {
  uint8_t p[3 * 64] = {0};
  trace got;
  oct_diag diag;
  (void)state;
  for (int i = 0; i < 3; i++) {
    p[64 * i] = (uint8_t)(0x10 + 2 * i);
    p[64 * i + 1] = 0x80;
    p[64 * i + 8] = 1;
  }
  p[64 + 9] = 1;
  assert_int_equal(read_bytes(p, sizeof p, OCT_FORMAT_AUTO, &got, &diag), 0);
  assert_int_equal(got.n_insns, 3);
  assert_int_equal(got.insns[0].size_bytes, 2);
  assert_int_equal(got.insns[1].size_bytes, 4);
  trace_free(&got);
}

/* Where the trace knows better, other code was there than the program's file has. */
static void test_other_code(void **state) {
  static const char text[] = "i 10248 2\ni 1024a 2\nr 4000 4\ni 10098 4\n";
  const char *path = scratch("other");
  oct_read_options options = {.elf = TEST_DATA "/mixed-thumb.elf"};
  trace got;
  oct_diag diag = {0};
  (void)state;
  save(path, text, sizeof text - 1);
  assert_int_equal(read_trace(path, &options, &got, &diag), 0);
  assert_int_equal(got.n_insns, 3);
  assert_int_equal(got.insns[1].size_bytes, 2); /* a push.w of 4 bytes in the program */
  assert_int_equal(got.n_map, 2);
  trace_free(&got);
  options.format = oct_format_by_name("lackey");
  static const char sized[] = "I  00010248,2\nI  0001024a,2\nI  00010098,4\n";
  save(path, sized, sizeof sized - 1);
  assert_int_equal(read_trace(path, &options, &got, &diag), 0);
  assert_int_equal(got.n_insns, 3);
  assert_int_equal(got.insns[1].size_bytes, 2);
  assert_int_equal(got.n_map, 2);
  trace_free(&got);
  unlink(path);
}

/* Data without instructions. */
static void test_data_only(void **state) {
  static const char din[] = "0 1000\n1 2000\n2 8000\n0 3000\n0 4000\n";
  static const char pin[] =
      "0x8: R 0x10\n0x8: W 0x10\n0x8: W 0x10\n0x8: R 0x10\n0x8: R 0x20\n#eof\n";
  trace got;
  oct_diag diag;
  (void)state;
  assert_int_equal(read_bytes(din, sizeof din - 1, OCT_FORMAT_AUTO, &got, &diag), 0);
  assert_int_equal(got.n_insns, 3);
  assert_int_equal(got.insns[0].addr, 0);
  assert_int_equal(got.insns[1].n_access, 1);
  assert_int_equal(got.insns[2].addr, 0x8000);
  assert_int_equal(got.insns[2].n_access, 2);
  trace_free(&got);
  assert_int_equal(read_bytes(pin, sizeof pin - 1, OCT_FORMAT_AUTO, &got, &diag), 0);
  assert_int_equal(got.n_insns, 4);
  assert_int_equal(got.insns[0].n_access, 2);
  trace_free(&got);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_bad_lines),
      cmocka_unit_test(test_bad_records),
      cmocka_unit_test(test_zip),
      cmocka_unit_test(test_turns),
      cmocka_unit_test(test_kinds),
      cmocka_unit_test(test_mutated_samples),
      cmocka_unit_test(test_batches),
      cmocka_unit_test(test_sizes),
      cmocka_unit_test(test_champsim_branches),
      cmocka_unit_test(test_other_code),
      cmocka_unit_test(test_data_only),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
