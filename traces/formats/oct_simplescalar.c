/* SPDX-License-Identifier: Apache-2.0 */
/* oct_simplescalar.c - reader of the listing that SimpleScalar's `sim-safe -v` prints (PISA).
 *
 * A line of trace is `N [xor: 0xXXXXXXXX] @ 0xPC: mnemonic operands  mem: 0xADDR`. Anything else is
 * banner or output of the traced program, also in front of a trace line. */
#include "oct_lines.h"
#include "oct_effect_pisa.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { INSN_BYTES = 8 };
static const char mark[] = "[xor: 0x";

enum { LOAD = 0, STORE = OCT_SLOT_STORE, NO_ACCESS = 255 };

/* Mnemonics of PISA that are more than arithmetic. lwl and its kin touch 1 to 4 bytes. */
static const struct {
  char name[6];
  uint8_t cls, slot;
} mnemonics[] = {
    {"j", OCT_CLASS_DIRECT_JUMP, NO_ACCESS},    {"jal", OCT_CLASS_DIRECT_CALL, NO_ACCESS},
    {"jr", OCT_CLASS_INDIRECT_JUMP, NO_ACCESS}, {"jalr", OCT_CLASS_INDIRECT_CALL, NO_ACCESS},
    {"beq", OCT_CLASS_COND_BRANCH, NO_ACCESS},  {"bne", OCT_CLASS_COND_BRANCH, NO_ACCESS},
    {"blez", OCT_CLASS_COND_BRANCH, NO_ACCESS}, {"bgtz", OCT_CLASS_COND_BRANCH, NO_ACCESS},
    {"bltz", OCT_CLASS_COND_BRANCH, NO_ACCESS}, {"bgez", OCT_CLASS_COND_BRANCH, NO_ACCESS},
    {"bc1f", OCT_CLASS_COND_BRANCH, NO_ACCESS}, {"bc1t", OCT_CLASS_COND_BRANCH, NO_ACCESS},
    {"lb", OCT_CLASS_OTHER, LOAD | 0},          {"lbu", OCT_CLASS_OTHER, LOAD | 0},
    {"lh", OCT_CLASS_OTHER, LOAD | 1},          {"lhu", OCT_CLASS_OTHER, LOAD | 1},
    {"lw", OCT_CLASS_OTHER, LOAD | 2},          {"dlw", OCT_CLASS_OTHER, LOAD | 3},
    {"l.s", OCT_CLASS_OTHER, LOAD | 2},         {"l.d", OCT_CLASS_OTHER, LOAD | 3},
    {"lwl", OCT_CLASS_OTHER, LOAD | 7},         {"lwr", OCT_CLASS_OTHER, LOAD | 7},
    {"sb", OCT_CLASS_OTHER, STORE | 0},         {"sh", OCT_CLASS_OTHER, STORE | 1},
    {"sw", OCT_CLASS_OTHER, STORE | 2},         {"dsw", OCT_CLASS_OTHER, STORE | 3},
    {"dsz", OCT_CLASS_OTHER, STORE | 3},        {"s.s", OCT_CLASS_OTHER, STORE | 2},
    {"s.d", OCT_CLASS_OTHER, STORE | 3},        {"swl", OCT_CLASS_OTHER, STORE | 7},
    {"swr", OCT_CLASS_OTHER, STORE | 7},
};

/* Exactly 8 hexadecimal digits at p: the end behind them, or NULL. */
static const char *hex8(const char *p, const char *end, uint64_t *value) {
  if (end - p < 8 || p[1] == 'x' || p[1] == 'X') return NULL;
  return oct_number(p, p + 8, 16, value) ? p + 8 : NULL;
}

/* The end behind word, which must stand at p; NULL when p is NULL or it does not. */
static const char *expect(const char *p, const char *end, const char *word) {
  size_t n = strlen(word);
  return p && (size_t)(end - p) >= n && !memcmp(p, word, n) ? p + n : NULL;
}

static const char *find_mark(const char *p, size_t length) {
  const char *found = NULL, *next = p, *end = p + length;
  while ((next = memmem(next, (size_t)(end - next), mark, sizeof mark - 1))) {
    found = next;
    next += sizeof mark - 1;
  }
  return found;
}

/* Target of a branch or jump: the last operand. */
static uint64_t target_of(const char *p, const char *end) {
  const char *last = end;
  uint64_t v = 0;
  while (last > p && last[-1] != ',') last--;
  if (end - last < 3 || last[0] != '0' || last[1] != 'x') return 0;
  return oct_number(last, end, 16, &v) ? v & UINT32_MAX : 0;
}

/* What the mnemonic and operands say. */
static oct_map_entry describe(uint64_t pc, const char *name, size_t n_name, const char *operands,
                              const char *end) {
  oct_map_entry e = {.addr = pc, .size_bytes = INSN_BYTES, .cls = OCT_CLASS_OTHER};
  for (size_t i = 0; i < sizeof mnemonics / sizeof *mnemonics; i++) {
    if (strlen(mnemonics[i].name) != n_name || memcmp(mnemonics[i].name, name, n_name)) continue;
    e.cls = mnemonics[i].cls;
    if (mnemonics[i].slot != NO_ACCESS) {
      e.n_slots = 1;
      e.slots[0] = mnemonics[i].slot;
    }
  }
  if (e.cls == OCT_CLASS_INDIRECT_JUMP && end - operands == 3 && !memcmp(operands, "r31", 3))
    e.cls = OCT_CLASS_RETURN;
  if (e.cls == OCT_CLASS_COND_BRANCH || e.cls == OCT_CLASS_DIRECT_JUMP ||
      e.cls == OCT_CLASS_DIRECT_CALL)
    e.target = target_of(operands, end);
  oct_pisa_effect(name, n_name, operands, end, &e.op);
  return e;
}

/* Parse the trace text of a line from its mark on. 0 when taken, 1 when the batch must be handed
 * out first because the program was changed, or an error. */
static int parse(oct_reader *r, oct_lines *l, oct_diag *diag) {
  const char *begin = find_mark(l->p, (size_t)(l->end - l->p)), *end = l->end;
  const char *p = begin, *name, *operands, *stop, *mem;
  uint64_t xor_value, pc, addr = 0;
  oct_map_entry e;
  int rc;
  if (!begin) return 0;
  if (oct_reader_is_full(r, 1)) return 1;
  if (!(p = hex8(p + sizeof mark - 1, end, &xor_value)) || !(p = expect(p, end, "] @ 0x")) ||
      !(p = hex8(p, end, &pc)) || !(p = expect(p, end, ": ")) || p == end)
    goto bad;
  name = p;
  while (p < end && !isspace((unsigned char)*p)) p++;
  stop = p;
  while (p < end && *p == ' ') p++;
  operands = p;
  while (p < end && !isspace((unsigned char)*p)) p++;
  mem = memmem(stop, (size_t)(end - stop), "mem: 0x", 7);
  if (operands == mem) p = operands;
  if (mem && !hex8(mem + 7, end, &addr)) goto bad;
  e = describe(pc, name, (size_t)(stop - name), operands, p);
  if (e.n_slots && !mem) goto bad; /* a load or store that lost its address */
  if (mem && !e.n_slots) {
    e.n_slots = 1;
    e.slots[0] = OCT_SLOT_SIZE_UNKNOWN;
  }
  if ((rc = oct_reader_describe(r, &e, diag))) return rc;
  oct_reader_add_insn(r, pc, INSN_BYTES);
  if (!mem) return 0;
  unsigned log2_size = e.slots[0] & OCT_SLOT_SIZE_MASK;
  return oct_reader_add_access(r, addr, log2_size == 7 ? 0 : 1u << log2_size,
                               e.slots[0] & OCT_SLOT_STORE, diag);
bad:
  return oct_lines_wrong(r, l, "a trace line of sim-safe -v", begin, end, diag);
}

/* Read the banner, up to the first line of trace. */
static int simplescalar_open(oct_reader *r, oct_diag *diag) {
  static const char command[] = "sim: command line: ";
  oct_lines *l;
  int rc = oct_lines_open(r, sizeof *l, diag);
  l = r->state;
  r->info.isa = "pisa";
  r->info.addr_bits = 32;
  r->info.insn_align_bytes = r->info.default_insn_bytes = INSN_BYTES;
  while (!rc && (rc = oct_lines_next(r, l, diag)) == 1) {
    const char *p = l->p;
    size_t length = (size_t)(l->end - p);
    if (find_mark(p, length)) {
      l->again = 1;
      break;
    }
    rc = 0;
    if (memmem(p, length, "SimpleScalar/Alpha", 18))
      return oct_fail_at(diag, OCT_ERR_UNSUPPORTED, OCT_AT_LINE, l->number,
                         "expected SimpleScalar/PISA, found SimpleScalar/Alpha");
    if (!r->origin && memmem(p, length, "SimpleScalar/PISA", 17))
      rc = oct_reader_keep(r, &r->origin, p, length, diag);
    else if (!r->command && length >= sizeof command && !memcmp(p, command, sizeof command - 1))
      rc = oct_reader_keep(r, &r->command, p + sizeof command - 1, length - (sizeof command - 1),
                           diag);
  }
  if (rc < 0) return rc;
  if (r->origin) r->info.origin = r->origin;
  if (r->command) r->info.command = r->command;
  return 0;
}

static int simplescalar_fill(oct_reader *r, oct_diag *diag) {
  return oct_lines_fill_some(r, r->state, parse, "a trace line of sim-safe -v", diag);
}

static const oct_reader_ops simplescalar_reader = {
    .open = simplescalar_open, .fill = simplescalar_fill, .close = oct_lines_close};

/* Output of the traced program, of any bytes, may stand among the lines. */
static int simplescalar_probe(const uint8_t *p, size_t n, int is_text) {
  if (memmem(p, n, "SimpleScalar/PISA", 17)) return 1;
  return is_text && (memmem(p, n, "SimpleScalar", 12) || find_mark((const char *)p, n));
}

const oct_format_desc oct_simplescalar_format = {.name = "simplescalar",
                                                 .text = "listing of SimpleScalar's sim-safe -v",
                                                 .probe = simplescalar_probe,
                                                 .reader = &simplescalar_reader,
                                                 .addr_bits = 32,
                                                 .insn_bytes = INSN_BYTES};
