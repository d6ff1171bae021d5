#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# capture-values.sh - are captures with values executed by `replay`? Programs with threads, each with storage of its
# own, and with the string functions that the C library chooses for the processor; the library of each set.
. "$(dirname "$0")/../tools/lib.sh"

export OCT_BUILD="$BUILD" NINJA=true # nothing is to be built here
command -v qemu-x86_64 >found && command -v cc >found && [ "$(uname -m)" = x86_64 ] || exit 77

cat >prog.c <<'END'
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static __thread int mine[64];
static void *work(void *seed) {
  static char text[4][4000];
  char *line = text[*(int *)seed];
  for (int i = 0; i < 400; i++) {
    mine[i % 64] += i * *(int *)seed;
    memset(line, 'a' + i % 26, (size_t)i);
    memmove(line + i, line, (size_t)i);
    errno = strlen(line) > 700 ? ERANGE : errno;
  }
  return mine;
}
int main(void) {
  pthread_t threads[2];
  int seeds[3] = {1, 2, 3};
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, &seeds[i]);
  work(&seeds[2]);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  printf("%d %g\n", mine[5], atof("2.5"));
  return 0;
}
END

# executed FILE: nearly all of it is executed by the decoder, and comes back.
executed() {
  expect 0 "$OCTRACE" verify --tracer replay -g replay,core_waits=1 "$1"
  expect 0 "$OCTRACE" compress --tracer replay --json -o port.octp "$1"
  python3 - <<'END' || die "$1: $(cat out)"
import json
counts = json.load(open("out"))
assert counts["executed"] > 0.99 * counts["instructions"] > 20000, (counts["executed"], counts["instructions"])
END
}

for options in '-static -no-pie' ''; do
  # shellcheck disable=SC2086 # options
  cc -O1 -pthread $options -o prog prog.c
  expect 0 "$SOURCE/scripts/capture" --values -o prog.oct -- ./prog
  # Without Unicorn there is no emulator for x86-64, number 7.
  "$OCTRACE" compress --tracer replay -g replay,isa=7 -o port.octp prog.oct >out 2>&1 || exit 77
  executed prog.oct
done
for set in aarch64-linux-gnu riscv64-linux-gnu; do
  [ -f "/usr/$set/lib/libc.so.6" ] || exit 77 # scripts/test installs them
  expect 0 "$SOURCE/scripts/capture" --values --root "/usr/$set" -o c.oct -- "/usr/$set/lib/libc.so.6"
  executed c.oct
done
