/* SPDX-License-Identifier: Apache-2.0 */
/* test_coder.h - a decision of the coder: p of 65536 for a 1, or 0 for a point. */
#ifndef TEST_CODER_H
#define TEST_CODER_H

#include <stddef.h>
#include <stdint.h>

typedef struct decision {
  uint16_t p;
  uint8_t bit;
} decision;

/* The caller frees *bytes. */
size_t encode(const decision *decisions, size_t n, uint8_t **bytes);

#endif
