/* SPDX-License-Identifier: Apache-2.0 */
/* test_reg_fields.c - do the registers answer as the list of their fields says, which
 * rtl/octrace.rdl is made from? At each offset: is there one, which bits are 1 after reset, which
 * can be written, and does a read or write fail where the list has none? */
#include "oct_reg_fields.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

typedef struct field {
  unsigned offset;
  const char *reg, *name;
  unsigned high, low;
  oct_reg_access access;
  uint32_t reset;
  const char *text;
} field;

#define OCT_X(...) {__VA_ARGS__},
static const field fields[] = {OCT_REG_FIELDS(OCT_X)};
#undef OCT_X

/* What the list has of an offset: masks of bits. */
typedef struct reg {
  uint32_t any, writable, fixed, clears, only_written;
  uint32_t known, reset; /* after reset */
} reg;

enum { SPAN = 0x800, TIME_BITS = 56 };
static reg listed[SPAN];

static void add(const field *f, unsigned offset) {
  reg *r = &listed[offset];
  const uint32_t bits = (uint32_t)(((uint64_t)2 << f->high) - ((uint64_t)1 << f->low));
  assert_true(f->high < 32 && f->low <= f->high && offset < SPAN && offset % 4 == 0);
  assert_int_equal(r->any & bits, 0);
  r->any |= bits;
  if (f->access == OCT_REG_RW) r->writable |= bits;
  if (f->access == OCT_REG_S) r->fixed |= bits;
  if (f->access == OCT_REG_W1C) r->clears |= bits;
  if (f->access == OCT_REG_W) r->only_written |= bits;
  if (f->reset == OCT_REG_PARAMETER) return;
  r->known |= bits;
  r->reset |= f->reset << f->low;
}

static void read_list(void) {
  for (const field *f = fields; f < fields + sizeof fields / sizeof *fields; f++) {
    const unsigned n = f->offset < OCT_REG_TR_TE_FILTER_CONTROL ? 1 : OCT_FILTERS_MAX;
    for (unsigned i = 0; i < n; i++) add(f, f->offset + i * OCT_REG_STEP);
  }
}

/* An access in its second cycle, with which events, if any. Filters have the offsets from 0x100 on.
 */
typedef struct machine {
  oct_regs regs;
  oct_filter filter;
} machine;

static oct_apb_out put(machine *m, unsigned offset, int is_write, uint32_t data, uint32_t errors) {
  const oct_apb_in apb = {
      .psel = true, .penable = true, .pwrite = is_write, .paddr = offset, .pwdata = data};
  oct_regs_in in = {.apb = apb, .errors = errors};
  oct_filter_in filter_in = {.apb = apb};
  oct_filter_out filter_out;
  oct_apb_out out;
  if (offset >= 0x100) in.apb.psel = false;
  oct_regs_eval(&m->regs, &in, &out);
  oct_regs_clock(&m->regs);
  if (offset < 0x100) return out;
  oct_filter_eval(&m->filter, &filter_in, &filter_out);
  oct_filter_clock(&m->filter);
  return filter_out.apb;
}

static void start(machine *m) {
  oct_regs_init(&m->regs, 1000, TIME_BITS, false);
  oct_filter_init(&m->filter, OCT_FILTERS_MAX, 64, 16);
}

static void test_offsets(void **state) {
  (void)state;
  for (unsigned offset = 0; offset < SPAN; offset++) {
    const reg *r = &listed[offset];
    machine m;
    start(&m);
    const oct_apb_out read = put(&m, offset, 0, 0, 0);
    assert_int_equal(read.pslverr, !r->any || r->only_written);
    if (!read.pslverr) {
      assert_int_equal(read.prdata & r->known, r->reset);
      assert_int_equal(read.prdata & ~r->any, 0);
    }
    const oct_apb_out write = put(&m, offset, 1, 0, 0);
    /* a register of filters takes a write that changes nothing */
    assert_int_equal(write.pslverr,
                     !r->any || (offset < 0x100 && !r->writable && !r->clears && !r->only_written));
  }
}

static void test_writes(void **state) {
  /* ATID takes 1 to 0x6f, triggers take the actions 2 and 3 */
  static const uint32_t patterns[] = {0x55555522, 0xaaaaaa33, 0x0f0f0f23, 0xfffffff0 | 2};
  (void)state;
  for (unsigned offset = 0; offset < SPAN; offset++) {
    const reg *r = &listed[offset];
    uint32_t ones = 0, zeros = 0;
    for (unsigned i = 0; r->writable && i < 0x10000; i++) {
      const uint32_t data =
          i < 4 ? patterns[i] : (i << 16 | (i * 0x9e37u & 0xffff)) ^ (uint32_t)offset;
      machine m;
      start(&m);
      put(&m, offset, 1, data, 0);
      const uint32_t now = put(&m, offset, 0, 0, 0).prdata;
      assert_int_equal(now & ~(r->writable | r->fixed), 0);
      assert_int_equal(now & r->fixed, r->reset & r->fixed);
      /* of numbers that are not taken, the old or none is there */
      if (offset != OCT_REG_ATID && offset != OCT_REG_TR_TE_TRIG_EXT_IN)
        assert_int_equal(now & r->writable, data & r->writable);
      ones |= now;
      zeros |= ~now;
    }
    /* each bit that can be written has been 1 and 0, but for those of the actions from 4 on */
    const uint32_t never = offset == OCT_REG_TR_TE_TRIG_EXT_IN ? 0xcc : 0;
    assert_int_equal(ones & r->writable, r->writable & ~never);
    assert_int_equal(zeros & r->writable, r->writable);
  }
}

static void test_clears(void **state) {
  machine m;
  (void)state;
  const uint32_t all = listed[OCT_REG_ERRORS].clears;
  start(&m);
  put(&m, OCT_REG_CTRL, 0, 0, all);
  assert_int_equal(put(&m, OCT_REG_ERRORS, 0, 0, 0).prdata, all);
  for (uint32_t bit = 1; bit <= all; bit <<= 1) {
    const uint32_t before = put(&m, OCT_REG_ERRORS, 0, 0, 0).prdata;
    put(&m, OCT_REG_ERRORS, 1, bit, 0);
    assert_int_equal(put(&m, OCT_REG_ERRORS, 0, 0, 0).prdata, before & ~bit);
  }
  assert_int_equal(put(&m, OCT_REG_ERRORS, 0, 0, 0).prdata, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_offsets), cmocka_unit_test(test_writes),
                                     cmocka_unit_test(test_clears)};
  read_list();
  return cmocka_run_group_tests(tests, NULL, NULL);
}
