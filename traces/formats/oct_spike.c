/* SPDX-License-Identifier: Apache-2.0 */
/* oct_spike.c - reader of the log of `spike --log-commits`, of `spike -l`, and of both together
 * (docs/formats/spike.md).
 *
 * A commit is `[core N:] P 0xPC (0xINSN) [reg 0xVALUE] [mem 0xADDR [0xVALUE]]`, where P is the
 * privilege. A trap is `core N: exception NAME, epc 0xADDR`, of an exception with a line
 * `core N: tval 0xVALUE` behind it; it waits for the next commit of its core, which tells the
 * privilege. Lines of `-l`, which have no P, are stepped over where there are commits. Where there
 * are none, they are the instructions. They are logged before they are executed: one that causes an
 * exception is taken back, by the address of the trap. CVA6 logs `NAME exception @ 0xEPC (0xINSN)`,
 * and `core INTERRUPT N: ...` before the first instruction of a handler. All other lines are
 * stepped over.
 *
 * Dromajo's `HART P 0xPC (0xINSN) [reg 0xVALUE]` has all instructions in 8 digits, and no accesses.
 * With `exception CAUSE, tval VALUE` behind it, the instruction did not retire. */
#include "oct_lines.h"
#include "oct_log_values.h"
#include "oct_waiting.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Columns whose numbers have all the same number of digits. */
enum { COMMIT, LISTED, MEM, TRAP, COLUMNS };

typedef struct spike {
  oct_lines lines;
  oct_disasm *disasm;
  uint64_t n_insns, next_pc; /* behind the last one */
  oct_waiting waiting;
  bool is_listing; /* without commits */
  bool has_harts;  /* as Dromajo writes them */
  unsigned digits[COLUMNS];
  oct_log_values values;
} spike;

typedef struct commit {
  uint64_t core; /* OCT_WAITING_ANY when it is not told */
  uint64_t pc;
  unsigned pc_digits, size_bytes;
  uint8_t privilege, code[4];
  bool is_dromajo;
} commit;

/* Take `HART` in front of `P 0x`, which makes a commit one of Dromajo. */
static bool take_hart(oct_lines *l, uint64_t *hart) {
  oct_lines ahead = *l;
  const char *p, *end;
  if (!oct_lines_field(&ahead, NULL, &p, &end) || !oct_number(p, end, 10, hart) ||
      *hart > UINT32_MAX)
    return false;
  const oct_lines at_privilege = ahead;
  if (!oct_lines_field(&ahead, NULL, &p, &end) || end - p != 1 || *p < '0' || *p > '6' ||
      !oct_lines_skip(&ahead, "0x"))
    return false;
  *l = at_privilege;
  return true;
}

/* Take `core N:`, which old versions leave out before a commit, and what follows it up to the
 * instruction. 1 for a commit, 0 for a line of `-l`, -1 for another line, -2 for one of them that
 * is damaged; *at is what it stumbled over. may_have_hart: it may be one of Dromajo; elsewhere a
 * number before it is of the program's text. */
static int split(oct_lines *l, bool may_have_hart, commit *c, const char **at) {
  const char *p, *end;
  uint64_t value;
  bool has_core = oct_lines_skip(l, "core");
  int damaged = has_core ? -2 : -1;
  c->core = OCT_WAITING_ANY;
  c->privilege = OCT_PRIVILEGE_UNKNOWN;
  if (has_core && (!oct_lines_field(l, ":", &p, &end) || !oct_number(p, end, 10, &c->core) ||
                   c->core > UINT32_MAX))
    return -1;
  uint64_t hart;
  c->is_dromajo = !has_core && take_hart(l, &hart) && may_have_hart;
  if (c->is_dromajo) c->core = hart;
  *at = l->p;
  if (!oct_lines_field(l, NULL, &p, &end)) return -1;
  bool is_listed = has_core && end - p > 2 && p[0] == '0' && p[1] == 'x';
  if (!is_listed) {
    if (end - p != 1 || *p < '0' || *p > '6') return -1;
    c->privilege = (uint8_t)(*p - '0');
    *at = l->p;
    if (!oct_lines_field(l, NULL, &p, &end)) return damaged;
  }
  if (!oct_number(p, end, 16, &c->pc)) return damaged;
  c->pc_digits = (unsigned)(end - p - 2);
  *at = l->p;
  if (!oct_lines_skip(l, "(") || !oct_lines_field(l, ")", &p, &end) || end == l->end ||
      *end != ')' || !oct_number(p, end, 16, &value) || end - p < 3 || end - p - 2 > 8)
    return damaged;
  const bool is_full = is_listed || c->is_dromajo;
  c->size_bytes = end - p - 2 <= 4 || (is_full && (value & 3) != 3) ? 2 : 4;
  oct_put_le(c->code, value, 4);
  return is_listed ? 0 : 1;
}

/* A number that was cut: it has other digits than the first one of its column. */
static bool is_cut(unsigned *first, size_t digits) {
  if (!*first) *first = (unsigned)digits;
  return *first != digits;
}

/* ---- Traps ---- */

/* RISC-V's exceptions as Spike names them, by cause. */
static const char *const exceptions[] = {"instruction_address_misaligned",
                                         "instruction_access_fault",
                                         "illegal_instruction",
                                         "breakpoint",
                                         "load_address_misaligned",
                                         "load_access_fault",
                                         "store_address_misaligned",
                                         "store_access_fault",
                                         "user_ecall",
                                         "supervisor_ecall",
                                         "virtual_supervisor_ecall",
                                         "machine_ecall",
                                         "instruction_page_fault",
                                         "load_page_fault",
                                         "",
                                         "store_page_fault",
                                         "double_trap",
                                         "",
                                         "software_check",
                                         "hardware_error",
                                         "instruction_guest_page_fault",
                                         "load_guest_page_fault",
                                         "virtual_instruction",
                                         "store_guest_page_fault"};

/* `trap_NAME`, `trap #CAUSE` or `interrupt #CAUSE`, and a comma. 0 when it is none of these. */
static int parse_cause(oct_lines *l, oct_trap *t) {
  const char *p, *end;
  uint64_t cause;
  bool numbered;
  t->kind = OCT_TRAP_EXCEPTION;
  if (!oct_lines_field(l, ",", &p, &end)) return 0;
  if (oct_is_word(p, end, "interrupt")) t->kind = OCT_TRAP_INTERRUPT;
  numbered = t->kind == OCT_TRAP_INTERRUPT || oct_is_word(p, end, "trap");
  if (numbered && (!oct_lines_skip(l, "#") || !oct_lines_field(l, ",", &p, &end) ||
                   !oct_number(p, end, 10, &cause) || cause > UINT32_MAX))
    return 0;
  t->cause = numbered ? (uint32_t)cause : UINT32_MAX;
  for (uint32_t k = 0; !numbered && k < sizeof exceptions / sizeof *exceptions; k++)
    if (end - p > 5 && *exceptions[k] && oct_is_word(p + 5, end, exceptions[k])) t->cause = k;
  return numbered || t->cause != UINT32_MAX;
}

/* A line of a trap of CVA6: 1, 0 when it is none, or an error. */
static int take_cva6_trap(oct_reader *r, oct_lines *l, oct_diag *diag) {
  static const struct {
    char name[24];
    uint8_t cause;
  } causes[] = {{"INSTR_ADDR_MISALIGNED", 0}, {"INSTR_ACCESS_FAULT", 1},
                {"ILLEGAL_INSTR", 2},         {"BREAKPOINT", 3},
                {"LD_ADDR_MISALIGNED", 4},    {"LD_ACCESS_FAULT", 5},
                {"ST_ADDR_MISALIGNED", 6},    {"ST_ACCESS_FAULT", 7},
                {"ENV_CALL_UMODE", 8},        {"ENV_CALL_SMODE", 9},
                {"ENV_CALL_MMODE", 11},       {"INSTR_PAGE_FAULT", 12},
                {"LOAD_PAGE_FAULT", 13},      {"STORE_PAGE_FAULT", 15}};
  spike *s = r->state;
  oct_lines ahead = *l;
  oct_trap trap = {.privilege = OCT_PRIVILEGE_UNKNOWN, .kind = OCT_TRAP_INTERRUPT};
  const char *p, *end;
  if (!oct_lines_field(&ahead, NULL, &p, &end)) return 0;
  if (oct_is_word(p, end, "core")) {
    if (!oct_lines_skip(&ahead, "INTERRUPT ") || !s->n_insns) return 0;
    if (oct_waiting_last(&s->waiting, OCT_WAITING_ANY)) return 1; /* of an exception */
    trap.addr = s->next_pc;
  } else {
    size_t k = 0, n = sizeof causes / sizeof *causes;
    while (k < n && !oct_is_word(p, end, causes[k].name)) k++;
    if (k == n || !oct_lines_skip(&ahead, "exception @ ")) return 0;
    const char *at = ahead.p;
    if (!oct_lines_field(&ahead, NULL, &p, &end) || !oct_number(p, end, 16, &trap.addr) ||
        is_cut(&s->digits[TRAP], (size_t)(end - p)))
      return oct_lines_wrong(r, l, "the address of a trap", at, l->end, diag);
    trap.kind = OCT_TRAP_EXCEPTION;
    trap.cause = causes[k].cause;
  }
  if (r->info.addr_bits == 32) trap.addr &= UINT32_MAX;
  int rc = oct_waiting_add(&s->waiting, r, OCT_WAITING_ANY, &trap, diag);
  return rc ? rc : 1;
}

/* A line of a trap: 1, 0 when it is none, or an error. */
static int take_trap(oct_reader *r, oct_lines *l, oct_diag *diag) {
  spike *s = r->state;
  oct_lines ahead = *l;
  oct_trap trap = {.privilege = OCT_PRIVILEGE_UNKNOWN}, *last;
  const char *p, *end;
  uint64_t core, value, mask = r->info.addr_bits == 32 ? UINT32_MAX : UINT64_MAX;
  if (!oct_lines_skip(&ahead, "core") || !oct_lines_field(&ahead, ":", &p, &end) ||
      !oct_number(p, end, 10, &core) || core > UINT32_MAX)
    return 0;
  bool is_trap = oct_lines_skip(&ahead, "exception ");
  if (!is_trap && !oct_lines_skip(&ahead, "tval ")) return 0;
  const char *at = ahead.p;
  if (is_trap && (!parse_cause(&ahead, &trap) || !oct_lines_skip(&ahead, "epc ")))
    return oct_lines_wrong(r, l, "'NAME, epc 0xADDR' of a RISC-V trap after 'exception'", at,
                           l->end, diag);
  if (!oct_lines_field(&ahead, NULL, &p, &end) || !oct_number(p, end, 16, &value) ||
      is_cut(&s->digits[TRAP], (size_t)(end - p)))
    return oct_lines_wrong(r, l, "the address of a trap", at, l->end, diag);
  trap.addr = value & mask;
  if (is_trap && s->is_listing && trap.kind == OCT_TRAP_EXCEPTION && r->n_insns) {
    const oct_insn *before = &r->insns[r->n_insns - 1];
    if (before->addr == trap.addr && before->task == core) oct_reader_take_back(r);
  }
  int rc = is_trap ? oct_waiting_add(&s->waiting, r, core, &trap, diag) : 0;
  if (rc) return rc;
  last = is_trap ? NULL : oct_waiting_last(&s->waiting, core);
  if (last && last->kind == OCT_TRAP_EXCEPTION) last->tval = value & mask;
  return 1;
}

/* Of Dromajo, what stands behind an instruction: 1 when it did not retire, 0, or an error. */
static int take_exception(oct_reader *r, oct_lines *l, const commit *c, oct_diag *diag) {
  spike *s = r->state;
  oct_trap trap = {.kind = OCT_TRAP_EXCEPTION, .addr = c->pc, .privilege = OCT_PRIVILEGE_UNKNOWN};
  const char *p, *end;
  uint64_t cause;
  if (!oct_lines_skip(l, "exception ")) return 0;
  const char *at = l->p;
  const bool is_interrupt = oct_lines_skip(l, "-"); /* of a signed number of 32 bits */
  bool is_right = oct_lines_field(l, ",", &p, &end) && oct_number(p, end, 10, &cause) &&
                  cause <= INT32_MAX && oct_lines_skip(l, "tval ") &&
                  oct_lines_field(l, NULL, &p, &end) && oct_number(p, end, 16, &trap.tval);
  if (!is_right)
    return oct_lines_wrong(r, l, "'CAUSE, tval VALUE' after 'exception'", at, l->end, diag);
  trap.cause = (uint32_t)cause;
  if (is_interrupt) {
    trap.kind = OCT_TRAP_INTERRUPT;
    trap.cause = UINT32_C(0x80000000) - trap.cause;
    trap.tval = 0;
  }
  int rc = oct_waiting_add(&s->waiting, r, c->core, &trap, diag);
  return rc ? rc : 1;
}

/* ---- Commits ---- */

/* The size of load or store number k as its instruction says it, 0 when it does not. */
static unsigned size_of(const oct_map_entry *e, bool is_store, unsigned k) {
  for (unsigned i = 0; i < e->n_slots; i++) {
    uint8_t slot = e->slots[oct_access_slot(i)];
    unsigned size_log2 = slot & OCT_SLOT_SIZE_MASK;
    if (((slot & OCT_SLOT_STORE) != 0) == is_store && !k--)
      return size_log2 == OCT_SLOT_SIZE_UNKNOWN ? 0 : 1u << size_log2;
  }
  return 0;
}

/* Whether the only access of an instruction may be a store of this size. */
static bool has_store(const oct_map_entry *e, unsigned size) {
  const unsigned log2 = e->slots[0] & OCT_SLOT_SIZE_MASK;
  return (e->slots[0] & OCT_SLOT_STORE) && (log2 == OCT_SLOT_SIZE_UNKNOWN || size == 1u << log2);
}

/* Bytes of an element that a vector load reads, 0 for another instruction: its width says it, of an
 * indexed one the element width that the log gives as eBITS. */
static unsigned element_bytes(const uint8_t *code, unsigned element_bits) {
  static const uint8_t bytes[] = {1, 0, 0, 0, 0, 2, 4, 8};
  const uint32_t insn = (uint32_t)oct_get_le(code, 4);
  unsigned width = bytes[insn >> 12 & 7];
  if ((insn & 0x7f) != 0x07 || !width) return 0;
  return insn >> 26 & 1 ? element_bits / 8 : width;
}

/* A register and its value: `x5 0xVALUE`, `f10 ...`, of old versions `x 5 ...`. Others are
 * stepped over. */
static void take_register(oct_log_values *v, oct_lines *l, const char *p, const char *end) {
  oct_lines ahead = *l;
  const unsigned first = *p == 'f' ? OCT_REG_FLOAT : 0;
  uint64_t number, value;
  uint8_t bytes[8];
  if (*p != 'x' && *p != 'f') return;
  if (++p == end && !oct_lines_field(&ahead, NULL, &p, &end)) return;
  if (!oct_number(p, end, 10, &number) || number > 31) return;
  if (!oct_lines_field(&ahead, NULL, &p, &end) || end - p < 3 || p[1] != 'x') return;
  if (end - p > 18) p = end - 16; /* wider registers of floating point */
  if (!oct_number(p, end, 16, &value)) return;
  oct_put_le(bytes, value, sizeof bytes);
  oct_log_values_write(v, first + (unsigned)number, bytes, sizeof bytes);
  *l = ahead;
}

/* What stands behind an instruction: registers and their values, and `mem` fields. */
static int take_accesses(oct_reader *r, oct_lines *l, const oct_map_entry *e, const uint8_t *code,
                         oct_diag *diag) {
  spike *s = r->state;
  const char *p, *end;
  const unsigned register_bytes = r->info.addr_bits == 32 ? 4 : 8;
  unsigned loads = 0, stores = 0;
  uint64_t element_bits = 0;
  int rc = 0;
  while (!rc && oct_lines_field(l, NULL, &p, &end)) {
    uint64_t addr, value;
    if (*p == 'e' && oct_number(p + 1, end, 10, &value) && value <= 64) element_bits = value;
    if (s->values.is_wanted) take_register(&s->values, l, p, end);
    if (!oct_is_word(p, end, "mem")) continue;
    if (!oct_lines_field(l, NULL, &p, &end))
      return oct_lines_wrong(r, l, "an address after mem", l->begin, l->end, diag);
    if ((rc = oct_lines_address(r, l, p, end, &addr, diag))) return rc;
    if (is_cut(&s->digits[MEM], (size_t)(end - p)))
      return oct_lines_wrong(r, l, "an address with all its digits after mem", p, l->end, diag);
    /* A value behind the address makes it a store, whose size its digits tell; CVA6 logs the whole
     * register. */
    oct_lines ahead = *l;
    if (oct_lines_field(&ahead, NULL, &p, &end) && end - p > 2 && p[1] == 'x' &&
        oct_number(p, end, 16, &value)) {
      size_t digits = (size_t)(end - p - 2);
      *l = ahead;
      unsigned size = digits <= 2 ? 1 : oct_access_size(digits / 2);
      const unsigned narrow = size_of(e, true, stores++);
      if (size == register_bytes && narrow && narrow < size) {
        size = narrow;
        value &= ((uint64_t)1 << 8 * size) - 1;
      }
      if (e->n_slots == 1 && !has_store(e, size)) r->n_odd_accesses++;
      rc = oct_reader_add_access(r, addr, size, 1, diag);
      if (!rc && s->values.is_wanted) rc = oct_log_values_tell(r, value, 0, diag);
    } else {
      unsigned size = size_of(e, false, loads++);
      r->n_odd_accesses += e->n_slots == 1 && !size && (e->slots[0] & OCT_SLOT_STORE);
      if (!size) size = element_bytes(code, (unsigned)element_bits);
      rc = oct_reader_add_access(r, addr, size, 0, diag);
    }
  }
  return rc;
}

static int line_kind(const char *p, const char *end) {
  oct_lines l = {.p = p, .begin = p, .end = end};
  commit c;
  return split(&l, true, &c, &p) >= 0 ? 1 : -1;
}

/* Whether p is at `core N:` of what Spike logs. */
static int core_kind(const char *p, const char *end) {
  oct_lines l = {.p = p, .end = end};
  const char *field, *behind;
  uint64_t value;
  if (*p != 'c' || !oct_lines_skip(&l, "core") || !oct_lines_field(&l, ":", &field, &behind) ||
      behind == end || *behind != ':' || !oct_number(field, behind, 10, &value))
    return -1;
  if (oct_lines_skip(&l, "exception ") || oct_lines_skip(&l, "tval ")) return 1;
  return oct_lines_field(&l, NULL, &field, &behind) &&
                 (behind - field == 1 ? *field >= '0' && *field <= '6'
                                      : behind - field > 2 && field[0] == '0' && field[1] == 'x')
             ? 1
             : -1;
}

/* Where a line of Spike begins, behind what the program itself wrote. */
static const char *begin_of_line(const char *p, const char *end) {
  const char *first = p;
  while (first < end && isspace((unsigned char)*first)) first++;
  if (first == end || core_kind(first, end) > 0 || line_kind(p, end) > 0) return p;
  const char *begin = NULL;
  if (memmem(p, (size_t)(end - p), "core", 4)) begin = oct_lines_behind(p, end, core_kind);
  if (!begin && memmem(p, (size_t)(end - p), " (0x", 4))
    begin = oct_lines_behind(p, end, line_kind);
  return begin ? begin : p;
}

/* Whether text in front of a line, or all of it, is the begin of one: `core N` or `core N:`. */
static bool begins_core(const char *p, const char *end) {
  oct_lines l = {.p = p, .end = end};
  uint64_t core;
  return oct_lines_skip(&l, "core") && oct_lines_field(&l, ":", &p, &end) &&
         oct_number(p, end, 10, &core) && !oct_lines_field(&l, NULL, &p, &end);
}

/* Whether another line begins on this one: the end of one was lost. */
static bool has_next(const char *p, const char *end) {
  return (memmem(p, (size_t)(end - p), "core", 4) && oct_lines_behind(p, end, core_kind)) ||
         (memmem(p, (size_t)(end - p), " (0x", 4) && oct_lines_behind(p, end, line_kind));
}

static int parse(oct_reader *r, oct_lines *l, oct_diag *diag) {
  spike *s = r->state;
  const char *const begin = begin_of_line(l->begin, l->end), *at = l->p = begin;
  oct_map_entry e;
  commit c;
  bool is_lost = begins_core(l->begin, begin > l->begin ? begin : l->end);
  int rc = is_lost ? 0 : take_trap(r, l, diag);
  if (!rc && !is_lost) rc = take_cva6_trap(r, l, diag);
  if (rc) return rc < 0 ? rc : 0;
  int is = split(l, s->has_harts, &c, &at);
  bool is_mine = s->is_listing || c.privilege != OCT_PRIVILEGE_UNKNOWN;
  if (is == -2 && is_mine)
    return oct_lines_wrong(r, l, "'0xPC (0xINSN)' after 'core N: P', or 'core N:' of -l", at,
                           l->end, diag);
  if (is > 0 && s->is_listing)
    return oct_lines_wrong(r, l, "a line of -l, as the log began without commits", l->begin, l->end,
                           diag);
  if (is_lost || (is != -1 && (has_next(l->p - 1, l->end) ||
                               (is >= 0 && is_cut(&s->digits[is ? COMMIT : LISTED], c.pc_digits)))))
    return oct_lines_wrong(r, l, "one instruction a line, and all digits of its address", l->begin,
                           l->end, diag);
  if (is < 0 || (!is && !s->is_listing)) return 0;
  if (oct_reader_is_full(r, 1)) return 1;
  if (c.pc > UINT32_MAX && r->info.addr_bits == 32)
    return oct_lines_wrong(r, l, "an address of 32 bits", at, l->end, diag);
  if (c.is_dromajo && (rc = take_exception(r, l, &c, diag))) return rc < 0 ? rc : 0;
  oct_disasm_insn(s->disasm, c.pc, c.code, c.size_bytes, &e);
  e.size_bytes = (uint8_t)c.size_bytes;
  if ((rc = oct_reader_describe(r, &e, diag))) return rc;
  if ((rc = oct_waiting_next(&s->waiting, r, c.core, c.privilege, diag))) return rc;
  const uint32_t task = c.core == OCT_WAITING_ANY ? 0 : (uint32_t)c.core;
  /* Spike begins in its boot ROM, with all registers 0. */
  enum { BOOT = 0x1000 };
  if (c.pc == BOOT && (rc = oct_log_values_reset(&s->values, task, diag))) return rc;
  if ((rc = oct_log_values_begin(&s->values, r, task, diag))) return rc;
  oct_reader_add_insn(r, c.pc, c.size_bytes)->task = task;
  s->n_insns++;
  s->next_pc = c.pc + c.size_bytes;
  if (s->is_listing) return 0;
  rc = take_accesses(r, l, &e, c.code, diag);
  return rc ? rc : oct_log_values_end(&s->values, r, &e, diag);
}

/* What the begin of a log says. */
typedef struct begin {
  unsigned digits; /* of the machine's addresses: 8, or more */
  bool has_commits, has_listing, has_harts;
} begin;

/* Its digits are those of the first value of an integer register, since some cores of 32 bits log
 * 16 digits of the pc. Without one they are those of the first pc. */
static begin begin_of(const char *p, size_t n) {
  const char *stop = p + n;
  begin b = {0};
  unsigned pc_digits = 0;
  while (p < stop && (!b.has_commits || !b.digits)) {
    const char *end = memchr(p, '\n', (size_t)(stop - p)), *at;
    oct_lines l = {.p = p, .begin = p, .end = end ? end : stop};
    commit c;
    int is = split(&l, true, &c, &at);
    if (is == 1 && !b.has_commits) b.has_harts = c.is_dromajo;
    if (is >= 0 && !pc_digits) pc_digits = c.pc_digits;
    b.has_listing |= is == 0;
    b.has_commits |= is == 1;
    if (is == 1 && pc_digits > 8) {
      const char *field, *behind;
      bool is_x = oct_lines_field(&l, NULL, &field, &behind) && *field == 'x';
      if (is_x && behind - field == 1) is_x = oct_lines_field(&l, NULL, &field, &behind);
      if (is_x && oct_lines_field(&l, NULL, &field, &behind) && behind - field > 2 &&
          behind < l.end + (end == NULL ? 0 : 1))
        b.digits = (unsigned)(behind - field - 2);
    } else if (is == 1) {
      b.digits = 8;
    }
    p = end ? end + 1 : stop;
  }
  if (!b.digits) b.digits = pc_digits;
  return b;
}

static int spike_open(oct_reader *r, oct_diag *diag) {
  spike *s;
  const uint8_t *p;
  oct_diag ignored;
  int rc = oct_lines_open(r, sizeof(spike), diag);
  if (rc) return rc;
  s = r->state;
  int64_t n = oct_input_peek(r->in, OCT_INPUT_PEEK_BYTES, &p, &ignored);
  begin b = n > 0 ? begin_of((const char *)p, (size_t)n) : (begin){0};
  s->is_listing = b.has_listing && !b.has_commits;
  s->has_harts = b.has_harts;
  oct_isa isa = b.digits == 8 ? OCT_ISA_RISCV32 : OCT_ISA_RISCV64;
  if (r->given_isa == OCT_ISA_RISCV32 || r->given_isa == OCT_ISA_RISCV64)
    isa = (oct_isa)r->given_isa;
  r->info.origin = "spike";
  rc = oct_log_values_open(&s->values, r, isa, diag);
  return rc ? rc : oct_reader_use_isa(r, isa, &s->disasm, diag);
}

static int spike_fill(oct_reader *r, oct_diag *diag) {
  spike *s = r->state;
  int rc = oct_lines_fill(r, &s->lines, parse, diag);
  if (!rc) rc = oct_waiting_tell(&s->waiting, r, OCT_WAITING_ANY, diag);
  return rc || s->n_insns ? rc : oct_lines_none(r, &s->lines, "'core N: P 0xPC (0xINSN)'", diag);
}

static void spike_close(oct_reader *r) {
  spike *s = r->state;
  if (!s) return;
  oct_disasm_free(s->disasm);
  oct_waiting_free(&s->waiting);
  oct_log_values_free(&s->values);
  free(s);
}

static int spike_probe(const uint8_t *p, size_t n, int is_text) {
  return is_text && oct_probe_lines(p, n, line_kind);
}

static const oct_reader_ops spike_reader = {
    .open = spike_open, .fill = spike_fill, .close = spike_close};
const oct_format_desc oct_spike_format = {.name = "spike",
                                          .text = "logs of Spike, with or without commits",
                                          .is_log = 1,
                                          .probe = spike_probe,
                                          .reader = &spike_reader,
                                          .addr_bits = 64,
                                          .takes_params = 1};
