/* SPDX-License-Identifier: Apache-2.0 */
/* oct_ev_write.h - writes head, blocks, index and tail of an event file. */
#ifndef OCT_EV_WRITE_H
#define OCT_EV_WRITE_H

#include <zstd.h>

#include "oct_ev_file.h"
#include "octrace/error.h"

typedef struct oct_ev_writer {
  oct_outfile *file; /* not owned */
  uint64_t offset;   /* of the next block */
  int level;
  ZSTD_CCtx *zstd;
  oct_buffer column[OCT_EV_COLUMNS_MAX]; /* to be filled, then written as a block */
  oct_buffer packed, payload;
  oct_buffer sums; /* the checksums of all blocks */
} oct_ev_writer;

/* Begin with the head, which states params. OCT_ERR_NOMEM, OCT_ERR_IO. */
int oct_ev_writer_open(oct_ev_writer *w, oct_outfile *file, const oct_ev_params *params,
                       oct_diag *diag);
/* Write the columns as a block and empty them. Returns the bytes that the block takes, or
 * OCT_ERR_NOMEM, OCT_ERR_IO, OCT_ERR_LIMIT. */
int64_t oct_ev_writer_block(oct_ev_writer *w, unsigned kind, unsigned n_columns, oct_diag *diag);
/* The last bytes of the file. */
int oct_ev_writer_tail(oct_ev_writer *w, uint64_t index_offset, oct_diag *diag);
void oct_ev_writer_free(oct_ev_writer *w);

#endif
