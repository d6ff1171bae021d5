/* SPDX-License-Identifier: Apache-2.0 */
/* oct_packets.h - the one table of the packets of docs/port-format.md, section 3: prefixes, fields,
 * widths. The encoder builds packets from it, the decoder's parser cuts them by it, the listing
 * names them by it, and the Verilog takes its prefixes from it (rtl/paper/oct_types.vh). */
#ifndef OCT_PACKETS_H
#define OCT_PACKETS_H

#include <stdbool.h>
#include <stdint.h>

#include "oct_config.h"

/* OCT_PACKETS(X): X(kind, name, legal when, prefix, fields, meaning).
 * prefix: its bits in the order in which they are sent, in parentheses. That of a sync is what
 * tells it from all others: the mark is sync_ones ones and a zero. fields: F(name, bits, how often,
 * value), in the order in which they are sent. value: OCT_NUMBER, OCT_HEX, OCT_ZERO (nothing but
 * zeros), or OCT_CHECK. With cycles of streams the prefix of a repetition is one bit, a zero,
 * longer. Conditions and widths are over the parameters and derived widths of oct_config.h;
 * OCT_N_TIMES is as often as the value of the field named n before it says. */
// clang-format off
#define OCT_PACKETS(X, F)                                                                         \
  X(DMT, "DMT", 1, (0, 0), F(addr, addr_bits, 1, OCT_HEX), "a data address that was not predicted") \
  X(PATTERN, "pattern", 1, (0, 1), F(bits, rep_pattern_bits, 1, OCT_HEX), "data hits, first lowest")\
  X(INDEX, "index", ntuple_n == 0, (1, 0, 0), F(index, index_bits, 1, OCT_NUMBER),                \
    "a stream of the stream cache, 0 = a miss")                                                   \
  X(TUPLE_HIT, "tuple hit", ntuple_n > 0, (1, 0, 0), F(tuple, thb_bits, 1, OCT_NUMBER),           \
    "a tuple of the history")                                                                     \
  X(REPETITION, "repetition", rep_count_bits > 0, (1, 0, 1),                                      \
    F(bits, rep_pattern_bits, 1, OCT_HEX) F(more, rep_count_bits, 1, OCT_NUMBER),                 \
    "a pattern of data hits, more + 2 times")                                                     \
  X(SCMT, "SCMT", 1, (1, 1, 0, 0),                                                                \
    F(sa, addr_bits - pc_align_bits, 1, OCT_HEX) F(sl, sl_bits, 1, OCT_NUMBER),                   \
    "a stream that missed: start / 2^pc_align_bits, instructions less one")                       \
  X(TUPLE_MISS, "tuple miss", ntuple_n > 0, (1, 1, 0, 1),                                         \
    F(index, index_bits, ntuple_n, OCT_NUMBER), "a tuple that enters the history")                \
  X(TERMINATOR, "terminator", 1, (1, 1, 1, 0, 0), , "an instruction has no more accesses")        \
  X(TASK, "task", 1, (1, 1, 1, 0, 1), F(task, task_bits, 1, OCT_NUMBER), "a task switch")         \
  X(TUPLE_PART, "part of a tuple", ntuple_n > 1, (1, 1, 1, 1, 0, 0),                              \
    F(n, 4, 1, OCT_NUMBER) F(index, index_bits, OCT_N_TIMES, OCT_NUMBER),                         \
    "indices before a barrier or a task switch")                                                  \
  X(PATTERN_PART, "part of a pattern", rep_pattern_bits > 1, (1, 1, 1, 1, 0, 1),                  \
    F(n, 5, 1, OCT_NUMBER) F(bit, 1, OCT_N_TIMES, OCT_NUMBER), "data hits before a barrier")      \
  X(OVERFLOW, "overflow", 1, (1, 1, 1, 1, 1, 0, 0, 0),                                            \
    F(insns, addr_bits, 1, OCT_NUMBER) F(accesses, addr_bits, 1, OCT_NUMBER)                      \
    F(zero, 1, traps, OCT_ZERO) F(privilege, 3, traps, OCT_NUMBER), "events were lost")           \
  X(FLUSH, "flush", 1, (1, 1, 1, 1, 1, 0, 0, 1),                                                  \
    F(check, check_bits, 1, OCT_CHECK) F(n, 3, 1, OCT_NUMBER) F(zero, 1, OCT_N_TIMES, OCT_ZERO),  \
    "all that retired has been sent")                                                             \
  X(CHECK, "check", check_bits > 0, (1, 1, 1, 1, 1, 0, 1, 0),                                     \
    F(check, check_bits, 1, OCT_CHECK), "of the bits since the last check")                       \
  X(TRAP, "trap", traps, (1, 1, 1, 1, 1, 0, 1, 1, 0),                                                \
    F(privilege, 3, 1, OCT_NUMBER) F(cause, cause_bits, 1, OCT_NUMBER) F(n, 3, 1, OCT_NUMBER)     \
    F(word, addr_bits, OCT_N_TIMES, OCT_HEX),                                                     \
    "n 0: the privilege; 1: an interrupt, its address; 2: an exception, its address, value")      \
  X(TIME, "time", timestamp, (1, 1, 1, 1, 1, 0, 1, 1, 1),                                         \
    F(n, 3, 1, OCT_NUMBER) F(byte, 8, OCT_N_TIMES, OCT_HEX),                                      \
    "cycles since the last stamp, or since the start")                                            \
  X(CYCLES, "cycles", timestamp == 2, (1, 0, 1, 1),                                               \
    F(n, 2, 1, OCT_NUMBER) F(digit, 4, OCT_N_TIMES, OCT_HEX),                                     \
    "cycles that the next stream is late, signed, lowest digit first")                            \
  X(SYNC, "sync", 1, (1, 1, 1, 1, 1, 1),                                                          \
    F(insn, addr_bits, 1, OCT_NUMBER) F(task, task_bits, 1, OCT_NUMBER)                           \
    F(zero, 1, check_bits > 0 || traps, OCT_ZERO) F(privilege, 3, traps, OCT_NUMBER)              \
    F(check, check_bits, 1, OCT_CHECK),                                                           \
    "all state returns to its start; instructions before, task, privilege")
// clang-format on

typedef enum oct_packet_kind {
#define OCT_X(kind, name, legal, prefix, fields, text) OCT_PACKET_##kind,
#define OCT_F(name, bits, times, value)
  OCT_PACKETS(OCT_X, OCT_F)
#undef OCT_F
#undef OCT_X
      OCT_PACKET_KINDS
} oct_packet_kind;

/* Delays of streams, cycles. */
enum { OCT_DELAY_MAX = 2047, OCT_DELAY_UNKNOWN = -2048 };

/* Prefixes as constants: the first bit lowest, and the number of bits. */
#define OCT_PREFIX_PICK(a, b, c, d, e, f, g, h, i, ...) \
  (a | b << 1 | c << 2 | d << 3 | e << 4 | f << 5 | g << 6 | h << 7 | i << 8)
#define OCT_PREFIX_PAD(...) OCT_PREFIX_PICK(__VA_ARGS__, 0, 0, 0, 0, 0, 0, 0, 0)
#define OCT_PREFIX_COUNT(a, b, c, d, e, f, g, h, i, n, ...) n
#define OCT_PREFIX_LENGTH(...) OCT_PREFIX_COUNT(__VA_ARGS__, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
enum {
  OCT_PREFIX_MAX_BITS = 9,
  OCT_TIME_BITS = 56, /* of a stamp */
#define OCT_X(kind, name, legal, prefix, fields, text) \
  OCT_PREFIX_##kind = OCT_PREFIX_PAD prefix, OCT_PREFIX_BITS_##kind = OCT_PREFIX_LENGTH prefix,
#define OCT_F(name, bits, times, value)
  OCT_PACKETS(OCT_X, OCT_F)
#undef OCT_F
#undef OCT_X
};

typedef enum oct_field_value { OCT_NUMBER, OCT_HEX, OCT_ZERO, OCT_CHECK } oct_field_value;

/* How often a field stands: as often as the field before it says. */
#define OCT_N_TIMES UINT32_MAX

enum { OCT_PACKET_FORM_FIELDS = 5 };

/* A field that the parameters leave in. */
typedef struct oct_packet_form_field {
  uint32_t name; /* number of its name: oct_packet_field_name */
  uint32_t bits;
  uint32_t times; /* or OCT_N_TIMES */
  oct_field_value value;
} oct_packet_form_field;

/* A packet as parameters make it. Without pointers, so that stages may keep it in their state. */
typedef struct oct_packet_form {
  bool is_legal;
  uint32_t prefix, prefix_bits;
  uint32_t head_bits;  /* in front of the fields: the prefix, or the whole mark of a sync */
  uint32_t fixed_bits; /* of the whole packet without what stands OCT_N_TIMES */
  uint32_t n_fields;
  oct_packet_form_field fields[OCT_PACKET_FORM_FIELDS];
} oct_packet_form;

/* All packets of a configuration that oct_config_check has passed. */
void oct_packet_forms(const oct_config *cfg, oct_packet_form forms[OCT_PACKET_KINDS]);

/* Of the table; text is what a packet means, one line. */
const char *oct_packet_name(oct_packet_kind kind);
const char *oct_packet_text(oct_packet_kind kind);
const char *oct_packet_field_name(oct_packet_kind kind, uint32_t number);

/* Place of the check within a packet of that form, from its first bit, or 0 when it has none. */
uint32_t oct_packet_check_at(const oct_packet_form *form);

#endif
