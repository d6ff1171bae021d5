/* SPDX-License-Identifier: Apache-2.0 */
/* test_isa_arm.c - does the decoder of ARM code know each instruction's class, target and accesses?
 * Encodings worked by hand from the ARM architecture manual (ARM DDI 0100). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "octrace/trace.h"

#define ADDR 0x8000u

typedef struct example {
  uint32_t word;
  const char *text, *slots; /* L or S, the size, p if PC-relative */
  uint8_t cls;
  uint8_t conditional;
  uint32_t target;
} example;

/* Describe the instruction at addr, of which n bytes are there. Its size in bytes, 0 when none. */
static unsigned describe(uint64_t addr, const uint8_t *code, size_t n, oct_map_entry *e) {
  oct_disasm *d = oct_disasm_new(OCT_ISA_ARM);
  assert_non_null(d);
  memset(e, 0xa5, sizeof *e);
  unsigned size = oct_disasm_insn(d, addr, code, n, e);
  oct_disasm_free(d);
  return size;
}

enum { SLOTS_MAX = 32 }; /* of A32: the registers for floating point */

static void check(const example *x) {
  const uint8_t code[4] = {(uint8_t)x->word, (uint8_t)(x->word >> 8), (uint8_t)(x->word >> 16),
                           (uint8_t)(x->word >> 24)};
  oct_map_entry e;
  char slots[4 * SLOTS_MAX + 1] = "";
  assert_int_equal(describe(ADDR, code, 4, &e), 4);
  assert_true(e.n_slots <= SLOTS_MAX);
  for (unsigned s = 0, n = 0; s < e.n_slots; s++) {
    unsigned slot = e.slots[oct_access_slot(s)];
    n += (unsigned)snprintf(slots + n, sizeof slots - n, "%c%u%s",
                            slot & OCT_SLOT_STORE ? 'S' : 'L', 1u << (slot & OCT_SLOT_SIZE_MASK),
                            slot & OCT_SLOT_PC_RELATIVE ? "p" : "");
  }
  if (strcmp(slots, x->slots) || e.cls != x->cls || e.target != x->target ||
      e.flags != (x->conditional ? OCT_MAP_CONDITIONAL : 0))
    fail_msg("%08x %s: class %u, target 0x%llx, slots '%s', flags %u", x->word, x->text, e.cls,
             (unsigned long long)e.target, slots, e.flags);
  assert_int_equal(e.addr, ADDR);
  assert_int_equal(e.size_bytes, 4);
  for (unsigned s = e.n_slots; s < OCT_SLOTS_MAX; s++) assert_int_equal(e.slots[s], 0);
}

#define CHECK_ALL(list) \
  for (size_t i = 0; i < sizeof list / sizeof *list; i++) check(&list[i])

enum {
  OTHER = OCT_CLASS_OTHER,
  COND_BRANCH = OCT_CLASS_COND_BRANCH,
  JUMP = OCT_CLASS_DIRECT_JUMP,
  CALL = OCT_CLASS_DIRECT_CALL,
  INDIRECT_JUMP = OCT_CLASS_INDIRECT_JUMP,
  INDIRECT_CALL = OCT_CLASS_INDIRECT_CALL,
  RETURN = OCT_CLASS_RETURN
};

static void single_transfers(void **state) {
  static const example list[] = {
      {0xe5910000, "ldr r0, [r1]", "L4", OTHER, 0, 0},
      {0xe5b10004, "ldr r0, [r1, #4]!", "L4", OTHER, 0, 0},
      {0xe4910004, "ldr r0, [r1], #4", "L4", OTHER, 0, 0},
      {0xe7910102, "ldr r0, [r1, r2, lsl #2]", "L4", OTHER, 0, 0},
      {0xe6910002, "ldr r0, [r1], r2", "L4", OTHER, 0, 0},
      {0xe59f0008, "ldr r0, [pc, #8]", "L4p", OTHER, 0, 0},
      {0xe79f0102, "ldr r0, [pc, r2, lsl #2]", "L4p", OTHER, 0, 0},
      {0x15910000, "ldrne r0, [r1]", "L4", OTHER, 1, 0},
      {0xe5d10000, "ldrb r0, [r1]", "L1", OTHER, 0, 0},
      {0xe4b10004, "ldrt r0, [r1], #4", "L4", OTHER, 0, 0},
      {0xe5810000, "str r0, [r1]", "S4", OTHER, 0, 0},
      {0xe5210004, "str r0, [r1, #-4]!", "S4", OTHER, 0, 0},
      {0xe4c10001, "strb r0, [r1], #1", "S1", OTHER, 0, 0},
      {0x05c10000, "strbeq r0, [r1]", "S1", OTHER, 1, 0},
      {0xe580f000, "str pc, [r0]", "S4", OTHER, 0, 0},
      {0xe7f000f0, "undefined", "", OTHER, 0, 0},
      {0xf5d1f000, "pld [r1]", "", OTHER, 0, 0},
  };
  (void)state;
  CHECK_ALL(list);
}

static void extra_transfers(void **state) {
  static const example list[] = {
      {0xe1d100b2, "ldrh r0, [r1, #2]", "L2", OTHER, 0, 0},
      {0xe0d100b2, "ldrh r0, [r1], #2", "L2", OTHER, 0, 0},
      {0xe1b100b2, "ldrh r0, [r1, r2]!", "L2", OTHER, 0, 0},
      {0xe1df00b4, "ldrh r0, [pc, #4]", "L2p", OTHER, 0, 0},
      {0xe1d100d0, "ldrsb r0, [r1]", "L1", OTHER, 0, 0},
      {0xe19100f2, "ldrsh r0, [r1, r2]", "L2", OTHER, 0, 0},
      {0xe1c100b0, "strh r0, [r1]", "S2", OTHER, 0, 0},
      {0xe04100b2, "strh r0, [r1], #-2", "S2", OTHER, 0, 0},
      {0x31c100b0, "strhcc r0, [r1]", "S2", OTHER, 1, 0},
      {0xe1c200d0, "ldrd r0, [r2]", "L4L4", OTHER, 0, 0},
      {0xe0c200d8, "ldrd r0, [r2], #8", "L4L4", OTHER, 0, 0},
      {0xe1cf00d8, "ldrd r0, [pc, #8]", "L4pL4p", OTHER, 0, 0},
      {0x01c200d0, "ldrdeq r0, [r2]", "L4L4", OTHER, 1, 0},
      {0xe1e200f8, "strd r0, [r2, #8]!", "S4S4", OTHER, 0, 0},
      {0xe1020091, "swp r0, r1, [r2]", "L4S4", OTHER, 0, 0},
      {0xe1420091, "swpb r0, r1, [r2]", "L1S1", OTHER, 0, 0},
      {0x11020091, "swpne r0, r1, [r2]", "L4S4", OTHER, 1, 0},
      /* their neighbours in the same space */
      {0xe0000291, "mul r0, r1, r2", "", OTHER, 0, 0},
      {0xe0810392, "umull r0, r1, r2, r3", "", OTHER, 0, 0},
      {0xe0e10392, "smlal r0, r1, r2, r3", "", OTHER, 0, 0},
  };
  (void)state;
  CHECK_ALL(list);
}

static void block_transfers(void **state) {
  static const example list[] = {
      {0xe8900006, "ldm r0, {r1, r2}", "L4L4", OTHER, 0, 0},
      {0xe8b00ff0, "ldm r0!, {r4-r11}", "L4L4L4L4L4L4L4L4", OTHER, 0, 0},
      {0xe9100002, "ldmdb r0, {r1}", "L4", OTHER, 0, 0},
      {0xe89f0003, "ldm pc, {r0, r1}", "L4pL4p", OTHER, 0, 0},
      {0xe92d4010, "push {r4, lr}", "S4S4", OTHER, 0, 0},
      {0xe8a0ffff, "stm r0!, {r0-pc}", "S4S4S4S4S4S4S4S4S4S4S4S4S4S4S4S4", OTHER, 0, 0},
      {0xc8a00006, "stmgt r0!, {r1, r2}", "S4S4", OTHER, 1, 0},
      {0xe8bd8010, "pop {r4, pc}", "L4L4", RETURN, 0, 0},
      {0x18bd8000, "ldmne sp!, {pc}", "L4", RETURN, 1, 0},
      {0xe91ba800, "ldmdb fp, {fp, sp, pc}", "L4L4L4", RETURN, 0, 0},
      {0xe89b8001, "ldm fp, {r0, pc}", "L4L4", INDIRECT_JUMP, 0, 0},
      {0xe8908002, "ldm r0, {r1, pc}", "L4L4", INDIRECT_JUMP, 0, 0},
  };
  (void)state;
  CHECK_ALL(list);
}

static void branches(void **state) {
  static const example list[] = {
      {0xeafffffe, "b .", "", JUMP, 0, ADDR},
      {0xea7fffff, "b .+0x2000004", "", JUMP, 0, ADDR + 8 + 0x1fffffc},
      {0xea800000, "b .-0x1fffff8", "", JUMP, 0, ADDR + 8 - 0x2000000},
      {0x0a000001, "beq .+12", "", COND_BRANCH, 0, ADDR + 12},
      {0xdafffffa, "ble .-16", "", COND_BRANCH, 0, ADDR - 16},
      {0xebfffffe, "bl .", "", CALL, 0, ADDR},
      {0x1b000000, "blne .+8", "", CALL, 1, ADDR + 8},
      {0xfa000000, "blx .+8", "", CALL, 0, ADDR + 8},
      {0xfb000000, "blx .+10", "", CALL, 0, ADDR + 10},
      {0xe12fff1e, "bx lr", "", RETURN, 0, 0},
      {0x112fff1e, "bxne lr", "", RETURN, 1, 0},
      {0xe12fff13, "bx r3", "", INDIRECT_JUMP, 0, 0},
      {0xe12fff23, "bxj r3", "", INDIRECT_JUMP, 0, 0},
      {0xe12fff33, "blx r3", "", INDIRECT_CALL, 0, 0},
      {0x812fff33, "blxhi r3", "", INDIRECT_CALL, 1, 0},
      {0xe12fff3e, "blx lr", "", INDIRECT_CALL, 0, 0},
  };
  (void)state;
  CHECK_ALL(list);
}

static void writes_of_pc(void **state) {
  static const example list[] = {
      {0xe1a0f00e, "mov pc, lr", "", RETURN, 0, 0},
      {0xe1b0f00e, "movs pc, lr", "", RETURN, 0, 0},
      {0x01a0f00e, "moveq pc, lr", "", RETURN, 1, 0},
      {0xe1a0f003, "mov pc, r3", "", INDIRECT_JUMP, 0, 0},
      {0xe3a0f000, "mov pc, #0", "", INDIRECT_JUMP, 0, 0},
      {0xe3a0f00e, "mov pc, #14", "", INDIRECT_JUMP, 0, 0},
      {0xe083f00e, "add pc, r3, lr", "", INDIRECT_JUMP, 0, 0},
      {0xe08ff103, "add pc, pc, r3, lsl #2", "", INDIRECT_JUMP, 0, 0},
      {0x908ff103, "addls pc, pc, r3, lsl #2", "", INDIRECT_JUMP, 1, 0},
      {0xe49df004, "ldr pc, [sp], #4", "L4", RETURN, 0, 0},
      {0x049df004, "ldreq pc, [sp], #4", "L4", RETURN, 1, 0},
      {0xe59df004, "ldr pc, [sp, #4]", "L4", INDIRECT_JUMP, 0, 0},
      {0xe51ff004, "ldr pc, [pc, #-4]", "L4p", INDIRECT_JUMP, 0, 0},
      {0x979ff103, "ldrls pc, [pc, r3, lsl #2]", "L4p", INDIRECT_JUMP, 1, 0},
  };
  (void)state;
  CHECK_ALL(list);
}

static void the_rest_is_other(void **state) {
  static const example list[] = {
      {0xe1a00000, "nop", "", OTHER, 0, 0},
      {0x03a00001, "moveq r0, #1", "", OTHER, 0, 0},
      {0xe3500000, "cmp r0, #0", "", OTHER, 0, 0},
      {0xe35ff000, "cmp pc, #0 with all ones for Rd", "", OTHER, 0, 0},
      {0xe328f000, "msr cpsr_f, #0", "", OTHER, 0, 0},
      {0xe129f000, "msr cpsr_fc, r0", "", OTHER, 0, 0},
      {0xe10f0000, "mrs r0, cpsr", "", OTHER, 0, 0},
      {0xe16f0f11, "clz r0, r1", "", OTHER, 0, 0},
      {0xe1200070, "bkpt 0", "", OTHER, 0, 0},
      {0xe1600281, "smulbb r0, r1, r2", "", OTHER, 0, 0},
      {0xe1010052, "qadd r0, r2, r1", "", OTHER, 0, 0},
      {0xef000000, "svc 0", "", OTHER, 0, 0},
      {0x1f000000, "svcne 0", "", OTHER, 0, 0},
      {0xee070f9a, "mcr p15, 0, r0, c7, c10, 4", "", OTHER, 0, 0},
      {0xed900100, "ldc p1, c0, [r0]", "", OTHER, 0, 0},
  };
  (void)state;
  CHECK_ALL(list);
}

static void floating_point_transfers(void **state) {
  static const example list[] = {
      {0xed901a02, "vldr s2, [r0, #8]", "L4", OTHER, 0, 0},
      {0xed9f0b02, "vldr d0, [pc, #8]", "L8p", OTHER, 0, 0},
      {0x0d800b00, "vstreq d0, [r0]", "S8", OTHER, 1, 0},
      {0xecb00a03, "vldmia r0!, {s0-s2}", "L4L4L4", OTHER, 0, 0},
      {0xeca00a20, "vstmia r0!, {s0-s31}",
       "S4S4S4S4S4S4S4S4S4S4S4S4S4S4S4S4S4S4S4S4S4S4S4S4S4S4S4S4S4S4S4S4", OTHER, 0, 0},
      {0xed2d8b04, "vpush {d8, d9}", "S8S8", OTHER, 0, 0},
      {0xec510b10, "vmov r0, r1, d0", "", OTHER, 0, 0},
      {0xee300b01, "vadd.f64 d0, d0, d1", "", OTHER, 0, 0},
  };
  (void)state;
  CHECK_ALL(list);
}

static void what_is_not_arm_code_is_unknown(void **state) {
  static const uint8_t code[4] = {0x1e, 0xff, 0x2f, 0xe1};
  static const struct {
    uint32_t addr;
    uint8_t given;
  } list[] = {{0x8000, 2}, {0x8002, 4}, {0xffff0fc0, 0}};
  (void)state;
  for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
    oct_map_entry e;
    assert_int_equal(describe(list[i].addr, code, list[i].given, &e), 0);
    assert_int_equal(e.addr, list[i].addr);
    assert_int_equal(e.cls, OCT_CLASS_UNKNOWN);
    assert_int_equal(e.size_bytes, 0);
    assert_int_equal(e.n_slots, 0);
    assert_int_equal(e.flags, 0);
  }
}

static void targets_wrap_at_32_bits(void **state) {
  static const uint8_t code[4] = {0xfd, 0xff, 0xff, 0xea}; /* b .-4 */
  oct_map_entry e;
  (void)state;
  assert_int_equal(describe(0, code, 4, &e), 4);
  assert_int_equal(e.target, 0xfffffffc);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(single_transfers),
      cmocka_unit_test(extra_transfers),
      cmocka_unit_test(block_transfers),
      cmocka_unit_test(branches),
      cmocka_unit_test(writes_of_pc),
      cmocka_unit_test(the_rest_is_other),
      cmocka_unit_test(floating_point_transfers),
      cmocka_unit_test(what_is_not_arm_code_is_unknown),
      cmocka_unit_test(targets_wrap_at_32_bits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
