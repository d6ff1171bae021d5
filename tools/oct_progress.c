/* SPDX-License-Identifier: Apache-2.0 */
/* oct_progress.c - a progress line on a terminal, for work that takes over a second. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "oct_cli.h"

enum { LINE_BYTES = 200 };

static double seconds_since(const struct timespec *t) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)(now.tv_sec - t->tv_sec) + 1e-9 * (double)(now.tv_nsec - t->tv_nsec);
}

void oct_progress_start(oct_progress *p, const char *verb) {
  memset(p, 0, sizeof *p);
  p->enabled = isatty(STDERR_FILENO);
  p->verb = verb;
  p->unit = "instructions";
  clock_gettime(CLOCK_MONOTONIC, &p->start);
  p->last = p->start;
}

/* How much of the work is done, by bytes and by the limit; 0: not known. */
static double part_done(const oct_progress *p, uint64_t insns, uint64_t done, uint64_t total) {
  double part = 0;
  if (total > p->begin && done > p->begin)
    part = (double)(done - p->begin) / (double)(total - p->begin);
  if (p->limit && (double)insns > part * (double)p->limit) part = (double)insns / (double)p->limit;
  return part < 1 ? part : 1;
}

/* Columns of the terminal that a line may take, so that none is broken: the last stays free. */
static size_t columns(void) {
  struct winsize size;
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) || size.ws_col < 2 ? LINE_BYTES : size.ws_col - 1u;
}

static void show(oct_progress *p, const char *line) {
  size_t n = strlen(line), width = columns();
  if (n > width)
    for (n = width; n && (line[n] & 0xc0) == 0x80; n--) /* not within a character */
      ;
  fprintf(stderr, "\r\033[K%.*s", (int)n, line);
  fflush(stderr);
  p->shown = true;
}

void oct_progress_update(oct_progress *p, uint64_t insns, uint64_t done, uint64_t total) {
  if (!p->enabled || seconds_since(&p->last) < (p->shown ? 0.2 : 1.0)) return;
  char line[LINE_BYTES];
  double elapsed = seconds_since(&p->start);
  double millions = (double)insns * 1e-6, rate = millions / elapsed;
  double part = part_done(p, insns, done, total);
  /* Slow work moves, too. */
  int n = snprintf(line, sizeof line, "%s: %.*f M %s, %.*f M/s", p->verb, millions < 1 ? 2 : 1,
                   millions, p->unit, rate < 1 ? 2 : 1, rate);
  if (part > 0) {
    char bar[21], left[40];
    for (int i = 0; i < 20; i++) bar[i] = i < (int)(part * 20) ? '#' : '.';
    bar[20] = 0;
    snprintf(left, sizeof left, "%3.0f %%, %.0f s left", part * 100,
             ceil(elapsed * (1 - part) / part));
    if (snprintf(line + n, sizeof line - (size_t)n, " [%s] %s", bar, left) + n > (int)columns())
      snprintf(line, sizeof line, "%s: %s", p->verb, left); /* what matters most */
  }
  show(p, line);
  clock_gettime(CLOCK_MONOTONIC, &p->last);
}

void oct_progress_step(oct_progress *p, const char *what, uint64_t number, uint64_t total) {
  if (!p->enabled || seconds_since(&p->start) < 1.0) return;
  char line[LINE_BYTES];
  snprintf(line, sizeof line, "%s: %" PRIu64 " of %" PRIu64 ", %s", p->verb, number, total, what);
  show(p, line);
}

double oct_progress_seconds(const oct_progress *p) {
  return seconds_since(&p->start);
}

void oct_progress_end(oct_progress *p) {
  if (p->shown) fputs("\r\033[K", stderr);
  p->shown = p->enabled = false;
}
