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

/* AArch64, as QEMU 7.2 prints it: a return to EL0; a call, whose instruction retires; an
 * instruction that is none, and one whose load faults, which do not; a call that QEMU handles
 * itself; an interrupt straight behind a return. */
static void execlog_aarch64(void **state) {
  static const char log[] =
      "Exception return from AArch64 EL1 to AArch64 EL0 PC 0x4008001c\n"
      "0, 0x40080018, 0xd69f03e0, \"eret\"\n"
      "Taking exception 2 [SVC] on CPU 0\n"
      "...from EL0 to EL1\n"
      "...with ESR 0x15/0x56000001\n"
      "...with ELR 0x40080020\n"
      "...to EL1 PC 0x40080c00 PSTATE 0x3c5\n"
      "0, 0x4008001c, 0xd4000021, \"svc #0x1\"\n"
      "Taking exception 1 [Undefined Instruction] on CPU 0\n"
      "...from EL1 to EL1\n"
      "...with ESR 0x0/0x2000000\n"
      "...with ELR 0x40080c04\n"
      "...to EL1 PC 0x40080c00 PSTATE 0x3c5\n"
      "0, 0x40080c04, 0x0, \"udf #0\"\n"
      "0, 0x40080c00, 0x1400003f, \"b #0x40080cfc\"\n"
      "Taking exception 4 [Data Abort] on CPU 0\n"
      "...from EL1 to EL1\n"
      "...with ESR 0x25/0x96000000\n"
      "...with FAR 0xf00000000000\n"
      "...with ELR 0x40080cfc\n"
      "...to EL1 PC 0x40080c00 PSTATE 0x3c5\n"
      "0, 0x40080cfc, 0xf9400043, \"ldr x3, [x2]\"\n"
      "Taking exception 13 [Secure Monitor Call] on CPU 0\n"
      "...from EL1 to EL3\n"
      "...handled as PSCI call\n"
      "0, 0x40080d00, 0xd4000003, \"smc #0\"\n"
      "Exception return from AArch64 EL1 to AArch64 EL0 PC 0x4008001c\n"
      "Taking exception 5 [IRQ] on CPU 0\n"
      "...from EL0 to EL1\n"
      "...with ESR 0x25/0x96000000\n"
      "...with ELR 0x4008001c\n"
      "...to EL1 PC 0x40080c80 PSTATE 0x3c5\n"
      "0, 0x40080d04, 0xd69f03e0, \"eret\"\n"
      "0, 0x40080c80, 0xd503201f, \"nop\"\n";
  static const uint64_t addrs[] = {0x40080018, 0x4008001c, 0x40080c00,
                                   0x40080d00, 0x40080d04, 0x40080c80};
  static const oct_trap traps[] = {
      {.insn = 1, .kind = OCT_TRAP_PRIVILEGE, .privilege = 0},
      {.insn = 2, .cause = 2, .addr = 0x40080020, .privilege = 1},
      {.insn = 2, .cause = 3, .addr = 0x40080c04, .privilege = 1},
      {.insn = 3, .cause = 12, .addr = 0x40080cfc, .tval = 0xf00000000000, .privilege = 1},
      {.insn = 5, .kind = OCT_TRAP_PRIVILEGE, .privilege = 0},
      {.insn = 5, .kind = OCT_TRAP_INTERRUPT, .cause = 14, .addr = 0x4008001c, .privilege = 1}};
  (void)state;
  check(log, OCT_FORMAT_EXECLOG, "aarch64", addrs, 6, traps, 6);
}

/* A32: QEMU does not print where the program was to go on. */
static void execlog_arm(void **state) {
  static const char log[] =
      "Taking exception 2 [SVC] on CPU 0\n"
      "...from EL1 to EL1\n"
      "...with ESR 0x11/0x46000003\n"
      "0, 0x40200008, 0xef000003, \"svc #3\"\n"
      "Exception return from AArch32 und to svc PC 0x40200010\n"
      "0, 0x40200040, 0xe1b0f00e, \"movs pc, lr\"\n"
      "Taking exception 4 [Data Abort] on CPU 0\n"
      "...from EL1 to EL1\n"
      "...with ESR 0x25/0x9600003f\n"
      "...with DFSR 0x8 DFAR 0xfffffffc\n"
      "0, 0x4020001c, 0xe5912000, \"ldr r2, [r1]\"\n"
      "0, 0x40200030, 0xea000002, \"b #0x40200040\"\n";
  static const uint64_t addrs[] = {0x40200008, 0x40200040, 0x4020001c, 0x40200030};
  static const oct_trap traps[] = {{.insn = 1, .cause = 2, .privilege = 1},
                                   {.insn = 3, .cause = 12, .tval = 0xfffffffc, .privilege = 1}};
  (void)state;
  check(log, OCT_FORMAT_EXECLOG, "arm", addrs, 4, traps, 2);
}

/* x86-64: a system call of old, which QEMU prints at its own address; a page fault; an interrupt of
 * the timer, and one by its vector alone. The state of the processor follows each. */
static void execlog_x86(void **state) {
  static const char log[] =
      "0, 0x401000, 0x90, \"nop\"\n"
      "     0: v=80 e=0000 i=1 cpl=3 IP=0033:0000000000401001 pc=0000000000401001 "
      "SP=002b:00007ffffffde000 env->regs[R_EAX]=0000000000000001\n"
      "RAX=0000000000000001 RBX=0000000000000000 RCX=0000000000000000 RDX=0000000000000000\n"
      "0, 0x401001, 0x80cd, \"int 0x80\"\n"
      "check_exception old: 0xffffffff new 0xe\n"
      "     1: v=0e e=0004 i=0 cpl=3 IP=0033:0000000000402001 pc=0000000000402001 "
      "SP=002b:00007ffffffde000 CR2=00007f0000001000\n"
      "0, 0x402000, 0x90, \"nop\"\n"
      "Servicing hardware INT=0x08\n"
      "     2: v=08 e=0000 i=0 cpl=0 IP=0010:0000000000403001 pc=0000000000403001 "
      "SP=0018:00000000000a1fa4 env->regs[R_EAX]=000000000001fd70\n"
      "0, 0x403000, 0x90, \"nop\"\n"
      "     3: v=20 e=0000 i=0 cpl=0 IP=0010:0000000000404001 pc=0000000000404001 "
      "SP=0018:00000000000a1fa4 env->regs[R_EAX]=000000000001fd70\n"
      "0, 0x404000, 0x90, \"nop\"\n"
      "0, 0x405000, 0x90, \"nop\"\n";
  static const uint64_t addrs[] = {0x401000, 0x402000, 0x403000, 0x404000, 0x405000};
  enum { UNKNOWN = OCT_PRIVILEGE_UNKNOWN };
  static const oct_trap traps[] = {
      {.insn = 1, .cause = 0x80, .addr = 0x401001, .privilege = UNKNOWN},
      {.insn = 2, .cause = 14, .addr = 0x402001, .tval = 0x7f0000001000, .privilege = UNKNOWN},
      {.insn = 3, .kind = OCT_TRAP_INTERRUPT, .cause = 8, .addr = 0x403001, .privilege = UNKNOWN},
      {.insn = 4, .kind = OCT_TRAP_INTERRUPT, .cause = 32, .addr = 0x404001, .privilege = UNKNOWN}};
  (void)state;
  check(log, OCT_FORMAT_EXECLOG, "x86-64", addrs, 5, traps, 4);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(spike),         cmocka_unit_test(execlog),
      cmocka_unit_test(execlog_harts), cmocka_unit_test(execlog_aarch64),
      cmocka_unit_test(execlog_arm),   cmocka_unit_test(execlog_x86)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
