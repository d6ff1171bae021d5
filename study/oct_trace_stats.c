/* SPDX-License-Identifier: Apache-2.0 */
/* oct_trace_stats.c - what a program does, by its trace.
 *
 * A branch has its outcome from the next instruction of the stream: taken unless that follows it in
 * memory. Where another task or a trap comes in between, the trap's address says it, or the branch
 * is left out. Footprints are a table of lines, each with a bit for each byte. */
#include "oct_trace_stats.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oct_grow.h"
#include "oct_hash.h"
#include "oct_mask.h"
#include "oct_predict.h"
#include "octrace/cache.h"
#include "octrace/error.h"

enum { ADDRS = 4096, LINE_LOG2 = 6, PAGE_LOG2 = 12 };

/* A table from keys to values by open addressing, at most half full. key is that of the user plus
 * one, so that 0 is free; the largest stays, and is one with that before it. */
typedef struct cell {
  uint64_t key, value;
} cell;
typedef struct table {
  cell *cells;
  size_t n, size;
} table;

typedef struct footprint {
  table lines, pages; /* of lines the bytes touched, a bit each */
  uint64_t last_line;
  uint64_t *last_bits;
} footprint;

/* Lines on their way to the distances. */
typedef struct reuse {
  oct_stack_distance *distance;
  uint64_t addrs[ADDRS], last_line, in_row; /* in_row: uses of the line used last */
  size_t n;
  bool has_last;
} reuse;

struct oct_trace_stats {
  oct_trace_stats_options options;
  oct_trace_stats_result result;
  unsigned pc_shift;
  oct_counters bimodal, gshare;
  oct_tage tage;
  oct_targets targets;
  oct_returns returns;
  footprint code, data;
  reuse code_reuse, data_reuse;
  /* the jump or branch that waits for the next instruction */
  bool is_waiting, is_slot_next;
  oct_insn waiting;
  uint64_t fallthrough;
  size_t waiting_function;
  /* functions */
  oct_trace_stats_function *functions;
  size_t n_functions, functions_room, function;
  table function_ids; /* first address -> number */
  uint64_t function_first, function_end;
  /* basic block vectors */
  table block_ids; /* start -> number */
  uint64_t *block_counts;
  uint32_t *used_blocks;
  size_t blocks_room, used_room, n_used;
  uint64_t block, bbv_next, interval_insns; /* block: the current one's number */
  uint32_t bbv_task;
  bool is_in_block;
  oct_buffer bbv;
};

/* The value of key; *is_new where it was not there, and is 0 then. NULL: out of memory. */
static uint64_t *table_at(table *t, uint64_t key, bool *is_new) {
  if (2 * (t->n + 1) > t->size) {
    table grown = {.size = t->size ? 2 * t->size : 1024, .n = t->n};
    grown.cells = calloc(grown.size, sizeof *grown.cells);
    if (!grown.cells) return NULL;
    for (size_t i = 0; i < t->size; i++) {
      if (!t->cells[i].key) continue;
      size_t at = (size_t)((t->cells[i].key * OCT_HASH_FACTOR) >> 24) & (grown.size - 1);
      while (grown.cells[at].key) at = (at + 1) & (grown.size - 1);
      grown.cells[at] = t->cells[i];
    }
    free(t->cells);
    *t = grown;
  }
  if (key != UINT64_MAX) key++;
  size_t at = (size_t)((key * OCT_HASH_FACTOR) >> 24) & (t->size - 1);
  while (t->cells[at].key && t->cells[at].key != key) at = (at + 1) & (t->size - 1);
  *is_new = !t->cells[at].key;
  if (*is_new) {
    t->cells[at].key = key;
    t->n++;
  }
  return &t->cells[at].value;
}

/* ---- Footprints and distances ---- */

static int touch_line(footprint *f, uint64_t line, uint64_t bits) {
  if (!f->last_bits || f->last_line != line) {
    bool is_new, is_new_page;
    f->last_bits = table_at(&f->lines, line, &is_new);
    f->last_line = line;
    if (!f->last_bits) return OCT_ERR_NOMEM;
    if (is_new && !table_at(&f->pages, line >> (PAGE_LOG2 - LINE_LOG2), &is_new_page))
      return OCT_ERR_NOMEM;
  }
  *f->last_bits |= bits;
  return 0;
}

/* Bytes of one or two lines; of an unknown size, one byte. */
static int touch(footprint *f, uint64_t addr, unsigned n_bytes) {
  unsigned at = addr & (OCT_TRACE_STATS_LINE_BYTES - 1), n = n_bytes ? n_bytes : 1;
  uint64_t bits = oct_mask(n);
  int error = touch_line(f, addr >> LINE_LOG2, bits << at);
  if (!error && at + n > OCT_TRACE_STATS_LINE_BYTES)
    error = touch_line(f, (addr >> LINE_LOG2) + 1, bits >> (OCT_TRACE_STATS_LINE_BYTES - at));
  return error;
}

static unsigned bits_set(uint64_t v) {
  unsigned n = 0;
  for (; v; v &= v - 1) n++;
  return n;
}

static oct_trace_stats_footprint footprint_of(const footprint *f) {
  oct_trace_stats_footprint r = {0, f->lines.n, f->pages.n};
  for (size_t i = 0; i < f->lines.size; i++) r.bytes += bits_set(f->lines.cells[i].value);
  return r;
}

static int flush_reuse(reuse *r) {
  size_t n = r->n;
  r->n = 0;
  return oct_stack_distance_put(r->distance, r->addrs, n);
}

/* Uses of a line after another by the same line have distance 0, and need no search. */
static int use_line(reuse *r, uint64_t line) {
  if (r->has_last && r->last_line == line) {
    r->in_row++;
    return 0;
  }
  r->has_last = true;
  r->last_line = line;
  r->addrs[r->n++] = line << LINE_LOG2;
  return r->n == ADDRS ? flush_reuse(r) : 0;
}

static int use(reuse *r, uint64_t addr, unsigned n_bytes) {
  if (!r->distance) return 0;
  uint64_t line = addr >> LINE_LOG2, last = (addr + (n_bytes ? n_bytes - 1 : 0)) >> LINE_LOG2;
  int error = use_line(r, line);
  return error || last == line ? error : use_line(r, last);
}

static int end_reuse(reuse *r, oct_trace_stats_reuse *result) {
  if (!r->distance) return 0;
  int error = flush_reuse(r);
  if (error) return error;
  uint64_t n = oct_stack_distance_addresses(r->distance), beyond = n;
  result->n = n + r->in_row;
  result->cold = oct_stack_distance_blocks(r->distance);
  for (unsigned i = 0; i < OCT_TRACE_STATS_DISTANCES; i++) {
    /* With w ways the uses of a distance of w and more miss. */
    uint64_t misses = i + 1 < OCT_TRACE_STATS_DISTANCES
                          ? oct_stack_distance_misses(r->distance, 0, UINT32_C(1) << i)
                          : result->cold;
    if (misses == UINT64_MAX || misses < result->cold) misses = result->cold;
    result->at[i] = beyond - misses;
    beyond = misses;
  }
  result->at[0] += r->in_row;
  return 0;
}

/* ---- Functions ---- */

static int find_function(oct_trace_stats *s, uint64_t addr) {
  uint64_t first = 0, end = UINT64_MAX;
  bool is_new;
  const char *name =
      s->options.functions.find
          ? s->options.functions.find(s->options.functions.context, addr, &first, &end)
          : NULL;
  uint64_t *id = table_at(&s->function_ids, name ? first : UINT64_MAX - 1, &is_new);
  if (!id) return OCT_ERR_NOMEM;
  if (is_new) {
    oct_trace_stats_function *grown =
        oct_grown(s->functions, &s->functions_room, s->n_functions + 1, sizeof *grown);
    if (!grown) return OCT_ERR_NOMEM;
    s->functions = grown;
    *id = s->n_functions;
    s->functions[s->n_functions++] =
        (oct_trace_stats_function){.first = name ? first : 0, .name = name};
  }
  s->function = (size_t)*id;
  s->function_first = first;
  s->function_end = end;
  return 0;
}

/* ---- Basic block vectors ---- */

static int end_interval(oct_trace_stats *s) {
  char text[48];
  int error = 0;
  for (size_t i = 0; i < s->n_used && !error; i++) {
    uint32_t block = s->used_blocks[i];
    int n = snprintf(text, sizeof text, "%s:%u:%llu", i ? " " : "T", (unsigned)block + 1,
                     (unsigned long long)s->block_counts[block]);
    s->block_counts[block] = 0;
    error = oct_buffer_put(&s->bbv, text, (size_t)n);
  }
  if (!error && s->n_used) error = oct_buffer_put(&s->bbv, "\n", 1);
  s->n_used = 0;
  s->interval_insns = 0;
  return error;
}

static int put_block(oct_trace_stats *s, const oct_insn *insn) {
  if (!s->is_in_block || insn->addr != s->bbv_next || insn->task != s->bbv_task) {
    bool is_new;
    uint64_t *id = table_at(&s->block_ids, insn->addr, &is_new);
    if (!id) return OCT_ERR_NOMEM;
    if (is_new) *id = s->block_ids.n - 1;
    s->block = *id;
    if (s->block >= UINT32_MAX) return OCT_ERR_LIMIT;
  }
  size_t room = s->blocks_room;
  uint64_t *counts = oct_grown(s->block_counts, &s->blocks_room, s->block + 1, sizeof *counts);
  if (!counts) return OCT_ERR_NOMEM;
  s->block_counts = counts;
  if (s->blocks_room > room) memset(counts + room, 0, (s->blocks_room - room) * sizeof *counts);
  if (!s->block_counts[s->block]++) {
    uint32_t *used = oct_grown(s->used_blocks, &s->used_room, s->n_used + 1, sizeof *used);
    if (!used) return OCT_ERR_NOMEM;
    s->used_blocks = used;
    s->used_blocks[s->n_used++] = (uint32_t)s->block;
  }
  s->bbv_next = insn->addr + insn->size_bytes;
  s->bbv_task = insn->task;
  s->is_in_block = oct_insn_class(insn) <= OCT_CLASS_OTHER;
  return ++s->interval_insns == s->options.bbv_insns ? end_interval(s) : 0;
}

const char *oct_trace_stats_bbv(oct_trace_stats *s, size_t *n_bytes) {
  *n_bytes = s->bbv.n_bytes;
  s->bbv.n_bytes = 0;
  return (const char *)s->bbv.bytes;
}

/* ---- Branches ---- */

/* The jump that waits goes to next. */
static void resolve(oct_trace_stats *s, uint64_t next) {
  oct_trace_stats_result *r = &s->result;
  uint64_t pc = s->waiting.addr >> s->pc_shift;
  oct_class cls = oct_insn_class(&s->waiting);
  bool is_taken =
      next != s->fallthrough || (cls != OCT_CLASS_COND_BRANCH && !s->options.has_conditional_jumps);
  s->is_waiting = false;
  switch (cls) {
    case OCT_CLASS_COND_BRANCH: {
      oct_trace_stats_function *f = &s->functions[s->waiting_function];
      bool missed = oct_tage_predict(&s->tage, pc, is_taken) != is_taken;
      r->branches++;
      r->taken += is_taken;
      r->misses[OCT_TRACE_STATS_BIMODAL] +=
          oct_counters_predict(&s->bimodal, pc, is_taken) != is_taken;
      r->misses[OCT_TRACE_STATS_GSHARE] +=
          oct_counters_predict(&s->gshare, pc, is_taken) != is_taken;
      r->misses[OCT_TRACE_STATS_TAGE] += missed;
      f->branches++;
      f->misses += missed;
      break;
    }
    case OCT_CLASS_INDIRECT_CALL:
    case OCT_CLASS_INDIRECT_JUMP:
      if (!is_taken) break; /* a condition failed */
      r->indirects++;
      r->indirect_misses += !oct_targets_predict(&s->targets, pc, next);
      if (cls == OCT_CLASS_INDIRECT_CALL) oct_returns_push(&s->returns, s->fallthrough);
      break;
    case OCT_CLASS_DIRECT_CALL:
      if (is_taken) oct_returns_push(&s->returns, s->fallthrough);
      break;
    case OCT_CLASS_RETURN:
      if (!is_taken) break;
      r->returns++;
      r->return_misses += !oct_returns_predict(&s->returns, next);
      break;
    default:
      break;
  }
}

/* The instruction before a trap, or before another task. */
static void resolve_at_trap(oct_trace_stats *s, const oct_trap *trap) {
  if (s->is_waiting && !s->is_slot_next && trap->kind != OCT_TRAP_PRIVILEGE && trap->addr)
    resolve(s, trap->addr);
  if (trap->kind != OCT_TRAP_PRIVILEGE) s->is_waiting = false;
}

static void put_insn(oct_trace_stats *s, const oct_insn *insn) {
  if (s->is_waiting && insn->task != s->waiting.task) s->is_waiting = false;
  if (s->is_waiting && s->is_slot_next) {
    s->is_slot_next = false;
    s->fallthrough += 4;
    if (insn->addr == s->fallthrough - 4) {
      s->fallthrough = insn->addr + insn->size_bytes;
      return;
    }
  }
  if (s->is_waiting) resolve(s, insn->addr);
  if (oct_insn_class(insn) <= OCT_CLASS_OTHER) return;
  s->is_waiting = true;
  s->is_slot_next = s->options.has_delay_slots;
  s->waiting = *insn;
  s->waiting_function = s->function;
  s->fallthrough = insn->addr + insn->size_bytes;
}

/* ---- All of it ---- */

static int open_distance(reuse *r) {
  oct_diag diag;
  return oct_stack_distance_new(&(oct_stack_level_config){1, 0}, 1, OCT_TRACE_STATS_LINE_BYTES,
                                &r->distance, &diag);
}

int oct_trace_stats_new(const oct_trace_stats_options *options, oct_trace_stats **stats) {
  oct_trace_stats *s = calloc(1, sizeof *s);
  *stats = s;
  if (!s) return OCT_ERR_NOMEM;
  s->options = *options;
  while ((2u << s->pc_shift) <= options->insn_align_bytes) s->pc_shift++;
  oct_counters_init(&s->bimodal, 0);
  oct_counters_init(&s->gshare, 15);
  oct_tage_init(&s->tage);
  int error = 0;
  if (options->has_distances) error = open_distance(&s->code_reuse);
  if (options->has_distances && !error) error = open_distance(&s->data_reuse);
  if (error) oct_trace_stats_free(s);
  if (error) *stats = NULL;
  return error;
}

void oct_trace_stats_free(oct_trace_stats *s) {
  if (!s) return;
  free(s->code.lines.cells);
  free(s->code.pages.cells);
  free(s->data.lines.cells);
  free(s->data.pages.cells);
  oct_stack_distance_free(s->code_reuse.distance);
  oct_stack_distance_free(s->data_reuse.distance);
  free(s->functions);
  free(s->function_ids.cells);
  free(s->block_ids.cells);
  free(s->block_counts);
  free(s->used_blocks);
  oct_buffer_free(&s->bbv);
  free(s);
}

static unsigned size_class(unsigned n_bytes) {
  return n_bytes && n_bytes <= 64 ? oct_log2_up(n_bytes) : OCT_TRACE_STATS_SIZES - 1;
}

int oct_trace_stats_put(oct_trace_stats *s, const oct_batch *batch) {
  oct_trace_stats_result *r = &s->result;
  const oct_access *access = batch->accesses;
  size_t trap = 0, fact = 0;
  int error = 0;
  for (size_t i = 0; i < batch->n_insns && !error; i++) {
    const oct_insn *insn = &batch->insns[i];
    unsigned kinds = 0;
    for (; fact < batch->n_facts && batch->facts[fact].insn <= i; fact++)
      if (batch->facts[fact].kind == OCT_FACT_GAP) s->is_waiting = s->is_in_block = false;
    while (trap < batch->n_traps && batch->traps[trap].insn <= i)
      resolve_at_trap(s, &batch->traps[trap++]);
    if (!s->n_functions || insn->addr - s->function_first >= s->function_end - s->function_first)
      error = find_function(s, insn->addr);
    if (error) break;
    put_insn(s, insn);
    if (s->options.bbv_insns) error = put_block(s, insn);
    if (!error) error = touch(&s->code, insn->addr, insn->size_bytes);
    if (!error) error = use(&s->code_reuse, insn->addr, insn->size_bytes);
    for (unsigned k = 0; k < insn->n_access && !error; k++, access++) {
      kinds |= access->is_store ? 2 : 1;
      r->accesses[access->is_store != 0][size_class(access->size_bytes)]++;
      error = touch(&s->data, access->addr, access->size_bytes);
      if (!error) error = use(&s->data_reuse, access->addr, access->size_bytes);
    }
    r->insns++;
    r->insn_bytes += insn->size_bytes;
    r->by_class[oct_insn_class(insn)][kinds]++;
    s->functions[s->function].insns++;
    s->functions[s->function].accesses += insn->n_access;
  }
  while (trap < batch->n_traps) resolve_at_trap(s, &batch->traps[trap++]);
  for (; fact < batch->n_facts; fact++)
    if (batch->facts[fact].kind == OCT_FACT_GAP) s->is_waiting = s->is_in_block = false;
  return error;
}

static int compare_functions(const void *a, const void *b) {
  const oct_trace_stats_function *x = a, *y = b;
  if (x->insns != y->insns) return x->insns < y->insns ? 1 : -1;
  return x->first < y->first ? -1 : x->first > y->first;
}

const oct_trace_stats_result *oct_trace_stats_end(oct_trace_stats *s) {
  if (end_interval(s) || end_reuse(&s->code_reuse, &s->result.code_reuse) ||
      end_reuse(&s->data_reuse, &s->result.data_reuse))
    return NULL;
  s->result.code = footprint_of(&s->code);
  s->result.data = footprint_of(&s->data);
  if (s->n_functions) qsort(s->functions, s->n_functions, sizeof *s->functions, compare_functions);
  return &s->result;
}

const oct_trace_stats_function *oct_trace_stats_functions(oct_trace_stats *s, size_t *n) {
  *n = s->n_functions;
  return s->functions;
}
