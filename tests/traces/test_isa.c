/* SPDX-License-Identifier: Apache-2.0 */
/* test_isa.c - are instructions described as the manuals say, and the program read from its ELF
 * file as the run shows it? */
#include "test_util.h"

#include "octrace/trace.h"
#include "octrace/map.h"

enum { L = 0, S = OCT_SLOT_STORE, REL = OCT_SLOT_PC_RELATIVE, ANY = OCT_SLOT_SIZE_UNKNOWN };

/* Instructions at 0x10000 as the assembler makes them, and what is expected of them. */
static const struct {
  oct_isa isa;
  uint8_t code[8];
  uint8_t size, cls, n_slots, slots[2], flags;
  uint64_t target;
} cases[] = {
    /* ARM: ldr r0,[pc,#8]; stmia; bl; bxne lr; vldr d0,[r1]; vpush {d8-d9} */
    {OCT_ISA_ARM, {0x08, 0x00, 0x9f, 0xe5}, 4, OCT_CLASS_OTHER, 1, {L | 2 | REL}, 0, 0},
    {OCT_ISA_ARM, {0x06, 0x00, 0xa0, 0xe8}, 4, OCT_CLASS_OTHER, 2, {S | 2, S | 2}, 0, 0},
    {OCT_ISA_ARM, {0xfe, 0xff, 0xff, 0xeb}, 4, OCT_CLASS_DIRECT_CALL, 0, {0}, 0, 0x10000},
    {OCT_ISA_ARM, {0x1e, 0xff, 0x2f, 0x11}, 4, OCT_CLASS_RETURN, 0, {0}, OCT_MAP_CONDITIONAL, 0},
    {OCT_ISA_ARM, {0x00, 0x0b, 0x91, 0xed}, 4, OCT_CLASS_OTHER, 1, {L | 3}, 0, 0},
    {OCT_ISA_ARM, {0x04, 0x8b, 0x2d, 0xed}, 4, OCT_CLASS_OTHER, 2, {S | 3, S | 3}, 0, 0},
    /* Thumb: pop {r4,pc}; ldrb; cbz; bl; bx lr; strd; beq; b; bx r3; blx r3; mov pc, lr; mov pc,
     * r3; mov r3, lr; tbb; tbh */
    {OCT_ISA_THUMB, {0x10, 0xbd}, 2, OCT_CLASS_RETURN, 2, {L | 2, L | 2}, 0, 0},
    {OCT_ISA_THUMB, {0x08, 0x78}, 2, OCT_CLASS_OTHER, 1, {L | 0}, 0, 0},
    {OCT_ISA_THUMB, {0x08, 0xb1}, 2, OCT_CLASS_COND_BRANCH, 0, {0}, 0, 0x10006},
    {OCT_ISA_THUMB, {0xff, 0xf7, 0xfe, 0xff}, 4, OCT_CLASS_DIRECT_CALL, 0, {0}, 0, 0x10000},
    {OCT_ISA_THUMB, {0x70, 0x47}, 2, OCT_CLASS_RETURN, 0, {0}, 0, 0},
    {OCT_ISA_THUMB, {0xc0, 0xe9, 0x02, 0x23}, 4, OCT_CLASS_OTHER, 2, {S | 2, S | 2}, 0, 0},
    {OCT_ISA_THUMB, {0x00, 0xd0}, 2, OCT_CLASS_COND_BRANCH, 0, {0}, 0, 0x10004},
    {OCT_ISA_THUMB, {0x00, 0xe0}, 2, OCT_CLASS_DIRECT_JUMP, 0, {0}, 0, 0x10004},
    {OCT_ISA_THUMB, {0x18, 0x47}, 2, OCT_CLASS_INDIRECT_JUMP, 0, {0}, 0, 0},
    {OCT_ISA_THUMB, {0x98, 0x47}, 2, OCT_CLASS_INDIRECT_CALL, 0, {0}, 0, 0},
    {OCT_ISA_THUMB, {0xf7, 0x46}, 2, OCT_CLASS_RETURN, 0, {0}, 0, 0},
    {OCT_ISA_THUMB, {0x9f, 0x46}, 2, OCT_CLASS_INDIRECT_JUMP, 0, {0}, 0, 0},
    {OCT_ISA_THUMB, {0x73, 0x46}, 2, OCT_CLASS_OTHER, 0, {0}, 0, 0},
    {OCT_ISA_THUMB, {0xd0, 0xe8, 0x01, 0xf0}, 4, OCT_CLASS_INDIRECT_JUMP, 1, {L | 0}, 0, 0},
    {OCT_ISA_THUMB, {0xd0, 0xe8, 0x11, 0xf0}, 4, OCT_CLASS_INDIRECT_JUMP, 1, {L | 1}, 0, 0},
    /* AArch64: ldp x29,x30,[sp],#16; strb; ldr x0,pc+8; b.ne; tbz; blr; ret; ldaxr; stlxr */
    {OCT_ISA_AARCH64, {0xfd, 0x7b, 0xc1, 0xa8}, 4, OCT_CLASS_OTHER, 2, {L | 3, L | 3}, 0, 0},
    {OCT_ISA_AARCH64, {0x20, 0x00, 0x00, 0x39}, 4, OCT_CLASS_OTHER, 1, {S | 0}, 0, 0},
    {OCT_ISA_AARCH64, {0x40, 0x00, 0x00, 0x58}, 4, OCT_CLASS_OTHER, 1, {L | 3 | REL}, 0, 0},
    {OCT_ISA_AARCH64, {0x41, 0x00, 0x00, 0x54}, 4, OCT_CLASS_COND_BRANCH, 0, {0}, 0, 0x10008},
    {OCT_ISA_AARCH64, {0x60, 0x00, 0x00, 0x36}, 4, OCT_CLASS_COND_BRANCH, 0, {0}, 0, 0x1000c},
    {OCT_ISA_AARCH64, {0x20, 0x00, 0x3f, 0xd6}, 4, OCT_CLASS_INDIRECT_CALL, 0, {0}, 0, 0},
    {OCT_ISA_AARCH64, {0xc0, 0x03, 0x5f, 0xd6}, 4, OCT_CLASS_RETURN, 0, {0}, 0, 0},
    {OCT_ISA_AARCH64, {0x20, 0xfc, 0x5f, 0x88}, 4, OCT_CLASS_OTHER, 1, {L | 2}, 0, 0},
    {OCT_ISA_AARCH64,
     {0x20, 0xfc, 0x02, 0x88},
     4,
     OCT_CLASS_OTHER,
     1,
     {S | 2},
     OCT_MAP_CONDITIONAL,
     0},
    /* RISC-V: ld a0,8(sp); sw; beq +8; jal ra,+16; ret; jalr; amoadd.w; c.lwsp; c.sd; c.j +4;
     * c.beqz; c.jr ra; c.jalr a0; c.jal (RV32) */
    {OCT_ISA_RISCV64, {0x03, 0x35, 0x81, 0x00}, 4, OCT_CLASS_OTHER, 1, {L | 3}, 0, 0},
    {OCT_ISA_RISCV64, {0x23, 0x20, 0xb5, 0x00}, 4, OCT_CLASS_OTHER, 1, {S | 2}, 0, 0},
    {OCT_ISA_RISCV64, {0x63, 0x04, 0xb5, 0x00}, 4, OCT_CLASS_COND_BRANCH, 0, {0}, 0, 0x10008},
    {OCT_ISA_RISCV64, {0xef, 0x00, 0x00, 0x01}, 4, OCT_CLASS_DIRECT_CALL, 0, {0}, 0, 0x10010},
    {OCT_ISA_RISCV64, {0x67, 0x80, 0x00, 0x00}, 4, OCT_CLASS_RETURN, 0, {0}, 0, 0},
    {OCT_ISA_RISCV64, {0xe7, 0x00, 0x05, 0x00}, 4, OCT_CLASS_INDIRECT_CALL, 0, {0}, 0, 0},
    {OCT_ISA_RISCV64, {0x2f, 0x25, 0xb5, 0x00}, 4, OCT_CLASS_OTHER, 2, {L | 2, S | 2}, 0, 0},
    {OCT_ISA_RISCV64, {0x02, 0x45}, 2, OCT_CLASS_OTHER, 1, {L | 2}, 0, 0},
    {OCT_ISA_RISCV64, {0x0c, 0xe1}, 2, OCT_CLASS_OTHER, 1, {S | 3}, 0, 0},
    {OCT_ISA_RISCV32, {0x0c, 0xe1}, 2, OCT_CLASS_OTHER, 1, {S | 2}, 0, 0},
    {OCT_ISA_RISCV64, {0x11, 0xa0}, 2, OCT_CLASS_DIRECT_JUMP, 0, {0}, 0, 0x10004},
    {OCT_ISA_RISCV64, {0x19, 0xc1}, 2, OCT_CLASS_COND_BRANCH, 0, {0}, 0, 0x10006},
    {OCT_ISA_RISCV64, {0x82, 0x80}, 2, OCT_CLASS_RETURN, 0, {0}, 0, 0},
    {OCT_ISA_RISCV64, {0x02, 0x95}, 2, OCT_CLASS_INDIRECT_CALL, 0, {0}, 0, 0},
    {OCT_ISA_RISCV32, {0x11, 0x20}, 2, OCT_CLASS_DIRECT_CALL, 0, {0}, 0, 0x10004},
    {OCT_ISA_RISCV64, {0x11, 0x20}, 2, OCT_CLASS_OTHER, 0, {0}, 0, 0},
    {OCT_ISA_RISCV64, {0x00, 0x00}, 0, OCT_CLASS_UNKNOWN, 0, {0}, 0, 0},
    /* Zcb: c.lbu, c.lhu, c.lh, c.sb, c.sh; reserved beside it; c.zext.b, c.mul */
    {OCT_ISA_RISCV64, {0x6c, 0x80}, 2, OCT_CLASS_OTHER, 1, {L | 0}, 0, 0},
    {OCT_ISA_RISCV64, {0x2c, 0x84}, 2, OCT_CLASS_OTHER, 1, {L | 1}, 0, 0},
    {OCT_ISA_RISCV32, {0x6c, 0x84}, 2, OCT_CLASS_OTHER, 1, {L | 1}, 0, 0},
    {OCT_ISA_RISCV64, {0x6c, 0x88}, 2, OCT_CLASS_OTHER, 1, {S | 0}, 0, 0},
    {OCT_ISA_RISCV32, {0x2c, 0x8c}, 2, OCT_CLASS_OTHER, 1, {S | 1}, 0, 0},
    {OCT_ISA_RISCV64, {0x6c, 0x8c}, 2, OCT_CLASS_OTHER, 0, {0}, 0, 0},
    {OCT_ISA_RISCV64, {0x2c, 0x90}, 2, OCT_CLASS_OTHER, 0, {0}, 0, 0},
    {OCT_ISA_RISCV64, {0x61, 0x9c}, 2, OCT_CLASS_OTHER, 0, {0}, 0, 0},
    {OCT_ISA_RISCV32, {0x45, 0x9c}, 2, OCT_CLASS_OTHER, 0, {0}, 0, 0},
    /* Returns from traps: mret, sret, uret, mnret, dret; wfi is none. */
    {OCT_ISA_RISCV32, {0x73, 0x00, 0x20, 0x30}, 4, OCT_CLASS_INDIRECT_JUMP, 0, {0}, 0, 0},
    {OCT_ISA_RISCV64, {0x73, 0x00, 0x20, 0x10}, 4, OCT_CLASS_INDIRECT_JUMP, 0, {0}, 0, 0},
    {OCT_ISA_RISCV64, {0x73, 0x00, 0x20, 0x00}, 4, OCT_CLASS_INDIRECT_JUMP, 0, {0}, 0, 0},
    {OCT_ISA_RISCV64, {0x73, 0x00, 0x20, 0x70}, 4, OCT_CLASS_INDIRECT_JUMP, 0, {0}, 0, 0},
    {OCT_ISA_RISCV64, {0x73, 0x00, 0x20, 0x7b}, 4, OCT_CLASS_INDIRECT_JUMP, 0, {0}, 0, 0},
    {OCT_ISA_RISCV64, {0x73, 0x00, 0x50, 0x10}, 4, OCT_CLASS_OTHER, 0, {0}, 0, 0},
    /* Jumps as E-Trace sorts them: jalr x5,x5; jalr x1,x6; swaps jalr x1,x5, jalr x5,x1 and c.jalr
     * x5; returns jalr x0,x5, jalr x6,x1 and c.jr x5; jalr x6,x7; from x0 jalr x1,16, jalr x0,-4,
     * both lengths of an address. */
    {OCT_ISA_RISCV64, {0xe7, 0x82, 0x02, 0x00}, 4, OCT_CLASS_INDIRECT_CALL, 0, {0}, 0, 0},
    {OCT_ISA_RISCV64, {0xe7, 0x00, 0x03, 0x00}, 4, OCT_CLASS_INDIRECT_CALL, 0, {0}, 0, 0},
    {OCT_ISA_RISCV64, {0xe7, 0x80, 0x02, 0x00}, 4, OCT_CLASS_INDIRECT_JUMP, 0, {0}, 0, 0},
    {OCT_ISA_RISCV64, {0xe7, 0x82, 0x00, 0x00}, 4, OCT_CLASS_INDIRECT_JUMP, 0, {0}, 0, 0},
    {OCT_ISA_RISCV64, {0x82, 0x92}, 2, OCT_CLASS_INDIRECT_JUMP, 0, {0}, 0, 0},
    {OCT_ISA_RISCV64, {0x67, 0x80, 0x02, 0x00}, 4, OCT_CLASS_RETURN, 0, {0}, 0, 0},
    {OCT_ISA_RISCV64, {0x67, 0x83, 0x00, 0x00}, 4, OCT_CLASS_RETURN, 0, {0}, 0, 0},
    {OCT_ISA_RISCV64, {0x82, 0x82}, 2, OCT_CLASS_RETURN, 0, {0}, 0, 0},
    {OCT_ISA_RISCV64, {0x67, 0x83, 0x03, 0x00}, 4, OCT_CLASS_INDIRECT_JUMP, 0, {0}, 0, 0},
    {OCT_ISA_RISCV64, {0xe7, 0x00, 0x10, 0x01}, 4, OCT_CLASS_DIRECT_CALL, 0, {0}, 0, 16},
    {OCT_ISA_RISCV64,
     {0x67, 0x00, 0xc0, 0xff},
     4,
     OCT_CLASS_DIRECT_JUMP,
     0,
     {0},
     0,
     UINT64_MAX - 3},
    {OCT_ISA_RISCV32,
     {0x67, 0x00, 0xc0, 0xff},
     4,
     OCT_CLASS_DIRECT_JUMP,
     0,
     {0},
     0,
     UINT32_MAX - 3},
    /* x86-64: push; ret; call rel32; je; jmp *rax; add [rax],ecx; lea; mov rax,[rip+0]; movsb; nop;
     * test byte [rax],1; rep stosq; repne scasb; cmovne rax,[rcx]; lock cmpxchg [rdi],edx;
     * cmpxchg16b [rdi]; stmxcsr [rdi]; fnstcw [rdi]; fstp dword [rdi]; fistp dword [rdi] */
    {OCT_ISA_X86_64, {0x55}, 1, OCT_CLASS_OTHER, 1, {S | 3}, 0, 0},
    {OCT_ISA_X86_64, {0xc3}, 1, OCT_CLASS_RETURN, 1, {L | 3}, 0, 0},
    {OCT_ISA_X86_64, {0xe8, 1, 0, 0, 0}, 5, OCT_CLASS_DIRECT_CALL, 1, {S | 3}, 0, 0x10006},
    {OCT_ISA_X86_64, {0x74, 0x02}, 2, OCT_CLASS_COND_BRANCH, 0, {0}, 0, 0x10004},
    {OCT_ISA_X86_64, {0xff, 0xe0}, 2, OCT_CLASS_INDIRECT_JUMP, 0, {0}, 0, 0},
    {OCT_ISA_X86_64, {0x01, 0x08}, 2, OCT_CLASS_OTHER, 2, {L | 2, S | 2}, 0, 0},
    {OCT_ISA_X86_64, {0x8d, 0x04, 0x08}, 3, OCT_CLASS_OTHER, 0, {0}, 0, 0},
    {OCT_ISA_X86_64, {0x48, 0x8b, 0x05}, 7, OCT_CLASS_OTHER, 1, {L | 3 | REL}, 0, 0},
    {OCT_ISA_X86_64, {0xa4}, 1, OCT_CLASS_OTHER, 2, {L | 0, S | 0}, 0, 0},
    {OCT_ISA_X86_64, {0x0f, 0x1f, 0x00}, 3, OCT_CLASS_OTHER, 0, {0}, 0, 0},
    {OCT_ISA_X86_64, {0xf6, 0x00, 0x01}, 3, OCT_CLASS_OTHER, 1, {L | 0}, 0, 0},
    {OCT_ISA_X86_64, {0xf3, 0x48, 0xab}, 3, OCT_CLASS_OTHER, 1, {S | 3}, OCT_MAP_CONDITIONAL, 0},
    {OCT_ISA_X86_64, {0xf2, 0xae}, 2, OCT_CLASS_OTHER, 1, {L | 0}, OCT_MAP_CONDITIONAL, 0},
    {OCT_ISA_X86_64, {0x48, 0x0f, 0x45, 0x01}, 4, OCT_CLASS_OTHER, 1, {L | 3}, 0, 0},
    {OCT_ISA_X86_64, {0xf0, 0x0f, 0xb1, 0x17}, 4, OCT_CLASS_OTHER, 2, {L | 2, S | 2}, 0, 0},
    {OCT_ISA_X86_64, {0x48, 0x0f, 0xc7, 0x0f}, 4, OCT_CLASS_OTHER, 2, {L | 4, S | 4}, 0, 0},
    {OCT_ISA_X86_64, {0x0f, 0xae, 0x1f}, 3, OCT_CLASS_OTHER, 1, {S | 2}, 0, 0},
    {OCT_ISA_X86_64, {0xd9, 0x3f}, 2, OCT_CLASS_OTHER, 1, {S | 1}, 0, 0},
    {OCT_ISA_X86_64, {0xd9, 0x1f}, 2, OCT_CLASS_OTHER, 1, {S | 2}, 0, 0},
    {OCT_ISA_X86_64, {0xdb, 0x1f}, 2, OCT_CLASS_OTHER, 1, {S | 2}, 0, 0},
    {OCT_ISA_X86, {0x50}, 1, OCT_CLASS_OTHER, 1, {S | 2}, 0, 0},
    /* MIPS: lw; swl; beq; b; jal; jr ra; jalr; bal; sc */
    {OCT_ISA_MIPS, {0x8f, 0xbf, 0x00, 0x1c}, 4, OCT_CLASS_OTHER, 1, {L | 2}, 0, 0},
    {OCT_ISA_MIPS, {0xa8, 0x82, 0x00, 0x00}, 4, OCT_CLASS_OTHER, 1, {S | ANY}, 0, 0},
    {OCT_ISA_MIPS, {0x10, 0x40, 0x00, 0x01}, 4, OCT_CLASS_COND_BRANCH, 0, {0}, 0, 0x10008},
    {OCT_ISA_MIPS, {0x10, 0x00, 0xff, 0xff}, 4, OCT_CLASS_DIRECT_JUMP, 0, {0}, 0, 0x10000},
    {OCT_ISA_MIPSEL, {0x10, 0x40, 0x00, 0x0c}, 4, OCT_CLASS_DIRECT_CALL, 0, {0}, 0, 0x10040},
    {OCT_ISA_MIPSEL, {0x08, 0x00, 0xe0, 0x03}, 4, OCT_CLASS_RETURN, 0, {0}, 0, 0},
    {OCT_ISA_MIPSEL, {0x09, 0xf8, 0x20, 0x03}, 4, OCT_CLASS_INDIRECT_CALL, 0, {0}, 0, 0},
    {OCT_ISA_MIPS, {0x04, 0x11, 0x00, 0x01}, 4, OCT_CLASS_DIRECT_CALL, 0, {0}, 0, 0x10008},
    {OCT_ISA_MIPS,
     {0xe0, 0x82, 0x00, 0x00},
     4,
     OCT_CLASS_OTHER,
     1,
     {S | 2},
     OCT_MAP_CONDITIONAL,
     0},
};

static void test_table(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    oct_disasm *d = oct_disasm_new(cases[i].isa);
    oct_map_entry e;
    assert_non_null(d);
    unsigned size = oct_disasm_insn(d, 0x10000, cases[i].code, sizeof cases[i].code, &e);
    if (size != cases[i].size || e.size_bytes != size || e.addr != 0x10000 ||
        e.cls != cases[i].cls || e.n_slots != cases[i].n_slots || e.slots[0] != cases[i].slots[0] ||
        e.slots[1] != cases[i].slots[1] || e.flags != cases[i].flags || e.target != cases[i].target)
      fail_msg("case %zu (%s): size %u class %u slots %u: %02x %02x flags %u target %llx", i,
               oct_isa_get(cases[i].isa)->name, size, e.cls, e.n_slots, e.slots[0], e.slots[1],
               e.flags, (unsigned long long)e.target);
    oct_disasm_free(d);
  }
}

/* An IT block is where it stands, not what is decoded next; and its condition is no size. */
static void test_it_blocks(void **state) {
  (void)state;
  static const uint8_t it_hi[] = {0x88, 0xbf}, it_hs[] = {0x28, 0xbf}, load[] = {0x08, 0x68},
                       jump[] = {0xfe, 0xe7};
  oct_disasm *d = oct_disasm_new(OCT_ISA_THUMB);
  oct_map_entry e;
  assert_non_null(d);
  for (unsigned hs = 0; hs < 2; hs++) { /* ldrhi, ldrhs */
    assert_int_equal(oct_disasm_insn(d, 0x10000, hs ? it_hs : it_hi, 2, &e), 2);
    assert_int_equal(oct_disasm_insn(d, 0x10002, load, 2, &e), 2);
    assert_int_equal(e.slots[0], 2);
    assert_int_equal(e.flags, OCT_MAP_CONDITIONAL);
  }
  assert_int_equal(oct_disasm_insn(d, 0x10000, it_hi, 2, &e), 2);
  assert_int_equal(oct_disasm_insn(d, 0x20000, jump, 2, &e), 2);
  assert_int_equal(e.cls, OCT_CLASS_DIRECT_JUMP);
  assert_int_equal(oct_disasm_insn(d, 0x10002, jump, 2, &e), 2);
  assert_int_equal(e.cls, OCT_CLASS_COND_BRANCH);
  oct_disasm_free(d);
}

/* Any bytes: a size that fits, or none. */
static void test_any_bytes(void **state) {
  (void)state;
  seed_random("any bytes");
  for (int isa = 0; isa < OCT_ISA_COUNT; isa++) {
    oct_disasm *d = oct_disasm_new((oct_isa)isa);
    for (int i = 0; i < 20000; i++) {
      if (is_left_out()) continue;
      uint8_t code[16];
      oct_map_entry e;
      size_t n = below(17);
      for (size_t k = 0; k < n; k++) code[k] = (uint8_t)random_u64();
      unsigned size = oct_disasm_insn(d, 0x10000 + below(16), code, n, &e);
      assert_true(size <= n && size <= 15 && e.size_bytes == size);
      assert_true(e.n_slots <= 64 && e.cls < OCT_CLASS_COUNT);
    }
    oct_disasm_free(d);
  }
}

static void test_names(void **state) {
  (void)state;
  for (int isa = 0; isa < OCT_ISA_COUNT; isa++)
    assert_int_equal(oct_isa_by_name(oct_isa_get((oct_isa)isa)->name), isa);
  assert_int_equal(oct_isa_by_name("rv64gc"), OCT_ISA_RISCV64);
  assert_int_equal(oct_isa_by_name("rv32imac"), OCT_ISA_RISCV32);
  assert_int_equal(oct_isa_by_name("armv5te"), OCT_ISA_ARM);
  assert_int_equal(oct_isa_by_name("arm64"), OCT_ISA_AARCH64);
  assert_int_equal(oct_isa_by_name("i686"), OCT_ISA_X86);
  assert_int_equal(oct_isa_by_name("armv8"), OCT_ERR_ARG); /* either of two */
  assert_int_equal(oct_isa_by_name("z80"), OCT_ERR_ARG);
}

/* Each instruction of a captured run, in the program: of the same size, and followed by its
 * successor or its target. */
static void run_agrees(const char *isa) {
  char elf[512], run[512];
  oct_program *p;
  oct_diag diag = {0};
  trace t;
  snprintf(elf, sizeof elf, "%s/mixed-%s.elf", TEST_DATA, isa);
  snprintf(run, sizeof run, "%s/mixed-%s.oct", TEST_DATA, isa);
  if (oct_program_open(elf, 0, &p, &diag)) fail_msg("%s", oct_diag_line(&diag).text);
  assert_int_equal(read_trace(run, NULL, &t, &diag), 0);
  size_t delay = strcmp(isa, "mips") ? 0 : 1; /* the instruction in the delay slot */
  for (size_t i = 0; i + 1 + delay < t.n_insns; i++) {
    oct_map_entry e;
    uint64_t offset, next = t.insns[i + 1 + delay].addr;
    assert_int_equal(oct_program_insn(p, t.insns[i].addr, &e), t.insns[i].size_bytes);
    uint64_t behind = e.addr + e.size_bytes + delay * 4;
    if (e.cls == OCT_CLASS_DIRECT_JUMP || e.cls == OCT_CLASS_DIRECT_CALL)
      assert_int_equal(next, e.target);
    else if (e.cls == OCT_CLASS_COND_BRANCH)
      assert_true(next == behind || next == e.target);
    else if (e.cls == OCT_CLASS_OTHER && i && !delay)
      assert_int_equal(next, behind);
    assert_non_null(oct_program_symbol(p, t.insns[i].addr, &offset));
  }
  trace_free(&t);
  oct_program_close(p);
}

static void test_programs(void **state) {
  static const char *const isas[] = {"arm", "thumb", "aarch64", "riscv64", "x86-64", "mips"};
  (void)state;
  for (size_t i = 0; i < sizeof isas / sizeof *isas; i++) run_agrees(isas[i]);
}

static void test_symbols_and_bias(void **state) {
  oct_program *p;
  oct_diag diag = {0};
  oct_map_entry e;
  uint64_t offset = 99;
  (void)state;
  assert_int_equal(oct_program_open(TEST_DATA "/mixed-thumb.elf", 0x1000000, &p, &diag), 0);
  assert_int_equal(oct_program_isa(p), OCT_ISA_ARM);
  assert_string_equal(oct_program_symbol(p, 0x1010098, &offset), "_start");
  assert_int_equal(offset, 0);
  assert_int_equal(oct_program_insn(p, 0x1010098, &e), 4); /* bl: Thumb, as the marks say */
  assert_int_equal(e.cls, OCT_CLASS_DIRECT_CALL);
  assert_null(oct_program_symbol(p, 0x10, &offset));
  assert_int_equal(oct_program_insn(p, 0x10098, &e), 0);
  oct_program_close(p);
}

/* A damaged ELF file: an error or a program, never a crash. */
static void test_damaged_elf(void **state) {
  const char *path = scratch("elf");
  size_t n;
  uint8_t *good = load(TEST_DATA "/mixed-arm.elf", &n), *p = malloc(n);
  (void)state;
  seed_random("damaged elf");
  for (int i = 0; i < 600; i++) {
    if (is_left_out()) continue;
    oct_program *program;
    oct_diag diag = {0};
    size_t size = below(3) ? n : below(n);
    memcpy(p, good, n);
    for (uint64_t k = below(8); k > 0; k--) spoil_byte(p, below(2) ? n : 64, NULL);
    save(path, p, size);
    int rc = oct_program_open(path, 0, &program, &diag);
    assert_true(rc == 0 || (rc == diag.error && diag.text[0]));
    if (!rc) {
      oct_map_entry e;
      uint64_t offset;
      for (uint64_t a = 0x10000; a < 0x10400; a += 2) {
        oct_program_insn(program, a, &e);
        oct_program_symbol(program, a, &offset);
      }
    }
    oct_program_close(program);
  }
  free(good);
  free(p);
  unlink(path);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_table),       cmocka_unit_test(test_any_bytes),
      cmocka_unit_test(test_names),       cmocka_unit_test(test_programs),
      cmocka_unit_test(test_damaged_elf), cmocka_unit_test(test_symbols_and_bias),
      cmocka_unit_test(test_it_blocks),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
