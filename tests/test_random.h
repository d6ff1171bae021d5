/* SPDX-License-Identifier: Apache-2.0 */
/* test_random.h - random numbers for tests, and the seed by which a failure can be had again.
 *
 * The generator is splitmix64 (Steele 2014): any seed will do, 0 too. Calls of it that would meet
 * in one expression or list are statements of their own, here and in the tests: the order of
 * operands is the compiler's choice, and a seed must be the same test in every build. */
#ifndef OCT_TEST_RANDOM_H
#define OCT_TEST_RANDOM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* 64 random bits; *state moves on. */
static inline uint64_t random_step(uint64_t *state) {
  uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
  z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
  return z ^ (z >> 31);
}

static bool is_seed_new;
static uint64_t chosen_state;

/* The seed of the environment (OCT_TEST_SEED), else of the clock; printed. */
static inline uint64_t test_seed(const char *test) {
  is_seed_new = true;
  const char *given = getenv("OCT_TEST_SEED");
  uint64_t seed = given ? strtoull(given, NULL, 0) : (uint64_t)time(NULL);
  chosen_state = ~seed;
  printf("%s: OCT_TEST_SEED=%llu\n", test, (unsigned long long)seed);
  fflush(stdout);
  return seed;
}

/* What a test has one generator for. */
static uint64_t random_state;

static inline void seed_random(const char *test) {
  random_state = test_seed(test);
}

static inline uint64_t random_u64(void) {
  return random_step(&random_state);
}

/* 0 .. n - 1 */
static inline uint64_t below(uint64_t n) {
  return random_u64() % n;
}
static inline uint32_t below32(uint32_t n) {
  return (uint32_t)below(n);
}

/* Whether only a share of the cases run, by which a test does not reach all that it should. */
static inline bool runs_share(void) {
  return getenv("OCT_TEST_SHARE") != NULL;
}

/* Whether this part of a test is among those that run: OCT_TEST_SHARE is their per cent (100). Many
 * seeds with a few cases each meet more than one seed with all. */
static inline bool is_chosen(void) {
  const char *share = getenv("OCT_TEST_SHARE");
  return !share || (double)(random_step(&chosen_state) >> 11) * 0x1p-53 * 100 < strtod(share, NULL);
}

/* The same of a case in a loop, whose first one after a seed always runs. */
static inline bool is_left_out(void) {
  bool is_first = is_seed_new;
  is_seed_new = false;
  return !is_chosen() && !is_first;
}

/* Any number of bits. */
static inline uint64_t random_magnitude(void) {
  uint64_t shift = below(64);
  return random_u64() >> shift;
}

#endif
