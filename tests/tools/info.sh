#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# info.sh - octrace info: traces, containers, geometries and parameters.
. "$(dirname "$0")/lib.sh"

tiny_trace 1000 >t.txt
expect 0 "$OCTRACE" info t.txt
contains out '^format  *text'
contains out '^instructions  *4000'
contains out '^loads  *1000'
contains out '^stores  *1000'
contains out '^unique_instructions  *4$'
contains out '^unique_streams  *1$'
contains out '^average_stream_length  *4.000'
expect 0 "$OCTRACE" info --json --limit 10 t.txt
contains out '"instructions": 10'

"$OCTRACE" compress -g paper,port_pins=4 t.txt 2>err
expect 0 "$OCTRACE" info t.txt.octp
contains out '^format  *container'
contains out '^port_pins  *4'
contains out '^instructions  *4000'
expect 0 "$OCTRACE" info --json t.txt.octp
contains out '"port_bytes"'

expect 0 "$OCTRACE" info --geometries
contains out '^paper '
expect 0 "$OCTRACE" info --params -g small
contains out '^sc_sets '
expect 0 "$OCTRACE" info --params --json
contains out '"thb_depth": 255'

for sample in "$SAMPLES"/*.oct*; do
  expect 0 "$OCTRACE" info --json --limit 50000 "$sample"
  contains out '"format": "native"'
done
