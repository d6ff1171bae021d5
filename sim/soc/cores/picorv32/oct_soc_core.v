// SPDX-License-Identifier: Apache-2.0
// oct_soc_core - PicoRV32 as scripts/soc takes a core: a memory port, a timer interrupt, RVFI.
`default_nettype none

module oct_soc_core #(
  parameter integer CHANNELS = 1
) (
  input  wire        clk_i,
  input  wire        rst_ni,
  // memory: a request holds until it is ready
  output wire        mem_valid_o,
  output wire [31:0] mem_addr_o,
  output wire [31:0] mem_wdata_o,
  output wire [3:0]  mem_wstrb_o,
  input  wire        mem_ready_i,
  input  wire [31:0] mem_rdata_i,
  input  wire        irq_i,
  output wire        halted_o,
  // RVFI, one channel
  output wire [CHANNELS-1:0] rvfi_valid_o,
  output wire [31:0] rvfi_insn_o,
  output wire [31:0] rvfi_pc_rdata_o,
  output wire [CHANNELS-1:0] rvfi_trap_o,
  output wire [CHANNELS-1:0] rvfi_intr_o,
  output wire [CHANNELS-1:0] rvfi_halt_o,
  output wire [1:0]  rvfi_mode_o,
  output wire [15:0] cause_o,
  output wire [31:0] epc_o,
  output wire [31:0] tval_o,
  output wire [31:0] rvfi_mem_addr_o,
  output wire [3:0]  rvfi_mem_rmask_o,
  output wire [3:0]  rvfi_mem_wmask_o,
  output wire [31:0] rvfi_pc_wdata_o,
  output wire [4:0]  rvfi_rd_addr_o,
  output wire [31:0] rvfi_rd_wdata_o,
  output wire [31:0] rvfi_mem_rdata_o,
  output wire [31:0] rvfi_mem_wdata_o
);

  // RVFI does not tell which interrupt it was: the lowest of those that the core has taken (eoi), of its own kinds
  // 1 (an illegal instruction, ebreak, ecall) and 2 (not aligned), and 3, the timer's. It comes where the
  // instruction before it would have gone on.
  wire [31:0] taken;
  reg  [31:0] epc_q;
  reg  [15:0] lowest;
  integer     i;
  always @* begin
    lowest = 16'd0;
    for (i = 31; i >= 0; i = i - 1) if (taken[i]) lowest = i[15:0];
  end

  // An exception where no interrupt can be taken halts the core. Nothing tells its cause: it follows from the instruction, and
  // has RISC-V's number. A load or a store was not aligned, and the trap value is its address. An illegal instruction is its own.
  wire [31:0] rs1;
  wire [31:0] word = rvfi_insn_o;
  wire [2:0]  width = word[14:12];
  wire [4:0]  short = {word[15:13], word[1:0]};  // of a compressed instruction
  wire        loads  = (word[6:0] == 7'h03 && width != 3'd3 && width < 3'd6) || short == 5'b010_00 || short == 5'b010_10;
  wire        stores = (word[6:0] == 7'h23 && width < 3'd3) || short == 5'b110_00 || short == 5'b110_10;
  wire [11:0] offset = word[1:0] == 2'b00 ? {5'd0, word[5], word[12:10], word[6], 2'd0} :
                       word[1:0] == 2'b01 ? 12'd0 :
                       word[1:0] == 2'b10 ? {4'd0, stores ? word[8:7] : word[3:2], word[12], stores ? word[11:9] : word[6:4], 2'd0} :
                       stores ? {word[31:25], word[11:7]} : word[31:20];
  wire        calls  = word == 32'h0000_0073;
  wire        breaks = word == 32'h0010_0073 || word == 32'h0000_9002;
  assign cause_o = !rvfi_halt_o[0] ? lowest : loads ? 16'd4 : stores ? 16'd6 : breaks ? 16'd3 : calls ? 16'd11 : 16'd2;
  assign tval_o  = !rvfi_halt_o[0] || breaks || calls ? 32'd0 :
                   loads || stores ? rs1 + {{20{offset[11]}}, offset} : word;
  assign epc_o   = epc_q;

  // It stops in the cycle in which RVFI tells why.
  wire trap;
  reg  trap_q;
  assign halted_o = trap_q;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) trap_q <= 1'b0;
    else trap_q <= trap;
  end
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) epc_q <= 32'd0;
    else if (rvfi_valid_o[0]) epc_q <= rvfi_pc_wdata_o;
  end

  // It tells the word that a load reads, not which bytes of it: those follow from the instruction. A half that
  // begins at the last byte of the word, which makes interrupt 2, is told by the address of that byte.
  wire [31:0] word_addr;
  wire [3:0]  word_rmask;
  wire        is_load = rvfi_insn_o[6:0] == 7'h03;
  wire [1:0]  lane = rs1[1:0] + rvfi_insn_o[21:20];
  wire        crosses = word_rmask != 4'd0 && is_load && rvfi_insn_o[13:12] == 2'd1 && lane == 2'd3;
  assign rvfi_mem_addr_o  = crosses ? word_addr + 32'd3 : word_addr;
  assign rvfi_mem_rmask_o = word_rmask == 4'd0 || !is_load ? word_rmask : rvfi_insn_o[13:12] == 2'd0 ? 4'b0001 << lane :
                            rvfi_insn_o[13:12] == 2'd1 ? 4'b0011 << (crosses ? 2'd0 : lane) : 4'b1111;

  picorv32 #(
    .COMPRESSED_ISA(1),
    .ENABLE_MUL    (1),
    .ENABLE_DIV    (1),
    .ENABLE_IRQ    (1),
    .REGS_INIT_ZERO(1),
    .MASKED_IRQ    (32'h0000_0000),
    .LATCHED_IRQ   (32'h0000_0007),
    .PROGADDR_RESET(32'h0000_0000),
    .PROGADDR_IRQ  (32'h0000_0010)
  ) u_core (
    .clk      (clk_i),
    .resetn   (rst_ni),
    .trap     (trap),
    .mem_valid(mem_valid_o),
    .mem_instr(),
    .mem_ready(mem_ready_i),
    .mem_addr (mem_addr_o),
    .mem_wdata(mem_wdata_o),
    .mem_wstrb(mem_wstrb_o),
    .mem_rdata(mem_rdata_i),
    .mem_la_read (), .mem_la_write(), .mem_la_addr(), .mem_la_wdata(), .mem_la_wstrb(),
    .pcpi_valid(), .pcpi_insn(), .pcpi_rs1(), .pcpi_rs2(),
    .pcpi_wr(1'b0), .pcpi_rd(32'd0), .pcpi_wait(1'b0), .pcpi_ready(1'b0),
    .irq      ({28'd0, irq_i, 3'd0}),
    .eoi      (taken),
    .rvfi_valid(rvfi_valid_o),
    .rvfi_order(), .rvfi_trap(rvfi_trap_o), .rvfi_halt(rvfi_halt_o), .rvfi_intr(rvfi_intr_o), .rvfi_mode(rvfi_mode_o), .rvfi_ixl(),
    .rvfi_insn(rvfi_insn_o),
    .rvfi_rs1_addr(), .rvfi_rs2_addr(), .rvfi_rs1_rdata(rs1), .rvfi_rs2_rdata(),
    .rvfi_rd_addr(rvfi_rd_addr_o), .rvfi_rd_wdata(rvfi_rd_wdata_o),
    .rvfi_pc_rdata(rvfi_pc_rdata_o), .rvfi_pc_wdata(rvfi_pc_wdata_o),
    .rvfi_mem_addr(word_addr),
    .rvfi_mem_rmask(word_rmask),
    .rvfi_mem_wmask(rvfi_mem_wmask_o),
    .rvfi_mem_rdata(rvfi_mem_rdata_o), .rvfi_mem_wdata(rvfi_mem_wdata_o),
    .rvfi_csr_mcycle_rmask(), .rvfi_csr_mcycle_wmask(), .rvfi_csr_mcycle_rdata(), .rvfi_csr_mcycle_wdata(),
    .rvfi_csr_minstret_rmask(), .rvfi_csr_minstret_wmask(), .rvfi_csr_minstret_rdata(),
    .rvfi_csr_minstret_wdata(),
    .trace_valid(), .trace_data()
  );

endmodule

`default_nettype wire
