/* SPDX-License-Identifier: Apache-2.0 */
/* oct_listing.h - the words of a packet in a listing: its name, what it means, its fields.
 *
 * The packet may be NULL: a decoder that reads a packet with the code of the listing has none. */
#ifndef OCT_LISTING_H
#define OCT_LISTING_H

#include <stdio.h>

#include "octrace/tracer.h"

static inline void oct_packet_describe(oct_packet *p, const char *name, const char *text) {
  if (!p) return;
  p->name = name;
  snprintf(p->text, sizeof p->text, "%s", text);
}

/* The next field; those for which there is no room are left out. */
static inline void oct_packet_add(oct_packet *p, const char *name, uint64_t value,
                                  uint32_t width_bits, bool is_hex) {
  if (p && p->n_fields < OCT_PACKET_FIELDS_MAX)
    p->fields[p->n_fields++] = (oct_packet_field){name, value, width_bits, is_hex};
}

#endif
