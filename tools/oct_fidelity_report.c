/* SPDX-License-Identifier: Apache-2.0 */
/* oct_fidelity_report.c - two address traces side by side, as JSON, text and CSV. */
#include "oct_fidelity_report.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "oct_cli.h"
#include "oct_report.h"

static json_t *side_json(const oct_fidelity_side *s) {
  oct_fidelity_predictor p = oct_fidelity_predicted(s->f);
  json_t *o = json_object(), *predictor = json_object();
  json_object_set_new(o, "name", oct_report_string(s->name));
  json_object_set_new(o, "addresses", json_integer((json_int_t)oct_fidelity_addresses(s->f)));
  json_object_set_new(o, "blocks", json_integer((json_int_t)oct_fidelity_blocks(s->f)));
  json_object_set_new(predictor, "correct", json_real(p.correct));
  json_object_set_new(predictor, "incorrect", json_real(p.incorrect));
  json_object_set_new(predictor, "not_predicted", json_real(p.not_predicted));
  json_object_set_new(o, "predictor", predictor);
  return o;
}

static json_t *level_json(const oct_fidelity *f, unsigned level, uint32_t ways) {
  json_t *list = json_array();
  for (uint32_t w = 1; w <= ways; w++)
    json_array_append_new(list, json_real(oct_fidelity_miss_ratio(f, level, w)));
  return list;
}

/* Fully-associative caches of 1, 2, 4 ... lines, up to one that holds all blocks of both traces. */
static json_t *full_json(const oct_fidelity *exact, const oct_fidelity *lossy) {
  json_t *o = json_object(), *lines = json_array(), *e = json_array(), *l = json_array();
  uint64_t most = oct_fidelity_blocks(exact);
  if (oct_fidelity_blocks(lossy) > most) most = oct_fidelity_blocks(lossy);
  for (uint64_t n = 1; n <= UINT32_MAX && (n == 1 || n < 2 * most); n *= 2) {
    json_array_append_new(lines, json_integer((json_int_t)n));
    json_array_append_new(e, json_real(oct_fidelity_full_miss_ratio(exact, (uint32_t)n)));
    json_array_append_new(l, json_real(oct_fidelity_full_miss_ratio(lossy, (uint32_t)n)));
  }
  json_object_set_new(o, "lines", lines);
  json_object_set_new(o, "exact", e);
  json_object_set_new(o, "lossy", l);
  return o;
}

json_t *oct_fidelity_json(const oct_fidelity_side *exact, const oct_fidelity_side *lossy,
                          const oct_fidelity_config *config) {
  json_t *o = json_object(), *curves = json_array();
  unsigned n_levels = oct_fidelity_levels(exact->f);
  double largest = 0, mean = 0;
  for (unsigned i = 0; i < n_levels; i++) {
    oct_fidelity_difference difference = oct_fidelity_compare(exact->f, lossy->f, i);
    json_t *c = json_object();
    if (fabs(difference.largest) > fabs(largest)) largest = difference.largest;
    mean += difference.mean / n_levels;
    json_object_set_new(c, "sets", json_integer(oct_fidelity_sets(exact->f, i)));
    json_object_set_new(c, "exact", level_json(exact->f, i, config->ways));
    json_object_set_new(c, "lossy", level_json(lossy->f, i, config->ways));
    json_object_set_new(c, "largest_difference", json_real(difference.largest));
    json_object_set_new(c, "at_ways", json_integer(difference.at_ways));
    json_object_set_new(c, "mean_difference", json_real(difference.mean));
    json_array_append_new(curves, c);
  }
  json_object_set_new(o, "exact", side_json(exact));
  json_object_set_new(o, "lossy", side_json(lossy));
  json_object_set_new(
      o, "same_length",
      json_boolean(oct_fidelity_addresses(exact->f) == oct_fidelity_addresses(lossy->f)));
  json_object_set_new(o, "line_bytes", json_integer(config->predictor.line_bytes));
  json_object_set_new(o, "ways", json_integer(config->ways));
  json_object_set_new(o, "largest_difference", json_real(largest));
  json_object_set_new(o, "mean_difference", json_real(mean));
  json_object_set_new(o, "curves", curves);
  json_object_set_new(o, "fully_associative", full_json(exact->f, lossy->f));
  return o;
}

/* ---- Text ---- */

static double number(const json_t *o, const char *name) {
  return json_number_value(json_object_get(o, name));
}

static double at(const json_t *o, const char *list, size_t i) {
  return json_number_value(json_array_get(json_object_get(o, list), i));
}

static void print_sides(const json_t *exact, const json_t *lossy) {
  static const char *const rates[] = {"correct", "incorrect", "not_predicted"};
  static const char *const texts[] = {"correct", "incorrect", "not predicted"};
  const json_t *e = json_object_get(exact, "predictor"), *l = json_object_get(lossy, "predictor");
  printf("%-22s %16s %16s %12s\n", "", "exact", "lossy", "difference");
  printf("%-22s %16.0f %16.0f %+12.0f\n", "addresses", number(exact, "addresses"),
         number(lossy, "addresses"), number(lossy, "addresses") - number(exact, "addresses"));
  printf("%-22s %16.0f %16.0f %+12.0f\n", "distinct blocks", number(exact, "blocks"),
         number(lossy, "blocks"), number(lossy, "blocks") - number(exact, "blocks"));
  printf("C/DC predictor, %%\n");
  for (int i = 0; i < 3; i++)
    printf("  %-20s %16.3f %16.3f %+12.3f\n", texts[i], 100 * number(e, rates[i]),
           100 * number(l, rates[i]), 100 * (number(l, rates[i]) - number(e, rates[i])));
}

/* Columns: 1, 2, 4 ... ways, and the most. */
static size_t next_column(size_t ways, size_t most) {
  return ways < most && 2 * ways > most ? most : 2 * ways;
}

static void print_curves(const json_t *report) {
  size_t most = (size_t)number(report, "ways"), i;
  const json_t *curves = json_object_get(report, "curves"), *c;
  printf("\nmiss ratio, %%, exact above lossy; LRU, lines of %.0f bytes\n%8s ways",
         number(report, "line_bytes"), "sets");
  for (size_t w = 1; w <= most; w = next_column(w, most)) printf(" %7zu", w);
  printf("  largest difference (ways)\n");
  for (i = 0; (c = json_array_get(curves, i)); i++) {
    for (int lossy = 0; lossy < 2; lossy++) {
      if (lossy)
        printf("%8s     ", "");
      else
        printf("%8.0f     ", number(c, "sets"));
      for (size_t w = 1; w <= most; w = next_column(w, most))
        printf(" %7.3f", 100 * at(c, lossy ? "lossy" : "exact", w - 1));
      if (lossy)
        printf("  %+.3f (%.0f)", 100 * number(c, "largest_difference"), number(c, "at_ways"));
      putchar('\n');
    }
  }
  printf("largest difference %+.3f, mean %.3f percentage points\n",
         100 * number(report, "largest_difference"), 100 * number(report, "mean_difference"));
}

static void print_full(const json_t *full) {
  size_t n = json_array_size(json_object_get(full, "lines"));
  printf("\nfully associative, miss ratio, %%\n%12s %9s %9s %9s\n", "lines", "exact", "lossy",
         "diff.");
  for (size_t i = 0; i < n; i++)
    printf("%12.0f %9.3f %9.3f %+9.3f\n", at(full, "lines", i), 100 * at(full, "exact", i),
           100 * at(full, "lossy", i), 100 * (at(full, "lossy", i) - at(full, "exact", i)));
}

void oct_fidelity_print_text(const json_t *report) {
  const json_t *exact = json_object_get(report, "exact"), *lossy = json_object_get(report, "lossy");
  printf("exact %s, lossy %s\n",
         oct_cli_shown(oct_cli_input_name(json_string_value(json_object_get(exact, "name")))).text,
         oct_cli_shown(oct_cli_input_name(json_string_value(json_object_get(lossy, "name")))).text);
  if (!json_is_true(json_object_get(report, "same_length")))
    printf("the traces have not the same length\n");
  print_sides(exact, lossy);
  print_curves(report);
  print_full(json_object_get(report, "fully_associative"));
}

/* ---- CSV ---- */

static void print_row(FILE *f, const char *measure, double sets, double ways, double exact,
                      double lossy) {
  fprintf(f, "%s,", measure);
  if (ways > 0)
    fprintf(f, "%.0f,%.0f,", sets, ways);
  else
    fprintf(f, ",,");
  fprintf(f, "%.9g,%.9g,%.9g\n", exact, lossy, lossy - exact);
}

void oct_fidelity_print_csv(FILE *f, const json_t *report) {
  static const char *const counts[] = {"addresses", "blocks"};
  static const char *const rates[] = {"correct", "incorrect", "not_predicted"};
  const json_t *e = json_object_get(report, "exact"), *l = json_object_get(report, "lossy");
  const json_t *curves = json_object_get(report, "curves"), *c;
  const json_t *full = json_object_get(report, "fully_associative");
  size_t n_full = json_array_size(json_object_get(full, "lines"));
  fprintf(f, "measure,sets,ways,exact,lossy,difference\n");
  for (int i = 0; i < 2; i++)
    print_row(f, counts[i], 0, 0, number(e, counts[i]), number(l, counts[i]));
  for (int i = 0; i < 3; i++)
    print_row(f, rates[i], 0, 0, number(json_object_get(e, "predictor"), rates[i]),
              number(json_object_get(l, "predictor"), rates[i]));
  for (size_t i = 0; i < n_full; i++)
    print_row(f, "miss_ratio_full", 1, at(full, "lines", i), at(full, "exact", i),
              at(full, "lossy", i));
  for (size_t i = 0; (c = json_array_get(curves, i)); i++)
    for (size_t w = 1; w <= (size_t)number(report, "ways"); w++)
      print_row(f, "miss_ratio", number(c, "sets"), (double)w, at(c, "exact", w - 1),
                at(c, "lossy", w - 1));
}
