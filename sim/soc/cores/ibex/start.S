# SPDX-License-Identifier: Apache-2.0
# start.S - reset and the timer's interrupt of a core with RISC-V's machine mode: vectors of traps at the
# begin of the RAM, one word each (7 is the timer's), and behind them, at 0x80, reset, as Ibex has it. The handler writes what
# it finds in its registers to the device at 0x10000010.
  .option arch, +zicsr
  .section .text.start
  .globl _start
_start:
  .option push
  .option norvc
  .rept 7
  j trap
  .endr
  j interrupt
  .rept 24
  j trap
  .endr
  .option pop

reset:                          # at 0x80
  la sp, _stack
  .option push
  .option norelax               # or the linker makes it relative to gp itself
  la gp, __global_pointer$
  .option pop
  la t0, _start
  ori t0, t0, 1                 # vectored
  csrw mtvec, t0
  li t0, 0x80                   # the timer's
  csrw mie, t0
  csrsi mstatus, 8              # interrupts on
  call main
end:
  li t0, 0x10000000             # the place that ends the run
  sw a0, 0(t0)
1: j 1b

trap:                           # none is expected: the run fails with the cause
  csrr a0, mcause
  addi a0, a0, 256
  j end

interrupt:
  addi sp, sp, -64
  sw ra, 0(sp)
  sw t0, 4(sp)
  sw t1, 8(sp)
  sw t2, 12(sp)
  sw t3, 16(sp)
  sw t4, 20(sp)
  sw t5, 24(sp)
  sw t6, 28(sp)
  sw a0, 32(sp)
  sw a1, 36(sp)
  sw a2, 40(sp)
  sw a3, 44(sp)
  sw a4, 48(sp)
  sw a5, 52(sp)
  sw a6, 56(sp)
  sw a7, 60(sp)
  li t0, 0x10000000
  csrr t1, mcause
  sw t1, 16(t0)
  csrr t1, mepc
  sw t1, 20(t0)
  csrr t1, mtval
  sw t1, 24(t0)
  call on_interrupt
  lw ra, 0(sp)
  lw t0, 4(sp)
  lw t1, 8(sp)
  lw t2, 12(sp)
  lw t3, 16(sp)
  lw t4, 20(sp)
  lw t5, 24(sp)
  lw t6, 28(sp)
  lw a0, 32(sp)
  lw a1, 36(sp)
  lw a2, 40(sp)
  lw a3, 44(sp)
  lw a4, 48(sp)
  lw a5, 52(sp)
  lw a6, 56(sp)
  lw a7, 60(sp)
  addi sp, sp, 64
  mret

  .globl on_interrupt
  .weak on_interrupt
on_interrupt:
  ret
