/* SPDX-License-Identifier: Apache-2.0 */
/* oct_ev_otf2_print.c - OTF2 events that were passed through, as text. */
#include <inttypes.h>
#include <stdio.h>

#include "oct_ev_otf2.h"
#include "oct_ev_types.h"

static const char *const names[] = {
    "Attributes", "Metric", "ProgramBegin",
#define OCT_X(name, ...) #name,
    OCT_EV_OTF2_EVENTS(OCT_X, OCT_X, OCT_X, OCT_X, OCT_X, OCT_X, OCT_X)
#undef OCT_X
};

static void put(oct_buffer *out, const char *before, uint64_t value) {
  char text[64];
  int n = snprintf(text, sizeof text, "%s%" PRIu64, before, value);
  oct_buffer_put(out, text, (size_t)n);
}

void oct_ev_otf2_print(oct_buffer *out, const uint8_t *bytes, size_t n) {
  static const char unknown[] = "unknown record";
  oct_cursor in = {.bytes = bytes + (n > 0), .n_bytes = n - (n > 0)};
  uint64_t event = oct_cursor_take_leb128(&in), n_attributes = oct_cursor_take_leb128(&in);
  if (!n || bytes[0] != OCT_EV_OTHER_OTF2 || in.has_failed || event >= OCT_EV_OTF2_EVENT_COUNT) {
    oct_buffer_put(out, unknown, sizeof unknown - 1);
    return;
  }
  oct_buffer_put(out, names[event], strlen(names[event]));
  for (uint64_t i = 0; i < n_attributes && !in.has_failed; i++) {
    put(out, " @", oct_cursor_take_leb128(&in));
    put(out, ":", oct_cursor_take_leb128(&in));
    put(out, "=", oct_cursor_take_leb128(&in));
  }
  while (in.n_bytes && !in.has_failed) put(out, " ", oct_cursor_take_leb128(&in));
}
