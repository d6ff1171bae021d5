/* SPDX-License-Identifier: Apache-2.0 */
/* oct_select_cli.c - the options that select a part of a trace by its meaning. */
#include "oct_select_cli.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "oct_session.h"
#include "oct_start.h"
#include "octrace/error.h"

/* LOW-HIGH, LOW-, -HIGH or one number. */
static bool parse_range(const char *text, uint64_t max, uint64_t *first, uint64_t *last) {
  char low[32];
  const char *dash = strchr(text, '-');
  size_t n = dash ? (size_t)(dash - text) : strlen(text);
  if (!n && (!dash || !dash[1])) return false;
  if (n >= sizeof low) return false;
  memcpy(low, text, n);
  low[n] = '\0';
  *first = 0;
  *last = max;
  if (n && !oct_cli_number(low, max, first)) return false;
  if (!dash) *last = *first;
  if (dash && dash[1] && !oct_cli_number(dash + 1, max, last)) return false;
  return *first <= *last;
}

static bool parse_privilege(const char *text, uint64_t *privilege) {
  static const struct {
    const char *name;
    uint64_t value;
  } names[] = {{"u", 0}, {"s", 1}, {"m", 3}, {"el0", 0}, {"el1", 1}, {"el2", 2}, {"el3", 3}};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    if (strcasecmp(text, names[i].name)) continue;
    *privilege = names[i].value;
    return true;
  }
  return oct_cli_number(text, OCT_PRIVILEGE_MAX, privilege);
}

int oct_select_arg(oct_select_args *a, const char *cmd, int code, const char *value) {
  oct_select_kind kind = OCT_SELECT_ADDR;
  uint64_t first = 0, last = 0;
  if (!a->select && !(a->select = oct_select_new()))
    return oct_cli_error(OCT_EXIT_INPUT, "out of memory");
  switch (code) {
    case OCT_OPT_FUNCTION:
      if (a->n_functions == OCT_SELECT_FUNCTIONS_MAX)
        return oct_cli_usage(cmd, "--function: expected at most %d", OCT_SELECT_FUNCTIONS_MAX);
      a->functions[a->n_functions++] = value;
      return 0;
    case OCT_OPT_RANGE:
      if (!parse_range(value, UINT64_MAX, &first, &last))
        return oct_cli_usage(cmd, "--range: expected LOW-HIGH (0x8000-0x8fff), found '%s'", value);
      a->has_decimal_range |= !strpbrk(value, "xX");
      break;
    case OCT_OPT_PRIVILEGE:
      kind = OCT_SELECT_PRIVILEGE;
      if (!parse_privilege(value, &first))
        return oct_cli_usage(cmd,
                             "--privilege: expected u, s, m, el0 to el3 or 0 to %d, found '%s'",
                             OCT_PRIVILEGE_MAX, value);
      last = first;
      break;
    case OCT_OPT_TASK:
      kind = OCT_SELECT_TASK;
      if (!parse_range(value, UINT32_MAX, &first, &last))
        return oct_cli_usage(cmd, "--task: expected a task or a range of tasks, found '%s'", value);
      break;
    default:
      kind = OCT_SELECT_TIME;
      a->by_time = true;
      if (!strchr(value, '-') || !parse_range(value, UINT64_MAX, &first, &last))
        return oct_cli_usage(cmd, "--time: expected LOW-HIGH in cycles, found '%s'", value);
  }
  return oct_select_add(a->select, kind, first, last)
             ? oct_cli_error(OCT_EXIT_INPUT, "out of memory")
             : 0;
}

/* By the whole name, or by that before the parameters of C++. */
static bool is_named(const char *symbol, const char *name) {
  size_t n = strlen(name);
  return !strncmp(symbol, name, n) && (!symbol[n] || symbol[n] == '(');
}

/* Select the functions of the files that are known, once more or for the first time. */
static int add_functions(oct_select_args *a) {
  for (size_t i = 0; i < a->n_functions; i++) {
    for (size_t k = 0; k < a->symbols.n; k++) {
      oct_symbol_range symbol = oct_symbols_at(&a->symbols, k);
      if (!is_named(symbol.name, a->functions[i])) continue;
      a->is_found[i] = true;
      if (oct_select_add(a->select, OCT_SELECT_ADDR, symbol.first, symbol.end - 1))
        return OCT_ERR_NOMEM;
    }
  }
  return 0;
}

/* The first that was not found, or NULL. */
static const char *missing_function(const oct_select_args *a) {
  for (size_t i = 0; i < a->n_functions; i++)
    if (!a->is_found[i]) return a->functions[i];
  return NULL;
}

int oct_select_look_up(oct_select_args *a, const oct_read_options *read) {
  oct_diag diag;
  if (!a->n_functions) return 0;
  oct_select_await(a->select, OCT_SELECT_ADDR);
  if (oct_symbols_add_all(&a->symbols, read, &diag)) return oct_cli_diag(NULL, &diag);
  if (add_functions(a)) return oct_cli_error(OCT_EXIT_INPUT, "out of memory");
  const char *missing = missing_function(a);
  if (!missing || !oct_symbols_are_named(read)) return 0;
  return oct_cli_error(OCT_EXIT_INPUT, "--function: no file of --elf has a function '%s'", missing);
}

static int tell_registers(void *context, uint64_t n, uint64_t addr, uint32_t task, bool goes_on,
                          oct_select_register *tell, void *select) {
  oct_select_args *a = context;
  oct_diag diag;
  int rc = oct_session_go(a->session, a->skip + n, &diag);
  if (rc == OCT_ERR_NOMEM) return rc;
  /* Where it cannot be read, or is another one meanwhile, nothing is known. */
  if (rc || oct_session_at(a->session) != a->skip + n || oct_session_pc(a->session) != addr)
    return 0;
  return oct_start_registers(a->session, task, goes_on, tell, select);
}

void oct_select_follow(oct_select_args *a, const char *path, const oct_read_options *read,
                       uint64_t skip) {
  struct stat st;
  oct_diag ignored;
  oct_read_options options = *read;
  options.tell_gap = NULL;
  a->wants_values = true;
  if (!a->select || stat(path, &st) || !S_ISREG(st.st_mode) ||
      oct_session_start(path, &options, &a->session, &ignored))
    return;
  a->skip = skip;
  oct_select_keep_values(a->select, tell_registers, a);
}

int oct_select_batch(oct_select_args *a, const oct_reader *reader, const oct_read_options *read,
                     oct_batch *b, oct_diag *diag) {
  const size_t n_before = a->symbols.n;
  oct_batch kept;
  if (!a->select) return 0;
  int error = a->n_functions ? oct_symbols_add_modules(&a->symbols, reader, read, diag) : 0;
  if (error) return error;
  if ((a->symbols.n > n_before && add_functions(a)) || oct_select_put(a->select, b, &kept))
    return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  *b = kept;
  return 0;
}

/* A function is in no file that the trace names. */
static int fail_missing(const oct_select_args *a, const char *path, const char *missing,
                        oct_diag *diag) {
  const oct_symbols *s = &a->symbols;
  const char *name = oct_cli_input_name(path);
  if (!s->n_modules)
    return oct_fail_in(
        diag, OCT_ERR_ARG, name,
        "names no file of its program, to look up --function %s: --elf FILE names it", missing);
  if (s->other)
    return oct_fail_in(
        diag, OCT_ERR_ARG, name,
        "no function '%s': %s is another build now than was traced: --elf FILE names "
        "the traced one",
        missing, s->other);
  return oct_fail_in(diag, OCT_ERR_ARG, name,
                     "no function '%s' in %s: --elf FILE[@BIAS] names another", missing,
                     s->n_found ? "the files that are here as they were traced"
                                : "its files, as none is here with a build id that was traced");
}

int oct_select_end(const oct_select_args *a, const char *path, oct_diag *diag) {
  if (!a->select) return 0;
  oct_select_counts n = oct_select_get_counts(a->select);
  const char *missing = missing_function(a);
  if (missing && n.n_insns) return fail_missing(a, path, missing, diag);
  if (n.n_kept || !n.n_insns) return 0;
  return oct_fail_in(diag, OCT_ERR_ARG, oct_cli_input_name(path),
                     "the options select none of %" PRIu64 " instruction%s%s", n.n_insns,
                     OCT_S(n.n_insns),
                     a->by_time && !n.has_stamps ? ", which have no cycle stamps"
                     : a->has_decimal_range      ? "; numbers of --range without 0x are decimal"
                                                 : "");
}

void oct_select_tell(const oct_select_args *a, const char *path) {
  if (!a->select) return;
  oct_select_counts n = oct_select_get_counts(a->select);
  if (n.n_kept < n.n_insns)
    oct_cli_error(0,
                  "note: %s: kept %" PRIu64 " of %" PRIu64 " instruction%s, in %" PRIu64
                  " piece%s, which now follow each other",
                  oct_cli_input_name(path), n.n_kept, n.n_insns, OCT_S(n.n_insns), n.n_pieces,
                  OCT_S(n.n_pieces));
  if (n.has_lost_values && a->wants_values)
    oct_cli_error(0,
                  "note: %s: values, registers and memory are left out: to keep them takes a file, "
                  "which is read twice, and an emulator that executes it",
                  oct_cli_input_name(path));
  if (n.n_unknown)
    oct_cli_error(0,
                  "note: %s: %" PRIu64
                  " gap%s, as registers are not known after instructions that are left out",
                  oct_cli_input_name(path), n.n_unknown, OCT_S(n.n_unknown));
  oct_symbols_tell(&a->symbols, path);
}

void oct_select_args_free(oct_select_args *a) {
  oct_select_free(a->select);
  oct_symbols_free(&a->symbols);
  oct_session_close(a->session);
  a->select = NULL;
  a->session = NULL;
}
