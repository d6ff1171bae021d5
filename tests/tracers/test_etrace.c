/* SPDX-License-Identifier: Apache-2.0 */
/* test_etrace.c - do E-Trace streams give every trace back, with every option, alone and with any
 * other? */
#include "tracer_run.h"

#include "oct_etrace.h"

static const oct_tracer *t;

static oct_et_params defaults(void) {
  uint32_t values[OCT_ET_N_PARAMS];
  oct_et_params p;
  for (unsigned i = 0; i < t->n_params; i++) values[i] = t->params[i].def;
  memcpy(&p, values, sizeof p);
  return p;
}

static random_rules random_program_rules(bool is_64) {
  random_rules r = {.base = is_64 ? UINT64_C(0x4000000000) : 0x10000,
                    .addr_mask = is_64 ? UINT64_MAX : UINT32_MAX,
                    .size_min = 2,
                    .size_max = 4,
                    .tasks = 3};
  r.n_code = 8 + (unsigned)random_below(random_pm(500) ? 60 : 2000);
  r.branch_pm = (unsigned)random_below(random_pm(300) ? 5 : 200);
  r.jump_pm = (unsigned)random_below(80);
  r.call_pm = (unsigned)random_below(100);
  r.indirect_pm = (unsigned)random_below(30);
  r.return_pm = r.call_pm + (unsigned)random_below(20);
  r.sijump_pm = random_pm(500) ? 0 : 100;
  r.access_pm = 300;
  r.taken_pm = (unsigned)random_below(1000);
  r.stray_pm = random_pm(500) ? 0 : (unsigned)random_below(random_pm(500) ? 20 : 500);
  r.trap_ppm = random_pm(500) ? 0 : (unsigned)random_below(20000);
  r.task_ppm = random_pm(500) ? 0 : (unsigned)random_below(5000);
  r.change_ppm = random_pm(600) ? 0 : (unsigned)random_below(20000);
  r.end_pm = random_pm(500) ? 0 : 100;
  return r;
}

/* Returns the instructions that were decoded behind a cut. */
static size_t round_trip(const oct_et_params *p, size_t n_insns) {
  size_t found = 0;
  random_rules rules = random_program_rules(p->addr_bits == 64);
  random_run r = random_run_new(&rules, n_insns);
  uint32_t values[OCT_ET_N_PARAMS];
  memcpy(values, p, sizeof values);
  port_bytes bytes = encode_run(t, values, &r);
  decode_run(t, values, &r, &bytes, (decode_how){.has_data = p->data});
  if (p->encapsulation && p->time_bits >= 20) found = cut_run(t, values, &r, &bytes, p->data);
  if (random_pm(300)) damage_run(t, values, &r, &bytes);
  free(bytes.bytes);
  random_free(&r);
  return found;
}

/* Switch options on at random, each one time in `one_in`. */
static oct_et_params random_options(unsigned one_in) {
  oct_et_params p = defaults();
  if (!random_below(2)) p.addr_bits = 64;
  if (!random_below(one_in)) p.full_address = 1;
  if (!random_below(one_in)) {
    p.implicit_return = 1;
    p.return_stack_bits = (uint32_t)random_below(6);
    p.call_counter_bits = (uint32_t)random_below(5) + !p.return_stack_bits;
  }
  if (!random_below(one_in)) p.predictor_bits = (uint32_t)random_below(10) + 1;
  if (!random_below(one_in)) p.jump_cache_bits = (uint32_t)random_below(8) + 1;
  if (!random_below(one_in)) {
    p.implicit_exception = 1;
    p.trap_base = 0x10000;
    p.trap_base_high = 0;
  }
  if (!random_below(one_in)) p.time_bits = (uint32_t)random_below(65);
  if (!random_below(one_in)) p.src_bits = (uint32_t)random_below(17);
  p.src_id = (uint32_t)random_below(1u << p.src_bits);
  if (!random_below(one_in)) p.sijump = 1;
  if (!random_below(one_in)) p.privilege_bits = 3;
  if (!random_below(one_in)) p.data = 0;
  if (!random_below(one_in)) p.data_size_bits = 3;
  if (!p.data && random_pm(500)) p.encapsulation = 0;
  if (random_pm(800)) p.sync_period_insns = 1u << random_below(14);
  if (random_pm(100)) p.sync_period_insns = 0;
  return p;
}

static void test_options(void **state) {
  size_t found = 0;
  (void)state;
  oct_et_params p = defaults();
  round_trip(&p, 20000);
  for (int i = 0; i < 150; i++) {
    p = random_options(1 + i % 4);
    found += round_trip(&p, 1 + random_below(random_pm(300) ? 20 : 6000));
  }
  assert_true(found > 0);
}

int main(void) {
  t = oct_tracer_find("etrace");
  random_seed("etrace");
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_options)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
