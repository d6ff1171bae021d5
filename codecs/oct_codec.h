/* SPDX-License-Identifier: Apache-2.0 */
/* oct_codec.h - what a software codec is, the registry of them, and settings by name.
 *
 * A codec is a *first stage*: it turns fixed-size records into a few byte streams, and back. A
 * second stage (oct_stage.h) compresses each stream by a library, the codec file
 * (oct_codec_file.h) keeps the results, and oct_trace_split.h / oct_trace_join.h map an event trace
 * to records. docs/codecs.md shows the way of the data.
 *
 * Threads: The registry is constant; an encoder or decoder is for one thread at a time, different
 * ones may be used by different threads. */
#ifndef OCT_CODEC_H
#define OCT_CODEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "oct_buffer.h"
#include "oct_error.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  OCT_LAYOUT_FIELDS_MAX = 16,
  OCT_CODEC_OPTIONS_MAX = 12,
  OCT_CODEC_STREAMS_MAX = 64, /* of one encoder */
  OCT_CODEC_TEXT_MAX = 1024,  /* bytes of a text option, with its end */
  OCT_CODEC_SEGMENT_MIB_MAX = 4096
};

/* How one record looks: little-endian fields of 1, 2, 4 or 8 bytes, without gaps. */
typedef struct oct_layout {
  uint32_t n_fields; /* 1 .. OCT_LAYOUT_FIELDS_MAX */
  uint8_t field_bytes[OCT_LAYOUT_FIELDS_MAX];
} oct_layout;

/* Bytes of a record; 0 when the layout is not legal. */
size_t oct_layout_bytes(const oct_layout *layout);
bool oct_layout_equal(const oct_layout *a, const oct_layout *b);
/* The layouts that have a name: single bytes, 64-bit addresses, and the (32-bit PC, 64-bit ED)
 * records of VPC3. */
extern const oct_layout oct_layout_byte, oct_layout_addr64, oct_layout_pc_ed;

/* What records a codec takes. */
typedef enum oct_codec_takes {
  OCT_TAKES_ANY,    /* any layout, single bytes too */
  OCT_TAKES_PC_ED,  /* oct_layout_pc_ed */
  OCT_TAKES_ADDR64, /* oct_layout_addr64 */
  OCT_TAKES_SPEC,   /* the layout that its options say */
  OCT_TAKES_TRACE /* no records but whole traces (oct_trace_split.h): it has no functions for any */
} oct_codec_takes;

/* An option of a codec. Values are numbers; a choice is the number of its name in `choices`. At
 * most one option is a text; it is written last and may hold any character. */
typedef enum oct_option_kind {
  OCT_OPTION_NUMBER,
  OCT_OPTION_CHOICE,
  OCT_OPTION_TEXT
} oct_option_kind;
typedef struct oct_codec_option {
  const char *name;
  oct_option_kind kind;
  uint64_t def, min, max; /* of a number; def of a choice */
  const char *choices;    /* "a|b|c" for a choice, the default for a text */
  const char *text;       /* one line for the help */
} oct_codec_option;

struct oct_codec;

/* Second stages, in the order of their numbers in a codec file. */
typedef enum oct_stage_kind {
  OCT_STAGE_NONE,
  OCT_STAGE_GZIP,
  OCT_STAGE_BZIP2,
  OCT_STAGE_XZ,
  OCT_STAGE_ZSTD,
  OCT_STAGE_BROTLI,
  OCT_STAGE_LZ4,
  OCT_STAGE_COUNT
} oct_stage_kind;

/* A codec with everything that the user may choose about it. */
typedef struct oct_codec_settings {
  const struct oct_codec *codec;
  uint64_t value[OCT_CODEC_OPTIONS_MAX]; /* of the codec's options, by number */
  char option_text[OCT_CODEC_TEXT_MAX];  /* of its text option */
  oct_stage_kind stage;
  int level;              /* of the second stage */
  uint64_t segment_bytes; /* input bytes after which streams are cut and compressed */
  uint64_t group;         /* segments that build on those before them in their group */
  uint64_t reserved[4];   /* 0 */
} oct_codec_settings;

/* One number that an encoder counted, for its report: a share when `of` is not 0. */
typedef struct oct_codec_stat {
  const char *name; /* static, or owned by the encoder */
  uint64_t value, of;
} oct_codec_stat;

/* One codec. All state of an encoder or decoder hangs on `state`; any number may live at a time.
 *
 * Input comes in *segments* (settings->segment_bytes, cut at a whole record). The codec file makes
 * an encoder and a decoder for each settings->group of them, so that a group can be read without
 * the others; a decoder of a file of version 1 is given all segments in turn. When `encode_end` has
 * returned, the streams hold all that a decoder needs to give back every record so far. Streams are
 * appended to `streams[0 .. n_streams)`; the caller empties them after a segment. */
typedef struct oct_codec {
  const char *name;
  uint32_t version; /* of its streams; a decoder refuses a newer one */
  const char *text; /* one line */
  oct_codec_takes takes;
  bool lossless;
  oct_stage_kind stage; /* the second stage it uses unless told otherwise, and its level */
  int level;
  const oct_codec_option *options;
  unsigned n_options;

  /* Check the settings, and give the layout that the codec takes if that is OCT_TAKES_SPEC: 0 or
   * OCT_ERR_CONFIG. NULL where there is nothing to check. */
  int (*layout)(const oct_codec_settings *settings, oct_layout *layout, oct_diag *diag);
  /* Input bytes of a segment for these settings, 0 = the usual 32 MiB; at most
   * OCT_CODEC_SEGMENT_MIB_MAX, whatever the options. May be NULL. */
  uint64_t (*segment_bytes)(const oct_codec_settings *settings);
  /* Segments of a group unless told otherwise, 0 = 1. */
  unsigned group;
  /* Number of streams for these records, 1 .. OCT_CODEC_STREAMS_MAX. */
  unsigned (*n_streams)(const oct_codec_settings *settings, const oct_layout *layout);

  /* An encoder: 0, OCT_ERR_NOMEM or OCT_ERR_CONFIG. */
  int (*encoder_new)(const oct_codec_settings *settings, const oct_layout *layout, void **state,
                     oct_diag *diag);
  /* Encode n_records. 0, or an error. */
  int (*encode)(void *state, const uint8_t *records, size_t n_records, oct_buffer *streams,
                oct_diag *diag);
  /* The segment ends. May be NULL. */
  int (*encode_end)(void *state, oct_buffer *streams, oct_diag *diag);
  /* What was counted so far: fills at most max, returns how many there are. May be NULL. */
  unsigned (*stats)(const void *state, oct_codec_stat *stats, unsigned max);
  void (*encoder_free)(void *state); /* NULL is allowed */

  int (*decoder_new)(const oct_codec_settings *settings, const oct_layout *layout, void **state,
                     oct_diag *diag);
  /* A segment of n_records begins, with the whole of its streams, which stay valid and in place
   * until all its records were asked for. May be NULL. */
  int (*decode_begin)(void *state, const oct_cursor *streams, uint64_t n_records, oct_diag *diag);
  /* Give the next n_records of the segment, never more than it has, and move the streams on. What
   * the streams hold may be anything: OCT_ERR_FORMAT when it makes no sense or ends too early. */
  int (*decode)(void *state, oct_cursor *streams, uint8_t *records, size_t n_records,
                oct_diag *diag);
  void (*decoder_free)(void *state); /* NULL is allowed */
  uint32_t oldest_version;           /* of its streams that a decoder takes; 0 = all older ones */
  /* The memory that a decoder takes besides streams and records, in bytes: for a segment of
   * n_records, of n_group in its group so far, whose streams have stream_bytes. NULL: next to none.
   */
  uint64_t (*decoder_bytes)(const void *state, uint64_t n_records, uint64_t n_group,
                            uint64_t stream_bytes);
} oct_codec;

/* The codecs in the order in which tables show them; NULL behind the last. */
const oct_codec *oct_codec_at(unsigned number);
/* The codec of that name, or NULL. */
const oct_codec *oct_codec_find(const char *name);

/* The default settings of a codec. */
void oct_codec_defaults(const oct_codec *codec, oct_codec_settings *settings);
/* Settings from `NAME[:OPTION=VALUE[,OPTION=VALUE...]]`. Besides the codec's own, every codec has
 * the options `stage` (none, gzip, bzip2, xz, zstd, brotli, lz4), `level`, `segment` (input MiB
 * of a segment, 1..OCT_CODEC_SEGMENT_MIB_MAX) and `group` (segments that build on each other,
 * 1..65536). A text option takes the rest of the line. 0, or OCT_ERR_ARG with *diag saying what is
 * allowed. */
int oct_codec_parse(const char *text, oct_codec_settings *settings, oct_diag *diag);
/* The same in words that oct_codec_parse takes, every option said. Returns the length it has;
 * nothing is cut when it is below n. */
size_t oct_codec_print(const oct_codec_settings *settings, char *text, size_t n);

#ifdef __cplusplus
}
#endif
#endif
