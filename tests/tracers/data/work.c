/* SPDX-License-Identifier: Apache-2.0 */
/* work.c - what the traces of this folder were recorded from: sorting through function pointers,
 * recursion, a switch, string formatting. */
#ifdef FREESTANDING
/* Without a C library, whose code would not be of T32. */
typedef __SIZE_TYPE__ size_t;
static size_t strlen(const char *s) {
  size_t n = 0;
  while (s[n]) n++;
  return n;
}
static void qsort(void *p, size_t n, size_t size, int (*compare)(const void *, const void *)) {
  int *v = p;
  (void)size;
  for (size_t i = 1; i < n; i++)
    for (size_t k = i; k && compare(&v[k - 1], &v[k]) > 0; k--) {
      int t = v[k];
      v[k] = v[k - 1];
      v[k - 1] = t;
    }
}
static void snprintf(char *out, size_t n, const char *format, int a, unsigned b, unsigned c) {
  for (size_t i = 0; i + 1 < n; i++)
    out[i] = (char)(format[i % 8] + (int)(b >> i % 31) + a + (int)c);
}
int main(void);
void _start(void) {
  register int status __asm__("r0") = main();
  register int call __asm__("r7") = 1;
  __asm__ volatile("svc 0" ::"r"(status), "r"(call));
}
#else
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#endif

static int up(const void *a, const void *b) {
  return *(const int *)a - *(const int *)b;
}
static int down(const void *a, const void *b) {
  return up(b, a);
}

static unsigned fib(unsigned n) {
  return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

static unsigned step(unsigned op, unsigned x) {
  switch (op) {
    case 0:
      return x + 7;
    case 1:
      return x * 5;
    case 2:
      return x ^ x >> 3;
    case 3:
      return fib(x % 9);
    case 4:
      return (unsigned)strlen(x & 1 ? "one" : "three");
    default:
      return ~x;
  }
}

int main(void) {
  int v[64];
  char text[64];
  unsigned x = 1;
  for (int round = 0; round < 200; round++) {
    for (int i = 0; i < 64; i++) v[i] = (int)((x = x * 1103515245u + 12345u) >> 16);
    qsort(v, 64, sizeof *v, round & 1 ? up : down);
    for (int i = 0; i < 64; i++) x += step((unsigned)v[i] % 6, x);
    snprintf(text, sizeof text, "%d %u %x", round, x, x);
    x += (unsigned char)text[3];
  }
  return (int)(x & 1);
}
