/* SPDX-License-Identifier: Apache-2.0 */
/* oct_codec_read.c - reading a codec file (docs/codec-file.md): while a segment is decoded, workers
 * unpack the next. Each payload is held against its hash before it is unpacked. The end block says
 * what was written; its totals are held against what was read. Behind damage, the next group of
 * segments is begun with new decoders. */
#include "oct_chain.h"
#include "oct_checksum.h"
#include "oct_codec_format.h"
#include "oct_jobs.h"
#include "octrace/codec.h"

#include <inttypes.h>
#include <stdio.h>
#include <xxhash.h>

/* All zero but the source is an input at its beginning. */
typedef struct oct_codec_input {
  oct_source_bytes source;
  uint64_t offset;  /* of the next byte */
  oct_buffer seen;  /* bytes that came from the source, */
  size_t seen_from; /* of which these are taken */
} oct_codec_input;

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

/* ---- Bytes of a codec file: looked at, taken, gone back to, searched.
 *
 * Bytes come from the source once, in order, and wait in a buffer until they are taken. Bytes that
 * were taken can be put back in front, so that a search for the next mark can begin within a
 * payload that turned out to be damaged. The search looks for the first byte of a mark and then
 * compares the rest.
 * ---- */

enum { SEARCH_BYTES = 65536 };

static void input_free(oct_codec_input *in) {
  oct_buffer_free(&in->seen);
}

static size_t seen(const oct_codec_input *in) {
  return in->seen.n_bytes - in->seen_from;
}

/* Forget what was taken, where that is at least half of it: what remains is moved seldom. */
static void tidy(oct_codec_input *in) {
  if (in->seen_from < in->seen.n_bytes - in->seen_from) return;
  in->seen.n_bytes -= in->seen_from;
  if (in->seen.n_bytes) memmove(in->seen.bytes, in->seen.bytes + in->seen_from, in->seen.n_bytes);
  in->seen_from = 0;
}

/* The next n bytes, fewer only at the end: how many there are, in *bytes until the next call.
 * OCT_ERR_NOMEM, errors of the source. */
static int64_t look(oct_codec_input *in, size_t n, const uint8_t **bytes, oct_diag *diag) {
  tidy(in);
  if (seen(in) < n) {
    size_t want = n - seen(in);
    uint8_t *p = oct_buffer_room(&in->seen, want);
    if (!p) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
    int64_t got = in->source.read(in->source.context, p, want, diag);
    if (got < 0) return got;
    in->seen.n_bytes += (size_t)got;
  }
  *bytes = in->seen.bytes + in->seen_from;
  return (int64_t)(seen(in) < n ? seen(in) : n);
}

/* Take bytes that were looked at. */
static void take(oct_codec_input *in, size_t n) {
  in->seen_from += n;
  in->offset += n;
}

/* The error of a file that ends at offset, within what begins at the next byte. */
static int ends_within(const oct_codec_input *in, uint64_t offset, const char *what,
                       oct_diag *diag) {
  return oct_fail_at(diag, OCT_ERR_TRUNCATED, OCT_AT_BYTE, offset,
                     "the file ends within %s, which begins at offset %" PRIu64, what, in->offset);
}

/* Take exactly n bytes. OCT_ERR_TRUNCATED, with all there are in *bytes and taken; errors of the
 * source. what is the name of what they are. */
static int fetch(oct_codec_input *in, uint8_t *bytes, size_t n, const char *what, oct_diag *diag) {
  size_t have = seen(in) < n ? seen(in) : n;
  if (have) memcpy(bytes, in->seen.bytes + in->seen_from, have);
  int64_t got = n > have ? in->source.read(in->source.context, bytes + have, n - have, diag) : 0;
  if (got < 0) return (int)got;
  uint64_t there = have + (uint64_t)got;
  int error = there == n ? 0 : ends_within(in, in->offset + there, what, diag);
  in->seen_from += have;
  in->offset += there;
  return error;
}

/* Go back: these bytes, which were the last, come again. OCT_ERR_NOMEM. */
static int untake(oct_codec_input *in, const uint8_t *bytes, size_t n) {
  size_t rest = seen(in);
  if (!n) return 0;
  if (!oct_buffer_room(&in->seen, n)) return OCT_ERR_NOMEM;
  memmove(in->seen.bytes + n, in->seen.bytes + in->seen_from, rest);
  memcpy(in->seen.bytes, bytes, n);
  in->seen.n_bytes = n + rest;
  in->seen_from = 0;
  in->offset -= n;
  return 0;
}

/* Go on to the next OCT_CODEC_MARK: 1, or 0 at the end. OCT_ERR_NOMEM, errors of the source. */
static int find_mark(oct_codec_input *in, oct_diag *diag) {
  uint8_t mark[8];
  const uint8_t *p;
  oct_put_u64(mark, OCT_CODEC_MARK);
  for (;;) {
    int64_t got = look(in, SEARCH_BYTES, &p, diag);
    if (got < 0) return (int)got;
    size_t n = (size_t)got, at = 0;
    while (at + sizeof mark <= n && memcmp(p + at, mark, sizeof mark) != 0) {
      const uint8_t *next = memchr(p + at + 1, mark[0], n - at - 1);
      at = next ? (size_t)(next - p) : n;
    }
    bool is_found = at + sizeof mark <= n;
    if (!is_found && n >= sizeof mark) at = n - sizeof mark + 1; /* it may begin at the end */
    if (!is_found && n < SEARCH_BYTES) at = n;
    take(in, at);
    if (is_found || n < SEARCH_BYTES) return is_found;
  }
}

/* ---- Reading the blocks of a codec file: the head of a segment, its streams, and
 * where the next one begins behind damage.
 *
 * A segment is a block with a table of its streams (lengths, checksums) and the packed streams. The
 * table is checked before anything is allocated by it. Every block begins with a mark, and heads
 * are looked at and taken only when their checksum agrees, so that a search passes over nothing.
 * ---- */

static int no_memory(oct_diag *diag) {
  return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
}

/* Exactly n bytes of a stream that has a file of its own. */
static int fetch_apart(oct_codec_reader *r, unsigned stream, void *bytes, size_t n,
                       oct_diag *diag) {
  int64_t got = r->apart[stream].read(r->apart[stream].context, bytes, n, diag);
  if (got < 0) return (int)got;
  r->apart_offset[stream] += (uint64_t)got;
  if ((uint64_t)got == n) return 0;
  return oct_fail(diag, OCT_ERR_TRUNCATED,
                  "the file of stream %u ends too early, at offset %" PRIu64, stream + 1,
                  r->apart_offset[stream]);
}

/* Leave out what segments that were left out have in the file of a stream. */
static int skip_apart(oct_codec_reader *r, unsigned stream, uint64_t to, oct_diag *diag) {
  uint8_t bytes[4096];
  int error = 0;
  while (!error && r->apart_offset[stream] < to) {
    uint64_t n = to - r->apart_offset[stream];
    error = fetch_apart(r, stream, bytes, n < sizeof bytes ? (size_t)n : sizeof bytes, diag);
  }
  return error;
}

/* n bytes into an empty buffer that grows with what is really there. */
static int fetch_buffer(oct_codec_reader *r, unsigned stream, oct_buffer *b, uint64_t n,
                        oct_diag *diag) {
  const uint64_t step = (uint64_t)16 << 20;
  b->n_bytes = 0;
  while (b->n_bytes < n) {
    size_t want = (size_t)(n - b->n_bytes < step ? n - b->n_bytes : step);
    uint8_t *p = oct_buffer_room(b, want);
    if (!p) return no_memory(diag);
    uint64_t before = r->in.offset;
    int error =
        r->apart ? fetch_apart(r, stream, p, want, diag) : fetch(&r->in, p, want, "a stream", diag);
    b->n_bytes += error ? (size_t)(r->in.offset - before) : want;
    if (error) return error;
  }
  return 0;
}

static void unpack(void *arg) {
  read_stream *s = arg;
  s->raw.n_bytes = 0;
  s->error = 0;
  if (!oct_checksum_is(s->checksum, XXH64(s->packed.bytes, s->packed.n_bytes, 0)))
    s->error = oct_fail(&s->diag, OCT_ERR_CHECKSUM, "the checksum does not match");
  else if (s->raw_bytes || s->packed.n_bytes)
    s->error = oct_general_decompress(s->settings->stage, s->packed.bytes, s->packed.n_bytes,
                                      s->raw_bytes, &s->raw, &s->diag);
}

/* The table of a block: its numbers, and what they may be. */
static int read_table(const oct_codec_reader *r, read_segment *s, const uint8_t *p,
                      oct_diag *diag) {
  const bool is_old = r->head.version < 2;
  uint64_t bytes = 0;
  for (unsigned c = 0; c < r->head.n_channels; c++) {
    uint64_t most =
        (r->head.settings.segment_bytes + OCT_CODEC_SLACK_BYTES) / r->channels[c].record_bytes;
    s->first[c] = s->is_end || is_old ? 0 : oct_get_u64(p);
    if (!s->is_end && !is_old) p += 8;
    s->records[c] = oct_get_u64(p);
    p += 8;
    if (s->is_end) {
      s->hashes[c] = oct_get_u64(p);
      p += 8;
    } else if (s->records[c] > most) {
      return oct_fail_at(diag, OCT_ERR_FORMAT, OCT_AT_BYTE, s->offset,
                         "%" PRIu64 " records in a segment of at most %" PRIu64, s->records[c],
                         most);
    } else {
      bytes += s->records[c] * r->channels[c].record_bytes;
    }
  }
  for (unsigned k = 0; !s->is_end && k < r->n_streams; k++) {
    read_stream *stream = &s->streams[k];
    stream->raw_bytes = oct_get_u64(p);
    stream->packed.n_bytes = 0;
    stream->packed_bytes = oct_get_u64(p + 8);
    stream->checksum = oct_get_u64(p + 16);
    stream->before = is_old ? 0 : oct_get_u64(p + 24);
    p += is_old ? OCT_CODEC_STREAM_ENTRY_1 : OCT_CODEC_STREAM_ENTRY;
    uint64_t most = OCT_CODEC_GROWTH * bytes + OCT_CODEC_SLACK_BYTES;
    if (stream->raw_bytes > most || stream->packed_bytes > 2 * most)
      return oct_fail_at(diag, OCT_ERR_FORMAT, OCT_AT_BYTE, s->offset,
                         "a stream of %" PRIu64 " bytes packed in %" PRIu64
                         " for records of %" PRIu64,
                         stream->raw_bytes, stream->packed_bytes, bytes);
  }
  return 0;
}

/* Hold the memory that a segment needs to be decoded against the limit. */
static int check_memory(oct_codec_reader *r, const read_segment *s, oct_diag *diag) {
  uint64_t needed = 0;
  for (unsigned c = 0; c < r->head.n_channels; c++) {
    read_channel *channel = &r->channels[c];
    uint64_t stream_bytes = 0;
    for (unsigned k = 0; k < channel->n_streams; k++)
      stream_bytes += s->streams[channel->first_stream + k].raw_bytes;
    if (r->head.version > 1 && s->number % channel->settings.group == 0) channel->in_group = 0;
    channel->in_group += s->records[c];
    needed += stream_bytes;
    if (channel->decoder && channel->settings.codec->decoder_bytes)
      needed += channel->settings.codec->decoder_bytes(channel->decoder, s->records[c],
                                                       channel->in_group, stream_bytes);
  }
  if (needed <= r->memory_max_bytes) return 0;
  return oct_fail_at(diag, OCT_ERR_LIMIT, OCT_AT_BYTE, s->offset,
                     "segment %" PRIu64 " needs %" PRIu64 " MiB of memory, %" PRIu64
                     " are the most (--max-memory, or oct_codec_reader_max_memory, allows more)",
                     s->number, (needed + 0xfffff) >> 20, r->memory_max_bytes >> 20);
}

/* Read the head of the next block. With an error nothing of it is taken, but for a block of another
 * file, behind whose head a search is to begin. */
static int read_block_head(oct_codec_reader *r, read_segment *s, oct_diag *diag) {
  const bool is_old = r->head.version<2, has_chain = r->head.version> 2;
  const size_t n_head = is_old      ? OCT_CODEC_BLOCK_HEAD_1
                        : has_chain ? OCT_CODEC_BLOCK_HEAD
                                    : OCT_CODEC_BLOCK_HEAD_2;
  const uint8_t *p;
  s->offset = r->in.offset;
  s->has_head = false;
  int64_t got = look(&r->in, n_head, &p, diag);
  if (got < 0) return (int)got;
  if ((size_t)got < n_head)
    return ends_within(&r->in, s->offset + (uint64_t)got, "the head of a block", diag);
  uint64_t kind = oct_get_u64(p + (is_old ? 0 : 8));
  s->number = is_old ? r->n_blocks : oct_get_u64(p + 16);
  if ((kind != OCT_CODEC_SEGMENT && kind != OCT_CODEC_END) ||
      (!is_old && oct_get_u64(p) != OCT_CODEC_MARK))
    return oct_fail_at(diag, OCT_ERR_FORMAT, OCT_AT_BYTE, s->offset, "expected a block");
  s->is_end = kind == OCT_CODEC_END;
  size_t stream_bytes = is_old ? OCT_CODEC_STREAM_ENTRY_1 : OCT_CODEC_STREAM_ENTRY;
  size_t n = n_head + (is_old && !s->is_end ? 8 : 16) * (size_t)r->head.n_channels +
             (s->is_end ? 0 : stream_bytes * (size_t)r->n_streams);
  got = look(&r->in, n + 8, &p, diag);
  if (got < 0) return (int)got;
  if ((size_t)got < n + 8)
    return ends_within(&r->in, s->offset + (uint64_t)got, "the head of a block", diag);
  const uint64_t sum = oct_get_u64(p + n), seed = has_chain ? r->chain.head_sum : 0;
  if (!oct_checksum_is(sum, XXH64(p, n, seed + s->number)))
    return oct_fail_at(diag, OCT_ERR_CHECKSUM, OCT_AT_BYTE, s->offset,
                       "the checksum of a block's head does not match");
  if (s->number < r->n_blocks || (s->number > r->n_blocks && !r->is_resynced))
    return oct_fail_at(diag, OCT_ERR_FORMAT, OCT_AT_BYTE, s->offset,
                       "expected block %" PRIu64 ", found block %" PRIu64, r->n_blocks, s->number);
  if (s->number > r->n_blocks) oct_chain_break(&r->chain);
  if (has_chain && !oct_chain_takes(&r->chain, oct_get_u64(p + OCT_CODEC_BEFORE_AT), sum)) {
    take(&r->in, n + 8);
    r->n_blocks = s->number + 1;
    return oct_fail_at(diag, OCT_ERR_CHECKSUM, OCT_AT_BYTE, s->offset, OCT_CHAIN_TEXT("block"));
  }
  int error = read_table(r, s, p + n_head, diag);
  if (!error && !s->is_end) error = check_memory(r, s, diag);
  if (error) return error;
  take(&r->in, n + 8);
  r->n_blocks = s->number + 1;
  s->has_head = true;
  return 0;
}

/* Read the next block and give its streams to the workers. */
static int read_block(oct_codec_reader *r, read_segment *s, oct_diag *diag) {
  int error = read_block_head(r, s, diag);
  if (error) return error;
  if (s->is_end) {
    const uint8_t *more;
    int64_t got = look(&r->in, 1, &more, diag);
    if (got < 0) return (int)got;
    return got ? oct_fail_at(diag, OCT_ERR_FORMAT, OCT_AT_BYTE, r->in.offset,
                             "bytes follow the end")
               : 0;
  }
  for (unsigned k = 0; k < r->n_streams; k++) {
    read_stream *stream = &s->streams[k];
    if (r->apart && (error = skip_apart(r, k, stream->before, diag))) return error;
    stream->offset = r->apart ? r->apart_offset[k] : r->in.offset;
    error = fetch_buffer(r, k, &stream->packed, stream->packed_bytes, diag);
    if (!error && oct_jobs_add(r->jobs, unpack, stream)) error = no_memory(diag);
    if (error) return error;
  }
  return 0;
}

/* Read the next block into the segment and give its streams to the workers; what went wrong is in
 * s->error. */
static void read_ahead(oct_codec_reader *r, read_segment *s) {
  s->error = read_block(r, s, &s->diag);
  s->there = true;
}

/* The block that was to be read next is none: go to the next mark, which may stand in the streams
 * of a segment: of one that is damaged, as bytes of it may have been lost, or of one that the file
 * ends within. 1, 0 at the end, or an error. */
static int find_block(oct_codec_reader *r, oct_diag *diag) {
  read_segment *next = &r->segments[!r->current], *now = &r->segments[r->current];
  read_segment *again = next->has_head ? next : NULL;
  for (unsigned k = 0; !again && now->has_head && k < r->n_streams; k++)
    if (now->streams[k].error) again = now;
  if (!again) {
    const uint8_t *p;
    int64_t got = look(&r->in, 1, &p, diag);
    if (got < 0) return (int)got;
    take(&r->in, (size_t)got);
  } else {
    again->has_head = false; /* once */
    for (unsigned k = r->n_streams; !r->apart && k-- > 0;) {
      const oct_buffer *b = &again->streams[k].packed;
      if (untake(&r->in, b->bytes, b->n_bytes)) return no_memory(diag);
    }
  }
  next->there = false;
  return find_mark(&r->in, diag);
}

static int read_head(oct_codec_reader *r, oct_diag *diag) {
  uint8_t bytes[OCT_CODEC_MAGIC_BYTES + 4 + OCT_CODEC_HEAD_MAX + 8];
  oct_diag own = {0};
  int64_t got = r->in.source.read(r->in.source.context, bytes, OCT_CODEC_MAGIC_BYTES + 4, diag);
  if (got < 0) return (int)got;
  if (!oct_codec_is_file(bytes, (size_t)got))
    return oct_fail_at(diag, OCT_ERR_FORMAT, OCT_AT_BYTE, 0, "not a codec file");
  r->in.offset = (uint64_t)got;
  r->head.version = bytes[OCT_CODEC_MAGIC_BYTES - 1] - '0';
  const uint32_t version = r->head.version;
  if (got < OCT_CODEC_MAGIC_BYTES + 4)
    return oct_fail(diag, OCT_ERR_TRUNCATED, "offset %" PRId64 ": the file ends within its head",
                    got);
  size_t n = 0;
  for (unsigned i = 0; i < 4; i++) n |= (size_t)bytes[OCT_CODEC_MAGIC_BYTES + i] << 8 * i;
  if (n > OCT_CODEC_HEAD_MAX)
    return oct_fail_at(diag, OCT_ERR_FORMAT, OCT_AT_BYTE, 8,
                       "expected a head of at most %d bytes, found %zu", OCT_CODEC_HEAD_MAX, n);
  uint8_t *text = bytes + OCT_CODEC_MAGIC_BYTES + 4;
  int error = fetch(&r->in, text, n + 8, "the head", diag);
  if (error) return error;
  if (!oct_checksum_is(oct_get_u64(text + n), XXH64(bytes, OCT_CODEC_MAGIC_BYTES + 4 + n, 0)))
    return oct_fail_at(diag, OCT_ERR_CHECKSUM, OCT_AT_BYTE, 0,
                       "the checksum of the head does not match");
  r->chain = oct_chain_begin(oct_get_u64(text + n));
  error = oct_codec_head_parse((const char *)text, n, &r->head, &own);
  r->head.version = version;
  return error ? oct_fail_at(diag, error, OCT_AT_BYTE, 12, "%.200s", oct_diag_reason(&own).text)
               : 0;
}

static int open_channel(oct_codec_reader *r, unsigned c, oct_diag *diag) {
  read_channel *channel = &r->channels[c];
  const oct_layout *layout = &r->head.channels[c].layout;
  oct_diag own = {0};
  oct_codec_channel_settings(&r->head, c, &channel->settings);
  int error = oct_codec_check_layout(&channel->settings, layout, &own);
  if (error)
    return oct_fail_at(diag, OCT_ERR_FORMAT, OCT_AT_BYTE, 12, "head: %.200s",
                       oct_diag_reason(&own).text);
  channel->record_bytes = oct_layout_bytes(layout);
  channel->first_stream = r->n_streams;
  channel->n_streams = channel->settings.codec->n_streams(&channel->settings, layout);
  r->n_streams += channel->n_streams;
  channel->hash = XXH64_createState();
  if (!channel->hash) return no_memory(diag);
  XXH64_reset(channel->hash, c);
  error = channel->settings.codec->decoder_new(&channel->settings, layout, &channel->decoder, &own);
  return error
             ? oct_fail_at(diag, error, OCT_AT_BYTE, 12, "head: %.200s", oct_diag_reason(&own).text)
             : 0;
}

unsigned oct_codec_reader_streams(const oct_codec_reader *r) {
  return r->n_streams;
}

/* A stream whose file nobody gave. */
static int64_t read_nothing(void *context, void *bytes, size_t n, oct_diag *diag) {
  (void)context, (void)bytes, (void)n, (void)diag;
  return 0;
}

void oct_codec_reader_apart(oct_codec_reader *r, const oct_source_bytes *sources) {
  if (r->apart) memcpy(r->apart, sources, r->n_streams * sizeof *sources);
}

static int open_apart(oct_codec_reader *r, oct_diag *diag) {
  r->apart = calloc(r->n_streams, sizeof *r->apart);
  r->apart_offset = calloc(r->n_streams, sizeof *r->apart_offset);
  if (!r->apart || !r->apart_offset) return no_memory(diag);
  for (unsigned k = 0; k < r->n_streams; k++) r->apart[k].read = read_nothing;
  return 0;
}

static int open_streams(oct_codec_reader *r, oct_diag *diag) {
  if (r->head.apart && open_apart(r, diag)) return OCT_ERR_NOMEM;
  r->cursors = calloc(r->n_streams, sizeof *r->cursors);
  for (unsigned i = 0; i < 2; i++) {
    read_stream *streams = r->segments[i].streams = calloc(r->n_streams, sizeof *streams);
    if (!streams || !r->cursors) return no_memory(diag);
    for (unsigned c = 0; c < r->head.n_channels; c++)
      for (unsigned k = 0; k < r->channels[c].n_streams; k++) {
        read_stream *s = &streams[r->channels[c].first_stream + k];
        s->settings = &r->channels[c].settings;
        s->channel = c;
        s->number = k;
      }
  }
  return 0;
}

int oct_codec_reader_new(const oct_source_bytes *source, unsigned n_threads,
                         oct_codec_reader **reader, oct_diag *diag) {
  oct_codec_reader *r = calloc(1, sizeof *r);
  int error = r ? 0 : no_memory(diag);
  *reader = r;
  if (error) return error;
  r->in.source = *source;
  r->n_threads = n_threads;
  r->memory_max_bytes = OCT_CODEC_MEMORY_MAX;
  r->jobs = oct_jobs_new(n_threads);
  if (!r->jobs) error = no_memory(diag);
  if (!error) error = read_head(r, diag);
  for (unsigned c = 0; !error && c < r->head.n_channels; c++) error = open_channel(r, c, diag);
  if (!error) error = open_streams(r, diag);
  if (error) {
    oct_codec_reader_free(r);
    *reader = NULL;
    return error;
  }
  r->current = 1; /* the first block is read into segment 0, as if it were the next one */
  return 0;
}

void oct_codec_reader_free(oct_codec_reader *r) {
  if (!r) return;
  oct_jobs_free(r->jobs);
  for (unsigned c = 0; c < r->head.n_channels; c++) {
    read_channel *channel = &r->channels[c];
    if (channel->decoder) channel->settings.codec->decoder_free(channel->decoder);
    XXH64_freeState(channel->hash);
  }
  for (unsigned i = 0; i < 2; i++) {
    for (unsigned k = 0; k < r->n_streams && r->segments[i].streams; k++) {
      oct_buffer_free(&r->segments[i].streams[k].packed);
      oct_buffer_free(&r->segments[i].streams[k].raw);
    }
    free(r->segments[i].streams);
  }
  input_free(&r->in);
  free(r->cursors);
  free(r->apart);
  free(r->apart_offset);
  free(r);
}

void oct_codec_reader_max_memory(oct_codec_reader *r, uint64_t bytes) {
  r->memory_max_bytes = bytes;
}

const oct_codec_head *oct_codec_reader_head(const oct_codec_reader *r) {
  return &r->head;
}

/* An error of a stream or of a decoder, with the place in the file in front. */
static int locate(const oct_codec_reader *r, const read_segment *s, unsigned channel, int stream,
                  uint64_t offset, int error, const oct_diag *own, oct_diag *diag) {
  char where[64] = "";
  if (stream >= 0) snprintf(where, sizeof where, ", stream %d", stream);
  return oct_fail_at(diag, error, OCT_AT_BYTE, offset, "segment %" PRIu64 ", channel %s%s: %.120s",
                     s->number, r->head.channels[channel].name, where, oct_diag_reason(own).text);
}

/* Do the totals of the end say what was read? */
static int check_end(oct_codec_reader *r, const read_segment *s, oct_diag *diag) {
  for (unsigned c = 0; c < r->head.n_channels; c++) {
    const read_channel *channel = &r->channels[c];
    if (r->is_resynced) continue; /* the hash is that of all records */
    if (s->records[c] == channel->total &&
        (!channel->settings.codec->lossless ||
         oct_checksum_is(s->hashes[c], XXH64_digest(channel->hash))))
      continue;
    return oct_fail_at(diag, OCT_ERR_CHECKSUM, OCT_AT_BYTE, s->offset,
                       "channel %s: %" PRIu64 " records with another checksum than the %" PRIu64
                       " that were written",
                       r->head.channels[c].name, channel->total, s->records[c]);
  }
  return 0;
}

static int begin_channel(oct_codec_reader *r, const read_segment *s, unsigned c, oct_diag *diag) {
  read_channel *channel = &r->channels[c];
  oct_cursor *cursors = r->cursors + channel->first_stream;
  oct_diag own = {0};
  for (unsigned k = 0; k < channel->n_streams; k++) {
    const read_stream *stream = &s->streams[channel->first_stream + k];
    if (stream->error)
      return locate(r, s, c, (int)k, stream->offset, stream->error, &stream->diag, diag);
    cursors[k] = (oct_cursor){stream->raw.bytes, stream->raw.n_bytes, false};
  }
  const uint64_t group = s->number / channel->settings.group;
  if (channel->group != group && r->head.version >= 2) {
    channel->settings.codec->decoder_free(channel->decoder);
    channel->decoder = NULL;
    int error = channel->settings.codec->decoder_new(
        &channel->settings, &r->head.channels[c].layout, &channel->decoder, diag);
    if (error) return error;
  }
  channel->group = group;
  if (r->is_resynced && channel->total <= s->first[c]) channel->total = s->first[c];
  if (r->head.version >= 2 && channel->total != s->first[c])
    return oct_fail_at(diag, OCT_ERR_FORMAT, OCT_AT_BYTE, s->offset,
                       "segment %" PRIu64 " begins at record %" PRIu64 " of channel %s, %" PRIu64
                       " were read",
                       s->number, s->first[c], r->head.channels[c].name, channel->total);
  channel->left = s->records[c];
  if (!channel->settings.codec->decode_begin) return 0;
  int error = channel->settings.codec->decode_begin(channel->decoder, cursors, channel->left, &own);
  return error ? locate(r, s, c, -1, s->offset, error, &own, diag) : 0;
}

/* Begin the segment that was read ahead, and read the next: 1, 0 at the end, or an error. */
static int enter(oct_codec_reader *r, oct_diag *diag) {
  read_segment *s = &r->segments[!r->current], *old = &r->segments[r->current];
  if (!s->there) read_ahead(r, s);
  oct_jobs_wait(r->jobs);
  if (s->error) return oct_diag_pass(diag, &s->diag, s->error);
  r->current = !r->current;
  if (s->is_end) return check_end(r, s, diag);
  read_ahead(r, old);
  for (unsigned c = 0; c < r->head.n_channels; c++) {
    int error = begin_channel(r, s, c, diag);
    if (error) return error;
  }
  return 1;
}

/* Enter the next segment: 1, 0 at the end, or an error. */
static int next_segment(oct_codec_reader *r, oct_diag *diag) {
  const read_segment *old = &r->segments[r->current];
  if (old->there && old->is_end) return 0;
  for (unsigned c = 0; c < r->head.n_channels; c++)
    if (r->channels[c].left)
      return oct_fail_at(diag, OCT_ERR_FORMAT, OCT_AT_BYTE, old->offset,
                         "segment %" PRIu64
                         ": channel %s has more records than the others account for",
                         old->number, r->head.channels[c].name);
  return enter(r, diag);
}

int oct_codec_reader_resync(oct_codec_reader *r, oct_diag *diag) {
  if (r->head.version < 2) return 0;
  oct_jobs_wait(r->jobs);
  r->is_resynced = true;
  /* Nothing was taken of a block whose number is not the one expected: now it may be another. */
  if (!r->segments[!r->current].has_head) r->segments[!r->current].there = false;
  for (;;) {
    const read_segment *now = &r->segments[r->current];
    read_segment *next = &r->segments[!r->current];
    int got = 1;
    if (now->there && !now->error && now->is_end) return 0;
    for (unsigned c = 0; c < r->head.n_channels; c++) r->channels[c].left = 0;
    if (next->there && next->error) {
      if (next->error == OCT_ERR_IO || next->error == OCT_ERR_NOMEM)
        return oct_diag_pass(diag, &next->diag, next->error);
      if (next->has_head && next->is_end) { /* and bytes behind it */
        next->error = 0;
        r->current = !r->current;
        return 0;
      }
      got = find_block(r, diag);
    }
    if (got > 0) got = enter(r, diag);
    if (got > 0 && r->segments[r->current].number % r->head.settings.group) continue;
    if (got > 0) r->failed = 0;
    if (got >= 0 || got == OCT_ERR_NOMEM) return got;
  }
}

uint64_t oct_codec_reader_left(const oct_codec_reader *r, unsigned c) {
  return r->channels[c].left;
}

unsigned oct_codec_reader_threads(const oct_codec_reader *r) {
  return r->n_threads;
}

uint64_t oct_codec_reader_position(const oct_codec_reader *r, unsigned c) {
  return r->channels[c].total;
}

bool oct_codec_reader_totals(const oct_codec_reader *r, uint64_t *records) {
  const read_segment *s = &r->segments[r->current];
  bool has_totals = s->there && !s->error && s->is_end;
  for (unsigned c = 0; has_totals && c < r->head.n_channels; c++) records[c] = s->records[c];
  return has_totals;
}

int64_t oct_codec_reader_get(oct_codec_reader *r, unsigned c, void *records, size_t max,
                             oct_diag *diag) {
  read_channel *channel = &r->channels[c];
  oct_diag own = {0};
  int got = 1;
  if (r->failed) return oct_fail(diag, r->failed, "the file was found damaged before");
  while (!channel->left && got == 1) got = next_segment(r, diag);
  if (got <= 0) {
    r->failed = got;
    return got;
  }
  size_t n = channel->left < max ? (size_t)channel->left : max;
  int error = channel->settings.codec->decode(channel->decoder, r->cursors + channel->first_stream,
                                              records, n, &own);
  if (error) {
    const read_segment *s = &r->segments[r->current];
    r->failed = error;
    return locate(r, s, c, -1, s->streams[channel->first_stream].offset, error, &own, diag);
  }
  channel->left -= n;
  channel->total += n;
  XXH64_update(channel->hash, records, n * channel->record_bytes);
  return (int64_t)n;
}
