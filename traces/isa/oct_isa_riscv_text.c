/* SPDX-License-Identifier: Apache-2.0 */
/* oct_isa_riscv_text.c - RISC-V instructions as assembly: RV32 and RV64 with the extensions G, C,
 * Zicsr, Zba, Zbb, Zbs and Zcb, after the unprivileged ISA manual (20191213).
 *
 * A row of the table is a pattern of bits and a text with places for operands, named by a letter
 * (operand). The first row that fits wins, so that the usual short forms stand before the general
 * ones. */
#include "oct_isa_text.h"
#include "oct_mask.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char x_names[32][5] = {"zero", "ra", "sp",  "gp",  "tp", "t0", "t1", "t2",
                                    "s0",   "s1", "a0",  "a1",  "a2", "a3", "a4", "a5",
                                    "a6",   "a7", "s2",  "s3",  "s4", "s5", "s6", "s7",
                                    "s8",   "s9", "s10", "s11", "t3", "t4", "t5", "t6"};
static const char f_names[32][5] = {"ft0", "ft1", "ft2",  "ft3",  "ft4", "ft5", "ft6",  "ft7",
                                    "fs0", "fs1", "fa0",  "fa1",  "fa2", "fa3", "fa4",  "fa5",
                                    "fa6", "fa7", "fs2",  "fs3",  "fs4", "fs5", "fs6",  "fs7",
                                    "fs8", "fs9", "fs10", "fs11", "ft8", "ft9", "ft10", "ft11"};

static const struct {
  uint16_t number;
  const char *name;
} csrs[] = {
    {0x001, "fflags"},     {0x002, "frm"},      {0x003, "fcsr"},          {0x008, "vstart"},
    {0x100, "sstatus"},    {0x104, "sie"},      {0x105, "stvec"},         {0x106, "scounteren"},
    {0x140, "sscratch"},   {0x141, "sepc"},     {0x142, "scause"},        {0x143, "stval"},
    {0x144, "sip"},        {0x180, "satp"},     {0x300, "mstatus"},       {0x301, "misa"},
    {0x302, "medeleg"},    {0x303, "mideleg"},  {0x304, "mie"},           {0x305, "mtvec"},
    {0x306, "mcounteren"}, {0x310, "mstatush"}, {0x320, "mcountinhibit"}, {0x340, "mscratch"},
    {0x341, "mepc"},       {0x342, "mcause"},   {0x343, "mtval"},         {0x344, "mip"},
    {0x3a0, "pmpcfg0"},    {0x3b0, "pmpaddr0"}, {0x7b0, "dcsr"},          {0x7b1, "dpc"},
    {0xb00, "mcycle"},     {0xb02, "minstret"}, {0xc00, "cycle"},         {0xc01, "time"},
    {0xc02, "instret"},    {0xc20, "vl"},       {0xc21, "vtype"},         {0xc22, "vlenb"},
    {0xf11, "mvendorid"},  {0xf12, "marchid"},  {0xf13, "mimpid"},        {0xf14, "mhartid"}};

enum { BOTH = 0, RV32 = 1, RV64 = 2 };

typedef struct form {
  uint32_t match, mask;
  uint8_t only; /* RV32, RV64 */
  const char *text;
} form;

// clang-format off
static const form long_forms[] = {
    {0x00000013, 0xffffffff, BOTH, "nop"},
    {0x00008067, 0xffffffff, BOTH, "ret"},
    {0x00000073, 0xffffffff, BOTH, "ecall"},
    {0x00100073, 0xffffffff, BOTH, "ebreak"},
    {0x10200073, 0xffffffff, BOTH, "sret"},
    {0x30200073, 0xffffffff, BOTH, "mret"},
    {0x7b200073, 0xffffffff, BOTH, "dret"},
    {0x10500073, 0xffffffff, BOTH, "wfi"},
    {0x12000073, 0xffffffff, BOTH, "sfence.vma"},
    {0x12000073, 0xfe007fff, BOTH, "sfence.vma %s,%t"},
    {0x0ff0000f, 0xffffffff, BOTH, "fence"},
    {0x0000100f, 0x0000707f, BOTH, "fence.i"},
    {0x8330000f, 0xfff0707f, BOTH, "fence.tso"},
    {0x0000000f, 0x0000707f, BOTH, "fence %f"},
    {0x00000037, 0x0000007f, BOTH, "lui %d,%u"},
    {0x00000017, 0x0000007f, BOTH, "auipc %d,%u"},
    {0x0000006f, 0x00000fff, BOTH, "j %j"},
    {0x000000ef, 0x00000fff, BOTH, "jal %j"},
    {0x0000006f, 0x0000007f, BOTH, "jal %d,%j"},
    {0x00000067, 0xfff07fff, BOTH, "jr %s"},
    {0x00000067, 0x00007fff, BOTH, "jr %i(%s)"},
    {0x000000e7, 0xfff07fff, BOTH, "jalr %s"},
    {0x000000e7, 0x00007fff, BOTH, "jalr %i(%s)"},
    {0x00000067, 0x0000707f, BOTH, "jalr %d,%i(%s)"},
    {0x00000063, 0x01f0707f, BOTH, "beqz %s,%b"},
    {0x00001063, 0x01f0707f, BOTH, "bnez %s,%b"},
    {0x00004063, 0x01f0707f, BOTH, "bltz %s,%b"},
    {0x00005063, 0x01f0707f, BOTH, "bgez %s,%b"},
    {0x00004063, 0x000ff07f, BOTH, "bgtz %t,%b"},
    {0x00005063, 0x000ff07f, BOTH, "blez %t,%b"},
    {0x00000063, 0x0000707f, BOTH, "beq %s,%t,%b"},
    {0x00001063, 0x0000707f, BOTH, "bne %s,%t,%b"},
    {0x00004063, 0x0000707f, BOTH, "blt %s,%t,%b"},
    {0x00005063, 0x0000707f, BOTH, "bge %s,%t,%b"},
    {0x00006063, 0x0000707f, BOTH, "bltu %s,%t,%b"},
    {0x00007063, 0x0000707f, BOTH, "bgeu %s,%t,%b"},
    {0x00000003, 0x0000707f, BOTH, "lb %d,%i(%s)"},
    {0x00001003, 0x0000707f, BOTH, "lh %d,%i(%s)"},
    {0x00002003, 0x0000707f, BOTH, "lw %d,%i(%s)"},
    {0x00003003, 0x0000707f, RV64, "ld %d,%i(%s)"},
    {0x00004003, 0x0000707f, BOTH, "lbu %d,%i(%s)"},
    {0x00005003, 0x0000707f, BOTH, "lhu %d,%i(%s)"},
    {0x00006003, 0x0000707f, RV64, "lwu %d,%i(%s)"},
    {0x00000023, 0x0000707f, BOTH, "sb %t,%o(%s)"},
    {0x00001023, 0x0000707f, BOTH, "sh %t,%o(%s)"},
    {0x00002023, 0x0000707f, BOTH, "sw %t,%o(%s)"},
    {0x00003023, 0x0000707f, RV64, "sd %t,%o(%s)"},
    {0x00001007, 0x0000707f, BOTH, "flh %D,%i(%s)"},
    {0x00002007, 0x0000707f, BOTH, "flw %D,%i(%s)"},
    {0x00003007, 0x0000707f, BOTH, "fld %D,%i(%s)"},
    {0x00004007, 0x0000707f, BOTH, "flq %D,%i(%s)"},
    {0x00001027, 0x0000707f, BOTH, "fsh %T,%o(%s)"},
    {0x00002027, 0x0000707f, BOTH, "fsw %T,%o(%s)"},
    {0x00003027, 0x0000707f, BOTH, "fsd %T,%o(%s)"},
    {0x00004027, 0x0000707f, BOTH, "fsq %T,%o(%s)"},
    {0x00000013, 0x000ff07f, BOTH, "li %d,%i"},
    {0x00000013, 0xfff0707f, BOTH, "mv %d,%s"},
    {0x00000013, 0x0000707f, BOTH, "addi %d,%s,%i"},
    {0x60001013, 0xfff0707f, BOTH, "clz %d,%s"},
    {0x60101013, 0xfff0707f, BOTH, "ctz %d,%s"},
    {0x60201013, 0xfff0707f, BOTH, "cpop %d,%s"},
    {0x60401013, 0xfff0707f, BOTH, "sext.b %d,%s"},
    {0x60501013, 0xfff0707f, BOTH, "sext.h %d,%s"},
    {0x28005013, 0xfff0707f, BOTH, "orc.b %d,%s"},
    {0x28705013, 0xfff0707f, BOTH, "orc.b %d,%s"},
    {0x6b805013, 0xfff0707f, RV64, "rev8 %d,%s"},
    {0x69805013, 0xfff0707f, RV32, "rev8 %d,%s"},
    {0x00001013, 0xfc00707f, BOTH, "slli %d,%s,%h"},
    {0x00005013, 0xfc00707f, BOTH, "srli %d,%s,%h"},
    {0x40005013, 0xfc00707f, BOTH, "srai %d,%s,%h"},
    {0x60005013, 0xfc00707f, BOTH, "rori %d,%s,%h"},
    {0x48001013, 0xfc00707f, BOTH, "bclri %d,%s,%h"},
    {0x48005013, 0xfc00707f, BOTH, "bexti %d,%s,%h"},
    {0x68001013, 0xfc00707f, BOTH, "binvi %d,%s,%h"},
    {0x28001013, 0xfc00707f, BOTH, "bseti %d,%s,%h"},
    {0x00002013, 0x0000707f, BOTH, "slti %d,%s,%i"},
    {0x00103013, 0xfff0707f, BOTH, "seqz %d,%s"},
    {0x00003013, 0x0000707f, BOTH, "sltiu %d,%s,%i"},
    {0xfff04013, 0xfff0707f, BOTH, "not %d,%s"},
    {0x00004013, 0x0000707f, BOTH, "xori %d,%s,%i"},
    {0x00006013, 0x0000707f, BOTH, "ori %d,%s,%i"},
    {0x0ff07013, 0xfff0707f, BOTH, "zext.b %d,%s"},
    {0x00007013, 0x0000707f, BOTH, "andi %d,%s,%i"},
    {0x0000001b, 0xfff0707f, RV64, "sext.w %d,%s"},
    {0x0000001b, 0x0000707f, RV64, "addiw %d,%s,%i"},
    {0x0000101b, 0xfe00707f, RV64, "slliw %d,%s,%h"},
    {0x0000501b, 0xfe00707f, RV64, "srliw %d,%s,%h"},
    {0x4000501b, 0xfe00707f, RV64, "sraiw %d,%s,%h"},
    {0x6000501b, 0xfe00707f, RV64, "roriw %d,%s,%h"},
    {0x0800101b, 0xfc00707f, RV64, "slli.uw %d,%s,%h"},
    {0x6000101b, 0xfff0707f, RV64, "clzw %d,%s"},
    {0x6010101b, 0xfff0707f, RV64, "ctzw %d,%s"},
    {0x6020101b, 0xfff0707f, RV64, "cpopw %d,%s"},
    {0x00000033, 0xfe00707f, BOTH, "add %d,%s,%t"},
    {0x40000033, 0xfe0ff07f, BOTH, "neg %d,%t"},
    {0x40000033, 0xfe00707f, BOTH, "sub %d,%s,%t"},
    {0x00001033, 0xfe00707f, BOTH, "sll %d,%s,%t"},
    {0x00002033, 0xfff0707f, BOTH, "sltz %d,%s"},
    {0x00002033, 0xfe0ff07f, BOTH, "sgtz %d,%t"},
    {0x00002033, 0xfe00707f, BOTH, "slt %d,%s,%t"},
    {0x00003033, 0xfe0ff07f, BOTH, "snez %d,%t"},
    {0x00003033, 0xfe00707f, BOTH, "sltu %d,%s,%t"},
    {0x00004033, 0xfe00707f, BOTH, "xor %d,%s,%t"},
    {0x00005033, 0xfe00707f, BOTH, "srl %d,%s,%t"},
    {0x40005033, 0xfe00707f, BOTH, "sra %d,%s,%t"},
    {0x00006033, 0xfe00707f, BOTH, "or %d,%s,%t"},
    {0x00007033, 0xfe00707f, BOTH, "and %d,%s,%t"},
    {0x02000033, 0xfe00707f, BOTH, "mul %d,%s,%t"},
    {0x02001033, 0xfe00707f, BOTH, "mulh %d,%s,%t"},
    {0x02002033, 0xfe00707f, BOTH, "mulhsu %d,%s,%t"},
    {0x02003033, 0xfe00707f, BOTH, "mulhu %d,%s,%t"},
    {0x02004033, 0xfe00707f, BOTH, "div %d,%s,%t"},
    {0x02005033, 0xfe00707f, BOTH, "divu %d,%s,%t"},
    {0x02006033, 0xfe00707f, BOTH, "rem %d,%s,%t"},
    {0x02007033, 0xfe00707f, BOTH, "remu %d,%s,%t"},
    {0x20002033, 0xfe00707f, BOTH, "sh1add %d,%s,%t"},
    {0x20004033, 0xfe00707f, BOTH, "sh2add %d,%s,%t"},
    {0x20006033, 0xfe00707f, BOTH, "sh3add %d,%s,%t"},
    {0x40004033, 0xfe00707f, BOTH, "xnor %d,%s,%t"},
    {0x40006033, 0xfe00707f, BOTH, "orn %d,%s,%t"},
    {0x40007033, 0xfe00707f, BOTH, "andn %d,%s,%t"},
    {0x0a004033, 0xfe00707f, BOTH, "min %d,%s,%t"},
    {0x0a005033, 0xfe00707f, BOTH, "minu %d,%s,%t"},
    {0x0a006033, 0xfe00707f, BOTH, "max %d,%s,%t"},
    {0x0a007033, 0xfe00707f, BOTH, "maxu %d,%s,%t"},
    {0x60001033, 0xfe00707f, BOTH, "rol %d,%s,%t"},
    {0x60005033, 0xfe00707f, BOTH, "ror %d,%s,%t"},
    {0x48001033, 0xfe00707f, BOTH, "bclr %d,%s,%t"},
    {0x48005033, 0xfe00707f, BOTH, "bext %d,%s,%t"},
    {0x68001033, 0xfe00707f, BOTH, "binv %d,%s,%t"},
    {0x28001033, 0xfe00707f, BOTH, "bset %d,%s,%t"},
    {0x0e005033, 0xfe00707f, BOTH, "czero.eqz %d,%s,%t"},
    {0x0e007033, 0xfe00707f, BOTH, "czero.nez %d,%s,%t"},
    {0x08004033, 0xfff0707f, RV32, "zext.h %d,%s"},
    {0x0800403b, 0xfff0707f, RV64, "zext.h %d,%s"},
    {0x0800003b, 0xfff0707f, RV64, "zext.w %d,%s"},
    {0x0800003b, 0xfe00707f, RV64, "add.uw %d,%s,%t"},
    {0x2000203b, 0xfe00707f, RV64, "sh1add.uw %d,%s,%t"},
    {0x2000403b, 0xfe00707f, RV64, "sh2add.uw %d,%s,%t"},
    {0x2000603b, 0xfe00707f, RV64, "sh3add.uw %d,%s,%t"},
    {0x0000003b, 0xfe00707f, RV64, "addw %d,%s,%t"},
    {0x4000003b, 0xfe0ff07f, RV64, "negw %d,%t"},
    {0x4000003b, 0xfe00707f, RV64, "subw %d,%s,%t"},
    {0x0000103b, 0xfe00707f, RV64, "sllw %d,%s,%t"},
    {0x0000503b, 0xfe00707f, RV64, "srlw %d,%s,%t"},
    {0x4000503b, 0xfe00707f, RV64, "sraw %d,%s,%t"},
    {0x6000103b, 0xfe00707f, RV64, "rolw %d,%s,%t"},
    {0x6000503b, 0xfe00707f, RV64, "rorw %d,%s,%t"},
    {0x0200003b, 0xfe00707f, RV64, "mulw %d,%s,%t"},
    {0x0200403b, 0xfe00707f, RV64, "divw %d,%s,%t"},
    {0x0200503b, 0xfe00707f, RV64, "divuw %d,%s,%t"},
    {0x0200603b, 0xfe00707f, RV64, "remw %d,%s,%t"},
    {0x0200703b, 0xfe00707f, RV64, "remuw %d,%s,%t"},
    {0x1000002f, 0xf9f0007f, BOTH, "lr.%w%q %d,(%s)"},
    {0x1800002f, 0xf800007f, BOTH, "sc.%w%q %d,%t,(%s)"},
    {0x0800002f, 0xf800007f, BOTH, "amoswap.%w%q %d,%t,(%s)"},
    {0x0000002f, 0xf800007f, BOTH, "amoadd.%w%q %d,%t,(%s)"},
    {0x2000002f, 0xf800007f, BOTH, "amoxor.%w%q %d,%t,(%s)"},
    {0x6000002f, 0xf800007f, BOTH, "amoand.%w%q %d,%t,(%s)"},
    {0x4000002f, 0xf800007f, BOTH, "amoor.%w%q %d,%t,(%s)"},
    {0x8000002f, 0xf800007f, BOTH, "amomin.%w%q %d,%t,(%s)"},
    {0xa000002f, 0xf800007f, BOTH, "amomax.%w%q %d,%t,(%s)"},
    {0xc000002f, 0xf800007f, BOTH, "amominu.%w%q %d,%t,(%s)"},
    {0xe000002f, 0xf800007f, BOTH, "amomaxu.%w%q %d,%t,(%s)"},
    {0x2800002f, 0xf800007f, BOTH, "amocas.%w%q %d,%t,(%s)"},
    {0x00102073, 0xfffff07f, BOTH, "frflags %d"},
    {0x00202073, 0xfffff07f, BOTH, "frrm %d"},
    {0x00302073, 0xfffff07f, BOTH, "frcsr %d"},
    {0x00101073, 0xfff07fff, BOTH, "fsflags %s"},
    {0x00201073, 0xfff07fff, BOTH, "fsrm %s"},
    {0x00301073, 0xfff07fff, BOTH, "fscsr %s"},
    {0xc0002073, 0xfffff07f, BOTH, "rdcycle %d"},
    {0xc0102073, 0xfffff07f, BOTH, "rdtime %d"},
    {0xc0202073, 0xfffff07f, BOTH, "rdinstret %d"},
    {0x00002073, 0x000ff07f, BOTH, "csrr %d,%c"},
    {0x00001073, 0x00007fff, BOTH, "csrw %c,%s"},
    {0x00002073, 0x00007fff, BOTH, "csrs %c,%s"},
    {0x00003073, 0x00007fff, BOTH, "csrc %c,%s"},
    {0x00005073, 0x00007fff, BOTH, "csrwi %c,%z"},
    {0x00006073, 0x00007fff, BOTH, "csrsi %c,%z"},
    {0x00007073, 0x00007fff, BOTH, "csrci %c,%z"},
    {0x00001073, 0x0000707f, BOTH, "csrrw %d,%c,%s"},
    {0x00002073, 0x0000707f, BOTH, "csrrs %d,%c,%s"},
    {0x00003073, 0x0000707f, BOTH, "csrrc %d,%c,%s"},
    {0x00005073, 0x0000707f, BOTH, "csrrwi %d,%c,%z"},
    {0x00006073, 0x0000707f, BOTH, "csrrsi %d,%c,%z"},
    {0x00007073, 0x0000707f, BOTH, "csrrci %d,%c,%z"},
    {0x00000043, 0x0000007f, BOTH, "fmadd.%v %D,%S,%T,%R%m"},
    {0x00000047, 0x0000007f, BOTH, "fmsub.%v %D,%S,%T,%R%m"},
    {0x0000004b, 0x0000007f, BOTH, "fnmsub.%v %D,%S,%T,%R%m"},
    {0x0000004f, 0x0000007f, BOTH, "fnmadd.%v %D,%S,%T,%R%m"},
    {0x00000053, 0xf800007f, BOTH, "fadd.%v %D,%S,%T%m"},
    {0x08000053, 0xf800007f, BOTH, "fsub.%v %D,%S,%T%m"},
    {0x10000053, 0xf800007f, BOTH, "fmul.%v %D,%S,%T%m"},
    {0x18000053, 0xf800007f, BOTH, "fdiv.%v %D,%S,%T%m"},
    {0x58000053, 0xf9f0007f, BOTH, "fsqrt.%v %D,%S%m"},
    {0x20000053, 0xf800707f, BOTH, "%1fsgnj"},
    {0x20001053, 0xf800707f, BOTH, "%1fsgnjn"},
    {0x20002053, 0xf800707f, BOTH, "%1fsgnjx"},
    {0x28000053, 0xf800707f, BOTH, "fmin.%v %D,%S,%T"},
    {0x28001053, 0xf800707f, BOTH, "fmax.%v %D,%S,%T"},
    {0xa0002053, 0xf800707f, BOTH, "feq.%v %d,%S,%T"},
    {0xa0001053, 0xf800707f, BOTH, "flt.%v %d,%S,%T"},
    {0xa0000053, 0xf800707f, BOTH, "fle.%v %d,%S,%T"},
    {0xe0001053, 0xf9f0707f, BOTH, "fclass.%v %d,%S"},
    {0xe0000053, 0xfff0707f, BOTH, "fmv.x.w %d,%S"},
    {0xe2000053, 0xfff0707f, RV64, "fmv.x.d %d,%S"},
    {0xe4000053, 0xfff0707f, BOTH, "fmv.x.h %d,%S"},
    {0xf0000053, 0xfff0707f, BOTH, "fmv.w.x %D,%s"},
    {0xf2000053, 0xfff0707f, RV64, "fmv.d.x %D,%s"},
    {0xf4000053, 0xfff0707f, BOTH, "fmv.h.x %D,%s"},
    {0xc0000053, 0xf9f0007f, BOTH, "fcvt.w.%v %d,%S%m"},
    {0xc0100053, 0xf9f0007f, BOTH, "fcvt.wu.%v %d,%S%m"},
    {0xc0200053, 0xf9f0007f, RV64, "fcvt.l.%v %d,%S%m"},
    {0xc0300053, 0xf9f0007f, RV64, "fcvt.lu.%v %d,%S%m"},
    {0xd0000053, 0xf9f0007f, BOTH, "fcvt.%v.w %D,%s%n"},
    {0xd0100053, 0xf9f0007f, BOTH, "fcvt.%v.wu %D,%s%n"},
    {0xd0200053, 0xf9f0007f, RV64, "fcvt.%v.l %D,%s%m"},
    {0xd0300053, 0xf9f0007f, RV64, "fcvt.%v.lu %D,%s%m"},
    {0x40000053, 0xf9f0007f, BOTH, "fcvt.%v.s %D,%S%n"},
    {0x40100053, 0xf9f0007f, BOTH, "fcvt.%v.d %D,%S%m"},
    {0x40200053, 0xf9f0007f, BOTH, "fcvt.%v.h %D,%S%n"},
    {0x40300053, 0xf9f0007f, BOTH, "fcvt.%v.q %D,%S%m"},
};

static const form short_forms[] = {
    {0x0001, 0xffff, BOTH, "nop"},
    {0x0001, 0xef83, BOTH, "nop %8"},
    {0x8082, 0xffff, BOTH, "ret"},
    {0x9002, 0xffff, BOTH, "ebreak"},
    {0x0000, 0xe003, BOTH, "addi %p,sp,%A"},
    {0x2000, 0xe003, BOTH, "fld %P,%3(%x)"},
    {0x4000, 0xe003, BOTH, "lw %p,%2(%x)"},
    {0x6000, 0xe003, RV64, "ld %p,%3(%x)"},
    {0x6000, 0xe003, RV32, "flw %P,%2(%x)"},
    {0x8000, 0xfc03, BOTH, "lbu %p,%e(%x)"},
    {0x8400, 0xfc43, BOTH, "lhu %p,%g(%x)"},
    {0x8440, 0xfc43, BOTH, "lh %p,%g(%x)"},
    {0x8800, 0xfc03, BOTH, "sb %p,%e(%x)"},
    {0x8c00, 0xfc43, BOTH, "sh %p,%g(%x)"},
    {0xa000, 0xe003, BOTH, "fsd %P,%3(%x)"},
    {0xc000, 0xe003, BOTH, "sw %p,%2(%x)"},
    {0xe000, 0xe003, RV64, "sd %p,%3(%x)"},
    {0xe000, 0xe003, RV32, "fsw %P,%2(%x)"},
    {0x0001, 0xe003, BOTH, "addi %d,%d,%8"},
    {0x2001, 0xe003, RV32, "jal %J"},
    {0x2001, 0xf07f, RV64, "sext.w %d,%d"},
    {0x2001, 0xe003, RV64, "addiw %d,%d,%8"},
    {0x4001, 0xe003, BOTH, "li %d,%8"},
    {0x6101, 0xef83, BOTH, "addi sp,sp,%9"},
    {0x6001, 0xe003, BOTH, "lui %d,%l"},
    {0x8001, 0xec03, BOTH, "srli %x,%x,%k"},
    {0x8401, 0xec03, BOTH, "srai %x,%x,%k"},
    {0x8801, 0xec03, BOTH, "andi %x,%x,%8"},
    {0x8c01, 0xfc63, BOTH, "sub %x,%x,%p"},
    {0x8c21, 0xfc63, BOTH, "xor %x,%x,%p"},
    {0x8c41, 0xfc63, BOTH, "or %x,%x,%p"},
    {0x8c61, 0xfc63, BOTH, "and %x,%x,%p"},
    {0x9c01, 0xfc63, RV64, "subw %x,%x,%p"},
    {0x9c21, 0xfc63, RV64, "addw %x,%x,%p"},
    {0x9c41, 0xfc63, BOTH, "mul %x,%x,%p"},
    {0x9c61, 0xfc7f, BOTH, "zext.b %x,%x"},
    {0x9c65, 0xfc7f, BOTH, "sext.b %x,%x"},
    {0x9c69, 0xfc7f, BOTH, "zext.h %x,%x"},
    {0x9c6d, 0xfc7f, BOTH, "sext.h %x,%x"},
    {0x9c71, 0xfc7f, RV64, "zext.w %x,%x"},
    {0x9c75, 0xfc7f, BOTH, "not %x,%x"},
    {0xa001, 0xe003, BOTH, "j %J"},
    {0xc001, 0xe003, BOTH, "beqz %x,%B"},
    {0xe001, 0xe003, BOTH, "bnez %x,%B"},
    {0x0002, 0xe003, BOTH, "slli %d,%d,%k"},
    {0x2002, 0xe003, BOTH, "fld %D,%5(sp)"},
    {0x4002, 0xe003, BOTH, "lw %d,%4(sp)"},
    {0x6002, 0xe003, RV64, "ld %d,%5(sp)"},
    {0x6002, 0xe003, RV32, "flw %D,%4(sp)"},
    {0x8002, 0xf07f, BOTH, "jr %d"},
    {0x8002, 0xf003, BOTH, "mv %d,%r"},
    {0x9002, 0xf07f, BOTH, "jalr %d"},
    {0x9002, 0xf003, BOTH, "add %d,%d,%r"},
    {0xa002, 0xe003, BOTH, "fsd %F,%7(sp)"},
    {0xc002, 0xe003, BOTH, "sw %r,%6(sp)"},
    {0xe002, 0xe003, RV64, "sd %r,%7(sp)"},
    {0xe002, 0xe003, RV32, "fsw %F,%6(sp)"},
};
// clang-format on

static uint32_t bits(uint32_t w, unsigned high, unsigned low) {
  return w >> low & (uint32_t)((UINT64_C(2) << (high - low)) - 1);
}

/* The low n bits of value as a signed number. */
static int32_t extend(uint32_t value, unsigned n) {
  return (int32_t)oct_sign_extend(value, n);
}

static int32_t branch_offset(uint32_t w) {
  return extend(
      bits(w, 31, 31) << 12 | bits(w, 7, 7) << 11 | bits(w, 30, 25) << 5 | bits(w, 11, 8) << 1, 13);
}

static int32_t jump_offset(uint32_t w) {
  return extend(
      bits(w, 31, 31) << 20 | bits(w, 19, 12) << 12 | bits(w, 20, 20) << 11 | bits(w, 30, 21) << 1,
      21);
}

static int32_t short_branch_offset(uint32_t w) {
  return extend(bits(w, 12, 12) << 8 | bits(w, 6, 5) << 6 | bits(w, 2, 2) << 5 |
                    bits(w, 11, 10) << 3 | bits(w, 4, 3) << 1,
                9);
}

static int32_t short_jump_offset(uint32_t w) {
  return extend(bits(w, 12, 12) << 11 | bits(w, 8, 8) << 10 | bits(w, 10, 9) << 8 |
                    bits(w, 6, 6) << 7 | bits(w, 7, 7) << 6 | bits(w, 2, 2) << 5 |
                    bits(w, 11, 11) << 4 | bits(w, 5, 3) << 1,
                12);
}

/* The number that a letter means; false when it is no number. */
static bool number(char letter, uint32_t w, int32_t *value) {
  switch (letter) {
    case 'i': /* of I */
      *value = extend(bits(w, 31, 20), 12);
      return true;
    case 'o': /* of S */
      *value = extend(bits(w, 31, 25) << 5 | bits(w, 11, 7), 12);
      return true;
    case 'z':
      *value = (int32_t)bits(w, 19, 15);
      return true;
    case 'A': /* c.addi4spn */
      *value = (int32_t)(bits(w, 10, 7) << 6 | bits(w, 12, 11) << 4 | bits(w, 5, 5) << 3 |
                         bits(w, 6, 6) << 2);
      return true;
    case '2': /* words, doubles, of c.lw and its kin */
      *value = (int32_t)(bits(w, 5, 5) << 6 | bits(w, 12, 10) << 3 | bits(w, 6, 6) << 2);
      return true;
    case '3':
      *value = (int32_t)(bits(w, 6, 5) << 6 | bits(w, 12, 10) << 3);
      return true;
    case '4': /* of c.lwsp, */
      *value = (int32_t)(bits(w, 3, 2) << 6 | bits(w, 12, 12) << 5 | bits(w, 6, 4) << 2);
      return true;
    case '5': /* c.ldsp, */
      *value = (int32_t)(bits(w, 4, 2) << 6 | bits(w, 12, 12) << 5 | bits(w, 6, 5) << 3);
      return true;
    case '6': /* c.swsp, */
      *value = (int32_t)(bits(w, 8, 7) << 6 | bits(w, 12, 9) << 2);
      return true;
    case '7': /* c.sdsp */
      *value = (int32_t)(bits(w, 9, 7) << 6 | bits(w, 12, 10) << 3);
      return true;
    case '8': /* of CI */
      *value = extend(bits(w, 12, 12) << 5 | bits(w, 6, 2), 6);
      return true;
    case '9': /* c.addi16sp */
      *value = extend(bits(w, 12, 12) << 9 | bits(w, 4, 3) << 7 | bits(w, 5, 5) << 6 |
                          bits(w, 2, 2) << 5 | bits(w, 6, 6) << 4,
                      10);
      return true;
    case 'e': /* of Zcb */
      *value = (int32_t)(bits(w, 5, 5) << 1 | bits(w, 6, 6));
      return true;
    case 'g':
      *value = (int32_t)(bits(w, 5, 5) << 1);
      return true;
    default:
      return false;
  }
}

static const char *csr_name(uint32_t number, char *text, size_t size) {
  for (size_t i = 0; i < sizeof csrs / sizeof *csrs; i++)
    if (csrs[i].number == number) return csrs[i].name;
  snprintf(text, size, "0x%" PRIx32, number);
  return text;
}

/* What fence orders: "rw,w". */
static void fence_sets(uint32_t w, char *text) {
  static const char letters[] = "iorw";
  for (unsigned set = 0; set < 2; set++) {
    uint32_t given = set ? bits(w, 23, 20) : bits(w, 27, 24);
    if (set) *text++ = ',';
    for (unsigned i = 0; i < 4; i++)
      if (given >> (3 - i) & 1) *text++ = letters[i];
    if (!given) *text++ = '0';
  }
  *text = '\0';
}

static const char *rounding(uint32_t w, uint32_t usual) {
  static const char *const names[8] = {", rne", ", rtz", ", rdn", ", rup", ", rmm", "", "", ""};
  return bits(w, 14, 12) == usual ? "" : names[bits(w, 14, 12)];
}

/* What a letter of a row means, in text, which has room for 24 bytes. */
static const char *operand(char letter, bool is_64, uint32_t w, uint64_t addr, char *text) {
  enum { ROOM = 24 };
  static const char *const values[] = {"s", "d", "h", "q"};
  static const char *const orders[] = {"", ".rl", ".aq", ".aqrl"};
  static const char *const widths[] = {"b", "h", "w", "d", "q", "?", "?", "?"};
  int32_t value;
  if (number(letter, w, &value)) {
    snprintf(text, ROOM, "%" PRId32, value);
    return text;
  }
  switch (letter) {
    case 'd':
      return x_names[bits(w, 11, 7)];
    case 's':
      return x_names[bits(w, 19, 15)];
    case 't':
      return x_names[bits(w, 24, 20)];
    case 'D':
      return f_names[bits(w, 11, 7)];
    case 'S':
      return f_names[bits(w, 19, 15)];
    case 'T':
      return f_names[bits(w, 24, 20)];
    case 'R':
      return f_names[bits(w, 31, 27)];
    case 'x': /* of two bytes: three bits at 9..7 and at 4..2, five at 6..2 */
      return x_names[8 + bits(w, 9, 7)];
    case 'p':
      return x_names[8 + bits(w, 4, 2)];
    case 'P':
      return f_names[8 + bits(w, 4, 2)];
    case 'r':
      return x_names[bits(w, 6, 2)];
    case 'F':
      return f_names[bits(w, 6, 2)];
    case 'v':
      return values[bits(w, 26, 25)];
    case 'w':
      return widths[bits(w, 14, 12)];
    case 'q':
      return orders[bits(w, 26, 25)];
    case 'm':
      return rounding(w, 7);
    case 'n': /* of an exact result */
      return bits(w, 14, 12) == 7 ? "" : rounding(w, 0);
    case 'c':
      return csr_name(bits(w, 31, 20), text, ROOM);
    case 'f':
      fence_sets(w, text);
      return text;
    case 'h':
      snprintf(text, ROOM, "0x%" PRIx32, bits(w, 25, 20));
      return text;
    case 'k':
      snprintf(text, ROOM, "0x%" PRIx32, bits(w, 12, 12) << 5 | bits(w, 6, 2));
      return text;
    case 'u':
      snprintf(text, ROOM, "0x%" PRIx32, bits(w, 31, 12));
      return text;
    case 'l':
      snprintf(text, ROOM, "0x%" PRIx32,
               (uint32_t)extend(bits(w, 12, 12) << 5 | bits(w, 6, 2), 6) & 0xfffff);
      return text;
    default:
      value = letter == 'b'   ? branch_offset(w)
              : letter == 'j' ? jump_offset(w)
              : letter == 'B' ? short_branch_offset(w)
                              : short_jump_offset(w);
      addr += (uint64_t)(int64_t)value;
      snprintf(text, ROOM, "0x%" PRIx64, is_64 ? addr : addr & UINT32_MAX);
      return text;
  }
}

/* Signs: of one register with itself they have names of their own. */
static void sign_text(const char *name, uint32_t w, char *text, size_t size) {
  static const char *const own[] = {"fmv", "fneg", "fabs"};
  const bool is_own = bits(w, 19, 15) == bits(w, 24, 20);
  snprintf(text, size, "%s.%c %s, %s", is_own ? own[bits(w, 14, 12)] : name,
           "sdhq"[bits(w, 26, 25)], f_names[bits(w, 11, 7)], f_names[bits(w, 19, 15)]);
  size_t n = strlen(text);
  if (!is_own && n < size) snprintf(text + n, size - n, ", %s", f_names[bits(w, 24, 20)]);
}

bool oct_riscv_text(bool is_64, uint32_t word, uint64_t addr, char *text, size_t size) {
  const bool is_short = (word & 3) != 3;
  const form *f = is_short ? short_forms : long_forms;
  const form *end = f + (is_short ? sizeof short_forms / sizeof *f : sizeof long_forms / sizeof *f);
  if (!word) return false;
  while (f < end && ((word & f->mask) != f->match || f->only == (is_64 ? RV32 : RV64))) f++;
  if (f == end) return false;
  if (!strncmp(f->text, "%1", 2)) {
    sign_text(f->text + 2, word, text, size);
    return true;
  }
  size_t n = 0;
  for (const char *p = f->text; *p && n + 1 < size; p++) {
    char room[24];
    const char *part = *p == '%' ? operand(*++p, is_64, word, addr, room) : NULL;
    for (; part && *part && n + 1 < size; part++) text[n++] = *part;
    if (!part) text[n++] = *p;
    if (!part && *p == ',' && n + 1 < size) text[n++] = ' ';
  }
  text[n] = '\0';
  return true;
}
