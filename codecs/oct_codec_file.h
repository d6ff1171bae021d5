/* SPDX-License-Identifier: Apache-2.0 */
/* oct_codec_file.h - the file of a software codec: channels of records, in segments that are
 * compressed and checksummed. The format: docs/codec-file.md.
 *
 * Threads: A reader or writer is for one thread at a time, whatever workers it has of its own;
 * different ones may be used by different threads. Workers call neither sink nor source. */
#ifndef OCT_CODEC_FILE_H
#define OCT_CODEC_FILE_H

#include "oct_codec.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  OCT_CHANNELS_MAX = 8,
  OCT_FILE_STREAMS_MAX = OCT_CHANNELS_MAX * OCT_CODEC_STREAMS_MAX,
  OCT_CODEC_PREFIX_MAX = 16,
  OCT_CODEC_INFO_MAX = 4096
};
/* Files of version 1, whose segments depend on those before, are still read. */
#define OCT_CODEC_MAGIC "OCTCODC3"
enum { OCT_CODEC_MAGIC_BYTES = 8, OCT_CODEC_VERSION = 3 };

/* Where bytes go: 0 or an error with *diag. */
typedef struct oct_sink {
  int (*write)(void *context, const void *bytes, size_t n, oct_diag *diag);
  void *context;
} oct_sink;

/* Where bytes come from: as many as asked for, fewer only at the end, or an error. */
typedef struct oct_source_bytes {
  int64_t (*read)(void *context, void *bytes, size_t n, oct_diag *diag);
  void *context;
} oct_source_bytes;

/* What the records of a file are. */
typedef enum oct_codec_content {
  OCT_CONTENT_RECORDS, /* one channel: the records of a file, behind its prefix */
  OCT_CONTENT_TRACE    /* an event trace (oct_trace_split.h) */
} oct_codec_content;

typedef struct oct_codec_channel {
  char name[12]; /* lower-case letters */
  bool side;     /* goes to `plain` and not to the file's codec */
  oct_layout layout;
} oct_codec_channel;

/* The head of a file. */
typedef struct oct_codec_head {
  uint32_t version; /* of the file that was read, from 1 on; writing makes OCT_CODEC_VERSION */
  oct_codec_settings settings;
  oct_codec_content content;
  uint8_t prefix[OCT_CODEC_PREFIX_MAX]; /* bytes before the first record of a record file */
  uint32_t n_prefix;
  bool apart; /* what streams hold stands in files of their own */
  uint32_t n_channels;
  oct_codec_channel channels[OCT_CHANNELS_MAX];
  /* of the trace, or empty */
  char isa[64], origin[256], command[OCT_CODEC_INFO_MAX];
  uint32_t addr_bits, insn_align_bytes;
  uint64_t reserved[4]; /* 0 */
} oct_codec_head;

/* Bytes of an uncompressed channel, and where they went. */
typedef struct oct_codec_totals {
  uint64_t records[OCT_CHANNELS_MAX];
  uint64_t raw_bytes[OCT_CHANNELS_MAX];
  uint64_t packed_bytes[OCT_CHANNELS_MAX]; /* of its streams, without heads */
  uint64_t file_bytes;
  uint64_t segments; /* written so far */
} oct_codec_totals;

/* Writing: push records, finish. */

typedef struct oct_codec_writer oct_codec_writer;

/* Start a file with second stages on n_threads workers (0: none). head is copied.
 * OCT_ERR_NOMEM, OCT_ERR_CONFIG (the codec does not take these records), or the sink's error. */
int oct_codec_writer_new(const oct_codec_head *head, const oct_sink *sink, unsigned n_threads,
                         oct_codec_writer **writer, oct_diag *diag);
/* Streams of all channels together. With head->apart, tell the sink of each (copied) before the
 * first record: sinks[] has that many. */
unsigned oct_codec_writer_streams(const oct_codec_writer *w);
void oct_codec_writer_apart(oct_codec_writer *w, const oct_sink *sinks);
/* Append records to a channel. With one channel, segments are cut as they fill up. */
int oct_codec_writer_put(oct_codec_writer *w, unsigned channel, const void *records,
                         size_t n_records, oct_diag *diag);
/* Whether the segment is full. */
bool oct_codec_writer_full(const oct_codec_writer *w);
/* All channels stand at the same point: cut here if the segment is full. */
int oct_codec_writer_mark(oct_codec_writer *w, oct_diag *diag);
/* Whether the segment at hand is the first of a group: one that builds on none before it. */
bool oct_codec_writer_is_group(const oct_codec_writer *w);
/* All channels stand at the same point: cut here. */
int oct_codec_writer_cut(oct_codec_writer *w, oct_diag *diag);
/* Write what is left, and the end. */
int oct_codec_writer_finish(oct_codec_writer *w, oct_diag *diag);
const oct_codec_totals *oct_codec_writer_totals(const oct_codec_writer *w);
/* What the encoder of a channel counted (oct_codec.stats). */
unsigned oct_codec_writer_stats(const oct_codec_writer *w, unsigned channel, oct_codec_stat *stats,
                                unsigned max);
void oct_codec_writer_free(oct_codec_writer *w); /* NULL is allowed */

/* Reading: pull records. */

typedef struct oct_codec_reader oct_codec_reader;

/* Read the head. With n_threads workers the next segment is unpacked while this one is decoded.
 * OCT_ERR_FORMAT, OCT_ERR_TRUNCATED, OCT_ERR_CHECKSUM, OCT_ERR_UNSUPPORTED (codec or version
 * unknown), OCT_ERR_NOMEM, or the source's error. */
int oct_codec_reader_new(const oct_source_bytes *source, unsigned n_threads,
                         oct_codec_reader **reader, oct_diag *diag);
const oct_codec_head *oct_codec_reader_head(const oct_codec_reader *r);
/* Before the first record: the memory that a segment may need to be decoded, OCT_CODEC_MEMORY_MAX
 * unless told otherwise; more is OCT_ERR_LIMIT. The segment behind it may wait unpacked meanwhile.
 */
#define OCT_CODEC_MEMORY_MAX ((uint64_t)1 << 30)
void oct_codec_reader_max_memory(oct_codec_reader *r, uint64_t bytes);
/* Likewise: with head->apart, tell the source of each stream (copied) before the first record. */
unsigned oct_codec_reader_streams(const oct_codec_reader *r);
void oct_codec_reader_apart(oct_codec_reader *r, const oct_source_bytes *sources);
/* The next records of a channel, at most max: how many, 0 at the end, or an error that names the
 * offset in the file. Channels must be read in step: a channel enters the next segment only when
 * all others have been read to the end of this one. */
int64_t oct_codec_reader_get(oct_codec_reader *r, unsigned channel, void *records, size_t max,
                             oct_diag *diag);
/* How many records of a channel are left of the segment at hand. */
uint64_t oct_codec_reader_left(const oct_codec_reader *r, unsigned channel);
/* The number of workers that it was made with. */
unsigned oct_codec_reader_threads(const oct_codec_reader *r);
/* Behind an error of oct_codec_reader_get: leave the group of segments, and begin the next one
 * whose first segment is whole, with all its channels: 1. 0: none follows, or the file is of
 * version 1, whose segments cannot be read alone. Errors: of the source, OCT_ERR_NOMEM. */
int oct_codec_reader_resync(oct_codec_reader *r, oct_diag *diag);
/* Number of the next record of a channel, those that were left out included. */
uint64_t oct_codec_reader_position(const oct_codec_reader *r, unsigned channel);
/* Whether the end of the file was read, and then records[] of each channel in all. */
bool oct_codec_reader_totals(const oct_codec_reader *r, uint64_t *records);
void oct_codec_reader_free(oct_codec_reader *r); /* NULL is allowed */

/* OCT_ERR_CONFIG when the codec does not take such records. */
int oct_codec_check_layout(const oct_codec_settings *settings, const oct_layout *layout,
                           oct_diag *diag);

/* Whether these first bytes of a file are those of a codec file. */
bool oct_codec_is_file(const uint8_t *bytes, size_t n);

#ifdef __cplusplus
}
#endif
#endif
