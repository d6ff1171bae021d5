// SPDX-License-Identifier: Apache-2.0
// oct_atb_cross - the trace bus (AMBA ATB v1.1) from the clock of its source to that of its receiver.
//
// Beats go through oct_async_fifo. A flush of the receiver crosses to the source as a bit that toggles; when the source has
// answered, a mark follows its last beat through the FIFO, and the receiver gets its answer when the mark comes out:
// so all that left the source before has been taken. A request for a sync crosses as a bit that toggles, and comes
// back; others meanwhile are one more.
// Each side runs in the cycles with its atclken. What the receiver sees comes from flip-flops.
// Latency: a beat STAGES + 2 cycles of the receiver's clock, at most. From DEPTH = 4 * STAGES on, a beat a cycle at clocks of
// the same speed; with a faster receiver always.
// The resets of both sides have to overlap in time; beats in the FIFO are lost. From the reset of the source's side to that of
// the receiver's some may come that nobody sent: reset the receiver's side first, or let it forget them.
// Its timing constraints are in rtl/octrace.sdc.
//
// DEPTH   a power of two, 2 or more
// STAGES  2 or more
`default_nettype none

module oct_atb_cross #(
  parameter integer DEPTH  = 8,  // a power of two from 2 on: beats in the FIFO
  parameter integer STAGES = 2   // from 2 on: flip-flops in a row that each signal crosses
) (
  // the source, with its clock and reset
  input  wire        s_clk_i,
  input  wire        s_rst_ni,
  input  wire        s_atclken_i,
  input  wire        s_atvalid_i,
  output wire        s_atready_o,
  input  wire [31:0] s_atdata_i,
  input  wire [1:0]  s_atbytes_i,
  input  wire [6:0]  s_atid_i,
  output wire        s_afvalid_o,
  input  wire        s_afready_i,
  output wire        s_syncreq_o,
  // the receiver, with its clock and reset
  input  wire        m_clk_i,
  input  wire        m_rst_ni,
  input  wire        m_atclken_i,
  output wire        m_atvalid_o,
  input  wire        m_atready_i,
  output wire [31:0] m_atdata_o,
  output wire [1:0]  m_atbytes_o,
  output wire [6:0]  m_atid_o,
  input  wire        m_afvalid_i,
  output wire        m_afready_o,
  input  wire        m_syncreq_i
);

  // What is illegal stops elaboration: in oct_async_fifo.

  // A beat: number of the source, bytes, data. Above it, whether it is the mark of a flush.
  localparam integer BEAT_BITS = 7 + 2 + 32;

  reg  m_flush_q;    // toggles when the receiver asks
  reg  m_sync_q;
  reg  s_mark_q;     // the source has answered, the mark is to be written
  wire s_flush, s_sync, m_sync_back;
  wire w_ready, r_valid, is_mark;
  wire [BEAT_BITS-1:0] beat;

  // The source's side. A beat and an answer do not come together.
  reg  s_afvalid_q, s_flush_q, s_sync_q, s_syncreq_q;
  assign s_atready_o = w_ready && !s_mark_q;
  assign s_afvalid_o = s_afvalid_q;
  assign s_syncreq_o = s_syncreq_q;
  always @(posedge s_clk_i or negedge s_rst_ni) begin
    if (!s_rst_ni) begin
      s_mark_q    <= 1'b0;
      s_afvalid_q <= 1'b0;
      s_flush_q   <= 1'b0;
      s_sync_q    <= 1'b0;
      s_syncreq_q <= 1'b0;
    end else begin
      if (w_ready) s_mark_q <= 1'b0;
      if (s_atclken_i) begin
        if (!s_afvalid_q) s_afvalid_q <= s_flush != s_flush_q;
        else if (s_afready_i) begin
          s_afvalid_q <= 1'b0;
          s_flush_q   <= s_flush;
          s_mark_q    <= 1'b1;
        end
        s_syncreq_q <= s_sync != s_sync_q && !s_syncreq_q;
        if (!s_syncreq_q) s_sync_q <= s_sync;
      end
    end
  end

  oct_sync #(.STAGES(STAGES), .WIDTH(2)) u_s_asks (
    .clk_i  (s_clk_i),
    .rst_ni (s_rst_ni),
    .async_i({m_flush_q, m_sync_q}),
    .sync_o ({s_flush, s_sync})
  );
  oct_sync #(.STAGES(STAGES)) u_m_sync (
    .clk_i  (m_clk_i),
    .rst_ni (m_rst_ni),
    .async_i(s_sync_q),
    .sync_o (m_sync_back)
  );

  // The receiver's side.
  reg                  m_atvalid_q, m_afready_q, m_asked_q, m_sync_waits_q;
  reg  [BEAT_BITS-1:0] m_beat_q;
  wire                 takes = m_atclken_i && (!m_atvalid_q || m_atready_i);

  oct_async_fifo #(.WIDTH(BEAT_BITS + 1), .DEPTH(DEPTH), .STAGES(STAGES)) u_fifo (
    .w_clk_i  (s_clk_i),
    .w_rst_ni (s_rst_ni),
    .w_valid_i(s_mark_q || (s_atclken_i && s_atvalid_i)),
    .w_ready_o(w_ready),
    .w_data_i ({s_mark_q, s_atid_i, s_atbytes_i, s_atdata_i}),
    .r_clk_i  (m_clk_i),
    .r_rst_ni (m_rst_ni),
    .r_valid_o(r_valid),
    .r_ready_i(takes),
    .r_data_o ({is_mark, beat})
  );

  assign m_atvalid_o = m_atvalid_q;
  assign m_afready_o = m_afready_q;
  assign {m_atid_o, m_atbytes_o, m_atdata_o} = m_beat_q;
  always @(posedge m_clk_i or negedge m_rst_ni) begin
    if (!m_rst_ni) begin
      m_atvalid_q    <= 1'b0;
      m_afready_q    <= 1'b0;
      m_asked_q      <= 1'b0;
      m_flush_q      <= 1'b0;
      m_sync_q       <= 1'b0;
      m_sync_waits_q <= 1'b0;
      m_beat_q       <= {BEAT_BITS{1'b0}};
    end else if (m_atclken_i) begin
      if (takes) m_atvalid_q <= r_valid && !is_mark;
      if (takes && r_valid && !is_mark) m_beat_q <= beat;
      m_afready_q <= takes && r_valid && is_mark && m_asked_q && !m_afready_q;
      if (m_afready_q) m_asked_q <= 1'b0;
      else if (m_afvalid_i && !m_asked_q) begin
        m_asked_q <= 1'b1;
        m_flush_q <= !m_flush_q;
      end
      m_sync_waits_q <= (m_sync_waits_q || m_syncreq_i) && m_sync_back != m_sync_q;
      if ((m_sync_waits_q || m_syncreq_i) && m_sync_back == m_sync_q) m_sync_q <= !m_sync_q;
    end
  end

endmodule

`default_nettype wire
