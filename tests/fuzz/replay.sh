#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# replay.sh BUILD TARGET - does a fuzz target bear all that is kept for it: the seeds that make-seeds makes, and
# what scripts/fuzz has found (corpus/TARGET.zip)?
set -eu

tests=$(cd "$(dirname "$0")" && pwd)
build=$1
target=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
export TMPDIR="$work"
mkdir "$work/inputs"
"$tests/make-seeds" "$build" "$target" "$work/inputs"
[ ! -f "$tests/corpus/$target.zip" ] || unzip -qo "$tests/corpus/$target.zip" -d "$work/inputs"
find "$work/inputs" -type f | sort >"$work/list"
echo "$target: $(wc -l <"$work/list") inputs"
[ -s "$work/list" ] || { echo "$target has no input" >&2; exit 1; }
# A target that dies names its input as the last.
xargs -d '\n' "$build/tests/fuzz/$target" <"$work/list"
