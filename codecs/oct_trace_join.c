/* SPDX-License-Identifier: Apache-2.0 */
/* oct_trace_join.c - channels of records back to an event trace (docs/codec-file.md). Nothing in a
 * channel is trusted.
 *
 * The channels are flow (runs of instructions), data (accesses), run, count, cycle and event. The
 * next event says how many instructions come before it; map entries, task switches and segments are
 * events. An instruction takes its size and slots from the program map, then its accesses from
 * their channel. An entry that replaces one which the batch may have used opens the next batch. */
#include "oct_checksum.h"
#include "oct_codec_format.h"
#include "oct_endian.h"
#include "oct_entry_forms.h"
#include "oct_grow.h"
#include "oct_segment_codec.h"
#include "oct_trace_channels.h"
#include "oct_trace_entry.h"
#include "octrace/error.h"
#include "octrace/trace.h"

#include <inttypes.h>

enum { JOIN_INSNS = 65536, JOIN_CHUNK_BYTES = 49152 };

/* Records of a channel that were read and not yet used. */
typedef struct chunk {
  size_t from, to, record_bytes;
  uint8_t bytes[JOIN_CHUNK_BYTES];
} chunk;

/* What OCT_EVENT_GAP says. */
typedef struct joined_gap {
  uint64_t addr, lost[2];
  uint8_t cause;
} joined_gap;

/* What an event says that changes no map. */
typedef struct joined_told {
  uint64_t value; /* of OCT_EVENT_BEGIN */
  oct_trap trap;  /* of OCT_EVENT_TRAP */
  joined_gap gap; /* of OCT_EVENT_GAP */
} joined_told;

/* An event that was read and did not take place yet. A program has millions, of changes of its
 * map. */
typedef struct joined_event {
  uint64_t insn; /* before which it takes place */
  uint8_t kind, map_again;
} joined_event;

/* A segment of a codec that takes whole traces that was read from the file: all but its
 * instructions. */
typedef struct joined_segment {
  joined_event *events;
  size_t n_events, room_events, at_event;
  joined_told *told; /* by events, in their order */
  size_t n_told, room_told, at_told;
  const oct_map_update *updates; /* by events; the codec has them */
  size_t at_update;
  oct_buffer cycles;
  size_t at_cycle;
} joined_segment;

struct oct_trace_join {
  oct_codec_reader *reader;
  oct_map *map;
  oct_disasm_set *disasm;
  oct_counted counted;
  oct_entry_forms *forms; /* of this group of segments; NULL of a file that has none */
  bool addresses, ended;
  unsigned pc_shift;
  uint64_t n_insns;            /* so far */
  uint64_t event_insn;         /* before which the event that was read takes place */
  uint64_t event_value;        /* of OCT_EVENT_BEGIN */
  oct_map_entry entry;         /* of an event that changes the map */
  oct_trap trap;               /* of OCT_EVENT_TRAP */
  joined_gap gap;              /* of OCT_EVENT_GAP */
  int event;                   /* it, or -1: none was read */
  uint64_t run_addr, run_left; /* next instruction's address; instructions left in the run */
  uint64_t high, cycle;
  uint32_t task, id;
  bool stamped;
  bool takes_again; /* the last entry that was said again is a new one here */
  chunk channels[OCT_TRACE_CHANNELS];
  /* Of a codec that takes whole traces: */
  const oct_segment_codec *codec;
  oct_segment_get *get;     /* instructions and accesses come from it, or NULL */
  joined_segment *segments; /* a ring of those that were loaded */
  unsigned n_segments, oldest, n_loaded;
  bool all_loaded;
  uint64_t loaded_insns; /* before the segment to be loaded next */
  oct_diag load_failure; /* error != 0: why loading ended */
  uint64_t entry_end;    /* of the entry before that followed from its bytes */
  const uint8_t *addrs;  /* of the instruction's accesses, */
  size_t stride;         /* so many bytes apart */
  oct_insn *insns;
  oct_access *accesses;
  oct_map_entry *entries;
  oct_trap *traps;
  size_t n_traps, room_traps;
  oct_fact *facts; /* gaps */
  size_t n_facts, room_facts;
  oct_buffer values;       /* that they tell */
  uint64_t map_max, n_map; /* entries allowed, and taken so far */
  size_t n_insns_batch, n_accesses, room_accesses, n_entries, room_entries;
  oct_diag failure; /* error != 0: what comes behind the last batch */
};

/* A number of n bytes, lowest first. */
static inline uint64_t load(const uint8_t *p, unsigned n) {
  uint64_t v = 0;
  for (unsigned i = 0; i < n; i++) v |= (uint64_t)p[i] << 8 * i;
  return v;
}

/* Whether the event changes the program map. */
static inline bool is_map(int event) {
  return event == OCT_EVENT_MAP || event == OCT_EVENT_CODE || event == OCT_EVENT_OPERATION ||
         event == OCT_EVENT_FOLLOWS || event == OCT_EVENT_FOLLOWS_AGAIN || event == OCT_EVENT_ENTRY;
}

/* ---- Of a codec that takes whole traces ---- */

static int segment_cycle(oct_trace_join *j, const uint8_t **byte, oct_diag *diag);

/* ---- Records and events of the channels of a trace. Nothing in a channel is
 * trusted.
 * ---- */

/* Say the instruction and what is wrong with the file. Returns OCT_ERR_FORMAT. */
static int oct_join_bad(const oct_trace_join *j, const char *what, oct_diag *diag) {
  return oct_fail_at(diag, OCT_ERR_FORMAT, OCT_AT_INSN, j->n_insns, "%s", what);
}

/* The next n bytes (a record, or a part of the event channel that is a byte). */
static int oct_join_record(oct_trace_join *j, unsigned channel, const uint8_t **record,
                           oct_diag *diag) {
  if (j->get && channel == OCT_CHANNEL_CYCLE) return segment_cycle(j, record, diag);
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

static int varint(oct_trace_join *j, unsigned channel, uint64_t *value, oct_diag *diag) {
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
  int error = take_bytes(j, e->code, e->size_bytes, diag);
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

static int check_entry(const oct_trace_join *j, const oct_map_entry *e, oct_diag *diag) {
  bool is_bad = e->size_bytes < 1 || e->size_bytes > 15 || e->cls >= OCT_CLASS_COUNT;
  return is_bad ? oct_join_bad(j, "a bad map entry", diag) : 0;
}

/* An entry that follows from its bytes, which are in the data channel. */
static int take_following(oct_trace_join *j, oct_map_entry *e, oct_diag *diag) {
  uint8_t form, again = j->event == OCT_EVENT_FOLLOWS_AGAIN ? OCT_EVENT_MAP_AGAIN : 0;
  uint64_t step;
  int error = take_bytes(j, &form, 1, diag);
  if (!error) error = varint(j, OCT_CHANNEL_EVENT, &step, diag);
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
  return oct_fail_at(diag, OCT_ERR_UNSUPPORTED, OCT_AT_INSN, j->n_insns,
                     "the bytes of the instruction at 0x%" PRIx64
                     " are none that this octrace knows; a newer one may have written the file",
                     bytes.addr);
}

static int take_form(oct_trace_join *j, oct_map_entry *e, oct_diag *diag) {
  uint8_t bytes[OCT_ENTRY_FORM_BYTES];
  uint64_t number, step;
  int error = varint(j, OCT_CHANNEL_EVENT, &number, diag);
  if (!error && !number) error = take_bytes(j, bytes, sizeof bytes, diag);
  if (error) return error;
  const uint8_t *form = oct_entry_form(j->forms, number, bytes);
  if (!form) return oct_join_bad(j, "a map entry of an unknown form", diag);
  bool has_target = oct_entry_of_form(form, e);
  if ((error = check_entry(j, e, diag))) return error;
  error = varint(j, OCT_CHANNEL_EVENT, &step, diag);
  if (error) return error;
  e->addr = j->forms->end + oct_unfold_sign(step);
  j->forms->end = e->addr + e->size_bytes;
  if (has_target && !(error = varint(j, OCT_CHANNEL_EVENT, &step, diag)))
    e->target = e->addr + oct_unfold_sign(step);
  return error || !e->code_isa ? error : take_code(j, e, diag);
}

static int take_entry(oct_trace_join *j, oct_map_entry *e, oct_diag *diag) {
  uint8_t bytes[OCT_EVENT_MAP_BYTES] = {0};
  if (j->event == OCT_EVENT_FOLLOWS || j->event == OCT_EVENT_FOLLOWS_AGAIN)
    return j->get ? take_following(j, e, diag) : oct_join_bad(j, "an event of unknown kind", diag);
  if (j->event == OCT_EVENT_ENTRY)
    return j->forms ? take_form(j, e, diag) : oct_join_bad(j, "an event of unknown kind", diag);
  int error = take_bytes(j, bytes, sizeof bytes, diag);
  if (error) return error;
  *e = (oct_map_entry){.addr = load(bytes, 8),
                       .target = load(bytes + 8, 8),
                       .size_bytes = bytes[16],
                       .cls = bytes[17],
                       .n_slots = bytes[18],
                       .flags = bytes[19]};
  memcpy(e->slots, bytes + 20, OCT_SLOTS_MAX);
  if ((error = check_entry(j, e, diag))) return error;
  if (j->event == OCT_EVENT_CODE)
    return (error = take_bytes(j, &e->code_isa, 1, diag)) ? error : take_code(j, e, diag);
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
    error = varint(j, OCT_CHANNEL_EVENT, &cause, diag);
    if (!error) error = varint(j, OCT_CHANNEL_EVENT, &t->addr, diag);
  }
  if (!error && t->kind == OCT_TRAP_EXCEPTION) error = varint(j, OCT_CHANNEL_EVENT, &t->tval, diag);
  if (error) return error;
  t->cause = (uint32_t)cause;
  if (t->kind >= OCT_TRAP_KINDS || t->privilege > OCT_PRIVILEGE_UNKNOWN || cause > UINT32_MAX)
    return oct_join_bad(j, "a bad trap", diag);
  return 0;
}

static int take_gap(oct_trace_join *j, joined_gap *g, oct_diag *diag) {
  *g = (joined_gap){0};
  int error = take_bytes(j, &g->cause, 1, diag);
  if (!error && g->cause == OCT_GAP_NO_IMAGE) error = varint(j, OCT_CHANNEL_EVENT, &g->addr, diag);
  for (int i = 0; i < 2 && !error; i++) {
    error = varint(j, OCT_CHANNEL_EVENT, &g->lost[i], diag);
    g->lost[i]--;
  }
  return error || g->cause < OCT_GAP_CAUSES ? error : oct_join_bad(j, "a bad gap", diag);
}

/* Read the next event and where it takes place. */
static int oct_join_event(oct_trace_join *j, oct_diag *diag) {
  const uint8_t *kind = NULL;
  uint64_t delta;
  int error = varint(j, OCT_CHANNEL_EVENT, &delta, diag);
  if (!error) error = oct_join_record(j, OCT_CHANNEL_EVENT, &kind, diag);
  if (error) return error;
  if (delta > UINT64_MAX - j->event_insn) return oct_join_bad(j, "an event is out of range", diag);
  j->event_insn += delta;
  j->event = *kind;
  if (j->event == OCT_EVENT_BEGIN) return varint(j, OCT_CHANNEL_EVENT, &j->event_value, diag);
  if (j->event == OCT_EVENT_TRAP) return take_trap(j, &j->trap, diag);
  if (j->event == OCT_EVENT_GAP) return take_gap(j, &j->gap, diag);
  return is_map(j->event) ? take_entry(j, &j->entry, diag) : 0;
}

/* ---- Segments of a codec that takes whole traces as a file has them: a
 * segment is loaded as a whole, since the codec needs the map of all its instructions before the
 * first.
 * ---- */

static int no_memory(oct_diag *diag) {
  return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
}

/* Whether an event says something else than a change of the map. */
static bool is_told(int event) {
  return event == OCT_EVENT_BEGIN || event == OCT_EVENT_TRAP || event == OCT_EVENT_GAP;
}

/* A change of the map, counted from the segment's first instruction. */
static int keep_update(oct_trace_join *j, oct_trace_segment *to, size_t *room, oct_diag *diag) {
  oct_map_update *p = oct_grown(to->updates, room, to->n_updates + 1, sizeof *p);
  if (!p) return no_memory(diag);
  to->updates = p;
  p += to->n_updates++;
  *p = (oct_map_update){j->event_insn - j->loaded_insns, j->entry};
  p->entry.flags &= (uint8_t)~OCT_EVENT_MAP_AGAIN;
  return 0;
}

static int keep_event(oct_trace_join *j, joined_segment *s, oct_diag *diag) {
  joined_event *p = oct_grown(s->events, &s->room_events, s->n_events + 1, sizeof *p);
  if (!p) return no_memory(diag);
  s->events = p;
  p[s->n_events++] = (joined_event){j->event_insn, (uint8_t)j->event,
                                    is_map(j->event) ? j->entry.flags & OCT_EVENT_MAP_AGAIN : 0};
  if (!is_told(j->event)) return 0;
  joined_told *told = oct_grown(s->told, &s->room_told, s->n_told + 1, sizeof *told);
  if (!told) return no_memory(diag);
  s->told = told;
  told[s->n_told++] = (joined_told){j->event_value, j->trap, j->gap};
  return 0;
}

/* Up to the event that ends the segment, with the changes of the map. */
static int load_events(oct_trace_join *j, joined_segment *s, oct_trace_segment *to,
                       oct_diag *diag) {
  size_t room = 0;
  int error;
  s->n_events = s->at_event = s->n_told = s->at_told = s->at_update = 0;
  j->event_insn = j->loaded_insns;
  j->entry_end = 0;
  do {
    error = oct_join_event(j, diag);
    if (error) return error;
    /* A segment before may have been left out. */
    if (j->event == OCT_EVENT_BEGIN && !s->n_events)
      j->loaded_insns = j->event_insn = j->event_value;
    else if (!is_map(j->event) && j->event != OCT_EVENT_STAMPED && j->event != OCT_EVENT_TRAP &&
             j->event != OCT_EVENT_GAP && j->event != OCT_EVENT_CUT && j->event != OCT_EVENT_END)
      return oct_join_bad(j, "an event of a kind that this codec does not have", diag);
    error = keep_event(j, s, diag);
    if (!error && is_map(j->event)) error = keep_update(j, to, &room, diag);
  } while (!error && j->event != OCT_EVENT_CUT && j->event != OCT_EVENT_END);
  j->all_loaded = j->event == OCT_EVENT_END;
  j->event = -1;
  to->n_insns = j->event_insn - j->loaded_insns;
  s->updates = to->updates;
  return error;
}

/* All that the segment at hand has of a channel. */
static int load_channel(oct_trace_join *j, unsigned channel, oct_buffer *b, oct_diag *diag) {
  uint64_t n = oct_codec_reader_left(j->reader, channel);
  b->n_bytes = 0;
  uint8_t *p = oct_buffer_room(b, (size_t)n);
  if (n && !p) return no_memory(diag);
  while (b->n_bytes < n) {
    int64_t got =
        oct_codec_reader_get(j->reader, channel, b->bytes + b->n_bytes, n - b->n_bytes, diag);
    if (got <= 0) return (int)got;
    b->n_bytes += (size_t)got;
  }
  return 0;
}

/* Does this octrace understand the instructions as the one did that wrote the file? */
static int check_map(oct_trace_join *j, const oct_trace_segment *s, oct_diag *diag) {
  oct_buffer said = {0};
  uint64_t hash = 0;
  for (size_t i = 0; i < s->n_updates; i++) hash = oct_trace_entry_hash(hash, &s->updates[i].entry);
  int error = load_channel(j, OCT_CHANNEL_RUN, &said, diag);
  if (!error && (said.n_bytes != 8 || !oct_checksum_is(load(said.bytes, 8), hash)))
    error = oct_fail(diag, OCT_ERR_UNSUPPORTED,
                     "the program map has another checksum than the writer's: another version of "
                     "octrace wrote the file, which understands instructions otherwise");
  oct_buffer_free(&said);
  return error;
}

static int load_segment(oct_trace_join *j, oct_diag *diag) {
  joined_segment *s = &j->segments[(j->oldest + j->n_loaded) % j->n_segments];
  oct_trace_segment segment = {0};
  s->at_cycle = 0;
  int error = load_events(j, s, &segment, diag);
  if (!error) error = check_map(j, &segment, diag);
  if (!error) error = load_channel(j, OCT_CHANNEL_CYCLE, &s->cycles, diag);
  if (!error) error = load_channel(j, OCT_CHANNEL_FLOW, &segment.stream, diag);
  if (!error) error = j->codec->get_add(j->get, &segment, diag);
  free(segment.updates);
  oct_buffer_free(&segment.stream);
  if (error) return error;
  j->loaded_insns = j->event_insn;
  j->n_loaded++;
  return 0;
}

/* As many segments as may be there. What was loaded before damage is given before the error. */
static int load_segments(oct_trace_join *j, oct_diag *diag) {
  oct_diag own = {0};
  while (!j->all_loaded && j->n_loaded < j->n_segments) {
    int error = load_segment(j, &own);
    if (!error) continue;
    own.error = error;
    j->load_failure = own;
    j->all_loaded = true;
  }
  if (j->n_loaded) return 0;
  if (diag) *diag = j->load_failure;
  return j->load_failure.error;
}

/* The segment at hand was read to its end, and so is its port stream. */
static int leave_segment(oct_trace_join *j, oct_diag *diag) {
  const joined_segment *s = &j->segments[j->oldest];
  if (s->at_cycle < s->cycles.n_bytes)
    return oct_join_bad(j, "a segment has more time stamps than instructions", diag);
  int error = j->codec->get_end(j->get, diag);
  if (error) return error;
  j->oldest = (j->oldest + 1) % j->n_segments;
  j->n_loaded--;
  return 0;
}

/* As oct_join_event, from the segments. */
static int segment_event(oct_trace_join *j, oct_diag *diag) {
  joined_segment *s = &j->segments[j->oldest];
  int error = j->n_loaded && s->at_event == s->n_events ? leave_segment(j, diag) : 0;
  if (!error) error = load_segments(j, diag);
  if (error) return error;
  s = &j->segments[j->oldest];
  const joined_event *e = &s->events[s->at_event++];
  j->event_insn = e->insn;
  j->event = e->kind;
  if (is_map(e->kind)) {
    j->entry = s->updates[s->at_update++].entry;
    j->entry.flags |= e->map_again;
  } else if (is_told(e->kind)) {
    const joined_told *told = &s->told[s->at_told++];
    j->event_value = told->value;
    j->trap = told->trap;
    j->gap = told->gap;
  }
  return 0;
}

/* Behind an error: go to the start of the next segment that is there. 1, 0 at the end, or an error.
 */
static int segment_resync(oct_trace_join *j, oct_diag *diag) {
  if (j->n_loaded) {
    j->oldest = (j->oldest + 1) % j->n_segments;
    j->n_loaded--;
    j->codec->get_drop(j->get);
  }
  if (j->n_loaded) return 1;
  int got = oct_codec_reader_resync(j->reader, diag);
  j->all_loaded = got <= 0;
  j->load_failure = (oct_diag){0};
  return got;
}

/* The next byte of the segment's time stamps. */
static int segment_cycle(oct_trace_join *j, const uint8_t **byte, oct_diag *diag) {
  joined_segment *s = &j->segments[j->oldest];
  if (s->at_cycle == s->cycles.n_bytes) return oct_join_bad(j, "the time stamps end early", diag);
  *byte = s->cycles.bytes + s->at_cycle++;
  return 0;
}

/* After the event that ends the trace: nothing may be left. */
static int segment_end(oct_trace_join *j, oct_diag *diag) {
  return j->n_loaded ? leave_segment(j, diag) : 0;
}

/* Open what j needs for it. OCT_ERR_FORMAT, OCT_ERR_NOMEM. */
static int segment_new(oct_trace_join *j, oct_diag *diag) {
  const oct_codec_head *head = oct_codec_reader_head(j->reader);
  oct_diag own = {0};
  j->codec = head->settings.codec->segments;
  int error =
      j->codec->get_new(&head->settings, oct_codec_reader_threads(j->reader), &j->get, &own);
  if (error)
    return oct_fail_at(diag, error, OCT_AT_BYTE, 12, "head: %.200s", oct_diag_reason(&own).text);
  j->n_segments = j->codec->get_ahead(j->get);
  j->stride = j->codec->get_stride(j->get);
  j->segments = calloc(j->n_segments, sizeof *j->segments);
  return j->segments ? 0 : no_memory(diag);
}

static void segment_free(oct_trace_join *j) {
  for (unsigned i = 0; j->segments && i < j->n_segments; i++) {
    free(j->segments[i].events);
    free(j->segments[i].told);
    oct_buffer_free(&j->segments[i].cycles);
  }
  free(j->segments);
  if (j->get) j->codec->get_free(j->get);
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
  if (j->forms) oct_entry_forms_clear(j->forms);
  j->high = j->cycle = j->task = 0;
  j->stamped = false;
}

static int add_entry(oct_trace_join *j, const oct_map_entry *e, oct_diag *diag) {
  if (j->n_map++ >= j->map_max)
    return oct_fail(diag, OCT_ERR_LIMIT,
                    "more than %" PRIu64 " entries of the program map (--max-map allows more)",
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

/* A gap before the next instruction. */
static int add_gap(oct_trace_join *j, oct_diag *diag) {
  const joined_gap *g = &j->gap;
  oct_fact *p = oct_grown(j->facts, &j->room_facts, j->n_facts + 1, sizeof *p);
  uint8_t bytes[OCT_FACT_GAP_BYTES];
  if (!p) return no_memory(diag);
  j->facts = p;
  p[j->n_facts] = (oct_fact){.kind = OCT_FACT_GAP,
                             .number = g->cause,
                             .addr = g->addr,
                             .n_bytes = sizeof bytes,
                             .insn = (uint32_t)j->n_insns_batch};
  if (g->lost[0] != UINT64_MAX || g->lost[1] != UINT64_MAX) {
    for (int i = 0; i < 2; i++) oct_put_u64(bytes + 8 * i, g->lost[i]);
    p[j->n_facts].value = (uint32_t)j->values.n_bytes + 1;
    if (oct_buffer_put(&j->values, bytes, sizeof bytes)) return no_memory(diag);
  }
  j->n_facts++;
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
      error = varint(j, OCT_CHANNEL_EVENT, &value, diag);
      j->task = (uint32_t)value;
      break;
    case OCT_EVENT_MAP:
    case OCT_EVENT_CODE:
    case OCT_EVENT_OPERATION:
    case OCT_EVENT_FOLLOWS:
    case OCT_EVENT_FOLLOWS_AGAIN:
    case OCT_EVENT_ENTRY:
      if (!is_known(j, &j->entry)) error = add_entry(j, &j->entry, diag);
      break;
    case OCT_EVENT_BEGIN:
      if (j->event_value != j->n_insns)
        error = oct_join_bad(j, "segments begin at another one", diag);
      reset(j);
      break;
    case OCT_EVENT_HIGH:
      error = varint(j, OCT_CHANNEL_EVENT, &j->high, diag);
      break;
    case OCT_EVENT_STAMPED:
      j->stamped = !j->stamped;
      break;
    case OCT_EVENT_TRAP:
      error = add_trap(j, diag);
      break;
    case OCT_EVENT_GAP:
      error = add_gap(j, diag);
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
  return j->get ? segment_event(j, diag) : oct_join_event(j, diag);
}

/* Whether the event that was read replaces an entry that instructions of this batch may have used:
 * it must open the next batch. What continues an entry follows it at once. */
static bool must_wait(const oct_trace_join *j) {
  const unsigned at_once = OCT_MAP_CONTINUES | OCT_EVENT_MAP_AGAIN;
  return is_map(j->event) && !(j->entry.flags & at_once) && j->n_insns_batch &&
         oct_map_find(j->map, j->entry.addr) != UINT32_MAX;
}

static int begin_run(oct_trace_join *j, oct_diag *diag) {
  const uint8_t *record = NULL;
  int error = oct_join_record(j, OCT_CHANNEL_FLOW, &record, diag);
  if (error) return error;
  if (j->addresses) {
    j->run_addr = load(record, 8);
    error = varint(j, OCT_CHANNEL_RUN, &j->run_left, diag);
  } else {
    j->run_addr = (j->high << 32 | load(record, 4)) << j->pc_shift;
    j->run_left = load(record + 4, 8);
  }
  if (!error && !j->run_left) return oct_join_bad(j, "a run of no instructions", diag);
  return error;
}

static int take_accesses(oct_trace_join *j, const oct_map_head *e, unsigned n, oct_diag *diag) {
  oct_access *p = oct_grown(j->accesses, &j->room_accesses, j->n_accesses + n, sizeof *p);
  if (!p) return no_memory(diag);
  j->accesses = p;
  for (unsigned k = 0; k < n; k++) {
    const uint8_t *record = NULL;
    uint8_t slot = oct_map_slot(j->map, e, k);
    unsigned log2_size = slot & OCT_SLOT_SIZE_MASK;
    oct_access *a = &j->accesses[j->n_accesses++];
    a->value = 0;
    if (j->get) {
      memcpy(&a->addr, j->addrs + j->stride * k, 8);
    } else {
      int error = oct_join_record(j, OCT_CHANNEL_DATA, &record, diag);
      if (error) return error;
      a->addr = load(j->addresses ? record : record + 4, 8);
    }
    a->size_bytes = log2_size == OCT_SLOT_SIZE_UNKNOWN ? 0 : (uint8_t)(1u << log2_size);
    a->is_store = !!(slot & OCT_SLOT_STORE);
  }
  return 0;
}

static const oct_map_head *look_up(oct_trace_join *j) {
  const uint32_t id = oct_entry_after(j->map, j->id, j->run_addr);
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
  const oct_map_head *e = look_up(j);
  if (!e) return oct_join_bad(j, "not in the program map", diag);
  if (counted && oct_counted_add(&j->counted, j->id)) return no_memory(diag);
  *insn = (oct_insn){.addr = j->run_addr, .task = j->task, .size_bytes = e->size_bytes};
  if (j->stamped) {
    uint64_t step;
    error = varint(j, OCT_CHANNEL_CYCLE, &step, diag);
    if (error) return error;
    j->cycle += step >> 1 ^ (0 - (step & 1));
    insn->cycle = j->cycle;
    insn->flags = OCT_INSN_HAS_CYCLE;
  }
  if (!j->get) n_access = e->n_slots;
  if (!j->get && oct_counts(&j->counted, e, j->id))
    error = varint(j, OCT_CHANNEL_COUNT, &n_access, diag);
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
  int error = j->get ? segment_end(j, diag) : 0;
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
  j->n_insns_batch = j->n_accesses = j->n_entries = j->n_traps = j->n_facts = 0;
  j->values.n_bytes = 0;
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
  *batch = (oct_batch){.insns = j->insns,
                       .n_insns = j->n_insns_batch,
                       .accesses = j->accesses,
                       .n_accesses = j->n_accesses,
                       .map = j->entries,
                       .n_map = j->n_entries,
                       .traps = j->traps,
                       .n_traps = j->n_traps,
                       .facts = j->facts,
                       .n_facts = j->n_facts,
                       .values = j->values.bytes,
                       .n_values = j->values.n_bytes};
  return j->n_insns_batch || j->n_entries || j->n_traps || j->n_facts;
}

int oct_trace_join_resync(oct_trace_join *j, uint64_t *insn, oct_diag *diag) {
  for (;;) {
    int got = j->get ? segment_resync(j, diag) : oct_codec_reader_resync(j->reader, diag);
    if (got <= 0) return got;
    for (unsigned c = 0; c < OCT_TRACE_CHANNELS; c++) j->channels[c].from = j->channels[c].to = 0;
    oct_map_free(j->map);
    j->map = oct_map_new_lean();
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
    return oct_fail_at(diag, OCT_ERR_FORMAT, OCT_AT_BYTE, 12,
                       "the channels are not those of a trace");
  const bool has_forms = head->version >= OCT_CODEC_VERSION_FORMS && !whole;
  oct_trace_join *j = calloc(1, sizeof *j);
  if (j) {
    j->map = oct_map_new_lean();
    j->disasm = oct_disasm_set_new();
    j->insns = malloc(JOIN_INSNS * sizeof *j->insns);
    if (has_forms) j->forms = calloc(1, sizeof *j->forms);
  }
  if (!j || !j->map || !j->disasm || !j->insns || (has_forms && !j->forms)) {
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
  int error = whole ? segment_new(j, diag) : 0;
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
  segment_free(j);
  oct_map_free(j->map);
  oct_disasm_set_free(j->disasm);
  free(j->counted.bits);
  free(j->forms);
  free(j->insns);
  free(j->accesses);
  free(j->entries);
  free(j->traps);
  free(j->facts);
  oct_buffer_free(&j->values);
  free(j);
}
