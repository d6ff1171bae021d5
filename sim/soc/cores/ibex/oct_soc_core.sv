// SPDX-License-Identifier: Apache-2.0
// oct_soc_core - Ibex as scripts/soc takes a core: its two ports on one memory port, a timer interrupt, RVFI.
//
// Only ports that ibex_top has since it has integrity bits are connected; what is left open reads 0, which turns
// off scrambling and integrity. What a handler is told stands in no port, so it is read from the core's registers:
// of mcause the low five bits, the code, which stand there in every release. RVFI's mem_addr is the address of the first byte and its masks begin at
// bit 0, so the adapter's sum of address and lowest byte is right for misaligned accesses, too.
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
  output wire [CHANNELS-1:0] rvfi_trap_o,
  output wire [CHANNELS-1:0] rvfi_intr_o,
  output wire [CHANNELS-1:0] rvfi_halt_o,
  output wire [1:0]  rvfi_mode_o,
  output wire [15:0] cause_o,
  output wire [31:0] epc_o,
  output wire [31:0] tval_o,
  output wire [CHANNELS-1:0] rvfi_valid_o,
  output wire [31:0] rvfi_insn_o,
  output wire [31:0] rvfi_pc_rdata_o,
  output wire [31:0] rvfi_mem_addr_o,
  output wire [3:0]  rvfi_mem_rmask_o,
  output wire [3:0]  rvfi_mem_wmask_o
);

  wire        instr_req, instr_gnt, instr_rvalid, data_req, data_gnt, data_rvalid, data_we;
  wire [31:0] instr_addr, instr_rdata, data_addr, data_wdata, data_rdata;
  wire [3:0]  data_be;

  // Reset begins at 0x80 behind the boot address, where the vectors of traps are.
  ibex_top u_core (
    .clk_i             (clk_i),
    .rst_ni            (rst_ni),
    .test_en_i         (1'b0),
    .hart_id_i         (32'd0),
    .boot_addr_i       (32'd0),
    .instr_req_o       (instr_req),
    .instr_gnt_i       (instr_gnt),
    .instr_rvalid_i    (instr_rvalid),
    .instr_addr_o      (instr_addr),
    .instr_rdata_i     (instr_rdata),
    .instr_rdata_intg_i(7'd0),
    .instr_err_i       (1'b0),
    .data_req_o        (data_req),
    .data_gnt_i        (data_gnt),
    .data_rvalid_i     (data_rvalid),
    .data_we_o         (data_we),
    .data_be_o         (data_be),
    .data_addr_o       (data_addr),
    .data_wdata_o      (data_wdata),
    .data_rdata_i      (data_rdata),
    .data_rdata_intg_i (7'd0),
    .data_err_i        (1'b0),
    .irq_software_i    (1'b0),
    .irq_timer_i       (irq_i),
    .irq_external_i    (1'b0),
    .irq_fast_i        (15'd0),
    .irq_nm_i          (1'b0),
    .debug_req_i       (1'b0),
    .fetch_enable_i    (4'b0101),  // IbexMuBiOn; where the port has one bit, 1
    .scan_rst_ni       (1'b1),
    .rvfi_valid        (rvfi_valid_o),
    .rvfi_insn         (rvfi_insn_o),
    .rvfi_trap         (rvfi_trap_o),
    .rvfi_intr         (rvfi_intr_o),
    .rvfi_halt         (rvfi_halt_o),
    .rvfi_mode         (rvfi_mode_o),
    .rvfi_pc_rdata     (rvfi_pc_rdata_o),
    .rvfi_mem_addr     (rvfi_mem_addr_o),
    .rvfi_mem_rmask    (rvfi_mem_rmask_o),
    .rvfi_mem_wmask    (rvfi_mem_wmask_o)
  );
  assign halted_o = 1'b0;
  assign cause_o  = {11'd0, u_core.u_ibex_core.cs_registers_i.mcause_q[4:0]};
  assign epc_o    = u_core.u_ibex_core.cs_registers_i.mepc_q;
  assign tval_o   = u_core.u_ibex_core.cs_registers_i.mtval_q;

  oct_soc_obi u_bus (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .instr_req_i   (instr_req),
    .instr_gnt_o   (instr_gnt),
    .instr_addr_i  (instr_addr),
    .instr_rvalid_o(instr_rvalid),
    .instr_rdata_o (instr_rdata),
    .data_req_i    (data_req),
    .data_gnt_o    (data_gnt),
    .data_we_i     (data_we),
    .data_be_i     (data_be),
    .data_addr_i   (data_addr),
    .data_wdata_i  (data_wdata),
    .data_rvalid_o (data_rvalid),
    .data_rdata_o  (data_rdata),
    .mem_valid_o   (mem_valid_o),
    .mem_addr_o    (mem_addr_o),
    .mem_wdata_o   (mem_wdata_o),
    .mem_wstrb_o   (mem_wstrb_o),
    .mem_ready_i   (mem_ready_i),
    .mem_rdata_i   (mem_rdata_i)
  );

endmodule

`default_nettype wire
