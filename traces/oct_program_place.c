/* SPDX-License-Identifier: Apache-2.0 */
/* oct_program_place.c - does a trace lie in a file of the program, and if not, where was it loaded?
 *
 * Programs are moved by whole pages, so that few places can be those of some bytes of the trace.
 * Each place that has them is held against all of the program map. */
#include "oct_program_segments.h"

#include <string.h>

int oct_program_is_used(const oct_program *p, size_t image, const oct_map *map) {
  size_t n_segments;
  const oct_program_segment *segments = oct_program_segments(p, &n_segments);
  for (uint32_t id = 0; id < oct_map_count(map); id++)
    for (size_t i = 0; i < n_segments; i++)
      if (segments[i].image == image &&
          oct_map_at(map, id)->addr - segments[i].addr < segments[i].size)
        return 1;
  return 0;
}

static bool has_bytes(const oct_map_entry *e) {
  return e->code_isa && !(e->flags & OCT_MAP_CONTINUES);
}

/* The bytes of the map's instructions from entry id on, as far as they follow each other. */
static size_t gather(const oct_map *map, uint32_t id, uint8_t *bytes, size_t room) {
  size_t n = 0;
  while (id != UINT32_MAX && has_bytes(oct_map_at(map, id)) && n < room) {
    const oct_map_entry *e = oct_map_at(map, id);
    for (size_t i = 0; i < e->size_bytes && n < room; i++) bytes[n++] = e->code[i];
    id = oct_map_find(map, e->addr + e->size_bytes);
  }
  return n;
}

/* How many of the map's instructions a file has if it is moved on by so much; 0 when it has other
 * bytes for one of them. */
static size_t count_equal(const oct_program *p, size_t image, const oct_map *map, uint64_t move) {
  size_t n_segments;
  const oct_program_segment *segments = oct_program_segments(p, &n_segments);
  size_t n = 0;
  for (uint32_t id = 0; id < oct_map_count(map); id++) {
    const oct_map_entry *e = oct_map_at(map, id);
    for (size_t i = 0; i < n_segments && has_bytes(e); i++) {
      const oct_program_segment *s = &segments[i];
      uint64_t at = e->addr - s->addr - move;
      if (s->image != image || at >= s->size || s->size - at < e->size_bytes) continue;
      if (memcmp(s->bytes + at, e->code, e->size_bytes) != 0) return 0;
      n++;
    }
  }
  return n;
}

int oct_program_find_bias(const oct_program *p, size_t image, const oct_map *map, uint64_t *bias) {
  enum { PAGE_BYTES = 4096, ALIKE_BYTES = 16, TRIES_MAX = 64 };
  size_t n_segments;
  const oct_program_segment *segments = oct_program_segments(p, &n_segments);
  uint64_t tried[TRIES_MAX];
  size_t n_tried = 0, most = 0;
  for (uint32_t id = 0; id < oct_map_count(map); id++) {
    uint8_t bytes[ALIKE_BYTES];
    if (gather(map, id, bytes, sizeof bytes) < sizeof bytes) continue;
    for (size_t i = 0; i < n_segments; i++) {
      const oct_program_segment *s = &segments[i];
      uint64_t addr = oct_map_at(map, id)->addr;
      uint64_t at = (addr - s->addr) % PAGE_BYTES;
      for (; s->image == image && at + sizeof bytes <= s->size; at += PAGE_BYTES) {
        uint64_t move = addr - s->addr - at;
        size_t known = 0, n;
        if (memcmp(s->bytes + at, bytes, sizeof bytes) != 0) continue;
        while (known < n_tried && tried[known] != move) known++;
        if (known < n_tried || n_tried == TRIES_MAX) continue;
        tried[n_tried++] = move;
        if ((n = count_equal(p, image, map, move)) <= most) continue;
        most = n;
        *bias = oct_program_images(p)[image].bias + move;
      }
    }
  }
  return most > 0;
}
