/* SPDX-License-Identifier: Apache-2.0 */
/* oct_atc_pieces.h - inside of ATC: a chunk's file, written and read in pieces that go through the
 * second stage on worker threads. */
#ifndef OCT_ATC_PIECES_H
#define OCT_ATC_PIECES_H

#include "oct_atc_info.h"

/* Errors name the file and, when reading, the offset in it. */

typedef struct oct_atc_packer oct_atc_packer;
/* NULL when out of memory or threads. */
oct_atc_packer *oct_atc_packer_new(oct_general_kind stage, int level, unsigned n_threads);
/* Create the file of chunk `number`. OCT_ERR_IO, OCT_ERR_NOMEM. */
int oct_atc_packer_begin(oct_atc_packer *p, const char *path, uint32_t number, oct_diag *diag);
/* Append bytes; pieces that are written are added to the last chunk of info. OCT_ERR_IO,
 * OCT_ERR_NOMEM, OCT_ERR_LIMIT. */
int oct_atc_packer_put(oct_atc_packer *p, const uint8_t *bytes, size_t n, oct_atc_info *info,
                       oct_diag *diag);
/* Write the rest and close. */
int oct_atc_packer_end(oct_atc_packer *p, oct_atc_info *info, oct_diag *diag);
void oct_atc_packer_free(oct_atc_packer *p); /* NULL is allowed; the file stays as it is */

typedef struct oct_atc_unpacker oct_atc_unpacker;
/* NULL when out of memory or threads. */
oct_atc_unpacker *oct_atc_unpacker_new(oct_general_kind stage, unsigned n_threads);
/* Open the file of chunk `number` of info, which must stay, and check its size. OCT_ERR_IO,
 * OCT_ERR_TRUNCATED, OCT_ERR_FORMAT. */
int oct_atc_unpacker_begin(oct_atc_unpacker *u, const char *path, const oct_atc_info *info,
                           uint32_t number, oct_diag *diag);
/* Append the next n bytes to out, n being at most what the chunk still has. OCT_ERR_IO,
 * OCT_ERR_TRUNCATED, OCT_ERR_CHECKSUM, OCT_ERR_FORMAT, OCT_ERR_NOMEM. */
int oct_atc_unpacker_get(oct_atc_unpacker *u, size_t n, oct_buffer *out, oct_diag *diag);
void oct_atc_unpacker_free(oct_atc_unpacker *u); /* NULL is allowed */

#endif
