/* SPDX-License-Identifier: Apache-2.0 */
/* oct_etm4_decode.c - octrace's own ETMv4 decoder: packets and the program map to instructions.
 *
 * Each atom leads to the end of the next branch; an exception straight on to its address. The bytes
 * of the trace unit are taken out of the frames first. Where frames begin is not known in the
 * middle of a stream, nor behind lost bytes: the beginning is tried that shows a sync. */
#include "oct_etm4_decode.h"

#include "oct_unframe.h"

enum { PACKET_BYTES = 64 }; /* no fewer than the longest packet has */

int oct_etm4_decoder_init(void *decoder, const uint32_t *params, oct_diag *diag) {
  oct_etm4_decoder *d = decoder;
  (void)diag;
  d->p = oct_etm4_params_of(params);
  d->is_aligned = !d->base.is_searching;
  d->stack.depth = d->p.return_stack;
  return 0;
}

void oct_etm4_decoder_destroy(void *d) {
  if (d) oct_buffer_free(&((oct_etm4_decoder *)d)->raw);
  oct_decoder_base_destroy(d);
}

static int fail(oct_etm4_decoder *d, int error, const char *what) {
  return oct_decoder_base_fail(d, error, what);
}

/* Bits of the stream that were used, up to a frame. */
static uint64_t used_bits(const oct_etm4_decoder *d) {
  uint64_t left = d->base.in.n_bytes - d->base.at;
  if (!d->p.frames) return 8 * (d->base.base_bytes + d->base.at);
  uint64_t taken = d->raw_gone + d->raw_at;
  return taken > left ? 8 * (taken - left) : 0;
}

void oct_etm4_decoder_counts(const void *decoder, oct_decoder_counts *counts) {
  const oct_etm4_decoder *d = decoder;
  *counts = d->base.counts;
  counts->bit_offset = used_bits(d);
}

/* ---- Bytes ---- */

/* Take n bytes from the front of a buffer. */
static void drop(oct_buffer *b, size_t n) {
  b->n_bytes -= n;
  if (b->n_bytes) memmove(b->bytes, b->bytes + n, b->n_bytes);
}

/* An A-Sync and its Trace Info, the first at or behind `from`; n when there is none. */
static size_t find_sync(const uint8_t *bytes, size_t from, size_t n) {
  unsigned zeros = 0;
  for (size_t i = from; i + 3 < n; i++) {
    if (zeros >= OCT_ETM4_ASYNC_ZEROS && bytes[i] == 0x80 && bytes[i + 1] == OCT_ETM4_TRACE_INFO &&
        (bytes[i + 2] & OCT_ETM4_PLCTL_INFO))
      return i - OCT_ETM4_ASYNC_ZEROS;
    zeros = bytes[i] ? 0 : zeros + 1;
  }
  return n;
}

/* Whether these bytes are the frame that a sync begins: our source, then A-Sync and the first of
 * Trace Info. Nothing else has so many zeros. */
static bool is_sync_frame(const oct_etm4_decoder *d, const uint8_t *bytes) {
  const uint8_t frame[OCT_ETM4_FRAME_BYTES] = {
      (uint8_t)(d->p.trace_id << 1 | 1), [12] = 0x80, [13] = OCT_ETM4_TRACE_INFO,
      [14] = d->p.cycles ? OCT_ETM4_PLCTL_CYCLES : 0, [15] = 0x80};
  return bytes[0] == frame[0] && !memcmp(bytes, frame, sizeof frame);
}

/* Take frames apart until `least` bytes wait, or no whole frame is left. The encoder's frames have
 * no source but its own, and no sync within: else a frame is damaged, or frames begin elsewhere. */
static void unframe(oct_etm4_decoder *d, size_t least) {
  enum { AHEAD = OCT_ETM4_FRAME_BYTES - 1 }; /* a sync may begin with a frame's last byte */
  oct_unframed carried[OCT_UNFRAMED_MAX];
  while (d->is_aligned && !d->is_shifted && d->base.in.n_bytes - d->base.at < least) {
    const uint8_t *frame = d->raw.bytes + d->raw_at;
    const size_t left = d->raw.n_bytes - d->raw_at;
    if (left < OCT_ETM4_FRAME_BYTES + (d->base.is_finished ? 0 : AHEAD)) break;
    for (size_t i = 1; i <= AHEAD && left - i >= OCT_ETM4_FRAME_BYTES; i++)
      d->is_shifted |= is_sync_frame(d, frame + i);
    const unsigned n = oct_unframe_frame(frame, &d->id, carried);
    for (unsigned i = 0; i < n; i++) d->is_shifted |= carried[i].source != d->p.trace_id;
    for (unsigned i = 0; i < n && !d->is_shifted; i++)
      d->base.in.bytes[d->base.in.n_bytes++] = carried[i].byte;
    d->raw_at += OCT_ETM4_FRAME_BYTES;
  }
}

/* Find the frame that a sync begins. */
static void align(oct_etm4_decoder *d) {
  for (; !d->is_aligned && d->raw.n_bytes - d->raw_at >= OCT_ETM4_FRAME_BYTES;
       d->raw_at += !d->is_aligned)
    d->is_aligned = is_sync_frame(d, d->raw.bytes + d->raw_at);
}

/* A frame that begins elsewhere was taken: look for one from the byte behind its first on. */
static void realign(oct_etm4_decoder *d) {
  d->is_aligned = d->is_shifted = false;
  d->raw_at -= OCT_ETM4_FRAME_BYTES - 1;
}

int oct_etm4_decoder_push(void *decoder, const uint8_t *bytes, size_t n, oct_diag *diag) {
  oct_etm4_decoder *d = decoder;
  if (!d->p.frames) return oct_decoder_base_push(d, bytes, n, diag);
  if (d->base.is_finished) return oct_fail(diag, OCT_ERR_ARG, "port bytes after the end");
  oct_decoder_base_compact(&d->base);
  /* The last frame stays: realign may go back to it. */
  const size_t gone = d->raw_at > OCT_ETM4_FRAME_BYTES ? d->raw_at - OCT_ETM4_FRAME_BYTES : 0;
  if (gone) drop(&d->raw, gone);
  d->raw_at -= gone;
  d->raw_gone += gone;
  /* Room for all that the frames may carry, so that taking them apart cannot fail. */
  if (oct_buffer_put(&d->raw, bytes, n) ||
      !oct_buffer_room(&d->base.in, d->raw.n_bytes - d->raw_at + OCT_ETM4_FRAME_BYTES))
    return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  return 0;
}

/* The stream is over, or goes on elsewhere. */
static int end_of_bytes(oct_etm4_decoder *d) {
  if (d->is_shifted)
    return fail(d, OCT_ERR_PACKET, "frames with bytes of another source, or that begin elsewhere");
  if (!d->base.is_finished) return 0;
  if (d->is_aligned && d->raw.n_bytes > d->raw_at)
    return fail(d, OCT_ERR_TRUNCATED, "the stream ends within a frame");
  return d->base.in.n_bytes > d->base.at
             ? fail(d, OCT_ERR_TRUNCATED, "the stream ends within a packet")
             : 0;
}

int oct_etm4_decoder_packet(oct_etm4_decoder *d, oct_etm4_packet *p) {
  unframe(d, PACKET_BYTES);
  size_t n = d->base.in.n_bytes - d->base.at;
  d->base.bit = 8 * (d->base.base_bytes + d->base.at);
  int length = n ? oct_etm4_read(d->base.in.bytes + d->base.at, n, &d->history, p) : 0;
  if (length < 0) return fail(d, OCT_ERR_PACKET, "not an ETMv4 packet");
  if (!length) return end_of_bytes(d);
  d->base.at += (size_t)length;
  return 1;
}

/* ---- Instructions ---- */

/* An indirect branch found its target on the stack if no address came. */
static int settle(oct_etm4_decoder *d) {
  if (!d->pop_pending) return 0;
  if (!d->stack.n) return fail(d, OCT_ERR_PACKET, "a return to nowhere");
  d->base.ip = oct_etm4_pop(&d->stack);
  d->pop_pending = false;
  return 0;
}

/* One instruction on the way to the end of the next branch, which the oldest atom is for. */
static int step_atom(oct_etm4_decoder *d) {
  const oct_map_entry *e = NULL;
  int rc = settle(d);
  if (rc || (rc = oct_decoder_base_retire(d, &e))) return rc;
  uint64_t behind = d->base.ip + e->size_bytes;
  d->base.ip = behind;
  if (e->cls <= OCT_CLASS_OTHER && !oct_etm4_is_barrier(e)) return 0;
  bool is_taken = d->atoms.bits & 1;
  d->atoms.bits >>= 1;
  d->atoms.n--;
  if (!is_taken || e->cls <= OCT_CLASS_OTHER) return 0;
  if (e->cls == OCT_CLASS_DIRECT_CALL || e->cls == OCT_CLASS_INDIRECT_CALL)
    oct_etm4_push(&d->stack, behind);
  if (e->cls <= OCT_CLASS_DIRECT_CALL)
    d->base.ip = e->target;
  else
    d->pop_pending = true;
  return 0;
}

/* One instruction straight on to the address of an exception. */
static int step_exception(oct_etm4_decoder *d) {
  const oct_map_entry *e = NULL;
  int rc = settle(d);
  if (rc) return rc;
  if (d->base.ip == d->to) {
    d->is_going = false;
    if (d->exception == OCT_ETM4_HALT) d->is_on = false;
    d->is_trap = d->exception != OCT_ETM4_HALT && d->exception != OCT_ETM4_JUMP;
    d->needs_address = true;
    return 0;
  }
  if ((rc = oct_decoder_base_retire(d, &e))) return rc;
  d->base.ip += e->size_bytes;
  if (d->base.ip > d->to)
    return fail(d, OCT_ERR_PACKET, "an exception at an address not on the way");
  return 0;
}

/* ---- Packets ---- */

/* The address with context that completes a sync. */
static int end_sync(oct_etm4_decoder *d, const oct_etm4_packet *p) {
  d->in_sync = false;
  d->base.counts.syncs++;
  if (d->base.is_synced && !d->base.is_lost) {
    if (d->has_number && d->number != d->base.insn)
      return fail(d, OCT_ERR_PACKET, "a sync counts other instructions than were decoded");
    return 0;
  }
  uint64_t lost = d->has_number ? d->number - d->base.out_insn : 0;
  d->is_on = true;
  d->base.task = p->context;
  return oct_decoder_base_join(d, d->has_number, d->base.out_insn + lost, used_bits(d));
}

/* A trap whose handler is at the address p. */
static int tell_trap(oct_etm4_decoder *d, const oct_etm4_packet *p) {
  bool is_interrupt = d->exception == OCT_ETM4_IRQ || d->exception == OCT_ETM4_FIQ;
  const oct_trap t = {.addr = d->to,
                      .cause = (uint32_t)d->exception,
                      .kind = is_interrupt ? OCT_TRAP_INTERRUPT : OCT_TRAP_EXCEPTION,
                      .privilege = p->has_context ? p->privilege : OCT_PRIVILEGE_UNKNOWN};
  d->is_trap = false;
  return oct_decoder_base_trap(d, &t);
}

static int take_address(oct_etm4_decoder *d, const oct_etm4_packet *p) {
  int rc;
  if (d->is_exception) {
    d->is_exception = false;
    d->is_going = true;
    d->to = p->value;
    return 0;
  }
  if (d->in_sync) {
    bool is_expected =
        d->base.is_synced && !d->base.is_lost && d->is_on && !d->pop_pending && !d->needs_address;
    if ((rc = end_sync(d, p))) return rc;
    if (is_expected && d->base.ip != p->value)
      return fail(d, OCT_ERR_PACKET, "a sync is somewhere else than the decoder");
  } else if (!d->pop_pending && !d->needs_address) {
    return fail(d, OCT_ERR_PACKET, "an address that nothing needs");
  }
  if (d->is_trap && (rc = tell_trap(d, p))) return rc;
  if (p->has_context) d->base.task = p->context;
  d->base.ip = p->value;
  d->pop_pending = d->needs_address = false;
  return 0;
}

static int take_packet(oct_etm4_decoder *d, const oct_etm4_packet *p) {
  if (p->is_async) {
    d->in_sync = true;
    d->has_number = false;
    return 0;
  }
  if (!d->base.is_synced && !d->in_sync)
    return fail(d, OCT_ERR_PACKET, "a packet before the first sync");
  if (p->is_cycles) return 0;
  if (p->atoms.n) {
    if (!d->is_on || d->needs_address || d->is_exception || d->in_sync)
      return fail(d, OCT_ERR_PACKET, "expected an address, found atoms");
    d->atoms = p->atoms;
    return 0;
  }
  switch (p->header) {
    case OCT_ETM4_TRACE_INFO:
      d->stack.n = 0;
      if (!d->in_sync) return fail(d, OCT_ERR_PACKET, "a Trace Info packet without A-Sync");
      return 0;
    case OCT_ETM4_TIMESTAMP:
      d->has_number = d->p.timestamp;
      d->number = p->value;
      return 0;
    case OCT_ETM4_TRACE_ON:
      d->is_on = true;
      return 0;
    case OCT_ETM4_EXCEPTION:
      if (!d->is_on || d->in_sync)
        return fail(d, OCT_ERR_PACKET, "an exception outside of a trace");
      d->is_exception = true;
      d->exception = p->value;
      return 0;
    default:
      return take_address(d, p);
  }
}

/* Whether the zeros of a sync begin here. */
static bool is_at_sync(oct_etm4_decoder *d) {
  unframe(d, PACKET_BYTES);
  const uint8_t *p = d->base.in.bytes + d->base.at;
  return d->base.in.n_bytes - d->base.at > 1 && !p[0] && !p[1];
}

/* Find a sync; what stands before it goes. */
bool oct_etm4_decoder_search(void *decoder) {
  oct_etm4_decoder *d = decoder;
  enum { KEPT = OCT_ETM4_ASYNC_ZEROS + 3 };
  for (;;) {
    if (d->is_shifted) realign(d);
    if (d->p.frames && !d->is_aligned) align(d);
    unframe(d, PACKET_BYTES);
    const size_t n = d->base.in.n_bytes, at = find_sync(d->base.in.bytes, d->base.at, n);
    const bool is_there = at < n;
    if (is_there)
      d->base.at = at;
    else if (n - d->base.at > KEPT)
      d->base.at = n - KEPT;
    if (is_there) return true;
    unframe(d, KEPT + 1); /* one frame more, if there is one */
    if (d->base.in.n_bytes == n && !d->is_shifted) return false;
  }
}

/* Go on until there is something to hand out: 1, 0 or an error. */
static int run(void *decoder) {
  oct_etm4_decoder *d = decoder;
  oct_etm4_packet p;
  int rc;
  while (!oct_decoder_base_is_full(&d->base)) {
    if (d->atoms.n) {
      rc = step_atom(d);
    } else if (d->is_going) {
      rc = step_exception(d);
    } else {
      if (oct_decoder_base_waits(&d->base) && is_at_sync(d)) return 1;
      if (!oct_decoder_base_is_found(d, oct_etm4_decoder_search)) return 0;
      rc = oct_etm4_decoder_packet(d, &p);
      if (rc != 1) return rc;
      rc = take_packet(d, &p);
      if (d->base.has_gap) return rc ? rc : 1;
    }
    if (rc) return rc;
  }
  return 1;
}

static bool is_open(const void *decoder) {
  const oct_etm4_decoder *d = decoder;
  return d->is_on || d->in_sync;
}

int oct_etm4_decoder_next(void *d, oct_decoded *out, oct_diag *diag) {
  return oct_decoder_base_next(d, run, is_open, out, diag);
}

int oct_etm4_decoder_resync(void *decoder, oct_diag *diag) {
  oct_etm4_decoder *d = decoder;
  (void)diag;
  d->atoms.n = 0;
  d->pop_pending = d->is_exception = d->is_going = d->in_sync = d->needs_address = false;
  d->is_trap = false;
  d->is_on = false;
  d->stack.n = 0;
  return oct_decoder_base_resync(d, oct_etm4_decoder_search);
}
