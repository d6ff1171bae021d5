// SPDX-License-Identifier: Apache-2.0
// oct_soc_axi - AXI4 with 64 data bits on the one memory port of oct_soc, which has 32.
//
// One burst is under way at a time, reads before writes. Each beat is one or two words of the memory port: of
// a read the words that the size asks for, of a write those with a strobe. Bursts are incrementing or
// wrapping. Atomic operations of AXI5 are not served: error_o rises.
`default_nettype none

module oct_soc_axi #(
  parameter integer ID_BITS = 4
) (
  input  wire               clk_i,
  input  wire               rst_ni,
  input  wire               ar_valid_i,
  output wire               ar_ready_o,
  input  wire [ID_BITS-1:0] ar_id_i,
  input  wire [31:0]        ar_addr_i,
  input  wire [7:0]         ar_len_i,
  input  wire [2:0]         ar_size_i,
  input  wire [1:0]         ar_burst_i,
  output wire               r_valid_o,
  input  wire               r_ready_i,
  output wire [ID_BITS-1:0] r_id_o,
  output wire [63:0]        r_data_o,
  output wire               r_last_o,
  input  wire               aw_valid_i,
  output wire               aw_ready_o,
  input  wire [ID_BITS-1:0] aw_id_i,
  input  wire [31:0]        aw_addr_i,
  input  wire [7:0]         aw_len_i,
  input  wire [2:0]         aw_size_i,
  input  wire [1:0]         aw_burst_i,
  input  wire [5:0]         aw_atop_i,
  input  wire               w_valid_i,
  output wire               w_ready_o,
  input  wire [63:0]        w_data_i,
  input  wire [7:0]         w_strb_i,
  output wire               b_valid_o,
  input  wire               b_ready_i,
  output wire [ID_BITS-1:0] b_id_o,
  output reg                error_o,
  // memory: a request holds until it is ready
  output wire               mem_valid_o,
  output wire [31:0]        mem_addr_o,
  output wire [31:0]        mem_wdata_o,
  output wire [3:0]         mem_wstrb_o,
  input  wire               mem_ready_i,
  input  wire [31:0]        mem_rdata_i
);

  localparam [2:0] IDLE = 3'd0, READ = 3'd1, READ_BEAT = 3'd2, TAKE = 3'd3, WRITE = 3'd4, ANSWER = 3'd5;
  localparam [1:0] WRAP = 2'd2;

  reg [2:0]         state_q;
  reg [ID_BITS-1:0] id_q;
  reg [31:0]        addr_q, wrap_mask_q;
  reg [7:0]         left_q;
  reg [2:0]         size_q;
  reg [63:0]        data_q;
  reg [7:0]         strb_q;  // bytes of the beat still to be read or written

  assign ar_ready_o = state_q == IDLE;
  assign aw_ready_o = state_q == IDLE && !ar_valid_i;
  assign w_ready_o  = state_q == TAKE;
  assign r_valid_o  = state_q == READ_BEAT;
  assign r_id_o     = id_q;
  assign r_data_o   = data_q;
  assign r_last_o   = left_q == 8'd0;
  assign b_valid_o  = state_q == ANSWER;
  assign b_id_o     = id_q;

  // The lower word first.
  wire is_high = strb_q[3:0] == 4'd0;
  wire is_last = is_high || strb_q[7:4] == 4'd0;
  wire moves   = state_q == READ || state_q == WRITE;
  assign mem_valid_o = moves && strb_q != 8'd0;
  assign mem_addr_o  = {addr_q[31:3], is_high, 2'd0};
  assign mem_wdata_o = is_high ? data_q[63:32] : data_q[31:0];
  assign mem_wstrb_o = state_q != WRITE ? 4'd0 : is_high ? strb_q[7:4] : strb_q[3:0];

  // The bytes of a read at this address: all of the double word, or those of the word.
  function [7:0] lanes(input [2:0] size, input high);
    lanes = size == 3'd3 ? 8'hff : high ? 8'hf0 : 8'h0f;
  endfunction

  // A wrapping burst stays in the block of its own size.
  function [31:0] block(input [1:0] burst, input [7:0] len, input [2:0] size);
    block = burst == WRAP ? (({24'd0, len} + 32'd1) << size) - 32'd1 : 32'hffff_ffff;
  endfunction

  wire [31:0] sum = (addr_q & ~((32'd1 << size_q) - 32'd1)) + (32'd1 << size_q);
  wire [31:0] next_addr = addr_q & ~wrap_mask_q | sum & wrap_mask_q;

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q     <= IDLE;
      id_q        <= {ID_BITS{1'b0}};
      addr_q      <= 32'd0;
      wrap_mask_q <= 32'd0;
      left_q      <= 8'd0;
      size_q      <= 3'd0;
      data_q      <= 64'd0;
      strb_q      <= 8'd0;
      error_o     <= 1'b0;
    end else begin
      case (state_q)
        IDLE:
          if (ar_valid_i) begin
            state_q     <= READ;
            id_q        <= ar_id_i;
            addr_q      <= ar_addr_i;
            wrap_mask_q <= block(ar_burst_i, ar_len_i, ar_size_i);
            left_q      <= ar_len_i;
            size_q      <= ar_size_i;
            strb_q      <= lanes(ar_size_i, ar_addr_i[2]);
          end else if (aw_valid_i) begin
            state_q     <= TAKE;
            id_q        <= aw_id_i;
            addr_q      <= aw_addr_i;
            wrap_mask_q <= block(aw_burst_i, aw_len_i, aw_size_i);
            left_q      <= aw_len_i;
            size_q      <= aw_size_i;
            error_o     <= error_o || aw_atop_i != 6'd0;
          end
        TAKE:
          if (w_valid_i) begin
            state_q <= WRITE;
            data_q  <= w_data_i;
            strb_q  <= w_strb_i;
          end
        READ, WRITE:
          if (mem_ready_i || strb_q == 8'd0) begin
            if (is_high) strb_q[7:4] <= 4'd0;
            else strb_q[3:0] <= 4'd0;
            if (state_q == READ && is_high) data_q[63:32] <= mem_rdata_i;
            if (state_q == READ && !is_high) data_q[31:0] <= mem_rdata_i;
            if (is_last && state_q == READ) state_q <= READ_BEAT;
            if (is_last && state_q == WRITE) begin
              state_q <= left_q == 8'd0 ? ANSWER : TAKE;
              left_q  <= left_q - 8'd1;
              addr_q  <= next_addr;
            end
          end
        READ_BEAT:
          if (r_ready_i) begin
            state_q <= r_last_o ? IDLE : READ;
            left_q  <= left_q - 8'd1;
            addr_q  <= next_addr;
            strb_q  <= lanes(size_q, next_addr[2]);
          end
        default: if (b_ready_i) state_q <= IDLE;
      endcase
    end
  end

endmodule

`default_nettype wire
