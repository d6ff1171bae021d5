/* SPDX-License-Identifier: Apache-2.0 */
/* oct_ev_symbols.c - names of addresses in a uftrace data directory: its maps and symbol files.
 *
 * A session has the mappings of its process. An address is found among these, and its distance from
 * the start of the module among the module's symbols, sorted by address; answers are kept in a hash
 * table. */
#include "oct_ev_symbols.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "oct_ev_bytes.h"
#include "oct_hash.h"
#include "oct_text_begin.h"

typedef struct symbol {
  uint64_t address; /* from the start of its file's mapping */
  uint32_t name;    /* offset in text */
} symbol;

typedef struct module {
  char *file; /* as the maps call it */
  symbol *symbols;
  size_t n, cap;
  oct_buffer text;
} module;

typedef struct mapping {
  uint64_t from, to, base; /* base: the lowest address of the file in the session */
  size_t module;
} mapping;

typedef struct session {
  char *id;
  mapping *maps;
  size_t n, cap;
  uint64_t *known; /* hash from address + 1 to function number; 0 = free */
  uint32_t *function;
  size_t n_known, n_slots;
} session;

struct oct_ev_symbols {
  char *dir;
  module *modules;
  size_t n_modules, modules_cap;
  session *sessions;
  size_t n_sessions, sessions_cap;
};

int oct_ev_symbols_new(const char *dir, oct_ev_symbols **out) {
  oct_ev_symbols *s = calloc(1, sizeof *s);
  if (s) s->dir = strdup(dir);
  *out = s;
  return s && s->dir ? 0 : OCT_ERR_NOMEM;
}

static int by_address(const void *a, const void *b) {
  const symbol *x = a, *y = b;
  return x->address < y->address ? -1 : x->address > y->address;
}

/* Lines `ADDRESS [SIZE] TYPE NAME`; the type is one character. */
static int add_symbol(module *m, char *line) {
  char *at = line, *name;
  uint64_t address = strtoull(line, &at, 16);
  if (at == line || *at != ' ') return 0;
  for (at++; at[0] && at[1] != ' ';)
    if (!(at = strchr(at, ' ')) || !*++at) return 0;
  if (!at[0]) return 0;
  char type = at[0];
  name = at + 2;
  name[strcspn(name, "\r\n")] = 0;
  if (type == '#' || oct_ev_grow((void **)&m->symbols, &m->cap, m->n + 1, sizeof *m->symbols))
    return type == '#' ? 0 : OCT_ERR_NOMEM;
  m->symbols[m->n++] = (symbol){.address = address, .name = (uint32_t)m->text.n_bytes};
  oct_buffer_put(&m->text, name, strlen(name) + 1);
  return m->text.has_failed ? OCT_ERR_NOMEM : 0;
}

/* Why a file that may be missing was not opened: 0 where it is. */
static int why_not(void) {
  return errno == ENOENT ? 0 : errno == ENOMEM ? OCT_ERR_NOMEM : OCT_ERR_IO;
}

static int read_symbols(const oct_ev_symbols *s, module *m, const char *build_id) {
  char path[4096], line[8192];
  const char *base = strrchr(m->file, '/');
  base = base ? base + 1 : m->file;
  /* Files of one name are told apart by the start of their build id. */
  snprintf(path, sizeof path, "%s/%s-%.4s.sym", s->dir, base, build_id);
  FILE *f = *build_id ? oct_text_fopen(path) : NULL;
  if (!f && *build_id && why_not()) return why_not();
  snprintf(path, sizeof path, "%s/%s.sym", s->dir, base);
  if (!f) f = oct_text_fopen(path);
  if (!f) return why_not();
  int error = 0;
  while (!error && fgets(line, sizeof line, f)) error = add_symbol(m, line);
  if (!error && ferror(f)) error = OCT_ERR_IO;
  fclose(f);
  if (m->n) qsort(m->symbols, m->n, sizeof *m->symbols, by_address);
  return error;
}

static int64_t find_module(oct_ev_symbols *s, const char *file, const char *build_id) {
  for (size_t i = 0; i < s->n_modules; i++)
    if (!strcmp(s->modules[i].file, file)) return (int64_t)i;
  if (oct_ev_grow((void **)&s->modules, &s->modules_cap, s->n_modules + 1, sizeof *s->modules))
    return OCT_ERR_NOMEM;
  module *m = &s->modules[s->n_modules];
  memset(m, 0, sizeof *m);
  if (!(m->file = strdup(file))) return OCT_ERR_NOMEM;
  s->n_modules++;
  int error = read_symbols(s, m, build_id);
  return error ? error : (int64_t)s->n_modules - 1;
}

/* A line of /proc/PID/maps, with the build id behind the file. */
static int add_mapping(oct_ev_symbols *s, session *e, const char *line) {
  uint64_t from, to, offset;
  char file[4096], build_id[128] = "";
  if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %" SCNx64 " %*s %*s %4095s build-id:%127s", &from,
             &to, &offset, file, build_id) < 4)
    return 0;
  if (oct_ev_grow((void **)&e->maps, &e->cap, e->n + 1, sizeof *e->maps)) return OCT_ERR_NOMEM;
  int64_t m = find_module(s, file, build_id);
  if (m < 0) return (int)m;
  mapping *p = &e->maps[e->n++];
  *p = (mapping){.from = from, .to = to, .base = from - offset, .module = (size_t)m};
  for (size_t i = 0; i + 1 < e->n; i++)
    if (e->maps[i].module == p->module) p->base = e->maps[i].base;
  return 0;
}

static int64_t find_session(oct_ev_symbols *s, const char *id) {
  for (size_t i = 0; i < s->n_sessions; i++)
    if (!strcmp(s->sessions[i].id, id)) return (int64_t)i;
  if (oct_ev_grow((void **)&s->sessions, &s->sessions_cap, s->n_sessions + 1, sizeof *s->sessions))
    return OCT_ERR_NOMEM;
  session *e = &s->sessions[s->n_sessions];
  memset(e, 0, sizeof *e);
  if (!(e->id = strdup(id))) return OCT_ERR_NOMEM;
  s->n_sessions++;
  char path[4096], line[8192];
  snprintf(path, sizeof path, "%s/sid-%s.map", s->dir, id);
  FILE *f = oct_text_fopen(path);
  int error = f ? 0 : why_not();
  while (f && !error && fgets(line, sizeof line, f)) error = add_mapping(s, e, line);
  if (f && !error && ferror(f)) error = OCT_ERR_IO;
  if (f) fclose(f);
  return error ? error : (int64_t)s->n_sessions - 1;
}

/* The name of the symbol that holds address, or NULL. */
static const char *look_up(const oct_ev_symbols *s, const session *e, uint64_t address) {
  for (size_t i = 0; i < e->n; i++) {
    const mapping *p = &e->maps[i];
    if (address < p->from || address >= p->to) continue;
    const module *m = &s->modules[p->module];
    size_t low = 0, high = m->n;
    while (low < high) {
      size_t middle = low + (high - low) / 2;
      if (m->symbols[middle].address <= address - p->base)
        low = middle + 1;
      else
        high = middle;
    }
    if (!low) return NULL;
    const char *name = (const char *)m->text.bytes + m->symbols[low - 1].name;
    return strncmp(name, "__sym_end", 9) && strncmp(name, "__dynsym_end", 12) ? name : NULL;
  }
  return NULL;
}

static size_t slot_of(uint64_t address, size_t n) {
  address *= OCT_HASH_FACTOR;
  return (size_t)(address >> 32) & (n - 1);
}

static int grow_known(session *e) {
  size_t n = e->n_slots ? 2 * e->n_slots : 256;
  uint64_t *known = calloc(n, sizeof *known);
  uint32_t *function = malloc(n * sizeof *function);
  if (!known || !function) {
    free(known);
    free(function);
    return OCT_ERR_NOMEM;
  }
  for (size_t i = 0; i < e->n_slots; i++) {
    if (!e->known[i]) continue;
    size_t at = slot_of(e->known[i] - 1, n);
    while (known[at]) at = (at + 1) & (n - 1);
    known[at] = e->known[i];
    function[at] = e->function[i];
  }
  free(e->known);
  free(e->function);
  e->known = known;
  e->function = function;
  e->n_slots = n;
  return 0;
}

int64_t oct_ev_symbols_find(oct_ev_symbols *s, const char *id, uint64_t address,
                            oct_ev_defs *defs) {
  char by_address_name[32];
  int64_t number = find_session(s, id);
  if (number < 0) return number;
  session *e = &s->sessions[number];
  if (2 * (e->n_known + 1) > e->n_slots && grow_known(e)) return OCT_ERR_NOMEM;
  size_t at = slot_of(address, e->n_slots);
  for (; e->known[at]; at = (at + 1) & (e->n_slots - 1))
    if (e->known[at] == address + 1) return e->function[at];
  const char *name = look_up(s, e, address);
  if (!name) {
    snprintf(by_address_name, sizeof by_address_name, "<%" PRIx64 ">", address);
    name = by_address_name;
  }
  int64_t function = oct_ev_defs_function(defs, name, strlen(name), defs->functions.n);
  if (function < 0) return function;
  e->known[at] = address + 1;
  e->function[at] = (uint32_t)function;
  e->n_known++;
  return function;
}

void oct_ev_symbols_free(oct_ev_symbols *s) {
  if (!s) return;
  for (size_t i = 0; i < s->n_modules; i++) {
    free(s->modules[i].file);
    free(s->modules[i].symbols);
    free(s->modules[i].text.bytes);
  }
  for (size_t i = 0; i < s->n_sessions; i++) {
    free(s->sessions[i].id);
    free(s->sessions[i].maps);
    free(s->sessions[i].known);
    free(s->sessions[i].function);
  }
  free(s->modules);
  free(s->sessions);
  free(s->dir);
  free(s);
}
