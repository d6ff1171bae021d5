/* SPDX-License-Identifier: Apache-2.0 */
/* oct_messages.c - what the capture plugin says, apart from the guest's standard error.
 *
 * The guest's standard error is the emulator's, until the guest is given another. From then on a
 * copy of the emulator's takes the messages. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "oct_messages.h"

#include "oct_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int own_stderr = STDERR_FILENO;

void oct_die(const char *format, ...) {
  char line[512];
  va_list args;
  va_start(args, format);
  vsnprintf(line, sizeof line, format, args);
  va_end(args);
  dprintf(own_stderr, "oct_capture: %s\n", line);
  _exit(255);
}

void *oct_zalloc(size_t count, size_t size) {
  void *p = calloc(count, size);
  if (!p) oct_die("out of memory");
  return p;
}

void oct_messages_hand_over(int guest) {
  int own = oct_files_keep(STDERR_FILENO);
  if (own < 0 || dup2(guest, STDERR_FILENO) < 0)
    oct_die("standard error %d: %s", guest, strerror(errno));
  own_stderr = own;
  close(guest);
}

int oct_messages_file(void) {
  return own_stderr;
}
