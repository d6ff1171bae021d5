/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_settings.c - any text as what a user writes, and any bytes as what a sweep left: each is
 * taken or refused.
 *
 * The first byte chooses: 0 a VPC specification, 1 the settings of a codec, 2 a geometry, 3 how
 * instructions arrive, 4 a cache, 5 a plan of a sweep, 6 its journal. */
#include <stdio.h>
#include <string.h>

#include "oct_cache.h"
#include "octrace/codec.h"
#include "oct_config.h"
#include "oct_fuzz.h"
#include "octrace/sweep.h"
#include "oct_plan_file.h"
#include "octrace/tracer.h"

static const char *folder;

static const char *path_of(const char *name) {
  static char path[4200];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

static void remove_folder(void) {
  unlink(path_of("j"));
  unlink(path_of("j.0000000000000001.part"));
  rmdir(folder);
}

static void save(const char *path, const void *bytes, size_t n) {
  FILE *f = fopen(path, "wb");
  if (!f || fwrite(bytes, 1, n, f) != n || fclose(f)) abort();
}

static void take_codec(const char *text) {
  oct_codec_settings s, again;
  oct_layout layout = {0};
  oct_diag diag;
  char printed[OCT_CODEC_TEXT_MAX + 256];
  if (oct_codec_parse(text, &s, &diag)) return;
  if (s.codec->layout && s.codec->layout(&s, &layout, &diag)) return;
  if (s.codec->takes == OCT_TAKES_SPEC && !oct_layout_bytes(&layout)) abort();
  /* What is printed says the same. */
  if (oct_codec_print(&s, printed, sizeof printed) >= sizeof printed) abort();
  if (oct_codec_parse(printed, &again, &diag) || strcmp(s.option_text, again.option_text)) abort();
}

enum { STATE_BYTES = 4096 }; /* that a geometry of a plan may have */

static void take_plan(const char *text, size_t n) {
  oct_plan plan;
  uint32_t base[OCT_TRACER_PARAMS_MAX];
  oct_diag diag;
  char path[32];
  bool has_unnamed = false;
  int fd = fuzz_file((const uint8_t *)text, n, path);
  oct_tracer_defaults(oct_tracer_at(0), base);
  oct_plan_init(&plan, oct_tracer_at(0));
  plan.max_state_bytes = n % 2 ? STATE_BYTES : 0;
  if (!oct_plan_file_load(&plan, path, base, &has_unnamed, &diag)) {
    for (size_t i = 0; i < plan.n; i++)
      if (oct_tracer_check(oct_tracer_at(0), plan.geometries[i].params, &diag)) abort();
    int line = oct_plan_line_param(oct_tracer_at(0), plan.geometries, plan.n);
    if (line >= (int)oct_tracer_at(0)->n_params) abort();
  }
  oct_plan_free(&plan);
  close(fd);
}

static void take_journal(const char *text, size_t n) {
  oct_journal *j;
  oct_diag diag;
  save(path_of("j"), text, n);
  if (oct_journal_open(path_of("j"), true, &j, &diag)) return;
  uint64_t values[OCT_TRACER_COUNTERS_MAX];
  oct_journal_find(j, 0, oct_tracer_at(0), values);
  oct_journal_close(j);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static int ready;
  oct_config cfg;
  oct_cache_config cache = {0};
  oct_run_options run = {0};
  oct_diag diag;
  if (!ready) {
    ready = 1;
    folder = fuzz_folder();
    atexit(remove_folder);
  }
  if (!size) return 0;
  size_t n = size - 1;
  char *text = malloc(n + sizeof "vpc:spec="), *own = text + sizeof "vpc:spec=" - 1;
  if (!text) abort();
  memcpy(text, "vpc:spec=", sizeof "vpc:spec=" - 1);
  if (n) memcpy(own, data + 1, n);
  own[n] = '\0';
  oct_config_init(&cfg);
  switch (data[0]) {
    case 0:
    case 1:
      take_codec(data[0] ? own : text);
      break;
    case 2:
      oct_config_parse(&cfg, own, &diag);
      break;
    case 3:
      oct_arrival_parse(own, &run, &diag);
      break;
    case 4:
      oct_cache_config_parse(own, &cache, &diag);
      break;
    case 5:
      take_plan(own, n);
      break;
    case 6:
      take_journal(own, n);
      break;
  }
  free(text);
  return 0;
}
