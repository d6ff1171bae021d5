/* SPDX-License-Identifier: Apache-2.0 */
/* oct_report.c - what a tracer counted, as text and as JSON. */
#include "oct_report.h"

#include "oct_isa_text.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "oct_cli.h"

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
  if (!oct_report_lacks_memory()) return 0;
  return oct_cli_has_told_memory() ? OCT_EXIT_INPUT
                                   : oct_cli_error(OCT_EXIT_INPUT, "out of memory");
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

static json_t *integer(uint64_t x) {
  return json_integer((json_int_t)x);
}

json_t *oct_report_params(const oct_tracer *t, const uint32_t *params) {
  json_t *o = json_object();
  for (unsigned i = 0; i < t->n_params; i++)
    json_object_set_new(o, t->params[i].name, integer(params[i]));
  return o;
}

/* The name of a counter for readers: instructions are written out. */
static const char *public_name(const char *name, char text[64]) {
  const char *insns = strstr(name, "insns");
  if (!insns) return name;
  snprintf(text, 64, "%.*sinstructions%s", (int)(insns - name), name, insns + strlen("insns"));
  return text;
}

static void set_counter(json_t *o, const oct_reported *c, unsigned i) {
  char name[64];
  json_object_set_new(o, public_name(c->tracer->counters[i].name, name), integer(c->counters[i]));
}

static bool is_of_port(const oct_counter *counter) {
  return counter->group >= OCT_GROUP_PORT_INSN && counter->group <= OCT_GROUP_PORT_OVERHEAD;
}

static bool is_timed(const oct_counter *counter) {
  return counter->group == OCT_GROUP_TIME || counter->group == OCT_GROUP_BUFFER;
}

/* Whether the counter is told with a buffer. */
static bool is_of_buffer(const oct_tracer *t, const char *name) {
  for (unsigned b = 0; b < t->n_buffers; b++)
    if (!strcmp(name, t->buffers[b].high_water) ||
        (t->buffers[b].sufficient && !strcmp(name, t->buffers[b].sufficient)))
      return true;
  return false;
}

static uint64_t count(const oct_reported *c, const char *name) {
  return name ? oct_tracer_count(c->tracer, c->counters, name) : 0;
}

static uint64_t port_bits(const oct_reported *c) {
  return oct_tracer_port_bits(c->tracer, c->counters, OCT_GROUP_TRACE);
}

static uint32_t buffer_size(const oct_reported *c, unsigned b) {
  return c->params[oct_tracer_param(c->tracer, c->tracer->buffers[b].param)];
}

static json_t *figures_json(const oct_reported *c) {
  json_t *o = json_object();
  for (unsigned i = 0; i < c->tracer->n_figures; i++)
    json_object_set_new(o, c->tracer->figures[i].name,
                        finite(c->tracer->figures[i].value(c->params, c->counters)));
  return o;
}

/* What each figure is, in words. */
static json_t *figure_labels(const oct_tracer *t) {
  json_t *o = json_object();
  for (unsigned i = 0; i < t->n_figures; i++)
    json_object_set_new(o, t->figures[i].name, json_string(t->figures[i].label));
  return o;
}

static json_t *cycle_json(const oct_reported *c) {
  const oct_tracer *t = c->tracer;
  json_t *o = json_object(), *buffers = json_object();
  for (unsigned i = 0; i < t->n_counters; i++)
    if (is_timed(&t->counters[i]) && !is_of_buffer(t, t->counters[i].name)) set_counter(o, c, i);
  for (unsigned b = 0; b < t->n_buffers; b++) {
    const oct_tracer_buffer *buffer = &t->buffers[b];
    uint64_t cycles[OCT_OCCUPANCY_LEVELS_MAX];
    unsigned levels =
        c->encoder && t->encoder.occupancy ? t->encoder.occupancy(c->encoder, b, cycles) : 0;
    json_t *one = json_object(), *histogram = json_array();
    for (unsigned i = 0; i < levels; i++) json_array_append_new(histogram, integer(cycles[i]));
    json_object_set_new(one, "size", integer(buffer_size(c, b)));
    json_object_set_new(one, "high_water", integer(count(c, buffer->high_water)));
    json_object_set_new(one, "cycles_at_occupancy", histogram);
    if (count(c, buffer->sufficient))
      json_object_set_new(one, "sufficient", integer(count(c, buffer->sufficient)));
    json_object_set_new(buffers, buffer->name, one);
  }
  json_object_set_new(o, "buffers", buffers);
  return o;
}

enum { CORRECTED = 8 }; /* instructions that are named */

static json_t *corrections_json(const oct_reported *c) {
  oct_correction list[CORRECTED];
  const size_t n = c->tracer->encoder.corrections(c->encoder, list, CORRECTED);
  oct_isa_text *assembler = oct_isa_text_new();
  json_t *o = json_object(), *most = json_array();
  for (size_t i = 0; assembler && i < n && i < CORRECTED; i++) {
    char addr[32], text[128];
    snprintf(addr, sizeof addr, "0x%" PRIx64, list[i].insn->addr);
    oct_isa_text_of(assembler, list[i].insn, text, sizeof text);
    json_array_append_new(most, json_pack("{s:s, s:s, s:o}", "addr", addr, "assembly", text,
                                          "times", integer(list[i].times)));
  }
  oct_isa_text_free(assembler);
  json_object_set_new(o, "places", integer(n));
  json_object_set_new(o, "most", most);
  return o;
}

json_t *oct_report_json(const oct_reported *c) {
  const oct_tracer *t = c->tracer;
  json_t *o = json_object(), *port = json_object();
  uint64_t insns = count(c, "insns");
  json_object_set_new(o, "tracer", json_string(t->name));
  for (unsigned i = 0; i < t->n_counters; i++) {
    if (is_of_port(&t->counters[i]))
      json_object_set_new(port, t->counters[i].label, integer(c->counters[i]));
    else if (!is_timed(&t->counters[i]))
      set_counter(o, c, i);
  }
  json_object_set_new(o, "port_bits_by_stream", port);
  json_object_set_new(o, "port_bits", integer(port_bits(c)));
  json_object_set_new(o, "port_bits_per_instruction",
                      finite(ratio((double)port_bits(c), (double)insns)));
  json_object_set_new(o, "figures", figures_json(c));
  json_object_set_new(o, "figure_labels", figure_labels(c->tracer));
  if (count(c, "cycles")) json_object_set_new(o, "cycle_model", cycle_json(c));
  if (c->encoder && t->encoder.corrections)
    json_object_set_new(o, "corrections", corrections_json(c));
  return o;
}

json_t *oct_report_state(const oct_tracer *t, const uint32_t *params) {
  json_t *o = json_object();
  json_object_set_new(o, "state_bytes", json_real((double)oct_tracer_state_bits(t, params) / 8));
  for (unsigned i = 0; i < t->n_state_parts; i++) {
    char name[64];
    snprintf(name, sizeof name, "state_%s_bytes", t->state_parts[i].name);
    json_object_set_new(o, name, json_real((double)t->state_parts[i].bits(params) / 8));
  }
  return o;
}

json_t *oct_report_words(const oct_tracer *t) {
  json_t *o = json_object(), *streams = json_object(), *structures = json_object();
  for (unsigned i = 0; i < t->n_counters; i++)
    if (is_of_port(&t->counters[i]))
      json_object_set_new(streams, t->counters[i].label, json_string(t->counters[i].text));
  for (unsigned i = 0; i < t->n_state_parts; i++) {
    char name[64];
    snprintf(name, sizeof name, "state_%s_bytes", t->state_parts[i].name);
    json_object_set_new(structures, name, json_string(t->state_parts[i].text));
  }
  json_object_set_new(o, "streams", streams);
  json_object_set_new(o, "structures", structures);
  return o;
}

json_t *oct_report_flat(const oct_reported *c) {
  const oct_tracer *t = c->tracer;
  bool has_time = count(c, "cycles") != 0;
  json_t *o = figures_json(c);
  json_object_set_new(o, "port_bits_per_instruction",
                      finite(ratio((double)port_bits(c), (double)count(c, "insns"))));
  json_object_update_new(o, oct_report_state(t, c->params));
  json_object_set_new(o, "port_bits", integer(port_bits(c)));
  for (unsigned i = 0; i < t->n_counters; i++)
    if (has_time || (!is_timed(&t->counters[i]) && t->counters[i].group != OCT_GROUP_LOSS))
      set_counter(o, c, i);
  return o;
}

void oct_report_depths(FILE *f, const oct_reported *c) {
  const oct_tracer *t = c->tracer;
  for (unsigned b = 0; b < t->n_buffers; b++)
    fprintf(f, "%s%s buffer %" PRIu64 "%s",
            b                                  ? ", "
            : count(c, "sufficient_overflows") ? "not even these would suffice: "
                                               : "would suffice: ",
            t->buffers[b].name, count(c, t->buffers[b].sufficient),
            b + 1 < t->n_buffers ? "" : "\n");
}

static void cycle_text(FILE *f, const oct_reported *c) {
  const oct_tracer *t = c->tracer;
  uint64_t cycles = count(c, "cycles");
  bool has_depths = false;
  fprintf(f, "\ncycles %" PRIu64 ", %.2f bits per cycle\n", cycles,
          ratio((double)port_bits(c), (double)cycles));
  for (unsigned b = 0; b < t->n_buffers; b++) {
    fprintf(f, "%s%s buffer %" PRIu64 " of %" PRIu32, b ? ", " : "high water: ", t->buffers[b].name,
            count(c, t->buffers[b].high_water), buffer_size(c, b));
    has_depths = has_depths || count(c, t->buffers[b].sufficient);
  }
  if (t->n_buffers) fputc('\n', f);
  if (has_depths) oct_report_depths(f, c);
  fprintf(
      f, "overflows %" PRIu64 ": %s lost\n", count(c, "overflows"),
      oct_cli_lost(count(c, "lost_insns"), count(c, "lost_accesses"), count(c, "lost_traps")).text);
}

static void corrections_text(FILE *f, const oct_reported *c) {
  json_t *o = corrections_json(c), *one;
  size_t i;
  if (json_array_size(json_object_get(o, "most")))
    fprintf(f, "\ncorrected after %" JSON_INTEGER_FORMAT " instructions, most often after\n",
            json_integer_value(json_object_get(o, "places")));
  json_array_foreach(json_object_get(o, "most"), i, one) {
    fprintf(f, "  %12" JSON_INTEGER_FORMAT "  %s  %s\n",
            json_integer_value(json_object_get(one, "times")),
            json_string_value(json_object_get(one, "addr")),
            json_string_value(json_object_get(one, "assembly")));
  }
  json_decref(o);
}

void oct_report_text(FILE *f, const oct_reported *c) {
  const oct_tracer *t = c->tracer;
  double insns = (double)count(c, "insns");
  const char *before = "";
  for (unsigned i = 0; i < t->n_counters; i++) {
    if (t->counters[i].group != OCT_GROUP_TRACE) continue;
    fprintf(f, "%s%s %" PRIu64, before, t->counters[i].label, c->counters[i]);
    before = ", ";
  }
  int label = 10;
  for (unsigned i = 0; i < t->n_counters; i++)
    if (is_of_port(&t->counters[i]) && (int)strlen(t->counters[i].label) > label)
      label = (int)strlen(t->counters[i].label);
  const int bits = label > 16 ? 10 : 26 - label;
  const char heading[] = "port accounting";
  fprintf(f, "\n\n%s%*s   bits/instruction\n", heading,
          (int)(2 + label + 1 + bits - (sizeof heading - 1)), "bits");
  for (unsigned i = 0; i < t->n_counters; i++)
    if (is_of_port(&t->counters[i]))
      fprintf(f, "  %-*s %*" PRIu64 "   %8.4f  %s\n", label, t->counters[i].label, bits,
              c->counters[i], ratio((double)c->counters[i], insns), t->counters[i].text);
  fprintf(f, "  %-*s %*" PRIu64 "   %8.4f\n", label, "all", bits, port_bits(c),
          ratio((double)port_bits(c), insns));
  before = "\n";
  for (unsigned i = 0; i < t->n_figures; i++) {
    double value = t->figures[i].value(c->params, c->counters);
    if (value - value != 0) continue; /* there is none */
    const char *unit = t->figures[i].unit;
    fprintf(f, "%s%s %.4g%s%s", before, t->figures[i].label, value, *unit ? " " : "", unit);
    before = ", ";
  }
  if (*before == ',') fputc('\n', f);
  if (c->encoder && t->encoder.corrections) corrections_text(f, c);
  if (count(c, "cycles")) cycle_text(f, c);
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

int oct_report_object(json_t *o, bool json, void (*put_array)(const json_t *array)) {
  if (json) return oct_report_print(o);
  const char *name;
  json_t *value;
  int code = oct_report_memory();
  if (code) {
    json_decref(o);
    return code;
  }
  json_object_foreach(o, name, value) {
    if (json_is_string(value))
      printf("%-22s %s\n", name, oct_cli_shown(oct_cli_input_name(json_string_value(value))).text);
    else if (json_is_real(value))
      printf("%-22s %.3f\n", name, json_real_value(value));
    else if (json_is_integer(value))
      printf("%-22s %" JSON_INTEGER_FORMAT "\n", name, json_integer_value(value));
    else if (put_array && json_is_array(value))
      put_array(value);
  }
  json_decref(o);
  return OCT_EXIT_OK;
}
