/* SPDX-License-Identifier: Apache-2.0 */
/* test_shadow_loss.c - a segment of the codec `shadow` whose port stream reports a loss is
 * refused, whatever its checksums say: nothing of it counts as the trace, and what follows it
 * comes. */
#include "codec_util.h"
#include "../port/tracer_util.h"
#include "oct_trace_channels.h"

enum { INSNS = 12000 };

static void make_file(const test_trace *x, const oct_codec_settings *s, memory_file *m) {
  const oct_trace_info info = {.isa = x->isa,
                               .origin = "",
                               .command = "",
                               .addr_bits = x->addr_bits,
                               .insn_align_bytes = x->align_bytes};
  const oct_sink sink = {memory_write, m};
  const oct_batch b = {x->insns, x->n_insns, x->accesses, x->n_accesses, NULL, 0, NULL,
                       0,        NULL,       0,           NULL,          0};
  oct_trace_split *split;
  oct_diag diag = {0};
  if (oct_trace_split_new(s, &info, &sink, 0, false, &split, &diag) ||
      oct_trace_split_put(split, &b, x->updates, x->n_updates, &diag) ||
      oct_trace_split_finish(split, &diag))
    fail_msg("%s", oct_diag_line(&diag).text);
  oct_trace_split_free(split);
}

/* The trace through a port so narrow that instructions are lost. */
static test_stream lossy_stream(const test_trace *x, memory_file *file) {
  const oct_source_bytes source = {memory_read, file};
  oct_codec_reader *r;
  const oct_tracer *t = oct_tracer_find("shadow");
  const oct_run_options run = {.engine = OCT_ENGINE_CYCLE, .cpi_milli = 1000};
  uint32_t params[OCT_TRACER_PARAMS_MAX];
  test_stream stream = {NULL, 0, {0}};
  oct_diag diag = {0};
  oct_tracer_defaults(t, params);
  if (oct_codec_reader_new(&source, 0, &r, &diag)) fail_msg("%s", oct_diag_line(&diag).text);
  const char *machine = oct_codec_reader_head(r)->settings.option_text;
  if (oct_tracer_parse(t, machine, params, NULL, &diag) ||
      oct_tracer_parse(t, "queue_words=16,port_pins=1", params, NULL, &diag) ||
      encode(t, params, &run, x, &stream, &diag))
    fail_msg("%s", oct_diag_line(&diag).text);
  oct_codec_reader_free(r);
  return stream;
}

/* Copy a file segment by segment; number `lossy` gets the stream. How many segments there are. */
static unsigned copy_file(memory_file *from, memory_file *to, unsigned lossy,
                          const test_stream *stream) {
  const oct_source_bytes source = {memory_read, from};
  const oct_sink sink = {memory_write, to};
  oct_codec_reader *r;
  oct_codec_writer *w;
  oct_diag diag = {0};
  unsigned n_segments = 0;
  uint8_t first;
  from->at = 0;
  if (oct_codec_reader_new(&source, 0, &r, &diag) ||
      oct_codec_writer_new(oct_codec_reader_head(r), &sink, 0, &w, &diag))
    fail_msg("%s", oct_diag_line(&diag).text);
  while (oct_codec_reader_get(r, OCT_CHANNEL_EVENT, &first, 1, &diag) == 1) {
    for (unsigned c = 0; c < OCT_TRACE_CHANNELS; c++) {
      size_t n = (size_t)oct_codec_reader_left(r, c);
      uint8_t *bytes = malloc(n + 1);
      assert_non_null(bytes);
      if (n) assert_int_equal(oct_codec_reader_get(r, c, bytes, n, &diag), n);
      if (c == OCT_CHANNEL_EVENT) assert_int_equal(oct_codec_writer_put(w, c, &first, 1, &diag), 0);
      bool is_lossy = c == OCT_CHANNEL_FLOW && n_segments == lossy;
      assert_int_equal(oct_codec_writer_put(w, c, is_lossy ? stream->bytes : bytes,
                                            is_lossy ? stream->n_bytes : n, &diag),
                       0);
      free(bytes);
    }
    n_segments++;
    assert_int_equal(oct_codec_writer_cut(w, &diag), 0);
  }
  if (oct_codec_writer_finish(w, &diag)) fail_msg("%s", oct_diag_line(&diag).text);
  oct_codec_writer_free(w);
  oct_codec_reader_free(r);
  return n_segments;
}

/* Read with salvage: all that comes is the trace. How many instructions come; *why: the error. */
static uint64_t salvage(memory_file *m, unsigned n_threads, const test_trace *x, oct_diag *why) {
  const oct_source_bytes source = {memory_read, m};
  oct_codec_reader *r;
  oct_trace_join *join;
  oct_batch b;
  oct_diag diag = {0};
  uint64_t next = 0, n = 0;
  int got;
  m->at = 0;
  if (oct_codec_reader_new(&source, n_threads, &r, &diag) || oct_trace_join_new(r, &join, &diag))
    fail_msg("%s", oct_diag_line(&diag).text);
  while ((got = oct_trace_join_next(join, &b, &diag)) != 0) {
    if (got < 0) {
      *why = diag;
      if (oct_trace_join_resync(join, &next, &diag) != 1) break;
      continue;
    }
    assert_true(next + b.n_insns <= x->n_insns);
    for (size_t i = 0; i < b.n_insns; i++) assert_true(b.insns[i].addr == x->insns[next + i].addr);
    next += b.n_insns;
    n += b.n_insns;
  }
  oct_trace_join_free(join);
  oct_codec_reader_free(r);
  return n;
}

static void test_loss(void **state) {
  (void)state;
  const oct_codec_settings s = settings_of("shadow:items=4000");
  test_trace x = load_test_trace(TEST_SAMPLES "/threads.oct", INSNS);
  memory_file file = {{0}, 0}, same = {{0}, 0};
  oct_diag why = {0};
  make_file(&x, &s, &file);
  test_stream stream = lossy_stream(&x, &file);
  unsigned n_segments = copy_file(&file, &same, UINT32_MAX, &stream);
  assert_true(n_segments >= 3);
  for (unsigned n_threads = 0; n_threads < 3; n_threads++) {
    assert_int_equal(salvage(&same, n_threads, &x, &why), INSNS);
    assert_int_equal(why.error, 0);
    memory_file lossy = {{0}, 0};
    copy_file(&file, &lossy, 0, &stream);
    uint64_t n = salvage(&lossy, n_threads, &x, &why);
    if (!strstr(oct_diag_line(&why).text, "reports a loss"))
      fail_msg("%s", oct_diag_line(&why).text);
    assert_true(n > INSNS / 2 && n < INSNS);
    why = (oct_diag){0};
    oct_buffer_free(&lossy.bytes);
  }
  oct_buffer_free(&file.bytes);
  oct_buffer_free(&same.bytes);
  free(stream.bytes);
  free_test_trace(&x);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_loss)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
