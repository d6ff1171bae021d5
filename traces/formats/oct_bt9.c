/* SPDX-License-Identifier: Apache-2.0 */
/* oct_bt9.c - reader of BT9, the branch traces of the Championship Branch Prediction of 2016
 * (docs/formats/bt9.md).
 *
 * A text of tables: branches, `NODE id vaddr paddr opcode size class: C ...`; ways from one to the
 * next, `EDGE id source destination T|N vtarget ptarget inst_cnt ...`; and, after
 * BT9_EDGE_SEQUENCE, the number of a way in each line. A way is the execution of its source, and
 * inst_cnt instructions up to its destination, which some writers count in. Their addresses are
 * known where they fill the distance by 4 bytes each, or by 2 in a trace with such branches. If
 * they do not, they are a gap. Nodes without a size are the program's begin and end; the first may
 * miss.
 *
 * stf_bt9 leaves out ptarget. It counts the destination in, and T|N and vtarget are those of the
 * destination, when it was first reached so: where a way begins follows from where it ends. */
#include "oct_grow.h"
#include "oct_lines.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Between two branches there are not more than RUN_MAX instructions: a larger count is none. */
enum { INSN_BYTES = 4, HALF_BYTES = 2, NUMBERS_MAX = 1 << 24, RUN_MAX = 1 << 20 };
enum { IN_HEAD, IN_NODES, IN_EDGES, IN_SEQUENCE, AT_END };

typedef struct node {
  uint64_t addr, target;
  uint8_t size, cls;
  bool is_there;
} node;

typedef struct edge {
  uint64_t target, n_insns;
  uint32_t from, to;
  bool is_taken, has_target, is_there;
} edge;

typedef struct bt9 {
  oct_lines lines;
  int part;
  node *nodes;
  edge *edges;
  size_t n_nodes, room_nodes, n_edges, room_edges;
  uint64_t at, left;   /* of the instructions of the last way: the next one, and how many, */
  unsigned left_bytes; /* of how many bytes each */
  uint32_t node;       /* to which it goes */
  bool is_begun;
  bool is_stf;     /* an edge had no physical target */
  bool has_halves; /* a branch had 2 bytes */
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
      !take_number(l, &size) || size > OCT_CODE_MAX)
    return oct_lines_wrong(r, l, "'NODE ID ADDRESS - OPCODE SIZE' of BT9", l->begin, l->end, diag);
  n.addr = addr;
  n.size = (uint8_t)size;
  s->has_halves |= size == HALF_BYTES;
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
  return !id || (id < s->n_nodes && s->nodes[id].is_there);
}

static const node *node_at(const bt9 *s, uint32_t id) {
  static const node outside = {0};
  return id < s->n_nodes ? &s->nodes[id] : &outside;
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
  const oct_lines at_target = *l;
  e.has_target = take_number(l, &e.target);
  if (!e.has_target) {
    *l = at_target;
    if (!oct_lines_field(l, NULL, &p, &end) || !oct_is_word(p, end, "-") || e.is_taken)
      return oct_lines_wrong(r, l, "a target after T or N", l->begin, l->end, diag);
  }
  /* stf_bt9 writes what others have behind `-`, or a physical target. */
  oct_lines ahead = *l;
  uint64_t value;
  const bool is_number = take_number(&ahead, &value);
  oct_lines behind = ahead;
  const bool has_no_physical = is_number && !take_number(&behind, &e.n_insns);
  s->is_stf |= has_no_physical;
  if (has_no_physical)
    e.n_insns = value;
  else if (!oct_lines_field(l, NULL, &p, &end) || !take_number(l, &e.n_insns))
    return oct_lines_wrong(r, l, "'TARGET - INST_CNT' after T or N", l->begin, l->end, diag);
  e.from = (uint32_t)from;
  e.to = (uint32_t)to;
  const uint64_t jumps = has_no_physical ? to : from;
  if (e.has_target && jumps < s->n_nodes && (has_no_physical || e.is_taken))
    s->nodes[jumps].target = e.target;
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
  for (; s->left; s->left--, s->at += s->left_bytes) {
    int rc = add_insn(r, s->at, s->left_bytes, OCT_CLASS_OTHER, 0, diag);
    if (rc) return rc;
  }
  return 0;
}

/* Whether n_insns instructions of size_bytes, of which the last may be the one at `to`, lie between
 * these addresses: their number in *n. */
static bool fills(const bt9 *s, uint64_t from, uint64_t to, unsigned size_bytes, uint64_t n_insns,
                  uint64_t *n) {
  const uint64_t distance = to - from;
  *n = distance / size_bytes;
  return to >= from && !(distance % size_bytes) && *n <= RUN_MAX &&
         (n_insns == *n + 1 || (!s->is_stf && n_insns == *n));
}

/* Take the instructions between `from` and `to`: in how many ways they may be placed. */
static unsigned place(bt9 *s, uint64_t from, uint64_t to, uint64_t n_insns) {
  unsigned n_ways = 0;
  uint64_t n;
  for (unsigned size = INSN_BYTES; size >= (s->has_halves ? HALF_BYTES : INSN_BYTES); size /= 2) {
    if (!fills(s, from, to, size, n_insns, &n)) continue;
    n_ways++;
    s->at = from;
    s->left = n;
    s->left_bytes = size;
    if (!n) break; /* of whatever size */
  }
  return n_ways;
}

/* In how many ways the instructions of an edge may be placed. */
static unsigned place_edge(bt9 *s, const edge *e, const node *from, const node *to) {
  const uint64_t behind = from->addr + from->size;
  if (!s->is_stf) return place(s, e->is_taken ? e->target : behind, to->addr, e->n_insns);
  if (e->n_insns == 1) return 1; /* the destination follows, wherever it is */
  const bool falls = from->cls == OCT_CLASS_COND_BRANCH || from->cls == OCT_CLASS_UNKNOWN;
  const bool jumps =
      falls || from->cls == OCT_CLASS_DIRECT_JUMP || from->cls == OCT_CLASS_DIRECT_CALL;
  unsigned n_ways = falls ? place(s, behind, to->addr, e->n_insns) : 0;
  if (jumps && (!falls || from->target != behind))
    n_ways += place(s, from->target, to->addr, e->n_insns);
  return n_ways;
}

static int take_way(oct_reader *r, oct_lines *l, oct_diag *diag) {
  bt9 *s = r->state;
  uint64_t id;
  int rc;
  if (!take_number(l, &id) || id >= s->n_edges || !s->edges[id].is_there)
    return oct_lines_wrong(r, l, "the number of an edge of BT9", l->begin, l->end, diag);
  if ((rc = add_left(r, s, diag))) return rc;
  const edge *e = &s->edges[id];
  const node *from = node_at(s, e->from), *to = node_at(s, e->to);
  if (from->size) {
    if ((rc = add_insn(r, from->addr, from->size, from->cls, from->target, diag))) return rc;
    if (s->is_begun && s->node != e->from) oct_reader_lost(r);
  }
  s->is_begun = true;
  s->node = e->to;
  if (!from->size || !to->size) {
    /* Of the program's begin and end no address is known. */
    if (from->size && e->n_insns) oct_reader_lost(r);
  } else if (place_edge(s, e, from, to) != 1) {
    s->left = 0;
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
    .name = "bt9",
    .text = "BT9, branches of the branch prediction championship of 2016",
    .probe = bt9_probe,
    .reader = &bt9_reader,
    .addr_bits = 64,
    .is_insns_only = 1};
