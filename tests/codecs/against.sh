#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# against.sh CODEC [OPTION...] TRACE... - what comes through the trace port is what comes through the
# codec.
set -eu
codec=$1
shift
"$OCTRACE" verify --against "$codec" "$@"
