/* SPDX-License-Identifier: Apache-2.0 */
/* oct_join.c - joins streams and accesses into retired instructions, and checks that both sides
 * agree at every sync, flush and overflow (docs/port-format.md, section 8).
 *
 * A stream says where it starts and how many instructions it has; the program map says how long
 * each is and which accesses it makes, and the data side gives their addresses. */
#include "oct_join.h"

#include "oct_packets.h"

#define NO_ID UINT32_MAX

int oct_join_init(oct_join *j, const oct_config *cfg) {
  memset(j, 0, sizeof *j);
  j->addr_mask = oct_mask(cfg->addr_bits);
  j->has_checks = cfg->check_bits > 0;
  j->confirmed_insns = j->has_checks ? 0 : UINT64_MAX;
  j->map_id = NO_ID;
  j->privilege = j->told_privilege = OCT_PRIVILEGE_UNKNOWN;
  j->map_version = 1;
  j->map = oct_map_new();
  j->insns = malloc(OCT_DECODED_INSNS * sizeof *j->insns);
  j->accesses = malloc((OCT_DECODED_ACCESSES + OCT_INSN_ACCESSES_MAX) * sizeof *j->accesses);
  int r = oct_insn_side_init(&j->insn_side, cfg);
  if (oct_data_side_init(&j->data_side, cfg)) r = OCT_ERR_NOMEM;
  return j->map && j->insns && j->accesses ? r : OCT_ERR_NOMEM;
}

void oct_join_free(oct_join *j) {
  oct_insn_side_free(&j->insn_side);
  oct_data_side_free(&j->data_side);
  oct_map_free(j->map);
  free(j->updates.bytes);
  free(j->insns);
  free(j->accesses);
}

int oct_join_map(oct_join *j, const oct_map_update *updates, size_t n, oct_diag *diag) {
  for (size_t i = 0; i < n; i++) {
    if (updates[i].from_insn < j->last_update_insn)
      return oct_fail(diag, OCT_ERR_ARG, "map update from instruction %llu after one from %llu",
                      (unsigned long long)updates[i].from_insn,
                      (unsigned long long)j->last_update_insn);
    oct_map_update *u = oct_update_put(&j->updates);
    if (!u) return oct_fail(diag, OCT_ERR_NOMEM, "no memory for map updates");
    *u = updates[i];
    j->last_update_insn = u->from_insn;
  }
  return 0;
}

/* Carry out the map updates that are due. Returns how many instructions may pass before the next.
 */
static int64_t update_map(oct_join *j, oct_diag *why) {
  while (j->n_updates < oct_queue_count(&j->updates)) {
    const oct_map_update *u = oct_update_front(&j->updates) + j->n_updates;
    if (u->from_insn > j->insn_number) {
      uint64_t distance = u->from_insn - j->insn_number;
      return distance < INT64_MAX ? (int64_t)distance : INT64_MAX;
    }
    int64_t id = oct_map_put(j->map, &u->entry);
    if (id < 0)
      return oct_fail(why, (int)id, "%s",
                      id == OCT_ERR_NOMEM ? "no memory for the program map"
                                          : "an entry of the program map that continues no other");
    j->n_updates++;
    j->map_version++;
    j->map_id = NO_ID;
  }
  return INT64_MAX;
}

/* The cycle of the first instruction of the stream at hand, where streams tell theirs. */
static void pace_stream(oct_join *j) {
  if (j->has_time) {
    j->is_paced = true;
    j->expected_cycle = j->time;
  }
  if (j->stream.delay == OCT_DELAY_UNKNOWN) j->is_paced = false;
  if (!j->is_paced) return;
  j->insn_time = (j->expected_cycle + (uint64_t)(int64_t)j->stream.delay) & oct_mask(OCT_TIME_BITS);
  j->expected_cycle = j->insn_time + j->stream.sl;
  j->has_time = true;
}

/* Begin with the stream at hand. Its map entry may be known from the last time that it came. */
static void start_stream(oct_join *j) {
  oct_stream_note *note = j->stream.note;
  j->pc = j->stream.sa;
  j->stream_left = j->stream.sl;
  if (!note) {
    j->map_id = NO_ID;
    return;
  }
  if (note->map_version != j->map_version || note->map_id == NO_ID) {
    note->map_id = oct_map_find(j->map, j->pc);
    note->map_version = j->map_version;
  }
  j->map_id = note->map_id;
}

static inline void emit(oct_join *j, const oct_map_entry *e, uint8_t flags) {
  oct_insn *insn = &j->insns[j->n_insns++];
  insn->addr = e->addr;
  insn->cycle = 0;
  insn->task = j->stream.task;
  insn->n_access = (uint16_t)j->n_taken;
  insn->size_bytes = e->size_bytes;
  insn->flags = flags | (uint8_t)(e->cls << OCT_INSN_CLASS_SHIFT);
  j->n_accesses += j->n_taken;
  j->n_taken = 0;
}

/* The stamp that came last is of the first of the instructions from number `first` on. */
static void stamp(oct_join *j, size_t first) {
  if (!j->has_time || j->n_insns <= first) return;
  j->insns[first].cycle = j->insn_time;
  j->insns[first].flags |= OCT_INSN_HAS_CYCLE;
  j->has_time = false;
}

/* Pass up to n instructions of the stream at hand. */
static int walk(oct_join *j, oct_packet_queues *q, uint32_t n, oct_diag *why) {
  uint32_t id = j->map_id, left = n;
  int result = OCT_FULL;
  while (left) {
    if (id == NO_ID) {
      id = oct_map_find(j->map, j->pc);
      if (id == NO_ID) {
        result = oct_fail(why, OCT_ERR_MAP, "instruction 0x%llx is not in the program map",
                          (unsigned long long)j->pc);
        break;
      }
    }
    const oct_map_entry *e = oct_map_entry_at(j->map, id);
    uint8_t flags = 0;
    if (e->n_slots || (e->flags & OCT_MAP_VARIABLE)) {
      if (j->n_accesses >= OCT_DECODED_ACCESSES) break;
      result = oct_data_side_take(&j->data_side, q, j->map, e, j->accesses + j->n_accesses,
                                  &j->n_taken, &flags, why);
      if (result <= 0) break;
    }
    emit(j, e, flags);
    j->pc = (e->addr + e->size_bytes) & j->addr_mask;
    left--;
    /* The next address after the last one of a stream is not asked for: it may not exist. */
    id = left ? oct_map_next(j->map, id) : NO_ID;
  }
  j->map_id = id;
  j->stream_left -= n - left;
  j->insn_number += n - left;
  return result;
}

/* A sync or an overflow tells another privilege than the traps before it, which were lost or are
 * not in this part of the stream. */
static void change_privilege(oct_join *j) {
  j->has_had_traps = true;
  j->privilege = j->told_privilege;
  j->traps[j->n_traps++] = (oct_trap){
      .insn = (uint32_t)j->n_insns, .kind = OCT_TRAP_PRIVILEGE, .privilege = j->privilege};
}

int oct_join_run(oct_join *j, oct_packet_queues *q, oct_diag *why) {
  for (;;) {
    if (j->n_insns == OCT_DECODED_INSNS || j->n_accesses >= OCT_DECODED_ACCESSES ||
        j->n_traps == OCT_DECODED_TRAPS)
      return OCT_FULL;
    if (j->privilege != j->told_privilege) {
      change_privilege(j);
      continue;
    }
    if (!j->stream_left) {
      int r = oct_insn_side_next(&j->insn_side, q, &j->stream, why);
      if (r <= 0) return r;
      if (!j->stream.sl && !j->stream.trap) { /* of the next instruction */
        j->time = (j->time + j->stream.time) & oct_mask(OCT_TIME_BITS);
        j->insn_time = j->time;
        j->has_time = true;
        continue;
      }
      if (j->stream.trap) {
        j->traps[j->n_traps] = *j->stream.trap;
        j->traps[j->n_traps++].insn = (uint32_t)j->n_insns;
        j->has_had_traps = j->has_sync_traps = true;
        j->privilege = j->told_privilege = j->stream.trap->privilege;
        continue;
      }
      start_stream(j);
      if (j->insn_side.cfg.timestamp == 2) pace_stream(j);
    }
    /* An instruction that has begun keeps its map entry. */
    int64_t until_update = j->n_taken ? 1 : update_map(j, why);
    if (until_update < 0) return (int)until_update;
    size_t n = OCT_DECODED_INSNS - j->n_insns;
    if (n > j->stream_left) n = j->stream_left;
    if ((uint64_t)until_update < n) n = (size_t)until_update;
    size_t first = j->n_insns;
    int r = walk(j, q, (uint32_t)n, why);
    stamp(j, first);
    if (r != OCT_FULL) return r;
  }
}

/* The last instruction before an overflow may lack records. */
static int deliver_partial(oct_join *j, oct_diag *why) {
  if (j->map_id == NO_ID || j->stream_left != 1)
    return oct_fail(why, OCT_ERR_PACKET, "overflow in the middle of a stream");
  emit(j, oct_map_entry_at(j->map, j->map_id), OCT_INSN_PARTIAL);
  stamp(j, j->n_insns - 1);
  j->stream_left = 0;
  j->insn_number++;
  return 0;
}

/* Make the map anew when it holds what begins behind the instruction at hand: numbers that damage
 * made up may have taken updates too early. */
static int go_back_in_map(oct_join *j, oct_diag *why) {
  const oct_map_update *updates = j->updates.tail ? oct_update_front(&j->updates) : NULL;
  if (!j->n_updates || updates[j->n_updates - 1].from_insn <= j->insn_number) return 0;
  oct_map *map = oct_map_new();
  if (!map) return oct_fail(why, OCT_ERR_NOMEM, "no memory for the program map");
  oct_map_free(j->map);
  j->map = map;
  j->n_updates = 0;
  j->map_version++;
  return 0;
}

static int pass_sync(oct_join *j, const oct_port_barrier *b, oct_diag *why) {
  if (b->is_found) {
    /* The number is modulo 2^A. One of the upper half is behind what was confirmed: the stream has
     * come to what it had before. */
    uint64_t distance = (b->insns - j->base_insn) & j->addr_mask;
    bool is_behind = j->counts.syncs && distance > j->addr_mask / 2;
    if (is_behind && j->has_checks)
      return oct_fail(why, OCT_ERR_PACKET, "sync at instruction %llu, after %llu",
                      (unsigned long long)b->insns,
                      (unsigned long long)(j->base_insn & j->addr_mask));
    /* The same number again, though traps behind it were confirmed: they would come twice. */
    if (j->has_checks && !distance && j->has_base_traps)
      return oct_fail(why, OCT_ERR_PACKET, "sync at instruction %llu, after its traps",
                      (unsigned long long)b->insns);
    /* Without checks it was the number before that damage was in. */
    if (is_behind) distance |= ~j->addr_mask;
    j->insn_number = j->base_insn + distance;
    j->batch_first = j->insn_number;
    int r = go_back_in_map(j, why);
    if (r) return r;
  } else if (j->is_lost_saturated) {
    uint64_t more = (b->insns - j->insn_number) & j->addr_mask;
    j->insn_number += more;
    j->counts.lost_insns += more;
  } else if (((j->insn_number ^ b->insns) & j->addr_mask) != 0) {
    return oct_fail(why, OCT_ERR_PACKET, "sync at instruction %llu, expected %llu",
                    (unsigned long long)b->insns,
                    (unsigned long long)(j->insn_number & j->addr_mask));
  }
  if (!j->n_insns && !j->n_traps) j->batch_first = j->insn_number;
  j->is_lost_saturated = j->has_time = j->is_paced = false;
  j->time = 0;
  if (!j->has_checks) j->base_insn = j->insn_number;
  j->sync_insn = j->insn_number;
  j->has_sync_traps = false;
  j->counts.syncs++;
  oct_insn_side_sync(&j->insn_side, b->task);
  oct_data_side_sync(&j->data_side);
  return 0;
}

static void pass_overflow(oct_join *j, const oct_port_barrier *b) {
  j->insn_number += b->insns;
  j->is_lost_saturated = b->insns == j->addr_mask;
  j->counts.gaps++;
  j->counts.lost_insns += b->insns;
  j->counts.lost_accesses += b->accesses;
}

/* Both sides are to be used up, but for an instruction cut off by an overflow. */
static int come_to_rest(oct_join *j, oct_packet_queues *q, const oct_port_barrier *b,
                        oct_diag *why) {
  /* A task switch may follow an incomplete instruction, and holds for what comes after it. */
  if (j->stream_left) oct_insn_side_switch_tasks(&j->insn_side, q);
  if (!oct_insn_side_is_empty(&j->insn_side, q))
    return oct_fail(why, OCT_ERR_PACKET, "instructions without their access records");
  if (!oct_data_side_is_empty(&j->data_side, q))
    return oct_fail(why, OCT_ERR_PACKET, "access records without their instructions");
  if (j->stream_left && b->kind != OCT_BARRIER_OVERFLOW)
    return oct_fail(why, OCT_ERR_PACKET, "instructions without their access records");
  return j->stream_left ? deliver_partial(j, why) : 0;
}

int oct_join_pass(oct_join *j, oct_packet_queues *q, const oct_port_barrier *b, oct_diag *why) {
  if (b->check == OCT_CHECK_BAD) return oct_fail(why, OCT_ERR_CHECKSUM, "%s", OCT_CHECK_BAD_TEXT);
  /* What is complete before a check that agrees is confirmed. */
  if (b->check == OCT_CHECK_GOOD) {
    j->confirmed_insns = j->base_insn = j->insn_number;
    j->has_base_traps = j->has_sync_traps && j->insn_number == j->sync_insn;
  }
  if (b->kind == OCT_BARRIER_CHECK) return 0;
  int r = come_to_rest(j, q, b, why);
  if (!r && b->kind == OCT_BARRIER_SYNC) r = pass_sync(j, b, why);
  if (!r && b->kind == OCT_BARRIER_OVERFLOW) pass_overflow(j, b);
  if (!r && j->insn_number > OCT_INSN_NUMBER_MAX)
    return oct_fail_at(why, OCT_ERR_PACKET, OCT_AT_INSN, j->insn_number,
                       "more than a trace can have");
  if (!r && j->insn_side.cfg.traps && b->kind != OCT_BARRIER_FLUSH)
    j->told_privilege = b->privilege;
  return r;
}

/* The accesses of an instruction that is not complete move to the front. */
void oct_join_begin(oct_join *j) {
  if (j->n_taken && j->n_accesses)
    memmove(j->accesses, j->accesses + j->n_accesses, j->n_taken * sizeof *j->accesses);
  j->n_insns = j->n_accesses = j->n_traps = 0;
  j->batch_first = j->insn_number;
}

void oct_join_deliver(oct_join *j, oct_decoded *out) {
  out->batch.insns = j->insns;
  out->batch.n_insns = j->n_insns;
  out->batch.accesses = j->accesses;
  out->batch.n_accesses = j->n_accesses;
  out->batch.traps = j->traps;
  out->batch.n_traps = j->n_traps;
  out->first_insn = j->batch_first;
  out->confirmed_insns = j->confirmed_insns;
  j->counts.insns += j->n_insns;
  j->counts.accesses += j->n_accesses;
}

void oct_join_drop(oct_join *j) {
  oct_insn_side_drop(&j->insn_side);
  oct_data_side_drop(&j->data_side);
  j->stream_left = j->n_taken = 0;
  j->n_insns = j->n_accesses = j->n_traps = 0;
  j->map_id = NO_ID;
  j->is_lost_saturated = false;
  /* What was decoded last may not have been given out: the next sync tells its privilege anew. If
   * no trap ever came, a privilege that is not known is nothing new. */
  j->privilege = j->told_privilege = OCT_PRIVILEGE_UNKNOWN + j->has_had_traps;
  /* A check before the damage says nothing of what comes: a damaged sync may count back. */
  if (j->has_checks) j->confirmed_insns = 0;
}
