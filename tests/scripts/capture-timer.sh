#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# capture-timer.sh - does a signal that interrupts the plugin's write leave the trace whole? The pipe is full when the
# plugin first writes, so that a timer of the program goes off there, and its handler does not restart calls. And are
# registers told where a handler begins, behind whatever instruction?
. "$(dirname "$0")/../tools/lib.sh"

command -v qemu-x86_64 >found && command -v cc >found && [ "$(uname -m)" = x86_64 ] || exit 77

cat >prog.c <<'END'
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>
static volatile unsigned n, x = 1;
static void tick(int number) {
  n += number == SIGALRM;
}
int main(void) {
  struct sigaction action = {.sa_handler = tick};
  char go;
  struct itimerval often = {{0, 20000}, {0, 20000}};
  sigaction(SIGALRM, &action, 0);
  if (read(0, &go, 1) != 1) return 1;
  setitimer(ITIMER_REAL, &often, 0);
  for (int i = 0; i < 20000 || !n; i++) x = x * 1664525 + 1013904223;
  return 0;
}
END
cc -O1 -static -o prog prog.c
mkfifo feed
cat >full.py <<'END'
import os, select, subprocess, sys, time
feed = os.open("feed", os.O_RDWR | os.O_NONBLOCK)
emulator = subprocess.Popen(["qemu-x86_64", "-plugin", sys.argv[1] + ",out=feed", "./prog"], stdin=subprocess.PIPE)
select.select([feed], [], [])
head = os.read(feed, 4096)
full = 0
try:
    while True:
        full += os.write(feed, bytes(4096))
except BlockingIOError:
    pass
emulator.stdin.write(b"!")
emulator.stdin.close()
time.sleep(0.5)
with open("trace", "wb") as trace, open("feed", "rb") as pipe:
    os.close(feed)
    pipe.read(full)
    trace.write(head + pipe.read())
sys.exit(emulator.wait())
END
expect 0 timeout 20 python3 full.py "$BUILD/tools/qemu/liboct_capture.so"
expect 0 "$OCTRACE" info trace
grep -q '^instructions  *[1-9][0-9]\{4,\}$' out || die "$(cat out)"

cat >jumps.c <<'END'
#include <signal.h>
#include <sys/time.h>
static volatile int n, saved[8];
static void tick(int number) {
  int local[8] = {number, n};
  for (int i = 0; i < 8; i++) saved[i] = local[i];
  n++;
}
int main(void) {
  struct itimerval often = {{0, 4000}, {0, 4000}};
  signal(SIGALRM, tick);
  setitimer(ITIMER_REAL, &often, 0);
  for (;;)
    if (n > 60) return 0;
}
END
cc -O1 -static -o jumps jumps.c
export OCT_BUILD="$BUILD" NINJA=true
expect 0 "$SOURCE/scripts/capture" --values -o jumps.oct -- ./jumps
# Without Unicorn there is no emulator for x86-64, number 7.
"$OCTRACE" compress --tracer replay -g replay,isa=7 -o port.octp jumps.oct >out 2>&1 || exit 77
expect 0 "$OCTRACE" compress --tracer replay --json -o port.octp jumps.oct
python3 - <<'END' || die "$(cat out)"
import json
counts = json.load(open("out"))
assert counts["access_corrections"] < 60 and not counts["leaves"], counts["access_corrections"]
END
