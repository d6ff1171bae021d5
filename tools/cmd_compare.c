/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_compare.c - octrace compare: the differences of two traces of one program, of any formats. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "oct_cli.h"
#include "oct_insn_lines.h"
#include "oct_report.h"
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
    "                      several), traps, privilege, end (instructions after the end of the\n"
    "                      other trace)\n"
    "      --strict        compare also the fields that one trace never has\n"
    "      --start ADDR    begin both traces at their first instruction at ADDR; exact:\n"
    "                      instructions before the other trace begins are a difference\n"
    "      --window N      look N instructions ahead for a place from which both go on alike\n"
    "                      (default 4096)\n"
    "      --max N         list N differences (default 10), and count the others\n"
    "      --context N     instructions shown before and after each (default 3)\n"
    "      --json          the differences as JSON\n"
    "      --from-b F, --isa-b I, --insn-bytes-b N, --elf-b FILE[@BIAS], --skip-b N\n"
    "                      these options for B\n" OCT_INPUT_HELP
    "--from and --skip are for A only, the other options for both, unless B has its own.\n"
    "\nExit status: 0 equal, 1 traces differ, 2 wrong command line,\n"
    "4 bad input or input/output failed.\n";

enum {
  OPT_FROM_B = OCT_OPT_OWN,
  OPT_ISA_B,
  OPT_INSN_BYTES_B,
  OPT_ELF_B,
  OPT_SKIP_B,
  OPT_IGNORE,
  OPT_STRICT,
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
} compare_side;

typedef struct compare_run {
  compare_side of[OCT_DIFF_SIDES];
  oct_trace_diff_options options;
  uint64_t limit, n_listed_max, n_listed;
  bool json;
  json_t *list;
  oct_progress progress;
} compare_run;

/* ---- reading ---- */

static compare_run *progress_of; /* both readers show one line */

static int next_batch(void *context, oct_batch *batch, oct_diag *diag) {
  compare_side *s = context;
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

static int open_side(compare_side *s, uint64_t limit, oct_diag *diag) {
  s->name = oct_cli_input_name(s->path);
  s->left = limit ? limit : UINT64_MAX;
  int error = oct_reader_open(s->path, &s->read, &s->reader, diag);
  if (!error && s->skip) error = oct_reader_skip(s->reader, s->skip, diag);
  if (!error && !(s->lines = oct_insn_lines_new(&s->read)))
    error = oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  return error;
}

static void close_side(compare_side *s) {
  oct_insn_lines_free(s->lines);
  oct_reader_close(s->reader);
}

/* ---- a difference as text ---- */

static const char marks[OCT_DIFF_SIDES] = {'-', '+'};

static void print_insn(compare_run *r, const oct_trace_diff *d, unsigned s, uint64_t at,
                       char mark) {
  oct_trace_diff_insn v;
  if (!oct_trace_diff_look(d, s, at, &v)) return;
  for (size_t i = 0; i < v.n_traps; i++) {
    printf("%c %10s  ", mark, "");
    oct_insn_lines_trap(&v.traps[i]);
    putchar('\n');
  }
  if (!v.insn) return;
  printf("%c %10" PRIu64 "  ", mark, at);
  oct_insn_lines_print(r->of[s].lines, v.insn, v.accesses, v.entry);
  if (v.insn->task) printf("  T:%" PRIu32, v.insn->task);
  putchar('\n');
}

static void print_differing(compare_run *r, const oct_trace_diff *d,
                            const oct_trace_difference *f) {
  const uint64_t context = r->options.context_insns;
  const uint64_t n_lines = 2 * context < LINES_MIN ? LINES_MIN : 2 * context;
  for (unsigned s = 0; s < OCT_DIFF_SIDES; s++) {
    const uint64_t n = f->n[s] > n_lines ? n_lines : f->n[s];
    for (uint64_t i = 0; i < n; i++) print_insn(r, d, s, f->at[s] + i, marks[s]);
    if (!f->n[s] && !(f->kinds & OCT_DIFF_PATH)) print_insn(r, d, s, f->at[s], marks[s]);
    if (f->n[s] > n && f->is_end)
      printf("%c %10s\n", marks[s], "...");
    else if (f->n[s] > n)
      printf("%c %10s  %" PRIu64 " more instruction%s\n", marks[s], "...", f->n[s] - n,
             OCT_S(f->n[s] - n));
  }
}

static void print_kinds(const oct_trace_difference *f) {
  if (f->is_end) {
    printf("%c ends, %c goes on", marks[f->n[0] != 0], marks[f->n[0] == 0]);
  } else if (f->is_lost) {
    printf("no place within %" PRIu64 " instructions from which both go on alike",
           f->n[0] > f->n[1] ? f->n[0] : f->n[1]);
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

static void print_difference(compare_run *r, const oct_trace_diff *d,
                             const oct_trace_difference *f) {
  const uint64_t context = r->options.context_insns;
  if (!r->n_listed)
    printf("- %s\n+ %s\n", oct_cli_shown(r->of[0].name).text, oct_cli_shown(r->of[1].name).text);
  printf("\n%" PRIu64 ": at instruction %" PRIu64 " of -, %" PRIu64 " of +: ", r->n_listed + 1,
         f->at[0], f->at[1]);
  print_kinds(f);
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
  json_object_set_new(o, "at_a", json_integer((json_int_t)f->at[0]));
  json_object_set_new(o, "at_b", json_integer((json_int_t)f->at[1]));
  const uint64_t only_a = f->kinds & OCT_DIFF_PATH ? f->n[0] : 0;
  const uint64_t only_b = f->kinds & OCT_DIFF_PATH ? f->n[1] : 0;
  json_object_set_new(o, "only_a",
                      f->is_end && only_a ? json_null() : json_integer((json_int_t)only_a));
  json_object_set_new(o, "only_b",
                      f->is_end && only_b ? json_null() : json_integer((json_int_t)only_b));
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
static void note_lacking(const compare_run *r, const oct_trace_diff *d) {
  for (unsigned s = 0; s < OCT_DIFF_SIDES && !r->options.is_strict; s++) {
    const uint32_t lacks =
        oct_trace_diff_has(d, !s) & ~oct_trace_diff_has(d, s) & r->options.fields;
    const bool has_bytes = oct_trace_diff_has(d, 0) & oct_trace_diff_has(d, 1) & OCT_DIFF_BYTES;
    char list[200] = "";
    size_t n = 0;
    for (unsigned k = 0; k < N_FIELDS; k++) {
      const bool is_part = fields[k].kind & PARTS_OF_ACCESSES && lacks & OCT_DIFF_ACCESSES;
      const bool is_implied = fields[k].kind == OCT_DIFF_SIZES && has_bytes;
      if (!(lacks & fields[k].kind) || is_part || is_implied) continue;
      n += (size_t)snprintf(list + n, sizeof list - n, "%s%s", n ? ", " : "", fields[k].text);
    }
    if (n)
      oct_cli_error(0, "note: %s: not compared, as this trace has none: %s", r->of[s].name, list);
  }
}

/* Say whose first accesses or traps came too late: a difference that has no place. */
static void note_late(const compare_run *r, const oct_trace_diff *d) {
  const oct_trace_diff_counts *c = oct_trace_diff_get_counts(d);
  const uint32_t both = oct_trace_diff_has(d, 0) & oct_trace_diff_has(d, 1);
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
  char text[400];
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
  json_object_set_new(o, "differences", json_integer((json_int_t)c->differences));
  json_object_set_new(o, "of_kind", kinds);
  json_object_set(o, "list", r->list);
  return oct_report_print(o);
}

static int find_differences(compare_run *r, oct_trace_diff *d, oct_diag *diag) {
  oct_trace_difference f;
  int got;
  while ((got = oct_trace_diff_next(d, &f, diag)) > 0) {
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
static int tell_end(const compare_run *r, const oct_trace_diff *d) {
  const oct_trace_diff_counts *c = oct_trace_diff_get_counts(d);
  int code = r->json ? print_json(r, c) : OCT_EXIT_OK;
  fflush(stdout); /* before the lines of standard error */
  if (code != OCT_EXIT_OK) return code;
  for (unsigned s = 0; s < OCT_DIFF_SIDES; s++) {
    oct_cli_tell_input(r->of[s].path, r->of[s].reader);
    oct_cli_tell_program(r->of[s].reader, r->of[s].n_insns);
  }
  note_start(r, c);
  note_lacking(r, d);
  note_late(r, d);
  return sum_up(r, c);
}

static int compare(compare_run *r) {
  oct_trace_diff_input inputs[OCT_DIFF_SIDES];
  oct_trace_diff *d = NULL;
  oct_diag diag = {0};
  unsigned at = 0;
  int error = 0, code = OCT_EXIT_OK;
  for (unsigned s = 0; s < OCT_DIFF_SIDES && !error; s++) {
    at = s;
    error = open_side(&r->of[s], r->limit, &diag);
    if (error) break;
    const oct_trace_info *info = oct_reader_info(r->of[s].reader);
    inputs[s] = (oct_trace_diff_input){.next = next_batch,
                                       .context = &r->of[s],
                                       .first_insn = r->of[s].skip,
                                       .lacks_sizes = info->default_insn_bytes != 0};
  }
  if (!error && !(d = oct_trace_diff_new(inputs, &r->options)))
    error = oct_fail(&diag, OCT_ERR_NOMEM, "out of memory");
  progress_of = r;
  oct_progress_start(&r->progress, "compare");
  r->progress.limit = r->limit;
  if (!error && (error = find_differences(r, d, &diag))) at = oct_trace_diff_failed(d);
  oct_progress_end(&r->progress);
  for (unsigned s = 0; s < OCT_DIFF_SIDES; s++)
    if (r->of[s].reader) oct_cli_tell_gaps(r->of[s].path, r->of[s].reader);
  if (error) {
    fflush(stdout);
    code = oct_cli_diag(r->of[at].path, &diag);
  } else {
    code = tell_end(r, d);
  }
  oct_trace_diff_free(d);
  for (unsigned s = 0; s < OCT_DIFF_SIDES; s++) close_side(&r->of[s]);
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
      return oct_cli_usage("compare",
                           "cannot ignore '%.*s': expected sizes, bytes, tasks, accesses, "
                           "access-kinds, access-sizes, traps, privilege or end",
                           (int)n, p);
    p += n;
  }
  return 0;
}

static int number_arg(const char *name, const char *value, uint64_t min, uint64_t max,
                      uint64_t *number) {
  if (oct_cli_count(value, number) && *number >= min && *number <= max) return 0;
  return oct_cli_usage("compare", "%s '%s' is not a number from %" PRIu64 " to %" PRIu64, name,
                       value, min, max);
}

/* An option of one trace. */
static int side_arg(compare_side *s, int c, char *value) {
  switch (c) {
    case OPT_FROM_B:
      return oct_cli_read_format(&s->read, "compare", value);
    case OPT_SKIP_B:
      return oct_cli_skip("compare", value, &s->skip);
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
    case OPT_START:
      if (!strcmp(value, "exact")) {
        r->options.is_exact_start = true;
        return 0;
      }
      r->options.has_start = true;
      if (oct_cli_number(value, UINT64_MAX, &r->options.start_addr)) return 0;
      return oct_cli_usage("compare", "start '%s' is not an address (0x80000000), nor exact",
                           value);
    case OPT_WINDOW:
      code = number_arg("window", value, 1, WINDOW_MAX, &number);
      r->options.window_insns = (size_t)number;
      return code;
    case OPT_CONTEXT:
      code = number_arg("context", value, 0, CONTEXT_MAX, &number);
      r->options.context_insns = (size_t)number;
      return code;
    case OPT_MAX:
      return number_arg("max", value, 0, UINT64_MAX, &r->n_listed_max);
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
      {"ignore", required_argument, NULL, OPT_IGNORE},
      {"strict", no_argument, NULL, OPT_STRICT},
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
