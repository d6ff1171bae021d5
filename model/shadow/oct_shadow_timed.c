/* SPDX-License-Identifier: Apache-2.0 */
/* oct_shadow_timed.c - the machine of `shadow`, cycle by cycle: from the port back to the core, so
 * that each stage sees in a cycle what the next one did in it.
 *
 * Gather gives beats to the core of the compressor (docs/shadow-rtl.md): the start of a period, an
 * instruction with an access in each beat, a mark. What a beat brings to the queue is known when
 * gather gives it, and comes there when the beat has gone through the core. */
#include "oct_shadow_timed.h"

#include "oct_encoder_base.h"
#include "oct_state_struct.h"

#include <stdlib.h>
#include <string.h>

/* Most that the core gives to the queue in a cycle. */
enum { ITEMS_PER_CYCLE = 2, WORDS_PER_CYCLE = 4, ITEMS_PER_BEAT = 11 };

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
  s->is_enabled = true;
  s->privilege = OCT_PRIVILEGE_UNKNOWN;
  const unsigned stamp_bits = cfg->time_source ? 64 : OCT_CYCLE_BITS;
  oct_regs_init(&s->regs, cfg->sync_insns, cfg->timestamp ? stamp_bits : 0, cfg->time_source);
  oct_core_rules_init(&s->core_rules, cfg->pc_align_bits);
  oct_filter_init(&s->filter, cfg->filters, cfg->addr_bits, cfg->task_bits);
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
  /* One that is given to the core has left its place. */
  s->gathered = calloc(2 * cfg->gather_insns, sizeof *s->gathered);
  s->accesses = calloc(cfg->gather_accesses, sizeof *s->accesses);
  s->together = calloc(cfg->gather_accesses, sizeof *s->together);
  if (!s->log.items || !s->log.symbols || !s->gathered || !s->accesses || !s->together)
    return oct_fail(diag, OCT_ERR_NOMEM, "no memory for an encoder");
  error = oct_shadow_encoder_new(cfg, false, &s->encoder, diag);
  if (!error) oct_shadow_encoder_log(s->encoder, &s->log);
  return error;
}

void oct_shadow_timed_free(oct_shadow_timed *s) {
  oct_shadow_encoder_free(s->encoder);
  free(s->log.items);
  free(s->log.symbols);
  free(s->gathered);
  free(s->accesses);
  free(s->together);
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

/* ---- The core ---- */

/* What the encoder has coded is kept until it crosses the bus. */
static void take_coded(oct_shadow_timed *s) {
  const uint8_t *bytes;
  if (s->log.taken == s->log.seen) return; /* as in most cycles */
  size_t n = oct_shadow_encoder_take(s->encoder, &bytes);
  s->log.taken += n;
  if (oct_buffer_put(&s->coded, bytes, n))
    s->error = oct_fail(&s->diag, OCT_ERR_NOMEM, "no memory for port bytes");
}

/* Items come to the queue, two a cycle, from the beat at the end of the core, behind which another
 * one waits; whether the core moves: there is a place for one more then. queue_words: as the cycle
 * began. */
static bool cycle_core(oct_shadow_timed *s, uint32_t queue_words) {
  suffice(s, OCT_TIMED_QUEUE, queue_words + (s->beats_under_way ? WORDS_PER_CYCLE : 0));
  bool is_ready = queue_words + WORDS_PER_CYCLE <= s->cfg.queue_words;
  bool waits = s->items_arrived != s->items_first;
  for (unsigned i = 0; is_ready && i < ITEMS_PER_CYCLE && s->rear.n_items_in < s->items_first; i++)
    oct_shadow_tail_put(&s->rear, &s->log);
  bool leaves = s->rear.n_items_in == s->items_first;
  if (!leaves && waits) return false;
  if (leaves) s->items_first = s->items_arrived;
  uint64_t *last = &s->beats[s->beat_at];
  while (*last && s->items_arrived < s->log.n_items &&
         s->log.items[s->items_arrived & s->log.items_mask].beat == *last)
    s->items_arrived++;
  if (leaves && !waits) s->items_first = s->items_arrived;
  s->beats_under_way -= *last != 0;
  *last = 0;
  return true;
}

/* The core moves: the beat behind the decoder is read, unless the value cache still frees words;
 * whether the decoder
 * takes another one. */
static bool read_core(oct_shadow_timed *s) {
  bool reads = !s->frees_left;
  s->beats[s->beat_at] = reads ? s->decoded : 0;
  s->beat_at = s->beat_at ? s->beat_at - 1 : OCT_CORE_CYCLES - 1;
  if (!reads) {
    s->frees_left--;
    return false;
  }
  s->frees_left = s->read_frees;
  s->decoded = s->read_frees = 0;
  return true;
}

/* ---- Gather ---- */

static void cycle_gather(oct_shadow_timed *s, bool core_moves, bool had_mark) {
  bool leaves = false;
  if (core_moves && read_core(s) && s->has_current && !s->error &&
      oct_shadow_gather_give(s, had_mark, &leaves)) {
    take_coded(s);
    s->decoded = s->beat;
    s->read_frees = s->given_frees;
    s->beats_under_way++;
  }
  if (leaves) {
    s->head++;
    s->has_current = false;
  }
  if (!s->has_current && s->tail != s->head) s->has_current = true;
}

/* ---- Cycles ---- */

static void count_cycles(oct_shadow_timed *s, uint64_t n_cycles) {
  const uint64_t held[OCT_TIMED_BUFFERS] = {oct_shadow_fifo_count(s), s->rear.queue_words,
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
         !(s->has_mark && s->mark == OCT_FRAME_SYNC);
}

static bool can_resume(const oct_shadow_timed *s) {
  return s->tail == s->head && !s->beats_under_way && s->rear.n_items_in == s->log.n_items &&
         !s->rear.queue_words && s->rear.n_words <= s->rear.out_words / 2;
}

/* From queue to bus, with what is in the beat that it offers. */
static void cycle_rear(oct_shadow_timed *s, const oct_pins_bus *bus, oct_pins_out *out) {
  oct_tail_in in = {bus->atready, bus->atclken, s->has_mark, s->mark,
                    s->has_mark ? oct_mark_bytes(&s->cfg, s->mark) : 0};
  oct_tail_out rear;
  oct_shadow_tail_cycle(&s->rear, &s->log, &in, &rear);
  *out = (oct_pins_out){.atvalid = rear.atvalid, .atready = bus->atready, .atid = s->atid_q};
  if (rear.atvalid) {
    out->atbytes = (uint8_t)(rear.atbytes - 1);
    for (uint32_t i = 0; i < rear.atbytes; i++)
      out->atdata |= (uint32_t)s->coded.bytes[s->crossed + i] << (8 * i);
    if (bus->atready && bus->atclken) s->crossed += rear.atbytes;
  }
  out->afready = rear.flush_out && s->af_busy;
  s->has_mark = s->has_mark && !rear.mark_done;
  if (bus->atclken && (!rear.atvalid || bus->atready)) s->atid_q = s->regs.atid_q;
  if (rear.flush_done) s->flush_ends = true;
}

void oct_shadow_timed_cycle_bus(oct_shadow_timed *s, const oct_pins_in *in, const oct_pins_bus *bus,
                                oct_pins_out *out) {
  oct_shadow_ingress_settle(s);
  if (s->flush_ends) s->flush_busy = s->af_busy = s->flush_ends = false;
  const uint32_t stream_count = oct_shadow_fifo_count(s), data_count = s->rear.queue_words,
                 out_count_bytes = oct_shadow_out_bytes(s);
  count_cycles(s, 1);
  s->insns_room = s->cfg.gather_insns - stream_count;
  s->accesses_room = s->cfg.gather_accesses - (uint32_t)(s->access_tail - s->access_head);
  s->traps_room = OCT_GATHER_TRAPS - (uint32_t)(s->trap_tail - s->rear.n_traps_out);
  s->stamps_wait =
      s->cfg.time_period_insns != 1 && s->n_stamps - s->rear.n_stamps_out >= OCT_GATHER_STAMPS;
  s->can_resume = can_resume(s);
  s->can_mark = !s->has_gap && s->insns_room;
  s->is_long = is_long(s);
  s->is_retiring = s->overflow = s->lost_access = s->time_back = false;
  s->new_lost_insns = s->new_lost_traps = 0;
  bool had_mark = s->has_mark;
  cycle_rear(s, bus, out);
  cycle_gather(s, cycle_core(s, data_count), had_mark);
  oct_apb_out filter_apb;
  uint32_t errors = oct_shadow_ingress_cycle(s, in, bus, &filter_apb);
  if (s->time_back) errors |= OCT_CORE_ERROR_TIME;
  /* The registers of the compressor stand below those of the filter. */
  bool is_asked = in->apb.psel && in->apb.paddr < OCT_REG_TR_TE_CONTROL;
  /* Most cycles change no register and read none. */
  if (is_asked || errors || s->overflow || s->new_lost_insns || s->lost_access ||
      s->new_lost_traps || oct_regs_rise(&s->regs, stream_count, data_count, out_count_bytes)) {
    oct_regs_in regs = {in->apb, s->overflow,  s->new_lost_insns, s->lost_access, s->new_lost_traps,
                        errors,  stream_count, data_count,        out_count_bytes};
    regs.apb.psel = is_asked;
    oct_regs_eval(&s->regs, &regs, &out->apb);
    oct_regs_clock(&s->regs);
  }
  if (!is_asked) out->apb = filter_apb;
}

void oct_shadow_timed_cycle(oct_shadow_timed *s, const oct_pins_in *in, oct_pins_out *out) {
  const oct_pins_bus bus = {.atready = oct_trace_port_ready(&s->port, in->port_stall),
                            .atclken = true};
  oct_shadow_timed_cycle_bus(s, in, &bus, out);
  oct_trace_port_in port = {out->atvalid && out->atready, out->atbytes, out->atdata, in->end,
                            in->port_stall};
  out->port = oct_trace_port_eval(&s->port, &port);
  oct_trace_port_clock(&s->port);
  s->stats.port_busy_cycles += out->port.valid;
}

bool oct_shadow_timed_rests(const oct_shadow_timed *s) {
  return s->tail - s->head <= 1 && (s->tail == s->head || (s->has_current && s->is_started)) &&
         !(s->is_dropping && s->tail != s->head) && !s->has_open && !s->flush_pending &&
         !s->flush_busy && !s->has_mark && !s->beats_under_way &&
         s->rear.n_items_in == s->log.n_items && oct_shadow_tail_is_empty(&s->rear) &&
         !s->rear.n_words && !s->rear.atvalid_q && !s->rear.flush_out_q &&
         s->port.held_bits_q < s->port.pins;
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
  oct_shadow_encoder_counts(s->encoder, counts);
  counts->cycles = t->cycles;
  counts->port_busy_cycles = t->port_busy_cycles;
  counts->overflows = t->overflows;
  counts->lost_insns = t->lost_insns;
  counts->lost_accesses = t->lost_accesses;
  counts->lost_traps = t->lost_traps;
  counts->filtered_insns = t->filtered_insns;
  counts->filtered_accesses = t->filtered_accesses;
  counts->filtered_traps = t->filtered_traps;
  memcpy(counts->high_water, t->high_water, sizeof counts->high_water);
}

void oct_shadow_timed_state(oct_shadow_timed *s, oct_state *io) {
  const uint32_t n_insns = s->cfg.gather_insns, n_accesses = s->cfg.gather_accesses;
#define KEPT(X) X(encoder) X(log.symbols) X(log.items) X(gathered) X(accesses) X(together) X(coded)
  OCT_STATE_MOVE_BUT(io, oct_shadow_timed, s, KEPT);
#undef KEPT
  oct_buffer_state(&s->coded, io);
  oct_state_move(io, s->log.items, (s->log.items_mask + 1u) * sizeof *s->log.items);
  oct_state_move(io, s->log.symbols, (s->log.symbols_mask + 1u) * sizeof *s->log.symbols);
  oct_state_move(io, s->gathered, 2 * n_insns * sizeof *s->gathered);
  oct_state_move(io, s->accesses, n_accesses * sizeof *s->accesses);
  oct_state_move(io, s->together, n_accesses * sizeof *s->together);
  oct_shadow_encoder_state(s->encoder, io);
}
