/* SPDX-License-Identifier: Apache-2.0 */
/* oct_riscv_ingress.h - from RISC-V's trace ingress port to the core interface of a compressor.
 *
 * Signals have the names and meanings of the port (docs/references.md, E-Trace); the rules, and
 * what is made of a cycle, are those of rtl/common/oct_riscv_ingress.v, its twin. What retires in a
 * cycle waits in a queue and is unrolled, one instruction a cycle. A cycle that breaks a rule is
 * not passed on: an error stands in its place. Latency: 1 cycle. No back-pressure: a full queue is
 * an error, too. */
#ifndef OCT_RISCV_INGRESS_H
#define OCT_RISCV_INGRESS_H

#include "octrace/tracer.h"

enum {
  OCT_RISCV_BLOCKS_MAX = 4,
  OCT_RISCV_HALFWORDS_MAX = 15,
  OCT_RISCV_ACCESSES_MAX = 4,
  OCT_RISCV_DEPTH_MAX = 64
};

/* Bits of the port's trigger. */
enum { OCT_RISCV_TRIGGER_START = 1, OCT_RISCV_TRIGGER_STOP = 2 };

typedef struct oct_riscv_block {
  uint8_t itype;
  uint8_t iretire; /* halfwords */
  bool ilastsize;  /* the last instruction has two */
  uint64_t iaddr;
  uint16_t words[OCT_RISCV_HALFWORDS_MAX];
} oct_riscv_block;

typedef struct oct_riscv_access {
  bool dretire;
  uint8_t dtype, dblock;
  uint8_t dsize;      /* log2 of its bytes */
  uint8_t iaddr_lsbs; /* bits 4..1 of the address of its instruction */
  uint64_t daddr;
} oct_riscv_access;

/* What the core brings in a cycle. */
typedef struct oct_riscv_in {
  oct_riscv_block blocks[OCT_RISCV_BLOCKS_MAX];
  oct_riscv_access accesses[OCT_RISCV_ACCESSES_MAX];
  uint8_t priv, ctype, trigger;
  bool halted, reset;
  uint32_t cause, context;
  uint64_t tval, time;
} oct_riscv_in;

typedef struct oct_riscv_entry {
  oct_riscv_in in;
  uint32_t task;
  uint8_t trigger;   /* of the cycles that were lost before it, too */
  bool breaks, lost; /* it breaks a rule; cycles before it were lost */
  bool halted;       /* the hart was halted, or reset, before it */
} oct_riscv_entry;

typedef struct oct_riscv_ingress {
  uint32_t n_blocks, n_halfwords, n_accesses, depth;
  uint64_t addr_mask;
  bool is_64;
  oct_riscv_entry queue[OCT_RISCV_DEPTH_MAX];
  uint32_t read, count;
  uint32_t task;        /* of the newest cycle */
  uint8_t lost_trigger; /* of the newest cycle that was lost and has one */
  bool lost, lost_told; /* cycles were lost or left out; the head's error has been told */
  bool halted;          /* the hart has been, or was reset, since the newest entry */
  uint32_t block, at;   /* of the head: the block under way, and its halfwords that have gone */
  bool second;          /* the second event of its instruction is due */
  uint8_t met;          /* a bit for each of its accesses that has been told, or as an error */
  bool unmet;           /* the error of one that has not is due */
  bool started;         /* the trigger that starts has been told */
  uint64_t next_addr;   /* behind the last instruction, 0: not known */
  bool has_trap;        /* a trap waits for the privilege behind it */
  uint8_t trap_kind;
  uint32_t trap_cause;
  uint64_t trap_addr, trap_tval;
  bool has_priv;
  uint8_t priv;
} oct_riscv_ingress;

/* n_blocks 1 to OCT_RISCV_BLOCKS_MAX, n_halfwords of a block 2 to OCT_RISCV_HALFWORDS_MAX,
 * n_accesses 1 to OCT_RISCV_ACCESSES_MAX a cycle, depth of the queue in cycles 2 to
 * OCT_RISCV_DEPTH_MAX, xlen 32 or 64. */
void oct_riscv_ingress_init(oct_riscv_ingress *s, uint32_t n_blocks, uint32_t n_halfwords,
                            uint32_t n_accesses, uint32_t depth, uint32_t xlen);
/* One cycle: what leaves in it, and then what comes, which is left out unless the gate is open. */
void oct_riscv_ingress_cycle(oct_riscv_ingress *s, bool is_open, const oct_riscv_in *in,
                             oct_retire *out);

#endif
