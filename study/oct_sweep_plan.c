/* SPDX-License-Identifier: Apache-2.0 */
/* oct_sweep_plan.c - cross products of axes, and the Pareto front. */
#include "oct_sweep_plan.h"

#include <ctype.h>
#include <math.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define AXES_MAX 32
#define VALUES_MAX 4096

/* Not a parameter: sets times ways. */
static const oct_param entries_axis = {
    "sc_entries", 128, 1, 16384, OCT_POW2, "entries", "stream cache entries, sets * ways", 0};

typedef struct axis {
  const oct_param *param;
  uint32_t *values;
  size_t n;
} axis;

void oct_plan_init(oct_plan *p) {
  memset(p, 0, sizeof *p);
}

/* What the tree points to is a part of an array. */
static void keep(void *cfg) {
  (void)cfg;
}

static int compare_geometries(const void *a, const void *b) {
  return memcmp(a, b, sizeof(oct_config));
}

void oct_plan_free(oct_plan *p) {
  for (size_t i = 0; i < p->n_left_out && i < OCT_PLAN_LEFT_OUT_MAX; i++) free(p->left_out[i]);
  tdestroy(p->seen, keep);
  free(p->cfgs);
  oct_plan_init(p);
}

static const oct_param *find_param(const char *name, size_t n) {
  for (unsigned i = 0; i < oct_params_count; i++)
    if (strlen(oct_params[i].name) == n && !memcmp(oct_params[i].name, name, n))
      return &oct_params[i];
  return strlen(entries_axis.name) == n && !memcmp(entries_axis.name, name, n) ? &entries_axis
                                                                               : NULL;
}

/* What values of a parameter are called, from 0 on; NULL: they have no names. */
static const char *const *value_names(const oct_param *param) {
  static const char *const functions[] = {"paper", "fold", "concat", "sa", NULL};
  static const char *const replacements[] = {"lru", "fifo", "plru", "random", NULL};
  if (!strcmp(param->name, "sc_index_fn")) return functions;
  return strcmp(param->name, "sc_repl") ? NULL : replacements;
}

/* A number, or the name of a value. False when it is neither; *text goes past it. */
static bool take_value(const oct_param *param, const char **text, uint32_t *value) {
  const char *const *names = value_names(param);
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

static int bad_list(const oct_param *param, const char *text, oct_diag *diag) {
  const char *const *names = value_names(param);
  if (names)
    return oct_fail(diag, OCT_ERR_CONFIG, "axis %s: '%.40s': expected %s, %s, %s or %s, or 0 to 3",
                    param->name, text, names[0], names[1], names[2], names[3]);
  return oct_fail(diag, OCT_ERR_CONFIG,
                  "axis %s: '%.40s': expected numbers and ranges A..B, A..B+STEP or A..B*FACTOR",
                  param->name, text);
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
  if (!take_value(a->param, text, &from)) return bad_list(a->param, start, diag);
  if (strncmp(*text, "..", 2)) return add_value(a, from, diag);
  *text += 2;
  if (!take_value(a->param, text, &to)) return bad_list(a->param, start, diag);
  if (**text == '+' || **text == '*') {
    times = *(*text)++ == '*';
    if (!take_value(a->param, text, &by) || by < (times ? 2u : 1u))
      return bad_list(a->param, start, diag);
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

/* name=list. The values are the caller's to free, also after an error. */
static int parse_axis(axis *a, const char *text, oct_diag *diag) {
  size_t n = strcspn(text, "=");
  const char *rest = text + n;
  a->param = find_param(text, n);
  if (!a->param)
    return oct_fail(diag, OCT_ERR_ARG, "unknown axis '%.*s': expected a parameter or sc_entries",
                    (int)(n < 40 ? n : 40), text);
  if (*rest != '=' || !rest[1]) return bad_list(a->param, rest, diag);
  a->values = malloc(VALUES_MAX * sizeof *a->values);
  if (!a->values) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  do {
    rest++;
    int error = take_range(a, &rest, diag);
    if (error) return error;
  } while (*rest == ',');
  return *rest ? bad_list(a->param, rest, diag) : 0;
}

int oct_plan_check_axis(const char *text, oct_diag *diag) {
  axis a = {.param = NULL};
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

static int add_geometry(oct_plan *p, const oct_config *cfg, oct_diag *diag) {
  oct_state_bytes state;
  oct_config_state(cfg, &state);
  if (p->max_state_bytes > 0 && state.total > p->max_state_bytes) {
    p->n_too_large++;
    return 0;
  }
  if (tfind(cfg, &p->seen, compare_geometries)) return 0;
  if (p->n == OCT_PLAN_MAX)
    return oct_fail(diag, OCT_ERR_LIMIT, "more than %d geometries", OCT_PLAN_MAX);
  /* All the room at once, of which only what is used costs memory: the tree points into it. */
  if (!p->cfgs) p->cfgs = malloc(OCT_PLAN_MAX * sizeof *p->cfgs);
  if (!p->cfgs) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  p->cfgs[p->n] = *cfg;
  if (!tsearch(&p->cfgs[p->n], &p->seen, compare_geometries))
    return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  p->n++;
  return 0;
}

/* One combination of the axes' values. */
static int add_point(oct_plan *p, const oct_config *base, const axis *axes, const size_t *at,
                     size_t n_axes, oct_diag *diag) {
  oct_config cfg = *base;
  oct_diag why = {0};
  char line[sizeof why.text + 256];
  size_t used = 0;
  uint32_t entries = 0;
  bool has_entries = false;
  int error = 0;
  line[0] = '\0';
  for (size_t i = 0; i < n_axes; i++) {
    uint32_t value = axes[i].values[at[i]];
    if (axes[i].param == &entries_axis) {
      entries = value;
      has_entries = true;
    } else
      ((uint32_t *)&cfg)[axes[i].param - oct_params] = value;
    if (used < 200)
      used += (size_t)snprintf(line + used, 256 - used, "%s%s=%u", i ? "," : "",
                               axes[i].param->name, value);
  }
  if (has_entries && cfg.sc_ways && entries >= cfg.sc_ways && entries % cfg.sc_ways == 0)
    cfg.sc_sets = entries / cfg.sc_ways;
  else if (has_entries)
    error = oct_fail(&why, OCT_ERR_CONFIG, "sc_entries=%u: expected a multiple of sc_ways=%u",
                     entries, cfg.sc_ways);
  if (!error) error = oct_config_check(&cfg, &why);
  if (!error) return add_geometry(p, &cfg, diag);
  snprintf(line + used, sizeof line - used, ": %s", why.text);
  return oct_plan_leave_out(p, "illegal geometry", line, diag);
}

static bool set_the_same(const oct_param *a, const oct_param *b) {
  return (a == &entries_axis && !strcmp(b->name, "sc_sets")) ||
         (b == &entries_axis && !strcmp(a->name, "sc_sets"));
}

/* What the users of a plan have to know of its axes. */
static void note_axis(oct_plan *p, const axis *a) {
  static const char *const timed[] = {"port_pins", "stream_fifo_depth", "data_fifo_depth",
                                      "out_fifo_bytes"};
  p->addr_bits_given |= !strcmp(a->param->name, "addr_bits");
  p->pc_align_given |= !strcmp(a->param->name, "pc_align_bits");
  for (size_t i = 0; i < sizeof timed / sizeof *timed; i++)
    if (a->n > 1 && !strcmp(a->param->name, timed[i])) p->timed_axis = a->param->name;
}

int oct_plan_add_grid(oct_plan *p, const oct_config *base, const char *const *texts, size_t n_axes,
                      oct_diag *diag) {
  axis axes[AXES_MAX];
  size_t at[AXES_MAX] = {0};
  int error = 0;
  memset(axes, 0, sizeof axes);
  if (n_axes > AXES_MAX) return oct_fail(diag, OCT_ERR_LIMIT, "more than %d axes", AXES_MAX);
  for (size_t i = 0; i < n_axes && !error; i++) {
    error = parse_axis(&axes[i], texts[i], diag);
    for (size_t k = 0; k < i && !error; k++)
      if (axes[k].param == axes[i].param)
        error = oct_fail(diag, OCT_ERR_CONFIG, "axis %s is given twice", axes[i].param->name);
      else if (set_the_same(axes[k].param, axes[i].param))
        error = oct_fail(diag, OCT_ERR_CONFIG, "axes sc_sets and sc_entries: expected one of them");
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
