/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_tracers.c - any tracer but the first, any parameters, any small map, any port bytes: the
 * decoder ends with a result, resync goes on, and the listing ends too.
 *
 * Input: a byte chooses the tracer, one how decoding starts, and whether the stream is one of
 * others, whose code is the map, and comes in pieces; one each parameter (as far as the
 * tracer takes them together), one the number of map entries, and three describe each; the rest is
 * the port's stream. */
#include <stdbool.h>
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

typedef struct fuzz_input {
  const oct_map_update *map;
  size_t n_map;
  const uint8_t *bytes;
  size_t n_bytes;
} fuzz_input;

enum { SEARCHES = 1, IS_FOREIGN = 2, IN_PIECES = 4, PIECE_BYTES = 5 };

static unsigned code_at(void *context, uint64_t addr, oct_map_entry *e) {
  const fuzz_input *in = context;
  for (size_t i = 0; i < in->n_map; i++) {
    if (in->map[i].entry.addr != addr) continue;
    *e = in->map[i].entry;
    return e->size_bytes;
  }
  return 0;
}

/* Push the next bytes, or say that there are none: 0, or an error. */
static int feed(const oct_tracer *t, void *d, const fuzz_input *in, size_t *at, size_t most) {
  oct_diag diag;
  const size_t left = in->n_bytes - *at, n = left < most ? left : most;
  if (!n) t->decoder.finish(d);
  *at += n;
  return n ? t->decoder.push(d, in->bytes + *at - n, n, &diag) : 0;
}

static void decode(const oct_tracer *t, const uint32_t *params, unsigned how, fuzz_input *in) {
  const bool given[OCT_TRACER_PARAMS_MAX] = {false};
  const bool is_foreign = how & IS_FOREIGN && t->decoder.foreign;
  const size_t most = how & IN_PIECES ? PIECE_BYTES : SIZE_MAX;
  size_t at = 0;
  oct_decoded out;
  oct_diag diag;
  void *d;
  if (t->decoder.create(params, how & SEARCHES ? OCT_START_SEARCH : OCT_START_IN_STEP, &d, &diag))
    return;
  if (is_foreign) t->decoder.foreign(d, &(oct_map_code){code_at, code_at, in}, given);
  int rc = is_foreign ? 0 : t->decoder.map(d, in->map, in->n_map, &diag);
  bool is_fed = false;
  for (unsigned batches = 0, resyncs = 0; !rc && batches < BATCHES_MAX;) {
    int got = t->decoder.next(d, &out, &diag);
    if (got < 0 && (!t->decoder.resync || ++resyncs > RESYNCS_MAX)) break;
    if (got < 0) got = t->decoder.resync(d, &diag) == 1;
    batches += got != 0;
    if (got || rc) continue;
    if (is_fed) break;
    is_fed = at == in->n_bytes;
    rc = feed(t, d, in, &at, most);
  }
  t->decoder.destroy(d);
}

static void list(const oct_tracer *t, const uint32_t *params, unsigned how, const fuzz_input *in) {
  const oct_decoder_start start = how & SEARCHES ? OCT_START_SEARCH : OCT_START_IN_STEP;
  oct_packet packet;
  oct_diag diag;
  void *p;
  if (!t->packets.create || t->packets.create(params, start, &p, &diag)) return;
  if ((!t->packets.map || !t->packets.map(p, in->map, in->n_map, &diag)) &&
      !t->packets.push(p, in->bytes, in->n_bytes, &diag)) {
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
  fuzz_input in = {map, n_map, data + at, size - at};
  decode(t, params, data[1], &in);
  list(t, params, data[1], &in);
  return 0;
}
