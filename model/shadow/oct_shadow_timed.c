/* SPDX-License-Identifier: Apache-2.0 */
/* oct_shadow_timed.c - the machine of `shadow`, cycle by cycle: from the port back to the core, so
 * that each stage sees in a cycle what the next one did in it. */
#include "oct_shadow_timed.h"

#include "oct_encoder_base.h"

#include <stdlib.h>
#include <string.h>

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
  s->cfg = *cfg;
  s->level_scale[OCT_TIMED_GATHER] = level_scale(cfg->gather_insns);
  s->level_scale[OCT_TIMED_QUEUE] = level_scale(cfg->queue_words);
  s->level_scale[OCT_TIMED_OUT] = level_scale(cfg->out_fifo_bytes);
  oct_trace_port_init(&s->port, cfg->port_pins);
  s->stats.sufficient[OCT_TIMED_GATHER] = 2;
  s->stats.sufficient[OCT_TIMED_QUEUE] = 4;
  s->stats.sufficient[OCT_TIMED_OUT] = 32;
  /* An item is an access, or a mark with the end of its period; the queue may be exceeded by one
   * instruction. */
  uint32_t items = power_of_2(cfg->queue_words + cfg->gather_accesses + 8);
  uint32_t symbols = 32 * items + 256;
  s->log.items_mask = items - 1;
  s->log.symbols_mask = power_of_2(symbols) - 1;
  s->log.items = calloc(items, sizeof *s->log.items);
  s->log.bytes_after = calloc(s->log.symbols_mask + 1u, sizeof *s->log.bytes_after);
  s->insns = calloc(cfg->gather_insns, sizeof *s->insns);
  s->came = calloc(cfg->gather_insns, sizeof *s->came);
  s->complete = calloc(cfg->gather_insns, sizeof *s->complete);
  s->accesses = calloc(cfg->gather_accesses, sizeof *s->accesses);
  s->together = calloc(cfg->gather_accesses, sizeof *s->together);
  if (!s->log.items || !s->log.bytes_after || !s->insns || !s->came || !s->complete ||
      !s->accesses || !s->together)
    return oct_fail(diag, OCT_ERR_NOMEM, "no memory for an encoder");
  int error = oct_shadow_encoder_new(cfg, &s->encoder, diag);
  if (!error) oct_shadow_encoder_log(s->encoder, &s->log);
  return error;
}

void oct_shadow_timed_free(oct_shadow_timed *s) {
  oct_shadow_encoder_free(s->encoder);
  free(s->log.items);
  free(s->log.bytes_after);
  free(s->insns);
  free(s->came);
  free(s->complete);
  free(s->accesses);
  free(s->together);
  oct_buffer_free(&s->coded);
}

/* ---- Coder, output buffer, port ---- */

/* Words of the queue that are taken: by items whose first word the coder has not left yet. */
static uint32_t words_held(const oct_shadow_timed *s) {
  return (uint32_t)(s->log.n_words - s->words_left);
}

static bool has_all_out(const oct_shadow_timed *s) {
  return s->log.n_items == s->item_head && !s->n_under_way;
}

/* A buffer of so many places would not have waited so far. */
static void suffice(oct_shadow_timed *s, oct_timed_buffer buffer, uint64_t places) {
  while (s->stats.sufficient[buffer] < places) s->stats.sufficient[buffer] *= 2;
}

/* A beat of the bus, and what leaves at the pins. */
static bool cycle_port(oct_shadow_timed *s, bool is_stalled, bool is_end) {
  uint32_t n = s->n_out < 4 ? s->n_out : 4;
  bool is_drained = s->is_flush_coded && has_all_out(s);
  oct_trace_port_in in = {.end = is_end, .stall = is_stalled};
  if ((n == 4 || (n && is_drained)) && oct_trace_port_ready(&s->port)) {
    in.atvalid = true;
    in.atbytes = (uint8_t)(n - 1);
    for (uint32_t i = 0; i < n; i++)
      in.atdata |= (uint32_t)s->coded.bytes[s->crossed + i] << (8 * i);
    s->crossed += n;
    s->n_out -= n;
  }
  bool is_busy = oct_trace_port_eval(&s->port, &in).valid;
  oct_trace_port_clock(&s->port);
  s->stats.port_busy_cycles += is_busy;
  return is_busy;
}

/* The coder takes a symbol; its bytes are in the buffer some cycles later. */
static void cycle_coder(oct_shadow_timed *s) {
  uint8_t *arriving = &s->under_way[s->stats.cycles % OCT_CODER_RING];
  s->n_out += *arriving;
  s->n_under_way -= *arriving;
  *arriving = 0;
  if (s->item_head == s->log.n_items ||
      s->n_out + s->n_under_way + OCT_SYMBOL_BYTES > s->cfg.out_fifo_bytes)
    return;
  const oct_coder_item_log *item = &s->log.items[s->item_head & s->log.items_mask];
  if (item->at_cycle > s->stats.cycles) return;
  if (!s->symbols_left) s->symbols_left = item->n_symbols;
  uint32_t bytes = s->log.bytes_after[s->symbol_head++ & s->log.symbols_mask];
  uint8_t n = (uint8_t)(bytes - s->bytes_seen);
  s->bytes_seen = bytes;
  s->under_way[(s->stats.cycles + OCT_CODER_CYCLES) % OCT_CODER_RING] = n;
  s->n_under_way += n;
  suffice(s, OCT_TIMED_OUT, s->n_out + s->n_under_way + OCT_SYMBOL_BYTES);
  if (--s->symbols_left) return;
  s->words_left += oct_coder_words(item->n_symbols);
  s->item_head++;
}

/* ---- Gather and execute ---- */

/* What the encoder has coded is kept until it crosses the bus. */
static void take_coded(oct_shadow_timed *s) {
  const uint8_t *bytes;
  size_t n = oct_shadow_encoder_take(s->encoder, &bytes);
  if (!n) return;
  s->log.taken += n;
  if (oct_buffer_put(&s->coded, bytes, n))
    s->error = oct_fail(&s->diag, OCT_ERR_NOMEM, "no memory for port bytes");
}

static void begin_items(oct_shadow_timed *s, uint64_t after_cycles) {
  s->log.at_cycle = s->stats.cycles + OCT_PIPE_CYCLES + after_cycles;
}

static void arrive(oct_shadow_timed *s, const oct_insn *insn) {
  if (!s->error) s->error = oct_shadow_encoder_arrive(s->encoder, insn, &s->diag);
  oct_shadow_encoder_item(s->encoder);
}

/* The first instruction leaves gather; next, or NULL: that which comes after it. Whether it ends
 * the cycle: an access or a decision about where it goes were the only ones. */
static bool leave(oct_shadow_timed *s, const oct_insn *next) {
  const oct_insn *insn = &s->insns[s->insn_head & (s->cfg.gather_insns - 1)];
  unsigned n = insn->n_access;
  begin_items(s, 0);
  if (!s->is_arrived) arrive(s, insn);
  if (s->error) return true;
  for (unsigned i = 0; i < n; i++)
    s->together[i] = s->accesses[(s->access_head + i) & (s->cfg.gather_accesses - 1)];
  s->error = oct_shadow_encoder_access(s->encoder, insn, s->together, &s->diag);
  oct_shadow_encoder_item(s->encoder);
  bool has_control = oct_shadow_encoder_has_control(s->encoder);
  begin_items(s, n ? n - 1 : 0);
  if (next) arrive(s, next);
  s->is_arrived = next != NULL;
  s->insn_head++;
  s->access_head += n;
  if (n) s->busy_until = s->stats.cycles + n;
  take_coded(s);
  return n || has_control;
}

static void cycle_gather(oct_shadow_timed *s) {
  uint64_t now = s->stats.cycles;
  uint32_t mask = s->cfg.gather_insns - 1;
  for (uint32_t k = 0; k < s->cfg.retire_width && now >= s->busy_until; k++) {
    uint64_t held = s->insn_tail - s->insn_head;
    if (!held || s->complete[s->insn_head & mask] >= now) return;
    const oct_insn *next = NULL;
    if (held > 1 && s->came[(s->insn_head + 1) & mask] < now)
      next = &s->insns[(s->insn_head + 1) & mask];
    if (!next && (held > 1 || !(s->is_dropping || s->is_flushing))) return;
    /* Its accesses, where it goes, and, if it is the first, its address and a sync. */
    uint32_t words = 2 * (s->insns[s->insn_head & mask].n_access + 3u), in_queue = words_held(s);
    if (in_queue && in_queue + words > s->cfg.queue_words) return;
    if (in_queue) suffice(s, OCT_TIMED_QUEUE, in_queue + words);
    if (leave(s, next) || s->error) return;
  }
}

/* ---- Ingress ---- */

static bool can_resume(const oct_shadow_timed *s) {
  return s->insn_head == s->insn_tail && !words_held(s) &&
         s->n_out + s->n_under_way <= s->cfg.out_fifo_bytes / 2;
}

static void resume(oct_shadow_timed *s) {
  begin_items(s, 0);
  s->is_dropping = s->is_arrived = false;
  if (!s->error)
    s->error =
        oct_shadow_encoder_lose(s->encoder, s->lost_insns, s->lost_accesses, s->is_cut, &s->diag);
  oct_shadow_encoder_item(s->encoder);
  take_coded(s);
}

static void lose(oct_shadow_timed *s, uint64_t n_insns, uint64_t n_accesses) {
  s->lost_insns += n_insns;
  s->lost_accesses += n_accesses;
  s->stats.lost_insns += n_insns;
  s->stats.lost_accesses += n_accesses;
}

static void start_dropping(oct_shadow_timed *s) {
  s->is_dropping = true;
  s->is_cut = false;
  s->lost_insns = s->lost_accesses = 0;
  s->stats.overflows++;
}

/* Places for accesses that are taken: those of the instruction under way become free one by one. */
static uint64_t accesses_held(const oct_shadow_timed *s) {
  uint64_t now = s->stats.cycles, left = s->busy_until > now ? s->busy_until - now : 0;
  return s->access_tail - s->access_head + left;
}

void oct_shadow_timed_retire(oct_shadow_timed *s, const oct_insn *insn, const oct_access *access,
                             bool is_last) {
  const oct_shadow_config *cfg = &s->cfg;
  uint32_t mask = cfg->gather_insns - 1;
  bool has_room = !access || accesses_held(s) < cfg->gather_accesses;
  if (insn) {
    if (s->is_dropping && can_resume(s)) resume(s);
    has_room = has_room && s->insn_tail - s->insn_head < cfg->gather_insns;
    if (!s->is_dropping && !has_room) start_dropping(s);
    if (s->is_dropping) {
      lose(s, 1, access != NULL);
      return;
    }
    s->insns[s->insn_tail & mask] = *insn;
    s->insns[s->insn_tail & mask].n_access = 0;
    s->came[s->insn_tail & mask] = s->stats.cycles;
    s->complete[s->insn_tail & mask] = UINT64_MAX;
    s->insn_tail++;
    s->has_open = true;
  }
  if (!s->has_open) {
    lose(s, 0, access != NULL);
    return;
  }
  if (!has_room) { /* it is taken with the accesses that came so far */
    start_dropping(s);
    lose(s, 0, 1);
    s->is_cut = is_last = true;
  } else if (access) {
    s->accesses[s->access_tail++ & (cfg->gather_accesses - 1)] = *access;
    s->insns[(s->insn_tail - 1) & mask].n_access++;
  }
  if (!is_last) return;
  s->complete[(s->insn_tail - 1) & mask] = s->stats.cycles;
  s->has_open = false;
}

/* ---- Cycles ---- */

static void count_cycles(oct_shadow_timed *s, uint64_t n_cycles) {
  const uint64_t held[OCT_TIMED_BUFFERS] = {s->insn_tail - s->insn_head, words_held(s), s->n_out};
  for (unsigned i = 0; i < OCT_TIMED_BUFFERS; i++) {
    uint64_t level = held[i] * s->level_scale[i] >> 32;
    s->stats.occupancy[i][level < OCT_TIMED_LEVELS ? level : OCT_TIMED_LEVELS] += n_cycles;
    if (held[i] > s->stats.high_water[i]) s->stats.high_water[i] = held[i];
  }
  suffice(s, OCT_TIMED_GATHER, held[OCT_TIMED_GATHER] + 1);
  s->stats.cycles += n_cycles;
}

bool oct_shadow_timed_cycle(oct_shadow_timed *s, bool is_stalled, bool is_end) {
  count_cycles(s, 1);
  bool is_busy = cycle_port(s, is_stalled, is_end);
  cycle_coder(s);
  if (!s->error) cycle_gather(s);
  return is_busy;
}

void oct_shadow_timed_flush(oct_shadow_timed *s) {
  s->is_flushing = true;
}

bool oct_shadow_timed_flushed(oct_shadow_timed *s) {
  if (s->error) return true;
  if (s->is_flushing && s->insn_head == s->insn_tail) {
    if (s->is_dropping && can_resume(s)) resume(s);
    if (!s->is_dropping && !s->is_flush_coded) {
      begin_items(s, 0);
      s->error = oct_shadow_encoder_flush(s->encoder, &s->diag);
      oct_shadow_encoder_item(s->encoder);
      take_coded(s);
      s->is_arrived = false;
      s->is_flush_coded = true;
    } else if (s->is_flush_coded && has_all_out(s) && !s->n_out) {
      s->is_flushing = s->is_flush_coded = false;
    }
  }
  return !s->is_flushing;
}

bool oct_shadow_timed_rests(const oct_shadow_timed *s) {
  uint64_t held = s->insn_tail - s->insn_head;
  return held <= 1 && (!held || !s->is_dropping) && !s->is_flushing && has_all_out(s) &&
         s->n_out < 4 && s->port.held_bits_q < s->port.pins;
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

void oct_shadow_timed_state(oct_shadow_timed *s, oct_state *io) {
  const oct_shadow_timed kept = *s; /* its memory stays */
  const oct_shadow_config *c = &kept.cfg;
  oct_state_move(io, s, sizeof *s);
  s->encoder = kept.encoder;
  s->log.items = kept.log.items;
  s->log.bytes_after = kept.log.bytes_after;
  s->insns = kept.insns;
  s->came = kept.came;
  s->complete = kept.complete;
  s->accesses = kept.accesses;
  s->together = kept.together;
  s->coded = kept.coded;
  oct_buffer_state(&s->coded, io);
  oct_state_move(io, s->log.items, (s->log.items_mask + 1u) * sizeof *s->log.items);
  oct_state_move(io, s->log.bytes_after, (s->log.symbols_mask + 1u) * sizeof *s->log.bytes_after);
  oct_state_move(io, s->insns, c->gather_insns * sizeof *s->insns);
  oct_state_move(io, s->came, c->gather_insns * sizeof *s->came);
  oct_state_move(io, s->complete, c->gather_insns * sizeof *s->complete);
  oct_state_move(io, s->accesses, c->gather_accesses * sizeof *s->accesses);
  oct_shadow_encoder_state(s->encoder, io);
}
