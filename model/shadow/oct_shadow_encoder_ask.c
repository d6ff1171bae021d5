/* SPDX-License-Identifier: Apache-2.0 */
/* oct_shadow_encoder_ask.c - what the engine with time asks of the untimed encoder, and tells it
 * about items. */
#include "oct_shadow_encoder.h"
#include "oct_shadow_encoder_state.h"
#include "oct_shadow_step.h"

void oct_shadow_encoder_log(oct_shadow_encoder *e, oct_coder_log *log) {
  e->coder.log = log;
}

void oct_shadow_encoder_pass(oct_shadow_encoder *e) {
  oct_coder_log_item(&e->coder, 0, false);
}

void oct_shadow_encoder_privilege(oct_shadow_encoder *e, uint8_t privilege) {
  e->privilege = privilege;
}

uint32_t oct_shadow_encoder_frees(const oct_shadow_encoder *e, const oct_insn *insn,
                                  const oct_access *accesses, uint32_t i) {
  const oct_shadow_model *m = &e->model;
  const oct_map_entry *entry = oct_map_at(e->map, e->at);
  uint64_t addr = m->due.addr;
  unsigned size = 0, word_bytes = 1u << m->word_log2;
  if (i < insn->n_access) {
    uint8_t slot = oct_exceeds(entry, insn->n_access) ? oct_exceeding_slot(entry, i)
                                                      : oct_map_slot(e->map, entry, i);
    unsigned log2_size = slot & OCT_SLOT_SIZE_MASK;
    if (slot & OCT_SLOT_STORE) size = log2_size == OCT_SLOT_SIZE_UNKNOWN ? 8 : 1u << log2_size;
    addr = accesses[i].addr;
  } else if (!oct_has_data(entry)) {
    size = m->due.is_valid ? word_bytes : 0;
  }
  return size ? ((unsigned)(addr & (word_bytes - 1)) + size - 1) >> m->word_log2 : 0;
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
