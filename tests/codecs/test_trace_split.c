/* SPDX-License-Identifier: Apache-2.0 */
/* test_trace_split.c - does a trace come back from its channels event by event, whatever is in it?
 */
#include "trace_codec.h"
#include "oct_batch_rules.h"
#include "octrace/codec.h"

static void check(const trace *t, const oct_codec_settings *s, uint32_t align) {
  memory_file file = {{0}, 0};
  trace back;
  oct_diag diag = {0};
  split_trace(t, s, align, &file);
  if (join_trace(&file, &back, &diag))
    fail_msg("%s: %s", s->codec->name, oct_diag_line(&diag).text);
  assert_part(t, 0, t->n_insns, &back);
  assert_traps(t, 0, t->n_insns, 1, &back);
  trace_free(&back);
  oct_buffer_free(&file.bytes);
}

/* Tasks, stamps that come and go, 64-bit jumps, all sizes and counts; every lossless codec, with
 * segments so small that many are cut. */
static void test_random_traces(void **state) {
  (void)state;
  seed_random("random traces");
  for (unsigned i = 0; oct_codec_at(i); i++) {
    oct_codec_settings s;
    oct_codec_defaults(oct_codec_at(i), &s);
    if (!s.codec->lossless) continue;
    s.stage = OCT_GENERAL_ZSTD;
    s.level = 1;
    for (int turn = 0; turn < 4; turn++) {
      if (is_left_out()) continue;
      static const size_t sizes[] = {0, 1, 3000, 20000};
      s.segment_bytes = turn == 2 ? 1000 : 100000;
      trace t = random_trace(sizes[turn], 1 + (size_t)turn * 13);
      if (sizes[turn]) add_random_traps(&t);
      for (size_t k = 0; k < t.n_insns; k++)
        if (!(t.insns[k].flags & OCT_INSN_HAS_CYCLE)) t.insns[k].cycle = 0;
      for (n_threads = 0; n_threads < 3; n_threads++) check(&t, &s, 1);
      n_threads = 1;
      trace_free(&t);
    }
  }
}

static void assert_entries(const trace *want, const trace *got) {
  assert_int_equal(got->n_map, want->n_map);
  for (size_t i = 0; i < want->n_map; i++)
    if (memcmp(&want->map[i], &got->map[i], sizeof *got->map)) fail_msg("map entry %zu differs", i);
}

/* A trace of a random program in batches to a codec file, and back. */
static void check_program(const oct_codec_settings *s, uint32_t align, size_t n_batches,
                          int storm) {
  const oct_trace_info info = {
      .isa = "", .origin = "", .command = "", .addr_bits = 64, .insn_align_bytes = align};
  memory_file file = {{0}, 0};
  const oct_sink sink = {memory_write, &file};
  oct_map_tracker *tracker = oct_map_tracker_new();
  oct_trace_split *split;
  oct_diag diag = {0};
  trace all = {0}, back;
  static random_program program;
  random_program_init(&program, align);
  if (storm) random_program_storm(&program);
  if (oct_trace_split_new(s, &info, &sink, n_threads, false, &split, &diag))
    fail_msg("%s", oct_diag_line(&diag).text);
  for (size_t i = 0; i < n_batches; i++) {
    const oct_map_update *updates;
    trace t = random_program_run(&program, storm ? 40 : below(400));
    oct_batch b = batch_of(&t);
    append_traps(&all, all.n_insns, t.traps, t.n_traps);
    all.insns = append(all.insns, &all.n_insns, t.insns, t.n_insns, sizeof *t.insns);
    all.accesses =
        append(all.accesses, &all.n_accesses, t.accesses, t.n_accesses, sizeof *t.accesses);
    int64_t n = oct_map_track(tracker, &b, t.insns, &updates);
    if (n < 0) fail_msg("%s at batch %zu", oct_error_name((int)n), i);
    for (int64_t k = 0; k < n; k++)
      all.map = append(all.map, &all.n_map, &updates[k].entry, 1, sizeof *all.map);
    if (oct_trace_split_put(split, &b, updates, (size_t)n, &diag))
      fail_msg("%s", oct_diag_line(&diag).text);
    trace_free(&t);
  }
  if (oct_trace_split_finish(split, &diag)) fail_msg("%s", oct_diag_line(&diag).text);
  oct_trace_split_free(split);
  oct_map_tracker_free(tracker);
  if (join_trace(&file, &back, &diag))
    fail_msg("%s: %s", s->codec->name, oct_diag_line(&diag).text);
  assert_part(&all, 0, all.n_insns, &back);
  assert_traps(&all, 0, all.n_insns, 1, &back);
  assert_entries(&all, &back);
  trace_free(&back);
  trace_free(&all);
  oct_buffer_free(&file.bytes);
}

/* Programs that reach every rule of the formats, through every lossless codec. */
static void test_random_programs(void **state) {
  (void)state;
  seed_random("random programs");
  for (unsigned i = 0; oct_codec_at(i); i++) {
    oct_codec_settings s;
    oct_codec_defaults(oct_codec_at(i), &s);
    if (!s.codec->lossless) continue;
    s.stage = OCT_GENERAL_ZSTD;
    s.level = 1;
    for (unsigned log2_align = 0; log2_align < 4; log2_align++) {
      if (is_left_out()) continue;
      s.segment_bytes = log2_align == 1 ? 20000 : 1000000;
      n_threads = log2_align;
      check_program(&s, 1u << log2_align, 12, 0);
    }
    for (n_threads = 0; n_threads < 2; n_threads++) check_program(&s, 1, 6, 1);
    n_threads = 1;
  }
}

/* A lossy codec has the addresses of data alone: all else is as it was, over segments too. */
static void test_lossy_data(void **state) {
  (void)state;
  seed_random("lossy data");
  for (int turn = 0; turn < 3; turn++) {
    if (is_left_out()) continue;
    oct_codec_settings s = settings_of("atc-lossy:stage=zstd,interval=500,threshold=2000");
    memory_file file = {{0}, 0};
    oct_diag diag = {0};
    size_t n_changed = 0;
    trace t = random_trace(10000, 4), back;
    if (turn) s.segment_bytes = turn == 1 ? 20000 : 200000;
    for (size_t k = 0; k < t.n_insns; k++)
      if (!(t.insns[k].flags & OCT_INSN_HAS_CYCLE)) t.insns[k].cycle = 0;
    split_trace(&t, &s, 1, &file);
    if (join_trace(&file, &back, &diag)) fail_msg("%s", oct_diag_line(&diag).text);
    assert_int_equal(back.n_accesses, t.n_accesses);
    for (size_t k = 0; k < t.n_accesses; k++) {
      n_changed += back.accesses[k].addr != t.accesses[k].addr;
      back.accesses[k].addr = t.accesses[k].addr;
    }
    assert_true(n_changed > t.n_accesses / 2);
    assert_part(&t, 0, t.n_insns, &back);
    trace_free(&back);
    trace_free(&t);
    oct_buffer_free(&file.bytes);
  }
}

/* Segments are cut as they fill up, but for what is being gathered (below 300 kB): memory is
 * bounded. */
static void test_segments(void **state) {
  (void)state;
  seed_random("segments");
  oct_codec_settings s = settings_of("plain:stage=none");
  memory_file file = {{0}, 0};
  trace t = random_trace(40000, 16), back;
  for (size_t k = 0; k < t.n_insns; k++)
    if (!(t.insns[k].flags & OCT_INSN_HAS_CYCLE)) t.insns[k].cycle = 0;
  oct_diag diag = {0};
  s.segment_bytes = 10000;
  uint64_t segments = split_trace(&t, &s, 1, &file);
  assert_true(segments >= 12 * t.n_accesses / 310000);
  assert_true(segments >= 3);
  if (join_trace(&file, &back, &diag)) fail_msg("%s", oct_diag_line(&diag).text);
  assert_part(&t, 0, t.n_insns, &back);
  trace_free(&back);
  trace_free(&t);
  oct_buffer_free(&file.bytes);
}

/* A trace that jumps between its upper halves, of aligned instructions. */
static void test_high_halves(void **state) {
  (void)state;
  oct_codec_settings s = settings_of("vpc3:stage=none");
  trace t = trace_new(1000, 1000);
  for (size_t i = 0; i < 1000; i++) {
    t.insns[i] = (oct_insn){
        .addr = (i % 5) * UINT64_C(0x123456789ABC) * 8 + 8 * i, .size_bytes = 8, .n_access = 1};
    t.accesses[i] = (oct_access){.addr = ~(uint64_t)i, .size_bytes = 8, .is_store = 1};
  }
  t.n_insns = t.n_accesses = 1000;
  check(&t, &s, 8);
  trace_free(&t);
}

static void test_misaligned(void **state) {
  (void)state;
  const oct_trace_info info = {
      .isa = "", .origin = "", .command = "", .addr_bits = 32, .insn_align_bytes = 4};
  oct_codec_settings s = settings_of("vpc3:stage=none");
  memory_file m = {{0}, 0};
  const oct_sink sink = {memory_write, &m};
  const oct_insn insn = {.addr = 0x8002, .size_bytes = 4};
  const oct_batch batch = {.insns = &insn, .n_insns = 1};
  const oct_map_update update = {0, {.addr = 0x8002, .size_bytes = 4}};
  oct_trace_split *split;
  oct_diag diag = {0};
  assert_int_equal(oct_trace_split_new(&s, &info, &sink, 0, false, &split, &diag), 0);
  assert_int_equal(oct_trace_split_put(split, &batch, &update, 1, &diag), OCT_ERR_ARG);
  assert_non_null(strstr(oct_diag_line(&diag).text, "0x8002"));
  oct_trace_split_free(split);
  assert_int_equal(oct_trace_split_new(&s, &info, &sink, 0, false, &split, &diag), 0);
  assert_int_equal(oct_trace_split_put(split, &batch, NULL, 0, &diag), OCT_ERR_ARG);
  oct_trace_split_free(split);
  oct_buffer_free(&m.bytes);
}

/* A batch that is plain keeps the rules, and leaves them as a look at each instruction does. */
static void test_plain_batches(void **state) {
  (void)state;
  enum { TURNS = 4000, MOST = 4 };
  unsigned n_plain = 0;
  seed_random("plain batches");
  for (unsigned turn = 0; turn < TURNS; turn++) {
    oct_batch_rules seen = {.addr_bits = turn % 2 ? 32 : 64,
                            .insn_align_bytes = turn % 3 * 2,
                            .stamps = {.cycle = 5, .task = turn % 5 == 0, .has_cycle = 1}};
    oct_batch_rules each = seen;
    oct_insn insns[MOST];
    oct_access accesses[MOST];
    const oct_trap trap = {.kind = OCT_TRAP_PRIVILEGE};
    oct_batch batch = {.insns = insns,
                       .n_insns = below(MOST + 1),
                       .accesses = accesses,
                       .traps = &trap,
                       .n_traps = below(16) == 0};
    for (size_t i = 0; i < batch.n_insns; i++) {
      insns[i] = (oct_insn){.addr = below(16) ? 4 * below(100) : random_magnitude(),
                            .task = below(16) == 0,
                            .cycle = below(8),
                            .flags = below(16) ? 0 : OCT_INSN_HAS_CYCLE,
                            .size_bytes = 4,
                            .n_access = (uint16_t)below(2)};
      if (insns[i].n_access)
        accesses[batch.n_accesses++] =
            (oct_access){.addr = below(16) ? below(100) : random_magnitude(), .size_bytes = 1};
    }
    oct_diag diag = {0};
    size_t n_good;
    if (oct_batch_is_plain(&seen, &batch)) {
      n_plain++;
      assert_int_equal(oct_batch_check(&each, &batch, 0, &n_good, &diag), 0);
    }
    assert_int_equal(seen.stamps.cycle, each.stamps.cycle);
    assert_int_equal(seen.stamps.task, each.stamps.task);
    assert_int_equal(seen.stamps.has_cycle, each.stamps.has_cycle);
  }
  assert_in_range(n_plain, TURNS / 4, TURNS * 9 / 10);
}

/* A codec of bytes alone has no place for a trace. */
static void test_codec_without_place(void **state) {
  (void)state;
  const oct_trace_info info = {
      .isa = "", .origin = "", .command = "", .addr_bits = 32, .insn_align_bytes = 4};
  oct_codec_settings s = settings_of("vpc:spec=16: L1=1, L2=64: FCM1[1]");
  const oct_sink sink = {memory_write, NULL};
  oct_trace_split *split;
  oct_diag diag = {0};
  assert_int_equal(oct_trace_split_new(&s, &info, &sink, 0, false, &split, &diag), OCT_ERR_CONFIG);
  assert_non_null(strstr(oct_diag_line(&diag).text, "vpc"));
}

/* The same head and records, with n bytes of channel number `only` (or of any, if there is none of
 * that number) changed before they are checksummed. */
static void change_channels(memory_file *file, unsigned only, uint64_t n, memory_file *changed) {
  const oct_source_bytes source = {memory_read, file};
  const oct_sink sink = {memory_write, changed};
  oct_codec_reader *r;
  oct_codec_writer *w;
  oct_diag diag = {0};
  file->at = 0;
  assert_int_equal(oct_codec_reader_new(&source, 0, &r, &diag), 0);
  const oct_codec_head *head = oct_codec_reader_head(r);
  assert_int_equal(oct_codec_writer_new(head, &sink, 0, &w, &diag), 0);
  for (unsigned c = 0; c < head->n_channels; c++) {
    static uint8_t bytes[1 << 18];
    size_t record_bytes = oct_layout_bytes(&head->channels[c].layout);
    if (c && !oct_codec_reader_left(r, c)) continue; /* the first brings all others */
    int64_t got = oct_codec_reader_get(r, c, bytes, sizeof bytes / record_bytes, &diag);
    assert_true(got > 0);
    bool is_chosen = only == c || only >= head->n_channels;
    for (uint64_t k = is_chosen ? n : 0; k > 0; k--) {
      uint64_t at = below((uint64_t)got * record_bytes);
      bytes[at] ^= (uint8_t)(1 + below(255));
    }
    assert_true(got < (int64_t)(sizeof bytes / record_bytes));
    assert_int_equal(oct_codec_writer_put(w, c, bytes, (size_t)got, &diag), 0);
  }
  assert_int_equal(oct_codec_writer_finish(w, &diag), 0);
  oct_codec_writer_free(w);
  oct_codec_reader_free(r);
}

/* Whatever the bytes of the channels are, joining ends. */
static void test_channels_that_lie(void **state) {
  static const char *const codecs[] = {"plain:stage=none", "shadow:stage=none"};
  (void)state;
  seed_random("channels that lie");
  for (int turn = 0; turn < 400; turn++) {
    if (is_left_out()) continue;
    oct_codec_settings s = settings_of(codecs[turn & 1]);
    memory_file file = {{0}, 0}, changed = {{0}, 0};
    oct_diag diag = {0};
    trace t = random_trace(400, 3), back;
    n_threads = turn >> 1 & 1;
    split_trace(&t, &s, 1, &file);
    unsigned channel = (unsigned)below(2 * OCT_CHANNELS_MAX);
    change_channels(&file, channel, below(3), &changed);
    int result = join_trace(&changed, &back, &diag);
    if (result < 0) assert_true(diag.text[0]);
    trace_free(&back);
    trace_free(&t);
    oct_buffer_free(&changed.bytes);
    oct_buffer_free(&file.bytes);
  }
}

/* The codec shadow: a program map with another checksum is refused, and damage in the port stream
 * is found, even if all checksums of the file are right. The task of the stream's last mark alone
 * is in no check, as nothing follows it: the trace is the same then. */
static void test_shadow_refuses(void **state) {
  enum { PORT_STREAM = 0, MAP_CHECKSUM = 2 };
  (void)state;
  seed_random("shadow refuses");
  for (int turn = 0; turn < 20; turn++) {
    if (is_left_out()) continue;
    oct_codec_settings s = settings_of("shadow:stage=none");
    memory_file file = {{0}, 0}, changed = {{0}, 0};
    oct_diag diag = {0};
    trace t = random_trace(400, 3), back;
    n_threads = turn >> 1 & 1;
    split_trace(&t, &s, 1, &file);
    change_channels(&file, turn & 1 ? MAP_CHECKSUM : PORT_STREAM, 1, &changed);
    int result = join_trace(&changed, &back, &diag);
    if (turn & 1 && result != OCT_ERR_UNSUPPORTED) fail_msg("%s", oct_diag_line(&diag).text);
    if (turn & 1) assert_non_null(strstr(oct_diag_line(&diag).text, "another version of octrace"));
    if (!result) {
      for (size_t k = 0; k < t.n_insns; k++)
        if (!(t.insns[k].flags & OCT_INSN_HAS_CYCLE)) t.insns[k].cycle = 0;
      assert_part(&t, 0, t.n_insns, &back);
    }
    trace_free(&back);
    trace_free(&t);
    oct_buffer_free(&changed.bytes);
    oct_buffer_free(&file.bytes);
  }
}

static void test_hash(void **state) {
  (void)state;
  seed_random("hash");
  trace t = random_trace(500, 4);
  add_random_traps(&t);
  const oct_batch all = batch_of(&t);
  oct_event_hash *a = oct_event_hash_new(OCT_HASH_STAMPS | OCT_HASH_TRAPS),
                 *b = oct_event_hash_new(OCT_HASH_STAMPS | OCT_HASH_TRAPS),
                 *c = oct_event_hash_new(OCT_HASH_TRAPS);
  oct_event_hash_put(a, &all);
  size_t access = 0;
  for (size_t i = 0; i < 500; access += t.insns[i].n_access, i++) {
    oct_batch one = {.insns = &t.insns[i], .n_insns = 1, .accesses = t.accesses + access};
    oct_trap *own = take_traps(&t, i, 1, &one);
    oct_event_hash_put(b, &one);
    free(own);
  }
  assert_true(oct_event_hash_value(a) == oct_event_hash_value(b));
  t.insns[17].flags ^= OCT_INSN_HAS_CYCLE;
  oct_event_hash_put(c, &all);
  uint64_t without = oct_event_hash_value(c);
  assert_true(without != oct_event_hash_value(a));
  oct_event_hash_free(c);
  c = oct_event_hash_new(OCT_HASH_TRAPS);
  t.insns[17].flags ^= OCT_INSN_HAS_CYCLE;
  oct_event_hash_put(c, &all);
  assert_true(without == oct_event_hash_value(c));
  oct_event_hash_free(a);
  oct_event_hash_free(b);
  oct_event_hash_free(c);
  trace_free(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random_traces),
      cmocka_unit_test(test_random_programs),
      cmocka_unit_test(test_lossy_data),
      cmocka_unit_test(test_segments),
      cmocka_unit_test(test_high_halves),
      cmocka_unit_test(test_misaligned),
      cmocka_unit_test(test_plain_batches),
      cmocka_unit_test(test_codec_without_place),
      cmocka_unit_test(test_channels_that_lie),
      cmocka_unit_test(test_shadow_refuses),
      cmocka_unit_test(test_hash),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
