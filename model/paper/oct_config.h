/* SPDX-License-Identifier: Apache-2.0 */
/* oct_config.h - the one source of the machine's parameters: name, default, legal range, unit.
 * The Verilog parameters, the container's header and the command line are made from this table.
 *
 * Threads: Tables are constant; all functions may be called by any threads on values of their own.
 */
#ifndef OCT_CONFIG_H
#define OCT_CONFIG_H

#include <stdint.h>

#include "oct_fields.h"
#include "octrace/error.h"
#include "octrace/tracer.h"

#ifdef __cplusplus
extern "C" {
#endif

/* OCT_PARAMS(X): X(name, default, min, max, rule, unit, role, meaning, absent), as in oct_param.h.
 */
#define OCT_PARAMS(X)                                                                              \
  X(addr_bits, 32, 32, 64, OCT_ANY, "bits", ADDR_BITS,                                             \
    "width of instruction and data addresses, bits", 32)                                           \
  X(pc_align_bits, 2, 0, 3, OCT_ANY, "bits", PC_ALIGN_BITS,                                        \
    "instruction addresses are multiples of 2^this", 2)                                            \
  X(sl_bits, 8, 1, 16, OCT_ANY, "bits", NONE, "log2 of the maximum stream length in instructions", \
    8)                                                                                             \
  X(stream_fifo_depth, 2, 1, 64, OCT_ANY, "entries", NONE, "stream buffer, entries", 2)            \
  X(sc_sets, 32, 1, 1024, OCT_POW2, "sets", NONE, "stream cache sets (NSET)", 32)                  \
  X(sc_ways, 4, 1, 16, OCT_POW2, "ways", NONE, "stream cache ways (NWAY)", 4)                      \
  X(sc_index_fn, 0, 0, 3, OCT_ANY, "", NONE,                                                       \
    "stream cache index function: 0 paper 1 fold 2 concat 3 sa", 0)                                \
  X(sc_repl, 0, 0, 3, OCT_ANY, "", NONE, "stream cache replacement: 0 lru 1 fifo 2 plru 3 random", \
    0)                                                                                             \
  X(ntuple_n, 8, 0, 16, OCT_ANY, "indices", NONE, "indices in a tuple, 0 = N-tuple stage off", 8)  \
  X(thb_depth, 255, 1, 1023, OCT_ANY, "tuples", NONE, "tuple history buffer, tuples", 255)         \
  X(thb_update, 0, 0, 1, OCT_ANY, "", NONE, "tuples enter the history: 0 on a miss, 1 always", 0)  \
  X(data_fifo_depth, 8, 1, 64, OCT_ANY, "entries", NONE, "data buffer, entries", 8)                \
  X(dasc_entries, 1024, 1, 65536, OCT_POW2, "entries", NONE, "data address stride cache, entries", \
    1024)                                                                                          \
  X(dasc_ways, 0, 0, 16, OCT_POW2, "ways", NONE, "DASC ways, 0 = tagless and direct mapped", 0)    \
  X(stride_bits, 8, 1, 32, OCT_ANY, "bits", NONE, "DASC stride field, bits", 8)                    \
  X(rep_pattern_bits, 8, 1, 32, OCT_ANY, "bits", NONE, "repetition FSM pattern, bits", 8)          \
  X(rep_count_bits, 8, 0, 16, OCT_ANY, "bits", NONE, "repetition count field, bits, 0 = FSM off",  \
    8)                                                                                             \
  X(task_bits, 16, 1, 32, OCT_ANY, "bits", TASK_BITS, "task number, bits", 16)                     \
  X(sync_period_insns, 1048576, 0, 0xffffffff, OCT_ANY, "insns", SYNC_INSNS,                       \
    "instructions between syncs, 0 = only the first", 1048576)                                     \
  X(sync_period_bits, 131072, 0, 0x3fffffff, OCT_ANY, "bits", SYNC_BITS,                           \
    "port bits from one sync to the next, about; 0 = not by bits", 0)                              \
  X(check_bits, 16, 0, 32, OCT_POW2, "bits", NONE,                                                 \
    "CRC over the port bits since the last, 0 = none", 0)                                          \
  X(check_period_bits, 0, 0, 0x3fffffff, OCT_ANY, "bits", NONE,                                    \
    "port bits from one check to the next, 0 = only with syncs and flushes", 0)                    \
  X(out_fifo_bytes, 64, 32, 4096, OCT_POW2, "bytes", NONE, "output FIFO ahead of the port, bytes", \
    64)                                                                                            \
  X(port_pins, 16, 1, 32, OCT_ANY, "pins", PORT_PINS, "trace port data pins", 16)                  \
  X(traps, 0, 0, 1, OCT_ANY, "", TRAPS, "1 traps and changes of privilege leave the port", 0)      \
  X(cause_bits, 6, 1, 16, OCT_ANY, "bits", CAUSE_BITS, "cause of a trap, bits", 6)                 \
  X(timestamp, 0, 0, 2, OCT_ANY, "", TIMESTAMP,                                                    \
    "1 stamps after each sync, 2 and each stream's cycle", 0)                                      \
  X(time_period_insns, 0, 0, 0xffffffff, OCT_ANY, "insns", TIME_PERIOD_INSNS,                      \
    "... and after so many (1 = each), once the last one is sent, 0 = only after syncs", 0)        \
  X(pipelined, 0, 0, 1, OCT_ANY, "", PIPELINED,                                                    \
    "0 an access every 2 cycles, 1 every cycle, and buffers pass words on when full", 0)           \
  X(filters, 0, 0, 4, OCT_ANY, "filters", FILTERS,                                                 \
    "filters ahead of the ingress, and as many comparators", 0)                                    \
  X(time_source, 0, 0, 1, OCT_ANY, "", TIME_SOURCE,                                                \
    "stamps: 0 the compressor's cycles, 1 the core's time", 0)

/* OCT_WIDTHS(X): X(name, value, meaning), values that follow from the parameters. The value is an
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
  X(delays_least, 4, "places for delays of streams (oct_delays.h), at least,")                      \
  X(delays_depth, stream_fifo_depth > delays_least ? stream_fifo_depth : delays_least,             \
    "and as many as there are")                                                                    \
  X(data_word_bits, 2 * addr_bits + 4 + 2 + 3, "a word of the data buffer")                        \
  X(payload_bits, tuple_bits > 2 * addr_bits ? tuple_bits : 2 * addr_bits,                         \
    "P: the longest run of fields without a fixed zero (test_sync_mark.c)")                 \
  X(sync_ones, (payload_bits + 14) / 8 * 8, "K: ones of a sync mark")                              \
  X(sealed_bits, (check_bits > 0 ? check_bits + 1 : traps) + 3 * traps,                            \
    "a sync's zero after its task, privilege and check")                                          \
  X(packet_bits, sync_ones + 1 + addr_bits + task_bits + sealed_bits, "the longest packet, a sync") \
  X(length_bits, clog2(packet_bits + 1), "and its length")

/* OCT_JOINT_RULES(X): X(name, condition, expected, example), what is illegal over several
 * parameters: the one that is named, when, what is expected, and settings against the rule. */
#define OCT_JOINT_RULES(X)                                                                         \
  X(ntuple_n, ntuple_n * index_bits > 192, "a tuple of at most 192 bits",                          \
    "ntuple_n=16,sc_sets=1024,sc_ways=8")                                                          \
  X(dasc_ways, dasc_ways > dasc_entries, "at most dasc_entries", "dasc_ways=16,dasc_entries=8")     \
  X(check_bits, check_bits > 0 && check_bits < 16, "0 or 16 or 32", "check_bits=8")                \
  X(sync_period_bits, sync_period_bits > 0 && sync_period_bits < 1024, "0 or at least 1024",       \
    "sync_period_bits=1023")                                                                       \
  X(check_period_bits,                                                                             \
    check_period_bits > 0 && (check_period_bits < 128 || check_bits < 16),                         \
    "0 or with checks at least 128", "check_period_bits=127")                                      \
  X(time_source, time_source > 0 && timestamp > 1,                                                 \
    "0 with a timestamp of 2 because it counts cycles of the clock", "timestamp=2,time_source=1")
// clang-format on

/* oct_config, oct_config_of, oct_config_put; oct_config_given. */
OCT_PARAM_FIELDS(oct_config, OCT_PARAMS)
enum {
#define OCT_X(...) +1
  OCT_CONFIG_PARAMS = 0 OCT_PARAMS(OCT_X)
#undef OCT_X
};

/* Values of sc_index_fn and sc_repl: X(name, meaning), for the Verilog too
 * (rtl/paper/oct_types.vh). */
#define OCT_ENUMERATOR(name, text) name,
#define OCT_INDEX_FNS(X) \
  X(OCT_INDEX_PAPER, "") X(OCT_INDEX_FOLD, "") X(OCT_INDEX_CONCAT, "") X(OCT_INDEX_SA, "")
#define OCT_REPLS(X) \
  X(OCT_REPL_LRU, "") X(OCT_REPL_FIFO, "") X(OCT_REPL_PLRU, "") X(OCT_REPL_RANDOM, "")
enum { OCT_INDEX_FNS(OCT_ENUMERATOR) };
enum { OCT_REPLS(OCT_ENUMERATOR) };

/* The table: values of parameters are arrays in its order. */
extern const oct_param oct_params[];
extern const unsigned oct_params_count;
/* Parameters and named geometries. */
enum { OCT_GEOMETRIES = 11 };
extern const oct_geometry oct_geometries[OCT_GEOMETRIES];
extern const oct_param_table oct_config_table;

/* All defaults (the paper's machine). */
void oct_config_init(oct_config *cfg);

/* Only the rules over several parameters. 0 or OCT_ERR_CONFIG, as below. */
int oct_config_check_joint(const oct_config *cfg, oct_diag *diag);
/* Legal as a whole? 0 or OCT_ERR_CONFIG with the offending parameter in *diag. */
int oct_config_check(const oct_config *cfg, oct_diag *diag);

/* Apply a list "name=value,name=value", or the name of a geometry, or a geometry followed by such a
 * list ("paper,port_pins=4"). OCT_ERR_CONFIG. The result is checked as a whole. */
int oct_config_parse(oct_config *cfg, const char *text, oct_diag *diag);

/* Named geometries, each as its difference from the defaults, which are the paper's machine. */
unsigned oct_geometry_count(void);
const char *oct_geometry_name(unsigned i);
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
