/* SPDX-License-Identifier: Apache-2.0 */
/* oct_gdb.h - gdb's remote protocol over a recorded program. */
#ifndef OCT_GDB_H
#define OCT_GDB_H

#include "octrace/trace.h"

/* The line to gdb. take waits for the next byte of it and gives it, -1 at the end; has_byte says
 * whether it is there, or the end; give sends n bytes: 0 or -1. */
typedef struct oct_gdb_line {
  int (*take)(void *context);
  bool (*has_byte)(void *context);
  int (*give)(void *context, const char *bytes, size_t n);
  void *context;
} oct_gdb_line;

/* Serve until gdb leaves. 0, or an error of reading the trace. */
int oct_gdb_serve(oct_session *s, const oct_gdb_line *line, oct_diag *diag);

#endif
