/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_capture.c - octrace capture: runs the script that records a program under QEMU, which is
 * installed beside octrace as octrace-capture. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "oct_cli.h"

const char oct_help_capture[] =
    "Usage: octrace capture [OPTION...] -- PROGRAM ARG...\n"
    "Run a Linux program for ARM, AArch64, RISC-V, x86-64, i386 or MIPS under QEMU's user mode, "
    "and\n"
    "record each retired instruction and data access.\n\n"
    "  -o OUT.oct          where the trace goes (default: the program's name with .oct)\n"
    "      --limit N       end the program after N recorded instructions (1000, 10K, 2M)\n"
    "      --skip N        leave out the first N instructions\n"
    "      --level N       zstd level, 1 to 22 (default 3)\n"
    "      --root DIR      folder with the program's libraries\n"
    "      --cpu CPU       the processor that QEMU plays\n"
    "      --thumb         an ARM program with Thumb code\n"
    "      --values        also the values of accesses and registers, as replay needs them\n"
    "\nThe program's output appears as usual.\n"
    "\nExit status: 0 recorded, 1 nothing recorded, 2 program and output are the same file,\n"
    "3 recorded up to the signal that ended the program.\n";

/* The script: beside the program, or of the source of this build. */
static void find_script(char *path, size_t n) {
  ssize_t length = readlink("/proc/self/exe", path, n - 1);
  path[length > 0 ? length : 0] = 0;
  char *slash = strrchr(path, '/');
  size_t folder = slash ? (size_t)(slash - path) + 1 : 0;
  snprintf(path + folder, n - folder, "octrace-capture");
  if (access(path, X_OK)) snprintf(path, n, "%s/../scripts/capture", OCT_SCRIPTS_BUILD);
}

/* 10K and 2M as the script has them, which takes numbers. */
static char *plain_count(char *value, char *text, size_t n) {
  uint64_t number;
  if (!oct_cli_count(value, &number)) return value;
  snprintf(text, n, "%llu", (unsigned long long)number);
  return text;
}

int oct_cmd_capture(int argc, char **argv) {
  char path[PATH_MAX], counts[2][24];
  unsigned n_counts = 0;
  find_script(path, sizeof path);
  for (int i = 1; i + 1 < argc && strcmp(argv[i], "--"); i++)
    if ((!strcmp(argv[i], "--limit") || !strcmp(argv[i], "--skip")) && n_counts < 2) {
      argv[i + 1] = plain_count(argv[i + 1], counts[n_counts], sizeof *counts);
      n_counts++;
    }
  argv[0] = path;
  execv(path, argv);
  return oct_cli_error(OCT_EXIT_INPUT, "capture: %s: %s", path, strerror(errno));
}
