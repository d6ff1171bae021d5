/* SPDX-License-Identifier: Apache-2.0 */
/* oct_calls.c - function calls out of an instruction trace.
 *
 * Each task has a stack of frames. A frame has its function, the address to which it returns, and
 * the addresses at which calls have returned into it (landings). Between two instructions of a task
 * that do not follow each other in memory, the class of the first one decides:
 *
 * - A call pushes a frame, unless it goes to the next instruction, as code does that wants its own
 *   address.
 * - A return leaves all frames down to the topmost one with this return address. Without one it is
 *   an indirect jump.
 * - An indirect jump stays in its function (a switch), or leaves frames as a return does, or goes
 *   to the begin of another function (a tail call, which replaces the frame), or into the middle of
 *   one: a longjmp or an exception of C++, which leaves all frames above the topmost one with this
 *   landing, or else above the topmost one of this function.
 * - A direct jump or branch out of the function, and running over its end, are tail calls.
 * - Anything else is a discontinuity. To the address that an interrupted frame waits for, it is the
 *   return from the interrupt; to the begin of a function, the handler of a signal, on top of the
 *   interrupted stack; else frames are left down to one of this function.
 *
 * A trap puts a frame that waits for the interrupted address on the stack. A change of privilege
 * without a trap ends the topmost such frame. A compiler may move cold parts of a function f to
 * f.cold; they are f.
 *
 * Code without symbols is one function for each address that is called in it. There, a jump is a
 * tail call only to an address that was called before, and a longjmp only to a landing; a return to
 * an unknown place begins another function.
 *
 * What is looked for on a stack is found by an index of its values, however deep the stack is. */
#include "oct_calls.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "oct_addr_set.h"
#include "oct_grow.h"
#include "oct_tops.h"

enum {
  FRAMES_MAX = 1 << 20,
  LANDINGS_MAX = 64, /* of a frame */
  CACHE_PLACES = 4096,
  RESUME_BYTES_MAX = 4 /* a handler of a system call skips the instruction that made it */
};
#define NO_RETURN UINT64_MAX
#define NO_FUNCTION UINT32_MAX

/* Where an address is: a function, or a range without one. */
typedef struct place {
  uint64_t addr, first, end;
  uint32_t function; /* NO_FUNCTION: without symbol */
  bool is_used;
} place;

/* What made a frame. */
typedef enum frame_kind { OF_CALL, OF_TRAP, OF_EXCEPTION, FRAME_KINDS } frame_kind;

typedef struct frame {
  uint64_t first, end; /* of the function, or of the range without symbols */
  uint64_t entry, ret;
  size_t landings; /* where those of this frame begin */
  uint32_t node, function;
  frame_kind kind;
  bool has_symbol;
  /* The frame below: with the same address and kind, of the same function, of a trap. */
  uint32_t below_ret, below_function, below_trap;
} frame;

typedef struct landing {
  uint64_t addr;
  uint32_t frame;
  uint32_t below; /* landing at the same address, of a lower frame */
} landing;

typedef struct thread {
  uint32_t task, location;
  frame *frames;
  landing *landings;
  size_t n, frames_room, n_landings, landings_room;
  uint32_t top_trap;                            /* topmost frame of a trap, or OCT_TOPS_NONE */
  oct_tops rets[FRAME_KINDS], functions, lands; /* of frames; of landings, by their addresses */
  uint64_t at, next;    /* of the last instruction, and after it in memory */
  uint64_t last_ticks;  /* of the last record */
  oct_class cls, later; /* of the last jump; of one whose delay slot comes */
} thread;

struct oct_calls {
  oct_functions functions;
  bool has_delay_slots, has_stamps, is_begun, is_behind_gap;
  uint64_t n_insns, now, since; /* since: the stack of the current thread is charged up to then */
  thread *threads;
  size_t n_threads, threads_room, current;
  uint32_t *thread_slots; /* hash of tasks: number + 1 */
  size_t n_thread_slots;
  oct_calls_node *nodes;
  size_t n_nodes, nodes_room;
  uint32_t *node_slots; /* hash of nodes, likewise; 0 = free */
  size_t n_node_slots;
  oct_ev_defs defs;
  oct_ev_record *records;
  size_t n_records, records_room;
  oct_addr_set entries; /* called, in code without symbols */
  oct_calls_counts counts;
  place cache[CACHE_PLACES];
};

int oct_calls_new(const oct_functions *functions, bool has_delay_slots, oct_calls **calls) {
  oct_calls *c = calloc(1, sizeof *c);
  *calls = c;
  if (!c) return OCT_ERR_NOMEM;
  c->functions = *functions;
  c->has_delay_slots = has_delay_slots;
  c->n_thread_slots = c->n_node_slots = 256;
  c->thread_slots = calloc(c->n_thread_slots, sizeof *c->thread_slots);
  c->node_slots = calloc(c->n_node_slots, sizeof *c->node_slots);
  c->nodes = oct_grown(NULL, &c->nodes_room, 1, sizeof *c->nodes);
  if (c->thread_slots && c->node_slots && c->nodes) {
    c->nodes[c->n_nodes++] = (oct_calls_node){0};
    return 0;
  }
  oct_calls_free(c);
  *calls = NULL;
  return OCT_ERR_NOMEM;
}

void oct_calls_free(oct_calls *c) {
  if (!c) return;
  for (size_t i = 0; i < c->n_threads; i++) {
    thread *t = &c->threads[i];
    free(t->frames);
    free(t->landings);
    for (unsigned k = 0; k < FRAME_KINDS; k++) oct_tops_free(&t->rets[k]);
    oct_tops_free(&t->functions);
    oct_tops_free(&t->lands);
  }
  free(c->threads);
  free(c->thread_slots);
  free(c->nodes);
  free(c->node_slots);
  free(c->records);
  oct_ev_defs_free(&c->defs);
  oct_addr_set_free(&c->entries);
  free(c);
}

oct_ev_defs *oct_calls_defs(oct_calls *c) {
  return &c->defs;
}

bool oct_calls_has_stamps(const oct_calls *c) {
  return c->has_stamps;
}

const oct_calls_node *oct_calls_nodes(const oct_calls *c, size_t *n) {
  *n = c->n_nodes;
  return c->nodes;
}

oct_calls_counts oct_calls_get_counts(const oct_calls *c) {
  return c->counts;
}

/* ---- Functions ---- */

static bool is_called(const oct_calls *c, uint64_t addr) {
  return oct_addr_set_has(&c->entries, addr);
}

/* The length of a name without the suffix of a cold part. */
static size_t name_bytes(const char *name) {
  const char *cold = strstr(name, ".cold");
  return cold && cold > name && (!cold[5] || cold[5] == '.') ? (size_t)(cold - name) : strlen(name);
}

/* Where addr is, of a function with its number. 0 or an error. */
static int look_up(oct_calls *c, uint64_t addr, place *p) {
  place *known = &c->cache[(addr >> 1) % CACHE_PLACES];
  if (!known->is_used || known->addr != addr) {
    place found = {.addr = addr, .end = UINT64_MAX, .function = NO_FUNCTION, .is_used = true};
    const char *name = c->functions.find
                           ? c->functions.find(c->functions.context, addr, &found.first, &found.end)
                           : NULL;
    int64_t id = name ? oct_ev_defs_function(&c->defs, name, name_bytes(name), 0) : 0;
    if (id < 0) return (int)id;
    if (name) found.function = (uint32_t)id;
    *known = found;
  }
  *p = *known;
  return 0;
}

/* ---- The tree of stacks ---- */

static size_t node_hash(uint32_t parent, uint32_t function, uint32_t location) {
  uint64_t h = (((uint64_t)parent << 32 | function) ^ (uint64_t)location << 17) *
               UINT64_C(0x9e3779b97f4a7c15);
  return (size_t)(h >> 29);
}

static uint32_t *node_slot(const oct_calls *c, uint32_t parent, uint32_t function,
                           uint32_t location) {
  size_t i = node_hash(parent, function, location) & (c->n_node_slots - 1);
  for (;; i = (i + 1) & (c->n_node_slots - 1)) {
    const oct_calls_node *n = &c->nodes[c->node_slots[i]];
    if (!c->node_slots[i] ||
        (n->parent == parent && n->function == function && n->location == location))
      return &c->node_slots[i];
  }
}

/* The node of a function on top of parent. 0 or OCT_ERR_NOMEM. */
static int child_node(oct_calls *c, uint32_t parent, uint32_t function, uint32_t location,
                      uint32_t *node) {
  uint32_t *slot = node_slot(c, parent, function, location);
  *node = *slot;
  if (*slot) return 0;
  oct_calls_node *nodes = oct_grown(c->nodes, &c->nodes_room, c->n_nodes + 1, sizeof *nodes);
  if (!nodes) return OCT_ERR_NOMEM;
  c->nodes = nodes;
  *node = *slot = (uint32_t)c->n_nodes;
  c->nodes[c->n_nodes++] = (oct_calls_node){parent, function, location, 0};
  if (2 * c->n_nodes < c->n_node_slots) return 0;
  uint32_t *slots = calloc(2 * c->n_node_slots, sizeof *slots);
  if (!slots) return OCT_ERR_NOMEM;
  free(c->node_slots);
  c->node_slots = slots;
  c->n_node_slots *= 2;
  for (uint32_t i = 1; i < c->n_nodes; i++)
    *node_slot(c, c->nodes[i].parent, c->nodes[i].function, c->nodes[i].location) = i;
  return 0;
}

/* Give the time since the last charge to the stack of the thread. */
static void charge(oct_calls *c, const thread *t) {
  if (t->n && c->now > c->since) c->nodes[t->frames[t->n - 1].node].self_ticks += c->now - c->since;
  c->since = c->now;
}

/* ---- Frames ---- */

static frame *top_of(thread *t) {
  return &t->frames[t->n - 1];
}

static bool is_in(const frame *f, uint64_t addr) {
  return addr - f->first < f->end - f->first;
}

static int put_record(oct_calls *c, thread *t, oct_ev_kind kind, uint32_t function) {
  oct_ev_record *grown = oct_grown(c->records, &c->records_room, c->n_records + 1, sizeof *grown);
  if (!grown) return OCT_ERR_NOMEM;
  c->records = grown;
  if (c->now > t->last_ticks) t->last_ticks = c->now;
  c->records[c->n_records++] = (oct_ev_record){
      .time_ticks = t->last_ticks, .location = t->location, .function = function, .kind = kind};
  return 0;
}

static int enter(oct_calls *c, thread *t, uint64_t addr, uint64_t ret, frame_kind kind) {
  place p;
  int error = look_up(c, addr, &p);
  if (error) return error;
  bool has_symbol = p.function != NO_FUNCTION;
  if (!has_symbol) {
    char name[24];
    snprintf(name, sizeof name, "0x%" PRIx64, addr);
    int64_t id = oct_ev_defs_function(&c->defs, name, strlen(name), 0);
    if (id < 0) return (int)id;
    p.function = (uint32_t)id;
  }
  frame *frames = oct_grown(t->frames, &t->frames_room, t->n + 1, sizeof *frames);
  if (!frames) return OCT_ERR_NOMEM;
  t->frames = frames;
  charge(c, t);
  uint32_t node;
  error = child_node(c, t->n ? top_of(t)->node : 0, p.function, t->location, &node);
  if (error) return error;
  frame *f = &t->frames[t->n];
  *f = (frame){.first = p.first,
               .end = p.end,
               .entry = addr,
               .ret = ret,
               .landings = t->n_landings,
               .node = node,
               .function = p.function,
               .kind = kind,
               .has_symbol = has_symbol,
               .below_trap = t->top_trap};
  const uint32_t at = (uint32_t)t->n;
  error = oct_tops_push(&t->rets[kind], ret, at, &f->below_ret);
  if (!error && has_symbol)
    error = oct_tops_push(&t->functions, p.function, at, &f->below_function);
  if (error) return error;
  t->n++;
  if (kind != OF_CALL) t->top_trap = at;
  return put_record(c, t, OCT_EV_ENTER, p.function);
}

/* The frame on top is not there any more. */
static void drop_top(thread *t) {
  const frame *f = top_of(t);
  while (t->n_landings > f->landings) {
    const landing *l = &t->landings[--t->n_landings];
    oct_tops_pop(&t->lands, l->addr, l->below);
  }
  oct_tops_pop(&t->rets[f->kind], f->ret, f->below_ret);
  if (f->has_symbol) oct_tops_pop(&t->functions, f->function, f->below_function);
  t->top_trap = f->below_trap;
  t->n--;
}

/* Leave the frames from number n on. */
static int leave_to(oct_calls *c, thread *t, size_t n) {
  int error = 0;
  charge(c, t);
  while (t->n > n && !error) {
    error = put_record(c, t, OCT_EV_LEAVE, top_of(t)->function);
    drop_top(t);
  }
  return error;
}

static int push(oct_calls *c, thread *t, uint64_t addr, uint64_t ret, frame_kind kind) {
  return t->n < FRAMES_MAX ? enter(c, t, addr, ret, kind) : 0;
}

/* Another function in the place of the one on top. */
static int replace(oct_calls *c, thread *t, uint64_t addr) {
  place p = {.is_used = false};
  int error = look_up(c, addr, &p);
  frame *top = top_of(t);
  if (error) return error;
  if (p.function == top->function) { /* its cold part, or back from there */
    top->first = p.first;
    top->end = p.end;
    return 0;
  }
  uint64_t ret = top->ret;
  frame_kind kind = top->kind;
  c->counts.tail_calls++;
  error = leave_to(c, t, t->n - 1);
  return error ? error : enter(c, t, addr, ret, kind);
}

/* The topmost landing at addr of a frame below the one on top, or OCT_TOPS_NONE. *is_on_top: that
 * one has it, too. */
static uint32_t find_landing(thread *t, uint64_t addr, bool *is_on_top) {
  uint32_t at = oct_tops_get(&t->lands, addr);
  *is_on_top = at != OCT_TOPS_NONE && at >= top_of(t)->landings;
  return *is_on_top ? t->landings[at].below : at;
}

static bool has_landing(thread *t, uint64_t addr) {
  bool is_on_top;
  find_landing(t, addr, &is_on_top);
  return is_on_top;
}

static int put_landing(thread *t, uint64_t addr) {
  if (has_landing(t, addr) || t->n_landings - top_of(t)->landings >= LANDINGS_MAX) return 0;
  landing *grown = oct_grown(t->landings, &t->landings_room, t->n_landings + 1, sizeof *grown);
  if (!grown) return OCT_ERR_NOMEM;
  t->landings = grown;
  landing *l = &t->landings[t->n_landings];
  *l = (landing){.addr = addr, .frame = (uint32_t)(t->n - 1)};
  int error = oct_tops_push(&t->lands, addr, (uint32_t)t->n_landings, &l->below);
  t->n_landings += !error;
  return error;
}

/* ---- From one instruction to the next ---- */

/* The topmost frame that returns to addr, or OCT_TOPS_NONE. */
static uint32_t find_return(const thread *t, uint64_t addr) {
  return oct_tops_get(&t->rets[OF_CALL], addr);
}

/* The topmost frame of a trap that waits for addr, or OCT_TOPS_NONE. */
static uint32_t find_resume(const thread *t, uint64_t addr) {
  if (t->top_trap == OCT_TOPS_NONE) return OCT_TOPS_NONE;
  uint32_t found = oct_tops_get(&t->rets[OF_TRAP], addr);
  for (uint64_t k = 0; k <= RESUME_BYTES_MAX; k++) {
    uint32_t at = oct_tops_get(&t->rets[OF_EXCEPTION], addr - k);
    if (at != OCT_TOPS_NONE && (found == OCT_TOPS_NONE || at > found)) found = at;
  }
  return found;
}

/* Back in a function that runs on at addr: it may have been left for its cold part. */
static int run_on(oct_calls *c, thread *t, uint64_t addr) {
  if (!t->n) return enter(c, t, addr, NO_RETURN, OF_CALL);
  return is_in(top_of(t), addr) ? 0 : replace(c, t, addr);
}

static int return_from(oct_calls *c, thread *t, size_t i, uint64_t addr) {
  c->counts.returns++;
  c->counts.unwound += t->n - 1 - i;
  bool is_trap = t->frames[i].kind != OF_CALL;
  int error = leave_to(c, t, i);
  if (!error) error = run_on(c, t, addr);
  return error || is_trap ? error : put_landing(t, addr);
}

/* Into the middle of a function: the frame that goes on there, or OCT_TOPS_NONE. */
static uint32_t find_unwound(thread *t, uint64_t addr, uint32_t function) {
  bool is_on_top;
  uint32_t at = find_landing(t, addr, &is_on_top);
  if (at != OCT_TOPS_NONE) return t->landings[at].frame;
  at = oct_tops_get(&t->functions, function);
  return at == t->n - 1 ? top_of(t)->below_function : at;
}

static int unwind_to(oct_calls *c, thread *t, size_t i, uint64_t addr) {
  c->counts.unwound += t->n - 1 - i;
  int error = leave_to(c, t, i + 1);
  return error ? error : run_on(c, t, addr);
}

static int jump_indirect(oct_calls *c, thread *t, uint64_t addr, bool is_return) {
  frame *top = top_of(t);
  uint32_t trap = find_resume(t, addr);
  place p;
  if (top->ret == addr) return return_from(c, t, t->n - 1, addr);
  if (trap != OCT_TOPS_NONE) return return_from(c, t, trap, addr);
  if (is_in(top, addr) && !top->has_symbol) {
    if (is_called(c, addr) && addr != top->entry) return replace(c, t, addr);
    uint32_t i = has_landing(t, addr) ? OCT_TOPS_NONE : find_unwound(t, addr, NO_FUNCTION);
    if (i != OCT_TOPS_NONE) return unwind_to(c, t, i, addr);
    c->counts.missed_returns += is_return;
    return is_return ? replace(c, t, addr) : 0;
  }
  if (is_in(top, addr)) return 0;
  c->counts.missed_returns += is_return;
  int error = look_up(c, addr, &p);
  if (error) return error;
  if (p.function == NO_FUNCTION || addr == p.first || p.function == top->function)
    return replace(c, t, addr);
  uint32_t i = find_unwound(t, addr, p.function);
  return i == OCT_TOPS_NONE ? replace(c, t, addr) : unwind_to(c, t, i, addr);
}

/* Without a jump or a trap; interrupted: where the program was to go on. */
static int be_elsewhere(oct_calls *c, thread *t, uint64_t addr, uint64_t interrupted) {
  place p;
  uint32_t trap = find_resume(t, addr);
  c->counts.discontinuities++;
  if (trap != OCT_TOPS_NONE) return return_from(c, t, trap, addr);
  int error = look_up(c, addr, &p);
  if (error) return error;
  bool is_begin = p.function == NO_FUNCTION ? is_called(c, addr) : addr == p.first;
  if (is_begin) return push(c, t, addr, interrupted, OF_TRAP);
  if (is_in(top_of(t), addr)) return 0;
  uint32_t i = find_unwound(t, addr, p.function);
  return i == OCT_TOPS_NONE ? replace(c, t, addr) : unwind_to(c, t, i, addr);
}

/* The privilege has changed without a trap: back from one. */
static int return_from_trap(oct_calls *c, thread *t, uint64_t addr) {
  uint32_t i = find_resume(t, addr), any = t->top_trap;
  if (i == OCT_TOPS_NONE && any && is_in(&t->frames[any - 1], addr)) i = any;
  if (i != OCT_TOPS_NONE) return return_from(c, t, i, addr);
  uint64_t interrupted = t->frames[any].ret;
  int error = leave_to(c, t, any);
  if (error || !t->n) return error ? error : run_on(c, t, addr);
  return be_elsewhere(c, t, addr, interrupted);
}

static int go_to(oct_calls *c, thread *t, uint64_t addr, bool is_trap_return) {
  uint32_t i;
  if (is_trap_return && t->top_trap != OCT_TOPS_NONE &&
      (addr != t->next || find_resume(t, addr) != OCT_TOPS_NONE))
    return return_from_trap(c, t, addr);
  if (addr == t->next) return run_on(c, t, addr);
  switch (t->cls) {
    case OCT_CLASS_DIRECT_CALL:
    case OCT_CLASS_INDIRECT_CALL:
      c->counts.calls++;
      if (oct_addr_set_put(&c->entries, addr) < 0) return OCT_ERR_NOMEM;
      return push(c, t, addr, t->next, OF_CALL);
    case OCT_CLASS_RETURN:
      i = find_return(t, addr);
      return i == OCT_TOPS_NONE ? jump_indirect(c, t, addr, true) : return_from(c, t, i, addr);
    case OCT_CLASS_INDIRECT_JUMP:
      return jump_indirect(c, t, addr, false);
    case OCT_CLASS_COND_BRANCH:
    case OCT_CLASS_DIRECT_JUMP:
      if (!top_of(t)->has_symbol && is_in(top_of(t), addr))
        return is_called(c, addr) && addr != top_of(t)->entry ? replace(c, t, addr) : 0;
      return run_on(c, t, addr);
    default:
      return be_elsewhere(c, t, addr, t->next);
  }
}

/* A handler at addr, on top of the stack that goes on at interrupted. One that was entered at the
 * same place, and whose end was not seen, has ended. */
static int push_trap(oct_calls *c, thread *t, uint64_t addr, uint64_t interrupted,
                     frame_kind kind) {
  int error = 0;
  c->counts.traps++;
  for (frame_kind k = OF_TRAP; k < FRAME_KINDS && !error; k++) {
    uint32_t i = oct_tops_get(&t->rets[k], interrupted), below;
    for (; i != OCT_TOPS_NONE && i && !error; i = below) {
      below = t->frames[i].below_ret;
      if (t->frames[i].entry == addr) error = leave_to(c, t, i);
    }
  }
  return error ? error : push(c, t, addr, interrupted, kind);
}

/* To addr by the traps in between. is_other: another task ran before, which they interrupted. */
static int pass_traps(oct_calls *c, thread *t, const oct_trap *traps, size_t n, uint64_t addr,
                      bool is_other) {
  bool is_back = false, is_pending = true;
  int error = 0;
  for (size_t i = 0; i < n && !error; i++) {
    if (traps[i].kind == OCT_TRAP_PRIVILEGE) {
      is_back = true;
      continue;
    }
    uint64_t at = traps[i].addr && !is_other ? traps[i].addr : t->next;
    if (is_pending && !is_other) error = go_to(c, t, at, is_back);
    bool is_nested = i + 1 < n && traps[i + 1].kind != OCT_TRAP_PRIVILEGE && traps[i + 1].addr;
    uint64_t handler = is_nested ? traps[i + 1].addr : addr;
    if (!error)
      error = push_trap(c, t, handler, at,
                        traps[i].kind == OCT_TRAP_EXCEPTION ? OF_EXCEPTION : OF_TRAP);
    t->cls = OCT_CLASS_OTHER;
    t->next = handler;
    is_pending = is_back = false;
  }
  return error || !is_pending ? error : go_to(c, t, addr, is_back);
}

/* ---- Threads and batches ---- */

static uint32_t *thread_slot(const oct_calls *c, uint32_t task) {
  size_t i = task * UINT32_C(0x9e3779b1) & (c->n_thread_slots - 1);
  while (c->thread_slots[i] && c->threads[c->thread_slots[i] - 1].task != task)
    i = (i + 1) & (c->n_thread_slots - 1);
  return &c->thread_slots[i];
}

static int find_thread(oct_calls *c, uint32_t task, size_t *number) {
  uint32_t *slot = thread_slot(c, task);
  if (*slot) {
    *number = *slot - 1;
    return 0;
  }
  char name[24];
  snprintf(name, sizeof name, "task %" PRIu32, task);
  int64_t location = oct_ev_defs_location(&c->defs, name, strlen(name), "trace", c->n_threads);
  thread *grown = oct_grown(c->threads, &c->threads_room, c->n_threads + 1, sizeof *grown);
  if (location < 0 || !grown) return location < 0 ? (int)location : OCT_ERR_NOMEM;
  c->threads = grown;
  c->threads[c->n_threads] =
      (thread){.task = task, .location = (uint32_t)location, .top_trap = OCT_TOPS_NONE};
  *number = c->n_threads;
  *slot = (uint32_t)++c->n_threads;
  if (2 * c->n_threads < c->n_thread_slots) return 0;
  uint32_t *slots = calloc(2 * c->n_thread_slots, sizeof *slots);
  if (!slots) return OCT_ERR_NOMEM;
  free(c->thread_slots);
  c->thread_slots = slots;
  c->n_thread_slots *= 2;
  for (size_t i = 0; i < c->n_threads; i++) *thread_slot(c, c->threads[i].task) = (uint32_t)i + 1;
  return 0;
}

static bool is_jump(oct_class cls) {
  return cls > OCT_CLASS_OTHER;
}

/* After insn: what its class does to the next one. */
static void pass(const oct_calls *c, thread *t, const oct_insn *insn) {
  oct_class cls = oct_insn_class(insn);
  t->at = insn->addr;
  t->next = insn->addr + insn->size_bytes;
  if (!c->has_delay_slots) {
    t->cls = cls;
  } else if (is_jump(cls) && !is_jump(t->later)) {
    t->cls = OCT_CLASS_OTHER;
    t->later = cls;
  } else {
    t->cls = t->later;
    t->later = OCT_CLASS_OTHER;
  }
}

/* Behind a gap nobody knows which calls and returns there were: the stack is that of its last
 * function that has the address, or a new one. It stays where the program goes on as if nothing
 * had been there. */
static int pass_gap(oct_calls *c, thread *t, uint64_t addr) {
  size_t n = t->n;
  while (n && addr != t->next && !(t->frames[n - 1].has_symbol && is_in(&t->frames[n - 1], addr)))
    n--;
  t->cls = t->later = OCT_CLASS_OTHER;
  int error = leave_to(c, t, n);
  return error || n ? error : enter(c, t, addr, NO_RETURN, OF_CALL);
}

static int step(oct_calls *c, const oct_insn *insn, const oct_trap *traps, size_t n_traps,
                bool is_behind_gap) {
  thread *t = &c->threads[c->current];
  int error = 0;
  bool is_other = c->is_begun && t->task != insn->task;
  if (is_other || !c->is_begun) {
    if (c->is_begun) charge(c, t);
    error = find_thread(c, insn->task, &c->current);
    if (error) return error;
    t = &c->threads[c->current];
    c->since = c->now;
    c->is_begun = true;
  }
  /* A delay slot that is left out, as one of a likely branch is. */
  if (t->n && is_jump(t->later) && insn->addr != t->next && !is_behind_gap) {
    t->cls = t->later;
    t->later = OCT_CLASS_OTHER;
    t->next += 4;
  }
  if (!t->n)
    error = enter(c, t, insn->addr, NO_RETURN, OF_CALL);
  else if (is_behind_gap)
    error = pass_gap(c, t, insn->addr);
  else if (n_traps)
    error = pass_traps(c, t, traps, n_traps, insn->addr, is_other);
  else if (insn->addr != t->next
               ? insn->addr != t->at || is_jump(t->cls)
               : !is_in(top_of(t), insn->addr)) /* x86 repeats a string in place */
    error = go_to(c, t, insn->addr, false);
  pass(c, t, insn);
  return error;
}

int oct_calls_put(oct_calls *c, const oct_batch *batch, const oct_ev_record **records, size_t *n) {
  size_t trap = 0, fact = 0;
  int error = 0;
  c->n_records = 0;
  if (!c->n_insns && batch->n_insns)
    for (size_t i = 0; i < batch->n_insns && !c->has_stamps; i++)
      if (batch->insns[i].flags & OCT_INSN_HAS_CYCLE) {
        c->has_stamps = true;
        c->now = c->since = batch->insns[i].cycle;
      }
  for (size_t i = 0; i < batch->n_insns && !error; i++) {
    const oct_insn *insn = &batch->insns[i];
    size_t first = trap;
    while (trap < batch->n_traps && batch->traps[trap].insn <= i) trap++;
    if (!c->has_stamps)
      c->now = c->n_insns;
    else if (insn->flags & OCT_INSN_HAS_CYCLE)
      c->now = insn->cycle;
    for (; fact < batch->n_facts && batch->facts[fact].insn <= i; fact++)
      c->is_behind_gap |= batch->facts[fact].kind == OCT_FACT_GAP;
    error = step(c, insn, batch->traps + first, trap - first, c->is_behind_gap);
    c->is_behind_gap = false;
    c->n_insns++;
  }
  for (; fact < batch->n_facts; fact++) c->is_behind_gap |= batch->facts[fact].kind == OCT_FACT_GAP;
  *records = c->records;
  *n = c->n_records;
  return error;
}

int oct_calls_end(oct_calls *c, const oct_ev_record **records, size_t *n) {
  int error = 0;
  c->n_records = 0;
  if (!c->has_stamps) c->now = c->n_insns;
  if (c->is_begun) charge(c, &c->threads[c->current]);
  for (size_t i = 0; i < c->n_threads && !error; i++) {
    c->since = c->now;
    error = leave_to(c, &c->threads[i], 0);
  }
  *records = c->records;
  *n = c->n_records;
  return error;
}
