/* SPDX-License-Identifier: Apache-2.0 */
/* oct_shadow_plan.h - the program map of a compressor or decoder of `shadow`, and of each entry a
 * plan: what every step asks of it, worked out once.
 *
 * Most instructions are of a few simple kinds. For each of these the compiler makes the one
 * execution of oct_shadow_execute.h anew, without the parts that the kind does not have. */
#ifndef OCT_SHADOW_PLAN_H
#define OCT_SHADOW_PLAN_H

#include "oct_inline.h"
#include "octrace/map.h"

#include <stdbool.h>

#define OCT_ENTRY_NONE UINT32_MAX

/* ---- What an entry says ---- */

OCT_INLINE bool oct_has_data(const oct_map_entry *e) {
  return e->n_slots != 0 || (e->flags & OCT_MAP_VARIABLE);
}

/* One iteration of an instruction that repeats while a register is not 0 (x86 `rep movs`): where it
 * acted, it may follow itself. Where the register is 0 then, a last iteration without effect may
 * follow, as emulators make it. */
OCT_INLINE bool oct_repeats(const oct_map_entry *e) {
  return e->cls == OCT_CLASS_OTHER && (e->op.flags & OCT_EFFECT_KNOWN) &&
         (e->op.cond & OCT_COND_OF) == OCT_COND_REGS && e->op.result != OCT_RESULT_SELECT &&
         oct_has_data(e);
}

/* Whether its effect comes after the next instruction, in the delay slot. */
OCT_INLINE bool oct_is_delayed(const oct_map_entry *e) {
  return (e->op.flags & OCT_EFFECT_DELAYED) && e->cls != OCT_CLASS_OTHER &&
         e->cls != OCT_CLASS_UNKNOWN;
}

/* A conditional one without accesses: carried out once it is known whether. */
OCT_INLINE bool oct_is_late(const oct_map_entry *e) {
  return (e->flags & OCT_MAP_CONDITIONAL) && !oct_has_data(e) && e->cls > OCT_CLASS_COND_BRANCH &&
         !oct_is_delayed(e);
}

/* ---- Plans ---- */

/* Parts of what an instruction does to registers. */
enum {
  OCT_PART_RESULT = 1,
  OCT_PART_FLAGS = 2,
  OCT_PART_BACK = 4, /* a base register is written back */
  OCT_PART_CLOBBERS = 8,
  OCT_PART_LOAD = 16, /* accesses of either kind */
  OCT_PART_STORE = 32,
  OCT_PART_OTHER = 64, /* links, targets, lists, words that are loaded before they are used */
  OCT_PARTS_ALL = 127
};

/* Kinds of instructions, by what is to be done for them. All but ANY are always carried out, and
 * those with accesses make one each time. */
typedef enum oct_plan_kind {
  OCT_PLAN_ANY,
  OCT_PLAN_UNKNOWN,   /* no accesses, the operation is not known */
  OCT_PLAN_NOTHING,   /* no accesses, nothing changes; so may an instruction that goes elsewhere */
  OCT_PLAN_RESULT,    /* no accesses: a result, */
  OCT_PLAN_FLAGS,     /* and flags, */
  OCT_PLAN_CLOBBERS,  /* or registers that become unknown, */
  OCT_PLAN_REGISTERS, /* or all of these */
  OCT_PLAN_ONE,       /* one access, the operation is not known */
  OCT_PLAN_LOAD,      /* one access into a register, */
  OCT_PLAN_LOAD_BACK, /* the base is written back, */
  OCT_PLAN_STORE,
  OCT_PLAN_STORE_BACK
} oct_plan_kind;

/* The parts of the operation (oct_part) of each kind of which that is known: X(KIND, PARTS). */
#define OCT_PLANS_WITHOUT_ACCESS(X)          \
  X(RESULT, OCT_PART_RESULT)                 \
  X(FLAGS, OCT_PART_RESULT | OCT_PART_FLAGS) \
  X(CLOBBERS, OCT_PART_CLOBBERS)             \
  X(REGISTERS, OCT_PART_RESULT | OCT_PART_FLAGS | OCT_PART_CLOBBERS)
#define OCT_PLANS_WITH_ACCESS(X)              \
  X(LOAD, OCT_PART_LOAD)                      \
  X(LOAD_BACK, OCT_PART_LOAD | OCT_PART_BACK) \
  X(STORE, OCT_PART_STORE)                    \
  X(STORE_BACK, OCT_PART_STORE | OCT_PART_BACK)

typedef struct oct_entry_plan {
  uint64_t addr, fall; /* fall: where the instruction ends */
  /* Number of the entry executed after it last: behind it, or elsewhere. At first its own. */
  uint32_t executed[2];
  uint8_t kind;       /* oct_plan_kind */
  bool has_data;      /* it may make accesses */
  bool is_straight;   /* what follows is no decision: it stands behind it */
  uint8_t insn_flags; /* oct_insn.flags of one that makes all its accesses */
  uint8_t size_bytes;
} oct_entry_plan;

typedef struct oct_plans {
  oct_map *map;
  oct_entry_plan *of; /* by number of the entry */
  size_t room;
  uint64_t mask;    /* of an address */
  bool delay_slots; /* as the parameter says */
} oct_plans;

/* An empty map. OCT_ERR_NOMEM. */
int oct_plans_init(oct_plans *p, uint64_t mask, bool delay_slots);
void oct_plans_free(oct_plans *p);
/* As oct_map_put. With delay_slots a jump whose operation is not known gets one. */
int64_t oct_plans_put(oct_plans *p, const oct_map_entry *e);

/* Number of the entry at addr, which is executed after that of plan, if this was seen before, else
 * OCT_ENTRY_NONE. */
OCT_INLINE uint32_t oct_plans_expect(const oct_plans *p, const oct_entry_plan *plan,
                                     uint64_t addr) {
  uint32_t next = plan->executed[addr != plan->fall];
  return p->of[next].addr == addr ? next : OCT_ENTRY_NONE;
}

/* Number of the entry at addr, which is executed after entry `at`, if there is one before it; or
 * OCT_ENTRY_NONE. */
static inline uint32_t oct_plans_find(oct_plans *p, uint32_t at, uint64_t addr) {
  uint32_t next = oct_map_find(p->map, addr);
  if (at != OCT_ENTRY_NONE && next != OCT_ENTRY_NONE)
    p->of[at].executed[addr != p->of[at].fall] = next;
  return next;
}

#endif
