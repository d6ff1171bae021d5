/* SPDX-License-Identifier: Apache-2.0 */
/* random_program.h - a random program, and traces of it that reach every rule of the formats.
 *
 * The program is made of sites, each an instruction at an address. A site has a class, a target, a
 * rule for how many accesses it makes, and a kind for each slot. Its addresses go by a stride or
 * anywhere. Part of the sites are described by a map entry when they first run; the others have to
 * be learned. Now and then a site changes, as in a program that writes itself. What is reached:
 *
 * - 0 to 300 accesses, and with random_program_storm 65535; every size, loads and stores; beyond
 *   slot 15 the last two slots in turn, at even and odd counts, or any kinds;
 * - fixed counts below and above 16, variable and conditional entries, entries with more slots than
 *   accesses, and sites whose count shrinks and grows, so that terminators are needed;
 * - instruction sizes from 1 to 15 bytes, every class, sequences that pass 2^32 and wrap at 2^64;
 * - sites with bytes of every instruction set but Thumb, whose operations hang on the instructions
 *   before, with operations alone, and with neither;
 * - data addresses that wrap in both directions;
 * - traps of every kind, several at one place;
 * - tasks of 32 bits; stamps that come, go and jump, and run backward where the task changes. */
#ifndef OCT_RANDOM_PROGRAM_H
#define OCT_RANDOM_PROGRAM_H

#include "octrace/trace.h"
#include "octrace/map.h"
#include "random_effect.h"
#include "test_util.h"

enum { PROGRAM_REGIONS = 6, PROGRAM_SITES = PROGRAM_REGIONS * 48, PROGRAM_ACCESSES_MAX = 300 };

enum access_rule {
  RULE_NONE,
  RULE_FEW,         /* always as many, 1..16 */
  RULE_MANY,        /* always as many, 17..255 */
  RULE_SHORT,       /* 0..n, without a flag that says so */
  RULE_CONDITIONAL, /* all or none */
  RULE_VARIABLE,    /* 0..300 */
  RULE_PAIRS,       /* an even number of 0..300: load and store in turn, as `rep movs` */
  RULE_MIXED,       /* 0..300, some of another kind than their slot's, as x86 `xsave` */
  RULE_COUNT
};

typedef struct site {
  oct_map_entry entry; /* its slots are told for all 16, whatever n_slots is */
  uint64_t next_addr[OCT_SLOTS_MAX], stride[OCT_SLOTS_MAX];
  enum access_rule rule;
  unsigned n_most; /* accesses */
  int is_described, was_told;
} site;

typedef struct random_program {
  site sites[PROGRAM_SITES];
  size_t at; /* site that runs next */
  uint64_t cycle;
  uint32_t task, stamp_task;
  uint32_t align_bytes;
  int is_stamped, may_go_back, has_storm;
} random_program;

static inline void random_slots(site *s) {
  for (unsigned k = 0; k < OCT_SLOTS_MAX; k++) {
    unsigned log2_size = (unsigned)below(8);
    uint8_t *slot = &s->entry.slots[k];
    *slot = (uint8_t)(log2_size | (below(2) ? OCT_SLOT_STORE : 0));
    if (s->is_described && below(8) == 0) *slot |= OCT_SLOT_PC_RELATIVE;
    if (s->rule == RULE_PAIRS) *slot = (uint8_t)(2 | (k & 1 ? OCT_SLOT_STORE : 0));
  }
}

static inline void random_behaviour(site *s) {
  s->rule = (enum access_rule)(below(3) ? below(RULE_MANY) : below(RULE_COUNT));
  s->n_most = 0;
  if (s->rule == RULE_FEW || s->rule == RULE_CONDITIONAL) s->n_most = 1 + (unsigned)below(16);
  if (s->rule == RULE_MANY) s->n_most = 17 + (unsigned)below(239);
  if (s->rule >= RULE_VARIABLE) s->n_most = PROGRAM_ACCESSES_MAX;
  if (s->rule == RULE_SHORT) s->n_most = 1 + (unsigned)below(below(2) ? 6 : 40);
  random_slots(s);
  for (unsigned k = 0; k < OCT_SLOTS_MAX; k++) {
    s->next_addr[k] = below(4) ? 0x10000 + 8 * below(4096) : random_u64();
    if (below(8) == 0) s->next_addr[k] = below(2) ? below(64) : 0 - below(64);
    s->stride[k] = below(3) ? 4 * below(5) - 8 : below(8) ? 0 : random_u64();
  }
}

static inline uint64_t random_bits(void *unused) {
  (void)unused;
  return random_u64();
}

/* Give the entry an operation, or bytes and the operation that they are decoded to. */
static inline void random_operation(oct_map_entry *e) {
  static oct_disasm *disasm[OCT_ISA_COUNT];
  oct_map_entry decoded;
  unsigned isa = (unsigned)below(OCT_ISA_COUNT);
  memset(&e->op, 0, sizeof e->op);
  memset(e->code, 0, sizeof e->code);
  e->code_isa = 0;
  if (below(3) == 0 || isa == OCT_ISA_THUMB) return;
  if (below(2)) {
    random_effect(random_bits, NULL, &e->op);
    return;
  }
  if (!disasm[isa]) assert_non_null(disasm[isa] = oct_disasm_new((oct_isa)isa));
  e->code_isa = (uint8_t)(isa + 1);
  for (unsigned i = 0; i < e->size_bytes; i++) e->code[i] = (uint8_t)below(256);
  if (oct_disasm_insn(disasm[isa], e->addr, e->code, e->size_bytes, &decoded) == e->size_bytes)
    e->op = decoded.op;
}

static inline void random_entry(site *s) {
  static const uint8_t with_target[] = {0, 0, 1, 1, 1, 0, 0, 0};
  oct_map_entry *e = &s->entry;
  e->cls = (uint8_t)below(OCT_CLASS_COUNT);
  e->target = with_target[e->cls] ? random_u64() : 0;
  e->flags = 0;
  if (s->rule == RULE_VARIABLE || s->rule == RULE_PAIRS) e->flags = OCT_MAP_VARIABLE;
  if (s->rule == RULE_CONDITIONAL) e->flags = OCT_MAP_CONDITIONAL;
  e->n_slots = (uint8_t)(s->n_most > UINT8_MAX ? 2 : s->n_most);
  /* More slots than are ever used, or fewer than will be. */
  if (below(10) == 0) e->n_slots = (uint8_t)below(UINT8_MAX + 1);
  random_operation(e);
}

/* A program whose instructions begin at multiples of align_bytes (1, 2, 4 or 8). */
static inline void random_program_init(random_program *p, uint32_t align_bytes) {
  static const uint64_t starts[PROGRAM_REGIONS] = {
      0x8000, UINT64_C(0x100000000) - 200, 0 - UINT64_C(200), UINT64_C(0x7fffffffff00), 0x400000,
      0};
  memset(p, 0, sizeof *p);
  p->align_bytes = align_bytes;
  for (size_t i = 0, per = PROGRAM_SITES / PROGRAM_REGIONS; i < PROGRAM_SITES; i++) {
    site *s = &p->sites[i], *before = s - 1;
    size_t region = i / per;
    uint64_t addr = starts[region];
    if (i % per) addr = before->entry.addr + before->entry.size_bytes;
    if (region + 1 == PROGRAM_REGIONS && i % per == 0) addr = random_u64() & ~UINT64_C(0xffff);
    s->entry.addr = addr & ~(uint64_t)(align_bytes - 1);
    s->entry.size_bytes = (uint8_t)(align_bytes * (1 + below(15 / align_bytes)));
    s->is_described = below(3) != 0;
    random_behaviour(s);
    random_entry(s);
  }
}

/* From here on an instruction may make 65535 accesses. */
static inline void random_program_storm(random_program *p) {
  p->has_storm = 1;
}

/* What the map may hold of a site: slots beyond n_slots are 0. */
static inline oct_map_entry told_entry(const site *s) {
  oct_map_entry e = s->entry;
  for (unsigned k = e.n_slots; k < OCT_SLOTS_MAX; k++) e.slots[k] = 0;
  return e;
}

static inline unsigned random_count(const random_program *p, const site *s) {
  if (p->has_storm && s->rule >= RULE_VARIABLE && below(40) == 0) return UINT16_MAX;
  switch (s->rule) {
    case RULE_FEW:
    case RULE_MANY:
      return s->n_most;
    case RULE_CONDITIONAL:
      return below(2) ? s->n_most : 0;
    case RULE_PAIRS:
      return 2 * (unsigned)below(s->n_most / 2 + 1);
    default:
      return (unsigned)below(s->n_most + 1);
  }
}

static inline oct_access random_access(site *s, unsigned number) {
  unsigned slot = oct_access_slot(number), kind = s->entry.slots[slot];
  if (s->rule == RULE_MIXED && below(16) == 0) kind = (unsigned)below(16);
  unsigned log2_size = kind & OCT_SLOT_SIZE_MASK;
  oct_access a = {.addr = s->next_addr[slot], .is_store = !!(kind & OCT_SLOT_STORE)};
  a.size_bytes = log2_size == OCT_SLOT_SIZE_UNKNOWN ? 0 : (uint8_t)(1u << log2_size);
  s->next_addr[slot] += s->stride[slot];
  if (below(30) == 0) s->next_addr[slot] = random_magnitude();
  return a;
}

static inline void random_stamp(random_program *p, oct_insn *insn) {
  if (below(50) == 0) p->is_stamped = !p->is_stamped;
  p->may_go_back |= insn->task != p->stamp_task;
  p->stamp_task = insn->task;
  if (!p->is_stamped) return;
  uint64_t step = below(200) ? below(9) : random_magnitude();
  if (p->may_go_back && below(2))
    p->cycle = random_magnitude();
  else
    p->cycle = p->cycle > UINT64_MAX - step ? UINT64_MAX : p->cycle + step;
  p->may_go_back = 0;
  insn->flags = OCT_INSN_HAS_CYCLE;
  insn->cycle = p->cycle;
}

/* The next n_insns instructions as a batch of its own: *t, which is to be freed, is what an
 * oct_batch of them holds. */
static inline trace random_program_run(random_program *p, size_t n_insns) {
  size_t most = p->has_storm ? UINT16_MAX : PROGRAM_ACCESSES_MAX, room = 0;
  trace t = {0};
  t.insns = calloc(n_insns + 1, sizeof *t.insns);
  t.map = calloc(PROGRAM_SITES, sizeof *t.map);
  if (n_insns && below(4) == 0) {
    site *s = &p->sites[below(PROGRAM_SITES)];
    if (below(2)) random_behaviour(s);
    if (below(2)) random_entry(s);
    random_slots(s);
    s->was_told = 0;
  }
  /* What a batch describes holds from its first instruction on. */
  for (size_t i = 0; n_insns && i < PROGRAM_SITES; i++) {
    site *s = &p->sites[i];
    if (!s->is_described || s->was_told || below(4)) continue;
    t.map[t.n_map++] = told_entry(s);
    s->was_told = 1;
  }
  for (; t.n_insns < n_insns; t.n_insns++) {
    site *s = &p->sites[p->at];
    oct_insn *insn = &t.insns[t.n_insns];
    *insn = (oct_insn){.addr = s->entry.addr, .size_bytes = s->entry.size_bytes};
    if (below(200) == 0) p->task = (uint32_t)(random_magnitude());
    insn->task = p->task;
    random_stamp(p, insn);
    insn->n_access = (uint16_t)random_count(p, s);
    if (!t.accesses || room - t.n_accesses < insn->n_access) {
      room = 2 * t.n_accesses + most;
      t.accesses = realloc(t.accesses, room * sizeof *t.accesses);
      assert_non_null(t.accesses);
    }
    for (unsigned k = 0; k < insn->n_access; k++) t.accesses[t.n_accesses++] = random_access(s, k);
    p->at = below(8) ? (p->at + 1) % PROGRAM_SITES : below(PROGRAM_SITES);
  }
  add_random_traps(&t);
  return t;
}

/* The number of slots in some entries: one that the instruction's bytes do not say. */
static inline void lie_about_slots(oct_map_update *updates, size_t n) {
  for (size_t i = 0; i < n; i++) {
    oct_map_entry *e = &updates[i].entry;
    bool is_continued = i + 1 < n && (updates[i + 1].entry.flags & OCT_MAP_CONTINUES);
    if (e->flags & (OCT_MAP_CONTINUES | OCT_MAP_VARIABLE) || is_continued || below(8)) continue;
    e->n_slots = (uint8_t)below(e->n_slots + 2u);
    for (unsigned s = e->n_slots; s < OCT_SLOTS_MAX; s++) e->slots[s] = 0;
  }
}

#endif
