/* SPDX-License-Identifier: Apache-2.0 */
/* oct_pt_flow.c - bytes of Intel PT to instructions, by libipt.
 *
 * libipt's instruction flow decoder asks for the program's bytes as it goes. Between instructions
 * it reports events; of these, overflows are gaps, and paging tells the address space. */
#include "oct_pt_flow.h"

#include "oct_grow.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Instructions that one packet may stand for: in other code than what ran, jumps may lead in a
 * circle that no packet ends. */
enum { PACKET_INSNS_MAX = 1 << 20, CHECK_INSNS = 1 << 16 };

static int read_code(uint8_t *buffer, size_t size, const struct pt_asid *asid, uint64_t ip,
                     void *context) {
  oct_pt_flow *f = context;
  (void)asid;
  size_t n = f->code(f->context, ip, buffer, size);
  if (!n) f->missing = ip;
  return n ? (int)n : -pte_nomap;
}

int oct_pt_flow_open(oct_pt_flow *f, const char *name, uint8_t *bytes, size_t n_bytes,
                     oct_diag *diag) {
  struct pt_config config;
  f->bytes = bytes;
  f->n_bytes = n_bytes;
  pt_config_init(&config);
  config.begin = bytes;
  config.end = bytes + n_bytes;
  f->decoder = n_bytes ? pt_insn_alloc_decoder(&config) : NULL;
  f->image = pt_image_alloc(NULL);
  if ((n_bytes && !f->decoder) || !f->image)
    return oct_fail(diag, OCT_ERR_NOMEM, "%s: out of memory", name);
  pt_image_set_callback(f->image, read_code, f);
  if (f->decoder && pt_insn_set_image(f->decoder, f->image))
    return oct_fail(diag, OCT_ERR_NOMEM, "%s: out of memory", name);
  f->status = f->decoder ? pt_insn_sync_forward(f->decoder) : -pte_eos;
  if (f->status >= 0) return 0;
  return oct_fail(diag, OCT_ERR_FORMAT,
                  "%s: expected packets of Intel PT, found no PSB, where a "
                  "decoder can begin",
                  name);
}

void oct_pt_flow_close(oct_pt_flow *f) {
  pt_insn_free_decoder(f->decoder);
  pt_image_free(f->image);
  free(f->traps);
  free(f->bytes);
}

/* Whether the bytes end within a packet. Packets are counted from the last PSB on. */
static bool ends_within_packet(const oct_pt_flow *f) {
  struct pt_config config;
  struct pt_packet packet;
  uint64_t at = f->n_bytes;
  pt_config_init(&config);
  config.begin = f->bytes;
  config.end = f->bytes + f->n_bytes;
  struct pt_packet_decoder *d = pt_pkt_alloc_decoder(&config);
  if (!d) return false;
  if (pt_pkt_sync_backward(d) >= 0) {
    while (pt_pkt_next(d, &packet, sizeof packet) >= 0) {
    }
    pt_pkt_get_offset(d, &at);
  }
  pt_pkt_free_decoder(d);
  return at < f->n_bytes;
}

/* 0, or libipt's error. */
static int take_event(oct_pt_flow *f, const struct pt_event *e) {
  if (e->has_tsc) f->time = e->tsc;
  if (e->type == ptev_overflow) {
    f->n_gaps++;
  } else if (e->type == ptev_async_branch &&
             e->variant.async_branch.from != e->variant.async_branch.to) {
    uint64_t *traps = oct_grown(f->traps, &f->room_traps, f->n_traps + 1, sizeof *traps);
    if (!traps) return -pte_nomem;
    f->traps = traps;
    f->traps[f->n_traps++] = e->variant.async_branch.from;
  } else if (e->type == ptev_paging) {
    f->cr3 = e->variant.paging.cr3;
  } else if (e->type == ptev_async_paging) {
    f->cr3 = e->variant.async_paging.cr3;
  }
  return 0;
}

static bool goes_astray(oct_pt_flow *f) {
  uint64_t at = 0;
  if (++f->n_insns % CHECK_INSNS) return false;
  pt_insn_get_offset(f->decoder, &at);
  if (at != f->offset) f->n_insns = 0;
  f->offset = at;
  return f->n_insns >= PACKET_INSNS_MAX;
}

static int fail(oct_pt_flow *f, const char *name, oct_diag *diag) {
  uint64_t at = 0;
  pt_insn_get_offset(f->decoder, &at);
  if (f->status == -pte_nomem) return oct_fail(diag, OCT_ERR_NOMEM, "%s: out of memory", name);
  if (f->status == -pte_nomap)
    return oct_fail(diag, OCT_ERR_ARG,
                    "%s: offset %" PRIu64 ": no code at 0x%" PRIx64
                    ": expected it in the files of --elf FILE[@BIAS]",
                    name, at, f->missing);
  return oct_fail(diag, OCT_ERR_FORMAT,
                  "%s: offset %" PRIu64
                  ": libipt: %s (a damaged stream, or other files than those "
                  "that ran)",
                  name, at, f->is_astray ? "a loop without end" : pt_errstr(pt_errcode(f->status)));
}

int oct_pt_flow_next(oct_pt_flow *f, const char *name, struct pt_insn *insn, oct_diag *diag) {
  struct pt_event event;
  while (!f->is_ended) {
    while (f->status >= 0 && f->status & pts_event_pending) {
      f->status = pt_insn_event(f->decoder, &event, sizeof event);
      int error = f->status >= 0 ? take_event(f, &event) : 0;
      if (error) f->status = error;
    }
    if (f->status >= 0 && !(f->status & pts_eos)) {
      insn->iclass = ptic_error;
      f->status = pt_insn_next(f->decoder, insn, sizeof *insn);
      /* An error may come with the last instruction before it. */
      if (insn->iclass != ptic_error && !(f->is_astray = goes_astray(f))) {
        if (pt_insn_time(f->decoder, &f->time, NULL, NULL) < 0) f->time = 0;
        return 1;
      }
      if (f->status >= 0 || f->is_astray) f->status = -pte_bad_insn;
    }
    if (f->status == -pte_nomap && f->skips) {
      f->n_gaps++;
      f->status = pt_insn_sync_forward(f->decoder);
      continue;
    }
    f->is_ended = true;
  }
  if (f->status < 0 && f->status != -pte_eos) return fail(f, name, diag);
  if (!ends_within_packet(f)) return 0;
  return oct_fail(diag, OCT_ERR_TRUNCATED, "%s: the stream ends within a packet", name);
}

int oct_pt_add_insn(oct_reader *r, oct_disasm *disasm[2], const struct pt_insn *insn, uint32_t task,
                    oct_diag *diag) {
  oct_map_entry e;
  if (oct_reader_is_full(r, 1)) return 1;
  int is_64 = insn->mode == ptem_64bit;
  uint32_t id = r->described ? oct_map_find(r->described, insn->ip) : UINT32_MAX;
  const oct_map_entry *known = id == UINT32_MAX ? NULL : oct_map_at(r->described, id);
  if (!known || known->size_bytes != insn->size ||
      memcmp(known->code, insn->raw, insn->size) != 0) {
    oct_disasm **d = &disasm[is_64];
    if (!*d && !(*d = oct_disasm_new(is_64 ? OCT_ISA_X86_64 : OCT_ISA_X86)))
      return oct_fail(diag, OCT_ERR_NOMEM, "%s: out of memory", oct_input_name(r->in));
    if (oct_disasm_insn(*d, insn->ip, insn->raw, insn->size, &e) == insn->size) {
      int rc = oct_reader_describe(r, &e, diag);
      if (rc) return rc;
    }
  }
  oct_reader_add_insn(r, insn->ip, insn->size)->task = task;
  return 0;
}

int oct_pt_add_traps(oct_reader *r, oct_pt_flow *f, oct_diag *diag) {
  int rc = 0;
  for (size_t i = 0; i < f->n_traps && !rc; i++) {
    const oct_trap t = {
        .addr = f->traps[i], .kind = OCT_TRAP_INTERRUPT, .privilege = OCT_PRIVILEGE_UNKNOWN};
    rc = oct_reader_add_trap(r, &t, diag);
  }
  f->n_traps = 0;
  return rc;
}

int oct_pt_read_all(oct_reader *r, uint8_t **bytes, size_t *n_bytes, oct_diag *diag) {
  size_t room = 0;
  *bytes = NULL;
  *n_bytes = 0;
  for (;;) {
    if (room - *n_bytes < OCT_INPUT_PEEK_BYTES) {
      room = room * 2 + 4 * OCT_INPUT_PEEK_BYTES;
      uint8_t *p = realloc(*bytes, room);
      if (!p) break;
      *bytes = p;
    }
    int64_t n = oct_input_read(r->in, *bytes + *n_bytes, OCT_INPUT_PEEK_BYTES, diag);
    if (n > 0) {
      *n_bytes += (size_t)n;
      continue;
    }
    if (n == 0) return 0;
    free(*bytes);
    *bytes = NULL;
    return (int)n;
  }
  free(*bytes);
  *bytes = NULL;
  return oct_fail(diag, OCT_ERR_NOMEM, "%s: out of memory", oct_input_name(r->in));
}
