#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# oss-fuzz.sh - the build of the fuzz targets for OSS-Fuzz and ClusterFuzzLite.
#
# In the environment, as these set it: CC, CXX, CFLAGS, CXXFLAGS, LIB_FUZZING_ENGINE; WORK, a folder to
# build in; OUT, where each TARGET goes, with TARGET_seed_corpus.zip and, in lib, the shared libraries it
# needs. Arguments: the targets, default all. Other environment: OCT_BUILD, a folder in which the programs are built already that make seeds
# (tests/fuzz/make-seeds); without it the seeds are those of tests/fuzz/corpus alone.
set -eu

: "${CC:?}" "${CXX:?}" "${LIB_FUZZING_ENGINE:?}" "${WORK:?}" "${OUT:?}"
cd "$(dirname "$0")/../.."
# The origin is the target's folder, wherever that is at last.
# shellcheck disable=SC2016
meson setup "$WORK/build" -Dfuzz=true -Dfuzz_engine="$LIB_FUZZING_ENGINE" -Drtl=disabled \
  -Dbuildtype=plain -Db_lundef=false -Db_lto=false \
  -Dc_link_args='-Wl,-rpath,$ORIGIN/lib' -Dcpp_link_args='-Wl,-rpath,$ORIGIN/lib'
# shellcheck disable=SC2046 # a list of names
[ $# -gt 0 ] || set -- $(grep -v '^#' "$WORK/build/tests/fuzz/targets")
ninja -C "$WORK/build" "${@/#/tests/fuzz/}"
mkdir -p "$OUT/lib"
for target in "$@"; do
  cp "$WORK/build/tests/fuzz/$target" "$OUT"
  # What the base image has not: all but the C library and the compiler's own. What stands there
  # already is found there.
  ldd "$OUT/$target" | awk -v out="$OUT/" '$3 ~ /^\// && index($3, out) != 1 { print $3 }' |
    grep -vE '/(libc|libm|libpthread|libdl|librt|libgcc_s|libstdc\+\+)\.so' |
    xargs -r cp -Lt "$OUT/lib"
  seeds=$WORK/seeds/$target
  mkdir -p "$seeds"
  [ ! -f "tests/fuzz/corpus/$target.zip" ] || unzip -qo "tests/fuzz/corpus/$target.zip" -d "$seeds"
  [ -z "${OCT_BUILD-}" ] || tests/fuzz/make-seeds "$OCT_BUILD" "$target" "$seeds"
  [ -z "$(ls "$seeds")" ] || (cd "$seeds" && zip -qr "$OUT/${target}_seed_corpus.zip" .)
done
