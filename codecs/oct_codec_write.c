/* SPDX-License-Identifier: Apache-2.0 */
/* oct_codec_write.c - writing a codec file (docs/codec-file.md): while a segment is encoded,
 * workers pack the one before.
 *
 * Records go to the encoder of their channel, which appends to raw streams. When these reach the
 * size of a segment, all encoders end their segment, workers take each stream through the second
 * stage, and the packed streams are written behind a table of their lengths. Two segments take
 * turns, so that encoding and packing overlap. */
#include <inttypes.h>
#include <stdio.h>
#include <xxhash.h>

#include "oct_codec_format.h"
#include "oct_jobs.h"
#include "octrace/codec.h"
#include "oct_plural.h"

enum { STATS_MAX = 256 };

/* A stream of a segment on its way through the second stage. */
typedef struct write_stream {
  oct_buffer packed;
  const oct_buffer *raw;
  const oct_codec_settings *settings;
  unsigned channel;
  int error;
  oct_diag diag;
} write_stream;

/* A segment: its raw streams, contiguous per channel as encoders want them. */
typedef struct write_segment {
  oct_buffer *raw;
  write_stream *streams;
  uint64_t records[OCT_CHANNELS_MAX];
  bool busy; /* with the workers */
} write_segment;

typedef struct write_channel {
  oct_codec_settings settings;
  void *encoder;
  size_t record_bytes;
  unsigned first_stream, n_streams;
  XXH64_state_t *hash;             /* of all its records */
  uint64_t records_stored;         /* of the segments that were written */
  uint64_t group;                  /* number of the group of segments that the encoder is of */
  oct_codec_stat stats[STATS_MAX]; /* of encoders before this one; their names are not kept */
  unsigned n_stats;
} write_channel;

struct oct_codec_writer {
  oct_codec_head head;
  oct_sink sink, *apart; /* apart: of each stream, or NULL */
  oct_jobs *jobs;
  bool is_begun;               /* the head was written */
  uint64_t head_sum, last_sum; /* checksums of the head, and of the block before */
  unsigned n_threads, n_streams, current;
  write_channel channels[OCT_CHANNELS_MAX];
  write_segment segments[2];
  uint64_t segment_bytes; /* of input in the current segment */
  uint64_t n_cut;         /* segments before it */
  uint64_t *stored;       /* bytes of each stream in the file so far */
  oct_codec_totals totals;
};

static int no_memory(oct_diag *diag) {
  return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
}

static int emit(oct_codec_writer *w, const void *bytes, size_t n, oct_diag *diag) {
  if (!n) return 0;
  w->totals.file_bytes += n;
  return w->sink.write(w->sink.context, bytes, n, diag);
}

/* What a stream holds goes behind the table of its segment, or to a file of its own. */
static int emit_stream(oct_codec_writer *w, unsigned stream, const oct_buffer *packed,
                       oct_diag *diag) {
  if (!w->apart || !packed->n_bytes) return emit(w, packed->bytes, packed->n_bytes, diag);
  w->totals.file_bytes += packed->n_bytes;
  return w->apart[stream].write(w->apart[stream].context, packed->bytes, packed->n_bytes, diag);
}

/* Write the head in front of the first block, whose table tells files apart. */
static int write_head(oct_codec_writer *w, const uint8_t *table, size_t n_table, oct_diag *diag) {
  oct_buffer text = {0};
  char line[32];
  uint8_t number[8];
  if (w->is_begun) return 0;
  w->is_begun = true;
  snprintf(line, sizeof line, "file: %016" PRIx64 "\n", XXH64(table, n_table, 0));
  int error = oct_buffer_put(&text, OCT_CODEC_MAGIC "\0\0\0\0", OCT_CODEC_MAGIC_BYTES + 4);
  if (!error) error = oct_codec_head_print(&w->head, &text);
  if (!error) error = oct_buffer_put(&text, line, strlen(line));
  if (error) {
    oct_buffer_free(&text);
    return no_memory(diag);
  }
  const bool has_forms =
      w->head.content == OCT_CONTENT_TRACE && w->head.settings.codec->takes != OCT_TAKES_TRACE;
  text.bytes[OCT_CODEC_MAGIC_BYTES - 1] =
      '0' + (has_forms ? OCT_CODEC_VERSION_FORMS : OCT_CODEC_VERSION_NO_FORMS);
  oct_put_u32(text.bytes + OCT_CODEC_MAGIC_BYTES,
              (uint32_t)(text.n_bytes - OCT_CODEC_MAGIC_BYTES - 4));
  w->head_sum = w->last_sum = XXH64(text.bytes, text.n_bytes, 0);
  oct_put_u64(number, w->head_sum);
  error = emit(w, text.bytes, text.n_bytes, diag);
  if (!error) error = emit(w, number, sizeof number, diag);
  oct_buffer_free(&text);
  return error;
}

int oct_codec_check_layout(const oct_codec_settings *s, const oct_layout *layout, oct_diag *diag) {
  oct_layout own;
  int error = 0;
  const oct_layout *taken = NULL;
  if (s->codec->takes == OCT_TAKES_PC_ED) taken = &oct_layout_pc_ed;
  if (s->codec->takes == OCT_TAKES_ADDR64) taken = &oct_layout_addr64;
  if (s->codec->takes == OCT_TAKES_TRACE)
    return oct_fail(diag, OCT_ERR_CONFIG, "codec %s takes whole traces, not records",
                    s->codec->name);
  if (s->codec->takes == OCT_TAKES_SPEC) {
    error = s->codec->layout(s, &own, diag);
    taken = &own;
  }
  if (error || !taken || oct_layout_equal(taken, layout)) return error;
  return oct_fail(
      diag, OCT_ERR_CONFIG,
      "codec %s takes records of %zu byte%s in %" PRIu32 " field%s, not of %zu in %" PRIu32,
      s->codec->name, oct_layout_bytes(taken), OCT_S(oct_layout_bytes(taken)), taken->n_fields,
      OCT_S(taken->n_fields), oct_layout_bytes(layout), layout->n_fields);
}

static int open_channel(oct_codec_writer *w, unsigned c, oct_diag *diag) {
  write_channel *channel = &w->channels[c];
  const oct_layout *layout = &w->head.channels[c].layout;
  oct_codec_channel_settings(&w->head, c, &channel->settings);
  int error = oct_codec_check_layout(&channel->settings, layout, diag);
  if (error) return error;
  const oct_codec *codec = channel->settings.codec;
  channel->record_bytes = oct_layout_bytes(layout);
  channel->first_stream = w->n_streams;
  channel->n_streams = codec->n_streams(&channel->settings, layout);
  w->n_streams += channel->n_streams;
  channel->hash = XXH64_createState();
  if (!channel->hash) return no_memory(diag);
  XXH64_reset(channel->hash, c);
  return codec->encoder_new(&channel->settings, layout, &channel->encoder, diag);
}

unsigned oct_codec_writer_streams(const oct_codec_writer *w) {
  return w->n_streams;
}

void oct_codec_writer_apart(oct_codec_writer *w, const oct_sink *sinks) {
  if (w->apart) memcpy(w->apart, sinks, w->n_streams * sizeof *sinks);
}

static int open_segments(oct_codec_writer *w, oct_diag *diag) {
  if (w->head.apart) w->apart = calloc(w->n_streams, sizeof *w->apart);
  if (w->head.apart && !w->apart) return no_memory(diag);
  w->stored = calloc(w->n_streams, sizeof *w->stored);
  if (!w->stored) return no_memory(diag);
  for (unsigned i = 0; i < 2; i++) {
    write_segment *s = &w->segments[i];
    s->raw = calloc(w->n_streams, sizeof *s->raw);
    s->streams = calloc(w->n_streams, sizeof *s->streams);
    if (!s->raw || !s->streams) return no_memory(diag);
    for (unsigned c = 0; c < w->head.n_channels; c++)
      for (unsigned k = 0; k < w->channels[c].n_streams; k++) {
        unsigned stream = w->channels[c].first_stream + k;
        s->streams[stream].raw = &s->raw[stream];
        s->streams[stream].settings = &w->channels[c].settings;
        s->streams[stream].channel = c;
      }
  }
  return 0;
}

int oct_codec_writer_new(const oct_codec_head *head, const oct_sink *sink, unsigned n_threads,
                         oct_codec_writer **writer, oct_diag *diag) {
  int error = 0;
  *writer = NULL;
  oct_codec_writer *w = *writer = calloc(1, sizeof *w);
  if (!w) return no_memory(diag);
  w->head = *head;
  w->sink = *sink;
  w->n_threads = n_threads;
  w->jobs = oct_jobs_new(n_threads);
  if (!w->jobs) error = no_memory(diag);
  for (unsigned c = 0; !error && c < head->n_channels; c++) error = open_channel(w, c, diag);
  if (!error) error = open_segments(w, diag);
  if (error) {
    oct_codec_writer_free(w);
    *writer = NULL;
  }
  return error;
}

void oct_codec_writer_free(oct_codec_writer *w) {
  if (!w) return;
  oct_jobs_free(w->jobs);
  for (unsigned c = 0; c < w->head.n_channels; c++) {
    write_channel *channel = &w->channels[c];
    if (channel->encoder) channel->settings.codec->encoder_free(channel->encoder);
    XXH64_freeState(channel->hash);
  }
  for (unsigned i = 0; i < 2; i++) {
    write_segment *s = &w->segments[i];
    for (unsigned k = 0; k < w->n_streams && s->raw && s->streams; k++) {
      oct_buffer_free(&s->raw[k]);
      oct_buffer_free(&s->streams[k].packed);
    }
    free(s->raw);
    free(s->streams);
  }
  free(w->apart);
  free(w->stored);
  free(w);
}

static void pack(void *arg) {
  write_stream *s = arg;
  s->packed.n_bytes = 0;
  s->error = 0;
  if (s->raw->n_bytes)
    s->error = oct_general_compress(s->settings->stage, s->settings->level, s->raw->bytes,
                                    s->raw->n_bytes, &s->packed, &s->diag);
}

static uint8_t *store_block_head(const oct_codec_writer *w, uint8_t *p, uint64_t kind) {
  oct_put_u64(p, OCT_CODEC_MARK);
  oct_put_u64(p + 8, kind);
  oct_put_u64(p + 16, w->totals.segments);
  return p + OCT_CODEC_BLOCK_HEAD;
}

/* Write the table of a block, behind the head of the file if it is the first, and its checksum. */
static int emit_table(oct_codec_writer *w, uint8_t *table, size_t n, oct_diag *diag) {
  const uint8_t *entries = table + OCT_CODEC_BLOCK_HEAD;
  uint8_t number[8];
  int error = write_head(w, entries, n - OCT_CODEC_BLOCK_HEAD, diag);
  if (error) return error;
  oct_put_u64(table + OCT_CODEC_BEFORE_AT, w->last_sum);
  w->last_sum = XXH64(table, n, w->head_sum + w->totals.segments);
  oct_put_u64(number, w->last_sum);
  error = emit(w, table, n, diag);
  return error ? error : emit(w, number, sizeof number, diag);
}

/* Write the segment once its workers are done, and empty it. */
static int drain(oct_codec_writer *w, write_segment *s, oct_diag *diag) {
  oct_buffer table = {0};
  int error = 0;
  if (!s->busy) return 0;
  oct_jobs_wait(w->jobs);
  s->busy = false;
  for (unsigned k = 0; k < w->n_streams; k++)
    if (s->streams[k].error) return oct_diag_pass(diag, &s->streams[k].diag, s->streams[k].error);
  uint8_t *p = oct_buffer_room(&table, OCT_CODEC_BLOCK_HEAD + 16 * (size_t)w->head.n_channels +
                                           (size_t)OCT_CODEC_STREAM_ENTRY * w->n_streams);
  if (!p) return no_memory(diag);
  p = store_block_head(w, p, OCT_CODEC_SEGMENT);
  for (unsigned c = 0; c < w->head.n_channels; c++, p += 16) {
    oct_put_u64(p, w->channels[c].records_stored);
    oct_put_u64(p + 8, s->records[c]);
    w->channels[c].records_stored += s->records[c];
  }
  for (unsigned k = 0; k < w->n_streams; k++, p += OCT_CODEC_STREAM_ENTRY) {
    const oct_buffer *packed = &s->streams[k].packed;
    oct_put_u64(p, s->raw[k].n_bytes);
    oct_put_u64(p + 8, packed->n_bytes);
    oct_put_u64(p + 16, XXH64(packed->bytes, packed->n_bytes, 0));
    oct_put_u64(p + 24, w->stored[k]);
    w->stored[k] += packed->n_bytes;
    w->totals.packed_bytes[s->streams[k].channel] += packed->n_bytes;
  }
  table.n_bytes = (size_t)(p - table.bytes);
  error = emit_table(w, table.bytes, table.n_bytes, diag);
  w->totals.segments++;
  for (unsigned k = 0; !error && k < w->n_streams; k++)
    error = emit_stream(w, k, &s->streams[k].packed, diag);
  oct_buffer_free(&table);
  for (unsigned k = 0; k < w->n_streams; k++) s->raw[k].n_bytes = 0;
  memset(s->records, 0, sizeof s->records);
  return error;
}

/* At the first segment of a group, take the counts of the encoder before, and make one. */
static int renew_encoder(oct_codec_writer *w, unsigned c, oct_diag *diag) {
  write_channel *channel = &w->channels[c];
  const oct_codec *codec = channel->settings.codec;
  oct_codec_stat stats[STATS_MAX];
  if (channel->group == w->n_cut / channel->settings.group) return 0;
  unsigned n = codec->stats ? codec->stats(channel->encoder, stats, STATS_MAX) : 0;
  if (n > STATS_MAX) n = STATS_MAX;
  for (unsigned i = 0; i < n; i++) {
    channel->stats[i].value += stats[i].value;
    channel->stats[i].of += stats[i].of;
  }
  channel->n_stats = n;
  codec->encoder_free(channel->encoder);
  channel->encoder = NULL;
  channel->group = w->n_cut / channel->settings.group;
  return codec->encoder_new(&channel->settings, &w->head.channels[c].layout, &channel->encoder,
                            diag);
}

int oct_codec_writer_cut(oct_codec_writer *w, oct_diag *diag) {
  write_segment *s = &w->segments[w->current];
  int error = 0;
  for (unsigned c = 0; !error && c < w->head.n_channels; c++) {
    write_channel *channel = &w->channels[c];
    error = renew_encoder(w, c, diag);
    if (!error && channel->settings.codec->encode_end)
      error = channel->settings.codec->encode_end(channel->encoder, s->raw + channel->first_stream,
                                                  diag);
  }
  if (!error) error = drain(w, &w->segments[!w->current], diag);
  if (error) return error;
  for (unsigned k = 0; k < w->n_streams; k++)
    if (oct_jobs_add(w->jobs, pack, &s->streams[k])) return no_memory(diag);
  s->busy = true;
  w->n_cut++;
  w->segment_bytes = 0;
  if (!w->n_threads) return drain(w, s, diag);
  w->current = !w->current;
  return 0;
}

bool oct_codec_writer_full(const oct_codec_writer *w) {
  return w->segment_bytes >= w->head.settings.segment_bytes;
}

bool oct_codec_writer_is_group(const oct_codec_writer *w) {
  return w->n_cut % w->head.settings.group == 0;
}

int oct_codec_writer_mark(oct_codec_writer *w, oct_diag *diag) {
  return oct_codec_writer_full(w) ? oct_codec_writer_cut(w, diag) : 0;
}

int oct_codec_writer_put(oct_codec_writer *w, unsigned c, const void *records, size_t n_records,
                         oct_diag *diag) {
  write_channel *channel = &w->channels[c];
  const uint8_t *p = records;
  while (n_records) {
    write_segment *s = &w->segments[w->current];
    size_t n = n_records;
    if (w->head.n_channels == 1) {
      uint64_t left = w->head.settings.segment_bytes - w->segment_bytes;
      uint64_t room = (left + channel->record_bytes - 1) / channel->record_bytes;
      if (room < n) n = (size_t)room;
    }
    size_t n_bytes = n * channel->record_bytes;
    int error = renew_encoder(w, c, diag);
    if (error) return error;
    error = channel->settings.codec->encode(channel->encoder, p, n, s->raw + channel->first_stream,
                                            diag);
    if (error) return error;
    XXH64_update(channel->hash, p, n_bytes);
    s->records[c] += n;
    w->segment_bytes += n_bytes;
    w->totals.records[c] += n;
    w->totals.raw_bytes[c] += n_bytes;
    p += n_bytes;
    n_records -= n;
    if (w->head.n_channels == 1) error = oct_codec_writer_mark(w, diag);
    if (error) return error;
  }
  return 0;
}

int oct_codec_writer_finish(oct_codec_writer *w, oct_diag *diag) {
  uint8_t end[OCT_CODEC_BLOCK_HEAD + 16 * OCT_CHANNELS_MAX], *p;
  int error = w->segment_bytes ? oct_codec_writer_cut(w, diag) : 0;
  if (!error) error = drain(w, &w->segments[!w->current], diag);
  if (!error) error = drain(w, &w->segments[w->current], diag);
  if (error) return error;
  p = store_block_head(w, end, OCT_CODEC_END);
  for (unsigned c = 0; c < w->head.n_channels; c++, p += 16) {
    oct_put_u64(p, w->totals.records[c]);
    oct_put_u64(p + 8, XXH64_digest(w->channels[c].hash));
  }
  return emit_table(w, end, (size_t)(p - end), diag);
}

const oct_codec_totals *oct_codec_writer_totals(const oct_codec_writer *w) {
  return &w->totals;
}

unsigned oct_codec_writer_stats(const oct_codec_writer *w, unsigned c, oct_codec_stat *stats,
                                unsigned max) {
  const write_channel *channel = &w->channels[c];
  const oct_codec *codec = channel->settings.codec;
  unsigned n = codec->stats ? codec->stats(channel->encoder, stats, max) : 0;
  for (unsigned i = 0; i < n && i < max && i < channel->n_stats; i++) {
    stats[i].value += channel->stats[i].value;
    stats[i].of += channel->stats[i].of;
  }
  return n;
}
