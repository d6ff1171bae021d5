/* SPDX-License-Identifier: Apache-2.0 */
/* oct_outfile.h - an output file that appears under its name only when it is whole.
 *
 * Threads: An oct_outfile is for one thread at a time, different ones may be used by different
 * threads; oct_outfile_unlink_all may be called by any, and by a signal handler. */
#ifndef OCT_OUTFILE_H
#define OCT_OUTFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "oct_error.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct oct_outfile oct_outfile;

/* Open path for writing ("-": standard output, at once). A path that is not a regular file (a pipe,
 * /dev/null) is written directly; of a link the file that it leads to is written, so that the link
 * stays. Else the file has no name at first (Linux, O_TMPFILE), or where there is no such thing the
 * name `PATH.octrace-XXXXXX`; what earlier runs that were killed left under such names is removed.
 * OCT_ERR_ARG: it is an input of this process (oct_infile.h); OCT_ERR_IO, OCT_ERR_NOMEM. */
int oct_outfile_open(const char *path, oct_outfile **f, oct_diag *diag);
/* Whether oct_outfile_open could open path now, before long work whose result goes there. Nothing
 * is made or changed. 0, OCT_ERR_ARG, OCT_ERR_IO, OCT_ERR_NOMEM. */
int oct_outfile_check(const char *path, oct_diag *diag);
int oct_outfile_write(oct_outfile *f, const void *bytes, size_t n, oct_diag *diag);
/* Bytes written so far. */
uint64_t oct_outfile_tell(const oct_outfile *f);
/* Whether a commit makes a file where there was none. */
bool oct_outfile_is_new(const oct_outfile *f);
/* Write out what is still in memory, and look whether the file can have its name: before the first
 * of several files gets its own. OCT_ERR_ARG, OCT_ERR_IO. */
int oct_outfile_settle(oct_outfile *f, oct_diag *diag);
/* Flush, give it its name, and free, in every case. A file of that name is replaced, but not one
 * that another program made or changed since oct_outfile_open. The new file has the rights of the
 * one that it replaces, and its owner where that is permitted. OCT_ERR_ARG where an input was
 * opened since that the file is; OCT_ERR_IO. */
int oct_outfile_commit(oct_outfile *f, oct_diag *diag);
/* Remove the temporary file and free. NULL is allowed. */
void oct_outfile_abort(oct_outfile *f);

/* A directory as oct_temporary_make makes it, in the list of what oct_outfile_unlink_all removes.
 * Returns its descriptor, or -1 with errno set. *place is for oct_outfile_forget_folder, once it
 * has its final name or is gone. */
int oct_outfile_make_folder(char *name, const char *path, void **place);
void oct_outfile_forget_folder(void *place); /* NULL is allowed */

/* Remove the temporary files and directories of all outputs that are open, in any thread. For the
 * handler of a signal that ends the program: async-signal-safe; the outputs can only be aborted
 * afterwards. */
void oct_outfile_unlink_all(void);

#ifdef __cplusplus
}
#endif
#endif
