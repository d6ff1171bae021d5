/* SPDX-License-Identifier: Apache-2.0 */
/* oct_jobs.c - worker threads around one queue.
 *
 * Jobs are taken in the order in which they were added, and stay in the list until they are done.
 * One mutex guards the list; a condition wakes workers when there is a job, and those who wait when
 * one was done. Without workers a job is run where it is added, so that users need no second
 * path. */
#include "oct_jobs.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

typedef struct job {
  oct_job_fn *fn;
  void *arg;
  bool is_taken; /* by a worker */
  struct job *next;
} job;

struct oct_jobs {
  pthread_mutex_t lock;
  pthread_cond_t changed; /* a job came, one was done, or the end */
  job *first, **last;     /* all that are not done, in order */
  bool ending;
  unsigned n_threads;
  pthread_t threads[64];
};

/* The first job that no worker has. */
static job *waiting(const oct_jobs *jobs) {
  job *j = jobs->first;
  while (j && j->is_taken) j = j->next;
  return j;
}

static void unlink_job(oct_jobs *jobs, job *done) {
  job **at = &jobs->first;
  while (*at != done) at = &(*at)->next;
  *at = done->next;
  if (!*at) jobs->last = at;
  free(done);
}

static void *work(void *arg) {
  oct_jobs *jobs = arg;
  pthread_mutex_lock(&jobs->lock);
  for (;;) {
    job *j;
    while (!(j = waiting(jobs)) && !jobs->ending) pthread_cond_wait(&jobs->changed, &jobs->lock);
    if (!j) break;
    j->is_taken = true;
    pthread_mutex_unlock(&jobs->lock);
    j->fn(j->arg);
    pthread_mutex_lock(&jobs->lock);
    unlink_job(jobs, j);
    pthread_cond_broadcast(&jobs->changed);
  }
  pthread_mutex_unlock(&jobs->lock);
  return NULL;
}

oct_jobs *oct_jobs_new(unsigned n_threads) {
  oct_jobs *jobs = calloc(1, sizeof *jobs);
  if (!jobs || n_threads > 64) {
    free(jobs);
    return NULL;
  }
  pthread_mutex_init(&jobs->lock, NULL);
  pthread_cond_init(&jobs->changed, NULL);
  jobs->last = &jobs->first;
  for (; jobs->n_threads < n_threads; jobs->n_threads++)
    if (pthread_create(&jobs->threads[jobs->n_threads], NULL, work, jobs)) {
      oct_jobs_free(jobs);
      return NULL;
    }
  return jobs;
}

int oct_jobs_add(oct_jobs *jobs, oct_job_fn *fn, void *arg) {
  if (!jobs->n_threads) {
    fn(arg);
    return 0;
  }
  job *j = malloc(sizeof *j);
  if (!j) return OCT_ERR_NOMEM;
  *j = (job){fn, arg, false, NULL};
  pthread_mutex_lock(&jobs->lock);
  *jobs->last = j;
  jobs->last = &j->next;
  pthread_cond_broadcast(&jobs->changed);
  pthread_mutex_unlock(&jobs->lock);
  return 0;
}

void oct_jobs_wait(oct_jobs *jobs) {
  pthread_mutex_lock(&jobs->lock);
  while (jobs->first) pthread_cond_wait(&jobs->changed, &jobs->lock);
  pthread_mutex_unlock(&jobs->lock);
}

static bool is_unfinished(const oct_jobs *jobs, const void *arg) {
  const job *j = jobs->first;
  while (j && j->arg != arg) j = j->next;
  return j;
}

void oct_jobs_wait_for(oct_jobs *jobs, const void *arg) {
  pthread_mutex_lock(&jobs->lock);
  while (is_unfinished(jobs, arg)) pthread_cond_wait(&jobs->changed, &jobs->lock);
  pthread_mutex_unlock(&jobs->lock);
}

void oct_jobs_free(oct_jobs *jobs) {
  if (!jobs) return;
  oct_jobs_wait(jobs);
  pthread_mutex_lock(&jobs->lock);
  jobs->ending = true;
  pthread_cond_broadcast(&jobs->changed);
  pthread_mutex_unlock(&jobs->lock);
  for (unsigned i = 0; i < jobs->n_threads; i++) pthread_join(jobs->threads[i], NULL);
  pthread_cond_destroy(&jobs->changed);
  pthread_mutex_destroy(&jobs->lock);
  free(jobs);
}
