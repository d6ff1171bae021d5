/* SPDX-License-Identifier: Apache-2.0 */
/* oct_core_logs.c - readers of the logs of RISC-V cores and models: Ibex and CV32E40P, CVA6, Rocket
 * and BOOM, Whisper and VeeR, Sail, NEORV32, and tables of RVFI (docs/formats/core-logs.md).
 *
 * Each family is a row of a table: the forms of its lines, and where its accesses are. A form is
 * text that a line has, with fields:
 *
 *   blank  blanks, or none          %p  address of the instruction    %c  cause, up to what follows
 *   !      from here on the line    %i  the instruction               %e  where a trap was taken
 *          is one of this form, or  %m  privilege                     %t  its trap value
 *          it is damaged            %o  the same, which may miss      %b  [address] of an access
 *   %d     a decimal number         %h  hart                          %>  its direction: <- or ->
 *   %n     the same, with a unit    %v  1 if the instruction retired  %x  its value
 *   %*     all up to the text that  %g  a decimal that is the same    %r  letter of a resource
 *          follows                      for all lines of it           %s  its address
 *   %a     a letter follows         %I  the cause is an interrupt's
 *
 * RVFI and Whisper's CSV have no form, but a line with the names of their columns, which fields are
 * found by.
 *
 * Lines of no form are stepped over. A trap waits for the next instruction of its hart, which tells
 * the privilege. An instruction that was logged before it caused an exception did not retire: it is
 * taken back. It still is in the batch then, since a batch ends where the line of another
 * instruction begins. */
#include "oct_lines.h"
#include "oct_log_values.h"
#include "oct_mask.h"
#include "oct_waiting.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { INSNS_MAX = 3, TRAPS_MAX = 8 };

/* Where a family has its accesses. */
typedef enum accesses {
  NO_ACCESSES,
  AFTER_MARKS,  /* on the line of the instruction, after one of two marks */
  ON_MEM_LINES, /* on lines of their own */
  IN_RESOURCES, /* stores as resource m, and an address in brackets at the end of the line; without
                 * a resource that alone */
  IN_COLUMNS    /* in one of several columns */
} accesses;

typedef struct family {
  const char *insns[INSNS_MAX + 1];
  const char *expected; /* of a line that is damaged */
  const char *traps[TRAPS_MAX + 1];
  accesses accesses;
  bool is_logged_first; /* an instruction is, before it is known whether it retires */
  bool marks_entries;   /* of the first instruction of a trap handler */
  bool has_short_pcs;   /* whose digits do not tell the width of the core */
} family;

/* The formats' variants. */
enum { IBEX, CVA6, ROCKET, WHISPER, SAIL, NEORV32, RVFI, WHISPER_CSV };

static const family families[] = {
    [IBEX] = {.insns = {"%n %d !%p %i %a"},
              .expected = "'TIME CYCLE PC INSTRUCTION MNEMONIC' of Ibex or CV32E40P",
              .accesses = AFTER_MARKS},
    [CVA6] = {.insns = {"%d 0x!%p %m (0x%i)", "%n %d %m !%p %d %i %a"},
              .expected =
                  "'CYCLE 0xPC M (0xINSTRUCTION)' or 'TIME CYCLE M PC 0 INSTRUCTION' of CVA6",
              .traps = {"Exception @%*PC: !%e, Cause: %c", "Exception Cause: !%c,%*PC=%e",
                        "tval: !%t"},
              .accesses = AFTER_MARKS,
              .has_short_pcs = true},
    [ROCKET] = {.insns = {"C %h: %d [!%v] pc=[%p]%*inst=[%i]", "C: %d [!%v] pc=[%p]%*inst=[%i]",
                          "Cyc= %d [!%v] pc=[%p]%*inst=[%i]"},
                .expected = "'CN: CYCLE [1] pc=[PC] ... inst=[INSTRUCTION]' of Rocket or BOOM"},
    [WHISPER] = {.insns = {"#%g %h !%o %p %i %r %s %x", "%n : #%g %h !%p %i "},
                 .expected = "'#TAG HART PC INSTRUCTION RESOURCE ADDRESS VALUE' of Whisper, or "
                             "'CYCLE : #NUMBER HART PC INSTRUCTION' of VeeR",
                 .accesses = IN_RESOURCES},
    [SAIL] = {.insns = {"[%d] [!%m]: 0x%p (0x%i)"},
              .expected = "'[NUMBER] [M]: 0xPC (0xINSTRUCTION)' of Sail",
              .traps = {"handling exc#!%c at priv %m with tval 0x%t",
                        "handling exc#%c at priv %m | tval=0x%t", "handling exc#%c at priv %m",
                        "handling int#!%I%c at priv %m", "CSR mepc%*<- 0x%e", "CSR sepc%*<- 0x%e"},
              .accesses = ON_MEM_LINES,
              .is_logged_first = true},
    [NEORV32] = {.insns = {"%d %d 0x!%p 0x%i %m "},
                 .expected = "'NUMBER CYCLE 0xPC 0xINSTRUCTION M' of NEORV32",
                 .marks_entries = true},
    [RVFI] = {.expected = "a line of RVFI below the names of its columns (pc_rdata, insn, ...)",
              .accesses = IN_COLUMNS},
    [WHISPER_CSV] = {.expected = "'pc,inst,modified regs,source operands,memory,inst info,"
                                 "privilege,trap,disassembly' of Whisper's CSV",
                     .accesses = IN_COLUMNS},
};

typedef struct span {
  const char *p, *end;
} span;

/* What a line has. */
typedef struct fields {
  uint64_t pc, code, hart, tag, cause, epc, tval, addr, value;
  unsigned pc_digits, code_digits, value_digits;
  uint8_t privilege; /* OCT_PRIVILEGE_UNKNOWN when it is not told */
  char resource;
  bool is_retired, has_cause, has_epc, has_tval, is_interrupt, is_fetch, is_store, is_sure;
  const char *at;                   /* where it stumbled, or what is left of the line */
  const char *pc_end;               /* of a form */
  span registers, memory, mnemonic; /* of Whisper's CSV */
} fields;

/* What a column is. Several may be named for one of them: the last in this order counts. */
typedef enum column {
  PC,
  INSN,
  VALID,
  TRAP,
  INTR,
  MODE,
  HART,
  MEM, /* RD, WR */
  MEM_ADDR,
  MEM_RMASK,
  MEM_WMASK,
  MEM_RDATA,
  MEM_WDATA,
  RD_ADDR,
  RD_WDATA,
  PC_WDATA,
  REGISTERS, /* NAME=VALUE;..., of Whisper as the following ones */
  MEMORY,    /* ADDRESS=VALUE;... */
  MNEMONIC,
  COLUMNS
} column;

typedef struct header {
  int8_t at[COLUMNS]; /* number of its field, or -1 */
  char separator;     /* 0: blanks */
  bool may_lack_hart;
} header;

typedef struct core_log {
  oct_lines lines;
  const family *family;
  header header;
  oct_disasm *disasm;
  oct_waiting waiting;
  uint64_t hart, tag, entry_line, next_pc, n_insns;
  unsigned pc_digits;   /* of the last instruction; 0: any */
  unsigned addr_digits; /* of its first access: all have as many, or are cut */
  oct_map_entry entry;  /* of the last instruction, */
  uint32_t code;
  oct_log_values values; /* of RVFI */
  bool is_expanded;      /* compressed instructions are logged as those that they stand for */
  bool is_there;         /* which is the last of the batch, and may be taken back */
  bool is_closed;        /* its accesses are complete */
} core_log;

/* ---- Names of causes ---- */

static const struct {
  const char *name;
  uint8_t cause;
  bool is_interrupt;
} causes[] = {
    /* of Sail */
    {"misaligned-fetch", 0, false},
    {"fetch-access-fault", 1, false},
    {"illegal-instruction", 2, false},
    {"breakpoint", 3, false},
    {"software-breakpoint", 3, false},
    {"hardware-breakpoint", 3, false},
    {"misaligned-load", 4, false},
    {"load-access-fault", 5, false},
    {"misaligned-store", 6, false},
    {"misaligned-store/amo", 6, false},
    {"store-access-fault", 7, false},
    {"store/amo-access-fault", 7, false},
    {"u-call", 8, false},
    {"s-call", 9, false},
    {"vs-call", 10, false},
    {"m-call", 11, false},
    {"fetch-page-fault", 12, false},
    {"load-page-fault", 13, false},
    {"store-page-fault", 15, false},
    {"store/amo-page-fault", 15, false},
    {"software-check", 18, false},
    {"software-check-fault", 18, false},
    {"software-check-exception", 18, false},
    {"hardware-error-exception", 19, false},
    {"fetch-guest-page-fault", 20, false},
    {"load-guest-page-fault", 21, false},
    {"virtual-instruction", 22, false},
    {"store/amo-guest-page-fault", 23, false},
    {"supervisor-software", 1, true},
    {"supervisor-software-interrupt", 1, true},
    {"virtual-supervisor-software-interrupt", 2, true},
    {"machine-software", 3, true},
    {"machine-software-interrupt", 3, true},
    {"supervisor-timer", 5, true},
    {"supervisor-timer-interrupt", 5, true},
    {"virtual-supervisor-timer-interrupt", 6, true},
    {"machine-timer", 7, true},
    {"machine-timer-interrupt", 7, true},
    {"supervisor-external", 9, true},
    {"supervisor-external-interrupt", 9, true},
    {"virtual-supervisor-external-interrupt", 10, true},
    {"machine-external", 11, true},
    {"machine-external-interrupt", 11, true},
    {"supervisor guest-external-interrupt", 12, true},
    {"counter-overflow interrupt", 13, true},
    /* of CVA6 */
    {"Instruction Address Misaligned", 0, false},
    {"Instruction Access Fault", 1, false},
    {"Illegal Instruction", 2, false},
    {"Illegal Instructions", 2, false},
    {"Breakpoint", 3, false},
    {"Load Address Misaligned", 4, false},
    {"Load Access Fault", 5, false},
    {"Store Address Misaligned", 6, false},
    {"Store Access Fault", 7, false},
    {"Environment Call User Mode", 8, false},
    {"Environment Call Supervisor Mode", 9, false},
    {"Environment Call Machine Mode", 11, false},
    {"Instruction Page Fault", 12, false},
    {"Load Page Fault", 13, false},
    {"Store Page Fault", 15, false},
    {"Request Debug Mode", 24, false},
    {"Supervisor Software Interrupt", 1, true},
    {"Machine Software Interrupt", 3, true},
    {"Supervisor Timer Interrupt", 5, true},
    {"Machine Timer Interrupt", 7, true},
    {"Supervisor External Interrupt", 9, true},
    {"Machine External Interrupt", 11, true},
    {"Interrupt", 0, true},
};

/* A cause as the core's register has it: the highest bit is set of interrupts. */
static void set_cause(fields *f, uint64_t value) {
  unsigned top = value >> 63 ? 63 : 31;
  if (value >> top & 1) f->is_interrupt = true;
  f->cause = value & oct_mask(top);
  f->has_cause = true;
}

/* A number, or a name; 0 when it is neither. */
static int take_cause(fields *f, const char *p, const char *end) {
  uint64_t value;
  while (p < end && isspace((unsigned char)*p)) p++;
  while (end > p && isspace((unsigned char)end[-1])) end--;
  bool is_hex = end - p > 2 && p[1] == 'x';
  if (end > p && oct_number(p, end, is_hex ? 16 : 10, &value)) {
    set_cause(f, value);
    return f->cause <= UINT32_MAX;
  }
  for (size_t i = 0; i < sizeof causes / sizeof *causes; i++) {
    if (!oct_is_word(p, end, causes[i].name)) continue;
    f->cause = causes[i].cause;
    f->is_interrupt |= causes[i].is_interrupt;
    f->has_cause = true;
    return 1;
  }
  return 0;
}

/* ---- Forms of lines ---- */

static bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

/* Step over digits: how many, 0 too when a letter or a digit of another base follows. */
static unsigned take_digits(const char **at, const char *end, unsigned base, uint64_t *value) {
  const char *p = *at;
  uint64_t v = 0;
  for (; p < end; p++) {
    unsigned c = (unsigned char)*p, digit = c - '0';
    if (digit > 9) {
      c |= 32;
      if (c < 'a' || c > 'z') break;
      digit = c - 'a' + 10;
    }
    if (digit >= base) return 0;
    v = v * base + digit;
  }
  unsigned n = (unsigned)(p - *at);
  *at = p;
  *value = v;
  return n;
}

static int take_privilege(const char **at, const char *end, uint8_t *privilege) {
  static const struct {
    char name[3];
    uint8_t number; /* as E-Trace numbers them */
  } all[] = {{"M", 3},  {"S", 1},  {"U", 0},  {"D", 4},
             {"VS", 6}, {"VU", 5}, {"HS", 1}, {"?", OCT_PRIVILEGE_UNKNOWN}};
  const char *p = *at;
  while (p < end && !is_blank(*p) && *p != ']') p++;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    size_t n = strlen(all[i].name);
    if ((size_t)(p - *at) != n || strncasecmp(*at, all[i].name, n)) continue;
    *privilege = all[i].number;
    *at = p;
    return 1;
  }
  return 0;
}

/* `R,0xADDRESS` of Sail, whose old versions write 0b and bits, and leave out R and W. R.ss and W.ss
 * are of a shadow stack, RX is a load of what may be executed: no page tables. */
static int take_bracket(const char **at, const char *end, fields *f) {
  const char *p = *at;
  while (p < end && (isalpha((unsigned char)*p) || *p == '.')) p++;
  if (p < end && p > *at) {
    f->is_fetch |= oct_is_word(*at, p, "X");
    f->is_sure |= p[-1] == 's' || oct_is_word(*at, p, "RX");
    if (*p++ != ',') return 0;
  }
  if (end - p < 3 || p[0] != '0' || (p[1] != 'x' && p[1] != 'b')) return 0;
  unsigned base = p[1] == 'x' ? 16 : 2;
  p += 2;
  if (!take_digits(&p, end, base, &f->addr) || p == end) return 0;
  *at = p;
  return 1;
}

/* The field after % at form, from *at on: 1, or 0 when it is something else. */
static int take_field(const char *form, const char **at, const char *end, fields *f) {
  const char *p = *at, *q;
  uint64_t value = 0;
  unsigned n = 1;
  switch (*form) {
    case 'd':
      n = take_digits(&p, end, 10, &value);
      break;
    case 'g':
      n = take_digits(&p, end, 10, &f->tag);
      break;
    case 'h':
      n = take_digits(&p, end, 10, &f->hart);
      if (f->hart > UINT32_MAX) n = 0;
      break;
    case 'n':
      while (p < end && ((*p >= '0' && *p <= '9') || *p == '.')) p++;
      n = p > *at;
      for (q = p; q < end && is_blank(*q);) q++;
      if (q < end && isalpha((unsigned char)*q)) p = q;
      while (p < end && isalpha((unsigned char)*p)) p++;
      if (p < end && !is_blank(*p)) n = 0;
      break;
    case 'p':
      f->pc_digits = n = take_digits(&p, end, 16, &f->pc);
      f->pc_end = p;
      if (n > 16) n = 0;
      break;
    case 'i':
      f->code_digits = n = take_digits(&p, end, 16, &f->code);
      if (n != 4 && n != 8) n = 0;
      break;
    case 'm':
      n = (unsigned)take_privilege(&p, end, &f->privilege);
      break;
    case 'o':
      take_privilege(&p, end, &f->privilege);
      break;
    case 'v':
      n = take_digits(&p, end, 2, &value);
      f->is_retired = value & 1;
      break;
    case 'a':
      n = p < end && isalpha((unsigned char)*p);
      break;
    case 'e':
      n = take_digits(&p, end, 16, &f->epc);
      f->has_epc = true;
      break;
    case 't':
      n = take_digits(&p, end, 16, &f->tval);
      f->has_tval = true;
      break;
    case 'x':
      f->value_digits = n = take_digits(&p, end, 16, &f->value);
      break;
    case 's':
      n = take_digits(&p, end, 16, &f->addr);
      break;
    case 'r':
      n = p < end && isalpha((unsigned char)*p);
      if (n) f->resource = *p++;
      break;
    case 'b':
      n = (unsigned)take_bracket(&p, end, f);
      break;
    case '>':
      n = end - p > 2 && (!memcmp(p, "<-", 2) || !memcmp(p, "->", 2));
      f->is_store = n && *p == '<';
      p += 2 * n;
      break;
    case 'I':
      f->is_interrupt = true;
      break;
    case 'c':
      q = form[1] ? form + 1 : ",";
      p = memmem(p, (size_t)(end - p), q, strcspn(q, "%"));
      if (!p) p = end;
      n = (unsigned)take_cause(f, *at, p);
      break;
    default: /* '*' */
      for (q = form + 1; *q && *q != '%' && *q != ' ' && *q != '!';) q++;
      p = memmem(p, (size_t)(end - p), form + 1, (size_t)(q - form - 1));
      if (!p) return 0;
  }
  if (!n) return 0;
  *at = p;
  return 1;
}

/* Whether the line from p on is of this form: 1, 0, or -1 for one that is damaged. */
static int match(const char *form, const char *p, const char *end, fields *f) {
  int other = 0;
  *f = (fields){.privilege = OCT_PRIVILEGE_UNKNOWN, .is_retired = true};
  while (p < end && is_blank(*p)) p++; /* it may be indented */
  for (; *form; form++) {
    bool is_met = true;
    if (*form == ' ')
      while (p < end && is_blank(*p)) p++;
    else if (*form == '!')
      other = -1;
    else if (*form == '%')
      is_met = take_field(++form, &p, end, f);
    else if ((is_met = p < end && *p == *form))
      p++;
    f->at = p;
    if (!is_met) return other;
  }
  return 1;
}

/* The same of a line of any of these forms. */
static int match_any(const char *const *forms, const char *p, const char *end, fields *f) {
  int found = 0;
  fields at;
  for (; *forms; forms++) {
    int is = match(*forms, p, end, &at);
    if (is > 0 || (is < 0 && !found)) *f = at;
    if (is > 0) return 1;
    if (is < 0) found = is;
  }
  return found;
}

/* The same of a line that has such a form behind other text: programs write to the same output, and
 * not always whole lines. Of a form with a mark in front (not #) also a damaged one is found.
 * An address has pc_digits digits, unless that is 0. */
static int match_behind(const char *const *forms, const char *p, const char *end,
                        unsigned pc_digits, fields *f) {
  for (const char *q = p + 1; q < end; q++) {
    if (is_blank(*q) || (isdigit((unsigned char)*q) && isdigit((unsigned char)q[-1]))) continue;
    for (const char *const *form = forms; *form; form++) {
      fields at;
      bool is_marked = **form != '%';
      if (is_marked ? *q != **form : !isdigit((unsigned char)*q)) continue;
      int is = match(*form, q, end, &at);
      if (is > 0 && pc_digits && at.pc_digits != pc_digits) continue;
      if (!is || (is < 0 && (!is_marked || *q == '#'))) continue;
      *f = at;
      return is;
    }
  }
  return 0;
}

/* ---- Traps ---- */

/* Whether the fetch of an instruction causes this exception: it is not logged then. */
static bool is_of_fetch(uint64_t cause) {
  return cause == 1 || cause == 12 || cause == 20;
}

static int add_trap(oct_reader *r, core_log *s, const family *fam, const fields *f,
                    oct_diag *diag) {
  uint64_t mask = r->info.addr_bits == 32 ? UINT32_MAX : UINT64_MAX;
  oct_trap trap = {.kind = f->is_interrupt ? OCT_TRAP_INTERRUPT : OCT_TRAP_EXCEPTION,
                   .cause = (uint32_t)f->cause,
                   .addr = f->epc & mask,
                   .privilege = OCT_PRIVILEGE_UNKNOWN};
  if (!f->is_interrupt) {
    trap.tval = f->tval & mask;
    const oct_insn *last = s->is_there ? &r->insns[r->n_insns - 1] : NULL;
    bool did_not_retire = last && (f->has_epc ? last->addr == trap.addr
                                              : fam->is_logged_first && !is_of_fetch(f->cause));
    if (did_not_retire) {
      trap.addr = last->addr;
      oct_reader_take_back(r);
      s->is_there = false;
    } else if (!f->has_epc && is_of_fetch(f->cause)) {
      trap.addr = trap.tval;
    }
  }
  return oct_waiting_add(&s->waiting, r, s->hart, &trap, diag);
}

/* A line of a trap, or of what belongs to the last one. 1, 0 when it is none, or an error. */
static int take_trap(oct_reader *r, core_log *s, const family *fam, const oct_lines *l,
                     oct_diag *diag) {
  uint64_t mask = r->info.addr_bits == 32 ? UINT32_MAX : UINT64_MAX;
  fields f = {0};
  int is = match_any(fam->traps, l->begin, l->end, &f);
  if (!is) is = match_behind(fam->traps, l->begin, l->end, 0, &f);
  if (is < 0)
    return oct_lines_wrong(r, l, "the cause and address of a trap of RISC-V", f.at, l->end, diag);
  if (!is) return 0;
  if (f.has_cause) return (is = add_trap(r, s, fam, &f, diag)) ? is : 1;
  oct_trap *last = oct_waiting_last(&s->waiting, s->hart);
  if (last && f.has_epc && !last->addr) last->addr = f.epc & mask;
  if (last && f.has_tval && last->kind == OCT_TRAP_EXCEPTION) last->tval = f.tval & mask;
  return 1;
}

/* The first instruction of a trap handler: an `ecall` or `ebreak` before it did not retire. What
 * else it was is not told. */
static int enter_trap(oct_reader *r, core_log *s, const oct_lines *l, oct_diag *diag) {
  static const uint32_t ecall = 0x73, ebreak = 0x100073, c_ebreak = 0x9002;
  fields f = {.is_interrupt = true};
  if (s->entry_line == l->number) return 0;
  s->entry_line = l->number;
  if (s->is_there && (s->code == ecall || s->code == ebreak || s->code == c_ebreak)) {
    f.is_interrupt = false;
    f.has_epc = true;
    f.epc = r->insns[r->n_insns - 1].addr;
    f.cause = s->code != ecall ? 3 : 8 + (s->waiting.privilege & 3u);
  }
  return add_trap(r, s, &families[NEORV32], &f, diag);
}

/* ---- Columns ---- */

enum { FIELDS_MAX = 100 };

/* The next field of a line, which may stand in quotes, or be a register `x 3`; false when there is
 * none. */
static bool next_field(const char **at, const char *stop, char separator, const char **field,
                       const char **end) {
  const char *p = *at;
  while (p < stop && is_blank(*p)) p++;
  if (p == stop && (!separator || p == *at)) return false;
  bool is_quoted = p < stop && *p == '"';
  *field = p += is_quoted;
  if (!separator && stop - p > 2 && *p == 'x' && is_blank(p[1]) && isdigit((unsigned char)p[2]))
    p += 2;
  while (p < stop && (is_quoted ? *p != '"' : separator ? *p != separator : !is_blank(*p))) p++;
  *end = p;
  while (*end > *field && is_blank((*end)[-1])) --*end;
  while (is_quoted && p < stop && *p != (separator ? separator : ' ')) p++;
  *at = p < stop ? p + 1 : p;
  return true;
}

/* The names of columns on a line: whether it has those of an address and an instruction, and
 * commas between them or a name that only these families have. The first of one name counts. */
static bool take_header(const family *fam, const char *p, const char *stop, header *h) {
  static const struct {
    const char *name;
    uint8_t column;
    bool is_mark;
  } names[] = {{"pc", PC, false},
               {"inst", INSN, false},
               {"modified regs", REGISTERS, true},
               {"memory", MEMORY, false},
               {"privilege", MODE, false},
               {"disassembly", MNEMONIC, false},
               {"pc_rdat", PC, true},
               {"pc_rdata", PC, true},
               {"instr", INSN, false},
               {"insn", INSN, false},
               {"binary", INSN, true},
               {"valid", VALID, false},
               {"trap", TRAP, false},
               {"intr", INTR, false},
               {"m", MODE, false},
               {"mode", MODE, false},
               {"hart", HART, false},
               {"hartid", HART, false},
               {"mem", MEM, false},
               {"mem_addr", MEM_ADDR, true},
               {"mem_rmask", MEM_RMASK, true},
               {"mem_wmask", MEM_WMASK, true},
               {"mem_rdata", MEM_RDATA, true},
               {"mem_wdata", MEM_WDATA, true},
               {"rd_addr", RD_ADDR, true},
               {"rd_wdata", RD_WDATA, true},
               {"pc_wdata", PC_WDATA, true}};
  const char *field, *end;
  bool is_marked = false;
  int rank[COLUMNS] = {0};
  static const char separators[] = "|,;";
  *h = (header){0};
  for (int i = 0; separators[i] && !h->separator; i++)
    if (memchr(p, separators[i], (size_t)(stop - p))) h->separator = separators[i];
  memset(h->at, -1, sizeof h->at);
  for (int k = 0; k < FIELDS_MAX && next_field(&p, stop, h->separator, &field, &end); k++) {
    char name[16] = "";
    bool is_rvfi = end - field > 5 && !strncasecmp(field, "rvfi_", 5);
    if (is_rvfi) field += 5;
    if (end - field >= (ptrdiff_t)sizeof name) continue;
    for (size_t i = 0; field + i < end; i++) name[i] = (char)tolower((unsigned char)field[i]);
    for (int i = 0; i < (int)(sizeof names / sizeof *names); i++) {
      uint8_t c = names[i].column;
      if (strcmp(name, names[i].name) || rank[c] >= i + 1) continue;
      rank[c] = i + 1;
      h->at[c] = (int8_t)k;
      is_marked |= names[i].is_mark || is_rvfi;
    }
  }
  bool is_whisper = h->at[REGISTERS] >= 0;
  return h->at[PC] >= 0 && h->at[INSN] >= 0 && (is_marked || h->separator) &&
         is_whisper == (fam == &families[WHISPER_CSV]);
}

/* The columns of Whisper's CSV where a part of it lacks the line with their names. */
static const header whisper_columns = {.at = {[PC] = 0,
                                              [INSN] = 1,
                                              [VALID] = -1,
                                              [TRAP] = 7,
                                              [INTR] = -1,
                                              [MODE] = 6,
                                              [HART] = 9,
                                              [MEM] = -1,
                                              [MEM_ADDR] = -1,
                                              [MEM_RMASK] = -1,
                                              [MEM_WMASK] = -1,
                                              [MEM_RDATA] = -1,
                                              [MEM_WDATA] = -1,
                                              [RD_ADDR] = -1,
                                              [RD_WDATA] = -1,
                                              [PC_WDATA] = -1,
                                              [REGISTERS] = 2,
                                              [MEMORY] = 4,
                                              [MNEMONIC] = 8},
                                       .separator = ',',
                                       .may_lack_hart = true};

/* What a line has in its columns. 1, 0 for a line of others (names, rulers), -1 for a damaged one.
 */
static int take_columns(const header *h, const oct_lines *l, fields *f, uint64_t *values) {
  const char *p = l->begin, *field, *end;
  const bool is_whisper = h->at[REGISTERS] >= 0;
  unsigned n = 0;
  int k = 0, n_columns = 0;
  *f = (fields){.privilege = OCT_PRIVILEGE_UNKNOWN, .is_retired = true, .at = l->end};
  memset(values, 0, COLUMNS * sizeof *values);
  for (; k < FIELDS_MAX && next_field(&p, l->end, h->separator, &field, &end); k++) {
    for (unsigned c = 0; c < COLUMNS; c++) {
      if (h->at[c] != k) continue;
      const char *digits = field;
      if (end - field > 3 && !memcmp(field, "PC=", 3)) digits += 3;
      f->at = field;
      if (end - digits > 2 && digits[0] == '0' && (digits[1] | 32) == 'x') digits += 2;
      if (c == MODE && take_privilege(&field, end, &f->privilege)) continue;
      if (c >= REGISTERS) {
        *(c == REGISTERS ? &f->registers
          : c == MEMORY  ? &f->memory
                         : &f->mnemonic) = (span){field, end};
        continue;
      }
      if (c == TRAP && field == end) continue; /* Whisper has its cause, or nothing */
      if (c == PC && is_whisper) {             /* a physical address may follow */
        const char *colon = memchr(digits, ':', (size_t)(end - digits));
        if (colon) end = colon;
      }
      if (c == MEM) {
        values[MEM_RMASK] = oct_is_word(field, end, "RD");
        values[MEM_WMASK] = oct_is_word(field, end, "WR");
        continue;
      }
      size_t n_digits = oct_number(digits, end, 16, &values[c]);
      if (!n_digits && c < MEM_ADDR) return n || c != PC ? -1 : 0;
      if (c == PC) f->pc_digits = (unsigned)n_digits;
      if (c == INSN) f->code_digits = (unsigned)n_digits;
      if (c == TRAP && is_whisper) set_cause(f, values[c]);
      if (c == MODE && !is_whisper && values[c] <= OCT_PRIVILEGE_MAX)
        f->privilege = (uint8_t)values[c];
      n += c <= INSN;
    }
  }
  f->pc = values[PC];
  f->code = values[INSN];
  f->hart = values[HART];
  f->is_retired = h->at[VALID] < 0 || values[VALID];
  for (unsigned c = 0; c < COLUMNS; c++)
    if (h->at[c] >= n_columns && (c != HART || !h->may_lack_hart)) n_columns = h->at[c] + 1;
  if (k && p == l->end && h->separator && p[-1] == h->separator) k++; /* an empty one ends it */
  if (n == 2 && k < n_columns && h->separator && h->separator != '|') return -1;
  if (is_whisper) { /* its digits have no zeros in front */
    f->code_digits = (f->code & 3) == 3 ? 8 : 4;
    if (f->code_digits == 4) f->code &= 0xffff;
  }
  if (n == 2 && f->code <= UINT32_MAX && f->hart <= UINT32_MAX) return 1;
  return n || f->at != l->end ? -1 : 0;
}

static int add_insn(oct_reader *r, core_log *s, const family *fam, const fields *f,
                    const oct_lines *l, oct_diag *diag);
static int add_access(oct_reader *r, const core_log *s, uint64_t addr, bool is_store,
                      oct_diag *diag);
static bool is_open(const core_log *s);

/* A trap that RVFI has: with cause and kind as CORE-V packs them, or one bit, where the cause
 * follows from the instruction. */
static int take_rvfi_trap(oct_reader *r, core_log *s, const fields *f, uint64_t trap,
                          oct_diag *diag) {
  enum { LOAD = 0x03, STORE = 0x23, SYSTEM = 0x73 };
  unsigned opcode = f->code & 0x7f;
  fields t = {.has_epc = true, .epc = f->pc, .hart = f->hart};
  s->hart = f->hart;
  if (trap >> 1)
    t.cause = trap >> 3 & 0x3f;
  else if (f->code == SYSTEM)
    t.cause = 8 + (f->privilege == OCT_PRIVILEGE_UNKNOWN ? 3u : f->privilege & 3u);
  else if (f->code == 0x100073 || f->code == 0x9002)
    t.cause = 3;
  else
    t.cause = opcode == LOAD ? 4 : opcode == STORE ? 6 : opcode == 0x6f || opcode == 0x67 ? 0 : 2;
  return add_trap(r, s, &families[RVFI], &t, diag);
}

/* A load or store with its data, where they are wanted: the bytes from the first of the mask on. By
 * the mask it is there also where the instruction makes none: that is a fault of the core. */
static int add_rvfi_access(oct_reader *r, const core_log *s, const uint64_t *values, column mask,
                           column data, oct_diag *diag) {
  const size_t before = r->n_accesses;
  const bool is_store = mask == MEM_WMASK;
  int rc = add_access(r, s, values[MEM_ADDR], is_store, diag);
  if (!rc && r->n_accesses == before && s->header.at[mask] >= 0) {
    const uint64_t width = r->info.addr_bits == 32 ? UINT32_MAX : UINT64_MAX;
    rc = oct_reader_add_access(r, values[MEM_ADDR] & width,
                               oct_access_size((uint64_t)__builtin_popcountll(values[mask])),
                               is_store, diag);
    r->n_odd_accesses++;
  }
  if (rc || !s->values.is_wanted || s->header.at[data] < 0 || r->n_accesses != before + 1)
    return rc;
  const unsigned first = values[mask] ? (unsigned)__builtin_ctzll(values[mask]) % 8 : 0;
  return oct_log_values_tell(r, values[data] >> 8 * first, 0, diag);
}

/* An access list of Whisper: ADDRESS, an address with `:PHYSICAL` or `=VALUE` of a store, or one
 * with `m` that a mask leaves out; of vectors several, with `;` between them. */
static int take_list(oct_reader *r, const core_log *s, const oct_lines *l, span list,
                     oct_diag *diag) {
  static const char expected[] = "hexadecimal addresses of accesses, as Whisper lists them";
  int rc = 0;
  for (const char *p = list.p, *next; p < list.end && !rc; p = next) {
    const char *stop = memchr(p, ';', (size_t)(list.end - p));
    uint64_t addr, ignored;
    if (!stop) stop = list.end;
    next = stop + 1;
    const char *value = memchr(p, '=', (size_t)(stop - p)), *end = value ? value : stop;
    bool is_masked = end > p && end[-1] == 'm';
    const char *physical = memchr(p, ':', (size_t)((end -= is_masked) - p));
    if (!oct_number(p, physical ? physical : end, 16, &addr) ||
        (physical && !oct_number(physical + 1, end, 16, &ignored)) ||
        (value && !oct_number(value + 1, stop, 16, &ignored)))
      return oct_lines_wrong(r, l, expected, p, stop, diag);
    if (is_masked) continue;
    if (!value || !is_open(s)) rc = add_access(r, s, addr, false, diag);
    if (!rc && value) rc = add_access(r, s, addr, true, diag);
  }
  return rc;
}

/* The value that a list `NAME=VALUE;...` has of this name; false when it has none. */
static bool take_register(span list, const char *name, uint64_t *value) {
  size_t n = strlen(name);
  for (const char *p = list.p, *next; p < list.end; p = next) {
    const char *stop = memchr(p, ';', (size_t)(list.end - p));
    if (!stop) stop = list.end;
    next = stop + 1;
    if ((size_t)(stop - p) > n && p[n] == '=' && !memcmp(p, name, n))
      return oct_number(p + n + 1, stop, 16, value) != 0;
  }
  return false;
}

/* A line of Whisper's CSV. An instruction that was trapped did not retire. */
static int parse_whisper_csv(oct_reader *r, core_log *s, oct_lines *l, oct_diag *diag) {
  uint64_t values[COLUMNS];
  header other;
  fields f;
  int rc;
  if (take_header(s->family, l->begin, l->end, &other)) {
    s->header = other;
    return 0;
  }
  int is = take_columns(&s->header, l, &f, values);
  if (is < 0) return oct_lines_wrong(r, l, s->family->expected, f.at, l->end, diag);
  if (!is) return 0;
  f.at = f.mnemonic.p ? f.mnemonic.p : l->end; /* of a line that is cut */
  if (f.has_cause) {
    f.has_epc = true;
    f.epc = f.pc;
    f.has_tval = take_register(f.registers, "c835", &f.tval) || /* mtval, stval, vstval */
                 take_register(f.registers, "c323", &f.tval) ||
                 take_register(f.registers, "c579", &f.tval);
    s->hart = f.hart;
    return add_trap(r, s, s->family, &f, diag);
  }
  rc = add_insn(r, s, s->family, &f, l, diag);
  return rc ? rc : take_list(r, s, l, f.memory, diag);
}

static int parse_rvfi(oct_reader *r, core_log *s, oct_lines *l, oct_diag *diag) {
  header other;
  uint64_t values[COLUMNS];
  fields f;
  int rc;
  if (take_header(s->family, l->begin, l->end, &other)) {
    s->header = other;
    return 0;
  }
  if (s->header.at[PC] == s->header.at[INSN]) return 0; /* no names yet */
  int is = take_columns(&s->header, l, &f, values);
  if (is < 0) return oct_lines_wrong(r, l, families[RVFI].expected, f.at, l->end, diag);
  if (!is || !f.is_retired) return 0;
  bool is_entry = values[INTR] & 1 && s->entry_line != l->number;
  s->entry_line = l->number;
  if (values[TRAP] & 1) return take_rvfi_trap(r, s, &f, values[TRAP], diag);
  if (is_entry && !oct_waiting_last(&s->waiting, f.hart)) {
    fields t = {.is_interrupt = true, .has_epc = true, .hart = f.hart, .epc = s->next_pc};
    t.cause = values[INTR] >> 3 & 0x7ff;
    s->hart = f.hart;
    if ((rc = add_trap(r, s, &families[RVFI], &t, diag))) return rc;
  }
  if ((rc = add_insn(r, s, &families[RVFI], &f, l, diag))) return rc;
  s->next_pc = values[PC_WDATA] ? values[PC_WDATA] : f.pc + s->entry.size_bytes;
  bool has_masks =
      s->header.at[MEM_RMASK] >= 0 || s->header.at[MEM_WMASK] >= 0 || s->header.at[MEM] >= 0;
  if (s->header.at[MEM_ADDR] >= 0 && (!has_masks || values[MEM_RMASK]))
    rc = add_rvfi_access(r, s, values, MEM_RMASK, MEM_RDATA, diag);
  if (!rc && s->header.at[MEM_ADDR] >= 0 && (!has_masks || values[MEM_WMASK]))
    rc = add_rvfi_access(r, s, values, MEM_WMASK, MEM_WDATA, diag);
  if (rc || !s->values.is_wanted) return rc;
  uint8_t bytes[8];
  oct_put_le(bytes, values[RD_WDATA], sizeof bytes);
  if (s->header.at[RD_ADDR] >= 0 && s->header.at[RD_WDATA] >= 0 && values[RD_ADDR] < 32)
    oct_log_values_write(&s->values, (unsigned)values[RD_ADDR], bytes, sizeof bytes);
  return oct_log_values_end(&s->values, r, &s->entry, diag);
}

/* ---- Accesses ---- */

static const char *find(const char *p, const char *end, const char *text) {
  return memmem(p, (size_t)(end - p), text, strlen(text));
}

/* The first slot of this kind, or OCT_SLOTS_MAX. */
static unsigned slot_of(const oct_map_entry *e, bool is_store) {
  for (unsigned i = 0; i < e->n_slots && i < OCT_SLOTS_MAX; i++)
    if (((e->slots[oct_access_slot(i)] & OCT_SLOT_STORE) != 0) == is_store) return i;
  return OCT_SLOTS_MAX;
}

static unsigned slot_bytes(const oct_map_entry *e, unsigned i) {
  unsigned size_log2 = e->slots[oct_access_slot(i)] & OCT_SLOT_SIZE_MASK;
  return size_log2 == OCT_SLOT_SIZE_UNKNOWN ? 0 : 1u << size_log2;
}

/* A hypervisor's load or store in its guest (hlv, hsv). */
static bool is_of_guest(uint32_t code) {
  return (code & 0x7f) == 0x73 && (code >> 12 & 7) == 4 && code >> 28 == 6;
}

static bool is_guest_store(uint32_t code) {
  return is_of_guest(code) && code >> 25 & 1;
}

static unsigned guest_bytes(uint32_t code) {
  return 1u << (code >> 26 & 3);
}

/* Whether the bits of an instruction do not tell its accesses: vectors, blocks of caches, guests,
 * and the extensions of makers. */
static bool is_open(const core_log *s) {
  unsigned opcode = s->code & 0x7f;
  return !s->entry.n_slots && (opcode == 0x07 || opcode == 0x27 || opcode == 0x0f ||
                               opcode == 0x0b || opcode == 0x2b || is_of_guest(s->code));
}

/* A block of a cache is cleaned, flushed, or filled with zeros: only these are accesses. */
static bool is_of_cache(uint32_t code) {
  return (code & 0x7f) == 0x0f;
}

static bool is_vector_indexed(uint32_t code) {
  return (code & 0x5f) == 0x07 && code >> 26 & 1;
}

/* An instruction's access of this kind at addr, if it makes one. */
static int add_access(oct_reader *r, const core_log *s, uint64_t addr, bool is_store,
                      oct_diag *diag) {
  uint64_t mask = r->info.addr_bits == 32 ? UINT32_MAX : UINT64_MAX;
  unsigned slot = slot_of(&s->entry, is_store), size = 0;
  if (slot == OCT_SLOTS_MAX && (!is_open(s) || (is_of_cache(s->code) && !is_store))) return 0;
  if (slot != OCT_SLOTS_MAX)
    size = slot_bytes(&s->entry, slot);
  else if (is_of_guest(s->code)) {
    if (is_store != is_guest_store(s->code)) return 0;
    size = guest_bytes(s->code);
  } else if (is_of_cache(s->code)) /* told by registers' widths */
    size = r->info.addr_bits / 8;
  else if (!is_vector_indexed(s->code)) /* whose width is that of the indices */
    size = 1u << (s->code >> 12 & 3);
  return oct_reader_add_access(r, addr & mask, size, is_store, diag);
}

/* `PA:0xADDRESS` of Ibex, without 0x of CV32E40P, `VA: ADDRESS PA: ADDRESS` of CVA6. Which kind it
 * is the instruction tells: Ibex names it the other way round in some versions. */
static int take_marks(oct_reader *r, core_log *s, const oct_lines *l, const char *p,
                      oct_diag *diag) {
  const char *mark = find(p, l->end, "VA:");
  if (!mark) mark = find(p, l->end, "PA:");
  if (!mark) return 0;
  uint64_t addr;
  p = mark + 3;
  while (p < l->end && is_blank(*p)) p++;
  const char *at = p;
  if (l->end - p > 2 && p[0] == '0' && p[1] == 'x') p += 2;
  unsigned n = take_digits(&p, l->end, 16, &addr);
  if (!n || n > 16)
    return oct_lines_wrong(r, l, "a hexadecimal address of an access", at, l->end, diag);
  if (!s->addr_digits) s->addr_digits = n;
  if (n != s->addr_digits)
    return oct_lines_wrong(r, l, "an address with all its digits", at, l->end, diag);
  if (is_open(s)) {
    bool is_store =
        find(p, l->end, "store:") || (s->code & 0x7f) == 0x2b || is_guest_store(s->code);
    return add_access(r, s, addr, is_store, diag);
  }
  int rc = add_access(r, s, addr, false, diag);
  return rc ? rc : add_access(r, s, addr, true, diag);
}

/* A line `mem[...]` of Sail. Page tables are read before the access: the last of a kind that fits
 * into what the instruction has of it is meant. */
static int take_mem_line(oct_reader *r, core_log *s, const oct_lines *l, oct_diag *diag) {
  fields f = {0};
  static const char *const forms[] = {"mem[!%b] %> 0x%x", NULL};
  int is = match_any(forms, l->begin, l->end, &f);
  if (!is) is = match_behind(forms, l->begin, l->end, 0, &f);
  if (is < 0 || (is && (f.value_digits % 2 || !oct_access_size(f.value_digits / 2))))
    return oct_lines_wrong(r, l, "'mem[R,0xADDRESS] -> 0xVALUE' of Sail", f.at, l->end, diag);
  if (l->begin == l->end) return 0; /* an empty one stands between any */
  if (!is || f.is_fetch) s->is_closed = true;
  if (!is || s->is_closed || !s->is_there) return 0;
  unsigned size = oct_access_size(f.value_digits / 2), slot = slot_of(&s->entry, f.is_store);
  if (slot == OCT_SLOTS_MAX && !is_open(s) && !f.is_sure) return 0;
  oct_insn *insn = &r->insns[r->n_insns - 1];
  const bool is_guest = is_of_guest(s->code);
  if (is_guest && f.is_store != is_guest_store(s->code)) return 0;
  if (slot != OCT_SLOTS_MAX || is_guest) {
    unsigned room = is_guest ? guest_bytes(s->code) : 0, taken = size;
    for (unsigned i = 0; i < s->entry.n_slots && i < OCT_SLOTS_MAX; i++)
      if (((s->entry.slots[oct_access_slot(i)] & OCT_SLOT_STORE) != 0) == f.is_store)
        room += slot_bytes(&s->entry, i);
    for (size_t k = r->n_accesses - insn->n_access; k < r->n_accesses; k++)
      if (r->accesses[k].is_store == f.is_store) taken += r->accesses[k].size_bytes;
    for (size_t k = r->n_accesses; taken > room && k > r->n_accesses - insn->n_access; k--)
      if (r->accesses[k - 1].is_store == f.is_store) {
        r->accesses[k - 1].addr = f.addr;
        r->accesses[k - 1].size_bytes = (uint8_t)size;
        return 0;
      }
  }
  uint64_t mask = r->info.addr_bits == 32 ? UINT32_MAX : UINT64_MAX;
  return oct_reader_add_access(r, f.addr & mask, size, f.is_store, diag);
}

/* `[ADDRESS]` at the end of a line of VeeR: what the instruction says, it does there. */
static int take_last_bracket(oct_reader *r, core_log *s, const oct_lines *l, oct_diag *diag) {
  const char *end = l->end, *p;
  uint64_t addr;
  while (end > l->begin && isspace((unsigned char)end[-1])) end--;
  for (p = end; p > l->begin && p[-1] != '[';) p--;
  if (p == l->begin || !take_digits(&p, end, 16, &addr) || p == end || *p != ']') return 0;
  int rc = add_access(r, s, addr, false, diag);
  return rc ? rc : add_access(r, s, addr, true, diag);
}

/* The resource that a line of Whisper has, and `[0xADDRESS]` at its end, which is virtual. Only
 * there are loads, if they are asked for. The register mcause or scause is written without an
 * instruction for it when there was a trap. */
static int take_resource(oct_reader *r, core_log *s, const oct_lines *l, const fields *f,
                         bool is_first, oct_diag *diag) {
  enum { CSR_CAUSE = 0x42, CSR_TVAL = 0x43 }; /* of a level */
  if (!f->resource) return take_last_bracket(r, s, l, diag);
  const char *bracket = find(f->at, l->end, "[0x");
  const char *close = bracket ? memchr(bracket, ']', (size_t)(l->end - bracket)) : NULL;
  int rc = 0;
  bool is_of_csr = (s->code & 0x7f) == 0x73 && s->code >> 12 & 3 && s->code >> 20 == f->addr;
  unsigned csr = (unsigned)f->addr & 0xff, level = (unsigned)f->addr >> 8;
  bool is_trap_csr = f->resource == 'c' && !is_of_csr && level >= 1 && level <= 3;
  if (is_trap_csr && csr == CSR_CAUSE && s->is_there) {
    fields trap = {.has_epc = true, .epc = r->insns[r->n_insns - 1].addr};
    set_cause(&trap, f->value);
    if (trap.is_interrupt) oct_reader_take_back(r);
    s->is_there &= !trap.is_interrupt;
    return add_trap(r, s, &families[WHISPER], &trap, diag);
  }
  if (is_trap_csr && csr == CSR_TVAL) {
    oct_trap *last = oct_waiting_last(&s->waiting, s->hart);
    if (last && last->kind == OCT_TRAP_EXCEPTION) last->tval = f->value;
  }
  if (!s->is_there) return 0;
  if (is_first && close) rc = take_list(r, s, l, (span){bracket + 1, close}, diag);
  if (rc || f->resource != 'm') return rc;
  uint64_t addr = f->addr; /* a physical one, where there is a list, but of a cache's block */
  if (close && !is_of_cache(s->code))
    oct_number(bracket + 1, strpbrk(bracket + 1, ":;=]"), 16, &addr);
  return add_access(r, s, addr, true, diag);
}

/* ---- Instructions ---- */

static const char *line_behind(const char *p, const char *stop);
static oct_lines line_at(const char *p, const char *stop);

/* The next instruction of the hart among the lines from p on; false where none of few is. */
static bool find_next(const family *fam, const char *p, const char *stop, uint64_t hart,
                      fields *f) {
  enum { LINES = 16 };
  for (unsigned k = 0; k < LINES && p < stop; k++, p = line_behind(p, stop)) {
    const oct_lines l = line_at(p, stop);
    if (l.end == stop) break; /* it may be cut */
    if (match_any(fam->insns, l.begin, l.end, f) > 0 && f->is_retired && f->hart == hart)
      return true;
  }
  return false;
}

enum { OPCODE_BRANCH = 0x63, OPCODE_JALR = 0x67, OPCODE_JAL = 0x6f, OPCODE_SYSTEM = 0x73 };

/* Whether a jump has a compressed form, by its operands. */
static bool is_short_jump(const oct_map_entry *e, uint32_t code, bool is_64) {
  enum { JUMP_REACH = 2048, BRANCH_REACH = 256 };
  const unsigned rd = code >> 7 & 31, rs1 = code >> 15 & 31, rs2 = code >> 20 & 31;
  const int64_t distance = is_64 ? (int64_t)(e->target - e->addr) : (int32_t)(e->target - e->addr);
  switch (code & 0x7f) {
    case OPCODE_JAL:
      return (!rd || (rd == 1 && !is_64)) && distance >= -JUMP_REACH && distance < JUMP_REACH;
    case OPCODE_JALR:
      return rd <= 1 && rs1 && !(code >> 20);
    case OPCODE_BRANCH:
      return (code >> 12 & 7) <= 1 && rs1 >= 8 && rs1 < 16 && !rs2 && distance >= -BRANCH_REACH &&
             distance < BRANCH_REACH;
    default:
      return false;
  }
}

/* Whether an instruction of 4 bytes is logged in place of a compressed one: the next line shows it,
 * or it was so before, or a jump is one that assemblers compress. */
static bool is_half(const oct_reader *r, const core_log *s, const fields *f) {
  const uint8_t *p;
  oct_diag ignored;
  fields next;
  const int64_t n = oct_input_peek(r->in, 0, &p, &ignored);
  if (n > 0 && find_next(s->family, (const char *)p, (const char *)p + n, f->hart, &next) &&
      (next.pc - f->pc == 2 || next.pc - f->pc == 4))
    return next.pc - f->pc == 2;
  const uint32_t id = r->described ? oct_map_find(r->described, f->pc) : UINT32_MAX;
  if (id != UINT32_MAX) return oct_map_at(r->described, id)->size_bytes == 2;
  return is_short_jump(&s->entry, (uint32_t)f->code, r->info.addr_bits == 64);
}

/* What an instruction does, and how long it is: of a compressed one some cores log what it expands
 * to, and a mnemonic with `c.` or, as old versions of Ariane, nothing else. */
static void describe(const oct_reader *r, core_log *s, const fields *f, const oct_lines *l) {
  uint8_t code[4];
  const char *p = f->at;
  unsigned size = f->code_digits <= 4 || (f->code & 3) != 3 ? 2 : 4;
  while (p < l->end && is_blank(*p)) p++;
  bool is_expanded = size == 4 && l->end - p > 2 && p[0] == 'c' && p[1] == '.';
  oct_put_le(code, f->code, 4);
  oct_disasm_insn(s->disasm, f->pc, code, size, &s->entry);
  if (size == 4 && s->is_expanded) is_expanded |= is_half(r, s, f);
  s->entry.size_bytes = is_expanded ? 2 : (uint8_t)size;
  if (!is_expanded) return;
  s->entry.code_isa = 0;
  memset(s->entry.code, 0, sizeof s->entry.code);
  s->entry.op = (oct_effect){0};
}

static int add_insn(oct_reader *r, core_log *s, const family *fam, const fields *f,
                    const oct_lines *l, oct_diag *diag) {
  int rc = 0;
  if (fam->marks_entries && find(f->at, l->end, "<TRAP_ENTRY>") && (rc = enter_trap(r, s, l, diag)))
    return rc;
  if (oct_reader_is_full(r, 1)) return 1;
  if (f->pc > UINT32_MAX && r->info.addr_bits == 32)
    return oct_lines_wrong(r, l, "an address of 32 bits", l->begin, l->end, diag);
  describe(r, s, f, l);
  if ((rc = oct_reader_describe(r, &s->entry, diag)) ||
      (rc = oct_waiting_next(&s->waiting, r, f->hart, f->privilege, diag)) ||
      (rc = oct_log_values_begin(&s->values, r, (uint32_t)f->hart, diag)))
    return rc;
  oct_reader_add_insn(r, f->pc, s->entry.size_bytes)->task = (uint32_t)f->hart;
  s->code = (uint32_t)f->code;
  s->hart = f->hart;
  s->tag = f->tag;
  s->is_there = true;
  s->is_closed = false;
  s->n_insns++;
  return 0;
}

static int parse(oct_reader *r, oct_lines *l, oct_diag *diag) {
  core_log *s = r->state;
  const family *fam = s->family;
  fields f = {0};
  if (fam == &families[WHISPER_CSV]) return parse_whisper_csv(r, s, l, diag);
  if (fam == &families[RVFI]) return parse_rvfi(r, s, l, diag);
  int rc, is = match_any(fam->insns, l->begin, l->end, &f);
  if (!is) is = match_behind(fam->insns, l->begin, l->end, s->pc_digits, &f);
  if (is < 0) return oct_lines_wrong(r, l, fam->expected, f.at, l->end, diag);
  if (!is) {
    if ((rc = take_trap(r, s, fam, l, diag))) return rc < 0 ? rc : 0;
    return fam->accesses == ON_MEM_LINES ? take_mem_line(r, s, l, diag) : 0;
  }
  fields next;
  if (match_behind(fam->insns, f.pc_end - 1, l->end, s->pc_digits, &next))
    return oct_lines_wrong(r, l, "one instruction a line", f.at, l->end, diag);
  if (!f.is_retired) return 0;
  if (s->pc_digits && f.pc_digits < s->pc_digits)
    return oct_lines_wrong(r, l, "an address with all its digits", l->begin, l->end, diag);
  if (!fam->has_short_pcs) s->pc_digits = f.pc_digits;
  bool is_first =
      fam->accesses != IN_RESOURCES || !s->n_insns || f.tag != s->tag || f.hart != s->hart;
  if (is_first && (rc = add_insn(r, s, fam, &f, l, diag))) return rc;
  switch (fam->accesses) {
    case AFTER_MARKS:
      return take_marks(r, s, l, f.at, diag);
    case IN_RESOURCES:
      return take_resource(r, s, l, &f, is_first, diag);
    default:
      return 0;
  }
}

/* ---- The formats ---- */

/* The line from p on, without its line end. */
static oct_lines line_at(const char *p, const char *stop) {
  const char *end = memchr(p, '\n', (size_t)(stop - p));
  if (!end) end = stop;
  return (oct_lines){.begin = p, .end = end > p && end[-1] == '\r' ? end - 1 : end};
}

static const char *line_behind(const char *p, const char *stop) {
  const char *end = memchr(p, '\n', (size_t)(stop - p));
  return end ? end + 1 : stop;
}

/* Of the first instruction: 8 digits of its address mean 32 bits. */
static unsigned first_digits(const family *fam, const char *p, size_t n) {
  const char *stop = p + n;
  header h = {.at = {0}}, other;
  for (; p < stop; p = line_behind(p, stop)) {
    fields f = {0};
    uint64_t values[COLUMNS];
    oct_lines l = line_at(p, stop);
    if (fam->accesses == IN_COLUMNS) {
      if (take_header(fam, l.begin, l.end, &other))
        h = other;
      else if (h.at[PC] != h.at[INSN] && take_columns(&h, &l, &f, values) > 0)
        return f.pc_digits;
    } else if (match_any(fam->insns, l.begin, l.end, &f) > 0 && f.is_retired)
      return f.pc_digits;
  }
  return 16;
}

/* Whether an instruction is one of RV64 alone: of words, ld, lwu, sd. */
static bool is_of_64(uint64_t code) {
  const unsigned opcode = code & 0x7f, kind = code >> 12 & 7;
  return opcode == 0x1b || opcode == 0x3b || (opcode == 0x03 && (kind == 3 || kind == 6)) ||
         (opcode == 0x23 && kind == 3);
}

/* Whether a log, of whose addresses the digits do not tell, has such an instruction. */
static bool has_64(const family *fam, const char *p, size_t n) {
  const char *stop = p + n;
  fields f;
  for (; p < stop; p = line_behind(p, stop)) {
    oct_lines l = line_at(p, stop);
    if (match_any(fam->insns, l.begin, l.end, &f) > 0 && (f.code & 3) == 3 && is_of_64(f.code))
      return true;
  }
  return false;
}

/* Whether a log has an instruction of 4 bytes, other than a jump, with another one 2 bytes on. */
static bool has_expanded(const family *fam, const char *p, size_t n) {
  const char *stop = p + n;
  fields f, next;
  for (const char *behind; p < stop; p = behind) {
    const oct_lines l = line_at(p, stop);
    behind = line_behind(p, stop);
    if (match_any(fam->insns, l.begin, l.end, &f) <= 0 || !f.is_retired || f.code_digits != 8)
      continue;
    const unsigned opcode = f.code & 0x7f;
    if ((opcode & 3) != 3 || opcode == OPCODE_BRANCH || opcode == OPCODE_JALR ||
        opcode == OPCODE_JAL || opcode == OPCODE_SYSTEM)
      continue;
    if (find_next(fam, behind, stop, f.hart, &next) && next.pc - f.pc == 2) return true;
  }
  return false;
}

/* Whether a line is one of Whisper's CSV, without the names of its columns. */
static bool is_of_csv(const char *p, const char *end) {
  uint64_t values[COLUMNS];
  fields f;
  oct_lines l = {.begin = p, .end = end};
  return take_columns(&whisper_columns, &l, &f, values) > 0 && f.privilege != OCT_PRIVILEGE_UNKNOWN;
}

/* Whether Whisper's CSV is of RV64: a value of an integer register, an address or an instruction
 * that RV32 lacks, a compressed one by its name. */
static bool is_csv_64(const char *p, size_t n) {
  static const char *const names[] = {"c.ld", "c.sd", "c.addiw", "c.addw", "c.subw"};
  const char *stop = p + n;
  header h = whisper_columns, other;
  for (; p < stop; p = line_behind(p, stop)) {
    uint64_t values[COLUMNS];
    fields f;
    oct_lines l = line_at(p, stop);
    if (take_header(&families[WHISPER_CSV], l.begin, l.end, &other)) h = other;
    if (take_columns(&h, &l, &f, values) <= 0) continue;
    if (f.pc_digits > 8 || (f.code_digits == 8 && is_of_64(f.code))) return true;
    for (size_t i = 0; f.code_digits == 4 && i < sizeof names / sizeof *names; i++)
      if (find(f.mnemonic.p, f.mnemonic.end, names[i])) return true;
    for (const char *q = f.registers.p, *next; q < f.registers.end; q = next) {
      const char *semicolon = memchr(q, ';', (size_t)(f.registers.end - q));
      next = semicolon ? semicolon + 1 : f.registers.end;
      const char *value = memchr(q, '=', (size_t)(next - q));
      if (*q != 'f' && *q != 'v' && value && next - value > 1 + 8 + (semicolon != NULL))
        return true;
    }
  }
  return false;
}

static int whisper_csv_kind(const char *p, const char *end);

static int log_open(oct_reader *r, oct_diag *diag) {
  const uint8_t *p;
  oct_diag ignored;
  core_log *s;
  int rc = oct_lines_open(r, sizeof(core_log), diag);
  if (rc) return rc;
  s = r->state;
  int64_t got = oct_input_peek(r->in, OCT_INPUT_PEEK_BYTES, &p, &ignored);
  const char *text = got > 0 ? (const char *)p : "";
  const size_t n = got > 0 ? (size_t)got : 0;
  s->family = &families[r->format->variant];
  if (r->format->variant == WHISPER && oct_probe_lines((const uint8_t *)text, n, whisper_csv_kind))
    s->family = &families[WHISPER_CSV];
  const family *fam = s->family;
  bool is_64;
  if (fam == &families[WHISPER_CSV]) {
    s->header = whisper_columns;
    is_64 = is_csv_64(text, n);
  } else {
    unsigned digits = n ? first_digits(fam, text, n) : 16;
    s->is_expanded = fam->accesses != IN_COLUMNS && has_expanded(fam, text, n);
    is_64 = digits > 8 || (fam->has_short_pcs && (digits < 8 || has_64(fam, text, n)));
  }
  oct_isa isa = is_64 ? OCT_ISA_RISCV64 : OCT_ISA_RISCV32;
  if (r->given_isa == OCT_ISA_RISCV32 || r->given_isa == OCT_ISA_RISCV64)
    isa = (oct_isa)r->given_isa;
  r->info.origin = r->format->name;
  rc = oct_log_values_open(&s->values, r, isa, diag);
  return rc ? rc : oct_reader_use_isa(r, isa, &s->disasm, diag);
}

static int log_fill(oct_reader *r, oct_diag *diag) {
  core_log *s = r->state;
  s->is_there = false; /* what was the last is handed out */
  int rc = oct_lines_fill(r, &s->lines, parse, diag);
  if (!rc) rc = oct_waiting_tell(&s->waiting, r, OCT_WAITING_ANY, diag);
  if (rc || s->n_insns) return rc;
  return oct_lines_none(r, &s->lines, s->family->expected, diag);
}

static void log_close(oct_reader *r) {
  core_log *s = r->state;
  if (!s) return;
  oct_disasm_free(s->disasm);
  oct_waiting_free(&s->waiting);
  oct_log_values_free(&s->values);
  free(s);
}

static const oct_reader_ops log_reader = {.open = log_open, .fill = log_fill, .close = log_close};

/* Lines of other kinds may stand between, also damaged ones, which the reader is to name. */
static int line_kind(const family *fam, const char *p, const char *end) {
  fields f = {0};
  header h;
  if (fam->accesses == IN_COLUMNS && take_header(fam, p, end, &h)) return 1;
  if (fam == &families[WHISPER_CSV]) return is_of_csv(p, end) ? 1 : -1;
  if (fam->accesses == IN_COLUMNS) return -1;
  return match_any(fam->insns, p, end, &f) > 0 ? 1 : -1;
}

static int whisper_csv_kind(const char *p, const char *end) {
  header other;
  if (take_header(&families[RVFI], p, end, &other)) return 0;
  return line_kind(&families[WHISPER_CSV], p, end);
}

#define FAMILY(id, number, title, what, insns_only)                                     \
  static int id##_kind(const char *p, const char *end) {                                \
    return line_kind(&families[number], p, end);                                        \
  }                                                                                     \
  static int id##_probe(const uint8_t *p, size_t n, int is_text) {                      \
    return is_text && (oct_probe_lines(p, n, id##_kind) ||                              \
                       (number == WHISPER && oct_probe_lines(p, n, whisper_csv_kind))); \
  }                                                                                     \
  const oct_format_desc oct_##id##_format = {.name = title,                             \
                                             .text = what,                              \
                                             .is_log = 1,                               \
                                             .probe = id##_probe,                       \
                                             .reader = &log_reader,                     \
                                             .addr_bits = 64,                           \
                                             .variant = number,                         \
                                             .takes_params = number == RVFI,            \
                                             .is_insns_only = insns_only};
FAMILY(ibex, IBEX, "ibex", "trace logs of Ibex and CV32E40P", 0)
FAMILY(cva6, CVA6, "cva6", "trace_hart and .dasm logs of CVA6", 0)
FAMILY(rocket, ROCKET, "rocket", "logs of Rocket and BOOM", 1)
FAMILY(whisper, WHISPER, "whisper", "logs of Whisper and VeeR, text or CSV", 0)
FAMILY(sail, SAIL, "sail", "logs of the Sail model of RISC-V", 0)
FAMILY(neorv32, NEORV32, "neorv32", "logs of NEORV32's simulation", 1)
FAMILY(rvfi, RVFI, "rvfi", "rows of a core's RVFI signals", 0)
