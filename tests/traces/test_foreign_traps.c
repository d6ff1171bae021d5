/* SPDX-License-Identifier: Apache-2.0 */
/* test_foreign_traps.c - are traps and privilege read from the logs of simulators? */
#include "test_util.h"

static void read_log(const char *content, oct_format format, const char *isa, trace *t) {
  const char *path = scratch("traps.log");
  const oct_read_options options = {.format = format, .isa = isa};
  oct_diag diag = {0};
  save(path, content, strlen(content));
  if (read_trace(path, &options, t, &diag)) fail_msg("%s", diag.text);
  unlink(path);
}

static void check(const char *content, oct_format format, const char *isa, const uint64_t *addrs,
                  size_t n_insns, const oct_trap *traps, size_t n_traps) {
  const trace want = {.traps = (oct_trap *)traps, .n_traps = n_traps};
  trace got;
  read_log(content, format, isa, &got);
  assert_int_equal(got.n_insns, n_insns);
  for (size_t i = 0; i < n_insns; i++) assert_int_equal(got.insns[i].addr, addrs[i]);
  assert_traps(&want, 0, n_insns, 1, &got);
  trace_free(&got);
}

/* The privilege of the start; a load that faults; a return by mret; an interrupt in user mode; two
 * traps in a row; and one behind which nothing retires. */
static void spike(void **state) {
  static const char log[] =
      "core   0: 0x0000000080000000 (0x00000013) nop\n"
      "core   0: 3 0x0000000080000000 (0x00000013)\n"
      "core   0: 0x0000000080000004 (0x00052503) lw a0, 0(a0)\n"
      "core   0: exception trap_load_page_fault, epc 0x0000000080000004\n"
      "core   0:           tval 0x0000000000001000\n"
      "core   0: 3 0x0000000080000100 (0x00000013)\n"
      "core   0: 3 0x0000000080000104 (0x30200073)\n"
      "core   0: 0 0x0000000000010000 (0x0001)\n"
      "core   0: exception interrupt #7, epc 0x0000000000010002\n"
      "core   0: 3 0x0000000080000100 (0x00000013)\n"
      "core   0: exception trap #24, epc 0x0000000080000104\n"
      "core   0: exception trap_machine_ecall, epc 0x0000000080000100\n"
      "core   0: 3 0x0000000080000100 (0x00000013)\n"
      "core   0: exception trap_illegal_instruction, epc 0x0000000080000104\n"
      "core   0:           tval 0x000000000000ffff\n";
  static const uint64_t addrs[] = {0x80000000, 0x80000100, 0x80000104,
                                   0x10000,    0x80000100, 0x80000100};
  static const oct_trap traps[] = {
      {.kind = OCT_TRAP_PRIVILEGE, .privilege = 3},
      {.insn = 1, .cause = 13, .addr = 0x80000004, .tval = 0x1000, .privilege = 3},
      {.insn = 3, .kind = OCT_TRAP_PRIVILEGE, .privilege = 0},
      {.insn = 4, .kind = OCT_TRAP_INTERRUPT, .cause = 7, .addr = 0x10002, .privilege = 3},
      {.insn = 5, .cause = 24, .addr = 0x80000104, .privilege = OCT_PRIVILEGE_UNKNOWN},
      {.insn = 5, .cause = 11, .addr = 0x80000100, .privilege = 3},
      {.insn = 6,
       .cause = 2,
       .addr = 0x80000104,
       .tval = 0xffff,
       .privilege = OCT_PRIVILEGE_UNKNOWN}};
  (void)state;
  check(log, OCT_FORMAT_SPIKE, NULL, addrs, 6, traps, 7);
}

/* QEMU: an ecall, which is printed behind its trap; an interrupt; and two at once at the end. */
static void execlog(void **state) {
  static const char log[] =
      "0, 0x10000, 0x13, \"nop\"\n"
      "riscv_cpu_do_interrupt: hart:0, async:0, cause:0000000000000008, "
      "epc:0x0000000000010004, tval:0x0000000000000000, desc=user_ecall\n"
      "0, 0x10004, 0x73, \"ecall\"\n"
      "riscv_cpu_do_interrupt: hart:0, async:1, cause:0000000000000007, "
      "epc:0x0000000080000104, tval:0x0000000000000000, desc=m_timer\n"
      "0, 0x80000100, 0x13, \"nop\"\n"
      "0, 0x80000200, 0x13, \"nop\"\n"
      "riscv_cpu_do_interrupt: hart:0, async:0, cause:000000000000000f, "
      "epc:0x0000000080000204, tval:0x0000000000001000, desc=store_page_fault\n"
      "riscv_cpu_do_interrupt: hart:0, async:1, cause:000000000000000b, "
      "epc:0x0000000080000100, tval:0x0000000000000000, desc=m_external\n";
  static const uint64_t addrs[] = {0x10000, 0x80000100, 0x80000200};
  static const oct_trap traps[] = {
      {.insn = 1, .cause = 8, .addr = 0x10004, .privilege = OCT_PRIVILEGE_UNKNOWN},
      {.insn = 2,
       .kind = OCT_TRAP_INTERRUPT,
       .cause = 7,
       .addr = 0x80000104,
       .privilege = OCT_PRIVILEGE_UNKNOWN},
      {.insn = 3,
       .cause = 15,
       .addr = 0x80000204,
       .tval = 0x1000,
       .privilege = OCT_PRIVILEGE_UNKNOWN},
      {.insn = 3,
       .kind = OCT_TRAP_INTERRUPT,
       .cause = 11,
       .addr = 0x80000100,
       .privilege = OCT_PRIVILEGE_UNKNOWN}};
  (void)state;
  check(log, OCT_FORMAT_EXECLOG, "riscv64", addrs, 3, traps, 4);
}

/* Two processors: a trap is told behind the line of its own, an instruction of another one at the
 * same address has retired, and each has one waiting at the end. */
static void execlog_harts(void **state) {
  static const char log[] =
      "0, 0x10000, 0x13, \"nop\"\n"
      "1, 0x20000, 0x13, \"nop\"\n"
      "riscv_cpu_do_interrupt: hart:1, async:1, cause:0000000000000007, "
      "epc:0x0000000000020008, tval:0x0000000000000000, desc=m_timer\n"
      "riscv_cpu_do_interrupt: hart:0, async:0, cause:0000000000000008, "
      "epc:0x0000000000020004, tval:0x0000000000000000, desc=user_ecall\n"
      "1, 0x20004, 0x13, \"nop\"\n"
      "0, 0x20004, 0x73, \"ecall\"\n"
      "riscv_cpu_do_interrupt: hart:1, async:1, cause:000000000000000b, "
      "epc:0x0000000000020008, tval:0x0000000000000000, desc=m_external\n"
      "riscv_cpu_do_interrupt: hart:0, async:1, cause:0000000000000007, "
      "epc:0x0000000000010008, tval:0x0000000000000000, desc=m_timer\n"
      "2, 0x30000, 0x13, \"nop\"\n";
  static const uint64_t addrs[] = {0x10000, 0x20000, 0x20004, 0x30000};
  static const oct_trap traps[] = {
      {.insn = 3,
       .kind = OCT_TRAP_INTERRUPT,
       .cause = 7,
       .addr = 0x20008,
       .privilege = OCT_PRIVILEGE_UNKNOWN},
      {.insn = 3, .cause = 8, .addr = 0x20004, .privilege = OCT_PRIVILEGE_UNKNOWN},
      {.insn = 4,
       .kind = OCT_TRAP_INTERRUPT,
       .cause = 11,
       .addr = 0x20008,
       .privilege = OCT_PRIVILEGE_UNKNOWN},
      {.insn = 4,
       .kind = OCT_TRAP_INTERRUPT,
       .cause = 7,
       .addr = 0x10008,
       .privilege = OCT_PRIVILEGE_UNKNOWN}};
  (void)state;
  check(log, OCT_FORMAT_EXECLOG, "riscv64", addrs, 4, traps, 4);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(spike), cmocka_unit_test(execlog),
                                     cmocka_unit_test(execlog_harts)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
