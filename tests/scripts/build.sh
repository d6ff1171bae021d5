#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# build.sh - scripts/build configures a folder once, and anew when it is asked for other options: what
# scripts/demo configured must not leave out what scripts/test wants.
. "$(dirname "$0")/../tools/lib.sh"

mkdir scripts
cp "$SOURCE/scripts/build" scripts/build
echo "project('p')" >meson.build
echo "option('extra', type: 'feature', value: 'auto')" >meson_options.txt

# has VALUE: of the option in the folder
has() {
  meson introspect --buildoptions b >options
  python3 -c 'import json, sys
print([o["value"] for o in json.load(open("options")) if o["name"] == "extra"][0])' >value
  [ "$(cat value)" = "$1" ] || die "extra is $(cat value), not $1"
}
configured() {
  stat -c %y b/meson-private/coredata.dat
}
expect 0 scripts/build b
has auto
expect 0 scripts/build b -Dextra=enabled
has enabled
before=$(configured)
expect 0 scripts/build b -Dextra=enabled
expect 0 scripts/build b
[ "$(configured)" = "$before" ] || die "configured without need"
has enabled
expect 0 scripts/build b -Dextra=disabled
has disabled
# Packages that came after the folder was configured are found by what is asked again each time: Meson
# remembers for good that a header was missing.
! grep -rn 'has_header\|\.compiles(' --include=meson.build --exclude-dir='build*' "$SOURCE" || die "an answer that Meson keeps"
# What was configured before a program was installed is configured again for a target that needs it.
cat >>meson.build <<'END_MESON'
tool = find_program('tool-of-this-test', required: false)
if tool.found()
  custom_target('made', output: 'made', command: [tool, '@OUTPUT@'])
endif
END_MESON
expect 0 scripts/build b -Dextra=enabled
OCT_BUILD_TARGETS=made
export OCT_BUILD_TARGETS
refuse_build() {
  expect 1 scripts/build b
  [ "$(wc -l <err)" -eq 1 ] || { cat err >&2; die "not one line"; }
  contains err '^build: b is set up without made: '
}
refuse_build
OCT_BUILD_TARGETS=tests/made expect 1 scripts/build b
contains err 'run scripts/build b -Dtests=true, or remove b'
mkdir bin
printf '#!/bin/sh\necho made >"$1"\n' >bin/tool-of-this-test
chmod +x bin/tool-of-this-test
PATH=$PWD/bin:$PATH
expect 0 scripts/build b
[ "$(cat b/made)" = made ] || die "the target was not built"
unset OCT_BUILD_TARGETS
# No script goes to ninja by itself for what needs Verilator.
! grep -rnE '(ninja|NINJA).*(libverilated|TARGETS\])' "$SOURCE/scripts" --include='*' |
  grep -v '^[^:]*/build:' || die "a build folder from before Verilator ends this script"
# Who asks for such a target leaves it to scripts/build to say why there is none.
mkdir -p tree/scripts
cp "$SOURCE/scripts/soc" "$SOURCE/scripts/one_line.py" tree/scripts
ln -s "$SOURCE/sim" tree/sim
printf '#!/bin/sh\n' >tree/scripts/setup
printf '#!/bin/sh\necho "build: why" >&2\nexit 1\n' >tree/scripts/build
chmod +x tree/scripts/*
expect 4 tree/scripts/soc --core "$SOURCE/sim/soc/cores/picorv32"
one_line 'build: why'
expect 1 python3 -c 'import pathlib, sys; sys.path[0] = "tree/scripts"; import one_line; one_line.build(pathlib.Path("b"), ["made"])'
one_line 'build: why'
echo "error('no good')" >>meson.build
expect 1 scripts/build b -Dextra=enabled
contains err 'no good'
