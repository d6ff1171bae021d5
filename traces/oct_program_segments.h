/* SPDX-License-Identifier: Apache-2.0 */
/* oct_program_segments.h - inside of the library: the code of a program, as its files load it. */
#ifndef OCT_PROGRAM_SEGMENTS_H
#define OCT_PROGRAM_SEGMENTS_H

#include <stdbool.h>

#include "octrace/map.h"

typedef struct oct_program_segment {
  uint64_t addr, size;
  uint8_t *bytes;
  size_t image;   /* number of its file, */
  bool is_marked; /* where mapping symbols tell the kinds of code; true but for ARM */
} oct_program_segment;

const oct_program_segment *oct_program_segments(const oct_program *program, size_t *n);

#endif
