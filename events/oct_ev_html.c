/* SPDX-License-Identifier: Apache-2.0 */
/* oct_ev_html.c - call trees of patterns as text, and the page that draws them on a time line. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "oct_ev_bytes.h"
#include "oct_ev_survey.h"

__attribute__((format(printf, 2, 3))) static void print(oct_ev_buf *b, const char *format, ...) {
  char line[512];
  va_list args;
  va_start(args, format);
  int n = vsnprintf(line, sizeof line, format, args);
  va_end(args);
  if (n > 0) oct_ev_put_bytes(b, line, (size_t)n < sizeof line ? (size_t)n : sizeof line - 1);
}

/* A tree being written. */
typedef struct tree {
  const oct_ev_group *g;
  const oct_ev_defs *defs;
  const uint32_t *end; /* of each enter: the place behind its leave */
  unsigned lines_left, levels;
  oct_ev_buf out;
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
      print(&t->out, "  (%" PRIu32 " events)", t->end[a] - a);
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
    oct_ev_put_bytes(&t.out, "", 1);
  }
  int ok = end && open && !t.out.failed;
  free(end);
  free(open);
  if (ok) return (char *)t.out.p;
  free(t.out.p);
  return NULL;
}

/* A text of JSON that may stand in a script. */
static void put_json(oct_ev_buf *b, const char *text) {
  oct_ev_put_bytes(b, "\"", 1);
  for (; *text; text++) {
    unsigned char c = (unsigned char)*text;
    if (c < 0x20 || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&')
      print(b, "\\u%04x", c);
    else
      oct_ev_put_bytes(b, text, 1);
  }
  oct_ev_put_bytes(b, "\"", 1);
}

static const char page_head[] =
    "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>octrace events"
    "</title>\n<style>\n"
    "body{font:14px sans-serif;margin:1em;color:#222;background:#fff}\n"
    "canvas{border:1px solid #aaa;display:block;cursor:grab}\n"
    "table{border-collapse:collapse;margin-top:1em}\n"
    "td,th{border:1px solid #ccc;padding:2px 8px;text-align:right;vertical-align:top}\n"
    "pre{margin:0;text-align:left;font-size:12px}\n"
    "#tip{min-height:1.4em;margin:.4em 0}\n"
    ".key{display:inline-block;width:1em;height:1em}\n"
    "</style></head><body>\n<h1 id=\"title\"></h1>\n<p id=\"sum\"></p>\n"
    "<canvas id=\"line\"></canvas>\n<div id=\"tip\">Wheel: zoom. Drag: move. Double click: all. "
    "A red edge: disturbed occurrences.</div>\n<table id=\"list\"></table>\n<script>\nconst data=";

static const char page_tail[] =
    ";\n"
    "const row=24,left=150,c=document.getElementById('line'),x=c.getContext('2d');\n"
    "const tip=document.getElementById('tip'),hint=tip.textContent;\n"
    "let from=0,to=data.span||1,drag=null;\n"
    "const colour=g=>`hsl(${(g*137.508)%360},${g<12?70:35}%,${g<12?50:70}%)`;\n"
    "const time=t=>data.clock?(t/data.clock*1e3).toPrecision(6)+' ms':t+' ticks';\n"
    "document.getElementById('title').textContent=data.title;\n"
    "document.getElementById('sum').textContent=`${data.events} events of ${data.lanes.length} "
    "threads over ${time(data.span)}; ${data.groups.length} repeated call sequences listed`;\n"
    "function place(t){return left+(t-from)/(to-from)*(c.width-left)}\n"
    "function draw(){c.width=Math.max(400,document.body.clientWidth-4);\n"
    " c.height=row*data.lanes.length+20;x.font='12px sans-serif';\n"
    " data.lanes.forEach((lane,i)=>{const y=i*row+2;\n"
    "  for(const b of lane.boxes){const p=place(b[0]),q=place(b[0]+b[1]);\n"
    "   if(q<left||p>c.width)continue;const l=Math.max(p,left);\n"
    "   x.fillStyle=colour(b[2]);x.fillRect(l,y,Math.max(q-l,.7),row-4);\n"
    "   if(b[4]){x.fillStyle='#d00';x.fillRect(l,y,Math.max(q-l,.7),3)}}\n"
    "  x.fillStyle='#fff';x.fillRect(0,y,left,row-4);x.fillStyle='#222';\n"
    "  x.fillText(lane.name.slice(0,24),2,y+14)});\n"
    " x.fillStyle='#222';x.fillText(time(from),left,c.height-5);\n"
    " const e=time(to);x.fillText(e,c.width-x.measureText(e).width-2,c.height-5)}\n"
    "function at(e){return from+(e.offsetX-left)/(c.width-left)*(to-from)}\n"
    "function clip(a,b){const w=Math.min(b-a,data.span||1);\n"
    " from=Math.max(0,Math.min(a,(data.span||1)-w));to=from+w;draw()}\n"
    "c.onwheel=e=>{e.preventDefault();const t=at(e),k=e.deltaY<0?.8:1.25;\n"
    " if((to-from)*k>=8)clip(t-(t-from)*k,t+(to-t)*k)};\n"
    "c.onmousedown=e=>{drag={x:e.offsetX,from,to}};onmouseup=()=>{drag=null};\n"
    "c.ondblclick=()=>clip(0,data.span||1);\n"
    "c.onmousemove=e=>{if(drag){const d=(drag.x-e.offsetX)/(c.width-left)*(drag.to-drag.from);\n"
    "  clip(drag.from+d,drag.to+d);return}\n"
    " const lane=data.lanes[Math.floor(e.offsetY/row)],t=at(e);\n"
    " const b=lane&&lane.boxes.find(b=>t>=b[0]&&t<=b[0]+b[1]);\n"
    " tip.textContent=b?`${lane.name}: ${data.names[b[2]]||'group '+(b[2]+1)}, ${b[3]} "
    "occurrences (${b[4]} disturbed) from ${time(b[0])}, ${time(b[1])}`:hint};\n"
    "const list=document.getElementById('list');\n"
    "list.innerHTML='<tr><th></th><th>covered</th><th>occurrences</th><th>events</th><th>patterns"
    "</th><th>mean</th><th>min</th><th>max</th><th>disturbed</th><th>calls</th></tr>';\n"
    "data.groups.forEach((g,i)=>{const r=list.insertRow();\n"
    " const k=document.createElement('span');k.className='key';k.style.background=colour(i);\n"
    " r.insertCell().append(k);\n"
    " for(const v of [time(g.covered),g.occurrences,g.order,g.patterns,time(g.mean),time(g.min),"
    "time(g.max),g.disturbed])r.insertCell().textContent=v;\n"
    " const p=document.createElement('pre');p.textContent=g.tree;r.insertCell().append(p)});\n"
    "onresize=draw;draw();\n</script></body></html>\n";

enum { LISTED = 100, TREE_LINES = 16, TREE_LEVELS = 8, NAMED = 2000 };

static int put_groups(oct_ev_buf *b, const oct_ev_survey *s, const oct_ev_defs *defs) {
  print(b, ",\"groups\":[");
  for (size_t i = 0; i < s->n_groups && i < LISTED; i++) {
    const oct_ev_group *g = &s->groups[i];
    char *text = oct_ev_group_tree(g, defs, TREE_LINES, TREE_LEVELS);
    if (!text) return OCT_ERR_NOMEM;
    print(b,
          "%s{\"covered\":%" PRIu64 ",\"occurrences\":%" PRIu64 ",\"order\":%" PRIu32
          ",\"patterns\":%" PRIu32 ",\"mean\":%.0f,\"min\":%" PRIu64 ",\"max\":%" PRIu64
          ",\"disturbed\":%" PRIu64 ",\"tree\":",
          i ? ",\n" : "", g->covered_ticks, g->occurrences, g->order, g->n_patterns, g->mean_ticks,
          g->min_ticks, g->max_ticks, g->disturbed);
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

static void put_lanes(oct_ev_buf *b, const oct_ev_survey *s, const oct_ev_defs *defs) {
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
                       const char *path, oct_diag *diag) {
  const oct_ev_defs *defs = oct_ev_reader_defs(r);
  oct_ev_buf b = {0};
  oct_outfile *f = NULL;
  oct_ev_put_bytes(&b, page_head, sizeof page_head - 1);
  print(&b, "{\"title\":");
  put_json(&b, title);
  print(&b, ",\"clock\":%" PRIu64 ",\"span\":%" PRIu64 ",\"events\":%" PRIu64,
        defs->ticks_per_second, s->to - s->from, oct_ev_reader_counts(r)->events);
  int error = put_groups(&b, s, defs);
  put_lanes(&b, s, defs);
  oct_ev_put_bytes(&b, page_tail, sizeof page_tail - 1);
  if (error || b.failed) {
    error = oct_fail(diag, OCT_ERR_NOMEM, "%s: out of memory", path);
  } else if (!(error = oct_outfile_open(path, &f, diag))) {
    error = oct_outfile_write(f, b.p, b.n, diag);
    if (!error) {
      error = oct_outfile_commit(f, diag);
      f = NULL;
    }
  }
  oct_outfile_abort(f);
  free(b.p);
  return error;
}
