/* SPDX-License-Identifier: Apache-2.0 */
/* oct_champsim.c - ChampSim's records of 64 bytes, and of 96 bytes as CloudSuite's traces have them
 * (docs/formats/champsim.md).
 *
 * No record says how long its instruction is: the next one of a branch that was not taken, or of no
 * branch, stands right behind it. */
#include "oct_lines.h"
#include "oct_plural.h"

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

/* ---- Writing ---- */

/* The last record, until its successor tells whether it was a branch that was taken. */
typedef struct held {
  int is_held;
  uint64_t next; /* the address behind its instruction */
  uint32_t task;
  uint8_t record[RECORD_MAX_BYTES];
} held;

static int champsim_open_write(oct_writer *w, oct_diag *diag) {
  w->state = calloc(1, sizeof(held));
  return w->state ? 0 : oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
}

static void champsim_close_write(oct_writer *w) {
  free(w->state);
}

static int champsim_finish(oct_writer *w, oct_diag *diag) {
  held *h = w->state;
  if (!h->is_held) return 0;
  return oct_outfile_write(w->file, h->record, layout_of(w->format)->bytes, diag);
}

/* Where the next free address of n at p is, or NULL. */
static uint8_t *free_place(uint8_t *p, unsigned n) {
  for (unsigned i = 0; i < n; i++)
    if (!oct_get_le(p + 8 * i, 8)) return p + 8 * i;
  return NULL;
}

static int put_insn(oct_writer *w, const oct_insn *insn, const oct_access *access, oct_diag *diag) {
  const layout *f = layout_of(w->format);
  held *h = w->state;
  uint8_t *stores = h->record + stores_at(f), *loads = stores + 8 * f->stores;
  if (h->is_held) {
    if (insn->task == h->task && insn->addr != h->next) h->record[8] = h->record[9] = 1;
    int rc = oct_outfile_write(w->file, h->record, f->bytes, diag);
    if (rc) return rc;
  }
  h->is_held = 0;
  memset(h->record, 0, sizeof h->record);
  oct_put_le(h->record, insn->addr, 8);
  if (f->asid_at && insn->task > UINT16_MAX)
    return oct_fail(diag, OCT_ERR_LIMIT, "instruction 0x%llx: task %u does not fit into %s",
                    (unsigned long long)insn->addr, (unsigned)insn->task,
                    oct_format_name(w->options.format));
  if (f->asid_at) oct_put_le(h->record + f->asid_at, insn->task, 2);
  for (unsigned k = 0; k < insn->n_access; k++) {
    uint8_t *place = access[k].is_store ? free_place(stores, f->stores) : free_place(loads, LOADS);
    if (!place || !access[k].addr)
      return oct_fail(diag, OCT_ERR_LIMIT,
                      "instruction 0x%llx: %s has room for %d loads and %u store%s, and none at 0",
                      (unsigned long long)insn->addr, oct_format_name(w->options.format), LOADS,
                      f->stores, OCT_S(f->stores));
    oct_put_le(place, access[k].addr, 8);
  }
  h->next = insn->addr + insn->size_bytes;
  h->task = insn->task;
  h->is_held = 1;
  return 0;
}

static int champsim_put(oct_writer *w, const oct_batch *batch, oct_diag *diag) {
  const oct_access *a = batch->accesses;
  int rc = 0;
  for (size_t i = 0; !rc && i < batch->n_insns; i++) {
    rc = put_insn(w, &batch->insns[i], a, diag);
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

static const oct_reader_ops champsim_reader = {NULL, champsim_fill, NULL};
static const oct_writer_ops champsim_writer = {
    champsim_open_write, champsim_put, champsim_finish, champsim_close_write, champsim_finish, 0};
const oct_format_desc oct_champsim_format = {.name = "champsim",
                                             .variant = CHAMPSIM,
                                             .is_guess = 1,
                                             .probe = champsim_probe,
                                             .reader = &champsim_reader,
                                             .writer = &champsim_writer,
                                             .addr_bits = 64,
                                             .insn_bytes = 4};
const oct_format_desc oct_cloudsuite_format = {.name = "cloudsuite",
                                               .variant = CLOUDSUITE,
                                               .reader = &champsim_reader,
                                               .writer = &champsim_writer,
                                               .addr_bits = 64,
                                               .insn_bytes = 4};
