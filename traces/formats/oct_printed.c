/* SPDX-License-Identifier: Apache-2.0 */
/* oct_printed.c - readers of traces that their own tools have printed (docs/formats/printed.md):
 *
 * - `perf script --insn-trace`: `COMM TID [CPU] TIME: IP SYMBOL (FILE) insn: BYTES`, or with a
 *   disassembly in place of `insn:` and bytes;
 * - the tool view of DynamoRIO: `RECORD [INSN]: TID ifetch N byte(s) @ 0xADDR BYTES disassembly`,
 *   `... read N byte(s) @ 0xADDR by PC 0xADDR`, and `write`. Bytes for which the line has no room
 *   are on one of their own: the instruction waits for them. Until 2021 it printed `0xADDR BYTES
 *   disassembly`, at last with a thread, `TTID`, in front, and accesses behind their instruction,
 *   `TTID read N byte(s) @ 0xADDR`.
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
  bool is_old;   /* view, until 2021: it has all the bytes that come, on whatever thread */
  uint8_t code[OCT_CODE_MAX + 1];
  unsigned n_code;
} printed_insn;

typedef struct printed {
  oct_lines lines;
  oct_disasm *disasm, *thumb;
  oct_isa isa;          /* of disasm */
  printed_insn waiting; /* for the rest of its bytes */
  bool is_waiting;
  bool has_fetch; /* there was an ifetch */
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

/* Take words of bytes, until there are n_bytes: where they end. Words are as wide as the first one.
 */
static const char *take_code(printed_insn *i, const char *p, const char *end, unsigned n_bytes) {
  size_t width = 0;
  while (i->n_code < n_bytes) {
    uint64_t value;
    const char *next = word_end(&p, end);
    size_t n = (size_t)(next - p);
    if ((n != 2 && n != 4 && n != 8) || (width && n != width) || i->n_code + n / 2 > n_bytes ||
        !oct_number(p, next, 16, &value))
      return p;
    width = n;
    oct_put_le(i->code + i->n_code, value, n / 2);
    i->n_code += (unsigned)n / 2;
    p = next;
  }
  return p;
}

/* ---- Lines ---- */

/* `SECONDS.FRACTION:` */
static bool is_time(const char *p, const char *end) {
  const char *dot = memchr(p, '.', (size_t)(end - p));
  uint64_t value;
  return end - p > 3 && end[-1] == ':' && dot && dot > p && oct_number(p, dot, 10, &value) &&
         end - 2 - dot >= 6 && oct_number(dot + 1, end - 1, 10, &value);
}

/* Step over what -F +flags puts in front of an address: words of letters (`call`, `tr strt`, `hw
 * int`,
 * `(x)`), of which one may be hexadecimal as well. */
static const char *skip_flags(const char *p, const char *end) {
  enum { DIGITS_MIN = 3 };
  const char *first = p;
  uint64_t value;
  for (const char *next; (next = word_end(&p, end)) > p; p = next) {
    if (next - p >= DIGITS_MIN && oct_number(p, next, 16, &value)) return p;
    for (const char *q = p; q < next; q++)
      if (!isalpha((unsigned char)*q) && !strchr("()?/", *q)) return first;
  }
  return first;
}

/* Whether what stands behind the bytes of an instruction is another field of perf, or nothing. */
static bool ends_code(const char *p, const char *end) {
  const char *next = word_end(&p, end);
  return next == p || (next - p > 2 && !isxdigit((unsigned char)*p)) || next[-1] == ':';
}

/* A line of perf script: 1; 0 when it is another line, or one of another event; -1 when the trace
 * has a gap there; -2 when its bytes are damaged. */
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
  }
  p = skip_flags(p, end);
  next = word_end(&p, end);
  if (next == p || (next - p > 2 && p[1] == 'x') || !oct_number(p, next, 16, &i->addr)) return 0;
  for (const char *q = next; (q = memmem(q, (size_t)(end - q), "insn:", 5)); q += 5) insn = q;
  open = memchr(next, '(', (size_t)(end - next));
  if (!insn && (!open || !memchr(open, ')', (size_t)(end - open)))) return 0;
  const char *behind = insn ? take_code(i, insn + 5, end, OCT_CODE_MAX) : end;
  i->size = i->n_code;
  return insn && (!i->n_code || !ends_code(behind, end)) ? -2 : 1;
}

/* What a line of the tool view is. */
typedef enum view_kind { OTHER, IFETCH, READ, WRITE, REST, DAMAGED } view_kind;

/* `0xADDR  BYTES disassembly`, or bytes alone. */
static view_kind split_disassembly(const char *p, const char *end, printed_insn *i) {
  const char *next = word_end(&p, end);
  i->is_old = true;
  if (next - p > 2 && p[0] == '0' && p[1] == 'x') {
    if (!oct_number(p, next, 16, &i->addr)) return OTHER;
    take_code(i, next, end, OCT_CODE_MAX);
    return i->n_code ? IFETCH : OTHER;
  }
  take_code(i, p, end, OCT_CODE_MAX);
  return i->n_code ? REST : OTHER;
}

/* Two digits for each of a few bytes, and nothing else. */
static bool is_bytes(const char *p, const char *end) {
  const char *first = p;
  for (const char *next; (next = word_end(&p, end)) > p; p = next)
    if (next - p != 2 || !isxdigit((unsigned char)p[0]) || !isxdigit((unsigned char)p[1]))
      return false;
  return p > first;
}

/* Of an access, i->addr is its address, i->size its bytes, and *pc the instruction's, NO_PC where
 * that is the one before. */
#define NO_PC UINT64_MAX
/* Where the bytes of an instruction are told whose record has another name with "fetch" in it, as
 * of one more iteration of `rep movs`; or NULL. */
static const char *behind_other_fetch(const char *p, const char *end) {
  const char *mark = memmem(p, (size_t)(end - p), " byte(s) @ 0x", 13);
  if (!mark || memmem(mark, (size_t)(end - mark), " by PC 0x", 9)) return NULL;
  const char *digits = mark;
  while (digits > p && isdigit((unsigned char)digits[-1])) digits--;
  return digits < mark && memmem(p, (size_t)(digits - p), "fetch", 5) ? digits : NULL;
}

/* What stands behind the thread. */
static view_kind split_record(const char *p, const char *end, printed_insn *i, uint64_t *pc) {
  static const char *const names[] = {[IFETCH] = "ifetch ", [READ] = "read ", [WRITE] = "write "};
  view_kind kind = OTHER;
  uint64_t value;
  for (unsigned k = IFETCH; k <= WRITE && kind == OTHER; k++)
    if (skip_word(&p, end, names[k])) kind = (view_kind)k;
  const char *other = kind == OTHER ? behind_other_fetch(p, end) : NULL;
  if (other) {
    kind = IFETCH;
    p = other;
  }
  if (kind == OTHER) {
    if (i->is_old) return split_disassembly(p, end, i);
    take_code(i, p, end, OCT_CODE_MAX);
    return i->n_code ? REST : OTHER;
  }
  const char *next = word_end(&p, end);
  if (next == p || !oct_number(p, next, 10, &value) || value > UINT16_MAX) return DAMAGED;
  i->size = (unsigned)value;
  p = next;
  if (!skip_word(&p, end, "byte(s) @ 0x")) return DAMAGED;
  next = word_end(&p, end);
  if (next == p || !oct_number(p, next, 16, &i->addr)) return DAMAGED;
  p = next;
  if (kind == IFETCH) {
    if (!i->size || i->size > OCT_CODE_MAX) return DAMAGED;
    i->is_old = false;
    take_code(i, p, end, i->size);
    return IFETCH;
  }
  if (!skip_word(&p, end, "by PC 0x")) {
    *pc = NO_PC;
    return i->is_old && word_end(&p, end) == p ? kind : DAMAGED;
  }
  next = word_end(&p, end);
  return next > p && oct_number(p, next, 16, pc) ? kind : DAMAGED;
}

static view_kind split_view(const char *p, const char *end, printed_insn *i, uint64_t *pc) {
  const char *next = word_end(&p, end);
  uint64_t value;
  *i = (printed_insn){0};
  if (next - p > 1 && *p == 'T' && oct_number(p + 1, next, 10, &value) && value <= UINT32_MAX) {
    i->task = (uint32_t)value;
    i->is_old = true;
    return split_record(next, end, i, pc);
  }
  if ((next - p > 2 && p[1] == 'x') || is_bytes(p, end)) return split_disassembly(p, end, i);
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
  return split_record(p, end, i, pc);
}

/* Whether a line of view from RECORD on is at p. */
static int record_kind(const char *p, const char *end) {
  printed_insn i;
  uint64_t pc;
  view_kind kind = split_view(p, end, &i, &pc);
  return (kind == IFETCH && !i.is_old) || kind == READ || kind == WRITE ? 1 : -1;
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
  if (s->waiting.is_old) s->waiting.size = s->waiting.n_code;
  int rc = s->is_waiting ? add_insn(r, &s->waiting, diag) : 0;
  if (!rc) s->is_waiting = false;
  return rc;
}

static int parse_perf(oct_reader *r, oct_lines *l, oct_diag *diag) {
  printed_insn i;
  int is = split_perf(l->begin, l->end, &i);
  if (is == -2)
    return oct_lines_wrong(r, l, "whole bytes of an instruction after 'insn:'", l->begin, l->end,
                           diag);
  if (is < 0) oct_reader_lost(r);
  return is > 0 ? add_insn(r, &i, diag) : 0;
}

static int parse_view(oct_reader *r, oct_lines *l, oct_diag *diag) {
  printed *s = r->state;
  printed_insn i;
  uint64_t pc = 0;
  int rc;
  const char *p = l->begin;
  if (word_end(&p, l->end) == p) return 0; /* bytes may follow behind it */
  view_kind kind = split_view(l->begin, l->end, &i, &pc);
  if (kind == OTHER && memmem(l->begin, (size_t)(l->end - l->begin), "byte(s) @ 0x", 12)) {
    const char *record = oct_lines_behind(l->begin, l->end, record_kind);
    if (record) kind = split_view(record, l->end, &i, &pc);
  }
  /* Another record begins on this line: the end of one was lost. */
  const char *mark = memmem(l->begin, (size_t)(l->end - l->begin), "byte(s) @ 0x", 12);
  if (mark && memmem(mark + 12, (size_t)(l->end - mark - 12), "byte(s) @ 0x", 12)) kind = DAMAGED;
  if (kind == DAMAGED)
    return oct_lines_wrong(r, l, "'N byte(s) @ 0xADDR', of an access 'by PC 0xADDR'", l->begin,
                           l->end, diag);
  if (kind == REST) {
    printed_insn *w = &s->waiting;
    if (!s->is_waiting || (i.task != w->task && !w->is_old)) return 0;
    if (w->n_code + i.n_code <= (w->is_old ? OCT_CODE_MAX : w->size)) {
      memcpy(w->code + w->n_code, i.code, i.n_code);
      w->n_code += i.n_code;
    }
    return w->n_code == w->size && !w->is_old ? end_waiting(r, diag) : 0;
  }
  if ((rc = end_waiting(r, diag)) || kind == OTHER) return rc;
  if (kind == IFETCH) {
    s->has_fetch = true;
    if (!i.is_old && (!i.n_code || i.n_code == i.size)) return add_insn(r, &i, diag);
    s->waiting = i;
    s->is_waiting = true;
    return 0;
  }
  const oct_insn *last = r->n_insns ? &r->insns[r->n_insns - 1] : NULL;
  if (pc == NO_PC) { /* of the instruction before, if it is in the trace */
    if (!last || last->task != i.task) return 0;
    pc = last->addr;
  }
  if ((i.addr > UINT32_MAX || pc > UINT32_MAX) && r->info.addr_bits == 32)
    return oct_lines_wrong(r, l, "addresses of 32 bits", l->begin, l->end, diag);
  if (!last || last->addr != pc || last->task != i.task) {
    /* A filtered trace has no ifetch for it; in another one it was lost. */
    if (s->has_fetch && !r->n_breaks++) r->first_break = r->n_before + r->n_insns;
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
      is_fixed &= (i.is_old ? i.n_code : i.size) == 4 && i.addr % 4 == 0;
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

static const oct_reader_ops printed_reader = {
    .open = printed_open, .fill = printed_fill, .close = printed_close};

static int perf_kind(const char *p, const char *end) {
  printed_insn i;
  return split_perf(p, end, &i) > 0 ? 1 : -1;
}

static int perf_probe(const uint8_t *p, size_t n, int is_text) {
  return is_text && oct_probe_lines(p, n, perf_kind);
}

/* `  0x0123456789abcdef  01 ...`: by less a disassembly is not known for one of view. */
static bool is_bare(const char *p, const char *end) {
  enum { ADDR_BYTES = 18, BYTE_AT = 4 + ADDR_BYTES };
  return end - p > BYTE_AT + 3 && !memcmp(p, "  0x", 4) && !memcmp(p + BYTE_AT - 2, "  ", 2) &&
         isxdigit((unsigned char)p[BYTE_AT]) && p[BYTE_AT + 2] == ' ';
}

static int view_line_kind(const char *p, const char *end) {
  printed_insn i;
  uint64_t pc;
  view_kind kind = split_view(p, end, &i, &pc);
  if (kind == IFETCH && i.is_old && *p != 'T' && !is_bare(p, end)) return -1;
  return kind == IFETCH || kind == READ || kind == WRITE ? 1 : -1;
}

static int view_probe(const uint8_t *p, size_t n, int is_text) {
  return is_text && oct_probe_lines(p, n, view_line_kind);
}

const oct_format_desc oct_perf_script_format = {.name = "perf-script",
                                                .text = "text of perf script --insn-trace",
                                                .is_log = 1,
                                                .variant = PERF,
                                                .probe = perf_probe,
                                                .reader = &printed_reader,
                                                .addr_bits = 64,
                                                .insn_bytes = 4,
                                                .is_insns_only = 1};
const oct_format_desc oct_view_format = {.name = "drmemtrace-view",
                                         .text = "text of DynamoRIO's view tool",
                                         .is_log = 1,
                                         .variant = VIEW,
                                         .probe = view_probe,
                                         .reader = &printed_reader,
                                         .addr_bits = 64,
                                         .insn_bytes = 4};
