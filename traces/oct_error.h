/* SPDX-License-Identifier: Apache-2.0 */
/* oct_error.h - the one list of errors of liboctrace. Functions return 0 or a count on success and
 * one of these, negative, on failure.
 *
 * Threads: All functions may be called by any threads at the same time. */
#ifndef OCT_ERROR_H
#define OCT_ERROR_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define OCT_ERRORS(X)                                         \
  X(OCT_ERR_NOMEM, -1, "out of memory")                       \
  X(OCT_ERR_IO, -2, "input or output failed")                 \
  X(OCT_ERR_FORMAT, -3, "not in the expected format")         \
  X(OCT_ERR_TRUNCATED, -4, "input ends too early")            \
  X(OCT_ERR_CHECKSUM, -5, "checksum does not match")          \
  X(OCT_ERR_CONFIG, -6, "illegal configuration")              \
  X(OCT_ERR_UNSUPPORTED, -7, "not supported")                 \
  X(OCT_ERR_ARG, -8, "bad argument")                          \
  X(OCT_ERR_MAP, -9, "instruction is not in the program map") \
  X(OCT_ERR_PACKET, -10, "bad packet in the port stream")     \
  X(OCT_ERR_LIMIT, -11, "a limit of the format was passed")   \
  X(OCT_ERR_MISMATCH, -12, "traces differ")

typedef enum oct_error {
#define OCT_X(name, value, text) name = value,
  OCT_ERRORS(OCT_X)
#undef OCT_X
      OCT_OK = 0
} oct_error;

/* Where and why something failed; filled by functions that take one. */
typedef struct oct_diag {
  int error;      /* oct_error */
  char text[240]; /* one line: position, what was found, what was expected; no newline */
} oct_diag;

/* The name of an error ("OCT_ERR_IO"), or "OCT_ERR_?" . Never NULL. */
const char *oct_error_name(int error);
/* Its meaning in words. Never NULL. */
const char *oct_error_text(int error);

/* Whether it says that an input is damaged, so that salvage goes on or keeps what came before: not
 * where this machine failed, a limit was set, or a version is not known. */
static inline int oct_error_is_damage(int error) {
  return error != OCT_OK && error != OCT_ERR_NOMEM && error != OCT_ERR_IO &&
         error != OCT_ERR_UNSUPPORTED && error != OCT_ERR_LIMIT;
}

/* Fill *diag (if not NULL) printf-wise and return error. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
int oct_fail(oct_diag *diag, int error, const char *format, ...);

/* Fields that callers fill with 0, so that structs may grow within their size: 0, or OCT_ERR_ARG
 * where one is set, by a program made for a later version of the library. */
int oct_check_reserved(const uint64_t reserved[4], const char *name, oct_diag *diag);

#ifdef __cplusplus
}
#endif
#endif
