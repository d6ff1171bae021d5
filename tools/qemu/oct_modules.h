/* SPDX-License-Identifier: Apache-2.0 */
/* oct_modules.h - the files of code that the traced program has in memory. For one thread at a
 * time. */
#ifndef OCT_MODULES_H
#define OCT_MODULES_H

#include "octrace/feed.h"

/* What is in memory may have changed. */
void oct_modules_outdate(void);
/* Code at guest address addr, which the emulator has at host: tell the feed of the file that it is
 * from, once. 0, or -1 when the feed has failed. */
int oct_modules_meet(oct_feed *feed, uint64_t addr, const void *host);

#endif
