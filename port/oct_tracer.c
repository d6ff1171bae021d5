/* SPDX-License-Identifier: Apache-2.0 */
/* oct_tracer.c - looking up tracers, and helpers over their tables.
 *
 * All that reports and reads parameters works on the tables of
 * a tracer and never on its name. */
#include "octrace/tracer.h"

#include <string.h>

#include "oct_registry.h"

const oct_tracer *oct_tracer_at(unsigned number) {
  unsigned n = 0;
  while (n < number && oct_the_registry.tracers[n]) n++;
  return oct_the_registry.tracers[n];
}

const oct_tracer *oct_tracer_find(const char *name) {
  for (unsigned i = 0; oct_tracer_at(i); i++)
    if (!strcmp(oct_tracer_at(i)->name, name)) return oct_tracer_at(i);
  return NULL;
}

oct_param_table oct_tracer_table(const oct_tracer *t) {
  const oct_param_table table = {t->params, t->n_params, t->geometries, t->n_geometries};
  return table;
}

int oct_tracer_param(const oct_tracer *t, const char *name) {
  const oct_param_table table = oct_tracer_table(t);
  return oct_param_find(&table, name);
}

int oct_tracer_role(const oct_tracer *t, oct_param_role role) {
  for (unsigned i = 0; i < t->n_params; i++)
    if (t->params[i].role == role) return (int)i;
  return -1;
}

uint32_t oct_tracer_value(const oct_tracer *t, const uint32_t *params, oct_param_role role) {
  int i = oct_tracer_role(t, role);
  return i < 0 ? 0 : params[i];
}

int oct_tracer_counter(const oct_tracer *t, const char *name) {
  for (unsigned i = 0; i < t->n_counters; i++)
    if (!strcmp(t->counters[i].name, name)) return (int)i;
  return -1;
}

void oct_tracer_defaults(const oct_tracer *t, uint32_t *params) {
  const oct_param_table table = oct_tracer_table(t);
  oct_param_defaults(&table, params);
}

int oct_tracer_fit(const oct_tracer *t, uint32_t *params, const bool *given, const char *isa,
                   uint32_t addr_bits, uint32_t insn_align_bytes, oct_diag *diag) {
  return t->fit ? t->fit(params, given, isa, addr_bits, insn_align_bytes, diag) : 0;
}

void oct_tracer_fit_events(const oct_tracer *t, uint32_t *params, const bool *given,
                           const oct_trace_info *info) {
  int i = oct_tracer_role(t, OCT_ROLE_TASK_BITS);
  if (i >= 0 && !given[i] && params[i] < info->task_bits) params[i] = 32;
  i = oct_tracer_role(t, OCT_ROLE_PRIVILEGE_BITS);
  if (i >= 0 && !given[i] && params[i] < info->privilege_bits) params[i] = info->privilege_bits;
}

int oct_tracer_check_legal(const oct_tracer *t, const uint32_t *params, oct_diag *diag) {
  const oct_param_table table = oct_tracer_table(t);
  int error = oct_param_check(&table, params, diag);
  return error || !t->check ? error : t->check(params, diag);
}

int oct_tracer_check(const oct_tracer *t, const uint32_t *params, oct_diag *diag) {
  int error = oct_tracer_check_legal(t, params, diag);
  return error || !t->check_build ? error : t->check_build(params, diag);
}

int oct_tracer_parse(const oct_tracer *t, const char *text, uint32_t *params, bool *given,
                     oct_diag *diag) {
  const oct_param_table table = oct_tracer_table(t);
  uint32_t work[OCT_TRACER_PARAMS_MAX];
  memcpy(work, params, t->n_params * sizeof *work);
  int error = oct_param_parse(&table, text, work, given, diag);
  if (!error) error = oct_tracer_check(t, work, diag);
  if (!error) memcpy(params, work, t->n_params * sizeof *work);
  return error;
}

int oct_tracer_check_run(const oct_tracer *t, const oct_run_options *run, oct_diag *diag) {
  if (run->engine == OCT_ENGINE_CYCLE && !t->has_cycle_engine)
    return oct_fail(diag, OCT_ERR_ARG,
                    "the tracer %s has no cycle engine: expected the untimed one", t->name);
  if (run->filter && oct_tracer_role(t, OCT_ROLE_FILTERS) < 0)
    return oct_fail(diag, OCT_ERR_ARG, "the tracer %s has no filters", t->name);
  return 0;
}

bool oct_tracer_carries_data(const oct_tracer *t, const uint32_t *params) {
  int i = oct_tracer_role(t, OCT_ROLE_DATA);
  return t->carries_data && (i < 0 || params[i]);
}

int oct_tracer_register_isa(const oct_tracer *t, const uint32_t *params) {
  return t->carries_values ? (int)oct_tracer_value(t, params, OCT_ROLE_EXECUTED_ISA) - 1 : -1;
}

int oct_tracer_check_traps(const oct_tracer_input *in, oct_diag *diag) {
  for (size_t i = 0; i < in->n_traps; i++) {
    const oct_trap *t = &in->traps[i];
    if (t->insn > in->n_insns || (i && t->insn < t[-1].insn))
      return oct_fail(
          diag, OCT_ERR_ARG,
          "trap %zu of a batch, before instruction %u of %zu: expected the order of the "
          "instructions",
          i, t->insn, in->n_insns);
    if (!oct_trap_is_valid(t))
      return oct_fail(
          diag, OCT_ERR_ARG,
          "trap %zu of a batch, of kind %u and privilege %u: expected a kind, privilege "
          "up to %u, and 0 in fields that the kind lacks",
          i, t->kind, t->privilege, OCT_PRIVILEGE_UNKNOWN);
  }
  return 0;
}

uint32_t oct_tracer_trap_parts(const oct_tracer *t, const uint32_t *params) {
  int i = oct_tracer_role(t, OCT_ROLE_TRAPS);
  return i < 0 || params[i] ? t->trap_parts : 0;
}

uint64_t oct_tracer_count(const oct_tracer *t, const uint64_t *counters, const char *name) {
  int i = oct_tracer_counter(t, name);
  return i < 0 ? 0 : counters[i];
}

static bool is_of_port(oct_counter_group group) {
  return group == OCT_GROUP_PORT_INSN || group == OCT_GROUP_PORT_DATA ||
         group == OCT_GROUP_PORT_SYNC || group == OCT_GROUP_PORT_OVERHEAD;
}

uint64_t oct_tracer_port_bits(const oct_tracer *t, const uint64_t *counters,
                              oct_counter_group group) {
  uint64_t bits = 0;
  for (unsigned i = 0; i < t->n_counters; i++)
    if (group == OCT_GROUP_TRACE ? is_of_port(t->counters[i].group) : t->counters[i].group == group)
      bits += counters[i];
  return bits;
}

uint64_t oct_tracer_state_bits(const oct_tracer *t, const uint32_t *params) {
  uint64_t bits = 0;
  for (unsigned i = 0; i < t->n_state_parts; i++) bits += t->state_parts[i].bits(params);
  return bits;
}
