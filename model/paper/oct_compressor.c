/* SPDX-License-Identifier: Apache-2.0 */
/* oct_compressor.c - one interface over both engines, and the arrival models.
 *
 * The untimed engine takes instructions as they come (oct_untimed.c). For the cycle engine a model
 * of the core (oct_core.c) says in which cycle each retires, and the compressor (oct_top.c) is run
 * cycle by cycle; pauses in which nothing can change are skipped (oct_pause.h). To find the depths
 * that would lose nothing, the same runs beside it with the largest buffers, and what these hold at
 * most is noted. */
#include "oct_compressor.h"

#include <endian.h>
#include <stdlib.h>

#include "oct_core.h"
#include "oct_encoder_base.h"
#include "oct_filter_text.h"
#include "oct_pause.h"
#include "oct_top.h"
#include "oct_untimed.h"

/* The least bytes of an output FIFO. */
#define OUT_FIFO_MIN 32

struct oct_compressor {
  oct_run_options options;
  oct_config cfg;
  oct_untimed *untimed;
  oct_top *top;
  oct_top *largest; /* the same with the largest buffers, NULL unless depths are to be found */
  oct_core core;    /* cycle engine: its inputs, */
  oct_pause pause;
  oct_buffer bytes; /* and what crossed the trace bus */
  uint64_t insn_count;
};

static int make_largest(oct_compressor *c) {
  oct_config cfg = c->cfg;
  cfg.stream_fifo_depth = OCT_FIFO_DEPTH_MAX;
  cfg.data_fifo_depth = OCT_FIFO_DEPTH_MAX;
  cfg.out_fifo_bytes = OCT_OUT_FIFO_MAX;
  c->largest = calloc(1, sizeof *c->largest);
  c->top->stats.sufficient[OCT_BUFFER_OUT] = OUT_FIFO_MIN;
  return c->largest ? oct_top_init(c->largest, &cfg) : OCT_ERR_NOMEM;
}

/* Write the filter's registers, as a debugger does before the first instruction. */
static int set_filter(oct_compressor *c, const char *text, oct_diag *diag) {
  oct_filter_write writes[OCT_FILTER_WRITES_MAX];
  if (!c->top) return oct_fail(diag, OCT_ERR_ARG, "a filter is for the cycle engine");
  int n = oct_filter_parse(text, c->cfg.filters, c->cfg.addr_bits, c->cfg.task_bits, writes, diag);
  for (int i = 0; i < n; i++) {
    oct_filter_write_reg(&c->top->filter, &writes[i]);
    if (c->largest) oct_filter_write_reg(&c->largest->filter, &writes[i]);
  }
  return n < 0 ? n : 0;
}

int oct_compressor_new(const oct_config *cfg, const oct_run_options *options, oct_compressor **out,
                       oct_diag *diag) {
  oct_compressor *c;
  int error = oct_config_check(cfg, diag);
  *out = NULL;
  if (error) return error;
  if (options && options->stall_milli > 999)
    return oct_fail(diag, OCT_ERR_ARG, "stall %u: expected 0 to 999 thousandths",
                    options->stall_milli);
  if (options && options->arrival == OCT_ARRIVAL_CPI && options->cpi_milli < 1000)
    return oct_fail(diag, OCT_ERR_ARG, "CPI %u.%03u: expected at least 1",
                    options->cpi_milli / 1000, options->cpi_milli % 1000);
  c = calloc(1, sizeof *c);
  if (!c) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  c->cfg = *cfg;
  if (options) c->options = *options;
  oct_core_init(&c->core, &c->options);
  if (c->options.engine == OCT_ENGINE_CYCLE) {
    c->top = calloc(1, sizeof *c->top);
    error = c->top ? oct_top_init(c->top, cfg) : OCT_ERR_NOMEM;
    if (!error && c->options.find_depths) error = make_largest(c);
    if (!error) error = oct_pause_init(&c->pause, 2);
    if (!error) c->pause.tops[c->pause.n++] = c->top;
    if (!error && c->largest) c->pause.tops[c->pause.n++] = c->largest;
  } else {
    c->untimed = calloc(1, sizeof *c->untimed);
    error = c->untimed ? oct_untimed_init(c->untimed, cfg) : OCT_ERR_NOMEM;
  }
  if (error) {
    oct_compressor_free(c);
    return oct_fail(diag, error, "out of memory");
  }
  if (c->options.filter) error = set_filter(c, c->options.filter, diag);
  c->options.filter = NULL; /* the caller's */
  if (error) {
    oct_compressor_free(c);
    return error;
  }
  *out = c;
  return 0;
}

void oct_compressor_free(oct_compressor *c) {
  if (!c) return;
  if (c->top) oct_top_free(c->top);
  if (c->largest) oct_top_free(c->largest);
  if (c->untimed) oct_untimed_free(c->untimed);
  free(c->top);
  free(c->largest);
  free(c->untimed);
  oct_pause_free(&c->pause);
  oct_buffer_free(&c->bytes);
  free(c);
}

/* Most bytes that a cycle can bring. */
#define CYCLE_BYTES_MAX 4

/* A buffer takes a word when it was not full before the cycle, whatever leaves in the same: it has
 * to have a place for both, unless it passes. count is what it holds after the cycle. */
static uint32_t places(uint32_t count, bool push, bool pop, bool passes) {
  return push ? count + (pop && !passes) : 0;
}

static uint32_t fifo_places(const oct_fifo *f) {
  return places(f->count_q, f->push_d, f->pop_d, f->passes);
}

/* The delays must have room for each word of the stream buffer, even for one that they do not take.
 */
static uint32_t delay_places(const oct_top *t) {
  const oct_fifo *f = &t->delays.buffer;
  return places(f->count_q + !f->push_d, t->stream_buffer.push_d, f->pop_d, f->passes);
}

static void raise_depth(uint64_t *depth, uint32_t needed) {
  if (needed > *depth) *depth = needed;
}

static void run_largest(oct_compressor *c, const oct_top_in *in, oct_top_out *out) {
  oct_top *t = c->largest;
  oct_stats *s = &c->top->stats;
  uint64_t out_words = 0;
  /* A flush alone can wait; the mark of a trap cannot always. */
  bool is_pressing =
      in->retire.insn_valid || in->retire.da_valid || in->retire.trap_valid || t->ingress.trap_due;
  oct_top_cycle(t, in, out);
  if (is_pressing) {
    uint32_t n_delays = delay_places(t);
    raise_depth(&s->sufficient[OCT_BUFFER_STREAM], fifo_places(&t->stream_buffer));
    if (n_delays > t->output.widths.delays_least)
      raise_depth(&s->sufficient[OCT_BUFFER_STREAM], n_delays);
    raise_depth(&s->sufficient[OCT_BUFFER_DATA], fifo_places(&t->data_buffer));
  }
  raise_depth(&out_words,
              places(t->output.count_words_q, t->output.push_d, t->output.pop_d, false));
  while (s->sufficient[OCT_BUFFER_OUT] < 8 * out_words) s->sufficient[OCT_BUFFER_OUT] *= 2;
  s->sufficient_overflows = t->stats.overflows;
}

/* Pins that do not move in this cycle are as if the receiver stalled. */
static int run_cycle(oct_compressor *c, oct_top_in *in, oct_top_out *out) {
  if (c->options.clock_divider > 1 && c->core.arrivals.cycle % c->options.clock_divider)
    in->port_stall = true;
  if (!oct_buffer_room(&c->bytes, CYCLE_BYTES_MAX)) return OCT_ERR_NOMEM;
  if (c->largest) run_largest(c, in, out);
  oct_top_cycle(c->top, in, out);
  if (out->atvalid && out->atready) {
    uint32_t beat = htole32(out->atdata);
    memcpy(c->bytes.bytes + c->bytes.n_bytes, &beat, CYCLE_BYTES_MAX);
    c->bytes.n_bytes += out->atbytes + 1u;
  }
  return 0;
}

static int run_idle_cycle(void *context, const oct_top_in *core) {
  oct_top_in in = *core;
  oct_top_out out;
  return run_cycle(context, &in, &out);
}

static int run_insn(oct_compressor *c, const oct_insn *insn, const oct_access *accesses,
                    oct_diag *diag) {
  oct_top_in in;
  oct_top_out out;
  int error = oct_core_put(&c->core, insn, accesses, c->insn_count, diag);
  if (!error && oct_core_pause_cycles(&c->core))
    error = oct_pause_run(&c->pause, &c->core, run_idle_cycle, c);
  while (!error && oct_core_next(&c->core, &in)) error = run_cycle(c, &in, &out);
  if (error == OCT_ERR_NOMEM) oct_fail(diag, error, "out of memory");
  c->insn_count++;
  return error;
}

/* Up to the last byte on the trace bus, then until the pins have sent it. */
static int run_flush(oct_compressor *c) {
  oct_top_in in;
  oct_top_out out = {.afready = false};
  while (!out.afready) {
    oct_core_idle(&c->core, &in);
    in.afvalid = true;
    if (run_cycle(c, &in, &out)) return OCT_ERR_NOMEM;
  }
  do {
    oct_core_idle(&c->core, &in);
    in.end = true;
    if (run_cycle(c, &in, &out)) return OCT_ERR_NOMEM;
  } while (out.port.valid || in.port_stall);
  return 0;
}

/* The core's time of each instruction. The untimed engine takes what has none, and leaves stamps
 * out there. */
static int check_times(const oct_compressor *c, const oct_insn *insns, size_t n_insns,
                       oct_diag *diag) {
  int error = 0;
  for (size_t i = 0; i < n_insns && !error; i++)
    if (!c->untimed || insns[i].flags & OCT_INSN_HAS_CYCLE)
      error = oct_core_check_time(&insns[i], OCT_TIME_BITS, c->insn_count + i, diag);
  return error;
}

int oct_compressor_put(oct_compressor *c, const oct_insn *insns, size_t n_insns,
                       const oct_access *accesses, oct_diag *diag) {
  const oct_access *a = accesses;
  oct_core_widths widths = {c->cfg.addr_bits, c->cfg.pc_align_bits, c->cfg.task_bits};
  int64_t n_accesses = oct_core_check(widths, insns, n_insns, accesses, c->insn_count, diag);
  int error = n_accesses < 0 ? (int)n_accesses : 0;
  if (!error && c->cfg.timestamp && c->cfg.time_source)
    error = check_times(c, insns, n_insns, diag);
  if (error) return error;
  if (c->untimed) {
    c->insn_count += n_insns;
    error = oct_untimed_put(c->untimed, insns, n_insns, accesses);
    return error ? oct_fail(diag, error, "out of memory") : 0;
  }
  for (size_t i = 0; i < n_insns && !error; a += insns[i++].n_access)
    error = run_insn(c, &insns[i], a, diag);
  return error;
}

int oct_compressor_put_trap(oct_compressor *c, const oct_trap *trap, uint32_t task,
                            oct_diag *diag) {
  int error = c->cfg.traps ? oct_core_check_trap(c->cfg.addr_bits, c->cfg.cause_bits, trap,
                                                 c->insn_count, diag)
                           : 0;
  if (error || !c->cfg.traps) return error;
  if (c->untimed) {
    const oct_trap_word word = {.addr = trap->addr,
                                .tval = trap->tval,
                                .cause = trap->cause,
                                .kind = trap->kind,
                                .privilege = trap->privilege};
    error = oct_untimed_put_trap(c->untimed, &word, task);
  } else {
    oct_top_in in;
    oct_top_out out;
    oct_core_trap(&c->core, trap, task, &in);
    error = run_cycle(c, &in, &out);
  }
  return error ? oct_fail(diag, error, "out of memory") : 0;
}

int oct_compressor_flush(oct_compressor *c, oct_diag *diag) {
  int error = c->untimed ? oct_untimed_flush(c->untimed) : run_flush(c);
  return error ? oct_fail(diag, error, "out of memory") : 0;
}

size_t oct_compressor_take(oct_compressor *c, const uint8_t **bytes) {
  oct_buffer *b = c->untimed ? &c->untimed->bytes : &c->bytes;
  size_t n = b->n_bytes;
  *bytes = b->bytes;
  b->n_bytes = 0;
  return n;
}

const oct_stats *oct_compressor_stats(const oct_compressor *c) {
  return c->untimed ? &c->untimed->stats : &c->top->stats;
}

const oct_config *oct_compressor_config(const oct_compressor *c) {
  return &c->cfg;
}
