// SPDX-License-Identifier: Apache-2.0
/* odd_program.c - a program whose flow its instructions do not tell: signals, jumps out of
 * functions and of a handler of faults, code that it writes again and again, threads, a child. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t ticks;
static sigjmp_buf behind_fault;
static jmp_buf behind_call;

static void on_tick(int signal) {
  (void)signal;
  ticks++;
}

static void on_fault(int signal) {
  (void)signal;
  siglongjmp(behind_fault, 1);
}

static void descend(int depth) {
  volatile char here[64];
  here[depth & 63] = (char)depth;
  if (depth > 20) longjmp(behind_call, depth);
  descend(depth + 1);
}

static int by_value(const void *a, const void *b) {
  return *(const int *)a - *(const int *)b;
}

static void *work(void *state) {
  unsigned *x = state;
  for (int i = 0; i < 2000; i++) {
    *x = *x * 1103515245u + 12345u;
    if (i % 100 == 0) sched_yield();
  }
  return NULL;
}

/* Write a function that returns value; its bytes. */
static size_t write_code(unsigned char *at, unsigned value) {
#if defined(__x86_64__) || defined(__i386__)
  const unsigned char code[] = {0xb8, (unsigned char)value, 0, 0, 0, 0xc3};
#elif defined(__aarch64__)
  const unsigned code[] = {0x52800000u | value << 5, 0xd65f03c0u};
#elif defined(__riscv)
  const unsigned code[] = {0x00000513u | value << 20, 0x00008067u};
#elif defined(__mips__)
  const unsigned code[] = {0x03e00008u, 0x24020000u | value, 0};
#elif defined(__thumb__)
  const unsigned short code[] = {(unsigned short)(0x2000u | value), 0x4770};
#else
  const unsigned code[] = {0xe3a00000u | value, 0xe12fff1eu};
#endif
  memcpy(at, code, sizeof code);
  return sizeof code;
}

static unsigned run_code(unsigned char *at) {
#ifdef __thumb__
  at++;
#endif
  return ((unsigned (*)(void))(void *)at)();
}

int main(int argc, char **argv) {
  if (argc > 1) return 0; /* the child */
  static int numbers[1500];
  struct itimerval timer = {{0, 2000}, {0, 2000}};
  signal(SIGALRM, on_tick);
  setitimer(ITIMER_REAL, &timer, NULL);
  do {
    for (int i = 0; i < 1500; i++) numbers[i] = rand();
    qsort(numbers, 1500, sizeof *numbers, by_value);
  } while (ticks < 3);
  memset(&timer, 0, sizeof timer);
  setitimer(ITIMER_REAL, &timer, NULL);
  for (int i = 0; i < 20; i++)
    if (!setjmp(behind_call)) descend(i);
  signal(SIGSEGV, on_fault);
  for (int i = 0; i < 5; i++)
    if (!sigsetjmp(behind_fault, 1)) *(volatile int *)8 = 1;
  unsigned char *code =
      mmap(NULL, 65536, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (code == MAP_FAILED) return 1;
  unsigned sum = 0;
  for (unsigned i = 0; i < 100; i++) {
    unsigned char *at = code + i % 3 * 64;
    size_t n = write_code(at, i);
    __builtin___clear_cache((char *)at, (char *)at + n);
    sum += run_code(at);
  }
  pthread_t threads[4];
  unsigned states[4] = {1, 2, 3, 4};
  for (int i = 0; i < 4; i++)
    if (pthread_create(&threads[i], NULL, work, &states[i])) return 1;
  for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
  pid_t child = vfork();
  if (!child) {
    execl(argv[0], argv[0], "child", (char *)NULL);
    _exit(0); /* an emulator may not find the program */
  }
  int status;
  waitpid(child, &status, 0);
  return sum == 4950 && !status ? 0 : 1;
}
