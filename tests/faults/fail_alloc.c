/* SPDX-License-Identifier: Apache-2.0 */
/* fail_alloc.c - a library to be preloaded that lets an allocation fail.
 *
 * Allocations of the program named by OCT_FAIL_PROGRAM are counted from 1, from main on, over all
 * threads. Number OCT_FAIL_AT fails; with OCT_FAIL_ON=1 all that follow fail, too. At the end their
 * number is written to the file OCT_FAIL_COUNT. glibc only: its own functions are called by the
 * names behind which it keeps them. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t n);
void *__libc_memalign(size_t align, size_t n);

static atomic_ulong count;
static unsigned long fail_at;
static int is_on, fails_on;

static int (*program_main)(int, char **, char **);

/* In place of main: what constructors of C++ libraries allocate before it is none of the program's.
 */
static int begin(int argc, char **argv, char **envp) {
  const char *program = getenv("OCT_FAIL_PROGRAM"), *at = getenv("OCT_FAIL_AT");
  is_on = program && !strcmp(program, program_invocation_short_name);
  fail_at = at ? strtoul(at, NULL, 10) : 0;
  fails_on = getenv("OCT_FAIL_ON") != NULL;
  return program_main(argc, argv, envp);
}

typedef int start(int (*)(int, char **, char **), int, char **, void (*)(void), void (*)(void),
                  void (*)(void), void *);

int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*rtld_fini)(void), void *stack_end) {
  program_main = main;
  return ((start *)dlsym(RTLD_NEXT, "__libc_start_main"))(begin, argc, argv, init, fini, rtld_fini,
                                                          stack_end);
}

__attribute__((destructor)) static void end(void) {
  const char *path = getenv("OCT_FAIL_COUNT");
  char text[24];
  is_on = 0;
  if (!path || strcmp(program_invocation_short_name, getenv("OCT_FAIL_PROGRAM"))) return;
  int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  int n = snprintf(text, sizeof text, "%lu\n", atomic_load(&count));
  if (fd < 0 || write(fd, text, (size_t)n) != n) _exit(99);
  close(fd);
}

static int fails(void) {
  if (!is_on) return 0;
  unsigned long number = atomic_fetch_add(&count, 1) + 1;
  if (!fail_at || (fails_on ? number < fail_at : number != fail_at)) return 0;
  errno = ENOMEM;
  return 1;
}

void *malloc(size_t n) {
  return fails() ? NULL : __libc_malloc(n);
}

void *calloc(size_t n, size_t size) {
  return fails() ? NULL : __libc_calloc(n, size);
}

void *realloc(void *p, size_t n) {
  return fails() ? NULL : __libc_realloc(p, n);
}

void *memalign(size_t align, size_t n) {
  return fails() ? NULL : __libc_memalign(align, n);
}

void *aligned_alloc(size_t align, size_t n) {
  return fails() ? NULL : __libc_memalign(align, n);
}

int posix_memalign(void **p, size_t align, size_t n) {
  if (fails()) return ENOMEM;
  *p = __libc_memalign(align, n);
  return *p ? 0 : ENOMEM;
}

/* The OTF2 library asks for it. That of glibc looks the machine up in its network, and crashes or
 * hangs there where an allocation fails. */
long gethostid(void) {
  return 0;
}
