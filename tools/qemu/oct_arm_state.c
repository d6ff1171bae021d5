/* SPDX-License-Identifier: Apache-2.0 */
/* oct_arm_state.c - is a block of an ARM program in Thumb state? The emulator does not tell.
 *
 * It is, if it has an instruction of two bytes or at an odd halfword, or if all its words are such
 * as begin a long Thumb instruction. A word of A32 may look so, too (a branch back: 3afffff7); then
 * the code before it tells, or that it is no instruction of T32. */
#include "oct_arm_state.h"

#include "oct_sites.h"

/* Whether the instruction that ends at addr is known to be of A32, and of a kind behind which code
 * goes on: of the function that a block at addr is of, too. */
static int follows_arm(uint64_t addr) {
  const oct_site *s = oct_sites_find(addr - 4);
  if (!s || s->versions->entry.code_isa != OCT_ISA_ARM + 1) return 0;
  return s->versions->entry.cls != OCT_CLASS_RETURN &&
         s->versions->entry.cls != OCT_CLASS_DIRECT_JUMP;
}

/* Whether all of a block's words are instructions of this decoder's set. */
static int decodes(oct_disasm *disasm, const struct qemu_plugin_tb *tb, size_t n) {
  for (size_t i = 0; i < n; i++) {
    const struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
    size_t size = qemu_plugin_insn_size(insn);
    oct_map_entry e;
    if (oct_disasm_insn(disasm, qemu_plugin_insn_vaddr(insn), qemu_plugin_insn_data(insn), size,
                        &e) != size)
      return 0;
  }
  return 1;
}

int oct_arm_is_thumb(const struct qemu_plugin_tb *tb, size_t n, oct_disasm *thumb,
                     oct_disasm *arm) {
  int long_only = 1;
  for (size_t i = 0; i < n; i++) {
    const struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
    const uint8_t *code = qemu_plugin_insn_data(insn);
    size_t size = qemu_plugin_insn_size(insn);
    if (size == 2 || qemu_plugin_insn_vaddr(insn) % 4) return 1;
    if (size != 4 || code[1] >> 3 < 0x1d) long_only = 0;
  }
  return long_only && !follows_arm(qemu_plugin_insn_vaddr(qemu_plugin_tb_get_insn(tb, 0))) &&
         (decodes(thumb, tb, n) || !decodes(arm, tb, n));
}
