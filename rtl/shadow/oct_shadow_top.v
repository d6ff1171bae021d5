// SPDX-License-Identifier: Apache-2.0
// oct_shadow_top - the tracer `shadow` and its trace port: the pins of port/oct_pins.h.
//
// Core, debugger and trace bus as in oct_shadow_compressor.v; the trace bus ends in the trace port and is
// brought out to be watched. port_data_o are the pins, with bits on all of them when port_valid_o is
// set; port_stall_i: the receiver takes none in this cycle; end_i: tracing is over, bits that do not
// fill the pins leave padded.
`default_nettype none

module oct_shadow_top #(
  parameter integer ADDR_BITS       = 32,
  parameter integer PC_ALIGN_BITS   = 2,
  parameter integer TASK_BITS       = 16,
  parameter integer REGS            = 16,
  parameter integer VC_SETS         = 64,
  parameter integer VC_WAYS         = 6,
  parameter integer VC_TAG_BITS     = 12,
  parameter integer STRIDE_ENTRIES  = 128,
  parameter integer STRIDE_BITS     = 20,
  parameter integer DIFF_BITS       = 28,
  parameter integer DFCM_ENTRIES    = 256,
  parameter integer PC_ENTRIES      = 128,
  parameter integer SHORT_ENTRIES   = 256,
  parameter integer SHORT_BITS      = 8,
  parameter integer LONG_ENTRIES    = 256,
  parameter integer LONG_BITS       = 16,
  parameter integer MIX_SETS        = 16,
  parameter integer MIX_SHIFT       = 7,
  parameter integer BRANCH_LIMIT    = 4,
  parameter integer PATH_ENTRIES    = 32,
  parameter integer TARGET_ENTRIES  = 32,
  parameter integer RETURN_ENTRIES  = 8,
  parameter integer HISTORY_ALL     = 1,
  parameter integer LEARN_EQUAL     = 1,
  parameter integer SYNC_KEEPS      = 0,
  parameter [31:0]  SYNC_INSNS      = 32'd262144,
  parameter [31:0]  SYNC_BITS       = 32'd65536,
  parameter integer CHECK           = 1,
  parameter integer GATHER_INSNS    = 16,
  parameter integer GATHER_ACCESSES = 32,
  parameter integer QUEUE_WORDS     = 192,
  parameter integer OUT_FIFO_BYTES  = 64,
  parameter integer FILTERS         = 0,
  parameter integer TRAPS           = 0,
  parameter integer CAUSE_BITS      = 6,
  parameter integer TIMESTAMP       = 0,
  parameter [31:0]  TIME_PERIOD_INSNS = 32'd0,
  parameter integer PORT_PINS       = 2
) (
  input  wire                 clk_i,
  input  wire                 rst_ni,
  // the core
  input  wire                 insn_valid_i,
  input  wire [ADDR_BITS-1:0] insn_addr_i,
  input  wire [3:0]           insn_size_bytes_i,  // not looked at: the word tells it
  input  wire [31:0]          insn_word_i,        // its bytes, the first lowest,
  input  wire                 insn_word_valid_i,  // if they are known
  input  wire [TASK_BITS-1:0] task_i,
  input  wire                 da_valid_i,
  input  wire                 da_end_i,
  input  wire [ADDR_BITS-1:0] da_addr_i,
  input  wire [2:0]           priv_i,
  input  wire [1:0]           trigger_i,
  input  wire                 trap_valid_i,
  input  wire [1:0]           trap_kind_i,
  input  wire [2:0]           trap_privilege_i,
  input  wire [CAUSE_BITS-1:0] trap_cause_i,
  input  wire [ADDR_BITS-1:0] trap_addr_i,
  input  wire [ADDR_BITS-1:0] trap_tval_i,
  input  wire                 core_error_i,
  // the debugger
  input  wire                 psel_i,
  input  wire                 penable_i,
  input  wire                 pwrite_i,
  input  wire [11:0]          paddr_i,
  input  wire [31:0]          pwdata_i,
  output wire [31:0]          prdata_o,
  output wire                 pready_o,
  output wire                 pslverr_o,
  // the trace bus
  input  wire                 afvalid_i,
  output wire                 atvalid_o,
  output wire                 atready_o,
  output wire [31:0]          atdata_o,
  output wire [1:0]           atbytes_o,
  output wire [6:0]           atid_o,
  output wire                 afready_o,
  // the trace port
  input  wire                 port_stall_i,
  input  wire                 end_i,
  output wire                 port_valid_o,
  output wire [PORT_PINS-1:0] port_data_o
);

  wire [31:0] at_mask = 32'hffff_ffff >> {~atbytes_o, 3'd0};

  oct_shadow_compressor #(
    .ADDR_BITS      (ADDR_BITS),
    .PC_ALIGN_BITS  (PC_ALIGN_BITS),
    .TASK_BITS      (TASK_BITS),
    .REGS           (REGS),
    .VC_SETS        (VC_SETS),
    .VC_WAYS        (VC_WAYS),
    .VC_TAG_BITS    (VC_TAG_BITS),
    .STRIDE_ENTRIES (STRIDE_ENTRIES),
    .STRIDE_BITS    (STRIDE_BITS),
    .DIFF_BITS      (DIFF_BITS),
    .DFCM_ENTRIES   (DFCM_ENTRIES),
    .PC_ENTRIES     (PC_ENTRIES),
    .SHORT_ENTRIES  (SHORT_ENTRIES),
    .SHORT_BITS     (SHORT_BITS),
    .LONG_ENTRIES   (LONG_ENTRIES),
    .LONG_BITS      (LONG_BITS),
    .MIX_SETS       (MIX_SETS),
    .MIX_SHIFT      (MIX_SHIFT),
    .BRANCH_LIMIT   (BRANCH_LIMIT),
    .PATH_ENTRIES   (PATH_ENTRIES),
    .TARGET_ENTRIES (TARGET_ENTRIES),
    .RETURN_ENTRIES (RETURN_ENTRIES),
    .HISTORY_ALL    (HISTORY_ALL),
    .LEARN_EQUAL    (LEARN_EQUAL),
    .SYNC_KEEPS     (SYNC_KEEPS),
    .SYNC_INSNS     (SYNC_INSNS),
    .SYNC_BITS      (SYNC_BITS),
    .CHECK          (CHECK),
    .GATHER_INSNS   (GATHER_INSNS),
    .GATHER_ACCESSES(GATHER_ACCESSES),
    .QUEUE_WORDS    (QUEUE_WORDS),
    .OUT_FIFO_BYTES (OUT_FIFO_BYTES),
    .FILTERS        (FILTERS),
    .TRAPS          (TRAPS),
    .CAUSE_BITS     (CAUSE_BITS),
    .TIMESTAMP      (TIMESTAMP),
    .TIME_PERIOD_INSNS(TIME_PERIOD_INSNS)
  ) u_compressor (
    .clk_i            (clk_i),
    .rst_ni           (rst_ni),
    .insn_valid_i     (insn_valid_i),
    .insn_addr_i      (insn_addr_i),
    .insn_size_bytes_i(insn_size_bytes_i),
    .insn_word_i      (insn_word_i),
    .insn_word_valid_i(insn_word_valid_i),
    .task_i           (task_i),
    .da_valid_i       (da_valid_i),
    .da_end_i         (da_end_i),
    .da_addr_i        (da_addr_i),
    .priv_i           (priv_i),
    .trigger_i        (trigger_i),
    .trap_valid_i     (trap_valid_i),
    .trap_kind_i      (trap_kind_i),
    .trap_privilege_i (trap_privilege_i),
    .trap_cause_i     (trap_cause_i),
    .trap_addr_i      (trap_addr_i),
    .trap_tval_i      (trap_tval_i),
    .core_error_i     (core_error_i),
    .psel_i           (psel_i),
    .penable_i        (penable_i),
    .pwrite_i         (pwrite_i),
    .paddr_i          (paddr_i),
    .pwdata_i         (pwdata_i),
    .prdata_o         (prdata_o),
    .pready_o         (pready_o),
    .pslverr_o        (pslverr_o),
    .atready_i        (atready_o),
    .atclken_i        (1'b1),
    .afvalid_i        (afvalid_i),
    .syncreq_i        (1'b0),
    .atvalid_o        (atvalid_o),
    .atdata_o         (atdata_o),
    .atbytes_o        (atbytes_o),
    .atid_o           (atid_o),
    .afready_o        (afready_o)
  );

  oct_trace_port #(
    .PORT_PINS(PORT_PINS)
  ) u_port (
    .clk_i    (clk_i),
    .rst_ni   (rst_ni),
    .atvalid_i(atvalid_o && atready_o),
    .atdata_i (atdata_o & at_mask),
    .atbytes_i(atbytes_o),
    .end_i    (end_i),
    .stall_i  (port_stall_i),
    .atready_o(atready_o),
    .valid_o  (port_valid_o),
    .data_o   (port_data_o)
  );

endmodule

`default_nettype wire
