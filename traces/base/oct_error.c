/* SPDX-License-Identifier: Apache-2.0 */
/* oct_error.c - errors as values: their names, their words, and the line that a user sees. */
#include "octrace/error.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *oct_error_name(int error) {
  switch (error) {
#define OCT_X(name, value, text) \
  case name:                     \
    return #name;
    OCT_ERRORS(OCT_X)
#undef OCT_X
    case OCT_OK:
      return "OCT_OK";
    default:
      return "OCT_ERR_?";
  }
}

const char *oct_error_text(int error) {
  switch (error) {
#define OCT_X(name, value, text) \
  case name:                     \
    return text;
    OCT_ERRORS(OCT_X)
#undef OCT_X
    case OCT_OK:
      return "no error";
    default:
      return "unknown error";
  }
}

/* Put text into room bytes. Where it is too long, both ends are kept. */
static void put_text(char *out, size_t room, const char *text) {
  const size_t n = strlen(text), begin = (room - 4) / 3, end = room - 4 - begin;
  if (n < room)
    memcpy(out, text, n + 1);
  else
    snprintf(out, room, "%.*s...%s", (int)begin, text, text + n - end);
}

/* Paths that errors named are kept once each, so that a diag is a plain value. */
typedef struct kept {
  struct kept *next;
  char path[];
} kept;
static _Atomic(kept *) all_kept;

static const char *keep(const char *path) {
  kept *first = atomic_load(&all_kept);
  for (const kept *k = first; k; k = k->next)
    if (!strcmp(k->path, path)) return k->path;
  const size_t n = strlen(path) + 1;
  kept *k = malloc(sizeof *k + n);
  if (!k) return NULL;
  memcpy(k->path, path, n);
  k->next = first;
  while (!atomic_compare_exchange_weak(&all_kept, &k->next, k)) continue;
  return k->path;
}

static void fill(oct_diag *diag, const oct_diag *head, const char *format, va_list args) {
  char text[8192]; /* the arguments may be of *diag */
  vsnprintf(text, sizeof text, format, args);
  *diag = *head;
  put_text(diag->text, sizeof diag->text, text);
}

int oct_fail(oct_diag *diag, int error, const char *format, ...) {
  if (!diag) return error;
  va_list args;
  va_start(args, format);
  fill(diag, &(oct_diag){.error = error}, format, args);
  va_end(args);
  return error;
}

int oct_fail_in(oct_diag *diag, int error, const char *path, const char *format, ...) {
  if (!diag) return error;
  va_list args;
  va_start(args, format);
  fill(diag, &(oct_diag){.error = error, .path = keep(path)}, format, args);
  va_end(args);
  return error;
}

int oct_fail_at(oct_diag *diag, int error, oct_unit unit, uint64_t at, const char *format, ...) {
  if (!diag) return error;
  va_list args;
  va_start(args, format);
  fill(diag, &(oct_diag){.error = error, .unit = unit, .at = at}, format, args);
  va_end(args);
  return error;
}

int oct_fail_insn(oct_diag *diag, int error, uint64_t insn, uint64_t addr, const char *format,
                  ...) {
  if (!diag) return error;
  va_list args;
  va_start(args, format);
  const oct_diag head = {
      .error = error, .unit = OCT_AT_INSN, .at = insn, .has_addr = true, .addr = addr};
  fill(diag, &head, format, args);
  va_end(args);
  return error;
}

int oct_fail_param(oct_diag *diag, int error, const char *param, uint32_t value, const char *format,
                   ...) {
  if (!diag) return error;
  va_list args;
  va_start(args, format);
  const oct_diag head = {
      .error = error, .origin = OCT_ORIGIN_PARAM, .param = param, .value = value};
  fill(diag, &head, format, args);
  va_end(args);
  return error;
}

int oct_diag_in(oct_diag *diag, const char *path, int error) {
  if (error < 0 && diag && !diag->path) diag->path = keep(path);
  return error;
}

int oct_diag_at(oct_diag *diag, oct_unit unit, uint64_t at, int error) {
  if (error < 0 && diag && !diag->unit) diag->unit = unit, diag->at = at;
  return error;
}

int oct_diag_other(oct_diag *diag, const char *path, int error) {
  if (error < 0 && diag && !diag->other) diag->other = keep(path);
  return error;
}

int oct_diag_from(oct_diag *diag, oct_origin origin, int error) {
  if (error < 0 && diag && !diag->origin) diag->origin = origin;
  return error;
}

int oct_diag_pass(oct_diag *diag, const oct_diag *why, int error) {
  if (diag) *diag = *why, diag->error = error;
  return error;
}

oct_diag_text oct_diag_reason(const oct_diag *diag) {
  static const struct {
    const char *before, *after;
  } words[] = {[OCT_AT_LINE] = {"line ", ""},
               [OCT_AT_BYTE] = {"offset ", ""},
               [OCT_AT_UNPACKED_BYTE] = {"offset ", " of the unpacked data"},
               [OCT_AT_BIT] = {"bit ", ""},
               [OCT_AT_BEFORE_BIT] = {"before bit ", ""},
               [OCT_AT_INSN] = {"instruction ", ""},
               [OCT_AT_BEFORE_INSN] = {"before instruction ", ""}};
  oct_diag_text line;
  size_t n = 0;
  if (diag->param)
    n = (size_t)snprintf(line.text, sizeof line.text, "%.200s=%" PRIu32 ": ", diag->param,
                         diag->value);
  if (diag->unit)
    n += (size_t)snprintf(line.text + n, sizeof line.text - n, "%s%" PRIu64 "%s",
                          words[diag->unit].before, diag->at, words[diag->unit].after);
  if (diag->has_addr)
    n += (size_t)snprintf(line.text + n, sizeof line.text - n, " (0x%" PRIx64 ")", diag->addr);
  n += (size_t)snprintf(line.text + n, sizeof line.text - n, "%s%s", diag->unit ? ": " : "",
                        diag->text[0] ? diag->text : oct_error_text(diag->error));
  if (diag->other) {
    char other[4200];
    put_text(other, sizeof other, diag->other);
    snprintf(line.text + n, sizeof line.text - n, " (%s)", other);
  }
  return line;
}

oct_diag_text oct_diag_line(const oct_diag *diag) {
  oct_diag_text reason = oct_diag_reason(diag), line;
  if (!diag->path) return reason;
  const bool is_line = diag->unit == OCT_AT_LINE && !diag->param;
  const char *rest = is_line ? reason.text + sizeof "line " - 1 : reason.text;
  put_text(line.text, sizeof line.text - strlen(rest) - 3, diag->path);
  char *end = strchr(line.text, 0);
  *end++ = ':';
  if (!is_line) *end++ = ' ';
  memcpy(end, rest, strlen(rest) + 1);
  return line;
}
