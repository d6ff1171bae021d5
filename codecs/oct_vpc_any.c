/* SPDX-License-Identifier: Apache-2.0 */
/* oct_vpc_any.c - the kernels for any specification, one for each number of tables. */
#include "oct_vpc_kernel.h"

/* The specification with what the compiler shall see as constants. */
#define SHAPE(n, bytes)       \
  oct_vpc_spec shape = *spec; \
  shape.n_tables = (n);       \
  if (bytes) shape.value_bytes = (bytes)

#define KERNELS(n)                                                                               \
  static size_t encode32_##n(const oct_vpc_spec *spec, oct_vpc_field *field,                     \
                             const uint32_t *values, const uint64_t *keys, size_t count,         \
                             uint8_t *codes, uint32_t *misses) {                                 \
    SHAPE(n, 0);                                                                                 \
    return oct_vpc_encode_kernel32(&shape, field, values, keys, count, codes, misses);           \
  }                                                                                              \
  static size_t encode64_##n(const oct_vpc_spec *spec, oct_vpc_field *field,                     \
                             const uint64_t *values, const uint64_t *keys, size_t count,         \
                             uint8_t *codes, uint64_t *misses) {                                 \
    SHAPE(n, 8);                                                                                 \
    return oct_vpc_encode_kernel64(&shape, field, values, keys, count, codes, misses);           \
  }                                                                                              \
  static int64_t decode32_##n(const oct_vpc_spec *spec, oct_vpc_field *field,                    \
                              const uint8_t *codes, const uint64_t *keys, size_t count,          \
                              const uint8_t *misses, size_t n_misses, uint32_t *values) {        \
    SHAPE(n, 0);                                                                                 \
    return oct_vpc_decode_kernel32(&shape, field, codes, keys, count, misses, n_misses, values); \
  }                                                                                              \
  static int64_t decode64_##n(const oct_vpc_spec *spec, oct_vpc_field *field,                    \
                              const uint8_t *codes, const uint64_t *keys, size_t count,          \
                              const uint8_t *misses, size_t n_misses, uint64_t *values) {        \
    SHAPE(n, 8);                                                                                 \
    return oct_vpc_decode_kernel64(&shape, field, codes, keys, count, misses, n_misses, values); \
  }

#define NUMBERS(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8)
NUMBERS(KERNELS)

const oct_vpc_kernels oct_vpc_any_kernels[OCT_VPC_TABLES_MAX + 1] = {
#define KERNELS_OF(n) {encode32_##n, encode64_##n, decode32_##n, decode64_##n},
    NUMBERS(KERNELS_OF)
#undef KERNELS_OF
};
