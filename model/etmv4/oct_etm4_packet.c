/* SPDX-License-Identifier: Apache-2.0 */
/* oct_etm4_packet.c - ETMv4 packets from bytes, atoms to and from their headers, formatter frames.
 *
 * The first byte tells the packet; what follows are fields of seven bits with a bit that says
 * whether more come. Addresses are told against a history of the last three. A frame is 16 bytes of
 * which some are identities of sources: the framer takes those out and leaves the bytes of the
 * trace unit. Sources: ETMv4; CoreSight for the frames. */
#include <stddef.h>

#include "oct_etm4.h"
#include "oct_mask.h"

/* ---- Atoms ---- */

/* Headers for patterns of five and four atoms, the oldest in bit 0. */
static const struct pattern {
  uint8_t n, bits, header;
} patterns[] = {{5, 0x00, 0xd5}, {5, 0x0a, 0xd6}, {5, 0x15, 0xd7}, {5, 0x1e, 0xf5},
                {4, 0x0e, 0xdc}, {4, 0x00, 0xdd}, {4, 0x0a, 0xde}, {4, 0x05, 0xdf}};
enum { PATTERNS = sizeof patterns / sizeof *patterns };
/* Format 6: 3 to 23 times E, then E (from 0xc0 on) or N (from 0xe0 on). */
enum { F6_LEAST = 3, F6_MOST = 23, F6_E = 0xc0, F6_N = 0xe0, F3 = 0xf8, F2 = 0xd8, F1 = 0xf6 };

static uint8_t take(oct_etm4_atoms *a, uint32_t n, uint32_t header) {
  a->bits >>= n;
  a->n -= n;
  return (uint8_t)header;
}

uint8_t oct_etm4_pack_atoms(oct_etm4_atoms *a) {
  uint32_t run = ~a->bits ? (uint32_t)__builtin_ctzll(~a->bits) : 64;
  uint32_t low = (uint32_t)a->bits;
  if (run > a->n) run = a->n;
  if (run >= F6_LEAST && a->n > F6_LEAST) {
    if (run > F6_MOST) return take(a, F6_MOST + 1, F6_E + F6_MOST - F6_LEAST);
    if (run < a->n) return take(a, run + 1, F6_N + run - F6_LEAST);
    return take(a, run, F6_E + run - 1 - F6_LEAST);
  }
  for (unsigned i = 0; i < PATTERNS; i++)
    if (a->n >= patterns[i].n && (low & ((1u << patterns[i].n) - 1)) == patterns[i].bits)
      return take(a, patterns[i].n, patterns[i].header);
  if (a->n >= 3) return take(a, 3, F3 | (low & 7));
  if (a->n == 2) return take(a, 2, F2 | (low & 3));
  return take(a, 1, F1 | (low & 1));
}

bool oct_etm4_unpack_atoms(uint8_t header, oct_etm4_atoms *a) {
  for (unsigned i = 0; i < PATTERNS; i++)
    if (patterns[i].header == header) {
      *a = (oct_etm4_atoms){patterns[i].bits, patterns[i].n};
      return true;
    }
  uint32_t run = (header & 0x1f) + F6_LEAST;
  if (header >= F3) {
    *a = (oct_etm4_atoms){header & 7, 3};
  } else if ((header & 0xfe) == F1) {
    *a = (oct_etm4_atoms){header & 1, 1};
  } else if ((header & 0xfc) == F2) {
    *a = (oct_etm4_atoms){header & 3, 2};
  } else if (header >= OCT_ETM4_ATOMS && run <= F6_MOST) {
    bool ends_in_e = header < F6_N;
    *a = (oct_etm4_atoms){oct_mask(run), run + 1};
    a->bits |= (uint64_t)ends_in_e << run;
  } else {
    return false;
  }
  return true;
}

/* ---- Packets ---- */

/* Fields of 7 bits, the lowest first, each but the last with its top bit set. */
static int read_continued(const uint8_t *bytes, size_t n, unsigned most, uint64_t *value) {
  *value = 0;
  for (unsigned i = 0; i < most; i++) {
    if (i == n) return 0;
    *value |= (uint64_t)(bytes[i] & 0x7f) << 7 * i;
    if (!(bytes[i] & 0x80)) return (int)i + 1;
  }
  return -1;
}

/* Short addresses have 7 bits from the lowest that counts on, or 15 or so. */
static int read_short(const uint8_t *bytes, size_t n, oct_etm4_history *h, oct_etm4_packet *p) {
  unsigned shift = p->is_thumb ? 1 : 2;
  if (n < 2) return 0;
  bool is_two = bytes[1] & 0x80;
  if (n < 2u + is_two) return 0;
  uint64_t low = (uint64_t)(bytes[1] & 0x7f) << shift;
  unsigned bits = 7 + shift;
  if (is_two) {
    low |= (uint64_t)bytes[2] << bits;
    bits += 8;
  }
  p->value = (h->addr[0] & ~oct_mask(bits)) | low;
  return 2 + is_two;
}

static int read_long(const uint8_t *bytes, size_t n, bool is_64, oct_etm4_history *h,
                     oct_etm4_packet *p) {
  unsigned length = is_64 ? 9 : 5;
  if (n < length) return 0;
  uint64_t value = p->is_thumb
                       ? (uint64_t)(bytes[1] & 0x7f) << 1 | (uint64_t)bytes[2] << 8
                       : (uint64_t)(bytes[1] & 0x7f) << 2 | (uint64_t)(bytes[2] & 0x7f) << 9;
  for (unsigned i = 3; i < length; i++) value |= (uint64_t)bytes[i] << 8 * (i - 1);
  p->value = is_64 ? value : (h->addr[0] & ~(uint64_t)UINT32_MAX) | value;
  return (int)length;
}

static int read_address(const uint8_t *bytes, size_t n, oct_etm4_history *h, oct_etm4_packet *p) {
  uint8_t header = bytes[0];
  int length;
  p->is_address = true;
  if (header >= OCT_ETM4_EXACT && header < OCT_ETM4_EXACT + OCT_ETM4_HISTORY) {
    unsigned i = header - OCT_ETM4_EXACT;
    if (i >= h->n) return -1;
    p->value = h->addr[i];
    p->is_thumb = h->is_thumb[i];
    length = 1;
  } else if (header == OCT_ETM4_SHORT || header == OCT_ETM4_SHORT + 1) {
    p->is_thumb = header == OCT_ETM4_SHORT + 1;
    length = read_short(bytes, n, h, p);
  } else if (header == OCT_ETM4_LONG_32 || header == OCT_ETM4_LONG_32 + 1) {
    p->is_thumb = header == OCT_ETM4_LONG_32 + 1;
    length = read_long(bytes, n, false, h, p);
  } else if (header == OCT_ETM4_LONG_64) {
    length = read_long(bytes, n, true, h, p);
  } else if (header == OCT_ETM4_CONTEXT_32_A32 || header == OCT_ETM4_CONTEXT_32_T32 ||
             header == OCT_ETM4_CONTEXT_64_A64) {
    bool is_64 = header == OCT_ETM4_CONTEXT_64_A64;
    p->is_thumb = header == OCT_ETM4_CONTEXT_32_T32;
    length = read_long(bytes, n, is_64, h, p);
    if (length <= 0) return length;
    if (n < (size_t)length + 5) return 0;
    if (!(bytes[length] & 0x80)) return -1; /* a context without its number */
    p->has_context = true;
    p->privilege = bytes[length] & 3;
    for (unsigned i = 0; i < 4; i++) p->context |= (uint32_t)bytes[length + 1 + (int)i] << 8 * i;
    length += 5;
  } else {
    return -1;
  }
  if (length > 0) oct_etm4_remember(h, p->value, p->is_thumb);
  return length;
}

/* Behind its header PLCTL says what comes: here INFO, and if cycles are counted the threshold. */
static int read_trace_info(const uint8_t *bytes, size_t n, oct_etm4_history *h,
                           oct_etm4_packet *p) {
  if (n < 3) return 0;
  if (bytes[1] == OCT_ETM4_PLCTL_INFO) {
    h->n = 0;
    return 3;
  }
  if (bytes[1] != (OCT_ETM4_PLCTL_INFO | OCT_ETM4_PLCTL_CYCLES)) return -1;
  int length = read_continued(bytes + 3, n - 3, 2, &p->value);
  if (length > 0) h->n = 0;
  return length > 0 ? length + 3 : length;
}

static int read_cycles(const uint8_t *bytes, size_t n, oct_etm4_packet *p) {
  p->is_cycles = true;
  if (bytes[0] >= OCT_ETM4_CYCLES_SHORT) {
    p->value = bytes[0] & OCT_ETM4_CYCLES_SHORT_MOST;
    return bytes[0] > (OCT_ETM4_CYCLES_SHORT | OCT_ETM4_CYCLES_SHORT_MOST) ? -1 : 1;
  }
  p->value = UINT64_MAX;
  if (bytes[0] == OCT_ETM4_CYCLES_MANY) return 1;
  int length = read_continued(bytes + 1, n - 1, 3, &p->value);
  return length > 0 ? length + 1 : length;
}

int oct_etm4_read(const uint8_t *bytes, size_t n, oct_etm4_history *h, oct_etm4_packet *p) {
  memset(p, 0, sizeof *p);
  if (!n) return 0;
  p->header = bytes[0];
  if (oct_etm4_unpack_atoms(bytes[0], &p->atoms)) return 1;
  switch (bytes[0]) {
    case OCT_ETM4_EXTENSION:
      for (unsigned i = 0; i < OCT_ETM4_ASYNC_ZEROS; i++) {
        if (i == n) return 0;
        if (bytes[i]) return -1;
      }
      if (n == OCT_ETM4_ASYNC_ZEROS) return 0;
      p->is_async = true;
      return bytes[OCT_ETM4_ASYNC_ZEROS] == 0x80 ? OCT_ETM4_ASYNC_ZEROS + 1 : -1;
    case OCT_ETM4_TRACE_INFO:
      return read_trace_info(bytes, n, h, p);
    case OCT_ETM4_TIMESTAMP: {
      int length = read_continued(bytes + 1, n - 1, 9, &p->value);
      return length > 0 ? length + 1 : length;
    }
    case OCT_ETM4_TRACE_ON:
      return 1;
    case OCT_ETM4_EXCEPTION:
      if (n < 2) return 0;
      p->value = bytes[1] >> 1 & 0x1f;
      if ((bytes[1] & 0x41) != 1) return -1;
      if (!(bytes[1] & 0x80)) return 2;
      if (n < 3) return 0;
      p->value |= (uint64_t)(bytes[2] & 0x1f) << 5;
      return bytes[2] & 0xe0 ? -1 : 3;
    case OCT_ETM4_CYCLES:
    case OCT_ETM4_CYCLES_MANY:
      return read_cycles(bytes, n, p);
    default:
      if (bytes[0] >> 4 == OCT_ETM4_CYCLES_SHORT >> 4) return read_cycles(bytes, n, p);
      return read_address(bytes, n, h, p);
  }
}

/* ---- Frames ---- */

int oct_etm4_frame(oct_etm4_framer *f, oct_buffer *out, bool is_end) {
  const size_t n = f->pending.n_bytes;
  f->pending.n_bytes = 0;
  for (size_t i = 0; i < n + is_end; i++) {
    uint8_t *frame = oct_buffer_room(out, OCT_FRAME_BYTES);
    if (!frame) return -1;
    bool is_whole = i < n ? oct_formatter_put(&f->formatter, f->id, f->pending.bytes[i], frame)
                          : oct_formatter_flush(&f->formatter, frame);
    if (is_whole) out->n_bytes += OCT_FRAME_BYTES;
  }
  return 0;
}
