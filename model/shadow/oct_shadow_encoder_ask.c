/* SPDX-License-Identifier: Apache-2.0 */
/* oct_shadow_encoder_ask.c - what the engine with time asks of the untimed encoder, and tells it
 * about items; and what may come with instructions: changes of the map, syncs, traps that are
 * none. */
#include "oct_core.h"
#include "oct_shadow_encoder.h"
#include "oct_shadow_encoder_state.h"
#include "oct_shadow_step.h"

#include <stdlib.h>
#include <string.h>

void oct_shadow_encoder_log(oct_shadow_encoder *e, oct_coder_log *log) {
  e->coder.log = log;
  e->due_insn = 0;
}

void oct_shadow_encoder_pass(oct_shadow_encoder *e) {
  oct_coder_log_item(&e->coder, 0, false);
}

void oct_shadow_encoder_privilege(oct_shadow_encoder *e, uint8_t privilege) {
  e->privilege = privilege;
}

/* Further cycles in which n words from addr on are freed: two in a cycle, but one behind which the
 * next one is the first of vc_sets in a row. */
static uint32_t further_cycles(const oct_shadow_model *m, uint64_t addr, unsigned n) {
  const uint32_t last = m->cfg.vc_sets - 1;
  uint32_t cycles = 0;
  if (!m->cfg.vc_sets) return 0;
  for (uint64_t word = addr >> m->word_log2;; cycles++) {
    const unsigned freed = (word & last) == last ? 1 : 2;
    if (n <= freed) return cycles;
    n -= freed;
    word += freed;
  }
}

uint32_t oct_shadow_encoder_frees(const oct_shadow_encoder *e, const oct_insn *insn,
                                  const oct_access *accesses, uint32_t i) {
  const oct_shadow_model *m = &e->model;
  const oct_map_entry *entry = oct_map_at(e->plans.map, e->at);
  uint64_t addr = m->due.addr;
  unsigned size = 0, word_bytes = 1u << m->word_log2;
  if (i < insn->n_access) {
    uint8_t slot = oct_exceeds(entry, insn->n_access) ? oct_exceeding_slot(entry, i)
                                                      : oct_map_slot(e->plans.map, entry, i);
    unsigned log2_size = slot & OCT_SLOT_SIZE_MASK;
    if (slot & OCT_SLOT_STORE) size = log2_size == OCT_SLOT_SIZE_UNKNOWN ? 8 : 1u << log2_size;
    addr = accesses[i].addr;
  } else if (!oct_has_data(entry)) {
    size = m->due.is_valid ? word_bytes : 0;
  }
  if (!size) return 0;
  return further_cycles(m, addr,
                        (((unsigned)(addr & (word_bytes - 1)) + size - 1) >> m->word_log2) + 1);
}

bool oct_shadow_encoder_stamp_is_due(const oct_shadow_encoder *e) {
  return e->model.cfg.timestamp && !e->model.time.left_insns;
}

void oct_shadow_encoder_item(oct_shadow_encoder *e) {
  oct_coder_item(&e->coder);
}

bool oct_shadow_encoder_has_control(oct_shadow_encoder *e) {
  return oct_has_control(&e->model, e->entry);
}

int oct_shadow_encoder_updates(oct_shadow_encoder *e, const oct_map_update *updates, size_t n,
                               oct_diag *diag) {
  if (!n) return 0;
  if (e->n_waiting + n > e->room_waiting) {
    size_t room = 2 * (e->n_waiting + n);
    oct_map_update *p = realloc(e->waiting, room * sizeof *p);
    if (!p) return oct_fail(diag, OCT_ERR_NOMEM, "no memory for the program map");
    e->waiting = p;
    e->room_waiting = room;
  }
  memcpy(e->waiting + e->n_waiting, updates, n * sizeof *updates);
  e->n_waiting += n;
  e->due_insn = 0;
  return 0;
}

int oct_shadow_encoder_check_trap(const oct_shadow_encoder *e, const oct_trap *trap,
                                  oct_diag *diag) {
  const oct_shadow_config *cfg = &e->model.cfg;
  return oct_core_check_trap(cfg->addr_bits, cfg->cause_bits, trap, e->n_insns, diag);
}

void oct_shadow_encoder_set_dues(oct_shadow_encoder *e) {
  const oct_shadow_config *cfg = &e->model.cfg;
  const bool has_syncs = !e->coder.log;
  e->due_insn = e->n_waiting ? e->waiting[e->waiting_at].from_insn : UINT64_MAX;
  if (has_syncs && cfg->sync_insns && e->next_sync < e->due_insn) e->due_insn = e->next_sync;
  e->due_bytes = SIZE_MAX;
  if (has_syncs && cfg->sync_bits) {
    uint64_t at = e->synced_bytes + (cfg->sync_bits + UINT64_C(7)) / 8;
    e->due_bytes = at > e->taken ? (size_t)(at - e->taken) : 0;
  }
}
