// SPDX-License-Identifier: Apache-2.0
// test_apb - does the TLM-2.0 socket of the SystemC platform reach the registers, in the cycles of
// an APB access, answer as oct_apb.h says, and does the C model's module reset?
#include <cinttypes>
#include <cstdio>

#include <tlm_utils/simple_initiator_socket.h>

#include "oct_apb.h"
#include "oct_model.h"

extern "C" {
#include "oct_regs.h"
}

namespace {

using tlm::tlm_response_status;

unsigned failures, checks;

void check(bool is_good, const char *what, int line) {
  checks++;
  if (is_good) return;
  failures++;
  fprintf(stderr, "FAIL: line %d: %s\n", line, what);
}
#define CHECK(condition) check(condition, #condition, __LINE__)

const sc_core::sc_time CYCLE(10, sc_core::SC_NS);

SC_MODULE(Bench) {
  tlm_utils::simple_initiator_socket<Bench> socket{"socket"};
  sc_core::sc_clock clk{"clk", CYCLE};
  sc_core::sc_signal<bool> rst_n{"rst_n"};
  OctSignals signals;
  OctModel model;
  OctApb apb{"apb"};
  sc_core::sc_event begin_second, end_second;

  SC_HAS_PROCESS(Bench);
  Bench(sc_core::sc_module_name module_name, const Machine &machine)
      : sc_module(module_name), model("model", machine) {
    model.clk_i(clk);
    model.rst_ni(rst_n);
    oct_bind(model, signals, signals);
    apb.clk_i(clk);
#define OCT_X(type, port, member) apb.port(signals.port);
    OCT_APB_INPUTS(OCT_X)
    OCT_APB_OUTPUTS(OCT_X)
#undef OCT_X
    socket.bind(apb.socket);
    SC_THREAD(first);
    SC_THREAD(second);
  }

 private:
  // A whole transaction; data is 4 bytes.
  tlm_response_status access(tlm::tlm_command command, uint64_t address, uint32_t * data,
                             unsigned length = 4, unsigned streaming = 4,
                             unsigned char *enables = nullptr,
                             sc_core::sc_time delay = sc_core::SC_ZERO_TIME) {
    tlm::tlm_generic_payload trans;
    trans.set_command(command);
    trans.set_address(address);
    trans.set_data_ptr(reinterpret_cast<unsigned char *>(data));
    trans.set_data_length(length);
    trans.set_streaming_width(streaming);
    trans.set_byte_enable_ptr(enables);
    socket->b_transport(trans, delay);
    CHECK(delay == sc_core::SC_ZERO_TIME || trans.is_response_error());
    return trans.get_response_status();
  }
  tlm_response_status write(uint64_t address, uint32_t data) {
    return access(tlm::TLM_WRITE_COMMAND, address, &data);
  }
  // The register, or an address that no register has when the access failed.
  uint32_t read(uint64_t address) {
    uint32_t data = 0;
    return access(tlm::TLM_READ_COMMAND, address, &data) == tlm::TLM_OK_RESPONSE ? data : ~0u;
  }
  void check_defaults() {
    CHECK(read(OCT_REG_CTRL) == 1 && read(OCT_REG_ATID) == 1);
    CHECK(read(OCT_REG_SYNC_PERIOD) == 1048576);
    CHECK(signals.atid_o.read() == 1);
  }

  void first() {
    rst_n = false;
    wait(3.5 * CYCLE);
    rst_n = true;
    wait(CYCLE);
    check_defaults();
    CHECK(read(OCT_REG_ID) == OCT_REGS_ID);
    check_responses();
    check_time();

    // Registers keep what is written, and it acts.
    CHECK(write(OCT_REG_CTRL, 0) == tlm::TLM_OK_RESPONSE && read(OCT_REG_CTRL) == 0);
    CHECK(write(OCT_REG_SYNC_PERIOD, 0x12345678) == tlm::TLM_OK_RESPONSE);
    CHECK(read(OCT_REG_SYNC_PERIOD) == 0x12345678);
    CHECK(write(OCT_REG_ATID, 0x55) == tlm::TLM_OK_RESPONSE);
    wait(2 * CYCLE);  // the bus takes the number behind a beat, from the register
    CHECK(signals.atid_o.read() == 0x55);

    // Another initiator at the same time: each access is whole.
    begin_second.notify();
    for (uint32_t i = 1; i < 100; i++) {
      write(OCT_REG_ATID, i);
      CHECK(read(OCT_REG_ATID) == i);
    }
    wait(end_second);

    rst_n = false;
    wait(2 * CYCLE);
    rst_n = true;
    check_defaults();
    sc_core::sc_stop();
  }
  void second() {
    wait(begin_second);
    for (uint32_t i = 0; i < 120; i++) {
      write(OCT_REG_SYNC_PERIOD, 1000 + i);
      CHECK(read(OCT_REG_SYNC_PERIOD) == 1000 + i);
    }
    end_second.notify();
  }

  void check_responses() {
    const tlm::tlm_command read_command = tlm::TLM_READ_COMMAND;
    uint32_t data[2] = {7, 7};
    unsigned char enables = 0xff;
    CHECK(access(tlm::TLM_IGNORE_COMMAND, 0, data) == tlm::TLM_COMMAND_ERROR_RESPONSE);
    CHECK(access(read_command, 0, data, 4, 4, &enables) == tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
    CHECK(access(read_command, 0, data, 8, 8) == tlm::TLM_BURST_ERROR_RESPONSE);
    CHECK(access(read_command, 0, data, 2, 4) == tlm::TLM_BURST_ERROR_RESPONSE);
    CHECK(access(read_command, 0, data, 4, 2) == tlm::TLM_BURST_ERROR_RESPONSE);
    CHECK(access(read_command, 0x100, data) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
    CHECK(access(read_command, 2, data) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
    CHECK(data[0] == 7 && data[1] == 7);
    // What the register file itself refuses.
    CHECK(write(OCT_REG_ID, 5) == tlm::TLM_GENERIC_ERROR_RESPONSE);
    CHECK(write(OCT_REG_OVERFLOWS, 5) == tlm::TLM_GENERIC_ERROR_RESPONSE);
    CHECK(access(read_command, OCT_REG_CLEAR, data) == tlm::TLM_GENERIC_ERROR_RESPONSE);
    CHECK(access(read_command, 0xfc, data) == tlm::TLM_GENERIC_ERROR_RESPONSE);
    CHECK(write(OCT_REG_CLEAR, 0) == tlm::TLM_OK_RESPONSE);
    CHECK(read(OCT_REG_ID) == OCT_REGS_ID);
  }

  // From one edge to the next, two cycles on the bus; ahead of them the delay.
  void check_time() {
    uint32_t data;
    wait(clk.posedge_event());
    sc_core::sc_time start = sc_core::sc_time_stamp();
    CHECK(read(OCT_REG_ID) == OCT_REGS_ID);
    CHECK(sc_core::sc_time_stamp() == start + 3 * CYCLE);
    access(tlm::TLM_READ_COMMAND, OCT_REG_ID, &data, 4, 4, nullptr, 5 * CYCLE);
    CHECK(sc_core::sc_time_stamp() >= start + 10 * CYCLE);
    CHECK(sc_core::sc_time_stamp() <= start + 11 * CYCLE);
  }
};

}  // namespace

int sc_main(int, char **) {
  const Machine machine;
  Bench bench("bench", machine);
  sc_core::sc_start();
  printf("%u checks, %u failures\n", checks, failures);
  return failures || checks < 200;
}
