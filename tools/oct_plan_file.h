/* SPDX-License-Identifier: Apache-2.0 */
/* oct_plan_file.h - the geometries of a sweep from an INI file (docs/sweep.md). */
#ifndef OCT_PLAN_FILE_H
#define OCT_PLAN_FILE_H

#include "octrace/sweep.h"

/* Add the grid of each section of the file at path to *p. A section's keys are axes, and `geometry`
 * for what they vary, which begins with *base; each header begins another section, of the same name
 * too. OCT_ERR_IO, OCT_ERR_FORMAT (no INI file, a key outside of a section, a section without keys,
 * a line of more than 198 bytes), and the errors of oct_plan_add_grid; *diag has FILE:LINE.
 * *has_unnamed becomes true where a section names no geometry, so that it begins with *base. */
int oct_plan_file_load(oct_plan *p, const char *path, const uint32_t *base, bool *has_unnamed,
                       oct_diag *diag);

#endif
