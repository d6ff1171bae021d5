/* SPDX-License-Identifier: Apache-2.0 */
/* oct_module_text.c - files of code as lines of the heads of compressed files. */
#include "oct_module_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBERS_BYTES = sizeof OCT_MODULE_KEY + 1 + 3 * 17, LINE_BYTES = 512 };

/* The line up to the path. */
static size_t print_numbers(char *line, const oct_module *m) {
  char *p = line + sprintf(line, OCT_MODULE_KEY ": %" PRIx64 " %" PRIx64 " %" PRIx64 " ", m->addr,
                           m->n_bytes, m->bias);
  for (unsigned i = 0; i < m->build_id_bytes; i++) p += sprintf(p, "%02x", m->build_id[i]);
  p += sprintf(p, "%s", m->build_id_bytes ? " " : "- ");
  return (size_t)(p - line);
}

int oct_modules_put(oct_buffer *text, size_t room_bytes, const oct_module *modules, size_t n) {
  char line[LINE_BYTES];
  _Static_assert(NUMBERS_BYTES + 2 * OCT_BUILD_ID_MAX + 2 < LINE_BYTES, "a line does not fit");
  for (size_t i = 0; i < n; i++) {
    const size_t path_bytes = strlen(modules[i].path),
                 head_bytes = print_numbers(line, &modules[i]);
    if (head_bytes + path_bytes + 1 > room_bytes) return 0;
    room_bytes -= head_bytes + path_bytes + 1;
    int error = oct_buffer_put(text, line, head_bytes);
    const size_t at = text->n_bytes;
    if (!error) error = oct_buffer_put(text, modules[i].path, path_bytes);
    if (!error) error = oct_buffer_put(text, "\n", 1);
    if (error) return error;
    for (size_t k = at; k < at + path_bytes; k++)
      if (text->bytes[k] < ' ') text->bytes[k] = ' ';
  }
  return 0;
}

/* Two digits, or -1. */
static int byte_of(const char *p) {
  unsigned byte;
  int n = 0;
  return sscanf(p, "%2x%n", &byte, &n) == 1 && n == 2 && p[0] != ' ' ? (int)byte : -1;
}

int oct_module_parse(const char *value, oct_module *m) {
  int n = 0;
  *m = (oct_module){0};
  if (sscanf(value, "%16" SCNx64 " %16" SCNx64 " %16" SCNx64 "%n", &m->addr, &m->n_bytes, &m->bias,
             &n) != 3 ||
      value[n] != ' ')
    return OCT_ERR_FORMAT;
  const char *p = value + n + 1;
  if (*p == '-') {
    p++;
  } else {
    for (int byte; *p != ' '; p += 2) {
      if (m->build_id_bytes == OCT_BUILD_ID_MAX || (byte = byte_of(p)) < 0) return OCT_ERR_FORMAT;
      m->build_id[m->build_id_bytes++] = (uint8_t)byte;
    }
  }
  if (*p != ' ' || !p[1]) return OCT_ERR_FORMAT;
  m->path = p + 1;
  return 0;
}

int oct_modules_tell(const char *lines, oct_module_tell_fn *tell, void *context, oct_diag *diag) {
  char *own = strdup(lines), *next = NULL;
  int error = own ? 0 : oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  for (char *line = own ? strtok_r(own, "\n", &next) : NULL; !error && line;
       line = strtok_r(NULL, "\n", &next)) {
    oct_module module;
    error = oct_module_parse(line + strlen(OCT_MODULE_KEY ": "), &module);
    if (!error) error = tell(context, &module, diag);
  }
  free(own);
  return error;
}
