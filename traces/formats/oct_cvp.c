/* SPDX-License-Identifier: Apache-2.0 */
/* oct_cvp.c - reader of the traces of the first Championship Value Prediction (CVP-1), and of the
 * Championship Branch Prediction of 2025 (CBP2025), AArch64 (docs/formats/cvp.md).
 *
 * A record is of variable length: pc, type, [address, size], [taken, [target]], source registers,
 * destination registers and their values. Those are stepped over, but for what a load of one
 * register brought, with the parameter `values=1`. CBP2025 has types of calls and returns, and
 * bytes behind the size: whether the base is updated, of stores whether the offset is a register.
 */
#include "oct_lines.h"
#include "oct_log_values.h"

#include <inttypes.h>
#include <stdlib.h>

enum { INSN_BYTES = 4, RECORD_MAX_BYTES = 8 + 1 + 11 + 9 + 1 + 255 + 1 + 255 + 255 * 16 };
enum {
  TYPE_LOAD = 1,
  TYPE_STORE = 2,
  TYPE_COND = 3,
  TYPE_DIRECT = 4,
  TYPE_INDIRECT = 5,
  TYPES_CVP = 9,
  TYPE_CALL = 9,
  TYPE_INDIRECT_CALL = 10,
  TYPE_RETURN = 11,
  TYPES_CBP = 12,
  REG_SIMD = 32,
  REG_FLAGS = 64,
  REG_ZERO = 65
};

/* The formats' variants. */
enum { CVP, CBP };

typedef struct record {
  uint64_t pc, addr, target;
  uint8_t type, size, taken, outputs;
  const uint8_t *value; /* of the first destination, */
  unsigned value_bytes; /* which has so many */
} record;

/* Parse the record at p of which n bytes are there. Returns its length, 0 when it is longer than n,
 * or -1 when it is none, with *wrong saying why. */
static int64_t parse(const uint8_t *p, size_t n, int variant, record *rec, const char **wrong) {
  const unsigned reg_max = variant == CBP ? REG_ZERO : REG_FLAGS;
  size_t at = 9;
  if (n < at) return 0;
  *rec = (record){.pc = oct_get_le(p, 8), .type = p[8]};
  *wrong = variant == CBP ? "a type from 0 to 11" : "a type from 0 to 8";
  if (rec->type >= (variant == CBP ? TYPES_CBP : TYPES_CVP)) return -1;
  if (rec->type == TYPE_LOAD || rec->type == TYPE_STORE) {
    const size_t n_flags = variant == CBP ? rec->type : 0; /* 1 of a load, 2 of a store */
    if (n < at + 9 + n_flags) return 0;
    rec->addr = oct_get_le(p + at, 8);
    rec->size = p[at + 8];
    at += 9;
    *wrong = "a flag of 0 or 1";
    for (size_t i = 0; i < n_flags; i++)
      if (p[at++] > 1) return -1;
  } else if ((rec->type >= TYPE_COND && rec->type <= TYPE_INDIRECT) || rec->type >= TYPE_CALL) {
    if (n < at + 1) return 0;
    rec->taken = p[at++];
    *wrong = "taken of 0 or 1";
    if (rec->taken > 1) return -1;
    if (rec->taken && n < at + 8) return 0;
    if (rec->taken) rec->target = oct_get_le(p + at, 8);
    at += rec->taken ? 8 : 0;
  }
  if (n < at + 1 || n < at + 1 + p[at] + 1u) return 0;
  *wrong = variant == CBP ? "register numbers up to 65" : "register numbers up to 64";
  for (unsigned i = 0; i < p[at]; i++)
    if (p[at + 1 + i] > reg_max) return -1;
  at += 1 + p[at];
  rec->outputs = p[at++];
  if (n < at + rec->outputs) return 0;
  size_t values = at + rec->outputs;
  rec->value = p + values;
  for (unsigned i = 0; i < rec->outputs; i++) {
    if (p[at + i] > reg_max) return -1;
    const unsigned bytes = p[at + i] >= REG_SIMD && p[at + i] < REG_FLAGS ? 16 : 8;
    if (!i) rec->value_bytes = bytes;
    values += bytes;
  }
  return values <= n ? (int64_t)values : 0;
}

static int describe(oct_reader *r, const record *rec, oct_diag *diag) {
  static const uint8_t classes[TYPES_CBP] = {[TYPE_COND] = OCT_CLASS_COND_BRANCH,
                                             [TYPE_DIRECT] = OCT_CLASS_DIRECT_JUMP,
                                             [TYPE_INDIRECT] = OCT_CLASS_INDIRECT_JUMP,
                                             [TYPE_CALL] = OCT_CLASS_DIRECT_CALL,
                                             [TYPE_INDIRECT_CALL] = OCT_CLASS_INDIRECT_CALL,
                                             [TYPE_RETURN] = OCT_CLASS_RETURN};
  oct_map_entry e = {.addr = rec->pc, .size_bytes = INSN_BYTES, .cls = classes[rec->type]};
  if (!e.cls) e.cls = OCT_CLASS_OTHER;
  if (rec->type == TYPE_COND || rec->type == TYPE_DIRECT || rec->type == TYPE_CALL) {
    if (!rec->taken) return 0; /* its target is told when it is taken */
    e.target = rec->target;
  }
  if (rec->type == TYPE_LOAD || rec->type == TYPE_STORE) {
    unsigned size = oct_access_size(rec->size);
    e.n_slots = 1;
    e.slots[0] = (uint8_t)((size ? (unsigned)__builtin_ctz(size) : OCT_SLOT_SIZE_UNKNOWN) |
                           (rec->type == TYPE_STORE ? OCT_SLOT_STORE : 0));
  }
  return oct_reader_describe(r, &e, diag);
}

static int take(oct_reader *r, const record *rec, oct_diag *diag) {
  int rc;
  if (oct_reader_is_full(r, 1)) return 1;
  if ((rc = describe(r, rec, diag))) return rc;
  oct_reader_add_insn(r, rec->pc, INSN_BYTES);
  if (rec->type != TYPE_LOAD && rec->type != TYPE_STORE) return 0;
  const unsigned size = oct_access_size(rec->size);
  rc = oct_reader_add_access(r, rec->addr, size, rec->type == TYPE_STORE, diag);
  const oct_log_values *values = r->state;
  if (rc || !values->is_wanted || rec->type != TYPE_LOAD || !rec->outputs) return rc;
  if (rec->outputs == 1 && size && size <= rec->value_bytes)
    return oct_reader_add_value(r, rec->value, size, &r->accesses[r->n_accesses - 1].value, diag);
  oct_log_values_lose(r, rec->outputs > 1 ? "the instruction writes several registers"
                         : size           ? "the register is smaller than the access"
                                          : "the access is of no known size");
  return 0;
}

static int cvp_open(oct_reader *r, oct_diag *diag) {
  oct_log_values *values = calloc(1, sizeof *values);
  r->state = values;
  if (!values) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  int rc = oct_log_values_open(values, r, -1, diag);
  if (rc) return rc;
  r->info.isa = "aarch64";
  r->info.origin = r->format->variant == CBP ? "CBP2025" : "CVP-1";
  r->info.insn_align_bytes = INSN_BYTES;
  return 0;
}

static int cvp_fill(oct_reader *r, oct_diag *diag) {
  for (;;) {
    const uint8_t *p;
    const char *wrong;
    record rec;
    int64_t n = oct_input_peek(r->in, RECORD_MAX_BYTES, &p, diag);
    if (n < 0) n = oct_input_peek(r->in, 1, &p, diag); /* whole records before the damage */
    if (n <= 0) return (int)n;
    int64_t length = parse(p, (size_t)n, r->format->variant, &rec, &wrong);
    if (length < 0) return oct_record_wrong(r, wrong, rec.type, diag);
    if (!length) {
      int rc = (int)oct_input_peek(r->in, RECORD_MAX_BYTES, &p, diag);
      if (rc < 0) return rc;
      return oct_input_fail(r->in, oct_input_offset(r->in), diag, OCT_ERR_TRUNCATED,
                            "the trace ends within a record");
    }
    int rc = take(r, &rec, diag);
    if (rc) return rc;
    oct_input_take(r->in, (size_t)length);
  }
}

/* Records that hang together: most instructions stand behind the one before. */
static int hangs_together(const uint8_t *p, size_t n, int is_text, int variant) {
  size_t at = 0, records = 0, follow = 0;
  uint64_t next = 0;
  record rec;
  const char *wrong;
  while (!is_text && at < n) {
    int64_t length = parse(p + at, n - at, variant, &rec, &wrong);
    if (length < 0) return 0;
    if (!length) break;
    if (rec.pc % INSN_BYTES || !rec.pc) return 0;
    follow += records && rec.pc == next;
    next = rec.taken ? rec.target : rec.pc + INSN_BYTES;
    at += (size_t)length;
    records++;
  }
  return records > 1 && follow * 2 >= records - 1;
}

static int cvp_probe(const uint8_t *p, size_t n, int is_text) {
  return hangs_together(p, n, is_text, CVP);
}

static int cbp_probe(const uint8_t *p, size_t n, int is_text) {
  return hangs_together(p, n, is_text, CBP);
}

static void cvp_close(oct_reader *r) {
  free(r->state);
}

static const oct_reader_ops cvp_reader = {.open = cvp_open, .fill = cvp_fill, .close = cvp_close};
const oct_format_desc oct_cvp_format = {
    .name = "cvp",
    .text = "records of the value prediction championship, CVP-1",
    .is_guess = 1,
    .probe = cvp_probe,
    .reader = &cvp_reader,
    .addr_bits = 64,
    .takes_params = 1};
const oct_format_desc oct_cbp2025_format = {
    .name = "cbp2025",
    .text = "records of the branch prediction championship of 2025",
    .variant = CBP,
    .is_guess = 1,
    .probe = cbp_probe,
    .reader = &cvp_reader,
    .addr_bits = 64,
    .takes_params = 1};
