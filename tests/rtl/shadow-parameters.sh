#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# shadow-parameters.sh - does the Verilog of shadow refuse what it lacks, and take what is beside it? It lacks the stamp of each
# instruction, three or more instructions a cycle, and filters of two.
set -eu

rtl=$SOURCE/rtl
# lint MODULE NAME=VALUE...: of the module alone.
lint() {
  module=$1
  shift
  # shellcheck disable=SC2046 # a list of options
  verilator --lint-only -Wno-fatal -Wno-lint -Wno-style --top-module "$module" $(printf -- "-G%s " "$@") \
    -I"$rtl/shadow" -y "$rtl/shadow" -I"$rtl/paper" -y "$rtl/paper" -y "$rtl/common" "$rtl/shadow/$module.v" 2>&1
}
# refused WHAT MODULE NAME=VALUE...: it stops elaboration, with a message that has this.
refused() {
  what=$1
  shift
  if out=$(lint "$@"); then
    echo "$* was taken" >&2
    exit 1
  fi
  case $out in
  *"oct_illegal_$what"*) ;;
  *) echo "$*: $out" >&2 && exit 1 ;;
  esac
}
lint oct_shadow_stamps "TIME_PERIOD_INSNS=32'd0"
lint oct_shadow_stamps "TIME_PERIOD_INSNS=32'd2"
refused TIME_PERIOD_INSNS_expected_0_or_at_least_2 oct_shadow_stamps "TIME_PERIOD_INSNS=32'd1"
lint oct_shadow_compressor RETIRE_WIDTH=2 FILTERS=0
lint oct_shadow_compressor RETIRE_WIDTH=1 FILTERS=4
for wrong in '2 FILTERS=1' '3 FILTERS=0' '4 FILTERS=0'; do
  # shellcheck disable=SC2086 # two words
  refused RETIRE_WIDTH_expected_1_or_without_FILTERS_2 oct_shadow_compressor RETIRE_WIDTH=$wrong
done
