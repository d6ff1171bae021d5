/* SPDX-License-Identifier: Apache-2.0 */
/* oct_module_text.h - inside of the library: files of code as lines of the heads of compressed
 * files, "module: ADDRESS BYTES BIAS BUILD-ID PATH", numbers hexadecimal, - without a build ID. */
#ifndef OCT_MODULE_TEXT_H
#define OCT_MODULE_TEXT_H

#include "octrace/error.h"
#include "octrace/trace.h"

#define OCT_MODULE_KEY "module"

/* Append the lines of the first modules, as many as fit in so many bytes. 0 or OCT_ERR_NOMEM. */
int oct_modules_put(oct_buffer *text, size_t room_bytes, const oct_module *modules, size_t n);
/* What stands behind the key of a line. m->path points into value. 0 or OCT_ERR_FORMAT. */
int oct_module_parse(const char *value, oct_module *m);
/* Tell of each of such lines, until an error, which is returned; OCT_ERR_NOMEM. */
typedef int oct_module_tell_fn(void *context, const oct_module *m, oct_diag *diag);
int oct_modules_tell(const char *lines, oct_module_tell_fn *tell, void *context, oct_diag *diag);

#endif
