/* SPDX-License-Identifier: Apache-2.0 */
/* oct_config.c - defaults, named geometries, legality and derived widths of the parameters.
 *
 * All of it is made from the lists of oct_config.h: each parameter with its range, each width and
 * each joint rule as an expression over the parameters. */
#include "oct_config.h"

#include "oct_mask.h"

const oct_param oct_params[] = {
#define OCT_X(name_, def_, min_, max_, rule_, unit_, role_, text_, absent_) \
  {.name = #name_,                                                          \
   .def = def_,                                                             \
   .min = min_,                                                             \
   .max = max_,                                                             \
   .rule = rule_,                                                           \
   .unit = unit_,                                                           \
   .role = OCT_ROLE_##role_,                                                \
   .text = text_,                                                           \
   .absent = absent_},
    OCT_PARAMS(OCT_X)
#undef OCT_X
};
const unsigned oct_params_count = sizeof oct_params / sizeof oct_params[0];

const oct_geometry oct_geometries[OCT_GEOMETRIES] = {
    {"paper",
     "Milenković 2007: 32x4 stream cache, 255 8-tuples, 1024-entry tagless DASC; syncs by "
     "instructions alone",
     "sync_period_bits=0"},
    {"paper-pipelined", "the same at an access a cycle, with an output FIFO of 512 bytes",
     "pipelined=1,out_fifo_bytes=512,sync_period_bits=0"},
    {"small", "a quarter of the paper's state",
     "sc_sets=16,thb_depth=31,ntuple_n=4,dasc_entries=128,port_pins=8"},
    {"tiny", "one of everything, on one pin",
     "sc_sets=1,sc_ways=1,thb_depth=1,ntuple_n=2,dasc_entries=1,stream_fifo_depth=1,"
     "data_fifo_depth=1,sl_bits=1,stride_bits=1,rep_pattern_bits=1,rep_count_bits=1,port_pins=1,"
     "sync_period_bits=4096"},
    {"odd", "nothing round: tree PLRU, 5-tuples, 7-bit patterns, 3 pins",
     "sc_sets=16,sc_ways=8,sc_index_fn=1,sc_repl=2,thb_depth=37,ntuple_n=5,thb_update=1,"
     "dasc_entries=32,stride_bits=5,rep_pattern_bits=7,rep_count_bits=3,sl_bits=5,"
     "stream_fifo_depth=3,data_fifo_depth=5,port_pins=3,sync_period_insns=5000,"
     "check_bits=32,check_period_bits=1000"},
    {"tagged", "the paper's 256x4 tagged DASC", "dasc_entries=1024,dasc_ways=4"},
    {"direct", "direct mapped, without the second level and without checks",
     "sc_sets=128,sc_ways=1,sc_index_fn=2,ntuple_n=0,rep_count_bits=0,sync_period_bits=0,"
     "check_bits=0"},
    {"fifo", "FIFO replacement", "sc_repl=1,sc_index_fn=3,dasc_entries=256"},
    {"random", "random replacement", "sc_repl=3,sc_ways=8,sc_sets=16,dasc_entries=512"},
    {"max", "more of everything, on 32 pins",
     "sc_sets=256,sc_ways=8,thb_depth=1023,ntuple_n=16,dasc_entries=8192,dasc_ways=4,"
     "stride_bits=16,rep_pattern_bits=16,stream_fifo_depth=8,data_fifo_depth=64,port_pins=32,"
     "out_fifo_bytes=512"},
    {"wide64", "64-bit addresses, byte-aligned instructions",
     "addr_bits=64,pc_align_bits=0,port_pins=32,data_fifo_depth=16,out_fifo_bytes=128"},
};

const oct_param_table oct_config_table = {oct_params, sizeof oct_params / sizeof oct_params[0],
                                          oct_geometries, OCT_GEOMETRIES};

unsigned oct_geometry_count(void) {
  return OCT_GEOMETRIES;
}
const char *oct_geometry_name(unsigned i) {
  return i < OCT_GEOMETRIES ? oct_geometries[i].name : NULL;
}

int oct_geometry_get(const char *name, oct_config *cfg) {
  uint32_t values[OCT_CONFIG_PARAMS];
  int error = oct_param_geometry(&oct_config_table, name, values, NULL);
  if (!error) *cfg = oct_config_of(values);
  return error;
}

void oct_config_init(oct_config *cfg) {
  uint32_t values[OCT_CONFIG_PARAMS];
  oct_param_defaults(&oct_config_table, values);
  *cfg = oct_config_of(values);
}

#define clog2 oct_log2_up /* as the expressions of the widths call it */

/* For the expressions of OCT_WIDTHS and OCT_JOINT_RULES, which use some of them. */
#define PARAM_LOCAL(name, ...)     \
  const uint32_t name = cfg->name; \
  (void)name;

void oct_config_widths(const oct_config *cfg, oct_widths *w) {
  OCT_PARAMS(PARAM_LOCAL)
#define OCT_X(name, value, text)           \
  const uint32_t name = w->name = (value); \
  (void)name;
  OCT_WIDTHS(OCT_X)
#undef OCT_X
}

int oct_config_check_joint(const oct_config *cfg, oct_diag *diag) {
  OCT_PARAMS(PARAM_LOCAL)
#define OCT_X(name, value, text) \
  const uint32_t name = value;   \
  (void)name;
  OCT_WIDTHS(OCT_X)
#undef OCT_X
#define OCT_X(name, condition, expected, example) \
  if (condition) return oct_fail_param(diag, OCT_ERR_CONFIG, #name, name, "expected " expected);
  OCT_JOINT_RULES(OCT_X)
#undef OCT_X
  return 0;
}

int oct_config_check(const oct_config *cfg, oct_diag *diag) {
  uint32_t values[OCT_CONFIG_PARAMS];
  oct_config_put(cfg, values);
  int error = oct_param_check(&oct_config_table, values, diag);
  return error ? error : oct_config_check_joint(cfg, diag);
}

int oct_config_parse(oct_config *cfg, const char *text, oct_diag *diag) {
  uint32_t values[OCT_CONFIG_PARAMS];
  oct_config_put(cfg, values);
  int error = oct_param_parse(&oct_config_table, text, values, NULL, diag);
  const oct_config work = oct_config_of(values);
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
    tag_bits = cfg->addr_bits - cfg->pc_align_bits - oct_log2_up(sets) + 4;
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
