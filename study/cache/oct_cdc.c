/* SPDX-License-Identifier: Apache-2.0 */
/* oct_cdc.c - the C/DC address predictor (Nesbit 2004; oct_cdc.h).
 *
 * The history is a ring of addresses, numbered without end, so that a link to an entry which the
 * ring has run over is told by its number. A prediction walks the chain of its zone from the newest
 * entry back, comparing differences with the newest ones. */
#include "octrace/cache.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

const oct_cdc_config oct_cdc_defaults = {.zone_bytes = 65536,
                                         .line_bytes = 64,
                                         .index_entries = 256,
                                         .ghb_entries = 256,
                                         .key_deltas = 2};

typedef struct index_entry {
  uint64_t zone, newest; /* newest: number of the zone's last address, from 1; 0 = free */
  uint64_t predicted;
  bool has_prediction;
} index_entry;

typedef struct ghb_entry {
  uint64_t addr;
  uint64_t delta;  /* to the address before of its zone */
  uint64_t before; /* number of that address, 0 = none */
} ghb_entry;

struct oct_cdc {
  oct_cdc_config config;
  unsigned zone_log2;
  uint64_t line_mask;
  uint64_t n_addrs; /* the newest address has this number, and stands at it modulo ghb_entries */
  index_entry *index;
  ghb_entry *ghb;
  uint64_t *deltas; /* of a chain, newest first */
  oct_cdc_counts counts;
};

static bool is_power(uint64_t v) {
  return v && !(v & (v - 1));
}

static int check(const oct_cdc_config *c, oct_diag *diag) {
  if (!is_power(c->line_bytes) || !is_power(c->zone_bytes) || c->zone_bytes < c->line_bytes)
    return oct_fail(diag, OCT_ERR_CONFIG,
                    "predictor: zones of %" PRIu64
                    " bytes: expected a power of two, at least the "
                    "line of %" PRIu32 " bytes",
                    c->zone_bytes, c->line_bytes);
  if (!is_power(c->index_entries) || c->index_entries > OCT_CDC_ENTRIES_MAX)
    return oct_fail(diag, OCT_ERR_CONFIG,
                    "predictor: index of %" PRIu32 " entries: expected a power of two up to %d",
                    c->index_entries, OCT_CDC_ENTRIES_MAX);
  if (c->ghb_entries < 2 || c->ghb_entries > OCT_CDC_ENTRIES_MAX)
    return oct_fail(diag, OCT_ERR_CONFIG,
                    "predictor: history of %" PRIu32 " entr%s: expected 2 to %d", c->ghb_entries,
                    c->ghb_entries == 1 ? "y" : "ies", OCT_CDC_ENTRIES_MAX);
  if (!c->key_deltas || c->key_deltas > OCT_CDC_KEY_MAX)
    return oct_fail(diag, OCT_ERR_CONFIG, "predictor: key of %" PRIu32 " deltas: expected 1 to %d",
                    c->key_deltas, OCT_CDC_KEY_MAX);
  return 0;
}

int oct_cdc_new(const oct_cdc_config *config, oct_cdc **out, oct_diag *diag) {
  *out = NULL;
  int error = check(config, diag);
  if (error) return error;
  oct_cdc *p = calloc(1, sizeof *p);
  if (p) {
    p->config = *config;
    while (UINT64_C(1) << p->zone_log2 < config->zone_bytes) p->zone_log2++;
    p->line_mask = ~(uint64_t)(config->line_bytes - 1);
    p->index = calloc(config->index_entries, sizeof *p->index);
    p->ghb = calloc(config->ghb_entries, sizeof *p->ghb);
    p->deltas = calloc(config->ghb_entries, sizeof *p->deltas);
  }
  if (!p || !p->index || !p->ghb || !p->deltas) {
    oct_cdc_free(p);
    return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  }
  *out = p;
  return 0;
}

void oct_cdc_free(oct_cdc *p) {
  if (!p) return;
  free(p->index);
  free(p->ghb);
  free(p->deltas);
  free(p);
}

const oct_cdc_counts *oct_cdc_result(const oct_cdc *p) {
  return &p->counts;
}

/* The entry of an address by its number; NULL for none, or when the ring has run over it. */
static ghb_entry *entry_at(const oct_cdc *p, uint64_t number) {
  if (!number || p->n_addrs - number >= p->config.ghb_entries) return NULL;
  return &p->ghb[number % p->config.ghb_entries];
}

/* What comes after the newest address of a chain; false when its key is not found further back. */
static bool predict(oct_cdc *p, uint64_t newest, uint64_t *next) {
  size_t key = p->config.key_deltas, n = 0;
  const ghb_entry *first = entry_at(p, newest), *e = first;
  while (e && e->before) {
    const ghb_entry *before = entry_at(p, e->before);
    if (!before) return false;
    p->deltas[n++] = e->delta;
    e = before;
    if (n > key && !memcmp(p->deltas, p->deltas + n - key, key * sizeof *p->deltas)) {
      *next = first->addr + p->deltas[n - key - 1];
      return true;
    }
  }
  return false;
}

static void take(oct_cdc *p, uint64_t addr) {
  uint64_t zone = addr >> p->zone_log2;
  index_entry *i = &p->index[zone & (p->config.index_entries - 1)];
  if (!i->newest || i->zone != zone) *i = (index_entry){.zone = zone};
  if (!i->has_prediction)
    p->counts.not_predicted++;
  else if (i->predicted == addr)
    p->counts.correct++;
  else
    p->counts.incorrect++;
  const ghb_entry *before = entry_at(p, i->newest);
  ghb_entry entry = {addr, before ? addr - before->addr : 0, before ? i->newest : 0};
  i->newest = ++p->n_addrs;
  p->ghb[i->newest % p->config.ghb_entries] = entry;
  i->has_prediction = predict(p, i->newest, &i->predicted);
}

void oct_cdc_put(oct_cdc *p, const uint64_t *addrs, size_t n) {
  for (size_t i = 0; i < n; i++) take(p, addrs[i] & p->line_mask);
}
