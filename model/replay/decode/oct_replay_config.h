/* SPDX-License-Identifier: Apache-2.0 */
/* oct_replay_config.h - the parameters of the tracer `replay`, in one table, and what follows from
 * them. */
#ifndef OCT_REPLAY_CONFIG_H
#define OCT_REPLAY_CONFIG_H

#include "oct_fields.h"
#include "octrace/tracer.h"

/* X(name, default, least, most, rule, unit, role, text). */
#define OCT_RP_PARAMS(X)                                                                        \
  X(isa, 0, 0, OCT_ISA_X86_64 + 1, OCT_ANY, "", EXECUTED_ISA,                                   \
    "instruction set that is executed: 1 ARM, 2 Thumb, 3 RISC-V 32, 4 RISC-V 64, 5 AArch64, 7 " \
    "x86-64; 0: none")                                                                          \
  X(addr_bits, 32, 32, 64, OCT_ANY, "bits", ADDR_BITS, "width of addresses and of registers")   \
  X(filter_sets, 128, 1, 65536, OCT_POW2, "sets", NONE, "of the filter")                        \
  X(filter_ways, 4, 1, 16, OCT_ANY, "ways", NONE, "of the filter")                              \
  X(line_bytes, 32, 8, 64, OCT_POW2, "bytes", NONE, "in a line of the filter")                  \
  X(grain_bytes, 1, 1, 8, OCT_POW2, "bytes", NONE, "that become known together")                \
  X(value_entries, 32, 1, 65536, OCT_POW2, "entries", NONE,                                     \
    "last values and strides, by instruction")                                                  \
  X(told_entries, 2, 1, 65536, OCT_POW2, "entries", NONE,                                       \
    "last addresses of instructions that are reported, not executed")                           \
  X(sync_insns, 262144, 0, 4294967295, OCT_ANY, "insns", SYNC_INSNS,                            \
    "instructions between syncs; 0: none")                                                      \
  X(sync_bits, 262144, 0, 4294967295, OCT_ANY, "bits", SYNC_BITS,                               \
    "port bits between syncs; 0: none")                                                         \
  X(queue_words, 128, 16, 4096, OCT_ANY, "words", NONE,                                         \
    "queue before the coder; addr_bits + 32 bits each")                                         \
  X(out_fifo_bytes, 128, 32, 65536, OCT_POW2, "bytes", NONE, "output buffer")                   \
  X(port_pins, 2, 1, 32, OCT_ANY, "pins", PORT_PINS, "trace port data pins")                    \
  X(core_waits, 0, 0, 1, OCT_ANY, "", NONE, "1: the core waits, and nothing is lost")           \
  X(traps, 0, 0, 1, OCT_ANY, "", TRAPS, "1: traps and changes of privilege leave the port")

/* oct_rp_config, oct_rp_config_of, oct_rp_config_put; oct_rp_config_given. */
OCT_PARAM_FIELDS(oct_rp_config, OCT_RP_PARAMS)

/* A word of the queue: a value, its difference from its address if that is short, what it is of. */
enum { OCT_RP_NEAR_BITS = 20 };
#define OCT_RP_WORD_BITS(addr_bits) ((addr_bits) + OCT_RP_NEAR_BITS + 12)

#define OCT_X(...) +1
enum { OCT_RP_N_PARAMS = OCT_RP_PARAMS(OCT_X) };
#undef OCT_X

#endif
