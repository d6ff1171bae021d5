/* SPDX-License-Identifier: Apache-2.0 */
/* oct_execlog.c - reader of what QEMU's plugin execlog prints (docs/formats/execlog.md).
 *
 * A line is `CPU, 0xPC, 0xOPCODE, "disassembly"[, load|store, 0xADDR[, device]]...`. The opcode is
 * the first four bytes at the pc as a little-endian number, however long the instruction is.
 *
 * With `-d int` a trap stands before the line of the instruction executed last, because the plugin
 * prints an instruction when the next one begins. So the trap is told behind the next line of its
 * processor; if that is the instruction of an exception, it did not retire and is left out. Each
 * instruction set has lines of its own:
 *
 * - RISC-V: `riscv_cpu_do_interrupt: hart:N, async:A, cause:HEX, epc:0xADDR, tval:0xVALUE, ...`;
 * - Arm: `Exception return from AArch64 EL1 to AArch64 EL0 PC 0xADDR`, which tells the privilege,
 * and `Taking exception N [NAME] on CPU C`, and behind it `...from EL0 to EL1`, `...with ELR
 *   0xADDR`, `...with FAR 0xVALUE`, `...with DFSR 0xVALUE DFAR 0xVALUE` and others;
 * - x86: `Servicing hardware INT=0xVECTOR` before an interrupt, and for each trap `COUNT: v=VECTOR
 *   e=ERROR i=SOFTWARE cpl=RING IP=SEGMENT:ADDR pc=ADDR SP=... CR2=VALUE`. */
#include "oct_lines.h"
#include "oct_waiting.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { CODE_BYTES = 4, PADDED_BYTES = 16 };

typedef struct execlog {
  oct_lines lines;
  oct_disasm *disasm; /* NULL when the instruction set is not known */
  int isa;
  oct_waiting waiting;
  bool has_more;    /* lines with more of the last of them may follow */
  bool is_hardware; /* the next trap of x86 is an interrupt */
} execlog;

/* What gives an instruction set away in QEMU's disassembly. */
static const struct {
  oct_isa isa;
  const char *words[6];
} tells[] = {
    {OCT_ISA_X86_64, {"(%r", "%rsp", "%rax", "%rip", "q    ", "%rdi"}},
    {OCT_ISA_AARCH64, {"[x", "[sp", "x29", "x30", ", w", "adrp"}},
    {OCT_ISA_RISCV64, {"(sp)", "auipc", "addi  ", "sext.w", "c.", "ret  "}},
    {OCT_ISA_MIPS, {"addiu", "$sp", "$v0", "(gp)", "lui\t", "$ra"}},
    {OCT_ISA_ARM, {"r0", "r3", "[r", "{r", "bx   ", "pc, "}},
};

/* A line's parts up to the disassembly: 1, 0 when it is damaged, -1 when it is another line. */
static int split(oct_lines *l, uint64_t *cpu, uint64_t *pc, uint64_t *code) {
  const char *p, *end;
  if (!oct_lines_field(l, ",", &p, &end) || !oct_number(p, end, 10, cpu) || end == l->end ||
      *end != ',' || *cpu > UINT32_MAX || !oct_lines_skip(l, "0x"))
    return -1;
  if (!oct_lines_field(l, ",", &p, &end) || !oct_number(p, end, 16, pc) || *end != ',') return 0;
  if (!oct_lines_field(l, ",", &p, &end) || !oct_number(p, end, 16, code)) return 0;
  if (*code > UINT32_MAX || !oct_lines_skip(l, "\"")) return 0;
  p = memrchr(l->p, '"', (size_t)(l->end - l->p));
  if (!p) return 0;
  l->p = p + 1;
  return 1;
}

static int take_accesses(oct_reader *r, oct_lines *l, oct_diag *diag) {
  const char *p, *end;
  int rc = 0;
  while (!rc && oct_lines_field(l, ",", &p, &end)) {
    uint64_t addr;
    int store = oct_is_word(p, end, "store");
    if (!store && !oct_is_word(p, end, "load")) continue;
    if (!oct_lines_field(l, ",", &p, &end))
      return oct_lines_wrong(r, l, "an address after load or store", l->begin, l->end, diag);
    if ((rc = oct_lines_address(r, l, p, end, &addr, diag))) return rc;
    rc = oct_reader_add_access(r, addr, 0, store, diag);
  }
  return rc;
}

/* The plugin does not say how large an access was: the instruction may. */
static void set_sizes(oct_reader *r, const oct_map_entry *e) {
  const oct_insn *insn = &r->insns[r->n_insns - 1];
  if (!insn->n_access || insn->n_access != e->n_slots) return;
  oct_access *a = r->accesses + r->n_accesses - insn->n_access;
  for (unsigned i = 0; i < insn->n_access; i++) {
    uint8_t slot = e->slots[oct_access_slot(i)];
    unsigned size_log2 = slot & OCT_SLOT_SIZE_MASK;
    if (size_log2 != OCT_SLOT_SIZE_UNKNOWN && a[i].is_store == !!(slot & OCT_SLOT_STORE))
      a[i].size_bytes = (uint8_t)(1u << size_log2);
  }
}

/* The number behind `name` and its colon, up to a comma. */
static int number_of(oct_lines *l, const char *name, unsigned base, uint64_t *value) {
  const char *p, *end;
  return oct_lines_skip(l, name) && oct_lines_field(l, ",", &p, &end) &&
         oct_number(p, end, base, value);
}

/* A trap waits for the next line of its processor. As take_trap. */
static int wait_for(oct_reader *r, uint64_t hart, const oct_trap *trap, oct_diag *diag) {
  execlog *s = r->state;
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

/* A line of an Arm processor. As take_trap. */
static int take_arm(oct_reader *r, const oct_lines *l, oct_diag *diag) {
  enum { IRQ = 14, FIQ };
  execlog *s = r->state;
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
    return wait_for(r, hart, &t, diag);
  }
  if (oct_lines_skip(&ahead, "Exception return from ")) {
    oct_trap t = {.kind = OCT_TRAP_PRIVILEGE};
    p = memmem(ahead.p, (size_t)(ahead.end - ahead.p), " to ", 4);
    s->has_more = false;
    if (!p) return 1;
    ahead.p = p;
    if (!find_number(&ahead, " EL", &value) || value > 3) return 1;
    t.privilege = (uint8_t)value;
    return wait_for(r, OCT_WAITING_ANY, &t, diag);
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

/* A line of an x86 processor, which the log does not name. As take_trap. */
static int take_x86(oct_reader *r, const oct_lines *l, oct_diag *diag) {
  enum { NMI = 2, PAGE_FAULT = 14, FIRST_FREE = 32 };
  execlog *s = r->state;
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
  return wait_for(r, OCT_WAITING_ANY, &t, diag);
}

/* A line of -d int: 1, 0 when it is none, or an error. */
static int take_trap(oct_reader *r, oct_lines *l, oct_diag *diag) {
  oct_lines ahead = *l;
  uint64_t hart, is_interrupt, cause, epc, tval;
  int rc = take_arm(r, l, diag);
  if (!rc) rc = take_x86(r, l, diag);
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
  return wait_for(r, hart, &t, diag);
}

static int parse(oct_reader *r, oct_lines *l, oct_diag *diag) {
  execlog *s = r->state;
  uint8_t bytes[PADDED_BYTES] = {0};
  uint64_t cpu, pc, code;
  oct_map_entry e = {0};
  int rc = take_trap(r, l, diag);
  if (rc) return rc < 0 ? rc : 0;
  int is = split(l, &cpu, &pc, &code);
  if (is < 0) return 0;
  if (!is)
    return oct_lines_wrong(r, l, "'CPU, 0xPC, 0xOPCODE, \"disassembly\"'", l->begin, l->end, diag);
  if (oct_reader_is_full(r, 1)) return 1;
  s->has_more = false;
  const oct_trap *t = oct_waiting_first(&s->waiting, cpu);
  if (t && t->kind == OCT_TRAP_EXCEPTION && t->addr == pc)
    return oct_waiting_tell(&s->waiting, r, cpu, diag);
  if (pc > UINT32_MAX && r->info.addr_bits == 32)
    return oct_lines_wrong(r, l, "a pc of 32 bits", l->begin, l->end, diag);
  oct_put_le(bytes, code, CODE_BYTES);
  /* Only on x86 are there more bytes than were told. */
  size_t known = s->isa == OCT_ISA_X86 || s->isa == OCT_ISA_X86_64 ? PADDED_BYTES : CODE_BYTES;
  unsigned size = s->disasm ? oct_disasm_insn(s->disasm, pc, bytes, known, &e) : 0;
  if (size > CODE_BYTES) {
    /* Of a jump the distance is missing; of another instruction maybe what its size depends on,
     * which its successor tells. */
    if (e.cls == OCT_CLASS_OTHER) size = OCT_SIZE_NEXT;
  } else if (size && (rc = oct_reader_describe(r, &e, diag))) {
    return rc;
  }
  oct_reader_add_insn(r, pc, size ? size : OCT_SIZE_NEXT)->task = (uint32_t)cpu;
  rc = take_accesses(r, l, diag);
  if (!rc) set_sizes(r, &e);
  return rc ? rc : oct_waiting_tell(&s->waiting, r, cpu, diag);
}

static int line_kind(const char *p, const char *end) {
  oct_lines l = {.p = p, .begin = p, .end = end};
  uint64_t value;
  int is = split(&l, &value, &value, &value);
  return is > 0 ? 1 : is;
}

/* The instruction set whose marks are seen most, or -1. */
static int guess_isa(const char *p, size_t n) {
  size_t best = 0;
  int isa = -1;
  for (size_t t = 0; t < sizeof tells / sizeof *tells; t++) {
    size_t count = 0;
    for (size_t w = 0; w < 6; w++) {
      const char *word = tells[t].words[w], *at = p;
      while ((at = memmem(at, n - (size_t)(at - p), word, strlen(word)))) at++, count++;
    }
    if (count > best) best = count, isa = (int)tells[t].isa;
  }
  return isa;
}

/* Thumb code runs at odd halfwords sooner or later, ARM code never. */
static int has_odd_halfword(const char *p, const char *stop) {
  while (p < stop) {
    const char *end = memchr(p, '\n', (size_t)(stop - p));
    oct_lines l = {.p = p, .begin = p, .end = end ? end : stop};
    uint64_t cpu, pc = 0, code;
    if (split(&l, &cpu, &pc, &code) > 0 && pc % 4 == 2) return 1;
    p = end ? end + 1 : stop;
  }
  return 0;
}

static int execlog_open(oct_reader *r, oct_diag *diag) {
  execlog *s;
  const uint8_t *p;
  oct_diag ignored;
  int rc = oct_lines_open(r, sizeof(execlog), diag);
  if (rc) return rc;
  s = r->state;
  int64_t n = oct_input_peek(r->in, OCT_INPUT_PEEK_BYTES, &p, &ignored);
  s->isa = r->given_isa;
  if (s->isa < 0 && n > 0) {
    s->isa = guess_isa((const char *)p, (size_t)n);
    if (s->isa == OCT_ISA_ARM && has_odd_halfword((const char *)p, (const char *)p + n))
      s->isa = OCT_ISA_THUMB;
  }
  r->info.origin = "qemu execlog";
  return s->isa < 0 ? 0 : oct_reader_use_isa(r, (oct_isa)s->isa, &s->disasm, diag);
}

static int execlog_fill(oct_reader *r, oct_diag *diag) {
  execlog *s = r->state;
  int rc = oct_lines_fill_some(r, r->state, parse, "'CPU, 0xPC, 0xOPCODE, \"disassembly\"'", diag);
  return rc ? rc : oct_waiting_tell(&s->waiting, r, OCT_WAITING_ANY, diag);
}

static void execlog_close(oct_reader *r) {
  execlog *s = r->state;
  if (!s) return;
  oct_disasm_free(s->disasm);
  oct_waiting_free(&s->waiting);
  free(s);
}

static int execlog_probe(const uint8_t *p, size_t n, int is_text) {
  return is_text && oct_probe_lines(p, n, line_kind);
}

static const oct_reader_ops execlog_reader = {execlog_open, execlog_fill, execlog_close};
const oct_format_desc oct_execlog_format = {.name = "execlog",
                                            .probe = execlog_probe,
                                            .reader = &execlog_reader,
                                            .addr_bits = 32,
                                            .insn_bytes = 4};
