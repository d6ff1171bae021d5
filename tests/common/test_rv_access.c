/* SPDX-License-Identifier: Apache-2.0 */
/* test_rv_access.c - do the compressor (oct_rv_access.h) and the program map (oct_isa_riscv.c)
 * agree on the accesses of every RISC-V instruction, their kinds and sizes? All 16-bit encodings;
 * of 32-bit ones, every opcode with every funct3 and funct5, the other bits at random. The kinds,
 * load or store, follow from the opcode map of the unprivileged ISA manual, which the test writes
 * down once more. */
#include "oct_rv_access.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../test_random.h"
#include "octrace/trace.h"
#include "octrace/map.h"

enum { ROUNDS = 24 }; /* words of each opcode, funct3 and funct5 */

/* The accesses in order, a letter each: L load, S store. */
static const char *accesses_of(uint32_t word) {
  static const char *const compressed[8] = {"", "L", "L", "L", "", "S", "S", "S"};
  unsigned funct3 = word >> 12 & 7, funct5 = word >> 27;
  int is_float = funct3 >= 1 && funct3 <= 4;
  if ((word & 3) == 1) return "";
  if ((word & 0xe003) == 0x8000) { /* Zcb */
    static const char *const zcb[16] = {"L", "L", "L", "L", "S", "S", "S", "",
                                        "",  "",  "",  "",  "",  "",  "",  ""};
    return zcb[(word >> 9 & 14) | (word >> 6 & 1)];
  }
  if ((word & 3) != 3) return compressed[word >> 13 & 7];
  switch (word & 0x7f) {
    case 0x03:
      return "L";
    case 0x07:
      return is_float ? "L" : "";
    case 0x23:
      return "S";
    case 0x27:
      return is_float ? "S" : "";
    case 0x2f:
      return funct5 == 2 ? "L" : funct5 == 3 ? "S" : "LS";
    default:
      return "";
  }
}

/* Both parts say of the word what accesses_of says. */
static void check(oct_disasm *disasm, const char *isa, uint32_t word) {
  const uint8_t code[4] = {(uint8_t)word, (uint8_t)(word >> 8), (uint8_t)(word >> 16),
                           (uint8_t)(word >> 24)};
  const char *expected = accesses_of(word);
  char decoded[8] = "", said[8] = "";
  const oct_rv_access access = oct_rv_access_of(word, strcmp(isa, "RV64") == 0);
  oct_map_entry entry;
  unsigned n = 0;
  int is_known = oct_disasm_insn(disasm, 0x1000, code, sizeof code, &entry) != 0;
  for (; is_known && n < entry.n_slots && n < sizeof decoded - 1; n++)
    decoded[n] = entry.slots[n] & OCT_SLOT_STORE ? 'S' : 'L';
  decoded[n] = '\0';
  snprintf(said, sizeof said, "%s%s", access.loads ? "L" : "", access.stores ? "S" : "");
  /* Longer instructions than 32 bits, and the word that is 0, are none. */
  int is_insn = (word & 3) == 3 ? (word & 0x1c) != 0x1c : (word & 0xffff) != 0;
  if (is_known != is_insn || (is_known && strcmp(decoded, expected) != 0) ||
      strcmp(said, expected) != 0)
    fail_msg("%s, word 0x%08x: manual '%s', program map '%s', compressor '%s'", isa, (unsigned)word,
             expected, is_known ? decoded : "unknown", said);
  for (unsigned i = 0; i < n; i++)
    if ((entry.slots[i] & OCT_SLOT_SIZE_MASK) != access.size_log2)
      fail_msg("%s, word 0x%08x: size of access %u in the program map 2^%u, compressor 2^%u", isa,
               (unsigned)word, i, entry.slots[i] & OCT_SLOT_SIZE_MASK, access.size_log2);
}

static void test_all(oct_isa isa, const char *name) {
  oct_disasm *disasm = oct_disasm_new(isa);
  assert_non_null(disasm);
  for (uint32_t word = 0; word <= UINT16_MAX; word++)
    if ((word & 3) != 3) check(disasm, name, word | (uint32_t)random_u64() << 16);
  for (uint32_t i = 0; i < 32 * 8 * 32 * ROUNDS; i++) {
    uint32_t opcode = i & 31, funct3 = i >> 5 & 7, funct5 = i >> 8 & 31;
    check(disasm, name,
          ((uint32_t)random_u64() & 0x07ff8f80) | funct5 << 27 | funct3 << 12 | opcode << 2 | 3);
  }
  oct_disasm_free(disasm);
}

static void test_rv32(void **state) {
  (void)state;
  test_all(OCT_ISA_RISCV32, "RV32");
}

static void test_rv64(void **state) {
  (void)state;
  test_all(OCT_ISA_RISCV64, "RV64");
}

int main(void) {
  seed_random("test_rv_access");
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_rv32), cmocka_unit_test(test_rv64)};
  return cmocka_run_group_tests_name("test_rv_access", tests, NULL, NULL);
}
