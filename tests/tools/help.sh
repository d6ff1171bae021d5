#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# help.sh - help and version of the program and of each command.
. "$(dirname "$0")/lib.sh"

expect 0 "$OCTRACE" --version
contains out '^octrace [0-9]*\.[0-9]*\.[0-9]*$'
expect 0 "$OCTRACE" help
contains out 'Exit status'
for command in compress decompress verify info convert sweep report bench events; do
  contains out "^  $command "
done
for command in compress decompress verify info convert sweep report bench events; do
  "$OCTRACE" help "$command" >want
  expect 0 "$OCTRACE" "$command" --help
  cmp want out
  contains out "^Usage: octrace $command"
  contains out 'Exit status'
  refuse 2 "$OCTRACE" "$command"
  contains err "(see octrace $command --help)$"
  first=x
  [ "$command" != events ] || first=info
  for option in --frobnicate --frobnicate=1 -q -qz; do
    refuse 2 "$OCTRACE" "$command" $first "$option" y
    contains err "^octrace: $command: unknown option '${option%z}' (see octrace $command --help)$"
  done
done
refuse 2 "$OCTRACE"
refuse 2 "$OCTRACE" frobnicate

# What else may be wrong with an option.
refuse 2 "$OCTRACE" compress x --limit
contains err "option '--limit' needs a value"
refuse 2 "$OCTRACE" compress x -g
contains err "option '-g' needs a value"
refuse 2 "$OCTRACE" verify x --json=yes
contains err "option '--json' takes no value"
refuse 2 "$OCTRACE" compress --s x
contains err "option '--s' is the start of several"
