/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_capture.c - octrace capture: runs the script that records a program under QEMU, which is
 * installed beside octrace as octrace-capture. */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "oct_cli.h"

const char oct_help_capture[] =
    "Usage: octrace capture [OPTION...] -- PROGRAM ARG...\n"
    "Run a Linux program for ARM, AArch64, RISC-V, x86-64, i386 or MIPS under QEMU's user mode, "
    "and\n"
    "record each retired instruction and data access.\n\n"
    "  -o, --output OUT.oct  where the trace goes (default: the program's name with .oct)\n"
    "      --limit N       end the program after N recorded instructions (1000, 10K, 2M)\n"
    "      --skip N        leave out the first N instructions\n"
    "      --level N       zstd level, 1 to 22 (default 3)\n"
    "      --root DIR      folder with the program's libraries\n"
    "      --cpu CPU       the processor that QEMU plays\n"
    "      --thumb         an ARM program with Thumb code\n"
    "      --values        also the values of accesses and registers, as replay needs them\n"
    "\nThe program's output appears as usual.\n"
    "\nExit status: 0 recorded, 1 nothing recorded, 2 wrong command line,\n"
    "3 recorded up to the signal that ended the program.\n";

enum { OPT_LEVEL = OCT_OPT_OWN, OPT_ROOT, OPT_CPU, OPT_THUMB, OPT_VALUES };
/* Most words that the options become, with the name of the script. */
enum { WORDS_MAX = 16 };

/* What the script is called with. */
typedef struct capture_words {
  const char *output, *level, *root, *cpu;
  bool thumb, values;
  uint64_t limit, skip; /* limit 0: to the end */
} capture_words;

/* The script: beside the program, or of the source of this build. */
static void find_script(char *path, size_t n) {
  ssize_t length = readlink("/proc/self/exe", path, n - 1);
  path[length > 0 ? length : 0] = 0;
  char *slash = strrchr(path, '/');
  size_t folder = slash ? (size_t)(slash - path) + 1 : 0;
  snprintf(path + folder, n - folder, "octrace-capture");
  if (access(path, X_OK)) snprintf(path, n, "%s/../scripts/capture", OCT_SCRIPTS_BUILD);
}

static int take_option(capture_words *w, int c, const char *value) {
  uint64_t level;
  switch (c) {
    case 'o':
      w->output = value;
      return 0;
    case OCT_OPT_LIMIT:
      return oct_cli_limit("capture", value, &w->limit);
    case OCT_OPT_SKIP:
      return oct_cli_skip("capture", value, &w->skip);
    case OPT_LEVEL:
      w->level = value;
      return oct_cli_range("capture", "--level", value, 1, 22, &level);
    case OPT_ROOT:
      w->root = value;
      return 0;
    case OPT_CPU:
      w->cpu = value;
      return 0;
    case OPT_THUMB:
      w->thumb = true;
      return 0;
    case OPT_VALUES:
      w->values = true;
      return 0;
    default:
      return OCT_EXIT_USAGE;
  }
}

/* The script takes numbers without K and M. */
static size_t add_count(char **words, size_t n, const char *name, uint64_t count, char *text,
                        size_t room) {
  if (!count) return n;
  snprintf(text, room, "%" PRIu64, count);
  words[n++] = (char *)(uintptr_t)name;
  words[n++] = text;
  return n;
}

static size_t add_word(char **words, size_t n, const char *name, const char *value) {
  if (!value) return n;
  words[n++] = (char *)(uintptr_t)name;
  words[n++] = (char *)(uintptr_t)value;
  return n;
}

/* In place of this process; comes back if it cannot. */
static int run_script(const capture_words *w, int argc, char **argv) {
  char path[PATH_MAX], limit[24], skip[24];
  char **words = calloc((size_t)argc + WORDS_MAX + 1, sizeof *words);
  if (!words) return oct_cli_error(OCT_EXIT_INPUT, "capture: out of memory");
  find_script(path, sizeof path);
  size_t n = 0;
  words[n++] = path;
  n = add_word(words, n, "-o", w->output);
  n = add_count(words, n, "--limit", w->limit, limit, sizeof limit);
  n = add_count(words, n, "--skip", w->skip, skip, sizeof skip);
  n = add_word(words, n, "--level", w->level);
  n = add_word(words, n, "--root", w->root);
  n = add_word(words, n, "--cpu", w->cpu);
  if (w->thumb) words[n++] = "--thumb";
  if (w->values) words[n++] = "--values";
  words[n++] = "--";
  memcpy(words + n, argv, (size_t)argc * sizeof *argv);
  execv(path, words);
  const int code = oct_cli_error(OCT_EXIT_INPUT, "capture: %s: %s", path, strerror(errno));
  free(words);
  return code;
}

int oct_cmd_capture(int argc, char **argv) {
  static const struct option options[] = {{"output", required_argument, NULL, 'o'},
                                          {"limit", required_argument, NULL, OCT_OPT_LIMIT},
                                          {"skip", required_argument, NULL, OCT_OPT_SKIP},
                                          {"level", required_argument, NULL, OPT_LEVEL},
                                          {"root", required_argument, NULL, OPT_ROOT},
                                          {"cpu", required_argument, NULL, OPT_CPU},
                                          {"thumb", no_argument, NULL, OPT_THUMB},
                                          {"values", no_argument, NULL, OPT_VALUES},
                                          {NULL, 0, NULL, 0}};
  capture_words words = {.limit = 0};
  int c, code = 0;
  while (!code && (c = oct_cli_getopt("capture", argc, argv, "+o:", options)) != -1)
    code = take_option(&words, c, optarg);
  if (code) return code;
  if (optind == argc) return oct_cli_usage("capture", "expected -- PROGRAM ARG...");
  return run_script(&words, argc - optind, argv + optind);
}
