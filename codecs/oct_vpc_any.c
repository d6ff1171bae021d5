/* SPDX-License-Identifier: Apache-2.0 */
/* oct_vpc_any.c - the kernels for any specification: one for each number of tables, and again for
 * tables of two values that are always updated, which is what most specifications have.
 *
 * With OCT_VPC_ONE_KERNEL there is one for all, since clang with sanitizers takes minutes for the
 * others. */
#include "oct_vpc_kernel.h"

/* The specification with what the compiler shall see as constants; its own number of tables when
 * there can be none of n_tables. */
OCT_INLINE oct_vpc_spec shape_of(const oct_vpc_spec *spec, unsigned n_tables, bool pairs,
                                 unsigned value_bytes) {
  oct_vpc_spec shape = *spec;
  if (n_tables <= OCT_VPC_TABLES_MAX) shape.n_tables = (uint8_t)n_tables;
  if (value_bytes) shape.value_bytes = (uint8_t)value_bytes;
  if (!pairs) return shape;
  shape.changed_only = 0;
  for (unsigned t = 0; t < OCT_VPC_TABLES_MAX; t++) shape.tables[t].depth = 2;
  return shape;
}

#define KERNELS(n, pairs)                                                                          \
  static size_t encode32_##n##_##pairs(const oct_vpc_spec *spec, oct_vpc_field *field,             \
                                       const uint32_t *values, const uint64_t *keys, size_t count, \
                                       uint8_t *codes, uint32_t *misses) {                         \
    const oct_vpc_spec shape = shape_of(spec, n, pairs, 0);                                        \
    return oct_vpc_encode_kernel32(&shape, field, values, keys, count, codes, misses);             \
  }                                                                                                \
  static size_t encode64_##n##_##pairs(const oct_vpc_spec *spec, oct_vpc_field *field,             \
                                       const uint64_t *values, const uint64_t *keys, size_t count, \
                                       uint8_t *codes, uint64_t *misses) {                         \
    const oct_vpc_spec shape = shape_of(spec, n, pairs, 8);                                        \
    return oct_vpc_encode_kernel64(&shape, field, values, keys, count, codes, misses);             \
  }                                                                                                \
  static int64_t decode32_##n##_##pairs(                                                           \
      const oct_vpc_spec *spec, oct_vpc_field *field, const uint8_t *codes, const uint64_t *keys,  \
      size_t count, const uint8_t *misses, size_t n_misses, uint32_t *values) {                    \
    const oct_vpc_spec shape = shape_of(spec, n, pairs, 0);                                        \
    return oct_vpc_decode_kernel32(&shape, field, codes, keys, count, misses, n_misses, values);   \
  }                                                                                                \
  static int64_t decode64_##n##_##pairs(                                                           \
      const oct_vpc_spec *spec, oct_vpc_field *field, const uint8_t *codes, const uint64_t *keys,  \
      size_t count, const uint8_t *misses, size_t n_misses, uint64_t *values) {                    \
    const oct_vpc_spec shape = shape_of(spec, n, pairs, 8);                                        \
    return oct_vpc_decode_kernel64(&shape, field, codes, keys, count, misses, n_misses, values);   \
  }

#ifdef OCT_VPC_ONE_KERNEL
#define NUMBERS(X, pairs) X(255, pairs)
enum { N_NUMBERS = 1 };
#else
#define NUMBERS(X, pairs) \
  X(0, pairs)             \
  X(1, pairs) X(2, pairs) X(3, pairs) X(4, pairs) X(5, pairs) X(6, pairs) X(7, pairs) X(8, pairs)
enum { N_NUMBERS = OCT_VPC_TABLES_MAX + 1 };
#endif
NUMBERS(KERNELS, 0)
NUMBERS(KERNELS, 1)

oct_vpc_kernels oct_vpc_kernels_for(const oct_vpc_spec *spec) {
#define KERNELS_OF(n, pairs) \
  {encode32_##n##_##pairs, encode64_##n##_##pairs, decode32_##n##_##pairs, decode64_##n##_##pairs},
  static const oct_vpc_kernels kernels[2][N_NUMBERS] = {{NUMBERS(KERNELS_OF, 0)},
                                                        {NUMBERS(KERNELS_OF, 1)}};
#undef KERNELS_OF
  bool pairs = !spec->changed_only;
  for (unsigned t = 0; t < spec->n_tables; t++) pairs = pairs && spec->tables[t].depth == 2;
  return kernels[pairs][spec->n_tables % N_NUMBERS];
}
