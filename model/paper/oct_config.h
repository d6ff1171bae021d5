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

/* OCT_WIDTHS(X): X(name, value, meaning), what follows from the parameters. The value is an
 * expression of C and, in capitals, of Verilog, over the parameters, the widths before it, and
 * clog2. (The formatter would take a product for a pointer.) */
// clang-format off
#define OCT_WIDTHS(X)                                                                              \
  X(index_bits, sc_sets * sc_ways > 1 ? clog2(sc_sets * sc_ways) : 1, "I: a stream cache index")   \
  X(thb_bits, thb_depth > 0 ? clog2(thb_depth + 1) : 1, "T: number of a tuple, 0 = none")          \
  X(tuple_n, ntuple_n > 0 ? ntuple_n : 1, "indices that an instruction item has room for,")        \
  X(tuple_bits, tuple_n * index_bits, "and their bits")                                            \
  X(index_value_bits, index_bits > thb_bits ? index_bits : thb_bits, "")                           \
  X(stream_value_bits, sl_bits + 1 > task_bits ? sl_bits + 1 : task_bits, "")                      \
  X(insn_value_bits,                                                                               \
    index_value_bits > stream_value_bits ? index_value_bits : stream_value_bits,                   \
    "VI: the value of an instruction item")                                                        \
  X(data_n_bits, rep_count_bits + 1 > 5 ? rep_count_bits + 1 : 5, "NW: the n of a data item")      \
  X(stream_word_bits, addr_bits + sl_bits + 1 + task_bits + 3, "a word of the stream buffer")      \
  X(data_word_bits, 2 * addr_bits + 4 + 2 + 3, "a word of the data buffer")                        \
  X(stream_payload_bits, addr_bits - pc_align_bits + sl_bits, "payloads of packets: an SCMT,")     \
  X(number_payload_bits, addr_bits + (addr_bits > task_bits ? addr_bits : task_bits),              \
    "an overflow or a sync,")                                                                      \
  X(part_payload_bits, 4 + (tuple_n - 1) * index_bits, "a part of a tuple,")                       \
  X(tuple_payload_bits, tuple_bits > part_payload_bits ? tuple_bits : part_payload_bits,           \
    "the longer of it and a tuple,")                                                               \
  X(data_payload_bits, rep_pattern_bits + (rep_count_bits > 4 ? rep_count_bits : 4),               \
    "a repetition or a part of a pattern,")                                                        \
  X(insn_payload_bits,                                                                             \
    stream_payload_bits > number_payload_bits ? stream_payload_bits : number_payload_bits, "")     \
  X(short_payload_bits, data_payload_bits > thb_bits ? data_payload_bits : thb_bits, "")           \
  X(long_payload_bits,                                                                             \
    insn_payload_bits > tuple_payload_bits ? insn_payload_bits : tuple_payload_bits, "")           \
  X(payload_bits, long_payload_bits > short_payload_bits ? long_payload_bits : short_payload_bits, \
    "P: the longest")                                                                              \
  X(sync_ones, (payload_bits + 14) / 8 * 8, "K: ones of a sync mark")                              \
  X(packet_bits, sync_ones + 1 + addr_bits + task_bits, "the longest packet, a sync")              \
  X(length_bits, clog2(packet_bits + 1), "and its length")

/* OCT_JOINT_RULES(X): X(name, condition, expected, example), what is illegal over several
 * parameters: the one that is named, when, what is expected, and settings against the rule. */
#define OCT_JOINT_RULES(X)                                                                         \
  X(ntuple_n, ntuple_n * index_bits > 192, "a tuple of at most 192 bits",                          \
    "ntuple_n=16,sc_sets=1024,sc_ways=8")                                                          \
  X(dasc_ways, dasc_ways > dasc_entries, "at most dasc_entries", "dasc_ways=16,dasc_entries=8")
// clang-format on

typedef struct oct_config {
#define OCT_X(name, def, min, max, rule, text) uint32_t name;
  OCT_PARAMS(OCT_X)
#undef OCT_X
} oct_config;

enum { OCT_ANY, OCT_POW2 };

/* Values of sc_index_fn and sc_repl: X(name, meaning), for the Verilog too
 * (rtl/paper/oct_types.vh). */
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

/* Named geometries: number of them, name, and one line of purpose (model/paper/oct_geometry.c). */
unsigned oct_geometry_count(void);
const char *oct_geometry_name(unsigned i);
const char *oct_geometry_text(unsigned i);
/* OCT_ERR_CONFIG when there is none of that name. */
int oct_geometry_get(const char *name, oct_config *cfg);

/* Widths that follow from the parameters (docs/port-format.md, section 1), in bits, in the order of
 * OCT_WIDTHS. */
typedef struct oct_widths {
#define OCT_X(name, value, text) uint32_t name;
  OCT_WIDTHS(OCT_X)
#undef OCT_X
} oct_widths;
void oct_config_widths(const oct_config *cfg, oct_widths *w);

/* State in bytes of each structure, as Table 5 of Milenković 2007 counts it. */
typedef struct oct_state_bytes {
  double stream_cache, thb, tuple_buffer, stream_fifo, dasc, data_fifo, total;
} oct_state_bytes;
void oct_config_state(const oct_config *cfg, oct_state_bytes *s);

#ifdef __cplusplus
}
#endif
#endif
