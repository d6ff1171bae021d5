// SPDX-License-Identifier: Apache-2.0
// oct_shadow_core_rv - oct_shadow_core for RISC-V.
#define OCT_DUT_ISA 1
#include "oct_shadow_core.cpp"
