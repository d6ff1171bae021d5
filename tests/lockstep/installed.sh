# SPDX-License-Identifier: Apache-2.0
# installed.sh - does octrace-lockstep build and run from what is installed, away from the sources?
. "$(dirname "$0")/../tools/lib.sh"

meson install -C "$BUILD" --no-rebuild --quiet --destdir "$work/root" >log 2>&1 || { cat log >&2; die install; }
lockstep=$(find root -path '*/bin/octrace-lockstep')
LD_LIBRARY_PATH=$(dirname "$(find "$work/root" -name liboctrace.so)")
XDG_CACHE_HOME=$work/cache
export LD_LIBRARY_PATH XDG_CACHE_HOME
expect 0 "./$lockstep" -g tiny --random 2000 --limit 2000 "$SAMPLES/cjpeg.oct"
contains err 'building geometry tiny'
contains out 'tiny: seed 1, 2000 cycles equal'
contains out 'cjpeg.oct: [0-9]* cycles equal; decoded from the pins'
expect 0 "./$lockstep" -g tiny --random 2000
[ ! -s err ] || die "built twice"
[ -d cache/octrace ] || die "not kept in the cache"
: >file
XDG_CACHE_HOME=$work/file expect 4 "./$lockstep" -g tiny --random 2000
one_line "octrace-lockstep: $work/file/octrace: cannot write the program of this geometry there; set XDG_CACHE_HOME to a folder where you may write"
! grep -rl "$SOURCE\|$BUILD" root --include=octrace-lockstep --include=oct_platform --include=dut-flags ||
  die "a path of the build is installed"
