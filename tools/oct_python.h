/* SPDX-License-Identifier: Apache-2.0 */
/* oct_python.h - files that Python scripts of ours make of JSON. */
#ifndef OCT_PYTHON_H
#define OCT_PYTHON_H

#include <jansson.h>

#include "octrace/error.h"

/* Give value to the script `name` of tools/ on its standard input and keep what it writes to its
 * standard output under path, when it is whole. arg is the script's argument, or NULL. OCT_ERR_IO,
 * also when Python or matplotlib is not there. */
int oct_python_run(const char *name, const char *arg, const json_t *value, const char *path,
                   oct_diag *diag);

#endif
