/* SPDX-License-Identifier: Apache-2.0 */
/* oct_port_needs.c - how many pins and how deep buffers a trace needs. */
#include "oct_port_needs.h"

#include <stdlib.h>

#include "oct_core.h"

struct oct_port_needs {
  oct_port_point *points;
  oct_top *tops;
  size_t n, n_ready; /* tops that are to be freed */
  oct_core core;
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
  free(s->tops);
  free(s->points);
  free(s);
}

static void run_cycle(oct_port_needs *s, const oct_top_in *core) {
  for (size_t i = 0; i < s->n; i++) {
    oct_top_in in = *core;
    oct_top_out out;
    if (s->points[i].end_at_loss && s->tops[i].stats.overflows) continue;
    if (s->core.cycle % s->points[i].clock_divider) in.port_stall = true;
    oct_top_cycle(&s->tops[i], &in, &out);
  }
}

void oct_port_needs_put(oct_port_needs *s, const oct_insn *insns, size_t n_insns,
                        const oct_access *accesses) {
  oct_top_in in;
  for (size_t i = 0; i < n_insns; accesses += insns[i++].n_access) {
    oct_core_put(&s->core, &insns[i], accesses);
    while (oct_core_next(&s->core, &in)) run_cycle(s, &in);
  }
}

const oct_stats *oct_port_needs_stats(const oct_port_needs *s, size_t i) {
  return &s->tops[i].stats;
}
