// SPDX-License-Identifier: Apache-2.0
// oct_bus_pass.vh - the ports of oct_bus_ports.vh handed on, last in an instance's list.

    .psel_i   (psel_i),
    .penable_i(penable_i),
    .pwrite_i (pwrite_i),
    .paddr_i  (paddr_i),
    .pwdata_i (pwdata_i),
    .prdata_o (prdata_o),
    .pready_o (pready_o),
    .pslverr_o(pslverr_o),
    .afvalid_i(afvalid_i),
    .atvalid_o(atvalid_o),
    .atdata_o (atdata_o),
    .atbytes_o(atbytes_o),
    .atid_o   (atid_o),
    .afready_o(afready_o)
