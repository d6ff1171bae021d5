// SPDX-License-Identifier: Apache-2.0
// oct_soc.cpp - runs a program on a core that is traced, and checks the trace against the core.
//
// Witnesses of each cycle: what the core's RVFI says it retired; the C models of the adapter
// and of the compressor behind it, which must answer as the Verilog does in each cycle. At the end
// the decoder, which with the program's ELF file must give back every instruction and access that
// RVFI told of; and the program's own handlers, which write to a device what they found in the
// core's registers, so that cause, address and value of a trap rest on more than the core's
// wrapper.
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include <verilated.h>

#include "Vdut.h"
#include "oct_adapter_ports.h"
#include "oct_dut.h"
#include "oct_machine.h"
#include "oct_options.h"
#include "oct_soc_expected.h"

extern "C" {
#include "oct_mask.h"
#include "oct_plural.h"
#include "oct_rvfi.h"
#include "oct_unframe.h"
}

namespace {

enum { RVFI_DEPTH = 16 };  // of the queue of oct_rvfi, as oct_soc.v has it
enum { SINK_PINS, SINK_RAM, SINK_FRAMES, SINK_AXIS };
enum { PACKET_BEATS = 16 };  // of an AXI4-Stream, as oct_soc.v has it
enum { EXIT_LOSS = 3 };      // beside the others
enum : uint32_t { ERROR_ADDRESS = 1u << 1, ERROR_ADAPTER = 1u << 3 };  // bits of ERRORS
enum : uint32_t {
  ERRORS = 0x2c,
  RDP = 0x1004,
  STS = 0x100c,
  RRD = 0x1010,
  RRP = 0x1014,
  RWP = 0x1018,
  CTL = 0x1020,
  FFCR = 0x1304
};

int refuse(int code, const char *what, const char *why) {
  fprintf(stderr, "soc: %s: %s\n", what, why);
  return code;
}

class Soc {
 public:
  Soc(const Machine &machine, VerilatedContext *context, Expected *expected)
      : top(std::make_unique<Vdut>(context)),
        model_(machine),
        expected_(expected),
        with_traps_(machine.param("traps") != 0),
        with_time_(machine.param("time_source") != 0),
        pins_(machine.param("port_pins")) {
    oct_rvfi_init(&rvfi_, OCT_XLEN, OCT_CHANNELS, RVFI_DEPTH, with_traps_);
    top->clk_i = 0;
    top->rst_ni = 1;
    top->eval();
    top->rst_ni = 0;
    for (int i = 0; i < 4; i++) edge();
    top->rst_ni = 1;
  }
  ~Soc() { top->final(); }
  Soc(const Soc &) = delete;
  Soc &operator=(const Soc &) = delete;

  // One cycle of both; what differs first is told once.
  void cycle() {
    oct_pins_in in = {};
    oct_pins_out out;
    oct_diag diag = {};
    top->eval();
    take_adapter(&in.retire);
    take_rvfi();
    in.end = top->end_i;
    top->afvalid_i = is_flushing;
    top->tready_i = random_.below(8) != 0;  // a receiver that pauses
    top->eval();
    in.afvalid = top->afvalid_o;
    const oct_pins_bus bus = {static_cast<bool>(top->atready_o), true, false};
    if (OCT_SINK ? model_.cycle_bus(in, bus, &out, &diag) : model_.cycle(in, &out, &diag))
      difference = oct_diag_reason(&diag).text;
    compare(out);
    log_rvfi();
    is_flushing = is_flushing && !top->flush_done_o;
    if (top->port_valid_o) take_pins(top->port_data_o);
    if (OCT_SINK == SINK_AXIS) take_stream();
    if (top->char_valid_o) putchar(top->char_o);
    if (with_traps_ && top->seen_valid_o && !top->stop_i && !top->error_o)
      expected_->add_seen(top->seen_cause_o, top->seen_epc_o, top->seen_tval_o);
    edge();
    cycles++;
  }
  // Whether the pins are at rest, once the last bits have been padded, or the last packet has
  // ended.
  bool is_quiet() {
    top->eval();
    return OCT_SINK == SINK_AXIS ? !top->tvalid_o : OCT_SINK || !top->port_valid_o;
  }
  // Whether each packet of the stream has had an end.
  bool is_whole() const { return !packet_beats_; }
  // One word of the sink over APB.
  uint32_t read(uint32_t addr) { return access(addr, false, 0); }
  void write(uint32_t addr, uint32_t data) { access(addr, true, data); }
  // A flush, asked for in the RAM sink's register.
  void flush_sink() {
    access(FFCR, true, 1 << 6, true);
    while (access(FFCR, false, 0, true) >> 6 & 1) continue;
  }
  // All that the RAM sink holds, oldest first. Whether newer words have taken the place of the
  // beginning.
  bool read_sink(std::vector<uint8_t> *bytes) {
    write(CTL, 0);
    const uint32_t status = read(STS), end = read(RWP), last = (status >> 8 & 3) + 1;
    const uint32_t n_words = status & 1 ? read(RDP) : end;
    write(RRP, status & 1 ? end : 0);
    for (uint32_t i = 0; i < n_words; i++) {
      uint32_t word = read(RRD);
      for (unsigned k = 0; k < 4; k++) bytes->push_back(static_cast<uint8_t>(word >> (8 * k)));
    }
    bytes->resize(bytes->size() - (bytes->empty() ? 0 : 4 - last));
    return status & 1;
  }
  void take_rest() {
    if (held_bits_) bytes.push_back(static_cast<uint8_t>(held_));
    held_bits_ = 0;
  }

  std::unique_ptr<Vdut> top;
  std::vector<uint8_t> bytes;  // that left through the pins
  std::string rvfi;            // all that the core told, a line for each instruction
  std::string difference;
  uint64_t cycles = 0;
  bool is_flushing = false;

 private:
  void edge() {
    top->clk_i = 1;
    top->eval();
    top->clk_i = 0;
    top->eval();
  }
  void compare(const oct_pins_out &out) {
    compare("atvalid_o", out.atvalid, top->atvalid_o);
    compare("afready_o", out.afready, top->afready_o);
    if (out.atvalid) {
      const uint64_t mask = oct_mask(8 * (out.atbytes + 1u));
      compare("atbytes_o", out.atbytes, top->atbytes_o);
      compare("atdata_o", out.atdata & mask, top->atdata_o & mask);
    }
    if (OCT_SINK) return;
    compare("port_valid_o", out.port.valid, top->port_valid_o);
    if (out.port.valid) compare("port_data_o", out.port.data, top->port_data_o);
  }
  void compare(const char *port, uint64_t model, uint64_t rtl) {
    if (model == rtl || !difference.empty()) return;
    char text[160];
    snprintf(text, sizeof text, "cycle %" PRIu64 ", %s: model 0x%" PRIx64 ", rtl 0x%" PRIx64,
             cycles, port, model, rtl);
    difference = text;
  }
  // What retires in this cycle is of the secure world, which may not be traced.
  bool is_closed() const {
    for (unsigned c = 0; c < OCT_CHANNELS; c++)
      if ((top->rvfi_valid_o >> c & 1) && port_bits(top->rvfi_mode_o, 2 * c, 2) == OCT_SECURE_MODE)
        return true;
    return false;
  }
  // That of the core, as oct_soc.v has it.
  uint64_t time() const { return cycles + 1; }
  void take_rvfi() {
    if (top->error_o) {  // nothing more is traced, nor what broke the rule
      if (!has_error_) expected_->forget_cycle();
      has_error_ = true;
      return;
    }
    expected_->begin_cycle();
    if (is_closed() || rvfi_.loses) {
      const unsigned retired = top->rvfi_valid_o & ~top->rvfi_trap_o;
      // Without traps in the trace, what trapped would not be in it anyway.
      if (retired || with_traps_)
        expected_->leave_out(static_cast<unsigned>(__builtin_popcount(retired)), rvfi_.loses);
      return;
    }
    const unsigned halting = top->rvfi_valid_o & top->rvfi_trap_o & top->rvfi_halt_o;
    for (unsigned c = 0; c < OCT_CHANNELS; c++) {
      if (!(top->rvfi_valid_o >> c & 1)) continue;
      const uint64_t pc = port_bits(top->rvfi_pc_o, OCT_XLEN * c, OCT_XLEN);
      const bool traps = top->rvfi_trap_o >> c & 1;
      if (traps && !with_traps_) continue;
      const bool is_cut = expected_->pass_cut();
      if (with_traps_)
        expected_->add_trap(pc, traps, halting >> c & 1, (top->rvfi_intr_o >> c & 1) && !is_cut,
                            static_cast<uint8_t>(port_bits(top->rvfi_mode_o, 2 * c, 2)),
                            {top->cause_o, top->epc_o, top->tval_o, halting != 0});
      if (traps) continue;
      constexpr unsigned lanes = OCT_XLEN / 8;
      expected_->add(pc, static_cast<uint32_t>(port_bits(top->rvfi_insn_o, 32 * c, 32)),
                     port_bits(top->rvfi_mem_addr_o, OCT_XLEN * c, OCT_XLEN),
                     static_cast<uint32_t>(port_bits(top->rvfi_rmask_o, lanes * c, lanes)),
                     static_cast<uint32_t>(port_bits(top->rvfi_wmask_o, lanes * c, lanes)), time(),
                     &model_);
    }
  }
  // What the adapter in C makes of the same, which has to be what its Verilog gives; the model is
  // fed with it.
  void take_adapter(oct_retire *out) {
    oct_rvfi_in in[OCT_CHANNELS] = {};
    constexpr unsigned lanes = OCT_XLEN / 8;
    for (unsigned c = 0; c < OCT_CHANNELS; c++) {
      in[c].valid = top->rvfi_valid_o >> c & 1;
      in[c].insn = static_cast<uint32_t>(port_bits(top->rvfi_insn_o, 32 * c, 32));
      in[c].pc = port_bits(top->rvfi_pc_o, OCT_XLEN * c, OCT_XLEN);
      in[c].mem_addr = port_bits(top->rvfi_mem_addr_o, OCT_XLEN * c, OCT_XLEN);
      in[c].rmask = static_cast<uint8_t>(port_bits(top->rvfi_rmask_o, lanes * c, lanes));
      in[c].wmask = static_cast<uint8_t>(port_bits(top->rvfi_wmask_o, lanes * c, lanes));
      in[c].intr = top->rvfi_intr_o >> c & 1;
      in[c].trap = top->rvfi_trap_o >> c & 1;
      in[c].halt = top->rvfi_halt_o >> c & 1;
      in[c].mode = static_cast<uint8_t>(port_bits(top->rvfi_mode_o, 2 * c, 2));
      in[c].epc = top->epc_o;
      in[c].tval = top->tval_o;
      in[c].cause = top->cause_o;
      in[c].time = time();
    }
    compare("error_o", rvfi_.error, top->error_o);
    compare("gate_o", !is_closed(), top->gate_o);
    oct_rvfi_cycle(&rvfi_, !is_closed(), top->halted_o || top->stop_i, in, out);
    oct_adapter_compare(
        *out, *top, with_traps_, with_time_ ? 64 : 0,
        [this](const char *port, uint64_t model, uint64_t rtl) { compare(port, model, rtl); });
    if (!with_traps_) out->priv = 3;
  }
  // What the core reads and writes, as octrace reads it. An access begins at the first byte of its
  // mask. Causes stand where CORE-V's cores have them.
  void log_rvfi() {
#ifdef OCT_VALUES
    constexpr unsigned lanes = OCT_XLEN / 8;
    for (unsigned c = 0; c < OCT_CHANNELS; c++) {
      if (!(top->rvfi_valid_o >> c & 1)) continue;
      char text[256];
      const auto word = [c](const auto &port) { return port_bits(port, OCT_XLEN * c, OCT_XLEN); };
      const uint64_t insn = port_bits(top->rvfi_insn_o, 32 * c, 32);
      const uint64_t rmask = port_bits(top->rvfi_rmask_o, lanes * c, lanes);
      const uint64_t wmask = port_bits(top->rvfi_wmask_o, lanes * c, lanes);
      const unsigned first = rmask | wmask ? __builtin_ctzll(rmask | wmask) : 0;
      const uint64_t cause = static_cast<uint64_t>(top->cause_o) << 3;
      const bool traps = top->rvfi_trap_o >> c & 1, halts = top->rvfi_halt_o >> c & 1;
      if (rvfi.empty())
        rvfi =
            "pc_rdata insn trap intr mode mem_addr mem_rmask mem_wmask mem_rdata mem_wdata "
            "rd_addr rd_wdata pc_wdata\n";
      snprintf(
          text, sizeof text,
          "%0*" PRIx64 " %0*" PRIx64 " %" PRIx64 " %" PRIx64 " %" PRIx64 " %" PRIx64 " %" PRIx64
          " %" PRIx64 " %" PRIx64 " %" PRIx64 " %" PRIx64 " %" PRIx64 " %" PRIx64 "\n",
          OCT_XLEN / 4, word(top->rvfi_pc_o), (insn & 3) == 3 ? 8 : 4,
          (insn & 3) == 3 ? insn : insn & 0xffff, traps ? (halts ? cause | 3 : 1) : uint64_t{0},
          top->rvfi_intr_o >> c & 1 ? cause | 1 : uint64_t{0},
          port_bits(top->rvfi_mode_o, 2 * c, 2), word(top->rvfi_mem_addr_o) + first, rmask >> first,
          wmask >> first, word(top->rvfi_mem_rdata_o) >> 8 * first,
          word(top->rvfi_mem_wdata_o) >> 8 * first, port_bits(top->rvfi_rd_addr_o, 5 * c, 5),
          word(top->rvfi_rd_wdata_o), word(top->rvfi_pc_wdata_o));
      rvfi += text;
    }
#endif
  }
  void take_pins(uint32_t data) {
    held_ |= static_cast<uint64_t>(data) << held_bits_;
    for (held_bits_ += pins_; held_bits_ >= 8; held_bits_ -= 8, held_ >>= 8)
      bytes.push_back(static_cast<uint8_t>(held_));
  }
  // A transfer of the AXI4-Stream. What is offered stays until it is taken, and a packet is as long
  // as it may be.
  void take_stream() {
    const uint64_t now = top->tdata_o | static_cast<uint64_t>(top->tkeep_o) << 32 |
                         static_cast<uint64_t>(top->tlast_o) << 36 |
                         static_cast<uint64_t>(top->tvalid_o) << 37;
    if (offered_) compare("the transfer that is offered", offered_, now);
    offered_ = top->tvalid_o && !top->tready_i ? now : 0;
    if (!top->tvalid_o || !top->tready_i) return;
    for (unsigned k = 0; k < 4; k++)
      if (top->tkeep_o >> k & 1) bytes.push_back(static_cast<uint8_t>(top->tdata_o >> (8 * k)));
    packet_beats_++;
    if (packet_beats_ == PACKET_BEATS) compare("tlast_o", 1, top->tlast_o);
    if (top->tlast_o) packet_beats_ = 0;
  }
  // One access over APB; with the model's cycles too, or when there is nothing left to compare.
  uint32_t access(uint32_t addr, bool is_write, uint32_t data, bool in_step = false) {
    top->psel_i = 1;
    top->penable_i = 0;
    top->pwrite_i = is_write;
    top->paddr_i = static_cast<SData>(addr);
    top->pwdata_i = data;
    top->eval();
    in_step ? cycle() : edge();
    top->penable_i = 1;
    top->eval();
    uint32_t value = top->prdata_o;
    in_step ? cycle() : edge();
    top->psel_i = top->penable_i = 0;
    top->eval();
    return value;
  }

  Twin model_;
  oct_rvfi rvfi_;
  bool has_error_ = false;
  Expected *expected_;
  bool with_traps_, with_time_;
  unsigned pins_;
  uint64_t held_ = 0;
  unsigned held_bits_ = 0;
  Random random_{1};      // of the receiver of a stream
  uint64_t offered_ = 0;  // a transfer that has not been taken
  unsigned packet_beats_ = 0;
};

// The bytes that frames of CoreSight carry, in their place; false if these are no whole frames.
bool unframe(std::vector<uint8_t> *bytes) {
  std::vector<uint8_t> all;
  oct_unframe frames = {};
  oct_unframed carried[OCT_UNFRAMED_MAX];
  for (uint8_t byte : *bytes) {
    const int n = oct_unframe_put(&frames, byte, carried);
    if (n < 0) return false;
    for (int i = 0; i < n; i++) all.push_back(carried[i].byte);
  }
  *bytes = all;
  return !oct_unframe_is_cut(&frames);
}

template <typename Bytes>
bool write_bytes(const Bytes &bytes, const char *path) {
  FILE *file = fopen(path, "wb");
  if (!file) return false;
  const bool is_whole = fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
  return fclose(file) == 0 && is_whole;
}

int report(Soc &soc, Expected &expected, bool with_traps, const std::string &name,
           const char *bytes_file) {
  std::vector<uint8_t> bytes;
  oct_diag diag = {};
  oct_decoder_counts counts = {};
  uint64_t equal = 0;
  size_t traps = 0;
  constexpr bool is_ram = OCT_SINK == SINK_RAM || OCT_SINK == SINK_FRAMES;
  const bool is_cut = is_ram && soc.read_sink(&bytes);
  if (is_cut && !OCT_RING)
    return refuse(
        EXIT_INPUT, name.c_str(),
        "the trace does not fit the RAM sink: expected less than 256 KiB, by a shorter program or "
        "a tracer that needs less, or another --sink, or --sink-words to keep the end alone");
  if (OCT_SINK == SINK_FRAMES && !unframe(&bytes))
    return refuse(EXIT_DIFFER, name.c_str(),
                  "the RAM sink does not hold whole frames of CoreSight");
  if (!soc.is_whole())
    return refuse(EXIT_DIFFER, name.c_str(), "the last packet of the AXI4-Stream has no end");
  if (!is_ram) {
    soc.take_rest();
    bytes = soc.bytes;
  }
  if (*bytes_file && !write_bytes(bytes, bytes_file))
    return refuse(EXIT_INPUT, bytes_file, "cannot be written");
  if (expected.compare(bytes, is_cut, &equal, &traps, &counts, &diag))
    return refuse(EXIT_DIFFER, name.c_str(), oct_diag_reason(&diag).text);
  if (soc.top->error_o) {
    if (!counts.gaps) return refuse(EXIT_DIFFER, name.c_str(), "no gap where a rule is broken");
    if (!(soc.read(ERRORS) & ERROR_ADAPTER))
      return refuse(EXIT_DIFFER, name.c_str(), "bit 3 of ERRORS is not set where a rule is broken");
    const std::string says = "the core breaks the rules of RVFI: the trace has the " +
                             std::to_string(equal) +
                             " instructions before that, and a gap behind them";
    return refuse(EXIT_INPUT, name.c_str(), says.c_str());
  }
  if (expected.n_unknown_traps() && !is_cut && !counts.gaps)
    return refuse(EXIT_DIFFER, name.c_str(), "no gap where RVFI does not tell the cause of a trap");
  if (expected.has_cuts() && !(soc.read(ERRORS) & ERROR_ADAPTER))
    return refuse(EXIT_DIFFER, name.c_str(),
                  "bit 3 of ERRORS is not set where instructions were left out");
  if (expected.is_seen_otherwise(&diag))
    return refuse(EXIT_DIFFER, name.c_str(), oct_diag_reason(&diag).text);
  printf("%s: %zu instruction%s, %zu access%s, %" PRIu64 " cycles; ", name.c_str(),
         expected.n_insns(), OCT_S(expected.n_insns()), expected.n_accesses(),
         OCT_ES(expected.n_accesses()), soc.cycles);
  if (is_cut)
    printf("the last %zu bytes are kept; ", bytes.size());
  else
    printf("%.3f port bits per instruction; ",
           8.0 * static_cast<double>(bytes.size()) / static_cast<double>(expected.n_insns()));
  if (expected.n_left_out())
    printf("%zu instruction%s of the secure world left out; ", expected.n_left_out(),
           OCT_S(expected.n_left_out()));
  if (expected.n_lost())
    printf("%zu instruction%s lost in the queue of the adapter; ", expected.n_lost(),
           OCT_S(expected.n_lost()));
  const size_t lost_traps =
      (with_traps && !is_cut ? expected.n_traps() - traps : 0) + expected.n_unknown_traps();
  if (lost_traps) printf("%zu trap%s lost; ", lost_traps, OCT_S(lost_traps));
  if (with_traps) printf("%zu trap%s equal; ", traps, OCT_S(traps));
  if (expected.n_seen())
    printf("%zu handler%s saw them; ", expected.n_seen(), OCT_S(expected.n_seen()));
  const uint64_t times = expected.n_times();
  if (times) printf("%" PRIu64 " stamp%s equal; ", times, OCT_S(times));
  printf("model and Verilog equal; decoded: %" PRIu64 " instruction%s equal, %" PRIu64
         " instruction%s and %" PRIu64 " access%s lost\n",
         equal, OCT_S(equal), counts.lost_insns, OCT_S(counts.lost_insns), counts.lost_accesses,
         OCT_ES(counts.lost_accesses));
  if (soc.top->exit_code_o)
    return refuse(EXIT_INPUT, name.c_str(), "the program says that it failed");
  if (soc.top->halted_o && !expected.has_seen_halt())
    return refuse(EXIT_INPUT, name.c_str(), "the core has trapped");
  const bool is_lost = counts.lost_insns || counts.lost_accesses || lost_traps || expected.n_lost();
  if (is_lost && (soc.read(ERRORS) & ERROR_ADDRESS))
    return refuse(
        EXIT_LOSS, name.c_str(),
        "the core retired addresses that are not multiples of 4, so bit 1 of ERRORS is set: "
        "expected align_bits = 1 in core.ini");
  return is_lost ? int{EXIT_LOSS} : int{EXIT_EQUAL};
}

}  // namespace

// soc NAME PROGRAM.elf MAX-CYCLES +program=PROGRAM.hex LIST, or for a player of RVFI streams
// soc NAME - MAX-CYCLES +stream=FILE LIST; what was decoded goes into the file LIST, unless that is
// empty. FLUSH behind these: cycles from a flush to the next, 0 for none but the last. BYTES: a
// file for what left the trace bus or the pins, unless that is empty. RVFI: likewise, for what the
// core told
int main(int argc, char **argv) {
  oct_diag diag = {};
  oct_program *program = nullptr;
  const Machine machine;
  if (oct_begin("soc")) return EXIT_INPUT;
  if (argc != 9)
    return refuse(EXIT_USAGE, "soc",
                  "expected NAME PROGRAM.elf|- MAX-CYCLES +FILE LIST FLUSH BYTES RVFI");
  VerilatedContext context;
  context.commandArgs(argc, argv);
  if (argv[2][0] != '-' && oct_program_open(argv[2], 0, &program, &diag))
    return refuse(EXIT_INPUT, argv[2], oct_diag_reason(&diag).text);
  Expected expected(machine, program);
  const uint64_t limit = strtoull(argv[3], nullptr, 10), flush = strtoull(argv[6], nullptr, 10);
  int code;
  {
    Soc soc(machine, &context, &expected);
    while (!soc.top->done_o && !soc.top->halted_o && soc.cycles < limit) {
      soc.is_flushing = soc.is_flushing || (flush && soc.cycles % flush == flush - 1);
      soc.cycle();
    }
    const bool is_done = soc.top->done_o || soc.top->halted_o;
    if (soc.top->halted_o) soc.cycle();  // in which it tells why
    // The core goes on, but is not traced any more, while the debugger flushes the trace.
    soc.top->stop_i = 1;
    expected.halt();
    for (int i = 0; i < 8; i++) soc.cycle();
    while (soc.is_flushing) soc.cycle();
    if (OCT_SINK == SINK_RAM || OCT_SINK == SINK_FRAMES) {
      soc.flush_sink();
    } else {
      soc.is_flushing = true;
      while (soc.is_flushing) soc.cycle();
    }
    soc.top->end_i = 1;
    for (int i = 0; i < 2 || !soc.is_quiet(); i++) soc.cycle();
    code = EXIT_EQUAL;
    const std::string no_end =
        "the program does not end within " + std::to_string(limit) + " cycles (see --max-cycles)";
    if (!is_done)
      code = refuse(EXIT_INPUT, argv[1], no_end.c_str());
    else if (expected.is_foreign(&diag))
      code = refuse(EXIT_INPUT, argv[1], oct_diag_reason(&diag).text);
    else if (!soc.difference.empty())
      code = refuse(EXIT_DIFFER, argv[1], soc.difference.c_str());
    else if (!expected.n_insns())
      code = refuse(EXIT_INPUT, argv[1], "the core has retired no instruction");
    else
      code = report(soc, expected, machine.param("traps") != 0, argv[1], argv[7]);
    // What was decoded is what was expected, unless they differ.
    if (code == EXIT_EQUAL && *argv[5] && !expected.list(argv[5]))
      code = refuse(EXIT_INPUT, argv[5], "cannot be written");
    if (code == EXIT_EQUAL && *argv[8] && !write_bytes(soc.rvfi, argv[8]))
      code = refuse(EXIT_INPUT, argv[8], "cannot be written");
  }
  if (program) oct_program_close(program);
  return oct_finish("soc", code);
}
