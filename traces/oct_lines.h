/* SPDX-License-Identifier: Apache-2.0 */
/* oct_lines.h - inside of the library: what readers of text and of fixed-size records share. */
#ifndef OCT_LINES_H
#define OCT_LINES_H

#include "octrace/error.h"
#include "oct_reader_format.h"

/* The lines of a reader's input. State of a text format; may be the first member of its own. */
typedef struct oct_lines {
  uint64_t number; /* of the current line, from 1 */
  const char *p;   /* the current line: what is left of it to read */
  const char *end;
  int again; /* set to be given the same line once more */
  const char *begin;
  int is_open;         /* the current line has no line end */
  int taken;           /* whether oct_lines_fill has had an instruction of any line */
  char tail[64];       /* of the line before: its last bytes, */
  size_t before_bytes; /* and its length */
  int takes_long;      /* lines of up to OCT_LINES_LONG_BYTES; else as oct_input_line */
  oct_buffer whole;    /* a line that the input's window does not hold */
} oct_lines;

/* An instruction may have OCT_INSN_ACCESSES_MAX accesses, of some 21 characters each. */
#define OCT_LINES_LONG_BYTES (2u << 20)

/* Allocate size_bytes of zeroed state for r, whose first member may be an oct_lines, step over a
 * byte order mark, and set addr_bits to 64 when an address among the first 64 KiB has more than 8
 * digits or the user has named an instruction set of 64 bits. */
int oct_lines_open(oct_reader *r, size_t size_bytes, oct_diag *diag);
/* Of a state whose first member is an oct_lines. */
void oct_lines_close(oct_reader *r);

/* The next line: 1, 0 at the end or an error. */
int oct_lines_next(oct_reader *r, oct_lines *l, oct_diag *diag);
/* Fill a batch line by line. A last line without a line end may be cut off within a number: it is
 * left out unless it has the form of the line before to its last digit, or is the only one of bare
 * numbers. parse takes the current line: 0, 1 to be given it once more when the batch has been
 * handed out, or an error. Returns as the format's fill does. */
int oct_lines_fill(oct_reader *r, oct_lines *l,
                   int (*parse)(oct_reader *r, oct_lines *l, oct_diag *diag), oct_diag *diag);

/* Fail with OCT_ERR_FORMAT: none of the input's lines is what was expected. */
int oct_lines_none(oct_reader *r, const oct_lines *l, const char *expected, oct_diag *diag);
/* oct_lines_fill for formats that step over other lines: oct_lines_none when all were such. */
int oct_lines_fill_some(oct_reader *r, oct_lines *l,
                        int (*parse)(oct_reader *r, oct_lines *l, oct_diag *diag),
                        const char *expected, oct_diag *diag);

/* The next field, up to a blank or to one of the separators (NULL: blanks only), which is taken.
 * 0 when there is none left. */
int oct_lines_field(oct_lines *l, const char *separators, const char **field, const char **end);
/* Step over word, which may have blanks in front; 0 when the line does not go on so. */
int oct_lines_skip(oct_lines *l, const char *word);

/* A number of base 10 or 16 that fills [p, end); 0x may stand before a hexadecimal one. Returns the
 * count of digits, 0 when it is none or does not fit into 64 bits. */
size_t oct_number(const char *p, const char *end, unsigned base, uint64_t *value);
/* Whether [p, end) is this word. */
int oct_is_word(const char *p, const char *end, const char *word);

/* Fail with OCT_ERR_FORMAT: position, what was expected, and [p, end) as found. */
int oct_lines_wrong(oct_reader *r, const oct_lines *l, const char *expected, const char *p,
                    const char *end, oct_diag *diag);
/* An address of the trace. OCT_ERR_FORMAT; OCT_ERR_LIMIT over 32 bits when the trace has 32. */
int oct_lines_address(oct_reader *r, const oct_lines *l, const char *p, const char *end,
                      uint64_t *value, oct_diag *diag);

/* Programs that write without a line end put their text in front of a line of a log: where in
 * [p, end), behind p, match first finds one (as oct_probe_lines has it), or NULL. */
const char *oct_lines_behind(const char *p, const char *end,
                             int (*match)(const char *p, const char *end));

/* Point *p at the next record of n_bytes without taking it: 1, 0 at the end, or an error, which is
 * OCT_ERR_TRUNCATED when the input ends within one. */
int oct_record_peek(oct_reader *r, size_t n_bytes, const uint8_t **p, oct_diag *diag);
/* Fill a batch from records of n_bytes, as oct_lines_fill does from lines. */
int oct_records_fill(oct_reader *r, size_t n_bytes,
                     int (*parse)(oct_reader *r, const uint8_t *p, oct_diag *diag), oct_diag *diag);
/* Fail at the next record: position and what is wrong with it. */
int oct_record_wrong(oct_reader *r, const char *what, uint64_t value, oct_diag *diag);
/* size_bytes as an access can have it: itself, or 0 (unknown) if no power of two up to 64. */
unsigned oct_access_size(uint64_t size_bytes);

/* Whether the first n lines of a text look so: each whole line of [p, p + size) is given to match,
 * which says 1 (yes), 0 (no line of this kind) or -1 (neither here nor there: a banner). True when
 * there is a yes and no no. */
int oct_probe_lines(const uint8_t *p, size_t size, int (*match)(const char *p, const char *end));

#endif
