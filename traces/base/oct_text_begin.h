/* SPDX-License-Identifier: Apache-2.0 */
/* oct_text_begin.h - what a text begins with: a byte order mark, and what shows that it is one. */
#ifndef OCT_TEXT_BEGIN_H
#define OCT_TEXT_BEGIN_H

#include "oct_input.h"

#include <stdio.h>

/* How many of the first n bytes of a file, p, are the byte order mark of UTF-8: 3 or 0. */
size_t oct_text_mark_bytes(const uint8_t *p, size_t n);
/* Whether they are text in UTF-16, behind its byte order mark. */
int oct_text_is_utf16(const uint8_t *p, size_t n);

/* Whether they are text in UTF-8, the last character of which may be cut: no control characters but
 * what programs send to terminals. */
int oct_text_is_utf8(const uint8_t *p, size_t n);

/* Before the first line: step over the byte order mark of UTF-8. OCT_ERR_FORMAT: the text is in
 * UTF-16. Damage is left to who comes to it. */
int oct_text_begin(oct_input *in, oct_diag *diag);
/* oct_infile_fopen of a regular file of text, behind that mark. */
FILE *oct_text_fopen(const char *path);

#endif
