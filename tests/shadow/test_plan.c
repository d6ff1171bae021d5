/* SPDX-License-Identifier: Apache-2.0 */
/* test_plan.c - is an instruction of a simple kind carried out as any other? Random instructions go
 * through the short way of their plan and through the general one, from equal models. */
#include "../traces/test_util.h"

#include "oct_shadow_encode.h"
#define OCT_SHADOW_CODER oct_encode
#define OCT_SHADOW_DECODES 0
#include "oct_shadow_step.h"
#include "octrace/tracer.h"

enum { TRIES = 400000, KINDS = OCT_PLAN_STORE_BACK + 1, PARTS = 11 };

/* Often one of few, so that words meet. */
static uint64_t random_word(void) {
  uint64_t many = random_u64();
  return below(3) ? many % 64 * 4 : many;
}

static uint8_t less(unsigned n) {
  return (uint8_t)below(n);
}

/* A number of a register, seldom one of those that are none. */
static uint8_t random_reg(unsigned n_odd) {
  uint8_t odd = (uint8_t)(OCT_REG_NONE + less(n_odd));
  return below(8) ? less(16) : odd;
}

static void make_result(oct_effect *op) {
  op->result = (uint8_t)(1 + less(OCT_RESULT_COUNT - 1));
  op->dest = less(17);
  op->a = random_reg(3);
  op->b = below(4) ? OCT_REG_ZERO : less(16);
  op->b_form = below(2) ? 0 : less(256 - 1);
  op->width = less(3);
  if (below(2)) op->width |= OCT_EFFECT_SIGNED_RESULT;
}

static void make_operand(oct_effect_mem *mem) {
  mem->offset = random_word();
  mem->step = (int32_t)below(64) - 32;
  mem->base = less(16);
  mem->index = below(3) ? OCT_REG_ZERO : less(16);
  mem->form = OCT_MEM_VALID;
  if (below(2)) mem->form |= less(16);
}

/* An instruction with few of the parts that an operation may have. */
static void make_entry(oct_map_entry *e) {
  static const uint8_t classes[] = {OCT_CLASS_OTHER,       OCT_CLASS_OTHER,   OCT_CLASS_COND_BRANCH,
                                    OCT_CLASS_DIRECT_JUMP, OCT_CLASS_UNKNOWN, OCT_CLASS_RETURN};
  oct_effect *op = &e->op;
  memset(e, 0, sizeof *e);
  e->addr = 4 * below(256);
  e->size_bytes = 4;
  e->cls = classes[below(sizeof classes)];
  e->n_slots = less(3);
  for (unsigned s = 0; s < e->n_slots; s++) {
    e->slots[s] = less(4);
    if (below(2)) e->slots[s] |= OCT_SLOT_STORE;
  }
  if (!below(16)) e->flags = OCT_MAP_CONDITIONAL;
  if (!below(8)) return; /* not known */
  op->flags = OCT_EFFECT_KNOWN;
  op->dest = op->a = op->b = op->link = op->data[0] = op->data[1] = OCT_REG_NONE;
  op->set_flags = 15 << 4;
  op->width = 2;
  op->imm = random_word();
  if (below(2)) make_result(op);
  if (!below(3)) op->set_flags |= less(OCT_FLAGS_UNKNOWN + 1);
  if (!below(4)) op->clobbers = (uint32_t)below(1u << 16);
  if (!below(16)) op->list = (uint32_t)below(1u << 16);
  if (!below(16)) op->link = less(16);
  if (!below(16)) op->target = less(4);
  if (!below(8)) op->cond = (uint8_t)(less(4) << 4 | 3);
  for (unsigned i = 0; i < 2; i++) {
    if (e->n_slots) op->data[i] = random_reg(5);
    if (i < e->n_slots) make_operand(&op->mem[i]);
  }
}

/* Parts of a model that the other one has at another place. */
typedef struct model_parts {
  void *at[PARTS];
  size_t n_bytes[PARTS];
} model_parts;

static model_parts parts_of(const oct_shadow_model *m) {
  const oct_shadow_config *c = &m->cfg;
  return (model_parts){
      {m->banks, m->vc, m->stride, m->dfcm, m->by_pc, m->by_short, m->by_long, m->weights, m->path,
       m->targets, m->returns},
      {c->banks * sizeof *m->banks, (size_t)c->vc_sets * c->vc_ways * sizeof *m->vc,
       c->stride_entries * sizeof *m->stride, c->dfcm_entries * sizeof *m->dfcm,
       c->pc_entries * sizeof *m->by_pc, c->short_entries * sizeof *m->by_short,
       c->long_entries * sizeof *m->by_long, c->mix_sets * sizeof *m->weights,
       c->path_entries * sizeof *m->path, c->target_entries * sizeof *m->targets,
       c->return_entries * sizeof *m->returns}};
}

static void assert_same(const oct_shadow_model *a, const oct_shadow_model *b, const oct_encode *ca,
                        const oct_encode *cb, unsigned kind) {
  const model_parts pa = parts_of(a), pb = parts_of(b);
  const oct_shadow_regs *ra = &a->regs, *rb = &b->regs;
  const uint64_t lasting = (UINT64_C(1) << OCT_REG_COUNT) - 1;
  bool same = (ra->known & lasting) == (rb->known & lasting) && ra->has_origin == rb->has_origin &&
              ra->cond_known == rb->cond_known && ra->cond_val == rb->cond_val &&
              !memcmp(ra->conf, rb->conf, OCT_REG_COUNT);
  for (unsigned r = 0; r < OCT_REG_COUNT; r++) {
    if (ra->known >> r & 1) same = same && ra->val[r] == rb->val[r];
    if (ra->has_origin >> r & 1) same = same && ra->origin[r] == rb->origin[r];
  }
  for (unsigned i = 0; i < PARTS; i++) same = same && !memcmp(pa.at[i], pb.at[i], pa.n_bytes[i]);
  same = same && a->due.is_valid == b->due.is_valid && a->learnt.is_valid == b->learnt.is_valid;
  if (a->due.is_valid) same = same && a->due.addr == b->due.addr && a->due.val == b->due.val;
  if (a->learnt.is_valid)
    same = same && a->learnt.addr == b->learnt.addr && a->learnt.val == b->learnt.val;
  same = same && a->delayed.stage == b->delayed.stage && a->last_addr == b->last_addr &&
         !memcmp(&a->probs, &b->probs, sizeof a->probs);
  same = same && ca->low == cb->low && ca->range == cb->range && ca->n == cb->n &&
         ca->run == cb->run && ca->silent == cb->silent;
  if (!same) fail_msg("kind %u is carried out in another way than by its operation", kind);
}

static void kinds_are_as_any(void **unused) {
  oct_shadow_config cfg;
  oct_shadow_model a, b;
  oct_encode ca = {0}, cb = {0};
  oct_plans plans;
  unsigned reached[KINDS] = {0};
  const oct_tracer *t = oct_tracer_find("shadow");
  (void)unused;
  seed_random("test_plan");
  uint32_t params[OCT_TRACER_PARAMS_MAX];
  oct_tracer_defaults(t, params);
  cfg = oct_shadow_config_of(params);
  cfg.addr_bits = below(2) ? 32 : 64;
  assert_int_equal(oct_shadow_model_init(&a, &cfg), 0);
  assert_int_equal(oct_shadow_model_init(&b, &cfg), 0);
  assert_int_equal(oct_plans_init(&plans, a.mask, below(2)), 0);
  oct_encode_begin(&ca);
  oct_encode_begin(&cb);
  for (unsigned i = 0; i < TRIES; i++) {
    oct_map_entry entry;
    if (is_left_out()) continue;
    make_entry(&entry);
    int64_t id = oct_plans_put(&plans, &entry);
    assert_true(id >= 0);
    const oct_entry_plan *plan = &plans.of[id];
    const oct_map_entry *e = oct_map_entry_at(plans.map, (uint32_t)id);
    uint64_t addr[OCT_SLOTS_MAX], other[OCT_SLOTS_MAX];
    unsigned n = e->n_slots;
    for (unsigned s = 0; s < OCT_SLOTS_MAX; s++) addr[s] = random_word() & a.mask;
    memcpy(other, addr, sizeof other);
    oct_step_addrs addrs = {.of = addr, .room = OCT_SLOTS_MAX},
                   others = {.of = other, .room = OCT_SLOTS_MAX};
    reached[plan->kind]++;
    a.delayed.stage = b.delayed.stage = OCT_DELAY_NONE;
    if (!plan->has_data) {
      oct_step_planned(&a, plan, e);
      oct_step_plain(&b, e);
    } else if (plan->kind != OCT_PLAN_ANY) {
      oct_step_one(&a, &ca, plan, e, addr);
      oct_step_data(&b, &cb, plans.map, e, &others, &n, false);
    } else {
      unsigned as_many = n;
      oct_step_data(&a, &ca, plans.map, e, &addrs, &as_many, false);
      oct_step_data(&b, &cb, plans.map, e, &others, &n, false);
    }
    assert_same(&a, &b, &ca, &cb, plan->kind);
  }
  for (unsigned k = 0; k < KINDS; k++)
    if (reached[k] < TRIES / 2000 && !runs_share())
      fail_msg("kind %u came %u times only", k, reached[k]);
  oct_plans_free(&plans);
  oct_shadow_model_free(&a);
  oct_shadow_model_free(&b);
  free(ca.bytes);
  free(cb.bytes);
}

/* No decoder makes such a list, but a map may have one: words of accesses behind the slots are not
 * looked up, so the registers that they go to become unknown. */
static void lists_may_be_longer_than_slots(void **unused) {
  enum { LOADS = 20, FIRST_REG = 4 };
  oct_shadow_config cfg;
  oct_shadow_model m;
  oct_map_entry e = {.addr = 0x8000, .size_bytes = 4, .cls = OCT_CLASS_OTHER, .n_slots = LOADS};
  uint64_t addr[LOADS];
  (void)unused;
  uint32_t params[OCT_TRACER_PARAMS_MAX];
  oct_tracer_defaults(oct_tracer_find("shadow"), params);
  cfg = oct_shadow_config_of(params);
  cfg.regs = OCT_REG_COUNT;
  assert_int_equal(oct_shadow_model_init(&m, &cfg), 0);
  e.op = (oct_effect){.flags = OCT_EFFECT_KNOWN,
                      .width = 2,
                      .set_flags = 15 << 4,
                      .list = ((UINT32_C(1) << LOADS) - 1) << FIRST_REG};
  e.op.dest = e.op.a = e.op.b = e.op.link = e.op.data[0] = e.op.data[1] = OCT_REG_NONE;
  memset(e.slots, 2, sizeof e.slots);
  for (unsigned s = 0; s < LOADS; s++) {
    addr[s] = 0x1000 + 4 * s;
    oct_vc_write(&m, addr[s], 4, true, 100 + s);
    oct_sr_set(&m, FIRST_REG + s, true, 7);
  }
  oct_shadow_execute(&m, &e, addr, LOADS, OCT_DONE_YES);
  for (unsigned s = 0; s < LOADS; s++) {
    assert_int_equal(m.regs.known >> (FIRST_REG + s) & 1, s < OCT_SLOTS_MAX);
    if (s < OCT_SLOTS_MAX) assert_int_equal(m.regs.val[FIRST_REG + s], 100 + s);
  }
  oct_shadow_model_free(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(kinds_are_as_any),
                                     cmocka_unit_test(lists_may_be_longer_than_slots)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
