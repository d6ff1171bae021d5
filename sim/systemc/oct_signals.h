// SPDX-License-Identifier: Apache-2.0
// oct_signals.h - the ports of oct_top (oct_ports.h) as SystemC signals, from which the C model's
// wrapper, the traced core, the probe and the wiring are made. A core integrator connects these.
#ifndef OCT_SIGNALS_H
#define OCT_SIGNALS_H

#include <cstdint>
#include <string>
#include <type_traits>

#include <systemc>

#include "oct_ports.h"

// The parameters of the geometry that the ports' types depend on; these are those of `paper`.
#ifndef OCT_ADDR_BITS
#define OCT_ADDR_BITS 32
#endif
#ifndef OCT_CAUSE_BITS
#define OCT_CAUSE_BITS 6
#endif
#ifndef OCT_PORT_PINS
#define OCT_PORT_PINS 16
#endif
#ifndef OCT_TASK_BITS
#define OCT_TASK_BITS 16
#endif

using oct_addr_t = std::conditional_t<(OCT_ADDR_BITS > 32), uint64_t, uint32_t>;
using oct_cause_t = std::conditional_t<(OCT_CAUSE_BITS > 1), uint32_t, bool>;
using oct_pins_t = std::conditional_t<(OCT_PORT_PINS > 1), uint32_t, bool>;
using oct_task_t = std::conditional_t<(OCT_TASK_BITS > 1), uint32_t, bool>;

// One compressor's signals; the prefix goes before their names.
struct OctSignals {
  explicit OctSignals(const std::string &name_prefix = "") : prefix(name_prefix) {}
  std::string prefix;
#define OCT_X(type, port, member) sc_core::sc_signal<type> port{(prefix + #port).c_str()};
  OCT_INPUTS(OCT_X)
  OCT_OUTPUTS(OCT_X)
#undef OCT_X
};

// Connect a module that has the ports of oct_ports.h: inputs from one set of signals, outputs to
// another (two compressors can share the inputs).
#define OCT_X(type, port, member)                         \
  template <class Top>                                    \
  auto oct_bind_##port(Top &top, OctSignals &inputs, int) \
      ->decltype(top.port(inputs.port), void()) {         \
    top.port(inputs.port);                                \
  }                                                       \
  template <class Top>                                    \
  void oct_bind_##port(Top &, OctSignals &, long) {}
OCT_CODE_INPUTS(OCT_X)
#undef OCT_X

template <class Top>
void oct_bind(Top &top, OctSignals &inputs, OctSignals &outputs) {
#define OCT_X(type, port, member) top.port(inputs.port);
  OCT_CORE_INPUTS(OCT_X)
  OCT_APB_INPUTS(OCT_X)
#undef OCT_X
#define OCT_X(type, port, member) oct_bind_##port(top, inputs, 0);
  OCT_CODE_INPUTS(OCT_X)
#undef OCT_X
#define OCT_X(type, port, member) top.port(outputs.port);
  OCT_OUTPUTS(OCT_X)
#undef OCT_X
}

#endif
