/* SPDX-License-Identifier: Apache-2.0 */
/* oct_reader.c - a trace of any format: batches, skipping, errors in order.
 *
 * A reader fills a batch of instructions, accesses and map entries. An error waits until what
 * stands before it has been handed out. Each batch is completed (oct_reader_complete.c) before
 * anybody sees it. */
#include "oct_elf_head.h"
#include "oct_endian.h"
#include "oct_formats.h"
#include "oct_grow.h"
#include "oct_infile.h"
#include "oct_program_check.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int is_folder(const char *path) {
  struct stat st;
  return strcmp(path, "-") && !stat(path, &st) && S_ISDIR(st.st_mode);
}

/* The machine that an instruction set is one of; -1 for an unknown one. */
static int machine_of(int isa) {
  return isa == OCT_ISA_THUMB ? OCT_ISA_ARM : isa < 0 ? -1 : isa;
}

/* Whether the program is for the machine that the trace names, or else the user. */
static int check_program(const oct_reader *r, const char *elf, oct_diag *diag) {
  int is_known = strcmp(r->info.isa, "unknown") != 0;
  int isa = is_known ? oct_isa_by_name(r->info.isa) : r->given_isa;
  int machine = machine_of(isa), program = oct_program_isa(r->program);
  /* PISA programs are no ELF files; of other names it cannot be told what they stand for. */
  if (machine == program || (machine < 0 && strcmp(r->info.isa, "pisa"))) return 0;
  int error =
      oct_fail_in(diag, OCT_ERR_ARG, elf, "a program for %s: expected one for %s, as the trace is",
                  oct_isa_get((oct_isa)program)->name,
                  is_known ? r->info.isa : oct_isa_get((oct_isa)isa)->name);
  return oct_diag_other(diag, oct_input_name(r->in), error);
}

/* Whether the instruction set that the user names is the one that the trace names, if it does. */
static int check_isa(const oct_reader *r, oct_diag *diag) {
  int isa = oct_isa_by_name(r->info.isa);
  /* In a text a comment names it, which the user can change: no doubt is left. */
  if (r->given_isa >= 0 && r->format->says_isa && r->isa && isa != r->given_isa)
    return oct_fail(
        diag, OCT_ERR_ARG,
        "the comment '# isa %s', but --isa is %s: leave --isa out, or change the comment",
        r->info.isa, oct_isa_get((oct_isa)r->given_isa)->name);
  int is_other =
      isa >= 0 ? machine_of(isa) != machine_of(r->given_isa) : strcmp(r->info.isa, "pisa") == 0;
  if (r->given_isa < 0 || !is_other) return 0;
  return oct_fail(diag, OCT_ERR_ARG, "a trace of %s, but --isa is %s: leave --isa out", r->info.isa,
                  oct_isa_get((oct_isa)r->given_isa)->name);
}

/* The program, of one file or several. */
static int open_program(oct_reader *r, const oct_read_options *options, oct_diag *diag) {
  int rc = oct_reader_keep(r, &r->program_path, options->elf, strlen(options->elf), diag);
  if (!rc) rc = oct_program_open(options->elf, options->elf_bias, &r->program, diag);
  for (size_t i = 0; !rc && i < options->n_more && i < OCT_MORE_FILES_MAX; i++)
    rc = oct_program_add(r->program, options->more[i].path, options->more[i].bias, diag);
  return rc;
}

/* Errors: OCT_ERR_ARG. */
static int check_options(const oct_read_options *options, oct_diag *diag) {
  if (options->otherwise > (uint64_t)oct_format_count())
    return oct_fail(diag, OCT_ERR_ARG, "unknown format number %" PRIu64, options->otherwise);
  return 0;
}

/* Damage of a compressed input is often seen first as contents that cannot be, since the check of
 * the compression stands behind them: then it is the compression that is to be told. */
static void blame_input(oct_input *in, oct_diag *error) {
  enum { MOST_BYTES = 1 << 26 }; /* behind them */
  oct_diag input;
  if (!error->error || error->error == OCT_ERR_NOMEM || error->error == OCT_ERR_IO || !in) return;
  if (oct_input_drain(in, MOST_BYTES, &input) == OCT_ERR_FORMAT) *error = input;
}

/* The format by content, or of a file what is to be taken otherwise. */
static int recognise(oct_reader *r, const oct_read_options *options, oct_diag *diag) {
  bool has_mark;
  int format = oct_format_recognise(r->in, &has_mark, &r->is_bare, diag);
  r->is_guessed = 1;
  if (!options || !options->otherwise || r->n_paths || has_mark ||
      (format != OCT_ERR_FORMAT && !oct_format_is_guess(format))) {
    if (format < 0) blame_input(r->in, diag);
    return format;
  }
  r->is_guessed = 0;
  return (int)options->otherwise;
}

static int open_reader(const char *path, const oct_read_options *options, oct_reader **reader,
                       oct_diag *diag) {
  oct_diag local;
  int rc, format = options ? (int)options->format : OCT_FORMAT_AUTO;
  *reader = NULL;
  if (!diag) diag = &local;
  if (options && (rc = check_options(options, diag))) return rc;
  oct_reader *r = calloc(1, sizeof *r);
  if (format < 0 || format > oct_format_count()) {
    free(r);
    return oct_fail(diag, OCT_ERR_ARG, "unknown format number %d", format);
  }
  if (r) r->n_left = UINT64_MAX;
  if (r) r->insns = malloc(OCT_BATCH_INSNS * sizeof *r->insns);
  if (!r || !r->insns) {
    free(r);
    return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  }
  int folder_of = OCT_FORMAT_AUTO; /* the format that keeps a trace in a folder */
  if (is_folder(path) && (rc = folder_of = oct_format_list(path, &r->paths, &r->n_paths, diag)) < 0)
    goto fail;
  if ((rc = oct_input_open(r->n_paths ? r->paths[0] : path, &r->in, diag))) goto fail;
  if (format == OCT_FORMAT_AUTO && (rc = format = recognise(r, options, diag)) < 0) goto fail;
  if (r->n_paths && format != folder_of) {
    rc = oct_fail_in(diag, OCT_ERR_FORMAT, r->paths[0], "expected a %s file in a folder of traces",
                     oct_format_name((oct_format)folder_of));
    goto fail;
  }
  r->info.format = (oct_format)format;
  r->info.isa = r->info.origin = r->info.command = "unknown";
  const oct_format_desc *desc = oct_format_desc_of((oct_format)format);
  r->info.addr_bits = desc->addr_bits;
  r->info.insn_align_bytes = 1;
  r->format = desc;
  r->info.default_insn_bytes = desc->insn_bytes;
  r->given_isa = -1;
  r->tells_kinds = !desc->lacks_kinds;
  r->marks_sizes = options && options->marks_sizes;
  if (options && options->isa && (r->given_isa = oct_isa_by_name(options->isa)) < 0) {
    rc = oct_fail(diag, OCT_ERR_ARG, "unknown instruction set '%s'", options->isa);
    goto fail;
  }
  if (options && options->elf && (rc = open_program(r, options, diag))) goto fail;
  if (options && options->params && !desc->takes_params) {
    rc = oct_fail(diag, OCT_ERR_ARG, "the format %s takes no parameters; found '%s'", desc->name,
                  options->params);
    goto fail;
  }
  if (options && options->from_sync && !desc->has_syncs) {
    rc = oct_fail(diag, OCT_ERR_ARG,
                  "sync %" PRIu64
                  ": a trace of the format %s has no syncs; expected an .octp or .octc",
                  options->from_sync, desc->name);
    goto fail;
  }
  if (desc->insn_bytes && options && options->insn_bytes) {
    r->info.default_insn_bytes = options->insn_bytes;
    r->fixed_insn_bytes = 1;
    if (options->insn_bytes > 15) {
      rc = oct_fail(diag, OCT_ERR_ARG, "instructions of %u bytes: expected 1 to 15",
                    options->insn_bytes);
      goto fail;
    }
  }
  r->options = options ? options : &(oct_read_options){0};
  r->tell_gap = r->options->tell_gap;
  r->gap_context = r->options->gap_context;
  r->map_max = r->options->map_max ? r->options->map_max : OCT_READ_MAP_MAX;
  if (desc->reader->open && (rc = desc->reader->open(r, diag))) goto fail;
  r->options = NULL;
  if ((rc = check_isa(r, diag))) goto fail;
  if (r->program && (rc = check_program(r, options->elf, diag))) goto fail;
  if (r->program && (r->given_isa == OCT_ISA_THUMB || !strcmp(r->info.isa, "thumb")))
    oct_program_assume_thumb(r->program);
  if (!strcmp(r->info.isa, "unknown") && (r->program || r->given_isa >= 0)) {
    int isa = r->given_isa >= 0 ? r->given_isa : oct_program_isa(r->program);
    const oct_isa_info *set = oct_isa_get((oct_isa)isa);
    r->info.isa = set->name;
    /* An ARM program may have Thumb code. */
    if (r->given_isa >= 0 && r->info.insn_align_bytes < set->insn_align_bytes)
      r->info.insn_align_bytes = set->insn_align_bytes;
  }
  *reader = r;
  return 0;
fail:
  oct_reader_close(r);
  return rc;
}

int oct_reader_open(const char *path, const oct_read_options *options, oct_reader **reader,
                    oct_diag *diag) {
  return oct_diag_in(diag, oct_input_shown(path), open_reader(path, options, reader, diag));
}

const oct_program *oct_reader_program(const oct_reader *reader) {
  return reader->program;
}

const oct_map *oct_reader_met(const oct_reader *reader) {
  return reader->met;
}

const oct_trace_info *oct_reader_info(const oct_reader *reader) {
  return &reader->info;
}

bool oct_reader_tells_kinds(const oct_reader *reader) {
  return reader->tells_kinds;
}

/* A trap behind the last instruction of a batch is one before the first of the next. */
static void carry_traps(oct_reader *r) {
  size_t n = oct_traps_before(r->traps, r->n_traps, r->n_insns);
  r->n_traps -= n;
  if (r->n_traps) memmove(r->traps, r->traps + n, r->n_traps * sizeof *r->traps);
  for (size_t i = 0; i < r->n_traps; i++) r->traps[i].insn = 0;
}

/* As carry_traps, with the bytes that the facts tell. */
static void carry_facts(oct_reader *r) {
  size_t n = oct_facts_before(r->facts, r->n_facts, r->n_insns), kept = 0;
  r->n_facts -= n;
  for (size_t i = 0; i < r->n_found; i++) r->found[i].fact -= n;
  if (r->n_facts) memmove(r->facts, r->facts + n, r->n_facts * sizeof *r->facts);
  for (size_t i = 0; i < r->n_facts; i++) {
    oct_fact *f = &r->facts[i];
    f->insn = 0;
    if (!f->value) continue;
    memmove(r->values + kept, r->values + (f->value - 1), f->n_bytes); /* they are in order */
    f->value = (uint32_t)kept + 1;
    kept += f->n_bytes;
  }
  r->n_values = kept;
}

/* How many of the facts go with the batch. */
static size_t n_facts_now(const oct_reader *r) {
  const bool is_last = r->ended || r->error.error;
  return is_last ? r->n_facts : oct_facts_before(r->facts, r->n_facts, r->n_insns);
}

/* As hand_out_traps. */
static void hand_out_facts(oct_reader *r, size_t n, size_t skip, oct_batch *batch) {
  size_t first = oct_facts_before(r->facts, n, skip);
  batch->n_facts = n - first;
  batch->facts = n > first ? r->facts + first : NULL;
  for (size_t i = first; i < n; i++) r->facts[i].insn -= (uint32_t)skip;
  batch->values = r->n_values ? r->values : NULL;
  batch->n_values = r->n_values;
}

/* The batch's traps, counted from the first instruction that is not skipped. */
static void hand_out_traps(oct_reader *r, size_t skip, oct_batch *batch) {
  bool is_last = r->ended || r->error.error;
  size_t n = is_last ? r->n_traps : oct_traps_before(r->traps, r->n_traps, r->n_insns);
  size_t first = oct_traps_before(r->traps, n, skip);
  batch->n_traps = n - first;
  batch->traps = n > first ? r->traps + first : NULL;
  for (size_t i = first; i < n; i++) r->traps[i].insn -= (uint32_t)skip;
}

/* Keep what a batch tells of instructions, for whoever asks which files of the program they are of.
 */
static int keep_met(oct_reader *r, oct_diag *diag) {
  for (size_t i = 0; i < r->n_map; i++) {
    if (r->map[i].flags & OCT_MAP_CONTINUES) continue;
    if (!r->met && !(r->met = oct_map_new_lean())) goto no_memory;
    if (oct_map_put(r->met, &r->map[i]) < 0) goto no_memory;
  }
  return 0;
no_memory:
  return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
}

/* The range that addr is in or close to, NULL when there is none and no room for one. */
static oct_lacking_range *range_of(oct_lacking *l, uint64_t addr, const char *name) {
  enum { CLOSE_BYTES = 1 << 24 };
  for (size_t i = 0; i < l->n_ranges; i++) {
    oct_lacking_range *a = &l->ranges[i];
    uint64_t away = addr < a->first ? a->first - addr : addr > a->last ? addr - a->last : 0;
    if (away <= CLOSE_BYTES && !strcmp(a->name, name)) return a;
  }
  if (l->n_ranges == OCT_LACKING_RANGES) return NULL;
  oct_lacking_range *fresh = &l->ranges[l->n_ranges++];
  fresh->first = fresh->last = addr;
  memcpy(fresh->name, name, strlen(name) + 1);
  return fresh;
}

void oct_reader_note_lacking(oct_reader *r, uint64_t addr, const char *name) {
  char known[OCT_LACKING_NAME_BYTES];
  snprintf(known, sizeof known, "%s", name);
  oct_lacking_range *a = range_of(&r->lacking, addr, known);
  if (!a) {
    r->lacking.n_elsewhere++;
    return;
  }
  a->n++;
  if (addr < a->first) a->first = addr;
  if (addr > a->last) a->last = addr;
}

void oct_reader_lacks_code(oct_reader *r, uint64_t addr, const char *name) {
  oct_reader_note_lacking(r, addr, name);
  oct_reader_lost_by(r, OCT_GAP_NO_IMAGE, addr);
}

const char *oct_gap_cause_name(unsigned cause) {
  static const char *const names[OCT_GAP_CAUSES] = {"overflow", "lost", "no-image", "beginning",
                                                    "damage"};
  return cause < OCT_GAP_CAUSES ? names[cause] : NULL;
}

void oct_gaps_add(oct_gaps *all, const oct_gap *gap) {
  const bool is_known = gap->lost_insns != UINT64_MAX;
  if (gap->error) {
    if (!all->n_damages++) all->first = gap->diag;
    all->damaged_insns += gap->least_insns;
    all->n_uncounted_damages += !is_known;
  } else {
    all->n_losses++;
    all->lost_insns += gap->least_insns;
    all->lost_accesses += gap->least_accesses;
    all->n_trap_losses += !gap->lost_insns && !gap->lost_accesses;
  }
  all->n_uncounted += !is_known && !gap->is_end;
}

int oct_reader_add_gap(oct_reader *r, oct_gap_cause cause, uint64_t addr, const uint64_t lost[2],
                       oct_diag *diag) {
  uint8_t bytes[OCT_FACT_GAP_BYTES];
  const bool is_known = lost[0] != UINT64_MAX || lost[1] != UINT64_MAX;
  const oct_fact f = {.kind = OCT_FACT_GAP,
                      .number = (uint16_t)cause,
                      .addr = r->info.addr_bits == 32 ? (uint32_t)addr : addr,
                      .n_bytes = sizeof bytes};
  for (int i = 0; i < 2; i++) oct_put_u64(bytes + 8 * i, lost[i]);
  return oct_reader_add_fact(r, &f, is_known ? bytes : NULL, diag);
}

/* The gap is a fact of the batch. */
static bool keep_found(oct_reader *r, const oct_gap *gap) {
  const uint64_t lost[2] = {gap->lost_insns, gap->lost_accesses};
  oct_found_gap *found = oct_grown(r->found, &r->room_found, r->n_found + 1, sizeof *found);
  oct_diag diag;
  if (!found) return false;
  r->found = found;
  if (oct_reader_add_gap(r, gap->cause, gap->addr, lost, &diag)) return false;
  r->found[r->n_found++] = (oct_found_gap){*gap, r->n_facts - 1};
  return true;
}

void oct_reader_meet(oct_reader *r, oct_gaps *met, const oct_gap *gap) {
  oct_gap named = *gap;
  if (gap->error) named.cause = OCT_GAP_DAMAGE;
  oct_diag_in(&named.diag, oct_input_name(r->in), gap->error);
  if (!gap->is_told) oct_gaps_add(met, &named);
  r->n_missing += gap->least_insns;
  r->lacks_memory |= !keep_found(r, &named);
}

/* The number of the instruction behind those of the batch. */
static uint64_t next_insn(const oct_reader *r) {
  return r->n_before + r->n_insns + r->n_missing;
}

void oct_reader_lost_by(oct_reader *r, oct_gap_cause cause, uint64_t addr) {
  const oct_gap gap = {.insn = next_insn(r),
                       .lost_insns = UINT64_MAX,
                       .lost_accesses = UINT64_MAX,
                       .cause = cause,
                       .addr = addr};
  oct_reader_meet(r, &r->gaps, &gap);
}

void oct_reader_lost(oct_reader *r) {
  oct_reader_lost_by(r, OCT_GAP_LOST, 0);
}

void oct_reader_damaged(oct_reader *r, const oct_diag *what) {
  const oct_gap gap = {.insn = next_insn(r),
                       .lost_insns = UINT64_MAX,
                       .lost_accesses = UINT64_MAX,
                       .error = what->error,
                       .diag = *what};
  oct_reader_meet(r, &r->gaps, &gap);
}

/* The gap that a trace tells. What is missing moves the numbers of the instructions behind it. */
static oct_gap gap_told(oct_reader *r, const oct_fact *f) {
  const uint8_t *bytes = f->value ? r->values + (f->value - 1) : NULL;
  oct_gap gap = {.insn = r->n_before + f->insn + r->n_passed,
                 .lost_insns = bytes ? oct_get_u64(bytes) : UINT64_MAX,
                 .lost_accesses = bytes ? oct_get_u64(bytes + 8) : UINT64_MAX,
                 .cause = (oct_gap_cause)f->number,
                 .addr = f->addr,
                 .is_told = 1};
  if (gap.lost_insns != UINT64_MAX) r->n_missing += gap.least_insns = gap.lost_insns;
  return gap;
}

/* Count and tell the gaps among the first n facts; of those before instruction number skip, which
 * are left out, only damage is told. */
static void tell_gaps(oct_reader *r, size_t n, size_t skip) {
  size_t next = 0;
  for (size_t i = 0; i < n; i++) {
    const oct_fact *f = &r->facts[i];
    if (f->kind != OCT_FACT_GAP) continue;
    const bool is_found = next < r->n_found && r->found[next].fact == i;
    const bool is_skipped = f->insn < skip;
    const oct_gap gap = is_found ? r->found[next++].gap : gap_told(r, f);
    r->n_passed += gap.least_insns;
    if (is_skipped && !gap.error) continue;
    if (!is_skipped) (gap.is_told ? r->gap_counts.told : r->gap_counts.found)[gap.cause]++;
    if (r->tell_gap) r->tell_gap(r->gap_context, &gap);
  }
  if (next) memmove(r->found, r->found + next, (r->n_found - next) * sizeof *r->found);
  r->n_found -= next;
}

void oct_reader_forget_gaps(oct_reader *r) {
  size_t kept = 0;
  for (size_t i = 0; i < r->n_facts; i++)
    if (r->facts[i].kind != OCT_FACT_GAP) r->facts[kept++] = r->facts[i];
  r->n_facts = kept;
  r->n_found = 0;
  memset(&r->gap_counts, 0, sizeof r->gap_counts);
  memset(&r->gaps, 0, sizeof r->gaps);
}

/* Damage ends the trace. */
static void tell_end(oct_reader *r) {
  const oct_gap gap = {.insn = next_insn(r),
                       .lost_insns = UINT64_MAX,
                       .lost_accesses = UINT64_MAX,
                       .cause = OCT_GAP_DAMAGE,
                       .error = r->error.error,
                       .diag = r->error,
                       .is_end = 1};
  if (r->tell_gap && oct_error_is_damage(gap.error)) r->tell_gap(r->gap_context, &gap);
}

/* Nothing but gaps is no trace: what is missing first is the error. */
static int fail_empty(oct_reader *r, oct_diag *diag) {
  const oct_lacking lacking = r->lacking;
  const oct_lacking_range *a = lacking.ranges;
  memset(&r->lacking, 0, sizeof r->lacking);
  oct_reader_forget_gaps(r);
  return oct_fail(
      diag, OCT_ERR_ARG,
      "no code at 0x%" PRIx64 "%s%s%s%s%s%s: give the file that was there with --elf FILE[@BIAS]",
      a->first, a->name[0] ? ", where " : "", a->name, a->name[0] ? " was mapped" : "",
      lacking.n_absent ? " (and there is no " : "", lacking.absent, lacking.n_absent ? ")" : "");
}

/* Whether the size of an instruction is known only from the one that follows. */
static bool lacks_size(const oct_reader *r, const oct_insn *insn) {
  return insn->size_bytes == OCT_SIZE_NEXT && !r->program && !r->fixed_insn_bytes &&
         (!r->sizes || oct_map_find(r->sizes, insn->addr) == UINT32_MAX);
}

/* At an error nobody knows which accesses would have followed the last instruction, nor where the
 * next one would have been. */
static bool is_last_open(const oct_reader *r) {
  return r->n_insns && (r->is_open || lacks_size(r, &r->insns[r->n_insns - 1]));
}

static void drop_last(oct_reader *r) {
  r->n_accesses -= r->insns[--r->n_insns].n_access;
  while (r->n_traps && r->traps[r->n_traps - 1].insn > r->n_insns) r->n_traps--;
  while (r->n_facts && r->facts[r->n_facts - 1].insn > r->n_insns) r->n_facts--;
  while (r->n_found && r->found[r->n_found - 1].fact >= r->n_facts) r->n_found--;
}

/* The error that is due, about the input where it names no file. */
static int report(oct_reader *r, oct_diag *diag) {
  oct_diag_in(&r->error, oct_input_name(r->in), r->error.error);
  return oct_diag_pass(diag, &r->error, r->error.error);
}

static int next_batch(oct_reader *r, oct_batch *batch, oct_diag *diag) {
  memset(batch, 0, sizeof *batch);
  r->n_map = r->n_compared = 0;
  for (;;) {
    size_t skip, accesses = 0;
    if (!r->n_left) return 0;
    if (r->error.error) return report(r, diag);
    if (r->ended) {
      r->has_told_end = 1;
      return 0;
    }
    carry_traps(r);
    carry_facts(r);
    r->n_before += r->n_insns;
    r->n_insns = r->n_accesses = 0;
    const uint64_t to_skip = r->n_skip;
    int rc = r->format->reader->fill(r, &r->error);
    r->n_before += to_skip - r->n_skip; /* it sought */
    if (r->lacks_memory && rc >= 0) rc = oct_fail(&r->error, OCT_ERR_NOMEM, "out of memory");
    r->has_given |= r->n_insns > 0;
    if (!rc && !r->has_given && r->lacking.n_ranges) rc = fail_empty(r, &r->error);
    if (rc < 0) blame_input(r->in, &r->error);
    r->ended = rc == 0;
    bool drops = rc < 0 && is_last_open(r);
    if (oct_reader_complete(r, &r->error)) continue; /* the batch is not whole */
    if (drops) drop_last(r);                         /* it told the size of the one before it */
    skip = r->n_skip < r->n_insns ? (size_t)r->n_skip : r->n_insns;
    r->n_skip -= skip;
    for (size_t i = 0; i < r->n_facts && r->facts[i].insn < skip; i++)
      r->has_skipped_facts |= r->facts[i].kind != OCT_FACT_GAP;
    const bool is_cut = r->n_insns - skip > r->n_left;
    const size_t end = is_cut ? skip + (size_t)r->n_left : r->n_insns;
    const size_t n_facts = is_cut ? oct_facts_before(r->facts, r->n_facts, end) : n_facts_now(r);
    tell_gaps(r, n_facts, skip);
    if (rc < 0 && !is_cut) tell_end(r);
    bool has_last = r->ended && !r->n_skip &&
                    (oct_traps_before(r->traps, r->n_traps, r->n_insns) < r->n_traps ||
                     oct_facts_before(r->facts, r->n_facts, r->n_insns) < r->n_facts);
    if (skip == r->n_insns && !has_last) continue;
    for (size_t i = 0; i < skip; i++) accesses += r->insns[i].n_access;
    batch->insns = r->insns + skip;
    batch->n_insns = r->n_insns - skip;
    batch->accesses = r->accesses ? r->accesses + accesses : NULL;
    batch->n_accesses = r->n_accesses - accesses;
    batch->map = r->map;
    batch->n_map = r->n_map;
    hand_out_traps(r, skip, batch);
    hand_out_facts(r, n_facts, skip, batch);
    oct_batch_cut(batch, end - skip);
    r->n_left -= batch->n_insns;
    if (!r->program || !keep_met(r, &r->error)) return 1;
    return report(r, diag);
  }
}

int oct_reader_peek(oct_reader *r, oct_batch *batch, oct_diag *diag) {
  if (!r->has_peeked) r->peeked_rc = next_batch(r, &r->peeked, diag);
  r->has_peeked = 1;
  if (r->peeked_rc < 0 && diag) *diag = r->error;
  *batch = r->peeked;
  return r->peeked_rc;
}

int oct_reader_next(oct_reader *r, oct_batch *batch, oct_diag *diag) {
  int rc = r->has_peeked ? oct_reader_peek(r, batch, diag) : next_batch(r, batch, diag);
  r->has_peeked = 0;
  return rc;
}

int oct_reader_skip(oct_reader *reader, uint64_t n_insns, oct_diag *diag) {
  (void)diag; /* the work is left to the next fill, which reports what goes wrong */
  reader->n_skip = reader->n_skip > UINT64_MAX - n_insns ? UINT64_MAX : reader->n_skip + n_insns;
  return 0;
}

int oct_reader_has_skipped_facts(const oct_reader *reader) {
  return reader->has_skipped_facts;
}

uint64_t oct_reader_gaps(const oct_reader *reader) {
  const oct_gap_counts *c = &reader->gap_counts;
  uint64_t n = c->told[OCT_GAP_DAMAGE];
  for (int i = 0; i < OCT_GAP_CAUSES; i++)
    if (i != OCT_GAP_DAMAGE) n += c->found[i] + c->told[i];
  return n;
}

const oct_gap_counts *oct_reader_gap_counts(const oct_reader *reader) {
  return &reader->gap_counts;
}

void oct_reader_limit(oct_reader *reader, uint64_t n_insns) {
  reader->n_left = n_insns;
}

const oct_lacking *oct_reader_lacking(const oct_reader *reader) {
  return &reader->lacking;
}

void oct_reader_take_gaps(oct_reader *reader, oct_gaps *gaps) {
  *gaps = reader->gaps;
  memset(&reader->gaps, 0, sizeof reader->gaps);
}

void oct_reader_add_gaps(oct_reader *r, oct_gaps *met) {
  oct_gaps *all = &r->gaps;
  if (!all->n_damages) all->first = met->first;
  all->n_losses += met->n_losses;
  all->lost_insns += met->lost_insns;
  all->lost_accesses += met->lost_accesses;
  all->n_trap_losses += met->n_trap_losses;
  all->n_damages += met->n_damages;
  all->damaged_insns += met->damaged_insns;
  all->n_uncounted += met->n_uncounted;
  all->n_uncounted_damages += met->n_uncounted_damages;
  memset(met, 0, sizeof *met);
}

int oct_reader_is_doubtful(const oct_reader *reader) {
  if (reader->is_unchecked && reader->error.error != OCT_ERR_TRUNCATED) return 1;
  return !reader->format->has_checks && reader->in && oct_input_is_damaged(reader->in);
}

int oct_reader_gave_all(const oct_reader *reader) {
  return reader->has_all;
}

int oct_reader_is_line_open(const oct_reader *reader) {
  return reader->has_told_end ? reader->is_line_open + reader->is_line_left_out : 0;
}

uint64_t oct_reader_odd_accesses(const oct_reader *reader) {
  return reader->n_odd_accesses;
}

uint64_t oct_reader_lost_values(const oct_reader *reader, const char **why) {
  *why = reader->lost_values_why;
  return reader->n_lost_values;
}

uint64_t oct_reader_breaks(const oct_reader *reader, uint64_t *first) {
  *first = reader->first_break;
  return reader->n_breaks;
}

uint64_t oct_reader_bare_accesses(const oct_reader *reader) {
  uint64_t n = 0;
  for (int store = 0; store < 2; store++)
    if (reader->n_with[1][store] < reader->n_with[0][store]) n += reader->n_with[1][store];
  return n;
}

int oct_reader_is_guess(const oct_reader *reader) {
  return reader->is_guessed && reader->is_bare && !strcmp(reader->info.isa, "unknown");
}

uint64_t oct_reader_bytes_read(const oct_reader *reader) {
  return oct_input_bytes_read(reader->in);
}

uint64_t oct_reader_bytes_done(const oct_reader *reader) {
  return oct_input_bytes_done(reader->in);
}

uint64_t oct_reader_bytes_total(const oct_reader *reader) {
  return oct_input_bytes_total(reader->in);
}

int oct_reader_add_module(oct_reader *r, const oct_module *module, size_t path_bytes,
                          oct_diag *diag) {
  const size_t n = r->info.n_modules;
  for (size_t i = 0; i < n; i++) {
    const oct_module *m = &r->modules[i];
    if (m->addr == module->addr && m->n_bytes == module->n_bytes && m->bias == module->bias &&
        m->build_id_bytes == module->build_id_bytes &&
        !memcmp(m->build_id, module->build_id, sizeof m->build_id) &&
        !strncmp(m->path, module->path, path_bytes) && !m->path[path_bytes])
      return 0;
  }
  if (n == OCT_MODULES_MAX)
    return oct_fail(diag, OCT_ERR_LIMIT, "more than %d files of code", OCT_MODULES_MAX);
  oct_module *grown = oct_grown(r->modules, &r->room_modules, n + 1, sizeof *grown);
  if (grown) r->info.modules = r->modules = grown;
  char *path = grown ? strndup(module->path, path_bytes) : NULL;
  if (!path) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  grown[n] = *module;
  grown[n].path = path;
  r->info.n_modules++;
  return 0;
}

int oct_reader_add_mapped(oct_reader *r, const char *path, uint64_t addr, uint64_t n_bytes,
                          uint64_t bias, oct_diag *diag) {
  oct_module m = {.path = path, .addr = addr, .n_bytes = n_bytes, .bias = bias};
  const int fd = oct_infile_open(path);
  if (fd < 0 && errno == ENOMEM) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  if (fd >= 0) {
    m.build_id_bytes = (uint32_t)oct_elf_build_id(fd, m.build_id, sizeof m.build_id);
    close(fd);
  }
  return oct_reader_add_module(r, &m, strlen(path), diag);
}

void oct_reader_close(oct_reader *r) {
  if (!r) return;
  if (r->format && r->format->reader->close) r->format->reader->close(r);
  oct_input_close(r->in);
  for (size_t i = 0; i < r->n_paths; i++) free(r->paths[i]);
  free(r->paths);
  oct_program_check_free(r->check);
  oct_program_close(r->program);
  free(r->program_path);
  oct_map_free(r->met);
  oct_map_free(r->described);
  free(r->flow_tasks);
  oct_map_free(r->sizes);
  for (size_t i = 0; i < r->info.n_modules; i++) free((void *)r->modules[i].path);
  free(r->modules);
  free(r->isa);
  free(r->origin);
  free(r->command);
  free(r->insns);
  free(r->accesses);
  free(r->traps);
  free(r->facts);
  free(r->found);
  free(r->values);
  free(r->map);
  free(r);
}
