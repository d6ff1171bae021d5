/* SPDX-License-Identifier: Apache-2.0 */
/* oct_text.c - plain traces: text lines `pc [da ...]`, with lines of traps between them, and binary
 * (pc, da) pairs (docs/trace-format.md).
 *
 * Text is cut at blanks; the first field is the instruction, the others accesses, a stamp, a task
 * or the instruction's bytes, which are written where they are new for their address. Pairs are
 * little-endian numbers of 32 or 64 bits; a pair whose pc is all ones is one more access of the
 * instruction before. Which width pairs have is told by how much the upper halves of neighbours
 * agree. */
#include "oct_endian.h"
#include "oct_grow.h"
#include "oct_lines.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { OCT_TEXT_ISA_BYTES_MAX = 64 };

/* What the comments before the first instruction tell. */
typedef struct oct_text_head {
  uint32_t said_align_bytes; /* by `# insn_align_bytes`; 0: not told */
  uint32_t align_bytes;      /* that of every instruction, by either comment; 1: none is told */
} oct_text_head;

/* ---- Comments of a text that tell its instruction set and its alignment
 * (docs/trace-format.md).
 *
 * Comments are free, so a line counts only as `# isa NAME` or `# insn_align_bytes N`. One that is
 * spelt almost so, or stands too late, would be passed over; it is refused where it is plainly no
 * prose: it has the name of a known instruction set, or the key with the underlines.
 * ---- */

/* A comment that begins with a key. */
typedef struct said {
  bool is_isa;   /* `isa`; else `insn_align_bytes` */
  bool is_exact; /* as it must be spelt, and with a value */
  const char *value, *end;
} said;

/* Whether the line [p, end), whose first character behind blanks is #, begins with a key. */
static bool says(const char *p, const char *end, said *s) {
  static const char *const keys[] = {"insn_align_bytes", "isa"};
  while (p < end && isspace((unsigned char)*p)) p++;
  for (p++; p < end && (*p == ' ' || *p == '\t');) p++;
  while (end > p && isspace((unsigned char)end[-1])) end--;
  for (int k = 0; k < 2; k++) {
    const size_t n = strlen(keys[k]);
    if ((size_t)(end - p) < n || strncasecmp(p, keys[k], n)) continue;
    const char *q = p + n;
    if (q < end && !isspace((unsigned char)*q) && *q != ':' && *q != '=') continue;
    while (q < end && isspace((unsigned char)*q)) q++;
    const bool has_sign = q < end && (*q == ':' || *q == '=');
    if (has_sign)
      for (q++; q < end && isspace((unsigned char)*q);) q++;
    *s = (said){.is_isa = k == 1,
                .is_exact = !memcmp(p, keys[k], n) && !has_sign && q < end,
                .value = q,
                .end = end};
    if (s->is_isa && end - q > OCT_TEXT_ISA_BYTES_MAX) return false;
    return true;
  }
  return false;
}

/* 1, 2, 4 or 8; 0: the value is another one. */
static uint32_t alignment(const said *s) {
  uint64_t n;
  if (!oct_number(s->value, s->end, 10, &n) || n > 8 || (n & (n - 1))) return 0;
  return (uint32_t)n;
}

static bool is_known_isa(const said *s) {
  char name[OCT_TEXT_ISA_BYTES_MAX + 1];
  const size_t n = (size_t)(s->end - s->value);
  for (size_t i = 0; i < n; i++) name[i] = (char)tolower((unsigned char)s->value[i]);
  name[n] = 0;
  return oct_isa_by_name(name) >= 0 || !strcmp(name, "pisa");
}

/* Before the first line: take them into r's info. 0 or OCT_ERR_NOMEM. */
static int head_take(oct_text_head *h, oct_reader *r, oct_diag *diag) {
  const uint8_t *start;
  oct_diag ignored; /* damage is told when it is reached */
  int64_t n = oct_input_peek(r->in, OCT_INPUT_PEEK_BYTES, &start, &ignored);
  const char *p = (const char *)start, *stop = p + (n > 0 ? n : 0);
  for (const char *next; p < stop; p = next) {
    const char *end = memchr(p, '\n', (size_t)(stop - p)), *first = p;
    said s;
    if (!end) break;
    next = end + 1;
    while (first < end && isspace((unsigned char)*first)) first++;
    if (first == end) continue;
    if (*first != '#') break;
    if (!says(first, end, &s) || !s.is_exact) continue;
    if (!s.is_isa) {
      if (!h->said_align_bytes) h->said_align_bytes = alignment(&s);
    } else if (!r->isa) {
      int rc = oct_reader_keep(r, &r->isa, s.value, (size_t)(s.end - s.value), diag);
      if (rc) return rc;
      r->info.isa = r->isa;
    }
  }
  const int isa = oct_isa_by_name(r->info.isa);
  h->align_bytes = 1;
  if (isa >= 0) {
    const oct_isa_info *set = oct_isa_get((oct_isa)isa);
    h->align_bytes = set->insn_align_bytes;
    if (set->addr_bits == 64) r->info.addr_bits = 64;
  }
  if (h->said_align_bytes) h->align_bytes = h->said_align_bytes;
  r->info.insn_align_bytes = h->align_bytes;
  return 0;
}

/* The current line of r, whose state begins with an oct_lines, is a comment: OCT_ERR_FORMAT where
 * it is plainly meant to tell what it does not. */
static int head_check(const oct_text_head *h, oct_reader *r, oct_diag *diag) {
  const oct_lines *l = r->state;
  const char *expected;
  said s;
  if (!says(l->p, l->end, &s)) return 0;
  const size_t n = (size_t)(s.end - s.value);
  if (s.is_isa) {
    const bool is_taken = r->isa && strlen(r->isa) == n && !memcmp(r->isa, s.value, n);
    if (!is_known_isa(&s) || (s.is_exact && is_taken)) return 0;
    expected = "'# isa NAME' once and before the first instruction, or another comment";
    if (!s.is_exact) expected = "'# isa NAME', or another comment";
  } else {
    if (s.is_exact && alignment(&s) && alignment(&s) == h->said_align_bytes) return 0;
    expected = "'# insn_align_bytes N' once and before the first instruction, or another comment";
    if (!s.is_exact || !alignment(&s))
      expected = "'# insn_align_bytes N', N 1, 2, 4 or 8, or another comment";
  }
  const char *first = l->p;
  while (first < l->end && isspace((unsigned char)*first)) first++;
  return oct_lines_wrong(r, l, expected, first, s.end, diag);
}

/* Fail with OCT_ERR_FORMAT: the address [p, end) is not aligned as the comments tell. */
static int head_refuse(const oct_text_head *h, oct_reader *r, const char *p, const char *end,
                       oct_diag *diag) {
  char expected[192];
  if (h->said_align_bytes)
    snprintf(expected, sizeof expected,
             "a multiple of %" PRIu32
             " bytes, as of the comment '# insn_align_bytes': change it "
             "if it is wrong",
             h->align_bytes);
  else
    snprintf(expected, sizeof expected,
             "a multiple of %" PRIu32
             " bytes, as of the comment '# isa %s': change it if it is "
             "wrong",
             h->align_bytes, r->info.isa);
  return oct_lines_wrong(r, r->state, expected, p, end, diag);
}

/* ---- Text, reading ---- */

typedef struct text {
  oct_lines lines; /* first */
  oct_stamps stamps;
  oct_text_head head;
  oct_disasm_set *disasm; /* once there are bytes */
  bool has_size;          /* the line's instruction */
} text;

/* What a line may have once. */
typedef struct seen {
  bool task, bytes;
} seen;

/* The first field: pc or pc/size. */
static int parse_insn(oct_reader *r, const char *p, const char *end, oct_diag *diag) {
  const char *slash = memchr(p, '/', (size_t)(end - p));
  uint64_t addr = 0, size = OCT_SIZE_DEFAULT;
  int rc = oct_lines_address(r, r->state, p, slash && slash > p ? slash : end, &addr, diag);
  if (rc) return rc;
  if (slash && (!oct_number(slash + 1, end, 10, &size) || size < 1 || size > 15))
    return oct_lines_wrong(r, r->state, "an instruction size of 1 to 15 bytes", slash + 1, end,
                           diag);
  const oct_text_head *head = &((text *)r->state)->head;
  if (addr & (head->align_bytes - 1)) return head_refuse(head, r, p, end, diag);
  ((text *)r->state)->has_size = slash != NULL;
  oct_reader_add_insn(r, addr, (unsigned)size);
  return 0;
}

/* The instruction set of bytes: that named between I and the colon, else the trace's. -1: none. */
static int bytes_isa(const oct_reader *r, const char *p, const char *colon) {
  char name[OCT_TEXT_ISA_BYTES_MAX + 1];
  size_t n = (size_t)(colon - p - 1);
  if (n > OCT_TEXT_ISA_BYTES_MAX) return -1;
  memcpy(name, p + 1, n);
  name[n] = 0;
  if (n) return oct_isa_by_name(name);
  if (r->given_isa >= 0) return r->given_isa;
  int isa = oct_isa_by_name(r->info.isa);
  return isa < 0 && r->program ? oct_program_isa(r->program) : isa;
}

/* Describe the last instruction by its bytes. As oct_reader_describe. */
static int describe(oct_reader *r, oct_map_entry *e, oct_diag *diag) {
  text *t = r->state;
  oct_map_entry decoded;
  uint32_t id = r->described ? oct_map_find(r->described, e->addr) : UINT32_MAX;
  if (id != UINT32_MAX) {
    const oct_map_head *old = oct_map_at(r->described, id);
    if (old->code_isa == e->code_isa && old->size_bytes == e->size_bytes &&
        !memcmp(old->code, e->code, sizeof e->code))
      return 0;
  }
  if (!t->disasm) t->disasm = oct_disasm_set_new();
  int is = t->disasm ? oct_disasm_set_insn(t->disasm, e, &decoded) : OCT_ERR_NOMEM;
  if (is < 0) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  r->n_insns--; /* it is described in front of itself */
  int rc = oct_reader_describe(r, is ? &decoded : e, diag);
  r->n_insns++;
  return rc;
}

/* `I:BYTES`, or `INAME:BYTES` of another instruction set. As oct_reader_describe. */
static int parse_bytes(oct_reader *r, const char *p, const char *colon, const char *end,
                       oct_diag *diag) {
  oct_insn *insn = &r->insns[r->n_insns - 1];
  const text *t = r->state;
  oct_map_entry e = {.addr = insn->addr};
  const char *digits = colon + 1;
  size_t n = (size_t)(end - digits) / 2;
  int isa = bytes_isa(r, p, colon);
  if (isa < 0)
    return oct_lines_wrong(r, r->state,
                           "an instruction set for these bytes: '# isa NAME' in front, --isa, or "
                           "its name between I and the colon",
                           p, end, diag);
  if (!n || n > OCT_CODE_MAX || (end - digits) % 2)
    return oct_lines_wrong(r, r->state, "1 to 15 bytes of two hexadecimal digits each", p, end,
                           diag);
  for (size_t i = 0; i < n; i++) {
    uint64_t byte;
    bool is_hex = isxdigit((unsigned char)digits[2 * i]) != 0;
    if (!is_hex || oct_number(digits + 2 * i, digits + 2 * i + 2, 16, &byte) != 2)
      return oct_lines_wrong(r, r->state, "bytes of two hexadecimal digits each", digits + 2 * i,
                             end, diag);
    e.code[i] = (uint8_t)byte;
  }
  if (t->has_size && n != insn->size_bytes)
    return oct_lines_wrong(r, r->state, "as many bytes as the size after the address", p, end,
                           diag);
  insn->size_bytes = e.size_bytes = (uint8_t)n;
  e.code_isa = (uint8_t)(isa + 1);
  return describe(r, &e, diag);
}

/* n bytes of two hexadecimal digits each; those of a number come with the highest first. */
static bool parse_hex(const char *p, const char *end, bool is_number, uint8_t *bytes, size_t n) {
  uint64_t byte;
  if ((size_t)(end - p) != 2 * n) return false;
  for (size_t i = 0; i < n; i++) {
    const char *digits = p + 2 * i;
    if (!isxdigit((unsigned char)*digits) || oct_number(digits, digits + 2, 16, &byte) != 2)
      return false;
    bytes[is_number ? n - 1 - i : i] = (uint8_t)byte;
  }
  return true;
}

/* The value of the last access, behind its `=`. */
static int parse_value(oct_reader *r, const char *p, const char *end, oct_diag *diag) {
  oct_access *a = &r->accesses[r->n_accesses - 1];
  uint8_t bytes[64];
  if (!a->size_bytes || !parse_hex(p, end, true, bytes, a->size_bytes))
    return oct_lines_wrong(r, r->state,
                           "the value of an access of known size, two hexadecimal digits a byte", p,
                           end, diag);
  return oct_reader_add_value(r, bytes, a->size_bytes, &a->value, diag);
}

/* A field behind it: da, L:da, S:da, L4:da, S4:da, @cycle, T:task or I:bytes. 1: the batch must be
 * handed out first. */
static int parse_field(oct_reader *r, const char *p, const char *end, seen *has, oct_diag *diag) {
  oct_insn *insn = &r->insns[r->n_insns - 1];
  const char *colon = memchr(p, ':', (size_t)(end - p));
  uint64_t value, size = 0;
  int rc, is_store = 0;
  if (*p == '@') {
    if (insn->flags & OCT_INSN_HAS_CYCLE)
      return oct_lines_wrong(r, r->state, "one cycle stamp on a line", p, end, diag);
    if (!oct_number(p + 1, end, 10, &insn->cycle))
      return oct_lines_wrong(r, r->state, "a decimal cycle", p + 1, end, diag);
    insn->flags |= OCT_INSN_HAS_CYCLE;
    return 0;
  }
  if (colon) {
    char letter = (char)(*p & ~32);
    if (letter == 'T' && colon == p + 1) {
      if (!oct_number(colon + 1, end, 10, &value) || value > UINT32_MAX)
        return oct_lines_wrong(r, r->state, "a decimal task number", colon + 1, end, diag);
      if (has->task) return oct_lines_wrong(r, r->state, "one task on a line", p, end, diag);
      insn->task = (uint32_t)value;
      has->task = true;
      return 0;
    }
    if (letter == 'I') {
      if (has->bytes)
        return oct_lines_wrong(r, r->state, "an instruction's bytes once", p, end, diag);
      has->bytes = true;
      return parse_bytes(r, p, colon, end, diag);
    }
    if ((letter != 'L' && letter != 'S') ||
        (colon > p + 1 &&
         (!oct_number(p + 1, colon, 10, &size) || size > 64 || !size || (size & (size - 1)))))
      return oct_lines_wrong(
          r, r->state, "L:, S: or L, S with a size that is a power of two up to 64", p, end, diag);
    is_store = letter == 'S';
    r->tells_kinds = true;
    p = colon + 1;
  }
  const char *equals = memchr(p, '=', (size_t)(end - p));
  if ((rc = oct_lines_address(r, r->state, p, equals ? equals : end, &value, diag)) ||
      (rc = oct_reader_add_access(r, value, (unsigned)size, is_store, diag)))
    return rc;
  return equals ? parse_value(r, equals + 1, end, diag) : 0;
}

/* A field of a trap: A:addr, V:tval or P:privilege, those that its kind has. */
static int parse_trap_field(oct_reader *r, const char *p, const char *end, oct_trap *t,
                            unsigned *seen, oct_diag *diag) {
  static const char *const fields_of[OCT_TRAP_KINDS] = {"AVP", "AP", "P"};
  uint64_t value;
  char letter = (char)(*p & ~32);
  if (end - p < 3 || p[1] != ':' || !strchr(fields_of[t->kind], letter))
    return oct_lines_wrong(r, r->state, "A:address, V:value or P:privilege of a trap", p, end,
                           diag);
  const unsigned bit = 1u << (letter - 'A');
  if (*seen & bit)
    return oct_lines_wrong(r, r->state, "each of A:, V: and P: of a trap once", p, end, diag);
  *seen |= bit;
  if (letter == 'P') {
    if (!oct_number(p + 2, end, 10, &value) || value > OCT_PRIVILEGE_MAX)
      return oct_lines_wrong(r, r->state, "a privilege of 0 to 6", p + 2, end, diag);
    t->privilege = (uint8_t)value;
    return 0;
  }
  return oct_lines_address(r, r->state, p + 2, end, letter == 'A' ? &t->addr : &t->tval, diag);
}

/* `!exception CAUSE`, `!interrupt CAUSE` or `!privilege`, and fields. */
static int parse_trap(oct_reader *r, oct_lines *l, oct_diag *diag) {
  static const char *const kinds[OCT_TRAP_KINDS] = {"!exception", "!interrupt", "!privilege"};
  oct_trap t = {.kind = OCT_TRAP_KINDS, .privilege = OCT_PRIVILEGE_UNKNOWN};
  const char *p = l->begin, *end = l->begin;
  uint64_t cause = 0;
  unsigned seen = 0; /* fields, a bit a letter */
  oct_lines_field(l, NULL, &p, &end);
  for (unsigned k = 0; k < OCT_TRAP_KINDS; k++)
    if (oct_is_word(p, end, kinds[k])) t.kind = (uint8_t)k;
  if (t.kind == OCT_TRAP_KINDS)
    return oct_lines_wrong(r, l, "!exception, !interrupt or !privilege", p, end, diag);
  if (t.kind != OCT_TRAP_PRIVILEGE) {
    p = end;
    if (!oct_lines_field(l, NULL, &p, &end) || !oct_number(p, end, 10, &cause) ||
        cause > UINT32_MAX)
      return oct_lines_wrong(r, l, "the decimal cause of a trap", p, end, diag);
    t.cause = (uint32_t)cause;
  }
  while (oct_lines_field(l, NULL, &p, &end)) {
    int rc = parse_trap_field(r, p, end, &t, &seen, diag);
    if (rc) return rc;
  }
  return oct_reader_add_trap(r, &t, diag);
}

/* The register that a field names, by name or number; *bytes is its size, 0 when only the value
 * tells. */
static int register_of(const oct_reader *r, const char *p, const char *end, unsigned *bytes) {
  char name[OCT_REGISTER_NAME_BYTES] = "";
  const int isa = r->given_isa >= 0 ? r->given_isa : oct_isa_by_name(r->info.isa);
  uint64_t number;
  *bytes = 0;
  if (end > p && end - p < OCT_REGISTER_NAME_BYTES) memcpy(name, p, (size_t)(end - p));
  if (oct_number(p, end, 10, &number)) return number < OCT_REGISTERS_MAX ? (int)number : -1;
  if (isa < 0) return -1;
  int found = oct_isa_register_by_name((oct_isa)isa, name);
  if (found >= 0) *bytes = oct_isa_register_bytes((oct_isa)isa, (unsigned)found);
  return found;
}

/* `!register NAME=VALUE`. */
static int parse_register(oct_reader *r, oct_lines *l, const char *p, const char *end,
                          oct_diag *diag) {
  const char *equals = memchr(p, '=', (size_t)(end - p));
  uint8_t bytes[OCT_FACT_REGISTER_MAX];
  unsigned n = 0;
  int number = equals ? register_of(r, p, equals, &n) : -1;
  if (number < 0)
    return oct_lines_wrong(r, l, "NAME=VALUE of a register of the instruction set, or its number",
                           p, end, diag);
  const size_t told = (size_t)(end - equals - 1) / 2;
  if (!told || told > sizeof bytes || (n && told != n) ||
      !parse_hex(equals + 1, end, true, bytes, told))
    return oct_lines_wrong(r, l, "the register's value, two hexadecimal digits a byte", equals + 1,
                           end, diag);
  const oct_fact f = {
      .kind = OCT_FACT_REGISTER, .number = (uint16_t)number, .n_bytes = (uint32_t)told};
  return oct_reader_add_fact(r, &f, bytes, diag);
}

/* `!memory ADDRESS BYTES`, or `!memory ADDRESS =VALUE`. */
static int parse_memory(oct_reader *r, oct_lines *l, const char *p, const char *end,
                        oct_diag *diag) {
  oct_fact f = {.kind = OCT_FACT_MEMORY};
  uint64_t n = 0;
  int rc = oct_lines_address(r, l, p, end, &f.addr, diag);
  if (rc) return rc;
  p = end;
  const bool has_more = oct_lines_field(l, NULL, &p, &end);
  const bool has_value = has_more && *p == '=';
  if (has_value) n = (uint64_t)(end - p - 1) / 2;
  if (!has_more || (!has_value && !oct_number(p, end, 10, &n)) || !n || n > UINT32_MAX)
    return oct_lines_wrong(r, l, "a decimal number of bytes, or = and the bytes", p, end, diag);
  f.n_bytes = (uint32_t)n;
  if (!has_value) return oct_reader_add_fact(r, &f, NULL, diag);
  uint8_t *bytes = malloc(n);
  if (!bytes) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  rc = parse_hex(p + 1, end, false, bytes, n)
           ? oct_reader_add_fact(r, &f, bytes, diag)
           : oct_lines_wrong(r, l, "bytes of two hexadecimal digits each", p + 1, end, diag);
  free(bytes);
  return rc;
}

/* The rest of `!gap CAUSE [A:addr] [I:insns] [D:accesses]`. */
static int parse_gap(oct_reader *r, oct_lines *l, const char *p, const char *end, oct_diag *diag) {
  uint64_t addr = 0, lost[2] = {UINT64_MAX, UINT64_MAX};
  unsigned cause = 0;
  while (cause < OCT_GAP_CAUSES && !oct_is_word(p, end, oct_gap_cause_name(cause))) cause++;
  if (cause == OCT_GAP_CAUSES)
    return oct_lines_wrong(r, l, "overflow, lost, no-image, beginning or damage", p, end, diag);
  for (p = end; oct_lines_field(l, NULL, &p, &end); p = end) {
    const bool has_number = end - p > 2 && p[1] == ':';
    if (has_number && *p == 'A' && cause == OCT_GAP_NO_IMAGE) {
      int rc = oct_lines_address(r, l, p + 2, end, &addr, diag);
      if (rc) return rc;
    } else if (!has_number || (*p != 'I' && *p != 'D') ||
               !oct_number(p + 2, end, 10, &lost[*p == 'D'])) {
      return oct_lines_wrong(r, l, "A:addr of no-image, I:instructions or D:accesses", p, end,
                             diag);
    }
  }
  return oct_reader_add_gap(r, (oct_gap_cause)cause, addr, lost, diag);
}

/* A line that begins with `!`. */
static int parse_mark(oct_reader *r, oct_lines *l, oct_diag *diag) {
  const char *p = l->begin, *end = l->begin;
  oct_lines_field(l, NULL, &p, &end);
  const bool is_register = oct_is_word(p, end, "!register"), is_gap = oct_is_word(p, end, "!gap");
  if (!is_register && !is_gap && !oct_is_word(p, end, "!memory")) {
    l->p = l->begin;
    return parse_trap(r, l, diag);
  }
  p = end;
  if (!oct_lines_field(l, NULL, &p, &end))
    return oct_lines_wrong(r, l,
                           is_register ? "NAME=VALUE"
                           : is_gap    ? "the cause of a gap"
                                       : "an address",
                           p, end, diag);
  if (is_gap) return parse_gap(r, l, p, end, diag);
  int rc = is_register ? parse_register(r, l, p, end, diag) : parse_memory(r, l, p, end, diag);
  p = end;
  if (!rc && oct_lines_field(l, NULL, &p, &end))
    return oct_lines_wrong(r, l, "the end of the line", p, end, diag);
  return rc;
}

static int text_open(oct_reader *r, oct_diag *diag) {
  if (r->options->params)
    return oct_fail(diag, OCT_ERR_ARG, "the format text takes no parameters to read it; found '%s'",
                    r->options->params);
  int error = oct_lines_open(r, sizeof(text), diag);
  if (error) return error;
  text *t = r->state;
  t->lines.takes_long = 1;
  return head_take(&t->head, r, diag);
}

/* Whether the stamp of the line, if it has one, may follow those before. */
static int check_stamp(oct_reader *r, oct_lines *l, oct_diag *diag) {
  const oct_insn *insn = &r->insns[r->n_insns - 1];
  oct_stamps *stamps = &((text *)r->state)->stamps;
  char expected[128];
  oct_stamps_insn(stamps, insn->task);
  if (!(insn->flags & OCT_INSN_HAS_CYCLE) || !oct_stamps_cycle(stamps, insn->cycle)) return 0;
  snprintf(expected, sizeof expected,
           "a cycle stamp of @%" PRIu64 " or later, as the line before it has the same task",
           stamps->cycle);
  const char *at = memchr(l->begin, '@', (size_t)(l->end - l->begin)), *end = at;
  while (end < l->end && !isspace((unsigned char)*end)) end++;
  return oct_lines_wrong(r, l, expected, at, end, diag);
}

/* Text that is of no other format is taken for this one, which its first line may disprove. */
static void tell_guess(oct_diag *diag) {
  size_t n = strlen(diag->text);
  snprintf(diag->text + n, sizeof diag->text - n,
           " (octrace list formats lists those that can be read)");
}

/* One line. An instruction that turns out wrong leaves the batch as it was. */
static int parse_line(oct_reader *r, oct_lines *l, oct_diag *diag) {
  size_t n_insns = r->n_insns, n_accesses = r->n_accesses;
  const char *p, *end, *comment = memchr(l->p, '#', (size_t)(l->end - l->p));
  seen has = {false, false};
  int rc = 0;
  if (oct_reader_is_full(r, 1)) return 1;
  const char *first = l->p;
  while (first < l->end && isspace((unsigned char)*first)) first++;
  if (comment && comment == first) return head_check(&((text *)r->state)->head, r, diag);
  if (comment) l->end = comment;
  if (first < l->end && *first == '!') return parse_mark(r, l, diag);
  while (!rc) {
    if (!oct_lines_field(l, NULL, &p, &end)) {
      if (r->n_insns == n_insns || !(rc = check_stamp(r, l, diag))) return 0;
      break;
    }
    rc = r->n_insns == n_insns ? parse_insn(r, p, end, diag) : parse_field(r, p, end, &has, diag);
  }
  r->n_insns = n_insns;
  r->n_accesses = n_accesses;
  const text *t = r->state;
  const bool is_told = r->isa || t->head.said_align_bytes; /* by its comments */
  if (rc == OCT_ERR_FORMAT && r->is_guessed && !is_told && !n_insns && !l->taken) tell_guess(diag);
  return rc;
}

static int text_fill(oct_reader *r, oct_diag *diag) {
  const text *t = r->state;
  int rc = oct_lines_fill(r, r->state, parse_line, diag);
  const bool is_told = r->isa || t->head.said_align_bytes;
  if (rc || t->lines.taken || r->n_traps || r->n_facts || !r->is_guessed || is_told) return rc;
  rc = oct_lines_none(r, &t->lines, "an instruction 'PC [L:ADDRESS] [S:ADDRESS]'", diag);
  tell_guess(diag);
  return rc;
}

static void text_close(oct_reader *r) {
  text *t = r->state;
  if (t) oct_disasm_set_free(t->disasm);
  oct_lines_close(r);
}

static const oct_reader_ops text_reader = {
    .open = text_open, .fill = text_fill, .close = text_close};

/* ---- Binary pairs, reading ---- */

static uint64_t none_of(size_t width_bytes) {
  return width_bytes == 4 ? UINT32_MAX : UINT64_MAX;
}

static int parse_pair(oct_reader *r, const uint8_t *p, oct_diag *diag) {
  size_t width = r->format->variant;
  uint64_t none = none_of(width), pc = oct_get_le(p, width), da = oct_get_le(p + width, width);
  if (pc == none) {
    if (r->n_insns == 0 || da == none)
      return oct_record_wrong(r, "an instruction address, not all ones", pc, diag);
  } else {
    if (oct_reader_is_full(r, 1)) return 1;
    oct_reader_add_insn(r, pc, OCT_SIZE_DEFAULT);
  }
  return da != none ? oct_reader_add_access(r, da, 0, 0, diag) : 0;
}

static int bin_fill(oct_reader *r, oct_diag *diag) {
  return oct_records_fill(r, 2u * r->format->variant, parse_pair, diag);
}

static const oct_reader_ops bin_reader = {.fill = bin_fill};

/* ---- Writing ---- */

/* Whether a reader finds all of the name again (above). */
static bool is_one_line(const char *name) {
  size_t n = strlen(name);
  for (const char *p = name; *p; p++)
    if ((unsigned char)*p < ' ' || *p == 127) return false;
  return n && n <= OCT_TEXT_ISA_BYTES_MAX && !strchr(" :=", name[0]) && name[n - 1] != ' ';
}

/* What a text is written by. info may be gone after open. */
typedef struct text_out {
  int digits; /* of an address */
  int isa;    /* the trace's, or -1 */
  bool has_bytes;
  oct_map *map;    /* the instructions whose bytes are known, */
  uint8_t *is_new; /* and, by number, whether they are to be written */
  size_t room;
} text_out;

static int text_open_write(oct_writer *w, oct_diag *diag) {
  static const char head[] = "# pc[/size_bytes] [L|S[size_bytes]:da ...] [@cycle] [T:task]",
                    bytes[] = " [I:bytes]\n";
  const oct_trace_info *info = w->options.info;
  const uint32_t align = info->insn_align_bytes;
  const bool has_isa = is_one_line(info->isa) && strcmp(info->isa, "unknown") != 0;
  char line[64];
  const char *params = w->options.params;
  if (params && strcmp(params, "bytes=0") && strcmp(params, "bytes=1"))
    return oct_fail(diag, OCT_ERR_ARG, "text: expected bytes=0 or bytes=1; found '%s'", params);
  text_out *s = w->state = calloc(1, sizeof *s);
  if (!s) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  s->digits = info->addr_bits == 64 ? 16 : 8;
  s->isa = has_isa ? oct_isa_by_name(info->isa) : -1;
  s->has_bytes = params && params[6] == '1';
  int rc = oct_outfile_write(w->file, head, sizeof head - 1, diag);
  if (!rc)
    rc = oct_outfile_write(w->file, s->has_bytes ? bytes : "\n",
                           s->has_bytes ? sizeof bytes - 1 : 1, diag);
  if (!rc && has_isa && !(rc = oct_outfile_write(w->file, "# isa ", 6, diag)) &&
      !(rc = oct_outfile_write(w->file, info->isa, strlen(info->isa), diag)))
    rc = oct_outfile_write(w->file, "\n", 1, diag);
  if (rc || (!has_isa && align < 2) || !align || align > 8 || (align & (align - 1))) return rc;
  w->rules.insn_align_bytes = align;
  snprintf(line, sizeof line, "# insn_align_bytes %" PRIu32 "\n", align);
  return oct_outfile_write(w->file, line, strlen(line), diag);
}

static int put_trap(oct_writer *w, const oct_trap *t, int digits, oct_diag *diag) {
  static const char *const kinds[OCT_TRAP_KINDS] = {"exception", "interrupt", "privilege"};
  char line[128];
  int n = snprintf(line, sizeof line, "!%s", kinds[t->kind]);
  if (t->kind != OCT_TRAP_PRIVILEGE)
    n += snprintf(line + n, sizeof line - (size_t)n, " %" PRIu32 " A:%0*" PRIx64, t->cause, digits,
                  t->addr);
  if (t->kind == OCT_TRAP_EXCEPTION)
    n += snprintf(line + n, sizeof line - (size_t)n, " V:%0*" PRIx64, digits, t->tval);
  if (t->privilege != OCT_PRIVILEGE_UNKNOWN)
    n += snprintf(line + n, sizeof line - (size_t)n, " P:%u", t->privilege);
  line[n++] = '\n';
  return oct_outfile_write(w->file, line, (size_t)n, diag);
}

/* n bytes in hexadecimal; of a number the highest first. */
static int hex(char *out, const uint8_t *bytes, size_t n, bool is_number) {
  static const char digits[] = "0123456789abcdef";
  for (size_t i = 0; i < n; i++) {
    const uint8_t byte = bytes[is_number ? n - 1 - i : i];
    out[2 * i] = digits[byte >> 4];
    out[2 * i + 1] = digits[byte & 15];
  }
  out[2 * n] = 0;
  return (int)(2 * n);
}

static int put_fact(oct_writer *w, const oct_batch *b, const oct_fact *f, oct_diag *diag) {
  const text_out *s = w->state;
  const uint8_t *bytes = oct_value_of(b, f->value);
  char line[64 + 2 * OCT_FACT_REGISTER_MAX], name[OCT_REGISTER_NAME_BYTES] = "";
  int n, rc;
  if (f->kind == OCT_FACT_REGISTER) {
    if (s->isa >= 0 && oct_isa_register_bytes((oct_isa)s->isa, f->number) == f->n_bytes)
      oct_isa_register_name((oct_isa)s->isa, f->number, name);
    if (!*name) snprintf(name, sizeof name, "%u", f->number);
    n = snprintf(line, sizeof line, "!register %s=", name);
    n += hex(line + n, bytes, f->n_bytes, true);
    line[n++] = '\n';
    return oct_outfile_write(w->file, line, (size_t)n, diag);
  }
  if (f->kind == OCT_FACT_GAP) {
    n = snprintf(line, sizeof line, "!gap %s", oct_gap_cause_name(f->number));
    if (f->number == OCT_GAP_NO_IMAGE)
      n += snprintf(line + n, sizeof line - (size_t)n, " A:%0*" PRIx64, s->digits, f->addr);
    for (int i = 0; bytes && i < 2; i++) {
      const uint64_t lost = oct_get_u64(bytes + 8 * i);
      if (lost != UINT64_MAX)
        n += snprintf(line + n, sizeof line - (size_t)n, " %c:%" PRIu64, "ID"[i], lost);
    }
    line[n++] = '\n';
    return oct_outfile_write(w->file, line, (size_t)n, diag);
  }
  n = snprintf(line, sizeof line, "!memory %0*" PRIx64 " ", s->digits, f->addr);
  if (!bytes) {
    n += snprintf(line + n, sizeof line - (size_t)n, "%" PRIu32 "\n", f->n_bytes);
    return oct_outfile_write(w->file, line, (size_t)n, diag);
  }
  line[n++] = '=';
  rc = oct_outfile_write(w->file, line, (size_t)n, diag);
  for (uint32_t i = 0, k; !rc && i < f->n_bytes; i += k) {
    k = f->n_bytes - i < OCT_FACT_REGISTER_MAX ? f->n_bytes - i : OCT_FACT_REGISTER_MAX;
    n = hex(line, bytes + i, k, false);
    rc = oct_outfile_write(w->file, line, (size_t)n, diag);
  }
  return rc ? rc : oct_outfile_write(w->file, "\n", 1, diag);
}

/* Remember the bytes that a batch tells. */
static int take_map(oct_writer *w, const oct_batch *batch, oct_diag *diag) {
  text_out *s = w->state;
  for (size_t i = 0; i < batch->n_map; i++) {
    const oct_map_entry *e = &batch->map[i];
    if (!e->code_isa) continue;
    if (!s->map) s->map = oct_map_new();
    int64_t id = s->map ? oct_map_put(s->map, e) : OCT_ERR_NOMEM;
    uint8_t *p = id < 0 ? NULL : oct_grown(s->is_new, &s->room, (size_t)id + 1, 1);
    if (!p) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
    s->is_new = p;
    s->is_new[id] = 1;
  }
  return 0;
}

/* The field of an instruction's bytes, if they are new. Its length. */
static int put_bytes(text_out *s, const oct_insn *insn, char *field, size_t room) {
  uint32_t id = s->map ? oct_map_find(s->map, insn->addr) : UINT32_MAX;
  if (id == UINT32_MAX || !s->is_new[id]) return 0;
  const oct_map_head *e = oct_map_at(s->map, id);
  if (e->size_bytes != insn->size_bytes) return 0;
  int isa = e->code_isa - 1;
  int n = snprintf(field, room, " I%s:", isa == s->isa ? "" : oct_isa_get((oct_isa)isa)->name);
  for (unsigned i = 0; i < e->size_bytes; i++)
    n += snprintf(field + n, room - (size_t)n, "%02x", e->code[i]);
  s->is_new[id] = 0;
  return n;
}

static int text_put(oct_writer *w, const oct_batch *batch, oct_diag *diag) {
  text_out *s = w->state;
  int digits = s->digits, rc = s->has_bytes ? take_map(w, batch, diag) : 0;
  const oct_access *a = batch->accesses;
  size_t t = 0, f = 0;
  for (size_t i = 0; !rc && i < batch->n_insns; i++) {
    const oct_insn *insn = &batch->insns[i];
    char field[320];
    for (; !rc && t < batch->n_traps && batch->traps[t].insn == i; t++)
      rc = put_trap(w, &batch->traps[t], digits, diag);
    for (; !rc && f < batch->n_facts && batch->facts[f].insn == i; f++)
      rc = put_fact(w, batch, &batch->facts[f], diag);
    int n = snprintf(field, sizeof field, "%0*" PRIx64, digits, insn->addr);
    if (insn->size_bytes != 4)
      n += snprintf(field + n, sizeof field - (size_t)n, "/%u", insn->size_bytes);
    for (unsigned k = 0; !rc && k < insn->n_access; k++, a++) {
      rc = oct_outfile_write(w->file, field, (size_t)n, diag);
      n = snprintf(field, sizeof field, a->is_store ? " S" : " L");
      if (a->size_bytes) n += snprintf(field + n, sizeof field - (size_t)n, "%u", a->size_bytes);
      n += snprintf(field + n, sizeof field - (size_t)n, ":%0*" PRIx64, digits, a->addr);
      const uint8_t *value = batch->values ? oct_value_of(batch, a->value) : NULL;
      if (value) field[n++] = '=';
      if (value) n += hex(field + n, value, a->size_bytes, true);
    }
    if (insn->flags & OCT_INSN_HAS_CYCLE)
      n += snprintf(field + n, sizeof field - (size_t)n, " @%" PRIu64, insn->cycle);
    if (insn->task) n += snprintf(field + n, sizeof field - (size_t)n, " T:%" PRIu32, insn->task);
    if (s->has_bytes) n += put_bytes(s, insn, field + n, sizeof field - (size_t)n);
    field[n++] = '\n';
    if (!rc) rc = oct_outfile_write(w->file, field, (size_t)n, diag);
  }
  for (; !rc && t < batch->n_traps; t++) rc = put_trap(w, &batch->traps[t], digits, diag);
  for (; !rc && f < batch->n_facts; f++) rc = put_fact(w, batch, &batch->facts[f], diag);
  return rc;
}

static void text_close_write(oct_writer *w) {
  text_out *s = w->state;
  if (!s) return;
  oct_map_free(s->map);
  free(s->is_new);
  free(s);
}

static const oct_writer_ops text_writer = {
    .open = text_open_write, .put = text_put, .close = text_close_write};

static int bin_pair(oct_writer *w, uint64_t pc, uint64_t da, oct_diag *diag) {
  uint8_t pair[16];
  const size_t width = w->format->variant == 8 ? 8 : 4;
  for (size_t i = 0; i < width; i++) {
    pair[i] = (uint8_t)(pc >> (8 * i));
    pair[width + i] = (uint8_t)(da >> (8 * i));
  }
  return oct_outfile_write(w->file, pair, 2 * width, diag);
}

static int bin_put(oct_writer *w, const oct_batch *batch, oct_diag *diag) {
  uint64_t none = none_of(w->format->variant);
  const oct_access *a = batch->accesses;
  int rc = 0;
  for (size_t i = 0; !rc && i < batch->n_insns; i++) {
    const oct_insn *insn = &batch->insns[i];
    uint64_t pc = insn->addr;
    unsigned k = 0;
    do {
      uint64_t da = insn->n_access ? a->addr : none;
      /* All ones is the mark for "none". */
      if (insn->addr >= none || (insn->n_access && da >= none))
        return oct_fail(diag, OCT_ERR_LIMIT, "address 0x%" PRIx64 " does not fit into %s",
                        insn->addr >= none ? insn->addr : da, oct_format_name(w->options.format));
      rc = bin_pair(w, pc, da, diag);
      pc = none;
      a += insn->n_access != 0;
    } while (!rc && ++k < insn->n_access);
  }
  return rc;
}

static const oct_writer_ops bin_writer = {.put = bin_put};

/* ---- Recognition ---- */

static int text_probe(const uint8_t *p, size_t n, int is_text) {
  (void)p, (void)n;
  return is_text;
}

/* Pairs of so many bits have no mark, and nearly any file could be some. Those of a program are:
 * most instructions stand up to 16 bytes behind the one before, none at address 0, and some make
 * no access. */
static int is_program(const uint8_t *p, size_t n, unsigned bits) {
  enum { STEP_MAX = 16 };
  const unsigned word = bits / 8;
  const uint64_t none = UINT64_MAX >> (64 - bits);
  uint64_t before = 0;
  size_t n_insns = 0, n_steps = 0, n_bare = 0;
  for (size_t i = 0; i + 2 * word <= n; i += 2 * word) {
    uint64_t pc = oct_get_le(p + i, word);
    if (pc == none && n_insns) continue; /* one more access */
    if (!pc || pc == none) return 0;
    n_steps += n_insns && pc - before <= STEP_MAX;
    n_bare += oct_get_le(p + i + word, word) == none;
    before = pc;
    n_insns++;
  }
  return n_bare && n_insns > 1 && n_steps * 2 >= n_insns - 1;
}

/* No instruction address uses the upper 16 of 64 bits. */
static int bin64_probe(const uint8_t *p, size_t n, int is_text) {
  for (size_t i = 0; i + 16 <= n; i += 16)
    if ((p[i + 6] || p[i + 7]) && memcmp(p + i, "\xff\xff\xff\xff\xff\xff\xff\xff", 8)) return 0;
  return !is_text && is_program(p, n, 64);
}

static int bin32_probe(const uint8_t *p, size_t n, int is_text) {
  return !is_text && is_program(p, n, 32);
}

const oct_format_desc oct_text_format = {
    .name = "text",
    .text = "octrace's text: lines of addresses, accesses and bytes",
    .lacks_kinds = 1,
    .takes_numbers = 1,
    .says_isa = 1,
    .takes_params = 1,
    .keeps_traps = 1,
    .keeps_values = 1,
    .keeps_gaps = 1,
    .probe = text_probe,
    .reader = &text_reader,
    .writer = &text_writer,
    .writes_text = 1,
    .addr_bits = 32,
    .insn_bytes = 4};
const oct_format_desc oct_bin32_format = {
    .name = "bin32",
    .text = "pairs of an instruction and a data address, 32 bits each",
    .lacks_kinds = 1,
    .variant = 4,
    .takes_numbers = 1,
    .is_guess = 1,
    .probe = bin32_probe,
    .reader = &bin_reader,
    .writer = &bin_writer,
    .addr_bits = 32,
    .insn_bytes = 4};
const oct_format_desc oct_bin64_format = {
    .name = "bin64",
    .text = "pairs of an instruction and a data address, 64 bits each",
    .lacks_kinds = 1,
    .variant = 8,
    .takes_numbers = 1,
    .is_guess = 1,
    .probe = bin64_probe,
    .reader = &bin_reader,
    .writer = &bin_writer,
    .addr_bits = 64,
    .insn_bytes = 4};
