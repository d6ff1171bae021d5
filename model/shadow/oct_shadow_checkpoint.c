/* SPDX-License-Identifier: Apache-2.0 */
/* oct_shadow_checkpoint.c - saves and restores a compressor of `shadow`: its model, its coder with
 * the bytes that were not taken yet, and changes of the map that wait. */
#include "oct_shadow_encoder_state.h"

#include "oct_encoder_base.h"

/* Bytes that were not taken yet. */
static void move_bytes(oct_coder *c, oct_state *io) {
  uint64_t n = c->n;
  oct_state_move(io, &n, sizeof n);
  while (!io->error && c->room < n && !c->is_full) oct_coder_put(c, 0);
  if (c->is_full) io->error = OCT_ERR_NOMEM;
  oct_state_move(io, c->bytes, n);
  c->n = io->error ? 0 : n;
}

void oct_shadow_encoder_state(oct_shadow_encoder *e, oct_state *io) {
  const oct_coder kept = e->coder; /* its memory stays */
  move_bytes(&e->coder, io);
  uint64_t n = e->coder.n;
  uint8_t *bytes = e->coder.bytes;
  size_t room = e->coder.room;
  oct_state_move(io, &e->coder, sizeof e->coder);
  e->coder.bytes = bytes;
  e->coder.room = room;
  e->coder.n = n;
  e->coder.log = kept.log;
  oct_shadow_model_state(&e->model, io);
  oct_map_state(e->map, io);
  oct_state_move(io, &e->n_insns, sizeof e->n_insns);
  oct_state_move(io, &e->next_sync, sizeof e->next_sync);
  oct_state_move(io, &e->task, sizeof e->task);
  oct_state_move(io, &e->is_open, sizeof e->is_open);
  oct_state_move(io, &e->is_in_trap, sizeof e->is_in_trap);
  oct_state_move(io, &e->begun_bytes, sizeof e->begun_bytes);
  oct_state_move(io, &e->begun_bits, sizeof e->begun_bits);
  oct_state_move(io, &e->synced_bytes, sizeof e->synced_bytes);
  oct_state_move(io, &e->at, sizeof e->at);
  if (!io->error && e->at >= oct_map_count(e->map)) e->at = OCT_ENTRY_NONE;
  e->entry = e->at == OCT_ENTRY_NONE ? NULL : oct_map_at(e->map, e->at);
  oct_state_move(io, &e->done, sizeof e->done);
  oct_state_move(io, &e->taken, sizeof e->taken);
  oct_state_move(io, &e->crc, sizeof e->crc);
  oct_state_move(io, &e->crc_at, sizeof e->crc_at);
  oct_state_move(io, &e->counts, sizeof e->counts);
  uint64_t n_waiting = e->n_waiting - e->waiting_at;
  oct_state_move(io, &n_waiting, sizeof n_waiting);
  for (uint64_t i = 0; i < n_waiting && !io->error; i++) {
    oct_map_update update = {0};
    bool is_held = e->waiting_at + i < e->n_waiting;
    if (is_held) update = e->waiting[e->waiting_at + i];
    oct_state_move(io, &update, sizeof update);
    if (!is_held && !io->error) io->error = oct_shadow_encoder_updates(e, &update, 1, NULL);
  }
}
