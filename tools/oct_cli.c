/* SPDX-License-Identifier: Apache-2.0 */
/* oct_cli.c - what all subcommands share: exit codes, errors, options, progress, trace source. */
#include "oct_cli.h"

#include "oct_isa.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Whether text is about the file called name, or one in the folder of that name. */
static bool names(const char *text, const char *name) {
  size_t n = strlen(name);
  return !strncmp(text, name, n) && (text[n] == ':' || text[n] == '/' || name[n - 1] == '/');
}

int oct_cli_diag(const char *what, const oct_diag *diag) {
  const char *text = diag->text[0] ? diag->text : oct_error_text(diag->error);
  if (what && !strcmp(what, "-")) what = "standard input";
  if (what && *what && !names(text, what))
    return oct_cli_error(OCT_EXIT_INPUT, "%s: %s", what, text);
  return oct_cli_error(OCT_EXIT_INPUT, "%s", text);
}

int oct_cli_refuse(const char *cmd, const oct_diag *diag) {
  if (diag->error == OCT_ERR_NOMEM) return oct_cli_diag(NULL, diag);
  return oct_cli_usage(cmd, "%s", diag->text);
}

int oct_cli_distinct(const char *cmd, const char *in, const char *out) {
  struct stat a, b;
  int no_in = strcmp(in, "-") ? stat(in, &a) : fstat(STDIN_FILENO, &a);
  int no_out = strcmp(out, "-") ? stat(out, &b) : fstat(STDOUT_FILENO, &b);
  if (no_in || no_out || !S_ISREG(a.st_mode) || a.st_dev != b.st_dev || a.st_ino != b.st_ino)
    return 0;
  return oct_cli_error(OCT_EXIT_USAGE, "%s: %s: input and output are the same file", cmd,
                       strcmp(out, "-") ? out : "standard output");
}

bool oct_cli_number(const char *text, uint64_t max, uint64_t *value) {
  char *end;
  if (text[0] < '0' || text[0] > '9') return false;
  errno = 0;
  unsigned long long v = strtoull(text, &end, 0);
  if (errno || *end || v > max) return false;
  *value = v;
  return true;
}

oct_counts_text oct_cli_counts(uint64_t insns, uint64_t accesses) {
  oct_counts_text t;
  snprintf(t.text, sizeof t.text, "%" PRIu64 " instruction%s and %" PRIu64 " access%s", insns,
           OCT_S(insns), accesses, accesses == 1 ? "" : "es");
  return t;
}

void oct_cli_cut(oct_batch *b, uint64_t n_insns) {
  if (b->n_insns <= n_insns) return;
  b->n_insns = (size_t)n_insns;
  b->n_accesses = 0;
  for (size_t i = 0; i < b->n_insns; i++) b->n_accesses += b->insns[i].n_access;
}

int oct_cli_format(const char *cmd, const char *name, oct_format *format) {
  if (!strcmp(name, "auto")) {
    *format = OCT_FORMAT_AUTO;
    return 0;
  }
  int f = oct_format_by_name(name);
  if (f < 0) return oct_cli_usage(cmd, "unknown format '%s'", name);
  *format = (oct_format)f;
  return 0;
}

int oct_cli_write_format(const char *cmd, const char *name, oct_format *format) {
  int code = oct_cli_format(cmd, name, format);
  if (code || *format == OCT_FORMAT_AUTO || oct_format_can_write(*format)) return code;
  return oct_cli_usage(cmd,
                       "format '%s' can only be read: expected one that octrace info --formats "
                       "says it writes",
                       name);
}

/* FILE[@BIAS]: the file is told apart from the number behind its last @. */
static int parse_elf(oct_read_options *read, const char *cmd, char *value) {
  char *at = strrchr(value, '@');
  read->elf = value;
  read->elf_bias = 0;
  if (!at) return 0;
  if (!oct_cli_number(at + 1, UINT64_MAX, &read->elf_bias))
    return oct_cli_usage(cmd, "bias '%s' is not a number", at + 1);
  *at = 0;
  return 0;
}

int oct_cli_read_arg(oct_read_options *read, const char *cmd, int code, char *value) {
  uint64_t number;
  switch (code) {
    case OCT_OPT_ISA:
      read->isa = value;
      return oct_isa_by_name(value) >= 0
                 ? 0
                 : oct_cli_usage(cmd, "unknown instruction set '%s'", value);
    case OCT_OPT_INSN_BYTES:
      if (!oct_cli_number(value, 15, &number) || !number)
        return oct_cli_usage(cmd, "size '%s' is not a number from 1 to 15", value);
      read->insn_bytes = (uint32_t)number;
      return 0;
    case OCT_OPT_ELF:
      return parse_elf(read, cmd, value);
    default: /* oct_cli_getopt has printed why */
      return OCT_EXIT_USAGE;
  }
}

void oct_run_args_init(oct_run_args *a) {
  memset(a, 0, sizeof *a);
  oct_config_init(&a->cfg);
  a->run.cpi_milli = 1000;
  a->run.seed = 1;
}

/* Whether the list text sets the parameter called name. */
static bool sets_param(const char *text, const char *name) {
  size_t n = strlen(name);
  for (const char *p = text; (p = strstr(p, name)); p += n)
    if ((p == text || p[-1] == ',') && p[n] == '=') return true;
  return false;
}

static int parse_engine(oct_run_args *a, const char *cmd, const char *value) {
  if (!strcmp(value, "untimed")) {
    a->run.engine = OCT_ENGINE_UNTIMED;
    a->both_engines = false;
  } else if (!strcmp(value, "cycle")) {
    a->run.engine = OCT_ENGINE_CYCLE;
    a->both_engines = false;
  } else if (!strcmp(value, "both") && !strcmp(cmd, "verify")) {
    a->both_engines = true;
  } else {
    return oct_cli_usage(cmd, "unknown engine '%s'", value);
  }
  return 0;
}

int oct_run_args_check(const oct_run_args *a, const char *cmd) {
  if (!a->cycle_option || a->both_engines || a->run.engine == OCT_ENGINE_CYCLE) return 0;
  return oct_cli_usage(cmd, "%s is for --engine cycle", a->cycle_option);
}

int oct_run_arg(oct_run_args *a, const char *cmd, int code, char *value) {
  oct_diag diag = {0};
  uint64_t number = 0;
  switch (code) {
    case 'g':
      if (oct_config_parse(&a->cfg, value, &diag) < 0)
        return oct_cli_error(OCT_EXIT_USAGE, "%s: %s (see octrace info --geometries and --params)",
                             cmd, diag.text);
      a->addr_bits_given = a->addr_bits_given || sets_param(value, "addr_bits");
      a->pc_align_given = a->pc_align_given || sets_param(value, "pc_align_bits");
      return 0;
    case OCT_OPT_ENGINE:
      return parse_engine(a, cmd, value);
    case OCT_OPT_ARRIVAL:
      a->cycle_option = "--arrival";
      return oct_arrival_parse(value, &a->run, &diag) ? oct_cli_usage(cmd, "%s", diag.text) : 0;
    case OCT_OPT_STALL:
      if (!oct_cli_number(value, 999, &number))
        return oct_cli_usage(cmd, "stall '%s' is not a number from 0 to 999", value);
      a->run.stall_milli = (uint32_t)number;
      a->cycle_option = "--stall";
      return 0;
    case OCT_OPT_DEPTHS:
      a->run.find_depths = 1;
      a->cycle_option = "--depths";
      return 0;
    case OCT_OPT_SEED:
      if (!oct_cli_number(value, UINT64_MAX, &a->run.seed))
        return oct_cli_usage(cmd, "seed '%s' is not a number", value);
      return 0;
    case OCT_OPT_FORMAT:
      return oct_cli_format(cmd, value, &a->read.format);
    case OCT_OPT_LIMIT:
      if (!oct_cli_number(value, UINT64_MAX, &a->limit) || a->limit == 0)
        return oct_cli_usage(cmd, "limit '%s' is not a number from 1", value);
      return 0;
    case OCT_OPT_SKIP:
      if (!oct_cli_number(value, UINT64_MAX, &a->skip))
        return oct_cli_usage(cmd, "skip '%s' is not a number", value);
      return 0;
    case OCT_OPT_JSON:
      a->json = true;
      return 0;
    default:
      return oct_cli_read_arg(&a->read, cmd, code, value);
  }
}

void oct_cli_fit(oct_config *cfg, bool addr_bits_given, bool pc_align_given,
                 const oct_trace_info *info) {
  oct_config defaults;
  uint32_t align_bits = 0;
  oct_config_init(&defaults);
  while (align_bits < 3 && (2u << align_bits) <= info->insn_align_bytes) align_bits++;
  if (!addr_bits_given && cfg->addr_bits < info->addr_bits) cfg->addr_bits = info->addr_bits;
  if (!pc_align_given &&
      (cfg->pc_align_bits == defaults.pc_align_bits || cfg->pc_align_bits > align_bits))
    cfg->pc_align_bits = align_bits;
}

/* Where no instruction set tells it, the addresses of the first batch tell their alignment. */
static void find_alignment(oct_cli_source *s) {
  oct_batch batch;
  oct_diag later; /* oct_reader_next will tell */
  uint64_t all = 8;
  int isa = oct_isa_by_name(s->info.isa);
  if (s->info.insn_align_bytes > 1) return;
  if (isa >= 0 && oct_isa_get((oct_isa)isa)->insn_align_bytes == 1) return;
  if (oct_reader_peek(s->reader, &batch, &later) <= 0 || !batch.n_insns) return;
  for (size_t i = 0; i < batch.n_insns; i++) all |= batch.insns[i].addr | batch.insns[i].size_bytes;
  s->info.insn_align_bytes = (uint32_t)(all & (0 - all));
  if (s->info.insn_align_bytes > 1) s->found_align_bytes = s->info.insn_align_bytes;
}

/* What was found in the first batch need not hold for the others. */
static int check_alignment(oct_cli_source *s, oct_diag *diag) {
  for (size_t i = 0; i < s->batch.n_insns; i++) {
    if (!(s->batch.insns[i].addr & (s->found_align_bytes - 1))) continue;
    if (!s->only_looks)
      return oct_fail(diag, OCT_ERR_LIMIT,
                      "%s: instruction %" PRIu64 " (0x%" PRIx64
                      ") is no multiple of %u bytes, as all before it are: run this with -g "
                      "pc_align_bits=0, or name the instruction set with --isa",
                      s->name, s->skipped + s->n_insns + i, s->batch.insns[i].addr,
                      s->found_align_bytes);
    while (s->batch.insns[i].addr & (s->found_align_bytes - 1)) s->found_align_bytes /= 2;
  }
  return 0;
}

int oct_cli_source_open(oct_cli_source *s, const char *path, oct_run_args *a, const char *verb,
                        oct_diag *diag) {
  memset(s, 0, sizeof *s);
  s->name = strcmp(path, "-") ? path : "standard input";
  s->left = a->limit ? a->limit : UINT64_MAX;
  s->skipped = a->skip;
  s->by_stamps = a->run.arrival == OCT_ARRIVAL_STAMPS;
  int error = oct_reader_open(path, &a->read, &s->reader, diag);
  if (error < 0) return error;
  if (a->skip) error = oct_reader_skip(s->reader, a->skip, diag);
  s->info = *oct_reader_info(s->reader);
  if (!a->pc_align_given) find_alignment(s);
  oct_cli_fit(&a->cfg, a->addr_bits_given, a->pc_align_given, &s->info);
  if (a->cfg.pc_align_bits == 0) s->found_align_bytes = 0;
  if (!error) error = oct_config_check(&a->cfg, diag);
  s->tracker = oct_map_tracker_new();
  if (error >= 0 && !s->tracker) error = oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  if (error < 0) {
    oct_cli_source_close(s);
    return error;
  }
  oct_progress_start(&s->progress, verb);
  return 0;
}

int oct_cli_skipped_all(const char *path, uint64_t skip, oct_diag *diag) {
  return oct_fail(diag, OCT_ERR_ARG,
                  "%s: --skip %" PRIu64 " leaves nothing: the trace has no more instructions",
                  strcmp(path, "-") ? path : "standard input", skip);
}

/* Without any stamp all would retire one a cycle, which was not asked for; and no instruction
 * retires before the one before it. */
static int check_stamps(oct_cli_source *s, oct_diag *diag) {
  for (size_t i = 0; i < s->batch.n_insns; i++) {
    const oct_insn *insn = &s->batch.insns[i];
    if (!(insn->flags & OCT_INSN_HAS_CYCLE)) continue;
    if (s->has_stamp && insn->cycle < s->last_stamp)
      return oct_fail(diag, OCT_ERR_FORMAT,
                      "%s: instruction %" PRIu64 ": expected a cycle stamp of %" PRIu64
                      " or later, as --arrival stamps goes by them, found %" PRIu64,
                      s->name, s->skipped + s->n_insns + i, s->last_stamp, insn->cycle);
    s->has_stamp = true;
    s->last_stamp = insn->cycle;
  }
  if (s->has_stamp) return 0;
  return oct_fail(diag, OCT_ERR_FORMAT,
                  "%s: expected cycle stamps, by which --arrival stamps lets instructions retire, "
                  "found none in the first %zu instruction%s",
                  s->name, s->batch.n_insns, OCT_S(s->batch.n_insns));
}

int oct_cli_source_next(oct_cli_source *s, oct_diag *diag) {
  if (!s->left) return 0;
  int got = oct_reader_next(s->reader, &s->batch, diag);
  if (!got && s->skipped && !s->n_insns) return oct_cli_skipped_all(s->name, s->skipped, diag);
  if (got <= 0) return got;
  if (s->batch.n_insns > s->left) {
    size_t n_accesses = 0;
    s->batch.n_insns = (size_t)s->left;
    for (size_t i = 0; i < s->batch.n_insns; i++) n_accesses += s->batch.insns[i].n_access;
    s->batch.n_accesses = n_accesses;
  }
  int error = s->by_stamps ? check_stamps(s, diag) : 0;
  if (!error && s->found_align_bytes) error = check_alignment(s, diag);
  if (error) return error;
  if (s->batch.n_insns > s->insns_size) {
    oct_insn *insns = realloc(s->insns, s->batch.n_insns * sizeof *insns);
    if (!insns) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
    s->insns = insns;
    s->insns_size = s->batch.n_insns;
  }
  if (s->batch.n_insns) memcpy(s->insns, s->batch.insns, s->batch.n_insns * sizeof *s->insns);
  int64_t n = oct_map_track(s->tracker, &s->batch, s->insns, &s->updates);
  if (n == OCT_ERR_LIMIT) {
    uint64_t at = oct_map_tracker_insns(s->tracker);
    return oct_fail(diag, OCT_ERR_LIMIT,
                    "%s: instruction %" PRIu64 " (0x%" PRIx64 "): expected a size of 1 to 15 bytes",
                    s->name, at, s->insns[at - s->n_insns].addr);
  }
  if (n < 0) return oct_fail(diag, (int)n, "%s: %s", s->name, oct_error_text((int)n));
  s->n_updates = (size_t)n;
  s->batch.insns = s->insns;
  s->left -= s->batch.n_insns;
  s->n_insns += s->batch.n_insns;
  s->n_accesses += s->batch.n_accesses;
  oct_progress_update(&s->progress, s->n_insns, oct_reader_bytes_read(s->reader),
                      oct_reader_bytes_total(s->reader));
  return 1;
}

void oct_cli_source_close(oct_cli_source *s) {
  oct_progress_end(&s->progress);
  oct_reader_close(s->reader);
  oct_map_tracker_free(s->tracker);
  free(s->insns);
  memset(s, 0, sizeof *s);
}
