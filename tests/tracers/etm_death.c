/* SPDX-License-Identifier: Apache-2.0 */
/* etm_death.c - OpenCSD dies at its third question for code, in each way that a program can end:
 * what it found before comes, then one line.
 *
 * Usage: etm_death SNAPSHOT/snapshot.ini */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "oct_etm_decode.h"

enum { EXIT = 0, QUESTIONS = 3 };

typedef struct deaths {
  const oct_etm_snapshot *snapshot;
  int how, n;
} deaths;

static size_t code(void *context, uint64_t addr, uint8_t *to, size_t n, bool may_be_short) {
  deaths *d = context;
  size_t there;
  (void)may_be_short;
  const uint8_t *p = oct_etm_memory(d->snapshot, addr, &there);
  if (++d->n == QUESTIONS && d->how == EXIT) _exit(7);
  if (d->n == QUESTIONS) raise(d->how);
  if (!p) return 0;
  if (there > n) there = n;
  memcpy(to, p, there);
  return there;
}

static int die(const oct_etm_snapshot *s, int how) {
  deaths context = {s, how, 0};
  oct_etm_decoder d = {.snapshot = s, .name = "snapshot", .code = code, .context = &context};
  oct_etm_item item;
  oct_diag diag;
  bool died;
  char signal_text[32] = "";
  int n = 0, rc = oct_etm_decode_start(&d, 0, &diag);
  while (!rc && (rc = oct_etm_decode_next(&d, &item, &died, &diag)) == 1) {
    n += item.kind == OCT_ETM_RANGE;
    rc = 0;
  }
  oct_etm_decode_stop(&d);
  if (how != EXIT) snprintf(signal_text, sizeof signal_text, "(signal %d)", how);
  if (rc == OCT_ERR_FORMAT && died &&
      strstr(oct_diag_line(&diag).text, "OpenCSD ended in the middle") &&
      strstr(oct_diag_line(&diag).text, signal_text) && (n || how == EXIT || how == SIGKILL))
    return 0;
  printf("FAIL: death %d: result %d, %d ranges, %s\n", how, rc, n,
         rc < 0 ? oct_diag_line(&diag).text : "");
  return 1;
}

int main(int argc, char **argv) {
  static const int hows[] = {EXIT, SIGSEGV, SIGABRT, SIGFPE, SIGILL, SIGBUS, SIGKILL};
  oct_etm_snapshot s = {0};
  oct_diag diag;
  int failed = 0;
  if (argc != 2 || oct_etm_snapshot_read(&s, argv[1], &diag)) return 2;
  for (size_t i = 0; i < sizeof hows / sizeof *hows; i++) failed |= die(&s, hows[i]);
  oct_etm_snapshot_free(&s);
  return failed;
}
