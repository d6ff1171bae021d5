// SPDX-License-Identifier: Apache-2.0
// oct_trace.h - a trace as cycles of the core interface, and the check that it comes back from the
// pins. Used by lockstep and by the SystemC platform.
#ifndef OCT_TRACE_H
#define OCT_TRACE_H

#include <algorithm>
#include <cinttypes>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "oct_machine.h"

extern "C" {
#include "octrace/container.h"
#include "oct_filter_text.h"
#include "octrace/trace.h"
}

// The trace as the decoder gives it back is compared with what the reader gave.
class Checker {
 public:
  explicit Checker(const Machine &machine)
      : decode_(machine.tracer->decoder), pins_(machine.param("port_pins")) {
    oct_diag diag;
    compare_ = oct_compare_new(0);
    if (!compare_ || decode_.create(machine.params, OCT_START_IN_STEP, &decoder_, &diag)) abort();
  }
  ~Checker() {
    decode_.destroy(decoder_);
    oct_compare_free(compare_);
  }
  Checker(const Checker &) = delete;
  Checker &operator=(const Checker &) = delete;

  int expect(const oct_batch &batch, const oct_map_update *updates, size_t n, oct_diag *diag) {
    int error = decode_.map(decoder_, updates, n, diag);
    return error ? error : oct_compare_expect(compare_, batch.insns, batch.n_insns, batch.accesses);
  }
  // Traps of the batch that expect() is given next.
  int expect_traps(const oct_batch &batch) {
    return oct_compare_expect_traps(compare_, batch.traps, batch.n_traps);
  }
  void pins(uint32_t data) {
    held_ |= static_cast<uint64_t>(data) << held_bits_;
    for (held_bits_ += pins_; held_bits_ >= 8; held_bits_ -= 8, held_ >>= 8)
      bytes_.push_back(static_cast<uint8_t>(held_));
  }
  // Decode what has left; at the end, that must be all. 0 or OCT_ERR_MISMATCH.
  int decode(bool at_end, oct_diag *diag) {
    oct_decoded run;
    if (at_end && held_bits_) bytes_.push_back(static_cast<uint8_t>(held_));
    int error = decode_.push(decoder_, bytes_.data(), bytes_.size(), diag);
    bytes_.clear();
    if (at_end) decode_.finish(decoder_);
    while (!error && (error = decode_.next(decoder_, &run, diag)) > 0)
      error = oct_compare_run(compare_, &run, diag);
    if (!error && at_end) error = oct_compare_end(compare_, diag);
    return error ? OCT_ERR_MISMATCH : 0;
  }
  // What was lost by the stream.
  oct_decoder_counts counts() const {
    oct_decoder_counts c = {};
    decode_.counts(decoder_, &c);
    return c;
  }
  uint64_t equal() const { return oct_compare_equal(compare_); }

 private:
  const oct_tracer_decoder &decode_;
  unsigned pins_;
  uint64_t held_ = 0;
  unsigned held_bits_ = 0;
  std::vector<uint8_t> bytes_;
  void *decoder_ = nullptr;
  oct_compare *compare_ = nullptr;
};

// What the filter lets through of a trace, as the decoder is to give it back: accesses that it
// leaves out of instructions that are traced. What it leaves out whole is in the gaps.
class FilterView {
 public:
  // No filter is one that lets all through.
  explicit FilterView(const Machine &machine) {
    oct_filter_init(&filter_, machine.param("filters"), machine.widths.addr_bits,
                    machine.widths.task_bits);
  }
  void write(const oct_filter_write &w) { oct_filter_write_reg(&filter_, &w); }
  // The batch with those accesses only; valid until the next call.
  oct_batch apply(const oct_batch &batch) {
    const oct_access *a = batch.accesses;
    size_t trap = 0;
    insns_.assign(batch.insns, batch.insns + batch.n_insns);
    accesses_.clear();
    for (oct_insn &insn : insns_) {
      for (; trap < batch.n_traps &&
             batch.traps[trap].insn <= static_cast<size_t>(&insn - insns_.data());
           trap++)
        priv_ = batch.traps[trap].privilege;
      const uint32_t n = insn.n_access;
      for (uint32_t k = 0; k < std::max(n, 1u); k++)
        if (passes(insn, k < n ? &a[k] : nullptr, k == 0)) accesses_.push_back(a[k]);
      insn.n_access = static_cast<decltype(insn.n_access)>(accesses_.size() - before_);
      before_ = accesses_.size();
      a += n;
    }
    for (; trap < batch.n_traps; trap++) priv_ = batch.traps[trap].privilege;
    before_ = 0;
    oct_batch out = batch;
    out.insns = insns_.data();
    out.accesses = accesses_.data();
    out.n_accesses = accesses_.size();
    return out;
  }

 private:
  bool passes(const oct_insn &insn, const oct_access *access, bool is_first) {
    oct_filter_in in = {};
    oct_filter_out out;
    in.insn_valid = is_first;
    in.insn_addr = insn.addr;
    in.task = insn.task;
    in.priv = priv_;
    in.da_valid = access != nullptr;
    if (access) in.da_addr = access->addr;
    oct_filter_eval(&filter_, &in, &out);
    if (filter_.n) oct_filter_clock(&filter_);
    return out.da_valid && !out.da_end;
  }

  oct_filter filter_;
  std::vector<oct_insn> insns_;
  std::vector<oct_access> accesses_;
  size_t before_ = 0;
  uint8_t priv_ = 0;
};

// Gives a trace cycle by cycle, and tells the checker what to expect.
class TracePlayer {
 public:
  TracePlayer(const Machine &machine, const oct_run_options &run, uint64_t limit, Checker &checker)
      : machine_(machine), left_(limit), checker_(checker), view_(machine) {
    oct_core_init(&core_, &run);
    with_traps_ = machine.param("traps") != 0;
    retires_two_ = machine.param("retire_width") == 2;
    takes_time_ = machine.param("timestamp") && machine.param("time_source");
    time_bits_ = machine.tracer->twin->time_bits;
    if (!machine.tracer->twin->map) return;
    words_ = oct_map_new();
    disasm_ = oct_disasm_set_new();
  }
  ~TracePlayer() {
    if (is_open_) oct_source_close(&source_);
    oct_map_free(words_);
    oct_disasm_set_free(disasm_);
  }
  TracePlayer(const TracePlayer &) = delete;
  TracePlayer &operator=(const TracePlayer &) = delete;

  int open(const char *path, oct_diag *diag) {
    path_ = path;
    oct_source_options options = {};
    options.limit = left_;
    int error = oct_source_open(&source_, path, &options, diag);
    is_open_ = error == 0;
    return error;
  }
  // A twin that is to know the program map as it is read; it belongs to the caller.
  void tell(Twin *twin) { twin_ = twin; }
  // The inputs of the next cycle: 1, 0 at the end of the trace, or an error; OCT_ERR_MISMATCH when
  // what was decoded so far differs.
  int next(oct_pins_in *in, oct_diag *diag) {
    int got = has_held_ ? held_got_ : next_cycle(in, diag);
    if (has_held_) *in = held_;
    has_held_ = false;
    if (!retires_two_ || got <= 0 || !in->retire.insn_valid || in->retire.da_valid) return got;
    held_got_ = next_cycle(&held_, diag);
    const oct_retire lead = in->retire, &second = held_.retire;
    has_held_ = held_got_ <= 0 || !second.insn_valid || second.task != lead.task ||
                second.insn_addr != lead.insn_addr + lead.insn_size_bytes;
    if (has_held_) return got;
    *in = held_;
    in->retire.lead_valid = true;
    in->retire.lead_addr = lead.insn_addr;
    in->retire.lead_size_bytes = lead.insn_size_bytes;
    in->retire.lead_word = lead.insn_word;
    in->retire.lead_word_valid = lead.insn_word_valid;
    return got;
  }
  // What the filter is set to from the first instruction on.
  void filter(const oct_filter_write &w) { view_.write(w); }
  // Instructions given so far.
  uint64_t played() const { return done_ - insns_.size() + at_; }
  // The inputs of a cycle in which nothing retires.
  void idle(oct_pins_in *in) { oct_core_idle(&core_, in); }

 private:
  struct Word {
    bool is_known;
    uint32_t bytes;
  };

  // The inputs of the next cycle of a core that retires one instruction in it, as next().
  int next_cycle(oct_pins_in *in, oct_diag *diag) {
    while (at_ == 0 || !oct_core_next(&core_, in)) {
      if (next_trap(in)) return 1;
      if (at_ == insns_.size()) {
        int got = next_batch(diag);
        if (got <= 0) return tell_widths(got, diag);
        continue;
      }
      if (words_) {
        core_.insn_word_valid = word_of_[at_].is_known;
        core_.insn_word = word_of_[at_].bytes;
      }
      const uint64_t number = done_ - insns_.size() + at_;
      oct_diag why = {};
      if (takes_time_ && oct_core_check_time(&insns_[at_], time_bits_, number, &why))
        return oct_diag_in(diag, path_.c_str(), oct_diag_pass(diag, &why, OCT_ERR_CONFIG));
      int error = oct_core_put(&core_, &insns_[at_], accesses_, number, diag);
      if (error) return tell_widths(error, diag);
      accesses_ += insns_[at_++].n_access;
    }
    return 1;
  }

  // Name the trace that does not fit the machine's widths, and a machine that it fits, in place of
  // the settings that the check advises one by one.
  int tell_widths(int error, oct_diag *diag) const {
    if (!error || diag->origin != OCT_ORIGIN_WIDTHS) return error;
    const oct_trace_info *info = &source_.info;
    const oct_diag why = *diag;
    unsigned align_bits = 0;
    const oct_core_widths &widths = machine_.widths;
    while (align_bits < widths.pc_align_bits && (2u << align_bits) <= info->insn_align_bytes)
      align_bits++;
    oct_fail_in(diag, error, path_.c_str(),
                "does not fit the widths of this machine; it may fit -g "
                "%s,addr_bits=%u,pc_align_bits=%u",
                OCT_GEOMETRY, std::max(info->addr_bits, widths.addr_bits), align_bits);
    diag->unit = why.unit, diag->at = why.at, diag->has_addr = why.has_addr, diag->addr = why.addr;
    return error;
  }
  int next_batch(oct_diag *diag) {
    int got = checker_.decode(false, diag);
    if (got >= 0) got = oct_source_next(&source_, diag);
    if (got <= 0) return got;
    oct_batch batch = source_.batch;
    insns_.assign(batch.insns, batch.insns + batch.n_insns);
    traps_.clear();
    trap_at_ = 0;
    if (with_traps_ && (got = take_traps(batch, diag))) return got;
    got = std::min<int64_t>(0, oct_core_check(machine_.widths, insns_.data(), insns_.size(),
                                              batch.accesses, done_, diag));
    updates_.assign(source_.updates, source_.updates + source_.n_updates);
    if (!got && words_) got = decode_words(&batch, diag);
    if (!got) got = checker_.expect(view_.apply(batch), updates_.data(), updates_.size(), diag);
    if (!got && twin_) got = twin_->map(updates_.data(), updates_.size(), diag);
    done_ += batch.n_insns;
    accesses_ = batch.accesses;
    at_ = 0;
    return got ? got : 1;
  }

  int take_traps(const oct_batch &batch, oct_diag *diag) {
    int error = 0;
    traps_.assign(batch.traps, batch.traps + batch.n_traps);
    for (const oct_trap &trap : traps_)
      if (!error)
        error = oct_core_check_trap(machine_.widths.addr_bits, machine_.param("cause_bits"), &trap,
                                    done_ + trap.insn, diag);
    return error ? error : checker_.expect_traps(batch);
  }
  // A trap before the next instruction, which has a cycle of its own.
  bool next_trap(oct_pins_in *in) {
    if (trap_at_ == traps_.size() || traps_[trap_at_].insn > at_) return false;
    uint32_t task = at_ < insns_.size() ? insns_[at_].task : at_ ? insns_[at_ - 1].task : 0;
    oct_core_trap(&core_, &traps_[trap_at_++], task, in);
    return true;
  }

  // The words of the batch's instructions, which a core would tell, and what these say: a trace may
  // have more accesses (QEMU has a load of a conditional store, too).
  int decode_words(oct_batch *batch, oct_diag *diag) {
    for (oct_map_update &update : updates_) {
      oct_map_entry decoded;
      if (oct_disasm_set_insn(disasm_, &update.entry, &decoded) != 1) continue;
      decoded.code_isa = update.entry.code_isa;
      memcpy(decoded.code, update.entry.code, sizeof decoded.code);
      update.entry = decoded;
    }
    const oct_access *a = batch->accesses;
    auto update = updates_.begin();
    kept_.clear();
    word_of_.clear();
    for (oct_insn &insn : insns_) {
      for (; update != updates_.end() && update->from_insn <= done_ + word_of_.size(); ++update)
        if (oct_map_put(words_, &update->entry) < 0)
          return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
      const oct_map_head *entry = oct_map_at(words_, oct_map_find(words_, insn.addr));
      // Verilog takes what it does not know for an instruction of no effect.
      if (!entry->code_isa && (entry->n_slots || entry->cls != OCT_CLASS_UNKNOWN))
        return oct_diag_in(
            diag, path_.c_str(),
            oct_fail_insn(diag, OCT_ERR_UNSUPPORTED, done_ + word_of_.size(), insn.addr,
                          "its bytes are not in the trace, and the Verilog of %s needs them",
                          machine_.tracer->name));
      Word word = {entry->code_isa != 0, 0};
      memcpy(&word.bytes, entry->code, sizeof word.bytes);
      word_of_.push_back(word);
      const oct_access *end = a + insn.n_access;
      if (word.is_known && insn.n_access > entry->n_slots) insn.n_access = entry->n_slots;
      kept_.insert(kept_.end(), end - insn.n_access, end);
      a = end;
    }
    batch->insns = insns_.data();
    batch->accesses = kept_.data();
    batch->n_accesses = kept_.size();
    return 0;
  }

  const Machine &machine_;
  uint64_t left_;  // instructions at most
  uint64_t done_ = 0;
  Checker &checker_;
  Twin *twin_ = nullptr;
  // Of a machine that takes the words of the instructions: the program map so far, and the batch.
  oct_map *words_ = nullptr;
  oct_disasm_set *disasm_ = nullptr;
  std::vector<oct_map_update> updates_;
  std::vector<Word> word_of_;
  std::vector<oct_access> kept_;
  FilterView view_;
  oct_core core_;
  std::string path_;
  oct_source source_ = {};
  bool is_open_ = false;
  std::vector<oct_insn> insns_;
  const oct_access *accesses_ = nullptr;
  size_t at_ = 0;
  bool with_traps_, retires_two_, takes_time_;
  unsigned time_bits_ = 0;
  // The cycle behind one whose instruction retires alone, and what next_cycle() said.
  oct_pins_in held_ = {};
  int held_got_ = 0;
  bool has_held_ = false;
  std::vector<oct_trap> traps_;  // of the batch
  size_t trap_at_ = 0;
};

#endif
