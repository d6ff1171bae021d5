SPDX-License-Identifier: Apache-2.0
Help and version of the program and of each command.

  $ octrace --version
  octrace [#]
  $ octrace help | sed -n 's/^  \([a-z]*\) .*/\1/p' | tee commands | xargs
  compress decompress verify compare view info list packets bench capture convert calls stats filter fidelity gdb sweep report events
  $ octrace help | grep -A 9 'Exit status'
  Exit status: 0 fine, 1 traces differ, 2 wrong command line, 3 events lost,
  4 bad input or input/output failed.

Each command has its help, and a line that refers to it where its arguments are missing or an option is unknown.

  $ while read -r command; do
  >   octrace help $command >want
  >   octrace $command --help | cmp want -
  >   head -n 1 want
  > done <commands
  Usage: octrace compress [OPTION...] TRACE
  Usage: octrace decompress [OPTION...] FILE.octp|FILE.octc
  Usage: octrace verify [OPTION...] TRACE...
  Usage: octrace compare [OPTION...] A B
  Usage: octrace view [OPTION...] TRACE
  Usage: octrace info [OPTION...] TRACE|FILE.octp|FILE.octc
  Usage: octrace list formats|tracers|codecs [--json]
  Usage: octrace packets [OPTION...] FILE.octp
  Usage: octrace bench [OPTION...] FILE...
  Usage: octrace capture [OPTION...] -- PROGRAM ARG...
  Usage: octrace convert [OPTION...] IN OUT
  Usage: octrace calls [OPTION...] TRACE [OUT]
  Usage: octrace stats [OPTION...] TRACE
  Usage: octrace filter [OPTION...] IN [OUT]
  Usage: octrace fidelity [OPTION...] EXACT LOSSY
  Usage: gdb-multiarch PROGRAM -ex 'target remote | octrace gdb [OPTION...] FILE'
  Usage: octrace sweep [OPTION...] TRACE...
  Usage: octrace report [OPTION...] TRACE...
  Usage: octrace events compress [OPTION...] TRACE [-o FILE.octev]
  $ while read -r command; do
  >   [ $command != events ] || command='events info' # options belong to its commands
  >   for option in --frobnicate --frobnicate=1 -q -qz; do
  >     try octrace $command $option x y | sed "s/$command/COMMAND/g"
  >   done
  > done <commands | sort | uniq -c
       19 2> octrace: COMMAND: unknown option '--frobnicate' (see octrace COMMAND --help)
       19 2> octrace: COMMAND: unknown option '--frobnicate=1' (see octrace COMMAND --help)
       38 2> octrace: COMMAND: unknown option '-q' (see octrace COMMAND --help)
  $ while read -r command; do try octrace $command; done <commands
  2> octrace: compress: one trace is needed (see octrace compress --help)
  2> octrace: decompress: one compressed file is needed (see octrace decompress --help)
  2> octrace: verify: a trace is needed (see octrace verify --help)
  2> octrace: compare: two traces are needed (see octrace compare --help)
  2> octrace: view: one trace is needed (see octrace view --help)
  2> octrace: info: one file is needed (see octrace info --help)
  2> octrace: list: expected formats, tracers, codecs, geometries or params (see octrace list --help)
  2> octrace: packets: one compressed file is needed (see octrace packets --help)
  2> octrace: bench: a file is needed (see octrace bench --help)
  2> octrace: capture: expected -- PROGRAM ARG... (see octrace capture --help)
  2> octrace: convert: an input and an output are needed (see octrace convert --help)
  2> octrace: calls: a trace, and at most one output, is needed (see octrace calls --help)
  2> octrace: stats: one trace is needed (see octrace stats --help)
  2> octrace: filter: an input, and at most one output, is needed (see octrace filter --help)
  2> octrace: fidelity: an exact and a lossy trace are needed (see octrace fidelity --help)
  2> octrace: gdb: one trace is needed (see octrace gdb --help)
  2> octrace: sweep: a trace is needed (see octrace sweep --help)
  2> octrace: report: a trace is needed (see octrace report --help)
  2> octrace: events: no command given (see octrace events --help)

A command promises an exit status that it can have: only what writes or compares a stream loses events.

  $ while read -r command; do
  >   echo $command: $(octrace help $command | sed -n '/Exit status/,$p')
  > done <commands
  compress: Exit status: 0 fine, 2 wrong command line, 3 events lost, 4 bad input or input/output failed.
  decompress: Exit status: 0 fine, 2 wrong command line, 3 events lost, 4 bad input or input/output failed.
  verify: Exit status: 0 fine, 1 traces differ, 2 wrong command line, 3 events lost, 4 bad input or input/output failed.
  compare: Exit status: 0 equal, 1 traces differ, 2 wrong command line, 4 bad input or input/output failed.
  view: Exit status: 0 fine, 2 wrong command line, 4 bad input or input/output failed.
  info: Exit status: 0 fine, 2 wrong command line, 4 bad input or input/output failed.
  list: Exit status: 0 fine, 2 wrong command line, 4 bad input or input/output failed.
  packets: Exit status: 0 fine, 2 wrong command line, 4 bad input or input/output failed.
  bench: Exit status: 0 fine, 1 a decompressed file differs, 2 wrong command line, 4 bad input or input/output failed.
  capture: Exit status: 0 recorded, 1 nothing recorded, 2 wrong command line, 3 recorded up to the signal that ended the program.
  convert: Exit status: 0 fine, 2 wrong command line, 3 events lost, 4 bad input or input/output failed.
  calls: Exit status: 0 fine, 2 wrong command line, 4 bad input or input/output failed.
  stats: Exit status: 0 fine, 2 wrong command line, 4 bad input or input/output failed.
  filter: Exit status: 0 fine, 2 wrong command line, 4 bad input or input/output failed.
  fidelity: Exit status: 0 fine, 2 wrong command line, 4 bad input or input/output failed.
  gdb: Exit status: 0 fine, 2 wrong command line, 4 bad input or input/output failed.
  sweep: Exit status: 0 fine, 2 wrong command line, 4 bad input or input/output failed.
  report: Exit status: 0 fine, 2 wrong command line, 4 bad input or input/output failed.
  events: Exit status: 0 fine, 1 traces differ, 2 wrong command line, 3 events lost, 4 bad input or input/output failed.

  $ octrace
  2> octrace: no command given (see octrace --help)
  $ octrace frobnicate
  2> octrace: unknown command 'frobnicate' (see octrace --help)
  $ octrace events info --help | head -n 1
  Usage: octrace events compress [OPTION...] TRACE [-o FILE.octev]
  $ octrace events decompress --tabs 5 x
  2> octrace: events decompress: option --tabs is for other commands (see octrace events decompress --help)
  $ octrace events info
  2> octrace: events info: 1 file is needed (see octrace events info --help)

What else may be wrong with an option.

  $ octrace compress x --limit
  2> octrace: compress: option '--limit' needs a value (see octrace compress --help)
  $ octrace compress x -g
  2> octrace: compress: option '-g' needs a value (see octrace compress --help)
  $ octrace verify x --json=yes
  2> octrace: verify: option '--json' takes no value (see octrace verify --help)
  $ octrace compress --s x
  2> octrace: compress: option '--s' is the start of several (see octrace compress --help)

The lists that the summary names are those that list takes.

  $ for list in $(octrace --help | sed -n 's/^  list *list //p' | tr -d ,); do octrace list $list >/dev/null || echo "no $list"; done
