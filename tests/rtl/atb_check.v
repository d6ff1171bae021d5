// SPDX-License-Identifier: Apache-2.0
// atb_check - test: what a trace bus must not do, each alone, beside oct_atb_check, and what it may.
//
// +case=N (1 to 25) is a rule that is broken once; without it nothing is. The simulator tells
// of assertions. Prints `done` at the end.
`timescale 1ns / 1ns
`default_nettype none

module atb_check;
  reg         clk = 1'b0, reset_n = 1'b0;
  reg         clken = 1'b1, valid = 1'b0, ready = 1'b0, af = 1'b0, answer = 1'b0;
  reg  [31:0] data = 32'd0;
  reg  [1:0]  bytes = 2'd3;
  reg  [6:0]  id = 7'd5;
  integer     number, n, seed;
  always #5 clk = !clk;

  oct_atb_check u_check (
    .clk_i(clk), .rst_ni(reset_n), .atclken_i(clken), .atvalid_i(valid), .atready_i(ready), .atdata_i(data),
    .atbytes_i(bytes), .atid_i(id), .afvalid_i(af), .afready_i(answer)
  );

  // What the bus shows in a cycle.
  task cycle(input c_clken, input c_valid, input c_ready, input [31:0] c_data, input [1:0] c_bytes, input [6:0] c_id,
             input c_af, input c_answer);
    begin
      {clken, valid, ready, data, bytes, id, af, answer} = {c_clken, c_valid, c_ready, c_data, c_bytes, c_id, c_af, c_answer};
      @(posedge clk) #1;
    end
  endtask
  // Nothing on it, for as long as it takes to forget.
  task rest(input [6:0] r_id);
    repeat (2) cycle(1, 0, 0, 32'd0, 2'd3, r_id, 0, 0);
  endtask

  // A beat of this source, which is taken.
  task beat(input [6:0] b_id);
    begin
      cycle(1, 1, 1, 32'h11, 2'd3, b_id, 0, 0);
      rest(7'd5);
    end
  endtask

  // All that a source and a receiver may do, at random.
  reg may_change, may_ask;
  task legal;
    begin
      for (n = 0; n < 2000; n = n + 1) begin
        // Of the cycle before: it was one of the bus, and its beat was taken or there was none.
        may_change = clken && (!valid || ready);
        may_ask    = !af || (clken && answer);
        if (may_change) begin
          valid = $random(seed);
          bytes = $random(seed);
          data  = $random(seed);
          id    = !valid ? $random(seed) : {$random(seed)} % 16 == 0 ? 7'h7d : 1 + {$random(seed)} % 111;
        end else if (!valid) begin
          bytes = $random(seed);  // which mean nothing
          data  = $random(seed);
        end else begin
          data = (data & (32'hffff_ffff >> 8 * (3 - bytes))) | ($random(seed) & ~(32'hffff_ffff >> 8 * (3 - bytes)));
        end
        if (may_ask) af = $random(seed);
        if (clken) answer = af && !valid && $random(seed);
        clken = $random(seed);
        ready = $random(seed);
        @(posedge clk) #1;
      end
      while (af || valid || !clken) begin
        may_change = clken && (!valid || ready);
        may_ask    = clken && answer;
        if (may_change) valid = 1'b0;
        if (may_ask) af = 1'b0;
        if (clken) answer = af && !valid;
        clken = 1'b1;
        ready = 1'b1;
        @(posedge clk) #1;
      end
      rest(id);
    end
  endtask

  initial begin
    if (!$value$plusargs("case=%d", number)) number = 0;
    if (!$value$plusargs("seed=%d", seed)) seed = 1;
    // What came before a reset breaks no rule.
    #22 reset_n = 1'b1;
    rest(7'd5);
    cycle(1, 1, 0, 32'h11, 2'd3, 7'd5, 1, 0);
    reset_n = 1'b0;
    cycle(1, 0, 0, 32'h22, 2'd3, 7'd6, 0, 0);
    reset_n = 1'b1;
    rest(7'd5);
    if (number == 0) legal;
    case (number)
      0: ;
      1: begin  // a beat that was not taken goes
        cycle(1, 1, 0, 32'h11, 2'd3, 7'd5, 0, 0);
        cycle(1, 0, 0, 32'h11, 2'd3, 7'd5, 0, 0);
      end
      2: begin  // its highest byte changes
        cycle(1, 1, 0, 32'h11, 2'd3, 7'd5, 0, 0);
        cycle(1, 1, 1, 32'h8000_0011, 2'd3, 7'd5, 0, 0);
      end
      3: begin  // its only byte changes
        cycle(1, 1, 0, 32'h11, 2'd0, 7'd5, 0, 0);
        cycle(1, 1, 1, 32'h91, 2'd0, 7'd5, 0, 0);
      end
      4: begin  // the highest of its two bytes changes
        cycle(1, 1, 0, 32'h11, 2'd1, 7'd5, 0, 0);
        cycle(1, 1, 1, 32'h8011, 2'd1, 7'd5, 0, 0);
      end
      5: begin  // the highest of its three bytes changes
        cycle(1, 1, 0, 32'h11, 2'd2, 7'd5, 0, 0);
        cycle(1, 1, 1, 32'h80_0011, 2'd2, 7'd5, 0, 0);
      end
      6: begin  // how many bytes it has
        cycle(1, 1, 0, 32'h11, 2'd3, 7'd5, 0, 0);
        cycle(1, 1, 1, 32'h11, 2'd2, 7'd5, 0, 0);
      end
      7: begin  // whose it is
        cycle(1, 1, 0, 32'h11, 2'd3, 7'd5, 0, 0);
        cycle(1, 1, 1, 32'h11, 2'd3, 7'd69, 0, 0);
      end
      8: begin  // its byte, as the receiver was ready where the bus did not run
        cycle(0, 1, 1, 32'h11, 2'd3, 7'd5, 0, 0);
        cycle(1, 1, 1, 32'h10, 2'd3, 7'd5, 0, 0);
      end
      9: begin  // a beat begins behind a cycle without the bus
        cycle(0, 0, 0, 32'h11, 2'd3, 7'd5, 0, 0);
        cycle(1, 1, 1, 32'h11, 2'd3, 7'd5, 0, 0);
      end
      10: begin  // whose the next is changes there
        cycle(0, 0, 0, 32'h11, 2'd3, 7'd5, 0, 0);
        cycle(1, 0, 0, 32'h11, 2'd3, 7'd4, 0, 0);
      end
      11: begin  // a flush is answered there
        cycle(0, 0, 0, 32'h11, 2'd3, 7'd5, 1, 0);
        cycle(1, 0, 0, 32'h11, 2'd3, 7'd5, 1, 1);
      end
      12: cycle(1, 0, 0, 32'h11, 2'd3, 7'd5, 0, 1);  // no one asked for a flush
      13: begin  // a flush is answered beside a beat
        cycle(1, 0, 0, 32'h11, 2'd3, 7'd5, 1, 0);
        cycle(1, 1, 1, 32'h11, 2'd3, 7'd5, 1, 1);
        cycle(1, 0, 0, 32'h11, 2'd3, 7'd5, 0, 0);
      end
      14: begin  // a flush is asked for no more, without an answer
        cycle(1, 0, 0, 32'h11, 2'd3, 7'd5, 1, 0);
        cycle(1, 0, 0, 32'h11, 2'd3, 7'd5, 0, 0);
      end
      15: begin  // and with one where the bus did not run, which goes too: this breaks two rules
        cycle(1, 0, 0, 32'h11, 2'd3, 7'd5, 1, 0);
        cycle(0, 0, 0, 32'h11, 2'd3, 7'd5, 1, 1);
        cycle(1, 0, 0, 32'h11, 2'd3, 7'd5, 0, 0);
      end
      16: begin  // an answer goes where the bus did not run
        cycle(1, 0, 0, 32'h11, 2'd3, 7'd5, 1, 0);
        cycle(0, 0, 0, 32'h11, 2'd3, 7'd5, 1, 1);
        cycle(1, 0, 0, 32'h11, 2'd3, 7'd5, 1, 0);
        cycle(1, 0, 0, 32'h11, 2'd3, 7'd5, 1, 1);
        cycle(1, 0, 0, 32'h11, 2'd3, 7'd5, 0, 0);
      end
      // the numbers that the bus reserves
      17: beat(7'h00);
      18: beat(7'h70);
      19: beat(7'h7c);
      20: beat(7'h7e);
      21: beat(7'h7f);
      22: begin  // a beat in a reset
        reset_n = 1'b0;
        cycle(1, 1, 1, 32'h11, 2'd3, 7'd5, 0, 0);
        cycle(1, 0, 0, 32'h11, 2'd3, 7'd5, 0, 0);
        reset_n = 1'b1;
      end
      23: begin  // and right behind it
        reset_n = 1'b0;
        cycle(1, 0, 0, 32'h11, 2'd3, 7'd5, 0, 0);
        reset_n = 1'b1;
        cycle(1, 1, 1, 32'h11, 2'd3, 7'd5, 0, 0);
      end
      24: begin  // an answer in a reset
        reset_n = 1'b0;
        cycle(1, 0, 0, 32'h11, 2'd3, 7'd5, 0, 1);
        cycle(1, 0, 0, 32'h11, 2'd3, 7'd5, 0, 0);
        reset_n = 1'b1;
      end
      25: begin  // and right behind it
        reset_n = 1'b0;
        cycle(1, 0, 0, 32'h11, 2'd3, 7'd5, 0, 0);
        reset_n = 1'b1;
        cycle(1, 0, 0, 32'h11, 2'd3, 7'd5, 0, 1);
      end
      default: $finish;
    endcase
    rest(id);
    $display("done");
    $finish;
  end
endmodule

`default_nettype wire
