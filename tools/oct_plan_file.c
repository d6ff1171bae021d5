/* SPDX-License-Identifier: Apache-2.0 */
/* oct_plan_file.c - the geometries of a sweep from an INI file, read by inih. */
#include "oct_plan_file.h"

#include <errno.h>
#include <ini.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SECTION_AXES_MAX = 32 };

typedef struct loader {
  oct_plan *plan;
  const char *path;
  const oct_config *base;
  oct_diag *diag;
  char section[64];
  oct_config geometry;
  char *axes[SECTION_AXES_MAX];
  size_t n_axes;
  int error;
} loader;

/* Expand the section that has been read. */
static void end_section(loader *l) {
  oct_diag why = {0};
  if (l->section[0] && !l->error) {
    l->error =
        oct_plan_add_grid(l->plan, &l->geometry, (const char *const *)l->axes, l->n_axes, &why);
    if (l->error) oct_fail(l->diag, l->error, "%s: [%s]: %s", l->path, l->section, why.text);
  }
  while (l->n_axes) free(l->axes[--l->n_axes]);
  l->geometry = *l->base;
}

static int take_key(loader *l, const char *name, const char *value) {
  oct_diag why = {0};
  char *text;
  if (l->n_axes == SECTION_AXES_MAX)
    return oct_fail(l->diag, OCT_ERR_LIMIT, "%s: [%s]: too many axes", l->path, l->section);
  if (asprintf(&text, "%s=%s", name, value) < 0)
    return oct_fail(l->diag, OCT_ERR_NOMEM, "out of memory");
  /* Blanks around commas and ranges are for the eye. */
  char *to = text;
  for (char *from = text; *from; from++)
    if (*from != ' ' && *from != '\t') *to++ = *from;
  *to = '\0';
  if (!strcmp(name, "geometry")) {
    int error = oct_config_parse(&l->geometry, text + sizeof "geometry", &why);
    free(text);
    return error ? oct_fail(l->diag, error, "%s: [%s]: %s", l->path, l->section, why.text) : 0;
  }
  l->axes[l->n_axes++] = text;
  return 0;
}

static int take_line(void *user, const char *section, const char *name, const char *value) {
  loader *l = user;
  if (l->error) return 0;
  if (!section[0]) {
    l->error = oct_fail(l->diag, OCT_ERR_FORMAT, "%s: '%.40s' stands before the first [section]",
                        l->path, name);
    return 0;
  }
  if (strcmp(section, l->section)) {
    end_section(l);
    snprintf(l->section, sizeof l->section, "%s", section);
  }
  if (!l->error) l->error = take_key(l, name, value);
  return !l->error;
}

int oct_plan_file_load(oct_plan *p, const char *path, const oct_config *base, oct_diag *diag) {
  loader l = {.plan = p, .path = path, .base = base, .diag = diag, .geometry = *base};
  FILE *f = fopen(path, "r");
  if (!f) return oct_fail(diag, OCT_ERR_IO, "%s: %s", path, strerror(errno));
  int line = ini_parse_file(f, take_line, &l);
  int unreadable = ferror(f) ? errno : 0;
  fclose(f);
  end_section(&l);
  if (l.error) return l.error;
  if (unreadable) return oct_fail(diag, OCT_ERR_IO, "%s: %s", path, strerror(unreadable));
  if (line)
    return oct_fail(diag, OCT_ERR_FORMAT, "%s: line %d: expected [section] or NAME = VALUE", path,
                    line);
  return l.section[0] ? 0
                      : oct_fail(diag, OCT_ERR_FORMAT, "%s: no [section] with a line in it", path);
}
