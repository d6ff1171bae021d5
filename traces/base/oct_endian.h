/* SPDX-License-Identifier: Apache-2.0 */
/* oct_endian.h - little-endian numbers in bytes, alike on every machine. */
#ifndef OCT_ENDIAN_H
#define OCT_ENDIAN_H

#include <endian.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint16_t oct_get_u16(const uint8_t *p) {
  uint16_t v;
  memcpy(&v, p, sizeof v);
  return le16toh(v);
}

static inline uint32_t oct_get_u32(const uint8_t *p) {
  uint32_t v;
  memcpy(&v, p, sizeof v);
  return le32toh(v);
}

static inline uint64_t oct_get_u64(const uint8_t *p) {
  uint64_t v;
  memcpy(&v, p, sizeof v);
  return le64toh(v);
}

static inline void oct_put_u32(uint8_t *p, uint32_t v) {
  v = htole32(v);
  memcpy(p, &v, sizeof v);
}

static inline void oct_put_u64(uint8_t *p, uint64_t v) {
  v = htole64(v);
  memcpy(p, &v, sizeof v);
}

/* Of n bytes, 1 to 8. */
static inline uint64_t oct_get_bytes(const uint8_t *p, size_t n) {
  uint64_t v = 0;
  memcpy(&v, p, n);
  return le64toh(v);
}

static inline void oct_put_bytes(uint8_t *p, uint64_t v, size_t n) {
  v = htole64(v);
  memcpy(p, &v, n);
}

#endif
