/* SPDX-License-Identifier: Apache-2.0 */
/* oct_temporary.h - inside of the library: names under which files and directories are made until
 * they are whole, and what is left of them when a program was killed. */
#ifndef OCT_TEMPORARY_H
#define OCT_TEMPORARY_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes that a temporary name has more than the final one, with its end. */
enum { OCT_TEMPORARY_BYTES = 16 };

/* Make an empty file, or a directory, beside path: name, of strlen(path) + OCT_TEMPORARY_BYTES,
 * becomes `PATH.octrace-XXXXXX`. Returns its descriptor, or -1 with errno set. While it is open the
 * file is locked, by which others see that it is in use; so it must stay open until it has another
 * name or is gone. */
int oct_temporary_make(char *name, const char *path, bool is_directory);

/* Remove a file, or a directory with all that is in it: 0, or -1. For a signal handler, too: it
 * needs no memory. */
int oct_temporary_remove(const char *name);

/* Remove what makers of path left that were killed: such names that nobody has locked, directories
 * with all that is in them. What cannot be removed stays. */
void oct_temporary_sweep(const char *path);

/* Give the open file fd, which has no name (O_TMPFILE), the name path. 0, or -1 with errno set:
 * EEXIST when there is one already. */
int oct_temporary_link(int fd, const char *path);
/* Likewise, in place of the file that has the name. For a moment it has a temporary one, since only
 * a name can take the place of another. */
int oct_temporary_replace(int fd, const char *path);
/* A descriptor of a new file without a name in the directory of path, or -1 where the file system
 * or the kernel has none. */
int oct_temporary_unnamed(const char *path);
/* Why no file can be made beside path, as errno tells it; 0 when one can. */
int oct_temporary_refusal(const char *path);

#endif
