/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_events.c - octrace events: finds the command and reads its options. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oct_events_cli.h"
#include "oct_near.h"

const char oct_help_events[] =
    "Usage: octrace events compress [OPTION...] TRACE [-o FILE.octev]\n"
    "       octrace events decompress [--to F] FILE.octev [-o OUT]\n"
    "       octrace events extract [--begin T] [--end T] [--thread NAME...] [--to F] FILE.octev\n"
    "       octrace events convert [--from F] --to F TRACE -o OUT\n"
    "       octrace events verify FILE.octev TRACE\n"
    "       octrace events info [--json] FILE.octev\n"
    "       octrace events patterns [--html FILE] [--limit N] [--json] FILE.octev\n"
    "Compress function call traces by their repeated patterns, extract any part, and show the\n"
    "patterns. TRACE: an OTF2 archive, a data directory of uftrace record, the output of\n"
    "uftrace dump, or text with lines `time thread enter|leave function`.\n\n"
    "  -o, --output OUT    default: the TRACE's name with .octev; else standard output\n"
    "      --from F        format of TRACE: auto, otf2, uftrace, uftrace-dump, text, octev\n"
    "      --to F          format of OUT: text (default), otf2, octev, records (18 bytes per "
    "event)\n"
    "  compress:\n"
    "  -n, --order N       most events of a meta-event, 2 to 65536 (default 256); 0: none\n"
    "      --lossy         keep time differences only within the thresholds\n"
    "      --tabs T        absolute threshold Tabs: ticks, or with s, ms, us, ns (default 1us)\n"
    "      --trel R        relative threshold Trel, 0 to 1 (default 0.25)\n"
    "      --drift T       lossy: how far a time stamp may be off (default 1ms)\n"
    "      --corrections C most correction pairs of an occurrence, 0 to 255 (default 8)\n"
    "      --keep-all      keep meta-events that save nothing, as the paper does\n"
    "      --buffer E      events compressed together, 1024 to 268435456 (default 2097152)\n"
    "      --level L       zstd level 1 to 19 (default 3)\n"
    "      --max-threads N take up to N threads, up to 14 KB of memory each (default 65536)\n"
    "  extract, decompress, verify, patterns:\n"
    "      --max-memory M  let the parts of all threads that are read at once need M MiB\n"
    "                      (default 1024)\n"
    "  extract, decompress:\n"
    "      --salvage       skip damaged parts, report the loss, exit status 3\n"
    "  extract:\n"
    "      --begin T, --end T   ticks, or since the start with s, ms, us, ns\n"
    "      --thread NAME   name or number of a thread; may be repeated (default: all)\n"
    "  patterns:\n"
    "      --html FILE     draw the patterns on a timeline\n"
    "      --limit N       list N (10, 1K) call sequences (default 10)\n"
    "      --json          as JSON (also info, compress)\n" OCT_EXIT_HELP;

enum {
  OPT_FROM = 256,
  OPT_TO,
  OPT_LOSSY,
  OPT_TABS,
  OPT_TREL,
  OPT_DRIFT,
  OPT_CORRECTIONS,
  OPT_KEEP_ALL,
  OPT_BUFFER,
  OPT_LEVEL,
  OPT_MAX_THREADS,
  OPT_MAX_MEMORY,
  OPT_BEGIN,
  OPT_END,
  OPT_THREAD,
  OPT_SALVAGE,
  OPT_HTML,
  OPT_LIMIT,
  OPT_JSON
};

static const struct option options[] = {{"output", required_argument, NULL, 'o'},
                                        {"order", required_argument, NULL, 'n'},
                                        {"from", required_argument, NULL, OPT_FROM},
                                        {"to", required_argument, NULL, OPT_TO},
                                        {"lossy", no_argument, NULL, OPT_LOSSY},
                                        {"tabs", required_argument, NULL, OPT_TABS},
                                        {"trel", required_argument, NULL, OPT_TREL},
                                        {"drift", required_argument, NULL, OPT_DRIFT},
                                        {"corrections", required_argument, NULL, OPT_CORRECTIONS},
                                        {"keep-all", no_argument, NULL, OPT_KEEP_ALL},
                                        {"buffer", required_argument, NULL, OPT_BUFFER},
                                        {"level", required_argument, NULL, OPT_LEVEL},
                                        {"max-threads", required_argument, NULL, OPT_MAX_THREADS},
                                        {"max-memory", required_argument, NULL, OPT_MAX_MEMORY},
                                        {"begin", required_argument, NULL, OPT_BEGIN},
                                        {"end", required_argument, NULL, OPT_END},
                                        {"thread", required_argument, NULL, OPT_THREAD},
                                        {"salvage", no_argument, NULL, OPT_SALVAGE},
                                        {"html", required_argument, NULL, OPT_HTML},
                                        {"limit", required_argument, NULL, OPT_LIMIT},
                                        {"json", no_argument, NULL, OPT_JSON},
                                        {NULL, 0, NULL, 0}};

/* The options of a command, by their codes. */
static const int packing[] = {'o',
                              'n',
                              OPT_FROM,
                              OPT_LOSSY,
                              OPT_TABS,
                              OPT_TREL,
                              OPT_DRIFT,
                              OPT_CORRECTIONS,
                              OPT_KEEP_ALL,
                              OPT_BUFFER,
                              OPT_LEVEL,
                              OPT_JSON,
                              OPT_MAX_THREADS,
                              0};
static const int unpacking[] = {'o', OPT_TO, OPT_SALVAGE, OPT_MAX_MEMORY, OPT_MAX_THREADS, 0};
static const int extracting[] = {'o',         OPT_TO,         OPT_BEGIN,       OPT_END, OPT_THREAD,
                                 OPT_SALVAGE, OPT_MAX_MEMORY, OPT_MAX_THREADS, 0};
static const int converting[] = {'o', OPT_TO, OPT_FROM, OPT_MAX_THREADS, 0};
static const int verifying[] = {OPT_FROM, OPT_MAX_MEMORY, 0};
static const int telling[] = {OPT_JSON, 0};
static const int listing[] = {OPT_HTML, OPT_LIMIT, OPT_JSON, OPT_MAX_MEMORY, 0};

static const struct {
  const char *name, *full;
  oct_events_fn *run;
  const int *options;
  int n_files;
} commands[] = {
    {"compress", "events compress", oct_events_compress, packing, 1},
    {"decompress", "events decompress", oct_events_decompress, unpacking, 1},
    {"extract", "events extract", oct_events_extract, extracting, 1},
    {"convert", "events convert", oct_events_convert, converting, 1},
    {"verify", "events verify", oct_events_verify, verifying, 2},
    {"info", "events info", oct_events_info, telling, 1},
    {"patterns", "events patterns", oct_events_patterns, listing, 1},
};
enum { N_COMMANDS = sizeof commands / sizeof commands[0] };

static const char *near_commands(const void *context, unsigned i) {
  (void)context;
  return i < N_COMMANDS ? commands[i].name : NULL;
}

static int usage(const oct_events_args *a, const char *what, const char *value) {
  return oct_cli_usage(a->cmd, "%s '%s'", what, value);
}

static const struct {
  const char *name;
  double seconds;
} units[] = {{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}};
enum { UNITS = sizeof units / sizeof *units };

oct_events_time oct_events_show_time(double ticks, uint64_t ticks_per_second) {
  const double seconds = ticks_per_second ? ticks / (double)ticks_per_second : 0;
  oct_events_time t;
  unsigned i = 0;
  while (i < UNITS - 1 && seconds < units[i].seconds) i++;
  if (ticks_per_second)
    snprintf(t.text, sizeof t.text, "%.4g %s", seconds / units[i].seconds, units[i].name);
  else if (ticks < 1e6)
    snprintf(t.text, sizeof t.text, "%.6g tick%s", ticks, ticks > 1 || ticks < 1 ? "s" : "");
  else
    snprintf(t.text, sizeof t.text, "%.0f ticks", ticks);
  return t;
}

bool oct_events_ticks(const char *text, uint64_t ticks_per_second, uint64_t *ticks,
                      bool *has_unit) {
  *has_unit = false;
  if (oct_cli_number(text, UINT64_MAX, ticks)) return true;
  char *end;
  if (text[0] < '0' || text[0] > '9') return false;
  double value = strtod(text, &end);
  for (size_t i = 0; i < UNITS; i++) {
    if (strcmp(end, units[i].name)) continue;
    double clock = ticks_per_second ? (double)ticks_per_second : 1e9;
    double t = value * units[i].seconds * clock + 0.5;
    if (!(t < 9e18)) return false;
    *ticks = (uint64_t)t;
    *has_unit = true;
    return true;
  }
  return false;
}

static int read_format(const oct_events_args *a, const char *name, oct_ev_format *format) {
  int f = oct_ev_format_by_name(name);
  if (f < 0) return usage(a, "unknown format", name);
  *format = (oct_ev_format)f;
  return 0;
}

static int read_count(const oct_events_args *a, const char *option, const char *text, uint64_t min,
                      uint64_t max, uint32_t *value) {
  uint64_t number = 0;
  int code = oct_cli_range(a->cmd, option, text, min, max, &number);
  *value = (uint32_t)number;
  return code;
}

static int read_ratio(const oct_events_args *a, const char *text, uint32_t *ppm) {
  char *end;
  double v = strtod(text, &end);
  if (end == text || *end || !(v >= 0 && v <= 1))
    return usage(a, "relative threshold is not from 0 to 1:", text);
  *ppm = (uint32_t)(v * 1e6 + 0.5);
  return 0;
}

static int read_option(oct_events_args *a, int code, const char *value) {
  uint64_t number = 0;
  bool unit;
  uint32_t level = 0;
  int error;
  switch (code) {
    case 'o':
      a->output = value;
      return 0;
    case 'n':
      return read_count(a, "--order", value, 0, OCT_EV_ORDER_MAX, &a->params.max_order);
    case OPT_FROM:
      return read_format(a, value, &a->from_format);
    case OPT_TO:
      return read_format(a, value, &a->to_format);
    case OPT_LOSSY:
      a->params.lossy = 1;
      return 0;
    case OPT_TABS:
    case OPT_DRIFT:
      if (!oct_events_ticks(value, 0, &number, &unit)) return usage(a, "not a time", value);
      *(code == OPT_TABS ? &a->t_abs : &a->drift) = value;
      return 0;
    case OPT_TREL:
      return read_ratio(a, value, &a->params.t_rel_ppm);
    case OPT_CORRECTIONS:
      return read_count(a, "--corrections", value, 0, 255, &a->params.max_corrections);
    case OPT_KEEP_ALL:
      a->params.keep_all = 1;
      return 0;
    case OPT_BUFFER:
      return read_count(a, "--buffer", value, 0, UINT32_MAX, &a->params.buffer_events);
    case OPT_LEVEL:
      error = read_count(a, "--level", value, 0, 19, &level);
      a->params.level = (int32_t)level;
      return error;
    case OPT_MAX_THREADS:
      return read_count(a, "--max-threads", value, 1, OCT_EV_NAMES_MAX, &a->params.max_threads);
    case OPT_MAX_MEMORY:
      error = oct_cli_range(a->cmd, "--max-memory", value, 1, UINT64_MAX >> 20, &number);
      a->max_memory_bytes = number << 20;
      return error;
    case OPT_BEGIN:
    case OPT_END:
      if (!oct_events_ticks(value, 0, &number, &unit)) return usage(a, "not a time", value);
      *(code == OPT_BEGIN ? &a->from : &a->to) = value;
      return 0;
    case OPT_SALVAGE:
      a->salvage = true;
      return 0;
    case OPT_THREAD:
      a->threads[a->n_threads++] = value;
      return 0;
    case OPT_HTML:
      a->html = value;
      return 0;
    case OPT_LIMIT:
      return oct_cli_range(a->cmd, "--limit", value, 0, UINT32_MAX, &a->limit);
    default:
      a->json = true;
      return 0;
  }
}

static bool takes(const int *codes, int code) {
  for (; *codes; codes++)
    if (*codes == code) return true;
  return false;
}

static const char *option_name(int code) {
  const struct option *o = options;
  while (o->val != code) o++;
  return o->name;
}

int oct_cmd_events(int argc, char **argv) {
  oct_events_args a = {.limit = 10, .to_format = OCT_EV_FORMAT_TEXT, .argc = argc, .argv = argv};
  oct_diag diag = {0};
  if (argc < 2) return oct_cli_usage("events", "no command given");
  int k = 0;
  while (k < N_COMMANDS && strcmp(commands[k].name, argv[1])) k++;
  if (k == N_COMMANDS)
    return oct_cli_usage("events", "unknown command '%s'%s", argv[1],
                         oct_near(argv[1], "", near_commands, NULL).text);
  a.cmd = commands[k].full;
  oct_ev_params_init(&a.params, 0);
  a.threads = calloc((size_t)argc, sizeof *a.threads);
  if (!a.threads) return oct_cli_error(OCT_EXIT_INPUT, "out of memory");
  int code = 0, c;
  while (!code && (c = oct_cli_getopt(a.cmd, argc - 1, argv + 1, "o:n:", options)) != -1) {
    if (c == '?')
      code = OCT_EXIT_USAGE; /* oct_cli_getopt has printed why */
    else if (!takes(commands[k].options, c))
      code = oct_cli_usage(a.cmd, "option --%s is for other commands", option_name(c));
    else
      code = read_option(&a, c, optarg);
  }
  if (!code && oct_ev_params_check(&a.params, &diag) < 0) code = oct_cli_refuse("events", &diag);
  if (!code && argc - 1 - optind != commands[k].n_files)
    code = oct_cli_usage(a.cmd, "%d file%s needed", commands[k].n_files,
                         commands[k].n_files > 1 ? "s are" : " is");
  char **in = argv + 1 + optind;
  if (!code) code = oct_cli_inputs(in, (size_t)commands[k].n_files);
  if (!code && a.output) code = oct_cli_output(a.cmd, a.output);
  if (!code) code = oct_cli_output(a.cmd, a.html);
  if (!code) code = commands[k].run(&a, commands[k].n_files, in);
  free(a.threads);
  return code;
}
