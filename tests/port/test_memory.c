/* SPDX-License-Identifier: Apache-2.0 */
/* test_memory.c - does a trace compressed in memory come back from there, as often as it is asked
 * for, with every tracer that takes it? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "octrace/tracer.h"

typedef struct totals {
  uint64_t insns, accesses, sum;
} totals;

static void add(totals *t, const oct_batch *b, bool with_data) {
  const oct_access *a = b->accesses;
  for (size_t i = 0; i < b->n_insns; i++, t->insns++) {
    t->sum = t->sum * 31 + b->insns[i].addr;
    for (unsigned k = 0; k < b->insns[i].n_access; k++, a++)
      if (with_data) t->sum = t->sum * 31 + a->addr, t->accesses++;
  }
}

static void open_sample(const char *name, oct_source *source) {
  char path[512];
  snprintf(path, sizeof path, "%s/%s", TEST_SAMPLES, name);
  assert_int_equal(oct_source_open(source, path, NULL, NULL), 0);
}

/* All of it, then twice from the bits. False when the tracer cannot take the trace. */
static bool there_and_back(const oct_tracer *t, const char *settings, const char *name) {
  totals expected = {0};
  oct_source source;
  oct_memory *memory;
  oct_decoded run;
  oct_diag diag;
  const uint8_t *bytes;
  uint32_t params[OCT_TRACER_PARAMS_MAX];
  oct_tracer_defaults(t, params);
  bool with_data = oct_tracer_carries_data(t, params);
  open_sample(name, &source);
  int error = oct_memory_compress(t, settings, &source, &memory, &diag);
  oct_source_close(&source);
  if (error) {
    assert_int_equal(error, OCT_ERR_UNSUPPORTED);
    assert_null(memory);
    return false;
  }
  open_sample(name, &source);
  while (oct_source_next(&source, NULL) > 0) add(&expected, &source.batch, with_data);
  oct_source_close(&source);
  assert_true(expected.insns > 1000);
  assert_in_range(oct_memory_port(memory, &bytes), 100, 100 * expected.insns);
  for (int i = 0; i < 2; i++) {
    totals decoded = {0};
    int got;
    while ((got = oct_memory_next(memory, &run, &diag)) > 0) add(&decoded, &run.batch, with_data);
    assert_int_equal(got, 0);
    assert_memory_equal(&decoded, &expected, sizeof decoded);
  }
  assert_int_equal(oct_memory_next(memory, &run, &diag), 1); /* freed in the middle */
  oct_memory_free(memory);
  return true;
}

static void every_tracer_gives_it_back(void **state) {
  static const char *const samples[] = {"cjpeg.oct", "isa/riscv64.oct", "isa/x86-64.oct"};
  (void)state;
  for (unsigned n = 0; oct_tracer_at(n); n++) {
    unsigned taken = 0;
    for (unsigned i = 0; i < 3; i++) taken += there_and_back(oct_tracer_at(n), NULL, samples[i]);
    assert_true(taken);
  }
}

static void settings_are_taken(void **state) {
  oct_memory *memory;
  oct_source source;
  oct_diag diag;
  (void)state;
  assert_true(there_and_back(oct_tracer_find("paper"), "tiny,ntuple_n=3", "cjpeg.oct"));
  open_sample("cjpeg.oct", &source);
  assert_int_equal(
      oct_memory_compress(oct_tracer_find("paper"), "nonesuch", &source, &memory, &diag),
      OCT_ERR_CONFIG);
  assert_null(memory);
  assert_non_null(strstr(oct_diag_line(&diag).text, "nonesuch"));
  oct_source_close(&source);
  oct_memory_free(NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_tracer_gives_it_back),
      cmocka_unit_test(settings_are_taken),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
