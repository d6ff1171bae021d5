/* SPDX-License-Identifier: Apache-2.0 */
/* oct_guess_isa.h - the instruction set of a text, by words of its disassembly. */
#ifndef OCT_GUESS_ISA_H
#define OCT_GUESS_ISA_H

#include <stddef.h>

enum { OCT_ISA_VOTES = 5 };

/* How many words of each set were found, and of sets that octrace does not know. */
typedef struct oct_isa_votes {
  size_t n[OCT_ISA_VOTES], n_foreign;
} oct_isa_votes;

/* Count the words of the n bytes at p, too. */
void oct_isa_votes_add(oct_isa_votes *votes, const char *p, size_t n);

/* The set (an oct_isa) with the most words, or -1, also where it is one that octrace does not know.
 * Of ARM and Thumb, ARM. */
int oct_isa_votes_best(const oct_isa_votes *votes);

#endif
