/* SPDX-License-Identifier: Apache-2.0 */
/* oct_atc_info.h - inside of ATC: what the INFO file of a directory holds, and its text
 * (docs/atc.md, section 3). */
#ifndef OCT_ATC_INFO_H
#define OCT_ATC_INFO_H

#include <stdbool.h>

#include "oct_atc_profile.h"
#include "octrace/error.h"
#include "octrace/codec.h"

/* Bytes of a chunk, before the second stage, that are packed and checked at a time. */
#define OCT_ATC_PIECE_BYTES ((size_t)8 << 20)
/* INFO grows no larger, so a reader knows what memory it needs at most. */
#define OCT_ATC_INFO_BYTES_MAX ((size_t)1 << 30)

typedef struct oct_atc_piece {
  uint64_t packed_bytes, raw_bytes, hash; /* XXH64 of the packed bytes, seed: number of the chunk */
} oct_atc_piece;

typedef struct oct_atc_chunk {
  uint64_t n, hash; /* addresses; XXH64 of them, little-endian, seed 0 */
  size_t first_piece, n_pieces;
} oct_atc_chunk;

/* An interval of the trace: a chunk, counted from 1, and the bytes in it to be translated. */
typedef struct oct_atc_interval {
  uint32_t chunk;
  uint32_t mask; /* of translated bytes: bit j, byte j */
  size_t maps;   /* where in info->maps their maps stand, 256 bytes each, from byte 0 up */
} oct_atc_interval;

typedef struct oct_atc_info {
  bool lossy;
  uint64_t n_addresses, buffer, interval;
  double threshold;
  oct_general_kind stage;
  /* arrays of the types above */
  oct_buffer chunks, pieces, intervals, maps;
} oct_atc_info;

void oct_atc_info_free(oct_atc_info *info);

static inline size_t oct_atc_n_chunks(const oct_atc_info *info) {
  return info->chunks.n_bytes / sizeof(oct_atc_chunk);
}
static inline size_t oct_atc_n_intervals(const oct_atc_info *info) {
  return info->intervals.n_bytes / sizeof(oct_atc_interval);
}
static inline oct_atc_chunk *oct_atc_chunks(const oct_atc_info *info) {
  return (oct_atc_chunk *)(void *)info->chunks.bytes;
}
static inline oct_atc_piece *oct_atc_pieces(const oct_atc_info *info) {
  return (oct_atc_piece *)(void *)info->pieces.bytes;
}
static inline oct_atc_interval *oct_atc_intervals(const oct_atc_info *info) {
  return (oct_atc_interval *)(void *)info->intervals.bytes;
}

/* Append a piece to the last chunk; a chunk; an interval with maps[j] for each bit j of its mask,
 * of which the sizes must be those that follow. OCT_ERR_NOMEM. */
int oct_atc_info_add_piece(oct_atc_info *info, const oct_atc_piece *piece);
int oct_atc_info_add_chunk(oct_atc_info *info);
int oct_atc_info_add_interval(oct_atc_info *info, uint32_t chunk, uint32_t mask,
                              uint8_t maps[][OCT_ATC_SYMBOLS]);

/* Append the text. OCT_ERR_NOMEM, OCT_ERR_LIMIT. */
int oct_atc_info_print(const oct_atc_info *info, oct_buffer *text, oct_diag *diag);
/* The text back. info is overwritten, and must be freed in any case. OCT_ERR_FORMAT,
 * OCT_ERR_TRUNCATED, OCT_ERR_CHECKSUM, OCT_ERR_UNSUPPORTED (a later version), with the offset in
 * the text; OCT_ERR_NOMEM. */
int oct_atc_info_parse(const char *text, size_t n, oct_atc_info *info, oct_diag *diag);

#endif
