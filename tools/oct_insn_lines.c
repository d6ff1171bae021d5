/* SPDX-License-Identifier: Apache-2.0 */
/* oct_insn_lines.c - an instruction of a trace in a line for people.
 *
 * Assembly, names and source lines are looked up once for each instruction in a table by its
 * address, as long as its bytes stay the same. */
#include "oct_insn_lines.h"
#include "oct_gap_mark.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "oct_cli.h"
#include "oct_csv.h"
#include "oct_isa_text.h"

enum { KNOWN = 4096, BYTES_ROOM = 2 * OCT_CODE_MAX + 1 };

typedef struct known_insn {
  bool is_used;
  uint64_t addr;
  uint8_t code_isa, code[OCT_CODE_MAX];
  char bytes[BYTES_ROOM], assembly[96], symbol[96], source[96];
} known_insn;

struct oct_insn_lines {
  oct_symbols symbols;
  oct_isa_text *assembler;
  int error;
  known_insn known[KNOWN];
  int isa;               /* -1: not known */
  const uint8_t *values; /* of the accesses and facts that are printed, or NULL */
};

const char oct_insn_lines_head[] =
    "address,size,bytes,assembly,symbol,source,accesses,traps,task,cycle";

oct_insn_lines *oct_insn_lines_new(const oct_read_options *read) {
  oct_diag diag = {0};
  oct_insn_lines *l = calloc(1, sizeof *l);
  if (l && (l->assembler = oct_isa_text_new()) && !oct_symbols_add_all(&l->symbols, read, &diag))
    return l;
  oct_insn_lines_free(l);
  return NULL;
}

int oct_insn_lines_follow(oct_insn_lines *l, const oct_reader *reader, const oct_read_options *read,
                          oct_diag *diag) {
  return oct_symbols_add_modules(&l->symbols, reader, read, diag);
}

void oct_insn_lines_tell(const oct_insn_lines *l, const char *name) {
  oct_symbols_tell(&l->symbols, name);
}

void oct_insn_lines_free(oct_insn_lines *l) {
  if (!l) return;
  oct_symbols_free(&l->symbols);
  oct_isa_text_free(l->assembler);
  free(l);
}

int oct_insn_lines_error(const oct_insn_lines *l, oct_diag *diag) {
  return l->error ? oct_fail(diag, l->error, "out of memory") : 0;
}

/* The bytes as manuals write them: of x86 in memory's order, of Thumb as halfwords, else as a word,
 * highest byte first. */
static void write_bytes(const oct_map_head *e, char *text) {
  const oct_isa isa = (oct_isa)(e->code_isa - 1);
  const unsigned n = e->size_bytes;
  for (unsigned i = 0; i < n; i++) {
    unsigned from = n - 1 - i;
    if (isa == OCT_ISA_X86 || isa == OCT_ISA_X86_64 || isa == OCT_ISA_MIPS)
      from = i;
    else if (isa == OCT_ISA_THUMB)
      from = i ^ 1;
    snprintf(text + 2 * (size_t)i, 3, "%02x", e->code[from]);
  }
}

static const known_insn *look_up(oct_insn_lines *l, uint64_t addr, const oct_map_head *e) {
  static const oct_map_head unknown = {.code_isa = 0};
  known_insn *k = &l->known[(addr >> 1) % KNOWN];
  if (!e) e = &unknown;
  if (k->is_used && k->addr == addr && k->code_isa == e->code_isa &&
      !memcmp(k->code, e->code, sizeof k->code))
    return k;
  *k = (known_insn){.is_used = true, .addr = addr, .code_isa = e->code_isa};
  memcpy(k->code, e->code, sizeof k->code);
  if (e->code_isa && e->code_isa <= OCT_ISA_COUNT && e->size_bytes <= OCT_CODE_MAX) {
    write_bytes(e, k->bytes);
    int error = oct_isa_text_of(l->assembler, e, k->assembly, sizeof k->assembly);
    if (error) l->error = error;
  }
  char name[sizeof k->symbol];
  oct_symbols_name(&l->symbols, addr, name, sizeof name);
  snprintf(k->symbol, sizeof k->symbol, "%.*s", (int)sizeof name - 1, oct_cli_shown(name).text);
  oct_symbols_line(&l->symbols, addr, name, sizeof name);
  snprintf(k->source, sizeof k->source, "%.*s", (int)sizeof name - 1, oct_cli_shown(name).text);
  return k;
}

void oct_insn_lines_values(oct_insn_lines *l, const char *isa, const uint8_t *values) {
  l->isa = oct_isa_by_name(isa);
  l->values = values;
}

/* Bytes, the highest first. */
static void print_bytes(FILE *f, const uint8_t *bytes, unsigned n) {
  fputs("0x", f);
  while (n) fprintf(f, "%02x", bytes[--n]);
}

void oct_insn_lines_value(FILE *f, const oct_insn_lines *l, const oct_access *a) {
  if (l->values && a->value) print_bytes(f, l->values + (a->value - 1), a->size_bytes);
}

static void print_access(FILE *f, const oct_insn_lines *l, const oct_access *a) {
  fputc(a->is_store ? 'S' : 'L', f);
  if (a->size_bytes) fprintf(f, "%u", a->size_bytes);
  fprintf(f, ":0x%" PRIx64, a->addr);
  if (!l->values || !a->value) return;
  unsigned n = a->size_bytes;
  const uint8_t *value = l->values + (a->value - 1);
  while (n > 1 && !value[n - 1]) n--;
  fprintf(f, "=0x%x", value[n - 1]);
  while (--n) fprintf(f, "%02x", value[n - 1]);
}

void oct_insn_lines_print(FILE *f, oct_insn_lines *l, const oct_insn *insn,
                          const oct_access *accesses, const oct_map_head *entry) {
  const known_insn *k = look_up(l, insn->addr, entry);
  const bool is_x86 = k->code_isa == OCT_ISA_X86 + 1 || k->code_isa == OCT_ISA_X86_64 + 1;
  const bool has_more = k->symbol[0] || k->source[0] || insn->n_access;
  fprintf(f, has_more || k->code_isa ? "0x%-8" PRIx64 : "0x%" PRIx64, insn->addr);
  if (k->code_isa) fprintf(f, "  %-*s", is_x86 ? 14 : 8, k->bytes);
  if (k->assembly[0]) fprintf(f, has_more ? "  %-28s" : "  %s", k->assembly);
  if (k->symbol[0]) fprintf(f, "  %s", k->symbol);
  if (k->source[0]) fprintf(f, "  %s", k->source);
  for (unsigned i = 0; i < insn->n_access; i++) {
    fprintf(f, i ? " " : "  ");
    print_access(f, l, &accesses[i]);
  }
}

/* "!exception 13 at 0x8004 (0x20004) to privilege 3" in text. */
static void trap_text(const oct_trap *t, char *text, size_t size) {
  static const char *const kinds[OCT_TRAP_KINDS] = {"exception", "interrupt", "privilege"};
  const char *kind = t->kind < OCT_TRAP_KINDS ? kinds[t->kind] : "trap";
  int n;
  if (t->kind == OCT_TRAP_GAP) {
    n = snprintf(text, size, "!gap %s", oct_gap_cause_name(t->cause));
    if (t->addr) snprintf(text + n, size - (size_t)n, " at 0x%" PRIx64, t->addr);
    return;
  }
  if (t->kind == OCT_TRAP_PRIVILEGE) {
    if (t->privilege == OCT_PRIVILEGE_UNKNOWN)
      snprintf(text, size, "!privilege unknown");
    else
      snprintf(text, size, "!privilege %u", t->privilege);
    return;
  }
  n = snprintf(text, size, "!%s %" PRIu32, kind, t->cause);
  if (t->addr) n += snprintf(text + n, size - (size_t)n, " at 0x%" PRIx64, t->addr);
  if (t->tval) n += snprintf(text + n, size - (size_t)n, " (0x%" PRIx64 ")", t->tval);
  if (t->privilege != OCT_PRIVILEGE_UNKNOWN)
    snprintf(text + n, size - (size_t)n, " to privilege %u", t->privilege);
}

void oct_insn_lines_trap(FILE *f, const oct_trap *trap) {
  char text[128];
  trap_text(trap, text, sizeof text);
  fputs(text, f);
}

void oct_insn_lines_fact(FILE *f, const oct_insn_lines *l, const oct_fact *fact) {
  char name[OCT_REGISTER_NAME_BYTES] = "";
  const uint8_t *bytes = l->values && fact->value ? l->values + (fact->value - 1) : NULL;
  if (fact->kind == OCT_FACT_GAP) {
    const oct_trap gap = oct_gap_mark(fact);
    oct_insn_lines_trap(f, &gap);
    return;
  }
  if (fact->kind == OCT_FACT_MEMORY) {
    fprintf(f, "!memory 0x%" PRIx64 " ", fact->addr);
    if (!bytes) fprintf(f, "%" PRIu32, fact->n_bytes);
    if (bytes) fputc('=', f);
    for (uint32_t i = 0; bytes && i < fact->n_bytes; i++) fprintf(f, "%02x", bytes[i]);
    return;
  }
  if (l->isa >= 0) oct_isa_register_name((oct_isa)l->isa, fact->number, name);
  if (*name)
    fprintf(f, "!register %s=", name);
  else
    fprintf(f, "!register %u=", fact->number);
  if (bytes) print_bytes(f, bytes, fact->n_bytes);
}

static void print_field(FILE *f, const char *text) {
  oct_csv_print_quoted(f, text);
  fputc(',', f);
}

void oct_insn_lines_csv(FILE *f, oct_insn_lines *l, const oct_insn *insn,
                        const oct_access *accesses, const oct_map_head *entry,
                        const oct_trap *traps, size_t n_traps, const oct_fact *facts,
                        size_t n_facts) {
  const known_insn *k = look_up(l, insn->addr, entry);
  bool has_mark = n_traps != 0;
  fprintf(f, "0x%" PRIx64 ",%u,%s,", insn->addr, insn->size_bytes, k->bytes);
  print_field(f, k->assembly);
  print_field(f, k->symbol);
  print_field(f, k->source);
  for (unsigned i = 0; i < insn->n_access; i++) {
    if (i) fputc(' ', f);
    print_access(f, l, &accesses[i]);
  }
  fputc(',', f);
  for (size_t i = 0; i < n_traps; i++) {
    if (i) fputc(' ', f);
    oct_insn_lines_trap(f, &traps[i]);
  }
  for (size_t i = 0; i < n_facts; i++) {
    if (has_mark) fputc(' ', f);
    has_mark = true;
    oct_insn_lines_fact(f, l, &facts[i]);
  }
  fprintf(f, ",%" PRIu32 ",", insn->task);
  if (insn->flags & OCT_INSN_HAS_CYCLE) fprintf(f, "%" PRIu64, insn->cycle);
  fputc('\n', f);
}
