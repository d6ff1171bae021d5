/* SPDX-License-Identifier: Apache-2.0 */
/* test_registers.c - where execution does not lead to what comes next, does the decoder hand out
 * registers that the trace tells? All of them if a store faults, and its handler begins; those that
 * differ if a signal comes between two instructions. And does a load across a page count once, and
 * do syncs and other tasks leave doubles of RISC-V 32 whole? */
#include "oct_emulator.h"
#include "values.h"

#include <unistd.h>

enum { REGISTERS = 15, R1 = 0x23fe };

/* Instructions between syncs; 0: as the geometry has it. */
static uint32_t sync_insns;

static void put_registers(FILE *f, unsigned sp) {
  for (unsigned r = 0; r < REGISTERS; r++)
    fprintf(f, "!register r%u=%08x\n", r, r == 1 ? R1 : r == 13 ? sp : 0x10 * r);
}

/* Encode and decode the trace; registers that are handed out in front of instruction `at`. */
static unsigned handed_out_of(const char *isa, void (*write)(FILE *f), size_t at,
                              uint64_t *n_fixes) {
  char path[] = "/tmp/test_registers-XXXXXX";
  uint32_t params[OCT_TRACER_PARAMS_MAX];
  const oct_run_options run = {.engine = OCT_ENGINE_UNTIMED, .cpi_milli = 1000};
  replay_trace t;
  test_stream s;
  oct_decoded out;
  oct_diag diag = {0};
  unsigned n = 0;
  void *d;
  FILE *f = fdopen(mkstemp(path), "w");
  assert_non_null(f);
  write(f);
  fclose(f);
  read_file(path, isa, &t);
  unlink(path);
  fit_params(replay, "replay", &t.x, params);
  if (sync_insns) params[oct_tracer_param(replay, "sync_insns")] = sync_insns;
  encode_run(&t, params, &run, false, &s);
  decode_trace(&t, params, &s);
  *n_fixes = oct_tracer_count(replay, s.counters, "access_corrections");
  assert_int_equal(replay->decoder.create(params, OCT_START_IN_STEP, &d, &diag), 0);
  assert_int_equal(replay->decoder.map(d, t.x.updates, t.x.n_updates, &diag), 0);
  assert_int_equal(replay->decoder.push(d, s.bytes, s.n_bytes, &diag), 0);
  replay->decoder.finish(d);
  while (replay->decoder.next(d, &out, &diag) > 0)
    for (size_t i = 0; i < out.batch.n_facts; i++)
      n += out.batch.facts[i].insn + out.first_insn == at && out.batch.facts[i].number < REGISTERS;
  replay->decoder.destroy(d);
  free(s.bytes);
  free_values(&t);
  return n;
}

static unsigned handed_out(void (*write)(FILE *f), size_t at, uint64_t *n_fixes) {
  return handed_out_of("arm", write, at, n_fixes);
}

/* str r0, [r1], which faults: no access; in its handler mov r0, r0. */
static void write_fault(FILE *f) {
  fprintf(f, "# isa armv5te\n");
  put_registers(f, 0x8000);
  fprintf(f, "1000/4 I:000081e5\n");
  put_registers(f, 0x7000);
  fprintf(f, "2000/4 I:0000a0e1\n2004/4 I:0000a0e1\n");
}

static void after_a_fault(void **state) {
  (void)state;
  uint64_t fixes;
  assert_int_equal(handed_out(write_fault, 1, &fixes), REGISTERS);
  assert_int_equal(fixes, 1);
}

/* The next registers that the trace tells come later. */
static void write_late(FILE *f) {
  fprintf(f, "# isa armv5te\n");
  put_registers(f, 0x8000);
  fprintf(f, "1000/4 I:000081e5\n1004/4 I:0000a0e1\n1008/4 I:0000a0e1\n");
  put_registers(f, 0x8000);
  fprintf(f, "100c/4 I:0000a0e1\n");
}

static void later(void **state) {
  (void)state;
  uint64_t fixes;
  assert_int_equal(handed_out(write_late, 3, &fixes), REGISTERS);
}

static void write_signal(FILE *f) {
  fprintf(f, "# isa armv5te\n");
  put_registers(f, 0x8000);
  fprintf(f, "1000/4 I:0000a0e1\n");
  put_registers(f, 0x7000);
  fprintf(f, "2000/4 I:0000a0e1\n");
}

static void after_a_signal(void **state) {
  (void)state;
  uint64_t fixes;
  assert_int_equal(handed_out(write_signal, 1, &fixes), 1);
}

/* What follows from execution is not sent. */
static void write_plain(FILE *f) {
  fprintf(f, "# isa armv5te\n");
  put_registers(f, 0x8000);
  fprintf(f, "1000/4 I:0000a0e1\n");
  put_registers(f, 0x8000);
  fprintf(f, "1004/4 I:0000a0e1\n");
}

static void plain_execution(void **state) {
  (void)state;
  uint64_t fixes;
  assert_int_equal(handed_out(write_plain, 1, &fixes), 0);
  assert_int_equal(fixes, 0);
}

/* ldr r0, [r1], and vld1.8 {d0, d1}, [r1], across a page of the emulator's, of 1 KB. */
static void write_across(FILE *f) {
  fprintf(f, "# isa armv7a\n");
  put_registers(f, 0x8000);
  fprintf(f, "1000/4 L4:23fe=44332211 I:000091e5\n");
  fprintf(f, "1004/4 L8:23fe=8877665544332211 L8:2406=100f0e0d0c0b0a09 I:0f0a21f4\n");
  fprintf(f, "1008/4 I:0000a0e1\n");
}

static void load_across_a_page(void **state) {
  (void)state;
  uint64_t fixes;
  handed_out(write_across, 3, &fixes);
  assert_int_equal(fixes, 0);
}

/* fld f1, 0(sp), eight nops, fsd f1, 8(sp), fcvt.w.d a0, f1, sw a0, 0(sp), for each task; after
 * each task's load the other runs. */
static void write_doubles(FILE *f) {
  enum { NOPS = 8 };
  fprintf(f, "# isa riscv32\n");
  for (unsigned task = 0; task < 2; task++) {
    for (unsigned r = 0; r < 32; r++) fprintf(f, "!register %u=%08x\n", r, r == 2 ? 0x2000 : r);
    fprintf(f, "1000/4 L8:2000=%016llx T:%u I:87300100\n",
            task ? 0x400a000000000000ULL : 0x40b8001234567800ULL, task); /* 3.25, 6144.07... */
  }
  for (unsigned i = 1; i <= NOPS; i++)
    for (unsigned task = 0; task < 2; task++)
      fprintf(f, "%x/4 T:%u I:13000000\n", 0x1000 + 4 * i, task);
  for (unsigned task = 0; task < 2; task++)
    fprintf(f,
            "1024/4 S8:2008=%016llx T:%u I:27341100\n1028/4 T:%u I:539500c2\n"
            "102c/4 S4:2000=%08x T:%u I:2320a100\n",
            task ? 0x400a000000000000ULL : 0x40b8001234567800ULL, task, task, task ? 3 : 6144,
            task);
}

static void doubles_survive(void **state) {
  (void)state;
  uint64_t fixes;
  for (sync_insns = 0; sync_insns < 12; sync_insns++) {
    handed_out_of("riscv32", write_doubles, 1, &fixes);
    assert_int_equal(fixes, 0);
  }
  sync_insns = 0;
}

/* svc #0, whose result the trace tells, or does not. */
static void write_call(FILE *f, const char *result) {
  fprintf(f, "# isa armv5te\n");
  put_registers(f, 0x8000);
  fprintf(f, "1000/4 I:000000ef\n%s1004/4 I:0000a0e1\n1008/4 I:0000a0e1\n", result);
}

/* What the comparison says where the trace has a result, of what an encoder was told. */
static int compare_results(const char *expected, const char *encoded) {
  const oct_run_options run = {.engine = OCT_ENGINE_UNTIMED, .cpi_milli = 1000};
  const char *const results[] = {expected, encoded};
  uint32_t params[OCT_TRACER_PARAMS_MAX];
  replay_trace t[2];
  test_stream s;
  oct_decoded out;
  oct_diag diag = {0};
  oct_compare *c = oct_compare_new(0);
  void *d;
  int error = 0;
  for (unsigned i = 0; i < 2; i++) {
    char path[] = "/tmp/test_registers-XXXXXX";
    FILE *f = fdopen(mkstemp(path), "w");
    assert_non_null(f);
    write_call(f, results[i]);
    fclose(f);
    read_file(path, "arm", &t[i]);
    unlink(path);
  }
  fit_params(replay, "replay", &t[1].x, params);
  encode_run(&t[1], params, &run, false, &s);
  assert_non_null(c);
  assert_int_equal(oct_compare_expect_facts(c, t->facts, t->n_facts, t->values), 0);
  assert_int_equal(oct_compare_expect(c, t->x.insns, t->x.n_insns, t->x.accesses), 0);
  assert_int_equal(replay->decoder.create(params, OCT_START_IN_STEP, &d, &diag), 0);
  assert_int_equal(replay->decoder.map(d, t->x.updates, t->x.n_updates, &diag), 0);
  replay->decoder.tell_results(d);
  assert_int_equal(replay->decoder.push(d, s.bytes, s.n_bytes, &diag), 0);
  replay->decoder.finish(d);
  while (!error && replay->decoder.next(d, &out, &diag) > 0)
    error = oct_compare_run(c, &out, &diag);
  replay->decoder.destroy(d);
  oct_compare_free(c);
  free(s.bytes);
  free_values(&t[0]);
  free_values(&t[1]);
  return error;
}

static void a_lost_result(void **state) {
  (void)state;
  const char *const five = "!register r0=00000005\n", *const seven = "!register r0=00000007\n";
  assert_int_equal(compare_results(five, five), 0);
  assert_int_equal(compare_results("", five), 0);
  assert_int_equal(compare_results(five, ""), OCT_ERR_MISMATCH);
  assert_int_equal(compare_results(five, seven), OCT_ERR_MISMATCH);
}

int main(void) {
  replay = oct_tracer_find("replay");
  if (!replay || !oct_emulator_has(OCT_ISA_ARM)) return 77; /* this build has no emulator */
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(after_a_fault),      cmocka_unit_test(later),
      cmocka_unit_test(after_a_signal),     cmocka_unit_test(plain_execution),
      cmocka_unit_test(load_across_a_page), cmocka_unit_test(a_lost_result),
      cmocka_unit_test(doubles_survive)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
