#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# capture-threads.sh - is each thread of a program a task of its own? Threads begin one after the other's end and at the
# same time: tasks are numbered as they begin, and no number is used again.
. "$(dirname "$0")/../tools/lib.sh"

export OCT_BUILD="$BUILD" NINJA=true # nothing is to be built here
command -v qemu-x86_64 >found && command -v cc >found && [ "$(uname -m)" = x86_64 ] || exit 77

cat >prog.c <<'END'
#include <pthread.h>
static volatile long sum;
static void *work(void *number) {
  for (long i = 0; i < 10 * (long)number; i++) sum++;
  return NULL;
}
int main(void) {
  pthread_t threads[6];
  for (long i = 0; i < 6; i++) {
    pthread_create(&threads[i], NULL, work, (void *)(i + 1));
    if (i < 3) pthread_join(threads[i], NULL);
  }
  for (int i = 3; i < 6; i++) pthread_join(threads[i], NULL);
  pthread_create(&threads[0], NULL, work, (void *)7);
  pthread_join(threads[0], NULL);
  return 0;
}
END

for compiler in cc aarch64-linux-gnu-gcc riscv64-linux-gnu-gcc; do
  command -v $compiler >found || exit 77 # scripts/test installs them
  $compiler -O1 -pthread -static -o prog prog.c
  expect 0 "$SOURCE/scripts/capture" -o prog.oct -- ./prog
  expect 0 "$OCTRACE" convert --to text prog.oct prog.txt
  grep -o ' T:[0-9][0-9]*' prog.txt | sort -u | tr -d '\n' >tasks
  [ "$(cat tasks)" = ' T:1 T:2 T:3 T:4 T:5 T:6 T:7' ] || die "$compiler: tasks $(cat tasks)"
  expect 0 "$OCTRACE" calls prog.oct prog.folded
  n=$(grep 'work' prog.folded | grep -c 'work.*work') || :
  [ "$n" -eq 0 ] || die "$compiler: stacks of several threads: $(cat prog.folded)"
done
