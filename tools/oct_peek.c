/* SPDX-License-Identifier: Apache-2.0 */
/* oct_peek.c - what a file begins with, before it is known what is to read it.
 *
 * tee(2) copies what waits in a pipe to another one and leaves it there. */
#include "oct_peek.h"

#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char *moved; /* the named pipe that became standard input; NULL: none did */

const char *oct_peek_stdin_name(void) {
  return moved ? moved : "standard input";
}

/* Wait until n bytes stand in the pipe, or as many as ever will. */
static void wait_for_bytes(int fd, size_t n) {
  static const struct timespec pause = {.tv_nsec = 1000000};
  struct pollfd p = {.fd = fd, .events = POLLIN};
  int waiting = 0;
  while (poll(&p, 1, -1) == 1 && !(p.revents & POLLHUP) && !ioctl(fd, FIONREAD, &waiting) &&
         (size_t)waiting < n)
    nanosleep(&pause, NULL);
}

static size_t peek_pipe(int fd, void *bytes, size_t n) {
  int copy[2];
  ssize_t got = 0;
  wait_for_bytes(fd, n);
  if (pipe2(copy, O_CLOEXEC)) return 0;
  if (tee(fd, copy[1], n, SPLICE_F_NONBLOCK) > 0) got = read(copy[0], bytes, n);
  close(copy[0]);
  close(copy[1]);
  return got > 0 ? (size_t)got : 0;
}

size_t oct_peek(const char **path, void *bytes, size_t n) {
  struct stat st;
  int is_stdin = !strcmp(*path, "-");
  int fd = is_stdin ? STDIN_FILENO : open(*path, O_RDONLY | O_CLOEXEC);
  ssize_t got = 0;
  if (fd < 0 || fstat(fd, &st)) return 0;
  if (S_ISREG(st.st_mode)) {
    got = pread(fd, bytes, n, is_stdin ? lseek(fd, 0, SEEK_CUR) : 0);
  } else if (S_ISFIFO(st.st_mode)) {
    got = (ssize_t)peek_pipe(fd, bytes, n);
    if (!is_stdin && dup2(fd, STDIN_FILENO) == STDIN_FILENO) {
      moved = *path;
      *path = "-";
    }
  }
  if (fd > STDIN_FILENO) close(fd);
  return got > 0 ? (size_t)got : 0;
}
