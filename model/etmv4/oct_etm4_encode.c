/* SPDX-License-Identifier: Apache-2.0 */
/* oct_etm4_encode.c - the ETMv4 encoder: retired instructions to packets.
 *
 * Every branch is an atom: E if it was taken, N if not. A taken indirect branch is followed by its
 * target, unless that is what the stack of return addresses says. What no instruction explains is
 * an exception: the address of the instruction that did not come any more, then where the program
 * went on. A change of task is an exception and a context; the end an exception too, a halt.
 * Between two branches code runs straight, so no address is ambiguous.
 *
 * Cycles are counted from branch to branch, and sent behind one once they reach the threshold.
 *
 * A sync comes behind a branch, where a decoder that begins there and one that is in step know the
 * same: A-Sync, Trace Info, the address with its context, and a timestamp. */
#include "oct_etm4_encode.h"

enum { ATOMS_HELD = 24 };

int oct_etm4_encoder_init(void *encoder, const uint32_t *params, oct_diag *diag) {
  oct_etm4_encoder *e = encoder;
  (void)diag;
  memcpy(&e->p, params, sizeof e->p);
  e->framer.id = (uint8_t)e->p.trace_id;
  e->stack.depth = e->p.return_stack;
  return 0;
}

void oct_etm4_encoder_destroy(void *e) {
  if (e) oct_buffer_free(&((oct_etm4_encoder *)e)->framer.pending);
  oct_encoder_base_destroy(e);
}

void oct_etm4_encoder_state(void *encoder, oct_state *io) {
  oct_etm4_encoder *e = encoder;
  oct_encoder_base_state(e, io);
  oct_buffer_state(&e->framer.pending, io);
  oct_state_move(io, &e->framer.formatter, sizeof e->framer.formatter);
  oct_state_move(io, &e->p, sizeof *e - offsetof(oct_etm4_encoder, p));
}

/* Note where barriers are. */
static void note_barriers(oct_etm4_encoder *e, const oct_map_update *updates, size_t n) {
  for (size_t i = 0; i < n; i++) {
    uint32_t bit = (uint32_t)(updates[i].entry.addr >> 1) % OCT_ETM4_BARRIER_BITS;
    if (oct_etm4_is_barrier(&updates[i].entry)) e->barriers[bit / 8] |= (uint8_t)(1u << bit % 8);
  }
}

static bool may_be_barrier(const oct_etm4_encoder *e, uint64_t addr) {
  uint32_t bit = (uint32_t)(addr >> 1) % OCT_ETM4_BARRIER_BITS;
  return e->barriers[bit / 8] >> bit % 8 & 1;
}

/* ---- Packets ---- */

static int put(oct_etm4_encoder *e, const uint8_t *bytes, size_t n, uint64_t *bits) {
  *bits += 8 * n;
  e->counters.packets++;
  return oct_buffer_put(e->p.frames ? &e->framer.pending : &e->base.out, bytes, n);
}

static int put_atom_packet(oct_etm4_encoder *e) {
  uint8_t header = oct_etm4_pack_atoms(&e->atoms);
  e->counters.atom_packets++;
  return put(e, &header, 1, &e->counters.atom_bits);
}

static int put_atoms(oct_etm4_encoder *e) {
  int rc = 0;
  while (e->atoms.n && !rc) rc = put_atom_packet(e);
  return rc;
}

static int add_atom(oct_etm4_encoder *e, bool is_taken) {
  e->counters.atoms++;
  e->atoms.bits |= (uint64_t)is_taken << e->atoms.n++;
  return e->atoms.n < ATOMS_HELD ? 0 : put_atom_packet(e);
}

/* Whether the instruction at addr is of T32; where that is not known, like_this, but for what the
 * kernel lends. */
static bool is_thumb_like(const oct_etm4_encoder *e, uint64_t addr, bool like_this) {
  uint32_t id = oct_map_find(e->base.walk.map, addr);
  uint8_t isa = id == OCT_WALK_NONE ? 0 : oct_map_at(e->base.walk.map, id)->code_isa;
  return isa ? isa == OCT_ISA_THUMB + 1 : like_this && !oct_etm4_is_lent(addr);
}

static bool is_thumb(const oct_etm4_encoder *e, uint64_t addr) {
  return is_thumb_like(e, addr, e->p.isa == OCT_ETM4_T32);
}

/* The bits of an address from the lowest that counts on, as long packets have them. */
static unsigned long_address(uint8_t *out, uint64_t addr, bool thumb, unsigned n) {
  out[0] = thumb ? (uint8_t)(addr >> 1 & 0x7f) : (uint8_t)(addr >> 2 & 0x7f);
  out[1] = thumb ? (uint8_t)(addr >> 8) : (uint8_t)(addr >> 9 & 0x7f);
  for (unsigned i = 2; i < n; i++) out[i] = (uint8_t)(addr >> 8 * i);
  return n;
}

static int put_address(oct_etm4_encoder *e, uint64_t addr, bool thumb) {
  oct_etm4_history *h = &e->history;
  uint8_t out[16];
  unsigned n = 1, shift = thumb ? 1 : 2;
  for (unsigned i = 0; i < h->n; i++) {
    if (h->addr[i] != addr || h->is_thumb[i] != thumb) continue;
    out[0] = (uint8_t)(OCT_ETM4_EXACT + i);
    e->counters.exact_addresses++;
    oct_etm4_remember(h, addr, thumb);
    return put(e, out, 1, &e->counters.address_bits);
  }
  uint64_t differ = h->n ? addr ^ h->addr[0] : UINT64_MAX;
  if (!(differ >> (15 + shift))) {
    bool is_two = differ >> (7 + shift);
    out[0] = (uint8_t)(OCT_ETM4_SHORT + thumb);
    out[n++] = (uint8_t)((addr >> shift & 0x7f) | (is_two ? 0x80 : 0));
    if (is_two) out[n++] = (uint8_t)(addr >> (7 + shift));
  } else if (e->p.isa == OCT_ETM4_A64 && differ >> 32) {
    out[0] = OCT_ETM4_LONG_64;
    n += long_address(out + 1, addr, thumb, 8);
  } else {
    out[0] = (uint8_t)(OCT_ETM4_LONG_32 + thumb);
    n += long_address(out + 1, addr, thumb, 4);
  }
  oct_etm4_remember(h, addr, thumb);
  return put(e, out, n, &e->counters.address_bits);
}

/* The address with its context: EL0, non-secure, and the task as context identifier. */
static int put_context(oct_etm4_encoder *e, const oct_insn *insn) {
  enum { INFO_NS = 0x20, INFO_SF = 0x10, INFO_CID = 0x80 };
  bool thumb = is_thumb(e, insn->addr), is_64 = e->p.isa == OCT_ETM4_A64;
  uint8_t out[16];
  unsigned n = 1;
  out[0] = is_64 ? OCT_ETM4_CONTEXT_64_A64 : (uint8_t)(OCT_ETM4_CONTEXT_32_A32 + thumb);
  n += long_address(out + 1, insn->addr, thumb, is_64 ? 8 : 4);
  out[n++] = INFO_NS | INFO_CID | (is_64 ? INFO_SF : 0);
  for (unsigned i = 0; i < 4; i++) out[n++] = (uint8_t)(insn->task >> 8 * i);
  oct_etm4_remember(&e->history, insn->addr, thumb);
  return put(e, out, n, &e->counters.sync_bits);
}

static int put_timestamp(oct_etm4_encoder *e, uint64_t value) {
  uint8_t out[16] = {OCT_ETM4_TIMESTAMP};
  unsigned n = 1;
  if (!e->p.timestamp) return 0;
  for (; value > 0x7f; value >>= 7) out[n++] = (uint8_t)(value | 0x80);
  out[n++] = (uint8_t)value;
  return put(e, out, n, &e->counters.sync_bits);
}

/* The cycles since the last count, behind the branch at hand, if they are as many as the threshold.
 */
static int put_cycles(oct_etm4_encoder *e) {
  uint64_t *bits = &e->counters.cycle_bits, count = e->cycle - e->sent_cycle;
  uint8_t out[4] = {OCT_ETM4_CYCLES};
  unsigned n = 1;
  if (!e->p.cycles || e->cycle < e->sent_cycle || count < e->p.cycle_threshold) return 0;
  e->sent_cycle = e->cycle;
  count -= e->p.cycle_threshold;
  int rc = put_atoms(e);
  if (rc) return rc;
  if (count <= OCT_ETM4_CYCLES_SHORT_MOST) {
    out[0] = (uint8_t)(OCT_ETM4_CYCLES_SHORT | count);
  } else if (count >> OCT_ETM4_CYCLES_BITS) {
    out[0] = OCT_ETM4_CYCLES_MANY;
  } else {
    for (; count > 0x7f; count >>= 7) out[n++] = (uint8_t)(count | 0x80);
    out[n++] = (uint8_t)count;
  }
  return put(e, out, n, bits);
}

/* Put what is complete into frames; with is_end all. */
static int put_frames(oct_etm4_encoder *e, bool is_end) {
  size_t before = e->framer.pending.n_bytes, out = e->base.out.n_bytes;
  if (!e->p.frames) return 0;
  if (oct_etm4_frame(&e->framer, &e->base.out, is_end)) return OCT_ERR_NOMEM;
  e->counters.frame_bits +=
      8 * (e->base.out.n_bytes - out) - 8 * (before - e->framer.pending.n_bytes);
  return 0;
}

/* A sync before instruction `number`, in a frame of its own, so that a reader finds frames by it.
 * is_on: tracing begins here. */
static int put_sync(oct_etm4_encoder *e, uint64_t number, const oct_insn *insn, bool is_on) {
  enum { ASYNC_BYTES = OCT_ETM4_ASYNC_ZEROS + 1 };
  uint8_t start[ASYNC_BYTES + 5] = {
      [OCT_ETM4_ASYNC_ZEROS] = 0x80, OCT_ETM4_TRACE_INFO, OCT_ETM4_PLCTL_INFO};
  size_t n = ASYNC_BYTES + 3;
  static const uint8_t on = OCT_ETM4_TRACE_ON;
  int rc = put_atoms(e);
  if (!rc) rc = put_frames(e, true);
  if (e->p.cycles) {
    start[ASYNC_BYTES + 1] |= OCT_ETM4_PLCTL_CYCLES;
    start[ASYNC_BYTES + 2] = OCT_ETM4_INFO_CYCLES;
    bool is_long = e->p.cycle_threshold >> 7;
    start[n++] = (uint8_t)(e->p.cycle_threshold | (is_long ? 0x80 : 0));
    if (is_long) start[n++] = (uint8_t)(e->p.cycle_threshold >> 7);
  }
  if (!rc) rc = put(e, start, n, &e->counters.sync_bits);
  if (!rc && is_on) rc = put(e, &on, 1, &e->counters.sync_bits);
  e->history.n = 0;
  e->stack.n = 0;
  e->counters.syncs++;
  e->base.sync_at = e->p.sync_period_insns ? number + e->p.sync_period_insns : UINT64_MAX;
  if (!rc) rc = put_timestamp(e, number);
  return rc ? rc : put_context(e, insn);
}

/* An exception of that type, before the instruction at addr. */
static int put_exception(oct_etm4_encoder *e, unsigned type, uint64_t addr, bool thumb) {
  const uint8_t out[] = {OCT_ETM4_EXCEPTION, (uint8_t)(type << 1 | 1)};
  int rc = put_atoms(e);
  if (!rc) rc = put(e, out, sizeof out, &e->counters.address_bits);
  return rc ? rc : put_address(e, addr, thumb);
}

/* The type of the exception before instruction `number`: the cause of the trap there, if the trace
 * tells one that is a type of ETMv4; else an interrupt. */
static unsigned exception_type(oct_etm4_encoder *e, uint64_t number) {
  oct_trap t;
  uint8_t privilege;
  bool is_told = oct_encoder_base_take_trap(e, number, &t, &privilege);
  return is_told && t.cause < OCT_ETM4_TYPES && t.cause != OCT_ETM4_HALT ? t.cause : OCT_ETM4_IRQ;
}

/* ---- One instruction ---- */

/* A taken indirect branch to next. */
static int put_indirect(oct_etm4_encoder *e, oct_class cls, uint64_t behind, uint64_t next) {
  int rc = add_atom(e, true);
  if (cls == OCT_CLASS_INDIRECT_CALL) oct_etm4_push(&e->stack, behind);
  if (rc) return rc;
  if (e->stack.n && e->stack.link[e->stack.top] == next) {
    oct_etm4_pop(&e->stack);
    e->counters.popped_returns++;
    return 0;
  }
  e->counters.jumps++;
  rc = put_atoms(e);
  return rc ? rc : put_address(e, next, is_thumb(e, next));
}

/* What the instruction sends of itself; *after gets where it leads before anything else happens.
 * next: the address that followed, or UINT64_MAX for none. */
static int put_insn(oct_etm4_encoder *e, const oct_insn *insn, uint64_t next, uint64_t *after) {
  uint64_t behind = insn->addr + insn->size_bytes, target;
  oct_class cls = oct_insn_class(insn);
  *after = behind;
  if (cls <= OCT_CLASS_OTHER) {
    uint32_t id =
        may_be_barrier(e, insn->addr) ? oct_map_find(e->base.walk.map, insn->addr) : OCT_WALK_NONE;
    bool is_barrier = id != OCT_WALK_NONE && oct_etm4_is_barrier(oct_map_at(e->base.walk.map, id));
    return is_barrier ? add_atom(e, true) : 0;
  }
  if (next == behind || next == UINT64_MAX) {
    /* Not taken, or to the next instruction, which is the same. */
    bool is_certain = cls == OCT_CLASS_DIRECT_JUMP || cls == OCT_CLASS_DIRECT_CALL;
    if (next == behind || !is_certain) return add_atom(e, false);
  }
  switch (cls) {
    case OCT_CLASS_COND_BRANCH:
      target = oct_encoder_base_target(&e->base, insn->addr, behind);
      if (target == next) *after = next;
      return add_atom(e, target == next);
    case OCT_CLASS_DIRECT_CALL:
    case OCT_CLASS_DIRECT_JUMP:
      *after = oct_encoder_base_target(&e->base, insn->addr, behind);
      if (cls == OCT_CLASS_DIRECT_CALL) oct_etm4_push(&e->stack, behind);
      return add_atom(e, true);
    default:
      *after = next;
      return put_indirect(e, cls, behind, next);
  }
}

/* Whether packets can say the address of instruction `number`, of which like_this is the state if
 * it is not known. */
static int check_address(const oct_etm4_encoder *e, uint64_t number, uint64_t addr, bool like_this,
                         oct_diag *diag) {
  const char *wrong = NULL;
  if (e->p.isa != OCT_ETM4_A64 && addr >> 32)
    wrong = "wider than 32 bits";
  else if (addr & 3 && (addr & 1 || !is_thumb_like(e, addr, like_this)))
    wrong = "not aligned as its state asks";
  return wrong ? oct_fail(diag, OCT_ERR_LIMIT, "instruction %llu, 0x%llx: %s",
                          (unsigned long long)number, (unsigned long long)addr, wrong)
               : 0;
}

/* An instruction and the one after it, NULL at the end. */
static int step(oct_etm4_encoder *e, const oct_insn *insn, const oct_insn *next, oct_diag *diag) {
  bool goes_on = next && next->task == insn->task;
  uint64_t after;
  if (oct_map_walk_to(&e->base.walk, e->base.insn))
    return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  int rc = check_address(e, e->base.insn, insn->addr, e->p.isa == OCT_ETM4_T32, diag);
  if (rc) return rc;
  if (insn->flags & OCT_INSN_HAS_CYCLE) e->cycle = insn->cycle;
  if (!e->base.is_enabled) e->sent_cycle = e->cycle;
  if (!e->base.is_enabled) rc = put_sync(e, e->base.insn, insn, true);
  e->base.is_enabled = true;
  if (oct_insn_class(insn) > OCT_CLASS_OTHER) e->base.seen_class = true;
  if (!rc) rc = put_insn(e, insn, goes_on ? next->addr : UINT64_MAX, &after);
  if (rc) return oct_fail(diag, rc, "out of memory");
  /* The next instruction, which may be new, has its state from the map. */
  if (next && oct_map_walk_to(&e->base.walk, e->base.insn + 1))
    return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  bool thumb = is_thumb_like(e, after, is_thumb(e, insn->addr));
  if (next) rc = check_address(e, e->base.insn + 1, next->addr, e->p.isa == OCT_ETM4_T32, diag);
  /* An exception says where it came from. */
  if (!rc && (!goes_on || next->addr != after))
    rc = check_address(e, e->base.insn + 1, after, thumb, diag);
  if (rc) return rc;
  if (!goes_on) {
    rc = put_exception(e, next ? OCT_ETM4_IRQ : OCT_ETM4_HALT, after, thumb);
    if (!rc && next) rc = put_context(e, next);
    if (!next) e->base.is_enabled = false;
  } else if (next->addr != after) {
    if ((rc = oct_encoder_base_check_class(&e->base, insn, diag))) return rc;
    e->counters.traps++;
    rc = put_exception(e, exception_type(e, e->base.insn + 1), after, thumb);
    if (!rc) rc = put_address(e, next->addr, is_thumb(e, next->addr));
  } else if (e->base.insn + 1 >= e->base.sync_at && oct_insn_class(insn) > OCT_CLASS_OTHER) {
    rc = put_cycles(e);
    if (!rc) rc = put_sync(e, e->base.insn + 1, next, false);
  } else {
    rc = put_cycles(e);
  }
  return rc ? oct_fail(diag, rc, "out of memory") : 0;
}

/* Take the instructions up to the last, which each of them is followed by. */
static int put_followed(void *encoder, const oct_insn *insns, size_t n, oct_diag *diag) {
  oct_etm4_encoder *e = encoder;
  for (size_t i = 0; i + 1 < n; i++, e->base.insn++) {
    const oct_insn *insn = &insns[i], *next = insn + 1;
    if (oct_insn_class(insn) > OCT_CLASS_OTHER || !e->base.is_enabled ||
        may_be_barrier(e, insn->addr) || next->addr != insn->addr + insn->size_bytes ||
        next->task != insn->task) {
      int rc = step(e, insn, next, diag);
      if (rc) return rc;
    }
  }
  return 0;
}

int oct_etm4_encoder_put(void *encoder, const oct_tracer_input *in, oct_diag *diag) {
  oct_etm4_encoder *e = encoder;
  e->counters.insns += in->n_insns;
  e->counters.accesses += in->n_accesses;
  note_barriers(e, in->updates, in->n_updates);
  if (oct_encoder_base_keep_traps(e, in)) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  int rc = oct_encoder_base_put(e, in, put_followed, diag);
  if (rc) return rc;
  return put_frames(e, false) ? oct_fail(diag, OCT_ERR_NOMEM, "out of memory") : 0;
}

static int put_last(void *e, const oct_insn *insn, oct_diag *diag) {
  int rc = step(e, insn, NULL, diag);
  if (rc) return rc;
  return put_frames(e, true) ? oct_fail(diag, OCT_ERR_NOMEM, "out of memory") : 0;
}

int oct_etm4_encoder_flush(void *e, oct_diag *diag) {
  return oct_encoder_base_flush(e, put_last, diag);
}
