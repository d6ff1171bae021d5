/* SPDX-License-Identifier: Apache-2.0 */
/* oct_trace_split.c - an event trace to channels of records (docs/codec-file.md).
 *
 * Instructions that follow each other by their sizes make a run, sent as its start and length;
 * accesses go to a channel of (PC, data) records, time stamps to one of differences, and all that
 * is rare (map entries, task switches) to a channel of events, each with the number of instructions
 * since the one before. Codecs that take addresses alone get the start of each run and the address
 * of each access. */
#include "oct_batch_rules.h"
#include "oct_codec_format.h"
#include "oct_endian.h"
#include "oct_entry_forms.h"
#include "oct_module_text.h"
#include "oct_segment_codec.h"
#include "oct_trace_channels.h"
#include "oct_trace_entry.h"
#include "octrace/codec.h"
#include "octrace/error.h"
#include "octrace/trace.h"

#include <inttypes.h>
#include <stdio.h>

/* Bytes of records gathered before they go to a channel's encoder. */
#define GATHER_BYTES 49152
/* The most that is appended at a time: an event of a map entry with its operation. */
#define PUT_BYTES (16 + OCT_EVENT_MAP_BYTES + OCT_EFFECT_BYTES)

/* Records on their way to a channel. */
typedef struct gather {
  size_t n_bytes, record_bytes;
  uint8_t bytes[GATHER_BYTES + PUT_BYTES];
} gather;

struct oct_trace_split {
  oct_codec_writer *writer;
  oct_map *map;
  oct_counted counted, said; /* said: in this group of segments */
  oct_entry_forms *forms;    /* of this group; NULL of a codec that takes whole traces */
  /* Of a codec that takes whole traces: */
  const oct_segment_codec *segments;
  oct_segment_put *put; /* instructions and accesses go through it, or NULL */
  bool told;            /* bytes went to a channel since the last look */
  oct_disasm_set *disasm;
  uint64_t entry_end, entry_hash;
  bool addresses; /* flow and data are 64-bit addresses alone */
  unsigned pc_shift;
  oct_batch_rules rules;        /* a trace that breaks them would be refused when it is restored */
  uint64_t n_checked;           /* instructions held against them */
  uint64_t n_insns, event_insn; /* so far; of the last event */
  uint64_t run_start, run_insns, run_next;
  uint64_t high, cycle;
  uint32_t task, id; /* id: map number of the last instruction */
  bool stamped;
  gather channels[OCT_TRACE_CHANNELS];
};

static inline int flush(oct_trace_split *s, unsigned channel, oct_diag *diag) {
  gather *g = &s->channels[channel];
  size_t n = g->n_bytes / g->record_bytes;
  g->n_bytes = 0;
  return n ? oct_codec_writer_put(s->writer, channel, g->bytes, n, diag) : 0;
}

/* Append at most PUT_BYTES to a channel. */
static inline int oct_split_put(oct_trace_split *s, unsigned channel, const void *bytes, size_t n,
                                oct_diag *diag) {
  gather *g = &s->channels[channel];
  if (s->put) {
    s->told = true;
    int error = s->segments->put_bytes(s->put, channel, bytes, n);
    return error ? oct_fail(diag, error, "out of memory") : 0;
  }
  memcpy(g->bytes + g->n_bytes, bytes, n);
  g->n_bytes += n;
  return g->n_bytes >= GATHER_BYTES ? flush(s, channel, diag) : 0;
}

static inline size_t varint(uint8_t *p, uint64_t v) {
  return (size_t)(oct_leb128_put(p, v) - p);
}

static inline int oct_split_number(oct_trace_split *s, unsigned channel, uint64_t v,
                                   oct_diag *diag) {
  uint8_t bytes[OCT_LEB128_MAX];
  size_t n = varint(bytes, v);
  return oct_split_put(s, channel, bytes, n, diag);
}

static inline int oct_split_event(oct_trace_split *s, enum oct_trace_event kind,
                                  const void *payload, size_t n, oct_diag *diag) {
  uint8_t bytes[PUT_BYTES];
  size_t length = varint(bytes, s->n_insns - s->event_insn);
  bytes[length++] = (uint8_t)kind;
  if (n) memcpy(bytes + length, payload, n);
  s->event_insn = s->n_insns;
  return oct_split_put(s, OCT_CHANNEL_EVENT, bytes, length + n, diag);
}

/* ---- Entries of the program map on their way to the channel of events. A group
 * of segments says each entry that it uses, so that it can be read alone.
 * ---- */

static int no_memory(oct_diag *diag) {
  return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
}

/* An entry that follows from its bytes: those go to the data channel. */
static int put_following(oct_trace_split *s, const oct_map_entry *e, enum oct_trace_event kind,
                         oct_diag *diag) {
  uint8_t bytes[1 + OCT_LEB128_MAX];
  bytes[0] = (uint8_t)(e->code_isa << 4 | e->size_bytes);
  size_t n = 1 + varint(bytes + 1, oct_fold_sign(e->addr - s->entry_end));
  s->entry_end = e->addr + e->size_bytes;
  int error = oct_split_event(s, kind, bytes, n, diag);
  return error ? error : oct_split_put(s, OCT_CHANNEL_DATA, e->code, e->size_bytes, diag);
}

/* Give the codec an entry. 1: it follows from its bytes; 0: it does not; or an error. */
static int put_segment_entry(oct_trace_split *s, const oct_map_entry *e, unsigned flags,
                             oct_diag *diag) {
  oct_map_entry entry = *e;
  entry.flags = (uint8_t)(flags & ~(unsigned)OCT_EVENT_MAP_AGAIN);
  s->entry_hash = oct_trace_entry_hash(s->entry_hash, &entry);
  int r = s->segments->put_map(s->put, &entry);
  if (!r) r = oct_trace_entry_follows(s->disasm, &entry);
  return r < 0 ? oct_fail(diag, r, "out of memory") : r;
}

/* Say an entry, with these flags. */
static int say_entry(oct_trace_split *s, const oct_map_entry *e, unsigned flags, oct_diag *diag) {
  uint8_t bytes[OCT_EVENT_MAP_BYTES + OCT_EFFECT_BYTES];
  size_t n = OCT_EVENT_MAP_BYTES;
  enum oct_trace_event kind = OCT_EVENT_MAP;
  if (s->forms && !(e->op.flags & OCT_EFFECT_KNOWN && !e->code_isa)) {
    oct_map_entry entry = *e;
    uint8_t packed[OCT_ENTRY_BYTES_MAX];
    entry.flags = (uint8_t)flags;
    n = oct_entry_put(s->forms, &entry, packed);
    return oct_split_event(s, OCT_EVENT_ENTRY, packed, n, diag);
  }
  int follows = s->put ? put_segment_entry(s, e, flags, diag) : 0;
  if (follows < 0) return follows;
  kind = flags & OCT_EVENT_MAP_AGAIN ? OCT_EVENT_FOLLOWS_AGAIN : OCT_EVENT_FOLLOWS;
  if (follows) return put_following(s, e, kind, diag);
  kind = OCT_EVENT_MAP;
  oct_put_u64(bytes, e->addr);
  oct_put_u64(bytes + 8, e->target);
  bytes[16] = e->size_bytes;
  bytes[17] = e->cls;
  bytes[18] = e->n_slots;
  bytes[19] = (uint8_t)flags;
  memcpy(bytes + 20, e->slots, OCT_SLOTS_MAX);
  if (e->code_isa) {
    kind = OCT_EVENT_CODE;
    bytes[n++] = e->code_isa;
    memcpy(bytes + n, e->code, e->size_bytes);
    n += e->size_bytes;
  } else if (e->op.flags & OCT_EFFECT_KNOWN) {
    kind = OCT_EVENT_OPERATION;
    oct_effect_put(bytes + n, &e->op);
    n += OCT_EFFECT_BYTES;
  }
  return oct_split_event(s, kind, bytes, n, diag);
}

/* Say an entry of a group before, once in this one, with what continues it. */
static int map_again(oct_trace_split *s, uint32_t id, oct_diag *diag) {
  const oct_map_head *e = oct_map_at(s->map, id);
  unsigned n_beyond = oct_map_slots_beyond(s->map, id);
  oct_map_entry whole;
  if (oct_counted_add(&s->said, id)) return no_memory(diag);
  oct_map_get(s->map, id, &whole);
  int error = say_entry(s, &whole, e->flags | OCT_EVENT_MAP_AGAIN, diag);
  for (unsigned done = 0; !error && done < n_beyond; done += OCT_SLOTS_MAX) {
    unsigned n = n_beyond - done < OCT_SLOTS_MAX ? n_beyond - done : OCT_SLOTS_MAX;
    oct_map_entry more = {.addr = e->addr,
                          .target = OCT_SLOTS_MAX + done,
                          .size_bytes = e->size_bytes,
                          .cls = e->cls,
                          .n_slots = (uint8_t)n};
    for (unsigned k = 0; k < n; k++)
      more.slots[k] = oct_map_slot_beyond(s->map, e, OCT_SLOTS_MAX + done + k);
    error = say_entry(s, &more, OCT_MAP_CONTINUES | OCT_EVENT_MAP_AGAIN, diag);
  }
  return error;
}

/* A change of the map. OCT_ERR_MAP, OCT_ERR_NOMEM, errors of codec and sink. */
static int oct_split_map(oct_trace_split *s, const oct_map_entry *e, oct_diag *diag) {
  uint32_t known = oct_map_find(s->map, e->addr);
  bool is_more = e->flags & OCT_MAP_CONTINUES && known != UINT32_MAX;
  int error = is_more && !oct_counted_has(&s->said, known) ? map_again(s, known, diag) : 0;
  int64_t id = error ? error : oct_map_put(s->map, e);
  if (error) return error;
  if (id == OCT_ERR_NOMEM) return no_memory(diag);
  if (id < 0)
    return oct_fail(diag, (int)id, "a map entry of 0x%" PRIx64 " that continues none", e->addr);
  if (oct_counted_add(&s->said, (uint32_t)id)) return no_memory(diag);
  return say_entry(s, e, e->flags, diag);
}

static int put_event_number(oct_trace_split *s, enum oct_trace_event kind, uint64_t value,
                            oct_diag *diag) {
  uint8_t bytes[OCT_LEB128_MAX];
  size_t n = varint(bytes, value);
  return oct_split_event(s, kind, bytes, n, diag);
}

/* A (PC, ED) record, or the address alone. */
static int put_record(oct_trace_split *s, unsigned channel, uint64_t pc, uint64_t address,
                      oct_diag *diag) {
  uint8_t bytes[12];
  if (s->addresses) {
    oct_put_u64(bytes, address);
    return oct_split_put(s, channel, bytes, 8, diag);
  }
  uint64_t number = pc >> s->pc_shift;
  for (unsigned i = 0; i < 4; i++) bytes[i] = (uint8_t)(number >> 8 * i);
  oct_put_u64(bytes + 4, address);
  return oct_split_put(s, channel, bytes, 12, diag);
}

static int end_run(oct_trace_split *s, oct_diag *diag) {
  int error = 0;
  if (!s->run_insns) return 0;
  if (s->addresses) {
    error = put_record(s, OCT_CHANNEL_FLOW, 0, s->run_start, diag);
    if (!error) error = oct_split_number(s, OCT_CHANNEL_RUN, s->run_insns, diag);
  } else {
    error = put_record(s, OCT_CHANNEL_FLOW, s->run_start, s->run_insns, diag);
  }
  s->run_insns = 0;
  return error;
}

static int begin_run(oct_trace_split *s, uint64_t addr, oct_diag *diag) {
  uint64_t high = addr >> s->pc_shift >> 32;
  s->run_start = addr;
  if (s->addresses || high == s->high) return 0;
  s->high = high;
  return put_event_number(s, OCT_EVENT_HIGH, high, diag);
}

static int put_stamp(oct_trace_split *s, const oct_insn *insn, oct_diag *diag) {
  bool stamped = insn->flags & OCT_INSN_HAS_CYCLE;
  int error = 0;
  if (stamped != s->stamped) error = oct_split_event(s, OCT_EVENT_STAMPED, NULL, 0, diag);
  s->stamped = stamped;
  if (!stamped || error) return error;
  int64_t step = (int64_t)(insn->cycle - s->cycle);
  s->cycle = insn->cycle;
  return oct_split_number(s, OCT_CHANNEL_CYCLE, (uint64_t)step << 1 ^ (step < 0 ? UINT64_MAX : 0),
                          diag);
}

/* The map entry of the instruction, whose number becomes s->id. */
static const oct_map_head *look_up(oct_trace_split *s, const oct_insn *insn) {
  const uint32_t id = oct_entry_after(s->map, s->id, insn->addr);
  s->id = id;
  if (id == UINT32_MAX) return NULL;
  const oct_map_head *e = oct_map_at(s->map, id);
  bool explained = e->size_bytes == insn->size_bytes &&
                   (insn->n_access <= e->n_slots || (e->flags & OCT_MAP_VARIABLE));
  return explained ? e : NULL;
}

/* Say what is wrong with the instruction. Returns OCT_ERR_MAP. */
static int fail_map(const oct_trace_split *s, const oct_insn *insn, oct_diag *diag) {
  return oct_fail_at(diag, OCT_ERR_MAP, OCT_AT_INSN, s->n_insns,
                     "the map does not explain 0x%" PRIx64, insn->addr);
}

/* Whether the entry of the last instruction is said in this group of segments. */
static bool is_said(const oct_trace_split *s) {
  return oct_counted_has(&s->said, s->id);
}

static int put_insn(oct_trace_split *s, const oct_insn *insn, const oct_access *access,
                    oct_diag *diag) {
  const oct_map_head *e;
  int error = 0;
  if (insn->task != s->task) {
    s->task = insn->task;
    error = put_event_number(s, OCT_EVENT_TASK, insn->task, diag);
  }
  if (!error) error = put_stamp(s, insn, diag);
  if (!error && s->run_insns && insn->addr != s->run_next) error = end_run(s, diag);
  if (!error && !s->run_insns) error = begin_run(s, insn->addr, diag);
  if (error) return error;
  e = look_up(s, insn);
  if (!e) return fail_map(s, insn, diag);
  if (!is_said(s)) error = map_again(s, s->id, diag);
  if (error) return error;
  bool counts = oct_counts(&s->counted, e, s->id);
  if (!counts && insn->n_access != e->n_slots) {
    if (oct_counted_add(&s->counted, s->id)) return no_memory(diag);
    error = oct_split_event(s, OCT_EVENT_COUNTED, NULL, 0, diag);
    counts = true;
  }
  if (!error && counts) error = oct_split_number(s, OCT_CHANNEL_COUNT, insn->n_access, diag);
  for (unsigned k = 0; !error && k < insn->n_access; k++)
    error = put_record(s, OCT_CHANNEL_DATA, insn->addr, access[k].addr, diag);
  s->run_insns++;
  s->run_next = insn->addr + insn->size_bytes;
  s->n_insns++;
  return error;
}

/* The segment ends: with the checksum of its map, in the channel of runs. */
static int cut_segment(oct_trace_split *s, oct_diag *diag) {
  uint8_t bytes[8];
  oct_put_u64(bytes, s->entry_hash);
  s->entry_hash = s->entry_end = 0;
  int error = oct_split_put(s, OCT_CHANNEL_RUN, bytes, sizeof bytes, diag);
  return error ? error : s->segments->put_cut(s->put, diag);
}

/* All channels come to the same point, where the file cuts its segment. Where a group of segments
 * begins, what follows does not build on what stands before. */
static int cut(oct_trace_split *s, oct_diag *diag) {
  int error = end_run(s, diag);
  if (!error) error = oct_split_event(s, OCT_EVENT_CUT, NULL, 0, diag);
  if (s->put) {
    if (!error) error = cut_segment(s, diag);
    if (error) return error;
  } else {
    for (unsigned c = 0; !error && c < OCT_TRACE_CHANNELS; c++) error = flush(s, c, diag);
    if (!error) error = oct_codec_writer_mark(s->writer, diag);
    if (error || !oct_codec_writer_is_group(s->writer)) return error;
  }
  oct_counted_clear(&s->counted);
  oct_counted_clear(&s->said);
  if (s->forms) oct_entry_forms_clear(s->forms);
  s->high = s->cycle = s->task = 0;
  s->stamped = false;
  return put_event_number(s, OCT_EVENT_BEGIN, s->n_insns, diag);
}

static bool is_full(const oct_trace_split *s) {
  return s->put ? s->segments->put_is_full(s->put) : oct_codec_writer_full(s->writer);
}

static int put_trap(oct_trace_split *s, const oct_trap *t, oct_diag *diag) {
  uint8_t bytes[1 + 3 * OCT_LEB128_MAX];
  size_t n = 1;
  bytes[0] = (uint8_t)(t->kind | t->privilege << 4);
  if (t->kind != OCT_TRAP_PRIVILEGE) {
    n += varint(bytes + n, t->cause);
    n += varint(bytes + n, t->addr);
  }
  if (t->kind == OCT_TRAP_EXCEPTION) n += varint(bytes + n, t->tval);
  return oct_split_event(s, OCT_EVENT_TRAP, bytes, n, diag);
}

/* Of facts, only gaps have a place. */
static int put_fact(oct_trace_split *s, const oct_batch *b, const oct_fact *f, oct_diag *diag) {
  const uint8_t *told = oct_value_of(b, f->value);
  uint8_t bytes[1 + 3 * OCT_LEB128_MAX];
  size_t n = 1;
  if (f->kind != OCT_FACT_GAP) return 0;
  bytes[0] = (uint8_t)f->number;
  if (f->number == OCT_GAP_NO_IMAGE) n += varint(bytes + n, f->addr);
  for (int i = 0; i < 2; i++) n += varint(bytes + n, told ? oct_get_u64(told + 8 * i) + 1 : 0);
  return oct_split_event(s, OCT_EVENT_GAP, bytes, n, diag);
}

/* Traps, gaps and changes of the map before instruction i of the batch. */
typedef struct before_insns {
  const oct_batch *batch;
  size_t trap, fact;
  const oct_map_update *updates;
  size_t n_updates;
} before_insns;

static bool has_before(const before_insns *b, size_t i, uint64_t n_insns) {
  return (b->trap < b->batch->n_traps && b->batch->traps[b->trap].insn <= i) ||
         (b->fact < b->batch->n_facts && b->batch->facts[b->fact].insn <= i) ||
         (b->n_updates && b->updates->from_insn <= n_insns);
}

static int put_before(oct_trace_split *s, before_insns *b, size_t i, oct_diag *diag) {
  int error = 0;
  for (; !error && b->trap < b->batch->n_traps && b->batch->traps[b->trap].insn <= i; b->trap++)
    error = put_trap(s, &b->batch->traps[b->trap], diag);
  for (; !error && b->fact < b->batch->n_facts && b->batch->facts[b->fact].insn <= i; b->fact++)
    error = put_fact(s, b->batch, &b->batch->facts[b->fact], diag);
  for (; !error && b->n_updates && b->updates->from_insn <= s->n_insns;
       b->updates++, b->n_updates--)
    error = oct_split_map(s, &b->updates->entry, diag);
  return error;
}

/* What follows the last instruction holds for the next one. */
static int put_behind(oct_trace_split *s, before_insns *b, oct_diag *diag) {
  int error = 0;
  for (; !error && b->trap < b->batch->n_traps; b->trap++)
    error = put_trap(s, &b->batch->traps[b->trap], diag);
  for (; !error && b->fact < b->batch->n_facts; b->fact++)
    error = put_fact(s, b->batch, &b->batch->facts[b->fact], diag);
  for (; !error && b->n_updates; b->updates++, b->n_updates--)
    error = oct_split_map(s, &b->updates->entry, diag);
  return error;
}

/* A run of the batch's instructions, which are said and not yet given to the codec. */
typedef struct insn_run {
  const oct_insn *insns;
  const oct_access *accesses;
  size_t n_insns, n_accesses;
} insn_run;

static int end_insn_run(oct_trace_split *s, insn_run *run, oct_diag *diag) {
  int error = run->n_insns ? s->segments->put_insns(s->put, run->insns, run->n_insns, run->accesses,
                                                    run->n_accesses, diag)
                           : 0;
  *run = (insn_run){run->insns + run->n_insns, run->accesses + run->n_accesses, 0, 0};
  return error;
}

/* The map entry of the next instruction is said, before it and behind those of the run. */
static int say_for_run(oct_trace_split *s, const oct_insn *insn, insn_run *run, oct_diag *diag) {
  if (!look_up(s, insn)) return fail_map(s, insn, diag);
  if (is_said(s)) return 0;
  int error = end_insn_run(s, run, diag);
  return error ? error : map_again(s, s->id, diag);
}

/* The first of instructions i + 1 .. n - 1 of the batch before which something stands, or n. */
static size_t next_before(const before_insns *b, size_t i, uint64_t n_insns) {
  size_t next = b->batch->n_insns;
  if (b->trap < b->batch->n_traps && b->batch->traps[b->trap].insn < next)
    next = b->batch->traps[b->trap].insn;
  if (b->fact < b->batch->n_facts && b->batch->facts[b->fact].insn < next)
    next = b->batch->facts[b->fact].insn;
  if (b->n_updates && b->updates->from_insn - n_insns < next - i)
    next = i + (size_t)(b->updates->from_insn - n_insns);
  return next;
}

/* Add instructions to the run as long as there is nothing to say: their map entries are said, they
 * have no stamps, and the segment has room for more. Returns how many of the next n. */
static size_t extend_run(oct_trace_split *s, insn_run *run, size_t n, uint64_t room) {
  const oct_insn *insns = run->insns + run->n_insns;
  const uint64_t n_items = run->n_insns + run->n_accesses;
  uint64_t items = n_items;
  uint32_t id = s->id;
  size_t i = 0;
  if (s->stamped) return 0;
  for (; i < n && !(insns[i].flags & OCT_INSN_HAS_CYCLE); i++) {
    const uint64_t with = items + 1 + insns[i].n_access;
    if (with >= room || !look_up(s, &insns[i]) || !is_said(s)) break;
    items = with;
    id = s->id;
  }
  s->id = id;
  run->n_insns += i;
  run->n_accesses += (size_t)(items - n_items) - i;
  s->n_insns += i;
  return i;
}

/* The codec takes the instructions in runs, between which the map changes or the segment ends. */
static int put_through(oct_trace_split *s, before_insns *before, oct_diag *diag) {
  const oct_insn *insns = before->batch->insns;
  const size_t n = before->batch->n_insns;
  insn_run run = {insns, before->batch->accesses, 0, 0};
  uint64_t room = s->segments->put_room(s->put);
  int error = 0;
  for (size_t i = 0; i < n; i++) {
    if (has_before(before, i, s->n_insns)) {
      error = end_insn_run(s, &run, diag);
      if (!error) error = put_before(s, before, i, diag);
    }
    if (!error && (s->stamped || insns[i].flags & OCT_INSN_HAS_CYCLE))
      error = put_stamp(s, &insns[i], diag);
    if (!error) error = say_for_run(s, &insns[i], &run, diag);
    if (error) return error;
    if (!run.n_insns) room = s->segments->put_room(s->put);
    run.n_insns++;
    run.n_accesses += insns[i].n_access;
    s->n_insns++;
    bool has_all = run.n_insns + run.n_accesses >= room || (s->told && is_full(s));
    s->told = false;
    if (!has_all) {
      i += extend_run(s, &run, next_before(before, i + 1, s->n_insns) - (i + 1), room);
      continue;
    }
    error = end_insn_run(s, &run, diag);
    if (!error) error = cut(s, diag);
    if (error) return error;
  }
  return end_insn_run(s, &run, diag);
}

int oct_trace_split_put(oct_trace_split *s, const oct_batch *batch, const oct_map_update *updates,
                        size_t n_updates, oct_diag *diag) {
  before_insns before = {
      .batch = batch, .trap = 0, .fact = 0, .updates = updates, .n_updates = n_updates};
  const oct_access *accesses = batch->accesses;
  size_t n_good;
  int error = oct_batch_is_plain(&s->rules, batch)
                  ? 0
                  : oct_batch_check(&s->rules, batch, s->n_checked, &n_good, diag);
  s->n_checked += batch->n_insns;
  if (!error && s->put) error = put_through(s, &before, diag);
  for (size_t i = 0; !s->put && !error && i < batch->n_insns; i++) {
    error = put_before(s, &before, i, diag);
    if (!error) error = put_insn(s, &batch->insns[i], accesses, diag);
    accesses += batch->insns[i].n_access;
    if (!error && is_full(s)) error = cut(s, diag);
  }
  return error ? error : put_behind(s, &before, diag);
}

int oct_trace_split_finish(oct_trace_split *s, oct_diag *diag) {
  int error = end_run(s, diag);
  if (!error) error = oct_split_event(s, OCT_EVENT_END, NULL, 0, diag);
  if (!error && s->put) error = cut_segment(s, diag);
  if (!error && s->put) error = s->segments->put_finish(s->put, diag);
  for (unsigned c = 0; !error && c < OCT_TRACE_CHANNELS; c++) error = flush(s, c, diag);
  return error ? error : oct_codec_writer_finish(s->writer, diag);
}

oct_codec_writer *oct_trace_split_writer(const oct_trace_split *s) {
  return s->writer;
}

/* A segment went through the codec: its channels are one of the file. */
static int take_segment(void *context, oct_buffer *channels, oct_diag *diag) {
  oct_codec_writer *w = context;
  int error = 0;
  for (unsigned c = 0; !error && c < OCT_TRACE_CHANNELS; c++)
    if (channels[c].n_bytes)
      error = oct_codec_writer_put(w, c, channels[c].bytes, channels[c].n_bytes, diag);
  return error ? error : oct_codec_writer_cut(w, diag);
}

/* Which of the two forms of records the codec takes. */
static int choose_form(const oct_codec_settings *settings, bool *addresses, oct_diag *diag) {
  oct_diag own = {0};
  *addresses = false;
  if (settings->codec->takes == OCT_TAKES_TRACE) return 0;
  if (!oct_codec_check_layout(settings, &oct_layout_pc_ed, &own)) return 0;
  *addresses = true;
  if (!oct_codec_check_layout(settings, &oct_layout_addr64, &own)) return 0;
  return oct_fail(
      diag, OCT_ERR_CONFIG,
      "a trace gives records of 32 and 64 bits or of 64 bits, which codec %s with these "
      "options does not take",
      settings->codec->name);
}

static void fill_head(oct_codec_head *head, const oct_codec_settings *settings,
                      const oct_trace_info *info, bool addresses) {
  static const char *const names[OCT_TRACE_CHANNELS] = {"flow",  "data",  "run",
                                                        "count", "cycle", "event"};
  bool whole = settings->codec->takes == OCT_TAKES_TRACE;
  const oct_layout *layout = whole       ? &oct_layout_byte
                             : addresses ? &oct_layout_addr64
                                         : &oct_layout_pc_ed;
  memset(head, 0, sizeof *head);
  head->settings = *settings;
  head->content = OCT_CONTENT_TRACE;
  head->n_channels = OCT_TRACE_CHANNELS;
  for (unsigned c = 0; c < OCT_TRACE_CHANNELS; c++) {
    snprintf(head->channels[c].name, sizeof head->channels[c].name, "%s", names[c]);
    bool main =
        !whole && (c == OCT_CHANNEL_DATA || (c == OCT_CHANNEL_FLOW && settings->codec->lossless));
    head->channels[c].side = !main;
    head->channels[c].layout = c <= OCT_CHANNEL_DATA ? *layout : oct_layout_byte;
  }
  snprintf(head->isa, sizeof head->isa, "%s", info->isa);
  snprintf(head->origin, sizeof head->origin, "%s", info->origin);
  snprintf(head->command, sizeof head->command, "%s", info->command);
  head->addr_bits = info->addr_bits;
  head->insn_align_bytes = info->insn_align_bytes;
}

/* The files of code, as many as fit. 0 or OCT_ERR_NOMEM. */
static int fill_modules(oct_codec_head *head, const oct_trace_info *info) {
  oct_buffer text = {0};
  int error = oct_modules_put(&text, sizeof head->modules - 1, info->modules, info->n_modules);
  if (!error && text.n_bytes) memcpy(head->modules, text.bytes, text.n_bytes);
  oct_buffer_free(&text);
  return error;
}

int oct_trace_split_new(const oct_codec_settings *settings, const oct_trace_info *info,
                        const oct_sink *sink, unsigned n_threads, bool apart,
                        oct_trace_split **split, oct_diag *diag) {
  bool addresses;
  int error = choose_form(settings, &addresses, diag);
  *split = NULL;
  if (error) return error;
  oct_codec_head *head = malloc(sizeof *head);
  oct_trace_split *s = calloc(1, sizeof *s);
  if (s) s->map = oct_map_new_lean();
  if (!head || !s || !s->map) error = oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  if (!error) {
    fill_head(head, settings, info, addresses);
    if (fill_modules(head, info)) error = no_memory(diag);
    if (settings->codec->takes == OCT_TAKES_TRACE) {
      error = settings->codec->segments->fit(&head->settings, info, diag);
      s->disasm = oct_disasm_set_new();
      if (!s->disasm) error = no_memory(diag);
    } else {
      s->forms = calloc(1, sizeof *s->forms);
      if (!s->forms) error = no_memory(diag);
    }
  }
  if (!error) {
    head->apart = apart;
    s->addresses = addresses;
    s->segments = settings->codec->segments;
    while (s->pc_shift < 3 && (2u << s->pc_shift) <= info->insn_align_bytes) s->pc_shift++;
    s->rules.addr_bits = info->addr_bits;
    s->rules.insn_align_bytes = info->insn_align_bytes;
    s->id = UINT32_MAX;
    for (unsigned c = 0; c < OCT_TRACE_CHANNELS; c++)
      s->channels[c].record_bytes = oct_layout_bytes(&head->channels[c].layout);
    error = oct_codec_writer_new(head, sink, n_threads, &s->writer, diag);
    if (!error && settings->codec->takes == OCT_TAKES_TRACE)
      error = settings->codec->segments->put_new(&head->settings, n_threads, take_segment,
                                                 s->writer, &s->put, diag);
  }
  free(head);
  if (error) {
    oct_trace_split_free(s);
    return error;
  }
  *split = s;
  return 0;
}

void oct_trace_split_free(oct_trace_split *s) {
  if (!s) return;
  if (s->put) s->segments->put_free(s->put);
  oct_disasm_set_free(s->disasm);
  oct_codec_writer_free(s->writer);
  oct_map_free(s->map);
  free(s->counted.bits);
  free(s->said.bits);
  free(s->forms);
  free(s);
}
