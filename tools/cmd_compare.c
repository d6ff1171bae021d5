/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_compare.c - octrace compare: the differences of two traces of one program, of any formats.
 *
 * Two recordings of a program with several tasks differ in how the tasks take turns. So each task
 * is compared by itself, in a pass of its own over both files. Traces are first compared as they
 * are: at the first sign of a second task, or at the first difference, their tasks are looked for
 * with readers of their own. What can be read only once, as a pipe, is compared as it is. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "oct_cli.h"
#include "oct_insn_lines.h"
#include "oct_report.h"
#include "oct_task_part.h"
#include "oct_trace_diff.h"

const char oct_help_compare[] =
    "Usage: octrace compare [OPTION...] A B\n"
    "List the differences of two traces of one program, each of any format: instructions that "
    "only\n"
    "one of them has, then other fields of instructions that both have. Fields that one trace "
    "never\n"
    "has are not compared, and a note names them.\n\n"
    "      --ignore LIST   do not compare these: sizes, bytes (of instructions), tasks, accesses,\n"
    "                      access-kinds (load, store), access-sizes (one access may also be\n"
    "                      several), values (of accesses), registers, traps, privilege,\n"
    "                      gaps, end (instructions after the end of the other trace)\n"
    "      --in-order      compare also how tasks take turns, instead of each task by itself\n"
    "      --strict        compare also the fields that one trace never has, and values and\n"
    "                      registers that only one of them has\n"
    "      --start ADDR    begin both traces at their first instruction at ADDR; exact:\n"
    "                      instructions before the other trace begins are a difference\n"
    "      --window N      look N instructions ahead for a place from which both go on alike\n"
    "                      (default 4096)\n"
    "      --max N         list N differences (default 10), and count the others\n"
    "      --context N     instructions shown before and after each (default 3)\n"
    "      --json          the differences as JSON\n"
    "      --from-b F, --isa-b I, --insn-bytes-b N, --elf-b FILE[@BIAS], --skip-b N,\n"
    "      --from-sync-b N these options for B\n" OCT_INPUT_HELP
    "--from, --skip and --from-sync are for A only, the other options for both, unless B has its "
    "own.\n"
    "\nExit status: 0 equal, 1 traces differ, 2 wrong command line,\n"
    "4 bad input or input/output failed.\n";

enum {
  OPT_FROM_B = OCT_OPT_OWN,
  OPT_ISA_B,
  OPT_INSN_BYTES_B,
  OPT_ELF_B,
  OPT_SKIP_B,
  OPT_FROM_SYNC_B,
  OPT_IGNORE,
  OPT_STRICT,
  OPT_IN_ORDER,
  OPT_START,
  OPT_WINDOW,
  OPT_MAX,
  OPT_CONTEXT
};
enum { WINDOW_DEFAULT = 4096, WINDOW_MAX = 1 << 20, CONTEXT_DEFAULT = 3, CONTEXT_MAX = 1000 };
enum { LISTED_DEFAULT = 10, LINES_MIN = 10 };

/* What each kind of difference is called, and in the list of --ignore. */
static const struct {
  uint32_t kind;
  const char *name, *text;
} fields[] = {
    {OCT_DIFF_SIZES, "sizes", "sizes of instructions"},
    {OCT_DIFF_BYTES, "bytes", "bytes of instructions"},
    {OCT_DIFF_TASKS, "tasks", "tasks"},
    {OCT_DIFF_ACCESSES, "accesses", "accesses"},
    {OCT_DIFF_ACCESS_KINDS, "access-kinds", "kinds of accesses"},
    {OCT_DIFF_ACCESS_SIZES, "access-sizes", "sizes of accesses"},
    {OCT_DIFF_TRAPS, "traps", "traps"},
    {OCT_DIFF_PRIVILEGE, "privilege", "privilege"},
    {OCT_DIFF_VALUES, "values", "values of accesses"},
    {OCT_DIFF_REGISTERS, "registers", "registers"},
    {OCT_DIFF_GAPS, "gaps", "gaps"},
    {OCT_DIFF_PATH, "instructions", "instructions"},
};
enum { N_FIELDS = sizeof fields / sizeof *fields };
enum { PARTS_OF_ACCESSES = OCT_DIFF_ACCESS_KINDS | OCT_DIFF_ACCESS_SIZES };

typedef struct compare_side {
  const char *path, *name; /* name: as messages show it */
  oct_read_options read;
  uint64_t skip, left;
  oct_reader *reader;
  oct_insn_lines *lines;
  uint64_t n_insns;
  oct_task_list tasks; /* so far, or all of them */
  size_t *partners;    /* of the tasks, in the list of the other trace */
  uint32_t has;        /* fields of the whole trace, once it was read */
  uint32_t task;       /* the one that is compared, if has_task */
  bool has_task;
  oct_task_part *part; /* that task's part, or NULL */
  bool comes_to_start;
  bool is_part_over;
} compare_side;

/* How the traces are compared. */
typedef enum compare_way { AS_THEY_ARE, UNTIL_TASKS, BY_TASK } compare_way;

typedef struct compare_run {
  compare_side of[OCT_DIFF_SIDES];
  oct_trace_diff_options options;
  uint64_t limit, n_listed_max, n_listed;
  bool json, is_in_order;
  json_t *list;
  oct_progress progress;
  compare_way way;
  oct_trace_diff *diff;
  bool is_stopped;              /* on the way UNTIL_TASKS: tasks have to be found first */
  oct_trace_diff_counts counts; /* of all tasks */
} compare_run;

/* ---- reading ---- */

static compare_run *progress_of; /* both readers show one line */

/* The next batch of the whole trace. */
static int next_of_trace(compare_side *s, oct_batch *batch, oct_diag *diag) {
  if (!s->left) return 0;
  int got = oct_reader_next(s->reader, batch, diag);
  if (!got && s->skip && !s->n_insns) return oct_source_skipped_all(s->path, s->skip, diag);
  if (got <= 0) return got;
  oct_batch_cut(batch, s->left);
  s->left -= batch->n_insns;
  s->n_insns += batch->n_insns;
  if (s == &progress_of->of[0])
    oct_progress_update(&progress_of->progress, s->n_insns, oct_reader_bytes_done(s->reader),
                        oct_reader_bytes_total(s->reader));
  return 1;
}

static bool tells_kinds(const void *side) {
  return oct_reader_tells_kinds(((const compare_side *)side)->reader);
}

static int out_of_memory(oct_diag *diag) {
  return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
}

static int open_side(compare_side *s, uint64_t limit, oct_diag *diag) {
  s->name = oct_cli_input_name(s->path);
  s->left = limit ? limit : UINT64_MAX;
  s->n_insns = 0;
  s->is_part_over = false;
  s->read.marks_sizes = 1;
  int error = oct_reader_open(s->path, &s->read, &s->reader, diag);
  if (!error && s->skip) error = oct_reader_skip(s->reader, s->skip, diag);
  if (!error && s->has_task && !(s->part = oct_task_part_new(s->task))) error = out_of_memory(diag);
  if (!error && !s->lines && !(s->lines = oct_insn_lines_new(&s->read)))
    error = oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  return error;
}

static void close_side(compare_side *s) {
  oct_reader_close(s->reader);
  s->reader = NULL;
  oct_task_part_free(s->part);
  s->part = NULL;
}

/* What is to be said of a trace that was read. */
static void tell_input(const compare_side *s) {
  oct_cli_tell_gaps(s->path, s->reader);
  oct_cli_tell_input(s->path, s->reader);
  oct_cli_tell_program(s->reader, s->n_insns);
}

/* ---- tasks ---- */

static bool can_be_read_again(const char *path) {
  struct stat st;
  return strcmp(path, "-") != 0 && !stat(path, &st) && (S_ISREG(st.st_mode) || S_ISDIR(st.st_mode));
}

/* Read the whole trace for its tasks, and for which fields it has. */
static int find_tasks_of(compare_run *r, compare_side *s, oct_diag *diag) {
  oct_batch batch;
  int got = 0, error = open_side(s, r->limit, diag);
  while (!error && (got = next_of_trace(s, &batch, diag)) > 0) {
    s->has = oct_trace_diff_see(s->has, &batch, tells_kinds(s));
    for (size_t i = 0; i < batch.n_insns && !s->comes_to_start; i++)
      s->comes_to_start = batch.insns[i].addr == r->options.start_addr;
    if (oct_task_list_add(&s->tasks, &batch)) error = out_of_memory(diag);
  }
  return error ? error : got;
}

/* Say which tasks were taken for the same, where their numbers do not. */
static void tell_partners(const compare_run *r) {
  char text[300];
  size_t n = 0;
  const compare_side *a = &r->of[0], *b = &r->of[1];
  for (size_t i = 0; i < a->tasks.n && n < sizeof text; i++)
    if (a->partners[i] != SIZE_MAX && a->tasks.tasks[i] != b->tasks.tasks[a->partners[i]])
      n += (size_t)snprintf(text + n, sizeof text - n, "%s%" PRIu32 " is %" PRIu32, n ? ", " : "",
                            a->tasks.tasks[i], b->tasks.tasks[a->partners[i]]);
  oct_cli_error(0, "note: %s: tasks are the same in the order of their first instructions: %s%s",
                b->name, text, n < sizeof text ? "" : " ...");
}

static bool have_several(const oct_task_list *a, const oct_task_list *b) {
  if (a->n > 1) return b->n > 1;
  return a->n && a->tasks[0] && b->n == 1 && b->tasks[0] && a->tasks[0] != b->tasks[0];
}

/* Find the tasks of both traces, and stop if they are compared one by one. A trace that cannot be
 * read to its end is compared as it is. 0 or OCT_ERR_NOMEM. */
static int find_tasks(compare_run *r, oct_diag *diag) {
  compare_side scans[OCT_DIFF_SIDES] = {{0}};
  int error = 0;
  r->way = AS_THEY_ARE;
  for (unsigned s = 0; s < OCT_DIFF_SIDES && !error; s++) {
    scans[s] = (compare_side){.path = r->of[s].path, .read = r->of[s].read, .skip = r->of[s].skip};
    error = find_tasks_of(r, &scans[s], diag);
    const oct_task_list *first = &scans[0].tasks;
    if (!error && first->n < 2 && !(first->n && first->tasks[0])) break;
  }
  r->is_stopped = !error && have_several(&scans[0].tasks, &scans[1].tasks);
  for (unsigned s = 0; s < OCT_DIFF_SIDES; s++) {
    compare_side *of = &r->of[s];
    if (r->is_stopped) {
      tell_input(&scans[s]);
      oct_task_list_free(&of->tasks);
      of->tasks = scans[s].tasks;
      scans[s].tasks = (oct_task_list){0};
      of->has = scans[s].has;
      of->comes_to_start = scans[s].comes_to_start;
      of->partners = malloc(of->tasks.n * sizeof *of->partners);
      if (!of->partners) error = out_of_memory(diag);
    }
    oct_task_list_free(&scans[s].tasks);
    oct_insn_lines_free(scans[s].lines);
    if (scans[s].reader) close_side(&scans[s]);
  }
  r->is_stopped = r->is_stopped && !error;
  if (!r->is_stopped) return error == OCT_ERR_NOMEM ? error : 0;
  if (!oct_task_list_match(&r->of[0].tasks, &r->of[1].tasks, r->of[0].partners, r->of[1].partners))
    tell_partners(r);
  return 0;
}

/* The next batch of what is compared. */
static int next_batch(void *context, oct_batch *batch, oct_diag *diag) {
  compare_side *s = context;
  compare_run *r = progress_of;
  oct_batch whole;
  if (r->way == BY_TASK && (!s->has_task || s->is_part_over)) return 0;
  int got = next_of_trace(s, r->way == BY_TASK ? &whole : batch, diag);
  if (got < 0) return got;
  if (r->way == BY_TASK) {
    const uint64_t passed = oct_trace_diff_get_counts(r->diff)->insns[s - r->of];
    if (passed > r->options.context_insns)
      oct_task_part_forget(s->part, passed - r->options.context_insns);
    s->is_part_over = !got;
    return oct_task_part_put(s->part, got ? &whole : NULL, batch) ? out_of_memory(diag) : 1;
  }
  if (r->way == UNTIL_TASKS && got) {
    if (oct_task_list_add(&s->tasks, batch)) return out_of_memory(diag);
    if (s->tasks.n > 1 && (got = find_tasks(r, diag)) == 0) got = r->is_stopped ? OCT_ERR_ARG : 1;
  }
  return got;
}

/* The number in its trace of an instruction that is compared. */
static uint64_t number_of(const compare_run *r, unsigned s, uint64_t at) {
  const compare_side *side = &r->of[s];
  return r->way != BY_TASK ? at
         : side->part      ? oct_task_part_number(side->part, at) + side->skip
                           : 0;
}

/* ---- a difference as text ---- */

static const char marks[OCT_DIFF_SIDES] = {'-', '+'};

/* Registers before a place that the other trace has otherwise, or, if that is compared, not. */
static void print_registers(const compare_run *r, const oct_trace_diff_insn *v,
                            const oct_trace_diff_insn *other, unsigned s) {
  const int isa = oct_isa_by_name(oct_reader_info(r->of[s].reader)->isa);
  char name[OCT_REGISTER_NAME_BYTES] = "";
  for (size_t i = 0; i < v->n_registers; i++) {
    const oct_trace_diff_register *a = &v->registers[i];
    const oct_trace_diff_register *b =
        oct_trace_diff_find_register(other->registers, other->n_registers, a->number);
    if (a != oct_trace_diff_find_register(v->registers, v->n_registers, a->number)) continue;
    if (b ? a->n_bytes == b->n_bytes && !memcmp(a->bytes, b->bytes, a->n_bytes)
          : !r->options.is_strict)
      continue;
    if (isa >= 0) oct_isa_register_name((oct_isa)isa, a->number, name);
    printf("%c %10s  !register %s=0x", marks[s], "", name);
    for (unsigned k = a->n_bytes; k; k--) printf("%02x", a->bytes[k - 1]);
    putchar('\n');
  }
}

static void print_insn(compare_run *r, oct_trace_diff *d, unsigned s, uint64_t at, char mark) {
  oct_trace_diff_insn v;
  if (!oct_trace_diff_look(d, s, at, &v)) return;
  for (size_t i = 0; i < v.n_traps; i++) {
    printf("%c %10s  ", mark, "");
    oct_insn_lines_trap(stdout, &v.traps[i]);
    putchar('\n');
  }
  if (!v.insn) return;
  printf("%c %10" PRIu64 "  ", mark, number_of(r, s, at));
  oct_insn_lines_values(r->of[s].lines, oct_reader_info(r->of[s].reader)->isa, v.values);
  oct_insn_lines_print(stdout, r->of[s].lines, v.insn, v.accesses, v.entry);
  if (v.insn->task) printf("  T:%" PRIu32, v.insn->task);
  putchar('\n');
}

static void print_differing(compare_run *r, oct_trace_diff *d, const oct_trace_difference *f) {
  oct_trace_diff_insn v[OCT_DIFF_SIDES];
  const uint64_t context = r->options.context_insns;
  const uint64_t n_lines = 2 * context < LINES_MIN ? LINES_MIN : 2 * context;
  for (unsigned s = 0; s < OCT_DIFF_SIDES; s++) oct_trace_diff_look(d, s, f->at[s], &v[s]);
  for (unsigned s = 0; s < OCT_DIFF_SIDES; s++) {
    const uint64_t n = f->n[s] > n_lines ? n_lines : f->n[s];
    if (f->kinds & OCT_DIFF_REGISTERS) print_registers(r, &v[s], &v[!s], s);
    for (uint64_t i = 0; i < n; i++) print_insn(r, d, s, f->at[s] + i, marks[s]);
    if (!f->n[s] && !(f->kinds & OCT_DIFF_PATH)) print_insn(r, d, s, f->at[s], marks[s]);
    if (f->n[s] > n && f->is_end)
      printf("%c %10s\n", marks[s], "...");
    else if (f->n[s] > n)
      printf("%c %10s  %" PRIu64 " more instruction%s\n", marks[s], "...", f->n[s] - n,
             OCT_S(f->n[s] - n));
  }
}

static void print_kinds(const compare_run *r, const oct_trace_difference *f) {
  const compare_side *of = r->of;
  if (r->way == BY_TASK && of[0].has_task != of[1].has_task) {
    printf("only %c has task %" PRIu32, marks[of[1].has_task], of[of[1].has_task].task);
  } else if (f->is_end) {
    printf("%c ends, %c goes on", marks[f->n[0] != 0], marks[f->n[0] == 0]);
  } else if (f->is_lost) {
    printf("no place within %" PRIu64 " instructions from which both go on alike",
           f->n[0] > f->n[1] ? f->n[0] : f->n[1]);
    const uint64_t window = r->options.window_insns;
    if (window < WINDOW_MAX)
      printf(": the rest is not compared (--window %" PRIu64 " looks farther)",
             window < WINDOW_MAX / 16 ? 16 * window : WINDOW_MAX);
    else
      printf(": the rest is not compared");
  } else if (f->kinds & OCT_DIFF_PATH) {
    for (unsigned s = 0; s < OCT_DIFF_SIDES; s++)
      if (f->n[s])
        printf("%s%" PRIu64 " instruction%s only in %c", s && f->n[0] ? ", " : "", f->n[s],
               OCT_S(f->n[s]), marks[s]);
  } else {
    const char *before = "other ";
    for (unsigned k = 0; k < N_FIELDS; k++)
      if (f->kinds & fields[k].kind) {
        printf("%s%s", before, fields[k].text);
        before = ", ";
      }
  }
}

static void print_sizes(oct_trace_diff *d, const oct_trace_difference *f) {
  oct_trace_diff_insn v[OCT_DIFF_SIDES];
  for (unsigned s = 0; s < OCT_DIFF_SIDES; s++)
    if (!oct_trace_diff_look(d, s, f->at[s], &v[s]) || !v[s].insn) return;
  printf(" (%u and %u bytes)", v[0].insn->size_bytes, v[1].insn->size_bytes);
}

static void print_difference(compare_run *r, oct_trace_diff *d, const oct_trace_difference *f) {
  const uint64_t context = r->options.context_insns;
  if (!r->n_listed)
    printf("- %s\n+ %s\n", oct_cli_shown(r->of[0].name).text, oct_cli_shown(r->of[1].name).text);
  printf("\n%" PRIu64 ": at instruction %" PRIu64 " of -, %" PRIu64 " of +: ", r->n_listed + 1,
         number_of(r, 0, f->at[0]), number_of(r, 1, f->at[1]));
  print_kinds(r, f);
  if (f->kinds & OCT_DIFF_SIZES) print_sizes(d, f);
  putchar('\n');
  for (uint64_t i = context; i > 0; i--)
    if (f->at[0] >= i) print_insn(r, d, 0, f->at[0] - i, ' ');
  print_differing(r, d, f);
  for (uint64_t i = 0; !f->is_lost && !f->is_end && i < context; i++)
    print_insn(r, d, 0, f->at[0] + f->n[0] + i, ' ');
}

static void add_difference(compare_run *r, const oct_trace_difference *f) {
  json_t *o = json_object(), *kinds = json_array();
  for (unsigned k = 0; k < N_FIELDS; k++)
    if (f->kinds & fields[k].kind) json_array_append_new(kinds, json_string(fields[k].name));
  json_object_set_new(o, "kinds", kinds);
  json_object_set_new(o, "at_a", json_integer((json_int_t)number_of(r, 0, f->at[0])));
  json_object_set_new(o, "at_b", json_integer((json_int_t)number_of(r, 1, f->at[1])));
  const uint64_t only_a = f->kinds & OCT_DIFF_PATH ? f->n[0] : 0;
  const uint64_t only_b = f->kinds & OCT_DIFF_PATH ? f->n[1] : 0;
  json_object_set_new(o, "only_a",
                      f->is_end && only_a ? json_null() : json_integer((json_int_t)only_a));
  json_object_set_new(o, "only_b",
                      f->is_end && only_b ? json_null() : json_integer((json_int_t)only_b));
  if (r->way == BY_TASK) {
    const compare_side *a = &r->of[0], *b = &r->of[1];
    json_object_set_new(o, "task_a", a->has_task ? json_integer(a->task) : json_null());
    json_object_set_new(o, "task_b", b->has_task ? json_integer(b->task) : json_null());
  }
  json_object_set_new(o, "resynchronised", json_boolean(!f->is_lost && !f->is_end));
  json_array_append_new(r->list, o);
}

/* ---- the end ---- */

static void note_start(const compare_run *r, const oct_trace_diff_counts *c) {
  for (unsigned s = 0; s < OCT_DIFF_SIDES; s++)
    if (c->before[s])
      oct_cli_error(0, "note: %s: %" PRIu64 " instruction%s before the start of the comparison",
                    r->of[s].name, c->before[s], OCT_S(c->before[s]));
  for (unsigned s = 0; s < OCT_DIFF_SIDES; s++)
    if (c->after[s])
      oct_cli_error(0, "note: %s: %" PRIu64 " instruction%s after the end of the comparison",
                    r->of[s].name, c->after[s], OCT_S(c->after[s]));
}

/* Say what only one of them has. */
static void note_lacking(const compare_run *r, const uint32_t *has) {
  for (unsigned s = 0; s < OCT_DIFF_SIDES && !r->options.is_strict; s++) {
    const uint32_t lacks = has[!s] & ~has[s] & r->options.fields;
    const bool has_bytes = has[0] & has[1] & OCT_DIFF_BYTES;
    char list[200] = "";
    size_t n = 0;
    for (unsigned k = 0; k < N_FIELDS; k++) {
      const bool is_part =
          fields[k].kind & (PARTS_OF_ACCESSES | OCT_DIFF_VALUES) && lacks & OCT_DIFF_ACCESSES;
      const bool is_implied = fields[k].kind == OCT_DIFF_SIZES && has_bytes;
      if (!(lacks & fields[k].kind) || is_part || is_implied) continue;
      n += (size_t)snprintf(list + n, sizeof list - n, "%s%s", n ? ", " : "", fields[k].text);
    }
    if (n)
      oct_cli_error(0, "note: %s: not compared, as this trace has none: %s", r->of[s].name, list);
  }
}

/* Say how many sizes, values and registers only one of them has, where both have some. */
static void note_unknown(const compare_run *r, const oct_trace_diff_counts *c,
                         const uint32_t *has) {
  const uint32_t both = r->options.is_strict ? 0 : has[0] & has[1] & r->options.fields;
  for (unsigned s = 0; s < OCT_DIFF_SIDES; s++) {
    const struct {
      uint32_t is_compared;
      const char *what;
      uint64_t n;
      const char *of;
    } unknown[] = {
        {both & OCT_DIFF_BYTES ? 0 : both & OCT_DIFF_SIZES, "size", c->unsized[s], "instruction"},
        {both & OCT_DIFF_VALUES, "value", c->unvalued[s], "access"},
        {both & OCT_DIFF_REGISTERS, "content", c->untold[s], "register"}};
    for (unsigned k = 0; k < sizeof unknown / sizeof *unknown; k++)
      if (unknown[k].is_compared && unknown[k].n)
        oct_cli_error(0,
                      "note: %s: not compared, as this trace has it not everywhere: %s of %" PRIu64
                      " %s%s",
                      r->of[s].name, unknown[k].what, unknown[k].n, unknown[k].of,
                      k == 1 ? OCT_ES(unknown[k].n) : OCT_S(unknown[k].n));
  }
}

/* Say whose first accesses or traps came too late: a difference that has no place. */
static void note_late(const compare_run *r, const oct_trace_diff_counts *c, const uint32_t *has) {
  const uint32_t both = has[0] & has[1];
  for (unsigned s = 0; s < OCT_DIFF_SIDES; s++) {
    if (both & OCT_DIFF_ACCESSES && c->early_accesses[s])
      oct_cli_error(0, "note: %s: no accesses where %s has its first %" PRIu64, r->of[!s].name,
                    r->of[s].name, c->early_accesses[s]);
    if (both & OCT_DIFF_TRAPS && c->early_traps[s])
      oct_cli_error(0, "note: %s: no traps where %s has its first %" PRIu64, r->of[!s].name,
                    r->of[s].name, c->early_traps[s]);
  }
}

/* How many differences of which kind there are. */
static int sum_up(const compare_run *r, const oct_trace_diff_counts *c) {
  char text[600];
  const size_t size = sizeof text;
  if (!c->differences) {
    const uint64_t accesses = c->accesses[0] < c->accesses[1] ? c->accesses[0] : c->accesses[1];
    if (!r->json)
      printf("%s and %s: %s equal\n", oct_cli_shown(r->of[0].name).text,
             oct_cli_shown(r->of[1].name).text, oct_cli_counts(c->equal_insns, accesses).text);
    return OCT_EXIT_OK;
  }
  size_t n = (size_t)snprintf(
      text, size, "%" PRIu64 " difference%s, %" PRIu64 " instruction%s equal", c->differences,
      OCT_S(c->differences), c->equal_insns, OCT_S(c->equal_insns));
  for (unsigned s = 0; s < OCT_DIFF_SIDES; s++)
    if (c->only[s])
      n += (size_t)snprintf(text + n, size - n, "; %" PRIu64 " only in %s", c->only[s],
                            s ? "the second" : "the first");
  if (c->uncompared[0] || c->uncompared[1])
    n += (size_t)snprintf(text + n, size - n, "; not compared: the last %" PRIu64 " and %" PRIu64,
                          c->uncompared[0], c->uncompared[1]);
  for (unsigned k = 0; k < N_FIELDS; k++)
    if (c->of_kind[k] && fields[k].kind != OCT_DIFF_PATH)
      n += (size_t)snprintf(text + n, size - n, "; %" PRIu64 " with other %s", c->of_kind[k],
                            fields[k].text);
  return oct_cli_error(OCT_EXIT_DIFFER, "%s and %s: %s", r->of[0].name, r->of[1].name, text);
}

static int print_json(const compare_run *r, const oct_trace_diff_counts *c) {
  json_t *o = json_object(), *kinds = json_object();
  for (unsigned k = 0; k < N_FIELDS; k++)
    if (!(fields[k].kind & PARTS_OF_ACCESSES))
      json_object_set_new(kinds, fields[k].name, json_integer((json_int_t)c->of_kind[k]));
  json_object_set_new(o, "a", oct_report_string(r->of[0].name));
  json_object_set_new(o, "b", oct_report_string(r->of[1].name));
  json_object_set_new(o, "equal", json_boolean(!c->differences));
  json_object_set_new(o, "instructions_equal", json_integer((json_int_t)c->equal_insns));
  json_object_set_new(o, "instructions_a", json_integer((json_int_t)c->insns[0]));
  json_object_set_new(o, "instructions_b", json_integer((json_int_t)c->insns[1]));
  json_object_set_new(o, "before_start_a", json_integer((json_int_t)c->before[0]));
  json_object_set_new(o, "before_start_b", json_integer((json_int_t)c->before[1]));
  json_object_set_new(o, "only_a", json_integer((json_int_t)c->only[0]));
  json_object_set_new(o, "only_b", json_integer((json_int_t)c->only[1]));
  json_object_set_new(o, "not_compared_a", json_integer((json_int_t)c->uncompared[0]));
  json_object_set_new(o, "not_compared_b", json_integer((json_int_t)c->uncompared[1]));
  json_object_set_new(o, "differences", json_integer((json_int_t)c->differences));
  json_object_set_new(o, "of_kind", kinds);
  json_object_set(o, "list", r->list);
  return oct_report_print(o);
}

static int find_differences(compare_run *r, oct_trace_diff *d, oct_diag *diag) {
  oct_trace_difference f;
  int got;
  while ((got = oct_trace_diff_next(d, &f, diag)) > 0) {
    if (r->way == UNTIL_TASKS && (got = find_tasks(r, diag)) != 0) return got;
    if (r->is_stopped) return 0;
    if ((f.is_start && !r->options.is_exact_start) || r->n_listed == r->n_listed_max) continue;
    oct_progress_end(&r->progress);
    if (r->json)
      add_difference(r, &f);
    else
      print_difference(r, d, &f);
    r->n_listed++;
    for (unsigned s = 0; s < OCT_DIFF_SIDES; s++) {
      int error = oct_insn_lines_error(r->of[s].lines, diag);
      if (error) return error;
    }
    if (ferror(stdout)) return 0; /* reported at the end */
  }
  return got;
}

/* All that is said after the list. The exit code. */
static int tell_end(const compare_run *r, const uint32_t *has) {
  const oct_trace_diff_counts *c = &r->counts;
  int code = r->json ? print_json(r, c) : OCT_EXIT_OK;
  fflush(stdout); /* before the lines of standard error */
  if (code != OCT_EXIT_OK) return code;
  note_start(r, c);
  note_lacking(r, has);
  note_unknown(r, c, has);
  note_late(r, c, has);
  return sum_up(r, c);
}

/* Add the counts of a task. */
static void add_counts(oct_trace_diff_counts *sum, const oct_trace_diff_counts *c) {
  for (unsigned s = 0; s < OCT_DIFF_SIDES; s++) {
    sum->insns[s] += c->insns[s];
    sum->accesses[s] += c->accesses[s];
    sum->only[s] += c->only[s];
    sum->before[s] += c->before[s];
    sum->after[s] += c->after[s];
    sum->early_accesses[s] += c->early_accesses[s];
    sum->early_traps[s] += c->early_traps[s];
    sum->unsized[s] += c->unsized[s];
    sum->unvalued[s] += c->unvalued[s];
    sum->untold[s] += c->untold[s];
    sum->uncompared[s] += c->uncompared[s];
  }
  for (unsigned k = 0; k < OCT_DIFF_KINDS; k++) sum->of_kind[k] += c->of_kind[k];
  sum->equal_insns += c->equal_insns;
  sum->differences += c->differences;
}

/* Compare what the way says, of both traces. *at: which one an error is about. */
static int compare_once(compare_run *r, uint32_t *has, unsigned *at, oct_diag *diag) {
  oct_trace_diff_input inputs[OCT_DIFF_SIDES];
  int error = 0;
  for (unsigned s = 0; s < OCT_DIFF_SIDES && !error; s++) {
    *at = s;
    close_side(&r->of[s]);
    error = open_side(&r->of[s], r->limit, diag);
    if (error) break;
    inputs[s] = (oct_trace_diff_input){.next = next_batch,
                                       .context = &r->of[s],
                                       .first_insn = r->way == BY_TASK ? 0 : r->of[s].skip,
                                       .tells_kinds = tells_kinds,
                                       .has = r->of[s].has};
  }
  oct_trace_diff *d = r->diff = error ? NULL : oct_trace_diff_new(inputs, &r->options);
  if (!error && !d) error = out_of_memory(diag);
  if (!error && (error = find_differences(r, d, diag))) *at = oct_trace_diff_failed(d);
  if (!error && !r->is_stopped) {
    add_counts(&r->counts, oct_trace_diff_get_counts(d));
    for (unsigned s = 0; s < OCT_DIFF_SIDES; s++) has[s] = oct_trace_diff_has(d, s);
  }
  oct_trace_diff_free(d);
  return error;
}

/* Compare task number i of trace s, and its partner. */
static int compare_task(compare_run *r, unsigned s, size_t i, uint32_t *has, unsigned *at,
                        oct_diag *diag) {
  compare_side *one = &r->of[s], *other = &r->of[!s];
  const size_t partner = one->partners[i];
  one->has_task = true;
  one->task = one->tasks.tasks[i];
  other->has_task = partner != SIZE_MAX;
  if (other->has_task) other->task = other->tasks.tasks[partner];
  int error = compare_once(r, has, at, diag);
  if (error != OCT_ERR_ARG || !r->options.has_start) return error;
  r->options.has_start = false; /* this task does not come there */
  error = compare_once(r, has, at, &(oct_diag){0});
  r->options.has_start = true;
  return error;
}

static int compare_tasks(compare_run *r, uint32_t *has, unsigned *at, oct_diag *diag) {
  int error = 0;
  if (r->options.has_start && !(r->of[0].comes_to_start && r->of[1].comes_to_start))
    return compare_once(r, has, at, diag); /* which says so */
  r->way = BY_TASK;
  r->options.fields &= ~(uint32_t)OCT_DIFF_TASKS;
  for (size_t i = 0; i < r->of[0].tasks.n && !error; i++)
    error = compare_task(r, 0, i, has, at, diag);
  for (size_t i = 0; i < r->of[1].tasks.n && !error; i++)
    if (r->of[1].partners[i] == SIZE_MAX) error = compare_task(r, 1, i, has, at, diag);
  return error;
}

static int compare(compare_run *r) {
  oct_diag diag = {0};
  uint32_t has[OCT_DIFF_SIDES] = {0};
  unsigned at = 0;
  progress_of = r;
  oct_progress_start(&r->progress, "compare");
  r->progress.limit = r->limit;
  if (!r->is_in_order && can_be_read_again(r->of[0].path) && can_be_read_again(r->of[1].path))
    r->way = UNTIL_TASKS;
  int error = compare_once(r, has, &at, &diag);
  const bool is_by_task = r->is_stopped;
  r->is_stopped = false;
  if (is_by_task) error = compare_tasks(r, has, &at, &diag);
  oct_progress_end(&r->progress);
  for (unsigned s = 0; s < OCT_DIFF_SIDES && !is_by_task; s++)
    if (r->of[s].reader) tell_input(&r->of[s]);
  if (error) fflush(stdout);
  int code = error ? oct_cli_diag(r->of[at].path, &diag) : tell_end(r, has);
  for (unsigned s = 0; s < OCT_DIFF_SIDES; s++) {
    close_side(&r->of[s]);
    oct_insn_lines_free(r->of[s].lines);
    oct_task_list_free(&r->of[s].tasks);
    free(r->of[s].partners);
  }
  return code;
}

/* ---- the command line ---- */

/* NAME,...: fields that are not compared. */
static int ignore(compare_run *r, const char *list) {
  for (const char *p = list; *p; p += *p == ',') {
    const size_t n = strcspn(p, ",");
    unsigned k = 0;
    while (k + 1 < N_FIELDS && (strlen(fields[k].name) != n || strncmp(fields[k].name, p, n) != 0))
      k++;
    if (k + 1 < N_FIELDS)
      r->options.fields &= ~fields[k].kind;
    else if (n == 3 && !strncmp(p, "end", n))
      r->options.is_open_end = true;
    else
      return oct_cli_usage(
          "compare",
          "cannot ignore '%.*s': expected sizes, bytes, tasks, accesses, "
          "access-kinds, access-sizes, values, registers, traps, privilege, gaps or end",
          (int)n, p);
    p += n;
  }
  return 0;
}

/* An option of one trace. */
static int side_arg(compare_side *s, int c, char *value) {
  switch (c) {
    case OPT_FROM_B:
      return oct_cli_read_format(&s->read, "compare", value);
    case OPT_SKIP_B:
      return oct_cli_skip("compare", value, &s->skip);
    case OPT_FROM_SYNC_B:
      return oct_cli_read_arg(&s->read, "compare", OCT_OPT_FROM_SYNC, value);
    case OPT_ISA_B:
      return oct_cli_read_arg(&s->read, "compare", OCT_OPT_ISA, value);
    case OPT_INSN_BYTES_B:
      return oct_cli_read_arg(&s->read, "compare", OCT_OPT_INSN_BYTES, value);
    default:
      return oct_cli_read_arg(&s->read, "compare", OCT_OPT_ELF, value);
  }
}

static int compare_arg(compare_run *r, int c, char *value) {
  uint64_t number = 0;
  int code;
  switch (c) {
    case OPT_IGNORE:
      return ignore(r, value);
    case OPT_STRICT:
      r->options.is_strict = true;
      return 0;
    case OPT_IN_ORDER:
      r->is_in_order = true;
      return 0;
    case OPT_START:
      if (!strcmp(value, "exact")) {
        r->options.is_exact_start = true;
        return 0;
      }
      r->options.has_start = true;
      if (oct_cli_number(value, UINT64_MAX, &r->options.start_addr)) return 0;
      return oct_cli_usage("compare", "--start '%s': expected an address (0x80000000) or exact",
                           value);
    case OPT_WINDOW:
      code = oct_cli_range("compare", "--window", value, 1, WINDOW_MAX, &number);
      r->options.window_insns = (size_t)number;
      return code;
    case OPT_CONTEXT:
      code = oct_cli_range("compare", "--context", value, 0, CONTEXT_MAX, &number);
      r->options.context_insns = (size_t)number;
      return code;
    case OPT_MAX:
      return oct_cli_range("compare", "--max", value, 0, UINT64_MAX, &r->n_listed_max);
    case OCT_OPT_JSON:
      r->json = true;
      return 0;
    case OCT_OPT_LIMIT:
      return oct_cli_limit("compare", value, &r->limit);
    case OCT_OPT_SKIP:
      return oct_cli_skip("compare", value, &r->of[0].skip);
    case OCT_OPT_FORMAT:
      return oct_cli_read_format(&r->of[0].read, "compare", value);
    default:
      return c >= OPT_FROM_B ? side_arg(&r->of[1], c, value)
                             : oct_cli_read_arg(&r->of[0].read, "compare", c, value);
  }
}

/* What B does not have of its own it takes from A. */
static void complete_b(compare_run *r) {
  const oct_read_options *a = &r->of[0].read;
  oct_read_options *b = &r->of[1].read;
  if (!b->elf) {
    b->elf = a->elf;
    b->elf_bias = a->elf_bias;
    b->n_more = a->n_more;
    memcpy(b->more, a->more, sizeof b->more);
  }
  if (!b->isa) b->isa = a->isa;
  if (!b->insn_bytes) b->insn_bytes = a->insn_bytes;
  b->map_max = a->map_max;
}

int oct_cmd_compare(int argc, char **argv) {
  static const struct option options[] = {
      {"from", required_argument, NULL, OCT_OPT_FORMAT},
      OCT_READ_OPTIONS,
      {"limit", required_argument, NULL, OCT_OPT_LIMIT},
      {"skip", required_argument, NULL, OCT_OPT_SKIP},
      {"json", no_argument, NULL, OCT_OPT_JSON},
      {"from-b", required_argument, NULL, OPT_FROM_B},
      {"isa-b", required_argument, NULL, OPT_ISA_B},
      {"insn-bytes-b", required_argument, NULL, OPT_INSN_BYTES_B},
      {"elf-b", required_argument, NULL, OPT_ELF_B},
      {"skip-b", required_argument, NULL, OPT_SKIP_B},
      {"from-sync-b", required_argument, NULL, OPT_FROM_SYNC_B},
      {"ignore", required_argument, NULL, OPT_IGNORE},
      {"strict", no_argument, NULL, OPT_STRICT},
      {"in-order", no_argument, NULL, OPT_IN_ORDER},
      {"start", required_argument, NULL, OPT_START},
      {"window", required_argument, NULL, OPT_WINDOW},
      {"max", required_argument, NULL, OPT_MAX},
      {"context", required_argument, NULL, OPT_CONTEXT},
      {NULL, 0, NULL, 0}};
  compare_run r = {.options = {.fields = OCT_DIFF_FIELDS,
                               .window_insns = WINDOW_DEFAULT,
                               .context_insns = CONTEXT_DEFAULT},
                   .n_listed_max = LISTED_DEFAULT};
  int c;
  while ((c = oct_cli_getopt("compare", argc, argv, "", options)) != -1) {
    int code = compare_arg(&r, c, optarg);
    if (code) return code;
  }
  if (optind + 2 != argc) return oct_cli_usage("compare", "two traces are needed");
  if (!strcmp(argv[optind], "-") && !strcmp(argv[optind + 1], "-"))
    return oct_cli_usage("compare", "standard input can be only one of the two traces");
  complete_b(&r);
  for (unsigned s = 0; s < OCT_DIFF_SIDES; s++) r.of[s].path = argv[optind + (int)s];
  if (r.json) r.list = json_array();
  int code = compare(&r);
  json_decref(r.list);
  return code;
}
