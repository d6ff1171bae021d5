/* SPDX-License-Identifier: Apache-2.0 */
/* oct_changed.c - bytes of memory that were written, each once, with what they hold, if it is
 * known.
 *
 * Lines of memory, found by a hash of their address. */
#include "oct_changed.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "oct_grow.h"
#include "octrace/error.h"

struct oct_changed_line {
  uint64_t number;         /* its address by OCT_CHANGED_RUN */
  uint64_t written, known; /* a bit for each byte */
  uint8_t bytes[OCT_CHANGED_RUN];
};

void oct_changed_free(oct_changed *c) {
  free(c->lines);
  free(c->places);
  memset(c, 0, sizeof *c);
}

/* Where the line is, or is to be. */
static uint32_t *place_of(const oct_changed *c, uint64_t number) {
  size_t i = (size_t)(number * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (c->n_places - 1);
  while (c->places[i] && c->lines[c->places[i] - 1].number != number)
    i = (i + 1) & (c->n_places - 1);
  return &c->places[i];
}

/* NULL: out of memory. */
static oct_changed_line *line_of(oct_changed *c, uint64_t number) {
  if (2 * c->n >= c->n_places) {
    const size_t n_places = c->n_places ? 2 * c->n_places : 64;
    uint32_t *places = calloc(n_places, sizeof *places);
    if (!places) return NULL;
    free(c->places);
    c->places = places;
    c->n_places = n_places;
    for (size_t i = 0; i < c->n; i++) *place_of(c, c->lines[i].number) = (uint32_t)i + 1;
  }
  uint32_t *place = place_of(c, number);
  if (*place) return &c->lines[*place - 1];
  oct_changed_line *lines = oct_grown(c->lines, &c->room, c->n + 1, sizeof *lines);
  if (!lines) return NULL;
  c->lines = lines;
  lines[c->n] = (oct_changed_line){.number = number};
  *place = (uint32_t)++c->n;
  return &lines[c->n - 1];
}

int oct_changed_put(oct_changed *c, uint64_t addr, const uint8_t *bytes, uint64_t n) {
  for (uint64_t done = 0, part; done < n; done += part) {
    const unsigned at = (unsigned)((addr + done) % OCT_CHANGED_RUN);
    part = n - done < OCT_CHANGED_RUN - at ? n - done : OCT_CHANGED_RUN - at;
    const uint64_t mask = (part < 64 ? (UINT64_C(1) << part) - 1 : UINT64_MAX) << at;
    oct_changed_line *l = line_of(c, (addr + done) / OCT_CHANGED_RUN);
    if (!l) return OCT_ERR_NOMEM;
    l->written |= mask;
    l->known = bytes ? l->known | mask : l->known & ~mask;
    if (bytes) memcpy(l->bytes + at, bytes + done, (size_t)part);
  }
  return 0;
}

static int compare(const void *a, const void *b) {
  const oct_changed_line *x = a, *y = b;
  return x->number < y->number ? -1 : x->number > y->number;
}

int oct_changed_take(oct_changed *c,
                     int (*tell)(void *context, uint64_t addr, const uint8_t *bytes, unsigned n),
                     void *context) {
  int rc = 0;
  if (!c->n) return 0;
  qsort(c->lines, c->n, sizeof *c->lines, compare);
  for (size_t i = 0; i < c->n; i++) {
    const oct_changed_line *l = &c->lines[i];
    for (unsigned at = 0, end; at < OCT_CHANGED_RUN && !rc; at = end) {
      const bool is_written = l->written >> at & 1, is_known = l->known >> at & 1;
      for (end = at + 1; end < OCT_CHANGED_RUN && (l->written >> end & 1) == is_written &&
                         (l->known >> end & 1) == is_known;)
        end++;
      if (is_written)
        rc = tell(context, l->number * OCT_CHANGED_RUN + at, is_known ? l->bytes + at : NULL,
                  end - at);
    }
  }
  enum { KEPT_PLACES = 1024 }; /* more are made again, rather than emptied each time */
  c->n = 0;
  if (c->n_places > KEPT_PLACES)
    oct_changed_free(c);
  else
    memset(c->places, 0, c->n_places * sizeof *c->places);
  return rc;
}
