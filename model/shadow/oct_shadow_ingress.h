/* SPDX-License-Identifier: Apache-2.0 */
/* oct_shadow_ingress.h - the first stage of the machine of `shadow`: what the core and the bus
 * bring, as places, accesses and traps of gather, requests for flushes and syncs, loss. */
#ifndef OCT_SHADOW_INGRESS_H
#define OCT_SHADOW_INGRESS_H

#include "oct_core_rules.h"
#include "oct_filter.h"
#include "oct_shadow_gather.h"

/* What was lost; the filtered ones are among the lost. */
typedef struct oct_ingress_counts {
  uint64_t overflows, lost_insns, lost_accesses, lost_traps;
  uint64_t filtered_insns, filtered_accesses, filtered_traps;
} oct_ingress_counts;

/* As a cycle begins: free places of gather, and whether dropping may end. */
typedef struct oct_shadow_ingress_in {
  uint32_t insns_room, accesses_room, traps_room;
  bool can_resume; /* after a loss: nothing is left ahead of the coder */
  bool can_mark;   /* after what the filter left out */
  bool enable;     /* as the registers say */
  uint64_t cycle;  /* number of this one */
} oct_shadow_ingress_in;

/* To the registers. */
typedef struct oct_shadow_ingress_out {
  bool overflow, lost_access;
  uint8_t lost_insns, lost_traps; /* in this cycle */
  uint32_t errors;                /* rules that the core broke, flags of oct_core_rules.h */
  oct_apb_out apb;                /* of the filter's registers */
} oct_shadow_ingress_out;

typedef struct oct_shadow_ingress {
  oct_shadow_config cfg;
  oct_shadow_gather *gather; /* takes what is put */
  oct_core_rules core_rules;
  oct_filter filter;
  bool is_enabled, needs_sync, is_dropping;
  bool is_overflow;               /* what is dropped is not the filter's choice only */
  oct_gather_gap gap;             /* since dropping began */
  bool has_open;                  /* accesses of the last instruction may come */
  uint32_t task;                  /* of that */
  uint8_t privilege;              /* as the last trap has it, lost ones included */
  uint32_t n_new_traps;           /* the last ones, whose place comes next */
  bool flush_pending, af_pending; /* a flush is asked for, on the bus, */
  bool flush_busy, af_busy;       /* or under way */
  bool is_retiring;               /* in this cycle */
  oct_shadow_ingress_in in;       /* what is left of it */
  oct_shadow_ingress_out out;     /* of this cycle so far */
  oct_ingress_counts counts;
} oct_shadow_ingress;

void oct_shadow_ingress_init(oct_shadow_ingress *s, const oct_shadow_config *cfg,
                             oct_shadow_gather *gather);
/* The end of the cycle before, once all has come that retires in it: a cycle without accesses ends
 * the last instruction; a flush that does not come with an instruction has a place of its own.
 * flush_ends: that which was under way has left. */
void oct_shadow_ingress_settle(oct_shadow_ingress *s, bool flush_ends);
/* One clock cycle; s->out is what it brings. */
void oct_shadow_ingress_cycle(oct_shadow_ingress *s, const oct_shadow_ingress_in *in,
                              const oct_pins_in *pins, const oct_pins_bus *bus);
/* What retires in the same cycle besides, if the retire width is above 1: past the filter. */
void oct_shadow_ingress_retire(oct_shadow_ingress *s, const oct_retire *r);

#endif
