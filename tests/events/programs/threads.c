/* SPDX-License-Identifier: Apache-2.0 */
/* threads.c - a program to be recorded: threads that do the same, and a recursion. */
#include <pthread.h>

__attribute__((noinline)) int leaf(int x) {
  __asm__ volatile("");
  return x + 1;
}
__attribute__((noinline)) int middle(int x) {
  for (int i = 0; i < 3; i++) x = leaf(x);
  return x;
}
__attribute__((noinline)) int deep(int n) {
  __asm__ volatile("");
  return n ? deep(n - 1) + 1 : leaf(0);
}

static void *work(void *argument) {
  long x = 0;
  for (int i = 0; i < 40; i++) x += middle((int)x);
  (void)argument;
  return (void *)(x + deep(200));
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], 0, work, 0);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
  return work(0) == 0;
}
