/* SPDX-License-Identifier: Apache-2.0 */
/* oct_module_list.c - files of code that a program had in memory, as JSON and as lines. */
#include "oct_module_list.h"

#include <inttypes.h>
#include <stdio.h>

#include "oct_cli.h"
#include "oct_report.h"

static void set_text(json_t *o, const char *key, const char *value) {
  json_object_set_new(o, key, oct_report_string(value));
}

json_t *oct_module_json(const oct_module *m) {
  char text[2 * OCT_BUILD_ID_MAX + 1];
  json_t *o = json_object();
  set_text(o, "path", m->path);
  snprintf(text, sizeof text, "0x%" PRIx64, m->addr);
  set_text(o, "address", text);
  json_object_set_new(o, "bytes", json_integer((json_int_t)m->n_bytes));
  snprintf(text, sizeof text, "0x%" PRIx64, m->bias);
  set_text(o, "bias", text);
  for (unsigned i = 0; i < m->build_id_bytes; i++)
    snprintf(text + 2 * i, sizeof text - 2 * i, "%02x", m->build_id[i]);
  if (m->build_id_bytes) set_text(o, "build_id", text);
  return o;
}

void oct_modules_print(const json_t *list) {
  size_t i;
  json_t *o;
  printf("modules\n");
  json_array_foreach(list, i, o) {
    const char *id = json_string_value(json_object_get(o, "build_id"));
    printf("  %s  %s  %s\n", json_string_value(json_object_get(o, "address")),
           oct_cli_shown(json_string_value(json_object_get(o, "path"))).text,
           id ? id : "(no build id)");
  }
}
