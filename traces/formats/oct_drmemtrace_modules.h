/* SPDX-License-Identifier: Apache-2.0 */
/* oct_drmemtrace_modules.h - inside of the library: the table of files that DynamoRIO's tracer
 * writes beside a trace. */
#ifndef OCT_DRMEMTRACE_MODULES_H
#define OCT_DRMEMTRACE_MODULES_H

#include "oct_reader_format.h"

/* Add the modules of modules.log to r, whose trace is the file at path: from its folder, or from
 * `raw` in or beside that. Nothing is wrong if there is none. OCT_ERR_NOMEM, OCT_ERR_LIMIT. */
int oct_drmemtrace_add_modules(oct_reader *r, const char *path, oct_diag *diag);

#endif
