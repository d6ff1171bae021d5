/* SPDX-License-Identifier: Apache-2.0 */
/* test_opencsd.c - does OpenCSD, Arm's own decoder, read out of our ETMv4 streams the same
 * instructions that went in?
 *
 *   test_opencsd LISTER FOLDER [-n INSNS] TRACE...
 *
 * Each trace becomes a snapshot in FOLDER, as `octrace convert --to etmv4` writes it, which LISTER,
 * a trc_pkt_lister, decodes. The ranges that it prints are held against the trace, and the sum of
 * its cycle counts. */
#include "loaded_trace.h"

enum { HALT = 1, JUMP = 23 }; /* what is an exception there, but not of the trace */

/* The first n instructions of the trace as a snapshot, with cycle stamps if asked for, and with
 * traps, of which x has n_traps. */
static void put_snapshot(const char *path, const loaded *x, const char *folder, bool with_cycles,
                         size_t n_traps) {
  const size_t n = x->n;
  size_t trap = 0;
  oct_reader *r;
  oct_writer *w;
  oct_batch b;
  oct_diag diag;
  if (oct_reader_open(path, NULL, &r, &diag)) die(path, oct_diag_line(&diag).text);
  const oct_write_options options = {.format = oct_format_by_name("etmv4"),
                                     .info = oct_reader_info(r),
                                     .params = with_cycles ? "cycles=1" : NULL};
  if (oct_writer_open(folder, &options, &w, &diag)) die(folder, oct_diag_line(&diag).text);
  for (size_t at = 0; at < n && oct_reader_next(r, &b, &diag) == 1; at += b.n_insns) {
    oct_insn *insns = grow(NULL, b.n_insns * sizeof *insns);
    memcpy(insns, b.insns, b.n_insns * sizeof *insns);
    if (with_cycles) stamp(insns, at, b.n_insns);
    if (b.n_insns > n - at) b.n_insns = n - at;
    oct_trap *traps = grow(NULL, n_traps * sizeof *traps);
    for (b.n_traps = 0; trap < n_traps && x->traps[trap].insn < at + b.n_insns; trap++) {
      traps[b.n_traps] = x->traps[trap];
      traps[b.n_traps++].insn -= (uint32_t)at;
    }
    b.traps = traps;
    b.insns = insns;
    b.n_accesses = 0;
    for (size_t i = 0; i < b.n_insns; i++) b.n_accesses += insns[i].n_access;
    if (oct_writer_put(w, &b, &diag)) die(folder, oct_diag_line(&diag).text);
    free(insns);
    free(traps);
  }
  oct_reader_close(r);
  if (oct_writer_commit(w, &diag)) die(folder, oct_diag_line(&diag).text);
}

/* Hold the ranges that the lister prints against the trace. *cycles gets the sum of its counts. */
static size_t check_listing(const char *path, const char *lister, const char *folder,
                            const loaded *x, uint64_t *cycles, size_t *n_exceptions) {
  char command[2048], line[4096];
  size_t at = 0;
  *cycles = *n_exceptions = 0;
  snprintf(command, sizeof command, "%s -ss_dir %s -decode_only -logstdout", lister, folder);
  FILE *f = popen(command, "r");
  if (!f) die(lister, "cannot be run");
  while (fgets(line, sizeof line, f)) {
    const char *range = strstr(line, "exec range=0x");
    unsigned long long first, behind;
    if (strstr(line, "ERROR") || strstr(line, "Error") || strstr(line, "ADDR_NACC"))
      die(path, line);
    unsigned long long at_addr;
    unsigned cause;
    const char *exception = strstr(line, "OCSD_GEN_TRC_ELEM_EXCEPTION(");
    const char *count = strstr(line, "[CC=");
    if (count) *cycles += strtoull(count + 4, NULL, 10);
    const char *where = exception ? strstr(exception, "ret addr:0x") : NULL;
    const char *number = exception ? strstr(exception, "excep num (0x") : NULL;
    if (where && number && sscanf(where, "ret addr:0x%llx", &at_addr) == 1 &&
        sscanf(number, "excep num (0x%x", &cause) == 1 && cause != HALT && cause != JUMP) {
      const oct_trap *t = &x->traps[*n_exceptions];
      if (*n_exceptions == x->n_traps || t->insn != at || t->addr != at_addr || t->cause != cause) {
        fprintf(stderr, "%s: instruction %zu: OpenCSD has exception %u at 0x%llx\n", path, at,
                cause, at_addr);
        exit(1);
      }
      ++*n_exceptions;
    }
    if (!range || sscanf(range, "exec range=0x%llx:[0x%llx]", &first, &behind) != 2) continue;
    for (; first != behind; at++) {
      if (at == x->n || x->insns[at].addr != first) {
        fprintf(stderr, "%s: instruction %zu: expected 0x%llx, OpenCSD has 0x%llx\n", path, at,
                at < x->n ? (unsigned long long)x->insns[at].addr : 0, first);
        exit(1);
      }
      first += x->insns[at].size_bytes;
    }
  }
  pclose(f);
  return at;
}

/* The cycles up to the last branch but the end, behind which none are counted. */
static uint64_t counted_cycles(const loaded *x) {
  size_t last = x->n - 2;
  while (last && oct_insn_class(&x->insns[last]) <= OCT_CLASS_OTHER) last--;
  return x->insns[last].cycle - x->insns[0].cycle;
}

static void check(const char *path, const char *lister, const char *folder, const loaded *x,
                  bool with_cycles, bool with_traps) {
  enum { THRESHOLD = 256 };
  uint64_t cycles, all = counted_cycles(x);
  size_t n_exceptions, n_traps = with_traps ? x->n_traps : 0;
  put_snapshot(path, x, folder, with_cycles, n_traps);
  size_t n = check_listing(path, lister, folder, x, &cycles, &n_exceptions);
  if (n_exceptions != n_traps) {
    fprintf(stderr, "%s: OpenCSD has %zu of %zu exceptions\n", path, n_exceptions, n_traps);
    exit(1);
  }
  if (n != x->n) {
    fprintf(stderr, "%s: OpenCSD has %zu of %zu instructions\n", path, n, x->n);
    exit(1);
  }
  /* What is below the threshold is not sent. */
  if (with_cycles && (cycles > all || cycles + THRESHOLD < all)) {
    fprintf(stderr, "%s: OpenCSD counts %llu of %llu cycles\n", path, (unsigned long long)cycles,
            (unsigned long long)all);
    exit(1);
  }
  printf("%s: %zu instructions, %s, %zu exceptions: OpenCSD agrees\n", path, x->n,
         with_cycles ? "cycle counts" : "no cycle counts", n_exceptions);
}

int main(int argc, char **argv) {
  size_t most = 10000000;
  int first = 3;
  if (argc < 4) die("usage", "test_opencsd LISTER FOLDER [-n INSNS] TRACE...");
  if (!strcmp(argv[3], "-n")) {
    most = strtoull(argv[4], NULL, 0);
    first = 5;
  }
  for (int i = first; i < argc; i++) {
    loaded x;
    char isa[64];
    load(argv[i], most, &x, isa, sizeof isa);
    stamp(x.insns, 0, x.n);
    add_traps(&x);
    check(argv[i], argv[1], argv[2], &x, false, false);
    check(argv[i], argv[1], argv[2], &x, true, false);
    check(argv[i], argv[1], argv[2], &x, true, true);
    oct_map_free(x.code);
    free(x.insns);
    free(x.updates);
    free(x.traps);
  }
  return 0;
}
