/* SPDX-License-Identifier: Apache-2.0 */
/* oct_bandwidth_print.c - the bandwidth report as text, CSV and HTML. */
#include <string.h>

#include "oct_bandwidth.h"

#include "oct_cli.h"
#include "oct_csv.h"
#include "oct_plural.h"
#include "oct_python.h"
#include "oct_report.h"

static double number(json_t *o, const char *name) {
  return json_number_value(json_object_get(o, name));
}

static const char *string(json_t *o, const char *name) {
  return json_string_value(json_object_get(o, name));
}

/* A line for each buffer or tracer: its points by depth or pins. */
static void print_loss(FILE *f, json_t *loss, const char *by) {
  const char *name;
  json_t *list, *point;
  size_t i;
  json_object_foreach(loss, name, list) {
    fprintf(f, "  %-7s", name);
    for (i = 0; (point = json_array_get(list, i)); i++)
      fprintf(f, " %.0f:%.3g%%", number(point, by), 100 * number(point, "loss"));
    fputc('\n', f);
  }
}

static void print_missed(FILE *f, json_t *list) {
  json_t *m;
  size_t i;
  fprintf(f, "\nstreams that miss most\n  %10s %10s  %-18s %6s  symbol, source\n", "misses",
          "executed", "address", "insns");
  for (i = 0; (m = json_array_get(list, i)); i++)
    fprintf(f, "  %10.0f %10.0f  %-18s %6.0f%s%s%s%s\n", number(m, "misses"),
            number(m, "executions"), string(m, "address"), number(m, "length"),
            *string(m, "symbol") ? "  " : "", oct_cli_shown(string(m, "symbol")).text,
            *string(m, "source") ? "  " : "", oct_cli_shown(string(m, "source")).text);
}

static void print_pins(FILE *f, json_t *pins, const char *with) {
  if (json_is_integer(pins))
    fprintf(f, " %2" JSON_INTEGER_FORMAT " %s", json_integer_value(pins), with);
  else
    fprintf(f, " more than 32 %s", with);
}

/* Cycles in which a buffer held at least so much, at levels that double. */
static void print_fill(FILE *f, json_t *buffer) {
  json_t *cycles = json_object_get(buffer, "cycles_at_occupancy");
  size_t last = json_array_size(cycles) - 1;
  double size = number(buffer, "size"), all = 0, below = 0;
  for (size_t i = 0; i <= last; i++) all += json_number_value(json_array_get(cycles, i));
  fputs("; cycles with at least", f);
  for (size_t level = 1, i = 0; level <= last; level *= 2) {
    for (; i < level; i++) below += json_number_value(json_array_get(cycles, i));
    fprintf(f, " %g:%.3g%%", (double)level * size / (double)last,
            all > 0 ? 100 * (all - below) / all : 0);
  }
  fputc('\n', f);
}

/* The fewest pins without loss, by port clock; one line where the most pins never suffice. */
static void print_no_loss(FILE *f, json_t *list) {
  json_t *value;
  size_t i;
  bool has_enough = false;
  json_array_foreach(list, i, value) {
    has_enough |= json_is_integer(json_object_get(value, "pins")) ||
                  json_is_integer(json_object_get(value, "pins_with_largest_buffers"));
  }
  fprintf(f, "pins for no loss, by port clock (core clock = 1)\n");
  if (!has_enough) {
    fputs("  more than 32 at each, also with the largest buffers\n", f);
    return;
  }
  json_array_foreach(list, i, value) {
    fprintf(f, "  %-5g", number(value, "port_clock"));
    print_pins(f, json_object_get(value, "pins"), "with these buffers, ");
    print_pins(f, json_object_get(value, "pins_with_largest_buffers"), "with the largest\n");
  }
}

/* What the cycle engine made of it. */
static void print_cycle(FILE *f, json_t *r) {
  json_t *buffers = json_object_get(json_object_get(json_object_get(r, "cycle"), "cycle_model"),
                                    "buffers"),
         *value;
  const char *name;
  const double insns = number(r, "cycle_instructions");
  fprintf(f, "\ncycle model, over the first %.0f instruction%s\n", insns, OCT_S(insns));
  json_object_foreach(buffers, name, value) {
    fprintf(f, "  %-7s buffer: at most %.0f of %.0f", name, number(value, "high_water"),
            number(value, "size"));
    print_fill(f, value);
  }
  print_no_loss(f, json_object_get(r, "pins_for_no_loss"));
  fprintf(f, "\nbuffer depth against instructions lost, the others as configured\n");
  print_loss(f, json_object_get(r, "loss_by_depth"), "depth");
}

/* The fewest pins whose queue of bits stays within so many bytes, by port clock. */
static void print_queue(FILE *f, json_t *list) {
  json_t *clock, *pins;
  const char *bytes;
  size_t i;
  fprintf(f, "\npins that a queue of so many bytes needs, by port clock (any tracer alike)\n");
  for (i = 0; (clock = json_array_get(list, i)); i++) {
    fprintf(f, "  %-5g", number(clock, "port_clock"));
    json_object_foreach(json_object_get(clock, "pins_by_queue_bytes"), bytes, pins) {
      if (json_is_integer(pins))
        fprintf(f, "  %s: %" JSON_INTEGER_FORMAT, bytes, json_integer_value(pins));
      else
        fprintf(f, "  %s: more than 32", bytes);
    }
    fputc('\n', f);
  }
}

/* A number in a column; a dash for null. */
static void print_cell(FILE *f, json_t *o, const char *name, int width, int digits, double unit) {
  json_t *value = json_object_get(o, name);
  if (json_is_number(value))
    fprintf(f, " %*.*f", width, digits, unit * json_number_value(value));
  else
    fprintf(f, " %*s", width, "-");
}

/* What each tracer makes of the trace. */
static void print_tracers(FILE *f, json_t *r) {
  json_t *rows = json_object_get(r, "tracers"), *refused = json_object_get(r, "tracers_refused");
  json_t *note = json_object_get(r, "tracers_note"), *o, *why;
  const bool has_rates = json_object_get(r, "clock_hz") != NULL;
  const char *name;
  size_t i;
  bool has_values = false;
  for (i = 0; (o = json_array_get(rows, i)); i++)
    has_values |= !strcmp(string(o, "gives"), "everything");
  fprintf(f,
          "\nall tracers that take this trace, port bits per instruction\n  %-9s %-15s %9s %8s %9s "
          "%8s %6s %6s %9s %8s %10s%s%s\n",
          "tracer", "geometry", "insns", "ratio", "data", "ratio", "sync%", "head%", "all", "ratio",
          "packets", has_rates ? "   Gbit/s" : "", has_values ? "  gives" : "");
  for (i = 0; (o = json_array_get(rows, i)); i++) {
    bool has_data = json_is_true(json_object_get(o, "carries_data"));
    fprintf(f, "  %-9s %-15s", string(o, "tracer"), string(o, "geometry"));
    print_cell(f, o, "insn_bits_per_insn", 9, 4, 1);
    print_cell(f, o, "insn_ratio", 8, 1, 1);
    print_cell(f, o, has_data ? "data_bits_per_insn" : "", 9, 4, 1);
    print_cell(f, o, "data_ratio", 8, 1, 1);
    print_cell(f, o, "sync_share", 6, 2, 100);
    print_cell(f, o, "header_share", 6, 2, 100);
    print_cell(f, o, "bits_per_insn", 9, 4, 1);
    print_cell(f, o, "ratio", 8, 1, 1);
    print_cell(f, o, "packets", 10, 0, 1);
    if (has_rates) print_cell(f, o, "gbit_per_second", 8, 3, 1);
    if (has_values) fprintf(f, "  %s", string(o, "gives"));
    fputc('\n', f);
  }
  json_object_foreach(refused, name, why) {
    fprintf(f, "  %-9s no: %s\n", name, json_string_value(why));
  }
  if (json_is_string(note)) fprintf(f, "  %s\n", json_string_value(note));
}

/* What people call a key: what the object has for it, or the key. */
static const char *label(json_t *labels, const char *key) {
  json_t *text = json_object_get(labels, key);
  return json_is_string(text) ? json_string_value(text) : key;
}

/* Bytes of each structure, and of all. */
static void print_state(FILE *f, json_t *r) {
  json_t *state = json_object_get(r, "state"), *value;
  json_t *structures = json_object_get(json_object_get(r, "words"), "structures");
  const char *name;
  fputs("\nstate, bytes\n", f);
  json_object_foreach(state, name, value) {
    if (strcmp(name, "state_bytes"))
      fprintf(f, "  %-40s %9.9g\n", label(structures, name), json_number_value(value));
  }
  fprintf(f, "  %-40s %9.9g\n", "all", number(state, "state_bytes"));
}

void oct_bandwidth_text(FILE *f, json_t *r) {
  json_t *total = json_object_get(r, "total"), *value;
  double insns = number(total, "instructions");
  const char *name, *before = "";
  fprintf(f, "%s: %s, %.4f port bits per instruction by %s\n",
          oct_cli_shown(string(r, "trace")).text,
          oct_cli_counts((uint64_t)insns, (uint64_t)number(total, "accesses")).text,
          number(total, "port_bits_per_instruction"), string(r, "tracer"));
  if (json_object_get(r, "clock_hz"))
    fprintf(f, "  %.4g Gbit/s at an instruction each cycle of %.4g MHz\n",
            number(r, "gbit_per_second"), number(r, "clock_hz") / 1e6);
  json_object_foreach(json_object_get(total, "port_bits_by_stream"), name, value) {
    fprintf(f, "  %-16s %8.4f\n", name, insns > 0 ? json_number_value(value) / insns : 0);
  }
  json_object_foreach(json_object_get(total, "figures"), name, value) {
    if (json_is_null(value)) continue;
    fprintf(f, "%s%s %.4g", before, label(json_object_get(total, "figure_labels"), name),
            json_number_value(value));
    before = ", ";
  }
  if (*before) fputc('\n', f);
  if (json_object_get(r, "cycle")) {
    fprintf(f, "\npins at the core's clock against instructions lost, by tracer\n");
    print_loss(f, json_object_get(r, "loss_by_pins"), "pins");
  }
  print_state(f, r);
  if (json_object_get(r, "cycle")) print_cycle(f, r);
  print_queue(f, json_object_get(r, "pins_by_queue"));
  if (json_object_get(r, "tracers")) print_tracers(f, r);
  if (json_object_get(r, "missed_streams")) print_missed(f, json_object_get(r, "missed_streams"));
}

static void csv_text(FILE *f, const char *text) {
  if (oct_csv_needs_quotes(text))
    oct_csv_print_quoted(f, text);
  else
    fputs(text, f);
}

/* All plain values below o; names are joined by dots, places in lists by their number. */
static void csv_values(FILE *f, const char *trace, const char *table, const char *key, json_t *o) {
  const char *name;
  json_t *value;
  size_t i;
  if (json_is_object(o) || json_is_array(o)) {
    char below[256];
    json_object_foreach(o, name, value) {
      snprintf(below, sizeof below, "%s%s%s", key, *key ? "." : "", name);
      csv_values(f, trace, table, below, value);
    }
    for (i = 0; (value = json_array_get(o, i)); i++) {
      snprintf(below, sizeof below, "%s%s%zu", key, *key ? "." : "", i);
      csv_values(f, trace, table, below, value);
    }
    return;
  }
  csv_text(f, trace);
  fprintf(f, ",%s,%s,", table, key);
  if (json_is_string(o))
    csv_text(f, json_string_value(o));
  else if (json_is_integer(o))
    fprintf(f, "%" JSON_INTEGER_FORMAT, json_integer_value(o));
  else if (json_is_real(o))
    fprintf(f, "%.9g", json_real_value(o));
  fputc('\n', f);
}

void oct_bandwidth_csv(FILE *f, json_t *r, bool head) {
  const char *table;
  json_t *value;
  if (head) fputs("trace,table,key,value\n", f);
  json_object_foreach(r, table, value) if (strcmp(table, "trace")) {
    csv_values(f, string(r, "trace"), table, "", value);
  }
}

int oct_bandwidth_html(json_t *reports, const char *command, const char *path, oct_diag *diag) {
  json_t *page = json_object();
  json_object_set(page, "reports", reports);
  json_object_set_new(page, "version", json_string(OCT_VERSION));
  json_object_set_new(page, "command", oct_report_string(command));
  int error = oct_python_run("report_html.py", NULL, page, path, diag);
  json_decref(page);
  return error;
}
