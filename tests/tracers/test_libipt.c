/* SPDX-License-Identifier: Apache-2.0 */
/* test_libipt.c - does libipt, Intel's own decoder, read out of our Intel PT streams the same
 * instructions that went in, and does its encoder write the same bytes for each packet?
 *
 *   test_libipt [-n INSNS] TRACE...
 *
 * Traces need the bytes of instructions, as captures have them: libipt reads the program from them.
 */
#include <intel-pt.h>

#include "loaded_trace.h"

/* The bytes of the instruction at ip. */
static int read_code(uint8_t *buffer, size_t size, const struct pt_asid *asid, uint64_t ip,
                     void *context) {
  const loaded *x = context;
  uint32_t id = oct_map_find(x->code, ip);
  (void)asid;
  if (id == UINT32_MAX) return -pte_nomap;
  const oct_map_entry *e = oct_map_at(x->code, id);
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
  for (int i = first; i < argc; i++) {
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
  return checked ? 0 : 77;
}
