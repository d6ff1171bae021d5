/* SPDX-License-Identifier: Apache-2.0 */
/* oct_container_format.h - numbers of docs/container-format.md, for the container's writer and
 * reader. */
#ifndef OCT_CONTAINER_FORMAT_H
#define OCT_CONTAINER_FORMAT_H

#include "octrace/container.h"
#include "oct_endian.h"
#include "oct_effect_file.h"

#include <stdint.h>
#include <string.h>
#include <xxhash.h>

/* The tracer of all containers of version 1, which does not say it. */
#define OCT_CONTAINER_TRACER_1 "paper"

#define OCT_CONTAINER_TEXT_MAX_BYTES 65536
#define OCT_CONTAINER_CHUNK_HEADER_BYTES 28
#define OCT_CONTAINER_CHUNK_HEADER_2_BYTES 20 /* up to version 2 */
#define OCT_CONTAINER_BEFORE_AT 12            /* in it, the checksum of the chunk before */
#define OCT_CONTAINER_SUM_BYTES 8             /* the last of a header */
#define OCT_CONTAINER_STORED_MAX_BYTES (2u << 20)
#define OCT_CONTAINER_RAW_MAX_BYTES (1u << 20)
#define OCT_CONTAINER_END_BYTES 56
#define OCT_CONTAINER_END_2_BYTES 48 /* some of version 2, without the number of changes */

/* The longest update: two or three vlq of 10 bytes, three bytes, 16 slot bytes, an operation, the
 * instruction set and its bytes. */
#define OCT_CONTAINER_UPDATE_MAX_BYTES (49 + OCT_EFFECT_PACKED_MAX_BYTES + 1 + OCT_CODE_MAX)
/* The shortest one: two vlq of a byte, and three bytes, or one where the program says the rest. */
#define OCT_CONTAINER_UPDATE_MIN_BYTES 5
#define OCT_CONTAINER_ADDRESS_MIN_BYTES 3
/* Of a program that stands apart: what a map chunk begins with. */
#define OCT_CONTAINER_MAP_HASH_BYTES 8

enum {
  OCT_CONTAINER_BITS = 1,
  OCT_CONTAINER_MAP = 2,
  OCT_CONTAINER_END = 3,
  OCT_CONTAINER_OPS = 4,  /* as MAP, with effects, */
  OCT_CONTAINER_CODE = 5, /* and the bytes of instructions, too */
  OCT_CONTAINER_GAPS = 6
};
/* The longest gap: four vlq of 10 bytes, and its cause; the shortest: three of a byte, and that. */
enum { OCT_CONTAINER_GAP_MAX_BYTES = 41, OCT_CONTAINER_GAP_MIN_BYTES = 4 };
enum { OCT_CONTAINER_RAW = 0, OCT_CONTAINER_ZSTD = 1 };

/* The checksum of a chunk: of its header, but for the checksum itself, and its payload. The seed is
 * its number, from version 3 on that of the head's checksum plus its number. 0 or OCT_ERR_NOMEM. */
static inline int oct_container_sum(const uint8_t *header, size_t header_bytes,
                                    const uint8_t *payload, size_t n, uint64_t seed,
                                    uint64_t *sum) {
  XXH64_state_t *hash = XXH64_createState();
  if (!hash) return OCT_ERR_NOMEM;
  XXH64_reset(hash, seed);
  XXH64_update(hash, header, header_bytes - OCT_CONTAINER_SUM_BYTES);
  XXH64_update(hash, payload, n);
  *sum = XXH64_digest(hash);
  XXH64_freeState(hash);
  return 0;
}

/* Whether a trace may say these of itself; 0 = unknown. */
static inline int oct_container_align_ok(uint64_t bytes) {
  return bytes <= 8 && !(bytes & (bytes - 1));
}
static inline int oct_container_addr_bits_ok(uint64_t bits) {
  return bits == 0 || bits == 32 || bits == 64;
}

#endif
