# SPDX-License-Identifier: Apache-2.0
# names.sh - does each name of the project mean one thing, and is a planted namesake seen?
. "$(dirname "$0")/../tools/lib.sh"

expect 0 "$SOURCE/.ci/names"
contains out '^names: [1-9][0-9]*, each of one thing$'
for folder in include traces port model study codecs events tools sim; do cp -r "$SOURCE/$folder" .; done
mkdir docs
cp "$SOURCE/docs/glossary.md" docs
# planted FILE LINE NAME: add a line, whose fault has to name the file; all lines are looked for in one run.
: >expected
planted() {
  printf '%s\n' "$2" >>"$1"
  echo "$3: .*$1" >>expected
}
planted codecs/oct_jobs.c '#define OCT_CLASS_OTHER 1' OCT_CLASS_OTHER
planted study/oct_windows.c 'enum { OCT_BATCH_INSNS = 8192 };' OCT_BATCH_INSNS
planted events/oct_ev_types.c 'typedef struct oct_source { int n; } oct_source;' oct_source
planted port/oct_param.c 'enum oct_map_update { OCT_A };' oct_map_update
planted tools/oct_cli.c 'static int oct_reader_open(void) { return 0; }' oct_reader_open
planted port/oct_tracer.c 'static int f(void) { return oct_tracer_param(t, "task_bits"); }' 'parameter "task_bits"'
planted port/oct_param.c 'static const char *const f = "etrace";' 'tracer "etrace"'
# Each word of the glossary, where it would mean something else.
planted traces/oct_map.c 'static int data_shadow(void) { return 0; }' data_shadow
planted port/oct_tracer.c 'enum oct_shadow_kind { OCT_B };' oct_shadow_kind
planted codecs/oct_general.c 'typedef enum { OCT_STAGE_GZIP } oct_stage_kind;' OCT_STAGE_GZIP
planted codecs/oct_general.c '' oct_stage_kind
planted port/oct_port_stream.h 'typedef struct oct_stream { int n; } oct_stream;' oct_stream
planted model/common/oct_core.c 'typedef struct oct_event { int n; } oct_event;' oct_event
sed -i -E 's/^\| (event|stage|stream|shadow)/| x\1/' docs/glossary.md
for word in event stage stream shadow; do echo "$word: no meaning in docs/glossary.md" >>expected; done
expect 1 "$SOURCE/.ci/names" .
while read -r line; do contains out "^$line"; done <expected
