/* SPDX-License-Identifier: Apache-2.0 */
/* oct_functions.h - where the functions of a program are, as whoever has its symbols answers. */
#ifndef OCT_FUNCTIONS_H
#define OCT_FUNCTIONS_H

#include <stdint.h>

/* find gives the function that addr is in: from *first to before *end, and its name, valid until
 * the next call; without a function there NULL, and the range around addr that has none. find NULL:
 * there are no functions at all. */
typedef struct oct_functions {
  const char *(*find)(void *context, uint64_t addr, uint64_t *first, uint64_t *end);
  void *context;
} oct_functions;

#endif
