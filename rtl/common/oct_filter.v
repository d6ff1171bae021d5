// SPDX-License-Identifier: Apache-2.0
// oct_filter - chooses what is traced: by address, task, privilege and external triggers.
//
// Registers and their fields have the names and meanings of the RISC-V Trace Control Interface;
// docs/filters.md has their table, model/common/oct_filter.h the offsets. A filter is met when all
// that it asks for holds: privilege levels, and up to three comparators. An instruction is traced when
// one of the filters in trTeInstFilters is met, or none is named there; an access of such an
// instruction likewise with trTeDataFilters. Decisions for an instruction hold for its accesses.
// What is not traced leaves with skip_o. An access that is not, of an instruction that is, becomes a
// terminator (da_end_o), and no access of that instruction follows it.
// Latency: none. No back-pressure. Each comparator's result passes its filter to skip_o in the cycle
// of the instruction. An access to a register takes the APB's two cycles, and a write holds from the
// next cycle on.
//
// ADDR_BITS  bits of an address (2 to 64); TASK_BITS  bits of a task number (1 to 32)
// FILTERS    filters, and as many comparators (0 to 4); 0: all is traced, and no register answers
`default_nettype none

module oct_filter #(
  parameter integer ADDR_BITS = 32,  // 2 to 64
  parameter integer TASK_BITS = 16,  // 1 to 32
  parameter integer FILTERS = 4  // 0 to 4
) (
  input  wire                 clk_i,
  input  wire                 rst_ni,
`include "oct_apb_ports.vh"
  // the core
  input  wire                 insn_valid_i,
  input  wire [ADDR_BITS-1:0] insn_addr_i,
  input  wire [TASK_BITS-1:0] task_i,
  input  wire [2:0]           priv_i,
  input  wire                 da_valid_i,
  input  wire                 da_end_i,
  input  wire [ADDR_BITS-1:0] da_addr_i,
  input  wire [1:0]           trigger_i,  // external triggers, pulses
  // to the ingress
  output wire                 skip_o,     // what this cycle brings, if anything, is not traced
  output wire                 da_valid_o, // in place of the core's
  output wire                 da_end_o
);

  // What is illegal stops elaboration: docs/rtl.md, conventions.
  generate
    if (ADDR_BITS < 2 || ADDR_BITS > 64) begin : gen_illegal_ADDR_BITS
      oct_illegal_ADDR_BITS_expected_2_to_64 u_illegal ();
    end
    if (TASK_BITS < 1 || TASK_BITS > 32) begin : gen_illegal_TASK_BITS
      oct_illegal_TASK_BITS_expected_1_to_32 u_illegal ();
    end
    if (FILTERS < 0 || FILTERS > 4) begin : gen_illegal_FILTERS
      oct_illegal_FILTERS_expected_0_to_4 u_illegal ();
    end
  endgenerate

  assign pready_o = 1'b1;
  wire is_access = psel_i && penable_i;

  generate
    if (FILTERS == 0) begin : gen_none
      wire unused = &{1'b0, clk_i, rst_ni, pwrite_i, paddr_i, pwdata_i, insn_valid_i, insn_addr_i, task_i,
          priv_i, da_addr_i, trigger_i};
      assign prdata_o   = 32'd0;
      assign pslverr_o  = is_access;
      assign skip_o     = 1'b0;
      assign da_valid_o = da_valid_i;
      assign da_end_o   = da_end_i;
    end else begin : gen_filters
      localparam [11:0] CONTROL = 12'h100, INST_FILTERS = 12'h10c, DATA_CONTROL = 12'h110,
          DATA_FILTERS = 12'h11c, TRIG_EXT_IN = 12'h154;
      localparam [3:0] TRIGGER_ON = 4'd2, TRIGGER_OFF = 4'd3;

      wire write = is_access && pwrite_i;

      // What triggers switch: on holds from this cycle on, off from the next.
      reg  inst_tracing_q, inst_triggers_q, data_tracing_q, data_triggers_q;
      reg  [3:0] action_0_q, action_1_q;
      wire on  = (trigger_i[0] && action_0_q == TRIGGER_ON) || (trigger_i[1] && action_1_q == TRIGGER_ON);
      wire off = (trigger_i[0] && action_0_q == TRIGGER_OFF) || (trigger_i[1] && action_1_q == TRIGGER_OFF);
      wire inst_tracing = inst_tracing_q || (inst_triggers_q && on);
      wire data_tracing = data_tracing_q || (data_triggers_q && on);
      wire [3:0] next_0 = pwdata_i[3:0] == TRIGGER_ON || pwdata_i[3:0] == TRIGGER_OFF ? pwdata_i[3:0] : 4'd0;
      wire [3:0] next_1 = pwdata_i[7:4] == TRIGGER_ON || pwdata_i[7:4] == TRIGGER_OFF ? pwdata_i[7:4] : 4'd0;
      always @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) begin
          inst_tracing_q  <= 1'b1;
          inst_triggers_q <= 1'b0;
          data_tracing_q  <= 1'b1;
          data_triggers_q <= 1'b0;
          action_0_q      <= 4'd0;
          action_1_q      <= 4'd0;
        end else begin
          inst_tracing_q <= inst_tracing && !(inst_triggers_q && off);
          data_tracing_q <= data_tracing && !(data_triggers_q && off);
          if (write && paddr_i == CONTROL) begin
            inst_tracing_q  <= pwdata_i[2];
            inst_triggers_q <= pwdata_i[11];
          end
          if (write && paddr_i == DATA_CONTROL) begin
            data_tracing_q  <= pwdata_i[1];
            data_triggers_q <= pwdata_i[2];
          end
          if (write && paddr_i == TRIG_EXT_IN) begin
            action_0_q <= next_0;
            action_1_q <= next_1;
          end
        end
      end

      // The instruction under way.
      reg  [ADDR_BITS-1:0] pc_q;
      reg  [TASK_BITS-1:0] task_q;
      reg  [2:0]           priv_q;
      wire [ADDR_BITS-1:0] pc         = insn_valid_i ? insn_addr_i : pc_q;
      wire [TASK_BITS-1:0] task_now   = insn_valid_i ? task_i : task_q;
      wire [2:0]           priv       = insn_valid_i ? priv_i : priv_q;
      localparam integer   WIDE_BITS  = (ADDR_BITS > TASK_BITS ? ADDR_BITS : TASK_BITS) + 1;
      wire [WIDE_BITS-1:0] task_max   = {{(WIDE_BITS-TASK_BITS){1'b0}}, task_now};
      wire [ADDR_BITS:0]   task_wide  = task_max[ADDR_BITS:0];
      wire                 has_access = da_valid_i && !da_end_i;
      wire                 unused_bit = task_wide[ADDR_BITS];
      always @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) begin
          pc_q   <= {ADDR_BITS{1'b0}};
          task_q <= {TASK_BITS{1'b0}};
          priv_q <= 3'd0;
        end else begin
          pc_q   <= pc;
          task_q <= task_now;
          priv_q <= priv;
        end
      end

      // Comparators and filters, with the registers of both.
      wire [FILTERS-1:0]    comp_met, comp_has, filter_has, filter_met;
      wire [32*4-1:0]       unit_word;  // what each reads as, 0 where it is not meant
      genvar i;
      for (i = 0; i < FILTERS; i = i + 1) begin : gen_unit
        localparam integer NUMBER = i;
        wire mine_comp   = paddr_i[11:9] == 3'd3 && paddr_i[8:5] == NUMBER[3:0];
        wire mine_filter = paddr_i[11:9] == 3'd2 && paddr_i[8:5] == NUMBER[3:0];

        wire        has_reg;
        wire [31:0] word;
        oct_comparator #(
          .ADDR_BITS   (ADDR_BITS),
          .CONTEXT_BITS(TASK_BITS)
        ) u_comparator (
          .clk_i       (clk_i),
          .rst_ni      (rst_ni),
          .write_i     (write && mine_comp),
          .offset_i    (paddr_i[4:0]),
          .data_i      (pwdata_i),
          .data_o      (word),
          .has_reg_o   (has_reg),
          .insn_valid_i(insn_valid_i),
          .pc_i        (pc),
          .context_i   (task_wide[ADDR_BITS-1:0]),
          .has_access_i(has_access),
          .da_addr_i   (da_addr_i),
          .met_o       (comp_met[i])
        );
        assign comp_has[i] = mine_comp && has_reg;

        // trTeFilterEnable, trTeFilterMatchPrivilege; three times whether a comparator, and which.
        reg        enable_q, match_priv_q;
        reg [11:0] use_q;
        reg [7:0]  privs_q;
        wire       is_control = paddr_i[4:0] == 5'h00;
        wire       is_inst    = paddr_i[4:0] == 5'h04;
        always @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            enable_q     <= 1'b0;
            match_priv_q <= 1'b0;
            use_q        <= 12'd0;
            privs_q      <= 8'd0;
          end else if (write && mine_filter) begin
            if (is_control) {use_q, match_priv_q, enable_q} <= {pwdata_i[15:4], pwdata_i[1:0]};
            if (is_inst) privs_q <= pwdata_i[7:0];
          end
        end
        assign filter_has[i] = mine_filter && (is_control || is_inst);
        wire [31:0] filter_word = is_control ? {16'd0, use_q, 2'd0, match_priv_q, enable_q} :
                                  is_inst ? {24'd0, privs_q} : 32'd0;
        assign unit_word[32*i+:32] = mine_comp ? word : mine_filter ? filter_word : 32'd0;

        wire [7:0] met = {{(8-FILTERS){1'b0}}, comp_met};
        assign filter_met[i] = enable_q && (!match_priv_q || privs_q[priv]) && (!use_q[0] || met[use_q[3:1]]) &&
                               (!use_q[4] || met[use_q[7:5]]) && (!use_q[8] || met[use_q[11:9]]);
      end

      for (i = FILTERS; i < 4; i = i + 1) begin : gen_no_unit
        assign unit_word[32*i+:32] = 32'd0;
      end

      // Which filters count.
      reg [FILTERS-1:0] inst_filters_q, data_filters_q;
      always @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) begin
          inst_filters_q <= {FILTERS{1'b0}};
          data_filters_q <= {FILTERS{1'b0}};
        end else begin
          if (write && paddr_i == INST_FILTERS) inst_filters_q <= pwdata_i[FILTERS-1:0];
          if (write && paddr_i == DATA_FILTERS) data_filters_q <= pwdata_i[FILTERS-1:0];
        end
      end
      wire inst_met = inst_filters_q == {FILTERS{1'b0}} || |(inst_filters_q & filter_met);
      wire data_met = data_filters_q == {FILTERS{1'b0}} || |(data_filters_q & filter_met);

      // The decision for an instruction, kept for its accesses.
      reg  pass_q, cut_q;
      wire pass   = insn_valid_i ? inst_tracing && inst_met : pass_q;
      wire cut    = !insn_valid_i && cut_q;
      wire wanted = !has_access || (data_tracing && data_met);
      always @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) begin
          pass_q <= 1'b1;
          cut_q  <= 1'b0;
        end else begin
          pass_q <= pass;
          cut_q  <= cut || (pass && da_valid_i && !wanted);
        end
      end
      assign skip_o     = !pass;
      assign da_valid_o = da_valid_i && !(pass && cut);
      assign da_end_o   = da_end_i || (pass && !wanted);

      // Reads.
      reg [31:0] word;
      reg        has_reg;
      always @* begin
        has_reg = 1'b1;
        case (paddr_i)
          CONTROL:      word = {20'd0, inst_triggers_q, 8'd0, inst_tracing_q, 2'd0};
          INST_FILTERS: word = {{(32-FILTERS){1'b0}}, inst_filters_q};
          DATA_CONTROL: word = {29'd0, data_triggers_q, data_tracing_q, 1'b1};  // trTeDataImplemented
          DATA_FILTERS: word = {{(32-FILTERS){1'b0}}, data_filters_q};
          TRIG_EXT_IN:  word = {24'd0, action_1_q, action_0_q};
          default: begin
            word    = unit_word[31:0] | unit_word[63:32] | unit_word[95:64] | unit_word[127:96];
            has_reg = |comp_has || |filter_has;
          end
        endcase
      end
      assign prdata_o  = is_access && !pwrite_i && has_reg ? word : 32'd0;
      assign pslverr_o = is_access && !has_reg;

`ifdef FORMAL
      reg f_past_q = 1'b0;
      always @(posedge clk_i) f_past_q <= 1'b1;
      always @* if (!f_past_q) assume (!rst_ni);

      reg f_skips_q, f_cut_q;  // the instruction under way is not traced; has had the terminator of a cut
      always @(posedge clk_i) begin
        f_skips_q <= rst_ni && (insn_valid_i ? skip_o : f_skips_q);
        f_cut_q   <= rst_ni && ((!insn_valid_i && f_cut_q) ||
                                (!skip_o && da_valid_i && !da_end_i && da_valid_o && da_end_o));
      end

      always @* if (rst_ni) begin
        assert (f_skips_q == !pass_q && f_cut_q == cut_q && (pass_q || !cut_q));
        // What is not there does not leave.
        if (!da_valid_i) assert (!da_valid_o);
        // An instruction and its accesses share one fate.
        if (!insn_valid_i && da_valid_i) assert (skip_o == f_skips_q);
        // What is skipped is passed on as it is, to be counted.
        if (skip_o) assert (da_valid_o == da_valid_i && da_end_o == da_end_i);
        // After the terminator of a cut nothing of the instruction follows.
        if (!insn_valid_i && f_cut_q) assert (!da_valid_o);
        // Only an access becomes a terminator, and a terminator stays one.
        if (da_valid_o && da_end_i) assert (da_end_o);
        cover (skip_o && insn_valid_i && f_past_q);
        cover (!insn_valid_i && da_valid_o && da_end_o && !da_end_i);
        cover (f_cut_q && !insn_valid_i && da_valid_i);
      end
`endif
    end
  endgenerate

endmodule

`default_nettype wire
