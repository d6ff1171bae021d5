/* SPDX-License-Identifier: Apache-2.0 */
/* oct_perf_file.c - perf.data files of Linux, as far as a recording with Intel PT needs them.
 *
 * Source: include/uapi/linux/perf_event.h and tools/perf/Documentation/perf.data-file-format.txt of
 * Linux. A header names two sections: attributes, which say what fields stand behind each record,
 * and data, a row of records of the kernel and of the tool. Trace bytes follow records of type
 * AUXTRACE. */
#include "oct_perf_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OCTRACE_FEED_ENCODER_ONLY
#include "octrace/feed.h"
#include "oct_mask.h"

enum { ATTR_SIZE_AT = 16, ATTRS_AT = 24, DATA_AT = 40, FEATURES_AT = 72, FILE_HEADER_BYTES = 104 };
enum { FEATURE_CPUID = 9 };
enum {
  ATTR_SAMPLE_TYPE_AT = 24,
  ATTR_FLAGS_AT = 40,
  ATTR_LEAST_BYTES = 48,
  IDS_BYTES = 16,
  SAMPLE_ID_ALL = 1 << 18
};
enum {
  SAMPLE_TID = 2,
  SAMPLE_TIME = 4,
  SAMPLE_ID = 64,
  SAMPLE_CPU = 128,
  SAMPLE_STREAM = 512,
  SAMPLE_IDENTIFIER = 65536
};
/* Records. */
enum {
  MMAP = 1,
  LOST = 2,
  COMM = 3,
  FORK = 7,
  MMAP2 = 10,
  AUX = 11,
  ITRACE_START = 12,
  SWITCH = 14,
  SWITCH_CPU_WIDE = 15,
  AUXTRACE_INFO = 70,
  AUXTRACE = 71,
  COMPRESSED = 81,
  COMPRESSED2 = 83
};
enum { RECORD_BYTES = 8, MISC_SWITCH_OUT = 1 << 13, AUX_TRUNCATED = 1, AUX_PARTIAL = 4 };
enum {
  INFO_INTEL_PT = 1,
  INFO_SHIFT = 1,
  INFO_MULT = 2,
  INFO_ZERO = 3,
  INFO_HAS_CLOCK = 4,
  INFO_SNAPSHOT = 8,
  INFO_WORDS = 9
};

/* The fields behind a record. */
typedef struct sample_id {
  uint64_t time;
  uint32_t tid, cpu;
} sample_id;

/* A record that is read, and where. */
typedef struct record {
  const uint8_t *p; /* its header */
  size_t at;        /* offset in the file */
  uint32_t type, misc, size;
  sample_id id;
} record;

/* An event's number, and which fields stand behind its records. */
typedef struct event_id {
  uint64_t id, sample_type;
} event_id;

typedef struct parser {
  oct_perf_file *f;
  const char *name;
  oct_diag *diag;
  uint64_t sample_type; /* of the first event */
  bool differs;         /* others have another: each record ends with the number of its event */
  oct_buffer ids;       /* event_id */
} parser;

static int bad(const parser *x, size_t at, int error, const char *what) {
  return oct_diag_in(x->diag, x->name, oct_fail_at(x->diag, error, OCT_AT_BYTE, at, "%s", what));
}

static int no_memory(const parser *x) {
  return oct_fail_in(x->diag, OCT_ERR_NOMEM, x->name, "out of memory");
}

static uint32_t u32(const uint8_t *p) {
  return (uint32_t)oct_get_le(p, 4);
}
static uint64_t u64(const uint8_t *p) {
  return oct_get_le(p, 8);
}

/* ---- Records ---- */

static uint64_t sample_type_of(const parser *x, const record *r) {
  const event_id *e = (const event_id *)(const void *)x->ids.bytes;
  if (!x->differs || r->size < RECORD_BYTES + 8) return x->sample_type;
  for (size_t i = 0; i < x->ids.n_bytes / sizeof *e; i++)
    if (e[i].id == u64(r->p + r->size - 8)) return e[i].sample_type;
  return x->sample_type;
}

/* Take the fields that stand at the end of a record of the kernel, the last first. */
static void read_sample_id(const parser *x, record *r) {
  const uint8_t *end = r->p + r->size, *begin = r->p + RECORD_BYTES;
  static const uint32_t from_behind[] = {SAMPLE_IDENTIFIER, SAMPLE_CPU,  SAMPLE_STREAM,
                                         SAMPLE_ID,         SAMPLE_TIME, SAMPLE_TID};
  uint64_t sample_type = sample_type_of(x, r);
  r->id = (sample_id){.cpu = OCT_PERF_NO_CPU};
  for (size_t i = 0; i < sizeof from_behind / sizeof *from_behind; i++) {
    if (!(sample_type & from_behind[i]) || end - begin < 8) continue;
    end -= 8;
    if (from_behind[i] == SAMPLE_CPU) r->id.cpu = u32(end);
    if (from_behind[i] == SAMPLE_TIME) r->id.time = u64(end);
    if (from_behind[i] == SAMPLE_TID) r->id.tid = u32(end + 4);
  }
}

static int take_mapping(parser *x, const record *r, size_t name_at) {
  const uint8_t *p = r->p;
  if (r->size <= name_at || !memchr(p + name_at, 0, r->size - name_at))
    return bad(x, r->at, OCT_ERR_FORMAT, "expected the name of a mapped file");
  oct_perf_mapping m = {.pid = u32(p + 8),
                        .time = r->id.time,
                        .addr = u64(p + 16),
                        .length = u64(p + 24),
                        .offset = u64(p + 32),
                        .name = (const char *)p + name_at};
  oct_perf_thread t = {.tid = u32(p + 12), .pid = m.pid, .parent = 0};
  if (!oct_perf_thread_of(x->f, t.tid) && oct_buffer_put(&x->f->threads, &t, sizeof t))
    return no_memory(x);
  return oct_buffer_put(&x->f->mappings, &m, sizeof m) ? no_memory(x) : 0;
}

static int take_thread(parser *x, uint32_t tid, uint32_t pid, uint32_t parent) {
  oct_perf_thread t = {.tid = tid, .pid = pid, .parent = parent};
  return oct_buffer_put(&x->f->threads, &t, sizeof t) ? no_memory(x) : 0;
}

static int take_switch(parser *x, const record *r, uint32_t tid) {
  oct_perf_switch s = {.time = r->id.time, .cpu = r->id.cpu, .tid = tid};
  return oct_buffer_put(&x->f->switches, &s, sizeof s) ? no_memory(x) : 0;
}

static int take_info(parser *x, const record *r) {
  oct_perf_file *f = x->f;
  const uint8_t *p = r->p + 16;
  size_t n = (r->size - 16) / 8;
  if (u32(r->p + 8) != INFO_INTEL_PT)
    return oct_fail_in(x->diag, OCT_ERR_UNSUPPORTED, x->name,
                       "a recording with trace unit number %" PRIu32
                       " of perf: expected Intel PT, which is 1",
                       u32(r->p + 8));
  if (n < INFO_WORDS)
    return bad(x, r->at, OCT_ERR_FORMAT, "a record AUXTRACE_INFO that is too short");
  f->shift = u64(p + 8 * INFO_SHIFT);
  f->mult = u64(p + 8 * INFO_MULT);
  f->zero = u64(p + 8 * INFO_ZERO);
  f->has_clock = f->mult && f->shift < 64;
  f->is_snapshot = u64(p + 8 * INFO_SNAPSHOT) != 0;
  return 0;
}

/* The last place in front of which bytes are missing. */
static uint64_t last_hole(const oct_perf_queue *q) {
  const size_t n = q->holes.n_bytes / sizeof(uint64_t);
  return n ? ((const uint64_t *)(const void *)q->holes.bytes)[n - 1] : 0;
}

/* Trace bytes: *more of them stand behind the record. */
static int take_trace(parser *x, const record *r, size_t left, uint64_t *more) {
  oct_perf_file *f = x->f;
  if (r->size < 48) return bad(x, r->at, OCT_ERR_FORMAT, "a record AUXTRACE that is too short");
  *more = u64(r->p + 8);
  const bool is_cut = *more > left;
  if (is_cut) *more = left;
  uint32_t idx = u32(r->p + 32);
  oct_perf_queue *q = NULL;
  for (size_t i = 0; i < oct_perf_n_queues(f) && !q; i++)
    if (oct_perf_queue_at(f, i)->idx == idx) q = oct_perf_queue_at(f, i);
  if (!q) {
    oct_perf_queue fresh = {.idx = idx, .tid = u32(r->p + 36), .cpu = u32(r->p + 40)};
    if (oct_buffer_put(&f->queues, &fresh, sizeof fresh)) return no_memory(x);
    q = oct_perf_queue_at(f, oct_perf_n_queues(f) - 1);
  }
  if (q->n_parts++ && f->is_snapshot)
    return bad(x, r->at, OCT_ERR_UNSUPPORTED,
               "a second snapshot of one buffer, which may repeat the first: expected one");
  /* A part is filled up to a multiple of 8 bytes: the next one says where it ended. What comes
   * twice counts once. */
  const uint64_t begin = u64(r->p + 16), at = q->bytes.n_bytes;
  const bool repeats = begin <= q->end && q->end - begin <= at - last_hole(q);
  if (repeats) {
    q->bytes.n_bytes -= (size_t)(q->end - begin);
  } else if (q->n_parts == 1) {
    q->is_late = true;
  } else {
    if (oct_buffer_put(&q->holes, &at, sizeof at)) return no_memory(x);
    f->n_lost++;
  }
  q->end = begin + *more;
  if (oct_buffer_put(&q->bytes, r->p + r->size, (size_t)*more)) return no_memory(x);
  return is_cut ? bad(x, r->at, OCT_ERR_TRUNCATED, "the file ends within trace bytes") : 0;
}

static int take_record(parser *x, record *r, size_t left, uint64_t *more) {
  oct_perf_file *f = x->f;
  const uint8_t *p = r->p;
  *more = 0;
  if (r->type < 64) read_sample_id(x, r);
  switch (r->type) {
    case MMAP:
      return take_mapping(x, r, 40);
    case MMAP2:
      return take_mapping(x, r, 72);
    case COMM:
      if (r->size < 24 || !memchr(p + 16, 0, r->size - 16)) break;
      f->command = (const char *)p + 16; /* the last: that of perf itself comes first */
      return take_thread(x, u32(p + 12), u32(p + 8), 0);
    case FORK:
      if (r->size < 24) break;
      return take_thread(x, u32(p + 16), u32(p + 8), u32(p + 12));
    case AUX:
      if (r->size < 32) break;
      f->n_lost += (u64(p + 24) & (AUX_TRUNCATED | AUX_PARTIAL)) != 0;
      return 0;
    case ITRACE_START:
      if (r->size < 16) break;
      return take_switch(x, r, u32(p + 12));
    case SWITCH:
    case SWITCH_CPU_WIDE:
      return r->misc & MISC_SWITCH_OUT ? 0 : take_switch(x, r, r->id.tid);
    case AUXTRACE_INFO:
      if (r->size < 16) break;
      return take_info(x, r);
    case AUXTRACE:
      return take_trace(x, r, left, more);
    case COMPRESSED:
    case COMPRESSED2:
      return bad(x, r->at, OCT_ERR_UNSUPPORTED,
                 "compressed records: expected a recording without perf record -z");
    default:
      return 0;
  }
  return bad(x, r->at, OCT_ERR_FORMAT, "a record that is too short for its type");
}

static int read_records(parser *x, uint64_t at, uint64_t end) {
  while (at < end) {
    const uint8_t *p = x->f->bytes + at;
    uint64_t more;
    if (end - at < RECORD_BYTES)
      return bad(x, at, OCT_ERR_TRUNCATED, "the data end within a record");
    record r = {.p = p, .at = at, .type = u32(p), .misc = (uint32_t)oct_get_le(p + 4, 2)};
    r.size = (uint32_t)oct_get_le(p + 6, 2);
    if (r.size < RECORD_BYTES) return bad(x, at, OCT_ERR_FORMAT, "a record of less than 8 bytes");
    if (r.size > end - at) return bad(x, at, OCT_ERR_TRUNCATED, "the data end within a record");
    int rc = take_record(x, &r, (size_t)(end - at - r.size), &more);
    if (rc) return rc;
    at += r.size + more;
  }
  return 0;
}

/* ---- The file ---- */

static bool is_within(const parser *x, uint64_t at, uint64_t n) {
  return at <= x->f->n_bytes && n <= x->f->n_bytes - at;
}

/* What fields stand behind the records of each event. An attribute ends with the place and size of
 * the numbers of its events. */
static int read_attrs(parser *x, uint64_t at, uint64_t n_bytes, uint64_t each) {
  if (each < ATTR_LEAST_BYTES + IDS_BYTES)
    return bad(x, ATTR_SIZE_AT, OCT_ERR_FORMAT, "attributes that are too short");
  for (uint64_t i = 0; i + each <= n_bytes; i += each) {
    const uint8_t *p = x->f->bytes + at + i;
    uint64_t type = u64(p + ATTR_FLAGS_AT) & SAMPLE_ID_ALL ? u64(p + ATTR_SAMPLE_TYPE_AT) : 0;
    uint64_t ids = u64(p + each - IDS_BYTES), ids_bytes = u64(p + each - 8);
    type &= SAMPLE_TID | SAMPLE_TIME | SAMPLE_ID | SAMPLE_CPU | SAMPLE_STREAM | SAMPLE_IDENTIFIER;
    if (!i) x->sample_type = type;
    x->differs = x->differs || type != x->sample_type;
    if (!is_within(x, ids, ids_bytes))
      return bad(x, (size_t)(at + i), OCT_ERR_TRUNCATED,
                 "the file ends before the numbers of an event");
    for (uint64_t k = 0; k + 8 <= ids_bytes; k += 8) {
      event_id e = {u64(x->f->bytes + ids + k), type};
      if (oct_buffer_put(&x->ids, &e, sizeof e)) return no_memory(x);
    }
  }
  return 0;
}

/* The processor: the feature CPUID, "GenuineIntel,FAMILY,MODEL,STEPPING". Behind the data stand the
 * place and size of each feature that a bit in the header names. */
static void read_cpu(parser *x, uint64_t at) {
  unsigned family, model, stepping;
  char text[64];
  const uint64_t features = u64(x->f->bytes + FEATURES_AT);
  if (!(features >> FEATURE_CPUID & 1)) return;
  for (unsigned i = 0; i < FEATURE_CPUID; i++) at += 16 * (features >> i & 1);
  if (!is_within(x, at, 16)) return;
  const uint8_t *p = x->f->bytes + at;
  uint64_t begin = u64(p), n = u64(p + 8);
  if (n < 4 || !is_within(x, begin, n)) return;
  n = n - 4 < sizeof text - 1 ? n - 4 : sizeof text - 1;
  memcpy(text, x->f->bytes + begin + 4, (size_t)n);
  text[n] = 0;
  if (sscanf(text, "GenuineIntel,%u,%u,%u", &family, &model, &stepping) != 3) return;
  x->f->family = (uint16_t)family;
  x->f->model = (uint8_t)model;
  x->f->stepping = (uint8_t)stepping;
}

static int by_time(const void *a, const void *b) {
  const oct_perf_switch *x = a, *y = b;
  return x->time < y->time ? -1 : x->time > y->time;
}

/* The records of the data section, and whether all of it is there. */
static int read_data(parser *x, uint64_t at, uint64_t n) {
  const uint64_t size = x->f->n_bytes;
  const bool is_whole = n && is_within(x, at, n);
  const int rc = at > size ? 0 : read_records(x, at, is_whole ? at + n : size);
  if (is_whole || (rc && rc != OCT_ERR_FORMAT && rc != OCT_ERR_TRUNCATED)) return rc;
  if (!n) return bad(x, DATA_AT, OCT_ERR_FORMAT, "no data: perf record did not end as it should");
  return bad(x, size, OCT_ERR_TRUNCATED, "the file ends before the sections that its header names");
}

int oct_perf_read(oct_perf_file *p, const char *name, uint8_t *bytes, size_t n_bytes, bool goes_on,
                  oct_diag *diag) {
  parser x = {.f = p, .name = name, .diag = diag};
  memset(p, 0, sizeof *p);
  p->bytes = bytes;
  p->n_bytes = n_bytes;
  if (n_bytes < 8 || memcmp(bytes, "PERFILE2", 8) != 0)
    return bad(&x, 0, OCT_ERR_FORMAT, "expected a perf.data file of a little-endian machine");
  if (n_bytes < FILE_HEADER_BYTES)
    return bad(&x, 8, OCT_ERR_TRUNCATED, "the file ends within its header");
  uint64_t attrs = u64(bytes + ATTRS_AT), attr_bytes = u64(bytes + ATTRS_AT + 8);
  uint64_t data = u64(bytes + DATA_AT), data_bytes = u64(bytes + DATA_AT + 8);
  if (!is_within(&x, attrs, attr_bytes))
    return bad(&x, n_bytes, OCT_ERR_TRUNCATED,
               "the file ends before the sections that its header names");
  int rc = read_attrs(&x, attrs, attr_bytes, u64(bytes + ATTR_SIZE_AT));
  if (!rc) {
    rc = read_data(&x, data, data_bytes);
    const bool is_damage = rc == OCT_ERR_FORMAT || rc == OCT_ERR_TRUNCATED;
    if (goes_on && is_damage && oct_perf_n_queues(p)) {
      p->cut = *diag;
      rc = 0;
    }
  }
  oct_buffer_free(&x.ids);
  if (rc) return rc;
  read_cpu(&x, data + data_bytes);
  size_t n = p->switches.n_bytes / sizeof(oct_perf_switch);
  if (n) qsort(p->switches.bytes, n, sizeof(oct_perf_switch), by_time);
  if (oct_perf_n_queues(p)) return 0;
  return oct_fail_in(
      diag, OCT_ERR_FORMAT, name,
      "no trace bytes: expected a recording with Intel PT (perf record -e intel_pt//u)");
}

void oct_perf_free(oct_perf_file *p) {
  for (size_t i = 0; i < oct_perf_n_queues(p); i++) {
    oct_buffer_free(&oct_perf_queue_at(p, i)->bytes);
    oct_buffer_free(&oct_perf_queue_at(p, i)->holes);
  }
  oct_buffer_free(&p->queues);
  oct_buffer_free(&p->mappings);
  oct_buffer_free(&p->switches);
  oct_buffer_free(&p->threads);
  free(p->bytes);
}

/* ---- Questions ---- */

uint64_t oct_perf_time(const oct_perf_file *p, uint64_t tsc) {
  if (!p->has_clock) return tsc;
  uint64_t whole = tsc >> p->shift, rest = tsc & oct_mask(p->shift);
  return p->zero + whole * p->mult + ((rest * p->mult) >> p->shift);
}

uint32_t oct_perf_thread_at(const oct_perf_file *p, oct_perf_queue *q, uint64_t time) {
  const oct_perf_switch *s = (const oct_perf_switch *)(const void *)p->switches.bytes;
  size_t n = p->switches.n_bytes / sizeof *s;
  if (q->cpu == OCT_PERF_NO_CPU) return q->tid;
  if (time < q->asked) q->n_passed = q->running = 0;
  q->asked = time;
  /* What ran before the first switch that is known is taken for what it switches to. */
  for (; q->n_passed < n && (!q->running || s[q->n_passed].time <= time); q->n_passed++)
    if (s[q->n_passed].cpu == q->cpu) q->running = s[q->n_passed].tid;
  return q->running;
}

const oct_perf_thread *oct_perf_thread_of(const oct_perf_file *p, uint32_t tid) {
  const oct_perf_thread *t = (const oct_perf_thread *)(const void *)p->threads.bytes;
  for (size_t i = p->threads.n_bytes / sizeof *t; i--;)
    if (t[i].tid == tid) return &t[i];
  return NULL;
}

/* The process that made pid, 0 when that is not told. */
static uint32_t parent_of(const oct_perf_file *p, uint32_t pid) {
  const oct_perf_thread *t = (const oct_perf_thread *)(const void *)p->threads.bytes;
  for (size_t i = p->threads.n_bytes / sizeof *t; i--;)
    if (t[i].pid == pid && t[i].parent && t[i].parent != pid) return t[i].parent;
  return 0;
}

const oct_perf_mapping *oct_perf_mapping_at(const oct_perf_file *p, uint32_t pid, uint64_t time,
                                            uint64_t addr) {
  const oct_perf_mapping *m = (const oct_perf_mapping *)(const void *)p->mappings.bytes;
  size_t n = p->mappings.n_bytes / sizeof *m;
  for (unsigned made_by = 0; made_by < 8; made_by++) {
    const oct_perf_mapping *first = NULL;
    for (size_t i = n; i--;) {
      if (m[i].pid != pid || addr - m[i].addr >= m[i].length) continue;
      if (m[i].time <= time) return &m[i];
      first = &m[i]; /* clocks differ a little: better one that comes soon than none */
    }
    if (first) return first;
    pid = parent_of(p, pid);
    if (!pid) break;
  }
  return NULL;
}

uint64_t oct_perf_next_mapping(const oct_perf_file *p, uint64_t time) {
  const oct_perf_mapping *m = (const oct_perf_mapping *)(const void *)p->mappings.bytes;
  uint64_t next = UINT64_MAX;
  for (size_t i = 0; i < p->mappings.n_bytes / sizeof *m; i++)
    if (m[i].time > time && m[i].time < next) next = m[i].time;
  return next;
}
