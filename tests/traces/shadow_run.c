/* SPDX-License-Identifier: Apache-2.0 */
/* shadow_run.c - the shadow of shadow_run.h. */
#include "shadow_run.h"

#include "shadow_eval.h"
#include "shadow_state.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TASKS_MAX = 64 };

struct shadow_run {
  claims count[CLAIM_KINDS];
  unsigned trace_wrong;
  memory memory;
  task *tasks;
};

static const char *const kinds[CLAIM_KINDS] = {
    "absolute",          "base + offset", "base + index", "further accesses",   "branch by flags",
    "branch by compare", "branch by bit", "predicate",    "target in register", "target loaded"};

const char *shadow_run_kind(claim_kind kind) {
  return kinds[kind];
}

shadow_run *shadow_run_new(int is_big, unsigned trace_wrong) {
  shadow_run *run = calloc(1, sizeof *run);
  if (!run) return NULL;
  run->trace_wrong = trace_wrong;
  run->memory.is_big = is_big;
  run->memory.granules = calloc((size_t)1 << MEMORY_LOG2, sizeof *run->memory.granules);
  run->tasks = calloc(TASKS_MAX, sizeof *run->tasks);
  if (run->memory.granules && run->tasks) return run;
  shadow_run_free(run);
  return NULL;
}

void shadow_run_free(shadow_run *run) {
  if (!run) return;
  free(run->memory.granules);
  free(run->tasks);
  free(run);
}

const claims *shadow_run_claims(const shadow_run *run) {
  return run->count;
}

/* ---- Registers ---- */

/* A register whose value the trace has shown. */
static void learn(shadow_run *run, task *t, unsigned reg, uint64_t value, uint64_t pc) {
  if (reg >= OCT_REG_COUNT) return;
  if (t->origin_bytes[reg])
    memory_put(&run->memory, t->origin[reg], t->origin_bytes[reg], 1, value);
  set(t, reg, 1, value, pc);
}

/* ---- Claims ---- */

static int judge(shadow_run *run, claim_kind kind, int is_right, uint64_t pc, uint64_t claimed,
                 uint64_t seen, uint64_t maker) {
  if (is_right) {
    run->count[kind].right++;
    return 1;
  }
  run->count[kind].wrong++;
  if (run->trace_wrong) {
    run->trace_wrong--;
    printf("  0x%" PRIx64 " %s: claimed 0x%" PRIx64 ", was 0x%" PRIx64 ", made at 0x%" PRIx64 "\n",
           pc, kinds[kind], claimed, seen, maker);
  }
  return 0;
}

/* Instructions that tell nothing of what comes next leave the shadow behind. */
static void forget_task(task *t) {
  t->known = 0;
  t->flags = 0;
  memset(t->origin_bytes, 0, sizeof t->origin_bytes);
}

/* The instruction at addr comes next: judge what was claimed of it. */
static void arrive(shadow_run *run, task *t, uint64_t addr) {
  pending *w = &t->wait;
  if (t->is_delayed) { /* the instruction behind a jump has retired: now the jump is made */
    w = &t->delayed;
    t->is_delayed = 0;
  } else if (!t->waits) {
    return;
  } else if (w->delay && !(w->is_likely && addr == w->next)) {
    t->waits = 0;
    t->delayed = *w;
    t->is_delayed = addr == w->after;
    if (!t->is_delayed) forget_task(t);
    return;
  }
  t->waits = 0;
  int is_taken = w->is_branch ? addr == w->taken : addr != w->next;
  if (w->is_branch && addr != w->taken && addr != w->next) { /* an interrupt */
    forget_task(t);
    return;
  }
  if (w->kind >= 0 && w->is_branch) {
    if (w->direction < 0)
      run->count[w->kind].open++;
    else if (w->taken != w->next)
      judge(run, (claim_kind)w->kind, w->direction == is_taken, w->pc, (uint64_t)w->direction,
            (uint64_t)is_taken, t->flags_maker);
  } else if (w->kind >= 0 && is_taken) {
    if (!w->is_known)
      run->count[w->kind].open++;
    else
      judge(run, (claim_kind)w->kind, w->target == addr, w->pc, w->target, addr, 0);
  } else if (w->kind < 0 && !w->is_branch && addr != w->next && addr != w->pc) {
    forget_task(t);
  }
  if (w->link >= 0 && is_taken) set(t, (unsigned)w->link, 1, w->link_value, w->pc);
}

/* ---- A step ---- */

typedef struct operands {
  int is_known; /* a and b are */
  uint64_t a, b, result;
  int result_known;
} operands;

static int condition(const task *t, const oct_effect *op) {
  uint64_t a, b;
  switch (op->cond & OCT_COND_OF) {
    case OCT_COND_ALWAYS:
      return 1;
    case OCT_COND_FLAGS:
      return oct_shadow_flags_hold(op->cond & OCT_COND_WHICH, t->flags);
    case OCT_COND_REGS:
      return get(t, op->cond_a, &a) && get(t, op->cond_b, &b) ? oct_shadow_regs_hold(op, a, b) : -1;
    case OCT_COND_BIT:
      return get(t, op->cond_a, &a) ? oct_shadow_regs_hold(op, a, 0) : -1;
    default:
      return -1;
  }
}

static int claim_of(const oct_effect *op) {
  switch (op->cond & OCT_COND_OF) {
    case OCT_COND_REGS:
      return CLAIM_COMPARE;
    case OCT_COND_BIT:
      return CLAIM_BIT;
    default:
      return CLAIM_FLAGS;
  }
}

typedef struct step {
  shadow_run *run;
  task *t;
  const oct_insn *insn;
  const oct_access *access;
  const oct_map_entry *entry;
  const oct_effect *op;
  uint64_t addr[2], back[2];
  int addr_known[2], back_known[2];
} step;

/* The address of memory operand i, what its access shows, and its base's new value. */
static void operand(step *s, int i, unsigned first, unsigned n) {
  const oct_effect_mem *m = &s->op->mem[i];
  uint64_t base, index, back;
  int base_known = get(s->t, m->base, &base), index_known = get(s->t, m->index, &index);
  int is_post = (m->form & OCT_MEM_BACK) == OCT_MEM_BACK_INDEX;
  unsigned bits = oct_shadow_reg_bits(s->op);
  s->addr_known[i] = s->back_known[i] = 0;
  if (!(m->form & OCT_MEM_VALID)) return;
  uint64_t addr = oct_shadow_eval_address(s->op, m, base, index, &back);
  s->addr_known[i] = base_known && (index_known || is_post);
  claim_kind kind = m->index != OCT_REG_ZERO && !is_post ? CLAIM_INDEX
                    : m->base == OCT_REG_ZERO            ? CLAIM_ABSOLUTE
                                                         : CLAIM_BASE;
  if (n) {
    uint64_t seen = s->access[first].addr;
    if (s->addr_known[i])
      judge(s->run, kind, addr == seen, s->insn->addr, addr, seen,
            s->t->maker[m->base < OCT_REG_COUNT ? m->base : 0]);
    else
      s->run->count[kind].open++;
    if ((index_known || is_post) && m->base < OCT_REG_COUNT && (!base_known || addr != seen)) {
      base = (base + seen - addr) & oct_shadow_ones(bits);
      learn(s->run, s->t, m->base, base, s->insn->addr);
      base_known = 1;
    }
    addr = oct_shadow_eval_address(s->op, m, base, index, &back);
    s->addr_known[i] = 1;
    addr = seen;
    if ((m->form & OCT_MEM_BACK) == OCT_MEM_BACK_ADDRESS) back = seen;
  }
  s->addr[i] = addr;
  s->back[i] = back;
  s->back_known[i] = (m->form & OCT_MEM_BACK) == OCT_MEM_BACK_ADDRESS ? s->addr_known[i]
                     : is_post                                        ? base_known && index_known
                                                                      : base_known;
  for (unsigned k = first + 1; k < first + n; k++) {
    uint64_t claim =
        s->access[k - 1].addr + (m->form & OCT_MEM_SAME ? 0 : s->access[k - 1].size_bytes);
    claim &= oct_shadow_ones(bits);
    judge(s->run, CLAIM_FURTHER, claim == s->access[k].addr, s->insn->addr, claim,
          s->access[k].addr, 0);
  }
}

/* The register of access k, or another source of what is stored. */
static unsigned data_of(const oct_effect *op, unsigned k) {
  uint32_t list = op->list;
  if (!list) return k < 2 ? op->data[k] : OCT_REG_NONE;
  while (k-- && list) list &= list - 1;
  return list ? (unsigned)__builtin_ctz(list) : OCT_REG_NONE;
}

static uint64_t link_value(const step *s) {
  const oct_map_entry *e = s->entry;
  uint64_t v = e->addr + e->size_bytes;
  if (s->op->flags & OCT_EFFECT_DELAYED) v += 4;
  if (s->op->flags & OCT_EFFECT_LINK_ODD) v |= 1;
  return v;
}

static int source(const step *s, unsigned reg, const operands *o, uint64_t *v) {
  if (reg == OCT_REG_LINK) {
    *v = link_value(s);
    return 1;
  }
  if (reg == OCT_REG_RESULT) {
    *v = o->result;
    return o->result_known;
  }
  if (reg == OCT_REG_ZERO) {
    *v = s->op->imm;
    return 1;
  }
  return get(s->t, reg, v);
}

/* The operands and the result; loaded is the word of access 0. */
static operands compute(const step *s, int cond, int loaded_known, uint64_t loaded) {
  const oct_effect *op = s->op;
  operands o = {0};
  uint64_t a = 0, b = 0;
  int a_known = op->a == OCT_REG_LOADED ? loaded_known : get(s->t, op->a, &a);
  int b_known = op->b == OCT_REG_LOADED ? loaded_known : get(s->t, op->b, &b);
  if (op->a == OCT_REG_LOADED) a = loaded;
  if (op->b == OCT_REG_LOADED) b = loaded;
  if (op->result == OCT_RESULT_ADDRESS) {
    o.result = s->addr[0];
    o.result_known = s->addr_known[0];
  } else if (op->result == OCT_RESULT_SELECT) {
    o.result_known = cond == 1 ? a_known : cond == 0 && b_known;
    o.result = (cond == 1 ? a : b) & oct_shadow_ones(oct_shadow_bits(op));
  } else if (op->result && a_known && b_known) {
    o.a = a;
    o.b = oct_shadow_b(op, b);
    o.is_known = o.result_known = oct_shadow_eval_result(op, a, o.b, &o.result);
  }
  return o;
}

/* Note what the next instruction is to say. */
static void await(step *s, int cond, const operands *o, const uint64_t *word,
                  const int *word_known) {
  const oct_effect *op = s->op;
  const oct_map_entry *e = s->entry;
  pending *w = &s->t->wait;
  *w = (pending){.kind = -1, .link = -1, .pc = e->addr, .direction = cond};
  w->after = w->next = e->addr + e->size_bytes;
  w->taken = e->target;
  w->delay = (op->flags & OCT_EFFECT_DELAYED) != 0;
  w->is_likely = (op->flags & OCT_EFFECT_LIKELY) != 0;
  if (w->delay) w->next += 4;
  s->t->waits = 1;
  unsigned kind = op->target & 15, from = op->target >> 4;
  if (kind) {
    w->kind = kind == OCT_TARGET_LOADED ? CLAIM_LOADED : CLAIM_RESULT;
    w->is_known = kind == OCT_TARGET_RESULT   ? o->result_known
                  : kind == OCT_TARGET_LOADED ? from < 16 && word_known[from]
                                              : 0;
    w->target = kind == OCT_TARGET_RESULT ? o->result : word[from];
    if (op->flags & OCT_EFFECT_EVEN_TARGET) w->target &= ~UINT64_C(1);
    w->target &= oct_shadow_ones(oct_shadow_reg_bits(op));
  } else if (e->cls >= OCT_CLASS_COND_BRANCH && e->cls <= OCT_CLASS_DIRECT_CALL) {
    w->is_branch = 1;
    if ((op->cond & OCT_COND_OF) != OCT_COND_ALWAYS) w->kind = claim_of(op);
  }
  if (op->link < OCT_REG_COUNT) {
    w->link_value = link_value(s);
    if (w->delay)
      set(s->t, op->link, 1, w->link_value, e->addr);
    else
      w->link = op->link;
  }
}

static void execute(step *s, int cond) {
  const oct_effect *op = s->op;
  task *t = s->t;
  unsigned n = s->insn->n_access, first = oct_effect_n_first(op);
  uint64_t word[16] = {0}, loaded = 0;
  int word_known[16] = {0};
  if (first > n) first = n;
  operand(s, 0, 0, first);
  operand(s, 1, first, n - first);
  for (unsigned k = 0; k < n; k++)
    if (!s->access[k].is_store && k < 16)
      word_known[k] =
          memory_get(&s->run->memory, s->access[k].addr, s->access[k].size_bytes, &word[k]);
  if (n) loaded = oct_shadow_loaded(op, word[0], s->access[0].size_bytes);
  operands o = compute(s, cond, word_known[0], loaded);
  for (unsigned k = 0; k < n; k++) {
    const oct_access *a = &s->access[k];
    uint64_t v;
    if (!a->is_store) continue;
    int is_known = source(s, data_of(op, k), &o, &v);
    if (data_of(op, k) == OCT_REG_LOADED) {
      is_known = word_known[0];
      v = loaded;
    }
    forget_origins(t, a->addr, a->size_bytes ? a->size_bytes : 8);
    memory_put(&s->run->memory, a->addr, a->size_bytes ? a->size_bytes : 8,
               is_known && a->size_bytes && !(s->entry->op.flags == 0), v);
  }
  await(s, cond, &o, word, word_known);
  for (unsigned r = 0; r < OCT_REG_COUNT; r++)
    if (op->clobbers >> r & 1) set(t, r, 0, 0, s->insn->addr);
  for (int i = 0; i < 2; i++)
    if ((op->mem[i].form & OCT_MEM_VALID) && (op->mem[i].form & OCT_MEM_BACK))
      set(t, op->mem[i].base, s->back_known[i], s->back[i], s->insn->addr);
  if (op->result && op->dest < OCT_REG_COUNT)
    set(t, op->dest, o.result_known,
        op->result == OCT_RESULT_ADDRESS ? o.result & oct_shadow_ones(oct_shadow_bits(op))
                                         : oct_shadow_widened(op, o.result),
        s->insn->addr);
  if (op->set_flags & 15) {
    t->flags = oct_shadow_new_flags(op, t->flags, o.is_known, o.a, o.b, o.result);
    t->flags_maker = s->insn->addr;
  }
  for (unsigned k = 0; k < n && k < 16; k++) {
    const oct_access *a = &s->access[k];
    unsigned reg = data_of(op, k);
    if (a->is_store || reg >= OCT_REG_COUNT) continue;
    set(t, reg, word_known[k], oct_shadow_loaded(op, word[k], a->size_bytes), s->insn->addr);
    if (!word_known[k] && 8u * a->size_bytes <= oct_shadow_reg_bits(op)) {
      t->origin[reg] = a->addr;
      t->origin_bytes[reg] = a->size_bytes;
    }
  }
}

/* A predicated instruction of which it is not known whether it was executed. */
static void execute_perhaps(step *s) {
  const oct_effect *op = s->op;
  operands nothing = {0};
  uint64_t word[16] = {0};
  int word_known[16] = {0};
  uint32_t changed = op->clobbers | op->list;
  for (int i = 0; i < 2; i++) {
    if (op->data[i] < OCT_REG_COUNT) changed |= UINT32_C(1) << op->data[i];
    if ((op->mem[i].form & OCT_MEM_BACK) && op->mem[i].base < OCT_REG_COUNT)
      changed |= UINT32_C(1) << op->mem[i].base;
  }
  if (op->dest < OCT_REG_COUNT) changed |= UINT32_C(1) << op->dest;
  if (op->link < OCT_REG_COUNT) changed |= UINT32_C(1) << op->link;
  if (op->target & 15) { /* a register that is known may still say where it goes */
    if ((op->target & 15) == OCT_TARGET_RESULT) nothing = compute(s, -1, 0, 0);
  }
  await(s, -1, &nothing, word, word_known);
  for (unsigned r = 0; r < OCT_REG_COUNT; r++)
    if (changed >> r & 1) set(s->t, r, 0, 0, s->insn->addr);
  s->t->flags = oct_shadow_new_flags(op, s->t->flags, 0, 0, 0, 0);
}

void shadow_run_step(shadow_run *run, const oct_insn *insn, const oct_access *access,
                     const oct_map_entry *entry) {
  task *t = &run->tasks[insn->task % TASKS_MAX];
  step s = {run, t, insn, access, entry, &entry->op, {0, 0}, {0, 0}, {0, 0}, {0, 0}};
  const oct_effect *op = s.op;
  arrive(run, t, insn->addr);
  if (!(op->flags & OCT_EFFECT_KNOWN)) {
    forget_task(t);
    forget_memory(&run->memory); /* the kernel's helpers write without saying so */
    t->waits = 0;
    return;
  }
  int cond = condition(t, op), is_branch = entry->cls == OCT_CLASS_COND_BRANCH;
  int is_predicated = (op->cond & OCT_COND_OF) && !is_branch && op->result != OCT_RESULT_SELECT;
  if (is_predicated && (entry->n_slots || insn->n_access)) {
    if (cond < 0)
      run->count[CLAIM_PREDICATE].open++;
    else
      judge(run, CLAIM_PREDICATE, cond == (insn->n_access != 0), insn->addr, (uint64_t)cond,
            insn->n_access != 0, t->flags_maker);
    cond = insn->n_access != 0;
  }
  if (is_predicated && cond == 0) {
    t->wait = (pending){.kind = -1, .link = -1, .pc = insn->addr};
    t->wait.after = t->wait.next = insn->addr + insn->size_bytes;
    t->waits = 1;
  } else if (is_predicated && cond < 0) {
    execute_perhaps(&s);
  } else {
    execute(&s, cond);
  }
  if (op->flags & OCT_EFFECT_SYSTEM) forget_memory(&run->memory);
}
