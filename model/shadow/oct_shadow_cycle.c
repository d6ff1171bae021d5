/* SPDX-License-Identifier: Apache-2.0 */
/* oct_shadow_cycle.c - the engine with time of `shadow`: brings instructions and accesses to the
 * machine in the cycles in which they retire.
 *
 * An instruction retires by the arrival model (oct_run_options.h), up to `retire_width` of them in
 * a cycle of which the last alone may be a taken jump; accesses follow one a cycle. Stalls of the
 * port are random by seed and cycle. */
#include "oct_shadow_cycle.h"

#include "oct_arrival.h"
#include "oct_core.h"
#include "oct_filter_text.h"
#include "oct_shadow_timed.h"

#include <stdlib.h>
#include <string.h>

enum { MACHINES = 2, LARGEST_BYTES = 65536, LARGEST_WORDS = 4096, LARGEST_INSNS = 1024 };

struct oct_shadow_cycle {
  oct_run_options options;
  oct_arrivals arrivals;
  uint32_t retire_width;
  bool has_traps, takes_time;
  uint8_t priv; /* as the last trap told it; 0 = a program */
  uint64_t n_insns;
  /* The block that retires in this cycle: instructions, and where the next one is to begin. */
  uint32_t n_block, block_task;
  uint64_t block_end;
  unsigned n_machines;                    /* the second has the largest buffers */
  bool is_flushed[MACHINES], has_flushed; /* all have */
  oct_shadow_timed machines[MACHINES];
};

/* Write the filter's registers, as a debugger does before the first instruction. */
static int set_filter(oct_shadow_cycle *s, const char *text, oct_diag *diag) {
  oct_filter_write writes[OCT_FILTER_WRITES_MAX];
  const oct_shadow_config *cfg = &s->machines[0].cfg;
  int n = oct_filter_parse(text, cfg->filters, cfg->addr_bits, cfg->task_bits, writes, diag);
  for (unsigned i = 0; i < s->n_machines; i++)
    for (int k = 0; k < n; k++) oct_filter_write_reg(&s->machines[i].ingress.filter, &writes[k]);
  return n < 0 ? n : 0;
}

int oct_shadow_cycle_new(const oct_shadow_config *cfg, const oct_run_options *run,
                         oct_shadow_cycle **out, oct_diag *diag) {
  *out = NULL;
  if (run->stall_milli > 999)
    return oct_fail(diag, OCT_ERR_ARG, "stall %u: expected 0 to 999 thousandths", run->stall_milli);
  if (run->arrival == OCT_ARRIVAL_CPI && run->cpi_milli < 1000)
    return oct_fail(diag, OCT_ERR_ARG, "CPI %u.%03u: expected at least 1", run->cpi_milli / 1000,
                    run->cpi_milli % 1000);
  oct_shadow_cycle *s = calloc(1, sizeof *s);
  if (!s) return oct_fail(diag, OCT_ERR_NOMEM, "no memory for an encoder");
  s->options = *run;
  s->retire_width = cfg->retire_width;
  s->has_traps = cfg->traps;
  s->takes_time = cfg->timestamp && cfg->time_source;
  s->n_machines = 1;
  int error = oct_shadow_timed_init(&s->machines[0], cfg, diag);
  if (!error && run->find_depths) {
    oct_shadow_config largest = *cfg;
    largest.gather_insns = LARGEST_INSNS;
    largest.queue_words = LARGEST_WORDS;
    largest.out_fifo_bytes = LARGEST_BYTES;
    s->n_machines = 2;
    error = oct_shadow_timed_init(&s->machines[1], &largest, diag);
  }
  if (!error && run->filter) error = set_filter(s, run->filter, diag);
  s->options.filter = NULL; /* the caller's */
  if (error)
    oct_shadow_cycle_free(s);
  else
    *out = s;
  return error;
}

void oct_shadow_cycle_free(oct_shadow_cycle *s) {
  if (!s) return;
  for (unsigned i = 0; i < s->n_machines; i++) oct_shadow_timed_free(&s->machines[i]);
  free(s);
}

/* A cycle of all machines; whether pins carry bits, or may in the next cycle. */
static bool run_cycle(oct_shadow_cycle *s, oct_pins_in *in) {
  oct_pins_out out;
  bool is_busy = false, asks_flush = in->afvalid;
  in->port_stall = oct_arrival_stalls(&s->arrivals, &s->options);
  /* Pins that do not move in this cycle are as if the receiver stalled. */
  if (s->options.clock_divider > 1 && s->arrivals.cycle % s->options.clock_divider)
    in->port_stall = true;
  s->has_flushed = true;
  for (unsigned i = 0; i < s->n_machines; i++) {
    in->afvalid = asks_flush && !s->is_flushed[i];
    oct_shadow_timed_cycle(&s->machines[i], in, &out);
    is_busy |= out.port.valid;
    s->is_flushed[i] |= out.afready;
    s->has_flushed &= s->is_flushed[i];
  }
  s->arrivals.cycle++;
  s->n_block = 0;
  return is_busy || in->port_stall;
}

static int error_of(const oct_shadow_cycle *s, oct_diag *diag) {
  for (unsigned i = 0; i < s->n_machines; i++) {
    const oct_shadow_timed *m = &s->machines[i];
    if (!m->error) continue;
    if (diag) *diag = m->diag;
    return m->error;
  }
  return 0;
}

/* Cycles in which nothing retires: those that change nothing are only counted. */
static void run_pause(oct_shadow_cycle *s, uint64_t until_cycle) {
  while (s->arrivals.cycle < until_cycle) {
    bool all_rest = true;
    for (unsigned i = 0; i < s->n_machines; i++)
      all_rest = all_rest && oct_shadow_timed_rests(&s->machines[i]);
    if (!all_rest) {
      oct_pins_in in = {.afvalid = false};
      run_cycle(s, &in);
      continue;
    }
    uint64_t left = until_cycle - s->arrivals.cycle;
    for (unsigned i = 0; i < s->n_machines; i++) oct_shadow_timed_rest(&s->machines[i], left);
    s->arrivals.cycle += left;
    s->n_block = 0;
  }
}

static int run_insn(oct_shadow_cycle *s, const oct_insn *insn, const oct_access *accesses,
                    oct_diag *diag) {
  int error = oct_arrival_check(&s->arrivals, &s->options, insn, s->n_insns, diag);
  if (!error && s->takes_time) error = oct_core_check_time(insn, 64, s->n_insns, diag);
  if (error) return error;
  uint64_t until = oct_arrival_cycle(&s->arrivals, &s->options, insn);
  bool is_due = s->options.arrival == OCT_ARRIVAL_FULL || until < s->arrivals.cycle;
  bool is_in_block = s->n_block && s->n_block < s->retire_width && s->block_end == insn->addr &&
                     s->block_task == insn->task && is_due;
  uint32_t records = insn->n_access + (insn->flags & OCT_INSN_END ? 1u : 0u);
  oct_pins_in in = {.retire = {.insn_valid = true,
                               .insn_addr = insn->addr,
                               .insn_size_bytes = insn->size_bytes,
                               .task = insn->task,
                               .priv = s->priv,
                               .time = insn->cycle}};
  uint32_t n_block = is_in_block ? s->n_block : 0;
  if (!is_in_block) run_pause(s, until);
  if (!records) records = 1;
  for (uint32_t k = 0; k < records; k++) {
    in.retire.insn_valid = k == 0;
    in.retire.da_valid = k < insn->n_access || (insn->flags & OCT_INSN_END);
    in.retire.da_end = k >= insn->n_access;
    if (k < insn->n_access) in.retire.da_addr = accesses[k].addr;
    if (k || !is_in_block)
      run_cycle(s, &in);
    else
      for (unsigned i = 0; i < s->n_machines; i++)
        oct_shadow_timed_retire(&s->machines[i], &in.retire);
  }
  /* What makes accesses ends its block. */
  bool ends = insn->n_access || (insn->flags & OCT_INSN_END);
  s->n_block = ends ? s->retire_width : n_block + 1;
  s->block_end = insn->addr + insn->size_bytes;
  s->block_task = insn->task;
  s->n_insns++;
  return error_of(s, diag);
}

/* A trap has a cycle of its own, in a machine that sends traps. */
static int run_trap(oct_shadow_cycle *s, const oct_trap *trap, oct_diag *diag) {
  int error;
  s->priv = trap->privilege;
  if (!s->has_traps) return 0;
  const oct_shadow_config *cfg = &s->machines[0].cfg;
  if ((error = oct_core_check_trap(cfg->addr_bits, cfg->cause_bits, trap, s->n_insns, diag)))
    return error;
  oct_pins_in in = {.retire = {.priv = trap->privilege,
                               .trap_valid = true,
                               .trap_kind = trap->kind,
                               .trap_privilege = trap->privilege,
                               .trap_cause = trap->cause,
                               .trap_addr = trap->addr,
                               .trap_tval = trap->tval}};
  run_cycle(s, &in);
  return error_of(s, diag);
}

int oct_shadow_cycle_put(oct_shadow_cycle *s, const oct_tracer_input *in, oct_diag *diag) {
  const oct_access *accesses = in->accesses;
  const oct_shadow_config *cfg = &s->machines[0].cfg;
  const oct_core_widths widths = {cfg->addr_bits, cfg->pc_align_bits, cfg->task_bits};
  int64_t n_accesses = oct_core_check(widths, in->insns, in->n_insns, accesses, s->n_insns, diag);
  int error = n_accesses < 0 ? (int)n_accesses : 0;
  for (unsigned i = 0; i < s->n_machines && !error; i++)
    error = oct_shadow_encoder_updates(s->machines[i].encoder, in->updates, in->n_updates, diag);
  size_t t = 0;
  for (size_t i = 0; i <= in->n_insns && !error; i++) {
    for (; t < in->n_traps && in->traps[t].insn <= i && !error; t++)
      error = run_trap(s, &in->traps[t], diag);
    if (i == in->n_insns || error) break;
    error = run_insn(s, &in->insns[i], accesses, diag);
    accesses += in->insns[i].n_access;
  }
  return error;
}

int oct_shadow_cycle_flush(oct_shadow_cycle *s, oct_diag *diag) {
  memset(s->is_flushed, 0, sizeof s->is_flushed);
  do {
    oct_pins_in in = {.afvalid = true};
    run_cycle(s, &in);
  } while (!s->has_flushed && !error_of(s, NULL));
  oct_pins_in in = {.end = true};
  while (run_cycle(s, &in)) continue;
  return error_of(s, diag);
}

size_t oct_shadow_cycle_take(oct_shadow_cycle *s, const uint8_t **bytes) {
  for (unsigned i = 1; i < s->n_machines; i++) oct_shadow_timed_take(&s->machines[i], bytes);
  return oct_shadow_timed_take(&s->machines[0], bytes);
}

void oct_shadow_cycle_counts(const oct_shadow_cycle *s, oct_shadow_counts *counts) {
  oct_shadow_timed_counts(&s->machines[0], counts);
  if (s->n_machines < 2) return;
  const oct_shadow_timed *largest = &s->machines[1];
  memcpy(counts->sufficient, largest->stats.sufficient, sizeof counts->sufficient);
  counts->sufficient_overflows = largest->ingress.counts.overflows;
}

unsigned oct_shadow_cycle_occupancy(const oct_shadow_cycle *s, unsigned b, uint64_t *cycles) {
  if (!s->machines[0].stats.cycles) return 0;
  memcpy(cycles, s->machines[0].stats.occupancy[b], sizeof s->machines[0].stats.occupancy[b]);
  return OCT_TIMED_LEVELS + 1;
}
