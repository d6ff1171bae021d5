/* SPDX-License-Identifier: Apache-2.0 */
/* oct_modules.c - the files of code that the traced program has in memory.
 *
 * The emulator maps the program's files as they are, so the kernel's list of its own mappings has
 * them, with their paths. It is read again where a new piece of code is met and a system call came
 * in between. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "oct_modules.h"

#include "oct_elf_head.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAPPINGS_MAX = 4096, TOLD_MAX = 4096 };

typedef struct mapping {
  uint64_t begin, end, offset; /* in the emulator's memory; in the file */
  char *path;                  /* NULL: no file */
  int is_told;
} mapping;

static struct {
  mapping mappings[MAPPINGS_MAX]; /* in the order of addresses */
  size_t n;
  int is_read;
  struct {
    uint64_t addr, n_bytes, bias;
  } told[TOLD_MAX];
  size_t n_told;
} all;

void oct_modules_outdate(void) {
  all.is_read = 0;
}

static void read_list(void) {
  FILE *list = fopen("/proc/self/maps", "re");
  char *line = NULL;
  size_t room = 0;
  while (all.n) free(all.mappings[--all.n].path);
  while (list && all.n < MAPPINGS_MAX && getline(&line, &room, list) > 0) {
    mapping *m = &all.mappings[all.n];
    int path = 0;
    if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %" SCNx64 " %*s %*s %n", &m->begin, &m->end,
               &m->offset, &path) != 3)
      continue;
    line[strcspn(line, "\n")] = 0;
    m->path = path && line[path] == '/' ? strdup(line + path) : NULL;
    m->is_told = 0;
    all.n++;
  }
  free(line);
  if (list) fclose(list);
  all.is_read = 1;
}

/* The mapping that has host, or NULL. */
static mapping *find(uint64_t host) {
  size_t low = 0, high = all.n;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (all.mappings[middle].end <= host)
      low = middle + 1;
    else
      high = middle;
  }
  return low < all.n && all.mappings[low].begin <= host ? &all.mappings[low] : NULL;
}

/* Whether this is told for the first time. */
static int is_new(uint64_t addr, uint64_t n_bytes, uint64_t bias) {
  for (size_t i = 0; i < all.n_told; i++)
    if (all.told[i].addr == addr && all.told[i].n_bytes == n_bytes && all.told[i].bias == bias)
      return 0;
  if (all.n_told == TOLD_MAX) return 0;
  all.told[all.n_told].addr = addr;
  all.told[all.n_told].n_bytes = n_bytes;
  all.told[all.n_told++].bias = bias;
  return 1;
}

int oct_modules_meet(oct_feed *feed, uint64_t addr, const void *host) {
  if (!all.is_read) read_list();
  mapping *m = find((uint64_t)(uintptr_t)host);
  if (!m || m->is_told || !m->path) return 0;
  m->is_told = 1;
  uint8_t id[OCT_MODULE_ID_MAX_BYTES];
  uint64_t in_file;
  const uint64_t into = (uint64_t)(uintptr_t)host - m->begin;
  const uint64_t begin = addr - into, n = m->end - m->begin;
  int fd = open(m->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), failed = 0;
  if (fd < 0) return 0;
  if (oct_elf_address(fd, m->offset + into, &in_file) && is_new(begin, n, addr - in_file)) {
    size_t id_bytes = oct_elf_build_id(fd, id, sizeof id);
    failed = oct_feed_module(feed, begin, n, addr - in_file, id, id_bytes, m->path);
  }
  close(fd);
  return failed;
}
