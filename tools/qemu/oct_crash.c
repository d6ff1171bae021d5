/* SPDX-License-Identifier: Apache-2.0 */
/* oct_crash.c - end a trace when a signal ends the program.
 *
 * When the guest takes a signal that ends it, the emulator restores the signal's default action and
 * sends itself the same signal. No exit handler runs, and no interface of plugins tells. So a
 * kill() stands here, which the emulator calls instead of the C library's where this library is
 * preloaded. The guest's own calls of kill go another way. */
#include "oct_crash.h"

#include "oct_messages.h"
#include "oct_qemu_plugin.h"

#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static void (*before_end)(void);

void oct_crash_before_end(void (*end)(void)) {
  const char *preloaded = getenv("LD_PRELOAD");
  int file;
  before_end = end;
  /* The guest has no file that it did not open. */
  if (end && preloaded && sscanf(preloaded, "/proc/self/fd/%d", &file) == 1) close(file);
}

/* Signals that end a process by default; the emulator also sends itself SIGSTOP. */
static int ends(int number) {
  struct sigaction action;
  return number != SIGSTOP && number != 0 && !sigaction(number, NULL, &action) &&
         action.sa_handler == SIG_DFL;
}

OCT_QEMU_EXPORT int kill(pid_t process, int number) {
  if (before_end && process == getpid() && ends(number)) {
    before_end();
    dprintf(oct_messages_file(), "oct_capture: ended by signal %d\n", number);
  }
  return (int)syscall(SYS_kill, process, number);
}
