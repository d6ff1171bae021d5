// SPDX-License-Identifier: Apache-2.0
// oct_soc_expected.h - what a core retired, by its RVFI, and whether a trace decodes to that.
#ifndef OCT_SOC_EXPECTED_H
#define OCT_SOC_EXPECTED_H

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <unordered_map>
#include <vector>

#include "oct_machine.h"

extern "C" {
#include "octrace/container.h"
#include "octrace/trace.h"
#include "octrace/map.h"
#include "oct_mask.h"
}

// What the core retired, as a trace. Sizes and kinds of accesses are those of the instruction. The
// twin is told the program map as it comes. Where stamps are of the core's time, each that is
// decoded has to be that of the cycle in which the core retired its instruction.
class Expected {
 public:
  // Without a program, instructions are known by the words that RVFI tells.
  Expected(const Machine &machine, oct_program *program)
      : machine_(machine),
        program_(program),
        is_core_time_(machine.param("time_source") != 0),
        words_(program ? nullptr : oct_disasm_new(isa_of(machine))),
        tracker_(oct_map_tracker_new()) {
    if ((!program_ && !words_) || !tracker_) abort();
    oct_map_tracker_keep_counts(tracker_);
  }
  ~Expected() {
    oct_map_tracker_free(tracker_);
    oct_disasm_free(words_);
  }
  Expected(const Expected &) = delete;
  Expected &operator=(const Expected &) = delete;

  void add(uint64_t pc, uint32_t word, uint64_t base, uint32_t rmask, uint32_t wmask, uint64_t time,
           Twin *twin) {
    const size_t first = accesses_.size();
    oct_insn insn = {};
    insn.addr = pc;
    insn.cycle = time;
    insn.size_bytes = (word & 3) == 3 ? 4 : 2;
    oct_map_entry entry = {};
    if (insn.size_bytes == 2) word &= 0xffff;
    const bool is_known = describe(pc, word, &entry), is_changed = is_other(pc, word);
    if (!is_known) {  // an illegal one, which may stand where another was
      entry = {};
      entry.addr = pc;
      entry.size_bytes = insn.size_bytes;
    }
    if (is_changed) check_code(pc, word, insn.size_bytes);
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
    track(&insn, accesses_.data() + first, is_changed ? &entry : nullptr, twin);
    insns_.push_back(insn);
  }
  // Whether no decoder with the program alone could know what retired; why, in *diag.
  bool is_foreign(oct_diag *diag) const {
    if (foreign_diag_.text[0]) *diag = foreign_diag_;
    return foreign_diag_.text[0];
  }
  // What a handler is told in a cycle; or, where an exception of it halts the core, what that would
  // tell.
  struct Told {
    uint32_t cause;
    uint64_t epc, tval;
    bool is_of_halt;
  };
  // The trap that stands before an instruction, as its RVFI tells, and that in which it ends.
  void add_trap(uint64_t pc, bool traps, bool halts, bool begins_handler, uint8_t mode,
                const Told &told) {
    oct_trap trap = {};
    trap.insn = static_cast<uint32_t>(insns_.size());
    trap.privilege = mode;
    trap.kind = OCT_TRAP_PRIVILEGE;
    // An interrupt came before its handler, or the cause is another's.
    const bool is_other = has_exception_ && told.epc != exception_;
    if (is_other || (told.is_of_halt && (has_exception_ || begins_handler))) {
      n_unknown_traps_++;
      has_exception_ = false;
      begins_handler = begins_handler && !told.is_of_halt;
    }
    const bool begins = begins_handler || has_exception_;
    if (begins) {
      trap.kind = static_cast<uint8_t>(has_exception_ ? OCT_TRAP_EXCEPTION : OCT_TRAP_INTERRUPT);
      trap.cause = told.cause;
      trap.addr = has_exception_ ? exception_ : told.epc;
      if (has_exception_) trap.tval = told.tval;
      traps_.push_back(trap);
      handlers_.push_back(
          {told.cause | static_cast<uint32_t>(trap.kind) << 31, told.epc, told.tval});
    } else if (!traps && mode_ >= 0 && mode_ != mode) {
      traps_.push_back(trap);
    }
    if (halts) {
      trap.kind = OCT_TRAP_EXCEPTION;
      trap.cause = told.cause;
      trap.addr = pc;
      trap.tval = told.tval;
      traps_.push_back(trap);
      handlers_.push_back({told.cause, pc, told.tval});
    }
    has_halted_ = halts;
    has_exception_ = traps && !halts;
    exception_ = pc;
    if (begins || !traps || halts) mode_ = mode;
  }
  // The core is halted, or is not traced any more: no handler comes of what waits for one.
  void halt() {
    n_unknown_traps_ += has_exception_;
    has_exception_ = false;
  }
  // What a handler found in its core's registers. Of the cause the highest bit says interrupt.
  void add_seen(uint32_t cause, uint32_t epc, uint32_t tval) {
    seen_.push_back({cause, epc, tval});
  }
  size_t n_seen() const { return seen_.size(); }
  // Whether the program has written, as a handler would, what exception halts it in the end.
  bool has_seen_halt() const { return has_halted_ && seen_.size() == handlers_.size(); }
  // Whether the handlers, in order, saw something else than the core's wires told; *diag says what.
  // A stream has no handlers, unless what plays it writes in their place.
  bool is_seen_otherwise(oct_diag *diag) const {
    if (!program_ && seen_.empty()) return false;
    const uint32_t cause_mask =
        static_cast<uint32_t>(oct_mask(machine_.param("cause_bits"))) | 1u << 31;
    for (size_t i = 0; i < seen_.size() && i < handlers_.size(); i++) {
      const Handler &told = handlers_[i], &seen = seen_[i];
      const auto differ = [&](const char *what, uint64_t a, uint64_t b) {
        return a != b && oct_fail(diag, OCT_ERR_MISMATCH,
                                  "trap %zu: its handler saw the %s 0x%" PRIx64
                                  ", the core's wrapper reported 0x%" PRIx64,
                                  i + 1, what, a, b);
      };
      if (differ("cause", seen.cause & cause_mask, told.cause & cause_mask) ||
          differ("address", seen.epc, static_cast<uint32_t>(told.epc)) ||
          differ("value", seen.tval, static_cast<uint32_t>(told.tval)))
        return true;
    }
    return seen_.size() != handlers_.size() &&
           !(has_halted_ && seen_.size() + 1 == handlers_.size()) &&
           oct_fail(diag, OCT_ERR_MISMATCH,
                    "%zu handlers wrote their values, the core's wrapper reported %zu (docs/soc.md "
                    "lists the values that a handler writes)",
                    seen_.size(), handlers_.size());
  }
  // A line for each: `t kind privilege cause address value`, `i address bytes`, `l|s address`.
  bool list(const char *path) const {
    FILE *file = fopen(path, "w");
    if (!file) return false;
    auto trap = traps_.begin();
    auto access = accesses_.begin();
    for (size_t i = 0; i <= insns_.size(); i++) {
      for (; trap != traps_.end() && trap->insn == i; ++trap)
        fprintf(file, "t %u %u %u %" PRIx64 " %" PRIx64 "\n", trap->kind, trap->privilege,
                trap->cause, trap->addr, trap->tval);
      if (i == insns_.size()) break;
      fprintf(file, "i %" PRIx64 " %u\n", insns_[i].addr, insns_[i].size_bytes);
      for (unsigned k = 0; k < insns_[i].n_access; k++, ++access)
        fprintf(file, "%c %" PRIx64 "\n", access->is_store ? 's' : 'l', access->addr);
    }
    return fclose(file) == 0;
  }
  // Instructions retired that may not be traced, or for which the adapter has no room, nor what
  // trapped to or from them: a gap has to be in their place.
  void leave_out(unsigned n, bool is_lost) {
    (is_lost ? n_lost_ : n_left_out_) += n;
    has_exception_ = false;
    is_cut_ = true;
  }
  size_t n_left_out() const { return n_left_out_; }
  size_t n_lost() const { return n_lost_; }
  bool has_cuts() const { return !cuts_.empty(); }
  // Whether what retires now is the first behind that.
  bool pass_cut() {
    const bool was_cut = is_cut_;
    if (was_cut) cuts_.push_back(insns_.size());
    is_cut_ = false;
    return was_cut;
  }
  size_t n_traps() const { return traps_.size(); }
  // Exceptions that RVFI has no cause of. A gap is in the place of each.
  size_t n_unknown_traps() const { return n_unknown_traps_; }
  // A cycle begins; and what came in the newest broke a rule: it is not in the trace.
  void begin_cycle() {
    newest_ = {insns_.size(), accesses_.size(), updates_.size(),
               traps_.size(), handlers_.size(), foreign_diag_.text[0] != 0};
  }
  void forget_cycle() {
    insns_.resize(newest_.insns);
    accesses_.resize(newest_.accesses);
    updates_.resize(newest_.updates);
    traps_.resize(newest_.traps);
    handlers_.resize(newest_.handlers);
    if (!newest_.is_foreign) foreign_diag_ = {};
  }
  size_t n_insns() const { return insns_.size(); }
  size_t n_accesses() const { return accesses_.size(); }
  // Stamps of the core's time that were compared.
  uint64_t n_times() const { return n_times_; }

  // Compare with what the bytes decode to: 0, or an error with *diag. If the beginning of the trace
  // is cut off, all from the first sync on. A trap at the edge of a gap may be missing; *traps gets
  // how many came.
  int compare(const std::vector<uint8_t> &bytes, bool is_cut, uint64_t *equal, size_t *traps,
              oct_decoder_counts *counts, oct_diag *diag) {
    const oct_decoder_start start = is_cut ? OCT_START_SEARCH : OCT_START_IN_STEP;
    const oct_tracer_decoder &decode = machine_.tracer->decoder;
    void *decoder = nullptr;
    oct_decoded run;
    oct_compare *compare = oct_compare_new(0);
    if (!compare) abort();
    int error = track_error_;
    if (error) *diag = track_diag_;
    if (!error) error = decode.create(machine_.params, start, &decoder, diag);
    if (!error) error = decode.map(decoder, updates_.data(), updates_.size(), diag);
    if (!error && machine_.param("traps"))
      error = oct_compare_expect_traps(compare, traps_.data(), traps_.size());
    if (!error) error = oct_compare_expect(compare, insns_.data(), insns_.size(), accesses_.data());
    if (!error) error = decode.push(decoder, bytes.data(), bytes.size(), diag);
    if (!error) decode.finish(decoder);
    while (!error && (error = decode.next(decoder, &run, diag)) > 0) {
      *traps += run.batch.n_traps;
      error = is_cut ? pass_over(compare, run.first_insn, diag) : 0;
      is_cut = false;
      if (!error) error = oct_compare_run(compare, &run, diag);
      if (!error) error = find_cut(run, diag);
      if (!error && is_core_time_) error = compare_times(run, diag);
    }
    if (is_cut && (!error || error == OCT_ERR_TRUNCATED))
      error = oct_fail(diag, OCT_ERR_PACKET,
                       "the %zu bytes of the trace that the RAM sink holds have no whole sync: "
                       "expected more --sink-words, or a geometry with shorter periods between "
                       "syncs",
                       bytes.size());
    if (!error) error = oct_compare_end(compare, diag);
    *equal = oct_compare_equal(compare);
    if (decoder) decode.counts(decoder, counts);
    decode.destroy(decoder);
    oct_compare_free(compare);
    return error;
  }

 private:
  struct Handler {
    uint32_t cause;
    uint64_t epc, tval;
  };
  static oct_isa isa_of(const Machine &machine) {
    return machine.param("addr_bits") > 32 ? OCT_ISA_RISCV64 : OCT_ISA_RISCV32;
  }
  bool describe(uint64_t pc, uint32_t word, oct_map_entry *entry) {
    const uint8_t code[4] = {static_cast<uint8_t>(word), static_cast<uint8_t>(word >> 8),
                             static_cast<uint8_t>(word >> 16), static_cast<uint8_t>(word >> 24)};
    return program_ ? oct_program_insn(program_, pc, entry) != 0
                    : oct_disasm_insn(words_, pc, code, sizeof code, entry) != 0;
  }
  // Whether the instruction is another one than was there before, or is there for the first time.
  bool is_other(uint64_t pc, uint32_t word) {
    const auto place = known_.emplace(pc, word);
    if (!place.second && place.first->second == word) return false;
    place.first->second = word;
    return true;
  }
  // What retired has to be the program's, if there is one: decoders know no other.
  void check_code(uint64_t pc, uint32_t word, unsigned size_bytes) {
    const uint8_t *code = program_ ? oct_program_code(program_, pc, size_bytes) : nullptr;
    if (!program_ || foreign_diag_.text[0]) return;
    for (unsigned i = 0; code && i < size_bytes; i++)
      if (code[i] != static_cast<uint8_t>(word >> (8 * i))) code = nullptr;
    if (!code)
      oct_fail(&foreign_diag_, OCT_ERR_MAP,
               "the core retired 0x%0*" PRIx32 " at 0x%" PRIx64
               ": expected the program's code, as decoders know no other",
               static_cast<int>(2 * size_bytes), word, pc);
  }

  // The first n instructions are not in the trace: as if a gap had said so.
  int pass_over(oct_compare *compare, uint64_t n, oct_diag *diag) const {
    oct_decoded gap = {};
    gap.is_gap = 1;
    gap.lost_insns = n;
    for (size_t i = 0; i < n && i < insns_.size(); i++) gap.lost_accesses += insns_[i].n_access;
    return oct_compare_run(compare, &gap, diag);
  }

  // An error if instructions stand together in the trace, between which others were left out.
  int find_cut(const oct_decoded &run, oct_diag *diag) {
    const uint64_t end = run.first_insn + run.batch.n_insns;
    if (!has_run_) run_begin_ = run.first_insn;
    has_run_ = !run.is_gap;  // which is behind the run
    for (size_t cut : cuts_)
      if (cut > run_begin_ && cut < end)
        return oct_fail_at(diag, OCT_ERR_MISMATCH, OCT_AT_INSN, cut,
                           "no gap before it, where others were left out");
    return 0;
  }

  int compare_times(const oct_decoded &run, oct_diag *diag) {
    for (size_t i = 0; i < run.batch.n_insns; i++) {
      const oct_insn &found = run.batch.insns[i];
      const uint64_t number = run.first_insn + i, expected = insns_[number].cycle;
      if (!(found.flags & OCT_INSN_HAS_CYCLE)) continue;
      n_times_++;
      if (found.cycle != expected)
        return oct_fail_at(diag, OCT_ERR_MISMATCH, OCT_AT_INSN, number,
                           "its stamp is %" PRIu64 ": expected %" PRIu64
                           ", the cycle in which the core retired it",
                           found.cycle, expected);
    }
    return 0;
  }

  // Changes of the map that come with the instruction, which may get OCT_INSN_END.
  void track(oct_insn *insn, const oct_access *accesses, const oct_map_entry *entry, Twin *twin) {
    const oct_batch batch = {
        insn, 1,       accesses, insn->n_access, entry, entry ? 1u : 0u, nullptr,
        0,    nullptr, 0,        nullptr,        0};
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
  bool is_core_time_;
  uint64_t n_times_ = 0;
  oct_disasm *words_;
  oct_map_tracker *tracker_;
  int track_error_ = 0;
  oct_diag track_diag_ = {};
  std::vector<oct_insn> insns_;
  std::vector<oct_access> accesses_;
  std::vector<oct_map_update> updates_;
  std::vector<oct_trap> traps_;
  struct {
    size_t insns, accesses, updates, traps, handlers;
    bool is_foreign;
  } newest_ = {};
  std::vector<Handler> handlers_, seen_;  // as wires told of them, and as they saw it
  std::vector<size_t> cuts_;              // instructions before which something was left out
  size_t n_left_out_ = 0, n_lost_ = 0;
  bool is_cut_ = false, has_run_ = false;
  uint64_t run_begin_ = 0;  // of instructions without a gap between them
  size_t n_unknown_traps_ = 0;
  bool has_exception_ = false;  // the instruction before trapped
  bool has_halted_ = false;     // that, and the core with it
  uint64_t exception_ = 0;
  int mode_ = -1;
  std::unordered_map<uint64_t, uint32_t> known_;  // the word at each address
  oct_diag foreign_diag_ = {};
};

#endif
