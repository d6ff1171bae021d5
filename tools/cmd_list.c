/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_list.c - octrace list: the formats, tracers and codecs, and the geometries and parameters of
 * a tracer.
 *
 * The range of a parameter is narrower than its own where a rule over several parameters forbids a
 * part: it is found by trying values. */
#include <inttypes.h>
#include <string.h>

#include "oct_cli.h"
#include "oct_codec_cli.h"
#include "oct_near.h"
#include "oct_report.h"
#include "octrace/codec.h"

const char oct_help_list[] =
    "Usage: octrace list formats|tracers|codecs [--json]\n"
    "       octrace list geometries|params [--tracer NAME] [-g G] [--json]\n"
    "List the formats of traces and which can be written, the tracers, the codecs with their\n"
    "options, or the named geometries or the parameters of a tracer.\n\n" OCT_TRACER_HELP
    "      --json          as JSON\n" OCT_READ_EXIT_HELP;

static void set_text(json_t *o, const char *name, const char *value) {
  json_object_set_new(o, name, oct_report_string(value));
}

static int list_tracers(bool json) {
  json_t *o = json_object();
  for (unsigned i = 0; oct_tracer_at(i); i++)
    set_text(o, oct_tracer_at(i)->name, oct_tracer_at(i)->text);
  return oct_report_object(o, json, NULL);
}

static int list_geometries(const oct_tracer *t, bool json) {
  json_t *o = json_object();
  for (unsigned i = 0; i < t->n_geometries; i++)
    set_text(o, t->geometries[i].name, t->geometries[i].text);
  return oct_report_object(o, json, NULL);
}

/* Whether parameter i may have that value while the others stay. */
static bool may_be(const oct_tracer *t, const uint32_t *params, unsigned i, uint64_t value) {
  uint32_t changed[OCT_TRACER_PARAMS_MAX];
  oct_diag diag;
  memcpy(changed, params, sizeof changed);
  changed[i] = (uint32_t)value;
  return value <= t->params[i].max && !oct_tracer_check(t, changed, &diag);
}

/* The value at which a parameter becomes legal, from a refused one to a legal one on the same side
 * of which all are. */
static uint64_t border(const oct_tracer *t, const uint32_t *params, unsigned i, uint64_t refused,
                       uint64_t legal) {
  while (legal > refused + 1 || refused > legal + 1) {
    uint64_t middle = (refused + legal) / 2;
    if (may_be(t, params, i, middle))
      legal = middle;
    else
      refused = middle;
  }
  return legal;
}

/* Of a range of few values, of which some in the middle are refused, print all. */
static bool print_few(const oct_tracer *t, const uint32_t *params, unsigned i, uint64_t least,
                      uint64_t most) {
  enum { FEW = 16 };
  bool has_hole = false;
  for (uint64_t v = least; least <= most && most - least < FEW && v <= most; v++)
    has_hole |= !may_be(t, params, i, v);
  for (uint64_t v = least, first; has_hole && v <= most; v++) {
    if (!may_be(t, params, i, v)) continue;
    for (first = v; v < most && may_be(t, params, i, v + 1);) v++;
    printf("%s%" PRIu64, first == least ? "" : ", ", first);
    if (v > first) printf("..%" PRIu64, v);
  }
  return has_hole;
}

/* What parameter i may be while the others stay: its own range is wider where a rule over several
 * parameters forbids part of it. */
static void print_range(const oct_tracer *t, const uint32_t *params, unsigned i) {
  const oct_param *p = &t->params[i];
  uint64_t least = p->min ? p->min : 1, most = p->max;
  bool is_pow2 = p->rule == OCT_POW2, zero = may_be(t, params, i, 0);
  uint64_t refused = least;
  for (; least <= p->max && !may_be(t, params, i, least); least *= 2) refused = least;
  if (least > p->max && params[i]) least = params[i];
  if (!is_pow2 && least > refused) least = border(t, params, i, refused, least);
  while (is_pow2 && most > least && !may_be(t, params, i, most)) most /= 2;
  if (!is_pow2 && !may_be(t, params, i, most)) most = border(t, params, i, most, params[i]);
  if (!is_pow2 && print_few(t, params, i, zero && least == 1 ? 0 : least, most)) return;
  if (zero && (least > most || least > p->max))
    printf("0");
  else if (zero && least == 1)
    printf("0..%" PRIu64, most);
  else /* between the ends all is legal, or nothing */
    printf("%s%" PRIu64 "%s%" PRIu64, zero ? "0 or " : "", least,
           is_pow2 || least == most || may_be(t, params, i, least + 1) ? ".." : " or ", most);
  if (is_pow2) printf(" (power of two)");
}

static int list_params(const oct_tracer *t, const uint32_t *params, bool json) {
  if (json) return oct_report_print(oct_report_params(t, params));
  for (unsigned i = 0; i < t->n_params; i++) {
    printf("%-18s %8" PRIu32 "  ", t->params[i].name, params[i]);
    print_range(t, params, i);
    printf("  %s\n", t->params[i].text);
  }
  return OCT_EXIT_OK;
}

static int list_formats(bool json) {
  json_t *o = json ? json_object() : NULL;
  for (int i = 1; i <= oct_format_count(); i++) {
    const oct_format f = (oct_format)i;
    const char *use = oct_format_can_write(f) ? "read, write" : "read";
    if (json)
      set_text(o, oct_format_name(f), use);
    else
      printf("%-16s %-12s %s\n", oct_format_name(f), use, oct_format_text(f));
  }
  return json ? oct_report_object(o, true, NULL) : OCT_EXIT_OK;
}

static int list_codecs(bool json) {
  if (!json) return oct_codec_list(), OCT_EXIT_OK;
  json_t *o = json_object();
  for (unsigned i = 0; oct_codec_at(i); i++)
    set_text(o, oct_codec_at(i)->name, oct_codec_at(i)->text);
  return oct_report_object(o, true, NULL);
}

static const char *const lists[] = {"formats", "tracers", "codecs", "geometries", "params", NULL};

static const char *near_lists(const void *context, unsigned i) {
  (void)context;
  return lists[i];
}

int oct_cmd_list(int argc, char **argv) {
  static const struct option options[] = {
      OCT_TRACER_OPTIONS, {"json", no_argument, NULL, OCT_OPT_JSON}, {NULL, 0, NULL, 0}};
  oct_run_args a;
  int c;
  oct_run_args_init(&a);
  while ((c = oct_cli_getopt("list", argc, argv, "g:", options)) != -1) {
    int code = oct_run_arg(&a, "list", c, optarg);
    if (code) return code;
  }
  if ((c = oct_run_args_check(&a, "list")) != 0) return c;
  if (optind + 1 != argc)
    return oct_cli_usage("list", "expected formats, tracers, codecs, geometries or params");
  const char *what = argv[optind];
  if (!strcmp(what, "formats")) return list_formats(a.json);
  if (!strcmp(what, "tracers")) return list_tracers(a.json);
  if (!strcmp(what, "codecs")) return list_codecs(a.json);
  if (!strcmp(what, "geometries")) return list_geometries(a.tracer, a.json);
  if (!strcmp(what, "params")) return list_params(a.tracer, a.params, a.json);
  return oct_cli_usage(
      "list", "unknown list '%s': expected formats, tracers, codecs, geometries or params%s", what,
      oct_near(what, "", near_lists, NULL).text);
}
