/* SPDX-License-Identifier: Apache-2.0 */
/* oct_filter_text.c - settings of the filter as writes to its registers (oct_filter_text.h).
 *
 * Each range takes a comparator and a filter of its own; filters are met one or the other. Task and
 * privilege are asked for in each filter of instructions: the comparator of the task is shared. */
#include "oct_filter_text.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "oct_mask.h"
#include "oct_radix.h"

/* Values of trTeComp<j>Control. */
enum {
  COMP_RANGE = 0x1350, /* iaddr >= P and iaddr <= S */
  COMP_SPAN = 0x3000,  /* from iaddr == P to iaddr == S */
  COMP_DATA = 0x135f,  /* daddr >= P and daddr <= S */
  COMP_TASK = 0x0001   /* context == P */
};
enum { SETTING_MAX = 80 };

typedef struct setup {
  uint32_t n, addr_bits, task_bits;
  uint32_t comps, filters; /* taken */
  uint32_t inst_mask, data_mask, privs;
  uint32_t control[OCT_FILTERS_MAX]; /* of filters */
  int task_comp;
  oct_filter_write *writes;
  int n_writes;
  oct_diag *diag;
} setup;

static const struct {
  const char *name, *rest; /* the number of the filter or comparator stands between */
  uint16_t offset;
} registers[] = {
    {"trTeControl", NULL, OCT_REG_TR_TE_CONTROL},
    {"trTeInstFilters", NULL, OCT_REG_TR_TE_INST_FILTERS},
    {"trTeDataControl", NULL, OCT_REG_TR_TE_DATA_CONTROL},
    {"trTeDataFilters", NULL, OCT_REG_TR_TE_DATA_FILTERS},
    {"trTeTrigExtInControl", NULL, OCT_REG_TR_TE_TRIG_EXT_IN},
    {"trTeFilter", "Control", OCT_REG_TR_TE_FILTER_CONTROL},
    {"trTeFilter", "MatchInst", OCT_REG_TR_TE_FILTER_INST},
    {"trTeComp", "Control", OCT_REG_TR_TE_COMP_CONTROL},
    {"trTeComp", "PMatchLow", OCT_REG_TR_TE_COMP_P_MATCH_LOW},
    {"trTeComp", "PMatchHigh", OCT_REG_TR_TE_COMP_P_MATCH_HIGH},
    {"trTeComp", "SMatchLow", OCT_REG_TR_TE_COMP_S_MATCH_LOW},
    {"trTeComp", "SMatchHigh", OCT_REG_TR_TE_COMP_S_MATCH_HIGH},
};

static int put(setup *s, uint32_t paddr, uint64_t value) {
  if (s->n_writes == OCT_FILTER_WRITES_MAX)
    return oct_fail(s->diag, OCT_ERR_ARG, "filter: more than %d writes of registers",
                    OCT_FILTER_WRITES_MAX);
  s->writes[s->n_writes++] = (oct_filter_write){(uint16_t)paddr, (uint32_t)value};
  return 0;
}

/* A number up to max, and what stands behind it. */
static bool number(const char *text, uint64_t max, uint64_t *value, const char **end) {
  char *behind;
  errno = 0;
  *value = strtoull(text, &behind, oct_radix(text));
  *end = behind;
  return *text >= '0' && *text <= '9' && !errno && *value <= max;
}

static int take(setup *s, uint32_t *taken, const char *what) {
  if (*taken == OCT_FILTERS_MAX)
    return oct_fail(s->diag, OCT_ERR_ARG,
                    "filter: needs more than %d %s, the most that a geometry can have: expected "
                    "fewer settings",
                    OCT_FILTERS_MAX, what);
  if (*taken == s->n)
    return oct_fail(s->diag, OCT_ERR_ARG,
                    "filter: needs more than the %u %s of the geometry: expected a parameter "
                    "filters=%u or larger, up to %d",
                    s->n, what, *taken + 1, OCT_FILTERS_MAX);
  return (int)(*taken)++;
}

/* A comparator; its number. */
static int put_comp(setup *s, uint32_t control, uint64_t p, uint64_t second) {
  int j = take(s, &s->comps, "comparators");
  if (j < 0) return j;
  uint32_t base = OCT_REG_TR_TE_COMP_CONTROL + 0x20 * (uint32_t)j;
  int error = put(s, base, control);
  if (!error) error = put(s, base + 0x10, p);
  if (!error && s->addr_bits > 32) error = put(s, base + 0x14, p >> 32);
  if (!error) error = put(s, base + 0x18, second);
  if (!error && s->addr_bits > 32) error = put(s, base + 0x1c, second >> 32);
  return error ? error : j;
}

/* A filter that a comparator's result meets, or any when j is negative. */
static int put_filter(setup *s, int j, uint32_t *mask) {
  int i = take(s, &s->filters, "filters");
  if (i < 0) return i;
  s->control[i] = j < 0 ? 1 : 0x11 | (uint32_t)j << 5;
  *mask |= 1u << i;
  return 0;
}

static int put_range(setup *s, const char *name, const char *text, uint32_t control,
                     uint32_t *mask) {
  uint64_t low, high, max = oct_mask(s->addr_bits);
  const char *end;
  if (!number(text, max, &low, &end) || *end != '-' || !number(end + 1, max, &high, &end) || *end)
    return oct_fail(s->diag, OCT_ERR_ARG,
                    "filter: %s=%s: expected two addresses of %u bits, such as 0x8000-0x8fff", name,
                    text, s->addr_bits);
  if (control != COMP_SPAN && low > high)
    return oct_fail(s->diag, OCT_ERR_ARG, "filter: %s=%s: the first address is the larger", name,
                    text);
  int j = put_comp(s, control, low, high);
  return j < 0 ? j : put_filter(s, j, mask);
}

static int put_task(setup *s, const char *text) {
  uint64_t task;
  const char *end;
  if (s->task_comp >= 0) return oct_fail(s->diag, OCT_ERR_ARG, "filter: only one task");
  if (!number(text, oct_mask(s->task_bits), &task, &end) || *end)
    return oct_fail(s->diag, OCT_ERR_ARG,
                    "filter: task=%s: expected a number of %u bits (task_bits)", text,
                    s->task_bits);
  s->task_comp = put_comp(s, COMP_TASK, task, 0);
  return s->task_comp < 0 ? s->task_comp : 0;
}

static int put_privs(setup *s, const char *text) {
  static const char letters[] = "us.m";
  if (s->privs)
    return oct_fail(s->diag, OCT_ERR_ARG,
                    "filter: priv=%s: expected priv once, with all of its letters", text);
  if (!*text) return oct_fail(s->diag, OCT_ERR_ARG, "filter: priv=: expected letters of u, s, m");
  for (const char *c = text; *c; c++) {
    const char *at = *c == '.' ? NULL : strchr(letters, *c);
    if (!at)
      return oct_fail(s->diag, OCT_ERR_ARG, "filter: priv=%s: expected letters of u, s, m", text);
    s->privs |= 1u << (at - letters);
  }
  return 0;
}

static int put_register(setup *s, const char *name, const char *text) {
  uint64_t value, unit = 0;
  const char *end;
  for (size_t i = 0; i < sizeof registers / sizeof *registers; i++) {
    size_t length = strlen(registers[i].name);
    bool is_it = !strncmp(name, registers[i].name, length);
    const char *rest = is_it ? name + length : name;
    if (is_it && registers[i].rest)
      is_it = number(rest, s->n ? s->n - 1 : 0, &unit, &rest) && !strcmp(rest, registers[i].rest);
    else
      is_it = is_it && !*rest;
    if (!is_it) continue;
    if (!s->n) return take(s, &s->comps, "comparators");
    if (!number(text, UINT32_MAX, &value, &end) || *end)
      return oct_fail(s->diag, OCT_ERR_ARG, "filter: %s=%s: expected a number of 32 bits", name,
                      text);
    return put(s, registers[i].offset + (registers[i].rest ? 0x20 * (uint32_t)unit : 0), value);
  }
  return oct_fail(s->diag, OCT_ERR_ARG,
                  "filter: '%s' is unknown: expected insns, span, accesses, task, priv, or a "
                  "register",
                  name);
}

static int put_setting(setup *s, char *setting) {
  char *value = strchr(setting, '=');
  if (!value) return oct_fail(s->diag, OCT_ERR_ARG, "filter: '%s': expected NAME=VALUE", setting);
  *value++ = '\0';
  if (!strcmp(setting, "insns")) return put_range(s, setting, value, COMP_RANGE, &s->inst_mask);
  if (!strcmp(setting, "span")) return put_range(s, setting, value, COMP_SPAN, &s->inst_mask);
  if (!strcmp(setting, "accesses")) return put_range(s, setting, value, COMP_DATA, &s->data_mask);
  if (!strcmp(setting, "task")) return put_task(s, value);
  if (!strcmp(setting, "priv")) return put_privs(s, value);
  return put_register(s, setting, value);
}

/* The filters, once all is known; the masks that switch them on come last. */
static int put_filters(setup *s) {
  int error = 0;
  if ((s->task_comp >= 0 || s->privs) && !s->inst_mask) error = put_filter(s, -1, &s->inst_mask);
  for (uint32_t i = 0; i < s->filters && !error; i++) {
    uint32_t base = OCT_REG_TR_TE_FILTER_CONTROL + 0x20 * i;
    bool of_insns = s->inst_mask >> i & 1;
    if (of_insns && s->task_comp >= 0) s->control[i] |= 0x100 | (uint32_t)s->task_comp << 9;
    if (of_insns && s->privs) {
      s->control[i] |= 2;
      error = put(s, base + 4, s->privs);
    }
    if (!error) error = put(s, base, s->control[i]);
  }
  if (!error && s->inst_mask) error = put(s, OCT_REG_TR_TE_INST_FILTERS, s->inst_mask);
  if (!error && s->data_mask) error = put(s, OCT_REG_TR_TE_DATA_FILTERS, s->data_mask);
  return error;
}

int oct_filter_parse(const char *text, uint32_t n, uint32_t addr_bits, uint32_t task_bits,
                     oct_filter_write *writes, oct_diag *diag) {
  setup s = {.n = n,
             .addr_bits = addr_bits,
             .task_bits = task_bits,
             .task_comp = -1,
             .writes = writes,
             .diag = diag};
  int error = 0;
  while (!error) {
    char setting[SETTING_MAX];
    size_t length = strcspn(text, ",");
    if (length >= sizeof setting)
      return oct_diag_from(diag, OCT_ORIGIN_FILTER,
                           oct_fail(diag, OCT_ERR_ARG, "filter: '%.20s...' is too long", text));
    memcpy(setting, text, length);
    setting[length] = '\0';
    error = put_setting(&s, setting);
    if (!text[length]) break;
    text += length + 1;
  }
  if (!error) error = put_filters(&s);
  return error ? oct_diag_from(diag, OCT_ORIGIN_FILTER, error) : s.n_writes;
}

void oct_filter_write_reg(oct_filter *s, const oct_filter_write *write) {
  oct_filter_in in = {.apb = {.psel = true,
                              .penable = true,
                              .pwrite = true,
                              .paddr = write->paddr,
                              .pwdata = write->value}};
  oct_filter_out out;
  oct_filter_eval(s, &in, &out);
  oct_filter_clock(s);
}
