/* SPDX-License-Identifier: Apache-2.0 */
/* oct_session.c - a recorded program at any instruction.
 *
 * The trace is read again and executed in an emulator, which is given what each load brought, so
 * that its registers are those of the program; memory is kept beside it, from the accesses of the
 * trace, with a bit for each byte that is known. Now and then a checkpoint keeps registers and
 * memory. To go back is to take the last checkpoint before, and to execute from there on.
 *
 * Pages of memory are shared by checkpoints and copied when they change. A trace of another format
 * than the native one with an index is written to such a temporary file first. */
#include "octrace/trace.h"

#include "oct_emulator.h"
#include "oct_grow.h"
#include "oct_isa_outside.h"
#include "octrace/error.h"
#include "octrace/map.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PAGE_BITS = 12, PAGE_BYTES = 1 << PAGE_BITS, CHECKPOINT_INSNS = 1 << 17 };

typedef struct page {
  uint64_t key; /* address >> PAGE_BITS */
  size_t n_users;
  uint8_t bytes[PAGE_BYTES], known[PAGE_BYTES / 8];
} page;

/* Pages by their keys: a hash table of a power of two places. */
typedef struct memory {
  page **pages;
  size_t n, room;
} memory;

enum { REGISTERS_BYTES = 1024 };
typedef struct task {
  uint32_t number;
  bool is_known; /* its registers are */
  uint8_t registers[REGISTERS_BYTES];
} task;

typedef struct checkpoint {
  uint64_t n;
  memory memory;
  task *tasks;
  size_t n_tasks, task;
} checkpoint;

typedef struct reg {
  uint16_t number, at;
  uint8_t bytes;
} reg;

struct oct_session {
  char *path, *temporary; /* temporary: a file of ours, or NULL */
  oct_read_options options;
  oct_isa isa;
  uint64_t length;
  oct_reader *reader;
  oct_map *map;
  oct_emulator *emulator;
  reg registers[OCT_REGISTERS_MAX];
  unsigned n_registers;
  /* The position: */
  uint64_t n;
  uint64_t last_pc; /* of the instruction before */
  oct_batch batch;  /* with instruction n at i, whose accesses begin at access */
  size_t i, access, fact;
  memory memory;
  task *tasks;
  size_t n_tasks, room_tasks, task; /* the one in the emulator */
  checkpoint *checkpoints;          /* by position */
  size_t n_checkpoints, room_checkpoints;
  /* A run: */
  uint64_t stop_at;
  const oct_session_place *places;
  size_t n_places, hit;
  uint64_t hit_at; /* position of the instruction that was hit */
  bool goes_on;    /* past hits: the last one is wanted */
  bool has_current, is_first, differs;
  size_t n_made;
  int error;
};

/* ---- Memory ---- */

static page **place_of(page **pages, size_t room, uint64_t key) {
  size_t i = (size_t)(key * UINT64_C(0x9E3779B97F4A7C15) >> 32) & (room - 1);
  while (pages[i] && pages[i]->key != key) i = (i + 1) & (room - 1);
  return &pages[i];
}

/* The page of addr, to be changed; NULL: out of memory. */
static page *change_page(memory *m, uint64_t addr) {
  const uint64_t key = addr >> PAGE_BITS;
  if (2 * m->n >= m->room) {
    const size_t room = m->room ? 2 * m->room : 64;
    page **pages = calloc(room, sizeof *pages);
    if (!pages) return NULL;
    for (size_t i = 0; i < m->room; i++)
      if (m->pages[i]) *place_of(pages, room, m->pages[i]->key) = m->pages[i];
    free(m->pages);
    m->pages = pages;
    m->room = room;
  }
  page **p = place_of(m->pages, m->room, key);
  page *old = *p;
  if (old && old->n_users == 1) return old;
  page *fresh = calloc(1, sizeof *fresh);
  if (!fresh) return NULL;
  if (old) {
    memcpy(fresh, old, sizeof *fresh);
    old->n_users--;
  } else {
    m->n++;
  }
  fresh->key = key;
  fresh->n_users = 1;
  *p = fresh;
  return fresh;
}

/* Bytes that are there from now on; bytes NULL: they are not known any more. */
static int write_memory(memory *m, uint64_t addr, const uint8_t *bytes, uint64_t n) {
  for (uint64_t i = 0; i < n; i++) {
    const unsigned at = (unsigned)(addr + i) & (PAGE_BYTES - 1);
    if (!bytes && (!m->room || !*place_of(m->pages, m->room, (addr + i) >> PAGE_BITS))) {
      i += PAGE_BYTES - 1 - at; /* nothing of this page is known */
      continue;
    }
    page *p = change_page(m, addr + i);
    if (!p) return OCT_ERR_NOMEM;
    if (bytes) p->bytes[at] = bytes[i];
    if (bytes)
      p->known[at / 8] |= (uint8_t)(1u << at % 8);
    else
      p->known[at / 8] &= (uint8_t) ~(1u << at % 8);
  }
  return 0;
}

static void free_memory(memory *m) {
  for (size_t i = 0; i < m->room; i++)
    if (m->pages[i] && !--m->pages[i]->n_users) free(m->pages[i]);
  free(m->pages);
  memset(m, 0, sizeof *m);
}

static int copy_memory(memory *to, const memory *from) {
  *to = *from;
  to->pages = calloc(from->room + 1, sizeof *to->pages);
  if (!to->pages) return OCT_ERR_NOMEM;
  for (size_t i = 0; i < from->room; i++)
    if ((to->pages[i] = from->pages[i])) to->pages[i]->n_users++;
  return 0;
}

size_t oct_session_read(oct_session *s, uint64_t addr, uint8_t *bytes, size_t n) {
  const uint64_t top = UINT64_MAX >> (64 - oct_isa_get(s->isa)->addr_bits);
  for (size_t i = 0; i < n; i++, addr = (addr + 1) & top) {
    const page *p =
        s->memory.room ? *place_of(s->memory.pages, s->memory.room, addr >> PAGE_BITS) : NULL;
    const unsigned at = (unsigned)addr & (PAGE_BYTES - 1);
    if (!p || !(p->known[at / 8] >> at % 8 & 1)) return i;
    bytes[i] = p->bytes[at];
  }
  return n;
}

/* ---- Registers ---- */

static void save_registers(oct_session *s) {
  if (!s->n_tasks || !s->tasks[s->task].is_known) return;
  for (unsigned i = 0; i < s->n_registers; i++)
    oct_emulator_get(s->emulator, s->registers[i].number,
                     s->tasks[s->task].registers + s->registers[i].at);
}

static void load_registers(oct_session *s) {
  if (!s->n_tasks || !s->tasks[s->task].is_known) return;
  oct_emulator_reset(s->emulator);
  for (unsigned i = 0; i < s->n_registers; i++)
    oct_emulator_set(s->emulator, s->registers[i].number,
                     s->tasks[s->task].registers + s->registers[i].at);
}

static int switch_task(oct_session *s, uint32_t number) {
  size_t i = 0;
  if (s->n_tasks && s->tasks[s->task].number == number) return 0;
  save_registers(s);
  while (i < s->n_tasks && s->tasks[i].number != number) i++;
  if (i == s->n_tasks) {
    task *tasks = oct_grown(s->tasks, &s->room_tasks, s->n_tasks + 1, sizeof *tasks);
    if (!tasks) return OCT_ERR_NOMEM;
    s->tasks = tasks;
    memset(&tasks[s->n_tasks], 0, sizeof *tasks);
    tasks[s->n_tasks++].number = number;
  }
  s->task = i;
  load_registers(s);
  return 0;
}

bool oct_session_register(oct_session *s, uint32_t task_number, unsigned number, uint8_t *bytes) {
  const unsigned n = oct_isa_register_bytes(s->isa, number);
  memset(bytes, 0, n);
  save_registers(s);
  for (size_t t = 0; t < s->n_tasks; t++)
    for (unsigned i = 0; s->tasks[t].number == task_number && i < s->n_registers; i++)
      if (s->registers[i].number == number) {
        memcpy(bytes, s->tasks[t].registers + s->registers[i].at, n);
        return s->tasks[t].is_known;
      }
  return false;
}

size_t oct_session_tasks(const oct_session *s, uint32_t *tasks, size_t n) {
  for (size_t i = 0; i < s->n_tasks && i < n; i++) tasks[i] = s->tasks[i].number;
  return s->n_tasks;
}

/* ---- Reading ---- */

/* What is known of instructions from this batch on: their bytes are in memory. */
static int take_map(oct_session *s) {
  for (size_t i = 0; i < s->batch.n_map; i++) {
    const oct_map_entry *e = &s->batch.map[i];
    if (oct_map_put(s->map, e) < 0) return OCT_ERR_NOMEM;
    if (!e->code_isa || (e->flags & OCT_MAP_CONTINUES)) continue;
    uint8_t held[OCT_CODE_MAX];
    int rc = oct_emulator_put_code(s->emulator, e->addr, e->code, e->size_bytes);
    if (!rc && (oct_session_read(s, e->addr, held, e->size_bytes) < e->size_bytes ||
                memcmp(held, e->code, e->size_bytes) != 0))
      rc = write_memory(&s->memory, e->addr, e->code, e->size_bytes);
    if (rc) return rc;
  }
  return 0;
}

/* Have instruction n in the batch: 1, 0 at the end, or an error. */
static int have_insn(oct_session *s, oct_diag *diag) {
  while (s->i == s->batch.n_insns) {
    int got = oct_reader_next(s->reader, &s->batch, diag);
    if (got <= 0) memset(&s->batch, 0, sizeof s->batch);
    s->i = s->access = s->fact = 0;
    if (got <= 0) return got;
    int rc = take_map(s);
    if (rc) return oct_fail(diag, rc, "a program of more memory than a session can hold");
  }
  return 1;
}

static int reopen(oct_session *s, uint64_t n, oct_diag *diag) {
  oct_reader_close(s->reader);
  s->reader = NULL;
  memset(&s->batch, 0, sizeof s->batch);
  s->i = s->access = s->fact = 0;
  int rc = oct_reader_open(s->path, &s->options, &s->reader, diag);
  return rc ? rc : oct_reader_skip(s->reader, n, diag);
}

/* ---- Checkpoints ---- */

static int keep_checkpoint(oct_session *s, oct_diag *diag) {
  if (s->n_checkpoints && s->checkpoints[s->n_checkpoints - 1].n >= s->n) return 0;
  checkpoint *list =
      oct_grown(s->checkpoints, &s->room_checkpoints, s->n_checkpoints + 1, sizeof *list);
  if (!list) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  s->checkpoints = list;
  checkpoint *c = &list[s->n_checkpoints];
  *c = (checkpoint){.n = s->n, .n_tasks = s->n_tasks, .task = s->task};
  save_registers(s);
  c->tasks = malloc((s->n_tasks + 1) * sizeof *c->tasks);
  if (!c->tasks || copy_memory(&c->memory, &s->memory)) {
    free(c->tasks);
    return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  }
  if (s->n_tasks) memcpy(c->tasks, s->tasks, s->n_tasks * sizeof *c->tasks);
  s->n_checkpoints++;
  return 0;
}

/* Be at the last checkpoint not behind position n. */
static int take_checkpoint(oct_session *s, uint64_t n, oct_diag *diag) {
  size_t k = s->n_checkpoints - 1;
  while (k && s->checkpoints[k].n > n) k--;
  const checkpoint *c = &s->checkpoints[k];
  task *tasks = oct_grown(s->tasks, &s->room_tasks, c->n_tasks + 1, sizeof *tasks);
  if (!tasks) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  s->tasks = tasks;
  if (c->n_tasks) memcpy(tasks, c->tasks, c->n_tasks * sizeof *tasks);
  s->n_tasks = c->n_tasks;
  s->task = c->task;
  free_memory(&s->memory);
  if (copy_memory(&s->memory, &c->memory)) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  load_registers(s);
  s->n = c->n;
  return reopen(s, s->n, diag);
}

/* ---- Execution ---- */

static const oct_insn *insn_of(const oct_session *s) {
  return &s->batch.insns[s->i];
}

/* The place that an access hits, or n_places. */
static size_t place_hit(const oct_session *s, const oct_access *a) {
  const uint64_t n = a->size_bytes ? a->size_bytes : 1;
  for (size_t k = 0; k < s->n_places; k++) {
    const oct_session_place *p = &s->places[k];
    if (p->kind == OCT_SESSION_BREAK ||
        (p->kind != OCT_SESSION_ACCESS && (p->kind == OCT_SESSION_WRITE) != a->is_store))
      continue;
    if (a->addr < p->addr + p->n_bytes && p->addr < a->addr + n) return k;
  }
  return s->n_places;
}

/* Instruction n is over: memory is what its accesses say. */
static void end_insn(oct_session *s) {
  const oct_insn *insn = insn_of(s);
  for (unsigned k = 0; k < insn->n_access; k++) {
    const oct_access *a = &s->batch.accesses[s->access + k];
    const uint8_t *value = oct_value_of(&s->batch, a->value);
    if (value || a->is_store)
      s->error |= write_memory(&s->memory, a->addr, value, a->size_bytes ? a->size_bytes : 8);
    if (!s->n_places) continue;
    const size_t hit = place_hit(s, a);
    if (hit == s->n_places) continue;
    s->hit = hit;
    s->hit_at = s->n;
    if (!s->goes_on) s->stop_at = s->n + 1;
  }
  s->access += insn->n_access;
  s->last_pc = insn->addr;
  s->i++;
  s->n++;
}

/* What the emulator executed may have been something else. */
static void end_executed(oct_session *s) {
  if (!s->has_current) return;
  s->has_current = false;
  if (s->differs || s->n_made != insn_of(s)->n_access) {
    save_registers(s);
    s->tasks[s->task].is_known = false;
  }
  end_insn(s);
}

/* Whether instruction n, in the batch, is at a place to stop at; the first of a run is not. */
static bool is_break(oct_session *s, uint64_t addr) {
  for (size_t k = 0; k < s->n_places && !s->is_first; k++)
    if (s->places[k].kind == OCT_SESSION_BREAK && s->places[k].addr == addr) {
      s->hit = k;
      s->hit_at = s->n;
      if (!s->goes_on) s->stop_at = s->n;
    }
  s->is_first = false;
  return s->stop_at <= s->n;
}

/* Whether the emulator may execute instruction n, which it takes to be at addr, without anything in
 * between. */
static bool may_execute(oct_session *s, uint64_t addr) {
  const oct_insn *insn = insn_of(s);
  if (insn->addr != addr || insn->task != s->tasks[s->task].number ||
      (s->fact < s->batch.n_facts && s->batch.facts[s->fact].insn <= s->i))
    return false;
  const uint32_t id = oct_map_find(s->map, addr);
  return id != UINT32_MAX && !oct_isa_is_outside(oct_map_at(s->map, id));
}

static int insn_hook(void *context, uint64_t addr) {
  oct_session *s = context;
  if (s->has_current) {
    end_executed(s);
    if (s->error || s->n >= s->stop_at || s->i == s->batch.n_insns || !s->tasks[s->task].is_known ||
        s->n % CHECKPOINT_INSNS == 0 || !may_execute(s, addr) || is_break(s, addr))
      return 1;
  }
  s->has_current = true;
  s->differs = false;
  s->n_made = 0;
  return 0;
}

static const oct_access *same_access(const oct_session *s, uint64_t addr, unsigned size_bytes,
                                     unsigned is_store) {
  const oct_access *a = &s->batch.accesses[s->access + s->n_made];
  return s->n_made < insn_of(s)->n_access && a->addr == addr && a->size_bytes == size_bytes &&
                 a->is_store == is_store
             ? a
             : NULL;
}

static void load_hook(void *context, uint64_t addr, unsigned size_bytes) {
  oct_session *s = context;
  if (!s->has_current) return;
  const oct_access *a = same_access(s, addr, size_bytes, 0);
  const uint8_t *value = a ? oct_value_of(&s->batch, a->value) : NULL;
  uint8_t bytes[8];
  s->n_made++;
  s->differs |= !a;
  if (!value && oct_session_read(s, addr, bytes, size_bytes) == size_bytes) value = bytes;
  if (value) s->error |= oct_emulator_poke(s->emulator, addr, value, size_bytes);
}

static void store_hook(void *context, uint64_t addr, unsigned size_bytes, uint64_t value) {
  oct_session *s = context;
  (void)value;
  if (!s->has_current) return;
  s->differs |= !same_access(s, addr, size_bytes, 1);
  s->n_made++;
}

/* Facts in front of instruction n. */
static int take_facts(oct_session *s, oct_diag *diag) {
  const oct_batch *b = &s->batch;
  uint64_t told = 0;
  task *t = &s->tasks[s->task];
  for (; s->fact < b->n_facts && b->facts[s->fact].insn <= s->i; s->fact++) {
    const oct_fact *f = &b->facts[s->fact];
    const uint8_t *bytes = oct_value_of(b, f->value);
    if (f->kind == OCT_FACT_MEMORY) {
      if (write_memory(&s->memory, f->addr, bytes, f->n_bytes))
        return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
      continue;
    }
    for (unsigned i = 0; i < s->n_registers; i++) {
      const reg *r = &s->registers[i];
      if (r->number != f->number || r->bytes != f->n_bytes) continue;
      memcpy(t->registers + r->at, bytes, r->bytes);
      if (t->is_known) oct_emulator_set(s->emulator, r->number, bytes);
    }
    if (f->number < 64) told |= UINT64_C(1) << f->number;
  }
  const uint64_t all = oct_isa_get(s->isa)->regs == 16 ? 0x7fff : UINT32_MAX;
  if (t->is_known || (told & all) != all) return 0;
  t->is_known = true;
  load_registers(s);
  return 0;
}

/* Instructions up to stop_at. */
static int run_on(oct_session *s, oct_diag *diag) {
  int got = 0;
  while (s->n < s->stop_at && (got = have_insn(s, diag)) == 1) {
    const oct_insn *insn = insn_of(s);
    if (s->n % CHECKPOINT_INSNS == 0 && (got = keep_checkpoint(s, diag))) return got;
    if (switch_task(s, insn->task)) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
    if ((got = take_facts(s, diag))) return got;
    if (is_break(s, insn->addr)) break;
    if (!s->tasks[s->task].is_known || !may_execute(s, insn->addr)) {
      end_insn(s);
    } else {
      uint64_t pc = insn->addr;
      const uint32_t id = oct_map_find(s->map, pc);
      const uint64_t n = s->n;
      s->has_current = false;
      const int fault =
          oct_emulator_run(s->emulator, &pc, oct_map_at(s->map, id)->code_isa == OCT_ISA_THUMB + 1);
      if (fault && s->has_current && pc == insn_of(s)->addr) { /* the emulator cannot */
        s->has_current = false;
        end_insn(s);
      } else if (s->has_current) {
        end_executed(s);
      } else if (fault && s->n == n) {
        end_insn(s);
      }
    }
    if (s->error) return oct_fail(diag, OCT_ERR_LIMIT, "a program of more memory than can be held");
  }
  if (got < 0 || (got = have_insn(s, diag)) <= 0) return got;
  if (s->n % CHECKPOINT_INSNS == 0 && (got = keep_checkpoint(s, diag))) return got;
  if (switch_task(s, insn_of(s)->task)) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  return take_facts(s, diag);
}

int oct_session_run(oct_session *s, uint64_t to, const oct_session_place *places, size_t n,
                    size_t *hit, oct_diag *diag) {
  s->stop_at = to;
  s->places = places;
  s->n_places = s->hit = n;
  s->goes_on = false;
  s->is_first = true;
  int rc = run_on(s, diag);
  *hit = s->hit;
  s->n_places = 0;
  return rc;
}

int oct_session_go(oct_session *s, uint64_t n, oct_diag *diag) {
  size_t hit;
  if (n > s->length) n = s->length;
  const checkpoint *last = s->n_checkpoints ? &s->checkpoints[s->n_checkpoints - 1] : NULL;
  bool skips = false; /* a checkpoint is nearer than where we are */
  for (size_t k = 0; k < s->n_checkpoints && !skips; k++)
    skips = s->checkpoints[k].n > s->n && s->checkpoints[k].n <= n;
  if (last && (n < s->n || skips)) {
    int rc = take_checkpoint(s, n, diag);
    if (rc) return rc;
  }
  return oct_session_run(s, n, NULL, 0, &hit, diag);
}

/* Stretch by stretch back, each run forward for its last hit. */
int oct_session_run_back(oct_session *s, uint64_t to, const oct_session_place *places, size_t n,
                         size_t *hit, oct_diag *diag) {
  uint64_t end = s->n;
  *hit = n;
  while (end > to) {
    uint64_t from = (end - 1) / CHECKPOINT_INSNS * CHECKPOINT_INSNS;
    if (from < to) from = to;
    int rc = oct_session_go(s, from, diag);
    if (rc) return rc;
    s->stop_at = end;
    s->places = places;
    s->n_places = s->hit = n;
    s->goes_on = true;
    s->is_first = false;
    if ((rc = run_on(s, diag))) return rc;
    s->n_places = 0;
    if (s->hit != n) {
      *hit = s->hit;
      return oct_session_go(s, s->hit_at, diag);
    }
    end = from;
  }
  return oct_session_go(s, to, diag);
}

/* ---- Opening ---- */

oct_isa oct_session_isa(const oct_session *s) {
  return s->isa;
}
uint64_t oct_session_length(const oct_session *s) {
  return s->length;
}
uint64_t oct_session_at(const oct_session *s) {
  return s->n;
}
uint32_t oct_session_task(const oct_session *s) {
  return s->i < s->batch.n_insns ? insn_of(s)->task : s->n_tasks ? s->tasks[s->task].number : 0;
}
uint64_t oct_session_pc(oct_session *s) {
  oct_diag ignored;
  if (have_insn(s, &ignored) == 1) return insn_of(s)->addr;
  return s->last_pc;
}
bool oct_session_is_thumb(oct_session *s) {
  const uint32_t id = oct_map_find(s->map, oct_session_pc(s));
  return id != UINT32_MAX && oct_map_at(s->map, id)->code_isa == OCT_ISA_THUMB + 1;
}

/* Write what is left of a trace to a temporary native file. */
static int keep_copy(oct_session *s, oct_reader *reader, oct_diag *diag) {
  const char *folder = getenv("TMPDIR");
  char path[4096];
  oct_writer *w;
  oct_batch b;
  int got, file;
  snprintf(path, sizeof path, "%s/octrace-session-XXXXXX", folder && *folder ? folder : "/tmp");
  if ((file = mkstemp(path)) < 0) return oct_fail_in(diag, OCT_ERR_IO, path, "cannot be made");
  close(file);
  if (!(s->temporary = strdup(path))) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  const oct_write_options options = {.info = oct_reader_info(reader), .level = 1};
  int rc = oct_writer_open(path, &options, &w, diag);
  if (rc) return rc;
  while ((got = oct_reader_next(reader, &b, diag)) > 0 && !(rc = oct_writer_put(w, &b, diag)))
    continue;
  if (got < 0) rc = got;
  if (!rc) return oct_writer_commit(w, diag);
  oct_writer_abort(w);
  return rc;
}

static int prepare(oct_session *s, oct_diag *diag) {
  const oct_trace_info *info = oct_reader_info(s->reader);
  const int isa = oct_isa_by_name(info->isa);
  oct_batch b;
  int got = oct_reader_peek(s->reader, &b, diag);
  if (got < 0) return got;
  if (!got || !b.values || !b.n_facts)
    return oct_fail(diag, OCT_ERR_UNSUPPORTED,
                    "a trace without values and registers: record it with octrace capture "
                    "--values");
  if (isa < 0 || !oct_emulator_has((oct_isa)isa))
    return oct_fail(diag, OCT_ERR_UNSUPPORTED,
                    "this build has no emulator for the instruction set %s: expected a build with "
                    "Unicorn (libunicorn-dev) and ARM, AArch64, RISC-V or x86-64",
                    info->isa);
  s->isa = (oct_isa)isa;
  uint16_t at = 0;
  for (unsigned i = 0; i < OCT_REGISTERS_MAX; i++) {
    const uint8_t bytes = (uint8_t)oct_isa_register_bytes(s->isa, i);
    if (!bytes) continue;
    s->registers[s->n_registers++] = (reg){.number = (uint16_t)i, .at = at, .bytes = bytes};
    at = (uint16_t)(at + bytes);
  }
  const oct_emulator_hooks hooks = {s, insn_hook, load_hook, store_hook};
  s->map = oct_map_new();
  s->emulator = s->map ? oct_emulator_new(s->isa, &hooks) : NULL;
  return s->emulator ? 0 : oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
}

int oct_session_open(const char *path, const oct_read_options *options, oct_session **out,
                     oct_diag *diag) {
  oct_session *s = *out = calloc(1, sizeof *s);
  if (!s) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  if (options) s->options = *options;
  int rc = oct_reader_open(path, &s->options, &s->reader, diag);
  if (rc) goto fail;
  const oct_trace_info *info = oct_reader_info(s->reader);
  if (info->format != oct_format_default() || !info->n_insns) {
    if ((rc = keep_copy(s, s->reader, diag))) goto fail;
    s->options = (oct_read_options){0};
    path = s->temporary;
  }
  rc = (s->path = strdup(path)) ? reopen(s, 0, diag) : OCT_ERR_NOMEM;
  if (rc || (rc = prepare(s, diag))) goto fail;
  s->length = oct_reader_info(s->reader)->n_insns;
  if ((rc = have_insn(s, diag)) != 1 || (rc = switch_task(s, insn_of(s)->task)) ||
      (rc = keep_checkpoint(s, diag)) || (rc = take_facts(s, diag)))
    goto fail;
  return 0;
fail:
  oct_session_close(s);
  *out = NULL;
  return rc < 0 ? rc : OCT_ERR_NOMEM;
}

void oct_session_close(oct_session *s) {
  if (!s) return;
  oct_reader_close(s->reader);
  oct_emulator_free(s->emulator);
  oct_map_free(s->map);
  for (size_t k = 0; k < s->n_checkpoints; k++) {
    free_memory(&s->checkpoints[k].memory);
    free(s->checkpoints[k].tasks);
  }
  free(s->checkpoints);
  free_memory(&s->memory);
  free(s->tasks);
  if (s->temporary) unlink(s->temporary);
  free(s->temporary);
  free(s->path);
  free(s);
}
