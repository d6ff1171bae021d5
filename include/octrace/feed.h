/* SPDX-License-Identifier: Apache-2.0 */
/* octrace_feed.h - write octrace's native trace format from any simulator: copy this one file.
 *
 *   oct_feed_info info = {"armv5te", "mysim 1.0", "./a.out", 32, 4, 0};
 *   oct_feed *f = oct_feed_open("a.oct", &info);
 *   oct_feed_insn(f, 0, pc, 4);         at each retired instruction
 *   oct_feed_access(f, addr, 4, 0);     for each data access of that instruction
 *   oct_feed_close(f);                  returns -1 if anything failed on the way
 *
 * Needs the C library only; C99 or C++. The functions are static; call them from one thread at a
 * time. The bits are described in docs/trace-format.md. Blocks are written without compression:
 * pipe "-" into `octrace convert` or zstd to keep them small.
 * With OCTRACE_FEED_ENCODER_ONLY defined only the encoder of blocks is declared. */
#ifndef OCTRACE_FEED_H
#define OCTRACE_FEED_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__GNUC__)
#define OCT_FEED_FN static __attribute__((unused))
#else
#define OCT_FEED_FN static
#endif

/* Encoder of blocks ------------------------------------------------------------------- */

enum {
  OCT_BLOCK_EVENTS = 1,
  OCT_BLOCK_MAP = 2,
  OCT_BLOCK_INDEX = 3,
  OCT_BLOCK_END = 4,
  OCT_BLOCK_OPS = 5,    /* a map block whose records hold effects */
  OCT_BLOCK_TRAPS = 6,  /* of the events block that follows */
  OCT_BLOCK_VALUES = 7, /* of its accesses, */
  OCT_BLOCK_FACTS = 8,  /* and what is told of registers and memory between its instructions */
  OCT_BLOCK_MODULES = 9 /* files of code */
};
enum { OCT_CODEC_NONE = 0, OCT_CODEC_ZSTD = 1 };
enum {
  OCT_BLOCK_HEADER_BYTES = 40,
  OCT_MAP_RECORD_BYTES = 52, /* 36 in version 1 */
  OCT_INDEX_RECORD_BYTES = 24,
  OCT_INDEX_HASH_BYTES = 8, /* behind all records, of each of their blocks, */
  OCT_INDEX_ZERO_BYTES = 4, /* and these behind the hashes */
  OCT_TRAP_RECORD_BYTES = 28,
  OCT_FACT_RECORD_BYTES = 24,
  OCT_MODULE_HEAD_BYTES = 28, /* of a record, before build id and path */
  OCT_MODULE_ID_MAX_BYTES = 64,
  OCT_MODULE_PATH_MAX_BYTES = 4096,
  OCT_END_BYTES = 24,
  OCT_BLOCK_MAX_INSNS = 65536,
  OCT_BLOCK_MAX_ACCESSES = 1 << 20,
  OCT_BLOCK_MAX_BYTES = 1 << 24,
  OCT_HEADER_MAX_BYTES = 65536,
  OCT_CONTEXTS = 4096,
  OCT_N_COLUMNS = 7
};
/* Columns of an event block, and bits of its flags column. */
enum {
  OCT_COL_FLAGS,
  OCT_COL_PC,
  OCT_COL_TASK,
  OCT_COL_COUNT,
  OCT_COL_KIND,
  OCT_COL_ADDR,
  OCT_COL_CYCLE
};
enum { OCT_FLAG_JUMP = 16, OCT_FLAG_ACCESS = 32, OCT_FLAG_TASK = 64, OCT_FLAG_CYCLE = 128 };
/* Bits of its kind column above the size. */
enum { OCT_KIND_STORE = 8, OCT_KIND_VALUE = 16 };

OCT_FEED_FN void oct_put_le(uint8_t *p, uint64_t v, int n_bytes) {
  for (int i = 0; i < n_bytes; i++) p[i] = (uint8_t)(v >> (8 * i));
}

OCT_FEED_FN uint64_t oct_get_le(const uint8_t *p, int n_bytes) {
  uint64_t v = 0;
  for (int i = 0; i < n_bytes; i++) v |= (uint64_t)p[i] << (8 * i);
  return v;
}

/* XXH64 with seed 0 of head (NULL, or 32 bytes) followed by n bytes at p. */
#define OCT_XXH_1 UINT64_C(0x9E3779B185EBCA87)
#define OCT_XXH_2 UINT64_C(0xC2B2AE3D27D4EB4F)
#define OCT_XXH_3 UINT64_C(0x165667B19E3779F9)
#define OCT_XXH_4 UINT64_C(0x85EBCA77C2B2AE63)
#define OCT_XXH_5 UINT64_C(0x27D4EB2F165667C5)

OCT_FEED_FN uint64_t oct_xxh_rotl(uint64_t x, int n) {
  return (x << n) | (x >> (64 - n));
}

OCT_FEED_FN uint64_t oct_xxh_round(uint64_t acc, uint64_t lane) {
  return oct_xxh_rotl(acc + lane * OCT_XXH_2, 31) * OCT_XXH_1;
}

OCT_FEED_FN uint64_t oct_xxh64(const uint8_t *head, const uint8_t *p, size_t n) {
  uint64_t v[4] = {OCT_XXH_1 + OCT_XXH_2, OCT_XXH_2, 0, 0 - OCT_XXH_1};
  uint64_t h, total = n + (head ? 32 : 0);
  if (head)
    for (int i = 0; i < 4; i++) v[i] = oct_xxh_round(v[i], oct_get_le(head + 8 * i, 8));
  for (; n >= 32; p += 32, n -= 32)
    for (int i = 0; i < 4; i++) v[i] = oct_xxh_round(v[i], oct_get_le(p + 8 * i, 8));
  if (total >= 32) {
    h = oct_xxh_rotl(v[0], 1) + oct_xxh_rotl(v[1], 7) + oct_xxh_rotl(v[2], 12) +
        oct_xxh_rotl(v[3], 18);
    for (int i = 0; i < 4; i++) h = (h ^ oct_xxh_round(0, v[i])) * OCT_XXH_1 + OCT_XXH_4;
  } else {
    h = OCT_XXH_5;
  }
  h += total;
  for (; n >= 8; p += 8, n -= 8)
    h = oct_xxh_rotl(h ^ oct_xxh_round(0, oct_get_le(p, 8)), 27) * OCT_XXH_1 + OCT_XXH_4;
  if (n >= 4) {
    h = oct_xxh_rotl(h ^ oct_get_le(p, 4) * OCT_XXH_1, 23) * OCT_XXH_2 + OCT_XXH_3;
    p += 4;
    n -= 4;
  }
  for (; n; p++, n--) h = oct_xxh_rotl(h ^ *p * OCT_XXH_5, 11) * OCT_XXH_1;
  h = (h ^ (h >> 33)) * OCT_XXH_2;
  h = (h ^ (h >> 29)) * OCT_XXH_3;
  return h ^ (h >> 32);
}

/* The header of a block whose stored payload is given; n_items counts accesses or records. */
OCT_FEED_FN void oct_block_header(uint8_t out[OCT_BLOCK_HEADER_BYTES], int kind, int codec,
                                  const uint8_t *stored, uint32_t stored_bytes, uint32_t raw_bytes,
                                  uint64_t first_insn, uint32_t n_insns, uint32_t n_items) {
  memcpy(out, "OCTB", 4);
  out[4] = (uint8_t)kind;
  out[5] = (uint8_t)codec;
  out[6] = out[7] = 0;
  oct_put_le(out + 8, stored_bytes, 4);
  oct_put_le(out + 12, raw_bytes, 4);
  oct_put_le(out + 16, first_insn, 8);
  oct_put_le(out + 24, n_insns, 4);
  oct_put_le(out + 28, n_items, 4);
  oct_put_le(out + 32, oct_xxh64(out, stored, stored_bytes), 8);
}

/* A record of a modules block; returns its bytes, at most OCT_MODULE_HEAD_BYTES +
 * OCT_MODULE_ID_MAX_BYTES + OCT_MODULE_PATH_MAX_BYTES. What is too long is cut. */
OCT_FEED_FN size_t oct_module_record(uint8_t *p, uint64_t addr, uint64_t n_bytes, uint64_t bias,
                                     const uint8_t *id, size_t id_bytes, const char *path) {
  size_t path_bytes = strlen(path);
  if (id_bytes > OCT_MODULE_ID_MAX_BYTES) id_bytes = OCT_MODULE_ID_MAX_BYTES;
  if (path_bytes > OCT_MODULE_PATH_MAX_BYTES) path_bytes = OCT_MODULE_PATH_MAX_BYTES;
  oct_put_le(p, addr, 8);
  oct_put_le(p + 8, n_bytes, 8);
  oct_put_le(p + 16, bias, 8);
  oct_put_le(p + 24, id_bytes, 2);
  oct_put_le(p + 26, path_bytes, 2);
  if (id_bytes) memcpy(p + OCT_MODULE_HEAD_BYTES, id, id_bytes);
  memcpy(p + OCT_MODULE_HEAD_BYTES + id_bytes, path, path_bytes);
  return OCT_MODULE_HEAD_BYTES + id_bytes + path_bytes;
}

/* Where the last address of access number slot of the instruction at pc is remembered. */
OCT_FEED_FN unsigned oct_context(uint64_t pc, unsigned slot) {
  uint64_t s = slot < 16 ? slot : 14 + (slot & 1);
  return (unsigned)(((pc ^ (s << 56)) * UINT64_C(0x9E3779B97F4A7C15)) >> 52);
}

/* Cycle stamps do not go back, unless another task ran in between, which may have had another core
 * with a clock of its own. Begins as all 0; oct_stamps_insn for each instruction, oct_stamps_cycle
 * for its stamp: 0, or -1 when it goes back. */
typedef struct oct_stamps {
  uint64_t cycle; /* the last, if has_cycle */
  uint32_t task;
  int has_cycle;
} oct_stamps;

OCT_FEED_FN void oct_stamps_insn(oct_stamps *s, uint32_t task) {
  if (task != s->task) s->has_cycle = 0;
  s->task = task;
}

OCT_FEED_FN int oct_stamps_cycle(oct_stamps *s, uint64_t cycle) {
  if (s->has_cycle && cycle < s->cycle) return -1;
  s->cycle = cycle;
  s->has_cycle = 1;
  return 0;
}

/* One event block in the making. Every column has room for the worst case. */
typedef struct oct_encoder {
  uint8_t *raw; /* room for the assembled payload, then the columns */
  uint8_t *start[OCT_N_COLUMNS];
  uint8_t *end[OCT_N_COLUMNS];
  uint64_t context[OCT_CONTEXTS];
  uint64_t pc, next_pc, cycle;
  uint32_t task, n_insns, n_accesses, n_last; /* n_last: accesses of the last instruction */
  oct_stamps stamps;                          /* of all blocks */
  uint8_t *values;                            /* of the block's accesses */
  size_t n_values, room_values;               /* bytes */
} oct_encoder;

/* Most bytes of values of an instruction. */
enum { OCT_INSN_VALUES_MAX = 65535 * 64 };

OCT_FEED_FN void oct_encoder_reset(oct_encoder *e) {
  for (int c = 0; c < OCT_N_COLUMNS; c++) e->end[c] = e->start[c];
  memset(e->context, 0, sizeof e->context);
  e->pc = e->next_pc = e->cycle = 0;
  e->task = e->n_insns = e->n_accesses = e->n_last = 0;
  e->n_values = 0;
}

/* 0, or -1 when out of memory. */
OCT_FEED_FN int oct_encoder_init(oct_encoder *e) {
  static const uint32_t room_bytes[OCT_N_COLUMNS] = {
      OCT_BLOCK_MAX_INSNS,     OCT_BLOCK_MAX_INSNS * 10, OCT_BLOCK_MAX_INSNS * 5,
      OCT_BLOCK_MAX_INSNS * 3, OCT_BLOCK_MAX_ACCESSES,   OCT_BLOCK_MAX_ACCESSES * 10,
      OCT_BLOCK_MAX_INSNS * 10};
  uint8_t *p;
  e->raw = (uint8_t *)malloc((size_t)OCT_BLOCK_MAX_BYTES * 2);
  if (!e->raw) return -1;
  memset(&e->stamps, 0, sizeof e->stamps);
  e->values = NULL;
  e->room_values = 0;
  p = e->raw + OCT_BLOCK_MAX_BYTES;
  for (int c = 0; c < OCT_N_COLUMNS; c++) {
    e->start[c] = p;
    p += room_bytes[c];
  }
  oct_encoder_reset(e);
  return 0;
}

OCT_FEED_FN void oct_encoder_free(oct_encoder *e) {
  free(e->raw);
  free(e->values);
}

OCT_FEED_FN void oct_encoder_leb(oct_encoder *e, int column, uint64_t v) {
  uint8_t *p = e->end[column];
  for (; v >= 128; v >>= 7) *p++ = (uint8_t)(v | 128);
  *p++ = (uint8_t)v;
  e->end[column] = p;
}

OCT_FEED_FN void oct_encoder_delta(oct_encoder *e, int column, uint64_t delta) {
  oct_encoder_leb(e, column, (delta << 1) ^ (0 - (delta >> 63)));
}

OCT_FEED_FN void oct_encoder_end_insn(oct_encoder *e) {
  if (e->n_last) oct_encoder_leb(e, OCT_COL_COUNT, e->n_last);
  e->n_last = 0;
}

/* Whether one more instruction, with any number of accesses, may not fit. */
OCT_FEED_FN int oct_encoder_full(const oct_encoder *e, uint32_t block_insns) {
  return e->n_insns >= block_insns || e->n_accesses > OCT_BLOCK_MAX_ACCESSES - 65535 ||
         e->n_values > OCT_BLOCK_MAX_BYTES - OCT_INSN_VALUES_MAX;
}

/* 0, or -1 for a size that the format cannot hold. The block must not be full. */
OCT_FEED_FN int oct_encoder_insn(oct_encoder *e, uint32_t task, uint64_t addr,
                                 unsigned size_bytes) {
  unsigned flags = size_bytes;
  if (size_bytes < 1 || size_bytes > 15) return -1;
  oct_encoder_end_insn(e);
  if (addr != e->next_pc) {
    flags |= OCT_FLAG_JUMP;
    oct_encoder_delta(e, OCT_COL_PC, addr - e->next_pc);
  }
  if (task != e->task) {
    flags |= OCT_FLAG_TASK;
    oct_encoder_leb(e, OCT_COL_TASK, task);
    e->task = task;
  }
  oct_stamps_insn(&e->stamps, task);
  *e->end[OCT_COL_FLAGS]++ = (uint8_t)flags;
  e->pc = addr;
  e->next_pc = addr + size_bytes;
  e->n_insns++;
  return 0;
}

/* 0, or -1 when there is no instruction, it has its stamp already, or the stamp goes back. */
OCT_FEED_FN int oct_encoder_cycle(oct_encoder *e, uint64_t cycle) {
  if (!e->n_insns || (e->end[OCT_COL_FLAGS][-1] & OCT_FLAG_CYCLE)) return -1;
  if (oct_stamps_cycle(&e->stamps, cycle)) return -1;
  e->end[OCT_COL_FLAGS][-1] |= OCT_FLAG_CYCLE;
  oct_encoder_delta(e, OCT_COL_CYCLE, cycle - e->cycle);
  e->cycle = cycle;
  return 0;
}

/* 0, or -1 when there is no instruction, it has 65535 accesses, or the size is not a power of two
 * up to 64. */
OCT_FEED_FN int oct_encoder_access(oct_encoder *e, uint64_t addr, unsigned size_bytes,
                                   int is_store) {
  unsigned log2_size = 0;
  uint64_t *last;
  if (!e->n_insns || e->n_last == 65535) return -1;
  if (size_bytes == 0)
    log2_size = 7;
  else
    while (log2_size < 7 && (1u << log2_size) != size_bytes) log2_size++;
  if (size_bytes && log2_size == 7) return -1;
  e->end[OCT_COL_FLAGS][-1] |= OCT_FLAG_ACCESS;
  *e->end[OCT_COL_KIND]++ = (uint8_t)(log2_size | (is_store ? 8 : 0));
  last = &e->context[oct_context(e->pc, e->n_last)];
  oct_encoder_delta(e, OCT_COL_ADDR, addr - *last);
  *last = addr;
  e->n_last++;
  e->n_accesses++;
  return 0;
}

/* The bytes that the last access brought or stored, its size of them, the lowest address first. 0,
 * or -1: there is no access, it has a value or no size, or out of memory. */
OCT_FEED_FN int oct_encoder_value(oct_encoder *e, const uint8_t *bytes) {
  unsigned kind;
  size_t n;
  if (!e->n_last) return -1;
  kind = e->end[OCT_COL_KIND][-1];
  n = (size_t)1 << (kind & 7);
  if ((kind & OCT_KIND_VALUE) || (kind & 7) == 7) return -1;
  if (e->room_values - e->n_values < n) {
    size_t room = e->room_values ? e->room_values * 2 : 65536;
    uint8_t *p = (uint8_t *)realloc(e->values, room);
    if (!p) return -1;
    e->values = p;
    e->room_values = room;
  }
  memcpy(e->values + e->n_values, bytes, n);
  e->n_values += n;
  e->end[OCT_COL_KIND][-1] |= OCT_KIND_VALUE;
  return 0;
}

/* Assemble the payload in e->raw and return its length in bytes. */
OCT_FEED_FN uint32_t oct_encoder_finish(oct_encoder *e) {
  uint8_t *p = e->raw + 4 * OCT_N_COLUMNS;
  oct_encoder_end_insn(e);
  for (int c = 0; c < OCT_N_COLUMNS; c++) {
    size_t n = (size_t)(e->end[c] - e->start[c]);
    oct_put_le(e->raw + 4 * c, n, 4);
    memcpy(p, e->start[c], n);
    p += n;
  }
  return (uint32_t)(p - e->raw);
}

/* code_isa 0: the bytes are not known, and code is not read. */
OCT_FEED_FN void oct_map_record(uint8_t out[OCT_MAP_RECORD_BYTES], uint64_t addr,
                                unsigned size_bytes, unsigned cls, uint64_t target,
                                unsigned n_slots, const uint8_t *slots, unsigned flags,
                                unsigned code_isa, const uint8_t *code) {
  memset(out, 0, OCT_MAP_RECORD_BYTES);
  oct_put_le(out, addr, 8);
  oct_put_le(out + 8, target, 8);
  out[16] = (uint8_t)size_bytes;
  out[17] = (uint8_t)cls;
  out[18] = (uint8_t)n_slots;
  out[19] = (uint8_t)flags;
  if (n_slots) memcpy(out + 20, slots, n_slots < 16 ? n_slots : 16);
  out[36] = (uint8_t)code_isa;
  if (code_isa) memcpy(out + 37, code, size_bytes);
}

/* insn: number of the instruction, in the next events block, before which the trap is taken. */
OCT_FEED_FN void oct_trap_record(uint8_t out[OCT_TRAP_RECORD_BYTES], uint32_t insn, unsigned kind,
                                 unsigned privilege, uint32_t cause, uint64_t addr, uint64_t tval) {
  oct_put_le(out, addr, 8);
  oct_put_le(out + 8, tval, 8);
  oct_put_le(out + 16, cause, 4);
  oct_put_le(out + 20, insn, 4);
  out[24] = (uint8_t)kind;
  out[25] = (uint8_t)privilege;
  out[26] = out[27] = 0;
}

/* What is told before instruction `insn` of the next events block: kind 0, register `number` holds
 * n_bytes bytes; kind 1, somebody else wrote n_bytes bytes at addr. has_value: the bytes are known,
 * and stand behind all records of the block. */
OCT_FEED_FN void oct_fact_record(uint8_t out[OCT_FACT_RECORD_BYTES], uint32_t insn, unsigned kind,
                                 unsigned number, uint64_t addr, uint32_t n_bytes, int has_value) {
  oct_put_le(out, addr, 8);
  oct_put_le(out + 8, insn, 4);
  oct_put_le(out + 12, n_bytes, 4);
  oct_put_le(out + 16, number, 2);
  out[18] = (uint8_t)kind;
  out[19] = (uint8_t)(has_value != 0);
  oct_put_le(out + 20, 0, 4);
}

OCT_FEED_FN void oct_index_record(uint8_t out[OCT_INDEX_RECORD_BYTES], uint64_t offset, int kind,
                                  uint64_t first_insn, uint32_t count) {
  oct_put_le(out, offset, 8);
  oct_put_le(out + 8, first_insn, 8);
  oct_put_le(out + 16, count, 4);
  oct_put_le(out + 20, (uint64_t)kind, 4);
}

/* All of an index of n blocks. */
OCT_FEED_FN size_t oct_index_bytes(size_t n) {
  return n * (OCT_INDEX_RECORD_BYTES + OCT_INDEX_HASH_BYTES) + OCT_INDEX_ZERO_BYTES;
}

OCT_FEED_FN size_t oct_header_line(char *out, const char *key, const char *value) {
  size_t n = (size_t)sprintf(out, "%s: ", key);
  /* A value stays on its line, and the header within its limit. */
  for (size_t i = 0; value && value[i] && i < 16000; i++)
    out[n++] = (unsigned char)value[i] < 32 ? ' ' : value[i];
  out[n++] = '\n';
  return n;
}

/* Magic, length, text and checksum that open a file: writes to out (OCT_HEADER_MAX_BYTES) and
 * returns the length in bytes. */
OCT_FEED_FN size_t oct_file_header(uint8_t *out, const char *isa, const char *origin,
                                   const char *command, unsigned addr_bits,
                                   unsigned insn_align_bytes, int has_cycles, uint64_t n_insns,
                                   uint64_t n_accesses) {
  char *text = (char *)out + 12;
  size_t n = 0;
  n += oct_header_line(text + n, "isa", isa);
  n += oct_header_line(text + n, "origin", origin);
  n += oct_header_line(text + n, "command", command);
  n += (size_t)sprintf(text + n, "addr_bits: %u\ninsn_align_bytes: %u\ncycles: %s\n", addr_bits,
                       insn_align_bytes, has_cycles ? "yes" : "no");
  if (n_insns)
    n += (size_t)sprintf(text + n, "instructions: %llu\naccesses: %llu\n",
                         (unsigned long long)n_insns, (unsigned long long)n_accesses);
  memcpy(out, "OCTRACE2", 8);
  oct_put_le(out + 8, n, 4);
  oct_put_le(out + 12 + n, oct_xxh64(NULL, out, n + 12), 8);
  return n + 20;
}

/* Feed -------------------------------------------------------------------------------- */
#ifndef OCTRACE_FEED_ENCODER_ONLY

typedef struct oct_feed_info {
  const char *isa, *origin, *command; /* "armv5te"; what made the trace; the traced command */
  unsigned addr_bits;                 /* 32 or 64 */
  unsigned insn_align_bytes;          /* every instruction address is a multiple of it */
  int has_cycles;                     /* oct_feed_cycle will be called */
} oct_feed_info;

typedef struct oct_feed {
  FILE *file;
  int failed;
  oct_encoder encoder;
  uint64_t offset, n_insns, n_accesses;
  uint8_t *index, *hashes; /* records, and the hash of each one's block */
  size_t n_index, room_index, n_hashes, room_hashes;
  uint8_t *map;                       /* records not yet written */
  size_t n_map, room_map, n_map_late; /* the late ones hold only after the block in the making */
  uint8_t *known;                     /* hash table of records: what the map says now */
  size_t n_known, room_known;
  uint8_t *traps; /* records of the block in the making */
  size_t n_traps, room_traps;
  uint8_t *facts, *fact_bytes; /* likewise, and the bytes that they tell */
  size_t n_facts, room_facts, n_fact_bytes, room_fact_bytes;
} oct_feed;

OCT_FEED_FN void oct_feed_write(oct_feed *f, const void *p, size_t n) {
  if (!f->failed && fwrite(p, 1, n, f->file) != n) f->failed = 1;
  f->offset += n;
}

/* Append a record to a growing array. */
OCT_FEED_FN void oct_feed_append(oct_feed *f, uint8_t **array, size_t *n, size_t *room,
                                 const uint8_t *record, size_t record_bytes) {
  if (*n == *room) {
    size_t new_room = *room ? *room * 2 : 1024;
    uint8_t *p = (uint8_t *)realloc(*array, new_room * record_bytes);
    if (!p) {
      f->failed = 1;
      return;
    }
    *array = p;
    *room = new_room;
  }
  memcpy(*array + *n * record_bytes, record, record_bytes);
  ++*n;
}

OCT_FEED_FN void oct_feed_block(oct_feed *f, int kind, const uint8_t *payload, size_t n_bytes,
                                uint32_t n_insns, uint32_t n_items) {
  uint8_t header[OCT_BLOCK_HEADER_BYTES], record[OCT_INDEX_RECORD_BYTES];
  int is_listed = kind != OCT_BLOCK_INDEX && kind != OCT_BLOCK_END;
  if (is_listed) {
    oct_index_record(record, f->offset, kind, f->n_insns,
                     kind == OCT_BLOCK_EVENTS ? n_insns : n_items);
    oct_feed_append(f, &f->index, &f->n_index, &f->room_index, record, sizeof record);
  }
  oct_block_header(header, kind, OCT_CODEC_NONE, payload, (uint32_t)n_bytes, (uint32_t)n_bytes,
                   f->n_insns, n_insns, n_items);
  if (is_listed)
    oct_feed_append(f, &f->hashes, &f->n_hashes, &f->room_hashes,
                    header + OCT_BLOCK_HEADER_BYTES - OCT_INDEX_HASH_BYTES, OCT_INDEX_HASH_BYTES);
  oct_feed_write(f, header, sizeof header);
  oct_feed_write(f, payload, n_bytes);
}

/* How many facts there may be in a block, and bytes of them. */
enum { OCT_FEED_FACTS_MAX = 65536, OCT_FEED_FACT_BYTES_MAX = 1 << 23 };

/* The facts among the block's instructions; those behind the last go with the next block. */
OCT_FEED_FN void oct_feed_flush_facts(oct_feed *f) {
  size_t n = f->n_facts, n_bytes = 0, n_records;
  uint8_t *payload;
  while (n && f->encoder.n_insns &&
         oct_get_le(f->facts + (n - 1) * OCT_FACT_RECORD_BYTES + 8, 4) == f->encoder.n_insns)
    n--;
  if (!n) return;
  for (size_t i = 0; i < n; i++) {
    const uint8_t *record = f->facts + i * OCT_FACT_RECORD_BYTES;
    if (record[19]) n_bytes += (size_t)oct_get_le(record + 12, 4);
  }
  n_records = n * OCT_FACT_RECORD_BYTES;
  payload = (uint8_t *)malloc(n_records + n_bytes + 1);
  if (!payload) {
    f->failed = 1;
    return;
  }
  memcpy(payload, f->facts, n_records);
  if (n_bytes) memcpy(payload + n_records, f->fact_bytes, n_bytes);
  oct_feed_block(f, OCT_BLOCK_FACTS, payload, n_records + n_bytes, 0, (uint32_t)n);
  free(payload);
  f->n_facts -= n;
  f->n_fact_bytes -= n_bytes;
  if (f->n_fact_bytes) memmove(f->fact_bytes, f->fact_bytes + n_bytes, f->n_fact_bytes);
  for (size_t i = 0; i < f->n_facts; i++) {
    uint8_t *record = f->facts + i * OCT_FACT_RECORD_BYTES;
    memmove(record, record + n_records, OCT_FACT_RECORD_BYTES);
    oct_put_le(record + 8, 0, 4);
  }
}

/* Write what has gathered: the map first, since it holds from the block's first instruction on. */
OCT_FEED_FN void oct_feed_flush(oct_feed *f) {
  size_t n_map, n_traps, done = 0;
  if (f->failed) return;
  n_map = f->n_map - f->n_map_late;
  while (done < n_map) {
    size_t n = n_map - done;
    if (n > OCT_BLOCK_MAX_INSNS) n = OCT_BLOCK_MAX_INSNS;
    oct_feed_block(f, OCT_BLOCK_MAP, f->map + done * OCT_MAP_RECORD_BYTES, n * OCT_MAP_RECORD_BYTES,
                   0, (uint32_t)n);
    done += n;
  }
  if (f->n_map_late)
    memmove(f->map, f->map + n_map * OCT_MAP_RECORD_BYTES, f->n_map_late * OCT_MAP_RECORD_BYTES);
  f->n_map = f->n_map_late;
  f->n_map_late = 0;
  /* Traps behind the last instruction go with the next block. */
  n_traps = f->n_traps;
  while (n_traps && f->encoder.n_insns &&
         oct_get_le(f->traps + (n_traps - 1) * OCT_TRAP_RECORD_BYTES + 20, 4) == f->encoder.n_insns)
    n_traps--;
  if (n_traps)
    oct_feed_block(f, OCT_BLOCK_TRAPS, f->traps, n_traps * OCT_TRAP_RECORD_BYTES, 0,
                   (uint32_t)n_traps);
  f->n_traps -= n_traps;
  for (size_t i = 0; i < f->n_traps; i++) {
    uint8_t *record = f->traps + i * OCT_TRAP_RECORD_BYTES;
    memmove(record, record + n_traps * OCT_TRAP_RECORD_BYTES, OCT_TRAP_RECORD_BYTES);
    oct_put_le(record + 20, 0, 4);
  }
  oct_feed_flush_facts(f);
  if (f->encoder.n_values)
    oct_feed_block(f, OCT_BLOCK_VALUES, f->encoder.values, f->encoder.n_values, 0, 0);
  if (f->encoder.n_insns) {
    uint32_t n_bytes = oct_encoder_finish(&f->encoder);
    oct_feed_block(f, OCT_BLOCK_EVENTS, f->encoder.raw, n_bytes, f->encoder.n_insns,
                   f->encoder.n_accesses);
    f->n_insns += f->encoder.n_insns;
    f->n_accesses += f->encoder.n_accesses;
    oct_encoder_reset(&f->encoder);
  }
}

OCT_FEED_FN void oct_feed_free(oct_feed *f) {
  oct_encoder_free(&f->encoder);
  free(f->index);
  free(f->hashes);
  free(f->map);
  free(f->known);
  free(f->traps);
  free(f->facts);
  free(f->fact_bytes);
  free(f);
}

/* Start a trace in the file path, "-" for standard output. NULL when that fails (see errno). */
OCT_FEED_FN oct_feed *oct_feed_open(const char *path, const oct_feed_info *info) {
  oct_feed *f = (oct_feed *)calloc(1, sizeof *f);
  if (!f) return NULL;
  if (oct_encoder_init(&f->encoder)) {
    free(f);
    return NULL;
  }
  f->file = strcmp(path, "-") ? fopen(path, "wb") : stdout;
  if (!f->file) {
    oct_feed_free(f);
    return NULL;
  }
  oct_feed_write(f, f->encoder.raw,
                 oct_file_header(f->encoder.raw, info->isa, info->origin, info->command,
                                 info->addr_bits, info->insn_align_bytes, info->has_cycles, 0, 0));
  return f;
}

/* An instruction retires. 0, or -1 when its size is not 1..15 or writing failed. */
OCT_FEED_FN int oct_feed_insn(oct_feed *f, uint32_t task, uint64_t addr, unsigned size_bytes) {
  if (f->n_map_late || oct_encoder_full(&f->encoder, OCT_BLOCK_MAX_INSNS)) oct_feed_flush(f);
  return oct_encoder_insn(&f->encoder, task, addr, size_bytes) || f->failed ? -1 : 0;
}

/* The time stamp in cycles of the last instruction, once each. 0, or -1: there is no instruction,
 * it has one, or this goes back although no other task ran in between (readers refuse that). */
OCT_FEED_FN int oct_feed_cycle(oct_feed *f, uint64_t cycle) {
  return oct_encoder_cycle(&f->encoder, cycle);
}

/* A data access of the last instruction. size_bytes: a power of two up to 64, or 0 = unknown. */
OCT_FEED_FN int oct_feed_access(oct_feed *f, uint64_t addr, unsigned size_bytes, int is_store) {
  return oct_encoder_access(&f->encoder, addr, size_bytes, is_store);
}

/* The bytes that the last access loaded or stored, its size of them, the lowest address first. 0,
 * or -1: there is none, it has a value or no size, or out of memory. */
OCT_FEED_FN int oct_feed_value(oct_feed *f, const void *bytes) {
  return oct_encoder_value(&f->encoder, (const uint8_t *)bytes);
}

OCT_FEED_FN int oct_feed_fact(oct_feed *f, unsigned kind, unsigned number, uint64_t addr,
                              uint32_t n_bytes, const void *bytes) {
  uint8_t record[OCT_FACT_RECORD_BYTES];
  size_t room = f->room_fact_bytes;
  if (!n_bytes || (bytes && n_bytes > OCT_FEED_FACT_BYTES_MAX / 2)) return -1;
  /* Those behind the last instruction wait for a block without one. */
  for (int i = 0; i < 2; i++)
    if (f->n_facts == OCT_FEED_FACTS_MAX ||
        (bytes && f->n_fact_bytes + n_bytes > OCT_FEED_FACT_BYTES_MAX))
      oct_feed_flush(f);
  oct_fact_record(record, f->encoder.n_insns, kind, number, addr, n_bytes, bytes != NULL);
  oct_feed_append(f, &f->facts, &f->n_facts, &f->room_facts, record, sizeof record);
  if (bytes) {
    while (room < f->n_fact_bytes + n_bytes) room = room ? room * 2 : 4096;
    if (room != f->room_fact_bytes) {
      uint8_t *p = (uint8_t *)realloc(f->fact_bytes, room);
      if (!p) {
        f->failed = 1;
        return -1;
      }
      f->fact_bytes = p;
      f->room_fact_bytes = room;
    }
    memcpy(f->fact_bytes + f->n_fact_bytes, bytes, n_bytes);
    f->n_fact_bytes += n_bytes;
  }
  return f->failed ? -1 : 0;
}

/* Before the next instruction, register `number` of its task holds these n_bytes bytes (1 to 64),
 * the lowest first. Numbers: docs/trace-format.md. 0 or -1. */
OCT_FEED_FN int oct_feed_register(oct_feed *f, unsigned number, const void *bytes,
                                  unsigned n_bytes) {
  if (number > 127 || n_bytes > 64 || !bytes) return -1;
  return oct_feed_fact(f, 0, number, 0, n_bytes, bytes);
}

/* Before the next instruction, somebody else wrote n_bytes bytes from addr on: the kernel, a
 * device, another core. bytes: what, or NULL. 0 or -1. */
OCT_FEED_FN int oct_feed_memory(oct_feed *f, uint64_t addr, uint32_t n_bytes, const void *bytes) {
  return oct_feed_fact(f, 1, 0, addr, n_bytes, bytes);
}

/* A trap is taken after the last instruction. kind: 0 exception, 1 interrupt, 2 return from a
 * trap, which only changes the privilege. privilege: from here on, the instruction set's number
 * 0..6, or 7: not known. addr: where the program would have gone on. Exceptions have a tval,
 * privilege changes nothing but the privilege. 0 or -1. */
OCT_FEED_FN int oct_feed_trap(oct_feed *f, unsigned kind, unsigned privilege, uint32_t cause,
                              uint64_t addr, uint64_t tval) {
  uint8_t record[OCT_TRAP_RECORD_BYTES];
  if (kind > 2 || privilege > 7 || (kind == 2 && (cause || addr)) || (kind && tval)) return -1;
  /* Those behind the last instruction wait for a block without one. */
  if (f->n_traps == OCT_BLOCK_MAX_INSNS) oct_feed_flush(f);
  if (f->n_traps == OCT_BLOCK_MAX_INSNS) oct_feed_flush(f);
  oct_trap_record(record, f->encoder.n_insns, kind, privilege, cause, addr, tval);
  oct_feed_append(f, &f->traps, &f->n_traps, &f->room_traps, record, sizeof record);
  return f->failed ? -1 : 0;
}

/* Where the record of addr is, or belongs, in the table of known ones. */
/* A file of code is in memory from here on: n_bytes of its code at addr, loaded with bias added to
 * its addresses. id: its build id, or NULL. Returns 0, or -1 when the feed has failed. */
OCT_FEED_FN int oct_feed_module(oct_feed *f, uint64_t addr, uint64_t n_bytes, uint64_t bias,
                                const uint8_t *id, size_t id_bytes, const char *path) {
  uint8_t record[OCT_MODULE_HEAD_BYTES + OCT_MODULE_ID_MAX_BYTES + OCT_MODULE_PATH_MAX_BYTES];
  size_t n = oct_module_record(record, addr, n_bytes, bias, id, id ? id_bytes : 0, path);
  oct_feed_flush(f);
  if (!f->failed) oct_feed_block(f, OCT_BLOCK_MODULES, record, n, 0, 1);
  return f->failed ? -1 : 0;
}

OCT_FEED_FN uint8_t *oct_feed_known(uint8_t *table, size_t room, uint64_t addr) {
  size_t i = (size_t)((addr * UINT64_C(0x9E3779B97F4A7C15)) >> 32) & (room - 1);
  /* Byte 16, the size, is 0 in free places only. */
  while (table[i * OCT_MAP_RECORD_BYTES + 16] &&
         oct_get_le(table + i * OCT_MAP_RECORD_BYTES, 8) != addr)
    i = (i + 1) & (room - 1);
  return table + i * OCT_MAP_RECORD_BYTES;
}

OCT_FEED_FN int oct_feed_grow_known(oct_feed *f) {
  size_t room = f->room_known ? f->room_known * 2 : 4096;
  uint8_t *table = (uint8_t *)calloc(room, OCT_MAP_RECORD_BYTES);
  if (!table) return -1;
  for (size_t i = 0; i < f->room_known; i++) {
    const uint8_t *r = f->known + i * OCT_MAP_RECORD_BYTES;
    if (r[16]) memcpy(oct_feed_known(table, room, oct_get_le(r, 8)), r, OCT_MAP_RECORD_BYTES);
  }
  free(f->known);
  f->known = table;
  f->room_known = room;
  return 0;
}

/* Describes the instruction at addr, before it first retires. 0 or -1.
 *   cls        0 unknown, 1 other, 2 conditional branch, 3 direct jump, 4 direct call,
 *              5 indirect jump, 6 indirect call, 7 return
 *   target     of classes 2, 3 and 4, else 0
 *   slots      n_slots accesses. slots[s] describes number s, from 16 on slots[14 + (s & 1)]:
 *              log2 of the size (7 unknown) + 8 store + 16 PC-relative
 *   flags      1 number of accesses varies, 2 may retire without its accesses
 *   code       its size_bytes bytes, as memory holds them
 *   code_isa   1 ARM, 2 Thumb, 3 RISC-V 32, 4 RISC-V 64, 5 AArch64, 6 x86, 7 x86-64, 8 MIPS,
 *              9 MIPS little-endian; 0: the bytes are not known
 * The same description again costs nothing; another one holds for the instructions after it. */
OCT_FEED_FN int oct_feed_map_code(oct_feed *f, uint64_t addr, unsigned size_bytes, unsigned cls,
                                  uint64_t target, unsigned n_slots, const uint8_t *slots,
                                  unsigned flags, unsigned code_isa, const uint8_t *code) {
  uint8_t record[OCT_MAP_RECORD_BYTES], *known;
  if (size_bytes < 1 || size_bytes > 15 || cls > 7 || n_slots > 255 || flags > 3 || code_isa > 9)
    return -1;
  if (f->n_known * 2 >= f->room_known && oct_feed_grow_known(f)) return -1;
  oct_map_record(record, addr, size_bytes, cls, target, n_slots, slots, flags, code_isa, code);
  known = oct_feed_known(f->known, f->room_known, addr);
  if (!memcmp(known, record, sizeof record)) return 0;
  if (!known[16])
    f->n_known++;
  else if (f->encoder.n_insns)
    f->n_map_late++;
  /* Once one entry is late, those after it are too. */
  if (!known[16] && f->n_map_late) f->n_map_late++;
  memcpy(known, record, sizeof record);
  oct_feed_append(f, &f->map, &f->n_map, &f->room_map, record, sizeof record);
  return f->failed ? -1 : 0;
}

/* The same without the instruction's bytes. */
OCT_FEED_FN int oct_feed_map(oct_feed *f, uint64_t addr, unsigned size_bytes, unsigned cls,
                             uint64_t target, unsigned n_slots, const uint8_t *slots,
                             unsigned flags) {
  return oct_feed_map_code(f, addr, size_bytes, cls, target, n_slots, slots, flags, 0, NULL);
}

/* Put all that came so far out, and return the bytes that would end the trace here, to be freed:
 * for a program that may not come back. The feed goes on. NULL when that fails. */
OCT_FEED_FN uint8_t *oct_feed_end(oct_feed *f, size_t *n_bytes) {
  size_t n_records, n_index, n_before;
  uint8_t *end, *payload;
  oct_feed_flush(f);
  oct_feed_flush(f); /* late map entries and last traps, if any */
  n_records = f->n_index * OCT_INDEX_RECORD_BYTES;
  n_index = oct_index_bytes(f->n_index);
  /* An index that is too large is left out. */
  n_before = n_index > OCT_BLOCK_MAX_BYTES ? 0 : OCT_BLOCK_HEADER_BYTES + n_index;
  *n_bytes = n_before + OCT_BLOCK_HEADER_BYTES + OCT_END_BYTES;
  end = (uint8_t *)calloc(1, *n_bytes);
  if (!end || fflush(f->file)) f->failed = 1;
  if (f->failed) {
    free(end);
    return NULL;
  }
  if (n_before) {
    payload = end + OCT_BLOCK_HEADER_BYTES;
    if (n_records) memcpy(payload, f->index, n_records);
    if (n_records) memcpy(payload + n_records, f->hashes, f->n_hashes * OCT_INDEX_HASH_BYTES);
    oct_block_header(end, OCT_BLOCK_INDEX, OCT_CODEC_NONE, payload, (uint32_t)n_index,
                     (uint32_t)n_index, f->n_insns, 0, (uint32_t)f->n_index);
  }
  payload = end + n_before + OCT_BLOCK_HEADER_BYTES;
  oct_put_le(payload, f->n_insns, 8);
  oct_put_le(payload + 8, f->n_accesses, 8);
  oct_put_le(payload + 16, n_before ? f->offset : 0, 8);
  oct_block_header(end + n_before, OCT_BLOCK_END, OCT_CODEC_NONE, payload, OCT_END_BYTES,
                   OCT_END_BYTES, f->n_insns, 0, 0);
  return end;
}

/* Finish the trace and free f. 0, or -1 when anything could not be written. */
OCT_FEED_FN int oct_feed_close(oct_feed *f) {
  size_t n_bytes;
  uint8_t *end = oct_feed_end(f, &n_bytes);
  int failed;
  if (end) oct_feed_write(f, end, n_bytes);
  free(end);
  if (fflush(f->file) || (f->file != stdout && fclose(f->file))) f->failed = 1;
  failed = f->failed;
  oct_feed_free(f);
  return failed ? -1 : 0;
}

#endif
#endif
