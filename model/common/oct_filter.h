/* SPDX-License-Identifier: Apache-2.0 */
/* oct_filter.h - chooses what is traced: by address, task, privilege and external triggers.
 *
 * Registers and their fields have the names and meanings of the RISC-V Trace Control Interface,
 * which E-Trace uses (docs/references.md); docs/filters.md has their table. A filter is met when
 * all that it asks for holds: privilege levels, and up to three comparators. An instruction is
 * traced when one of the filters in trTeInstFilters is met, or none is named there; an access of
 * such an instruction likewise with trTeDataFilters. Decisions for an instruction hold for all its
 * accesses.
 *
 * An instruction that is not traced leaves with `skip`, as do its accesses: the ingress counts
 * them, and the gap is marked. An access that is not traced, of an instruction that is, becomes a
 * terminator, and no access of that instruction follows it.
 *
 * With n = 0 there is nothing: all is traced, and no register answers. Latency: none. */
#ifndef OCT_FILTER_H
#define OCT_FILTER_H

#include <stdbool.h>
#include <stdint.h>

#include "octrace/tracer.h"

#define OCT_FILTERS_MAX 4
#define OCT_TRIGGERS 2

/* Registers: X(name, bytes). Those of the interface's first page stand 0x100 above their place
 * there, those of filter i and comparator j 0x20 apart. */
#define OCT_FILTER_REGS(X)                  \
  X(OCT_REG_TR_TE_CONTROL, 0x100)           \
  X(OCT_REG_TR_TE_INST_FILTERS, 0x10c)      \
  X(OCT_REG_TR_TE_DATA_CONTROL, 0x110)      \
  X(OCT_REG_TR_TE_DATA_FILTERS, 0x11c)      \
  X(OCT_REG_TR_TE_TRIG_EXT_IN, 0x154)       \
  X(OCT_REG_TR_TE_FILTER_CONTROL, 0x400)    \
  X(OCT_REG_TR_TE_FILTER_INST, 0x404)       \
  X(OCT_REG_TR_TE_COMP_CONTROL, 0x600)      \
  X(OCT_REG_TR_TE_COMP_P_MATCH_LOW, 0x610)  \
  X(OCT_REG_TR_TE_COMP_P_MATCH_HIGH, 0x614) \
  X(OCT_REG_TR_TE_COMP_S_MATCH_LOW, 0x618)  \
  X(OCT_REG_TR_TE_COMP_S_MATCH_HIGH, 0x61c)
enum {
#define OCT_X(name, offset) name = offset,
  OCT_FILTER_REGS(OCT_X)
#undef OCT_X
};

/* Bits that a register keeps; the others read as 0. */
#define OCT_TR_TE_CONTROL_MASK 0x804u /* trTeInstTracing, trTeInstTrigEnable */
#define OCT_TR_TE_DATA_MASK 0x6u      /* trTeDataTracing, trTeDataTrigEnable */
#define OCT_TR_TE_FILTER_MASK 0xfff3u
#define OCT_TR_TE_INST_MASK 0xffu
#define OCT_TR_TE_COMP_MASK 0x377fu

typedef struct oct_filter_comp {
  uint32_t control;
  uint64_t p_match, s_match;
  bool latch, stop; /* match mode 3: between start and stop; the stop has been seen */
} oct_filter_comp;

typedef struct oct_filter_state {
  uint32_t control, data_control, trig_ext_in;
  uint32_t inst_filters, data_filters;
  uint32_t filter_control[OCT_FILTERS_MAX], filter_inst[OCT_FILTERS_MAX];
  oct_filter_comp comp[OCT_FILTERS_MAX];
  /* of the instruction under way */
  uint64_t pc;
  uint32_t task;
  uint8_t priv;
  bool pass, cut; /* it is traced; none of its accesses is any more */
} oct_filter_state;

typedef struct oct_filter {
  uint32_t n; /* filters, and as many comparators */
  uint64_t addr_mask;
  uint32_t task_mask;
  oct_filter_state q, d;
} oct_filter;

typedef struct oct_filter_in {
  oct_apb_in apb;
  bool insn_valid, da_valid, da_end;
  uint8_t priv;    /* of the instruction: 0 U, 1 S, 3 M, 4 debug, 5 VU, 6 VS */
  uint8_t trigger; /* bit i: external trigger i fires, a pulse */
  uint32_t task;   /* the `context` of the interface */
  uint64_t insn_addr, da_addr;
} oct_filter_in;

typedef struct oct_filter_out {
  oct_apb_out apb;
  bool skip;             /* what this cycle brings, if anything, is not traced */
  bool da_valid, da_end; /* in place of the core's */
} oct_filter_out;

/* n: 0 to OCT_FILTERS_MAX. */
void oct_filter_init(oct_filter *s, uint32_t n, uint32_t addr_bits, uint32_t task_bits);
void oct_filter_eval(oct_filter *s, const oct_filter_in *in, oct_filter_out *out);
void oct_filter_clock(oct_filter *s);

#endif
