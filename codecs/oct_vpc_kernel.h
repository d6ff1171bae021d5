/* SPDX-License-Identifier: Apache-2.0 */
/* oct_vpc_kernel.h - inside of the library: the kernels of the VPC engine for 32-bit and 64-bit
 * elements. A caller whose specification is a compile-time constant gets them unrolled and free of
 * branches on it; oct_vpc_any.c has them for any specification, unrolled by the number of tables,
 * so that every branch that is left goes the same way each time. */
#ifndef OCT_VPC_KERNEL_H
#define OCT_VPC_KERNEL_H

#include "oct_endian.h"
#include "oct_hash.h"
#include "oct_inline.h"
#include "oct_vpc_engine.h"

/* Values ahead of the one at work whose first-level line is fetched. */
#define OCT_VPC_AHEAD 12

OCT_INLINE uint32_t oct_vpc_mix(uint64_t value) {
  return (uint32_t)(value * OCT_HASH_FACTOR >> 32);
}

/* Where the hash for a table stands. Tables that are not there have order 0, which the compiler
 * sees when it unrolls. */
OCT_INLINE unsigned oct_vpc_order_index(const oct_vpc_table *table) {
  return table->order ? table->order - 1u : 0;
}

OCT_INLINE uint32_t oct_vpc_turn(uint32_t hash) {
  return hash << 11 | hash >> 21;
}

/* Shift the hashes of orders 1..n one value further. */
OCT_INLINE void oct_vpc_hash(uint32_t *hash, unsigned n, uint64_t value) {
  uint32_t mixed = oct_vpc_mix(value);
  switch (n) {
    default:
      for (unsigned k = n; k-- > 3;) hash[k] = oct_vpc_turn(hash[k - 1]) ^ mixed;
      /* fallthrough */
    case 3:
      hash[2] = oct_vpc_turn(hash[1]) ^ mixed;
      /* fallthrough */
    case 2:
      hash[1] = oct_vpc_turn(hash[0]) ^ mixed;
      /* fallthrough */
    case 1:
      hash[0] = mixed;
  }
}

/* The line of value number i, with a look ahead. A field of one line has it in the kernel's own
 * memory, where no store to a table can touch it, and with a constant specification in registers.
 */
OCT_INLINE uint8_t *oct_vpc_line(const oct_vpc_spec *spec, const oct_vpc_field *field,
                                 size_t line_bytes, const uint64_t *keys, size_t i, size_t n) {
  uint64_t mask = ((uint64_t)1 << spec->l1_log2) - 1;
  uint8_t *ahead =
      field->lines + (keys[i + OCT_VPC_AHEAD < n ? i + OCT_VPC_AHEAD : i] & mask) * line_bytes;
  __builtin_prefetch(ahead, 1);
  __builtin_prefetch(ahead + line_bytes - 1, 1);
  return field->lines + (keys[i] & mask) * line_bytes;
}

#define OCT_VPC_T uint32_t
#define OCT_VPC_NAME(name) name##32
#include "oct_vpc_template.h"
#undef OCT_VPC_T
#undef OCT_VPC_NAME
#define OCT_VPC_T uint64_t
#define OCT_VPC_NAME(name) name##64
#include "oct_vpc_template.h"
#undef OCT_VPC_T
#undef OCT_VPC_NAME

#endif
