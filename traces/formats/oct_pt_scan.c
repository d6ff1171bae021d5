/* SPDX-License-Identifier: Apache-2.0 */
/* oct_pt_scan.c - where a stream of Intel PT goes on behind an address without code.
 *
 * libipt could go on at the next PSB only. But each TIP says where the program is. The first one
 * that leads to known code is replaced by a PSB with that address, over packets that are decoded
 * already, and libipt begins there. Addresses are sent in part, hence all packets are followed. */
#include "oct_pt_flow.h"

#define OCTRACE_FEED_ENCODER_ONLY
#include "octrace/feed.h" /* oct_put_le */

#include <string.h>

/* The address of a packet; false when it has none. */
static bool take_address(oct_pt_scan *s, const struct pt_packet_ip *p) {
  switch (p->ipc) {
    case pt_ipc_update_16:
      s->last_ip = (s->last_ip & ~UINT64_C(0xffff)) | p->ip;
      return true;
    case pt_ipc_update_32:
      s->last_ip = (s->last_ip & ~UINT64_C(0xffffffff)) | p->ip;
      return true;
    case pt_ipc_update_48:
      s->last_ip = (s->last_ip & ~UINT64_C(0xffffffffffff)) | p->ip;
      return true;
    case pt_ipc_sext_48:
      s->last_ip = (uint64_t)((int64_t)(p->ip << 16) >> 16);
      return true;
    case pt_ipc_full:
      s->last_ip = p->ip;
      return true;
    default:
      return false;
  }
}

/* In place of the packet that ends there, and what stands before it: a PSB at the address sent
 * last. Its place; UINT64_MAX when there is no room. */
static uint64_t put_sync(oct_pt_flow *f, uint64_t end) {
  uint8_t sync[48];
  size_t n = 0;
  for (; n < 16; n++) sync[n] = n & 1 ? 0x82 : 0x02;
  if (f->time) {
    sync[n++] = 0x19;
    oct_put_le(sync + n, f->time, 7);
    n += 7;
  }
  if (f->scan.exec_is_told) {
    sync[n++] = 0x99;
    sync[n++] = f->scan.exec;
  }
  if (f->scan.tsx) {
    sync[n++] = 0x99;
    sync[n++] = f->scan.tsx;
  }
  sync[n++] = 0xdd; /* FUP, a full address */
  oct_put_le(sync + n, f->scan.last_ip, 8);
  n += 8;
  sync[n++] = 0x02; /* PSBEND */
  sync[n++] = 0x23;
  if (end < n) return UINT64_MAX;
  memcpy(f->bytes + end - n, sync, n);
  f->is_placed = true;
  return end - n;
}

/* What packet p, behind the place of the decoder if is_new, says. The place of a PSB at which
 * libipt can go on, UINT64_MAX when it cannot. */
static uint64_t look_at(oct_pt_flow *f, const struct pt_packet *p, uint64_t at, bool is_new) {
  oct_pt_scan *s = &f->scan;
  uint8_t byte;
  bool is_place = false;
  switch (p->type) {
    case ppt_psb:
      s->psb = at;
      s->last_ip = 0;
      return UINT64_MAX;
    case ppt_psbend:
      s->psb = UINT64_MAX;
      return UINT64_MAX;
    case ppt_ovf:
      s->psb = UINT64_MAX;
      s->last_ip = 0;
      s->is_overflow = true;
      return UINT64_MAX;
    case ppt_mode:
      if (p->payload.mode.leaf == pt_mol_tsx) {
        s->tsx = f->bytes[at + 1] & 1 ? f->bytes[at + 1] : 0;
      } else {
        s->exec = f->bytes[at + 1];
        s->exec_is_told = true;
      }
      return UINT64_MAX;
    case ppt_tsc:
      if (is_new) f->time = p->payload.tsc.tsc;
      return UINT64_MAX;
    case ppt_pip:
      if (is_new) f->cr3 = p->payload.pip.cr3;
      return UINT64_MAX;
    case ppt_fup:
      is_place = take_address(s, &p->payload.ip) && (s->psb != UINT64_MAX || s->is_overflow);
      break;
    case ppt_tip:
    case ppt_tip_pge:
      is_place = take_address(s, &p->payload.ip);
      break;
    case ppt_tip_pgd:
      take_address(s, &p->payload.ip);
      break;
    default:
      return UINT64_MAX;
  }
  s->is_overflow = false;
  if (!is_new || !is_place || !f->code(f->context, s->last_ip, &byte, 1)) return UINT64_MAX;
  return s->psb != UINT64_MAX ? s->psb : put_sync(f, at + p->size);
}

int oct_pt_find_place(oct_pt_flow *f) {
  struct pt_packet p;
  uint64_t from = 0, at, sync;
  pt_insn_get_offset(f->decoder, &from);
  for (;;) {
    pt_pkt_get_offset(f->scan.decoder, &at);
    int status = pt_pkt_next(f->scan.decoder, &p, sizeof p);
    if (status == -pte_eos) return status;
    if (status < 0) {
      f->scan.psb = UINT64_MAX;
      f->scan.is_overflow = false;
      int behind = pt_pkt_sync_forward(f->scan.decoder);
      if (at >= from) return status;
      if (behind < 0) return behind;
      continue;
    }
    sync = look_at(f, &p, at, at >= from);
    if (sync != UINT64_MAX) return pt_insn_sync_set(f->decoder, sync);
  }
}

/* libipt has read its end already, or that comes, unless packets are lost before it. It is looked
 * for once: one transaction may have many holes. */
bool oct_pt_aborts(oct_pt_flow *f, const struct pt_config *config) {
  struct pt_packet p;
  oct_pt_scan *s = &f->scan;
  uint64_t from = 0, at = 0;
  bool is_over = false, is_found = false;
  pt_insn_get_offset(f->decoder, &from);
  if (from <= s->tsx_end) return s->tsx_aborts;
  struct pt_packet_decoder *d = pt_pkt_alloc_decoder(config);
  if (!d) return false;
  s->tsx_aborts = false;
  pt_pkt_get_offset(s->decoder, &at);
  pt_pkt_sync_set(d, at);
  for (; !is_found && pt_pkt_next(d, &p, sizeof p) >= 0; at += p.size) {
    if (at >= from && is_over) break;
    is_found = at >= from && p.type == ppt_ovf;
    if (p.type == ppt_ovf) is_over = false;
    if (p.type != ppt_mode || p.payload.mode.leaf != pt_mol_tsx) continue;
    is_over = !p.payload.mode.bits.tsx.intx;
    s->tsx_aborts = p.payload.mode.bits.tsx.abrt;
    is_found = at >= from && is_over;
  }
  s->tsx_aborts &= is_over;
  s->tsx_end = at;
  pt_pkt_free_decoder(d);
  return s->tsx_aborts;
}
