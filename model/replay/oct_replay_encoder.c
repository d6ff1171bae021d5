/* SPDX-License-Identifier: Apache-2.0 */
/* oct_replay_encoder.c - the encoder of the tracer `replay` (docs/replay-format.md).
 *
 * It runs the emulator that the decoder runs, instruction by instruction beside the trace. In front
 * of an instruction it sends whatever execution cannot know: that another one comes, what somebody
 * else wrote, another value of a register. While the instruction is executed, each load of bytes
 * that the filter does not know sends its value. Behind it, what it did is compared with the trace;
 * a difference is sent as a correction. Where corrections come often, and where registers are not
 * known, instructions are told until the trace tells all registers again.
 *
 * With a clock (docs/replay-rtl.md) each part asks for room in the queue before it is sent. Without
 * it, nothing is sent any more, and the emulator alone goes on, in the place of a circuit's copy of
 * the registers, until the clock lets a sync begin anew. */
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

/* What bits are spent on. */
typedef enum category { OF_EVENTS, OF_VALUES, OF_TOLD, OF_REGISTERS, CATEGORIES } category;

/* A load that sends its value. */
typedef struct sent_value {
  uint64_t addr, value;
  uint8_t size_bytes, number;
} sent_value;

/* A correction adds DOUBT, an instruction without takes 1 away; above DOUBT_MAX execution ends. */
enum { DOUBT = 64, DOUBT_MAX = 512 };

typedef struct encoder {
  oct_encoder_base base;
  oct_rp_core core;
  oct_rp_codes codes;
  oct_rp_counts counts;
  bool has_begun;   /* a period is under way */
  uint32_t crc;     /* of the bytes since its mark, that one included */
  unsigned n_ones;  /* bytes of ones that were written last */
  uint64_t from;    /* instruction number of the last event or mark */
  uint64_t sync_at; /* that from which on a sync is due */
  uint64_t mark_at; /* that of the last mark */
  uint64_t pc;      /* where the program goes on, as the decoder sees it */
  unsigned doubt;
  bool was_executed;   /* the instruction before, */
  uint32_t executed;   /* this one */
  uint64_t *corrected; /* how often, by map entry */
  size_t n_corrected, room_corrected;
  bool owes_changes; /* registers that the instruction at told_pc changed are to follow */
  bool has_failed;   /* it is one that the emulator cannot execute */
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
  sent_value *sent; /* by the instruction under way */
  size_t n_sent, room_sent;
  /* With a clock: */
  oct_rp_clock *clock; /* or NULL */
  uint64_t arrived;    /* instructions that retired so far, that under way included */
  bool is_mute;        /* instructions are lost, */
  uint64_t lost_from, lost_insns, lost_accesses; /* the first of these, and how many */
  int clock_error;
  oct_diag clock_diag;
} encoder;

static int insn_hook(void *context, uint64_t addr);
static void load_hook(void *context, uint64_t addr, unsigned size_bytes);
static void store_hook(void *context, uint64_t addr, unsigned size_bytes, uint64_t value);

static int init(void *context, const uint32_t *params, oct_diag *diag) {
  encoder *e = context;
  const oct_emulator_hooks hooks = {e, insn_hook, load_hook, store_hook};
  int rc = oct_rp_core_init(&e->core, params, false, &hooks);
  oct_rp_codes_init(&e->codes);
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
    free(e->core.coder.encode.bytes);
    oct_rp_core_free(&e->core);
    free(e->codes.codes);
    free(e->made);
    free(e->corrected);
    free(e->sent);
    if (e->clock) oct_rp_clock_free(e->clock);
    free(e->clock);
  }
  oct_encoder_base_destroy(e);
}

int oct_rp_encoder_set_clock(void *context, const oct_run_options *run, oct_diag *diag) {
  encoder *e = context;
  if (!(e->clock = calloc(1, sizeof *e->clock)))
    return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  e->core.coder.encode.log = &e->clock->log;
  return oct_rp_clock_init(e->clock, &e->core.cfg, run, diag);
}

const oct_rp_clock *oct_rp_encoder_clock(const void *e) {
  return ((const encoder *)e)->clock;
}

void oct_rp_encoder_counts(const void *context, oct_rp_counts *counts) {
  const encoder *e = context;
  *counts = e->counts;
  if (!e->clock) return;
  counts->cycles = e->clock->arrivals.cycle;
  counts->port_busy_cycles = e->clock->port_busy_cycles;
  counts->wait_cycles = e->clock->wait_cycles;
  memcpy(counts->high_water, e->clock->high_water, sizeof counts->high_water);
}

size_t oct_rp_encoder_corrections(const void *context, oct_correction *list, size_t n) {
  const encoder *e = context;
  size_t found = 0;
  for (uint32_t id = 0; id < e->n_corrected; id++) {
    const uint64_t times = e->corrected[id];
    if (!times) continue;
    size_t at = found < n ? found : n;
    for (; at && list[at - 1].times < times; at--)
      if (at < n) list[at] = list[at - 1];
    if (at < n) list[at] = (oct_correction){oct_map_at(e->base.walk.map, id), times};
    found++;
  }
  return found;
}

static uint64_t number(const encoder *e) {
  return e->base.insn;
}

/* ---- Bytes ---- */

/* A byte of a mark; two bytes of ones are followed by a zero. */
static void put_byte(encoder *e, uint8_t byte) {
  const uint8_t bytes[2] = {byte, 0};
  e->n_ones = byte == 0xff ? e->n_ones + 1 : 0;
  const size_t n = e->n_ones == OCT_RP_ONES ? 2 : 1;
  if (n == 2) e->n_ones = 0;
  oct_buffer_put(&e->base.out, bytes, n);
  e->crc = oct_crc_bytes(16, e->crc, bytes, n);
  e->counts.mark_bits += 8 * n;
}

static void put_number(encoder *e, uint64_t v) {
  uint8_t bytes[OCT_LEB128_MAX];
  const uint8_t *end = oct_leb128_put(bytes, v);
  for (const uint8_t *p = bytes; p < end; p++) put_byte(e, *p);
}

/* A mark, which begins a period. Its check is of the period before, and of itself. */
static void put_mark(encoder *e, uint8_t kind, uint32_t task) {
  const size_t begin = e->base.out.n_bytes;
  uint8_t mark[OCT_RP_ONES + 1] = {[0 ... OCT_RP_ONES - 1] = 0xff, kind};
  oct_buffer_put(&e->base.out, mark, sizeof mark);
  uint32_t before = oct_crc_bytes(16, e->crc, mark, sizeof mark);
  e->crc = oct_crc_bytes(16, 0, mark, sizeof mark);
  e->counts.mark_bits += 8 * sizeof mark;
  e->n_ones = 0;
  const size_t fields = e->base.out.n_bytes;
  put_number(e, kind == OCT_RP_RESUME ? e->lost_from : number(e));
  if (kind == OCT_RP_RESUME) {
    put_number(e, e->lost_insns);
    put_number(e, e->lost_accesses);
  }
  if (kind != OCT_RP_FLUSH) put_number(e, task);
  if (kind != OCT_RP_FLUSH && e->core.cfg.traps) put_byte(e, e->privilege);
  before = oct_crc_bytes(16, before, e->base.out.bytes + fields, e->base.out.n_bytes - fields);
  for (int i = 0; i < OCT_RP_CHECK_BYTES; i++) put_byte(e, (uint8_t)(before >> 8 * i));
  e->n_ones = 0;
  e->counts.packets++;
  e->counts.syncs += kind != OCT_RP_FLUSH;
  if (e->clock)
    oct_rp_clock_mark(e->clock, kind == OCT_RP_FLUSH ? OCT_FRAME_FLUSH : OCT_FRAME_SYNC,
                      (uint32_t)(e->base.out.n_bytes - begin));
  e->from = e->mark_at = number(e);
  e->has_begun = true;
  oct_rp_coder_begin(&e->core.coder);
}

/* ---- Time and loss ---- */

/* Words of the queue for a value, or an address and a value, of an access. */
static unsigned words_of(const encoder *e, unsigned size_bytes) {
  const unsigned bits = 8 * size_bytes;
  return bits <= e->core.cfg.addr_bits ? 1 : (bits - 1) / e->core.cfg.addr_bits + 1;
}

/* Whether so many words may be sent; if not, instructions from here on are lost. */
static bool takes(encoder *e, unsigned n_words) {
  if (e->is_mute || !e->clock) return !e->is_mute;
  if (oct_rp_clock_takes(e->clock, n_words)) return true;
  e->is_mute = true;
  e->lost_from = number(e);
  e->lost_insns = e->lost_accesses = 0;
  e->counts.overflows++;
  return false;
}

/* That was all of an item. */
static void end_item(encoder *e, unsigned n_words) {
  if (e->clock) oct_rp_clock_item(e->clock, n_words, 0);
}

/* Instruction i retires; once. */
static void arrive(encoder *e) {
  if (!e->clock || e->arrived > number(e)) return;
  e->arrived = number(e) + 1;
  if (!e->clock_error)
    e->clock_error = oct_rp_clock_arrive(e->clock, &e->in->insns[e->i], number(e), &e->clock_diag);
  if (number(e) > e->sync_at && number(e) - e->sync_at >= OCT_RP_LATE_INSNS / 2)
    oct_rp_clock_wait_for_sync(e->clock);
}

/* A loss may end in front of the next instruction. Behind a period without instructions it has to
 * have lost one, as a sync has. */
static bool can_resume(const encoder *e) {
  return e->is_mute && (e->lost_insns || number(e) != e->mark_at) &&
         oct_rp_clock_can_resume(e->clock);
}

/* ---- Items ---- */

static void account(encoder *e, category to) {
  e->core.coder.encode.category = to;
}

/* What follows goes on in the symbol, or closes it. */
static void put_item(encoder *e, unsigned is_event) {
  oct_rp_open(&e->core.coder, OCT_RP_SYMBOL_DECISIONS);
  oct_rp_path(&e->core.coder, &e->core.probs.is_event, is_event);
}

static void put_event(encoder *e, oct_rp_event kind) {
  oct_rp_coder *rc = &e->core.coder;
  account(e, OF_EVENTS);
  put_item(e, 1);
  oct_rp_close(rc);
  oct_rp_tree(rc, e->core.probs.event, kind, OCT_RP_EVENT_BITS);
  if (kind == OCT_RP_END) return;
  oct_rp_code_number(rc, &e->core.probs.other, number(e) - e->from);
  e->from = number(e);
}

/* Bits were counted as the coder's interval shrank. Those of its last bytes belong to none, and
 * those of the ones that it leaves out are taken back. */
static void settle_bits(encoder *e) {
  oct_rp_counts *c = &e->counts;
  uint64_t *const parts[CATEGORIES] = {&c->event_bits, &c->value_bits, &c->told_bits,
                                       &c->register_bits};
  oct_encode *coder = &e->core.coder.encode;
  uint64_t sent = 8 * (uint64_t)coder->n;
  for (unsigned i = 0; i < CATEGORIES; i++) {
    const uint64_t part = coder->bits[i] < sent ? coder->bits[i] : sent;
    *parts[i] += part;
    sent -= part;
    coder->bits[i] = 0;
  }
  c->symbols = coder->n_symbols;
  c->overhead_bits += sent;
}

static void end_period(encoder *e) {
  oct_encode *coder = &e->core.coder.encode;
  put_event(e, OCT_RP_END);
  oct_encode_end(coder);
  end_item(e, 0);
  if (e->clock) e->clock->log.taken += coder->n;
  oct_buffer_put(&e->base.out, coder->bytes, coder->n);
  e->crc = oct_crc_bytes(16, e->crc, coder->bytes, coder->n);
  settle_bits(e);
  coder->n = 0;
}

/* The state returns to its beginning; a decoder may begin here. */
static void begin_sync(encoder *e, const oct_insn *insn) {
  oct_rp_core *c = &e->core;
  if (e->has_begun) end_period(e);
  put_mark(e, e->is_mute ? OCT_RP_RESUME : OCT_RP_SYNC, insn->task);
  e->is_mute = false;
  oct_rp_core_reset(c);
  account(e, OF_REGISTERS);
  oct_rp_raw(&c->coder, oct_rp_executes(c), 1);
  oct_rp_code_number(&c->coder, &c->probs.other, insn->addr);
  e->pc = insn->addr;
  if (oct_rp_executes(c)) oct_rp_code_registers(c);
  end_item(e, 1);
  e->sync_at = c->cfg.sync_insns ? number(e) + c->cfg.sync_insns : UINT64_MAX;
}

static bool is_long(const encoder *e) {
  const uint64_t most = e->core.cfg.sync_bits;
  return most && (e->clock ? oct_rp_clock_since_sync_bits(e->clock)
                           : 8 * (uint64_t)e->core.coder.encode.n) >= most;
}

/* Not behind a period without instructions: if that came twice, its number would not tell. */
static bool is_sync_due(const encoder *e) {
  return number(e) != e->mark_at && (number(e) >= e->sync_at || is_long(e)) && !e->is_mute &&
         (!e->clock || (!e->clock->n_marks && oct_rp_clock_room(e->clock)));
}

/* ---- In front of an instruction ---- */

static void put_value64(encoder *e, uint64_t v) {
  oct_rp_code_number(&e->core.coder, &e->core.probs.other, v);
}

static void put_trap(encoder *e, const oct_trap *t) {
  enum { WORDS = 3 };
  if (e->clock) oct_rp_clock_trap(e->clock);
  e->privilege = t->privilege;
  e->was_executed = false;
  if (!takes(e, WORDS)) {
    e->counts.lost_traps++;
    return;
  }
  put_event(e, OCT_RP_TRAP);
  put_value64(e, t->kind);
  put_value64(e, t->privilege);
  if (t->kind != OCT_TRAP_PRIVILEGE) {
    put_value64(e, t->cause);
    oct_rp_code_signed(&e->core.coder, &e->core.probs.other, t->addr - e->pc);
  }
  if (t->kind == OCT_TRAP_EXCEPTION) put_value64(e, t->tval);
  end_item(e, WORDS);
  e->counts.traps++;
}

static int put_task(encoder *e, const oct_insn *insn) {
  oct_rp_core *c = &e->core;
  const bool is_taken = takes(e, 1);
  if (is_taken) {
    put_event(e, OCT_RP_TASK);
    put_value64(e, insn->task);
  }
  oct_rp_task_of(c)->pc = e->pc;
  int rc = oct_rp_switch(c, insn->task);
  if (rc) return rc;
  oct_rp_task *t = oct_rp_task_of(c);
  e->pc = insn->addr;
  if (!is_taken) return 0;
  oct_rp_code_signed(&c->coder, &c->probs.other, insn->addr - t->pc);
  if (!t->is_told) {
    oct_rp_raw(&c->coder, t->is_executed, 1);
    account(e, OF_REGISTERS);
    if (t->is_executed) oct_rp_code_registers(c);
  }
  end_item(e, 1);
  e->counts.tasks++;
  return 0;
}

/* The trace tells a register: the task's, or where it differs from the emulator's, a correction. */
static void take_register(encoder *e, const oct_fact *f, const uint8_t *told) {
  oct_rp_core *c = &e->core;
  oct_rp_task *t = oct_rp_task_of(c);
  uint8_t bytes[OCT_FACT_REGISTER_MAX];
  for (unsigned i = 0; i < c->machine.n_registers; i++) {
    const oct_rp_register *r = &c->machine.registers[i];
    if (r->number != f->number || r->bytes != f->n_bytes) continue;
    t->told[r->number / 64] |= UINT64_C(1) << r->number % 64;
    if (!t->is_executed) {
      memcpy(t->registers + r->at, told, r->bytes);
      return;
    }
    if (!oct_rp_machine_get(&c->machine, r->number, bytes) || !memcmp(bytes, told, r->bytes))
      return;
    oct_rp_machine_set(&c->machine, r->number, told);
    if (!takes(e, words_of(e, r->bytes))) return;
    put_event(e, OCT_RP_REGISTER);
    put_value64(e, i);
    for (unsigned k = 0; k < r->bytes; k += 8) {
      const unsigned n = r->bytes - k < 8u ? r->bytes - k : 8;
      const uint64_t v = oct_rp_get(told + k, n);
      oct_rp_code_signed(&c->coder, &c->probs.other, v - oct_rp_get(bytes + k, n));
    }
    end_item(e, words_of(e, r->bytes));
    e->counts.registers++;
    return;
  }
}

static void put_forget(encoder *e, uint64_t addr, uint64_t n) {
  oct_rp_core *c = &e->core;
  if (!takes(e, 1)) return;
  put_event(e, OCT_RP_FORGET);
  oct_rp_code_signed(&c->coder, &c->probs.other, addr - c->told[0]);
  c->told[0] = addr;
  put_value64(e, n);
  oct_rp_forget(c, addr, n);
  end_item(e, 1);
  e->counts.forgets++;
}

static bool are_general(const oct_rp_core *c, uint64_t told) {
  const uint64_t all = oct_isa_general_registers((oct_isa)(c->cfg.isa - 1));
  return (told & all) == all;
}

/* Whether that was sent. */
static bool put_mode(encoder *e, bool executes) {
  oct_rp_core *c = &e->core;
  oct_rp_task *t = oct_rp_task_of(c);
  const bool is_taken = takes(e, 1);
  if (executes) oct_rp_registers_load(c);
  if (is_taken) {
    put_event(e, OCT_RP_MODE);
    account(e, OF_REGISTERS);
    if (executes) oct_rp_code_registers(c);
    end_item(e, 1);
  }
  t->is_executed = executes;
  e->doubt = 0;
  return is_taken;
}

/* Whether the trace tells all general registers of the task in front of instruction i. */
static bool tells_all(const encoder *e, size_t place) {
  uint64_t told[sizeof((oct_rp_task *)0)->told / sizeof(uint64_t)] = {0};
  const oct_tracer_input *in = e->in;
  for (size_t f = e->fact; f < in->n_facts && in->facts[f].insn <= place; f++)
    if (in->facts[f].kind == OCT_FACT_REGISTER)
      told[in->facts[f].number / 64] |= UINT64_C(1) << in->facts[f].number % 64;
  return are_general(&e->core, told[0]);
}

static void take_facts(encoder *e, size_t place) {
  oct_rp_core *c = &e->core;
  const oct_tracer_input *in = e->in;
  oct_rp_task *t = oct_rp_task_of(c);
  if (e->fact == in->n_facts || in->facts[e->fact].insn > place) return;
  memset(t->told, 0, sizeof t->told);
  /* Where execution has not led here, whoever reads the trace has to get all registers anew. */
  if (c->machine.emulator && t->is_executed && t->is_unsure && tells_all(e, place)) {
    oct_rp_registers_save(c);
    put_mode(e, false);
  }
  for (; e->fact < in->n_facts && in->facts[e->fact].insn <= place; e->fact++) {
    const oct_fact *f = &in->facts[e->fact];
    if (!c->machine.emulator || f->kind == OCT_FACT_GAP) continue;
    if (f->kind == OCT_FACT_REGISTER)
      take_register(e, f, in->values + (f->value - 1));
    else if (f->n_bytes) /* also of what the filter has lost: a session remembers it */
      put_forget(e, f->addr, f->n_bytes);
  }
  if (c->machine.emulator && !t->is_executed && are_general(c, t->told[0])) put_mode(e, true);
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
  if (!oct_rp_executes(c) || !e->in->values || e->is_mute) return NULL;
  for (unsigned k = 0; k < insn->n_access; k++, a++) {
    const uint8_t *value = a->is_store ? NULL : value_of(e, a);
    if (value && !oct_emulator_peek(c->machine.emulator, a->addr, bytes, a->size_bytes) &&
        !oct_rp_is_equal(bytes, value, a->size_bytes) &&
        oct_rp_is_known(c, a->addr, a->size_bytes, false))
      return a;
  }
  return NULL;
}

/* Up to where no instruction needs a look at what stands in front of it. */
static size_t find_stop(const encoder *e) {
  const oct_tracer_input *in = e->in;
  const uint64_t sync_at = e->is_mute ? UINT64_MAX : e->sync_at;
  const uint64_t next = sync_at < e->codes.next ? sync_at : e->codes.next;
  size_t stop = in->n_insns;
  if (e->trap < in->n_traps && in->traps[e->trap].insn < stop) stop = in->traps[e->trap].insn;
  if (e->fact < in->n_facts && in->facts[e->fact].insn < stop) stop = in->facts[e->fact].insn;
  if (next <= number(e)) return e->i; /* it has to wait */
  return next < number(e) + (stop - e->i) ? e->i + (size_t)(next - number(e)) : stop;
}

/* Whether something is to be sent, or done, in front of instruction i, which the emulator takes to
 * be at addr. */
static bool is_something_due(encoder *e, uint64_t addr) {
  if (e->i >= e->stop_at) return true;
  const oct_insn *insn = &e->in->insns[e->i];
  return insn->addr != addr || insn->task != oct_rp_task_of(&e->core)->number || is_sync_due(e) ||
         can_resume(e) || (insn->n_access && changed_load(e));
}

static int find_entry(encoder *e, oct_diag *diag) {
  int rc = oct_map_walk_find(&e->base.walk, number(e), e->id, e->in->insns[e->i].addr, &e->id);
  if (rc) return oct_map_walk_explain(&e->base.walk, rc, e->in->insns[e->i].addr, 0, diag);
  e->entry = oct_map_entry_at(e->base.walk.map, e->id);
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
  if (e->is_mute) return;
  account(e, OF_EVENTS);
  if (has_insn && e->in->insns[e->i].task != oct_rp_task_of(c)->number) has_insn = false;
  for (size_t f = e->fact; has_insn && f < e->in->n_facts && e->in->facts[f].insn <= e->i; f++) {
    const oct_fact *fact = &e->in->facts[f];
    if (fact->kind != OCT_FACT_REGISTER) continue;
    const uint8_t *told = e->in->values + (fact->value - 1);
    for (which = 0;
         which < c->machine.n_registers && c->machine.registers[which].number != fact->number;)
      which++;
    if (which == c->machine.n_registers || c->machine.registers[which].bytes != fact->n_bytes ||
        !oct_rp_machine_get(&c->machine, fact->number, bytes) ||
        !memcmp(bytes, told, fact->n_bytes))
      continue;
    if (!takes(e, words_of(e, fact->n_bytes))) break;
    memcpy(bytes, told, fact->n_bytes);
    oct_rp_code_change(c, e->told_pc, n++, true, &which, bytes);
    end_item(e, words_of(e, fact->n_bytes));
    e->counts.registers++;
  }
  /* Nobody would know behind such an instruction that the trace tells all registers, and none is
   * news: so one is sent. */
  for (which = 0; which + 1 < c->machine.n_registers && !c->machine.registers[which].number;)
    which++;
  const oct_rp_register *r = &c->machine.registers[which];
  if (!n && has_insn && e->has_failed && tells_all(e, e->i) &&
      oct_rp_machine_get(&c->machine, r->number, bytes) && takes(e, words_of(e, r->bytes))) {
    oct_rp_code_change(c, e->told_pc, n++, true, &which, bytes);
    end_item(e, words_of(e, r->bytes));
  }
  oct_rp_code_change(c, e->told_pc, n, false, &which, bytes);
  end_item(e, 0);
}

/* A correction was sent after the instruction of that map entry. */
static void count_correction(encoder *e, uint32_t id) {
  if (id >= e->n_corrected) {
    uint64_t *grown = oct_grown(e->corrected, &e->room_corrected, id + (size_t)1, sizeof *grown);
    if (!grown) {
      e->core.error = OCT_ERR_NOMEM;
      return;
    }
    e->corrected = grown;
    memset(grown + e->n_corrected, 0, (id + (size_t)1 - e->n_corrected) * sizeof *grown);
    e->n_corrected = id + (size_t)1;
  }
  e->corrected[id]++;
}

/* Send what is due in front of instruction i. */
static int prepare(encoder *e, oct_diag *diag) {
  oct_rp_core *c = &e->core;
  const oct_insn *insn = &e->in->insns[e->i];
  int rc = oct_rp_codes_apply(&e->codes, c->machine.emulator, number(e));
  if (rc) return oct_fail(diag, rc, "a program of more code than a replay can hold");
  arrive(e);
  put_changes(e, true);
  if (!e->has_begun || is_sync_due(e) || can_resume(e)) {
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
  if (insn->addr != e->pc && e->was_executed && !tells_all(e, e->i))
    oct_rp_task_of(c)->is_unsure = true; /* else what differs is told, with the jump */
  take_facts(e, e->i);
  if (e->doubt > DOUBT_MAX && oct_rp_executes(c)) e->counts.leaves += put_mode(e, false);
  if (insn->addr != e->pc) {
    if (takes(e, 1)) {
      put_event(e, OCT_RP_JUMP);
      oct_rp_code_signed(&c->coder, &c->probs.other, insn->addr - e->pc);
      end_item(e, 1);
      e->counts.jumps++;
      if (e->was_executed) count_correction(e, e->executed);
    }
    e->pc = insn->addr;
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
    oct_emulator_stop(e->core.machine.emulator);
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
  if (!e->has_current || c->error || oct_rp_machine_is_part(&c->machine, addr, size_bytes)) return;
  const oct_access *a = same_access(e, addr, size_bytes, 0);
  const unsigned k = (unsigned)e->n_made;
  made *m = new_made(e);
  if (!m) return;
  if (!a) e->differs = true;
  const uint8_t *told = a ? value_of(e, a) : NULL;
  c->error |= oct_emulator_peek(c->machine.emulator, addr, bytes, size_bytes);
  e->counts.loads += !e->is_mute;
  if (e->is_mute) {
    if (told) memcpy(bytes, told, size_bytes);
    if (told) c->error |= oct_emulator_poke(c->machine.emulator, addr, bytes, size_bytes);
  } else if (!oct_rp_is_known(c, addr, size_bytes, true)) {
    sent_value *sent = oct_grown(e->sent, &e->room_sent, e->n_sent + 1, sizeof *sent);
    if (!sent) {
      c->error = OCT_ERR_NOMEM;
      oct_emulator_stop(c->machine.emulator);
      return;
    }
    if (told) memcpy(bytes, told, size_bytes);
    e->sent = sent;
    sent[e->n_sent++] =
        (sent_value){addr, oct_rp_get(bytes, size_bytes), (uint8_t)size_bytes, (uint8_t)k};
    c->error |= oct_emulator_poke(c->machine.emulator, addr, bytes, size_bytes);
    oct_rp_learn(c, addr, size_bytes);
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
  if (!e->is_mute) oct_rp_learn(&e->core, addr, size_bytes);
  *m = (made){addr, value, (uint8_t)size_bytes, 1};
}

static unsigned words_of_values(const encoder *e) {
  unsigned n = 0;
  for (size_t i = 0; i < e->n_sent; i++) n += words_of(e, e->sent[i].size_bytes);
  return n;
}

static unsigned words_of_accesses(const encoder *e, const oct_access *a, unsigned n) {
  unsigned words = 1;
  for (unsigned k = 0; k < n; k++) words += words_of(e, a[k].size_bytes);
  return words;
}

/* Values of the instruction's loads. */
static void put_values(encoder *e) {
  oct_rp_core *c = &e->core;
  account(e, OF_VALUES);
  for (size_t i = 0; i < e->n_sent; i++) {
    const sent_value *v = &e->sent[i];
    put_item(e, 0);
    oct_rp_code_value(c, e->in->insns[e->i].addr, v->number, v->addr, v->size_bytes, v->value);
    if (e->clock) oct_rp_clock_item(e->clock, words_of(e, v->size_bytes), OCT_RP_VALUE_CYCLES);
  }
  e->counts.sent += e->n_sent;
  e->n_sent = 0;
}

/* What the instruction did is not what the trace has: the accesses are told anew. */
static void put_fix(encoder *e, const oct_insn *insn, const oct_access *accesses) {
  oct_rp_core *c = &e->core;
  put_event(e, OCT_RP_FIX);
  account(e, OF_TOLD);
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
    oct_rp_tell_access(c, insn->addr, k, oct_map_slot(e->base.walk.map, &e->entry->head, k), true,
                       &addr, bytes, &has_value);
  }
  end_item(e, words_of_accesses(e, accesses, insn->n_access));
  e->counts.fixes++;
}

/* Instruction i is over, and was sent, or is lost. */
static void pass_insn(encoder *e, const oct_insn *insn) {
  if (e->is_mute) {
    e->lost_insns++;
    e->lost_accesses += insn->n_access;
    e->counts.lost_insns++;
    e->counts.lost_accesses += insn->n_access;
  } else {
    e->counts.insns++;
    e->counts.accesses += insn->n_access;
  }
  e->n_access += insn->n_access;
  e->n_sent = 0;
  e->i++;
}

/* Its accesses retire; whether so many words may be sent of it. Nor may it, if a sync that waits
 * for the mark before it would come too late. */
static bool takes_insn(encoder *e, const oct_insn *insn, const oct_access *accesses,
                       unsigned n_words) {
  bool has_room = true;
  if (e->clock) has_room = oct_rp_clock_retire(e->clock, accesses, insn->n_access);
  if (number(e) > e->sync_at && number(e) - e->sync_at >= OCT_RP_LATE_INSNS) has_room = false;
  return takes(e, has_room ? n_words : UINT32_MAX);
}

/* The instruction under way is over. */
static void end_insn(encoder *e) {
  const oct_insn *insn = &e->in->insns[e->i];
  const oct_access *accesses = e->in->accesses + e->n_access;
  if (!e->has_current) return;
  e->has_current = false;
  const bool differs = e->differs || e->n_made != insn->n_access;
  const unsigned to_fix = differs ? words_of_accesses(e, accesses, insn->n_access) : 0;
  const bool is_taken = takes_insn(e, insn, accesses, words_of_values(e) + to_fix);
  if (is_taken) put_values(e);
  e->base.insn++;
  if (is_taken && differs) put_fix(e, insn, accesses);
  if (differs) oct_rp_task_of(&e->core)->is_unsure = true;
  e->executed = e->id;
  if (is_taken && differs) count_correction(e, e->id);
  if (differs)
    e->doubt += DOUBT;
  else if (e->doubt)
    e->doubt--;
  e->was_executed = true;
  e->counts.executed += is_taken;
  pass_insn(e, insn);
}

static void begin_insn(encoder *e) {
  e->is_prepared = false;
  e->has_current = true;
  e->differs = false;
  e->n_made = e->n_sent = 0;
  e->core.machine.n_parts = 0;
}

static int insn_hook(void *context, uint64_t addr) {
  encoder *e = context;
  if (!e->is_prepared) {
    end_insn(e);
    if (e->core.error || e->i == e->in->n_insns) return 1;
    arrive(e);
    if (is_something_due(e, addr)) return 1;
    oct_diag ignored;
    if (find_entry(e, &ignored) || oct_isa_is_outside(e->entry)) return 1;
  }
  begin_insn(e);
  return 0;
}

/* The accesses of instruction i, which is lost, in the emulator's memory. */
static void keep_accesses(encoder *e, const oct_insn *insn, const oct_access *accesses) {
  for (unsigned k = 0; e->core.machine.emulator && k < insn->n_access; k++) {
    const uint8_t *value = value_of(e, &accesses[k]);
    if (value)
      e->core.error |= oct_emulator_poke(e->core.machine.emulator, accesses[k].addr, value,
                                         accesses[k].size_bytes);
  }
}

static void put_accesses(encoder *e, const oct_insn *insn, const oct_access *accesses) {
  oct_rp_core *c = &e->core;
  oct_rp_tell_count(c, e->entry, insn->n_access);
  for (unsigned k = 0; k < insn->n_access; k++) {
    const uint8_t *value = value_of(e, &accesses[k]);
    uint8_t bytes[64] = {0};
    uint64_t addr = accesses[k].addr;
    bool has_value = value != NULL;
    if (value) memcpy(bytes, value, accesses[k].size_bytes);
    oct_rp_tell_access(c, insn->addr, k, oct_map_slot(e->base.walk.map, &e->entry->head, k), false,
                       &addr, bytes, &has_value);
  }
}

/* Tell instruction i. */
static void tell_insn(encoder *e) {
  oct_rp_core *c = &e->core;
  const oct_insn *insn = &e->in->insns[e->i];
  const oct_access *accesses = e->in->accesses + e->n_access;
  const oct_map_entry *entry = e->entry;
  const bool executes = oct_rp_executes(c), has_data = oct_rp_has_data(entry);
  const unsigned words = has_data || executes ? words_of_accesses(e, accesses, insn->n_access) : 0;
  const bool is_taken = takes_insn(e, insn, accesses, words_of_values(e) + words);
  if (is_taken) put_values(e);
  account(e, OF_TOLD);
  if (is_taken && words) {
    put_item(e, 0);
    oct_rp_close(&c->coder);
    if (has_data) put_accesses(e, insn, accesses);
    end_item(e, words);
  } else if (!is_taken) {
    keep_accesses(e, insn, accesses);
  }
  e->pc = oct_rp_next_of(c, entry);
  e->owes_changes = executes && is_taken;
  e->has_failed = !oct_isa_is_outside(entry);
  e->told_pc = insn->addr;
  e->was_executed = false;
  e->counts.told += is_taken;
  pass_insn(e, insn);
  e->base.insn++;
}

/* Execute from instruction i on, as far as it goes. An instruction at which the emulator fails is
 * told. */
static void execute(encoder *e) {
  uint64_t pc = e->pc;
  const size_t first = e->i;
  e->is_prepared = true;
  e->stop_at = find_stop(e);
  const int fault =
      oct_emulator_run(e->core.machine.emulator, &pc, e->entry->code_isa == OCT_ISA_THUMB + 1);
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
      (e->core.machine.emulator && oct_rp_codes_add(&e->codes, in->updates, in->n_updates)))
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
    if (e->clock_error) {
      if (diag) *diag = e->clock_diag;
      return e->clock_error;
    }
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
  if (e->base.out.has_failed || e->core.coder.encode.is_full)
    return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  return 0;
}

/* The clock goes on until there is room for the marks of a flush. */
static void wait_for_flush(encoder *e) {
  const oct_insn next = {.addr = e->pc, .task = oct_rp_task_of(&e->core)->number};
  while (e->is_mute ? !oct_rp_clock_can_resume(e->clock) : !oct_rp_clock_has_mark_room(e->clock))
    oct_rp_clock_wait(e->clock);
  if (can_resume(e)) begin_sync(e, &next);
  e->is_mute = false; /* without an instruction, traps alone were lost */
}

int oct_rp_encoder_flush(void *context, oct_diag *diag) {
  encoder *e = context;
  put_changes(e, false);
  if (!e->has_begun) begin_sync(e, &(oct_insn){0});
  if (e->clock) wait_for_flush(e);
  end_period(e);
  put_mark(e, OCT_RP_FLUSH, 0);
  if (e->clock) oct_rp_clock_drain(e->clock);
  return e->base.out.has_failed || e->core.coder.encode.is_full
             ? oct_fail(diag, OCT_ERR_NOMEM, "out of memory")
             : 0;
}
