/* SPDX-License-Identifier: Apache-2.0 */
/* matrix.c - product of two matrices of 16-bit numbers, and of its transpose. */
#include <stdint.h>

enum { N = 12 };
static int16_t a[N][N], b[N][N];
static int32_t product[N][N], transposed[N][N];

int main(void) {
  for (int i = 0; i < N; i++)
    for (int k = 0; k < N; k++) {
      a[i][k] = (int16_t)(i * 7 - k * 3);
      b[i][k] = (int16_t)(i * k - 40);
    }
  for (int i = 0; i < N; i++)
    for (int k = 0; k < N; k++)
      for (int m = 0; m < N; m++) {
        product[i][k] += a[i][m] * b[m][k];
        transposed[k][i] += b[m][k] * a[i][m];
      }
  for (int i = 0; i < N; i++)
    for (int k = 0; k < N; k++)
      if (product[i][k] != transposed[k][i]) return 1;
  return 0;
}
