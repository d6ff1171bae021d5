/* SPDX-License-Identifier: Apache-2.0 */
/* oct_gen_verilog.h - inside of oct_gen_verilog, the generator of what Verilog and C have in
 * common. */
#ifndef OCT_GEN_VERILOG_H
#define OCT_GEN_VERILOG_H

#include "octrace/tracer.h"

#include <stddef.h>
#include <stdint.h>

enum { NAME_MAX_CHARS = 64 };

/* text in capitals, as far as there is room. Returns to. */
char *oct_gen_upper(char *to, size_t size, const char *text);
/* How each generated header begins. source: the file below model/ that it is from. */
void oct_gen_head(const char *name, const char *text, const char *source);
/* Lint of parameters that are not used, "off" or "on": a module that takes a whole list, as the top
 * does, hands most of it on or uses a part. */
void oct_gen_lint(const char *state);
/* The value of a tracer's derived width by its name in Verilog; 0 when there is none, else 1. */
int oct_gen_width(const oct_tracer *t, const uint32_t *params, const char *name, uint32_t *value);
/* Whether the Verilog of a tracer has this parameter of its table. */
int oct_gen_has(const oct_tracer *t, const char *param);
/* A geometry as arguments of a tool, as usage says. Returns the exit status, -1 for wrong usage. */
int oct_gen_args(int argc, char **argv);
/* rtl/paper/oct_widths.vh and oct_check.vh, and settings that are legal and illegal. */
void oct_gen_widths(void);
void oct_gen_check(void);
void oct_gen_legal(void);
void oct_gen_illegal(void);
/* rtl/shadow/oct_shadow_widths.vh, oct_shadow_check.vh and oct_shadow_types.vh, and settings that
 * are legal and illegal. */
void oct_gen_shadow_widths(void);
void oct_gen_shadow_check(void);
void oct_gen_shadow_legal(void);
void oct_gen_shadow_illegal(void);
void oct_gen_shadow_types(void);
/* rtl/octrace.rdl. */
void oct_gen_rdl(void);

#endif
