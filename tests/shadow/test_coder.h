/* SPDX-License-Identifier: Apache-2.0 */
/* test_coder.h - what the coder of `shadow` is given: a decision, a symbol of several decisions,
 * raw bits, or an escape. */
#ifndef TEST_CODER_H
#define TEST_CODER_H

#include <stddef.h>
#include <stdint.h>

enum { PATH_DECISIONS = 3 };
typedef enum decision_kind { ONE, PATH, RAW, ESCAPE } decision_kind;

typedef struct decision {
  decision_kind kind;
  uint16_t p;     /* of 4096, for a 1; RAW: bits */
  uint64_t value; /* PATH: bit k is the outcome of decision k; ESCAPE: the number */
} decision;

/* The caller frees *bytes. */
size_t encode(const decision *decisions, size_t n, uint8_t **bytes);

#endif
