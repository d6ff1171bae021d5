#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# capture-unmap.sh - do captures tell that memory is gone? A program gives pages back to the kernel, by
# madvise, munmap, mremap and brk; other advice leaves them.
. "$(dirname "$0")/../tools/lib.sh"

export OCT_BUILD="$BUILD" NINJA=true # nothing is to be built here
command -v qemu-x86_64 >found && command -v cc >found && [ "$(uname -m)" = x86_64 ] || exit 77

cat >prog.c <<'END'
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>
int main(void) {
  char *a = mmap(NULL, 3 << 12, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  printf("%llx %llx\n", (unsigned long long)a, (unsigned long long)a + 4096);
  a[0] = a[4096] = 1;
  madvise(a, 3 << 12, MADV_RANDOM);
  madvise(a, 1 << 12, MADV_DONTNEED);
  munmap(a + 4096, 2 << 12);
  char *b = mmap(NULL, 4 << 12, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  char *c = mmap(NULL, 4 << 12, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  b[0] = b[4096] = c[0] = c[4096] = 1;
  mremap(b, 4 << 12, 1 << 12, 0);
  mremap(b, 1 << 12, 1 << 12, MREMAP_MAYMOVE | MREMAP_FIXED, c);
  char *end = sbrk(3 << 12);
  brk(end + 4096);
  printf("%llx %llx %llx\n", (unsigned long long)b + 4096, (unsigned long long)b,
         (unsigned long long)(((uintptr_t)end + 4096 + 4095) & ~(uintptr_t)4095));
  return 0;
}
END
cc -O1 -o prog prog.c
"$SOURCE/scripts/capture" --values -o prog.oct -- ./prog >printed
{ read -r first second; read -r third fourth fifth; } <printed
"$OCTRACE" convert --to text prog.oct - | grep -E "^!memory 0*($first|$second|$third|$fourth|$fifth) " | sed 's/^!memory 0*//' >told
printf '%s %s\n' "$first" 12288 "$first" 4096 "$second" 8192 "$fourth" 16384 "$third" 12288 "$fourth" 4096 \
  "$fifth" 8192 >expected
diff expected told
