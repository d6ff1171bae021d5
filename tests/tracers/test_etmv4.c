/* SPDX-License-Identifier: Apache-2.0 */
/* test_etmv4.c - do ETMv4 streams give every trace back? */
#include "tracer_run.h"

#include "oct_etm4.h"
#include "octrace/trace.h"

#include <sys/stat.h>

static const oct_tracer *t;

static random_rules random_program_rules(uint32_t isa) {
  bool is_64 = isa == OCT_ETM4_A64;
  return random_rules_of(is_64 ? UINT64_C(0x7fff00000000) : 0x8000, is_64 ? UINT64_MAX : UINT32_MAX,
                         isa == OCT_ETM4_T32 ? 2 : 4, 4);
}

/* With causes as ETMv4 numbers them. */
static void random_etm4_traps(random_run *r, uint32_t isa) {
  const uint64_t align = isa == OCT_ETM4_T32 ? 2 : 4;
  const random_trap_rules rules = {
      .addr_mask = (isa == OCT_ETM4_A64 ? UINT64_MAX : UINT32_MAX) & ~(align - 1),
      .cause_mask = random_pm(500) ? 15 : OCT_ETM4_TYPES - 1,
      .privilege_max = 3};
  random_traps(r, &rules);
  for (size_t i = 0; i < r->n_traps; i++) {
    oct_trap *x = &r->traps[i];
    bool is_irq = x->cause == OCT_ETM4_IRQ || x->cause == OCT_ETM4_FIQ;
    if (x->kind == OCT_TRAP_PRIVILEGE) continue;
    if (isa == OCT_ETM4_T32 && oct_etm4_is_lent(x->addr)) x->addr &= ~UINT64_C(3);
    if (x->kind == OCT_TRAP_INTERRUPT) x->cause = OCT_ETM4_IRQ + (x->cause & 1);
    if (x->kind == OCT_TRAP_EXCEPTION &&
        (is_irq || x->cause == OCT_ETM4_HALT || x->cause == OCT_ETM4_JUMP))
      x->cause = 2;
  }
}

static void test_options(void **state) {
  size_t found = 0;
  (void)state;
  for (int i = 0; i < 150; i++) {
    if (is_left_out()) continue;
    oct_etm4_params p = {0};
    p.default_isa = below32(3);
    p.sync_period_insns = 1u << below(14);
    p.return_stack = random_pm(300) ? 0 : below32(16);
    p.timestamp = !random_pm(200);
    p.frames = random_pm(600);
    p.trace_id = below32(111) + 1;
    p.cycles = random_pm(500);
    p.cycle_threshold = random_pm(500) ? 4 : 4 + below32(4092);
    if (random_pm(200)) p.sync_period_insns = 0;
    random_rules rules = random_program_rules(p.default_isa);
    random_run r = random_run_new(&rules, 1 + below(random_pm(300) ? 20 : 6000));
    if (random_pm(700)) random_etm4_traps(&r, p.default_isa);
    uint32_t values[OCT_TRACER_PARAMS_MAX];
    if (p.cycles) stamp_run(&r);
    oct_etm4_params_put(&p, values);
    port_bytes bytes = encode_run(t, values, &r);
    decode_run(t, values, &r, &bytes, (decode_how){0});
    if (p.timestamp) found += cut_run(t, values, &r, &bytes, false);
    if (random_pm(300)) damage_run(t, values, &r, &bytes);
    free(bytes.bytes);
    random_free(&r);
  }
  assert_true(runs_share() || found > 0);
}

/* Code that is entered in the middle of an instruction: one image of memory has it if both agree on
 * the bytes that they share. */
static void test_overlap(void **state) {
  static const uint8_t second[2][4] = {{0x00, 0xbf}, {0x01, 0xbf}};
  (void)state;
  for (int differs = 0; differs < 2; differs++) {
    char folder[] = "/tmp/oct-overlap-XXXXXX";
    oct_map_entry map[2] = {
        {.addr = 0x8000,
         .size_bytes = 4,
         .cls = OCT_CLASS_OTHER,
         .code_isa = OCT_ISA_THUMB + 1,
         .code = {0xaf, 0xf3, 0x00, 0xbf}},
        {.addr = 0x8002, .size_bytes = 2, .cls = OCT_CLASS_OTHER, .code_isa = OCT_ISA_THUMB + 1}};
    const oct_insn insns[2] = {{.addr = 0x8000, .size_bytes = 4},
                               {.addr = 0x8002, .size_bytes = 2}};
    const oct_trace_info info = {.isa = "thumb", .addr_bits = 32, .insn_align_bytes = 2};
    const oct_write_options options = {.format = oct_format_by_name("etmv4"), .info = &info};
    const oct_batch batch = {.insns = insns, .n_insns = 2, .map = map, .n_map = 2};
    oct_writer *w;
    oct_diag diag = {0};
    memcpy(map[1].code, second[differs], 4);
    assert_non_null(mkdtemp(folder));
    assert_int_equal(oct_writer_open(folder, &options, &w, &diag), 0);
    if (oct_writer_put(w, &batch, &diag)) fail_msg("%s", oct_diag_line(&diag).text);
    int got = oct_writer_commit(w, &diag);
    assert_int_equal(got, differs ? OCT_ERR_UNSUPPORTED : 0);
    if (differs) assert_non_null(strstr(oct_diag_line(&diag).text, "0x8000 and 0x8002"));
    static const char *const names[] = {"snapshot.ini", "trace.ini", "core.ini",
                                        "etm.ini",      "trace.bin", "memory1.bin"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
      char path[64];
      snprintf(path, sizeof path, "%s/%s", folder, names[i]);
      assert_int_equal(remove(path), differs ? -1 : 0);
    }
    assert_int_equal(remove(folder), 0);
  }
}

int main(void) {
  t = oct_tracer_find("etmv4");
  seed_random("etmv4");
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_options),
                                     cmocka_unit_test(test_overlap)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
