#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# options.sh [taken] - what bash completion answers; and help, man page and completion of each command know the same
# options. With `taken`, they are what the command takes: of all options of all commands no others. Each is tried
# with each command.
# No transcript: three lists of all options are compared with each other.
. "$(dirname "$0")/lib.sh"

# The options that the help of a command explains, one a line, letters too.
of_letters() {
  "$OCTRACE" help "$1" | sed -nE 's/^ +-/-/; T; s/  .*//; p' | grep -oE -e '(^|[", ])--?[a-z][a-z-]*' |
    tr -d '", '
}
commands=$("$OCTRACE" help | sed -nE 's/^  ([a-z]+) .*/\1/p')
[ "$(echo "$commands" | wc -l)" -ge 5 ] || die "commands: $commands"
if [ "${1-}" = taken ]; then
  for command in $commands; do of_letters "$command"; done | sort -u >all
  [ "$(wc -l <all)" -ge 60 ] || die "options: $(cat all)"
  for command in $commands; do
    of_letters "$command" >help
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
  exit
fi

PATH=$(dirname "$OCTRACE"):$PATH
. "$SOURCE/tools/completion/octrace"
complete -p octrace >out
contains out '_octrace'

# answers WORD...: what is offered for the last word, sorted, on one line.
answers() {
  COMP_WORDS=("$@")
  COMP_CWORD=$(($# - 1))
  COMPREPLY=()
  _octrace
  printf '%s\n' "${COMPREPLY[@]}" | sort | tr '\n' ' ' | sed 's/ $//'
}

# offers WANTED WORD...
offers() {
  wanted=$1
  shift
  got=$(answers "$@")
  [ "$got" = "$wanted" ] || die "offered: $got, not: $wanted, for: $*"
}

mkdir files
cd files
touch trace.oct trace.octp other
offers 'compare compress convert' octrace co
offers '--help --version' octrace --
offers 'verify view' octrace help v
offers 'other trace.oct trace.octp' octrace compress ''
offers 'trace.oct trace.octp' octrace info t
offers '--output' octrace compress --o
offers 'cycle untimed' octrace compress --engine ''
offers 'both cycle untimed' octrace verify --engine ''
offers 'stamps' octrace verify --arrival s
offers 'bin32 bin64 bt9' octrace verify --from b
written=$(octrace list formats | sed -n 's/ .* write .*//p' | sort | tr '\n' ' ' | sed 's/ $//')
offers "$written" octrace convert --to ''
offers "$written" octrace decompress x.octp --to ''
offers 'da da32 da64' octrace convert --to da
offers 'aarch64 arm' octrace info --isa a
offers 'tagged tiny' octrace compress -g t
offers 'wide64' octrace info --geometry w
offers 'sc_entries=' octrace sweep -a sc_e
offers 'atc vpc3' octrace filter --preset ''
offers 'bin32 bin64 blocks' octrace filter --to b
offers 'both data insn' octrace fidelity --take ''
offers '' octrace no-such-command --x
cd ..

# The options that a help or man page explains, sorted; a letter stands with its name: -g:--geometry.
names() {
  sed -E 's/[", ]*(-[a-z])[", ]+--/ \1:--/' | grep -oE -e '(-[a-z]:)?--[a-z-]+' | sort
}
of_help() {
  "$OCTRACE" help "$1" | sed -nE 's/^ +-/-/; T; s/  .*//; p' | names
}
of_page() {
  grep -A 1 '^\.TP' "$SOURCE/docs/man/octrace-$1.1" | sed 's/\\-/-/g' | names
}
for command in $commands; do
  of_help "$command" >help
  [ -s help ] || die "no options in the help of $command"
  of_page "$command" | diff help - >&2 || die "help and man page of $command differ"
  {
    if [ "$command" = events ]; then # options belong to its commands
      for part in $(answers octrace events ''); do answers octrace events "$part" -- && echo; done
    else
      answers octrace "$command" --
    fi
  } | tr ' ' '\n' | sort -u | grep -vx -e --help >offered
  sed 's/.*://' help | sort | diff - offered >&2 || die "help and completion of $command differ"
  grep -q "octrace.-$command (1)" "$SOURCE/docs/man/octrace.1" || die "octrace.1 lacks $command"
done

offers "$({ echo "$commands"; echo help; } | sort | tr '\n' ' ' | sed 's/ $//')" octrace help ''

# Help, man page and completion of both programs know the same options.
. "$SOURCE/tools/completion/atc"
for program in "$BIN2ATC" "$ATC2BIN"; do
  name=$(basename "$program")
  "$program" --help | sed -nE 's/^ +-/-/; T; s/  .*//; p' | grep -oE -e '--[a-z]+' | sort >help
  grep -A 1 '^\.TP' "$SOURCE/docs/man/$name.1" | sed 's/\\-/-/g' | grep -oE -e '--[a-z]+' | sort >page
  diff help page >&2 || die "help and man page of $name differ"
  COMP_WORDS=("$name" --) COMP_CWORD=1
  _octrace_atc
  printf '%s\n' "${COMPREPLY[@]}" | sort | diff help - >&2 || die "help and completion of $name differ"
done
