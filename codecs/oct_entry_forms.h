/* SPDX-License-Identifier: Apache-2.0 */
/* oct_entry_forms.h - inside of the library: entries of the program map in files of a codec that
 * takes records. All of an entry but its place and its bytes is its form; a program has few of
 * them, so that each is said once and then has a number (docs/codec-file.md, section 4). */
#ifndef OCT_ENTRY_FORMS_H
#define OCT_ENTRY_FORMS_H

#include "octrace/trace.h"

enum {
  /* size, class, slots, flags, instruction set + 128 with a target, slot bytes */
  OCT_ENTRY_FORM_BYTES = 5 + OCT_SLOTS_MAX,
  OCT_ENTRY_FORMS_MAX = 1024, /* of more, the form is said each time */
  /* The most bytes of an entry: number, form, address, target, bytes. */
  OCT_ENTRY_BYTES_MAX = 2 + OCT_ENTRY_FORM_BYTES + 10 + 10 + OCT_CODE_MAX
};

/* The forms of a group of segments so far. Zeroed at first, and at the next group. */
typedef struct oct_entry_forms {
  uint8_t forms[OCT_ENTRY_FORMS_MAX][OCT_ENTRY_FORM_BYTES];
  uint16_t places[2 * OCT_ENTRY_FORMS_MAX]; /* by hash: number, 0 where there is none */
  uint32_t n;
  uint64_t end; /* of the entry before */
} oct_entry_forms;

void oct_entry_forms_clear(oct_entry_forms *f);
/* Write e without its effect to p, which has room for OCT_ENTRY_BYTES_MAX. Returns how many. */
size_t oct_entry_put(oct_entry_forms *f, const oct_map_entry *e, uint8_t *p);

/* The way back: the form by its number, 0 for the next one, of which bytes are given; NULL when
 * there is none of the number. */
const uint8_t *oct_entry_form(oct_entry_forms *f, uint64_t number,
                              const uint8_t bytes[OCT_ENTRY_FORM_BYTES]);
/* What a form says of an entry; whether a target follows its address. */
bool oct_entry_of_form(const uint8_t *form, oct_map_entry *e);

#endif
