/* SPDX-License-Identifier: Apache-2.0 */
/* oct_guess_isa.h - the instruction set of a text, by words of its disassembly. */
#ifndef OCT_GUESS_ISA_H
#define OCT_GUESS_ISA_H

#include <stddef.h>

/* The set (an oct_isa) whose words the n bytes at p have most, or -1. Of ARM and Thumb, ARM. */
int oct_guess_isa(const char *p, size_t n);

#endif
