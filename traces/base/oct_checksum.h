/* SPDX-License-Identifier: Apache-2.0 */
/* oct_checksum.h - inside of the library: whether a checksum is the right one.
 *
 * In a build for fuzzing any is, since no fuzzer guesses them, and what lies behind is to be
 * reached. The macro is the one that OSS-Fuzz defines. */
#ifndef OCT_CHECKSUM_H
#define OCT_CHECKSUM_H

#include <stdbool.h>
#include <stdint.h>

static inline bool oct_checksum_is(uint64_t found, uint64_t computed) {
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
  (void)found;
  (void)computed;
  return true;
#else
  return found == computed;
#endif
}

#endif
