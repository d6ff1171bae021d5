/* SPDX-License-Identifier: Apache-2.0 */
/* test_container.c - does a container give back what was put in, and notice all damage? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "chunk_sums.h"
#include "octrace/error.h"
#include "oct_config.h"
#include "octrace/container.h"
#include "random_effect.h"
#include "test_folder.h"

static uint64_t random_shifted(uint64_t *seed, uint64_t bits) {
  return next_random(seed) >> bits;
}

static void random_update(uint64_t *seed, uint64_t from, oct_map_update *u) {
  memset(u, 0, sizeof *u);
  u->from_insn = from;
  u->entry.addr = random_shifted(seed, next_random(seed) % 64);
  if (next_random(seed) % 3 == 0) u->entry.target = random_shifted(seed, next_random(seed) % 64);
  u->entry.size_bytes = (uint8_t)(1 + next_random(seed) % 15);
  u->entry.cls = (uint8_t)(next_random(seed) % OCT_CLASS_COUNT);
  u->entry.n_slots = (uint8_t)next_random(seed);
  u->entry.flags = (uint8_t)(next_random(seed) % 4);
  for (unsigned i = 0, n = (unsigned)(next_random(seed) % 17); i < n; i++)
    u->entry.slots[i] = (uint8_t)(next_random(seed) % 32);
}

/* All that a container says, in order; the map apart from the bits, as chunks may move. */
typedef struct content {
  oct_config cfg;
  char info[200];
  oct_buffer bits, updates;
  oct_container_totals totals;
  int is_ended;
} content;

/* The parameters of a configuration, until the next call. */
static const uint32_t *params_of(const oct_config *cfg) {
  static uint32_t params[OCT_CONFIG_PARAMS];
  oct_config_put(cfg, params);
  return params;
}

static void free_content(content *c) {
  oct_buffer_free(&c->bits);
  oct_buffer_free(&c->updates);
}

static int read_content(const char *path, content *c, oct_diag *diag) {
  oct_container_reader *r;
  oct_chunk chunk;
  memset(c, 0, sizeof *c);
  int result = oct_container_open(path, &r, diag);
  if (result) return result;
  assert_string_equal(oct_container_tracer(r)->name, "paper");
  c->cfg = oct_config_of(oct_container_params(r));
  const oct_container_info *info = oct_container_get_info(r);
  snprintf(c->info, sizeof c->info, "%s|%s|%s|%u|%u", info->isa, info->origin, info->command,
           info->insn_align_bytes, info->addr_bits);
  while ((result = oct_container_next(r, &chunk, diag)) > 0) {
    if (chunk.kind == OCT_CHUNK_BITS) {
      assert_int_equal(oct_buffer_put(&c->bits, chunk.bytes, chunk.n_bytes), 0);
    } else if (chunk.kind == OCT_CHUNK_MAP) {
      assert_int_equal(
          oct_buffer_put(&c->updates, chunk.updates, chunk.n_updates * sizeof *chunk.updates), 0);
    } else {
      c->totals = chunk.totals;
      c->is_ended = 1;
    }
  }
  if (result < 0)
    assert_int_equal(oct_container_next(r, &chunk, diag), result);
  else
    assert_int_equal(oct_container_next(r, &chunk, diag), 0);
  oct_container_close(r);
  return result;
}

/* Write a random container of n_puts pieces; *c gets its content. */
static void write_random(const char *path, uint64_t *seed, unsigned n_puts, size_t max_bytes,
                         content *c) {
  oct_container_writer *w;
  oct_diag diag;
  memset(c, 0, sizeof *c);
  oct_config_init(&c->cfg);
  c->cfg.port_pins = 4;
  c->cfg.ntuple_n = 0;
  oct_container_info info = {.isa = "arm", .origin = "test: a", .command = "run\n-x \xc3\xa4"};
  info.insn_align_bytes = 4;
  info.addr_bits = 64;
  snprintf(c->info, sizeof c->info, "arm|test: a|run -x \xc3\xa4|4|64");
  assert_int_equal(
      oct_container_create(path, oct_tracer_find("paper"), params_of(&c->cfg), &info, &w, &diag),
      0);
  uint64_t from = 0, has_ops = next_random(seed) % 2;
  if (has_ops) oct_container_keep_ops(w);
  for (unsigned i = 0; i < n_puts; i++) {
    if (next_random(seed) % 2) {
      size_t n = next_random(seed) % (max_bytes + 1);
      uint8_t *bytes = malloc(n + 1);
      assert_non_null(bytes);
      for (size_t k = 0; k < n; k++) bytes[k] = (uint8_t)next_random(seed);
      assert_int_equal(oct_container_put_bits(w, bytes, n, &diag), 0);
      assert_int_equal(oct_buffer_put(&c->bits, bytes, n), 0);
      free(bytes);
    } else {
      for (size_t n = next_random(seed) % (max_bytes / 32 + 2); n; n--) {
        oct_map_update u;
        if (next_random(seed) % 3 == 0) from += random_shifted(seed, 20 + next_random(seed) % 44);
        random_update(seed, from, &u);
        if (has_ops && next_random(seed) % 4) random_effect(next_random, seed, &u.entry.op);
        assert_int_equal(oct_container_put_map(w, &u, 1, &diag), 0);
        assert_int_equal(oct_buffer_put(&c->updates, &u, sizeof u), 0);
      }
    }
  }
  c->totals = (oct_container_totals){
      .insns = 1, .accesses = 2, .lost_insns = 3, .lost_accesses = UINT64_MAX};
  assert_int_equal(oct_container_commit(w, &c->totals, &diag), 0);
  c->totals.port_bytes = c->bits.n_bytes;
}

static void assert_same(const content *a, const content *b) {
  assert_memory_equal(&a->cfg, &b->cfg, sizeof a->cfg);
  assert_string_equal(a->info, b->info);
  assert_int_equal(a->bits.n_bytes, b->bits.n_bytes);
  if (a->bits.n_bytes) assert_memory_equal(a->bits.bytes, b->bits.bytes, a->bits.n_bytes);
  assert_int_equal(a->updates.n_bytes, b->updates.n_bytes);
  if (a->updates.n_bytes)
    assert_memory_equal(a->updates.bytes, b->updates.bytes, a->updates.n_bytes);
  assert_int_equal(a->totals.lost_accesses, b->totals.lost_accesses);
  assert_int_equal(a->totals.port_bytes, b->totals.port_bytes);
  assert_true(b->is_ended);
}

static uint8_t *read_file(const char *path, size_t *n) {
  struct stat st;
  FILE *f = fopen(path, "rb");
  assert_non_null(f);
  assert_int_equal(fstat(fileno(f), &st), 0);
  uint8_t *bytes = malloc((size_t)st.st_size + 1);
  assert_non_null(bytes);
  *n = fread(bytes, 1, (size_t)st.st_size, f);
  fclose(f);
  return bytes;
}

static void write_file(const char *path, const uint8_t *bytes, size_t n) {
  FILE *f = fopen(path, "wb");
  assert_non_null(f);
  assert_int_equal(fwrite(bytes, 1, n, f), n);
  assert_int_equal(fclose(f), 0);
}

static void test_round_trip(void **state) {
  (void)state;
  uint64_t seed = test_seed("container");
  static const size_t sizes[] = {0, 1, 100, 300000, 70000};
  for (unsigned i = 0; i < 5; i++) {
    if (is_left_out()) continue;
    content written, got;
    oct_diag diag;
    write_random(whole_path, &seed, 2 + 3 * i, sizes[i], &written);
    assert_int_equal(read_content(whole_path, &got, &diag), 0);
    assert_same(&written, &got);
    free_content(&written);
    free_content(&got);
  }
}

/* Each map update stands before the bits that were put after it. */
static void test_map_first(void **state) {
  (void)state;
  oct_config cfg;
  oct_config_init(&cfg);
  oct_container_info info = {.isa = NULL};
  oct_container_writer *w;
  oct_container_reader *r;
  oct_diag diag;
  uint64_t seed = test_seed("container"), bytes_put[40], bytes = 0;
  assert_int_equal(
      oct_container_create(whole_path, oct_tracer_find("paper"), params_of(&cfg), &info, &w, &diag),
      0);
  for (unsigned i = 0; i < 40; i++) {
    static const uint8_t zeros[30000];
    oct_map_update u;
    random_update(&seed, i, &u);
    assert_int_equal(oct_container_put_map(w, &u, 1, &diag), 0);
    bytes_put[i] = bytes;
    bytes += 1000 * i % sizeof zeros;
    assert_int_equal(oct_container_put_bits(w, zeros, 1000 * i % sizeof zeros, &diag), 0);
  }
  oct_container_totals totals = {0};
  assert_int_equal(oct_container_commit(w, &totals, &diag), 0);
  assert_int_equal(oct_container_open(whole_path, &r, &diag), 0);
  oct_chunk chunk;
  uint64_t bytes_seen = 0, updates_seen = 0;
  while (oct_container_next(r, &chunk, &diag) > 0) {
    for (size_t k = 0; k < chunk.n_updates; k++, updates_seen++)
      assert_true(bytes_seen <= bytes_put[updates_seen]);
    bytes_seen += chunk.n_bytes;
  }
  assert_int_equal(updates_seen, 40);
  assert_int_equal(bytes_seen, bytes);
  assert_int_equal(oct_container_bytes_read(r), oct_container_bytes_total(r));
  oct_container_close(r);
}

static void expect_line(const oct_diag *diag) {
  assert_non_null(strstr(oct_diag_line(diag).text, ": offset "));
  assert_null(strchr(oct_diag_line(diag).text, '\n'));
}

static void test_truncation(void **state) {
  (void)state;
  uint64_t seed = test_seed("container");
  content written, got;
  oct_diag diag;
  size_t n;
  write_random(whole_path, &seed, 8, 200, &written);
  uint8_t *bytes = read_file(whole_path, &n);
  for (size_t k = 0; k < n; k++) {
    if (is_left_out()) continue;
    write_file(part_path, bytes, k);
    assert_int_equal(read_content(part_path, &got, &diag), OCT_ERR_TRUNCATED);
    expect_line(&diag);
    assert_false(got.is_ended);
    free_content(&got);
  }
  bytes[n] = 0;
  write_file(part_path, bytes, n + 1);
  assert_int_equal(read_content(part_path, &got, &diag), OCT_ERR_FORMAT);
  free_content(&got);
  free(bytes);
  free_content(&written);
}

static void test_flipped_bytes(void **state) {
  (void)state;
  uint64_t seed = test_seed("container");
  content written, got;
  oct_diag diag;
  size_t n;
  write_random(whole_path, &seed, 8, 200, &written);
  uint8_t *bytes = read_file(whole_path, &n);
  for (size_t k = 0; k < 2 * n; k++) {
    if (is_left_out()) continue;
    uint8_t flip = k < n ? 0xFF : (uint8_t)(1u << next_random(&seed) % 8);
    bytes[k % n] ^= flip;
    write_file(part_path, bytes, n);
    int result = read_content(part_path, &got, &diag);
    if (result)
      expect_line(&diag);
    else
      assert_same(&written, &got);
    free_content(&got);
    bytes[k % n] ^= flip;
  }
  free(bytes);
  free_content(&written);
}

static void test_pipe(void **state) {
  (void)state;
  uint64_t seed = test_seed("container");
  content written, got;
  oct_diag diag;
  size_t n;
  write_random(whole_path, &seed, 10, 100000, &written);
  uint8_t *bytes = read_file(whole_path, &n);
  int fds[2], saved = dup(0);
  assert_int_equal(pipe(fds), 0);
  pid_t child = fork();
  if (child == 0) {
    close(fds[0]);
    for (size_t at = 0; at < n;) {
      ssize_t part = write(fds[1], bytes + at, n - at < 777 ? n - at : 777);
      if (part <= 0) _exit(1);
      at += (size_t)part;
    }
    _exit(0);
  }
  close(fds[1]);
  dup2(fds[0], 0);
  close(fds[0]);
  assert_int_equal(read_content("-", &got, &diag), 0);
  assert_same(&written, &got);
  dup2(saved, 0);
  close(saved);
  waitpid(child, NULL, 0);
  free(bytes);
  free_content(&written);
  free_content(&got);
}

static void test_refused(void **state) {
  (void)state;
  oct_container_reader *r;
  oct_container_writer *w;
  oct_diag diag;
  oct_config cfg;
  oct_container_info info = {.isa = "a", .origin = "b", .addr_bits = 32}, bad = info;
  bad.insn_align_bytes = 3;
  oct_map_update u;
  assert_int_equal(oct_container_open("/nonexistent/file", &r, &diag), OCT_ERR_IO);
  write_file(part_path, (const uint8_t *)"ELF", 3);
  assert_int_equal(oct_container_open(part_path, &r, &diag), OCT_ERR_FORMAT);
  oct_config_init(&cfg);
  assert_int_equal(oct_container_create("/nonexistent/file", oct_tracer_find("paper"),
                                        params_of(&cfg), &info, &w, &diag),
                   OCT_ERR_IO);
  assert_int_equal(
      oct_container_create(part_path, oct_tracer_find("paper"), params_of(&cfg), &info, &w, &diag),
      0);
  memset(&u, 0, sizeof u);
  assert_int_equal(oct_container_put_map(w, &u, 1, &diag), OCT_ERR_ARG);
  oct_container_abort(w);
  assert_int_equal(
      oct_container_create(part_path, oct_tracer_find("paper"), params_of(&cfg), &bad, &w, &diag),
      OCT_ERR_ARG);
  bad = (oct_container_info){.isa = "a", .origin = "b", .command = "c", .addr_bits = 33};
  assert_int_equal(
      oct_container_create(part_path, oct_tracer_find("paper"), params_of(&cfg), &bad, &w, &diag),
      OCT_ERR_ARG);
  cfg.sc_sets = 3;
  assert_int_equal(
      oct_container_create(part_path, oct_tracer_find("paper"), params_of(&cfg), &info, &w, &diag),
      OCT_ERR_CONFIG);
}

/* What the trace said of itself may be missing, but not be nonsense: a line of the header is
 * replaced by another of its length, and the checksums made anew. */
static void test_trace_widths(void **state) {
  static const struct {
    const char *line, *other;
    int result;
  } list[] = {{"\nparam.ntuple_n: 0\n", "\nparam.ntuple_m: 0\n", OCT_ERR_CONFIG},
              {"\nparam.ntuple_n: 0\n", "\nparam.ntuple_n: x\n", OCT_ERR_CONFIG},
              {"\nhint.sc_ways: 4\n", "\nhint.sc_wags: 4\n", 0},
              {"tracer: paper\n", "tracer: pepar\n", OCT_ERR_UNSUPPORTED},
              {"\ntracer_version: 2\n", "\ntracer_version: 9\n", OCT_ERR_UNSUPPORTED},
              {"\ninsn_align_bytes: 4\n", "\ninsn_align_bytes: 8\n", 0},
              {"\ninsn_align_bytes: 4\n", "\ninsn_align_bytes: 3\n", OCT_ERR_FORMAT},
              {"\ninsn_align_bytes: 4\n", "\ninsn_align_bytes: x\n", OCT_ERR_FORMAT},
              {"\ntrace_addr_bits: 64\n", "\ntrace_addr_bits: 32\n", 0},
              {"\ntrace_addr_bits: 64\n", "\ntrace_addr_bits: 46\n", OCT_ERR_FORMAT}};
  uint64_t seed = test_seed("container");
  content written, got;
  oct_container_writer *w;
  oct_diag diag;
  size_t n;
  (void)state;
  write_random(whole_path, &seed, 8, 200, &written);
  for (unsigned i = 0; i < sizeof list / sizeof *list; i++) {
    uint8_t *bytes = read_file(whole_path, &n);
    uint8_t *line = memmem(bytes, n, list[i].line, strlen(list[i].line));
    assert_non_null(line);
    memcpy(line, list[i].other, strlen(list[i].other));
    renew_sums(bytes, n);
    write_file(part_path, bytes, n);
    assert_int_equal(read_content(part_path, &got, &diag), list[i].result);
    if (list[i].result) expect_line(&diag);
    if (list[i].result == OCT_ERR_CONFIG)
      assert_non_null(strstr(oct_diag_line(&diag).text, "ntuple_"));
    free_content(&got);
    free(bytes);
  }
  free_content(&written);
  /* Unknown is left out. */
  const oct_container_info info = {.isa = "a", .origin = "b", .command = "c"};
  const oct_container_totals totals = {.insns = 0};
  oct_config cfg;
  oct_config_init(&cfg);
  assert_int_equal(
      oct_container_create(part_path, oct_tracer_find("paper"), params_of(&cfg), &info, &w, &diag),
      0);
  assert_int_equal(oct_container_commit(w, &totals, &diag), 0);
  assert_int_equal(read_content(part_path, &got, &diag), 0);
  assert_string_equal(got.info, "a|b|c|0|0");
  free_content(&got);
}

/* A file for an instruction set that this build cannot execute is read, and only its decoder is
 * refused: no build has an emulator of x86 (6). */
static void test_no_emulator(void **state) {
  (void)state;
  static const char before[] = ".isa: 0\n", after[] = ".isa: 6\n";
  const oct_tracer *t = oct_tracer_find("replay");
  const oct_container_info info = {.isa = "x86", .origin = "b", .addr_bits = 32};
  uint32_t params[OCT_TRACER_PARAMS_MAX];
  oct_container_reader *r;
  oct_container_writer *w;
  oct_diag diag = {0};
  void *decoder;
  size_t n;
  oct_tracer_defaults(t, params);
  params[oct_tracer_param(t, "isa")] = 0;
  assert_int_equal(oct_container_create(part_path, t, params, &info, &w, &diag), 0);
  assert_int_equal(oct_container_commit(w, &(oct_container_totals){0}, &diag), 0);
  uint8_t *bytes = read_file(part_path, &n), *at = memmem(bytes, n, before, strlen(before));
  assert_non_null(at);
  memcpy(at, after, strlen(after));
  renew_sums(bytes, n);
  write_file(part_path, bytes, n);
  free(bytes);
  if (oct_container_open(part_path, &r, &diag)) fail_msg("%s", oct_diag_line(&diag).text);
  const uint32_t *read = oct_container_params(r);
  assert_int_equal(oct_tracer_check(t, read, &diag), OCT_ERR_CONFIG);
  assert_non_null(strstr(oct_diag_line(&diag).text, "has no emulator"));
  assert_int_equal(t->decoder.create(read, OCT_START_IN_STEP, &decoder, &diag), OCT_ERR_CONFIG);
  assert_int_equal(t->packets.create(read, OCT_START_IN_STEP, &decoder, &diag), 0);
  t->packets.destroy(decoder);
  oct_container_close(r);
}

/* A file of an older version, made by the program of that time: its parameters, and all that its
 * bits say. */
static void read_old(const char *path, const char *geometry) {
  oct_player p;
  oct_decoded run;
  oct_diag diag = {0};
  oct_config cfg;
  int got;
  const oct_replay_options options = {.ends_at_damage = true};
  oct_gap gap;
  if (oct_player_open(&p, path, 0, 0, NULL, &options, &diag))
    fail_msg("%s", oct_diag_line(&diag).text);
  assert_string_equal(p.tracer->name, "paper");
  assert_int_equal(oct_config_parse(&cfg, geometry, &diag), 0);
  assert_memory_equal(oct_container_params(p.reader), &cfg, sizeof cfg);
  while ((got = oct_player_next(&p, &run, &gap, &diag)) > 0) continue;
  if (got) fail_msg("%s", oct_diag_line(&diag).text);
  assert_int_equal(p.n_insns, 3000);
  assert_int_equal(p.totals.insns, 3000);
  oct_player_close(&p);
}

static void test_old_versions(void **state) {
  (void)state;
  /* Of the first, tracers had no names. */
  read_old(TEST_DATA "/version1.octp", "small,port_pins=4,check_bits=0,sync_period_bits=0");
  read_old(TEST_DATA "/version2.octp", "small,port_pins=4");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_round_trip),   cmocka_unit_test(test_map_first),
      cmocka_unit_test(test_truncation),   cmocka_unit_test(test_flipped_bytes),
      cmocka_unit_test(test_pipe),         cmocka_unit_test(test_refused),
      cmocka_unit_test(test_trace_widths), cmocka_unit_test(test_old_versions),
      cmocka_unit_test(test_no_emulator)};
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
