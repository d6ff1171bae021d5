// SPDX-License-Identifier: Apache-2.0
// oct_dut.h - a Verilated module beside its C twin: clock, comparison, waveform.
//
// The program that includes it is built by sim/verilate, which makes class Vdut. A Stage holds the
// C twin; its cycle() drives both with the same inputs and compares every output. Stimulus depends
// on the seed alone, so that a failing run is repeated to record its last cycles.
#ifndef OCT_DUT_H
#define OCT_DUT_H

#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <type_traits>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <verilated.h>
#if VM_TRACE
#include <verilated_fst_c.h>
#endif
#if VM_COVERAGE
#include <verilated_cov.h>
#endif

#include "Vdut.h"

// Random numbers of a simulation: xorshift64*, seeded by any number.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15u + 0x2545f4914f6cdd1du) {}
  uint64_t bits() {
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    return state_ * 0x2545f4914f6cdd1du;
  }
  uint32_t below(uint32_t n) { return n ? static_cast<uint32_t>((bits() >> 32) * n >> 32) : 0; }
  bool percent(uint32_t p) { return below(100) < p; }

 private:
  uint64_t state_;
};

// The n bits of a Verilated port from bit lo on, n at most 64.
template <class Port>
uint64_t port_bits(const Port &port, unsigned lo, unsigned n) {
  uint64_t mask = n >= 64 ? ~uint64_t{0} : (uint64_t{1} << n) - 1;
  if constexpr (std::is_integral_v<Port>) {
    return static_cast<uint64_t>(port) >> lo & mask;
  } else {
    uint64_t value = 0;
    for (unsigned i = 0; i < n; i++)
      value |= static_cast<uint64_t>(port[(lo + i) / 32] >> ((lo + i) % 32) & 1) << i;
    return value;
  }
}

template <class Port>
void set_port_bits(Port &port, unsigned lo, unsigned n, uint64_t value) {
  if constexpr (std::is_integral_v<Port>) {
    uint64_t mask = n >= 64 ? ~uint64_t{0} : (uint64_t{1} << n) - 1;
    port = static_cast<Port>((static_cast<uint64_t>(port) & ~(mask << lo)) | (value & mask) << lo);
  } else {
    for (unsigned i = 0; i < n; i++) {
      uint32_t bit = uint32_t{1} << ((lo + i) % 32);
      port[(lo + i) / 32] = (port[(lo + i) / 32] & ~bit) | (value >> i & 1 ? bit : 0);
    }
  }
}

// Where a waveform goes, a name of the program's own if that is empty, and what is in it: the last
// cycles before a difference, or all from a cycle on, whether there is one or not.
struct Wave {
  enum : uint64_t { LAST_CYCLES = 200 };
  std::string path;
  bool is_whole = false;
  uint64_t from = 0;

  // What to record once a run is known to differ at this cycle.
  static uint64_t start(uint64_t differs_at) {
    return differs_at > LAST_CYCLES ? differs_at - LAST_CYCLES : 0;
  }
  // The writer removes what has the name it is given, so that it gets the file that a link leads
  // to.
  static std::string target(const std::string &path) {
    std::error_code none;
    const std::filesystem::path resolved = std::filesystem::canonical(path, none);
    return none ? path : resolved.string();
  }
  // The file beside it that its writer makes for the names, and removes.
  static std::string names(const std::string &path) { return target(path) + ".hier"; }
  // Why none can be written to this file; empty when one can. Leaves no file that was not there.
  static std::string refusal(const std::string &path) {
#if VM_TRACE
    struct stat st;
    if (path.size() >= 4 && path.compare(path.size() - 4, 4, ".vcd") == 0)
      return "the format is FST: expected a name in .fst";
    if (!stat(path.c_str(), &st) && !S_ISREG(st.st_mode))
      return S_ISDIR(st.st_mode) ? strerror(EISDIR) : "expected a regular file";
    if (!lstat(path.c_str(), &st) && S_ISLNK(st.st_mode) && stat(path.c_str(), &st))
      return "a link that leads nowhere";
    if (!lstat(names(path).c_str(), &st))
      return names(path) + " exists, and the writer would remove it: give another name";
    int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    bool is_new = fd >= 0;
    if (!is_new && errno == EEXIST) fd = open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (fd < 0) return strerror(errno);
    close(fd);
    if (is_new) unlink(path.c_str());
    return "";
#else
    (void)path;
    return "this program was built without waveforms";
#endif
  }
};

// A module without a clock settles alone.
template <class Top>
auto oct_set_clock(Top &top, uint8_t clk, uint8_t rst_n, int) -> decltype(top.clk_i, void()) {
  top.clk_i = clk;
  top.rst_ni = rst_n;
}
template <class Top>
void oct_set_clock(Top &, uint8_t, uint8_t, long) {}

class Dut {
 public:
  // Waveform to path, from cycle trace_from on; none when path is empty.
  Dut(uint64_t seed, const std::string &path, uint64_t trace_from) : trace_from_(trace_from) {
    context.fatalOnError(false);
    context.randReset(2);
    context.randSeed(static_cast<int>(seed & 0x7fffffff) | 1);
#if VM_TRACE
    context.traceEverOn(true);
#endif
    top = std::make_unique<Vdut>(&context);
#if VM_TRACE
    if (!path.empty()) {
      fst_ = std::make_unique<VerilatedFstC>();
      top->trace(fst_.get(), 99);
      fst_->open(Wave::target(path).c_str());
    }
#else
    (void)path;
#endif
    reset();
  }
  ~Dut() {
    top->final();
#if VM_TRACE
    if (fst_) fst_->close();
#endif
  }
  Dut(const Dut &) = delete;
  Dut &operator=(const Dut &) = delete;

  // Settle the outputs of this cycle, once its inputs are set.
  void settle() {
    top->eval();
    dump(0);
    see_assertions();
  }
  // Compare an output; the first difference of all is kept.
  void compare(const char *port, uint64_t model, uint64_t rtl) {
    if (model == rtl || failed) return;
    failed = true;
    char text[160];
    snprintf(text, sizeof text, "cycle %" PRIu64 ", %s: model 0x%" PRIx64 ", rtl 0x%" PRIx64, cycle,
             port, model, rtl);
    difference = text;
  }
  void clock() {
    oct_set_clock(*top, 1, 1, 0);
    top->eval();
    dump(5);
    see_assertions();
    oct_set_clock(*top, 0, 1, 0);
    cycle++;
  }

  // What this run covered, to a new file in the folder that OCT_COVERAGE names, if it does.
  void write_coverage() {
#if VM_COVERAGE
    static unsigned number;
    const char *folder = getenv("OCT_COVERAGE");
    if (!folder) return;
    std::string path = std::string(folder) + "/" + std::to_string(getpid()) + "-" +
                       std::to_string(number++) + ".dat";
    context.coveragep()->write(path.c_str());
#endif
  }

  VerilatedContext context;
  std::unique_ptr<Vdut> top;
  uint64_t cycle = 0;
  bool failed = false;
  std::string difference;

  // Also in the middle of a run; the inputs stay as they are.
  void reset() {
    oct_set_clock(*top, 0, 1, 0);
    top->eval();
    oct_set_clock(*top, 0, 0, 0);
    top->eval();
    oct_set_clock(*top, 1, 0, 0);
    top->eval();
    oct_set_clock(*top, 0, 0, 0);
    top->eval();
    oct_set_clock(*top, 0, 1, 0);
  }

 private:
  // What was asserted in the Verilog and does not hold; Verilator has told its place.
  void see_assertions() {
    if (context.gotError() && !failed) compare("assertions", 1, 0);
  }
  void dump(unsigned phase) {
#if VM_TRACE
    if (fst_ && cycle >= trace_from_) fst_->dump(10 * cycle + phase);
#else
    (void)phase;
#endif
  }

  uint64_t trace_from_;
#if VM_TRACE
  std::unique_ptr<VerilatedFstC> fst_;
#endif
};

#endif
