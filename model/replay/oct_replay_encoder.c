/* SPDX-License-Identifier: Apache-2.0 */
/* oct_replay_encoder.c - the encoder of the tracer `replay`, without time (docs/replay-format.md).
 *
 * It runs the emulator that the decoder runs, instruction by instruction beside the trace. In front
 * of an instruction it sends whatever execution cannot know: that another one comes, what somebody
 * else wrote, another value of a register. While the instruction is executed, each load of bytes
 * that the filter does not know sends its value. Behind it, what it did is compared with the trace;
 * a difference is sent as a correction. Where corrections come often, and where registers are not
 * known, instructions are told until the trace tells all registers again. */
#include "oct_replay_encoder.h"

#include "oct_crc.h"
#include "oct_core.h"
#include "oct_encoder_base.h"
#include "oct_isa_outside.h"
#include "oct_replay_codes.h"
#include "oct_replay_core.h"
#include "oct_replay_format.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* What the instruction under way did. */
typedef struct made {
  uint64_t addr, value;
  uint8_t size_bytes, is_store;
} made;

/* A correction adds DOUBT, an instruction without takes 1 away; above DOUBT_MAX execution ends. */
enum { DOUBT = 64, DOUBT_MAX = 512 };

typedef struct encoder {
  oct_encoder_base base;
  oct_rp_core core;
  oct_rp_codes codes;
  oct_buffer period; /* bytes of the coder */
  oct_rp_counts counts;
  bool has_begun;        /* a period is under way */
  uint32_t crc;          /* of the bytes since its mark, that one included */
  unsigned n_ones;       /* bytes of ones that were written last */
  uint64_t from;         /* instruction number of the last event or mark */
  uint64_t sync_at;      /* that from which on a sync is due */
  uint64_t pc;           /* where the program goes on, as the decoder sees it */
  uint64_t settled_bits; /* coded_bits at the end of the last period */
  unsigned doubt;
  bool was_executed; /* the instruction before */
  bool owes_changes; /* registers that the instruction at told_pc changed are to follow */
  uint64_t told_pc;
  uint8_t privilege;
  /* During a put: */
  const oct_tracer_input *in;
  size_t i, n_access; /* instruction under way, and the accesses before it */
  size_t trap, fact;  /* the next ones */
  const oct_map_entry *entry;
  uint32_t id;
  size_t stop_at; /* the instruction in front of which a trap, a fact, a sync or code is next */
  /* In the emulator: */
  bool is_prepared; /* the next instruction is i, and all before it was sent */
  bool has_current; /* i is being executed */
  bool differs;
  made *made;
  size_t n_made, room_made;
} encoder;

static int insn_hook(void *context, uint64_t addr);
static void load_hook(void *context, uint64_t addr, unsigned size_bytes);
static void store_hook(void *context, uint64_t addr, unsigned size_bytes, uint64_t value);

static int init(void *context, const uint32_t *params, oct_diag *diag) {
  encoder *e = context;
  const oct_emulator_hooks hooks = {e, insn_hook, load_hook, store_hook};
  int rc = oct_rp_core_init(&e->core, params, false, &hooks);
  oct_rp_codes_init(&e->codes);
  e->core.coder.out = &e->period;
  e->id = OCT_WALK_NONE;
  e->privilege = OCT_PRIVILEGE_UNKNOWN;
  return rc ? oct_fail(diag, rc, "out of memory") : 0;
}

int oct_rp_encoder_create(const oct_tracer *tracer, const uint32_t *params,
                          const oct_run_options *run, void **e, oct_diag *diag) {
  return oct_encoder_base_create(tracer, sizeof(encoder), init, params, run, e, diag);
}

void oct_rp_encoder_destroy(void *context) {
  encoder *e = context;
  if (e) {
    oct_rp_core_free(&e->core);
    oct_buffer_free(&e->period);
    free(e->codes.codes);
    free(e->made);
  }
  oct_encoder_base_destroy(e);
}

const oct_rp_counts *oct_rp_encoder_counts(const void *e) {
  return &((const encoder *)e)->counts;
}

static uint64_t number(const encoder *e) {
  return e->base.insn;
}

/* ---- Bytes ---- */

/* A byte of the stream; two bytes of ones are followed by a zero. */
static void put_byte(encoder *e, uint8_t byte, uint64_t *bits) {
  const uint8_t bytes[2] = {byte, 0};
  e->n_ones = byte == 0xff ? e->n_ones + 1 : 0;
  const size_t n = e->n_ones == OCT_RP_ONES ? 2 : 1;
  if (n == 2) e->n_ones = 0;
  oct_buffer_put(&e->base.out, bytes, n);
  e->crc = oct_crc_bytes(16, e->crc, bytes, n);
  *bits += 8;
  if (n == 2) e->counts.overhead_bits += 8;
}

static void put_number(encoder *e, uint64_t v) {
  uint8_t bytes[OCT_LEB128_MAX];
  const uint8_t *end = oct_leb128_put(bytes, v);
  for (const uint8_t *p = bytes; p < end; p++) put_byte(e, *p, &e->counts.mark_bits);
}

/* A mark, which begins a period. Its check is of the period before, and of itself. */
static void put_mark(encoder *e, uint8_t kind, uint32_t task) {
  uint8_t mark[OCT_RP_ONES + 1] = {[0 ... OCT_RP_ONES - 1] = 0xff, kind};
  oct_buffer_put(&e->base.out, mark, sizeof mark);
  uint32_t before = oct_crc_bytes(16, e->crc, mark, sizeof mark);
  e->crc = oct_crc_bytes(16, 0, mark, sizeof mark);
  e->counts.mark_bits += 8 * sizeof mark;
  e->n_ones = 0;
  const size_t fields = e->base.out.n_bytes;
  put_number(e, number(e));
  if (kind == OCT_RP_SYNC) put_number(e, task);
  if (kind == OCT_RP_SYNC && e->core.cfg.traps) put_byte(e, e->privilege, &e->counts.mark_bits);
  before = oct_crc_bytes(16, before, e->base.out.bytes + fields, e->base.out.n_bytes - fields);
  for (int i = 0; i < OCT_RP_CHECK_BYTES; i++)
    put_byte(e, (uint8_t)(before >> 8 * i), &e->counts.mark_bits);
  e->n_ones = 0;
  e->counts.packets++;
  e->counts.syncs += kind == OCT_RP_SYNC;
  e->from = number(e);
  e->has_begun = true;
  oct_rp_coder_begin(&e->core.coder);
}

/* ---- Items ---- */

static void account(encoder *e, uint64_t *bits) {
  e->core.coder.bits = bits;
}

static void put_item(encoder *e, unsigned is_event) {
  oct_rp_bit(&e->core.coder, &e->core.probs.is_event, is_event);
}

static void put_event(encoder *e, oct_rp_event kind) {
  oct_rp_coder *rc = &e->core.coder;
  account(e, &e->counts.event_bits);
  put_item(e, 1);
  oct_rp_tree(rc, e->core.probs.event, kind, OCT_RP_EVENT_BITS);
  if (kind == OCT_RP_END) return;
  oct_rp_code_number(rc, &e->core.probs.other, number(e) - e->from);
  e->from = number(e);
}

/* Bits in all categories of what the coder sends. */
static uint64_t coded_bits(const encoder *e) {
  const oct_rp_counts *c = &e->counts;
  return c->register_bits + c->event_bits + c->told_bits + c->value_bits;
}

/* Bits were counted as the coder's interval shrank. Those of its last bytes belong to none, and
 * those of the zeros that it leaves out are taken back. */
static void settle_bits(encoder *e) {
  oct_rp_counts *c = &e->counts;
  uint64_t *const parts[] = {&c->event_bits, &c->value_bits, &c->told_bits, &c->register_bits};
  uint64_t counted = coded_bits(e) - e->settled_bits, sent = 8 * (uint64_t)e->period.n_bytes;
  if (sent > counted) c->overhead_bits += sent - counted;
  for (size_t i = 0; i < 4 && counted > sent; i++) {
    const uint64_t excess = counted - sent, part = *parts[i] < excess ? *parts[i] : excess;
    *parts[i] -= part;
    counted -= part;
  }
  e->settled_bits = coded_bits(e);
}

static void end_period(encoder *e) {
  const uint8_t zero = 0;
  uint64_t settled = 0;
  put_event(e, OCT_RP_END);
  oct_rp_coder_end(&e->core.coder);
  /* The mark behind it begins with ones. */
  if (e->period.n_bytes && e->period.bytes[e->period.n_bytes - 1] == 0xff)
    oct_buffer_put(&e->period, &zero, 1);
  for (size_t i = 0; i < e->period.n_bytes; i++) put_byte(e, e->period.bytes[i], &settled);
  settle_bits(e);
  e->period.n_bytes = 0;
}

/* The state returns to its beginning; a decoder may begin here. */
static void begin_sync(encoder *e, const oct_insn *insn) {
  oct_rp_core *c = &e->core;
  if (e->has_begun) end_period(e);
  put_mark(e, OCT_RP_SYNC, insn->task);
  oct_rp_core_reset(c);
  account(e, &e->counts.register_bits);
  oct_rp_raw(&c->coder, oct_rp_executes(c), 1);
  oct_rp_code_number(&c->coder, &c->probs.other, insn->addr);
  e->pc = insn->addr;
  if (oct_rp_executes(c)) oct_rp_code_registers(c);
  e->sync_at = c->cfg.sync_insns ? number(e) + c->cfg.sync_insns : UINT64_MAX;
}

static bool is_full(const encoder *e) {
  return e->core.cfg.sync_bits && 8 * (uint64_t)e->period.n_bytes >= e->core.cfg.sync_bits;
}

static bool is_sync_due(const encoder *e) {
  return number(e) >= e->sync_at || is_full(e);
}

/* ---- In front of an instruction ---- */

static void put_value64(encoder *e, uint64_t v) {
  oct_rp_code_number(&e->core.coder, &e->core.probs.other, v);
}

static void put_trap(encoder *e, const oct_trap *t) {
  put_event(e, OCT_RP_TRAP);
  put_value64(e, t->kind);
  put_value64(e, t->privilege);
  if (t->kind != OCT_TRAP_PRIVILEGE) {
    put_value64(e, t->cause);
    oct_rp_code_signed(&e->core.coder, &e->core.probs.other, t->addr - e->pc);
  }
  if (t->kind == OCT_TRAP_EXCEPTION) put_value64(e, t->tval);
  e->privilege = t->privilege;
  e->was_executed = false;
  e->counts.traps++;
}

static int put_task(encoder *e, const oct_insn *insn) {
  oct_rp_core *c = &e->core;
  put_event(e, OCT_RP_TASK);
  put_value64(e, insn->task);
  oct_rp_task_of(c)->pc = e->pc;
  int rc = oct_rp_switch(c, insn->task);
  if (rc) return rc;
  oct_rp_task *t = oct_rp_task_of(c);
  oct_rp_code_signed(&c->coder, &c->probs.other, insn->addr - t->pc);
  e->pc = insn->addr;
  if (!t->is_told) {
    oct_rp_raw(&c->coder, t->is_executed, 1);
    account(e, &e->counts.register_bits);
    if (t->is_executed) oct_rp_code_registers(c);
  }
  e->counts.tasks++;
  return 0;
}

/* The trace tells a register: the task's, or where it differs from the emulator's, a correction. */
static void take_register(encoder *e, const oct_fact *f, const uint8_t *told) {
  oct_rp_core *c = &e->core;
  oct_rp_task *t = oct_rp_task_of(c);
  uint8_t bytes[OCT_FACT_REGISTER_MAX];
  for (unsigned i = 0; i < c->n_registers; i++) {
    const oct_rp_register *r = &c->registers[i];
    if (r->number != f->number || r->bytes != f->n_bytes) continue;
    t->told[r->number / 64] |= UINT64_C(1) << r->number % 64;
    if (!t->is_executed) {
      memcpy(t->registers + r->at, told, r->bytes);
      return;
    }
    if (!oct_emulator_get(c->machine, r->number, bytes) || !memcmp(bytes, told, r->bytes)) return;
    put_event(e, OCT_RP_REGISTER);
    put_value64(e, i);
    for (unsigned k = 0; k < r->bytes; k += 8) {
      const unsigned n = r->bytes - k < 8u ? r->bytes - k : 8;
      const uint64_t v = oct_rp_get(told + k, n);
      oct_rp_code_signed(&c->coder, &c->probs.other, v - oct_rp_get(bytes + k, n));
    }
    oct_emulator_set(c->machine, r->number, told);
    e->counts.registers++;
    return;
  }
}

static void put_forget(encoder *e, uint64_t addr, uint64_t n) {
  oct_rp_core *c = &e->core;
  put_event(e, OCT_RP_FORGET);
  oct_rp_code_signed(&c->coder, &c->probs.other, addr - c->told[0]);
  c->told[0] = addr;
  put_value64(e, n);
  oct_rp_forget(c, addr, n);
  e->counts.forgets++;
}

/* Whether the trace has told all general registers of the task under way at this place. */
static bool has_registers(const oct_rp_core *c, const oct_rp_task *t) {
  const uint64_t all = oct_isa_get((oct_isa)(c->cfg.isa - 1))->regs == 16 ? 0x7fff : UINT32_MAX;
  return (t->told[0] & all) == all;
}

static void put_mode(encoder *e, bool executes) {
  oct_rp_core *c = &e->core;
  oct_rp_task *t = oct_rp_task_of(c);
  put_event(e, OCT_RP_MODE);
  if (executes) {
    oct_rp_registers_load(c);
    account(e, &e->counts.register_bits);
    oct_rp_code_registers(c);
  } else {
    e->counts.leaves++;
  }
  t->is_executed = executes;
  e->doubt = 0;
}

static void take_facts(encoder *e, size_t place) {
  oct_rp_core *c = &e->core;
  const oct_tracer_input *in = e->in;
  oct_rp_task *t = oct_rp_task_of(c);
  if (e->fact == in->n_facts || in->facts[e->fact].insn > place) return;
  memset(t->told, 0, sizeof t->told);
  for (; e->fact < in->n_facts && in->facts[e->fact].insn <= place; e->fact++) {
    const oct_fact *f = &in->facts[e->fact];
    if (!c->machine) continue;
    if (f->kind == OCT_FACT_REGISTER)
      take_register(e, f, in->values + (f->value - 1));
    else if (oct_rp_knows_any(c, f->addr, f->n_bytes))
      put_forget(e, f->addr, f->n_bytes);
  }
  if (c->machine && !t->is_executed && has_registers(c, t)) put_mode(e, true);
}

static const uint8_t *value_of(const encoder *e, const oct_access *a) {
  return e->in->values && a->value ? e->in->values + (a->value - 1) : NULL;
}

/* A load of the instruction that brings something else than what is known, or NULL. */
static const oct_access *changed_load(encoder *e) {
  oct_rp_core *c = &e->core;
  const oct_insn *insn = &e->in->insns[e->i];
  const oct_access *a = e->in->accesses + e->n_access;
  uint8_t bytes[64];
  if (!oct_rp_executes(c) || !e->in->values) return NULL;
  for (unsigned k = 0; k < insn->n_access; k++, a++) {
    const uint8_t *value = a->is_store ? NULL : value_of(e, a);
    if (value && !oct_emulator_peek(c->machine, a->addr, bytes, a->size_bytes) &&
        !oct_rp_is_equal(bytes, value, a->size_bytes) &&
        oct_rp_is_known(c, a->addr, a->size_bytes, false))
      return a;
  }
  return NULL;
}

/* Up to where no instruction needs a look at what stands in front of it. */
static size_t find_stop(const encoder *e) {
  const oct_tracer_input *in = e->in;
  const uint64_t next = e->sync_at < e->codes.next ? e->sync_at : e->codes.next;
  size_t stop = in->n_insns;
  if (e->trap < in->n_traps && in->traps[e->trap].insn < stop) stop = in->traps[e->trap].insn;
  if (e->fact < in->n_facts && in->facts[e->fact].insn < stop) stop = in->facts[e->fact].insn;
  return next < number(e) + (stop - e->i) ? e->i + (size_t)(next - number(e)) : stop;
}

/* Whether something is to be sent, or done, in front of instruction i, which the emulator takes to
 * be at addr. */
static bool is_something_due(encoder *e, uint64_t addr) {
  if (e->i >= e->stop_at) return true;
  const oct_insn *insn = &e->in->insns[e->i];
  return insn->addr != addr || insn->task != oct_rp_task_of(&e->core)->number || is_full(e) ||
         (insn->n_access && changed_load(e));
}

static int find_entry(encoder *e, oct_diag *diag) {
  int rc = oct_map_walk_find(&e->base.walk, number(e), e->id, e->in->insns[e->i].addr, &e->id);
  if (rc) return oct_map_walk_explain(&e->base.walk, rc, e->in->insns[e->i].addr, 0, diag);
  e->entry = oct_map_at(e->base.walk.map, e->id);
  return 0;
}

/* Registers that the instruction before, which was told, has changed: as far as the trace tells
 * them in front of instruction i; without one, none. */
static void put_changes(encoder *e, bool has_insn) {
  oct_rp_core *c = &e->core;
  unsigned n = 0, which = 0;
  uint8_t bytes[OCT_FACT_REGISTER_MAX];
  if (!e->owes_changes) return;
  e->owes_changes = false;
  account(e, &e->counts.event_bits);
  if (has_insn && e->in->insns[e->i].task != oct_rp_task_of(c)->number) has_insn = false;
  for (size_t f = e->fact; has_insn && f < e->in->n_facts && e->in->facts[f].insn <= e->i; f++) {
    const oct_fact *fact = &e->in->facts[f];
    const uint8_t *told = e->in->values + (fact->value - 1);
    if (fact->kind != OCT_FACT_REGISTER) continue;
    for (which = 0; which < c->n_registers && c->registers[which].number != fact->number;) which++;
    if (which == c->n_registers || c->registers[which].bytes != fact->n_bytes ||
        !oct_emulator_get(c->machine, fact->number, bytes) || !memcmp(bytes, told, fact->n_bytes))
      continue;
    memcpy(bytes, told, fact->n_bytes);
    oct_rp_code_change(c, e->told_pc, n++, true, &which, bytes);
    e->counts.registers++;
  }
  oct_rp_code_change(c, e->told_pc, n, false, &which, bytes);
}

/* Send what is due in front of instruction i. */
static int prepare(encoder *e, oct_diag *diag) {
  oct_rp_core *c = &e->core;
  const oct_insn *insn = &e->in->insns[e->i];
  int rc = oct_rp_codes_apply(&e->codes, c->machine, number(e));
  if (rc) return oct_fail(diag, rc, "a program of more code than a replay can hold");
  put_changes(e, true);
  if (!e->has_begun || is_sync_due(e)) {
    if (!e->has_begun || insn->task != oct_rp_task_of(c)->number) {
      oct_rp_task_of(c)->pc = e->pc;
      if (oct_rp_switch(c, insn->task)) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
    }
    begin_sync(e, insn);
  }
  for (; e->trap < e->in->n_traps && e->in->traps[e->trap].insn <= e->i; e->trap++)
    if (c->cfg.traps) put_trap(e, &e->in->traps[e->trap]);
  if (insn->task != oct_rp_task_of(c)->number && put_task(e, insn))
    return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  take_facts(e, e->i);
  if (e->doubt > DOUBT_MAX && oct_rp_executes(c)) put_mode(e, false);
  if (insn->addr != e->pc) {
    put_event(e, OCT_RP_JUMP);
    oct_rp_code_signed(&c->coder, &c->probs.other, insn->addr - e->pc);
    e->pc = insn->addr;
    e->counts.jumps++;
    if (e->was_executed) e->doubt += DOUBT;
  }
  for (const oct_access *a; (a = changed_load(e)) != NULL;) put_forget(e, a->addr, a->size_bytes);
  return find_entry(e, diag);
}

/* ---- Instructions that are executed ---- */

static made *new_made(encoder *e) {
  made *m = oct_grown(e->made, &e->room_made, e->n_made + 1, sizeof *m);
  if (!m) {
    e->core.error = OCT_ERR_NOMEM;
    oct_emulator_stop(e->core.machine);
    return NULL;
  }
  e->made = m;
  return &e->made[e->n_made++];
}

/* The access that the trace has in the place of the next one, if it is the same. */
static const oct_access *same_access(const encoder *e, uint64_t addr, unsigned size_bytes,
                                     unsigned is_store) {
  const oct_insn *insn = &e->in->insns[e->i];
  const oct_access *a = e->in->accesses + e->n_access + e->n_made;
  return e->n_made < insn->n_access && a->addr == addr && a->size_bytes == size_bytes &&
                 a->is_store == is_store
             ? a
             : NULL;
}

static void load_hook(void *context, uint64_t addr, unsigned size_bytes) {
  encoder *e = context;
  oct_rp_core *c = &e->core;
  uint8_t bytes[8] = {0};
  if (!e->has_current || c->error) return;
  const oct_access *a = same_access(e, addr, size_bytes, 0);
  const unsigned k = (unsigned)e->n_made;
  made *m = new_made(e);
  if (!m) return;
  if (!a) e->differs = true;
  const uint8_t *told = a ? value_of(e, a) : NULL;
  c->error |= oct_emulator_peek(c->machine, addr, bytes, size_bytes);
  e->counts.loads++;
  if (!oct_rp_is_known(c, addr, size_bytes, true)) {
    if (told) memcpy(bytes, told, size_bytes);
    account(e, &e->counts.value_bits);
    put_item(e, 0);
    oct_rp_code_value(c, e->in->insns[e->i].addr, k, addr, size_bytes,
                      oct_rp_get(bytes, size_bytes));
    c->error |= oct_emulator_poke(c->machine, addr, bytes, size_bytes);
    oct_rp_learn(c, addr, size_bytes);
    e->counts.sent++;
  } else if (told && !oct_rp_is_equal(told, bytes, size_bytes)) {
    e->differs = true;
  }
  *m = (made){addr, oct_rp_get(bytes, size_bytes), (uint8_t)size_bytes, 0};
}

static void store_hook(void *context, uint64_t addr, unsigned size_bytes, uint64_t value) {
  encoder *e = context;
  uint8_t bytes[8];
  if (!e->has_current || e->core.error) return;
  const oct_access *a = same_access(e, addr, size_bytes, 1);
  made *m = new_made(e);
  if (!m) return;
  oct_rp_put(bytes, value, size_bytes);
  const uint8_t *told = a ? value_of(e, a) : NULL;
  if (!a || (told && !oct_rp_is_equal(told, bytes, size_bytes))) e->differs = true;
  oct_rp_learn(&e->core, addr, size_bytes);
  *m = (made){addr, value, (uint8_t)size_bytes, 1};
}

/* What the instruction did is not what the trace has: the accesses are told anew. */
static void put_fix(encoder *e, const oct_insn *insn, const oct_access *accesses) {
  oct_rp_core *c = &e->core;
  put_event(e, OCT_RP_FIX);
  account(e, &e->counts.told_bits);
  for (size_t i = 0; i < e->n_made; i++)
    if (e->made[i].is_store) oct_rp_forget(c, e->made[i].addr, e->made[i].size_bytes);
  unsigned n = oct_rp_tell_count(c, e->entry, insn->n_access);
  for (unsigned k = 0; k < n; k++) {
    const oct_access *a = &accesses[k];
    const uint8_t *value = value_of(e, a);
    uint8_t bytes[64] = {0};
    uint64_t addr = a->addr;
    bool has_value = value != NULL;
    if (value) memcpy(bytes, value, a->size_bytes);
    oct_rp_tell_access(c, insn->addr, k, oct_map_slot(e->base.walk.map, e->entry, k), true, &addr,
                       bytes, &has_value);
  }
  e->doubt += DOUBT;
  e->counts.fixes++;
}

/* The instruction under way is over. */
static void end_insn(encoder *e) {
  const oct_insn *insn = &e->in->insns[e->i];
  const oct_access *accesses = e->in->accesses + e->n_access;
  if (!e->has_current) return;
  e->has_current = false;
  e->base.insn++;
  if (e->differs || e->n_made != insn->n_access)
    put_fix(e, insn, accesses);
  else if (e->doubt)
    e->doubt--;
  e->was_executed = true;
  e->counts.executed++;
  e->counts.insns++;
  e->counts.accesses += insn->n_access;
  e->n_access += insn->n_access;
  e->i++;
}

static void begin_insn(encoder *e) {
  e->is_prepared = false;
  e->has_current = true;
  e->differs = false;
  e->n_made = 0;
}

static int insn_hook(void *context, uint64_t addr) {
  encoder *e = context;
  if (!e->is_prepared) {
    end_insn(e);
    if (e->core.error || is_something_due(e, addr)) return 1;
    oct_diag ignored;
    if (find_entry(e, &ignored) || oct_isa_is_outside(e->entry)) return 1;
  }
  begin_insn(e);
  return 0;
}

/* Tell instruction i. */
static void tell_insn(encoder *e) {
  oct_rp_core *c = &e->core;
  const oct_insn *insn = &e->in->insns[e->i];
  const oct_map_entry *entry = e->entry;
  account(e, &e->counts.told_bits);
  const bool executes = oct_rp_executes(c), has_data = oct_rp_has_data(entry);
  if (has_data || executes) put_item(e, 0);
  if (has_data) {
    oct_rp_tell_count(c, entry, insn->n_access);
    for (unsigned k = 0; k < insn->n_access; k++) {
      const oct_access *a = e->in->accesses + e->n_access + k;
      const uint8_t *value = value_of(e, a);
      uint8_t bytes[64] = {0};
      uint64_t addr = a->addr;
      bool has_value = value != NULL;
      if (value) memcpy(bytes, value, a->size_bytes);
      oct_rp_tell_access(c, insn->addr, k, oct_map_slot(e->base.walk.map, entry, k), false, &addr,
                         bytes, &has_value);
    }
  }
  e->pc = oct_rp_next_of(c, entry);
  e->owes_changes = executes;
  e->told_pc = insn->addr;
  e->was_executed = false;
  e->counts.told++;
  e->counts.insns++;
  e->counts.accesses += insn->n_access;
  e->n_access += insn->n_access;
  e->i++;
  e->base.insn++;
}

/* Execute from instruction i on, as far as it goes. An instruction at which the emulator fails is
 * told. */
static void execute(encoder *e) {
  uint64_t pc = e->pc;
  const size_t first = e->i;
  e->is_prepared = true;
  e->stop_at = find_stop(e);
  const int fault = oct_emulator_run(e->core.machine, &pc, e->entry->code_isa == OCT_ISA_THUMB + 1);
  e->pc = pc;
  if (!fault) return;
  if (e->has_current && pc != e->in->insns[e->i].addr) end_insn(e);
  const bool failed = e->has_current || e->i == first;
  e->has_current = false;
  if (failed) tell_insn(e);
}

int oct_rp_encoder_put(void *context, const oct_tracer_input *in, oct_diag *diag) {
  encoder *e = context;
  const oct_core_widths widths = {e->core.cfg.addr_bits, 0, 32};
  int rc = oct_tracer_check_traps(in, diag);
  if (rc) return rc;
  const int64_t fits =
      oct_core_check(widths, in->insns, in->n_insns, in->accesses, e->base.insn, diag);
  if (fits < 0) return (int)fits;
  if (oct_map_walk_add(&e->base.walk, in->updates, in->n_updates) ||
      (e->core.machine && oct_rp_codes_add(&e->codes, in->updates, in->n_updates)))
    return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  e->in = in;
  e->i = e->n_access = e->trap = e->fact = 0;
  while (e->i < in->n_insns) {
    if ((rc = prepare(e, diag))) return rc;
    if (oct_rp_executes(&e->core) && !oct_isa_is_outside(e->entry))
      execute(e);
    else
      tell_insn(e);
    if (e->core.error)
      return oct_fail(diag, e->core.error, "a replay of more memory than it can hold");
  }
  if (e->trap < in->n_traps && e->core.cfg.traps) {
    put_changes(e, false);
    if (!e->has_begun) begin_sync(e, &(oct_insn){0});
    for (; e->trap < in->n_traps; e->trap++) put_trap(e, &in->traps[e->trap]);
  }
  if (e->has_begun && e->fact < in->n_facts) {
    put_changes(e, false);
    take_facts(e, in->n_insns);
  }
  if (e->base.out.has_failed || e->period.has_failed)
    return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  return 0;
}

int oct_rp_encoder_flush(void *context, oct_diag *diag) {
  encoder *e = context;
  put_changes(e, false);
  if (!e->has_begun) begin_sync(e, &(oct_insn){0});
  end_period(e);
  put_mark(e, OCT_RP_FLUSH, 0);
  return e->base.out.has_failed ? oct_fail(diag, OCT_ERR_NOMEM, "out of memory") : 0;
}
