/* SPDX-License-Identifier: Apache-2.0 */
/* oct_demangle.h - names of C++ functions as their source has them. */
#ifndef OCT_DEMANGLE_H
#define OCT_DEMANGLE_H

/* A name of an object file as its source has it, or as it is where it is no name of C++. The caller
 * frees it. NULL: out of memory. */
char *oct_demangle(const char *name);

#endif
