/* SPDX-License-Identifier: Apache-2.0 */
/* oct_qemu_traps.c - traps in logs of QEMU -d int. Each instruction set has lines of its own:
 *
 * - RISC-V: `riscv_cpu_do_interrupt: hart:N, async:A, cause:HEX, epc:0xADDR, tval:0xVALUE, ...`;
 * - Arm: `Exception return from AArch64 EL1 to AArch64 EL0 PC 0xADDR`, which has the privilege, and
 *   `Taking exception N [NAME] on CPU C`, and behind it `...from EL0 to EL1`, `...with ELR 0xADDR`,
 *   `...with FAR 0xVALUE`, `...with DFSR 0xVALUE DFAR 0xVALUE` and others;
 * - x86: `Servicing hardware INT=0xVECTOR` before an interrupt, and for each trap `COUNT: v=VECTOR
 *   e=ERROR i=SOFTWARE cpl=RING IP=SEGMENT:ADDR pc=ADDR SP=... CR2=VALUE`. */
#include "oct_qemu_traps.h"

#include <stdbool.h>
#include <string.h>

/* The number behind `name` and its colon, up to a comma. */
static int number_of(oct_lines *l, const char *name, unsigned base, uint64_t *value) {
  const char *p, *end;
  return oct_lines_skip(l, name) && oct_lines_field(l, ",", &p, &end) &&
         oct_number(p, end, base, value);
}

/* A trap waits for the next line of its processor. As oct_qemu_traps_take. */
static int wait_for(oct_qemu_traps *s, oct_reader *r, uint64_t hart, const oct_trap *trap,
                    oct_diag *diag) {
  int rc = oct_waiting_add(&s->waiting, r, hart, trap, diag);
  return rc ? rc : 1;
}

/* The hexadecimal number behind `name`, which may stand anywhere in the line. */
static bool find_number(const oct_lines *l, const char *name, uint64_t *value) {
  const char *p = memmem(l->p, (size_t)(l->end - l->p), name, strlen(name)), *end;
  if (!p) return false;
  p += strlen(name);
  if (l->end - p > 2 && p[0] == '0' && p[1] == 'x') p += 2;
  for (end = p; end < l->end && strchr("0123456789abcdefABCDEF", *end) && *end; end++) {
  }
  return oct_number(p, end, 16, value);
}

/* The numbers of exceptions that QEMU has for Arm, as types of ETMv4; the others are traps. */
static uint32_t arm_cause(uint64_t number) {
  enum { CALL = 2, TRAP, SYSTEM_ERROR, BREAKPOINT = 6, INSN_FAULT = 11, DATA_FAULT };
  enum { IRQ = 14, FIQ };
  static const uint8_t causes[] = {
      [1] = TRAP, [2] = CALL,       [3] = INSN_FAULT,   [4] = DATA_FAULT, [5] = IRQ,
      [6] = FIQ,  [7] = BREAKPOINT, [11] = CALL,        [12] = TRAP,      [13] = CALL,
      [14] = IRQ, [15] = FIQ,       [24] = SYSTEM_ERROR};
  return number < sizeof causes && causes[number] ? causes[number] : TRAP;
}

/* A line of an Arm processor. As oct_qemu_traps_take. */
static int take_arm(oct_qemu_traps *s, oct_reader *r, const oct_lines *l, oct_diag *diag) {
  enum { IRQ = 14, FIQ };
  oct_lines ahead = *l;
  const char *p, *end;
  uint64_t value;
  if (oct_lines_skip(&ahead, "Taking exception ")) {
    if (!oct_lines_field(&ahead, " ", &p, &end) || !oct_number(p, end, 10, &value))
      return oct_lines_wrong(r, l, "'Taking exception N [NAME]'", l->begin, l->end, diag);
    oct_trap t = {.cause = arm_cause(value), .privilege = OCT_PRIVILEGE_UNKNOWN};
    uint64_t hart = OCT_WAITING_ANY;
    if (t.cause == IRQ || t.cause == FIQ) t.kind = OCT_TRAP_INTERRUPT;
    p = memmem(ahead.p, (size_t)(ahead.end - ahead.p), "on CPU ", 7);
    if (p && oct_number(p + 7, l->end, 10, &value)) hart = value;
    s->has_more = true;
    return wait_for(s, r, hart, &t, diag);
  }
  if (oct_lines_skip(&ahead, "Exception return from ")) {
    oct_trap t = {.kind = OCT_TRAP_PRIVILEGE};
    p = memmem(ahead.p, (size_t)(ahead.end - ahead.p), " to ", 4);
    s->has_more = false;
    if (!p) return 1;
    ahead.p = p;
    if (!find_number(&ahead, " EL", &value) || value > 3) return 1;
    t.privilege = (uint8_t)value;
    return wait_for(s, r, OCT_WAITING_ANY, &t, diag);
  }
  oct_trap *t = oct_waiting_last(&s->waiting, OCT_WAITING_ANY);
  if (!oct_lines_skip(&ahead, "...") || !s->has_more || !t) return 0;
  if (oct_lines_skip(&ahead, "handled as ")) {
    s->waiting.n--; /* by QEMU itself: a call of firmware or of semihosting */
    s->has_more = false;
  } else if (find_number(&ahead, " to EL", &value) && value <= 3) {
    t->privilege = (uint8_t)value;
  } else if (find_number(&ahead, "with ELR ", &value)) {
    t->addr = value;
  } else if (t->kind == OCT_TRAP_EXCEPTION && find_number(&ahead, "FAR ", &value)) {
    t->tval = value; /* FAR, DFAR, IFAR */
  }
  return 1;
}

/* A line of an x86 processor, which the log does not name. As oct_qemu_traps_take. */
static int take_x86(oct_qemu_traps *s, oct_reader *r, const oct_lines *l, oct_diag *diag) {
  enum { NMI = 2, PAGE_FAULT = 14, FIRST_FREE = 32 };
  oct_lines ahead = *l;
  const char *p, *end;
  uint64_t vector, is_software, pc;
  oct_trap t = {.privilege = OCT_PRIVILEGE_UNKNOWN};
  if (oct_lines_skip(&ahead, "Servicing hardware INT=")) {
    s->is_hardware = true;
    return 1;
  }
  for (p = ahead.p; p < ahead.end && *p == ' ';) p++;
  for (end = p; end < ahead.end && *end >= '0' && *end <= '9';) end++;
  if (end == p || end == ahead.end || *end != ':' || !find_number(&ahead, " v=", &vector) ||
      !find_number(&ahead, " i=", &is_software) || !find_number(&ahead, " pc=", &pc) ||
      vector > UINT8_MAX)
    return 0;
  bool is_interrupt = s->is_hardware || (!is_software && (vector >= FIRST_FREE || vector == NMI));
  s->is_hardware = false;
  t.addr = pc;
  t.cause = (uint32_t)vector;
  t.kind = is_interrupt ? OCT_TRAP_INTERRUPT : OCT_TRAP_EXCEPTION;
  if (!is_interrupt && vector == PAGE_FAULT) (void)find_number(&ahead, "CR2=", &t.tval);
  return wait_for(s, r, OCT_WAITING_ANY, &t, diag);
}

int oct_qemu_traps_take(oct_qemu_traps *s, oct_reader *r, const oct_lines *l, oct_diag *diag) {
  oct_lines ahead = *l;
  uint64_t hart, is_interrupt, cause, epc, tval;
  int rc = take_arm(s, r, l, diag);
  if (!rc) rc = take_x86(s, r, l, diag);
  if (rc || !oct_lines_skip(&ahead, "riscv_cpu_do_interrupt:")) return rc;
  if (!number_of(&ahead, "hart:", 10, &hart) || !number_of(&ahead, "async:", 10, &is_interrupt) ||
      !number_of(&ahead, "cause:", 16, &cause) || !number_of(&ahead, "epc:", 16, &epc) ||
      !number_of(&ahead, "tval:", 16, &tval) || is_interrupt > 1 || cause > UINT32_MAX)
    return oct_lines_wrong(r, l, "'hart:N, async:A, cause:HEX, epc:0xADDR, tval:0xVALUE'", ahead.p,
                           l->end, diag);
  const oct_trap t = {.addr = epc,
                      .tval = is_interrupt ? 0 : tval,
                      .cause = (uint32_t)cause,
                      .kind = is_interrupt ? OCT_TRAP_INTERRUPT : OCT_TRAP_EXCEPTION,
                      .privilege = OCT_PRIVILEGE_UNKNOWN};
  return wait_for(s, r, hart, &t, diag);
}
