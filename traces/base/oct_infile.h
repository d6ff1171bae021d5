/* SPDX-License-Identifier: Apache-2.0 */
/* oct_infile.h - files that are opened to be read, so that no output replaces one of them.
 *
 * A program that reads one file and writes another calls oct_infile_guard at its start. From then
 * on each file that these functions open, or are told of, is kept in a list by device and inode
 * until the process ends, and oct_outfile refuses to replace it. Without that call nothing is
 * kept: a long-lived process may write a file that it has read.
 *
 * Threads: All functions may be called by any threads at the same time. */
#ifndef OCT_INFILE_H
#define OCT_INFILE_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Keep a list from here on. When standard output is a file that is read, call on_stdout, if there
 * is one, before the file is opened to the caller: printing would change it. */
void oct_infile_guard(void (*on_stdout)(void));
/* Open path to read it; a program that is started does not inherit it. -1 or NULL with errno set,
 * ENOMEM too where the list has no room. */
int oct_infile_open(const char *path);
FILE *oct_infile_fopen(const char *path);
/* A file that something else opens, by its descriptor or by its name; one that is not there is
 * passed over. 0, or -1 with errno ENOMEM. */
int oct_infile_note(int fd);
int oct_infile_note_path(const char *path);
/* Whether this is a file in the list. */
bool oct_infile_is(const struct stat *st);

#ifdef __cplusplus
}
#endif
#endif
