// SPDX-License-Identifier: Apache-2.0
// oct_soc.cpp - runs a program on a core that is traced, and checks the trace against the core.
//
// Three witnesses of each cycle: what the core's RVFI says it retired; the C model of the
// compressor, given the same core interface, which must answer as the Verilog does in each cycle;
// and at the end the decoder, which with the program's ELF file must give back every instruction
// and access that RVFI told of.
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

#include <verilated.h>

#include "Vdut.h"
#include "oct_machine.h"

extern "C" {
#include "oct_compare.h"
#include "oct_isa.h"
#include "oct_map.h"
#include "oct_mask.h"
#include "oct_program.h"
}

namespace {

enum { EXIT_EQUAL = 0, EXIT_DIFFER = 1, EXIT_USAGE = 2, EXIT_LOSS = 3, EXIT_INPUT = 4 };
enum : uint32_t {
  RDP = 0x1004,
  STS = 0x100c,
  RRD = 0x1010,
  RRP = 0x1014,
  RWP = 0x1018,
  CTL = 0x1020
};

int refuse(int code, const char *what, const char *why) {
  fprintf(stderr, "soc: %s: %s\n", what, why);
  return code;
}

// What the core retired, as a trace. Sizes and kinds of accesses are those of the instruction. The
// twin is told the program map as it comes.
class Expected {
 public:
  // Without a program, instructions are known by the words that RVFI tells.
  Expected(const Machine &machine, oct_program *program)
      : machine_(machine),
        program_(program),
        words_(program ? nullptr : oct_disasm_new(OCT_ISA_RISCV32)),
        tracker_(oct_map_tracker_new()) {
    if ((!program_ && !words_) || !tracker_) abort();
  }
  ~Expected() {
    oct_map_tracker_free(tracker_);
    oct_disasm_free(words_);
  }
  Expected(const Expected &) = delete;
  Expected &operator=(const Expected &) = delete;

  void add(uint64_t pc, uint32_t word, uint64_t base, uint32_t rmask, uint32_t wmask, Twin *twin) {
    const size_t first = accesses_.size();
    oct_insn insn = {};
    insn.addr = pc;
    insn.size_bytes = (word & 3) == 3 ? 4 : 2;
    oct_map_entry entry = {};
    bool is_known = describe(pc, word, &entry);
    const bool is_new = is_known && known_.insert(pc).second;
    for (int is_store = 0; is_store < 2; is_store++) {
      uint32_t mask = is_store ? wmask : rmask;
      if (!mask) continue;
      oct_access access = {};
      access.addr = base + static_cast<uint64_t>(__builtin_ctz(mask));
      access.is_store = static_cast<uint8_t>(is_store);
      unsigned slot = insn.n_access;
      unsigned log2 = is_known && slot < entry.n_slots ? entry.slots[slot] & OCT_SLOT_SIZE_MASK
                                                       : OCT_SLOT_SIZE_UNKNOWN;
      access.size_bytes = log2 == OCT_SLOT_SIZE_UNKNOWN ? 0 : static_cast<uint8_t>(1u << log2);
      accesses_.push_back(access);
      insn.n_access++;
    }
    track(&insn, accesses_.data() + first, is_new ? &entry : nullptr, twin);
    insns_.push_back(insn);
  }
  // The trap that stands before an instruction, as its RVFI tells.
  void add_trap(uint64_t pc, bool traps, bool begins_handler, uint8_t mode, uint32_t cause,
                uint64_t epc, uint64_t tval) {
    oct_trap trap = {};
    trap.insn = static_cast<uint32_t>(insns_.size());
    trap.privilege = mode;
    trap.kind = OCT_TRAP_PRIVILEGE;
    if (begins_handler || has_exception_) {
      trap.kind = static_cast<uint8_t>(has_exception_ ? OCT_TRAP_EXCEPTION : OCT_TRAP_INTERRUPT);
      trap.cause = cause;
      trap.addr = has_exception_ ? exception_ : epc;
      if (has_exception_) trap.tval = tval;
      traps_.push_back(trap);
    } else if (!traps && mode_ >= 0 && mode_ != mode) {
      traps_.push_back(trap);
    }
    has_exception_ = traps;
    exception_ = pc;
    if (!traps) mode_ = mode;
  }
  // A line for each: `t kind privilege cause address value`, `i address bytes`, `l|s address`.
  bool list(const char *path) const {
    FILE *file = fopen(path, "w");
    if (!file) return false;
    auto trap = traps_.begin();
    auto access = accesses_.begin();
    for (size_t i = 0; i < insns_.size(); i++) {
      for (; trap != traps_.end() && trap->insn == i; ++trap)
        fprintf(file, "t %u %u %u %" PRIx64 " %" PRIx64 "\n", trap->kind, trap->privilege,
                trap->cause, trap->addr, trap->tval);
      fprintf(file, "i %" PRIx64 " %u\n", insns_[i].addr, insns_[i].size_bytes);
      for (unsigned k = 0; k < insns_[i].n_access; k++, ++access)
        fprintf(file, "%c %" PRIx64 "\n", access->is_store ? 's' : 'l', access->addr);
    }
    return fclose(file) == 0;
  }
  size_t n_traps() const { return traps_.size(); }
  size_t n_insns() const { return insns_.size(); }
  size_t n_accesses() const { return accesses_.size(); }

  // Compare with what the bytes decode to: 0, or an error with *diag.
  int compare(const std::vector<uint8_t> &bytes, uint64_t *equal, oct_decoder_counts *counts,
              oct_diag *diag) {
    const oct_tracer_decoder &decode = machine_.tracer->decoder;
    void *decoder = nullptr;
    oct_decoded run;
    oct_compare *compare = oct_compare_new(0);
    if (!compare) abort();
    int error = track_error_;
    if (error) *diag = track_diag_;
    if (!error) error = decode.create(machine_.params, OCT_START_IN_STEP, &decoder, diag);
    if (!error) error = decode.map(decoder, updates_.data(), updates_.size(), diag);
    if (!error && machine_.param("traps"))
      error = oct_compare_expect_traps(compare, traps_.data(), traps_.size());
    if (!error) error = oct_compare_expect(compare, insns_.data(), insns_.size(), accesses_.data());
    if (!error) error = decode.push(decoder, bytes.data(), bytes.size(), diag);
    if (!error) decode.finish(decoder);
    while (!error && (error = decode.next(decoder, &run, diag)) > 0)
      error = oct_compare_run(compare, &run, diag);
    if (!error) error = oct_compare_end(compare, diag);
    *equal = oct_compare_equal(compare);
    if (decoder) decode.counts(decoder, counts);
    decode.destroy(decoder);
    oct_compare_free(compare);
    return error;
  }

 private:
  bool describe(uint64_t pc, uint32_t word, oct_map_entry *entry) {
    const uint8_t code[4] = {static_cast<uint8_t>(word), static_cast<uint8_t>(word >> 8),
                             static_cast<uint8_t>(word >> 16), static_cast<uint8_t>(word >> 24)};
    return program_ ? oct_program_insn(program_, pc, entry) != 0
                    : oct_disasm_insn(words_, pc, code, sizeof code, entry) != 0;
  }

  // Changes of the map that come with the instruction, which may get OCT_INSN_END.
  void track(oct_insn *insn, const oct_access *accesses, const oct_map_entry *entry, Twin *twin) {
    const oct_batch batch = {insn, 1, accesses, insn->n_access, entry, entry ? 1u : 0u, nullptr, 0};
    const oct_map_update *updates = nullptr;
    if (track_error_) return;
    const int64_t n = oct_map_track(tracker_, &batch, insn, &updates);
    if (n < 0) {
      track_error_ =
          oct_fail(&track_diag_, static_cast<int>(n), "instructions that no map explains");
      return;
    }
    updates_.insert(updates_.end(), updates, updates + n);
    track_error_ = twin->map(updates, static_cast<size_t>(n), &track_diag_);
  }

  const Machine &machine_;
  oct_program *program_;
  oct_disasm *words_;
  oct_map_tracker *tracker_;
  int track_error_ = 0;
  oct_diag track_diag_ = {};
  std::vector<oct_insn> insns_;
  std::vector<oct_access> accesses_;
  std::vector<oct_map_update> updates_;
  std::vector<oct_trap> traps_;
  bool has_exception_ = false;  // the instruction before trapped
  uint64_t exception_ = 0;
  int mode_ = -1;
  std::unordered_set<uint64_t> known_;
};

class Soc {
 public:
  Soc(const Machine &machine, VerilatedContext *context, Expected *expected)
      : top(std::make_unique<Vdut>(context)),
        model_(machine),
        expected_(expected),
        with_traps_(machine.param("traps") != 0),
        pins_(machine.param("port_pins")) {
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
    take_rvfi();
    in.retire.insn_valid = top->insn_valid_o;
    in.retire.insn_addr = top->insn_addr_o;
    in.retire.insn_size_bytes = top->insn_size_bytes_o;
    in.retire.insn_class = top->insn_class_o;
    in.retire.insn_word = top->insn_word_o;
    in.retire.insn_word_valid = top->insn_valid_o;
    in.retire.da_valid = top->da_valid_o;
    in.retire.da_end = top->da_end_o;
    in.retire.da_addr = top->da_addr_o;
    in.retire.priv = with_traps_ ? top->priv_o : 3;
    in.retire.trap_valid = top->trap_valid_o;
    in.retire.trap_kind = top->trap_kind_o;
    in.retire.trap_privilege = top->trap_privilege_o;
    in.retire.trap_cause = top->trap_cause_o;
    in.retire.trap_addr = top->trap_addr_o;
    in.retire.trap_tval = top->trap_tval_o;
    in.retire.core_error = top->core_error_o;
    in.afvalid = is_flushing && !model_flushed_;
    in.end = top->end_i;
    top->afvalid_i = is_flushing && !rtl_flushed_;
    top->eval();
    const oct_pins_bus bus = {true, true, false};
    if (OCT_SINK ? model_.cycle_bus(in, bus, &out, &diag) : model_.cycle(in, &out, &diag))
      difference = diag.text;
    compare(out);
    model_flushed_ |= is_flushing && out.afready;
    rtl_flushed_ |= is_flushing && top->afready_o;
    if (top->port_valid_o) take_pins(top->port_data_o);
    if (top->char_valid_o) putchar(top->char_o);
    edge();
    cycles++;
  }
  // Whether all that was retired has left both.
  bool is_flushed() const { return model_flushed_ && rtl_flushed_; }
  // Whether the pins are at rest, once the last bits have been padded.
  bool is_quiet() {
    top->eval();
    return OCT_SINK || !top->port_valid_o;
  }
  // One word of the sink over APB.
  uint32_t read(uint32_t addr) { return access(addr, false, 0); }
  void write(uint32_t addr, uint32_t data) { access(addr, true, data); }
  // All that the RAM sink holds, oldest first; false when it has lost the beginning.
  bool read_sink(std::vector<uint8_t> *bytes) {
    write(CTL, 0);
    uint32_t status = read(STS), end = read(RWP), last = (status >> 8 & 3) + 1;
    if (status & 1 && end) return false;
    write(RRP, 0);
    for (uint32_t i = 0; i < (status & 1 ? read(RDP) : end); i++) {
      uint32_t word = read(RRD);
      for (unsigned k = 0; k < 4; k++) bytes->push_back(static_cast<uint8_t>(word >> (8 * k)));
    }
    bytes->resize(bytes->size() - (bytes->empty() ? 0 : 4 - last));
    return true;
  }
  void take_rest() {
    if (held_bits_) bytes.push_back(static_cast<uint8_t>(held_));
    held_bits_ = 0;
  }

  std::unique_ptr<Vdut> top;
  std::vector<uint8_t> bytes;  // that left through the pins
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
  void take_rvfi() {
    if (top->error_o) return;  // nothing more is traced
    for (unsigned c = 0; c < OCT_CHANNELS; c++) {
      if (!(top->rvfi_valid_o >> c & 1)) continue;
      auto part = [c](uint64_t all, unsigned bits) {
        return bits >= 64 ? all : all >> (c * bits) & ((UINT64_C(1) << bits) - 1);
      };
      const bool traps = top->rvfi_trap_o >> c & 1;
      if (with_traps_)
        expected_->add_trap(part(top->rvfi_pc_o, 32), traps, top->rvfi_intr_o >> c & 1,
                            static_cast<uint8_t>(part(top->rvfi_mode_o, 2)), top->cause_o,
                            top->epc_o, top->tval_o);
      if (traps) continue;
      expected_->add(part(top->rvfi_pc_o, 32), static_cast<uint32_t>(part(top->rvfi_insn_o, 32)),
                     part(top->rvfi_mem_addr_o, 32),
                     static_cast<uint32_t>(part(top->rvfi_rmask_o, 4)),
                     static_cast<uint32_t>(part(top->rvfi_wmask_o, 4)), &model_);
    }
  }
  void take_pins(uint32_t data) {
    held_ |= static_cast<uint64_t>(data) << held_bits_;
    for (held_bits_ += pins_; held_bits_ >= 8; held_bits_ -= 8, held_ >>= 8)
      bytes.push_back(static_cast<uint8_t>(held_));
  }
  uint32_t access(uint32_t addr, bool is_write, uint32_t data) {
    top->psel_i = 1;
    top->penable_i = 0;
    top->pwrite_i = is_write;
    top->paddr_i = static_cast<SData>(addr);
    top->pwdata_i = data;
    top->eval();
    edge();
    top->penable_i = 1;
    top->eval();
    uint32_t value = top->prdata_o;
    edge();
    top->psel_i = top->penable_i = 0;
    top->eval();
    return value;
  }

  Twin model_;
  bool model_flushed_ = false, rtl_flushed_ = false;
  Expected *expected_;
  bool with_traps_;
  unsigned pins_;
  uint64_t held_ = 0;
  unsigned held_bits_ = 0;
};

int report(Soc &soc, Expected &expected, bool with_traps, const std::string &name) {
  std::vector<uint8_t> bytes;
  oct_diag diag = {};
  oct_decoder_counts counts = {};
  uint64_t equal = 0;
  if (OCT_SINK && !soc.read_sink(&bytes))
    return refuse(EXIT_INPUT, name.c_str(),
                  "the RAM sink has overwritten the beginning: make it larger");
  if (!OCT_SINK) {
    soc.take_rest();
    bytes = soc.bytes;
  }
  if (!soc.difference.empty()) return refuse(EXIT_DIFFER, name.c_str(), soc.difference.c_str());
  if (expected.compare(bytes, &equal, &counts, &diag))
    return refuse(EXIT_DIFFER, name.c_str(), diag.text);
  printf("%s: %zu instructions, %zu accesses, %" PRIu64 " cycles; %.3f port bits per instruction; ",
         name.c_str(), expected.n_insns(), expected.n_accesses(), soc.cycles,
         8.0 * static_cast<double>(bytes.size()) / static_cast<double>(expected.n_insns()));
  if (with_traps) printf("%zu traps equal; ", expected.n_traps());
  printf("model and Verilog equal; decoded: %" PRIu64 " instructions equal, %" PRIu64
         " instructions and %" PRIu64 " accesses lost\n",
         equal, counts.lost_insns, counts.lost_accesses);
  if (soc.top->exit_code_o)
    return refuse(EXIT_INPUT, name.c_str(), "the program says that it failed");
  return counts.lost_insns || counts.lost_accesses ? EXIT_LOSS : EXIT_EQUAL;
}

}  // namespace

// soc NAME PROGRAM.elf MAX-CYCLES +program=PROGRAM.hex LIST, or for a player of RVFI streams
// soc NAME - MAX-CYCLES +stream=FILE LIST; what was decoded goes into the file LIST, unless that is
// empty
int main(int argc, char **argv) {
  oct_diag diag = {};
  oct_program *program = nullptr;
  const Machine machine;
  if (argc != 6)
    return refuse(EXIT_USAGE, "soc", "expected NAME PROGRAM.elf|- MAX-CYCLES +FILE LIST");
  VerilatedContext context;
  context.commandArgs(argc, argv);
  if (argv[2][0] != '-' && oct_program_open(argv[2], 0, &program, &diag))
    return refuse(EXIT_INPUT, argv[2], diag.text);
  Expected expected(machine, program);
  const uint64_t limit = strtoull(argv[3], nullptr, 10);
  int code;
  {
    Soc soc(machine, &context, &expected);
    while (!soc.top->done_o && !soc.top->halted_o && soc.cycles < limit) soc.cycle();
    const bool is_done = soc.top->done_o;
    // The core goes on, but is not traced any more, while the debugger flushes the trace.
    soc.top->stop_i = 1;
    for (int i = 0; i < 8; i++) soc.cycle();
    soc.is_flushing = true;
    while (!soc.is_flushed()) soc.cycle();
    soc.top->end_i = 1;
    for (int i = 0; i < 2 || !soc.is_quiet(); i++) soc.cycle();
    code = EXIT_EQUAL;
    if (!is_done)
      code = refuse(EXIT_INPUT, argv[1],
                    soc.top->halted_o ? "the core has trapped" : "the program does not end");
    else if (soc.top->error_o)
      code = refuse(EXIT_INPUT, argv[1], "the core breaks the rules of RVFI, or retires too fast");
    else
      code = report(soc, expected, machine.param("traps") != 0, argv[1]);
    // What was decoded is what was expected, unless they differ.
    if (code == EXIT_EQUAL && *argv[5] && !expected.list(argv[5]))
      code = refuse(EXIT_INPUT, argv[5], "cannot be written");
  }
  if (program) oct_program_close(program);
  return code;
}
