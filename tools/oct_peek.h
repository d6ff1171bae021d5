/* SPDX-License-Identifier: Apache-2.0 */
/* oct_peek.h - what a file begins with, before it is known what is to read it. */
#ifndef OCT_PEEK_H
#define OCT_PEEK_H

#include <stddef.h>
#include <stdint.h>

/* Look at the first n bytes (at most 4096) of the file at *path ("-": standard input) without
 * taking them. Returns how many there are: fewer at its end, and 0 when it cannot be looked at, so
 * that opening it tells why. A pipe can be opened once only: that at *path becomes standard input,
 * and *path "-". */
size_t oct_peek(const char **path, void *bytes, size_t n);

/* What messages call standard input: the named pipe that oct_peek made it, if it did. That path
 * must stay where it is. Not for several threads. */
const char *oct_peek_stdin_name(void);

#endif
