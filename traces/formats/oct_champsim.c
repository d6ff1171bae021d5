/* SPDX-License-Identifier: Apache-2.0 */
/* oct_champsim.c - ChampSim's records of 64 bytes, and of 96 bytes as CloudSuite's traces have them
 * (docs/formats/champsim.md).
 *
 * No record says how long its instruction is: the next one of a branch that was not taken, or of no
 * branch, stands right behind it. */
#include "oct_grow.h"
#include "oct_isa_vectors.h"
#include "oct_lines.h"
#include "octrace/map.h"

#include <string.h>

enum { LOADS = 4, REGS_AT = 10, RECORD_MAX_BYTES = 96 };

typedef struct layout {
  size_t bytes;
  unsigned stores; /* destination registers, and as many store addresses */
  size_t asid_at;  /* 0 = none */
} layout;
static const layout champsim = {64, 2, 0}, cloudsuite = {96, 4, 88};

enum { CHAMPSIM, CLOUDSUITE }; /* variants */

static const layout *layout_of(const oct_format_desc *format) {
  return format->variant == CLOUDSUITE ? &cloudsuite : &champsim;
}

static size_t stores_at(const layout *f) {
  return (REGS_AT + f->stores + LOADS + 7) / 8 * 8;
}

static int parse(oct_reader *r, const uint8_t *p, oct_diag *diag) {
  const layout *f = layout_of(r->format);
  const uint8_t *stores = p + stores_at(f), *loads = stores + 8 * f->stores;
  int rc = 0;
  static const uint8_t zeros[RECORD_MAX_BYTES];
  if (!memcmp(p, zeros, f->bytes))
    return oct_input_fail(r->in, oct_input_offset(r->in), diag, OCT_ERR_FORMAT,
                          "a record of zeros, as a hole in a file reads: expected an instruction");
  if (p[8] > 1 || p[9] > 1)
    return oct_record_wrong(r, "branch and taken of 0 or 1", oct_get_le(p + 8, 2), diag);
  if (oct_reader_is_full(r, 1)) return 1;
  oct_insn *insn =
      oct_reader_add_insn(r, oct_get_le(p, 8), p[8] && p[9] ? OCT_SIZE_JUMPED : OCT_SIZE_NEXT);
  if (f->asid_at) insn->task = (uint32_t)oct_get_le(p + f->asid_at, 2);
  for (unsigned i = 0; !rc && i < LOADS; i++) {
    uint64_t addr = oct_get_le(loads + 8 * i, 8);
    if (addr) rc = oct_reader_add_access(r, addr, 0, 0, diag);
  }
  for (unsigned i = 0; !rc && i < f->stores; i++) {
    uint64_t addr = oct_get_le(stores + 8 * i, 8);
    if (addr) rc = oct_reader_add_access(r, addr, 0, 1, diag);
  }
  return rc;
}

static int champsim_fill(oct_reader *r, oct_diag *diag) {
  return oct_records_fill(r, layout_of(r->format)->bytes, parse, diag);
}

/* ---- Registers ----
 *
 * ChampSim has the kind of a branch from its registers: whether it reads or writes the instruction
 * pointer, the stack pointer, flags and others. Its numbers are those of Pin for x86: 6, 25 and 26
 * for these three. Registers of other instruction sets, and those of floating point and vectors,
 * have numbers that clash with none of them. */

enum {
  REG_STACK = 6,
  REG_FLAGS = 25,
  REG_IP = 26,
  REG_FIRST = 32,
  REG_OTHER = 64,
  REG_FLOAT = 96,
  REG_VECTOR = 128,
  REGS_MAX = 4,
  MANY_REGS = 16 /* that many are changed only in the sense that nobody knows which */
};

typedef struct registers {
  uint8_t at[REGS_MAX];
  unsigned n, room;
} registers;

static void put_reg(registers *r, unsigned reg) {
  if (r->n < r->room && !memchr(r->at, (int)reg, r->n)) r->at[r->n++] = (uint8_t)reg;
}

/* Put a register of an effect. */
static void put_own(registers *r, int isa, unsigned reg) {
  static const uint8_t x86[16] = {10, 9, 8, 7, REG_STACK, 5, 4, 3, 11, 12, 13, 14, 15, 16, 17, 18};
  static const uint8_t stacks[OCT_ISA_COUNT] = {
      [OCT_ISA_ARM] = 13,     [OCT_ISA_THUMB] = 13, [OCT_ISA_RISCV32] = 2, [OCT_ISA_RISCV64] = 2,
      [OCT_ISA_AARCH64] = 31, [OCT_ISA_MIPS] = 29,  [OCT_ISA_MIPSEL] = 29};
  if (reg >= OCT_REG_COUNT) return;
  if (isa == OCT_ISA_X86 || isa == OCT_ISA_X86_64)
    put_reg(r, x86[reg & 15]);
  else
    put_reg(r, isa >= 0 && reg == stacks[isa] ? REG_STACK : REG_FIRST + reg);
}

static void put_list(registers *r, int isa, uint32_t list) {
  for (unsigned reg = 0; reg < OCT_REG_COUNT; reg++)
    if (list >> reg & 1) put_own(r, isa, reg);
}

static int is_store(const oct_map_entry *e, unsigned access) {
  return e->slots[access] & OCT_SLOT_STORE;
}

/* What the effect of e reads and writes, without the instruction pointer. */
static void put_effect(const oct_map_entry *e, int isa, registers *in, registers *out) {
  const oct_effect *op = &e->op;
  if (!(op->flags & OCT_EFFECT_KNOWN)) return;
  for (int i = 0; i < 2; i++) {
    if (!(op->mem[i].form & OCT_MEM_VALID)) continue;
    put_own(in, isa, op->mem[i].base);
    put_own(in, isa, op->mem[i].index);
  }
  if (op->result != OCT_RESULT_NONE && op->result != OCT_RESULT_ADDRESS) {
    put_own(in, isa, op->a);
    put_own(in, isa, op->b);
  }
  switch (op->cond & OCT_COND_OF) {
    case OCT_COND_FLAGS:
    case OCT_COND_UNKNOWN:
      put_reg(in, REG_FLAGS);
      break;
    case OCT_COND_REGS:
      put_own(in, isa, op->cond_a);
      put_own(in, isa, op->cond_b);
      break;
    case OCT_COND_BIT:
      put_own(in, isa, op->cond_a);
      break;
    default:
      break;
  }
  if (op->result != OCT_RESULT_NONE) put_own(out, isa, op->dest);
  put_own(out, isa, op->link);
  if (op->list && e->n_slots) put_list(is_store(e, 0) ? in : out, isa, op->list);
  for (unsigned k = 0; k < 2 && k < e->n_slots && !op->list; k++)
    put_own(is_store(e, k) ? in : out, isa, op->data[k]);
  for (int i = 0; i < 2; i++)
    if (op->mem[i].form & OCT_MEM_VALID && op->mem[i].form & OCT_MEM_BACK)
      put_own(out, isa, op->mem[i].base);
  if (__builtin_popcount(op->clobbers) < MANY_REGS) put_list(out, isa, op->clobbers);
  if ((op->set_flags & 15) != OCT_FLAGS_KEEP) put_reg(out, REG_FLAGS);
}

static void put_mask(registers *r, unsigned first, uint32_t mask) {
  for (; mask; mask &= mask - 1) put_reg(r, first + (unsigned)__builtin_ctz(mask));
}

static void put_vectors(const oct_isa_vectors *v, int isa, registers *in, registers *out) {
  put_mask(in, REG_VECTOR, v->v_reads);
  put_mask(in, REG_FLOAT, v->f_reads);
  put_mask(out, REG_VECTOR, v->v_writes);
  put_mask(out, REG_FLOAT, v->f_writes);
  put_list(out, isa, v->x_writes);
}

/* The registers of an instruction, which is a branch of class cls: those by which ChampSim knows
 * it, then those of its effect that it does not take for another sign. */
static void put_branch(const oct_map_entry *e, int isa, oct_class cls, registers *in,
                       registers *out) {
  registers reads = {.room = REGS_MAX}, writes = {.room = REGS_MAX};
  const int is_call = cls == OCT_CLASS_DIRECT_CALL || cls == OCT_CLASS_INDIRECT_CALL;
  const int has_stack = is_call || cls == OCT_CLASS_RETURN;
  const int has_others = cls == OCT_CLASS_INDIRECT_JUMP || cls == OCT_CLASS_INDIRECT_CALL ||
                         cls == OCT_CLASS_RETURN || cls == OCT_CLASS_COND_BRANCH;
  put_effect(e, isa, &reads, &writes);
  put_reg(out, REG_IP);
  if (has_stack) put_reg(out, REG_STACK);
  for (unsigned i = 0; i < writes.n && is_call; i++)
    if (writes.at[i] != REG_FLAGS) put_reg(out, writes.at[i]);
  if (cls != OCT_CLASS_INDIRECT_JUMP && cls != OCT_CLASS_RETURN) put_reg(in, REG_IP);
  if (has_stack) put_reg(in, REG_STACK);
  const unsigned n_signs = in->n;
  for (unsigned i = 0; i < reads.n && has_others; i++)
    if (reads.at[i] != REG_STACK && (reads.at[i] != REG_FLAGS || cls == OCT_CLASS_COND_BRANCH))
      put_reg(in, reads.at[i]);
  if (in->n > n_signs || !has_others || cls == OCT_CLASS_RETURN) return;
  put_reg(in, cls == OCT_CLASS_COND_BRANCH ? REG_FLAGS : REG_OTHER);
}

/* ---- Writing ---- */

typedef struct vectors_of {
  oct_isa_vectors regs;
  bool is_known;
} vectors_of;

/* What is known of the program. */
typedef struct program {
  oct_map *map;
  oct_isa_text *decoders;
  vectors_of *vectors; /* of the entries of the map, by their numbers */
  size_t vectors_room, n_vectors;
} program;

/* The last record, until its successor tells whether it was a branch that was taken. */
typedef struct held {
  program *program;
  int isa;        /* of the trace, or -1 */
  uint32_t entry; /* of the last instruction, or UINT32_MAX */
  int is_held;
  oct_class cls;
  int is_conditional; /* a call, return or jump that may not be taken */
  int is_delayed;     /* its jump comes after the next instruction, */
  int has_slot;       /* which is held, too */
  uint64_t next;      /* the address behind its instruction, or its slot */
  uint32_t task;
  uint8_t record[RECORD_MAX_BYTES], slot[RECORD_MAX_BYTES];
} held;

static void champsim_close_write(oct_writer *w) {
  held *h = w->state;
  if (h && h->program) {
    oct_map_free(h->program->map);
    oct_isa_text_free(h->program->decoders);
    free(h->program->vectors);
    free(h->program);
  }
  free(h);
}

static int champsim_open_write(oct_writer *w, oct_diag *diag) {
  held *h = calloc(1, sizeof *h);
  w->state = h;
  program *p = h ? h->program = calloc(1, sizeof *p) : NULL;
  if (!p || !(p->map = oct_map_new()) || !(p->decoders = oct_isa_text_new()))
    return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  h->isa = oct_isa_by_name(w->options.info->isa);
  if (h->isa < 0) h->isa = -1;
  h->entry = UINT32_MAX;
  return 0;
}

static int champsim_finish(oct_writer *w, oct_diag *diag) {
  held *h = w->state;
  const size_t n = layout_of(w->format)->bytes;
  if (!h->is_held) return 0;
  int rc = oct_outfile_write(w->file, h->record, n, diag);
  return rc || !h->has_slot ? rc : oct_outfile_write(w->file, h->slot, n, diag);
}

static int is_same_line(uint64_t a, uint64_t b) {
  enum { LINE_BYTES = 64 };
  return a / LINE_BYTES == b / LINE_BYTES;
}

/* Put an address into the next free place of n at p. Where all are taken, one access to a line
 * stands for the others to it. 0: there is no place. */
static int put_address(uint8_t *p, unsigned n, uint64_t addr) {
  if (!addr) return 0;
  for (unsigned i = 0; i < n; i++) {
    if (oct_get_le(p + 8 * i, 8)) continue;
    oct_put_le(p + 8 * i, addr, 8);
    return 1;
  }
  for (unsigned i = 0; i < n; i++)
    if (is_same_line(oct_get_le(p + 8 * i, 8), addr)) return 1;
  for (unsigned i = 1; i < n; i++)
    for (unsigned k = 0; k < i; k++) {
      if (!is_same_line(oct_get_le(p + 8 * i, 8), oct_get_le(p + 8 * k, 8))) continue;
      oct_put_le(p + 8 * i, addr, 8);
      return 1;
    }
  return 0;
}

/* vectors: of an instruction that is no branch, or NULL. */
static void put_registers(const layout *f, uint8_t *record, const oct_map_entry *e, int isa,
                          oct_class cls, const oct_isa_vectors *vectors) {
  registers in = {.room = LOADS}, out = {.room = f->stores};
  if (e->code_isa) isa = e->code_isa - 1;
  if (vectors) put_vectors(vectors, isa, &in, &out);
  if (cls > OCT_CLASS_OTHER)
    put_branch(e, isa, cls, &in, &out);
  else
    put_effect(e, isa, &in, &out);
  memset(record + REGS_AT, 0, f->stores + LOADS);
  memcpy(record + REGS_AT, out.at, out.n);
  memcpy(record + REGS_AT + f->stores, in.at, in.n);
}

/* The program goes on at next after the branch that is held, or nobody knows where (is_known 0). */
static void resolve(const oct_writer *w, held *h, uint64_t next, int is_known) {
  const uint64_t after = h->next + (h->is_delayed && !h->has_slot ? 4 : 0);
  const int is_elsewhere = is_known && next != after;
  if (h->cls == OCT_CLASS_UNKNOWN) {
    h->record[8] = h->record[9] = is_elsewhere;
  } else if (h->cls == OCT_CLASS_COND_BRANCH) {
    h->record[9] = is_elsewhere;
  } else if (h->is_conditional && !is_elsewhere) { /* as a conditional branch */
    const oct_map_entry none = {0};
    h->record[9] = 0;
    put_registers(layout_of(w->format), h->record, &none, -1, OCT_CLASS_COND_BRANCH, NULL);
  }
}

/* The vector registers of an entry. NULL: out of memory. */
static const oct_isa_vectors *find_vectors(program *p, uint32_t entry) {
  if (entry >= p->n_vectors) {
    vectors_of *grown = oct_grown(p->vectors, &p->vectors_room, entry + (size_t)1, sizeof *grown);
    if (!grown) return NULL;
    p->vectors = grown;
    for (; p->n_vectors <= entry; p->n_vectors++) grown[p->n_vectors].is_known = false;
  }
  vectors_of *v = &p->vectors[entry];
  if (!v->is_known && oct_isa_vectors_of(p->decoders, oct_map_at(p->map, entry), &v->regs))
    return NULL;
  v->is_known = true;
  return &v->regs;
}

/* Find what is known of the instruction, and take it into the record that is held. 0 or
 * OCT_ERR_NOMEM. */
static int describe(const layout *f, held *h, const oct_insn *insn) {
  h->entry = h->entry == UINT32_MAX ? oct_map_find(h->program->map, insn->addr)
                                    : oct_map_follow(h->program->map, h->entry, insn->addr);
  h->cls = OCT_CLASS_UNKNOWN;
  h->is_conditional = h->is_delayed = h->has_slot = 0;
  if (h->entry == UINT32_MAX) return 0;
  const oct_map_entry *e = oct_map_entry_at(h->program->map, h->entry);
  h->cls = (oct_class)e->cls;
  h->is_conditional = h->cls > OCT_CLASS_COND_BRANCH && e->flags & OCT_MAP_CONDITIONAL;
  h->is_delayed = h->cls > OCT_CLASS_OTHER && e->op.flags & OCT_EFFECT_DELAYED;
  h->record[8] = h->cls > OCT_CLASS_OTHER;
  h->record[9] = h->cls > OCT_CLASS_COND_BRANCH;
  const bool is_branch = h->cls > OCT_CLASS_OTHER;
  const oct_isa_vectors *vectors = is_branch ? NULL : find_vectors(h->program, h->entry);
  if (!is_branch && !vectors) return OCT_ERR_NOMEM;
  put_registers(f, h->record, e, h->isa, h->cls, vectors);
  return 0;
}

static int put_accesses(oct_writer *w, uint8_t *record, const oct_insn *insn,
                        const oct_access *access, oct_diag *diag) {
  const layout *f = layout_of(w->format);
  uint8_t *stores = record + stores_at(f), *loads = stores + 8 * f->stores;
  if (f->asid_at && insn->task > UINT16_MAX)
    return oct_fail(diag, OCT_ERR_LIMIT, "instruction 0x%llx: task %u does not fit into %s",
                    (unsigned long long)insn->addr, (unsigned)insn->task,
                    oct_format_name(w->options.format));
  if (f->asid_at) oct_put_le(record + f->asid_at, insn->task, 2);
  for (unsigned k = 0; k < insn->n_access; k++) {
    int is_put = access[k].is_store ? put_address(stores, f->stores, access[k].addr)
                                    : put_address(loads, LOADS, access[k].addr);
    w->n_left_out += !is_put;
  }
  return 0;
}

/* went_to: where the program was to go on after the last instruction, before it was interrupted. */
static int put_insn(oct_writer *w, const oct_insn *insn, const oct_access *access,
                    const uint64_t *went_to, oct_diag *diag) {
  const layout *f = layout_of(w->format);
  held *h = w->state;
  if (h->is_held && h->is_delayed && !h->has_slot && insn->task == h->task &&
      insn->addr == h->next) {
    held slot = {.program = h->program, .isa = h->isa, .entry = h->entry};
    oct_put_le(slot.record, insn->addr, 8);
    if (describe(f, &slot, insn)) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
    h->entry = slot.entry;
    int rc = put_accesses(w, slot.record, insn, access, diag);
    memcpy(h->slot, slot.record, sizeof h->slot);
    h->has_slot = 1;
    h->next = insn->addr + insn->size_bytes;
    return rc;
  }
  if (h->is_held) {
    resolve(w, h, went_to ? *went_to : insn->addr, insn->task == h->task);
    int rc = champsim_finish(w, diag);
    if (rc) return rc;
  }
  h->is_held = 0;
  memset(h->record, 0, sizeof h->record);
  oct_put_le(h->record, insn->addr, 8);
  if (describe(f, h, insn)) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  int rc = put_accesses(w, h->record, insn, access, diag);
  if (rc) return rc;
  h->next = insn->addr + insn->size_bytes;
  h->task = insn->task;
  h->is_held = 1;
  return 0;
}

static int champsim_put(oct_writer *w, const oct_batch *batch, oct_diag *diag) {
  held *h = w->state;
  const oct_access *a = batch->accesses;
  size_t trap = 0;
  int rc = 0;
  for (size_t i = 0; i < batch->n_map; i++) {
    int64_t id = oct_map_put(h->program->map, &batch->map[i]);
    if (id == OCT_ERR_NOMEM) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
    if (id >= 0 && (uint64_t)id < h->program->n_vectors) h->program->vectors[id].is_known = false;
  }
  for (size_t i = 0; !rc && i < batch->n_insns; i++) {
    const uint64_t *went_to = NULL;
    for (; trap < batch->n_traps && batch->traps[trap].insn <= i; trap++)
      if (!went_to && batch->traps[trap].addr) went_to = &batch->traps[trap].addr;
    rc = put_insn(w, &batch->insns[i], a, went_to, diag);
    a += batch->insns[i].n_access;
  }
  return rc;
}

/* ---- Recognition ---- */

/* An address whose upper bits are those of user or kernel space: of 48 bits each, as AArch64 has.
 */
static int is_canonical(uint64_t addr) {
  return addr >> 48 == 0 || addr >> 48 == 0xffff;
}

static int champsim_probe(const uint8_t *p, size_t n, int is_text) {
  if (is_text || n < champsim.bytes) return 0;
  for (size_t i = 0; i + champsim.bytes <= n; i += champsim.bytes) {
    const uint8_t *record = p + i;
    if (!oct_get_le(record, 8) || record[8] > 1 || record[9] > record[8]) return 0;
    for (size_t at = 0; at < champsim.bytes; at += at ? 8 : 16)
      if (!is_canonical(oct_get_le(record + at, 8))) return 0;
  }
  return 1;
}

static const oct_reader_ops champsim_reader = {.fill = champsim_fill};
static const oct_writer_ops champsim_writer = {.open = champsim_open_write,
                                               .put = champsim_put,
                                               .finish = champsim_finish,
                                               .close = champsim_close_write,
                                               .flush = champsim_finish};
const oct_format_desc oct_champsim_format = {.name = "champsim",
                                             .text = "ChampSim's records",
                                             .variant = CHAMPSIM,
                                             .is_guess = 1,
                                             .probe = champsim_probe,
                                             .reader = &champsim_reader,
                                             .writer = &champsim_writer,
                                             .addr_bits = 64,
                                             .insn_bytes = 4};
const oct_format_desc oct_cloudsuite_format = {.name = "cloudsuite",
                                               .text = "ChampSim's records for CloudSuite",
                                               .variant = CLOUDSUITE,
                                               .reader = &champsim_reader,
                                               .writer = &champsim_writer,
                                               .addr_bits = 64,
                                               .insn_bytes = 4};
