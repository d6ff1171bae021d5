// SPDX-License-Identifier: Apache-2.0
// oct_soc_core - a core of RV32I with machine mode, as simple as it can be, whose RVFI tells all that it reads and writes. An
// instruction takes three cycles, a load or store five. Exceptions: illegal instruction, ebreak, ecall, not aligned. Interrupt: the
// timer's. Reset is at 0x80, with all registers 0.
`default_nettype none

module oct_soc_core #(
  parameter integer CHANNELS = 1
) (
  input  wire                clk_i,
  input  wire                rst_ni,
  // memory: a request holds until it is ready
  output wire                mem_valid_o,
  output wire [31:0]         mem_addr_o,
  output wire [31:0]         mem_wdata_o,
  output wire [3:0]          mem_wstrb_o,
  input  wire                mem_ready_i,
  input  wire [31:0]         mem_rdata_i,
  input  wire                irq_i,
  output wire                halted_o,
  // RVFI, one channel
  output reg  [CHANNELS-1:0] rvfi_valid_o,
  output reg  [31:0]         rvfi_insn_o,
  output reg  [31:0]         rvfi_pc_rdata_o,
  output reg  [CHANNELS-1:0] rvfi_trap_o,
  output reg  [CHANNELS-1:0] rvfi_intr_o,
  output wire [CHANNELS-1:0] rvfi_halt_o,
  output wire [1:0]          rvfi_mode_o,
  output wire [15:0]         cause_o,
  output wire [31:0]         epc_o,
  output wire [31:0]         tval_o,
  output reg  [31:0]         rvfi_mem_addr_o,
  output reg  [3:0]          rvfi_mem_rmask_o,
  output reg  [3:0]          rvfi_mem_wmask_o,
  output reg  [31:0]         rvfi_pc_wdata_o,
  output reg  [4:0]          rvfi_rd_addr_o,
  output reg  [31:0]         rvfi_rd_wdata_o,
  output reg  [31:0]         rvfi_mem_rdata_o,
  output reg  [31:0]         rvfi_mem_wdata_o
);

  assign halted_o    = 1'b0;
  assign rvfi_halt_o = 1'b0;
  assign rvfi_mode_o = 2'd3;

  localparam [1:0] FETCH = 2'd0, EXECUTE = 2'd1, ACCESS = 2'd2;
  reg [1:0]  state_q;
  reg [31:0] pc_q, insn_q, x_q[0:31];
  reg        begins_q;  // a handler
  reg [31:0] mtvec_q, mie_q, mepc_q, mcause_q, mtval_q, mcycle_q;
  reg        enabled_q, was_enabled_q;  // interrupts, by mstatus
  assign {cause_o, epc_o, tval_o} = {mcause_q[15:0], mepc_q, mtval_q};

  // What an instruction is, and what it finds.
  wire [6:0]  opcode = insn_q[6:0];
  wire [2:0]  f3 = insn_q[14:12];
  wire [4:0]  rd = insn_q[11:7];
  wire [31:0] a = x_q[insn_q[19:15]], b = x_q[insn_q[24:20]];
  wire [31:0] imm_i = {{20{insn_q[31]}}, insn_q[31:20]};
  wire [31:0] imm_s = {imm_i[31:5], insn_q[11:7]};
  wire [31:0] imm_b = {{20{insn_q[31]}}, insn_q[7], insn_q[30:25], insn_q[11:8], 1'b0};
  wire [31:0] imm_j = {{12{insn_q[31]}}, insn_q[19:12], insn_q[20], insn_q[30:21], 1'b0};
  wire        is_load = opcode == 7'h03, is_store = opcode == 7'h23;
  wire [31:0] addr = a + (is_store ? imm_s : imm_i);
  wire [3:0]  mask = (f3[1:0] == 2'd0 ? 4'b0001 : f3[1:0] == 2'd1 ? 4'b0011 : 4'b1111) << addr[1:0];
  wire        is_odd = (f3[1:0] == 2'd1 && addr[0]) || (f3[1:0] == 2'd2 && addr[1:0] != 2'd0);

  assign mem_valid_o = (state_q == FETCH || state_q == ACCESS) && !takes_interrupt;
  assign mem_addr_o  = state_q == FETCH ? pc_q : {addr[31:2], 2'd0};
  assign mem_wdata_o = b << (8 * addr[1:0]);
  assign mem_wstrb_o = state_q == ACCESS && is_store ? mask : 4'd0;
  wire        takes_interrupt = state_q == FETCH && irq_i && enabled_q && mie_q[7] && !begins_q && !asks_q;
  reg         asks_q;  // a fetch is under way
  wire [31:0] word = mem_rdata_i >> (8 * addr[1:0]);

  // The result, where to go on, and whether it traps.
  wire [31:0] right = opcode == 7'h33 ? b : imm_i;
  reg  [31:0] result, target, csr, written, tval;
  reg         writes, is_taken;
  reg  [4:0]  cause;  // bit 4: none
  always @* begin
    result  = 32'd0;
    target  = pc_q + 32'd4;
    writes  = 1'b1;
    cause   = 5'h10;
    tval    = 32'd0;
    written = f3[2] ? {27'd0, insn_q[19:15]} : a;
    case (insn_q[31:20])
      12'h300: csr = {24'd0, was_enabled_q, 3'd0, enabled_q, 3'd0};
      12'h304: csr = mie_q;
      12'h305: csr = mtvec_q;
      12'h341: csr = mepc_q;
      12'h342: csr = mcause_q;
      12'h343: csr = mtval_q;
      12'hb00: csr = mcycle_q;
      default: csr = 32'd0;
    endcase
    case (f3)
      3'd0: is_taken = a == b;
      3'd1: is_taken = a != b;
      3'd4: is_taken = $signed(a) < $signed(b);
      3'd5: is_taken = $signed(a) >= $signed(b);
      3'd6: is_taken = a < b;
      default: is_taken = a >= b;
    endcase
    case (opcode)
      7'h37: result = {insn_q[31:12], 12'd0};
      7'h17: result = pc_q + {insn_q[31:12], 12'd0};
      7'h6f: {result, target} = {pc_q + 32'd4, pc_q + imm_j};
      7'h67: {result, target} = {pc_q + 32'd4, (a + imm_i) & ~32'd1};
      7'h63: begin
        writes = 1'b0;
        if (is_taken) target = pc_q + imm_b;
      end
      7'h03: begin
        result = f3 == 3'd0 ? {{24{word[7]}}, word[7:0]} : f3 == 3'd1 ? {{16{word[15]}}, word[15:0]} :
                 f3 == 3'd4 ? {24'd0, word[7:0]} : f3 == 3'd5 ? {16'd0, word[15:0]} : word;
        if (is_odd) {cause, tval} = {5'd4, addr};
      end
      7'h23: begin
        writes = 1'b0;
        if (is_odd) {cause, tval} = {5'd6, addr};
      end
      7'h13, 7'h33:
      case (f3)
        3'd0: result = opcode == 7'h33 && insn_q[30] ? a - right : a + right;
        3'd1: result = a << right[4:0];
        3'd2: result = {31'd0, $signed(a) < $signed(right)};
        3'd3: result = {31'd0, a < right};
        3'd4: result = a ^ right;
        3'd5: result = insn_q[30] ? $signed($signed(a) >>> right[4:0]) : a >> right[4:0];
        3'd6: result = a | right;
        3'd7: result = a & right;
      endcase
      7'h0f: writes = 1'b0;
      7'h73: begin
        result = csr;
        writes = f3 != 3'd0;
        if (insn_q[31:7] == 25'd0) cause = 5'd11;
        else if (insn_q == 32'h0010_0073) cause = 5'd3;
        else if (insn_q == 32'h3020_0073) target = mepc_q;
        else if (f3 == 3'd0) {cause, tval} = {5'd2, insn_q};
        if (f3[1:0] == 2'd2) written = csr | written;
        if (f3[1:0] == 2'd3) written = csr & ~written;
      end
      default: {writes, cause, tval} = {1'b0, 5'd2, insn_q};
    endcase
  end
  wire traps = !cause[4];
  wire accesses = (is_load || is_store) && !traps;
  wire ends = state_q == EXECUTE ? !accesses : state_q == ACCESS && mem_ready_i;

  integer i;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q       <= FETCH;
      asks_q        <= 1'b0;
      pc_q          <= 32'h80;
      insn_q        <= 32'd0;
      begins_q      <= 1'b0;
      {mtvec_q, mie_q, mepc_q, mcause_q, mtval_q, mcycle_q} <= 192'd0;
      {enabled_q, was_enabled_q} <= 2'd0;
      rvfi_valid_o  <= 1'b0;
      for (i = 0; i < 32; i = i + 1) x_q[i] <= 32'd0;
    end else begin
      mcycle_q     <= mcycle_q + 32'd1;
      rvfi_valid_o <= ends;
      asks_q       <= mem_valid_o && state_q == FETCH && !mem_ready_i;
      if (takes_interrupt) begin
        {mcause_q, mepc_q, mtval_q} <= {32'h8000_0007, pc_q, 32'd0};
        {enabled_q, was_enabled_q}  <= {1'b0, enabled_q};
        pc_q     <= {mtvec_q[31:2], 2'd0} + (mtvec_q[0] ? 32'd28 : 32'd0);
        begins_q <= 1'b1;
      end else if (state_q == FETCH && mem_ready_i) begin
        insn_q  <= mem_rdata_i;
        state_q <= EXECUTE;
      end else if (state_q == EXECUTE && accesses) begin
        state_q <= ACCESS;
      end
      if (ends) begin
        state_q  <= FETCH;
        pc_q     <= traps ? {mtvec_q[31:2], 2'd0} : target;
        begins_q <= traps;
        if (writes && !traps && rd != 5'd0) x_q[rd] <= result;
        if (traps) begin
          {mcause_q, mepc_q, mtval_q} <= {27'd0, cause, pc_q, tval};
          {enabled_q, was_enabled_q}  <= {1'b0, enabled_q};
        end else if (insn_q == 32'h3020_0073) begin
          {enabled_q, was_enabled_q} <= {was_enabled_q, 1'b1};
        end else if (opcode == 7'h73) begin
          case (insn_q[31:20])
            12'h300: {was_enabled_q, enabled_q} <= {written[7], written[3]};
            12'h304: mie_q <= written;
            12'h305: mtvec_q <= written;
            12'h341: mepc_q <= written;
            default: ;
          endcase
        end
        rvfi_insn_o      <= insn_q;
        rvfi_pc_rdata_o  <= pc_q;
        rvfi_pc_wdata_o  <= target;
        rvfi_trap_o      <= traps;
        rvfi_intr_o      <= begins_q;
        rvfi_mem_addr_o  <= {addr[31:2], 2'd0};
        rvfi_mem_rmask_o <= accesses && is_load ? mask : 4'd0;
        rvfi_mem_wmask_o <= accesses && is_store ? mask : 4'd0;
        rvfi_mem_rdata_o <= mem_rdata_i;
        rvfi_mem_wdata_o <= mem_wdata_o;
        rvfi_rd_addr_o   <= writes && !traps ? rd : 5'd0;
        rvfi_rd_wdata_o  <= writes && !traps && rd != 5'd0 ? result : 32'd0;
      end
    end
  end

endmodule

`default_nettype wire
