/* SPDX-License-Identifier: Apache-2.0 */
/* oct_memory_file.h - inside of the library: text that is printed into memory, as into a file.
 *
 * Unlike open_memstream(): that of glibc leaves out what it finds no memory for, and neither
 * ferror() nor fclose() tell of it. */
#ifndef OCT_MEMORY_FILE_H
#define OCT_MEMORY_FILE_H

#include <stdio.h>

#include "octrace/error.h"

/* What was flushed stands in text. All zero before oct_memory_file_open(). */
typedef struct oct_memory_file {
  FILE *file; /* to print to */
  oct_buffer text;
} oct_memory_file;

/* Open an empty file, which stays at its place in memory until it is closed: 0 or OCT_ERR_NOMEM. */
int oct_memory_file_open(oct_memory_file *m);
/* Close it: 0, or OCT_ERR_NOMEM where anything printed is missing. The text has a zero byte behind
 * it, which does not count. The caller frees it (oct_buffer_free) in either case. */
int oct_memory_file_close(oct_memory_file *m);

#endif
