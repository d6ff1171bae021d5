/* SPDX-License-Identifier: Apache-2.0 */
/* oct_codec_block.c - reading the blocks of a codec file: the head of a segment, its streams, and
 * where the next one begins behind damage.
 *
 * A segment is a block with a table of its streams (lengths, checksums) and the packed streams. The
 * table is checked before anything is allocated by it. Every block begins with a mark, and heads
 * are looked at and taken only when their checksum agrees, so that a search passes over nothing. */
#include <inttypes.h>

#include "oct_checksum.h"
#include "oct_codec_reader.h"
#include "octrace/codec.h"

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
    int error = r->apart ? fetch_apart(r, stream, p, want, diag)
                         : oct_codec_fetch(&r->in, p, want, "a stream", diag);
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
    s->error = oct_stage_decompress(s->settings->stage, s->packed.bytes, s->packed.n_bytes,
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
      return oct_fail(diag, OCT_ERR_FORMAT,
                      "offset %" PRIu64 ": %" PRIu64 " records in a segment of at most %" PRIu64,
                      s->offset, s->records[c], most);
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
      return oct_fail(diag, OCT_ERR_FORMAT,
                      "offset %" PRIu64 ": a stream of %" PRIu64 " bytes packed in %" PRIu64
                      " for records of %" PRIu64,
                      s->offset, stream->raw_bytes, stream->packed_bytes, bytes);
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
  return oct_fail(diag, OCT_ERR_LIMIT,
                  "offset %" PRIu64 ": segment %" PRIu64 " needs %" PRIu64
                  " MiB of memory, %" PRIu64
                  " are the most (--max-memory, or oct_codec_reader_max_memory, allows more)",
                  s->offset, s->number, (needed + 0xfffff) >> 20, r->memory_max_bytes >> 20);
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
  int64_t got = oct_codec_look(&r->in, n_head, &p, diag);
  if (got < 0) return (int)got;
  if ((size_t)got < n_head)
    return oct_codec_ends_within(&r->in, s->offset + (uint64_t)got, "the head of a block", diag);
  uint64_t kind = oct_get_u64(p + (is_old ? 0 : 8));
  s->number = is_old ? r->n_blocks : oct_get_u64(p + 16);
  if ((kind != OCT_CODEC_SEGMENT && kind != OCT_CODEC_END) ||
      (!is_old && oct_get_u64(p) != OCT_CODEC_MARK))
    return oct_fail(diag, OCT_ERR_FORMAT, "offset %" PRIu64 ": expected a block", s->offset);
  s->is_end = kind == OCT_CODEC_END;
  size_t stream_bytes = is_old ? OCT_CODEC_STREAM_ENTRY_1 : OCT_CODEC_STREAM_ENTRY;
  size_t n = n_head + (is_old && !s->is_end ? 8 : 16) * (size_t)r->head.n_channels +
             (s->is_end ? 0 : stream_bytes * (size_t)r->n_streams);
  got = oct_codec_look(&r->in, n + 8, &p, diag);
  if (got < 0) return (int)got;
  if ((size_t)got < n + 8)
    return oct_codec_ends_within(&r->in, s->offset + (uint64_t)got, "the head of a block", diag);
  const uint64_t sum = oct_get_u64(p + n), seed = has_chain ? r->chain.head_sum : 0;
  if (!oct_checksum_is(sum, XXH64(p, n, seed + s->number)))
    return oct_fail(diag, OCT_ERR_CHECKSUM,
                    "offset %" PRIu64 ": the checksum of a block's head does not match", s->offset);
  if (s->number < r->n_blocks || (s->number > r->n_blocks && !r->is_resynced))
    return oct_fail(diag, OCT_ERR_FORMAT,
                    "offset %" PRIu64 ": expected block %" PRIu64 ", found block %" PRIu64,
                    s->offset, r->n_blocks, s->number);
  if (s->number > r->n_blocks) oct_chain_break(&r->chain);
  if (has_chain && !oct_chain_takes(&r->chain, oct_get_u64(p + OCT_CODEC_BEFORE_AT), sum)) {
    oct_codec_take(&r->in, n + 8);
    r->n_blocks = s->number + 1;
    return oct_fail(diag, OCT_ERR_CHECKSUM, "offset %" PRIu64 ": " OCT_CHAIN_TEXT("block"),
                    s->offset);
  }
  int error = read_table(r, s, p + n_head, diag);
  if (!error && !s->is_end) error = check_memory(r, s, diag);
  if (error) return error;
  oct_codec_take(&r->in, n + 8);
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
    int64_t got = oct_codec_look(&r->in, 1, &more, diag);
    if (got < 0) return (int)got;
    return got ? oct_fail(diag, OCT_ERR_FORMAT, "offset %" PRIu64 ": bytes follow the end",
                          r->in.offset)
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

void oct_codec_read_ahead(oct_codec_reader *r, read_segment *s) {
  s->error = read_block(r, s, &s->diag);
  s->there = true;
}

/* The block that was to be read next is none: go to the next mark, which may stand in the streams
 * of a segment: of one that is damaged, as bytes of it may have been lost, or of one that the file
 * ends within. 1, 0 at the end, or an error. */
int oct_codec_find_block(oct_codec_reader *r, oct_diag *diag) {
  read_segment *next = &r->segments[!r->current], *now = &r->segments[r->current];
  read_segment *again = next->has_head ? next : NULL;
  for (unsigned k = 0; !again && now->has_head && k < r->n_streams; k++)
    if (now->streams[k].error) again = now;
  if (!again) {
    const uint8_t *p;
    int64_t got = oct_codec_look(&r->in, 1, &p, diag);
    if (got < 0) return (int)got;
    oct_codec_take(&r->in, (size_t)got);
  } else {
    again->has_head = false; /* once */
    for (unsigned k = r->n_streams; !r->apart && k-- > 0;) {
      const oct_buffer *b = &again->streams[k].packed;
      if (oct_codec_untake(&r->in, b->bytes, b->n_bytes)) return no_memory(diag);
    }
  }
  next->there = false;
  return oct_codec_find_mark(&r->in, diag);
}
