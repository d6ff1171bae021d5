/* SPDX-License-Identifier: Apache-2.0 */
/* oct_top.c - the cycle-level compressor. Stages are evaluated from the port back to the core, so
 * that each sees the ready of its successor in the same cycle; then all registers are clocked. */
#include "oct_top.h"

#include <stddef.h>

int oct_top_init(oct_top *s, const oct_config *cfg) {
  memset(s, 0, sizeof *s);
  s->cfg = *cfg;
  s->out_fifo_log2 = oct_log2(cfg->out_fifo_bytes);
  oct_core_rules_init(&s->core_rules, cfg->pc_align_bits);
  oct_filter_init(&s->filter, cfg->filters, cfg->addr_bits, cfg->task_bits);
  oct_ingress_init(&s->ingress, cfg, &s->stats);
  oct_stream_detector_init(&s->detector, cfg);
  oct_fifo_init(&s->stream_buffer, cfg->stream_fifo_depth, cfg->pipelined);
  oct_fifo_init(&s->data_buffer, cfg->data_fifo_depth, cfg->pipelined);
  oct_delays_init(&s->delays, cfg);
  oct_repetition_init(&s->repetition, cfg, &s->stats);
  oct_output_init(&s->output, cfg, &s->stats);
  oct_trace_port_init(&s->port, cfg->port_pins);
  oct_regs_init(&s->regs, cfg->sync_period_insns, cfg->timestamp ? OCT_TIME_BITS : 0,
                cfg->time_source);
  s->atid_q = s->regs.atid_q;
  if (oct_stream_cache_init(&s->stream_cache, cfg, &s->stats) ||
      oct_ntuple_init(&s->ntuple, cfg, &s->stats) || oct_dasc_init(&s->dasc, cfg, &s->stats)) {
    oct_top_free(s);
    return OCT_ERR_NOMEM;
  }
  return 0;
}

void oct_top_free(oct_top *s) {
  oct_stream_cache_free(&s->stream_cache);
  oct_ntuple_free(&s->ntuple);
  oct_dasc_free(&s->dasc);
}

OCT_INLINE void count_occupancy(const oct_top *s, oct_stats *st, uint64_t n_cycles) {
  uint32_t now[OCT_BUFFER_COUNT] = {s->stream_buffer.count_q, s->data_buffer.count_q,
                                    oct_output_count_bytes(&s->output)};
  st->occupancy[OCT_BUFFER_STREAM][now[OCT_BUFFER_STREAM]] += n_cycles;
  st->occupancy[OCT_BUFFER_DATA][now[OCT_BUFFER_DATA]] += n_cycles;
  st->occupancy[OCT_BUFFER_OUT][now[OCT_BUFFER_OUT] * OCT_OCCUPANCY_MAX >> s->out_fifo_log2] +=
      n_cycles;
  for (int i = 0; i < OCT_BUFFER_COUNT; i++)
    if (now[i] > st->high_water[i]) st->high_water[i] = now[i];
  st->cycles += n_cycles;
}

OCT_INLINE void eval_output(oct_top *s, const oct_top_bus *bus, oct_output_out *o,
                            oct_top_out *out) {
  oct_output_in oi = {.insn_item = oct_ntuple_out(&s->ntuple),
                      .data_item = oct_repetition_out(&s->repetition),
                      .cycles_item = s->delays.is_on ? oct_delays_out(&s->delays) : NULL,
                      .resume = s->ingress.resume,
                      .barrier = &s->ingress.barrier,
                      .atready = bus->atready,
                      .atclken = bus->atclken};
  oct_output_eval(&s->output, &oi, o);
  out->atvalid = o->atvalid;
  out->atready = bus->atready;
  out->atbytes = o->atbytes;
  out->atdata = o->atdata;
  out->atid = s->atid_q;
  out->afready = o->flush_out && s->ingress.af_busy;
  if (bus->atclken && (!o->atvalid || bus->atready)) s->atid_q = s->regs.atid_q;
}

OCT_INLINE void eval_port(oct_top *s, const oct_top_in *in, oct_top_out *out) {
  oct_trace_port_in pi = {.atvalid = out->atvalid && out->atready,
                          .atbytes = out->atbytes,
                          .atdata = out->atdata,
                          .end = in->end,
                          .stall = in->port_stall};
  out->port = oct_trace_port_eval(&s->port, &pi);
  s->stats.port_busy_cycles += out->port.valid;
}

OCT_INLINE bool eval_insn_side(oct_top *s, bool out_ready) {
  oct_ntuple_in ni = {s->stream_cache.hold.out_valid_q, &s->stream_cache.out_q, out_ready};
  oct_stream_cache_in ci = {oct_fifo_valid(&s->stream_buffer),
                            &oct_fifo_head(&s->stream_buffer)->stream, false};
  ci.out_ready = oct_ntuple_eval(&s->ntuple, &ni);
  return oct_stream_cache_eval(&s->stream_cache, &ci) && ci.valid;
}

OCT_INLINE bool eval_data_side(oct_top *s, bool out_ready) {
  oct_repetition_in ri = {s->dasc.hold.out_valid_q, &s->dasc.out_q, out_ready};
  oct_dasc_in di = {oct_fifo_valid(&s->data_buffer), &oct_fifo_head(&s->data_buffer)->data, false};
  di.out_ready = oct_repetition_eval(&s->repetition, &ri);
  return oct_dasc_eval(&s->dasc, &di) && di.valid;
}

/* What the core brings, as the filter lets it through: in *r. The flags of rules it breaks. */
OCT_INLINE uint32_t eval_filter(oct_top *s, const oct_top_in *in, oct_retire *r,
                                oct_filter_out *fo) {
  if (!s->cfg.traps) r->trap_valid = false;
  const oct_core_rules_in ci = {.insn_valid = r->insn_valid,
                                .da_valid = r->da_valid,
                                .da_end = r->da_end,
                                .core_error = r->core_error,
                                .insn_addr = r->insn_addr,
                                .insn_size_bytes = r->insn_size_bytes,
                                .trap_valid = r->trap_valid,
                                .trap_kind = r->trap_kind};
  if (!s->filter.n && !in->apb.psel) { /* all passes, and no register is asked for */
    *fo = (oct_filter_out){.da_valid = r->da_valid, .da_end = r->da_end, .apb.pready = true};
    return oct_core_rules_eval(&s->core_rules, &ci);
  }
  oct_filter_in fi = {.apb = in->apb,
                      .insn_valid = r->insn_valid,
                      .da_valid = r->da_valid,
                      .da_end = r->da_end,
                      .priv = r->priv,
                      .trigger = r->trigger,
                      .task = r->task,
                      .insn_addr = r->insn_addr,
                      .da_addr = r->da_addr};
  uint32_t errors = oct_core_rules_eval(&s->core_rules, &ci);
  fi.apb.psel = in->apb.psel && in->apb.paddr >= OCT_REG_TR_TE_CONTROL;
  oct_filter_eval(&s->filter, &fi, fo);
  r->da_valid = fo->da_valid;
  r->da_end = fo->da_end;
  return errors;
}

/* Behind a loss events are taken again once the buffers have room for more than a few: else the
 * next loss, whose packet costs more than they do, would follow at once. */
OCT_INLINE bool is_drained(const oct_top *s) {
  return s->stream_buffer.count_q <= s->cfg.stream_fifo_depth / 2 &&
         s->data_buffer.count_q <= s->cfg.data_fifo_depth / 2 &&
         oct_output_count_bytes(&s->output) <= s->cfg.out_fifo_bytes / 2;
}

OCT_INLINE uint32_t eval_core_side(oct_top *s, const oct_top_in *in, const oct_top_bus *bus,
                                   const oct_output_out *o, bool stream_pop, bool data_pop,
                                   oct_ingress_out *io, oct_apb_out *filter_apb) {
  oct_filter_out fo;
  oct_retire retire = in->retire;
  const oct_retire *r = &retire;
  uint32_t errors = eval_filter(s, in, &retire, &fo);
  oct_ingress_in ii = {
      .retire = r,
      .skip = fo.skip,
      .bad = errors != 0,
      .afvalid = in->afvalid && bus->atclken,
      .flush_done = o->flush_done,
      .syncreq = bus->syncreq && bus->atclken,
      .enable = s->regs.enable_q,
      .sync_period_insns = s->regs.sync_period_insns_q,
      .sync_due = o->sync_due,
      .opens_stream = oct_stream_detector_opens(&s->detector, r->insn_addr, OCT_MARK_NONE),
      .closes_insn = oct_stream_detector_closes(&s->detector, r->insn_addr),
      .stream_ready = oct_delays_eval(&s->delays, o->cycles_ready) &&
                      oct_fifo_ready(&s->stream_buffer, stream_pop),
      .data_ready = oct_fifo_ready(&s->data_buffer, data_pop),
      .is_drained = is_drained(s),
      .is_empty = !oct_fifo_valid(&s->stream_buffer) && !oct_fifo_valid(&s->data_buffer),
      .is_out_empty = !oct_output_count_bytes(&s->output),
      .is_out_full = oct_output_is_full(&s->output),
      .overflow_at_head = o->overflow_at_head,
      .overflow_done = s->overflow_done,
      .sync_done = s->sync_done,
      .trap_done = o->trap_done,
      .time_done = o->time_done};
  oct_fifo_word stream;
  oct_fifo_word data;
  bool push;
  oct_ingress_eval(&s->ingress, &ii, io);
  if (io->time_back) errors |= OCT_CORE_ERROR_TIME;
  s->detector.next_delay = io->delay;
  push = oct_stream_detector_step(&s->detector, io->insn_valid, r->insn_addr, r->insn_size_bytes,
                                  io->mark, io->task, &stream.stream);
  data.data = io->data;
  oct_fifo_eval(&s->stream_buffer, push ? &stream : NULL, stream_pop);
  oct_delays_clock(&s->delays, push ? &stream : NULL);
  oct_fifo_eval(&s->data_buffer, io->data_push ? &data : NULL, data_pop);
  *filter_apb = fo.apb;
  return errors;
}

/* The registers of the compressor stand below those of the filter. */
OCT_INLINE void eval_regs(oct_top *s, const oct_top_in *in, const oct_ingress_out *io,
                          uint32_t errors, const oct_apb_out *filter_apb, oct_top_out *out) {
  oct_regs_in ri = {.apb = in->apb,
                    .overflow = io->overflow,
                    .lost_insns = io->lost_insn,
                    .lost_access = io->lost_access,
                    .lost_traps = io->lost_traps,
                    .errors = errors,
                    .stream_count = s->stream_buffer.count_q,
                    .data_count = s->data_buffer.count_q,
                    .out_count_bytes = oct_output_count_bytes(&s->output)};
  ri.apb.psel = in->apb.psel && in->apb.paddr < OCT_REG_TR_TE_CONTROL;
  oct_regs_eval(&s->regs, &ri, &out->apb);
  if (!ri.apb.psel) out->apb = *filter_apb;
}

/* Of this function there is one copy, so that each stage is called at one place and becomes part of
 * it. */
OCT_NO_INLINE static void cycle(oct_top *s, const oct_top_in *in, const oct_top_bus *bus,
                                oct_top_out *out) {
  oct_output_out o;
  oct_ingress_out io;
  oct_apb_out filter_apb;
  uint32_t errors;
  bool stream_pop;
  bool data_pop;
  count_occupancy(s, &s->stats, 1);
  eval_output(s, bus, &o, out);
  stream_pop = eval_insn_side(s, o.insn_ready);
  data_pop = eval_data_side(s, o.data_ready);
  errors = eval_core_side(s, in, bus, &o, stream_pop, data_pop, &io, &filter_apb);
  eval_regs(s, in, &io, errors, &filter_apb, out);
  s->overflow_done = o.overflow_done;
  s->sync_done = o.sync_done;
  oct_filter_clock(&s->filter);
  oct_fifo_clock(&s->stream_buffer);
  oct_fifo_clock(&s->data_buffer);
  oct_stream_cache_clock(&s->stream_cache);
  oct_ntuple_clock(&s->ntuple);
  oct_dasc_clock(&s->dasc);
  oct_repetition_clock(&s->repetition);
  oct_output_clock(&s->output);
  oct_regs_clock(&s->regs);
}

void oct_top_cycle_bus(oct_top *s, const oct_top_in *in, const oct_top_bus *bus, oct_top_out *out) {
  cycle(s, in, bus, out);
}

/* The bus of the trace port runs in each cycle. */
void oct_top_cycle(oct_top *s, const oct_top_in *in, oct_top_out *out) {
  const oct_top_bus bus = {.atready = oct_trace_port_ready(&s->port, in->port_stall),
                           .atclken = true};
  cycle(s, in, &bus, out);
  eval_port(s, in, out);
  oct_trace_port_clock(&s->port);
}

/* Tables that stages point to change only when a stage takes a word, which its registers tell. */
bool oct_top_rests(const oct_top *s, const oct_top *before) {
  oct_stats stats = before->stats;
  count_occupancy(before, &stats, 1);
  if (s->port.held_bits_q >= s->port.pins || memcmp(&s->stats, &stats, sizeof stats) != 0)
    return false;
#define OCT_X(type, name) \
  if (memcmp(&s->name, &before->name, sizeof s->name) != 0) return false;
  OCT_TOP_STAGES(OCT_X)
#undef OCT_X
  return true;
}

void oct_top_rest(oct_top *s, uint64_t n_cycles) {
  count_occupancy(s, &s->stats, n_cycles);
}
