/* SPDX-License-Identifier: Apache-2.0 */
/* oct_files.h - files of the plugin, which are not the guest's. */
#ifndef OCT_FILES_H
#define OCT_FILES_H

#include <stdio.h>

/* A copy of a descriptor where the guest's files are not. The guest can neither close nor replace
 * it where the plugin is also preloaded (LD_PRELOAD). exec closes it. -1: see errno. */
int oct_files_keep(int file);
/* Close such a copy. */
void oct_files_close(int file);
/* A stream to it, of which a write goes on where a signal of the guest interrupts it. NULL: see
 * errno. */
FILE *oct_files_stream(int file);

#endif
