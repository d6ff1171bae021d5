// SPDX-License-Identifier: Apache-2.0
// picorv32 - stands in for PicoRV32: its port names, and what its RVFI tells of loads and of interrupts, but no processor. It
// retires what the file of the plusarg +stream says (sim/soc/rvfi_stream.py, one channel, 32 bits, --lanes, --interrupts).
// As the core does, it tells of a load the whole word, and rs1 and the immediate say which bytes were meant. Of an interrupt
// it tells all that are pending, and with the instruction before it where that would have gone on. In place of a
// handler it writes to the bus what the handler would see. At the end it lets the timer ask, acknowledges that, and ends the
// run with the number of errors. Where the stream halts (--halt), it writes first what a handler would see, and then tells
// the instruction in the cycle behind the one in which trap rises. Its memory address is then rs1.
`default_nettype none

module picorv32 #(
  parameter integer COMPRESSED_ISA = 0,
  parameter integer ENABLE_MUL = 0,
  parameter integer ENABLE_DIV = 0,
  parameter integer ENABLE_IRQ = 0,
  parameter integer REGS_INIT_ZERO = 0,
  parameter [31:0]  MASKED_IRQ = 32'd0,
  parameter [31:0]  LATCHED_IRQ = 32'd0,
  parameter [31:0]  PROGADDR_RESET = 32'd0,
  parameter [31:0]  PROGADDR_IRQ = 32'd0,
  parameter integer LINES = 65536
) (
  input  wire        clk, resetn,
  output wire        trap,
  output wire        mem_valid, mem_instr,
  input  wire        mem_ready,
  output wire [31:0] mem_addr, mem_wdata,
  output wire [3:0]  mem_wstrb,
  input  wire [31:0] mem_rdata,
  output wire        mem_la_read, mem_la_write,
  output wire [31:0] mem_la_addr, mem_la_wdata,
  output wire [3:0]  mem_la_wstrb,
  output wire        pcpi_valid,
  output wire [31:0] pcpi_insn, pcpi_rs1, pcpi_rs2,
  input  wire        pcpi_wr,
  input  wire [31:0] pcpi_rd,
  input  wire        pcpi_wait, pcpi_ready,
  input  wire [31:0] irq,
  output wire [31:0] eoi,
  output wire        rvfi_valid,
  output wire [63:0] rvfi_order,
  output wire [31:0] rvfi_insn,
  output wire        rvfi_trap, rvfi_halt, rvfi_intr,
  output wire [1:0]  rvfi_mode, rvfi_ixl,
  output wire [4:0]  rvfi_rs1_addr, rvfi_rs2_addr,
  output wire [31:0] rvfi_rs1_rdata, rvfi_rs2_rdata,
  output wire [4:0]  rvfi_rd_addr,
  output wire [31:0] rvfi_rd_wdata, rvfi_pc_rdata, rvfi_pc_wdata, rvfi_mem_addr,
  output wire [3:0]  rvfi_mem_rmask, rvfi_mem_wmask,
  output wire [31:0] rvfi_mem_rdata, rvfi_mem_wdata,
  output wire [63:0] rvfi_csr_mcycle_rmask, rvfi_csr_mcycle_wmask, rvfi_csr_mcycle_rdata, rvfi_csr_mcycle_wdata,
  output wire [63:0] rvfi_csr_minstret_rmask, rvfi_csr_minstret_wmask, rvfi_csr_minstret_rdata,
                     rvfi_csr_minstret_wdata,
  output wire        trace_valid,
  output wire [35:0] trace_data
);

  reg [215:0]  line_q[0:LINES-1];
  reg [31:0]   at_q;
  wire [215:0] line = line_q[at_q[$clog2(LINES)-1:0]];
  wire         ends = line[129];

  wire        halts = line[128] && line[134] && !ends;
  reg         trap_q, gone_q;  // gone: RVFI has told it

  // Where the program goes on behind each line.
  reg [31:0]      behind_q[0:LINES-1];
  reg [31:0]      goes_on;
  reg [8*512-1:0] stream_file;
  integer         i;
  initial begin
    if ($value$plusargs("stream=%s", stream_file)) $readmemh(stream_file, line_q);
    goes_on = 32'd0;
    for (i = LINES - 1; i >= 0; i = i - 1) begin
      behind_q[i] = goes_on;
      if (line_q[i][128]) goes_on = line_q[i][131] ? line_q[i][199:168] : line_q[i][95:64];
    end
  end
  always @(posedge clk or negedge resetn) begin
    if (!resetn) at_q <= 32'd0;
    else if (!ends && !halts) at_q <= at_q + 32'd1;
  end

  // An immediate of its own at each address.
  wire [31:0] word = line[127:96], pc = line[95:64];
  wire [3:0]  rmask = line[3:0];
  wire        is_load = word[6:0] == 7'h03;
  wire [11:0] imm = {pc[3:1], pc[9:1]};
  wire [31:0] first = line[63:32] + (rmask[0] ? 32'd0 : rmask[1] ? 32'd1 : rmask[2] ? 32'd2 : 32'd3);
  assign rvfi_valid     = halts ? trap_q && !gone_q : line[128] && !ends;
  assign rvfi_insn      = is_load && !halts ? {imm, word[19:0]} : word;
  assign rvfi_pc_rdata  = pc;
  assign rvfi_mem_addr  = {line[63:34], 2'b00};
  assign rvfi_mem_wmask = line[19:16];
  assign rvfi_mem_rmask = is_load && rmask != 4'd0 ? 4'b1111 : rmask;
  assign rvfi_rs1_rdata = halts ? line[63:32] : first - {{20{imm[11]}}, imm};
  assign {rvfi_trap, rvfi_halt, rvfi_mode, rvfi_ixl} = {{2{halts}}, 4'b11_01};
  assign trap           = trap_q || writes_halt;
  assign rvfi_intr      = line[131];
  assign rvfi_pc_wdata  = behind_q[at_q[$clog2(LINES)-1:0]];
  // The lowest is the one; others wait.
  assign eoi = (line[167:136] | 32'd1) << line[204:200];

  localparam [31:0] PERIOD = 32'd20;
  reg [3:0]  step_q;  // the next write: 0 none, 1 to 3 what a handler saw, then the timer's and the end
  reg [31:0] cause_q, epc_q, tval_q, errors_q;
  reg [7:0]  waits_q;
  wire       begins = rvfi_valid && rvfi_intr;
  wire       writes_halt = halts && step_q == 4'd3 && mem_ready;
  assign mem_valid = step_q != 4'd0 && step_q != 4'd5 && step_q != 4'd8;
  assign mem_addr  = step_q <= 4'd3 ? {24'h10_0000, 2'd0, step_q + 4'd3, 2'd0} : step_q == 4'd4 || step_q == 4'd6 ? 32'h1000_0004 :
                     step_q == 4'd7 ? 32'h1000_000c : 32'h1000_0000;
  assign mem_wdata = step_q == 4'd1 ? cause_q : step_q == 4'd2 ? epc_q : step_q == 4'd3 ? tval_q : step_q == 4'd4 ? PERIOD :
                     step_q == 4'd9 ? errors_q : 32'd0;
  assign mem_wstrb = 4'hf;
  always @(posedge clk or negedge resetn) begin
    if (!resetn) begin
      step_q   <= 4'd0;
      errors_q <= 32'd0;
      waits_q  <= 8'd0;
      cause_q  <= 32'd0;
      epc_q    <= 32'd0;
      tval_q   <= 32'd0;
      trap_q   <= 1'b0;
      gone_q   <= 1'b0;
    end else begin
      trap_q  <= trap;
      gone_q  <= halts && trap_q;
      waits_q <= mem_valid ? 8'd0 : waits_q + 8'd1;
      case (step_q)
        4'd0: if (ends) step_q <= 4'd4; else if (halts && !trap_q) step_q <= 4'd1;
        4'd3: if (mem_ready) step_q <= 4'd0;
        // The timer asks within its period, and not any more when that is acknowledged.
        4'd5: if (irq[3] || waits_q == 8'd100) begin
          step_q   <= 4'd6;
          errors_q <= errors_q + {31'd0, !irq[3]};
        end
        4'd8: if (waits_q == 8'd3) begin
          step_q   <= 4'd9;
          errors_q <= errors_q + {31'd0, irq[3]};
        end
        4'd9: ;
        default: if (mem_ready) step_q <= step_q + 4'd1;
      endcase
      if (halts) {cause_q, epc_q, tval_q} <= {16'd0, line[215:200], pc, line[167:136]};
      if (begins) begin  // a handler that begins before the one before has written is an error of the stream
        step_q   <= 4'd1;
        cause_q  <= {1'b1, 26'd0, line[204:200]};
        epc_q    <= line[199:168];
        tval_q   <= 32'd0;
        errors_q <= errors_q + {31'd0, step_q != 4'd0};
      end
    end
  end

  assign {mem_instr, mem_la_read, mem_la_write, pcpi_valid, trace_valid} = 5'd0;
  assign {mem_la_addr, mem_la_wdata, pcpi_insn, pcpi_rs1, pcpi_rs2} = 160'd0;
  assign mem_la_wstrb = 4'd0;
  assign trace_data = 36'd0;
  assign {rvfi_order, rvfi_rs2_rdata, rvfi_rd_wdata, rvfi_mem_rdata, rvfi_mem_wdata} = 192'd0;
  assign {rvfi_rs1_addr, rvfi_rs2_addr, rvfi_rd_addr} = 15'd0;
  assign {rvfi_csr_mcycle_rmask, rvfi_csr_mcycle_wmask, rvfi_csr_mcycle_rdata, rvfi_csr_mcycle_wdata} = 256'd0;
  assign {rvfi_csr_minstret_rmask, rvfi_csr_minstret_wmask, rvfi_csr_minstret_rdata, rvfi_csr_minstret_wdata} = 256'd0;
  wire unused = &{1'b0, mem_rdata, pcpi_wr, pcpi_rd, pcpi_wait, pcpi_ready, irq};

endmodule

`default_nettype wire
