/* SPDX-License-Identifier: Apache-2.0 */
/* oct_etm4.h - Arm ETMv4 instruction trace: parameters, addresses as they are compressed, the
 * return stack, and CoreSight formatter frames.
 *
 * Source: "Arm Embedded Trace Macrocell Architecture Specification ETMv4" (ARM IHI 0064) and "Arm
 * CoreSight Architecture Specification" (ARM IHI 0029); docs/etmv4-format.md says what of them is
 * here. */
#ifndef OCT_ETM4_H
#define OCT_ETM4_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "oct_fields.h"
#include "oct_formatter.h"
#include "octrace/error.h"
#include "octrace/trace.h"

/* X(name, default, min, max, unit, role, old name, meaning): the parameters, in the order of the
 * tracer's table. */
// clang-format off
#define OCT_ETM4_PARAMS(X)                                                                         \
  X(default_isa, 2, 0, 2, "", NONE, "isa", "of instructions whose bytes are not known: 0 A32, 1 T32, 2 A64")\
  X(sync_period_insns, 262144, 0, 0xffffffff, "insns", SYNC_INSNS, NULL, "instructions between syncs, 0 = only the first")\
  X(return_stack, 15, 0, 15, "entries", NONE, NULL, "return addresses that are not sent, 0 = all are")\
  X(timestamp, 1, 0, 1, "", TIMESTAMP, NULL, "timestamps at syncs, which count retired instructions")\
  X(frames, 1, 0, 1, "", NONE, NULL, "1: in CoreSight formatter frames; 0: only bytes of the trace unit")\
  X(trace_id, 16, 1, 111, "", NONE, NULL, "source in the frames (TRCTRACEIDR)")                    \
  X(cycles, 0, 0, 1, "", NONE, NULL, "cycle counts, where the trace has cycle stamps (TRCCONFIGR.CCI)")\
  X(cycle_threshold, 256, 4, 4095, "cycles", NONE, NULL, "fewest that are counted in a packet (TRCCCCTLR)")
// clang-format on

OCT_PARAM_FIELDS(oct_etm4_params, OCT_ETM4_PARAMS)

enum { OCT_ETM4_A32, OCT_ETM4_T32, OCT_ETM4_A64 };

/* Headers of packets. */
enum {
  OCT_ETM4_EXTENSION = 0x00,
  OCT_ETM4_TRACE_INFO = 0x01,
  OCT_ETM4_TIMESTAMP = 0x02,
  OCT_ETM4_TRACE_ON = 0x04,
  OCT_ETM4_EXCEPTION = 0x06,
  OCT_ETM4_CYCLES = 0x0e,       /* a count follows, */
  OCT_ETM4_CYCLES_MANY = 0x0f,  /* or was too large, */
  OCT_ETM4_CYCLES_SHORT = 0x10, /* or is in the lowest two bits */
  OCT_ETM4_CONTEXT_32_A32 = 0x82,
  OCT_ETM4_CONTEXT_32_T32 = 0x83,
  OCT_ETM4_CONTEXT_64_A64 = 0x85,
  OCT_ETM4_EXACT = 0x90,
  OCT_ETM4_SHORT = 0x95,   /* +1 for T32 */
  OCT_ETM4_LONG_32 = 0x9a, /* +1 for T32 */
  OCT_ETM4_LONG_64 = 0x9d,
  OCT_ETM4_ATOMS = 0xc0 /* and above, but 0xf5: atoms of six formats */
};

/* What cycle counts have room for, the threshold aside. */
enum { OCT_ETM4_CYCLES_BITS = 20, OCT_ETM4_CYCLES_SHORT_MOST = 3 };
/* Sections of a Trace Info packet (PLCTL), and that cycles are counted (INFO). */
enum { OCT_ETM4_PLCTL_INFO = 1, OCT_ETM4_PLCTL_CYCLES = 8, OCT_ETM4_INFO_CYCLES = 1 };
/* Types of exceptions: what ends tracing; interrupts; one that is each implementation's own, here a
 * jump that no instruction explains, or a change of task. */
enum {
  OCT_ETM4_HALT = 1,
  OCT_ETM4_IRQ = 14,
  OCT_ETM4_FIQ = 15,
  OCT_ETM4_JUMP = 23,
  OCT_ETM4_TYPES = 1024
};
/* Zeros that begin an A-Sync, which 0x80 ends. */
enum { OCT_ETM4_ASYNC_ZEROS = 11 };

/* The last three addresses sent since the sync, the newest first. */
enum { OCT_ETM4_HISTORY = 3 };
typedef struct oct_etm4_history {
  uint64_t addr[OCT_ETM4_HISTORY];
  uint8_t is_thumb[OCT_ETM4_HISTORY];
  unsigned n;
} oct_etm4_history;

static inline void oct_etm4_remember(oct_etm4_history *h, uint64_t addr, bool is_thumb) {
  memmove(h->addr + 1, h->addr, (OCT_ETM4_HISTORY - 1) * sizeof *h->addr);
  memmove(h->is_thumb + 1, h->is_thumb, (OCT_ETM4_HISTORY - 1) * sizeof *h->is_thumb);
  h->addr[0] = addr;
  h->is_thumb[0] = is_thumb;
  if (h->n < OCT_ETM4_HISTORY) h->n++;
}

/* Return addresses of the newest calls. */
typedef struct oct_etm4_stack {
  uint64_t link[16];
  uint32_t top, n, depth;
} oct_etm4_stack;

static inline void oct_etm4_push(oct_etm4_stack *s, uint64_t link) {
  if (!s->depth) return;
  s->top = (s->top + 1) % 16;
  s->link[s->top] = link;
  if (s->n < s->depth) s->n++;
}
static inline uint64_t oct_etm4_pop(oct_etm4_stack *s) {
  uint64_t link = s->link[s->top];
  s->top = (s->top + 15) % 16;
  s->n--;
  return link;
}

/* Whether the bytes are an instruction barrier (ISB), which is traced as a branch to the next
 * instruction. */
static inline bool oct_etm4_is_barrier(const oct_map_entry *e) {
  const uint8_t *c = e->code;
  uint32_t word = c[0] | (uint32_t)c[1] << 8 | (uint32_t)c[2] << 16 | (uint32_t)c[3] << 24;
  if (e->size_bytes != 4) return false;
  if (e->code_isa == OCT_ISA_AARCH64 + 1) return (word & 0xfffff0ff) == 0xd50330df;
  if (e->code_isa == OCT_ISA_THUMB + 1) return (word & 0xfff0ffff) == 0x8f60f3bf;
  return e->code_isa == OCT_ISA_ARM + 1 && (word & 0xfffffff0) == 0xf57ff060;
}

/* The kernel lends a program of A32 and T32 helpers there, which are A32. */
static inline bool oct_etm4_is_lent(uint64_t addr) {
  return addr >> 16 == 0xffff;
}

/* Atoms, the oldest in bit 0, 1 = E (taken). */
typedef struct oct_etm4_atoms {
  uint64_t bits;
  uint32_t n;
} oct_etm4_atoms;

/* The header byte that holds the most of the oldest atoms, which are taken out. */
uint8_t oct_etm4_pack_atoms(oct_etm4_atoms *a);
/* The atoms of a header byte; false if it is none. */
bool oct_etm4_unpack_atoms(uint8_t header, oct_etm4_atoms *a);

/* A packet as it is read. */
typedef struct oct_etm4_packet {
  uint8_t header;
  bool is_async, is_address, has_context, is_thumb, is_cycles;
  oct_etm4_atoms atoms; /* n > 0: it is of atoms */
  uint64_t value;       /* address, timestamp, type of an exception, cycles above the threshold (all
                           ones: too many), or the threshold of a Trace Info packet */
  uint32_t context;
  uint8_t privilege; /* of a context: the exception level */
} oct_etm4_packet;

/* Read the packet at bytes, of which n are there; *h goes on. Its length, 0 when more are needed,
 * -1 for one that is not known. */
int oct_etm4_read(const uint8_t *bytes, size_t n, oct_etm4_history *h, oct_etm4_packet *p);

/* ---- Frames: 16 bytes, of which 15 carry data or a source, and the last the lowest bits of those
 * at even places. ---- */
enum { OCT_ETM4_FRAME_BYTES = OCT_FRAME_BYTES };

typedef struct oct_etm4_framer {
  oct_buffer pending; /* bytes that are not in a frame yet */
  oct_formatter formatter;
  uint8_t id;
} oct_etm4_framer;

/* Put pending bytes into frames, and those that are whole to out; with is_end the last one is
 * filled up, and the next begins with the source. */
int oct_etm4_frame(oct_etm4_framer *f, oct_buffer *out, bool is_end);

#endif
