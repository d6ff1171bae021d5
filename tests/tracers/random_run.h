/* SPDX-License-Identifier: Apache-2.0 */
/* random_run.h - a random program and a random run of it, for tests of branch traces: calls,
 * recursion, returns that go elsewhere, loops of jumps alone, traps, tasks, accesses that are fewer
 * than foreseen, and code that changes under way. */
#ifndef RANDOM_RUN_H
#define RANDOM_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../test_random.h"
#include "octrace/map.h"

typedef struct random_rules {
  uint64_t base; /* address of the program */
  uint64_t addr_mask;
  unsigned n_code;   /* instructions of the program */
  unsigned size_min; /* sizes are this, or (1 in 2) size_max */
  unsigned size_max;
  unsigned branch_pm;   /* of 1000 instructions: conditional branches, */
  unsigned jump_pm;     /* direct jumps, */
  unsigned call_pm;     /* direct calls, */
  unsigned indirect_pm; /* indirect jumps and calls, */
  unsigned return_pm;   /* returns, */
  unsigned access_pm;   /* instructions with accesses */
  unsigned taken_pm;    /* branches that are taken, */
  unsigned stray_pm;    /* returns that do not go where the call came from, */
  unsigned trap_ppm;    /* traps in a million instructions, */
  unsigned task_ppm;    /* task switches, */
  unsigned change_ppm;  /* changes of code, */
  unsigned far_pm;      /* system calls, */
  unsigned env_pm;      /* ecall and c.ebreak, */
  bool no_self;         /* no jumps to themselves, */
  unsigned sijump_pm;   /* jumps through a register just loaded, */
  unsigned end_pm;      /* accesses that are fewer than foreseen */
  unsigned tasks;
} random_rules;

typedef struct random_run {
  oct_map_entry *code;
  unsigned n_code;
  oct_insn *insns;
  oct_access *accesses;
  oct_map_update *updates;
  size_t n_insns, n_accesses, n_updates;
  oct_trap *traps; /* insn counts from the first of all */
  size_t n_traps;
} random_run;

static inline bool random_pm(unsigned pm) {
  return below(1000) < pm;
}

/* A number of up to 64 bits, of which up to `zeros` - 1 lead as zeros. */
static inline uint64_t random_bits(unsigned zeros) {
  unsigned shift = below32(zeros);
  return random_u64() >> shift;
}

/* Any mixture of kinds, for a program at base whose instructions have size_min or size_max bytes.
 */
static inline random_rules random_rules_of(uint64_t base, uint64_t addr_mask, unsigned size_min,
                                           unsigned size_max) {
  random_rules r = {
      .base = base, .addr_mask = addr_mask, .size_min = size_min, .size_max = size_max, .tasks = 3};
  r.n_code = 8 + below32(random_pm(500) ? 60 : 2000);
  r.branch_pm = below32(random_pm(300) ? 5 : 200);
  r.jump_pm = below32(80);
  r.call_pm = below32(100);
  r.indirect_pm = below32(30);
  r.return_pm = r.call_pm + below32(20);
  r.access_pm = 300;
  r.taken_pm = below32(1000);
  r.stray_pm = random_pm(500) ? 0 : below32(random_pm(500) ? 20 : 500);
  r.trap_ppm = random_pm(500) ? 0 : below32(20000);
  r.task_ppm = random_pm(500) ? 0 : below32(5000);
  r.change_ppm = random_pm(600) ? 0 : below32(20000);
  return r;
}

/* What instruction number i does; its address and size stay. */
static inline void random_entry(const random_rules *r, random_run *p, unsigned i) {
  oct_map_entry *e = &p->code[i], old = *e;
  unsigned kind = below32(1000);
  memset(e, 0, sizeof *e);
  e->addr = old.addr;
  e->size_bytes = old.size_bytes;
  e->cls = OCT_CLASS_OTHER;
  /* Most targets are near, so that loops and recursion come about. */
  unsigned far = below32(p->n_code);
  unsigned near = (i + p->n_code - 12 + below32(24)) % p->n_code;
  uint64_t target = p->code[random_pm(600) ? near : far].addr;
  if (r->no_self && target == e->addr) target = p->code[(i + 1) % p->n_code].addr;
  if (kind < r->branch_pm) {
    e->cls = OCT_CLASS_COND_BRANCH;
    e->target = target;
  } else if ((kind -= r->branch_pm) < r->jump_pm) {
    e->cls = OCT_CLASS_DIRECT_JUMP;
    e->target = target;
  } else if ((kind -= r->jump_pm) < r->call_pm) {
    e->cls = OCT_CLASS_DIRECT_CALL;
    e->target = target;
  } else if ((kind -= r->call_pm) < r->indirect_pm) {
    e->cls = random_pm(500) ? OCT_CLASS_INDIRECT_CALL : OCT_CLASS_INDIRECT_JUMP;
  } else if ((kind -= r->indirect_pm) < r->return_pm) {
    e->cls = OCT_CLASS_RETURN;
  } else if (random_pm(r->far_pm) && e->size_bytes > 1) {
    e->code_isa = 1;
    e->code[0] = 0x0f;
    e->code[1] = 0x05;
  } else if (random_pm(r->env_pm) && e->size_bytes % 2 == 0) {
    e->code_isa = 1;
    e->code[0] = e->size_bytes == 4 ? 0x73 : 0x02;
    e->code[1] = e->size_bytes == 4 ? 0x00 : 0x90;
  }
  if (random_pm(r->access_pm)) {
    unsigned n = random_pm(800) ? 1 : 2;
    e->n_slots = (uint8_t)n;
    for (unsigned s = 0; s < n; s++) {
      e->slots[s] = (uint8_t)below(4);
      if (random_pm(400)) e->slots[s] |= OCT_SLOT_STORE;
    }
    if (n == 2 && random_pm(500)) e->slots[1] = e->slots[0] | OCT_SLOT_STORE;
    if (random_pm(30)) e->flags = OCT_MAP_VARIABLE;
  }
}

static inline void random_update(random_run *p, const oct_map_entry *e) {
  p->updates[p->n_updates].from_insn = p->n_insns;
  p->updates[p->n_updates++].entry = *e;
}

/* Make a jump through a register that the instruction before it loads: lui, jalr. */
static inline void random_sijump(random_run *p, unsigned i) {
  oct_map_entry *load = &p->code[i - 1], *jump = &p->code[i];
  uint64_t target = p->code[below(p->n_code)].addr;
  *load = (oct_map_entry){.addr = load->addr};
  *jump = (oct_map_entry){.addr = jump->addr};
  load->cls = OCT_CLASS_OTHER;
  load->size_bytes = jump->size_bytes = 4;
  load->code_isa = 1;
  load->code[0] = 0x37;
  load->op = (oct_effect){.flags = OCT_EFFECT_KNOWN,
                          .result = OCT_RESULT_ADD,
                          .dest = 6,
                          .a = OCT_REG_ZERO,
                          .b = OCT_REG_ZERO,
                          .imm = target & ~UINT64_C(0xfff)};
  jump->cls = OCT_CLASS_INDIRECT_JUMP;
  jump->op = (oct_effect){.flags = OCT_EFFECT_KNOWN,
                          .result = OCT_RESULT_ADD,
                          .dest = OCT_REG_NONE,
                          .a = 6,
                          .b = OCT_REG_ZERO,
                          .imm = target & 0xfff,
                          .target = OCT_TARGET_RESULT};
}

/* A program, and n instructions of a run of it; to be freed with random_free. */
static inline random_run random_run_new(const random_rules *r, size_t n) {
  enum { STACK = 64 };
  random_run p = {.n_code = r->n_code};
  uint64_t addr = r->base, stack[STACK];
  unsigned depth = 0, at = 0, task = 0, last = UINT32_MAX;
  p.code = calloc(r->n_code + 1, sizeof *p.code);
  p.insns = calloc(n, sizeof *p.insns);
  p.accesses = calloc(n * 6, sizeof *p.accesses);
  p.updates = calloc(r->n_code + n, sizeof *p.updates);
  for (unsigned i = 0; i < r->n_code; i++) {
    p.code[i].addr = addr & r->addr_mask;
    p.code[i].size_bytes = (uint8_t)(random_pm(500) ? r->size_min : r->size_max);
    addr += p.code[i].size_bytes;
  }
  for (unsigned i = 0; i < r->n_code; i++) random_entry(r, &p, i);
  for (unsigned i = 1; i < r->n_code; i++)
    if (random_pm(r->sijump_pm) && p.code[i].size_bytes == 4 && p.code[i - 1].size_bytes == 4)
      random_sijump(&p, i++);
  for (unsigned i = 0; i < r->n_code; i++) random_update(&p, &p.code[i]);
  uint64_t last_data = 0x1000;
  while (p.n_insns < n) {
    if (p.n_insns && below(1000000) < r->change_ppm) {
      random_entry(r, &p, at);
      random_update(&p, &p.code[at]);
    }
    const oct_map_entry *e = &p.code[at];
    oct_insn *insn = &p.insns[p.n_insns];
    insn->addr = e->addr;
    insn->size_bytes = e->size_bytes;
    insn->task = task;
    unsigned n_access = e->flags & OCT_MAP_VARIABLE ? below32(6) : e->n_slots;
    if (n_access && random_pm(r->end_pm)) n_access--;
    insn->n_access = (uint16_t)n_access;
    insn->flags = (uint8_t)(e->cls << OCT_INSN_CLASS_SHIFT);
    if (n_access < e->n_slots || (e->flags & OCT_MAP_VARIABLE)) insn->flags |= OCT_INSN_END;
    for (unsigned k = 0; k < n_access; k++) {
      uint8_t slot = e->slots[k < e->n_slots ? k : 0];
      oct_access *a = &p.accesses[p.n_accesses++];
      a->size_bytes = (uint8_t)(1u << (slot & OCT_SLOT_SIZE_MASK));
      a->is_store = slot & OCT_SLOT_STORE ? 1 : 0;
      if (!k || random_pm(500)) last_data += random_pm(700) ? 8 : random_bits(60);
      a->addr = last_data & r->addr_mask;
      if (random_pm(900)) a->addr &= ~(uint64_t)(a->size_bytes - 1u);
    }
    p.n_insns++;
    unsigned next = at + 1;
    uint64_t to = 0;
    bool is_jump = true;
    switch (e->cls) {
      case OCT_CLASS_COND_BRANCH:
        is_jump = random_pm(r->taken_pm);
        to = e->target;
        break;
      case OCT_CLASS_DIRECT_CALL:
      case OCT_CLASS_INDIRECT_CALL:
        if (depth == STACK) memmove(stack, stack + 1, sizeof *stack * --depth);
        stack[depth++] = e->addr + e->size_bytes;
        to = e->cls == OCT_CLASS_DIRECT_CALL ? e->target : p.code[below(r->n_code)].addr;
        break;
      case OCT_CLASS_DIRECT_JUMP:
        to = e->target;
        break;
      case OCT_CLASS_INDIRECT_JUMP:
        to = p.code[below(random_pm(700) ? 8 : r->n_code)].addr;
        if (e->op.flags && at && last == at - 1 && random_pm(950)) to = e[-1].op.imm + e->op.imm;
        break;
      case OCT_CLASS_RETURN:
        to = depth && !random_pm(r->stray_pm) ? stack[--depth] : p.code[below(r->n_code)].addr;
        break;
      default:
        is_jump = false;
    }
    if (is_jump) {
      next = r->n_code;
      for (unsigned low = 0, high = r->n_code; low < high;) {
        unsigned mid = (low + high) / 2;
        if (p.code[mid].addr == to) {
          next = mid;
          break;
        }
        if (p.code[mid].addr < to)
          low = mid + 1;
        else
          high = mid;
      }
    }
    if (below(1000000) < r->trap_ppm) next = below32(r->n_code);
    if (below(1000000) < r->task_ppm) task = below32(r->tasks);
    if (next >= r->n_code) next = below32(r->n_code); /* off the end: a trap */
    last = at;
    at = next;
  }
  return p;
}

/* What a format can say of traps. */
typedef struct random_trap_rules {
  uint64_t addr_mask; /* and alignment */
  uint32_t cause_mask, privilege_max;
} random_trap_rules;

/* Traps and changes of privilege, up to four at one place, also before the first instruction and
 * behind the last. */
static inline void random_traps(random_run *p, const random_trap_rules *rules) {
  unsigned pm = below32(random_pm(500) ? 300 : 10);
  p->traps = calloc(4 * (p->n_insns + 1), sizeof *p->traps);
  p->n_traps = 0;
  for (size_t i = 0; i <= p->n_insns; i++) {
    bool is_edge = !i || i == p->n_insns;
    if (!random_pm(is_edge ? 500 : pm)) continue;
    for (size_t n = 1 + below(random_pm(500) ? 2 : 4); n; n--) {
      oct_trap *t = &p->traps[p->n_traps++];
      const oct_insn *last = &p->insns[i ? i - 1 : 0];
      unsigned place = below32(10);
      *t = (oct_trap){.insn = (uint32_t)i, .kind = (uint8_t)below(OCT_TRAP_KINDS)};
      t->privilege = (uint8_t)below(rules->privilege_max + 1);
      if (random_pm(300)) t->privilege = OCT_PRIVILEGE_UNKNOWN;
      if (t->kind == OCT_TRAP_PRIVILEGE) continue;
      t->cause = (uint32_t)random_u64() & rules->cause_mask;
      t->addr = last->addr + last->size_bytes;
      if (place < 4) t->addr = p->code[below(p->n_code)].addr; /* perhaps where it jumps */
      if (place == 4) t->addr = random_bits(64);
      if (place == 5) t->addr = last->addr;                        /* of an ecall */
      if (place > 7 && i < p->n_insns) t->addr = p->insns[i].addr; /* the handler itself */
      if (random_pm(100)) t->addr = 0;                             /* not told */
      t->addr &= rules->addr_mask;
      if (t->kind == OCT_TRAP_EXCEPTION && random_pm(500))
        t->tval = random_bits(64) & rules->addr_mask;
    }
  }
}

static inline void random_free(random_run *p) {
  free(p->traps);
  free(p->code);
  free(p->insns);
  free(p->accesses);
  free(p->updates);
}

#endif
