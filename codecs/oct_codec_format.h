/* SPDX-License-Identifier: Apache-2.0 */
/* oct_codec_format.h - inside of the library: numbers of the codec file that writer and reader
 * share. */
#ifndef OCT_CODEC_FORMAT_H
#define OCT_CODEC_FORMAT_H

#include "octrace/codec.h"
#include "oct_endian.h"

enum {
  OCT_CODEC_SEGMENT = 1, /* kinds of blocks */
  OCT_CODEC_END = 2,
  OCT_CODEC_HEAD_MAX = 16384, /* bytes of the head's text */
  /* A stream in a segment's table: raw bytes, stored bytes, checksum; from version 2 on the bytes
   * stored of it before. A channel: records before (from version 2 on), records. */
  OCT_CODEC_STREAM_ENTRY = 32,
  OCT_CODEC_STREAM_ENTRY_1 = 24,
  OCT_CODEC_BLOCK_HEAD = 32,   /* mark, kind, number, checksum of the block before, */
  OCT_CODEC_BLOCK_HEAD_2 = 24, /* which version 2 lacks; in version 1 kind alone */
  OCT_CODEC_BLOCK_HEAD_1 = 8,
  OCT_CODEC_BEFORE_AT = 24,
  /* Of the file: without entries of the program map by their form, and with them. */
  OCT_CODEC_VERSION_NO_FORMS = 3,
  OCT_CODEC_VERSION_FORMS = 4
};
/* Every block begins with it, so that one behind damage is found: the bytes "\nOCTSEG\n". */
#define OCT_CODEC_MARK UINT64_C(0x0a47455354434f0a)
/* A segment may pass the size that its head says by this: one record, or one instruction of a
 * trace. */
#define OCT_CODEC_SLACK_BYTES ((uint64_t)4 << 20)
/* A stream of a segment may have this times the bytes of its records, and the slack. */
#define OCT_CODEC_GROWTH 4

/* The text of a head, and back. */
int oct_codec_head_print(const oct_codec_head *head, oct_buffer *text);
int oct_codec_head_parse(const char *text, size_t n, oct_codec_head *head, oct_diag *diag);

/* The codec of a channel, with its settings. */
void oct_codec_channel_settings(const oct_codec_head *head, unsigned channel,
                                oct_codec_settings *settings);

#endif
