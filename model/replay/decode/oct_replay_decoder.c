/* SPDX-License-Identifier: Apache-2.0 */
/* oct_replay_decoder.c - decoder of the tracer `replay`, written from docs/replay-format.md.
 *
 * A period is decoded once all of it is there and its check agrees. The decoder knows what is sent
 * next, a value or an event and its place, before it executes an instruction: it lets the emulator
 * run until a load wants the value, or to the place of the event. An instruction is handed out when
 * the next one begins, since an event may correct it. */
#include "oct_crc.h"
#include "oct_decoder_base.h"
#include "oct_isa_outside.h"
#include "oct_replay_codes.h"
#include "oct_replay_core.h"
#include "oct_replay_format.h"

typedef struct decoder {
  oct_decoder_base base;
  oct_rp_core core;
  oct_rp_codes codes;
  oct_buffer period;                 /* its bytes */
  bool in_period;                    /* one is under way; base.at is where the next mark begins */
  uint64_t gap_accesses;             /* that the gap to be told lacks */
  uint8_t privilege, told_privilege; /* as it was given out last, and as a mark has it */
  bool has_had_traps;                /* one came since the beginning */
  uint64_t last;                     /* instruction number at the end of the period */
  uint64_t from;                     /* of the last event or mark */
  bool is_event; /* what comes next: an event, before instruction number at; or a value */
  oct_rp_event event;
  uint64_t at;
  int error; /* of a run */
  const char *what;
  bool tells_registers;       /* those of a sync are to be handed out */
  bool tells_results;         /* those behind results from outside are, too: */
  bool owes_results;          /* before the next instruction */
  uint64_t next_ip;           /* behind the instruction under way */
  const oct_map_entry *entry; /* of the instruction under way */
  bool is_prepared, has_current;
  oct_access *made;
  size_t n_made, room_made;
} decoder;

static int insn_hook(void *context, uint64_t addr);
static void load_hook(void *context, uint64_t addr, unsigned size_bytes);
static void store_hook(void *context, uint64_t addr, unsigned size_bytes, uint64_t value);

static int init(void *context, const uint32_t *params, oct_diag *diag) {
  decoder *d = context;
  const oct_emulator_hooks hooks = {d, insn_hook, load_hook, store_hook};
  int rc = oct_rp_core_init(&d->core, params, true, &hooks);
  oct_rp_codes_init(&d->codes);
  d->privilege = d->told_privilege = OCT_PRIVILEGE_UNKNOWN;
  return rc ? oct_fail(diag, rc, "out of memory") : 0;
}

int oct_rp_decoder_create(const oct_tracer *tracer, const uint32_t *params, oct_decoder_start start,
                          void **d, oct_diag *diag) {
  return oct_decoder_base_create(tracer, sizeof(decoder), init, params, start, d, diag);
}

void oct_rp_decoder_destroy(void *context) {
  decoder *d = context;
  if (d) {
    oct_rp_core_free(&d->core);
    oct_buffer_free(&d->period);
    free(d->codes.codes);
    free(d->made);
  }
  oct_decoder_base_destroy(d);
}

int oct_rp_decoder_map(void *context, const oct_map_update *updates, size_t n, oct_diag *diag) {
  decoder *d = context;
  if (d->core.machine.emulator && oct_rp_codes_add(&d->codes, updates, n))
    return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  return oct_decoder_base_map(d, updates, n, diag);
}

static int fail(decoder *d, int error, const char *what) {
  return oct_decoder_base_fail(d, error, what);
}

/* ---- Marks and periods ---- */

/* Where the next mark at or behind `at` begins, or n_bytes. */
static size_t find_mark(const oct_buffer *b, size_t at) {
  for (; at + OCT_RP_ONES < b->n_bytes; at++)
    if (b->bytes[at] == 0xff && b->bytes[at + 1] == 0xff && b->bytes[at + 2] &&
        b->bytes[at + 2] <= OCT_RP_KIND_LAST)
      return at;
  return b->n_bytes;
}

/* Fields of a mark: bytes from *at on, without the zeros behind ones. */
typedef struct fields {
  const oct_buffer *in;
  size_t at;
  unsigned n_ones;
  bool is_short;
} fields;

static uint8_t take_byte(fields *f) {
  if (f->at == f->in->n_bytes) {
    f->is_short = true;
    return 0;
  }
  const uint8_t byte = f->in->bytes[f->at++];
  f->n_ones = byte == 0xff ? f->n_ones + 1 : 0;
  if (f->n_ones < OCT_RP_ONES) return byte;
  f->n_ones = 0;
  if (f->at == f->in->n_bytes)
    f->is_short = true;
  else
    f->at++;
  return byte;
}

static uint64_t take_number(fields *f) {
  uint64_t v = 0;
  for (unsigned i = 0; i < OCT_LEB128_MAX; i++) {
    const uint8_t byte = take_byte(f);
    v |= i < 9 ? (uint64_t)(byte & 127) << 7 * i : (uint64_t)byte << 63;
    if (byte < 128) break;
  }
  return v;
}

typedef struct mark {
  uint8_t kind;
  uint64_t number; /* where the period before it ends */
  uint64_t lost_insns, lost_accesses, task;
  uint8_t privilege;
  size_t check_at, end; /* where its check begins, and where the period does */
  uint32_t check;
} mark;

/* The mark at `at`: 1, 0 when more bytes are needed. */
static int read_mark(const decoder *d, size_t at, mark *m) {
  const oct_buffer *in = &d->base.in;
  if (in->n_bytes < at + OCT_RP_ONES + 1) return 0;
  fields f = {.in = in, .at = at + OCT_RP_ONES + 1};
  *m = (mark){.kind = in->bytes[at + OCT_RP_ONES], .privilege = OCT_PRIVILEGE_UNKNOWN};
  m->number = take_number(&f);
  if (m->kind == OCT_RP_RESUME) {
    m->lost_insns = take_number(&f);
    m->lost_accesses = take_number(&f);
  }
  if (m->kind != OCT_RP_FLUSH) m->task = take_number(&f);
  if (m->kind != OCT_RP_FLUSH && d->core.cfg.traps) m->privilege = take_byte(&f);
  m->check_at = f.at;
  for (int i = 0; i < OCT_RP_CHECK_BYTES; i++) m->check |= (uint32_t)take_byte(&f) << 8 * i;
  m->end = f.at;
  return !f.is_short;
}

/* What comes next: a value, whose symbol this begins, or an event. */
static void read_item(decoder *d) {
  oct_rp_core *c = &d->core;
  oct_rp_open(&c->coder, OCT_RP_SYMBOL_DECISIONS);
  d->is_event = oct_rp_path(&c->coder, &c->probs.is_event, 0);
  if (!d->is_event) return;
  oct_rp_close(&c->coder);
  d->event = (oct_rp_event)(oct_rp_tree(&c->coder, c->probs.event, 0, OCT_RP_EVENT_BITS) -
                            (1u << OCT_RP_EVENT_BITS));
  d->at = d->last;
  if (d->event == OCT_RP_END) return;
  d->at = d->from + oct_rp_code_number(&c->coder, &c->probs.other, 0);
  d->from = d->at;
}

/* Hand a register out, number i of the list. */
static int tell_register(decoder *d, size_t i, const uint8_t *bytes) {
  const oct_rp_register *r = &d->core.machine.registers[i];
  const oct_fact f = {.kind = OCT_FACT_REGISTER,
                      .number = r->number,
                      .n_bytes = r->bytes,
                      .insn = (uint32_t)(d->base.out.n_bytes / sizeof(oct_insn)),
                      .value = oct_decoder_base_value(d, bytes, r->bytes)};
  return f.value && !oct_buffer_put(&d->base.out_facts, &f, sizeof f)
             ? 0
             : fail(d, OCT_ERR_NOMEM, "out of memory");
}

static int tell_registers(decoder *d) {
  const oct_rp_core *c = &d->core;
  int rc = 0;
  for (unsigned i = 0; !rc && i < c->machine.n_registers; i++)
    rc = tell_register(d, i, c->tasks[c->task].registers + c->machine.registers[i].at);
  return rc;
}

/* Those that the emulator has of the task under way. */
static int tell_results(decoder *d) {
  oct_rp_machine *m = &d->core.machine;
  uint8_t bytes[OCT_FACT_REGISTER_MAX];
  int rc = 0;
  d->owes_results = false;
  for (unsigned i = 0; !rc && i < m->n_registers; i++)
    if (oct_rp_machine_get(m, m->registers[i].number, bytes)) rc = tell_register(d, i, bytes);
  return rc;
}

static uint64_t other(decoder *d) {
  return oct_rp_code_number(&d->core.coder, &d->core.probs.other, 0);
}
static uint64_t other_signed(decoder *d, oct_rp_number *n) {
  return oct_rp_code_signed(&d->core.coder, n, 0);
}

static int switch_task(decoder *d, uint64_t task) {
  if (task > UINT32_MAX || d->core.n_tasks > OCT_RP_TASKS_MAX)
    return fail(d, OCT_ERR_PACKET, "a task number of more than 32 bits, or too many tasks");
  if (oct_rp_switch(&d->core, (uint32_t)task)) return fail(d, OCT_ERR_NOMEM, "out of memory");
  d->base.task = (uint32_t)task;
  return 0;
}

/* A sync: all state at its beginning, then what the mark and the period tell. */
static int begin_sync(decoder *d, const mark *m) {
  oct_rp_core *c = &d->core;
  int rc = switch_task(d, m->task);
  if (rc) return rc;
  oct_rp_core_reset(c);
  const bool executes = oct_rp_raw(&c->coder, 0, 1);
  d->base.ip = other(d);
  d->base.id = OCT_WALK_NONE;
  if (executes && !c->machine.emulator)
    return fail(d, OCT_ERR_PACKET, "execution without an instruction set");
  oct_rp_task_of(c)->is_executed = executes;
  if (!executes) return 0;
  oct_rp_code_registers(c);
  d->tells_registers = true;
  return 0;
}

/* Whether the period between two marks may be as long as they say. */
static int check_period(decoder *d, const mark *m, const mark *next) {
  const uint64_t from = m->number + m->lost_insns, most = d->core.cfg.sync_insns;
  if (from < m->number || next->number < from ||
      (most && next->number - from > most + OCT_RP_LATE_INSNS))
    return fail(d, OCT_ERR_PACKET, "a period of more instructions than there may be");
  if (next->number == from && next->kind != OCT_RP_FLUSH && !next->lost_insns)
    return fail(d, OCT_ERR_PACKET, "a sync after a period without instructions");
  return 0;
}

/* The mark in front of a period that begins. */
static int join_period(decoder *d, const mark *m) {
  oct_decoder_base *b = &d->base;
  const uint64_t from = m->number + m->lost_insns;
  if (from > OCT_INSN_NUMBER_MAX) return fail(d, OCT_ERR_PACKET, OCT_BAD_NUMBER_TEXT);
  if (b->is_lost || !b->is_synced) {
    int rc = oct_decoder_base_join(d, true, m->number, b->bit);
    if (rc) return rc;
  } else if (m->number != b->insn) {
    return fail(d, OCT_ERR_PACKET, "a mark of another instruction");
  }
  if (m->kind != OCT_RP_RESUME) return 0;
  if (!b->has_gap) b->gap_insns = 0;
  b->has_gap = true;
  b->gap_insns += m->lost_insns;
  d->gap_accesses = m->lost_accesses;
  b->counts.gaps++;
  b->counts.lost_insns += m->lost_insns;
  b->counts.lost_accesses += m->lost_accesses;
  b->insn = b->out_insn = from;
  return 0;
}

/* The period behind the mark at base.at: 1, 0 when more bytes are needed, or an error. list: both
 * of its marks; nothing is decoded then. */
static int begin_period(decoder *d, mark list[2]) {
  oct_decoder_base *b = &d->base;
  mark m, next;
  int rc;
  b->bit = 8 * (b->base_bytes + b->at);
  if (b->in.n_bytes <= b->at + OCT_RP_ONES) return 0;
  if (find_mark(&b->in, b->at) != b->at)
    return fail(d, OCT_ERR_PACKET, "expected a mark between periods");
  if (!read_mark(d, b->at, &m)) return 0;
  if (!b->is_synced && m.kind == OCT_RP_FLUSH)
    return fail(d, OCT_ERR_PACKET, "expected a sync at the beginning");
  const size_t end = find_mark(&b->in, m.end);
  if (end == b->in.n_bytes || !read_mark(d, end, &next)) return 0;
  /* It begins with ones, so that leading zeros count. */
  const uint32_t crc = oct_crc_bytes(16, 0, b->in.bytes + b->at, next.check_at - b->at);
  if (crc != next.check) return fail(d, OCT_ERR_CHECKSUM, "the check of a period does not agree");
  if ((rc = check_period(d, &m, &next)) || (rc = join_period(d, &m))) return rc;
  if (list) {
    list[0] = m;
    list[1] = next;
    return 1;
  }
  d->period.n_bytes = 0;
  if (oct_buffer_put(&d->period, b->in.bytes + m.end, end - m.end))
    return fail(d, OCT_ERR_NOMEM, "out of memory");
  d->last = next.number;
  d->from = b->insn;
  oct_rp_coder_read(&d->core.coder, d->period.bytes, d->period.n_bytes);
  b->counts.syncs += m.kind != OCT_RP_FLUSH;
  if (m.kind != OCT_RP_FLUSH && d->core.cfg.traps) d->told_privilege = m.privilege;
  if (m.kind != OCT_RP_FLUSH && (rc = begin_sync(d, &m))) return rc;
  read_item(d);
  d->in_period = true;
  b->at = end;
  return 1;
}

/* ---- Events ---- */

static int take_trap(decoder *d) {
  oct_trap t = {.kind = (uint8_t)other(d)};
  t.privilege = (uint8_t)other(d);
  if (t.kind != OCT_TRAP_PRIVILEGE) {
    t.cause = (uint32_t)other(d);
    t.addr = d->base.ip + other_signed(d, &d->core.probs.other);
  }
  if (t.kind == OCT_TRAP_EXCEPTION) t.tval = other(d);
  if (d->core.cfg.addr_bits == 32) t.addr = (uint32_t)t.addr;
  if (!d->core.cfg.traps || !oct_trap_is_valid(&t))
    return fail(d, OCT_ERR_PACKET, "expected a trap");
  d->privilege = d->told_privilege = t.privilege;
  d->has_had_traps = true;
  return oct_decoder_base_trap(d, &t);
}

/* A mark has another privilege than was given out. */
static int change_privilege(decoder *d) {
  const oct_trap t = {.kind = OCT_TRAP_PRIVILEGE, .privilege = d->told_privilege};
  d->privilege = d->told_privilege;
  d->has_had_traps = true;
  return oct_decoder_base_trap(d, &t);
}

static int take_register(decoder *d) {
  oct_rp_core *c = &d->core;
  const uint64_t i = other(d);
  uint8_t bytes[OCT_FACT_REGISTER_MAX] = {0};
  if (i >= c->machine.n_registers || !oct_rp_executes(c))
    return fail(d, OCT_ERR_PACKET, "expected a register");
  const oct_rp_register *r = &c->machine.registers[i];
  oct_rp_machine_get(&c->machine, r->number, bytes);
  for (unsigned k = 0; k < r->bytes; k += 8) {
    const unsigned n = r->bytes - k < 8u ? r->bytes - k : 8;
    oct_rp_put(bytes + k, oct_rp_get(bytes + k, n) + other_signed(d, &c->probs.other), n);
  }
  oct_rp_machine_set(&c->machine, r->number, bytes);
  return tell_register(d, (size_t)i, bytes);
}

static int take_forget(decoder *d) {
  oct_rp_core *c = &d->core;
  const uint64_t addr = c->told[0] + other_signed(d, &c->probs.other);
  c->told[0] = addr;
  const uint64_t n = other(d);
  oct_rp_forget(c, addr, n);
  const oct_fact f = {.kind = OCT_FACT_MEMORY,
                      .addr = c->cfg.addr_bits == 32 ? (uint32_t)addr : addr,
                      .n_bytes = n > UINT32_MAX ? UINT32_MAX : (uint32_t)n,
                      .insn = (uint32_t)(d->base.out.n_bytes / sizeof(oct_insn))};
  if (!n) return fail(d, OCT_ERR_PACKET, "expected bytes that somebody wrote");
  return oct_buffer_put(&d->base.out_facts, &f, sizeof f) ? fail(d, OCT_ERR_NOMEM, "out of memory")
                                                          : 0;
}

static int take_task(decoder *d) {
  oct_rp_core *c = &d->core;
  oct_rp_task_of(c)->pc = d->base.ip;
  int rc = switch_task(d, other(d));
  if (rc) return rc;
  oct_rp_task *t = oct_rp_task_of(c);
  d->base.ip = t->pc + other_signed(d, &c->probs.other);
  d->base.id = OCT_WALK_NONE;
  if (t->is_told) return 0;
  t->is_executed = oct_rp_raw(&c->coder, 0, 1);
  if (!t->is_executed) return 0;
  if (!c->machine.emulator) return fail(d, OCT_ERR_PACKET, "execution without an instruction set");
  oct_rp_code_registers(c);
  return tell_registers(d);
}

static int take_mode(decoder *d) {
  oct_rp_core *c = &d->core;
  oct_rp_task *t = oct_rp_task_of(c);
  if (!c->machine.emulator) return fail(d, OCT_ERR_PACKET, "execution without an instruction set");
  if (t->is_executed) {
    t->is_executed = false;
    return 0;
  }
  oct_rp_code_registers(c);
  return tell_registers(d);
}

/* ---- Instructions ---- */

static oct_access *new_made(decoder *d) {
  if (d->n_made == OCT_INSN_ACCESSES_MAX) {
    d->error = OCT_ERR_LIMIT;
    d->what = "too many accesses of one instruction";
    oct_emulator_stop(d->core.machine.emulator);
    return NULL;
  }
  oct_access *made = oct_grown(d->made, &d->room_made, d->n_made + 1, sizeof *made);
  if (!made) {
    d->error = OCT_ERR_NOMEM;
    d->what = "out of memory";
    oct_emulator_stop(d->core.machine.emulator);
    return NULL;
  }
  d->made = made;
  return &made[d->n_made++];
}

static void add_made(decoder *d, uint64_t addr, unsigned size_bytes, unsigned is_store,
                     const uint8_t *bytes) {
  oct_access *a = new_made(d);
  if (!a) return;
  *a = (oct_access){.addr = addr, .size_bytes = (uint8_t)size_bytes, .is_store = (uint8_t)is_store};
  if (bytes && !(a->value = oct_decoder_base_value(d, bytes, size_bytes))) {
    d->error = OCT_ERR_NOMEM;
    d->what = "out of memory";
  }
}

static void load_hook(void *context, uint64_t addr, unsigned size_bytes) {
  decoder *d = context;
  oct_rp_core *c = &d->core;
  uint8_t bytes[8] = {0};
  if (!d->has_current || d->error || oct_rp_machine_is_part(&c->machine, addr, size_bytes)) return;
  if (oct_rp_is_known(c, addr, size_bytes, true)) {
    c->error |= oct_emulator_peek(c->machine.emulator, addr, bytes, size_bytes);
  } else if (d->is_event) {
    d->error = OCT_ERR_PACKET;
    d->what = "a load wants a value, and an event comes";
    oct_emulator_stop(c->machine.emulator);
    return;
  } else {
    const uint64_t v = oct_rp_code_value(c, d->base.ip, (unsigned)d->n_made, addr, size_bytes, 0);
    oct_rp_put(bytes, v, size_bytes);
    c->error |= oct_emulator_poke(c->machine.emulator, addr, bytes, size_bytes);
    oct_rp_learn(c, addr, size_bytes);
    read_item(d);
  }
  add_made(d, addr, size_bytes, 0, bytes);
}

static void store_hook(void *context, uint64_t addr, unsigned size_bytes, uint64_t value) {
  decoder *d = context;
  uint8_t bytes[8];
  if (!d->has_current || d->error) return;
  oct_rp_put(bytes, value, size_bytes);
  oct_rp_learn(&d->core, addr, size_bytes);
  add_made(d, addr, size_bytes, 1, bytes);
}

/* Hand the instruction under way out; the program goes on at next. */
static int end_insn(decoder *d, uint64_t next) {
  const oct_map_entry *e = d->entry;
  if (!d->has_current) return 0;
  d->has_current = false;
  uint8_t flags = d->n_made < e->n_slots || (e->flags & OCT_MAP_VARIABLE) ? OCT_INSN_END : 0;
  for (size_t i = 0; i < d->n_made; i++)
    if (oct_buffer_put(&d->base.out_accesses, &d->made[i], sizeof d->made[i]))
      return fail(d, OCT_ERR_NOMEM, "out of memory");
  int rc = oct_decoder_base_emit(d, e, (unsigned)d->n_made, flags);
  d->base.ip = d->core.cfg.addr_bits == 32 ? (uint32_t)next : next;
  return rc;
}

/* The accesses of instruction d->entry are told: of one that is not executed, or as a correction.
 */
static int take_accesses(decoder *d, bool is_fix) {
  oct_rp_core *c = &d->core;
  const oct_map_entry *e = d->entry;
  const unsigned n = oct_rp_tell_count(c, e, 0);
  uint8_t bytes[64];
  if (n > OCT_INSN_ACCESSES_MAX)
    return fail(d, OCT_ERR_LIMIT, "too many accesses of one instruction");
  for (size_t i = 0; is_fix && i < d->n_made; i++)
    if (d->made[i].is_store) oct_rp_forget(c, d->made[i].addr, d->made[i].size_bytes);
  d->n_made = 0;
  for (unsigned k = 0; k < n && !d->error; k++) {
    const uint8_t slot = oct_map_slot(d->base.walk.map, &e->head, k);
    uint64_t addr = 0;
    bool has_value = false;
    memset(bytes, 0, sizeof bytes);
    oct_rp_tell_access(c, e->addr, k, slot, is_fix, &addr, bytes, &has_value);
    const unsigned log2_size = slot & OCT_SLOT_SIZE_MASK;
    add_made(d, addr, log2_size == OCT_SLOT_SIZE_UNKNOWN ? 0 : 1u << log2_size,
             (slot & OCT_SLOT_STORE) != 0, has_value ? bytes : NULL);
  }
  return d->error ? fail(d, d->error, d->what) : 0;
}

/* An event at this place. 1: the period ends. */
static int take_event(decoder *d) {
  int rc = 0;
  if (d->event != OCT_RP_FIX && (rc = end_insn(d, d->next_ip))) return rc;
  switch (d->event) {
    case OCT_RP_END:
      return 1;
    case OCT_RP_TRAP:
      rc = take_trap(d);
      break;
    case OCT_RP_REGISTER:
      rc = take_register(d);
      break;
    case OCT_RP_FORGET:
      rc = take_forget(d);
      break;
    case OCT_RP_JUMP:
      d->base.ip += other_signed(d, &d->core.probs.other);
      break;
    case OCT_RP_TASK:
      rc = take_task(d);
      break;
    case OCT_RP_MODE:
      rc = take_mode(d);
      break;
    case OCT_RP_FIX:
      rc = d->has_current ? take_accesses(d, true)
                          : fail(d, OCT_ERR_PACKET, "a correction of no instruction");
      break;
  }
  if (d->core.cfg.addr_bits == 32) d->base.ip = (uint32_t)d->base.ip;
  if (!rc && oct_uncode_is_past(&d->core.coder.uncode))
    rc = fail(d, OCT_ERR_PACKET, "a period that ends before its last event");
  if (!rc) read_item(d);
  return rc;
}

/* Number of the instruction behind the one under way. */
static uint64_t next_number(const decoder *d) {
  return d->base.insn + d->has_current;
}

static bool is_event_due(const decoder *d) {
  return (d->is_event && d->at <= next_number(d)) || next_number(d) >= d->last;
}

static int insn_hook(void *context, uint64_t addr) {
  decoder *d = context;
  oct_decoder_base *b = &d->base;
  if (d->is_prepared) {
    d->is_prepared = false;
  } else {
    if (d->error || d->core.error || is_event_due(d)) return 1;
    if ((d->error = end_insn(d, addr))) return 1;
    if (oct_decoder_base_is_full(b) || d->codes.next <= b->insn) return 1;
    if ((d->error = oct_decoder_base_find(d, &d->entry)) || oct_isa_is_outside(d->entry)) {
      d->error = 0; /* told outside of the emulator */
      return 1;
    }
  }
  d->has_current = true;
  d->n_made = 0;
  d->core.machine.n_parts = 0;
  return 0;
}

/* Registers that the instruction at pc has changed. */
static int take_changes(decoder *d, uint64_t pc) {
  oct_rp_core *c = &d->core;
  uint8_t bytes[OCT_FACT_REGISTER_MAX] = {0};
  unsigned which = 0;
  for (unsigned n = 0; oct_rp_code_change(c, pc, n, true, &which, bytes); n++) {
    if (n == OCT_REGISTERS_MAX) return fail(d, OCT_ERR_PACKET, "too many changed registers");
    int rc = tell_register(d, which, bytes);
    if (rc) return rc;
  }
  return 0;
}

static int tell_insn(decoder *d) {
  const oct_map_entry *e = d->entry;
  int rc = 0;
  const bool executes = oct_rp_executes(&d->core), has_data = oct_rp_has_data(e);
  d->n_made = 0;
  if (has_data || executes) {
    if (d->is_event) return fail(d, OCT_ERR_PACKET, "expected accesses, and an event comes");
    oct_rp_close(&d->core.coder);
    if (has_data && (rc = take_accesses(d, false))) return rc;
  }
  const uint64_t next = oct_rp_next_of(&d->core, e);
  d->has_current = true;
  if ((rc = end_insn(d, next))) return rc;
  if (executes && (rc = take_changes(d, e->addr))) return rc;
  d->owes_results = executes && d->tells_results && oct_isa_is_outside(e);
  if (has_data || executes) read_item(d);
  return 0;
}

/* As the encoder's. The instruction under way stays open, for it may be corrected. */
static int execute(decoder *d) {
  oct_decoder_base *b = &d->base;
  uint64_t pc = b->ip;
  const uint64_t first = b->insn;
  d->is_prepared = true;
  const int fault =
      oct_emulator_run(d->core.machine.emulator, &pc, d->entry->code_isa == OCT_ISA_THUMB + 1);
  if (d->error) return d->what ? fail(d, d->error, d->what) : d->error;
  if (!d->has_current && !fault) b->ip = pc;
  d->next_ip = pc;
  if (!fault || (d->has_current && pc != b->ip)) return 0;
  const bool failed = d->has_current || b->insn == first;
  d->has_current = false;
  return failed ? tell_insn(d) : 0;
}

static int step(decoder *d) {
  oct_decoder_base *b = &d->base;
  int rc = d->privilege == d->told_privilege ? 0 : change_privilege(d);
  if (!rc && d->tells_registers) rc = tell_registers(d);
  d->tells_registers = false;
  if (rc) return rc;
  while (is_event_due(d)) {
    if (!d->is_event || d->at < next_number(d))
      return fail(d, OCT_ERR_PACKET, "an event before its place, or none at the end of a period");
    if ((rc = take_event(d))) {
      if (rc != 1) return rc;
      d->in_period = false;
      return 0;
    }
  }
  if ((rc = end_insn(d, d->next_ip))) return rc;
  if ((rc = oct_rp_codes_apply(&d->codes, d->core.machine.emulator, b->insn)))
    return fail(d, rc, "a program of more code than a replay can hold");
  if (oct_decoder_base_is_full(b)) return 0;
  if ((rc = oct_decoder_base_find(d, &d->entry))) return rc;
  if (d->owes_results && oct_rp_executes(&d->core) && (rc = tell_results(d))) return rc;
  return oct_rp_executes(&d->core) && !oct_isa_is_outside(d->entry) ? execute(d) : tell_insn(d);
}

/* ---- The interface ---- */

/* A sync, but none of a part that came already. */
static bool search(void *context) {
  decoder *d = context;
  oct_decoder_base *b = &d->base;
  mark m;
  for (;; b->at++) {
    b->at = find_mark(&b->in, b->at);
    if (b->at == b->in.n_bytes) break;
    if (b->in.bytes[b->at + OCT_RP_ONES] == OCT_RP_FLUSH) continue;
    if (!read_mark(d, b->at, &m)) return false;
    if (m.number >= b->out_insn) return true;
  }
  /* A mark may begin with the last bytes. */
  b->at -= b->at < OCT_RP_ONES ? b->at : OCT_RP_ONES;
  return false;
}

static bool is_at_sync(const decoder *d) {
  const oct_buffer *in = &d->base.in;
  return in->n_bytes > d->base.at + OCT_RP_ONES &&
         in->bytes[d->base.at + OCT_RP_ONES] != OCT_RP_FLUSH;
}

static int run(void *context) {
  decoder *d = context;
  oct_decoder_base *b = &d->base;
  if (!oct_decoder_base_is_found(d, search)) return 0;
  for (int rc;;) {
    if (!d->in_period) {
      if (oct_decoder_base_waits(b) && is_at_sync(d)) return 1;
      if ((rc = begin_period(d, NULL)) != 1) return rc;
    }
    while (d->in_period && !b->has_gap && !oct_decoder_base_is_full(b)) {
      if ((rc = step(d))) return rc;
      if (d->core.error) return fail(d, OCT_ERR_LIMIT, "a replay of more memory than it can hold");
      if (d->core.coder.uncode.is_bad)
        return fail(d, OCT_ERR_PACKET, "a value that no encoder sends");
    }
    if (b->has_gap || oct_decoder_base_is_full(b)) return 1;
  }
}

/* The last mark is a flush, with nothing behind it. */
static bool is_open(const void *context) {
  const decoder *d = context;
  mark m;
  return d->in_period || !d->base.is_synced || !read_mark(d, d->base.at, &m) ||
         m.kind != OCT_RP_FLUSH || m.end != d->base.in.n_bytes;
}

int oct_rp_decoder_next(void *context, oct_decoded *out, oct_diag *diag) {
  decoder *d = context;
  int rc = oct_decoder_base_next(d, run, is_open, out, diag);
  /* Nothing is decoded before its check has agreed. */
  if (rc == 1) out->confirmed_insns = d->base.insn;
  if (rc == 1 && out->is_gap) {
    out->lost_accesses = d->gap_accesses;
    d->gap_accesses = 0;
  }
  return rc;
}

int oct_rp_decoder_resync(void *context, oct_diag *diag) {
  decoder *d = context;
  (void)diag;
  d->in_period = d->has_current = d->tells_registers = d->owes_results = false;
  d->error = d->core.error = 0;
  d->what = NULL;
  d->gap_accesses = 0;
  /* What was decoded last may not have been given out: the next sync tells its privilege anew. If
   * no trap ever came, a privilege that is not known is nothing new. */
  d->privilege = d->told_privilege = OCT_PRIVILEGE_UNKNOWN + d->has_had_traps;
  d->base.id = OCT_WALK_NONE;
  return oct_decoder_base_resync(d, search);
}

void oct_rp_decoder_had_privilege(void *context, unsigned privilege) {
  decoder *d = context;
  d->privilege = d->told_privilege = (uint8_t)privilege;
}

void oct_rp_decoder_tell_results(void *context) {
  ((decoder *)context)->tells_results = true;
}

/* ---- Listing ---- */

int oct_rp_packets_create(const oct_tracer *tracer, const uint32_t *params, oct_decoder_start start,
                          void **out, oct_diag *diag) {
  uint32_t values[OCT_RP_N_PARAMS];
  oct_rp_config cfg = oct_rp_config_of(params);
  cfg.isa = 0; /* marks and periods need no emulator */
  oct_rp_config_put(&cfg, values);
  return oct_rp_decoder_create(tracer, values, start, out, diag);
}

static void describe_mark(const decoder *d, const mark *m, oct_packet *p) {
  static const char *const words[OCT_RP_KIND_LAST + 1][2] = {
      [OCT_RP_SYNC] = {"sync", "a decoder can begin here"},
      [OCT_RP_FLUSH] = {"flush", "all instructions so far are decodable"},
      [OCT_RP_RESUME] = {"resume", "a sync; instructions before it were lost"}};
  oct_packet_describe(p, words[m->kind][0], words[m->kind][1]);
  oct_packet_add(p, "number", m->number, 64, false);
  if (m->kind == OCT_RP_RESUME) {
    oct_packet_add(p, "lost_insns", m->lost_insns, 64, false);
    oct_packet_add(p, "lost_accesses", m->lost_accesses, 64, false);
  }
  p->is_sync = m->kind != OCT_RP_FLUSH;
  if (p->is_sync) oct_packet_add(p, "task", m->task, 64, false);
  if (p->is_sync && d->core.cfg.traps) oct_packet_add(p, "privilege", m->privilege, 8, false);
  oct_packet_add(p, "check", m->check, 8 * OCT_RP_CHECK_BYTES, true);
}

/* The next mark with a period behind it, or the last one. */
static int list_mark(decoder *d, oct_packet *p) {
  oct_decoder_base *b = &d->base;
  mark m[2];
  int rc = begin_period(d, m);
  if (!rc && b->is_finished && read_mark(d, b->at, &m[0])) {
    /* The last one; no check is behind it. */
    if (m[0].kind != OCT_RP_FLUSH || m[0].end != b->in.n_bytes || m[0].number != b->insn)
      return fail(d, OCT_ERR_TRUNCATED, "the stream ends where tracing goes on");
    rc = 1;
  } else if (rc == 1) {
    d->last = m[1].number;
    d->in_period = true;
  }
  if (rc != 1) return rc;
  b->at = m[0].end;
  b->has_gap = false;
  p->insn = b->insn;
  describe_mark(d, &m[0], p);
  return 1;
}

static int list_step(void *context, oct_packet *p) {
  decoder *d = context;
  oct_decoder_base *b = &d->base;
  if (!d->in_period) return list_mark(d, p);
  b->bit = 8 * (b->base_bytes + b->at);
  const uint64_t n_insns = d->last - b->insn;
  const size_t end = find_mark(&b->in, b->at);
  oct_packet_describe(p, "period", "");
  oct_packet_add(p, "insns", n_insns, 64, false);
  snprintf(p->text, sizeof p->text, "%.4f bits per instruction",
           n_insns ? 8 * (double)(end - b->at) / (double)n_insns : 0.0);
  b->at = end;
  b->insn = b->out_insn = d->last;
  d->in_period = false;
  return 1;
}

int oct_rp_packets_next(void *context, oct_packet *out, oct_diag *diag) {
  return oct_decoder_base_list(context, search, list_step, out, diag);
}
