#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# plain.sh - does .ci/plain see phrases in pages and in the help of scripts, and nothing else?
. "$(dirname "$0")/../tools/lib.sh"

mkdir .ci scripts
cp "$SOURCE/.ci/plain" .ci
git init -q .
page() { printf '# Page\n\nA line.\n\n%s\n' "$1" >page.md; }
shell() { printf '#!/bin/sh\n# x\n# %s\nset -eu\nusage() {\n  cat <<END\nusage: x\n%s\nEND\n}\necho "%s"\n' "$1" "$2" "$3" >scripts/x; }
comment() { printf '#!/bin/sh\n# x\n# x - %s\n# Usage: x\nset -eu\n# %s\n' "$1" "$2" >scripts/z; }
python() { printf '#!/usr/bin/python3\n# x\n"""x - y\n\n%s\nUsage: x\n"""\ndef f():\n    """%s"""\n' "$1" "$2" >scripts/y; }
for phrase in 'Behind the header' 'It is behind it' 'Told are the losses' 'It tells all' 'Alone it works' 'It runs alone' \
  'What is left' 'It does what it does'; do
  page "$phrase." && shell "$phrase." 'It prints all.' "$phrase." && comment 'It is.' "$phrase." && python 'It is.' "$phrase."
  expect 1 .ci/plain
  contains out '^page.md:5: '
  contains out '^plain: 1 phrases$'
  page 'It is.' && shell "$phrase." "$phrase." "$phrase." && comment "$phrase." "$phrase." && python "$phrase." "$phrase."
  expect 1 .ci/plain
  contains out '^scripts/x:8: '
  contains out '^scripts/y:5: '
  contains out '^scripts/z:3: '
  contains out '^plain: 3 phrases$'
done
