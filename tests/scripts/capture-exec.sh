#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# capture-exec.sh - is all recorded up to an exec, and all after one that fails?
. "$(dirname "$0")/../tools/lib.sh"

command -v qemu-x86_64 >found && [ "$(uname -m)" = x86_64 ] || exit 77
export OCT_BUILD="$BUILD" NINJA=true # nothing is to be built here

cat >prog.c <<'END'
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
volatile int count;
static void *other(void *unused) {
  for (;;) count++;
  return unused;
}
__attribute__((noinline)) void before(void) { count++; }
__attribute__((noinline)) void after(void) { count++; }
int main(int argc, char **argv) {
  pthread_t thread;
  before();
  if (argc > 2 && !strcmp(argv[2], "thread")) pthread_create(&thread, 0, other, 0);
  for (int i = 0; i < 3; i++) execl("/no/such/program", "x", (char *)0);
  int found = waitpid(-1, 0, 0); /* the guest has no child */
  printf("waited: %d\n", found);
  fflush(stdout);
  execl(argv[1], argv[1], "-c", "echo other; exit 7", (char *)0);
  after();
  return 3;
}
END
cc -g -O1 -no-pie -pthread -o prog prog.c
programs=prog
if command -v arm-linux-gnueabi-gcc >found; then # left out where it is missing
  arm-linux-gnueabi-gcc -O1 -static -pthread -o prog-arm prog.c
  programs="prog prog-arm"
fi

# ran PROGRAM TRACE FUNCTION: whether its trace has an instruction of this function.
ran() {
  addr=$(nm "$1" | sed -n "s/^0*\\([0-9a-f]*\\) T $3\$/\\1/p")
  [ -n "$addr" ] || die "$1 has no $3"
  as_text "$2" | grep -q "^0*$addr\\b"
}

for prog in $programs; do
  for thread in '' thread; do
    expect 0 "$SOURCE/scripts/capture" --limit 20000000 -o a.oct -- ./$prog /bin/sh $thread
    printf 'waited: -1\nother\n' | cmp - out
    one_line "capture: note: ./$prog was replaced by exec: what came before is recorded"
    ran $prog a.oct before || die "$prog: what came before exec is lost"
    ! ran $prog a.oct after || die "$prog: what never ran"
    rm a.oct
  done
  expect 0 "$SOURCE/scripts/capture" -o a.oct -- ./$prog /no/such/program
  one_line "capture: note: ./$prog exited with 3"
  ran $prog a.oct after || die "$prog: what came after a failed exec is lost"
  rm a.oct
done

# A program of another's making, one that a signal ends, and the instructions to leave out.
expect 0 "$SOURCE/scripts/capture" -o a.oct -- /usr/bin/env true
expect 0 "$OCTRACE" verify --engine untimed a.oct
expect 0 "$SOURCE/scripts/capture" -o a.oct -- /usr/bin/env sh -c 'kill -SEGV $$'
contains err 'capture: note: /usr/bin/env was replaced by exec: what came before is recorded'
expect 0 "$SOURCE/scripts/capture" -o a.oct -- /usr/bin/env sh -c 'exit 255'
expect 0 "$SOURCE/scripts/capture" --limit 100 -o a.oct -- /usr/bin/env false
[ ! -s err ] || die "the limit was before exec: $(cat err)"
expect 1 "$SOURCE/scripts/capture" --skip 99999999 -o a.oct -- /usr/bin/env false
contains err 'leaves nothing'

# A file that is no pipe, too: its end comes while the other program runs.
expect 0 qemu-x86_64 -plugin "$BUILD/tools/qemu/liboct_capture.so,out=b.oct" /usr/bin/env true
tries=0
until "$OCTRACE" info b.oct >out 2>err; do
  tries=$((tries + 1))
  [ $tries -lt 100 ] || die "no end is written: $(cat err)"
  sleep 0.1
done
