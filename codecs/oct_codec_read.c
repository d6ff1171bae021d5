/* SPDX-License-Identifier: Apache-2.0 */
/* oct_codec_read.c - reading a codec file (docs/codec-file.md): while a segment is decoded, workers
 * unpack the next.
 *
 * A segment is a block with a table of its streams (lengths, checksums) and the packed streams. The
 * table is checked before anything is allocated by it, and each payload held against its hash
 * before it is unpacked. The end block says what was written; its totals are held against what was
 * read. */
#include <inttypes.h>
#include <stdio.h>
#include <xxhash.h>

#include "oct_checksum.h"
#include "oct_codec_format.h"
#include "oct_jobs.h"
#include "oct_stage.h"

/* A stream of a segment on its way back through the second stage. */
typedef struct read_stream {
  oct_buffer packed, raw;
  const oct_codec_settings *settings;
  unsigned channel, number; /* number within its channel */
  uint64_t raw_bytes, checksum, offset;
  int error;
  oct_diag diag;
} read_stream;

typedef struct read_segment {
  read_stream *streams;
  uint64_t records[OCT_CHANNELS_MAX];
  uint64_t offset, number;
  bool there;  /* read and given to the workers */
  bool is_end; /* the block behind the last segment: records[] and hashes[] are totals */
  uint64_t hashes[OCT_CHANNELS_MAX];
  int error; /* reading it failed */
  oct_diag diag;
} read_segment;

typedef struct read_channel {
  oct_codec_settings settings;
  void *decoder;
  size_t record_bytes;
  unsigned first_stream, n_streams;
  uint64_t left, total; /* records: in the segment; read so far */
  XXH64_state_t *hash;
} read_channel;

struct oct_codec_reader {
  oct_codec_head head;
  oct_source_bytes source, *apart; /* apart: of each stream, or NULL */
  uint64_t *apart_offset;
  oct_jobs *jobs;
  unsigned n_streams, current;
  uint64_t offset, n_blocks;
  read_channel channels[OCT_CHANNELS_MAX];
  read_segment segments[2];
  oct_cursor *cursors; /* of the current segment */
  int failed;
};

static int no_memory(oct_diag *diag) {
  return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
}

/* Exactly n bytes. */
static int fetch(oct_codec_reader *r, void *bytes, size_t n, const char *what, oct_diag *diag) {
  int64_t got = r->source.read(r->source.context, bytes, n, diag);
  if (got < 0) return (int)got;
  uint64_t start = r->offset;
  r->offset += (uint64_t)got;
  if ((uint64_t)got == n) return 0;
  return oct_fail(diag, OCT_ERR_TRUNCATED,
                  "offset %" PRIu64 ": the file ends within %s, which begins at offset %" PRIu64,
                  r->offset, what, start);
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

/* n bytes into an empty buffer that grows with what is really there. */
static int fetch_buffer(oct_codec_reader *r, unsigned stream, oct_buffer *b, uint64_t n,
                        oct_diag *diag) {
  const uint64_t step = (uint64_t)16 << 20;
  b->n_bytes = 0;
  while (b->n_bytes < n) {
    size_t want = (size_t)(n - b->n_bytes < step ? n - b->n_bytes : step);
    uint8_t *p = oct_buffer_room(b, want);
    if (!p) return no_memory(diag);
    int error =
        r->apart ? fetch_apart(r, stream, p, want, diag) : fetch(r, p, want, "a stream", diag);
    if (error) return error;
    b->n_bytes += want;
  }
  return 0;
}

static int read_head(oct_codec_reader *r, oct_diag *diag) {
  uint8_t bytes[OCT_CODEC_MAGIC_BYTES + 4 + OCT_CODEC_HEAD_MAX + 8];
  oct_diag own = {0};
  int64_t got = r->source.read(r->source.context, bytes, OCT_CODEC_MAGIC_BYTES + 4, diag);
  if (got < 0) return (int)got;
  if (!oct_codec_is_file(bytes, (size_t)got))
    return oct_fail(diag, OCT_ERR_FORMAT, "offset 0: not a codec file");
  r->offset = (uint64_t)got;
  if (got < OCT_CODEC_MAGIC_BYTES + 4)
    return oct_fail(diag, OCT_ERR_TRUNCATED, "offset %" PRId64 ": the file ends within its head",
                    got);
  size_t n = 0;
  for (unsigned i = 0; i < 4; i++) n |= (size_t)bytes[OCT_CODEC_MAGIC_BYTES + i] << 8 * i;
  if (n > OCT_CODEC_HEAD_MAX)
    return oct_fail(diag, OCT_ERR_FORMAT,
                    "offset 8: a head of at most %d bytes is expected, not %zu", OCT_CODEC_HEAD_MAX,
                    n);
  uint8_t *text = bytes + OCT_CODEC_MAGIC_BYTES + 4;
  int error = fetch(r, text, n + 8, "the head", diag);
  if (error) return error;
  if (!oct_checksum_is(oct_load64(text + n), XXH64(bytes, OCT_CODEC_MAGIC_BYTES + 4 + n, 0)))
    return oct_fail(diag, OCT_ERR_CHECKSUM, "offset 0: the checksum of the head does not match");
  error = oct_codec_head_parse((const char *)text, n, &r->head, &own);
  return error ? oct_fail(diag, error, "offset 12: %.200s", own.text) : 0;
}

static int open_channel(oct_codec_reader *r, unsigned c, oct_diag *diag) {
  read_channel *channel = &r->channels[c];
  const oct_layout *layout = &r->head.channels[c].layout;
  oct_diag own = {0};
  oct_codec_channel_settings(&r->head, c, &channel->settings);
  int error = oct_codec_check_layout(&channel->settings, layout, &own);
  if (error) return oct_fail(diag, OCT_ERR_FORMAT, "offset 12: head: %.200s", own.text);
  channel->record_bytes = oct_layout_bytes(layout);
  channel->first_stream = r->n_streams;
  channel->n_streams = channel->settings.codec->n_streams(&channel->settings, layout);
  r->n_streams += channel->n_streams;
  channel->hash = XXH64_createState();
  if (!channel->hash) return no_memory(diag);
  XXH64_reset(channel->hash, c);
  error = channel->settings.codec->decoder_new(&channel->settings, layout, &channel->decoder, &own);
  return error ? oct_fail(diag, error, "offset 12: head: %.200s", own.text) : 0;
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

static void unpack(void *arg) {
  read_stream *s = arg;
  s->raw.n_bytes = 0;
  s->error = 0;
  if (!oct_checksum_is(s->checksum, XXH64(s->packed.bytes, s->packed.n_bytes, 0)))
    s->error = oct_fail(&s->diag, OCT_ERR_CHECKSUM, "the checksum does not match");
  else if (s->raw_bytes || s->packed.n_bytes)
    s->error = oct_stage_decompress(s->settings->stage, s->packed.bytes, s->packed.n_bytes,
                                    s->raw_bytes, &s->raw, &s->diag);
}

/* The table behind the kind of a block: its numbers, and what they may be. */
static int read_table(oct_codec_reader *r, read_segment *s, uint64_t kind, oct_diag *diag) {
  const bool is_end = kind == OCT_CODEC_END;
  const unsigned n_channels = r->head.n_channels;
  size_t n = is_end ? 16 * (size_t)n_channels
                    : 8 * (size_t)n_channels + OCT_CODEC_STREAM_ENTRY * (size_t)r->n_streams;
  oct_buffer table = {0};
  uint64_t bytes = 0;
  uint8_t *p = oct_buffer_room(&table, 8 + n + 8);
  if (!p) return no_memory(diag);
  oct_store64(p, kind);
  int error = fetch(r, p + 8, n + 8, "the head of a block", diag);
  if (!error && !oct_checksum_is(oct_load64(p + 8 + n), XXH64(p, 8 + n, r->n_blocks)))
    error =
        oct_fail(diag, OCT_ERR_CHECKSUM,
                 "offset %" PRIu64 ": the checksum of a block's head does not match", s->offset);
  p += 8;
  for (unsigned c = 0; !error && c < n_channels; c++, p += is_end ? 16 : 8) {
    s->records[c] = oct_load64(p);
    if (is_end) s->hashes[c] = oct_load64(p + 8);
    uint64_t most =
        (r->head.settings.segment_bytes + OCT_CODEC_SLACK_BYTES) / r->channels[c].record_bytes;
    if (!is_end && s->records[c] > most)
      error = oct_fail(diag, OCT_ERR_FORMAT,
                       "offset %" PRIu64 ": %" PRIu64 " records in a segment of at most %" PRIu64,
                       s->offset, s->records[c], most);
    if (!error) bytes += s->records[c] * r->channels[c].record_bytes;
  }
  for (unsigned k = 0; !error && !is_end && k < r->n_streams; k++, p += OCT_CODEC_STREAM_ENTRY) {
    read_stream *stream = &s->streams[k];
    stream->raw_bytes = oct_load64(p);
    stream->packed.n_bytes = 0;
    stream->offset = oct_load64(p + 8); /* its size, until its place is known */
    stream->checksum = oct_load64(p + 16);
    uint64_t most = OCT_CODEC_GROWTH * bytes + OCT_CODEC_SLACK_BYTES;
    if (stream->raw_bytes > most || stream->offset > 2 * most)
      error = oct_fail(diag, OCT_ERR_FORMAT,
                       "offset %" PRIu64 ": a stream of %" PRIu64 " bytes packed in %" PRIu64
                       " for records of %" PRIu64,
                       s->offset, stream->raw_bytes, stream->offset, bytes);
  }
  oct_buffer_free(&table);
  return error;
}

/* Read the next block and give its streams to the workers. */
static int read_block(oct_codec_reader *r, read_segment *s, oct_diag *diag) {
  uint8_t kind_bytes[8];
  s->offset = r->offset;
  s->number = r->n_blocks;
  int error = fetch(r, kind_bytes, 8, "the head of a block", diag);
  if (error) return error;
  uint64_t kind = oct_load64(kind_bytes);
  if (kind != OCT_CODEC_SEGMENT && kind != OCT_CODEC_END)
    return oct_fail(diag, OCT_ERR_FORMAT, "offset %" PRIu64 ": a block is expected", s->offset);
  s->is_end = kind == OCT_CODEC_END;
  error = read_table(r, s, kind, diag);
  r->n_blocks++;
  if (error) return error;
  if (s->is_end) {
    uint8_t more;
    int64_t got = r->source.read(r->source.context, &more, 1, diag);
    if (got < 0) return (int)got;
    return got ? oct_fail(diag, OCT_ERR_FORMAT, "offset %" PRIu64 ": bytes follow the end",
                          r->offset)
               : 0;
  }
  for (unsigned k = 0; k < r->n_streams; k++) {
    read_stream *stream = &s->streams[k];
    uint64_t size = stream->offset;
    stream->offset = r->apart ? r->apart_offset[k] : r->offset;
    error = fetch_buffer(r, k, &stream->packed, size, diag);
    if (!error && oct_jobs_add(r->jobs, unpack, stream)) error = no_memory(diag);
    if (error) return error;
  }
  return 0;
}

static void read_ahead(oct_codec_reader *r, read_segment *s) {
  s->error = read_block(r, s, &s->diag);
  s->there = true;
}

int oct_codec_reader_new(const oct_source_bytes *source, unsigned n_threads,
                         oct_codec_reader **reader, oct_diag *diag) {
  oct_codec_reader *r = calloc(1, sizeof *r);
  int error = r ? 0 : no_memory(diag);
  *reader = r;
  if (error) return error;
  r->source = *source;
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
  free(r->cursors);
  free(r->apart);
  free(r->apart_offset);
  free(r);
}

const oct_codec_head *oct_codec_reader_head(const oct_codec_reader *r) {
  return &r->head;
}

/* An error of a stream or of a decoder, with the place in the file in front. */
static int locate(const oct_codec_reader *r, const read_segment *s, unsigned channel, int stream,
                  uint64_t offset, int error, const oct_diag *own, oct_diag *diag) {
  char where[64] = "";
  if (stream >= 0) snprintf(where, sizeof where, ", stream %d", stream);
  return oct_fail(diag, error, "offset %" PRIu64 ": segment %" PRIu64 ", channel %s%s: %.120s",
                  offset, s->number, r->head.channels[channel].name, where, own->text);
}

/* Do the totals of the end say what was read? */
static int check_end(oct_codec_reader *r, const read_segment *s, oct_diag *diag) {
  for (unsigned c = 0; c < r->head.n_channels; c++) {
    const read_channel *channel = &r->channels[c];
    if (s->records[c] == channel->total &&
        (!channel->settings.codec->lossless ||
         oct_checksum_is(s->hashes[c], XXH64_digest(channel->hash))))
      continue;
    return oct_fail(diag, OCT_ERR_CHECKSUM,
                    "offset %" PRIu64 ": channel %s: %" PRIu64
                    " records with another checksum than "
                    "the %" PRIu64 " that were written",
                    s->offset, r->head.channels[c].name, channel->total, s->records[c]);
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
    cursors[k] = (oct_cursor){stream->raw.bytes, stream->raw.n_bytes};
  }
  channel->left = s->records[c];
  if (!channel->settings.codec->decode_begin) return 0;
  int error = channel->settings.codec->decode_begin(channel->decoder, cursors, channel->left, &own);
  return error ? locate(r, s, c, -1, s->offset, error, &own, diag) : 0;
}

/* Enter the next segment: 1, 0 at the end, or an error. */
static int next_segment(oct_codec_reader *r, oct_diag *diag) {
  read_segment *old = &r->segments[r->current], *s = &r->segments[!r->current];
  if (old->there && old->is_end) return 0;
  for (unsigned c = 0; c < r->head.n_channels; c++)
    if (r->channels[c].left)
      return oct_fail(diag, OCT_ERR_FORMAT,
                      "offset %" PRIu64 ": segment %" PRIu64
                      ": channel %s has more records than the "
                      "others account for",
                      old->offset, old->number, r->head.channels[c].name);
  if (!s->there) read_ahead(r, s);
  oct_jobs_wait(r->jobs);
  if (s->error) return oct_fail(diag, s->error, "%s", s->diag.text);
  r->current = !r->current;
  if (s->is_end) return check_end(r, s, diag);
  read_ahead(r, old);
  for (unsigned c = 0; c < r->head.n_channels; c++) {
    int error = begin_channel(r, s, c, diag);
    if (error) return error;
  }
  return 1;
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
