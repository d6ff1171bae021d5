/* SPDX-License-Identifier: Apache-2.0 */
/* program.c - the program of the traces here: it sorts, counts, copies, adds fractions, calls
 * itself and the kernel, and has the kernel write where it has read before. Without a C library:
 *   ARCH-gcc -O1 -static -nostdlib -nostartfiles -fno-builtin -o program program.c -lgcc
 *   octrace capture --values -o ARCH.oct -- ./program */
#include <stdint.h>

#if defined(__riscv)
#define START                                                                        \
  "_start:\n.option push\n.option norelax\n la gp, __global_pointer$\n.option pop\n" \
  "mv a0, sp\n call run\n"
static long call(long n, long a, long b, long c) {
  register long r0 __asm__("a0") = a, r1 __asm__("a1") = b, r2 __asm__("a2") = c;
  register long r7 __asm__("a7") = n;
  __asm__ volatile("ecall" : "+r"(r0) : "r"(r1), "r"(r2), "r"(r7) : "memory");
  return r0;
}
enum { WRITE = 64, EXIT = 93, UNAME = 160 };
#elif defined(__aarch64__)
#define START "_start: mov x0, sp\n bl run\n"
static long call(long n, long a, long b, long c) {
  register long r0 __asm__("x0") = a, r1 __asm__("x1") = b, r2 __asm__("x2") = c;
  register long r8 __asm__("x8") = n;
  __asm__ volatile("svc #0" : "+r"(r0) : "r"(r1), "r"(r2), "r"(r8) : "memory");
  return r0;
}
enum { WRITE = 64, EXIT = 93, UNAME = 160 };
#elif defined(__arm__)
#define START "_start: mov r0, sp\n bl run\n"
static long call(long n, long a, long b, long c) {
  register long r0 __asm__("r0") = a, r1 __asm__("r1") = b, r2 __asm__("r2") = c;
  register long r7 __asm__("r7") = n;
  __asm__ volatile("svc #0" : "+r"(r0) : "r"(r1), "r"(r2), "r"(r7) : "memory");
  return r0;
}
enum { WRITE = 4, EXIT = 1, UNAME = 122 };
#else
#define START "_start: mov %rsp, %rdi\n call run\n"
static long call(long n, long a, long b, long c) {
  long result;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(n), "D"(a), "S"(b), "d"(c)
                   : "rcx", "r11", "memory");
  return result;
}
enum { WRITE = 1, EXIT = 60, UNAME = 63 };
#endif
__asm__(".globl _start\n" START);

enum { WORDS = 60, TEXT = 390 };
static uint32_t words[WORDS];
static char text[TEXT];
static volatile int victim = 42;

static void sort(uint32_t *p, int n) {
  int i = 0, k = n - 1;
  uint32_t middle = p[n / 2];
  while (i <= k) {
    while (p[i] < middle) i++;
    while (p[k] > middle) k--;
    if (i > k) break;
    uint32_t t = p[i];
    p[i++] = p[k];
    p[k--] = t;
  }
  if (k > 0) sort(p, k + 1);
  if (i < n - 1) sort(p + i, n - i);
}

static uint32_t sum_text(void) {
  uint32_t sum = 0;
  for (int i = 0; i < TEXT; i++) sum = sum * 31 + (unsigned char)text[i];
  return sum;
}

#if defined(__thumb2__)
/* Conditional code: IT blocks, and that of ARM in front of a return. */
uint32_t choose(uint32_t *p, int n);
__asm__(
    ".thumb\n.thumb_func\nchoose: push {r4, lr}\n mov r2, #0\n"
    "1: ldr r3, [r0]\n tst r3, #1\n"
    "ittee ne\n addne r2, r2, r3\n strne r2, [r0]\n ldreq r4, [r0, #4]\n pusheq {r3, r4}\n"
    "itt eq\n popeq {r3, r4}\n eoreq r2, r2, r4\n"
    "tst r3, #2\n ite eq\n lsreq r3, r3, #3\n addne r3, r3, #5\n"
    "it hi\n addhi r2, r2, #1\n"
    "blx 2f\n"
    "add r0, #4\n subs r1, #1\n bne 1b\n mov r0, r2\n pop {r4, pc}\n"
    ".arm\n.align 2\n2: push {r0, lr}\n tst r3, #4\n"
    "ldrbne r12, [r0], #1\n strbne r12, [r0]\n addeq r2, r2, #9\n ldrbhs r12, [r0]\n"
    "strbhs r12, [r0]\n pop {r0, pc}\n.thumb\n");
#else
static uint32_t choose(uint32_t *p, int n) {
  (void)p, (void)n;
  return 0;
}
#endif

void run(const long *stack) {
  uint32_t seed = 1, sum = (uint32_t)stack[0];
  double fraction = 0;
  for (int round = 0; round < 3; round++) {
    for (int i = 0; i < WORDS; i++) words[i] = (seed = seed * 1103515245 + 12345) >> 8;
    sort(words, WORDS);
    sum += sum_text(); /* zeros, and then what the kernel wrote */
    call(UNAME, (long)text, 0, 0);
    for (int i = 0; i < WORDS; i++) fraction += (double)words[i] / (i + 1);
    for (int i = 0; i + 8 < TEXT; i += 7) text[i] ^= text[i + 3];
    victim += (int)words[round] & 1 ? 1 : -1;
    sum += sum_text() + (uint32_t)(fraction / 1e6) + choose(words, WORDS - 1);
  }
  if (sum == 12345) victim = 7;
  call(WRITE, 1, (long)"done\n", 5);
  call(EXIT, 0, 0, 0);
}
