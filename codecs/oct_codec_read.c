/* SPDX-License-Identifier: Apache-2.0 */
/* oct_codec_read.c - reading a codec file (docs/codec-file.md): while a segment is decoded, workers
 * unpack the next. Each payload is held against its hash before it is unpacked. The end block says
 * what was written; its totals are held against what was read. Behind damage, the next group of
 * segments is begun with new decoders. */
#include <inttypes.h>
#include <stdio.h>

#include "oct_checksum.h"
#include "oct_codec_reader.h"

static int no_memory(oct_diag *diag) {
  return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
}

static int read_head(oct_codec_reader *r, oct_diag *diag) {
  uint8_t bytes[OCT_CODEC_MAGIC_BYTES + 4 + OCT_CODEC_HEAD_MAX + 8];
  oct_diag own = {0};
  int64_t got = r->in.source.read(r->in.source.context, bytes, OCT_CODEC_MAGIC_BYTES + 4, diag);
  if (got < 0) return (int)got;
  if (!oct_codec_is_file(bytes, (size_t)got))
    return oct_fail(diag, OCT_ERR_FORMAT, "offset 0: not a codec file");
  r->in.offset = (uint64_t)got;
  r->head.version = bytes[OCT_CODEC_MAGIC_BYTES - 1] - '0';
  const uint32_t version = r->head.version;
  if (got < OCT_CODEC_MAGIC_BYTES + 4)
    return oct_fail(diag, OCT_ERR_TRUNCATED, "offset %" PRId64 ": the file ends within its head",
                    got);
  size_t n = 0;
  for (unsigned i = 0; i < 4; i++) n |= (size_t)bytes[OCT_CODEC_MAGIC_BYTES + i] << 8 * i;
  if (n > OCT_CODEC_HEAD_MAX)
    return oct_fail(diag, OCT_ERR_FORMAT,
                    "offset 8: expected a head of at most %d bytes, found %zu", OCT_CODEC_HEAD_MAX,
                    n);
  uint8_t *text = bytes + OCT_CODEC_MAGIC_BYTES + 4;
  int error = oct_codec_fetch(&r->in, text, n + 8, "the head", diag);
  if (error) return error;
  if (!oct_checksum_is(oct_get_u64(text + n), XXH64(bytes, OCT_CODEC_MAGIC_BYTES + 4 + n, 0)))
    return oct_fail(diag, OCT_ERR_CHECKSUM, "offset 0: the checksum of the head does not match");
  r->chain = oct_chain_begin(oct_get_u64(text + n));
  error = oct_codec_head_parse((const char *)text, n, &r->head, &own);
  r->head.version = version;
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
  oct_codec_input_free(&r->in);
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
  return oct_fail(diag, error, "offset %" PRIu64 ": segment %" PRIu64 ", channel %s%s: %.120s",
                  offset, s->number, r->head.channels[channel].name, where, own->text);
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
    return oct_fail(diag, OCT_ERR_FORMAT,
                    "offset %" PRIu64 ": segment %" PRIu64 " begins at record %" PRIu64
                    " of channel %s, %" PRIu64 " were read",
                    s->offset, s->number, s->first[c], r->head.channels[c].name, channel->total);
  channel->left = s->records[c];
  if (!channel->settings.codec->decode_begin) return 0;
  int error = channel->settings.codec->decode_begin(channel->decoder, cursors, channel->left, &own);
  return error ? locate(r, s, c, -1, s->offset, error, &own, diag) : 0;
}

/* Begin the segment that was read ahead, and read the next: 1, 0 at the end, or an error. */
static int enter(oct_codec_reader *r, oct_diag *diag) {
  read_segment *s = &r->segments[!r->current], *old = &r->segments[r->current];
  if (!s->there) oct_codec_read_ahead(r, s);
  oct_jobs_wait(r->jobs);
  if (s->error) return oct_fail(diag, s->error, "%s", s->diag.text);
  r->current = !r->current;
  if (s->is_end) return check_end(r, s, diag);
  oct_codec_read_ahead(r, old);
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
      return oct_fail(diag, OCT_ERR_FORMAT,
                      "offset %" PRIu64 ": segment %" PRIu64
                      ": channel %s has more records than the "
                      "others account for",
                      old->offset, old->number, r->head.channels[c].name);
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
        return oct_fail(diag, next->error, "%s", next->diag.text);
      if (next->has_head && next->is_end) { /* and bytes behind it */
        next->error = 0;
        r->current = !r->current;
        return 0;
      }
      got = oct_codec_find_block(r, diag);
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
