/* SPDX-License-Identifier: Apache-2.0 */
/* oct_text_head.h - inside of the library: comments of a text that tell its instruction set and its
 * alignment (docs/trace-format.md). */
#ifndef OCT_TEXT_HEAD_H
#define OCT_TEXT_HEAD_H

#include "oct_lines.h"

enum { OCT_TEXT_ISA_BYTES_MAX = 64 };

/* What the comments before the first instruction tell. */
typedef struct oct_text_head {
  uint32_t said_align_bytes; /* by `# insn_align_bytes`; 0: not told */
  uint32_t align_bytes;      /* that of every instruction, by either comment; 1: none is told */
} oct_text_head;

/* Before the first line: take them into r's info. 0 or OCT_ERR_NOMEM. */
int oct_text_head_take(oct_text_head *h, oct_reader *r, oct_diag *diag);
/* The current line of r, whose state begins with an oct_lines, is a comment: OCT_ERR_FORMAT where
 * it is plainly meant to tell what it does not. */
int oct_text_head_check(const oct_text_head *h, oct_reader *r, oct_diag *diag);
/* Fail with OCT_ERR_FORMAT: the address [p, end) is not aligned as the comments tell. */
int oct_text_head_refuse(const oct_text_head *h, oct_reader *r, const char *p, const char *end,
                         oct_diag *diag);

#endif
