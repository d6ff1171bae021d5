/* SPDX-License-Identifier: Apache-2.0 */
/* test_libipt.c - does libipt, Intel's own decoder, read out of our Intel PT streams the same
 * instructions that went in, and does its encoder write the same bytes for each packet?
 *
 *   test_libipt [-n INSNS] TRACE...
 *
 * Traces need the bytes of instructions, as captures have them: libipt reads the program from them.
 */
#include <intel-pt.h>

#include "../test_random.h"
#include "loaded_trace.h"
#include "octrace/trace.h"

/* The bytes of the instruction at ip. */
static int read_code(uint8_t *buffer, size_t size, const struct pt_asid *asid, uint64_t ip,
                     void *context) {
  const loaded *x = context;
  uint32_t id = oct_map_find(x->code, ip);
  (void)asid;
  if (id == UINT32_MAX) return -pte_nomap;
  const oct_map_head *e = oct_map_at(x->code, id);
  size_t n = e->size_bytes < size ? e->size_bytes : size;
  if (!e->code_isa) return -pte_nomap;
  memcpy(buffer, e->code, n);
  return (int)n;
}

enum { OVERFLOWS_MAX = 1 << 16, MTC_FREQ = 5 };

/* What the packets say. */
typedef struct told {
  uint64_t cycles; /* of all CYC packets */
  size_t n, n_mtc; /* packets, and those */
  size_t n_overflows;
  uint64_t resumed[OVERFLOWS_MAX]; /* number of the instruction behind each */
  bool is_number;                  /* the TSC behind OVF comes */
} told;

/* The kinds of packets that were written by both encoders, of all that ours sends: addresses with
 * each of its compressions. */
enum { FAMILIES = 4, COMPRESSIONS = 7 };
static unsigned kinds_seen[64], addresses_seen[FAMILIES][COMPRESSIONS];

static void note_kind(const struct pt_packet *p) {
  static const enum pt_packet_type families[FAMILIES] = {ppt_tip, ppt_tip_pge, ppt_tip_pgd,
                                                         ppt_fup};
  if ((unsigned)p->type < 64) kinds_seen[p->type]++;
  for (int i = 0; i < FAMILIES; i++)
    if (p->type == families[i] && (unsigned)p->payload.ip.ipc < COMPRESSIONS)
      addresses_seen[i][p->payload.ip.ipc]++;
}

static void check_kinds(void) {
  static const enum pt_packet_type kinds[] = {
      ppt_psb, ppt_psbend, ppt_tnt_8, ppt_tnt_64, ppt_tip, ppt_fup, ppt_tip_pge, ppt_tip_pgd,
      ppt_tsc, ppt_pip,    ppt_mode,  ppt_cyc,    ppt_mtc, ppt_tma, ppt_mnt,     ppt_ovf};
  static const enum pt_ip_compression used[] = {pt_ipc_update_16, pt_ipc_update_32, pt_ipc_sext_48,
                                                pt_ipc_full};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (!kinds_seen[kinds[i]]) die("packets", "a kind that was not compared");
  for (int f = 0; f < FAMILIES; f++)
    for (size_t i = 0; i < sizeof used / sizeof *used; i++)
      if (f != 2 && !addresses_seen[f][used[i]]) die("addresses", "a form that was not compared");
  if (!addresses_seen[2][pt_ipc_suppressed]) die("TIP.PGD", "none without an address");
}

static void take_packet(const char *path, told *t, const struct pt_packet *p) {
  if (p->type == ppt_cyc) t->cycles += p->payload.cyc.value;
  if (p->type == ppt_mtc) {
    t->n_mtc++;
    /* Behind the cycles up to it; an overflow loses some of those. */
    if (t->cycles && !t->n_overflows && (uint8_t)(t->cycles >> MTC_FREQ) != p->payload.mtc.ctc)
      die(path, "an MTC with another count than the CYC packets'");
  }
  if (p->type == ppt_tsc && t->is_number) {
    t->resumed[t->n_overflows++] = p->payload.tsc.tsc;
    t->is_number = false;
  }
  if (p->type == ppt_ovf) {
    if (t->n_overflows == OVERFLOWS_MAX) die(path, "too many overflows");
    t->is_number = true;
  }
}

/* Every packet, read by libipt's packet decoder and written by its encoder, has the same bytes. */
static void check_packets(const char *path, uint8_t *bytes, size_t n_bytes, told *t) {
  uint8_t again[64];
  struct pt_config in, out;
  pt_config_init(&in);
  in.begin = bytes;
  in.end = bytes + n_bytes;
  pt_config_init(&out);
  out.begin = again;
  out.end = again + sizeof again;
  struct pt_packet_decoder *d = pt_pkt_alloc_decoder(&in);
  struct pt_encoder *e = pt_alloc_encoder(&out);
  if (!d || !e || pt_pkt_sync_set(d, 0) < 0) die(path, "libipt does not start");
  for (;; t->n++) {
    struct pt_packet packet;
    uint64_t at;
    pt_pkt_get_offset(d, &at);
    int rc = pt_pkt_next(d, &packet, sizeof packet);
    if (rc == -pte_eos) break;
    if (rc < 0) die(path, pt_errstr(pt_errcode(rc)));
    take_packet(path, t, &packet);
    note_kind(&packet);
    pt_enc_sync_set(e, 0);
    int size = pt_enc_next(e, &packet);
    if (size != packet.size || memcmp(again, bytes + at, (size_t)size) != 0)
      die(path, "libipt's encoder writes another packet");
  }
  pt_pkt_free_decoder(d);
  pt_free_encoder(e);
}

/* The flow of instructions is the trace's. An overflow leads from somewhere before the instruction
 * that TSC counts to that one; returns how many instructions are missing. */
static uint64_t check_flow(const char *path, loaded *x, uint8_t *bytes, size_t n_bytes,
                           const told *t) {
  struct pt_config config;
  struct pt_insn insn;
  struct pt_event event;
  struct pt_image *image = pt_image_alloc(NULL);
  size_t at = 0, n_overflows = 0, trap = 0;
  uint64_t missing = 0;
  pt_config_init(&config);
  config.begin = bytes;
  config.end = bytes + n_bytes;
  config.mtc_freq = MTC_FREQ;
  config.cpuid_0x15_eax = config.cpuid_0x15_ebx = 1;
  struct pt_insn_decoder *d = pt_insn_alloc_decoder(&config);
  if (!d || !image) die(path, "libipt does not start");
  pt_image_set_callback(image, read_code, x);
  pt_insn_set_image(d, image);
  int status = pt_insn_sync_forward(d);
  while (status >= 0) {
    while (status >= 0 && status & pts_event_pending) {
      status = pt_insn_event(d, &event, sizeof event);
      if (status < 0 || event.type != ptev_overflow) continue;
      if (n_overflows == t->n_overflows) die(path, "an overflow without its TSC");
      if (at > t->resumed[n_overflows]) die(path, "libipt goes beyond an overflow");
      missing += t->resumed[n_overflows] - at;
      at = t->resumed[n_overflows++];
    }
    if (status < 0 || status & pts_eos) break;
    status = pt_insn_next(d, &insn, sizeof insn);
    if (status < 0 && status != -pte_eos) break;
    if (at == x->n) die(path, "libipt decodes more than went in");
    if (insn.ip != x->insns[at].addr || insn.size != x->insns[at].size_bytes) {
      char text[160];
      snprintf(text, sizeof text, "instruction %zu: expected 0x%llx, libipt has 0x%llx", at,
               (unsigned long long)x->insns[at].addr, (unsigned long long)insn.ip);
      die(path, text);
    }
    /* libipt knows of one time of a repeated instruction, the trace of each; a trap begins anew. */
    uint64_t stop = n_overflows < t->n_overflows ? t->resumed[n_overflows] : x->n;
    while (trap < x->n_traps && x->traps[trap].insn <= at) trap++;
    if (trap < x->n_traps && x->traps[trap].insn < stop) stop = x->traps[trap].insn;
    while (at + 1 < stop && x->insns[at + 1].addr == insn.ip && insn.iclass == ptic_other) at++;
    at++;
  }
  if (status < 0 && status != -pte_eos) {
    char text[160];
    uint64_t offset = 0;
    pt_insn_get_offset(d, &offset);
    snprintf(text, sizeof text, "instruction %zu, byte %llu: libipt says: %s", at,
             (unsigned long long)offset, pt_errstr(pt_errcode(status)));
    die(path, text);
  }
  if (at != x->n) {
    fprintf(stderr, "%s: %zu of %zu instructions\n", path, at, x->n);
    exit(1);
  }
  if (n_overflows != t->n_overflows) die(path, "libipt has fewer overflows");
  pt_insn_free_decoder(d);
  pt_image_free(image);
  return missing;
}

/* Streams that have each kind of packet, of a program that no processor would run: addresses of all
 * widths, tasks, system calls, repetitions, traps, time, losses. The packets alone are compared. */
static void check_every_kind(void) {
  enum { INSNS = 24000, PLACES = 4, PER_PLACE = 6 };
  static const uint64_t places[PLACES] = {0x401000, 0x12345000, UINT64_C(0x7fff00001000),
                                          UINT64_C(0x1234567800001000)};
  static const char *const geometries[] = {"cyc=1,mtc=1,mtc_freq=5", "tnt_long=1",
                                           "buffer_bytes=128,drain_bits=1"};
  static told t;
  loaded x = {.n = INSNS, .addr_bits = 64, .insn_align_bytes = 1};
  uint64_t seed = test_seed("every kind");
  x.insns = grow(NULL, INSNS * sizeof *x.insns);
  x.updates = grow(NULL, PLACES * PER_PLACE * sizeof *x.updates);
  x.traps = grow(NULL, INSNS * sizeof *x.traps);
  for (unsigned p = 0; p < PLACES; p++)
    for (unsigned i = 0; i < PER_PLACE; i++) {
      oct_map_entry *e = &x.updates[x.n_updates].entry;
      memset(&x.updates[x.n_updates++], 0, sizeof *x.updates);
      e->addr = places[p] + 2 * i;
      e->size_bytes = 2;
      e->cls = OCT_CLASS_OTHER;
      if (i == 1 || i == 2) {
        e->cls = OCT_CLASS_COND_BRANCH;
        e->target = places[p];
      }
      if (i == 5) e->cls = OCT_CLASS_INDIRECT_JUMP;
      if (i == 3 || i == 4) {
        e->code_isa = OCT_ISA_X86_64 + 1;
        e->code[0] = i == 3 ? 0xf3 : 0x0f; /* rep movsb, syscall */
        e->code[1] = i == 3 ? 0xa4 : 0x05;
      }
    }
  unsigned place = 0, at = 0, task = 0;
  for (size_t i = 0; i < INSNS; i++) {
    oct_map_entry *e = &x.updates[place * PER_PLACE + at].entry;
    x.insns[i] = (oct_insn){.addr = e->addr, .task = task, .size_bytes = 2};
    x.insns[i].flags = (uint8_t)(e->cls << OCT_INSN_CLASS_SHIFT);
    const uint32_t bits = (uint32_t)random_step(&seed);
    const unsigned dice = bits >> 24;
    if (at == 1 || at == 2)
      at = dice & 1 ? 0 : at + 1;
    else if (at != 3 || dice < 64) /* else once more */
      at++;
    if (at == PER_PLACE || dice == 7) {
      at = 0;
      place = (bits >> 20 & 15) % PLACES;
    }
    if (dice > 250) task = (task + 1) % 3;
    if (dice > 240) {
      oct_trap *trap = &x.traps[x.n_traps++];
      *trap = (oct_trap){.insn = (uint32_t)i + 1, .addr = places[bits >> 18 & 3]};
    }
  }
  for (size_t g = 0; g < sizeof geometries / sizeof *geometries; g++) {
    double bits;
    size_t n_bytes;
    if (g == 0) stamp(x.insns, 0, x.n);
    uint8_t *bytes = encode("intel-pt", geometries[g], &x, "x86-64", &n_bytes, &bits);
    memset(&t, 0, sizeof t);
    t.n_overflows = 1; /* times are not held against the trace */
    check_packets("every kind", bytes, n_bytes, &t);
    printf("every kind: %zu packets, %s: libipt's encoder writes the same\n", t.n, geometries[g]);
    free(bytes);
  }
  free(x.insns);
  free(x.updates);
  free(x.traps);
  check_kinds();
}

static void check(const char *path, loaded *x, const char *isa, const char *geometry) {
  static told t;
  size_t n_bytes;
  double bits;
  uint8_t *bytes = encode("intel-pt", geometry, x, isa, &n_bytes, &bits);
  memset(&t, 0, sizeof t);
  check_packets(path, bytes, n_bytes, &t);
  uint64_t missing = check_flow(path, x, bytes, n_bytes, &t);
  if (!t.n_overflows && strstr(geometry, "cyc") && t.cycles != x->insns[x->n - 1].cycle)
    die(path, "CYC packets count other cycles");
  if (strstr(geometry, "mtc") && t.n_mtc < x->insns[x->n - 1].cycle >> MTC_FREQ >> 7)
    die(path, "MTC packets are missing");
  if (!strstr(geometry, "buffer") && t.n_overflows) die(path, "an overflow");
  printf("%s: %zu instructions, %zu packets, %s, %.4f bits an instruction", path, x->n, t.n,
         geometry, bits);
  if (missing)
    printf(", %llu missing at %zu overflows", (unsigned long long)missing, t.n_overflows);
  printf(": libipt agrees\n");
  free(bytes);
}

int main(int argc, char **argv) {
  size_t most = 10000000;
  int first = 1, checked = 0;
  if (argc > 2 && !strcmp(argv[1], "-n")) {
    most = strtoull(argv[2], NULL, 0);
    first = 3;
  }
  check_every_kind();
  for (int i = first; i < argc && !runs_share(); i++) { /* a share is of what is random */
    loaded x;
    char isa[64];
    load(argv[i], most, &x, isa, sizeof isa);
    if (x.without_code) {
      printf("%s: %zu instructions without bytes: passed over\n", argv[i], x.without_code);
    } else {
      check(argv[i], &x, isa, "default");
      check(argv[i], &x, isa, "buffer_bytes=128,drain_bits=1");
      check(argv[i], &x, isa, "plain,buffer_bytes=1000,drain_bits=1");
      stamp(x.insns, 0, x.n);
      check(argv[i], &x, isa, "cyc=1");
      check(argv[i], &x, isa, "cyc=1,mtc=1,mtc_freq=5");
      check(argv[i], &x, isa, "mtc=1,mtc_freq=5,buffer_bytes=128,drain_bits=1");
      add_traps(&x);
      check(argv[i], &x, isa, "cyc=1,mtc=1,mtc_freq=5");
      check(argv[i], &x, isa, "plain");
      check(argv[i], &x, isa, "buffer_bytes=128,drain_bits=1");
      checked++;
    }
    oct_map_free(x.code);
    free(x.insns);
    free(x.updates);
    free(x.traps);
  }
  return checked || runs_share() ? 0 : 77;
}
