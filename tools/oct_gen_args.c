/* SPDX-License-Identifier: Apache-2.0 */
/* oct_gen_args.c - a geometry of a tracer as arguments of Verilator, Icarus Verilog or Yosys: all
 * of its parameters, or those that a module declares. */
#include "oct_gen_verilog.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is asked for: a geometry's parameters as arguments of a tool. */
enum { SETS_MAX = 8 };
typedef struct request {
  const char *before, *between; /* of a parameter's name, and of it and the value */
  const char *blank;            /* before the next */
  const char *module;           /* its file, or NULL: all parameters */
  const char *sets[SETS_MAX];   /* NAME=VALUE, the last NULL */
  int is_used[SETS_MAX];
  const char *geometry;
  const oct_tracer *tracer;
  uint32_t values[OCT_TRACER_PARAMS_MAX];
} request;

static const char *upper_name(char to[NAME_MAX_CHARS], const char *name) {
  return oct_gen_upper(to, NAME_MAX_CHARS, name);
}

/* A parameter or derived width by its name in Verilog, or a number; false when it is none. */
static int look_up(const request *r, const char *name, uint32_t *value) {
  char known[NAME_MAX_CHARS], *end;
  for (unsigned i = 0; i < r->tracer->n_params; i++) {
    if (strcmp(upper_name(known, r->tracer->params[i].name), name) != 0) continue;
    *value = r->values[i];
    return 1;
  }
  if (oct_gen_width(r->tracer, r->values, name, value)) return 1;
  *value = (uint32_t)strtoul(name, &end, 10);
  return isdigit((unsigned char)*name) && !*end;
}

/* Print what the parameter gets: of its --set, else of the same name. */
static int print_arg(request *r, const char *name) {
  const char *source = name;
  size_t length = strlen(name);
  uint32_t value;
  for (unsigned i = 0; i < SETS_MAX && r->sets[i]; i++)
    if (!strncmp(r->sets[i], name, length) && r->sets[i][length] == '=') {
      source = r->sets[i] + length + 1;
      r->is_used[i] = 1;
    }
  if (!look_up(r, source, &value)) {
    fprintf(stderr, "oct_gen_verilog: %s: '%s': no such parameter or width\n", r->module, source);
    return 1;
  }
  printf("%s%s%s%s%u", r->blank, r->before, name, r->between, value);
  r->blank = " ";
  return 0;
}

static int print_all(request *r) {
  char name[NAME_MAX_CHARS];
  int error = 0;
  for (unsigned i = 0; i < r->tracer->n_params && !error; i++)
    if (oct_gen_has(r->tracer, r->tracer->params[i].name))
      error = print_arg(r, upper_name(name, r->tracer->params[i].name));
  return error;
}

static int is_name(char c) {
  return isalnum((unsigned char)c) || c == '_';
}

/* The parameters that the head of a module declares; with oct_params.vh or oct_shadow_params.vh,
 * all. */
static int print_declared(request *r, char *text) {
  char *at = strstr(text, "\nmodule ");
  char *end = at ? strchr(at, '(') : NULL;
  int error = 0;
  if (end && end[-1] != '#') return 0; /* it has none */
  end = at ? strstr(at, ") (") : NULL;
  if (!end) {
    fprintf(stderr, "oct_gen_verilog: %s: expected a module\n", r->module);
    return 1;
  }
  *end = '\0';
  if (strstr(at, "_params.vh\"")) return print_all(r);
  while (!error && (at = strstr(at, "parameter ")) != NULL && (end = strchr(at, '=')) != NULL) {
    char *name;
    while (!is_name(end[-1])) end--;
    for (name = end; is_name(name[-1]);) name--;
    *end = '\0';
    error = print_arg(r, name);
    at = end + 1;
  }
  return error;
}

static int print_module(request *r) {
  char *text = NULL;
  size_t size = 0;
  FILE *file = fopen(r->module, "r");
  int error = 1;
  if (file && getdelim(&text, &size, '\0', file) >= 0)
    error = print_declared(r, text);
  else
    fprintf(stderr, "oct_gen_verilog: %s: %s\n", r->module,
            file ? "expected a module, found nothing to read" : strerror(errno));
  if (file) fclose(file);
  free(text);
  return error;
}

/* The geometry, if the tracer's circuit takes it. */
static int parse_geometry(request *r, oct_diag *diag) {
  void *twin;
  oct_tracer_defaults(r->tracer, r->values);
  int error = oct_tracer_parse(r->tracer, r->geometry, r->values, NULL, diag);
  if (!error) error = r->tracer->twin->create(r->values, &twin, diag);
  if (!error) r->tracer->twin->destroy(twin);
  return error;
}

static int print_args(request *r) {
  oct_diag diag = {0};
  int error;
  if (parse_geometry(r, &diag)) {
    fprintf(stderr, "oct_gen_verilog: %s\n", oct_diag_line(&diag).text);
    return 1;
  }
  error = r->module ? print_module(r) : print_all(r);
  for (unsigned i = 0; !error && i < SETS_MAX && r->sets[i]; i++)
    if (!r->is_used[i]) {
      fprintf(stderr, "oct_gen_verilog: --set %s: the module has no such parameter\n", r->sets[i]);
      error = 1;
    }
  if (!error) printf("\n");
  return error;
}

/* The module that Verilog programs are built around. */
static int print_top(const oct_tracer *t) {
  printf("%s\n", t->twin->module);
  return 0;
}

int oct_gen_args(int argc, char **argv) {
  request r = {.blank = "", .tracer = oct_tracer_find("paper")};
  unsigned n_sets = 0;
  bool is_top = false;
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "--verilator-args")) {
      r.before = "-G";
      r.between = "=";
    } else if (!strcmp(argv[i], "--yosys-args")) {
      r.before = "-set ";
      r.between = " ";
    } else if (!strcmp(argv[i], "--top")) {
      is_top = true;
    } else if (!strcmp(argv[i], "--tracer") && i + 1 < argc) {
      r.tracer = oct_tracer_find(argv[++i]);
      if (!r.tracer) {
        fprintf(stderr, "oct_gen_verilog: --tracer %s: expected the name of a tracer\n", argv[i]);
        return 1;
      }
    } else if (!strcmp(argv[i], "--module") && i + 1 < argc) {
      r.module = argv[++i];
    } else if (!strcmp(argv[i], "--set") && i + 1 < argc && n_sets < SETS_MAX) {
      r.sets[n_sets++] = argv[++i];
    } else if (argv[i][0] != '-' && !r.geometry) {
      r.geometry = argv[i];
    } else {
      return -1;
    }
  }
  if (is_top ? r.before || r.geometry : !r.before || !r.geometry) return -1;
  if (!r.tracer->twin) {
    fprintf(stderr, "oct_gen_verilog: --tracer %s: it has no Verilog\n", r.tracer->name);
    return 1;
  }
  return is_top ? print_top(r.tracer) : print_args(&r);
}
