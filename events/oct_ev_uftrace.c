/* SPDX-License-Identifier: Apache-2.0 */
/* oct_ev_uftrace.c - reads the data directory of uftrace record: task.txt, maps, a .dat file a
 * task.
 *
 * A record of a .dat file is 16 bytes, little-endian: time in nanoseconds; then from the low bits
 * up type (2 bits: entry, exit, lost, event), more (1: arguments follow), magic (3: 5), depth (10),
 * address (48). The tasks' files are merged by time. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "oct_ev_source_format.h"
#include "oct_ev_symbols.h"
#include "oct_input.h"
#include "oct_plural.h"
#include "oct_text_begin.h"

enum { RECORD_BYTES = 16, TYPE_ENTRY = 0, TYPE_EXIT, TYPE_LOST, TYPE_EVENT, MAGIC = 5 };

typedef struct task {
  uint64_t tid, pid;
  char session[64];
  oct_input *in; /* NULL: nothing left */
  uint64_t time, word;
  uint32_t location;
} task;

typedef struct uftrace_state {
  oct_ev_symbols *symbols;
  task *tasks;
  size_t n_tasks, tasks_cap;
  uint64_t lost;
} uftrace_state;

static task *find_task(uftrace_state *u, uint64_t tid) {
  for (size_t i = 0; i < u->n_tasks; i++)
    if (u->tasks[i].tid == tid) return &u->tasks[i];
  return NULL;
}

static task *add_task(uftrace_state *u, uint64_t tid, uint64_t pid) {
  task *t = find_task(u, tid);
  if (t) return t;
  if (oct_ev_grow((void **)&u->tasks, &u->tasks_cap, u->n_tasks + 1, sizeof *u->tasks)) return NULL;
  t = &u->tasks[u->n_tasks++];
  *t = (task){.tid = tid, .pid = pid};
  const task *parent = find_task(u, pid);
  if (parent && parent != t) memcpy(t->session, parent->session, sizeof t->session);
  return t;
}

/* The value of `key=` in a line of task.txt. */
static const char *value_of(const char *line, const char *key) {
  const char *p = strstr(line, key);
  return p ? p + strlen(key) : NULL;
}

/* SESS, TASK and FORK lines: tasks, whose they are, and the session that says what is mapped. */
static int task_line(uftrace_state *u, const char *line) {
  const char *tid = value_of(line, " tid="), *pid = value_of(line, " pid=");
  const char *sid = value_of(line, " sid="), *ppid = value_of(line, " ppid=");
  if (!pid) return 0;
  uint64_t p = strtoull(pid, NULL, 10);
  if (!strncmp(line, "TASK", 4) && tid) return add_task(u, strtoull(tid, NULL, 10), p) ? 0 : -1;
  if (!strncmp(line, "FORK", 4)) {
    task *t = add_task(u, p, p);
    const task *from = ppid ? find_task(u, strtoull(ppid, NULL, 10)) : NULL;
    if (t && from) memcpy(t->session, from->session, sizeof t->session);
    return t ? 0 : -1;
  }
  if (!strncmp(line, "SESS", 4) && sid) {
    task *t = add_task(u, p, p);
    if (!t) return -1;
    size_t n = strcspn(sid, " \r\n");
    snprintf(t->session, sizeof t->session, "%.*s", (int)(n < 63 ? n : 63), sid);
  }
  return 0;
}

static int read_tasks(oct_ev_source *s, oct_diag *diag) {
  char path[4096];
  const char *line;
  size_t length;
  oct_input *in;
  int got, error = 0;
  snprintf(path, sizeof path, "%s/task.txt", s->path);
  if ((got = oct_input_open(path, &in, diag))) return got;
  error = oct_text_begin(in, diag);
  while (!error && (got = oct_input_line(in, &line, &length, diag)) > 0) {
    char copy[4096];
    snprintf(copy, sizeof copy, "%.*s", (int)(length < 4095 ? length : 4095), line);
    if (task_line(s->state, copy)) error = oct_fail_in(diag, OCT_ERR_NOMEM, path, "out of memory");
  }
  oct_input_close(in);
  return error ? error : got;
}

/* Read the task's next record; its input is closed at the end. */
static int next_record(oct_ev_source *s, task *t, oct_diag *diag) {
  const uint8_t *p;
  uint64_t offset = oct_input_offset(t->in);
  int64_t got = oct_input_peek(t->in, RECORD_BYTES, &p, diag);
  if (got < 0) return (int)got;
  if (got == 0) {
    oct_input_close(t->in);
    t->in = NULL;
    return 0;
  }
  if (got < RECORD_BYTES)
    return oct_input_fail(t->in, offset, diag, OCT_ERR_TRUNCATED,
                          "%d byte%s: expected a record of %d", (int)got, OCT_S(got), RECORD_BYTES);
  t->time = oct_ev_load(p, 8);
  t->word = oct_ev_load(p + 8, 8);
  oct_input_take(t->in, RECORD_BYTES);
  if ((t->word >> 3 & 7) != MAGIC)
    return oct_input_fail(t->in, offset, diag, OCT_ERR_FORMAT, "not a record of uftrace");
  if (t->word & 4)
    return oct_fail_in(diag, OCT_ERR_UNSUPPORTED, oct_input_name(t->in),
                       "arguments were recorded, whose sizes only uftrace knows: use uftrace dump "
                       "-d %s and --from uftrace-dump",
                       s->path);
  return 0;
}

static int open_tasks(oct_ev_source *s, oct_diag *diag) {
  uftrace_state *u = s->state;
  char path[4096], name[32], process[32];
  for (size_t i = 0; i < u->n_tasks; i++) {
    task *t = &u->tasks[i];
    snprintf(path, sizeof path, "%s/%" PRIu64 ".dat", s->path, t->tid);
    if (access(path, F_OK) && errno == ENOENT) continue; /* the task called nothing */
    snprintf(name, sizeof name, "%" PRIu64, t->tid);
    snprintf(process, sizeof process, "%" PRIu64, t->pid);
    int64_t location = oct_ev_defs_location(&s->own, name, strlen(name), process, t->tid);
    if (location < 0) return oct_fail_in(diag, (int)location, s->path, "out of memory");
    t->location = (uint32_t)location;
    int error = oct_input_open(path, &t->in, diag);
    if (!error) error = next_record(s, t, diag);
    if (error) return error;
  }
  return 0;
}

static int uftrace_open(oct_ev_source *s, oct_diag *diag) {
  uftrace_state *u = calloc(1, sizeof *u);
  s->state = u;
  s->own.ticks_per_second = 1000000000;
  if (!u || oct_ev_symbols_new(s->path, &u->symbols))
    return oct_fail_in(diag, OCT_ERR_NOMEM, s->path, "out of memory");
  int error = read_tasks(s, diag);
  return error ? error : open_tasks(s, diag);
}

static task *earliest(uftrace_state *u) {
  task *first = NULL;
  for (size_t i = 0; i < u->n_tasks; i++) {
    task *t = &u->tasks[i];
    if (t->in && (!first || t->time < first->time)) first = t;
  }
  return first;
}

static int give(oct_ev_source *s, task *t, oct_diag *diag) {
  uftrace_state *u = s->state;
  unsigned type = t->word & 3;
  uint64_t address = t->word >> 16;
  char text[64];
  if (type == TYPE_LOST || type == TYPE_EVENT) {
    if (type == TYPE_LOST) u->lost += address ? address : 1;
    snprintf(text, sizeof text, type == TYPE_LOST ? "lost %" PRIu64 : "event %" PRIu64, address);
    return oct_ev_source_add_other(s, t->time, t->location, OCT_EV_OTHER_TEXT, text, strlen(text),
                                   diag);
  }
  int64_t function = oct_ev_symbols_find(u->symbols, t->session, address, &s->own);
  if (function < 0)
    return oct_fail_in(diag, (int)function, s->path, "names of functions: %s",
                       oct_error_text((int)function));
  oct_ev_source_add(s, t->time, t->location, (uint32_t)function,
                    type == TYPE_ENTRY ? OCT_EV_ENTER : OCT_EV_LEAVE);
  return 0;
}

static int uftrace_next(oct_ev_source *s, oct_diag *diag) {
  uftrace_state *u = s->state;
  task *t = earliest(u);
  while (t && oct_ev_source_room(s)) {
    uint64_t limit = UINT64_MAX; /* when another task is to be looked at */
    for (size_t i = 0; i < u->n_tasks; i++)
      if (&u->tasks[i] != t && u->tasks[i].in && u->tasks[i].time < limit) limit = u->tasks[i].time;
    while (t->in && t->time <= limit && oct_ev_source_room(s)) {
      int error = give(s, t, diag);
      if (!error) error = next_record(s, t, diag);
      if (error) return error;
    }
    t = earliest(u);
  }
  if (u->lost)
    snprintf(s->note, sizeof s->note, "uftrace itself lost %" PRIu64 " record%s while recording",
             u->lost, OCT_S(u->lost));
  return s->n > 0;
}

static void uftrace_close(oct_ev_source *s) {
  uftrace_state *u = s->state;
  if (!u) return;
  for (size_t i = 0; i < u->n_tasks; i++)
    if (u->tasks[i].in) oct_input_close(u->tasks[i].in);
  free(u->tasks);
  oct_ev_symbols_free(u->symbols);
  free(u);
}

const oct_ev_source_ops oct_ev_uftrace_source = {uftrace_open, uftrace_next, uftrace_close};
