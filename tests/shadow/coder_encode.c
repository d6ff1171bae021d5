/* SPDX-License-Identifier: Apache-2.0 */
/* coder_encode.c - the compressor's half of the coder, for test_coder.c. */
#include "test_coder.h"

#include "oct_shadow_encode.h"

size_t encode(const decision *decisions, size_t n, uint8_t **bytes) {
  oct_coder c = {0};
  oct_coder_begin(&c);
  for (size_t i = 0; i < n; i++) {
    const decision *d = &decisions[i];
    switch (d->kind) {
      case ESCAPE:
        oct_coder_escape(&c, OCT_ESCAPE_JUMP, d->value);
        break;
      case RAW:
        oct_coder_raw(&c, d->value, d->p);
        break;
      case PATH:
        oct_coder_open(&c);
        for (unsigned k = 0; k < PATH_DECISIONS; k++)
          oct_coder_path(&c, d->p, d->value >> k & 1, 1u << (PATH_DECISIONS - 1 - k));
        oct_coder_close(&c);
        break;
      default:
        oct_coder_bit(&c, d->p, (unsigned)d->value);
        break;
    }
  }
  oct_coder_end(&c);
  *bytes = c.bytes;
  return c.n;
}
