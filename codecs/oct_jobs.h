/* SPDX-License-Identifier: Apache-2.0 */
/* oct_jobs.h - a few worker threads that take jobs in order. */
#ifndef OCT_JOBS_H
#define OCT_JOBS_H

#include "octrace/error.h"

typedef struct oct_jobs oct_jobs;
typedef void oct_job_fn(void *job);

/* n_threads workers, 0..64; with 0, jobs run when they are added. NULL when out of memory or
 * threads. */
oct_jobs *oct_jobs_new(unsigned n_threads);
/* Have fn(job) called. OCT_ERR_NOMEM. */
int oct_jobs_add(oct_jobs *jobs, oct_job_fn *fn, void *job);
/* Return once all jobs added so far are done. */
void oct_jobs_wait(oct_jobs *jobs);
/* Return once no job with this argument is left to do; others may go on. */
void oct_jobs_wait_for(oct_jobs *jobs, const void *job);
/* Wait, then end the workers. NULL is allowed. */
void oct_jobs_free(oct_jobs *jobs);

#endif
