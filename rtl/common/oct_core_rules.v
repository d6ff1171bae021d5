// SPDX-License-Identifier: Apache-2.0
// oct_core_rules - does the core keep the rules of the core interface?
//
// The accesses of an instruction come in consecutive cycles, the first with the instruction itself,
// so an access needs one in the cycle before it that was not the last. What breaks a rule is not taken:
// the ingress counts it as lost and marks the gap. errors_o, of this cycle: bit 0 an access, or a
// terminator, without an instruction; 1 an instruction address that is not aligned; 2 an instruction
// of no bytes, or of a part of the alignment; 3 core_error_i, what the adapter ahead saw; 4 a trap that
// has not a cycle of its own, or no kind.
// Latency: none.
//
// ADDR_BITS      bits of an address
// PC_ALIGN_BITS  instruction addresses are multiples of 2^this (0 to 3)
`default_nettype none

module oct_core_rules #(
  parameter integer ADDR_BITS = 32,  // 32 to 64
  parameter integer PC_ALIGN_BITS = 2  // 0 to 3
) (
  input  wire                 clk_i,
  input  wire                 rst_ni,
  input  wire                 insn_valid_i,
  input  wire [ADDR_BITS-1:0] insn_addr_i,
  input  wire [3:0]           insn_size_bytes_i,
  input  wire                 da_valid_i,
  input  wire                 da_end_i,
  input  wire                 core_error_i,
  input  wire                 trap_valid_i,
  input  wire [1:0]           trap_kind_i,
  output wire [4:0]           errors_o
);

  // What is illegal stops elaboration: docs/rtl.md, conventions.
  generate
    if (ADDR_BITS < 32 || ADDR_BITS > 64) begin : gen_illegal_ADDR_BITS
      oct_illegal_ADDR_BITS_expected_32_to_64 u_illegal ();
    end
    if (PC_ALIGN_BITS < 0 || PC_ALIGN_BITS > 3) begin : gen_illegal_PC_ALIGN_BITS
      oct_illegal_PC_ALIGN_BITS_expected_0_to_3 u_illegal ();
    end
  endgenerate

  localparam [3:0] ALIGN_MASK = (4'd1 << PC_ALIGN_BITS) - 4'd1;

  reg  open_q;  // an access may follow
  wire orphan      = da_valid_i && !insn_valid_i && !open_q;
  wire bad_addr    = insn_valid_i && (insn_addr_i[3:0] & ALIGN_MASK) != 4'd0;
  wire bad_size    = insn_valid_i && (insn_size_bytes_i == 4'd0 || (insn_size_bytes_i & ALIGN_MASK) != 4'd0);
  wire bad_trap    = trap_valid_i && (insn_valid_i || da_valid_i || trap_kind_i == 2'd3);
  wire unused_addr = &{1'b0, insn_addr_i};
  assign errors_o = {bad_trap, core_error_i, bad_size, bad_addr, orphan};

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) open_q <= 1'b0;
    else open_q <= da_valid_i && !da_end_i && !orphan;
  end

`ifdef FORMAL
  reg f_past_q = 1'b0;
  always @(posedge clk_i) f_past_q <= 1'b1;
  always @* if (!f_past_q) assume (!rst_ni);

  always @(posedge clk_i) if (f_past_q && rst_ni && $past(rst_ni)) begin
    // An access behind an idle cycle, or behind a terminator, belongs to no instruction.
    if (da_valid_i && !insn_valid_i && !$past(da_valid_i)) assert (errors_o[0]);
    if (da_valid_i && !insn_valid_i && $past(da_valid_i && da_end_i)) assert (errors_o[0]);
    // What has none in front of it stays without, whatever follows.
    if (da_valid_i && !insn_valid_i && $past(errors_o[0])) assert (errors_o[0]);
    // The first with its instruction, and one right behind it, are fine.
    if (insn_valid_i || !da_valid_i) assert (!errors_o[0]);
    if ($past(insn_valid_i && da_valid_i && !da_end_i)) assert (!errors_o[0]);
    if (!insn_valid_i) assert (!errors_o[1] && !errors_o[2]);
    cover (errors_o[0] && $past(errors_o[0]) && $past(da_valid_i, 2));
    // A trap alone in its cycle is fine, and what comes without one has no error of it.
    if (!trap_valid_i) assert (!errors_o[4]);
    if (trap_valid_i && insn_valid_i) assert (errors_o[4]);
    cover (errors_o == 5'b11110);
    cover (trap_valid_i && errors_o == 5'd0);
    cover (!errors_o[0] && da_valid_i && !insn_valid_i && $past(da_valid_i && !insn_valid_i));
  end
`endif

endmodule

`default_nettype wire
