/* SPDX-License-Identifier: Apache-2.0 */
/* oct_trace_join_events.c - records and events of the channels of a trace. Nothing in a channel is
 * trusted. */
#include <inttypes.h>

#include "octrace/error.h"
#include "oct_trace_join_state.h"

int oct_join_bad(const oct_trace_join *j, const char *what, oct_diag *diag) {
  return oct_fail(diag, OCT_ERR_FORMAT, "instruction %" PRIu64 ": %s", j->n_insns, what);
}

/* The next n bytes (a record, or a part of the event channel that is a byte). */
int oct_join_record(oct_trace_join *j, unsigned channel, const uint8_t **record, oct_diag *diag) {
  if (j->get && channel == OCT_CHANNEL_CYCLE) return oct_join_segment_cycle(j, record, diag);
  chunk *c = &j->channels[channel];
  if (c->from == c->to) {
    int64_t got = oct_codec_reader_get(j->reader, channel, c->bytes,
                                       JOIN_CHUNK_BYTES / c->record_bytes, diag);
    if (got < 0) return (int)got;
    if (!got) return oct_join_bad(j, "a channel ends too early", diag);
    c->from = 0;
    c->to = (size_t)got * c->record_bytes;
  }
  *record = c->bytes + c->from;
  c->from += c->record_bytes;
  return 0;
}

int oct_join_varint(oct_trace_join *j, unsigned channel, uint64_t *value, oct_diag *diag) {
  const uint8_t *byte = NULL;
  *value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    int error = oct_join_record(j, channel, &byte, diag);
    if (error) return error;
    *value |= (uint64_t)(*byte & 0x7f) << shift;
    if (!(*byte & 0x80)) return 0;
  }
  return oct_join_bad(j, "a number is longer than 64 bits", diag);
}

/* The next n bytes of the event channel. */
static int take_bytes(oct_trace_join *j, uint8_t *bytes, size_t n, oct_diag *diag) {
  for (size_t i = 0; i < n; i++) {
    const uint8_t *byte = NULL;
    int error = oct_join_record(j, OCT_CHANNEL_EVENT, &byte, diag);
    if (error) return error;
    bytes[i] = *byte;
  }
  return 0;
}

static int take_code(oct_trace_join *j, oct_map_entry *e, oct_diag *diag) {
  int error = take_bytes(j, &e->code_isa, 1, diag);
  if (!error) error = take_bytes(j, e->code, e->size_bytes, diag);
  if (!error) error = oct_disasm_set_describe(j->disasm, e);
  if (error == OCT_ERR_NOMEM) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  return error == OCT_ERR_ARG ? oct_join_bad(j, "a map entry of an unknown instruction set", diag)
                              : error;
}

static int take_operation(oct_trace_join *j, oct_map_entry *e, oct_diag *diag) {
  uint8_t bytes[OCT_EFFECT_BYTES];
  int error = take_bytes(j, bytes, sizeof bytes, diag);
  if (error) return error;
  return oct_effect_get(bytes, &e->op) ? oct_join_bad(j, "a bad effect", diag) : 0;
}

/* An entry that follows from its bytes, which are in the data channel. */
static int take_following(oct_trace_join *j, oct_map_entry *e, oct_diag *diag) {
  uint8_t form, again = j->event == OCT_EVENT_FOLLOWS_AGAIN ? OCT_EVENT_MAP_AGAIN : 0;
  uint64_t step;
  int error = take_bytes(j, &form, 1, diag);
  if (!error) error = oct_join_varint(j, OCT_CHANNEL_EVENT, &step, diag);
  if (error) return error;
  oct_map_entry bytes = {
      .addr = j->entry_end + oct_unfold_sign(step), .size_bytes = form & 15, .code_isa = form >> 4};
  for (unsigned i = 0; !error && i < bytes.size_bytes; i++) {
    const uint8_t *byte = NULL;
    error = oct_join_record(j, OCT_CHANNEL_DATA, &byte, diag);
    if (!error) bytes.code[i] = *byte;
  }
  if (error) return error;
  j->entry_end = bytes.addr + bytes.size_bytes;
  int r = oct_disasm_set_insn(j->disasm, &bytes, e);
  if (r == OCT_ERR_NOMEM) return oct_fail(diag, r, "out of memory");
  e->flags |= again;
  if (r == 1) return 0;
  return oct_fail(diag, OCT_ERR_UNSUPPORTED,
                  "instruction %" PRIu64 ": the bytes of the instruction at 0x%" PRIx64
                  " are none that this octrace knows; a newer one may have written the file",
                  j->n_insns, bytes.addr);
}

static int take_entry(oct_trace_join *j, oct_map_entry *e, oct_diag *diag) {
  uint8_t bytes[OCT_EVENT_MAP_BYTES] = {0};
  if (j->event == OCT_EVENT_FOLLOWS || j->event == OCT_EVENT_FOLLOWS_AGAIN)
    return j->get ? take_following(j, e, diag) : oct_join_bad(j, "an event of unknown kind", diag);
  int error = take_bytes(j, bytes, sizeof bytes, diag);
  if (error) return error;
  *e = (oct_map_entry){.addr = oct_join_load(bytes, 8),
                       .target = oct_join_load(bytes + 8, 8),
                       .size_bytes = bytes[16],
                       .cls = bytes[17],
                       .n_slots = bytes[18],
                       .flags = bytes[19]};
  memcpy(e->slots, bytes + 20, OCT_SLOTS_MAX);
  if (e->size_bytes < 1 || e->size_bytes > 15 || e->cls >= OCT_CLASS_COUNT)
    return oct_join_bad(j, "a bad map entry", diag);
  if (j->event == OCT_EVENT_CODE) return take_code(j, e, diag);
  return j->event == OCT_EVENT_OPERATION ? take_operation(j, e, diag) : 0;
}

static int take_trap(oct_trace_join *j, oct_trap *t, oct_diag *diag) {
  uint64_t cause = 0;
  uint8_t head = 0;
  *t = (oct_trap){0};
  int error = take_bytes(j, &head, 1, diag);
  t->kind = head & 15;
  t->privilege = head >> 4;
  if (!error && t->kind != OCT_TRAP_PRIVILEGE) {
    error = oct_join_varint(j, OCT_CHANNEL_EVENT, &cause, diag);
    if (!error) error = oct_join_varint(j, OCT_CHANNEL_EVENT, &t->addr, diag);
  }
  if (!error && t->kind == OCT_TRAP_EXCEPTION)
    error = oct_join_varint(j, OCT_CHANNEL_EVENT, &t->tval, diag);
  if (error) return error;
  t->cause = (uint32_t)cause;
  if (t->kind >= OCT_TRAP_KINDS || t->privilege > OCT_PRIVILEGE_UNKNOWN || cause > UINT32_MAX)
    return oct_join_bad(j, "a bad trap", diag);
  return 0;
}

/* Read the next event and where it takes place. */
int oct_join_event(oct_trace_join *j, oct_diag *diag) {
  const uint8_t *kind = NULL;
  uint64_t delta;
  int error = oct_join_varint(j, OCT_CHANNEL_EVENT, &delta, diag);
  if (!error) error = oct_join_record(j, OCT_CHANNEL_EVENT, &kind, diag);
  if (error) return error;
  if (delta > UINT64_MAX - j->event_insn) return oct_join_bad(j, "an event is out of range", diag);
  j->event_insn += delta;
  j->event = *kind;
  if (j->event == OCT_EVENT_BEGIN)
    return oct_join_varint(j, OCT_CHANNEL_EVENT, &j->event_value, diag);
  if (j->event == OCT_EVENT_TRAP) return take_trap(j, &j->trap, diag);
  return oct_join_is_map(j->event) ? take_entry(j, &j->entry, diag) : 0;
}
