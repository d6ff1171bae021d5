/* SPDX-License-Identifier: Apache-2.0 */
/* oct_crc.h - cyclic redundancy checks over runs of bits, of any length and from any bit on.
 *
 * Bits are taken in the order in which they leave a port: of a byte or word the least significant
 * first. The register starts at 0 and nothing is inverted at the end, so leading zeros change
 * nothing: a run that begins within a byte is taken as if it began at the byte with zeros. A run
 * that is to be checked must therefore begin with a one, or have a length known otherwise.
 *
 * The register is reflected: bit 0 holds the coefficient of the highest power. It is sent least
 * significant bit first, so that a run with its check appended leaves 0 in the register.
 *
 * 16 bits: x^16 + x^12 + x^5 + 1, the polynomial of ITU-T V.41 and X.25 (0x1021, reflected 0x8408).
 * It finds every odd number of flipped bits, and every burst of up to 16 bits, at any length;
 * two flipped bits unless a multiple of 32767 bits lies between them.
 * 32 bits: Castagnoli's polynomial of RFC 9260 (0x1EDC6F41, reflected 0x82F63B78), for ports that
 * are worth more: every burst of up to 32 bits.
 *
 * Functions are pure; tables are constants. */
#ifndef OCT_CRC_H
#define OCT_CRC_H

#include <stddef.h>
#include <stdint.h>

#define OCT_CRC16_POLY 0x8408u
#define OCT_CRC32_POLY 0x82F63B78u

/* One bit and four bits through a register without further input, as constants. */
#define OCT_CRC_1(poly, x) ((x) >> 1 ^ ((x)&1 ? (poly) : 0u))
#define OCT_CRC_2(poly, x) OCT_CRC_1(poly, OCT_CRC_1(poly, x))
#define OCT_CRC_4(poly, x) OCT_CRC_2(poly, OCT_CRC_2(poly, x))
#define OCT_CRC_TABLE(p)                                                                          \
  {                                                                                               \
    OCT_CRC_4(p, 0u), OCT_CRC_4(p, 1u), OCT_CRC_4(p, 2u), OCT_CRC_4(p, 3u), OCT_CRC_4(p, 4u),     \
        OCT_CRC_4(p, 5u), OCT_CRC_4(p, 6u), OCT_CRC_4(p, 7u), OCT_CRC_4(p, 8u), OCT_CRC_4(p, 9u), \
        OCT_CRC_4(p, 10u), OCT_CRC_4(p, 11u), OCT_CRC_4(p, 12u), OCT_CRC_4(p, 13u),               \
        OCT_CRC_4(p, 14u), OCT_CRC_4(p, 15u)                                                      \
  }

/* The reflected polynomial of a check of 16 or 32 bits. */
static inline uint32_t oct_crc_poly(unsigned check_bits) {
  return check_bits == 16 ? OCT_CRC16_POLY : OCT_CRC32_POLY;
}

/* Take the n lowest bits of word, 0 to 64. check_bits is 16 or 32; crc is what came before, 0 at
 * first. */
static inline uint32_t oct_crc_bits(unsigned check_bits, uint32_t crc, uint64_t word, unsigned n) {
  static const uint32_t table16[16] = OCT_CRC_TABLE(OCT_CRC16_POLY);
  static const uint32_t table32[16] = OCT_CRC_TABLE(OCT_CRC32_POLY);
  const uint32_t *table = check_bits == 16 ? table16 : table32;
  for (; n >= 4; n -= 4, word >>= 4) crc = crc >> 4 ^ table[(crc ^ (uint32_t)word) & 15];
  for (; n; n--, word >>= 1)
    crc = crc >> 1 ^ ((crc ^ (uint32_t)word) & 1 ? oct_crc_poly(check_bits) : 0);
  return crc;
}

/* Take n whole bytes. */
static inline uint32_t oct_crc_bytes(unsigned check_bits, uint32_t crc, const uint8_t *bytes,
                                     size_t n) {
  for (size_t i = 0; i < n; i++) crc = oct_crc_bits(check_bits, crc, bytes[i], 8);
  return crc;
}

#endif
