/* SPDX-License-Identifier: Apache-2.0 */
/* quicksort.c - the paper's two examples. Usage: quicksort SIZE TIMES: sort an array of SIZE random
 * numbers, always the same, TIMES times. Small and often: regular; large and once: irregular. */
#include <stdlib.h>
#include <string.h>

__attribute__((noinline)) void swap(int *a, int *b) {
  int c = *a;
  *a = *b;
  *b = c;
  __asm__ volatile("" ::: "memory");
}

__attribute__((noinline)) int divide(int *a, int low, int high) {
  int pivot = a[low + (high - low) / 2], i = low - 1, j = high + 1;
  for (;;) {
    do i++;
    while (a[i] < pivot);
    do j--;
    while (a[j] > pivot);
    if (i >= j) return j;
    swap(&a[i], &a[j]);
  }
}

__attribute__((noinline)) void quicksort(int *a, int low, int high) {
  if (low >= high) return;
  int middle = divide(a, low, high);
  quicksort(a, low, middle);
  quicksort(a, middle + 1, high);
}

int main(int argc, char **argv) {
  int size = argc > 1 ? atoi(argv[1]) : 0, times = argc > 2 ? atoi(argv[2]) : 1;
  if (size < 1) return 2;
  int *from = malloc((size_t)size * sizeof *from), *a = malloc((size_t)size * sizeof *a);
  if (!from || !a) return 1;
  srand(1);
  for (int i = 0; i < size; i++) from[i] = rand();
  for (int i = 0; i < times; i++) {
    memcpy(a, from, (size_t)size * sizeof *a);
    quicksort(a, 0, size - 1);
  }
  return a[0] > a[size - 1];
}
