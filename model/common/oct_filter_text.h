/* SPDX-License-Identifier: Apache-2.0 */
/* oct_filter_text.h - what users write to choose what is traced, as writes to the filter's
 * registers. */
#ifndef OCT_FILTER_TEXT_H
#define OCT_FILTER_TEXT_H

#include "octrace/error.h"
#include "oct_filter.h"

typedef struct oct_filter_write {
  uint16_t paddr;
  uint32_t value;
} oct_filter_write;

enum { OCT_FILTER_WRITES_MAX = 64 };

/* Settings, "NAME=VALUE,NAME=VALUE": insns=LOW-HIGH, span=START-STOP, accesses=LOW-HIGH, task=N,
 * priv=LETTERS (u, s, m), or a register's name and its value, as docs/filters.md has them. Values
 * are decimal, or hexadecimal behind 0x. The number of writes put into writes[], which has
 * OCT_FILTER_WRITES_MAX places; or OCT_ERR_ARG with *diag: not a setting, a range that is none,
 * a task of more bits, more than n filters or comparators. */
int oct_filter_parse(const char *text, uint32_t n, uint32_t addr_bits, uint32_t task_bits,
                     oct_filter_write *writes, oct_diag *diag);

/* Make a write without the bus, between cycles. */
void oct_filter_write_reg(oct_filter *s, const oct_filter_write *write);

#endif
