/* SPDX-License-Identifier: Apache-2.0 */
/* oct_printed.c - readers of traces that their own tools have printed (docs/formats/printed.md):
 *
 * - `perf script --insn-trace`: `COMM TID [CPU] TIME: IP SYMBOL (FILE) insn: BYTES`, or with a
 *   disassembly in place of `insn:` and bytes;
 * - the tool view of DynamoRIO: `RECORD [INSN]: TID ifetch N byte(s) @ 0xADDR BYTES disassembly`,
 *   `... read N byte(s) @ 0xADDR by PC 0xADDR`, and `write`. Bytes for which the line has no room
 *   are on one of their own: the instruction waits for them.
 *
 * Bytes are two digits each in the order of memory, or words: 8 digits of AArch64, 4 of Thumb. */
#include "oct_lines.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { PERF, VIEW };

/* An instruction as a line has it. */
typedef struct printed_insn {
  uint64_t addr;
  uint32_t task;
  unsigned size; /* 0: not known */
  uint8_t code[OCT_CODE_MAX + 1];
  unsigned n_code;
} printed_insn;

typedef struct printed {
  oct_lines lines;
  oct_disasm *disasm, *thumb;
  oct_isa isa;          /* of disasm */
  printed_insn waiting; /* for the rest of its bytes */
  bool is_waiting;
} printed;

static bool skip_word(const char **at, const char *end, const char *word) {
  const char *p = *at;
  size_t n = strlen(word);
  while (p < end && *p == ' ') p++;
  if ((size_t)(end - p) < n || memcmp(p, word, n)) return false;
  *at = p + n;
  return true;
}

/* The next word, up to a blank: its end, and *at is its begin. */
static const char *word_end(const char **at, const char *end) {
  while (*at < end && isspace((unsigned char)**at)) ++*at;
  const char *p = *at;
  while (p < end && !isspace((unsigned char)*p)) p++;
  return p;
}

/* Take words of bytes, until there are n_bytes. Words are as wide as the first one. */
static void take_code(printed_insn *i, const char *p, const char *end, unsigned n_bytes) {
  size_t width = 0;
  while (i->n_code < n_bytes) {
    uint64_t value;
    const char *next = word_end(&p, end);
    size_t n = (size_t)(next - p);
    if ((n != 2 && n != 4 && n != 8) || (width && n != width) || i->n_code + n / 2 > n_bytes ||
        !oct_number(p, next, 16, &value))
      return;
    width = n;
    oct_put_le(i->code + i->n_code, value, n / 2);
    i->n_code += (unsigned)n / 2;
    p = next;
  }
}

/* ---- Lines ---- */

/* `SECONDS.FRACTION:` */
static bool is_time(const char *p, const char *end) {
  const char *dot = memchr(p, '.', (size_t)(end - p));
  uint64_t value;
  return end - p > 3 && end[-1] == ':' && dot && dot > p && oct_number(p, dot, 10, &value) &&
         end - 2 - dot >= 6 && oct_number(dot + 1, end - 1, 10, &value);
}

/* A line of perf script: 1; 0 when it is another line, or one of another event; -1 when the trace
 * has a gap there. */
static int split_perf(const char *p, const char *end, printed_insn *i) {
  const char *before = NULL, *before_end = NULL, *next, *open, *insn = NULL;
  uint64_t value;
  *i = (printed_insn){0};
  if (skip_word(&p, end, "instruction trace error ")) return -1;
  for (;;) {
    next = word_end(&p, end);
    if (next == p) return 0;
    if (before && is_time(p, next)) break;
    if (*p != '[') before = p, before_end = next;
    p = next;
  }
  const char *slash = memchr(before, '/', (size_t)(before_end - before));
  if (!oct_number(slash ? slash + 1 : before, before_end, 10, &value) || value > UINT32_MAX)
    return 0;
  i->task = (uint32_t)value;
  p = next;
  next = word_end(&p, end);
  const char *second = next, *second_end = word_end(&second, end);
  bool has_event = next > p && next[-1] == ':';
  if (!has_event && second_end > second && second_end[-1] == ':' &&
      oct_number(p, next, 10, &value)) { /* a period */
    has_event = true;
    p = second;
    next = second_end;
  }
  if (has_event) {
    if (next - p < 12 || memcmp(p, "instructions", 12)) return 0;
    p = next;
    next = word_end(&p, end);
  }
  if (next == p || (next - p > 2 && p[1] == 'x') || !oct_number(p, next, 16, &i->addr)) return 0;
  for (const char *q = next; (q = memmem(q, (size_t)(end - q), "insn:", 5)); q += 5) insn = q;
  open = memchr(next, '(', (size_t)(end - next));
  if (!insn && (!open || !memchr(open, ')', (size_t)(end - open)))) return 0;
  if (insn) take_code(i, insn + 5, end, OCT_CODE_MAX);
  i->size = i->n_code;
  return 1;
}

/* What a line of the tool view is. */
typedef enum view_kind { OTHER, IFETCH, READ, WRITE, REST, DAMAGED } view_kind;

/* Of an access, i->addr is its address, i->size its bytes, and *pc the instruction's. */
static view_kind split_view(const char *p, const char *end, printed_insn *i, uint64_t *pc) {
  static const char *const names[] = {[IFETCH] = "ifetch ", [READ] = "read ", [WRITE] = "write "};
  view_kind kind = OTHER;
  const char *next = word_end(&p, end);
  uint64_t value;
  *i = (printed_insn){0};
  if (next > p && next[-1] != ':') { /* two numbers in front */
    if (!oct_number(p, next, 10, &value)) return OTHER;
    p = next;
    next = word_end(&p, end);
  }
  if (next < p + 2 || next[-1] != ':' || !oct_number(p, next - 1, 10, &value)) return OTHER;
  p = next;
  next = word_end(&p, end);
  if (next > p && *p == 'W') { /* a window */
    p = next;
    next = word_end(&p, end);
  }
  if (next > p && *p == 'T') p++;
  if (next == p || !oct_number(p, next, 10, &value) || value > UINT32_MAX) return OTHER;
  i->task = (uint32_t)value;
  p = next;
  for (unsigned k = IFETCH; k <= WRITE && kind == OTHER; k++)
    if (skip_word(&p, end, names[k])) kind = (view_kind)k;
  if (kind == OTHER) {
    take_code(i, p, end, OCT_CODE_MAX);
    return i->n_code ? REST : OTHER;
  }
  next = word_end(&p, end);
  if (next == p || !oct_number(p, next, 10, &value) || value > UINT16_MAX) return DAMAGED;
  i->size = (unsigned)value;
  p = next;
  if (!skip_word(&p, end, "byte(s) @ 0x")) return DAMAGED;
  next = word_end(&p, end);
  if (next == p || !oct_number(p, next, 16, &i->addr)) return DAMAGED;
  p = next;
  if (kind == IFETCH) {
    if (!i->size || i->size > OCT_CODE_MAX) return DAMAGED;
    take_code(i, p, end, i->size);
    return IFETCH;
  }
  if (!skip_word(&p, end, "by PC 0x")) return DAMAGED;
  next = word_end(&p, end);
  return next > p && oct_number(p, next, 16, pc) ? kind : DAMAGED;
}

/* ---- Instructions ---- */

static int add_insn(oct_reader *r, const printed_insn *i, oct_diag *diag) {
  printed *s = r->state;
  oct_map_entry e;
  if (oct_reader_is_full(r, 1)) return 1;
  if (i->addr > UINT32_MAX && r->info.addr_bits == 32)
    return oct_lines_wrong(r, &s->lines, "an address of 32 bits", s->lines.begin, s->lines.end,
                           diag);
  bool is_thumb = s->thumb && (i->addr & 2 || i->size == 2);
  if (i->n_code && i->n_code == i->size) {
    oct_reader_decode(is_thumb ? s->thumb : s->disasm, is_thumb ? OCT_ISA_THUMB : s->isa, i->addr,
                      i->code, i->size, &e);
    int rc = oct_reader_describe(r, &e, diag);
    if (rc) return rc;
  }
  oct_reader_add_insn(r, i->addr, i->size ? i->size : OCT_SIZE_NEXT)->task = i->task;
  return 0;
}

/* Add the instruction that waits for its bytes, with what there is of them. */
static int end_waiting(oct_reader *r, oct_diag *diag) {
  printed *s = r->state;
  int rc = s->is_waiting ? add_insn(r, &s->waiting, diag) : 0;
  if (!rc) s->is_waiting = false;
  return rc;
}

static int parse_perf(oct_reader *r, oct_lines *l, oct_diag *diag) {
  printed_insn i;
  int is = split_perf(l->begin, l->end, &i);
  if (is < 0) oct_reader_lost(r);
  return is > 0 ? add_insn(r, &i, diag) : 0;
}

static int parse_view(oct_reader *r, oct_lines *l, oct_diag *diag) {
  printed *s = r->state;
  printed_insn i;
  uint64_t pc = 0;
  int rc;
  view_kind kind = split_view(l->begin, l->end, &i, &pc);
  if (kind == DAMAGED)
    return oct_lines_wrong(r, l, "'N byte(s) @ 0xADDR', of an access 'by PC 0xADDR'", l->begin,
                           l->end, diag);
  if (kind == REST) {
    printed_insn *w = &s->waiting;
    if (!s->is_waiting || i.task != w->task) return 0;
    if (w->n_code + i.n_code <= w->size) {
      memcpy(w->code + w->n_code, i.code, i.n_code);
      w->n_code += i.n_code;
    }
    return w->n_code == w->size ? end_waiting(r, diag) : 0;
  }
  if ((rc = end_waiting(r, diag)) || kind == OTHER) return rc;
  if (kind == IFETCH) {
    if (!i.n_code || i.n_code == i.size) return add_insn(r, &i, diag);
    s->waiting = i;
    s->is_waiting = true;
    return 0;
  }
  if ((i.addr > UINT32_MAX || pc > UINT32_MAX) && r->info.addr_bits == 32)
    return oct_lines_wrong(r, l, "addresses of 32 bits", l->begin, l->end, diag);
  const oct_insn *last = r->n_insns ? &r->insns[r->n_insns - 1] : NULL;
  if (!last || last->addr != pc || last->task != i.task) {
    /* A filtered trace has no ifetch for it. */
    if (oct_reader_is_full(r, 1)) return 1;
    oct_reader_add_insn(r, pc, OCT_SIZE_JUMPED)->task = i.task;
  }
  return oct_reader_add_access(r, i.addr, oct_access_size(i.size), kind == WRITE, diag);
}

/* ---- The formats ---- */

/* Of the first instructions with bytes: x86 unless all have 4 bytes and such addresses. */
static int guess_isa(const char *p, size_t n, bool is_view) {
  const char *stop = p + n;
  bool has_code = false, is_fixed = true;
  while (p < stop) {
    const char *end = memchr(p, '\n', (size_t)(stop - p));
    const char *mark = memmem(p, (size_t)((end ? end : stop) - p), "<marker: filetype 0x", 20);
    printed_insn i;
    uint64_t value;
    const char *digits = mark ? mark + 20 : NULL;
    const char *close = mark ? memchr(digits, '>', (size_t)(stop - digits)) : NULL;
    if (is_view && close &&
        oct_number(digits, close, 16, &value)) { /* its bits for an architecture */
      if (value & 0x08) return OCT_ISA_AARCH64;
      if (value & 0x10) return OCT_ISA_ARM;
      if (value & 0x60) return value & 0x20 ? OCT_ISA_X86 : OCT_ISA_X86_64;
    }
    const char *line_end = end ? end : stop;
    bool is_insn =
        is_view ? split_view(p, line_end, &i, &value) == IFETCH : split_perf(p, line_end, &i) > 0;
    if (is_insn && i.n_code) {
      has_code = true;
      is_fixed &= i.size == 4 && i.addr % 4 == 0;
    }
    p = end ? end + 1 : stop;
  }
  return has_code && is_fixed ? OCT_ISA_AARCH64 : OCT_ISA_X86_64;
}

static int printed_open(oct_reader *r, oct_diag *diag) {
  const uint8_t *p = NULL;
  oct_diag ignored;
  int rc = oct_lines_open(r, sizeof(printed), diag);
  if (rc) return rc;
  printed *s = r->state;
  const bool is_view = r->format->variant == VIEW;
  int64_t n = oct_input_peek(r->in, OCT_INPUT_PEEK_BYTES, &p, &ignored);
  int isa = r->given_isa >= 0 ? r->given_isa
            : r->program      ? oct_program_isa(r->program)
                              : guess_isa((const char *)p, n > 0 ? (size_t)n : 0, is_view);
  r->info.origin = is_view ? "dynamorio drmemtrace" : "perf script";
  bool is_arm = isa == OCT_ISA_ARM || isa == OCT_ISA_THUMB;
  if (is_arm && !(s->thumb = oct_disasm_new(OCT_ISA_THUMB)))
    return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  s->isa = is_arm ? OCT_ISA_ARM : (oct_isa)isa;
  rc = oct_reader_use_isa(r, s->isa, &s->disasm, diag);
  if (is_arm) r->info.insn_align_bytes = 2;
  return rc;
}

static int printed_fill(oct_reader *r, oct_diag *diag) {
  printed *s = r->state;
  const bool is_view = r->format->variant == VIEW;
  int rc = oct_lines_fill_some(
      r, &s->lines, is_view ? parse_view : parse_perf,
      is_view ? "'RECORD: TID ifetch N byte(s) @ 0xADDR'" : "'COMM TID TIME: IP SYMBOL (FILE)'",
      diag);
  return rc ? rc : end_waiting(r, diag);
}

static void printed_close(oct_reader *r) {
  printed *s = r->state;
  if (!s) return;
  oct_disasm_free(s->disasm);
  oct_disasm_free(s->thumb);
  free(s);
}

static const oct_reader_ops printed_reader = {printed_open, printed_fill, printed_close};

static int perf_kind(const char *p, const char *end) {
  printed_insn i;
  return split_perf(p, end, &i) > 0 ? 1 : -1;
}

static int perf_probe(const uint8_t *p, size_t n, int is_text) {
  return is_text && oct_probe_lines(p, n, perf_kind);
}

static int view_line_kind(const char *p, const char *end) {
  printed_insn i;
  uint64_t pc;
  view_kind kind = split_view(p, end, &i, &pc);
  return kind == IFETCH || kind == READ || kind == WRITE ? 1 : -1;
}

static int view_probe(const uint8_t *p, size_t n, int is_text) {
  return is_text && oct_probe_lines(p, n, view_line_kind);
}

const oct_format_desc oct_perf_script_format = {.name = "perf-script",
                                                .variant = PERF,
                                                .probe = perf_probe,
                                                .reader = &printed_reader,
                                                .addr_bits = 64,
                                                .insn_bytes = 4,
                                                .is_insns_only = 1};
const oct_format_desc oct_view_format = {.name = "drmemtrace-view",
                                         .variant = VIEW,
                                         .probe = view_probe,
                                         .reader = &printed_reader,
                                         .addr_bits = 64,
                                         .insn_bytes = 4};
