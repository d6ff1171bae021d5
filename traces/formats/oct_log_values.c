/* SPDX-License-Identifier: Apache-2.0 */
/* oct_log_values.c - values of accesses and facts of registers from a log that shows what
 * instructions wrote to registers.
 *
 * A register file for each task. An access finds its register by the effect of the instruction:
 * access k of a list is that of the k-th lowest register, else `data` has it. A load of which the
 * effect says nothing (floating point, atomic operations) is that of the only register that was
 * written. */
#include "oct_log_values.h"

#include "oct_endian.h"
#include "oct_grow.h"
#include "oct_isa_outside.h"
#include "oct_lines.h"

#include <stdlib.h>
#include <string.h>

/* Facts of all registers come again after as many instructions of the task. */
enum { AGAIN_INSNS = 1 << 16 };

struct oct_log_registers {
  uint32_t number;
  uint64_t known[(OCT_REGISTERS_MAX + 63) / 64];
  uint64_t n_insns, next_all; /* next_all: from this number on all are told, when they are known */
  oct_log_write outside[OCT_LOG_WRITES_MAX]; /* what the last one brought from outside */
  unsigned n_outside;
  uint8_t bytes[OCT_REGISTERS_MAX][OCT_LOG_REGISTER_MAX];
};

int oct_log_values_open(oct_log_values *v, const oct_reader *r, int isa, oct_diag *diag) {
  uint64_t is_wanted = 0, is_reset = 0;
  const oct_reader_number numbers[] = {{"values", 1, &is_wanted}, {"reset", 1, &is_reset}};
  int rc = oct_reader_numbers(r, numbers, isa < 0 ? 1 : 2, diag);
  v->is_wanted = is_wanted;
  v->is_reset = is_reset;
  v->isa = isa;
  return rc;
}

void oct_log_values_free(oct_log_values *v) {
  free(v->tasks);
}

static int out_of_memory(oct_diag *diag) {
  return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
}

static bool has_zero(const oct_log_values *v) {
  return v->isa == OCT_ISA_RISCV32 || v->isa == OCT_ISA_RISCV64;
}

/* The task's, made if there are none; NULL: out of memory. */
static oct_log_registers *registers_of(oct_log_values *v, uint32_t task) {
  for (size_t i = 0; i < v->n_tasks; i++)
    if (v->tasks[i].number == task) return &v->tasks[i];
  oct_log_registers *tasks = oct_grown(v->tasks, &v->room_tasks, v->n_tasks + 1, sizeof *tasks);
  if (!tasks) return NULL;
  v->tasks = tasks;
  oct_log_registers *t = &tasks[v->n_tasks++];
  memset(t, 0, sizeof *t);
  t->number = task;
  t->known[0] = v->is_reset ? UINT32_MAX : has_zero(v);
  return t;
}

int oct_log_values_reset(oct_log_values *v, uint32_t task, oct_diag *diag) {
  if (!v->is_wanted || v->isa < 0) return 0;
  oct_log_registers *t = registers_of(v, task);
  if (!t) return out_of_memory(diag);
  if (!t->n_insns) t->known[0] |= UINT32_MAX;
  return 0;
}

static unsigned bytes_of(const oct_log_values *v, unsigned number) {
  const unsigned n = oct_isa_register_bytes((oct_isa)v->isa, number);
  return n > OCT_LOG_REGISTER_MAX ? 0 : n;
}

static bool is_known(const oct_log_registers *t, unsigned number) {
  return t->known[number / 64] >> number % 64 & 1;
}

static int tell_fact(const oct_log_values *v, oct_reader *r, unsigned number, const uint8_t *bytes,
                     oct_diag *diag) {
  const oct_fact f = {
      .kind = OCT_FACT_REGISTER, .number = (uint16_t)number, .n_bytes = bytes_of(v, number)};
  return f.n_bytes ? oct_reader_add_fact(r, &f, bytes, diag) : 0;
}

/* Execution does not tell where the program goes on, nor what it finds there. */
static bool is_behind_a_trap(const oct_reader *r) {
  return r->n_traps && r->traps[r->n_traps - 1].insn == r->n_insns;
}

int oct_log_values_begin(oct_log_values *v, oct_reader *r, uint32_t task, oct_diag *diag) {
  v->n_writes = 0;
  if (!v->is_wanted || v->isa < 0) return 0;
  oct_log_registers *t = registers_of(v, task);
  const uint64_t all = oct_isa_general_registers((oct_isa)v->isa);
  int rc = 0;
  if (!t) return out_of_memory(diag);
  if (is_behind_a_trap(r)) t->next_all = 0;
  if (t->n_insns >= t->next_all && (t->known[0] & all) == all) {
    t->next_all = t->n_insns + AGAIN_INSNS;
    for (unsigned i = 0; !rc && i < OCT_REGISTERS_MAX; i++)
      if (is_known(t, i)) rc = tell_fact(v, r, i, t->bytes[i], diag);
  } else {
    for (unsigned i = 0; !rc && i < t->n_outside; i++)
      rc = tell_fact(v, r, t->outside[i].number, t->outside[i].bytes, diag);
  }
  t->n_outside = 0;
  return rc;
}

void oct_log_values_write(oct_log_values *v, unsigned number, const uint8_t *bytes, unsigned n) {
  if (!v->is_wanted || v->isa < 0 || v->n_writes == OCT_LOG_WRITES_MAX || !bytes_of(v, number) ||
      (has_zero(v) && !number))
    return;
  oct_log_write *w = &v->writes[v->n_writes++];
  *w = (oct_log_write){.number = (uint16_t)number};
  memcpy(w->bytes, bytes, n < bytes_of(v, number) ? n : bytes_of(v, number));
}

int oct_log_values_tell(oct_reader *r, uint64_t value, unsigned n_bytes, oct_diag *diag) {
  oct_access *a = &r->accesses[r->n_accesses - 1];
  uint8_t bytes[8];
  if (!a->size_bytes) a->size_bytes = (uint8_t)oct_access_size(n_bytes);
  if (!a->size_bytes || a->size_bytes > sizeof bytes) return 0;
  oct_put_u64(bytes, value);
  return oct_reader_add_value(r, bytes, a->size_bytes, &a->value, diag);
}

void oct_log_values_lose(oct_reader *r, const char *why) {
  r->n_lost_values++;
  r->lost_values_why = why;
}

/* The register that access number k moves, or OCT_REG_NONE. */
static unsigned register_at(const oct_map_entry *e, unsigned k) {
  uint32_t list = e->op.list;
  if (!(e->op.flags & OCT_EFFECT_KNOWN)) return OCT_REG_NONE;
  if (!list) return k < 2 ? e->op.data[k] : OCT_REG_NONE;
  for (; k && list; k--) list &= list - 1;
  return list ? (unsigned)__builtin_ctz(list) : OCT_REG_NONE;
}

/* Give access number k the bytes of its register. */
static int take_register(const oct_log_values *v, const oct_log_registers *t, oct_reader *r,
                         const oct_map_entry *e, oct_access *a, unsigned k, oct_diag *diag) {
  const unsigned number = register_at(e, k);
  const bool is_there =
      number < OCT_REG_COUNT && is_known(t, number) && a->size_bytes <= bytes_of(v, number);
  const uint8_t zeros[8] = {0};
  if (is_there && (a->is_store || !has_zero(v) || number))
    return oct_reader_add_value(r, t->bytes[number], a->size_bytes, &a->value, diag);
  if (a->is_store && number == OCT_REG_ZERO && !e->op.imm && a->size_bytes <= sizeof zeros)
    return oct_reader_add_value(r, zeros, a->size_bytes, &a->value, diag);
  if (!a->is_store && number >= OCT_REG_COUNT && v->n_writes == 1 &&
      a->size_bytes <= bytes_of(v, v->writes[0].number))
    return oct_reader_add_value(r, v->writes[0].bytes, a->size_bytes, &a->value, diag);
  return 0;
}

int oct_log_values_end(oct_log_values *v, oct_reader *r, const oct_map_entry *e, oct_diag *diag) {
  if (!v->is_wanted || v->isa < 0) return 0;
  const oct_insn *insn = &r->insns[r->n_insns - 1];
  oct_log_registers *t = registers_of(v, insn->task);
  if (!t) return out_of_memory(diag);
  oct_access *a = r->accesses + (r->n_accesses - insn->n_access);
  int rc = 0;
  for (unsigned k = 0; !rc && k < insn->n_access; k++)
    if (a[k].is_store && a[k].size_bytes && !a[k].value)
      rc = take_register(v, t, r, e, &a[k], k, diag);
  for (unsigned i = 0; i < v->n_writes; i++) {
    const unsigned number = v->writes[i].number;
    t->known[number / 64] |= UINT64_C(1) << number % 64;
    memcpy(t->bytes[number], v->writes[i].bytes, sizeof t->bytes[number]);
  }
  for (unsigned k = 0; !rc && k < insn->n_access; k++)
    if (!a[k].is_store && a[k].size_bytes && !a[k].value)
      rc = take_register(v, t, r, e, &a[k], k, diag);
  const bool may_write_all = !(~e->op.clobbers & ~UINT32_C(1)); /* nobody knows what it does */
  if (may_write_all) t->next_all = 0;
  if (oct_isa_is_outside(e)) {
    t->n_outside = v->n_writes;
    memcpy(t->outside, v->writes, v->n_writes * sizeof *v->writes);
  }
  t->n_insns++;
  return rc;
}
