/* SPDX-License-Identifier: Apache-2.0 */
/* test_shadow_op.c - has every form of every instruction the effect that its manual says?
 *
 * Each line of data/shadow-ops/ISA.txt is `bytes ; assembler ; operation`: bytes in the order of
 * memory, or `-` for PISA, which is decoded from its text; the operation as effect_text.h writes
 * it. Instructions stand one behind the other from 0x8000 on. With OCT_TEST_PRINT set the
 * operations are printed as they are, to be read against the manual. Besides: files of operations.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "octrace/trace.h"
#include "shadow_eval.h"
#include "oct_effect_pisa.h"
#include "effect_text.h"
#include "random_effect.h"

enum { START = 0x8000, LINE_BYTES = 400 };

static char *trim(char *p) {
  while (*p == ' ') p++;
  for (size_t n = strlen(p); n && strchr(" \n", p[n - 1]); n--) p[n - 1] = 0;
  return p;
}

static unsigned parse_bytes(const char *p, uint8_t *code) {
  unsigned n = 0, v;
  for (int used; n < OCT_CODE_MAX && sscanf(p, "%2x%n", &v, &used) == 1; p += used)
    code[n++] = (uint8_t)v;
  return n;
}

/* The operation of one line; its size in bytes. */
static unsigned decode(oct_disasm *d, uint64_t addr, const char *bytes, const char *text,
                       oct_map_entry *e) {
  uint8_t code[OCT_CODE_MAX];
  if (*bytes == '-') {
    const char *blank = strchr(text, ' '), *end = text + strlen(text);
    memset(e, 0, sizeof *e);
    oct_pisa_effect(text, blank ? (size_t)(blank - text) : (size_t)(end - text),
                    blank ? blank + 1 : end, end, &e->op);
    return 8;
  }
  unsigned n = parse_bytes(bytes, code);
  assert_int_equal(oct_disasm_insn(d, addr, code, n, e), n);
  return n;
}

static void check_file(const char *name) {
  char path[300], line[LINE_BYTES];
  int isa = oct_isa_by_name(name), wrong = 0, lines = 0;
  snprintf(path, sizeof path, "%s/shadow-ops/%s.txt", TEST_DATA, name);
  FILE *f = fopen(path, "r");
  if (!f) fail_msg("cannot open %s", path);
  oct_disasm *d = isa < 0 ? NULL : oct_disasm_new((oct_isa)isa);
  for (uint64_t addr = START; fgets(line, sizeof line, f);) {
    char *text, *want = NULL;
    op_line l;
    oct_map_entry e;
    if (*line == '#') continue;
    if ((text = strchr(line, 0x3b))) want = strchr(text + 1, 0x3b);
    if (!text || !want) fail_msg("%s: %s", name, line);
    *text++ = *want++ = 0;
    text = trim(text);
    want = trim(want);
    addr += decode(d, addr, trim(line), text, &e);
    assert_true(oct_effect_is_valid(&e.op));
    int is_64 = isa >= 0 && oct_isa_get((oct_isa)isa)->addr_bits == 64;
    assert_int_equal((e.op.flags & OCT_EFFECT_64) != 0, is_64);
    const char *got = effect_text(&l, &e.op);
    lines++;
    if (getenv("OCT_TEST_PRINT"))
      printf("%s ; %s ; %s\n", line, text, got);
    else if (strcmp(got, want) != 0)
      wrong++, printf("%s: %s\n  is   %s\n  want %s\n", name, text, got, want);
  }
  fclose(f);
  oct_disasm_free(d);
  if (wrong) fail_msg("%s: %d of %d operations are wrong", name, wrong, lines);
  assert_true(lines > 0);
}

#define TEST_ISA(function, name)       \
  static void function(void **state) { \
    (void)state;                       \
    check_file(name);                  \
  }
TEST_ISA(arm, "arm")
TEST_ISA(thumb, "thumb")
TEST_ISA(aarch64, "aarch64")
TEST_ISA(riscv32, "riscv32")
TEST_ISA(riscv64, "riscv64")
TEST_ISA(x86, "x86")
TEST_ISA(x86_64, "x86-64")
TEST_ISA(mips, "mips")
TEST_ISA(pisa, "pisa")

/* Operations come back from files as they were; of damaged ones, none that is not valid. */
static void files(void **state) {
  uint64_t seed = test_seed("effects");
  (void)state;
  for (unsigned i = 0; i < 20000; i++) {
    if (is_left_out()) continue;
    oct_effect op, got;
    uint8_t bytes[OCT_EFFECT_PACKED_MAX_BYTES];
    const uint8_t *p = bytes;
    random_effect(next_random, &seed, &op);
    assert_true(oct_effect_is_valid(&op));
    oct_effect_put(bytes, &op);
    assert_int_equal(oct_effect_get(bytes, &got), 0);
    assert_memory_equal(&op, &got, sizeof op);
    size_t n = oct_effect_pack(bytes, &op);
    assert_true(n <= sizeof bytes);
    assert_int_equal(oct_effect_unpack(&p, bytes + n, &got), 0);
    assert_ptr_equal(p, bytes + n);
    assert_memory_equal(&op, &got, sizeof op);
    p = bytes;
    assert_int_not_equal(oct_effect_unpack(&p, bytes + n - 1, &got), 0);
    size_t at = next_random(&seed) % n;
    bytes[at] ^= (uint8_t)(1 + next_random(&seed) % 255);
    p = bytes;
    if (!oct_effect_unpack(&p, bytes + n, &got)) assert_true(oct_effect_is_valid(&got));
  }
}

/* The layout of docs/trace-format.md. */
static void layout(void **state) {
  static const struct {
    size_t is, want;
  } fields[] = {{offsetof(oct_effect, imm), 0},        {offsetof(oct_effect, mem), 8},
                {offsetof(oct_effect, list), 40},      {offsetof(oct_effect, clobbers), 44},
                {offsetof(oct_effect, flags), 48},     {offsetof(oct_effect, result), 49},
                {offsetof(oct_effect, dest), 50},      {offsetof(oct_effect, a), 51},
                {offsetof(oct_effect, b), 52},         {offsetof(oct_effect, b_form), 53},
                {offsetof(oct_effect, b_extend), 54},  {offsetof(oct_effect, width), 55},
                {offsetof(oct_effect, set_flags), 56}, {offsetof(oct_effect, cond), 57},
                {offsetof(oct_effect, cond_a), 58},    {offsetof(oct_effect, cond_b), 59},
                {offsetof(oct_effect, data), 60},      {offsetof(oct_effect, target), 62},
                {offsetof(oct_effect, link), 63},      {offsetof(oct_effect_mem, step), 8},
                {offsetof(oct_effect_mem, base), 12},  {offsetof(oct_effect_mem, index), 13},
                {offsetof(oct_effect_mem, shift), 14}, {offsetof(oct_effect_mem, form), 15}};
  (void)state;
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
    assert_int_equal(fields[i].is, fields[i].want);
}

/* Flags against wider arithmetic, for every pair of bytes; all conditions follow from the flags. */
static void flags_of_bytes(void **state) {
  (void)state;
  for (unsigned a = 0; a < 256; a++)
    for (unsigned b = 0; b < 256; b++) {
      oct_effect op = {.flags = OCT_EFFECT_KNOWN, .width = 0, .set_flags = OCT_FLAGS_ALU};
      uint64_t result;
      op.result = OCT_RESULT_SUB;
      assert_true(oct_shadow_eval_result(&op, a, b, &result));
      unsigned f = oct_shadow_new_flags(&op, 0, 1, a, b, result);
      int x = (int8_t)a, y = (int8_t)b;
      assert_int_equal(f >> OCT_FLAG_KNOWN_SHIFT, 15);
      assert_int_equal(oct_shadow_flags_hold(OCT_IF_EQ, f), a == b);
      assert_int_equal(oct_shadow_flags_hold(OCT_IF_CS, f), a >= b);
      assert_int_equal(oct_shadow_flags_hold(OCT_IF_HI, f), a > b);
      assert_int_equal(oct_shadow_flags_hold(OCT_IF_LS, f), a <= b);
      assert_int_equal(oct_shadow_flags_hold(OCT_IF_GE, f), x >= y);
      assert_int_equal(oct_shadow_flags_hold(OCT_IF_LT, f), x < y);
      assert_int_equal(oct_shadow_flags_hold(OCT_IF_GT, f), x > y);
      assert_int_equal(oct_shadow_flags_hold(OCT_IF_LE, f), x <= y);
      assert_int_equal(oct_shadow_flags_hold(OCT_IF_VS, f), x - y < -128 || x - y > 127);
      op.result = OCT_RESULT_RSB;
      assert_true(oct_shadow_eval_result(&op, b, a, &result));
      assert_int_equal(oct_shadow_new_flags(&op, 0, 1, b, a, result), f);
      op.result = OCT_RESULT_ADD;
      assert_true(oct_shadow_eval_result(&op, a, b, &result));
      f = oct_shadow_new_flags(&op, 0, 1, a, b, result);
      assert_int_equal(oct_shadow_flags_hold(OCT_IF_CS, f), a + b > 255);
      assert_int_equal(oct_shadow_flags_hold(OCT_IF_VS, f), x + y < -128 || x + y > 127);
      assert_int_equal(oct_shadow_flags_hold(OCT_IF_MI, f), (a + b) >> 7 & 1);
      op.set_flags = OCT_FLAGS_ALU_X86;
      assert_int_equal(oct_shadow_new_flags(&op, 0, 1, a, b, result), f ^ OCT_FLAG_C);
      op.set_flags = OCT_FLAGS_NZV;
      assert_int_equal(
          oct_shadow_flags_hold(OCT_IF_CS, oct_shadow_new_flags(&op, 0, 1, a, b, result)), -1);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(arm),     cmocka_unit_test(thumb),   cmocka_unit_test(aarch64),
      cmocka_unit_test(riscv32), cmocka_unit_test(riscv64), cmocka_unit_test(x86),
      cmocka_unit_test(x86_64),  cmocka_unit_test(mips),    cmocka_unit_test(pisa),
      cmocka_unit_test(files),   cmocka_unit_test(layout),  cmocka_unit_test(flags_of_bytes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
