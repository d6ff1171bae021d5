#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# options.sh - what the help of a command names is what the command takes: of all options of all
# commands no others. Each is tried with each command.
. "$(dirname "$0")/lib.sh"

# The options that the help of a command explains, one a line, letters too.
of_help() {
  "$OCTRACE" help "$1" | sed -nE 's/^ +-/-/; T; s/  .*//; p' | grep -oE -e '(^|[", ])--?[a-z][a-z-]*' |
    tr -d '", '
}
commands=$("$OCTRACE" help | sed -nE 's/^  ([a-z]+) .*/\1/p')
[ "$(echo "$commands" | wc -l)" -ge 5 ] || die "commands: $commands"
for command in $commands; do of_help "$command"; done | sort -u >all
[ "$(wc -l <all)" -ge 60 ] || die "options: $(cat all)"
for command in $commands; do
  of_help "$command" >help
  part=
  [ "$command" != events ] || part=convert # it tells those of its other commands apart
  while read -r option; do
    taken=yes wanted=no
    # Without its value, or with files missing, it is refused, too, but as known.
    case $("$OCTRACE" "$command" $part "$option" 2>&1 >out </dev/null) in
      *'unknown option'*) taken=no ;;
    esac
    # The beginning of an option's name is a name, too.
    case $'\n'$(<help) in *$'\n'"$option"*) wanted=yes ;; esac
    [ "$taken" = "$wanted" ] || die "$command $option: taken: $taken, in its help: $wanted"
  done <all
done
