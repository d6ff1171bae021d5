/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_isa.c - any bytes as machine code of every instruction set: what is described is an entry
 * that a program map takes, and its effect valid. The first byte is the set, and for one
 * more than there are, the rest is a packed operation. */
#include "oct_fuzz.h"
#include "octrace/trace.h"
#include "oct_map_fault.h"
#include "oct_effect_file.h"

static void unpack(const uint8_t *data, size_t size) {
  const uint8_t *p = data;
  oct_effect op;
  int rc = oct_effect_unpack(&p, data + size, &op);
  if (!oct_effect_is_valid(&op) || p > data + size || (!rc && p == data)) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static oct_disasm *disasm[OCT_ISA_COUNT];
  uint64_t addr = 0x8000;
  if (!size) return 0;
  unsigned isa = data[0] % (OCT_ISA_COUNT + 1);
  if (isa == OCT_ISA_COUNT) {
    unpack(data + 1, size - 1);
    return 0;
  }
  if (!disasm[isa] && !(disasm[isa] = oct_disasm_new((oct_isa)isa))) abort();
  for (size_t at = 1, n; at < size; at += n) {
    oct_map_entry e;
    oct_map_fault fault;
    n = oct_disasm_insn(disasm[isa], addr, data + at, size - at, &e);
    if (n > size - at || e.size_bytes != n || !oct_effect_is_valid(&e.op)) abort();
    if (n && oct_map_find_fault(&e, NULL, &fault)) abort();
    if (!n) n = oct_isa_get((oct_isa)isa)->insn_align_bytes;
    addr += n;
  }
  return 0;
}
