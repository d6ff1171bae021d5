/* SPDX-License-Identifier: Apache-2.0 */
/* oct_bt9.c - reader of BT9, the branch traces of the Championship Branch Prediction of 2016
 * (docs/formats/bt9.md).
 *
 * A text of tables: branches, `NODE id vaddr paddr opcode size class: C ...`; ways from one to the
 * next, `EDGE id source destination T|N vtarget ptarget inst_cnt ...`; and, after
 * BT9_EDGE_SEQUENCE, the number of a way in each line. A way is the execution of its source, and
 * inst_cnt instructions up to its destination, which some writers count in. Their addresses are
 * known where they fill the distance by 4 bytes each. If they do not, they are a gap. */
#include "oct_grow.h"
#include "oct_lines.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Between two branches there are not more than RUN_MAX instructions: a larger count is none. */
enum { INSN_BYTES = 4, NUMBERS_MAX = 1 << 24, RUN_MAX = 1 << 20 };
enum { IN_HEAD, IN_NODES, IN_EDGES, IN_SEQUENCE, AT_END };

typedef struct node {
  uint64_t addr, target;
  uint8_t size, cls;
  bool is_there;
} node;

typedef struct edge {
  uint64_t target, n_insns;
  uint32_t from, to;
  bool is_taken, is_there;
} edge;

typedef struct bt9 {
  oct_lines lines;
  int part;
  node *nodes;
  edge *edges;
  size_t n_nodes, room_nodes, n_edges, room_edges;
  uint64_t at, left; /* of the instructions of the last way: the next one, and how many */
  uint32_t node;     /* to which it goes */
  bool has_node, is_begun;
} bt9;

static bool take_number(oct_lines *l, uint64_t *value) {
  const char *p, *end;
  if (!oct_lines_field(l, NULL, &p, &end)) return false;
  bool is_hex = end - p > 2 && p[0] == '0' && (p[1] | 32) == 'x';
  return oct_number(p, end, is_hex ? 16 : 10, value) != 0;
}

static uint8_t class_of(const char *p, const char *end) {
  size_t n = (size_t)(end - p);
  bool is_indirect = memmem(p, n, "IND", 3) != NULL;
  if (memmem(p, n, "RET", 3)) return OCT_CLASS_RETURN;
  if (memmem(p, n, "CALL", 4)) return is_indirect ? OCT_CLASS_INDIRECT_CALL : OCT_CLASS_DIRECT_CALL;
  if (is_indirect) return OCT_CLASS_INDIRECT_JUMP;
  return memmem(p, n, "CND", 3) ? OCT_CLASS_COND_BRANCH : OCT_CLASS_DIRECT_JUMP;
}

static int no_memory(oct_diag *diag) {
  return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
}

static int take_node(oct_reader *r, oct_lines *l, oct_diag *diag) {
  bt9 *s = r->state;
  const char *p, *end;
  uint64_t id, addr, size;
  node n = {.is_there = true};
  if (!take_number(l, &id) || id >= NUMBERS_MAX || !take_number(l, &addr) ||
      !oct_lines_field(l, NULL, &p, &end) || !oct_lines_field(l, NULL, &p, &end) ||
      !take_number(l, &size) || size > OCT_CODE_MAX || (id && !size))
    return oct_lines_wrong(r, l, "'NODE ID ADDRESS - OPCODE SIZE' of BT9", l->begin, l->end, diag);
  n.addr = addr;
  n.size = (uint8_t)size;
  n.cls = OCT_CLASS_UNKNOWN;
  while (oct_lines_field(l, NULL, &p, &end))
    if (oct_is_word(p, end, "class:") && oct_lines_field(l, NULL, &p, &end))
      n.cls = class_of(p, end);
  node *grown = oct_grown(s->nodes, &s->room_nodes, (size_t)id + 1, sizeof *grown);
  if (!grown) return no_memory(diag);
  s->nodes = grown;
  while (s->n_nodes <= id) grown[s->n_nodes++] = (node){0};
  grown[id] = n;
  return 0;
}

static bool has_node(const bt9 *s, uint64_t id) {
  return id < s->n_nodes && s->nodes[id].is_there;
}

static int take_edge(oct_reader *r, oct_lines *l, oct_diag *diag) {
  bt9 *s = r->state;
  const char *p, *end;
  uint64_t id, from, to;
  edge e = {.is_there = true};
  if (!take_number(l, &id) || id >= NUMBERS_MAX || !take_number(l, &from) || !has_node(s, from) ||
      !take_number(l, &to) || !has_node(s, to) || !oct_lines_field(l, NULL, &p, &end) ||
      end - p != 1 || (*p != 'T' && *p != 'N'))
    return oct_lines_wrong(r, l, "'EDGE ID SOURCE DESTINATION T|N ...' of nodes of BT9", l->begin,
                           l->end, diag);
  e.is_taken = *p == 'T';
  if (!take_number(l, &e.target) || !oct_lines_field(l, NULL, &p, &end) ||
      !take_number(l, &e.n_insns))
    return oct_lines_wrong(r, l, "'TARGET - INST_CNT' after T or N", l->begin, l->end, diag);
  e.from = (uint32_t)from;
  e.to = (uint32_t)to;
  if (e.is_taken) s->nodes[from].target = e.target;
  edge *grown = oct_grown(s->edges, &s->room_edges, (size_t)id + 1, sizeof *grown);
  if (!grown) return no_memory(diag);
  s->edges = grown;
  while (s->n_edges <= id) grown[s->n_edges++] = (edge){0};
  grown[id] = e;
  return 0;
}

/* An instruction. As oct_reader_describe. */
static int add_insn(oct_reader *r, uint64_t addr, unsigned size, uint8_t cls, uint64_t target,
                    oct_diag *diag) {
  bool has_target = cls >= OCT_CLASS_COND_BRANCH && cls <= OCT_CLASS_DIRECT_CALL;
  const oct_map_entry e = {
      .addr = addr, .size_bytes = (uint8_t)size, .cls = cls, .target = has_target ? target : 0};
  if (oct_reader_is_full(r, 1)) return 1;
  int rc = cls == OCT_CLASS_UNKNOWN ? 0 : oct_reader_describe(r, &e, diag);
  if (!rc) oct_reader_add_insn(r, addr, size);
  return rc;
}

/* The instructions of the last way that are left. */
static int add_left(oct_reader *r, bt9 *s, oct_diag *diag) {
  for (; s->left; s->left--, s->at += INSN_BYTES) {
    int rc = add_insn(r, s->at, INSN_BYTES, OCT_CLASS_OTHER, 0, diag);
    if (rc) return rc;
  }
  return 0;
}

static int take_way(oct_reader *r, oct_lines *l, oct_diag *diag) {
  bt9 *s = r->state;
  uint64_t id;
  int rc;
  if (!take_number(l, &id) || id >= s->n_edges || !s->edges[id].is_there)
    return oct_lines_wrong(r, l, "the number of an edge of BT9", l->begin, l->end, diag);
  if ((rc = add_left(r, s, diag))) return rc;
  const edge *e = &s->edges[id];
  const node *from = &s->nodes[e->from], *to = &s->nodes[e->to];
  if (e->from) {
    if ((rc = add_insn(r, from->addr, from->size, from->cls, from->target, diag))) return rc;
    if (s->is_begun && s->node != e->from) oct_reader_lost(r);
  }
  s->is_begun = true;
  s->node = e->to;
  uint64_t at = e->is_taken ? e->target : from->addr + from->size;
  uint64_t distance = to->addr - at, n = distance / INSN_BYTES;
  if (!e->from || !e->to) {
    /* Of the program's begin and end no address is known. */
    if (e->from && e->n_insns) oct_reader_lost(r);
  } else if (to->addr >= at && !(distance % INSN_BYTES) && n <= RUN_MAX &&
             (e->n_insns == n || e->n_insns == n + 1)) {
    s->at = at;
    s->left = n;
  } else {
    oct_reader_lost(r);
  }
  return 0;
}

static int parse(oct_reader *r, oct_lines *l, oct_diag *diag) {
  static const char *const parts[] = {"BT9_SPA_TRACE_FORMAT", "BT9_NODES", "BT9_EDGES",
                                      "BT9_EDGE_SEQUENCE", "EOF"};
  bt9 *s = r->state;
  const char *p, *end, *comment = memchr(l->p, '#', (size_t)(l->end - l->p));
  if (comment) l->end = comment;
  oct_lines ahead = *l;
  if (!oct_lines_field(&ahead, NULL, &p, &end)) return 0;
  for (int k = 0; k < 5; k++) {
    if (!oct_is_word(p, end, parts[k])) continue;
    if (k && k != AT_END && k != s->part + 1)
      return oct_lines_wrong(r, l, "BT9_NODES, BT9_EDGES and BT9_EDGE_SEQUENCE in this order", p,
                             end, diag);
    s->part = k;
    return 0;
  }
  if (s->part == IN_SEQUENCE) return take_way(r, l, diag);
  const char *word = s->part == IN_NODES ? "NODE" : "EDGE";
  if (s->part == IN_HEAD || s->part == AT_END) return 0;
  if (!oct_is_word(p, end, word))
    return oct_lines_wrong(
        r, l, s->part == IN_NODES ? "NODE, or BT9_EDGES" : "EDGE, or BT9_EDGE_SEQUENCE", p, end,
        diag);
  l->p = ahead.p;
  return s->part == IN_NODES ? take_node(r, l, diag) : take_edge(r, l, diag);
}

static int bt9_open(oct_reader *r, oct_diag *diag) {
  int rc = oct_lines_open(r, sizeof(bt9), diag);
  r->info.addr_bits = 64;
  r->info.origin = "BT9";
  return rc;
}

static int bt9_fill(oct_reader *r, oct_diag *diag) {
  bt9 *s = r->state;
  int rc = oct_lines_fill_some(r, &s->lines, parse, "an edge of BT9_EDGE_SEQUENCE", diag);
  return rc ? rc : add_left(r, s, diag);
}

static void bt9_close(oct_reader *r) {
  bt9 *s = r->state;
  if (!s) return;
  free(s->nodes);
  free(s->edges);
  free(s);
}

static int line_kind(const char *p, const char *end) {
  return oct_is_word(p, end, "BT9_SPA_TRACE_FORMAT") ? 1 : -1;
}

static int bt9_probe(const uint8_t *p, size_t n, int is_text) {
  return is_text && oct_probe_lines(p, n, line_kind);
}

static const oct_reader_ops bt9_reader = {.open = bt9_open, .fill = bt9_fill, .close = bt9_close};
const oct_format_desc oct_bt9_format = {
    .name = "bt9", .probe = bt9_probe, .reader = &bt9_reader, .addr_bits = 64, .is_insns_only = 1};
