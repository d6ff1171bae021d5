/* SPDX-License-Identifier: Apache-2.0 */
/* oct_shadow_config.h - the parameters of the tracer `shadow`, in one table: what the model and the
 * Verilog take, and what follows from it (tools/oct_gen_verilog.c). */
#ifndef OCT_SHADOW_CONFIG_H
#define OCT_SHADOW_CONFIG_H

#include "oct_fields.h"
#include "octrace/error.h"
#include "octrace/tracer.h"

#include <stdint.h>

/* X(name, default, least, most, rule, unit, role, text). */
#define OCT_SHADOW_PARAMS(X)                                                                       \
  X(addr_bits, 32, 32, 64, OCT_ANY, "bits", ADDR_BITS,                                             \
    "width of addresses and of shadow registers")                                                  \
  X(pc_align_bits, 2, 0, 3, OCT_ANY, "bits", PC_ALIGN_BITS,                                        \
    "instruction addresses are multiples of 2^this")                                               \
  X(task_bits, 16, 1, 32, OCT_ANY, "bits", TASK_BITS, "width of a task number")                    \
  X(regs, 16, 1, 32, OCT_ANY, "registers", NONE, "registers of the instruction set")               \
  X(banks, 1, 1, 64, OCT_ANY, "banks", NONE, "tasks whose shadow registers are kept")              \
  X(vc_sets, 64, 0, 65536, OCT_POW2, "sets", NONE, "value cache; 0: none")                         \
  X(vc_ways, 6, 1, 8, OCT_ANY, "ways", NONE, "of the value cache")                                 \
  X(vc_tag_bits, 12, 1, 63, OCT_ANY, "bits", NONE, "tag of a word of the value cache")             \
  X(stride_entries, 128, 1, 65536, OCT_POW2, "entries", NONE, "stride table")                      \
  X(stride_bits, 20, 4, 64, OCT_ANY, "bits", NONE, "a stride")                                     \
  X(diff_bits, 28, 4, 64, OCT_ANY, "bits", NONE, "a difference of the table of differences")       \
  X(dfcm_entries, 256, 0, 1048576, OCT_POW2, "entries", NONE,                                      \
    "differences by the last two; 0: none")                                                        \
  X(pc_entries, 128, 1, 1048576, OCT_POW2, "entries", NONE, "branch probabilities by address")     \
  X(short_entries, 256, 1, 1048576, OCT_POW2, "entries", NONE, "... with the short history")       \
  X(short_bits, 8, 0, 64, OCT_ANY, "outcomes", NONE, "the short history")                          \
  X(long_entries, 256, 1, 1048576, OCT_POW2, "entries", NONE, "... with the long history")         \
  X(long_bits, 16, 0, 64, OCT_ANY, "outcomes", NONE, "the long history")                           \
  X(mix_sets, 16, 0, 4096, OCT_POW2, "sets", NONE,                                                 \
    "weights that mix the branch probabilities; 0: the surest counts")                             \
  X(path_entries, 32, 1, 65536, OCT_POW2, "targets", NONE, "indirect targets by path")             \
  X(target_entries, 32, 1, 65536, OCT_POW2, "targets", NONE,                                       \
    "indirect targets by address, ends learnt")                                                    \
  X(return_entries, 8, 1, 1024, OCT_POW2, "addresses", NONE, "return stack")                       \
  X(sync_insns, 262144, 0, 4294967295, OCT_ANY, "insns", SYNC_INSNS,                               \
    "instructions between syncs; 0: none")                                                         \
  X(sync_bits, 65536, 0, 4294967295, OCT_ANY, "bits", SYNC_BITS,                                   \
    "port bits between syncs; 0: none")                                                            \
  X(sync_keeps, 0, 0, 1, OCT_ANY, "", NONE, "1: only the coder starts anew at a sync")             \
  X(mix_shift, 7, 0, 12, OCT_ANY, "", NONE, "how slowly the weights of the mix learn, a shift")    \
  X(branch_limit, 4, 1, 8, OCT_ANY, "", NONE,                                                      \
    "rate of branch probabilities after 3 uses, a shift")                                          \
  X(history_all, 1, 0, 1, OCT_ANY, "", NONE, "the history also has outcomes that the shadow knew") \
  X(learn_equal, 1, 0, 1, OCT_ANY, "", NONE, "equality gives the value of an unknown register")    \
  X(check, 1, 0, 1, OCT_ANY, "", NONE, "1: each period carries a CRC of 16 bits")                  \
  X(traps, 0, 0, 1, OCT_ANY, "", TRAPS, "1: traps and changes of privilege leave the port")        \
  X(cause_bits, 6, 1, 16, OCT_ANY, "bits", CAUSE_BITS, "cause of a trap, bits")                    \
  X(timestamp, 0, 0, 1, OCT_ANY, "", TIMESTAMP, "1: cycles of instructions, after each sync")      \
  X(time_period_insns, 0, 0, 4294967295, OCT_ANY, "insns", TIME_PERIOD_INSNS,                      \
    "... and after so many; 1: of each")                                                           \
  X(retire_width, 1, 1, 4, OCT_POW2, "insns", RETIRE_WIDTH,                                        \
    "instructions a cycle, one of them a taken jump")                                              \
  X(lanes, 1, 1, 4, OCT_POW2, "insns", NONE,                                                       \
    "... that leave gather in a cycle; the circuit has 1")                                         \
  X(gather_insns, 16, 2, 1024, OCT_POW2, "insns", NONE,                                            \
    "gather: instructions whose accesses come in")                                                 \
  X(gather_accesses, 32, 1, 1024, OCT_POW2, "accesses", NONE, "... their accesses")                \
  X(queue_words, 192, 16, 4096, OCT_ANY, "words", NONE,                                            \
    "queue before the coder; an access has 1 or 2")                                                \
  X(out_fifo_bytes, 64, 32, 65536, OCT_POW2, "bytes", NONE,                                        \
    "output FIFO ahead of the port, bytes")                                                        \
  X(port_pins, 2, 1, 32, OCT_ANY, "pins", PORT_PINS, "trace port data pins")                       \
  X(filters, 0, 0, 4, OCT_ANY, "filters", FILTERS,                                                 \
    "filters ahead of gather, and as many comparators")                                            \
  X(match_entries, 0, 0, 4194304, OCT_POW2, "accesses", NONE,                                      \
    "unknown accesses that are kept; 0: none")                                                     \
  X(delay_slots, 0, 0, 1, OCT_ANY, "", NONE,                                                       \
    "1: jumps of unknown operation have a delay slot (MIPS)")                                      \
  X(time_source, 0, 0, 1, OCT_ANY, "", TIME_SOURCE,                                                \
    "stamps: 0 the compressor's cycles, 1 the core's time")

/* Widths in the Verilog, as OCT_WIDTHS of model/paper/oct_config.h: X(name, value, meaning). */
// clang-format off
#define OCT_SHADOW_WIDTHS(X)                                                                       \
  X(isa, regs == 16 ? 0 : 1, "0 A32, 1 RISC-V: no other instruction set here has 16 registers")    \
  X(n_bits, clog2(gather_accesses + 32), "a number of accesses")                                   \
  X(w, addr_bits + 4, "a word of an item")                                                         \
  X(queue_bits, clog2(queue_words + 1), "a number of words of the queue")                          \
  X(trap_bits, 2 * addr_bits + cause_bits + 5, "a trap: kind, privilege, cause, address and value")

/* What is legal, but not everywhere, as OCT_JOINT_RULES of model/paper/oct_config.h: X(name,
 * condition, expected, example). Only the untimed engine takes these: */
#define OCT_SHADOW_TIMED_RULES(X)                                                                  \
  X(retire_width, filters > 0 && retire_width > 1,                                                 \
    "1 because a filter looks at one instruction a cycle", "retire_width=2,filters=1")
/* and only the model these, not the circuit. Its A32 has the widths of that instruction set. */
#define OCT_SHADOW_CIRCUIT_RULES(X)                                                                \
  X(addr_bits, regs == 16 && addr_bits > 32,                                                       \
    "32 because 16 regs mean A32 and RISC_V has 32 regs", "regs=16,addr_bits=33")                  \
  X(pc_align_bits, regs == 16 && pc_align_bits != 2,                                               \
    "2 because 16 regs mean A32 and RISC_V has 32 regs", "regs=16,pc_align_bits=1")                \
  X(vc_sets, vc_sets < 2, "at least 2 in a circuit", "vc_sets=1")                                  \
  X(stride_entries, stride_entries < 4, "at least 4 in a circuit", "stride_entries=2")             \
  X(dfcm_entries, dfcm_entries == 1, "0 or at least 2 in a circuit", "dfcm_entries=1")             \
  X(pc_entries, pc_entries < 2, "at least 2 in a circuit", "pc_entries=1")                         \
  X(short_entries, short_entries < 2, "at least 2 in a circuit", "short_entries=1")                \
  X(long_entries, long_entries < 2, "at least 2 in a circuit", "long_entries=1")                   \
  X(path_entries, path_entries < 2, "at least 2 in a circuit", "path_entries=1")                   \
  X(target_entries, target_entries < 2, "at least 2 in a circuit", "target_entries=1")             \
  X(return_entries, return_entries < 2, "at least 2 in a circuit", "return_entries=1")             \
  X(banks, banks > 1, "1 because a circuit keeps the registers of one task", "banks=2")            \
  X(time_period_insns, timestamp > 0 && time_period_insns == 1,                                    \
    "0 or at least 2 because a circuit has no stamp of each instruction",                          \
    "timestamp=1,time_period_insns=1")                                                             \
  X(retire_width, retire_width > 2, "1 or 2 in a circuit", "retire_width=4")                       \
  X(lanes, lanes > 1, "1 because one instruction leaves gather in a cycle of a circuit",           \
    "lanes=2")                                                                                     \
  X(match_entries, match_entries > 0, "0 in a circuit", "match_entries=1")                         \
  X(delay_slots, delay_slots > 0, "0 because a circuit is not for MIPS", "delay_slots=1")
// clang-format on

/* oct_shadow_config, oct_shadow_config_of, oct_shadow_config_put; oct_shadow_config_given. */
OCT_PARAM_FIELDS(oct_shadow_config, OCT_SHADOW_PARAMS)

/* Does the cycle engine take this, and a circuit? 0, or OCT_ERR_CONFIG with the parameter in *diag.
 */
int oct_shadow_config_check_timed(const oct_shadow_config *cfg, oct_diag *diag);
int oct_shadow_config_check_circuit(const oct_shadow_config *cfg, oct_diag *diag);

/* The parts of the state. */
enum { OCT_SHADOW_STATE_PARTS = 13 };
extern const oct_state_part oct_shadow_state_parts[OCT_SHADOW_STATE_PARTS];

#endif
