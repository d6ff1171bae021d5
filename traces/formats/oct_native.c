/* SPDX-License-Identifier: Apache-2.0 */
/* oct_native.c - the native format (docs/trace-format.md): its probe, reader and writer.
 *
 * The reader checks every block against its hash before it decodes it. A block of events is decoded
 * in one pass over the instructions, which takes from all columns at once; a column that ends early
 * or holds too much is an error. By the index blocks are skipped, and those of another trace are
 * noticed, which are whole and have the right numbers.
 *
 * The writer is the block encoder of octrace/feed.h with zstd after it. Events are gathered to a
 * block of columns, which is compressed and written with its hash; map entries have blocks of their
 * own, written before the events that need them. An index of all blocks ends the file. */
#ifndef XXH_STATIC_LINKING_ONLY
#define XXH_STATIC_LINKING_ONLY /* a hash state in a struct */
#endif
#define OCTRACE_FEED_ENCODER_ONLY
#include "oct_checksum.h"
#include "oct_effect_file.h"
#include "oct_grow.h"
#include "oct_map_fault.h"
#include "oct_reader_format.h"
#include "octrace/error.h"
#include "octrace/feed.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>
#include <zstd.h>

/* A block as its header tells it (docs/trace-format.md). */
typedef struct block {
  uint64_t offset, first_insn;
  uint32_t stored_bytes, raw_bytes, n_insns, n_items;
  uint32_t n_values; /* of an events block: bytes of the values block before it */
  int kind, codec;
  const uint8_t *payload; /* raw_bytes, once read */
} block;

/* ---- Blocks of events ---- */

/* Decode an event block to n_insns instructions and n_items accesses. stamps goes on from the block
 * before. Returns NULL, or in words what is wrong with the payload, which is not trusted at all. */
static const char *decode_events(const block *b, oct_insn *insns, oct_access *accesses,
                                 oct_stamps *stamps) {
  const uint8_t *col[OCT_N_COLUMNS], *end[OCT_N_COLUMNS];
  uint64_t context[OCT_CONTEXTS], next_pc = 0, cycle = 0, v;
  size_t used = 4 * OCT_N_COLUMNS;
  uint32_t task = 0, n_accesses = 0, n_values = 0; /* of 2^20 accesses: at most 2^26 bytes */
  oct_access *access = accesses;
  if (b->raw_bytes < used) return "block is shorter than its columns";
  if (b->n_items) memset(context, 0, sizeof context); /* code that changes makes small blocks */
  for (int c = 0; c < OCT_N_COLUMNS; c++) {
    size_t n = (size_t)oct_get_le(b->payload + 4 * c, 4);
    if (n > b->raw_bytes - used) return "a column is longer than its block";
    col[c] = b->payload + used;
    end[c] = col[c] + n;
    used += n;
  }
  if (used != b->raw_bytes || end[OCT_COL_FLAGS] - col[OCT_COL_FLAGS] != (int64_t)b->n_insns ||
      end[OCT_COL_KIND] - col[OCT_COL_KIND] != (int64_t)b->n_items)
    return "the columns of a block do not fill it";
  for (uint32_t i = 0; i < b->n_insns; i++) {
    unsigned flags = col[OCT_COL_FLAGS][i];
    oct_insn *insn = &insns[i];
    if (!(flags & 15)) return "an instruction has size 0";
    if (flags & OCT_FLAG_JUMP) {
      if (!(col[OCT_COL_PC] = oct_leb128_get(col[OCT_COL_PC], end[OCT_COL_PC], &v)))
        return "bad number in the address column";
      next_pc += oct_unfold_sign(v);
    }
    insn->addr = next_pc;
    insn->cycle = 0;
    insn->size_bytes = flags & 15;
    insn->flags = 0;
    insn->n_access = 0;
    if (flags & OCT_FLAG_TASK) {
      if (!(col[OCT_COL_TASK] = oct_leb128_get(col[OCT_COL_TASK], end[OCT_COL_TASK], &v)) ||
          v > UINT32_MAX)
        return "bad number in the task column";
      task = (uint32_t)v;
    }
    insn->task = task;
    oct_stamps_insn(stamps, task);
    if (flags & OCT_FLAG_CYCLE) {
      if (!(col[OCT_COL_CYCLE] = oct_leb128_get(col[OCT_COL_CYCLE], end[OCT_COL_CYCLE], &v)))
        return "bad number in the cycle column";
      insn->cycle = cycle += oct_unfold_sign(v);
      insn->flags = OCT_INSN_HAS_CYCLE;
      if (oct_stamps_cycle(stamps, cycle))
        return "a cycle stamp goes back: expected none below the one before it in the same task";
    }
    if (flags & OCT_FLAG_ACCESS) {
      if (!(col[OCT_COL_COUNT] = oct_leb128_get(col[OCT_COL_COUNT], end[OCT_COL_COUNT], &v)) ||
          v == 0 || v > 65535 || v > b->n_items - n_accesses)
        return "bad number in the count column";
      insn->n_access = (uint16_t)v;
      for (unsigned k = 0; k < insn->n_access; k++) {
        unsigned kind = *col[OCT_COL_KIND]++;
        uint64_t delta, *last = &context[oct_context(next_pc, k)];
        if (!(col[OCT_COL_ADDR] = oct_leb128_get(col[OCT_COL_ADDR], end[OCT_COL_ADDR], &delta)))
          return "bad number in the access column";
        if (kind & ~31u || ((kind & OCT_KIND_VALUE) && (kind & 7) == 7))
          return "bad kind of an access";
        *last += oct_unfold_sign(delta);
        access->addr = *last;
        access->size_bytes = (kind & 7) == 7 ? 0 : (uint8_t)(1u << (kind & 7));
        access->is_store = kind >> 3 & 1;
        access->value = 0;
        if (kind & OCT_KIND_VALUE) {
          access->value = 1 + n_values;
          n_values += access->size_bytes;
        }
        access++;
      }
      n_accesses += insn->n_access;
    }
    next_pc += insn->size_bytes;
  }
  col[OCT_COL_FLAGS] += b->n_insns;
  for (int c = 0; c < OCT_N_COLUMNS; c++)
    if (col[c] != end[c]) return "a column holds more than its instructions use";
  if (n_accesses != b->n_items) return "a block counts other accesses than it holds";
  if (n_values != b->n_values) return "the values of a block are not those of its accesses";
  return NULL;
}

typedef struct block_index {
  uint8_t *records;      /* NULL: it was not read before the blocks */
  const uint8_t *hashes; /* behind the records, of their blocks; NULL: it has none */
  size_t n, next_hash;
  XXH64_state_t seen; /* hashes of all blocks so far, in case that the index comes behind them */
} block_index;

/* ---- The index of a native trace (docs/trace-format.md, kind 3).
 *
 * By it blocks are skipped, and those of another trace are noticed, which are whole and have the
 * right numbers. An index of before 2026-11-26 has no hashes.
 * ---- */

static void index_init(block_index *x) {
  memset(x, 0, sizeof *x);
  XXH64_reset(&x->seen, 0);
}

static void index_free(block_index *x) {
  free(x->records);
}

static bool has_hashes(const block *b) {
  return b->raw_bytes == oct_index_bytes(b->n_items);
}

/* Whether the payload of b has the size of an index of its number of records. */
static bool index_fits(const block *b) {
  return has_hashes(b) || b->raw_bytes == (uint64_t)b->n_items * OCT_INDEX_RECORD_BYTES;
}

/* Keep the index that b is. Without memory it is not kept. */
static void index_keep(block_index *x, const block *b) {
  x->records = malloc(b->raw_bytes + 1);
  if (!x->records) return;
  memcpy(x->records, b->payload, b->raw_bytes);
  x->n = b->n_items;
  if (has_hashes(b)) x->hashes = x->records + x->n * OCT_INDEX_RECORD_BYTES;
}

/* Block b, whose header is head, was read: whether the index, if it was kept and has hashes, names
 * it, by its place and its hash. */
static bool index_names(block_index *x, const block *b, const uint8_t *head) {
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
static bool index_names_all(const block_index *x, const block *b) {
  const uint8_t *hashes = b->payload + (size_t)b->n_items * OCT_INDEX_RECORD_BYTES;
  return !has_hashes(b) ||
         oct_checksum_is(XXH64(hashes, (size_t)b->n_items * OCT_INDEX_HASH_BYTES, 0),
                         XXH64_digest(&x->seen));
}

/* A digit follows, the version. */
#define MAGIC "OCTRACE"

/* Of files of version 1, whose map knows no bytes. */
enum { MAP_RECORD_1_BYTES = 36 };

typedef struct reading {
  int version; /* 1 or 2 */
  oct_disasm_set *disasm;
  uint8_t *stored, *raw; /* a block's payload before and after zstd, grown as blocks ask for it */
  size_t room_stored, room_raw;
  ZSTD_DCtx *zstd;
  uint64_t n_insns, n_accesses; /* seen or left out so far */
  int accesses_known;           /* no block was left out by the index */
  block_index index;
  size_t next_index;
  uint64_t index_offset;
  oct_stamps stamps;
  uint8_t *values; /* of the next events block, */
  size_t n_values, room_values;
} reading;

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
static int read_header(oct_reader *r, block *b, uint8_t head[OCT_BLOCK_HEADER_BYTES],
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
static int read_payload(oct_reader *r, block *b, const uint8_t *head, oct_diag *diag) {
  reading *s = r->state;
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

static int decode_modules(oct_reader *r, const block *b, oct_diag *diag) {
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
  reading *s = r->state;
  uint8_t head[OCT_BLOCK_HEADER_BYTES];
  oct_diag ignored;
  block b;
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
  reading *s = r->state;
  uint64_t here = oct_input_offset(r->in), total = oct_input_bytes_total(r->in);
  uint64_t size = OCT_BLOCK_HEADER_BYTES + OCT_END_BYTES;
  uint8_t head[OCT_BLOCK_HEADER_BYTES];
  oct_diag ignored;
  block b;
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

static int reader_open(oct_reader *r, oct_diag *diag) {
  reading *s = calloc(1, sizeof *s);
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

static int decode_map(oct_reader *r, const block *b, oct_diag *diag) {
  const reading *s = r->state;
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
static int decode_traps(oct_reader *r, const block *b, oct_diag *diag) {
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
static int decode_facts(oct_reader *r, const block *b, oct_diag *diag) {
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
static int keep_values(oct_reader *r, const block *b, oct_diag *diag) {
  reading *s = r->state;
  int rc = s->n_values ? fail_at(r, diag, OCT_ERR_FORMAT, b->offset,
                                 "a second block of values for the same instructions")
                       : grow(&s->values, &s->room_values, b->raw_bytes, diag);
  if (rc) return rc;
  if (b->raw_bytes) memcpy(s->values, b->payload, b->raw_bytes);
  s->n_values = b->raw_bytes;
  return 0;
}

/* Whether the facts that were told are among the n instructions that follow them. */
static int check_facts(oct_reader *r, const block *b, uint32_t n, oct_diag *diag) {
  uint32_t last = r->n_facts ? r->facts[r->n_facts - 1].insn : 0;
  if (!last || last < n) return 0;
  r->n_facts = 0;
  return fail_at(r, diag, OCT_ERR_FORMAT, b->offset, "a fact after the instructions of its block");
}

/* Whether the traps that were told are among the n instructions that follow them. */
static int check_traps(oct_reader *r, const block *b, uint32_t n, oct_diag *diag) {
  uint32_t last = r->n_traps ? r->traps[r->n_traps - 1].insn : 0;
  if (!last || last < n) return 0;
  r->n_traps = 0;
  return fail_at(r, diag, OCT_ERR_FORMAT, b->offset, "a trap after the instructions of its block");
}

/* Whether the index names the block, or being the index itself, those before it. */
static int check_named(oct_reader *r, const block *b, const uint8_t *head, oct_diag *diag) {
  reading *s = r->state;
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

static int finish(oct_reader *r, const block *b, oct_diag *diag) {
  reading *s = r->state;
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
  reading *s = r->state;
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
  reading *s = r->state;
  uint32_t first = 0;
  int rc = oct_reader_add_value(r, s->values, s->n_values, &first, diag);
  for (size_t i = 0; !rc && i < n_accesses; i++)
    if (r->accesses[i].value) r->accesses[i].value += first - 1;
  s->n_values = 0;
  return rc;
}

static int reader_fill(oct_reader *r, oct_diag *diag) {
  reading *s = r->state;
  for (;;) {
    uint8_t head[OCT_BLOCK_HEADER_BYTES];
    const char *wrong;
    block b;
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
    if ((wrong = decode_events(&b, r->insns, r->accesses, &s->stamps)))
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

static void reader_close(oct_reader *r) {
  reading *s = r->state;
  if (!s) return;
  oct_disasm_set_free(s->disasm);
  ZSTD_freeDCtx(s->zstd);
  free(s->stored);
  free(s->raw);
  free(s->values);
  index_free(&s->index);
  free(s);
}

static const oct_reader_ops native_reader = {
    .open = reader_open, .fill = reader_fill, .close = reader_close};

/* ---- The writer ---- */

typedef struct writing {
  oct_encoder encoder;
  ZSTD_CCtx *zstd;
  uint8_t *stored;
  size_t room_stored;
  uint64_t n_insns, n_accesses;
  uint8_t *index, *hashes; /* records, and the hash of each one's block */
  size_t n_index, room_index, room_hashes;
  uint8_t *traps; /* records of the block in the making */
  size_t n_traps, room_traps;
  uint8_t *facts, *fact_bytes; /* likewise, and the bytes that they tell */
  size_t n_facts, room_facts, n_fact_bytes, room_fact_bytes;
} writing;

static int out_of_memory(oct_diag *diag) {
  return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
}

static int writer_open(oct_writer *w, oct_diag *diag) {
  const oct_trace_info *info = w->options.info;
  /* What a reader would refuse is not written. */
  uint32_t align = info->insn_align_bytes;
  if (info->addr_bits != 32 && info->addr_bits != 64)
    return oct_fail(diag, OCT_ERR_ARG, "addr_bits=%" PRIu32 ": expected 32 or 64", info->addr_bits);
  if (!align || align > 8 || (align & (align - 1)))
    return oct_fail(diag, OCT_ERR_ARG, "insn_align_bytes=%" PRIu32 ": expected 1, 2, 4 or 8",
                    align);
  writing *s = calloc(1, sizeof *s);
  size_t n;
  if (!s || oct_encoder_init(&s->encoder)) {
    free(s);
    return out_of_memory(diag);
  }
  w->state = s;
  s->room_stored = ZSTD_compressBound(OCT_BLOCK_MAX_BYTES);
  s->zstd = ZSTD_createCCtx();
  s->stored = malloc(s->room_stored);
  if (!s->zstd || !s->stored) return out_of_memory(diag);
  ZSTD_CCtx_setParameter(s->zstd, ZSTD_c_compressionLevel, w->options.level ? w->options.level : 3);
  if (!w->options.block_insns) w->options.block_insns = OCT_BLOCK_MAX_INSNS;
  /* Counts are left to the end block: what will be put need not be all that info speaks of. */
  n = oct_file_header(s->encoder.raw, info->isa, info->origin, info->command, info->addr_bits,
                      info->insn_align_bytes, 0, 0, 0);
  return oct_outfile_write(w->file, s->encoder.raw, n, diag);
}

static int add_index(oct_writer *w, int kind, uint32_t count, oct_diag *diag) {
  writing *s = w->state;
  uint8_t *p = oct_grown(s->index, &s->room_index, s->n_index + 1, OCT_INDEX_RECORD_BYTES);
  if (!p) return out_of_memory(diag);
  s->index = p;
  p = oct_grown(s->hashes, &s->room_hashes, s->n_index + 1, OCT_INDEX_HASH_BYTES);
  if (!p) return out_of_memory(diag);
  s->hashes = p;
  oct_index_record(s->index + s->n_index++ * OCT_INDEX_RECORD_BYTES, oct_outfile_tell(w->file),
                   kind, s->n_insns, count);
  return 0;
}

/* Write a block, compressed unless it is small or does not shrink. */
static int write_block(oct_writer *w, int kind, const uint8_t *raw, uint32_t raw_bytes,
                       uint32_t n_insns, uint32_t n_items, oct_diag *diag) {
  writing *s = w->state;
  uint8_t header[OCT_BLOCK_HEADER_BYTES];
  const uint8_t *stored = raw;
  uint32_t stored_bytes = raw_bytes;
  int rc, codec = OCT_CODEC_NONE;
  if (kind != OCT_BLOCK_END) {
    size_t n = ZSTD_compress2(s->zstd, s->stored, s->room_stored, raw, raw_bytes);
    if (ZSTD_isError(n)) return out_of_memory(diag); /* it has all the room it may need */
    if (n < raw_bytes) {
      codec = OCT_CODEC_ZSTD;
      stored = s->stored;
      stored_bytes = (uint32_t)n;
    }
  }
  oct_block_header(header, kind, codec, stored, stored_bytes, raw_bytes, s->n_insns, n_insns,
                   n_items);
  if (kind != OCT_BLOCK_INDEX && kind != OCT_BLOCK_END)
    memcpy(s->hashes + (s->n_index - 1) * OCT_INDEX_HASH_BYTES,
           header + sizeof header - OCT_INDEX_HASH_BYTES, OCT_INDEX_HASH_BYTES);
  if ((rc = oct_outfile_write(w->file, header, sizeof header, diag))) return rc;
  return oct_outfile_write(w->file, stored, stored_bytes, diag);
}

static int add_trap(oct_writer *w, const oct_trap *t, oct_diag *diag) {
  writing *s = w->state;
  uint8_t *p = oct_grown(s->traps, &s->room_traps, s->n_traps + 1, OCT_TRAP_RECORD_BYTES);
  if (!p) return out_of_memory(diag);
  s->traps = p;
  oct_trap_record(s->traps + s->n_traps++ * OCT_TRAP_RECORD_BYTES, s->encoder.n_insns, t->kind,
                  t->privilege, t->cause, t->addr, t->tval);
  return 0;
}

/* Those before the block's instructions; the others go with the next block, where nothing is
 * before them. */
static int flush_traps(oct_writer *w, oct_diag *diag) {
  writing *s = w->state;
  size_t n_now = s->n_traps, done, n;
  if (s->encoder.n_insns)
    while (n_now &&
           oct_get_le(s->traps + (n_now - 1) * OCT_TRAP_RECORD_BYTES + 20, 4) == s->encoder.n_insns)
      n_now--;
  for (done = 0; done < n_now; done += n) {
    int rc;
    n = n_now - done;
    if (n > OCT_BLOCK_MAX_INSNS) n = OCT_BLOCK_MAX_INSNS;
    if ((rc = add_index(w, OCT_BLOCK_TRAPS, (uint32_t)n, diag)) ||
        (rc = write_block(w, OCT_BLOCK_TRAPS, s->traps + done * OCT_TRAP_RECORD_BYTES,
                          (uint32_t)(n * OCT_TRAP_RECORD_BYTES), 0, (uint32_t)n, diag)))
      return rc;
  }
  s->n_traps -= n_now;
  for (size_t i = 0; i < s->n_traps; i++) {
    uint8_t *record = s->traps + i * OCT_TRAP_RECORD_BYTES;
    memmove(record, record + n_now * OCT_TRAP_RECORD_BYTES, OCT_TRAP_RECORD_BYTES);
    oct_put_le(record + 20, 0, 4);
  }
  return 0;
}

static int add_fact(oct_writer *w, const oct_batch *b, const oct_fact *f, oct_diag *diag) {
  writing *s = w->state;
  const uint8_t *bytes = oct_value_of(b, f->value);
  size_t n_bytes = bytes ? f->n_bytes : 0;
  uint8_t *p = oct_grown(s->facts, &s->room_facts, s->n_facts + 1, OCT_FACT_RECORD_BYTES);
  if (!p) return out_of_memory(diag);
  s->facts = p;
  p = oct_grown(s->fact_bytes, &s->room_fact_bytes, s->n_fact_bytes + n_bytes + 1, 1);
  if (!p) return out_of_memory(diag);
  s->fact_bytes = p;
  oct_fact_record(s->facts + s->n_facts++ * OCT_FACT_RECORD_BYTES, s->encoder.n_insns, f->kind,
                  f->number, f->addr, f->n_bytes, bytes != NULL);
  if (n_bytes) memcpy(s->fact_bytes + s->n_fact_bytes, bytes, n_bytes);
  s->n_fact_bytes += n_bytes;
  return 0;
}

/* Bytes that fact number i tells. */
static size_t fact_bytes(const writing *s, size_t i) {
  const uint8_t *record = s->facts + i * OCT_FACT_RECORD_BYTES;
  return record[19] ? (size_t)oct_get_le(record + 12, 4) : 0;
}

/* The first n facts, with their bytes, as one block. */
static int write_facts(oct_writer *w, size_t first, size_t n, size_t first_byte, size_t n_bytes,
                       oct_diag *diag) {
  writing *s = w->state;
  const size_t n_records = n * OCT_FACT_RECORD_BYTES;
  uint8_t *payload = malloc(n_records + n_bytes + 1);
  if (!payload) return out_of_memory(diag);
  memcpy(payload, s->facts + first * OCT_FACT_RECORD_BYTES, n_records);
  if (n_bytes) memcpy(payload + n_records, s->fact_bytes + first_byte, n_bytes);
  int rc = add_index(w, OCT_BLOCK_FACTS, (uint32_t)n, diag);
  if (!rc)
    rc = write_block(w, OCT_BLOCK_FACTS, payload, (uint32_t)(n_records + n_bytes), 0, (uint32_t)n,
                     diag);
  free(payload);
  return rc;
}

/* As flush_traps. */
static int flush_facts(oct_writer *w, oct_diag *diag) {
  enum { FACTS_MAX = OCT_BLOCK_MAX_INSNS, BYTES_MAX = OCT_BLOCK_MAX_BYTES / 2 };
  writing *s = w->state;
  size_t n_now = s->n_facts, done = 0, done_bytes = 0;
  if (s->encoder.n_insns)
    while (n_now &&
           oct_get_le(s->facts + (n_now - 1) * OCT_FACT_RECORD_BYTES + 8, 4) == s->encoder.n_insns)
      n_now--;
  while (done < n_now) {
    size_t n = 0, n_bytes = 0;
    for (; done + n < n_now && n < FACTS_MAX; n++) {
      size_t more = fact_bytes(s, done + n);
      if (n && n_bytes + more > BYTES_MAX) break;
      n_bytes += more;
    }
    int rc = write_facts(w, done, n, done_bytes, n_bytes, diag);
    if (rc) return rc;
    done += n;
    done_bytes += n_bytes;
  }
  s->n_facts -= done;
  s->n_fact_bytes -= done_bytes;
  if (s->n_fact_bytes) memmove(s->fact_bytes, s->fact_bytes + done_bytes, s->n_fact_bytes);
  for (size_t i = 0; i < s->n_facts; i++) {
    uint8_t *record = s->facts + i * OCT_FACT_RECORD_BYTES;
    memmove(record, record + done * OCT_FACT_RECORD_BYTES, OCT_FACT_RECORD_BYTES);
    oct_put_le(record + 8, 0, 4);
  }
  return 0;
}

/* The values of the block's accesses. */
static int flush_values(oct_writer *w, oct_diag *diag) {
  writing *s = w->state;
  int rc = s->encoder.n_values ? add_index(w, OCT_BLOCK_VALUES, 0, diag) : 0;
  if (rc || !s->encoder.n_values) return rc;
  return write_block(w, OCT_BLOCK_VALUES, s->encoder.values, (uint32_t)s->encoder.n_values, 0, 0,
                     diag);
}

/* A block of events behind its traps, facts and values. Those behind the last instruction of all
 * stand alone. */
static int flush_events(oct_writer *w, oct_diag *diag) {
  writing *s = w->state;
  oct_encoder *e = &s->encoder;
  int rc = flush_traps(w, diag);
  if (!rc) rc = flush_facts(w, diag);
  if (!rc) rc = flush_values(w, diag);
  if (rc || !e->n_insns) return rc;
  uint32_t n_bytes = oct_encoder_finish(e);
  if ((rc = add_index(w, OCT_BLOCK_EVENTS, e->n_insns, diag)) ||
      (rc = write_block(w, OCT_BLOCK_EVENTS, e->raw, n_bytes, e->n_insns, e->n_accesses, diag)))
    return rc;
  s->n_insns += e->n_insns;
  s->n_accesses += e->n_accesses;
  oct_encoder_reset(e);
  return 0;
}

/* Map entries hold from the batch's first instruction on, so what came before is written first. A
 * block ends where entries with and without an operation meet. */
static int put_map(oct_writer *w, const oct_batch *batch, oct_diag *diag) {
  writing *s = w->state;
  int rc = batch->n_map ? flush_events(w, diag) : 0;
  for (size_t done = 0, n; !rc && done < batch->n_map; done += n) {
    const oct_map_entry *e = &batch->map[done];
    int ops = oct_map_has_operation(e), kind = ops ? OCT_BLOCK_OPS : OCT_BLOCK_MAP;
    uint8_t *p = s->encoder.raw;
    for (n = 0;
         n < OCT_BLOCK_MAX_INSNS && done + n < batch->n_map && oct_map_has_operation(e) == ops;
         n++) {
      oct_map_record(p, e->addr, e->size_bytes, e->cls, e->target, e->n_slots, e->slots, e->flags,
                     e->code_isa, e->code);
      p += OCT_MAP_RECORD_BYTES;
      if (ops) oct_effect_put(p, &e->op);
      if (ops) p += OCT_EFFECT_BYTES;
      e++;
    }
    if (!(rc = add_index(w, kind, (uint32_t)n, diag)))
      rc = write_block(w, kind, s->encoder.raw, (uint32_t)(p - s->encoder.raw), 0, (uint32_t)n,
                       diag);
  }
  return rc;
}

static int writer_put_modules(oct_writer *w, const oct_module *modules, size_t n, oct_diag *diag) {
  writing *s = w->state;
  int rc = flush_events(w, diag);
  for (size_t i = 0; !rc && i < n; i++) {
    const oct_module *m = &modules[i];
    size_t n_bytes = oct_module_record(s->encoder.raw, m->addr, m->n_bytes, m->bias, m->build_id,
                                       m->build_id_bytes, m->path);
    if (!(rc = add_index(w, OCT_BLOCK_MODULES, 1, diag)))
      rc = write_block(w, OCT_BLOCK_MODULES, s->encoder.raw, (uint32_t)n_bytes, 0, 1, diag);
  }
  return rc;
}

static int writer_put(oct_writer *w, const oct_batch *batch, oct_diag *diag) {
  writing *s = w->state;
  const oct_access *access = batch->accesses;
  int rc = put_map(w, batch, diag);
  size_t t = 0, f = 0;
  for (size_t i = 0; !rc && i < batch->n_insns; i++) {
    const oct_insn *insn = &batch->insns[i];
    if (oct_encoder_full(&s->encoder, w->options.block_insns) && (rc = flush_events(w, diag)))
      break;
    for (; t < batch->n_traps && batch->traps[t].insn == i; t++)
      if ((rc = add_trap(w, &batch->traps[t], diag))) return rc;
    for (; f < batch->n_facts && batch->facts[f].insn == i; f++)
      if ((rc = add_fact(w, batch, &batch->facts[f], diag))) return rc;
    if (oct_encoder_insn(&s->encoder, insn->task, insn->addr, insn->size_bytes))
      return oct_fail(diag, OCT_ERR_LIMIT, "an instruction of %u bytes: expected 1 to 15",
                      insn->size_bytes);
    if (insn->flags & OCT_INSN_HAS_CYCLE) oct_encoder_cycle(&s->encoder, insn->cycle);
    for (unsigned k = 0; k < insn->n_access; k++, access++) {
      if (oct_encoder_access(&s->encoder, access->addr, access->size_bytes, access->is_store))
        return oct_fail(diag, OCT_ERR_LIMIT,
                        "an access of %u bytes: expected a power of two up to 64",
                        access->size_bytes);
      const uint8_t *value = batch->values ? oct_value_of(batch, access->value) : NULL;
      if (value && oct_encoder_value(&s->encoder, value)) return out_of_memory(diag);
    }
  }
  for (; !rc && t < batch->n_traps; t++) rc = add_trap(w, &batch->traps[t], diag);
  for (; !rc && f < batch->n_facts; f++) rc = add_fact(w, batch, &batch->facts[f], diag);
  return rc;
}

/* The index, if it is not too large; *offset is where it stands. */
static int put_index(oct_writer *w, uint64_t *offset, oct_diag *diag) {
  writing *s = w->state;
  const size_t n = oct_index_bytes(s->n_index), n_records = s->n_index * OCT_INDEX_RECORD_BYTES;
  if (n > OCT_BLOCK_MAX_BYTES) return 0;
  uint8_t *p = calloc(1, n);
  if (!p) return out_of_memory(diag);
  if (n_records) memcpy(p, s->index, n_records);
  if (n_records) memcpy(p + n_records, s->hashes, s->n_index * OCT_INDEX_HASH_BYTES);
  *offset = oct_outfile_tell(w->file);
  int rc = write_block(w, OCT_BLOCK_INDEX, p, (uint32_t)n, 0, (uint32_t)s->n_index, diag);
  free(p);
  return rc;
}

static int writer_finish(oct_writer *w, oct_diag *diag) {
  writing *s = w->state;
  uint8_t end[OCT_END_BYTES];
  uint64_t index_offset = 0;
  int rc = flush_events(w, diag);
  if (!rc) rc = flush_traps(w, diag);
  if (!rc) rc = flush_facts(w, diag);
  if (!rc) rc = put_index(w, &index_offset, diag);
  if (rc) return rc;
  oct_put_le(end, s->n_insns, 8);
  oct_put_le(end + 8, s->n_accesses, 8);
  oct_put_le(end + 16, index_offset, 8);
  return write_block(w, OCT_BLOCK_END, end, sizeof end, 0, 0, diag);
}

static void writer_close(oct_writer *w) {
  writing *s = w->state;
  if (!s) return;
  oct_encoder_free(&s->encoder);
  ZSTD_freeCCtx(s->zstd);
  free(s->stored);
  free(s->index);
  free(s->hashes);
  free(s->traps);
  free(s->facts);
  free(s->fact_bytes);
  free(s);
}

static const oct_writer_ops native_writer = {.open = writer_open,
                                             .put = writer_put,
                                             .put_modules = writer_put_modules,
                                             .finish = writer_finish,
                                             .close = writer_close,
                                             .flush = flush_events};

/* ---- The format ---- */

/* A file that was cut off within the mark is one, too. */
static int native_probe(const uint8_t *p, size_t n, int is_text) {
  (void)is_text;
  return n >= 4 && !memcmp(p, MAGIC, n < sizeof MAGIC - 1 ? n : sizeof MAGIC - 1);
}

const oct_format_desc oct_native_format = {
    .name = "native",
    .text = "octrace's own format, with all that a trace may have",
    .is_default = 1,
    .keeps_traps = 1,
    .keeps_values = 1,
    .keeps_gaps = 1,
    .keeps_alignment = 1,
    .has_checks = 1,
    .carries_map = 1,
    .probe = native_probe,
    .reader = &native_reader,
    .writer = &native_writer,
    .addr_bits = 32};