/* SPDX-License-Identifier: Apache-2.0 */
/* oct_unit_formats.c - the formats of trace units that libipt and OpenCSD decode: how they are told
 * apart, and what they lack. Their readers stand in files of their own; a build without these
 * libraries has readers that say so. */
#include "oct_unit_formats.h"

#include "oct_stream_writers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PSB_BYTES = 16 };

/* A PSB: 02 82, eight times; a stream cut out of a ring may have other packets before its first. */
static int pt_probe(const uint8_t *p, size_t n, int is_text) {
  (void)is_text;
  for (size_t i = 0; i < PSB_BYTES; i++)
    if (i >= n || p[i] != (i & 1 ? 0x82 : 0x02)) return 0;
  return 1;
}

static int perf_probe(const uint8_t *p, size_t n, int is_text) {
  (void)is_text;
  return n >= 8 && !memcmp(p, "PERFILE2", 8);
}

/* A section [snapshot], behind comments and empty lines. */
static int etm_probe(const uint8_t *p, size_t n, int is_text) {
  static const char head[] = "[snapshot]";
  size_t at = 0;
  if (!is_text) return 0;
  while (at < n && (strchr(" \t\r\n", p[at]) || p[at] == ';' || p[at] == '#')) {
    const uint8_t *end = strchr(" \t\r\n", p[at]) ? p + at : memchr(p + at, '\n', n - at);
    at = end ? (size_t)(end - p) + 1 : n;
  }
  return n - at >= sizeof head - 1 && !memcmp(p + at, head, sizeof head - 1);
}

/* A snapshot is a folder with a list of its files. */
static int list(const char *folder, char ***paths, size_t *n_paths, oct_diag *diag) {
  char *path;
  *paths = NULL;
  *n_paths = 0;
  if (asprintf(&path, "%s/snapshot.ini", folder) < 0)
    return oct_fail_in(diag, OCT_ERR_NOMEM, folder, "out of memory");
  if (access(path, F_OK)) {
    free(path);
    return oct_fail_in(diag, OCT_ERR_FORMAT, folder,
                       "a folder: expected a file, a folder of drmemtrace files (*.trace.zip, "
                       "*.trace.gz), or a snapshot with ETMv4 (snapshot.ini)");
  }
  if (!(*paths = malloc(sizeof **paths))) {
    free(path);
    return oct_fail_in(diag, OCT_ERR_NOMEM, folder, "out of memory");
  }
  (*paths)[(*n_paths)++] = path;
  return 0;
}

const oct_format_desc oct_intel_pt_format = {.name = "intel-pt",
                                             .probe = pt_probe,
                                             .reader = &oct_pt_reader,
                                             .writer = &oct_stream_writer,
                                             .keeps_traps = 1,
                                             .addr_bits = 64,
                                             .takes_params = 1,
                                             .lacks = "data addresses, cycle stamps"};
const oct_format_desc oct_perf_format = {.name = "perf",
                                         .probe = perf_probe,
                                         .reader = &oct_perf_reader,
                                         .addr_bits = 64,
                                         .takes_params = 1,
                                         .lacks = "data addresses, cycle stamps"};
const oct_format_desc oct_etmv4_format = {
    .name = "etmv4",
    .probe = etm_probe,
    .reader = &oct_etm_reader,
    .writer = &oct_snapshot_writer,
    .keeps_traps = 1,
    .addr_bits = 64,
    .list = list,
    .takes_params = 1,
    .lacks = "data addresses; cycle stamps unless the trace unit counts cycles"};
