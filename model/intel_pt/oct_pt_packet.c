/* SPDX-License-Identifier: Apache-2.0 */
/* oct_pt_packet.c - Intel PT packets from bytes (Intel PT, section on packets).
 *
 * The first byte tells the packet, or the second where the first is 02. Addresses leave out what
 * they share with the last one, as three bits of the header say. The outcomes of a TNT are the bits
 * below its highest bit set. */
#include <stddef.h>

#include "oct_mask.h"
#include "oct_pt.h"

static const char *const names[OCT_PT_TYPES] = {
    "PAD", "TNT", "TIP", "TIP.PGE", "TIP.PGD", "FUP", "PSB", "PSBEND", "MODE",
    "PIP", "TSC", "CBR", "CYC",     "MTC",     "OVF", "TMA", "MNT",    "other"};

const char *oct_pt_name(uint8_t type) {
  return names[type];
}

static uint64_t little_endian(const uint8_t *p, unsigned n) {
  uint64_t value = 0;
  for (unsigned i = 0; i < n; i++) value |= (uint64_t)p[i] << 8 * i;
  return value;
}

/* The highest bit set stops; those below are the outcomes. */
static int read_tnt(uint64_t bits, unsigned n_bytes, oct_pt_packet *p) {
  if (!bits) return -1;
  p->type = OCT_PT_TNT;
  p->n = (uint8_t)(oct_bit_width(bits) - 1);
  p->value = bits & ~(UINT64_C(1) << p->n);
  return (int)n_bytes;
}

/* TIP, TIP.PGE, TIP.PGD, FUP: bits 5 to 7 say how the address is compressed. */
static int read_ip(uint8_t type, const uint8_t *bytes, size_t n, uint64_t *last_ip,
                   oct_pt_packet *p) {
  static const uint8_t lengths[8] = {0, 2, 4, 6, 6, 0xff, 8, 0xff};
  unsigned compression = bytes[0] >> 5, length = lengths[compression];
  if (length == 0xff) return -1;
  if (n < 1 + length) return 0;
  uint64_t payload = little_endian(bytes + 1, length), ip = payload;
  if (compression == 1 || compression == 2 || compression == 4)
    ip |= *last_ip & ~((UINT64_C(1) << 8 * length) - 1);
  if (compression == 3 && payload >> 47) ip |= UINT64_C(0xffff) << 48;
  if (compression) *last_ip = ip;
  p->type = type;
  p->n = (uint8_t)compression;
  p->value = ip;
  return 1 + (int)length;
}

static int read_cyc(const uint8_t *bytes, size_t n, oct_pt_packet *p) {
  uint64_t value = bytes[0] >> 3;
  bool more = bytes[0] & 4;
  unsigned at = 1, shift = 5;
  for (; more; at++, shift += 7) {
    if (at == n) return 0;
    if (at == 10) return -1;
    value |= (uint64_t)(bytes[at] >> 1) << shift;
    more = bytes[at] & 1;
  }
  p->type = OCT_PT_CYC;
  p->value = value;
  return (int)at;
}

/* Packets whose first byte is 02. */
static int read_extended(const uint8_t *bytes, size_t n, uint64_t *last_ip, oct_pt_packet *p) {
  /* Second byte, length, type; those without a use here are passed over. */
  static const struct {
    uint8_t code, n_bytes, type;
  } table[] = {{0x82, OCT_PT_PSB_BYTES, OCT_PT_PSB},
               {0x23, 2, OCT_PT_PSBEND},
               {0xf3, 2, OCT_PT_OVF},
               {0xa3, 8, OCT_PT_TNT},
               {0x43, 8, OCT_PT_PIP},
               {0x03, 4, OCT_PT_CBR},
               {0x73, 7, OCT_PT_TMA},
               {0xc8, 7, OCT_PT_OTHER},
               {0x83, 2, OCT_PT_OTHER},
               {0x13, 4, OCT_PT_OTHER},
               {0x53, 11, OCT_PT_OTHER},
               {0x62, 2, OCT_PT_OTHER},
               {0xe2, 2, OCT_PT_OTHER},
               {0xc2, 10, OCT_PT_OTHER},
               {0x22, 4, OCT_PT_OTHER},
               {0xa2, 7, OCT_PT_OTHER}};
  if (n < 2) return 0;
  if (bytes[1] == 0xc3) {
    enum { CODE_BYTES = 3, MNT_BYTES = 11 };
    if (n < MNT_BYTES) return 0;
    if (bytes[2] != 0x88) return -1;
    p->type = OCT_PT_MNT;
    p->value = little_endian(bytes + CODE_BYTES, MNT_BYTES - CODE_BYTES);
    return MNT_BYTES;
  }
  for (unsigned i = 0; i < sizeof table / sizeof *table; i++) {
    if (table[i].code != bytes[1]) continue;
    if (n < table[i].n_bytes) return 0;
    p->type = table[i].type;
    if (p->type == OCT_PT_TNT) return read_tnt(little_endian(bytes + 2, 6), 8, p);
    if (p->type == OCT_PT_PIP) p->value = little_endian(bytes + 2, 6) >> 1 << 5;
    if (p->type == OCT_PT_CBR) p->value = bytes[2];
    if (p->type == OCT_PT_TMA) p->value = little_endian(bytes + 2, 2);
    if (p->type == OCT_PT_PSB) {
      for (unsigned k = 0; k < OCT_PT_PSB_BYTES; k++)
        if (bytes[k] != (k & 1 ? 0x82 : 0x02)) return -1;
      *last_ip = 0;
    }
    return table[i].n_bytes;
  }
  return -1;
}

static int read_packet(const uint8_t *bytes, size_t n, uint64_t *last_ip, oct_pt_packet *p) {
  uint8_t first = bytes[0];
  if (!first) return 1; /* PAD */
  if (first == 0x02) return read_extended(bytes, n, last_ip, p);
  if ((first & 3) == 3) return read_cyc(bytes, n, p);
  if (!(first & 1)) return read_tnt(first >> 1, 1, p);
  switch (first & 0x1f) {
    case 0x0d:
      return read_ip(OCT_PT_TIP, bytes, n, last_ip, p);
    case 0x11:
      return read_ip(OCT_PT_TIP_PGE, bytes, n, last_ip, p);
    case 0x01:
      return read_ip(OCT_PT_TIP_PGD, bytes, n, last_ip, p);
    case 0x1d:
      return read_ip(OCT_PT_FUP, bytes, n, last_ip, p);
    default:
      break;
  }
  unsigned length = first == 0x99 || first == 0x59 ? 2 : first == 0x19 ? 8 : 0;
  if (!length) return -1;
  if (n < length) return 0;
  p->type = first == 0x99 ? OCT_PT_MODE : first == 0x59 ? OCT_PT_MTC : OCT_PT_TSC;
  p->value = little_endian(bytes + 1, length - 1);
  return (int)length;
}

int oct_pt_read(const uint8_t *bytes, size_t n, uint64_t *last_ip, oct_pt_packet *p) {
  memset(p, 0, sizeof *p);
  if (!n) return 0;
  int length = read_packet(bytes, n, last_ip, p);
  if (length > 0) p->n_bytes = (uint8_t)length;
  return length;
}
