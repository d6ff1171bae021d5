/* SPDX-License-Identifier: Apache-2.0 */
/* oct_native_read.c - reader of the native format (docs/trace-format.md).

 * Every block is checked against its hash before it is decoded. */
#ifndef XXH_STATIC_LINKING_ONLY
#define XXH_STATIC_LINKING_ONLY /* a hash state in a struct */
#endif

#include "oct_checksum.h"
#include "oct_effect_file.h"
#include "oct_map_fault.h"
#include "oct_native_decode.h"
#include "oct_reader_format.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>
#include <zstd.h>

typedef struct oct_native_index {
  uint8_t *records;      /* NULL: it was not read before the blocks */
  const uint8_t *hashes; /* behind the records, of their blocks; NULL: it has none */
  size_t n, next_hash;
  XXH64_state_t seen; /* hashes of all blocks so far, in case that the index comes behind them */
} oct_native_index;

/* ---- The index of a native trace (docs/trace-format.md, kind 3).
 *
 * By it blocks are skipped, and those of another trace are noticed, which are whole and have the
 * right numbers. An index of before 2026-11-26 has no hashes.
 * ---- */

static void index_init(oct_native_index *x) {
  memset(x, 0, sizeof *x);
  XXH64_reset(&x->seen, 0);
}

static void index_free(oct_native_index *x) {
  free(x->records);
}

static bool has_hashes(const oct_native_block *b) {
  return b->raw_bytes == oct_index_bytes(b->n_items);
}

/* Whether the payload of b has the size of an index of its number of records. */
static bool index_fits(const oct_native_block *b) {
  return has_hashes(b) || b->raw_bytes == (uint64_t)b->n_items * OCT_INDEX_RECORD_BYTES;
}

/* Keep the index that b is. Without memory it is not kept. */
static void index_keep(oct_native_index *x, const oct_native_block *b) {
  x->records = malloc(b->raw_bytes + 1);
  if (!x->records) return;
  memcpy(x->records, b->payload, b->raw_bytes);
  x->n = b->n_items;
  if (has_hashes(b)) x->hashes = x->records + x->n * OCT_INDEX_RECORD_BYTES;
}

/* Block b, whose header is head, was read: whether the index, if it was kept and has hashes, names
 * it, by its place and its hash. */
static bool index_names(oct_native_index *x, const oct_native_block *b, const uint8_t *head) {
  const uint8_t *hash = head + (OCT_BLOCK_HEADER_BYTES - OCT_INDEX_HASH_BYTES);
  uint64_t offset = 0;
  XXH64_update(&x->seen, hash, OCT_INDEX_HASH_BYTES);
  if (!x->hashes) return true;
  for (; x->next_hash < x->n; x->next_hash++) {
    offset = oct_get_le(x->records + x->next_hash * OCT_INDEX_RECORD_BYTES, 8);
    if (offset >= b->offset) break;
  }
  bool is_named =
      x->next_hash < x->n && offset == b->offset &&
      !memcmp(x->hashes + x->next_hash * OCT_INDEX_HASH_BYTES, hash, OCT_INDEX_HASH_BYTES);
  return oct_checksum_is(is_named, true);
}

/* Whether the index that b is, if it has hashes, names the blocks that were read. */
static bool index_names_all(const oct_native_index *x, const oct_native_block *b) {
  const uint8_t *hashes = b->payload + (size_t)b->n_items * OCT_INDEX_RECORD_BYTES;
  return !has_hashes(b) ||
         oct_checksum_is(XXH64(hashes, (size_t)b->n_items * OCT_INDEX_HASH_BYTES, 0),
                         XXH64_digest(&x->seen));
}

/* A digit follows, the version. */
#define MAGIC "OCTRACE"

/* Of files of version 1, whose map knows no bytes. */
enum { MAP_RECORD_1_BYTES = 36 };

typedef struct native {
  int version; /* 1 or 2 */
  oct_disasm_set *disasm;
  uint8_t *stored, *raw; /* a block's payload before and after zstd, grown as blocks ask for it */
  size_t room_stored, room_raw;
  ZSTD_DCtx *zstd;
  uint64_t n_insns, n_accesses; /* seen or left out so far */
  int accesses_known;           /* no block was left out by the index */
  oct_native_index index;
  size_t next_index;
  uint64_t index_offset;
  oct_stamps stamps;
  uint8_t *values; /* of the next events block, */
  size_t n_values, room_values;
} native;

static int fail_at(oct_reader *r, oct_diag *diag, int error, uint64_t offset, const char *what) {
  return oct_input_fail(r->in, offset, diag, error, "%s", what);
}

static int read_exactly(oct_reader *r, void *p, size_t n, const char *what, oct_diag *diag) {
  int64_t got = oct_input_read(r->in, p, n, diag);
  if (got < 0) return (int)got;
  if ((size_t)got < n) return fail_at(r, diag, OCT_ERR_TRUNCATED, oct_input_offset(r->in), what);
  return 0;
}

static int grow(uint8_t **p, size_t *room, size_t n, oct_diag *diag) {
  if (n <= *room) return 0;
  free(*p);
  *room = 0;
  *p = malloc(n);
  if (!*p) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  *room = n;
  return 0;
}

static int parse_header(oct_reader *r, char *text, oct_diag *diag) {
  oct_trace_info *info = &r->info;
  char *save = NULL;
  for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
    char *value = strstr(line, ": "), **copy = NULL;
    if (!value) continue;
    *value = 0;
    value += 2;
    if (!strcmp(line, "isa"))
      copy = &r->isa;
    else if (!strcmp(line, "origin"))
      copy = &r->origin;
    else if (!strcmp(line, "command"))
      copy = &r->command;
    else if (!strcmp(line, "addr_bits"))
      info->addr_bits = (uint32_t)strtoul(value, NULL, 10);
    else if (!strcmp(line, "insn_align_bytes"))
      info->insn_align_bytes = (uint32_t)strtoul(value, NULL, 10);
    else if (!strcmp(line, "instructions"))
      info->n_insns = strtoull(value, NULL, 10);
    else if (!strcmp(line, "accesses"))
      info->n_accesses = strtoull(value, NULL, 10);
    if (copy) {
      free(*copy);
      if (!(*copy = strdup(value))) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
    }
  }
  if (r->isa) info->isa = r->isa;
  if (r->origin) info->origin = r->origin;
  if (r->command) info->command = r->command;
  if (info->addr_bits != 32 && info->addr_bits != 64)
    return fail_at(r, diag, OCT_ERR_FORMAT, 12, "addr_bits is neither 32 nor 64");
  if (info->insn_align_bytes == 0 || info->insn_align_bytes > 8 ||
      (info->insn_align_bytes & (info->insn_align_bytes - 1)))
    return fail_at(r, diag, OCT_ERR_FORMAT, 12, "expected insn_align_bytes 1, 2, 4 or 8");
  return 0;
}

/* Read a block's header. */
static int read_header(oct_reader *r, oct_native_block *b, uint8_t head[OCT_BLOCK_HEADER_BYTES],
                       oct_diag *diag) {
  int rc;
  b->offset = oct_input_offset(r->in);
  if ((rc = read_exactly(r, head, OCT_BLOCK_HEADER_BYTES, "the trace ends before its end block",
                         diag)))
    return rc;
  b->kind = head[4];
  b->codec = head[5];
  b->stored_bytes = (uint32_t)oct_get_le(head + 8, 4);
  b->raw_bytes = (uint32_t)oct_get_le(head + 12, 4);
  b->first_insn = oct_get_le(head + 16, 8);
  b->n_insns = (uint32_t)oct_get_le(head + 24, 4);
  b->n_items = (uint32_t)oct_get_le(head + 28, 4);
  if (memcmp(head, "OCTB", 4))
    return fail_at(r, diag, OCT_ERR_FORMAT, b->offset, "expected a block, found other bytes");
  if (b->stored_bytes > OCT_BLOCK_MAX_BYTES || b->raw_bytes > OCT_BLOCK_MAX_BYTES ||
      b->n_insns > OCT_BLOCK_MAX_INSNS || b->n_items > OCT_BLOCK_MAX_ACCESSES)
    return fail_at(r, diag, OCT_ERR_FORMAT, b->offset, "block is larger than the format allows");
  return 0;
}

/* Read, check and decompress the payload of the block whose header was read. */
static int read_payload(oct_reader *r, oct_native_block *b, const uint8_t *head, oct_diag *diag) {
  native *s = r->state;
  XXH64_state_t hash;
  int rc;
  if ((rc = grow(&s->stored, &s->room_stored, b->stored_bytes, diag)) ||
      (rc = read_exactly(r, s->stored, b->stored_bytes, "the trace ends within a block", diag)))
    return rc;
  XXH64_reset(&hash, 0);
  XXH64_update(&hash, head, 32);
  if (b->stored_bytes) XXH64_update(&hash, s->stored, b->stored_bytes);
  if (!oct_checksum_is(oct_get_le(head + 32, 8), XXH64_digest(&hash)))
    return fail_at(r, diag, OCT_ERR_CHECKSUM, b->offset, "block checksum does not match");
  b->payload = s->stored;
  if (b->codec == OCT_CODEC_ZSTD) {
    if (!s->zstd && !(s->zstd = ZSTD_createDCtx()))
      return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
    if ((rc = grow(&s->raw, &s->room_raw, b->raw_bytes, diag))) return rc;
    if (ZSTD_decompressDCtx(s->zstd, s->raw, b->raw_bytes, s->stored, b->stored_bytes) !=
        b->raw_bytes)
      return fail_at(r, diag, OCT_ERR_FORMAT, b->offset, "block does not decompress");
    b->payload = s->raw;
  } else if (b->codec != OCT_CODEC_NONE || b->raw_bytes != b->stored_bytes) {
    return fail_at(r, diag, OCT_ERR_UNSUPPORTED, b->offset, "unknown compression of a block");
  }
  return 0;
}

static int decode_modules(oct_reader *r, const oct_native_block *b, oct_diag *diag) {
  const uint8_t *p = b->payload;
  size_t left = b->raw_bytes;
  for (uint32_t i = 0; i < b->n_items; i++) {
    const size_t id_bytes = left < OCT_MODULE_HEAD_BYTES ? 0 : (size_t)oct_get_le(p + 24, 2);
    const size_t path_bytes = left < OCT_MODULE_HEAD_BYTES ? 0 : (size_t)oct_get_le(p + 26, 2);
    const size_t n = OCT_MODULE_HEAD_BYTES + id_bytes + path_bytes;
    if (!path_bytes || path_bytes > OCT_MODULE_PATH_MAX_BYTES || id_bytes > OCT_BUILD_ID_MAX ||
        n > left || memchr(p + n - path_bytes, 0, path_bytes))
      return fail_at(r, diag, OCT_ERR_FORMAT, b->offset, "bad record in a modules block");
    oct_module m = {.path = (const char *)(p + n - path_bytes),
                    .addr = oct_get_le(p, 8),
                    .n_bytes = oct_get_le(p + 8, 8),
                    .bias = oct_get_le(p + 16, 8),
                    .build_id_bytes = (uint32_t)id_bytes};
    memcpy(m.build_id, p + OCT_MODULE_HEAD_BYTES, id_bytes);
    int rc = oct_reader_add_module(r, &m, path_bytes, diag);
    if (rc) return rc;
    p += n;
    left -= n;
  }
  return left ? fail_at(r, diag, OCT_ERR_FORMAT, b->offset,
                        "the records of a modules block do not fill it")
              : 0;
}

/* The modules that the index names, so that they are known before the first instruction. What is
 * wrong with them is told where they are come to. */
static void read_modules(oct_reader *r) {
  native *s = r->state;
  uint8_t head[OCT_BLOCK_HEADER_BYTES];
  oct_diag ignored;
  oct_native_block b;
  for (size_t i = 0; i < s->index.n; i++) {
    const uint8_t *p = s->index.records + i * OCT_INDEX_RECORD_BYTES;
    if (oct_get_le(p + 20, 4) != OCT_BLOCK_MODULES) continue;
    if (oct_get_le(p, 8) >= oct_input_bytes_total(r->in) ||
        oct_input_seek(r->in, oct_get_le(p, 8), &ignored) || read_header(r, &b, head, &ignored) ||
        b.kind != OCT_BLOCK_MODULES || read_payload(r, &b, head, &ignored) ||
        decode_modules(r, &b, &ignored))
      return;
  }
}

/* Load the end block and the index of a file that can seek; a damaged one is left to the reading
 * in order, which then says what is wrong. */
static void read_tail(oct_reader *r) {
  native *s = r->state;
  uint64_t here = oct_input_offset(r->in), total = oct_input_bytes_total(r->in);
  uint64_t size = OCT_BLOCK_HEADER_BYTES + OCT_END_BYTES;
  uint8_t head[OCT_BLOCK_HEADER_BYTES];
  oct_diag ignored;
  oct_native_block b;
  if (!oct_input_can_seek(r->in) || total < here + size) return;
  if (oct_input_seek(r->in, total - size, &ignored) || read_header(r, &b, head, &ignored) ||
      b.kind != OCT_BLOCK_END || b.stored_bytes != OCT_END_BYTES ||
      read_payload(r, &b, head, &ignored) || b.raw_bytes != OCT_END_BYTES)
    goto out;
  r->info.n_insns = oct_get_le(b.payload, 8);
  r->info.n_accesses = oct_get_le(b.payload + 8, 8);
  uint64_t offset = oct_get_le(b.payload + 16, 8);
  if (offset < here || offset > total - size || oct_input_seek(r->in, offset, &ignored) ||
      read_header(r, &b, head, &ignored) || b.kind != OCT_BLOCK_INDEX ||
      read_payload(r, &b, head, &ignored) || !index_fits(&b))
    goto out;
  s->index_offset = offset;
  index_keep(&s->index, &b);
  if (s->version > 1) read_modules(r);
out:
  oct_input_seek(r->in, here, &ignored);
}

static int native_open(oct_reader *r, oct_diag *diag) {
  native *s = calloc(1, sizeof *s);
  uint8_t *header = malloc(OCT_HEADER_MAX_BYTES + 21);
  int rc;
  r->state = s;
  if (s) s->disasm = oct_disasm_set_new();
  if (!s || !s->disasm || !header) {
    free(header);
    return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  }
  s->accesses_known = 1;
  index_init(&s->index);
  if ((rc = read_exactly(r, header, 12, "the trace ends within its header", diag))) goto out;
  size_t n = (size_t)oct_get_le(header + 8, 4);
  s->version = header[7] - '0';
  if (memcmp(header, MAGIC, sizeof MAGIC - 1) || s->version < 1 || n > OCT_HEADER_MAX_BYTES) {
    rc = fail_at(r, diag, OCT_ERR_FORMAT, 0, "expected the header of a native trace");
    goto out;
  }
  if (s->version > 2) {
    rc = fail_at(r, diag, OCT_ERR_UNSUPPORTED, 7, "a native trace of a version above 2");
    goto out;
  }
  if ((rc = read_exactly(r, header + 12, n + 8, "the trace ends within its header", diag)))
    goto out;
  if (!oct_checksum_is(oct_get_le(header + 12 + n, 8), XXH64(header, n + 12, 0))) {
    rc = fail_at(r, diag, OCT_ERR_CHECKSUM, 0, "header checksum does not match");
    goto out;
  }
  header[12 + n] = 0;
  rc = parse_header(r, (char *)header + 12, diag);
out:
  free(header);
  if (!rc) read_tail(r);
  return rc;
}

static int decode_map(oct_reader *r, const oct_native_block *b, oct_diag *diag) {
  const native *s = r->state;
  oct_map_fault fault;
  size_t record_bytes = s->version == 1 ? MAP_RECORD_1_BYTES : OCT_MAP_RECORD_BYTES;
  if (b->kind == OCT_BLOCK_OPS) record_bytes += OCT_EFFECT_BYTES;
  if (b->raw_bytes != b->n_items * record_bytes)
    return fail_at(r, diag, OCT_ERR_FORMAT, b->offset, "the records of a map block do not fill it");
  for (uint32_t i = 0; i < b->n_items; i++) {
    const uint8_t *p = b->payload + i * record_bytes;
    oct_map_entry e = {.addr = oct_get_le(p, 8), .target = oct_get_le(p + 8, 8)};
    int rc;
    e.size_bytes = p[16];
    e.cls = p[17];
    e.n_slots = p[18];
    e.flags = p[19];
    memcpy(e.slots, p + 20, OCT_SLOTS_MAX);
    if (s->version > 1) e.code_isa = p[MAP_RECORD_1_BYTES];
    if (s->version > 1) memcpy(e.code, p + MAP_RECORD_1_BYTES + 1, OCT_CODE_MAX);
    if ((b->kind == OCT_BLOCK_OPS && oct_effect_get(p + OCT_MAP_RECORD_BYTES, &e.op)) ||
        oct_map_find_fault(&e, r->n_map ? &r->map[r->n_map - 1] : NULL, &fault))
      return fail_at(r, diag, OCT_ERR_FORMAT, b->offset, "bad record in a map block");
    if (e.code_isa && oct_disasm_set_describe(s->disasm, &e))
      return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
    if ((rc = oct_reader_add_map(r, &e, diag))) return rc;
  }
  return 0;
}

/* The traps of the next events block. */
static int decode_traps(oct_reader *r, const oct_native_block *b, oct_diag *diag) {
  uint32_t last = r->n_traps ? r->traps[r->n_traps - 1].insn : 0;
  if (b->n_items > OCT_BLOCK_MAX_INSNS)
    return fail_at(r, diag, OCT_ERR_FORMAT, b->offset, "a traps block of more than 65536 records");
  if (b->raw_bytes != (uint64_t)b->n_items * OCT_TRAP_RECORD_BYTES)
    return fail_at(r, diag, OCT_ERR_FORMAT, b->offset,
                   "the records of a traps block do not fill it");
  for (uint32_t i = 0; i < b->n_items; i++) {
    const uint8_t *p = b->payload + (size_t)i * OCT_TRAP_RECORD_BYTES;
    const oct_trap t = {.addr = oct_get_le(p, 8),
                        .tval = oct_get_le(p + 8, 8),
                        .cause = (uint32_t)oct_get_le(p + 16, 4),
                        .kind = p[24],
                        .privilege = p[25]};
    uint32_t insn = (uint32_t)oct_get_le(p + 20, 4);
    if (!oct_trap_is_valid(&t) || p[26] || p[27] || insn < last || insn > OCT_BLOCK_MAX_INSNS ||
        (r->info.addr_bits == 32 && (t.addr | t.tval) > UINT32_MAX))
      return fail_at(r, diag, OCT_ERR_FORMAT, b->offset, "bad record in a traps block");
    int rc = oct_reader_add_trap(r, &t, diag);
    if (rc) return rc;
    r->traps[r->n_traps - 1].insn = last = insn;
  }
  return 0;
}

/* What is told between the instructions of the next events block. */
static int decode_facts(oct_reader *r, const oct_native_block *b, oct_diag *diag) {
  uint32_t last = r->n_facts ? r->facts[r->n_facts - 1].insn : 0;
  const uint64_t n_records = (uint64_t)b->n_items * OCT_FACT_RECORD_BYTES;
  if (b->n_items > OCT_BLOCK_MAX_INSNS || n_records > b->raw_bytes)
    return fail_at(r, diag, OCT_ERR_FORMAT, b->offset,
                   "the records of a facts block do not fit it");
  const uint8_t *bytes = b->payload + n_records;
  size_t left = b->raw_bytes - (size_t)n_records;
  for (uint32_t i = 0; i < b->n_items; i++) {
    const uint8_t *p = b->payload + (size_t)i * OCT_FACT_RECORD_BYTES;
    const oct_fact f = {.addr = oct_get_le(p, 8),
                        .n_bytes = (uint32_t)oct_get_le(p + 12, 4),
                        .number = (uint16_t)oct_get_le(p + 16, 2),
                        .kind = p[18]};
    uint32_t insn = (uint32_t)oct_get_le(p + 8, 4);
    if (!oct_fact_is_valid(&f, p[19]) || p[19] > 1 || oct_get_le(p + 20, 4) || insn < last ||
        insn > OCT_BLOCK_MAX_INSNS || (p[19] && f.n_bytes > left) ||
        (r->info.addr_bits == 32 && f.addr > UINT32_MAX))
      return fail_at(r, diag, OCT_ERR_FORMAT, b->offset, "bad record in a facts block");
    int rc = oct_reader_add_fact(r, &f, p[19] ? bytes : NULL, diag);
    if (rc) return rc;
    r->facts[r->n_facts - 1].insn = last = insn;
    bytes += p[19] ? f.n_bytes : 0;
    left -= p[19] ? f.n_bytes : 0;
  }
  return left ? fail_at(r, diag, OCT_ERR_FORMAT, b->offset, "a facts block holds too many bytes")
              : 0;
}

/* Keep the values of the next events block. */
static int keep_values(oct_reader *r, const oct_native_block *b, oct_diag *diag) {
  native *s = r->state;
  int rc = s->n_values ? fail_at(r, diag, OCT_ERR_FORMAT, b->offset,
                                 "a second block of values for the same instructions")
                       : grow(&s->values, &s->room_values, b->raw_bytes, diag);
  if (rc) return rc;
  if (b->raw_bytes) memcpy(s->values, b->payload, b->raw_bytes);
  s->n_values = b->raw_bytes;
  return 0;
}

/* Whether the facts that were told are among the n instructions that follow them. */
static int check_facts(oct_reader *r, const oct_native_block *b, uint32_t n, oct_diag *diag) {
  uint32_t last = r->n_facts ? r->facts[r->n_facts - 1].insn : 0;
  if (!last || last < n) return 0;
  r->n_facts = 0;
  return fail_at(r, diag, OCT_ERR_FORMAT, b->offset, "a fact after the instructions of its block");
}

/* Whether the traps that were told are among the n instructions that follow them. */
static int check_traps(oct_reader *r, const oct_native_block *b, uint32_t n, oct_diag *diag) {
  uint32_t last = r->n_traps ? r->traps[r->n_traps - 1].insn : 0;
  if (!last || last < n) return 0;
  r->n_traps = 0;
  return fail_at(r, diag, OCT_ERR_FORMAT, b->offset, "a trap after the instructions of its block");
}

/* Whether the index names the block, or being the index itself, those before it. */
static int check_named(oct_reader *r, const oct_native_block *b, const uint8_t *head,
                       oct_diag *diag) {
  native *s = r->state;
  if (b->kind != OCT_BLOCK_INDEX)
    return index_names(&s->index, b, head)
               ? 0
               : fail_at(r, diag, OCT_ERR_CHECKSUM, b->offset,
                         "the index names another block here: one of the two is of another trace");
  if (!index_fits(b))
    return fail_at(r, diag, OCT_ERR_FORMAT, b->offset, "the index has a wrong size");
  return !s->accesses_known || index_names_all(&s->index, b)
             ? 0
             : fail_at(r, diag, OCT_ERR_CHECKSUM, b->offset,
                       "the index names other blocks: some before it are of another trace");
}

static int finish(oct_reader *r, const oct_native_block *b, oct_diag *diag) {
  native *s = r->state;
  const uint8_t *p;
  int64_t n;
  if (b->raw_bytes != OCT_END_BYTES)
    return fail_at(r, diag, OCT_ERR_FORMAT, b->offset, "the end block has a wrong size");
  int rc = check_traps(r, b, 0, diag);
  if (!rc) rc = check_facts(r, b, 0, diag);
  if (rc) return rc;
  if (oct_get_le(b->payload, 8) != s->n_insns ||
      (s->accesses_known && oct_get_le(b->payload + 8, 8) != s->n_accesses))
    return fail_at(r, diag, OCT_ERR_FORMAT, b->offset,
                   "the end block counts other instructions or accesses than there are");
  if ((n = oct_input_peek(r->in, 1, &p, diag)) < 0) return (int)n;
  if (n > 0)
    return fail_at(r, diag, OCT_ERR_FORMAT, oct_input_offset(r->in), "data after the end block");
  return 0;
}

/* Jump to the next block that is needed, where the index says so. */
static int jump(oct_reader *r, oct_diag *diag) {
  native *s = r->state;
  uint64_t here = oct_input_offset(r->in), target = 0;
  uint64_t skipped = 0, traps = 0; /* traps: where what belongs to the next events block begins */
  while (s->next_index < s->index.n &&
         oct_get_le(s->index.records + s->next_index * OCT_INDEX_RECORD_BYTES, 8) < here)
    s->next_index++;
  while (s->next_index < s->index.n) {
    const uint8_t *p = s->index.records + s->next_index * OCT_INDEX_RECORD_BYTES;
    uint64_t n = oct_get_le(p + 16, 4);
    uint64_t kind = oct_get_le(p + 20, 4);
    target = oct_get_le(p, 8);
    if (target < here || target >= oct_input_bytes_total(r->in))
      return fail_at(r, diag, OCT_ERR_FORMAT, here, "the index points out of the trace");
    if (kind == OCT_BLOCK_TRAPS || kind == OCT_BLOCK_VALUES || kind == OCT_BLOCK_FACTS) {
      if (!traps) traps = target;
      s->next_index++;
      continue;
    }
    if (kind != OCT_BLOCK_EVENTS || n > r->n_skip - skipped) break;
    skipped += n;
    traps = 0;
    s->next_index++;
  }
  if (!skipped) return 0;
  if (s->next_index == s->index.n) target = s->index_offset;
  if (traps) target = traps;
  r->n_skip -= skipped;
  r->n_traps = r->n_facts = s->n_values = 0; /* those read so far are of what is skipped */
  s->n_insns += skipped;
  s->accesses_known = 0;
  s->stamps.has_cycle = 0; /* another task may have run in between */
  return oct_input_seek(r->in, target, diag);
}

/* The values behind those that the facts have put in the batch. */
static int take_values(oct_reader *r, size_t n_accesses, oct_diag *diag) {
  native *s = r->state;
  uint32_t first = 0;
  int rc = oct_reader_add_value(r, s->values, s->n_values, &first, diag);
  for (size_t i = 0; !rc && i < n_accesses; i++)
    if (r->accesses[i].value) r->accesses[i].value += first - 1;
  s->n_values = 0;
  return rc;
}

static int native_fill(oct_reader *r, oct_diag *diag) {
  native *s = r->state;
  for (;;) {
    uint8_t head[OCT_BLOCK_HEADER_BYTES];
    const char *wrong;
    oct_native_block b;
    int rc;
    if (r->n_skip && s->index.records && (rc = jump(r, diag))) return rc;
    if ((rc = read_header(r, &b, head, diag)) || (rc = read_payload(r, &b, head, diag))) return rc;
    if (b.kind < OCT_BLOCK_EVENTS || b.kind > (s->version > 1 ? OCT_BLOCK_MODULES : OCT_BLOCK_END))
      return fail_at(r, diag, OCT_ERR_UNSUPPORTED, b.offset, "unknown kind of block");
    if (b.first_insn != s->n_insns)
      return fail_at(r, diag, OCT_ERR_FORMAT, b.offset,
                     "instructions are missing before this block");
    if (b.kind == OCT_BLOCK_END) return finish(r, &b, diag);
    if ((rc = check_named(r, &b, head, diag))) return rc;
    if ((b.kind == OCT_BLOCK_MAP || b.kind == OCT_BLOCK_OPS) && (rc = decode_map(r, &b, diag)))
      return rc;
    if (b.kind == OCT_BLOCK_TRAPS && (rc = decode_traps(r, &b, diag))) return rc;
    if (b.kind == OCT_BLOCK_FACTS && (rc = decode_facts(r, &b, diag))) return rc;
    if (b.kind == OCT_BLOCK_VALUES && (rc = keep_values(r, &b, diag))) return rc;
    if (b.kind == OCT_BLOCK_MODULES && (rc = decode_modules(r, &b, diag))) return rc;
    if (b.kind != OCT_BLOCK_EVENTS) continue;
    if ((rc = check_traps(r, &b, b.n_insns, diag))) return rc;
    if ((rc = check_facts(r, &b, b.n_insns, diag))) return rc;
    b.n_values = (uint32_t)s->n_values;
    if ((rc = oct_reader_room_accesses(r, b.n_items, diag))) return rc;
    if ((wrong = oct_native_decode(&b, r->insns, r->accesses, &s->stamps)))
      return fail_at(r, diag, OCT_ERR_FORMAT, b.offset, wrong);
    if (s->n_values && (rc = take_values(r, b.n_items, diag))) return rc;
    for (uint32_t i = 0; i < b.n_insns && r->info.addr_bits == 32; i++)
      if (r->insns[i].addr > UINT32_MAX)
        return fail_at(r, diag, OCT_ERR_FORMAT, b.offset,
                       "an instruction's address has more than the 32 bits of the head");
    r->n_insns = b.n_insns;
    r->n_accesses = b.n_items;
    s->n_insns += b.n_insns;
    s->n_accesses += b.n_items;
    if (b.n_insns) return 1;
  }
}

static void native_close(oct_reader *r) {
  native *s = r->state;
  if (!s) return;
  oct_disasm_set_free(s->disasm);
  ZSTD_freeDCtx(s->zstd);
  free(s->stored);
  free(s->raw);
  free(s->values);
  index_free(&s->index);
  free(s);
}

static const oct_reader_ops native_reader = {native_open, native_fill, native_close};

/* A file that was cut off within the mark is one, too. */
static int native_probe(const uint8_t *p, size_t n, int is_text) {
  (void)is_text;
  return n >= 4 && !memcmp(p, MAGIC, n < sizeof MAGIC - 1 ? n : sizeof MAGIC - 1);
}

const oct_format_desc oct_native_format = {.name = "native",
                                           .is_default = 1,
                                           .keeps_traps = 1,
                                           .keeps_values = 1,
                                           .keeps_alignment = 1,
                                           .has_checks = 1,
                                           .carries_map = 1,
                                           .probe = native_probe,
                                           .reader = &native_reader,
                                           .writer = &oct_native_writer,
                                           .addr_bits = 32};
