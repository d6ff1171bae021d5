// SPDX-License-Identifier: Apache-2.0
// oct_soc - a core, its RAM, and the compressor that traces it: what scripts/soc simulates.
//
// The core is the module oct_soc_core of the core's own folder. RAM: RAM_WORDS words from address 0 on,
// loaded from the file of the plusarg +program. Devices: 0x10000000 ends the run with the value
// written; 0x10000004 sets the period of the timer in cycles, 0 = off; 0x10000008 writes a character;
// 0x1000000c acknowledges the timer's interrupt; 0x10000010, 0x10000014 and 0x10000018 take what a handler saw in
// its core's registers, cause, epc and, last, trap value. The memory answers in the next cycle.
// The compressor's trace bus ends in the pins of a trace port, or with SINK=1 in a RAM that the debugger
// reads (oct_ram_sink.v), or with SINK=2 in that RAM behind a formatter (oct_formatter.v), or with SINK=3 in an
// AXI4-Stream (oct_axis_bridge.v). Everything that the check needs is an output.
//
// Macros: OCT_COMPRESSOR, the compressor's module; OCT_PARAMETERS, its list of parameters; OCT_WORDS, if it
// takes instruction words; OCT_VALUES, if the core tells what it reads and writes.
`default_nettype none

module oct_soc #(
  parameter integer TASK_BITS = 16,
  parameter integer TRAPS = 0,
  parameter integer CAUSE_BITS = 6,
  parameter integer TIME_SOURCE = 0,   // 1: time counts the cycles since the reset, from 1 on
  parameter integer PORT_PINS = 16,
  parameter integer SINK = 0,          // 0 pins, 1 RAM sink, 2 RAM sink with frames, 3 AXI4-Stream
  parameter integer SINK_WORDS = 65536,
  parameter integer PACKET_BEATS = 16,  // of the AXI4-Stream
  parameter integer RAM_WORDS = 65536,
  parameter integer XLEN = 32,
  parameter integer CHANNELS = 1,
  parameter integer SECURE_MODE = 4     // privilege of the secure world, which may not be traced; 4: none
) (
  input  wire                       clk_i,
  input  wire                       rst_ni,
  // the debugger: bit 12 of the address chooses the sink
  input  wire                       psel_i,
  input  wire                       penable_i,
  input  wire                       pwrite_i,
  input  wire [12:0]                paddr_i,
  input  wire [31:0]                pwdata_i,
  output wire [31:0]                prdata_o,
  input  wire                       afvalid_i,  // a flush of what the trace bus ends in,
  output wire                       flush_done_o,
  output wire                       afvalid_o,  // which asks the compressor
  output wire                       afready_o,
  input  wire                       stop_i,  // nothing that the core retires is traced any more: as if it were halted
  input  wire                       end_i,
  // the end of the run, and its console
  output reg                        done_o,
  output reg  [31:0]                exit_code_o,
  output reg                        char_valid_o,
  output reg  [7:0]                 char_o,
  // what a handler saw
  output reg                        seen_valid_o,
  output reg  [31:0]                seen_cause_o,
  output reg  [31:0]                seen_epc_o,
  output reg  [31:0]                seen_tval_o,
  output wire                       halted_o,
  output wire                       error_o,
  output wire                       core_error_o,
  output wire                       gate_o,
  // what the core retires
  output wire [CHANNELS-1:0]        rvfi_valid_o,
  output wire [32*CHANNELS-1:0]     rvfi_insn_o,
  output wire [XLEN*CHANNELS-1:0]   rvfi_pc_o,
  output wire [XLEN*CHANNELS-1:0]   rvfi_mem_addr_o,
  output wire [XLEN/8*CHANNELS-1:0] rvfi_rmask_o,
  output wire [XLEN/8*CHANNELS-1:0] rvfi_wmask_o,
  output wire [CHANNELS-1:0]        rvfi_trap_o,
  output wire [CHANNELS-1:0]        rvfi_intr_o,
  output wire [CHANNELS-1:0]        rvfi_halt_o,
  output wire [2*CHANNELS-1:0]      rvfi_mode_o,
`ifdef OCT_VALUES
  output wire [XLEN*CHANNELS-1:0]   rvfi_pc_wdata_o,
  output wire [5*CHANNELS-1:0]      rvfi_rd_addr_o,
  output wire [XLEN*CHANNELS-1:0]   rvfi_rd_wdata_o,
  output wire [XLEN*CHANNELS-1:0]   rvfi_mem_rdata_o,
  output wire [XLEN*CHANNELS-1:0]   rvfi_mem_wdata_o,
`endif
  output wire [CAUSE_BITS-1:0]      cause_o,
  output wire [XLEN-1:0]            epc_o,
  output wire [XLEN-1:0]            tval_o,
  // the core interface of the compressor
  output wire                       insn_valid_o,
  output wire [XLEN-1:0]            insn_addr_o,
  output wire [3:0]                 insn_size_bytes_o,
  output wire [2:0]                 insn_class_o,
  output wire [31:0]                insn_word_o,
  output wire                       da_valid_o,
  output wire                       da_end_o,
  output wire [XLEN-1:0]            da_addr_o,
  output wire [2:0]                 priv_o,
  output wire                       trap_valid_o,
  output wire [1:0]                 trap_kind_o,
  output wire [2:0]                 trap_privilege_o,
  output wire [CAUSE_BITS-1:0]      trap_cause_o,
  output wire [XLEN-1:0]            trap_addr_o,
  output wire [XLEN-1:0]            trap_tval_o,
  output wire [63:0]                time_o,
  // the trace bus and the pins
  output wire                       atvalid_o,
  output wire                       atready_o,
  output wire [31:0]                atdata_o,
  output wire [1:0]                 atbytes_o,
  output wire                       port_valid_o,
  output wire [PORT_PINS-1:0]       port_data_o,
  // the AXI4-Stream
  output wire                       tvalid_o,
  input  wire                       tready_i,
  output wire [31:0]                tdata_o,
  output wire [3:0]                 tkeep_o,
  output wire                       tlast_o
);

  wire [CHANNELS-1:0] rvfi_valid;
  assign rvfi_valid_o = stop_i ? {CHANNELS{1'b0}} : rvfi_valid;

  wire        mem_valid;
  wire [31:0] mem_addr, mem_wdata;
  wire [3:0]  mem_wstrb;
  reg         mem_ready;
  reg  [31:0] mem_rdata;
  reg         irq_q;
  reg  [31:0] timer_period_q, timer_q;
  reg  [31:0] ram_q[0:RAM_WORDS-1];

  localparam integer RAM_BITS = $clog2(RAM_WORDS);
  wire [RAM_BITS-1:0] word_at = mem_addr[RAM_BITS+1:2];
  wire                is_device = mem_addr[31:28] == 4'd1;
  wire                is_write = mem_wstrb != 4'd0;

  reg [8*512-1:0] program_file;
  initial if ($value$plusargs("program=%s", program_file)) $readmemh(program_file, ram_q);

  integer b;
  always @(posedge clk_i) begin
    mem_ready <= 1'b0;
    if (mem_valid && !mem_ready) begin
      mem_ready <= 1'b1;
      mem_rdata <= is_device ? 32'd0 : ram_q[word_at];
      for (b = 0; b < 4; b = b + 1)
        if (!is_device && mem_wstrb[b]) ram_q[word_at][8*b+:8] <= mem_wdata[8*b+:8];
    end
  end

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      done_o         <= 1'b0;
      exit_code_o    <= 32'd0;
      char_valid_o   <= 1'b0;
      char_o         <= 8'd0;
      seen_valid_o   <= 1'b0;
      seen_cause_o   <= 32'd0;
      seen_epc_o     <= 32'd0;
      seen_tval_o    <= 32'd0;
      irq_q          <= 1'b0;
      timer_period_q <= 32'd0;
      timer_q        <= 32'd0;
    end else begin
      char_valid_o <= 1'b0;
      seen_valid_o <= 1'b0;
      if (timer_period_q != 32'd0) begin
        timer_q <= timer_q >= timer_period_q ? 32'd0 : timer_q + 32'd1;
        if (timer_q >= timer_period_q) irq_q <= 1'b1;
      end
      if (mem_valid && !mem_ready && is_device && is_write) begin
        case (mem_addr[4:2])
          3'd0: begin
            done_o      <= 1'b1;
            exit_code_o <= mem_wdata;
          end
          3'd1: timer_period_q <= mem_wdata;
          3'd2: begin
            char_valid_o <= 1'b1;
            char_o       <= mem_wdata[7:0];
          end
          3'd3: irq_q <= 1'b0;
          3'd4: seen_cause_o <= mem_wdata;
          3'd5: seen_epc_o <= mem_wdata;
          3'd6: begin
            seen_valid_o <= 1'b1;
            seen_tval_o  <= mem_wdata;
          end
          default: ;
        endcase
      end
    end
  end

  oct_soc_core #(
    .CHANNELS(CHANNELS)
  ) u_core (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .mem_valid_o     (mem_valid),
    .mem_addr_o      (mem_addr),
    .mem_wdata_o     (mem_wdata),
    .mem_wstrb_o     (mem_wstrb),
    .mem_ready_i     (mem_ready),
    .mem_rdata_i     (mem_rdata),
    .irq_i           (irq_q),
    .halted_o        (halted_o),
    .rvfi_trap_o     (rvfi_trap_o),
    .rvfi_intr_o     (rvfi_intr_o),
    .rvfi_halt_o     (rvfi_halt_o),
    .rvfi_mode_o     (rvfi_mode_o),
    .cause_o         (cause),
    .epc_o           (epc_o),
    .tval_o          (tval_o),
`ifdef OCT_VALUES
    .rvfi_pc_wdata_o (rvfi_pc_wdata_o),
    .rvfi_rd_addr_o  (rvfi_rd_addr_o),
    .rvfi_rd_wdata_o (rvfi_rd_wdata_o),
    .rvfi_mem_rdata_o(rvfi_mem_rdata_o),
    .rvfi_mem_wdata_o(rvfi_mem_wdata_o),
`endif
    .rvfi_valid_o    (rvfi_valid),
    .rvfi_insn_o     (rvfi_insn_o),
    .rvfi_pc_rdata_o (rvfi_pc_o),
    .rvfi_mem_addr_o (rvfi_mem_addr_o),
    .rvfi_mem_rmask_o(rvfi_rmask_o),
    .rvfi_mem_wmask_o(rvfi_wmask_o)
  );

  reg [63:0] time_q;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) time_q <= 64'd1;
    else time_q <= time_q + 64'd1;
  end

  wire [15:0] cause;  // of which as many bits are traced as the machine has
  assign cause_o = cause[CAUSE_BITS-1:0];

  oct_rvfi #(
    .XLEN      (XLEN),
    .CHANNELS  (CHANNELS),
    .TRAPS     (TRAPS),
    .CAUSE_BITS(CAUSE_BITS),
    .TIME_BITS (TIME_SOURCE != 0 ? 64 : 0)
  ) u_rvfi (
    .clk_i            (clk_i),
    .rst_ni           (rst_ni),
    .gate_i           (gate_o),
    .rvfi_valid_i     (rvfi_valid_o),
    .rvfi_insn_i      (rvfi_insn_o),
    .rvfi_pc_rdata_i  (rvfi_pc_o),
    .rvfi_mem_addr_i  (rvfi_mem_addr_o),
    .rvfi_mem_rmask_i (rvfi_rmask_o),
    .rvfi_mem_wmask_i (rvfi_wmask_o),
    .rvfi_trap_i      (rvfi_trap_o),
    .rvfi_intr_i      (rvfi_intr_o),
    .rvfi_halt_i      (rvfi_halt_o),
    .rvfi_mode_i      (rvfi_mode_o),
    .cause_i          (cause_o),
    .epc_i            (epc_o),
    .tval_i           (tval_o),
    .halted_i         (halted_o || stop_i),
    .time_i           (time_q),
    .insn_valid_o     (insn_valid_o),
    .insn_addr_o      (insn_addr_o),
    .insn_size_bytes_o(insn_size_bytes_o),
    .insn_class_o     (insn_class_o),
    .insn_word_o      (insn_word_o),
    .da_valid_o       (da_valid_o),
    .da_end_o         (da_end_o),
    .da_addr_o        (da_addr_o),
    .priv_o           (priv_o),
    .trap_valid_o     (trap_valid_o),
    .trap_kind_o      (trap_kind_o),
    .trap_privilege_o (trap_privilege_o),
    .trap_cause_o     (trap_cause_o),
    .trap_addr_o      (trap_addr_o),
    .trap_tval_o      (trap_tval_o),
    .time_o           (time_o),
    .error_o          (error_o),
    .core_error_o     (core_error_o)
  );

  wire [31:0] compressor_prdata, sink_prdata;
  wire        unused_answers, sink_pready, sink_pslverr, sink_afvalid;
  wire [6:0]  atid;
  wire [6:0]  tid;
  wire        port_ready, sink_ready, stream_ready;
  assign unused_answers = &{1'b0, sink_pready, sink_pslverr, atid, tid, mem_addr};
  assign prdata_o = paddr_i[12] ? sink_prdata : compressor_prdata;

  // A flush, also by a register of the sink.
  wire flush = afvalid_i || ((SINK == 1 || SINK == 2) && sink_afvalid);

  // Frames, each word of four bytes.
  wire        format_ready, format_valid, format_done, format_afvalid;
  wire [31:0] format_data;
  generate
    if (SINK == 2) begin : gen_frames
      oct_formatter #(
        .SOURCES(1)
      ) u_formatter (
        .clk_i       (clk_i),
        .rst_ni      (rst_ni),
        .atvalid_i   (atvalid_o),
        .atready_o   (format_ready),
        .atdata_i    (atdata_o),
        .atbytes_i   (atbytes_o),
        .atid_i      (atid),
        .afvalid_o   (format_afvalid),
        .afready_i   (afready_o),
        .flush_i     (flush),
        .flush_done_o(format_done),
        .valid_o     (format_valid),
        .ready_i     (sink_ready),
        .data_o      (format_data)
      );
    end else begin : gen_no_frames
      assign {format_ready, format_valid, format_done, format_afvalid} = 4'd0;
      assign format_data = 32'd0;
    end
  endgenerate
  assign atready_o    = SINK == 3 ? stream_ready : SINK == 2 ? format_ready : SINK == 1 ? sink_ready : port_ready;
  assign afvalid_o    = SINK == 2 ? format_afvalid : flush;
  assign flush_done_o = SINK == 2 ? format_done : afready_o;

  wire [31:0] dev_pwdata, dev_prdata;
  wire [11:0] dev_paddr;
  wire        dev_psel, dev_penable, dev_pwrite, dev_pready, dev_pslverr;
  oct_soc_debug #(
    .CHANNELS   (CHANNELS),
    .SECURE_MODE(SECURE_MODE)
  ) u_debug (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .psel_i       (psel_i && !paddr_i[12]),
    .penable_i    (penable_i),
    .pwrite_i     (pwrite_i),
    .paddr_i      (paddr_i[11:0]),
    .pwdata_i     (pwdata_i),
    .prdata_o     (compressor_prdata),
    .rvfi_valid_i (rvfi_valid_o),
    .rvfi_mode_i  (rvfi_mode_o),
    .gate_o       (gate_o),
    .dev_psel_o   (dev_psel),
    .dev_penable_o(dev_penable),
    .dev_pwrite_o (dev_pwrite),
    .dev_paddr_o  (dev_paddr),
    .dev_pwdata_o (dev_pwdata),
    .dev_prdata_i (dev_prdata),
    .dev_pready_i (dev_pready),
    .dev_pslverr_i(dev_pslverr)
  );

  `OCT_COMPRESSOR #(`OCT_PARAMETERS) u_compressor (
    .clk_i            (clk_i),
    .rst_ni           (rst_ni),
    .insn_valid_i     (insn_valid_o),
    .insn_addr_i      (insn_addr_o),
    .insn_size_bytes_i(insn_size_bytes_o),
    .task_i           ({TASK_BITS{1'b0}}),
    .da_valid_i       (da_valid_o),
    .da_end_i         (da_end_o),
    .da_addr_i        (da_addr_o),
`ifdef OCT_WORDS
    .insn_word_i      (insn_word_o),
    .insn_word_valid_i(insn_valid_o),
    .lead_valid_i     (1'b0),
    .lead_addr_i      ({XLEN{1'b0}}),
    .lead_size_bytes_i(4'd0),
    .lead_word_i      (32'd0),
    .lead_word_valid_i(1'b0),
`endif
    .trap_valid_i     (trap_valid_o),
    .trap_kind_i      (trap_kind_o),
    .trap_privilege_i (trap_privilege_o),
    .trap_cause_i     (trap_cause_o),
    .trap_addr_i      (trap_addr_o),
    .trap_tval_i      (trap_tval_o),
    .time_i           (time_o),
    .priv_i           (TRAPS != 0 ? priv_o : 3'd3),
    .trigger_i        (2'd0),
    .core_error_i     (core_error_o),
    .psel_i           (dev_psel),
    .penable_i        (dev_penable),
    .pwrite_i         (dev_pwrite),
    .paddr_i          (dev_paddr),
    .pwdata_i         (dev_pwdata),
    .prdata_o         (dev_prdata),
    .pready_o         (dev_pready),
    .pslverr_o        (dev_pslverr),
    .atclken_i        (1'b1),
    .atready_i        (atready_o),
    .afvalid_i        (afvalid_o),
    .syncreq_i        (1'b0),
    .atvalid_o        (atvalid_o),
    .atdata_o         (atdata_o),
    .atbytes_o        (atbytes_o),
    .atid_o           (atid),
    .afready_o        (afready_o)
  );

  oct_trace_port #(
    .PORT_PINS(PORT_PINS)
  ) u_port (
    .clk_i    (clk_i),
    .rst_ni   (rst_ni),
    .atvalid_i(SINK == 0 && atvalid_o && atready_o),
    .atdata_i (atdata_o),
    .atbytes_i(atbytes_o),
    .end_i    (end_i),
    .stall_i  (1'b0),
    .atready_o(port_ready),
    .valid_o  (port_valid_o),
    .data_o   (port_data_o)
  );

  oct_axis_bridge #(
    .PACKET_BEATS(PACKET_BEATS)
  ) u_stream (
    .clk_i    (clk_i),
    .rst_ni   (rst_ni),
    .atvalid_i(SINK == 3 && atvalid_o),
    .atdata_i (atdata_o),
    .atbytes_i(atbytes_o),
    .atid_i   (atid),
    .atready_o(stream_ready),
    .afvalid_i(SINK == 3 && afvalid_o),
    .afready_i(afready_o),
    .tvalid_o (tvalid_o),
    .tready_i (tready_i),
    .tdata_o  (tdata_o),
    .tkeep_o  (tkeep_o),
    .tlast_o  (tlast_o),
    .tid_o    (tid)
  );

  oct_ram_sink #(
    .DEPTH_WORDS(SINK_WORDS)
  ) u_sink (
    .clk_i    (clk_i),
    .rst_ni   (rst_ni),
    .atvalid_i(SINK == 2 ? format_valid : SINK == 1 && atvalid_o),
    .atdata_i (SINK == 2 ? format_data : atdata_o),
    .atbytes_i(SINK == 2 ? 2'd3 : atbytes_o),
    .atready_o(sink_ready),
    .afvalid_o(sink_afvalid),
    .afready_i(flush_done_o),
    .trigger_i(1'b0),
    .psel_i   (psel_i && paddr_i[12]),
    .penable_i(penable_i),
    .pwrite_i (pwrite_i),
    .paddr_i  (paddr_i[11:0]),
    .pwdata_i (pwdata_i),
    .prdata_o (sink_prdata),
    .pready_o (sink_pready),
    .pslverr_o(sink_pslverr)
  );

endmodule

`default_nettype wire
