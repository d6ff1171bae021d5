/* SPDX-License-Identifier: Apache-2.0 */
/* oct_codec_reader.h - inside of the library: the reader of a codec file, which oct_codec_read.c
 * and oct_codec_block.c share. */
#ifndef OCT_CODEC_READER_H
#define OCT_CODEC_READER_H

#include <xxhash.h>

#include "oct_chain.h"
#include "oct_codec_input.h"
#include "oct_jobs.h"

/* A stream of a segment on its way back through the second stage. */
typedef struct read_stream {
  oct_buffer packed, raw;
  const oct_codec_settings *settings;
  unsigned channel, number; /* number within its channel */
  uint64_t raw_bytes, packed_bytes, checksum;
  uint64_t before, offset; /* bytes of it in segments before; where it stands in its file */
  int error;
  oct_diag diag;
} read_stream;

typedef struct read_segment {
  read_stream *streams;
  uint64_t first[OCT_CHANNELS_MAX]; /* records before it */
  uint64_t records[OCT_CHANNELS_MAX];
  uint64_t offset, number;
  bool has_head; /* its streams may be in the file */
  bool there;    /* read and given to the workers */
  bool is_end;   /* the block behind the last segment: records[] and hashes[] are totals */
  uint64_t hashes[OCT_CHANNELS_MAX];
  int error; /* reading it failed */
  oct_diag diag;
} read_segment;

typedef struct read_channel {
  oct_codec_settings settings;
  void *decoder;
  size_t record_bytes;
  unsigned first_stream, n_streams;
  uint64_t group;       /* number of the group of segments that the decoder is of */
  uint64_t left, total; /* records: in the segment; number of the next */
  uint64_t in_group;    /* records, up to the segment that was read last */
  XXH64_state_t *hash;
} read_channel;

struct oct_codec_reader {
  oct_codec_head head;
  oct_codec_input in;
  oct_source_bytes *apart; /* of each stream, or NULL */
  uint64_t *apart_offset;
  oct_jobs *jobs;
  unsigned n_threads, n_streams, current;
  uint64_t n_blocks;
  oct_chain chain;
  bool is_resynced; /* segments were left out */
  uint64_t memory_max_bytes;
  read_channel channels[OCT_CHANNELS_MAX];
  read_segment segments[2];
  oct_cursor *cursors; /* of the current segment */
  int failed;
};

/* Read the next block into the segment and give its streams to the workers; what went wrong is in
 * s->error. */
void oct_codec_read_ahead(oct_codec_reader *r, read_segment *s);
/* Behind an error of reading ahead: go to where the next block may begin. 1, 0 at the end, or an
 * error. */
int oct_codec_find_block(oct_codec_reader *r, oct_diag *diag);

#endif
