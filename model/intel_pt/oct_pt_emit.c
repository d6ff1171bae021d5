/* SPDX-License-Identifier: Apache-2.0 */
/* oct_pt_emit.c - Intel PT packets as bytes, and the time between them.
 *
 * Outcomes of branches are gathered, and sent before any other packet. Addresses leave out what
 * they share with the last one. Before what tells of instructions stands the time: MTC where a
 * period of the crystal's clock began, here the cycles of the trace, and CYC, the cycles since the
 * last CYC. */
#include "oct_pt_emit.h"

static int put_bytes(oct_pt_encoder *e, const uint8_t *bytes, size_t n, uint64_t *bits) {
  *bits += 8 * n;
  e->counters.packets++;
  return oct_buffer_put(&e->base.out, bytes, n);
}

/* A packet of a code and a payload. */
int oct_pt_put(oct_pt_encoder *e, uint32_t code, unsigned code_bytes, uint64_t payload,
               unsigned n_bytes, uint64_t *bits) {
  uint8_t out[OCT_PT_PACKET_BYTES_MAX];
  for (unsigned i = 0; i < code_bytes; i++) out[i] = (uint8_t)(code >> 8 * i);
  for (unsigned i = 0; i < n_bytes; i++) out[code_bytes + i] = (uint8_t)(payload >> 8 * i);
  return put_bytes(e, out, code_bytes + n_bytes, bits);
}

/* Cycles from the last CYC packet up to `cycle`. */
static int put_cyc(oct_pt_encoder *e, uint64_t cycle) {
  uint8_t out[OCT_PT_PACKET_BYTES_MAX];
  uint64_t delta = cycle - e->sent_cycle;
  unsigned n = 1;
  if (!e->p.cyc || cycle <= e->sent_cycle) return 0;
  e->sent_cycle = cycle;
  out[0] = (uint8_t)((delta & 31) << 3 | (delta >> 5 ? 4 : 0) | 3);
  for (delta >>= 5; delta; delta >>= 7)
    out[n++] = (uint8_t)((delta & 127) << 1 | (delta >> 7 ? 1 : 0));
  return put_bytes(e, out, n, &e->counters.cyc_bits);
}

/* The time since the last packet: MTC for the last period of it that began, and in a pause for so
 * many before that a reader can count them; each with its CYC; then CYC. */
static int put_time(oct_pt_encoder *e) {
  enum { FAR = 128, CODE_MTC = 0x59 };
  uint64_t now = e->cycle >> e->p.mtc_freq;
  int rc = 0;
  while (e->p.mtc && e->mtc < now && !rc) {
    e->mtc += now - e->mtc < FAR ? now - e->mtc : FAR;
    rc = put_cyc(e, e->mtc << e->p.mtc_freq);
    if (!rc) rc = oct_pt_put(e, CODE_MTC, 1, e->mtc & 0xff, 1, &e->counters.cyc_bits);
  }
  return rc ? rc : put_cyc(e, e->cycle);
}

/* TSC counts retired instructions; TMA, where there are cycles, says what MTC continues. */
int oct_pt_put_tsc(oct_pt_encoder *e, uint64_t number, uint64_t *bits) {
  int rc = oct_pt_put(e, 0x19, 1, number, 7, bits);
  if (rc || !e->p.mtc || !e->cycle) return rc;
  e->mtc = e->cycle >> e->p.mtc_freq;
  return oct_pt_put(e, 0x7302, 2, e->cycle & 0xffff, 5, bits);
}

static int flush_tnt(oct_pt_encoder *e) {
  int rc;
  if (!e->n_tnt) return 0;
  if ((rc = put_time(e))) return rc;
  uint64_t bits = e->tnt | UINT64_C(1) << e->n_tnt;
  bool is_long = e->n_tnt > 6;
  e->counters.tnt_packets++;
  e->tnt = e->n_tnt = 0;
  if (is_long) return oct_pt_put(e, 0xa302, 2, bits, 6, &e->counters.tnt_bits);
  return oct_pt_put(e, (uint32_t)bits << 1, 1, 0, 0, &e->counters.tnt_bits);
}

int oct_pt_put_bit(oct_pt_encoder *e, bool bit) {
  e->tnt = e->tnt << 1 | bit;
  e->has_waypoint = false;
  if (++e->n_tnt < (e->p.tnt_long ? 47u : 6u)) return 0;
  return flush_tnt(e);
}

/* A packet with an address, as few bytes of it as differ from the last. */
int oct_pt_put_ip(oct_pt_encoder *e, uint8_t code, uint64_t ip) {
  uint64_t differ = ip ^ e->last_ip;
  unsigned compression, n_bytes;
  int rc = flush_tnt(e);
  if (rc || (rc = put_time(e))) return rc;
  if (!(differ >> 16)) {
    compression = 1;
    n_bytes = 2;
  } else if (!(differ >> 32)) {
    compression = 2;
    n_bytes = 4;
  } else if ((uint64_t)((int64_t)(ip << 16) >> 16) == ip) {
    compression = 3; /* the upper bits are copies of bit 47 */
    n_bytes = 6;
  } else {
    compression = 6;
    n_bytes = 8;
  }
  e->last_ip = ip;
  return oct_pt_put(e, code | compression << 5, 1, ip, n_bytes, &e->counters.ip_bits);
}

/* The end of tracing at an instruction that says so itself. */
int oct_pt_put_pgd(oct_pt_encoder *e) {
  int rc = flush_tnt(e);
  if (rc || (rc = put_time(e))) return rc;
  return oct_pt_put(e, OCT_PT_CODE_PGD, 1, 0, 0, &e->counters.ip_bits);
}

int oct_pt_put_pip(oct_pt_encoder *e, uint32_t task) {
  uint64_t cr3 = (uint64_t)task << OCT_PT_CR3_SHIFT;
  return oct_pt_put(e, 0x4302, 2, cr3 >> 5 << 1, 6, &e->counters.sync_bits);
}

/* PSB and what follows it up to PSBEND. The next instruction is insn. */
int oct_pt_put_psb(oct_pt_encoder *e, uint64_t number, const oct_insn *insn) {
  uint64_t *bits = &e->counters.sync_bits;
  uint8_t psb[OCT_PT_PSB_BYTES];
  int rc = flush_tnt(e);
  if (rc) return rc;
  for (unsigned i = 0; i < sizeof psb; i++) psb[i] = i & 1 ? 0x82 : 0x02;
  rc = put_bytes(e, psb, sizeof psb, bits);
  e->last_ip = 0;
  if (!rc && e->p.tsc) rc = oct_pt_put_tsc(e, number, bits);
  if (!rc) rc = oct_pt_put_pip(e, insn->task);
  /* MODE.Exec: code of 64 bits, or of 32. */
  if (!rc) rc = oct_pt_put(e, 0x99, 1, e->p.mode_bits == 64 ? 1 : 2, 1, bits);
  if (!rc && e->base.is_enabled) {
    uint64_t before = e->counters.ip_bits;
    rc = oct_pt_put_ip(e, OCT_PT_CODE_FUP, insn->addr);
    *bits += e->counters.ip_bits - before;
    e->counters.ip_bits = before;
  }
  if (!rc) rc = oct_pt_put(e, 0x2302, 2, 0, 0, bits);
  e->counters.syncs++;
  e->stack.n = 0;
  e->base.sync_at = e->p.sync_period_insns ? number + e->p.sync_period_insns : UINT64_MAX;
  return rc;
}
