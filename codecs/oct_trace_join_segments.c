/* SPDX-License-Identifier: Apache-2.0 */
/* oct_trace_join_segments.c - segments of a codec that takes whole traces as a file has them: a
 * segment is loaded as a whole, since the codec needs the map of all its instructions before the
 * first. */
#include "oct_checksum.h"
#include "oct_grow.h"
#include "oct_trace_entry.h"
#include "oct_trace_join_state.h"

static int no_memory(oct_diag *diag) {
  return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
}

static int keep_event(oct_trace_join *j, joined_segment *s, oct_diag *diag) {
  joined_event *p = oct_grown(s->events, &s->room_events, s->n_events + 1, sizeof *p);
  if (!p) return no_memory(diag);
  s->events = p;
  s->events[s->n_events++] =
      (joined_event){j->event_insn, j->event, j->event_value, j->entry, j->trap};
  return 0;
}

/* Up to the event that ends the segment. */
static int load_events(oct_trace_join *j, joined_segment *s, oct_diag *diag) {
  int error;
  s->n_events = s->at_event = 0;
  j->event_insn = j->loaded_insns;
  j->entry_end = 0;
  do {
    error = oct_join_event(j, diag);
    if (error) return error;
    /* A segment before may have been left out. */
    if (j->event == OCT_EVENT_BEGIN && !s->n_events)
      j->loaded_insns = j->event_insn = j->event_value;
    else if (!oct_join_is_map(j->event) && j->event != OCT_EVENT_STAMPED &&
             j->event != OCT_EVENT_TRAP && j->event != OCT_EVENT_CUT && j->event != OCT_EVENT_END)
      return oct_join_bad(j, "an event of a kind that this codec does not have", diag);
    error = keep_event(j, s, diag);
  } while (!error && j->event != OCT_EVENT_CUT && j->event != OCT_EVENT_END);
  j->all_loaded = j->event == OCT_EVENT_END;
  j->event = -1;
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

/* The changes of the map, counted from the segment's first instruction. */
static int make_updates(const oct_trace_join *j, const joined_segment *s, oct_trace_segment *to,
                        oct_diag *diag) {
  to->updates = malloc(s->n_events * sizeof *to->updates);
  if (!to->updates) return no_memory(diag);
  for (size_t i = 0; i < s->n_events; i++)
    if (oct_join_is_map(s->events[i].kind)) {
      oct_map_update *u = &to->updates[to->n_updates++];
      *u = (oct_map_update){s->events[i].insn - j->loaded_insns, s->events[i].entry};
      u->entry.flags &= (uint8_t)~OCT_EVENT_MAP_AGAIN;
    }
  to->n_insns = s->events[s->n_events - 1].insn - j->loaded_insns;
  return 0;
}

/* Does this octrace understand the instructions as the one did that wrote the file? */
static int check_map(oct_trace_join *j, const oct_trace_segment *s, oct_diag *diag) {
  oct_buffer said = {0};
  uint64_t hash = 0;
  for (size_t i = 0; i < s->n_updates; i++) hash = oct_trace_entry_hash(hash, &s->updates[i].entry);
  int error = load_channel(j, OCT_CHANNEL_RUN, &said, diag);
  if (!error && (said.n_bytes != 8 || !oct_checksum_is(oct_join_load(said.bytes, 8), hash)))
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
  int error = load_events(j, s, diag);
  if (!error) error = make_updates(j, s, &segment, diag);
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

int oct_join_segment_event(oct_trace_join *j, oct_diag *diag) {
  const joined_segment *s = &j->segments[j->oldest];
  int error = j->n_loaded && s->at_event == s->n_events ? leave_segment(j, diag) : 0;
  if (!error) error = load_segments(j, diag);
  if (error) return error;
  const joined_event *e = &j->segments[j->oldest].events[j->segments[j->oldest].at_event++];
  j->event_insn = e->insn;
  j->event = e->kind;
  j->event_value = e->value;
  j->entry = e->entry;
  j->trap = e->trap;
  return 0;
}

int oct_join_segment_resync(oct_trace_join *j, oct_diag *diag) {
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

int oct_join_segment_cycle(oct_trace_join *j, const uint8_t **byte, oct_diag *diag) {
  joined_segment *s = &j->segments[j->oldest];
  if (s->at_cycle == s->cycles.n_bytes) return oct_join_bad(j, "the time stamps end early", diag);
  *byte = s->cycles.bytes + s->at_cycle++;
  return 0;
}

int oct_join_segment_end(oct_trace_join *j, oct_diag *diag) {
  return j->n_loaded ? leave_segment(j, diag) : 0;
}

int oct_join_segment_new(oct_trace_join *j, oct_diag *diag) {
  const oct_codec_head *head = oct_codec_reader_head(j->reader);
  oct_diag own = {0};
  j->codec = head->settings.codec->segments;
  int error =
      j->codec->get_new(&head->settings, oct_codec_reader_threads(j->reader), &j->get, &own);
  if (error) return oct_fail(diag, error, "offset 12: head: %.200s", own.text);
  j->n_segments = j->codec->get_ahead(j->get);
  j->stride = j->codec->get_stride(j->get);
  j->segments = calloc(j->n_segments, sizeof *j->segments);
  return j->segments ? 0 : no_memory(diag);
}

void oct_join_segment_free(oct_trace_join *j) {
  for (unsigned i = 0; j->segments && i < j->n_segments; i++) {
    free(j->segments[i].events);
    oct_buffer_free(&j->segments[i].cycles);
  }
  free(j->segments);
  if (j->get) j->codec->get_free(j->get);
}
