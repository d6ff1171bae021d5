/* SPDX-License-Identifier: Apache-2.0 */
/* test_state.c - do the geometries of `shadow` keep the limits of state that docs/shadow.md gives?
 * And has each that is for a core of one instruction a cycle room in its queue for the bursts that
 * were measured there? Does a compressor keep no change of the map that it took, and does each
 * entry count what it has? */
#include "../traces/test_util.h"

#include <malloc.h>

#include "octrace/tracer.h"

extern const oct_tracer oct_tracer_shadow;
static const oct_tracer *const t = &oct_tracer_shadow;

/* What an instruction set asks for (docs/shadow.md, State). */
static const char *const a32 = "regs=16,pc_align_bits=2", *const t32 = "regs=16,pc_align_bits=1",
                         *const rv32 = "regs=32,pc_align_bits=1",
                         *const mips = "regs=32,pc_align_bits=2";

static uint64_t state_bits(const char *geometry, const char *set) {
  uint32_t params[OCT_TRACER_PARAMS_MAX];
  char text[100];
  oct_diag diag;
  oct_tracer_defaults(t, params);
  snprintf(text, sizeof text, "%s,addr_bits=32,%s", geometry, set);
  if (oct_tracer_parse(t, text, params, NULL, &diag)) fail_msg("%s", oct_diag_line(&diag).text);
  return oct_tracer_state_bits(t, params);
}

static void test_limits_of_a32(void **state) {
  (void)state;
  assert_in_range(state_bits("shadow", a32), 1, 8 * 7629);
  assert_in_range(state_bits("shadow-large", a32), 1, 8 * 24576);
  assert_in_range(state_bits("shadow-tiny", a32), 1, 8 * 1536);
}

static void test_large_on_all_of_32_bits(void **state) {
  (void)state;
  assert_in_range(state_bits("shadow-large", t32), 1, 8 * 24576);
  assert_in_range(state_bits("shadow-large", rv32), 1, 8 * 24576);
  assert_in_range(state_bits("shadow-large", mips), 1, 8 * 24576);
}

/* The fullest queue of the suite has 186 words (docs/shadow.md, Pins). */
static void test_queue_has_room(void **state) {
  static const char *const geometries[] = {"shadow", "shadow-large"};
  uint32_t params[OCT_TRACER_PARAMS_MAX];
  oct_diag diag;
  (void)state;
  for (size_t i = 0; i < sizeof geometries / sizeof *geometries; i++) {
    if (oct_tracer_parse(t, geometries[i], params, NULL, &diag))
      fail_msg("%s", oct_diag_line(&diag).text);
    assert_in_range(params[oct_tracer_param(t, "queue_words")], 186, UINT32_MAX);
  }
}

/* Each change is told before the instruction in front of its own, so that one always waits. */
static void test_taken_changes_leave(void **state) {
  enum { INSNS = 300000, ADDRS = 64, MOST_BYTES = 8 << 20 };
  const oct_run_options run = {.engine = OCT_ENGINE_UNTIMED};
  uint32_t params[OCT_TRACER_PARAMS_MAX];
  oct_diag diag;
  void *encoder;
  const uint8_t *bytes;
  (void)state;
  oct_tracer_defaults(t, params);
  assert_int_equal(t->encoder.create(params, &run, &encoder, &diag), 0);
  const struct mallinfo2 before = mallinfo2();
  for (unsigned i = 0; i < INSNS; i++) {
    const oct_insn insn = {.addr = 0x8000 + 4 * (i % ADDRS), .size_bytes = 4};
    oct_map_update updates[2];
    for (unsigned k = 0; k < 2; k++)
      updates[k] = (oct_map_update){
          i + k, {.addr = 0x8000 + 4 * ((i + k) % ADDRS), .size_bytes = 4, .cls = OCT_CLASS_OTHER}};
    const oct_tracer_input in = {
        .insns = &insn, .n_insns = 1, .updates = updates + (i > 0), .n_updates = 2 - (i > 0)};
    if (t->encoder.put(encoder, &in, &diag)) fail_msg("%s", oct_diag_line(&diag).text);
    t->encoder.take(encoder, &bytes);
  }
  const struct mallinfo2 after = mallinfo2();
  assert_in_range(after.uordblks + after.hblkhd, 0, before.uordblks + before.hblkhd + MOST_BYTES);
  t->encoder.destroy(encoder);
}

/* What the program was, at first, is in the map; no copy of its changes stays. */
static void test_program_leaves(void **state) {
  /* An entry and its plan take 260 bytes, a change 256. */
  enum { ENTRIES = 20000, MOST_BYTES = 6 << 20 };
  const oct_run_options run = {.engine = OCT_ENGINE_UNTIMED};
  uint32_t params[OCT_TRACER_PARAMS_MAX];
  oct_map_update *updates = calloc(ENTRIES, sizeof *updates);
  oct_diag diag;
  void *encoder;
  (void)state;
  assert_non_null(updates);
  for (unsigned i = 0; i < ENTRIES; i++)
    updates[i].entry =
        (oct_map_entry){.addr = 0x8000 + 4 * i, .size_bytes = 4, .cls = OCT_CLASS_OTHER};
  oct_tracer_defaults(t, params);
  assert_int_equal(t->encoder.create(params, &run, &encoder, &diag), 0);
  const struct mallinfo2 before = mallinfo2();
  const oct_insn insn = {.addr = 0x8000, .size_bytes = 4};
  const oct_tracer_input in = {
      .insns = &insn, .n_insns = 1, .updates = updates, .n_updates = ENTRIES};
  if (t->encoder.put(encoder, &in, &diag)) fail_msg("%s", oct_diag_line(&diag).text);
  const struct mallinfo2 after = mallinfo2();
  assert_in_range(after.uordblks + after.hblkhd, 0, before.uordblks + before.hblkhd + MOST_BYTES);
  t->encoder.destroy(encoder);
  free(updates);
}

/* The bits of one of each, with addresses of 32: a word of the queue, and what waits in front of
 * it. */
static void test_entries(void **state) {
  static const struct entry {
    const char *param;
    unsigned n, bits;
  } entries[] = {{"queue_words", 256, 32 + 4},
                 {"gather_insns", 16, 32 + 32 + 8},
                 {"gather_accesses", 32, 32 + 4}};
  (void)state;
  for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
    const struct entry *e = &entries[i];
    char few[40], more[40];
    snprintf(few, sizeof few, "%s=%u", e->param, e->n);
    snprintf(more, sizeof more, "%s=%u", e->param, 2 * e->n);
    assert_int_equal(state_bits("shadow", more) - state_bits("shadow", few), e->n * e->bits);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_taken_changes_leave), cmocka_unit_test(test_program_leaves),
      cmocka_unit_test(test_limits_of_a32),       cmocka_unit_test(test_large_on_all_of_32_bits),
      cmocka_unit_test(test_queue_has_room),      cmocka_unit_test(test_entries),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
