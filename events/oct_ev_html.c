/* SPDX-License-Identifier: Apache-2.0 */
/* oct_ev_html.c - call trees of patterns as text, and the page that draws them on a time line.
 *
 * The page is one file: its script (page.js) is built in, and the data stand in it as JSON, with
 * all that could end a script escaped. In a call tree, calls of the same function in a row are
 * written once with their number. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "oct_ev_bytes.h"
#include "oct_ev_page.h"
#include "oct_ev_survey.h"
#include "oct_plural.h"

__attribute__((format(printf, 2, 3))) static void print(oct_buffer *b, const char *format, ...) {
  char line[512];
  va_list args;
  va_start(args, format);
  int n = vsnprintf(line, sizeof line, format, args);
  va_end(args);
  if (n > 0) oct_buffer_put(b, line, (size_t)n < sizeof line ? (size_t)n : sizeof line - 1);
}

/* A tree being written. */
typedef struct tree {
  const oct_ev_group *g;
  const oct_ev_defs *defs;
  const uint32_t *end; /* of each enter: the place behind its leave */
  unsigned lines_left, levels;
  oct_buffer out;
} tree;

static int same(const tree *t, uint32_t a, uint32_t b) {
  uint32_t n = t->end[a] - a;
  return t->end[b] - b == n && !memcmp(t->g->ops + a, t->g->ops + b, n * sizeof *t->g->ops);
}

/* The calls from ops place a to b. Depth is bounded by t->levels. */
static void write_calls(tree *t, uint32_t a, uint32_t b, unsigned level) {
  while (a < b) {
    uint32_t times = 1, next = t->end[a];
    for (; next < b && same(t, a, next); next = t->end[next]) times++;
    if (!t->lines_left) {
      return;
    } else if (--t->lines_left == 0) {
      print(&t->out, "%*s...\n", (int)(2 * level), "");
      return;
    }
    print(&t->out, "%*s%.300s", (int)(2 * level), "",
          oct_ev_names_text(&t->defs->functions, t->g->ops[a] >> 1));
    if (times > 1) print(&t->out, "  x %" PRIu32, times);
    if (level + 1 >= t->levels && t->end[a] - a > 2)
      print(&t->out, "  (%" PRIu32 " event%s)", t->end[a] - a, OCT_S(t->end[a] - a));
    print(&t->out, "\n");
    if (level + 1 < t->levels) write_calls(t, a + 1, t->end[a] - 1, level + 1);
    a = next;
  }
}

char *oct_ev_group_tree(const oct_ev_group *g, const oct_ev_defs *defs, unsigned lines,
                        unsigned levels) {
  uint32_t *end = calloc(g->order, sizeof *end), *open = malloc(g->order * sizeof *open);
  uint32_t depth = 0;
  tree t = {.g = g, .defs = defs, .end = end, .lines_left = lines, .levels = levels};
  if (end && open) {
    /* A pattern's events are balanced, as it is built of whole calls. */
    for (uint32_t i = 0; i < g->order; i++) {
      if (!(g->ops[i] & 1))
        open[depth++] = i;
      else
        end[open[--depth]] = i + 1;
    }
    write_calls(&t, 0, g->order, 0);
    oct_buffer_put(&t.out, "", 1);
  }
  int ok = end && open && !t.out.has_failed;
  free(end);
  free(open);
  if (ok) return (char *)t.out.bytes;
  free(t.out.bytes);
  return NULL;
}

/* A text of JSON that may stand in a script. */
static void put_json(oct_buffer *b, const char *text) {
  oct_buffer_put(b, "\"", 1);
  for (; *text; text++) {
    unsigned char c = (unsigned char)*text;
    if (c < 0x20 || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&')
      print(b, "\\u%04x", c);
    else
      oct_buffer_put(b, text, 1);
  }
  oct_buffer_put(b, "\"", 1);
}

static const char page_begin[] =
    "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<link rel=\"icon\" href=\"data:,\"><title>octrace events</title>\n<style>\n";

static const char page_body[] =
    "canvas{display:block;cursor:grab;touch-action:pan-y}canvas:focus{outline:2px solid "
    "var(--accent)}\n"
    "pre{margin:0;text-align:left;font-size:12px;min-width:9rem;max-width:24rem;"
    "white-space:pre-wrap;overflow-wrap:anywhere}th{white-space:normal}#tip{min-height:1.5em;"
    "margin:.4em 0}\n"
    "th:nth-child(2){text-align:left}.key{display:inline-block;width:1em;height:1em}\n"
    "</style></head><body>\n<h1 id=\"title\"></h1>\n<p id=\"sum\"></p>\n"
    "<div><canvas id=\"line\" tabindex=\"0\" role=\"img\" aria-label=\"Patterns on a time line; "
    "the "
    "table below lists them\"></canvas></div>\n"
    "<div id=\"tip\">Wheel, two fingers or + and -: zoom. Drag or arrows: move. Double click or "
    "Home: "
    "all. A notched edge: disturbed occurrences, whose times were corrected.</div>\n"
    "<div class=\"table\"><table><thead><tr><th></th><th>calls</th><th>covered</th>"
    "<th>occurrences</th><th>events</th><th>patterns</th><th>mean</th><th>median</th>"
    "<th>90 % within</th><th>99 % "
    "within</th><th>least</th><th>most</th><th>disturbed</th></tr></thead>"
    "<tbody id=\"list\"></tbody></table></div>\n<h3>Meaning of the words</h3>\n<dl>"
    "<dt>call sequence</dt><dd>calls and returns that occur again and again in the same order</dd>"
    "<dt>pattern</dt><dd>a call sequence with like times between its events</dd>"
    "<dt>disturbed</dt><dd>an occurrence in which a time differs so much that it is corrected by "
    "itself</dd><dt>median, 90 %, 99 % within</dt><dd>so many of the occurrences last no longer; "
    "exact to 2 %</dd></dl>\n<footer id=\"made\"></footer>\n<script>\nconst data=";

static const char page_end[] = "</script></body></html>\n";

enum { LISTED = 100, TREE_LINES = 16, TREE_LEVELS = 8, NAMED = 2000 };

static int put_groups(oct_buffer *b, const oct_ev_survey *s, const oct_ev_defs *defs) {
  print(b, ",\"groups\":[");
  for (size_t i = 0; i < s->n_groups && i < LISTED; i++) {
    const oct_ev_group *g = &s->groups[i];
    char *text = oct_ev_group_tree(g, defs, TREE_LINES, TREE_LEVELS);
    if (!text) return OCT_ERR_NOMEM;
    print(b,
          "%s{\"covered\":%" PRIu64 ",\"occurrences\":%" PRIu64 ",\"order\":%" PRIu32
          ",\"patterns\":%" PRIu32 ",\"mean\":%.0f,\"min\":%" PRIu64 ",\"max\":%" PRIu64
          ",\"median\":%" PRIu64 ",\"p90\":%" PRIu64 ",\"p99\":%" PRIu64 ",\"disturbed\":%" PRIu64
          ",\"tree\":",
          i ? ",\n" : "", g->covered_ticks, g->occurrences, g->order, g->n_patterns, g->mean_ticks,
          g->min_ticks, g->max_ticks, g->median_ticks, g->p90_ticks, g->p99_ticks, g->disturbed);
    put_json(b, text);
    print(b, "}");
    free(text);
  }
  print(b, "],\n\"names\":[");
  for (size_t i = 0; i < s->n_groups && i < NAMED; i++) {
    if (i) print(b, ",");
    put_json(b, oct_ev_names_text(&defs->functions, s->groups[i].ops[0] >> 1));
  }
  print(b, "]");
  return 0;
}

static void put_lanes(oct_buffer *b, const oct_ev_survey *s, const oct_ev_defs *defs) {
  size_t at = 0;
  print(b, ",\n\"lanes\":[");
  for (uint32_t l = 0; l < defs->locations.n; l++) {
    print(b, "%s{\"name\":", l ? ",\n" : "");
    put_json(b, oct_ev_names_text(&defs->locations, l));
    print(b, ",\"boxes\":[");
    for (const char *comma = ""; at < s->n_stretches && s->stretches[at].location == l; at++) {
      const oct_ev_stretch *x = &s->stretches[at];
      print(b, "%s[%" PRIu64 ",%" PRIu64 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 "]", comma,
            x->from - s->from, x->to - x->from, x->group, x->occurrences, x->disturbed);
      comma = ",";
    }
    print(b, "]}");
  }
  print(b, "]}");
}

int oct_ev_survey_html(const oct_ev_survey *s, const oct_ev_reader *r, const char *title,
                       const char *made, const char *path, oct_diag *diag) {
  const oct_ev_defs *defs = oct_ev_reader_defs(r);
  oct_buffer b = {0};
  oct_outfile *f = NULL;
  oct_buffer_put(&b, page_begin, sizeof page_begin - 1);
  oct_buffer_put(&b, page_style, sizeof page_style);
  oct_buffer_put(&b, page_body, sizeof page_body - 1);
  print(&b, "{\"title\":");
  put_json(&b, title);
  print(&b, ",\"made\":");
  put_json(&b, made);
  print(&b, ",\"clock\":%" PRIu64 ",\"span\":%" PRIu64 ",\"events\":%" PRIu64,
        defs->ticks_per_second, s->to - s->from, oct_ev_reader_counts(r)->events);
  int error = put_groups(&b, s, defs);
  put_lanes(&b, s, defs);
  oct_buffer_put(&b, ";\n", 2);
  oct_buffer_put(&b, page_script, sizeof page_script);
  oct_buffer_put(&b, page_end, sizeof page_end - 1);
  if (error || b.has_failed) {
    error = oct_fail_in(diag, OCT_ERR_NOMEM, path, "out of memory");
  } else if (!(error = oct_outfile_open(path, &f, diag))) {
    error = oct_outfile_write(f, b.bytes, b.n_bytes, diag);
    if (!error) {
      error = oct_outfile_commit(f, diag);
      f = NULL;
    }
  }
  oct_outfile_abort(f);
  free(b.bytes);
  return error;
}
