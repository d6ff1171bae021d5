/* SPDX-License-Identifier: Apache-2.0 */
/* shadow_check.c - is what shadow operations say of a program what its trace shows? Runs a shadow
 * over each trace given and prints, by instruction set and kind, how many claims were right, wrong,
 * and how many decisions were left open.
 * Usage: shadow_check [-v N] [--elf ELF] TRACE...; -v N: show N wrong claims. Exit status 1 when
 * less than 99.5 % of a trace's claims of addresses, branches or targets are right. */
#include "oct_map.h"
#include "oct_reader.h"
#include "shadow_run.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ENOUGH = 200 }; /* claims of a group below which a share says nothing */

typedef struct group {
  const char *name;
  claim_kind first, last;
} group;

static const group groups[] = {{"addresses", CLAIM_ABSOLUTE, CLAIM_FURTHER},
                               {"branches", CLAIM_FLAGS, CLAIM_PREDICATE},
                               {"targets", CLAIM_RESULT, CLAIM_LOADED}};

static int report(const char *path, const char *isa, const claims *c, uint64_t n, uint64_t known) {
  int bad = 0;
  printf("%s (%s): %" PRIu64 " instructions, %.2f %% with a shadow operation\n", path, isa, n,
         n ? 100.0 * (double)known / (double)n : 0.0);
  for (int k = 0; k < CLAIM_KINDS; k++)
    if (c[k].right + c[k].wrong + c[k].open)
      printf("  %-18s right %9" PRIu64 " wrong %6" PRIu64 " open %9" PRIu64 "  %.3f %%\n",
             shadow_run_kind((claim_kind)k), c[k].right, c[k].wrong, c[k].open,
             c[k].right + c[k].wrong
                 ? 100.0 * (double)c[k].right / (double)(c[k].right + c[k].wrong)
                 : 0.0);
  for (size_t g = 0; g < sizeof groups / sizeof *groups; g++) {
    uint64_t right = 0, wrong = 0;
    for (int k = groups[g].first; k <= (int)groups[g].last; k++) {
      right += c[k].right;
      wrong += c[k].wrong;
    }
    if (right + wrong >= ENOUGH && (double)right < 0.995 * (double)(right + wrong)) {
      printf("  %s: below 99.5 %% right\n", groups[g].name);
      bad = 1;
    }
  }
  return bad;
}

static int check(const char *path, const char *elf, double share, unsigned trace_wrong) {
  oct_reader *reader = NULL;
  oct_diag diag = {0};
  oct_read_options options = {.elf = elf};
  oct_batch batch;
  int rc = oct_reader_open(path, &options, &reader, &diag);
  oct_map_tracker *tracker = oct_map_tracker_new();
  oct_map *map = oct_map_new();
  shadow_run *run =
      rc ? NULL : shadow_run_new(!strcmp(oct_reader_info(reader)->isa, "mips"), trace_wrong);
  oct_insn *insns = malloc(sizeof *insns * 65536);
  uint64_t n = 0, known = 0;
  if (rc) {
    fprintf(stderr, "%s\n", diag.text);
    exit(2);
  }
  if (!tracker || !map || !run || !insns) abort();
  while (!rc && (rc = oct_reader_next(reader, &batch, &diag)) == 1) {
    const oct_map_update *updates;
    const oct_access *access = batch.accesses;
    int64_t n_updates = oct_map_track(tracker, &batch, insns, &updates), next = 0;
    if (n_updates < 0) {
      fprintf(stderr, "%s: map error %d\n", path, (int)n_updates);
      exit(2);
    }
    rc = 0;
    for (size_t i = 0; i < batch.n_insns; i++, n++) {
      for (; next < n_updates && updates[next].from_insn <= n; next++)
        if (oct_map_put(map, &updates[next].entry) < 0) abort();
      const oct_map_entry *e = oct_map_at(map, oct_map_find(map, insns[i].addr));
      known += e->op.flags & OCT_SHADOW_KNOWN;
      shadow_run_step(run, &insns[i], access, e);
      access += insns[i].n_access;
    }
  }
  if (rc < 0) {
    fprintf(stderr, "%s\n", diag.text);
    exit(2);
  }
  int bad = report(path, oct_reader_info(reader)->isa, shadow_run_claims(run), n, known);
  if (100.0 * (double)known < share * (double)n) {
    printf("  fewer than %g %% with a shadow operation\n", share);
    bad = 1;
  }
  shadow_run_free(run);
  oct_map_free(map);
  oct_map_tracker_free(tracker);
  oct_reader_close(reader);
  free(insns);
  return bad;
}

int main(int argc, char **argv) {
  const char *elf = NULL;
  double share = 0;
  unsigned trace_wrong = 0;
  int i = 1, bad = 0;
  for (; i < argc && argv[i][0] == '-'; i += 2) {
    if (i + 1 == argc) return 2;
    if (!strcmp(argv[i], "-v"))
      trace_wrong = (unsigned)atoi(argv[i + 1]);
    else if (!strcmp(argv[i], "--elf"))
      elf = argv[i + 1];
    else if (!strcmp(argv[i], "--share"))
      share = atof(argv[i + 1]);
    else
      return 2;
  }
  for (; i < argc; i++) bad |= check(argv[i], elf, share, trace_wrong);
  return bad;
}
