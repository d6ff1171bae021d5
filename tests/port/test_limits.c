/* SPDX-License-Identifier: Apache-2.0 */
/* test_limits.c - a container of a few kilobytes that stands for more map updates than are taken:
 * does reading stop there, with salvage too, and does a higher limit let it pass? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "octrace/container.h"

enum { PUT = 1 << 16, PUTS = OCT_CONTAINER_UPDATES_MAX / PUT + 2 };

/* PUTS times PUT updates of one entry. */
static void write_updates(const char *path) {
  const oct_tracer *paper = oct_tracer_find("paper");
  const oct_container_info info = {.isa = "unknown"};
  const oct_container_totals totals = {.insns = 0};
  uint32_t params[OCT_TRACER_PARAMS_MAX];
  oct_container_writer *w;
  oct_diag diag;
  oct_map_update *updates = calloc(PUT, sizeof *updates);
  assert_non_null(updates);
  for (size_t i = 0; i < PUT; i++) updates[i].entry = (oct_map_entry){.addr = 64, .size_bytes = 4};
  oct_tracer_defaults(paper, params);
  assert_int_equal(oct_container_create(path, paper, params, &info, &w, &diag), 0);
  for (int i = 0; i < PUTS; i++) assert_int_equal(oct_container_put_map(w, updates, PUT, &diag), 0);
  assert_int_equal(oct_container_commit(w, &totals, &diag), 0);
  free(updates);
}

/* Read to the end or to an error, which is returned, with the number of updates that came. */
static int read_all(const char *path, uint64_t max_updates, uint64_t *n, oct_diag *diag) {
  oct_container_reader *r;
  oct_chunk chunk;
  int got;
  *n = 0;
  assert_int_equal(oct_container_open(path, &r, diag), 0);
  if (max_updates) oct_container_limit_map(r, max_updates);
  while ((got = oct_container_next(r, &chunk, diag)) > 0) *n += chunk.n_updates;
  if (got < 0) assert_int_equal(oct_container_skip_damage(r, diag), got);
  oct_container_close(r);
  return got;
}

static int play(const char *path, uint64_t max_updates, bool salvage, oct_diag *diag) {
  const oct_replay_options options = {.is_unconfirmed = false};
  oct_player p;
  oct_decoded run;
  oct_gap gap;
  assert_int_equal(oct_player_open(&p, path, 0, max_updates, NULL, &options, diag), 0);
  p.salvage = salvage;
  int got;
  while ((got = oct_player_next(&p, &run, &gap, diag)) > 0) {
  }
  oct_player_close(&p);
  return got;
}

static void test_map_updates(void **state) {
  char path[] = "/tmp/oct_limits_XXXXXX";
  oct_diag diag;
  uint64_t n;
  (void)state;
  int fd = mkstemp(path);
  assert_true(fd >= 0);
  close(fd);
  write_updates(path);
  assert_int_equal(read_all(path, 0, &n, &diag), OCT_ERR_LIMIT);
  assert_true(n <= OCT_CONTAINER_UPDATES_MAX);
  assert_non_null(
      strstr(oct_diag_line(&diag).text, "more than 4194304 updates of the program map"));
  assert_int_equal(read_all(path, (uint64_t)PUT * PUTS - 1, &n, &diag), OCT_ERR_LIMIT);
  assert_int_equal(read_all(path, (uint64_t)PUT * PUTS, &n, &diag), 0);
  assert_int_equal(n, PUT * PUTS);
  assert_int_equal(play(path, 0, false, &diag), OCT_ERR_LIMIT);
  assert_int_equal(play(path, 0, true, &diag), OCT_ERR_LIMIT);
  assert_int_equal(play(path, (uint64_t)PUT * PUTS, true, &diag), 0);
  unlink(path);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_map_updates)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
