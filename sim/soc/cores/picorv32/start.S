# SPDX-License-Identifier: Apache-2.0
# start.S - reset and interrupts of PicoRV32, whose interrupts are its own: the return address is in
# the register q0, the pending interrupts in q1. Custom instructions, written as words. The handler writes what it found
# there to the device at 0x10000010, and gives the pending interrupts to on_interrupt.
  .section .text.start
  .globl _start
_start:
  j reset
  .balign 16
interrupt:                      # at 0x10
  .word 0x0200a10b              # setq q2, x1
  .word 0x0201218b              # setq q3, x2
  j interrupt_body

reset:
  la sp, _stack
  .option push
  .option norelax               # or the linker makes it relative to gp itself
  la gp, __global_pointer$
  .option pop
  .word 0x0600600b              # maskirq x0, x0: all interrupts on
  call main
  li t0, 0x10000000             # the place that ends the run
  sw a0, 0(t0)
1: j 1b

interrupt_body:
  la sp, _interrupt_stack
  addi sp, sp, -72
  sw x3, 0(sp)
  sw x4, 4(sp)
  sw x5, 8(sp)
  sw x6, 12(sp)
  sw x7, 16(sp)
  sw x10, 20(sp)
  sw x11, 24(sp)
  sw x12, 28(sp)
  sw x13, 32(sp)
  sw x14, 36(sp)
  sw x15, 40(sp)
  sw x16, 44(sp)
  sw x17, 48(sp)
  sw x28, 52(sp)
  sw x29, 56(sp)
  sw x30, 60(sp)
  sw x31, 64(sp)
  .word 0x0000c50b              # getq a0, q1
  .word 0x0000458b              # getq a1, q0
  li a2, 0x80000000             # an interrupt: the lowest that is pending
  mv a3, a0
1: andi a4, a3, 1
  bnez a4, 2f
  srli a3, a3, 1
  addi a2, a2, 1
  j 1b
2: li a3, 0x10000000
  sw a2, 16(a3)                 # cause
  andi a1, a1, -2               # bit 0 is not of the address: the instruction before has two bytes
  sw a1, 20(a3)
  sw x0, 24(a3)                 # there is no trap value
  call on_interrupt
  lw x3, 0(sp)
  lw x4, 4(sp)
  lw x5, 8(sp)
  lw x6, 12(sp)
  lw x7, 16(sp)
  lw x10, 20(sp)
  lw x11, 24(sp)
  lw x12, 28(sp)
  lw x13, 32(sp)
  lw x14, 36(sp)
  lw x15, 40(sp)
  lw x16, 44(sp)
  lw x17, 48(sp)
  lw x28, 52(sp)
  lw x29, 56(sp)
  lw x30, 60(sp)
  lw x31, 64(sp)
  .word 0x0001408b              # getq x1, q2
  .word 0x0001c10b              # getq x2, q3
  .word 0x0400000b              # retirq

  .globl on_interrupt
  .weak on_interrupt
on_interrupt:
  ret
