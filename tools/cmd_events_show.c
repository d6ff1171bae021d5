/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_events_show.c - octrace events info and patterns: what a file holds. */
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "oct_events_cli.h"
#include "oct_ev_reader.h"
#include "oct_ev_survey.h"
#include "oct_report.h"

enum { TREE_LINES = 24, TREE_LEVELS = 10, STRETCHES = 4000 };

static void set(json_t *o, const char *name, uint64_t value) {
  json_object_set_new(o, name, json_integer((json_int_t)value));
}

static json_t *info_json(const oct_ev_reader *r, const char *path) {
  const oct_ev_params *p = oct_ev_reader_params(r);
  const oct_ev_counts *c = oct_ev_reader_counts(r);
  const oct_ev_defs *d = oct_ev_reader_defs(r);
  uint64_t from, to, before = oct_ev_size_before(c), after = oct_ev_size_after(c);
  json_t *o = json_object();
  oct_ev_reader_span(r, &from, &to);
  json_object_set_new(o, "file", oct_report_string(path));
  json_object_set_new(o, "mode", json_string(p->lossy ? "lossy" : "lossless"));
  set(o, "max_order", p->max_order);
  set(o, "t_abs_ticks", p->t_abs_ticks);
  set(o, "t_rel_ppm", p->t_rel_ppm);
  set(o, "drift_ticks", p->drift_ticks);
  set(o, "ticks_per_second", d->ticks_per_second);
  set(o, "first_tick", from);
  set(o, "last_tick", to);
  set(o, "functions", d->functions.n);
  set(o, "threads", d->locations.n);
  set(o, "processes", d->processes.n);
#define OCT_X(name, text) set(o, #name, c->name);
  OCT_EV_COUNTS(OCT_X)
#undef OCT_X
  set(o, "record_bytes_before", before);
  set(o, "record_bytes_after", after);
  json_object_set_new(o, "k", after ? json_real((double)before / (double)after) : json_null());
  set(o, "file_bytes", oct_ev_reader_bytes_total(r));
  return o;
}

int oct_events_info(oct_events_args *a, int argc, char **argv) {
  oct_ev_reader *r;
  oct_diag diag = {0};
  const char *name;
  json_t *value;
  (void)argc;
  if (oct_ev_reader_open(argv[0], &r, &diag)) return oct_cli_diag(argv[0], &diag);
  json_t *o = info_json(r, argv[0]);
  int code = oct_report_memory();
  if (!code && !a->json) {
    json_object_foreach(o, name, value) {
      if (json_is_string(value))
        printf("%-20s %s\n", name, oct_cli_shown(json_string_value(value)).text);
      else if (json_is_real(value))
        printf("%-20s %.3f\n", name, json_real_value(value));
      else if (json_is_integer(value))
        printf("%-20s %" JSON_INTEGER_FORMAT "\n", name, json_integer_value(value));
    }
    const oct_ev_defs *d = oct_ev_reader_defs(r);
    for (uint32_t i = 0; i < d->locations.n; i++)
      printf("thread               %s (number %" PRIu64 ", of %s)\n",
             oct_cli_shown(oct_ev_names_text(&d->locations, i)).text, d->location[i].id,
             oct_cli_shown(oct_ev_names_text(&d->processes, d->location[i].process)).text);
  }
  if (!code && a->json)
    code = oct_report_print(o);
  else
    json_decref(o);
  oct_ev_reader_close(r);
  return code;
}

/* The call that a group's time difference lies in or behind, for the user to find it. */
static const char *place_of(const oct_ev_group *g, const oct_ev_defs *d, uint32_t index,
                            const char **how) {
  *how = g->ops[index] & 1 ? "after" : "in";
  return oct_ev_names_text(&d->functions, g->ops[index] >> 1);
}

static oct_events_time time_of(double ticks, const oct_ev_defs *d) {
  return oct_events_show_time(ticks, d->ticks_per_second);
}

/* False when out of memory. */
static bool print_group(size_t rank, const oct_ev_group *g, const oct_ev_survey *s,
                        const oct_ev_defs *d) {
  printf("\n%zu. %" PRIu64 " x %" PRIu32 " event%s in %" PRIu32
         " thread%s, %.1f %% of the time in "
         "patterns; %" PRIu32 " pattern%s\n",
         rank, g->occurrences, g->order, OCT_S(g->order), g->n_locations, OCT_S(g->n_locations),
         s->covered_ticks ? 100.0 * (double)g->covered_ticks / (double)s->covered_ticks : 0,
         g->n_patterns, OCT_S(g->n_patterns));
  printf(
      "   lasts %s on average (%s to %s, deviation %s); half within %s, 90 %% within %s, "
      "99 %% within %s\n",
      time_of(g->mean_ticks, d).text, time_of((double)g->min_ticks, d).text,
      time_of((double)g->max_ticks, d).text, time_of(g->deviation_ticks, d).text,
      time_of((double)g->median_ticks, d).text, time_of((double)g->p90_ticks, d).text,
      time_of((double)g->p99_ticks, d).text);
  if (g->disturbed) {
    const char *how, *name = place_of(g, d, g->worst, &how);
    printf("   disturbed %" PRIu64 " time%s, most often %s %s (event %" PRIu32 ", %" PRIu64
           " time%s)\n",
           g->disturbed, OCT_S(g->disturbed), how, oct_cli_shown(name).text, g->worst,
           g->worst_count, OCT_S(g->worst_count));
  }
  char *tree = oct_ev_group_tree(g, d, TREE_LINES, TREE_LEVELS);
  for (char *line = tree, *next; tree && *line; line = next) {
    size_t n = strcspn(line, "\n");
    next = line + n + (line[n] == '\n');
    line[n] = 0;
    printf("     %s\n", oct_cli_shown(line).text);
  }
  free(tree);
  return tree != NULL;
}

static json_t *group_json(const oct_ev_group *g, const oct_ev_defs *d) {
  json_t *o = json_object();
  set(o, "occurrences", g->occurrences);
  set(o, "order", g->order);
  set(o, "patterns", g->n_patterns);
  set(o, "threads", g->n_locations);
  set(o, "covered_ticks", g->covered_ticks);
  set(o, "min_ticks", g->min_ticks);
  set(o, "max_ticks", g->max_ticks);
  set(o, "first_tick", g->first_ticks);
  json_object_set_new(o, "mean_ticks", json_real(g->mean_ticks));
  set(o, "median_ticks", g->median_ticks);
  set(o, "p90_ticks", g->p90_ticks);
  set(o, "p99_ticks", g->p99_ticks);
  json_object_set_new(o, "deviation_ticks", json_real(g->deviation_ticks));
  set(o, "disturbed", g->disturbed);
  set(o, "corrections", g->corrections);
  if (g->disturbed) set(o, "most_corrected_difference", g->worst);
  char *tree = oct_ev_group_tree(g, d, TREE_LINES, TREE_LEVELS);
  json_object_set_new(o, "calls", json_string(tree));
  free(tree);
  if (tree) return o;
  json_decref(o);
  return NULL;
}

static int print_survey(const oct_events_args *a, const oct_ev_survey *s, const oct_ev_reader *r) {
  const oct_ev_defs *d = oct_ev_reader_defs(r);
  size_t n = a->limit < s->n_groups ? (size_t)a->limit : s->n_groups;
  if (a->json) {
    json_t *list = json_array();
    bool complete = true;
    for (size_t i = 0; i < n && complete; i++)
      complete = !json_array_append_new(list, group_json(&s->groups[i], d));
    if (complete) return oct_report_print(list);
    json_decref(list);
    return oct_cli_error(OCT_EXIT_INPUT, "out of memory");
  }
  printf("%zu call sequence%s, %" PRIu64 " plain event%s%s\n", s->n_groups, OCT_S(s->n_groups),
         s->plain_events, OCT_S(s->plain_events), n ? "; by time covered:" : "");
  for (size_t i = 0; i < n; i++)
    if (!print_group(i + 1, &s->groups[i], s, d))
      return oct_cli_error(OCT_EXIT_INPUT, "out of memory");
  return OCT_EXIT_OK;
}

/* Version, date and command, for the foot of a page. */
static int tell_origin(const oct_events_args *a, char *text, size_t n) {
  const char *epoch = getenv("SOURCE_DATE_EPOCH");
  time_t now = epoch ? (time_t)strtoll(epoch, NULL, 10) : time(NULL);
  struct tm day;
  char date[16] = "";
  char *command = oct_cli_command(a->argc, a->argv);
  if (!command) return oct_cli_error(OCT_EXIT_INPUT, "out of memory");
  if (epoch ? gmtime_r(&now, &day) : localtime_r(&now, &day))
    strftime(date, sizeof date, "%Y-%m-%d", &day);
  snprintf(text, n, "octrace " OCT_VERSION ", %s: %s", date, command);
  free(command);
  return 0;
}

int oct_events_patterns(oct_events_args *a, int argc, char **argv) {
  oct_ev_reader *r;
  oct_ev_survey s;
  oct_diag diag = {0};
  (void)argc;
  if (oct_ev_reader_open(argv[0], &r, &diag)) return oct_cli_diag(argv[0], &diag);
  oct_ev_reader_max_memory(r, a->max_memory_bytes);
  int code = oct_ev_survey_make(r, a->html ? STRETCHES : 0, &s, &diag);
  if (code) {
    code = oct_cli_diag(argv[0], &diag);
  } else {
    char made[1024];
    code = tell_origin(a, made, sizeof made);
    if (!code && a->html && oct_ev_survey_html(&s, r, argv[0], made, a->html, &diag))
      code = oct_cli_diag(a->html, &diag);
    else if (!code)
      code = print_survey(a, &s, r);
    oct_ev_survey_free(&s);
  }
  oct_ev_reader_close(r);
  return code;
}
