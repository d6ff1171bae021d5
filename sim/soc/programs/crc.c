/* SPDX-License-Identifier: Apache-2.0 */
/* crc.c - CRC-32 of 2000 bytes, by a table that it makes. */
#include <stdint.h>

static uint32_t table[256];
static uint8_t bytes[2000];

int main(void) {
  uint32_t crc = ~0u;
  for (uint32_t i = 0; i < 256; i++) {
    uint32_t c = i;
    for (int k = 0; k < 8; k++) c = c & 1 ? 0xedb88320u ^ c >> 1 : c >> 1;
    table[i] = c;
  }
  for (unsigned i = 0; i < sizeof bytes; i++) bytes[i] = (uint8_t)(i * i >> 3);
  for (unsigned i = 0; i < sizeof bytes; i++) crc = table[(crc ^ bytes[i]) & 255] ^ crc >> 8;
  /* The other way: bit by bit. */
  uint32_t slow = ~0u;
  for (unsigned i = 0; i < sizeof bytes; i++) {
    slow ^= bytes[i];
    for (int k = 0; k < 8; k++) slow = slow & 1 ? 0xedb88320u ^ slow >> 1 : slow >> 1;
  }
  return crc != slow;
}
