/* SPDX-License-Identifier: Apache-2.0 */
/* test_numbers.c - a stream may count any number of instructions, the highest one included: no
 * decoder takes a number for a mark of its own. */
#include "tracer_util.h"

#include "oct_encoder_base.h"
#include "oct_shadow_encoder.h"
#include "oct_untimed.h"
#include "octrace/container.h"

/* The untimed engines of `paper` and `shadow` as encoders: those that their tracers make hide the
 * number. */
static int paper_create(const uint32_t *params, const oct_run_options *run, void **e,
                        oct_diag *diag) {
  const oct_config cfg = oct_config_of(params);
  (void)run, (void)diag;
  assert_non_null(*e = malloc(sizeof(oct_untimed)));
  return oct_untimed_init(*e, &cfg);
}

static void paper_destroy(void *e) {
  oct_untimed_free(e);
  free(e);
}

static int paper_put(void *e, const oct_tracer_input *in, oct_diag *diag) {
  (void)diag;
  return oct_untimed_put(e, in->insns, in->n_insns, in->accesses);
}

static int paper_flush(void *e, oct_diag *diag) {
  (void)diag;
  return oct_untimed_flush(e);
}

static size_t paper_take(void *e, const uint8_t **bytes) {
  oct_untimed *s = e;
  size_t n = s->bytes.n_bytes;
  *bytes = s->bytes.bytes;
  s->bytes.n_bytes = 0;
  return n;
}

static void paper_renumber(void *e, uint64_t from, uint64_t to) {
  uint64_t *number = &((oct_untimed *)e)->front.ingress.insn_count;
  assert_int_equal(*number, from);
  *number = to;
}

static int shadow_create(const uint32_t *params, const oct_run_options *run, void **e,
                         oct_diag *diag) {
  const oct_shadow_config cfg = oct_shadow_config_of(params);
  (void)run;
  return oct_shadow_encoder_new(&cfg, true, (oct_shadow_encoder **)e, diag);
}

static void shadow_destroy(void *e) {
  oct_shadow_encoder_free(e);
}

static int shadow_put(void *e, const oct_tracer_input *in, oct_diag *diag) {
  return oct_shadow_encoder_put(e, in, diag);
}

static int shadow_flush(void *e, oct_diag *diag) {
  return oct_shadow_encoder_flush(e, diag);
}

static size_t shadow_take(void *e, const uint8_t **bytes) {
  return oct_shadow_encoder_take(e, bytes);
}

/* By a loss of as many instructions. */
static void shadow_renumber(void *e, uint64_t from, uint64_t to) {
  assert_int_equal(oct_shadow_encoder_lose(e, to - from, 0, false, NULL), 0);
}

static void base_renumber(void *e, uint64_t from, uint64_t to) {
  oct_encoder_base *base = e;
  assert_int_equal(base->insn, from);
  base->insn = to;
}

static const oct_tracer_encoder paper_encoder = {.create = paper_create,
                                                 .destroy = paper_destroy,
                                                 .put = paper_put,
                                                 .flush = paper_flush,
                                                 .take = paper_take};
static const oct_tracer_encoder shadow_encoder = {.create = shadow_create,
                                                  .destroy = shadow_destroy,
                                                  .put = shadow_put,
                                                  .flush = shadow_flush,
                                                  .take = shadow_take};

/* How the encoder of a tracer gets another number for the instruction that comes. */
typedef struct numbering {
  const char *tracer;
  const oct_tracer_encoder *encoder; /* NULL: the tracer's own, which has an oct_encoder_base */
  void (*renumber)(void *e, uint64_t from, uint64_t to);
} numbering;

static const numbering numberings[] = {
    {"raw", NULL, base_renumber},
    {"etrace", NULL, base_renumber},
    {"ntrace", NULL, base_renumber},
    {"intel-pt", NULL, base_renumber},
    {"etmv4", NULL, base_renumber},
    {"paper", &paper_encoder, paper_renumber},
    {"shadow", &shadow_encoder, shadow_renumber},
};

static const numbering *numbering_of(const char *tracer) {
  const numbering *n = numberings;
  while (strcmp(n->tracer, tracer) != 0) n++;
  return n;
}

/* Follow a stream to its end: instructions that do not follow the last ones have a number that a
 * trace can have, and no number passes for the mark of a port without checks. */
static void follow(const oct_tracer *t, const uint32_t *params, const test_trace *x,
                   oct_decoder_start start, const uint8_t *bytes, size_t n_bytes) {
  int check = oct_tracer_param(t, "check_bits");
  if (check < 0) check = oct_tracer_param(t, "check");
  const bool has_checks = check >= 0 && params[check];
  oct_replay *r;
  oct_decoded out;
  oct_gap gap;
  oct_diag diag = {0};
  uint64_t next = 0;
  int got;
  assert_int_equal(oct_replay_new(t, params, start, NULL, &r, &diag), 0);
  assert_int_equal(oct_replay_map(r, x->updates, x->n_updates, &diag), 0);
  assert_int_equal(oct_replay_push(r, bytes, n_bytes, &diag), 0);
  oct_replay_finish(r);
  while ((got = oct_replay_next(r, &out, &gap, &diag)) > 0) {
    assert_true(out.first_insn == next || out.first_insn <= OCT_INSN_NUMBER_MAX);
    next = out.first_insn + out.batch.n_insns;
    assert_true(!has_checks || out.confirmed_insns != UINT64_MAX);
  }
  oct_replay_free(r);
}

static void count_from(const char *name, const char *settings, const char *sample) {
  enum { FIRST = 4999, NEAR = 2 };
  char path[1024];
  snprintf(path, sizeof path, "%s/isa/%s.oct", TEST_SAMPLES, sample);
  test_trace x = load_test_trace(path, 2 * FIRST);
  const numbering *how = numbering_of(name);
  oct_tracer own = *oct_tracer_find(name);
  const oct_tracer *t = &own;
  uint32_t params[OCT_TRACER_PARAMS_MAX];
  fit_params(t, settings, &x, params);
  if (how->encoder) own.encoder = *how->encoder;
  const uint64_t numbers[] = {0,          FIRST,      OCT_INSN_NUMBER_MAX,
                              UINT32_MAX, UINT64_MAX, UINT64_MAX >> 22};
  for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++)
    for (uint64_t number = numbers[i] - NEAR; number != numbers[i] + NEAR + 1; number++) {
      if (is_left_out()) continue;
      const oct_run_options run = {.engine = OCT_ENGINE_UNTIMED};
      test_stream s = {0};
      oct_diag diag = {0};
      void *e;
      assert_int_equal(t->encoder.create(params, &run, &e, &diag), 0);
      encode_part(t, e, &x, 0, FIRST, &s);
      assert_int_equal(t->encoder.flush(e, &diag), 0);
      take_bytes(t, e, &s);
      size_t n_first = s.n_bytes;
      how->renumber(e, FIRST, number);
      encode_part(t, e, &x, FIRST, x.n_insns, &s);
      (void)t->encoder.flush(e, &diag); /* it need not like the number either */
      take_bytes(t, e, &s);
      t->encoder.destroy(e);
      follow(t, params, &x, OCT_START_IN_STEP, s.bytes, s.n_bytes);
      follow(t, params, &x, OCT_START_IN_STEP, s.bytes + n_first, s.n_bytes - n_first);
      follow(t, params, &x, OCT_START_SEARCH, s.bytes + n_first, s.n_bytes - n_first);
      free(s.bytes);
    }
  free_test_trace(&x);
}

static void extreme_counts(void **state) {
  (void)state;
  count_from("raw", "sync_period_insns=300", "riscv64");
  count_from("etrace", "all,sync_period_insns=300,time_bits=64", "riscv64");
  count_from("etrace", "base,sync_period_insns=0", "riscv64");
  count_from("ntrace", "all,sync_period_insns=300", "riscv64");
  count_from("intel-pt", "sync_period_insns=300", "x86-64");
  count_from("etmv4", "sync_period_insns=300", "aarch64");
  count_from("paper", "sync_period_insns=300,addr_bits=64", "aarch64");
  count_from("paper", "sync_period_insns=300,addr_bits=64,check_bits=0", "aarch64");
  count_from("shadow", "sync_insns=300", "aarch64");
  count_from("shadow", "sync_insns=300,check=0", "aarch64");
}

int main(void) {
  seed_random("numbers");
  const struct CMUnitTest tests[] = {cmocka_unit_test(extreme_counts)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
