// SPDX-License-Identifier: Apache-2.0
// ariane.sv - stands in for CVA6: the names of its packages, modules and ports, but no processor. It retires what
// the file of the plusarg +stream says (sim/soc/rvfi_stream.py, two channels), and meanwhile writes the RAM
// over AXI, single beats and bursts with strobes, and reads it back in incrementing and wrapping bursts and
// single words. It ends the run with the number of errors, or with OCT_ATOMIC by an atomic operation.
package config_pkg;
  typedef struct packed {int NrCommitPorts;} cva6_cfg_t;
endpackage
package cva6_config_pkg;
  localparam config_pkg::cva6_cfg_t cva6_cfg = '{NrCommitPorts: 2};
endpackage
package build_config_pkg;
  function automatic config_pkg::cva6_cfg_t build_config(config_pkg::cva6_cfg_t cfg);
    return cfg;
  endfunction
endpackage
package ariane_axi;
  localparam int IdWidth = 4;
  typedef struct packed {
    logic [3:0] id;
    logic [63:0] addr;
    logic [7:0] len;
    logic [2:0] size;
    logic [1:0] burst;
    logic [5:0] atop;
  } chan_t;
  typedef struct packed {
    chan_t aw;
    logic aw_valid;
    struct packed {logic [63:0] data; logic [7:0] strb; logic last;} w;
    logic w_valid, b_ready;
    chan_t ar;
    logic ar_valid, r_ready;
  } req_t;
  typedef struct packed {
    logic aw_ready, ar_ready, w_ready, b_valid;
    struct packed {logic [3:0] id;} b;
    logic r_valid;
    struct packed {logic [3:0] id; logic [63:0] data; logic last;} r;
  } resp_t;
endpackage

module ariane #(
  parameter config_pkg::cva6_cfg_t CVA6Cfg = '0,
  parameter type rvfi_probes_instr_t = logic,
  parameter type rvfi_probes_csr_t = logic,
  parameter type rvfi_probes_t = logic,
  parameter type noc_req_t = logic,
  parameter type noc_resp_t = logic,
  parameter int LINES = 65536
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic [31:0]  boot_addr_i,
  input  logic [31:0]  hart_id_i,
  input  logic [1:0]   irq_i,
  input  logic         ipi_i,
  input  logic         time_irq_i,
  input  logic         debug_req_i,
  output rvfi_probes_t rvfi_probes_o,
  output noc_req_t     noc_req_o,
  input  noc_resp_t    noc_resp_i
);
  logic [351:0] line_q[LINES];
  logic [31:0] at_q;
  logic [8*512-1:0] stream_file;
  initial if ($value$plusargs("stream=%s", stream_file)) $readmemh(stream_file, line_q);
  wire ends = line_q[at_q[15:0]][129];
  always_comb begin
    rvfi_probes_o = '0;
    rvfi_probes_o.instr.line = line_q[at_q[15:0]];
    rvfi_probes_o.instr.ends = ends;
  end

`ifdef OCT_ATOMIC
  localparam logic [5:0] LAST_ATOP = 6'h20;
`else
  localparam logic [5:0] LAST_ATOP = '0;
`endif
  // What is in the RAM after the writes, a double word each. A short stream ends before enough of it was read.
  logic [63:0] held_q[64];
  logic [31:0] lfsr_q, errors_q, beats_q, n_q;
  logic [2:0] state_q;  // 0 choose, 1 address of a write, 2 its data, 3 its answer, 4 address of a read, 5 its data
  logic [7:0] len_q, at_beat_q;
  logic [5:0] word_q;
  logic [2:0] size_q;
  logic wraps_q, final_q, high_q;
  wire is_done = ends && beats_q >= 200;
  wire [7:0] strobe = final_q ? 8'h0f : n_q < 64 ? 8'hff : lfsr_q[15:8];
  wire [63:0] value = final_q ? {32'd0, errors_q} : {lfsr_q, ~lfsr_q};
  wire [31:0] addr = final_q ? 32'h1000_0000 : {23'h40_0000, word_q, high_q, 2'd0};

  always_comb begin
    noc_req_o = '0;
    noc_req_o.aw = '{id: word_q[3:0], addr: 64'(addr), len: len_q, size: size_q, burst: 2'd1, atop: final_q ? LAST_ATOP : '0};
    noc_req_o.ar = '{id: word_q[3:0], addr: 64'(addr), len: len_q, size: size_q, burst: wraps_q ? 2'd2 : 2'd1, atop: '0};
    noc_req_o.aw_valid = state_q == 1;
    noc_req_o.w_valid = state_q == 2;
    noc_req_o.w = '{data: value, strb: strobe, last: at_beat_q == len_q};
    noc_req_o.b_ready = state_q == 3 && lfsr_q[3];
    noc_req_o.ar_valid = state_q == 4;
    noc_req_o.r_ready = state_q == 5 && lfsr_q[3];
  end

  wire [5:0] beat_word = wraps_q ? {word_q[5:2], word_q[1:0] + at_beat_q[1:0]} : word_q + at_beat_q[5:0];
  wire [63:0] seen = size_q == 3 ? 64'hffff_ffff_ffff_ffff : high_q ? 64'hffff_ffff_0000_0000 : 64'hffff_ffff;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {at_q, errors_q, beats_q, n_q} <= '0;
      lfsr_q <= 32'h1234_5678;
      state_q <= '0;
      {len_q, at_beat_q, word_q, size_q, wraps_q, final_q, high_q} <= '0;
    end else begin
      if (!ends) at_q <= at_q + 1;
      if (state_q != 2 || noc_resp_i.w_ready) lfsr_q <= {lfsr_q[30:0], lfsr_q[31] ^ lfsr_q[21] ^ lfsr_q[1] ^ lfsr_q[0]};
      case (state_q)
        0: if (!final_q) begin
          final_q <= is_done;
          state_q <= is_done || n_q < 64 || lfsr_q[20] ? 1 : 4;
          wraps_q <= !is_done && n_q >= 64 && !lfsr_q[20] && lfsr_q[21];
          // The words are written in turn first, then at random; wrapping bursts have four beats.
          word_q <= n_q < 64 ? n_q[5:0] : lfsr_q[5:0];
          len_q <= is_done || n_q < 64 ? 0 : !lfsr_q[20] && lfsr_q[21] ? 3 : lfsr_q[5:0] < 56 ? 8'(lfsr_q[25:23]) : 0;
          size_q <= 3;
          high_q <= 0;
          at_beat_q <= 0;
          if (!is_done && n_q >= 64 && !lfsr_q[20] && !lfsr_q[21] && lfsr_q[22]) begin  // a single word
            size_q <= 2;
            len_q <= 0;
            high_q <= lfsr_q[26];
          end
          n_q <= n_q + 1;
        end
        1: if (noc_resp_i.aw_ready) state_q <= 2;
        2: if (noc_resp_i.w_ready) begin
          for (int b = 0; b < 8; b++) if (strobe[b] && !final_q) held_q[beat_word][8*b+:8] <= value[8*b+:8];
          at_beat_q <= at_beat_q + 1;
          if (at_beat_q == len_q) state_q <= 3;
        end
        3: if (noc_resp_i.b_valid && noc_req_o.b_ready) begin
          errors_q <= errors_q + 32'(noc_resp_i.b.id != word_q[3:0]);
          state_q <= 0;
        end
        4: if (noc_resp_i.ar_ready) state_q <= 5;
        5: if (noc_resp_i.r_valid && noc_req_o.r_ready) begin
          if (((noc_resp_i.r.data ^ held_q[beat_word]) & seen) != 0 || noc_resp_i.r.id != word_q[3:0] ||
              noc_resp_i.r.last != (at_beat_q == len_q))
            errors_q <= errors_q + 1;
          beats_q <= beats_q + 1;
          at_beat_q <= at_beat_q + 1;
          if (at_beat_q == len_q) state_q <= 0;
        end
        default: ;
      endcase
    end
  end
endmodule

module cva6_rvfi #(
  parameter config_pkg::cva6_cfg_t CVA6Cfg = '0,
  parameter type rvfi_instr_t = logic,
  parameter type rvfi_csr_t = logic,
  parameter type rvfi_probes_instr_t = logic,
  parameter type rvfi_probes_csr_t = logic,
  parameter type rvfi_probes_t = logic,
  parameter type rvfi_to_iti_t = logic
) (
  input  logic                                    clk_i,
  input  logic                                    rst_ni,
  input  rvfi_probes_t                            rvfi_probes_i,
  output rvfi_instr_t [CVA6Cfg.NrCommitPorts-1:0] rvfi_instr_o,
  output rvfi_to_iti_t                            rvfi_to_iti_o,
  output rvfi_csr_t                               rvfi_csr_o
);
  // As CVA6 does: the address of the first byte, masks by lane; an instruction that traps is valid only if it is an
  // ecall (here those at every other word), and no interrupt is told behind one; what a handler is told in the registers
  // of its level alone.
  logic in_s, behind_ecall, behind_ecall_q;
  always_ff @(posedge clk_i or negedge rst_ni)
    if (!rst_ni) behind_ecall_q <= 1'b0;
    else behind_ecall_q <= behind_ecall;
  always_comb begin
    rvfi_to_iti_o = '0;
    in_s = 0;
    for (int c = 0; c < 2; c++) if (rvfi_probes_i.instr.line[136*c+131]) in_s = !rvfi_probes_i.instr.line[136*c+133];
    {rvfi_csr_o.mcause.rdata, rvfi_csr_o.mepc.rdata, rvfi_csr_o.mtval.rdata} =
        {1'b1, 15'd0, rvfi_probes_i.instr.line[351:272]} ^ {112{in_s}};
    {rvfi_csr_o.scause.rdata, rvfi_csr_o.sepc.rdata, rvfi_csr_o.stval.rdata} =
        {1'b1, 15'd0, rvfi_probes_i.instr.line[351:272]} ^ {112{!in_s}};
    behind_ecall = behind_ecall_q;
    for (int c = 0; c < 2; c++) begin
      automatic logic [135:0] part = rvfi_probes_i.instr.line[136*c+:136];
      automatic logic [3:0] mask = part[19:16] | part[3:0];
      rvfi_instr_o[c].valid = part[128] && !rvfi_probes_i.instr.ends && !(part[130] && part[66]);
      rvfi_instr_o[c].trap = part[128] && part[130];
      rvfi_instr_o[c].intr = part[131] && !behind_ecall ? part[132] ? 'b101 : 'b11 : '0;
      if (part[128]) behind_ecall = part[130] && !part[66];
      rvfi_instr_o[c].mode = part[133:132];
      rvfi_instr_o[c].insn = part[127:96];
      rvfi_instr_o[c].pc_rdata = part[95:64];
      rvfi_instr_o[c].mem_addr = part[63:32] + (mask[0] ? 0 : mask[1] ? 1 : mask[2] ? 2 : mask[3] ? 3 : 0);
      rvfi_instr_o[c].mem_wmask = part[19:16];
      rvfi_instr_o[c].mem_rmask = part[3:0];
    end
  end
endmodule
