/* SPDX-License-Identifier: Apache-2.0 */
/* oct_shadow_checkpoint.c - saves and restores a compressor of `shadow`: its model, its coder with
 * the bytes that were not taken yet, and changes of the map that wait. */
#include "oct_shadow_encoder_state.h"

#include "oct_encoder_base.h"
#include "oct_state_struct.h"

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
  oct_coder *c = &e->coder;
  const oct_state_kept kept[] = {{&e->model, sizeof e->model},
                                 {&c->bytes, sizeof c->bytes},
                                 {&c->n, sizeof c->n},
                                 {&c->room, sizeof c->room},
                                 {&c->log, sizeof c->log},
                                 {&e->plans, sizeof e->plans},
                                 {&e->entry, sizeof e->entry},
                                 {&e->out, sizeof e->out},
                                 {&e->room_out, sizeof e->room_out},
                                 {&e->waiting, sizeof e->waiting},
                                 {&e->waiting_at, sizeof e->waiting_at},
                                 {&e->n_waiting, sizeof e->n_waiting},
                                 {&e->room_waiting, sizeof e->room_waiting},
                                 {e->addr, sizeof e->addr}}; /* of one instruction, within a put */
  uint64_t n_waiting = e->n_waiting - e->waiting_at;
  e->is_exceeding = e->entry == &e->exceeding;
  oct_state_move_but(io, e, sizeof *e, kept, sizeof kept / sizeof *kept);
  move_bytes(c, io);
  oct_shadow_model_state(&e->model, io);
  oct_map_state(e->plans.map, io);
  if (!io->error) io->error = oct_plans_renew(&e->plans);
  if (!io->error && e->at >= oct_map_count(e->plans.map)) e->at = OCT_ENTRY_NONE;
  e->entry = e->at == OCT_ENTRY_NONE ? NULL
             : e->is_exceeding       ? &e->exceeding
                                     : oct_map_at(e->plans.map, e->at);
  e->due_insn = 0;
  oct_state_move(io, &n_waiting, sizeof n_waiting);
  for (uint64_t i = 0; i < n_waiting && !io->error; i++) {
    oct_map_update update = {0};
    bool is_held = e->waiting_at + i < e->n_waiting;
    if (is_held) update = e->waiting[e->waiting_at + i];
    oct_state_move(io, &update, sizeof update);
    if (!is_held && !io->error) io->error = oct_shadow_encoder_updates(e, &update, 1, NULL);
  }
}
