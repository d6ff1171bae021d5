/* SPDX-License-Identifier: Apache-2.0 */
/* oct_drmemtrace.c - reader of DynamoRIO's drmemtrace files (docs/formats/drmemtrace.md).
 *
 * Packed records of 12 bytes, `u16 type, u16 size, u64 value` (8 bytes with a 32-bit value for
 * 32-bit programs), in the members of a zip file, a compressed file or a plain one. */
#include "oct_formats.h"
#include "oct_isa.h"
#include "oct_lines.h"

#include <stdlib.h>
#include <string.h>

/* Types of records, those of versions 2 to 5 of the format. */
enum {
  TYPE_READ = 0,
  TYPE_WRITE = 1,
  TYPE_INSTR = 10,
  TYPE_INDIRECT_JUMP = 12,
  TYPE_INDIRECT_CALL = 15,
  TYPE_RETURN = 16,
  TYPE_BUNDLE = 17,
  TYPE_THREAD = 22,
  TYPE_HEADER = 25,
  TYPE_MARKER = 28,
  TYPE_NO_FETCH = 29,
  TYPE_MAYBE_FETCH = 30,
  TYPE_SYSENTER = 31,
  TYPE_ENCODING = 47,
  TYPE_TAKEN_JUMP = 48,
  TYPE_UNTAKEN_JUMP = 49,
  TYPES = 50
};
enum { MARKER_FILETYPE = 9, VERSION_MAX = 100, CODE_BYTES = 24, FILETYPE_AT = 64 };

typedef struct drmemtrace {
  size_t value_bytes; /* 4 or 8 */
  oct_disasm *disasm;
  uint32_t task;
  uint64_t next; /* the address behind the last instruction, where a bundle goes on */
  uint8_t code[CODE_BYTES];
  size_t code_bytes;
} drmemtrace;

static int is_insn(unsigned type) {
  return (type >= TYPE_INSTR && type <= TYPE_RETURN) ||
         (type >= TYPE_NO_FETCH && type <= TYPE_SYSENTER) || type == TYPE_TAKEN_JUMP ||
         type == TYPE_UNTAKEN_JUMP;
}

/* The architecture bits of a file type. */
static int isa_of(uint64_t filetype) {
  if (filetype & 0x08) return OCT_ISA_AARCH64;
  if (filetype & 0x10) return OCT_ISA_ARM;
  if (filetype & 0x20) return OCT_ISA_X86;
  return filetype & 0x40 ? OCT_ISA_X86_64 : -1;
}

/* Bytes of the value in a file that begins so; 0 when it is none. The version is a small number, so
 * the upper half of a 64-bit one is 0, where a file of 32-bit ones has the type of its next record.
 */
static size_t value_bytes_of(const uint8_t *p, size_t n) {
  if (n < 12 || oct_get_le(p, 2) != TYPE_HEADER || oct_get_le(p + 4, 4) > VERSION_MAX) return 0;
  return oct_get_le(p + 8, 4) ? 4 : 8;
}

static int describe(oct_reader *r, drmemtrace *s, unsigned type, uint64_t addr, unsigned size,
                    oct_diag *diag) {
  oct_map_entry e = {0};
  if (s->code_bytes && s->disasm && s->code_bytes >= size &&
      oct_disasm_insn(s->disasm, addr, s->code, size, &e) == size)
    return oct_reader_describe(r, &e, diag);
  /* Without its bytes only what needs no target can be told, and only if nothing was told before.
   */
  if (type != TYPE_INDIRECT_JUMP && type != TYPE_INDIRECT_CALL && type != TYPE_RETURN) return 0;
  if (r->described && oct_map_find(r->described, addr) != UINT32_MAX) return 0;
  e = (oct_map_entry){.addr = addr, .size_bytes = (uint8_t)size};
  e.cls = type == TYPE_RETURN          ? OCT_CLASS_RETURN
          : type == TYPE_INDIRECT_JUMP ? OCT_CLASS_INDIRECT_JUMP
                                       : OCT_CLASS_INDIRECT_CALL;
  return oct_reader_describe(r, &e, diag);
}

static int take_insn(oct_reader *r, drmemtrace *s, unsigned type, uint64_t addr, unsigned size,
                     oct_diag *diag) {
  int rc;
  if (size < 1 || size > 15)
    return oct_record_wrong(r, "an instruction of 1 to 15 bytes", size, diag);
  if (oct_reader_is_full(r, 1)) return 1;
  if ((rc = describe(r, s, type, addr, size, diag))) return rc;
  oct_reader_add_insn(r, addr, size)->task = s->task;
  s->next = addr + size;
  s->code_bytes = 0;
  return 0;
}

/* size instructions behind the last one, whose lengths are bytes of the value. */
static int take_bundle(oct_reader *r, drmemtrace *s, const uint8_t *lengths, unsigned size,
                       oct_diag *diag) {
  int rc = 0;
  if (size > s->value_bytes) return oct_record_wrong(r, "a bundle that fits", size, diag);
  for (unsigned i = 0; i < size; i++)
    if (lengths[i] < 1 || lengths[i] > 15)
      return oct_record_wrong(r, "an instruction of 1 to 15 bytes", lengths[i], diag);
  if (oct_reader_is_full(r, size)) return 1;
  for (unsigned i = 0; !rc && i < size; i++)
    rc = take_insn(r, s, TYPE_INSTR, s->next, lengths[i], diag);
  return rc;
}

static int take_access(oct_reader *r, drmemtrace *s, uint64_t addr, unsigned size, int is_store,
                       oct_diag *diag) {
  /* Filtered traces may begin with data: it gets an instruction at address 0. */
  if (!r->n_insns) oct_reader_add_insn(r, 0, 1)->task = s->task;
  return oct_reader_add_access(r, addr, oct_access_size(size), is_store, diag);
}

static int parse(oct_reader *r, const uint8_t *p, oct_diag *diag) {
  drmemtrace *s = r->state;
  unsigned type = (unsigned)oct_get_le(p, 2), size = (unsigned)oct_get_le(p + 2, 2);
  uint64_t value = oct_get_le(p + 4, (int)s->value_bytes);
  if (type >= TYPES) return oct_record_wrong(r, "a record type below 50", type, diag);
  if (is_insn(type)) return take_insn(r, s, type, value, size, diag);
  switch (type) {
    case TYPE_READ:
    case TYPE_WRITE:
      return take_access(r, s, value, size, type == TYPE_WRITE, diag);
    case TYPE_BUNDLE:
      return take_bundle(r, s, p + 4, size, diag);
    case TYPE_THREAD:
      s->task = (uint32_t)value;
      return 0;
    case TYPE_ENCODING:
      if (size > s->value_bytes || s->code_bytes + size > CODE_BYTES)
        return oct_record_wrong(r, "bytes of one instruction", size, diag);
      memcpy(s->code + s->code_bytes, p + 4, size);
      s->code_bytes += size;
      return 0;
    default: /* markers, prefetches, flushes, process numbers, footers */
      return 0;
  }
}

/* The file type stands among the first records. */
static int find_isa(const uint8_t *p, size_t n, size_t record_bytes) {
  for (size_t i = 0; i < FILETYPE_AT && (i + 1) * record_bytes <= n; i++, p += record_bytes)
    if (oct_get_le(p, 2) == TYPE_MARKER && oct_get_le(p + 2, 2) == MARKER_FILETYPE)
      return isa_of(oct_get_le(p + 4, 4));
  return -1;
}

static int drmemtrace_open(oct_reader *r, oct_diag *diag) {
  const uint8_t *p;
  oct_diag ignored;
  drmemtrace *s = calloc(1, sizeof *s);
  r->state = s;
  if (!s) return oct_fail(diag, OCT_ERR_NOMEM, "%s: out of memory", oct_input_name(r->in));
  int64_t n = oct_input_peek(r->in, FILETYPE_AT * 12, &p, &ignored);
  if (n < 0) n = oct_input_peek(r->in, 1, &p, &ignored);
  s->value_bytes = n > 0 ? value_bytes_of(p, (size_t)n) : 0;
  if (!s->value_bytes)
    return oct_fail(diag, OCT_ERR_FORMAT,
                    "%s: offset 0: expected the header record of a drmemtrace file",
                    oct_input_name(r->in));
  int isa = find_isa(p, (size_t)n, 4 + s->value_bytes);
  r->info.origin = "dynamorio drmemtrace";
  r->info.addr_bits = 8 * (uint32_t)s->value_bytes;
  if (isa < 0) return 0;
  r->info.isa = oct_isa_get((oct_isa)isa)->name;
  /* Files of ARM programs do not tell ARM from Thumb code. */
  r->info.insn_align_bytes = isa == OCT_ISA_ARM ? 2 : oct_isa_get((oct_isa)isa)->insn_align_bytes;
  if (isa == OCT_ISA_ARM) return 0;
  s->disasm = oct_disasm_new((oct_isa)isa);
  return s->disasm ? 0 : oct_fail(diag, OCT_ERR_NOMEM, "%s: out of memory", oct_input_name(r->in));
}

static int drmemtrace_fill(oct_reader *r, oct_diag *diag) {
  drmemtrace *s = r->state;
  return oct_records_fill(r, 4 + s->value_bytes, parse, diag);
}

static void drmemtrace_close(oct_reader *r) {
  drmemtrace *s = r->state;
  if (s) oct_disasm_free(s->disasm);
  free(s);
}

static int drmemtrace_probe(const uint8_t *p, size_t n, int is_text) {
  (void)is_text;
  return value_bytes_of(p, n) > 0;
}

static const oct_reader_ops drmemtrace_reader = {drmemtrace_open, drmemtrace_fill,
                                                 drmemtrace_close};
const oct_format_desc oct_drmemtrace_format = {
    "drmemtrace", drmemtrace_probe, &drmemtrace_reader, NULL, 64, 0};
