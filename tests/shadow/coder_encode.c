/* SPDX-License-Identifier: Apache-2.0 */
/* coder_encode.c - the compressor's half of the coder, for test_coder.c. */
#include "test_coder.h"

#include "oct_shadow_encode.h"

size_t encode(const decision *decisions, size_t n, uint8_t **bytes) {
  oct_coder c = {0};
  oct_coder_begin(&c);
  for (size_t i = 0; i < n; i++) {
    if (decisions[i].p)
      oct_coder_bit(&c, decisions[i].p, decisions[i].bit);
    else
      oct_coder_point(&c, decisions[i].bit);
  }
  oct_coder_end(&c);
  *bytes = c.bytes;
  return c.n;
}
