// SPDX-License-Identifier: Apache-2.0
// ibex_top - stands in for Ibex: its port names and its bus handshake, but no processor. It retires what the
// file of the plusarg +stream says (sim/soc/rvfi_stream.py, one channel), and meanwhile writes words
// through the data port, reads them back through both ports, and checks the answers, their number and
// their order; requests come at random, up to two are under way. It ends the run with the errors found.
`default_nettype none

module ibex_top #(
  parameter integer LINES = 65536
) (
  input  wire        clk_i,
  input  wire        rst_ni,
  input  wire        test_en_i,
  input  wire [31:0] hart_id_i,
  input  wire [31:0] boot_addr_i,
  output wire        instr_req_o,
  input  wire        instr_gnt_i,
  input  wire        instr_rvalid_i,
  output wire [31:0] instr_addr_o,
  input  wire [31:0] instr_rdata_i,
  input  wire [6:0]  instr_rdata_intg_i,
  input  wire        instr_err_i,
  output wire        data_req_o,
  input  wire        data_gnt_i,
  input  wire        data_rvalid_i,
  output wire        data_we_o,
  output wire [3:0]  data_be_o,
  output wire [31:0] data_addr_o,
  output wire [31:0] data_wdata_o,
  input  wire [31:0] data_rdata_i,
  input  wire [6:0]  data_rdata_intg_i,
  input  wire        data_err_i,
  input  wire        irq_software_i,
  input  wire        irq_timer_i,
  input  wire        irq_external_i,
  input  wire [14:0] irq_fast_i,
  input  wire        irq_nm_i,
  input  wire        debug_req_i,
  output wire        rvfi_valid,
  output wire [31:0] rvfi_insn,
  output wire        rvfi_trap,
  output wire        rvfi_intr,
  output wire        rvfi_halt,
  output wire [1:0]  rvfi_mode,
  output wire [31:0] rvfi_pc_rdata,
  output wire [31:0] rvfi_mem_addr,
  output wire [3:0]  rvfi_mem_rmask,
  output wire [3:0]  rvfi_mem_wmask,
  input  wire [3:0]  fetch_enable_i,
  input  wire        scan_rst_ni
);

  reg [215:0]  line_q[0:LINES-1];
  reg [31:0]   at_q;
  wire [215:0] line = line_q[at_q[$clog2(LINES)-1:0]];
  wire         ends = line[129];

  reg [8*512-1:0] stream_file;
  initial if ($value$plusargs("stream=%s", stream_file)) $readmemh(stream_file, line_q);

  assign rvfi_valid     = line[128] && !ends;
  assign rvfi_insn      = line[127:96];
  assign {rvfi_halt, rvfi_mode, rvfi_intr, rvfi_trap} = line[134:130];
  ibex_core u_ibex_core (
    .told_i(line[215:136])
  );
  assign rvfi_pc_rdata  = line[95:64];
  assign rvfi_mem_addr  = line[63:32];
  assign rvfi_mem_wmask = line[19:16];
  assign rvfi_mem_rmask = line[3:0];

  // Word i holds tag(i) after it was written: words 0 to 63 are first written in turn, a byte at a
  // time; then words at random are read, or written once more.
  function [31:0] tag(input [31:0] word);
    tag = word * 32'h9e37_79b1 ^ 32'h5bd1_e995;
  endfunction

  reg [31:0] lfsr_q;
  reg [31:0] steps_q;  // requests of the data port that were granted
  reg        d_req_q, i_req_q;
  reg [5:0]  i_word_q;
  reg [1:0]  d_open_q, i_open_q;  // granted, not answered
  reg [5:0]  d_first_q, d_second_q, i_first_q, i_second_q;
  reg        d_first_we_q, d_second_we_q;
  reg [31:0] errors_q, reads_q;
  wire       is_final = ends && d_open_q == 2'd0 && i_open_q == 2'd0 && !i_req_q;
  // 64 words of four byte writes each, then reads and rewrites of the same values.
  wire       fills = steps_q < 32'd256;
  wire [31:0] next_step = steps_q + {31'd0, data_gnt_i && d_req_q};
  wire       next_fills = next_step < 32'd256;
  wire [5:0] d_word = next_fills ? next_step[7:2] : lfsr_q[5:0];
  reg  [5:0] d_word_q;
  reg        d_we_q;
  reg  [3:0] d_be_q;
  reg        final_q;

  assign data_req_o   = d_req_q;
  assign data_we_o    = d_we_q;
  assign data_be_o    = d_be_q;
  assign data_addr_o  = final_q ? 32'h1000_0000 : {24'd0, d_word_q, 2'd0};
  assign data_wdata_o = final_q ? errors_q + {31'd0, reads_q < 32'd1000} : tag({26'd0, d_word_q}) ^
                        {{8{!d_be_q[3]}}, {8{!d_be_q[2]}}, {8{!d_be_q[1]}}, {8{!d_be_q[0]}}};  // wrong where not enabled
  assign instr_req_o  = i_req_q;
  assign instr_addr_o = {24'd0, i_word_q, 2'd0};

  wire d_gnt = data_gnt_i && d_req_q, i_gnt = instr_gnt_i && i_req_q;
  wire d_bad = data_rvalid_i && !final_q &&
               (d_open_q == 2'd0 || !d_first_we_q && data_rdata_i != tag({26'd0, d_first_q}));
  wire i_bad = instr_rvalid_i && (i_open_q == 2'd0 || instr_rdata_i != tag({26'd0, i_first_q}));
  wire g_bad = data_gnt_i && !d_req_q || instr_gnt_i && !i_req_q;
  wire [1:0] d_left = d_open_q - {1'b0, data_rvalid_i}, i_left = i_open_q - {1'b0, instr_rvalid_i};

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      at_q <= 32'd0;
      lfsr_q <= 32'h1234_5678;
      steps_q <= 32'd0;
      {d_req_q, i_req_q, final_q, d_we_q} <= 4'd0;
      {d_open_q, i_open_q} <= 4'd0;
      {d_first_q, d_second_q, i_first_q, i_second_q, i_word_q, d_word_q} <= 36'd0;
      {d_first_we_q, d_second_we_q} <= 2'd0;
      d_be_q <= 4'd0;
      errors_q <= 32'd0;
      reads_q <= 32'd0;
    end else begin
      if (!ends) at_q <= at_q + 32'd1;
      lfsr_q <= {lfsr_q[30:0], lfsr_q[31] ^ lfsr_q[21] ^ lfsr_q[1] ^ lfsr_q[0]};
      // A request stays as it is until it is granted; another may follow in the next cycle.
      if (d_gnt || !d_req_q) begin
        d_req_q  <= !final_q && (is_final || !ends && lfsr_q[8] && d_left != 2'd2 && !(d_gnt && d_left == 2'd1));
        d_word_q <= d_word;
        d_we_q   <= is_final || next_fills || lfsr_q[27];
        d_be_q   <= is_final || !next_fills ? 4'hf : 4'd1 << next_step[1:0];
        final_q  <= final_q || is_final;
      end
      if (i_gnt || !i_req_q) begin
        i_req_q  <= !ends && !fills && lfsr_q[10] && i_left != 2'd2 && !(i_gnt && i_left == 2'd1);
        i_word_q <= lfsr_q[16:11];
      end
      steps_q <= next_step;
      d_open_q <= d_left + {1'b0, d_gnt};
      i_open_q <= i_left + {1'b0, i_gnt};
      if (data_rvalid_i) {d_first_q, d_first_we_q} <= {d_second_q, d_second_we_q};
      if (instr_rvalid_i) i_first_q <= i_second_q;
      if (d_gnt && d_left == 2'd0) {d_first_q, d_first_we_q} <= {d_word_q, d_we_q};
      if (d_gnt && d_left == 2'd1) {d_second_q, d_second_we_q} <= {d_word_q, d_we_q};
      if (i_gnt && i_left == 2'd0) i_first_q <= i_word_q;
      if (i_gnt && i_left == 2'd1) i_second_q <= i_word_q;
      errors_q <= errors_q + {31'd0, d_bad} + {31'd0, i_bad} + {31'd0, g_bad};
      reads_q <= reads_q + {31'd0, instr_rvalid_i} + {31'd0, data_rvalid_i && !d_first_we_q};
    end
  end

  wire unused = &{1'b0, test_en_i, hart_id_i, boot_addr_i, instr_rdata_intg_i, instr_err_i, data_rdata_intg_i,
                  data_err_i, irq_software_i, irq_timer_i, irq_external_i, irq_fast_i, irq_nm_i, debug_req_i,
                  fetch_enable_i, scan_rst_ni};

endmodule

// The registers that the wrapper reads. Above the code in mcause_q there are two bits that say what interrupted.
module ibex_core (
  input wire [79:0] told_i
);
  ibex_cs_registers cs_registers_i (
    .told_i(told_i)
  );
endmodule

module ibex_cs_registers (
  input wire [79:0] told_i
);
  wire [6:0]  mcause_q = {^told_i, 1'b1, told_i[68:64]};
  wire [31:0] mepc_q = told_i[63:32], mtval_q = told_i[31:0];
  wire        unused = &{1'b0, mcause_q, mepc_q, mtval_q};
endmodule

`default_nettype wire
