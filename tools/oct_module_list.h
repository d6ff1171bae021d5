/* SPDX-License-Identifier: Apache-2.0 */
/* oct_module_list.h - files of code that a program had in memory, as JSON and as lines. */
#ifndef OCT_MODULE_LIST_H
#define OCT_MODULE_LIST_H

#include <jansson.h>

#include "octrace/trace.h"

json_t *oct_module_json(const oct_module *m);
/* A table of an array of them. */
void oct_modules_print(const json_t *list);

#endif
