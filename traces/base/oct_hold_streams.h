/* SPDX-License-Identifier: Apache-2.0 */
/* oct_hold_streams.h - keep the numbers of closed standard streams from other files.
 *
 * A file that is opened gets the lowest free number. Where whoever starts a program has closed one
 * of its standard streams (`2>&-`), that is the stream's, and messages land in the file. So the
 * numbers are held, by the null device opened the wrong way round: reading standard input and
 * writing the other two fail as they do where nothing is open.
 */
#ifndef OCT_HOLD_STREAMS_H
#define OCT_HOLD_STREAMS_H

#include <fcntl.h>
#include <unistd.h>

/* To be called before anything is opened. 0, or -1: a stream is closed, and cannot be held. */
static inline int oct_hold_streams(void) {
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
    if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd)
      return -1;
  return 0;
}

#endif
