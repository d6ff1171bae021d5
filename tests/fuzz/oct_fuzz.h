/* SPDX-License-Identifier: Apache-2.0 */
/* oct_fuzz.h - what the fuzz targets share. */
#ifndef OCT_FUZZ_H
#define OCT_FUZZ_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* The target: always 0. libFuzzer calls it, or fuzz_main.c with each file given. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A new folder for a target's files, in that for temporary ones. The target removes it. */
static inline const char *fuzz_folder(void) {
  static char path[4096];
  const char *temporary = getenv("TMPDIR");
  snprintf(path, sizeof path, "%s/octrace-fuzz-XXXXXX", temporary ? temporary : "/tmp");
  if (!mkdtemp(path)) abort();
  return path;
}

/* Bytes as a file in memory, for what takes names only. Its descriptor is to be closed. */
static inline int fuzz_file(const uint8_t *data, size_t size, char path[32]) {
  int fd = memfd_create("fuzz", 0);
  if (fd < 0 || write(fd, data, size) != (ssize_t)size) abort();
  snprintf(path, 32, "/proc/self/fd/%d", fd);
  return fd;
}

#endif
