#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# signals.sh - a signal ends octrace, and bin2atc, as it ends any program, and leaves no temporary file behind. After
# SIGKILL one may be left where files must have a name: the next command with that output removes it.
# No transcript: commands run in the background and are killed.
. "$(dirname "$0")/lib.sh"

tiny_trace 17000 >t.txt # longer than the batch that is looked at before the output is opened
"$OCTRACE" compress -o t.octp t.txt 2>err
# A folder, where this build can write one.
awk 'BEGIN { for (i = 0; i < 40000; i++) printf "%d main %s f%d\n", i, i % 2 ? "leave" : "enter", int(i / 2) % 7 }' >ev.txt
otf2=
if "$OCTRACE" events convert --to otf2 -o folder ev.txt 2>err; then
  otf2=yes
  rm -r folder
fi
mkfifo feed

# Wait until the command has its temporary file open: one without a name, or with a temporary one.
wait_for_temporary() {
  # shellcheck disable=SC2010 # the names are those of links
  until ls -l "/proc/$pid/fd" 2>/dev/null | grep -q -e "$work/new.octrace-" -e "$work/#"; do
    kill -0 "$pid" || { cat err >&2; die "ended before the signal"; }
    sleep 0.01
  done
}

# ends SIGNAL NUMBER INPUT COMMAND...: the command has read all but the end of INPUT when the signal
# comes. env undoes that sh, or nohup, has some signals ignored.
ends() {
  signal=$1 number=$2 input=$3
  shift 3
  env --default-signal "$@" <feed >out 2>err &
  pid=$!
  exec 9>feed
  head -c -10 "$input" >&9
  wait_for_temporary
  kill "-$signal" "$pid"
  code=0
  wait "$pid" || code=$?
  exec 9>&-
  [ "$code" -eq $((128 + number)) ] || die "exit code $code after SIG$signal: $*"
  if [ "$signal" = KILL ]; then
    "$OCTRACE" convert t.txt new
    rm new
  fi
  only ev.txt feed t.octp t.txt
}
for signal in INT:2 TERM:15 HUP:1 QUIT:3 XCPU:24 KILL:9; do
  name=${signal%:*} number=${signal#*:}
  ends "$name" "$number" t.txt "$OCTRACE" convert - new
  ends "$name" "$number" t.txt "$OCTRACE" convert --to pc32 --from text - new
  ends "$name" "$number" t.txt "$OCTRACE" compress -o new -
  ends "$name" "$number" t.octp "$OCTRACE" decompress -o new -
  ends "$name" "$number" t.txt "$OCTRACE" compress --codec plain -o new -
  ends "$name" "$number" t.txt "$OCTRACE" filter - new
  if [ "$otf2" ] && [ "$name" != KILL ]; then
    ends "$name" "$number" ev.txt "$OCTRACE" events convert --to otf2 -o new -
  fi
done

# What was ignored stays so: nohup keeps the work running.
env --ignore-signal=HUP "$OCTRACE" convert - new <feed >out 2>err &
pid=$!
exec 9>feed
head -c 80000 t.txt >&9
wait_for_temporary
kill -HUP "$pid"
tail -c +80001 t.txt >&9
exec 9>&-
wait "$pid" || die "exit code $? though SIGHUP was ignored"
as_text t.txt >want
as_text new | cmp want -
rm new want

# bin2atc writes a folder. Of SIGKILL, what the next one removes.
head -c 40000 t.txt >want
for signal in INT:2 TERM:15 HUP:1 QUIT:3 XCPU:24 KILL:9; do
  env --default-signal "$BIN2ATC" -z cat -B 100 -L 1000 new <feed >out 2>err &
  pid=$!
  exec 9>feed
  cat want >&9
  until [ -e "$(echo new.octrace-??????/1.raw)" ]; do
    kill -0 "$pid" || { cat err >&2; die "ended before the signal"; }
    cat want >&9
    sleep 0.01
  done
  kill "-${signal%:*}" "$pid"
  code=0
  wait "$pid" || code=$?
  exec 9>&-
  [ "$code" -eq $((128 + ${signal#*:})) ] || die "exit code $code after SIG${signal%:*}"
  if [ "$signal" = KILL:9 ]; then
    [ -d "$(echo new.octrace-??????)" ] || die "SIGKILL left nothing to be removed"
    expect 0 "$BIN2ATC" new <want
    [ "$(echo new*)" = new ] || die "not removed: $(echo new*)"
    rm -r new
  fi
  [ "$(echo new*)" = 'new*' ] || die "left behind: $(echo new*)"
done
