// SPDX-License-Identifier: Apache-2.0
// oct_soc_core - CVA6 as scripts/soc takes a core: its AXI port on the memory port, a timer interrupt, and
// RVFI of its commit ports, which cva6_rvfi makes from the core's probes.
//
// CVA6 tells the whole address of an access and masks by byte lane, so the low bits of the address are
// left out: oct_rvfi adds the lowest lane. An instruction that traps is valid only if it is an ecall, so each that
// traps is taken; behind an ecall no interrupt is told. What a handler is told stands in the registers of the level at which it runs.
`include "rvfi_types.svh"
`include "iti_types.svh"

module oct_soc_core #(
  parameter int CHANNELS = 2
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  // memory: a request holds until it is ready
  output logic                   mem_valid_o,
  output logic [31:0]            mem_addr_o,
  output logic [31:0]            mem_wdata_o,
  output logic [3:0]             mem_wstrb_o,
  input  logic                   mem_ready_i,
  input  logic [31:0]            mem_rdata_i,
  input  logic                   irq_i,
  output logic                   halted_o,
  // RVFI
  output logic [CHANNELS-1:0]    rvfi_trap_o,
  output logic [CHANNELS-1:0]    rvfi_intr_o,
  output logic [CHANNELS-1:0]    rvfi_halt_o,
  output logic [2*CHANNELS-1:0]  rvfi_mode_o,
  output logic [15:0]            cause_o,
  output logic [31:0]            epc_o,
  output logic [31:0]            tval_o,
  output logic [CHANNELS-1:0]    rvfi_valid_o,
  output logic [32*CHANNELS-1:0] rvfi_insn_o,
  output logic [32*CHANNELS-1:0] rvfi_pc_rdata_o,
  output logic [32*CHANNELS-1:0] rvfi_mem_addr_o,
  output logic [4*CHANNELS-1:0]  rvfi_mem_rmask_o,
  output logic [4*CHANNELS-1:0]  rvfi_mem_wmask_o
);

  localparam config_pkg::cva6_cfg_t Cfg = build_config_pkg::build_config(cva6_config_pkg::cva6_cfg);
  localparam type rvfi_instr_t = `RVFI_INSTR_T(Cfg);
  localparam type rvfi_csr_elmt_t = `RVFI_CSR_ELMT_T(Cfg);
  localparam type rvfi_csr_t = `RVFI_CSR_T(Cfg, rvfi_csr_elmt_t);
  localparam type rvfi_to_iti_t = `RVFI_TO_ITI_T(Cfg);
  localparam type probes_instr_t = `RVFI_PROBES_INSTR_T(Cfg);
  localparam type probes_csr_t = `RVFI_PROBES_CSR_T(Cfg);
  localparam type probes_t = struct packed {
    probes_csr_t   csr;
    probes_instr_t instr;
  };

  probes_t                              probes;
  rvfi_instr_t [Cfg.NrCommitPorts-1:0]  rvfi;
  rvfi_csr_t                            csr;
  ariane_axi::req_t                     req;
  ariane_axi::resp_t                    resp;

  // Reset begins behind the vectors of traps, which are at the begin of the RAM.
  ariane #(
    .CVA6Cfg            (Cfg),
    .rvfi_probes_instr_t(probes_instr_t),
    .rvfi_probes_csr_t  (probes_csr_t),
    .rvfi_probes_t      (probes_t),
    .noc_req_t          (ariane_axi::req_t),
    .noc_resp_t         (ariane_axi::resp_t)
  ) u_core (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .boot_addr_i  (32'h8000_0080),
    .hart_id_i    ('0),
    .irq_i        (2'd0),
    .ipi_i        (1'b0),
    .time_irq_i   (irq_i),
    .debug_req_i  (1'b0),
    .rvfi_probes_o(probes),
    .noc_req_o    (req),
    .noc_resp_i   (resp)
  );

  cva6_rvfi #(
    .CVA6Cfg            (Cfg),
    .rvfi_instr_t       (rvfi_instr_t),
    .rvfi_csr_t         (rvfi_csr_t),
    .rvfi_probes_instr_t(probes_instr_t),
    .rvfi_probes_csr_t  (probes_csr_t),
    .rvfi_probes_t      (probes_t),
    .rvfi_to_iti_t      (rvfi_to_iti_t)
  ) u_rvfi (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .rvfi_probes_i(probes),
    .rvfi_instr_o (rvfi),
    .rvfi_to_iti_o(),
    .rvfi_csr_o   (csr)
  );

  for (genvar c = 0; c < CHANNELS; c++) begin : gen_channel
    assign rvfi_valid_o[c] = rvfi[c].valid || rvfi[c].trap;
    assign rvfi_trap_o[c] = rvfi[c].trap;
    assign rvfi_intr_o[c] = |rvfi[c].intr;
    assign rvfi_halt_o[c] = 1'b0;  // which cva6_rvfi never sets
    assign rvfi_mode_o[2*c+:2] = rvfi[c].mode;
    assign rvfi_insn_o[32*c+:32] = rvfi[c].insn[31:0];
    assign rvfi_pc_rdata_o[32*c+:32] = rvfi[c].pc_rdata[31:0];
    assign rvfi_mem_addr_o[32*c+:32] = {rvfi[c].mem_addr[31:2], 2'd0};
    assign rvfi_mem_rmask_o[4*c+:4] = rvfi[c].mem_rmask[3:0];
    assign rvfi_mem_wmask_o[4*c+:4] = rvfi[c].mem_wmask[3:0];
  end

  // A handler begins with intr, or behind an instruction that trapped: behind an ecall there is no intr.
  logic in_s;  // it runs at the supervisor's level
  logic trapped, trapped_q;
  always_ff @(posedge clk_i or negedge rst_ni)
    if (!rst_ni) trapped_q <= 1'b0;
    else trapped_q <= trapped;
  always_comb begin
    in_s = 1'b0;
    trapped = trapped_q;
    for (int c = 0; c < CHANNELS; c++)
      if (rvfi_valid_o[c]) begin
        if (rvfi_intr_o[c] || trapped) in_s = rvfi[c].mode == 2'd1;
        trapped = rvfi_trap_o[c];
      end
  end
  assign cause_o = in_s ? csr.scause.rdata[15:0] : csr.mcause.rdata[15:0];
  assign epc_o   = in_s ? csr.sepc.rdata[31:0] : csr.mepc.rdata[31:0];
  assign tval_o  = in_s ? csr.stval.rdata[31:0] : csr.mtval.rdata[31:0];

  logic                           r_valid, r_last, b_valid, ar_ready, aw_ready, w_ready;
  logic [ariane_axi::IdWidth-1:0] r_id, b_id;
  logic [63:0]                    r_data;

  always_comb begin
    resp          = '0;
    resp.ar_ready = ar_ready;
    resp.aw_ready = aw_ready;
    resp.w_ready  = w_ready;
    resp.r_valid  = r_valid;
    resp.r.id     = r_id;
    resp.r.data   = r_data;
    resp.r.last   = r_last;
    resp.b_valid  = b_valid;
    resp.b.id     = b_id;
  end

  oct_soc_axi #(
    .ID_BITS(ariane_axi::IdWidth)
  ) u_bus (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .ar_valid_i (req.ar_valid),
    .ar_ready_o (ar_ready),
    .ar_id_i    (req.ar.id),
    .ar_addr_i  (req.ar.addr[31:0]),
    .ar_len_i   (req.ar.len),
    .ar_size_i  (req.ar.size),
    .ar_burst_i (req.ar.burst),
    .r_valid_o  (r_valid),
    .r_ready_i  (req.r_ready),
    .r_id_o     (r_id),
    .r_data_o   (r_data),
    .r_last_o   (r_last),
    .aw_valid_i (req.aw_valid),
    .aw_ready_o (aw_ready),
    .aw_id_i    (req.aw.id),
    .aw_addr_i  (req.aw.addr[31:0]),
    .aw_len_i   (req.aw.len),
    .aw_size_i  (req.aw.size),
    .aw_burst_i (req.aw.burst),
    .aw_atop_i  (req.aw.atop),
    .w_valid_i  (req.w_valid),
    .w_ready_o  (w_ready),
    .w_data_i   (req.w.data),
    .w_strb_i   (req.w.strb),
    .b_valid_o  (b_valid),
    .b_ready_i  (req.b_ready),
    .b_id_o     (b_id),
    .error_o    (halted_o),
    .mem_valid_o(mem_valid_o),
    .mem_addr_o (mem_addr_o),
    .mem_wdata_o(mem_wdata_o),
    .mem_wstrb_o(mem_wstrb_o),
    .mem_ready_i(mem_ready_i),
    .mem_rdata_i(mem_rdata_i)
  );

endmodule
