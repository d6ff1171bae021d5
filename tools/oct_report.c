/* SPDX-License-Identifier: Apache-2.0 */
/* oct_report.c - what a run of the compressor counted, as text and as JSON. */
#include "oct_report.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "oct_cli.h"

static const char *const logical_label[] = {
#define OCT_X(name, group, label, text) label,
    OCT_LOGICAL(OCT_X)
#undef OCT_X
};
static const char *const logical_text[] = {
#define OCT_X(name, group, label, text) text,
    OCT_LOGICAL(OCT_X)
#undef OCT_X
};
static const char *const buffer_name[OCT_BUFFER_COUNT] = {"stream", "data", "output"};

static atomic_bool lacks_memory;

static void *json_memory(size_t n) {
  void *p = malloc(n);
  if (!p) atomic_store(&lacks_memory, true);
  return p;
}

void oct_report_watch_memory(void) {
  json_set_alloc_funcs(json_memory, free);
}

bool oct_report_lacks_memory(void) {
  return atomic_load(&lacks_memory);
}

int oct_report_memory(void) {
  return oct_report_lacks_memory() ? oct_cli_error(OCT_EXIT_INPUT, "out of memory") : 0;
}

static double ratio(double part, double whole) {
  return whole > 0 ? part / whole : 0;
}

json_t *oct_report_string(const char *text) {
  json_t *value = json_string(text);
  char *escaped = value ? NULL : calloc(strlen(text) + 1, 4), *to = escaped;
  for (; escaped && *text; text++)
    to += sprintf(to, *text & 0x80 ? "\\x%02x" : "%c", (unsigned char)*text);
  if (escaped) value = json_string(escaped);
  free(escaped);
  return value;
}

/* JSON has no infinity: a ratio with nothing below the line is null. */
static json_t *finite(double x) {
  return x - x == 0 ? json_real(x) : json_null();
}

/* Without tuples there is no such ratio. */
static json_t *cr_ntuple(const oct_stats *s, const oct_config *cfg) {
  return cfg->ntuple_n ? finite(oct_stats_cr_ntuple(s, cfg->addr_bits)) : json_null();
}

static json_t *integer(uint64_t x) {
  return json_integer((json_int_t)x);
}

json_t *oct_report_config(const oct_config *cfg) {
  json_t *o = json_object();
  const uint32_t *value = (const uint32_t *)cfg;
  for (unsigned i = 0; i < oct_params_count; i++)
    json_object_set_new(o, oct_params[i].name, integer(value[i]));
  return o;
}

static json_t *cycle_json(const oct_stats *s, const oct_config *cfg) {
  const uint32_t size[OCT_BUFFER_COUNT] = {cfg->stream_fifo_depth, cfg->data_fifo_depth,
                                           cfg->out_fifo_bytes};
  json_t *o = json_object(), *buffers = json_object();
  json_object_set_new(o, "cycles", integer(s->cycles));
  json_object_set_new(o, "port_busy_cycles", integer(s->port_busy_cycles));
  for (int b = 0; b < OCT_BUFFER_COUNT; b++) {
    json_t *buffer = json_object(), *histogram = json_array();
    uint32_t last =
        b != OCT_BUFFER_OUT && size[b] < OCT_OCCUPANCY_MAX ? size[b] : OCT_OCCUPANCY_MAX;
    for (uint32_t i = 0; i <= last; i++)
      json_array_append_new(histogram, integer(s->occupancy[b][i]));
    json_object_set_new(buffer, "size", integer(size[b]));
    json_object_set_new(buffer, "high_water", integer(s->high_water[b]));
    json_object_set_new(buffer, "cycles_at_occupancy", histogram);
    if (s->sufficient[b]) json_object_set_new(buffer, "sufficient", integer(s->sufficient[b]));
    json_object_set_new(buffers, buffer_name[b], buffer);
  }
  json_object_set_new(o, "buffers", buffers);
  if (s->sufficient[OCT_BUFFER_OUT])
    json_object_set_new(o, "overflows_with_largest_buffers", integer(s->sufficient_overflows));
  return o;
}

json_t *oct_report_json(const oct_stats *s, const oct_config *cfg) {
  json_t *o = json_object(), *port = json_object(), *paper = json_object(), *rate = json_object();
  json_object_set_new(o, "instructions", integer(s->insns));
  json_object_set_new(o, "accesses", integer(s->accesses));
  json_object_set_new(o, "terminators", integer(s->terminators));
  json_object_set_new(o, "streams", integer(s->streams));
  json_object_set_new(o, "tuples", integer(s->tuples));
  json_object_set_new(o, "task_switches", integer(s->task_switches));
  json_object_set_new(o, "syncs", integer(s->syncs));
  json_object_set_new(o, "overflows", integer(s->overflows));
  json_object_set_new(o, "lost_instructions", integer(s->lost_insns));
  json_object_set_new(o, "lost_accesses", integer(s->lost_accesses));

  for (int i = 0; i < OCT_LOGICAL_COUNT; i++)
    json_object_set_new(port, logical_label[i], integer(s->port[i]));
  json_object_set_new(o, "port_bits_by_stream", port);
  json_object_set_new(o, "port_bits", integer(oct_stats_port_bits(s)));
  json_object_set_new(o, "port_bits_per_instruction",
                      finite(ratio((double)oct_stats_port_bits(s), (double)s->insns)));

  json_object_set_new(paper, "SCIT_bits", integer(s->paper_scit));
  json_object_set_new(paper, "SCMT_bits", integer(s->paper_scmt));
  json_object_set_new(paper, "Tuple.Hit_bits", integer(s->paper_tuple_hit));
  json_object_set_new(paper, "Tuple.Miss_bits", integer(s->paper_tuple_miss));
  json_object_set_new(paper, "DT_bits", integer(s->paper_dt));
  json_object_set_new(paper, "DMT_bits", integer(s->paper_dmt));
  json_object_set_new(paper, "CR_SC.I", finite(oct_stats_cr_sc(s, cfg->addr_bits)));
  json_object_set_new(paper, "CR_SC.I+Ntuple", cr_ntuple(s, cfg));
  json_object_set_new(paper, "CR_DASC.D", finite(oct_stats_cr_dasc(s, cfg->addr_bits)));
  json_object_set_new(o, "paper", paper);

  json_object_set_new(rate, "stream_cache", finite(ratio((double)s->sc_hits, (double)s->streams)));
  json_object_set_new(rate, "tuple", finite(ratio((double)s->tuple_hits, (double)s->tuples)));
  json_object_set_new(rate, "dasc", finite(ratio((double)s->dasc_hits, (double)s->accesses)));
  json_object_set_new(o, "hit_rates", rate);
  if (s->cycles) json_object_set_new(o, "cycle_model", cycle_json(s, cfg));
  return o;
}

json_t *oct_report_state(const oct_config *cfg) {
  json_t *o = json_object();
  oct_state_bytes b;
  oct_config_state(cfg, &b);
  json_object_set_new(o, "state_bytes", json_real(b.total));
  json_object_set_new(o, "state_stream_cache_bytes", json_real(b.stream_cache));
  json_object_set_new(o, "state_thb_bytes", json_real(b.thb));
  json_object_set_new(o, "state_tuple_buffer_bytes", json_real(b.tuple_buffer));
  json_object_set_new(o, "state_stream_fifo_bytes", json_real(b.stream_fifo));
  json_object_set_new(o, "state_dasc_bytes", json_real(b.dasc));
  json_object_set_new(o, "state_data_fifo_bytes", json_real(b.data_fifo));
  return o;
}

static void add_cycle_flat(json_t *o, const oct_stats *s) {
  json_object_set_new(o, "cycles", integer(s->cycles));
  json_object_set_new(o, "port_busy",
                      json_real(ratio((double)s->port_busy_cycles, (double)s->cycles)));
  json_object_set_new(o, "overflows", integer(s->overflows));
  json_object_set_new(o, "lost_instructions", integer(s->lost_insns));
  json_object_set_new(o, "lost_accesses", integer(s->lost_accesses));
  for (int b = 0; b < OCT_BUFFER_COUNT; b++) {
    char name[40];
    snprintf(name, sizeof name, "high_water_%s", buffer_name[b]);
    json_object_set_new(o, name, integer(s->high_water[b]));
    if (!s->sufficient[OCT_BUFFER_OUT]) continue;
    snprintf(name, sizeof name, "sufficient_%s", buffer_name[b]);
    json_object_set_new(o, name, integer(s->sufficient[b]));
  }
}

json_t *oct_report_flat(const oct_stats *s, const oct_config *cfg) {
  const struct {
    const char *name;
    uint64_t value;
  } counts[] = {{"instructions", s->insns},
                {"accesses", s->accesses},
                {"streams", s->streams},
                {"port_bits", oct_stats_port_bits(s)},
                {"paper_scit_bits", s->paper_scit},
                {"paper_scmt_bits", s->paper_scmt},
                {"paper_tuple_hit_bits", s->paper_tuple_hit},
                {"paper_tuple_miss_bits", s->paper_tuple_miss},
                {"paper_dt_bits", s->paper_dt},
                {"paper_dmt_bits", s->paper_dmt}};
  bool has_tuples = cfg->ntuple_n > 0;
  json_t *o = json_object();
  json_object_set_new(o, "cr_sc_i", finite(oct_stats_cr_sc(s, cfg->addr_bits)));
  json_object_set_new(o, "cr_sc_i_ntuple", cr_ntuple(s, cfg));
  json_object_set_new(o, "cr_dasc_d", finite(oct_stats_cr_dasc(s, cfg->addr_bits)));
  json_object_set_new(o, "port_bits_per_instruction",
                      finite(ratio((double)oct_stats_port_bits(s), (double)s->insns)));
  json_object_set_new(o, "sc_hit_rate", finite(ratio((double)s->sc_hits, (double)s->streams)));
  json_object_set_new(
      o, "tuple_hit_rate",
      has_tuples ? finite(ratio((double)s->tuple_hits, (double)s->tuples)) : json_null());
  json_object_set_new(o, "dasc_hit_rate", finite(ratio((double)s->dasc_hits, (double)s->accesses)));
  json_object_update_new(o, oct_report_state(cfg));
  for (unsigned i = 0; i < sizeof counts / sizeof *counts; i++)
    json_object_set_new(o, counts[i].name, integer(counts[i].value));
  for (int i = 0; i < OCT_LOGICAL_COUNT; i++) {
    char name[40];
    snprintf(name, sizeof name, "port_%s_bits", logical_label[i]);
    json_object_set_new(o, name, integer(s->port[i]));
  }
  if (s->cycles) add_cycle_flat(o, s);
  return o;
}

static void cycle_text(FILE *f, const oct_stats *s, const oct_config *cfg) {
  fprintf(f, "\ncycles %" PRIu64 ", port busy %.1f %%, %.2f bits a cycle of %" PRIu32 " pins\n",
          s->cycles, 100 * ratio((double)s->port_busy_cycles, (double)s->cycles),
          ratio((double)oct_stats_port_bits(s), (double)s->cycles), cfg->port_pins);
  fprintf(f,
          "high water: stream buffer %" PRIu64 " of %" PRIu32 ", data buffer %" PRIu64
          " of %" PRIu32 ", output %" PRIu64 " of %" PRIu32 " bytes\n",
          s->high_water[OCT_BUFFER_STREAM], cfg->stream_fifo_depth, s->high_water[OCT_BUFFER_DATA],
          cfg->data_fifo_depth, s->high_water[OCT_BUFFER_OUT], cfg->out_fifo_bytes);
  if (s->sufficient[OCT_BUFFER_OUT])
    fprintf(f, "%s: stream buffer %" PRIu64 ", data buffer %" PRIu64 ", output %" PRIu64 " bytes\n",
            s->sufficient_overflows ? "not even these would suffice" : "would suffice",
            s->sufficient[OCT_BUFFER_STREAM], s->sufficient[OCT_BUFFER_DATA],
            s->sufficient[OCT_BUFFER_OUT]);
  fprintf(f, "overflows %" PRIu64 ": %s lost\n", s->overflows,
          oct_cli_counts(s->lost_insns, s->lost_accesses).text);
}

void oct_report_text(FILE *f, const oct_stats *s, const oct_config *cfg) {
  double insns = (double)s->insns;
  fprintf(f,
          "instructions %" PRIu64 ", accesses %" PRIu64 ", streams %" PRIu64
          ", task switches %" PRIu64 ", syncs %" PRIu64 "\n",
          s->insns, s->accesses, s->streams, s->task_switches, s->syncs);
  fprintf(f, "hits: stream cache %.3f %%, tuples %.3f %%, DASC %.3f %%\n",
          100 * ratio((double)s->sc_hits, (double)s->streams),
          100 * ratio((double)s->tuple_hits, (double)s->tuples),
          100 * ratio((double)s->dasc_hits, (double)s->accesses));
  fprintf(f, "\nport accounting          bits   bits/instruction\n");
  for (int i = 0; i < OCT_LOGICAL_COUNT; i++)
    fprintf(f, "  %-10s %16" PRIu64 "   %8.4f  %s\n", logical_label[i], s->port[i],
            ratio((double)s->port[i], insns), logical_text[i]);
  fprintf(f, "  %-10s %16" PRIu64 "   %8.4f\n", "all", oct_stats_port_bits(s),
          ratio((double)oct_stats_port_bits(s), insns));
  fprintf(f, "\npaper accounting: CR SC.I %.2f, ", oct_stats_cr_sc(s, cfg->addr_bits));
  if (cfg->ntuple_n) fprintf(f, "SC.I+Ntuple %.2f, ", oct_stats_cr_ntuple(s, cfg->addr_bits));
  fprintf(f, "DASC.D %.2f\n", oct_stats_cr_dasc(s, cfg->addr_bits));
  if (s->cycles) cycle_text(f, s, cfg);
}

int oct_report_print(json_t *value) {
  int code = oct_report_memory();
  int failed = !code && (json_dumpf(value, stdout, JSON_INDENT(2)) || putchar('\n') == EOF);
  json_decref(value);
  if (!code && failed) code = oct_report_memory();
  if (code) return code;
  if (failed) return oct_cli_stdout_error();
  return 0;
}
