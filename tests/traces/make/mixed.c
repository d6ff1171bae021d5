/* SPDX-License-Identifier: Apache-2.0 */
/* mixed.c - a program without a library, of which the small traces are made: sorting, a checksum, a
 * switch, calls through pointers, recursion, floating point, bytes and halfwords. */
#if defined __x86_64__
__asm__(
    ".globl _start\n_start:\n and $-16,%rsp\n call run\n mov %eax,%edi\n mov $60,%eax\n syscall");
#elif defined __aarch64__
__asm__(".globl _start\n_start:\n bl run\n mov x8,#93\n svc #0");
#elif defined __riscv
__asm__(
    ".globl _start\n_start:\n .option push\n .option norelax\n la gp,__global_pointer$\n"
    " .option pop\n call run\n li a7,93\n ecall");
#elif defined __thumb__
__asm__(
    ".syntax unified\n.thumb\n.globl _start\n.thumb_func\n_start:\n bl run\n movs r7,#1\n svc #0");
#elif defined __arm__
__asm__(".globl _start\n_start:\n bl run\n mov r7,#1\n svc #0");
#elif defined __mips__
__asm__(
    ".set noreorder\n.globl __start\n__start:\n jal run\n nop\n move $4,$2\n li $2,4001\n syscall");
#endif

enum { N = 64 };
static int numbers[N];
static unsigned char text[N];
static unsigned short halves[N];
static double matrix[3][4][4];

static void sort(int *v, int n) {
  if (n < 2) return;
  int pivot = v[n / 2], i = 0, j = n - 1;
  while (i <= j) {
    while (v[i] < pivot) i++;
    while (v[j] > pivot) j--;
    if (i <= j) {
      int t = v[i];
      v[i++] = v[j];
      v[j--] = t;
    }
  }
  sort(v, j + 1);
  sort(v + i, n - i);
}

static unsigned checksum(const unsigned char *p, int n) {
  unsigned crc = ~0u;
  while (n--) {
    crc ^= *p++;
    for (int k = 0; k < 8; k++) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
  }
  return ~crc;
}

static unsigned select_one(unsigned k, unsigned x) {
  switch (k % 8) {
    case 0:
      return x + 1;
    case 1:
      return x * 3;
    case 2:
      return x ^ 0x55;
    case 3:
      return x >> 1;
    case 4:
      return x - k;
    case 5:
      return ~x;
    case 6:
      return x << 2;
    default:
      return k;
  }
}

static unsigned twice(unsigned x) {
  return 2 * x;
}
static unsigned plus_one(unsigned x) {
  return x + 1;
}
static unsigned (*volatile const steps[2])(unsigned) = {twice, plus_one};

static unsigned fibonacci(unsigned n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

static void multiply(void) {
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) {
      double sum = 0;
      for (int k = 0; k < 4; k++) sum += matrix[0][i][k] * matrix[1][k][j];
      matrix[2][i][j] = sum;
    }
}

__attribute__((used)) int run(void) {
  unsigned x = 1;
  for (int i = 0; i < N; i++) {
    x = x * 1103515245u + 12345u;
    numbers[i] = (int)(x >> 8);
    text[i] = (unsigned char)(x >> 16);
    halves[i] = (unsigned short)(x >> 12);
    matrix[i % 2][i / 16][i / 4 % 4] = (double)(int)(x >> 20);
  }
  sort(numbers, N);
  x = checksum(text, N);
  for (unsigned i = 0; i < N; i++) x = steps[i & 1](select_one(i, x + halves[i]));
  multiply();
  x += fibonacci(7) + (unsigned)(int)matrix[2][1][1];
  return (int)(x & 63);
}
