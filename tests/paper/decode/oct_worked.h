/* SPDX-License-Identifier: Apache-2.0 */
/* oct_worked.h - the worked example of docs/port-format.md, and what its tests share. */
#ifndef OCT_WORKED_H
#define OCT_WORKED_H

#include "oct_decoder_run.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

static inline oct_config plain(void) {
  oct_config c;
  oct_config_init(&c);
  c.ntuple_n = 0;
  c.rep_count_bits = 0;
  c.check_bits = 0;
  return c;
}

/* Instructions of 4 bytes without slots from 0x1000 on. */
#define BARE_COUNT 64
static oct_map_update bare[BARE_COUNT];
static inline int setup(void **state) {
  (void)state;
  for (unsigned i = 0; i < BARE_COUNT; i++) bare[i] = run_entry(0, 0x1000 + 4 * i, 4, "", 0);
  return 0;
}

static oct_map_update loop_map[3];
static inline oct_bw worked_with(uint32_t check_bits) {
  oct_config c = plain();
  c.check_bits = check_bits;
  oct_bw w;
  bw_init(&w, &c);
  loop_map[0] = run_entry(0, 0x8000, 4, "", 0);
  loop_map[1] = run_entry(0, 0x8004, 4, "L", 0);
  loop_map[2] = run_entry(0, 0x8008, 4, "", 0);
  bw_sync(&w, 0, 0);
  bw_scmt(&w, 0x8000, 3);
  bw_index(&w, 0);
  bw_dmt(&w, 0x100);
  bw_index(&w, 12);
  bw_dmt(&w, 0x104);
  bw_part_pattern(&w, "00");
  bw_flush(&w);
  return w;
}

static inline oct_bw worked(void) {
  return worked_with(0);
}

#define LOOP_TEXT "8000\n8004 L100:4\n8008\n8000\n8004 L104:4\n8008\n"

#endif
