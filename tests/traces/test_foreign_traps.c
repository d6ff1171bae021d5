/* SPDX-License-Identifier: Apache-2.0 */
/* test_foreign_traps.c - are traps and privilege read from the logs of simulators? */
#include "test_util.h"

static void read_log(const char *content, oct_format format, const char *isa, trace *t) {
  const char *path = scratch("traps.log");
  const oct_read_options options = {.format = format, .isa = isa};
  oct_diag diag = {0};
  save(path, content, strlen(content));
  if (read_trace(path, &options, t, &diag)) fail_msg("%s", oct_diag_line(&diag).text);
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
  check(log, oct_format_by_name("spike"), NULL, addrs, 6, traps, 7);
}

/* Two cores in turns: each trap is told before the next instruction of its own core, with the
 * privilege of that one, two in a row together, and what is left of either at the end. A line of
 * tval belongs to the last trap of its core. */
static void spike_cores(void **state) {
  static const char log[] =
      "core   0: 3 0x0000000080000000 (0x00000013)\n"
      "core   1: 0 0x0000000080001000 (0x00000013)\n"
      "core   0: exception trap_machine_ecall, epc 0x0000000080000004\n"
      "core   1: exception trap_load_page_fault, epc 0x0000000080001004\n"
      "core   0:           tval 0x0000000000000007\n"
      "core   1:           tval 0x0000000000002000\n"
      "core   0: exception interrupt #7, epc 0x0000000080000100\n"
      "core   2: 3 0x0000000080002000 (0x00000013)\n"
      "core   1: 1 0x0000000080001100 (0x00000013)\n"
      "core   0: 3 0x0000000080000200 (0x00000013)\n"
      "core   1: 1 0x0000000080001104 (0x00000013)\n"
      "core   1: exception trap_illegal_instruction, epc 0x0000000080001108\n"
      "core   0: exception trap_breakpoint, epc 0x0000000080000204\n"
      "core   1:           tval 0x000000000000ffff\n";
  static const uint64_t addrs[] = {0x80000000, 0x80001000, 0x80002000,
                                   0x80001100, 0x80000200, 0x80001104};
  enum { UNKNOWN = OCT_PRIVILEGE_UNKNOWN };
  static const oct_trap traps[] = {
      {.kind = OCT_TRAP_PRIVILEGE, .privilege = 3},
      {.insn = 1, .kind = OCT_TRAP_PRIVILEGE, .privilege = 0},
      {.insn = 2, .kind = OCT_TRAP_PRIVILEGE, .privilege = 3},
      {.insn = 3, .cause = 13, .addr = 0x80001004, .tval = 0x2000, .privilege = 1},
      {.insn = 4, .cause = 11, .addr = 0x80000004, .tval = 7, .privilege = UNKNOWN},
      {.insn = 4, .kind = OCT_TRAP_INTERRUPT, .cause = 7, .addr = 0x80000100, .privilege = 3},
      {.insn = 5, .kind = OCT_TRAP_PRIVILEGE, .privilege = 1},
      {.insn = 6, .cause = 2, .addr = 0x80001108, .tval = 0xffff, .privilege = UNKNOWN},
      {.insn = 6, .cause = 3, .addr = 0x80000204, .privilege = UNKNOWN}};
  (void)state;
  check(log, oct_format_by_name("spike"), NULL, addrs, 6, traps, 9);
}

/* Commits of old versions name no core: they take the traps of any. */
static void spike_unnamed(void **state) {
  static const char log[] =
      "3 0x0000000080000000 (0x00000013)\n"
      "core   1: exception trap_machine_ecall, epc 0x0000000080000004\n"
      "core   1:           tval 0x0000000000000000\n"
      "3 0x0000000080000100 (0x00000013)\n";
  static const uint64_t addrs[] = {0x80000000, 0x80000100};
  static const oct_trap traps[] = {{.kind = OCT_TRAP_PRIVILEGE, .privilege = 3},
                                   {.insn = 1, .cause = 11, .addr = 0x80000004, .privilege = 3}};
  (void)state;
  check(log, oct_format_by_name("spike"), NULL, addrs, 2, traps, 2);
}

/* Each privilege, also those of a guest; each exception by its name has the number that RISC-V
 * gives it; and a value behind an interrupt is not its. */
static void spike_names(void **state) {
  static const struct {
    const char *name;
    uint32_t cause;
  } exceptions[] = {{"instruction_address_misaligned", 0},
                    {"instruction_access_fault", 1},
                    {"illegal_instruction", 2},
                    {"breakpoint", 3},
                    {"load_address_misaligned", 4},
                    {"load_access_fault", 5},
                    {"store_address_misaligned", 6},
                    {"store_access_fault", 7},
                    {"user_ecall", 8},
                    {"supervisor_ecall", 9},
                    {"virtual_supervisor_ecall", 10},
                    {"machine_ecall", 11},
                    {"instruction_page_fault", 12},
                    {"load_page_fault", 13},
                    {"store_page_fault", 15},
                    {"double_trap", 16},
                    {"software_check", 18},
                    {"hardware_error", 19},
                    {"instruction_guest_page_fault", 20},
                    {"load_guest_page_fault", 21},
                    {"virtual_instruction", 22},
                    {"store_guest_page_fault", 23}};
  enum { N = sizeof exceptions / sizeof *exceptions, PRIVILEGES = 7 };
  char log[8192] = "";
  uint64_t addrs[PRIVILEGES + N + 1];
  oct_trap traps[PRIVILEGES + N + 1];
  size_t used = 0, n = 0;
  (void)state;
  for (unsigned k = 0; k < PRIVILEGES; k++, n++) {
    used += (size_t)snprintf(log + used, sizeof log - used,
                             "core   0: %u 0x0000000080000000 (0x00000013)\n", k);
    traps[n] = (oct_trap){.insn = (uint32_t)n, .kind = OCT_TRAP_PRIVILEGE, .privilege = (uint8_t)k};
    addrs[n] = 0x80000000;
  }
  for (unsigned k = 0; k <= N; k++, n++) {
    if (k < N)
      used += (size_t)snprintf(log + used, sizeof log - used,
                               "core   0: exception trap_%s, epc 0x0000000080000004\n",
                               exceptions[k].name);
    else
      used += (size_t)snprintf(log + used, sizeof log - used,
                               "core   0: exception interrupt #5, epc 0x0000000080000004\n");
    used += (size_t)snprintf(log + used, sizeof log - used,
                             "core   0:           tval 0x%016x\n"
                             "core   0: 3 0x0000000080000000 (0x00000013)\n",
                             k + 1);
    traps[n] = (oct_trap){.insn = (uint32_t)n, .addr = 0x80000004, .privilege = 3};
    traps[n].kind = k < N ? OCT_TRAP_EXCEPTION : OCT_TRAP_INTERRUPT;
    traps[n].cause = k < N ? exceptions[k].cause : 5;
    traps[n].tval = k < N ? k + 1 : 0;
    addrs[n] = 0x80000000;
  }
  assert_true(used < sizeof log);
  check(log, oct_format_by_name("spike"), NULL, addrs, n, traps, n);
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
  check(log, oct_format_by_name("execlog"), "riscv64", addrs, 3, traps, 4);
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
  check(log, oct_format_by_name("execlog"), "riscv64", addrs, 4, traps, 4);
}

/* More traps of a processor that does not go on than may wait: the oldest one is told at once. */
static void execlog_many(void **state) {
  enum { WAITING = 256, N = WAITING + 1, LINE_BYTES = 160 };
  char *log = malloc((N + 4) * LINE_BYTES);
  static const uint64_t addrs[] = {0x10000, 0x10004, 0x20000};
  oct_trap traps[N];
  (void)state;
  assert_non_null(log);
  int used = sprintf(log, "0, 0x10000, 0x13, \"nop\"\n");
  for (unsigned k = 0; k < N; k++) {
    used += sprintf(log + used,
                    "riscv_cpu_do_interrupt: hart:1, async:1, cause:0000000000000007, "
                    "epc:0x%016x, tval:0x0000000000000000, desc=m_timer\n",
                    0x20000 + k);
    traps[k] = (oct_trap){.insn = k ? 3 : 1,
                          .kind = OCT_TRAP_INTERRUPT,
                          .cause = 7,
                          .addr = 0x20000 + k,
                          .privilege = OCT_PRIVILEGE_UNKNOWN};
  }
  sprintf(log + used, "0, 0x10004, 0x13, \"nop\"\n1, 0x20000, 0x13, \"nop\"\n");
  check(log, oct_format_by_name("execlog"), "riscv64", addrs, 3, traps, N);
  free(log);
}

/* Each exception of Arm that QEMU numbers, as ETMv4 numbers it. */
static void execlog_arm_causes(void **state) {
  enum { CALL = 2, TRAP, SERROR, BREAKPOINT = 6, INSN_FAULT = 11, DATA_FAULT };
  enum { IRQ = 14, FIQ };
  static const uint8_t causes[][2] = {{1, TRAP},  {2, CALL},    {3, INSN_FAULT}, {4, DATA_FAULT},
                                      {5, IRQ},   {6, FIQ},     {7, BREAKPOINT}, {8, TRAP},
                                      {11, CALL}, {12, TRAP},   {13, CALL},      {14, IRQ},
                                      {15, FIQ},  {24, SERROR}, {25, TRAP},      {99, TRAP}};
  enum { N = sizeof causes / sizeof *causes };
  char log[8192];
  uint64_t addrs[N];
  oct_trap traps[N];
  size_t used = 0;
  (void)state;
  for (uint32_t k = 0; k < N; k++) {
    bool is_interrupt = causes[k][1] == IRQ || causes[k][1] == FIQ;
    used += (size_t)snprintf(log + used, sizeof log - used,
                             "Taking exception %u [any] on CPU 0\n"
                             "...from EL0 to EL1\n"
                             "...with FAR 0x1234\n"
                             "...with ELR 0x40090000\n"
                             "0, 0x40080000, 0xd503201f, \"nop\"\n",
                             (unsigned)causes[k][0]);
    addrs[k] = 0x40080000;
    traps[k] = (oct_trap){.insn = k + 1,
                          .cause = causes[k][1],
                          .addr = 0x40090000,
                          .tval = is_interrupt ? 0 : 0x1234,
                          .kind = is_interrupt ? OCT_TRAP_INTERRUPT : OCT_TRAP_EXCEPTION,
                          .privilege = 1};
  }
  assert_true(used < sizeof log);
  check(log, oct_format_by_name("execlog"), "aarch64", addrs, N, traps, N);
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
  check(log, oct_format_by_name("execlog"), "aarch64", addrs, 6, traps, 6);
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
  check(log, oct_format_by_name("execlog"), "arm", addrs, 4, traps, 2);
}

/* x86-64: a system call of old, which QEMU prints at its own address; a page fault; an interrupt of
 * the timer, and two by their vectors alone, of which one is the NMI; an exception by the vector
 * behind that. The state of the processor follows each. */
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
      "     4: v=02 e=0000 i=0 cpl=0 IP=0010:0000000000405001 pc=0000000000405001 "
      "SP=0018:00000000000a1fa4 env->regs[R_EAX]=000000000001fd70\n"
      "0, 0x405000, 0x90, \"nop\"\n"
      "     5: v=03 e=0000 i=0 cpl=0 IP=0010:0000000000406001 pc=0000000000406001 "
      "SP=0018:00000000000a1fa4 env->regs[R_EAX]=000000000001fd70\n"
      "0, 0x406000, 0x90, \"nop\"\n";
  static const uint64_t addrs[] = {0x401000, 0x402000, 0x403000, 0x404000, 0x405000, 0x406000};
  enum { UNKNOWN = OCT_PRIVILEGE_UNKNOWN };
  static const oct_trap traps[] = {
      {.insn = 1, .cause = 0x80, .addr = 0x401001, .privilege = UNKNOWN},
      {.insn = 2, .cause = 14, .addr = 0x402001, .tval = 0x7f0000001000, .privilege = UNKNOWN},
      {.insn = 3, .kind = OCT_TRAP_INTERRUPT, .cause = 8, .addr = 0x403001, .privilege = UNKNOWN},
      {.insn = 4, .kind = OCT_TRAP_INTERRUPT, .cause = 32, .addr = 0x404001, .privilege = UNKNOWN},
      {.insn = 5, .kind = OCT_TRAP_INTERRUPT, .cause = 2, .addr = 0x405001, .privilege = UNKNOWN},
      {.insn = 6, .cause = 3, .addr = 0x406001, .privilege = UNKNOWN}};
  (void)state;
  check(log, oct_format_by_name("execlog"), "x86-64", addrs, 6, traps, 6);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(spike),
                                     cmocka_unit_test(spike_cores),
                                     cmocka_unit_test(spike_unnamed),
                                     cmocka_unit_test(spike_names),
                                     cmocka_unit_test(execlog),
                                     cmocka_unit_test(execlog_harts),
                                     cmocka_unit_test(execlog_many),
                                     cmocka_unit_test(execlog_aarch64),
                                     cmocka_unit_test(execlog_arm_causes),
                                     cmocka_unit_test(execlog_arm),
                                     cmocka_unit_test(execlog_x86)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
