#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage.sh - do scripts say what they are when asked, and do nothing else?
. "$(dirname "$0")/../tools/lib.sh"

expect 0 "$SOURCE/scripts/study" reproduce-events --help
contains out 'Usage: scripts/study reproduce-events \[FOLDER\]'
mv out help
expect 2 "$SOURCE/scripts/study" reproduce-events -x
cmp help out
[ ! -s err ] || die "more than its usage"

# The two commands of the README refuse what they do not know.
expect 2 sh "$SOURCE/scripts/demo" --quick
[ "$(cat err)" = "demo: it takes no arguments, found '--quick'" ] || die "$(cat err)"
expect 2 sh "$SOURCE/scripts/test" --quick
[ "$(cat err)" = "test: unknown argument '--quick' (see --help)" ] || die "$(cat err)"
expect 2 sh "$SOURCE/scripts/test" --seed often
[ "$(cat err)" = "test: --seed often: expected a number, or 'random' (see --help)" ] || die "$(cat err)"

# Each script says how it is used when asked, at once, and does nothing else.
export PYTHONPATH="$SOURCE/scripts" PYTHONDONTWRITEBYTECODE=1
# A pipe that nobody reads any more.
mkfifo unread
: <unread &
exec 9>unread
wait
for script in "$SOURCE"/scripts/* "$SOURCE"/scripts/tables/*; do
  [ -f "$script" ] && [ -x "$script" ] || continue
  rm -rf asked && mkdir asked
  (cd asked && timeout 20 "$script" --help >../out 2>../err </dev/null) || die "$script --help: status $?"
  grep -qi 'usage: ' out || die "$script --help: no usage"
  [ -z "$(ls -A asked)" ] || die "$script --help leaves files"
  # A reader who has seen enough, and goes, is no error to tell of.
  timeout 20 "$script" --help 2>err </dev/null >&9 || :
  [ ! -s err ] || die "$script --help to a closed pipe: $(cat err)"
done

# The command for tables and pictures names each that a user may ask for.
expect 2 "$SOURCE/scripts/study" nonesuch
contains err "^study: expected a table or picture, not 'nonesuch' (see --help)"
expect 0 "$SOURCE/scripts/study" --help
for name in $(sed -n 's|^ *\(Usage: \)\{0,1\} *scripts/study \([a-z-]*\) .*|\2|p' out); do
  [ -f "$SOURCE/scripts/tables/$name" ] || [ -f "$SOURCE/scripts/tables/$name.py" ] || die "no table '$name'"
done

# Packages are not installed anywhere before all is there.
expect 0 sh "$SOURCE/debian/check" --help
contains out '^usage: debian/check'
expect 2 sh "$SOURCE/debian/check" --quick
expect 1 sh "$SOURCE/debian/check" .
contains err 'expected .deb files: run scripts/release'

# What prints and plots says how it is called, and what is missing in one line; links that lead nowhere stay.
ln -s nowhere picture.svg
export OCTRACE
with_pictures=yes
/usr/bin/python3 -c 'import matplotlib' 2>found || with_pictures=
for script in "$SOURCE"/scripts/tables/plot-* "$SOURCE"/scripts/tables/print-*; do
  case $script in
  *plot-*) [ "$with_pictures" ] || continue ;;
  esac
  name=$(basename "$script" .py)
  if [ ! -x "$script" ]; then # of the others it was seen
    expect 0 "$SOURCE/scripts/study" "$name" --help
    [ -s out ] && [ ! -s err ] || die "$name does not say how it is called: $(cat err)"
  fi
  expect 2 "$SOURCE/scripts/study" "$name" --nonsense
  case $name in
  plot-bandwidth) set -- picture.svg none ;;
  plot-bench | plot-tracers) set -- none picture.svg ;;
  plot-events) mkdir folder && ln -s nowhere folder/figures.png && set -- folder ;;
  print-codecs | print-whole-traces) set -- none none 1 none ;;
  print-paper) set -- none none 1 ;;
  print-table) set -- none none ;;
  print-tracers) set -- none none '' ;;
  print-shadow) set -- ;;
  *) set -- none ;;
  esac
  [ "$name" != print-corners ] || continue # it reads nothing
  expect 1 "$SOURCE/scripts/study" "$name" "$@" <found
  [ "$(grep -c . err)" -le 1 ] || die "$name: not one line: $(cat err)"
done
[ -L picture.svg ] && [ ! -e nowhere ] || die "a picture was put where a link leads"
expect 1 "$SOURCE/scripts/study" plot-bandwidth a.png none
contains err '^plot-bandwidth: none: expected reports'

# What is interrupted leaves no temporary files: a shell runs what it has for its end only where a signal is caught.
for script in $(grep -lE "^ *trap '.*' EXIT" "$SOURCE"/scripts/* "$SOURCE"/scripts/tables/* "$SOURCE"/sim/* "$SOURCE"/sim/systemc/* 2>err); do
  grep -q "trap 'exit 1' HUP INT TERM" "$script" || die "$script leaves its temporary files where it is interrupted"
done
