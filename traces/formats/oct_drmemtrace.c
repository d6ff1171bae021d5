/* SPDX-License-Identifier: Apache-2.0 */
/* oct_drmemtrace.c - reader of DynamoRIO's drmemtrace files (docs/formats/drmemtrace.md).
 *
 * Packed records of 12 bytes, `u16 type, u16 size, u64 value` (8 bytes with a 32-bit value for
 * 32-bit programs), in the members of a zip file, a compressed file or a plain one. A folder holds
 * a file for each thread; they take turns by the time stamps in them.
 *
 * The table of files beside them, modules.log: a line names the columns, then each mapped part of a
 * file has a line; parts of one file follow each other and name the first of them (containing_id).
 * The path is the last column, after fields that each tracer has of its own. Older tables lack the
 * address that a file asked for: without it nobody knows by how much the file was moved, and such
 * files are left out. */
#include "oct_lines.h"
#include "oct_reader_format.h"
#include "oct_text_begin.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- The table of files ---- */

enum { ID, CONTAINING, START, END, PREFERRED, COLUMNS };
static const char *const names[COLUMNS] = {"id", "containing_id", "start", "end", "preferred_base"};

typedef struct table {
  int at[COLUMNS]; /* number of the column, or -1 */
  int last;        /* the last of these */
  oct_module module;
  char *path; /* of the module that is read, or NULL */
} table;

static int find_columns(table *t, const char *line) {
  int column = 0;
  for (int k = 0; k < COLUMNS; k++) t->at[k] = -1;
  while (*line) {
    line += strspn(line, ", ");
    const size_t n = strcspn(line, ",\n");
    for (int k = 0; k < COLUMNS; k++)
      if (strlen(names[k]) == n && !strncmp(names[k], line, n)) t->at[k] = t->last = column;
    line += n + strspn(line + n, "\n");
    column++;
  }
  for (int k = 0; k < COLUMNS; k++)
    if (t->at[k] < 0) return 0;
  return 1;
}

/* The numbers of a line, and where the path begins. NULL: it is no line of the table. */
static const char *parse_table(const table *t, const char *line, uint64_t *values) {
  for (int column = 0; column <= t->last; column++) {
    char *end;
    line += strspn(line, " ");
    const uint64_t value = strtoull(line, &end, line[0] == '0' ? 16 : 10);
    if (end == line || *end != ',') return NULL;
    for (int k = 0; k < COLUMNS; k++)
      if (t->at[k] == column) values[k] = value;
    line = end + 1;
  }
  const char *path = strstr(line, " /");
  return path ? path + 1 : NULL;
}

static int add(table *t, oct_reader *r, oct_diag *diag) {
  const oct_module *m = &t->module;
  int rc = t->path ? oct_reader_add_mapped(r, t->path, m->addr, m->n_bytes, m->bias, diag) : 0;
  free(t->path);
  t->path = NULL;
  return rc;
}

static int take_line(table *t, oct_reader *r, char *line, oct_diag *diag) {
  uint64_t values[COLUMNS];
  line[strcspn(line, "\r\n")] = '\0';
  const char *path = parse_table(t, line, values);
  if (!path || values[END] <= values[START]) return 0;
  if (t->path && values[CONTAINING] != values[ID] && !strcmp(path, t->path)) {
    if (values[END] - t->module.addr > t->module.n_bytes)
      t->module.n_bytes = values[END] - t->module.addr;
    return 0;
  }
  int rc = add(t, r, diag);
  if (rc) return rc;
  t->module = (oct_module){.addr = values[START],
                           .n_bytes = values[END] - values[START],
                           .bias = values[START] - values[PREFERRED]};
  t->path = strdup(path);
  return t->path ? 0 : oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
}

static int read_table(oct_reader *r, FILE *file, oct_diag *diag) {
  static const char head[] = "Columns: ";
  table t = {.path = NULL};
  char *line = NULL;
  size_t room = 0;
  int rc = 0, has_columns = 0;
  errno = 0;
  while (!rc && getline(&line, &room, file) > 0) {
    if (!strncmp(line, head, sizeof head - 1))
      has_columns = find_columns(&t, line + sizeof head - 1);
    else if (has_columns)
      rc = take_line(&t, r, line, diag);
  }
  if (!rc && errno == ENOMEM) rc = oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  if (!rc) rc = add(&t, r, diag);
  free(t.path);
  free(line);
  return rc;
}

/* Add the modules of modules.log to r, whose trace is the file at path: from its folder, or from
 * `raw` in or beside that. Nothing is wrong if there is none. OCT_ERR_NOMEM, OCT_ERR_LIMIT. */
static int add_modules(oct_reader *r, const char *path, oct_diag *diag) {
  static const char *const places[] = {"modules.log", "raw/modules.log", "../raw/modules.log"};
  const char *slash = strrchr(path, '/');
  FILE *file = NULL;
  for (size_t i = 0; !file && i < sizeof places / sizeof *places; i++) {
    char *name;
    if (asprintf(&name, "%.*s%s", slash ? (int)(slash - path + 1) : 0, path, places[i]) < 0)
      return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
    file = oct_text_fopen(name);
    const bool is_full = !file && errno == ENOMEM;
    free(name);
    if (is_full) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  }
  if (!file) return 0;
  int rc = read_table(r, file, diag);
  fclose(file);
  return rc;
}

/* ---- The trace ---- */

/* Types of records, those of versions 2 to 5 of the format. */
enum {
  TYPE_READ = 0,
  TYPE_WRITE = 1,
  TYPE_INSTR = 10,
  TYPE_INDIRECT_JUMP = 12,
  TYPE_INDIRECT_CALL = 15,
  TYPE_RETURN = 16,
  TYPE_BUNDLE = 17,
  TYPE_THREAD = 22,
  TYPE_HEADER = 25,
  TYPE_MARKER = 28,
  TYPE_NO_FETCH = 29,
  TYPE_MAYBE_FETCH = 30,
  TYPE_SYSENTER = 31,
  TYPE_ENCODING = 47,
  TYPE_TAKEN_JUMP = 48,
  TYPE_UNTAKEN_JUMP = 49,
  TYPES = 50
};
enum {
  MARKER_TIMESTAMP = 2,
  MARKER_FILETYPE = 9,
  VERSION_MAX = 100,
  CODE_BYTES = 24,
  FILETYPE_AT = 64
};

/* A file and where it stands. */
typedef struct source {
  oct_input *in;
  int is_ended;
  uint64_t time; /* its last time stamp */
  uint32_t task;
  uint64_t next; /* the address behind the last instruction, where a bundle goes on */
  uint8_t code[CODE_BYTES];
  size_t code_bytes;
} source;

typedef struct drmemtrace {
  size_t value_bytes; /* 4 or 8 */
  oct_disasm *disasm;
  source *sources, *current; /* current->in is the reader's input */
  size_t n_sources;
} drmemtrace;

static int is_insn(unsigned type) {
  return (type >= TYPE_INSTR && type <= TYPE_RETURN) ||
         (type >= TYPE_NO_FETCH && type <= TYPE_SYSENTER) || type == TYPE_TAKEN_JUMP ||
         type == TYPE_UNTAKEN_JUMP;
}

/* The architecture bits of a file type. */
static int isa_of(uint64_t filetype) {
  if (filetype & 0x08) return OCT_ISA_AARCH64;
  if (filetype & 0x10) return OCT_ISA_ARM;
  if (filetype & 0x20) return OCT_ISA_X86;
  return filetype & 0x40 ? OCT_ISA_X86_64 : -1;
}

/* Bytes of the value in a file that begins so; 0 when it is none. The version is a small number, so
 * the upper half of a 64-bit one is 0, where a file of 32-bit ones has the type of its next record.
 */
static size_t value_bytes_of(const uint8_t *p, size_t n) {
  if (n < 12 || oct_get_le(p, 2) != TYPE_HEADER || oct_get_le(p + 4, 4) > VERSION_MAX) return 0;
  return oct_get_le(p + 8, 4) ? 4 : 8;
}

static int describe(oct_reader *r, drmemtrace *s, unsigned type, uint64_t addr, unsigned size,
                    oct_diag *diag) {
  oct_map_entry e = {0};
  const source *from = s->current;
  if (from->code_bytes && s->disasm && from->code_bytes >= size &&
      oct_disasm_insn(s->disasm, addr, from->code, size, &e) == size)
    return oct_reader_describe(r, &e, diag);
  /* Without its bytes only what needs no target can be told, and only if nothing was told before.
   */
  if (type != TYPE_INDIRECT_JUMP && type != TYPE_INDIRECT_CALL && type != TYPE_RETURN) return 0;
  if (r->described && oct_map_find(r->described, addr) != UINT32_MAX) return 0;
  e = (oct_map_entry){.addr = addr, .size_bytes = (uint8_t)size};
  e.cls = type == TYPE_RETURN          ? OCT_CLASS_RETURN
          : type == TYPE_INDIRECT_JUMP ? OCT_CLASS_INDIRECT_JUMP
                                       : OCT_CLASS_INDIRECT_CALL;
  return oct_reader_describe(r, &e, diag);
}

/* Records of 64 bits may say that they are of a 32-bit program. */
static int check_addr(oct_reader *r, uint64_t addr, oct_diag *diag) {
  if (r->info.addr_bits == 64 || addr <= UINT32_MAX) return 0;
  return oct_record_wrong(r, "an address of at most 32 bits", addr, diag);
}

static int take_insn(oct_reader *r, drmemtrace *s, unsigned type, uint64_t addr, unsigned size,
                     oct_diag *diag) {
  int rc = check_addr(r, addr, diag);
  if (rc) return rc;
  if (size < 1 || size > 15)
    return oct_record_wrong(r, "an instruction of 1 to 15 bytes", size, diag);
  if (oct_reader_is_full(r, 1)) return 1;
  if ((rc = describe(r, s, type, addr, size, diag))) return rc;
  oct_reader_add_insn(r, addr, size)->task = s->current->task;
  s->current->next = addr + size;
  s->current->code_bytes = 0;
  return 0;
}

/* size instructions behind the last one, whose lengths are bytes of the value. */
static int take_bundle(oct_reader *r, drmemtrace *s, const uint8_t *lengths, unsigned size,
                       oct_diag *diag) {
  int rc = 0;
  if (size > s->value_bytes) return oct_record_wrong(r, "a bundle that fits", size, diag);
  for (unsigned i = 0; i < size; i++)
    if (lengths[i] < 1 || lengths[i] > 15)
      return oct_record_wrong(r, "an instruction of 1 to 15 bytes", lengths[i], diag);
  if (oct_reader_is_full(r, size)) return 1;
  for (unsigned i = 0; !rc && i < size; i++)
    rc = take_insn(r, s, TYPE_INSTR, s->current->next, lengths[i], diag);
  return rc;
}

static int take_access(oct_reader *r, drmemtrace *s, uint64_t addr, unsigned size, int is_store,
                       oct_diag *diag) {
  int rc = check_addr(r, addr, diag);
  if (rc) return rc;
  /* Filtered traces may begin with data: it gets an instruction at address 0. */
  uint32_t task = s->current->task;
  if (!r->n_insns || r->insns[r->n_insns - 1].task != task) {
    if (oct_reader_is_full(r, 1)) return 1;
    oct_reader_add_insn(r, 0, 1)->task = task;
  }
  return oct_reader_add_access(r, addr, oct_access_size(size), is_store, diag);
}

static int parse(oct_reader *r, const uint8_t *p, oct_diag *diag) {
  drmemtrace *s = r->state;
  source *from = s->current;
  unsigned type = (unsigned)oct_get_le(p, 2), size = (unsigned)oct_get_le(p + 2, 2);
  uint64_t value = oct_get_le(p + 4, (int)s->value_bytes);
  if (type >= TYPES) return oct_record_wrong(r, "a record type below 50", type, diag);
  if (is_insn(type)) return take_insn(r, s, type, value, size, diag);
  switch (type) {
    case TYPE_READ:
    case TYPE_WRITE:
      return take_access(r, s, value, size, type == TYPE_WRITE, diag);
    case TYPE_BUNDLE:
      return take_bundle(r, s, p + 4, size, diag);
    case TYPE_THREAD:
      from->task = (uint32_t)value;
      return 0;
    case TYPE_MARKER:
      if (size == MARKER_TIMESTAMP) from->time = value;
      return 0;
    case TYPE_ENCODING:
      if (size > s->value_bytes || from->code_bytes + size > CODE_BYTES)
        return oct_record_wrong(r, "bytes of one instruction", size, diag);
      memcpy(from->code + from->code_bytes, p + 4, size);
      from->code_bytes += size;
      return 0;
    default: /* prefetches, flushes, process numbers, footers */
      return 0;
  }
}

/* The file type stands among the first records. */
static int find_isa(const uint8_t *p, size_t n, size_t record_bytes) {
  for (size_t i = 0; i < FILETYPE_AT && (i + 1) * record_bytes <= n; i++, p += record_bytes)
    if (oct_get_le(p, 2) == TYPE_MARKER && oct_get_le(p + 2, 2) == MARKER_FILETYPE)
      return isa_of(oct_get_le(p + 4, 4));
  return -1;
}

/* Take over r's input, and open the other files of its folder. */
static int open_sources(oct_reader *r, drmemtrace *s, oct_diag *diag) {
  size_t n = r->n_paths ? r->n_paths : 1;
  s->sources = calloc(n, sizeof *s->sources);
  if (!s->sources) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  s->current = s->sources;
  s->sources[s->n_sources++].in = r->in;
  for (size_t i = 1; i < n; i++) {
    int rc = oct_input_open(r->paths[i], &s->sources[i].in, diag);
    if (rc) return rc;
    s->n_sources++;
  }
  return 0;
}

/* Look at the first records of the current file: they must be of one kind with those of the others.
 */
static int look(oct_reader *r, drmemtrace *s, int *isa, oct_diag *diag) {
  const uint8_t *p;
  oct_diag ignored;
  int64_t n = oct_input_peek(r->in, FILETYPE_AT * 12, &p, &ignored);
  if (n < 0) n = oct_input_peek(r->in, 1, &p, &ignored);
  size_t value_bytes = n > 0 ? value_bytes_of(p, (size_t)n) : 0;
  if (!value_bytes || (s->value_bytes && s->value_bytes != value_bytes))
    return oct_input_fail(r->in, 0, diag, OCT_ERR_FORMAT,
                          "expected the header record of a drmemtrace file");
  s->value_bytes = value_bytes;
  *isa = find_isa(p, (size_t)n, 4 + value_bytes);
  return 0;
}

static int drmemtrace_open(oct_reader *r, oct_diag *diag) {
  int isa = -1, rc;
  drmemtrace *s = calloc(1, sizeof *s);
  r->state = s;
  if (!s) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  rc = open_sources(r, s, diag);
  for (size_t i = s->n_sources; !rc && i-- > 0;) { /* the first file last: it is read first */
    s->current = &s->sources[i];
    r->in = s->current->in;
    rc = look(r, s, &isa, diag);
  }
  if (rc) return rc;
  r->info.origin = "dynamorio drmemtrace";
  if ((rc = add_modules(r, oct_input_name(r->in), diag))) return rc;
  r->is_open = 1;
  r->info.addr_bits = 8 * (uint32_t)s->value_bytes;
  if (isa < 0) return 0;
  /* Files of ARM programs do not tell ARM from Thumb code. */
  rc = oct_reader_use_isa(r, (oct_isa)isa, isa == OCT_ISA_ARM ? NULL : &s->disasm, diag);
  if (isa == OCT_ISA_ARM) r->info.insn_align_bytes = 2;
  return rc;
}

/* Go on with the file whose time stamp is the lowest; 0 when all have ended. */
static int choose(oct_reader *r, drmemtrace *s) {
  source *best = s->current->is_ended ? NULL : s->current;
  for (size_t i = 0; i < s->n_sources; i++)
    if (!s->sources[i].is_ended && (!best || s->sources[i].time < best->time))
      best = &s->sources[i];
  if (!best) return 0;
  s->current = best;
  r->in = best->in;
  return 1;
}

static int drmemtrace_fill(oct_reader *r, oct_diag *diag) {
  drmemtrace *s = r->state;
  size_t n_bytes = 4 + s->value_bytes;
  while (choose(r, s)) {
    const uint8_t *p;
    uint64_t time = s->current->time;
    int rc;
    do {
      if ((rc = oct_record_peek(r, n_bytes, &p, diag)) < 0) return rc;
      s->current->is_ended = !rc;
      if (!rc) break;
      if ((rc = parse(r, p, diag))) return rc;
      oct_input_take(r->in, n_bytes);
    } while (s->current->time == time);
  }
  return 0;
}

static void drmemtrace_close(oct_reader *r) {
  drmemtrace *s = r->state;
  if (!s) return;
  for (size_t i = 0; i < s->n_sources; i++)
    if (s->sources[i].in != r->in) oct_input_close(s->sources[i].in);
  free(s->sources);
  oct_disasm_free(s->disasm);
  free(s);
}

/* ---- Folders ---- */

static int is_trace_name(const struct dirent *entry) {
  static const char *const ends[] = {".trace.zip", ".trace.gz", ".trace.xz", ".trace.zst",
                                     ".trace"};
  size_t n = strlen(entry->d_name);
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
    if (n > strlen(ends[i]) && !strcmp(entry->d_name + n - strlen(ends[i]), ends[i])) return 1;
  return 0;
}

static int list(const char *folder, char ***paths, size_t *n_paths, oct_diag *diag) {
  struct dirent **entries = NULL;
  const char *within = ""; /* the tracer's own folder has them in another one */
  int n = scandir(folder, &entries, is_trace_name, alphasort), rc = 0;
  char *inner = NULL;
  if (!n && asprintf(&inner, "%s/trace", folder) < 0)
    return oct_fail_in(diag, OCT_ERR_NOMEM, folder, "out of memory");
  if (!n) {
    free(entries);
    entries = NULL;
    within = "trace/";
    n = scandir(inner, &entries, is_trace_name, alphasort);
    free(inner);
  }
  *n_paths = 0;
  *paths = calloc(n > 0 ? (size_t)n : 1, sizeof **paths);
  for (int i = 0; i < n; i++) {
    if (*paths && asprintf(&(*paths)[*n_paths], "%s/%s%s", folder, within, entries[i]->d_name) >= 0)
      ++*n_paths;
    else
      rc = OCT_ERR_NOMEM;
    free(entries[i]);
  }
  free(entries);
  if (rc || !*paths) return oct_fail_in(diag, OCT_ERR_NOMEM, folder, "out of memory");
  return *n_paths ? 0
                  : oct_fail_in(diag, OCT_ERR_FORMAT, folder,
                                "a folder: expected a file, or a folder of drmemtrace files "
                                "(*.trace.zip, *.trace.gz)");
}

static int drmemtrace_probe(const uint8_t *p, size_t n, int is_text) {
  (void)is_text;
  return value_bytes_of(p, n) > 0;
}

static const oct_reader_ops drmemtrace_reader = {
    .open = drmemtrace_open, .fill = drmemtrace_fill, .close = drmemtrace_close};
const oct_format_desc oct_drmemtrace_format = {
    .name = "drmemtrace",
    .text = "DynamoRIO's drmemtrace: a file, an archive or a folder",
    .list = list,
    .probe = drmemtrace_probe,
    .reader = &drmemtrace_reader,
    .addr_bits = 64};
