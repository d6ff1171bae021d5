/* SPDX-License-Identifier: Apache-2.0 */
/* oct_sweep_plan.c - cross products of axes, and the Pareto front.
 *
 * An axis is a parameter and a list of values; a grid is all combinations of its axes over a base.
 * What is illegal, too large or twice is left out, and how much of it is counted; a tree finds what
 * is twice. The front is found by sorting the points by state and keeping each that has fewer bits
 * than all before. */
#include "oct_near.h"
#include "octrace/sweep.h"

#include <ctype.h>
#include <math.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define AXES_MAX 32
#define VALUES_MAX 4096

typedef struct axis {
  const oct_tracer *tracer;
  const oct_param *param;       /* name, range and rule */
  const oct_tracer_axis *other; /* NULL: a parameter, */
  int target;                   /* the number of that which is set */
  uint32_t *values;
  size_t n;
} axis;

void oct_plan_init(oct_plan *p, const oct_tracer *tracer) {
  memset(p, 0, sizeof *p);
  p->tracer = tracer;
}

/* What the tree points to is a part of an array. */
static void keep(void *geometry) {
  (void)geometry;
}

static int compare_geometries(const void *a, const void *b) {
  return memcmp(a, b, sizeof(oct_plan_geometry));
}

void oct_plan_free(oct_plan *p) {
  for (size_t i = 0; i < p->n_left_out && i < OCT_PLAN_LEFT_OUT_MAX; i++) free(p->left_out[i]);
  tdestroy(p->seen, keep);
  free(p->geometries);
  oct_plan_init(p, p->tracer);
}

/* The axis called name, of n letters. False when there is none. */
static bool find_axis(axis *a, const char *name, size_t n) {
  const oct_tracer *t = a->tracer;
  for (unsigned i = 0; i < t->n_params; i++) {
    if (strlen(t->params[i].name) != n || memcmp(t->params[i].name, name, n)) continue;
    a->param = &t->params[i];
    a->target = (int)i;
    return true;
  }
  for (unsigned i = 0; i < t->n_axes; i++) {
    const oct_tracer_axis *other = &t->axes[i];
    if (strlen(other->values.name) != n || memcmp(other->values.name, name, n)) continue;
    a->param = &other->values;
    a->other = other;
    a->target = oct_tracer_param(t, other->sets);
    return true;
  }
  return false;
}

/* What values of an axis are called, from 0 on; NULL: they have no names. */
static const char *const *value_names(const axis *a) {
  for (unsigned i = 0; i < a->tracer->n_value_names; i++)
    if (!strcmp(a->param->name, a->tracer->value_names[i].param))
      return a->tracer->value_names[i].names;
  return NULL;
}

/* A number, or the name of a value. False when it is neither; *text goes past it. */
static bool take_value(const axis *a, const char **text, uint32_t *value) {
  const char *const *names = value_names(a);
  size_t n = strcspn(*text, ",");
  char *end;
  for (uint32_t i = 0; names && names[i]; i++) {
    if (strlen(names[i]) != n || memcmp(names[i], *text, n)) continue;
    *text += n;
    *value = i;
    return true;
  }
  if (!isdigit((unsigned char)**text)) return false;
  unsigned long long v = strtoull(*text, &end, 10);
  *text = end;
  *value = (uint32_t)v;
  return v <= UINT32_MAX;
}

static int bad_list(const axis *a, const char *text, oct_diag *diag) {
  const char *const *names = value_names(a);
  char list[200] = "";
  size_t used = 0;
  if (!names && isdigit((unsigned char)*text) && strtoull(text, NULL, 10) > UINT32_MAX)
    return oct_fail(diag, OCT_ERR_CONFIG, "axis %s: '%.*s': expected a number up to %u",
                    a->param->name, (int)strcspn(text, ",.+*"), text, a->param->max);
  if (!names)
    return oct_fail(diag, OCT_ERR_CONFIG,
                    "axis %s: '%.40s': expected numbers and ranges A..B, A..B+STEP or A..B*FACTOR",
                    a->param->name, text);
  for (unsigned i = 0; names[i] && used < sizeof list - 40; i++)
    used += (size_t)snprintf(list + used, sizeof list - used, "%s%.30s",
                             !i             ? ""
                             : names[i + 1] ? ", "
                                            : " or ",
                             names[i]);
  return oct_fail(diag, OCT_ERR_CONFIG, "axis %s: '%.40s': expected %s, or %u to %u",
                  a->param->name, text, list, a->param->min, a->param->max);
}

static int add_value(axis *a, uint64_t value, oct_diag *diag) {
  if (a->n == VALUES_MAX)
    return oct_fail(diag, OCT_ERR_LIMIT, "axis %s: more than %d values", a->param->name,
                    VALUES_MAX);
  a->values[a->n++] = (uint32_t)value;
  return 0;
}

/* One number or range; *text goes past it. */
static int take_range(axis *a, const char **text, oct_diag *diag) {
  const char *start = *text;
  bool times = a->param->rule == OCT_POW2;
  uint32_t from, to, by = times ? 2 : 1;
  int error = 0;
  if (!take_value(a, text, &from)) return bad_list(a, start, diag);
  if (strncmp(*text, "..", 2)) return add_value(a, from, diag);
  *text += 2;
  const char *end = *text;
  if (!take_value(a, text, &to))
    return bad_list(a, isdigit((unsigned char)*end) ? end : start, diag);
  if (**text == '+' || **text == '*') {
    times = *(*text)++ == '*';
    const char *step = *text;
    if (!take_value(a, text, &by))
      return bad_list(a, isdigit((unsigned char)*step) ? step : start, diag);
    if (by < (times ? 2u : 1u))
      return oct_fail(diag, OCT_ERR_CONFIG, "axis %s: '%.*s': expected a %s of %d or more",
                      a->param->name, (int)(*text - start), start, times ? "factor" : "step",
                      times ? 2 : 1);
  }
  if (to < from)
    return oct_fail(diag, OCT_ERR_CONFIG,
                    "axis %s: '%.*s': expected the smaller number first, as in %u..%u",
                    a->param->name, (int)strcspn(start, ","), start, to, from);
  for (uint64_t v = from; v <= to && !error;) {
    error = add_value(a, v, diag);
    v = times && v ? v * by : v + (times ? 1 : by); /* a factor takes 0 to 1 */
  }
  return error;
}

static const char *axis_name_at(const void *context, unsigned i) {
  const oct_tracer *t = context;
  if (i < t->n_params) return t->params[i].name;
  return i - t->n_params < t->n_axes ? t->axes[i - t->n_params].values.name : NULL;
}

/* name=list. The values are the caller's to free, also after an error. */
static int parse_axis(axis *a, const char *text, oct_diag *diag) {
  size_t n = strcspn(text, "=");
  const char *rest = text + n;
  if (!find_axis(a, text, n)) {
    char name[41];
    snprintf(name, sizeof name, "%.*s", (int)(n < 40 ? n : 40), text);
    return oct_fail(diag, OCT_ERR_ARG, "unknown axis '%s': expected a parameter%s%s%s", name,
                    a->tracer->n_axes ? " or " : "",
                    a->tracer->n_axes ? a->tracer->axes[0].values.name : "",
                    oct_near(name, "", axis_name_at, a->tracer).text);
  }
  if ((*rest != '=' || !rest[1]) && !value_names(a))
    return oct_fail(diag, OCT_ERR_ARG, "axis %s: no values: expected some, as in %s=%u..%u",
                    a->param->name, a->param->name, a->param->min, a->param->max);
  if (*rest != '=' || !rest[1]) return bad_list(a, rest, diag);
  a->values = malloc(VALUES_MAX * sizeof *a->values);
  if (!a->values) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  do {
    rest++;
    int error = take_range(a, &rest, diag);
    if (error) return error;
  } while (*rest == ',');
  return *rest ? bad_list(a, rest, diag) : 0;
}

int oct_plan_check_axis(const oct_tracer *tracer, const char *text, oct_diag *diag) {
  axis a = {.tracer = tracer};
  int error = parse_axis(&a, text, diag);
  free(a.values);
  return error;
}

int oct_plan_leave_out(oct_plan *p, const char *what, const char *why, oct_diag *diag) {
  if (p->n_left_out < OCT_PLAN_LEFT_OUT_MAX &&
      asprintf(&p->left_out[p->n_left_out], "%s left out: %s", what, why) < 0)
    return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  p->n_left_out++;
  return 0;
}

/* Where a trace does not suit the geometry its own widths count: that is told when it is swept. */
static double state_bytes_of(const oct_plan *p, const oct_plan_geometry *g) {
  const oct_tracer *t = p->tracer;
  uint64_t most = p->n_infos ? 0 : oct_tracer_state_bits(t, g->params);
  for (size_t k = 0; k < p->n_infos; k++) {
    const oct_trace_info *info = &p->infos[k];
    oct_plan_geometry fitted = *g;
    bool given[OCT_TRACER_PARAMS_MAX];
    oct_diag diag;
    for (unsigned i = 0; i < t->n_params; i++) given[i] = p->given[i] || (p->fixed && p->fixed[i]);
    if (oct_tracer_fit(t, fitted.params, given, info->isa, info->addr_bits, info->insn_align_bytes,
                       &diag))
      fitted = *g;
    uint64_t bits = oct_tracer_state_bits(t, fitted.params);
    if (bits > most) most = bits;
  }
  return (double)most / 8;
}

static int add_geometry(oct_plan *p, const oct_plan_geometry *g, oct_diag *diag) {
  if (p->max_state_bytes > 0 && state_bytes_of(p, g) > p->max_state_bytes) {
    p->n_too_large++;
    return 0;
  }
  if (tfind(g, &p->seen, compare_geometries)) return 0;
  if (p->n == OCT_PLAN_MAX)
    return oct_fail(diag, OCT_ERR_LIMIT, "more than %d geometries", OCT_PLAN_MAX);
  /* All the room at once, of which only what is used costs memory: the tree points into it. */
  if (!p->geometries) p->geometries = malloc(OCT_PLAN_MAX * sizeof *p->geometries);
  if (!p->geometries) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  p->geometries[p->n] = *g;
  if (!tsearch(&p->geometries[p->n], &p->seen, compare_geometries))
    return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  p->n++;
  return 0;
}

/* One combination of the axes' values. */
static int add_point(oct_plan *p, const uint32_t *base, const axis *axes, const size_t *at,
                     size_t n_axes, oct_diag *diag) {
  oct_plan_geometry g = {{0}};
  oct_diag why = {0};
  char point[256] = "";
  size_t used = 0;
  int error = 0;
  memcpy(g.params, base, p->tracer->n_params * sizeof *base);
  for (size_t i = 0; i < n_axes; i++) {
    uint32_t value = axes[i].values[at[i]];
    if (!axes[i].other) g.params[axes[i].target] = value;
    if (used < 200)
      used += (size_t)snprintf(point + used, sizeof point - used, "%s%s=%u", i ? "," : "",
                               axes[i].param->name, value);
  }
  for (size_t i = 0; i < n_axes && !error; i++)
    if (axes[i].other) error = axes[i].other->apply(g.params, axes[i].values[at[i]], &why);
  if (!error) error = oct_tracer_check(p->tracer, g.params, &why);
  if (!error) return add_geometry(p, &g, diag);
  /* One setting alone is named by the reason. */
  bool has_name = n_axes == 1 && why.origin == OCT_ORIGIN_PARAM &&
                  !strcmp(why.param, axes[0].param->name) && why.value == axes[0].values[at[0]];
  char line[sizeof point + sizeof why.text + 128];
  snprintf(line, sizeof line, "%s%s%.*s", has_name ? "" : point, has_name ? "" : ": ",
           (int)(sizeof why.text + 100), oct_diag_reason(&why).text);
  return oct_plan_leave_out(p, "illegal geometry", line, diag);
}

/* What the users of a plan have to know of its axes. */
static void note_axis(oct_plan *p, const axis *a) {
  const char *const *timed = p->tracer->timed_params;
  p->given[a->target] = true;
  for (; timed && *timed; timed++)
    if (a->n > 1 && !strcmp(a->param->name, *timed)) p->timed_axis = a->param->name;
}

int oct_plan_add_grid(oct_plan *p, const uint32_t *base, const char *const *texts, size_t n_axes,
                      oct_diag *diag) {
  axis axes[AXES_MAX];
  size_t at[AXES_MAX] = {0};
  int error = 0;
  memset(axes, 0, sizeof axes);
  if (n_axes > AXES_MAX) return oct_fail(diag, OCT_ERR_LIMIT, "more than %d axes", AXES_MAX);
  for (size_t i = 0; i < n_axes && !error; i++) {
    axes[i].tracer = p->tracer;
    error = parse_axis(&axes[i], texts[i], diag);
    for (size_t k = 0; k < i && !error; k++)
      if (axes[k].param == axes[i].param)
        error = oct_fail(diag, OCT_ERR_CONFIG, "axis %s is given twice", axes[i].param->name);
      else if (axes[k].target == axes[i].target)
        error = oct_fail(diag, OCT_ERR_CONFIG, "axes %s and %s: expected one of them",
                         axes[axes[k].other ? i : k].param->name,
                         axes[axes[k].other ? k : i].param->name);
  }
  uint64_t combinations = 1;
  for (size_t i = 0; i < n_axes && !error; i++) {
    note_axis(p, &axes[i]);
    combinations *= axes[i].n;
    if (combinations > OCT_PLAN_COMBINATIONS_MAX)
      error = oct_fail(diag, OCT_ERR_LIMIT, "axes with more than %d combinations",
                       OCT_PLAN_COMBINATIONS_MAX);
  }
  for (size_t i = n_axes; !error && i <= n_axes;) { /* an odometer: i is the wheel that moved */
    error = add_point(p, base, axes, at, n_axes, diag);
    for (i = n_axes; i > 0 && ++at[i - 1] == axes[i - 1].n; i--) at[i - 1] = 0;
    if (i == 0) break;
  }
  for (size_t i = 0; i < n_axes; i++) free(axes[i].values);
  return error;
}

typedef struct point {
  double x, y;
  size_t i;
} point;

static int compare_points(const void *a, const void *b) {
  const point *p = a, *q = b;
  if (p->x < q->x || p->x > q->x) return p->x < q->x ? -1 : 1;
  return p->y < q->y ? -1 : p->y > q->y;
}

/* By rising x, and by rising y where x is the same: a point is on the front when it has the least y
 * of its x, and less than all before. */
int oct_pareto(const double *x, const double *y, const bool *lossy, size_t n, bool *front) {
  point *sorted = malloc((n ? n : 1) * sizeof *sorted);
  size_t n_sorted = 0;
  double least = INFINITY;
  if (!sorted) return OCT_ERR_NOMEM;
  for (size_t i = 0; i < n; i++) {
    front[i] = false;
    if (!lossy[i]) sorted[n_sorted++] = (point){x[i], y[i], i};
  }
  if (!n_sorted)
    for (size_t i = 0; i < n; i++) sorted[n_sorted++] = (point){x[i], y[i], i};
  qsort(sorted, n_sorted, sizeof *sorted, compare_points);
  for (size_t i = 0, k; i < n_sorted; i = k) {
    bool lower = sorted[i].y < least;
    for (k = i; k < n_sorted && sorted[k].x <= sorted[i].x; k++)
      front[sorted[k].i] = lower && sorted[k].y <= sorted[i].y;
    if (lower) least = sorted[i].y;
  }
  free(sorted);
  return 0;
}

int oct_pareto_of_groups(const double *x, const double *y, const bool *lossy, const uint32_t *group,
                         size_t n, bool *front) {
  const size_t room = n ? n : 1;
  double *of_x = malloc(room * sizeof *of_x), *of_y = malloc(room * sizeof *of_y);
  bool *none = calloc(room, sizeof *none), *is_best = malloc(room * sizeof *is_best);
  bool *is_done = calloc(room, sizeof *is_done);
  size_t *at = malloc(room * sizeof *at);
  int error = of_x && of_y && none && is_best && is_done && at ? 0 : OCT_ERR_NOMEM;
  for (size_t first = 0; first < n && !error; first++) {
    size_t k = 0;
    if (is_done[first]) continue;
    for (size_t i = first; i < n; i++) {
      if (group[i] != group[first]) continue;
      is_done[i] = true;
      front[i] = false;
      if (lossy[i]) continue;
      of_x[k] = x[i];
      of_y[k] = y[i];
      at[k++] = i;
    }
    error = oct_pareto(of_x, of_y, none, k, is_best);
    for (size_t i = 0; i < k && !error; i++) front[at[i]] = is_best[i];
  }
  free(of_x);
  free(of_y);
  free(none);
  free(is_best);
  free(is_done);
  free(at);
  return error;
}

enum { LINES_MAX = 8 };

/* How many values a parameter has; LINES_MAX + 1 of more. */
static size_t count_values(const oct_plan_geometry *geometries, size_t n, unsigned param) {
  uint32_t values[LINES_MAX];
  size_t n_values = 0;
  for (size_t i = 0; i < n; i++) {
    size_t k = 0;
    while (k < n_values && values[k] != geometries[i].params[param]) k++;
    if (k < n_values) continue;
    if (n_values == LINES_MAX) return LINES_MAX + 1;
    values[n_values++] = geometries[i].params[param];
  }
  return n_values;
}

int oct_plan_line_param(const oct_tracer *tracer, const oct_plan_geometry *geometries, size_t n) {
  static const char ways[] = "_ways";
  size_t fewest = LINES_MAX + 1, n_varying = 0;
  int chosen = -1;
  for (unsigned i = 0; i < tracer->n_params; i++) {
    const char *name = tracer->params[i].name;
    size_t length = strlen(name), n_values = count_values(geometries, n, i);
    if (n_values < 2) continue;
    n_varying++;
    if (length > strlen(ways) && !strcmp(name + length - strlen(ways), ways)) return (int)i;
    if (n_values >= fewest) continue;
    fewest = n_values;
    chosen = (int)i;
  }
  return n_varying > 1 ? chosen : -1;
}
