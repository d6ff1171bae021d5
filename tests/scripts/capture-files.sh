#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# capture-files.sh - does a program that closes, replaces or writes to any file leave its trace whole,
# and does no byte of the trace get into the program's files?
. "$(dirname "$0")/../tools/lib.sh"

command -v qemu-x86_64 >found && [ "$(uname -m)" = x86_64 ] || exit 77
export OCT_BUILD="$BUILD" NINJA=true # nothing is to be built here

# The loop fills more than a block of the trace behind what the program does to its files.
cat >prog.c <<'END'
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int argc, char **argv) {
  const char *way = argv[argc - 1];
  volatile int sum = 0;
  int file = open("own", O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (!strcmp(way, "close"))
    for (int i = 3; i < 1024; i++) close(i);
  if (!strcmp(way, "range")) syscall(SYS_close_range, 3, ~0u, 0);
  if (!strcmp(way, "dup2"))
    for (int i = 3; i < 1024; i++) dup2(file, i);
  if (!strcmp(way, "dup3"))
    for (int i = 3; i < 1024; i++) dup3(file, i, O_CLOEXEC);
  if (!strcmp(way, "write"))
    for (int i = 3; i < 40; i++)
      if (write(i, "junk", 4) == 4 && i != file) abort();
  if (!strcmp(way, "daemon") && !fork()) { /* outlives its parent, and holds what that had open */
    close(1), close(2);
    dprintf(file, "%d", getpid());
    sleep(100);
    return 0;
  }
  for (int i = 0; i < 200000; i++) sum += i;
  puts("out");
  fputs("err\n", stderr);
  return 0;
}
END
cc -O1 -o prog prog.c
for way in none close range dup2 dup3 write daemon; do
  expect 0 timeout 60 "$SOURCE/scripts/capture" -o a.oct -- ./prog $way
  [ "$(cat out)" = out ] || die "$way: standard output: $(cat out)"
  [ "$(cat err)" = err ] || die "$way: standard error: $(cat err)"
  wanted=
  [ $way != write ] || wanted=junk
  [ $way != daemon ] || {
    wanted=$(head -c 9 own)
    kill "$wanted" || die "the trace ended with the daemon"
  }
  [ "$(head -c 9 own)" = "$wanted" ] || die "$way: in the program's file: $(head -c 99 own)"
  "$OCTRACE" info --json a.oct >info
  [ "$(sed -n 's/^ *"instructions": \([0-9]*\),$/\1/p' info)" -gt 400000 ] || die "$way: instructions are missing"
  rm a.oct own
done

# A shell's own files.
expect 0 "$SOURCE/scripts/capture" -o a.oct -- /bin/sh -c 'exec 3>own; echo mine >&3'
[ "$(cat own)" = mine ] || die "in the shell's file: $(head -c 99 own)"

# What the program prints goes nowhere where there is no standard output.
for closed in '<&-' '>&-' '2>&-' '<&- >&- 2>&-'; do
  eval "\"\$SOURCE/scripts/capture\" -o a.oct -- ./prog none $closed" || die "exit code $?: $closed"
  expect 0 "$OCTRACE" info a.oct
  rm a.oct own
done
