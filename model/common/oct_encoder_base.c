/* SPDX-License-Identifier: Apache-2.0 */
/* oct_encoder_base.c - what encoders have in common, whatever their format.
 *
 * A batch is cut where map updates take place, each instruction is looked up in the map, and the
 * format gets it with the one that follows, since most formats send an instruction only when its
 * successor is known. Port bytes wait until they are taken. */
#include "oct_encoder_base.h"

#include "oct_state_struct.h"

#include <inttypes.h>

int oct_encoder_base_create(const oct_tracer *t, size_t n_bytes,
                            int (*init)(void *e, const uint32_t *params, oct_diag *diag),
                            const uint32_t *params, const oct_run_options *run, void **out,
                            oct_diag *diag) {
  *out = NULL;
  int rc = oct_tracer_check(t, params, diag);
  if (!rc) rc = oct_tracer_check_run(t, run, diag);
  if (rc) return rc;
  oct_encoder_base *e = calloc(1, n_bytes);
  if (!e) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  e->trap_at = UINT64_MAX;
  rc = oct_map_walk_init(&e->walk) ? oct_fail(diag, OCT_ERR_NOMEM, "out of memory")
                                   : init(e, params, diag);
  if (rc) {
    t->encoder.destroy(e);
    return rc;
  }
  *out = e;
  return 0;
}

int oct_encoder_base_refuse_isa(const char *isa, const char *carries, oct_diag *diag) {
  if (!isa || !strcmp(isa, "unknown"))
    return oct_fail(diag, OCT_ERR_UNSUPPORTED,
                    "a trace that does not name its instruction set: %s; give the program with "
                    "--elf, or its instruction set with --isa",
                    carries);
  return oct_fail(diag, OCT_ERR_UNSUPPORTED, "a trace of instruction set '%s': %s", isa, carries);
}

void oct_encoder_base_destroy(void *encoder) {
  oct_encoder_base *e = encoder;
  if (!e) return;
  oct_buffer_free(&e->out);
  oct_buffer_free(&e->traps);
  oct_map_walk_free(&e->walk);
  free(e);
}

size_t oct_encoder_base_take(void *encoder, const uint8_t **bytes) {
  oct_encoder_base *e = encoder;
  size_t n = e->out.n_bytes;
  *bytes = e->out.bytes;
  e->out.n_bytes = 0; /* the next call writes over them */
  return n;
}

void oct_buffer_state(oct_buffer *b, oct_state *io) {
  uint64_t n = b->n_bytes;
  oct_state_move(io, &n, sizeof n);
  b->n_bytes = 0;
  if (n && !oct_buffer_room(b, n)) io->error = OCT_ERR_NOMEM;
  oct_state_move(io, b->bytes, n);
  b->n_bytes = io->error ? 0 : n;
}

/* Slots beyond those of an entry, as the updates that made them. */
static void move_slots(oct_map *map, const oct_map_entry *entry, bool is_held, oct_state *io) {
  uint64_t n = 0;
  uint32_t id = is_held ? oct_map_find(map, entry->addr) : 0;
  if (is_held) n = oct_map_slots_beyond(map, id);
  oct_state_move(io, &n, sizeof n);
  for (uint64_t from = 0; from < n && !io->error; from += OCT_SLOTS_MAX) {
    uint64_t left = n - from;
    oct_map_entry more = {.addr = entry->addr, .flags = OCT_MAP_CONTINUES};
    more.target = OCT_SLOTS_MAX + from;
    more.n_slots = (uint8_t)(left < OCT_SLOTS_MAX ? left : OCT_SLOTS_MAX);
    for (unsigned s = 0; is_held && s < more.n_slots; s++)
      more.slots[s] = oct_map_slot(map, oct_map_at(map, id), (unsigned)(OCT_SLOTS_MAX + from + s));
    oct_state_move(io, more.slots, sizeof more.slots);
    if (!is_held && !io->error && oct_map_put(map, &more) < 0) io->error = OCT_ERR_NOMEM;
  }
}

/* Entries keep their numbers. */
void oct_map_state(oct_map *map, oct_state *io) {
  uint64_t held = oct_map_count(map), n = held;
  oct_state_move(io, &n, sizeof n);
  for (uint64_t i = 0; i < n && !io->error; i++) {
    oct_map_entry entry = {0};
    if (i < held) entry = *oct_map_at(map, (uint32_t)i);
    oct_state_move(io, &entry, sizeof entry);
    if (i >= held && !io->error && oct_map_put(map, &entry) < 0) io->error = OCT_ERR_NOMEM;
    move_slots(map, &entry, i < held, io);
  }
}

static void move_walk(oct_map_walk *w, oct_state *io) {
  uint64_t held = w->n - w->at, n = held;
  oct_map_state(w->map, io);
  oct_state_move(io, &n, sizeof n);
  for (uint64_t i = 0; i < n && !io->error; i++) {
    oct_map_update update = {0};
    if (i < held) update = w->updates[w->at + i];
    oct_state_move(io, &update, sizeof update);
    if (i >= held && !io->error) io->error = oct_map_walk_add(w, &update, 1);
  }
}

static void drop_taken_traps(oct_encoder_base *e) {
  size_t taken = e->traps_at * sizeof(oct_encoder_trap);
  e->traps.n_bytes -= taken;
  if (taken && e->traps.n_bytes) memmove(e->traps.bytes, e->traps.bytes + taken, e->traps.n_bytes);
  e->traps_at = 0;
}

void oct_encoder_base_state(void *encoder, oct_state *io) {
  oct_encoder_base *e = encoder;
  drop_taken_traps(e);
#define KEPT(X) X(out) X(walk) X(traps)
  OCT_STATE_MOVE_BUT(io, oct_encoder_base, e, KEPT);
#undef KEPT
  oct_buffer_state(&e->out, io);
  oct_buffer_state(&e->traps, io);
  move_walk(&e->walk, io);
}

int oct_encoder_base_put(void *encoder, const oct_tracer_input *in, oct_put_followed *put_followed,
                         oct_diag *diag) {
  oct_encoder_base *e = encoder;
  int rc;
  if (oct_map_walk_add(&e->walk, in->updates, in->n_updates))
    return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  if (!in->n_insns) return 0;
  if (e->has_held) {
    const oct_insn pair[2] = {e->held, in->insns[0]};
    if ((rc = put_followed(e, pair, 2, diag))) return rc;
  }
  if ((rc = put_followed(e, in->insns, in->n_insns, diag))) return rc;
  e->held = in->insns[in->n_insns - 1];
  e->has_held = true;
  return 0;
}

static const oct_encoder_trap *traps_of(const oct_encoder_base *e, size_t *n) {
  *n = e->traps.n_bytes / sizeof(oct_encoder_trap);
  return (const oct_encoder_trap *)(const void *)e->traps.bytes;
}

static void find_next_trap(oct_encoder_base *e) {
  size_t n;
  const oct_encoder_trap *t = traps_of(e, &n);
  e->trap_at = e->traps_at < n ? t[e->traps_at].insn : UINT64_MAX;
}

int oct_encoder_base_keep_traps(void *encoder, const oct_tracer_input *in) {
  oct_encoder_base *e = encoder;
  uint64_t first = e->insn + e->has_held;
  if (!in->n_traps) return 0;
  drop_taken_traps(e);
  for (size_t i = 0; i < in->n_traps; i++) {
    const oct_encoder_trap t = {first + in->traps[i].insn, in->traps[i]};
    if (oct_buffer_put(&e->traps, &t, sizeof t)) return OCT_ERR_NOMEM;
  }
  find_next_trap(e);
  return 0;
}

const oct_encoder_trap *oct_encoder_base_traps(void *encoder, uint64_t insn, bool is_taken,
                                               size_t *n) {
  oct_encoder_base *e = encoder;
  size_t all, from = e->traps_at;
  const oct_encoder_trap *t = traps_of(e, &all);
  *n = 0;
  if (e->trap_at > insn || from == all) return NULL;
  while (from < all && t[from].insn < insn) from++;
  while (from + *n < all && t[from + *n].insn == insn) ++*n;
  if (is_taken) {
    e->traps_at = from + *n;
    find_next_trap(e);
  }
  return t + from;
}

int oct_encoder_base_flush(void *encoder,
                           int (*put_last)(void *e, const oct_insn *insn, oct_diag *diag),
                           oct_diag *diag) {
  oct_encoder_base *e = encoder;
  if (!e->has_held) return 0;
  e->has_held = false;
  int rc = put_last(e, &e->held, diag);
  e->insn++;
  return rc;
}

int oct_encoder_base_check_class(const oct_encoder_base *e, const oct_insn *insn, oct_diag *diag) {
  if (e->seen_class || oct_insn_class(insn) != OCT_CLASS_UNKNOWN) return 0;
  return oct_fail_insn(diag, OCT_ERR_UNSUPPORTED, e->insn, insn->addr,
                       "an unknown instruction jumps: this format needs the classes of "
                       "instructions; give the program with --elf");
}
