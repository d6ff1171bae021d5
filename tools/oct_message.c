/* SPDX-License-Identifier: Apache-2.0 */
/* oct_message.c - what octrace, bin2atc and atc2bin say of an error, in one line. */
#include "oct_near.h"
#include "oct_cli.h"
#include "oct_hold_streams.h"
#include "oct_memory_file.h"
#include "oct_text_begin.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Whether all of the text is UTF-8; the line end shows a last character that is cut. */
static bool is_utf8(char *text) {
  size_t n = strlen(text);
  text[n] = '\n';
  bool is = oct_text_is_utf8((const uint8_t *)text, n + 1);
  text[n] = '\0';
  return is;
}

/* One line, and nothing that moves a cursor, whatever a file or its name holds. A text that is no
 * UTF-8 has its bytes above 127 as \xNN, as in JSON. */
static void make_plain(char *text, size_t room) {
  for (char *p = text; *p; p++)
    if (*p == '\n' || *p == '\r')
      *p = ' ';
    else if ((unsigned char)*p < 32 || *p == 127)
      *p = '?';
  if (is_utf8(text)) return;
  size_t n = 0, shown = 0, high;
  for (; text[n] && shown + (high = text[n] & 0x80 ? 4 : 1) < room; n++) shown += high;
  text[shown] = '\0';
  while (n--) { /* from its end, as it grows */
    unsigned char c = (unsigned char)text[n];
    if (c & 0x80) {
      char code[5];
      snprintf(code, sizeof code, "\\x%02x", c);
      memcpy(text + (shown -= 4), code, 4);
    } else {
      text[--shown] = (char)c;
    }
  }
}

oct_shown_text oct_cli_shown(const char *text) {
  oct_shown_text t;
  snprintf(t.text, sizeof t.text, "%s", text);
  make_plain(t.text, sizeof t.text);
  return t;
}

static bool has_failed;

bool oct_cli_has_failed(void) {
  return has_failed;
}

/* A line of an error, all of whose bytes may be shown as \xNN. */
enum { LINE_BYTES = 4 * sizeof(oct_diag_text) };

int oct_cli_error(int code, const char *format, ...) {
  char line[LINE_BYTES];
  va_list args;
  va_start(args, format);
  vsnprintf(line, sizeof line, format, args);
  va_end(args);
  make_plain(line, sizeof line);
  if (code) has_failed = true;
  /* An empty file name is told as one. */
  fprintf(stderr, "%s: %s%s\n", program_invocation_short_name, *line == ':' ? "''" : "", line);
  return code;
}

int oct_cli_begin(void) {
  return oct_hold_streams() ? oct_cli_error(OCT_EXIT_INPUT, "standard streams are closed") : 0;
}

int oct_cli_stdout_error(void) {
  return oct_cli_error(OCT_EXIT_INPUT, "standard output: cannot write: %s",
                       errno ? strerror(errno) : "Input/output error");
}

/* A word as a shell takes it. */
static void put_word(FILE *out, const char *word) {
  static const char plain[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+=:,./@%^";
  bool is_plain = *word && !word[strspn(word, plain)];
  fputs(is_plain ? " " : " '", out);
  for (const char *p = word; *p; p++) *p == '\'' ? fputs("'\\''", out) : fputc(*p, out);
  if (!is_plain) fputc('\'', out);
}

char *oct_cli_command_with(int argc, char **argv, int operands, const char *more) {
  oct_memory_file m;
  if (oct_memory_file_open(&m)) return NULL;
  FILE *out = m.file;
  /* Options behind "--" would be file names. */
  int options = operands > 1 && !strcmp(argv[operands - 1], "--") ? operands - 1 : operands;
  bool has_dash = false;
  for (int i = operands; i < argc; i++) has_dash |= argv[i][0] == '-' && argv[i][1];
  fputs(program_invocation_short_name, out);
  for (int i = 0; i < options; i++) put_word(out, argv[i]);
  if (*more) fprintf(out, " %s", more);
  if (has_dash) fputs(" --", out);
  for (int i = operands; i < argc; i++) put_word(out, argv[i]);
  if (!oct_memory_file_close(&m)) return (char *)m.text.bytes;
  oct_buffer_free(&m.text);
  return NULL;
}

char *oct_cli_command(int argc, char **argv) {
  return oct_cli_command_with(argc, argv, argc, "");
}

int oct_cli_usage(const char *cmd, const char *format, ...) {
  char line[LINE_BYTES];
  va_list args;
  va_start(args, format);
  vsnprintf(line, sizeof line, format, args);
  va_end(args);
  const char *program = program_invocation_short_name;
  if (!cmd) return oct_cli_error(OCT_EXIT_USAGE, "%s (see %s --help)", line, program);
  return oct_cli_error(OCT_EXIT_USAGE, "%s: %s (see %s %s --help)", cmd, line, program, cmd);
}

/* How many of the long options begin as text does, up to its '='. */
static int count_matches(const struct option *longs, const char *text) {
  size_t n = strcspn(text, "=");
  int matches = 0;
  for (; longs->name; longs++) matches += !strncmp(longs->name, text, n);
  return matches;
}

static const char *option_at(const void *context, unsigned i) {
  return ((const struct option *)context)[i].name;
}

/* The option that was meant, of which the text has the dashes and perhaps a value. */
static oct_near_text near_option(const char *arg, const struct option *longs) {
  char name[40];
  snprintf(name, sizeof name, "%.*s", (int)strcspn(arg + 2, "="), arg + 2);
  return oct_near(name, "--", option_at, longs);
}

int oct_cli_getopt(const char *cmd, int argc, char **argv, const char *shorts,
                   const struct option *longs) {
  char quiet[32];
  const bool stops = *shorts == '+'; /* at the first that is no option */
  /* The colon: a missing value is another answer. */
  snprintf(quiet, sizeof quiet, "%s:%s", stops ? "+" : "", shorts + stops);
  opterr = 0;
  int at = optind, c = getopt_long(argc, argv, quiet, longs, NULL);
  if (c != ':' && c != '?') return c;
  /* A cluster of letters is left in place until its last one. */
  const char *arg = argv[optind > at ? optind - 1 : at];
  if (c == ':')
    oct_cli_usage(cmd, "option '%s' needs a value", arg);
  else if (strncmp(arg, "--", 2))
    oct_cli_usage(cmd, "unknown option '-%c'", optopt);
  else if (optopt)
    oct_cli_usage(cmd, "option '%.*s' takes no value", (int)strcspn(arg, "="), arg);
  else if (count_matches(longs, arg + 2) > 1)
    oct_cli_usage(cmd, "option '%s' is the start of several", arg);
  else
    oct_cli_usage(cmd, "unknown option '%s'%s", arg, near_option(arg, longs).text);
  return '?';
}

/* Also by a name of its own, such as /dev/stdout. */
static bool is_terminal(const char *out) {
  struct stat st;
  if (!strcmp(out, "-")) return isatty(STDOUT_FILENO);
  if (stat(out, &st) || !S_ISCHR(st.st_mode)) return false;
  const int fd = open(out, O_WRONLY | O_NOCTTY | O_CLOEXEC);
  const bool is = fd >= 0 && isatty(fd);
  if (fd >= 0) close(fd);
  return is;
}

int oct_cli_binary(const char *cmd, const char *out) {
  if (!is_terminal(out)) return 0;
  return oct_cli_usage(cmd, "bytes are not for a terminal: name a file for them, or pipe them on");
}
