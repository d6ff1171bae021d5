/* SPDX-License-Identifier: Apache-2.0 */
/* test_opencsd.c - does OpenCSD, Arm's own decoder, read out of our ETMv4 streams the same
 * instructions that went in?
 *
 *   test_opencsd LISTER FOLDER [-n INSNS] TRACE...
 *
 * Each trace becomes a snapshot in FOLDER (docs/etmv4-format.md), which LISTER, a trc_pkt_lister,
 * decodes. The ranges that it prints are held against the trace. Traces need the bytes of
 * instructions, as captures have them. */
#include <sys/stat.h>

#include "loaded_trace.h"
#include "oct_isa.h"

static FILE *open_file(const char *folder, const char *name) {
  char path[1024];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *f = fopen(path, "wb");
  if (!f) die(path, "cannot be written");
  return f;
}

static void put_text(const char *folder, const char *name, const char *text) {
  FILE *f = open_file(folder, name);
  fputs(text, f);
  fclose(f);
}

static int by_addr(const void *a, const void *b) {
  const oct_map_entry *x = *(const oct_map_entry *const *)a, *y = *(const oct_map_entry *const *)b;
  return x->addr < y->addr ? -1 : x->addr > y->addr;
}

/* OpenCSD reads four bytes at a time, so there must be some behind the last instruction. */
static void end_dump(FILE *dump) {
  if (!dump) return;
  fwrite("\0\0\0", 1, 4, dump);
  fclose(dump);
}

/* The program as dumps of memory: instructions less than a page apart are in one. What the kernel
 * lends a program of A32 (its helpers near the end of memory) has no bytes: a nop stands there, and
 * the stream says how it goes on. */
static void put_program(const char *folder, int isa, const loaded *x) {
  enum { PAGE = 4096 };
  static const uint8_t nops[OCT_ISA_COUNT][4] = {[OCT_ISA_ARM] = {0x00, 0xf0, 0x20, 0xe3},
                                                 [OCT_ISA_THUMB] = {0x00, 0xbf, 0x00, 0xbf},
                                                 [OCT_ISA_AARCH64] = {0x1f, 0x20, 0x03, 0xd5}};
  const char *core = isa == OCT_ISA_AARCH64 ? "Cortex-A53" : "Cortex-A15";
  size_t n = oct_map_count(x->code);
  const oct_map_entry **entries = grow(NULL, n * sizeof *entries);
  FILE *ini = open_file(folder, "core.ini"), *dump = NULL;
  uint64_t start = 0, end = 0;
  unsigned dumps = 0;
  char name[32];
  for (size_t i = 0; i < n; i++) entries[i] = oct_map_at(x->code, (uint32_t)i);
  qsort(entries, n, sizeof *entries, by_addr);
  fprintf(ini,
          "[device]\nname=core\nclass=core\ntype=%s\n\n[regs]\nPC(size:64)=0x0\nSP(size:64)=0x0\n"
          "SCTLR_EL1=0x0\nCPSR=0x0\n",
          core);
  for (size_t i = 0; i < n; i++) {
    const oct_map_entry *e = entries[i];
    if (!dump || e->addr > end + PAGE) {
      end_dump(dump);
      snprintf(name, sizeof name, "memory%u.bin", ++dumps);
      dump = open_file(folder, name);
      start = e->addr;
      fprintf(ini, "\n[dump%u]\nfile=%s\naddress=0x%llx\n", dumps, name, (unsigned long long)start);
    }
    fseek(dump, (long)(e->addr - start), SEEK_SET);
    fwrite(e->code_isa ? e->code : nops[isa], 1, e->size_bytes, dump);
    end = e->addr + e->size_bytes;
  }
  end_dump(dump);
  fclose(ini);
  free(entries);
}

static void put_snapshot(const char *folder, const char *isa, const loaded *x, const uint8_t *bytes,
                         size_t n_bytes, bool cycles) {
  char etm[1024];
  mkdir(folder, 0777);
  put_text(folder, "snapshot.ini",
           "[snapshot]\nversion=1.0\n\n[device_list]\ndevice0=core.ini\ndevice1=etm.ini\n\n"
           "[trace]\nmetadata=trace.ini\n");
  put_text(
      folder, "trace.ini",
      "[trace_buffers]\nbuffers=buffer0\n\n[buffer0]\nname=ETB_0\nfile=trace.bin\n"
      "format=coresight\n\n[core_trace_sources]\ncore=ETM_0\n\n[source_buffers]\nETM_0=ETB_0\n");
  /* Return stack, context identifiers and timestamps are on, cycle counts if they are asked for; no
   * speculation. */
  snprintf(etm, sizeof etm,
           "[device]\nname=ETM_0\nclass=trace_source\ntype=ETM4\n\n[regs]\nTRCCONFIGR=0x000018%d0\n"
           "TRCTRACEIDR=0x00000010\nTRCAUTHSTATUS=0x000000cc\nTRCIDR0=0x28000ea1\n"
           "TRCIDR1=0x4100f403\nTRCIDR2=0x00000488\nTRCIDR8=0x00000000\nTRCIDR9=0x00000000\n"
           "TRCIDR10=0x00000000\nTRCIDR11=0x00000000\nTRCIDR12=0x00000000\nTRCIDR13=0x00000000\n",
           cycles ? 5 : 4);
  put_text(folder, "etm.ini", etm);
  int number = oct_isa_by_name(isa);
  if (number == OCT_ISA_ARM && x->insn_align_bytes == 2) number = OCT_ISA_THUMB;
  put_program(folder, number, x);
  FILE *f = open_file(folder, "trace.bin");
  fwrite(bytes, 1, n_bytes, f);
  fclose(f);
}

/* Hold the ranges that the lister prints against the trace. *cycles gets the sum of its counts. */
static size_t check_listing(const char *path, const char *lister, const char *folder,
                            const loaded *x, uint64_t *cycles) {
  char command[2048], line[4096];
  size_t at = 0;
  *cycles = 0;
  snprintf(command, sizeof command, "%s -ss_dir %s -decode_only -logstdout", lister, folder);
  FILE *f = popen(command, "r");
  if (!f) die(lister, "cannot be run");
  while (fgets(line, sizeof line, f)) {
    const char *range = strstr(line, "exec range=0x");
    unsigned long long first, behind;
    if (strstr(line, "ERROR") || strstr(line, "Error") || strstr(line, "ADDR_NACC"))
      die(path, line);
    const char *count = strstr(line, "[CC=");
    if (count) *cycles += strtoull(count + 4, NULL, 10);
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

static void check(const char *path, const char *lister, const char *folder, const loaded *x,
                  const char *isa, bool with_cycles) {
  enum { THRESHOLD = 256 };
  size_t n_bytes;
  double bits;
  uint64_t cycles, all = x->insns[x->n - 2].cycle - x->insns[0].cycle;
  uint8_t *bytes = encode("etmv4", with_cycles ? "cycles" : "default", x, isa, &n_bytes, &bits);
  put_snapshot(folder, isa, x, bytes, n_bytes, with_cycles);
  size_t n = check_listing(path, lister, folder, x, &cycles);
  if (n != x->n) {
    fprintf(stderr, "%s: OpenCSD has %zu of %zu instructions\n", path, n, x->n);
    exit(1);
  }
  /* What is below the threshold, or behind the last branch, is not sent. */
  if (with_cycles && (cycles > all || cycles + 2 * THRESHOLD < all)) {
    fprintf(stderr, "%s: OpenCSD counts %llu of %llu cycles\n", path, (unsigned long long)cycles,
            (unsigned long long)all);
    exit(1);
  }
  printf("%s: %zu instructions, %s, %.4f bits an instruction: OpenCSD agrees\n", path, x->n,
         with_cycles ? "cycle counts" : "no cycle counts", bits);
  free(bytes);
}

int main(int argc, char **argv) {
  size_t most = 10000000;
  int first = 3, checked = 0;
  if (argc < 4) die("usage", "test_opencsd LISTER FOLDER [-n INSNS] TRACE...");
  if (!strcmp(argv[3], "-n")) {
    most = strtoull(argv[4], NULL, 0);
    first = 5;
  }
  for (int i = first; i < argc; i++) {
    loaded x;
    char isa[64];
    load(argv[i], most, &x, isa, sizeof isa);
    if (x.without_code > 8) {
      printf("%s: %zu instructions without bytes: passed over\n", argv[i], x.without_code);
    } else {
      check(argv[i], argv[1], argv[2], &x, isa, false);
      stamp(&x);
      check(argv[i], argv[1], argv[2], &x, isa, true);
      checked++;
    }
    oct_map_free(x.code);
    free(x.insns);
    free(x.updates);
  }
  return checked ? 0 : 77;
}
