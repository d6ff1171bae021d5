/* SPDX-License-Identifier: Apache-2.0 */
/* oct_shadow_timed.c - the machine of `shadow`, cycle by cycle: from the port back to the core, so
 * that each stage sees in a cycle what the next one did in it.
 *
 * Gather gives beats to the core of the compressor (docs/shadow-rtl.md): the start of a period, an
 * instruction with an access in each beat, a mark. What a beat brings to the queue is known when
 * gather gives it, and comes there when the beat has gone through the core. */
#include "oct_shadow_timed.h"

#include "oct_encoder_base.h"

#include <stdlib.h>
#include <string.h>

/* Most that the core gives to the queue in a cycle. */
enum { WORDS_PER_CYCLE = 4, ITEMS_PER_BEAT = 11 };

static uint32_t power_of_2(uint32_t n) {
  uint32_t p = 1;
  while (p < n) p *= 2;
  return p;
}

/* Of 2^-32: a full buffer is at level OCT_TIMED_LEVELS. */
static uint64_t level_scale(uint32_t size) {
  return (((uint64_t)OCT_TIMED_LEVELS << 32) + size - 1) / size;
}

int oct_shadow_timed_init(oct_shadow_timed *s, const oct_shadow_config *cfg, oct_diag *diag) {
  memset(s, 0, sizeof *s);
  int error = oct_shadow_config_check_timed(cfg, diag);
  if (error) return error;
  s->cfg = *cfg;
  s->level_scale[OCT_TIMED_GATHER] = level_scale(cfg->gather_insns);
  s->level_scale[OCT_TIMED_QUEUE] = level_scale(cfg->queue_words);
  s->level_scale[OCT_TIMED_OUT] = level_scale(cfg->out_fifo_bytes);
  const unsigned stamp_bits = cfg->time_source ? 64 : OCT_CYCLE_BITS;
  oct_regs_init(&s->regs, cfg->sync_insns, cfg->timestamp ? stamp_bits : 0, cfg->time_source);
  oct_shadow_ingress_init(&s->ingress, cfg, &s->gather);
  s->atid_q = s->regs.atid_q;
  oct_shadow_tail_init(&s->rear, cfg->out_fifo_bytes);
  oct_trace_port_init(&s->port, cfg->port_pins);
  s->stats.sufficient[OCT_TIMED_GATHER] = 2;
  s->stats.sufficient[OCT_TIMED_QUEUE] = 16;
  s->stats.sufficient[OCT_TIMED_OUT] = 32;
  /* An item has a word; those of the beats in the core are not in the queue yet. */
  uint32_t items =
      power_of_2(cfg->queue_words + ITEMS_PER_BEAT * (OCT_CORE_CYCLES + 2 + cfg->gather_accesses));
  s->log.items_mask = items - 1;
  s->log.symbols_mask = 32 * items - 1;
  s->log.items = calloc(items, sizeof *s->log.items);
  s->log.symbols = calloc(s->log.symbols_mask + 1u, sizeof *s->log.symbols);
  if (oct_shadow_gather_init(&s->gather, cfg, &s->log) || !s->log.items || !s->log.symbols)
    return oct_fail(diag, OCT_ERR_NOMEM, "no memory for an encoder");
  error = oct_shadow_encoder_new(cfg, false, &s->encoder, diag);
  if (error) return error;
  oct_shadow_encoder_log(s->encoder, &s->log);
  s->gather.encoder = s->encoder;
  return 0;
}

void oct_shadow_timed_free(oct_shadow_timed *s) {
  oct_shadow_encoder_free(s->encoder);
  free(s->log.items);
  free(s->log.symbols);
  oct_shadow_gather_free(&s->gather);
  oct_buffer_free(&s->coded);
}

/* A buffer of so many places would not have waited so far; nor, as it did not lose, this one. */
static void suffice(oct_shadow_timed *s, oct_timed_buffer buffer, uint64_t places) {
  if (places <= s->stats.sufficient[buffer]) return;
  const uint64_t own[OCT_TIMED_BUFFERS] = {s->cfg.gather_insns, s->cfg.queue_words,
                                           s->cfg.out_fifo_bytes};
  if (places > own[buffer]) places = own[buffer];
  while (s->stats.sufficient[buffer] < places) s->stats.sufficient[buffer] *= 2;
}

/* ---- Stages ---- */

/* What the encoder has coded is kept until it crosses the bus. */
static void take_coded(oct_shadow_timed *s) {
  const uint8_t *bytes;
  if (s->log.taken == s->log.seen) return; /* as in most cycles */
  size_t n = oct_shadow_encoder_take(s->encoder, &bytes);
  s->log.taken += n;
  if (oct_buffer_put(&s->coded, bytes, n))
    s->error = oct_fail(&s->diag, OCT_ERR_NOMEM, "no memory for port bytes");
}

/* queue_words: as the cycle began. Whether the core takes a beat. */
static bool cycle_core(oct_shadow_timed *s, uint32_t queue_words) {
  const oct_core_in in = {.is_ready = queue_words + WORDS_PER_CYCLE <= s->cfg.queue_words,
                          .n_items_out = s->rear.n_items_in};
  oct_core_out out;
  suffice(s, OCT_TIMED_QUEUE, queue_words + (s->core.n_beats ? WORDS_PER_CYCLE : 0));
  oct_shadow_core_cycle(&s->core, &s->log, &in, &out);
  for (uint32_t i = 0; i < out.n_items; i++) oct_shadow_tail_put(&s->rear, &s->log);
  return out.takes;
}

/* Whether a stamp was left out, as time went back. */
static bool cycle_gather(oct_shadow_timed *s, oct_gather_in *in) {
  oct_gather_out out;
  if (s->error) in->is_taken = false;
  oct_shadow_gather_cycle(&s->gather, in, &out);
  if (out.gives) {
    if (s->gather.error) {
      s->error = s->gather.error;
      s->diag = s->gather.diag;
    }
    take_coded(s);
    oct_shadow_core_put(&s->core, out.beat, out.frees);
  }
  return out.time_back;
}

/* ---- Cycles ---- */

static void count_cycles(oct_shadow_timed *s, uint64_t n_cycles) {
  const uint64_t held[OCT_TIMED_BUFFERS] = {oct_shadow_fifo_count(&s->gather), s->rear.queue_words,
                                            oct_shadow_out_bytes(s)};
  for (unsigned i = 0; i < OCT_TIMED_BUFFERS; i++) {
    uint64_t level = held[i] * s->level_scale[i] >> 32;
    s->stats.occupancy[i][level < OCT_TIMED_LEVELS ? level : OCT_TIMED_LEVELS] += n_cycles;
    if (held[i] > s->stats.high_water[i]) s->stats.high_water[i] = held[i];
  }
  suffice(s, OCT_TIMED_GATHER, held[OCT_TIMED_GATHER] + s->cfg.retire_width);
  suffice(s, OCT_TIMED_OUT, held[OCT_TIMED_OUT] + OCT_BEAT_BYTES);
  s->stats.cycles += n_cycles;
}

/* Whether a sync is due by the bits that left; one that has not left yet is that one. */
static bool is_long(const oct_shadow_timed *s) {
  return s->cfg.sync_bits && 8 * s->rear.since_sync_bytes >= s->cfg.sync_bits &&
         !(s->gather.has_mark && s->gather.mark == OCT_FRAME_SYNC);
}

static bool can_resume(const oct_shadow_timed *s) {
  return oct_shadow_gather_is_empty(&s->gather) && !s->core.n_beats &&
         s->rear.n_items_in == s->log.n_items && !s->rear.queue_words &&
         s->rear.n_words <= s->rear.out_words / 2;
}

/* From queue to bus, with the bytes of the beat that it offers. Whether the mark has left. */
static bool cycle_rear(oct_shadow_timed *s, const oct_pins_bus *bus, oct_pins_out *out) {
  const oct_shadow_gather *g = &s->gather;
  const oct_tail_in in = {.atready = bus->atready,
                          .atclken = bus->atclken,
                          .has_mark = g->has_mark,
                          .mark = g->mark,
                          .mark_bytes = g->has_mark ? oct_mark_bytes(&s->cfg, g->mark) : 0};
  oct_tail_out rear;
  oct_shadow_tail_cycle(&s->rear, &s->log, &in, &rear);
  *out = (oct_pins_out){.atvalid = rear.atvalid, .atready = bus->atready, .atid = s->atid_q};
  if (rear.atvalid) {
    out->atbytes = (uint8_t)(rear.atbytes - 1);
    for (uint32_t i = 0; i < rear.atbytes; i++)
      out->atdata |= (uint32_t)s->coded.bytes[s->crossed + i] << (8 * i);
    if (bus->atready && bus->atclken) s->crossed += rear.atbytes;
  }
  out->afready = rear.flush_out && s->ingress.af_busy;
  if (bus->atclken && (!rear.atvalid || bus->atready)) s->atid_q = s->regs.atid_q;
  s->flush_ends = rear.flush_done;
  return rear.mark_done;
}

/* What the stages were as the cycle began, for the first two of them. */
static oct_shadow_ingress_in ingress_in(const oct_shadow_timed *s) {
  const oct_shadow_gather *g = &s->gather;
  const uint32_t room = s->cfg.gather_insns - oct_shadow_fifo_count(g);
  return (oct_shadow_ingress_in){
      .insns_room = room,
      .accesses_room = s->cfg.gather_accesses - oct_shadow_gather_accesses(g),
      .traps_room = OCT_GATHER_TRAPS - (uint32_t)(g->trap_tail - s->rear.n_traps_out),
      .can_resume = can_resume(s),
      .can_mark = !g->has_gap && room,
      .enable = s->regs.enable_q,
      .cycle = s->stats.cycles};
}

static oct_gather_in gather_in(const oct_shadow_timed *s) {
  return (oct_gather_in){
      .is_long = is_long(s),
      .stamps_wait = s->cfg.time_period_insns != 1 &&
                     s->gather.n_stamps - s->rear.n_stamps_out >= OCT_GATHER_STAMPS,
      .is_dropping = s->ingress.is_dropping,
      .sync_period_insns = s->regs.sync_period_insns_q};
}

void oct_shadow_timed_cycle_bus(oct_shadow_timed *s, const oct_pins_in *in, const oct_pins_bus *bus,
                                oct_pins_out *out) {
  oct_shadow_ingress_settle(&s->ingress, s->flush_ends);
  const uint32_t stream_count = oct_shadow_fifo_count(&s->gather), data_count = s->rear.queue_words,
                 out_count_bytes = oct_shadow_out_bytes(s);
  count_cycles(s, 1);
  const oct_shadow_ingress_in to_ingress = ingress_in(s);
  oct_gather_in to_gather = gather_in(s);
  to_gather.mark_done = cycle_rear(s, bus, out);
  to_gather.is_taken = cycle_core(s, data_count);
  const bool time_back = cycle_gather(s, &to_gather);
  oct_shadow_ingress_cycle(&s->ingress, &to_ingress, in, bus);
  const oct_shadow_ingress_out *from = &s->ingress.out;
  const uint32_t errors = from->errors | (time_back ? OCT_CORE_ERROR_TIME : 0);
  /* The registers of the compressor stand below those of the filter. */
  bool is_asked = in->apb.psel && in->apb.paddr < OCT_REG_TR_TE_CONTROL;
  /* Most cycles change no register and read none. */
  if (is_asked || errors || from->overflow || from->lost_insns || from->lost_access ||
      from->lost_traps || oct_regs_rise(&s->regs, stream_count, data_count, out_count_bytes)) {
    oct_regs_in regs = {.apb = in->apb,
                        .overflow = from->overflow,
                        .lost_insns = from->lost_insns,
                        .lost_access = from->lost_access,
                        .lost_traps = from->lost_traps,
                        .errors = errors,
                        .stream_count = stream_count,
                        .data_count = data_count,
                        .out_count_bytes = out_count_bytes};
    regs.apb.psel = is_asked;
    oct_regs_eval(&s->regs, &regs, &out->apb);
    oct_regs_clock(&s->regs);
  }
  if (!is_asked) out->apb = from->apb;
}

void oct_shadow_timed_cycle(oct_shadow_timed *s, const oct_pins_in *in, oct_pins_out *out) {
  const oct_pins_bus bus = {.atready = oct_trace_port_ready(&s->port, in->port_stall),
                            .atclken = true};
  oct_shadow_timed_cycle_bus(s, in, &bus, out);
  oct_trace_port_in port = {.atvalid = out->atvalid && out->atready,
                            .atbytes = out->atbytes,
                            .atdata = out->atdata,
                            .end = in->end,
                            .stall = in->port_stall};
  out->port = oct_trace_port_eval(&s->port, &port);
  oct_trace_port_clock(&s->port);
  s->stats.port_busy_cycles += out->port.valid;
}

void oct_shadow_timed_retire(oct_shadow_timed *s, const oct_retire *r) {
  oct_shadow_ingress_retire(&s->ingress, r);
}

bool oct_shadow_timed_rests(const oct_shadow_timed *s) {
  const oct_shadow_gather *g = &s->gather;
  const oct_shadow_ingress *i = &s->ingress;
  const bool is_empty = oct_shadow_gather_is_empty(g);
  return g->tail - g->head <= 1 && (is_empty || (g->has_current && g->is_started)) &&
         !(i->is_dropping && !is_empty) && !i->has_open && !i->flush_pending && !i->flush_busy &&
         !g->has_mark && !s->core.n_beats && s->rear.n_items_in == s->log.n_items &&
         oct_shadow_tail_is_empty(&s->rear) && !s->rear.n_words && !s->rear.atvalid_q &&
         !s->rear.flush_out_q && s->port.held_bits_q < s->port.pins;
}

void oct_shadow_timed_rest(oct_shadow_timed *s, uint64_t n_cycles) {
  count_cycles(s, n_cycles);
}

size_t oct_shadow_timed_take(oct_shadow_timed *s, const uint8_t **bytes) {
  /* Those handed out the last time make room. */
  if (s->handed) {
    memmove(s->coded.bytes, s->coded.bytes + s->handed, s->coded.n_bytes - s->handed);
    s->coded.n_bytes -= s->handed;
    s->crossed -= s->handed;
  }
  s->handed = s->crossed;
  *bytes = s->coded.bytes;
  return s->handed;
}

void oct_shadow_timed_counts(const oct_shadow_timed *s, oct_shadow_counts *counts) {
  const oct_timed_stats *t = &s->stats;
  const oct_ingress_counts *lost = &s->ingress.counts;
  oct_shadow_encoder_counts(s->encoder, counts);
  counts->cycles = t->cycles;
  counts->port_busy_cycles = t->port_busy_cycles;
  counts->overflows = lost->overflows;
  counts->lost_insns = lost->lost_insns;
  counts->lost_accesses = lost->lost_accesses;
  counts->lost_traps = lost->lost_traps;
  counts->filtered_insns = lost->filtered_insns;
  counts->filtered_accesses = lost->filtered_accesses;
  counts->filtered_traps = lost->filtered_traps;
  memcpy(counts->high_water, t->high_water, sizeof counts->high_water);
}
