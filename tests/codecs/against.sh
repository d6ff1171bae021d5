#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# against.sh CODEC [OPTION...] TRACE... - what comes through the trace port is what comes through a
# lossless codec; a lossy one is refused. CODEC is its name in tools/registry.c.
set -eu
codec=$(printf '%s' "$1" | tr _ -)
shift
promise=$("$OCTRACE" list codecs | awk -v codec="$codec" '$1 == codec')
case $promise in
*', lossless:'*) "$OCTRACE" verify --against "$codec" "$@" ;;
*', lossy:'*)
  code=0
  "$OCTRACE" verify --against "$codec" "$@" 2>/dev/null || code=$?
  [ "$code" -eq 2 ] || { echo "a lossy codec was taken, exit code $code"; exit 1; }
  ;;
*)
  echo "octrace list codecs does not list $codec"
  exit 1
  ;;
esac
