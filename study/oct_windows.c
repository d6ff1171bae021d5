/* SPDX-License-Identifier: Apache-2.0 */
/* oct_windows.c - counts over time. */
#include "oct_windows.h"

#include <stdbool.h>
#include <string.h>

void oct_windows_init(oct_windows *w, const oct_tracer *t) {
  memset(w, 0, sizeof *w);
  w->tracer = t;
  for (unsigned i = 0; i < t->n_counters && w->n_counters < OCT_WINDOW_COUNTERS_MAX; i++)
    if (t->counters[i].group >= OCT_GROUP_PORT_INSN &&
        t->counters[i].group <= OCT_GROUP_PORT_OVERHEAD)
      w->counter[w->n_counters++] = i;
  w->window_insns = OCT_WINDOW_FIRST_INSNS;
}

uint64_t oct_windows_room(const oct_windows *w) {
  uint64_t filled = w->n ? w->window[w->n - 1].insns : w->window_insns;
  return filled < w->window_insns ? w->window_insns - filled : w->window_insns;
}

static void add(oct_windows *w, size_t to, size_t from) {
  w->window[to].insns += w->window[from].insns;
  for (unsigned i = 0; i < w->n_counters; i++) w->window[to].bits[i] += w->window[from].bits[i];
}

/* Two windows become one. */
static void merge(oct_windows *w) {
  for (size_t i = 0; i < w->n; i += 2) {
    if (i) w->window[i / 2] = w->window[i];
    if (i + 1 < w->n) add(w, i / 2, i + 1);
  }
  w->n = (w->n + 1) / 2;
  w->window_insns *= 2;
}

/* A counter went down, since what it told before was a guess or belongs to another stream. */
static void take_back(oct_windows *w, unsigned counter, uint64_t bits) {
  for (size_t k = w->n; k-- && bits;) {
    uint64_t *of = &w->window[k].bits[counter], part = *of < bits ? *of : bits;
    *of -= part;
    bits -= part;
  }
}

void oct_windows_take(oct_windows *w, const uint64_t *counters) {
  uint64_t insns = oct_tracer_count(w->tracer, counters, "insns") - w->last_insns;
  bool full = w->n && w->window[w->n - 1].insns >= w->window_insns;
  if (full && insns && w->n == OCT_WINDOWS_MAX) merge(w); /* all were full, and so is the last */
  if (!w->n || (full && insns)) memset(&w->window[w->n++], 0, sizeof w->window[0]);
  w->window[w->n - 1].insns += insns;
  w->last_insns += insns;
  for (unsigned i = 0; i < w->n_counters; i++) {
    uint64_t now = counters[w->counter[i]], before = w->last_bits[i];
    if (now < before)
      take_back(w, i, before - now);
    else
      w->window[w->n - 1].bits[i] += now - before;
    w->last_bits[i] = now;
  }
}
