/* SPDX-License-Identifier: Apache-2.0 */
/* oct_spike.c - reader of the log of `spike --log-commits`, with or without `-l`
 * (docs/formats/spike.md).
 *
 * A commit is `[core N:] P 0xPC (0xINSN) [reg 0xVALUE] [mem 0xADDR [0xVALUE]]`, where P is the
 * privilege. A trap is `core N: exception NAME, epc 0xADDR`, of an exception with a line
 * `core N: tval 0xVALUE` behind it; it waits for the next commit of its core, which tells the
 * privilege. Lines of `-l`, which have no P, and all others are stepped over. */
#include "oct_lines.h"
#include "oct_waiting.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct spike {
  oct_lines lines;
  oct_disasm *disasm;
  uint64_t commits, listed;
  oct_waiting waiting;
  uint8_t privilege; /* of the last commit, whichever core's */
} spike;

typedef struct commit {
  uint64_t core; /* OCT_WAITING_ANY when it is not told */
  uint64_t pc;
  unsigned pc_digits, size_bytes;
  uint8_t privilege, code[4];
} commit;

/* Take `core N:`, which old versions leave out before a commit, and what follows it up to the
 * instruction. 1 for a commit, 0 for a line of `-l`, -1 for another line, -2 for a commit that is
 * damaged; *at is what it stumbled over. */
static int split(oct_lines *l, commit *c, const char **at) {
  const char *p, *end;
  uint64_t value;
  bool has_core = oct_lines_skip(l, "core");
  int damaged = has_core ? -2 : -1;
  c->core = OCT_WAITING_ANY;
  if ((has_core && (!oct_lines_field(l, ":", &p, &end) || !oct_number(p, end, 10, &c->core) ||
                    c->core > UINT32_MAX)) ||
      !oct_lines_field(l, NULL, &p, &end))
    return -1;
  if (has_core && end - p > 2 && p[0] == '0' && p[1] == 'x') return 0;
  if (end - p != 1 || *p < '0' || *p > '6') return -1;
  c->privilege = (uint8_t)(*p - '0');
  *at = l->p;
  if (!oct_lines_field(l, NULL, &p, &end) || !oct_number(p, end, 16, &c->pc)) return damaged;
  c->pc_digits = (unsigned)(end - p - 2);
  *at = l->p;
  if (!oct_lines_skip(l, "(") || !oct_lines_field(l, ")", &p, &end) ||
      !oct_number(p, end, 16, &value) || end - p < 3)
    return damaged;
  c->size_bytes = end - p - 2 <= 4 ? 2 : 4;
  if (end - p - 2 > 8) return damaged;
  oct_put_le(c->code, value, 4);
  return 1;
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
  if (!oct_lines_field(&ahead, NULL, &p, &end) || !oct_number(p, end, 16, &value))
    return oct_lines_wrong(r, l, "the address of a trap", at, l->end, diag);
  trap.addr = value & mask;
  int rc = is_trap ? oct_waiting_add(&s->waiting, r, core, &trap, diag) : 0;
  if (rc) return rc;
  last = is_trap ? NULL : oct_waiting_last(&s->waiting, core);
  if (last && last->kind == OCT_TRAP_EXCEPTION) last->tval = value & mask;
  return 1;
}

/* What stands before a commit: the traps of its core, of which the last one tells the privilege, or
 * a change of that alone. */
static int tell_traps(oct_reader *r, const commit *c, oct_diag *diag) {
  spike *s = r->state;
  const oct_trap change = {.kind = OCT_TRAP_PRIVILEGE, .privilege = c->privilege};
  bool is_told = s->commits && c->privilege == s->privilege;
  oct_trap *last = oct_waiting_last(&s->waiting, c->core);
  s->privilege = c->privilege;
  if (last) last->privilege = c->privilege;
  if (last) return oct_waiting_tell(&s->waiting, r, c->core, diag);
  return is_told ? 0 : oct_reader_add_trap(r, &change, diag);
}

/* ---- Commits ---- */

/* The size of load number k as its instruction says it, 0 when it does not. */
static unsigned load_size(const oct_map_entry *e, unsigned k) {
  for (unsigned i = 0; i < e->n_slots; i++) {
    uint8_t slot = e->slots[oct_access_slot(i)];
    unsigned size_log2 = slot & OCT_SLOT_SIZE_MASK;
    if (!(slot & OCT_SLOT_STORE) && !k--)
      return size_log2 == OCT_SLOT_SIZE_UNKNOWN ? 0 : 1u << size_log2;
  }
  return 0;
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

/* What stands behind an instruction: registers and their values, and `mem` fields. */
static int take_accesses(oct_reader *r, oct_lines *l, const oct_map_entry *e, const uint8_t *code,
                         oct_diag *diag) {
  const char *p, *end;
  unsigned loads = 0;
  uint64_t element_bits = 0;
  int rc = 0;
  while (!rc && oct_lines_field(l, NULL, &p, &end)) {
    uint64_t addr, value;
    if (*p == 'e' && oct_number(p + 1, end, 10, &value) && value <= 64) element_bits = value;
    if (!oct_is_word(p, end, "mem")) continue;
    if (!oct_lines_field(l, NULL, &p, &end))
      return oct_lines_wrong(r, l, "an address after mem", l->begin, l->end, diag);
    if ((rc = oct_lines_address(r, l, p, end, &addr, diag))) return rc;
    /* A value behind the address makes it a store, whose size its digits tell. */
    oct_lines ahead = *l;
    if (oct_lines_field(&ahead, NULL, &p, &end) && end - p > 2 && p[1] == 'x' &&
        oct_number(p, end, 16, &value)) {
      size_t digits = (size_t)(end - p - 2);
      *l = ahead;
      rc = oct_reader_add_access(r, addr, digits <= 2 ? 1 : oct_access_size(digits / 2), 1, diag);
    } else {
      unsigned size = load_size(e, loads++);
      if (!size) size = element_bytes(code, (unsigned)element_bits);
      rc = oct_reader_add_access(r, addr, size, 0, diag);
    }
  }
  return rc;
}

static int parse(oct_reader *r, oct_lines *l, oct_diag *diag) {
  spike *s = r->state;
  const char *at = l->p;
  oct_map_entry e;
  commit c;
  int rc = take_trap(r, l, diag);
  if (rc) return rc < 0 ? rc : 0;
  int is = split(l, &c, &at);
  if (is == -2) return oct_lines_wrong(r, l, "'0xPC (0xINSN)' after 'core N: P'", at, l->end, diag);
  s->listed += is == 0;
  if (is <= 0) return 0;
  if (oct_reader_is_full(r, 1)) return 1;
  if (c.pc > UINT32_MAX && r->info.addr_bits == 32)
    return oct_lines_wrong(r, l, "an address of 32 bits", at, l->end, diag);
  oct_disasm_insn(s->disasm, c.pc, c.code, c.size_bytes, &e);
  e.size_bytes = (uint8_t)c.size_bytes;
  if ((rc = oct_reader_describe(r, &e, diag))) return rc;
  if ((rc = tell_traps(r, &c, diag))) return rc;
  oct_reader_add_insn(r, c.pc, c.size_bytes)->task =
      c.core == OCT_WAITING_ANY ? 0 : (uint32_t)c.core;
  s->commits++;
  return take_accesses(r, l, &e, c.code, diag);
}

static int line_kind(const char *p, const char *end) {
  oct_lines l = {.p = p, .begin = p, .end = end};
  commit c;
  return split(&l, &c, &p) >= 0 ? 1 : -1;
}

/* Digits of the first value of an integer register, which are those of the machine: some cores of
 * 32 bits log 16 digits of the pc. Without one, those of the first pc: 8 or 16. */
static unsigned first_digits(const char *p, size_t n) {
  const char *stop = p + n;
  unsigned pc_digits = 0;
  while (p < stop) {
    const char *end = memchr(p, '\n', (size_t)(stop - p)), *at;
    oct_lines l = {.p = p, .begin = p, .end = end ? end : stop};
    commit c;
    if (split(&l, &c, &at) == 1) {
      const char *field, *behind;
      if (!pc_digits) pc_digits = c.pc_digits;
      if (pc_digits == 8) return 8;
      bool is_x = oct_lines_field(&l, NULL, &field, &behind) && *field == 'x';
      if (is_x && behind - field == 1) is_x = oct_lines_field(&l, NULL, &field, &behind);
      if (is_x && oct_lines_field(&l, NULL, &field, &behind) && behind - field > 2 &&
          behind < l.end + (end == NULL ? 0 : 1))
        return (unsigned)(behind - field - 2);
    }
    p = end ? end + 1 : stop;
  }
  return pc_digits ? pc_digits : 16;
}

static int spike_open(oct_reader *r, oct_diag *diag) {
  spike *s;
  const uint8_t *p;
  oct_diag ignored;
  int rc = oct_lines_open(r, sizeof(spike), diag);
  if (rc) return rc;
  s = r->state;
  int64_t n = oct_input_peek(r->in, OCT_INPUT_PEEK_BYTES, &p, &ignored);
  oct_isa isa =
      n > 0 && first_digits((const char *)p, (size_t)n) == 8 ? OCT_ISA_RISCV32 : OCT_ISA_RISCV64;
  if (r->given_isa == OCT_ISA_RISCV32 || r->given_isa == OCT_ISA_RISCV64)
    isa = (oct_isa)r->given_isa;
  r->info.origin = "spike";
  return oct_reader_use_isa(r, isa, &s->disasm, diag);
}

static int spike_fill(oct_reader *r, oct_diag *diag) {
  spike *s = r->state;
  int rc = oct_lines_fill(r, &s->lines, parse, diag);
  if (!rc) rc = oct_waiting_tell(&s->waiting, r, OCT_WAITING_ANY, diag);
  if (rc || s->commits) return rc;
  if (!s->listed) return oct_lines_none(r, &s->lines, "'core N: P 0xPC (0xINSN)'", diag);
  return oct_fail(diag, OCT_ERR_UNSUPPORTED,
                  "%s: a listing without commits: expected the log of spike --log-commits",
                  oct_input_name(r->in));
}

static void spike_close(oct_reader *r) {
  spike *s = r->state;
  if (!s) return;
  oct_disasm_free(s->disasm);
  oct_waiting_free(&s->waiting);
  free(s);
}

static int spike_probe(const uint8_t *p, size_t n, int is_text) {
  return is_text && oct_probe_lines(p, n, line_kind);
}

static const oct_reader_ops spike_reader = {spike_open, spike_fill, spike_close};
const oct_format_desc oct_spike_format = {
    .name = "spike", .probe = spike_probe, .reader = &spike_reader, .addr_bits = 64};
