/* SPDX-License-Identifier: Apache-2.0 */
/* octrace/error.h - what all of the library builds on: errors, numbers of varying length, byte
 * buffers, output files.
 *
 * Functions return 0 or a count on success and one error of this list, negative, on failure.
 *
 * Threads: All functions may be called by any threads at the same time. */
#ifndef OCTRACE_ERROR_H
#define OCTRACE_ERROR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* Who found an error, as far as a caller acts on it. */
typedef enum oct_origin {
  OCT_ORIGIN_OTHER = 0, /* nobody in particular: with a path, a file or the system */
  OCT_ORIGIN_PARAM,     /* a parameter of a tracer: param and value of the diag */
  OCT_ORIGIN_FILTER,    /* the filter of oct_run_options */
  OCT_ORIGIN_WIDTHS,    /* widths of a geometry, which an instruction of the trace does not fit */
  OCT_ORIGIN_OUTPUT     /* an output that is an input */
} oct_origin;

/* The unit in which an error counts its position. */
typedef enum oct_unit {
  OCT_AT_NOWHERE = 0,
  OCT_AT_LINE,          /* from 1 */
  OCT_AT_BYTE,          /* offset in the file */
  OCT_AT_UNPACKED_BYTE, /* offset in the data that the file has compressed */
  OCT_AT_BIT,           /* of the port stream; the next, too */
  OCT_AT_BEFORE_BIT,
  OCT_AT_INSN, /* number in the trace, from 0; the next, too */
  OCT_AT_BEFORE_INSN
} oct_unit;

/* Where and why something failed; filled by functions that take one. A plain value, which may be
 * copied: its pointers stay valid until the process ends. */
typedef struct oct_diag {
  int error;         /* oct_error */
  oct_origin origin; /* who found it */
  oct_unit unit;     /* of at */
  bool has_addr;     /* addr is the address of the instruction */
  uint32_t value;    /* of the parameter */
  const char *param; /* the parameter; NULL: none */
  const char *path;  /* the file, whole; NULL: none is known */
  const char *other; /* a second file that the text is about; NULL: none */
  uint64_t at, addr; /* where in it */
  char text[240];    /* what was found, what was expected; no newline */
} oct_diag;

/* One line for people: `PATH: PARAM=VALUE: instruction N (0xADDR): TEXT (OTHER)`, of which it has
 * what the diag has; a line of a file is `PATH:N: TEXT`. Without a text, the meaning of the error.
 * A path longer than any that a system opens has its middle left out. */
typedef struct oct_diag_text {
  char text[9000];
} oct_diag_text;
oct_diag_text oct_diag_line(const oct_diag *diag);
/* The same without the path. */
oct_diag_text oct_diag_reason(const oct_diag *diag);

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

#if defined(__GNUC__)
#define OCT_PRINTF(text, values) __attribute__((format(printf, text, values)))
#else
#define OCT_PRINTF(text, values)
#endif
/* Fill *diag (if not NULL) printf-wise and return error. */
int oct_fail(oct_diag *diag, int error, const char *format, ...) OCT_PRINTF(3, 4);
/* The same with a path, which is copied; with a position; with an instruction and its address; with
 * the value of a parameter, whose name is not copied. */
int oct_fail_in(oct_diag *diag, int error, const char *path, const char *format, ...)
    OCT_PRINTF(4, 5);
int oct_fail_at(oct_diag *diag, int error, oct_unit unit, uint64_t at, const char *format, ...)
    OCT_PRINTF(5, 6);
int oct_fail_insn(oct_diag *diag, int error, uint64_t insn, uint64_t addr, const char *format, ...)
    OCT_PRINTF(5, 6);
int oct_fail_param(oct_diag *diag, int error, const char *param, uint32_t value, const char *format,
                   ...) OCT_PRINTF(5, 6);
/* Name the file that *diag (if not NULL) is about, where error is one and no path is known yet: for
 * the layer that opened the file. Returns error. */
int oct_diag_in(oct_diag *diag, const char *path, int error);
/* Likewise the position, where none is known yet. */
int oct_diag_at(oct_diag *diag, oct_unit unit, uint64_t at, int error);
/* Likewise the second file, and who found the error. */
int oct_diag_other(oct_diag *diag, const char *path, int error);
int oct_diag_from(oct_diag *diag, oct_origin origin, int error);
/* Pass *why on to *diag (if not NULL), with its error. Returns error. */
int oct_diag_pass(oct_diag *diag, const oct_diag *why, int error);

/* Numbers of 64 bits in one to ten bytes: seven bits a byte, the lowest first; all bytes but the
 * last have their top bit set. Signed numbers are folded to have few bits when they are near zero:
 * 0, -1, 1, -2 ... are 0, 1, 2, 3 ...
 *
 * Threads: All functions may be called by any threads on memory of their own. */

/* Most bytes of a number. */
#define OCT_LEB128_MAX 10

/* Write v to p, which has room for OCT_LEB128_MAX bytes. Returns where it ends. */
static inline uint8_t *oct_leb128_put(uint8_t *p, uint64_t v) {
  for (; v >= 128; v >>= 7) *p++ = (uint8_t)(v | 128);
  *p++ = (uint8_t)v;
  return p;
}

/* Read a number from p to *v. Returns where it ends; NULL when it does not end before end, or has
 * more than 64 bits. */
static inline const uint8_t *oct_leb128_get(const uint8_t *p, const uint8_t *end, uint64_t *v) {
  uint64_t value = 0;
  if (p < end && *p < 128) { /* most are of one byte */
    *v = *p;
    return p + 1;
  }
  for (unsigned shift = 0; p < end; p++, shift += 7) {
    if (shift == 63 && *p > 1) return NULL;
    value |= (uint64_t)(*p & 127) << shift;
    if (*p < 128) {
      *v = value;
      return p + 1;
    }
  }
  return NULL;
}

/* A difference modulo 2^64, folded and unfolded. */
static inline uint64_t oct_fold_sign(uint64_t difference) {
  return (difference << 1) ^ (difference >> 63 ? UINT64_MAX : 0);
}
static inline uint64_t oct_unfold_sign(uint64_t folded) {
  return folded >> 1 ^ (folded & 1 ? UINT64_MAX : 0);
}

/* A byte buffer that grows at its end, and a cursor that reads bytes from memory.
 *
 * Threads: A buffer or cursor is for one thread at a time; different ones do not know of each
 * other. */

/* bytes[0 .. n_bytes) are filled. All zero is an empty buffer. has_failed: memory was short once,
 * for those who look only at the end. */
typedef struct oct_buffer {
  uint8_t *bytes;
  size_t n_bytes, room_bytes;
  bool has_failed;
} oct_buffer;

static inline void oct_buffer_free(oct_buffer *b) {
  free(b->bytes);
  b->bytes = NULL;
  b->n_bytes = b->room_bytes = 0;
  b->has_failed = false;
}

/* Where at least n more bytes may be written; the writer then adds to n_bytes what it wrote. NULL
 * when out of memory, the buffer is unchanged then. */
static inline uint8_t *oct_buffer_room(oct_buffer *b, size_t n) {
  if (b->room_bytes - b->n_bytes < n) {
    size_t room = b->n_bytes + n;
    room += room / 2;
    uint8_t *p =
        n > SIZE_MAX / 4 || b->n_bytes > SIZE_MAX / 4 ? NULL : (uint8_t *)realloc(b->bytes, room);
    if (!p) {
      b->has_failed = true;
      return NULL;
    }
    b->bytes = p;
    b->room_bytes = room;
  }
  return b->n_bytes ? b->bytes + b->n_bytes : b->bytes;
}

/* Append n bytes: 0 or OCT_ERR_NOMEM. */
static inline int oct_buffer_put(oct_buffer *b, const void *bytes, size_t n) {
  if (!n) return 0;
  uint8_t *p = oct_buffer_room(b, n);
  if (!p) return OCT_ERR_NOMEM;
  memcpy(p, bytes, n);
  b->n_bytes += n;
  return 0;
}

/* Append a number (oct_leb128.h), or the lowest n_bytes bytes of one, lowest first. */
static inline int oct_buffer_put_leb128(oct_buffer *b, uint64_t v) {
  uint8_t *p = oct_buffer_room(b, OCT_LEB128_MAX);
  if (!p) return OCT_ERR_NOMEM;
  b->n_bytes += (size_t)(oct_leb128_put(p, v) - p);
  return 0;
}

static inline int oct_buffer_put_le(oct_buffer *b, uint64_t v, size_t n_bytes) {
  uint8_t *p = oct_buffer_room(b, n_bytes);
  if (!p) return OCT_ERR_NOMEM;
  for (size_t i = 0; i < n_bytes; i++) p[i] = (uint8_t)(v >> 8 * i);
  b->n_bytes += n_bytes;
  return 0;
}

/* Bytes in memory still to be read, owned by someone else. has_failed: more was asked for than was
 * there, for those who look only at the end. */
typedef struct oct_cursor {
  const uint8_t *bytes;
  size_t n_bytes;
  bool has_failed;
} oct_cursor;

/* Take n bytes. Where fewer are, NULL, and nothing is left. */
static inline const uint8_t *oct_cursor_take(oct_cursor *c, uint64_t n) {
  if (c->n_bytes < n) {
    c->has_failed = true;
    c->n_bytes = 0;
    return NULL;
  }
  const uint8_t *p = c->bytes;
  c->bytes += n;
  c->n_bytes -= (size_t)n;
  return p;
}

/* Take a number (oct_leb128.h). Where none is, 0, and nothing is left. */
static inline uint64_t oct_cursor_take_leb128(oct_cursor *c) {
  uint64_t v;
  const uint8_t *after = oct_leb128_get(c->bytes, c->bytes + c->n_bytes, &v);
  if (!after) {
    c->has_failed = true;
    c->n_bytes = 0;
    return 0;
  }
  c->n_bytes -= (size_t)(after - c->bytes);
  c->bytes = after;
  return v;
}

/* An output file that appears under its name only when it is whole.
 *
 * Threads: An oct_outfile is for one thread at a time, different ones may be used by different
 * threads; oct_outfile_unlink_all may be called by any, and by a signal handler. */

typedef struct oct_outfile oct_outfile;

/* Open path for writing ("-": standard output, at once). A path that is not a regular file (a pipe,
 * /dev/null) is written directly; of a link the file that it leads to is written, so that the link
 * stays. Else the file has no name at first (Linux, O_TMPFILE), or where there is no such thing the
 * name `PATH.octrace-XXXXXX`; what earlier runs that were killed left under such names is removed.
 * OCT_ERR_ARG: it is an input of this process (oct_infile.h); OCT_ERR_IO, OCT_ERR_NOMEM. */
int oct_outfile_open(const char *path, oct_outfile **f, oct_diag *diag);
/* Whether oct_outfile_open could open path now, before long work whose result goes there. Nothing
 * is made or changed. 0, OCT_ERR_ARG, OCT_ERR_IO, OCT_ERR_NOMEM. */
int oct_outfile_check(const char *path, oct_diag *diag);
int oct_outfile_write(oct_outfile *f, const void *bytes, size_t n, oct_diag *diag);
/* Bytes written so far. */
uint64_t oct_outfile_tell(const oct_outfile *f);
/* Whether a commit makes a file where there was none. */
bool oct_outfile_is_new(const oct_outfile *f);
/* Write out what is still in memory, and look whether the file can have its name: before the first
 * of several files gets its own. OCT_ERR_ARG, OCT_ERR_IO. */
int oct_outfile_settle(oct_outfile *f, oct_diag *diag);
/* Flush, give it its name, and free, in every case. A file of that name is replaced, but not one
 * that another program made or changed since oct_outfile_open. The new file has the rights of the
 * one that it replaces, and its owner where that is permitted. OCT_ERR_ARG where an input was
 * opened since that the file is; OCT_ERR_IO. */
int oct_outfile_commit(oct_outfile *f, oct_diag *diag);
/* Remove the temporary file and free. NULL is allowed. */
void oct_outfile_abort(oct_outfile *f);

/* A directory as oct_temporary_make makes it, in the list of what oct_outfile_unlink_all removes.
 * Returns its descriptor, or -1 with errno set. *place is for oct_outfile_forget_folder, once it
 * has its final name or is gone. */
int oct_outfile_make_folder(char *name, const char *path, void **place);
void oct_outfile_forget_folder(void *place); /* NULL is allowed */

/* Remove the temporary files and directories of all outputs that are open, in any thread. For the
 * handler of a signal that ends the program: async-signal-safe; the outputs can only be aborted
 * afterwards. */
void oct_outfile_unlink_all(void);

#ifdef __cplusplus
}
#endif
#endif
