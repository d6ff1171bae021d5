/* SPDX-License-Identifier: Apache-2.0 */
/* oct_simplescalar.c - reader of the listing that SimpleScalar's `sim-safe -v` prints (PISA).
 *
 * A line of trace is `N [xor: 0xXXXXXXXX] @ 0xPC: mnemonic operands  mem: 0xADDR`. Anything else is
 * banner or output of the traced program, also in front of a trace line. */
#include "oct_map.h"
#include "oct_reader_format.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { INSN_BYTES = 8 };
static const char mark[] = "[xor: 0x";

typedef struct simplescalar {
  oct_map *map; /* what was handed out */
  uint64_t line;
  const char *text; /* a line read but not used, or NULL */
  size_t length;
} simplescalar;

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
static const char *hex8(const char *p, const char *end, uint32_t *value) {
  uint32_t v = 0;
  if (end - p < 8) return NULL;
  for (int i = 0; i < 8; i++) {
    unsigned c = (unsigned char)p[i] | 32;
    if (c >= '0' && c <= '9')
      v = v << 4 | (c - '0');
    else if (c >= 'a' && c <= 'f')
      v = v << 4 | (c - 'a' + 10);
    else
      return NULL;
  }
  *value = v;
  return p + 8;
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
  for (last += 2; last < end && isxdigit((unsigned char)*last); last++) {
    unsigned c = (unsigned char)*last | 32;
    v = v << 4 | (c <= '9' ? c - '0' : c - 'a' + 10);
  }
  return v & UINT32_MAX;
}

/* What the mnemonic and operands say. */
static oct_map_entry describe(uint32_t pc, const char *name, size_t n_name, const char *operands,
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
  return e;
}

/* Parse the trace text from its mark on. 1 when taken, 2 when the batch must be handed out first
 * because the program was changed, or an error. */
static int parse(oct_reader *r, const char *p, const char *end, oct_diag *diag) {
  simplescalar *s = r->state;
  const char *begin = p, *name, *operands, *stop, *mem;
  uint32_t xor_value, pc, addr = 0, id;
  oct_map_entry e;
  int rc;
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
  id = oct_map_find(s->map, pc);
  if (id == UINT32_MAX || memcmp(oct_map_at(s->map, id), &e, sizeof e)) {
    if (id != UINT32_MAX && r->n_insns) return 2;
    if (oct_map_put(s->map, &e) < 0)
      return oct_fail(diag, OCT_ERR_NOMEM, "%s: out of memory", oct_input_name(r->in));
    if ((rc = oct_reader_add_map(r, &e, diag))) return rc;
  }
  oct_reader_add_insn(r, pc, INSN_BYTES);
  if (mem) {
    unsigned log2_size = e.slots[0] & OCT_SLOT_SIZE_MASK;
    rc = oct_reader_add_access(r, addr, log2_size == 7 ? 0 : 1u << log2_size,
                               e.slots[0] & OCT_SLOT_STORE, diag);
    return rc ? rc : 1;
  }
  return 1;
bad:
  return oct_fail(
      diag, OCT_ERR_FORMAT, "%s:%" PRIu64 ": expected a trace line of sim-safe -v, found '%.*s'",
      oct_input_name(r->in), s->line, (int)(end - begin < 60 ? end - begin : 60), begin);
}

static int keep(oct_reader *r, char **copy, const char *p, size_t n, oct_diag *diag) {
  free(*copy);
  *copy = strndup(p, n);
  return *copy ? 0 : oct_fail(diag, OCT_ERR_NOMEM, "%s: out of memory", oct_input_name(r->in));
}

/* Read the banner, up to the first line of trace. */
static int simplescalar_open(oct_reader *r, oct_diag *diag) {
  static const char command[] = "sim: command line: ";
  simplescalar *s = calloc(1, sizeof *s);
  int rc = 0;
  r->state = s;
  if (!s || !(s->map = oct_map_new()))
    return oct_fail(diag, OCT_ERR_NOMEM, "%s: out of memory", oct_input_name(r->in));
  r->info.isa = "pisa";
  r->info.addr_bits = 32;
  r->info.insn_align_bytes = r->info.default_insn_bytes = INSN_BYTES;
  while (!rc && (rc = oct_input_line(r->in, &s->text, &s->length, diag)) == 1) {
    const char *p = s->text;
    s->line++;
    if (find_mark(p, s->length)) break;
    rc = 0;
    if (memmem(p, s->length, "SimpleScalar/Alpha", 18))
      return oct_fail(diag, OCT_ERR_UNSUPPORTED,
                      "%s:%" PRIu64 ": expected SimpleScalar/PISA, found SimpleScalar/Alpha",
                      oct_input_name(r->in), s->line);
    if (!r->origin && memmem(p, s->length, "SimpleScalar/PISA", 17))
      rc = keep(r, &r->origin, p, s->length, diag);
    else if (!r->command && s->length >= sizeof command && !memcmp(p, command, sizeof command - 1))
      rc = keep(r, &r->command, p + sizeof command - 1, s->length - (sizeof command - 1), diag);
  }
  if (rc < 0) return rc;
  if (rc == 0) s->text = NULL;
  if (r->origin) r->info.origin = r->origin;
  if (r->command) r->info.command = r->command;
  return 0;
}

static int simplescalar_fill(oct_reader *r, oct_diag *diag) {
  simplescalar *s = r->state;
  while (r->n_insns < OCT_BATCH_INSNS) {
    const char *begin;
    int rc;
    if (!s->text) {
      if ((rc = oct_input_line(r->in, &s->text, &s->length, diag)) <= 0) {
        s->text = NULL;
        return rc;
      }
      s->line++;
    }
    begin = find_mark(s->text, s->length);
    if (begin) {
      if ((rc = parse(r, begin, s->text + s->length, diag)) < 0) return rc;
      if (rc == 2) return 1;
    }
    s->text = NULL;
  }
  return 1;
}

static void simplescalar_close(oct_reader *r) {
  simplescalar *s = r->state;
  if (s) oct_map_free(s->map);
  free(s);
}

const oct_reader_ops oct_simplescalar_reader = {simplescalar_open, simplescalar_fill,
                                                simplescalar_close};
