/* SPDX-License-Identifier: Apache-2.0 */
/* oct_trace_join.c - channels of records back to an event trace (docs/codec-file.md). Nothing in a
 * channel is trusted.
 *
 * The channels are flow (runs of instructions), data (accesses), run, count, cycle and event. The
 * next event says how many instructions come before it; map entries, task switches and segments are
 * events. An instruction takes its size and slots from the program map, then its accesses from
 * their channel. An entry that replaces one which the batch may have used opens the next batch. */
#include <inttypes.h>

#include "oct_grow.h"
#include "oct_trace_join_state.h"

static int no_memory(oct_diag *diag) {
  return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
}

/* An entry that is said again is taken by those who left out where it was said first. */
static bool is_known(oct_trace_join *j, oct_map_entry *e) {
  if (!(e->flags & OCT_EVENT_MAP_AGAIN)) return false;
  e->flags &= (uint8_t)~OCT_EVENT_MAP_AGAIN;
  if (!(e->flags & OCT_MAP_CONTINUES)) j->takes_again = oct_map_find(j->map, e->addr) == UINT32_MAX;
  return !j->takes_again;
}

/* A group of segments begins: what does not last over groups. */
static void reset(oct_trace_join *j) {
  oct_counted_clear(&j->counted);
  j->high = j->cycle = j->task = 0;
  j->stamped = false;
}

static int add_entry(oct_trace_join *j, const oct_map_entry *e, oct_diag *diag) {
  if (j->n_map++ >= j->map_max)
    return oct_fail(
        diag, OCT_ERR_LIMIT,
        "more than %" PRIu64
        " entries of the program map (--max-map, or oct_trace_join_map_max, allows more)",
        j->map_max);
  oct_map_entry *p = oct_grown(j->entries, &j->room_entries, j->n_entries + 1, sizeof *p);
  if (!p) return no_memory(diag);
  j->entries = p;
  j->entries[j->n_entries++] = *e;
  int64_t id = oct_map_put(j->map, e);
  if (id >= 0) return 0;
  return id == OCT_ERR_NOMEM ? no_memory(diag)
                             : oct_join_bad(j, "a map entry that continues none", diag);
}

/* A trap before the next instruction. */
static int add_trap(oct_trace_join *j, oct_diag *diag) {
  oct_trap *p = oct_grown(j->traps, &j->room_traps, j->n_traps + 1, sizeof *p);
  if (!p) return no_memory(diag);
  j->traps = p;
  j->traps[j->n_traps] = j->trap;
  j->traps[j->n_traps++].insn = (uint32_t)j->n_insns_batch;
  return 0;
}

/* Do what the event says. */
static int apply_event(oct_trace_join *j, bool *counted, oct_diag *diag) {
  uint64_t value = 0;
  int error = 0;
  switch (j->event) {
    case OCT_EVENT_END:
      j->ended = true;
      break;
    case OCT_EVENT_CUT:
      break;
    case OCT_EVENT_TASK:
      error = oct_join_varint(j, OCT_CHANNEL_EVENT, &value, diag);
      j->task = (uint32_t)value;
      break;
    case OCT_EVENT_MAP:
    case OCT_EVENT_CODE:
    case OCT_EVENT_OPERATION:
    case OCT_EVENT_FOLLOWS:
    case OCT_EVENT_FOLLOWS_AGAIN:
      if (!is_known(j, &j->entry)) error = add_entry(j, &j->entry, diag);
      break;
    case OCT_EVENT_BEGIN:
      if (j->event_value != j->n_insns)
        error = oct_join_bad(j, "segments begin at another one", diag);
      reset(j);
      break;
    case OCT_EVENT_HIGH:
      error = oct_join_varint(j, OCT_CHANNEL_EVENT, &j->high, diag);
      break;
    case OCT_EVENT_STAMPED:
      j->stamped = !j->stamped;
      break;
    case OCT_EVENT_TRAP:
      error = add_trap(j, diag);
      break;
    case OCT_EVENT_COUNTED:
      *counted = true;
      break;
    default:
      return oct_join_bad(j, "an event of unknown kind", diag);
  }
  j->event = -1;
  return error;
}

static int next_event(oct_trace_join *j, oct_diag *diag) {
  return j->get ? oct_join_segment_event(j, diag) : oct_join_event(j, diag);
}

/* Whether the event that was read replaces an entry that instructions of this batch may have used:
 * it must open the next batch. What continues an entry follows it at once. */
static bool must_wait(const oct_trace_join *j) {
  const unsigned at_once = OCT_MAP_CONTINUES | OCT_EVENT_MAP_AGAIN;
  return oct_join_is_map(j->event) && !(j->entry.flags & at_once) && j->n_insns_batch &&
         oct_map_find(j->map, j->entry.addr) != UINT32_MAX;
}

static int begin_run(oct_trace_join *j, oct_diag *diag) {
  const uint8_t *record = NULL;
  int error = oct_join_record(j, OCT_CHANNEL_FLOW, &record, diag);
  if (error) return error;
  if (j->addresses) {
    j->run_addr = oct_join_load(record, 8);
    error = oct_join_varint(j, OCT_CHANNEL_RUN, &j->run_left, diag);
  } else {
    j->run_addr = (j->high << 32 | oct_join_load(record, 4)) << j->pc_shift;
    j->run_left = oct_join_load(record + 4, 8);
  }
  if (!error && !j->run_left) return oct_join_bad(j, "a run of no instructions", diag);
  return error;
}

static int take_accesses(oct_trace_join *j, const oct_map_entry *e, unsigned n, oct_diag *diag) {
  oct_access *p = oct_grown(j->accesses, &j->room_accesses, j->n_accesses + n, sizeof *p);
  if (!p) return no_memory(diag);
  j->accesses = p;
  for (unsigned k = 0; k < n; k++) {
    const uint8_t *record = NULL;
    uint8_t slot = oct_map_slot(j->map, e, k);
    unsigned log2_size = slot & OCT_SLOT_SIZE_MASK;
    oct_access *a = &j->accesses[j->n_accesses++];
    if (j->get) {
      memcpy(&a->addr, j->addrs + j->stride * k, 8);
    } else {
      int error = oct_join_record(j, OCT_CHANNEL_DATA, &record, diag);
      if (error) return error;
      a->addr = oct_join_load(j->addresses ? record : record + 4, 8);
    }
    a->size_bytes = log2_size == OCT_SLOT_SIZE_UNKNOWN ? 0 : (uint8_t)(1u << log2_size);
    a->is_store = !!(slot & OCT_SLOT_STORE);
  }
  return 0;
}

static const oct_map_entry *look_up(oct_trace_join *j) {
  uint32_t id = j->id == UINT32_MAX ? oct_map_find(j->map, j->run_addr)
                                    : oct_map_follow(j->map, j->id, j->run_addr);
  j->id = id;
  return id == UINT32_MAX ? NULL : oct_map_at(j->map, id);
}

/* Where the next instruction is, and of which task. *n_access: as the codec has it, if it takes
 * whole traces. */
static int take_place(oct_trace_join *j, uint64_t *n_access, oct_diag *diag) {
  const oct_insn *insn;
  if (!j->get) return j->run_left ? 0 : begin_run(j, diag);
  int error = j->codec->get_insn(j->get, &insn, &j->addrs, diag);
  if (error) return error;
  j->run_addr = insn->addr;
  j->run_left = 1;
  j->task = insn->task;
  *n_access = insn->n_access;
  return 0;
}

static int take_insn(oct_trace_join *j, bool counted, oct_diag *diag) {
  oct_insn *insn = &j->insns[j->n_insns_batch];
  uint64_t n_access = 0;
  int error = take_place(j, &n_access, diag);
  if (error) return error;
  const oct_map_entry *e = look_up(j);
  if (!e) return oct_join_bad(j, "not in the program map", diag);
  if (counted && oct_counted_add(&j->counted, j->id)) return no_memory(diag);
  *insn = (oct_insn){.addr = j->run_addr, .task = j->task, .size_bytes = e->size_bytes};
  if (j->stamped) {
    uint64_t step;
    error = oct_join_varint(j, OCT_CHANNEL_CYCLE, &step, diag);
    if (error) return error;
    j->cycle += step >> 1 ^ (0 - (step & 1));
    insn->cycle = j->cycle;
    insn->flags = OCT_INSN_HAS_CYCLE;
  }
  if (!j->get) n_access = e->n_slots;
  if (!j->get && oct_counts(&j->counted, e, j->id))
    error = oct_join_varint(j, OCT_CHANNEL_COUNT, &n_access, diag);
  if (!error && n_access > UINT16_MAX) error = oct_join_bad(j, "more than 65535 accesses", diag);
  if (!error) error = take_accesses(j, e, (unsigned)n_access, diag);
  if (error) return error;
  insn->n_access = (uint16_t)n_access;
  j->run_addr += e->size_bytes;
  j->run_left--;
  j->n_insns_batch++;
  j->n_insns++;
  return 0;
}

/* At the end the file still has to say that nothing follows, and that all was as written. */
static int check_end(oct_trace_join *j, oct_diag *diag) {
  int error = j->get ? oct_join_segment_end(j, diag) : 0;
  if (error) return error;
  for (unsigned c = 0; c < OCT_TRACE_CHANNELS; c++) {
    uint8_t more[16];
    chunk *k = &j->channels[c];
    int64_t got = k->from == k->to ? oct_codec_reader_get(j->reader, c, more, 1, diag) : 1;
    if (got < 0) return (int)got;
    if (got || j->run_left) return oct_join_bad(j, "records follow the end of the trace", diag);
  }
  return 0;
}

/* The instructions up to a full batch, the end, or an error, whose own are left out. */
static int fill_batch(oct_trace_join *j, oct_diag *diag) {
  int error = 0;
  j->n_insns_batch = j->n_accesses = j->n_entries = j->n_traps = 0;
  while (!error && !j->ended && j->n_insns_batch < JOIN_INSNS) {
    bool counted = false, wait = false;
    size_t n_accesses = j->n_accesses;
    while (!error && !wait && !j->ended) {
      if (j->event < 0) error = next_event(j, diag);
      if (error || j->event_insn != j->n_insns) break;
      wait = must_wait(j);
      if (!wait) error = apply_event(j, &counted, diag);
    }
    if (wait) break;
    if (!error && !j->ended) error = take_insn(j, counted, diag);
    if (error) j->n_accesses = n_accesses;
  }
  return !error && j->ended ? check_end(j, diag) : error;
}

int oct_trace_join_next(oct_trace_join *j, oct_batch *batch, oct_diag *diag) {
  if (j->failure.error) {
    j->n_insns_batch = 0;
  } else {
    j->failure.error = fill_batch(j, &j->failure);
  }
  if (j->failure.error && !j->n_insns_batch) {
    if (diag) *diag = j->failure;
    return j->failure.error;
  }
  *batch = (oct_batch){j->insns,   j->n_insns_batch, j->accesses, j->n_accesses,
                       j->entries, j->n_entries,     j->traps,    j->n_traps};
  return j->n_insns_batch || j->n_entries || j->n_traps;
}

int oct_trace_join_resync(oct_trace_join *j, uint64_t *insn, oct_diag *diag) {
  for (;;) {
    int got = j->get ? oct_join_segment_resync(j, diag) : oct_codec_reader_resync(j->reader, diag);
    if (got <= 0) return got;
    for (unsigned c = 0; c < OCT_TRACE_CHANNELS; c++) j->channels[c].from = j->channels[c].to = 0;
    oct_map_free(j->map);
    j->map = oct_map_new();
    if (!j->map) return no_memory(diag);
    reset(j);
    j->run_left = 0;
    j->id = UINT32_MAX;
    j->event = -1;
    j->event_insn = 0;
    j->ended = false;
    j->failure = (oct_diag){0};
    int error = next_event(j, diag);
    if (!error && j->event != OCT_EVENT_BEGIN) error = OCT_ERR_FORMAT;
    if (error == OCT_ERR_NOMEM) return error;
    if (error || j->event_value < j->n_insns) continue;
    j->event = -1;
    j->n_insns = j->event_insn = *insn = j->event_value;
    return 1;
  }
}

int oct_trace_join_new(oct_codec_reader *reader, oct_trace_join **join, oct_diag *diag) {
  const oct_codec_head *head = oct_codec_reader_head(reader);
  *join = NULL;
  bool right = head->content == OCT_CONTENT_TRACE && head->n_channels == OCT_TRACE_CHANNELS &&
               oct_layout_equal(&head->channels[0].layout, &head->channels[1].layout);
  for (unsigned c = 2; right && c < OCT_TRACE_CHANNELS; c++)
    right = oct_layout_equal(&head->channels[c].layout, &oct_layout_byte);
  bool whole = head->settings.codec->takes == OCT_TAKES_TRACE;
  bool addresses = right && oct_layout_equal(&head->channels[0].layout, &oct_layout_addr64);
  const oct_layout *other = whole ? &oct_layout_byte : &oct_layout_pc_ed;
  if (!right || (whole && addresses) ||
      (!addresses && !oct_layout_equal(&head->channels[0].layout, other)))
    return oct_fail(diag, OCT_ERR_FORMAT, "offset 12: the channels are not those of a trace");
  oct_trace_join *j = calloc(1, sizeof *j);
  if (j) {
    j->map = oct_map_new();
    j->disasm = oct_disasm_set_new();
    j->insns = malloc(JOIN_INSNS * sizeof *j->insns);
  }
  if (!j || !j->map || !j->disasm || !j->insns) {
    oct_trace_join_free(j);
    return no_memory(diag);
  }
  j->reader = reader;
  j->map_max = OCT_READ_MAP_MAX;
  j->addresses = addresses;
  while (j->pc_shift < 3 && (2u << j->pc_shift) <= head->insn_align_bytes) j->pc_shift++;
  j->event = -1;
  j->id = UINT32_MAX;
  for (unsigned c = 0; c < OCT_TRACE_CHANNELS; c++)
    j->channels[c].record_bytes = oct_layout_bytes(&head->channels[c].layout);
  int error = whole ? oct_join_segment_new(j, diag) : 0;
  if (error) {
    oct_trace_join_free(j);
    return error;
  }
  *join = j;
  return 0;
}

void oct_trace_join_map_max(oct_trace_join *j, uint64_t n) {
  j->map_max = n;
}

void oct_trace_join_info(const oct_trace_join *j, oct_trace_info *info) {
  const oct_codec_head *head = oct_codec_reader_head(j->reader);
  *info = (oct_trace_info){.format = oct_format_default(),
                           .isa = head->isa,
                           .origin = head->origin,
                           .command = head->command,
                           .addr_bits = head->addr_bits,
                           .insn_align_bytes = head->insn_align_bytes};
}

void oct_trace_join_free(oct_trace_join *j) {
  if (!j) return;
  oct_join_segment_free(j);
  oct_map_free(j->map);
  oct_disasm_set_free(j->disasm);
  free(j->counted.bits);
  free(j->insns);
  free(j->accesses);
  free(j->entries);
  free(j->traps);
  free(j);
}
