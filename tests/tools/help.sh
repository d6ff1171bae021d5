#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# help.sh - help and version of the program and of each command.
. "$(dirname "$0")/lib.sh"

expect 0 "$OCTRACE" --version
contains out '^octrace [0-9]*\.[0-9]*\.[0-9]*$'
expect 0 "$OCTRACE" help
contains out 'Exit status'
for command in compress decompress verify info convert bench; do
  contains out "^  $command "
done
for command in compress decompress verify info convert bench; do
  "$OCTRACE" help "$command" >want
  expect 0 "$OCTRACE" "$command" --help
  cmp want out
  contains out "^Usage: octrace $command"
  contains out 'Exit status'
  refuse 2 "$OCTRACE" "$command"
done
refuse 2 "$OCTRACE"
refuse 2 "$OCTRACE" frobnicate
expect 2 "$OCTRACE" compress --frobnicate x
