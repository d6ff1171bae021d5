#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# capture-crash.sh - does a program that a signal ends leave all that it did before, on each instruction set?
. "$(dirname "$0")/../tools/lib.sh"

command -v qemu-x86_64 >found || exit 77
export OCT_BUILD="$BUILD" NINJA=true # nothing is to be built here

cat >prog.c <<'END'
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
volatile int count, *nowhere;
__attribute__((noinline)) void crash(void) { *nowhere = 5; }
__attribute__((noinline)) void end(void) { count++; }
static void *run(void *unused) {
  crash();
  return unused;
}
int main(int argc, char **argv) {
  pthread_t thread;
  for (int i = 0; i < 1000; i++) count++;
  switch (argc > 1 ? argv[1][0] : 0) {
    case 'a': end(); abort();
    case 't': pthread_create(&thread, 0, run, 0); for (;;) count++;
    case 'f': if (!fork()) crash(); wait(0); raise(SIGSTOP); end(); return 0;
    case 'k': for (int i = 0; i < 100000; i++) count++; kill(getpid(), SIGKILL);
    case 'e': return 139;
    default: crash();
  }
  return 0;
}
END

# capture PROGRAM CODE WORD MESSAGE
capture() {
  expect "$2" "$SOURCE/scripts/capture" --root / $thumb -o a.oct -- "./$1" "$3" <found
  contains err "^capture: .*./$1.*$4\$"
  ls ./*.part* ./*.core >found 2>&1 && die "left behind: $(cat found)"
  expect 0 "$OCTRACE" verify --engine untimed a.oct
}

# starts FUNCTION: its first instruction is in the text; its address is in `addr`.
starts() {
  addr=$(nm prog | sed -n "s/^0*\\([0-9a-f]*\\) T $1\$/\\1/p")
  [ -z "$thumb" ] || addr=$(printf %x $((0x$addr & ~1))) # the lowest bit says Thumb
  grep -q "^0*$addr\\b" text
}

n=0
for compiler in cc aarch64-linux-gnu-gcc arm-linux-gnueabi-gcc arm-linux-gnueabihf-gcc riscv64-linux-gnu-gcc \
  mips-linux-gnu-gcc mipsel-linux-gnu-gcc; do
  command -v "$compiler" >found || continue
  thumb=
  [ $compiler != arm-linux-gnueabihf-gcc ] || thumb=--thumb
  # A library for static programs may be missing.
  "$compiler" -O1 -static -no-pie -w -o prog prog.c -lpthread 2>err || continue
  n=$((n + 1))
  # The trace ends within the small function that crashed.
  capture prog 3 '' 'ended by signal 11 (SEGV): what came before is recorded'
  as_text a.oct >text
  starts crash || die "$compiler: no trace of the crash"
  [ "$(tail -n 12 text | grep -c "^0*$addr\\b")" -ge 1 ] || die "$compiler: the crash is not at the end: $(tail -n 12 text)"
  capture prog 3 abort 'ended by signal 6 (ABRT): what came before is recorded'
  as_text a.oct >text
  starts end || die "$compiler: no trace of what came before abort"
  capture prog 3 thread 'ended by signal 11 (SEGV): what came before is recorded'
  as_text a.oct >text
  starts crash || die "$compiler: no trace of the thread that crashed"
  capture prog 3 kill 'ended by signal 9 (KILL): what came before is recorded (but for the last instructions, up to 65536)'
  # A status like that of a signal is no signal.
  capture prog 0 exit ' exited with 139'
done
[ $n -gt 0 ] || exit 77

# A child that crashes does not end the trace, and neither does a stop.
cc -O1 -static -no-pie -w -o prog prog.c -lpthread
thumb=
TMPDIR="$work" "$SOURCE/scripts/capture" --root / -o a.oct -- ./prog fork >out 2>err &
script=$!
tries=0
stopped=
until [ -n "$stopped" ]; do
  tries=$((tries + 1))
  [ $tries -lt 200 ] || die "the program does not stop: $(cat err)"
  sleep 0.1
  for process in /proc/[0-9]*; do
    { tr '\0' ' ' <"$process/cmdline" | grep -q "^[^ ]*qemu-x86_64 .*$work/.*/feed"; } 2>found &&
      grep -q '^State:.T' "$process/status" 2>found && stopped=${process#/proc/}
  done
done
kill -CONT "$stopped"
wait $script || die "exit code $? of a program whose child crashed: $(cat err)"
! grep -q 'ended by signal' err || die "a child's end is not its own: $(cat err)"
as_text a.oct >text
starts end || die "what came after the child is lost"
