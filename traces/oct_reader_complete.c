/* SPDX-License-Identifier: Apache-2.0 */
/* oct_reader_complete.c - what is done to each batch of a format that leaves something open: sizes
 * of instructions, and the program's map entries.
 *
 * With an ELF file sizes and entries come from the program, whose code is held against that of the
 * trace. Without one the distance to a successor in memory that is near enough is taken for the
 * size, and the smallest such distance of an instruction is kept. */
#include "oct_program_check.h"
#include "oct_reader_flow.h"

#include <inttypes.h>
#include <string.h>

/* The trace leaves the size of the instruction open. */
static int is_open(const oct_insn *insn) {
  return insn->size_bytes == OCT_SIZE_NEXT || insn->size_bytes >= OCT_SIZE_DEFAULT;
}

/* The instruction's entry in the program, told with this batch if it is seen for the first time.
 * Returns its size, 0 when the program has none, or has another one than the trace, or an error. */
static int ask_program(oct_reader *r, const oct_insn *insn, oct_diag *diag) {
  oct_map_entry e;
  uint32_t id = r->described ? oct_map_find(r->described, insn->addr) : UINT32_MAX;
  if (id != UINT32_MAX) return oct_map_at(r->described, id)->size_bytes;
  unsigned size = oct_program_insn(r->program, insn->addr, &e);
  if (!size) return 0;
  int rc = oct_program_check_take(r, &e, diag);
  if (rc || (!is_open(insn) && size != insn->size_bytes)) return rc;
  if (!r->described && !(r->described = oct_map_new_lean())) goto no_memory;
  if (oct_map_put(r->described, &e) < 0) goto no_memory;
  rc = oct_reader_add_map(r, &e, diag);
  return rc ? rc : (int)size;
no_memory:
  return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
}

static int ask_program_for_all(oct_reader *r, oct_diag *diag) {
  for (size_t i = 0; i < r->n_insns; i++) {
    oct_insn *insn = &r->insns[i];
    int size = ask_program(r, insn, diag);
    if (size < 0) return size;
    if (size && is_open(insn)) insn->size_bytes = (uint8_t)size;
  }
  return 0;
}

/* Hold the instructions that the trace tells, from entry number first of the batch's map on,
 * against those of the program: another build of it would be decoded to nonsense. What differs
 * stays as the trace has it. Where a native trace tells no bytes, the class and the target have to
 * do, and the bytes are taken from the program. */
static int compare_code(oct_reader *r, size_t first, oct_diag *diag) {
  for (size_t i = first; i < r->n_map; i++) {
    oct_map_entry *e = &r->map[i], p;
    size_t image;
    const uint8_t *code = oct_program_code(r->program, e->addr, e->size_bytes);
    if (!code || (e->flags & OCT_MAP_CONTINUES)) continue;
    bool is_other = e->code_isa && memcmp(code, e->code, e->size_bytes) != 0;
    int rc = e->code_isa ? oct_program_check_told(r, e, is_other, diag) : 0;
    if (rc) return rc;
    if (e->code_isa || (e->op.flags & OCT_EFFECT_KNOWN)) continue;
    unsigned size = oct_program_insn(r->program, e->addr, &p);
    rc = size && e->cls == OCT_CLASS_UNKNOWN ? oct_program_check_take(r, &p, diag) : 0;
    if (rc) return rc;
    bool has_size = size == e->size_bytes;
    /* Another size tells nothing where ARM code may be taken for Thumb code. */
    bool is_told = has_size || (size && oct_program_find_image(r->program, e->addr, &image));
    if (r->format->carries_map && e->cls != OCT_CLASS_UNKNOWN && is_told) {
      is_other = !has_size || e->cls != p.cls || e->target != p.target;
      if ((rc = oct_program_check_told(r, e, is_other, diag)) != 0) return rc;
    }
    if (is_other || !has_size) continue;
    e->code_isa = p.code_isa;
    memcpy(e->code, p.code, sizeof e->code);
    e->op = p.op;
  }
  return 0;
}

/* Remember the distance from instruction i to its successor if that may be its size. */
static int learn(oct_reader *r, size_t i) {
  const oct_insn *insn = &r->insns[i];
  if (insn->size_bytes != OCT_SIZE_NEXT || i + 1 == r->n_insns || insn[1].task != insn->task)
    return 0;
  uint64_t distance = insn[1].addr - insn->addr;
  if (distance < 1 || distance > 15) return 0;
  uint32_t id = oct_map_find(r->sizes, insn->addr);
  if (id != UINT32_MAX && oct_map_at(r->sizes, id)->size_bytes <= distance) return 0;
  oct_map_entry e = {.addr = insn->addr, .size_bytes = (uint8_t)distance};
  return oct_map_put(r->sizes, &e) < 0 ? OCT_ERR_NOMEM : 0;
}

/* Learn from the whole batch first: a jump may fall through later on. */
static int resolve_sizes(oct_reader *r, oct_diag *diag) {
  size_t first = 0;
  while (first < r->n_insns && !is_open(&r->insns[first])) first++;
  if (first == r->n_insns) return 0;
  if (!r->fixed_insn_bytes) {
    int rc = !r->sizes && !(r->sizes = oct_map_new_lean()) ? OCT_ERR_NOMEM : 0;
    for (size_t i = first; !rc && i < r->n_insns; i++) rc = learn(r, i);
    if (rc) return oct_fail(diag, rc, "out of memory");
  }
  for (size_t i = first; i < r->n_insns; i++) {
    oct_insn *insn = &r->insns[i];
    if (!is_open(insn)) continue;
    const bool may_be_told = r->sizes && insn->size_bytes != OCT_SIZE_DEFAULT;
    uint32_t id = may_be_told ? oct_map_find(r->sizes, insn->addr) : UINT32_MAX;
    if (r->marks_sizes) insn->flags |= OCT_INSN_SIZE_ASSUMED;
    insn->size_bytes = id == UINT32_MAX ? (uint8_t)r->info.default_insn_bytes
                                        : oct_map_at(r->sizes, id)->size_bytes;
  }
  return 0;
}

int oct_reader_complete(oct_reader *r, oct_diag *diag) {
  int rc = r->program ? compare_code(r, r->n_compared, diag) : 0;
  r->n_compared = r->n_map;
  if (r->n_map && !r->described) r->tells_map = r->format->carries_map;
  if (!rc && r->program && !r->tells_map) rc = ask_program_for_all(r, diag);
  if (!rc && r->info.default_insn_bytes) rc = resolve_sizes(r, diag);
  if (!rc) rc = oct_program_check_batch(r, diag);
  if (!rc) rc = oct_flow_check(r, diag);
  return rc;
}
