/* SPDX-License-Identifier: Apache-2.0 */
/* oct_program_check.c - is the program the one that was traced?
 *
 * Where the trace tells an instruction, that is held against the program's. A program that changes
 * its own code before it is executed (a kernel's static keys, breakpoints, stubs) differs in few
 * instructions, another build in most. A file is refused as soon as SITES_MIN instructions and more
 * than one in TOLD_SHARE differ; at the end of the trace as many are enough if they are more than
 * half. Only what an address tells first counts.
 *
 * Where the trace does not tell its instructions, what it shows has to do.
 * A successor that is neither the next instruction nor the target of a direct jump; an
 * access of an instruction that makes none. Sizes that a trace tells do not count, since they may
 * be guesses of its recorder. An instruction speaks against the program when more than half of its
 * executions do, so that gaps of a trace, which are seldom at one place, do not count. Those seen
 * less than CHECKED_MIN times may stand before gaps each time. A file is refused when more than one
 * in SHARE of its executed instructions and of their executions speak against it, and SITES_MIN
 * instructions at least.
 *
 * A trace may have a choice of the instructions: those with accesses, or each second one. Its steps
 * go over others to an instruction that the program has a bit further on. These steps do not count,
 * and where they are many, no step does. The steps of another program would also end inside of its
 * instructions, if these have several sizes.
 *
 * Nothing is concluded from what does not tell: undecodable bytes; ways into the kernel, and what
 * stands before a trap; a MIPS branch and its delay slot; code of an ARM program without mapping
 * symbols, which may be Thumb. The check ends with the first EXECUTIONS_MAX executions.
 * docs/effects.md holds the rule and what was measured. */
#include "oct_program_check.h"

#include "oct_addr_set.h"
#include "oct_grow.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum {
  SITES_MIN = 16,
  CHECKED_MIN = 4,
  SHARE = 25,
  TOLD_SHARE = 8,
  NEAR_BYTES = 16,
  EXECUTIONS_MAX = 1 << 22
};

/* Of a file of the program: the instructions that the trace tells, and those that differ. */
typedef struct told {
  uint64_t n_sites, n_other;
  uint64_t first; /* of n_other */
  bool is_refused;
} told;

typedef enum evidence { NONE, SUCCESSOR, ACCESS, EVIDENCES } evidence;

typedef struct site {
  uint32_t n_checked, n_against[EVIDENCES];
  uint32_t ahead;     /* bit n: n bytes further on an instruction begins; 0: not looked yet */
  uint64_t successor; /* the first one that the program does not explain */
} site;

struct oct_program_check {
  oct_addr_set told_addrs;
  told *told;   /* of each file of the program, or NULL */
  oct_map *map; /* the instructions that were taken */
  site *sites;  /* of each, by its number */
  size_t room;
  uint64_t n_executions;
  uint64_t n_steps, n_near; /* from one instruction to the next; to one that is not far behind it */
  uint64_t n_over, n_into;  /* near ones over instructions of the program, and into one of them */
  uint64_t n_batches;
  bool has_ended;
};

void oct_program_check_free(oct_program_check *check) {
  if (!check) return;
  oct_addr_set_free(&check->told_addrs);
  free(check->told);
  oct_map_free(check->map);
  free(check->sites);
  free(check);
}

static int no_memory(oct_diag *diag) {
  return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
}

int oct_program_check_told(oct_reader *r, const oct_map_entry *insn, bool is_other,
                           oct_diag *diag) {
  size_t image = SIZE_MAX;
  oct_program_find_image(r->program, insn->addr, &image);
  if (image == SIZE_MAX) return 0;
  if (!r->check) r->check = calloc(1, sizeof *r->check);
  oct_program_check *check = r->check;
  if (check && !check->told)
    check->told = calloc(oct_program_n_images(r->program), sizeof *check->told);
  if (!check || !check->told) return no_memory(diag);
  int is_new = oct_addr_set_put(&check->told_addrs, insn->addr);
  if (is_new < 0) return no_memory(diag);
  told *t = &check->told[image];
  if (is_new && is_other && !t->n_other++) t->first = insn->addr;
  t->n_sites += (uint64_t)is_new;
  return 0;
}

uint64_t oct_reader_differing(const oct_reader *r, size_t image, uint64_t *n_told,
                              uint64_t *first) {
  const told *t = r->check && r->check->told ? &r->check->told[image] : &(told){0};
  *n_told = t->n_sites;
  *first = t->first;
  return t->is_refused ? 0 : t->n_other;
}

/* Whether what the trace tells of a file's instructions is another program. */
static int judge_told(const oct_reader *r, size_t image, oct_diag *diag) {
  told *t = r->check->told ? &r->check->told[image] : &(told){0};
  t->is_refused = t->n_other >= SITES_MIN ? TOLD_SHARE * t->n_other > t->n_sites
                                          : r->ended && 2 * t->n_other > t->n_sites;
  if (!t->is_refused) return 0;
  return oct_fail_in(
      diag, OCT_ERR_ARG, oct_program_images(r->program)[image].path,
      "another program than that of the trace (another build, or loaded elsewhere): %" PRIu64
      " of %" PRIu64 " instructions differ, the first at 0x%" PRIx64
      ": give the right file, or no --elf",
      t->n_other, t->n_sites, t->first);
}

int oct_program_check_take(oct_reader *r, const oct_map_entry *insn, oct_diag *diag) {
  size_t image;
  if (!oct_program_find_image(r->program, insn->addr, &image)) return 0;
  if (!r->check) r->check = calloc(1, sizeof *r->check);
  oct_program_check *check = r->check;
  if (!check || (!check->map && !(check->map = oct_map_new_lean()))) return no_memory(diag);
  if (check->has_ended) return 0;
  size_t n = oct_map_count(check->map);
  site *sites = oct_grown(check->sites, &check->room, n + 1, sizeof *sites);
  if (!sites) return no_memory(diag);
  check->sites = sites;
  int64_t id = oct_map_put(check->map, insn);
  if (id < 0) return no_memory(diag);
  if ((size_t)id == n) sites[id] = (site){0};
  return 0;
}

static bool can_be_next(const oct_map_head *e, uint64_t next) {
  uint64_t fall = e->addr + e->size_bytes;
  if (e->cls == OCT_CLASS_OTHER) return next == fall || next == e->addr; /* again: x86 rep */
  return e->cls > OCT_CLASS_DIRECT_CALL || next == fall || next == e->target;
}

static bool makes_none(const oct_map_head *e, const oct_effect *op) {
  return (op->flags & OCT_EFFECT_KNOWN) && !(op->mem[0].form & OCT_MEM_VALID) && !e->n_slots;
}

/* Where an instruction begins at most NEAR_BYTES behind e, as site.ahead has it. */
static uint32_t look_ahead(oct_program *program, const oct_map_head *e) {
  uint32_t ahead = 1;
  oct_map_entry n = {.size_bytes = e->size_bytes};
  for (unsigned at = 0; n.size_bytes && (at += n.size_bytes) <= NEAR_BYTES;) {
    ahead |= UINT32_C(1) << at;
    oct_program_insn(program, e->addr + at, &n);
  }
  return ahead;
}

/* What one execution of e shows. next: what was executed behind it, or NULL where that tells
 * nothing. */
static evidence look(oct_program_check *check, oct_program *program, uint32_t id,
                     const oct_insn *insn, const oct_insn *next) {
  const oct_map_head *e = oct_map_at(check->map, id);
  const oct_effect *op = oct_map_effect(check->map, id);
  site *s = &check->sites[id];
  if (op->flags & OCT_EFFECT_SYSTEM) return NONE;
  if (insn->n_access && makes_none(e, op)) return ACCESS;
  if (!next) return NONE;
  uint64_t distance = next->addr - e->addr;
  bool is_near = distance - 1 < NEAR_BYTES;
  check->n_steps++;
  check->n_near += is_near;
  if (can_be_next(e, next->addr)) return NONE;
  if (is_near && !s->ahead) s->ahead = look_ahead(program, e);
  if (is_near && s->ahead >> distance & 1) {
    check->n_over++;
    return NONE;
  }
  check->n_into += is_near;
  if (!s->n_against[SUCCESSOR]) s->successor = next->addr;
  return SUCCESSOR;
}

static void look_at_all(oct_reader *r, oct_program_check *check) {
  const int isa = oct_program_isa(r->program);
  const bool has_slots = isa == OCT_ISA_MIPS || isa == OCT_ISA_MIPSEL;
  bool follows_jump = has_slots;
  uint32_t id = UINT32_MAX;
  size_t trap = 0;
  for (size_t i = 0; i < r->n_insns; i++) {
    const oct_insn *insn = &r->insns[i], *next = insn + 1;
    id = id == UINT32_MAX ? oct_map_find(check->map, insn->addr)
                          : oct_map_follow(check->map, id, insn->addr);
    while (trap < r->n_traps && r->traps[trap].insn <= i) trap++;
    bool is_apart = i + 1 == r->n_insns || next->task != insn->task ||
                    (trap < r->n_traps && r->traps[trap].insn == i + 1);
    bool was_slot = follows_jump;
    if (id == UINT32_MAX) {
      follows_jump = has_slots; /* it may be one */
      continue;
    }
    const oct_map_head *e = oct_map_at(check->map, id);
    follows_jump = has_slots && e->cls > OCT_CLASS_OTHER;
    if (is_apart || was_slot || follows_jump) next = NULL;
    evidence shown = look(check, r->program, id, insn, next);
    check->sites[id].n_checked++;
    check->sites[id].n_against[shown]++;
    check->n_executions++;
  }
}

/* Whether the trace has a choice of the instructions. */
static bool is_thinned(const oct_program_check *c) {
  bool steps_over = SHARE * c->n_over > c->n_near && SHARE * c->n_into < c->n_over;
  return 2 * c->n_near < c->n_steps || steps_over;
}

static int refuse(const oct_reader *r, size_t image, uint32_t id, oct_diag *diag) {
  const oct_map_head *e = oct_map_at(r->check->map, id);
  const site *s = &r->check->sites[id];
  char shown[64];
  if (s->n_against[ACCESS])
    snprintf(shown, sizeof shown, "makes no access, the trace has one");
  else
    snprintf(shown, sizeof shown, "does not go to 0x%" PRIx64, s->successor);
  return oct_fail_in(diag, OCT_ERR_ARG, oct_program_images(r->program)[image].path,
                     "another program than that of the trace (another build, or loaded elsewhere): "
                     "its instruction at 0x%" PRIx64 " %s: give the right file, or no --elf",
                     e->addr, shown);
}

/* What one file of the program has for and against it. */
static int judge(const oct_reader *r, size_t image, oct_diag *diag) {
  const oct_program_check *check = r->check;
  const bool are_steps_told = !is_thinned(check);
  uint64_t n_sites = 0, against_sites = 0, n_checked = 0, n_against = 0;
  uint32_t first = 0;
  for (uint32_t id = 0; id < oct_map_count(check->map); id++) {
    const site *s = &check->sites[id];
    size_t of;
    if (s->n_checked < CHECKED_MIN) continue;
    if (!oct_program_find_image(r->program, oct_map_at(check->map, id)->addr, &of) || of != image)
      continue;
    n_sites++;
    n_checked += s->n_checked;
    uint32_t n = s->n_against[ACCESS] + (are_steps_told ? s->n_against[SUCCESSOR] : 0);
    if (n <= s->n_checked / 2) continue;
    if (!against_sites++) first = id;
    n_against += n;
  }
  bool is_other = against_sites >= SITES_MIN && SHARE * against_sites > n_sites &&
                  SHARE * n_against > n_checked;
  return is_other ? refuse(r, image, first, diag) : 0;
}

static bool has_gap(const oct_reader *r) {
  for (size_t i = 0; i < r->n_facts; i++)
    if (r->facts[i].kind == OCT_FACT_GAP) return true;
  return false;
}

int oct_program_check_batch(oct_reader *r, oct_diag *diag) {
  oct_program_check *check = r->check;
  if (!check) return 0;
  int rc = 0;
  for (size_t i = 0; !rc && i < oct_program_n_images(r->program); i++) rc = judge_told(r, i, diag);
  if (rc || !check->map || check->has_ended) return rc;
  if (!has_gap(r)) look_at_all(r, check);
  check->n_batches++;
  check->has_ended = r->ended || check->n_executions >= EXECUTIONS_MAX;
  /* Judged seldom, as that walks over all instructions: behind 1, 2, 4, 8 ... batches. */
  if ((check->n_batches & (check->n_batches - 1)) && !check->has_ended) return 0;
  for (size_t i = 0; !rc && i < oct_program_n_images(r->program); i++) rc = judge(r, i, diag);
  return rc;
}
