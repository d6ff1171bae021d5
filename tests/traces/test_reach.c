/* SPDX-License-Identifier: Apache-2.0 */
/* test_reach.c - do the random programs (random_program.h), on which every format and every codec
 * is tried, reach every rule of the formats? What a trace of them holds is counted, and a rule that
 * none reaches is a failure. */
#include <stdbool.h>

#include "random_program.h"

/* A rule, as a failure tells it. */
#define RULES(X)                                                         \
  X(STORM, "an instruction of 65535 accesses")                           \
  X(PAIRS, "load and store in turn beyond slot 16")                      \
  X(ODD_TAIL, "an odd number of accesses beyond 16")                     \
  X(OTHER_KIND, "an access of another kind than its slot's")             \
  X(FEWER, "fewer accesses than slots, and no flag that says so")        \
  X(MORE, "more accesses than slots")                                    \
  X(SHRINKS, "a count of accesses that shrinks where no entry tells it") \
  X(GROWS, "a count of accesses that grows where no entry tells it")     \
  X(LEARNED, "an instruction that no entry describes")                   \
  X(VARIABLE, "an entry with a variable number of accesses")             \
  X(CONDITIONAL, "an entry whose instruction may do nothing")            \
  X(NOT_DONE, "an instruction of such an entry that did nothing")        \
  X(SLOTS_OF_300, "an entry with more than 16 slots")                    \
  X(PC_RELATIVE, "a slot relative to the program counter")               \
  X(TARGET, "an entry with a target")                                    \
  X(OP_ALONE, "an operation without bytes")                              \
  X(CODE_WITHOUT_OP, "bytes that stand for no operation")                \
  X(NEITHER, "neither bytes nor operation")                              \
  X(MAP_CHANGES, "an entry that changes")                                \
  X(PASSES_32_BITS, "instructions in a row over address 2^32")           \
  X(WRAPS, "instructions in a row over the end of the address space")    \
  X(DATA_WRAPS_UP, "a data address that wraps upward")                   \
  X(DATA_WRAPS_DOWN, "a data address that wraps downward")               \
  X(LARGE_ADDRESS, "a data address of 64 bits")                          \
  X(TRAPS_AT_ONCE, "several traps at one place")                         \
  X(TRAP_BEHIND_ALL, "a trap behind the last instruction")               \
  X(TRAP_BEFORE_ALL, "a trap before the first instruction")              \
  X(LARGE_CAUSE, "a cause of 32 bits")                                   \
  X(TRAP_VALUE, "a trap value")                                          \
  X(NO_TRAP_VALUE, "an exception without a value")                       \
  X(TASK_CHANGES, "another task")                                        \
  X(LARGE_TASK, "a task of 32 bits")                                     \
  X(STAMPS_BEGIN, "stamps that begin")                                   \
  X(STAMPS_END, "stamps that end")                                       \
  X(STAMP_JUMPS, "a stamp more than 2^32 cycles later")                  \
  X(STAMP_STAYS, "two instructions in a cycle")                          \
  X(STAMP_GOES_BACK, "a stamp before that of another task")              \
  X(JUMPS, "a jump")                                                     \
  X(EMPTY_BATCH, "a batch without instructions")

#define AS_NAME(name, text) REACH_##name,
#define AS_TEXT(name, text) text,
enum { RULES(AS_NAME) REACH_COUNT };
static const char *const texts[] = {RULES(AS_TEXT)};

enum { PROGRAMS = 40, BATCHES = 60 };

/* How often each was reached: rules, and what has a number. */
static struct {
  uint64_t rules[REACH_COUNT];
  uint64_t accesses[PROGRAM_ACCESSES_MAX + 1];
  uint64_t kinds[16]; /* of accesses, as slots have them */
  uint64_t slots[OCT_SLOTS_MAX + 1];
  uint64_t sizes[16]; /* of instructions */
  uint64_t classes[OCT_CLASS_COUNT];
  uint64_t isas[OCT_ISA_COUNT]; /* of bytes that were decoded to an operation */
  uint64_t trap_kinds[OCT_TRAP_KINDS], privileges[OCT_PRIVILEGE_UNKNOWN + 1];
} reached;

/* What is known of a program so far. */
typedef struct follow {
  oct_map_entry told[PROGRAM_SITES];
  bool is_told[PROGRAM_SITES], has_run[PROGRAM_SITES];
  unsigned last_count[PROGRAM_SITES];
  uint64_t last_addr[PROGRAM_SITES][OCT_SLOTS_MAX];
  oct_insn before; /* size 0: none yet */
  bool was_stamped;
  uint64_t cycle;
  uint32_t stamp_task;
} follow;

static void reach(unsigned rule, bool is_so) {
  reached.rules[rule] += is_so;
}

static size_t site_at(const random_program *p, uint64_t addr) {
  for (size_t i = 0; i < PROGRAM_SITES; i++)
    if (p->sites[i].entry.addr == addr) return i;
  fail_msg("an instruction that the program does not have");
  return 0;
}

static void count_entry(const random_program *p, follow *f, const oct_map_entry *e) {
  static const oct_effect none;
  size_t i = site_at(p, e->addr);
  bool has_op = memcmp(&e->op, &none, sizeof none) != 0;
  reach(REACH_MAP_CHANGES, f->is_told[i] && memcmp(&f->told[i], e, sizeof *e));
  reach(REACH_VARIABLE, e->flags & OCT_MAP_VARIABLE);
  reach(REACH_CONDITIONAL, e->flags & OCT_MAP_CONDITIONAL);
  reach(REACH_SLOTS_OF_300, e->n_slots > OCT_SLOTS_MAX);
  reach(REACH_TARGET, e->target != 0);
  reach(REACH_OP_ALONE, has_op && !e->code_isa);
  reach(REACH_CODE_WITHOUT_OP, !has_op && e->code_isa);
  reach(REACH_NEITHER, !has_op && !e->code_isa);
  for (unsigned k = 0; k < OCT_SLOTS_MAX; k++)
    reach(REACH_PC_RELATIVE, e->slots[k] & OCT_SLOT_PC_RELATIVE);
  if (has_op && e->code_isa) reached.isas[e->code_isa - 1]++;
  reached.classes[e->cls]++;
  f->told[i] = *e;
  f->is_told[i] = true;
}

static unsigned kind_of(const oct_access *a) {
  unsigned log2_size = 0;
  while (a->size_bytes && 1u << log2_size < a->size_bytes) log2_size++;
  if (!a->size_bytes) log2_size = OCT_SLOT_SIZE_UNKNOWN;
  return log2_size | (a->is_store ? OCT_SLOT_STORE : 0);
}

static bool is_near(uint64_t from, uint64_t to) {
  return to - from < UINT64_C(1) << 32;
}

static void count_accesses(follow *f, size_t i, const oct_insn *insn, const oct_access *a) {
  const oct_map_entry *e = f->is_told[i] ? &f->told[i] : NULL;
  bool may_differ = e && (e->flags & (OCT_MAP_VARIABLE | OCT_MAP_CONDITIONAL));
  unsigned n = insn->n_access, mixed = 0, turns = 0;
  if (n <= PROGRAM_ACCESSES_MAX) reached.accesses[n]++;
  reach(REACH_STORM, n == UINT16_MAX);
  reach(REACH_ODD_TAIL, n > OCT_SLOTS_MAX && n % 2);
  reach(REACH_FEWER, e && !may_differ && n < e->n_slots);
  reach(REACH_MORE, e && n > e->n_slots);
  reach(REACH_NOT_DONE, e && (e->flags & OCT_MAP_CONDITIONAL) && !n);
  reach(REACH_LEARNED, !e);
  reach(REACH_SHRINKS, !e && f->has_run[i] && n < f->last_count[i]);
  reach(REACH_GROWS, !e && f->has_run[i] && n > f->last_count[i]);
  for (unsigned k = 0; k < n; k++) {
    unsigned slot = oct_access_slot(k), kind = kind_of(&a[k]);
    uint64_t last = f->last_addr[i][slot];
    reached.kinds[kind]++;
    reached.slots[slot]++;
    mixed += e && slot < e->n_slots && kind != (e->slots[slot] & 15u);
    if (k >= OCT_SLOTS_MAX) turns += a[k].is_store != a[k - 1].is_store;
    reach(REACH_LARGE_ADDRESS, a[k].addr >> 63);
    reach(REACH_DATA_WRAPS_UP, f->has_run[i] && a[k].addr < last && is_near(last, a[k].addr));
    reach(REACH_DATA_WRAPS_DOWN, f->has_run[i] && a[k].addr > last && is_near(a[k].addr, last));
    f->last_addr[i][slot] = a[k].addr;
  }
  reach(REACH_OTHER_KIND, mixed);
  reach(REACH_PAIRS, n > 2 * OCT_SLOTS_MAX && turns == n - OCT_SLOTS_MAX);
  f->has_run[i] = true;
  f->last_count[i] = n;
}

static void count_stamp(follow *f, const oct_insn *insn) {
  bool is_stamped = insn->flags & OCT_INSN_HAS_CYCLE;
  reach(REACH_STAMPS_BEGIN, is_stamped && !f->was_stamped);
  reach(REACH_STAMPS_END, !is_stamped && f->was_stamped);
  if (is_stamped && f->was_stamped) {
    bool is_earlier = insn->cycle < f->cycle;
    if (is_earlier && insn->task == f->stamp_task) fail_msg("a stamp goes back within a task");
    reach(REACH_STAMP_GOES_BACK, is_earlier);
    reach(REACH_STAMP_JUMPS, !is_earlier && !is_near(f->cycle, insn->cycle));
    reach(REACH_STAMP_STAYS, insn->cycle == f->cycle);
  }
  f->was_stamped = is_stamped;
  f->cycle = insn->cycle;
  f->stamp_task = insn->task;
}

static void count_insn(const random_program *p, follow *f, const oct_insn *insn,
                       const oct_access *a) {
  uint64_t end = f->before.addr + f->before.size_bytes;
  bool follows = f->before.size_bytes && insn->addr == end;
  reached.sizes[insn->size_bytes]++;
  reach(REACH_JUMPS, f->before.size_bytes && !follows);
  reach(REACH_WRAPS, follows && end < f->before.addr);
  reach(REACH_PASSES_32_BITS, follows && f->before.addr >> 32 == 0 && end >> 32 == 1);
  reach(REACH_TASK_CHANGES, f->before.size_bytes && insn->task != f->before.task);
  reach(REACH_LARGE_TASK, insn->task >> 31);
  count_accesses(f, site_at(p, insn->addr), insn, a);
  count_stamp(f, insn);
  f->before = *insn;
}

static void count_traps(const trace *t) {
  for (size_t i = 0; i < t->n_traps; i++) {
    const oct_trap *x = &t->traps[i];
    reached.trap_kinds[x->kind]++;
    reached.privileges[x->privilege]++;
    reach(REACH_TRAPS_AT_ONCE, i && x->insn == t->traps[i - 1].insn);
    reach(REACH_TRAP_BEHIND_ALL, x->insn == t->n_insns);
    reach(REACH_TRAP_BEFORE_ALL, !x->insn && t->n_insns);
    reach(REACH_LARGE_CAUSE, x->cause >> 31);
    reach(REACH_TRAP_VALUE, x->tval != 0);
    reach(REACH_NO_TRAP_VALUE, x->kind == OCT_TRAP_EXCEPTION && !x->tval);
  }
}

static void count_program(uint32_t align_bytes) {
  static random_program p;
  follow *f = calloc(1, sizeof *f);
  assert_non_null(f);
  random_program_init(&p, align_bytes);
  for (unsigned n = 0; n < BATCHES; n++) {
    if (n + 2 == BATCHES) random_program_storm(&p);
    trace t = random_program_run(&p, below(400) * (below(50) != 0));
    const oct_access *a = t.accesses;
    reach(REACH_EMPTY_BATCH, !t.n_insns);
    for (size_t i = 0; i < t.n_map; i++) count_entry(&p, f, &t.map[i]);
    for (size_t i = 0; i < t.n_insns; i++) {
      count_insn(&p, f, &t.insns[i], a);
      if (t.insns[i].n_access) a += t.insns[i].n_access;
    }
    count_traps(&t);
    trace_free(&t);
  }
  free(f);
}

/* Each of n is reached, but for number `but`. */
static void assert_each(const char *what, const uint64_t *counts, unsigned first, unsigned n,
                        unsigned but) {
  for (unsigned i = first; i < n; i++)
    if (!counts[i] && i != but) fail_msg("random programs never reach %s %u", what, i);
}

static void test_reach(void **state) {
  enum { NONE = -1 };
  (void)state;
  seed_random("what random programs reach");
  for (unsigned i = 0; i < PROGRAMS; i++)
    if (!is_left_out()) count_program(1u << i % 4);
  if (runs_share()) return;
  for (unsigned i = 0; i < REACH_COUNT; i++)
    if (!reached.rules[i]) fail_msg("random programs never reach %s", texts[i]);
  assert_each("a number of accesses of", reached.accesses, 0, PROGRAM_ACCESSES_MAX + 1, NONE);
  assert_each("an access of kind", reached.kinds, 0, 16, NONE);
  assert_each("an access of slot", reached.slots, 0, OCT_SLOTS_MAX, NONE);
  assert_each("an instruction of size", reached.sizes, 1, 16, NONE);
  assert_each("an entry of class", reached.classes, 0, OCT_CLASS_COUNT, NONE);
  assert_each("a trap of kind", reached.trap_kinds, 0, OCT_TRAP_KINDS, NONE);
  assert_each("a privilege of", reached.privileges, 0, OCT_PRIVILEGE_UNKNOWN + 1, NONE);
  /* Bytes of Thumb would need a state that goes on from instruction to instruction. */
  assert_each("decoded bytes of instruction set", reached.isas, 0, OCT_ISA_COUNT, OCT_ISA_THUMB);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_reach)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
