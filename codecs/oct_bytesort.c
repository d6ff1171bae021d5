/* SPDX-License-Identifier: Apache-2.0 */
/* oct_bytesort.c - values to columns of bytes, sorted on the way, and back.
 *
 * The histogram of a column does not depend on the order, so all of them are counted at once. A
 * column with one value in it moves nothing: it costs a memset, and addresses have several of
 * those. Each other column costs one pass, which moves the values and writes the bytes of the next
 * column to where they are moved. */
#include "octrace/codec.h"

#include <string.h>

enum { SYMBOLS = 256, TILE = 1024 };

typedef uint32_t histogram[SYMBOLS];

static unsigned shift_of(unsigned width, unsigned column) {
  return 8 * (width - 1 - column);
}

/* Counts to where each symbol's place begins. */
static void to_starts(histogram h) {
  uint32_t sum = 0;
  for (unsigned c = 0; c < SYMBOLS; c++) {
    uint32_t count = h[c];
    h[c] = sum;
    sum += count;
  }
}

static void count_values(const uint64_t *values, size_t n, unsigned width, histogram *h) {
  memset(h, 0, width * sizeof *h);
  for (size_t i = 0; i < n; i++)
    for (unsigned k = 0; k < width; k++) h[k][values[i] >> shift_of(width, k) & 255]++;
}

static void unshuffle_column(const uint64_t *values, size_t n, unsigned shift, uint8_t *column) {
  for (size_t i = 0; i < n; i++) column[i] = (uint8_t)(values[i] >> shift);
}

/* Sort by the byte at `shift` and write the column at `next`. The values themselves are moved only
 * when more columns follow (to != NULL). */
static void sort_pass(const uint64_t *from, size_t n, unsigned shift, unsigned next, histogram at,
                      uint64_t *to, uint8_t *column) {
  to_starts(at);
  if (!to) {
    for (size_t i = 0; i < n; i++)
      column[at[from[i] >> shift & 255]++] = (uint8_t)(from[i] >> next);
    return;
  }
  for (size_t i = 0; i < n; i++) {
    uint64_t v = from[i];
    uint32_t place = at[v >> shift & 255]++;
    to[place] = v;
    column[place] = (uint8_t)(v >> next);
  }
}

void oct_bytesort(const uint64_t *values, size_t n, unsigned width, uint8_t *const *columns,
                  uint64_t *scratch) {
  histogram h[OCT_BYTESORT_COLUMNS_MAX];
  unsigned moving[OCT_BYTESORT_COLUMNS_MAX], n_moving = 0;
  if (!n) return;
  count_values(values, n, width, h);
  for (unsigned k = 0; k < width; k++) {
    uint8_t first = (uint8_t)(values[0] >> shift_of(width, k));
    if (h[k][first] == n)
      memset(columns[k], first, n);
    else
      moving[n_moving++] = k;
  }
  if (!n_moving) return;
  const uint64_t *from = values;
  uint64_t *to = scratch;
  unshuffle_column(values, n, shift_of(width, moving[0]), columns[moving[0]]);
  for (unsigned m = 0; m + 1 < n_moving; m++) {
    unsigned next = moving[m + 1];
    sort_pass(from, n, shift_of(width, moving[m]), shift_of(width, next), h[moving[m]],
              m + 2 < n_moving ? to : NULL, columns[next]);
    from = to;
    to = to == scratch ? scratch + n : scratch;
  }
}

/* Four tables, because equal bytes in a row would wait for each other. */
static void count_column(const uint8_t *column, size_t n, histogram h) {
  histogram part[4];
  memset(part, 0, sizeof part);
  size_t i = 0;
  for (; i + 4 <= n; i += 4)
    for (unsigned k = 0; k < 4; k++) part[k][column[i + k]]++;
  for (; i < n; i++) part[0][column[i]]++;
  for (unsigned c = 0; c < SYMBOLS; c++) h[c] = part[0][c] + part[1][c] + part[2][c] + part[3][c];
}

void oct_bytesort_undo(const uint8_t *const *columns, size_t n, unsigned width, uint64_t *values,
                       uint64_t *scratch) {
  histogram h[OCT_BYTESORT_COLUMNS_MAX];
  unsigned moving[OCT_BYTESORT_COLUMNS_MAX], n_moving = 0;
  uint64_t fixed = 0;
  if (!n) return;
  for (unsigned k = 0; k < width; k++) {
    count_column(columns[k], n, h[k]);
    if (h[k][columns[k][0]] == n)
      fixed |= (uint64_t)columns[k][0] << shift_of(width, k);
    else
      moving[n_moving++] = k;
  }
  if (!n_moving) {
    for (size_t i = 0; i < n; i++) values[i] = fixed;
    return;
  }
  /* Backwards from the last column. The values so far are in the order behind a sort; reading them
   * at the places where that sort put them restores the order before it. The number of passes says
   * which of the two arrays comes first for `values` to be the last. */
  unsigned m = n_moving - 1;
  uint64_t *from = m & 1 ? scratch : values;
  const unsigned last = shift_of(width, moving[m]);
  for (size_t i = 0; i < n; i++) from[i] = fixed | (uint64_t)columns[moving[m]][i] << last;
  while (m--) {
    uint64_t *to = from == values ? scratch : values;
    const uint8_t *column = columns[moving[m]];
    const unsigned shift = shift_of(width, moving[m]);
    uint32_t *at = h[moving[m]];
    to_starts(at);
    for (size_t i = 0; i < n; i++) to[i] = from[at[column[i]]++] | (uint64_t)column[i] << shift;
    from = to;
  }
}

void oct_unshuffle(const uint64_t *values, size_t n, unsigned width, uint8_t *const *columns) {
  for (size_t at = 0; at < n; at += TILE)
    for (unsigned k = 0; k < width; k++)
      unshuffle_column(values + at, n - at < TILE ? n - at : TILE, shift_of(width, k),
                       columns[k] + at);
}

void oct_unshuffle_undo(const uint8_t *const *columns, size_t n, unsigned width, uint64_t *values) {
  for (size_t at = 0; at < n; at += TILE) {
    size_t end = n - at < TILE ? n : at + TILE;
    for (size_t i = at; i < end; i++) values[i] = columns[0][i];
    for (unsigned k = 1; k < width; k++)
      for (size_t i = at; i < end; i++) values[i] = values[i] << 8 | columns[k][i];
  }
}

void oct_values_load(const uint8_t *bytes, size_t n, unsigned width, uint64_t *values) {
  for (size_t i = 0; i < n; i++, bytes += width) {
    uint64_t v = 0;
    for (unsigned b = width; b--;) v = v << 8 | bytes[b];
    values[i] = v;
  }
}

void oct_values_store(const uint64_t *values, size_t n, unsigned width, uint8_t *bytes) {
  for (size_t i = 0; i < n; i++, bytes += width)
    for (unsigned b = 0; b < width; b++) bytes[b] = (uint8_t)(values[i] >> 8 * b);
}
