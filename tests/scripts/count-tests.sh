#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# count-tests.sh - does the last line of scripts/test count every test that was configured, and does
# a skipped one never pass silently?
. "$(dirname "$0")/../tools/lib.sh"

mkdir project
cat >project/meson.build <<'END'
project('p')
sh = find_program('sh')
foreach code : [0, 1, 77]
  test('exit @0@'.format(code), sh, args: ['-c', 'exit @0@'.format(code)])
endforeach
test('may skip', sh, args: ['-c', 'exit 77'], suite: ['tools', 'optional'])
test('fails as expected', sh, args: ['-c', 'exit 1'], should_fail: true)
test('not optional', sh, args: ['-c', 'exit 77'], suite: 'optionally')
END
for folder in a b; do
  meson setup "$folder" project >log 2>&1 || { cat log; die "meson setup"; }
  meson test -C "$folder" --no-rebuild --logbase log >log 2>&1 || :
done

# counts CODE LINE STATUS FOLDER...: the exit code and the last line.
counts() {
  wanted_line=$2
  wanted_code=$1
  shift 2
  status=$1
  shift
  expect "$wanted_code" python3 "$SOURCE/scripts/count-tests.py" "$status" log "$@"
  [ "$(tail -n 1 out)" = "$wanted_line" ] || { cat out err >&2; die "expected: $wanted_line"; }
}
counts 1 '2 passed, 3 failed' 0 a
contains out '^skipped, which counts as failed: a: p / exit 77$'
contains out '^skipped, which counts as failed: a: p:optionally / not optional$'
contains out '^skipped: a: p:tools+optional / may skip$'
[ "$(grep -c skipped out)" -eq 3 ] || die "$(grep -c skipped out) skipped"
counts 1 '4 passed, 6 failed' 0 a b
[ "$(grep -c skipped out)" -eq 6 ] || die "$(grep -c skipped out) skipped"
counts 1 '2 passed, 4 failed' 0 a missing
contains err '^missing: not configured$'
# Tests of suites that were left out are not missed.
grep -v 'may skip' a/meson-logs/log.json >left
mkdir -p c && cp -r a/. c && cp left c/meson-logs/log.json
counts 1 '2 passed, 4 failed' 0 c
contains err '^c: 5 of 6 tests have a result$'
counts 1 '2 passed, 3 failed' 0 c:long,optional
# Nor are those of suites that were not asked for.
counts 1 '2 passed, 3 failed' 0 c:+optional,+optionally
contains err '^c: 5 of 2 tests have a result$'
grep -e 'may skip' -e 'not optional' a/meson-logs/log.json >c/meson-logs/log.json
counts 1 '0 passed, 1 failed' 0 c:+optional,+optionally
cp left c/meson-logs/log.json

# A short log: what has no result has failed.
grep -v 'exit 0' b/meson-logs/log.json >short
mv short b/meson-logs/log.json
counts 1 '1 passed, 4 failed' 0 b
contains err '^b: 5 of 6 tests have a result$'
rm b/meson-logs/log.json
counts 1 '0 passed, 6 failed' 0 b

# All is well, or was not before.
grep -e 'exit 0' -e 'as expected' -e 'may skip' a/meson-logs/log.json >short
mv short a/meson-logs/log.json
sed -i -e '/exit @0@/d' -e 's/foreach .*/test("exit 0", sh, args: ["-c", "exit 0"])/' \
  -e '/endforeach/d' -e '/not optional/d' -e "s/\"/'/g" project/meson.build
meson setup --wipe b project >log 2>&1 || { cat log; die "meson setup"; }
cp a/meson-logs/log.json b/meson-logs/log.json
counts 0 '2 passed, 0 failed' 0 b
counts 1 '2 passed, 1 failed' 1 b
