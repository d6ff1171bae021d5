/* SPDX-License-Identifier: Apache-2.0 */
/* test_jobs - a wait for one job does not wait for those behind it, and a wait for all does.
 *
 * The second job ends only when the caller says so, which it does behind its wait for the first
 * one: a wait for both would never return. */
#include <pthread.h>
#include <stdbool.h>

#include "codec_util.h"
#include "oct_jobs.h"

typedef struct gate {
  pthread_mutex_t lock;
  pthread_cond_t opened;
  bool is_open;
} gate;
static gate the_gate = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false};

typedef struct counted_job {
  bool waits, is_done;
} counted_job;

static void run(void *arg) {
  counted_job *j = arg;
  pthread_mutex_lock(&the_gate.lock);
  while (j->waits && !the_gate.is_open) pthread_cond_wait(&the_gate.opened, &the_gate.lock);
  pthread_mutex_unlock(&the_gate.lock);
  j->is_done = true;
}

static void open_gate(void) {
  pthread_mutex_lock(&the_gate.lock);
  the_gate.is_open = true;
  pthread_cond_broadcast(&the_gate.opened);
  pthread_mutex_unlock(&the_gate.lock);
}

static void check_with(unsigned n_threads) {
  counted_job first = {0}, second = {.waits = true}, third = {0};
  oct_jobs *jobs = oct_jobs_new(n_threads);
  assert_non_null(jobs);
  the_gate.is_open = false;
  assert_int_equal(oct_jobs_add(jobs, run, &first), 0);
  assert_int_equal(oct_jobs_add(jobs, run, &second), 0);
  assert_int_equal(oct_jobs_add(jobs, run, &third), 0);
  oct_jobs_wait_for(jobs, &first);
  assert_true(first.is_done);
  if (n_threads > 1) { /* the other worker passes the one that waits */
    oct_jobs_wait_for(jobs, &third);
    assert_true(third.is_done);
  }
  oct_jobs_wait_for(jobs, &the_gate); /* which is no job */
  open_gate();
  oct_jobs_wait(jobs);
  assert_true(second.is_done && third.is_done);
  second = third = (counted_job){0};
  assert_int_equal(oct_jobs_add(jobs, run, &second), 0);
  assert_int_equal(oct_jobs_add(jobs, run, &third), 0);
  oct_jobs_wait_for(jobs, &third);
  assert_true(third.is_done);
  oct_jobs_free(jobs);
  assert_true(second.is_done);
}

static void test_one_worker(void **state) {
  (void)state;
  check_with(1);
}

static void test_more_workers(void **state) {
  (void)state;
  check_with(2);
  check_with(5);
}

static void test_no_worker(void **state) {
  (void)state;
  counted_job only = {0};
  oct_jobs *jobs = oct_jobs_new(0);
  assert_int_equal(oct_jobs_add(jobs, run, &only), 0);
  assert_true(only.is_done);
  oct_jobs_wait_for(jobs, &only);
  oct_jobs_free(jobs);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_no_worker),
      cmocka_unit_test(test_one_worker),
      cmocka_unit_test(test_more_workers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
