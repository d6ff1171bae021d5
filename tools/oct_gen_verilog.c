/* SPDX-License-Identifier: Apache-2.0 */
/* oct_gen_verilog.c - prints the machine's parameters as Verilog, from the table in
 * model/oct_config.h, and a geometry as arguments of Verilator, Icarus Verilog or Yosys. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oct_types.h"

/* Derived widths: X(name, value, meaning). The value is an expression in C and, in capitals, in
 * Verilog; it may use the parameters, the widths before it, and clog2. (The formatter would take a
 * product for a pointer.) */
// clang-format off
#define WIDTHS(X)                                                                                  \
  X(index_bits, sc_sets * sc_ways > 1 ? clog2(sc_sets * sc_ways) : 1, "I: a stream cache index")   \
  X(thb_bits, thb_depth > 0 ? clog2(thb_depth + 1) : 1, "T: number of a tuple, 0 = none")          \
  X(tuple_n, ntuple_n > 0 ? ntuple_n : 1, "indices that an instruction item has room for,")        \
  X(tuple_bits, tuple_n * index_bits, "and their bits")                                            \
  X(index_value_bits, index_bits > thb_bits ? index_bits : thb_bits, "")                           \
  X(stream_value_bits, sl_bits + 1 > task_bits ? sl_bits + 1 : task_bits, "")                      \
  X(insn_value_bits,                                                                               \
    index_value_bits > stream_value_bits ? index_value_bits : stream_value_bits,                   \
    "VI: the value of an instruction item")                                                        \
  X(data_n_bits, rep_count_bits + 1 > 5 ? rep_count_bits + 1 : 5, "NW: the n of a data item")      \
  X(stream_word_bits, addr_bits + sl_bits + 1 + task_bits + 3, "a word of the stream buffer")      \
  X(data_word_bits, 2 * addr_bits + 4 + 2 + 3, "a word of the data buffer")                        \
  X(stream_payload_bits, addr_bits - pc_align_bits + sl_bits, "payloads of packets: an SCMT,")     \
  X(number_payload_bits, addr_bits + (addr_bits > task_bits ? addr_bits : task_bits),              \
    "an overflow or a sync,")                                                                      \
  X(part_payload_bits, 4 + (tuple_n - 1) * index_bits, "a part of a tuple,")                       \
  X(tuple_payload_bits, tuple_bits > part_payload_bits ? tuple_bits : part_payload_bits,           \
    "the longer of it and a tuple,")                                                               \
  X(data_payload_bits, rep_pattern_bits + (rep_count_bits > 4 ? rep_count_bits : 4),               \
    "a repetition or a part of a pattern,")                                                        \
  X(insn_payload_bits,                                                                             \
    stream_payload_bits > number_payload_bits ? stream_payload_bits : number_payload_bits, "")     \
  X(short_payload_bits, data_payload_bits > thb_bits ? data_payload_bits : thb_bits, "")           \
  X(long_payload_bits,                                                                             \
    insn_payload_bits > tuple_payload_bits ? insn_payload_bits : tuple_payload_bits, "")           \
  X(payload_bits, long_payload_bits > short_payload_bits ? long_payload_bits : short_payload_bits, \
    "P: the longest")                                                                              \
  X(sync_ones, (payload_bits + 14) / 8 * 8, "K: ones of a sync mark")
// clang-format on

static const struct {
  const char *name, *value, *text;
} widths[] = {
#define OCT_X(name, value, text) {#name, #value, text},
    WIDTHS(OCT_X)
#undef OCT_X
};
enum { WIDTHS_COUNT = sizeof widths / sizeof widths[0] };

static uint32_t clog2(uint32_t v) {
  uint32_t bits = 0;
  while (((uint64_t)1 << bits) < v) bits++;
  return bits;
}

/* In the order of widths[]. */
static void eval_widths(const oct_config *cfg, uint32_t *values) {
  unsigned k = 0;
#define OCT_X(name, def, min, max, rule, text) \
  const uint32_t name = cfg->name;             \
  (void)name;
  OCT_PARAMS(OCT_X)
#undef OCT_X
#define OCT_X(name, value, text) \
  const uint32_t name = value;   \
  values[k++] = name;
  WIDTHS(OCT_X)
#undef OCT_X
}

static const char usage[] =
    "Usage: oct_gen_verilog params | widths | types | check | core | illegal\n"
    "       oct_gen_verilog --verilator-args | --iverilog-args | --yosys-args\n"
    "                       [--top MODULE] [--only NAME,NAME...] GEOMETRY\n"
    "\n"
    "The first form prints rtl/oct_params.vh, oct_widths.vh, oct_types.vh, oct_check.vh,\n"
    "the parameters of rtl/octrace.core (scripts/gen-verilog writes them all), or illegal\n"
    "settings, one a line: the parameter to be named, then NAME=VALUE of each to set.\n"
    "The second prints a geometry's parameters as `-GNAME=VALUE`, `-PMODULE.NAME=VALUE` or\n"
    "`-set NAME VALUE` (for chparam).\n"
    "GEOMETRY is a name, a list name=value,..., or a name and such a list.\n"
    "--top: the module that iverilog's arguments name (oct_top).\n"
    "--only: just these, for a module that has not all of them; derived widths\n"
    "(INDEX_BITS, ITEM_VALUE_BITS, ...) may be among them.\n";

enum { NAME_MAX_CHARS = 64 };

static const char *upper(char *to, const char *name) {
  size_t i = 0;
  for (; name[i] && i + 1 < NAME_MAX_CHARS; i++) to[i] = (char)toupper((unsigned char)name[i]);
  to[i] = '\0';
  return to;
}

static void print_head(const char *name, const char *text, const char *source) {
  printf(
      "// SPDX-License-Identifier: Apache-2.0\n"
      "// %s - %s\n"
      "// Generated by tools/oct_gen_verilog.c from model/%s: change that, then run\n"
      "// scripts/gen-verilog.\n\n",
      name, text, source);
}

/* A module that takes a whole list, as the top does, hands most of it on or uses a part. */
static void print_lint(const char *state) {
  printf("// verilator lint_%s UNUSEDPARAM\n", state);
}

static void print_params(void) {
  print_head("oct_params.vh", "all parameters with their defaults, for a module's parameter list.",
             "oct_config.h");
  printf("// A module with this list need not use each.\n");
  print_lint("off");
  for (unsigned i = 0; i < oct_params_count; i++) {
    const oct_param *p = &oct_params[i];
    char name[NAME_MAX_CHARS];
    int wide = p->max > INT32_MAX;
    printf("  // %s (%u to %u%s)\n", p->text, p->min, p->max,
           p->rule == OCT_POW2 ? ", a power of two" : "");
    printf("  parameter %s %s = %s%u%s\n", wide ? "[31:0]" : "integer", upper(name, p->name),
           wide ? "32'd" : "", p->def, i + 1 < oct_params_count ? "," : "");
  }
  print_lint("on");
}

/* A width's expression in Verilog. */
static void print_value(const char *value) {
  for (; *value; value++) {
    int is_call = strncmp(value, "clog2(", 6) == 0;
    if (!is_call) {
      putchar(toupper((unsigned char)*value));
      continue;
    }
    fputs("$clog2", stdout);
    value += 4;
  }
}

static void print_widths(void) {
  char name[NAME_MAX_CHARS];
  print_head("oct_widths.vh", "what follows from the parameters.", "oct_config.h");
  printf(
      "// Stands after oct_params.vh and a comma in a parameter list, or before a semicolon in a\n"
      "// module's body. A module with this list need not use each.\n");
  print_lint("off");
  printf("  localparam integer\n");
  for (unsigned i = 0; i < WIDTHS_COUNT; i++) {
    if (widths[i].text[0]) printf("    // %s\n", widths[i].text);
    printf("    %s =%s", upper(name, widths[i].name),
           strlen(widths[i].value) + strlen(name) > 85 ? "\n        " : " ");
    print_value(widths[i].value);
    printf("%s\n", i + 1 < WIDTHS_COUNT ? "," : "");
  }
  print_lint("on");
}

/* An enumeration of the model: its values count from 0. bits: of its ports, 0 = a parameter. */
typedef struct enumeration {
  const char *name;
  unsigned bits;
  struct enumerator {
    const char *name, *text;
  } values[16 + 1]; /* and a last one without a name */
} enumeration;

static const enumeration enumerations[] = {
#define OCT_X(name, text) {#name, text},
    {"oct_mark", 3, {OCT_MARKS(OCT_X)}},
    {"oct_data_kind", 2, {OCT_DATA_KINDS(OCT_X)}},
    {"oct_item_kind", 4, {OCT_ITEM_KINDS(OCT_X)}},
    {"SC_INDEX_FN", 0, {OCT_INDEX_FNS(OCT_X)}},
    {"SC_REPL", 0, {OCT_REPLS(OCT_X)}},
#undef OCT_X
};

static void print_enumeration(const enumeration *e) {
  printf("  // %s\n", e->name);
  if (e->bits)
    printf("  localparam [%u:0]\n", e->bits - 1);
  else
    printf("  localparam integer\n");
  for (unsigned i = 0; e->values[i].name; i++) {
    printf("    %s = ", e->values[i].name + strlen("OCT_"));
    if (e->bits) printf("%u'd", e->bits);
    printf("%u%s", i, e->values[i + 1].name ? "," : ";");
    printf("%s%s\n", e->values[i].text[0] ? "  // " : "", e->values[i].text);
  }
}

static void print_types(void) {
  print_head("oct_types.vh", "the enumerations of the model, for a module's body.", "oct_types.h");
  printf("// A module with this list need not use each.\n");
  print_lint("off");
  for (size_t i = 0; i < sizeof enumerations / sizeof enumerations[0]; i++)
    print_enumeration(&enumerations[i]);
  print_lint("on");
}

/* An instance of a module that does not exist is the one message that Verilator, Icarus Verilog and
 * Yosys all stop at and all print. */
static void print_rule(const char *condition, const char *label, const char *name,
                       const char *message) {
  printf("  if (%s) begin : gen_%s_%s\n", condition, label, name);
  printf("    oct_illegal_%s_%s u_illegal ();\n  end\n", name, message);
}

/* Rules over several parameters: which is named, when it is illegal, and settings that are. */
static const struct {
  const char *label, *name, *condition, *message, *example;
} joint_rules[] = {
    {"tuple", "NTUPLE_N", "NTUPLE_N * INDEX_BITS > 192", "expected_a_tuple_of_at_most_192_bits",
     "NTUPLE_N=16 SC_SETS=1024 SC_WAYS=8"},
    {"sets", "DASC_WAYS", "DASC_WAYS > DASC_ENTRIES", "expected_at_most_DASC_ENTRIES",
     "DASC_WAYS=16 DASC_ENTRIES=8"},
};
enum { JOINT_RULES = sizeof joint_rules / sizeof joint_rules[0] };

static void print_check(void) {
  print_head("oct_check.vh", "an illegal parameter stops elaboration, for a module's body.",
             "oct_config.h");
  printf(
      "// The message is the name of a module that does not exist: the one form at which "
      "Verilator,\n"
      "// Icarus Verilog and Yosys all stop, and which all of them print.\n");
  printf("generate\n");
  for (unsigned i = 0; i < oct_params_count; i++) {
    const oct_param *p = &oct_params[i];
    char name[NAME_MAX_CHARS], condition[512], message[128];
    if (p->max == UINT32_MAX && !p->min) continue; /* its type admits nothing else */
    upper(name, p->name);
    snprintf(condition, sizeof condition, "%s < %u || %s > %u", name, p->min, name, p->max);
    snprintf(message, sizeof message, "expected_%u_to_%u", p->min, p->max);
    print_rule(condition, "range", name, message);
    if (p->rule != OCT_POW2) continue;
    snprintf(condition, sizeof condition, "(%s & (%s - 1)) != 0", name, name);
    print_rule(condition, "power", name, "expected_a_power_of_two");
  }
  for (unsigned i = 0; i < JOINT_RULES; i++)
    print_rule(joint_rules[i].condition, joint_rules[i].label, joint_rules[i].name,
               joint_rules[i].message);
  printf("endgenerate\n");
}

/* Just outside of each range, between two powers of two, and against each joint rule. */
static void print_illegal(void) {
  for (unsigned i = 0; i < oct_params_count; i++) {
    const oct_param *p = &oct_params[i];
    char name[NAME_MAX_CHARS];
    upper(name, p->name);
    if (p->max != UINT32_MAX)
      printf("%s %s=%u\n", name, name, p->rule == OCT_POW2 ? 2 * p->max : p->max + 1);
    if (p->min) printf("%s %s=%u\n", name, name, p->rule == OCT_POW2 ? p->min / 2 : p->min - 1);
    if (p->rule == OCT_POW2) printf("%s %s=%u\n", name, name, 3 * (p->min / 4 + 1));
  }
  for (unsigned i = 0; i < JOINT_RULES; i++)
    printf("%s %s\n", joint_rules[i].name, joint_rules[i].example);
}

/* For FuseSoC: the parameters of a target, and what they are. */
static void print_core(void) {
  char name[NAME_MAX_CHARS];
  printf("parameters:\n");
  for (unsigned i = 0; i < oct_params_count; i++) {
    const oct_param *p = &oct_params[i];
    printf("  %s:\n    datatype: int\n    default: %u\n    paramtype: vlogparam\n",
           upper(name, p->name), p->def);
    printf("    description: \"%s (%u to %u%s)\"\n", p->text, p->min, p->max,
           p->rule == OCT_POW2 ? ", a power of two" : "");
  }
}

/* Form of a parameter given on a tool's command line: before the name, between, after. */
typedef struct form {
  const char *option, *before, *between;
} form;

static const form forms[] = {
    {"--verilator-args", "-G", "="},
    {"--iverilog-args", "-P", "="},
    {"--yosys-args", "-set ", " "},
};

static void print_arg(const form *f, const char *top, const char *name, uint32_t value) {
  static const char *blank = "";
  printf("%s%s%s%s%s%s%u", blank, f->before, f == &forms[1] ? top : "", f == &forms[1] ? "." : "",
         name, f->between, value);
  blank = " ";
}

static int is_listed(const char *list, const char *name) {
  size_t length = strlen(name);
  if (!list) return 1;
  for (const char *at = list; (at = strstr(at, name)) != NULL; at += length)
    if ((at == list || at[-1] == ',') && (at[length] == ',' || !at[length])) return 1;
  return 0;
}

/* Names in the list that are neither a parameter nor a width: the first, or NULL. */
static const char *find_unknown(char *list) {
  for (char *name; (name = strsep(&list, ",")) != NULL;) {
    int known = 0;
    char text[NAME_MAX_CHARS];
    for (unsigned i = 0; i < oct_params_count; i++)
      known |= !strcmp(upper(text, oct_params[i].name), name);
    for (unsigned i = 0; i < WIDTHS_COUNT; i++) known |= !strcmp(upper(text, widths[i].name), name);
    if (!known) return name;
  }
  return NULL;
}

/* The widths that the model has too must be the same there. */
static int check_widths(const oct_config *cfg, const uint32_t *values) {
  oct_widths model;
  oct_config_widths(cfg, &model);
  const struct {
    const char *name;
    uint32_t value;
  } expected[] = {{"index_bits", model.index_bits},
                  {"thb_bits", model.thb_bits},
                  {"payload_bits", model.payload_bits},
                  {"sync_ones", model.sync_ones}};
  for (size_t k = 0; k < sizeof expected / sizeof expected[0]; k++)
    for (unsigned i = 0; i < WIDTHS_COUNT; i++)
      if (!strcmp(widths[i].name, expected[k].name) && values[i] != expected[k].value) {
        fprintf(stderr, "oct_gen_verilog: %s is %u here and %u in the model\n", widths[i].name,
                values[i], expected[k].value);
        return 1;
      }
  return 0;
}

static int print_args(const form *f, const char *top, const char *only, const char *geometry) {
  oct_config cfg;
  oct_diag diag = {0};
  char name[NAME_MAX_CHARS];
  uint32_t values[WIDTHS_COUNT];
  oct_config_init(&cfg);
  if (oct_config_parse(&cfg, geometry, &diag)) {
    fprintf(stderr, "oct_gen_verilog: %s\n", diag.text);
    return 1;
  }
  if (only) {
    char *copy = strdup(only);
    const char *unknown = copy ? find_unknown(copy) : "";
    if (unknown) fprintf(stderr, "oct_gen_verilog: '%s': no such parameter or width\n", unknown);
    free(copy);
    if (unknown) return 1;
  }
  eval_widths(&cfg, values);
  if (check_widths(&cfg, values)) return 1;
  for (unsigned i = 0; i < oct_params_count; i++)
    if (is_listed(only, upper(name, oct_params[i].name)))
      print_arg(f, top, name, ((const uint32_t *)&cfg)[i]);
  for (unsigned i = 0; only && i < WIDTHS_COUNT; i++)
    if (is_listed(only, upper(name, widths[i].name))) print_arg(f, top, name, values[i]);
  printf("\n");
  return 0;
}

static int fail_usage(void) {
  fputs(usage, stderr);
  return 2;
}

static int run_args(int argc, char **argv) {
  const form *f = NULL;
  const char *top = "oct_top";
  const char *only = NULL;
  const char *geometry = NULL;
  for (int i = 1; i < argc; i++) {
    const form *found = NULL;
    for (size_t k = 0; k < sizeof forms / sizeof forms[0]; k++)
      if (!strcmp(argv[i], forms[k].option)) found = &forms[k];
    if (found)
      f = found;
    else if (!strcmp(argv[i], "--top") && i + 1 < argc)
      top = argv[++i];
    else if (!strcmp(argv[i], "--only") && i + 1 < argc)
      only = argv[++i];
    else if (argv[i][0] != '-' && !geometry)
      geometry = argv[i];
    else
      return fail_usage();
  }
  return f && geometry ? print_args(f, top, only, geometry) : fail_usage();
}

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    void (*print)(void);
  } headers[] = {{"params", print_params}, {"widths", print_widths}, {"types", print_types},
                 {"check", print_check},   {"core", print_core},     {"illegal", print_illegal}};
  int status = -1;
  if (argc == 2 && !strcmp(argv[1], "--help")) {
    fputs(usage, stdout);
    status = 0;
  }
  for (size_t i = 0; argc == 2 && i < sizeof headers / sizeof headers[0]; i++)
    if (!strcmp(argv[1], headers[i].name)) {
      headers[i].print();
      status = 0;
    }
  if (status < 0) status = run_args(argc, argv);
  if (fflush(stdout) || ferror(stdout)) {
    perror("oct_gen_verilog");
    return 1;
  }
  return status;
}
