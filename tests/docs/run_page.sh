#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run_page.sh - does the runner of pages see a page whose output is another, or whose figures are?
. "$(dirname "$0")/../tools/lib.sh"

# page CODE PRINTED SAID: a page with one command.
page() {
  printf '```console\n$ echo "%s"\n%s\n```\n' "$2" "$3" >page.md
  expect "$1" python3 "$SOURCE/tests/docs/run_page.py" page.md
}

page 0 'a 100 b' 'a  100 b'
page 0 'a 13.04, 746,947 b' 'a 12.5, 746,855 b'
page 1 'a 13.0494 b' 'a 1.30494 b'
page 1 'a 13.0494 b' 'a 15 b'
page 1 'a 0 b' 'a 1 b'
page 0 'a 0x1200 b' 'a 0x34 b'
page 0 'octrace 0.2.0' 'octrace 0.3.1'
page 1 'a 100 b' 'a 100 c'
page 1 'a 100 b' '...
c'
page 0 'a 100 b' '...
a 101 b
...'
