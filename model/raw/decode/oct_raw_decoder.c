/* SPDX-License-Identifier: Apache-2.0 */
/* oct_raw_decoder.c - decoder and listing of the tracer `raw`, written from docs/raw-format.md.
 *
 * One step reads a packet, or the accesses of one instruction of the stream under way: the program
 * map says how many these are, so the listing needs the map, too. The position moves with a step
 * that is whole. */
#include "oct_decoder_base.h"
#include "oct_raw_format.h"

typedef struct raw_decoder {
  oct_decoder_base base;
  uint64_t stream_left; /* instructions of the stream under way */
  bool is_flushed;      /* the last packet was a flush */
  bool has_traps;
} raw_decoder;

static const uint8_t mark[OCT_RAW_SYNC_BYTES + 1] = {[0 ... OCT_RAW_SYNC_BYTES - 1] = 0xff, 0};

static int init(void *decoder, const uint32_t *params, oct_diag *diag) {
  raw_decoder *d = decoder;
  (void)diag;
  d->has_traps = params[OCT_RAW_PARAM_TRAPS];
  return 0;
}

int oct_raw_decoder_create(const oct_tracer *raw, const uint32_t *params, oct_decoder_start start,
                           void **out, oct_diag *diag) {
  return oct_decoder_base_create(raw, sizeof(raw_decoder), init, params, start, out, diag);
}

/* A number of the packet: 1, 0 when more bytes are needed, or an error. */
static int take_number(raw_decoder *d, oct_cursor *c, uint64_t *v) {
  const uint8_t *after = oct_leb128_get(c->bytes, c->bytes + c->n_bytes, v);
  if (after) return oct_cursor_take(c, (size_t)(after - c->bytes)) != NULL;
  return c->n_bytes < OCT_LEB128_MAX
             ? 0
             : oct_decoder_base_fail(d, OCT_ERR_PACKET, "expected a number");
}

/* An instruction of the stream under way. */
static int read_insn(raw_decoder *d, oct_cursor *c, oct_packet *p) {
  const oct_map_entry *e;
  size_t kept = d->base.out_accesses.n_bytes;
  unsigned n = 0;
  int rc = oct_decoder_base_find(d, &e);
  uint8_t flags = 0;
  uint64_t addr;
  if (rc) return rc;
  oct_packet_describe(p, "accesses", "data addresses of an instruction");
  for (; !flags && (e->flags & OCT_MAP_VARIABLE || n < e->n_slots); n += !flags) {
    if (c->n_bytes >= 2 && c->bytes[0] == OCT_RAW_END_0 && c->bytes[1] == OCT_RAW_END_1) {
      oct_cursor_take(c, 2);
      flags = OCT_INSN_END;
    } else if ((rc = take_number(d, c, &addr)) != 1 ||
               (rc = oct_decoder_base_access(d, e, n, addr))) {
      d->base.out_accesses.n_bytes = kept;
      return rc;
    } else {
      oct_packet_add(p, "addr", addr, 64, true);
    }
  }
  if (flags) oct_packet_add(p, "end", 1, 16, false);
  if ((rc = oct_decoder_base_emit(d, e, n, flags))) return rc;
  d->base.ip = e->addr + e->size_bytes;
  d->stream_left--;
  return 1;
}

static int read_sync(raw_decoder *d, oct_cursor *c, oct_packet *p) {
  oct_decoder_base *b = &d->base;
  uint64_t number, task;
  int rc;
  oct_cursor_take(c, sizeof mark);
  if ((rc = take_number(d, c, &number)) != 1 || (rc = take_number(d, c, &task)) != 1) return rc;
  if (task > UINT32_MAX || (!b->is_lost && number != b->insn)) {
    b->at += task > UINT32_MAX; /* not found again */
    return oct_decoder_base_fail(d, OCT_ERR_PACKET, "a sync of another instruction");
  }
  if ((b->is_lost || !b->is_synced) && (rc = oct_decoder_base_join(d, true, number, b->bit)))
    return rc;
  b->task = (uint32_t)task;
  b->counts.syncs++;
  oct_packet_describe(p, "sync", "a decoder may begin here");
  if (p) p->is_sync = true, p->insn = number;
  oct_packet_add(p, "insn", number, 64, false);
  oct_packet_add(p, "task", task, 32, false);
  return 1;
}

/* value: what its number says. */
static int read_trap(raw_decoder *d, oct_cursor *c, uint64_t value, oct_packet *p) {
  static const char *const kinds[] = {"an exception", "an interrupt", "a change of privilege"};
  oct_trap t = {.kind = value & ((1 << OCT_RAW_TRAP_KIND_BITS) - 1)};
  value >>= OCT_RAW_TRAP_KIND_BITS;
  t.privilege = value & ((1 << OCT_RAW_TRAP_PRIVILEGE_BITS) - 1);
  value >>= OCT_RAW_TRAP_PRIVILEGE_BITS;
  t.cause = (uint32_t)value;
  int rc;
  if (t.kind == OCT_TRAP_KINDS || value > (t.kind == OCT_TRAP_PRIVILEGE ? 0 : UINT32_MAX))
    return oct_decoder_base_fail(d, OCT_ERR_PACKET, "expected a trap");
  if (t.kind != OCT_TRAP_PRIVILEGE && (rc = take_number(d, c, &t.addr)) != 1) return rc;
  if (t.kind == OCT_TRAP_EXCEPTION && (rc = take_number(d, c, &t.tval)) != 1) return rc;
  if ((rc = oct_decoder_base_trap(d, &t))) return rc;
  d->is_flushed = false;
  oct_packet_describe(p, "trap", kinds[t.kind]);
  oct_packet_add(p, "privilege", t.privilege, OCT_RAW_TRAP_PRIVILEGE_BITS, false);
  if (t.kind == OCT_TRAP_PRIVILEGE) return 1;
  oct_packet_add(p, "cause", t.cause, 32, false);
  oct_packet_add(p, "addr", t.addr, 64, true);
  if (t.kind == OCT_TRAP_EXCEPTION) oct_packet_add(p, "tval", t.tval, 64, true);
  return 1;
}

static int read_packet(raw_decoder *d, oct_cursor *c, oct_packet *p) {
  static const char *const names[][2] = {{"stream", "instructions that follow each other"},
                                         {"task", "a task switch"},
                                         {"flush", "all that retired has been sent"}};
  uint64_t head, start = 0;
  int rc;
  if (c->n_bytes >= sizeof mark && !memcmp(c->bytes, mark, sizeof mark)) return read_sync(d, c, p);
  if (c->n_bytes < sizeof mark && c->n_bytes && *c->bytes == 0xff && !d->base.is_finished)
    return 0; /* perhaps a mark */
  if ((rc = take_number(d, c, &head)) != 1) return rc;
  unsigned kind = head & 3;
  uint64_t value = head >> 2;
  if (kind == OCT_RAW_TRAP && d->has_traps) return read_trap(d, c, value, p);
  if (kind == OCT_RAW_STREAM && (rc = take_number(d, c, &start)) != 1) return rc;
  if (kind > OCT_RAW_FLUSH || (kind == OCT_RAW_STREAM) != (value && kind != OCT_RAW_TASK) ||
      (kind == OCT_RAW_TASK && value > UINT32_MAX))
    return oct_decoder_base_fail(d, OCT_ERR_PACKET, "expected a packet");
  d->is_flushed = kind == OCT_RAW_FLUSH;
  if (kind == OCT_RAW_TASK) d->base.task = (uint32_t)value;
  if (kind == OCT_RAW_STREAM) {
    d->stream_left = value;
    d->base.ip = start;
  }
  oct_packet_describe(p, names[kind][0], names[kind][1]);
  if (kind == OCT_RAW_STREAM) oct_packet_add(p, "addr", start, 64, true);
  if (kind != OCT_RAW_FLUSH)
    oct_packet_add(p, kind == OCT_RAW_TASK ? "task" : "insns", value, 62, false);
  return 1;
}

/* One step, listed in *p unless that is NULL. 1, 0 when more bytes are needed, or an error. */
static int step(void *decoder, oct_packet *p) {
  raw_decoder *d = decoder;
  oct_decoder_base *b = &d->base;
  if (!b->in.bytes) return 0; /* nothing came yet */
  oct_cursor c = {b->in.bytes + b->at, b->in.n_bytes - b->at, false};
  b->bit = 8 * (b->base_bytes + b->at);
  int rc = d->stream_left ? read_insn(d, &c, p) : read_packet(d, &c, p);
  if (rc == 1) b->at = b->in.n_bytes - c.n_bytes;
  return rc;
}

static bool is_at_sync(const raw_decoder *d) {
  const oct_decoder_base *b = &d->base;
  return !d->stream_left && b->in.n_bytes - b->at >= sizeof mark &&
         !memcmp(b->in.bytes + b->at, mark, sizeof mark);
}

static bool search(void *d) {
  return oct_decoder_base_find_mark(d, mark, sizeof mark);
}

static int run(void *decoder) {
  raw_decoder *d = decoder;
  int rc = oct_decoder_base_is_found(d, search);
  while (rc == 1 && !d->base.has_gap && !oct_decoder_base_is_full(&d->base)) {
    if (oct_decoder_base_waits(&d->base) && is_at_sync(d)) break;
    rc = step(d, NULL);
  }
  return rc;
}

static bool is_open(const void *decoder) {
  const raw_decoder *d = decoder;
  return !d->is_flushed || d->base.at != d->base.in.n_bytes;
}

int oct_raw_decoder_next(void *d, oct_decoded *out, oct_diag *diag) {
  return oct_decoder_base_next(d, run, is_open, out, diag);
}

int oct_raw_decoder_resync(void *decoder, oct_diag *diag) {
  raw_decoder *d = decoder;
  (void)diag;
  d->stream_left = 0;
  d->is_flushed = false;
  d->base.id = OCT_WALK_NONE;
  return oct_decoder_base_resync(d, search);
}

int oct_raw_packets_next(void *decoder, oct_packet *out, oct_diag *diag) {
  raw_decoder *d = decoder;
  oct_decoder_base *b = &d->base;
  int rc;
  do {
    b->out.n_bytes = b->out_accesses.n_bytes = b->out_traps.n_bytes = 0;
    rc = oct_decoder_base_list(d, search, step, out, diag);
    b->out_insn = b->insn;
  } while (rc == 1 && !out->n_bits); /* an instruction without accesses */
  if (!rc && b->is_finished && is_open(d))
    return oct_fail_at(diag, OCT_ERR_TRUNCATED, OCT_AT_BIT, b->bit,
                       "the stream ends in the middle of a packet");
  return rc;
}
