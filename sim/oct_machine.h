// SPDX-License-Identifier: Apache-2.0
// oct_machine.h - the tracer OCT_TRACER at the geometry OCT_GEOMETRY, and its twin in C, which has
// the pins of its Verilog.
#ifndef OCT_MACHINE_H
#define OCT_MACHINE_H

#include <cstdio>
#include <cstdlib>

extern "C" {
#include "oct_core.h"
#include "octrace/tracer.h"
}

#ifndef OCT_TRACER
#define OCT_TRACER "paper"
#endif

struct Machine {
  // Of a geometry that sim/verilate has taken.
  Machine() : tracer(oct_tracer_find(OCT_TRACER)) {
    if (!tracer || !tracer->twin) abort();
    oct_tracer_defaults(tracer, params);
    if (oct_tracer_parse(tracer, OCT_GEOMETRY, params, nullptr, nullptr)) abort();
    widths = {param("addr_bits"), param("pc_align_bits"), param("task_bits")};
  }
  // By name; 0 where the tracer has none such.
  uint32_t param(const char *name) const {
    int i = oct_tracer_param(tracer, name);
    return i < 0 ? 0 : params[i];
  }

  const oct_tracer *tracer;
  uint32_t params[OCT_TRACER_PARAMS_MAX] = {};
  oct_core_widths widths;
};

class Twin {
 public:
  explicit Twin(const Machine &machine) : machine_(machine), twin_(machine.tracer->twin) {
    create();
  }
  ~Twin() { twin_->destroy(state_); }
  Twin(const Twin &) = delete;
  Twin &operator=(const Twin &) = delete;

  // As new.
  void reset() {
    twin_->destroy(state_);
    create();
  }
  int map(const oct_map_update *updates, size_t n, oct_diag *diag) {
    return twin_->map ? twin_->map(state_, updates, n, diag) : 0;
  }
  int cycle(const oct_pins_in &in, oct_pins_out *out, oct_diag *diag) {
    return twin_->cycle(state_, &in, out, diag);
  }
  int cycle_bus(const oct_pins_in &in, const oct_pins_bus &bus, oct_pins_out *out, oct_diag *diag) {
    return twin_->cycle_bus(state_, &in, &bus, out, diag);
  }
  // A value for each counter of the tracer.
  void counters(uint64_t *values) const { twin_->counters(state_, values); }
  uint64_t count(const char *name) const {
    uint64_t values[OCT_TRACER_COUNTERS_MAX];
    counters(values);
    return oct_tracer_count(machine_.tracer, values, name);
  }

 private:
  void create() {
    oct_diag diag = {};
    if (!twin_->create(machine_.params, &state_, &diag)) return;
    fprintf(stderr, "%s\n", oct_diag_line(&diag).text);
    exit(2);
  }

  const Machine &machine_;
  const oct_tracer_twin *twin_;
  void *state_ = nullptr;
};

#endif
