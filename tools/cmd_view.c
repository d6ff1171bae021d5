/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_view.c - octrace view: a line for each instruction of a trace, or for each access. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "oct_cli.h"
#include "oct_gap_mark.h"
#include "oct_insn_lines.h"
#include "oct_memory_file.h"

const char oct_help_view[] =
    "Usage: octrace view [OPTION...] TRACE\n"
    "Print a line for each instruction: its number, address, bytes, assembly, symbol, source line\n"
    "and accesses (L load, S store, size in bytes, address, value). A line that begins with ! is\n"
    "a trap, a change of privilege, another task, or a register or memory that the trace has.\n"
    "Bytes come from the trace or from --elf, names and source lines from --elf or from the files\n"
    "that a capture names.\n\n"
    "      --csv FILE      instead, write comma-separated values (-: to standard output), with a\n"
    "                      line of names\n"
    "      --accesses      instead, a line of such values for each access: pc, address, L or S,\n"
    "                      size in bytes, number of the instruction, task, cycle, "
    "value\n" OCT_INPUT_HELP OCT_READ_EXIT_HELP;

enum { OPT_CSV = OCT_OPT_OWN, OPT_ACCESSES };
typedef enum view_form { FORM_TEXT, FORM_CSV, FORM_ACCESSES } view_form;

typedef struct view {
  FILE *out;            /* standard output, or that of rows */
  oct_memory_file rows; /* what is not yet in the file */
  oct_outfile *file;    /* of --csv FILE, or NULL */
  oct_insn_lines *lines;
  view_form form;
  uint64_t number; /* of the next instruction */
  uint32_t task;
} view;

static void print_text(const view *v, const oct_insn *insn, const oct_access *accesses,
                       const oct_map_head *entry) {
  fprintf(v->out, "%10" PRIu64 "  ", v->number);
  oct_insn_lines_print(v->out, v->lines, insn, accesses, entry);
  if (insn->flags & OCT_INSN_HAS_CYCLE) fprintf(v->out, "  @%" PRIu64, insn->cycle);
  fputc('\n', v->out);
}

static void print_traps(const view *v, const oct_trap *traps, size_t n) {
  for (size_t i = 0; i < n; i++) {
    fprintf(v->out, "%10s  ", "");
    oct_insn_lines_trap(v->out, &traps[i]);
    fputc('\n', v->out);
  }
}

static void print_task(view *v, uint32_t task) {
  if (task != v->task) fprintf(v->out, "%10s  !task %" PRIu32 "\n", "", task);
  v->task = task;
}

static void print_facts(const view *v, const oct_fact *facts, size_t n) {
  for (size_t i = 0; i < n; i++) {
    fprintf(v->out, "%10s  ", "");
    oct_insn_lines_fact(v->out, v->lines, &facts[i]);
    fputc('\n', v->out);
  }
}

static void print_accesses(const view *v, const oct_insn *insn, const oct_access *accesses) {
  for (unsigned i = 0; i < insn->n_access; i++) {
    const oct_access *a = &accesses[i];
    fprintf(v->out, "0x%" PRIx64 ",0x%" PRIx64 ",%c,", insn->addr, a->addr,
            a->is_store ? 'S' : 'L');
    if (a->size_bytes) fprintf(v->out, "%u", a->size_bytes);
    fprintf(v->out, ",%" PRIu64 ",%" PRIu32 ",", v->number, insn->task);
    if (insn->flags & OCT_INSN_HAS_CYCLE) fprintf(v->out, "%" PRIu64, insn->cycle);
    fputc(',', v->out);
    oct_insn_lines_value(v->out, v->lines, a);
    fputc('\n', v->out);
  }
}

static void print_batch(view *v, const char *isa, const oct_map *map, const oct_batch *b) {
  const oct_access *accesses = b->accesses;
  size_t trap = 0, fact = 0;
  oct_insn_lines_values(v->lines, isa, b->values);
  for (size_t i = 0; i < b->n_insns && !ferror(v->out); i++) {
    const oct_insn *insn = &b->insns[i];
    const size_t first = trap, first_fact = fact;
    while (fact < b->n_facts && b->facts[fact].insn <= i) fact++;
    while (trap < b->n_traps && b->traps[trap].insn <= i) trap++;
    const uint32_t id = oct_map_find(map, insn->addr);
    const oct_map_head *entry = id == UINT32_MAX ? NULL : oct_map_at(map, id);
    if (v->form == FORM_ACCESSES) {
      print_accesses(v, insn, accesses);
    } else if (v->form == FORM_CSV) {
      fprintf(v->out, "%" PRIu64 ",", v->number);
      oct_insn_lines_csv(v->out, v->lines, insn, accesses, entry, b->traps + first, trap - first,
                         b->facts + first_fact, fact - first_fact);
    } else {
      print_traps(v, b->traps + first, trap - first);
      print_task(v, insn->task);
      print_facts(v, b->facts + first_fact, fact - first_fact);
      print_text(v, insn, accesses, entry);
    }
    accesses += insn->n_access;
    v->number++;
  }
  if (v->form == FORM_TEXT) print_traps(v, b->traps + trap, b->n_traps - trap);
  if (v->form == FORM_TEXT) print_facts(v, b->facts + fact, b->n_facts - fact);
}

/* Where the lines go: to standard output, or to the file that csv names. */
static int open_output(view *v, const char *csv, oct_diag *diag) {
  v->out = stdout;
  if (!csv || !strcmp(csv, "-")) return 0;
  if (oct_memory_file_open(&v->rows)) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  v->out = v->rows.file;
  return oct_outfile_open(csv, &v->file, diag);
}

static int put_rows(view *v, oct_diag *diag) {
  oct_buffer *text = &v->rows.text;
  if (!v->file) return 0;
  if (fflush(v->out) || text->has_failed) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  const size_t n = text->n_bytes;
  text->n_bytes = 0;
  return oct_outfile_write(v->file, text->bytes, n, diag);
}

static void print_head(const view *v) {
  if (v->form == FORM_CSV) fprintf(v->out, "number,%s\n", oct_insn_lines_head);
  if (v->form == FORM_ACCESSES) fputs("pc,address,access,size,number,task,cycle,value\n", v->out);
}

static int view_trace(const char *path, oct_run_args *a, view_form form, const char *csv) {
  oct_source s;
  oct_diag diag = {0};
  view v = {.form = form, .number = a->skip};
  oct_source_options options = oct_cli_source_options(a);
  options.find_alignment = false;
  int got = 0, error = oct_source_open(&s, path, &options, &diag);
  if (error) return oct_cli_diag(path, &diag);
  v.lines = oct_insn_lines_new(&a->read);
  error = v.lines ? open_output(&v, csv, &diag) : oct_fail(&diag, OCT_ERR_NOMEM, "out of memory");
  if (!error) print_head(&v);
  while (!error && !ferror(v.out) && (got = oct_source_next(&s, &diag)) != 0) {
    if (got < 0) error = got;
    if (!error) error = oct_insn_lines_follow(v.lines, s.reader, &a->read, &diag);
    if (!error) print_batch(&v, s.info.isa, s.map, &s.batch);
    if (!error) error = oct_insn_lines_error(v.lines, &diag);
    if (!error) error = put_rows(&v, &diag);
  }
  if (!error) error = put_rows(&v, &diag);
  if (!error && v.file)
    error = oct_outfile_commit(v.file, &diag);
  else
    oct_outfile_abort(v.file);
  if (v.rows.file) (void)oct_memory_file_close(&v.rows);
  oct_buffer_free(&v.rows.text);
  const int code = error ? (fflush(stdout), oct_cli_diag(path, &diag)) : OCT_EXIT_OK;
  if (v.lines && !error) oct_insn_lines_tell(v.lines, path);
  oct_insn_lines_free(v.lines);
  oct_cli_close(&s, a, error);
  return code;
}

int oct_cmd_view(int argc, char **argv) {
  static const struct option options[] = {{"from", required_argument, NULL, OCT_OPT_FORMAT},
                                          OCT_READ_OPTIONS,
                                          {"limit", required_argument, NULL, OCT_OPT_LIMIT},
                                          {"skip", required_argument, NULL, OCT_OPT_SKIP},
                                          {"csv", required_argument, NULL, OPT_CSV},
                                          {"accesses", no_argument, NULL, OPT_ACCESSES},
                                          {NULL, 0, NULL, 0}};
  oct_run_args a;
  view_form form = FORM_TEXT;
  const char *csv = NULL;
  int c, code;
  oct_run_args_init(&a);
  while ((c = oct_cli_getopt("view", argc, argv, "", options)) != -1) {
    const view_form wanted = c == OPT_CSV        ? FORM_CSV
                             : c == OPT_ACCESSES ? FORM_ACCESSES
                                                 : FORM_TEXT;
    if (wanted > form) form = wanted;
    if (c == OPT_CSV) csv = optarg;
    if (!wanted && (code = oct_run_arg(&a, "view", c, optarg)) != 0) return code;
  }
  if (optind + 1 != argc) return oct_cli_usage("view", "one trace is needed");
  if ((code = oct_cli_output("view", csv)) != 0) return code;
  return view_trace(argv[optind], &a, form, csv);
}
