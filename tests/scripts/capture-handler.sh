#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# capture-handler.sh - does gdb see through a signal in a capture: who was interrupted, what finish and reverse-finish lead
# to? What the kernel puts on the stack for the handler has to be in the trace.
. "$(dirname "$0")/../tools/lib.sh"

export OCT_BUILD="$BUILD" NINJA=true # nothing is to be built here
command -v qemu-x86_64 >found && command -v gdb-multiarch >found && [ "$(uname -m)" = x86_64 ] || exit 77

cat >prog.c <<'END'
#include <signal.h>
volatile int victim = 1;
static void handler(int n) { victim += n; }
__attribute__((noinline)) static int raise_it(int k) { victim += k; raise(SIGUSR1); return victim; }
int main(void) {
  signal(SIGUSR1, handler);
  return raise_it(1) != 12;
}
END

for compiler in cc aarch64-linux-gnu-gcc riscv64-linux-gnu-gcc; do
  command -v "$compiler" >found || exit 77 # scripts/test installs them
  "$compiler" -g -O1 -static -o prog prog.c
  expect 0 "$SOURCE/scripts/capture" --values -o prog.oct -- ./prog
  "$OCTRACE" gdb prog.oct </dev/null >out 2>&1 || exit 77 # without Unicorn there is no emulator
  cat >commands <<END
set pagination off
target remote | $OCTRACE gdb prog.oct
break handler
continue
backtrace
finish
finish
backtrace
reverse-continue
reverse-finish
backtrace
END
  timeout 60 gdb-multiarch -q -batch -nx -iex 'set remotetimeout 60' -x commands prog >out 2>&1 || :
  contains out '#1  <signal handler called>'
  [ "$(grep -c 'in main () at prog.c:7' out)" -eq 3 ] || die "$compiler: not all backtraces: $(cat out)"
done
