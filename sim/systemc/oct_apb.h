// SPDX-License-Identifier: Apache-2.0
// oct_apb.h - the register file as a TLM-2.0 target: each transaction of 4 bytes becomes an APB
// access.
//
// b_transport waits for the two cycles of the access; several initiators take turns. Responses: OK,
// ADDRESS_ERROR (beyond the register file or not aligned), BURST_ERROR (not 4 bytes),
// COMMAND_ERROR, BYTE_ENABLE_ERROR, GENERIC_ERROR (the register file answered with pslverr).
#ifndef OCT_APB_H
#define OCT_APB_H

#include <cstring>

#include <tlm_utils/simple_target_socket.h>

#include "oct_signals.h"

SC_MODULE(OctApb) {
  tlm_utils::simple_target_socket<OctApb> socket{"socket"};
  sc_core::sc_in<bool> clk_i{"clk_i"};
#define OCT_X(type, port, member) sc_core::sc_out<type> port{#port};
  OCT_APB_INPUTS(OCT_X)
#undef OCT_X
#define OCT_X(type, port, member) sc_core::sc_in<type> port{#port};
  OCT_APB_OUTPUTS(OCT_X)
#undef OCT_X

  SC_CTOR(OctApb) {
    socket.register_b_transport(this, &OctApb::b_transport);
    SC_THREAD(drive);
  }

 private:
  static tlm::tlm_response_status check(tlm::tlm_generic_payload & trans) {
    if (trans.get_command() == tlm::TLM_IGNORE_COMMAND) return tlm::TLM_COMMAND_ERROR_RESPONSE;
    if (trans.get_byte_enable_ptr()) return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
    if (trans.get_data_length() != 4 || trans.get_streaming_width() < 4)
      return tlm::TLM_BURST_ERROR_RESPONSE;
    if (trans.get_address() > 0xff || trans.get_address() % 4)
      return tlm::TLM_ADDRESS_ERROR_RESPONSE;
    return tlm::TLM_OK_RESPONSE;
  }

  void b_transport(tlm::tlm_generic_payload & trans, sc_core::sc_time & delay) {
    tlm::tlm_response_status status = check(trans);
    if (status != tlm::TLM_OK_RESPONSE) {
      trans.set_response_status(status);
      return;
    }
    wait(delay);
    delay = sc_core::SC_ZERO_TIME;
    bus_.lock();
    trans_ = &trans;
    begin_.notify();
    wait(end_);
    bus_.unlock();
  }

  // The accesses, one at a time, of whatever process: signals are driven from one alone.
  void drive() {
    for (;; trans_ = nullptr, end_.notify()) {
      while (!trans_) wait(begin_);
      uint32_t data = 0;
      if (trans_->is_write()) memcpy(&data, trans_->get_data_ptr(), 4);
      wait(clk_i.posedge_event());
      psel_i = true;
      penable_i = false;
      pwrite_i = trans_->is_write();
      paddr_i = static_cast<uint32_t>(trans_->get_address());
      pwdata_i = data;
      wait(clk_i.posedge_event());
      penable_i = true;
      do wait(clk_i.posedge_event());
      while (!pready_o.read());
      data = prdata_o.read();
      psel_i = false;
      penable_i = false;
      if (!trans_->is_write()) memcpy(trans_->get_data_ptr(), &data, 4);
      trans_->set_response_status(pslverr_o.read() ? tlm::TLM_GENERIC_ERROR_RESPONSE
                                                   : tlm::TLM_OK_RESPONSE);
    }
  }

  tlm::tlm_generic_payload *trans_ = nullptr; /* under way */
  sc_core::sc_event begin_, end_;
  sc_core::sc_mutex bus_;
};

#endif
