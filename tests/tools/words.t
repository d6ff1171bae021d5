SPDX-License-Identifier: Apache-2.0
One word for one thing in all commands, and an answer to words that are nearly right.

  $ seq 3000 | sed 's/.*/8000 L4:1000\n8004\n8008/' >t.txt

Lists.

  $ octrace list formats | grep -E '^(text|spike) '
  text             read, write  octrace's text: lines of addresses, accesses and bytes
  spike            read         logs of Spike, with or without commits
  $ octrace list @
  | tracers | cut -d ' ' -f 1 | xargs => paper raw shadow etrace ntrace intel-pt etmv4 replay
  | codecs | grep -c '^[a-z].*version' => [#]
  | codecs --json | grep -c '"shadow":' => 1
  | params --tracer ntrace | grep -c icnt_bits => 1
  $ octrace list
  2> octrace: list: expected formats, tracers, codecs, geometries or params (see octrace list --help)

What was meant.

  $ octrace comprss t.txt
  2> octrace: unknown command 'comprss', did you mean 'compress'? (see octrace --help)
  $ octrace events comprss t.txt
  2> octrace: events: unknown command 'comprss', did you mean 'compress'? (see octrace events --help)
  $ octrace frobnicate
  2> octrace: unknown command 'frobnicate' (see octrace --help)
  $ octrace help inputs
  2> octrace: unknown command 'inputs', did you mean 'input'? (see octrace --help)
  $ octrace list format
  2> octrace: list: unknown list 'format': expected formats, tracers, codecs, geometries or params, did you mean 'formats'? (see octrace list --help)
  $ octrace info @
  | --limt 3 t.txt => 2> octrace: info: unknown option '--limt', did you mean '--limit'? (see octrace info --help)
  | --limt=3 t.txt => 2> octrace: info: unknown option '--limt=3', did you mean '--limit'? (see octrace info --help)
  | --from lakey t.txt => 2> octrace: info: unknown format 'lakey': expected one that octrace list formats lists, did you mean 'lackey'? (see octrace info --help)
  $ octrace compress @
  | --tracer sahdow t.txt => 2> octrace: compress: unknown tracer 'sahdow': expected one that octrace list tracers lists, did you mean 'shadow'? (see octrace compress --help)
  | -g tinny t.txt => 2> octrace: compress: 'tinny': expected a geometry or name=value, did you mean 'tiny'? (see octrace list geometries and params)
  | -g port_pin=3 t.txt => 2> octrace: compress: 'port_pin': no such parameter, did you mean 'port_pins'? (see octrace list geometries and params)
  | --codec vcp3:stage=zstd t.txt => 2> octrace: compress: unknown codec 'vcp3', did you mean 'vpc3'? (see octrace compress --help)
  $ octrace sweep -a vc_set=8 t.txt
  2> octrace: sweep: unknown axis 'vc_set': expected a parameter or sc_entries, did you mean 'sc_sets'?

Old words are gone.

  $ for word in 'info --formats' 'info --format text t.txt' 'convert --count 3 t.txt -' 'compress --threads 2 t.txt' 'compress --codecs'; do
  >   try octrace $word | cut -d ' ' -f 1-6
  > done
  2> octrace: info: unknown option '--formats'[..]
  2> octrace: info: unknown option '--format'[..]
  2> octrace: convert: unknown option '--count'[..]
  2> octrace: compress: unknown option '--threads'[..]
  2> octrace: compress: unknown option '--codecs'[..]

Numbers of all options are refused alike, by the option's name.

  $ for option in 'report --cycle-insns' 'view --max-map' 'bench --repeat' 'sweep -j' 'events compress --buffer' 'events compress -n'; do try octrace $option 1Q t.txt; done
  2> octrace: report: --cycle-insns '1Q': expected a number from 0 (1000, 10K, 2M) (see octrace report --help)
  2> octrace: view: --max-map '1Q': expected a number from 1 (1000, 10K, 2M) (see octrace view --help)
  2> octrace: bench: --repeat '1Q': expected a number from 1 to 99 (see octrace bench --help)
  2> octrace: sweep: --jobs '1Q': expected a number from 1 to 1024 (see octrace sweep --help)
  2> octrace: events compress: --buffer '1Q': expected a number from 0 to 4294967295 (see octrace events compress --help)
  2> octrace: events compress: --order '1Q': expected a number from 0 to 65536 (see octrace events compress --help)

Numbers have thousands and millions.

  $ octrace view --max-map 4M --limit 1 t.txt
           0  0x8000      L4:0x1000

  $ octrace convert --skip 1K --limit 2k --to pc t.txt - | wc -l
  2000
  $ octrace info --limit 1M t.txt | grep ^instructions
  instructions           9000
  $ octrace filter --limit 0 t.txt
  2> octrace: filter: --limit '0': expected a number from 1 (1000, 10K, 2M) (see octrace filter --help)
  $ for limit in K 1KK -1 1.5M 18446744073709551615M; do try octrace info --limit $limit t.txt; done
  2> octrace: info: --limit 'K': expected a number from 1 (1000, 10K, 2M) (see octrace info --help)
  2> octrace: info: --limit '1KK': expected a number from 1 (1000, 10K, 2M) (see octrace info --help)
  2> octrace: info: --limit '-1': expected a number from 1 (1000, 10K, 2M) (see octrace info --help)
  2> octrace: info: --limit '1.5M': expected a number from 1 (1000, 10K, 2M) (see octrace info --help)
  2> octrace: info: --limit '18446744073709551615M': expected a number from 1 (1000, 10K, 2M) (see octrace info --help)
  $ printf '%s\n' '1 a enter f' '2 a leave f' >calls.txt && octrace events compress calls.txt >out
  $ for limit in 1K 10 1X 5000M; do try octrace events patterns --limit $limit calls.txt.octev | sed 's/^[^2].*/fine/' | uniq; done
  fine
  fine
  2> octrace: events patterns: --limit '1X': expected a number from 0 to 4294967295 (see octrace events patterns --help)
  2> octrace: events patterns: --limit '5000M': expected a number from 0 to 4294967295 (see octrace events patterns --help)

Tables go to a file, or with - instead of the text.

  $ octrace report --cycle-insns 100 --no-tracers --csv rows.csv t.txt 2>/dev/null | head -n 1
  [..]t.txt[..]
  $ head -n 1 rows.csv
  trace,table,key,value
  $ octrace report --cycle-insns 100 --no-tracers --csv - t.txt 2>/dev/null | cmp - rows.csv
  $ octrace fidelity --sets 2 --ways 2 --csv rows.csv t.txt t.txt 2>/dev/null | head -n 1
  [..]
  $ head -n 1 rows.csv
  measure,sets,ways,exact,lossy,difference
  $ octrace report --csv none/x t.txt
  4> octrace: none/x: [..]

Bytes are not for a terminal, text is.

  $ for command in 'compress -o -' 'compress --codec plain -o -' 'convert' 'convert --to pc32' 'filter --to blocks'; do
  >   case $command in compress*) out= ;; *) out=- ;; esac
  >   script -qec "octrace $command t.txt $out" typescript </dev/null | tr -d '\r' | sed 's/(see.*//'
  > done
  octrace: compress: bytes are not for a terminal: name a file for them, or pipe them on
  octrace: compress: bytes are not for a terminal: name a file for them, or pipe them on
  octrace: convert: bytes are not for a terminal: name a file for them, or pipe them on
  octrace: convert: bytes are not for a terminal: name a file for them, or pipe them on
  octrace: filter: bytes are not for a terminal: name a file for them, or pipe them on
  $ for command in 'compress calls.txt -o -' 'convert --to records calls.txt -o -' 'convert --to octev calls.txt' 'extract --to records calls.txt.octev' 'decompress --to octev calls.txt.octev' 'decompress calls.txt.octev'; do
  >   script -qec "octrace events $command" typescript </dev/null | tr -d '\r' | sed 's/(see.*//'
  > done
  octrace: events compress: bytes are not for a terminal: name a file for them, or pipe them on
  octrace: events convert: bytes are not for a terminal: name a file for them, or pipe them on
  octrace: events convert: bytes are not for a terminal: name a file for them, or pipe them on
  octrace: events extract: bytes are not for a terminal: name a file for them, or pipe them on
  octrace: events decompress: bytes are not for a terminal: name a file for them, or pipe them on
  # octrace events: time thread enter|leave function
  # process a process
  1 a enter f
  2 a leave f
  $ script -qec 'octrace convert --limit 1 --to pc t.txt -' typescript </dev/null | tr -d '\r'
  8000

A terminal has other names, too.

  $ for out in '--tracer paper -o /dev/stdout' '--codec plain -o /dev/tty'; do
  >   script -qec "octrace compress $out t.txt" typescript </dev/null | tr -d '\r' | sed 's/(see.*//'
  > done
  octrace: compress: bytes are not for a terminal: name a file for them, or pipe them on
  octrace: compress: bytes are not for a terminal: name a file for them, or pipe them on
  $ script -qec 'octrace convert --to pc t.txt /dev/stdout' typescript </dev/null | tr -d '\r' | head -n 1
  8000

Names of C++ functions are as the source has them.

  $ printf 'int f(void) __asm__("_ZN3abc3defEiPKc");\nint g(void) __asm__("_main");\nint f(void) { return 1; }\nint g(void) { return 2; }\n' >f.c
  $ ${CC:-cc} -shared -nostdlib -o f.so f.c
  $ nm f.so | sed -n 's/ T .*//p' >addresses
  $ octrace info --from text --isa x86-64 --insn-bytes 1 --elf f.so --json addresses | grep '"symbol"' | sort
  [..]"symbol": "_main",
  [..]"symbol": "abc::def(int, char const*)",

The options of all commands that read a trace are explained once.

  $ octrace help input | grep -cE '^      --(from|isa|insn-bytes|max-map|elf|skip|limit|from-sync) '
  8
  $ for command in $(octrace help | sed -n 's/^  \([a-z]*\) .*/\1/p'); do
  >   octrace help $command | grep -q -e '--insn-bytes N' || continue
  >   octrace help $command | grep -qF 'Trace input (octrace help input explains these):' || echo $command
  > done
  $ octrace capture --help | head -n 1
  Usage: octrace capture [OPTION...] -- PROGRAM ARG...
  $ octrace capture @
  | --limit 2K => 2> octrace: capture: expected -- PROGRAM ARG... (see octrace capture --help)
  | --cpuu max -- ./a => 2> octrace: capture: unknown option '--cpuu', did you mean '--cpu'? (see octrace capture --help)
  | --limit 10X -- ./a => 2> octrace: capture: --limit '10X': expected a number from 1 (1000, 10K, 2M) (see octrace capture --help)
  | --level 23 -- ./a => 2> octrace: capture: --level '23': expected a number from 1 to 22 (see octrace capture --help)
  | --output - -- ./a => 2> capture: -o -: expected a file: standard output is the program's
  | --limit=2K ./missing --limit => 1> capture: ./missing: no such program
