/* SPDX-License-Identifier: Apache-2.0 */
/* test_foreign_blocks.c - a block of another event file, whole, of the same size and with the same
 * counts and times, is refused: the index names the checksum of each block. */
#include "events_util.h"

enum { CALLS = 6, FUNCTIONS = 3 };

/* Calls of a few functions, the first of which is `first`, with names of this letter. The blocks of
 * two such files have the same sizes. */
static file_bytes calls_file(unsigned first, char letter) {
  events t = {0};
  oct_ev_params p;
  oct_ev_params_init(&p, 0);
  for (uint32_t i = 0; i < FUNCTIONS; i++) {
    const char name[] = {letter, (char)('0' + i), 0};
    assert_int_equal(oct_ev_defs_function(&t.defs, name, 2, i), i);
  }
  assert_int_equal(oct_ev_defs_location(&t.defs, "t", 1, "p", 0), 0);
  for (uint32_t i = 0; i < CALLS; i++) {
    add_event(&t, 10 * i, 0, (i + first) % FUNCTIONS, OCT_EV_ENTER, NULL);
    add_event(&t, 10 * i + 5, 0, (i + first) % FUNCTIONS, OCT_EV_LEAVE, NULL);
  }
  file_bytes f = compress_events(&t, &p, NULL);
  free_events(&t);
  return f;
}

/* Events that come, all of them right; *error: how it ended. */
static size_t read_calls(const file_bytes *f, bool salvages, int *error) {
  oct_ev_reader *r;
  oct_ev_record record;
  oct_diag diag = {0};
  size_t n = 0;
  *error = salvages ? oct_ev_reader_open_memory_salvage(f->p, f->n, 0, &r, &diag)
                    : oct_ev_reader_open_memory(f->p, f->n, 0, &r, &diag);
  if (*error) return 0;
  const oct_ev_names *names = &oct_ev_reader_defs(r)->functions;
  while ((*error = oct_ev_reader_next(r, &record, &diag)) > 0) {
    assert_int_equal(record.function, record.time_ticks / 10 % FUNCTIONS);
    assert_int_equal(oct_ev_names_text(names, record.function)[0], 'f');
    n++;
  }
  oct_ev_reader_close(r);
  return n;
}

static void each_block(void **state) {
  size_t starts[BLOCKS_MAX + 1], other_starts[BLOCKS_MAX + 1];
  unsigned n_foreign = 0;
  int error;
  (void)state;
  file_bytes own = calls_file(0, 'f'), other = calls_file(1, 'g');
  size_t n_blocks = find_blocks(&own, starts);
  assert_int_equal(find_blocks(&other, other_starts), n_blocks);
  assert_memory_equal(starts, other_starts, (n_blocks + 1) * sizeof *starts);
  assert_int_equal(read_calls(&own, false, &error), 2 * CALLS);
  assert_int_equal(error, 0);
  for (size_t i = 0; i < n_blocks; i++) {
    const size_t from = starts[i], n = starts[i + 1] - from;
    uint8_t *kept = malloc(n);
    if (!memcmp(own.p + from, other.p + from, n)) continue;
    memcpy(kept, own.p + from, n);
    memcpy(own.p + from, other.p + from, n);
    read_calls(&own, false, &error);
    assert_true(error < 0);
    /* Lost with the block are its events; of the names, the names. */
    bool is_names = own.p[from] == OCT_EV_BLOCK_DEFS;
    size_t got = read_calls(&own, true, &error);
    if (own.p[from] == OCT_EV_BLOCK_CHUNK) assert_int_equal(got, 0);
    if (is_names) assert_int_equal(got, 2 * CALLS);
    memcpy(own.p + from, kept, n);
    free(kept);
    n_foreign++;
  }
  assert_int_equal(n_foreign, 3); /* the chunk, the names and the index */
  free(own.p);
  free(other.p);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(each_block)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
