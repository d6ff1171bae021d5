/* SPDX-License-Identifier: Apache-2.0 */
/* oct_codec_shadow.c - the codec that keeps whole traces as the tracer `shadow` sends them, with
 * tables as large as pays (docs/codecs.md): its options, and its machine by name.
 *
 * It takes no records, so it has no functions for them: oct_trace_split.c and oct_trace_join.c know
 * it by what it takes. */
#include <inttypes.h>
#include <stdio.h>

#include "oct_shadow_segments.h"
#include "octrace/tracer.h"

enum { OPTION_ITEMS, OPTION_MACHINE, N_OPTIONS };

/* An instruction or an access takes less than this in a port stream, headers aside. */
enum { ITEM_BYTES = 12, SEGMENT_LEAST_BYTES = 1 << 20 };
/* So that a segment is none that a reader refuses. */
#define ITEMS_MAX ((((uint64_t)OCT_CODEC_SEGMENT_MIB_MAX << 20) - SEGMENT_LEAST_BYTES) / ITEM_BYTES)

static const oct_codec_option options[N_OPTIONS] = {
    [OPTION_ITEMS] = {.name = "items",
                      .kind = OCT_OPTION_NUMBER,
                      .def = 16777216,
                      .min = 1,
                      .max = ITEMS_MAX,
                      .text = "instructions and accesses of a segment: a thread's work at a time"},
    [OPTION_MACHINE] = {.name = "machine",
                        .kind = OCT_OPTION_TEXT,
                        .choices = "shadow-archive",
                        .text = "geometry or parameters of the tracer `shadow`; comes last"},
};

static uint64_t segment_bytes(const oct_codec_settings *settings) {
  return settings->value[OPTION_ITEMS] * ITEM_BYTES + SEGMENT_LEAST_BYTES;
}

/* The machine that the text names. OCT_ERR_CONFIG. */
static int parse_machine(const oct_codec_settings *settings, uint32_t *values, bool *given,
                         oct_diag *diag) {
  const oct_tracer *t = oct_tracer_find("shadow");
  oct_diag why;
  oct_tracer_defaults(t, values);
  int error = oct_tracer_parse(t, settings->option_text, values, given, &why);
  if (!error) return 0;
  if (error != OCT_ERR_CONFIG) return oct_diag_pass(diag, &why, error);
  return oct_fail(
      diag, error,
      "machine: %s; everything after machine= is of the tracer shadow (octrace list params "
      "--tracer shadow), so options of the codec come before it",
      oct_diag_reason(&why).text);
}

static int check_settings(const oct_codec_settings *settings, oct_layout *layout, oct_diag *diag) {
  uint32_t values[OCT_TRACER_PARAMS_MAX];
  (void)layout;
  return parse_machine(settings, values, NULL, diag);
}

uint64_t oct_shadow_segment_items(const oct_codec_settings *settings) {
  uint64_t items = settings->value[OPTION_ITEMS], most = settings->segment_bytes / ITEM_BYTES;
  return items < most ? items : most;
}

static int fit_machine(oct_codec_settings *settings, const oct_trace_info *info, oct_diag *diag) {
  const oct_tracer *t = oct_tracer_find("shadow");
  uint32_t values[OCT_TRACER_PARAMS_MAX];
  bool given[OCT_TRACER_PARAMS_MAX] = {false};
  int error = parse_machine(settings, values, given, diag);
  if (!error)
    error =
        oct_tracer_fit(t, values, given, info->isa, info->addr_bits, info->insn_align_bytes, diag);
  if (error) return error;
  settings->group = 1;
  int task_bits = oct_tracer_role(t, OCT_ROLE_TASK_BITS);
  values[task_bits] = t->params[task_bits].max;
  size_t n = 0;
  for (unsigned i = 0; i < t->n_params && n < sizeof settings->option_text; i++)
    n += (size_t)snprintf(settings->option_text + n, sizeof settings->option_text - n,
                          "%s%s=%" PRIu32, i ? "," : "", t->params[i].name, values[i]);
  if (n < sizeof settings->option_text) return 0;
  return oct_fail(diag, OCT_ERR_CONFIG, "machine: its parameters do not fit the file's head");
}

static const oct_segment_codec segments = {
    .fit = fit_machine,
    .put_new = oct_shadow_put_new,
    .put_map = oct_shadow_put_map,
    .put_bytes = oct_shadow_put_bytes,
    .put_insns = oct_shadow_put_insns,
    .put_room = oct_shadow_put_room,
    .put_is_full = oct_shadow_put_is_full,
    .put_cut = oct_shadow_put_cut,
    .put_finish = oct_shadow_put_finish,
    .put_free = oct_shadow_put_free,
    .get_new = oct_shadow_get_new,
    .get_ahead = oct_shadow_get_ahead,
    .get_add = oct_shadow_get_add,
    .get_insn = oct_shadow_get_insn,
    .get_stride = oct_shadow_get_stride,
    .get_end = oct_shadow_get_end,
    .get_drop = oct_shadow_get_drop,
    .get_free = oct_shadow_get_free,
};

const oct_codec oct_codec_shadow = {
    .name = "shadow",
    .version = 4,
    .oldest_version = 4, /* older ones were never released */
    .text = "whole traces as the tracer `shadow` sends them, with large tables",
    .takes = OCT_TAKES_TRACE,
    .segments = &segments,
    .lossless = true,
    .stage = OCT_GENERAL_XZ,
    .level = 6,
    .options = options,
    .n_options = N_OPTIONS,
    .layout = check_settings,
    .segment_bytes = segment_bytes,
};
