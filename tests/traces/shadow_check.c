/* SPDX-License-Identifier: Apache-2.0 */
/* shadow_check.c - is what effects say of a program what its trace shows? Runs a shadow
 * over each trace given and prints, by instruction set and kind, how many claims were right, wrong,
 * and how many decisions were left open.
 * Usage: shadow_check [-v N] [--elf ELF] TRACE...; -v N: show N wrong claims. Exit status 1 when
 * less than 99.5 % of a trace's claims of addresses, branches or targets are right. */
#include "octrace/map.h"
#include "octrace/trace.h"
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

/* All traces so far. */
typedef struct totals {
  claims c[CLAIM_KINDS];
  uint64_t n, known;
} totals;

static claims sum_of(const claims *c, const group *g) {
  claims sum = {0};
  for (int k = g->first; k <= (int)g->last; k++) {
    sum.right += c[k].right;
    sum.wrong += c[k].wrong;
    sum.open += c[k].open;
  }
  return sum;
}

static double percent(uint64_t part, uint64_t whole) {
  return whole ? 100.0 * (double)part / (double)whole : 0;
}

static void print_list(const char *path, const char *isa, const totals *t) {
  printf("%s (%s): %" PRIu64 " instructions, %.2f %% with an effect\n", path, isa, t->n,
         percent(t->known, t->n));
  for (int k = 0; k < CLAIM_KINDS; k++) {
    const claims *c = &t->c[k];
    if (c->right + c->wrong + c->open)
      printf("  %-18s right %9" PRIu64 " wrong %6" PRIu64 " open %9" PRIu64 "  %.3f %%\n",
             shadow_run_kind((claim_kind)k), c->right, c->wrong, c->open,
             percent(c->right, c->right + c->wrong));
  }
}

/* | name | millions | share | for each group: claimed of all, wrong | */
static void print_row(const char *name, const totals *t) {
  printf("| %s | %.1f | %.2f %% |", name, (double)t->n / 1e6, percent(t->known, t->n));
  for (size_t g = 0; g < sizeof groups / sizeof *groups; g++) {
    claims sum = sum_of(t->c, &groups[g]);
    uint64_t made = sum.right + sum.wrong;
    printf(" %.1f %% | %" PRIu64 " | %.4f %% |", percent(made, made + sum.open), sum.wrong,
           percent(sum.right, made));
  }
  printf("\n");
}

static int is_bad(const totals *t, double share) {
  int bad = 100.0 * (double)t->known < share * (double)t->n;
  if (bad) printf("  fewer than %g %% with an effect\n", share);
  for (size_t g = 0; g < sizeof groups / sizeof *groups; g++) {
    claims sum = sum_of(t->c, &groups[g]);
    if (sum.right + sum.wrong >= ENOUGH && percent(sum.right, sum.right + sum.wrong) < 99.5) {
      printf("  %s: below 99.5 %% right\n", groups[g].name);
      bad = 1;
    }
  }
  return bad;
}

static void add(totals *all, const totals *t) {
  for (int k = 0; k < CLAIM_KINDS; k++) {
    all->c[k].right += t->c[k].right;
    all->c[k].wrong += t->c[k].wrong;
    all->c[k].open += t->c[k].open;
  }
  all->n += t->n;
  all->known += t->known;
}

static int check(const char *path, const char *elf, double share, unsigned trace_wrong,
                 int is_table, totals *all) {
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
    fprintf(stderr, "%s\n", oct_diag_line(&diag).text);
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
      const oct_map_entry *e = oct_map_entry_at(map, oct_map_find(map, insns[i].addr));
      known += e->op.flags & OCT_EFFECT_KNOWN;
      shadow_run_step(run, &insns[i], access, e);
      access += insns[i].n_access;
    }
  }
  if (rc < 0) {
    fprintf(stderr, "%s\n", oct_diag_line(&diag).text);
    exit(2);
  }
  totals t = {.n = n, .known = known};
  memcpy(t.c, shadow_run_claims(run), sizeof t.c);
  if (!is_table) print_list(path, oct_reader_info(reader)->isa, &t);
  int bad = is_bad(&t, share);
  add(all, &t);
  shadow_run_free(run);
  oct_map_free(map);
  oct_map_tracker_free(tracker);
  oct_reader_close(reader);
  free(insns);
  return bad;
}

int main(int argc, char **argv) {
  const char *elf = NULL, *table = NULL;
  totals all = {0};
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
    else if (!strcmp(argv[i], "--table"))
      table = argv[i + 1];
    else
      return 2;
  }
  for (; i < argc; i++) bad |= check(argv[i], elf, share, trace_wrong, table != NULL, &all);
  if (table) print_row(table, &all);
  return bad;
}
