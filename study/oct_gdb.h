/* SPDX-License-Identifier: Apache-2.0 */
/* oct_gdb.h - gdb's remote protocol over a recorded program. */
#ifndef OCT_GDB_H
#define OCT_GDB_H

#include "octrace/trace.h"

/* Serve until gdb leaves. take gives the next byte of it, -1 at the end; give sends n bytes: 0 or
 * -1. 0, or an error of reading the trace. */
int oct_gdb_serve(oct_session *s, int (*take)(void *context),
                  int (*give)(void *context, const char *bytes, size_t n), void *context,
                  oct_diag *diag);

#endif
