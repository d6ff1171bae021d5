/* SPDX-License-Identifier: Apache-2.0 */
/* seeds.c - preloaded by tests/seeds: has a test program run once for each seed, in one process
 * each.
 *
 * Before main() a child is forked for each seed of OCT_TEST_SEEDS (FIRST-LAST), one after the
 * other, so that the program is loaded once; the child goes on to main() with OCT_TEST_SEED. Of a
 * group of cmocka the first child runs every test, and notes which of them read the environment
 * variables of test_random.h: getenv() is the one below. The other children run those alone, or all
 * if something was read outside of a test. What a child printed is shown where it failed. Exit
 * status 77 if no seed was read. */
#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { TESTS_MAX = 256, OUTSIDE = TESTS_MAX, ANYWHERE, PLACES, NOT_RANDOM = 77 };

static bool *asks; /* by test, outside of all, and for a seed at all; of all processes */
static bool is_first;
static unsigned current = OUTSIDE, n_ran, n_before; /* tests of the groups so far */
static CMUnitTestFunction functions[TESTS_MAX];

char *getenv(const char *name) {
  const size_t n = strlen(name);
  if (is_first && !strcmp(name, "OCT_TEST_SEED")) asks[ANYWHERE] = true;
  if (is_first && (!strcmp(name, "OCT_TEST_SEED") || !strcmp(name, "OCT_TEST_SHARE")))
    asks[current] = true;
  for (char **e = environ; e && *e; e++)
    if (!strncmp(*e, name, n) && (*e)[n] == '=') return *e + n + 1;
  return NULL;
}

static void run_noted(void **state) {
  current = n_ran++;
  functions[current](state);
  current = OUTSIDE;
}

int _cmocka_run_group_tests(const char *name, const struct CMUnitTest *tests, size_t n_tests,
                            CMFixtureFunction setup, CMFixtureFunction teardown) {
  int (*run)(const char *, const struct CMUnitTest *, size_t, CMFixtureFunction, CMFixtureFunction);
  *(void **)&run = dlsym(RTLD_NEXT, "_cmocka_run_group_tests");
  const unsigned begin = n_before;
  if (!asks || begin + n_tests > TESTS_MAX) return run(name, tests, n_tests, setup, teardown);
  n_before += (unsigned)n_tests;
  struct CMUnitTest chosen[TESTS_MAX];
  size_t n = 0;
  for (size_t i = 0; i < n_tests; i++) {
    if (!is_first && !asks[begin + i] && !asks[OUTSIDE]) continue;
    functions[begin + n] = tests[i].test_func;
    chosen[n] = tests[i];
    chosen[n++].test_func = is_first ? run_noted : tests[i].test_func;
  }
  return run(name, chosen, n, setup, teardown);
}

__attribute__((constructor)) static void run_seeds(void) {
  const char *seeds = getenv("OCT_TEST_SEEDS");
  unsigned long first, last, failed = 0;
  if (!seeds || sscanf(seeds, "%lu-%lu", &first, &last) != 2) return;
  unsetenv("OCT_TEST_SEEDS");
  unsetenv("LD_PRELOAD");
  asks = mmap(NULL, PLACES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  for (unsigned long seed = first; seed <= last; seed++) {
    FILE *said = tmpfile();
    int status = 0;
    fflush(stdout); /* or the child has it too */
    const pid_t child = fork();
    if (!child) {
      char text[24];
      snprintf(text, sizeof text, "%lu", seed);
      setenv("OCT_TEST_SEED", text, 1);
      is_first = seed == first;
      dup2(fileno(said), STDOUT_FILENO);
      dup2(fileno(said), STDERR_FILENO);
      return;
    }
    waitpid(child, &status, 0);
    if (status) {
      printf("seed %lu: status %#x\n", seed, (unsigned)status);
      rewind(said);
      for (int c; (c = getc(said)) != EOF;) putchar(c);
      failed++;
    }
    fclose(said);
  }
  fflush(stdout);
  _exit(failed ? 1 : asks[ANYWHERE] ? 0 : NOT_RANDOM);
}
