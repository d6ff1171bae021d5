// SPDX-License-Identifier: Apache-2.0
// test_comparator - does the SystemC comparator see each single wrong bit of the compressor's
// outputs, say where, and pass over what means nothing?
#include <cstdio>
#include <deque>

#include "oct_probe.h"

#include "../test_random.h"

namespace {

constexpr uint64_t CYCLES = 2000;

// Two compressors' outputs. From a cycle on they differ in a bit of a port, and before it, and
// always in a bench without port, only where that means nothing.
struct Bench {
  Bench(const std::string &port_name, unsigned wrong_bit, uint64_t at)
      : port(port_name),
        bit(wrong_bit),
        fault_at(at),
        model("model_" + port + std::to_string(bit)),
        rtl("rtl_" + port + std::to_string(bit)),
        comparator(("compare_" + port + std::to_string(bit)).c_str(), model, rtl) {}
  std::string port;
  unsigned bit;
  uint64_t fault_at;
  std::string expected;
  OctSignals model, rtl;
  OctComparator comparator;
};

unsigned width_bits(const std::string &port) {
  if (port == "atdata_o" || port == "prdata_o") return 32;
  if (port == "port_data_o") return OCT_PORT_PINS;
  if (port == "atid_o") return 7;
  return port == "atbytes_o" ? 2 : 1;
}

SC_MODULE(Driver) {
  sc_core::sc_clock clk{"clk", 10, sc_core::SC_NS};
  sc_core::sc_signal<bool> rst_n{"rst_n"};
  std::deque<Bench> benches;

  SC_HAS_PROCESS(Driver);
  explicit Driver(sc_core::sc_module_name module_name) : sc_module(module_name) {
    benches.emplace_back("", 0, UINT64_MAX);
#define OCT_X(type, port, member) add(#port);
    OCT_OUTPUTS(OCT_X)
#undef OCT_X
    for (Bench &bench : benches) {
      bench.comparator.clk_i(clk);
      bench.comparator.rst_ni(rst_n);
    }
    SC_METHOD(cycle);
    sensitive << clk.posedge_event();
    dont_initialize();
  }

 private:
  void add(const std::string &port) {
    for (unsigned bit = 0; bit < width_bits(port); bit++)
      benches.emplace_back(port, bit, 1 + random_u64() % (CYCLES - 1));
  }

  oct_pins_out outputs() {
    oct_pins_out out = {};
    out.atvalid = random_u64() % 2;
    out.atready = random_u64() % 2;
    out.atdata = static_cast<uint32_t>(random_u64());
    out.atbytes = static_cast<uint8_t>(random_u64() % 4);
    out.atid = static_cast<uint8_t>(random_u64() % 128);
    out.afready = random_u64() % 2;
    out.port.valid = random_u64() % 2;
    out.port.data = static_cast<uint32_t>(random_u64() & oct_mask(OCT_PORT_PINS));
    out.apb.prdata = static_cast<uint32_t>(random_u64());
    out.apb.pready = random_u64() % 2;
    out.apb.pslverr = random_u64() % 2;
    return out;
  }
  static uint64_t data_mask(const oct_pins_out &out) {
    return out.atvalid ? oct_mask(8 * (out.atbytes + 1u)) : 0;
  }
  // Give the bit that is to be wrong a meaning.
  static void qualify(oct_pins_out * out, const Bench &bench) {
    if (bench.port == "atdata_o" || bench.port == "atbytes_o") out->atvalid = true;
    if (bench.port == "atdata_o" && out->atbytes < bench.bit / 8) out->atbytes = 3;
    if (bench.port == "port_data_o") out->port.valid = true;
  }
  static void flip(oct_pins_out * out, const std::string &flipped, uint64_t mask) {
#define OCT_X(type, port, member) \
  if (flipped == #port) out->member = static_cast<decltype(out->member)>(out->member ^ mask);
    OCT_OUTPUTS(OCT_X)
#undef OCT_X
  }
  static uint64_t value(const oct_pins_out &out, const std::string &wanted) {
#define OCT_X(type, port, member) \
  if (wanted == #port) return out.member;
    OCT_OUTPUTS(OCT_X)
#undef OCT_X
    return 0;
  }
  static void write(OctSignals & signals, const oct_pins_out &out) {
#define OCT_X(type, port, member) signals.port = static_cast<type>(out.member);
    OCT_OUTPUTS(OCT_X)
#undef OCT_X
  }

  // What is written at an edge stands at the next, which is of the comparators' cycle cycle_.
  void cycle() {
    for (Bench &bench : benches) {
      oct_pins_out model = outputs();
      if (cycle_ == bench.fault_at) qualify(&model, bench);
      oct_pins_out rtl = model;
      if (cycle_ >= bench.fault_at) {
        flip(&rtl, bench.port, uint64_t{1} << bench.bit);
      } else {
        if (!model.atvalid) flip(&rtl, "atbytes_o", random_u64() % 4);
        if (!model.port.valid) flip(&rtl, "port_data_o", random_u64() & oct_mask(OCT_PORT_PINS));
        flip(&rtl, "atdata_o", static_cast<uint32_t>(random_u64()) & ~data_mask(model));
      }
      write(bench.model, model);
      write(bench.rtl, rtl);
      if (cycle_ != bench.fault_at) continue;
      uint64_t mask = bench.port == "atdata_o" ? data_mask(model) : UINT64_MAX;
      char text[160];
      snprintf(text, sizeof text, "cycle %" PRIu64 ", %s: model 0x%" PRIx64 ", rtl 0x%" PRIx64,
               cycle_, bench.port.c_str(), value(model, bench.port) & mask,
               value(rtl, bench.port) & mask);
      bench.expected = text;
    }
    rst_n = true;
    if (cycle_++ == CYCLES) sc_core::sc_stop();
  }

  uint64_t cycle_ = 0;
};

}  // namespace

int sc_main(int, char **) {
  seed_random("test_comparator");
  Driver driver("driver");
  sc_core::sc_start();
  unsigned failures = 0, faults = 0;
  for (const Bench &bench : driver.benches) {
    const std::string &found = bench.comparator.difference();
    faults += !bench.expected.empty();
    if (found == bench.expected) continue;
    fprintf(stderr, "FAIL: '%s', expected '%s'\n", found.c_str(), bench.expected.c_str());
    failures++;
  }
  printf("%u wrong bits, %zu comparators, %u failures\n", faults, driver.benches.size(), failures);
  return failures || faults + 1 != driver.benches.size();
}
