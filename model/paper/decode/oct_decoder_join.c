/* SPDX-License-Identifier: Apache-2.0 */
/* oct_decoder_join.c - joins streams and access records into retired instructions, and checks that
 * both sides agree at every sync, flush and overflow (docs/port-format.md, section 8).
 *
 * A stream says where it starts and how many instructions it has; the program map says how long
 * each is and which accesses it makes, and the data side gives their addresses. */
#include "oct_decoder_state.h"

/* Carry out the map updates that are due. Returns how many instructions may pass before the next.
 */
static int64_t update_map(oct_decoder *d) {
  while (d->n_updates < oct_queue_count(&d->updates)) {
    const oct_map_update *u = oct_update_front(&d->updates) + d->n_updates;
    if (u->from_insn > d->insn_number) {
      uint64_t distance = u->from_insn - d->insn_number;
      return distance < INT64_MAX ? (int64_t)distance : INT64_MAX;
    }
    int64_t id = oct_map_put(d->map, &u->entry);
    if (id < 0)
      return oct_decoder_fail_before(d, (int)id,
                                     id == OCT_ERR_NOMEM
                                         ? "no memory for the program map"
                                         : "an entry of the program map that continues no other");
    d->n_updates++;
    d->map_version++;
    d->map_id = OCT_NO_ID;
  }
  return INT64_MAX;
}

static void emit(oct_decoder *d, const oct_map_entry *e, uint8_t flags) {
  oct_insn *insn = &d->insns[d->n_insns++];
  insn->addr = e->addr;
  insn->cycle = 0;
  insn->task = d->task;
  insn->n_access = (uint16_t)d->insn_accesses;
  insn->size_bytes = e->size_bytes;
  insn->flags = flags | (uint8_t)(e->cls << OCT_INSN_CLASS_SHIFT);
  d->n_accesses += d->insn_accesses;
  d->insn_accesses = 0;
}

/* Pass up to n instructions of the stream at hand. */
static int walk(oct_decoder *d, uint32_t n) {
  uint32_t id = d->map_id, left = n;
  int result = OCT_FULL;
  while (left) {
    if (id == OCT_NO_ID) {
      id = oct_map_find(d->map, d->pc);
      if (id == OCT_NO_ID) {
        result =
            oct_decoder_fail_before(d, OCT_ERR_MAP, "instruction 0x%llx is not in the program map",
                                    (unsigned long long)d->pc);
        break;
      }
    }
    const oct_map_entry *e = oct_map_at(d->map, id);
    uint8_t flags = 0;
    if (e->n_slots || (e->flags & OCT_MAP_VARIABLE)) {
      if (d->n_accesses >= OCT_DECODED_ACCESSES) break;
      result = oct_decoder_take_accesses(d, e, &flags);
      if (result <= 0) break;
    }
    emit(d, e, flags);
    d->pc = (e->addr + e->size_bytes) & d->addr_mask;
    left--;
    /* The next address after the last one of a stream is not asked for: it may not exist. */
    id = left ? oct_map_next(d->map, id) : OCT_NO_ID;
  }
  d->map_id = id;
  d->stream_left -= n - left;
  d->insn_number += n - left;
  return result;
}

int oct_decoder_join(oct_decoder *d) {
  for (;;) {
    if (d->n_insns == OCT_DECODED_INSNS || d->n_accesses >= OCT_DECODED_ACCESSES) return OCT_FULL;
    if (!d->stream_left) {
      int r = oct_decoder_next_stream(d);
      if (r <= 0) return r;
    }
    /* An instruction that has begun keeps its map entry. */
    int64_t until_update = d->insn_accesses ? 1 : update_map(d);
    if (until_update < 0) return (int)until_update;
    size_t n = OCT_DECODED_INSNS - d->n_insns;
    if (n > d->stream_left) n = d->stream_left;
    if ((uint64_t)until_update < n) n = (size_t)until_update;
    int r = walk(d, (uint32_t)n);
    if (r != OCT_FULL) return r;
  }
}

/* The last instruction before an overflow may lack records. */
static int deliver_partial(oct_decoder *d) {
  if (d->map_id == OCT_NO_ID || d->stream_left != 1)
    return oct_decoder_fail_before(d, OCT_ERR_PACKET, "overflow in the middle of a stream");
  emit(d, oct_map_at(d->map, d->map_id), OCT_INSN_PARTIAL);
  d->stream_left = 0;
  d->insn_number++;
  return 0;
}

/* Make the map anew when it holds what begins behind the instruction at hand: numbers that damage
 * made up may have taken updates too early. */
static int go_back_in_map(oct_decoder *d) {
  const oct_map_update *updates = d->updates.tail ? oct_update_front(&d->updates) : NULL;
  if (!d->n_updates || updates[d->n_updates - 1].from_insn <= d->insn_number) return 0;
  oct_map *map = oct_map_new();
  if (!map) return oct_decoder_fail_before(d, OCT_ERR_NOMEM, "no memory for the program map");
  oct_map_free(d->map);
  d->map = map;
  d->n_updates = 0;
  d->map_version++;
  return 0;
}

/* The sync that a search has found. Its number is modulo 2^A. */
static int begin_at_sync(oct_decoder *d, uint64_t number) {
  d->is_searching = 0;
  d->is_mark_found = 0;
  d->insn_number = d->base_insn + ((number - d->base_insn) & d->addr_mask);
  d->batch_first = d->insn_number;
  return go_back_in_map(d);
}

static int pass_sync(oct_decoder *d) {
  uint64_t number = d->barrier_number;
  if (d->is_searching) {
    int r = begin_at_sync(d, number);
    if (r) return r;
  } else if (d->is_lost_saturated) {
    uint64_t more = (number - d->insn_number) & d->addr_mask;
    d->insn_number += more;
    d->counts.lost_insns += more;
  } else if (((d->insn_number ^ number) & d->addr_mask) != 0) {
    return oct_decoder_fail_before(d, OCT_ERR_PACKET, "sync at instruction %llu, expected %llu",
                                   (unsigned long long)number,
                                   (unsigned long long)(d->insn_number & d->addr_mask));
  }
  if (!d->n_insns) d->batch_first = d->insn_number;
  d->is_lost_saturated = 0;
  d->is_sync_due = 0;
  if (!d->cfg.check_bits) d->base_insn = d->insn_number;
  d->counts.syncs++;
  d->task = (uint32_t)d->barrier_extra;
  d->random_bits = 0xACE1;
  d->thb_write = 1;
  d->thb_filled = 0;
  if (++d->epoch == 0) {
    /* After 2^32 syncs an old epoch could be taken for the new one. */
    memset(d->sc, 0, (size_t)d->cfg.sc_sets * d->cfg.sc_ways * sizeof *d->sc);
    memset(d->sc_sets, 0, d->cfg.sc_sets * sizeof *d->sc_sets);
    memset(d->dasc, 0, d->cfg.dasc_entries * sizeof *d->dasc);
    d->epoch = 1;
  }
  return 0;
}

/* The check that a barrier carries. What is complete before it is confirmed. */
static int pass_check(oct_decoder *d) {
  if (d->barrier_check == OCT_CHECK_BAD)
    return oct_decoder_fail_at(d, OCT_ERR_CHECKSUM, d->barrier_bit, OCT_CHECK_BAD_TEXT);
  if (d->barrier_check == OCT_CHECK_GOOD) d->confirmed_insns = d->base_insn = d->insn_number;
  return 0;
}

int oct_decoder_pass_barrier(oct_decoder *d) {
  oct_decoder_barrier barrier = d->barrier;
  uint32_t task = d->task;
  int r = pass_check(d);
  if (r) return r;
  if (barrier == OCT_BARRIER_CHECK) {
    d->barrier = OCT_BARRIER_NONE;
    return 0;
  }
  /* A task switch may follow an incomplete instruction, and holds for what comes after it. */
  while (d->stream_left && oct_queue_count(&d->tokens) &&
         oct_token_front(&d->tokens)->kind == OCT_TOKEN_TASK) {
    task = oct_token_front(&d->tokens)->value;
    oct_token_pop(&d->tokens);
  }
  if (!oct_decoder_is_insn_side_empty(d))
    return oct_decoder_fail_before(d, OCT_ERR_PACKET, "instructions without their access records");
  if (!oct_decoder_is_data_side_empty(d))
    return oct_decoder_fail_before(d, OCT_ERR_PACKET, "access records without their instructions");
  if (d->stream_left) {
    if (barrier != OCT_BARRIER_OVERFLOW)
      return oct_decoder_fail_before(d, OCT_ERR_PACKET,
                                     "instructions without their access records");
    r = deliver_partial(d);
    if (r) return r;
    d->task = task;
  }
  if (barrier == OCT_BARRIER_SYNC) {
    r = pass_sync(d);
    if (r) return r;
  }
  if (barrier == OCT_BARRIER_OVERFLOW) {
    d->insn_number += d->barrier_number;
    d->is_lost_saturated = d->barrier_number == d->addr_mask;
    d->counts.gaps++;
    d->counts.lost_insns += d->barrier_number;
    d->counts.lost_accesses += d->barrier_extra;
  }
  d->barrier = OCT_BARRIER_NONE;
  return 0;
}
