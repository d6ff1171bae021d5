/* SPDX-License-Identifier: Apache-2.0 */
/* oct_session.c - a recorded program at any instruction.
 *
 * The trace is read again and executed in an emulator, which is given what each load brought, so
 * that its registers are those of the program; memory is kept beside it, from the accesses of the
 * trace, with a bit for each byte that is known. Now and then a checkpoint keeps registers and
 * memory. To go back is to take the last checkpoint before, and to execute from there on. On that
 * way two more are kept near its end, for single steps back.
 *
 * Pages of memory are shared by checkpoints and copied when they change. A trace of another format
 * than the native one with an index is copied to such a temporary file while it is read, and from
 * its end on the session reads that. */
#include "oct_session.h"

#include "oct_endian.h"
#include "oct_grow.h"
#include "oct_isa_outside.h"
#include "oct_replay_machine.h"
#include "octrace/error.h"
#include "octrace/map.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
  PAGE_BITS = 12,
  PAGE_BYTES = 1 << PAGE_BITS,
  CHECKPOINT_INSNS = 1 << 17,
  ARM_PC = 15,
  PATH_ROOM = 4096,
  NEAR = 2
};

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

typedef struct task {
  uint32_t number;
  bool is_known; /* its registers are: the general ones, and others that were told, as bits */
  uint64_t told[2];
  bool has_pc;
  uint64_t pc;       /* where it goes on, */
  bool was_executed; /* as the emulator has it, */
  bool is_unsure;    /* which did not execute its last instruction */
  uint8_t registers[OCT_RP_REGISTERS_BYTES];
} task;

typedef struct checkpoint {
  uint64_t n;
  memory memory, code;
  task *tasks;
  size_t n_tasks, task;
} checkpoint;

struct oct_session {
  char *path;
  oct_writer *copy; /* which is being written until the trace was read to its end, or NULL: */
  uint64_t n_copied;
  int file; /* then this is open, which has no name; 0: it is not */
  bool (*tell)(void *context, uint64_t insn);
  void *context;
  bool is_ended; /* tell has ended the work */
  bool is_deaf;  /* to that, for work that has to be done */
  oct_read_options options;
  oct_isa isa;
  uint64_t length;
  oct_session_gap *gaps; /* met so far */
  size_t n_gaps, room_gaps;
  size_t n_modules; /* of the copy */
  oct_reader *reader;
  oct_map *map;
  oct_rp_machine machine;
  uint64_t keeps[2]; /* registers that it keeps whole, as bits: found out while it is new, since an
                      * attempt leaves nothing of the others */
  /* The position: */
  uint64_t n;
  uint64_t last_pc; /* of the instruction before */
  oct_batch batch;  /* with instruction n at i, whose accesses begin at access */
  size_t i, access, fact;
  void *held; /* the batch's arrays, where the reader has gone ahead of it to the trace's end: no
               * batch comes behind it but of the copy; or NULL */
  memory memory, code; /* code: the bytes of instructions alone, which are known behind gaps, too */
  task *tasks;
  size_t n_tasks, room_tasks, task; /* the one in the emulator */
  checkpoint *checkpoints;          /* by position */
  size_t n_checkpoints, room_checkpoints;
  checkpoint near[NEAR]; /* in front of where it went back to last, or without tasks */
  /* A run: */
  uint64_t stop_at;
  const oct_session_place *places;
  size_t n_places, hit;
  uint64_t hit_at;  /* position of the instruction that was hit */
  bool has_changed; /* what is known of the place that an access of it hit */
  bool goes_on;     /* past hits: the last one is wanted */
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
  memset(to, 0, sizeof *to);
  page **pages = calloc(from->room + 1, sizeof *pages);
  if (!pages) return OCT_ERR_NOMEM;
  *to = *from;
  to->pages = pages;
  for (size_t i = 0; i < from->room; i++)
    if ((to->pages[i] = from->pages[i])) to->pages[i]->n_users++;
  return 0;
}

static size_t read_memory(const oct_session *s, const memory *m, uint64_t addr, uint8_t *bytes,
                          size_t n) {
  const uint64_t top = UINT64_MAX >> (64 - oct_isa_get(s->isa)->addr_bits);
  for (size_t i = 0; i < n; i++, addr = (addr + 1) & top) {
    const page *p = m->room ? *place_of(m->pages, m->room, addr >> PAGE_BITS) : NULL;
    const unsigned at = (unsigned)addr & (PAGE_BYTES - 1);
    if (!p || !(p->known[at / 8] >> at % 8 & 1)) return i;
    bytes[i] = p->bytes[at];
  }
  return n;
}

size_t oct_session_read(oct_session *s, uint64_t addr, uint8_t *bytes, size_t n) {
  return read_memory(s, &s->memory, addr, bytes, n);
}

/* ---- Registers ---- */

static void save_registers(oct_session *s) {
  if (!s->n_tasks || !s->tasks[s->task].is_known) return;
  oct_rp_machine_save(&s->machine, s->tasks[s->task].registers);
}

static void load_registers(oct_session *s) {
  if (!s->n_tasks || !s->tasks[s->task].is_known) return;
  oct_rp_machine_load(&s->machine, s->tasks[s->task].registers);
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

bool oct_session_executed(oct_session *s, uint32_t task_number, unsigned number, uint8_t *bytes,
                          bool *is_told) {
  const unsigned n = oct_isa_register_bytes(s->isa, number);
  memset(bytes, 0, n);
  *is_told = true;
  if ((s->isa == OCT_ISA_ARM || s->isa == OCT_ISA_THUMB) && number == ARM_PC) {
    uint64_t pc;
    if (!oct_session_task_pc(s, task_number, &pc)) return false;
    for (unsigned i = 0; i < n; i++) bytes[i] = (uint8_t)(pc >> 8 * i);
    return true;
  }
  save_registers(s);
  for (size_t t = 0; t < s->n_tasks; t++)
    for (unsigned i = 0; s->tasks[t].number == task_number && i < s->machine.n_registers; i++)
      if (s->machine.registers[i].number == number) {
        memcpy(bytes, s->tasks[t].registers + s->machine.registers[i].at, n);
        const bool is_certain =
            number < OCT_REG_STATUS || (number == OCT_REG_STATUS && s->isa != OCT_ISA_X86_64);
        *is_told = is_certain || s->tasks[t].told[number / 64] >> number % 64 & 1;
        return s->tasks[t].is_known &&
               (number < OCT_REG_FLOAT || s->keeps[number / 64] >> number % 64 & 1);
      }
  return false;
}

bool oct_session_register(oct_session *s, uint32_t task_number, unsigned number, uint8_t *bytes) {
  bool is_told;
  if (oct_session_executed(s, task_number, number, bytes, &is_told) && is_told) return true;
  memset(bytes, 0, oct_isa_register_bytes(s->isa, number));
  return false;
}

bool oct_session_task_pc(oct_session *s, uint32_t task_number, uint64_t *pc) {
  *pc = oct_session_pc(s);
  if (task_number == oct_session_task(s)) return true;
  for (size_t t = 0; t < s->n_tasks; t++)
    if (s->tasks[t].number == task_number) {
      *pc = s->tasks[t].pc;
      return s->tasks[t].has_pc;
    }
  return false;
}

size_t oct_session_tasks(const oct_session *s, uint32_t *tasks, size_t n) {
  for (size_t i = 0; i < s->n_tasks && i < n; i++) tasks[i] = s->tasks[i].number;
  return s->n_tasks;
}

/* ---- Reading ---- */

/* The gap in front of position at; each is met again whenever it is read again. */
static int meet_gap(oct_session *s, oct_session_gap gap) {
  const size_t n = s->n_gaps;
  if (n && s->gaps[n - 1].at >= gap.at) return 0;
  oct_session_gap *gaps = oct_grown(s->gaps, &s->room_gaps, n + 1, sizeof *gaps);
  if (!gaps) return OCT_ERR_NOMEM;
  s->gaps = gaps;
  gaps[s->n_gaps++] = gap;
  return 0;
}

/* Those of a batch that begins at position at. Of several in one place the first stands for all. */
static int meet_gaps(oct_session *s, const oct_batch *b, uint64_t at) {
  int rc = 0;
  for (size_t i = 0; i < b->n_facts && !rc; i++) {
    const oct_fact *f = &b->facts[i];
    const uint8_t *lost = oct_value_of(b, f->value);
    if (f->kind == OCT_FACT_GAP)
      rc = meet_gap(s, (oct_session_gap){.at = at + f->insn,
                                         .lost_insns = lost ? oct_get_u64(lost) : UINT64_MAX,
                                         .cause = (oct_gap_cause)f->number});
  }
  return rc;
}

size_t oct_session_gaps(const oct_session *s, const oct_session_gap **gaps) {
  *gaps = s->gaps;
  return s->n_gaps;
}

/* What is known of instructions from this batch on: their bytes are in memory. */
static int take_map(oct_session *s) {
  for (size_t i = 0; i < s->batch.n_map; i++) {
    const oct_map_entry *e = &s->batch.map[i];
    if (oct_map_put(s->map, e) < 0) return OCT_ERR_NOMEM;
    if (!e->code_isa || (e->flags & OCT_MAP_CONTINUES)) continue;
    uint8_t held[OCT_CODE_MAX];
    int rc = oct_emulator_put_code(s->machine.emulator, e->addr, e->code, e->size_bytes);
    if (!rc && (read_memory(s, &s->memory, e->addr, held, e->size_bytes) < e->size_bytes ||
                memcmp(held, e->code, e->size_bytes) != 0))
      rc = write_memory(&s->memory, e->addr, e->code, e->size_bytes);
    if (!rc && (read_memory(s, &s->code, e->addr, held, e->size_bytes) < e->size_bytes ||
                memcmp(held, e->code, e->size_bytes) != 0))
      rc = write_memory(&s->code, e->addr, e->code, e->size_bytes);
    if (rc) return rc;
  }
  return 0;
}

size_t oct_session_modules(const oct_session *s, const oct_module **modules) {
  const oct_trace_info *info = oct_reader_info(s->reader);
  *modules = info->modules;
  return info->n_modules;
}

static void tell(oct_session *s, uint64_t insn) {
  if (s->tell && s->tell(s->context, insn) && !s->is_deaf) s->is_ended = true;
}

/* What is behind damage at position at, which ends the trace, is missing. */
static int end_at_damage(oct_session *s, uint64_t at) {
  const uint64_t n = oct_reader_info(s->reader)->n_insns;
  if (!s->copy) s->length = at;
  return meet_gap(
      s, (oct_session_gap){
             .at = at, .lost_insns = n > at ? n - at : UINT64_MAX, .cause = OCT_GAP_DAMAGE});
}

/* The next batch of the trace, which goes into the copy too; at is the position where it begins. */
static int copy_next(oct_session *s, uint64_t at, oct_batch *b, oct_diag *diag) {
  int got = oct_reader_next(s->reader, b, diag), rc = 0;
  const bool is_damage = got < 0 && at && s->options.goes_on && oct_error_is_damage(got);
  oct_gaps met = {0};
  if (!got && !at) oct_reader_take_gaps(s->reader, &met);
  if (met.n_damages) { /* nothing is left */
    *diag = met.first;
    return diag->error;
  }
  if (got > 0) rc = meet_gaps(s, b, at);
  if (is_damage) rc = end_at_damage(s, at);
  if (rc) return oct_fail(diag, rc, "out of memory");
  if (got <= 0) return is_damage ? 0 : got;
  if (!s->copy) return got;
  const oct_trace_info *info = oct_reader_info(s->reader);
  const size_t n_modules = info->n_modules - s->n_modules;
  s->n_copied += b->n_insns;
  if (n_modules)
    rc = oct_writer_put_modules(s->copy, info->modules + s->n_modules, n_modules, diag);
  s->n_modules = info->n_modules;
  if (!rc) rc = oct_writer_put(s->copy, b, diag);
  return rc ? rc : got;
}

/* The trace was read to its end. The copy loses its name, so that nothing of it is left behind. */
static int end_copy(oct_session *s, oct_diag *diag) {
  oct_writer *copy = s->copy;
  sigset_t all, before;
  s->copy = NULL;
  s->length = s->n_copied;
  s->options = (oct_read_options){0};
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  int rc = oct_writer_commit(copy, diag);
  if (!rc) {
    s->file = open(s->path, O_RDONLY | O_CLOEXEC);
    if (s->file < 0) rc = oct_fail_in(diag, OCT_ERR_IO, s->path, "cannot be read");
    unlink(s->path);
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  snprintf(s->path, PATH_ROOM, "/proc/self/fd/%d", s->file);
  return rc;
}

static size_t room_of(size_t n, size_t size) {
  enum { ALIGNED = 16 };
  return (n * size + ALIGNED - 1) / ALIGNED * ALIGNED;
}

static const void *keep(uint8_t **room, const void *array, size_t n, size_t size) {
  uint8_t *kept = *room;
  if (!array) return NULL;
  memcpy(kept, array, n * size);
  *room += room_of(n, size);
  return kept;
}

/* Keep the batch, which is the reader's until that reads on. */
static int hold_batch(oct_session *s) {
  oct_batch *b = &s->batch;
  if (s->held) return 0;
  uint8_t *room = s->held = malloc(
      1 + room_of(b->n_insns, sizeof *b->insns) + room_of(b->n_accesses, sizeof *b->accesses) +
      room_of(b->n_map, sizeof *b->map) + room_of(b->n_traps, sizeof *b->traps) +
      room_of(b->n_facts, sizeof *b->facts) + room_of(b->n_values, 1));
  if (!room) return OCT_ERR_NOMEM;
  b->insns = keep(&room, b->insns, b->n_insns, sizeof *b->insns);
  b->accesses = keep(&room, b->accesses, b->n_accesses, sizeof *b->accesses);
  b->map = keep(&room, b->map, b->n_map, sizeof *b->map);
  b->traps = keep(&room, b->traps, b->n_traps, sizeof *b->traps);
  b->facts = keep(&room, b->facts, b->n_facts, sizeof *b->facts);
  b->values = keep(&room, b->values, b->n_values, 1);
  return 0;
}

/* Copy the rest of the trace, unless the work ends before. */
static int copy_rest(oct_session *s, oct_diag *diag) {
  oct_batch b;
  int got = 1;
  if (s->copy && hold_batch(s)) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  while (s->copy && !s->is_ended && (got = copy_next(s, s->n_copied, &b, diag)) > 0)
    tell(s, s->n_copied);
  return got < 0 ? got : !got ? end_copy(s, diag) : 0;
}

/* Read on from position n of what was copied, or of a native trace. */
static int reopen(oct_session *s, uint64_t n, oct_diag *diag) {
  oct_reader_close(s->reader);
  s->reader = NULL;
  free(s->held);
  s->held = NULL;
  memset(&s->batch, 0, sizeof s->batch);
  s->i = s->access = s->fact = 0;
  int rc = oct_reader_open(s->path, &s->options, &s->reader, diag);
  return rc ? rc : oct_reader_skip(s->reader, n, diag);
}

/* Behind the batch that is held the copy is read, when it is whole. */
static int follow_held(oct_session *s, oct_diag *diag) {
  int rc = copy_rest(s, diag);
  return rc || s->copy ? rc : reopen(s, s->n, diag);
}

/* Have instruction n in the batch: 1, 0 at the end or where the work has ended, or an error. */
static int have_insn(oct_session *s, oct_diag *diag) {
  while (s->i == s->batch.n_insns) {
    int got = s->held ? follow_held(s, diag) : 0;
    if (got || s->held) return got;
    got = copy_next(s, s->n, &s->batch, diag);
    if (got <= 0) memset(&s->batch, 0, sizeof s->batch);
    s->i = s->access = s->fact = 0;
    if (!got && s->copy && (got = end_copy(s, diag)) == 0) return reopen(s, s->n, diag);
    if (got <= 0) return got;
    int rc = take_map(s);
    if (rc) return oct_fail(diag, rc, "a program of more memory than a session can hold");
    tell(s, s->n);
  }
  return 1;
}

/* ---- Checkpoints ---- */

static void free_checkpoint(checkpoint *c) {
  free_memory(&c->memory);
  free_memory(&c->code);
  free(c->tasks);
  memset(c, 0, sizeof *c);
}

/* Where it is, in place of what c held. */
static int fill_checkpoint(oct_session *s, checkpoint *c, oct_diag *diag) {
  free_checkpoint(c);
  save_registers(s);
  c->tasks = malloc((s->n_tasks + 1) * sizeof *c->tasks);
  if (!c->tasks || copy_memory(&c->memory, &s->memory) || copy_memory(&c->code, &s->code)) {
    free_checkpoint(c);
    return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  }
  if (s->n_tasks) memcpy(c->tasks, s->tasks, s->n_tasks * sizeof *c->tasks);
  c->n = s->n;
  c->n_tasks = s->n_tasks;
  c->task = s->task;
  return 0;
}

static int keep_checkpoint(oct_session *s, oct_diag *diag) {
  if (s->n_checkpoints && s->checkpoints[s->n_checkpoints - 1].n >= s->n) return 0;
  checkpoint *list =
      oct_grown(s->checkpoints, &s->room_checkpoints, s->n_checkpoints + 1, sizeof *list);
  if (!list) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  s->checkpoints = list;
  list[s->n_checkpoints] = (checkpoint){0};
  int rc = fill_checkpoint(s, &list[s->n_checkpoints], diag);
  s->n_checkpoints += !rc;
  return rc;
}

/* The last checkpoint not behind position n; there is one. */
static const checkpoint *find_checkpoint(const oct_session *s, uint64_t n) {
  size_t k = s->n_checkpoints - 1;
  while (k && s->checkpoints[k].n > n) k--;
  const checkpoint *best = &s->checkpoints[k];
  for (k = 0; k < NEAR; k++)
    if (s->near[k].tasks && s->near[k].n <= n && s->near[k].n > best->n) best = &s->near[k];
  return best;
}

static int take_checkpoint(oct_session *s, const checkpoint *c, oct_diag *diag) {
  task *tasks = oct_grown(s->tasks, &s->room_tasks, c->n_tasks + 1, sizeof *tasks);
  if (!tasks) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  s->tasks = tasks;
  if (c->n_tasks) memcpy(tasks, c->tasks, c->n_tasks * sizeof *tasks);
  s->n_tasks = c->n_tasks;
  s->task = c->task;
  free_memory(&s->memory);
  free_memory(&s->code);
  if (copy_memory(&s->memory, &c->memory) || copy_memory(&s->code, &c->code))
    return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
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

/* Whether a store with this value, or NULL, changes what is known of the bytes of place p. */
static bool changes(const oct_session *s, const oct_session_place *p, const oct_access *a,
                    const uint8_t *value) {
  for (unsigned i = 0; i < a->size_bytes; i++) {
    uint8_t held;
    if (a->addr + i < p->addr || a->addr + i - p->addr >= p->n_bytes) continue;
    const bool is_known = read_memory(s, &s->memory, a->addr + i, &held, 1);
    if (is_known != (value != NULL) || (value && value[i] != held)) return true;
  }
  return !a->size_bytes;
}

/* Where the task of an instruction goes on that is not executed. */
static void guess_pc(oct_session *s, const oct_insn *insn) {
  const uint32_t id = oct_map_find(s->map, insn->addr);
  const oct_map_entry *e = id == UINT32_MAX ? NULL : oct_map_entry_at(s->map, id);
  const bool jumps = e && (e->cls == OCT_CLASS_DIRECT_JUMP || e->cls == OCT_CLASS_DIRECT_CALL);
  task *t = &s->tasks[s->task];
  t->has_pc = e && (jumps || e->cls == OCT_CLASS_OTHER);
  t->pc = jumps ? e->target : insn->addr + insn->size_bytes;
}

/* Instruction n is over: memory is what its accesses say. */
static void end_insn(oct_session *s) {
  const oct_insn *insn = insn_of(s);
  for (unsigned k = 0; k < insn->n_access; k++) {
    const oct_access *a = &s->batch.accesses[s->access + k];
    const uint8_t *value = oct_value_of(&s->batch, a->value);
    const size_t hit = s->n_places ? place_hit(s, a) : 0;
    const bool has_changed = hit < s->n_places && changes(s, &s->places[hit], a, value);
    if (value || a->is_store)
      s->error |= write_memory(&s->memory, a->addr, value, a->size_bytes ? a->size_bytes : 8);
    if (hit == s->n_places) continue;
    s->has_changed = has_changed || (s->hit == hit && s->hit_at == s->n && s->has_changed);
    s->hit = hit;
    s->hit_at = s->n;
    if (!s->goes_on) s->stop_at = s->n + 1;
  }
  guess_pc(s, insn);
  s->access += insn->n_access;
  s->last_pc = insn->addr;
  s->i++;
  s->n++;
}

/* Whether the emulator made none of the instruction's accesses, which are all stores: it has no
 * reservation, and changed at most what tells that. */
static bool is_not_stored(const oct_session *s) {
  const oct_insn *insn = insn_of(s);
  for (unsigned k = 0; k < insn->n_access; k++)
    if (!s->batch.accesses[s->access + k].is_store) return false;
  return !s->n_made;
}

/* What the emulator executed may have been something else. */
static void end_executed(oct_session *s, uint64_t next_pc) {
  if (!s->has_current) return;
  s->has_current = false;
  task *t = &s->tasks[s->task];
  const bool differs = s->differs || s->n_made != insn_of(s)->n_access;
  t->is_unsure = differs && is_not_stored(s);
  if (differs && !t->is_unsure) {
    save_registers(s);
    t->is_known = false;
  }
  end_insn(s);
  t->has_pc = true;
  t->pc = next_pc & UINT64_MAX >> (64 - oct_isa_get(s->isa)->addr_bits);
  t->was_executed = next_pc != s->last_pc; /* an emulator looks once more whether it repeats */
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
  return id != UINT32_MAX && !oct_isa_is_outside(oct_map_entry_at(s->map, id));
}

static int insn_hook(void *context, uint64_t addr) {
  oct_session *s = context;
  if (s->has_current) {
    end_executed(s, addr);
    if (s->error || s->n >= s->stop_at || s->i == s->batch.n_insns || !s->tasks[s->task].is_known ||
        s->tasks[s->task].is_unsure || s->n % CHECKPOINT_INSNS == 0 || !may_execute(s, addr) ||
        is_break(s, addr))
      return 1;
  }
  s->has_current = true;
  s->differs = false;
  s->n_made = 0;
  s->machine.n_parts = 0;
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
  if (!s->has_current || oct_rp_machine_is_part(&s->machine, addr, size_bytes)) return;
  const oct_access *a = same_access(s, addr, size_bytes, 0);
  const uint8_t *value = a ? oct_value_of(&s->batch, a->value) : NULL;
  uint8_t bytes[8];
  s->n_made++;
  s->differs |= !a;
  if (!value && oct_session_read(s, addr, bytes, size_bytes) == size_bytes) value = bytes;
  if (value) s->error |= oct_emulator_poke(s->machine.emulator, addr, value, size_bytes);
}

static void store_hook(void *context, uint64_t addr, unsigned size_bytes, uint64_t value) {
  oct_session *s = context;
  (void)value;
  if (!s->has_current) return;
  s->differs |= !same_access(s, addr, size_bytes, 1);
  s->n_made++;
}

/* Whether the trace tells in front of instruction n why the program is there, or registers. */
static bool has_trap(const oct_session *s) {
  for (size_t k = 0; k < s->batch.n_traps; k++)
    if (s->batch.traps[k].insn == s->i) return true;
  return false;
}
static bool has_register(const oct_session *s) {
  for (size_t k = s->fact; k < s->batch.n_facts && s->batch.facts[k].insn <= s->i; k++)
    if (s->batch.facts[k].kind == OCT_FACT_REGISTER) return true;
  return false;
}

/* Registers are those of the program if the emulator came to instruction n as it did, or if the
 * trace tells what differs there, as where a signal's handler begins. */
static void check_registers(oct_session *s) {
  task *t = &s->tasks[s->task];
  const bool is_elsewhere = t->was_executed && t->pc != insn_of(s)->addr && !has_trap(s);
  if (t->is_known && (is_elsewhere || t->is_unsure) && !has_register(s)) {
    save_registers(s);
    t->is_known = false;
  }
  t->was_executed = t->is_unsure = false;
}

/* Facts in front of instruction n. */
static int take_facts(oct_session *s, oct_diag *diag) {
  const oct_batch *b = &s->batch;
  uint64_t told[2] = {0};
  task *t = &s->tasks[s->task];
  check_registers(s);
  for (; s->fact < b->n_facts && b->facts[s->fact].insn <= s->i; s->fact++) {
    const oct_fact *f = &b->facts[s->fact];
    const uint8_t *bytes = oct_value_of(b, f->value);
    if (f->kind == OCT_FACT_GAP) { /* any task may have run there, and stored */
      for (size_t i = 0; i < s->n_tasks; i++) s->tasks[i].is_known = s->tasks[i].has_pc = false;
      free_memory(&s->memory);
      if (copy_memory(&s->memory, &s->code)) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
      continue;
    }
    if (f->kind == OCT_FACT_MEMORY) {
      if (write_memory(&s->memory, f->addr, bytes, f->n_bytes))
        return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
      continue;
    }
    for (unsigned i = 0; i < s->machine.n_registers; i++) {
      const oct_rp_register *r = &s->machine.registers[i];
      if (r->number != f->number || r->bytes != f->n_bytes) continue;
      memcpy(t->registers + r->at, bytes, r->bytes);
      if (t->is_known) oct_rp_machine_set(&s->machine, r->number, bytes);
    }
    told[f->number / 64] |= UINT64_C(1) << f->number % 64;
  }
  const uint64_t all = oct_isa_general_registers(s->isa);
  for (unsigned i = 0; i < 2; i++) t->told[i] = (t->is_known ? t->told[i] : 0) | told[i];
  if (t->is_known || (told[0] & all) != all) return 0;
  t->is_known = true;
  load_registers(s);
  return 0;
}

/* The value of the instruction's load at addr, or NULL. */
static const uint8_t *loaded(const oct_session *s, uint64_t addr) {
  for (unsigned k = 0; k < insn_of(s)->n_access; k++) {
    const oct_access *a = &s->batch.accesses[s->access + k];
    if (!a->is_store && a->addr == addr && a->size_bytes == 8)
      return oct_value_of(&s->batch, a->value);
  }
  return NULL;
}

/* Instruction n, an xrstor, has loaded vector registers, as far as rax asks for them: from an area
 * behind whose first 512 bytes stands, and is loaded first, which parts it has; those without are
 * zero. Whether the trace tells all of that. */
static bool restore_vectors(oct_session *s) {
  enum { RAX = 0, HEADER = 512, VECTORS = 160, N_VECTORS = 16, SSE = 2 };
  const oct_access *first = &s->batch.accesses[s->access];
  uint8_t bytes[2 * N_VECTORS][8] = {{0}}, rax[8];
  if (!insn_of(s)->n_access) return false;
  const uint8_t *parts = loaded(s, first->addr);
  if (!parts) return false;
  oct_rp_machine_get(&s->machine, RAX, rax);
  if (!(rax[0] & SSE)) return true;
  for (unsigned i = 0; i < 2 * N_VECTORS && (parts[0] & SSE); i++) {
    const uint8_t *half = loaded(s, first->addr - HEADER + VECTORS + 8 * i);
    if (!half) return false;
    memcpy(bytes[i], half, 8);
  }
  for (unsigned i = 0; i < N_VECTORS; i++)
    oct_rp_machine_set(&s->machine, OCT_REG_FLOAT + i, bytes[2 * i]);
  return true;
}

/* The emulator could not execute instruction n, of that map entry. */
static void pass_insn(oct_session *s, uint32_t id) {
  const oct_map_entry *e = oct_map_entry_at(s->map, id);
  const oct_isa_state state = oct_isa_moves_state(e);
  const bool is_sure =
      state == OCT_STATE_SAVED || (state == OCT_STATE_RESTORED && restore_vectors(s));
  s->has_current = false;
  end_insn(s);
  s->tasks[s->task].is_unsure = e->code_isa && !is_sure;
}

/* Instructions up to stop_at. */
static int run_on(oct_session *s, oct_diag *diag) {
  int got = 0;
  while (s->n < s->stop_at && !s->is_ended && (got = have_insn(s, diag)) == 1) {
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
      const int fault = oct_emulator_run(s->machine.emulator, &pc,
                                         oct_map_at(s->map, id)->code_isa == OCT_ISA_THUMB + 1);
      if (fault && s->has_current && pc == insn_of(s)->addr)
        pass_insn(s, oct_map_find(s->map, pc));
      else if (s->has_current)
        end_executed(s, pc);
      else if (fault && s->n == n)
        pass_insn(s, id);
    }
    if (s->error) return oct_fail(diag, OCT_ERR_LIMIT, "a program of more memory than can be held");
  }
  if (got < 0 || (got = have_insn(s, diag)) <= 0) return got;
  if (s->n % CHECKPOINT_INSNS == 0 && (got = keep_checkpoint(s, diag))) return got;
  if (switch_task(s, insn_of(s)->task)) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  return take_facts(s, diag);
}

/* On to position `to`, or to the first of n places. */
static int run_to(oct_session *s, uint64_t to, const oct_session_place *places, size_t n,
                  oct_diag *diag) {
  s->stop_at = to;
  s->places = places;
  s->n_places = s->hit = n;
  s->goes_on = false;
  s->is_first = true;
  int rc = run_on(s, diag);
  s->n_places = 0;
  return rc;
}

int oct_session_run(oct_session *s, uint64_t to, const oct_session_place *places, size_t n,
                    size_t *hit, oct_diag *diag) {
  s->is_ended = false;
  int rc = run_to(s, to, places, n, diag);
  *hit = s->hit;
  return rc;
}

/* Be at position n, unless the work ends before. */
static int go_to(oct_session *s, uint64_t n, oct_diag *diag) {
  static const uint64_t distances[NEAR] = {4096, 64};
  int rc = 0;
  if (n > s->length) n = s->length;
  const bool is_back = n < s->n;
  if (is_back && (rc = copy_rest(s, diag))) return rc;
  const checkpoint *from = s->n_checkpoints ? find_checkpoint(s, n) : NULL;
  if (from && !s->is_ended && (is_back || from->n > s->n)) rc = take_checkpoint(s, from, diag);
  for (unsigned i = 0; i < NEAR && is_back && !rc && !s->is_ended; i++) {
    if (n < distances[i] || n - distances[i] <= s->n) continue;
    rc = run_to(s, n - distances[i], NULL, 0, diag);
    if (!rc && !s->is_ended) rc = fill_checkpoint(s, &s->near[i], diag);
  }
  return rc || s->is_ended ? rc : run_to(s, n, NULL, 0, diag);
}

int oct_session_go(oct_session *s, uint64_t n, oct_diag *diag) {
  s->is_ended = false;
  return go_to(s, n, diag);
}

/* Stretch by stretch back, each run forward for its last hit. A run that ends before goes as far
 * back as no stretch had one. */
int oct_session_run_back(oct_session *s, uint64_t to, const oct_session_place *places, size_t n,
                         size_t *hit, oct_diag *diag) {
  uint64_t end = s->n;
  *hit = n;
  s->is_ended = false;
  while (end > to) {
    uint64_t from = (end - 1) / CHECKPOINT_INSNS * CHECKPOINT_INSNS;
    if (from < to) from = to;
    int rc = go_to(s, from, diag);
    if (!rc && !s->is_ended) {
      s->stop_at = end;
      s->places = places;
      s->n_places = s->hit = n;
      s->goes_on = true;
      s->is_first = false;
      rc = run_on(s, diag);
      s->n_places = 0;
    }
    if (rc) return rc;
    if (s->is_ended) {
      s->is_deaf = true;
      s->is_ended = false;
      rc = go_to(s, end, diag);
      s->is_deaf = false;
      return rc;
    }
    if (s->hit != n) {
      *hit = s->hit;
      return go_to(s, s->hit_at, diag);
    }
    end = from;
  }
  return go_to(s, to, diag);
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
bool oct_session_has_changed(const oct_session *s) {
  return s->has_changed;
}
bool oct_session_is_thumb(oct_session *s) {
  const uint32_t id = oct_map_find(s->map, oct_session_pc(s));
  return id != UINT32_MAX && oct_map_at(s->map, id)->code_isa == OCT_ISA_THUMB + 1;
}

/* Copy the trace, as far as it is read, to a native file, which has no name until it is whole. */
static int begin_copy(oct_session *s, oct_diag *diag) {
  const char *folder = getenv("TMPDIR");
  char *path = s->path;
  snprintf(path, PATH_ROOM, "%s/octrace-session-XXXXXX", folder && *folder ? folder : "/tmp");
  const int file = mkstemp(path);
  if (file < 0) return oct_fail_in(diag, OCT_ERR_IO, path, "cannot be made");
  close(file);
  unlink(path);
  const oct_write_options options = {.info = oct_reader_info(s->reader), .level = 1};
  s->length = UINT64_MAX;
  return oct_writer_open(path, &options, &s->copy, diag);
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
  const oct_emulator_hooks hooks = {s, insn_hook, load_hook, store_hook};
  s->map = oct_map_new();
  if (!s->map || oct_rp_machine_init(&s->machine, s->isa, &hooks))
    return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  for (unsigned i = 0; i < OCT_REGISTERS_MAX; i++)
    s->keeps[i / 64] |= (uint64_t)oct_rp_machine_keeps(&s->machine, i) << i % 64;
  return 0;
}

void oct_session_tell(oct_session *s, bool (*tell_it)(void *context, uint64_t insn),
                      void *context) {
  s->tell = tell_it;
  s->context = context;
}

static int open_session(const char *path, const oct_read_options *options, bool waits,
                        oct_session **out, oct_diag *diag) {
  oct_session *s = *out = calloc(1, sizeof *s);
  if (!s) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  if (options) s->options = *options;
  int rc = oct_reader_open(path, &s->options, &s->reader, diag);
  if (rc || (rc = prepare(s, diag))) goto fail;
  const oct_trace_info *info = oct_reader_info(s->reader);
  s->length = info->n_insns;
  const size_t room = strlen(path) + 1;
  if (!(s->path = malloc(room > PATH_ROOM ? room : PATH_ROOM)))
    rc = oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  else
    memcpy(s->path, path, room);
  if (!rc && (info->format != oct_format_default() || !info->n_insns)) rc = begin_copy(s, diag);
  if (!rc && waits && s->copy && (rc = copy_rest(s, diag)) == 0) rc = reopen(s, 0, diag);
  if (rc || (rc = have_insn(s, diag)) != 1 || (rc = switch_task(s, insn_of(s)->task)) ||
      (rc = keep_checkpoint(s, diag)) || (rc = take_facts(s, diag)))
    goto fail;
  return 0;
fail:
  oct_session_close(s);
  *out = NULL;
  return rc < 0 ? rc : OCT_ERR_NOMEM;
}

int oct_session_open(const char *path, const oct_read_options *options, oct_session **out,
                     oct_diag *diag) {
  return open_session(path, options, true, out, diag);
}

int oct_session_start(const char *path, const oct_read_options *options, oct_session **out,
                      oct_diag *diag) {
  return open_session(path, options, false, out, diag);
}

void oct_session_close(oct_session *s) {
  if (!s) return;
  if (s->copy) oct_writer_abort(s->copy);
  oct_reader_close(s->reader);
  oct_emulator_free(s->machine.emulator);
  oct_map_free(s->map);
  for (size_t k = 0; k < s->n_checkpoints; k++) free_checkpoint(&s->checkpoints[k]);
  for (size_t k = 0; k < NEAR; k++) free_checkpoint(&s->near[k]);
  free(s->checkpoints);
  free_memory(&s->memory);
  free_memory(&s->code);
  free(s->tasks);
  if (s->file > 0) close(s->file);
  free(s->held);
  free(s->gaps);
  free(s->path);
  free(s);
}
