/* SPDX-License-Identifier: Apache-2.0 */
/* oct_etrace_join.c - instructions of one side and accesses of the other put together.
 *
 * Both sides are queues. An instruction whose map entry has slots waits until so many accesses of
 * its kind are there; one of variable number waits for the mark that ends its accesses. The two
 * accesses of an atomic packet are never parted: a program that says less of an instruction (a
 * store where a simulator records load and store) gets both. Loads and stores that the map has the
 * other way round belong to another instruction: nothing is handed out from there on.
 * Instructions leave in their order. */
#include "oct_etrace_join.h"

/* In the queue: the size of an entry that ends an instruction's accesses; is_store of a store, and
 * of the load of an atomic packet, whose store follows. */
enum { END_MARK = 0xff, IS_STORE = 1, IS_FIRST_OF_TWO = 2 };

int oct_et_join_insn(oct_et_join *j, const oct_insn *insn, const oct_map_entry *e) {
  oct_et_joined *p = (oct_et_joined *)(void *)oct_buffer_room(&j->insns, sizeof *p);
  if (!p) return OCT_ERR_NOMEM;
  p->insn = *insn;
  p->n_slots = j->cfg->p.data ? e->n_slots : 0;
  p->is_open = j->cfg->p.data && (e->flags & OCT_MAP_VARIABLE);
  p->stores = 0;
  for (unsigned s = 0; s < OCT_SLOTS_MAX; s++)
    if (e->slots[s] & OCT_SLOT_STORE) p->stores |= (uint16_t)(1u << s);
  j->insns.n_bytes += sizeof *p;
  return 0;
}

static int add_access(oct_et_join *j, uint64_t addr, uint8_t size_bytes, uint8_t is_store) {
  oct_access a = {.addr = addr, .size_bytes = size_bytes, .is_store = is_store};
  return oct_buffer_put(&j->accesses, &a, sizeof a);
}

int oct_et_join_data(oct_et_join *j, const oct_et_data *d) {
  if (d->kind == OCT_ET_FAILED) return add_access(j, 0, END_MARK, 0);
  uint32_t size = d->size_log2;
  uint64_t addr = d->is_unaligned ? d->address : d->address << size;
  if (d->is_diff) {
    if (!(j->has_last_data >> size & 1)) return OCT_ERR_PACKET;
    addr += j->last_data[size];
  }
  addr &= j->cfg->addr_mask;
  j->last_data[size] = addr;
  j->has_last_data |= (uint8_t)(1u << size);
  uint8_t bytes = (uint8_t)(size == 7 ? 0 : 1u << size);
  int rc = add_access(j, addr, bytes,
                      d->kind == OCT_ET_STORE    ? IS_STORE
                      : d->kind == OCT_ET_ATOMIC ? IS_FIRST_OF_TWO
                                                 : 0);
  return rc || d->kind != OCT_ET_ATOMIC ? rc : add_access(j, addr, bytes, IS_STORE);
}

/* The accesses of one instruction: true if all are there. *n gets their number, *n_used what of
 * the queue they are, the mark of the end included. */
static bool complete(const oct_et_joined *p, const oct_access *a, size_t there, size_t *n,
                     size_t *n_used) {
  size_t most = p->is_open ? UINT16_MAX : p->n_slots;
  for (*n = 0; *n < most; ++*n) {
    if (*n == there) return false;
    if (a[*n].size_bytes == END_MARK) {
      *n_used = *n + 1;
      return true;
    }
  }
  if (*n && a[*n - 1].is_store == IS_FIRST_OF_TWO) ++*n;
  *n_used = *n;
  return *n <= there;
}

/* Are the accesses loads and stores as the map entry has them? */
static bool fits(const oct_et_joined *p, const oct_access *a, size_t n) {
  if (p->is_open || n > p->n_slots) return true;
  for (size_t i = 0; i < n && i < OCT_SLOTS_MAX; i++)
    if ((a[i].is_store == IS_STORE) != (p->stores >> i & 1)) return false;
  return true;
}

/* Hand out the accesses of an instruction. */
static int put_accesses(oct_et_join *j, const oct_access *a, size_t n) {
  oct_access *to = (oct_access *)(void *)oct_buffer_room(&j->out_accesses, n * sizeof *a);
  if (!to) return OCT_ERR_NOMEM;
  for (size_t i = 0; i < n; i++) {
    to[i] = a[i];
    to[i].is_store = a[i].is_store == IS_STORE;
  }
  j->out_accesses.n_bytes += n * sizeof *a;
  return 0;
}

int oct_et_join_take(oct_et_join *j, oct_batch *batch) {
  const oct_et_joined *p = (const oct_et_joined *)(void *)j->insns.bytes;
  const oct_access *a = (const oct_access *)(void *)j->accesses.bytes;
  size_t n_insns = j->insns.n_bytes / sizeof *p, n_accesses = j->accesses.n_bytes / sizeof *a;
  j->out_insns.n_bytes = j->out_accesses.n_bytes = 0;
  oct_insn *out = (oct_insn *)(void *)oct_buffer_room(&j->out_insns,
                                                      (n_insns - j->first_insn) * sizeof *out + 1);
  if (!out) return OCT_ERR_NOMEM;
  size_t taken = 0, n, n_used;
  for (; j->first_insn < n_insns; j->first_insn++) {
    const oct_et_joined *next = &p[j->first_insn];
    out[taken] = next->insn;
    if (next->n_slots || next->is_open) {
      const oct_access *mine = a ? a + j->first_access : NULL;
      if (!complete(next, mine, n_accesses - j->first_access, &n, &n_used)) break;
      if (!fits(next, mine, n)) break;
      out[taken].n_access = (uint16_t)n;
      if (next->is_open || n < next->n_slots) out[taken].flags |= OCT_INSN_END;
      if (n && put_accesses(j, mine, n)) return OCT_ERR_NOMEM;
      j->first_access += n_used;
    }
    taken++;
  }
  batch->insns = out;
  batch->n_insns = taken;
  batch->accesses = (const oct_access *)(void *)j->out_accesses.bytes;
  batch->n_accesses = j->out_accesses.n_bytes / sizeof *a;
  /* What is left moves to the front once it is the smaller part. */
  if (j->first_insn * 2 >= n_insns && n_insns) {
    j->insns.n_bytes -= j->first_insn * sizeof *p;
    memmove(j->insns.bytes, p + j->first_insn, j->insns.n_bytes);
    j->first_insn = 0;
  }
  if (j->first_access * 2 >= n_accesses && n_accesses) {
    j->accesses.n_bytes -= j->first_access * sizeof *a;
    memmove(j->accesses.bytes, a + j->first_access, j->accesses.n_bytes);
    j->first_access = 0;
  }
  return 0;
}
