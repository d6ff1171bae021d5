// SPDX-License-Identifier: Apache-2.0
// dut-headers.h - what takes the compiler longest of every program around a Verilated module:
// Verilator's and the language's headers. Meson compiles them once (sim/verilate --headers).
#ifndef OCT_DUT_HEADERS_H
#define OCT_DUT_HEADERS_H

#include <chrono>
#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <verilated.h>
#if VM_TRACE
#include <verilated_fst_c.h>
#endif

#endif
