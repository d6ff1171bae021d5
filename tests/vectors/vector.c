/* SPDX-License-Identifier: Apache-2.0 */
/* vector.c - reads and writes the text of golden vectors (README.md). */
#include "vector.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "octrace/trace.h"

enum { LINE_BYTES = 4096 };

const char *const vector_section_names[SECTIONS] = {"tracer", "parameters", "engine", "events",
                                                    "map",    "bytes",      "packets"};

void vector_die(const char *path, const char *what, const char *more) {
  fprintf(stderr, "vectors: %s: %s%s%s\n", path, what, more[0] ? ": " : "", more);
  exit(2);
}

int vector_tell(const char *path, const char *what, const char *more) {
  fprintf(stderr, "vectors: %s: %s%s%s\n", path, what, more[0] ? ": " : "", more);
  return 1;
}

void vector_put(oct_buffer *b, const char *text) {
  if (oct_buffer_put(b, (const uint8_t *)text, strlen(text))) vector_die("-", "out of memory", "");
}

/* ---- Entries of the map: pc/size [from:N] [L4 S8 ...] [of:N] [variable] [conditional] [kind] or
 * [isa:code] ---- */

/* Words for classes, as oct_class numbers them; jumps whose target is known have it behind a colon.
 */
static const char *const kinds[] = {"",     "other", "branch", "jump",
                                    "call", "ijump", "icall",  "return"};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* The number of the kind that a word begins with, 0 for none. */
static unsigned kind_of(const char *word) {
  size_t n = strcspn(word, ":");
  unsigned kind = KINDS - 1;
  while (kind && (strlen(kinds[kind]) != n || strncmp(word, kinds[kind], n))) kind--;
  return kind;
}

/* The bytes of an instruction tell class, target, slots and what it does to registers. */
static void read_code(const vector *v, oct_map_entry *e, const char *word) {
  static oct_disasm *disasms[OCT_ISA_COUNT];
  char isa[16] = "", digits[3] = "";
  uint8_t code[OCT_CODE_MAX];
  const char *colon = strchr(word, ':');
  size_t n = strlen(colon + 1) / 2;
  if ((size_t)(colon - word) < sizeof isa) memcpy(isa, word, (size_t)(colon - word));
  int number = oct_isa_by_name(isa);
  if (number < 0 || n > sizeof code) vector_die(v->path, "not an instruction set and bytes", word);
  for (size_t i = 0; i < n; i++) {
    memcpy(digits, colon + 1 + 2 * i, 2);
    code[i] = (uint8_t)strtoul(digits, NULL, 16);
  }
  if (!disasms[number]) disasms[number] = oct_disasm_new((oct_isa)number);
  if (!disasms[number]) vector_die(v->path, "out of memory", "");
  if (oct_disasm_insn(disasms[number], e->addr, code, n, e) != n)
    vector_die(v->path, "not an instruction", word);
}

static void read_slot(const vector *v, oct_map_entry *e, const char *word) {
  unsigned size = (unsigned)strtoul(word + 1, NULL, 10);
  if (e->n_slots == OCT_SLOTS_MAX || (*word != 'L' && *word != 'S'))
    vector_die(v->path, "not a slot", word);
  e->slots[e->n_slots++] =
      (uint8_t)((size ? (unsigned)__builtin_ctz(size) : OCT_SLOT_SIZE_UNKNOWN) |
                (*word == 'S' ? OCT_SLOT_STORE : 0));
}

/* Slots in the line replace those that follow from its bytes, which are looked for first. */
static void read_entry(const vector *v, oct_map_entry *e, char *text) {
  char *end, *rest, *word, copy[LINE_BYTES];
  bool has_slots = false;
  memset(e, 0, sizeof *e);
  e->addr = strtoull(text, &end, 16);
  if (*end != '/') vector_die(v->path, "not an entry of the map", text);
  uint8_t size_bytes = (uint8_t)strtoul(end + 1, &end, 10);
  snprintf(copy, sizeof copy, "%s", end);
  for (word = strtok_r(copy, " \n", &rest); word; word = strtok_r(NULL, " \n", &rest))
    if (strchr(word, ':') && strncmp(word, "from:", 5) && strncmp(word, "of:", 3) && !kind_of(word))
      read_code(v, e, word);
  if (e->code_isa && e->size_bytes != size_bytes) vector_die(v->path, "another size", text);
  e->size_bytes = size_bytes;
  for (word = strtok_r(end, " \n", &rest); word; word = strtok_r(NULL, " \n", &rest)) {
    if (!strncmp(word, "from:", 5)) {
      e->flags |= OCT_MAP_CONTINUES;
      e->target = strtoull(word + 5, NULL, 10);
    } else if (!strncmp(word, "of:", 3)) {
      e->n_slots = (uint8_t)strtoul(word + 3, NULL, 10);
    } else if (!strcmp(word, "variable")) {
      e->flags |= OCT_MAP_VARIABLE;
    } else if (!strcmp(word, "bare")) {
      memset(e->slots, 0, sizeof e->slots);
      e->n_slots = 0;
    } else if (!strcmp(word, "conditional")) {
      e->flags |= OCT_MAP_CONDITIONAL;
    } else if (kind_of(word)) {
      e->cls = (uint8_t)kind_of(word);
      if (strchr(word, ':')) e->target = strtoull(strchr(word, ':') + 1, NULL, 16);
    } else if (!strchr(word, ':')) {
      if (!has_slots) memset(e->slots, 0, sizeof e->slots);
      if (!has_slots) e->n_slots = 0;
      has_slots = true;
      read_slot(v, e, word);
    }
  }
}

static void write_entry(oct_buffer *to, const oct_map_entry *e) {
  char text[64];
  snprintf(text, sizeof text, "%" PRIx64 "/%u", e->addr, e->size_bytes);
  vector_put(to, text);
  if (e->flags & OCT_MAP_CONTINUES) {
    snprintf(text, sizeof text, " from:%" PRIu64, e->target);
    vector_put(to, text);
  }
  for (unsigned i = 0; i < e->n_slots && i < OCT_SLOTS_MAX; i++) {
    unsigned size = e->slots[i] & OCT_SLOT_SIZE_MASK;
    snprintf(text, sizeof text, " %c%u", e->slots[i] & OCT_SLOT_STORE ? 'S' : 'L',
             size == OCT_SLOT_SIZE_UNKNOWN ? 0 : 1u << size);
    vector_put(to, text);
  }
  if (e->n_slots > OCT_SLOTS_MAX) {
    snprintf(text, sizeof text, " of:%u", e->n_slots);
    vector_put(to, text);
  }
  if (e->flags & OCT_MAP_VARIABLE) vector_put(to, " variable");
  if (e->flags & OCT_MAP_CONDITIONAL) vector_put(to, " conditional");
  if (!e->code_isa && e->cls) {
    snprintf(text, sizeof text, " %s", kinds[e->cls]);
    vector_put(to, text);
    snprintf(text, sizeof text, ":%" PRIx64, e->target);
    if (e->cls >= OCT_CLASS_COND_BRANCH && e->cls <= OCT_CLASS_DIRECT_CALL) vector_put(to, text);
  }
  if (e->code_isa) {
    vector_put(to, " ");
    vector_put(to, oct_isa_get((oct_isa)(e->code_isa - 1))->name);
    vector_put(to, ":");
    for (unsigned i = 0; i < e->size_bytes; i++) {
      snprintf(text, sizeof text, "%02x", e->code[i]);
      vector_put(to, text);
    }
  }
}

void vector_write_update(const vector *v, oct_buffer *to, const oct_map_update *u) {
  char text[24], copy[LINE_BYTES] = "";
  oct_buffer line = {0};
  oct_map_entry again;
  write_entry(&line, &u->entry);
  if (line.n_bytes < sizeof copy) memcpy(copy, line.bytes, line.n_bytes);
  read_entry(v, &again, copy);
  if (again.n_slots && !u->entry.n_slots) {
    vector_put(&line, " bare");
    memset(copy, 0, sizeof copy);
    if (line.n_bytes < sizeof copy) memcpy(copy, line.bytes, line.n_bytes);
    read_entry(v, &again, copy);
  }
  if (memcmp(&again, &u->entry, sizeof again))
    vector_die(v->path, "a line does not tell all of this entry of the map", copy);
  snprintf(text, sizeof text, "%" PRIu64 " ", u->from_insn);
  vector_put(to, text);
  oct_buffer_put(to, line.bytes, line.n_bytes);
  vector_put(to, "\n");
  oct_buffer_free(&line);
}

/* ---- The file ---- */

/* Digits of a number of n bytes: their place among the values. */
static uint32_t read_value(vector *v, const char *digits, size_t n, char **end) {
  const uint32_t at = (uint32_t)v->n_values + 1;
  const uint64_t value = strtoull(digits, end, 16);
  if (n > 8 || v->n_values + n > VALUES_MAX || *end != digits + 2 * n)
    vector_die(v->path, "not a value", digits);
  for (size_t i = 0; i < n; i++) v->values[v->n_values++] = (uint8_t)(value >> 8 * i);
  return at;
}

/* An instruction, as in the text format of traces: pc[/size] [L4:da[=value] ...] [T:task]; C:cycle
 * is when it retired. */
static void read_insn(vector *v, char *line) {
  char *rest, *word = strtok_r(line, " \n", &rest), *end;
  if (v->n_insns == INSNS_MAX) vector_die(v->path, "too many events", "");
  oct_insn *insn = &v->insns[v->n_insns++];
  *insn = (oct_insn){.addr = strtoull(word, &end, 16), .size_bytes = 4};
  for (size_t i = 0; i < v->n_entries; i++)
    if (v->entries[i].addr == insn->addr) insn->size_bytes = v->entries[i].size_bytes;
  if (*end == '/') insn->size_bytes = (uint8_t)strtoul(end + 1, &end, 10);
  if (*end) vector_die(v->path, "not an instruction", word);
  while ((word = strtok_r(NULL, " \n", &rest))) {
    if (!strncmp(word, "T:", 2)) {
      insn->task = (uint32_t)strtoul(word + 2, &end, 10);
    } else if (!strncmp(word, "C:", 2)) {
      insn->cycle = strtoull(word + 2, &end, 10);
      insn->flags |= OCT_INSN_HAS_CYCLE;
    } else {
      if ((*word != 'L' && *word != 'S') || v->n_accesses == ACCESSES_MAX)
        vector_die(v->path, "not an access", word);
      oct_access *a = &v->accesses[v->n_accesses++];
      a->is_store = *word == 'S';
      a->size_bytes = (uint8_t)strtoul(word + 1, &end, 10);
      if (*end != ':') vector_die(v->path, "not an access", word);
      a->addr = strtoull(end + 1, &end, 16);
      if (*end == '=') a->value = read_value(v, end + 1, a->size_bytes, &end);
      insn->n_access++;
    }
    if (*end) vector_die(v->path, "not a field", word);
  }
}

/* A trap, as in the text format: `!exception CAUSE`, `!interrupt CAUSE` or `!privilege`, and
 * fields.
 */
static void read_trap(vector *v, char *line) {
  char *rest, *word = strtok_r(line, " \n", &rest), *end = "";
  if (v->n_traps == TRAPS_MAX) vector_die(v->path, "too many traps", "");
  oct_trap *t = &v->traps[v->n_traps++];
  *t = (oct_trap){.insn = (uint32_t)v->n_insns, .privilege = OCT_PRIVILEGE_UNKNOWN};
  if (!strcmp(word, "!interrupt")) t->kind = OCT_TRAP_INTERRUPT;
  if (!strcmp(word, "!privilege")) t->kind = OCT_TRAP_PRIVILEGE;
  if (t->kind == OCT_TRAP_EXCEPTION && strcmp(word, "!exception")) vector_die(v->path, "?", word);
  while ((word = strtok_r(NULL, " \n", &rest))) {
    if (!strncmp(word, "A:", 2))
      t->addr = strtoull(word + 2, &end, 16);
    else if (!strncmp(word, "V:", 2))
      t->tval = strtoull(word + 2, &end, 16);
    else if (!strncmp(word, "P:", 2))
      t->privilege = (uint8_t)strtoul(word + 2, &end, 10);
    else
      t->cause = (uint32_t)strtoul(word, &end, 10);
    if (*end) vector_die(v->path, "not a field of a trap", word);
  }
}

/* !register NUMBER=DIGITS */
static void read_register(vector *v, const char *text) {
  char *end;
  if (v->n_facts == FACTS_MAX) vector_die(v->path, "too many registers", "");
  oct_fact *f = &v->facts[v->n_facts++];
  *f = (oct_fact){.insn = (uint32_t)v->n_insns, .kind = OCT_FACT_REGISTER};
  f->number = (uint16_t)strtoul(text, &end, 10);
  f->n_bytes = (uint32_t)strspn(end + 1, "0123456789abcdef") / 2;
  if (*end != '=' || !f->n_bytes) vector_die(v->path, "not a register", text);
  f->value = read_value(v, end + 1, f->n_bytes, &end);
}

static void read_event(vector *v, char *line) {
  if (!strncmp(line, "!register ", 10)) {
    read_register(v, line + 10);
  } else if (*line == '!') {
    read_trap(v, line);
  } else if (!strcmp(line, "flush\n")) {
    v->flush_before[v->n_insns] = true;
  } else if (!strncmp(line, "map ", 4)) {
    if (v->n_entries == ENTRIES_MAX) vector_die(v->path, "too many entries", "");
    read_entry(v, &v->entries[v->n_entries], line + 4);
    v->entry_at[v->n_entries++] = v->n_insns;
  } else {
    read_insn(v, line);
  }
}

static void take_line(vector *v, int at, char *line) {
  line[strcspn(line, at == SECTION_EVENTS ? "" : "\n")] = '\0';
  if (at == SECTION_TRACER && !(v->tracer = oct_tracer_find(line)))
    vector_die(v->path, "no such tracer", line);
  if (at == SECTION_ENGINE) {
    static const char *const names[ENGINES] = {"untimed", "cycle", "mapped", "given"};
    int e = 0;
    while (e < ENGINES && strcmp(line, names[e])) e++;
    if (e == ENGINES) vector_die(v->path, "not an engine", line);
    v->engine = (vector_engine)e;
  }
  if (at == SECTION_EVENTS) read_event(v, line);
}

vector_section vector_first_made(const vector *v) {
  return v->engine == ENGINE_GIVEN    ? SECTION_PACKETS
         : v->engine == ENGINE_MAPPED ? SECTION_BYTES
                                      : SECTION_MAP;
}

/* The section that a line in brackets begins. */
static int section_of(const vector *v, const char *line) {
  for (int at = 0; at < SECTIONS; at++) {
    size_t n = strlen(vector_section_names[at]);
    if (!strncmp(line + 1, vector_section_names[at], n) && line[1 + n] == ']') return at;
  }
  vector_die(v->path, "not a section", line);
  return -1;
}

vector *vector_read(const char *path) {
  char line[LINE_BYTES], settings[LINE_BYTES] = "";
  oct_diag diag = {0};
  int at = -1;
  vector *v = calloc(1, sizeof *v);
  FILE *f = fopen(path, "r");
  if (!v || !f) vector_die(path, "cannot be read", "");
  v->path = path;
  v->tracer = oct_tracer_find("paper");
  while (fgets(line, sizeof line, f)) {
    if (line[0] == '[')
      at = section_of(v, line);
    else if (at >= 0)
      vector_put(&v->sections[at], line);
    if (at < (int)vector_first_made(v)) vector_put(&v->head, line);
    if (line[0] == '[' || line[0] == '#') continue;
    if (at == SECTION_PARAMETERS) memcpy(settings, line, sizeof settings);
    take_line(v, at, line);
  }
  fclose(f);
  settings[strcspn(settings, "\n")] = '\0';
  oct_tracer_defaults(v->tracer, v->params);
  const int error = oct_tracer_parse(v->tracer, settings, v->params, NULL, &diag);
  if (error && strstr(oct_diag_line(&diag).text, "has no emulator")) {
    vector_tell(path, "skipped", oct_diag_line(&diag).text);
    vector_free(v);
    return NULL;
  }
  if (error) vector_die(path, oct_diag_line(&diag).text, "");
  return v;
}

void vector_free(vector *v) {
  oct_buffer_free(&v->head);
  for (int i = 0; i < SECTIONS; i++) oct_buffer_free(&v->sections[i]);
  free(v);
}

/* A section as text that the caller frees. */
static char *text_of(const vector *v, vector_section at) {
  const oct_buffer *b = &v->sections[at];
  char *text = calloc(1, b->n_bytes + 1);
  if (!text) vector_die(v->path, "out of memory", "");
  if (b->n_bytes) memcpy(text, b->bytes, b->n_bytes);
  return text;
}

size_t vector_read_map(const vector *v, oct_map_update *updates) {
  size_t n = 0;
  char *text = text_of(v, SECTION_MAP), *lines, *rest;
  for (char *line = strtok_r(text, "\n", &lines); line; line = strtok_r(NULL, "\n", &lines), n++) {
    if (n == UPDATES_MAX) vector_die(v->path, "too many lines of the map", "");
    updates[n].from_insn = strtoull(line, &rest, 10);
    read_entry(v, &updates[n].entry, rest);
  }
  free(text);
  return n;
}

void vector_write_bytes(oct_buffer *to, const oct_buffer *bytes) {
  char text[8];
  for (size_t i = 0; i < bytes->n_bytes; i++) {
    snprintf(text, sizeof text, "%02x%s", bytes->bytes[i],
             i % 16 == 15 || i + 1 == bytes->n_bytes ? "\n" : " ");
    vector_put(to, text);
  }
}

void vector_read_bytes(const vector *v, oct_buffer *to) {
  char *text = text_of(v, SECTION_BYTES), *rest;
  for (char *word = strtok_r(text, " \n", &rest); word; word = strtok_r(NULL, " \n", &rest)) {
    uint8_t byte = (uint8_t)strtoul(word, NULL, 16);
    if (oct_buffer_put(to, &byte, 1)) vector_die(v->path, "out of memory", "");
  }
  free(text);
}
