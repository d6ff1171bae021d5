/* SPDX-License-Identifier: Apache-2.0 */
/* oct_ev_store.h - reads an event file piece by piece: head, index, blocks, definitions on demand.
 */
#ifndef OCT_EV_STORE_H
#define OCT_EV_STORE_H

#include <zstd.h>

#include "oct_ev_file.h"
#include "oct_ev_meta.h"

/* Where a block stands. */
typedef struct oct_ev_place {
  uint64_t offset, bytes;
  uint64_t sum; /* its checksum, or 0: not known */
} oct_ev_place;

typedef struct oct_ev_chunk {
  oct_ev_place place;
  uint64_t from, to; /* times of its records */
  uint64_t n_events, n_others;
  uint32_t location, segment;
} oct_ev_chunk;

/* A pattern as read. */
typedef struct oct_ev_shape {
  uint32_t meta, order;
  uint64_t t_abs_ticks;
  uint32_t t_rel_ppm;
  uint64_t *vector; /* order - 1 time differences */
  uint32_t *ops;    /* order events as function * 2 + leave; NULL until asked for */
} oct_ev_shape;

typedef struct oct_ev_meta_block {
  oct_ev_place place;
  oct_ev_meta *v; /* NULL = not read */
} oct_ev_meta_block;

typedef struct oct_ev_shape_block {
  oct_ev_place place;
  uint32_t first, n;
  oct_ev_shape *v; /* NULL = not read */
  uint64_t *vectors;
  bool is_counted; /* in seen_order_sum */
} oct_ev_shape_block;

typedef struct oct_ev_part {
  uint64_t n_metas, n_patterns;
  oct_ev_meta_block *metas;
  oct_ev_shape_block *shapes;
  size_t n_meta_blocks, n_shape_blocks;
  size_t users; /* cursors in it; without any, its definitions are forgotten */
} oct_ev_part;

/* A whole block that a search of the file found, and what of it the index tells, too. */
typedef struct oct_ev_found {
  oct_ev_place place;
  unsigned kind;
  uint64_t n; /* meta-events, patterns or events */
  uint64_t n_others, time;
  uint32_t location;
} oct_ev_found;

/* Columns of a block that was read. */
typedef struct oct_ev_columns {
  oct_cursor column[OCT_EV_COLUMNS_MAX];
  uint8_t *memory; /* what they point into */
} oct_ev_columns;

/* What is done with a file whose index, tail or names are damaged: it is refused, or read up to the
 * first damage, or read with what stands behind damage, too. */
typedef enum oct_ev_care { OCT_EV_REFUSE, OCT_EV_STOP, OCT_EV_SALVAGE } oct_ev_care;

typedef struct oct_ev_store {
  char *name;
  int fd; /* -1: bytes in memory */
  const uint8_t *memory;
  uint64_t bytes_total, bytes_read;
  unsigned version;
  uint64_t head_bytes; /* the first block stands behind them */
  int trust;           /* checksums are not looked at (fuzzing) */
  oct_ev_care care;
  ZSTD_DCtx *zstd;
  oct_ev_params params;
  oct_ev_counts counts;
  oct_ev_defs defs;
  oct_ev_counts seen;                   /* what cursors gave, of the counts that chunks tell, */
  uint64_t seen_enters, seen_order_sum; /* their enters, and the orders of all patterns */
  size_t n_counted;                     /* in so many blocks, each once */
  uint64_t open_bytes, max_open_bytes;  /* of chunks under cursors; 0 = OCT_EV_OPEN_BYTES_MAX */
  oct_ev_part *parts;
  size_t n_parts, parts_cap;
  oct_ev_chunk *chunks; /* in the order of the file */
  size_t n_chunks, chunks_cap;
  int is_rebuilt;      /* the index was made again from the blocks: */
  bool lacks_names;    /* those of functions and threads were made up */
  uint64_t n_damaged;  /* places, the index among them, */
  oct_diag damage;     /* and the first of them, */
  uint64_t damaged_at; /* where in the file that is */
} oct_ev_store;

/* Open a file ("-": standard input; also gzip, bzip2, xz, zstd; what cannot be sought is copied to
 * a temporary file), or bytes in memory, which stay the caller's. Head, index and definitions of
 * names are read, or made again from the blocks where they are damaged and not refused.
 * OCT_ERR_IO, OCT_ERR_FORMAT, OCT_ERR_TRUNCATED, OCT_ERR_CHECKSUM, OCT_ERR_NOMEM.
 */
int oct_ev_store_open(oct_ev_store *s, const char *path, oct_ev_care care, oct_diag *diag);
int oct_ev_store_open_memory(oct_ev_store *s, const void *bytes, size_t n, int trust,
                             oct_ev_care care, oct_diag *diag);
void oct_ev_store_close(oct_ev_store *s);

/* The sizes of a block's columns, unpacked and as they are stored, which begin its rest of n bytes:
 * their sum unpacked, or UINT64_MAX where they are not those of a block. */
uint64_t oct_ev_store_sizes(oct_cursor *sizes, uint64_t n, unsigned n_columns,
                            uint64_t raw[OCT_EV_COLUMNS_MAX], uint64_t stored[OCT_EV_COLUMNS_MAX]);
/* The columns of a block of this kind, in a file of this version. */
unsigned oct_ev_store_columns(const oct_ev_store *s, unsigned kind);
/* Read and check a block; out->memory is to be freed. */
int oct_ev_store_block(oct_ev_store *s, const oct_ev_place *place, unsigned kind,
                       oct_ev_columns *out, oct_diag *diag);
/* Read meta-event or pattern i of a segment, with its block where that is not there yet. With
 * ops_too, (*shape)->ops is filled. */
int oct_ev_store_meta(oct_ev_store *s, uint32_t segment, uint64_t i, const oct_ev_meta **meta,
                      oct_diag *diag);
int oct_ev_store_shape(oct_ev_store *s, uint32_t segment, uint64_t i, int ops_too,
                       const oct_ev_shape **shape, oct_diag *diag);
/* Forget what cursors gave. */
void oct_ev_store_forget_seen(oct_ev_store *s);
/* After all records were given: hold the totals of the index against them. OCT_ERR_FORMAT. */
int oct_ev_store_check_totals(const oct_ev_store *s, oct_diag *diag);
/* Whether chunks that are open have more memory than they may. */
static inline bool oct_ev_store_is_full(const oct_ev_store *s) {
  return s->open_bytes > (s->max_open_bytes ? s->max_open_bytes : OCT_EV_OPEN_BYTES_MAX);
}
/* Cursors enter and leave segments. */
void oct_ev_store_enter(oct_ev_store *s, uint32_t segment);
void oct_ev_store_leave(oct_ev_store *s, uint32_t segment);

/* Parse the blocks that say what is where (oct_ev_index.c). */
int oct_ev_store_read_head(oct_ev_store *s, oct_diag *diag);
int oct_ev_store_read_index(oct_ev_store *s, oct_diag *diag);
/* Parse the index at a place alone; *defs: where the names are. */
int oct_ev_store_read_listing(oct_ev_store *s, const oct_ev_place *place, oct_ev_place *defs,
                              oct_diag *diag);
/* Set the places of an index that was read to where its blocks were found, in the order of the
 * file; a block that was not found has no bytes (oct_ev_relocate.c). Returns how many chunks were
 * found, or OCT_ERR_NOMEM. */
int64_t oct_ev_store_relocate(oct_ev_store *s, const oct_ev_found *found, size_t n_found);
/* The names, from the block of definitions. */
int oct_ev_store_read_names(oct_ev_store *s, const oct_ev_place *place, oct_diag *diag);
/* Make the index again (oct_ev_rebuild.c), after reading it failed as *diag tells: 0, or an error;
 * that of *diag when no chunk is left. To stop at damage, chunks from the first damage on are left
 * out; where the index was found, it tells in which order they are, and those that are missing are
 * left in. */
int oct_ev_store_rebuild(oct_ev_store *s, oct_diag *diag);
/* Forget what was read of it: segments and chunks, or all. */
void oct_ev_store_forget_parts(oct_ev_store *s);
void oct_ev_store_forget_index(oct_ev_store *s);
int oct_ev_store_read(oct_ev_store *s, uint64_t offset, void *p, size_t n, oct_diag *diag);

#endif
