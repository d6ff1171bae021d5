/* SPDX-License-Identifier: Apache-2.0 */
/* oct_plan_file.c - the geometries of a sweep from an INI file, read by inih. */
#include "oct_plan_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oct_infile.h"
#include "oct_text_begin.h"

#ifdef OCT_HAVE_INIH
#include <ini.h>

enum { SECTION_AXES_MAX = 32 };

/* The handler of inih is not told of a [section] without keys, nor of lines: the reader, which
 * hands it the lines, counts them and keeps an eye on the headers. */
typedef struct loader {
  oct_plan *plan;
  FILE *file;
  const char *path;
  const uint32_t *base;
  oct_diag *diag;
  unsigned line;         /* the one that was read last */
  unsigned section_line; /* of the header of the section under way, 0 before the first */
  char section[64];      /* its name, once it has a key */
  unsigned n_keys;       /* that it has until now */
  unsigned n_unknown;    /* of these, unknown axes */
  unsigned n_geometries; /* and lines of its geometry */
  bool is_named;         /* which says by name what it begins with */
  bool *has_unnamed;     /* for the caller: there is a section that does not */
  unsigned empty_line;   /* of the header of the first section without any, or 0 */
  oct_plan_geometry geometry;
  char *axes[SECTION_AXES_MAX];
  size_t n_axes;
  int error;
} loader;

static int fail_at(loader *l, unsigned line, int error, const char *why) {
  return l->error = oct_diag_in(l->diag, l->path,
                                oct_fail_at(l->diag, error, OCT_AT_LINE, line, "%s", why));
}

/* Expand the section that has been read. */
static void end_section(loader *l) {
  oct_diag why = {0};
  if (l->section_line && !l->n_keys && !l->empty_line) l->empty_line = l->section_line;
  if (l->section_line && l->n_keys && !l->error && (l->n_axes || !l->n_unknown)) {
    int error = oct_plan_add_grid(l->plan, l->geometry.params, (const char *const *)l->axes,
                                  l->n_axes, &why);
    if (error)
      l->error = oct_diag_in(l->diag, l->path,
                             oct_fail_at(l->diag, error, OCT_AT_LINE, l->section_line, "[%s]: %s",
                                         l->section, oct_diag_reason(&why).text));
  }
  while (l->n_axes) free(l->axes[--l->n_axes]);
  if (l->section_line && l->n_keys && !l->is_named) *l->has_unnamed = true;
  memcpy(l->geometry.params, l->base, l->plan->tracer->n_params * sizeof *l->base);
}

/* A header ends the section before it. An indented line goes on with the key before it. */
static void see_line(loader *l, const char *line) {
  size_t blanks = strspn(line, " \t");
  if (l->line == 1) line += oct_text_mark_bytes((const uint8_t *)line, strlen(line)); /* as inih */
  if (line[blanks] != '[' || (blanks && l->n_keys)) return;
  end_section(l);
  l->section_line = l->line;
  l->n_keys = l->n_unknown = l->n_geometries = 0;
  l->is_named = false;
}

/* fgets for inih: a line, or NULL at the end or when something is wrong. */
static char *read_line(char *line, int n, void *user) {
  loader *l = user;
  if (l->error || !fgets(line, n, l->file)) return NULL;
  l->line++;
  size_t length = strlen(line);
  if (length + 1 == (size_t)n && line[length - 1] != '\n') {
    char why[64];
    snprintf(why, sizeof why, "expected a line of at most %d bytes", n - 2);
    fail_at(l, l->line, OCT_ERR_FORMAT, why);
    return NULL;
  }
  see_line(l, line);
  return l->error ? NULL : line;
}

/* An unknown axis is named, its section goes on without it. */
static int leave_out(loader *l, oct_diag *why) {
  oct_diag_at(why, OCT_AT_LINE, l->line, oct_diag_in(why, l->path, why->error));
  l->n_unknown++;
  return l->error = oct_plan_leave_out(l->plan, "axis", oct_diag_line(why).text, l->diag);
}

static int take_key(loader *l, const char *name, const char *value) {
  oct_diag why = {0};
  char *text;
  if (l->n_axes == SECTION_AXES_MAX) return fail_at(l, l->line, OCT_ERR_LIMIT, "too many axes");
  if (asprintf(&text, "%s=%s", name, value) < 0)
    return fail_at(l, l->line, OCT_ERR_NOMEM, "out of memory");
  /* Blanks around commas and ranges are for the eye. */
  char *to = text;
  for (char *from = text; *from; from++)
    if (*from != ' ' && *from != '\t') *to++ = *from;
  *to = '\0';
  bool is_geometry = !strcmp(name, "geometry");
  if (is_geometry && l->n_geometries++) {
    free(text);
    return fail_at(l, l->line, OCT_ERR_CONFIG, "geometry is given twice");
  }
  /* A name stands first, and takes the place of the base. */
  const char *first = text + (is_geometry ? sizeof "geometry" : 0);
  if (is_geometry) l->is_named = first[strcspn(first, ",=")] != '=';
  int error = is_geometry ? oct_tracer_parse(l->plan->tracer, first, l->geometry.params, NULL, &why)
                          : oct_plan_check_axis(l->plan->tracer, text, &why);
  if (is_geometry || error)
    free(text);
  else
    l->axes[l->n_axes++] = text;
  if (error == OCT_ERR_ARG) return leave_out(l, &why);
  return error ? fail_at(l, l->line, error, oct_diag_reason(&why).text) : 0;
}

static int take_line(void *user, const char *section, const char *name, const char *value) {
  loader *l = user;
  if (l->error) return 0;
  if (!section[0]) {
    char why[96];
    snprintf(why, sizeof why, "'%.40s': expected a [section] with a name before it", name);
    return !fail_at(l, l->line, OCT_ERR_FORMAT, why);
  }
  if (!l->n_keys++) snprintf(l->section, sizeof l->section, "%s", section);
  return !take_key(l, name, value);
}

int oct_plan_file_load(oct_plan *p, const char *path, const uint32_t *base, bool *has_unnamed,
                       oct_diag *diag) {
  loader l = {.plan = p, .path = path, .base = base, .has_unnamed = has_unnamed, .diag = diag};
  memcpy(l.geometry.params, base, p->tracer->n_params * sizeof *base);
  l.file = oct_infile_fopen(path);
  if (!l.file) return oct_fail_in(diag, OCT_ERR_IO, path, "%s", strerror(errno));
  int line = ini_parse_stream(read_line, &l, take_line, &l);
  int unreadable = ferror(l.file) ? errno : 0;
  fclose(l.file);
  if (!l.error && unreadable)
    l.error = oct_fail_in(diag, OCT_ERR_IO, path, "%s", strerror(unreadable));
  if (!l.error && line > 0)
    fail_at(&l, (unsigned)line, OCT_ERR_FORMAT, "expected [section] or NAME = VALUE");
  end_section(&l);
  if (!l.error && l.empty_line)
    fail_at(&l, l.empty_line, OCT_ERR_FORMAT,
            "an empty [section]: expected lines NAME = VALUE in it, such as geometry = paper");
  if (!l.error && !l.section_line)
    l.error =
        oct_fail_in(diag, OCT_ERR_FORMAT, path, "expected a [section] with lines NAME = VALUE");
  return l.error;
}

#else

int oct_plan_file_load(oct_plan *p, const char *path, const uint32_t *base, bool *has_unnamed,
                       oct_diag *diag) {
  (void)p, (void)base, (void)has_unnamed;
  return oct_fail_in(diag, OCT_ERR_UNSUPPORTED, path,
                     "octrace was built without inih: give the geometries by -g and --axis");
}

#endif
