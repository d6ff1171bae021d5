#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# includes.sh - do the folders include what they may, and is a planted include seen?
. "$(dirname "$0")/../tools/lib.sh"

expect 0 "$SOURCE/.ci/includes"
contains out '^includes: [1-9][0-9]* as the table allows$'
for folder in include traces port model study codecs events tools sim; do cp -r "$SOURCE/$folder" .; done
mkdir tests
cp -r "$SOURCE/tests/shadow" "$SOURCE/tests/twin" tests
planted() {
  echo "#include \"$2\"" >>"$1"
  expect 1 "$SOURCE/.ci/includes" .
  contains out "^$1: .*$2"
  sed -i '$d' "$1"
}
planted traces/oct_map.c octrace/tracer.h
planted traces/formats/oct_text.c oct_formats.h
planted port/oct_player.c oct_config.h
planted model/common/oct_crc.h oct_types.h
planted model/paper/decode/oct_decoder.c oct_types.h
planted model/raw/oct_raw.c oct_compressor.h
planted study/oct_windows.c oct_stats.h
planted codecs/oct_jobs.c octrace/tracer.h
planted events/oct_ev_types.c octrace/codec.h
planted codecs/oct_jobs.c oct_nonesuch.h
planted tools/cmd_verify.c oct_decoder.h
planted tools/cmd_info.c oct_etm4_encode.h
planted sim/oct_ports.h oct_shadow_step.h
planted tests/shadow/test_plan.c oct_formats.h
planted sim/oct_machine.h octrace/sweep.h
# Nor past the table by another form of the line.
for form in '<oct_input.h>' '"../traces/base/oct_input.h"'; do
  echo "#include $form" >>traces/oct_map.c
  expect 1 "$SOURCE/.ci/includes" .
  contains out '^traces/oct_map.c: .*oct_input.h: a header of the project is included by its name'
  sed -i '$d' traces/oct_map.c
done
expect 0 "$SOURCE/.ci/includes" .
