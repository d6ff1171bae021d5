/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_tracers.c - any tracer but the first, any parameters, any small map, any port bytes: the
 * decoder ends with a result, resync goes on, and the listing ends too.
 *
 * Input: a byte chooses the tracer, one how decoding starts, one each parameter (as far as the
 * tracer takes them together), one the number of map entries, and three describe each; the rest is
 * the port's stream. */
#include <string.h>

#include "oct_fuzz.h"
#include "octrace/tracer.h"

/* A few bytes can stand for billions of instructions. */
enum { BATCHES_MAX = 64, RESYNCS_MAX = 64 };

static void choose_params(const oct_tracer *t, const uint8_t *b, uint32_t *params) {
  oct_tracer_defaults(t, params);
  for (unsigned i = 0; i < t->n_params; i++) {
    uint32_t kept = params[i], range = t->params[i].max - t->params[i].min;
    params[i] = t->params[i].min + (range < 256 ? b[i] % (range + 1) : b[i]);
    if (oct_tracer_check(t, params, NULL)) params[i] = kept;
  }
}

static void decode(const oct_tracer *t, const uint32_t *params, oct_decoder_start start,
                   const oct_map_update *map, size_t n_map, const uint8_t *bytes, size_t n) {
  oct_decoded out;
  oct_diag diag;
  void *d;
  if (t->decoder.create(params, start, &d, &diag)) return;
  int rc = t->decoder.map(d, map, n_map, &diag);
  if (!rc) rc = t->decoder.push(d, bytes, n, &diag);
  if (!rc) t->decoder.finish(d);
  for (unsigned batches = 0, resyncs = 0; !rc && batches < BATCHES_MAX; batches++) {
    int got = t->decoder.next(d, &out, &diag);
    if (got == 0) break;
    if (got < 0 && (!t->decoder.resync || ++resyncs > RESYNCS_MAX)) break;
    if (got < 0 && t->decoder.resync(d, &diag) != 1) break;
  }
  t->decoder.destroy(d);
}

static void list(const oct_tracer *t, const uint32_t *params, oct_decoder_start start,
                 const oct_map_update *map, size_t n_map, const uint8_t *bytes, size_t n) {
  oct_packet packet;
  oct_diag diag;
  void *p;
  if (!t->packets.create || t->packets.create(params, start, &p, &diag)) return;
  if ((!t->packets.map || !t->packets.map(p, map, n_map, &diag)) &&
      !t->packets.push(p, bytes, n, &diag)) {
    t->packets.finish(p);
    while (t->packets.next(p, &packet, &diag) == 1) {
    }
  }
  t->packets.destroy(p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  oct_map_update map[256];
  uint32_t params[OCT_TRACER_PARAMS_MAX];
  if (size < 2) return 0;
  unsigned n_tracers = 0;
  while (oct_tracer_at(n_tracers)) n_tracers++;
  const oct_tracer *t = oct_tracer_at(1 + data[0] % (n_tracers - 1));
  oct_decoder_start start = data[1] & 1 ? OCT_START_SEARCH : OCT_START_IN_STEP;
  size_t at = 2 + t->n_params;
  if (size < at + 1) return 0;
  choose_params(t, data + 2, params);
  size_t n_map = data[at++];
  for (size_t i = 0; i < n_map; i++, at += 3) {
    if (at + 3 > size) return 0;
    oct_map_entry *e = &map[i].entry;
    memset(&map[i], 0, sizeof map[i]);
    map[i].from_insn = i / 4;
    e->addr = (uint64_t)(data[at] % 64) * 2;
    e->target = (uint64_t)(data[at + 1] % 64) * 2;
    e->size_bytes = (uint8_t)(2 + data[at + 1] / 64);
    e->cls = data[at + 2] % OCT_CLASS_COUNT;
    e->n_slots = data[at + 2] / 8 % 4;
    e->flags = data[at + 2] >> 7 ? OCT_MAP_VARIABLE : 0;
  }
  decode(t, params, start, map, n_map, data + at, size - at);
  list(t, params, start, map, n_map, data + at, size - at);
  return 0;
}
