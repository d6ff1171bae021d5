/* SPDX-License-Identifier: Apache-2.0 */
/* oct_insn_lines.h - an instruction of a trace in a line for people: address, bytes, assembly,
 * symbol, source line, accesses; and traps. */
#ifndef OCT_INSN_LINES_H
#define OCT_INSN_LINES_H

#include <stdio.h>

#include "oct_symbols.h"
#include "octrace/map.h"
#include "octrace/trace.h"

typedef struct oct_insn_lines oct_insn_lines;
/* For a trace of these options, whose program gives names and source lines. The caller frees it.
 * NULL when out of memory. */
oct_insn_lines *oct_insn_lines_new(const oct_read_options *read);
/* Name what is in files that the trace itself names; with each batch. OCT_ERR_NOMEM. */
int oct_insn_lines_follow(oct_insn_lines *l, const oct_reader *reader, const oct_read_options *read,
                          oct_diag *diag);
/* As oct_symbols_tell. */
void oct_insn_lines_tell(const oct_insn_lines *l, const char *name);
void oct_insn_lines_free(oct_insn_lines *l);
/* 0, or OCT_ERR_NOMEM with *diag: the lines so far lack assembly, for want of memory. */
int oct_insn_lines_error(const oct_insn_lines *l, oct_diag *diag);

/* The functions that print do so to f.
 *
 * Of what comes next: the instruction set's name, and the batch's values (oct_batch), or NULL. They
 * stay the caller's. */
void oct_insn_lines_values(oct_insn_lines *l, const char *isa, const uint8_t *values);
/* The access's value, of its size; nothing where it is not known. */
void oct_insn_lines_value(FILE *f, const oct_insn_lines *l, const oct_access *a);
/* The instruction and its accesses without a number and a line end; entry: what is known of it, or
 * NULL. */
void oct_insn_lines_print(FILE *f, oct_insn_lines *l, const oct_insn *insn,
                          const oct_access *accesses, const oct_map_head *entry);
/* The same as fields of CSV, with a line end: address ... cycle. traps, facts: those before it. */
void oct_insn_lines_csv(FILE *f, oct_insn_lines *l, const oct_insn *insn,
                        const oct_access *accesses, const oct_map_head *entry,
                        const oct_trap *traps, size_t n_traps, const oct_fact *facts,
                        size_t n_facts);
/* Names of these fields. */
extern const char oct_insn_lines_head[];
/* "!exception 13 at 0x8004 (0x20004) to privilege 3", without a line end. */
void oct_insn_lines_trap(FILE *f, const oct_trap *trap);
/* Likewise "!register x10=0x0000000000000007", "!memory 0x30 16", "!memory 0x40 =00ff10", or a gap.
 */
void oct_insn_lines_fact(FILE *f, const oct_insn_lines *l, const oct_fact *fact);

#endif
