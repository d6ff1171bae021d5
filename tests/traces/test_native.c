/* SPDX-License-Identifier: Apache-2.0 */
/* test_native.c - does the native format give back what was written, from any place, and is all
 * damage found? */
#include "random_program.h"

#include "octrace/feed.h"

static void test_round_trip(void **state) {
  static const uint32_t blocks[] = {0, 1, 7, 1000};
  (void)state;
  seed_random("round trip");
  for (size_t i = 0; i < 4; i++) {
    if (is_left_out()) continue;
    trace t = random_trace(blocks[i] == 1 ? 300 : 150000, 20), got;
    oct_trace_info info = {
        .isa = "x", .origin = "o: p", .command = "a\nb", .addr_bits = 64, .insn_align_bytes = 2};
    oct_write_options options = {.level = i == 3 ? 19 : 0, .block_insns = blocks[i], .info = &info};
    oct_diag diag = {0};
    oct_reader *r;
    const char *path = scratch("round.oct");
    add_random_traps(&t);
    for (size_t k = 0; k < t.n_insns; k++) t.insns[k].addr &= ~UINT64_C(1);
    write_trace(path, &t, &options);
    assert_int_equal(oct_reader_open(path, NULL, &r, &diag), 0);
    assert_string_equal(oct_reader_info(r)->isa, "x");
    assert_string_equal(oct_reader_info(r)->origin, "o: p");
    assert_string_equal(oct_reader_info(r)->command, "a b");
    assert_int_equal(oct_reader_info(r)->insn_align_bytes, 2);
    assert_int_equal(oct_reader_info(r)->n_insns, t.n_insns);
    assert_int_equal(oct_reader_info(r)->n_accesses, t.n_accesses);
    memset(&got, 0, sizeof got);
    assert_int_equal(drain(r, &got, &diag), 0);
    oct_reader_close(r);
    assert_part(&t, 0, t.n_insns, &got);
    assert_traps(&t, 0, t.n_insns, 1, &got);
    trace_free(&t);
    trace_free(&got);
    unlink(path);
  }
}

/* Programs that reach every rule of the formats, with their map entries. */
static void test_random_programs(void **state) {
  const char *path = scratch("program.oct");
  (void)state;
  seed_random("random programs");
  for (uint32_t align_bytes = 1; align_bytes <= 8; align_bytes *= 2) {
    static random_program program;
    oct_trace_info info = {.addr_bits = 64, .insn_align_bytes = align_bytes};
    oct_write_options options = {.info = &info, .block_insns = 1 + (uint32_t)below(1000)};
    trace all = {0}, got;
    oct_writer *w;
    oct_diag diag = {0};
    random_program_init(&program, align_bytes);
    if (align_bytes == 1) random_program_storm(&program);
    if (oct_writer_open(path, &options, &w, &diag)) fail_msg("%s", oct_diag_line(&diag).text);
    for (int i = 0; i < 15; i++) {
      if (is_left_out()) continue;
      trace t = random_program_run(&program, below(align_bytes == 1 ? 60 : 400));
      oct_batch b = batch_of(&t);
      if (oct_writer_put(w, &b, &diag)) fail_msg("%s", oct_diag_line(&diag).text);
      append_traps(&all, all.n_insns, t.traps, t.n_traps);
      all.insns = append(all.insns, &all.n_insns, t.insns, t.n_insns, sizeof *t.insns);
      all.accesses =
          append(all.accesses, &all.n_accesses, t.accesses, t.n_accesses, sizeof *t.accesses);
      all.map = append(all.map, &all.n_map, t.map, t.n_map, sizeof *t.map);
      trace_free(&t);
    }
    if (oct_writer_commit(w, &diag)) fail_msg("%s", oct_diag_line(&diag).text);
    if (read_trace(path, NULL, &got, &diag)) fail_msg("%s", oct_diag_line(&diag).text);
    assert_part(&all, 0, all.n_insns, &got);
    assert_traps(&all, 0, all.n_insns, 1, &got);
    assert_int_equal(got.n_map, all.n_map);
    if (all.n_map) assert_memory_equal(got.map, all.map, all.n_map * sizeof *all.map);
    trace_free(&all);
    trace_free(&got);
  }
  unlink(path);
}

static void test_many_accesses(void **state) {
  trace t = trace_new(40, 40 * 65535), got;
  oct_write_options options = {0};
  oct_diag diag = {0};
  const char *path = scratch("many.oct");
  (void)state;
  for (size_t i = 0; i < 40; i++) {
    t.insns[i] = (oct_insn){.addr = 4 * i, .n_access = 65535, .size_bytes = 4};
    for (size_t k = 0; k < 65535; k++)
      t.accesses[t.n_accesses++] = (oct_access){8 * k, 8, k & 1, 0};
  }
  t.n_insns = 40;
  write_trace(path, &t, &options);
  assert_int_equal(read_trace(path, NULL, &got, &diag), 0);
  assert_part(&t, 0, 40, &got);
  trace_free(&t);
  trace_free(&got);
  unlink(path);
}

/* A head that says 32 bits, and an instruction beyond. */
static void test_wide_address(void **state) {
  (void)state;
  const oct_feed_info info = {"isa", "origin", "command", 32, 4, 0};
  const char *path = scratch("wide.oct");
  oct_feed *f = oct_feed_open(path, &info);
  oct_reader *r;
  oct_batch got;
  oct_diag diag = {0};
  assert_non_null(f);
  assert_int_equal(oct_feed_insn(f, 0, 0x8000, 4), 0);
  assert_int_equal(oct_feed_insn(f, 0, UINT64_C(1) << 32, 4), 0);
  assert_int_equal(oct_feed_close(f), 0);
  assert_int_equal(oct_reader_open(path, NULL, &r, &diag), 0);
  assert_int_equal(oct_reader_next(r, &got, &diag), OCT_ERR_FORMAT);
  assert_non_null(strstr(oct_diag_line(&diag).text, "more than the 32 bits of the head"));
  oct_reader_close(r);
  unlink(path);
}

static oct_module random_module(char *path, size_t path_room) {
  oct_module m = {.addr = random_u64(), .n_bytes = below(1 << 20), .bias = random_u64()};
  size_t n = 1 + below(path_room - 1);
  for (size_t i = 0; i < n; i++) path[i] = (char)(1 + below(255));
  path[n] = 0;
  m.path = path;
  m.build_id_bytes = below32(OCT_BUILD_ID_MAX + 1);
  for (unsigned i = 0; i < m.build_id_bytes; i++) m.build_id[i] = (uint8_t)below(256);
  return m;
}

static void assert_module(const oct_module *got, const oct_module *want) {
  assert_string_equal(got->path, want->path);
  assert_int_equal(got->addr, want->addr);
  assert_int_equal(got->n_bytes, want->n_bytes);
  assert_int_equal(got->bias, want->bias);
  assert_int_equal(got->build_id_bytes, want->build_id_bytes);
  assert_memory_equal(got->build_id, want->build_id, sizeof want->build_id);
}

/* By both writers; told twice they are there once. A file that can seek has them from its start,
 * another one has each before the instructions behind it. */
static void test_modules(void **state) {
  (void)state;
  enum { MODULES = 5, PARTS = MODULES + 1 };
  static char paths[MODULES][OCT_MODULE_PATH_MAX_BYTES + 1];
  const char *path = scratch("modules.oct");
  const oct_feed_info info = {"isa", "origin", "command", 64, 4, 0};
  oct_module modules[MODULES];
  oct_insn insn = {.addr = 0x8000, .size_bytes = 4};
  const oct_batch batch = {.insns = &insn, .n_insns = 1};
  oct_diag diag = {0};
  seed_random("modules");
  for (int k = 0; k < MODULES; k++) modules[k] = random_module(paths[k], k ? 40 : sizeof paths[k]);
  for (int is_feed = 0; is_feed < 2; is_feed++) {
    const oct_trace_info wide = {
        .isa = "isa", .origin = "", .command = "", .addr_bits = 64, .insn_align_bytes = 4};
    const oct_write_options options = {.info = &wide};
    oct_feed *f = is_feed ? oct_feed_open(path, &info) : NULL;
    oct_writer *w = NULL;
    if (!is_feed) assert_int_equal(oct_writer_open(path, &options, &w, &diag), 0);
    for (int k = 0; k < PARTS; k++) {
      for (int i = 0; i <= k && i < MODULES && is_feed; i++)
        assert_int_equal(oct_feed_module(f, modules[i].addr, modules[i].n_bytes, modules[i].bias,
                                         modules[i].build_id, modules[i].build_id_bytes, paths[i]),
                         0);
      if (is_feed) assert_int_equal(oct_feed_insn(f, 0, insn.addr, 4), 0);
      if (is_feed) continue;
      assert_int_equal(oct_writer_put_modules(w, modules, (size_t)(k < MODULES ? k + 1 : 0), &diag),
                       0);
      assert_int_equal(oct_writer_put(w, &batch, &diag), 0);
    }
    assert_int_equal(is_feed ? oct_feed_close(f) : oct_writer_commit(w, &diag), 0);
    for (int is_pipe = 0; is_pipe < 2; is_pipe++) {
      oct_reader *r;
      oct_batch got;
      char command[600];
      snprintf(command, sizeof command, "cat '%s'", path);
      FILE *pipe = is_pipe ? popen(command, "r") : NULL;
      int saved = dup(0);
      if (pipe) dup2(fileno(pipe), 0);
      assert_int_equal(oct_reader_open(pipe ? "-" : path, NULL, &r, &diag), 0);
      assert_int_equal(oct_reader_info(r)->n_modules, pipe ? 0 : MODULES);
      size_t n_insns = 0, least = 1;
      while (oct_reader_next(r, &got, &diag) > 0) {
        n_insns += got.n_insns;
        assert_true(oct_reader_info(r)->n_modules >= least);
        least = n_insns + 1 < MODULES ? n_insns + 1 : MODULES;
      }
      assert_int_equal(diag.error, 0);
      assert_int_equal(n_insns, PARTS);
      assert_int_equal(oct_reader_info(r)->n_modules, MODULES);
      for (int k = 0; k < MODULES; k++) assert_module(&oct_reader_info(r)->modules[k], &modules[k]);
      oct_reader_close(r);
      dup2(saved, 0);
      close(saved);
      if (pipe) pclose(pipe);
    }
  }
  unlink(path);
}

/* Records that cannot be, under a checksum that is right. */
static void test_wrong_modules(void **state) {
  (void)state;
  enum { NO_PATH, NUL_IN_PATH, LONG_ID, LONG_PATH, CUT, MORE, KINDS };
  const char *path = scratch("wrong.oct");
  const oct_feed_info info = {"isa", "origin", "command", 64, 4, 0};
  for (int kind = 0; kind < KINDS; kind++) {
    uint8_t record[2 * OCT_MODULE_PATH_MAX_BYTES] = {0};
    oct_feed *f = oct_feed_open(path, &info);
    oct_reader *r;
    oct_batch got;
    oct_diag diag = {0};
    size_t n = oct_module_record(record, 0x1000, 0x2000, 0, (const uint8_t *)"id", 2, "/lib/a");
    if (kind == NO_PATH) n = oct_module_record(record, 1, 2, 3, NULL, 0, "");
    if (kind == NUL_IN_PATH) record[n - 2] = 0;
    if (kind == LONG_ID) oct_put_le(record + 24, OCT_BUILD_ID_MAX + 1, 2), n += OCT_BUILD_ID_MAX;
    if (kind == LONG_PATH)
      oct_put_le(record + 26, OCT_MODULE_PATH_MAX_BYTES + 1, 2),
          n += OCT_MODULE_PATH_MAX_BYTES + 1 - 6;
    if (kind == LONG_PATH) memset(record + 30, 'a', n - 30);
    if (kind == CUT) n--;
    if (kind == MORE) n++;
    oct_feed_block(f, OCT_BLOCK_MODULES, record, n, 0, 1);
    assert_int_equal(oct_feed_insn(f, 0, 0x8000, 4), 0);
    assert_int_equal(oct_feed_close(f), 0);
    assert_int_equal(oct_reader_open(path, NULL, &r, &diag), 0);
    assert_int_equal(oct_reader_next(r, &got, &diag), OCT_ERR_FORMAT);
    assert_non_null(strstr(oct_diag_line(&diag).text, "modules block"));
    oct_reader_close(r);
  }
  unlink(path);
}

static void test_map_and_skip(void **state) {
  const char *path = scratch("skip.oct");
  oct_write_options options = {.block_insns = 1000};
  trace t = random_trace(400000, 3), got;
  oct_writer *w;
  oct_diag diag = {0};
  size_t access = 0;
  (void)state;
  add_random_traps(&t);
  assert_int_equal(oct_writer_open(path, &options, &w, &diag), 0);
  for (size_t i = 0; i < t.n_insns; i += 10000) {
    oct_map_entry e = {.addr = i, .size_bytes = 4, .cls = OCT_CLASS_RETURN};
    oct_batch b = {
        t.insns + i, 10000, t.accesses + access, t.n_accesses - access, &e, 1, NULL, 0, NULL, 0,
        NULL,        0};
    oct_trap *own = take_traps(&t, i, 10000, &b);
    assert_int_equal(oct_writer_put(w, &b, &diag), 0);
    free(own);
    for (size_t k = 0; k < 10000; k++) access += t.insns[i + k].n_access;
  }
  assert_int_equal(oct_writer_commit(w, &diag), 0);
  static const size_t skips[] = {0, 1, 999, 1000, 1001, 123456, 399999, 400000, 500000};
  for (size_t i = 0; i < sizeof skips / sizeof *skips; i++) {
    oct_reader *r;
    size_t skip = skips[i], left = skip < t.n_insns ? t.n_insns - skip : 0;
    assert_int_equal(oct_reader_open(path, NULL, &r, &diag), 0);
    assert_int_equal(oct_reader_skip(r, skip, &diag), 0);
    memset(&got, 0, sizeof got);
    if (drain(r, &got, &diag)) fail_msg("%s", oct_diag_line(&diag).text);
    assert_part(&t, skip < t.n_insns ? skip : t.n_insns, left, &got);
    assert_traps(&t, skip, left, skip <= t.n_insns, &got);
    if (left) {
      assert_int_equal(got.n_map, 40);
      for (size_t k = 0; k < 40; k++) assert_int_equal(got.map[k].addr, 10000 * k);
    }
    if (skip == 399999) assert_true(oct_reader_bytes_read(r) * 2 < oct_reader_bytes_total(r));
    oct_reader_close(r);
    trace_free(&got);
  }
  trace_free(&t);
  unlink(path);
}

static void feed_traps(oct_feed *f, const trace *t, size_t *trap, size_t insn) {
  for (; *trap < t->n_traps && t->traps[*trap].insn == insn; ++*trap) {
    const oct_trap *x = &t->traps[*trap];
    assert_int_equal(oct_feed_trap(f, x->kind, x->privilege, x->cause, x->addr, x->tval), 0);
  }
}

/* The feed header and the library's writer hold the same trace. */
static void test_feed(void **state) {
  const char *path = scratch("feed.oct");
  oct_feed_info info = {"isa", "origin", "command", 64, 1, 1};
  trace t = random_trace(200000, 5), got;
  const oct_access *a = t.accesses;
  uint8_t slots[2] = {2, 10};
  oct_diag diag = {0};
  oct_feed *f = oct_feed_open(path, &info);
  size_t trap = 0;
  (void)state;
  assert_non_null(f);
  add_random_traps(&t);
  for (size_t i = 0; i < t.n_insns; i++) {
    const oct_insn *insn = &t.insns[i];
    feed_traps(f, &t, &trap, i);
    assert_int_equal(oct_feed_map(f, i % 5000, 4, i == 150000 ? 7 : 1, 0, 2, slots, 0), 0);
    assert_int_equal(oct_feed_insn(f, insn->task, insn->addr, insn->size_bytes), 0);
    if (insn->flags) assert_int_equal(oct_feed_cycle(f, insn->cycle), 0);
    for (unsigned k = 0; k < insn->n_access; k++, a++)
      assert_int_equal(oct_feed_access(f, a->addr, a->size_bytes, a->is_store), 0);
  }
  feed_traps(f, &t, &trap, t.n_insns);
  assert_int_equal(oct_feed_trap(f, 3, 0, 0, 0, 0), -1);
  assert_int_equal(oct_feed_trap(f, 1, 0, 0, 0, 1), -1);
  assert_int_equal(oct_feed_insn(f, 0, 0, 16), -1);
  assert_int_equal(oct_feed_access(f, 0, 3, 0), -1);
  assert_int_equal(oct_feed_close(f), 0);
  if (read_trace(path, NULL, &got, &diag)) fail_msg("%s", oct_diag_line(&diag).text);
  assert_part(&t, 0, t.n_insns, &got);
  assert_traps(&t, 0, t.n_insns, 1, &got);
  assert_int_equal(got.n_map, 5002);
  assert_int_equal(got.map[5000].cls, 7);
  assert_int_equal(got.map[5001].cls, 1);
  trace_free(&t);
  trace_free(&got);
  unlink(path);
}

/* More traps than a block holds, behind one instruction. */
static void test_feed_many_traps(void **state) {
  enum { TRAPS = 2 * OCT_BLOCK_MAX_INSNS + 10 };
  const char *path = scratch("traps.oct");
  oct_feed_info info = {"isa", "origin", "command", 64, 1, 1};
  oct_feed *f = oct_feed_open(path, &info);
  oct_diag diag = {0};
  trace got;
  (void)state;
  assert_non_null(f);
  assert_int_equal(oct_feed_insn(f, 0, 0x8000, 4), 0);
  for (uint64_t i = 0; i < TRAPS; i++) assert_int_equal(oct_feed_trap(f, 1, 7, 0, i, 0), 0);
  assert_int_equal(oct_feed_insn(f, 0, 0x8004, 4), 0);
  assert_int_equal(oct_feed_close(f), 0);
  if (read_trace(path, NULL, &got, &diag)) fail_msg("%s", oct_diag_line(&diag).text);
  assert_int_equal(got.n_insns, 2);
  assert_int_equal(got.n_traps, TRAPS);
  for (uint64_t i = 0; i < TRAPS; i++) assert_int_equal(got.traps[i].addr, i);
  trace_free(&got);
  unlink(path);
}

/* No trap is written that a reader would refuse. */
static void test_wrong_traps(void **state) {
  const char *path = scratch("wrong-traps.oct");
  const oct_trace_info info = {.addr_bits = 32, .insn_align_bytes = 1};
  const oct_write_options options = {.info = &info};
  const oct_trap wrong[] = {{.addr = UINT64_C(1) << 32},
                            {.tval = UINT64_C(1) << 32},
                            {.kind = OCT_TRAP_KINDS},
                            {.privilege = OCT_PRIVILEGE_UNKNOWN + 1},
                            {.kind = OCT_TRAP_INTERRUPT, .tval = 1},
                            {.kind = OCT_TRAP_PRIVILEGE, .cause = 1},
                            {.kind = OCT_TRAP_PRIVILEGE, .addr = 1}};
  oct_writer *w;
  oct_diag diag = {0};
  (void)state;
  assert_int_equal(oct_writer_open(path, &options, &w, &diag), 0);
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    const oct_batch b = {.traps = &wrong[i], .n_traps = 1};
    assert_int_equal(oct_writer_put(w, &b, &diag), OCT_ERR_ARG);
  }
  oct_writer_abort(w);
}

/* Traps that stand ahead of a map block are skipped with the instructions behind it. */
static void test_skip_traps(void **state) {
  const char *path = scratch("skip-traps.oct");
  const oct_insn insns[] = {{.addr = 0x8000, .size_bytes = 4}, {.addr = 0x8004, .size_bytes = 4}};
  const oct_map_entry e = {.addr = 0x8000, .size_bytes = 4};
  const oct_trap traps[] = {{.kind = OCT_TRAP_INTERRUPT, .cause = 1},
                            {.kind = OCT_TRAP_INTERRUPT, .cause = 2}};
  const oct_batch batches[] = {
      {.traps = &traps[0], .n_traps = 1},
      {.insns = insns, .n_insns = 2, .map = &e, .n_map = 1},
      {.insns = insns, .n_insns = 1, .map = &e, .n_map = 1, .traps = &traps[1], .n_traps = 1}};
  oct_writer *w;
  oct_reader *r;
  oct_batch got;
  oct_diag diag = {0};
  (void)state;
  assert_int_equal(oct_writer_open(path, NULL, &w, &diag), 0);
  for (int i = 0; i < 3; i++) assert_int_equal(oct_writer_put(w, &batches[i], &diag), 0);
  assert_int_equal(oct_writer_commit(w, &diag), 0);
  assert_int_equal(oct_reader_open(path, NULL, &r, &diag), 0);
  assert_int_equal(oct_reader_skip(r, 2, &diag), 0);
  if (oct_reader_next(r, &got, &diag) != 1) fail_msg("%s", oct_diag_line(&diag).text);
  assert_int_equal(got.n_insns, 1);
  assert_int_equal(got.n_traps, 1);
  assert_int_equal(got.traps[0].cause, 2);
  oct_reader_close(r);
  unlink(path);
}

static void test_pipe(void **state) {
  const char *path = scratch("pipe.oct");
  trace t = random_trace(100000, 2), got = {0};
  oct_write_options options = {.block_insns = 5000};
  char command[600];
  oct_reader *r;
  oct_diag diag = {0};
  (void)state;
  add_random_traps(&t);
  write_trace(path, &t, &options);
  snprintf(command, sizeof command, "cat '%s'", path);
  FILE *f = popen(command, "r");
  int saved = dup(0);
  dup2(fileno(f), 0);
  assert_int_equal(oct_reader_open("-", NULL, &r, &diag), 0);
  assert_int_equal(oct_reader_info(r)->n_insns, 0);
  assert_int_equal(oct_reader_skip(r, 12345, &diag), 0);
  assert_int_equal(drain(r, &got, &diag), 0);
  oct_reader_close(r);
  dup2(saved, 0);
  close(saved);
  pclose(f);
  assert_part(&t, 12345, t.n_insns - 12345, &got);
  assert_traps(&t, 12345, t.n_insns - 12345, 1, &got);
  trace_free(&t);
  trace_free(&got);
  unlink(path);
}

/* A file of three event blocks and a map, small enough to damage at every byte. */
static uint8_t *small_file(const trace *t, size_t *n) {
  const char *path = scratch("small.oct");
  oct_write_options options = {.block_insns = 20};
  write_trace(path, t, &options);
  uint8_t *p = load(path, n);
  unlink(path);
  return p;
}

static trace small_trace(void) {
  trace t = random_trace(60, 3);
  add_random_traps(&t);
  t.map[t.n_map++] = (oct_map_entry){.addr = 0x8000, .size_bytes = 4, .cls = 1};
  return t;
}

static void test_truncation(void **state) {
  const char *path = scratch("cut.oct");
  trace t = small_trace(), got;
  size_t n, seen = 0;
  uint8_t *p = small_file(&t, &n);
  (void)state;
  for (size_t cut = 0; cut < n; cut++) {
    oct_diag diag = {0};
    save(path, p, cut);
    assert_true(read_trace(path, NULL, &got, &diag) < 0 || cut == 0);
    if (cut > 100) assert_int_equal(diag.error, OCT_ERR_TRUNCATED);
    if (cut) assert_true(strlen(oct_diag_line(&diag).text) > 0);
    assert_part(&t, 0, got.n_insns, &got);
    assert_true(got.n_insns % 20 == 0 && got.n_insns >= seen);
    seen = got.n_insns;
    trace_free(&got);
  }
  assert_int_equal(seen, 60);
  free(p);
  trace_free(&t);
  unlink(path);
}

static void test_bit_flips(void **state) {
  const char *path = scratch("flip.oct");
  trace t = small_trace(), got;
  size_t n;
  uint8_t *p = small_file(&t, &n);
  (void)state;
  seed_random("bit flips");
  for (size_t bit = below(8); bit < 8 * n; bit = (bit / 8 + 1) * 8 + below(8)) {
    if (is_left_out()) continue;
    oct_diag diag = {0};
    p[bit / 8] ^= (uint8_t)(1u << bit % 8);
    save(path, p, n);
    if (read_trace(path, NULL, &got, &diag) >= 0) fail_msg("bit %zu was not found", bit);
    assert_null(strchr(oct_diag_line(&diag).text, '\n'));
    /* The magic's own bits make it another format; all else delivers the blocks before. */
    if (bit >= 64) assert_part(&t, 0, got.n_insns, &got);
    trace_free(&got);
    p[bit / 8] ^= (uint8_t)(1u << bit % 8);
  }
  free(p);
  trace_free(&t);
  unlink(path);
}

/* Damage behind a right checksum: the decoder itself must hold. */
static void test_mutations(void **state) {
  const char *path = scratch("mutated.oct");
  oct_encoder e;
  (void)state;
  seed_random("mutations");
  assert_int_equal(oct_encoder_init(&e), 0);
  for (int i = 0; i < 1000; i++) {
    if (is_left_out()) continue;
    trace t = random_trace(1 + below(60), 3), got;
    uint8_t head[OCT_BLOCK_HEADER_BYTES];
    oct_diag diag = {0};
    oct_encoder_reset(&e);
    const oct_access *a = t.accesses;
    for (size_t k = 0; k < t.n_insns; k++) {
      oct_encoder_insn(&e, t.insns[k].task, t.insns[k].addr, t.insns[k].size_bytes);
      for (unsigned s = 0; s < t.insns[k].n_access; s++, a++)
        oct_encoder_access(&e, a->addr, a->size_bytes, a->is_store);
    }
    uint32_t n = oct_encoder_finish(&e), items = e.n_accesses;
    for (uint64_t k = below(4); k > 0; k--) {
      uint64_t at = below(below(2) ? n : 28);
      e.raw[at] ^= 1u << below(8);
    }
    if (below(8) == 0) items ^= 1u << below(20);
    if (below(8) == 0) n = (uint32_t)below(n + 1);
    int kind = below(8) ? OCT_BLOCK_EVENTS : (int)below(7), codec = below(16) == 0;
    FILE *f = fopen(path, "wb");
    uint8_t *header = malloc(OCT_HEADER_MAX_BYTES);
    size_t header_bytes = oct_file_header(header, "x", "x", "x", 64, 1, 0, 0, 0);
    fwrite(header, 1, header_bytes, f);
    oct_block_header(head, kind, codec, e.raw, n, n, 0, e.n_insns, items);
    fwrite(head, 1, sizeof head, f);
    fwrite(e.raw, 1, n, f);
    fclose(f);
    assert_true(read_trace(path, NULL, &got, &diag) < 0); /* no end block at the least */
    trace_free(&got);
    trace_free(&t);
    free(header);
  }
  oct_encoder_free(&e);
  unlink(path);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_round_trip),
      cmocka_unit_test(test_random_programs),
      cmocka_unit_test(test_many_accesses),
      cmocka_unit_test(test_wide_address),
      cmocka_unit_test(test_modules),
      cmocka_unit_test(test_wrong_modules),
      cmocka_unit_test(test_map_and_skip),
      cmocka_unit_test(test_feed),
      cmocka_unit_test(test_pipe),
      cmocka_unit_test(test_truncation),
      cmocka_unit_test(test_bit_flips),
      cmocka_unit_test(test_mutations),
      cmocka_unit_test(test_wrong_traps),
      cmocka_unit_test(test_skip_traps),
      cmocka_unit_test(test_feed_many_traps),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
