/* SPDX-License-Identifier: Apache-2.0 */
/* oct_radix.h - the base of a number that a user writes: 16 behind 0x, else 10. A 0 in front alone
 * does not make it octal. */
#ifndef OCT_RADIX_H
#define OCT_RADIX_H

static inline int oct_radix(const char *text) {
  return text[0] == '0' && (text[1] | 32) == 'x' ? 16 : 10;
}

#endif
