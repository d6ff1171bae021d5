/* SPDX-License-Identifier: Apache-2.0 */
/* oct_csv.h - a text as a field of CSV (RFC 4180): in quotes, and those within it doubled. */
#ifndef OCT_CSV_H
#define OCT_CSV_H

#include <stdbool.h>
#include <stdio.h>

#include "octrace/error.h"

/* Whether the field has to be in quotes: it has a comma, a quote or an end of a line. */
bool oct_csv_needs_quotes(const char *text);
/* The field in quotes; errors are those of f. */
void oct_csv_print_quoted(FILE *f, const char *text);
/* Likewise. OCT_ERR_IO, OCT_ERR_NOMEM. */
int oct_csv_write_quoted(oct_outfile *f, const char *text, oct_diag *diag);

#endif
