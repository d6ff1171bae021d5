/* SPDX-License-Identifier: Apache-2.0 */
/* oct_shadow_plan.c - plans of map entries of `shadow`. */
#include "oct_shadow_plan.h"

#include "oct_grow.h"
#include "oct_effect_build.h"

#include <stdlib.h>
#include <string.h>

int oct_plans_init(oct_plans *p, uint64_t mask, bool delay_slots) {
  *p = (oct_plans){.map = oct_map_new(), .mask = mask, .delay_slots = delay_slots};
  return p->map ? 0 : OCT_ERR_NOMEM;
}

void oct_plans_free(oct_plans *p) {
  oct_map_free(p->map);
  free(p->of);
  *p = (oct_plans){0};
}

/* The parts of a known operation, of an instruction that is always carried out. */
static unsigned parts_of(const oct_map_entry *e) {
  const oct_effect *op = &e->op;
  unsigned parts = 0, back = (op->mem[0].form | op->mem[1].form) & OCT_MEM_BACK;
  if (op->result != OCT_RESULT_NONE) parts |= OCT_PART_RESULT;
  if ((op->set_flags & 15) != OCT_FLAGS_KEEP) parts |= OCT_PART_FLAGS;
  if (back) parts |= OCT_PART_BACK;
  if (op->clobbers) parts |= OCT_PART_CLOBBERS;
  for (unsigned s = 0; s < e->n_slots && s < OCT_SLOTS_MAX; s++)
    parts |= e->slots[s] & OCT_SLOT_STORE ? OCT_PART_STORE : OCT_PART_LOAD;
  if (op->link < OCT_REG_COUNT || (op->target & 15) != OCT_TARGET_NONE || op->list ||
      op->result == OCT_RESULT_SELECT ||
      (op->result != OCT_RESULT_NONE && (op->a == OCT_REG_LOADED || op->b == OCT_REG_LOADED)) ||
      (e->n_slots && op->data[0] > OCT_REG_ZERO))
    parts |= OCT_PART_OTHER;
  return parts;
}

static oct_plan_kind kind_of(const oct_map_entry *e) {
  const unsigned registers = OCT_PART_RESULT | OCT_PART_FLAGS | OCT_PART_CLOBBERS;
  bool has_data = oct_has_data(e), is_branch = e->cls == OCT_CLASS_COND_BRANCH;
  if (has_data && (e->n_slots != 1 || e->flags)) return OCT_PLAN_ANY;
  if (oct_is_late(e) || oct_is_delayed(e)) return OCT_PLAN_ANY;
  if (!(e->op.flags & OCT_EFFECT_KNOWN))
    return e->cls != OCT_CLASS_OTHER && e->cls != OCT_CLASS_UNKNOWN ? OCT_PLAN_ANY
           : has_data                                               ? OCT_PLAN_ONE
                                                                    : OCT_PLAN_UNKNOWN;
  if (e->cls != OCT_CLASS_OTHER && e->cls != OCT_CLASS_DIRECT_JUMP && !is_branch)
    return OCT_PLAN_ANY;
  if ((e->op.cond & OCT_COND_OF) != OCT_COND_ALWAYS && (!is_branch || has_data))
    return OCT_PLAN_ANY;
  unsigned parts = parts_of(e);
  switch (parts) {
    case 0:
      return has_data ? OCT_PLAN_ANY : OCT_PLAN_NOTHING;
#define OCT_X(kind, its_parts) \
  case its_parts:              \
    return OCT_PLAN_##kind;
      OCT_PLANS_WITHOUT_ACCESS(OCT_X)
      OCT_PLANS_WITH_ACCESS(OCT_X)
#undef OCT_X
    default:
      return parts & ~registers ? OCT_PLAN_ANY : OCT_PLAN_REGISTERS;
  }
}

static void begin(oct_entry_plan *plan, uint32_t id) {
  plan->executed[0] = plan->executed[1] = id;
}

static void make(oct_plans *p, uint32_t id) {
  const oct_map_entry *e = oct_map_entry_at(p->map, id);
  oct_entry_plan *plan = &p->of[id];
  plan->addr = e->addr;
  plan->fall = (e->addr + e->size_bytes) & p->mask;
  plan->size_bytes = e->size_bytes;
  plan->kind = (uint8_t)kind_of(e);
  plan->has_data = oct_has_data(e);
  plan->is_straight = e->cls == OCT_CLASS_OTHER && !oct_repeats(e);
  plan->insn_flags = (uint8_t)(e->cls << OCT_INSN_CLASS_SHIFT);
  if (e->flags & OCT_MAP_VARIABLE) plan->insn_flags |= OCT_INSN_END;
}

static int make_room(oct_plans *p) {
  oct_entry_plan *of = oct_grown(p->of, &p->room, oct_map_count(p->map), sizeof *of);
  if (!of) return OCT_ERR_NOMEM;
  p->of = of;
  return 0;
}

/* A jump of which the class alone is known, where jumps have a delay slot: its condition and target
 * are not known, and any register may have changed. */
static void describe_jump(oct_map_entry *e) {
  oct_effect_start(&e->op, 0);
  e->op.flags |= OCT_EFFECT_DELAYED;
  e->op.clobbers = UINT32_MAX;
  if (e->cls == OCT_CLASS_COND_BRANCH) e->op.cond = OCT_COND_UNKNOWN;
  if (e->cls >= OCT_CLASS_INDIRECT_JUMP) e->op.target = OCT_TARGET_UNKNOWN;
}

int64_t oct_plans_put(oct_plans *p, const oct_map_entry *e) {
  size_t before = oct_map_count(p->map);
  oct_map_entry entry = *e;
  entry.target &= p->mask; /* as the circuit, whose addresses have no more bits */
  if (p->delay_slots && e->cls > OCT_CLASS_OTHER && !oct_has_data(e) &&
      !(e->op.flags & OCT_EFFECT_KNOWN))
    describe_jump(&entry);
  int64_t id = oct_map_put(p->map, &entry);
  if (id < 0) return id;
  if (make_room(p)) return OCT_ERR_NOMEM;
  if ((size_t)id >= before) begin(&p->of[id], (uint32_t)id);
  make(p, (uint32_t)id);
  return id;
}
