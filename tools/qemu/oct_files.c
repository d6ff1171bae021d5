/* SPDX-License-Identifier: Apache-2.0 */
/* oct_files.c - files of the plugin, which are not the guest's.
 *
 * The guest's descriptors are the emulator's. A program that opens files as it likes (`exec 3>FILE`
 * of a shell), or closes all that it does not know, must not meet those of the plugin. So they have
 * high numbers, and close(), dup2(), dup3() and syscall() stand here, which the emulator calls
 * instead of the C library's where this library is preloaded. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "oct_files.h"

#include "oct_qemu_plugin.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
  OUT_OF_THE_WAY = 512, /* above what programs use, below the usual limit of 1024 */
  KEPT_MAX = 2          /* the trace and the messages */
};

static int kept[KEPT_MAX] = {-1, -1};

static int is_kept(int file) {
  for (size_t i = 0; i < KEPT_MAX; i++)
    if (file >= 0 && kept[i] == file) return 1;
  return 0;
}

int oct_files_keep(int file) {
  int copy = -1;
  for (int from = OUT_OF_THE_WAY; copy < 0 && from > STDERR_FILENO; from /= 2)
    copy = fcntl(file, F_DUPFD_CLOEXEC, from);
  for (size_t i = 0; i < KEPT_MAX; i++)
    if (copy >= 0 && kept[i] < 0) {
      kept[i] = copy;
      return copy;
    }
  return copy;
}

void oct_files_close(int file) {
  for (size_t i = 0; i < KEPT_MAX; i++)
    if (kept[i] == file) kept[i] = -1;
  close(file);
}

static ssize_t write_all(void *cookie, const char *bytes, size_t n) {
  size_t left = n;
  while (left) {
    ssize_t k = write((int)(intptr_t)cookie, bytes, left);
    if (k < 0 && errno != EINTR) return 0;
    if (k <= 0) continue;
    bytes += k;
    left -= (size_t)k;
  }
  return (ssize_t)n;
}

static int close_stream(void *cookie) {
  oct_files_close((int)(intptr_t)cookie);
  return 0;
}

FILE *oct_files_stream(int file) {
  const cookie_io_functions_t functions = {.write = write_all, .close = close_stream};
  return fopencookie((void *)(intptr_t)file, "wb", functions);
}

static int refuse(void) {
  errno = EBADF;
  return -1;
}

OCT_QEMU_EXPORT int close(int file) {
  return is_kept(file) ? refuse() : (int)syscall(SYS_close, file);
}

OCT_QEMU_EXPORT int dup3(int from, int to, int flags) {
  return is_kept(to) ? refuse() : (int)syscall(SYS_dup3, from, to, flags);
}

/* dup3 refuses a file that replaces itself. */
OCT_QEMU_EXPORT int dup2(int from, int to) {
  if (from == to) return fcntl(from, F_GETFD) < 0 ? -1 : to;
  return dup3(from, to, 0);
}

typedef long system_call(long number, ...);

/* Close a range of files, but for those that are kept. */
static long close_range_but_kept(system_call *next, unsigned from, unsigned to, unsigned flags) {
  const unsigned *inside = NULL; /* the lowest that is kept */
  for (size_t i = 0; i < KEPT_MAX; i++) {
    const unsigned *file = (const unsigned *)&kept[i];
    if (kept[i] >= 0 && *file >= from && *file <= to && (!inside || *file < *inside)) inside = file;
  }
  if (!inside) return next(SYS_close_range, from, to, flags);
  long error = *inside > from ? next(SYS_close_range, from, *inside - 1, flags) : 0;
  return error || *inside == to ? error : close_range_but_kept(next, *inside + 1, to, flags);
}

OCT_QEMU_EXPORT long syscall(long number, ...) {
  static system_call *next;
  long a[6];
  va_list args;
  va_start(args, number);
  for (size_t i = 0; i < 6; i++) a[i] = va_arg(args, long);
  va_end(args);
  if (!next) *(void **)&next = dlsym(RTLD_NEXT, "syscall");
  if (number == SYS_close_range)
    return close_range_but_kept(next, (unsigned)a[0], (unsigned)a[1], (unsigned)a[2]);
  return next(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
