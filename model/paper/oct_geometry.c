/* SPDX-License-Identifier: Apache-2.0 */
/* oct_geometry.c - the named geometries, each as its difference from the defaults, which are the
 * paper's machine. */
#include <stddef.h>
#include <string.h>

#include "oct_config.h"

static const struct geometry {
  const char *name, *settings, *text;
} geometries[] = {
    {"paper", "", "Milenković 2007: 32x4 stream cache, 255 8-tuples, 1024-entry tagless DASC"},
    {"small", "sc_sets=16,thb_depth=31,ntuple_n=4,dasc_entries=128,port_pins=8",
     "a quarter of the paper's state"},
    {"tiny",
     "sc_sets=1,sc_ways=1,thb_depth=1,ntuple_n=2,dasc_entries=1,stream_fifo_depth=1,"
     "data_fifo_depth=1,sl_bits=1,stride_bits=1,rep_pattern_bits=1,rep_count_bits=1,port_pins=1",
     "one of everything, on one pin"},
    {"odd",
     "sc_sets=16,sc_ways=8,sc_index_fn=1,sc_repl=2,thb_depth=37,ntuple_n=5,thb_update=1,"
     "dasc_entries=32,stride_bits=5,rep_pattern_bits=7,rep_count_bits=3,sl_bits=5,"
     "stream_fifo_depth=3,data_fifo_depth=5,port_pins=3,sync_period_insns=5000",
     "nothing round: tree PLRU, 5-tuples, 7-bit patterns, 3 pins"},
    {"tagged", "dasc_entries=1024,dasc_ways=4", "the paper's 256x4 tagged DASC"},
    {"direct", "sc_sets=128,sc_ways=1,sc_index_fn=2,ntuple_n=0,rep_count_bits=0",
     "direct mapped, without the second level"},
    {"fifo", "sc_repl=1,sc_index_fn=3,dasc_entries=256", "FIFO replacement"},
    {"random", "sc_repl=3,sc_ways=8,sc_sets=16,dasc_entries=512", "random replacement"},
    {"max",
     "sc_sets=256,sc_ways=8,thb_depth=1023,ntuple_n=16,dasc_entries=8192,dasc_ways=4,"
     "stride_bits=16,rep_pattern_bits=16,stream_fifo_depth=8,data_fifo_depth=64,port_pins=32,"
     "out_fifo_bytes=512",
     "more of everything, on 32 pins"},
    {"wide64", "addr_bits=64,pc_align_bits=0,port_pins=32,data_fifo_depth=16,out_fifo_bytes=128",
     "64-bit addresses, byte-aligned instructions"},
};

enum { GEOMETRIES = sizeof geometries / sizeof geometries[0] };

unsigned oct_geometry_count(void) {
  return GEOMETRIES;
}
const char *oct_geometry_name(unsigned i) {
  return i < GEOMETRIES ? geometries[i].name : NULL;
}
const char *oct_geometry_text(unsigned i) {
  return i < GEOMETRIES ? geometries[i].text : NULL;
}

int oct_geometry_get(const char *name, oct_config *cfg) {
  for (unsigned i = 0; i < GEOMETRIES; i++) {
    if (strcmp(geometries[i].name, name) != 0) continue;
    oct_config_init(cfg);
    return geometries[i].settings[0] ? oct_config_parse(cfg, geometries[i].settings, NULL) : 0;
  }
  return OCT_ERR_CONFIG;
}
