/* SPDX-License-Identifier: Apache-2.0 */
/* sort.c - quicksort of 300 numbers by the C library, through a pointer to a function. */
#include <stdlib.h>

static int by_value(const void *a, const void *b) {
  int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

int main(void) {
  enum { N = 300 };
  static int numbers[N];
  unsigned state = 1;
  for (int i = 0; i < N; i++) numbers[i] = (int)((state = state * 1103515245 + 12345) >> 16);
  qsort(numbers, N, sizeof *numbers, by_value);
  for (int i = 1; i < N; i++)
    if (numbers[i - 1] > numbers[i]) return 1;
  return 0;
}
