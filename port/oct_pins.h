/* SPDX-License-Identifier: Apache-2.0 */
/* oct_pins.h - the pins of a compressor as a circuit, the same for every tracer that has Verilog:
 * the core that retires, the debugger's bus (APB), the trace bus (ATB), the trace port.
 *
 * Threads: Values alone, which any threads may read at the same time. */
#ifndef OCT_PINS_H
#define OCT_PINS_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What retires in a cycle: an instruction at most, or two, and one access. The first access of an
 * instruction comes in its cycle, the others in the cycles after it without a gap, before the next
 * instruction. */
typedef struct oct_retire {
  bool insn_valid, da_valid, da_end; /* da_end: no address, a terminator */
  uint8_t insn_size_bytes;
  uint8_t insn_class;   /* an oct_class, as RISC-V's `itype` */
  uint8_t priv;         /* its privilege, as RISC-V's `priv` */
  uint8_t trigger;      /* bit i: external trigger i fires in this cycle */
  bool core_error;      /* the adapter ahead saw a rule of its own interface broken */
  uint32_t insn_word;   /* the instruction's bytes, the first lowest, */
  bool insn_word_valid; /* if they are known */
  uint32_t task;
  /* With a retire width of 2: an instruction of the same task that retires ahead of it in the same
   * cycle, without accesses. Without insn_valid, or with a width of 1, it breaks a rule. In
   * Verilog lead_valid_i, lead_addr_i, lead_size_bytes_i, lead_word_i, lead_word_valid_i. */
  bool lead_valid, lead_word_valid;
  uint8_t lead_size_bytes;
  uint32_t lead_word;
  uint64_t lead_addr;
  uint64_t insn_addr, da_addr;
  /* A trap, in a cycle without instruction and access: the fields of oct_trap; task is that of the
   * instruction behind it. In Verilog trap_valid_i, trap_kind_i, trap_privilege_i, trap_cause_i,
   * trap_addr_i, trap_tval_i. */
  bool trap_valid;
  uint8_t trap_kind, trap_privilege;
  uint32_t trap_cause;
  uint64_t trap_addr, trap_tval;
  /* The time of the instruction, where stamps are of the core's time (`time_source` = 1). */
  uint64_t time;
} oct_retire;

typedef struct oct_apb_in {
  bool psel, penable, pwrite;
  uint16_t paddr; /* 12 bits */
  uint32_t pwdata;
} oct_apb_in;

typedef struct oct_apb_out {
  uint32_t prdata;
  bool pready, pslverr; /* pready is always 1 */
} oct_apb_out;

typedef struct oct_pins_in {
  oct_retire retire;
  oct_apb_in apb;
  bool afvalid;    /* flush request, held until afready */
  bool port_stall; /* the trace receiver does not take bits in this cycle */
  bool end;        /* tracing is over: the last pins are padded */
} oct_pins_in;

/* What leaves at the data pins of the trace port. */
typedef struct oct_pins_port {
  bool valid;
  uint32_t data;
} oct_pins_port;

typedef struct oct_pins_out {
  bool atvalid, atready; /* a beat crosses the trace bus when both are set */
  uint8_t atbytes;       /* bytes less one */
  uint8_t atid;
  uint32_t atdata;
  bool afready; /* all that was there when afvalid came has left */
  oct_pins_port port;
  oct_apb_out apb;
} oct_pins_out;

/* A trace bus of its own in place of the trace port. */
typedef struct oct_pins_bus {
  bool atready;
  bool atclken; /* the bus runs in this cycle: else it takes and asks nothing */
  bool syncreq; /* a sync is asked for, a pulse */
} oct_pins_bus;

#ifdef __cplusplus
}
#endif
#endif
