/* SPDX-License-Identifier: Apache-2.0 */
/* oct_ram_sink.c - an on-chip trace buffer (oct_ram_sink.h). */
#include "oct_ram_sink.h"

#include <string.h>

void oct_ram_sink_init(oct_ram_sink *s, uint32_t *ram, uint32_t depth_words) {
  memset(s, 0, sizeof *s);
  s->ram = ram;
  s->depth_words = depth_words;
  s->last_bytes = 3;
  s->enable = true;
}

static bool read_reg(const oct_ram_sink *s, uint32_t paddr, uint32_t *data) {
  switch (paddr) {
    case OCT_SINK_RDP:
      *data = s->depth_words;
      return true;
    case OCT_SINK_STS:
      *data = s->last_bytes << 8 | (uint32_t)s->stopped << 2 | (uint32_t)s->triggered << 1 |
              (uint32_t)s->wrapped;
      return true;
    case OCT_SINK_RRD:
      *data = s->read_data;
      return true;
    case OCT_SINK_RRP:
      *data = s->read_at;
      return true;
    case OCT_SINK_RWP:
      *data = s->write_at;
      return true;
    case OCT_SINK_TRG:
      *data = s->trg;
      return true;
    case OCT_SINK_CTL:
      *data = (uint32_t)s->stop_when_full << 1 | (uint32_t)s->enable;
      return true;
    case OCT_SINK_FFSR:
      *data = (uint32_t)s->stopped << 1 | (uint32_t)s->flush;
      return true;
    case OCT_SINK_FFCR:
      *data = (uint32_t)s->stop_on_flush << 12 | (uint32_t)s->flush << 6;
      return true;
    default:
      return false;
  }
}

/* The word goes into the RAM. */
static void put(oct_ram_sink *s, uint32_t word) {
  s->ram[s->write_at] = word;
  s->wrapped = s->wrapped || s->write_at == s->depth_words - 1;
  s->write_at = (s->write_at + 1) % s->depth_words;
}

/* The beat joins what is held; a word that is full is written. Whether it was the last one. */
static bool capture(oct_ram_sink *s, const oct_ram_sink_in *in) {
  const uint32_t n = in->atbytes + 1u;
  const uint64_t beat = in->atdata & (0xffffffffu >> (24 - 8 * (n - 1)));
  const uint64_t joined = s->held | beat << 8 * s->held_bytes;
  const bool is_end = s->write_at == s->depth_words - 1;
  s->held = (uint32_t)joined;
  s->held_bytes += n;
  if (s->held_bytes < 4) return false;
  put(s, (uint32_t)joined);
  s->held = (uint32_t)(joined >> 32);
  s->held_bytes -= 4;
  if (!(s->stop_when_full && is_end) && !(s->triggered && !--s->countdown)) return false;
  s->held_bytes = 0;
  return true;
}

/* What fills no word goes too. */
static void stop(oct_ram_sink *s) {
  s->stopped = true;
  if (!s->held_bytes) return;
  put(s, s->held);
  s->last_bytes = s->held_bytes - 1;
}

static void start(oct_ram_sink *s) {
  s->ended = s->stopped = s->wrapped = s->triggered = false;
  s->write_at = s->held = s->held_bytes = 0;
  s->last_bytes = 3;
}

void oct_ram_sink_cycle(oct_ram_sink *s, const oct_ram_sink_in *in, oct_apb_out *out) {
  bool is_access = in->apb.psel && in->apb.penable;
  bool is_write = is_access && in->apb.pwrite;
  bool writes_ctl = is_write && in->apb.paddr == OCT_SINK_CTL;
  bool is_known;
  *out = (oct_apb_out){.pready = true};
  is_known = read_reg(s, in->apb.paddr, &out->prdata);
  out->pslverr = is_access && !is_known;
  s->read_data = s->ram[s->read_at];
  bool ends = writes_ctl && !(in->apb.pwdata & 1);
  if (s->ended && !s->stopped) stop(s);
  if (!s->ended && in->atvalid && capture(s, in)) ends = true;
  if (in->trigger && !s->triggered) {
    s->triggered = true;
    s->countdown = s->trg;
    if (!s->trg) ends = true;
  }
  if (s->flush && in->afready) {
    s->flush = false;
    if (s->stop_on_flush) ends = true;
  }
  if (ends) s->ended = true;
  if (is_write && in->apb.paddr == OCT_SINK_FFCR) {
    s->flush = s->flush || (in->apb.pwdata >> 6 & 1);
    s->stop_on_flush = in->apb.pwdata >> 12 & 1;
  }
  if (is_write && in->apb.paddr == OCT_SINK_TRG) s->trg = in->apb.pwdata;
  if (is_write && in->apb.paddr == OCT_SINK_RRP)
    s->read_at = in->apb.pwdata % s->depth_words;
  else if (is_access && !in->apb.pwrite && in->apb.paddr == OCT_SINK_RRD)
    s->read_at = (s->read_at + 1) % s->depth_words;
  if (writes_ctl) {
    bool starts = (in->apb.pwdata & 1) && !s->enable;
    s->enable = in->apb.pwdata & 1;
    s->stop_when_full = in->apb.pwdata >> 1 & 1;
    if (starts) start(s);
  }
}
