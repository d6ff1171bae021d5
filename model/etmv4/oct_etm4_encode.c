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

/* ---- ETMv4 packets as bytes, and the frames that they leave in.
 *
 * Atoms are gathered, and sent before any other packet. Addresses are told against the last three.
 * A sync begins a frame of its own.
 * ---- */

/* Append n bytes, and count them in *bits. */
static int put(oct_etm4_encoder *e, const uint8_t *bytes, size_t n, uint64_t *bits) {
  *bits += 8 * n;
  e->counters.packets++;
  return oct_buffer_put(e->p.frames ? &e->framer.pending : &e->base.out, bytes, n);
}

/* The oldest atoms, as many as one packet holds; and all of them. */
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

/* Whether the instruction at addr is of T32; where that is not known, like_this, but for what the
 * kernel lends. oct_etm4_is_thumb: like the parameter default_isa. */
static bool is_thumb_like(const oct_etm4_encoder *e, uint64_t addr, bool like_this) {
  uint32_t id = oct_map_find(e->base.walk.map, addr);
  uint8_t isa = id == OCT_WALK_NONE ? 0 : oct_map_at(e->base.walk.map, id)->code_isa;
  if (isa) return isa == OCT_ISA_THUMB + 1;
  return like_this && !oct_etm4_is_lent(addr);
}

static bool oct_etm4_is_thumb(const oct_etm4_encoder *e, uint64_t addr) {
  return is_thumb_like(e, addr, e->p.default_isa == OCT_ETM4_T32);
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
  } else if (e->p.default_isa == OCT_ETM4_A64 && differ >> 32) {
    out[0] = OCT_ETM4_LONG_64;
    n += long_address(out + 1, addr, thumb, 8);
  } else {
    out[0] = (uint8_t)(OCT_ETM4_LONG_32 + thumb);
    n += long_address(out + 1, addr, thumb, 4);
  }
  oct_etm4_remember(h, addr, thumb);
  return put(e, out, n, &e->counters.address_bits);
}

/* An address with its context: the exception level, non-secure, and the task as context identifier.
 */
static int put_context(oct_etm4_encoder *e, uint64_t addr, bool thumb, uint32_t task) {
  enum { INFO_NS = 0x20, INFO_SF = 0x10, INFO_CID = 0x80, MONITOR = 3 };
  bool is_64 = e->p.default_isa == OCT_ETM4_A64;
  uint8_t out[16];
  unsigned n = 1;
  out[0] = is_64 ? OCT_ETM4_CONTEXT_64_A64 : (uint8_t)(OCT_ETM4_CONTEXT_32_A32 + thumb);
  n += long_address(out + 1, addr, thumb, is_64 ? 8 : 4);
  out[n++] = (uint8_t)(e->privilege | INFO_CID | (is_64 ? INFO_SF : 0) |
                       (e->privilege == MONITOR ? 0 : INFO_NS));
  for (unsigned i = 0; i < 4; i++) out[n++] = (uint8_t)(task >> 8 * i);
  oct_etm4_remember(&e->history, addr, thumb);
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
 * The program goes on at addr. is_on: tracing begins here. */
static int put_sync(oct_etm4_encoder *e, uint64_t number, uint64_t addr, uint32_t task,
                    bool is_on) {
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
  return rc ? rc : put_context(e, addr, oct_etm4_is_thumb(e, addr), task);
}

enum { ATOMS_HELD = 24, LEVELS = 4 }; /* exception levels */

int oct_etm4_encoder_init(void *encoder, const uint32_t *params, oct_diag *diag) {
  oct_etm4_encoder *e = encoder;
  (void)diag;
  e->p = oct_etm4_params_of(params);
  e->framer.id = (uint8_t)e->p.trace_id;
  e->stack.depth = e->p.return_stack;
  return 0;
}

void oct_etm4_encoder_destroy(void *e) {
  if (e) oct_buffer_free(&((oct_etm4_encoder *)e)->framer.pending);
  oct_encoder_base_destroy(e);
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

/* ---- Addresses ---- */

/* Whether packets can say the address, which stands at or before instruction `number`; like_this is
 * its state if that is not known. */
static int check_address(const oct_etm4_encoder *e, uint64_t number, uint64_t addr, bool like_this,
                         oct_diag *diag) {
  const char *wrong = NULL;
  if (e->p.default_isa != OCT_ETM4_A64 && addr >> 32)
    wrong = "wider than 32 bits";
  else if (addr & 3 && (addr & 1 || !is_thumb_like(e, addr, like_this)))
    wrong = "not aligned as its state asks";
  return wrong ? oct_fail_insn(diag, OCT_ERR_LIMIT, number, addr, "%s", wrong) : 0;
}

/* ---- Exceptions ---- */

/* An exception of that type, before the instruction at addr. */
static int put_exception(oct_etm4_encoder *e, unsigned type, uint64_t addr, bool thumb) {
  uint8_t out[3] = {OCT_ETM4_EXCEPTION, (uint8_t)((type & 0x1f) << 1 | 1)};
  size_t n = 2;
  if (type >> 5) {
    out[1] |= 0x80;
    out[n++] = (uint8_t)(type >> 5);
  }
  int rc = put_atoms(e);
  if (!rc) rc = put(e, out, n, &e->counters.address_bits);
  return rc ? rc : put_address(e, addr, thumb);
}

/* Exceptions and interrupts before instruction `number`, of n traps: the first where the program
 * stands, at *at, each of the others where the handler of the one before it is. The last leads to
 * next, or at the end (NULL) to where it came from; *at is there then. */
static int put_traps(oct_etm4_encoder *e, uint64_t number, const oct_encoder_trap *t, size_t n,
                     uint64_t *at, const oct_insn *next, const oct_insn *insn, oct_diag *diag) {
  bool thumb = oct_etm4_is_thumb(e, insn->addr);
  for (size_t i = 0; i < n; i++) {
    const oct_trap *trap = &t[i].trap;
    uint64_t from = oct_trap_place(trap, *at);
    if (trap->privilege < LEVELS) e->privilege = trap->privilege;
    if (trap->kind == OCT_TRAP_PRIVILEGE) continue;
    const oct_trap *behind = oct_first_trap(t + i + 1, n - i - 1);
    *at = behind ? oct_trap_place(behind, from) : next ? next->addr : from;
    int rc = check_address(e, number, from, thumb, diag);
    if (!rc) rc = check_address(e, number, *at, thumb, diag);
    if (rc) return rc;
    rc = put_exception(e, trap->cause, from, is_thumb_like(e, from, thumb));
    bool next_thumb = is_thumb_like(e, *at, thumb);
    if (rc) {
    } else if (trap->privilege == OCT_PRIVILEGE_UNKNOWN) {
      rc = put_address(e, *at, next_thumb);
    } else {
      rc = put_context(e, *at, next_thumb, insn->task);
    }
    if (rc) return oct_fail(diag, rc, "out of memory");
  }
  return 0;
}

static int keep_traps(oct_etm4_encoder *e, const oct_tracer_input *in, oct_diag *diag) {
  uint64_t first = e->base.insn + e->base.has_held;
  for (size_t i = 0; i < in->n_traps; i++) {
    const oct_trap *t = &in->traps[i];
    bool is_irq = t->cause == OCT_ETM4_IRQ || t->cause == OCT_ETM4_FIQ;
    if (t->kind == OCT_TRAP_PRIVILEGE) continue;
    if (t->cause >= OCT_ETM4_TYPES || t->cause == OCT_ETM4_HALT || t->cause == OCT_ETM4_JUMP ||
        is_irq != (t->kind == OCT_TRAP_INTERRUPT))
      return oct_fail_at(diag, OCT_ERR_LIMIT, OCT_AT_BEFORE_INSN, (first + t->insn),
                         "ETMv4 has no %s %u: expected interrupt 14 or 15, or an exception up to "
                         "%d other than 1, 14, 15 and 23",
                         t->kind == OCT_TRAP_INTERRUPT ? "interrupt" : "exception", t->cause,
                         OCT_ETM4_TYPES - 1);
    if (t->privilege >= LEVELS && t->privilege != OCT_PRIVILEGE_UNKNOWN)
      return oct_fail_at(diag, OCT_ERR_LIMIT, OCT_AT_BEFORE_INSN, (first + t->insn),
                         "a trap to privilege %u: ETMv4 has exception levels 0 to 3", t->privilege);
  }
  return oct_encoder_base_keep_traps(e, in) ? oct_fail(diag, OCT_ERR_NOMEM, "out of memory") : 0;
}

/* Tracing begins: at the instruction, or at a trap before it. */
static int begin(oct_etm4_encoder *e, const oct_insn *insn, oct_diag *diag) {
  size_t n;
  const oct_encoder_trap *t = oct_encoder_base_traps(e, e->base.insn, true, &n);
  const oct_trap *trap = oct_first_trap(t, n);
  uint64_t addr = trap ? oct_trap_place(trap, insn->addr) : insn->addr;
  e->sent_cycle = e->cycle;
  e->base.is_enabled = true;
  int rc = check_address(e, e->base.insn, addr, oct_etm4_is_thumb(e, insn->addr), diag);
  if (rc) return rc;
  if (put_sync(e, e->base.insn, addr, insn->task, true))
    return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  return put_traps(e, e->base.insn, t, n, &addr, insn, insn, diag);
}

/* The program is at addr, and does not go on to next in the same task: NULL is the end. */
static int put_end(oct_etm4_encoder *e, uint64_t addr, bool thumb, const oct_insn *next) {
  int rc = put_exception(e, next ? OCT_ETM4_JUMP : OCT_ETM4_HALT, addr, thumb);
  if (!next) e->base.is_enabled = false;
  return rc || !next ? rc
                     : put_context(e, next->addr, oct_etm4_is_thumb(e, next->addr), next->task);
}

/* Behind an instruction that leads to `after`: the n traps t, and what follows. */
static int put_trapped(oct_etm4_encoder *e, const oct_insn *insn, const oct_insn *next,
                       uint64_t after, const oct_encoder_trap *t, size_t n, oct_diag *diag) {
  bool thumb = is_thumb_like(e, after, oct_etm4_is_thumb(e, insn->addr));
  uint64_t at = oct_trap_place(oct_first_trap(t, n), after);
  int rc = check_address(e, e->base.insn + 1, after, thumb, diag);
  if (!rc) rc = check_address(e, e->base.insn + 1, at, thumb, diag);
  if (rc) return rc;
  e->counters.traps++;
  if (at != after) {
    rc = put_exception(e, OCT_ETM4_JUMP, after, thumb);
    if (!rc) rc = put_address(e, at, is_thumb_like(e, at, thumb));
    if (rc) return oct_fail(diag, rc, "out of memory");
  }
  if ((rc = put_traps(e, e->base.insn + 1, t, n, &at, next, insn, diag))) return rc;
  if (next && next->task == insn->task) return 0;
  rc = put_end(e, at, is_thumb_like(e, at, thumb), next);
  return rc ? oct_fail(diag, rc, "out of memory") : 0;
}

/* ---- One instruction ---- */

static int add_atom(oct_etm4_encoder *e, bool is_taken) {
  e->counters.atoms++;
  e->atoms.bits |= (uint64_t)is_taken << e->atoms.n++;
  return e->atoms.n < ATOMS_HELD ? 0 : put_atom_packet(e);
}

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
  /* The instruction there may be new: the map says its state with it. */
  if (oct_map_walk_to(&e->base.walk, e->base.insn + 1)) return OCT_ERR_NOMEM;
  rc = put_atoms(e);
  return rc ? rc : put_address(e, next, oct_etm4_is_thumb(e, next));
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
    bool is_barrier =
        id != OCT_WALK_NONE && oct_etm4_is_barrier(oct_map_entry_at(e->base.walk.map, id));
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

/* An instruction and the one after it, NULL at the end. */
static int step(oct_etm4_encoder *e, const oct_insn *insn, const oct_insn *next, oct_diag *diag) {
  bool goes_on = next && next->task == insn->task;
  uint64_t after;
  size_t n_traps;
  if (oct_map_walk_to(&e->base.walk, e->base.insn))
    return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  int rc = check_address(e, e->base.insn, insn->addr, e->p.default_isa == OCT_ETM4_T32, diag);
  if (rc) return rc;
  if (insn->flags & OCT_INSN_HAS_CYCLE) e->cycle = insn->cycle;
  if (!e->base.is_enabled && (rc = begin(e, insn, diag))) return rc;
  if (oct_insn_class(insn) > OCT_CLASS_OTHER) e->base.seen_class = true;
  const oct_encoder_trap *traps = oct_encoder_base_traps(e, e->base.insn + 1, true, &n_traps);
  const oct_trap *trap = oct_first_trap(traps, n_traps);
  uint64_t to = next && goes_on ? next->addr : UINT64_MAX;
  if (trap) to = oct_trap_place(trap, UINT64_MAX);
  rc = put_insn(e, insn, to, &after);
  if (rc) return oct_fail(diag, rc, "out of memory");
  /* The next instruction, which may be new, has its state from the map. */
  if (next && oct_map_walk_to(&e->base.walk, e->base.insn + 1))
    return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  bool thumb = is_thumb_like(e, after, oct_etm4_is_thumb(e, insn->addr));
  if (next)
    rc = check_address(e, e->base.insn + 1, next->addr, e->p.default_isa == OCT_ETM4_T32, diag);
  if (rc) return rc;
  if (trap) return put_trapped(e, insn, next, after, traps, n_traps, diag);
  if (n_traps && traps[n_traps - 1].trap.privilege < LEVELS)
    e->privilege = traps[n_traps - 1].trap.privilege;
  /* An exception says where it came from. */
  if (!goes_on || next->addr != after) rc = check_address(e, e->base.insn + 1, after, thumb, diag);
  if (rc) return rc;
  if (!goes_on) {
    rc = put_end(e, after, thumb, next);
  } else if (next->addr != after) {
    if ((rc = oct_encoder_base_check_class(&e->base, insn, diag))) return rc;
    e->counters.traps++;
    rc = put_exception(e, OCT_ETM4_JUMP, after, thumb);
    if (!rc) rc = put_address(e, next->addr, oct_etm4_is_thumb(e, next->addr));
  } else if (e->base.insn + 1 >= e->base.sync_at && oct_insn_class(insn) > OCT_CLASS_OTHER) {
    rc = put_cycles(e);
    if (!rc) rc = put_sync(e, e->base.insn + 1, next->addr, next->task, false);
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
        e->base.insn + 1 >= e->base.trap_at || may_be_barrier(e, insn->addr) ||
        next->addr != insn->addr + insn->size_bytes || next->task != insn->task) {
      int rc = step(e, insn, next, diag);
      if (rc) return rc;
    }
  }
  return 0;
}

int oct_etm4_encoder_put(void *encoder, const oct_tracer_input *in, oct_diag *diag) {
  oct_etm4_encoder *e = encoder;
  int rc = oct_tracer_check_traps(in, diag);
  if (rc) return rc;
  e->counters.insns += in->n_insns;
  e->counters.accesses += in->n_accesses;
  note_barriers(e, in->updates, in->n_updates);
  rc = keep_traps(e, in, diag);
  if (!rc) rc = oct_encoder_base_put(e, in, put_followed, diag);
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
