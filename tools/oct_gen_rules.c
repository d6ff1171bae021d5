/* SPDX-License-Identifier: Apache-2.0 */
/* oct_gen_rules.c - what follows from a tracer's parameters, and which are illegal, as Verilog. */
#include "oct_gen_verilog.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "oct_config.h"
#include "oct_mask.h"
#include "oct_shadow_config.h"

typedef struct width {
  const char *name, *value, *text;
} width;
typedef struct rule {
  const char *name, *condition, *message, *example;
} rule;

static const width paper_widths[] = {
#define OCT_X(name, value, text) {#name, #value, text},
    OCT_WIDTHS(OCT_X)
#undef OCT_X
};
static const width shadow_widths[] = {
#define OCT_X(name, value, text) {#name, #value, text},
    OCT_SHADOW_WIDTHS(OCT_X)
#undef OCT_X
};
static const rule paper_rules[] = {
#define OCT_X(name, condition, message, example) {#name, #condition, message, example},
    OCT_JOINT_RULES(OCT_X)
#undef OCT_X
};
static const rule shadow_rules[] = {
#define OCT_X(name, condition, message, example) {#name, #condition, message, example},
    OCT_SHADOW_TIMED_RULES(OCT_X) OCT_SHADOW_CIRCUIT_RULES(OCT_X)
#undef OCT_X
};

/* A tracer's lists, how the files are named that have them, and the one in model/ they are from. */
typedef struct lists {
  const char *tracer, *prefix, *source;
  const width *widths;
  size_t n_widths;
  const rule *rules;
  size_t n_rules;
} lists;

#define COUNT(list) (sizeof(list) / sizeof *(list))
static const lists paper = {
    "paper",           "oct_", "paper/oct_config.h", paper_widths, COUNT(paper_widths), paper_rules,
    COUNT(paper_rules)};
static const lists shadow = {"shadow",           "oct_shadow_",        "shadow/oct_shadow_config.h",
                             shadow_widths,      COUNT(shadow_widths), shadow_rules,
                             COUNT(shadow_rules)};

static void print_head(const lists *l, const char *file, const char *text) {
  char name[NAME_MAX_CHARS];
  snprintf(name, sizeof name, "%s%s", l->prefix, file);
  oct_gen_head(name, text, l->source);
}

/* ---- Widths ---- */

#define clog2 oct_log2_up /* as the expressions of the widths call it */

static void paper_values(const oct_config *cfg, uint32_t *values) {
  oct_widths w;
  oct_config_widths(cfg, &w);
#define OCT_X(name, value, text) *values++ = w.name;
  OCT_WIDTHS(OCT_X)
#undef OCT_X
}

static void shadow_values(const oct_shadow_config *cfg, uint32_t *values) {
#define OCT_X(name, ...)           \
  const uint32_t name = cfg->name; \
  (void)name;
  OCT_SHADOW_PARAMS(OCT_X)
#undef OCT_X
#define OCT_X(name, value, text) *values++ = (value);
  OCT_SHADOW_WIDTHS(OCT_X)
#undef OCT_X
}

int oct_gen_width(const oct_tracer *t, const uint32_t *params, const char *name, uint32_t *value) {
  char known[NAME_MAX_CHARS];
  int is_shadow = !strcmp(t->name, "shadow");
  const lists *l = is_shadow ? &shadow : &paper;
  uint32_t values[COUNT(shadow_widths) + COUNT(paper_widths)];
  if (is_shadow) {
    const oct_shadow_config cfg = oct_shadow_config_of(params);
    shadow_values(&cfg, values);
  } else {
    const oct_config cfg = oct_config_of(params);
    paper_values(&cfg, values);
  }
  for (size_t i = 0; i < l->n_widths; i++) {
    if (strcmp(oct_gen_upper(known, sizeof known, l->widths[i].name), name) != 0) continue;
    *value = values[i];
    return 1;
  }
  return 0;
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

static void print_widths(const lists *l) {
  char name[NAME_MAX_CHARS];
  print_head(l, "widths.vh", "values that follow from the parameters.");
  printf(
      "// Stands after %sparams.vh and `parameter integer` in a parameter list, where none is\n"
      "// set, or between `localparam integer` and a semicolon in a module's body. A module with\n"
      "// this list need not use each.\n",
      l->prefix);
  oct_gen_lint("off");
  for (size_t i = 0; i < l->n_widths; i++) {
    const width *w = &l->widths[i];
    if (w->text[0]) printf("    // %s\n", w->text);
    oct_gen_upper(name, sizeof name, w->name);
    printf("    %s =%s", name, strlen(w->value) + strlen(name) > 85 ? "\n        " : " ");
    print_value(w->value);
    printf("%s\n", i + 1 < l->n_widths ? "," : "");
  }
  oct_gen_lint("on");
}

void oct_gen_widths(void) {
  print_widths(&paper);
}

void oct_gen_shadow_widths(void) {
  print_widths(&shadow);
}

/* ---- Rules ---- */

/* An instance of a module that does not exist is the one message that Verilator, Icarus Verilog and
 * Yosys all stop at and all print. */
static void print_rule(const char *condition, const char *label, const char *name,
                       const char *message) {
  printf("  if (%s) begin : gen_%s_%s\n", condition, label, name);
  printf("    oct_illegal_%s_%s u_illegal ();\n  end\n", name, message);
}

static void print_check(const lists *l) {
  const oct_tracer *t = oct_tracer_find(l->tracer);
  print_head(l, "check.vh", "an illegal parameter stops elaboration, for a module's body.");
  printf(
      "// The message is the name of a module that does not exist: the one form at which "
      "Verilator,\n"
      "// Icarus Verilog and Yosys all stop, and which all of them print.\n");
  printf("generate\n");
  for (unsigned i = 0; i < t->n_params; i++) {
    const oct_param *p = &t->params[i];
    char name[NAME_MAX_CHARS], condition[512], message[128];
    if (!oct_gen_has(t, p->name)) continue;
    if (p->max == UINT32_MAX && !p->min) continue; /* its type admits nothing else */
    oct_gen_upper(name, sizeof name, p->name);
    snprintf(condition, sizeof condition, "%s < %u || %s > %u", name, p->min, name, p->max);
    snprintf(message, sizeof message, "expected_%u_to_%u", p->min, p->max);
    print_rule(condition, "range", name, message);
    if (p->rule != OCT_POW2) continue;
    snprintf(condition, sizeof condition, "(%s & (%s - 1)) != 0", name, name);
    print_rule(condition, "power", name, "expected_a_power_of_two");
  }
  for (size_t i = 0; i < l->n_rules; i++) {
    const rule *r = &l->rules[i];
    char name[NAME_MAX_CHARS], condition[512], message[128];
    unsigned n_before = 0; /* rules on the same parameter: each block has a name of its own */
    if (!oct_gen_has(t, r->name)) continue;
    for (size_t k = 0; k < i; k++) n_before += !strcmp(l->rules[k].name, r->name);
    oct_gen_upper(condition, sizeof condition, r->condition);
    snprintf(message, sizeof message, "expected %s", r->message);
    for (char *blank; (blank = strchr(message, ' ')) != NULL;) *blank = '_';
    print_rule(condition, n_before ? "other" : "joint", oct_gen_upper(name, sizeof name, r->name),
               message);
  }
  printf("endgenerate\n");
}

void oct_gen_check(void) {
  print_check(&paper);
}

void oct_gen_shadow_check(void) {
  print_check(&shadow);
}

/* Just outside of each range, between two powers of two, and against each rule. */
static void print_illegal(const lists *l) {
  const oct_tracer *t = oct_tracer_find(l->tracer);
  char name[NAME_MAX_CHARS];
  for (unsigned i = 0; i < t->n_params; i++) {
    const oct_param *p = &t->params[i];
    if (!oct_gen_has(t, p->name)) continue;
    oct_gen_upper(name, sizeof name, p->name);
    if (p->max != UINT32_MAX)
      printf("%s %s=%u\n", name, name, p->rule == OCT_POW2 ? 2 * p->max : p->max + 1);
    if (p->min) printf("%s %s=%u\n", name, name, p->rule == OCT_POW2 ? p->min / 2 : p->min - 1);
    if (p->rule == OCT_POW2) printf("%s %s=%u\n", name, name, 3 * (p->min / 4 + 1));
  }
  for (size_t i = 0; i < l->n_rules; i++) {
    char settings[512];
    if (!oct_gen_has(t, l->rules[i].name)) continue;
    oct_gen_upper(settings, sizeof settings, l->rules[i].example);
    for (char *comma; (comma = strchr(settings, ',')) != NULL;) *comma = ' ';
    printf("%s %s\n", oct_gen_upper(name, sizeof name, l->rules[i].name), settings);
  }
}

void oct_gen_illegal(void) {
  print_illegal(&paper);
}

void oct_gen_shadow_illegal(void) {
  print_illegal(&shadow);
}

/* Does a circuit take a parameter's value beside the defaults, and beside regs=32 if `shadow` is to
 * be RISC-V? */
static int is_legal(const oct_tracer *t, unsigned param, uint32_t value, int is_riscv) {
  uint32_t values[OCT_TRACER_PARAMS_MAX];
  oct_diag diag;
  void *twin;
  oct_tracer_defaults(t, values);
  if (is_riscv) values[oct_tracer_param(t, "regs")] = 32;
  values[param] = value;
  if (oct_tracer_check(t, values, &diag) || t->twin->create(values, &twin, &diag)) return 0;
  t->twin->destroy(twin);
  return 1;
}

/* The ends of each range, as far as a circuit takes them, each beside the defaults; as RISC-V where
 * the default, A32, does not take them. */
static void print_legal(const lists *l) {
  const oct_tracer *t = oct_tracer_find(l->tracer);
  for (unsigned i = 0; i < t->n_params; i++) {
    const oct_param *p = &t->params[i];
    if (!oct_gen_has(t, p->name)) continue;
    for (int is_max = 0; is_max < 2; is_max++) {
      const uint32_t value = is_max ? p->max : p->min;
      char name[NAME_MAX_CHARS];
      oct_gen_upper(name, sizeof name, p->name);
      if (is_legal(t, i, value, 0))
        printf("%s=%u\n", name, value);
      else if (l == &shadow && is_legal(t, i, value, 1))
        printf("%s=%u REGS=32\n", name, value);
    }
  }
}

void oct_gen_legal(void) {
  print_legal(&paper);
}

void oct_gen_shadow_legal(void) {
  print_legal(&shadow);
}
