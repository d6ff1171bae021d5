// SPDX-License-Identifier: Apache-2.0
// oct_coresight - the registers by which a debugger finds a CoreSight component and shares it, in front
// of the registers of a trace source.
//
// The component has 4 KiB of addresses. Offsets from 0xf00 on are here; offsets below 0x800 go on to
// dev_*, the registers of the source; all others read as 0 and ignore writes.
//
// | offset       | name       | access | content                                                          |
// |--------------|------------|--------|------------------------------------------------------------------|
// | 0xf00        | ITCTRL     | r      | 0: no integration mode                                           |
// | 0xfa0        | CLAIMSET   | rw     | reads 0xf; a 1 sets a claim tag                                  |
// | 0xfa4        | CLAIMCLR   | rw     | reads the claim tags; a 1 clears one                             |
// | 0xfb0        | LAR        | w      | from software: 0xc5acce55 unlocks, anything else locks           |
// | 0xfb4        | LSR        | r      | bit 0: there is a lock; bit 1: it is locked                      |
// | 0xfb8        | AUTHSTATUS | r      | bits 3:2 non-secure, 7:6 secure tracing: 11 allowed, 10 not      |
// | 0xfbc        | DEVARCH    | r      | 0: no architecture of Arm                                        |
// | 0xfc8        | DEVID      | r      | 0                                                                |
// | 0xfcc        | DEVTYPE    | r      | 0x13: trace source, of a processor                               |
// | 0xfd0..0xfec | PIDR4..7, PIDR0..3 | r | from the parameters                                         |
// | 0xff0..0xffc | CIDR0..3   | r      | 0d 90 05 b1: a CoreSight component                               |
//
// While it is locked, writes other than to LAR do nothing, here and in the source; a master that is no
// software (an external debugger) says so by is_debugger_i: it finds no lock, and cannot change it. After reset
// the component is locked. trace_enable_o is what the authentication inputs allow: the source is to
// trace only while it is set. What the core does in the secure world (is_secure_i) needs both of them.
// An access takes the APB's two cycles, or as many as the source asks for.
//
// JEP106_ID, JEP106_BANK  who made the chip (JEDEC JEP106); PART, REVISION  the designer's own numbers
`default_nettype none

module oct_coresight #(
  parameter [6:0]  JEP106_ID   = 7'd0,  // your company, by JEDEC JEP106
  parameter [3:0]  JEP106_BANK = 4'd0,  // continuation codes of that number
  parameter [11:0] PART        = 12'h0c7,  // your number for the component
  parameter [3:0]  REVISION    = 4'd0  // its revision
) (
  input  wire        clk_i,
  input  wire        rst_ni,
`include "oct_apb_ports.vh"
  input  wire        is_debugger_i,  // 1 for accesses from outside the chip
  // authentication
  input  wire        niden_i,  // non-invasive debug is allowed
  input  wire        spniden_i,  // and that of the secure world
  input  wire        is_secure_i,  // the core is in the secure world
  output wire        trace_enable_o,  // gate_i of the adapter
  // APB of the compressor
  output wire        dev_psel_o,
  output wire        dev_penable_o,
  output wire        dev_pwrite_o,
  output wire [11:0] dev_paddr_o,
  output wire [31:0] dev_pwdata_o,
  input  wire [31:0] dev_prdata_i,
  input  wire        dev_pready_i,
  input  wire        dev_pslverr_i
);

  localparam [11:0] CLAIMSET = 12'hfa0, CLAIMCLR = 12'hfa4, LAR = 12'hfb0, LSR = 12'hfb4,
      AUTHSTATUS = 12'hfb8, DEVTYPE = 12'hfcc, PIDR4 = 12'hfd0, PIDR0 = 12'hfe0, PIDR1 = 12'hfe4,
      PIDR2 = 12'hfe8, CIDR0 = 12'hff0, CIDR1 = 12'hff4, CIDR2 = 12'hff8, CIDR3 = 12'hffc;
  localparam [31:0] KEY = 32'hc5ac_ce55;

  reg       locked_q;
  reg [3:0] claim_q;

  wire is_source = !paddr_i[11];
  wire is_open   = !locked_q || is_debugger_i;
  wire writes    = psel_i && penable_i && pwrite_i;

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      locked_q <= 1'b1;
      claim_q  <= 4'd0;
    end else if (writes) begin
      if (paddr_i == LAR && !is_debugger_i) locked_q <= pwdata_i != KEY;
      if (paddr_i == CLAIMSET && is_open) claim_q <= claim_q | pwdata_i[3:0];
      if (paddr_i == CLAIMCLR && is_open) claim_q <= claim_q & ~pwdata_i[3:0];
    end
  end

  reg [31:0] data;
  always @* begin
    case (paddr_i)
      CLAIMSET:   data = 32'hf;
      CLAIMCLR:   data = {28'd0, claim_q};
      LSR:        data = {30'd0, locked_q && !is_debugger_i, !is_debugger_i};
      AUTHSTATUS: data = {24'd0, 1'b1, niden_i && spniden_i, 2'd0, 1'b1, niden_i, 2'd0};
      DEVTYPE:    data = 32'h13;
      PIDR4:      data = {28'd0, JEP106_BANK};
      PIDR0:      data = {24'd0, PART[7:0]};
      PIDR1:      data = {24'd0, JEP106_ID[3:0], PART[11:8]};
      PIDR2:      data = {24'd0, REVISION, 1'b1, JEP106_ID[6:4]};
      CIDR0:      data = 32'h0d;
      CIDR1:      data = 32'h90;
      CIDR2:      data = 32'h05;
      CIDR3:      data = 32'hb1;
      default:    data = 32'd0;
    endcase
  end

  // A write that the lock holds back is answered here.
  wire goes_on = is_source && (!pwrite_i || is_open);

  assign dev_psel_o     = psel_i && goes_on;
  assign dev_penable_o  = penable_i && goes_on;
  assign dev_pwrite_o   = pwrite_i;
  assign dev_paddr_o    = paddr_i;
  assign dev_pwdata_o   = pwdata_i;
  assign prdata_o       = !(psel_i && penable_i) || pwrite_i ? 32'd0 : is_source ? dev_prdata_i : data;
  assign pready_o       = goes_on ? dev_pready_i : 1'b1;
  assign pslverr_o      = psel_i && penable_i && goes_on && dev_pslverr_i;
  assign trace_enable_o = niden_i && (spniden_i || !is_secure_i);

`ifdef FORMAL
  reg started_q = 1'b0;
  reg was_locked_q, was_written_q, opened_q;
  reg [3:0] claim_before_q;
  always @(posedge clk_i) begin
    started_q      <= 1'b1;
    was_locked_q   <= locked_q;
    was_written_q  <= writes;
    opened_q       <= writes && paddr_i == LAR && pwdata_i == KEY && !is_debugger_i;
    claim_before_q <= claim_q;
    if (!started_q) assume (!rst_ni);
    if (rst_ni && started_q) begin
      // Only the key from software opens the lock.
      if (was_locked_q && !locked_q) assert (opened_q);
      // Claim tags change by a write alone.
      if (claim_q != claim_before_q) assert (was_written_q);
      // A locked component lets no write of software through.
      if (locked_q && !is_debugger_i && pwrite_i) assert (!dev_psel_o);
      // What is for the source goes there, and nothing else.
      assert (dev_psel_o == (psel_i && paddr_i < 12'h800 && (!pwrite_i || is_open)));
      // What AUTHSTATUS calls not allowed is not traced.
      if (psel_i && penable_i && !pwrite_i && paddr_i == AUTHSTATUS)
        assert (trace_enable_o == (is_secure_i ? prdata_o[6] : prdata_o[2]));
      cover (!locked_q && claim_q == 4'h5);
      cover (was_locked_q && !locked_q);
      cover (dev_psel_o && dev_pwrite_o && !is_debugger_i);
    end
  end
`endif

endmodule

`default_nettype wire
