#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# capture-kernel.sh - do captures tell what system calls write? A program fills buffers, looks at them, lets the
# kernel write them, and looks again: no load may find other than what the trace says of memory.
. "$(dirname "$0")/../tools/lib.sh"

export OCT_BUILD="$BUILD" NINJA=true # nothing is to be built here
command -v qemu-x86_64 >found && command -v cc >found && [ "$(uname -m)" = x86_64 ] || exit 77

cat >prog.c <<'END'
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
enum { BYTES = 1024 };
static volatile unsigned char *room; /* in the upper half of 32 bits */
static unsigned sum;
/* All of it as loads, each byte alone. */
static void look(void) {
  for (unsigned i = 0; i < BYTES; i++) sum += room[i];
}
static void *fresh(void) {
  for (unsigned i = 0; i < BYTES; i++) room[i] = 0xa5;
  look();
  return (void *)room;
}
#define TRY(call) (fresh(), sum += (unsigned)(call), look())
int main(void) {
  char *p = mmap((void *)0x90000000, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  room = (unsigned char *)p;
  int pair[2], file = open("prog.c", O_RDONLY), wait_for = epoll_create1(0);
  struct iovec parts[20];
  for (int i = 0; i < 20; i++) parts[i] = (struct iovec){p + 10 * i, 3};
  struct msghdr message = {.msg_iov = parts, .msg_iovlen = 20};
  socketpair(AF_UNIX, SOCK_DGRAM, 0, pair);
  struct epoll_event event = {.events = EPOLLIN};
  epoll_ctl(wait_for, EPOLL_CTL_ADD, pair[0], &event);
  TRY(syscall(SYS_readv, file, parts, 20));
  TRY(syscall(SYS_preadv, file, parts, 2, 0L, 0L));
  send(pair[1], "sixteen letters.", 16, 0);
  fresh();
  *(struct pollfd *)p = (struct pollfd){pair[0], POLLIN, 0x5a5a};
  look();
  syscall(SYS_ppoll, p, 1, NULL, NULL, 0);
  look();
  TRY(syscall(SYS_epoll_pwait, wait_for, p, 4, 0, NULL, 0));
  TRY(syscall(SYS_recvmsg, pair[0], &message, 0));
  TRY(syscall(SYS_pipe2, p, 0));
  TRY(syscall(SYS_statx, AT_FDCWD, "prog.c", 0, STATX_BASIC_STATS, p));
  TRY(syscall(SYS_statfs, ".", p));
  TRY(syscall(SYS_ioctl, file, FIONREAD, p));
  TRY(syscall(SYS_prlimit64, 0, RLIMIT_NOFILE, NULL, p));
  TRY(syscall(SYS_getrusage, RUSAGE_SELF, p));
  TRY(syscall(SYS_rt_sigprocmask, SIG_BLOCK, NULL, p, 8));
  TRY(syscall(SYS_rt_sigaction, SIGUSR1, NULL, p, 8));
  TRY(syscall(SYS_sigaltstack, NULL, p));
  TRY(syscall(SYS_sched_getaffinity, 0, 128, p));
  TRY(syscall(SYS_getresuid, p, p + 8, p + 16));
  TRY(syscall(SYS_getcpu, p, p + 8, NULL));
  TRY(syscall(SYS_getsockname, pair[0], p, (*(int *)(p + 256) = 64, p + 256)));
  TRY(syscall(SYS_getsockopt, pair[0], SOL_SOCKET, SO_TYPE, p, (*(int *)(p + 64) = 4, p + 64)));
  TRY(syscall(SYS_socketpair, AF_UNIX, SOCK_STREAM, 0, p));
  TRY(syscall(SYS_clock_getres, CLOCK_MONOTONIC, p));
  TRY(syscall(SYS_times, p));
  TRY(syscall(SYS_sysinfo, p));
  TRY(syscall(SYS_capget, (*(long *)(p + 32) = 0x20080522, p + 32), p)); /* not in any list */
  if (!fork()) _exit(3);
  TRY(syscall(SYS_wait4, -1, p, 0, p + 16));
  return sum == 1;
}
END
cat >told.py <<'END'
import re, sys
memory, wrong, n_loads, n_told = {}, 0, 0, 0
for line in sys.stdin:
    if fact := re.match(r"!memory (?:0x)?([0-9a-f]+) (=?)(\w+)", line):
        n_told += 1
        addr, value = int(fact[1], 16), fact[3]
        n = len(value) // 2 if fact[2] else int(value)
        if n > 1 << 24:
            print("a fact of", n, "bytes")
        memory = {at: byte for at, byte in memory.items() if not addr <= at < addr + n}
        if fact[2]:
            memory.update((addr + i, int(value[2 * i:2 * i + 2], 16)) for i in range(n))
    if line.startswith("!"):
        continue
    for kind, size, addr, value in re.findall(r"\b([LS])(\d+):([0-9a-f]+)(?:=([0-9a-f]+))?", line):
        addr, size = int(addr, 16), int(size)
        for i in range(size):
            byte = int(value, 16) >> 8 * i & 255 if value else None
            n_loads += kind == "L"
            if kind == "L" and None not in (byte, memory.get(addr + i)) and memory[addr + i] != byte and wrong < 20:
                print(f"{line.split()[0]}: {addr + i:x} is {byte:x}, was {memory[addr + i]:x}")
                wrong += 1
            memory.pop(addr + i, None)
            if byte is not None:
                memory[addr + i] = byte
if n_loads < 20000 or n_told < 30:
    print(n_loads, "bytes loaded,", n_told, "facts")
END

# told SET [CC OPTION...]: a program of that set.
told() {
  set=$1
  shift
  expect 0 "$@" -O1 -static -o "prog-$set" prog.c
  flag=
  [ "$set" != arm-linux-gnueabihf ] || flag=--thumb
  # shellcheck disable=SC2086 # none or one
  expect 0 "$SOURCE/scripts/capture" $flag --values -o prog.oct -- "./prog-$set"
  "$OCTRACE" convert --to text prog.oct - | python3 told.py >wrong
  [ ! -s wrong ] || die "$set: $(cat wrong)"
}

told x86_64 cc
for set in aarch64-linux-gnu riscv64-linux-gnu arm-linux-gnueabihf; do
  ! command -v "$set-gcc" >found || told "$set" "$set-gcc"
done
