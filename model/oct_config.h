/* SPDX-License-Identifier: Apache-2.0 */
/* oct_config.h - the one source of the machine's parameters: name, default, legal range, unit.
 * The Verilog parameters, the container's header and the command line are made from this table. */
#ifndef OCT_CONFIG_H
#define OCT_CONFIG_H

#include <stdint.h>

#include "oct_error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* OCT_PARAMS(X): X(name, default, min, max, rule, meaning). rule: OCT_ANY, or OCT_POW2 for a power
 * of two (0 allowed where min is 0). */
#define OCT_PARAMS(X)                                                                           \
  X(addr_bits, 32, 32, 64, OCT_ANY, "width of instruction and data addresses, bits")            \
  X(pc_align_bits, 2, 0, 3, OCT_ANY, "instruction addresses are multiples of 2^this")           \
  X(sl_bits, 8, 1, 16, OCT_ANY, "log2 of the maximum stream length in instructions")            \
  X(stream_fifo_depth, 2, 1, 64, OCT_ANY, "stream buffer, entries")                             \
  X(sc_sets, 32, 1, 1024, OCT_POW2, "stream cache sets (NSET)")                                 \
  X(sc_ways, 4, 1, 16, OCT_POW2, "stream cache ways (NWAY)")                                    \
  X(sc_index_fn, 0, 0, 3, OCT_ANY, "stream cache index function: 0 paper 1 fold 2 concat 3 sa") \
  X(sc_repl, 0, 0, 3, OCT_ANY, "stream cache replacement: 0 lru 1 fifo 2 plru 3 random")        \
  X(ntuple_n, 8, 0, 16, OCT_ANY, "indices in a tuple, 0 = N-tuple stage off")                   \
  X(thb_depth, 255, 1, 1023, OCT_ANY, "tuple history buffer, tuples")                           \
  X(thb_update, 0, 0, 1, OCT_ANY, "tuples enter the history: 0 on a miss, 1 always")            \
  X(data_fifo_depth, 8, 1, 64, OCT_ANY, "data buffer, entries")                                 \
  X(dasc_entries, 1024, 1, 65536, OCT_POW2, "data address stride cache, entries")               \
  X(dasc_ways, 0, 0, 16, OCT_POW2, "DASC ways, 0 = tagless and direct mapped")                  \
  X(stride_bits, 8, 1, 32, OCT_ANY, "DASC stride field, bits")                                  \
  X(rep_pattern_bits, 8, 1, 32, OCT_ANY, "repetition FSM pattern, bits")                        \
  X(rep_count_bits, 8, 0, 16, OCT_ANY, "repetition count field, bits, 0 = FSM off")             \
  X(task_bits, 16, 1, 32, OCT_ANY, "task number, bits")                                         \
  X(sync_period_insns, 1048576, 0, 0xffffffff, OCT_ANY,                                         \
    "instructions between syncs, 0 = only the first")                                           \
  X(out_fifo_bytes, 64, 32, 4096, OCT_POW2, "output FIFO ahead of the port, bytes")             \
  X(port_pins, 16, 1, 32, OCT_ANY, "trace port data pins")

typedef struct oct_config {
#define OCT_X(name, def, min, max, rule, text) uint32_t name;
  OCT_PARAMS(OCT_X)
#undef OCT_X
} oct_config;

enum { OCT_ANY, OCT_POW2 };

/* Values of sc_index_fn and sc_repl: X(name, meaning), for the Verilog too (rtl/oct_types.vh). */
#define OCT_ENUMERATOR(name, text) name,
#define OCT_INDEX_FNS(X) \
  X(OCT_INDEX_PAPER, "") X(OCT_INDEX_FOLD, "") X(OCT_INDEX_CONCAT, "") X(OCT_INDEX_SA, "")
#define OCT_REPLS(X) \
  X(OCT_REPL_LRU, "") X(OCT_REPL_FIFO, "") X(OCT_REPL_PLRU, "") X(OCT_REPL_RANDOM, "")
enum { OCT_INDEX_FNS(OCT_ENUMERATOR) };
enum { OCT_REPLS(OCT_ENUMERATOR) };

typedef struct oct_param {
  const char *name;
  uint32_t def, min, max;
  int rule;
  const char *text;
} oct_param;

/* The table, in the order of struct oct_config, which is an array of uint32_t in that order. */
extern const oct_param oct_params[];
extern const unsigned oct_params_count;

/* All defaults (the paper's machine). */
void oct_config_init(oct_config *cfg);

/* Legal as a whole? 0 or OCT_ERR_CONFIG with the offending parameter in *diag. */
int oct_config_check(const oct_config *cfg, oct_diag *diag);

/* Set one parameter by name from decimal text. OCT_ERR_CONFIG: unknown name, not a number, or out
 * of its own range. */
int oct_config_set(oct_config *cfg, const char *name, const char *value, oct_diag *diag);

/* Apply a list "name=value,name=value", or the name of a geometry, or a geometry followed by such a
 * list ("paper,port_pins=4"). OCT_ERR_CONFIG. The result is checked as a whole. */
int oct_config_parse(oct_config *cfg, const char *text, oct_diag *diag);

/* Named geometries: number of them, name, and one line of purpose (model/oct_geometry.c). */
unsigned oct_geometry_count(void);
const char *oct_geometry_name(unsigned i);
const char *oct_geometry_text(unsigned i);
/* OCT_ERR_CONFIG when there is none of that name. */
int oct_geometry_get(const char *name, oct_config *cfg);

/* Widths that follow from the parameters (docs/port-format.md, section 1). */
typedef struct oct_widths {
  uint32_t index_bits;   /* I */
  uint32_t thb_bits;     /* T */
  uint32_t payload_bits; /* P, the longest payload */
  uint32_t sync_ones;    /* K, ones of a sync mark */
} oct_widths;
void oct_config_widths(const oct_config *cfg, oct_widths *w);

/* State in bytes of each structure, as Table 5 of seed 001 counts it. */
typedef struct oct_state_bytes {
  double stream_cache, thb, tuple_buffer, stream_fifo, dasc, data_fifo, total;
} oct_state_bytes;
void oct_config_state(const oct_config *cfg, oct_state_bytes *s);

#ifdef __cplusplus
}
#endif
#endif
