#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# symbols.sh - does .ci/symbols see each form in which an object file of port/ uses a tracer?
. "$(dirname "$0")/../tools/lib.sh"

compile() { # FILE TEXT: an object file of the folder's name
  echo "$2" | ${CC:-cc} -x c -c -o "$(basename "$1").o" -
  echo "{\"directory\": \"$PWD\", \"file\": \"$SOURCE/$1\", \"output\": \"$(basename "$1").o\"},"
}
# port TEXT: such a file of port/ beside a tracer, which uses port/ as it may.
port() {
  {
    echo '['
    compile port/oct_planted.c "int oct_of_port; $1"
    compile model/shadow/oct_planted_tracer.c 'extern int oct_of_port; int oct_tracer_shadow; int f(void) { return oct_of_port; }'
    echo "{\"directory\": \"$PWD\", \"file\": \"$SOURCE/port/none.c\", \"output\": \"none.o\"}]"
  } >compile_commands.json
}
port ''
expect 0 "$SOURCE/.ci/symbols" .
for form in 'int' 'int __attribute__((weak))'; do
  for use in "extern $form oct_tracer_shadow; int *p = &oct_tracer_shadow;" \
    "extern $form oct_tracer_shadow; int g(void) { return oct_tracer_shadow; }"; do
    port "$use"
    expect 1 "$SOURCE/.ci/symbols" .
    contains out '^port/oct_planted.c: oct_tracer_shadow of model/shadow/oct_planted_tracer.c: may use traces only'
  done
done
