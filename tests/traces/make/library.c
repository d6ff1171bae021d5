/* SPDX-License-Identifier: Apache-2.0 */
/* library.c - a program that lives in the C library: of it the samples of instruction sets other
 * than ARM are made. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 2000, TEXT = 1000 };

static int compare(const void *a, const void *b) {
  int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

int main(void) {
  static int v[N];
  unsigned x = 1;
  double sum = 0;
  char line[64], *p = malloc(TEXT);
  if (!p) return 1;
  for (int i = 0; i < N; i++) {
    x = x * 1103515245u + 12345u;
    v[i] = (int)(x >> 8);
  }
  qsort(v, N, sizeof *v, compare);
  for (int i = 0; i < N; i++) {
    sum += v[i] * 0.5;
    if (i % 40) continue;
    snprintf(line, sizeof line, "%g %d %s\n", sum, v[i], i % 80 ? "odd" : "even");
    fputs(line, stdout);
  }
  memset(p, 'A', TEXT - 1);
  p[TEXT - 1] = 0;
  printf("%zu\n", strlen(p));
  free(p);
  return 0;
}
