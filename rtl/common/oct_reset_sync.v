// SPDX-License-Identifier: Apache-2.0
// oct_reset_sync - a reset that begins at once and ends with the clock.
//
// An asynchronous reset may begin at any time, but flip-flops that leave it near a clock edge may
// disagree on whether they did. So its end passes STAGES flip-flops of the clock that it is for.
// In a scan test the flip-flops shift, and the tester drives the reset: scan_i passes it on beside them. It is the
// chip's scan mode, and still while the chip works.
// Latency: none when the reset begins, STAGES cycles when it ends.
//
// STAGES  2 or more
`default_nettype none

module oct_reset_sync #(
  parameter integer STAGES = 2  // from 2 on: flip-flops in a row that the end of the reset passes
) (
  input  wire clk_i,  // the clock that the reset is for
  input  wire rst_async_ni,  // the chip's reset
  input  wire scan_i,  // a scan test: 1 passes the chip's reset on; 0 without one
  output wire rst_no  // rst_ni of all modules with this clock
);

  // What is illegal stops elaboration: docs/rtl.md, conventions.
  generate
    if (STAGES < 2) begin : gen_illegal_STAGES
      oct_illegal_STAGES_expected_2_or_more u_illegal ();
    end
  endgenerate

  reg [STAGES-1:0] high_q;

  always @(posedge clk_i or negedge rst_async_ni) begin
    if (!rst_async_ni) high_q <= {STAGES{1'b0}};
    else high_q <= {high_q[STAGES-2:0], 1'b1};
  end

  assign rst_no = scan_i ? rst_async_ni : high_q[STAGES-1];

`ifdef FORMAL
  // It ends only after STAGES cycles in a row without a reset; in a scan test with the chip's.
  reg [7:0] since_q = 8'd0;
  always @(posedge clk_i or negedge rst_async_ni) begin
    if (!rst_async_ni) since_q <= 8'd0;
    else if (since_q != 8'd255) since_q <= since_q + 8'd1;
  end
  integer i;
  reg started_q = 1'b0;
  always @(posedge clk_i) begin
    started_q <= 1'b1;
    if (!started_q) assume (!rst_async_ni);
    if (started_q) begin
      for (i = 0; i < STAGES; i = i + 1) assert (high_q[i] == (since_q > i));
      assert (rst_no == (scan_i ? rst_async_ni : since_q >= STAGES));
      cover (rst_no && !scan_i);
      cover (rst_no && scan_i && since_q == 8'd0);
    end
  end
`endif

endmodule

`default_nettype wire
