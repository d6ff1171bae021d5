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

/* Every packet, read by libipt's packet decoder and written by its encoder, has the same bytes; the
 * cycles of all CYC packets are *cycles. */
static size_t check_packets(const char *path, uint8_t *bytes, size_t n_bytes, uint64_t *cycles) {
  uint8_t again[64];
  struct pt_config in, out;
  size_t n = 0;
  *cycles = 0;
  pt_config_init(&in);
  in.begin = bytes;
  in.end = bytes + n_bytes;
  pt_config_init(&out);
  out.begin = again;
  out.end = again + sizeof again;
  struct pt_packet_decoder *d = pt_pkt_alloc_decoder(&in);
  struct pt_encoder *e = pt_alloc_encoder(&out);
  if (!d || !e || pt_pkt_sync_set(d, 0) < 0) die(path, "libipt does not start");
  for (;; n++) {
    struct pt_packet packet;
    uint64_t at;
    pt_pkt_get_offset(d, &at);
    int rc = pt_pkt_next(d, &packet, sizeof packet);
    if (rc == -pte_eos) break;
    if (rc < 0) die(path, pt_errstr(pt_errcode(rc)));
    if (packet.type == ppt_cyc) *cycles += packet.payload.cyc.value;
    pt_enc_sync_set(e, 0);
    int size = pt_enc_next(e, &packet);
    if (size != packet.size || memcmp(again, bytes + at, (size_t)size) != 0)
      die(path, "libipt's encoder writes another packet");
  }
  pt_pkt_free_decoder(d);
  pt_free_encoder(e);
  return n;
}

static void check_flow(const char *path, loaded *x, uint8_t *bytes, size_t n_bytes) {
  struct pt_config config;
  struct pt_insn insn;
  struct pt_event event;
  struct pt_image *image = pt_image_alloc(NULL);
  size_t at = 0;
  pt_config_init(&config);
  config.begin = bytes;
  config.end = bytes + n_bytes;
  struct pt_insn_decoder *d = pt_insn_alloc_decoder(&config);
  if (!d || !image) die(path, "libipt does not start");
  pt_image_set_callback(image, read_code, x);
  pt_insn_set_image(d, image);
  int status = pt_insn_sync_forward(d);
  while (status >= 0) {
    while (status >= 0 && status & pts_event_pending) {
      status = pt_insn_event(d, &event, sizeof event);
      if (status >= 0 && event.type == ptev_overflow) die(path, "an overflow");
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
  pt_insn_free_decoder(d);
  pt_image_free(image);
}

static void check(const char *path, loaded *x, const char *isa, const char *geometry) {
  size_t n_bytes;
  double bits;
  uint64_t cycles;
  uint8_t *bytes = encode("intel-pt", geometry, x, isa, &n_bytes, &bits);
  size_t packets = check_packets(path, bytes, n_bytes, &cycles);
  check_flow(path, x, bytes, n_bytes);
  if (cycles != x->insns[x->n - 1].cycle) die(path, "CYC packets count other cycles");
  printf("%s: %zu instructions, %zu packets, %s, %.4f bits an instruction: libipt agrees\n", path,
         x->n, packets, geometry, bits);
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
      stamp(x.insns, 0, x.n);
      check(argv[i], &x, isa, "cyc=1");
      checked++;
    }
    oct_map_free(x.code);
    free(x.insns);
    free(x.updates);
  }
  return checked ? 0 : 77;
}
