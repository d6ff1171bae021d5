/* SPDX-License-Identifier: Apache-2.0 */
/* oct_input.h - bytes of a file or of standard input, with gzip, bzip2, xz, zstd and zip
 * undone: the members of a zip file follow each other. */
#ifndef OCT_INPUT_H
#define OCT_INPUT_H

#include "octrace/error.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Most bytes that oct_input_peek can be asked for. */
#define OCT_INPUT_PEEK_BYTES 65536

typedef struct oct_input oct_input;

/* Open path ("-" = standard input) and recognise compression by content. OCT_ERR_IO, OCT_ERR_NOMEM,
 * OCT_ERR_FORMAT, OCT_ERR_TRUNCATED. */
int oct_input_open(const char *path, oct_input **in, oct_diag *diag);
void oct_input_close(oct_input *in);

/* The path as error messages show it. */
const char *oct_input_name(const oct_input *in);
const char *oct_input_shown(const char *path);

/* Point *p at the next bytes without taking them. Returns how many there are: at least n_bytes,
 * fewer only at the end of the input. OCT_ERR_* when damage stands before n_bytes are reached. */
int64_t oct_input_peek(oct_input *in, size_t n_bytes, const uint8_t **p, oct_diag *diag);
/* Take n_bytes that were peeked. */
void oct_input_take(oct_input *in, size_t n_bytes);

/* Read n_bytes; returns how many were read, fewer only at the end of the input, or an error. */
int64_t oct_input_read(oct_input *in, void *buffer, size_t n_bytes, oct_diag *diag);

/* The input is a text: leave escape sequences of terminals out, as of colours, from here on. */
void oct_input_take_as_text(oct_input *in);

/* The next line without its line end; *line is valid until the next call. Returns 1, 0 at the end,
 * OCT_ERR_LIMIT for lines over OCT_INPUT_PEEK_BYTES or another error. */
int oct_input_line(oct_input *in, const char **line, size_t *length, oct_diag *diag);

/* Whether the line that oct_input_line gave last has no line end: the input ends in it. */
int oct_input_is_line_open(const oct_input *in);

/* Of a compressed input: go on without its contents, for most_bytes at most, to see whether the
 * compressed stream is damaged. 0 or its error. What was peeked is gone. */
int oct_input_drain(oct_input *in, uint64_t most_bytes, oct_diag *diag);

/* Whether the compressed stream was found to be damaged: its checks stand behind its contents, so
 * some of what was taken may be wrong. */
int oct_input_is_damaged(const oct_input *in);

/* Offset in the decompressed stream of the next byte. */
uint64_t oct_input_offset(const oct_input *in);
/* oct_fail with `NAME: offset N: ` in front, or `NAME: offset N of the unpacked data: ` when the
 * input is compressed. */
#if defined(__GNUC__)
__attribute__((format(printf, 5, 6)))
#endif
int oct_input_fail(const oct_input *in, uint64_t offset, oct_diag *diag, int error,
                   const char *format, ...);
/* Whether this is an uncompressed regular file. */
int oct_input_can_seek(const oct_input *in);
int oct_input_seek(oct_input *in, uint64_t offset, oct_diag *diag);

/* Bytes of the underlying file read so far; its size, 0 when not a regular file. */
uint64_t oct_input_bytes_read(const oct_input *in);
/* Of bytes_total, those whose contents have been taken, as nearly as the decompressor tells: it may
 * have read ahead. */
uint64_t oct_input_bytes_done(const oct_input *in);
uint64_t oct_input_bytes_total(const oct_input *in);

#ifdef __cplusplus
}
#endif
#endif
