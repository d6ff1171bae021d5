// SPDX-License-Identifier: Apache-2.0
// files.f - what stands in for Ibex; the variable is that of core.ini.
${STAND_IN}/ibex_top.sv
