/* SPDX-License-Identifier: Apache-2.0 */
/* oct_ev_file.h - the file of docs/events.md: blocks of columns, and where they stand. */
#ifndef OCT_EV_FILE_H
#define OCT_EV_FILE_H

#include "oct_ev_bytes.h"
#include "oct_ev_types.h"

#define OCT_EV_MAGIC "OCTEVNT" /* and the version */
#define OCT_EV_END_MAGIC "OCTEVEND"

enum {
  OCT_EV_MAGIC_BYTES = 8,
  OCT_EV_VERSION = 2,           /* that is written; this and 1 are read */
  OCT_EV_TAIL_BYTES = 16,       /* u64 offset of the index, end magic */
  OCT_EV_BLOCK_HEAD_BYTES = 16, /* kind, columns, u16 0, u32 size of the rest, u64 checksum */
  OCT_EV_COLUMNS_MAX = 8,
  OCT_EV_META_BLOCK = 1024,             /* meta-events of a block */
  OCT_EV_PATTERN_BLOCK = 1024,          /* patterns of a block, at most */
  OCT_EV_PATTERN_BLOCK_BYTES = 1 << 15, /* of differences, at which a block is ended */
  OCT_EV_CHUNK_EVENTS = 1 << 15,        /* events at which a chunk is ended */
  OCT_EV_SEGMENT_OTHER_BYTES = 1 << 22, /* of other records at which a segment is ended */
  OCT_EV_TEXT_BYTES_MAX = 1 << 16
};
#define OCT_EV_BLOCK_BYTES_MAX (UINT32_C(1) << 28) /* of a block, stored and decompressed */

enum {
  OCT_EV_BLOCK_METAS = 1,
  OCT_EV_BLOCK_PATTERNS,
  OCT_EV_BLOCK_CHUNK,
  OCT_EV_BLOCK_DEFS,
  OCT_EV_BLOCK_INDEX
};
/* Columns of each kind. */
enum { OCT_EV_META_RULE, OCT_EV_META_A, OCT_EV_META_B, OCT_EV_META_COLUMNS };
enum { OCT_EV_PATTERN_HEAD, OCT_EV_PATTERN_VECTOR, OCT_EV_PATTERN_COLUMNS };
enum {
  OCT_EV_CHUNK_HEAD,
  OCT_EV_CHUNK_TOKENS,
  OCT_EV_CHUNK_GAPS,
  OCT_EV_CHUNK_CORRECTIONS,
  OCT_EV_CHUNK_RESIDUALS,
  OCT_EV_CHUNK_OTHERS,
  OCT_EV_CHUNK_OTHER_TEXT,
  OCT_EV_CHUNK_COLUMNS
};
enum { OCT_EV_DEFS_NAMES, OCT_EV_DEFS_BLOB, OCT_EV_DEFS_COLUMNS };
enum {
  OCT_EV_INDEX_TOTALS,
  OCT_EV_INDEX_SEGMENTS,
  OCT_EV_INDEX_CHUNKS,
  OCT_EV_INDEX_SUMS, /* from version 2 on */
  OCT_EV_INDEX_COLUMNS
};

/* A token of a chunk: the two low bits, and what is above them. */
enum {
  OCT_EV_TOKEN_ENTER,    /* function */
  OCT_EV_TOKEN_LEAVE,    /* function */
  OCT_EV_TOKEN_PATTERN,  /* pattern */
  OCT_EV_TOKEN_DISTURBED /* pattern, with corrections */
};

/* Whether these bytes begin a file, of any version. */
static inline int oct_ev_is_magic(const uint8_t *p) {
  const unsigned last = OCT_EV_MAGIC_BYTES - 1;
  return !memcmp(p, OCT_EV_MAGIC, last) && p[last] >= '1' && p[last] <= '9';
}

#endif
