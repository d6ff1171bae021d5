#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# gdb-signals.sh - does `octrace gdb` leave no file behind, whatever ends it: while it copies a trace, and behind its end?
set -eu
"$OCTRACE" list params --tracer replay -g isa=4 >/dev/null 2>&1 || exit 77
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
mkdir "$tmp/folder"
export TMPDIR="$tmp/folder"
mkfifo "$tmp/in" "$tmp/trace"
"$OCTRACE" convert --to text:bytes=1 --limit 9 "$DATA/aarch64.oct" "$tmp/whole"
yes "$(tail -n 1 "$tmp/whole")" | head -n 200000 >>"$tmp/whole"
wait_for() {
  for _ in $(seq 300); do
    grep -q "$1" "$tmp/out" && return
    sleep 0.1
  done
  echo "gdb-signals.sh: no answer" >&2
  exit 1
}
for place in trace whole; do
  for signal in INT TERM HUP KILL; do
    : >"$tmp/out"
    # A child of a shell without jobs ignores SIGINT, but for this.
    env --default-signal=INT "$OCTRACE" gdb --from text --isa aarch64 "$tmp/$place" <"$tmp/in" >"$tmp/out" 2>/dev/null &
    server=$!
    exec 3>"$tmp/in"
    if [ "$place" = trace ]; then
      exec 4>"$tmp/trace" # which is never at its end
      cat "$tmp/whole" >&4 &
    else
      printf '+$qRcmd,656e64#93' >&3 # monitor end
    fi
    printf '+$?#3f' >&3
    wait_for 'T05thread'
    kill -"$signal" "$server"
    wait "$server" && exit 1
    exec 3>&-
    [ "$place" = whole ] || exec 4>&-
    if [ "$(ls -A "$tmp/folder")" ]; then
      echo "gdb-signals.sh: $place: SIG$signal leaves $(ls -A "$tmp/folder")" >&2
      exit 1
    fi
  done
done
