/* SPDX-License-Identifier: Apache-2.0 */
/* oct_port_needs.c - how many pins and how deep buffers a trace needs. */
#include "oct_port_needs.h"

#include <stdlib.h>

#include "oct_core.h"
#include "oct_pause.h"

struct oct_port_needs {
  oct_port_point *points;
  oct_top *tops;
  size_t n, n_ready; /* tops that are to be freed */
  oct_core core;
  oct_pause pause;
  uint64_t insn_count;
};

int oct_port_needs_new(const oct_port_point *points, size_t n, const oct_run_options *options,
                       oct_port_needs **out, oct_diag *diag) {
  int error = 0;
  *out = NULL;
  for (size_t i = 0; i < n && !error; i++) {
    error = oct_config_check(&points[i].cfg, diag);
    if (!error && !points[i].clock_divider)
      error = oct_fail(diag, OCT_ERR_ARG, "clock divider 0: expected at least 1");
  }
  if (error) return error;
  oct_port_needs *s = calloc(1, sizeof *s);
  if (!s) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  s->n = n;
  s->points = malloc((n + 1) * sizeof *s->points);
  s->tops = calloc(n + 1, sizeof *s->tops);
  error = s->points && s->tops ? 0 : OCT_ERR_NOMEM;
  for (size_t i = 0; i < n && !error; i++) {
    s->points[i] = points[i];
    error = oct_top_init(&s->tops[i], &points[i].cfg);
    if (!error) s->n_ready++;
  }
  if (!error) error = oct_pause_init(&s->pause, n);
  if (error) {
    oct_port_needs_free(s);
    return oct_fail(diag, error, "out of memory");
  }
  oct_core_init(&s->core, options);
  *out = s;
  return 0;
}

void oct_port_needs_free(oct_port_needs *s) {
  if (!s) return;
  for (size_t i = 0; i < s->n_ready; i++) oct_top_free(&s->tops[i]);
  oct_pause_free(&s->pause);
  free(s->tops);
  free(s->points);
  free(s);
}

static bool has_ended(const oct_port_needs *s, size_t i) {
  return s->points[i].end_at_loss && s->tops[i].stats.overflows;
}

static int run_cycle(void *context, const oct_top_in *core) {
  oct_port_needs *s = context;
  for (size_t i = 0; i < s->n; i++) {
    oct_top_in in = *core;
    oct_top_out out;
    if (has_ended(s, i)) continue;
    if (s->core.cycle % s->points[i].clock_divider) in.port_stall = true;
    oct_top_cycle(&s->tops[i], &in, &out);
  }
  return 0;
}

static void run_pause(oct_port_needs *s) {
  s->pause.n = 0;
  for (size_t i = 0; i < s->n; i++)
    if (!has_ended(s, i)) s->pause.tops[s->pause.n++] = &s->tops[i];
  oct_pause_run(&s->pause, &s->core, run_cycle, s);
}

int oct_port_needs_put(oct_port_needs *s, const oct_insn *insns, size_t n_insns,
                       const oct_access *accesses, oct_diag *diag) {
  oct_top_in in;
  for (size_t i = 0; i < n_insns; accesses += insns[i++].n_access) {
    int error = oct_core_put(&s->core, &insns[i], accesses, s->insn_count++, diag);
    if (error) return error;
    if (oct_core_pause_cycles(&s->core)) run_pause(s);
    while (oct_core_next(&s->core, &in)) run_cycle(s, &in);
  }
  return 0;
}

const oct_stats *oct_port_needs_stats(const oct_port_needs *s, size_t i) {
  return &s->tops[i].stats;
}
