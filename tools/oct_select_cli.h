/* SPDX-License-Identifier: Apache-2.0 */
/* oct_select_cli.h - the options that select a part of a trace by its meaning. */
#ifndef OCT_SELECT_CLI_H
#define OCT_SELECT_CLI_H

#include "oct_cli.h"
#include "oct_select.h"
#include "oct_symbols.h"

/* Codes of options, clear of those of the commands. */
enum {
  OCT_OPT_FUNCTION = OCT_OPT_OWN + 100,
  OCT_OPT_RANGE,
  OCT_OPT_PRIVILEGE,
  OCT_OPT_TASK,
  OCT_OPT_TIME,
  OCT_SELECT_FUNCTIONS_MAX = 64
};
#define OCT_SELECT_OPTIONS                                       \
  {"function", required_argument, NULL, OCT_OPT_FUNCTION},       \
      {"range", required_argument, NULL, OCT_OPT_RANGE},         \
      {"privilege", required_argument, NULL, OCT_OPT_PRIVILEGE}, \
      {"task", required_argument, NULL, OCT_OPT_TASK}, {         \
    "time", required_argument, NULL, OCT_OPT_TIME                \
  }
#define OCT_SELECT_HELP                                                                          \
  "\nOnly a part (instructions that meet each kind of option given; one of a kind, if it is\n"   \
  "given several times; bounds are included, and one may be left out):\n"                        \
  "      --function NAME   the instructions of this function itself\n"                           \
  "      --range LOW-HIGH  at these addresses\n"                                                 \
  "      --privilege P     u (user; also without a level), s, m, el0 to el3, or a number 0..6\n" \
  "      --task N[-M]      of these tasks\n"                                                     \
  "      --time LOW-HIGH   with these cycle stamps\n"

typedef struct oct_select_args {
  oct_select *select; /* NULL without any option */
  const char *functions[OCT_SELECT_FUNCTIONS_MAX];
  size_t n_functions;
  bool is_found[OCT_SELECT_FUNCTIONS_MAX];
  oct_symbols symbols; /* of the functions' files */
  bool by_time, has_decimal_range;
  bool wants_values;    /* they are to be kept, */
  oct_session *session; /* which knows registers, or NULL; */
  uint64_t skip;        /* instructions of it in front of the first that is put */
} oct_select_args;

/* Take an option of OCT_SELECT_OPTIONS; value must stay where it is. 0, or an exit code after
 * printing why. */
int oct_select_arg(oct_select_args *a, const char *cmd, int code, const char *value);
/* After the last option: look the functions up in the files that the user names. As above. */
int oct_select_look_up(oct_select_args *a, const oct_read_options *read);
/* Keep values of the trace at path, of which the first `skip` instructions are left out, where
 * execution tells its registers: a file can be read twice. */
void oct_select_follow(oct_select_args *a, const char *path, const oct_read_options *read,
                       uint64_t skip);
/* Select from *b, the reader's last batch; functions are looked up in the files that the trace
 * names if the user names none. Without options nothing changes. 0 or an error with *diag. */
int oct_select_batch(oct_select_args *a, const oct_reader *reader, const oct_read_options *read,
                     oct_batch *b, oct_diag *diag);
/* At the end of the trace at path: an error with *diag if a function was not found or nothing was
 * selected, else 0. */
int oct_select_end(const oct_select_args *a, const char *path, oct_diag *diag);
/* Say in a line how much was left out, and in another which file is not what was traced. */
void oct_select_tell(const oct_select_args *a, const char *path);
void oct_select_args_free(oct_select_args *a);

#endif
