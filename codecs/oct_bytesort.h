/* SPDX-License-Identifier: Apache-2.0 */
/* oct_bytesort.h - values to columns of bytes, as they come (byte-unshuffling) or sorted on the way
 * (bytesort, section 4.1 of Michaud 2009), and back.
 *
 * A value has width_bytes bytes, 1 .. 8; column 0 holds the most significant ones. All columns have
 * n bytes. Time and space are linear.
 *
 * Threads: All functions may be called by any threads on memory of their own. */
#ifndef OCT_BYTESORT_H
#define OCT_BYTESORT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { OCT_BYTESORT_COLUMNS_MAX = 8 };

/* Column 0 is in the order of the values. Before each further column is written, the values are
 * sorted by the column before it; the sort is stable, and so it can be undone from the columns
 * alone. n < 2^32. scratch: room for 2 * n values; values may not overlap it. */
void oct_bytesort(const uint64_t *values, size_t n, unsigned width_bytes, uint8_t *const *columns,
                  uint64_t *scratch);
/* Any columns are those of some values, so this cannot fail. scratch: room for n values. */
void oct_bytesort_undo(const uint8_t *const *columns, size_t n, unsigned width_bytes,
                       uint64_t *values, uint64_t *scratch);

/* All columns in the order of the values. */
void oct_unshuffle(const uint64_t *values, size_t n, unsigned width_bytes, uint8_t *const *columns);
void oct_unshuffle_undo(const uint8_t *const *columns, size_t n, unsigned width_bytes,
                        uint64_t *values);

/* n values of 1, 2, 4 or 8 little-endian bytes each, from and to bytes. */
void oct_values_load(const uint8_t *bytes, size_t n, unsigned width_bytes, uint64_t *values);
void oct_values_store(const uint64_t *values, size_t n, unsigned width_bytes, uint8_t *bytes);

#ifdef __cplusplus
}
#endif
#endif
