/* SPDX-License-Identifier: Apache-2.0 */
/* oct_plural.h - the end of a word for n of it: "1 event", "2 events"; "1 access", "2 accesses". */
#ifndef OCT_PLURAL_H
#define OCT_PLURAL_H

#define OCT_S(n) ((n) == 1 ? "" : "s")
#define OCT_ES(n) ((n) == 1 ? "" : "es")

#endif
