/* SPDX-License-Identifier: Apache-2.0 */
/* oct_drmemtrace_modules.c - modules.log of DynamoRIO's drmemtrace (docs/formats/drmemtrace.md).
 *
 * A line names the columns, then each mapped part of a file has a line; parts of one file follow
 * each other and name the first of them (containing_id). The path is the last column, behind fields
 * that each tracer has of its own. Older tables lack the address that a file asked for: without it
 * nobody knows by how much the file was moved, and such files are left out. */
#include "oct_drmemtrace_modules.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oct_infile.h"

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
static const char *parse(const table *t, const char *line, uint64_t *values) {
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
  const char *path = parse(t, line, values);
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

int oct_drmemtrace_add_modules(oct_reader *r, const char *path, oct_diag *diag) {
  static const char *const places[] = {"modules.log", "raw/modules.log", "../raw/modules.log"};
  const char *slash = strrchr(path, '/');
  FILE *file = NULL;
  for (size_t i = 0; !file && i < sizeof places / sizeof *places; i++) {
    char *name;
    if (asprintf(&name, "%.*s%s", slash ? (int)(slash - path + 1) : 0, path, places[i]) < 0)
      return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
    file = oct_infile_fopen(name);
    const bool is_full = !file && errno == ENOMEM;
    free(name);
    if (is_full) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  }
  if (!file) return 0;
  int rc = read_table(r, file, diag);
  fclose(file);
  return rc;
}
