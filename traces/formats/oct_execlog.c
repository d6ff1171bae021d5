/* SPDX-License-Identifier: Apache-2.0 */
/* oct_execlog.c - reader of what QEMU's plugin execlog prints (docs/formats/execlog.md).
 *
 * A line is `CPU, 0xPC, 0xOPCODE, "disassembly"[, load|store, 0xADDR[, device]]... [, NAME ->
 * 0xVALUE]...`, with the registers that the instruction changed. The opcode is
 * the first four bytes at the pc as a little-endian number, however long the instruction is.
 *
 * With `-d int` a trap stands before the line of the instruction executed last, because the plugin
 * prints an instruction when the next one begins. So the trap is told behind the next line of its
 * processor; if that is the instruction of an exception, it did not retire and is left out. */
#include "oct_guess_isa.h"
#include "oct_lines.h"
#include "oct_log_values.h"
#include "oct_qemu_traps.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { CODE_BYTES = 4, PADDED_BYTES = 16 };

typedef struct execlog {
  oct_lines lines;
  oct_disasm *disasm; /* NULL when the instruction set is not known */
  int isa;
  oct_qemu_traps traps;
  oct_log_values values;
} execlog;

/* A line's parts up to the disassembly: 1, 0 when it is damaged, -1 when it is another line. */
static int split(oct_lines *l, uint64_t *cpu, uint64_t *pc, uint64_t *code) {
  const char *p, *end;
  if (!oct_lines_field(l, ",", &p, &end) || !oct_number(p, end, 10, cpu) || end == l->end ||
      *end != ',' || *cpu > UINT32_MAX || !oct_lines_skip(l, "0x"))
    return -1;
  if (!oct_lines_field(l, ",", &p, &end) || !oct_number(p, end, 16, pc) || *end != ',') return 0;
  if (!oct_lines_field(l, ",", &p, &end) || !oct_number(p, end, 16, code)) return 0;
  if (*code > UINT32_MAX || !oct_lines_skip(l, "\"")) return 0;
  p = memchr(l->p, '"', (size_t)(l->end - l->p));
  if (!p || memchr(p + 1, '"', (size_t)(l->end - p - 1))) return 0; /* two lines */
  l->p = p + 1;
  return 1;
}

/* The number of a register as QEMU names it for gdb, or -1. */
static int register_of(oct_isa isa, const char *name) {
  static const char riscv[][5] = {"zero", "ra", "sp",  "gp",  "tp", "t0", "t1", "t2",
                                  "fp",   "s1", "a0",  "a1",  "a2", "a3", "a4", "a5",
                                  "a6",   "a7", "s2",  "s3",  "s4", "s5", "s6", "s7",
                                  "s8",   "s9", "s10", "s11", "t3", "t4", "t5", "t6"};
  int number = 0;
  if (isa == OCT_ISA_RISCV32 || isa == OCT_ISA_RISCV64) {
    if (!strcmp(name, "s0")) return 8;
    while (number < OCT_REG_COUNT && strcmp(riscv[number], name) != 0) number++;
    return number < OCT_REG_COUNT ? number : -1;
  }
  if (isa == OCT_ISA_ARM || isa == OCT_ISA_THUMB) {
    if (!strcmp(name, "sp")) return 13;
    if (!strcmp(name, "lr")) return 14;
  }
  return oct_isa_register_by_name(isa, name);
}

/* `NAME -> 0xVALUE`: a register that the instruction changed. */
static void take_register(execlog *s, const oct_lines *l, const char *p, const char *end) {
  oct_lines ahead = *l;
  char name[OCT_REGISTER_NAME_BYTES] = "";
  uint8_t bytes[OCT_LOG_REGISTER_MAX] = {0};
  unsigned n = 0;
  if (s->isa < 0 || end - p >= (ptrdiff_t)sizeof name) return;
  for (size_t i = 0; p + i < end; i++) name[i] = (char)tolower((unsigned char)p[i]);
  const int number = register_of((oct_isa)s->isa, name);
  if (number < 0 || !oct_lines_skip(&ahead, "->") || !oct_lines_skip(&ahead, "0x") ||
      !oct_lines_field(&ahead, ",", &p, &end))
    return;
  for (const char *q = end; q - 2 >= p && n < sizeof bytes; q -= 2) {
    uint64_t byte;
    if (!oct_number(q - 2, q, 16, &byte)) return;
    bytes[n++] = (uint8_t)byte;
  }
  if (n) oct_log_values_write(&s->values, (unsigned)number, bytes, n);
}

/* Whether a field is `load` or `store` without its end. */
static bool is_cut_word(const char *p, const char *end) {
  const size_t n = (size_t)(end - p);
  return (n && n < strlen("load") && !memcmp(p, "load", n)) ||
         (n && n < strlen("store") && !memcmp(p, "store", n));
}

static int take_accesses(oct_reader *r, oct_lines *l, oct_diag *diag) {
  execlog *s = r->state;
  const char *p, *end;
  int rc = 0;
  enum { DIGITS_MIN = 8 }; /* of an address, and 0x */
  while (!rc && oct_lines_field(l, ",", &p, &end)) {
    uint64_t addr;
    int store = oct_is_word(p, end, "store");
    if (s->values.is_wanted) take_register(s, l, p, end);
    if (!store && !oct_is_word(p, end, "load")) {
      if (is_cut_word(p, end)) return oct_lines_wrong(r, l, "load or store", p, l->end, diag);
      continue;
    }
    if (!oct_lines_field(l, ",", &p, &end))
      return oct_lines_wrong(r, l, "an address after load or store", l->begin, l->end, diag);
    if (end - p < DIGITS_MIN + 2)
      return oct_lines_wrong(r, l, "an address of 8 digits or more", p, end, diag);
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

static int line_kind(const char *p, const char *end) {
  oct_lines l = {.p = p, .begin = p, .end = end};
  uint64_t value;
  int is = split(&l, &value, &value, &value);
  return is > 0 ? 1 : is;
}

static int parse(oct_reader *r, oct_lines *l, oct_diag *diag) {
  execlog *s = r->state;
  uint8_t bytes[PADDED_BYTES] = {0};
  uint64_t cpu, pc, code;
  oct_map_entry e = {0};
  int rc = oct_qemu_traps_take(&s->traps, r, l, diag);
  if (rc) return rc < 0 ? rc : 0;
  int is = split(l, &cpu, &pc, &code);
  if (is < 0) { /* the program's own text may stand in front */
    bool has_code = memmem(l->begin, (size_t)(l->end - l->begin), ", 0x", 4);
    l->p = has_code ? oct_lines_behind(l->begin, l->end, line_kind) : NULL;
    is = l->p ? split(l, &cpu, &pc, &code) : -1;
  }
  if (is < 0) return 0;
  if (!is)
    return oct_lines_wrong(r, l, "'CPU, 0xPC, 0xOPCODE, \"disassembly\"'", l->begin, l->end, diag);
  if (oct_reader_is_full(r, 1)) return 1;
  s->traps.has_more = false;
  const oct_trap *t = oct_waiting_first(&s->traps.waiting, cpu);
  if (t && t->kind == OCT_TRAP_EXCEPTION && t->addr == pc)
    return oct_waiting_tell(&s->traps.waiting, r, cpu, diag);
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
  if ((rc = oct_log_values_begin(&s->values, r, (uint32_t)cpu, diag))) return rc;
  oct_reader_add_insn(r, pc, size ? size : OCT_SIZE_NEXT)->task = (uint32_t)cpu;
  rc = take_accesses(r, l, diag);
  if (!rc) set_sizes(r, &e);
  if (!rc) rc = oct_log_values_end(&s->values, r, &e, diag);
  return rc ? rc : oct_waiting_tell(&s->traps.waiting, r, cpu, diag);
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
    oct_isa_votes votes = {0};
    oct_isa_votes_add(&votes, (const char *)p, (size_t)n);
    s->isa = oct_isa_votes_best(&votes);
    if (s->isa == OCT_ISA_ARM && has_odd_halfword((const char *)p, (const char *)p + n))
      s->isa = OCT_ISA_THUMB;
  }
  r->info.origin = "qemu execlog";
  if ((rc = oct_log_values_open(&s->values, r, s->isa, diag))) return rc;
  return s->isa < 0 ? 0 : oct_reader_use_isa(r, (oct_isa)s->isa, &s->disasm, diag);
}

static int execlog_fill(oct_reader *r, oct_diag *diag) {
  execlog *s = r->state;
  int rc = oct_lines_fill_some(r, r->state, parse, "'CPU, 0xPC, 0xOPCODE, \"disassembly\"'", diag);
  return rc ? rc : oct_waiting_tell(&s->traps.waiting, r, OCT_WAITING_ANY, diag);
}

static void execlog_close(oct_reader *r) {
  execlog *s = r->state;
  if (!s) return;
  oct_disasm_free(s->disasm);
  oct_waiting_free(&s->traps.waiting);
  oct_log_values_free(&s->values);
  free(s);
}

static int execlog_probe(const uint8_t *p, size_t n, int is_text) {
  return is_text && oct_probe_lines(p, n, line_kind);
}

static const oct_reader_ops execlog_reader = {
    .open = execlog_open, .fill = execlog_fill, .close = execlog_close};
const oct_format_desc oct_execlog_format = {.name = "execlog",
                                            .text = "QEMU's plugin execlog",
                                            .is_log = 1,
                                            .probe = execlog_probe,
                                            .reader = &execlog_reader,
                                            .addr_bits = 32,
                                            .insn_bytes = 4,
                                            .takes_params = 1};
