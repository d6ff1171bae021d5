// SPDX-License-Identifier: Apache-2.0
// oct_bus_check.vh - the rules of the trace bus beside that of a compressor, for its body, with OCT_ATB_CHECK defined.

`ifdef OCT_ATB_CHECK
`ifdef FORMAL
  localparam integer BUS_ASSUMED = 1;
`else
  localparam integer BUS_ASSUMED = 0;
`endif
  oct_atb_check #(
    .RECEIVER_ASSUMED(BUS_ASSUMED)
  ) u_atb_check (
    .clk_i    (clk_i),
    .rst_ni   (rst_ni),
    .atclken_i(atclken_i),
    .atvalid_i(atvalid_o),
    .atready_i(atready_i),
    .atdata_i (atdata_o),
    .atbytes_i(atbytes_o),
    .atid_i   (atid_o),
    .afvalid_i(afvalid_i),
    .afready_i(afready_o)
  );
`endif
