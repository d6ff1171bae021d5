/* SPDX-License-Identifier: Apache-2.0 */
/* oct_stats.c - ratios of Milenković 2007 from the counts of a run. */
#include "oct_stats.h"

uint64_t oct_stats_port_bits(const oct_stats *s) {
  uint64_t bits = 0;
  for (unsigned i = 0; i < OCT_LOGICAL_COUNT; i++) bits += s->port[i];
  return bits;
}

static double ratio(double raw_bits, uint64_t compressed_bits) {
  return compressed_bits ? raw_bits / (double)compressed_bits : 0;
}

double oct_stats_cr_sc(const oct_stats *s, unsigned addr_bits) {
  return ratio((double)s->insns * addr_bits, s->paper_scit + s->paper_scmt);
}

double oct_stats_cr_ntuple(const oct_stats *s, unsigned addr_bits) {
  return ratio((double)s->insns * addr_bits,
               s->paper_tuple_hit + s->paper_tuple_miss + s->paper_scmt);
}

double oct_stats_cr_dasc(const oct_stats *s, unsigned addr_bits) {
  return ratio((double)s->accesses * addr_bits, s->paper_dt + s->paper_dmt);
}
