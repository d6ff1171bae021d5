/* SPDX-License-Identifier: Apache-2.0 */
/* oct_arm_state.c - is a block of an ARM program in Thumb state? The emulator does not tell.
 *
 * What follows from the bytes and from the way to the block is asked in this order:
 *   1. An instruction of 2 or 6 bytes, or at an odd halfword, is of Thumb code.
 *   2. If the thread comes from a direct branch to the block, or from the instruction before it,
 *      the state is that of this instruction; the immediate form of blx changes it.
 *   3. Else an indirect jump led here. The block is of the function of the instruction before it,
 *      if that one is known and goes on here (a call that returns).
 *   4. Else it is Thumb code if all its words begin long Thumb instructions. A word of A32 may look
 *      so, too (a branch back: 3afffff7); then T32 is right if it knows all the instructions.
 *
 * Sizes need care: behind an instruction that ends 2 bytes before the end of a page the emulator
 * looks at the next halfword, and counts it to that instruction. */
#include "oct_arm_state.h"

enum { PAGE_BYTES = 4096 };

static int is_long(const uint8_t *code) {
  return code[1] >> 3 >= 0x1d;
}

size_t oct_arm_bytes(const struct qemu_plugin_insn *insn, int is_thumb) {
  size_t n = qemu_plugin_insn_size(insn);
  if (!is_thumb || n < 2) return n;
  size_t own = is_long(qemu_plugin_insn_data(insn)) ? 4 : 2;
  return n < own ? n : own;
}

static int is_of_thumb(const oct_version *v) {
  return v->entry.code_isa == OCT_ISA_THUMB + 1;
}

/* blx to an address, in either state. */
static int changes_state(const oct_version *v) {
  if (v->code_bytes != 4) return 0;
  return is_of_thumb(v) ? v->code[1] >> 3 == 0x1e && (v->code[3] & 0xd0) == 0xc0
                        : v->code[3] >> 1 == 0x7d;
}

/* The state behind the instruction that the thread executed before, 1 for Thumb; -1: not decided.
 */
static int state_behind(const oct_version *before, uint64_t addr) {
  if (!before || !before->entry.code_isa) return -1;
  const oct_map_entry *e = &before->entry;
  switch (e->cls) {
    case OCT_CLASS_COND_BRANCH:
    case OCT_CLASS_DIRECT_JUMP:
    case OCT_CLASS_DIRECT_CALL:
      if (addr == e->target) return is_of_thumb(before) ^ changes_state(before);
      break;
    case OCT_CLASS_OTHER:
      break;
    default:
      return -1;
  }
  /* The next one, or the same once more, as the emulator starts some again. */
  return addr == e->addr || addr == e->addr + before->code_bytes ? is_of_thumb(before) : -1;
}

/* The state of the instruction that ends at addr, if it is known and goes on there, else -1. */
static int state_of_neighbour(uint64_t addr) {
  for (unsigned n = 2; n <= 4; n += 2) {
    const oct_site *s = oct_sites_find(addr - n);
    if (!s || s->versions->code_bytes != n || !s->versions->entry.code_isa) continue;
    const oct_map_entry *e = &s->versions->entry;
    if ((e->flags & OCT_MAP_CONDITIONAL) ||
        (e->cls != OCT_CLASS_RETURN && e->cls != OCT_CLASS_DIRECT_JUMP &&
         e->cls != OCT_CLASS_INDIRECT_JUMP))
      return is_of_thumb(s->versions);
  }
  return -1;
}

/* Whether all of a block's words are instructions of this decoder's set. */
static int decodes(oct_disasm *disasm, const struct qemu_plugin_tb *tb, size_t n, int is_thumb) {
  for (size_t i = 0; i < n; i++) {
    const struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
    size_t size = oct_arm_bytes(insn, is_thumb);
    oct_map_entry e;
    if (oct_disasm_insn(disasm, qemu_plugin_insn_vaddr(insn), qemu_plugin_insn_data(insn), size,
                        &e) != size)
      return 0;
  }
  return 1;
}

int oct_arm_is_thumb(const struct qemu_plugin_tb *tb, size_t n, const oct_version *before,
                     oct_disasm *thumb, oct_disasm *arm) {
  int may_be_thumb = 1, state;
  for (size_t i = 0; i < n; i++) {
    const struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
    uint64_t addr = qemu_plugin_insn_vaddr(insn);
    size_t size = qemu_plugin_insn_size(insn);
    if (size == 2 || size == 6 || addr % 4) return 1;
    /* The last one may be a short one, of which more is counted. */
    if (size != 4 || (!is_long(qemu_plugin_insn_data(insn)) && (addr + 4) % PAGE_BYTES))
      may_be_thumb = 0;
  }
  uint64_t start = qemu_plugin_insn_vaddr(qemu_plugin_tb_get_insn(tb, 0));
  if ((state = state_behind(before, start)) >= 0) return state;
  if (!may_be_thumb) return 0;
  if ((state = state_of_neighbour(start)) >= 0) return state;
  return decodes(thumb, tb, n, 1) || !decodes(arm, tb, n, 0);
}
