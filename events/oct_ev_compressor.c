/* SPDX-License-Identifier: Apache-2.0 */
/* oct_ev_compressor.c - compresses event records to a file of docs/events.md, as they come.
 *
 * Events of all locations are buffered up to params.buffer_events; then what is buffered is written
 * as a segment with definitions of its own, and all tables are emptied, so memory is bounded. */
#include "oct_ev_compressor.h"

#include "oct_ev_drift.h"
#include "oct_ev_emit.h"

struct oct_ev_compressor {
  oct_ev_params params;
  oct_ev_writer writer;
  oct_ev_location **locations; /* by number; NULL where nothing came yet */
  size_t n_locations, locations_cap;
  uint32_t n_threads; /* those that are not NULL */
  uint64_t buffered_events, buffered_bytes;
  oct_ev_index_out index;
  oct_ev_counts counts;
};

int oct_ev_compressor_new(const oct_ev_params *params, oct_outfile *file, oct_ev_compressor **out,
                          oct_diag *diag) {
  *out = NULL;
  int error = oct_ev_params_check(params, diag);
  if (error) return error;
  oct_ev_compressor *c = calloc(1, sizeof *c);
  if (!c) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  c->params = *params;
  if ((error = oct_ev_writer_open(&c->writer, file, params, diag))) {
    oct_ev_compressor_free(c);
    return error;
  }
  c->index.last_end = c->writer.offset;
  *out = c;
  return 0;
}

/* Locations that have something buffered: their number, in *used, with their numbers in *which. */
static int list_used(oct_ev_compressor *c, oct_ev_location ***used, uint32_t **which, size_t *n) {
  *n = 0;
  *used = malloc((c->n_locations + 1) * sizeof **used);
  *which = malloc((c->n_locations + 1) * sizeof **which);
  if (!*used || !*which) return OCT_ERR_NOMEM;
  for (size_t i = 0; i < c->n_locations; i++) {
    oct_ev_location *l = c->locations[i];
    if (!l || (!l->n_events && !l->n_others)) continue;
    (*used)[*n] = l;
    (*which)[(*n)++] = (uint32_t)i;
  }
  return 0;
}

/* Hold the drift to its bound, and give up all patterns if they do not pay any more. */
static void settle(oct_ev_segment *s, oct_ev_location **used, oct_ev_choice *choices, size_t n,
                   const oct_ev_params *params) {
  int64_t gain = -(int64_t)(OCT_EV_META_BYTES * (uint64_t)s->n_metas);
  for (size_t i = 0; i < n; i++) oct_ev_drift_settle(s, i, used[i], &choices[i], params);
  for (uint32_t i = 0; i < s->n_kept; i++) {
    const oct_ev_merged *p = &s->patterns[s->pattern_order[i]];
    gain +=
        (int64_t)((OCT_EV_EVENT_BYTES * (uint64_t)p->order - OCT_EV_OCCURRENCE_BYTES) * p->count) -
        (int64_t)(OCT_EV_CORRECTION_BYTES * p->corrections + OCT_EV_PATTERN_BYTES +
                  OCT_EV_PATTERN_ORDER_BYTES * (uint64_t)p->order);
  }
  if (gain < 0 && !params->keep_all) oct_ev_segment_drop(s);
}

static int write_segment(oct_ev_compressor *c, oct_ev_location **used, const uint32_t *which,
                         oct_ev_choice *choices, size_t n, oct_diag *diag) {
  oct_ev_segment s;
  int error = 0;
  for (size_t i = 0; i < n && !error; i++) {
    error = oct_ev_location_join(used[i], c->params.max_order);
    if (!error) error = oct_ev_choose(&choices[i], used[i], &c->params);
  }
  if (error) return oct_fail(diag, error, "%s", oct_error_text(error));
  error = oct_ev_segment_merge(&s, (const oct_ev_location *const *)used, choices, n, &c->params);
  if (error) {
    oct_fail(diag, error, "%s", oct_error_text(error));
  } else {
    if (c->params.lossy) settle(&s, used, choices, n, &c->params);
    error = oct_ev_emit_definitions(&c->writer, &s, &c->index, &c->counts, diag);
  }
  for (size_t i = 0; i < n && !error; i++)
    error = oct_ev_emit_location(&c->writer, &s, i, which[i], used[i], &choices[i], &c->params,
                                 &c->index, &c->counts, diag);
  if (!error) oct_buffer_put_leb128(&c->index.segments, c->index.n_chunks);
  oct_ev_segment_free(&s);
  return error;
}

static int flush(oct_ev_compressor *c, oct_diag *diag) {
  oct_ev_location **used;
  oct_ev_choice *choices = NULL;
  uint32_t *which;
  size_t n;
  int error = list_used(c, &used, &which, &n);
  if (!error && !(choices = calloc(n + 1, sizeof *choices))) error = OCT_ERR_NOMEM;
  if (error)
    oct_fail(diag, error, "out of memory");
  else if (n)
    error = write_segment(c, used, which, choices, n, diag);
  for (size_t i = 0; i < n; i++) {
    if (choices) oct_ev_choice_free(&choices[i]);
    oct_ev_location_clear(used[i]);
  }
  c->buffered_events = c->buffered_bytes = 0;
  free(choices);
  free(used);
  free(which);
  return error;
}

static int add_location(oct_ev_compressor *c, uint32_t i, oct_diag *diag) {
  uint32_t most = c->params.max_threads ? c->params.max_threads : OCT_EV_THREADS_MAX;
  if (c->n_threads++ >= most)
    return oct_fail(diag, OCT_ERR_LIMIT,
                    "more than %u threads (--max-threads, or max_threads of oct_ev_params, allows "
                    "more)",
                    most);
  if (i >= c->n_locations) {
    size_t n = (size_t)i + 1;
    if (oct_ev_grow((void **)&c->locations, &c->locations_cap, n, sizeof *c->locations))
      return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
    memset(c->locations + c->n_locations, 0, (n - c->n_locations) * sizeof *c->locations);
    c->n_locations = n;
  }
  c->locations[i] = calloc(1, sizeof **c->locations);
  return c->locations[i] ? 0 : oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
}

static int put_record(oct_ev_compressor *c, const oct_ev_record *r) {
  oct_ev_location *l = c->locations[r->location];
  c->buffered_events += r->kind != OCT_EV_OTHER;
  if (r->kind == OCT_EV_ENTER) return oct_ev_location_enter(l, r->time_ticks, r->function);
  if (r->kind == OCT_EV_LEAVE)
    return oct_ev_location_leave(l, r->time_ticks, r->function, c->params.max_order);
  c->buffered_bytes += r->other_bytes + sizeof(oct_ev_other_at);
  return oct_ev_location_other(l, r);
}

int oct_ev_compressor_put(oct_ev_compressor *c, const oct_ev_record *records, size_t n,
                          oct_diag *diag) {
  for (const oct_ev_record *r = records; r < records + n; r++) {
    int error = 0;
    if (r->location >= OCT_EV_NAMES_MAX || r->function >= OCT_EV_NAMES_MAX ||
        r->kind > OCT_EV_OTHER ||
        (r->kind == OCT_EV_OTHER && r->other_bytes > OCT_EV_OTHER_BYTES_MAX))
      return oct_fail(diag, OCT_ERR_FORMAT,
                      "record %zu: location, function, kind or size is out "
                      "of range",
                      (size_t)(r - records));
    if (r->location >= c->n_locations || !c->locations[r->location])
      error = add_location(c, r->location, diag);
    if (error) return error;
    uint64_t last = c->locations[r->location]->last_time;
    if (r->time_ticks < last)
      return oct_fail(diag, OCT_ERR_FORMAT,
                      "location %u: time %llu comes after %llu: expected times that never go back",
                      r->location, (unsigned long long)r->time_ticks, (unsigned long long)last);
    if ((error = put_record(c, r))) return oct_fail(diag, error, "%s", oct_error_text(error));
    if (c->buffered_events < c->params.buffer_events &&
        c->buffered_bytes < OCT_EV_SEGMENT_OTHER_BYTES)
      continue;
    if ((error = flush(c, diag))) return error;
  }
  return 0;
}

static void put_names(oct_buffer *b, const oct_ev_names *names, uint32_t i) {
  size_t n = names->start[i + 1] - names->start[i] - 1;
  oct_buffer_put_leb128(b, n);
  oct_buffer_put(b, oct_ev_names_text(names, i), n);
}

static int64_t write_defs(oct_ev_compressor *c, const oct_ev_defs *d, oct_diag *diag) {
  oct_buffer *b = &c->writer.column[OCT_EV_DEFS_NAMES];
  oct_buffer_put_leb128(b, d->ticks_per_second);
  oct_buffer_put_leb128(b, d->functions.n);
  for (uint32_t i = 0; i < d->functions.n; i++) {
    oct_buffer_put_leb128(b, d->function_id[i]);
    put_names(b, &d->functions, i);
  }
  oct_buffer_put_leb128(b, d->processes.n);
  for (uint32_t i = 0; i < d->processes.n; i++) put_names(b, &d->processes, i);
  oct_buffer_put_leb128(b, d->locations.n);
  for (uint32_t i = 0; i < d->locations.n; i++) {
    oct_buffer_put_leb128(b, d->location[i].id);
    oct_buffer_put_leb128(b, d->location[i].process);
    put_names(b, &d->locations, i);
  }
  oct_buffer_put(&c->writer.column[OCT_EV_DEFS_BLOB], d->blob, d->blob_bytes);
  return oct_ev_writer_block(&c->writer, OCT_EV_BLOCK_DEFS, OCT_EV_DEFS_COLUMNS, diag);
}

static int write_index(oct_ev_compressor *c, uint64_t defs_offset, uint64_t defs_bytes,
                       oct_diag *diag) {
  oct_buffer *b = &c->writer.column[OCT_EV_INDEX_TOTALS];
#define OCT_X(name, text) oct_buffer_put_leb128(b, c->counts.name);
  OCT_EV_COUNTS(OCT_X)
#undef OCT_X
  oct_buffer_put_leb128(b, defs_offset);
  oct_buffer_put_leb128(b, defs_bytes);
  const oct_ev_index_out *index = &c->index;
  oct_buffer_put(&c->writer.column[OCT_EV_INDEX_SEGMENTS], index->segments.bytes,
                 index->segments.n_bytes);
  oct_buffer_put(&c->writer.column[OCT_EV_INDEX_CHUNKS], index->chunks.bytes,
                 index->chunks.n_bytes);
  oct_buffer_put(&c->writer.column[OCT_EV_INDEX_SUMS], c->writer.sums.bytes,
                 c->writer.sums.n_bytes);
  if (index->segments.has_failed || index->chunks.has_failed)
    return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  uint64_t offset = c->writer.offset;
  int64_t n = oct_ev_writer_block(&c->writer, OCT_EV_BLOCK_INDEX, OCT_EV_INDEX_COLUMNS, diag);
  return n < 0 ? (int)n : oct_ev_writer_tail(&c->writer, offset, diag);
}

int oct_ev_compressor_finish(oct_ev_compressor *c, const oct_ev_defs *defs, oct_diag *diag) {
  for (size_t i = 0; i < c->n_locations; i++) {
    const oct_ev_location *l = c->locations[i];
    if (!l) continue;
    c->counts.stray_leaves += l->stray_leaves;
    c->counts.lost_leaves += l->lost_leaves;
    c->counts.open_enters += l->depth;
  }
  int error = flush(c, diag);
  if (error) return error;
  uint64_t offset = c->writer.offset;
  int64_t n = write_defs(c, defs, diag);
  return n < 0 ? (int)n : write_index(c, offset, (uint64_t)n, diag);
}

const oct_ev_counts *oct_ev_compressor_counts(const oct_ev_compressor *c) {
  return &c->counts;
}

void oct_ev_compressor_free(oct_ev_compressor *c) {
  if (!c) return;
  for (size_t i = 0; i < c->n_locations; i++) {
    if (!c->locations[i]) continue;
    oct_ev_location_free(c->locations[i]);
    free(c->locations[i]);
  }
  free(c->locations);
  oct_ev_writer_free(&c->writer);
  free(c->index.segments.bytes);
  free(c->index.chunks.bytes);
  free(c);
}
