/* SPDX-License-Identifier: Apache-2.0 */
/* oct_types.h - the words that stages hand to each other. */
#ifndef OCT_TYPES_H
#define OCT_TYPES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "oct_config.h"
#include "oct_inline.h"
#include "oct_mask.h"
#include "octrace/tracer.h"
#include "oct_stats.h"

/* Enumerations that the Verilog shares are lists X(name, meaning), from which oct_gen_verilog makes
 * rtl/paper/oct_types.vh too: there each has the same name without OCT_. */

/* Marks travel in order with the data of both sides. SYNC, OVERFLOW and FLUSH are barriers: the
 * output controller sends their packet when both sides have come to it. */
#define OCT_MARKS(X)                                                          \
  X(OCT_MARK_NONE, "")                                                        \
  X(OCT_MARK_TASK, "instruction side only")                                   \
  X(OCT_MARK_SYNC, "")                                                        \
  X(OCT_MARK_OVERFLOW, "")                                                    \
  X(OCT_MARK_FLUSH, "")                                                       \
  X(OCT_MARK_CHECK, "only of the output controller")                          \
  X(OCT_MARK_TRAP, "instruction side only: the first of the traps that wait") \
  X(OCT_MARK_TIME, "instruction side only: the stamp that waits")
typedef enum oct_mark { OCT_MARKS(OCT_ENUMERATOR) } oct_mark;

static inline bool oct_mark_is_barrier(uint8_t mark) {
  return mark == OCT_MARK_SYNC || mark == OCT_MARK_OVERFLOW || mark == OCT_MARK_FLUSH;
}

/* A trap on its way beside the stream buffer, to be sent at its mark. */
typedef struct oct_trap_word {
  uint64_t addr, tval;
  uint32_t cause;
  uint8_t kind, privilege; /* of oct_trap */
} oct_trap_word;

/* What the output controller needs beside the marks. */
typedef struct oct_barrier {
  uint64_t sync_insn;                     /* instructions retired before the sync under way */
  uint64_t lost_insns, lost_accesses;     /* of the overflow that ends */
  uint8_t sync_privilege, lost_privilege; /* that hold there */
  oct_trap_word trap;                     /* that the next OCT_MARK_TRAP stands for */
  uint64_t time;                          /* cycles, of the OCT_MARK_TIME under way */
} oct_barrier;

/* A stream on its way from the detector to the stream cache: the mark stands after the stream. */
typedef struct oct_stream_word {
  uint64_t sa;
  uint32_t sl;   /* instructions, 0 = no stream, only the mark */
  uint32_t task; /* of OCT_MARK_TASK and OCT_MARK_SYNC */
  uint8_t mark;
  int16_t delay; /* cycles, with timestamp = 2 (oct_pace.h) */
} oct_stream_word;

/* A data access on its way to the DASC: the mark stands before the access. */
#define OCT_DATA_KINDS(X) \
  X(OCT_DATA_NONE, "")    \
  X(OCT_DATA_ACCESS, "")  \
  X(OCT_DATA_END, "a terminator, no address")
typedef enum oct_data_kind { OCT_DATA_KINDS(OCT_ENUMERATOR) } oct_data_kind;
typedef struct oct_data_word {
  uint64_t pc;
  uint64_t da;
  uint8_t slot; /* 0..15 */
  uint8_t kind; /* oct_data_kind */
  uint8_t mark;
} oct_data_word;

/* Stream cache result; the mark stands after it. */
typedef struct oct_index_word {
  uint64_t sa;
  uint32_t sl;    /* 0 = no stream */
  uint32_t index; /* 0 = miss */
  uint32_t task;
  uint8_t mark;
} oct_index_word;

/* DASC result; the mark stands before it. */
typedef struct oct_dt_word {
  uint64_t da;
  uint8_t kind; /* oct_data_kind */
  uint8_t hit;
  uint8_t mark;
} oct_dt_word;

#define OCT_TUPLE_MAX 16

/* What the output controller packs, and the fields of oct_item that it uses. */
#define OCT_ITEM_KINDS(X)                   \
  X(OCT_ITEM_INDEX, "value")                \
  X(OCT_ITEM_TUPLE_HIT, "value")            \
  X(OCT_ITEM_TUPLE_MISS, "n indices")       \
  X(OCT_ITEM_TUPLE_PART, "n indices")       \
  X(OCT_ITEM_SCMT, "addr, value = SL")      \
  X(OCT_ITEM_DMT, "addr")                   \
  X(OCT_ITEM_DMT_END, "")                   \
  X(OCT_ITEM_PATTERN, "value")              \
  X(OCT_ITEM_REPEAT, "value, n = count")    \
  X(OCT_ITEM_PATTERN_PART, "value, n bits") \
  X(OCT_ITEM_MARK, "mark, value = task")    \
  X(OCT_ITEM_CYCLES, "value = delay")
typedef enum oct_item_kind { OCT_ITEM_KINDS(OCT_ENUMERATOR) } oct_item_kind;

typedef struct oct_item {
  uint64_t addr;
  uint32_t value;
  uint32_t n;
  uint8_t kind;
  uint8_t mark;
  uint16_t tuple[OCT_TUPLE_MAX];
} oct_item;

/* Items one step may make: SCMT, tuple, part, mark; held pattern, part, mark, DMT. */
#define OCT_ITEMS_MAX 4

#endif
