/* SPDX-License-Identifier: Apache-2.0 */
/* octrace/codec.h - the software codecs and their files. */
#ifndef OCTRACE_CODEC_H
#define OCTRACE_CODEC_H

#include "map.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a software codec is, the registry of them, and settings by name.
 *
 * A codec is a *first stage*: it turns fixed-size records into a few byte streams, and back. A
 * second stage (oct_general.h) compresses each stream by a library, the codec file
 * (oct_codec_file.h) keeps the results, and oct_trace_split.h / oct_trace_join.h map an event trace
 * to records. docs/codecs.md shows the way of the data.
 *
 * Threads: The registry is constant; an encoder or decoder is for one thread at a time, different
 * ones may be used by different threads. */

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
typedef enum oct_general_kind {
  OCT_GENERAL_NONE,
  OCT_GENERAL_GZIP,
  OCT_GENERAL_BZIP2,
  OCT_GENERAL_XZ,
  OCT_GENERAL_ZSTD,
  OCT_GENERAL_COUNT
} oct_general_kind;

/* A codec with everything that the user may choose about it. */
typedef struct oct_codec_settings {
  const struct oct_codec *codec;
  uint64_t value[OCT_CODEC_OPTIONS_MAX]; /* of the codec's options, by number */
  char option_text[OCT_CODEC_TEXT_MAX];  /* of its text option */
  oct_general_kind stage;
  int level;              /* of the second stage */
  uint64_t segment_bytes; /* input bytes after which streams are cut and compressed */
  uint64_t group;         /* segments that build on those before them in their group */
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
  /* Of OCT_TAKES_TRACE: how, inside of the library (oct_segment_codec.h); else NULL. */
  const struct oct_segment_codec *segments;
  bool lossless;
  oct_general_kind stage; /* the second stage it uses unless told otherwise, and its level */
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
 * the options `stage` (none, gzip, bzip2, xz, zstd), `level`, `segment` (input MiB
 * of a segment, 1..OCT_CODEC_SEGMENT_MIB_MAX) and `group` (segments that build on each other,
 * 1..65536). A text option takes the rest of the line. 0, or OCT_ERR_ARG with *diag saying what is
 * allowed. */
int oct_codec_parse(const char *text, oct_codec_settings *settings, oct_diag *diag);
/* The same in words that oct_codec_parse takes, every option said. Returns the length it has;
 * nothing is cut when it is below n. */
size_t oct_codec_print(const oct_codec_settings *settings, char *text, size_t n);

/* The file of a software codec: channels of records, in segments that are compressed and
 * checksummed. The format: docs/codec-file.md.
 *
 * Threads: A reader or writer is for one thread at a time, whatever workers it has of its own;
 * different ones may be used by different threads. Workers call neither sink nor source. */

enum {
  OCT_CHANNELS_MAX = 8,
  OCT_FILE_STREAMS_MAX = OCT_CHANNELS_MAX * OCT_CODEC_STREAMS_MAX,
  OCT_CODEC_PREFIX_MAX = 16,
  OCT_CODEC_INFO_MAX = 4096,
  OCT_CODEC_MODULES_MAX = 8192
};
/* Files of all versions from 1 on are read. The last byte of the mark is the version: 3 is written
 * where it is enough. */
#define OCT_CODEC_MAGIC "OCTCODC4"
enum { OCT_CODEC_MAGIC_BYTES = 8, OCT_CODEC_VERSION = 4 };

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
  uint32_t version; /* of the file that was read, from 1 on; not minded in writing */
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
  /* Files of code, a line each, as the head has them; as many as it has room for. */
  char modules[OCT_CODEC_MODULES_MAX];
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

/* The records of VPC3 from a trace: (4-byte PC, 8-byte extended data).
 *
 * Threads: An object is for one thread at a time, different ones may be used by different threads.
 */

/* What a file of such records begins with (VPC3 page). */
#define OCT_VPC3_MAGIC "vpc3"

enum { OCT_RECORDS_LOADS = 1, OCT_RECORDS_STORES = 2 };

/* PCs are shifted right by the bits that alignment makes zero, as section 3.1 of Burtscher 2004 has
 * it; align_bytes 1, 2, 4 or 8. */
unsigned oct_records_pc_shift(uint32_t align_bytes);

/* Append a record of 12 bytes per access of these kinds: (address of the instruction >> pc_shift,
 * lower 32 bits; address of the access). OCT_ERR_NOMEM. */
int oct_records_append(const oct_batch *batch, unsigned kinds, unsigned pc_shift,
                       oct_buffer *records, oct_diag *diag);

/* An event trace to channels of records in a codec file, and back, without loss: instructions
 * (address, size, task, time stamp), their accesses (address, size, kind), traps, and the program
 * map. The channels: docs/codec-file.md.
 *
 * Threads: A splitter or joiner is for one thread at a time, different ones may be used by
 * different threads. */

typedef struct oct_trace_split oct_trace_split;

/* Start a codec file for a trace; info and settings are copied. apart: as oct_codec_head has it, to
 * be told the sinks with oct_codec_writer_apart of oct_trace_split_writer. Errors of
 * oct_codec_writer_new, and OCT_ERR_CONFIG when the codec takes neither (PC, ED) records nor 64-bit
 * addresses. */
int oct_trace_split_new(const oct_codec_settings *settings, const oct_trace_info *info,
                        const oct_sink *sink, unsigned n_threads, bool apart,
                        oct_trace_split **split, oct_diag *diag);
/* Append instructions with their accesses, and traps; the batch's map is not read. updates are what
 * an oct_map_tracker gave for them; its count of instructions must have begun at 0 with this file.
 * OCT_ERR_MAP when they do not explain the instructions, OCT_ERR_ARG for what is not as info
 * has it (width and alignment of addresses) or no trace may have, and errors of codec and sink. */
int oct_trace_split_put(oct_trace_split *s, const oct_batch *batch, const oct_map_update *updates,
                        size_t n_updates, oct_diag *diag);
int oct_trace_split_finish(oct_trace_split *s, oct_diag *diag);
/* The file being written, for totals and statistics. */
oct_codec_writer *oct_trace_split_writer(const oct_trace_split *s);
void oct_trace_split_free(oct_trace_split *s); /* NULL is allowed */

typedef struct oct_trace_join oct_trace_join;

/* Bring a trace back from an open codec file of content OCT_CONTENT_TRACE, which stays the
 * caller's. OCT_ERR_FORMAT, OCT_ERR_NOMEM. */
int oct_trace_join_new(oct_codec_reader *reader, oct_trace_join **join, oct_diag *diag);
/* Take up to n entries of a program map, changed ones included, instead of OCT_READ_MAP_MAX. A file
 * of more ends in OCT_ERR_LIMIT. */
void oct_trace_join_map_max(oct_trace_join *j, uint64_t n);
/* What the trace says of itself; strings belong to the reader. */
void oct_trace_join_info(const oct_trace_join *j, oct_trace_info *info);
/* The next batch, owned by the join until its next call: 1, 0 at the end, or an error that says the
 * instruction or the offset. All instructions before damage are given before the error.
 * OCT_INSN_END is not set. */
int oct_trace_join_next(oct_trace_join *j, oct_batch *batch, oct_diag *diag);
/* Behind an error of oct_trace_join_next: go on with the next segment that is whole (as
 * oct_codec_reader_resync): 1, and in *insn the number of its first instruction, counted from the
 * beginning of the trace. 0: none follows. OCT_ERR_NOMEM, errors of the source. */
int oct_trace_join_resync(oct_trace_join *j, uint64_t *insn, oct_diag *diag);
void oct_trace_join_free(oct_trace_join *j); /* NULL is allowed */

/* A rolling hash of an event sequence that does not depend on how it was cut into batches.
 *
 * Threads: A hash is for one thread at a time, different ones may be used by different threads. */

typedef struct oct_event_hash oct_event_hash;

/* What counts besides instructions (address, size, task, accesses) and accesses (address, size,
 * kind). */
enum { OCT_HASH_STAMPS = 1, OCT_HASH_TRAPS = 2 };

/* with: OCT_HASH_STAMPS, OCT_HASH_TRAPS, both or 0. NULL when out of memory. */
oct_event_hash *oct_event_hash_new(int with);
/* Take in a batch; its map does not count. */
void oct_event_hash_put(oct_event_hash *h, const oct_batch *batch);
/* Of all that was taken in: XXH64, seed 0. */
uint64_t oct_event_hash_value(oct_event_hash *h);
void oct_event_hash_free(oct_event_hash *h); /* NULL is allowed */

/* Second stages: general-purpose compressors by their libraries, over whole buffers.
 *
 * What they make is the tool's own format (a .gz, .bz2, .xz or .zst file).
 *
 * Threads: All functions may be called by any threads on memory of their own. */

/* "none|gzip|bzip2|xz|zstd", by oct_general_kind. */
extern const char oct_general_names[];
/* No stage has a higher level. */
#define OCT_GENERAL_LEVEL_MAX 22
/* In place of a level: bytes that cannot be compressed, which the stage stores in its format
 * without a search (xz, gzip), or takes with its least effort. */
#define OCT_GENERAL_STORE (-1)

/* The level that the tool has when none is asked for, but bzip2 9 and gzip 9 as published for VPC3.
 */
int oct_general_default_level(oct_general_kind stage);
/* 0, or OCT_ERR_ARG when the stage has no such level. */
int oct_general_check(oct_general_kind stage, int level, oct_diag *diag);

/* Append to out the compressed n bytes. level may be OCT_GENERAL_STORE. 0 or OCT_ERR_NOMEM.
 */
int oct_general_compress(oct_general_kind stage, int level, const uint8_t *bytes, size_t n,
                         oct_buffer *out, oct_diag *diag);
/* Append to out what was compressed into these n bytes, which must give exactly raw_bytes. Memory
 * grows with what is really there, not with what raw_bytes claims. OCT_ERR_FORMAT, OCT_ERR_NOMEM.
 */
int oct_general_decompress(oct_general_kind stage, const uint8_t *bytes, size_t n,
                           uint64_t raw_bytes, oct_buffer *out, oct_diag *diag);

/* Values to columns of bytes, as they come (byte-unshuffling) or sorted on the way (bytesort,
 * section 4.1 of Michaud 2009), and back.
 *
 * A value has width_bytes bytes, 1 .. 8; column 0 holds the most significant ones. All columns have
 * n bytes. Time and space are linear.
 *
 * Threads: All functions may be called by any threads on memory of their own. */

enum { OCT_BYTESORT_COLUMNS_MAX = 8 };

/* Column 0 is in the order of the values. Before each further column is written, the values are
 * sorted by the column before it; the sort is stable, and so it can be undone from the columns
 * alone. n < 2^32. scratch: room for 2 * n values; values may not overlap it. */
void oct_bytesort(const uint64_t *values, size_t n, unsigned width_bytes, uint8_t *const *columns,
                  uint64_t *scratch);
/* Any columns are those of some values, so this cannot fail. scratch: room for n values. */
void oct_bytesort_undo(const uint8_t *const *columns, size_t n, unsigned width_bytes,
                       uint64_t *values, uint64_t *scratch);

/* All columns in the order of the values. */
void oct_unshuffle(const uint64_t *values, size_t n, unsigned width_bytes, uint8_t *const *columns);
void oct_unshuffle_undo(const uint8_t *const *columns, size_t n, unsigned width_bytes,
                        uint64_t *values);

/* n values of 1, 2, 4 or 8 little-endian bytes each, from and to bytes. */
void oct_values_load(const uint8_t *bytes, size_t n, unsigned width_bytes, uint64_t *values);
void oct_values_store(const uint64_t *values, size_t n, unsigned width_bytes, uint8_t *bytes);

/* ATC, the compressor of address traces of Michaud 2009: any sequence of 64-bit values to a
 * directory and back, without loss (bytesort) or with it (section 5). docs/atc.md has the
 * directory.
 *
 * The four calls of the paper's section 6 are oct_atc_open, oct_atc_code, oct_atc_decode and
 * oct_atc_close, with the arguments they have there:
 *
 *   oct_atc cp;
 *   unsigned long long x;
 *   oct_atc_open(&cp, 'k', dirname, "bz2", "bzip2 -c");
 *   while (fread(&x, sizeof x, 1, stdin)) oct_atc_code(&cp, x);
 *   if (oct_atc_close(&cp)) fprintf(stderr, "%s\n", oct_diag_line(&cp.diag).text);
 *
 * After the first error nothing more is done, and oct_atc_close returns it: so a program may check
 * there alone. An oct_atc is used by one thread at a time; any number may live. */

/* Limits of oct_atc_options. */
#define OCT_ATC_BUFFER_MAX 100000000u
#define OCT_ATC_INTERVAL_MAX 1000000000u
#define OCT_ATC_HISTOGRAMS_MAX 65536u
enum { OCT_ATC_SUFFIX_MAX = 32 };

/* How to compress. The suffix, the threads and nothing else matter when reading. */
typedef struct oct_atc_options {
  oct_general_kind stage; /* none, gzip, bzip2, xz or zstd, of which files can stand in a row */
  int level;
  const char *suffix;  /* of the files; NULL: that of the stage, or when reading the one found */
  uint32_t buffer;     /* addresses that are sorted together, 1 .. OCT_ATC_BUFFER_MAX */
  uint32_t interval;   /* lossy: addresses of an interval, 1 .. OCT_ATC_INTERVAL_MAX */
  double threshold;    /* lossy: intervals at a smaller distance look alike, 0 .. 2 */
  uint32_t histograms; /* lossy: chunks in the histogram table, 1 .. OCT_ATC_HISTOGRAMS_MAX */
  unsigned n_threads;  /* workers for the second stage, 0 .. 64 */
  bool replace;        /* an ATC directory of that name may be there, and is replaced */
} oct_atc_options;

/* bzip2 -9, a buffer of 1000000 addresses, intervals of 10000000, threshold 0.1, 1024 histograms,
 * one worker: the paper's, where it says. */
void oct_atc_options_init(oct_atc_options *options);
/* Take stage and level from a command line such as "bzip2 -c", "xz -9" or "gzip -dc"; the library
 * of that name is used, nothing is started. OCT_ERR_ARG. */
int oct_atc_options_command(oct_atc_options *options, const char *command, oct_diag *diag);

/* What was written or read so far; all of a directory's INFO when reading. */
typedef struct oct_atc_counts {
  uint64_t addresses, intervals, chunks, translated; /* translated: intervals with a translation */
  uint64_t file_bytes;
} oct_atc_counts;

/* Fields are the library's; after an error, diag tells it in a line. */
typedef struct oct_atc {
  struct oct_atc_writer *writer;
  struct oct_atc_reader *reader;
  uint64_t *values;   /* on their way in or out: values[at .. n) */
  size_t at, n, room; /* room: 0 but for writing */
  int error;
  oct_diag diag;
  oct_atc_counts counts; /* when it was closed */
} oct_atc;

/* mode 'c': compress without loss, 'k': with loss, 'd': decompress the directory `dirname`. Written
 * files have the suffix `suffix` and are compressed as `command` would (NULL, NULL: "bz2" and
 * "bzip2 -c"). When reading, what the files are is found out; a suffix chooses among INFO files,
 * and command only must be one of a known tool. The directory appears when oct_atc_close has
 * succeeded. OCT_ERR_ARG, OCT_ERR_NOMEM, OCT_ERR_IO (also: it exists and is not empty), and for 'd'
 * the errors of oct_atc_get. */
int oct_atc_open(oct_atc *atc, char mode, const char *dirname, const char *suffix,
                 const char *command);
/* The same with everything that can be chosen. */
int oct_atc_open_options(oct_atc *atc, char mode, const char *dirname,
                         const oct_atc_options *options);

/* Append n values: 0, OCT_ERR_NOMEM, OCT_ERR_IO, OCT_ERR_LIMIT (INFO gets too large), or
 * OCT_ERR_ARG when the directory is being read. */
int oct_atc_put(oct_atc *atc, const uint64_t *values, size_t n);
/* The next values, at most max: how many, 0 at the end, or an error, which names file and offset:
 * OCT_ERR_IO, OCT_ERR_FORMAT, OCT_ERR_TRUNCATED, OCT_ERR_CHECKSUM, OCT_ERR_NOMEM; OCT_ERR_ARG when
 * it is being written. */
int64_t oct_atc_get(oct_atc *atc, uint64_t *values, size_t max);

/* Finish, and free all but atc itself. 0, or the first error since it was opened; the directory
 * that was being written then does not appear, and nothing is left of it. */
int oct_atc_close(oct_atc *atc);
/* Give up: like oct_atc_close, but nothing appears in any case. */
void oct_atc_abort(oct_atc *atc);

/* Remove the directories that are being written, 64 at most at a time. For the handler of a signal
 * that ends the program, in the thread that writes them: async-signal-safe; they can only be
 * aborted afterwards. */
void oct_atc_unlink_all(void);

/* Also when it is closed. */
void oct_atc_count(const oct_atc *atc, oct_atc_counts *counts);

/* Inside of the next two. */
int oct_atc_drain(oct_atc *atc);
int oct_atc_fill(oct_atc *atc);

/* Append one value: 0 or an error, as oct_atc_put. */
static inline int oct_atc_code(oct_atc *atc, unsigned long long x) {
  if (atc->n >= atc->room) {
    int error = oct_atc_drain(atc);
    if (error) return error;
  }
  atc->values[atc->n++] = x;
  return 0;
}

/* The next value: 1; 0 at the end, and after an error, which oct_atc_close returns. */
static inline int oct_atc_decode(oct_atc *atc, unsigned long long *x) {
  if ((atc->at >= atc->n || atc->room) && oct_atc_fill(atc) <= 0) return 0;
  *x = atc->values[atc->at++];
  return 1;
}

#ifdef __cplusplus
}
#endif
#endif
