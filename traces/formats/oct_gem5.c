/* SPDX-License-Identifier: Apache-2.0 */
/* oct_gem5.c - reader of gem5's `--debug-flags=Exec` (docs/formats/gem5.md).
 *
 * A line is `TICK: CPU: [Aasid] Tthread : 0xPC [@symbol][.MICRO] : disassembly [: class : [D=..]
 * [A=0xADDR] [flags=(..)]]`. Lines of one pc with a rising micro number are one instruction; the
 * line of the whole instruction, without one, may stand in front of them.
 *
 * `D=` is what an access moved. How many bytes of it count is not there: with the parameter
 * `values=1` a program, which has the instruction, is needed for that. */
#include "oct_lines.h"
#include "oct_log_values.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { WHOLE = -1, FIXED_INSN_BYTES = 4, ALIGNED_MIN = 32 };

typedef struct gem5 {
  oct_lines lines;
  int micro; /* of the last line: WHOLE, or a number */
  oct_log_values values;
} gem5;

typedef struct exec_line {
  uint64_t pc, cpu, thread;
  int micro, has_symbol_only;
  const char *rest; /* behind the place */
} exec_line;

/* The last number in a name (`system.cpu1`, `board.processor.cores1.core`), 0 when there is none.
 */
static uint64_t last_number(const char *p, const char *end) {
  uint64_t value = 0;
  while (end > p && !isdigit((unsigned char)end[-1])) end--;
  const char *digits = end;
  while (digits > p && isdigit((unsigned char)digits[-1])) digits--;
  return digits < end && oct_number(digits, end, 10, &value) ? value : 0;
}

/* Split a line up to its second ` : `: 1, 0 when damaged, as by its end within what is in front of
 * the pc, -1 when it is no line of Exec. */
static int split(oct_lines *l, exec_line *x) {
  const char *p, *end, *place, *dot;
  uint64_t tick;
  memset(x, 0, sizeof *x);
  if (!oct_lines_field(l, ":", &p, &end) || end == l->end || *end != ':' ||
      !oct_number(p, end, 10, &tick) || !oct_lines_field(l, ":", &p, &end) ||
      !(memmem(p, (size_t)(end - p), "cpu", 3) || memmem(p, (size_t)(end - p), "core", 4)))
    return -1;
  x->cpu = last_number(p, end);
  if (!oct_lines_field(l, NULL, &p, &end)) return 0;
  if (*p == 'A' && !oct_lines_field(l, NULL, &p, &end)) return 0;
  if (*p == 'T') {
    x->thread = last_number(p, end);
    if (!oct_lines_skip(l, ":")) return l->p == l->end ? 0 : -1;
    if (!oct_lines_field(l, NULL, &p, &end)) return 0;
  }
  x->has_symbol_only = *p == '@';
  if (!x->has_symbol_only && (end - p < 3 || p[0] != '0' || p[1] != 'x')) return -1;
  place = memmem(p, (size_t)(l->end - p), " : ", 3);
  if (!place) return 0;
  dot = memrchr(p, '.', (size_t)(place - p));
  x->micro = WHOLE;
  x->rest = place + 3;
  if (dot) { /* `.12`, `. 3`; a symbol may have dots of its own, with no number behind */
    const char *digits = dot + 1, *stop = place;
    uint64_t value;
    while (digits < stop && *digits == ' ') digits++;
    while (stop > digits && stop[-1] == ' ') stop--;
    if (oct_number(digits, stop, 10, &value) && value < 1000) x->micro = (int)value;
  }
  if (x->has_symbol_only) return 1;
  if (dot && dot < end) end = dot;
  return oct_number(p, end, 16, &x->pc) > 0;
}

static int contains(const char *p, const char *end, const char *word) {
  return memmem(p, (size_t)(end - p), word, strlen(word)) != NULL;
}

/* The last access, with its size, gets the line's data, if the program has such an access there. */
static int take_value(oct_reader *r, const exec_line *x, const oct_lines *l, oct_diag *diag) {
  oct_map_entry e;
  const unsigned k = r->insns[r->n_insns - 1].n_access - 1u;
  oct_access *a = &r->accesses[r->n_accesses - 1];
  const char *p = memmem(x->rest, (size_t)(l->end - x->rest), " D=0x", 5);
  const char *end = p ? p += 3 : NULL;
  uint64_t value;
  while (end && end < l->end && !isspace((unsigned char)*end)) end++;
  if (!p) return 0;
  if (r->program && oct_number(p, end, 16, &value) && oct_program_insn(r->program, x->pc, &e) &&
      k < e.n_slots) {
    const uint8_t slot = e.slots[oct_access_slot(k)];
    if ((slot & OCT_SLOT_SIZE_MASK) <= 3 && ((slot & OCT_SLOT_STORE) != 0) == a->is_store)
      return oct_log_values_tell(r, value, 1u << (slot & OCT_SLOT_SIZE_MASK), diag);
  }
  oct_log_values_lose(r, r->program ? "the program has no such access of up to 8 bytes there"
                                    : "the program (--elf) has the sizes");
  return 0;
}

static int line_kind(const char *p, const char *end) {
  oct_lines l = {.p = p, .begin = p, .end = end};
  exec_line x;
  return split(&l, &x) > 0 ? 1 : -1;
}

static int parse(oct_reader *r, oct_lines *l, oct_diag *diag) {
  gem5 *s = r->state;
  exec_line x;
  const char *at;
  uint64_t addr;
  int is = split(l, &x);
  if (is < 0) { /* the program's own text may stand in front */
    l->p = contains(l->begin, l->end, " : ") ? oct_lines_behind(l->begin, l->end, line_kind) : NULL;
    is = l->p ? split(l, &x) : -1;
  }
  if (is < 0) return 0;
  /* Another line begins on this one: the end of one was lost. */
  if (memmem(l->p, (size_t)(l->end - l->p), ": 0x", 4) && oct_lines_behind(l->p, l->end, line_kind))
    is = 0;
  if (!is) return oct_lines_wrong(r, l, "'0xPC ... : disassembly'", l->begin, l->end, diag);
  if (x.has_symbol_only)
    return oct_lines_wrong(r, l, "a pc (record with --debug-flags=Exec,-ExecSymbol)", l->begin,
                           l->end, diag);
  if (x.pc > UINT32_MAX && r->info.addr_bits == 32)
    return oct_lines_wrong(r, l, "a pc of 32 bits", l->begin, l->end, diag);
  uint32_t task = (uint32_t)(x.cpu << 8 | (x.thread & 255));
  oct_insn *last = r->n_insns ? &r->insns[r->n_insns - 1] : NULL;
  if (x.micro == WHOLE || x.micro <= s->micro || !last || last->addr != x.pc ||
      last->task != task) {
    if (oct_reader_is_full(r, 1)) return 1;
    oct_reader_add_insn(r, x.pc, OCT_SIZE_NEXT)->task = task;
  }
  s->micro = x.micro;
  at = memmem(x.rest, (size_t)(l->end - x.rest), " A=0x", 5);
  if (contains(x.rest, l->end, "Prefetch")) return 0;
  int store = contains(x.rest, l->end, "MemWrite") || contains(x.rest, l->end, "IsStore") ||
              contains(x.rest, l->end, "Store :");
  if (store || at || contains(x.rest, l->end, ": MemRead")) r->n_with[!at][store]++;
  if (!at) return 0;
  const char *end = at += 3;
  while (end < l->end && !isspace((unsigned char)*end)) end++;
  int rc = oct_lines_address(r, l, at, end, &addr, diag);
  if (rc) return rc;
  rc = oct_reader_add_access(r, addr, 0, store, diag);
  return !rc && s->values.is_wanted ? take_value(r, &x, l, diag) : rc;
}

/* Whether the first lines have pcs of whole words only: then all instructions are words. */
static int all_aligned(const char *p, const char *stop) {
  unsigned lines = 0;
  while (p < stop) {
    const char *end = memchr(p, '\n', (size_t)(stop - p));
    oct_lines l = {.p = p, .begin = p, .end = end ? end : stop};
    exec_line x;
    if (end && split(&l, &x) > 0) {
      if (x.pc % FIXED_INSN_BYTES) return 0;
      lines++;
    }
    p = end ? end + 1 : stop;
  }
  return lines >= ALIGNED_MIN;
}

static int gem5_open(oct_reader *r, oct_diag *diag) {
  const uint8_t *p;
  oct_diag ignored;
  int rc = oct_lines_open(r, sizeof(gem5), diag);
  if (rc) return rc;
  int64_t n = oct_input_peek(r->in, OCT_INPUT_PEEK_BYTES, &p, &ignored);
  if ((rc = oct_log_values_open(&((gem5 *)r->state)->values, r, -1, diag))) return rc;
  r->info.origin = "gem5";
  r->is_open = 1;
  r->info.addr_bits = 64;
  if (r->given_isa >= 0) {
    if (oct_isa_get((oct_isa)r->given_isa)->insn_bytes) r->fixed_insn_bytes = 1;
    return oct_reader_use_isa(r, (oct_isa)r->given_isa, NULL, diag);
  }
  if (n > 0 && all_aligned((const char *)p, (const char *)p + n)) r->fixed_insn_bytes = 1;
  return 0;
}

static int gem5_fill(oct_reader *r, oct_diag *diag) {
  return oct_lines_fill_some(
      r, r->state, parse, "'TICK: CPU: ... : 0xPC ... : disassembly' (--debug-flags=Exec)", diag);
}

static int gem5_probe(const uint8_t *p, size_t n, int is_text) {
  return is_text && oct_probe_lines(p, n, line_kind);
}

static const oct_reader_ops gem5_reader = {
    .open = gem5_open, .fill = gem5_fill, .close = oct_lines_close};
const oct_format_desc oct_gem5_format = {.name = "gem5",
                                         .text = "gem5's debug flag Exec",
                                         .is_log = 1,
                                         .probe = gem5_probe,
                                         .reader = &gem5_reader,
                                         .addr_bits = 64,
                                         .insn_bytes = 4,
                                         .takes_params = 1};
