/* SPDX-License-Identifier: Apache-2.0 */
/* oct_ev_types.c - name tables, definitions, parameters and the record accounting.
 *
 * A name table is an array of texts with an open-addressing hash of their numbers. The accounting
 * is that of Knüpfer 2003: fixed bytes for each event, occurrence, pattern and definition, whatever
 * the file needs. */
#include "oct_ev_types.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "oct_ev_bytes.h"

const char *oct_ev_names_text(const oct_ev_names *names, uint32_t i) {
  return names->text + names->start[i];
}

static int is_name(const oct_ev_names *t, uint32_t i, const char *name, size_t length) {
  return t->start[i + 1] - t->start[i] == length + 1 &&
         !memcmp(t->text + t->start[i], name, length);
}

int64_t oct_ev_names_find(const oct_ev_names *t, const char *name, size_t length) {
  if (!t->n_slots) return -1;
  size_t mask = t->n_slots - 1, at = (size_t)XXH3_64bits(name, length) & mask;
  for (; t->slots[at]; at = (at + 1) & mask)
    if (is_name(t, t->slots[at] - 1, name, length)) return t->slots[at] - 1;
  return -1;
}

static int grow_slots(oct_ev_names *t) {
  size_t n = t->n_slots ? 2 * t->n_slots : 64;
  uint32_t *slots = calloc(n, sizeof *slots);
  if (!slots) return OCT_ERR_NOMEM;
  for (uint32_t i = 0; i < t->n; i++) {
    size_t length = t->start[i + 1] - t->start[i] - 1;
    size_t at = (size_t)XXH3_64bits(t->text + t->start[i], length) & (n - 1);
    while (slots[at]) at = (at + 1) & (n - 1);
    slots[at] = i + 1;
  }
  free(t->slots);
  t->slots = slots;
  t->n_slots = n;
  return 0;
}

int64_t oct_ev_names_add(oct_ev_names *t, const char *name, size_t length) {
  int64_t found = oct_ev_names_find(t, name, length);
  if (found >= 0) return found;
  if (memchr(name, 0, length)) return OCT_ERR_FORMAT;
  if (t->n >= OCT_EV_NAMES_MAX) return OCT_ERR_LIMIT;
  if (2 * ((size_t)t->n + 1) > t->n_slots && grow_slots(t)) return OCT_ERR_NOMEM;
  if (oct_ev_grow((void **)&t->text, &t->text_cap, t->text_bytes + length + 1, 1) ||
      oct_ev_grow((void **)&t->start, &t->start_cap, (size_t)t->n + 2, sizeof *t->start))
    return OCT_ERR_NOMEM;
  t->start[0] = 0;
  memcpy(t->text + t->text_bytes, name, length);
  t->text[t->text_bytes + length] = 0;
  t->text_bytes += length + 1;
  t->start[t->n + 1] = t->text_bytes;
  size_t at = (size_t)XXH3_64bits(name, length) & (t->n_slots - 1);
  while (t->slots[at]) at = (at + 1) & (t->n_slots - 1);
  t->slots[at] = ++t->n;
  return t->n - 1;
}

static void free_names(oct_ev_names *t) {
  free(t->text);
  free(t->start);
  free(t->slots);
}

void oct_ev_defs_free(oct_ev_defs *d) {
  free_names(&d->functions);
  free_names(&d->locations);
  free_names(&d->processes);
  free(d->location);
  free(d->function_id);
  free(d->blob);
  memset(d, 0, sizeof *d);
}

int64_t oct_ev_defs_function(oct_ev_defs *d, const char *name, size_t length, uint64_t id) {
  uint32_t before = d->functions.n;
  int64_t i = oct_ev_names_add(&d->functions, name, length);
  if (i < 0 || d->functions.n == before) return i;
  if (oct_ev_grow((void **)&d->function_id, &d->function_id_cap, d->functions.n, sizeof(uint64_t)))
    return OCT_ERR_NOMEM;
  d->function_id[i] = id;
  return i;
}

int64_t oct_ev_defs_location(oct_ev_defs *d, const char *name, size_t length, const char *process,
                             uint64_t id) {
  uint32_t before = d->locations.n;
  int64_t p, i = oct_ev_names_add(&d->locations, name, length);
  if (i < 0 || d->locations.n == before) return i;
  if ((p = oct_ev_names_add(&d->processes, process, strlen(process))) < 0) return p;
  if (oct_ev_grow((void **)&d->location, &d->location_cap, d->locations.n, sizeof *d->location))
    return OCT_ERR_NOMEM;
  d->location[i] = (oct_ev_location_def){.process = (uint32_t)p, .id = id};
  return i;
}

int oct_ev_defs_copy(oct_ev_defs *to, const oct_ev_defs *from) {
  memset(to, 0, sizeof *to);
  to->ticks_per_second = from->ticks_per_second;
  for (uint32_t i = 0; i < from->functions.n; i++) {
    const char *name = oct_ev_names_text(&from->functions, i);
    if (oct_ev_defs_function(to, name, strlen(name), from->function_id[i]) < 0) goto fail;
  }
  for (uint32_t i = 0; i < from->locations.n; i++) {
    const char *name = oct_ev_names_text(&from->locations, i);
    const char *process = oct_ev_names_text(&from->processes, from->location[i].process);
    if (oct_ev_defs_location(to, name, strlen(name), process, from->location[i].id) < 0) goto fail;
  }
  if (from->blob_bytes) {
    if (oct_ev_grow((void **)&to->blob, &to->blob_cap, from->blob_bytes, 1)) goto fail;
    memcpy(to->blob, from->blob, from->blob_bytes);
    to->blob_bytes = from->blob_bytes;
  }
  return 0;
fail:
  oct_ev_defs_free(to);
  return OCT_ERR_NOMEM;
}

void oct_ev_params_init(oct_ev_params *p, uint64_t ticks_per_second) {
  double ticks = ticks_per_second ? (double)ticks_per_second : 1e9;
  memset(p, 0, sizeof *p);
  p->max_order = 256;
  p->t_abs_ticks = (uint64_t)(ticks * 1e-6 + 0.5);
  p->t_rel_ppm = 250000;
  p->drift_ticks = (uint64_t)(ticks * 1e-3 + 0.5);
  p->max_corrections = 8;
  p->buffer_events = 1u << 21;
  p->level = 3;
}

int oct_ev_params_check(const oct_ev_params *p, oct_diag *diag) {
  if (p->max_order == 1 || p->max_order > OCT_EV_ORDER_MAX)
    return oct_fail(diag, OCT_ERR_CONFIG, "order %u: expected 0, or 2 to %u", p->max_order,
                    OCT_EV_ORDER_MAX);
  if (p->t_rel_ppm > 1000000)
    return oct_fail(diag, OCT_ERR_CONFIG, "relative threshold %u ppm: expected 0 to 1000000",
                    p->t_rel_ppm);
  if (p->max_corrections > 255)
    return oct_fail(diag, OCT_ERR_CONFIG, "%u correction pairs: expected 0 to 255",
                    p->max_corrections);
  if (p->buffer_events < 1024 || p->buffer_events > 1u << 28)
    return oct_fail(diag, OCT_ERR_CONFIG, "buffer of %u events: expected 1024 to %u",
                    p->buffer_events, 1u << 28);
  if (p->level < 1 || p->level > 19)
    return oct_fail(diag, OCT_ERR_CONFIG, "level %d: expected 1 to 19", (int)p->level);
  return 0;
}

uint64_t oct_ev_size_before(const oct_ev_counts *c) {
  return OCT_EV_EVENT_BYTES * c->events;
}

uint64_t oct_ev_size_after(const oct_ev_counts *c) {
  return OCT_EV_EVENT_BYTES * c->plain_events + OCT_EV_OCCURRENCE_BYTES * c->occurrences +
         OCT_EV_CORRECTION_BYTES * c->corrections + OCT_EV_PATTERN_BYTES * c->patterns +
         OCT_EV_PATTERN_ORDER_BYTES * c->pattern_order_sum + OCT_EV_META_BYTES * c->metas;
}

double oct_ev_theory(double e, double n, double k) {
  return OCT_EV_EVENT_BYTES * e /
         (OCT_EV_META_BYTES * k + OCT_EV_PATTERN_BYTES + OCT_EV_PATTERN_ORDER_BYTES * n +
          OCT_EV_OCCURRENCE_BYTES * e / n);
}
