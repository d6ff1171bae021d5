/* SPDX-License-Identifier: Apache-2.0 */
/* oct_pt.h - Intel Processor Trace: parameters, packets and the return stack.
 *
 * Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 3, chapter "Intel
 * Processor Trace"; docs/intel-pt-format.md says what of it is here. */
#ifndef OCT_PT_H
#define OCT_PT_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "oct_fields.h"
#include "octrace/trace.h"

/* X(name, default, min, max, unit, meaning): the parameters, in the order of the tracer's table. */
// clang-format off
#define OCT_PT_PARAMS(X)                                                                           \
  X(mode_bits, 64, 32, 64, "bits", NONE, "execution mode: 32 or 64")                               \
  X(sync_period_insns, 262144, 0, 0xffffffff, "insns", SYNC_INSNS, "instructions between PSB packets, 0 = only the first")\
  X(ret_compression, 1, 0, 1, "", NONE, "returns that go where their call came from are a TNT bit")\
  X(tnt_long, 0, 0, 1, "", NONE, "TNT packets of 47 bits instead of 6")                            \
  X(tsc, 1, 0, 1, "", NONE, "TSC packets at syncs, which count retired instructions")              \
  X(cyc, 0, 0, 1, "", NONE, "CYC packets, where the trace has cycle stamps")                       \
  X(mtc, 0, 0, 1, "", NONE, "MTC packets, and TMA after TSC, where the trace has cycle stamps")   \
  X(mtc_freq, 3, 0, 15, "", NONE, "an MTC every 2^this cycles (IA32_RTIT_CTL.MTCFreq)")            \
  X(buffer_bytes, 0, 0, 65536, "bytes", NONE, "internal buffer: packets without room are lost (OVF); 0 = room for all")\
  X(drain_bits, 8, 1, 64, "bits", NONE, "that leave the buffer in a cycle, or for each instruction where there are no stamps")
// clang-format on

OCT_PARAM_FIELDS(oct_pt_params, OCT_PT_PARAMS)

typedef enum oct_pt_type {
  OCT_PT_PAD,
  OCT_PT_TNT, /* value: its bits, the oldest the highest; n */
  OCT_PT_TIP, /* value: an address, unless it is suppressed */
  OCT_PT_TIP_PGE,
  OCT_PT_TIP_PGD,
  OCT_PT_FUP,
  OCT_PT_PSB,
  OCT_PT_PSBEND,
  OCT_PT_MODE, /* value: its payload */
  OCT_PT_PIP,  /* value: CR3 */
  OCT_PT_TSC,
  OCT_PT_CBR,
  OCT_PT_CYC,
  OCT_PT_MTC,
  OCT_PT_OVF,
  OCT_PT_TMA,   /* value: CTC */
  OCT_PT_MNT,   /* value: of a repeated instruction, see OCT_PT_MNT_* */
  OCT_PT_OTHER, /* known by its length alone */
  OCT_PT_TYPES
} oct_pt_type;

/* A packet as it is read. */
typedef struct oct_pt_packet {
  uint8_t type;
  uint8_t n_bytes;
  uint8_t n; /* bits of a TNT; of an address its compression, 0 = suppressed */
  uint64_t value;
} oct_pt_packet;

/* Smallest buffer: PSB to PSBEND and an address fit in, and in half of it what follows OVF. */
enum { OCT_PT_BUFFER_LEAST = 128 };
enum { OCT_PT_PSB_BYTES = 16, OCT_PT_PACKET_BYTES_MAX = 16 };

/* Read the packet at bytes, of which n are there. Its length; 0 when more are needed; -1 for none
 * that is known. *last_ip is what addresses are compressed against, and goes on. */
int oct_pt_read(const uint8_t *bytes, size_t n, uint64_t *last_ip, oct_pt_packet *p);
/* "TNT", "TIP.PGE", ... */
const char *oct_pt_name(uint8_t type);

/* Tasks stand in CR3 as the number of a page. */
enum { OCT_PT_CR3_SHIFT = 12 };

/* Calls that returns are held against: the newest 64. */
enum { OCT_PT_STACK = 64 };
typedef struct oct_pt_stack {
  uint64_t link[OCT_PT_STACK];
  uint32_t top, n;
} oct_pt_stack;

static inline void oct_pt_push(oct_pt_stack *s, uint64_t link) {
  s->top = (s->top + 1) % OCT_PT_STACK;
  s->link[s->top] = link;
  if (s->n < OCT_PT_STACK) s->n++;
}
static inline uint64_t oct_pt_pop(oct_pt_stack *s) {
  uint64_t link = s->link[s->top];
  s->top = (s->top + OCT_PT_STACK - 1) % OCT_PT_STACK;
  s->n--;
  return link;
}

/* Whether the bytes are a string instruction that is repeated (rep movs): a processor retires it
 * once, where others count each iteration. */
static inline bool oct_pt_is_rep(const oct_map_entry *e) {
  const uint8_t *c = e->code;
  unsigned at = 0;
  bool has_rep = false;
  if (!e->code_isa) return false;
  /* Prefixes: rep, sizes of operand and address, REX. */
  for (; at < e->size_bytes &&
         (c[at] == 0xf2 || c[at] == 0xf3 || c[at] == 0x66 || c[at] == 0x67 || c[at] >> 4 == 4);
       at++)
    has_rep |= c[at] == 0xf2 || c[at] == 0xf3;
  if (!has_rep || at + 1u != e->size_bytes) return false;
  return (c[at] >= 0xa4 && c[at] <= 0xa7) || (c[at] >= 0xaa && c[at] <= 0xaf) ||
         (c[at] >= 0x6c && c[at] <= 0x6f);
}

/* The payload of MNT, which is the vendor's own: here that the repeated instruction at the next
 * place with these bits of its address comes so many times. Other decoders pass it over, and take
 * the instruction once. */
enum { OCT_PT_MNT_ADDR_BITS = 40, OCT_PT_MNT_MOST = (1 << 24) - 1 };

/* Whether the bytes are a transfer to the kernel, which is traced as one: syscall, sysenter, int.
 */
static inline bool oct_pt_is_far(const oct_map_entry *e) {
  const uint8_t *c = e->code;
  if (!e->code_isa) return false;
  if (c[0] == 0x0f) return c[1] == 0x05 || c[1] == 0x34;
  return c[0] == 0xcd || c[0] == 0xcc;
}

#endif
