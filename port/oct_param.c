/* SPDX-License-Identifier: Apache-2.0 */
/* oct_param.c - settings over tables of parameters.
 *
 * `GEOMETRY,name=value,...`: the geometry is itself such a text, applied first; later settings
 * replace earlier ones. Errors name the parameter and its range. */
#include "oct_near.h"
#include "octrace/tracer.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

int oct_param_find(const oct_param_table *t, const char *name) {
  for (unsigned i = 0; i < t->n_params; i++)
    if (!strcmp(t->params[i].name, name)) return (int)i;
  for (unsigned i = 0; i < t->n_params; i++)
    if (t->params[i].old_name && !strcmp(t->params[i].old_name, name)) return (int)i;
  return -1;
}

void oct_param_defaults(const oct_param_table *t, uint32_t *values) {
  for (unsigned i = 0; i < t->n_params; i++) values[i] = t->params[i].def;
}

static int check_range(const oct_param *p, uint32_t value, oct_diag *diag) {
  if (value < p->min || value > p->max)
    return oct_fail_param(diag, OCT_ERR_CONFIG, p->name, value, "expected %u to %u", p->min,
                          p->max);
  if (p->rule == OCT_POW2 && (value & (value - 1)))
    return oct_fail_param(diag, OCT_ERR_CONFIG, p->name, value, "expected a power of two");
  return 0;
}

int oct_param_check(const oct_param_table *t, const uint32_t *values, oct_diag *diag) {
  int error = 0;
  for (unsigned i = 0; i < t->n_params && !error; i++)
    error = check_range(&t->params[i], values[i], diag);
  return error;
}

static const char *param_name_at(const void *context, unsigned i) {
  const oct_param_table *t = context;
  return i < t->n_params ? t->params[i].name : NULL;
}

int oct_param_set(const oct_param_table *t, uint32_t *values, const char *name, const char *text,
                  oct_diag *diag) {
  int i = oct_param_find(t, name);
  char *end;
  if (i < 0)
    return oct_fail(diag, OCT_ERR_CONFIG, "'%.40s': no such parameter%s", name,
                    oct_near(name, "", param_name_at, t).text);
  const oct_param *p = &t->params[i];
  unsigned long long v = strtoull(text, &end, 10);
  if (!isdigit((unsigned char)*text) || *end || v > UINT32_MAX)
    return oct_fail(diag, OCT_ERR_CONFIG, "%s=%.40s: expected a number from %u to %u", name, text,
                    p->min, p->max);
  int error = check_range(p, (uint32_t)v, diag);
  if (!error) values[i] = (uint32_t)v;
  return error;
}

/* "name=value,...", into values. */
static int apply_settings(const oct_param_table *t, char *settings, uint32_t *values, bool *given,
                          oct_diag *diag) {
  char *item;
  int error = 0;
  while (!error && (item = strsep(&settings, ",")) != NULL) {
    char *equals = strchr(item, '=');
    if (!equals)
      return oct_fail(diag, OCT_ERR_CONFIG, "'%.40s': expected a geometry or name=value", item);
    *equals = '\0';
    error = oct_param_set(t, values, item, equals + 1, diag);
    if (!error && given) given[oct_param_find(t, item)] = true;
  }
  return error;
}

int oct_param_geometry(const oct_param_table *t, const char *name, uint32_t *values, bool *given) {
  for (unsigned i = 0; i < t->n_geometries; i++) {
    const oct_geometry *g = &t->geometries[i];
    if (strcmp(g->name, name) != 0) continue;
    oct_param_defaults(t, values);
    if (!g->settings[0]) return 0;
    char *copy = strdup(g->settings);
    int error = copy ? apply_settings(t, copy, values, given, NULL) : OCT_ERR_NOMEM;
    free(copy);
    return error;
  }
  return OCT_ERR_CONFIG;
}

int oct_param_parse(const oct_param_table *t, const char *text, uint32_t *values, bool *given,
                    oct_diag *diag) {
  uint32_t *work = malloc(t->n_params * sizeof *work + 1);
  char *copy = strdup(text), *rest = copy, *comma;
  int error = copy && work ? 0 : oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  if (!error) {
    memcpy(work, values, t->n_params * sizeof *work);
    comma = strchr(rest, ',');
    if (comma) *comma = '\0';
    bool is_name = !strchr(rest, '=');
    if (is_name) error = oct_param_geometry(t, rest, work, given);
    if (error == OCT_ERR_NOMEM)
      oct_fail(diag, error, "out of memory");
    else if (error)
      error = oct_fail(diag, OCT_ERR_CONFIG, "'%.40s': expected a geometry or name=value", rest);
    if (comma && !is_name) *comma = ',';
    if (is_name) rest = comma ? comma + 1 : NULL;
  }
  if (!error && rest) error = apply_settings(t, rest, work, given, diag);
  if (!error) memcpy(values, work, t->n_params * sizeof *work);
  free(copy);
  free(work);
  return error;
}
