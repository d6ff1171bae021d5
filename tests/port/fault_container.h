/* SPDX-License-Identifier: Apache-2.0 */
/* fault_container.h - the stream of the experiment with damage (inject_faults.c) as a container. Of
 * a small one each part of the stream stands in a chunk of its own, the map updates that it needs
 * before it, as the chunks of a large one do. */
#ifndef FAULT_CONTAINER_H
#define FAULT_CONTAINER_H

#include <fcntl.h>
#include <sys/stat.h>

#include "chunk_sums.h"
#include "fault_place.h"

/* Write updates and bytes as a container. What stands behind its header, whose size goes to
 * *header_bytes, is returned as an open file without a name. */
static inline int write_fault_container(const experiment *x, const oct_map_update *updates,
                                        size_t n_updates, const uint8_t *bytes, size_t n_bytes,
                                        size_t *header_bytes) {
  const oct_container_info info = {.isa = x->trace.isa,
                                   .origin = "",
                                   .command = "",
                                   .insn_align_bytes = x->trace.align_bytes,
                                   .addr_bits = x->trace.addr_bits};
  const oct_container_totals totals = {.insns = x->trace.n_insns, .accesses = x->trace.n_accesses};
  char path[] = "inject-faults-XXXXXX";
  oct_container_writer *w;
  oct_container_reader *r;
  oct_diag diag = {0};
  int fd = mkstemp(path);
  assert_true(fd >= 0);
  close(fd);
  if (oct_container_create(path, x->tracer, x->params, &info, &w, &diag) ||
      oct_container_put_map(w, updates, n_updates, &diag) ||
      oct_container_put_bits(w, bytes, n_bytes, &diag) || oct_container_commit(w, &totals, &diag) ||
      oct_container_open(path, &r, &diag))
    fail_msg("%s", diag.text);
  *header_bytes = (size_t)oct_container_bytes_read(r);
  oct_container_close(r);
  fd = open(path, O_RDWR);
  assert_true(fd >= 0);
  unlink(path);
  return fd;
}

/* The bytes of a container behind its header. */
static inline uint8_t *chunks_of(int fd, size_t header_bytes, size_t *n) {
  struct stat st;
  assert_true(!fstat(fd, &st));
  *n = (size_t)st.st_size - header_bytes;
  uint8_t *bytes = malloc(*n);
  assert_non_null(bytes);
  assert_int_equal(pread(fd, bytes, *n, (off_t)header_bytes), *n);
  return bytes;
}

/* Append a chunk as the next of its file. Its bytes, with its header. */
static inline size_t append_chunk(test_stream *s, const uint8_t *chunk, chunk_sums *sums) {
  size_t n = OCT_CONTAINER_CHUNK_HEADER_BYTES + oct_get_u32(chunk + 4);
  s->bytes = append(s->bytes, &s->n_bytes, chunk, n, 1);
  return renew_chunk(s->bytes + s->n_bytes - n, sums);
}

/* Put each part of the stream into a container, and the chunks of all behind each other, but for
 * their ends; behind them the end of the container of all, whose head's checksum is given. */
static inline test_stream join_parts(const experiment *x, uint64_t head_sum, const uint8_t *end) {
  test_stream s = {NULL, 0, {0}};
  chunk_sums sums = {.head = head_sum, .last = head_sum};
  uint64_t map_bytes = 0;
  for (size_t part = 0; part < x->n_parts; part++) {
    size_t header, n, u = part ? x->part_updates[part - 1] : 0;
    size_t from = part ? x->part_bytes[part - 1] : 0;
    int fd = write_fault_container(x, x->trace.updates + u, x->part_updates[part] - u,
                                   x->stream.bytes + from, x->part_bytes[part] - from, &header);
    uint8_t *chunks = chunks_of(fd, header, &n);
    for (size_t at = 0; chunks[at] != OCT_CONTAINER_END;) {
      size_t stored = append_chunk(&s, chunks + at, &sums);
      if (chunks[at] != OCT_CONTAINER_BITS) map_bytes += stored;
      at += stored;
    }
    free(chunks);
    close(fd);
  }
  uint8_t last[OCT_CONTAINER_CHUNK_HEADER_BYTES + OCT_CONTAINER_END_BYTES];
  memcpy(last, end, sizeof last);
  oct_put_u64(last + OCT_CONTAINER_CHUNK_HEADER_BYTES + 40, map_bytes);
  append_chunk(&s, last, &sums);
  return s;
}

/* Put the stream into a container; what stands behind the header takes its place. */
static inline void make_container(experiment *x) {
  size_t n;
  x->fd = write_fault_container(x, x->trace.updates, x->trace.n_updates, x->stream.bytes,
                                x->stream.n_bytes, &x->header_bytes);
  uint8_t *chunks = chunks_of(x->fd, x->header_bytes, &n);
  test_stream s = {chunks, n, {0}};
  if (x->n_parts > 1) {
    uint8_t sum[8];
    assert_int_equal(pread(x->fd, sum, sizeof sum, (off_t)(x->header_bytes - sizeof sum)), 8);
    s = join_parts(x, oct_get_u64(sum),
                   chunks + n - OCT_CONTAINER_CHUNK_HEADER_BYTES - OCT_CONTAINER_END_BYTES);
    free(chunks);
  }
  free(x->stream.bytes);
  x->stream = s;
  snprintf(x->path, sizeof x->path, "/proc/self/fd/%d", x->fd);
}

#endif
