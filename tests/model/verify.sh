#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# verify.sh GEOMETRY [OPTION...] TRACE... - there and back: without time nothing may be lost (exit
# code 0), with time and real buffers something may, told and passed over (exit code 3).
set -u
geometry=$1
shift
"$OCTRACE" verify --engine untimed -g "$geometry" "$@" || exit 1
"$OCTRACE" verify --engine cycle -g "$geometry" "$@"
case $? in
  0 | 3) ;;
  *) exit 1 ;;
esac
