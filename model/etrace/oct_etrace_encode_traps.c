/* SPDX-License-Identifier: Apache-2.0 */
/* oct_etrace_encode_traps.c - traps into E-Trace packets.
 *
 * A trap is a packet of format 3.1. With thaddr it is also the sync at the handler; the decoder
 * knows then where the program was to go on, from the last instruction. That needs a handler whose
 * first instruction retired. Otherwise, as for the first of two traps in a row, thaddr is 0 and
 * the address is that of the instruction that did not retire; a sync follows, or the next trap. A
 * change of privilege is a packet of format 3.2.
 *
 * A jump that nothing explains is a packet of format 3.1, too: an interrupt whose cause is all
 * ones, which no trap may have. */
#include "oct_etrace_encode.h"

#include <inttypes.h>

/* Privilege as its field has it; what is not known is a code that RISC-V does not use. */
static uint32_t privilege_code(const oct_et_params *c, uint8_t privilege) {
  return privilege == OCT_PRIVILEGE_UNKNOWN && c->privilege_bits == 2 ? OCT_ET_PRIVILEGE_NONE
                                                                      : privilege;
}

static int refuse(uint64_t insn, oct_diag *diag, const char *what, uint64_t value,
                  const char *expected) {
  return oct_fail(diag, OCT_ERR_LIMIT, "before instruction %" PRIu64 ": %s %" PRIu64 " %s", insn,
                  what, value, expected);
}

/* Whether the fields of a trap have room for it. */
static int check_trap(const oct_et_config *c, uint64_t insn, const oct_trap *t, oct_diag *diag) {
  uint32_t privilege = privilege_code(&c->p, t->privilege);
  if (privilege >> c->p.privilege_bits ||
      (c->p.privilege_bits == 2 && t->privilege == OCT_ET_PRIVILEGE_NONE))
    return refuse(insn, diag, "privilege", t->privilege,
                  "of a trap does not fit privilege_bits: set it to 3");
  if (t->kind == OCT_TRAP_PRIVILEGE) return 0;
  if (t->cause >> c->p.ecause_bits)
    return refuse(insn, diag, "cause", t->cause,
                  "of a trap does not fit ecause_bits: set it to more");
  if (t->kind == OCT_TRAP_INTERRUPT && t->cause == oct_et_jump_cause(c))
    return refuse(insn, diag, "interrupt", t->cause,
                  "marks jumps that nothing explains: set ecause_bits to more");
  if ((t->tval | t->addr) & ~c->addr_mask)
    return refuse(insn, diag,
                  "a trap has an address or a value wider than addr_bits =", c->p.addr_bits,
                  "has room for");
  if (t->addr & ((1u << c->p.addr_lsb_bits) - 1))
    return refuse(insn, diag, "a trap at an address that is no multiple of",
                  UINT64_C(1) << c->p.addr_lsb_bits, "as of addr_lsb_bits");
  return 0;
}

int oct_et_keep_traps(oct_et_encoder *e, const oct_tracer_input *in, oct_diag *diag) {
  uint64_t first = e->base.insn + e->base.has_held;
  for (size_t i = 0; i < in->n_traps; i++) {
    int rc = check_trap(&e->cfg, first + in->traps[i].insn, &in->traps[i], diag);
    if (rc) return rc;
  }
  return oct_encoder_base_keep_traps(e, in) ? oct_fail(diag, OCT_ERR_NOMEM, "out of memory") : 0;
}

/* Whether a decoder finds where the trap came and, if its packet does not have it, the handler. */
static bool is_implied(const oct_et_encoder *e, const oct_trap *t, uint64_t handler) {
  uint64_t offset = (handler - e->cfg.trap_base) & e->cfg.addr_mask;
  uint64_t vector = t->kind == OCT_TRAP_INTERRUPT ? 4 * (uint64_t)t->cause : 0;
  if (!e->has_epc || t->addr != e->epc) return false;
  return !e->cfg.p.implicit_exception || offset == vector;
}

static void fill_trap(const oct_trap *t, oct_et_packet *p) {
  p->subformat = OCT_ET_SUB_TRAP;
  p->interrupt = t->kind == OCT_TRAP_INTERRUPT;
  p->ecause = t->cause;
  p->tval = t->tval;
}

/* A trap, or a change of privilege, behind which another packet of format 3 comes. */
static int put_trap(oct_et_encoder *e, const oct_trap *t, const oct_et_packet *sync) {
  oct_et_packet p = *sync;
  e->privilege = t->privilege;
  p.privilege = privilege_code(&e->cfg.p, t->privilege);
  p.subformat = OCT_ET_SUB_CONTEXT;
  if (t->kind != OCT_TRAP_PRIVILEGE) {
    fill_trap(t, &p);
    p.address = t->addr >> e->cfg.p.addr_lsb_bits;
  }
  return oct_et_emit_packet(&e->emit, &p);
}

int oct_et_put_traps(oct_et_encoder *e, uint64_t insn, uint64_t addr, oct_et_packet *p) {
  size_t n;
  const oct_encoder_trap *t = oct_encoder_base_traps(e, insn, true, &n);
  bool is_jump = e->sync == OCT_ET_SUB_TRAP && !oct_first_trap(t, n), is_last_implied = false;
  int rc = 0;
  if (e->sync == OCT_ET_SUB_TRAP && n && t[n - 1].trap.kind != OCT_TRAP_PRIVILEGE)
    is_last_implied = is_implied(e, &t[n - 1].trap, addr);
  for (size_t i = 0; !rc && i + is_last_implied < n; i++) rc = put_trap(e, &t[i].trap, p);
  if (is_last_implied) {
    fill_trap(&t[n - 1].trap, p);
    p->thaddr = true;
    e->privilege = t[n - 1].trap.privilege;
  }
  p->privilege = privilege_code(&e->cfg.p, e->privilege);
  if (rc || !is_jump) return rc;
  oct_et_packet jump = *p;
  jump.subformat = OCT_ET_SUB_TRAP;
  jump.interrupt = true;
  jump.ecause = oct_et_jump_cause(&e->cfg);
  jump.thaddr = !e->cfg.p.implicit_exception;
  if (jump.thaddr) {
    *p = jump;
    return 0;
  }
  /* The address does not follow from a cause: it comes with the sync. */
  jump.address = 0;
  return oct_et_emit_packet(&e->emit, &jump);
}
