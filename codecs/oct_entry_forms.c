/* SPDX-License-Identifier: Apache-2.0 */
/* oct_entry_forms.c - entries of the program map by their form. */
#include "oct_entry_forms.h"

#include <string.h>
#include <xxhash.h>

#include "oct_endian.h"

enum { HAS_TARGET = 0x80 };

void oct_entry_forms_clear(oct_entry_forms *f) {
  memset(f->places, 0, sizeof f->places);
  f->n = 0;
  f->end = 0;
}

/* The number of a form, from 1, or 0 when it is new, which is kept if there is room. */
static unsigned number_of(oct_entry_forms *f, const uint8_t *form) {
  const size_t n_places = sizeof f->places / sizeof *f->places;
  size_t i = XXH64(form, OCT_ENTRY_FORM_BYTES, 0) % n_places;
  for (; f->places[i]; i = (i + 1) % n_places)
    if (!memcmp(f->forms[f->places[i] - 1], form, OCT_ENTRY_FORM_BYTES)) return f->places[i];
  if (f->n == OCT_ENTRY_FORMS_MAX) return 0;
  memcpy(f->forms[f->n++], form, OCT_ENTRY_FORM_BYTES);
  f->places[i] = (uint16_t)f->n;
  return 0;
}

size_t oct_entry_put(oct_entry_forms *f, const oct_map_entry *e, uint8_t *p) {
  uint8_t form[OCT_ENTRY_FORM_BYTES] = {e->size_bytes, e->cls, e->n_slots, e->flags,
                                        (uint8_t)(e->code_isa | (e->target ? HAS_TARGET : 0))};
  uint8_t *start = p;
  memcpy(form + OCT_ENTRY_FORM_BYTES - OCT_SLOTS_MAX, e->slots, OCT_SLOTS_MAX);
  unsigned number = number_of(f, form);
  p = oct_leb128_put(p, number);
  if (!number) {
    memcpy(p, form, sizeof form);
    p += sizeof form;
  }
  p = oct_leb128_put(p, oct_fold_sign(e->addr - f->end));
  f->end = e->addr + e->size_bytes;
  if (e->target) p = oct_leb128_put(p, oct_fold_sign(e->target - e->addr));
  if (e->code_isa) {
    memcpy(p, e->code, e->size_bytes);
    p += e->size_bytes;
  }
  return (size_t)(p - start);
}

const uint8_t *oct_entry_form(oct_entry_forms *f, uint64_t number,
                              const uint8_t bytes[OCT_ENTRY_FORM_BYTES]) {
  if (number > f->n) return NULL;
  if (number) return f->forms[number - 1];
  if (f->n < OCT_ENTRY_FORMS_MAX) memcpy(f->forms[f->n++], bytes, OCT_ENTRY_FORM_BYTES);
  return bytes;
}

bool oct_entry_of_form(const uint8_t *form, oct_map_entry *e) {
  *e = (oct_map_entry){.size_bytes = form[0],
                       .cls = form[1],
                       .n_slots = form[2],
                       .flags = form[3],
                       .code_isa = form[4] & (HAS_TARGET - 1)};
  memcpy(e->slots, form + OCT_ENTRY_FORM_BYTES - OCT_SLOTS_MAX, OCT_SLOTS_MAX);
  return form[4] & HAS_TARGET;
}
