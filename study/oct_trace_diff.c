/* SPDX-License-Identifier: Apache-2.0 */
/* oct_trace_diff.c - the differences of two traces of one program, one after the other.
 *
 * Instructions of both traces wait in queues and are compared in pairs. Where the addresses of a
 * pair differ, the nearest place is looked for from which both go on alike: indices i and j of the
 * waiting instructions with the least i + j, such that K instructions from there have the same
 * addresses. Pieces of K instructions of the second trace go into a hash table, and those of the
 * first are looked up in it. The farther away a place is, the more has to agree there: with 4
 * instructions, places within 8 are taken, with 8 those within 64, with 16 those of the whole
 * window; at last 4 have to do. The ends of both traces count as alike. All other fields are
 * compared only where the addresses are the same, so that they never move one trace against the
 * other.
 *
 * The program map of a trace runs ahead with its batches, so that entries wait until the comparison
 * comes to their batch. Bytes that were found equal at an address are not compared again before one
 * of the maps gets another entry for it. */
#include "oct_trace_diff.h"
#include "oct_gap_mark.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "oct_grow.h"
#include "oct_plural.h"
#include "oct_slide.h"

enum { PIECE_MAX = 16, CHECKED = 1 << 14, FIRST_INSNS = 4096 };

/* One trace. Elements from .. to of each queue: the kept ones were compared, the others wait. */
typedef struct side {
  oct_trace_diff_input in;
  bool is_over;
  uint32_t has;
  uint64_t number; /* of the first instruction that waits */
  oct_insn *insns;
  size_t insns_room, insns_from, insns_to, insns_kept;
  oct_access *accesses;
  size_t accesses_room, accesses_from, accesses_to, accesses_kept;
  oct_trap *traps;
  size_t traps_room, traps_from, traps_to, traps_kept;
  uint64_t *trap_at; /* number of the instruction that each trap is before */
  size_t trap_at_room, trap_at_from, trap_at_to;
  uint8_t *values; /* of the accesses in the queue, in their order */
  size_t values_room, values_from, values_to;
  uint32_t
      values_at; /* how many bytes went before the first of them; modulo 2^32, as in accesses */
  oct_trace_diff_register *registers;
  size_t registers_room, registers_from, registers_to, registers_kept;
  oct_access *seen; /* of an instruction that is looked at */
  size_t seen_room;
  oct_map_update *entries; /* of batches that the comparison has not come to */
  size_t entries_room, entries_from, entries_to;
  oct_map *map;
} side;

struct oct_trace_diff {
  oct_trace_diff_options options;
  side of[OCT_DIFF_SIDES];
  uint32_t active; /* fields that are compared */
  bool has_begun, is_done;
  unsigned failed;
  uint64_t due[OCT_DIFF_SIDES]; /* instructions of the difference found last */
  bool due_is_end, due_is_path, due_is_lost;
  oct_trace_diff_counts counts;
  uint64_t *checked; /* addresses whose bytes are equal, by their hash; UINT64_MAX: none */
  uint64_t *keys[OCT_DIFF_SIDES];
  uint32_t *table; /* index of a piece + 1, by its hash; 0: none */
  size_t table_room;
};

oct_trace_diff *oct_trace_diff_new(const oct_trace_diff_input *inputs,
                                   const oct_trace_diff_options *options) {
  oct_trace_diff *d = calloc(1, sizeof *d);
  if (!d) return NULL;
  d->options = *options;
  const size_t n_keys = options->window_insns + 2 * PIECE_MAX;
  d->table_room = 64;
  while (d->table_room < 2 * n_keys) d->table_room *= 2;
  d->table = malloc(d->table_room * sizeof *d->table);
  d->checked = malloc(CHECKED * sizeof *d->checked);
  bool is_whole = d->table && d->checked;
  for (unsigned s = 0; s < OCT_DIFF_SIDES; s++) {
    d->of[s].in = inputs[s];
    d->of[s].number = inputs[s].first_insn;
    d->of[s].has = inputs[s].has;
    d->of[s].map = oct_map_new();
    d->keys[s] = malloc(n_keys * sizeof *d->keys[s]);
    is_whole = is_whole && d->of[s].map && d->keys[s];
  }
  if (!is_whole) {
    oct_trace_diff_free(d);
    return NULL;
  }
  memset(d->checked, 0xff, CHECKED * sizeof *d->checked);
  return d;
}

void oct_trace_diff_free(oct_trace_diff *d) {
  if (!d) return;
  for (unsigned s = 0; s < OCT_DIFF_SIDES; s++) {
    free(d->of[s].insns);
    free(d->of[s].accesses);
    free(d->of[s].traps);
    free(d->of[s].trap_at);
    free(d->of[s].values);
    free(d->of[s].registers);
    free(d->of[s].seen);
    free(d->of[s].entries);
    oct_map_free(d->of[s].map);
    free(d->keys[s]);
  }
  free(d->table);
  free(d->checked);
  free(d);
}

unsigned oct_trace_diff_failed(const oct_trace_diff *d) {
  return d->failed;
}

const oct_trace_diff_counts *oct_trace_diff_get_counts(const oct_trace_diff *d) {
  return &d->counts;
}

uint32_t oct_trace_diff_has(const oct_trace_diff *d, unsigned s) {
  return d->of[s].has;
}

/* ---- queues ---- */

static size_t waiting(const side *s) {
  return s->insns_to - s->insns_from - s->insns_kept;
}

static const oct_insn *insns_of(const side *s) {
  return s->insns + s->insns_from + s->insns_kept;
}

static const oct_access *accesses_of(const side *s) {
  return s->accesses + s->accesses_from + s->accesses_kept;
}

/* Where the value of an access in the queue is among the bytes. */
static size_t place_of(const side *s, const oct_access *a) {
  return s->values_from + (uint32_t)(a->value - 1 - s->values_at);
}

static const uint8_t *value_of(const side *s, const oct_access *a) {
  return a->value ? s->values + place_of(s, a) : NULL;
}

/* Drop the values of n accesses. */
static void drop_values(side *s, const oct_access *a, unsigned n) {
  while (n && !a[n - 1].value) n--;
  if (!n) return;
  const size_t to = place_of(s, &a[n - 1]) + a[n - 1].size_bytes;
  s->values_at += (uint32_t)(to - s->values_from);
  s->values_from = to;
}

/* Drop what is kept beyond the context. */
static void trim(side *s, size_t context) {
  while (s->insns_kept > context) {
    const unsigned n = s->insns[s->insns_from].n_access;
    drop_values(s, s->accesses + s->accesses_from, n);
    s->insns_from++;
    s->insns_kept--;
    s->accesses_from += n;
    s->accesses_kept -= n;
  }
  while (s->traps_kept && s->trap_at[s->trap_at_from] < s->number - s->insns_kept) {
    s->traps_from++;
    s->trap_at_from++;
    s->traps_kept--;
  }
  while (s->registers_kept && s->registers[s->registers_from].at < s->number - s->insns_kept) {
    s->registers_from++;
    s->registers_kept--;
  }
}

/* Append n items to a queue. */
static int put(void **array, size_t item_bytes, size_t *room, size_t *from, size_t *to,
               const void *items, size_t n) {
  if (!n) return 0;
  int full = oct_slide_room(array, item_bytes, room, from, to, n);
  if (full) return full;
  memcpy((char *)*array + *to * item_bytes, items, n * item_bytes);
  *to += n;
  return 0;
}

uint32_t oct_trace_diff_see(uint32_t has, const oct_batch *b, bool tells_kinds) {
  has |= OCT_DIFF_GAPS; /* a trace without any has no gap where the other has one */
  if (b->n_accesses) has |= OCT_DIFF_ACCESSES;
  for (size_t i = 0; !(has & OCT_DIFF_ACCESS_SIZES) && i < b->n_accesses; i++)
    if (b->accesses[i].size_bytes) has |= OCT_DIFF_ACCESS_SIZES;
  if (b->n_accesses && tells_kinds) has |= OCT_DIFF_ACCESS_KINDS;
  for (size_t i = 0; !(has & OCT_DIFF_SIZES) && i < b->n_insns; i++)
    if (!(b->insns[i].flags & OCT_INSN_SIZE_ASSUMED)) has |= OCT_DIFF_SIZES;
  for (size_t i = 0; !(has & OCT_DIFF_TASKS) && i < b->n_insns; i++)
    if (b->insns[i].task) has |= OCT_DIFF_TASKS;
  for (size_t i = 0; !(has & OCT_DIFF_BYTES) && i < b->n_map; i++)
    if (b->map[i].code_isa) has |= OCT_DIFF_BYTES;
  for (size_t i = 0; i < b->n_traps; i++) {
    if (b->traps[i].kind != OCT_TRAP_PRIVILEGE) has |= OCT_DIFF_TRAPS;
    if (b->traps[i].privilege != OCT_PRIVILEGE_UNKNOWN) has |= OCT_DIFF_PRIVILEGE;
  }
  return has;
}

/* The values of the batch's accesses, which are the last n of the queue. */
static int take_values(side *s, const oct_batch *b) {
  oct_access *a = s->accesses + s->accesses_to - b->n_accesses;
  const uint8_t none = 0;
  void *p;
  for (size_t i = 0; i < b->n_accesses; i++, a++) {
    const uint8_t *value = a->size_bytes ? oct_value_of(b, a->value) : NULL;
    a->value = 0;
    if (!value) continue;
    int full = 0;
    for (int k = 0; k < 2 && !a->value && !full; k++) { /* the place 0 means none */
      a->value = s->values_at + (uint32_t)(s->values_to - s->values_from) + 1;
      p = s->values;
      full = put(&p, 1, &s->values_room, &s->values_from, &s->values_to, a->value ? value : &none,
                 a->value ? a->size_bytes : 1);
      s->values = p;
    }
    if (full) return full;
    s->has |= OCT_DIFF_VALUES;
  }
  return 0;
}

static int take_registers(side *s, const oct_batch *b, uint64_t first) {
  int full = 0;
  for (size_t i = 0; !full && i < b->n_facts; i++) {
    const oct_fact *f = &b->facts[i];
    const uint8_t *bytes = f->kind == OCT_FACT_REGISTER ? oct_value_of(b, f->value) : NULL;
    if (!bytes) continue;
    oct_trace_diff_register r = {
        .at = first + f->insn, .number = f->number, .n_bytes = (uint8_t)f->n_bytes};
    memcpy(r.bytes, bytes, f->n_bytes);
    void *p = s->registers;
    full = put(&p, sizeof r, &s->registers_room, &s->registers_from, &s->registers_to, &r, 1);
    s->registers = p;
    s->has |= OCT_DIFF_REGISTERS;
  }
  return full;
}

static int take_trap(side *s, const oct_trap *trap, uint64_t first) {
  const uint64_t at = first + trap->insn;
  void *p = s->traps;
  int full = put(&p, sizeof *trap, &s->traps_room, &s->traps_from, &s->traps_to, trap, 1);
  s->traps = p;
  p = s->trap_at;
  if (!full) full = put(&p, sizeof at, &s->trap_at_room, &s->trap_at_from, &s->trap_at_to, &at, 1);
  s->trap_at = p;
  return full;
}

/* Traps, and gaps in their places. */
static int take_traps(side *s, const oct_batch *b, uint64_t first) {
  size_t trap = 0;
  int full = 0;
  for (size_t i = 0; !full && i <= b->n_facts; i++) {
    const oct_fact *f = i < b->n_facts ? &b->facts[i] : NULL;
    for (; !full && trap < b->n_traps && (!f || b->traps[trap].insn <= f->insn); trap++)
      full = take_trap(s, &b->traps[trap], first);
    if (full || !f || f->kind != OCT_FACT_GAP) continue;
    const oct_trap mark = oct_gap_mark(f);
    full = take_trap(s, &mark, first);
  }
  return full;
}

static int take_batch(side *s, const oct_batch *b) {
  const uint64_t first = s->number + waiting(s);
  void *p = s->insns;
  int full =
      put(&p, sizeof *s->insns, &s->insns_room, &s->insns_from, &s->insns_to, b->insns, b->n_insns);
  s->insns = p;
  p = s->accesses;
  if (!full)
    full = put(&p, sizeof *s->accesses, &s->accesses_room, &s->accesses_from, &s->accesses_to,
               b->accesses, b->n_accesses);
  s->accesses = p;
  if (!full) full = take_values(s, b);
  if (!full) full = take_registers(s, b, first);
  if (!full) full = take_traps(s, b, first);
  for (size_t i = 0; !full && i < b->n_map; i++) {
    const oct_map_update update = {first, b->map[i]};
    p = s->entries;
    full = put(&p, sizeof update, &s->entries_room, &s->entries_from, &s->entries_to, &update, 1);
    s->entries = p;
  }
  s->has = oct_trace_diff_see(s->has, b, !s->in.tells_kinds || s->in.tells_kinds(s->in.context));
  return full;
}

static int out_of_memory(oct_diag *diag) {
  return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
}

/* Have n instructions of a trace waiting, fewer only at its end. */
static int fill(oct_trace_diff *d, unsigned number, uint64_t n, oct_diag *diag) {
  side *s = &d->of[number];
  while (!s->is_over && waiting(s) < n) {
    oct_batch batch = {.insns = NULL};
    int got = s->in.next(s->in.context, &batch, diag);
    d->failed = number;
    if (got < 0) return got;
    s->is_over = !got;
    trim(s, d->options.context_insns);
    if (got && take_batch(s, &batch)) return out_of_memory(diag);
  }
  return 0;
}

static uint64_t *checked_at(const oct_trace_diff *d, uint64_t addr) {
  return &d->checked[(addr >> 1 ^ addr >> 15) % CHECKED];
}

/* Let the map of a trace be that at its next instruction. */
static int move_map(oct_trace_diff *d, side *s, oct_diag *diag) {
  while (s->entries_from < s->entries_to && s->entries[s->entries_from].from_insn <= s->number) {
    const oct_map_entry *e = &s->entries[s->entries_from++].entry;
    if (e->flags & OCT_MAP_CONTINUES) continue;
    *checked_at(d, e->addr) = UINT64_MAX;
    if (oct_map_put(s->map, e) < 0) return out_of_memory(diag);
  }
  return 0;
}

/* Pass over n instructions that wait, and the traps before them. */
static void pass(oct_trace_diff *d, unsigned number, uint64_t n) {
  side *s = &d->of[number];
  const oct_insn *insns = insns_of(s);
  size_t n_accesses = 0;
  for (size_t i = 0; i < n; i++) n_accesses += insns[i].n_access;
  s->insns_kept += (size_t)n;
  s->accesses_kept += n_accesses;
  s->number += n;
  while (s->trap_at_from + s->traps_kept < s->trap_at_to &&
         s->trap_at[s->trap_at_from + s->traps_kept] < s->number)
    s->traps_kept++;
  while (s->registers_from + s->registers_kept < s->registers_to &&
         s->registers[s->registers_from + s->registers_kept].at < s->number)
    s->registers_kept++;
  d->counts.insns[number] += n;
  d->counts.accesses[number] += n_accesses;
}

/* The traps that wait before the next instruction; their number. */
static size_t traps_of(const side *s, const oct_trap **traps) {
  const size_t kept = s->traps_kept;
  size_t n = 0;
  *traps = s->traps + s->traps_from + kept;
  while (s->trap_at_from + kept + n < s->trap_at_to &&
         s->trap_at[s->trap_at_from + kept + n] <= s->number)
    n++;
  return n;
}

/* The registers that are told before the next instruction; their number. */
static size_t registers_of(const side *s, const oct_trace_diff_register **registers) {
  const size_t first = s->registers_from + s->registers_kept;
  size_t n = 0;
  *registers = s->registers + first;
  while (first + n < s->registers_to && s->registers[first + n].at <= s->number) n++;
  return n;
}

/* Instructions before the next trap or fact of a trace, or before the next entry of its map. */
static uint64_t undisturbed(const side *s) {
  uint64_t n = waiting(s);
  const size_t fact = s->registers_from + s->registers_kept;
  if (fact < s->registers_to && s->registers[fact].at - s->number < n)
    n = s->registers[fact].at - s->number;
  const size_t trap = s->trap_at_from + s->traps_kept;
  if (trap < s->trap_at_to && s->trap_at[trap] - s->number < n) n = s->trap_at[trap] - s->number;
  if (s->entries_from < s->entries_to && s->entries[s->entries_from].from_insn - s->number < n)
    n = s->entries[s->entries_from].from_insn - s->number;
  return n;
}

/* ---- one pair ---- */

static bool same_access(const oct_access *a, const oct_access *b, uint32_t active, bool is_strict) {
  if (a->addr != b->addr) return false;
  if (a->is_store != b->is_store && active & OCT_DIFF_ACCESS_KINDS) return false;
  if (a->size_bytes == b->size_bytes || !(active & OCT_DIFF_ACCESS_SIZES)) return true;
  return !is_strict && (!a->size_bytes || !b->size_bytes);
}

/* Bytes that follow each other, from access *i of n on. */
static oct_access join(const oct_access *a, unsigned n, unsigned *i, uint64_t *bytes) {
  const oct_access first = a[*i];
  *bytes = first.size_bytes;
  for (++*i; *i < n && a[*i].is_store == first.is_store; ++*i) {
    if (!*bytes || !a[*i].size_bytes || a[*i].addr != first.addr + *bytes) break;
    *bytes += a[*i].size_bytes;
  }
  return first;
}

/* Do both load and store the same bytes in the same order, in however many accesses? */
static bool same_bytes(const oct_access *a, unsigned n_a, const oct_access *b, unsigned n_b,
                       uint32_t active) {
  unsigned i = 0, k = 0;
  while (i < n_a && k < n_b) {
    uint64_t bytes_a, bytes_b;
    const oct_access x = join(a, n_a, &i, &bytes_a), y = join(b, n_b, &k, &bytes_b);
    if (x.addr != y.addr) return false;
    if (x.is_store != y.is_store && active & OCT_DIFF_ACCESS_KINDS) return false;
    if (bytes_a && bytes_b && bytes_a != bytes_b) return false;
  }
  return i == n_a && k == n_b;
}

static bool same_accesses(const oct_trace_diff *d, const oct_insn *x, const oct_access *a,
                          const oct_insn *y, const oct_access *b) {
  unsigned k = 0;
  if (!(d->active & OCT_DIFF_ACCESSES)) return true;
  if (x->n_access == y->n_access) {
    while (k < x->n_access && same_access(&a[k], &b[k], d->active, d->options.is_strict)) k++;
    if (k == x->n_access) return true;
  }
  return !(d->options.fields & OCT_DIFF_ACCESS_SIZES) &&
         same_bytes(a, x->n_access, b, y->n_access, d->active);
}

/* Of the same accesses. What one trace does not know is not compared, unless it is strict. */
static bool same_values(const oct_trace_diff *d, const oct_insn *x, const oct_access *a,
                        const oct_insn *y, const oct_access *b) {
  if (!(d->active & OCT_DIFF_VALUES) || x->n_access != y->n_access) return true;
  for (unsigned k = 0; k < x->n_access; k++, a++, b++) {
    const uint8_t *one = value_of(&d->of[0], a), *two = value_of(&d->of[1], b);
    if (one && two && a->size_bytes == b->size_bytes && memcmp(one, two, a->size_bytes) != 0)
      return false;
    if (d->options.is_strict && !one != !two) return false;
  }
  return true;
}

static const oct_map_head *entry_at(const side *s, uint64_t addr) {
  const uint32_t id = oct_map_find(s->map, addr);
  return id == UINT32_MAX ? NULL : oct_map_at(s->map, id);
}

/* Do the maps have the same bytes there, or one of them none? */
static bool same_code(oct_trace_diff *d, uint64_t addr) {
  uint64_t *checked = checked_at(d, addr);
  if (!(d->active & OCT_DIFF_BYTES) || *checked == addr) return true;
  const oct_map_head *a = entry_at(&d->of[0], addr), *b = entry_at(&d->of[1], addr);
  const bool has_a = a && a->code_isa, has_b = b && b->code_isa;
  if (has_a && has_b) {
    if (a->size_bytes != b->size_bytes || memcmp(a->code, b->code, a->size_bytes) != 0)
      return false;
  } else if (d->options.is_strict && has_a != has_b) {
    return false;
  }
  *checked = addr;
  return true;
}

static bool same_trap(const oct_trace_diff *d, const oct_trap *a, const oct_trap *b) {
  const bool is_strict = d->options.is_strict;
  const bool is_known =
      a->privilege != OCT_PRIVILEGE_UNKNOWN && b->privilege != OCT_PRIVILEGE_UNKNOWN;
  if (a->kind != b->kind || a->cause != b->cause) return false;
  if (a->addr != b->addr && (is_strict || (a->addr && b->addr))) return false;
  if (a->tval != b->tval && (is_strict || (a->tval && b->tval))) return false;
  return a->privilege == b->privilege || !(d->active & OCT_DIFF_PRIVILEGE) ||
         (!is_strict && !is_known);
}

static uint32_t kind_of(const oct_trap *t) {
  return t->kind == OCT_TRAP_PRIVILEGE ? OCT_DIFF_PRIVILEGE
         : t->kind == OCT_TRAP_GAP     ? OCT_DIFF_GAPS
                                       : OCT_DIFF_TRAPS;
}

/* The next trap of a kind that is compared. */
static const oct_trap *next_trap(const oct_trap **traps, size_t *n, uint32_t kind) {
  for (; *n; ++*traps, --*n) {
    if (kind_of(*traps) != kind) continue;
    --*n;
    return (*traps)++;
  }
  return NULL;
}

/* Which of the kinds of traps before the next pair differ. */
static uint32_t differing_traps(const oct_trace_diff *d) {
  static const uint32_t all[] = {OCT_DIFF_TRAPS, OCT_DIFF_PRIVILEGE, OCT_DIFF_GAPS};
  uint32_t kinds = 0;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    const uint32_t kind = all[i];
    const oct_trap *traps[OCT_DIFF_SIDES];
    size_t n[OCT_DIFF_SIDES];
    for (unsigned s = 0; s < OCT_DIFF_SIDES; s++) n[s] = traps_of(&d->of[s], &traps[s]);
    while (d->active & kind) {
      const oct_trap *a = next_trap(&traps[0], &n[0], kind);
      const oct_trap *b = next_trap(&traps[1], &n[1], kind);
      if ((!a) != (!b) || (a && !same_trap(d, a, b))) kinds |= kind;
      if (!a || !b) break;
    }
  }
  return kinds;
}

const oct_trace_diff_register *oct_trace_diff_find_register(const oct_trace_diff_register *r,
                                                            size_t n, unsigned number) {
  while (n && r[n - 1].number != number) n--;
  return n ? &r[n - 1] : NULL;
}

/* Whether registers that both traces tell before the next pair differ; strict: or one tells others.
 */
static bool same_registers(const oct_trace_diff *d) {
  const oct_trace_diff_register *r[OCT_DIFF_SIDES];
  size_t n[OCT_DIFF_SIDES];
  if (!(d->active & OCT_DIFF_REGISTERS)) return true;
  for (unsigned s = 0; s < OCT_DIFF_SIDES; s++) n[s] = registers_of(&d->of[s], &r[s]);
  for (unsigned s = 0; s < OCT_DIFF_SIDES; s++)
    for (size_t i = 0; i < n[s]; i++) {
      const oct_trace_diff_register *a = oct_trace_diff_find_register(r[s], n[s], r[s][i].number);
      const oct_trace_diff_register *b = oct_trace_diff_find_register(r[!s], n[!s], a->number);
      if (b ? a->n_bytes != b->n_bytes || memcmp(a->bytes, b->bytes, a->n_bytes) != 0
            : d->options.is_strict)
        return false;
    }
  return true;
}

static bool same_size(const oct_trace_diff *d, const oct_insn *x, const oct_insn *y) {
  return x->size_bytes == y->size_bytes || !(d->active & OCT_DIFF_SIZES) ||
         (!d->options.is_strict && (x->flags | y->flags) & OCT_INSN_SIZE_ASSUMED);
}

/* Which fields of the next instructions of both, at one address, differ. */
static uint32_t differing_fields(oct_trace_diff *d) {
  const oct_insn *x = insns_of(&d->of[0]), *y = insns_of(&d->of[1]);
  uint32_t kinds = differing_traps(d);
  if (!same_size(d, x, y)) kinds |= OCT_DIFF_SIZES;
  if (x->task != y->task) kinds |= OCT_DIFF_TASKS;
  if (!same_accesses(d, x, accesses_of(&d->of[0]), y, accesses_of(&d->of[1])))
    kinds |= OCT_DIFF_ACCESSES;
  else if (!same_values(d, x, accesses_of(&d->of[0]), y, accesses_of(&d->of[1])))
    kinds |= OCT_DIFF_VALUES;
  if (!same_registers(d)) kinds |= OCT_DIFF_REGISTERS;
  if (!same_code(d, x->addr)) kinds |= OCT_DIFF_BYTES;
  return kinds & d->active;
}

/* How many pairs of what waits are equal without a closer look. */
static uint64_t equal_run(oct_trace_diff *d) {
  const oct_insn *x = insns_of(&d->of[0]), *y = insns_of(&d->of[1]);
  const oct_access *a = accesses_of(&d->of[0]), *b = accesses_of(&d->of[1]);
  const uint64_t n_a = undisturbed(&d->of[0]), n_b = undisturbed(&d->of[1]);
  const uint64_t n = n_a < n_b ? n_a : n_b;
  const bool tasks = d->active & OCT_DIFF_TASKS, code = d->active & OCT_DIFF_BYTES;
  uint64_t i = 0;
  for (; i < n; i++, x++, y++) {
    if (x->addr != y->addr || !same_size(d, x, y) || (tasks && x->task != y->task)) break;
    if ((x->n_access | y->n_access) &&
        !(same_accesses(d, x, a, y, b) && same_values(d, x, a, y, b)))
      break;
    if (code && *checked_at(d, x->addr) != x->addr && !same_code(d, x->addr)) break;
    a += x->n_access;
    b += y->n_access;
  }
  return i;
}

/* ---- the nearest place from which both go on alike ---- */

typedef struct place {
  size_t at[OCT_DIFF_SIDES];
} place;

/* The addresses that wait, up to n of them, and marks where the trace ends among them. */
static size_t collect(const oct_trace_diff *d, unsigned number, size_t n) {
  const side *s = &d->of[number];
  const size_t n_waiting = waiting(s);
  const oct_insn *insns = insns_of(s);
  uint64_t *keys = d->keys[number];
  if (n > n_waiting) n = n_waiting;
  for (size_t i = 0; i < n; i++) keys[i] = insns[i].addr;
  if (!s->is_over || n < n_waiting) return n;
  for (unsigned k = 0; k < PIECE_MAX; k++) keys[n + k] = UINT64_MAX;
  return n + PIECE_MAX;
}

static uint64_t hash_piece(const uint64_t *keys, unsigned n) {
  uint64_t h = 0;
  for (unsigned k = 0; k < n; k++) h = (h ^ keys[k]) * UINT64_C(0x9E3779B97F4A7C15) + (h >> 29);
  return h ^ h >> 32;
}

/* Where the table has the piece that begins keys, or would have it. */
static uint32_t *find_piece(const oct_trace_diff *d, const uint64_t *keys, unsigned n,
                            size_t mask) {
  size_t slot = hash_piece(keys, n) & mask;
  while (d->table[slot] && memcmp(keys, d->keys[1] + (d->table[slot] - 1), n * sizeof *keys) != 0)
    slot = (slot + 1) & mask;
  return &d->table[slot];
}

/* The nearest place, at most `reach` instructions away in either trace, where `piece` of them are
 * the same. */
static bool find_place(const oct_trace_diff *d, const size_t *n_keys, unsigned piece, size_t reach,
                       place *found) {
  size_t best = SIZE_MAX, mask = 63;
  if (n_keys[0] < piece || n_keys[1] < piece) return false;
  while (mask < 2 * (reach + 1)) mask = 2 * mask + 1;
  memset(d->table, 0, (mask + 1) * sizeof *d->table);
  for (size_t j = 0; j <= reach && j + piece <= n_keys[1]; j++) {
    uint32_t *slot = find_piece(d, d->keys[1] + j, piece, mask);
    if (!*slot) *slot = (uint32_t)j + 1; /* the first of those that are the same */
  }
  for (size_t i = 0; i <= reach && i < best && i + piece <= n_keys[0]; i++) {
    const uint32_t slot = *find_piece(d, d->keys[0] + i, piece, mask);
    if (!slot || i + slot - 1 >= best) continue;
    best = i + slot - 1;
    *found = (place){{i, slot - 1}};
  }
  return best < SIZE_MAX;
}

static int resynchronise(oct_trace_diff *d, place *found, bool *is_found, oct_diag *diag) {
  static const struct {
    unsigned piece;
    size_t reach; /* of both together; 0: the window of each */
  } steps[] = {{4, 8}, {8, 64}, {PIECE_MAX, 0}, {4, 0}};
  const size_t window = d->options.window_insns;
  size_t n_keys[OCT_DIFF_SIDES];
  *is_found = false;
  for (unsigned s = 0; s < OCT_DIFF_SIDES; s++) {
    int error = fill(d, s, window + PIECE_MAX, diag);
    if (error) return error;
  }
  for (unsigned s = 0; s < OCT_DIFF_SIDES; s++) n_keys[s] = collect(d, s, window + PIECE_MAX);
  for (unsigned k = 0; !*is_found && k < sizeof steps / sizeof *steps; k++) {
    const size_t reach = steps[k].reach && steps[k].reach < window ? steps[k].reach : window;
    *is_found = find_place(d, n_keys, steps[k].piece, reach, found) &&
                (!steps[k].reach || found->at[0] + found->at[1] <= steps[k].reach);
  }
  return 0;
}

/* ---- the whole ---- */

static void count(oct_trace_diff *d, uint32_t kinds) {
  d->counts.differences++;
  for (unsigned k = 0; k < OCT_DIFF_KINDS; k++) d->counts.of_kind[k] += kinds >> k & 1;
}

/* Take up what both traces have had by now. */
static void activate(oct_trace_diff *d) {
  const uint32_t both = d->options.is_strict ? OCT_DIFF_FIELDS : d->of[0].has & d->of[1].has;
  const uint32_t fresh = both & d->options.fields & ~d->active;
  d->active |= fresh;
  const uint64_t *accesses = d->counts.early_accesses, *traps = d->counts.early_traps;
  if (fresh & OCT_DIFF_ACCESSES && (accesses[0] || accesses[1])) count(d, OCT_DIFF_ACCESSES);
  if (fresh & OCT_DIFF_TRAPS && (traps[0] || traps[1])) count(d, OCT_DIFF_TRAPS);
}

/* Count what is not compared, since one trace has had none so far. */
static void count_early(oct_trace_diff *d, uint64_t n) {
  const uint32_t left_out = d->options.fields & ~d->active & (d->of[0].has | d->of[1].has);
  const oct_insn *x = insns_of(&d->of[0]), *y = insns_of(&d->of[1]);
  for (size_t i = 0; i < n; i++) {
    const bool a = x[i].flags & OCT_INSN_SIZE_ASSUMED, b = y[i].flags & OCT_INSN_SIZE_ASSUMED;
    d->counts.unsized[0] += a && !b;
    d->counts.unsized[1] += b && !a;
  }
  for (unsigned s = 0; s < OCT_DIFF_SIDES && left_out & (OCT_DIFF_ACCESSES | OCT_DIFF_TRAPS); s++) {
    const oct_insn *insns = insns_of(&d->of[s]);
    const oct_trap *traps;
    for (size_t i = 0; i < n && left_out & OCT_DIFF_ACCESSES; i++)
      d->counts.early_accesses[s] += insns[i].n_access;
    size_t n_traps = n && left_out & OCT_DIFF_TRAPS ? traps_of(&d->of[s], &traps) : 0;
    for (size_t i = 0; i < n_traps; i++)
      d->counts.early_traps[s] += kind_of(&traps[i]) == OCT_DIFF_TRAPS;
  }
}

/* Count the values of the next n instructions, and the registers in front of them, that only one
 * trace tells. */
static void count_unknown(oct_trace_diff *d, uint64_t n) {
  const oct_insn *x = insns_of(&d->of[0]), *y = insns_of(&d->of[1]);
  const oct_access *a = accesses_of(&d->of[0]), *b = accesses_of(&d->of[1]);
  const oct_trace_diff_register *r[OCT_DIFF_SIDES];
  size_t n_told[OCT_DIFF_SIDES];
  const bool values = (d->of[0].has | d->of[1].has) & d->options.fields & OCT_DIFF_VALUES;
  for (uint64_t i = 0; i < n && values; a += x[i].n_access, b += y[i].n_access, i++)
    for (unsigned k = 0; k < x[i].n_access && x[i].n_access == y[i].n_access; k++) {
      d->counts.unvalued[0] += !a[k].value && b[k].value;
      d->counts.unvalued[1] += a[k].value && !b[k].value;
    }
  for (unsigned s = 0; s < OCT_DIFF_SIDES; s++) n_told[s] = registers_of(&d->of[s], &r[s]);
  for (unsigned s = 0; s < OCT_DIFF_SIDES; s++)
    for (size_t i = 0; i < n_told[s]; i++)
      d->counts.untold[!s] +=
          &r[s][i] == oct_trace_diff_find_register(r[s], n_told[s], r[s][i].number) &&
          !oct_trace_diff_find_register(r[!s], n_told[!s], r[s][i].number);
}

/* Pass over the difference that was found last. A return from a handler that only one trace has
 * changes the privilege behind it in that one. */
static int pass_due(oct_trace_diff *d, oct_diag *diag) {
  for (unsigned s = 0; s < OCT_DIFF_SIDES; s++) {
    side *one = &d->of[s];
    uint64_t passed = 0;
    for (; d->due[s]; d->due[s] -= passed) {
      int error = fill(d, s, 1, diag);
      if (error) return error;
      passed = waiting(one) < d->due[s] ? waiting(one) : d->due[s];
      if (!passed) break;
      pass(d, s, passed);
    }
    const oct_trap *traps;
    for (size_t n = d->due_is_path && passed ? traps_of(one, &traps) : 0; n; n--, traps++) {
      if (traps->kind != OCT_TRAP_PRIVILEGE) break;
      one->traps_kept++;
    }
    d->due[s] = 0;
  }
  return 0;
}

/* One trace is over, and nothing of it waits: the rest of the other one. */
static int count_rest(oct_trace_diff *d, unsigned s, oct_diag *diag) {
  for (;;) {
    int error = fill(d, s, 1, diag);
    const size_t n = waiting(&d->of[s]);
    if (error || !n) return error;
    pass(d, s, n);
    if (d->options.is_open_end)
      d->counts.after[s] += n;
    else
      d->counts.only[s] += n;
  }
}

/* Both traces went on otherwise: the rest of both. */
static int count_uncompared(oct_trace_diff *d, oct_diag *diag) {
  int error = 0;
  const oct_trace_diff_counts counts = d->counts;
  d->due_is_lost = false;
  for (unsigned s = 0; !error && s < OCT_DIFF_SIDES; s++) {
    size_t n;
    while (!(error = fill(d, s, 1, diag)) && (n = waiting(&d->of[s])) > 0) pass(d, s, n);
  }
  const oct_trace_diff_counts all = d->counts;
  d->counts = counts;
  for (unsigned s = 0; s < OCT_DIFF_SIDES; s++)
    d->counts.uncompared[s] = all.insns[s] - counts.insns[s];
  return error;
}

static int find_start(oct_trace_diff *d, oct_diag *diag) {
  for (unsigned s = 0; s < OCT_DIFF_SIDES; s++)
    for (;;) {
      int error = fill(d, s, 1, diag);
      if (error) return error;
      if (!waiting(&d->of[s]))
        return oct_fail(diag, OCT_ERR_ARG,
                        "no instruction at the start address 0x%" PRIx64 " in the %" PRIu64
                        " instruction%s of the trace",
                        d->options.start_addr, d->counts.before[s], OCT_S(d->counts.before[s]));
      const oct_insn *insns = insns_of(&d->of[s]);
      const size_t n = waiting(&d->of[s]);
      size_t i = 0;
      while (i < n && insns[i].addr != d->options.start_addr) i++;
      pass(d, s, i);
      d->counts.before[s] += i;
      if (i < n) break;
    }
  memset(d->counts.insns, 0, sizeof d->counts.insns);
  memset(d->counts.accesses, 0, sizeof d->counts.accesses);
  return 0;
}

static int begin(oct_trace_diff *d, oct_diag *diag) {
  d->has_begun = true;
  int error = d->options.has_start ? find_start(d, diag) : 0;
  for (unsigned s = 0; !error && s < OCT_DIFF_SIDES; s++) error = fill(d, s, FIRST_INSNS, diag);
  return error;
}

/* The difference of these kinds at the next instructions, n of each trace. With its context. */
static int report(oct_trace_diff *d, oct_trace_difference *f, uint32_t kinds, const uint64_t *n,
                  oct_diag *diag) {
  *f = (oct_trace_difference){.kinds = kinds};
  for (unsigned s = 0; s < OCT_DIFF_SIDES; s++) {
    f->at[s] = d->of[s].number;
    f->n[s] = d->due[s] = n[s];
    int error = fill(d, s, n[s] + d->options.context_insns, diag);
    if (error) return error;
  }
  d->due_is_path = kinds & OCT_DIFF_PATH;
  return 1;
}

/* Other instructions come next. */
static int other_path(oct_trace_diff *d, oct_trace_difference *f, oct_diag *diag) {
  const bool is_first = !d->counts.insns[0] && !d->counts.insns[1];
  place found = {{0, 0}};
  bool is_found;
  int got = resynchronise(d, &found, &is_found, diag);
  if (got) return got;
  if (!is_found) /* as far as was looked */
    for (unsigned s = 0; s < OCT_DIFF_SIDES; s++) {
      found.at[s] = waiting(&d->of[s]);
      if (found.at[s] > d->options.window_insns) found.at[s] = d->options.window_insns;
    }
  const uint64_t n[OCT_DIFF_SIDES] = {found.at[0], found.at[1]};
  got = report(d, f, OCT_DIFF_PATH, n, diag);
  if (got < 0) return got;
  f->is_lost = d->due_is_lost = d->is_done = !is_found;
  f->is_start = is_first && is_found && (!n[0] || !n[1]);
  const bool counts = !f->is_start || d->options.is_exact_start;
  if (counts) count(d, f->kinds);
  for (unsigned s = 0; s < OCT_DIFF_SIDES; s++)
    *(counts ? &d->counts.only[s] : &d->counts.before[s]) += n[s];
  return 1;
}

/* At least one trace has no more instructions. 1: a difference. */
static int at_end(oct_trace_diff *d, oct_trace_difference *f, oct_diag *diag) {
  const uint64_t n[OCT_DIFF_SIDES] = {waiting(&d->of[0]), waiting(&d->of[1])};
  uint32_t kinds = OCT_DIFF_PATH;
  if (!n[0] && !n[1]) kinds = differing_traps(d) | (same_registers(d) ? 0 : OCT_DIFF_REGISTERS);
  d->is_done = true;
  if (!kinds) count_unknown(d, 0);
  if (!kinds || (d->options.is_open_end && kinds & OCT_DIFF_PATH)) {
    int error = 0;
    for (unsigned s = 0; !error && s < OCT_DIFF_SIDES; s++) error = count_rest(d, s, diag);
    return error;
  }
  int got = report(d, f, kinds, n, diag);
  f->is_end = kinds & OCT_DIFF_PATH;
  d->due_is_end = f->is_end;
  if (got == 1) count(d, kinds);
  return got;
}

int oct_trace_diff_next(oct_trace_diff *d, oct_trace_difference *f, oct_diag *diag) {
  int error = d->has_begun ? 0 : begin(d, diag);
  if (!error && d->due_is_end) { /* of which only the first instructions were read */
    d->due_is_end = false;
    for (unsigned s = 0; !error && s < OCT_DIFF_SIDES; s++) error = count_rest(d, s, diag);
    return error;
  }
  if (!error) error = pass_due(d, diag);
  if (!error && d->due_is_lost) error = count_uncompared(d, diag);
  while (!error && !d->is_done) {
    for (unsigned s = 0; !error && s < OCT_DIFF_SIDES; s++) {
      error = fill(d, s, 1, diag);
      if (!error) error = move_map(d, &d->of[s], diag);
    }
    if (error) return error;
    activate(d);
    if (!waiting(&d->of[0]) || !waiting(&d->of[1])) return at_end(d, f, diag);
    uint64_t n = equal_run(d);
    if (!n) {
      const bool is_path = insns_of(&d->of[0])->addr != insns_of(&d->of[1])->addr;
      if (is_path) return other_path(d, f, diag);
      const uint32_t kinds = differing_fields(d);
      if (kinds) {
        const uint64_t one[OCT_DIFF_SIDES] = {1, 1};
        int got = report(d, f, kinds, one, diag);
        if (got == 1) count(d, kinds);
        return got;
      }
      n = 1;
    }
    count_early(d, n);
    count_unknown(d, n);
    d->counts.equal_insns += n;
    for (unsigned s = 0; s < OCT_DIFF_SIDES; s++) pass(d, s, n);
  }
  return error;
}

/* The n accesses with values that are counted from the first of the queue's bytes. */
static void see_values(side *s, unsigned n, oct_trace_diff_insn *view) {
  oct_access *seen = s->values ? oct_grown(s->seen, &s->seen_room, n, sizeof *seen) : NULL;
  if (!seen) return;
  s->seen = seen;
  for (unsigned k = 0; k < n; k++) {
    seen[k] = view->accesses[k];
    if (seen[k].value) seen[k].value = (uint32_t)place_of(s, &seen[k]) + 1;
  }
  view->accesses = seen;
  view->values = s->values;
}

bool oct_trace_diff_look(oct_trace_diff *d, unsigned number, uint64_t at,
                         oct_trace_diff_insn *view) {
  side *s = &d->of[number];
  const uint64_t first = s->number - s->insns_kept, end = s->number + waiting(s);
  *view = (oct_trace_diff_insn){.insn = NULL};
  if (at < first || at > end || (at == end && !s->is_over)) return false;
  size_t trap = s->trap_at_from;
  while (trap < s->trap_at_to && s->trap_at[trap] < at) trap++;
  view->traps = s->traps + s->traps_from + (trap - s->trap_at_from);
  while (trap + view->n_traps < s->trap_at_to && s->trap_at[trap + view->n_traps] == at)
    view->n_traps++;
  size_t fact = s->registers_from;
  while (fact < s->registers_to && s->registers[fact].at < at) fact++;
  view->registers = s->registers + fact;
  while (fact + view->n_registers < s->registers_to && view->registers[view->n_registers].at == at)
    view->n_registers++;
  if (at == end) return view->n_traps || view->n_registers;
  const oct_insn *insns = s->insns + s->insns_from;
  view->insn = &insns[at - first];
  view->accesses = s->accesses + s->accesses_from;
  for (uint64_t i = 0; i < at - first; i++) view->accesses += insns[i].n_access;
  see_values(s, view->insn->n_access, view);
  view->entry = entry_at(s, view->insn->addr);
  for (size_t i = s->entries_from; i < s->entries_to && s->entries[i].from_insn <= at; i++)
    if (s->entries[i].entry.addr == view->insn->addr &&
        !(s->entries[i].entry.flags & OCT_MAP_CONTINUES))
      view->entry = &s->entries[i].entry.head;
  return true;
}
