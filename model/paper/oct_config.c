/* SPDX-License-Identifier: Apache-2.0 */
/* oct_config.c - defaults, legality and derived widths of the parameters. */
#include "oct_config.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

const oct_param oct_params[] = {
#define OCT_X(name, def, min, max, rule, text) {#name, def, min, max, rule, text},
    OCT_PARAMS(OCT_X)
#undef OCT_X
};
const unsigned oct_params_count = sizeof oct_params / sizeof oct_params[0];

static uint32_t *param_at(oct_config *cfg, unsigned i) {
  return (uint32_t *)cfg + i;
}

void oct_config_init(oct_config *cfg) {
  for (unsigned i = 0; i < oct_params_count; i++) *param_at(cfg, i) = oct_params[i].def;
}

static uint32_t clog2(uint32_t v) {
  uint32_t bits = 0;
  while (((uint64_t)1 << bits) < v) bits++;
  return bits;
}

/* For the expressions of OCT_WIDTHS and OCT_JOINT_RULES, which use some of them. */
#define PARAM_LOCAL(name, def, min, max, rule, text) \
  const uint32_t name = cfg->name;                   \
  (void)name;

void oct_config_widths(const oct_config *cfg, oct_widths *w) {
  OCT_PARAMS(PARAM_LOCAL)
#define OCT_X(name, value, text)           \
  const uint32_t name = w->name = (value); \
  (void)name;
  OCT_WIDTHS(OCT_X)
#undef OCT_X
}

static int check_joint(const oct_config *cfg, oct_diag *diag) {
  OCT_PARAMS(PARAM_LOCAL)
#define OCT_X(name, value, text) \
  const uint32_t name = value;   \
  (void)name;
  OCT_WIDTHS(OCT_X)
#undef OCT_X
#define OCT_X(name, condition, expected, example) \
  if (condition) return oct_fail(diag, OCT_ERR_CONFIG, #name "=%u: expected " expected, name);
  OCT_JOINT_RULES(OCT_X)
#undef OCT_X
  return 0;
}

static int check_range(const oct_param *p, uint32_t value, oct_diag *diag) {
  if (value < p->min || value > p->max)
    return oct_fail(diag, OCT_ERR_CONFIG, "%s=%u: expected %u to %u", p->name, value, p->min,
                    p->max);
  if (p->rule == OCT_POW2 && (value & (value - 1)))
    return oct_fail(diag, OCT_ERR_CONFIG, "%s=%u: expected a power of two", p->name, value);
  return 0;
}

int oct_config_check(const oct_config *cfg, oct_diag *diag) {
  for (unsigned i = 0; i < oct_params_count; i++) {
    int error = check_range(&oct_params[i], ((const uint32_t *)cfg)[i], diag);
    if (error) return error;
  }
  return check_joint(cfg, diag);
}

int oct_config_set(oct_config *cfg, const char *name, const char *value, oct_diag *diag) {
  for (unsigned i = 0; i < oct_params_count; i++) {
    char *end;
    unsigned long long v;
    int error;
    if (strcmp(oct_params[i].name, name) != 0) continue;
    v = strtoull(value, &end, 10);
    if (!isdigit((unsigned char)*value) || *end || v > UINT32_MAX)
      return oct_fail(diag, OCT_ERR_CONFIG, "%s=%.40s: expected a number from %u to %u", name,
                      value, oct_params[i].min, oct_params[i].max);
    error = check_range(&oct_params[i], (uint32_t)v, diag);
    if (error) return error;
    *param_at(cfg, i) = (uint32_t)v;
    return 0;
  }
  return oct_fail(diag, OCT_ERR_CONFIG, "'%.40s': no such parameter", name);
}

static int apply_item(oct_config *cfg, char *item, int first, oct_diag *diag) {
  char *eq = strchr(item, '=');
  if (eq) {
    *eq = '\0';
    return oct_config_set(cfg, item, eq + 1, diag);
  }
  if (!first || oct_geometry_get(item, cfg))
    return oct_fail(diag, OCT_ERR_CONFIG, "'%.40s': expected a geometry or name=value", item);
  return 0;
}

int oct_config_parse(oct_config *cfg, const char *text, oct_diag *diag) {
  oct_config work = *cfg;
  char *copy = strdup(text);
  char *rest = copy;
  char *item;
  int error = copy ? 0 : oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  int first = 1;
  while (!error && (item = strsep(&rest, ",")) != NULL) {
    error = apply_item(&work, item, first, diag);
    first = 0;
  }
  free(copy);
  if (!error) error = oct_config_check(&work, diag);
  if (!error) *cfg = work;
  return error;
}

void oct_config_state(const oct_config *cfg, oct_state_bytes *s) {
  oct_widths w;
  double stream_bytes = (cfg->addr_bits + cfg->sl_bits) / 8.0;
  uint32_t tag_bits = 0;
  oct_config_widths(cfg, &w);
  if (cfg->dasc_ways) {
    uint32_t sets = cfg->dasc_entries / cfg->dasc_ways;
    tag_bits = cfg->addr_bits - cfg->pc_align_bits - clog2(sets) + 4;
  }
  s->stream_cache = cfg->sc_sets * cfg->sc_ways * stream_bytes;
  s->thb = (double)cfg->thb_depth * cfg->ntuple_n * w.index_bits / 8.0;
  s->tuple_buffer = cfg->ntuple_n * w.index_bits / 8.0;
  if (!cfg->ntuple_n) s->thb = 0;
  s->stream_fifo = cfg->stream_fifo_depth * stream_bytes;
  s->dasc = cfg->dasc_entries * (cfg->addr_bits + cfg->stride_bits + tag_bits) / 8.0;
  s->data_fifo = cfg->data_fifo_depth * 2.0 * cfg->addr_bits / 8.0;
  s->total = s->stream_cache + s->thb + s->tuple_buffer + s->stream_fifo + s->dasc + s->data_fifo;
}
