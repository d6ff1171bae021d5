/* SPDX-License-Identifier: Apache-2.0 */
/* oct_trace_diff.h - the differences of two traces of one program, one after the other.
 *
 * Threads: A diff is for one thread at a time, different ones may be used by different threads. */
#ifndef OCT_TRACE_DIFF_H
#define OCT_TRACE_DIFF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "octrace/map.h"
#include "octrace/trace.h"

enum { OCT_DIFF_SIDES = 2 }; /* 0: the first trace, 1: the second */

/* Kinds of differences, and of what is compared besides the addresses of instructions. */
enum {
  OCT_DIFF_SIZES = 1,         /* of instructions, where both are told */
  OCT_DIFF_BYTES = 2,         /* of instructions */
  OCT_DIFF_TASKS = 4,         /* their numbers */
  OCT_DIFF_ACCESSES = 8,      /* how many, and their addresses */
  OCT_DIFF_ACCESS_KINDS = 16, /* load or store */
  OCT_DIFF_ACCESS_SIZES = 32, /* without, any number of accesses may be one */
  OCT_DIFF_TRAPS = 64,        /* exceptions and interrupts */
  OCT_DIFF_PRIVILEGE = 128,
  OCT_DIFF_VALUES = 256,    /* of accesses that are the same in all else */
  OCT_DIFF_REGISTERS = 512, /* what facts at the same place say of the same register */
  OCT_DIFF_GAPS = 1024,     /* where instructions are missing */
  OCT_DIFF_FIELDS = 2047,   /* all of these */
  OCT_DIFF_PATH = 2048,     /* other instructions */
  OCT_DIFF_KINDS = 12       /* kind number i is 1 << i */
};

/* Give the next batch of a trace, valid until the next call: 1, 0 at the end, or an error with
 * *diag. */
typedef int oct_trace_diff_next_fn(void *context, oct_batch *batch, oct_diag *diag);

typedef struct oct_trace_diff_input {
  oct_trace_diff_next_fn *next;
  void *context;
  uint64_t first_insn; /* number of the first instruction that it gives */
  uint32_t has;        /* fields that it is known to have */
  /* Whether it tells loads from stores, as far as it was read. NULL: it does. */
  bool (*tells_kinds)(const void *context);
} oct_trace_diff_input;

typedef struct oct_trace_diff_options {
  uint32_t fields; /* OCT_DIFF_SIZES ...: those to compare */
  bool is_strict;  /* compare also what one trace does not have */
  bool has_start;  /* begin both traces where they first come to start_addr, */
  uint64_t start_addr;
  bool is_exact_start;  /* instructions that one trace has before the other begins: a difference */
  bool is_open_end;     /* instructions that one trace has after the end of the other: none */
  size_t window_insns;  /* how far to look for a place from which both go on alike, 1 .. 2^20 */
  size_t context_insns; /* kept before and after a difference, up to 2^16 */
} oct_trace_diff_options;

/* One difference. Instructions at[s] .. at[s] + n[s] - 1 of trace s, of which one may have none,
 * differ from those of the other trace. From the next one on both are alike again. */
typedef struct oct_trace_difference {
  uint32_t kinds; /* OCT_DIFF_SIZES ... OCT_DIFF_PATH */
  uint64_t at[OCT_DIFF_SIDES], n[OCT_DIFF_SIDES];
  bool is_start; /* one trace begins earlier; no difference, unless is_exact_start */
  bool is_end;   /* one trace ends here; n of the other counts only what has been read of it */
  bool is_lost;  /* no place was found from which both go on alike: this is the last difference,
                    and the rest is not compared */
} oct_trace_difference;

typedef struct oct_trace_diff_counts {
  uint64_t insns[OCT_DIFF_SIDES];    /* read and compared */
  uint64_t equal_insns;              /* pairs of them, in all that is compared */
  uint64_t accesses[OCT_DIFF_SIDES]; /* of these instructions */
  uint64_t differences;              /* all, */
  uint64_t of_kind[OCT_DIFF_KINDS];  /* those of each kind; one may be of several */
  uint64_t only[OCT_DIFF_SIDES];     /* instructions without a partner */
  uint64_t before[OCT_DIFF_SIDES];   /* instructions before the other trace begins, */
  uint64_t after[OCT_DIFF_SIDES];    /* and after it ends, where these are no differences */
  /* Of fields that one trace had not had until then: how many accesses or traps of the other one
   * were not compared. Differences where the trace had them later, counted as one each. */
  uint64_t early_accesses[OCT_DIFF_SIDES], early_traps[OCT_DIFF_SIDES];
  uint64_t uncompared[OCT_DIFF_SIDES]; /* instructions after the last difference, if that is_lost */
  uint64_t unsized[OCT_DIFF_SIDES];    /* instructions whose size only the other one tells, */
  uint64_t unvalued[OCT_DIFF_SIDES];   /* accesses whose values, */
  uint64_t untold[OCT_DIFF_SIDES];     /* and registers at places of equal instructions */
} oct_trace_diff_counts;

typedef struct oct_trace_diff oct_trace_diff;

/* What is held against what; inputs[0] and [1] are copied. Fields that one trace does not have are
 * left out until it shows one. The caller frees it; NULL when out of memory. */
oct_trace_diff *oct_trace_diff_new(const oct_trace_diff_input *inputs,
                                   const oct_trace_diff_options *options);
void oct_trace_diff_free(oct_trace_diff *d);

/* The next difference: 1; 0 at the end of both traces, or after one that is_lost; OCT_ERR_ARG: no
 * instruction at the start address; OCT_ERR_NOMEM; or an error of an input. */
int oct_trace_diff_next(oct_trace_diff *d, oct_trace_difference *found, oct_diag *diag);
/* After an error, the trace that it is about: 0 or 1. */
unsigned oct_trace_diff_failed(const oct_trace_diff *d);
const oct_trace_diff_counts *oct_trace_diff_get_counts(const oct_trace_diff *d);
/* Which fields a trace has that had those of `has` before this batch. */
uint32_t oct_trace_diff_see(uint32_t has, const oct_batch *batch, bool tells_kinds);
/* Which fields the trace has had so far. */
uint32_t oct_trace_diff_has(const oct_trace_diff *d, unsigned side);

/* What a register holds before the instruction number `at`. */
typedef struct oct_trace_diff_register {
  uint64_t at;
  uint16_t number;
  uint8_t n_bytes, bytes[OCT_FACT_REGISTER_MAX];
} oct_trace_diff_register;

/* An instruction of one trace, with the traps and gaps (oct_gap_mark.h) before it and the registers
 * that facts tell. */
typedef struct oct_trace_diff_insn {
  const oct_insn *insn;       /* NULL: the end of the trace, with what stands before that */
  const oct_access *accesses; /* until the next call for one */
  const uint8_t *values;      /* their bytes, as in oct_batch; NULL: none */
  const oct_trap *traps;
  size_t n_traps;
  const oct_trace_diff_register *registers;
  size_t n_registers;
  const oct_map_head *entry; /* what is known of it, or NULL; until the next call for one */
} oct_trace_diff_insn;

/* Instruction `at` of trace `number`, around the difference found last: from context_insns before
 * it up to context_insns after. False when there is none. */
bool oct_trace_diff_look(oct_trace_diff *d, unsigned number, uint64_t at,
                         oct_trace_diff_insn *view);
/* What these registers, the last one of its number counts, say of register `number`, or NULL. */
const oct_trace_diff_register *oct_trace_diff_find_register(const oct_trace_diff_register *r,
                                                            size_t n, unsigned number);

#endif
