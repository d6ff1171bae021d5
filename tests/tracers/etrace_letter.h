/* SPDX-License-Identifier: Apache-2.0 */
/* etrace_letter.h - a second E-Trace decoder, which follows the decoder of the specification to
 * the letter, held against the run that was encoded.
 *
 * Source: "Efficient Trace for RISC-V" 2.0, chapter 9, with implicit returns, predictor and jump
 * target cache as the later text of riscv-non-isa/riscv-trace-spec (decoder.adoc) adds them. It
 * does not know what packet follows: it stops at a reported address as soon as the rules allow, and
 * where the next packet is no sync, it goes on from there to the jump that the address was of. It
 * shares nothing with octrace's decoder but the reading of packets.
 *
 * It differs from the text in two points. An outcome belongs to a branch when the branch is
 * reached, not when it is left: what the text keeps as the last branch of a map is clear at once.
 * And an ecall may have its own address as that of its exception where thaddr is 1, as in 2.0. It
 * takes runs of one task whose program does not change. */
#ifndef ETRACE_LETTER_H
#define ETRACE_LETTER_H

#include "oct_etrace_parse.h"
#include "oct_etrace_sijump.h"
#include "tracer_run.h"

enum { LETTER_STACK = 1024 };

typedef struct letter {
  const oct_et_config *c;
  const random_run *r;
  size_t at; /* instructions found */
  const oct_map_entry *pc, *last;
  uint64_t address;
  bool is_started, is_inferred, is_taken;
  size_t n_traps;    /* found */
  bool has_next_epc; /* of the next of several traps in a row: */
  uint64_t next_epc;
  oct_et_packet p, previous; /* previous: the packet whose address was inferred */
  uint64_t map, left;        /* outcomes that the packet has still */
  uint64_t link[LETTER_STACK];
  unsigned count[LETTER_STACK], n, depth;
  uint8_t *predicts, *outcome;
  uint64_t *cache;
} letter;

static inline const oct_map_entry *letter_code(const letter *l, uint64_t addr) {
  size_t low = 0, high = l->r->n_code;
  while (low < high) {
    size_t mid = (low + high) / 2;
    if (l->r->code[mid].addr == addr) return &l->r->code[mid];
    if (l->r->code[mid].addr < addr)
      low = mid + 1;
    else
      high = mid;
  }
  fail_msg("instruction %zu: led to 0x%llx, where no code is", l->at, (unsigned long long)addr);
  return NULL;
}

static inline bool letter_is_branch(const oct_map_entry *e) {
  return e->cls == OCT_CLASS_COND_BRANCH;
}

static inline bool letter_is_discontinuity(const oct_map_entry *e) {
  return e->cls == OCT_CLASS_RETURN || e->cls == OCT_CLASS_INDIRECT_JUMP ||
         e->cls == OCT_CLASS_INDIRECT_CALL || oct_et_calls_environment(e);
}

static inline void letter_reset(letter *l) {
  l->n = l->depth = 0;
  memset(l->predicts, 0, (size_t)1 << l->c->p.predictor_bits);
  memset(l->outcome, 1, (size_t)1 << l->c->p.predictor_bits);
}

static inline void letter_push(letter *l, uint64_t link) {
  const oct_et_params *p = &l->c->p;
  /* The text lets a counter of n bits count 2^n calls, which irdepth has no room for. */
  const unsigned max_depth =
      p->return_stack_bits ? 1u << p->return_stack_bits : (1u << p->call_counter_bits) - 1;
  const unsigned max_count = p->return_stack_bits ? (1u << p->call_counter_bits) - 1 : 0;
  if (!p->implicit_return) return;
  if (l->n && l->link[l->n - 1] == link && l->count[l->n - 1] < max_count) {
    l->count[l->n - 1]++;
  } else {
    if (l->n == max_depth) {
      l->depth -= l->count[0] + 1;
      l->n--;
      memmove(l->link, l->link + 1, l->n * sizeof *l->link);
      memmove(l->count, l->count + 1, l->n * sizeof *l->count);
    }
    l->link[l->n] = link;
    l->count[l->n++] = 0;
  }
  l->depth++;
}

static inline uint64_t letter_pop(letter *l) {
  uint64_t link = l->link[l->n - 1];
  if (l->count[l->n - 1])
    l->count[l->n - 1]--;
  else
    l->n--;
  l->depth--;
  return link;
}

static inline bool letter_is_count(const oct_et_packet *p) {
  return p->format == OCT_ET_FORMAT_OPTIONS && p->subformat == OCT_ET_SUB_COUNT;
}

static inline bool letter_has_index(const oct_et_packet *p) {
  return p->format == OCT_ET_FORMAT_OPTIONS && p->subformat == OCT_ET_SUB_CACHE;
}

static inline size_t letter_cache_index(const letter *l, uint64_t addr) {
  return addr >> l->c->p.addr_lsb_bits & ((1u << l->c->p.jump_cache_bits) - 1);
}

/* The predictor learns the outcome of the branch at addr. */
static inline void letter_learn(letter *l, uint64_t addr) {
  size_t i = addr >> l->c->p.addr_lsb_bits & ((1u << l->c->p.predictor_bits) - 1);
  if (l->predicts[i] != l->outcome[i]) l->predicts[i] = l->is_taken;
  l->outcome[i] = l->is_taken;
}

/* Reach the instruction at addr. sync: the packet of format 3 whose instruction it is, or NULL. */
static inline void letter_arrive(letter *l, uint64_t addr, const oct_et_packet *sync) {
  const oct_map_entry *e = letter_code(l, addr);
  if (l->at == l->r->n_insns) fail_msg("by the letter there are more instructions");
  if (addr != l->r->insns[l->at].addr)
    fail_msg("instruction %zu: expected 0x%llx, by the letter it is 0x%llx", l->at,
             (unsigned long long)l->r->insns[l->at].addr, (unsigned long long)addr);
  l->at++;
  l->last = l->pc;
  l->pc = e;
  if (!letter_is_branch(e)) return;
  size_t i = addr >> l->c->p.addr_lsb_bits & ((1u << l->c->p.predictor_bits) - 1);
  if (sync) {
    l->is_taken = !sync->branch;
  } else if (!l->left) {
    fail_msg("instruction %zu: a branch without an outcome", l->at - 1);
  } else {
    const bool fails =
        l->p.branch_fmt == OCT_ET_COUNT_NO_ADDR || l->p.branch_fmt == OCT_ET_COUNT_ADDR_FAIL;
    if (letter_is_count(&l->p)) {
      l->is_taken = l->predicts[i] ^ (l->left == 1 && fails);
    } else {
      l->is_taken = !(l->map & 1);
      l->map >>= 1;
    }
    l->left--;
  }
  letter_learn(l, addr);
}

/* One instruction on, with a packet that leads to address. True where it is of use there. */
static inline bool letter_step(letter *l, uint64_t address, const oct_et_packet *p,
                               const oct_et_packet *sync) {
  const oct_map_entry *e = l->pc;
  uint64_t behind = (e->addr + e->size_bytes) & l->c->addr_mask, next = behind, target = 0;
  bool stops = false;
  if (e->cls == OCT_CLASS_DIRECT_JUMP || e->cls == OCT_CLASS_DIRECT_CALL ||
      (letter_is_branch(e) && l->is_taken)) {
    next = e->target;
  } else if (e->cls == OCT_CLASS_INDIRECT_JUMP && l->c->p.sijump && e->op.flags && l->last &&
             l->last->op.flags && l->last + 1 == e) {
    next = (l->last->op.imm + e->op.imm) & l->c->addr_mask & ~UINT64_C(1);
  } else if (letter_is_discontinuity(e)) {
    bool is_predicted = e->cls == OCT_CLASS_RETURN && l->n;
    if (is_predicted) {
      bool is_reported = p->format != OCT_ET_FORMAT_SYNC && p->irreport && p->irdepth == l->depth &&
                         (l->is_inferred || l->left == letter_is_branch(letter_code(l, address)));
      target = letter_pop(l);
      stops = is_reported;
    }
    if (is_predicted && !stops) {
      next = target;
    } else {
      next = address;
      stops = true;
      if (!oct_et_has_address(p))
        fail_msg("instruction %zu: an indirect jump without an address", l->at);
      if (l->c->p.jump_cache_bits && p->format != OCT_ET_FORMAT_SYNC &&
          !(is_predicted && next == target))
        l->cache[letter_cache_index(l, next)] = next;
    }
  }
  if (e->cls == OCT_CLASS_DIRECT_CALL || e->cls == OCT_CLASS_INDIRECT_CALL) letter_push(l, behind);
  letter_arrive(l, next & l->c->addr_mask, sync && next == address ? sync : NULL);
  return stops;
}

/* Go on to the address of the packet, or to its last branch. */
static inline void letter_follow(letter *l) {
  const oct_et_packet *p = &l->p;
  const bool has_address = oct_et_has_address(p), has_flags = has_address && !letter_has_index(p);
  const uint64_t address = l->address, before = l->pc->addr;
  const bool ends_with_branch = !has_address || letter_is_branch(letter_code(l, address));
  while (l->is_inferred)
    if (letter_step(l, before, &l->previous, NULL)) l->is_inferred = false;
  for (;;) {
    bool stops = letter_step(l, address, p, NULL);
    if (!l->left && letter_is_branch(l->pc) && ends_with_branch) return;
    if (!has_address) continue;
    if (stops) {
      if (l->left) fail_msg("instruction %zu: branches are left at a jump", l->at);
      return;
    }
    if (l->pc->addr != address || l->left) continue;
    if (has_flags && p->notify) return;
    if (letter_is_discontinuity(l->last) || (has_flags && p->updiscon)) continue;
    if (p->irreport && p->irdepth != l->depth) continue;
    l->previous = *p;
    l->is_inferred = true;
    return;
  }
}

/* Where the exception of the packet came. */
static inline uint64_t letter_epc(letter *l) {
  const oct_map_entry *e = l->pc;
  const uint64_t address = (l->p.address << l->c->p.addr_lsb_bits) & l->c->addr_mask;
  const uint64_t epc = l->next_epc;
  const bool is_far = !l->is_started || letter_is_discontinuity(e), has_epc = l->has_next_epc;
  if (is_far && !l->p.thaddr) return address;
  if (is_far && !oct_et_calls_environment(e))
    fail_msg("instruction %zu: an exception behind a jump without its address", l->at);
  l->has_next_epc = !l->p.thaddr;
  l->next_epc = address;
  if (has_epc) return epc;
  if (is_far) return e->addr;
  const bool is_jump = letter_is_branch(e) ? l->is_taken : e->cls > OCT_CLASS_OTHER;
  return is_jump ? e->target : (e->addr + e->size_bytes) & l->c->addr_mask;
}

/* The packet is the next trap of the run, or a jump that nothing explains. */
static inline void letter_trap(letter *l) {
  const oct_et_packet *p = &l->p;
  const oct_trap *t;
  if (p->interrupt && p->ecause == oct_et_jump_cause(l->c)) return;
  do {
    if (l->n_traps == l->r->n_traps) fail_msg("by the letter there are more traps");
    t = &l->r->traps[l->n_traps++];
  } while (t->kind == OCT_TRAP_PRIVILEGE);
  if (t->insn != l->at || t->cause != p->ecause || p->interrupt != (t->kind == OCT_TRAP_INTERRUPT))
    fail_msg("instruction %zu: another trap", l->at);
  if (p->interrupt) return;
  const uint64_t epc = letter_epc(l);
  if (epc != t->addr || p->tval != t->tval)
    fail_msg("instruction %zu: an exception at 0x%llx, by the letter at 0x%llx", l->at,
             (unsigned long long)t->addr, (unsigned long long)epc);
}

/* A packet of format 3. */
static inline void letter_sync(letter *l) {
  const oct_et_packet *p = &l->p;
  const bool is_trap = p->subformat == OCT_ET_SUB_TRAP, was_started = l->is_started;
  if (p->subformat == OCT_ET_SUB_SUPPORT && p->qual_status != OCT_ET_NO_CHANGE)
    l->is_started = false;
  if (is_trap) letter_trap(l);
  if (!is_trap || p->thaddr) l->has_next_epc = false;
  if (p->subformat > OCT_ET_SUB_TRAP || (is_trap && !p->thaddr)) return;
  l->is_inferred = false;
  l->address = (p->address << l->c->p.addr_lsb_bits) & l->c->addr_mask;
  if (is_trap && l->c->p.implicit_exception)
    l->address = (l->c->trap_base + (p->interrupt ? 4 * p->ecause : 0)) & l->c->addr_mask;
  if (p->subformat == OCT_ET_SUB_START && l->is_started) {
    while (!letter_step(l, l->address, p, p) && l->pc->addr != l->address) {
    }
    letter_reset(l);
    if (letter_is_branch(l->pc)) letter_learn(l, l->pc->addr);
  } else {
    letter_reset(l);
    letter_arrive(l, l->address, p);
  }
  if (is_trap || !was_started) l->last = NULL;
  l->is_started = true;
}

/* Any packet. */
static inline void letter_packet(letter *l) {
  const oct_et_packet *p = &l->p;
  if (p->format == OCT_ET_FORMAT_SYNC) {
    letter_sync(l);
    return;
  }
  if (!l->is_started) fail_msg("a packet before the first sync");
  if (letter_has_index(p)) {
    l->address = l->cache[p->index];
  } else if (oct_et_has_address(p)) {
    uint64_t addr = p->address << l->c->p.addr_lsb_bits;
    l->address = (l->c->p.full_address ? addr : l->address + addr) & l->c->addr_mask;
  }
  l->map = p->map;
  l->left = p->branches;
  if (p->format == OCT_ET_FORMAT_BRANCH && !p->branches) l->left = OCT_ET_MAP_BRANCHES;
  if (letter_is_count(p))
    l->left = (uint64_t)p->count + OCT_ET_MAP_BRANCHES +
              (p->branch_fmt == OCT_ET_COUNT_NO_ADDR || p->branch_fmt == OCT_ET_COUNT_ADDR_FAIL);
  letter_follow(l);
}

/* The stream of a run is the run. */
static inline void letter_run(const oct_et_config *c, const random_run *r,
                              const port_bytes *bytes) {
  letter l = {.c = c, .r = r};
  oct_et_parser parser = {.cfg = c};
  oct_et_item item;
  oct_diag diag = {0};
  int rc;
  l.predicts = malloc((size_t)1 << c->p.predictor_bits);
  l.outcome = malloc((size_t)1 << c->p.predictor_bits);
  l.cache = calloc((size_t)1 << c->p.jump_cache_bits, sizeof *l.cache);
  letter_reset(&l);
  assert_int_equal(oct_et_parser_push(&parser, bytes->bytes, bytes->n), 0);
  parser.is_finished = true;
  while ((rc = oct_et_parser_next(&parser, &item, NULL, &diag)) == 1) {
    l.p = item.packet;
    letter_packet(&l);
  }
  if (rc) fail_msg("%s", oct_diag_line(&diag).text);
  assert_int_equal(l.at, r->n_insns);
  while (l.n_traps < r->n_traps) assert_int_equal(r->traps[l.n_traps++].kind, OCT_TRAP_PRIVILEGE);
  oct_buffer_free(&parser.in);
  free(l.predicts);
  free(l.outcome);
  free(l.cache);
}

#endif
