/* SPDX-License-Identifier: Apache-2.0 */
/* oct_replay_clock.c - the circuit of docs/replay-rtl.md, as far as time goes: from the port back
 * to the core, so that each stage sees in a cycle what the next one did in it.
 *
 * The FIFO in front of the filter gives it a line of an access in each cycle. What an instruction
 * brings to the queue is admitted as a whole when its last access is there, and comes to the queue
 * when that has gone through FIFO and filter. */
#include "oct_replay_clock.h"

#include <stdlib.h>
#include <string.h>

static uint32_t power_of_2(uint32_t n) {
  uint32_t p = 1;
  while (p < n) p *= 2;
  return p;
}

int oct_rp_clock_init(oct_rp_clock *s, const oct_rp_config *cfg, const oct_run_options *run,
                      oct_diag *diag) {
  enum { ITEMS = 4096, SYMBOLS_OF_A_WORD = 64 };
  memset(s, 0, sizeof *s);
  if (run->stall_milli > 999)
    return oct_fail(diag, OCT_ERR_ARG, "stall %u: expected 0 to 999 thousandths", run->stall_milli);
  if (run->arrival == OCT_ARRIVAL_CPI && run->cpi_milli < 1000)
    return oct_fail(diag, OCT_ERR_ARG, "CPI %u.%03u: expected at least 1", run->cpi_milli / 1000,
                    run->cpi_milli % 1000);
  s->cfg = *cfg;
  s->options = *run;
  oct_shadow_tail_init(&s->tail, cfg->out_fifo_bytes);
  oct_trace_port_init(&s->port, cfg->port_pins);
  const uint32_t sizes[OCT_RP_BUFFERS] = {cfg->queue_words, cfg->out_fifo_bytes};
  /* Of 2^-32: a full buffer is at the highest level. */
  for (unsigned i = 0; i < OCT_RP_BUFFERS; i++)
    s->level_scale[i] = (((uint64_t)OCT_TIMED_LEVELS << 32) + sizes[i] - 1) / sizes[i];
  const uint32_t items = power_of_2(2 * cfg->queue_words + ITEMS);
  s->log.items_mask = items - 1;
  s->log.symbols_mask = SYMBOLS_OF_A_WORD * items - 1;
  s->log.items = calloc(items, sizeof *s->log.items);
  s->log.symbols = calloc(s->log.symbols_mask + 1u, sizeof *s->log.symbols);
  return s->log.items && s->log.symbols ? 0 : oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
}

void oct_rp_clock_free(oct_rp_clock *s) {
  free(s->log.items);
  free(s->log.symbols);
}

/* ---- Cycles ---- */

static void count_cycles(oct_rp_clock *s, uint64_t n_cycles) {
  const uint64_t held[OCT_RP_BUFFERS] = {s->tail.queue_words + s->n_coming,
                                         OCT_BEAT_BYTES * s->tail.n_words};
  for (unsigned i = 0; i < OCT_RP_BUFFERS; i++) {
    const uint64_t level = held[i] * s->level_scale[i] >> 32;
    s->occupancy[i][level < OCT_TIMED_LEVELS ? level : OCT_TIMED_LEVELS] += n_cycles;
    if (held[i] > s->high_water[i]) s->high_water[i] = held[i];
  }
}

static void take_items(oct_rp_clock *s) {
  while (s->tail.n_items_in < s->log.n_items) {
    const oct_coder_item_log *item = &s->log.items[s->tail.n_items_in & s->log.items_mask];
    if (item->beat > s->arrivals.cycle) return;
    s->n_coming -= item->n_words;
    oct_shadow_tail_put(&s->tail, &s->log);
  }
}

/* One cycle; whether pins carry bits, or may in the next one. */
static bool run_cycle(oct_rp_clock *s, bool is_end) {
  bool stalls = oct_arrival_stalls(&s->arrivals, &s->options);
  /* Pins that do not move in this cycle are as if the receiver stalled. */
  if (s->options.clock_divider > 1 && s->arrivals.cycle % s->options.clock_divider) stalls = true;
  count_cycles(s, 1);
  const oct_tail_in in = {.atready = oct_trace_port_ready(&s->port, stalls),
                          .atclken = true,
                          .has_mark = s->n_marks != 0,
                          .mark = s->marks[0].kind,
                          .mark_bytes = s->marks[0].n_bytes};
  oct_tail_out out;
  oct_shadow_tail_cycle(&s->tail, &s->log, &in, &out);
  if (out.mark_done) {
    s->n_marks--;
    memmove(s->marks, s->marks + 1, s->n_marks * sizeof *s->marks);
  }
  take_items(s);
  const oct_trace_port_in port = {.atvalid = out.atvalid && in.atready,
                                  .atbytes = (uint8_t)(out.atbytes - 1),
                                  .end = is_end,
                                  .stall = stalls};
  const oct_trace_port_out pins = oct_trace_port_eval(&s->port, &port);
  oct_trace_port_clock(&s->port);
  s->port_busy_cycles += pins.valid;
  s->n_beats -= s->n_beats != 0;
  s->arrivals.cycle++;
  return pins.valid || stalls;
}

/* No cycle changes anything until something retires. */
static bool rests(const oct_rp_clock *s) {
  const oct_shadow_tail *t = &s->tail;
  return !s->n_marks && !s->n_beats && t->n_items_in == s->log.n_items &&
         oct_shadow_tail_is_empty(t) && t->item_head == t->n_items_in && !t->n_words &&
         !t->atvalid_q && t->flush == OCT_TAIL_NO_FLUSH && !t->flush_out_q &&
         s->port.held_bits_q < s->port.pins;
}

static void run_until(oct_rp_clock *s, uint64_t cycle) {
  while (s->arrivals.cycle < cycle) {
    if (!rests(s)) {
      run_cycle(s, false);
      continue;
    }
    count_cycles(s, cycle - s->arrivals.cycle);
    s->arrivals.cycle = cycle;
  }
}

int oct_rp_clock_arrive(oct_rp_clock *s, const oct_insn *insn, uint64_t number, oct_diag *diag) {
  int error = oct_arrival_check(&s->arrivals, &s->options, insn, number, diag);
  if (!error) run_until(s, oct_arrival_cycle(&s->arrivals, &s->options, insn));
  return error;
}

void oct_rp_clock_trap(oct_rp_clock *s) {
  run_cycle(s, false);
}

void oct_rp_clock_wait(oct_rp_clock *s) {
  run_cycle(s, false);
}

static bool core_waits(oct_rp_clock *s) {
  if (!s->cfg.core_waits || rests(s)) return false;
  run_cycle(s, false);
  s->wait_cycles++;
  return true;
}

bool oct_rp_clock_retire(oct_rp_clock *s, const oct_access *accesses, unsigned n) {
  const uint64_t in_line = s->cfg.line_bytes - 1;
  bool has_room = true;
  for (unsigned i = 0; i < n || !i; i++) {
    if (n) {
      const uint64_t size = accesses[i].size_bytes ? accesses[i].size_bytes : 1;
      s->n_beats += (uint32_t)(((accesses[i].addr & in_line) + size + in_line) / s->cfg.line_bytes);
    }
    while (s->n_beats > OCT_RP_ENTRY_BEATS && core_waits(s)) continue;
    if (s->n_beats > OCT_RP_ENTRY_BEATS) {
      s->n_beats = OCT_RP_ENTRY_BEATS;
      has_room = false;
    }
    run_cycle(s, false);
  }
  return has_room;
}

/* ---- Items and marks ---- */

uint32_t oct_rp_clock_room(const oct_rp_clock *s) {
  const uint32_t held = s->tail.queue_words + s->n_coming;
  return held < s->cfg.queue_words ? s->cfg.queue_words - held : 0;
}

bool oct_rp_clock_takes(oct_rp_clock *s, uint32_t n_words) {
  while (oct_rp_clock_room(s) < n_words && core_waits(s)) continue;
  return oct_rp_clock_room(s) >= n_words || s->cfg.core_waits;
}

void oct_rp_clock_wait_for_sync(oct_rp_clock *s) {
  while ((s->n_marks || !oct_rp_clock_room(s)) && core_waits(s)) continue;
}

static void put_item(oct_rp_clock *s, uint32_t n_symbols, uint32_t n_words) {
  s->log.items[s->log.n_items++ & s->log.items_mask] =
      (oct_coder_item_log){.beat = s->arrivals.cycle + OCT_RP_FILTER_CYCLES + s->n_beats,
                           .n_symbols = n_symbols,
                           .n_words = n_words};
  s->n_coming += n_words;
}

void oct_rp_clock_item(oct_rp_clock *s, uint32_t n_words, uint32_t least_cycles) {
  const uint32_t n_symbols = (uint32_t)(s->log.n_symbols - s->log.symbols_before);
  while (oct_rp_clock_room(s) < n_words && core_waits(s)) continue;
  /* An item without symbols takes a cycle. */
  for (uint32_t i = n_symbols; i < least_cycles; i++) put_item(s, 0, 0);
  put_item(s, n_symbols, n_words);
  s->log.symbols_before = s->log.n_symbols;
}

void oct_rp_clock_mark(oct_rp_clock *s, oct_frame_kind kind, uint32_t n_bytes) {
  s->marks[s->n_marks++] = (oct_rp_mark){kind, n_bytes};
}

bool oct_rp_clock_can_resume(const oct_rp_clock *s) {
  return !s->n_marks && !s->n_beats && s->tail.n_items_in == s->log.n_items &&
         !s->tail.queue_words && s->tail.item_head == s->tail.n_items_in &&
         s->tail.n_words <= s->tail.out_words / 2;
}

void oct_rp_clock_drain(oct_rp_clock *s) {
  while (!rests(s)) run_cycle(s, false);
  while (run_cycle(s, true)) continue;
}

unsigned oct_rp_clock_occupancy(const oct_rp_clock *s, unsigned buffer, uint64_t *cycles) {
  if (!s->arrivals.cycle) return 0;
  memcpy(cycles, s->occupancy[buffer], sizeof s->occupancy[buffer]);
  return OCT_TIMED_LEVELS + 1;
}
