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

#include <endian.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* What a register is after a word of 64 bits is a sum, without carry, over the ones of the word:
 * each adds what the register would be after that one alone and the zeros behind it. A row sums up
 * four bits of the word; its arguments are those of bits 0 to 3. tests/common/test_crc.c derives
 * them from the polynomials. */
#define OCT_CRC_ROW(a, b, c, d)                                                             \
  {                                                                                         \
    0, a, b, (a) ^ (b), c, (a) ^ (c), (b) ^ (c), (a) ^ (b) ^ (c), d, (a) ^ (d), (b) ^ (d),  \
        (a) ^ (b) ^ (d), (c) ^ (d), (a) ^ (c) ^ (d), (b) ^ (c) ^ (d), (a) ^ (b) ^ (c) ^ (d) \
  }
#define OCT_CRC16_ROWS                                                                          \
  OCT_CRC_ROW(0x81BF, 0x0B6F, 0x16DE, 0x2DBC), OCT_CRC_ROW(0x5B78, 0xB6F0, 0x65F1, 0xCBE2),     \
      OCT_CRC_ROW(0x9FD5, 0x37BB, 0x6F76, 0xDEEC), OCT_CRC_ROW(0xB5C9, 0x6383, 0xC706, 0x861D), \
      OCT_CRC_ROW(0x042B, 0x0856, 0x10AC, 0x2158), OCT_CRC_ROW(0x42B0, 0x8560, 0x02D1, 0x05A2), \
      OCT_CRC_ROW(0x0B44, 0x1688, 0x2D10, 0x5A20), OCT_CRC_ROW(0xB440, 0x6091, 0xC122, 0x8A55), \
      OCT_CRC_ROW(0x1CBB, 0x3976, 0x72EC, 0xE5D8), OCT_CRC_ROW(0xC3A1, 0x8F53, 0x16B7, 0x2D6E), \
      OCT_CRC_ROW(0x5ADC, 0xB5B8, 0x6361, 0xC6C2), OCT_CRC_ROW(0x8595, 0x033B, 0x0676, 0x0CEC), \
      OCT_CRC_ROW(0x19D8, 0x33B0, 0x6760, 0xCEC0), OCT_CRC_ROW(0x9591, 0x2333, 0x4666, 0x8CCC), \
      OCT_CRC_ROW(0x1189, 0x2312, 0x4624, 0x8C48), OCT_CRC_ROW(0x1081, 0x2102, 0x4204, 0x8408)
#define OCT_CRC32_ROWS                                             \
  OCT_CRC_ROW(0x493C7D27, 0x9278FA4E, 0x211D826D, 0x423B04DA),     \
      OCT_CRC_ROW(0x847609B4, 0x0D006599, 0x1A00CB32, 0x34019664), \
      OCT_CRC_ROW(0x68032CC8, 0xD0065990, 0xA5E0C5D1, 0x4E2DFD53), \
      OCT_CRC_ROW(0x9C5BFAA6, 0x3D5B83BD, 0x7AB7077A, 0xF56E0EF4), \
      OCT_CRC_ROW(0xEF306B19, 0xDB8CA0C3, 0xB2F53777, 0x6006181F), \
      OCT_CRC_ROW(0xC00C303E, 0x85F4168D, 0x0E045BEB, 0x1C08B7D6), \
      OCT_CRC_ROW(0x38116FAC, 0x7022DF58, 0xE045BEB0, 0xC5670B91), \
      OCT_CRC_ROW(0x8F2261D3, 0x1BA8B557, 0x37516AAE, 0x6EA2D55C), \
      OCT_CRC_ROW(0xDD45AAB8, 0xBF672381, 0x7B2231F3, 0xF64463E6), \
      OCT_CRC_ROW(0xE964B13D, 0xD725148B, 0xABA65FE7, 0x52A0C93F), \
      OCT_CRC_ROW(0xA541927E, 0x4F6F520D, 0x9EDEA41A, 0x38513EC5), \
      OCT_CRC_ROW(0x70A27D8A, 0xE144FB14, 0xC76580D9, 0x8B277743), \
      OCT_CRC_ROW(0x13A29877, 0x274530EE, 0x4E8A61DC, 0x9D14C3B8), \
      OCT_CRC_ROW(0x3FC5F181, 0x7F8BE302, 0xFF17C604, 0xFBC3FAF9), \
      OCT_CRC_ROW(0xF26B8303, 0xE13B70F7, 0xC79A971F, 0x8AD958CF), \
      OCT_CRC_ROW(0x105EC76F, 0x20BD8EDE, 0x417B1DBC, 0x82F63B78)

/* The register after a word of 64 bits, from 0. */
static inline uint32_t oct_crc_word(unsigned check_bits, uint64_t word) {
  static const uint32_t rows[2][16][16] = {{OCT_CRC16_ROWS}, {OCT_CRC32_ROWS}};
  const uint32_t(*row)[16] = rows[check_bits != 16];
  uint32_t crc = 0;
  for (unsigned i = 0; i < 16; i++) crc ^= row[i][word >> 4 * i & 15];
  return crc;
}

/* Take the n lowest bits of word, 0 to 64. check_bits is 16 or 32; crc is what came before, 0 at
 * first. Bits of the register that are not yet shifted out meet those of the word; leading zeros
 * make the rest a whole word. */
static inline uint32_t oct_crc_bits(unsigned check_bits, uint32_t crc, uint64_t word, unsigned n) {
  if (!n) return crc;
  uint32_t rest = n < 32 ? crc >> n : 0;
  return rest ^ oct_crc_word(check_bits, (crc ^ word) << (64 - n));
}

/* Take n whole bytes. */
static inline uint32_t oct_crc_bytes(unsigned check_bits, uint32_t crc, const uint8_t *bytes,
                                     size_t n) {
  for (; n >= 8; n -= 8, bytes += 8) {
    uint64_t word;
    memcpy(&word, bytes, 8);
    crc = oct_crc_bits(check_bits, crc, le64toh(word), 64);
  }
  for (; n; n--) crc = oct_crc_bits(check_bits, crc, *bytes++, 8);
  return crc;
}

#endif
