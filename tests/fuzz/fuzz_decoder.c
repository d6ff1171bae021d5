/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_decoder.c - any configuration, any small map, any port bytes: the decoder ends with a
 * result.
 *
 * Input: 12 bytes choose the configuration, one byte the number of map entries and two bytes
 * describe each; the rest is the port's stream, behind a sync that the first byte may ask for.
 * After an error it goes on at the next sync, a few times, where the first byte says so. */
#include <string.h>

#include "oct_decoder.h"
#include "oct_fuzz.h"

#define CONFIG_BYTES 13
/* A few bytes can stand for billions of instructions. */
#define BATCHES_MAX 64
#define RESYNCS_MAX 4

static void choose_config(const uint8_t *b, oct_config *c) {
  static const uint8_t check_bits[] = {16, 0, 32};
  oct_config_init(c);
  c->check_bits = check_bits[b[0] / 8 % 3];
  c->addr_bits = 32 + b[1] % 33;
  c->pc_align_bits = b[1] >> 6;
  c->sl_bits = 1 + b[2] % 16;
  c->sc_sets = 1u << b[2] / 16 % 11;
  c->sc_ways = 1u << b[3] % 5;
  c->sc_index_fn = b[3] / 8 % 4;
  c->sc_repl = b[3] / 32 % 4;
  c->ntuple_n = b[4] % 17;
  c->thb_update = b[4] >> 7;
  c->thb_depth = 1 + b[5] % 64;
  c->dasc_entries = 1u << b[6] % 11;
  c->dasc_ways = b[6] >> 4 ? 1u << b[6] / 16 % 5 : 0;
  c->stride_bits = 1 + b[7] % 32;
  c->rep_pattern_bits = 1 + b[8] % 32;
  c->rep_count_bits = b[9] % 17;
  c->task_bits = 1 + b[10] % 32;
}

/* A sync packet of number 0, with one zero byte behind it for each 8 bits of its fields. */
static int push_sync(oct_decoder *d, const oct_config *c) {
  oct_widths widths;
  uint8_t bytes[64] = {0};
  oct_config_widths(c, &widths);
  memset(bytes, 0xFF, widths.sync_ones / 8);
  size_t n = (widths.sync_ones + 1 + c->addr_bits + c->task_bits) / 8;
  return oct_decoder_push(d, bytes, n, NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  oct_config cfg;
  oct_decoder *d;
  oct_decoded out;
  oct_diag diag;
  if (size < CONFIG_BYTES) return 0;
  choose_config(data, &cfg);
  oct_decoder_start start = data[0] & 1 ? OCT_START_SEARCH : OCT_START_IN_STEP;
  if (oct_decoder_new(&cfg, start, &d, &diag)) return 0;
  size_t at = CONFIG_BYTES, n_map = data[12];
  for (size_t i = 0; i < n_map && at + 2 <= size; i++, at += 2) {
    oct_map_update u;
    memset(&u, 0, sizeof u);
    u.from_insn = i / 4;
    u.entry.addr = (uint64_t)(data[at] % 32) << cfg.pc_align_bits;
    u.entry.size_bytes = (uint8_t)(1 + data[at] / 32);
    u.entry.n_slots = data[at + 1] % 8;
    u.entry.flags = data[at + 1] & 8 ? OCT_MAP_VARIABLE : 0;
    memset(u.entry.slots, data[at + 1] >> 4, u.entry.n_slots);
    if (oct_decoder_map(d, &u, 1, &diag)) abort();
  }
  size_t step = 1 + data[11];
  int result = data[0] & 2 ? push_sync(d, &cfg) : 0;
  unsigned batches = 0, resyncs = data[0] & 4 ? 0 : RESYNCS_MAX;
  while (result >= 0 && batches < BATCHES_MAX) {
    while ((result = oct_decoder_next(d, &out, &diag)) > 0 && ++batches < BATCHES_MAX) continue;
    while (result < 0 && resyncs++ < RESYNCS_MAX && (result = oct_decoder_resync(d, &diag)) > 0)
      result = oct_decoder_next(d, &out, &diag);
    if (result < 0 || at > size) break;
    if (at == size)
      oct_decoder_finish(d);
    else
      result = oct_decoder_push(d, data + at, size - at < step ? size - at : step, &diag);
    at = at == size ? size + 1 : size - at < step ? size : at + step;
  }
  oct_decoder_free(d);
  return 0;
}
