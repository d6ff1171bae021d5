/* SPDX-License-Identifier: Apache-2.0 */
/* oct_ev_text.c - reads event traces as text: lines `time thread enter|leave function`, and what
 * `uftrace dump` prints.
 *
 * A line is cut at blanks; the function is its rest. Words have blanks and line ends escaped (\s,
 * \n). Lines that begin with # are comments, apart from those that tell processes and ticks. */
#include <stdio.h>

#include "oct_ev_source_format.h"
#include "oct_input.h"
#include "oct_text_begin.h"

enum { NAME_BYTES_MAX = 65536 };

typedef struct text_state {
  oct_input *in;
  uint64_t line;
  uint64_t time;     /* dump: of the line before */
  uint32_t location; /* of the line before */
  char *thread;      /* its name as the file has it */
  size_t thread_bytes;
  oct_ev_defs
      declared; /* by `# process` lines: threads, as functions, with their processes' numbers */
  char *name;   /* a name whose escapes are undone */
} text_state;

static int text_open(oct_ev_source *s, oct_diag *diag) {
  text_state *t = calloc(1, sizeof *t);
  s->state = t;
  if (!t || !(t->name = malloc(NAME_BYTES_MAX)) || !(t->thread = malloc(NAME_BYTES_MAX)))
    return oct_fail_in(diag, OCT_ERR_NOMEM, s->path, "out of memory");
  t->location = UINT32_MAX;
  int error = 0;
  t->in = s->in;
  s->in = NULL;
  if (!t->in) error = oct_input_open(s->path, &t->in, diag);
  if (!error) error = oct_text_begin(t->in, diag);
  if (error) return error;
  if (!strcmp(s->path, "-")) { /* as messages show it */
    char *name = strdup(oct_input_name(t->in));
    if (!name) return oct_fail_in(diag, OCT_ERR_NOMEM, s->path, "out of memory");
    free(s->path);
    s->path = name;
  }
  /* The clock is to be known from the start: it stands in a comment before the first record. */
  const uint8_t *p;
  int64_t n = oct_input_peek(t->in, 4096, &p, diag);
  if (n < 0) return (int)n;
  static const char clock[] = "# ticks_per_second ";
  for (const char *q = (const char *)p, *end = q + n; q < end && *q == '#';) {
    if ((size_t)(end - q) > sizeof clock && !memcmp(q, clock, sizeof clock - 1))
      oct_ev_parse_number(q + sizeof clock - 1, end, &s->own.ticks_per_second);
    const char *next = memchr(q, '\n', (size_t)(end - q));
    q = next ? next + 1 : end;
  }
  return 0;
}

/* Behind the last line: one without its line end may be cut off. */
static void note_open_line(oct_ev_source *s) {
  const text_state *t = s->state;
  if (oct_input_is_line_open(t->in) && !s->note[0])
    snprintf(s->note, sizeof s->note, "the last line has no line end: the trace may be cut off");
}

/* A word of the line; returns its end. */
static const char *word_end(const char *p, const char *end) {
  while (p < end && *p != ' ' && *p != '\t') p++;
  return p;
}
static const char *skip_blanks(const char *p, const char *end) {
  while (p < end && (*p == ' ' || *p == '\t')) p++;
  return p;
}

/* Undo \s (blank), \t, \n, \r, \e (nothing) and \\ of a word; returns its length. */
static size_t unescape(char *out, const char *p, const char *end) {
  size_t n = 0;
  for (; p < end && n < NAME_BYTES_MAX; p++) {
    if (*p == '\\' && p + 1 < end) {
      p++;
      if (*p == 'e') continue;
      out[n++] = *p == 's' ? ' ' : *p == 't' ? '\t' : *p == 'n' ? '\n' : *p == 'r' ? '\r' : *p;
    } else {
      out[n++] = *p;
    }
  }
  return n;
}

static int bad_line(oct_ev_source *s, const char *what, oct_diag *diag) {
  const text_state *t = s->state;
  return oct_diag_in(diag, s->path,
                     oct_fail_at(diag, OCT_ERR_FORMAT, OCT_AT_LINE, t->line,
                                 "%s: expected time thread enter|leave function", what));
}

/* `# process THREAD PROCESS`: remembered for when the thread is first met. */
static int comment(oct_ev_source *s, const char *p, const char *end, oct_diag *diag) {
  static const char key[] = "# process ";
  oct_ev_defs *d = &((text_state *)s->state)->declared;
  if ((size_t)(end - p) < sizeof key || memcmp(p, key, sizeof key - 1)) return 0;
  p += sizeof key - 1;
  const char *blank = memchr(p, ' ', (size_t)(end - p));
  if (!blank) return 0;
  if (memchr(p, 0, (size_t)(end - p))) return bad_line(s, "a byte of 0", diag);
  int64_t got = oct_ev_names_add(&d->processes, blank + 1, (size_t)(end - blank - 1));
  if (got >= 0) got = oct_ev_defs_function(d, p, (size_t)(blank - p), (uint64_t)got);
  return got < 0 ? oct_fail_in(diag, (int)got, s->path, "%s", oct_error_text((int)got)) : 0;
}

/* The process of a thread by its name in the file. */
static const char *find_process(text_state *t, const char *thread, size_t n) {
  int64_t at = oct_ev_names_find(&t->declared.functions, thread, n);
  if (at < 0) return "process";
  const char *name =
      oct_ev_names_text(&t->declared.processes, (uint32_t)t->declared.function_id[at]);
  t->name[unescape(t->name, name, name + strlen(name))] = 0;
  return t->name;
}

static int find_location(oct_ev_source *s, const char *p, size_t n, uint32_t *location) {
  text_state *t = s->state;
  if (t->location != UINT32_MAX && n == t->thread_bytes && !memcmp(p, t->thread, n)) {
    *location = t->location;
    return 0;
  }
  char *name = t->thread;
  size_t length = unescape(name, p, p + n);
  int64_t found = oct_ev_names_find(&s->own.locations, name, length);
  if (found < 0) {
    const char *process = find_process(t, p, n);
    found = oct_ev_defs_location(&s->own, name, length, process, s->own.locations.n);
  }
  if (found < 0) return (int)found;
  memcpy(t->thread, p, n);
  t->thread_bytes = n;
  *location = t->location = (uint32_t)found;
  return 0;
}

/* A call of the function that [name, end) names, or the end of one. */
static int add_call(oct_ev_source *s, uint64_t time, uint32_t location, const char *name,
                    const char *end, oct_ev_kind kind, oct_diag *diag) {
  int64_t function = oct_ev_defs_function(&s->own, name, (size_t)(end - name), s->own.functions.n);
  if (function < 0)
    return oct_fail_in(diag, (int)function, s->path, "%s", oct_error_text((int)function));
  oct_ev_source_add(s, time, location, (uint32_t)function, kind);
  return 0;
}

static int record(oct_ev_source *s, const char *p, const char *end, oct_diag *diag) {
  uint64_t time;
  uint32_t location = 0;
  if (memchr(p, 0, (size_t)(end - p))) return bad_line(s, "a byte of 0", diag);
  const char *q = oct_ev_parse_number(p, end, &time);
  if (q && q < end && *q == '.') {
    q = oct_ev_parse_seconds(p, end, &time);
    s->own.ticks_per_second = 1000000000;
  }
  if (!q || q == end || (*q != ' ' && *q != '\t')) return bad_line(s, "no time", diag);
  p = skip_blanks(q, end);
  q = word_end(p, end);
  if (p == q) return bad_line(s, "no thread", diag);
  if ((size_t)(q - p) >= NAME_BYTES_MAX) return bad_line(s, "too long a thread", diag);
  int error = find_location(s, p, (size_t)(q - p), &location);
  if (error) return oct_fail_in(diag, error, s->path, "%s", oct_error_text(error));
  p = skip_blanks(q, end);
  q = word_end(p, end);
  if (p == q) return bad_line(s, "no enter or leave", diag);
  size_t n = (size_t)(q - p);
  int enter = n == 5 && !memcmp(p, "enter", 5);
  if (!enter && (n != 5 || memcmp(p, "leave", 5)))
    return oct_ev_source_add_other(s, time, location, OCT_EV_OTHER_TEXT, p, (size_t)(end - p),
                                   diag);
  p = skip_blanks(q, end);
  if (p == end) return bad_line(s, "no function", diag);
  return add_call(s, time, location, p, end, enter ? OCT_EV_ENTER : OCT_EV_LEAVE, diag);
}

static int text_next(oct_ev_source *s, oct_diag *diag) {
  text_state *t = s->state;
  const char *line;
  size_t length;
  int got = 1;
  while (oct_ev_source_room(s)) {
    if ((got = oct_input_line(t->in, &line, &length, diag)) <= 0) break;
    t->line++;
    if (length && line[length - 1] == '\r') length--;
    const char *p = skip_blanks(line, line + length), *end = line + length;
    if (p == end) continue;
    int error = *p == '#' ? comment(s, p, end, diag) : record(s, p, end, diag);
    if (error) return error;
  }
  if (!got) note_open_line(s);
  return got < 0 ? got : s->n > 0;
}

static void text_close(oct_ev_source *s) {
  text_state *t = s->state;
  if (!t) return;
  if (t->in) oct_input_close(t->in);
  oct_ev_defs_free(&t->declared);
  free(t->thread);
  free(t->name);
  free(t);
}

const oct_ev_source_ops oct_ev_text_source = {text_open, text_next, text_close};

/* Lines of uftrace dump: `SECONDS  TID: [entry] NAME(ADDRESS) depth: N`, `[exit ]`, and others. */

static int dump_open(oct_ev_source *s, oct_diag *diag) {
  s->own.ticks_per_second = 1000000000;
  return text_open(s, diag);
}

/* The name in `NAME(ADDRESS) depth: N`: up to the last bracket that opens before an address. */
static const char *dump_name_end(const char *p, const char *end) {
  static const char depth[] = " depth: ";
  const char *q = end;
  while (q > p && q[-1] >= '0' && q[-1] <= '9') q--;
  if ((size_t)(q - p) < sizeof depth || memcmp(q - (sizeof depth - 1), depth, sizeof depth - 1))
    return NULL;
  q -= sizeof depth - 1;
  while (q > p && q[-1] != '(') q--;
  return q > p + 1 ? q - 1 : NULL;
}

static int dump_line(oct_ev_source *s, const char *line, const char *end, oct_diag *diag) {
  text_state *t = s->state;
  const char *p = skip_blanks(line, end);
  uint64_t time, thread;
  const char *q = oct_ev_parse_seconds(p, end, &time);
  if (!q && p > line && t->location != UINT32_MAX) /* what belongs to the record before */
    return oct_ev_source_add_other(s, t->time, t->location, OCT_EV_OTHER_TEXT, p, (size_t)(end - p),
                                   diag);
  const char *tid = q ? skip_blanks(q, end) : NULL;
  q = tid ? oct_ev_parse_number(tid, end, &thread) : NULL;
  if (!q || q == end || *q != ':') return 0; /* headings, and lines about perf and kernel files */
  int64_t location = oct_ev_defs_location(&s->own, tid, (size_t)(q - tid), "process", thread);
  if (location < 0)
    return oct_fail_in(diag, (int)location, s->path, "%s", oct_error_text((int)location));
  t->time = time;
  t->location = (uint32_t)location;
  p = skip_blanks(q + 1, end);
  int enter = end - p > 8 && !memcmp(p, "[entry] ", 8);
  int leave = end - p > 8 && !memcmp(p, "[exit ] ", 8);
  if (!enter && !leave)
    return oct_ev_source_add_other(s, time, t->location, OCT_EV_OTHER_TEXT, p, (size_t)(end - p),
                                   diag);
  const char *name_end = dump_name_end(p + 8, end);
  if (!name_end || memchr(p, 0, (size_t)(name_end - p)))
    return oct_diag_in(diag, s->path,
                       oct_fail_at(diag, OCT_ERR_FORMAT, OCT_AT_LINE, t->line,
                                   "expected NAME(ADDRESS) depth: N after [entry]"));
  return add_call(s, time, t->location, p + 8, name_end, enter ? OCT_EV_ENTER : OCT_EV_LEAVE, diag);
}

static int dump_next(oct_ev_source *s, oct_diag *diag) {
  text_state *t = s->state;
  const char *line;
  size_t length;
  int got = 1;
  while (oct_ev_source_room(s)) {
    if ((got = oct_input_line(t->in, &line, &length, diag)) <= 0) break;
    t->line++;
    /* Behind the tasks' files stand those of the processors, which hold no calls. */
    if (length > 12 && (!memcmp(line, "reading perf", 12) || !memcmp(line, "reading kern", 12))) {
      snprintf(s->note, sizeof s->note, "kernel and perf records are left out");
      while ((got = oct_input_line(t->in, &line, &length, diag)) > 0) continue;
      break;
    }
    int error = dump_line(s, line, line + length, diag);
    if (error) return error;
  }
  if (got == 0 && t->location == UINT32_MAX)
    return oct_fail_in(diag, OCT_ERR_FORMAT, s->path,
                       "none of its lines (%llu) is SECONDS TID: [entry] NAME(ADDRESS) depth: N",
                       (unsigned long long)t->line);
  if (!got) note_open_line(s);
  return got < 0 ? got : s->n > 0;
}

const oct_ev_source_ops oct_ev_dump_source = {dump_open, dump_next, text_close};
