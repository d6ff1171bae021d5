/* SPDX-License-Identifier: Apache-2.0 */
/* oct_advice.h - what would let a trace through that loses events, as commands. */
#ifndef OCT_ADVICE_H
#define OCT_ADVICE_H

#include "oct_cli.h"

/* Find the ways that lose nothing (oct_fit.h) of the part of path that args choose, which is read
 * anew, and print each as a command: that of argv, as getopt left it, of this trace alone, with
 * other settings. 0, or an error with *diag. */
int oct_advise(const char *path, const oct_run_args *args, char **argv, oct_diag *diag);

#endif
