/* SPDX-License-Identifier: Apache-2.0 */
/* oct_stage.h - second stages: general-purpose compressors by their libraries, over whole buffers.
 *
 * What they make is the tool's own format (a .gz, .bz2, .xz, .zst, .br or .lz4 file).
 *
 * Threads: All functions may be called by any threads on memory of their own. */
#ifndef OCT_STAGE_H
#define OCT_STAGE_H

#include "oct_codec.h"

#ifdef __cplusplus
extern "C" {
#endif

/* "none|gzip|bzip2|xz|zstd|brotli|lz4", by oct_stage_kind. */
extern const char oct_stage_names[];
/* No stage has a higher level. */
#define OCT_STAGE_LEVEL_MAX 22
/* In place of a level: bytes that cannot be compressed, which the stage stores in its format
 * without a search (xz, gzip), or takes with its least effort. */
#define OCT_STAGE_STORE (-1)

/* The level that the tool has when none is asked for, but bzip2 9 and gzip 9 as published for VPC3.
 */
int oct_stage_default_level(oct_stage_kind stage);
/* 0, or OCT_ERR_ARG when the stage has no such level. */
int oct_stage_check(oct_stage_kind stage, int level, oct_diag *diag);

/* Append to out the compressed n bytes. level may be OCT_STAGE_STORE. 0 or OCT_ERR_NOMEM.
 */
int oct_stage_compress(oct_stage_kind stage, int level, const uint8_t *bytes, size_t n,
                       oct_buffer *out, oct_diag *diag);
/* Append to out what was compressed into these n bytes, which must give exactly raw_bytes. Memory
 * grows with what is really there, not with what raw_bytes claims. OCT_ERR_FORMAT, OCT_ERR_NOMEM.
 */
int oct_stage_decompress(oct_stage_kind stage, const uint8_t *bytes, size_t n, uint64_t raw_bytes,
                         oct_buffer *out, oct_diag *diag);

#ifdef __cplusplus
}
#endif
#endif
