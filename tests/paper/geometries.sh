#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# geometries - does the build test all named geometries, those of `octrace list geometries`?
# Usage: geometries.sh NAME... (the list `geometries` of model/meson.build)
set -eu

known=$("$OCTRACE" list geometries | sed 's/ .*//' | paste -sd ' ' -)
[ "$known" = "$*" ] && exit 0
echo "FAIL: octrace knows the geometries $known; model/meson.build has $*" >&2
exit 1
