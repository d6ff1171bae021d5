/* SPDX-License-Identifier: Apache-2.0 */
/* oct_exec.c - end a trace when exec replaces the program.
 *
 * A successful exec replaces the emulator, too, and a failed one comes back. So a process is
 * started before the call, which waits at a pipe that exec closes. It writes the trace's end when
 * the pipe is closed, and nothing when it gets a byte, which is what a failed call sends. The
 * process sends no signal when it ends, and so no wait of the guest hears of it. It calls nothing
 * that another thread could have locked. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "oct_exec.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* execve and execveat of each target. */
static const struct {
  const char *target;
  int64_t numbers[2];
} calls[] = {
    {"arm", {11, 387}},      {"aarch64", {221, 281}},  {"riscv32", {221, 281}},
    {"riscv64", {221, 281}}, {"x86_64", {59, 322}},    {"i386", {11, 358}},
    {"mips", {4011, 4356}},  {"mipsel", {4011, 4356}},
};

static struct {
  pid_t pid;
  int pipe; /* where a byte tells that the call failed */
} writer;

int oct_exec_is_call(const char *target, int64_t number) {
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
    if (!strcmp(calls[i].target, target))
      return number == calls[i].numbers[0] || number == calls[i].numbers[1];
  return 0;
}

static void write_all(int file, const void *bytes, size_t n_bytes) {
  const uint8_t *p = bytes;
  while (n_bytes) {
    ssize_t n = write(file, p, n_bytes);
    if (n < 0 && errno != EINTR) _exit(1);
    if (n <= 0) continue;
    p += n;
    n_bytes -= (size_t)n;
  }
}

int oct_exec_begin(int file, const uint8_t *end, size_t n_bytes, int messages) {
  static const char says[] = "oct_capture: replaced by exec\n";
  int ends[2];
  if (fcntl(file, F_SETFD, FD_CLOEXEC) < 0 || pipe2(ends, O_CLOEXEC) < 0) return -1;
  /* The emulator's signals are not for the child. */
  sigset_t all, before;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, &before);
  writer.pid = (pid_t)syscall(SYS_clone, 0L, NULL, NULL, NULL, NULL);
  if (writer.pid == 0) {
    char byte;
    ssize_t n;
    close(ends[1]);
    do n = read(ends[0], &byte, 1);
    while (n < 0 && errno == EINTR);
    if (n == 0) {
      write_all(messages, says, sizeof says - 1);
      write_all(file, end, n_bytes);
    }
    _exit(0);
  }
  sigprocmask(SIG_SETMASK, &before, NULL);
  close(ends[0]);
  writer.pipe = ends[1];
  if (writer.pid > 0) return 0;
  close(ends[1]);
  return -1;
}

void oct_exec_failed(void) {
  write_all(writer.pipe, "", 1);
  close(writer.pipe);
  while (waitpid(writer.pid, NULL, __WALL) < 0 && errno == EINTR) continue;
}
