/* SPDX-License-Identifier: Apache-2.0 */
/* test_map.c - does the program map find its entries, and does the tracker keep one that explains
 * the trace? */
#include "test_util.h"

#include "octrace/map.h"

static void test_map(void **state) {
  oct_map *map = oct_map_new();
  (void)state;
  for (uint64_t i = 0; i < 10000; i++) {
    oct_map_entry e = {.addr = 0x8000 + 4 * i, .size_bytes = 4};
    assert_int_equal(oct_map_put(map, &e), i);
  }
  assert_int_equal(oct_map_count(map), 10000);
  for (uint32_t i = 0; i < 10000; i++) {
    assert_int_equal(oct_map_find(map, 0x8000 + 4 * (uint64_t)i), i);
    assert_int_equal(oct_map_next(map, i), i < 9999 ? i + 1 : UINT32_MAX);
  }
  assert_int_equal(oct_map_find(map, 0x8001), UINT32_MAX);
  /* Another size, another follower; a missing follower is found once it is there. */
  oct_map_entry e = {.addr = 0x8000, .size_bytes = 8};
  assert_int_equal(oct_map_put(map, &e), 0);
  assert_int_equal(oct_map_next(map, 0), 2);
  e = (oct_map_entry){.addr = 0x8000 + 40000, .size_bytes = 4};
  assert_int_equal(oct_map_put(map, &e), 10000);
  assert_int_equal(oct_map_next(map, 9999), 10000);
  oct_map_free(map);
}

static int64_t track(oct_map_tracker *t, oct_insn *insn, const oct_access *a,
                     const oct_map_update **updates) {
  oct_batch b = {.insns = insn, .n_insns = 1, .accesses = a, .n_accesses = insn->n_access};
  return oct_map_track(t, &b, insn, updates);
}

static void test_tracker(void **state) {
  oct_map_tracker *t = oct_map_tracker_new();
  const oct_map_update *u;
  oct_access load = {0x100, 4, 0, 0}, store = {0x100, 8, 1, 0}, both[2] = {load, store};
  oct_insn insn = {.addr = 0x8000, .size_bytes = 4, .n_access = 1};
  (void)state;
  /* New: one slot, all made. */
  assert_int_equal(track(t, &insn, &load, &u), 1);
  assert_int_equal(u[0].from_insn, 0);
  assert_int_equal(u[0].entry.cls, OCT_CLASS_UNKNOWN);
  assert_int_equal(u[0].entry.n_slots, 1);
  assert_int_equal(u[0].entry.slots[0], 2);
  assert_int_equal(insn.flags & OCT_INSN_END, 0);
  /* Seen before; then without its access, which needs a terminator and a version, but once. */
  assert_int_equal(track(t, &insn, &load, &u), 0);
  insn.n_access = 0;
  assert_int_equal(track(t, &insn, NULL, &u), 1);
  assert_int_equal(u[0].from_insn, 2);
  assert_int_equal(u[0].entry.flags, OCT_MAP_CONDITIONAL);
  assert_int_equal(u[0].entry.n_slots, 1);
  assert_int_equal(insn.flags & OCT_INSN_END, OCT_INSN_END);
  assert_int_equal(track(t, &insn, NULL, &u), 0);
  /* Another kind, then more accesses. */
  insn.n_access = 1;
  assert_int_equal(track(t, &insn, &store, &u), 1);
  assert_int_equal(u[0].from_insn, 4);
  assert_int_equal(u[0].entry.slots[0], OCT_SLOT_STORE | 3);
  assert_int_equal(insn.flags & OCT_INSN_END, 0);
  insn.n_access = 2;
  assert_int_equal(track(t, &insn, both, &u), 1);
  assert_int_equal(u[0].entry.n_slots, 2);
  assert_int_equal(u[0].entry.slots[0], 2);
  assert_int_equal(u[0].entry.slots[1], OCT_SLOT_STORE | 3);
  /* Another size starts afresh. */
  insn.n_access = 0;
  insn.size_bytes = 2;
  assert_int_equal(track(t, &insn, NULL, &u), 1);
  assert_int_equal(u[0].entry.n_slots, 0);
  insn.size_bytes = 0;
  assert_int_equal(track(t, &insn, NULL, &u), OCT_ERR_LIMIT);
  oct_map_tracker_free(t);
}

/* A size that is no power of two is one that the map cannot tell, as a decoder says of it. */
static void test_tracker_odd_sizes(void **state) {
  oct_insn insn = {.addr = 0x8000, .size_bytes = 2, .n_access = 1};
  (void)state;
  for (unsigned bytes = 0; bytes <= 128; bytes++) {
    oct_map_tracker *t = oct_map_tracker_new();
    const oct_map_update *u;
    const oct_access load = {0x100, (uint8_t)bytes, 0, 0};
    const oct_map_entry told = {.addr = 0x8002,
                                .size_bytes = 2,
                                .cls = OCT_CLASS_OTHER,
                                .n_slots = 1,
                                .slots = {OCT_SLOT_SIZE_UNKNOWN}};
    const bool is_power = __builtin_popcount(bytes) == 1 && bytes <= 64;
    insn.addr = 0x8000;
    assert_int_equal(track(t, &insn, &load, &u), 1);
    if (is_power)
      assert_int_equal(1u << u[0].entry.slots[0], bytes);
    else
      assert_int_equal(u[0].entry.slots[0], OCT_SLOT_SIZE_UNKNOWN);
    insn.addr = told.addr;
    oct_batch b = {
        .insns = &insn, .n_insns = 1, .accesses = &load, .n_accesses = 1, .map = &told, .n_map = 1};
    assert_int_equal(oct_map_track(t, &b, &insn, &u), is_power ? 2 : 1);
    oct_map_tracker_free(t);
  }
}

/* The program says one access. Once the emulator writes a signal's frame, so that the instruction
 * has three; then it has one again. That holds for some signals, then its number is left open. */
static void test_tracker_grown(void **state) {
  oct_map_tracker *t = oct_map_tracker_new();
  const oct_map_update *u;
  const oct_access frame[3] = {{0x100, 8, 0, 0}, {0x200, 2, 1, 0}, {0x208, 8, 1, 0}};
  oct_map_entry told = {
      .addr = 0x8000, .size_bytes = 1, .cls = OCT_CLASS_RETURN, .n_slots = 1, .slots = {3}};
  oct_insn insn = {.addr = 0x8000, .size_bytes = 1, .n_access = 1};
  (void)state;
  oct_batch b = {.insns = &insn, .n_insns = 1, .accesses = frame, .n_accesses = 1};
  b.map = &told;
  b.n_map = 1;
  assert_int_equal(oct_map_track(t, &b, &insn, &u), 1);
  unsigned n_back = 0;
  for (unsigned i = 0; i < 40; i++) {
    insn.n_access = 3;
    int64_t n = track(t, &insn, frame, &u);
    if (n) assert_int_equal(u[0].entry.n_slots, 3);
    insn.n_access = 1;
    n = track(t, &insn, frame, &u);
    if (!n) continue;
    assert_int_equal(n, 1);
    if (!(u[0].entry.flags & OCT_MAP_VARIABLE)) {
      assert_memory_equal(&u[0].entry, &told, sizeof told);
      assert_int_equal(insn.flags & OCT_INSN_END, 0);
      n_back++;
    }
    assert_int_equal(track(t, &insn, frame, &u), 0);
  }
  assert_int_equal(n_back, 15);
  assert_int_equal(insn.flags & OCT_INSN_END, OCT_INSN_END);
  /* Fewer than the program says are none of this. */
  insn.n_access = 0;
  assert_int_equal(track(t, &insn, NULL, &u), 0);
  oct_map_tracker_free(t);
}

static void test_tracker_many(void **state) {
  static oct_access accesses[300];
  oct_map_tracker *t = oct_map_tracker_new();
  const oct_map_update *u;
  oct_insn insn = {.addr = 0x8000, .size_bytes = 4, .n_access = 255};
  (void)state;
  for (int i = 0; i < 300; i++) accesses[i] = (oct_access){(uint64_t)i, 0, 0, 0};
  assert_int_equal(track(t, &insn, accesses, &u), 1);
  assert_int_equal(u[0].entry.n_slots, 255);
  assert_int_equal(u[0].entry.flags, 0);
  insn.n_access = 300;
  assert_int_equal(track(t, &insn, accesses, &u), 1);
  assert_int_equal(u[0].entry.flags, OCT_MAP_VARIABLE);
  assert_int_equal(insn.flags & OCT_INSN_END, OCT_INSN_END);
  assert_int_equal(track(t, &insn, accesses, &u), 0);
  oct_map_tracker_free(t);
}

/* From the 15th access on two slots take turns, as the loads and stores of `rep movs` do. */
static void test_tracker_turns(void **state) {
  static oct_access accesses[19];
  oct_map_tracker *t = oct_map_tracker_new();
  const oct_map_update *u;
  oct_insn insn = {.addr = 0x8000, .size_bytes = 2, .n_access = 19};
  (void)state;
  for (unsigned i = 0; i < 19; i++)
    accesses[i] = (oct_access){i, (uint8_t)(i & 1 ? 4 : 8), (uint8_t)(i & 1), 0};
  assert_int_equal(track(t, &insn, accesses, &u), 1);
  assert_int_equal(u[0].entry.n_slots, 19);
  assert_int_equal(u[0].entry.slots[14], 3);
  assert_int_equal(u[0].entry.slots[15], OCT_SLOT_STORE | 2);
  assert_int_equal(track(t, &insn, accesses, &u), 0);
  /* Access 16 is not as slot 14 says: what continues the entry tells it. */
  accesses[16].is_store = 1;
  assert_int_equal(track(t, &insn, accesses, &u), 2);
  assert_int_equal(u[0].from_insn, 2);
  assert_int_equal(u[0].entry.slots[14], 3);
  assert_int_equal(u[1].from_insn, 2);
  assert_int_equal(u[1].entry.flags, OCT_MAP_CONTINUES);
  assert_int_equal(u[1].entry.target, 16);
  assert_int_equal(u[1].entry.n_slots, 1);
  assert_int_equal(u[1].entry.slots[0], OCT_SLOT_STORE | 3);
  assert_int_equal(track(t, &insn, accesses, &u), 0);
  /* All the other way round is another version. */
  for (unsigned i = 0; i < 19; i++) accesses[i].is_store = !(i & 1);
  assert_int_equal(track(t, &insn, accesses, &u), 2);
  assert_int_equal(u[0].entry.slots[14], OCT_SLOT_STORE | 3);
  assert_int_equal(u[0].entry.slots[15], 2);
  oct_map_tracker_free(t);
}

/* Any number of accesses of any kinds, other ones each time: the updates rebuild a map that says
 * of each access what it is, and told again they change nothing. */
static void test_any_kinds(void **state) {
  enum { ACCESSES = 700 };
  static oct_access accesses[ACCESSES];
  oct_map_tracker *t = oct_map_tracker_new();
  oct_map *map = oct_map_new();
  const oct_map_update *u;
  (void)state;
  seed_random("any kinds");
  for (unsigned round = 0; round < 500; round++) {
    static oct_map_entry again[2 + ACCESSES / OCT_SLOTS_MAX];
    unsigned n = below(round % 10 ? 60 : ACCESSES), other = 1 + below(40);
    oct_insn insn = {.addr = 0x8000 + 4 * below(3), .size_bytes = 4, .n_access = (uint16_t)n};
    for (unsigned i = 0; i < n; i++)
      if (!round || !below(other)) {
        accesses[i] = (oct_access){i, (uint8_t)(below(8) ? 1u << below(7) : 0), 0, 0};
        accesses[i].is_store = below(2) != 0;
      }
    int64_t n_updates = track(t, &insn, accesses, &u);
    assert_true(n_updates >= 0);
    for (int64_t i = 0; i < n_updates; i++) {
      assert_int_equal(u[i].from_insn, round);
      assert_true(oct_map_put(map, &u[i].entry) >= 0);
      again[i] = u[i].entry;
    }
    const oct_map_head *e = oct_map_at(map, oct_map_find(map, insn.addr));
    assert_true(n <= e->n_slots || e->flags & OCT_MAP_VARIABLE);
    for (unsigned i = 0; i < n; i++) {
      unsigned slot = oct_map_slot(map, e, i), size = slot & OCT_SLOT_SIZE_MASK;
      assert_int_equal(size == OCT_SLOT_SIZE_UNKNOWN ? 0 : 1u << size, accesses[i].size_bytes);
      assert_int_equal((slot & OCT_SLOT_STORE) != 0, accesses[i].is_store);
    }
    oct_batch batch = {.map = again, .n_map = (size_t)n_updates};
    assert_int_equal(oct_map_track(t, &batch, NULL, &u), 0);
  }
  oct_map_free(map);
  oct_map_tracker_free(t);
}

/* What continues an entry must begin where that ends. */
static void test_continues(void **state) {
  oct_map *map = oct_map_new();
  oct_map_entry e = {.addr = 0x8000, .size_bytes = 4, .n_slots = 40};
  oct_map_entry more = {.addr = 0x8000,
                        .size_bytes = 4,
                        .target = 16,
                        .n_slots = 2,
                        .slots = {3, 4},
                        .flags = OCT_MAP_CONTINUES};
  (void)state;
  e.slots[14] = 1;
  e.slots[15] = 2;
  assert_int_equal(oct_map_put(map, &more), OCT_ERR_MAP);
  assert_int_equal(oct_map_put(map, &e), 0);
  more.target = 17;
  assert_int_equal(oct_map_put(map, &more), OCT_ERR_MAP);
  more.target = 16;
  more.n_slots = 17;
  assert_int_equal(oct_map_put(map, &more), OCT_ERR_MAP);
  more.n_slots = 0;
  assert_int_equal(oct_map_put(map, &more), OCT_ERR_MAP);
  more.n_slots = 2;
  assert_int_equal(oct_map_put(map, &more), 0);
  assert_int_equal(oct_map_put(map, &more), OCT_ERR_MAP);
  static const uint8_t want[] = {1, 2, 3, 4, 1, 2};
  for (unsigned s = 14; s < 20; s++)
    assert_int_equal(oct_map_slot(map, oct_map_at(map, 0), s), want[s - 14]);
  assert_int_equal(oct_map_put(map, &e), 0);
  assert_int_equal(oct_map_slot(map, oct_map_at(map, 0), 16), 1);
  assert_int_equal(oct_map_put(map, &more), 0);
  oct_map_free(map);
}

/* Entries that come with the batch are there before its first instruction. */
static void test_tracker_batch_map(void **state) {
  oct_map_tracker *t = oct_map_tracker_new();
  const oct_map_update *u;
  oct_map_entry e = {.addr = 0x8000,
                     .size_bytes = 4,
                     .cls = OCT_CLASS_OTHER,
                     .n_slots = 1,
                     .slots = {2 | OCT_SLOT_PC_RELATIVE},
                     .flags = OCT_MAP_CONDITIONAL};
  oct_access load = {0x100, 4, 0, 0};
  oct_insn insn = {.addr = 0x8000, .size_bytes = 4, .n_access = 1};
  oct_batch b = {
      .insns = &insn, .n_insns = 1, .accesses = &load, .n_accesses = 1, .map = &e, .n_map = 1};
  (void)state;
  assert_int_equal(oct_map_track(t, &b, &insn, &u), 1);
  assert_int_equal(u[0].entry.cls, OCT_CLASS_OTHER);
  assert_int_equal(oct_map_track(t, &b, &insn, &u), 0);
  /* What the reader knew is kept in a new version. */
  load.size_bytes = 8;
  b.n_map = 0;
  assert_int_equal(oct_map_track(t, &b, &insn, &u), 1);
  assert_int_equal(u[0].entry.slots[0], 3 | OCT_SLOT_PC_RELATIVE);
  assert_int_equal(u[0].entry.flags, OCT_MAP_CONDITIONAL);
  oct_map_tracker_free(t);
}

/* Tools report fewer accesses than a program says: a pair as one of both widths. And a number that
 * goes up and down, as of a gather, is left open. */
static void test_tracker_tools(void **state) {
  const oct_map_update *u;
  oct_access access[4] = {{0x1000, 32, 1, 0}};
  oct_insn insn = {.addr = 0x8000, .size_bytes = 4, .n_access = 1};
  oct_map_entry e = {.addr = 0x8000,
                     .size_bytes = 4,
                     .cls = OCT_CLASS_OTHER,
                     .n_slots = 2,
                     .slots = {4 | OCT_SLOT_STORE, 4 | OCT_SLOT_STORE}};
  (void)state;
  for (unsigned bytes = 32; bytes >= 16; bytes /= 2) { /* of another size, and of the same */
    oct_map_tracker *t = oct_map_tracker_new();
    oct_batch b = {
        .insns = &insn, .n_insns = 1, .accesses = access, .n_accesses = 1, .map = &e, .n_map = 1};
    access[0].size_bytes = (uint8_t)bytes;
    assert_int_equal(oct_map_track(t, &b, &insn, &u), 2);
    assert_int_equal(u[1].entry.n_slots, 1);
    assert_int_equal(u[1].entry.slots[0], (bytes == 32 ? 5 : 4) | OCT_SLOT_STORE);
    assert_int_equal(u[1].entry.flags, 0);
    assert_int_equal(insn.flags & OCT_INSN_END, 0);
    for (int i = 0; i < 20; i++) {
      assert_int_equal(track(t, &insn, access, &u), 0);
      assert_int_equal(insn.flags & OCT_INSN_END, 0);
    }
    oct_map_tracker_free(t);
  }
  /* An instruction without accesses in a trace that has none. */
  oct_map_tracker *t = oct_map_tracker_new();
  insn.n_access = 0;
  oct_batch b = {.insns = &insn, .n_insns = 1, .map = &e, .n_map = 1};
  assert_int_equal(oct_map_track(t, &b, &insn, &u), 2);
  assert_int_equal(u[1].entry.n_slots, 0);
  oct_map_tracker_free(t);
  /* But hardware knows by its bytes that it may make one. */
  t = oct_map_tracker_new();
  oct_map_tracker_keep_counts(t);
  for (unsigned i = 0; i < 20; i++) {
    assert_int_equal(oct_map_track(t, &b, &insn, &u), i ? 0 : 1);
    assert_int_equal(insn.flags & OCT_INSN_END, OCT_INSN_END);
  }
  assert_int_equal(oct_map_at(oct_map_tracker_map(t), 0)->n_slots, 2);
  oct_map_tracker_free(t);
  /* A conditional one keeps what the program says. */
  t = oct_map_tracker_new();
  e.flags = OCT_MAP_CONDITIONAL;
  assert_int_equal(oct_map_track(t, &b, &insn, &u), 1);
  assert_int_equal(insn.flags & OCT_INSN_END, OCT_INSN_END);
  oct_map_tracker_free(t);
  t = oct_map_tracker_new();
  e.flags = 0;
  for (unsigned i = 0; i < 4; i++) access[i] = (oct_access){0x1000 + 8 * i, 8, 0, 0};
  e.n_slots = 4;
  for (unsigned i = 0; i < 4; i++) e.slots[i] = 3;
  b = (oct_batch){
      .insns = &insn, .n_insns = 1, .accesses = access, .n_accesses = 4, .map = &e, .n_map = 1};
  insn.n_access = 4;
  assert_int_equal(oct_map_track(t, &b, &insn, &u), 1);
  int64_t updates = 0;
  for (unsigned i = 0; i < 40; i++) {
    insn.n_access = (uint16_t)(1 + i % 3);
    updates += track(t, &insn, access, &u);
  }
  assert_int_equal(updates, 1);
  insn.n_access = 4;
  assert_int_equal(track(t, &insn, access, &u), 0);
  assert_int_equal(insn.flags & OCT_INSN_END, OCT_INSN_END);
  oct_map_tracker_free(t);
}

/* A lean map has what a full one has, also when more effects have come than it can keep. */
static void test_lean(void **state) {
  enum { ADDRS = 1500, PUTS = 60000 };
  (void)state;
  seed_random("lean");
  for (unsigned kinds = 3; kinds <= 1u << 20; kinds = kinds * kinds + 1) {
    oct_map *full = oct_map_new(), *lean = oct_map_new_lean();
    for (unsigned i = 0; i < PUTS; i++) {
      oct_map_entry e = {.addr = 4 * (random_u64() % ADDRS), .size_bytes = 4, .cls = i % 8};
      e.code_isa = 1;
      e.code[0] = (uint8_t)i;
      e.op.imm = random_u64() % kinds;
      e.op.flags = e.op.imm ? OCT_EFFECT_KNOWN : 0;
      assert_int_equal(oct_map_put(full, &e), oct_map_put(lean, &e));
    }
    assert_int_equal(oct_map_count(full), oct_map_count(lean));
    for (uint32_t id = 0; id < oct_map_count(full); id++) {
      oct_map_entry e, of_full;
      oct_map_get(lean, id, &e);
      oct_map_get(full, id, &of_full);
      assert_memory_equal(&e, oct_map_entry_at(full, id), sizeof e);
      assert_ptr_equal(oct_map_at(full, id), &oct_map_entry_at(full, id)->head);
      assert_null(oct_map_entry_at(lean, id)); /* it has no effect there */
      assert_memory_equal(&e, &of_full, sizeof e);
      assert_memory_equal(oct_map_effect(lean, id), oct_map_effect(full, id), sizeof e.op);
      assert_int_equal(oct_map_at(lean, id)->code[0], e.code[0]);
      assert_int_equal(oct_map_next(lean, id), oct_map_next(full, id));
    }
    oct_map_free(full);
    oct_map_free(lean);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_map),
      cmocka_unit_test(test_lean),
      cmocka_unit_test(test_tracker),
      cmocka_unit_test(test_tracker_grown),
      cmocka_unit_test(test_tracker_many),
      cmocka_unit_test(test_tracker_turns),
      cmocka_unit_test(test_any_kinds),
      cmocka_unit_test(test_tracker_tools),
      cmocka_unit_test(test_continues),
      cmocka_unit_test(test_tracker_batch_map),
      cmocka_unit_test(test_tracker_odd_sizes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
