#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# each-stamp.sh - does the Verilog of shadow refuse the stamp of each instruction, which it lacks, and take others?
set -eu

rtl=$SOURCE/rtl
# lint PERIOD: of the stamps alone.
lint() {
  verilator --lint-only -Wno-fatal --top-module oct_shadow_stamps "-GTIME_PERIOD_INSNS=32'd$1" -y "$rtl/shadow" -y "$rtl/common" \
    "$rtl/shadow/oct_shadow_stamps.v" 2>&1
}
lint 0
lint 2
if out=$(lint 1); then
  echo "TIME_PERIOD_INSNS = 1 was taken" >&2
  exit 1
fi
case $out in
*oct_illegal_TIME_PERIOD_INSNS_expected_0_or_at_least_2*) ;;
*) echo "TIME_PERIOD_INSNS = 1: $out" >&2 && exit 1 ;;
esac
