/* SPDX-License-Identifier: Apache-2.0 */
/* oct_shadow_config.h - the parameters of the tracer `shadow`, in one table. */
#ifndef OCT_SHADOW_CONFIG_H
#define OCT_SHADOW_CONFIG_H

#include "oct_param.h"

#include <stdint.h>

/* X(name, default, least, most, rule, unit, text). */
#define OCT_SHADOW_PARAMS(X)                                                                       \
  X(addr_bits, 32, 32, 64, OCT_ANY, "bits", "width of addresses and of shadow registers")          \
  X(pc_align_bits, 2, 0, 3, OCT_ANY, "bits", "instruction addresses are multiples of 2^this")      \
  X(task_bits, 16, 1, 32, OCT_ANY, "bits", "width of a task number")                               \
  X(regs, 16, 1, 32, OCT_ANY, "registers", "registers of the instruction set")                     \
  X(banks, 1, 1, 64, OCT_ANY, "banks", "tasks whose shadow registers are kept")                    \
  X(vc_sets, 64, 0, 65536, OCT_POW2, "sets", "value cache; 0: none")                               \
  X(vc_ways, 6, 1, 8, OCT_ANY, "ways", "of the value cache")                                       \
  X(vc_tag_bits, 12, 1, 63, OCT_ANY, "bits", "tag of a word of the value cache")                   \
  X(stride_entries, 128, 1, 65536, OCT_POW2, "entries", "stride table")                            \
  X(stride_bits, 20, 4, 64, OCT_ANY, "bits", "a stride")                                           \
  X(diff_bits, 28, 4, 64, OCT_ANY, "bits", "a difference of the table of differences")             \
  X(dfcm_entries, 256, 0, 1048576, OCT_POW2, "entries", "differences by the last two; 0: none")    \
  X(pc_entries, 128, 1, 1048576, OCT_POW2, "entries", "branch probabilities by address")           \
  X(short_entries, 256, 1, 1048576, OCT_POW2, "entries", "... with the short history")             \
  X(short_bits, 8, 0, 64, OCT_ANY, "outcomes", "the short history")                                \
  X(long_entries, 256, 1, 1048576, OCT_POW2, "entries", "... with the long history")               \
  X(long_bits, 16, 0, 64, OCT_ANY, "outcomes", "the long history")                                 \
  X(mix_sets, 16, 1, 4096, OCT_POW2, "sets", "weights that mix the branch probabilities")          \
  X(path_entries, 32, 1, 65536, OCT_POW2, "targets", "indirect targets by path")                   \
  X(target_entries, 32, 1, 65536, OCT_POW2, "targets", "indirect targets by address, ends learnt") \
  X(return_entries, 8, 1, 1024, OCT_POW2, "addresses", "return stack")                             \
  X(sync_insns, 262144, 0, 4294967295, OCT_ANY, "insns", "instructions between syncs; 0: none")    \
  X(sync_bits, 65536, 0, 4294967295, OCT_ANY, "bits", "port bits between syncs; 0: none")          \
  X(sync_keeps, 0, 0, 1, OCT_ANY, "", "1: only the coder starts anew at a sync")                   \
  X(mix_shift, 7, 0, 12, OCT_ANY, "", "how slowly the weights of the mix learn, a shift")          \
  X(branch_limit, 4, 1, 8, OCT_ANY, "", "rate of branch probabilities after 3 uses, a shift")      \
  X(history_all, 1, 0, 1, OCT_ANY, "", "the history also has outcomes that the shadow knew")       \
  X(learn_equal, 1, 0, 1, OCT_ANY, "", "equality shows what an unknown register is")               \
  X(check, 1, 0, 1, OCT_ANY, "", "1: each period carries a CRC of 16 bits")                        \
  X(traps, 0, 0, 1, OCT_ANY, "", "1: traps and changes of privilege leave the port")               \
  X(cause_bits, 6, 1, 16, OCT_ANY, "bits", "cause of a trap, bits")                                \
  X(timestamp, 0, 0, 1, OCT_ANY, "", "1: cycles of instructions, after each sync")                 \
  X(time_period_insns, 0, 0, 4294967295, OCT_ANY, "insns", "... and after so many; 1: of each")    \
  X(retire_width, 1, 1, 4, OCT_POW2, "insns", "instructions a cycle, one of them a taken jump")    \
  X(lanes, 1, 1, 4, OCT_POW2, "insns", "... that leave gather in a cycle; the circuit has 1")      \
  X(gather_insns, 16, 2, 1024, OCT_POW2, "insns", "gather: instructions whose accesses come in")   \
  X(gather_accesses, 32, 1, 1024, OCT_POW2, "accesses", "... their accesses")                      \
  X(queue_words, 192, 16, 4096, OCT_ANY, "words", "queue before the coder; an access has 1 or 2")  \
  X(out_fifo_bytes, 64, 32, 65536, OCT_POW2, "bytes", "output FIFO ahead of the port, bytes")      \
  X(port_pins, 2, 1, 32, OCT_ANY, "pins", "trace port data pins")                                  \
  X(filters, 0, 0, 4, OCT_ANY, "filters", "filters ahead of gather, and as many comparators")      \
  X(match_entries, 0, 0, 4194304, OCT_POW2, "accesses", "unknown accesses that are kept; 0: none") \
  X(delay_slots, 0, 0, 1, OCT_ANY, "", "1: jumps of unknown operation have a delay slot (MIPS)")   \
  X(time_source, 0, 0, 1, OCT_ANY, "", "stamps: 0 the compressor's cycles, 1 the core's time")

typedef struct oct_shadow_config {
#define OCT_X(name, def, least, most, rule, unit, text) uint32_t name;
  OCT_SHADOW_PARAMS(OCT_X)
#undef OCT_X
} oct_shadow_config;

#endif
