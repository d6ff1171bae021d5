# SPDX-License-Identifier: Apache-2.0
# names.sh - does each name of the project mean one thing, and is a planted namesake seen?
. "$(dirname "$0")/../tools/lib.sh"

expect 0 "$SOURCE/.ci/names"
contains out '^names: [1-9][0-9]*, each of one thing$'
for folder in include traces port model study codecs events tools sim; do cp -r "$SOURCE/$folder" .; done
planted() {
  printf '%s\n' "$2" >>"$1"
  expect 1 "$SOURCE/.ci/names" .
  contains out "^$3: .*$1"
  sed -i '$d' "$1"
}
planted codecs/oct_jobs.c '#define OCT_CLASS_OTHER 1' OCT_CLASS_OTHER
planted study/oct_windows.c 'enum { OCT_BATCH_INSNS = 8192 };' OCT_BATCH_INSNS
planted events/oct_ev_types.c 'typedef struct oct_source { int n; } oct_source;' oct_source
planted port/oct_param.c 'enum oct_map_update { OCT_A };' oct_map_update
planted tools/oct_cli.c 'static int oct_reader_open(void) { return 0; }' oct_reader_open
expect 0 "$SOURCE/.ci/names" .
