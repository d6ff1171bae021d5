/* SPDX-License-Identifier: Apache-2.0 */
/* test_emulator.c - code that is put after the emulator went past it is executed, also where it was
 * translated with what stood before it; a store on a condition makes no load; registers of floating
 * point are read and written whole. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <string.h>

#include "oct_emulator.h"

enum { AT = 0x1000, TO = 0x100, CODE_MAX = 8, SEEN_MAX = 4 };

/* An instruction that does nothing, and a jump over TO bytes. */
typedef struct code {
  oct_isa isa;
  uint8_t n_nop, n_jump, nop[CODE_MAX], jump[CODE_MAX];
} code;

static const code codes[] = {
    {OCT_ISA_ARM, 4, 4, {0x00, 0x00, 0xa0, 0xe1}, {0x3e, 0x00, 0x00, 0xea}},
    {OCT_ISA_THUMB, 2, 2, {0xc0, 0x46}, {0x7e, 0xe0}},
    {OCT_ISA_AARCH64, 4, 4, {0x1f, 0x20, 0x03, 0xd5}, {0x40, 0x00, 0x00, 0x14}},
    {OCT_ISA_RISCV32, 4, 4, {0x13, 0x00, 0x00, 0x00}, {0x6f, 0x00, 0x00, 0x10}},
    {OCT_ISA_RISCV64, 4, 4, {0x13, 0x00, 0x00, 0x00}, {0x6f, 0x00, 0x00, 0x10}},
    {OCT_ISA_X86_64, 1, 5, {0x90}, {0xe9, 0xfb, 0x00, 0x00, 0x00}},
};

typedef struct way {
  uint64_t seen[SEEN_MAX], stop_at;
  unsigned n;
} way;

static int see(void *context, uint64_t addr) {
  way *w = context;
  w->seen[w->n++] = addr;
  return addr == w->stop_at || w->n == SEEN_MAX;
}

static void no_load(void *context, uint64_t addr, unsigned size_bytes) {
  (void)context, (void)addr, (void)size_bytes;
}

static void no_store(void *context, uint64_t addr, unsigned size_bytes, uint64_t value) {
  (void)context, (void)addr, (void)size_bytes, (void)value;
}

static void run(oct_emulator *m, way *w, uint64_t from, uint64_t stop_at, bool is_thumb) {
  *w = (way){.stop_at = stop_at};
  assert_int_equal(oct_emulator_run(m, &from, is_thumb), 0);
  assert_int_equal(from, stop_at);
}

/* The jump stands at jump_at, the other instruction before it. */
static void put_late(const code *c, uint64_t jump_at, bool is_run) {
  const uint64_t at = jump_at - c->n_nop;
  const bool is_thumb = c->isa == OCT_ISA_THUMB;
  way w;
  const oct_emulator_hooks hooks = {&w, see, no_load, no_store};
  oct_emulator *m = oct_emulator_new(c->isa, &hooks);
  assert_non_null(m);
  assert_int_equal(oct_emulator_put_code(m, at, c->nop, c->n_nop), 0);
  assert_int_equal(oct_emulator_put_code(m, jump_at + TO, c->nop, c->n_nop), 0);
  run(m, &w, at, jump_at, is_thumb);
  if (is_run) run(m, &w, jump_at, jump_at, is_thumb);
  assert_int_equal(oct_emulator_put_code(m, jump_at, c->jump, c->n_jump), 0);
  run(m, &w, jump_at, jump_at + TO, is_thumb);
  run(m, &w, at, jump_at + TO, is_thumb);
  assert_int_equal(w.n, 3);
  assert_int_equal(w.seen[1], jump_at);
  oct_emulator_free(m);
}

static void code_comes_late(void **state) {
  (void)state;
  const uint64_t places[] = {AT + 0x40, AT, AT - 2, (1 << 16) - 2, 1 << 16};
  for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
    for (size_t k = 0; oct_emulator_has(codes[i].isa) && k < sizeof places / sizeof *places; k++) {
      const uint64_t at =
          places[k] -
          places[k] % (codes[i].isa == OCT_ISA_ARM || codes[i].isa == OCT_ISA_AARCH64 ? 4 : 2);
      put_late(&codes[i], at, false);
      put_late(&codes[i], at, true);
    }
}

/* A load that reserves, a store on its condition, and a place to stop at, with register 3 as base.
 */
static const struct pair {
  oct_isa isa;
  uint8_t code[12];
} pairs[] = {
    /* ldrex r1, [r3]; strex r0, r1, [r3]; nop */
    {OCT_ISA_ARM, {0x9f, 0x1f, 0x93, 0xe1, 0x91, 0x0f, 0x83, 0xe1, 0x00, 0x00, 0xa0, 0xe1}},
    {OCT_ISA_THUMB, {0x53, 0xe8, 0x00, 0x1f, 0x43, 0xe8, 0x00, 0x10, 0xc0, 0x46}},
    /* ldxr w1, [x3]; stxr w0, w1, [x3]; nop */
    {OCT_ISA_AARCH64, {0x61, 0x7c, 0x5f, 0x88, 0x61, 0x7c, 0x00, 0x88, 0x1f, 0x20, 0x03, 0xd5}},
    /* lr.w a1, (gp); sc.w a0, a1, (gp); nop */
    {OCT_ISA_RISCV32, {0xaf, 0xa5, 0x01, 0x10, 0x2f, 0xa5, 0xb1, 0x18, 0x13, 0x00, 0x00, 0x00}},
    {OCT_ISA_RISCV64, {0xaf, 0xa5, 0x01, 0x10, 0x2f, 0xa5, 0xb1, 0x18, 0x13, 0x00, 0x00, 0x00}},
};

typedef struct accesses {
  way w;
  unsigned loads, stores;
} accesses;

static int see_insn(void *context, uint64_t addr) {
  return see(&((accesses *)context)->w, addr);
}
static void count_load(void *context, uint64_t addr, unsigned size_bytes) {
  ((accesses *)context)->loads += addr == 0x2000 && size_bytes == 4;
}
static void count_store(void *context, uint64_t addr, unsigned size_bytes, uint64_t value) {
  ((accesses *)context)->stores += addr == 0x2000 && size_bytes == 4 && value == 5;
}

static void conditional_stores_load_nothing(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    const struct pair *p = &pairs[i];
    accesses a = {.w = {.stop_at = AT + 8}};
    const oct_emulator_hooks hooks = {&a, see_insn, count_load, count_store};
    uint8_t base[8] = {0, 0x20}, word[4] = {5};
    uint64_t pc = AT;
    if (!oct_emulator_has(p->isa)) continue;
    oct_emulator *m = oct_emulator_new(p->isa, &hooks);
    assert_non_null(m);
    assert_int_equal(oct_emulator_put_code(m, AT, p->code, sizeof p->code), 0);
    assert_int_equal(oct_emulator_poke(m, 0x2000, word, sizeof word), 0);
    oct_emulator_set(m, 3, base);
    assert_int_equal(oct_emulator_run(m, &pc, p->isa == OCT_ISA_THUMB), 0);
    assert_int_equal(pc, AT + 8);
    assert_int_equal(a.loads, 1);
    assert_int_equal(a.stores, 1);
    oct_emulator_free(m);
  }
}

/* With register 3 as base: a store of double 1, a load of double 2, and a place to stop at. */
static const struct pair doubles[] = {
    /* vstr d1, [r3]; vldr d2, [r3, #8]; nop */
    {OCT_ISA_ARM, {0x00, 0x1b, 0x83, 0xed, 0x02, 0x2b, 0x93, 0xed, 0x00, 0x00, 0xa0, 0xe1}},
    {OCT_ISA_THUMB, {0x83, 0xed, 0x00, 0x1b, 0x93, 0xed, 0x02, 0x2b, 0xc0, 0x46}},
    /* str d1, [x3]; ldr d2, [x3, #8]; nop */
    {OCT_ISA_AARCH64, {0x61, 0x00, 0x00, 0xfd, 0x62, 0x04, 0x40, 0xfd, 0x1f, 0x20, 0x03, 0xd5}},
    /* fsd f1, 0(gp); fld f2, 8(gp); nop */
    {OCT_ISA_RISCV32, {0x27, 0xb0, 0x11, 0x00, 0x07, 0xb1, 0x81, 0x00, 0x13, 0x00, 0x00, 0x00}},
    {OCT_ISA_RISCV64, {0x27, 0xb0, 0x11, 0x00, 0x07, 0xb1, 0x81, 0x00, 0x13, 0x00, 0x00, 0x00}},
    /* movq %xmm1, (%rbx); movq 8(%rbx), %xmm2 */
    {OCT_ISA_X86_64, {0x66, 0x0f, 0xd6, 0x0b, 0xf3, 0x0f, 0x7e, 0x53, 0x08, 0x90}},
};

enum { ONE = 1, TWO = 2, BASE = 3, DOUBLES = OCT_REG_FLOAT };

typedef struct stores {
  way w;
  uint64_t value;
} stores;

static int see_until(void *context, uint64_t addr) {
  return see(&((stores *)context)->w, addr);
}
static void keep_value(void *context, uint64_t addr, unsigned size_bytes, uint64_t value) {
  /* ARM may store halves. */
  ((stores *)context)->value |=
      size_bytes == 8 ? value : (value & UINT32_MAX) << 8 * (addr - 0x2000);
}

/* Each byte of a register is another one, also of the next register, and of the next round. */
static void fill(uint8_t *bytes, unsigned n, unsigned number, unsigned round) {
  for (unsigned i = 0; i < n; i++) bytes[i] = (uint8_t)(number * 16 + i + 3 * round + 1);
}

static void floats_are(oct_emulator *m, oct_isa isa, unsigned round, unsigned but) {
  uint8_t bytes[OCT_FACT_REGISTER_MAX], want[OCT_FACT_REGISTER_MAX];
  for (unsigned k = DOUBLES; k < OCT_REGISTERS_MAX; k++) {
    const unsigned n = oct_isa_register_bytes(isa, k);
    if (!n || k == but) continue;
    fill(want, n, k, round);
    assert_true(oct_emulator_get(m, k, bytes));
    assert_memory_equal(bytes, want, n);
  }
}

static void floats_are_whole(void **state) {
  (void)state;
  const uint8_t memory[8] = {0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x3f}, zeros[8] = {0};
  for (size_t i = 0; i < sizeof doubles / sizeof *doubles; i++) {
    const oct_isa isa = doubles[i].isa;
    stores s;
    const oct_emulator_hooks hooks = {&s, see_until, no_load, keep_value};
    uint8_t base[8] = {0, 0x20}, bytes[OCT_FACT_REGISTER_MAX], one[8];
    if (!oct_emulator_has(isa)) continue;
    oct_emulator *m = oct_emulator_new(isa, &hooks);
    assert_non_null(m);
    assert_int_equal(oct_emulator_put_code(m, AT, doubles[i].code, sizeof doubles[i].code), 0);
    assert_int_equal(oct_emulator_poke(m, 0x2008, memory, sizeof memory), 0);
    for (unsigned k = DOUBLES; k < OCT_REGISTERS_MAX; k++)
      assert_int_equal(oct_emulator_get(m, k, bytes), oct_isa_register_bytes(isa, k) > 0);
    for (unsigned round = 0; round < 3; round++) {
      uint64_t pc = AT;
      if (round == 2) oct_emulator_reset(m);
      assert_true(round == 1 || oct_emulator_get(m, DOUBLES + ONE, bytes));
      if (round != 1) assert_memory_equal(bytes, zeros, sizeof zeros);
      oct_emulator_set(m, BASE, base);
      for (unsigned k = DOUBLES; k < OCT_REGISTERS_MAX; k++) {
        fill(bytes, sizeof bytes, k, round);
        if (oct_isa_register_bytes(isa, k)) oct_emulator_set(m, k, bytes);
      }
      floats_are(m, isa, round, OCT_REGISTERS_MAX);
      fill(one, sizeof one, DOUBLES + ONE, round);
      s = (stores){.w = {.stop_at = AT + (isa == OCT_ISA_X86_64 ? 9 : 8)}};
      assert_int_equal(oct_emulator_run(m, &pc, isa == OCT_ISA_THUMB), 0);
      assert_memory_equal(&s.value, one, sizeof one);
      assert_true(oct_emulator_get(m, DOUBLES + TWO, bytes));
      assert_memory_equal(bytes, memory, sizeof memory);
      floats_are(m, isa, round, DOUBLES + TWO);
    }
    oct_emulator_free(m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(code_comes_late),
                                     cmocka_unit_test(conditional_stores_load_nothing),
                                     cmocka_unit_test(floats_are_whole)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
