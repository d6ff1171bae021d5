#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# capture-atomics.sh - do captures with values tell `replay` what threads see? Threads that lock, add, exchange and
# compute in floating point, by instruction set: each access has a value, and hardly any is corrected.
. "$(dirname "$0")/../tools/lib.sh"

export OCT_BUILD="$BUILD" NINJA=true # nothing is to be built here
command -v qemu-x86_64 >found && command -v cc >found && [ "$(uname -m)" = x86_64 ] || exit 77

cat >prog.c <<'END'
#include <math.h>
#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long count, added, state[2];
static __thread double sum;
static void *work(void *seed) {
  double part = *(int *)seed;
  for (int i = 0; i < 1500; i++) {
    pthread_mutex_lock(&lock);
    part = part * 0.75 + sqrt(i + 0.5);
    sum += sin(part);
    count += (long)part;
    pthread_mutex_unlock(&lock);
    if (i % 4) continue;
    __atomic_fetch_add(&added, i, __ATOMIC_SEQ_CST);
    __atomic_store_n(&state[1], __atomic_exchange_n(&state[0], i, __ATOMIC_SEQ_CST), __ATOMIC_SEQ_CST);
  }
  count += (long)(sum + part);
  return NULL;
}
int main(void) {
  pthread_t threads[2];
  int seeds[2] = {1, 2};
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, &seeds[i]);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  printf("%ld %ld\n", count, added);
  return 0;
}
END

for compiler in cc aarch64-linux-gnu-gcc arm-linux-gnueabihf-gcc riscv64-linux-gnu-gcc; do
  command -v $compiler >found || exit 77 # scripts/test installs them
  thumb=
  [ $compiler != arm-linux-gnueabihf-gcc ] || thumb=--thumb
  $compiler -O1 -pthread -static -o prog prog.c -lm
  expect 0 "$SOURCE/scripts/capture" --values $thumb --limit 120000 -o prog.oct -- ./prog
  "$OCTRACE" view prog.oct >text
  # A few, where another thread ran right in front of the access.
  grep -E ' [LS][1248]:0x[0-9a-f]+( |$)' text >out || :
  [ "$(wc -l <out)" -lt 20 ] || die "$compiler: accesses without values: $(head -n 3 out)"
  "$OCTRACE" verify --tracer replay -g replay,core_waits=1 prog.oct >out 2>&1 || { grep -q 'built without' out && exit 77; } || die "$compiler: $(cat out)"
  expect 0 "$OCTRACE" compress --tracer replay --json -o port.octp prog.oct
  python3 - <<'END' || die "$compiler: $(cat out)"
import json
counts = json.load(open("out"))
assert counts["executed"] > 0.99 * counts["instructions"] > 100000, (counts["executed"], counts["instructions"])
assert counts["access_corrections"] < 30, counts["access_corrections"]
assert counts["jumps"] < 10, counts["jumps"]
END
done
