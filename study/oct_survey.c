/* SPDX-License-Identifier: Apache-2.0 */
/* oct_survey.c - counts what a trace consists of, as Table 1 of Milenković 2007 does. Streams are
 * runs of sequential instructions of one task; distinct things are counted by open-addressing hash
 * sets. */
#include "octrace/sweep.h"

#include "octrace/error.h"

#include <stdlib.h>
#include <string.h>

typedef struct key {
  uint64_t addr;
  uint64_t count; /* how often it was added */
  uint32_t extra; /* never 0 in a used place */
} key;

struct set {
  key *keys;
  size_t size, count; /* size is a power of two, at most half used */
};

struct oct_survey_state {
  struct set *insn_set, *stream_set, *task_set;
  uint64_t sa, next; /* of the stream that is open: its start, and what would continue it */
  uint32_t sl, stream_insns_max;
  uint32_t task;
};

static size_t place(const key *keys, size_t size, uint64_t addr, uint32_t extra) {
  uint64_t h = (addr ^ (uint64_t)extra << 48) * 0x9e3779b97f4a7c15u;
  size_t i = (size_t)(h >> 20) & (size - 1);
  while (keys[i].extra && (keys[i].addr != addr || keys[i].extra != extra))
    i = (i + 1) & (size - 1);
  return i;
}

static struct set *set_new(void) {
  struct set *s = calloc(1, sizeof *s);
  if (!s) return NULL;
  s->size = 4096;
  s->keys = calloc(s->size, sizeof *s->keys);
  if (!s->keys) {
    free(s);
    return NULL;
  }
  return s;
}

static void set_free(struct set *s) {
  if (s) free(s->keys);
  free(s);
}

static int set_add(struct set *s, uint64_t addr, uint32_t extra) {
  size_t i = place(s->keys, s->size, addr, extra);
  s->keys[i].count++;
  if (s->keys[i].extra) return 0;
  s->keys[i].addr = addr;
  s->keys[i].extra = extra;
  if (2 * ++s->count < s->size) return 0;
  key *keys = calloc(2 * s->size, sizeof *keys);
  if (!keys) return OCT_ERR_NOMEM;
  for (i = 0; i < s->size; i++)
    if (s->keys[i].extra)
      keys[place(keys, 2 * s->size, s->keys[i].addr, s->keys[i].extra)] = s->keys[i];
  free(s->keys);
  s->keys = keys;
  s->size *= 2;
  return 0;
}

int oct_survey_init(oct_survey *s, uint32_t stream_insns_max) {
  memset(s, 0, sizeof *s);
  s->state = calloc(1, sizeof *s->state);
  if (!s->state) return OCT_ERR_NOMEM;
  s->state->stream_insns_max = stream_insns_max;
  s->state->insn_set = set_new();
  s->state->stream_set = set_new();
  s->state->task_set = set_new();
  if (s->state->insn_set && s->state->stream_set && s->state->task_set) return 0;
  oct_survey_free(s);
  return OCT_ERR_NOMEM;
}

/* Count the stream that is open, if there is one. */
static int close_stream(oct_survey *s) {
  uint32_t sl = s->state->sl;
  if (!sl) return 0;
  s->state->sl = 0;
  s->streams++;
  if (sl > s->max_sl) s->max_sl = sl;
  return set_add(s->state->stream_set, s->state->sa, sl);
}

static int put_insn(oct_survey *s, const oct_insn *insn) {
  bool moved = s->insns && insn->task != s->state->task;
  int error = moved || !s->insns ? set_add(s->state->task_set, insn->task, 1) : 0;
  s->task_switches += moved;
  s->state->task = insn->task;
  if (!error &&
      (moved || insn->addr != s->state->next || s->state->sl == s->state->stream_insns_max))
    error = close_stream(s);
  if (!s->state->sl) s->state->sa = insn->addr;
  s->state->sl++;
  s->state->next = insn->addr + insn->size_bytes;
  if (!error) error = set_add(s->state->insn_set, insn->addr, 1);
  s->insn_sizes |= 1u << insn->size_bytes;
  s->insns++;
  return error;
}

int oct_survey_put(oct_survey *s, const oct_batch *batch) {
  int error = 0;
  for (size_t i = 0; i < batch->n_insns && !error; i++) error = put_insn(s, &batch->insns[i]);
  for (size_t i = 0; i < batch->n_accesses; i++) s->stores += batch->accesses[i].is_store != 0;
  for (size_t i = 0; i < batch->n_traps; i++) {
    s->exceptions += batch->traps[i].kind == OCT_TRAP_EXCEPTION;
    s->interrupts += batch->traps[i].kind == OCT_TRAP_INTERRUPT;
    s->privilege_changes += batch->traps[i].kind == OCT_TRAP_PRIVILEGE;
  }
  s->accesses += batch->n_accesses;
  s->loads = s->accesses - s->stores;
  return error;
}

int oct_survey_end(oct_survey *s) {
  int error = close_stream(s);
  s->unique_insns = s->state->insn_set->count;
  s->unique_streams = s->state->stream_set->count;
  s->tasks = s->state->task_set->count;
  return error;
}

size_t oct_survey_top(const oct_survey *s, oct_survey_stream *top, size_t room) {
  size_t n = 0;
  for (size_t i = 0; i < s->state->stream_set->size; i++) {
    const key *k = &s->state->stream_set->keys[i];
    oct_survey_stream x = {k->addr, k->count, k->extra};
    size_t at = n;
    if (!x.sl) continue;
    /* By instructions, then by address, so that the order is the same each time. */
    while (at && (top[at - 1].count * top[at - 1].sl < x.count * x.sl ||
                  (top[at - 1].count * top[at - 1].sl == x.count * x.sl && top[at - 1].sa > x.sa)))
      at--;
    if (at == room) continue;
    if (n < room) n++;
    memmove(top + at + 1, top + at, (n - at - 1) * sizeof *top);
    top[at] = x;
  }
  return n;
}

const char *oct_survey_isa(const oct_survey *s) {
  switch (s->insn_sizes) {
    case 1u << 4:
      return "fixed size of 4 bytes (ARM, AArch64, MIPS, RISC-V without C)";
    case 1u << 1: /* of accesses without an instruction */
      return "unknown";
    case 1u << 8:
      return "fixed size of 8 bytes (PISA)";
    case 1u << 2:
    case 1u << 2 | 1u << 4:
      return "sizes of 2 and 4 bytes (RISC-V with C, Thumb)";
    default:
      return s->insn_sizes ? "sizes of many kinds (x86)" : "unknown";
  }
}

void oct_survey_free(oct_survey *s) {
  if (s->state) {
    set_free(s->state->insn_set);
    set_free(s->state->stream_set);
    set_free(s->state->task_set);
  }
  free(s->state);
  memset(s, 0, sizeof *s);
}
