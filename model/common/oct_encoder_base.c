/* SPDX-License-Identifier: Apache-2.0 */
/* oct_encoder_base.c - what encoders have in common, whatever their format.
 *
 * A batch is cut where map updates take place, each instruction is looked up in the map, and the
 * format gets it with the one that follows, since most formats send an instruction only when its
 * successor is known. Port bytes wait until they are taken. */
#include "oct_encoder_base.h"

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

static void drop_taken_traps(oct_encoder_base *e) {
  size_t taken = e->traps_at * sizeof(oct_encoder_trap);
  e->traps.n_bytes -= taken;
  if (taken && e->traps.n_bytes) memmove(e->traps.bytes, e->traps.bytes + taken, e->traps.n_bytes);
  e->traps_at = 0;
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
