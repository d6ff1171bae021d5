/* SPDX-License-Identifier: Apache-2.0 */
/* oct_demangle.c - names of C++ functions as their source has them, by the C++ library of GCC,
 * where the build has found it.
 *
 * The function has a C interface that the C++ ABI fixes; its header is C++, so that it is declared
 * here. Debian's libraries for C that do the same have another licence (libiberty) or are of a
 * whole debugger. */
#include "oct_demangle.h"

#include <stdlib.h>
#include <string.h>

#ifdef OCT_HAVE_CXXABI
extern char *__cxa_demangle(const char *name, char *buffer, size_t *size, int *status);

char *oct_demangle(const char *name) {
  int status = 0;
  /* Other names than those of functions and objects would be taken for types. */
  char *plain = strncmp(name, "_Z", 2) ? NULL : __cxa_demangle(name, NULL, NULL, &status);
  return plain ? plain : strdup(name);
}
#else
char *oct_demangle(const char *name) {
  return strdup(name);
}
#endif
