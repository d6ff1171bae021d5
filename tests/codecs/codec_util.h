/* SPDX-License-Identifier: Apache-2.0 */
/* codec_util.h - what the tests of codecs/ share: codec files in memory, and records to put in. */
#ifndef OCT_CODEC_UTIL_H
#define OCT_CODEC_UTIL_H

#include "../traces/test_util.h"
#include "octrace/codec.h"

/* Bytes in memory as sink and source. */
typedef struct memory_file {
  oct_buffer bytes;
  size_t at;
} memory_file;

static inline int memory_write(void *context, const void *bytes, size_t n, oct_diag *diag) {
  memory_file *m = context;
  return oct_buffer_put(&m->bytes, bytes, n) ? oct_fail(diag, OCT_ERR_NOMEM, "out of memory") : 0;
}

static inline int64_t memory_read(void *context, void *bytes, size_t n, oct_diag *diag) {
  memory_file *m = context;
  size_t left = m->bytes.n_bytes - m->at;
  (void)diag;
  if (n > left) n = left;
  if (n) memcpy(bytes, m->bytes.bytes + m->at, n);
  m->at += n;
  return (int64_t)n;
}

static inline oct_codec_settings settings_of(const char *text) {
  oct_codec_settings s;
  oct_diag diag = {0};
  if (oct_codec_parse(text, &s, &diag)) fail_msg("%s: %s", text, oct_diag_line(&diag).text);
  return s;
}

/* The layout a codec takes; (PC, ED) where it takes any. */
static inline oct_layout layout_of(const oct_codec_settings *s) {
  oct_layout layout = oct_layout_pc_ed;
  if (s->codec->takes == OCT_TAKES_ADDR64) layout = oct_layout_addr64;
  if (s->codec->takes == OCT_TAKES_SPEC) assert_int_equal(s->codec->layout(s, &layout, NULL), 0);
  return layout;
}

/* Records of this layout to a file in memory, put in unequal pieces. */
static inline void pack_layout(const oct_codec_settings *s, const oct_layout *layout,
                               const uint8_t *records, size_t n, unsigned n_threads,
                               memory_file *m) {
  static oct_codec_head head;
  oct_codec_writer *w;
  oct_diag diag = {0};
  const oct_sink sink = {memory_write, m};
  memset(&head, 0, sizeof head);
  head.settings = *s;
  head.n_channels = 1;
  head.channels[0].layout = *layout;
  strcpy(head.channels[0].name, "records");
  size_t record_bytes = oct_layout_bytes(&head.channels[0].layout);
  if (oct_codec_writer_new(&head, &sink, n_threads, &w, &diag))
    fail_msg("%s", oct_diag_line(&diag).text);
  for (size_t i = 0, step = 1; i < n; i += step, step = step * 3 % 10007) {
    if (step > n - i) step = n - i;
    if (oct_codec_writer_put(w, 0, records + i * record_bytes, step, &diag))
      fail_msg("%s", oct_diag_line(&diag).text);
  }
  if (oct_codec_writer_finish(w, &diag)) fail_msg("%s", oct_diag_line(&diag).text);
  oct_codec_writer_free(w);
}

static inline void pack_records(const oct_codec_settings *s, const uint8_t *records, size_t n,
                                unsigned n_threads, memory_file *m) {
  const oct_layout layout = layout_of(s);
  pack_layout(s, &layout, records, n, n_threads, m);
}

/* Read a whole file in memory; the result of the last call. *records holds what came. */
static inline int64_t unpack_records(memory_file *m, unsigned n_threads, oct_buffer *records,
                                     oct_diag *diag) {
  const oct_source_bytes source = {memory_read, m};
  oct_codec_reader *r;
  m->at = 0;
  int64_t got = oct_codec_reader_new(&source, n_threads, &r, diag);
  if (got) return got;
  size_t record_bytes = oct_layout_bytes(&oct_codec_reader_head(r)->channels[0].layout);
  size_t max = 1;
  do {
    uint8_t *p = oct_buffer_room(records, max * record_bytes);
    assert_non_null(p);
    got = oct_codec_reader_get(r, 0, p, max, diag);
    if (got > 0) records->n_bytes += (size_t)got * record_bytes;
    max = max * 5 % 9973;
  } while (got > 0);
  oct_codec_reader_free(r);
  return got;
}

/* Kinds of records that tests use. */
enum { RECORDS_RANDOM, RECORDS_LOOP, RECORDS_EQUAL, RECORDS_EXTREME, RECORDS_KINDS };

static inline uint8_t *make_records(int kind, size_t n, size_t record_bytes) {
  uint8_t *p = malloc(n * record_bytes + 1);
  assert_non_null(p);
  for (size_t i = 0; i < n; i++)
    for (size_t b = 0; b < record_bytes; b++) {
      uint8_t *byte = &p[i * record_bytes + b];
      if (kind == RECORDS_RANDOM) *byte = (uint8_t)random_u64();
      if (kind == RECORDS_LOOP) *byte = (uint8_t)(b == 0 ? i % 7 : b == 5 ? i / 7 : 0);
      if (kind == RECORDS_EQUAL) *byte = 0;
      if (kind == RECORDS_EXTREME) *byte = (uint8_t)(i % 3 ? 0xff : b & 1 ? 0x80 : 0x7f);
    }
  return p;
}

#endif
