/* SPDX-License-Identifier: Apache-2.0 */
/* oct_replay_core.c - what encoder and decoder of the tracer `replay` both hold and do
 * (docs/replay-format.md).
 *
 * The filter has tags and valid bits and no data. A line that is looked for and found becomes the
 * one used last; the one used least recently makes room. A value that is sent is the last one of
 * its instruction and its stride, or the last one; else it is a number, counted from zero, from the
 * last one or from its own address, whichever is shortest. */
#include "oct_replay_core.h"

#include "oct_grow.h"
#include "oct_mask.h"

#include <stdlib.h>
#include <string.h>

int oct_rp_core_init(oct_rp_core *c, const uint32_t *params, bool is_decoding,
                     const oct_emulator_hooks *hooks) {
  memset(c, 0, sizeof *c);
  c->cfg = oct_rp_config_of(params);
  c->coder.is_decoding = is_decoding;
  c->line_log2 = oct_log2(c->cfg.line_bytes);
  c->grain_log2 = oct_log2(c->cfg.grain_bytes);
  c->set_log2 = oct_log2(c->cfg.filter_sets);
  const size_t n = (size_t)c->cfg.filter_sets * c->cfg.filter_ways;
  c->lines = calloc(n, sizeof *c->lines);
  c->order = malloc(n);
  c->values = calloc(c->cfg.value_entries, sizeof *c->values);
  c->told = calloc(c->cfg.told_entries, sizeof *c->told);
  if (!c->lines || !c->order || !c->values || !c->told) return OCT_ERR_NOMEM;
  if (c->cfg.isa) {
    int rc = oct_rp_machine_init(&c->machine, (oct_isa)(c->cfg.isa - 1), hooks);
    if (rc) return rc;
  }
  oct_rp_core_reset(c);
  return oct_rp_switch(c, 0);
}

void oct_rp_core_free(oct_rp_core *c) {
  oct_emulator_free(c->machine.emulator);
  free(c->lines);
  free(c->order);
  free(c->values);
  free(c->told);
  free(c->tasks);
  memset(c, 0, sizeof *c);
}

void oct_rp_core_reset(oct_rp_core *c) {
  const size_t n = (size_t)c->cfg.filter_sets * c->cfg.filter_ways;
  for (size_t i = 0; i < OCT_RP_N_PROBS; i++) c->all_probs[i] = OCT_PROB_HALF;
  memset(c->lines, 0, n * sizeof *c->lines);
  for (size_t i = 0; i < n; i++) c->order[i] = (uint8_t)(i % c->cfg.filter_ways);
  memset(c->values, 0, c->cfg.value_entries * sizeof *c->values);
  memset(c->told, 0, c->cfg.told_entries * sizeof *c->told);
  for (size_t i = 0; i < c->n_tasks; i++) {
    c->tasks[i].is_told = false;
    c->tasks[i].pc = 0;
  }
}

/* ---- The filter ---- */

static size_t set_of(const oct_rp_core *c, uint64_t line) {
  return (size_t)(line ^ line >> c->set_log2) & (c->cfg.filter_sets - 1);
}

/* The way of the set at `set` that holds the line, or -1. Lines without a valid bit hold none. */
static int way_of(const oct_rp_core *c, size_t set, uint64_t line) {
  const oct_rp_line *l = c->lines + set * c->cfg.filter_ways;
  const unsigned last = c->order[set * c->cfg.filter_ways];
  if (l[last].valid && l[last].tag == line) return (int)last;
  for (unsigned i = 0; i < c->cfg.filter_ways; i++)
    if (l[i].valid && l[i].tag == line) return (int)i;
  return -1;
}

static void use(oct_rp_core *c, size_t set, unsigned way) {
  uint8_t *order = c->order + set * c->cfg.filter_ways;
  unsigned i = 0;
  while (order[i] != way) i++;
  for (; i; i--) order[i] = order[i - 1];
  order[0] = (uint8_t)way;
}

/* Bits of the grains from byte `from` of a line on, n bytes: those touched, or those filled. */
static uint64_t touched(const oct_rp_core *c, unsigned from, unsigned n) {
  const unsigned first = from >> c->grain_log2, last = (from + n - 1) >> c->grain_log2;
  return (UINT64_MAX >> (63 - last)) & (UINT64_MAX << first);
}
static uint64_t filled(const oct_rp_core *c, unsigned from, unsigned n) {
  const unsigned first = (from + c->cfg.grain_bytes - 1) >> c->grain_log2;
  const unsigned end = (from + n) >> c->grain_log2;
  return end <= first ? 0 : (UINT64_MAX >> (64 - end)) & (UINT64_MAX << first);
}

static uint64_t top_of(const oct_rp_core *c) {
  return oct_mask(c->cfg.addr_bits);
}

bool oct_rp_is_known(oct_rp_core *c, uint64_t addr, unsigned n, bool is_use) {
  while (n) {
    addr &= top_of(c);
    const uint64_t line = addr >> c->line_log2;
    const unsigned from = (unsigned)addr & (c->cfg.line_bytes - 1), left = c->cfg.line_bytes - from;
    const unsigned k = n < left ? n : left;
    const size_t set = set_of(c, line);
    const int way = way_of(c, set, line);
    if (way < 0) return false;
    if (is_use) use(c, set, (unsigned)way);
    const uint64_t bits = touched(c, from, k);
    if ((c->lines[set * c->cfg.filter_ways + (unsigned)way].valid & bits) != bits) return false;
    addr += k;
    n -= k;
  }
  return true;
}

void oct_rp_learn(oct_rp_core *c, uint64_t addr, unsigned n) {
  while (n) {
    addr &= top_of(c);
    const uint64_t line = addr >> c->line_log2;
    const unsigned from = (unsigned)addr & (c->cfg.line_bytes - 1), left = c->cfg.line_bytes - from;
    const unsigned k = n < left ? n : left;
    const uint64_t bits = filled(c, from, k);
    const size_t set = set_of(c, line);
    int way = way_of(c, set, line);
    if (way < 0 && bits) {
      way = c->order[set * c->cfg.filter_ways + c->cfg.filter_ways - 1];
      c->lines[set * c->cfg.filter_ways + (unsigned)way] = (oct_rp_line){.tag = line};
    }
    if (way >= 0) {
      c->lines[set * c->cfg.filter_ways + (unsigned)way].valid |= bits;
      use(c, set, (unsigned)way);
    }
    addr += k;
    n -= k;
  }
}

/* The bits of line l that n bytes from addr on touch. */
static uint64_t touched_of(const oct_rp_core *c, const oct_rp_line *l, uint64_t addr, uint64_t n) {
  const uint64_t start = l->tag << c->line_log2, last = addr + (n - 1);
  if (!n || !l->valid || start > last || start + (c->cfg.line_bytes - 1) < addr) return 0;
  const unsigned from = addr > start ? (unsigned)(addr - start) : 0;
  const uint64_t end = last - start < c->cfg.line_bytes ? last - start + 1 : c->cfg.line_bytes;
  return touched(c, from, (unsigned)end - from) & l->valid;
}

/* The lines that n bytes at addr may be in are those of their sets, or all. */
void oct_rp_forget(oct_rp_core *c, uint64_t addr, uint64_t n) {
  const size_t ways = c->cfg.filter_ways, all = (size_t)c->cfg.filter_sets * ways;
  if (!n) return;
  addr &= top_of(c);
  if (n - 1 > top_of(c) - addr) n = top_of(c) - addr + 1;
  const uint64_t first = addr >> c->line_log2, last = (addr + (n - 1)) >> c->line_log2;
  const bool few = last - first < c->cfg.filter_sets;
  for (uint64_t i = few ? first : 0; few ? i <= last : i < all; i++) {
    const size_t from = few ? set_of(c, i) * ways : (size_t)i, to = few ? from + ways : from + 1;
    for (size_t k = from; k < to; k++) c->lines[k].valid &= ~touched_of(c, &c->lines[k], addr, n);
    if (few && i == last) break;
  }
}

/* ---- What is coded ---- */

uint64_t oct_rp_code_number(oct_rp_coder *c, oct_rp_number *n, uint64_t v) {
  unsigned length = oct_bit_width(v);
  const uint32_t told = length < OCT_RP_LENGTH_LAST ? length : OCT_RP_LENGTH_LAST;
  length = oct_rp_tree(c, n->length, told, OCT_RP_LENGTH_BITS) - (1u << OCT_RP_LENGTH_BITS);
  if (length < 2) return length;
  if (length == OCT_RP_LENGTH_LAST) return oct_rp_raw(c, v, 64);
  const unsigned second = oct_rp_bit(
      c, &n->below[length < OCT_RP_BELOW ? length : OCT_RP_BELOW - 1], v >> (length - 2) & 1);
  return (UINT64_C(2) | second) << (length - 2) | oct_rp_raw(c, v, length - 2);
}

static uint64_t fold(uint64_t d) {
  return d << 1 ^ (0 - (d >> 63));
}
static uint64_t unfold(uint64_t v) {
  return v >> 1 ^ (0 - (v & 1));
}

uint64_t oct_rp_code_signed(oct_rp_coder *c, oct_rp_number *n, uint64_t v) {
  return unfold(oct_rp_code_number(c, n, fold(v)));
}

/* The lowest 8 * n_bytes bits, as they are, or with a sign. */
static uint64_t cut(uint64_t v, unsigned n_bytes) {
  return v & oct_mask(8 * n_bytes);
}
static uint64_t extend(uint64_t v, unsigned n_bytes) {
  return oct_sign_extend(v, 8 * n_bytes);
}

/* The entry of access `number` of the instruction at pc, in a table of so many. */
static size_t place(uint64_t pc, unsigned number, uint32_t entries) {
  const unsigned n = oct_log2(entries);
  const uint64_t w = (pc >> 2) + 8 * (pc & 3) + number;
  return (size_t)(w ^ w >> n ^ w >> 2 * n) & (entries - 1);
}

/* About how many eighths of a bit an outcome costs. */
static unsigned cost_of_bit(const oct_prob *p, unsigned bit) {
  /* 8 * -log2((i + 0.5) / 32) */
  static const uint8_t costs[32] = {48, 35, 29, 26, 23, 20, 18, 17, 15, 14, 13, 12, 11, 10, 9, 8,
                                    8,  7,  6,  6,  5,  5,  4,  4,  3,  3,  2,  2,  1,  1,  1, 0};
  const unsigned part = *p >> 11;
  return costs[bit ? part : 31 - part];
}

static unsigned cost_of_tree(const oct_prob *tree, uint32_t v, unsigned n) {
  unsigned node = 1, cost = 0;
  while (n--) {
    const unsigned bit = v >> n & 1;
    cost += cost_of_bit(&tree[node], bit);
    node = 2 * node + bit;
  }
  return cost;
}

/* The kind of a value that costs least, about, as a circuit can tell in a cycle: how often kinds
 * were chosen counts, numbers by their length, bytes alike. A difference from the address is a
 * short one, for which the queue has room. d: what the numbers are. */
static unsigned cheapest(const oct_rp_probs *p, unsigned size, const uint64_t *d) {
  enum { EIGHTHS = 8, NUMBER = 20, BYTE = 52 };
  unsigned best = 0, least = UINT32_MAX;
  for (unsigned kind = 0; kind <= OCT_RP_BYTES; kind++) {
    unsigned cost = cost_of_tree(p->from[size], kind, OCT_RP_FROM_BITS);
    if (kind == OCT_RP_FROM_ADDRESS && oct_bit_width(d[kind]) > OCT_RP_NEAR_BITS) continue;
    cost +=
        kind < OCT_RP_BYTES ? NUMBER + EIGHTHS * oct_bit_width(d[kind]) : (unsigned)BYTE << size;
    if (cost < least) best = kind, least = cost;
  }
  return best;
}

/* A value that no guess has foreseen. */
static uint64_t code_number_of(oct_rp_core *c, unsigned size, uint64_t last, uint64_t addr,
                               uint64_t v) {
  oct_rp_probs *p = &c->probs;
  oct_rp_coder *rc = &c->coder;
  const unsigned n = 1u << size;
  const uint64_t from[] = {0, last, cut(addr, n)};
  oct_rp_number *const numbers[] = {&p->from_zero, &p->from_last, &p->from_address};
  uint64_t d[3], bytes = 0;
  unsigned kind = 0;
  for (unsigned i = 0; i < 3; i++) d[i] = fold(extend(v - from[i], n));
  if (!rc->is_decoding) kind = cheapest(p, size, d);
  kind = oct_rp_tree(rc, p->from[size], kind, OCT_RP_FROM_BITS) - (1u << OCT_RP_FROM_BITS);
  if (kind < OCT_RP_BYTES)
    return cut(from[kind] + unfold(oct_rp_code_number(rc, numbers[kind], d[kind])), n);
  for (unsigned i = 0; i < n; i++)
    bytes |= (uint64_t)(oct_rp_tree(rc, p->byte, v >> 8 * i & 255, 8) - 256) << 8 * i;
  return bytes;
}

uint64_t oct_rp_code_value(oct_rp_core *c, uint64_t pc, unsigned number, uint64_t addr,
                           unsigned size_bytes, uint64_t v) {
  const unsigned size = oct_log2(size_bytes);
  oct_rp_probs *p = &c->probs;
  oct_rp_coder *rc = &c->coder;
  oct_rp_value *e = &c->values[place(pc, number, c->cfg.value_entries)];
  const uint64_t next = cut(e->last + e->stride, size_bytes), last = cut(e->last, size_bytes);
  if (!rc->is_open) oct_rp_open(rc, OCT_RP_SYMBOL_DECISIONS - 1);
  const unsigned is_next = oct_rp_path(rc, &p->is_next[size][e->confidence], v == next);
  const unsigned is_last =
      !is_next && next != last && oct_rp_path(rc, &p->is_last[size], v == last);
  oct_rp_close(rc);
  v = is_next ? next : is_last ? last : code_number_of(c, size, last, addr, v);
  if (is_next)
    e->confidence += e->confidence < OCT_RP_CONFIDENCES - 1;
  else
    e->confidence = e->confidence ? e->confidence - 1 : 0;
  e->stride = (uint64_t)(int64_t)(int16_t)(v - last);
  e->last = v;
  return v;
}

void oct_rp_code_bytes(oct_rp_core *c, uint64_t pc, unsigned number, uint64_t addr, uint8_t *bytes,
                       unsigned n) {
  for (unsigned i = 0, k; i < n; i += k) {
    k = n - i >= 8 ? 8 : 1u << oct_log2(n - i);
    const uint64_t v = oct_rp_code_value(c, pc, number, addr + i, k, oct_rp_get(bytes + i, k));
    oct_rp_put(bytes + i, v, k);
  }
}

unsigned oct_rp_tell_count(oct_rp_core *c, const oct_map_entry *e, unsigned n) {
  oct_rp_coder *rc = &c->coder;
  const bool is_fixed = !(e->flags & OCT_MAP_VARIABLE);
  if (is_fixed && oct_rp_bit(rc, &c->probs.is_usual, n == e->n_slots)) return e->n_slots;
  return (unsigned)oct_rp_code_number(rc, &c->probs.other, n);
}

void oct_rp_tell_access(oct_rp_core *c, uint64_t pc, unsigned number, uint8_t slot, bool is_fix,
                        uint64_t *addr, uint8_t *bytes, bool *has_value) {
  oct_rp_coder *rc = &c->coder;
  uint64_t *told = &c->told[place(pc, number, c->cfg.told_entries)];
  const unsigned log2_size = slot & OCT_SLOT_SIZE_MASK, n = 1u << log2_size;
  const bool is_store = slot & OCT_SLOT_STORE;
  *addr = (*told + oct_rp_code_signed(rc, &c->probs.other, *addr - *told)) & top_of(c);
  *told = *addr;
  if (log2_size == OCT_SLOT_SIZE_UNKNOWN) {
    *has_value = false;
    return;
  }
  if (c->machine.emulator && !is_store && !is_fix && oct_rp_is_known(c, *addr, n, true)) {
    uint8_t held[64];
    c->error |= oct_emulator_peek(c->machine.emulator, *addr, held, n);
    const bool is_other = *has_value && memcmp(held, bytes, n) != 0;
    *has_value = true;
    if (!oct_rp_bit(rc, &c->probs.is_other, is_other)) {
      memcpy(bytes, held, n);
      return;
    }
  } else {
    *has_value = oct_rp_bit(rc, &c->probs.has_value[is_store], *has_value);
  }
  if (*has_value) oct_rp_code_bytes(c, pc, number, *addr, bytes, n);
  if (!c->machine.emulator) return;
  if (*has_value) {
    c->error |= oct_emulator_poke(c->machine.emulator, *addr, bytes, n);
    oct_rp_learn(c, *addr, n);
  } else if (is_store) {
    oct_rp_forget(c, *addr, n);
  }
}

bool oct_rp_code_change(oct_rp_core *c, uint64_t pc, unsigned n, bool is_changed, unsigned *which,
                        uint8_t *bytes) {
  enum { OF_REGISTERS = 64 };
  if (!oct_rp_bit(&c->coder, &c->probs.is_changed[n > 0], is_changed)) return false;
  *which = (unsigned)oct_rp_code_number(&c->coder, &c->probs.other, *which);
  if (*which >= c->machine.n_registers) *which = 0; /* nothing that an encoder sends */
  const oct_rp_register *r = &c->machine.registers[*which];
  oct_rp_code_bytes(c, pc, OF_REGISTERS + *which, 0, bytes, r->bytes);
  oct_rp_machine_set(&c->machine, r->number, bytes);
  return true;
}

uint64_t oct_rp_next_of(oct_rp_core *c, const oct_map_entry *e) {
  enum { LR = 14 };
  const bool is_arm = c->cfg.isa == OCT_ISA_ARM + 1 || c->cfg.isa == OCT_ISA_THUMB + 1;
  uint8_t lr[4];
  if (e->code_isa || !is_arm || !oct_rp_executes(c)) return oct_rp_next_pc(e);
  oct_emulator_get(c->machine.emulator, LR, lr);
  return oct_rp_get(lr, sizeof lr) & ~UINT64_C(1);
}

/* A register is zero, or differs from the one before it. */
static void code_register(oct_rp_core *c, uint8_t *bytes, unsigned n, uint64_t *before) {
  for (unsigned i = 0; i < n; i += 8) {
    const unsigned k = n - i < 8 ? n - i : 8;
    uint64_t v = oct_rp_get(bytes + i, k);
    bool is_near = oct_bit_width(fold(extend(v - *before, k))) < oct_bit_width(fold(extend(v, k)));
    oct_rp_open(&c->coder, 2);
    const unsigned is_zero = oct_rp_path(&c->coder, &c->probs.register_zero, v == 0);
    if (!is_zero) is_near = oct_rp_path(&c->coder, &c->probs.register_near, is_near);
    oct_rp_close(&c->coder);
    if (is_zero) {
      v = 0;
    } else {
      const uint64_t from = is_near ? *before : 0;
      v = cut(from + oct_rp_code_signed(&c->coder, &c->probs.other, extend(v - from, k)), k);
      *before = v;
    }
    oct_rp_put(bytes + i, v, k);
  }
}

void oct_rp_code_registers(oct_rp_core *c) {
  oct_rp_task *t = oct_rp_task_of(c);
  uint64_t before = 0;
  if (!c->coder.is_decoding) oct_rp_registers_save(c);
  for (unsigned i = 0; i < c->machine.n_registers; i++)
    code_register(c, t->registers + c->machine.registers[i].at, c->machine.registers[i].bytes,
                  &before);
  t->is_told = t->is_executed = true;
  t->is_unsure = false;
  oct_rp_registers_load(c);
}

/* ---- Tasks ---- */

void oct_rp_registers_save(oct_rp_core *c) {
  oct_rp_machine_save(&c->machine, oct_rp_task_of(c)->registers);
}

void oct_rp_registers_load(oct_rp_core *c) {
  oct_rp_machine_load(&c->machine, oct_rp_task_of(c)->registers);
}

int oct_rp_add_task(oct_rp_core *c, uint32_t number) {
  oct_rp_task *tasks = oct_grown(c->tasks, &c->room_tasks, c->n_tasks + 1, sizeof *tasks);
  if (!tasks) return OCT_ERR_NOMEM;
  c->tasks = tasks;
  memset(&tasks[c->n_tasks], 0, sizeof *tasks);
  tasks[c->n_tasks++].number = number;
  return 0;
}

int oct_rp_switch(oct_rp_core *c, uint32_t number) {
  size_t i = 0;
  while (i < c->n_tasks && c->tasks[i].number != number) i++;
  if (c->n_tasks && oct_rp_task_of(c)->is_executed) oct_rp_registers_save(c);
  if (i == c->n_tasks && oct_rp_add_task(c, number)) return OCT_ERR_NOMEM;
  c->task = i;
  if (oct_rp_task_of(c)->is_executed) oct_rp_registers_load(c);
  return 0;
}
