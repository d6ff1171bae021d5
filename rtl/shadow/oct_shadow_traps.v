// SPDX-License-Identifier: Apache-2.0
// oct_shadow_traps - the traps that wait beside the stages, and what each is in raw bits.
// docs/shadow-rtl.md, traps; docs/shadow-format.md, section 3; oct_shadow_{ingress,encoder}.c.
//
// Traps belong to the place of gather that comes next (place_i). Until then undo_i takes them back. Unroll asks
// for them when their escape is there: with next_i it takes value_o, of count_o bits. last_o: this was the
// last of the traps of a place. A trap leaves with its last bits. An exception's or interrupt's address
// is compared with the one that would have been next: behind the instruction taken last (insn_i, addr_i,
// word_i), or, if a flush had a place of its own since then, that instruction's own one; 0 at first.
//
// Latency: 1 cycle from a trap to full_o, none from next_i to the next bits. Back-pressure: push_i comes only when full_o is not set.
//
// ADDR_BITS, CAUSE_BITS  widths
// ISA                    0 A32, 1 RISC-V: an instruction has 2 bytes if the two lowest bits of its word are not 3
`default_nettype none

module oct_shadow_traps #(
  parameter integer ADDR_BITS  = 32,
  parameter integer CAUSE_BITS = 6,
  parameter integer ISA        = 0
) (
  input  wire                              clk_i,
  input  wire                              rst_ni,
  // gather
  input  wire                              push_i,
  input  wire [2*ADDR_BITS+CAUSE_BITS+4:0] trap_i,    // kind, privilege, cause, address, trap value
  input  wire                              place_i,
  input  wire                              undo_i,
  input  wire                              insn_i,    // an instruction is taken
  input  wire [ADDR_BITS-1:0]              addr_i,
  input  wire [1:0]                        word_i,
  output wire                              full_o,
  output wire [3:0]                        new_o,     // so many wait for their place
  // unroll
  input  wire                              next_i,
  input  wire [1:0]                        behind_i,  // oct_behind_trap, of the last one
  output wire [7:0]                        value_o,
  output wire [3:0]                        count_o,
  output wire                              last_o
);

  localparam integer WORD_BITS = 2 * ADDR_BITS + CAUSE_BITS + 5;

  localparam integer A = ADDR_BITS, DEPTH = 8;
  localparam [1:0] EXCEPTION = 2'd0, PRIVILEGE = 2'd2;
  localparam [3:0] KIND = 4'd0, LEVEL = 4'd1, CAUSE = 4'd2, SAME = 4'd3, ADDR_LENGTH = 4'd4, ADDR = 4'd5,
                   TVAL_LENGTH = 4'd6, TVAL = 4'd7, BEHIND = 4'd8;
  localparam [31:0] CAUSE_32 = CAUSE_BITS;

  // ---- Where the next instruction would be ----

  reg  [A-1:0] pc_q;
  reg  [2:0]   size_q;
  wire [A-1:0] fall = pc_q + {{(A - 3){1'b0}}, size_q};
  wire [A-1:0] pushed_addr = trap_i[A +: A];

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pc_q   <= {A{1'b0}};
      size_q <= 3'd0;
    end else begin
      if (insn_i) pc_q <= addr_i;
      if (insn_i) size_q <= ISA != 0 && word_i != 2'd3 ? 3'd2 : 3'd4;
      else if (place_i) size_q <= 3'd0;
    end
  end

  // ---- Traps ----

  reg  [3:0]   head_q, place_q, tail_q;  // the first, the first without a place, behind the last; one bit more
  reg  [DEPTH-1:0] first_q;              // of a place
  wire         pops;
  wire [3:0]   head_d = pops ? head_q + 4'd1 : head_q;
  wire [3:0]   next = head_q + 4'd1;
  wire         ends = next == place_q || first_q[next[2:0]];
  wire         is_same;
  wire [1:0]   kind;
  wire [2:0]   privilege;
  wire [CAUSE_BITS-1:0] cause;
  wire [A-1:0] addr, tval;

  assign full_o = tail_q == {!head_q[3], head_q[2:0]};
  assign new_o  = tail_q - place_q;

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      head_q  <= 4'd0;
      place_q <= 4'd0;
      tail_q  <= 4'd0;
    end else begin
      head_q <= head_d;
      if (place_i) place_q <= tail_q;
      if (undo_i) tail_q <= place_q;
      else if (push_i) tail_q <= tail_q + 4'd1;
    end
  end

  always @(posedge clk_i) if (push_i) first_q[tail_q[2:0]] <= new_o == 4'd0;

  oct_ram #(
    .WIDTH (WORD_BITS + 1),
    .DEPTH (DEPTH),
    .BYPASS(1)
  ) u_ram (
    .clk_i  (clk_i),
    .we_i   (push_i),
    .waddr_i(tail_q[2:0]),
    .wdata_i({pushed_addr == fall, trap_i}),
    .re_i   (push_i || pops),
    .raddr_i(head_d[2:0]),
    .rdata_o({is_same, kind, privilege, cause, addr, tval})
  );

  // ---- Bits of the first ----

  reg  [3:0]   part_q, part_d;
  reg  [4:0]   left_q;    // bits of a cause, bytes of a value
  wire         is_tval = part_q == TVAL || part_q == TVAL_LENGTH;
  wire [63:0]  number = {{(64 - A){1'b0}}, is_tval ? tval : addr};
  reg  [3:0]   n_bytes;   // of it
  wire [4:0]   cause_left = left_q > 5'd8 ? left_q - 5'd8 : 5'd0;
  wire [15:0]  cause_shifted = {{(16 - CAUSE_BITS){1'b0}}, cause} >> cause_left;
  wire [3:0]   behind_addr = kind == EXCEPTION ? TVAL_LENGTH : BEHIND;
  reg  [7:0]   value;
  reg  [3:0]   count;
  reg  [4:0]   left_d;

  always @* begin : p_bytes
    integer i;
    n_bytes = 4'd0;
    for (i = 0; i < 8; i = i + 1) if (number[8*i +: 8] != 8'd0) n_bytes = i[3:0] + 4'd1;
  end

  always @* begin
    value  = 8'd0;
    count  = 4'd8;
    part_d = KIND;
    left_d = left_q - 5'd1;
    case (part_q)
      KIND: {value, count, part_d} = {6'd0, kind, 4'd2, LEVEL};
      LEVEL: begin
        {value, count} = {5'd0, privilege, 4'd3};
        part_d         = kind == PRIVILEGE ? BEHIND : CAUSE;
        left_d         = CAUSE_32[4:0];
      end
      CAUSE: begin
        value  = cause_shifted[7:0];
        count  = left_q > 5'd8 ? 4'd8 : left_q[3:0];
        left_d = cause_left;
        part_d = cause_left == 5'd0 ? SAME : CAUSE;
      end
      SAME: {value, count, part_d} = {7'd0, is_same, 4'd1, is_same ? behind_addr : ADDR_LENGTH};
      ADDR_LENGTH, TVAL_LENGTH: begin
        {value, count} = {4'd0, n_bytes, 4'd4};
        left_d         = {1'b0, n_bytes};
        part_d         = n_bytes != 4'd0 ? (is_tval ? TVAL : ADDR) : is_tval ? BEHIND : behind_addr;
      end
      ADDR, TVAL: begin
        value  = number[{left_d[2:0], 3'd0} +: 8];
        part_d = left_d != 5'd0 ? part_q : is_tval ? BEHIND : behind_addr;
      end
      default: {value, count} = {6'd0, ends ? behind_i : 2'd0, 4'd2};
    endcase
  end

  assign pops    = next_i && part_q == BEHIND;
  assign value_o = value;
  assign count_o = count;
  assign last_o  = part_q == BEHIND && ends;

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) part_q <= KIND;
    else if (next_i) part_q <= part_d;
  end

  always @(posedge clk_i) if (next_i) left_q <= left_d;

  wire unused = &{1'b0, cause_shifted[15:8]};

`ifdef FORMAL
`ifdef FORMAL_OCT_SHADOW_TRAPS
  reg f_past_q = 1'b0;
  always @(posedge clk_i) f_past_q <= 1'b1;

  wire [3:0] f_count = tail_q - head_q, f_placed = place_q - head_q;
  // Gather pushes where there is room, places nothing in a cycle that takes back or brings a trap; unroll takes
  // what has a place.
  always @* begin
    if (!f_past_q) assume (!rst_ni);
    assume (!(push_i && (full_o || undo_i)) && !(place_i && (push_i || undo_i)));
    assume (!(insn_i && !place_i));
    assume (!(next_i && f_placed == 4'd0));
  end

  // Groups that are left: the one under way, and those that begin behind the first trap.
  reg [3:0] f_in_q, f_out_q, f_groups;
  integer f_i;
  always @* begin
    f_groups = {3'd0, f_placed != 4'd0};
    for (f_i = 1; f_i < DEPTH; f_i = f_i + 1)
      if (f_i[3:0] < f_placed && first_q[head_q[2:0] + f_i[2:0]]) f_groups = f_groups + 4'd1;
  end
  always @(posedge clk_i) begin
    f_in_q  <= rst_ni ? f_in_q + {3'd0, place_i && new_o != 4'd0} : 4'd0;
    f_out_q <= rst_ni ? f_out_q + {3'd0, next_i && last_o} : 4'd0;
  end

  integer f_k;
  always @* if (rst_ni && f_past_q) begin
    assert (f_count <= DEPTH && f_placed <= f_count);
    assert (full_o == (f_count == DEPTH));
    // One last trap for each place that has traps.
    assert (f_in_q - f_out_q == f_groups);
    for (f_k = 0; f_k < DEPTH; f_k = f_k + 1)
      if (f_k[3:0] >= f_placed && f_k[3:0] < f_count)
        assert (first_q[head_q[2:0] + f_k[2:0]] == (f_k[3:0] == f_placed));
    assert (part_q <= BEHIND);
    if (f_placed == 4'd0) assert (part_q == KIND);
    // Parts have bits, and no more than a symbol; a value is followed by its bytes alone.
    if (next_i) assert (count_o != 4'd0 && count_o <= 4'd8);
    if (part_q == CAUSE) assert (left_q != 5'd0 && left_q <= CAUSE_BITS);
    if (part_q == ADDR || part_q == TVAL) assert (left_q != 5'd0 && left_q <= 8);
  end

  always @(posedge clk_i) if (rst_ni && f_past_q && $past(rst_ni)) begin
    cover (next_i && last_o && $past(part_q) == TVAL);
    cover (next_i && part_q == BEHIND && !last_o);
    cover ($past(undo_i && new_o != 4'd0) && f_placed != 4'd0);
    cover (full_o && f_placed == 4'd3);
  end
`endif
`endif

endmodule

`default_nettype wire
