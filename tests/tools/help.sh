#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# help.sh - help and version of the program and of each command.
. "$(dirname "$0")/lib.sh"

expect 0 "$OCTRACE" --version
contains out '^octrace [0-9]*\.[0-9]*\.[0-9]*$'
expect 0 "$OCTRACE" help
contains out 'Exit status'
for command in compress decompress verify info packets convert sweep report bench events filter fidelity; do
  contains out "^  $command "
done
for command in compress decompress verify info packets convert sweep report bench events filter fidelity; do
  "$OCTRACE" help "$command" >want
  expect 0 "$OCTRACE" "$command" --help
  cmp want out
  contains out "^Usage: octrace $command"
  contains out 'Exit status'
  refuse 2 "$OCTRACE" "$command"
  contains err "(see octrace $command --help)$"
  [ "$command" = events ] && command='events info' # options belong to its commands
  for option in --frobnicate --frobnicate=1 -q -qz; do
    # shellcheck disable=SC2086 # a command and its command
    refuse 2 "$OCTRACE" $command x "$option" y
    contains err "^octrace: $command: unknown option '${option%z}' (see octrace $command --help)$"
  done
done
# A command promises an exit status that it can have: only what writes or compares a stream loses events.
for command in compress decompress verify info packets convert sweep report bench events filter fidelity; do
  "$OCTRACE" help "$command" >out
  case $command in
    compress | decompress | verify | convert | events) contains out '3 events lost' ;;
    *) ! grep -q '3 events lost' out || die "$command never ends with 3" ;;
  esac
  case $command in
    verify | events) contains out ' 1 traces differ' ;;
    bench) contains out ' 1 a decompressed file differs' ;;
    *) ! grep -q ' 1 .* differ' out || die "$command never ends with 1" ;;
  esac
done

refuse 2 "$OCTRACE"
refuse 2 "$OCTRACE" frobnicate

expect 0 "$OCTRACE" events info --help
contains out '^Usage: octrace events'
refuse 2 "$OCTRACE" events decompress --tabs 5 x
contains err '^octrace: events decompress: option --tabs is for other commands (see'
refuse 2 "$OCTRACE" events info
contains err '^octrace: events info: 1 file is needed (see octrace events info --help)$'

# What else may be wrong with an option.
refuse 2 "$OCTRACE" compress x --limit
contains err "option '--limit' needs a value"
refuse 2 "$OCTRACE" compress x -g
contains err "option '-g' needs a value"
refuse 2 "$OCTRACE" verify x --json=yes
contains err "option '--json' takes no value"
refuse 2 "$OCTRACE" compress --s x
contains err "option '--s' is the start of several"
