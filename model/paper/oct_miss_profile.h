/* SPDX-License-Identifier: Apache-2.0 */
/* oct_miss_profile.h - which streams miss in the stream cache, and how often.
 *
 * Threads: A profile is for one thread at a time, different ones may be used by different threads.
 */
#ifndef OCT_MISS_PROFILE_H
#define OCT_MISS_PROFILE_H

#include "oct_config.h"
#include "octrace/trace.h"
#include "octrace/tracer.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct oct_miss_profile oct_miss_profile;

/* A legal geometry. The caller frees *s. OCT_ERR_NOMEM. */
int oct_miss_profile_new(const oct_config *cfg, oct_miss_profile **s);
void oct_miss_profile_free(oct_miss_profile *s);
/* Instructions and their accesses, in order; OCT_ERR_NOMEM. */
int oct_miss_profile_put(oct_miss_profile *s, const oct_insn *insns, size_t n_insns,
                         const oct_access *accesses);
/* End of trace; OCT_ERR_NOMEM. */
int oct_miss_profile_flush(oct_miss_profile *s);
/* Distinct streams seen. */
size_t oct_miss_profile_count(const oct_miss_profile *s);
/* The n streams that miss most, fewer if there are not as many, most misses first, then by address;
 * their number is returned, or OCT_ERR_NOMEM. */
int64_t oct_miss_profile_top(const oct_miss_profile *s, oct_missed_stream *top, size_t n);

#ifdef __cplusplus
}
#endif
#endif
