/* SPDX-License-Identifier: Apache-2.0 */
/* oct_packets.c - the table of packets with the widths that parameters give it (oct_packets.h).
 *
 * The list of X-macros is expanded for one configuration: which packets are legal, how wide each
 * field is, how often it stands, and where a check is in its packet. */
#include "oct_packets.h"

#include <string.h>

static const struct names {
  const char *name, *text, *fields[OCT_PACKET_FORM_FIELDS];
} names[OCT_PACKET_KINDS] = {
#define OCT_F(name, bits, times, value) #name,
#define OCT_X(kind, name, legal, prefix, fields, text) {name, text, {fields}},
    OCT_PACKETS(OCT_X, OCT_F)
#undef OCT_X
#undef OCT_F
};

const char *oct_packet_name(oct_packet_kind kind) {
  return names[kind].name;
}
const char *oct_packet_text(oct_packet_kind kind) {
  return names[kind].text;
}
const char *oct_packet_field_name(oct_packet_kind kind, uint32_t number) {
  return names[kind].fields[number];
}

static void add_field(oct_packet_form *form, uint32_t number, uint32_t bits, uint32_t times,
                      oct_field_value value) {
  if (!bits || !times) return;
  form->fields[form->n_fields++] = (oct_packet_form_field){number, bits, times, value};
  if (times != OCT_N_TIMES) form->fixed_bits += bits * times;
}

void oct_packet_forms(const oct_config *cfg, oct_packet_form forms[OCT_PACKET_KINDS]) {
  oct_widths w;
  oct_config_widths(cfg, &w);
  memset(forms, 0, OCT_PACKET_KINDS * sizeof *forms);
  /* Parameters and widths by their names, for the expressions of the table. */
#define OCT_X(name, ...)           \
  const uint32_t name = cfg->name; \
  (void)name;
  OCT_PARAMS(OCT_X)
#undef OCT_X
#define OCT_X(name, value, text) \
  const uint32_t name = w.name;  \
  (void)name;
  OCT_WIDTHS(OCT_X)
#undef OCT_X
#define OCT_X(kind, name_, legal, prefix_, fields_, text_)                     \
  {                                                                            \
    oct_packet_form *form = &forms[OCT_PACKET_##kind];                         \
    uint32_t number = 0;                                                       \
    (void)number;                                                              \
    form->is_legal = legal;                                                    \
    form->prefix = OCT_PREFIX_##kind;                                          \
    form->prefix_bits = OCT_PREFIX_BITS_##kind;                                \
    form->head_bits = form->prefix_bits;                                       \
    if (OCT_PACKET_##kind == OCT_PACKET_SYNC) form->head_bits = sync_ones + 1; \
    form->fixed_bits = form->head_bits;                                        \
    fields_                                                                    \
  }
#define OCT_F(name, bits, times, value) add_field(form, number++, bits, times, value);
  OCT_PACKETS(OCT_X, OCT_F)
#undef OCT_F
#undef OCT_X
  if (cfg->timestamp == 2) { /* a repetition has half of its prefix, the cycles the other */
    oct_packet_form *repetition = &forms[OCT_PACKET_REPETITION];
    repetition->prefix_bits++;
    repetition->head_bits++;
    repetition->fixed_bits++;
  }
}

uint32_t oct_packet_check_at(const oct_packet_form *form) {
  uint32_t at = form->head_bits;
  for (uint32_t i = 0; i < form->n_fields; i++) {
    if (form->fields[i].value == OCT_CHECK) return at;
    at += form->fields[i].bits * form->fields[i].times;
  }
  return 0;
}
