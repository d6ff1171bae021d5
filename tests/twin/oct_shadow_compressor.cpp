// SPDX-License-Identifier: Apache-2.0
// oct_shadow_compressor - twin test of the whole circuit of `shadow` with random programs, on a bus
// of its own: a receiver that is seldom ready, a bus slower than the core, flushes, sync requests,
// tracing switched off and on, losses, rules of the core interface broken. Every output is compared
// on every cycle.
#include "oct_bus_ports.h"
#include "oct_ignored_random.h"
#include "oct_machine.h"
#include "oct_program_random.h"
#include "oct_top_random.h"

namespace {

class Stage {
 public:
  explicit Stage(const Machine &machine)
      : machine_(machine),
        inputs_(machine.widths, machine.param("traps") ? machine.param("cause_bits") : 0),
        ignored_(machine.widths, machine.param("cause_bits")),
        program_(machine) {
    oct_diag diag;
    if (machine.tracer->twin->create(machine.params, &twin_, &diag)) abort();
  }
  ~Stage() { machine_.tracer->twin->destroy(twin_); }
  Stage(const Stage &) = delete;
  Stage &operator=(const Stage &) = delete;

  void cycle(Dut &dut, Stimulus &r) {
    oct_pins_in in = {};
    oct_pins_out out;
    oct_map_update update;
    bool is_new;
    bus_.next(dut.cycle, r, &in);
    inputs_.next(r, &in);
    program_.next(r, &in.retire, &update, &is_new);
    break_rule(r, &in.retire);
    ignored_.fill(r, &in);
    bus_.drive(*dut.top, in);
    dut.settle();
    const oct_tracer_twin &twin = *machine_.tracer->twin;
    oct_diag diag;
    if ((is_new && twin.map(twin_, &update, 1, &diag)) ||
        twin.cycle_bus(twin_, &in, &bus_.pins(), &out, &diag)) {
      dut.failed = true;
      dut.difference = oct_diag_reason(&diag).text;
      return;
    }
    bus_.check(dut, *dut.top, out);
  }

 private:
  // An address that is not aligned, a size that no instruction has, an access without an
  // instruction. Behind an access it would be one more of its instruction: of that rule the
  // circuit knows nothing, and gives another trace.
  void break_rule(Stimulus &r, oct_retire *retire) {
    const bool may_follow = may_follow_;
    may_follow_ = retire->da_valid && !retire->da_end;
    if (r.below(1000)) return;
    if (retire->insn_valid && r.percent(50))
      retire->insn_addr |= oct_mask(machine_.widths.pc_align_bits);
    else if (retire->insn_valid)
      retire->insn_size_bytes = 0;
    else if (!may_follow)
      retire->da_valid = true;
  }

  const Machine &machine_;
  RandomInputs inputs_;
  IgnoredRandom ignored_;
  RandomProgram program_;
  void *twin_ = nullptr;
  RandomBus bus_;
  bool may_follow_ = false;  // the cycle before had an access, and not the end of them
};

}  // namespace

// The machine has its parameters by itself.
inline bool oct_twin_config(const Machine *) {
  return true;
}

OCT_TWIN_MAIN_OF(Stage, Machine)
