/* SPDX-License-Identifier: Apache-2.0 */
/* shadow_state.h - registers and memory of a shadow of a program, with what of them is known. */
#ifndef OCT_SHADOW_STATE_H
#define OCT_SHADOW_STATE_H

#include "octrace/trace.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { GRANULE = 8, MEMORY_LOG2 = 20 };

/* Eight bytes of memory, of which those with a bit in known are known. */
typedef struct granule {
  uint64_t addr; /* divided by 8, plus 1; 0: free */
  uint8_t known, byte[GRANULE];
} granule;

/* 2^MEMORY_LOG2 granules; two of the same place drive each other out. */
typedef struct memory {
  granule *granules;
  int is_big; /* big-endian */
} memory;

static inline granule *granule_of(memory *mem, uint64_t addr) {
  uint64_t number = addr / GRANULE;
  size_t i = (size_t)((number * UINT64_C(0x9E3779B97F4A7C15)) >> (64 - MEMORY_LOG2));
  granule *g = &mem->granules[i];
  if (g->addr != number + 1) {
    memset(g, 0, sizeof *g);
    g->addr = number + 1;
  }
  return g;
}

static inline void memory_put(memory *mem, uint64_t addr, unsigned n, int is_known,
                              uint64_t value) {
  if (n > 8) is_known = 0;
  for (unsigned i = 0; i < n; i++) {
    granule *g = granule_of(mem, addr + i);
    unsigned at = (unsigned)((addr + i) % GRANULE);
    g->byte[at] = is_known ? (uint8_t)(value >> 8 * (mem->is_big ? n - 1 - i : i)) : 0;
    g->known = (uint8_t)((g->known & ~(1u << at)) | (unsigned)is_known << at);
  }
}

static inline int memory_get(memory *mem, uint64_t addr, unsigned n, uint64_t *value) {
  *value = 0;
  if (!n || n > 8) return 0;
  for (unsigned i = 0; i < n; i++) {
    const granule *g = granule_of(mem, addr + i);
    unsigned at = (unsigned)((addr + i) % GRANULE);
    if (!(g->known >> at & 1)) return 0;
    *value |= (uint64_t)g->byte[at] << 8 * (mem->is_big ? n - 1 - i : i);
  }
  return 1;
}

static inline void forget_memory(memory *mem) {
  memset(mem->granules, 0, sizeof *mem->granules << MEMORY_LOG2);
}

/* What the next instruction of a task tells of the one before. */
typedef struct pending {
  int delay;          /* the next instruction retires before a jump is made */
  int kind;           /* of the claim, or -1: nothing was asked */
  int is_branch;      /* the claim is of the direction, else of the target */
  int direction;      /* claimed: 1 taken, 0 not, -1 open */
  int is_known;       /* the target is */
  uint64_t target;    /* claimed */
  uint64_t next;      /* address when not taken */
  uint64_t taken;     /* address when taken */
  uint64_t pc, after; /* after: the address behind the instruction */
  int link;           /* register that gets the return address if taken, or -1 */
  uint64_t link_value;
  int is_likely;
} pending;

typedef struct task {
  uint64_t value[OCT_REG_COUNT];
  uint64_t maker[OCT_REG_COUNT]; /* who made it, for messages */
  uint64_t origin[OCT_REG_COUNT];
  uint8_t origin_bytes[OCT_REG_COUNT]; /* 0: not from memory */
  uint32_t known;
  unsigned flags;
  uint64_t flags_maker;
  pending wait, delayed;
  int waits, is_delayed;
} task;

static inline int get(const task *t, unsigned reg, uint64_t *value) {
  *value = 0;
  if (reg == OCT_REG_ZERO) return 1;
  if (reg >= OCT_REG_COUNT || !(t->known >> reg & 1)) return 0;
  *value = t->value[reg];
  return 1;
}

static inline void set(task *t, unsigned reg, int is_known, uint64_t value, uint64_t pc) {
  if (reg >= OCT_REG_COUNT) return;
  t->value[reg] = value;
  t->known = (t->known & ~(UINT32_C(1) << reg)) | (uint32_t)(is_known != 0) << reg;
  t->maker[reg] = pc;
  t->origin_bytes[reg] = 0;
}

static inline void forget_origins(task *t, uint64_t addr, unsigned n) {
  for (unsigned r = 0; r < OCT_REG_COUNT; r++)
    if (t->origin_bytes[r] && t->origin[r] < addr + n && addr < t->origin[r] + t->origin_bytes[r])
      t->origin_bytes[r] = 0;
}

#endif
